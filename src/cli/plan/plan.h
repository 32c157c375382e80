/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - `foretime plan`: its options, hosts and their resources, and models by name and host. */
#ifndef FT_CLI_PLAN_PLAN_H
#define FT_CLI_PLAN_PLAN_H

#include "adapt/door.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/adapt.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "foretime/plan.h"
#include "tell/answers.h"

#include <pthread.h>

/* A row of --resources: what a host has. Missing numbers are NaN. */
struct cli_resource {
	char *host;
	double cores, memory_bytes, storage_bytes, price, watts, limit_s, wait_s, load;
};

/* cli_plan_answer - such a number; 0 if it is missing. */
double cli_plan_answer(double value);

/* A reservation of a host. */
struct cli_reserved {
	char *host; /* or one of its processors: "node1/2" */
	double from_s, to_s;
};

/* A host of --on, and how many processors of it take part. */
struct cli_host {
	char *name; /* NULL: where the runs are (without --on) */
	size_t count;
	const struct cli_resource *resource; /* NULL: none given */
};

/* The models of a program on a host. */
struct cli_source {
	const char *name, *host;
	struct ft_answerer *answerer; /* NULL: no models; err has the reason */
	struct ft_err err;
};

/* The query. Zero-initialise. */
struct cli_plan {
	/* as typed; 0, and of numbers that may be 0 NaN: not given */
	const char *store_path, *on, *resources_path, *sinfo_path, *links_path, *mode, *weights, *progress,
		*symbol, *host_name, *format, *least, *plot;
	struct ft_field_texts wait, reserve;
	struct cli_price price;
	struct cli_agent agent; /* the managers of --ask; n = 0: models of the store answer */
	double granularity, min, risk, memory_risk, deadline_s, effort, cost_s;
	size_t seed;
	bool front, all, dark, json, live;
	const char *via;
	size_t rounds;     /* SIZE_MAX: not given */
	char *const *word; /* behind the action */
	size_t words;
	char **rest; /* behind -- */
	size_t n_rest;
	/* as found */
	struct ft_store *store;
	int64_t here;
	struct cli_resource *resource;
	size_t n_resources;
	struct cli_reserved *reserved; /* of --resources and --reserve */
	size_t n_reserved;
	struct cli_host *host;
	size_t n_hosts;
	struct cli_source **source; /* each allocated by itself: other structs keep pointers to them */
	size_t n_sources;
};

/* cli_plan_open - open the store, --resources, and the hosts of --on: one without a name if there are
 * none. Returns CLI_DONE, or the exit status after a complaint; so do those below unless stated. */
int cli_plan_open(struct cli_plan *plan);
int cli_plan_open_for(struct cli_plan *plan, enum cli_access access);

/* cli_plan_hosts - the same without the store. */
int cli_plan_hosts(struct cli_plan *plan);
void cli_plan_close(struct cli_plan *plan);

/* cli_plan_resource - the row of --resources of a host; NULL: there is none. */
const struct cli_resource *cli_plan_resource(const struct cli_plan *plan, const char *host);

/* cli_plan_source - the models of a program on a host, opened once. Borrowed. */
const struct cli_source *cli_plan_source(struct cli_plan *plan, const char *name, const char *host);

/* cli_plan_size - a size from words "n=100". */
int cli_plan_size(const struct ft_answerer *answerer, char *const *word, size_t n, struct ft_size *size);

/* cli_plan_picture - what was drawn goes to --plot, or on standard output ("-"). path: NULL there. */
const char *cli_plan_picture(const struct cli_plan *plan);
int cli_plan_drawn(enum ft_status status, char *text, const struct ft_err *err);

/* cli_plan_search - the effort and seed that were typed. */
struct ft_plan_search cli_plan_search(const struct cli_plan *plan);

/* cli_plan_units - a number of units as it is typed. Ends with free. */
char *cli_plan_units(double units);

/* cli_plan_proof - "exact: no plan is better", or how far above the best it is at most; ends with free. */
char *cli_plan_proof(const struct ft_plan *plan, const char *unit);

/* cli_plan_total - what is divided, and how much of it: "n=1000". */
int cli_plan_total(const char *word, char parameter[FT_PARAM_LENGTH], int64_t *total);

/* cli_plan_counts - the steps of a partition of so called units, and whether --min is a number of them. */
int cli_plan_counts(const struct cli_plan *plan, const char *parameter, int64_t *step);

/* cli_plan_live - divide, run, divide again. Returns the exit status. */
int cli_plan_live(struct cli_plan *plan);

/* The actions. Each returns the exit status. */
int cli_plan_partition(void *query);
int cli_plan_rank(void *query);
int cli_plan_map(void *query);
int cli_plan_schedule(void *query);

/*
 * A total divided repeatedly over processors that run at once: programs, pieces, launchers.
 */

/* The program on one host: its processors are alike. */
struct cli_live_host {
	const struct cli_host *host;
	struct ft_program program;
	int64_t machine; /* its id */
};

/* The piece of one processor. */
struct cli_live_piece {
	struct cli_live_host *of;
	char *label;
	int64_t units;            /* 0: it is idle */
	struct ft_runs runs;      /* of this lap */
	struct ft_source *source; /* its source of runs when it is started here */
	pthread_t thread;
	bool running;
	enum ft_status status;
	struct ft_err err;
};

