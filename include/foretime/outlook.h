/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlook.h - what a running program will cost, compared with the prediction of a model (002
 * section 2.3). Plain numbers: who looks at the program, and how, is the caller's.
 *
 *	struct ft_outlook outlook;
 *	struct ft_breach breach;
 *
 *	ft_outlook_begin(&outlook, &expected, NULL, 0);
 *	while (it runs)
 *		if (ft_outlook_look(&outlook, &look, &breach))
 *			... it will be late, or out of memory ...
 */
#ifndef FORETIME_OUTLOOK_H
#define FORETIME_OUTLOOK_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>

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
