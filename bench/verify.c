/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - contracts: how often an unchanged program breaks one, and how often a slower one is seen.
 *
 *	bench-verify [--replays N] [--repetitions K] [--confidence C %] [--tolerance T %] [--moments M] [--pairs P] [KIND]
 *
 * A program (n log n with a start-up) is measured by the adaptive builder at 2 to 10 % noise of several
 *kinds, in one session; N new versions, in sessions of their own, are run at five sizes, K times each:
 *unchanged ones, and such as take 3, 10, 15 and 25 % longer, or grow as n^2, or take 40 % longer at one size.
 *Against: the old version is run in turn with the new one. Shares of broken contracts, in %; alarms: of which
 *check (c), shift (s), growth (g). Moments: what breaks is run again, as many times in all at most, and all
 *runs judge; the command has 5. Pairs: with a
 * number, pairs go on until they see 5 %, or to so many, and no models are asked. The stores are made in $TMPDIR.
 */
#include "base/random.h"
#include "foretime/sweep.h"
#include "foretime/ask.h"
#include "ask/door.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZES = 5, FACTORS = 8, QUADRATIC = FACTORS - 2, AT_ONE = FACTORS - 1, LEARNED = 200 };
static const double sizes[SIZES] = {1000, 2000, 4000, 8000, 16000},
		    factors[FACTORS] = {1, 1.03, 1.05, 1.1, 1.15, 1.25, 1, 1};
static const double at_one = 1.4;

static const struct kind {
	const char *name;
	double noise, session;
	bool skewed;
	unsigned wild; /* one run in so many takes three times as long; 0: none */
	bool uneven;   /* noise is that of the longest, and falls with the root of the time */
	double level;  /* near the size in the middle every other run, by chance, takes so many times as long
			*/
	double slowed; /* every other run, by chance, takes longer by an exponential with this mean */
} kinds[] = {
	{"counted", 1e-4, 0, false, 0, false, 1, 0},
	{"normal 2 %", 0.02, 0.02, false, 0, false, 1, 0},
	{"normal 5 %", 0.05, 0.02, false, 0, false, 1, 0},
	{"normal 10 %", 0.1, 0.02, false, 0, false, 1, 0},
	{"skewed 5 %", 0.05, 0.02, true, 0, false, 1, 0},
	{"outliers 1/20", 0.03, 0.02, true, 20, false, 1, 0},
	{"outliers 1/60", 0.03, 0.02, true, 60, false, 1, 0},
	{"short 8 %", 0.02, 0.02, false, 0, true, 1, 0},
	{"two levels", 0.02, 0.02, false, 0, false, 1.6, 0},
	{"busy 12 %", 0.01, 0.02, false, 0, false, 1, 0.12},
};

struct options {
	uint64_t replays, repetitions, moments, pairs;
	double confidence, tolerance;
	const char *kind; /* NULL: all */
};

static double seconds_at(double n, bool quadratic)
{
	static const double middle = 2000;

	return 2e-3 + (quadratic ? 1e-6 * n * n / middle * log(middle) : 1e-6 * n * log(n));
}

struct world {
	const struct kind *kind;
	struct ft_random random;
	double session;
	double pairs; /* in all */
};

static double drawn(struct world *w, double seconds)
{
	double z = ft_random_normal(&w->random), noise = w->kind->noise;

	if (w->kind->uneven)
		noise *= sqrt(seconds_at(sizes[SIZES - 1], false) / seconds);
	if (w->kind->slowed > 0 && ft_random_below(&w->random, 2))
		seconds *= 1 - w->kind->slowed * log(1 - ft_random_uniform(&w->random));
	seconds *= w->session * exp(noise * (w->kind->skewed ? fabs(z) : z));
	return w->kind->wild && !ft_random_below(&w->random, w->kind->wild) ? 3 * seconds : seconds;
}

static void new_session(struct world *w)
{
	w->session = exp(w->kind->session * ft_random_normal(&w->random));
}

