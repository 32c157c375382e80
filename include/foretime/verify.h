/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.h - a model as a contract: whether new runs agree with it, and whether they grow as it does
 * (002 section 2.3).
 */
#ifndef FORETIME_VERIFY_H
#define FORETIME_VERIFY_H

#include "foretime/ask.h"
#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

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

/* ft_verdict_breaks - whether a contract with such a verdict is broken. strict: by less than stated, too */
bool ft_verdict_breaks(enum ft_verdict verdict, bool strict);

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
#define FT_SHIFT_LIMIT_LIST(X)                                                                               \
	X(RUNS, "runs")       /* noise of the new ones */                                                    \
	X(MODEL, "model")     /* what it does not know of a typical run */                                   \
	X(SESSION, "session") /* what times of one session differ by from those of another */

enum ft_shift_limit {
#define FT_SHIFT_LIMIT_ENUM(name, words) FT_SHIFT_LIMIT_##name,
	FT_SHIFT_LIMIT_LIST(FT_SHIFT_LIMIT_ENUM)
#undef FT_SHIFT_LIMIT_ENUM
};

const char *ft_shift_limit_text(enum ft_shift_limit limit);

/* All sizes of a resource together: how many times what it was it takes now. */
struct ft_shift {
	const struct ft_resource *resource;
	size_t sizes, runs;
	bool at_least;              /* of some size only a lower bound is known: so is the ratio */
	double ratio, lower, upper; /* of typical runs, and its interval at the level of the pooled tests */
	enum ft_verdict verdict;
	double seen; /* a slowdown by this share is detected in 90 % of cases; NaN: not known */
	enum ft_shift_limit limit;
	size_t needed; /* runs of a size with which 15 % would be seen so; 0: no number of them does */
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
	struct ft_shift *shift; /* [n_shifts] a resource each, in the order requested */
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
 * request (request.h): wild runs that the model has seen are in it.
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

/* ft_verify_against - the same without models: new runs held against old ones that were made alternately with
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

/* ft_verification_is_certain - whether a check is so far over that no further run changes that. */
bool ft_verification_is_certain(const struct ft_verification *verification);

/* ft_verification_is_disturbed - whether it is broken, and by nothing that a bad moment does not do, so that
 * runs at another moment may mend it: that changes no counts and no memory, and makes times up to twice as
 * long (doc/constants.md).
 *
 * strict   as in the options
 * in_turn  old and new runs were made alternately, at several moments: these change both alike, and the
 * result of all sizes is final */
bool ft_verification_is_disturbed(const struct ft_verification *verification, bool strict, bool in_turn);

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

/* ft_growth_text - an exponent in words: the class among n^i, n^i log n (i = 0, 1/2 .. 4) whose exponent
 * around size x is the nearest, "n log n"; both, "n or n log n", where they are within the margin of the
 * exponent; "n^1.7" without a near one. name: of the parameter. Returns buffer. */
enum { FT_GROWTH_LENGTH = 4 * FT_PARAM_LENGTH + 48 };
char *ft_growth_text(double exponent, double margin, double x, const char *name,
		     char buffer[FT_GROWTH_LENGTH]);

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
	struct ft_size size[FT_AT_MOST_SIZES]; /* [n] the first ones ascending, then those between them */
	size_t n, first;
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
	struct ft_at_most_size size[FT_AT_MOST_SIZES]; /* [n] ascending; the last is the largest */
	size_t n;
};

/* ft_verify_at_most - whether a resource grows no faster than a bound. The constant and all lower terms are
 * free.
 *
 * runs  those that ended well count; no warm-ups. Of more than FT_AT_MOST_SIZES sizes the largest count
 *
 * NO where a term that grows faster makes the data far likelier than terms within the bound do, also with one
 * step of their level, and is 2 % of the resource at least at the largest size. YES where that is not so, and a
 * worse term of 20 % would have been detected; else UNDECIDED. See doc/contracts.md.
 *
 * Returns FT_OK; FT_EPARSE, FT_EINVAL: as ft_at_most_plan; FT_ENOMODEL: no run has a value of the resource that
 * is above 0; FT_ENOMEM.
 */
enum ft_status ft_verify_at_most(const struct ft_runs *runs, const struct ft_program *program,
				 const struct ft_resource *resource, const char *bound,
				 struct ft_at_most *out, struct ft_err *err);

FT_END_DECLS

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

FT_BEGIN_DECLS

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
 * A normal run is called late in 1 of 100 runs at the most, and one that takes 1.5 times as long is seen
 * before half of the time it should take: doc/contracts.md. Cost: 12 x FT_OUTLOOK_POINTS powers.
 */
bool ft_outlook_look(struct ft_outlook *outlook, const struct ft_outlook_look *look,
		     struct ft_breach *breach);

/* ft_outlook_forecast - of the looks so far. now_s: since its begin. */
struct ft_forecast ft_outlook_forecast(const struct ft_outlook *outlook, double now_s);

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

FT_END_DECLS

#endif
