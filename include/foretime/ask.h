/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - questions to the models of a store.
 *
 *	struct ft_answerer *models;
 *
 *	ft_ask_open(&models, store, "matmul", NULL, 0, err);
 *	ft_ask_predict(models, &ft_wall_s, &size, 0.9, &prediction, err);
 *	ft_ask_close(models);
 */
#ifndef FORETIME_ASK_H
#define FORETIME_ASK_H

#include "foretime/energy.h"
#include "foretime/facts.h"
#include "foretime/load.h"
#include "foretime/plan.h"
#include "foretime/store.h"

FT_BEGIN_DECLS

struct ft_answerer;

/* ft_ask_open - make what is known of a program on a machine ready to answer.
 *
 * store    borrowed, must outlive the answerer
 * name     of the program; of several, the newest that has runs on the machine
 * machine  its fingerprint or host name; NULL: `here`
 * here     id of this machine in the store (0: not known). When the program has no runs here but on just one
 *          other machine, that one is used: ft_ask_machine returns
 * out      heap, ends with ft_ask_close
 *
 * Returns FT_OK, also without any run when laws were stated (the machine is then cleared, where it is not
 * known); FT_ENOENT: no such program or machine; FT_ENOMODEL: it has no runs and no law; what the store
 * returns.
 */
enum ft_status ft_ask_open(struct ft_answerer **out, struct ft_store *store, const char *name,
			   const char *machine, int64_t here, struct ft_err *err);

/* ft_ask_open_on - the same of one device of the program. device NULL: the only one that has runs; "",
 * "(none)": of runs without one. FT_EINVAL, also of ft_ask_open: there are several (the text names them).
 * FT_ENOENT: no such device. */
enum ft_status ft_ask_open_on(struct ft_answerer **out, struct ft_store *store, const char *name,
			      const char *device, const char *machine, int64_t here, struct ft_err *err);

/* ft_ask_open_version - the same of an older executable of that name. hash: a prefix that distinguishes it
 * from the other executables (struct ft_store_entry). FT_ENOENT: there is none with runs, or several. */
enum ft_status ft_ask_open_version(struct ft_answerer **out, struct ft_store *store, const char *name,
				   const char *device, const char *hash, const char *machine, int64_t here,
				   struct ft_err *err);

/* ft_ask_open_models - ft_ask_open_on for callers that use only ft_ask_predict and the details of its
 * answers. Of a program with very many runs over one parameter, all without failures, the runs that such
 * answers need are kept by number in the store, where that may be written: from the second call on only these
 * are read, until runs come or go, and ft_ask_runs has no further ones unless a question needs them all. */
enum ft_status ft_ask_open_models(struct ft_answerer **out, struct ft_store *store, const char *name,
				  const char *device, const char *machine, int64_t here, struct ft_err *err);
void ft_ask_close(struct ft_answerer *answerer); /* accepts NULL */

const struct ft_program *ft_ask_program(const struct ft_answerer *answerer);
const struct ft_machine *ft_ask_machine(const struct ft_answerer *answerer);
const struct ft_runs *ft_ask_runs(const struct ft_answerer *answerer); /* all of them, in the order stored */
size_t ft_ask_count(const struct ft_answerer *answerer);               /* how many there are */

/* Of all runs together, also where ft_ask_runs has few of them. */
struct ft_ask_whole {
	size_t real;              /* somebody needed their result */
	double slow_down, others; /* ft_runs_slow_down */
};
struct ft_ask_whole ft_ask_all(const struct ft_answerer *answerer);

/* ft_ask_folded - how many earlier runs there were besides, of which only sums and quantiles by size are kept
 * (ft_store_fold_runs): values by size (ft_ask_values) contain them, models are fitted to those that are kept singly. */
size_t ft_ask_folded(const struct ft_answerer *answerer);

/* ft_ask_left_out - how many values are left out of ft_ask_runs (ft_runs_settle). */
size_t ft_ask_left_out(const struct ft_answerer *answerer);

/* ft_ask_values - ft_runs_values of all runs. Of very many they are kept in the store, as the few runs of
 * ft_ask_open_models are. out: ends with free; points to runs of the answerer. */
enum ft_status ft_ask_values(struct ft_answerer *answerer, const struct ft_resource *resource,
			     struct ft_size_values **out, size_t *n, struct ft_err *err);

