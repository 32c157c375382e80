/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stg.h - task graphs of the Standard Task Graph set from $FORETIME_DATA/dags, with their least makespans on
 * m equal machines; and an independent judge of schedules. For a test and a bench. */
#ifndef FT_PLAN_STG_H
#define FT_PLAN_STG_H

#include "base/alloc.h"
#include "base/input.h"
#include "foretime/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STG_TASKS = 60, STG_EDGES = 1600, STG_BYTES = 1 << 24 };

struct stg {
	size_t n, edges;
	double work[STG_TASKS];
	struct ft_plan_edge edge[STG_EDGES];
};

/* The whole archive, unpacked; NULL: not there. Freed with ft_free. */
__attribute__((unused)) static char *stg_open(const char *folder, size_t *length)
{
	struct ft_input *input;
	char path[4096], *bytes = NULL;

	(void)snprintf(path, sizeof path, "%s/stg50.tar.gz", folder);
	if (ft__input_open(&input, path, NULL))
		return NULL;
	if (ft__input_all(input, STG_BYTES, &bytes, length, NULL))
		bytes = NULL;
	ft__input_close(input);
	return bytes;
}

/* The text of one file of a tar archive: headers of 512 bytes, the size in octal at 124. */
__attribute__((unused)) static const char *stg_find(const char *tar, size_t length, const char *name)
{
	size_t at = 0;

	while (at + 512 <= length && tar[at]) {
		size_t bytes = strtoul(tar + at + 124, NULL, 8);

		if (!strcmp(tar + at, name))
			return tar + at + 512;
		at += 512 + (bytes + 511) / 512 * 512;
	}
	return NULL;
}

/* A graph: the number of tasks less two empty ones; then task, time, how many it waits for, which. */
__attribute__((unused)) static bool stg_read(struct stg *g, const char *text)
{
	char *end;
	size_t i;

	g->n = strtoul(text, &end, 10) + 2;
	g->edges = 0;
	for (i = 0; i < g->n && i < STG_TASKS; i++) {
		size_t task = strtoul(end, &end, 10), waits;

		g->work[i] = strtod(end, &end);
		waits = strtoul(end, &end, 10);
		for (size_t k = 0; k < waits && g->edges < STG_EDGES; k++)
			g->edge[g->edges++] = (struct ft_plan_edge){strtoul(end, &end, 10), i, 0};
		if (task != i)
			return false;
	}
	return i == g->n && g->edges < STG_EDGES;
}

/* Rows of stg50_mM.csv: file, machines, least makespan; or the bounds of one that is not proved. False: no
 * more. */
__attribute__((unused)) static bool stg_next(FILE *csv, char *file, size_t *m, double *least, double *most)
{
	char line[200];

	if (!csv || !fgets(line, sizeof line, csv))
		return false;
	int read = sscanf(line, "%63[^,],%zu,%lf,%lf", file, m, least, most);
	if (read == 3)
		*most = *least;
	return read >= 3;
}

__attribute__((unused)) static FILE *stg_list(const char *folder, int machines)
{
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/stg50_m%d.csv", folder, machines);
	return fopen(path, "r");
}

struct judged {
	double start, end;
};

static int judged_order(const void *a, const void *b)
{
	const struct judged *p = a, *q = b;

	return p->start != q->start ? (p->start > q->start ? 1 : -1) : (p->end > q->end) - (p->end < q->end);
}

/* The makespan of a schedule that keeps all rules, to the last bit; NaN: it breaks one. Written without a
 * look at what made the schedule. */
static double judge_schedule(const double *p, size_t n, size_t m, const struct ft_plan_edge *edge,
			     size_t edges, const struct ft_plan_links *links, const struct ft_plan_slot *slot)
{
	struct judged *lane = malloc((n + 1) * sizeof *lane);
	double t = 0;
	size_t v, count;

	for (v = 0; v < n; v++) {
		if (slot[v].machine >= m || !(slot[v].start_s >= 0) ||
		    slot[v].end_s != slot[v].start_s + p[v * m + slot[v].machine])
			t = NAN;
		t = slot[v].end_s > t ? slot[v].end_s : t;
	}
	for (size_t i = 0; i < edges; i++) {
		size_t a = slot[edge[i].from].machine, b = slot[edge[i].to].machine;
		double send = 0;

		if (links && edge[i].bytes > 0 && a != b)
			send = links->latency_s_of ? links->latency_s_of[a * m + b] +
							     edge[i].bytes / links->bytes_per_s_of[a * m + b]
						   : links->latency_s + edge[i].bytes / links->bytes_per_s;
		/* Seconds a byte are rounded once. */
		if (!(slot[edge[i].to].start_s >= slot[edge[i].from].end_s + send * (1 - 1e-15)))
			t = NAN;
	}
	for (size_t i = 0; i < m; i++) {
		for (count = 0, v = 0; v < n; v++)
			if (slot[v].machine == i && slot[v].end_s > slot[v].start_s)
				lane[count++] = (struct judged){slot[v].start_s, slot[v].end_s};
		qsort(lane, count, sizeof *lane, judged_order);
		for (v = 1; v < count; v++)
			if (lane[v].start < lane[v - 1].end)
				t = NAN;
	}
	free(lane);
	return t;
}

#endif
