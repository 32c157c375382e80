/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions.c - requests for all sizes: how long their expressions are, how far above the numbers, and what
 * writing them costs.
 *
 *	bench-expressions [--seeds N] [--sizes N] [--show] [FOLDER]
 *
 * Learned from thirty runs at random sizes of each curve (of the folder, and made ones), from sixty of made
 * functions of two and three parameters; --sizes: also from one run at each of so many sizes. Each expression
 * is held against the numbers at 300 sizes within the data, and at 300 up to ten times beyond.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "num/num.h"
#include "recorded.h"
#include "store/door.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOGGED = 30, SPREAD = 60, ASKED = 300, PARAMS = 3, GROUPS = 4, SEEN_MOST = 4096 };
static const double risk = 0.05, tenfold = 10;
static const char *const groups[GROUPS] = {"one parameter", "two parameters", "three", "many sizes"};
static const char *const names[PARAMS] = {"n", "m", "k"};

/* Of one group, an entry for each expression. */
struct seen {
	double mean[SEEN_MOST], most[SEEN_MOST], beyond[SEEN_MOST], length[SEEN_MOST], calls[SEEN_MOST];
	double seconds[SEEN_MOST], each[SEEN_MOST]; /* of one request at a size */
	size_t n, below;
};
static struct seen seen[GROUPS];
static bool show;

