/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - what an answerer knows. */
#ifndef FT_ASK_ASK_H
#define FT_ASK_ASK_H

#include "foretime/ask.h"
#include "foretime/cost.h"
#include "foretime/divide.h"
#include "foretime/expr.h"
#include "foretime/facts.h"
#include "foretime/request.h"
#include "foretime/status.h"
#include "foretime/verify.h"

#include <math.h>
#include <stdbool.h>

struct ft__elsewhere;

/* What requests are made of; time NULL: not asked for yet. */
struct ft__requested {
	bool query;                              /* the rest is known */
	const struct ft_resource *time, *memory; /* NULL: not measured */
	bool cpus;                               /* some run tells processors */
	bool brief;                              /* no run that tells memory took a second */
};

struct ft_answerer {
	struct ft_store *store;       /* NULL: it answers of runs in memory, and keeps nothing (kept.c) */
	const struct ft_prior *prior; /* the store's */
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs;                /* settled: ft_runs_settle; levels.c: all of them, or a few */
	struct ft_runs few;                 /* those that were there before all were read */
	size_t n_runs;                      /* in the store */
	size_t left_out;                    /* values that may not stand beside others */
	bool stands;                        /* few were chosen that may stand for all */
	struct ft_ask_whole whole;          /* of all runs, where not all are read */
	const struct ft_resource **counter; /* [n_counters] what only the runs name */
	size_t n_counters;
	struct ft_knowledge knowledge;
	size_t older; /* runs of older programs of that name on the machine */
	int64_t since_ns;
	size_t axis[FT_PARAMS_MAX], n_axes; /* the parameters that models are functions of */
	struct ft_model_record *
		*record; /* [n_records] asked for before; each on its own: callers keep them */
	size_t n_records, capacity;
	struct ft__elsewhere *elsewhere; /* the machine that is answered for, where the program was not run */
	int64_t here;                    /* this machine; 0: not known */
	/* The load functions that were last asked for; n = 0: none */
	struct ft_load_functions load;
	struct ft_ask_load beside; /* under which load is answered, and these functions are of */
	double load_share;
	/* Under FT_LOAD_AT: the observations, and what they say of a run of such a length; told: of the last
	 * answer */
	struct ft_loads loads;
	struct ft_load_hours hours;
	double hours_busy_s, hours_threads;
	struct ft_load_answer_hour told;
	struct ft_slow_downs slow_downs; /* of the runs; run NULL: not asked for yet */
	struct ft__requested requested;
	struct ft_power power; /* of the machine; no parts: not known */
};

/* ft__ask_credible - an end of the interval that is farther off than a person could use is not told as a
 * number: upper is infinite, lower 0, known NaN where the whole spans more than a factor of 1000, or more
 * than a run can take. FT_ENOMODEL: the value itself is. ft__ask_anyhow - ft_ask_predict without that. */
enum ft_status ft__ask_anyhow(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);
enum ft_status ft__ask_credible(const struct ft_resource *resource, struct ft_prediction *out,
				struct ft_err *err);

/* ft__ask_read_runs - the runs of program and machine; few: those that stand for all are enough.
 * ft__ask_read_whole - all of them, before something is asked that needs them; those read before stay where
 * they are. (levels.c) */
enum ft_status ft__ask_read_runs(struct ft_answerer *a, bool few, struct ft_err *err);
enum ft_status ft__ask_read_whole(struct ft_answerer *a, struct ft_err *err);

/* ft__ask_find_axes - of the runs, what ft_ask_axes tells: the parameters in which they differ; where they do
 * not, the one that has a range. */
enum ft_status ft__ask_find_axes(struct ft_answerer *a, struct ft_err *err);

/* ft__ask_forget - the models that were asked for. */
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

/* ft__ask_beside - of what a run takes alone, what it takes under the load that is asked about. */
enum ft_status ft__ask_beside(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err);

/* ft__ask_by_power - whether a resource is an energy that nobody measured, and powers are known;
 * ft__ask_power_predict - that energy. */
