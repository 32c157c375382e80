/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-largest.c - the largest size that fits, beside a scan over every size. */
#include "tap.h"
#include "temp.h"

#include "ask/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"
#include "store/door.h"

#include <math.h>

static struct ft_store *store;
static int64_t machine;

/* ---- programs in the store ---------------------------------------------------------------------------- */

static int64_t add_program(const char *name, const char *range, const char *work)
{
	struct ft_program p = {
		.name = strdup(name), .hash = strdup(""), .work = work ? strdup(work) : NULL, .n_params = 2};
	int64_t id;

	(void)ft_param_parse(range, &p.param[0], NULL);
	(void)ft_param_parse("m=1", &p.param[1], NULL);
	if (ft_store_put_program(store, &p, NULL))
		diag("cannot store '%s'", name);
	id = p.id;
	ft_program_clear(&p);
	return id;
}

static void add_run(int64_t program, double n, double m, double seconds, double bytes,
		    enum ft_outcome outcome)
{
	struct ft_run run = {.size = {.n = 2, .value = {n, m}}, .outcome = outcome, .work = NAN};

	if (outcome == FT_DONE) {
		(void)ft_run_add(&run, &ft_wall_s, seconds, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, bytes, FT_MEASURED, "test", NULL, NULL);
	}
	(void)ft_store_add_run(store, program, machine, &run, NULL);
	ft_run_clear(&run);
}

static struct ft_answerer *open_models(const char *name)
{
	struct ft_answerer *models;
	struct ft_err err = {0};

	if (ft_ask_open(&models, store, name, NULL, machine, &err))
		diag("%s", err.text);
	return models;
}

static struct ft_limit limit_of(const struct ft_resource *resource, double most)
{
	struct ft_limit limit = {.most = most};

	limit.resource = resource;
	return limit;
}

static const struct ft_size one = {.n = 2, .value = {0, 1}};

/* ---- examples ------------------------------------------------------------------------------------------ */

static bool fits(struct ft_answerer *models, const struct ft_limit *limit, size_t n, double x,
		 double confidence)
{
	struct ft_size size = {.n = 2, .value = {x, 1}};
	struct ft_prediction p;

	for (size_t i = 0; i < n; i++)
		if (ft_ask_predict(models, limit[i].resource, &size, 2 * confidence - 1, &p, NULL) ||
		    p.upper > limit[i].most)
			return false;
	return true;
}

static bool typically_fits(struct ft_answerer *models, const struct ft_limit *limit, size_t n, double x)
{
	struct ft_size size = {.n = 2, .value = {x, 1}};
	struct ft_prediction p;

	for (size_t i = 0; i < n; i++)
		if (ft_ask_predict(models, limit[i].resource, &size, 0.8, &p, NULL) ||
		    p.value > limit[i].most)
			return false;
	return true;
}

