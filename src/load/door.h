/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of load beyond its interface. */
#ifndef FT_LOAD_DOOR_H
#define FT_LOAD_DOOR_H

#include "foretime/facts.h"
#include "foretime/load.h"

/* ---- sharing ----------------------------------------------------------------------------------------- */

const char *ft_sharing_text(enum ft_sharing sharing);

/* ---- recording --------------------------------------------------------------------------------------- */

struct ft_load_recorder;

/* ft_load_recorder_open - begin to observe, from now on.
 *
 * root      "" for this machine, or a folder that holds a recorded /proc
 * children  the processor time of our descendants is ours too, not only that of this process
 * out       heap, ends with ft_load_recorder_close; NULL on failure
 *
 * Returns FT_OK; FT_EUNAVAIL: no /proc/stat, it counts nothing, or (children) the kernel does not list them;
 * FT_ENOMEM.
 */
enum ft_status ft_load_recorder_open(struct ft_load_recorder **out, const char *root, bool children,
				     struct ft_err *err);
void ft_load_recorder_close(struct ft_load_recorder *recorder); /* accepts NULL */

/* ft_load_recorder_elapsed - seconds since the last observation, or since it was opened. */
double ft_load_recorder_elapsed(const struct ft_load_recorder *recorder);

/* ft_load_recorder_look - a look at the run queue, of some 10 us: once a second or so between two readings,
 * while nothing of ours but this process runs. What cannot be seen changes nothing. */
void ft_load_recorder_look(struct ft_load_recorder *recorder);

/* ft_load_recorder_read - the background load since the last observation; looks once more.
 *
 * busy = C (busy + steal - ours) / all, of the ticks that /proc/stat counted meanwhile on the C processors.
 * Busy is user, nice, system and interrupts; steal is what a hypervisor took, also from us; iowait is idle
 * time: it is available.
 * load = busy + p q: tasks of other processes waited for the share p of the time, and then q of them, 1 or
 * more: as the looks found beyond C runnable ones. p is the kernel's (PSI), or the share of such looks where
 * it does not count that. With `children` our runs took processors from the others and waited, too, and the
 * looks are of the times between: load = busy + p max(0, their mean + steal - busy), p = 1 where it is not
 * known.
 *
 * Ticks are 10 ms and sampled: intervals under a second are coarse. Returns FT_OK; FT_EEND: no tick has
 * passed yet; FT_EUNAVAIL.
 */
enum ft_status ft_load_recorder_read(struct ft_load_recorder *recorder, struct ft_load *out,
				     struct ft_err *err);

/* ---- histories --------------------------------------------------------------------------------------- */

/* ft_load_history_observed - how many of the newest `newest` intervals were observed (of fewer: of all). */
size_t ft_load_history_observed(const struct ft_load_history *history, size_t newest);

/* What observations are on the whole: averages, by their length. */
struct ft_loads_summary {
	double seconds;                   /* their length in all */
	double load, busy, steal, iowait; /* processors, as struct ft_load; NaN: not known */
	int64_t end_ns;                   /* of the newest */
};

struct ft_loads_summary ft_loads_summarise(const struct ft_loads *loads); /* n >= 1 */

/* ---- load functions ---------------------------------------------------------------------------------- */

/* What predictions use: averages up to an hour in the newest day that was observed, no older than a month. */
enum {
	FT_LOAD_INTERVAL_S = 10,
	FT_LOAD_HISTORY = 24 * 60 * 6, /* intervals */
	FT_LOAD_WINDOW = 60 * 6,
	FT_LOAD_LEAST = 10 * 6, /* fewer observed intervals are not enough */
	FT_LOAD_AGE_S = 30 * 24 * 60 * 60,
};

/* ft_load_usual - the load functions of observations, made so. FT_ENOMODEL: fewer than ten minutes were
 * observed. */
enum ft_status ft_load_usual(struct ft_load_functions *out, const struct ft_loads *loads,
			     enum ft_sharing sharing, double share, struct ft_err *err);

/* ft_load_choose_window - the shortest w beyond which the functions stay closer than a width (a share of the
 * machine's processors): the rest may count as constant (000 section 4). 0: they never come so close. */
size_t ft_load_choose_window(const struct ft_load_functions *functions, double width);

/* The extremes over the newest h loads, kept up to date as loads come in. */
struct ft_load_window;

enum ft_status ft_load_window_new(struct ft_load_window **out, double interval_s, double processors, size_t w,
				  size_t h, struct ft_err *err);
void ft_load_window_free(struct ft_load_window *window); /* accepts NULL */

/* ft_load_window_add - one load more (NaN: a gap); the h-th before it falls out. O(w) amortised. FT_ENOMEM:
 * the window is damaged and can only be freed. */
