/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks_draw.c - tasks at their times as a chart of bars. */
#include "cli/plan/tasks.h"
#include "foretime/plot.h"

#include <stdlib.h>

/* What is reserved lies below the tasks. */
static size_t fill_bars(const struct cli_tasks *t, const struct ft_plan_slot *slot, const size_t *order,
			struct ft_bar *bar)
{
	size_t n = 0;
	double end = 0;

	for (size_t i = 0; i < t->graph.n; i++)
		end = slot[i].end_s > end ? slot[i].end_s : end;
	for (size_t i = 0; i < t->n_reserved; i++) {
		const struct ft_plan_reserved *r = &t->reserved[i];

		if (r->from_s < end)
			bar[n++] = (struct ft_bar){NULL, r->machine, r->from_s, r->to_s < end ? r->to_s : end,
						   0};
	}
	for (size_t i = 0; i < t->graph.n; i++) {
		const struct ft_plan_slot *s = &slot[order ? order[i] : i];

		bar[n++] = (struct ft_bar){t->graph.task[s - slot].id, s->machine, s->start_s, s->end_s, i};
	}
	return n;
}

int cli_tasks_draw(const struct cli_tasks *t, const struct ft_plan_slot *slot, const size_t *order,
		   const char *title, const char *path)
{
	CLI_OWN struct ft_bar *bar = cli_alloc((t->graph.n + t->n_reserved) * sizeof *bar);
	const struct ft_gantt gantt = {.row = (const char *const *)t->host,
				       .rows = t->m,
				       .bar = bar,
				       .bars = fill_bars(t, slot, order, bar)};
	struct ft_err err = {0};
	char *text = NULL;
	enum ft_status status = ft_plot_gantt(title, &gantt, path, 0, path ? NULL : &text, &err);

	return cli_plan_drawn(status, text, &err);
}