/* ft_ask_any_size - a size that was run, the first: for questions that are about no size in particular. */
struct ft_size ft_ask_any_size(const struct ft_answerer *answerer);

/* ft_ask_failing - the run of the smallest size, in the first of its axes, from which on none ended well;
 * NULL: there is none. Borrowed. */
const struct ft_run *ft_ask_failing(const struct ft_answerer *answerer);

/* ft_ask_axes - the parameters that the models are functions of: those in which the runs that ended well
 * differ; when there are several, models are functions of all of them.
 * axis  [FT_PARAMS_MAX] out, ascending. Returns their number, at least 1. */
size_t ft_ask_axes(const struct ft_answerer *answerer, size_t *axis);

/* ft_ask_flat - which parameters change nothing: over all values measured of such a one, the others as in the
 * runs, the typical run stays the same within 5 %, on average, and within 10 % in particular.
 *
 * size  its fixed parameters choose the model
 * flat  [FT_PARAMS_MAX] out; empty where the runs are too few to decide, or cannot distinguish it from
 *       another one (ft_ask_together), and on failure
 *
 * Returns what ft_ask_model returns. Cost: 16 sizes and three values of each parameter are predicted. */
enum ft_status ft_ask_flat(struct ft_answerer *answerer, const struct ft_resource *resource,
			   const struct ft_size *size, bool flat[FT_PARAMS_MAX], struct ft_err *err);

/* Two parameters that always rose and fell together in the runs: their parts cannot be distinguished. */
struct ft_together {
	size_t one, other;
	bool equal; /* they had the same value in each run */
};

/* ft_ask_together - of the parameters of models those that follow another one. out: [FT_PARAMS_MAX], *n of
 * them. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft_ask_together(const struct ft_answerer *answerer, struct ft_together *out, size_t *n,
			       struct ft_err *err);

/* ft_ask_older - how many runs there are on the machine of older programs of that name: of other executables,
 * which are not used. since_ns: out, wall clock of the first run of the program; may be NULL. */
size_t ft_ask_older(const struct ft_answerer *answerer, int64_t *since_ns);

/* ft_ask_knowledge - what an expert stated of the program. */
const struct ft_knowledge *ft_ask_knowledge(const struct ft_answerer *answerer);

/* How well a stated law L agrees with runs: value ~ start + scale L. */
struct ft_calibrated_law {
	double start, scale;
	double error;       /* one standard deviation of ln value about it, of the medians by size; NaN: one
			       size, which does not show it */
	double noise;       /* the same of single runs about their median; NaN: no size has two */
	double slope;       /* how far the exponent may be wrong, one standard deviation */
	double least, most; /* of the values calibrated at */
	size_t sizes, runs;
	double dof;
	bool fits; /* the error is within 10 %, or twice the noise */
};

/* ft_ask_calibrate - set the stated law of a resource to the runs that ended well.
 *
 * With four sizes or more a constant is added where runs want one (start-up, which experts leave out); with
 * fewer only the scale is found. Relative errors are least squares.
 *
 * Returns FT_OK; FT_ENOENT: no law; FT_ENOMODEL: no runs; FT_EINVAL: the law cannot be evaluated at their
 * sizes, or is 0 there.
 */
enum ft_status ft_ask_calibrate(struct ft_answerer *answerer, const struct ft_resource *resource,
				struct ft_calibrated_law *out, struct ft_err *err);

/* ft_ask_resource - the i-th resource that the runs have values of, or that a law was stated of, in the order
 * of the table; NULL past the last. */
const struct ft_resource *ft_ask_resource(const struct ft_answerer *answerer, size_t i);

/* ft_ask_has - whether it is one of them. */
bool ft_ask_has(const struct ft_answerer *answerer, const struct ft_resource *resource);

/* ft_ask_typed - the resource that a person means: by its name, that of a counter among them, or by a word
 * (ft_resource_typed). "memory" and its like are what batch systems mean: of all processes together where
 * that is known (peak_tree_bytes), else of the largest one. NULL: no resource is called so. */
const struct ft_resource *ft_ask_typed(const struct ft_answerer *answerer, const char *word);

/* ft_ask_find - the same, of which something is known; word NULL: wall_s, or the first that there is when
 * that was not measured. Returns FT_OK; FT_ENOENT, with why, or what there is instead. */