bool ft__ask_by_power(const struct ft_answerer *a, const struct ft_resource *resource);
enum ft_status ft__ask_power_predict(struct ft_answerer *answerer, const struct ft_size *size,
				     double confidence, struct ft_prediction *out, struct ft_err *err);

/* ft__size_distance - how far two sizes are apart: the sum of the ln ratios; 1 where one is not positive. */
double ft__size_distance(const struct ft_size *a, const struct ft_size *b);

/* ft__ask_has_value - whether a run that ended well has a value of a resource. */
bool ft__ask_has_value(const struct ft_answerer *answerer, const struct ft_resource *resource);

/* ft__ask_model_predict - what the model says, and nothing else. */
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

/* ft__ask_by_law - what a calibrated law says at a size, L there; but for the distance. */
void ft__ask_by_law(const struct ft_calibrated_law *calibration, double law, double confidence,
		    struct ft_prediction *out);

/* ft__ask_law_over_model - put in place of what a model said, where it speaks for itself (outside the
 * measured range; or between them, where it is rough), what a law that fits says. */
enum ft_status ft__ask_law_over_model(const struct ft_answerer *answerer, const struct ft_resource *resource,
				      const struct ft_calibrated_law *calibration, const struct ft_size *size,
				      double confidence, bool rough, struct ft_prediction *out,
				      struct ft_err *err);

/*
 * What one size costs, asked again and again.
 */

/* A question of a cost made ready. */
struct ft__costing {
	struct ft_answerer *answerer;
	struct ft_cost_options options; /* each with its value */
	struct ft_size size;            /* of what was asked last */
	size_t varying;
	const struct ft_resource *memory; /* NULL: not measured */
	double memory_bytes;              /* INFINITY: any */
	double cap;                       /* the largest that fits by ft_ask_largest; NaN: not asked yet */
	double failing;                   /* from here on no run ended well; INFINITY */
	double risk;                      /* 0: typical */
	bool rough;
};

/*
 * A short formula above given points and not far above: the greatest of a few terms a + b x^p y^q.
 */

/* The ends of the data along an axis. */
struct ft__extent {
	double least, most;
};

/* A point that must lie below. */
struct ft__floor {
	double ln[FT_PARAMS_MAX]; /* of its place */
	double value;             /* > 0 */
	double weight;            /* what a share above it counts; 0: it must only lie below */
};

/* a + b x^p y^q ..., from one value of an axis on, up to another one, which are NaN where it has no end; on
 * an axis along which the formula falls `from` is the larger one. At `from` itself it is not, at `upto` it
 * is. outside: instead, where a parameter is beyond the data, on the side where the formula is larger. */
struct ft__term {
	double a, b, power[FT_PARAMS_MAX];
	double from, upto;
	bool outside;
};

enum { FT__TERMS_MAX = 4 };

