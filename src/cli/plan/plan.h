/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.h - what the actions of `foretime plan` share: what was typed, hosts and what they have, and models by
 * name and host. */
#ifndef FT_CLI_PLAN_H
#define FT_CLI_PLAN_H

#include "cli/common.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/price.h"
#include "foretime/cost.h"
#include "foretime/plan.h"
#include "foretime/units.h"

/* A row of --resources: what a host has. Numbers that are not told are NaN. */
struct cli_resource {
	char *host;
	double cores, memory_bytes, storage_bytes, price, watts, limit_s, wait_s, load;
};

/* cli_plan_told - such a number; 0: it is not told. */
double cli_plan_told(double value);

/* When a host is taken by others. */
struct cli_reserved {
	char *host; /* or one of its processors: "node1/2" */
	double from_s, to_s;
};

/* A host of --on, and how many processors of it take part. */
struct cli_host {
	char *name; /* NULL: where the runs are (without --on) */
	size_t count;
	const struct cli_resource *resource; /* NULL: nothing is told */
};

/* The models of a program on a host. */
struct cli_source {
	const char *name, *host;
	struct ft_answerer *answerer; /* NULL: there are none; err says why */
	struct ft_err err;
};

/* What is asked. Zero-initialise. */
struct cli_plan {
	/* as typed; 0, and of numbers that may be 0 NaN: not given */
	const char *store_path, *on, *resources_path, *sinfo_path, *links_path, *mode, *weights, *progress,
		*symbol, *host_name, *grid, *format, *least, *plot;
	struct ft_field_texts wait, reserve;
	struct cli_price price;
	double granularity, min, risk, memory_risk, deadline_s, effort, cost_s;
	size_t seed;
	bool front, all, json, live;
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
	struct cli_source **source; /* each on its own: others keep them */
	size_t n_sources;
};

/* cli_plan_open - the store, --resources, and the hosts of --on: one without a name where there are none.
 * Returns CLI_DONE, or the exit status after a complaint; so do those below, where nothing else is said. */
int cli_plan_open(struct cli_plan *plan);
int cli_plan_open_for(struct cli_plan *plan, enum cli_access access);

/* cli_plan_hosts - the same without the store. */
int cli_plan_hosts(struct cli_plan *plan);
void cli_plan_close(struct cli_plan *plan);

/* cli_plan_resources - read a table of hosts; columns host, and any of cores, memory, storage, price, watts,
 * limit, wait, load, reserved. */
int cli_plan_resources(struct cli_plan *plan, const char *path);

/* cli_plan_reserve - "2h" or "1h:2h", or several with blanks between them; cli_plan_reserve_typed: those of
 * --reserve. */
int cli_plan_reserve(struct cli_plan *plan, const char *host, const char *words);
int cli_plan_reserve_typed(struct cli_plan *plan);

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
int cli_plan_partition(void *asked);
int cli_plan_rank(void *asked);
int cli_plan_map(void *asked);
int cli_plan_schedule(void *asked);
int cli_plan_revise(void *asked);
int cli_plan_export(void *asked);

#endif
