/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/random.h"
#include "foretime/rates.h"
#include "measure/opencl_time.h"
#include "num/stats.h"
#include "tap.h"

enum { LAUNCHES = 128 };

/* Each micro-kernel does most of what it is there for: more than any other but operations on integers and
 * jumps, which its loop needs. */
static void test_shows(const struct ft_timed_launch *row, size_t n)
{
	struct ft_micro_launch launch;
	bool shown[FT_RATES] = {false};
	size_t i, j;

	for (i = 0; i < n; i++) {
		(void)ft_micro_launch_get(i, &launch);
		if (launch.rate < FT_RATES && row[i].amount[launch.rate] >= (double)launch.global[0])
			shown[launch.rate] = true;
	}
	for (j = FT_RATE_ITEM; j < FT_RATES; j++)
		ok(shown[j] == (j != FT_RATE_F16), "%s kernel shows the rate %s",
		   j == FT_RATE_F16 ? "no" : "a", ft_rate_name(j));
}

/* Devices whose rates are known, on what the kernels really do. */
static void test_found(struct ft_timed_launch *row, size_t n)
{
	struct ft_random random = {test_seed()};
	double rate[FT_RATES], off[50 * FT_RATES];
	struct ft_rates rates;
	size_t i, j, device, found = 0;

	for (device = 0; device < 50; device++) {
		rate[FT_RATE_LAUNCH] = 1e-6 * pow(100, ft_random_uniform(&random));
		for (j = 1; j < FT_RATES; j++)
			rate[j] = 1e-11 * pow(100, ft_random_uniform(&random));
		for (i = 0; i < n; i++) {
			row[i].seconds = 0;
			for (j = 0; j < FT_RATES; j++)
				row[i].seconds += rate[j] * row[i].amount[j];
		}
		if (ft_rates_fit(&rates, row, n, NULL, NULL))
			break;
		for (j = 0; j < FT_RATES; j++)
			if (j != FT_RATE_F16)
				off[found++] = fabs(rates.rate[j].seconds / rate[j] - 1);
	}
	ok(device == 50 && ft_stats_quantile(off, found, 1) < 1e-3,
	   "the kernels tell all rates apart: %.1e at most", found ? ft_stats_quantile(off, found, 1) : NAN);
}

/* On a device of OpenCL, where there is one. */
static void test_runs(void)
{
	struct ft_opencl_job job[3] = {{"nothing", {64, 1}, {64, 1}, 64, 1, 0, 0, ""},
				       {"f32", {1024, 1}, {64, 1}, 1024, 1000, 0, 0, ""},
				       {"f32", {1024, 1}, {48, 1}, 1024, 1, 0, 0, ""}};
	struct ft_err err = {0};
	enum ft_status status = ft_opencl_time("opencl:0", ft_micro_kernels(), job, 3, 5, 120, &err);

	if (status == FT_EUNAVAIL || status == FT_EINVAL) {
		skip("launches on a device", err.text);
		return;
	}
	ok(!status && job[0].seconds >= 0 && job[1].seconds > 0, "launches are timed: %s", err.text);
	ok(isnan(job[2].seconds) && strstr(job[2].why, "the launch failed"), "groups that do not divide: %s",
	   job[2].why);
	status = ft_opencl_time("opencl:0",
				"__kernel void nothing(__global float *a, int n)\n"
				"{ ((volatile __global int *)0)[n] = 1; }",
				job, 1, 1, 60, &err);
	ok(status == FT_EIO || job[0].why[0], "a driver that crashes takes nothing along: %s", err.text);
	ok(ft_opencl_time("opencl:0", "__kernel void f(__global float *a, int n) { a[0] = nope; }", job, 1, 1,
			  60, &err) == FT_EPARSE &&
		   strstr(err.text, "nope"),
	   "what does not compile is told in the compiler's words: %.60s", err.text);
}

static void test_refused(void)
{
	struct ft_opencl_job job = {"nothing", {64, 1}, {64, 1}, 64, 1, 0, 0, ""};
	struct ft_err err = {0};
	enum ft_status status;

	ok(ft_opencl_time("gpu", "", &job, 1, 1, 10, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_opencl_time("opencl:0", "", &job, 1, 0, 10, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_opencl_time("opencl:0", "", &job, 1, 1, 0, &err) == FT_EIO, "no time at all: %s", err.text);
	status = ft_opencl_time("opencl:99", "", &job, 1, 1, 60, &err);
	ok(status == FT_EINVAL || status == FT_EUNAVAIL, "device 99: %s", err.text);
}

int main(void)
{
	static struct ft_timed_launch row[LAUNCHES];
	size_t n = ft_micro_launches();
	struct ft_err err = {0};
	enum ft_status status;

	test_refused();
	if (test_quick())
		return done();
	status = ft_micro_count(row, &err);
	if (status == FT_EUNAVAIL) {
		skip("what micro-kernels do", err.text);
	} else if (ok(!status, "all launches are counted: %s", err.text)) {
		test_shows(row, n);
		test_found(row, n);
	}
	test_runs();
	return done();
}
