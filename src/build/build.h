/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.h - builders: which size to measure next, over one or several parameters. */
#ifndef FT_BUILD_BUILD_H
#define FT_BUILD_BUILD_H

#include "base/random.h"
#include "build/door.h"
#include "foretime/build.h"
#include "model/model.h"

#include <stdbool.h>

/*
 * The admissible sizes of a builder, numbered from 0 in ascending order.
 */

/* Sizes are compared by number: two doubles that mean the same size have the same one. */
struct ft__grid {
	struct ft_space space; /* with a list or a factor: cut down to those inside least..most */
	size_t count;          /* how many admissible sizes, `most` of a stride's included */
};

#define FT__NONE ((size_t)-1)

/* ft__grid_init - number the sizes of a space; space->sizes is borrowed.
 * Returns FT_OK; FT_EINVAL: a range, stride or factor that is none, a list that does not ascend, fewer than
 * two sizes. */
enum ft_status ft__grid_init(struct ft__grid *grid, const struct ft_space *space, struct ft_err *err);

double ft__grid_value(const struct ft__grid *grid, size_t index); /* index < count */

/* ft__grid_shift - what is added to sizes before their logarithm is taken: 0 where all are positive. */
double ft__grid_shift(const struct ft__grid *grid);

/* ft__grid_snap - the admissible size nearest to x, the lower one when two are. Cost O(log n) with a list,
 * else O(1). */
size_t ft__grid_snap(const struct ft__grid *grid, double x);

/* ft__grid_find - the number of x, FT__NONE when it is not admissible. */
size_t ft__grid_find(const struct ft__grid *grid, double x);

/* ft__grid_middle - the size nearest to the middle of two, strictly between them; FT__NONE: there is none. */
size_t ft__grid_middle(const struct ft__grid *grid, size_t left, size_t right);

/* a, 2a, 3a ... of a size, or steps of the stride (a list's first gap) where a is not positive. */
struct ft__multiples {
	double origin, unit;
	double k; /* the last one used: origin + (k - 1) unit */
};

struct ft__multiples ft__multiples_of(const struct ft__grid *grid, size_t index);

/* ft__multiples_next - the size of the smallest unused multiple that snaps above `from`; FT__NONE: it lies
 * outside the range or snaps above `top`. Multiples that snap to `from` or below are skipped in O(1). */
size_t ft__multiples_next(struct ft__multiples *multiples, const struct ft__grid *grid, size_t from,
			  size_t top);

/* ft__multiples_double - the same, doubling k instead of counting. */
size_t ft__multiples_double(struct ft__multiples *multiples, const struct ft__grid *grid, size_t from,
			    size_t top);

/*
 * The admissible sizes of several parameters, numbered on each axis, and their results.
 */

/* Numbers of a size on all axes. */
struct ft__place {
	size_t at[FT_PARAMS_MAX];
};

/* A size with a result. */
struct ft__measured {
	struct ft__place place;
	bool hole;
	double *seconds; /* [n], then the limits that [limits] further runs met; n = 0: not measurable */
	size_t n, limits;
	double work;            /* as reported by the runs; 0: none */
	double footprint_bytes; /* 0: not known */
	bool given, over;       /* as of struct ft_build_told */
};

static inline struct ft_build_result ft__result_of(const struct ft__measured *site)
{
	return (struct ft_build_result){.seconds = site->seconds,
					.n = site->n,
					.hole = site->hole,
					.work = site->work,
					.footprint_bytes = site->footprint_bytes,
					.given = site->given,
					.limit_s = site->seconds + site->n,
					.limits = site->limits,
					.over = site->over};
}

/* The number of sizes is at least 1 on each axis; several on at least one. */
struct ft__lattice {
	struct ft_build_options options;
	struct ft__grid axis[FT_PARAMS_MAX]; /* [n] */
	size_t n;
	size_t varying[FT_PARAMS_MAX], d; /* [d] axes with several sizes */
	double *admitted;                 /* admissible values of an axis that varies; or NULL */
	struct ft__measured *site;        /* [n_sites] ascending by place */
	size_t n_sites, capacity;
	size_t holes; /* holes among the results */
};

