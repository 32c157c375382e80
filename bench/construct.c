/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct.c - how good and how cheap builders are: every curve of a folder, and made ones, replayed.
 *
 *	construct [--seed N] [--seeds N] [--builder NAME] [--tolerance T] [--thin SHARE] [--made] [--families]
 *[--ends] [--decide] [--lines] [--json] [FOLDER]
 */
#include "base/alloc.h"
#include "num/stats.h"
#include "replay.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUILDERS = 3, GROUPS_MOST = 64 };
static const double within = 0.1, accuracy = 0.001;
static const char *const all_builders[BUILDERS] = {"adaptive", "gbbp", "naive"};

struct options {
	uint64_t seed, seeds;
	const char *builder, *folder;
	double tolerance, thin;
	bool made, families, ends, decide, lines, json;
};

/* One curve under one seed by one builder. */
struct line {
	char name[128], group[64];
	int builder;
	double limit, twenty, all; /* cost relative to these */
	struct replay r;
};

struct table {
	struct line *line;
	size_t n, capacity;
};

static double percent(double share)
{
	return 100 * share;
}

static void print_line(const struct line *l, bool json, bool first)
{
	const struct replay *r = &l->r;

	if (!json) {
		printf("%-58s %-8s %3zu %4zu %6.2f %6.3f %6.3f %6.1f %6.1f %7.1f %5.0f %6.1f %s%s%s\n",
		       l->name, all_builders[l->builder], r->points, r->samples, l->limit, l->twenty, l->all,
		       percent(r->mean), percent(r->p95), percent(r->largest), percent(r->inside),
		       percent(r->stated), ft_stop_text(r->stop),
		       r->rough ? r->by_noise ? " rough (noise)" : " rough (shape)" : "",
		       r->silent ? " SILENT" : "");
		return;
	}
	printf("%s{\"curve\":\"%s\",\"group\":\"%s\",\"builder\":\"%s\",\"points\":%zu,\"samples\":%zu,"
	       "\"cost_limit\":%.6g,\"cost_20\":%.6g,\"cost_all\":%.6g,\"mean\":%.6g,\"p95\":%.6g,"
	       "\"largest\":%.6g,",
	       first ? "" : ",\n", l->name, l->group, all_builders[l->builder], r->points, r->samples,
	       l->limit, l->twenty, l->all, r->mean, r->p95, r->largest);
	if (isnan(r->inside))
		printf("\"inside\":null,");
	else
		printf("\"inside\":%.6g,", r->inside);
	printf("\"stated\":%.6g,\"stop\":\"%s\",\"rough\":%s,\"silent\":%s,\"decision_s\":%.3g}", r->stated,
	       ft_stop_text(r->stop), r->rough ? "true" : "false", r->silent ? "true" : "false",
	       r->decision_s);
}

static void run_curve(struct curve *curve, const struct options *o, uint64_t seed, struct table *table)
{
	double limit, twenty, all;
	struct ft_err err;
	int b;

	curve_thin(curve, o->thin, seed);
	limit = curve_limit(curve, within);
	twenty = curve_cost_20(curve);
	all = curve_cost_all(curve);
	curve_shuffle(curve, seed);
	for (b = 0; b < BUILDERS; b++) {
		struct line line = {.builder = b};
		struct line *grown;

		if (o->builder && strcmp(o->builder, all_builders[b]))
			continue;
		if (replay_run(curve, ft_builder_type_find(all_builders[b]), o->tolerance, &line.r, &err)) {
			(void)fprintf(stderr, "construct: %s: %s\n", curve->name, err.text);
			continue;
		}
		(void)snprintf(line.name, sizeof line.name, "%s", curve->name);
		(void)snprintf(line.group, sizeof line.group, "%s", curve->group);
		line.limit = line.r.cost / limit;
		line.twenty = line.r.cost / twenty;
		line.all = line.r.cost / all;
		grown = ft_grow(table->line, table->n, &table->capacity, sizeof *grown);
		if (!grown)
			return;
		table->line = grown;
		if (o->lines || o->json)
			print_line(&line, o->json, !table->n);
		table->line[table->n++] = line;
	}
}

static void run_folder(const struct options *o, uint64_t seed, struct table *table)
{
	struct curve curve;
	size_t at = 0;

	while (curve_next(&curve, o->folder, &at)) {
		run_curve(&curve, o, seed, table);
		curve_clear(&curve);
	}
}

static void run_made(bool (*make)(struct curve *, size_t, uint64_t), const struct options *o, uint64_t seed,
		     struct table *table)
{
	struct curve curve;
	size_t i;

	for (i = 0; make(&curve, i, seed); i++) {
		run_curve(&curve, o, seed, table);
		curve_clear(&curve);
	}
}

