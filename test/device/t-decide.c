/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-decide.c - a chooser at work on devices that are functions: what is run, stored, and left out. */
#include "families.h"
#include "tap.h"
#include "temp.h"

static double seconds_of(void *ctx, const struct ft_size *size)
{
	const struct made *made = ctx;

	return made->launch_s < 0 ? 0 : made_s(made, size->value[0]);
}

struct at_work {
	struct ft_store *store;
	struct ft_machine machine;
	struct ft_program program[2];
	struct ft_decide_device device[2];
	struct ft_decide_report report;
};

static void begin(struct at_work *w, const char *path, struct made made[2], uint64_t seed)
{
	static const char *const name[] = {"cpu", "gpu"};
	size_t i;

	*w = (struct at_work){.machine.fingerprint = (char *)(uintptr_t) "0123456789abcdef"};
	if (ft_store_open(&w->store, path, 0, NULL) || ft_store_put_machine(w->store, &w->machine, NULL)) {
		printf("Bail out! no store\n");
		exit(99);
	}
	for (i = 0; i < 2; i++) {
		w->program[i] = (struct ft_program){.name = (char *)(uintptr_t) "made",
						    .device = (char *)(uintptr_t)name[i],
						    .hash = (char *)(uintptr_t) "h",
						    .n_params = 1};
		w->program[i].param[0] = (struct ft_param){
			.name = "n", .least = FAMILY_LEAST, .most = FAMILY_MOST, .stride = 1};
		(void)ft_store_put_program(w->store, &w->program[i], NULL);
		(void)ft_source_open_oracle(&w->device[i].source, seconds_of, &made[i], 0.02, seed + i, NULL);
		w->device[i].program = &w->program[i];
	}
}

static void end(struct at_work *w)
{
	size_t i;

	for (i = 0; i < 2; i++)
		ft_source_close(w->device[i].source);
	ft_decide_clear(w->device, 2);
	ft_store_close(w->store);
}

/* False: it failed. */
static bool decide(struct at_work *w, const struct ft_decide_options *options)
{
	return !ft_decide(w->store, w->device, 2, &w->machine, options, &w->report, NULL);
}

int main(void)
{
	struct made made[2] = {{1e-5, 1e-6, 1, 0, INFINITY, 1}, {1e-3, 5e-8, 1, 0, INFINITY, 1}};
	struct made broken[2] = {made[0], {-1, 0, 1, 0, INFINITY, 1}};
	const struct ft_decide_options usual = {0}, short_one = {.budget_s = 0.002, .tolerance = 1e-6};
	volatile sig_atomic_t flag = 1;
	const struct ft_decide_options interrupted = {.interrupt = &flag};
	const char *path = temp_path("decide.db");
	uint64_t seed = test_seed();
	struct ft_runs runs = {0};
	struct at_work w;
	size_t made_now;
	bool good;

	begin(&w, path, made, seed);
	good = decide(&w, &usual);
	ok(good && w.report.stop == FT_CHOOSER_DECIDED && w.report.loss <= 0.02 && w.report.runs >= 4,
	   "decided after %zu runs, %g to be lost", w.report.runs, w.report.loss);
	made_now = w.report.runs;
	ok(!ft_store_get_runs(w.store, w.program[0].id, w.machine.id, &runs, NULL) &&
		   runs.n == w.device[0].runs && w.device[0].runs + w.device[1].runs == made_now,
	   "each run is stored, of its device");
	ft_runs_clear(&runs);
	good = decide(&w, &usual);
	ok(good && !w.report.runs && w.device[0].known + w.device[1].known == made_now,
	   "again: what is stored is enough");
	end(&w);

	begin(&w, temp_path("broken.db"), broken, seed);
	good = decide(&w, &usual);
	ok(good && w.report.stop == FT_CHOOSER_ALONE && w.device[1].gone && !w.device[0].gone,
	   "a device that cannot run is left out: %s", ft_chooser_stop_text(w.report.stop));
	ok(w.device[1].runs == w.device[1].failed && w.device[1].runs <= 3, "... after %zu runs",
	   w.device[1].runs);
	end(&w);

	begin(&w, temp_path("short.db"), made, seed);
	good = decide(&w, &short_one);
	ok(good && w.report.stop == FT_CHOOSER_BUDGET && w.report.cost_s < 0.02,
	   "a budget that is small: %g s", w.report.cost_s);
	end(&w);
	begin(&w, temp_path("interrupted.db"), made, seed);
	good = decide(&w, &interrupted);
	ok(good && w.report.interrupted && !w.report.runs, "interrupted before the first run");
	end(&w);
	return done();
}
