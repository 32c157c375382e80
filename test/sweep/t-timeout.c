/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-timeout.c - builds with a time limit that single runs meet: the size is repeated, unless most runs do. */
#include "steps.h"

/* 1 ms each: 400 ms at n=400. */
static double linear(double x)
{
	return 1e-3 * x;
}

static const char *path;

/* Builds n=100:most, and asks the model of the wall time at n=400. Returns its value; NaN: none. */
static double build(const char *method, double timeout_s, double most, size_t *at_400, size_t *beyond)
{
	struct fake_source source = make_fake(linear, no_bytes);
	struct ft_sweep_options options = options_of(
		method, (struct ft_sweep_options){.budget_s = 60, .timeout_s = timeout_s, .seed = 1});
	struct ft_sweep_report report = {0};
	struct ft_model *model = NULL;
	struct ft_prediction p = {.value = NAN};
	struct bench b;

	source.noise = 0.3;
	(void)remove(path);
	use(&b, path, 1, &source);
	b.program.param[0].least = 100;
	b.program.param[0].most = most;
	b.program.param[0].stride = 10;
	if (ft_sweep_run(b.store, &b.program, &b.machine, b.source, &options, &report, &b.err))
		diag("%s", b.err.text);
	struct ft_runs runs = stored(&b);
	for (size_t i = 0; i < runs.n; i++) {
		*at_400 += runs.run[i].size.value[0] == 400;
		*beyond += runs.run[i].size.value[0] >= 1200;
	}
	if (!ft_model_fit_runs(&model, &b.program, &runs, &ft_wall_s, &(struct ft_size){1, {0}}, NULL,
			       &b.err))
		(void)ft_model_predict(model, &(struct ft_size){1, {400}}, 1, 0.9, &p, NULL);
	else
		diag("%s", b.err.text);
	diag("%s to %g: %zu runs, %zu met a limit, %zu at 400: %.3g (%.3g .. %.3g)", method, most, runs.n,
	     model ? ft_model_facts(model)->limits.runs : 0, *at_400, p.value, p.lower, p.upper);
	ft_model_free(model);
	ft_runs_clear(&runs);
	ft_sweep_report_clear(&report);
	leave(&b);
	return p.value;
}

int main(void)
{
	static const char *const methods[] = {"adaptive", "gbbp", "naive"};
	size_t at_400, beyond;

	path = temp_path("timeout.db");
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		double value = build(methods[i], 0.45, 400, &at_400, &beyond);
		ok(value > 0.34 && value < 0.47 && at_400 > 1,
		   "%s: a third of runs meet a limit of 450 ms: %.3g s, of 0.4", methods[i], value);
		value = build(methods[i], 0.45, 3000, &at_400, &beyond);
		ok(value > 0.3 && value < 0.7 && beyond <= 24,
		   "%s: sizes of many limits are given up after few runs (%zu)", methods[i], beyond);
	}
	temp_remove();
	return done();
}
