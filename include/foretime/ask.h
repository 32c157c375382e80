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

#include "foretime/base.h"
#include "foretime/energy.h"
#include "foretime/facts.h"
#include "foretime/load.h"
#include "foretime/plan.h"
#include "foretime/store.h"

#include <stdbool.h>
#include <stddef.h>

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

/* ft_ask_open_on - ft_ask_open of one device of the program. device NULL: the only one that has runs; "",
 * "(none)": of runs without one. FT_EINVAL, also of ft_ask_open: there are several (the text names them).
 * FT_ENOENT: no such device. */
enum ft_status ft_ask_open_on(struct ft_answerer **out, struct ft_store *store, const char *name,
			      const char *device, const char *machine, int64_t here, struct ft_err *err);

void ft_ask_close(struct ft_answerer *answerer); /* accepts NULL */

const struct ft_program *ft_ask_program(const struct ft_answerer *answerer);
const struct ft_machine *ft_ask_machine(const struct ft_answerer *answerer);
const struct ft_runs *ft_ask_runs(const struct ft_answerer *answerer); /* all of them, in the order stored */

/* ft_ask_find - the resource of a name or word, of which something is known; word NULL: wall_s, or the first that
 * there is when that was not measured. Returns FT_OK; FT_ENOENT, with why, or what there is instead. */
enum ft_status ft_ask_find(const struct ft_answerer *answerer, const char *word,
			   const struct ft_resource **out, struct ft_err *err);

/* ft_ask_size - a size from "n=512 m=100": values by name. Parameters left out take their only value in the
 * runs.
 *
 * Returns FT_OK; FT_EINVAL: an unknown parameter, or a value missing (named in the text).
 */
enum ft_status ft_ask_size(const struct ft_answerer *answerer, const char *const name[], const double value[],
			   size_t n, struct ft_size *out, struct ft_err *err);

/* ft_ask_predict - the value of a resource at a size, by the best of what is known of it:
 *
 *	no runs            the stated law, without an interval (FT_LEVEL_LAW)
 *	size was run       the model; where it is rough or there is none, the table of runs (FT_LEVEL_TABLE)
 *	within the runs    the model; where it is rough, the stated law set to the runs when it fits them
 *	outside the measured range    the stated law set to the runs when it fits them, else the model
 *	one size was run   the stated law set to it, elsewhere
 *
 * See ft_model_predict. Source: 002 section 4.1.3. No number is returned that no person could
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
 * Models know what runs take alone: that is FT_LOAD_IDLE, and the answer until another load is
 * requested. Else the part of wall_s that is spent on processors is slowed, by the history's quantiles at
 * the confidence requested (FT_LOAD_USUAL), or by this moment's load (FT_LOAD_NOW; looked at once, for 0.2 s,
 * and kept), as runs of that length were slowed under such a load; known is then NaN. Niced,
 * the interval reaches from the least to the largest stretch, and the value stands in the middle of the two
 * speeds (001 II.A.1); upper and value may then be INFINITY: the others leave nothing.
 *
 * The load is looked at when it is needed: then what asks for a wall time returns FT_ENOMODEL: no load was
 * recorded on that machine for ten minutes; FT_EUNAVAIL: now, and the runs are of another machine, or the
 * load cannot be seen here.
 */
void ft_ask_under(struct ft_answerer *answerer, const struct ft_ask_load *load);

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
 * are those of here, as much longer as the micro-benchmarks are there (FT_LEVEL_ROWS).
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
	double uncertain,
		uncertain_to; /* the first and the last size before the answer that may not fit: they lie
					   between measured ones that do, and a typical run fits; NaN: none */
	double reach;         /* sizes up to here were considered: a million times the largest measured one */
};