/* Nothing is drawn for the other kinds, and other sizes. */
static double level_of(struct world *w, double n)
{
	const bool two = w->kind->level > 1 && fabs(log(n / sizes[SIZES / 2])) < log(1.4);

	return two && ft_random_below(&w->random, 2) ? w->kind->level : 1;
}

static double source_seconds(void *ctx, const struct ft_size *size)
{
	return drawn(ctx, seconds_at(size->value[0], false) * level_of(ctx, size->value[0]));
}

static void add_run(struct world *w, struct ft_runs *runs, double n, double factor, bool quadratic,
		    const struct ft_resource *resource)
{
	struct ft_run run;

	ft_run_init(&run);
	run.size = (struct ft_size){1, {n}};
	run.cost_s = drawn(w, factor * seconds_at(n, quadratic) * level_of(w, n));
	(void)ft_run_add(&run, resource, run.cost_s, FT_MEASURED, "made", NULL, NULL);
	(void)ft_runs_take(runs, &run, NULL);
}

static void add_runs(struct world *w, struct ft_runs *runs, size_t repetitions, int version,
		     const struct ft_resource *resource)
{
	for (size_t k = 0; k < repetitions; k++)
		for (size_t i = 0; i < SIZES; i++) {
			const double factor = version == AT_ONE && i == 1 ? at_one : factors[version];

			add_run(w, runs, sizes[i], factor, version == QUADRATIC, resource);
		}
}

/* ---- counting --------------------------------------------------------------------------------------------
 */

struct count {
	double asked, broken, check, shift, growth, wide;
};

static void count(struct count *c, const struct ft_verification *v)
{
	bool check = false, growth = false;

	for (size_t i = 0; i < v->n_checks; i++)
		check |= v->check[i].verdict == FT_VERDICT_OVER;
	for (size_t i = 0; i < v->n_growths; i++)
		growth |= v->growth[i].verdict == FT_VERDICT_OVER;
	c->asked++;
	c->broken += !v->holds;
	c->check += check;
	c->shift += v->shift[0].verdict == FT_VERDICT_OVER;
	c->growth += growth;
	c->wide += log(v->shift[0].upper / v->shift[0].lower) / 2;
}

static void print(const char *way, const struct kind *kind, const struct count *c)
{
	printf("%-8s %-13s | %6.2f (c %.2f s %.2f g %.2f) |", way, kind->name, 100 * c[0].broken / c[0].asked,
	       100 * c[0].check / c[0].asked, 100 * c[0].shift / c[0].asked, 100 * c[0].growth / c[0].asked);
	for (int version = 1; version < FACTORS; version++)
		printf(" %6.1f", 100 * c[version].broken / c[version].asked);
	printf(" | %5.1f\n", 100 * expm1(c[0].wide / c[0].asked));
	(void)fflush(stdout);
}

/* Broken by less than what is not run again (cli/verify/runs.c); certain: what all sizes say together is. */
static bool is_run_again(const struct ft_verification *v, bool certain)
{
	static const double most_disturbed = 2;
	bool again = !v->holds;

	for (size_t i = 0; i < v->n_checks; i++)
		again &= v->check[i].verdict != FT_VERDICT_OVER ||
			 v->check[i].value < most_disturbed * v->check[i].promised.upper;
	for (size_t i = 0; i < v->n_shifts; i++)
		again &= v->shift[i].verdict != FT_VERDICT_OVER ||
			 (!certain && v->shift[i].lower < most_disturbed);
	return again;
}

/* ---- two ways --------------------------------------------------------------------------------------------
 */

/* Pairs until they see 5 %, or so many of each size; looks as those of the command (cli/verify/runs.c). */
static void pairs(const struct options *o, struct world *w, int version, const struct ft_resource *resource,
		  struct ft_runs *before, struct ft_runs *runs, struct ft_verification *v)
{
	const struct ft_verify_options early = {&resource, 1, 1 - 0.05 * (1 - o->confidence), false},
				       last = {&resource, 1, 1 - 0.75 * (1 - o->confidence), false};
	size_t made = 0, next = o->repetitions;
	bool more;

