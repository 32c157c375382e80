/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of ask beyond its interface. */
#ifndef FT_ASK_DOOR_H
#define FT_ASK_DOOR_H

#include "facts/door.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/energy.h"
#include "foretime/facts.h"
#include "foretime/load.h"
#include "foretime/plan.h"
#include "foretime/store.h"
#include "load/door.h"
#include "plan/door.h"
#include "store/door.h"

#include <stdbool.h>
#include <stddef.h>

/* ft_ask_open_version - ft_ask_open of an older executable of that name. hash: a prefix that distinguishes it
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

size_t ft_ask_count(const struct ft_answerer *answerer); /* how many runs there are */

/* Of all runs together, also where ft_ask_runs has few of them. */
struct ft_ask_whole {
	size_t real;              /* somebody needed their result */
	double slow_down, others; /* ft_runs_slow_down */
};
struct ft_ask_whole ft_ask_all(const struct ft_answerer *answerer);

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

/* ft_ask_elsewhere_machine - that machine; NULL: it was not set. */
const struct ft_machine *ft_ask_elsewhere_machine(const struct ft_answerer *answerer);

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

const char *ft_cost_end_text(enum ft_cost_end end);

/* ft_divide_risk - the risk of each of n, independent, where that of all together is requested. */
double ft_divide_risk(double risk, size_t n);

/* ft_divide_times - what one processor of a group takes, with its least share. Borrowed from its cost. */
struct ft_plan_times ft_divide_times(const struct ft_divide *divide, size_t group);

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

/*
 * How often single runs lay within their prediction.
 *
 * 	struct ft_kept kept;
 *
 * 	ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, FT_KEPT_RUNS, 0}, &kept, err);
 * 	printf("%zu of %zu", kept.inside, kept.inside + kept.less + kept.more);
 * 	ft_kept_clear(&kept);
 */

/* What became of it. X(name, what a person reads) */
#define FT_FATE_LIST(X)                                                                                      \
	X(INSIDE, "inside")                                                                                  \
	X(LESS, "less")                                                                                      \
	X(MORE, "more")                                                                                      \
	X(UNTOLD, "not predicted") /* the runs before it did not suffice */

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

/* This many models are fitted by default: doc/constants-answers.md. */
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

const char *ft_doubt_text(enum ft_doubt doubt);

/* What to ask for at one size. NaN: nothing of the kind was measured. */
struct ft_request_knot {
	double at;                /* the parameter's value */
	double typical_s, most_s; /* wall_s: what a run takes, and what to ask for */
	double bytes;             /* memory to ask for */
};

struct ft_request_knots {
	struct ft_request_knot *knot; /* [n] ascending, heap; n >= 1 */
	size_t n;
	size_t axis; /* the parameter that they are of */
	double cpus; /* as in ft_request, in the midst of the data; NaN */
	bool brief;  /* as in ft_request */
};

/* ft_ask_request_knots - what ft_ask_request answers for all sizes, as knots, for readers that only draw lines:
 * between two knots logarithms of numbers are linear in that of the size.
 *
 * size  the values of the other parameters; these have one value in the runs
 * out   ends with ft_request_knots_clear; cleared on failure
 *
 * From the smallest size measured to ten times the largest one, or to where requests are not known any more.
 * Lines are within half a percent of the numbers, except where these jump: there knots stand a thousandth
 * apart. At most 1,024 or so.
 *
 * Returns FT_OK; FT_EINVAL: the risk, runs that differ in several parameters; FT_ENOMODEL; what
 * ft_ask_request returns. Cost: some hundred requests. */
enum ft_status ft_ask_request_knots(struct ft_answerer *answerer, const struct ft_size *size, double risk,
				    struct ft_request_knots *out, struct ft_err *err);
void ft_request_knots_clear(struct ft_request_knots *knots); /* accepts NULL, and twice */

/* ---- tasks that ask for the same ------------------------------------------------------------------------
 */

enum { FT_QUERY = 3 };

/* What a task asks for: time, memory, processors, for example, in any unit. */
struct ft_asking {
	double amount[FT_QUERY]; /* > 0; NaN: not known */
	size_t at;               /* its number among the tasks */
	size_t group;            /* out */
};

/* Of the tasks of a group; what is not known of any is NaN. */
struct ft_asking_group {
	double least[FT_QUERY], most[FT_QUERY];
};