static void test_examples(void)
{
	int64_t cube = add_program("cube", "n=100:1000", "n^3");
	struct ft_limit both[2] = {limit_of(&ft_wall_s, 0.3), limit_of(&ft_peak_rss_bytes, 2e6)};
	struct ft_largest answer;
	double n;

	for (n = 100; n <= 1000; n += 100)
		for (int i = 0; i < 3; i++)
			add_run(cube, n, 1, n * n * n * 1e-9 * (1 + 0.01 * (i - 1)), 1e6 + 8 * n * n,
				FT_DONE);
	struct ft_answerer *models = open_models("cube");

	ok(!ft_ask_largest(models, both, 1, &one, 0, 0.9, &answer, NULL) && answer.kind == FT_LARGEST_FOUND,
	   "time alone");
	ok(answer.size.value[0] > 640 && answer.size.value[0] < 669,
	   "0.3 s hold a little less than n=669: %g", answer.size.value[0]);
	ok(both[0].binds && both[0].at.upper <= 0.3 && both[0].at.value > 0.27 && both[0].at.distance == 1,
	   "the limit binds, and the upper end keeps it");
	ok(answer.next == answer.size.value[0] + 1 && isnan(answer.again) && isnan(answer.killed),
	   "the next size is over it, and larger ones too");

	enum ft_status status = ft_ask_largest(models, both, 2, &one, 0, 0.9, &answer, NULL);
	ok(!status && !both[0].binds && both[1].binds && answer.size.value[0] > 330 &&
		   answer.size.value[0] <= 353,
	   "of two limits memory binds: %g", answer.size.value[0]);

	both[0].most = 1000;
	status = ft_ask_largest(models, both, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.size.value[0] > 3000 && answer.size.value[0] < 10000 &&
		   both[0].at.basis == FT_BASIS_BEYOND &&
		   near(both[0].at.distance, answer.size.value[0] / 1000, 1e-12),
	   "beyond the data: %g, said so", answer.size.value[0]);
	n = answer.size.value[0];
	ok(!ft_ask_largest(models, both, 1, &one, 0, 0.99, &answer, NULL) && answer.size.value[0] < n,
	   "more confidence, a smaller size");

	both[0].most = 0.0005;
	ok(!ft_ask_largest(models, both, 1, &one, 0, 0.9, &answer, NULL) && answer.kind == FT_LARGEST_NONE &&
		   answer.size.value[0] == 100 && both[0].binds && both[0].at.upper > 0.0005,
	   "not even the smallest");
	both[0].most = 0;
	ok(ft_ask_largest(models, both, 1, &one, 0, 0.9, &answer, NULL) == FT_EINVAL, "a limit of nothing");
	both[0].most = 1;
	ok(ft_ask_largest(models, both, 1, &one, 0, 0.6, &answer, NULL) == FT_EINVAL,
	   "a confidence that cannot be had");
	both[0] = limit_of(&ft_energy_j, 1);
	ok(ft_ask_largest(models, both, 1, &one, 0, 0.9, &answer, NULL) == FT_ENOENT,
	   "a resource not measured");
	ok(ft_ask_largest(models, both + 1, 1, &(struct ft_size){.n = 2, .value = {0, 7}}, 0, 0.9, &answer,
			  NULL) == FT_ENOMODEL,
	   "no runs at m=7");
	ft_ask_close(models);
}

static void test_flat(void)
{
	int64_t flat = add_program("flat", "n=100:1000", NULL);
	struct ft_limit limit[2] = {limit_of(&ft_peak_rss_bytes, 8e9), limit_of(&ft_wall_s, 60)};
	struct ft_largest answer;

	for (double n = 100; n <= 1000; n += 100)
		add_run(flat, n, 1, 1 / n, 3e6 + 8 * n, FT_DONE);
	struct ft_answerer *models = open_models("flat");
	ok(!ft_ask_largest(models, limit, 2, &one, 0, 0.9, &answer, NULL) && answer.kind == FT_LARGEST_ANY &&
		   !limit[0].grows && !limit[1].grows,
	   "flat memory and falling time limit nothing");
	ok(answer.size.value[0] == 1000 && limit[0].at.value > 3e6, "the largest size measured is told");
	limit[0].most = 3.1e6;
	ok(!ft_ask_largest(models, limit, 1, &one, 0, 0.9, &answer, NULL) &&
		   answer.kind == FT_LARGEST_FOUND && answer.size.value[0] > 1000 &&
		   limit[0].at.distance < 10,
	   "but a limit just above it is kept, as far as the interval goes");
	ft_ask_close(models);
}

/* Time falls by a step at 600: smaller sizes are slower. */
static void test_again(void)
{
	int64_t hump = add_program("hump", "n=100:1000:100", NULL);
	struct ft_limit limit = limit_of(&ft_wall_s, 1);
	struct ft_largest answer;

	for (double n = 100; n <= 1000; n += 100)
		for (int i = 0; i < 3; i++)
			add_run(hump, n, 1, n == 400 || n == 500 ? 2 : n > 900 ? 3 : 0.5, 1e6, FT_DONE);
	struct ft_answerer *models = open_models("hump");
	ok(!ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL) && answer.size.value[0] == 300 &&
		   answer.next == 400 && answer.again == 600 && answer.last == 900,
	   "a hump: up to 300 all fit, and again from 600 to 900");
	ft_ask_close(models);
}

/* What an allocator that reserves twice as much each time holds for n pieces of 64 kB. */
static double reserved(double n)
{
	double bytes = 256e3;

	while (bytes < n * 64e3)
		bytes *= 2;
	return bytes;
}

