/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - answers queries from the models of a program: predictions, requests, divisions, verification. */
#ifndef FT_ASK_ASK_H
#define FT_ASK_ASK_H

#include "ask/door.h"
#include "facts/door.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "load/door.h"
#include "store/door.h"

#include <math.h>
#include <stdbool.h>

struct ft__elsewhere;

/* Cached inputs of requests; query false: not computed yet. */
struct ft__requested {
	bool query;                                                     /* the rest is known */
	const struct ft_resource *time, *memory, *scratch, *gpu_memory; /* NULL: not measured */
	bool cpus;  /* some run has the number of processors */
	bool brief; /* no run with memory took a second */
};

/* More kinds of samples, by resource and probe, are no program's. */
enum { FT__KINDS_MOST = 128 };

struct ft_answerer {
	struct ft_store *store;       /* NULL: it answers from runs in memory, and stores nothing (kept.c) */
	const struct ft_prior *prior; /* the store's */
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs; /* settled: ft_runs_settle; levels.c: all of them, or a few */
	struct ft_runs few;  /* those that were there before all were read */
	const struct ft_resource
		*valued[FT__KINDS_MOST]; /* [n_valued] of very many runs, what they have values of */
	size_t n_valued;
	size_t n_runs;                      /* in the store */
	size_t n_folded;                    /* earlier ones, of which it has only sums and quantiles */
	size_t left_out;                    /* values that do not fit the rest */
	bool stands;                        /* few were chosen that may stand for all */
	struct ft_ask_whole whole;          /* summary of all runs, when not all are loaded */
	const struct ft_resource **counter; /* [n_counters] what only the runs name */
	size_t n_counters;
	struct ft_knowledge knowledge;
	size_t older; /* runs of older programs of that name on the machine */
	int64_t since_ns;
	size_t axis[FT_PARAMS_MAX], n_axes; /* the parameters that models are functions of */
	struct ft_model_record *
		*record; /* [n_records] used before; allocated one by one: callers keep pointers */
	size_t n_records, capacity;
	struct ft__elsewhere *elsewhere; /* the machine that is answered for, where the program was not run */
	int64_t here;                    /* this machine; 0: not known */
	/* The load functions used last; n = 0: none */
	struct ft_load_functions load;
	struct ft_ask_load beside; /* under which load is answered, and these functions are of */
	double load_share;
	int64_t now_ns; /* when the present load was read (ft_clock_ns) */
	/* Under FT_LOAD_AT: the observations, and the load of a run of such a length; answer: the last one */
	struct ft_loads loads;
	struct ft_load_hours hours;
	double hours_busy_s, hours_threads;
	struct ft_load_answer_hour told;
	struct ft_slow_downs slow_downs; /* of the runs; run NULL: not computed yet */
	struct ft__requested requested;
	struct ft_power power;   /* of the machine; no parts: not known */
	struct ft_travel travel; /* a model from elsewhere; n = 0: none */
};

/* ft__ask_credible - replace ends of an interval that are too far off to be useful: upper becomes
 * infinite, lower 0, known NaN if the whole spans more than a factor of 1000, or more than a run can take.
 * FT_ENOMODEL: the value itself is too uncertain. ft__ask_anyhow - ft_ask_predict without that. */
enum ft_status ft__ask_anyhow(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);
enum ft_status ft__ask_credible(const struct ft_resource *resource, struct ft_prediction *out,
				struct ft_err *err);

/* ft__ask_read_runs - load the runs of program and machine; few: representative ones are enough.
 * ft__ask_read_whole - load all of them, before a query that needs them; those loaded before stay in
 * place. (levels.c) */
enum ft_status ft__ask_read_runs(struct ft_answerer *a, bool few, struct ft_err *err);
enum ft_status ft__ask_read_whole(struct ft_answerer *a, struct ft_err *err);

/* ft__ask_find_axes - compute the result of ft_ask_axes from the runs: the parameters in which they
 * differ; if they do not, the one that has a range. */
enum ft_status ft__ask_find_axes(struct ft_answerer *a, struct ft_err *err);

/* ft__ask_forget - drop the models used before. */
void ft__ask_forget(struct ft_answerer *answerer);

/* ft__ask_no_value - FT_ENOENT: no run has a value of a resource. */
enum ft_status ft__ask_no_value(const struct ft_answerer *a, const struct ft_resource *resource,
				struct ft_err *err);

