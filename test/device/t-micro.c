/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/random.h"
#include "device/door.h"
#include "foretime/device.h"
#include "num/num.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

enum { LAUNCHES = 128 };

/* Each micro-kernel does most of what it is there for: more than any other but operations on integers and
 * jumps, which its loop needs. */
static void test_shows(const struct ft_timed_launch *row, size_t n)
{
	struct ft_micro_launch launch;
	bool shown[FT_RATES] = {false};

	for (size_t i = 0; i < n; i++) {
		(void)ft_micro_launch_get(i, &launch);
		if (launch.rate < FT_RATES && row[i].amount[launch.rate] >= (double)launch.global[0])
			shown[launch.rate] = true;
	}
	for (size_t j = FT_RATE_ITEM; j < FT_RATES; j++)
		ok(shown[j] == (j != FT_RATE_F16), "%s kernel shows the rate %s",
		   j == FT_RATE_F16 ? "no" : "a", ft_rate_name(j));
}

/* Devices whose rates are known, on what the kernels really do. */
static void test_found(struct ft_timed_launch *row, size_t n)
{
	struct ft_random random = {test_seed()};
	double rate[FT_RATES], off[50 * FT_RATES];
	struct ft_rates rates;
	size_t device, found = 0;

	for (device = 0; device < 50; device++) {
		rate[FT_RATE_LAUNCH] = 1e-6 * pow(100, ft_random_uniform(&random));
		for (size_t j = 1; j < FT_RATES; j++)
			rate[j] = 1e-11 * pow(100, ft_random_uniform(&random));
		for (size_t i = 0; i < n; i++) {
			row[i].seconds = 0;
			for (size_t j = 0; j < FT_RATES; j++)
				row[i].seconds += rate[j] * row[i].amount[j];
		}
		if (ft_rates_fit(&rates, row, n, NULL, NULL))
			break;
		for (size_t j = 0; j < FT_RATES; j++)
			if (j != FT_RATE_F16)
				off[found++] = fabs(rates.rate[j].seconds / rate[j] - 1);
	}
	ok(device == 50 && ft_stats_quantile(off, found, 1) < 1e-3,
	   "the kernels tell all rates apart: %.1e at most", found ? ft_stats_quantile(off, found, 1) : NAN);
}

/* Other processes read the kernels while the file is open. */
static void test_file(void)
{
	char path[FT_MICRO_PATH], command[FT_MICRO_PATH + 64];
	int fd;

	if (!ok(!ft_micro_file(&fd, path, NULL), "the kernels are a file"))
		return;
	(void)snprintf(command, sizeof command, "test $(grep -c '^__kernel void' %s) = 18", path);
	ok(!system(command), "another process finds 18 kernels there");
	(void)close(fd);
	ok(access(path, R_OK) != 0, "and none once it is closed");
}

int main(void)
{
	static struct ft_timed_launch row[LAUNCHES];
	size_t n = ft_micro_launches();
	struct ft_err err = {0};

	test_file();
	if (test_quick())
		return done();
	enum ft_status status = ft_micro_count(row, &err);
	if (status == FT_EUNAVAIL) {
		skip("what micro-kernels do", err.text);
	} else if (ok(!status, "all launches are counted: %s", err.text)) {
		test_shows(row, n);
		test_found(row, n);
	}
	return done();
}