/* Between its last two measured steps nothing is certain; the measured size above fits all the same. */
static void test_staircase(void)
{
	static const double at[] = {16,  60,   66,   120,  131,  250,  260,  500,
				    518, 1000, 1040, 1400, 2000, 2100, 3000, 4000};
	int64_t steps = add_program("steps", "n=16:4096", NULL);
	struct ft_limit limit = limit_of(&ft_peak_rss_bytes, 400e6);
	struct ft_largest answer;

	for (size_t i = 0; i < sizeof at / sizeof *at; i++)
		for (int k = 0; k < 3; k++)
			add_run(steps, at[i], 1, 0.1, reserved(at[i]) + 2e3 * k, FT_DONE);
	struct ft_answerer *models = open_models("steps");
	ok(!ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL) &&
		   answer.kind == FT_LARGEST_FOUND && answer.size.value[0] >= 4000 &&
		   reserved(answer.size.value[0]) <= limit.most,
	   "a pool that doubles: %g, uncertain from %g to %g", answer.size.value[0], answer.uncertain,
	   answer.uncertain_to);
	ft_ask_close(models);
}

static void test_strides(void)
{
	int64_t odd = add_program("odd", "n=16:1000:64", "n");
	struct ft_limit limit = limit_of(&ft_wall_s, 0.98);
	struct ft_largest answer;

	for (double n = 16; n <= 976; n += 96)
		add_run(odd, n, 1, n * 1e-3, 1e6, FT_DONE);
	add_run(odd, 1000, 1, 1, 1e6, FT_DONE);
	struct ft_answerer *models = open_models("odd");
	enum ft_status status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && fmod(answer.size.value[0] - 16, 64) == 0 && answer.size.value[0] < 976,
	   "only sizes of the stride: %g", answer.size.value[0]);
	limit.most = 1.03;
	status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.size.value[0] == 1000 && answer.next == 1040,
	   "and the end of the range: %g, then %g", answer.size.value[0], answer.next);
	ft_ask_close(models);
}

/* Sizes of a progression, on behind its end; of a list, none behind it. */
static void test_spaces(void)
{
	int64_t grown = add_program("grown", "n=16:1024:*2", "n"),
		listed = add_program("listed", "n=16,24,100,1000", "n");
	struct ft_limit limit = limit_of(&ft_wall_s, 0.3);
	struct ft_largest answer;

	for (double n = 16; n <= 1024; n *= 2)
		add_run(grown, n, 1, n * 1e-3, 1e6, FT_DONE);
	for (double n = 16; n <= 400; n *= 1.5)
		add_run(listed, n, 1, n * 1e-3, 1e6, FT_DONE);
	struct ft_answerer *models = open_models("grown");
	enum ft_status status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.size.value[0] == 256 && answer.next == 512, "a power: %g, then %g",
	   answer.size.value[0], answer.next);
	limit.most = 5;
	status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.size.value[0] == 4096 && answer.next == 8192,
	   "which goes on behind its end: %g, then %g", answer.size.value[0], answer.next);
	ft_ask_close(models);
	models = open_models("listed");
	limit.most = 0.3;
	status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.size.value[0] == 100 && answer.next == 1000 && !answer.by_list,
	   "a listed size: %g, then %g", answer.size.value[0], answer.next);
	limit.most = 500;
	status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.kind == FT_LARGEST_FOUND && answer.size.value[0] == 1000 && answer.by_list &&
		   isnan(answer.next),
	   "none behind the last");
	limit.most = 0.001;
	status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.kind == FT_LARGEST_NONE && answer.next == 16, "nor does the first one fit");
	ft_ask_close(models);
	add_run(listed, 5000, 1, 0, 0, FT_OUT_OF_MEMORY);
	add_run(listed, 500, 1, 0, 0, FT_OUT_OF_MEMORY);
	models = open_models("listed");
	limit.most = 500;
	status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.size.value[0] == 100 && answer.next == 1000 && answer.by_kill,
	   "below a size that was killed");
	ft_ask_close(models);
}

/* Sizes of data are what they are: tenths, thirds, 1e-9 beside 1e5, 1e19. Of random tables, no size that was
 * measured, and up to which all fit, lies above the answer. */