enum ft_status ft_ask_find(const struct ft_answerer *answerer, const char *word,
			   const struct ft_resource **out, struct ft_err *err);

/* ft_ask_size - a size from "n=512 m=100": values by name. Parameters left out take their only value in the
 * runs.
 *
 * Returns FT_OK; FT_EINVAL: an unknown parameter, or a value missing (named in the text).
 */
enum ft_status ft_ask_size(const struct ft_answerer *answerer, const char *const name[], const double value[],
			   size_t n, struct ft_size *out, struct ft_err *err);

/* ft_ask_admits - whether a size meets the constraint of the program: a model cannot predict what a run costs
 * that makes no sense. ft_ask_predict does not check it.
 *
 * Returns FT_OK; FT_EINVAL: it does not, and the remedy names the nearest size run that does; what
 * ft_expr_new returns.
 */
enum ft_status ft_ask_admits(const struct ft_answerer *answerer, const struct ft_size *size,
			     struct ft_err *err);

/* ft_ask_model - the model of a resource for the fixed parameters of a size: the stored one, or, when that is
 * missing or older than the runs, one fitted now (and stored, when the store may be written). Borrowed until
 * the answerer is closed.
 *
 * Returns FT_OK; FT_ENOENT: no resource of that name was measured; FT_ENOMODEL: no run at these fixed
 * parameters.
 */
enum ft_status ft_ask_model(struct ft_answerer *answerer, const struct ft_resource *resource,
			    const struct ft_size *size, const struct ft_model_record **out,
			    struct ft_err *err);

/* ft_ask_predict - the value of a resource at a size, by the best of what is known of it:
 *
 *	no runs            the stated law, without an interval (FT_LEVEL_LAW)
 *	size was run       the model; where it is rough or there is none, the table of runs (FT_LEVEL_TABLE)
 *	within the runs    the model; where it is rough, the stated law set to the runs when it fits them
 *	outside the measured range    the stated law set to the runs when it fits them, else the model
 *	one size was run   the stated law set to it, elsewhere
 *
 * See ft_model_predict, ft_ask_calibrate. Source: 002 section 4.1.3. No number is returned that no person could
 * use: where the interval spans more than a factor of 1000, or ends above FT_TIME_MOST_S or FT_BYTES_MOST,
 * upper is INFINITY (and lower 0, known NaN, where it is they that lie far off); FT_ENOMODEL: the value
 * itself lies above. */
enum ft_status ft_ask_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);

/* The background load of a predicted run. */
struct ft_ask_load {
	enum ft_load_view view;
	enum ft_sharing sharing;
	double threads; /* that the run keeps busy; 0: as in its runs */
	int64_t at_ns;  /* of FT_LOAD_AT: when it begins, wall clock */
};

/* ft_ask_under - from now on answer for runs under background load: ft_ask_predict, ft_ask_largest,
 * ft_ask_request and what is built on them.
 *
 * Models know what runs take alone (ft_run_alone): that is FT_LOAD_IDLE, and the answer until another load is
 * requested. Else the part of wall_s that is spent on processors is slowed, by the history's quantiles at
 * the confidence requested (FT_LOAD_USUAL), or by this moment's load (FT_LOAD_NOW; looked at once, for 0.2 s,
 * and kept), as runs of that length were slowed under such a load (ft_load_meet); known is then NaN. Niced,
 * the interval reaches from the least to the largest stretch, and the value stands in the middle of the two
 * speeds (001 II.A.1); upper and value may then be INFINITY: the others leave nothing.
 *
 * The load is looked at when it is needed: then what asks for a wall time returns FT_ENOMODEL: no load was
 * recorded on that machine for ten minutes; FT_EUNAVAIL: now, and the runs are of another machine, or the
 * load cannot be seen here.
 */
void ft_ask_under(struct ft_answerer *answerer, const struct ft_ask_load *load);

/* ft_ask_hour - what the last wall time under FT_LOAD_AT rests on (ft_load_hours_at); NULL: not requested.
 * FT_LOAD_AT is answered for runs that share fairly, else FT_EINVAL; FT_ENOMODEL: ft_load_hours_make. */
const struct ft_load_answer_hour *ft_ask_hour(const struct ft_answerer *answerer);

/* ft_ask_hours_worth - ft_load_hours_worth of a run of that length. */
bool ft_ask_hours_worth(const struct ft_answerer *answerer, struct ft_load_worth *out);

