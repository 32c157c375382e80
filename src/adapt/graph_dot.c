/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_dot.c - a graph for Graphviz (graphviz.org, The DOT Language). */
#include "base/text.h"
#include "foretime/graph.h"
#include "foretime/units.h"

/* Within quotes only the quote is special, and a backslash before what follows it. */
static void add_label(struct ft_text *text, const char *label)
{
	for (; *label; label++) {
		if (*label == '"' || *label == '\\')
			ft_text_add(text, "\\");
		ft_text_add_bytes(text, *label == '\n' ? " " : label, 1);
	}
}

static void add_task(struct ft_text *text, const struct ft_graph_task *task, const struct ft_plan_slot *slot,
		     const char *const *host)
{
	char from[FT_UNIT_LENGTH], to[FT_UNIT_LENGTH];

	add_label(text, task->id);
	if (!slot)
		return;
	ft_text_add(text, "\\n");
	add_label(text, host[slot->machine]);
	ft_text_add(text, "\\n%s - %s", ft_value_format(slot->start_s, "s", from),
		    ft_value_format(slot->end_s, "s", to));
}

enum ft_status ft_graph_dot(const struct ft_graph *graph, const struct ft_plan_slot *slot,
			    const char *const *host, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	char bytes[FT_UNIT_LENGTH];

	ft_text_add(&text, "digraph plan {\n\tnode [shape=box]\n");
	for (size_t i = 0; i < graph->n; i++) {
		ft_text_add(&text, "\tt%zu [label=\"", i);
		add_task(&text, &graph->task[i], slot ? &slot[i] : NULL, host);
		ft_text_add(&text, "\"]\n");
	}
	for (size_t i = 0; i < graph->n_edges; i++) {
		const struct ft_plan_edge *edge = &graph->edge[i];

		ft_text_add(&text, "\tt%zu -> t%zu", edge->from, edge->to);
		if (edge->bytes > 0)
			ft_text_add(&text, " [label=\"%s\"]", ft_value_format(edge->bytes, "bytes", bytes));
		ft_text_add(&text, "\n");
	}
	ft_text_add(&text, "}\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