static void test_measured(void)
{
	static const char *const kind[] = {"tenths", "any", "wide", "huge", "tiny", "whole and halves"};
	struct ft_random r = {test_seed() + 11};
	int i, cases = test_long_cases(24), above = 0, query = 0;
	int64_t dt = add_program("dt", "n", NULL);
	struct ft_limit limit = limit_of(&ft_wall_s, 3.5);
	struct ft_largest answer;

	for (i = 1; i <= 5; i++)
		add_run(dt, i / 10., 1, i, 1e6, FT_DONE);
	struct ft_answerer *models = open_models("dt");
	ok(!ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL) && answer.size.value[0] == 0.3 &&
		   answer.next == 0.4 && limit.at.distance == 1,
	   "0.1 to 0.5 s to s: %g, then %g", answer.size.value[0], answer.next);
	ft_ask_close(models);
	for (i = 0; i < cases; i++) {
		double size[12], power = 0.3 + 2 * ft_random_uniform(&r), largest = 0;
		char name[32];
		int k, n = 3 + (int)ft_random_below(&r, 10), q;

		(void)snprintf(name, sizeof name, "measured%d", i);
		int64_t program = add_program(name, "n", NULL);
		for (k = 0; k < n; k++) {
			double u = ft_random_uniform(&r);

			size[k] = i % 6 == 0   ? ceil(100 * u) / 10
				  : i % 6 == 1 ? u / 3
				  : i % 6 == 2 ? pow(10, -9 + 14 * u)
				  : i % 6 == 3 ? floor(1e19 * u)
				  : i % 6 == 4 ? 1e-20 * u
					       : ceil(40 * u) / 2;
			largest = fmax(largest, size[k]);
		}
		for (k = 0; k < n; k++)
			add_run(program, size[k], 1, pow(size[k] / largest, power), 1e6, FT_DONE);
		models = open_models(name);
		for (q = 0; q < 8; q++) {
			double best = -1, ends = INFINITY;

			limit.most = 1.2 * pow(size[ft_random_below(&r, (uint64_t)n)] / largest, power);
			if (ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL))
				continue;
			for (k = 0; k < n; k++) {
				struct ft_size at = {2, {size[k], 1}};
				struct ft_prediction p;

				if (ft_ask_predict(models, &ft_wall_s, &at, 0.8, &p, NULL) ||
				    p.upper > limit.most)
					ends = fmin(ends, size[k]);
			}
			for (k = 0; k < n; k++)
				best = size[k] < ends ? fmax(best, size[k]) : best;
			/* Between measured sizes one may not fit: then the answer lies below it, and so do
			 * those measured above. */
			if (answer.next < best && answer.kind != FT_LARGEST_ANY)
				continue;
			query++;
			if (answer.kind != FT_LARGEST_ANY &&
			    (answer.kind == FT_LARGEST_NONE ? best >= 0 : answer.size.value[0] < best)) {
				diag("%s: %.17g answered, %.17g fits, next %.17g", kind[i % 6],
				     answer.kind == FT_LARGEST_NONE ? 0 : answer.size.value[0], best,
				     answer.next);
				above++;
			}
		}
		ft_ask_close(models);
	}
	ok(query > 3 * cases && !above, "%d answers: %d measured sizes above them fit", query, above);
}

static void test_killed(void)
{
	int64_t big = add_program("big", "n=100:100000", NULL);
	struct ft_limit limit = limit_of(&ft_wall_s, 1e3);
	struct ft_largest answer;

	add_run(big, 500, 1, 0, 0, FT_OUT_OF_MEMORY);
	for (double n = 100; n <= 1000; n += 100)
		add_run(big, n, 1, n * 1e-3, 1e6, FT_DONE);
	add_run(big, 5000, 1, 0, 0, FT_OUT_OF_MEMORY);
	add_run(big, 4000, 1, 0, 0, FT_OUT_OF_MEMORY);
	add_run(big, 2000, 2, 0, 0, FT_OUT_OF_MEMORY);
	struct ft_answerer *models = open_models("big");
	enum ft_status status = ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
	ok(!status && answer.killed == 4000 && answer.by_kill && answer.size.value[0] == 3999,
	   "a run that was killed for memory bounds the sizes: %g", answer.size.value[0]);
	ok(!limit.binds, "and the limit does not bind");
	limit.most = 0.5;
	ok(!ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL) && !answer.by_kill &&
		   limit.binds && answer.size.value[0] < 500,
	   "unless a limit comes first");
	ft_ask_close(models);
}

/* ---- random models beside a scan ----------------------------------------------------------------------- */

