/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - what to ask a batch system for: time, memory and processors, at a stated risk.
 *
 *	struct ft_request request;
 *
 *	ft_ask_request(models, &size, 0.05, &request, err);
 *	printf("%g s, %g bytes\n", request.time.most, request.memory.most);
 */
#ifndef FORETIME_REQUEST_H
#define FORETIME_REQUEST_H

#include "foretime/ask.h"

FT_BEGIN_DECLS

/* In place of a risk: the risk that wastes least where a killed job runs again with more, FT_RISK_LEAST_MOST:
 * with the most that any run needed, then twice as much at each try; FT_RISK_LEAST_DOUBLE: always twice as
 * much. */
#define FT_RISK_LEAST_MOST   (-1.0)
#define FT_RISK_LEAST_DOUBLE (-2.0)

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

const char *ft_doubt_text(enum ft_doubt doubt);

/* WIDE: the 90 % prediction interval spans more than this factor, and its upper half more than the root of it
 * (that a run may need far less refuses nothing). FAR: a size is more than this factor beyond
 * the largest measured one. */
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

/* ft_ask_request - what to ask for at a size, so that a share `risk` of future runs at most turns out to need
 * more time or more memory. The risk is split between the two as their runs vary: even if they are
 * correlated, the sum bounds it. Where only one was measured it has the whole.
 *
 * risk  0.001 .. 0.25, or FT_RISK_LEAST_MOST, FT_RISK_LEAST_DOUBLE: then time and memory each have the risk
 *       that wastes least of them, and out->risk is the sum
 *
 * The upper end is that of ft_ask_predict; below the data no more than that of the smallest size
 * (doc/models.md, Requests). Without data (enum ft_doubt) `most` is still set, and no answer.
 *
 * Returns FT_OK; FT_EINVAL (the risk); FT_ENOMODEL: neither time nor memory was measured; what ft_ask_predict
 * returns.
 */
enum ft_status ft_ask_request(struct ft_answerer *answerer, const struct ft_size *size, double risk,
			      struct ft_request *out, struct ft_err *err);

/* The same of one resource for every size, as an expression (expr.h) of the parameters that are left open. */
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
	struct ft_request_expression time, memory; /* seconds, bytes */
	double cpus;                               /* the most that any measured size keeps busy; NaN */
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

/* ft_ask_request_knots - the same as knots, for readers that only draw lines: between two knots logarithms of
 * numbers are linear in that of the size.
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

/* ---- jobs in the order of time --------------------------------------------------------------------------
 *
 * What other requests would have cost, had they been made for jobs that have ended. A request knows no job
 * that had not ended when it was made.
 */

/* A job that ended. Borrowed. */
struct ft_replay_job {
	size_t program;       /* jobs of the same number are of one program, and have the same parameters */
	const double *size;   /* [n_size] the values of its parameters */
	size_t n_size;        /* 0: not known; the program is taken for one that needs the same each time */
	double made_s;        /* when its request was made: seconds from any moment, the same for all jobs */
	double ended_s;       /* not below made_s; known to jobs whose request was made later than that */
	double wall_s, bytes; /* that it needed; NaN: not known */
	double asked_s, asked_bytes; /* its own request; NaN: none */
	enum ft_outcome outcome; /* FT_DONE: it is judged, and learned from; FT_TIMED_OUT, FT_OUT_OF_MEMORY:
				    it needed more than it had; the rest is not used */
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
			  least 1: where renewing them so often costs more, they are renewed less often, but
			  at five times as many jobs. This depends on numbers of jobs, on nothing else. */
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
 * its program have ended, from the newest FT_REPLAY_LEARN of them; with sizes less often, where these would be
 * too many models. Of one parameter requests are made at sizes 10 % apart, with lines between them in logarithms.
 * Requests are rounded up to MiB and minutes.
 *
 * growth  out: the share of further jobs after which models with sizes were renewed; may be NULL
 *
 * Returns FT_OK; FT_EINVAL: a rule; FT_EINTR; FT_ENOMEM. Memory: two events a job, and one model. Cost: a
 * model with sizes takes a tenth of a second (2 cores of an AMD EPYC), one without nothing.
 */
enum ft_status ft_replay_jobs(const struct ft_replay_job *job, size_t n,
			      const struct ft_replay_options *options, double *growth, struct ft_err *err);

FT_END_DECLS
#endif