enum ft_status ft_load_window_add(struct ft_load_window *window, double load, struct ft_err *err);

/* ft_load_window_functions - borrowed, until the next addition; n = 0: nothing was observed. */
const struct ft_load_functions *ft_load_window_functions(struct ft_load_window *window);

/* ---- what it does to a run --------------------------------------------------------------------------- */

const char *ft_load_view_text(enum ft_load_view view);

/* ft_load_view_parse - "idle", "usual", "now"; for FT_LOAD_AT the moment, not the word. */
bool ft_load_view_parse(const char *text, enum ft_load_view *view);

/* ft_load_slow_down - by what a run takes longer at a constant load than on an idle machine.
 *
 * threads     k, what the run would keep busy; > 0
 * processors  C >= 1
 * load        L >= 0; fair: what other processes want, k + L tasks share C processors; niced: what they keep
 * busy
 *
 * niced: k / min(k, C - L); INFINITY when L >= C. fair: max(1, (L + k) / C). More threads than processors
 * count as C. Source: C = k = 1 niced is 000 eq. 3.
 */
double ft_load_slow_down(enum ft_sharing sharing, double threads, double processors, double load);

/* How a run was slowed, compared with fair sharing. */
struct ft_slow_down {
	double ln_busy; /* ln of the seconds that it needs on processors */
	double ln_fair; /* ln of the slow-down by the tasks that were seen during it (ft_load_slow_down, fair)
			 */
	double off;     /* ln of the slow-down that it had, less that */
};

struct ft_slow_downs {
	struct ft_slow_down *run; /* [n] */
	size_t n;
	double threads; /* that the runs keep busy alone: the median; 1 if not known */
};

/* ft_slow_downs_make - of the newest runs that ended well and know who wanted a processor; at most 200.
 * out: the caller's, ends with ft_slow_downs_clear; cleared on failure. FT_ENOMEM. */
enum ft_status ft_slow_downs_make(struct ft_slow_downs *out, const struct ft_runs *runs, struct ft_err *err);
void ft_slow_downs_clear(struct ft_slow_downs *slow_downs); /* accepts NULL, and twice */

/* A run on an idle machine, and the load that it will meet. */
struct ft_load_meeting {
	double value, lower, upper; /* its wall time, > 0: the typical one, and what holds a share
				       `confidence` of runs */
	double confidence;
	double busy_s;       /* of the typical time, that on processors: it alone is slowed; 0 .. value */
	double slow_down[2]; /* by sharing fairly, finite: between these with the same confidence, and as
				likely above their middle as below (ln) */
	double session[2];   /* by how much the time on processors may be shorter, and longer, as one of
				another session (ft_load_session); 0: it is not */
};

/* ft_load_session - what the times of a session share, and those of another do not: standard deviation of ln.
 * wanted: the share of the processors that other processes want; more than 1 counts as 1. */
double ft_load_session(double wanted);

/* ft_load_meet - the wall times of runs that meet a load: the median, and what holds the same share of them.
 *
 * Slow-downs have a skewed distribution of their own, which theory does not know (groups of tasks, lengths of
 * time slices, runs that end before it is the others' turn): runs of the past show it, the more the nearer
 * they are in length and in load. Without near ones, slow-downs are those of sharing.
 *
 * out  value, lower, upper
 *
 * Cost O(n). Source: doc/load.md. */
void ft_load_meet(const struct ft_slow_downs *slow_downs, const struct ft_load_meeting *meeting,
		  double out[3]);

/* ---- at which hour ----------------------------------------------------------------------------------- */

/* Which hours of the past are like one to come. X(NAME, what is printed) */
#define FT_LOAD_ALIKE_LIST(X)                                                                                \
	X(ANY, "any hour")                                                                                   \
	X(DAY, "the same hour of each day")                                                                  \
	X(WORK, "the same hour of working days, or of weekends")                                             \
	X(WEEK, "the same hour of that day of the week")

enum ft_load_alike {
#define FT_LOAD_ALIKE_ENUM(name, words) FT_LOAD_ALIKE_##name,
	FT_LOAD_ALIKE_LIST(FT_LOAD_ALIKE_ENUM)
#undef FT_LOAD_ALIKE_ENUM
};

const char *ft_load_alike_text(enum ft_load_alike alike);

/* Runs that would have begun in one hour of the past. */
struct ft_load_hour {
	int64_t day;        /* counted in local time */
	int week_day, hour; /* 0 (Sunday) .. 6; 0 .. 23 */
	double ln, scatter; /* of their slow-downs: mean ln, and its variance from run to run */
	double load;        /* background load in processors meanwhile, on average */
	size_t begun;       /* how many such runs */
};

