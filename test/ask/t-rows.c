/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-rows.c - a machine where nothing ran, and that was calibrated as this one was. */
#include "tap.h"
#include "temp.h"

#include "ask/door.h"
#include "machines-test.h"

#include <math.h>

static int64_t here;

/* What a calibration found of two machines: there it takes r times as long. */
static void calibrate(const char *name, double s, double r, int64_t other)
{
	int64_t program = add_program(name);

	add_run(program, here, 10, s, 0);
	add_run(program, other, 10, s * r, 0);
}

/* No instructions are known, and no program ran there: the two rows tell, of what the run holds. */
static void test_rows(void)
{
	static const char *const name[] = {"calibration/int_add", "calibration/real_add",
					   "calibration/branch", "calibration/load_16k",
					   "calibration/load_64m"};
	static const double ratio[] = {1, 2, 2, 4, 32};
	const struct ft_cycles none = {0}, half = {.available = 0.5};
	int64_t program = add_program("timed"), rowed = add_machine("3333333333333333", "rowed");
	struct ft_size size = {1, {400}};
	struct ft_answerer *answerer;
	struct ft_prediction p;
	struct ft_pace pace;
	struct ft_err err = {0};
	double n, ln = log(2);

	for (n = 100; n < 2000; n *= 2)
		add_run(program, here, n, 1e-6 * n, 0);
	for (size_t i = 0; i < 4; i++)
		calibrate(name[i], 1e-9 * (double)(i + 1), ratio[i], rowed);
	(void)ft_ask_open(&answerer, store, "timed", NULL, here, &err);
	ok(ft_ask_elsewhere(answerer, "rowed", &none, &err) == FT_ENOMODEL && strstr(err.remedy, "calibrate"),
	   "four micro-benchmarks are too few: %s", err.remedy);
	calibrate("calibration/page_touch", 1e-7, 2, rowed);
	calibrate(name[4], 1e-7, ratio[4], rowed);
	ok(!ft_ask_elsewhere(answerer, "rowed", &none, &err) &&
		   !ft_ask_row_ratio(answerer, &size, &pace, &err) && pace.programs == 6 &&
		   near(pace.s, exp(ln * (0 + 1 + 1 + 2 + 1 + 5) / 6), 1e-9),
	   "six tell the ratio: %g", pace.s);
	ok(!ft_ask_predict(answerer, &ft_wall_s, &size, 0.9, &p, &err) && p.level == FT_LEVEL_ROWS &&
		   near(p.value, 400e-6 * pace.s, 1e-3) && p.lower < p.value / 2 && p.upper > p.value * 2,
	   "so many times as long: %g (%g .. %g) %s", p.value, p.lower, p.upper, err.text);
	ok(!ft_ask_elsewhere(answerer, "rowed", &half, &err) &&
		   !ft_ask_row_ratio(answerer, &size, &pace, &err) &&
		   near(pace.s, 2 * exp(ln * 10 / 6), 1e-9),
	   "of half the machine twice that");
	ft_ask_close(answerer);
	for (n = 100; n < 2000; n *= 2) {
		struct ft_run run = {
			.size = {1, {n}}, .work = NAN, .load_before = NAN, .started_ns = (int64_t)n};

		(void)ft_run_add(&run, &ft_wall_s, 1e-6 * n, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, 2e6, FT_MEASURED, "test", NULL, NULL);
		(void)ft_store_add_run(store, program, here, &run, NULL);
		ft_run_clear(&run);
	}
	(void)ft_ask_open(&answerer, store, "timed", NULL, here, &err);
	ok(!ft_ask_elsewhere(answerer, "rowed", &none, &err) &&
		   !ft_ask_row_ratio(answerer, &size, &pace, &err) && pace.programs == 5 &&
		   near(pace.s, 2, 1e-9) && near(pace.spread, ln * sqrt(0.5 * 1.2), 1e-9) && pace.dof == 4,
	   "a run of 2 MB goes over no 64 MiB: %g, +- %g of %zu", pace.s, pace.spread, pace.programs);
	ft_ask_close(answerer);
}

int main(void)
{
	struct ft_err err = {0};

	if (ft_store_open(&store, temp_path("rows.db"), 0, &err))
		diag("%s", err.text);
	here = add_machine("1111111111111111", "near");
	test_rows();
	ft_store_close(store);
	temp_remove();
	return done();
}
