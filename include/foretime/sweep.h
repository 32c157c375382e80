/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.h - a builder at work: ask, measure, store, report; then model every resource that was measured.
 *
 * A sweep is driven from outside: it returns which runs to make next, is given each that was made, here or on
 * another machine, and does not wait for any.
 *
 *	ft_sweep_new(&sweep, store, &program, &machine, source, &options, err);
 *	while (!ft_sweep_step(sweep, pieces, free, &n, err) && (n > 0 || in_flight > 0)) {
 *		... begin n runs, wait until one has ended ...
 *		ft_sweep_report(sweep, piece.id, &runs, err);
 *	}
 *	ft_sweep_end(sweep, &report, err);
 *	ft_sweep_free(sweep);
 *
 * ft_sweep_run is such a loop for runs that are made here, one after another. A run is stored when it is
 * reported. What a sweep knows is a function of the stored runs: one that is interrupted, or killed, is
 * continued by a new one, which gives them to the builder in the same order before anything is measured.
 * Runs that were in flight meanwhile are adopted by it, or reported as runs that were not requested.
 *
 * No function waits for anything but the store. A sweep belongs to one thread at a time.
 */
#ifndef FORETIME_SWEEP_H
#define FORETIME_SWEEP_H

#include "foretime/build.h"
#include "foretime/load.h"
#include "foretime/measure.h"
#include "foretime/store.h"

FT_BEGIN_DECLS

/* How other processes hinder the runs of a sweep. */
struct ft_hindrance {
	double slow_down; /* runs took this many times as long as on an idle machine; 1: no longer */
	double others;    /* tasks of other processes during them, the mean; NaN: not known */
	int processors;   /* 0: not known */
	bool busy; /* enough runs show that the machine is busy: their wall times are those of the load */
};

struct ft_progress {
	size_t points;             /* sizes known so far */
	size_t runs;               /* runs made by this sweep */
	size_t known;              /* and those that were not requested: of the store, of somebody else */
	size_t in_flight;          /* pieces of work that are out */
	double spent_s, budget_s;  /* budget 0: none */
	struct ft_size size;       /* what runs now; n = 0: nothing, or several */
	double expected_s;         /* how long it will take, extrapolated; NaN: not known */
	int reason;                /* why that size: enum ft_reason; -1: not known */
	double gain;               /* of that run, as of struct ft_sweep_piece; NaN */
	double complete;           /* of the model, 0 to 1: of what the builder will want, or of
			    the budget; 1: it has ended; 0: no run ended well */
	struct ft_build_gain next; /* what the builder expects of its next run, which may be in flight */
	struct ft_hindrance hindrance;
	bool ended;        /* there is nothing more to run ... */
	enum ft_stop stop; /* ... and why */
};

