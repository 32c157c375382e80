/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - records as a table. */
#include "table.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* ---- figures of a set of records ------------------------------------------------------------------------
 *
 * A unit is a curve: its replays are averaged first. Records of a unit stand side by side.
 */

struct pair {
	const struct record *now, *today; /* of one replay; today NULL: there is none */
	size_t unit, batch;
};

struct set {
	struct pair *pair;
	size_t n;
	double *scratch; /* [n] */
};

typedef double figure(struct set *set, bool today, enum field field);

static double value_of(const struct pair *pair, bool today, enum field field)
{
	return (today ? pair->today : pair->now)->value[field];
}

/* The unit's replays are [from, to). */
static size_t unit_end(const struct set *set, size_t from)
{
	size_t to = from;

	while (to < set->n && set->pair[to].unit == set->pair[from].unit)
		to++;
	return to;
}

/* Means of units into scratch; those without a number are left out. */
static size_t unit_means(struct set *set, bool today, enum field field)
{
	size_t from, to, i, n = 0;

	for (from = 0; from < set->n; from = to) {
		double sum = 0;

		to = unit_end(set, from);
		for (i = from; i < to; i++)
			sum += value_of(&set->pair[i], today, field);
		if (!isnan(sum))
			set->scratch[n++] = sum / (double)(to - from);
	}
	return n;
}

static double median(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field);

	return n ? ft_stats_median(set->scratch, n) : (double)NAN;
}

static double mean(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field);

	return n ? ft_stats_mean(set->scratch, n) : (double)NAN;
}

static double geometric(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field), i;

	for (i = 0; i < n; i++)
		set->scratch[i] = log(set->scratch[i]);
	return n ? exp(ft_stats_mean(set->scratch, n)) : (double)NAN;
}

static double most(struct set *set, bool today, enum field field)
{
	size_t n = unit_means(set, today, field);

	return n ? ft_stats_quantile(set->scratch, n, 1) : (double)NAN;
}

/* How many replays. */
static double count(struct set *set, bool today, enum field field)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < set->n; i++)
		sum += value_of(&set->pair[i], today, field);
	return sum;
}

/* Share of replays whose error is within 20 %. */
static double within(struct set *set, bool today, enum field field)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < set->n; i++)
		sum += value_of(&set->pair[i], today, field) <= 0.2;
	return set->n ? sum / (double)set->n : (double)NAN;
}

/* Now by today, a unit. */
static size_t unit_ratios(struct set *set, enum field field)
{
	size_t from, to, i, n = 0;

	for (from = 0; from < set->n; from = to) {
		double now = 0, today = 0;

		to = unit_end(set, from);
		for (i = from; i < to; i++) {
			now += value_of(&set->pair[i], false, field);
			today += value_of(&set->pair[i], true, field);
		}
		if (!isnan(now / today))
			set->scratch[n++] = now / today;
	}
	return n;
}

static double ratio_median(struct set *set, bool today, enum field field)
{
	size_t n = today ? 0 : unit_ratios(set, field);

	return n ? ft_stats_median(set->scratch, n) : (double)NAN;
}

static double ratio_geometric(struct set *set, bool today, enum field field)
{
	size_t n = today ? 0 : unit_ratios(set, field), i;

	for (i = 0; i < n; i++)
		set->scratch[i] = log(set->scratch[i]);
	return n ? exp(ft_stats_mean(set->scratch, n)) : (double)NAN;
}

/* Of pairs of fields that follow each other: how many are inside, of how many. */
static double pooled(struct set *set, bool today, enum field field)
{
	return count(set, today, field) / count(set, today, field + 1);
}

static double unit_pooled(struct set *set, bool today, enum field field)
{
	size_t from, to, i, n = 0;

	for (from = 0; from < set->n; from = to) {
		double inside = 0, asked = 0;

		to = unit_end(set, from);
		for (i = from; i < to; i++) {
			inside += value_of(&set->pair[i], today, field);
			asked += value_of(&set->pair[i], today, field + 1);
		}
		if (asked > 0)
			set->scratch[n++] = inside / asked;
	}
	return n ? ft_stats_median(set->scratch, n) : (double)NAN;
}

/* Score by the oracle's: by replays. */
static double by_oracle(struct set *set, bool today, enum field field)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < set->n; i++)
		sum += value_of(&set->pair[i], today, field) / value_of(&set->pair[i], today, FIELD_oracle);
	return set->n ? sum / (double)set->n : (double)NAN;
}

