/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-pack.c - how many copies at once are run, and what is told of them: on made machines whose answer is
 * known. */
#include "base/alloc.h"
#include "base/random.h"
#include "build/door.h"
#include "foretime/build.h"
#include "scores.h"

/* A machine with so many processors: copies beyond them wait for each other. It grows slower with each look.
 */
struct made {
	double processors, alone_s, noise, drift, bytes;
	size_t dies; /* from so many copies on; 0: never */
	struct ft_random random;
	size_t looks, most;
};

static void make_runs(struct made *made, size_t copies, double limit_s, struct ft_runs *runs)
{
	double longer = fmax(1, (double)copies / made->processors),
	       drift = exp(made->drift * (double)made->looks);

	for (size_t i = 0; i < copies; i++) {
		struct ft_run run;
		double wall_s =
			made->alone_s * longer * drift * exp(made->noise * ft_random_normal(&made->random));
		bool dies = made->dies && copies >= made->dies && !i;

		ft_run_init(&run);
		run.outcome = dies ? FT_TIMED_OUT : FT_DONE;
		run.cost_s = dies ? limit_s : wall_s;
		if (!dies) {
			(void)ft_run_add(&run, &ft_wall_s, wall_s, FT_MEASURED, "made", NULL, NULL);
			(void)ft_run_add(&run, &ft_cpu_s, made->alone_s * drift, FT_MEASURED, "made", NULL,
					 NULL);
			(void)ft_run_add(&run, &ft_peak_tree_bytes, made->bytes, FT_MEASURED, "made", NULL,
					 NULL);
		}
		(void)ft_runs_take(runs, &run, NULL);
	}
	made->looks++;
	made->most = copies > made->most ? copies : made->most;
}

static enum ft_status pack(struct made *made, const struct ft_pack_options *options,
			   struct ft_pack_report *report)
{
	struct ft_pack *pack;
	struct ft_err err = {0};
	size_t copies;
	double limit_s;
	enum ft_status status = ft_pack_new(&pack, options, &err);

	if (status)
		return status;
	while (!status && ft_pack_ask(pack, &copies, &limit_s)) {
		struct ft_runs runs = {0};

		make_runs(made, copies, limit_s, &runs);
		status = ft_pack_tell(pack, copies, &runs, &err);
		ft_runs_clear(&runs);
	}
	if (!status)
		status = ft_pack_report(pack, report, &err);
	ft_pack_free(pack);
	return status;
}

static void test_processors(void)
{
	struct made made = {.processors = 6, .alone_s = 1, .bytes = 100};
	const struct ft_pack_options options = {.most = 16};
	struct ft_pack_report r = {0};
	bool good = pack(&made, &options, &r) == FT_OK;

	ok(good && r.stop == FT_STOP_TOLERANCE, "six processors, no noise");
	ok(r.fits == 6 && r.perhaps == 6 && r.bound == FT_PACK_SLOWER, "six copies fit: %zu", r.fits);
	ok(fabs(r.level[r.n - 1].longer.value - 16.0 / 6) < 1e-9, "sixteen take 16/6: %g",
	   r.level[r.n - 1].longer.value);
	ok(fabs(r.level[r.n - 1].work - 6) < 1e-9, "... and do the work of six");
	ok(r.resource[0].resource == &ft_wall_s && r.resource[0].holds == 6 && r.resource[0].breaks == 7,
	   "wall time adds up to six");
	ok(r.resource[1].resource == &ft_cpu_s && r.resource[1].holds == 16 && !r.resource[1].breaks,
	   "processor time adds up as far as was seen");
	ok(r.n_resources == 2, "peak memory adds nothing up");
	ok(r.level[r.n - 1].peak_bytes == 1600, "the sum of peaks is told");
}