/* ft_ask_powers - the powers of the machine that is answered for: from now on energy_j is given where no run
 * measured it, as E = sum P_i t_i of what a run takes, on one machine (FT_LEVEL_POWER, FT_BASIS_STATED).
 * Parts are infr, machine, core as ft_energy_fit names them, or all. The interval is that of the time, and of
 * powers that were measured their own doubt. FT_ENOMODEL of such an energy: processor time is not known,
 * other parts. Source: 004 eq. 8.14, 12.1. */
void ft_ask_powers(struct ft_answerer *answerer, const struct ft_power *power);

/* A level of memory that no run has passed, and a run of some size would. */
struct ft_pass {
	const char *level;   /* "L2 cache", "L3 cache"; "memory": that of the machine */
	double bytes;        /* its size; of a cache that of one instance */
	double held, needed; /* by the largest run that ended well; as expected at the size */
};

enum { FT_PASSES_MAX = 3 };

/* ft_ask_passes - why the prediction of a size outside the measured range may be wrong: levels of memory
 * between what runs held and what it needs (peak_tree_bytes, else peak_rss_bytes). None: there is no such
 * edge on the way, as far as machine and runs are known. Returns their number, ascending. */
size_t ft_ask_passes(struct ft_answerer *answerer, const struct ft_size *size,
		     struct ft_pass pass[FT_PASSES_MAX]);

/* What is stated of the cycles of a machine; 0: nothing. */
struct ft_cycles {
	double cpi;       /* cycles per instruction */
	double hz;        /* cycles per second */
	double available; /* the share of them that the program gets, 0 .. 1; 0: all, or as in the runs there
			   */
};

/* ft_ask_elsewhere - from now on answer for a machine where the program was never run: times are its
 * instructions, as counted or stated here, at the pace of that machine (002 eq. 3.1); instructions and memory
 * are those of here. Where no instructions, or no pace, are known and both machines were calibrated, times
 * are those of here, as much longer as the micro-benchmarks are there (FT_LEVEL_ROWS, ft_ask_row_ratio).
 *
 * machine  its fingerprint or host name; with cpi and hz stated, any word
 * stated   cpi > 0: the pace is cpi / (hz available); else it is learned from all runs of any program there
 *          that have a time and instructions
 *
 * Returns FT_OK; FT_ENOENT: nothing was run on such a machine; FT_ENOMODEL: nothing run there has both a time
 * and instructions, and not both were calibrated; FT_EUNAVAIL: cpi without hz, and no run there contains its
 * clock rate.
 */
enum ft_status ft_ask_elsewhere(struct ft_answerer *answerer, const char *machine,
				const struct ft_cycles *stated, struct ft_err *err);
const struct ft_machine *ft_ask_elsewhere_machine(const struct ft_answerer *answerer); /* NULL: no such one */

/* ft_ask_answered_machine - which machine it is answered for: that of ft_ask_elsewhere, else that of the
 * runs. */
const struct ft_machine *ft_ask_answered_machine(const struct ft_answerer *answerer);

/* How fast a machine executes instructions. */
struct ft_pace {
	double s;      /* seconds for one instruction */
	double spread; /* one standard deviation of ln s, of another program there; 0: stated */
	double dof;
	size_t programs; /* that it was learned from */
	bool stated;
};

/* ft_ask_pace - the pace of that machine for a program of this many instructions. */
enum ft_status ft_ask_pace(struct ft_answerer *answerer, double instructions, struct ft_pace *out,
			   struct ft_err *err);

/* ft_ask_row_ratio - how many times as long a run of that size takes on that machine, as the newest
 * calibrations of both state: of the micro-benchmarks that go over no more memory than the run holds the
 * geometric mean (s), and how far they lie apart (spread); programs: how many. FT_ENOMODEL: fewer than five
 * in common. */
enum ft_status ft_ask_row_ratio(struct ft_answerer *answerer, const struct ft_size *size, struct ft_pace *out,
				struct ft_err *err);

/* No more than this much of a resource; and, after ft_ask_largest, its result. */
struct ft_limit {
	const struct ft_resource *resource;
	double most; /* unit of the resource, > 0 */
	bool binds;  /* the next size is over this limit */
	bool grows;  /* the value grows with the size where the data ends; where it does not, sizes more than
			10  times outside the measured range count as within the limit, however wide the
			interval gets */
	struct ft_prediction at; /* at the size answered */
};