/* The lines of a group (or of a curve) and a builder. */
static bool belongs(const struct line *l, const char *group, int builder)
{
	return l->builder == builder && (!strcmp(l->group, group) || !strcmp(l->name, group));
}

enum field { MEAN, P95, LARGEST, LIMIT, TWENTY, ALL, INSIDE, POINTS, COUNT, FIELDS };

static double field_of(const struct line *l, enum field field)
{
	const double value[FIELDS] = {l->r.mean,           l->r.p95, l->r.largest, l->limit,
				      l->twenty,           l->all,   l->r.inside,  (double)l->r.points,
				      (double)l->r.samples};

	return value[field];
}

static void print_group(const struct table *t, const char *group, int builder)
{
	double *values = ft_calloc(t->n + 1, sizeof *values), result[FIELDS], dearest = 0, least = 1,
	       held = 0;
	size_t i, n = 0, rough = 0, silent = 0;
	int f;

	for (f = 0; f < FIELDS; f++) {
		for (i = n = 0; i < t->n; i++) {
			double v = field_of(&t->line[i], (enum field)f);

			if (belongs(&t->line[i], group, builder) && !isnan(v))
				values[n++] = v;
		}
		result[f] = n ? ft_stats_median(values, n) : (double)NAN;
		if (f == INSIDE && n)
			held = ft_stats_mean(values, n);
	}
	for (i = n = 0; i < t->n; i++) {
		const struct line *l = &t->line[i];

		if (!belongs(l, group, builder))
			continue;
		n++;
		rough += l->r.rough;
		silent += l->r.silent;
		dearest = fmax(dearest, l->limit);
		least = fmin(least, isnan(l->r.inside) ? 1 : l->r.inside);
	}
	ft_free(values);
	if (!n)
		return;
	printf("%-24s %-8s %4zu  %5.1f %6.1f %7.1f   %5.2f (%5.2f) %6.3f %6.3f   %5.1f %5.1f (%3.0f)  %4.0f "
	       "%5.0f  "
	       " %3zu %3zu\n",
	       group, all_builders[builder], n, percent(result[MEAN]), percent(result[P95]),
	       percent(result[LARGEST]), result[LIMIT], dearest, result[TWENTY], result[ALL],
	       percent(result[INSIDE]), percent(held), percent(least), result[POINTS], result[COUNT], rough,
	       silent);
}

static void print_groups(const struct table *t, bool by_name)
{
	const char *groups[GROUPS_MOST];
	size_t n = 0, i, j;
	int b;

	printf("\n%-24s %-8s %4s  %5s %6s %7s   %5s (%5s) %6s %6s   %5s %5s (%3s)  %4s %5s   %3s %3s\n",
	       "medians", "builder", "of", "mean%", "p95%", "most%", "limit", "most", "of 20", "of all",
	       "in%", "mean", "min", "size", "runs", "rgh", "sil");
	for (i = 0; i < t->n; i++) {
		const char *group = by_name ? t->line[i].name : t->line[i].group;

		for (j = 0; j < n && strcmp(groups[j], group) != 0;)
			j++;
		if (j == n && n < GROUPS_MOST)
			groups[n++] = group;
	}
	for (i = 0; i < n; i++)
		for (b = 0; b < BUILDERS; b++)
			print_group(t, groups[i], b);
}

/* Adaptive less gbbp, over the replays of a curve: mean and its standard error. */
struct difference {
	double mean, error;
};

static struct difference differ(const struct table *t, const char *name, enum field field)
{
	double *values = ft_calloc(t->n, sizeof *values);
	struct difference d = {NAN, 0};
	size_t i, n = 0;

	for (i = 0; values && i + 1 < t->n; i++)
		if (!t->line[i].builder && t->line[i + 1].builder == 1 && !strcmp(t->line[i].name, name))
			values[n++] = field_of(&t->line[i], field) - field_of(&t->line[i + 1], field);
	if (n)
		d.mean = ft_stats_mean(values, n);
	if (n > 1)
		d.error = sqrt(ft_stats_variance(values, n) / (double)n);
	ft_free(values);
	return d;
}

static bool is_first_of_name(const struct table *t, size_t i)
{
	size_t k;

	for (k = 0; k < i && strcmp(t->line[k].name, t->line[i].name) != 0;)
		k++;
	return k == i;
}

/* Beside gbbp: on how many curves cheaper, and not less accurate by more than 0.1 % and two standard errors
 * of what the replays differ by. */