	do {
		ft_verification_clear(v);
		for (; next; next--, made++) {
			add_runs(w, before, 1, 0, resource);
			add_runs(w, runs, 1, version, resource);
		}
		(void)ft_verify_against(before, runs, &early, v, NULL);
		more = v->holds;
		if (more || is_run_again(v, made > o->repetitions)) {
			more |= is_run_again(v, made > o->repetitions);
			ft_verification_clear(v);
			(void)ft_verify_against(before, runs, &last, v, NULL);
			more = more && ft_verification_is_open(v);
		}
		next = made / 4 < o->pairs - made ? 1 + made / 4 : 0;
	} while (more && next);
	w->pairs += (double)made;
}

static void against(const struct options *o, const struct kind *kind)
{
	const struct ft_resource *resource = kind->noise < 1e-3 ? &ft_instructions : &ft_wall_s;
	const struct ft_verify_options options = {&resource, 1, o->confidence, false};
	struct world w = {kind, {1}, 1, 0};
	struct count c[FACTORS] = {0};

	for (int version = 0; version < FACTORS; version++)
		for (uint64_t i = 0; i < o->replays / (version ? 10 : 1); i++) {
			struct ft_runs before = {0}, runs = {0};
			struct ft_verification v = {0};

			new_session(&w);
			if (o->pairs)
				pairs(o, &w, version, resource, &before, &runs, &v);
			for (uint64_t moment = 0;
			     !o->pairs && (!moment || (moment < o->moments && is_run_again(&v, moment > 1)));
			     moment++) {
				ft_verification_clear(&v);
				add_runs(&w, &before, o->repetitions, 0, resource);
				add_runs(&w, &runs, o->repetitions, version, resource);
				(void)ft_verify_against(&before, &runs, &options, &v, NULL);
			}
			if (v.n_checks)
				count(&c[version], &v);
			ft_verification_clear(&v);
			ft_runs_clear(&before);
			ft_runs_clear(&runs);
		}
	print("against", kind, c);
	if (o->pairs)
		printf("%zu pairs of each size in the mean\n",
		       (size_t)lround(w.pairs / (double)(o->replays + o->replays / 10 * (FACTORS - 1))));
}

static enum ft_status learn(const struct options *o, struct world *w, struct ft_store *store,
			    struct ft_program *program, const struct ft_machine *machine,
			    const struct ft_resource *resource, struct ft_err *err)
{
	struct ft_sweep_options options = {.builder = ft_builder_type_find("adaptive"),
					   .resource = &ft_wall_s,
					   .confidence = 0.9,
					   .tolerance = o->tolerance / 100,
					   .seed = 1};
	struct ft_sweep_report report = {0};
	struct ft_source *source;
	struct ft_runs runs = {0};
	enum ft_status status;

	if (resource != &ft_wall_s) {
		for (size_t i = 0; i < SIZES; i++)
			add_run(w, &runs, sizes[i], 1, false, resource);
		status = ft_store_put_program(store, program, err);
		if (!status)
			status = ft_store_add_runs(store, program->id, machine->id, &runs, err);
		ft_runs_clear(&runs);
		return status;
	}
	status = ft_source_open_oracle(&source, source_seconds, w, 0, 1, err);
	if (status)
		return status;
	status = ft_sweep_run(store, program, machine, source, &options, &report, err);
	ft_sweep_report_clear(&report);
	ft_source_close(source);
	return status;
}

