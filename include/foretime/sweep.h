/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - a builder at work: ask, measure, store, tell; then model every resource that was measured.
 *
 * A sweep drives every source and every builder alike. Each run is stored the moment it ends; a sweep that is
 * interrupted, or killed, is continued by running it again: runs that the store has are told to the builder
 * before anything is measured.
 */
#ifndef FORETIME_SWEEP_H
#define FORETIME_SWEEP_H

#include "foretime/build.h"
#include "foretime/load.h"
#include "foretime/measure.h"
#include "foretime/store.h"

FT_BEGIN_DECLS

/* How others hinder the runs of a sweep. */
struct ft_hindrance {
	double slow_down; /* runs took so many times as long as alone; 1: no longer */
	double others;    /* tasks of others beside them, the mean; NaN: not known */
	int processors;   /* 0: not known */
	bool busy; /* enough runs say that the machine is busy: their wall times are those of the load */
};

struct ft_progress {
	size_t points;            /* sizes known so far */
	size_t runs;              /* runs made by this sweep */
	double spent_s, budget_s; /* budget 0: none */
	struct ft_size size;      /* what runs now */
	double expected_s;        /* how long it will take, extrapolated; NaN: not known */
	struct ft_hindrance hindrance;
};

struct ft_sweep_options {
	const struct ft_builder_type *builder;
	const char *resource; /* what steers the builder */
	double tolerance;     /* 0: the builder's default */
	bool of_top;          /* it is a share of the fastest speed measured, as of struct ft_build_options */
	double confidence;    /* of the mean, in a cut */
	double budget_s;     /* seconds to wait for runs, with what prepares, starts and counts them; those of
				runs that the store has from builds before count too; 0: none */
	enum ft_far far;     /* adaptive: whether the largest sizes are run */
	double timeout_s;    /* of one run; 0: none */
	double memory_bytes; /* over several parameters: sizes that are expected to need more are left out; 0:
				none */
	size_t points;       /* 0: no limit */
	size_t reps_least, reps_most; /* of one size; 0: 2 and 10 */
	double reps_limit_s; /* no repetition at a size once it has used so much; 0: 60, or a tenth of the
				budget */
	bool end_zero, climb_strict;
	/* Of a cut (gbbp; live sources only): FT_LOAD_USUAL takes the load that the history in the store
	 * makes likely, FT_LOAD_IDLE none */
	enum ft_load_view load;
	enum ft_sharing sharing; /* how the program shares the machine */
	double threads;          /* that it keeps busy; 0: as cpu_s / wall_s tells */
	uint64_t seed;           /* of the order of runs, and of random sizes */
	const volatile sig_atomic_t
		*interrupt; /* set from outside: keep what is finished and return; NULL: never */
	void (*progress)(void *ctx, const struct ft_progress *progress); /* before each run; NULL: none */
	void *progress_ctx;
};

/* What was found at one size. */
struct ft_sweep_size {
	struct ft_size size;
	size_t runs;             /* that ended well, made now or known before */
	double seconds;          /* median of the steering resource over them; NaN: none ended well */
	size_t failed;           /* runs that did not end well */
	enum ft_outcome failure; /* of the last of them */
	char *detail;            /* its last words; may be NULL */
};

struct ft_sweep_report {
	enum ft_stop stop;
	struct ft_sweep_size *size; /* [n_sizes] in the order asked */
	size_t n_sizes, capacity;
	size_t points;       /* sizes with at least one run that ended well */
	size_t runs;         /* made now, the warm-up and failed ones included */
	size_t known;        /* runs that the store had before, used by the builder */
	double cost_s;       /* seconds of the runs made now: preparation, processes, counting */
	double known_cost_s; /* and of those that the store had, as far as they count for the budget */
	double known_to; /* by the model of the steering resource: over most sizes its typical run is known
			    to +- this share; NaN: no model, or not known */
	double scatter;  /* nine in ten single runs lie within about +- this share; NaN: not known */
	bool rough, noisy, too_few;    /* as of struct ft_model_facts */
	struct ft_size not_run_beyond; /* the size nearest to the largest corner of the ranges that was run,
					  where larger ones were left out, by choice or for the budget; n = 0:
					  none were */
	size_t models;                 /* how many resources were modelled */
	struct ft_hindrance hindrance; /* of all runs of the program, also those that the store had */
	double killed; /* the smallest size at which a run was killed for memory, where no larger one ended
			  well: from there on nothing is run; NaN: none */
	bool flat[FT_PARAMS_MAX];                   /* parameters that change nothing within the tolerance */
	struct ft_build_shape shape[FT_PARAMS_MAX]; /* what gbbp took for granted, and does not hold */
	size_t holes;     /* combinations that were left out: not admitted, or not valid */
	size_t too_large; /* and those that would not fit memory (options->memory_bytes) */
};