struct cli_live {
	struct cli_plan *plan;
	char parameter[FT_PARAM_LENGTH];
	int64_t total;
	struct ft_size size;          /* of all parameters; the first is divided */
	struct cli_live_host *host;   /* [n_hosts of the plan] */
	struct cli_live_piece *piece; /* [p] */
	size_t p;
	struct ft_plan_refine *refine;
};

/* How pieces are started: a row of a table. */
struct cli_live_way {
	const char *name;
	bool here; /* on this machine */
	int (*run)(struct cli_live *q);
};

/* cli_live_way - by its name (NULL: local); NULL after a complaint. */
const struct cli_live_way *cli_live_way(const char *name);

/*
 * A total divided over processors: the query and the answer.
 */

/* The label of a group of processors. */
struct cli_processor {
	const char *name; /* of the program */
	const struct cli_host *host;
};

struct cli_partition {
	struct cli_plan *plan;
	char parameter[FT_PARAM_LENGTH];
	struct ft_divide divide;         /* the query; its groups are ours */
	struct cli_processor *processor; /* [n of divide] */
	bool energy;                     /* least energy, or a front, is requested */
	/* the answer */
	struct ft_division found;
	char **label; /* [p of found] */
	struct ft_plan_front front;
};

/*
 * Tasks on hosts: the time of each on each.
 */

/* Resources of a processor that tasks may need. */
enum cli_need { CLI_NEED_CPUS, CLI_NEED_MEMORY, CLI_NEED_STORAGE, CLI_NEEDS };

/* Hosts, each processor by itself, and tasks on them. Zero-initialise; ends with cli_tasks_clear. */
struct cli_tasks {
	struct cli_plan *plan;
	struct ft_graph graph; /* map: without edges */
	char **host;           /* [m] labels: "node1", "node1/2" */
	size_t *of;            /* [m] index into plan->host */
	size_t m;
	double *has;                       /* [m x CLI_NEEDS] of each; INFINITY: not known */
	double *time_s;                    /* [n x m] */
	struct ft_plan_reserved *reserved; /* [n_reserved] */
	size_t n_reserved;
	bool rough; /* a model was planned with its upper end */
};

/* cli_tasks_hosts - the processors of --on, for a graph that was read. Opens the store if models give the
 * time of a task; if tasks only have requirements, a readable store supplies what the hosts have. Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_tasks_hosts(struct cli_tasks *tasks);

/* cli_tasks_over - "3 tasks over 1 machine"; ends with free. what: of one. */
char *cli_tasks_over(const struct cli_tasks *tasks, const char *what);

/* cli_tasks_need - how much of it a task needs; 0: not given. */
double cli_tasks_need(const struct ft_graph_task *task, enum cli_need need);

/* cli_tasks_suits - whether a task may run on a processor that has the architecture and everything else it
 * needs. If not: the reason, heap, into *why, which may be NULL. */
bool cli_tasks_suits(const struct cli_tasks *tasks, const struct ft_graph_task *task, size_t processor,
		     char **why);

/* cli_tasks_note_unknown - what tasks need of hosts and is not known there, and hosts of their rights that
 * --on does not name. */
void cli_tasks_note_unknown(const struct cli_tasks *tasks);

/* cli_tasks_times - the time of each of the graph's tasks on each processor: by models, or as given;
 * INFINITY if it does not fit, or its architecture differs. */
int cli_tasks_times(struct cli_tasks *tasks);

/* cli_tasks_reserve - which processors are taken when. */
int cli_tasks_reserve(struct cli_tasks *tasks);
void cli_tasks_clear(struct cli_tasks *tasks);

/* cli_tasks_draw - tasks at their times as a chart, in an order (letters on a terminal, where path is NULL).
 * title: may be NULL. */
int cli_tasks_draw(const struct cli_tasks *tasks, const struct ft_plan_slot *slot, const size_t *order,
		   const char *title, const char *path);

/* cli_tasks_nowhere - print the tasks that fit no host, and why. machine: [n], FT_PLAN_NOWHERE. Returns
 * CLI_NO. */
int cli_tasks_nowhere(struct cli_tasks *tasks, const size_t *machine, size_t stride);

/* cli_tasks_asked - the times of a task on each processor, by the managers of --ask. */
int cli_tasks_asked(struct cli_tasks *tasks, const struct ft_graph_task *task, double *row);

/* cli_tasks_model - what the models predict for a task on a host, and why it is unusable (FT_COST_NONE: it
   is usable). */
int cli_tasks_model(struct cli_tasks *tasks, const struct ft_graph_task *task, size_t host, double *time_s,
		    enum ft_cost_end *end);

/*
 * Graphs of tasks over hosts: the query and the answer.
 */

struct cli_schedule {
	struct cli_tasks tasks;
	struct ft_graph_links links;
	bool linked;               /* links were given */
	struct ft_plan_slot *slot; /* [n] */
	struct ft_plan plan;
	double heft; /* NaN: not by --mode dag */
	/* Modes concurrent, sequential and hybrid */
	bool topology;
	double weight[2]; /* w1, w2 */
	struct ft_topology_plan costs;
};

/* tasks_size - the size of a task that has a program. */
int cli_tasks_size(const struct ft_graph_task *task, const struct ft_answerer *answerer,
		   struct ft_size *size);

#define CLI_PLAN_HINT_TOTAL "\nhint: write the total as a size, as in n=1000000: a whole number up to 2^53"

#endif