static enum ft_status ask(const struct options *o, struct world *w, struct ft_answerer *models,
			  const struct ft_resource *resource, struct count *c, struct ft_err *err)
{
	const struct ft_verify_options options = {&resource, 1, o->confidence, false};
	enum ft_status status = FT_OK;

	for (int version = 0; version < FACTORS; version++)
		for (uint64_t i = 0; i < o->replays / LEARNED && !status; i++) {
			struct ft_runs runs = {0};
			struct ft_verification v;

			new_session(w);
			for (uint64_t moment = 0; !moment || (moment < o->moments && is_run_again(&v, false));
			     moment++) {
				if (moment)
					ft_verification_clear(&v);
				add_runs(w, &runs, o->repetitions, version, resource);
				status = ft_ask_verify(models, &runs, &options, &v, err);
			}
			if (!status)
				count(&c[version], &v);
			ft_verification_clear(&v);
			ft_runs_clear(&runs);
		}
	return status;
}

static enum ft_status beside_model(const struct options *o, const struct kind *kind, struct ft_store *store,
				   const struct ft_machine *machine, struct ft_err *err)
{
	const struct ft_resource *resource = kind->noise < 1e-3 ? &ft_instructions : &ft_wall_s;
	struct world w = {kind, {2}, 1, 0};
	struct count c[FACTORS] = {0};
	enum ft_status status = FT_OK;

	for (int i = 0; i < LEARNED && !status; i++) {
		struct ft_program program = {.hash = strdup(""), .n_params = 1};
		struct ft_answerer *models;
		char name[64];

		(void)snprintf(name, sizeof name, "%td-%d", kind - kinds, i);
		program.name = strdup(name);
		(void)ft_param_parse("n=1000:16000", &program.param[0], NULL);
		new_session(&w);
		status = learn(o, &w, store, &program, machine, resource, err);
		ft_program_clear(&program);
		if (!status)
			status = ft_ask_open(&models, store, name, NULL, machine->id, err);
		if (status)
			break;
		status = ask(o, &w, models, resource, c, err);
		ft_ask_close(models);
	}
	if (!status)
		print("model", kind, c);
	return status;
}

static bool is_wanted(const struct options *o, const struct kind *kind)
{
	return !o->kind || !strcmp(o->kind, kind->name);
}

int main(int argc, char **argv)
{
	struct options o = {.replays = 2000, .repetitions = 3, .moments = 1, .confidence = 99};
	const struct word words[] = {{"--replays", WORD_COUNT, &o.replays},
				     {"--repetitions", WORD_COUNT, &o.repetitions},
				     {"--confidence", WORD_NUMBER, &o.confidence},
				     {"--tolerance", WORD_NUMBER, &o.tolerance},
				     {"--moments", WORD_COUNT, &o.moments},
				     {"--pairs", WORD_COUNT, &o.pairs},
				     {0}};
	struct ft_machine machine = {.fingerprint = strdup("00000000000000aa"), .host = strdup("made")};
	const char *folder = getenv("TMPDIR");
	struct ft_store *store;
	struct ft_err err = {0};
	char path[4096];

	if (!words_read(words, argc, argv, &o.kind))
		return fprintf(stderr, "usage: bench-verify [--replays N] [--repetitions K] [--confidence C] "
				       "[--tolerance T] [--moments M] [--pairs P] [KIND]\n"),
		       2;
	o.confidence /= 100;
	(void)snprintf(path, sizeof path, "%s/foretime-verify-%d.db", folder ? folder : "/tmp",
		       (int)getpid());
	printf("%-22s | unchanged (of which)          |   +3 %%   +5 %%  +10 %%  +15 %%  +25 %%    n^2    "
	       "one | +- "
	       "%%\n",
	       "");
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (is_wanted(&o, &kinds[k]))
			against(&o, &kinds[k]);
	enum ft_status status = ft_store_open(&store, path, 0, &err);
	if (!status)
		status = ft_store_put_machine(store, &machine, &err);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status && !o.pairs; k++)
		if (is_wanted(&o, &kinds[k]))
			status = beside_model(&o, &kinds[k], store, &machine, &err);
	ft_store_close(store);
	ft_machine_clear(&machine);
	(void)unlink(path);
	if (status)
		return fprintf(stderr, "bench-verify: %s\n", err.text), 1;
	return 0;
}
