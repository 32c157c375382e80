/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - when benchmarks may run without disturbing users, and which of them is next (001 II.B).
 *
 *	ft_policies_judge(&policies, &seen, now_s, &judgement);
 *	if (judgement.say == FT_SAY_START && !ft_queue_choose(queue, n, now_s, FT_ORDER_GAIN, &turns, &choice))
 *		... queue[choice.which] is next, for the reason choice.why ...
 *	... set a timer (absolute, wall clock) to judgement.next_s, and ask again when something is seen ...
 *
 * All here are pure functions of a clock, of what is seen and of plain arrays: nothing is remembered between
 * two calls, so that a clock may jump as it likes. Moments are whole seconds since 1970. Times of day are
 * those of the process's time zone (TZ; a caller that changes it calls tzset): each second is judged by what
 * a clock on the wall shows then. Where the clock shows 02:30 twice, a window holds both times; a window of a
 * night that skips from 02:00 to 03:00 is shorter by that hour, and one of 02:15-02:45 does not open then.
 */
#ifndef FT_POLICY_DOOR_H
#define FT_POLICY_DOOR_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stdint.h>

#define FT_NEVER INT64_MAX /* a moment that does not come */

/* ---- windows of the calendar ------------------------------------------------------------------------- */

/* The minutes that a wall clock shows while it is open: those of each field, and of the time of day. A set
 * has bit i for the value i. */
struct ft_window {
	uint64_t minutes;    /* of the hour, 0 to 59 */
	uint32_t hours;      /* 0 to 23 */
	uint32_t month_days; /* 1 to 31 */
	uint32_t months;     /* 1 to 12 */
	uint32_t week_days;  /* 0 (Sunday) to 6 */
	int from, to; /* minutes since midnight; from > to: over midnight, and days are those on which it
			 begins; from == to: the whole day */
};

enum { FT_WINDOW_LENGTH = 256 };

/* ft_window_parse - words with blanks between them, each at most once, and all have to hold:
 *
 *	sat-sun        days of the week, by three letters or more: "fri-mon", "mon,wed,fri"
 *	22:00-06:00    a time of day; 24:00 is the end of a day
 *	minute 0-29    minute, hour, day (of the month), month ("jan-mar", "1,7"): lists, ranges (also
 *	               over the end: "hour 22-5") and steps ("minute 0-59/15")
 *	always         none of them
 *
 * or five fields as cron has them: minute, hour, day of month, month, day of week (0 and 7: Sunday). Unlike
 * with cron both days have to hold where both are given.
 *
 * Returns FT_OK; FT_EPARSE: what is not understood, and what is.
 */
enum ft_status ft_window_parse(const char *text, struct ft_window *window, struct ft_err *err);

/* ft_window_format - in words that read back as the same; the length of the whole, as snprintf does. */
size_t ft_window_format(const struct ft_window *window, char *buffer, size_t length);

bool ft_window_open(const struct ft_window *window, int64_t at_s);

/* ft_window_next - the first moment after at_s at which it opens or closes; FT_NEVER: not within the next ten
 * years. Cost: some 100 us for a window that opens once a year. */
int64_t ft_window_next(const struct ft_window *window, int64_t at_s);

/* ft_moment_parse - "2026-12-24", "2026-12-24 08:00", "2026-12-24 08:00:30" as the wall clock shows it, or
 * with a Z as UTC: the first moment at which the clock shows that or a later time.
 *
 * Returns FT_OK; FT_EPARSE.
 */
enum ft_status ft_moment_parse(const char *text, int64_t *at_s, struct ft_err *err);

/* ft_moment_format - "2026-12-24 08:00:30", the seconds where they are not 0; "never". */
char *ft_moment_format(int64_t at_s, char buffer[32]);

/* ---- policies ---------------------------------------------------------------------------------------- */

/* What may be done, the most lenient first. X(NAME, word, what it means) */
#define FT_SAY_LIST(X)                                                                                       \
	X(START, "start", "benchmarks may start, and go on")                                                 \
	X(FINISH, "finish", "none starts; one that runs may finish")                                         \
	X(FREEZE, "freeze", "one that runs is stopped where it stands, and goes on later")                   \
	X(END, "end", "one that runs is ended, its time is lost")

enum ft_say {
#define FT_SAY_ENUM(name, word, about) FT_SAY_##name,
	FT_SAY_LIST(FT_SAY_ENUM)
#undef FT_SAY_ENUM
};

const char *ft_say_text(enum ft_say say);
bool ft_say_parse(const char *text, enum ft_say *say);

/* What somebody else's use of the machine looks like. X(NAME, word, what it means) */
#define FT_CONDITION_LIST(X)                                                                                 \
	X(USER_LOGIN, "user_login", "a user is logged in")                                                   \
	X(LOAD_THRESHOLD, "load_threshold", "other processes want more processors than that")                \
	X(PROCESS, "process_detection", "a process runs that is called so")                                  \
	X(USER_PROCESS, "user_process_detection", "a process of a user runs")                                \
	X(HALT_FILE, "halt_file", "a file is there")                                                         \
	X(BATTERY, "battery", "the machine runs on its battery")

