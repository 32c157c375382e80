/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels on a device of OpenCL: what comes out beside the same sums here, types by their widths, no memory.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/kernel.h"
#include "kernel/door.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source_text[] =
	"__kernel void product(__global const int *a, __global const int *b, __global int *c, int n)\n"
	"{ int i = get_global_id(1), j = get_global_id(0), s = 0;\n"
	"  for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];\n"
	"  c[i * n + j] = s; }\n"
	"__kernel void widths(__global long *out, char a, uchar b, short c, ushort d, int e, uint f, long g, "
	"float h)\n"
	"{ out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = "
	"(long)h; }\n";

static char path[] = "/tmp/foretime-execute-XXXXXX";
static const struct ft_execute_options options = {.seed = 7};

static bool write_source(void)
{
	int fd = mkstemp(path);
	bool fine =
		fd >= 0 && write(fd, source_text, sizeof source_text - 1) == (ssize_t)sizeof source_text - 1;

	if (fd >= 0)
		(void)close(fd);
	return fine;
}

/* As struct ft_execute_sum says. */
static double sum_of(const double *value, size_t n)
{
	struct ft_random random = {1};
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (0.5 + ft_random_uniform(&random)) * value[i];
	return sum;
}

static enum ft_status multiply(const int32_t *a, const int32_t *b, size_t n, const char *group,
			       struct ft_executed *out, struct ft_err *err)
{
	const struct ft_kernel_source source = {.path = path, .kernel = "product"};
	const struct ft_kernel_argument argument[] = {
		{.name = "a", .value = NAN, .element = FT_KERNEL_INT, .data = a, .data_bytes = 4 * n * n},
		{.name = "b", .value = NAN, .element = FT_KERNEL_INT, .data = b, .data_bytes = 4 * n * n},
		{.name = "c", .value = NAN, .element = FT_KERNEL_INT, .count = "n*n"},
		{.name = "n", .value = (double)n}};
	const struct ft_kernel_launch launch = {
		.global = {"n", "n"}, .local = {group, group}, .argument = argument, .n = 4};

	return ft_execute(out, &source, &launch, &options, err);
}

