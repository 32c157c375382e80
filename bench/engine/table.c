/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - records as a table. */
#include "base/alloc.h"
#include "figure.h"
#include "table.h"

#include <math.h>
#include <string.h>

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

	for (size_t i = 0; i < source->now->n; i++) {
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

	for (size_t batch = 0; batch < BATCHES; batch++) {
		struct set part = {.pair = source->kept, .scratch = source->scratch};

		for (size_t i = 0; i < set->n; i++)
			if (set->pair[i].batch != batch)
				part.pair[part.n++] = set->pair[i];
		if (part.n == set->n || !part.n)
			continue;
		left[(size_t)batches] = line->figure(&part, today, line->field);
		sum += left[(size_t)batches++];
	}
	for (size_t i = 0; i < (size_t)batches; i++)
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
	return line->figure == figure_ratio_median || line->figure == figure_ratio_geometric;
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
	size_t k, n = 0;

	for (size_t i = 0; i < source->now->n && n < MOST; i++) {
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

/* A version that fails where the other does not must not look good. */
static void print_missing(const struct records *now, const struct records *today)
{
	size_t only_now = 0, only_today = 0;

	for (size_t i = 0; i < now->n; i++)
		only_now += !find(today, &now->record[i]);
	for (size_t i = 0; i < today->n; i++)
		only_today += !find(now, &today->record[i]);
	if (only_now || only_today)
		printf("NOT COMPARED: %zu replays that only this version ended, %zu that only today's "
		       "ended\n",
		       only_now, only_today);
}

void table_print(const struct records *now, const struct records *today, bool brief)
{
	struct source source = {.now = now,
				.today = today,
				.pair = ft_calloc(now->n + 1, sizeof *source.pair),
				.kept = ft_calloc(now->n + 1, sizeof *source.kept),
				.scratch = ft_calloc(now->n + 1, sizeof *source.scratch)};

	printf("%-64s %8s %8s %8s %8s  %-9s %5s\n", "", "today", "+-", "now", "+-", "aim", "of");
	for (size_t i = 0; source.pair && source.kept && source.scratch && i < table_lines; i++)
		if (table_line[i].each == ALL)
			print_line(&source, &table_line[i], NULL, table_line[i].kind);
		else if (!brief)
			print_each(&source, &table_line[i]);
	if (today)
		print_missing(now, today);
	ft_free(source.pair);
	ft_free(source.kept);
	ft_free(source.scratch);
}