static void test_limits(void)
{
	struct made made = {.processors = 64, .alone_s = 1, .bytes = 100};
	struct ft_pack_options options = {.most = 12};
	struct ft_pack_report r = {0};
	bool good = pack(&made, &options, &r) == FT_OK;

	ok(good && r.fits == 12 && r.bound == FT_PACK_MOST, "no more were asked for: %zu", r.fits);
	options.memory_bytes = 590;
	made.most = 0;
	good = pack(&made, &options, &r) == FT_OK;
	ok(good && r.fits == 5 && r.bound == FT_PACK_MEMORY && made.most == 5,
	   "more than memory holds are never run: %zu", made.most);
	options.memory_bytes = 0;
	options.budget_s = 4.5;
	good = pack(&made, &options, &r) == FT_OK;
	ok(good && r.stop == FT_STOP_BUDGET && r.spent_s <= options.budget_s, "within the budget: %g s",
	   r.spent_s);
	ok(r.fits == 1 && r.perhaps >= 4 && r.bound == FT_PACK_BUDGET,
	   "... where one round shows nothing, nothing is promised");
}

static void test_failures(void)
{
	struct made made = {.processors = 64, .alone_s = 1, .dies = 5};
	const struct ft_pack_options options = {.most = 32, .budget_s = 1000};
	struct ft_pack_report r = {0};
	bool good = pack(&made, &options, &r) == FT_OK;

	ok(good && r.fits == 4 && r.perhaps == 4 && r.bound == FT_PACK_FAILED,
	   "copies that hang bound it: %zu", r.fits);
	ok(made.most == 8, "... and more are not tried: %zu", made.most);
	ok(r.level[r.n - 1].outcome == FT_TIMED_OUT && isnan(r.level[r.n - 1].longer.value),
	   "... how they ended is told");
	made.dies = 1;
	ok(pack(&made, &options, &r) == FT_ENOMODEL, "one that hangs alone is no answer");
}

static void test_bounds(void)
{
	struct ft_pack_options options = {0};
	struct ft_pack *pack;
	struct ft_runs runs = {0};
	size_t copies;
	double limit_s;

	ok(ft_pack_new(&pack, &options, NULL) == FT_EINVAL && !pack, "none at once");
	options.most = 4;
	options.confidence = 1;
	ok(ft_pack_new(&pack, &options, NULL) == FT_EINVAL, "no confidence is certain");
	options.confidence = 0.9;
	ok(ft_pack_new(&pack, &options, NULL) == FT_OK && ft_pack_ask(pack, &copies, &limit_s) && copies == 1,
	   "one alone is first");
	ok(ft_pack_tell(pack, 2, &runs, NULL) == FT_EINVAL, "... and not another number");
	ok(ft_pack_tell(pack, 1, &runs, NULL) == FT_EINVAL, "... and not none");
	ft_pack_free(pack);
	ft_pack_free(NULL);
}

/* Noise of 2 % and a machine that grows slower by 2 % with each look: how often is what is promised true? */
static void test_promises(uint64_t seed)
{
	struct ft_random random = {seed};
	size_t kept = 0, exact = 0, inside = 0, intervals = 0, looks = 0;
	const size_t trials = 400;

	for (size_t i = 0; i < trials; i++) {
		size_t cores = 2 + ft_random_below(&random, 12);
		struct made made = {.processors = (double)cores,
				    .alone_s = 1,
				    .noise = 0.02,
				    .drift = 0.02,
				    .random = {ft_random_bits(&random)}};
		const struct ft_pack_options options = {.most = 24, .seed = i};
		struct ft_pack_report r = {0};

		if (pack(&made, &options, &r) != FT_OK)
			continue;
		looks += made.looks;
		kept += r.fits <= cores + cores / 10;
		exact += r.fits >= cores && r.fits <= cores + cores / 10;
		for (size_t k = 1; k < r.n; k++) {
			double truth = fmax(1, (double)r.level[k].copies / (double)cores);

			intervals++;
			inside += r.level[k].longer.lower <= truth && truth <= r.level[k].longer.upper;
		}
	}
	ok((double)kept >= 0.95 * (double)trials, "what is told to fit does, %zu of %zu (seed %llu)", kept,
	   trials, (unsigned long long)seed);
	ok((double)inside >= 0.85 * (double)intervals, "nine in ten intervals hold the truth: %zu of %zu",
	   inside, intervals);
	diag("exactly the number that fits: %zu of %zu; %.1f times some were run", exact, trials,
	     (double)looks / (double)trials);
}

