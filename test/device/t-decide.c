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

	*w = (struct at_work){.machine.fingerprint = (char *)(uintptr_t) "0123456789abcdef"};
	if (ft_store_open(&w->store, path, 0, NULL) || ft_store_put_machine(w->store, &w->machine, NULL)) {
		printf("Bail out! no store\n");
		exit(99);
	}
	for (size_t i = 0; i < 2; i++) {
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
	for (size_t i = 0; i < 2; i++)
		ft_source_close(w->device[i].source);
	ft_decide_clear(w->device, 2);
	ft_store_close(w->store);
}

/* False: it failed. */
static bool decide(struct at_work *w, const struct ft_decide_options *options)
{
	return !ft_decide(w->store, w->device, 2, &w->machine, options, &w->report, NULL);
}

/* The powers of both, as a ranking asks for them. */
static bool power_of(void *ctx, struct ft_answerer *answerer, struct ft_power *out)
{
	const struct at_work *w = ctx;

	*out = w->device[strcmp(ft_ask_program(answerer)->device, "gpu") ? 0 : 1].power;
	return true;
}

/* The best one at a size, and whether the choice was known when it was decided. */
static const char *chosen(struct at_work *w, const struct ft_decide_options *options, double n)
{
	const struct ft_rank_options by = {.resource = options->resource,
					   .watts = options->watts,
					   .here = w->machine.id,
					   .power = power_of,
					   .ctx = w};
	const struct ft_size size = {1, {n}};
	struct ft_rank rank[FT_DEVICES_MAX];
	struct ft_ranking *ranking = NULL;
	const char *name = "none";
	size_t best = 2;

	if (!decide(w, options) || w->report.stop != FT_CHOOSER_DECIDED ||
	    ft_ranking_open(&ranking, w->store, "made", &by, NULL))
		return "undecided";
	if (!ft_ranking_at(ranking, &size, rank, &best, NULL, NULL) && best < 2)
		name = best ? "gpu" : "cpu";
	ft_ranking_close(ranking);
	return name;
}

/* The second is 15 times faster at large sizes, at 40 times the power. */
static void by_energy(struct made made[2], uint64_t seed)
{
	const struct ft_decide_options by_time = {0}, energy = {.resource = &ft_energy_j},
				       capped = {.watts = 100}, low = {.watts = 1};
	struct ft_err err = {0};
	struct at_work w;

	begin(&w, temp_path("energy.db"), made, seed);
	ok(ft_decide(w.store, w.device, 2, &w.machine, &energy, &w.report, &err) == FT_EUNAVAIL &&
		   err.remedy[0],
	   "neither meter nor powers: %s", err.text);
	for (size_t i = 0; i < 2; i++)
		w.device[i].power = (struct ft_power){.parts = 1, .part = {"all"}, .watts = {i ? 400 : 10}};
	ok(!strcmp(chosen(&w, &by_time, 60000), "gpu"), "by time it is the fast one");
	ok(!strcmp(chosen(&w, &energy, 60000), "cpu"), "by energy it is the other one");
	ok(!strcmp(chosen(&w, &capped, 60000), "cpu"), "... and within 100 W");
	ok(!strcmp(chosen(&w, &low, 60000), "none"), "within 1 W none can be chosen");
	w.device[1].power.watts[0] = 20;
	ok(!strcmp(chosen(&w, &energy, 60000), "gpu") && !strcmp(chosen(&w, &energy, 100), "cpu"),
	   "at twice the power the fast one is best by energy where it is more than twice as fast");
	end(&w);
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
	by_energy(made, seed);
	return done();
}