/* X(name, what it means) */
#define FT_LARGEST_LIST(X)                                                                                   \
	X(FOUND, "there is a largest size that fits")                                                        \
	X(NONE, "not even the smallest size fits")                                                           \
	X(ANY, "every size fits")

enum ft_largest_kind {
#define FT_LARGEST_ENUM(name, words) FT_LARGEST_##name,
	FT_LARGEST_LIST(FT_LARGEST_ENUM)
#undef FT_LARGEST_ENUM
};

/* What ft_ask_largest answers. Sizes are values of the parameter that varies. */
struct ft_largest {
	enum ft_largest_kind kind;
	struct ft_size size; /* FOUND: the largest; NONE: the smallest; ANY: the largest measured */
	double next; /* the size after it, which does not fit; NaN: ANY, or none meets the constraint */
	double again, last; /* larger sizes fit again: the first of them, and the last (infinite: no limit
			       any more); NaN: none does */
	double killed; /* the smallest size at which a run was killed for memory, where no larger one ended
			  well: nothing from there on fits; NaN: none */
	bool by_kill;  /* and that binds */
	bool by_where; /* no larger size meets the program's constraint; NONE: no size at all does */
	bool by_list;  /* all sizes that the range lists fit, and this is the last of them */
	double reach;  /* sizes up to here were considered: a million times the largest measured one */
};

/* ft_ask_largest - the largest size that fits one or several limits.
 *
 * A size fits when the upper end of the predicted interval (one-sided: a share `confidence` of future single
 * runs at that size stays below it) is within the limit, for each limit by itself, and when no run was killed
 * for memory there or below. The answer is the largest admissible size (least, least + stride, ..., also
 * beyond the range; and `most`; or least, least * factor, ...; or those of a list, none beyond it; of these
 * those that meet the program's constraint) such that all admissible sizes up to it fit.
 *
 * limit       [n] in and out, n >= 1
 * fixed       the values of the other parameters, as ft_ask_size fills them; that of the varying one is
 * passed over
 * varying     the parameter whose largest value is requested, one of ft_ask_axes
 * confidence  0.75 .. 0.9995
 *
 * Returns FT_OK; FT_EINVAL: a limit that is not positive, the confidence; what ft_ask_model returns.
 * Exact where the work is monotone between measured sizes: gaps are bisected, not scanned. Where the model
 * has fine structure (struct ft_fine), sizes near the limit are scanned, 10000 at most; the rest of these
 * count as over it. Cost O(k^2) for k measured sizes, and otherwise independent of how many there are between
 * them.
 */
enum ft_status ft_ask_largest(struct ft_answerer *answerer, struct ft_limit *limit, size_t n,
			      const struct ft_size *fixed, size_t varying, double confidence,
			      struct ft_largest *out, struct ft_err *err);

/* One combination of ft_ask_frontier, and the limits at it. */
struct ft_frontier_point {
	struct ft_largest largest; /* in the last parameter, the others as large as they may then be */
	struct ft_limit *limit;    /* [n] */
};

struct ft_frontier {
	struct ft_frontier_point *point; /* [n] the first parameter ascending */
	size_t n;
	struct ft_largest
		at_least;       /* n = 0: the answer for the last where the others are least: NONE or ANY */
	struct ft_limit *limit; /* of all points, and of at_least: those of the n-th */
};

/* ft_ask_frontier - the largest combinations of several parameters that fit: such that none can be raised and
 * the limits be kept. Of the many that there may be, up to 12 of two parameters, 16 of three, 27 of four,
 * evenly spread in the logarithms of all but the last.
 *
 * fixed    as of ft_ask_largest; those of the varying ones are passed over
 * varying  [n_varying] two or more
 * out      the caller's, ends with ft_frontier_clear; cleared on failure
 *
 * Returns FT_OK; what ft_ask_largest returns, which it asks for each combination once for each parameter and
 * once more.
 */
enum ft_status ft_ask_frontier(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
			       const struct ft_size *fixed, const size_t *varying, size_t n_varying,
			       double confidence, struct ft_frontier *out, struct ft_err *err);
void ft_frontier_clear(struct ft_frontier *frontier); /* accepts NULL, and twice */

FT_END_DECLS

