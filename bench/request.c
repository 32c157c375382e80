/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - how often requests turn out too small, and what they waste, on runs that no model has seen.
 *
 *	bench-request [--seed N] [--seeds N] [--curves N] [--lines] [FOLDER]
 *
 * Each curve (of the folder, and made ones) is learned twice, by the adaptive builder and from thirty runs at
 * random sizes, as job logs have them: over its whole range, and over its lower quarter. Requests are then
 * compared with the runs that were not used: within the range, and beyond it. The stores are made in $TMPDIR.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"
#include "foretime/sweep.h"
#include "recorded.h"
#include "store/door.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RISKS = 4, LOGGED = 30, SIZES_LEAST = 6 };
static const double risks[RISKS] = {0.01, 0.05, 0.1, 0.2};
static const double quarter = 0.25, slack = 1.5;

/* ---- what is counted ------------------------------------------------------------------------------------
 */

/* Of one curve: shares of the runs left out, and means over them. */
struct count {
	double runs, small[RISKS], waste[RISKS]; /* waste: ln of requested over used time */
	double small_seen, waste_seen, small_slack, waste_slack;
};

struct line {
	char group[64];
	int mode, beyond;
	struct count count;
};

enum { LINES_MOST = 8192, MODES = 2 };
static const char *const modes[MODES] = {"adaptive", "30 runs"};

struct table {
	struct line line[LINES_MOST];
	size_t n;
};

struct options {
	uint64_t seed, seeds, curves;
	bool lines;
	const char *folder;
};

/* ---- learning -------------------------------------------------------------------------------------------
 */

static enum ft_status copy_run(struct ft_runs *to, const struct ft_run *from)
{
	double bytes = ft_run_value(from, &ft_peak_rss_bytes);

	return recorded_add(to, from->size.value[0], from->work, ft_run_value(from, &ft_wall_s),
			    isnan(bytes) ? 0 : bytes)
		       ? FT_OK
		       : FT_ENOMEM;
}

/* The adaptive builder on a replay of what may be learned. */
static enum ft_status sweep(struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, const struct recorded *r, uint64_t seed,
			    struct ft_err *err)
{
	struct ft_sweep_options options = {.builder = ft_builder_type_find("adaptive"),
					   .resource = &ft_wall_s,
					   .confidence = 0.9,
					   .seed = seed};
	struct ft_sweep_report report = {0};
	struct ft_source *source;
	struct ft_runs runs = {0};
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < r->runs.n && !status; i++)
		if (r->runs.run[i].size.value[0] <= r->cut)
			status = copy_run(&runs, &r->runs.run[i]);
	if (!status)
		status = ft_source_open_replay(&source, &runs, err);
	if (status)
		return status;
	status = ft_sweep_run(store, program, machine, source, &options, &report, err);
	ft_sweep_report_clear(&report);
	ft_source_close(source);
	return status;
}

/* Runs at random, as a log has them. */
static enum ft_status log_runs(struct ft_store *store, const struct ft_program *program,
			       const struct ft_machine *machine, struct recorded *r, uint64_t seed,
			       struct ft_err *err)
{
	struct ft_random random = {seed ^ 0x6c6f67};
	struct ft_runs runs = {0};
	size_t within = 0, tries;
	enum ft_status status = FT_OK;

	while (within < r->runs.n && r->runs.run[within].size.value[0] <= r->cut)
		within++;
	for (size_t i = tries = 0; i < LOGGED && tries < 100 * LOGGED && !status; tries++) {
		size_t at = ft_random_below(&random, within);

		if (r->used[at])
			continue;
		r->used[at] = true;
		status = copy_run(&runs, &r->runs.run[at]);
		i++;
	}
	if (!status)
		status = ft_store_add_runs(store, program->id, machine->id, &runs, err);
	ft_runs_clear(&runs);
	return status;
}

/* A replay hands out the runs of a size in their order. */
static void mark_used(struct recorded *r, const struct ft_runs *known)
{
	for (size_t i = 0; i < known->n; i++)
		for (size_t j = 0; j < r->runs.n; j++)
			if (!r->used[j] && r->runs.run[j].size.value[0] == known->run[i].size.value[0]) {
				r->used[j] = true;
				break;
			}
}

/* ---- judging --------------------------------------------------------------------------------------------
 */

static bool too_small(const struct ft_run *run, double seconds, double bytes)
{
	return ft_run_value(run, &ft_wall_s) > seconds || ft_run_value(run, &ft_peak_rss_bytes) > bytes;
}

static enum ft_status judge(struct ft_answerer *models, const struct recorded *r, bool beyond,
			    struct count *out, struct ft_err *err)
{
	double seen_s = 0, seen_bytes = 0, last = NAN;
	struct ft_request q[RISKS];