void ft__elsewhere_free(struct ft__elsewhere *elsewhere); /* accepts NULL */

/* ft__elsewhere_predict - ft_ask_predict for the other machine. */
enum ft_status ft__elsewhere_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
				     const struct ft_size *size, double confidence, struct ft_prediction *out,
				     struct ft_err *err);

/* ft__ask_here - ft_ask_predict for the machine of the runs. */
enum ft_status ft__ask_here(struct ft_answerer *answerer, const struct ft_resource *resource,
			    const struct ft_size *size, double confidence, struct ft_prediction *out,
			    struct ft_err *err);

/* ft__ask_beside - turn the prediction for an idle machine into that under the requested load. */
enum ft_status ft__ask_beside(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);

/* ft__ask_by_power - whether a resource is an energy that was not measured, and powers are known;
 * ft__ask_power_predict - that energy. */
bool ft__ask_by_power(const struct ft_answerer *a, const struct ft_resource *resource);
enum ft_status ft__ask_power_predict(struct ft_answerer *answerer, const struct ft_size *size,
				     double confidence, struct ft_prediction *out, struct ft_err *err);

/* ft__size_distance - how far two sizes are apart: the sum of the ln ratios; 1 where one is not positive. */
double ft__size_distance(const struct ft_size *a, const struct ft_size *b);

/* ft__ask_has_value - whether a run that ended well has a value of a resource. */
bool ft__ask_has_value(const struct ft_answerer *answerer, const struct ft_resource *resource);

/* ft__ask_model_predict - the prediction of the model alone. */
enum ft_status ft__ask_model_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
				     const struct ft_size *size, double confidence, struct ft_prediction *out,
				     bool *rough, struct ft_err *err);

/* ft__ask_fineness - by which ratio neighbouring sizes may differ at most, of structure finer than the
 * distance of those measured (struct ft_fine); 1: there is none. */
double ft__ask_fineness(const struct ft_model_record *record);

/* The median of the runs of one size. */
struct ft__median {
	struct ft_size size;
	double median;
	double squares; /* sum of squares of ln value about the mean */
	size_t runs;
};

/* ft__ask_by_law - the prediction of a calibrated law at a size, L there, except for the distance. */
void ft__ask_by_law(const struct ft_calibrated_law *calibration, double law, double confidence,
		    struct ft_prediction *out);

/* ft__ask_law_over_model - replace an extrapolation of the model (or a rough interpolation) by a law that
 * fits. */
enum ft_status ft__ask_law_over_model(const struct ft_answerer *answerer, const struct ft_resource *resource,
				      const struct ft_calibrated_law *calibration, const struct ft_size *size,
				      double confidence, bool rough, struct ft_prediction *out,
				      struct ft_err *err);

/*
 * A model as a function of one size, for repeated queries.
 */

/* A question of a cost made ready. */
struct ft__costing {
	struct ft_answerer *answerer;
	struct ft_cost_options options; /* each with its value */
	struct ft_size size;            /* of the last query */
	size_t varying;
	const struct ft_resource *memory; /* NULL: not measured */
	double memory_bytes;              /* INFINITY: any */
	double cap;                       /* the largest that fits by ft_ask_largest; NaN: not computed yet */
	double failing;                   /* from here on no run ended well; INFINITY */
	double risk;                      /* 0: typical */
	bool rough;
};

/*
 * A short formula above given points and not far above: the maximum of a few terms a + b x^p y^q.
 */

/* The ends of the data along an axis. */
struct ft__extent {
	double least, most;
};

/* A point that must lie below. */
struct ft__floor {
	double ln[FT_PARAMS_MAX]; /* of its place */
	double value;             /* > 0 */
	double weight;            /* weight of a share above it; 0: it must only lie below */
};

/* a + b x^p y^q ..., from one value of an axis up to another one (NaN: no end); on an axis along which the
 * formula falls, `from` is the larger one. `from` is excluded, `upto` included. outside: the term applies
 * where a parameter is outside the data, on the side where the formula is larger. */
struct ft__term {
	double a, b, power[FT_PARAMS_MAX];
	double from, upto;
	bool outside;
};

enum { FT__TERMS_MAX = 4 };