enum ft_status ft__lattice_init(struct ft__lattice *lattice, const struct ft_build_options *options,
				struct ft_err *err);
void ft__lattice_clear(struct ft__lattice *lattice);

struct ft_size ft__lattice_size(const struct ft__lattice *lattice, const struct ft__place *place);

/* ft__lattice_find - false: no admissible size. */
bool ft__lattice_find(const struct ft__lattice *lattice, const struct ft_size *size, struct ft__place *place);

bool ft__lattice_same(const struct ft__lattice *lattice, const struct ft__place *a,
		      const struct ft__place *b);
bool ft__lattice_admits(const struct ft__lattice *lattice, const struct ft__place *place);
double ft__lattice_work(const struct ft__lattice *lattice, const struct ft__place *place);

/* ft__lattice_site - the result at a place; NULL: none. Valid until the next tell. */
const struct ft__measured *ft__lattice_site(const struct ft__lattice *lattice, const struct ft__place *place);

/* ft__lattice_tell - store a result. FT_OK; FT_ENOMEM. */
enum ft_status ft__lattice_tell(struct ft__lattice *lattice, const struct ft__place *place,
				const struct ft_build_result *result, struct ft_err *err);

/*
 * The rows of the table of builders, one file each, and their interfaces.
 */

/* Options of a builder along one parameter, with the other ones fixed. */
struct ft__line_options {
	struct ft_space space;
	double (*work)(void *ctx, double x); /* NULL: none is stated */
	void (*load)(void *ctx, double x, double seconds, double load[2]);
	void *ctx;
	struct ft_build_options user; /* its spaces and functions are ignored here */
};

/* Such a builder; its functions are as those of ft_builder_*. */
struct ft__line_type {
	enum ft_status (*init)(void **state, const struct ft__line_options *options, struct ft_err *err);
	size_t (*ask)(void *state, double *x, size_t most);
	/* x is NaN where there is none; NULL: it does not weigh runs */
	void (*gain)(void *state, double *x, struct ft_build_gain *out);
	enum ft_status (*tell)(void *state, double x, const struct ft_build_result *result,
			       struct ft_err *err);
	enum ft_stop (*stop)(const void *state);
	double (*complete)(void *state, double made);
	void (*price)(void *state, double each_s, double stretch,
		      double given_s); /* NULL: no matter what runs cost */
	enum ft_status (*shape)(const void *state, struct ft_build_shape *out,
				struct ft_err *err); /* NULL: it takes none for granted */
	void (*free)(void *state);
};

struct ft__row;

/* A builder on a lattice. Results are in the lattice before `tell` is called. */
struct ft__plan {
	enum ft_status (*init)(void **state, struct ft__lattice *lattice, const struct ft__row *row,
			       struct ft_err *err);
	enum ft_status (*ask)(void *state, struct ft__place *places, size_t most, size_t *n,
			      struct ft_err *err);
	void (*gain)(void *state, struct ft_build_gain *out); /* NULL: it does not weigh runs */
	enum ft_status (*tell)(void *state, const struct ft__measured *site, struct ft_err *err);
	enum ft_stop (*stop)(const void *state);
	double (*complete)(void *state, double made);
	void (*price)(void *state, double each_s, double stretch,
		      double given_s);                /* NULL: no matter what runs cost */
	bool (*flat)(const void *state, size_t axis); /* NULL: it detects none */
	enum ft_status (*shape)(const void *state, size_t axis, struct ft_build_shape *out,
				struct ft_err *err); /* NULL: it makes no assumptions */
	size_t (*excluded)(
		const void *state); /* combinations that the constraints do not admit; NULL: none */
	void (*free)(void *state);
};