void ft_sweep_report_clear(struct ft_sweep_report *report);

/* ft_sweep_method - what the way to build is called: the builder's name, another one where the tolerance is
 * of the top. Sizes chosen so say nothing of the speeds between them as a share of each, which a band would
 * promise: the models are then the engine's. */
const char *ft_sweep_method(const struct ft_sweep_options *options);

/* ft_sweep_run - build the models of a program on a machine.
 *
 * store    each run is added to it, and the models at the end
 * program  stored, with its ranges; parameters whose range is not a point vary, the others are fixed. Sizes
 *          that do not meet program->where are never run. Its method becomes ft_sweep_method
 * machine  stored
 * source   executes it; borrowed
 * report   the caller's, ends with ft_sweep_report_clear; filled also on failure and interruption, with what
 *          there is
 *
 * Returns FT_OK, also when it was interrupted (report->stop); FT_ENOMODEL: no size could be measured;
 * FT_EINVAL: no parameter varies, the work is not positive somewhere in the range, a constraint that is none
 * or admits nothing, an option out of bounds; what the store and the source return.
 */
enum ft_status ft_sweep_run(struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, struct ft_source *source,
			    const struct ft_sweep_options *options, struct ft_sweep_report *report,
			    struct ft_err *err);

/* What keeps sizes beyond ft_reach.most out. X(name, what is printed) */
#define FT_REACH_LIST(X)                                                                                     \
	X(MEMORY, "memory")            /* the memory that runs need, extrapolated */                         \
	X(KILLED, "killed for memory") /* a run */                                                           \
	X(FAILED, "failed")            /* a run */                                                           \
	X(WHERE, "constraint")         /* of the program: no larger size meets it */

enum ft_reach_bound {
#define FT_REACH_ENUM(name, words) FT_REACH_##name,
	FT_REACH_LIST(FT_REACH_ENUM)
#undef FT_REACH_ENUM
};

const char *ft_reach_text(enum ft_reach_bound bound);

/* How far sizes may go. */
struct ft_reach {
	double most;        /* the largest size */
	double limit_bytes; /* what a run may need */
	double need_bytes;  /* what a run at `most` is expected to need */
	double seconds;     /* and to take, in wall seconds; NaN: not known */
	enum ft_reach_bound bound;
	double bound_at; /* the size of the run that was killed or failed; NaN */
	size_t runs;     /* made now */
	double cost_s;   /* of these runs */
};

/* ft_sweep_reach - the largest size of a program that fits memory, without exhausting it: ever larger cheap
 * sizes are run (least, twice that, four times ...; runs that the store has are used), until one takes a
 * twentieth of the budget (2 s without one) or an eighth of the memory; a + b n^p is then continued.
 *
 * program      stored; nothing of it is changed. Other parameters with a range stand at their least value,
 * or, where the constraint does not admit that, at the least equal share of their ranges that it admits;
 *              cheap sizes are then run along each of them, too
 * varying      index of the parameter that will get the range: least (and its stride) stands there, as a
 * point options      budget_s, timeout_s, interrupt, progress limit_bytes  what a run may need, > 0: a share
 * of ft_memory_limit_bytes
 *
 * Returns FT_OK; FT_EINVAL: memory does not bound the size, because it does not grow (or cannot be seen to,
 * in so short runs), or not even the smallest size fits; FT_ENOMODEL: the smallest size cannot be run;
 * FT_EUNAVAIL: the runs do not tell their memory; FT_EINTR; what the source and the store return. The runs
 * are kept in the store in every case.
 */
enum ft_status ft_sweep_reach(struct ft_store *store, struct ft_program *program, size_t varying,
			      const struct ft_machine *machine, struct ft_source *source,
			      const struct ft_sweep_options *options, double limit_bytes,
			      struct ft_reach *out, struct ft_err *err);

FT_END_DECLS
#endif