struct ft__cover {
	struct ft__term term[FT__TERMS_MAX];
	size_t n, axes, axis;
	bool falls[FT_PARAMS_MAX];  /* ... along that axis no power is positive; otherwise none is negative */
	double most[FT_PARAMS_MAX]; /* the end of the data, ln */
	double cost; /* sum of weight times share above, and ft__number_price for each number that is written
		      */
};

/* ft__cover_value - at a place, of which the ln are given; ft__term_value - of one term, where it is. */
double ft__cover_value(const struct ft__cover *cover, const double *ln);
double ft__term_value(const struct ft__term *term, size_t axes, const double *ln);

/* ft__term_numbers - how many numbers it is written with. */
size_t ft__term_numbers(const struct ft__term *term, size_t axes);

/* ft__round_digits - to three digits: up, down or to the nearest one. value >= 0 */
enum ft__rounding { FT__DOWN, FT__NEAREST, FT__UP };
double ft__round_digits(double value, enum ft__rounding rounding);

/* ft__cover_raise - multiply by a factor >= 1, and round up. */
void ft__cover_raise(struct ft__cover *cover, double factor);

/* The saving, as a share of the mean request, that justifies a further number in the formula. */
extern const double ft__number_price;

/* The search for powers: the finest step, 0.01 as printed, and the largest power. */
struct ft__powers {
	double finest, steepest;
};

/* ft__term_fit - the cheapest term without ends: the sum of weight times the share above the larger of value
 * and base, plus the price of its numbers; at least the value of each point that it must cover.
 *
 * point  [n] whose powers are to be >= 0
 * base   [n] requested anyway; NULL: nothing
 * must   [n] which points it has to cover; NULL: all
 * scratch [(4 + axes) n]
 *
 * Returns the cost. No allocation. Cost: some hundred passes over the points for each axis.
 */
double ft__term_fit(const struct ft__floor *point, size_t n, size_t axes, const double *base,
		    const bool *must, struct ft__powers powers, double *scratch, struct ft__term *out);

/* ft__cover_fit - a formula above all points that is monotone along each axis, of numbers of three digits: as
 * printed, it is above.
 *
 * point  [n] n >= 1
 * data   [axes] outside these one term may apply to all
 * end    [axes x n_ends] values of each axis at which terms may end; NaN: none
 *
 * Returns FT_OK; FT_ENOMEM. Cost: ft__term_fit for each end and term.
 */
enum ft_status ft__cover_fit(const struct ft__floor *point, size_t n, size_t axes,
			     const struct ft__extent *data, const double *end, size_t n_ends,
			     struct ft__cover *out);

/*
 * Shared by the parts of a division.
 */

/*
 * Compare the local exponent of new runs with that of the model.
 */

/* Input of growth: sizes ascending and different, x > 0, values > 0. */
struct ft__step {
	double x, value, promised;
	double sd; /* of ln (value / promised), if the program is unchanged */
};

/* ft__growth_test - fill exponents, change, interval and verdict.
 *
 * step      [n] n >= 3
 * quantile  of the normal law: half-width of the interval in standard deviations
 *
 * Returns FT_OK or FT_ENOMEM.
 */
enum ft_status ft__growth_test(const struct ft__step *step, size_t n, double quantile, struct ft_growth *out,
			       struct ft_err *err);

/*
 * Find where along a sequence of sizes a function is above a limit.
 */

/* Neighbouring sizes, by number, both ends in it. */
struct ft__index_range {
	double from, to;
};

/* A search. Zero-initialise and set `ratio` and `ctx`; ends with ft__search_clear. */
struct ft__search {
	double (*ratio)(void *ctx, double index); /* over 1: does not fit */
	void *ctx;
	struct ft__index_range *stretch; /* [n] found: where it does not fit, ascending */
	size_t n, capacity;
	/* the state of the search */
	bool begun, over, no_memory;
	double last;
};

/* ft__search_go - go on from `from` to `to` >= from, within which the function is smooth.
 *
 * point  [n] ascending, first from, last to: where to look. Between neighbours one change is found, and a
 * hump with one top; more would take closer points
 *
 * Cost: n + O(log(to - from)) evaluations for each change and each top.
 */
void ft__search_go(struct ft__search *search, const double *point, size_t n);

/* ft__search_each - proceed number by number up to `to`, where the function is not smooth. ft__search_bar
 * - proceed to `to`, and assume that nothing on the way fits. */