/* ft_ask_largest - the largest size that fits one or several limits.
 *
 * A size fits when the upper end of the predicted interval (one-sided: a share `confidence` of future single
 * runs at that size stays below it) is within the limit, for each limit by itself, and when no run was killed
 * for memory there or below. The answer is the largest admissible size (least, least + stride, ..., also
 * beyond the range; and `most`; or least, least * factor, ...; or those of a list, none beyond it; of these
 * those that meet the program's constraint) such that all admissible sizes up to it fit; but what lies between
 * two measured sizes that fit is passed over where a typical run fits, too, and is stated as uncertain.
 *
 * limit       [n] in and out, n >= 1
 * fixed       the values of the other parameters, as ft_ask_size fills them; that of the varying one is
 * passed over
 * varying     the parameter whose largest value is requested
 * confidence  0.75 .. 0.9995
 *
 * Returns FT_OK; FT_EINVAL: a limit that is not positive, the confidence; FT_ENOENT, FT_ENOMODEL of a resource.
 * Exact where the work is monotone between measured sizes: gaps are bisected, not scanned. Where the model
 * has fine structure (struct ft_fine), sizes near the limit are scanned, 10000 at most; the rest of these
 * count as over it. Cost O(k^2) for k measured sizes, and otherwise independent of how many there are between
 * them.
 */
enum ft_status ft_ask_largest(struct ft_answerer *answerer, struct ft_limit *limit, size_t n,
			      const struct ft_size *fixed, size_t varying, double confidence,
			      struct ft_largest *out, struct ft_err *err);

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

/* ft_cost_at - what one size costs: as ft_cost_make, without knots. end: why it will not do (*value INFINITY); may
 * be NULL. */
enum ft_status ft_cost_at(struct ft_answerer *answerer, const struct ft_size *size, size_t varying,
			  const struct ft_cost_options *options, double *value, enum ft_cost_end *end,
			  struct ft_err *err);

FT_END_DECLS

/*
 * A total divided over processors by their models: costs (ft_cost_make) for a plan (plan.h).
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

/* ft_divide_costs - what each group takes for each share, before any other call. out: of each group
 * options and cost, in place of those that there were; ends with ft_divide_clear.
 *
 * The risk is that of all processors together, FT_COST_RAREST at least. Returns what ft_cost_make does, the
 * program before it in the text. */
enum ft_status ft_divide_costs(struct ft_divide *divide, struct ft_err *err);
void ft_divide_clear(struct ft_divide *divide); /* accepts NULL, and twice; groups stay the caller's */

/* ft_divide_fastest - shares such that the last processor ends as early as possible; with a risk, but for
 * that, unless the processors stay apart, a model is too rough, or the risk is below
 * FT_COST_RAREST.
 *
 * out  in: zeroed, or of an earlier question
 *
 * Returns what ft_plan_partition does. Cost: costs at typical runs once more, with a risk; two predictions
 * for each share. */
enum ft_status ft_divide_fastest(struct ft_divide *divide, struct ft_division *out, struct ft_err *err);

void ft_division_clear(struct ft_division *division); /* accepts NULL, and twice */

FT_END_DECLS

/*
 * What to ask a batch system for: time, memory and processors, at a stated risk.
 *
 * 	struct ft_request request;
 *
 * 	ft_ask_request(models, &size, 0.05, &request, err);
 * 	printf("%g s, %g bytes\n", request.time.most, request.memory.most);
 */

FT_BEGIN_DECLS

/* Why no number is given. Only sizes beyond the measured ones are doubted. X(name, what a person reads) */
#define FT_DOUBT_LIST(X)                                                                                     \
	X(NONE, "none")                                                                                      \
	X(WIDE, "interval too wide")                                                                         \
	X(FAR, "too far beyond the measured sizes")

enum ft_doubt {
#define FT_DOUBT_ENUM(name, words) FT_DOUBT_##name,
	FT_DOUBT_LIST(FT_DOUBT_ENUM)
#undef FT_DOUBT_ENUM
};

/* WIDE: the 90 % prediction interval spans more than this factor, and its upper half more than the root of it
 * (that a run may need far less refuses nothing). FAR: a size is more than this factor above the measured ones. */
#define FT_REQUEST_WIDEST   10.0
#define FT_REQUEST_FARTHEST 100.0

