/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h - graphs of tasks: foretime's own JSON and WfCommons' read, DOT written.
 *
 *	{"tasks": [{"id": "a", "name": "sort", "size": {"n": 1000}},
 *	           {"id": "b", "time_s": {"fast": 3, "slow": 9}, "memory": "2GiB"}],
 *	 "edges": [{"from": "a", "to": "b", "bytes": "8*n"}]}
 */
#ifndef FORETIME_GRAPH_H
#define FORETIME_GRAPH_H

#include "foretime/facts.h"
#include "foretime/plan.h"

FT_BEGIN_DECLS

/* Seconds on one host, as given. */
struct ft_graph_time {
	char *host;
	double time_s;
};

struct ft_graph_task {
	char *id;
	char *name; /* of the program whose models predict its times; NULL: they are given */
	struct ft_graph_value {
		char name[FT_PARAM_LENGTH];
		double value;
	} size[FT_PARAMS_MAX]; /* [n_size] */
	size_t n_size;
	double time_s;              /* on every host; NaN: not given like that */
	struct ft_graph_time *time; /* [n_times] on single hosts; it does not fit the others */
	size_t n_times;
	double cpus, memory_bytes, storage_bytes; /* that it needs; 0: not given */
	char *architecture;                       /* of the hosts that it runs on; NULL: any */
	char **host;                              /* [n_hosts] where it has the right to run */
	size_t n_hosts;                           /* 0: everywhere */
	double stage; /* of a topology: modules of one stage run at once; NaN: not given */
};

/* Zero-initialise; ends with ft_graph_clear. */
struct ft_graph {
	struct ft_graph_task *task; /* [n] */
	size_t n;
	struct ft_plan_edge *edge; /* [n_edges] */
	size_t n_edges;
};

/* ft_graph_read - a graph of a file (up to 256 MiB, and 1 GiB of memory), whichever of the two formats it
 * has.
 *
 * Of WfCommons (1.3 to 1.5) come the runtimes as recorded, and on an edge the bytes of the files that its one
 * task writes and the other reads.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_EPARSE: no JSON (line and column); FT_EINVAL: a key that
 * unknown, a task without times, two of one name, an edge to no task, what is negative; FT_ENOMEM.
 */
enum ft_status ft_graph_read(struct ft_graph *out, const char *path, struct ft_err *err);
enum ft_status ft_graph_parse(struct ft_graph *out, const char *name, const char *bytes, size_t length,
			      struct ft_err *err);

/* ft_graph_read_table - tasks without edges, of a table (CSV) with a row a task. Column task: its id, else
 * the number of its row. With a column name: the program, and all other columns are sizes; else they are
 * hosts, and what stands there seconds. An empty cell: no such size, or it does not fit there.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; what ft_csv_read returns; FT_EINVAL: no row, no number, a time below 0, a column that is no
 * parameter; FT_ENOMEM. */
enum ft_status ft_graph_read_table(struct ft_graph *out, const char *path, struct ft_err *err);
void ft_graph_clear(struct ft_graph *graph); /* accepts NULL, and twice */

/* What sending takes between some machines. Zero-initialise; ends with ft_graph_links_clear. */
struct ft_graph_links {
	struct ft_plan_links links;      /* borrows these */
	double *latency_s, *bytes_per_s; /* [m x m], a row sends */
};

/* ft_graph_read_links - of a table (CSV) with the columns from, to (names of hosts, "*": all), latency
 * ("50us") and bandwidth ("125MB" a second). Later rows count; a link that is given one way is both. Machines
 * of one host send at once.
 *
 * host  [m] of each machine
 * out   cleared on failure
 *
 * Returns FT_OK; what ft_csv_read returns; FT_EINVAL: a column or a link that is missing, what is no latency,
 * no bandwidth; FT_ENOMEM. Cost O(rows m^2). */
enum ft_status ft_graph_read_links(struct ft_graph_links *out, const char *const *host, size_t m,
				   const char *path, struct ft_err *err);
void ft_graph_links_clear(struct ft_graph_links *links); /* accepts NULL, and twice */

/* ft_graph_dot - the graph for Graphviz; each task with its host and times where there is a schedule.
 *
 * slot  [n] of ft_plan_schedule; NULL: none. host: [machines] their names
 * out   heap, ends with free
 */
enum ft_status ft_graph_dot(const struct ft_graph *graph, const struct ft_plan_slot *slot,
			    const char *const *host, char **out, struct ft_err *err);

FT_END_DECLS
#endif