void ft__search_each(struct ft__search *search, double to);
void ft__search_bar(struct ft__search *search, double to);

/* ft__search_end - the last stretch ends where the search stands. FT_ENOMEM: some stretch found no room. */
enum ft_status ft__search_end(struct ft__search *search, struct ft_err *err);
void ft__search_clear(struct ft__search *search); /* accepts NULL, and twice */

/*
 * One limit of the inverse question: the sizes at which it is exceeded.
 */

/* The query, for one limit at a time. */
struct ft__question {
	const struct ft_program *program;
	const struct ft_model_record *record; /* of the limit */
	double *at; /* [n_at] ascending: values of the parameter that were measured */
	size_t n_at;
	double fine;  /* ratio between neighbouring sizes (struct ft_fine); 1: no fine structure */
	double looks; /* how many more sizes may be examined one by one */
	const struct ft_expr *work;  /* NULL: read from the knots */
	const struct ft_expr *where; /* the constraint on sizes; NULL: none */
	struct ft_answerer *answerer;
	const struct ft_resource *resource; /* of the model */
	struct ft_calibrated_law by_law;    /* the calibrated law that was stated; fits: it may answer */
	size_t varying;
	struct ft_size size;   /* of the last query */
	struct ft_space space; /* of the parameter that varies */
	double first, last;    /* numbers of the sizes to look at */
	double end;            /* the largest size measured, of all models */
	double confidence;     /* two-sided */
	double most;
	struct ft_err err; /* why a size within the data could not be answered */
};

/* ft__question_turn - from now on the question is about one limit: its model, and the law that was stated of
 * its resource, which answers where ft_ask_predict has it answer. q->at ends with ft_free. */
enum ft_status ft__question_turn(struct ft__question *q, const struct ft_model_record *record,
				 const struct ft_limit *limit, struct ft_err *err);

/* ft__question_predict - the prediction of the limit's model at a size. */
enum ft_status ft__question_predict(struct ft__question *q, double x, struct ft_prediction *out,
				    struct ft_err *err);

/* ft__question_admits - whether a size meets the constraint. */
bool ft__question_admits(struct ft__question *q, double x);

/* ft__question_admitted - the first size from one number to another (up or down) that meets the
 * constraint; NaN: none is found. Neighbours are tried one by one for a while, then ever farther sizes;
 * where these change from no to yes, bisection finds the edge. */
double ft__question_admitted(struct ft__question *q, double from, double to);

/* ft__question_search - where the limit is exceeded; sets limit->grows. search: zero-initialised; ends with
 * ft__search_clear, also on failure. */
enum ft_status ft__question_search(struct ft__question *q, struct ft__search *search, struct ft_limit *limit,
				   struct ft_err *err);

/*
 * Shared by requests for one size and for all sizes.
 */

/* ft__request_split - divide the stated risk between time and memory so that the product of the requests is
 * minimal over three measured sizes, by the quantiles of the predictions themselves (doc/requests.md).
 *
 * Returns FT_OK; what ft_ask_predict returns. Cost: 33 predictions of each resource. */
enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *at,
				 struct ft_request *request, struct ft_err *err);

/* ft__request_init - check the risk, choose the resources, give each half of it. */
enum ft_status ft__request_init(struct ft_answerer *answerer, double risk, struct ft_request *out,
				struct ft_err *err);

/* ft__request_upper - the model's prediction at a size (at->upper: a share `risk` of single runs is above
 * it), and the upper end: at most at->upper, and below the measured sizes at most that of the smallest.
 *
 * risk  0.0005 .. 0.25
 *
 * Returns what ft_ask_model and ft_ask_predict return. */
enum ft_status ft__request_upper(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *size, double risk, struct ft_prediction *at,
				 double *most, struct ft_err *err);

/* ft__request_least - for a risk of FT_RISK_LEAST_MOST or _DOUBLE: give each resource the risk that wastes
 * least over n sizes, and out->risk their sum. (request.c)
 *
 * out  as ft__request_init made it
 *
 * Returns FT_OK; what ft_ask_predict returns. Cost: some 30 predictions of each resource and size. */
enum ft_status ft__request_least(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 struct ft_request *out, struct ft_err *err);