enum ft_condition_kind {
#define FT_CONDITION_ENUM(name, word, about) FT_CONDITION_##name,
	FT_CONDITION_LIST(FT_CONDITION_ENUM)
#undef FT_CONDITION_ENUM
		FT_CONDITIONS
};

const char *ft_condition_text(enum ft_condition_kind kind);
bool ft_condition_parse(const char *text, enum ft_condition_kind *kind);

/* A halting condition, and what it does to a benchmark that runs. */
struct ft_condition {
	enum ft_condition_kind kind;
	/* [n_names] heap, as are they: users (user_login, user_process_detection); names of processes, as the
	 * kernel cuts them (15 bytes); files */
	char **names;
	size_t n_names;
	bool only;         /* of users: those of the list alone count; else all but them */
	double threshold;  /* load_threshold: processors; > 0 */
	enum ft_say say;   /* FT_SAY_FINISH, _FREEZE or _END */
	double patience_s; /* a frozen one is ended after that; INFINITY: never */
};

/* X(NAME, word) */
#define FT_TIME_LIST(X)                                                                                      \
	X(NOW, "now")                                                                                        \
	X(UNTIL, "until")                                                                                    \
	X(PERIODIC, "periodic")

enum ft_time_kind {
#define FT_TIME_ENUM(name, word) FT_TIME_##name,
	FT_TIME_LIST(FT_TIME_ENUM)
#undef FT_TIME_ENUM
};

const char *ft_time_text(enum ft_time_kind kind);
bool ft_time_parse(const char *text, enum ft_time_kind *kind);

/* A time constraint with its conditions: it lets benchmarks run while the time holds and no condition does.
 */
struct ft_policy {
	enum ft_time_kind time;
	int64_t until_s;           /* UNTIL: it holds before that moment */
	struct ft_window *windows; /* PERIODIC: [n_windows] heap; it holds while any of them is open */
	size_t n_windows;
	struct ft_condition *conditions; /* [n_conditions] heap */
	size_t n_conditions;
	enum ft_say
		at_end; /* what becomes of a benchmark that runs when the time is over: as in a condition */
	double patience_s; /* of that */
};

/* Alternatives: any of them suffices. But those behind an UNTIL wait until its time has come: so one takes
 * over from another, and without a following one construction ends. */
struct ft_policies {
	struct ft_policy *policy; /* [n] heap */
	size_t n;
};

void ft_condition_clear(struct ft_condition *condition); /* each accepts NULL, and twice */
void ft_policy_clear(struct ft_policy *policy);
void ft_policies_clear(struct ft_policies *policies);

/* ---- what is seen of the machine --------------------------------------------------------------------- */

struct ft_seen_login {
	const char *user;
	const char *where; /* "pts/3", "seat0"; NULL: not known */
};

struct ft_seen_process {
	const char *name; /* as the kernel has it (comm) */
	const char *user; /* his name, or his number where he has none */
	int pid;
};

/* The machine at a moment; all borrowed. What belongs to the manager itself, and to its benchmarks, is left
 * out by the observer. */
struct ft_seen {
	const struct ft_seen_login *logins; /* [n_logins] */
	size_t n_logins;
	const struct ft_seen_process *processes; /* [n_processes] */
	size_t n_processes;
	const char *const *files; /* [n_files] halt files that are there */
	size_t n_files;
	double load;     /* background load in processors */
	bool on_battery; /* false where there is none */
	/* Why a kind of condition cannot be judged ("there is no logind"): it then counts as though it held,
	 * so that no user is disturbed. NULL: it can */
	const char *unseen[FT_CONDITIONS];
};

/* ---- judging ----------------------------------------------------------------------------------------- */

enum { FT_WHY_LENGTH = 320 };

struct ft_judgement {
	enum ft_say say;
	double patience_s; /* FREEZE: a benchmark that is frozen for this long is ended; INFINITY: never */
	int which;         /* the policy that lets benchmarks run; -1: none does */
	bool over;         /* no time constraint will ever hold again: construction ends */
	int64_t next_s;    /* when the answer may change though nothing else is seen; FT_NEVER */
	char why[FT_WHY_LENGTH]; /* "user alice is logged in (pts/3)"; START: the time that holds */
};

/* ft_policies_judge - the decision of policies at a moment.
 *
 * policies  those of a problem that has its own, which override the system's (ft_policies_of); n = 0: nothing
 *           is restricted
 *
 * The most lenient counts of the alternatives whose time holds, or, where none does, of the others; within
 * one, the strictest of what speaks against it. Nothing is remembered: how long something is frozen is the
 * caller's to count.
 *
 * Cost O(processes x names) plus that of ft_policies_next. Source: 001 II.B.
 */
void ft_policies_judge(const struct ft_policies *policies, const struct ft_seen *seen, int64_t at_s,
		       struct ft_judgement *judgement);

/* ft_policies_of - those that count for a problem: its own where it has any, else the system's. */
const struct ft_policies *ft_policies_of(const struct ft_policies *own, const struct ft_policies *system);