struct ft__row {
	struct ft_builder_type type;
	bool points_each; /* the sizes are known beforehand: options.points, or 20, values of each parameter
			   */
	struct ft__line_type line;      /* over one parameter; no init: `several` does that too */
	const struct ft__plan *several; /* over more */
};

extern const struct ft__row ft__builder_adaptive;
extern const struct ft__row ft__builder_gbbp;
extern const struct ft__row ft__builder_gbbp_naive;
extern const struct ft__row ft__builder_naive;
extern const struct ft__row ft__builder_naive_bisect;
extern const struct ft__row ft__builder_rand;

extern const struct ft__plan ft__plan_along;  /* over one parameter: the row's line */
extern const struct ft__plan ft__plan_span;   /* over several, 001 II.A.3: lines, and the grid they span */
extern const struct ft__plan ft__plan_refine; /* over several, adaptive */

/* The confidence of a reported accuracy: 90 % of sizes have smaller errors (engine_model.c). */
#define FT__SHOWN_CONFIDENCE 0.9

/* The state of an adaptive builder that predicts single runs as well as possible, while the typical run
 * misses the target accuracy. */
struct ft__refining {
	double served_s, spent_s; /* seconds when single runs were predicted well; seconds spent by now */
	double budget_s;          /* what is left of the user's budget; 0: none was given */
	double known, tolerance;  /* to how much the typical run is known, and is to be; ln */
};

/* ft__refine_left - the seconds that may still be spent on the typical run: a share of what single runs
 * took, or all of the user's budget if that would suffice (errors fall as the root of the time spent).
 * (build.c) */
double ft__refine_left(const struct ft__refining *refining);

/* Values of each parameter of a naive builder, by default. */
enum { FT__USUAL_POINTS = 20 };

/*
 * The state of the adaptive builder, shared by its files: results (adaptive.c), and the choice of the next
 * run (adaptive_ask.c).
 *
 * All of it is a function of the results in their order, whether the builder requested those runs or not.
 */

/* The first sizes, evenly spaced in ln size; and the most requests at once. */
enum { FT__RUNGS = 5, FT__BATCH_MOST = 64, FT__AGAIN_MOST = 32 };

/* With more misses, caution is computed at this many places of the range. */
enum { FT__CAUTION_PLACES = 64 };

/* Sizes by their numbers. Zero-initialise. */
struct ft__indices {
	size_t *index; /* [n] ascending */
	size_t n, capacity;
};

/* A run that might be next. */
struct ft__bid {
	size_t index;   /* FT__NONE: none */
	double gain;    /* mean excess that it takes away, as a share ... */
	double seconds; /* ... for its price */
	size_t gap;     /* the gap that it divides; FT__NONE: it repeats a size */
};

struct ft__adaptive {
	struct ft__line_options options;
	struct ft__grid grid;
	struct ft__engine engine;
	double shift;              /* added to sizes before their logarithm is taken */
	struct ft__indices failed; /* sizes that could not be measured */
	struct ft__indices closed; /* sizes that cannot be run again */
	size_t rung[FT__RUNGS], n_rungs;
	struct ft__miss
		*miss; /* [n_misses] ascending: how far first runs lay from their prediction, in deviations */
	size_t n_misses, misses_capacity;
	double caution[FT__CAUTION_PLACES + 1]; /* computed from the first n_cautious of them */
	size_t n_cautious;
	double told_s;                   /* seconds of all runs, as reported */
	double each_s, stretch, given_s; /* their prices: ft_builder_price */
	size_t runs;                     /* results so far ... */
	size_t learned, looked;          /* ... when it learned last, and looked for fine structure */
	size_t doubted_at;               /* ... and when the model that will answer was last compared ... */
	bool doubted;                    /* ... and found less certain than the engine; */
	bool refining;                   /* single runs are predicted well, the typical run is not yet ... */
	double known_s;                  /* ... since this many seconds were spent; 0: not so; */
	double known_to;                 /* accuracy by that model, ln */
	bool owes;                       /* the comparison failed: no memory */
	size_t again[FT__AGAIN_MOST], n_again; /* sizes that are wanted once more, in their order */
	size_t last; /* size of the last of them; FT__NONE: it failed, or there is none */
	double cut;  /* sizes above this are not run: the budget, or the user's choice; infinite */
	enum ft_stop stop;
	/* The answer until the next result: [n_bids] of `requested` at most; requested = 0: none yet. */
	struct ft__bid bid[FT__BATCH_MOST];
	size_t n_bids, requested;
};