struct ft__cover {
	struct ft__term term[FT__TERMS_MAX];
	size_t n, axes, axis;
	bool falls[FT_PARAMS_MAX]; /* ... along that axis: no power is positive; elsewhere none is negative */
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

/* What a number that is written must save, as a share of what is asked for in the mean. */
extern const double ft__number_price;

/* How powers are looked for: the step that is the finest, 0.01 as printed, and the largest power. */
struct ft__powers {
	double finest, steepest;
};

/* ft__term_fit - the term without ends that is cheapest: sum of weight times the share above the greater of
 * value and base, and the price of its numbers; no less than the value of each point that it must cover.
 *
 * point  [n] whose powers are to be >= 0
 * base   [n] what is asked for anyway; NULL: nothing
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
 * data   [axes] beyond these one term may be for all
 * end    [axes x n_ends] values of each axis at which terms may end; NaN: none
 *
 * Returns FT_OK; FT_ENOMEM. Cost: ft__term_fit for each end and term.
 */
enum ft_status ft__cover_fit(const struct ft__floor *point, size_t n, size_t axes,
			     const struct ft__extent *data, const double *end, size_t n_ends,
			     struct ft__cover *out);

/*
 * What the parts of a division share.
 */

/*
 * The local exponent of new runs beside that of the model.
 */

/* What growth is read off: sizes ascending and different, x > 0, values > 0. */
struct ft__step {
	double x, value, promised;
	double sd; /* of ln (value / promised), were the program unchanged */
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
 * Where along a sequence of sizes a function is over a limit.
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
	/* where it stands */
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

/* ft__search_each - go on by every number up to `to`, where the function is anything but smooth.
 * ft__search_bar - go on to `to`, and take for granted that nothing on the way fits. */
void ft__search_each(struct ft__search *search, double to);
void ft__search_bar(struct ft__search *search, double to);

/* ft__search_end - the last stretch ends where the search stands. FT_ENOMEM: some stretch found no room. */
enum ft_status ft__search_end(struct ft__search *search, struct ft_err *err);
void ft__search_clear(struct ft__search *search); /* accepts NULL, and twice */

/*
 * One limit of the inverse question: at which sizes it is exceeded.
 */

/* What is asked, of one limit at a time. */
struct ft__question {
	const struct ft_program *program;
	const struct ft_model_record *record; /* of the limit */
	double *at; /* [n_at] ascending: values of the parameter that were measured */
	size_t n_at;
	double fine;  /* neighbouring sizes differ by such a ratio: fine structure (struct ft_fine); 1: there
			 is none */
	double looks; /* so many sizes may still be looked at one by one */
	const struct ft_expr *work;  /* NULL: read from the knots */
	const struct ft_expr *where; /* what sizes must meet; NULL: nothing */
	struct ft_answerer *answerer;
	const struct ft_resource *resource; /* whose model it is */
	struct ft_calibrated_law by_law;    /* of the law that was stated of it; fits: it may answer */
	size_t varying;
	struct ft_size size;   /* of what was asked last */
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

/* ft__question_predict - what the model of the limit says of a size. */
enum ft_status ft__question_predict(struct ft__question *q, double x, struct ft_prediction *out,
				    struct ft_err *err);

/* ft__question_admits - whether a size meets the constraint. */
bool ft__question_admits(struct ft__question *q, double x);

/* ft__question_admitted - of the sizes from one number to another (up or down) the first that meets the
 * constraint; NaN: none is found. Neighbours are looked at one by one for a while, then ever farther ones;
 * where those change from no to yes, that is bisected. */
double ft__question_admitted(struct ft__question *q, double from, double to);

/* ft__question_search - where the limit is exceeded; sets limit->grows. search: zero-initialised; ends with
 * ft__search_clear, also on failure. */
enum ft_status ft__question_search(struct ft__question *q, struct ft__search *search, struct ft_limit *limit,
				   struct ft_err *err);

/*
 * What requests for one size and for all sizes share.
 */

/* ft__request_split - divide the stated risk between time and memory so that the product of what is asked for
 * is least over three measured sizes, by the quantiles of the predictions themselves (doc/requests.md).
 *
 * Returns FT_OK; what ft_ask_predict returns. Cost: 33 predictions of each resource. */
enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *at,
				 struct ft_request *request, struct ft_err *err);

/* ft__request_init - check the risk, choose the resources, give each half of it. */
enum ft_status ft__request_init(struct ft_answerer *answerer, double risk, struct ft_request *out,
				struct ft_err *err);

/* ft__request_upper - what the model says at a size (at->upper: a share `risk` of single runs is above it),
 * and the upper end: no more than at->upper, and below the sizes measured no more than at the smallest of
 * them.
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

/* ft__request_wasted - what a job wastes of a resource over its tries, the first of which asks for `amount`
 * (> 0): all of a try that was killed, and of the last one what was not used. seen, most: as of
 * FT_RISK_LEAST_MOST. */
double ft__request_wasted(double amount, double need, double seen, bool most);

/* ft__request_edge - the size, but no larger in any parameter than what the model knows. */
struct ft_size ft__request_edge(const struct ft_answerer *a, const struct ft_model_record *record,
				const struct ft_size *size);

/* ft__request_known - up to which share of the way from one size, at the edge of what was measured, to
 * another one requests are known. Cost: some 20 predictions. */
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
 * Where an expression is held against the numbers of a request.
 */

/* What is asked, of one resource. */
struct ft__asked {
	struct ft_answerer *answerer;
	const struct ft_size *size;
	size_t axis[FT_PARAMS_MAX], n_axes; /* those that are open */
	const struct ft_need *need;
	bool kills;   /* runs were killed for memory, which is heeded */
	double fine;  /* ft__ask_fineness of the model */
	double reach; /* beyond so many times the largest values measured, >= 1, requests are not known */
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
	size_t checked; /* so many places more were looked at */
};

/* ft__places_find - and their numbers.
 *
 * Returns FT_OK; FT_ENOMODEL: no size or no number is positive; FT_ENOMEM. Ends with ft__places_clear, also
 * on failure. */
enum ft_status ft__places_find(const struct ft__asked *query, struct ft__places *out, struct ft_err *err);
void ft__places_clear(struct ft__places *places);

/* ft__places_check - hold a cover against the numbers at more places, others at each call; those that it does
 * not cover are added. short_of: out, 1: it is above all, else by which factor it is not.
 *
 * Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__places_check(struct ft__places *places, const struct ft__asked *query,
				const struct ft__cover *cover, double *short_of);

/*
 * Two machines that both were calibrated: how much longer things take on one of them.
 */

/* A micro-benchmark that both machines have. */
struct ft__ratio {
	double ln;    /* of its time there, beside that of here */
	double bytes; /* of memory that it goes over; 0: none to speak of */
};

struct ft__rows {
	struct ft__ratio *ratio; /* [n] */
	size_t n, capacity;
};

/*
 * What contracts with models and contracts with other runs share.
 */

/* A change by less is none that matters: counts that are the same to a millionth would break contracts. */
extern const double ft__least_shift;

/* Typical runs of one size: what tests over all sizes go by. */
struct ft__held {
	double now, before; /* > 0; else the size says nothing */
	double sd;          /* of ln (now / before), without what is common to all sizes */
	double of_runs;     /* the part of its square that more runs make smaller */
	/* Against old runs, of a size that is judged alone: the same, wild steps as they are, and its degrees
	   of freedom. */
	double alone_sd, alone_freedom;
};

/* What all sizes of a resource share. */
struct ft__common {
	double sd;      /* of ln (now / before), the same for all sizes */
	double session; /* the part of it that another session adds */
	double freedom; /* degrees of it, behind sd of the sizes; INFINITY: that is known */
	double scatter; /* variance of ln of single new runs; 0: nothing tells */
};

/* What is being verified. */
struct ft__verifying {
	const struct ft_verify_options *options;
	struct ft_verification *out;
	struct ft__held *held;     /* [n_checks] beside out->check */
	struct ft__common *common; /* [options->n] beside out->shift */
};

/* ft__verify_value - what a new run says of a resource, at least where it was ended at a time limit; NaN:
 * nothing. */
double ft__verify_value(const struct ft_run *run, const struct ft_resource *resource, bool *at_least);

/* ft__shift_test - all sizes of a resource together; fills the numbers and the verdict.
 *
 * held  [n]; risk: of either side; at_least: some `now` is a lower bound
 */
void ft__shift_test(const struct ft__held *held, size_t n, const struct ft__common *common, double risk,
		    bool at_least, struct ft_shift *out);

/* ft__common_quantile - of an estimate whose errors have the scatter that all sizes share, as far as that is
 * known. confidence: one-sided */
double ft__common_quantile(const struct ft__common *common, double confidence);

/* ft__median_variance - of the median of n values, by that of one: pi / 2 times the mean's for many, the
 * mean's for two. */
double ft__median_variance(double one, size_t n);

/* ft__scatter - the variance of single values, from how far each lies from the one of its group before it
 * (von Neumann 1941): what wanders in between counts little. Those `far` times as far as the middle one count
 * as if they stood there: others on the machine are no property of the program.
 *
 * step     [n] |differences| of neighbours in time; n >= 1
 * far      ft__far; INFINITY: all as they are
 * freedom  out, degrees of it
 */
double ft__scatter(const double *step, size_t n, double far, double *freedom);
extern const double ft__far;

#endif