/* ft__request_needs - what to ask for at a size, once the resources have their risks (ft__request_init, then
 * ft__request_split or ft__request_least). These may be used for other sizes as well. */
enum ft_status ft__request_needs(struct ft_answerer *answerer, const struct ft_size *size,
				 struct ft_request *out, struct ft_err *err);

/* ft__request_wasted - the waste of a job over its tries, the first of which requests `amount` (> 0): all
 * of a try that was killed, and the unused part of the last one. seen, most: as of FT_RISK_LEAST_MOST. */
double ft__request_wasted(double amount, double need, double seen, bool most);

/* ft__request_edge - the size, with each parameter limited to the range of the model. */
struct ft_size ft__request_edge(const struct ft_answerer *a, const struct ft_model_record *record,
				const struct ft_size *size);

/* ft__request_known - the share of the way from one size, at the edge of the measured range, to another
 * one, up to which requests are possible. Cost: some 20 predictions. */
enum ft_status ft__request_known(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *from, const struct ft_size *to, double *share,
				 struct ft_err *err);

/* ft__request_seen - the most that any run needed of a resource; NaN: not measured. */
double ft__request_seen(const struct ft_answerer *answerer, const struct ft_resource *resource);

/* ft__request_cpus - the processors that runs keep busy, the median over those of the nearest sizes; NaN: not
 * known. */
double ft__request_cpus(const struct ft_answerer *answerer, const struct ft_size *size);

/* ft__request_reached - the most memory that runs which were killed for it had reached, among those that
 * are not above `fixed` in any parameter but the varying one; NaN: not known. */
double ft__request_reached(const struct ft_runs *runs, const struct ft_resource *resource, size_t varying,
			   const struct ft_size *fixed);

/*
 * Check an expression against the numbers of a request.
 */

/* The query, for one resource. */
struct ft__express_query {
	struct ft_answerer *answerer;
	const struct ft_size *size;
	size_t axis[FT_PARAMS_MAX], n_axes; /* those that are open */
	const struct ft_need *need;
	bool kills;   /* runs were killed for memory, which is heeded */
	double fine;  /* ft__ask_fineness of the model */
	double reach; /* multiple, >= 1, of the largest values measured; no requests above it */
};

/* Of one axis: values, ascending and different, all positive. */
struct ft__values {
	double *x;
	size_t n, capacity;
};

/* The product of the lines, as far as the model has an answer there, and the sizes measured. */
struct ft__places {
	struct ft__values line[FT_PARAMS_MAX];
	struct ft__extent data[FT_PARAMS_MAX];
	size_t axes;
	struct ft__floor *point;
	size_t n, capacity;
	double *end; /* [axes x n_ends] where terms may end; NaN: none */
	size_t n_ends;
	size_t checked; /* further places that were checked */
};

/* ft__places_find - and their numbers.
 *
 * Returns FT_OK; FT_ENOMODEL: no size or no number is positive; FT_ENOMEM. Ends with ft__places_clear, also
 * on failure. */
enum ft_status ft__places_find(const struct ft__express_query *query, struct ft__places *out,
			       struct ft_err *err);
void ft__places_clear(struct ft__places *places);

/* ft__places_check - check a cover against the numbers at further places, new ones at each call; those
 * that it does not cover are added. short_of: out, 1: it covers all, else the factor that it lacks.
 *
 * Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__places_check(struct ft__places *places, const struct ft__express_query *query,
				const struct ft__cover *cover, double *short_of);

/*
 * Compare two calibrated machines: the ratio of their times.
 */

/* A micro-benchmark that both machines have. */
struct ft__ratio {
	double ln;    /* of its time there to that here */
	double bytes; /* of memory that it uses; 0: negligible */
};

struct ft__rows {
	struct ft__ratio *ratio; /* [n] */
	size_t n, capacity;
};

/*
 * Shared by contracts with models and contracts with other runs.
 */

/* A change by less is none that matters: counts that are the same to a millionth would break contracts. */
extern const double ft__least_shift;

/* ft__least_of - the same from a value of a resource: memory has a floor in bytes, too. */
double ft__least_of(const struct ft_resource *resource, double value);

/* Fewer pairs than these do not show their own variance. */
enum { FT__PAIRS_LEAST = 4 };

/* ft__pairs_shift - the best estimate of ln (new / old), of the logarithms of pairs [n], n >= 2.
 *
 * work      [6 n]
 * variance  out, of a single pair, as far as it matters for the estimate: that of the estimate is 1/n of it */
