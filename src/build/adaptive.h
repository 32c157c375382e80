/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.h - what the adaptive builder knows, shared by its files: what it is told (adaptive.c), and which
 * run it wants next (adaptive_ask.c).
 *
 * All of it is a function of the runs that it was told, in their order, whether it asked for them or not. */
#ifndef FT_BUILD_ADAPTIVE_H
#define FT_BUILD_ADAPTIVE_H

#include "build/types.h"
#include "model/caution.h"
#include "model/engine.h"

/* The first sizes, evenly spaced in ln size; and how many may be asked for at once. */
enum { FT__RUNGS = 5, FT__BATCH_MOST = 64, FT__AGAIN_MOST = 32 };

/* Of more misses caution is known at so many places of the range. */
enum { FT__CAUTION_PLACES = 64 };

/* Sizes by their numbers. Zero-initialise. */
struct ft__indices {
	size_t *index; /* [n] ascending */
	size_t n, capacity;
};

bool ft__indices_has(const struct ft__indices *indices, size_t index);

/* A run that might be next. */
struct ft__bid {
	size_t index;   /* FT__NONE: none */
	double gain;    /* mean excess that it takes away, as a share ... */
	double seconds; /* ... for its price */
	size_t gap;     /* that it divides; FT__NONE: it repeats a size */
};

struct ft__adaptive {
	struct ft__line_options options;
	struct ft__grid grid;
	struct ft__engine engine;
	double shift;              /* added to sizes before their logarithm is taken */
	struct ft__indices failed; /* where nothing can be measured */
	struct ft__indices closed; /* where no more runs are to be had */
	size_t rung[FT__RUNGS], n_rungs;
	struct ft__miss *miss; /* [n_misses] ascending: how far first runs lay off what was said of their
			 size, in deviations */
	size_t n_misses, misses_capacity;
	double caution[FT__CAUTION_PLACES + 1]; /* what followed from the first n_cautious of them */
	size_t n_cautious;
	double told_s;                   /* seconds of all runs, as told */
	double each_s, stretch, given_s; /* what they cost: ft_builder_price */
	size_t runs;                     /* that it was told ... */
	size_t learned, looked;          /* ... when it learned last, and looked for fine structure */
	size_t doubted_at;               /* ... and asked the model that will answer ... */
	bool doubted;                    /* ... which knows less than the engine; */
	bool refining;   /* the excess is small enough, and the typical run not known as was asked for ... */
	double known_s;  /* ... since so much was spent; 0: it is not; */
	double known_to; /* to how much that model knows it, ln */
	bool owes;       /* it could not be asked: no memory */
	size_t again[FT__AGAIN_MOST], n_again; /* sizes that are wanted once more, in their order */
	size_t last; /* size of the last of them; FT__NONE: it failed, or there is none */
	double cut;  /* sizes beyond this are not run: the budget, or the user's choice; infinite */
	enum ft_stop stop;
	/* The answer until it is told something: [n_bids] of `asked` at most; asked = 0: none yet. */
	struct ft__bid bid[FT__BATCH_MOST];
	size_t n_bids, asked;
};

/* ft__adaptive_next - the runs that are wanted now, best first; 0: none, and a->stop says why.
 * bid  [most], most <= FT__BATCH_MOST */
size_t ft__adaptive_next(struct ft__adaptive *a, struct ft__bid *bid, size_t most);

/* ---- how well it is known (adaptive_serve.c) ----------------------------------------------------------- */

/* What is asked for at sizes: half by their number, half by their logarithm. In space of the engine's: until
 * the next one is made, or the engine learns. */
struct ft__served {
	double *gap, *excess; /* [n - 1] share of all sizes; mean excess there */
	double left;          /* mean excess over all */
	double high;          /* 95 % quantile of the error over them */
};

/* ft__adaptive_excess - of a size; of_typical: how well the typical run is known, instead of single ones. */
double ft__adaptive_excess(struct ft__known known, bool of_typical);
void ft__adaptive_serve(const struct ft__adaptive *a, bool of_typical, struct ft__served *s);

/* ft__adaptive_is_known - whether the excess is within the tolerance. */
bool ft__adaptive_is_known(const struct ft__adaptive *a, const struct ft__served *s);

/* ft__adaptive_refine_left - what may still be spent on the typical run beyond that. */
double ft__adaptive_refine_left(const struct ft__adaptive *a);

/* ft__adaptive_ask_model - where the engine knows the curve within the tolerance: whether the model does.
 * FT_ENOMEM. */
enum ft_status ft__adaptive_ask_model(struct ft__adaptive *a, struct ft_err *err);

/* ft__adaptive_complete - as ft_builder_complete. */
double ft__adaptive_complete(struct ft__adaptive *a);

/* ---- what follows from what it was told (adaptive_known.c) ------------------------------------------- */

double ft__adaptive_value(const struct ft__adaptive *a, size_t index);
double ft__adaptive_ln(const struct ft__adaptive *a, size_t index); /* of size + shift */
size_t ft__adaptive_snap(const struct ft__adaptive *a, double ln);  /* the nearest size */
size_t ft__adaptive_index_of(const struct ft__adaptive *a, size_t site);

bool ft__adaptive_has_failed(const struct ft__adaptive *a, size_t index);
bool ft__adaptive_is_closed(const struct ft__adaptive *a, size_t index); /* it cannot be run again */
bool ft__adaptive_is_new(const struct ft__adaptive *a, size_t index);    /* neither run nor failed */
size_t ft__adaptive_failures_between(const struct ft__adaptive *a, size_t left, size_t right);

double ft__adaptive_work(const struct ft__adaptive *a, double x);

/* ft__adaptive_cost - of a run that is told as so many seconds. */
double ft__adaptive_cost(const struct ft__adaptive *a, double seconds);

/* Cost expected of a run; one site at least. */
double ft__adaptive_price(const struct ft__adaptive *a, double x);
double ft__adaptive_site_price(const struct ft__adaptive *a, size_t site);
double ft__adaptive_spent(const struct ft__adaptive *a);
double ft__adaptive_budget_left(const struct ft__adaptive *a);

/* ft__adaptive_caution - how many times wider than stated the errors of first visits were, around a place. */
double ft__adaptive_caution(const struct ft__adaptive *a, double at);

/* ft__adaptive_be_cautious - know it anew, once there are a sixteenth more misses. */
void ft__adaptive_be_cautious(struct ft__adaptive *a);

/* ---- runs outside the bidding (adaptive_first.c) ------------------------------------------------------ */

void ft__adaptive_set_rungs(struct ft__adaptive *a);

/* ft__adaptive_rungs_beside - the first sizes that may be run beside a size; left: of the budget.
 * rung  [most] */
size_t ft__adaptive_rungs_beside(const struct ft__adaptive *a, size_t index, double left, size_t *rung,
				 size_t most);

/* ft__adaptive_owe - a size was run: whether it is wanted once more, later. */
void ft__adaptive_owe(struct ft__adaptive *a, size_t index);

/* ft__adaptive_again - the one that has waited longest for that; FT__NONE: none that is to be had. left: of
 * the budget. */
size_t ft__adaptive_again(const struct ft__adaptive *a, double left);

/* ft__adaptive_sure - a size that is wanted whatever it takes away; FT__NONE: none. *dear: the budget does
 * not reach the largest. */
size_t ft__adaptive_sure(const struct ft__adaptive *a, bool *dear);

#endif