/* ---- accuracy (adaptive_ask.c) ----------------------------------------------------------- */

/* Excess by size: sizes weigh half by their number, half by their logarithm. In the engine's memory: valid
 * until the next one is made, or the engine learns. */
struct ft__served {
	double *gap, *excess; /* [n - 1] share of all sizes; mean excess there */
	double left;          /* mean excess over all */
	double high;          /* 95 % quantile of the error over them */
};

/* ---- derived from results (adaptive.c) ------------------------------------------- */

double ft__adaptive_value(const struct ft__adaptive *a, size_t index);
/* of size + shift */
size_t ft__adaptive_snap(const struct ft__adaptive *a, double ln); /* the nearest size */
size_t ft__adaptive_index_of(const struct ft__adaptive *a, size_t site);

bool ft__adaptive_has_failed(const struct ft__adaptive *a, size_t index);
bool ft__adaptive_is_closed(const struct ft__adaptive *a, size_t index); /* it cannot be run again */
bool ft__adaptive_is_new(const struct ft__adaptive *a, size_t index);    /* neither run nor failed */
size_t ft__adaptive_failures_between(const struct ft__adaptive *a, size_t left, size_t right);

double ft__adaptive_work(const struct ft__adaptive *a, double x);

/* ft__adaptive_cost - the price of a run with a reported time. */
double ft__adaptive_cost(const struct ft__adaptive *a, double seconds);

/* Cost expected of a run; one site at least. */
double ft__adaptive_price(const struct ft__adaptive *a, double x);
double ft__adaptive_site_price(const struct ft__adaptive *a, size_t site);
double ft__adaptive_spent(const struct ft__adaptive *a);
double ft__adaptive_budget_left(const struct ft__adaptive *a);

/* ft__adaptive_caution - how many times wider than stated the errors of first visits were, around a place. */
double ft__adaptive_caution(const struct ft__adaptive *a, double at);

/* ---- runs outside the bidding (adaptive.c) ------------------------------------------------------ */

/* ft__adaptive_be_cautious - find the caution again, once there are a sixteenth more misses. */
void ft__adaptive_be_cautious(struct ft__adaptive *a);

/* ft__adaptive_set_rungs - the first sizes. */
void ft__adaptive_set_rungs(struct ft__adaptive *a);

/* ft__adaptive_owe - a size was run: whether it is wanted once more, later. */
void ft__adaptive_owe(struct ft__adaptive *a, size_t index);

/* ft__adaptive_add_index - once, however often. FT_ENOMEM. */
enum ft_status ft__adaptive_add_index(struct ft__indices *indices, size_t index, struct ft_err *err);

/* ft__adaptive_rungs_beside - the first sizes that may run at the same time as a size; left: of the
 * budget. rung [most] */
size_t ft__adaptive_rungs_beside(const struct ft__adaptive *a, size_t index, double left, size_t *rung,
				 size_t most);

/* ft__adaptive_again - the one that has waited longest for that; FT__NONE: none that is to be had. left: of
 * the budget. */
size_t ft__adaptive_again(const struct ft__adaptive *a, double left);

/* ft__adaptive_sure - a size to run regardless of its gain; FT__NONE: none. *dear: the budget does not
 * reach the largest. */
size_t ft__adaptive_sure(const struct ft__adaptive *a, bool *dear);

/*
 * A model along one parameter, with the other ones fixed: a boundary of the model over all of them.
 */