/* One resource of a request. */
struct ft_need {
	const struct ft_resource *resource; /* wall_s; NULL: nothing of the kind was measured */
	double risk;                        /* share of future single runs that may need more than `most` */
	double most;                        /* what to ask for, not rounded; unit of the resource */
	struct ft_prediction
		at;   /* the prediction of the model; at.upper is `most`, except below the data, and: */
	bool by_runs; /* inside the data, where the size explains little (the interval spans a factor of
			 FT_REQUEST_WIDEST): `most` is what runs of the nearest sizes needed at that risk */
	enum ft_doubt doubt; /* not NONE: `most` is no answer */
	double lower, upper; /* where there is doubt: the 90 % prediction interval */
	double seen;         /* the most that a run needed at any size; NaN: not measured */
	double proportional; /* where there is doubt: `seen`, scaled with the size ratio */
	size_t runs;         /* of all sizes that the model is made of; 0: there is no model, as of a law */
	struct ft_limits limits; /* that some of these met (at.limits: of those near the size) */
};

struct ft_request {
	double risk;                 /* share of future runs for which the time or the memory is too small */
	struct ft_need time, memory; /* wall_s; peak_tree_bytes, else peak_rss_bytes */
	struct ft_need
		scratch,    /* scratch_bytes, at a tenth of the risk; no resource where no run kept files */
		gpu_memory; /* gpu_memory_bytes, likewise; no resource where no run used a graphics device */
	double cpus;   /* processors that runs of the nearest sizes kept busy while they did not wait for one,
			  rounded down within the noise of that; NaN: not known */
	double killed; /* the smallest size at which a run was killed for memory, in the first parameter of
			  the models, as ft_largest has it; NaN */
	struct ft_size killed_at; /* the whole of it */
	bool beyond_kill;         /* the size is that one or a larger one: no run there ended well */
	double reached_bytes;     /* memory that the killed runs had reached, at most; NaN: not known */
	bool refuted; /* ... and that is more than the model allows: no memory is known to suffice */
	bool brief;   /* memory was learned from runs of under a second only, several processes
			 of which held it, or an unknown number */
	bool doubted; /* of time or memory: measure up to `measure`, or bound the request */
	struct ft_size measure;
};

/* In place of a risk: the risk that wastes least where a killed job runs again, with FT_RISK_LEAST_MOST first with
 * the most that any run needed, then with twice as much at each try; with FT_RISK_LEAST_DOUBLE always with twice. */
#define FT_RISK_LEAST_MOST   (-1.0)
#define FT_RISK_LEAST_DOUBLE (-2.0)

/* ft_ask_request - what to ask for at a size, so that a share `risk` of future runs at most turns out to need
 * more time or more memory. The risk is split between the two as their runs vary: even if they are
 * correlated, the sum bounds it. Where only one was measured it has the whole.
 *
 * risk  0.001 .. 0.25, or FT_RISK_LEAST_MOST, FT_RISK_LEAST_DOUBLE: then time and memory each have the risk
 *       that wastes least of them, and out->risk is the sum
 *
 * The upper end is that of ft_ask_predict; below the data no more than that of the smallest size
 * (doc/answers.md, Requests). Without data (enum ft_doubt) `most` is still set, and no answer.
 *
 * Returns FT_OK; FT_EINVAL (the risk); FT_ENOMODEL: neither time nor memory was measured; what ft_ask_predict
 * returns.
 */
enum ft_status ft_ask_request(struct ft_answerer *answerer, const struct ft_size *size, double risk,
			      struct ft_request *out, struct ft_err *err);

/* The need of one resource for every size, as an expression (ft_expr_new) of the parameters that are left open. */
struct ft_request_expression {
	char *text;      /* heap; NULL: nothing of the kind was measured */
	double from, to; /* of one open parameter: the sizes between which it was compared with the numbers */
	double known[FT_PARAMS_MAX]; /* of each open parameter the value up to which requests are known:
					beyond it the text is no answer */
	const struct ft_resource *resource; /* NULL: it was not measured */
	double seen;                        /* the most that a run needed at any size */
	double mean,
		above; /* how far it is above them within the data, as a share: in the mean, and at most */
};

struct ft_request_expressions {
	struct ft_request_expression time, memory, scratch; /* seconds, bytes */
	double cpus;   /* the most that any measured size keeps busy; NaN */
	double killed; /* as in ft_request; NaN where several parameters are open */
	double risk;   /* as in ft_request */
	bool brief;    /* as in ft_request */
};