static void print_beside_gbbp(const struct table *t)
{
	size_t i, curves = 0, better = 0, dearer = 0, worse = 0;

	for (i = 0; i < t->n; i++) {
		struct difference cost, p95;

		if (!is_first_of_name(t, i))
			continue;
		cost = differ(t, t->line[i].name, LIMIT);
		p95 = differ(t, t->line[i].name, P95);
		if (isnan(cost.mean))
			continue;
		curves++;
		dearer += cost.mean > 2 * cost.error;
		worse += p95.mean > 2 * p95.error + accuracy;
		better += cost.mean <= 2 * cost.error && p95.mean <= 2 * p95.error + accuracy;
	}
	if (curves)
		printf("curves on which adaptive is, beyond the noise, neither dearer nor less accurate "
		       "(p95) than "
		       "gbbp: %zu of %zu "
		       "(%.0f %%); dearer: %zu; less accurate: %zu\n",
		       better, curves, percent((double)better / (double)curves), dearer, worse);
}

/* How often cheaper than gbbp and not less accurate in the same replay. */
static void print_summary(const struct table *t)
{
	size_t i, pairs = 0, better = 0, n = 0, silent[BUILDERS] = {0}, rough[BUILDERS] = {0};
	double slowest = 0;

	for (i = 0; i < t->n; i++) {
		const struct line *l = &t->line[i];

		silent[l->builder] += l->r.silent;
		rough[l->builder] += l->r.rough;
		n += !l->builder;
		if (!l->builder)
			slowest = fmax(slowest, l->r.decision_s);
		if (!l->builder && i + 1 < t->n && t->line[i + 1].builder == 1) {
			pairs++;
			better += l->limit <= l[1].limit && l->r.p95 <= l[1].r.p95 + accuracy;
		}
	}
	printf("\nadaptive: %zu replays, %zu rough, %zu silent; longest decision %.3f ms\n", n, rough[0],
	       silent[0], 1e3 * slowest);
	if (!pairs)
		return;
	printf("gbbp: %zu rough, %zu silent; naive: %zu rough, %zu silent; replays in which adaptive is "
	       "cheaper "
	       "than gbbp and its p95 not larger: %zu of %zu (%.0f %%)\n",
	       rough[1], silent[1], rough[2], silent[2], better, pairs,
	       percent((double)better / (double)pairs));
	print_beside_gbbp(t);
}

static void print_decisions(void)
{
	static const size_t known[][2] = {{100, 10}, {333, 3}, {1000, 1}};
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++) {
		double mean, worst;

		if (!decide_time(known[i][0], known[i][1], &mean, &worst, NULL))
			printf("a question and its answer, with %zu runs at %zu sizes: %.3f ms, at most %.3f "
			       "ms\n",
			       known[i][0] * known[i][1], known[i][0], 1e3 * mean, 1e3 * worst);
	}
}

static bool parse(int argc, char **argv, struct options *o)
{
	const struct word table[] = {
		{"--seed", WORD_COUNT, &o->seed},        {"--seeds", WORD_COUNT, &o->seeds},
		{"--builder", WORD_TEXT, &o->builder},   {"--tolerance", WORD_NUMBER, &o->tolerance},
		{"--thin", WORD_NUMBER, &o->thin},       {"--made", WORD_FLAG, &o->made},
		{"--families", WORD_FLAG, &o->families}, {"--ends", WORD_FLAG, &o->ends},
		{"--decide", WORD_FLAG, &o->decide},     {"--lines", WORD_FLAG, &o->lines},
		{"--json", WORD_FLAG, &o->json},         {0},
	};

	*o = (struct options){.seed = 1, .seeds = 1};
	return words_read(table, argc, argv, &o->folder) &&
	       (o->folder || o->made || o->families || o->ends || o->decide);
}

int main(int argc, char **argv)
{
	struct table table = {0};
	struct options o;
	uint64_t seed;

	if (!parse(argc, argv, &o)) {
		(void)fprintf(stderr,
			      "usage: construct [--seed N] [--seeds N] [--builder NAME] [--tolerance T] "
			      "[--thin SHARE] [--made] [--families] [--ends] [--decide] [--lines] [--json] "
			      "[FOLDER]\n");
		return 2;
	}
	if (o.json)
		printf("[");
	for (seed = o.seed; seed < o.seed + o.seeds; seed++) {
		if (o.folder)
			run_folder(&o, seed, &table);
		if (o.made)
			run_made(curve_make, &o, seed, &table);
		if (o.families)
			run_made(curve_make_family, &o, seed, &table);
		if (o.ends)
			run_made(curve_make_cliff, &o, seed, &table);
	}
	if (o.json) {
		printf("]\n");
	} else {
		print_groups(&table, !o.folder);
		print_summary(&table);
		if (o.decide)
			print_decisions();
	}
	ft_free(table.line);
	return 0;
}