double ft__pairs_shift(const double *before, const double *now, size_t n, double *work, double *variance);

/* Typical runs of one size: what tests over all sizes go by. */
struct ft__held {
	double now, before; /* > 0; else the size is not used */
	double sd;          /* of ln (now / before), without the part common to all sizes */
	double of_runs;     /* the part of its square that more runs make smaller */
	/* Against old runs, of a size that is judged alone: the same, wild steps as they are, and its degrees
	   of freedom. */
	double alone_sd, alone_freedom;
	double least;   /* a smaller change is no change (ft__regression_test) */
	double of_pair; /* the variance of a single pair, as far as it matters for the best estimate */
};

/* The part that all sizes of a resource share. */
struct ft__common {
	double sd;      /* of ln (now / before), the same for all sizes */
	double session; /* the part of it that another session adds */
	double freedom; /* degrees of it, behind sd of the sizes; INFINITY: that is known */
	double scatter; /* variance of ln of single new runs; 0: unknown */
};

/* The state of a verification. */
struct ft__verifying {
	const struct ft_verify_options *options;
	struct ft_verification *out;
	struct ft__held *held;     /* [n_checks] parallel to out->check */
	struct ft__common *common; /* [options->n] parallel to out->shift */
};

/* How another session may differ from that of a model (session.c). */
struct ft__other_session {
	double drift; /* the machine takes so many times as long as when the model's runs were made; 1: not known */
	bool corrected; /* ... by a reference that was run at both times */
	double sd;      /* of ln, of what is left; 0: sessions are alike */
	double pairs;   /* of stored sessions that taught it, by their weight */
};

/* ft__session_find - by the runs of the model, the new ones, and stored sessions of all programs of its machine.
 * Cost: reads up to 20,000 runs. FT_OK; what reading the store returns; FT_ENOMEM. */
enum ft_status ft__session_find(struct ft_answerer *answerer, const struct ft_runs *now,
				const struct ft_resource *resource, struct ft__other_session *out,
				struct ft_err *err);

/* ft__verify_value - the value of a new run for a resource, a lower bound if it was ended at a time limit;
 * NaN: none. */
double ft__verify_value(const struct ft_run *run, const struct ft_resource *resource, bool *at_least);

/* ft__regression_test - all sizes of a resource together; fills the numbers and the verdict.
 *
 * held  [n]; risk: of either side; at_least: some `now` is a lower bound
 */
void ft__regression_test(const struct ft__held *held, size_t n, const struct ft__common *common, double risk,
			 bool at_least, struct ft_regression *out);

/* ft__common_quantile - of an estimate whose errors have the variance common to all sizes, as accurately
 * as that is known. confidence: one-sided */
double ft__common_quantile(const struct ft__common *common, double confidence);

/* ft__median_variance - of the median of n values, by that of one: pi / 2 times the mean's for many, the
 * mean's for two. */
double ft__median_variance(double one, size_t n);

/* ft__scatter - the variance of single values, from the distance of each to the one before it in its group
 * (von Neumann 1941), so that slow drift hardly counts. Distances above `far` times the median count as
 * that: background load is no property of the program.
 *
 * step     [n] |differences| of neighbours in time; n >= 1
 * far      ft__far; INFINITY: all as they are
 * freedom  out, degrees of it */
double ft__scatter(const double *step, size_t n, double far, double *freedom);
extern const double ft__far;

/*
 * Growth within a bound, without a model (bound.c, growth.c, at_most.c).
 */

enum { FT__BOUND_TERMS = 8 };

/* A product of powers of the parameters and of their logarithms. */
struct ft__bound_term {
	double power[FT_PARAMS_MAX], log[FT_PARAMS_MAX];
};

/* The fastest growth allowed: a sum of such products, whose coefficients are free. */
struct ft__ceiling {
	struct ft__bound_term term[FT__BOUND_TERMS]; /* none within another one */
	size_t n;
};

/* ft__bound_parse - returns as ft_at_most_plan does. */
enum ft_status ft__bound_parse(const char *text, const struct ft_program *program, struct ft__ceiling *out,
			       struct ft_err *err);

/* ft__bound_within - whether a term grows no faster than another one, along every parameter. */
bool ft__bound_within(const struct ft__bound_term *term, const struct ft__bound_term *above);