/*
 * Models as costs: what each share of a total takes, as plans want it (plan.h).
 *
 * 	struct ft_cost cost;
 *
 * 	ft_cost_make(&cost, models, &size, 0, 1000000, NULL, err);
 * 	times[i] = (struct ft_plan_times){.n = cost.n, .at = cost.at, .time_s = cost.value};
 */

FT_BEGIN_DECLS

/* The smallest risk of models. */
#define FT_COST_RAREST 0.0005

/* All of it may be zero. */
struct ft_cost_options {
	const struct ft_resource *resource; /* NULL: wall_s */
	double risk; /* share of single runs that may cost more, FT_COST_RAREST .. 0.25; 0: a typical run */
	double memory_risk;  /* share of them that may need more memory than there is; 0: 1 % */
	double memory_bytes; /* what there is; 0: what the machine has; INFINITY: any */
	size_t processors;   /* that work at once in that memory, and share it alike; 0: one */
	double most;         /* that a share may cost: more will not do; 0: any */
	int64_t step;        /* shares are multiples of it; 0: 1 */
	uint64_t effort;     /* shares to look at; 0: 3000 */
};

/* Why there is an end. X(name, what a person reads) */
#define FT_COST_END_LIST(X)                                                                                  \
	X(NONE, "no end")                                                                                    \
	X(MEMORY, "memory")                                                                                  \
	X(FAILED, "no run as large ended well")                                                              \
	X(WHERE, "the program's constraint")                                                                 \
	X(LIMIT, "the longest run that is let")

enum ft_cost_end {
#define FT_COST_END_ENUM(name, words) FT_COST_##name,
	FT_COST_END_LIST(FT_COST_END_ENUM)
#undef FT_COST_END_ENUM
};

const char *ft_cost_end_text(enum ft_cost_end end);

/* Knots with straight lines between them, the first at 1; INFINITY where a share will not do. */
struct ft_cost {
	int64_t *at;   /* [n] ascending */
	double *value; /* [n] unit of the resource */
	size_t n;
	double risk;  /* that was planned with; 0: typical runs */
	bool rough;   /* the model is too rough for its typical run: the upper end at 5 % stands for it */
	double error; /* how far lines lie from the model where that was looked at, as a share; 0: every share
			 is a knot */
	int64_t most; /* the largest share that will do; 0: none */
	enum ft_cost_end end; /* why none that is larger does */
	double memory_bytes;  /* that it may need; INFINITY: any, or nothing is known of what it needs */
	uint64_t evaluations; /* shares that were looked at */
};

/* ft_cost_make - what a program costs at 1 .. most units of a parameter.
 *
 * size     the values of the other parameters, as ft_ask_size fills them; that of `varying` is passed over
 * varying  the parameter that is divided
 * most     1 .. 2^53
 * options  may be NULL
 * out      ends with ft_cost_clear; cleared on failure
 *
 * Where most / step is no more than 512, every share is a knot. Else knots are put, breadth first, until
 * lines between them lie within 0.1 % of the model or the effort is spent; edges (memory, failures) are found
 * to the step. A share costs INFINITY where memory at the risk does not fit, where no run as large ended
 * well, above options->most, and where the program's constraint is not met.
 *
 * Returns FT_OK; FT_EINVAL: most, the risk; FT_ENOMODEL: a law that was never tried has no risk; what
 * ft_ask_predict returns.
 */
enum ft_status ft_cost_make(struct ft_cost *out, struct ft_answerer *answerer, const struct ft_size *size,
			    size_t varying, int64_t most, const struct ft_cost_options *options,
			    struct ft_err *err);
void ft_cost_clear(struct ft_cost *cost); /* accepts NULL, and twice */

/* ft_cost_at - what one size costs: the same, without knots. end: why it will not do (*value INFINITY); may
 * be NULL. */
enum ft_status ft_cost_at(struct ft_answerer *answerer, const struct ft_size *size, size_t varying,
			  const struct ft_cost_options *options, double *value, enum ft_cost_end *end,
			  struct ft_err *err);

FT_END_DECLS

/*
 * A total divided over processors by their models: costs (cost.h) for a plan (plan.h).
 *
 * 	struct ft_divide question = {.total = 1000000, .group = group, .n = 2};
 * 	struct ft_division answer = {0};
 *
 * 	ft_divide_costs(&question, err);
 * 	ft_divide_fastest(&question, &answer, err);
 * 	... answer.share[i].units, answer.time_s ...
 * 	ft_division_clear(&answer);
 * 	ft_divide_clear(&question);
 */

