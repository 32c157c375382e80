/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.h - all that a store has of one program on one machine. */
#ifndef FT_TELL_SHOW_H
#define FT_TELL_SHOW_H

#include "base/arena.h"
#include "foretime/sweep.h"
#include "tell/kept.h"
#include "tell/question.h"

/* A law that was stated and how it agrees with runs; a requirement and whether this machine meets it. */
struct ft_told_stated {
	const struct ft_resource *resource;
	const char *law;
	bool calibrated;
	struct ft_calibrated_law fit;
};

struct ft_told_requirement {
	const char *what, *value;
	const char *unmet; /* NULL: this machine meets it, as far as is known */
	char why[256];
};

struct ft_told_knowledge {
	struct ft_told_stated *law;
	struct ft_told_requirement *requirement;
	size_t n_laws, n_requirements;
};
extern const struct ft_tell_record ft_tell_knowledge;

/* ft_tell_knowledge_find - answerer: finds how the laws agree with runs; NULL: does not. Borrows; memory is
 * the arena's. FT_ENOMEM. */
enum ft_status ft_tell_knowledge_find(const struct ft_knowledge *knowledge, struct ft_answerer *answerer,
				      struct ft_arena *memory, struct ft_told_knowledge *out,
				      struct ft_err *err);

/* What a job requested of a batch system, and what it used; NaN: not known. */
struct ft_told_job {
	int64_t started_ns;
	struct ft_size size;
	enum ft_outcome outcome;
	double asked_s, asked_bytes, used_s, used_bytes;
};
extern const struct ft_tell_record ft_tell_job;
extern const struct ft_tell_record ft_tell_sizes; /* struct ft_size_values */

/* Zero-initialise; ends with ft_tell_show_clear. */
struct ft_told_show {
	struct ft_arena memory;
	struct ft_answerer *answerer;  /* NULL: no run ended well */
	struct ft_answerer *no_models; /* then: the one whose runs are shown; NULL: there are none */
	struct ft_store_list list;     /* of this name */
	struct ft_store_entry entry;   /* that is shown; in list */
	size_t chosen;                 /* its index there */
	struct ft_program program;
	struct ft_machine machine;
	const struct ft_machine *there; /* &machine; NULL: there is no run */
	int64_t here;                   /* this machine in the store; 0: it is not there */
	const struct ft_runs *runs;     /* of very many, few that represent all */
	struct ft_ask_whole all;
	struct ft_knowledge stated;
	struct ft_told_knowledge knowledge;
	const struct ft_resource *resource;
	struct ft_size_values *group; /* by size */
	const struct ft_run *killed;  /* of the smallest size that was killed for memory; NULL: none was */
	double killed_at;
	struct ft_sample *unavailable; /* of the newest run */
	struct ft_told_axes axes;
	const struct ft_told_axes *models_axes; /* &axes; NULL: no run ended well */
	struct ft_told_model *model;
	struct ft_building building;
	const struct ft_building *builds; /* &building; NULL: no build runs now */
	struct ft_store_trace *trace;
	struct ft_told_kept kept;
	const struct ft_told_kept *judged; /* &kept; NULL: not requested */
	struct ft_told_job *job;
	size_t n_groups, n_unavailable, n_models, n_traces, n_jobs;
};
extern const struct ft_tell_record ft_tell_show;

/* ft_tell_models_all - a model for each resource that was measured; memory is the arena's. n: out; 0 without
 * an answerer. FT_ENOMEM. */
enum ft_status ft_tell_models_all(struct ft_answerer *answerer, struct ft_arena *memory,
				  struct ft_told_model **out, size_t *n, struct ft_err *err);

/* ft_tell_show_find - what the store has of asked->name. Returns FT_OK; FT_ENOENT: no such program, machine,
 * device or resource; FT_EINVAL; what the store returns. */
enum ft_status ft_tell_show_find(struct ft_store *store, const struct ft_asked *asked,
				 struct ft_told_show *out, struct ft_err *err);
void ft_tell_show_clear(struct ft_told_show *told);

#endif