static void test_memory(void)
{
	const struct ft_pack_options options = {.most = 4};
	size_t failed = 0;
	bool good = false;

	for (size_t n = 1; !good && n < 200; n++) {
		struct made made = {.processors = 2, .alone_s = 1};
		struct ft_pack_report r = {0};
		struct ft_pack *pack;

		ft_alloc_fail_at(n);
		if (ft_pack_new(&pack, &options, NULL) == FT_OK) {
			struct ft_runs runs = {0};
			size_t copies;
			double limit_s;

			good = ft_pack_ask(pack, &copies, &limit_s);
			ft_alloc_fail_at(0);
			make_runs(&made, 1, limit_s, &runs);
			ft_alloc_fail_at(n > 1 ? n - 1 : 1);
			good = ft_pack_tell(pack, 1, &runs, NULL) == FT_OK && !ft_pack_report(pack, &r, NULL);
			ft_alloc_fail_at(0);
			ft_runs_clear(&runs);
			ft_pack_free(pack);
		}
		ft_alloc_fail_at(0);
		failed += !good;
	}
	ok(good && failed, "each allocation may fail: %zu did", failed);
}

static void tell_ratio(struct test_told *told, const struct ft_pack_ratio *ratio)
{
	test_tell_all(told, (const double[]){ratio->value, ratio->lower, ratio->upper}, 3, 1);
}

/* All that is told of machines with noise and drift, by budgets, memory and levels. */
static void test_all_told(void)
{
	static const struct {
		struct made made;
		struct ft_pack_options options;
		double was;
	} rows[] = {
		{{.processors = 5, .alone_s = 2, .noise = 0.05, .bytes = 100},
		 {.most = 24, .seed = 3},
		 281.691274},
		{{.processors = 3, .alone_s = 0.5, .noise = 0.15, .drift = 0.01, .bytes = 7},
		 {.most = 9, .within = 0.2, .confidence = 0.95},
		 185.414756},
		{{.processors = 8, .alone_s = 1, .noise = 0.02, .bytes = 50},
		 {.most = 64, .memory_bytes = 990},
		 309.455112},
		{{.processors = 2, .alone_s = 1, .noise = 0.1, .bytes = 1},
		 {.most = 12, .budget_s = 60, .seed = 9},
		 174.655593},
		{{.processors = 4, .alone_s = 3, .noise = 0.03, .dies = 7},
		 {.most = 20, .timeout_s = 30},
		 176.147068},
		{{.processors = 9, .alone_s = 1, .noise = 0.3, .bytes = 9},
		 {.most = 2, .within = 0.5},
		 71.130164},
	};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct made made = rows[k].made;
		struct ft_pack_report r = {0};
		struct test_told told = {0, 0};
		char name[32];

		made.random = (struct ft_random){100 + k};
		test_tell(&told, pack(&made, &rows[k].options, &r), 1);
		for (size_t i = 0; i < r.n; i++) {
			const struct ft_pack_level *l = &r.level[i];

			tell_ratio(&told, &l->longer);
			tell_ratio(&told, &l->last);
			test_tell_all(&told,
				      (const double[]){(double)l->copies, (double)l->rounds, l->work,
						       l->work_lower, l->work_upper, l->peak_bytes,
						       (double)l->outcome},
				      7, 1);
		}
		for (size_t i = 0; i < r.n_resources; i++) {
			test_tell_text(&told, r.resource[i].resource->name);
			tell_ratio(&told, &r.resource[i].most);
			test_tell(&told, (double)(r.resource[i].holds + 100 * r.resource[i].breaks), 1);
		}
		test_tell_all(&told,
			      (const double[]){r.alone_s, r.alone_bytes, (double)r.fits, (double)r.perhaps,
					       (double)r.best, (double)r.bound, (double)r.stop, r.spent_s},
			      8, 1);
		(void)snprintf(name, sizeof name, "machine %zu", k + 1);
		test_told(name, &told, rows[k].was);
	}
}

int main(void)
{
	test_processors();
	test_limits();
	test_failures();
	test_bounds();
	test_promises(test_seed());
	test_memory();
	test_all_told();
	return done();
}