/* ft_askings_group - puts tasks together that may all ask for the most of their group: none for more than
 * `apart` times what it needs itself, of any of the quantities. From what asks for least on: of one quantity
 * no fewer groups would do.
 *
 * task   [n] in any order; out: group by group, in each by `at`
 * group  out: heap, ends with free
 *
 * Returns FT_OK; FT_ENOMEM: the tasks stay as they are. Cost O(n log n + n groups).
 */
enum ft_status ft_askings_group(struct ft_asking *task, size_t n, double apart,
				struct ft_asking_group **group, size_t *n_groups, struct ft_err *err);

/* ft_verdict_breaks - whether a contract with such a verdict is broken. strict: by less than stated, too */
bool ft_verdict_breaks(enum ft_verdict verdict, bool strict);

const char *ft_regression_limit_text(enum ft_regression_limit limit);

/* ---- which new runs that takes ------------------------------------------------------------------------ */

enum { FT_SWEEP_SIZES = 5 };

/* ft_ask_sweep - sizes that were measured, at which new runs show the growth: FT_SWEEP_SIZES at most,
 * evenly in the logarithm of one parameter, the largest among them. They go down to a sixteenth of that:
 * start-up does not hide the growth there.
 *
 * fixed    the values of the other parameters, as ft_ask_size fills them
 * varying  the parameter; values above 0 of runs that ended well count
 * size     [FT_SWEEP_SIZES] out, ascending, different; n: how many
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(runs log runs). */
enum ft_status ft_ask_sweep(const struct ft_answerer *answerer, const struct ft_size *fixed, size_t varying,
			    struct ft_size size[FT_SWEEP_SIZES], size_t *n, struct ft_err *err);

/* ft_ask_verify_limits - after how many seconds a new run of each size is so far over the prediction
 * that its end would change no verdict, under the load of this moment where that can be seen: that is looked
 * at for 0.2 s. At least 1 s; 0: not known. From then on answers are those of FT_LOAD_IDLE. limit_s: [n] out
 */
void ft_ask_verify_limits(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
			  double *limit_s);

/* ft_verify_limit - the same by old runs of that size: ten times what the longest of them took. */
double ft_verify_limit(const struct ft_runs *before, const struct ft_size *size);

/* ft_verification_is_disturbed - whether it is broken, and by nothing that a bad moment does not do, so that
 * runs at another moment may mend it: that changes no counts and no memory, and makes times up to twice as
 * long (doc/constants-answers.md).
 *
 * strict   as in the options
 * in_turn  old and new runs were made alternately, at several moments: these change both alike, and the
 * result of all sizes is final */
bool ft_verification_is_disturbed(const struct ft_verification *verification, bool strict, bool in_turn);

/* ft_verification_is_open - whether further pairs of runs are worth their time: it is broken, or a time or an energy
 * that is 5 % larger would not be seen in 90 % of cases. */
bool ft_verification_is_open(const struct ft_verification *verification);

/* ---- a suite of benchmarks (pairs.c) ------------------------------------------------------------------- */

/* A benchmark whose old and new runs alternate. Zero-initialise but for the first two; ends with ft_paired_clear. */
struct ft_paired {
	const struct ft_resource *resource;
	bool failed; /* it gets no further pairs, and no verdict */
	/* what its pairs show */
	double *before, *now; /* [n] logarithms */
	size_t n, capacity;
	double value;               /* > 0: the typical new run; NaN: none yet */
	double cost_s;              /* of a pair, the newest one counting a third */
	bool exact;                 /* counts that repeat: no further pair would change the ratio */
	double shift, sd;           /* ln (now / before), and the error of it; sd INFINITY: one pair */
	double over, under;         /* p values of "not slower", "not faster", whenever the pairs end */
	double ratio, lower, upper; /* at the risk of the last judgement */
	enum ft_verdict verdict;
};

/* ft_paired_add - a pair of values > 0. Returns FT_OK; FT_EINVAL: they are not; FT_ENOMEM. */
enum ft_status ft_paired_add(struct ft_paired *paired, double before, double now, double cost_s,
			     struct ft_err *err);
/* ft_paired_new_first - whether the next pair begins with the new program: drawn, by the number of pairs. */
bool ft_paired_new_first(const struct ft_paired *paired);

void ft_paired_clear(struct ft_paired *paired);

/* ft_suite_next - the benchmark whose next pair decides the most for its time; SIZE_MAX: further pairs of none would
 * change a verdict. judged: by ft_suite_judge, after the newest pair */
size_t ft_suite_next(const struct ft_paired *paired, size_t n);

