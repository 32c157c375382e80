/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive.h - what the adaptive builder knows, shared by its files: what it is told (adaptive.c), what it
 * asks (adaptive_ask.c), and whether the largest size needs to be run (adaptive_end.c). */
#ifndef FT_BUILD_ADAPTIVE_H
#define FT_BUILD_ADAPTIVE_H

#include "build/space.h"
#include "model/live.h"

/* The first sizes, evenly spaced in ln size. */
enum { FT__RUNGS = 5 };

/* So many sizes are visited again at the end: what changed meanwhile is drift. */
enum { FT__REVISITS = 4 };

enum ft__reason { FT__NOTHING, FT__REPEAT, FT__RUNG, FT__EXPLORE, FT__IMPROVE, FT__EDGE, FT__REVISIT };

struct ft__question {
	size_t index;
	enum ft__reason reason; /* FT__NOTHING: done */
};

/* Whether the largest size is run. */
enum ft__end_of { FT__END_OPEN, FT__END_RUN, FT__END_LEFT_OUT };

struct ft__adaptive {
	struct ft_build_options options;
	struct ft__grid grid;
	struct ft__live live;
	size_t *index; /* [live.n] of its nodes */
	size_t index_capacity;
	size_t *failed; /* [n_failed] ascending */
	size_t n_failed, failed_capacity;
	size_t *asked; /* [n_asked] sizes that were measured because it asked, in that order */
	size_t n_asked, asked_capacity;
	size_t revisit[FT__REVISITS], n_revisits, revisits_done;
	bool revisits_chosen;
	size_t rung[FT__RUNGS], n_rungs;
	enum ft__end_of end;
	double spent, explored, first_runs; /* seconds: of all that it asked for, of that */
	double overhead; /* seconds that each run costs beside those it is told of; part of the above */
	struct ft__question question;
	bool decided;
	bool cut_short; /* the budget does not reach the largest size */
	/* The size it was told of last: */
	size_t last;
	double last_s;
	bool last_surprised, last_closed, has_last;
	enum ft_stop stop;
};

/* ft__adaptive_decide - set the question, unless it is set. */
void ft__adaptive_decide(struct ft__adaptive *a);

/* ft__adaptive_set_rungs - choose the first sizes; once. */
void ft__adaptive_set_rungs(struct ft__adaptive *a);

double ft__adaptive_at(const struct ft__adaptive *a,
		       double x); /* ln x, of a size that is positive or shifted */
bool ft__adaptive_has_failed(const struct ft__adaptive *a, size_t index);

/* ft__adaptive_beyond - ln of the seconds expected at x beyond the nodes, of which there is one at least. */
double ft__adaptive_beyond(const struct ft__adaptive *a, double x);

/* ft__adaptive_end_rung - the last of the first sizes: the largest size, or one before it where memory cannot
 * bring a cliff and the largest may be left out. Decides that once. */
size_t ft__adaptive_end_rung(struct ft__adaptive *a);

/* ft__adaptive_end_holds - whether the law that was found vouches for what lies beyond the last size run. */
bool ft__adaptive_end_holds(struct ft__adaptive *a);

#endif