static double by_oracle_median(struct set *set, bool today, enum field field)
{
	size_t i;

	for (i = 0; i < set->n; i++)
		set->scratch[i] =
			value_of(&set->pair[i], today, field) / value_of(&set->pair[i], today, FIELD_oracle);
	return set->n ? ft_stats_median(set->scratch, set->n) : (double)NAN;
}

/* ---- the lines of the table ---------------------------------------------------------------------------- */

enum each { ALL, EACH_GROUP, EACH_KIND };

struct line {
	const char *part, *lattice, *kind; /* NULL: any */
	enum each each;
	const char *label;
	figure *figure;
	enum field field;
	double unit; /* the figure is shown times this */
	const char *aim;
};

static const struct line lines[] = {
	{"given", "full", NULL, ALL, "score, median of curves", median, FIELD_score, 1, "< today"},
	{"given", "full", NULL, ALL, "score, geometric mean", geometric, FIELD_score, 1, "< today"},
	{"given", "full", NULL, ALL, "score now / today, median", ratio_median, FIELD_score, 1, "< 1"},
	{"given", "full", NULL, ALL, "score now / today, geometric mean", ratio_geometric, FIELD_score, 1,
	 "< 0.8"},
	{"given", "full", NULL, EACH_GROUP, "score, median", median, FIELD_score, 1, "< today"},
	{"given", "full", NULL, EACH_GROUP, "score now / today, geometric mean", ratio_geometric, FIELD_score,
	 1, "< 1"},
	{"given", "thin", NULL, ALL, "score, median of curves", median, FIELD_score, 1, "< today"},
	{"given", "thin", NULL, ALL, "score, geometric mean", geometric, FIELD_score, 1, "< today"},
	{"given", "thin", NULL, ALL, "score now / today, geometric mean", ratio_geometric, FIELD_score, 1,
	 "< 1"},
	{"given", "full", NULL, ALL, "held where never measured, pooled, %", pooled, FIELD_held_new, 100,
	 "87-94"},
	{"given", "full", NULL, EACH_GROUP, "held where never measured, pooled, %", pooled, FIELD_held_new,
	 100, "87-94"},
	{"given", "full", NULL, EACH_GROUP, "held where never measured, median, %", unit_pooled,
	 FIELD_held_new, 100, "87-94"},
	{"given", "thin", NULL, ALL, "held where never measured, pooled, %", pooled, FIELD_held_new, 100,
	 "87-94"},
	{"given", "full", NULL, ALL, "half-width, ln, median", median, FIELD_half, 1, ""},
	{"given", "full", NULL, ALL, "cost / limit, median", median, FIELD_cost, 1, "<= today"},
	{"given", "full", NULL, ALL, "cost / limit, geometric mean", geometric, FIELD_cost, 1, "<= today"},
	{"given", "full", NULL, ALL, "cost / limit, most", most, FIELD_cost, 1, "<= today"},
	{"given", "full", NULL, EACH_GROUP, "cost / limit, median", median, FIELD_cost, 1, ""},
	{"given", "thin", NULL, ALL, "cost / limit, median", median, FIELD_cost, 1, "<= today"},
	{"given", "full", NULL, ALL, "error, mean of sizes, median, %", median, FIELD_mean, 100, "<= today"},
	{"given", "full", NULL, ALL, "error, p95 of sizes, median, %", median, FIELD_p95, 100, "<= today"},
	{"given", "thin", NULL, ALL, "error, p95 of sizes, median, %", median, FIELD_p95, 100, "<= today"},
	{"given", "full", NULL, ALL, "runs, median", median, FIELD_runs, 1, ""},
	{"given", NULL, NULL, ALL, "silent failures, replays", count, FIELD_silent, 1, "0"},
	{"given", NULL, NULL, ALL, "called rough, replays", count, FIELD_rough, 1, ""},
	{"given", NULL, NULL, ALL, "called rough, p95 < 10 %, replays", count, FIELD_alarm, 1, "0"},
	{"given", "full", NULL, ALL, "CPU time of a replay, ms, mean", mean, FIELD_cpu_s, 1e3, ""},

	{"made", NULL, NULL, ALL, "silent failures", count, FIELD_silent, 1, "0"},
	{"made", "dense", NULL, EACH_GROUP, "silent failures", count, FIELD_silent, 1, "0"},
	{"made", "sparse", NULL, EACH_GROUP, "silent failures", count, FIELD_silent, 1, "0"},
	{"made", NULL, NULL, EACH_KIND, "silent failures", count, FIELD_silent, 1, "0"},
	{"made", NULL, NULL, ALL, "called rough, p95 < 10 %", count, FIELD_alarm, 1, "0"},
	{"made", NULL, NULL, EACH_GROUP, "called rough, p95 < 10 %", count, FIELD_alarm, 1, "0"},
	{"made", NULL, NULL, EACH_KIND, "called rough, p95 < 10 %", count, FIELD_alarm, 1, "0"},
	{"made", NULL, NULL, ALL, "cost / largest run, median", median, FIELD_cost, 1, "<= today"},
	{"made", NULL, NULL, ALL, "cost / largest run, geometric mean", geometric, FIELD_cost, 1, "<= today"},
	{"made", "dense", NULL, EACH_GROUP, "cost / largest run, median", median, FIELD_cost, 1, ""},
	{"made", "sparse", NULL, EACH_GROUP, "cost / largest run, median", median, FIELD_cost, 1, ""},
	{"made", NULL, NULL, ALL, "runs, mean", mean, FIELD_runs, 1, ""},
	{"made", NULL, NULL, ALL, "error, p95 of sizes, median, %", median, FIELD_p95, 100, "<= today"},
	{"made", "dense", NULL, EACH_GROUP, "error, p95 of sizes, median, %", median, FIELD_p95, 100, ""},
	{"made", "sparse", NULL, EACH_GROUP, "error, p95 of sizes, median, %", median, FIELD_p95, 100, ""},
	{"made", NULL, NULL, ALL, "score, geometric mean", geometric, FIELD_score, 1, "< today"},
	{"made", NULL, NULL, ALL, "score now / today, geometric mean", ratio_geometric, FIELD_score, 1,
	 "< 1"},
	{"made", "dense", NULL, EACH_GROUP, "score, geometric mean", geometric, FIELD_score, 1, ""},
	{"made", "sparse", NULL, EACH_GROUP, "score, geometric mean", geometric, FIELD_score, 1, ""},
	{"made", NULL, NULL, EACH_KIND, "score, geometric mean", geometric, FIELD_score, 1, ""},
	{"made", NULL, NULL, ALL, "held where never measured, pooled, %", pooled, FIELD_held_new, 100,
	 "87-94"},
	{"made", NULL, NULL, EACH_GROUP, "held where never measured, pooled, %", pooled, FIELD_held_new, 100,
	 "87-94"},
	{"made", NULL, NULL, EACH_KIND, "held where never measured, pooled, %", pooled, FIELD_held_new, 100,
	 "87-94"},
	{"made", NULL, NULL, ALL, "CPU time of a replay, ms, mean", mean, FIELD_cpu_s, 1e3, ""},

	{"made-5", NULL, NULL, ALL, "score / oracle's, mean", by_oracle, FIELD_score, 1, "<= 1.2"},
	{"made-5", NULL, NULL, ALL, "score / oracle's, median", by_oracle_median, FIELD_score, 1, "<= 1.2"},
	{"made-5", "dense", NULL, EACH_GROUP, "score / oracle's, mean", by_oracle, FIELD_score, 1, "<= 1.2"},
	{"made-5", "sparse", NULL, EACH_GROUP, "score / oracle's, mean", by_oracle, FIELD_score, 1, "<= 1.2"},
	{"made-5", NULL, NULL, EACH_GROUP, "score / oracle's, median", by_oracle_median, FIELD_score, 1,
	 "<= 1.2"},
	{"made-5", NULL, NULL, EACH_KIND, "score / oracle's, mean", by_oracle, FIELD_score, 1, "<= 1.2"},
	{"made-5", NULL, NULL, EACH_KIND, "score / oracle's, median", by_oracle_median, FIELD_score, 1,
	 "<= 1.2"},
	{"made-5", NULL, NULL, ALL, "silent failures", count, FIELD_silent, 1, "0"},
	{"made-5", NULL, NULL, ALL, "called rough, p95 < 10 %", count, FIELD_alarm, 1, "0"},
	{"made-5", NULL, NULL, ALL, "cost / largest run, median", median, FIELD_cost, 1, "<= today"},
	{"made-5", NULL, NULL, ALL, "error, p95 of sizes, median, %", median, FIELD_p95, 100, "<= today"},
	{"made-5", NULL, NULL, ALL, "held where never measured, pooled, %", pooled, FIELD_held_new, 100,
	 "87-94"},

	{"beyond", "x4", "work given", ALL, "error, median, %", median, FIELD_mean, 100, "<= 11"},
	{"beyond", "x4", "work given", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 70"},
	{"beyond", "x4", "work given", ALL, "held, %", pooled, FIELD_held, 100, "87-94"},
	{"beyond", "x4", "work given", ALL, "score, mean", mean, FIELD_score, 1, "< today"},
	{"beyond", "x4", "no work", ALL, "error, median, %", median, FIELD_mean, 100, "<= 20"},
	{"beyond", "x4", "no work", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 50"},
	{"beyond", "x4", "no work", ALL, "held, %", pooled, FIELD_held, 100, "87-94"},
	{"beyond", "x4", "no work", ALL, "score, mean", mean, FIELD_score, 1, "< today"},
	{"beyond", "x8", "work given", ALL, "error, median, %", median, FIELD_mean, 100, "<= 25"},
	{"beyond", "x8", "work given", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 44"},
	{"beyond", "x8", "work given", ALL, "held, %", pooled, FIELD_held, 100, "87-94"},
	{"beyond", "x8", "work given", ALL, "score, mean", mean, FIELD_score, 1, "< today"},
	{"beyond", "x8", "no work", ALL, "error, median, %", median, FIELD_mean, 100, "<= 43"},
	{"beyond", "x8", "no work", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 37"},
	{"beyond", "x8", "no work", ALL, "held, %", pooled, FIELD_held, 100, "87-94"},
	{"beyond", "x8", "no work", ALL, "score, mean", mean, FIELD_score, 1, "< today"},

	{"laws", "predict", "noise 5 %", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 98"},
	{"laws", "predict", "noise 10 %", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 95"},
	{"laws", "predict", "noise 20 %", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 88"},
	{"laws", "fit", "noise 5 %", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 98"},
	{"laws", "fit", "noise 10 %", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 95"},
	{"laws", "fit", "noise 20 %", ALL, "within 20 %, %", within, FIELD_mean, 100, ">= 87"},
	{"laws", "predict", NULL, EACH_KIND, "held, %", pooled, FIELD_held, 100, ">= 87"},

	{"time", NULL, NULL, EACH_GROUP, "CPU time of a decision, ms, mean", mean, FIELD_cpu_s, 1e3, ""},
	{"time", NULL, NULL, EACH_GROUP, "CPU time of a decision, ms, most", mean, FIELD_worst, 1e3, ""},
};

/* ---- choosing, spreads, printing ----------------------------------------------------------------------- */

enum { BATCHES = 10 };

struct source {
	const struct records *now, *today;
	struct pair *pair, *kept;
	double *scratch;
};

static bool is_wanted(const struct line *line, const char *group, const char *kind, const struct record *r)
{
	return !strcmp(line->part, r->part) && (!line->lattice || !strcmp(line->lattice, r->lattice)) &&
	       (!group || !strcmp(group, r->group)) && (!kind || !strcmp(kind, r->kind));
}

static const struct record *find(const struct records *records, const struct record *like)
{
	size_t low = 0, high = records->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = record_compare(&records->record[middle], like);

		if (!order)
			return &records->record[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Batches are of units where these are curves, else of seeds: the same seed makes curves alike. */
static void number(struct pair *pair, const struct pair *before)
{
	bool same = before && !strcmp(before->now->name, pair->now->name) &&
		    !strcmp(before->now->kind, pair->now->kind) &&
		    !strcmp(before->now->lattice, pair->now->lattice);
	bool curves = !strcmp(pair->now->part, "given") || !strcmp(pair->now->part, "beyond");

	pair->unit = before ? before->unit + !same : 0;
	pair->batch = (curves ? pair->unit : pair->now->seed) % BATCHES;
}

static struct set choose(const struct source *source, const struct line *line, const char *group,
			 const char *kind)
{
	struct set set = {.pair = source->pair, .scratch = source->scratch};
	size_t i;

	for (i = 0; i < source->now->n; i++) {
		const struct record *r = &source->now->record[i];
		struct pair *pair = &set.pair[set.n];

		if (!is_wanted(line, group, kind, r))
			continue;
		*pair = (struct pair){.now = r, .today = source->today ? find(source->today, r) : NULL};
		if (source->today && !pair->today)
			continue;
		number(pair, set.n ? pair - 1 : NULL);
		set.n++;
	}
	return set;
}

/* One standard error, by leaving out a batch after the other (Efron and Tibshirani, An introduction to the
 * bootstrap, 1993, chapter 11: the grouped jackknife). Counts are sums of batches. */
static double spread(const struct source *source, const struct set *set, const struct line *line, bool today)
{
	double left[BATCHES], batches = 0, sum = 0, square = 0;
	size_t batch, i;

	for (batch = 0; batch < BATCHES; batch++) {
		struct set part = {.pair = source->kept, .scratch = source->scratch};

		for (i = 0; i < set->n; i++)
			if (set->pair[i].batch != batch)
				part.pair[part.n++] = set->pair[i];
		if (part.n == set->n || !part.n)
			continue;
		left[(size_t)batches] = line->figure(&part, today, line->field);
		sum += left[(size_t)batches++];
	}
	for (i = 0; i < (size_t)batches; i++)
		square += pow(left[i] - sum / batches, 2);
	return batches > 1 ? sqrt((batches - 1) / batches * square) : (double)NAN;
}

static void print_number(double value)
{
	double size = fabs(value);

	if (isnan(value))
		printf(" %8s", "-");
	else
		printf(" %8.*f", size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3, value);
}

static void print_figure(const struct source *source, struct set *set, const struct line *line, bool today)
{
	double value = NAN, error = NAN;

	if (set->n && !(today && !set->pair->today)) {
		value = line->unit * line->figure(set, today, line->field);
		error = line->unit * spread(source, set, line, today);
	}
	print_number(value);
	print_number(isnan(value) ? (double)NAN : error);
}

static bool needs_today(const struct line *line)
{
	return line->figure == ratio_median || line->figure == ratio_geometric;
}

static void print_line(const struct source *source, const struct line *line, const char *group,
		       const char *kind)
{
	struct set set = choose(source, line, group, kind);
	char label[128];

	if (!set.n || (needs_today(line) && !source->today))
		return;
	(void)snprintf(label, sizeof label, "%s%s%s%s%s%s%s: %s", line->part, line->lattice ? " " : "",
		       line->lattice ? line->lattice : "", group ? " " : "", group ? group : "",
		       kind ? " " : "", kind ? kind : "", line->label);
	printf("%-64s", label);
	print_figure(source, &set, line, true);
	print_figure(source, &set, line, false);
	printf("  %-9s %5zu\n", line->aim, set.n);
}

/* The different groups (or kinds) of the part, in the order of the records. */
static void print_each(const struct source *source, const struct line *line)
{
	enum { MOST = 32 };
	const char *seen[MOST];
	size_t i, k, n = 0;

	for (i = 0; i < source->now->n && n < MOST; i++) {
		const struct record *r = &source->now->record[i];
		const char *value = line->each == EACH_GROUP ? r->group : r->kind;

		if (!is_wanted(line, NULL, line->kind, r))
			continue;
		for (k = 0; k < n && strcmp(seen[k], value) != 0; k++)
			;
		if (k == n)
			seen[n++] = value;
	}
	for (k = 0; k < n; k++)
		print_line(source, line, line->each == EACH_GROUP ? seen[k] : NULL,
			   line->each == EACH_KIND ? seen[k] : line->kind);
}

void table_print(const struct records *now, const struct records *today)
{
	struct source source = {.now = now,
				.today = today,
				.pair = ft_calloc(now->n + 1, sizeof *source.pair),
				.kept = ft_calloc(now->n + 1, sizeof *source.kept),
				.scratch = ft_calloc(now->n + 1, sizeof *source.scratch)};
	size_t i;

	printf("%-64s %8s %8s %8s %8s  %-9s %5s\n", "", "today", "+-", "now", "+-", "aim", "of");
	for (i = 0; source.pair && source.kept && source.scratch && i < sizeof lines / sizeof *lines; i++)
		if (lines[i].each == ALL)
			print_line(&source, &lines[i], NULL, lines[i].kind);
		else
			print_each(&source, &lines[i]);
	ft_free(source.pair);
	ft_free(source.kept);
	ft_free(source.scratch);
}