/* ft_suite_judge - the verdict of each. Of the discoveries of a suite (OVER; UNDER on their own) a share of at most
 * `risk` is false in the mean (Benjamini and Hochberg 1995), and an unchanged suite has one as rarely. */
void ft_suite_judge(struct ft_paired *paired, size_t n, double risk);

/* ft_history_change - the change in a series of ln ratios [n], oldest first: ln of the factor from `at` on, by that of
 * before; 0: none that is 4 times its error and 1 %. */
double ft_history_change(const double *x, size_t n, size_t *at);

/* ft_growth_text - an exponent in words: the class among n^i, n^i log n (i = 0, 1/2 .. 4) whose exponent
 * around size x is the nearest, "n log n"; both, "n or n log n", where they are within the margin of the
 * exponent; "n^1.7" without a near one. name: of the parameter. Returns buffer. */
enum { FT_GROWTH_LENGTH = 4 * FT_PARAM_LENGTH + 48 };
char *ft_growth_text(double exponent, double margin, double x, const char *name,
		     char buffer[FT_GROWTH_LENGTH]);

/*
 * What a running program will cost, compared with the prediction of a model (002
 * section 2.3). Plain numbers: who looks at the program, and how, is the caller's.
 *
 * 	struct ft_outlook outlook;
 * 	struct ft_breach breach;
 *
 * 	ft_outlook_begin(&outlook, &expected, NULL, 0);
 * 	while (it runs)
 * 		if (ft_outlook_look(&outlook, &look, &breach))
 * 			... it will be late, or out of memory ...
 */

enum { FT_OUTLOOK_POINTS = 128 };

/* The prediction of a model for the run, typically, and at most and at least with the confidence requested;
 * NaN: nothing. */
struct ft_promise {
	double wall_s, upper_s;
	double peak_bytes, upper_bytes, least_bytes;
};

/* How far a run had come, and when: of the share of its work the share of its time. */
struct ft_stage {
	double done; /* 0 .. 1 */
	double time; /* the same of time; of a run that goes on: seconds */
};

/* One look at a program. */
struct ft_outlook_look {
	double time_s;      /* since it began */
	double done;        /* share of its work, 0 .. 1; NaN: it does not state it */
	double bytes;       /* that it holds; NaN: not known */
	double limit_bytes; /* that it may come to hold, on this machine and now; NaN: not known */
	double one_bytes;   /* where the prediction is of one process: what the largest holds; 0: it is of all
			     */
};

/* X(name, what it is called) */
#define FT_BREACH_LIST(X)                                                                                    \
	X(LATE, "late")                                                                                      \
	X(LARGE, "large")                                                                                    \
	X(FULL, "out of memory")

enum ft_breach_kind {
#define FT_BREACH_ENUM(name, words) FT_BREACH_##name,
	FT_BREACH_LIST(FT_BREACH_ENUM)
#undef FT_BREACH_ENUM
		FT_BREACH_KINDS
};

const char *ft_breach_text(enum ft_breach_kind kind);

/* A limit that is, or will be, exceeded. */
struct ft_breach {
	enum ft_breach_kind kind;
	double at_s, done; /* when that was seen, and the share done then; NaN: not stated */
	double value;      /* LATE: seconds that the run will take in all, as it looks; LARGE: bytes that it
			      holds; FULL: bytes that it will need */
	double least;      /* LATE and FULL: no less, at the confidence of the prediction */
	double promised;   /* the most that was predicted; FULL: the limit */
	double when_s;     /* FULL: when it will meet the limit, since its begin; else NaN */
};

/* What is known of a run so far. Plain values: nothing is to be freed. */
struct ft_outlook {
	struct ft_promise promise;
	const struct ft_stage *normal; /* [n_normal] borrowed; see ft_outlook_begin */
	size_t n_normal;
	struct ft_stage stage[FT_OUTLOOK_POINTS]; /* [n_stages] progress, in seconds; thinned out */
	size_t n_stages, steps;
	struct ft_stage reached;                 /* the last of it */
	struct ft_stage held[FT_OUTLOOK_POINTS]; /* [n_held] bytes as `done`, in seconds; thinned out */
	size_t n_held;
	double stage_gap_s, held_gap_s;     /* points are kept no closer than that */
	double longest_s;                   /* between two steps of progress */
	double late_since_s, large_since_s; /* NaN: it does not look so now */
	bool lost;                          /* progress went back, or was complete too early: it is ignored */
	bool said[FT_BREACH_KINDS];
};