/* The line's place on the other axes. Sizes along it may turn out to be holes; then the other values are
 * raised, and it starts again. */
struct ft__line {
	struct ft__lattice *lattice;
	const struct ft__row *row;
	size_t axis;
	struct ft__place base; /* at[axis] is unused */
	void *state;           /* of the row's builder of one parameter */
	/* If no work is stated or reported, a power of the size along the line stands for it: 1 / time
	 * alone falls so steeply that cuts would never meet. The power goes through both ends. */
	bool settled;  /* the exponent is known, or not needed */
	bool reported; /* work, by the run at the line's first size */
	size_t end;    /* number of the size that it is drawn through */
	double exponent;
	bool done;
	int probes;       /* made to raise it; -1: it was raised, or cannot be */
	double low, high; /* shares of the other parameters' ranges: too low, high enough */
	struct ft__place probe;
};

/*
 * Measurements of copies at once, and the slowdown of a number of copies.
 */

/* One run of some copies. */
struct ft__packed {
	size_t copies;
	double each[FT_PACK_RESOURCES]; /* the mean of the copies; NaN: one had none */
	double last_s, peak_bytes;      /* time of the copy that ended last; the sum of peaks */
};

struct ft_pack {
	struct ft_pack_options options;
	struct ft_random random;
	const struct ft_resource *resource[FT_PACK_RESOURCES]; /* [n_resources] of the first run */
	size_t n_resources;
	struct ft__packed *look; /* [n] in the order in which they were made */
	size_t n, capacity;
	size_t level[FT_PACK_LEVELS], n_levels;    /* copies to be run, ascending, 1 first */
	size_t queue[FT_PACK_LEVELS + 2], n_queue; /* what is left of this round, the last one next */
	size_t requested;                          /* 0: no run is under way */
	size_t most, by_memory;                    /* copies that may run; that memory holds */
	size_t barred;                             /* this many and more are not run again; 0: none */
	enum ft_outcome outcome;                   /* why */
	double spent_s, footprint_bytes;
	bool ended, skipped; /* skipped: what would not fit the budget */
	enum ft_stop stop;
};

enum ft__verdict { FT__OPEN, FT__HOLDS, FT__BREAKS };

/* in the place of a resource: the wall time of the last */

/*
 * What a builder stores for each size: whether it needs it, its results, the cut.
 */

struct ft__point {
	size_t index; /* of the size in the grid */
	bool wanted;  /* the procedure came here: this size belongs to the result */
	bool measured;
	bool good;      /* has a result, and could be measured */
	double work;    /* stated, or else reported by the runs; 0: neither */
	size_t n;       /* runs */
	double mean;    /* 1 / their mean time; 0 if nothing could be measured */
	double spread;  /* standard deviation of their times, as a share of the mean */
	double rate[2]; /* the cut of it, least and largest; of_top: of the load and the runs alone */
};

/* Zero-initialise. */
struct ft__points {
	struct ft__point *point; /* [n] ascending by index */
	size_t n, capacity;
	size_t wanted, measured; /* how many are */
	size_t silent;           /* good ones of which no work is known: then the work is 1 at all of them */
};

/* ft__points_reserve - make room for that many points in all; nothing changes on failure (false). */
bool ft__points_reserve(struct ft__points *points, size_t capacity);
void ft__points_clear(struct ft__points *points); /* accepts NULL, and twice */

const struct ft__point *ft__points_find(const struct ft__points *points, size_t index); /* NULL: no point */
bool ft__points_measured(const struct ft__points *points, size_t index);
bool ft__points_good(const struct ft__points *points, size_t index);

/* ft__points_want - the procedure needs this size. Allocates nothing: there must be room for one more.
 * Cost O(n). */
void ft__points_want(struct ft__points *points, size_t index);

/* ft__points_cut - lower and upper speed at a size; zeros if nothing could be measured. A tolerance of the
 * top speed refers to the fastest size that the procedure came to: cost O(n). */