	*out = (struct count){0};
	for (size_t i = 0; i < r->runs.n; i++)
		if (r->used[i]) {
			seen_s = fmax(seen_s, ft_run_value(&r->runs.run[i], &ft_wall_s));
			seen_bytes = fmax(seen_bytes, ft_run_value(&r->runs.run[i], &ft_peak_rss_bytes));
		}
	seen_bytes = seen_bytes > 0 ? seen_bytes : INFINITY;
	for (size_t i = 0; i < r->runs.n; i++) {
		const struct ft_run *run = &r->runs.run[i];
		double seconds = ft_run_value(run, &ft_wall_s);

		if (r->used[i] || (run->size.value[0] > r->cut) != beyond)
			continue;
		for (int k = 0; k < RISKS && run->size.value[0] != last; k++) {
			enum ft_status status = ft_ask_request(models, &run->size, risks[k], &q[k], err);

			if (status)
				return status;
		}
		last = run->size.value[0];
		for (int k = 0; k < RISKS; k++) {
			double bytes = q[k].memory.resource ? q[k].memory.most : INFINITY;

			out->small[k] += too_small(run, q[k].time.most, bytes);
			out->waste[k] += log(q[k].time.most / seconds);
		}
		out->small_seen += too_small(run, seen_s, seen_bytes);
		out->small_slack += too_small(run, slack * seen_s, slack * seen_bytes);
		out->waste_seen += log(seen_s / seconds);
		out->runs++;
	}
	return FT_OK;
}

static void add_line(struct table *table, const struct recorded *r, int mode, bool beyond, struct count c,
		     bool show)
{
	struct line *line = &table->line[table->n];

	if (!(c.runs > 0) || table->n == LINES_MOST)
		return;
	table->n++;
	for (int k = 0; k < RISKS; k++) {
		c.small[k] /= c.runs;
		c.waste[k] /= c.runs;
	}
	c.small_seen /= c.runs;
	c.small_slack /= c.runs;
	c.waste_seen /= c.runs;
	c.waste_slack = c.waste_seen + log(slack);
	*line = (struct line){.mode = mode, .beyond = beyond, .count = c};
	(void)snprintf(line->group, sizeof line->group, "%s", r->group);
	if (show)
		printf("%-60s %-8s %-6s %6.0f runs  %5.1f %5.1f %5.1f %5.1f %%  %6.2f %6.2f %6.2f %6.2f\n",
		       r->name, modes[mode], beyond ? "beyond" : "inside", c.runs, 100 * c.small[0],
		       100 * c.small[1], 100 * c.small[2], 100 * c.small[3], exp(c.waste[0]), exp(c.waste[1]),
		       exp(c.waste[2]), exp(c.waste[3]));
}

/* One curve, one way of learning. */
static enum ft_status learn(struct recorded *r, int mode, bool beyond, uint64_t seed, struct count *out,
			    struct ft_err *err)
{
	char path[4096];
	struct ft_machine machine = {.fingerprint = strdup("00000000000000ff"), .host = strdup("replay")};
	struct ft_program program = {
		.name = strdup("curve"),
		.hash = strdup(""),
		.n_params = 1,
		.param = {{.name = "n", .least = r->least, .most = r->cut, .stride = 1}}};
	struct ft_answerer *models = NULL;
	struct ft_store *store = NULL;