/* The whole run, by its progress. */
struct ft_forecast {
	double total_s; /* as it looks; NaN: progress does not show it (yet) */
	double least_s; /* no less than that, but for one run of some hundred */
	double error_s; /* one standard deviation of the total, curves that fit as well included; NaN */
};

/* ft_outlook_begin - a run begins.
 *
 * normal    [n] how a normal run went, both columns ascending, from the first stage to (1, 1); borrowed until
 *           the last look. n = 0: not known. Then the run itself must show how its time goes with its
 *           progress: evenly, or as a power of what is done, or of what is left
 *
 * Returns FT_OK; FT_EINVAL: normal is no such curve.
 */
enum ft_status ft_outlook_begin(struct ft_outlook *outlook, const struct ft_promise *promise,
				const struct ft_stage *normal, size_t n, struct ft_err *err);

/* ft_outlook_look - one look more, later than those before. Returns whether a limit has been exceeded by what
 * is seen now, or surely will be, and was not reported before: then *breach describes it. One at a time; each
 * kind once.
 *
 * A normal run of an even pace is called late in 1 of 100 runs at the most, and one that takes 1.5 times as long
 * is seen before half of the time it should take if its curve is known: doc/contracts-measured.md. Cost: 12 x
 * FT_OUTLOOK_POINTS powers.
 */
bool ft_outlook_look(struct ft_outlook *outlook, const struct ft_outlook_look *look,
		     struct ft_breach *breach);

/* ft_outlook_forecast - of the looks so far. now_s: since its begin. */
struct ft_forecast ft_outlook_forecast(const struct ft_outlook *outlook, double now_s);

/*
 * When a running program will end: a model's prediction, and each way in which its progress shows, become one
 * interval, revised at each look.
 */

/* X(name, how it is called) */
#define FT_ADVANCE_LIST(X)                                                                                   \
	X(REPORT, "reported progress")                                                                       \
	X(INPUT, "position in input files")                                                                  \
	X(READ, "bytes read")                                                                                \
	X(WRITTEN, "bytes written")

enum ft_advance {
#define FT_ADVANCE_ENUM(name, words) FT_ADVANCE_##name,
	FT_ADVANCE_LIST(FT_ADVANCE_ENUM)
#undef FT_ADVANCE_ENUM
		FT_ADVANCE_KINDS
};

const char *ft_advance_text(enum ft_advance progress);

/* What is known before, and of the run so far. Plain values. */
struct ft_eta {
	double wall_s, lower_s, upper_s;    /* 90 % of runs on an idle machine; NaN: no model */
	double uncertain[FT_ADVANCE_KINDS]; /* relative standard deviation of the whole of a kind; mostly 0 */
	struct ft_outlook way[FT_ADVANCE_KINDS]; /* in seconds of an idle machine */
	double time_s, spent_s; /* of the last look; the part in which it did not wait for others */
	double worked;          /* that part, lately */
};

struct ft_eta_look {
	double time_s;                 /* since its start */
	double waited_s;               /* of that, for processors that others used; NaN: not known */
	double done[FT_ADVANCE_KINDS]; /* share of the whole, 0 .. 1; NaN: it does not show */
};

/* Seconds in all, since the start. NaN: nothing is known yet. */
struct ft_eta_answer {
	double total_s, lower_s, upper_s; /* the 90 % interval; upper_s may be infinite */
	bool model;                       /* it rests on a model */
	enum ft_advance by;               /* and on this progress; FT_ADVANCE_KINDS: on none */
	bool learned;                     /* how time goes with that was learned from an earlier run */
};

/* ft_eta_begin - wall: its prediction at 90 %; NULL: no model. */
void ft_eta_begin(struct ft_eta *eta, const struct ft_prediction *wall);

/* ft_eta_past - an earlier run, at this size or another: wall, what the model predicts there at 90 %; spent_s,
 * what it took of an idle machine. The model's error there is as likely here as the sizes are near. */
void ft_eta_past(struct ft_eta *eta, const struct ft_prediction *wall, double spent_s);

/* ft_eta_learned - how an earlier run went: stage [n] borrowed, ascending; the last may be before the end of
 * the run, as of a program that reads all of its input first. Returns FT_OK; FT_EINVAL. */
enum ft_status ft_eta_learned(struct ft_eta *eta, enum ft_advance progress, const struct ft_stage *stage,
			      size_t n, struct ft_err *err);

void ft_eta_look(struct ft_eta *eta, const struct ft_eta_look *look, struct ft_eta_answer *out);

