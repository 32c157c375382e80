/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-doubt.c - far from what was run a model is believed less, at a run as it says. */
#include "device/device.h"
#include "tap.h"

#include <math.h>

static double error_at(double n, double m, size_t axes, size_t n_runs)
{
	static const struct ft_size run[] = {{2, {64, 64}}, {2, {4096, 64}}};
	static const size_t axis[] = {0, 1};
	const struct ft_size size = {2, {n, m}};
	struct ft__apart apart;

	ft__apart_begin(&apart, &size, axis, axes);
	for (size_t i = 0; i < n_runs; i++)
		ft__apart_run(&apart, &run[i]);
	return ft__doubted(&apart, 0.03);
}

int main(void)
{
	double between = error_at(512, 64, 1, 2);

	ok(error_at(64, 64, 1, 2) == 0.03 && error_at(4096, 64, 1, 2) == 0.03, "at a run the model's own");
	ok(error_at(128, 64, 1, 2) > 0.03 && between > error_at(128, 64, 1, 2), "more between two");
	ok(fabs(between - error_at(32768, 64, 1, 2)) < 1e-12 && fabs(between - error_at(8, 64, 1, 2)) < 1e-12,
	   "as much beyond both ends, so far from them");
	ok(between > 0.3 && between < 1, "three doublings from any run: %g", between);
	ok(error_at(64, 512, 1, 2) == 0.03 && fabs(error_at(64, 512, 2, 2) - between) < 1e-12,
	   "of two parameters the other one counts where it is one of the models'");
	ok(error_at(512, 512, 2, 2) > between, "... and both more than one");
	ok(error_at(512, 512, 2, 0) == 0.03, "without any run nothing is added");
	ok(error_at(0, 64, 1, 2) == 0.03, "a size without a logarithm, nothing");
	return done();
}