/* ft_ask_request_expressions - what ft_ask_request answers, for all sizes.
 *
 * size  the values of the parameters that are not open
 * open  [n_params] those that the expressions are of; only parameters in which the runs differ may be
 * out   ends with ft_request_expressions_clear; cleared on failure
 *
 * risk  as of ft_ask_request; one that wastes least is chosen once, over the sizes measured
 *
 * The greatest of a few terms, which may begin or end at a value of one parameter: a, b n^p m^q ..., or both
 * together. Numbers have three digits. It is monotone in each parameter, and never below the numbers: of one
 * parameter from a thousandth of the smallest size measured to the last one whose request is known, of
 * several from the least values measured to ten times the largest ones. From a size on at which a run was
 * killed for memory, no less than the killed runs had reached.
 *
 * Returns FT_OK; FT_EINVAL: the risk, nothing open, an open parameter that the runs know one value of; what
 * ft_ask_request returns.
 */
enum ft_status ft_ask_request_expressions(struct ft_answerer *answerer, const struct ft_size *size,
					  const bool *open, double risk, struct ft_request_expressions *out,
					  struct ft_err *err);
void ft_request_expressions_clear(struct ft_request_expressions *expressions); /* accepts NULL, and twice */

FT_END_DECLS

/*
 * A model as a contract: whether new runs agree with it, and whether they grow as it does
 * (002 section 2.3).
 */

FT_BEGIN_DECLS

/* X(name, what is printed) */
#define FT_VERDICT_LIST(X)                                                                                   \
	X(INSIDE, "inside")                                                                                  \
	X(OVER, "over")                                                                                      \
	X(UNDER, "under")

enum ft_verdict {
#define FT_VERDICT_ENUM(name, words) FT_VERDICT_##name,
	FT_VERDICT_LIST(FT_VERDICT_ENUM)
#undef FT_VERDICT_ENUM
};

const char *ft_verdict_text(enum ft_verdict verdict);

/* One resource at one size. */
struct ft_check {
	const struct ft_resource *resource;
	struct ft_size size;
	size_t runs;                   /* new ones */
	double value;                  /* their median */
	double low, high;              /* at most a quarter of them lies below, or above: what is judged */
	bool at_least;                 /* the median run was ended at its time limit; of pairs: any */
	struct ft_prediction promised; /* lower and upper at the level of the single check */
	double share;                  /* OVER: value / upper - 1; UNDER: 1 - value / lower; else 0 */
	enum ft_verdict verdict;       /* OVER: low > upper of the prediction; UNDER: high < lower */
	bool certain; /* so far over that no further run of this size would change the verdict */
};

/* What the interval of a shift is mostly of. */
#define FT_REGRESSION_LIMIT_LIST(X)                                                                          \
	X(RUNS, "runs")       /* noise of the new ones */                                                    \
	X(MODEL, "model")     /* what it does not know of a typical run */                                   \
	X(SESSION, "session") /* what times of one session differ by from those of another */

enum ft_regression_limit {
#define FT_REGRESSION_LIMIT_ENUM(name, words) FT_REGRESSION_LIMIT_##name,
	FT_REGRESSION_LIMIT_LIST(FT_REGRESSION_LIMIT_ENUM)
#undef FT_REGRESSION_LIMIT_ENUM
};

/* All sizes of a resource together: how many times what it was it takes now. */
struct ft_regression {
	const struct ft_resource *resource;
	size_t sizes, runs;
	bool at_least;              /* of some size only a lower bound is known: so is the ratio */
	double ratio, lower, upper; /* of typical runs, and its interval at the level of the pooled tests */
	enum ft_verdict verdict;
	double seen; /* a slowdown by this share is detected in 90 % of cases; NaN: not known */
	enum ft_regression_limit limit;
	size_t needed; /* runs of a size with which 15 % would be seen so; 0: no number of them does */
	size_t needed_5, against_5; /* ... 5 %, in this way, and in pairs with runs of the old program */
};

/* How a resource grows with one parameter: exponents of power laws over the sizes checked. */
struct ft_growth {
	const struct ft_resource *resource;
	size_t param; /* its index */
	size_t sizes;
	double from, to;
	double was, now;             /* of the model, of the new runs */
	bool at_least;               /* of the largest sizes only lower bounds are known */
	double change, lower, upper; /* now - was, and its interval at the level of the pooled tests */
	enum ft_verdict verdict;
};