/* ---- progress that is read ---------------------------------------------------------------------------- */

/* What a program prints of how far it is. Ends with ft_printed_free. */
struct ft_printed;

/* ft_printed_new - how progress is printed: "lines=1000", this many lines on standard output; else an
 * extended regular expression (POSIX) that is looked for in each line: of two groups the first is what is
 * done, the second of how much; of one, or of none the whole match, a share: "37 %", "3/8", "3 of 8", or a
 * bare percentage.
 *
 * out  heap; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: no lines, or no such expression; FT_ENOMEM.
 */
enum ft_status ft_printed_new(struct ft_printed **out, const char *how, struct ft_err *err);
void ft_printed_free(struct ft_printed *printed); /* accepts NULL */

/* ft_printed_read - the next bytes of stream 1 or 2, standard output or error; of a line of more than 4095
 * the beginning counts. ft_printed_end - no more come: a last line may have no end. ft_printed_get - what was
 * printed last; *total 0: nothing yet. */
void ft_printed_read(struct ft_printed *printed, int stream, const char *bytes, size_t length);
void ft_printed_end(struct ft_printed *printed);
void ft_printed_get(const struct ft_printed *printed, double *done, double *total);

/* ft_stages_read - how a normal run went: a table with the columns seconds, done and total, as `foretime run
 * --progress-log` writes it, as shares of the whole.
 *
 * stage  out: [*n] heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: it is no whole run; what ft_csv_read and ft_csv_number return; FT_ENOMEM.
 */
enum ft_status ft_stages_read(const char *path, struct ft_stage **stage, size_t *n, struct ft_err *err);

/* ft_ask_open_runs - the same from runs in memory, without a store: nothing is read or stored. Only the load of
 * an idle machine is answered for.
 *
 * program  copied
 * runs     taken, cleared on failure
 * prior    of growth outside the measured sizes; borrowed; NULL: the built-in one
 *
 * Returns FT_OK; FT_ENOMODEL: no run ended well; FT_ENOMEM. */
enum ft_status ft_ask_open_runs(struct ft_answerer **out, const struct ft_program *program,
				struct ft_runs *runs, const struct ft_prior *prior, struct ft_err *err);

/* ---- memory over time (steps.c) -------------------------------------------------------------------------
 */

enum { FT_STEPS_MOST = 8, FT_STEPS_LEAST = 3 };

/* What a run held over time. Borrowed. */
struct ft_memory_curve {
	struct ft_size size;
	const double *t,
		*bytes; /* [n] seconds since its start, ascending; the last one is its end, above 0 */
	size_t n;       /* at least 1 */
	double wall_s;  /* of this run on an idle machine, as models have it */
};

struct ft_memory_step {
	double from_s, bytes; /* the request from this moment on */
};

struct ft_memory_steps {
	struct ft_memory_step step[FT_STEPS_MOST]; /* [n] ascending; the first begins at 0 */
	size_t n, runs;                            /* runs: whose curves it is made of */
	double saved; /* share of memory times time that a typical run reserves less than by a constant request at
			 the same risk */
};

/* ft_ask_steps - requests of memory that rise while a run lasts, in at most so many steps. A share `risk` of single
 * runs needs more than one of them, by their peak or by needing it earlier. Moments follow the size where four runs at
 * three sizes show it, else they are the same part of the typical time.
 *
 * curve  [n] of runs that ended well
 *
 * Returns FT_OK; FT_ENOMODEL: fewer than FT_STEPS_LEAST runs, or no model; FT_EINVAL: steps outside
 * 1..FT_STEPS_MOST, a risk; FT_ENOMEM. Cost: a prediction for each run. */
enum ft_status ft_ask_steps(struct ft_answerer *answerer, const struct ft_resource *memory,
			    const struct ft_memory_curve *curve, size_t n, const struct ft_size *size,
			    double risk, size_t steps, struct ft_memory_steps *out, struct ft_err *err);

/* ---- tries of a job that is run again when it was killed ---------------------------------------------- */

enum { FT_TRIES = 3 };

/* One resource of a job: what each try requests. */
struct ft_tries_need {
	const struct ft_resource *resource; /* NULL: nothing of the kind was measured */
	double risk[FT_TRIES - 1]; /* share of runs that need more than the first try, and than the second */
	double most[FT_TRIES];     /* by size: at the largest size measured; else of all runs */
	char *text[FT_TRIES - 1]; /* of the first and the second try, as ft_request_expression.text; the third
				      requests twice the second; NULL: the size explains too little */
	double known;             /* by size: the largest size for which the expressions are valid */
	double correlation; /* of values and sizes, or of their logarithms; NaN: fewer than three runs */
	double seen;        /* the most that any run needed */
	size_t runs;        /* that measured it */
	bool killed;        /* `most` is above what runs that were killed for memory had reached */
};