/* ft_policies_next - the first moment after at_s at which a time constraint that counts begins or ends to
 * hold; FT_NEVER: none does within ten years. */
int64_t ft_policies_next(const struct ft_policies *policies, int64_t at_s);

/* A stretch of time in which the time constraints let benchmarks run. */
struct ft_opening {
	int64_t from_s, to_s;
	int which; /* the policy */
};

/* ft_policies_openings - those from from_s to to_s, in order of time; both ends are cut there.
 *
 * openings  [most] out
 *
 * Returns how many there are of them, at most `most`.
 */
size_t ft_policies_openings(const struct ft_policies *policies, int64_t from_s, int64_t to_s,
			    struct ft_opening *openings, size_t most);

/* ft_condition_holds - whether a condition holds, and why in words; why may be NULL. */
bool ft_condition_holds(const struct ft_condition *condition, const struct ft_seen *seen,
			char why[FT_WHY_LENGTH]);

/* ft_policy_format - "sat-sun, or 22:00-06:00; not while a user is logged in (freeze, 10 min)", one line; as
 * snprintf. */
size_t ft_policy_format(const struct ft_policy *policy, char *buffer, size_t length);

/* ---- which is next ----------------------------------------------------------------------------------- */

/* X(NAME, word, what it means) */
#define FT_ORDER_LIST(X)                                                                                     \
	X(GAIN, "gain", "what lowers the error of requested models most in a second; a tenth by age")        \
	X(PMM, "pmm", "the least complete; large and interrupted ones to the rear")

enum ft_order {
#define FT_ORDER_ENUM(name, word, about) FT_ORDER_##name,
	FT_ORDER_LIST(FT_ORDER_ENUM)
#undef FT_ORDER_ENUM
};

const char *ft_order_text(enum ft_order order);
bool ft_order_parse(const char *text, enum ft_order *order);

/* A problem with the benchmark that would be its next. */
struct ft_queued {
	bool may;        /* something is left to run, and its policies let it start (and it does not back off
			    after failures); the rest is passed over */
	double priority; /* higher ones go first; 0 where it is not given */
	double complete; /* share of its model that is built, 0 .. 1 */
	double queries;  /* how often it is queried, in any unit; 0: never yet */
	double gain; /* by how much the benchmark is expected to lower the error of its model; NaN: not known
		      */
	double seconds;  /* that the benchmark will take, less those of it that are done (frozen); NaN: not
			  * known
			  */
	double survives; /* the chance that nothing ends it before; 1 where it is frozen instead */
	int64_t waits_s; /* since this moment none of its benchmarks ran: the end of the last one, also of one
			    that was interrupted; or when it was configured */
	unsigned interrupted; /* how often it was ended without a completed benchmark between */
	int64_t rear_s;       /* when it was last interrupted; 0: its last benchmark was completed */
};

/* How the time was given out so far: the owner keeps it, and stores it. */
struct ft_turns {
	double spent_s;  /* of all benchmarks */
	double by_age_s; /* of these, by those that were chosen because they had waited longest */
};

struct ft_choice {
	size_t which;
	bool by_age;             /* its time counts in turns->by_age_s too */
	char why[FT_WHY_LENGTH]; /* "0.012 less error a second, queried most" */
};

/* ft_queue_choose - the problem whose benchmark is next.
 *
 * queue  [n]; without identity beyond its place
 *
 * Priorities go first in both orders; a problem that was interrupted three times in a row falls to the next
 * lower of the priorities that there are, and with each three more again. Among the equals at the top:
 *
 * GAIN  the largest queries x gain x survives / expected seconds. While those that were chosen by age
 *       had less than a tenth of all time, it is the one that waits longest: independent of the gain of
 *       the rest, each of n equals has a tenth of the time / n. An unknown gain or time is as large as
 *       the largest known one; a problem without queries counts as a tenth of the least queried one
 * PMM   those that were not interrupted before those that were (the latest last); a benchmark of more
 *       than ten minutes after shorter ones; the least complete; the shortest (001 II.B)
 *
 * Returns FT_OK; FT_EEND: none may start. Cost O(n^2). Source: 001 II.B; doc/manager.md.
 */
enum ft_status ft_queue_choose(const struct ft_queued *queue, size_t n, enum ft_order order,
			       const struct ft_turns *turns, int64_t at_s, struct ft_choice *choice);

/* ft_queue_survives - the chance that an idle stretch that has lasted age_s lasts this much longer, from the
 * lengths of such stretches before: survives of struct ft_queued.
 *
 * lengths_s  [n], in any order
 */
double ft_queue_survives(const double *lengths_s, size_t n, double age_s, double seconds);

/* ft_queue_hopeless - whether nothing here helps a problem: interrupted three times or more, and its next
 * benchmark takes longer than any stretch that its policies leave it.
 *
 * longest_s  of these stretches, seen or to come; NaN: not known
 * why        what the administrator may do
 */
bool ft_queue_hopeless(const struct ft_queued *problem, double longest_s, char why[FT_WHY_LENGTH]);

#endif