FT_BEGIN_DECLS

/* Processors that are alike: a program on a host. */
struct ft_divide_group {
	struct ft_answerer *answerer; /* borrowed */
	struct ft_size size;          /* of the parameters that are not divided */
	size_t varying;               /* the one that is */
	size_t count;                 /* processors, 1 or more */
	const char *host; /* groups of one host and one machine share its memory; NULL: where the runs are */
	/* What is stated of the host; 0: its memory is what the machine has, runs may be of any length,
	 * joules are those of models */
	double memory_bytes, limit_s, watts;
	/* Made of it: */
	struct ft_cost_options options; /* of its cost */
	struct ft_cost cost,
		energy; /* seconds; joules, once they were requested and where no watts are given */
};

struct ft_divide {
	int64_t total, step,
		least;      /* 1 .. 2^53; of each share: a multiple of step (0: 1), at least this much */
	double risk;        /* of all together to take longer than time_s, below 0.25; 0: typical runs */
	double memory_risk; /* as of struct ft_cost_options, and effort */
	uint64_t effort;
	bool apart; /* each processor keeps its part of the risk, independent of the others: for energy, grids
		     */
	struct ft_divide_group *group; /* [n] the caller's */
	size_t n;
};

struct ft_divide_share {
	size_t group;
	int64_t units;
	double time_s;           /* by its model, where the plan used a line; INFINITY: it will not do */
	enum ft_cost_end end;    /* why not */
	double energy_j;         /* NaN: not requested */
	struct ft_prediction at; /* 90 % of runs; value NaN: nothing to do, or not known */
	enum ft_plan_binds binds;
};

/* Zero-initialise; ends with ft_division_clear. */
struct ft_division {
	struct ft_divide_share *share; /* [p] in the order of the groups */
	size_t p;
	struct ft_partition found;        /* the fastest; its value INFINITY: there is none, shares are 0 */
	struct ft_partition_energy cheap; /* of least energy, where that was requested */
	double risk;    /* of each processor that has a share, to take longer than time_s; 0: typical runs */
	double time_s;  /* when the last one is done; INFINITY: some share will not do */
	double equal_s; /* the same of equal shares; INFINITY: they do not fit */
};

/* ft_divide_risk - the risk of each of n, independent, where that of all together is requested. */
double ft_divide_risk(double risk, size_t n);

/* ft_divide_costs - what each group takes for each share, before any other call. out: of each group
 * options and cost, in place of those that there were; ends with ft_divide_clear.
 *
 * The risk is ft_divide_risk of all processors, FT_COST_RAREST at least. Returns what ft_cost_make does, the
 * program before it in the text. */
enum ft_status ft_divide_costs(struct ft_divide *divide, struct ft_err *err);
void ft_divide_clear(struct ft_divide *divide); /* accepts NULL, and twice; groups stay the caller's */

/* ft_divide_times - what one processor of a group takes, with its least share. Borrowed from its cost. */
struct ft_plan_times ft_divide_times(const struct ft_divide *divide, size_t group);

/* ft_divide_fastest - shares such that the last processor ends as early as possible; with a risk, but for
 * that (ft_plan_partition_late), unless the processors stay apart, a model is too rough, or the risk is below
 * FT_COST_RAREST.
 *
 * out  in: zeroed, or of an earlier question
 *
 * Returns what ft_plan_partition does. Cost: costs at typical runs once more, with a risk; two predictions
 * for each share. */
enum ft_status ft_divide_fastest(struct ft_divide *divide, struct ft_division *out, struct ft_err *err);

/* ft_divide_cheapest - of the answer of ft_divide_fastest the shares are replaced by those of least energy
 * that end by a deadline (INFINITY: none). Where there are none within the effort of
 * ft_plan_partition_energy, cheap.plan.value is INFINITY and shares stay.
 *
 * Returns FT_OK; FT_EINVAL: the total is no multiple of the step, or of more than a million steps;
 * FT_ENOENT: a group has neither watts nor a model of joules; what ft_cost_make returns. Memory: two
 * doubles a step and group. */
enum ft_status ft_divide_cheapest(struct ft_divide *divide, double deadline_s, struct ft_division *out,
				  struct ft_err *err);

