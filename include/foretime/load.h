/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - the background load on a machine: recorded, turned into l_min(t) and l_max(t), and what it
 * does to a run.
 *
 *	ft_load_history_make(&history, &loads, 10, 8640, FT_SHARING_FAIR, err);
 *	ft_load_functions_make(&functions, &history, 360, 1, err);
 *	ft_load_predict(&functions, 60, 1, FT_SHARING_FAIR, &outlook);
 *
 * A minute's work then takes 60 s times outlook.slow_down[].
 *
 * Load is counted in processors that other processes want: those that they keep busy, what a hypervisor took,
 * and their tasks that wait for one. It is as large as their run queue is long: 8 busy loops on 2 processors
 * are a load of 8, under which a run gets 2/9 of a processor. Where the queue was not recorded (tables of
 * utilisation, stores of older versions) the busy processors stand for it: the load was at least this much.
 *
 * A program that takes only idle time (nice 19) waits for what they keep busy, not for what they want.
 * doc/load.md has each formula.
 */
#ifndef FORETIME_LOAD_H
#define FORETIME_LOAD_H

#include "foretime/facts.h"

FT_BEGIN_DECLS

/* ---- sharing ----------------------------------------------------------------------------------------- */

/* How a program shares the machine with other processes. X(name, what is printed) */
#define FT_SHARING_LIST(X)                                                                                   \
	X(FAIR, "fair")   /* as any other program: sharing with what other processes want */                 \
	X(NICED, "niced") /* only what the others leave (nice 19): using what they leave idle */

enum ft_sharing {
#define FT_SHARING_ENUM(name, words) FT_SHARING_##name,
	FT_SHARING_LIST(FT_SHARING_ENUM)
#undef FT_SHARING_ENUM
};

/* ---- recording --------------------------------------------------------------------------------------- */

/* ft_load_now - the load at this moment, looked at for this many seconds, as somebody meets it who shares so.
 * The system's average over a minute lags behind, and has our own runs of that minute in it.
 *
 * Returns FT_OK; FT_EUNAVAIL.
 */
enum ft_status ft_load_now(double seconds, enum ft_sharing sharing, double *load, int *processors,
			   struct ft_err *err);

/* ---- histories --------------------------------------------------------------------------------------- */

/* ft_load_history_make - observations of any length laid on equal intervals, which end with the newest
 * observation.
 *
 * interval_s  D
 * most        at most this many observed intervals, the newest; 0: all
 * sharing     whose load: of what other processes wanted (fair), or of what they kept busy (niced)
 * out         the caller's, ends with ft_load_history_clear; cleared on failure
 *
 * An interval counts as observed when at least half of it was. What a sweep saw replaces what a recorder saw
 * of the same time: to the recorder the sweep's runs are those of another. A gap of any length is one NaN.
 *
 * Returns FT_OK (n = 0: no observations); FT_EINVAL: interval_s not positive; FT_ENOMEM. Cost O(n log n).
 */
enum ft_status ft_load_history_make(struct ft_load_history *out, const struct ft_loads *loads,
				    double interval_s, size_t most, enum ft_sharing sharing,
				    struct ft_err *err);

/* ft_loads_read - observations from a CSV table with the columns `time` (seconds, or a date and time in UTC)
 * and `load`.
 *
 * path        a CSV table: a file, plain or gzip; "-" is standard input. A note "# processors: 8" gives their number where processors is 0; else 1
 * processors  0: not stated. A load above a number that was stated is a queue; above one that was not it is
 * taken for a slip
 * loads       appended to; rows without a load are left out. Each row covers the time since the row before;
 * the usual distance of two rows (the median) where that is longer, and for the first
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO, FT_EPARSE (path, line and column); FT_EINVAL: no such column, fewer than two rows,
 * times that do not ascend, a load below 0, or above the 1 processor where it is not stated (file and line).
 */
enum ft_status ft_loads_read(const char *path, int processors, struct ft_loads *loads, struct ft_err *err);

/* ---- load functions ---------------------------------------------------------------------------------- */

/* l_min(t) and l_max(t): the least and the largest load, averaged over a time t, in a history (000
 * section 2.2). Straight lines between the values; constant below the first and beyond the last. */
struct ft_load_functions {
	double interval_s;    /* D */
	double processors;    /* C */
	double *least, *most; /* [n] at D, 2 D, ... n D */
	size_t n;             /* at most w: fewer where the history has no unbroken stretch of that length */
};

/* ft_load_functions_make - from a history.
 *
 * w      the longest average, in intervals; >= 1
 * share  1: the extremes of each average over the history, as in the document; less: the quantiles between
 *        which this share lies
 * out    the caller's, ends with ft_load_functions_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOMODEL: nothing was observed; FT_EINVAL: share outside (0, 1], w = 0; FT_ENOMEM.
 * Cost O(h w); with quantiles O(h w log h). Source: 000 section 2.2, eq. 1 and 2 (errata: doc/load.md).
 */
enum ft_status ft_load_functions_make(struct ft_load_functions *out, const struct ft_load_history *history,
				      size_t w, double share, struct ft_err *err);
void ft_load_functions_clear(struct ft_load_functions *functions); /* accepts NULL, and twice */

/* ft_load_at - l_min(t), l_max(t); t >= 0. */
void ft_load_at(const struct ft_load_functions *functions, double t_s, double load[2]);

/* ---- what it does to a run --------------------------------------------------------------------------- */

/* Which load a question is about. X(NAME, what is printed) */
#define FT_LOAD_VIEW_LIST(X)                                                                                 \
	X(IDLE, "idle")   /* none: the measurements, as though the machine had been idle */                  \
	X(USUAL, "usual") /* what the history makes likely for a run of that length */                       \
	X(NOW, "now")     /* what it is at this moment, as though it stayed */                               \
	X(AT, "at")       /* what it was at that hour, of a run that begins at a stated moment */

enum ft_load_view {
#define FT_LOAD_VIEW_ENUM(name, words) FT_LOAD_##name,
	FT_LOAD_VIEW_LIST(FT_LOAD_VIEW_ENUM)
#undef FT_LOAD_VIEW_ENUM
};

/* The slowdown of a run by a history of load: [0] in the best case, [1] in the worst. */
struct ft_load_outlook {
	double load[2];      /* averaged over the run */
	double slow_down[2]; /* INFINITY: unbounded, the others leave nothing */
};

/* ft_load_predict - where l_min(t) and l_max(t) first meet the load that makes a run take the time t (000
 * section 2.2, Figure 5).
 *
 * t_ideal_s  the run's time on an idle machine, > 0
 *
 * Cost O(w).
 */
void ft_load_predict(const struct ft_load_functions *functions, double t_ideal_s, double threads,
		     enum ft_sharing sharing, struct ft_load_outlook *out);

FT_END_DECLS

#endif