/* Random products are those that are computed here. */
static void test_products(uint64_t seed)
{
	struct ft_random random = {seed};
	size_t wrong = 0;

	for (size_t round = 0; round < 10; round++) {
		size_t n = 2 * (1 + ft_random_below(&random, 8));
		int32_t a[256], b[256];
		double c[256] = {0};
		struct ft_executed out;

		for (size_t i = 0; i < n * n; i++) {
			a[i] = (int32_t)ft_random_below(&random, 2000) - 1000;
			b[i] = (int32_t)ft_random_below(&random, 2000) - 1000;
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				for (size_t k = 0; k < n; k++)
					c[i * n + j] += (double)a[i * n + k] * b[k * n + j];
		if (multiply(a, b, n, round % 2 ? "2" : NULL, &out, NULL)) {
			wrong++;
			continue;
		}
		wrong += out.n_sums != 1 || strcmp(out.sum[0].name, "c") != 0 ||
			 out.sum[0].sum != sum_of(c, n * n) || !(out.kernel_s >= 0) || !(out.launch_s > 0) ||
			 out.work_items != (double)(n * n);
		ft_executed_clear(&out);
	}
	ok(!wrong, "10 random products are those computed here (%zu are not, seed %llu)", wrong,
	   (unsigned long long)seed);
}

static void test_widths(void)
{
	const double value[] = {-5,  250, -30000, 60000, -2000000000.0, 4000000000.0, -9007199254740991.0,
				1234};
	const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	const struct ft_kernel_source source = {.path = path, .kernel = "widths"};
	struct ft_kernel_argument argument[9] = {
		{.name = "out", .value = NAN, .element = FT_KERNEL_LONG, .count = "8"}};
	const struct ft_kernel_launch launch = {.global = {"1"}, .argument = argument, .n = 9};
	struct ft_executed out;
	struct ft_err err = {0};

	for (size_t i = 0; i < 8; i++)
		argument[i + 1] = (struct ft_kernel_argument){.name = name[i], .value = value[i]};
	if (ft_execute(&out, &source, &launch, &options, &err)) {
		ok(false, "numbers of each width: %s", err.text);
		return;
	}
	ok(out.n_sums == 1 && out.sum[0].sum == sum_of(value, 8),
	   "numbers of each width arrive as they were given");
	ft_executed_clear(&out);
	argument[5].value = 0.5;
	ok(ft_execute(&out, &source, &launch, &options, &err) == FT_EINVAL &&
		   strstr(err.text, "whole number"),
	   "a whole number that has a fraction is refused: %s", err.text);
}

/* What of several launches is told: the lower quartile, by how much they differ. */
static void test_spread(void)
{
	const int32_t a[4] = {1, 2, 3, 4};
	const struct ft_kernel_source source = {.path = path, .kernel = "product"};
	const struct ft_kernel_argument argument[] = {
		{.name = "a", .value = NAN, .element = FT_KERNEL_INT, .data = a, .data_bytes = sizeof a},
		{.name = "b", .value = NAN, .element = FT_KERNEL_INT, .data = a, .data_bytes = sizeof a},
		{.name = "c", .value = NAN, .element = FT_KERNEL_INT, .count = "n*n"},
		{.name = "n", .value = 2}};
	const struct ft_kernel_launch launch = {.global = {"n", "n"}, .argument = argument, .n = 4};
	const struct ft_execute_options many = {.seed = 7, .times = 9}, once = {.seed = 7, .times = 1};
	struct ft_executed out = {0};

	ok(!ft_execute(&out, &source, &launch, &many, NULL) && out.times == 9 && out.kernel_low_s > 0 &&
		   out.kernel_sigma_s >= 0 && out.kernel_low_s <= out.kernel_s + out.kernel_sigma_s,
	   "nine launches: a quarter is below %g s, their mean is %g s, with %g s", out.kernel_low_s,
	   out.kernel_s, out.kernel_sigma_s);
	ft_executed_clear(&out);
	ok(!ft_execute(&out, &source, &launch, &once, NULL) && out.kernel_low_s == out.kernel_s &&
		   out.kernel_sigma_s == 0,
	   "one launch is all that there is");
	ft_executed_clear(&out);
}

static void test_faults(void)
{
	const int32_t a[4] = {1, 2, 3, 4};
	const double c[4] = {7, 10, 15, 22};
	size_t wrong = 0;
	unsigned long n = 0, asked;

	do {
		struct ft_executed out;

		(void)ft_alloc_fail_at(++n);
		enum ft_status status = multiply(a, a, 2, NULL, &out, NULL);
		asked = ft_alloc_fail_at(0);
		wrong += status ? status != FT_ENOMEM || out.sum : out.sum[0].sum != sum_of(c, 4);
		ft_executed_clear(&out);
	} while (asked >= n);
	ok(!wrong && n > 5, "each of %lu allocations fails once: FT_ENOMEM, and nothing is left (%zu do not)",
	   n - 1, wrong);
}

int main(void)
{
	const int32_t one[4] = {1, 0, 0, 1};
	struct ft_executed out = {0};
	struct ft_err err = {0};

	if (!write_source()) {
		ok(false, "the source can be written");
		return done();
	}
	enum ft_status status = multiply(one, one, 2, NULL, &out, &err);
	if (status == FT_EUNAVAIL) {
		skip("kernels on a device", err.text);
	} else {
		ok(!status, "a product of four numbers: %s", status ? err.text : out.device);
		test_products(test_seed());
		test_widths();
		test_spread();
		test_faults();
	}
	ft_executed_clear(&out);
	(void)unlink(path);
	return done();
}