/* ft__bound_value - of a term at a size x [params], values >= 0. */
double ft__bound_value(const struct ft__bound_term *term, const double *x, size_t params);

/* ft__bound_format - "n^2 log n", "n*m", "1". */
void ft__bound_format(const struct ft__bound_term *term, const struct ft_program *program,
		      char buffer[FT_BOUND_LENGTH]);

/* A size as the test of growth sees it. */
struct ft__grown_point {
	double x[FT_PARAMS_MAX], value; /* > 0 */
	double error;                   /* of value, a standard deviation, relative; what runs show of it */
};

/*
 * Terms of laws of growth (growth_terms.c, growth.c).
 */

enum {
	FT__GROWN_PHASES = 4, /* sizes between one and its double */
	FT__GROWN_BASES =
		10, /* terms within the bound: NNLS has columns for these, the phases, a step and growth */
	FT__GROWN_DEVIATIONS = 11,
	FT__GROWN_WORSE = 128,
	FT__GROWN_STEPS = 96,
	FT__GROWN_ROOMS = 4,                  /* kinds of rooms that grow */
	FT__GROWN_GRIDS = 2 * FT__GROWN_ROOMS /* the likeliest of each, with growth and without */
};

/* A column of a law: its value at each size, 1 at the largest. */
struct ft__grown_column {
	double at[FT_AT_MOST_SIZES];
};

/* What a law has besides the lower terms; rooms that grow have a second column. */
struct ft__grown_step {
	struct ft__grown_column first, second;
	double penalty, factor, from; /* ln; of rooms that grow: by how much, and one of their sizes */
	int kind;                     /* ... which of the kinds */
};

/* A term that grows faster than the bound. */
struct ft__grown_worse {
	struct ft__bound_term term;
	size_t param; /* along which it does */
	double from;  /* it begins there; 0: everywhere */
	struct ft__grown_column column;
	bool usual; /* the next whole power everywhere: reported as what would have been seen */
};

struct ft__grown {
	size_t n, params;
	const struct ft__grown_point *point; /* [n] */
	size_t top;                          /* the largest size */
	enum ft_resource_class of;
	const struct ft__ceiling *bound;
	struct ft__grown_column base[FT__GROWN_BASES], phase[FT__GROWN_PHASES];
	struct ft__grown_step step[FT__GROWN_STEPS + FT__GROWN_GRIDS];
	size_t bases, constant, phases, steps, tiles,
		grids;    /* steps from tiles on are of tiles, and then of rooms */
	size_t likeliest; /* of rooms, with growth */
	bool phased;      /* laws have a level for each phase */
	struct ft__grown_worse worse[FT__GROWN_WORSE];
	size_t worses;
	double y[FT_AT_MOST_SIZES], start; /* what is judged; the part of it that is start-up */
	double sigma[FT__GROWN_DEVIATIONS][FT_AT_MOST_SIZES], ln_sigma[FT__GROWN_DEVIATIONS];
	double volume[FT_AT_MOST_SIZES]; /* of each size, of that of the largest: the product of its values */
	double fall[FT_AT_MOST_SIZES];   /* deviations are larger by this at smaller sizes */
	size_t groups, group[FT_AT_MOST_SIZES +
			     1]; /* of sizes that are nearly alike: where each begins, and the end */
	double shared; /* variance that the sizes of a group have in common, as a share of their own */
};

/* ft__grown_prepare - all terms, of these sizes; what is judged, and rooms, as in `like`.
 *
 * point  [n] kept */
void ft__grown_prepare(struct ft__grown *g, const struct ft__grown_point *point, size_t n,
		       const struct ft__grown *like);

/* ft__grown_room - a step of rooms that grow by a factor, one of which is `from`; kind < FT__GROWN_ROOMS. */
void ft__grown_room(const struct ft__grown *g, double factor, double from, int kind,
		    struct ft__grown_step *out);

/* ft__at_most_judge - fills all of out but its sizes' runs and values.
 *
 * point  [n] ascending, n at most FT_AT_MOST_SIZES */
void ft__at_most_judge(const struct ft__grown_point *point, size_t n, const struct ft_program *program,
		       enum ft_resource_class of, const struct ft__ceiling *bound, struct ft_at_most *out);

#endif
