/* SPDX-License-Identifier: GPL-3.0-or-later */
/* noise.c - how far runs of one size differ, of recorded programs: what the constants of model/noise.c are
 *chosen by, and how many runs lie inside the 90 % interval that one other run of their size gives.
 *
 *	bench-noise [RUNS.csv ...]
 *
 * Recorded tasks ($FORETIME_DATA/tasks/records.csv.gz: time and memory; their load is not known), recorded
 *curves (curves/, measured on idle machines), and tables of runs as foretime export writes them, with the
 *load that was seen around each. A size counts that was run twice or more; all sizes of a program together
 *count as one. Prints Markdown. */
#include "base/csv.h"
#include "curve.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MOST = 65536, VALUES_MOST = 512 };

/* The runs of one size. */
struct group {
	char program[96];
	enum ft_resource_class of;
	double ln[VALUES_MOST];
	size_t n;
	double seconds, load; /* of the first of them */
};

static struct group *all;
static size_t n_groups;

static struct group *group_new(const char *program, enum ft_resource_class of, double seconds, double load)
{
	struct group *g = &all[n_groups];

	if (n_groups == GROUPS_MOST - 1)
		exit(2);
	n_groups++;
	*g = (struct group){.of = of, .seconds = seconds, .load = load};
	(void)snprintf(g->program, sizeof g->program, "%s", program);
	return g;
}

static void group_add(struct group *g, double value)
{
	if (value > 0 && g->n < VALUES_MOST)
		g->ln[g->n++] = log(value);
}

static void read_curves(const char *data)
{
	char folder[4096];
	struct curve curve;
	size_t at = 0;

	(void)snprintf(folder, sizeof folder, "%s/curves", data);
	while (curve_next(&curve, folder, &at)) {
		for (size_t i = 0; i < curve.n; i++) {
			struct group *g = group_new(curve.name, FT_CLASS_TIME, curve.size[i].median, 0);

			for (size_t k = 0; k < curve.size[i].samples; k++)
				group_add(g, curve.size[i].sample[k]);
		}
		curve_clear(&curve);
	}
}

static double number(const struct ft_csv *csv, size_t row, const char *name)
{
	double value = NAN;

	(void)ft_csv_number(csv, row, (size_t)ft_csv_column(csv, name), true, &value, NULL);
	return value;
}

/* The group of a task at a size, among those from `first` on. */
static struct group *group_of(size_t first, const char *program, enum ft_resource_class of, double seconds)
{
	for (size_t i = first; i < n_groups; i++)
		if (all[i].of == of && !strcmp(all[i].program, program))
			return &all[i];
	return group_new(program, of, seconds, NAN);
}

static void read_tasks(const char *data)
{
	char path[4096], key[96];
	struct ft_csv *csv;
	struct ft_err err;
	size_t first = n_groups;

	(void)snprintf(path, sizeof path, "%s/tasks/records.csv.gz", data);
	if (ft_csv_read(path, ',', &csv, &err)) {
		(void)fprintf(stderr, "noise: %s\n", err.text);
		return;
	}
	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		const char *task = ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "task"));
		size_t length = strlen(task);

		(void)snprintf(key, sizeof key, "%.12s %.50s/%s",
			       ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "machine")),
			       length > 50 ? task + length - 50 : task,
			       ft_csv_cell(csv, row, (size_t)ft_csv_column(csv, "size")));
		group_add(group_of(first, key, FT_CLASS_TIME, number(csv, row, "seconds")),
			  number(csv, row, "seconds"));
		group_add(group_of(first, key, FT_CLASS_MEMORY, number(csv, row, "seconds")),
			  number(csv, row, "peak"));
	}
	for (size_t i = first; i < n_groups; i++)
		*strrchr(all[i].program, '/') = '\0'; /* the size is no part of the program */
	ft_csv_free(csv);
}

