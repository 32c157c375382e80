/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h - a graph being read from JSON. */
#ifndef FT_ADAPT_GRAPH_H
#define FT_ADAPT_GRAPH_H

#include "foretime/graph.h"

#include <jansson.h>

struct ft__graph_reader {
	const char *file;
	struct ft_graph *out;
	json_t *index; /* task by id: its number */
	size_t capacity, edge_capacity;
	struct ft_err *err;
};

/* ft__graph_task - one task more of that id, with nothing told. NULL after a failure. */
struct ft_graph_task *ft__graph_task(struct ft__graph_reader *r, const char *id);

/* ft__graph_find - the number of a task; SIZE_MAX: there is none. */
size_t ft__graph_find(const struct ft__graph_reader *r, const char *id);
enum ft_status ft__graph_edge(struct ft__graph_reader *r, size_t from, size_t to, double bytes);

/* ft__graph_fail - FT_EINVAL: "FILE: what". */
enum ft_status ft__graph_fail(const struct ft__graph_reader *r, const char *format, ...) FT_PRINTF(2, 3);

/* The two formats. */
enum ft_status ft__graph_own(struct ft__graph_reader *r, json_t *root);
bool ft__graph_is_wfcommons(json_t *root);
enum ft_status ft__graph_wfcommons(struct ft__graph_reader *r, json_t *root);

#endif