void ft__points_cut(const struct ft__points *points, const struct ft_build_options *options, size_t index,
		    double cut[2]);

/* ft__points_beyond - the cut at the last size, which is not measured: of speed zero. Where the tolerance is
 * a distance it reaches as far from there; but a speed that has fallen and falls no more is never met by
 * that, and the dearest sizes would be divided down to the step: once the largest size measured is slower
 * than the fastest by a cut, the power law through the last two goes on. */
void ft__points_beyond(const struct ft__points *points, const struct ft__grid *grid,
		       const struct ft_build_options *options, double cut[2]);

/* ft__points_shape - what of the shape that GBBP takes for granted the sizes that the procedure came to
 * contradict. FT_OK; FT_ENOMEM. */
enum ft_status ft__points_shape(const struct ft__points *points, const struct ft__grid *grid,
				const struct ft_build_options *options, struct ft_build_shape *out,
				struct ft_err *err);

/* ft__points_tell - store the cut of a result at x. The caller reserved room for one more. A size inside
 * the range that is not admissible is ignored: no procedure needs it. */
void ft__points_tell(struct ft__points *points, const struct ft__grid *grid,
		     const struct ft__line_options *options, double x, const struct ft_build_result *result);

/*
 * The state of the adaptive builder over several parameters, and its candidate sizes.
 *
 * All of it is a function of the results in their order, and of their costs, whether the builder requested
 * those runs or not.
 */

enum { FT__FIRST_MOST = 16, FT__REVISIT_MOST = 4, FT__BIDS_MOST = 64 };

struct ft__candidate {
	struct ft__place place;
	struct ft__spot spot;
	double self; /* of the candidate with itself, as covariances need */
	double work;
	double variance, hidden; /* of ln of the typical time: by the field, and for cliffs near it */
	double scatter;          /* variance of single runs */
	double ln;               /* of the typical time */
	double seconds;          /* expected duration of a run */
	size_t runs;             /* results so far */
	bool dead;               /* a hole, or too large */
	bool failed;             /* it could not be measured, but is no hole */
	bool far;                /* too dear after failures, or outside what the user allows */
	bool closed;             /* no more runs are to be had there */
};

/* A run that is wanted. */
struct ft__wish {
	size_t candidate;
	size_t runs;    /* target of runs there: done when that many are known */
	double gain;    /* mean excess that it is expected to take away */
	double seconds; /* its price; 0: not known */
};

struct ft__refine {
	struct ft__lattice *lattice;
	const size_t *axis; /* [d] those that vary */
	size_t d;
	struct ft__candidate *candidate; /* [n] */
	size_t n, excluded;
	size_t stride;                /* when a gain is summed, every stride-th candidate stands for all */
	size_t first[FT__FIRST_MOST]; /* [n_first] candidates to begin with */
	size_t n_first;
	struct ft__random_field field, footprint; /* footprint has no sites: none is known */
	size_t tuned, footprint_tuned;            /* number of sites when lengths were last fitted */
	double *space;                            /* [footprint.n] */
	double *row;           /* [field.n x n] U'^-1 times the covariances with candidates */
	struct ft__miss *miss; /* [n_misses] ascending: first visits, in deviations */
	size_t n_misses, misses_most;
	double left_out; /* how the model that answers corrects its errors: ft__field_caution */
	size_t runs;     /* results at candidates, and ... */
	double told_s;   /* ... their seconds, as reported */
	double each_s, stretch, given_s;     /* their prices: ft_builder_price */
	struct ft__wish wish[FT__BIDS_MOST]; /* [n_wishes] what was decided last */
	size_t n_wishes, n_decided;          /* the rest are appended when several are requested at once */
	size_t decided;                      /* runs that were known then; 0: it has only begun */
	size_t strays;                       /* results since then that were not requested */
	double decisions_s;                  /* approximate time of all decisions */
	bool due;                            /* one is */
	bool ending;                         /* the wishes are final visits: no other requests will follow */
	double known_s;   /* time spent when single runs were predicted well enough; 0: not yet */
	double typical_s; /* time left for the typical run; 0: it is accurate, or single runs are not */
	double believed;  /* accuracy of the typical run when no more runs were needed, ln */
	double doubt;     /* times the caution: the model that answers knew less; 1 */
	size_t doubted;   /* runs at the last comparison */
	double within;    /* when that was decided: the error that is wanted over the one that is left */
	enum ft_stop stop;
	bool flat[FT_PARAMS_MAX]; /* when it is done: parameters without effect */
};