static void read_runs(const char *path)
{
	static const struct ft_resource *const resource[] = {&ft_wall_s, &ft_cpu_s, &ft_peak_rss_bytes};
	struct ft_program program = {0};
	struct ft_runs runs = {0};
	struct ft_err err;
	size_t k;

	if (ft_runs_read(path, &program, &runs, &err)) {
		(void)fprintf(stderr, "noise: %s\n", err.text);
		return;
	}
	for (size_t r = 0; r < sizeof resource / sizeof *resource; r++)
		for (size_t i = 0; i < runs.n; i++) {
			const struct ft_run *run = &runs.run[i];

			for (k = 0; k < i && !ft_size_equal(&runs.run[k].size, &run->size);)
				k++;
			if (k < i)
				continue;
			struct group *g = group_new(path, resource[r]->of, ft_run_value(run, &ft_wall_s),
						    fmax(0, ft_run_runnable(run)) / run->processors);
			for (k = i; k < runs.n; k++)
				if (ft_size_equal(&runs.run[k].size, &run->size))
					group_add(g, ft_run_idle_value(&runs.run[k], resource[r]));
		}
	ft_runs_clear(&runs);
}

/* How many other runs lie inside the interval that one run gives. */
static double inside_of(const struct group *g)
{
	double usual = ft__noise_usual(g->of, g->seconds, g->load), hold, n = 0, held = 0;
	struct ft__noise noise = ft__noise_known(usual, usual, 0);

	hold = sqrt(2) * ft_normal_quantile(0.95) * noise.scale * ft__noise_stretch(noise.spread, 0.9);
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->n; k++) {
			held += k != i && fabs(g->ln[k] - g->ln[i]) <= hold;
			n += k != i;
		}
	return held / n;
}

/* A row: the groups of a class whose runs take so long, beside so much load (NaN: not known). */
static void print_row(const char *what, enum ft_resource_class of, double from, double to, double load_from,
		      double load_to)
{
	double *ln = calloc(n_groups, sizeof *ln), held = 0, weight = 0, usual = 0, mean = 0, square = 0;
	size_t n = 0;

	for (size_t i = 0; ln && i < n_groups; i++) {
		const struct group *g = &all[i];
		bool load = isnan(load_from) ? isnan(g->load) : g->load >= load_from && g->load < load_to;
		double same = 0;

		if (g->of != of || g->n < 2 || !load || !(g->seconds >= from && g->seconds < to))
			continue;
		for (size_t k = 0; k < n_groups; k++)
			same += all[k].of == of && all[k].n > 1 && !strcmp(all[k].program, g->program);
		ln[n] = log(fmax(sqrt(ft_stats_variance(g->ln, g->n)), 1e-3));
		held += inside_of(g) / same;
		usual += log(ft__noise_usual(of, g->seconds, g->load)) / same;
		mean += ln[n] / same;
		square += ln[n] * ln[n] / same;
		weight += 1 / same;
		n++;
	}
	if (n)
		printf("| %s | %g .. %g s | %zu | %.3g | %.3g | %.2g | %.3g | %.1f |\n", what, from, to, n,
		       exp(ft_stats_median(ln, n)), exp(mean / weight),
		       sqrt(fmax(0, square / weight - pow(mean / weight, 2))), exp(usual / weight),
		       100 * held / weight);
	free(ln);
}

int main(int argc, char **argv)
{
	static const double edge[] = {0, 1e-3, 0.1, 1, 10, 100, 1e9};
	const char *data = getenv("FORETIME_DATA");

	all = calloc(GROUPS_MOST, sizeof *all);
	if (!all)
		return 2;
	data = data ? data : "../shared/data";
	read_curves(data);
	read_tasks(data);
	for (int i = 1; i < argc; i++)
		read_runs(argv[i]);
	puts("| class, load | run | sizes | deviation, median | geometric mean | of its ln | built in | one "
	     "run: % of others inside |");
	puts("|---|---|---|---|---|---|---|---|");
	for (int i = 0; i < 6; i++)
		print_row("time, idle", FT_CLASS_TIME, edge[i], edge[i + 1], 0, 0.2);
	for (int i = 0; i < 6; i++)
		print_row("time, busy", FT_CLASS_TIME, edge[i], edge[i + 1], 0.2, 1e9);
	for (int i = 0; i < 6; i++)
		print_row("time, not known", FT_CLASS_TIME, edge[i], edge[i + 1], NAN, NAN);
	print_row("memory", FT_CLASS_MEMORY, 0, 1e9, 0, 1e9);
	print_row("memory, not known", FT_CLASS_MEMORY, 0, 1e9, NAN, NAN);
	free(all);
	return 0;
}