	(void)snprintf(path, sizeof path, "%s/bench-request-%ld.db",
		       getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
	(void)remove(path);
	memset(r->used, 0, r->runs.n * sizeof *r->used);
	enum ft_status status = ft_store_open(&store, path, FT_STORE_ROLLBACK, err);
	if (!status)
		status = ft_store_put_machine(store, &machine, err);
	if (!status)
		status = ft_store_put_program(store, &program, err);
	if (!status)
		status = mode ? log_runs(store, &program, &machine, r, seed, err)
			      : sweep(store, &program, &machine, r, seed, err);
	if (!status)
		status = ft_ask_open(&models, store, "curve", NULL, machine.id, err);
	if (!status && !mode)
		mark_used(r, ft_ask_runs(models));
	if (!status)
		status = judge(models, r, beyond, out, err);
	ft_ask_close(models);
	ft_store_close(store);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	(void)remove(path);
	return status;
}

static size_t sizes_within(const struct recorded *r)
{
	size_t n = 0;
	double last = NAN;

	for (size_t i = 0; i < r->runs.n && r->runs.run[i].size.value[0] <= r->cut; i++)
		if (r->runs.run[i].size.value[0] != last) {
			last = r->runs.run[i].size.value[0];
			n++;
		}
	return n;
}

static void run_recorded(struct recorded *r, const struct options *o, uint64_t seed, struct table *table)
{
	r->used = ft_calloc(r->runs.n, sizeof *r->used);
	if (!r->used)
		return;
	for (int beyond = 0; beyond < 2; beyond++) {
		r->cut = beyond ? r->most * quarter : r->most;
		if (sizes_within(r) < SIZES_LEAST)
			continue;
		for (int mode = 0; mode < MODES; mode++) {
			struct count count;
			struct ft_err err;

			if (learn(r, mode, beyond, seed, &count, &err))
				(void)fprintf(stderr, "bench-request: %s: %s\n", r->name, err.text);
			else
				add_line(table, r, mode, beyond, count, o->lines);
		}
	}
}

static void run_folder(const struct options *o, uint64_t seed, struct table *table)
{
	struct curve curve;
	size_t at = 0;

	while (curve_next(&curve, o->folder, &at)) {
		struct recorded recorded = {0};

		curve_shuffle(&curve, seed);
		if (recorded_of(&recorded, &curve))
			run_recorded(&recorded, o, seed, table);
		recorded_clear(&recorded);
		curve_clear(&curve);
	}
}

static void run_made(const struct options *o, uint64_t seed, struct table *table)
{
	struct recorded recorded;

	for (size_t k = 0; k < recorded_kinds(); k++)
		for (uint64_t i = 0; i < o->curves; i++) {
			if (recorded_make(&recorded, k, seed * 1000 + i))
				run_recorded(&recorded, o, seed, table);
			recorded_clear(&recorded);
		}
}

/* ---- the table ------------------------------------------------------------------------------------------
 */

static void print_group(const struct table *t, const char *group, int mode, int beyond)
{
	struct count sum = {0};
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct line *l = &t->line[i];

		if ((group && strcmp(l->group, group) != 0) || l->mode != mode || l->beyond != beyond)
			continue;
		n++;
		for (int k = 0; k < RISKS; k++) {
			sum.small[k] += l->count.small[k];
			sum.waste[k] += l->count.waste[k];
		}
		sum.small_seen += l->count.small_seen;
		sum.small_slack += l->count.small_slack;
		sum.waste_seen += l->count.waste_seen;
		sum.waste_slack += l->count.waste_slack;
	}
	if (!n)
		return;
	printf("%-20s %-8s %-6s %4zu  ", group ? group : "all", modes[mode], beyond ? "beyond" : "inside", n);
	for (int k = 0; k < RISKS; k++)
		printf("%6.2f", 100 * sum.small[k] / (double)n);
	printf("  ");
	for (int k = 0; k < RISKS; k++)
		printf("%6.2f", exp(sum.waste[k] / (double)n));
	printf("   %5.1f %7.1f  %5.1f %7.1f\n", 100 * sum.small_seen / (double)n,
	       exp(sum.waste_seen / (double)n), 100 * sum.small_slack / (double)n,
	       exp(sum.waste_slack / (double)n));
}

static void print_table(const struct table *t)
{
	const char *groups[64];
	size_t n = 0, j;

	printf("\nrate of too small requests in %%, mean over curves; requested / used time, geometric "
	       "mean\n");
	printf("%-20s %-8s %-6s %4s  %6s%6s%6s%6s  %6s%6s%6s%6s   %13s  %13s\n", "curves", "learned", "asked",
	       "of", "1 %", "5 %", "10 %", "20 %", "1 %", "5 %", "10 %", "20 %", "max seen", "max x 1.5");
	for (size_t i = 0; i < t->n; i++) {
		for (j = 0; j < n && strcmp(groups[j], t->line[i].group) != 0;)
			j++;
		if (j == n && n < 64)
			groups[n++] = t->line[i].group;
	}
	for (int beyond = 0; beyond < 2; beyond++)
		for (int mode = 0; mode < MODES; mode++) {
			for (size_t i = 0; i < n; i++)
				print_group(t, groups[i], mode, beyond);
			print_group(t, NULL, mode, beyond);
			putchar('\n');
		}
}

static bool parse(int argc, char **argv, struct options *o)
{
	const struct word table[] = {
		{"--seed", WORD_COUNT, &o->seed},
		{"--seeds", WORD_COUNT, &o->seeds},
		{"--curves", WORD_COUNT, &o->curves},
		{"--lines", WORD_FLAG, &o->lines},
		{0},
	};

	*o = (struct options){.seed = 1, .seeds = 1, .curves = 20};
	return words_read(table, argc, argv, &o->folder);
}

int main(int argc, char **argv)
{
	static struct table table;
	struct options o;
	uint64_t seed;

	if (!parse(argc, argv, &o)) {
		(void)fprintf(
			stderr,
			"usage: bench-request [--seed N] [--seeds N] [--curves N] [--lines] [FOLDER]\n");
		return 2;
	}
	for (seed = o.seed; seed < o.seed + o.seeds; seed++) {
		if (o.folder)
			run_folder(&o, seed, &table);
		run_made(&o, seed, &table);
	}
	print_table(&table);
	return 0;
}