struct ft_tries {
	double risk; /* of the first try, time and memory together */
	struct ft_tries_need time, memory;
	double cpus; /* as in ft_request; NaN */
	bool brief;  /* as in ft_request */
};

/* ft_ask_tries - what a job requests at its first, second and third try: by its size where the size explains
 * the need, else the same for all sizes.
 *
 * The first try has the stated risk. The second one has the risk of a run which is known to have exceeded the
 * first, its square (0.1 % at least); without sizes it requests the most that any run needed, at least. Two
 * failures contradict the model: the third try requests twice the second.
 *
 * by_size  models over one parameter; NULL: sizes are not known
 * at_one   models of the same runs, all at one size
 * risk     0.001 .. 0.25
 * out      ends with ft_tries_clear; cleared on failure
 *
 * The size explains a resource where it grows with it: Student's t of a correlation, of values or of
 * logarithms, beyond 97.5 %, and by a tenth at least over the sizes measured.
 *
 * Returns FT_OK; FT_EINVAL: the risk; FT_ENOMODEL: neither time nor memory was measured; what
 * ft_ask_request returns. */
enum ft_status ft_ask_tries(struct ft_answerer *by_size, struct ft_answerer *at_one, double risk,
			    struct ft_tries *out, struct ft_err *err);
void ft_tries_clear(struct ft_tries *tries); /* accepts NULL, and twice */

/* ---- jobs in the order of time --------------------------------------------------------------------------
 *
 * What other requests would have cost, had they been made for jobs that have ended. A request knows no job
 * that had not ended when it was made.
 */

/* A job that ended. Borrowed. */
struct ft_replay_job {
	uint32_t program;     /* jobs of the same number are of one program, and have the same parameters */
	uint8_t n_size;       /* 0: not known; the program is taken for one that needs the same each time */
	uint8_t outcome;      /* FT_DONE: it is judged, and learned from; FT_TIMED_OUT, FT_OUT_OF_MEMORY:
				 it needed more than it had; the rest is not used */
	const double *size;   /* [n_size] the values of its parameters */
	double made_s;        /* when its request was made: seconds from any moment, the same for all jobs */
	double ended_s;       /* not below made_s; known to jobs whose request was made later than that */
	double wall_s, bytes; /* that it needed; NaN: not known */
	double asked_s, asked_bytes; /* its own request; NaN: none */
};

enum ft_replay_kind {
	FT_REPLAY_OWN,  /* as it was requested; such a job was never killed */
	FT_REPLAY_RISK, /* as ft_ask_request answers at a risk of `value`, from jobs of its program */
	FT_REPLAY_SEEN, /* the most that a job of its program had needed, times `value` */
};

struct ft_replay_rule {
	enum ft_replay_kind kind;
	double value;
};

/* A job under a rule. A try that needs more memory or time than it may is killed, and made again with the
 * most that its program had needed, or, where that is not more, with twice as much, until it suffices. One
 * that is killed for memory is killed at its very end. */
struct ft_replayed {
	double asked_s, asked_bytes; /* of the first try; NaN: no limit, or not known what it needed */
	double byte_s;  /* memory that was reserved, times seconds, of all tries; NaN: not known */
	double limit_s; /* time limits of all tries; NaN: no limit */
	size_t killed;  /* tries that were killed */
	bool own; /* of memory, where it is known, else of time: there were too few jobs before it, or no
		     number could be given: its own request was kept */
};

struct ft_replay_options {
	const struct ft_replay_rule *rule; /* [n_rules] up to FT_REPLAY_RULES */
	size_t n_rules;
	size_t first;  /* jobs of its program that must have ended before a request is made; at least 1 */
	size_t models; /* what models of programs with sizes may cost, in models of FT_REPLAY_LEARN jobs, at
			  least 1, and as much for programs without: where renewing them so often costs more,
			  they are renewed less often, but at five times as many jobs, and at half as many
			  more. This depends on numbers of jobs, on nothing else. */
	/* Called with each job that is judged, by program and time. by_rule: [n_rules] */
	void (*judged)(void *ctx, size_t job, const struct ft_replayed *by_rule);
	/* Called now and then; false ends the replay with FT_EINTR. May be NULL. */
	bool (*progress)(void *ctx, size_t done);
	void *ctx;
};

