/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.h - how often single runs lay within their prediction.
 *
 *	struct ft_kept kept;
 *
 *	ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, FT_KEPT_RUNS, 0}, &kept, err);
 *	printf("%zu of %zu", kept.inside, kept.inside + kept.less + kept.more);
 *	ft_kept_clear(&kept);
 */
#ifndef FORETIME_KEPT_H
#define FORETIME_KEPT_H

#include "foretime/ask.h"

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