static double cpu_s(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- made functions --------------------------------------------------------------------------------------
 */

struct made {
	double start, scale, power[PARAMS], bytes, bytes_scale, noise, edge;
	size_t axes;
};

static struct made draw(struct ft_random *random, size_t axes)
{
	struct made f = {.start = pow(10, -3 + 3 * ft_random_uniform(random)),
			 .scale = pow(10, 4 * ft_random_uniform(random)),
			 .bytes = pow(10, 6.5 + 1.5 * ft_random_uniform(random)),
			 .bytes_scale = pow(10, -1 + 3 * ft_random_uniform(random)),
			 .noise = 0.01 + 0.1 * ft_random_uniform(random),
			 .edge = ft_random_uniform(random) < 0.3 ? 1.8 : 1,
			 .axes = axes};

	for (size_t i = 0; i < axes; i++)
		f.power[i] = i == 2 ? -0.8 * ft_random_uniform(random) : 0.3 + 2 * ft_random_uniform(random);
	return f;
}

/* Parameters run from 10 to 1,000; x: as a share of the largest. */
static struct ft_run made_run(const struct made *f, const struct ft_size *size, struct ft_random *random)
{
	struct ft_run run = {.size = *size, .work = NAN};
	double work = 1, bytes = f->bytes;

	for (size_t i = 0; i < f->axes; i++)
		work *= pow(size->value[i] / 1000, f->power[i]);
	bytes += f->bytes * f->bytes_scale * sqrt(work);
	double seconds = f->start + f->start * f->scale * work * (work > 0.03 ? f->edge : 1);
	run.cost_s = seconds *= exp(f->noise * ft_random_normal(random));
	(void)ft_run_add(&run, &ft_wall_s, seconds, FT_MEASURED, "made", NULL, NULL);
	(void)ft_run_add(&run, &ft_peak_rss_bytes, bytes * exp(0.1 * f->noise * ft_random_normal(random)),
			 FT_MEASURED, "made", NULL, NULL);
	return run;
}

static void add_made(struct ft_runs *runs, size_t axes, size_t count, struct ft_random *random)
{
	struct made f = draw(random, axes);

	for (size_t i = 0; i < count; i++) {
		struct ft_size size = {.n = axes};

		for (size_t a = 0; a < axes; a++)
			size.value[a] = round(count > SPREAD ? 10 + (double)i
							     : 10 * pow(100, ft_random_uniform(random)));
		struct ft_run run = made_run(&f, &size, random);
		(void)ft_runs_take(runs, &run, NULL);
	}
}

/* ---- judging ---------------------------------------------------------------------------------------------
 */

static size_t calls_in(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '*' || *text == '^' || *text == '+' || *text == '>';
	return n;
}

/* Sizes within the box of the runs, or with one parameter or all of them beyond it. */
static struct ft_size draw_size(const struct ft_runs *runs, bool beyond, struct ft_random *random)
{
	struct ft_size size = runs->run[0].size;
	size_t i, a, out = ft_random_below(random, size.n + 1);

	for (a = 0; a < size.n; a++) {
		double least = INFINITY, most = 0;

		for (i = 0; i < runs->n; i++) {
			least = fmin(least, runs->run[i].size.value[a]);
			most = fmax(most, runs->run[i].size.value[a]);
		}
		size.value[a] = beyond && (a == out || out == size.n)
					? most * pow(tenfold, ft_random_uniform(random))
					: least * pow(most / least, ft_random_uniform(random));
		size.value[a] = round(size.value[a]);
	}
	return size;
}

static void judge(struct ft_answerer *models, const struct ft_request_expression *e, bool memory,
		  struct seen *to, struct ft_random *random)
{
	struct ft_expr *expr;
	double sum[2] = {0}, most = 0, began = cpu_s();
	bool below = false;

	if (!e->text || to->n == SEEN_MOST || ft_expr_new(&expr, e->text, NULL))
		return;
	for (int i = 0; i < 2 * ASKED; i++) {
		struct ft_size size = draw_size(ft_ask_runs(models), i % 2, random);
		struct ft_request q;
		double value = 0;

		if (ft_ask_request(models, &size, risk, &q, NULL) ||
		    ft_expr_eval(expr, names, size.value, size.n, &value, NULL))
			continue;
		double over = log(value / (memory ? q.memory.most : q.time.most));
		sum[i % 2] += over / ASKED;
		most = i % 2 ? most : fmax(most, over);
		below = below || over < log(0.99);
		if (show && over < log(0.99))
			printf("below by %.1f %% at n=%g m=%g k=%g\n", -100 * expm1(over), size.value[0],
			       size.value[1], size.value[2]);
	}
	to->each[to->n] = (cpu_s() - began) / (2 * ASKED);
	to->mean[to->n] = sum[0];
	to->beyond[to->n] = sum[1];
	to->most[to->n] = most;
	to->length[to->n] = (double)strlen(e->text);
	to->calls[to->n++] = (double)calls_in(e->text);
	to->below += below;
	if (show)
		printf("%5.1f %% %5.1f %% %6.1f %%%s  %s\n", 100 * expm1(sum[0]), 100 * expm1(most),
		       100 * expm1(sum[1]), below ? " BELOW" : "", e->text);
	ft_expr_free(expr);
}

static enum ft_status ask(struct ft_store *store, struct seen *to, size_t axes, struct ft_random *random,
			  struct ft_err *err)
{
	struct ft_request_expressions all = {0};
	struct ft_answerer *models = NULL;
	bool open[FT_PARAMS_MAX] = {true, axes > 1, axes > 2};
	enum ft_status status = ft_ask_open(&models, store, "curve", NULL, 0, err);
	struct ft_request q;

	if (!status) /* the models are fitted here, not below */
		status = ft_ask_request(models, &ft_ask_runs(models)->run[0].size, risk, &q, err);
	double began = cpu_s();
	if (!status)
		status = ft_ask_request_expressions(models, &ft_ask_runs(models)->run[0].size, open, risk,
						    &all, err);
	if (!status && to->n < SEEN_MOST) {
		to->seconds[to->n] = to->seconds[to->n + 1] = cpu_s() - began;
		judge(models, &all.time, false, to, random);
		judge(models, &all.memory, true, to, random);
	}
	ft_request_expressions_clear(&all);
	ft_ask_close(models);
	return status;
}

static void learn(struct ft_runs *runs, size_t axes, struct seen *to, struct ft_random *random)
{
	struct ft_machine machine = {.fingerprint = strdup("00000000000000ff"), .host = strdup("replay")};
	struct ft_program program = {.name = strdup("curve"), .hash = strdup(""), .n_params = axes};
	struct ft_store *store = NULL;
	struct ft_err err = {0};
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/bench-expressions-%ld.db",
		       getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
	(void)remove(path);
	for (size_t a = 0; a < axes; a++) {
		program.param[a] = (struct ft_param){.least = 1, .most = 1e9, .stride = 1};
		(void)snprintf(program.param[a].name, sizeof program.param[a].name, "%s", names[a]);
	}
	enum ft_status status = ft_store_open(&store, path, FT_STORE_ROLLBACK, &err);
	if (!status)
		status = ft_store_put_machine(store, &machine, &err);
	if (!status)
		status = ft_store_put_program(store, &program, &err);
	if (!status)
		status = ft_store_add_runs(store, program.id, machine.id, runs, &err);
	if (!status)
		status = ask(store, to, axes, random, &err);
	if (status)
		(void)fprintf(stderr, "bench-expressions: %s\n", err.text);
	ft_store_close(store);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	(void)remove(path);
}

/* Thirty of the runs, by chance. */
static void learn_recorded(struct recorded *r, struct ft_random *random)
{
	struct ft_runs some = {0};

	for (size_t i = 0; i < LOGGED; i++) {
		const struct ft_run *run = &r->runs.run[ft_random_below(random, r->runs.n)];
		double bytes = ft_run_value(run, &ft_peak_rss_bytes);

		(void)recorded_add(&some, run->size.value[0], run->work, ft_run_value(run, &ft_wall_s),
				   isnan(bytes) ? 0 : bytes);
	}
	learn(&some, 1, &seen[0], random);
	ft_runs_clear(&some);
}

static void learn_made(size_t axes, size_t count, struct seen *to, struct ft_random *random)
{
	struct ft_runs runs = {0};

	add_made(&runs, axes, count, random);
	learn(&runs, axes, to, random);
	ft_runs_clear(&runs);
}

static void print_group(size_t g)
{
	struct seen *s = &seen[g];
	double length, calls, mean, beyond, most, seconds, each;

	if (!s->n)
		return;
	length = ft_stats_median(s->length, s->n);
	calls = ft_stats_median(s->calls, s->n);
	mean = ft_stats_median(s->mean, s->n);
	beyond = ft_stats_median(s->beyond, s->n);
	most = ft_stats_median(s->most, s->n);
	seconds = ft_stats_median(s->seconds, s->n);
	each = ft_stats_median(s->each, s->n);
	printf("%-16s %4zu %6.0f %6.0f %8.1f %% %8.1f %% %8.1f %% %6zu %9.3f %9.1f\n", groups[g], s->n,
	       length, calls, 100 * expm1(mean), 100 * expm1(most), 100 * expm1(beyond), s->below, seconds,
	       1e6 * each);
}

int main(int argc, char **argv)
{
	uint64_t seeds = 10, sizes = 0;
	const char *folder = NULL;
	const struct word table[] = {{"--seeds", WORD_COUNT, &seeds},
				     {"--sizes", WORD_COUNT, &sizes},
				     {"--show", WORD_FLAG, &show},
				     {0}};
	struct ft_random random = {1};
	struct curve curve;
	size_t at = 0;

	if (!words_read(table, argc, argv, &folder)) {
		(void)fputs("usage: bench-expressions [--seeds N] [--sizes N] [--show] [FOLDER]\n", stderr);
		return 2;
	}
	while (folder && curve_next(&curve, folder, &at)) {
		struct recorded r = {0};

		if (recorded_of(&r, &curve))
			learn_recorded(&r, &random);
		recorded_clear(&r);
		curve_clear(&curve);
	}
	for (uint64_t i = 0; i < seeds; i++) {
		for (size_t k = 0; k < recorded_kinds(); k++) {
			struct recorded r;

			if (recorded_make(&r, k, i))
				learn_recorded(&r, &random);
			recorded_clear(&r);
		}
		learn_made(2, SPREAD, &seen[1], &random);
		learn_made(3, SPREAD, &seen[2], &random);
	}
	if (sizes)
		learn_made(1, sizes, &seen[3], &random);
	printf("medians over expressions; above: over the numbers, within the data (mean, most) and to ten "
	       "times beyond\n");
	printf("%-16s %4s %6s %6s %10s %10s %10s %6s %9s %9s\n", "", "of", "length", "signs", "above",
	       "at most", "beyond", "below", "cpu s", "us each");
	for (size_t k = 0; k < GROUPS; k++)
		print_group(k);
	return 0;
}