enum {
	FT_REPLAY_RULES = 8,
	FT_REPLAY_FIRST = 5,    /* a default for `first` */
	FT_REPLAY_LEARN = 200,  /* jobs that a model is made of: the newest */
	FT_REPLAY_MODELS = 200, /* a default for `models` */
};

/* ft_replay_jobs - request, job by job, in the order of time. A model is renewed when a tenth more jobs of
 * its program have ended, from the newest FT_REPLAY_LEARN of them; less often where these would be too many
 * models. Of one parameter requests are made at sizes 10 % apart, with lines between them in logarithms.
 * Requests are rounded up to MiB and minutes.
 *
 * Returns FT_OK; FT_EINVAL: a rule; FT_EINTR; FT_ENOMEM. FT_EINVAL also for more than
 * 2^32 jobs. Memory: 8 bytes a job, and one model. Cost: a
 * model with sizes takes a tenth of a second (2 cores of an AMD EPYC), one without 2 ms.
 */
enum ft_status ft_replay_jobs(const struct ft_replay_job *job, size_t n,
			      const struct ft_replay_options *options, struct ft_err *err);

/* ---- growth without a model -----------------------------------------------------------------------------
 *
 *	ft_at_most_plan("n log n", &program, FT_CLASS_COUNT, &plan, err);
 *	... run the program at plan.size[0 .. plan.first), and at the rest where that decides nothing ...
 *	ft_verify_at_most(&runs, &program, &ft_instructions, "n log n", &answer, err);
 *
 * A bound is a sum of products of parameters, their powers and logarithms, as people write it: "n log n",
 * "n^1.5", "n*m", "n log n + m", "O(n^2)", "sqrt(n)", "1". Numbers in it are passed over.
 */

enum { FT_BOUND_LENGTH = 96, FT_AT_MOST_SIZES = 64 };

/* Sizes at which a growth shows. */
struct ft_at_most_plan {
	/* [n] the first ones ascending; those between them, to second; and more near the largest */
	struct ft_size size[FT_AT_MOST_SIZES];
	size_t n, first, second;
};

/* ft_at_most_plan - of parameters that have a range, sizes spread over it, most of them where the bound itself
 * is well above start-up; else the values listed.
 *
 * bound    of the program's parameters
 * program  its parameters and their ranges
 *
 * Returns FT_OK; FT_EPARSE: what was expected in the bound, and where; FT_EINVAL: a name that is no parameter,
 * a bound that has no order (a difference, a term that falls, 2^n), or more than
 * FT_AT_MOST_SIZES listed sizes.
 */
enum ft_status ft_at_most_plan(const char *bound, const struct ft_program *program, enum ft_resource_class of,
			       struct ft_at_most_plan *out, struct ft_err *err);

/* X(name, what is printed) */
#define FT_AT_MOST_LIST(X)                                                                                   \
	X(YES, "yes")                                                                                        \
	X(NO, "no")                                                                                          \
	X(UNDECIDED, "undecided")

enum ft_at_most_verdict {
#define FT_AT_MOST_ENUM(name, words) FT_AT_MOST_##name,
	FT_AT_MOST_LIST(FT_AT_MOST_ENUM)
#undef FT_AT_MOST_ENUM
};

/* What one size shows. */
struct ft_at_most_size {
	struct ft_size size;
	size_t runs;
	double value;     /* of the resource, of a typical run that nothing disturbed */
	double explained; /* what terms within the bound explain of it */
	double share;     /* 1 - explained / value */
	bool shows;       /* the rest is well above what may be chance */
};

struct ft_at_most {
	enum ft_at_most_verdict verdict;
	char term
		[FT_BOUND_LENGTH]; /* NO: the term that grows faster; else the one whose detection was checked */
	size_t param;              /* the parameter along which it does */
	double from;               /* NO: from this value of the parameter on */
	double share;              /* NO: of that term at the largest size; else 0 */
	double seen;               /* the smallest share of a worse term that is detected in 95 % of cases;
				       NaN: none */
	double deviation;          /* how far sizes lie off the terms found, a standard deviation, relative */
	double p;                  /* how often chance would look as much like a worse term */
	bool settled; /* YES or NO, and not by little: more sizes or runs would hardly change it */
	struct ft_at_most_size size[FT_AT_MOST_SIZES]; /* [n] ascending; the last is the largest */
	size_t n;
};