/* A curve of some shape: a power law with steps, humps and noise. */
static void add_random_runs(int64_t program, struct ft_random *r, double least, double most, double stride)
{
	size_t knots = 1 + ft_random_below(r, 12), k;
	double p = 3 * ft_random_uniform(r) - 0.5, noise = 0.2 * ft_random_uniform(r), c = 0.01;
	double step_at = least + (most - least) * ft_random_uniform(r), step = exp(ft_random_normal(r));

	for (k = 0; k < knots; k++) {
		double share = ft_random_uniform(r), x = least + (most - least) * share * share;
		size_t runs = 1 + ft_random_below(r, 4);

		x = least + stride * floor((x - least) / stride);
		while (runs--) {
			double t = c * pow(x / least, p) * (x > step_at ? step : 1) *
				   exp(noise * ft_random_normal(r));

			add_run(program, x, 1, t, 1e6 + 1e3 * x * exp(0.1 * noise * ft_random_normal(r)),
				FT_DONE);
		}
	}
}

static void test_random(void)
{
	static const char *const works[] = {NULL, "n", "n^3", "n*log2(n+1)"};
	int cases = test_long_cases(150), c, wrong = 0, kinds[3] = {0}, again = 0, beyond = 0, passed = 0;
	uint64_t seed = test_seed();

	for (c = 0; c < cases && wrong < 5; c++) {
		struct ft_random r = {seed + (uint64_t)c};
		double least = 1 + (double)ft_random_below(&r, 100),
		       stride = 1 + (double)ft_random_below(&r, 40);
		double most = least + stride * (double)(2 + ft_random_below(&r, 400)) +
			      (double)ft_random_below(&r, 9);
		double confidence = 0.75 + 0.24 * ft_random_uniform(&r), x, last = NAN, again_at = NAN,
		       end = 0;
		struct ft_limit limit[2] = {
			limit_of(&ft_wall_s, 0.02 * exp(1.5 + 2 * ft_random_normal(&r))),
			limit_of(&ft_peak_rss_bytes, 3e6 * exp(1 + ft_random_normal(&r)))};
		size_t n = 1 + ft_random_below(&r, 2), i;
		struct ft_largest answer;
		char name[32], range[64];
		bool good, good_below = true;

		(void)snprintf(name, sizeof name, "random%d", c);
		(void)snprintf(range, sizeof range, "n=%g:%g:%g", least, most, stride);
		add_random_runs(add_program(name, range, works[ft_random_below(&r, 4)]), &r, least, most,
				stride);
		struct ft_answerer *models = open_models(name);
		if (!models || ft_ask_largest(models, limit, n, &one, 0, confidence, &answer, NULL)) {
			ok(false, "an answer, seed %llu", (unsigned long long)seed + (unsigned)c);
			break;
		}
		kinds[answer.kind]++;
		for (i = 0; i < ft_ask_runs(models)->n; i++)
			end = fmax(end, ft_ask_runs(models)->run[i].size.value[0]);

		/* The scan: the stride's sizes and `most`, until something does not fit and fits again. What the
		 * answer calls uncertain may not fit, but a typical run does, and it lies between measured sizes
		 * that fit. */
		for (i = 0, x = least; x <= fmax(3 * end, 3 * most); i++) {
			double next = least + stride * (double)(i + 1);
			bool fit = fits(models, limit, n, x, confidence);

			if (!fit && x >= answer.uncertain && x <= answer.uncertain_to) {
				good_below &= typically_fits(models, limit, n, x);
				fit = true;
				passed++;
			}
			if (fit && !isnan(last) && isnan(again_at))
				again_at = x;
			if (!fit && isnan(last))
				last = x;
			if (x < most && next > most && most < next) {
				if (fits(models, limit, n, most, confidence)) {
					if (!isnan(last) && isnan(again_at))
						again_at = most;
				} else if (isnan(last)) {
					last = most;
				}
			}
			x = next;
		}
		if (isnan(last))
			good = answer.kind == FT_LARGEST_ANY || answer.next > fmax(3 * end, 3 * most);
		else if (last > 10 * end && !(limit[0].grows && (n == 1 || limit[1].grows)))
			good = answer.next >= last ||
			       answer.kind == FT_LARGEST_ANY; /* of a flat one, the interval */
		else
			good = answer.next == last && (answer.kind == FT_LARGEST_NONE) == (last == least) &&
			       (isnan(again_at)
					? isnan(answer.again) || answer.again > fmax(3 * end, 3 * most)
					: answer.again == again_at);
		good &= good_below;
		again += !isnan(again_at);
		beyond += answer.kind == FT_LARGEST_FOUND && answer.size.value[0] > end;
		if (!good) {
			wrong++;
			diag("seed %llu: %s, %zu limits, confidence %.3f: next %g, scanned %g; again %g, "
			     "scanned %g",
			     (unsigned long long)seed + (unsigned)c, range, n, confidence, answer.next, last,
			     answer.again, again_at);
		}
		ft_ask_close(models);
	}
	diag("found %d (beyond the data %d), none %d, any %d; again %d; uncertain sizes %d",
	     kinds[FT_LARGEST_FOUND], beyond, kinds[FT_LARGEST_NONE], kinds[FT_LARGEST_ANY], again, passed);
	ok(!wrong && again && beyond && kinds[FT_LARGEST_NONE],
	   "%d random models answer as a scan of every size does", cases);
}

