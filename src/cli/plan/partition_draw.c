/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_draw.c - a division as a picture: what each processor takes for a share, and its own; time
 * against energy. */
#include "cli/plan/partition.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>

/* So many curves, so many of them with a name, and places on each. */
enum { CURVES = 24, NAMED = 8, PLACES = 300 };

/* Beyond the largest share. */
static const double air = 1.25;

/* What is drawn; x and y are its own. */
struct curves {
	struct ft_series series[CURVES + 2];
	char *title[CURVES + 2];
	size_t n;
};

static void add_series(struct curves *c, char *title, bool points, double *x, double *y, size_t n)
{
	c->series[c->n] = (struct ft_series){.title = title, .x = x, .y = y, .n = n};
	c->series[c->n].kind = points ? FT_SERIES_POINTS : FT_SERIES_LINE;
	c->series[c->n].strong = points;
	c->title[c->n++] = title;
}

static void clear_curves(struct curves *c)
{
	while (c->n-- > 0) {
		free((void *)(uintptr_t)c->series[c->n].x);
		free((void *)(uintptr_t)c->series[c->n].y);
		free(c->title[c->n]);
	}
}

static char *name_of(const struct cli_partition *q, const struct cli_processor *processor)
{
	const char *host = processor->host->name;
	bool several = false;

	if (q->divide.n > NAMED)
		return NULL;
	for (size_t i = 0; i < q->divide.n; i++)
		several = several || q->processor[i].name != processor->name;
	if (!host)
		return cli_strdup(processor->name);
	return several ? cli_printed("%s on %s", processor->name, host) : cli_strdup(host);
}

static void add_curve(struct curves *c, const struct cli_partition *q, size_t group, double most)
{
	const struct ft_plan_times times = ft_divide_times(&q->divide, group);
	double *x = cli_alloc(PLACES * sizeof *x), *y = cli_alloc(PLACES * sizeof *y);
	size_t n = 0;

	for (size_t k = 1; k <= PLACES; k++) {
		int64_t units =
			q->divide.step * (int64_t)(most / (double)q->divide.step * (double)k / PLACES);
		double time = units ? ft_plan_time(&times, units) : 0;

		if (!units || (n && x[n - 1] == (double)units))
			continue;
		x[n] = (double)units;
		y[n++] = isfinite(time) ? time : (double)NAN;
	}
	add_series(c, name_of(q, &q->processor[group]), false, x, y, n);
}

static void add_shares(struct curves *c, const struct cli_partition *q, double most)
{
	double *x = cli_alloc(q->found.p * sizeof *x), *y = cli_alloc(q->found.p * sizeof *y);
	double *end_x = cli_alloc(2 * sizeof *end_x), *end_y = cli_alloc(2 * sizeof *end_y);
	char time[FT_UNIT_LENGTH];
	size_t n = 0;

	for (size_t i = 0; i < q->found.p; i++) {
		x[n] = (double)q->found.share[i].units;
		y[n] = q->found.share[i].time_s;
		n += q->found.share[i].units > 0;
	}
	end_x[1] = most;
	end_y[0] = end_y[1] = q->found.time_s;
	add_series(c, cli_printed("all done in %s", ft_value_format(q->found.time_s, "s", time)), false,
		   end_x, end_y, 2);
	add_series(c, cli_strdup("shares"), true, x, y, n);
}

static void add_front(struct curves *c, const struct cli_partition *q)
{
	const struct ft_plan_front *front = &q->front;
	double *x = cli_alloc((front->n + 1) * sizeof *x), *y = cli_alloc((front->n + 1) * sizeof *y);
	double *u = cli_alloc(sizeof *u), *v = cli_alloc(sizeof *v);

	for (size_t i = 0; i < front->n; i++) {
		x[i] = front->point[i].time_s;
		y[i] = front->point[i].energy_j;
	}
	u[0] = q->found.time_s;
	v[0] = q->found.cheap.plan.value;
	add_series(c, cli_strdup("no plan is better in both"), false, x, y, front->n);
	add_series(c, cli_strdup("the plan"), true, u, v, 1);
}

/* The panels: the front, where one is asked for, and times by share. Returns how many. */
static size_t fill_panels(const struct cli_partition *q, struct curves *front, struct curves *times,
			  struct ft_panel panel[2])
{
	double largest = 0;
	size_t n = 0;

	for (size_t i = 0; i < q->found.p; i++)
		largest = fmax(largest, (double)q->found.share[i].units);
	double most = fmin(air * largest, (double)q->divide.total);
	for (size_t i = 0; i < q->divide.n && i < CURVES; i++)
		add_curve(times, q, i, most);
	add_shares(times, q, most);
	if (q->plan->front) {
		add_front(front, q);
		panel[n++] = (struct ft_panel){.x_label = "time (s)",
					       .y_label = "energy",
					       .y_unit = "J",
					       .series = front->series,
					       .n = front->n};
	}
	panel[n++] = (struct ft_panel){.x_label = q->parameter,
				       .y_label = "time of a share",
				       .y_unit = "s",
				       .series = times->series,
				       .n = times->n};
	return n;
}

int cli_partition_draw(const struct cli_partition *q)
{
	struct curves front = {.n = 0}, times = {.n = 0};
	struct ft_panel panel[2];
	size_t n = fill_panels(q, &front, &times, panel);
	char *units = cli_plan_units((double)q->divide.total), *text = NULL;
	CLI_OWN char *title = cli_printed("%s=%s over %zu processor%s", q->parameter, units, q->found.p,
					  q->found.p == 1 ? "" : "s");
	struct ft_err err = {0};
	enum ft_status status = ft_plot_draw(title, panel, n, cli_plan_picture(q->plan), 0,
					     cli_plan_picture(q->plan) ? NULL : &text, &err);

	clear_curves(&front);
	clear_curves(&times);
	free(units);
	return cli_plan_drawn(status, text, &err);
}