/* ft_verify_at_most - whether a resource grows no faster than a bound. The constant and all lower terms are
 * free.
 *
 * runs  those that ended well count; no warm-ups. Of more than FT_AT_MOST_SIZES sizes the largest count
 *
 * NO where a term that grows faster makes the data far likelier than terms within the bound do, also with one
 * step of their level, and is 3 % of the resource at least at the largest size. YES where that is not so, and a
 * worse term of 20 % would have been detected; else UNDECIDED. See doc/contracts.md.
 *
 * Returns FT_OK; FT_EPARSE, FT_EINVAL: as ft_at_most_plan; FT_ENOMODEL: no run has a value of the resource that
 * is above 0; FT_ENOMEM.
 */
enum ft_status ft_verify_at_most(const struct ft_runs *runs, const struct ft_program *program,
				 const struct ft_resource *resource, const char *bound,
				 struct ft_at_most *out, struct ft_err *err);

/* ft_ask_folded - how many earlier runs there were besides, of which only sums and quantiles by size are kept
 * (ft_store_fold_runs): values by size (ft_ask_values) contain them, models are fitted to those that are kept singly. */
size_t ft_ask_folded(const struct ft_answerer *answerer);

/* ---- models that travel ---------------------------------------------------------------------------------
 *
 * What a program costs on one machine, as a text for other machines: numbers and names, nothing that is evaluated.
 * doc/travel.md describes it.
 */

/* A size, and what a typical run costs there; deviation of ln value of single runs. */
struct ft_travel_point {
	struct ft_size size;
	double value, deviation;
	size_t runs;
};

struct ft_travel_part {
	const struct ft_resource *resource;
	struct ft_travel_point *at; /* [n] */
	size_t n, capacity;
	struct ft_model *model; /* once it was requested */
};

/* Zero-initialise; ends with ft_travel_clear. */
struct ft_travel {
	struct ft_program program;   /* name, version (hash), parameters; no command */
	char *licence, *origin;      /* NULL: not stated */
	struct ft_travel_part *part; /* [n] */
	size_t n, capacity;
	char *text;  /* the whole */
	double mark; /* of that text, never 0 */
};

/* ft_travel_parse - of a text; name stands in messages. ft_travel_read - of a file.
 *
 * Returns FT_OK; FT_EPARSE: damaged, of a later version, no such table; of a file FT_ENOENT, FT_EACCESS, FT_EIO;
 * FT_ENOMEM. */
enum ft_status ft_travel_parse(struct ft_travel *out, const char *name, const char *text, size_t length,
			       struct ft_err *err);
enum ft_status ft_travel_read(struct ft_travel *out, const char *path, struct ft_err *err);
void ft_travel_clear(struct ft_travel *travel); /* accepts NULL, and twice */

/* ft_travel_write - the models of an answerer. laws: lines of comments, each with '#' and line feed; may be NULL.
 * out: heap, ends with free. FT_ENOMODEL: there is none. */
enum ft_status ft_travel_write(struct ft_answerer *answerer, const char *licence, const char *laws,
			       char **out, struct ft_err *err);

/* ft_travel_keep - keep a model in a store, for programs of a name; NULL: forget it. */
enum ft_status ft_travel_keep(struct ft_store *store, const char *name, const struct ft_travel *travel,
			      struct ft_err *err);

/* ft_travel_find - the model for programs of a name: that of the store (may be NULL), else NAME.model of the first
 * of these folders that has one: ~/.local/share/foretime/models, /usr/local/share/foretime/models,
 * /usr/share/foretime/models; only $FORETIME_MODELS where that is set. FT_ENOENT: there is none. */
enum ft_status ft_travel_find(struct ft_travel *out, struct ft_store *store, const char *name,
			      struct ft_err *err);

/* ft_travel_model - the model of a resource, fitted when it is first requested. Borrowed. FT_ENOENT: it has no such
 * resource. ft_travel_has - whether it has. */
enum ft_status ft_travel_model(struct ft_travel *travel, const struct ft_resource *resource,
			       const struct ft_prior *prior, const struct ft_model **out, struct ft_err *err);
bool ft_travel_has(const struct ft_travel *travel, const struct ft_resource *resource);

/* ft_ask_travel - the model from elsewhere that answers take their shape from; NULL: none. Borrowed. */
const struct ft_travel *ft_ask_travel(const struct ft_answerer *answerer);

#endif