/* ft_divide_front - time against energy, as ft_plan_front (most: 0: all points), and the shares of its knee;
 * units are steps. Where front->n is 0 shares stay. Returns as above. */
enum ft_status ft_divide_front(struct ft_divide *divide, size_t most, struct ft_plan_front *front,
			       struct ft_division *out, struct ft_err *err);

/* ft_divide_grid - the total is a grid of blocks, step units each: a rectangle for each processor, and shares
 * as large; least shares and risks apart. Where there is none grid->plan.value is INFINITY and shares stay.
 * tile: [p] out. Returns as ft_plan_grid; FT_EINVAL: rows x columns blocks are not the total. */
enum ft_status ft_divide_grid(struct ft_divide *divide, int64_t rows, int64_t columns,
			      struct ft_plan_tile *tile, struct ft_grid *grid, struct ft_division *out,
			      struct ft_err *err);
void ft_division_clear(struct ft_division *division); /* accepts NULL, and twice */

FT_END_DECLS

/*
 * How often single runs lay within their prediction.
 *
 * 	struct ft_kept kept;
 *
 * 	ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, FT_KEPT_RUNS, 0}, &kept, err);
 * 	printf("%zu of %zu", kept.inside, kept.inside + kept.less + kept.more);
 * 	ft_kept_clear(&kept);
 */

FT_BEGIN_DECLS

/* What became of it. X(name, what a person reads) */
#define FT_FATE_LIST(X)                                                                                      \
	X(INSIDE, "inside")                                                                                  \
	X(LESS, "less")                                                                                      \
	X(MORE, "more")                                                                                      \
	X(UNTOLD, "not foretold") /* the runs before it did not suffice */

enum ft_fate {
#define FT_FATE_ENUM(name, words) FT_FATE_##name,
	FT_FATE_LIST(FT_FATE_ENUM)
#undef FT_FATE_ENUM
};

const char *ft_fate_text(enum ft_fate fate);

/* A run, and its prediction by the runs before it. */
struct ft_kept_run {
	int64_t id, started_ns; /* as of struct ft_run */
	struct ft_size size;
	double value;                   /* what a model is made of: of wall_s what it takes alone */
	struct ft_prediction predicted; /* all zero: UNTOLD */
	enum ft_fate fate;
};

struct ft_kept {
	struct ft_kept_run *run; /* [n] in the order of time */
	size_t n, inside, less, more, untold;
	double confidence;         /* as requested: this many were expected to lie inside */
	double share, least, most; /* inside / those predicted, and where the share of all such runs lies with
				      95 % confidence; NaN: none predicted */
};

/* This many are judged by default: of 50, 45 kept of 90 %, the share is accurate to +- 9 points
 * (Wilson). */
enum { FT_KEPT_RUNS = 50, FT_KEPT_RUNS_MAX = 1000 };

/* This many models are fitted by default: doc/constants.md. */
enum { FT_KEPT_MODELS = 10 };

struct ft_kept_options {
	double confidence; /* 0.5 .. 0.999, of the interval that holds a single run */
	size_t most;       /* of the newest runs; 1 .. FT_KEPT_RUNS_MAX */
	size_t models;     /* no more of them are fitted; 0: one for each run */
};

/* ft_ask_kept - hold the newest runs of a program, one by one, against what ft_ask_predict would have
 * returned for each just before it began: by a model of nothing but the runs that had begun earlier. Where
 * fewer models are to be fitted than runs are judged, each serves equally many consecutive runs, and was made
 * before the first of them: the result is then of predictions that were a little older.
 *
 * resource  as of ft_ask_predict; judged are runs that ended well, no warm-ups, and have it
 * out       ends with ft_kept_clear; cleared on failure
 *
 * Order is that of started_ns; of runs without it, that in which they were stored. Laws stated later
 * count as though they had been stated before. Only runs of the newest version of the program count: each
 * version begins again.
 *
 * Returns FT_OK; FT_EINVAL: confidence or most; FT_ENOENT: no run has the resource; FT_ENOMEM. Cost: that of
 * the models. Source: the share's interval: Wilson 1927 (score interval).
 */
enum ft_status ft_ask_kept(struct ft_answerer *answerer, const struct ft_resource *resource,
			   const struct ft_kept_options *options, struct ft_kept *out, struct ft_err *err);
void ft_kept_clear(struct ft_kept *kept); /* accepts NULL, and twice */

FT_END_DECLS

#endif