/* Multiples of 8 take longer, as the model knows: the size before one of them is the largest that fits. */
static void test_fine(void)
{
	int64_t id = add_program("fine", "n=100:4000", "n^2");
	struct ft_random r = {test_seed()};
	int c, k, wrong = 0, cases = test_long_cases(20), by_tooth = 0;
	const struct ft_model_record *record = NULL;

	for (k = 0; k < 60; k++) {
		double n = 100 + (double)ft_random_below(&r, 3900);

		n = k % 2 ? 8 * floor(n / 8) : n;
		add_run(id, n, 1, n * n * 1e-7 * (fmod(n, 8) == 0 ? 1.4 : 1), 1e6, FT_DONE);
	}
	struct ft_answerer *models = open_models("fine");
	ok(!ft_ask_model(models, &ft_wall_s, &one, &record, NULL) && ft_model_facts(record->model)->n_fine,
	   "fine structure is known");
	for (c = 0; c < cases; c++) {
		struct ft_limit limit = limit_of(&ft_wall_s, pow(10, -3 + 4 * ft_random_uniform(&r)));
		struct ft_largest answer = {0};
		double n = 100, again;

		while (n < 12000 && fits(models, &limit, 1, n, 0.9))
			n++;
		for (again = n + 1; again < 12000 && !fits(models, &limit, 1, again, 0.9);)
			again++;
		(void)ft_ask_largest(models, &limit, 1, &one, 0, 0.9, &answer, NULL);
		by_tooth += fmod(n, 8) == 0 && again == n + 1;
		if (answer.next != n || (again < 12000 && answer.again != again)) {
			wrong++;
			diag("limit %g: next %g, scanned %g; again %g, scanned %g", limit.most, answer.next,
			     n, answer.again, again);
		}
	}
	ft_ask_close(models);
	ok(!wrong && by_tooth > cases / 2,
	   "its largest sizes are those of a scan (%d of %d before a multiple)", by_tooth, cases);
}

/* ---- faults -------------------------------------------------------------------------------------------- */

static void test_faults(void)
{
	struct ft_answerer *models = open_models("cube");
	struct ft_limit limit[2] = {limit_of(&ft_wall_s, 0.3), limit_of(&ft_peak_rss_bytes, 2e6)};
	struct ft_largest answer;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	(void)ft_ask_largest(models, limit, 2, &one, 0, 0.9, &answer, NULL);
	do {
		ft_alloc_fail_at(++n);
		status = ft_ask_largest(models, limit, 2, &one, 0, 0.9, &answer, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !answer.size.n && isnan(answer.next)));
	} while (status && n < 10000);
	ft_alloc_fail_at(0);
	diag("%lu allocations", n);
	ok(clean && !status && n > 4, "each allocation may fail");
	ft_ask_close(models);
}

int main(void)
{
	struct ft_machine here = {.fingerprint = strdup("1111111111111111"), .host = strdup("near")};

	(void)ft_store_open(&store, temp_path("largest.db"), 0, NULL);
	(void)ft_store_put_machine(store, &here, NULL);
	machine = here.id;
	ft_machine_clear(&here);
	test_examples();
	test_flat();
	test_again();
	test_staircase();
	test_strides();
	test_spaces();
	test_measured();
	test_killed();
	test_random();
	test_fine();
	test_faults();
	ft_store_close(store);
	temp_remove();
	return done();
}