/* Hours of the past, in the time zone of the process, and which of them predict best. */
struct ft_load_hours {
	struct ft_load_hour *hour; /* [n] in the order of time */
	size_t n, days;
	enum ft_load_alike alike; /* the kind of likeness by which hours of days that were left out were
				     predicted best */
};

enum { FT_LOAD_DAYS_LEAST = 3 }; /* fewer do not separate the effect of hours from that of days */

/* ft_load_hours_make - for runs of one length: each would have begun at a moment of the past and gone on
 * under the background load of that time (fair), until its work was done.
 *
 * busy_s   what a run takes on an idle machine, > 0
 * threads  that it keeps busy
 * out      ends with ft_load_hours_clear; cleared on failure
 *
 * A likeness is chosen by the squared errors of ln slow-down of hours predicted from those of other days.
 *
 * Returns FT_OK; FT_ENOMODEL: fewer than FT_LOAD_DAYS_LEAST days on which such a run could begin and end;
 * FT_ENOMEM. Cost: some 10^7 steps for a month. Source: 000 section 2.2, with the periodic time constraint of
 * 001 section II.B.
 */
enum ft_status ft_load_hours_make(struct ft_load_hours *out, const struct ft_loads *loads, double busy_s,
				  double threads, struct ft_err *err);
void ft_load_hours_clear(struct ft_load_hours *hours); /* accepts NULL, and twice */

/* Slowdowns of hours like a given one. */
struct ft_load_answer_hour {
	double load, slow_down; /* typical */
	double lower, upper;    /* slow-downs that hold a share `confidence` of runs; as likely above their
				   middle as    below (ln) */
	enum ft_load_alike alike;
	size_t hours, days; /* that it rests on */
};

/* ft_load_hours_at - what a run meets that begins at a moment. Where fewer than FT_LOAD_DAYS_LEAST days were
 * recorded of hours that are as much alike as was chosen, less likeness is enough. */
void ft_load_hours_at(const struct ft_load_hours *hours, int64_t at_ns, double confidence,
		      struct ft_load_answer_hour *out);

/* What choosing the hour would have been worth: of each day that was left out, the hour that the others
 * recommend. Mean slow-downs (geometric). */
struct ft_load_worth {
	double chosen, any, best; /* of the hour chosen so, of all hours, of the day's best in hindsight */
	size_t days;              /* with half of their hours or more observed */
};

/* ft_load_hours_worth - false: no such day. Cost O(n^2). */
bool ft_load_hours_worth(const struct ft_load_hours *hours, struct ft_load_worth *out);

/* ft_load_of_slow_down - 1 - 1 / slow_down: the part of the ideal speed that is lost; what the document calls
 * load. */
double ft_load_of_slow_down(double slow_down);

/* ---- how good are they? ------------------------------------------------------------------------------ */

struct ft_load_judgement {
	size_t moments;  /* at which the history was evaluated */
	size_t averages; /* later average loads that were compared */
	double within;   /* share of them within the functions; NaN: none */
	double area;     /* between the functions from D to w D, processor seconds; the mean */
	double width;    /* the same by length: processors */
};

/* ft_load_judge - how often loads that came later, averaged over D .. w D, fell within the functions of the h
 * loads before, and how wide these were (000 section 3).
 *
 * share  as for ft_load_functions_make
 * most   look at no more than this many moments, evenly spread; 0: at all
 *
 * Returns FT_OK (averages = 0: the history is too short); FT_EINVAL: h, w or share; FT_ENOMEM.
 */
enum ft_status ft_load_judge(struct ft_load_judgement *out, const struct ft_load_history *history, size_t h,
			     size_t w, double share, size_t most, struct ft_err *err);

/* Which functions are compared. */
struct ft_load_choice {
	size_t h, w;           /* intervals: the usual history and window, >= 1 */
	bool h_alone, w_alone; /* no other is compared; else a sixth of it, and 7 times the history, 4 times
				  the window */
	double share;          /* 1: the extremes, and some quantiles; less: these quantiles alone */
};

struct ft_load_judged {
	size_t h, w;
	double share;
	struct ft_load_judgement found;
};

/* ft_load_judge_all - each combination of a choice that the history is long enough for, by window, history,
 * share. Where less was observed than is usual half of it is the usual history, and a quarter of that the
 * window. Looks at as many moments, 20 to 1000, as take about a tenth of a second.
 *
 * out  heap, ends with free; n = 0: the history is too short
 *
 * Returns FT_OK; what ft_load_judge returns; FT_ENOMEM.
 */
enum ft_status ft_load_judge_all(struct ft_load_judged **out, size_t *n,
				 const struct ft_load_history *history, const struct ft_load_choice *choice,
				 struct ft_err *err);

#endif