struct ft_sweep_options {
	const struct ft_builder_type *builder;
	const struct ft_resource *resource; /* what steers the builder */
	double tolerance;                   /* 0: the builder's default */
	bool of_top;         /* it is a share of the fastest speed measured, as of struct ft_build_options */
	double confidence;   /* of the mean, in a cut */
	double budget_s;     /* seconds to wait for runs, with what prepares, starts and counts them; those of
				runs that the store has from builds before count too; 0: none */
	enum ft_far far;     /* adaptive: whether the largest sizes are run */
	double timeout_s;    /* of one run; 0: none */
	double memory_bytes; /* that a run may have; over several parameters: sizes that are expected to need
				more are left out; 0: none */
	size_t points;       /* 0: no limit */
	size_t reps_least, reps_most; /* of one size; 0: 2 and 10 */
	double reps_limit_s; /* no repetition at a size once it has used this much; 0: 60, or a tenth of the
				budget */
	bool end_zero, climb_strict;
	/* Of a cut (gbbp; live sources only): FT_LOAD_USUAL takes the load that the history in the store
	 * makes likely, FT_LOAD_IDLE none */
	enum ft_load_view load;
	enum ft_sharing sharing; /* how the program shares the machine */
	double threads;          /* that it keeps busy; 0: cpu_s / wall_s */
	uint64_t seed;           /* of the order of runs, and of random sizes */
	size_t at_once;          /* runs in flight at most, <= FT_ASK_MAX; 0: 1 */
	bool elsewhere; /* runs are made on other machines: what this one has, and the background load on it,
			   does not count, and there is no warm-up */
	/* Of ft_sweep_run: */
	const volatile sig_atomic_t
		*interrupt; /* set from outside: keep what is finished and return; NULL: never */
	/* before each run, and, `ended`, before models are made of them; NULL: none */
	void (*progress)(void *ctx, const struct ft_progress *progress);
	void (*ran)(void *ctx, const struct ft_run *run); /* after each, before it is reported; NULL: none */
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

/* What another tolerance would have cost: sizes, and seconds of one run of each. */
struct ft_sweep_price {
	double tolerance, seconds;
	size_t sizes;
};

enum { FT_SWEEP_PRICES = 2 };

struct ft_sweep_report {
	enum ft_stop stop;
	struct ft_sweep_size *size; /* [n_sizes] in the order requested */
	size_t n_sizes, capacity;
	size_t points;       /* sizes with at least one run that ended well */
	size_t runs;         /* made now, the warm-up and failed ones included */
	size_t known;        /* runs that the store had before, used by the builder */
	double cost_s;       /* seconds of the runs made now: preparation, processes, counting */
	double known_cost_s; /* and of those that the store had, as far as they count for the budget */
	double known_to; /* by the model of the steering resource: over most sizes its typical run is known
			    to +- this share; NaN: no model, or not known */
	double scatter;  /* 90 % of single runs lie within about +- this share; NaN: not known */
	bool rough, noisy, too_few;    /* as of struct ft_model_facts */
	struct ft_size not_run_beyond; /* the size nearest to the largest corner of the ranges that was run,
					  where larger ones were left out, by choice or for the budget; n = 0:
					  there were none */
	size_t models;                 /* how many resources were modelled */
	struct ft_hindrance hindrance; /* of all runs of the program, also those that the store had */
	double killed; /* the smallest size at which a run was killed for memory, where no larger one ended
			  well: from there on nothing is run; NaN: none */
	bool flat[FT_PARAMS_MAX];                   /* parameters that change nothing within the tolerance */
	struct ft_build_shape shape[FT_PARAMS_MAX]; /* what gbbp took for granted, and does not hold */
	/* gbbp over one parameter, once it is done: what twice and half the tolerance would have cost, by the
	 * straight lines between the sizes that were run, and what this one did. */
	struct ft_sweep_price price[FT_SWEEP_PRICES], own; /* [n_prices] */
	size_t n_prices;
	size_t holes;     /* combinations that were left out: not admitted, or not valid */
	size_t too_large; /* and those that would not fit memory (options->memory_bytes) */
};

void ft_sweep_report_clear(struct ft_sweep_report *report);

struct ft_sweep;

/* ft_sweep_new - begin a sweep, or continue one: the runs of the store are given to the builder.
 *
 * out      heap, ends with ft_sweep_free; NULL on failure
 * store    each run is added to it, and the models at the end; not within ft_store_begin
 * program  stored, with its ranges; parameters whose range is not a point vary, the others are fixed. Sizes
 *          that do not meet program->where are never run. Its method becomes that of the builder
 * machine  that makes the runs; stored
 * source   determines which sizes there are; the sweep runs it. NULL: all sizes of the ranges, run
 *          elsewhere
 * options  copied; the builder and the texts in them are borrowed, as all of the above, while the sweep lives
 *
 * Returns FT_OK; FT_EINVAL: no parameter varies, the work is not positive somewhere in the range, a
 * constraint that is none or admits nothing, an option out of bounds; what the store returns; FT_ENOMEM.
 */
enum ft_status ft_sweep_new(struct ft_sweep **out, struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, struct ft_source *source,
			    const struct ft_sweep_options *options, struct ft_err *err);
void ft_sweep_free(struct ft_sweep *sweep); /* accepts NULL */

/* Why a run is made. X(name, what is printed) */
#define FT_REASON_LIST(X)                                                                                    \
	X(WARM_UP, "warm-up")      /* the first of all: it loads files, and is not modelled */               \
	X(NEW, "new size")         /* nothing was run there */                                               \
	X(AGAIN, "once more")      /* its mean, or its noise, is not known well enough */                    \
	X(RETRY, "it failed once") /* which may have been an accident */                                     \
	X(LOST, "it was lost")     /* a run there never came back */

enum ft_reason {
#define FT_REASON_ENUM(name, words) FT_REASON_##name,
	FT_REASON_LIST(FT_REASON_ENUM)
#undef FT_REASON_ENUM
};

const char *ft_reason_text(enum ft_reason reason);

/* A piece of work: one run to make. Plain data. */
struct ft_sweep_piece {
	uint64_t id; /* in its sweep, > 0; another one each time */
	struct ft_size size;
	size_t index; /* the so-manieth run of this size, from 0, as ft_source_run takes it */
	enum ft_reason reason;
	double gain;        /* by how much it is expected to lower the mean error; NaN: not weighed */
	double expected_s;  /* how long it will take; NaN: not known */
	double limit_s;     /* it must be ended after this long; 0: never */
	double need_bytes;  /* memory that it is expected to need; NaN: not known */
	double limit_bytes; /* that it may have; 0: not known */
	size_t lost;        /* this many runs of this size never came back */
};

/* ft_sweep_step - the next runs to make, as far as they do not wait for those that are out.
 *
 * pieces  [most] out; each is in flight until it is reported or lost, and at most options.at_once are
 * n       out; 0: there is nothing to do until one is reported or lost; none at all without one in flight
 *
 * One at a time brings the best choice of sizes: of several each adds information, but is chosen
 * without the results of the others. adaptive offers its first two sizes one by one, gbbp and naive wait for
 * all sizes that they requested at once. Runs at once on one machine hinder each other.
 *
 * Within a budget each gets its share of what is left as time limit, or twice what it is expected to take:
 * all in flight together cannot pass it. The budget is that of the sum of all runs.
 *
 * Returns FT_OK; what the builder and the store return, FT_ENOMEM: the sweep has then lost track, and can
 * only be ended, and begun again. Cost: that of an ask of the builder.
 */
enum ft_status ft_sweep_step(struct ft_sweep *sweep, struct ft_sweep_piece *pieces, size_t most, size_t *n,
			     struct ft_err *err);

/* ft_sweep_report - a run was made: it is stored, and given to the builder.
 *
 * id    of the piece, which may have been lost before; 0: it was not requested (somebody needed it; it was in
 *       flight when this sweep was not yet begun)
 * runs  as ft_source_run gives them: the run of the process, then those of its routines; cleared on success.
 *       None: there is no further run at this size. FT_INTERRUPTED: the piece is lost, and did cost something
 *
 * Returns FT_OK; FT_EEXIST: the piece was reported before; FT_ENOENT: there is none with that id; FT_EINVAL:
 * the run is at another size; what the store returns (nothing is changed, and it may be reported again);
 * FT_ENOMEM: the same, or the run is kept and the sweep has lost track. Cost: a transaction, and what the
 * builder takes to learn.
 */
enum ft_status ft_sweep_report(struct ft_sweep *sweep, uint64_t id, struct ft_runs *runs, struct ft_err *err);

/* ft_sweep_end - model every resource that was measured, and return the results. Before the sweep has ended
 * by itself it is interrupted by that (report->stop). Afterwards it can only be freed.
 *
 * report   the caller's, ends with ft_sweep_report_clear; filled also on failure, with what there is
 *
 * Returns FT_OK; FT_ENOMODEL: no size could be measured, and it was not interrupted; FT_EEND: it was ended
 * before; what the store returns.
 */
enum ft_status ft_sweep_end(struct ft_sweep *sweep, struct ft_sweep_report *report, struct ft_err *err);

/* ft_sweep_run - build the models of a program on a machine: runs are made here, one after another.
 *
 * As ft_sweep_new, until there is nothing more to run or options->interrupt is set, and ft_sweep_end. Returns
 * what these return, and the source.
 */
enum ft_status ft_sweep_run(struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, struct ft_source *source,
			    const struct ft_sweep_options *options, struct ft_sweep_report *report,
			    struct ft_err *err);

FT_END_DECLS

#endif