/* ft__candidates_make - the candidate sizes: a lattice of admissible ones; and the first to run.
 * FT_EINVAL: none is admissible; FT_ENOMEM. */
enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err);

/* ft__refine_find - the candidate of a place; n: it is none. */
size_t ft__refine_find(const struct ft__refine *r, const struct ft__place *place);

/* ft__refine_cost - the price of a run with a reported time. */
double ft__refine_cost(const struct ft__refine *r, double seconds);

/* ft__refine_dearest - seconds of the dearest candidate that may be run; 0: none may. */
double ft__refine_dearest(const struct ft__refine *r);

double ft__refine_spent(const struct ft__refine *r);
double ft__refine_budget_left(const struct ft__refine *r);

/* ---- results (refine.c) ------------------------------------------------------------------- */

size_t ft__refine_known(const struct ft__refine *r); /* sizes that could be measured */

/* ft__refine_seconds - what a decision takes of processor time, about: from the numbers of sizes alone, for
 * clocks differ from one build to the next. */
double ft__refine_seconds(const struct ft__refine *r);

/* ---- the next runs (refine_ask.c) -------------------------------------------------------------- */

/* ft__refine_bid - choose the runs that remove the most excess per second, one after the other, each as if
 * those before it had been made: r->wish, and r->stop if there is none.
 *
 * from         this many wishes stay
 * least, most  their number in all: enough to make the decision cheap compared to them, within these
 * bounds
 *
 * FT_ENOMEM. */
enum ft_status ft__refine_bid(struct ft__refine *r, size_t from, size_t least, size_t most,
			      struct ft_err *err);

static inline bool ft__candidate_is_alive(const struct ft__candidate *c)
{
	return !c->dead && !c->far;
}

/* ft__refine_ln - ln size on the axis-th of those that vary. */
double ft__refine_ln(const struct ft__refine *r, size_t axis, size_t index);

/*
 * Check whether measured speeds have the shape that GBBP assumes (000 section 2.3).
 */

/* A size, and what its runs allow. */
struct ft__cut {
	double x;
	double speed[2]; /* least and largest */
	double mean;
	size_t n;      /* runs */
	double spread; /* standard deviation of single speeds; of one run: 0 */
};

/* ft__shape_check - find the assumptions that the cuts contradict.
 *
 * cut        [n] ascending by x; their speeds are widened here by the noise estimated from all of them
 * tolerance  sizes that differ by less, as a share, are neighbours
 *
 * Cost O(n^2), and O(m^3) for at most m = 128 of the sizes. */
void ft__shape_check(struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out);

/* Runs of each of the first sizes. */
enum { FT__REFINE_FIRST_RUNS = 2 };

/* ft__refine_learn - fit all results, and predict every candidate; at least one size could be measured.
 * FT_ENOMEM. */
enum ft_status ft__refine_learn(struct ft__refine *r, struct ft_err *err);

/* ft__refine_ask_model - the model that answers learns from the start, and with laws: it may be less certain
 * of the same runs, and ending the build then would give two accuracies for one surface. Sets doubt.
 * FT_ENOMEM. */
enum ft_status ft__refine_ask_model(struct ft__refine *r, struct ft_err *err);

/* ft__refine_missed - how far the first run at a candidate lay from its prediction. FT_ENOMEM. */
enum ft_status ft__refine_missed(struct ft__refine *r, double miss, struct ft_err *err);

#endif