struct ft_verification {
	struct ft_check *check; /* [n_checks] by resource, then by size, ascending */
	size_t n_checks;
	struct ft_regression *shift; /* [n_shifts] a resource each, in the order requested */
	size_t n_shifts;
	struct ft_growth *growth; /* [n_growths]; none where fewer than three sizes differ in one parameter
				     alone, or over less than a 1.9-fold range */
	size_t n_growths;
	double confidence; /* joint: an unchanged program passes with it */
	double each;       /* of a single check: a fifth of the risk is theirs, shared evenly */
	double pooled;     /* of all sizes together, or of the growth: the rest is theirs */
	bool holds;        /* nothing OVER; strict: nothing UNDER either */
};

struct ft_verify_options {
	const struct ft_resource *const
		*resource; /* [n] those to be checked; each must be among the new runs' values */
	size_t n;
	double confidence; /* joint, 0.5 .. 0.9999 */
	bool strict;       /* less than predicted is a violation too */
};

/* ft_ask_verify - hold new runs against the models of a program.
 *
 * runs  the new ones, with the program's parameters. Those that ended well count; what those that were ended
 *       at a time limit had taken by then is a lower bound; no warm-ups
 * out   ends with ft_verification_clear; cleared on failure
 *
 * A check is over where three quarters of the new runs of a size are above the interval that holds a single
 * one: with repetitions an unchanged program passes more often than stated. The upper end is that of a
 * request (ft_ask_request): wild runs that the model has seen are in it.
 *
 * A shift is the weighted mean over sizes of ln (now / before), of typical runs, with what the model does not
 * know of the curve, the noise of the new runs, by how much more the sizes part than these explain, and
 * what times take longer on another day. OVER where its lower end is above 1, and it is 1 % at least.
 *
 * Growth is OVER where the exponent is larger by 0.05 at least, at the level of the pooled tests. Slopes are
 * weighted medians of the slopes between pairs of sizes (Theil, Sen), so one bad size does not tip them.
 *
 * Returns FT_OK; FT_EINVAL: the confidence; FT_ENOMODEL: no new run has a value of a resource; what
 * ft_ask_predict returns.
 */
enum ft_status ft_ask_verify(struct ft_answerer *answerer, const struct ft_runs *runs,
			     const struct ft_verify_options *options, struct ft_verification *out,
			     struct ft_err *err);

/* ft_verify_against - as ft_ask_verify, without models: new runs held against old ones that were made alternately with
 * them, so that what happened on the machine happened to both.
 *
 * before, runs  pairs: the k-th of a size is paired with the k-th of the other; those over count for nothing
 *
 * `promised` of a check is the median of the runs before, with the interval in which that of the new ones
 * lies if the program did not change. Returns FT_OK; FT_EINVAL: the confidence; FT_ENOMODEL: no pair has a
 * value of a resource; FT_ENOMEM.
 */
enum ft_status ft_verify_against(const struct ft_runs *before, const struct ft_runs *runs,
				 const struct ft_verify_options *options, struct ft_verification *out,
				 struct ft_err *err);
void ft_verification_clear(struct ft_verification *verification); /* accepts NULL, and twice */

/* ---- which new runs that takes ------------------------------------------------------------------------ */

/* ft_verification_is_certain - whether a check is so far over that no further run changes that. */
bool ft_verification_is_certain(const struct ft_verification *verification);

/* Whether it means something that a contract holds. */
enum ft_verify_meaning {
	FT_MEANING_CLEAR,
	FT_MEANING_WIDE, /* a program four times as slow as another would keep it as well */
	FT_MEANING_ENDED /* a run was ended before it was over, and is inside so far */
};

/* ft_verification_meaning - at: out, the first shift that is too wide, or the first check that was ended.
 * That a program takes less, by an unknown amount, is enough, unless less breaks it (strict). */
enum ft_verify_meaning ft_verification_meaning(const struct ft_verification *verification, bool strict,
					       size_t *at);

FT_END_DECLS

#endif
