/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - what a manager tells besides what the commands do: how it is, and the score of its server. */
#ifndef FT_TELL_MANAGER_H
#define FT_TELL_MANAGER_H

#include "tell/model.h"

struct ft_told_server {
	const char *name;
	const struct ft_machine *machine;
	double confidence;
	enum ft_load_view load;
	struct ft_size size;
	struct ft_prediction time; /* wall_s */
	double memory_bytes,
		most_bytes; /* upper end of what it needs; what the machine has. NaN: not known */
	bool fits;
};
extern const struct ft_tell_record ft_tell_server;

struct ft_told_health {
	const char *status, *fault, *version, *store;
	double up_s;
	/* of benchmarks; NULL: no problem is configured */
	const char *state, *why, *running;
	size_t problems, waiting, failed;
};
extern const struct ft_tell_record ft_tell_health;

/* What became of a model that was put. */
struct ft_told_put {
	const char *name;
	size_t runs, known;
};
extern const struct ft_tell_record ft_tell_put;

/* What became of a problem that somebody stopped, or let go on. */
struct ft_told_stopped {
	const char *name;
	bool stopped;
};
extern const struct ft_tell_record ft_tell_stopped;

/* What `foretime serve explain` tells. */
struct ft_told_window {
	int64_t from_ns, to_ns;
	char *rule; /* the policy, in words */
};

struct ft_told_problem {
	const char *name, *builder;
	double priority;
	bool own; /* policies of its own count */
	struct ft_told_window *window;
	size_t n_windows;
	bool more;            /* windows than are told */
	char *fault, *remedy; /* why it cannot run; NULL: it can */
};

struct ft_told_condition {
	const char *condition; /* its kind */
	bool holds;
	char *why; /* NULL: it does not hold */
};

struct ft_told_day {
	const char *order;
	struct ft_told_condition *now; /* each that is named, as it is at this moment */
	size_t n_now;
	struct ft_told_problem *problem;
	size_t n;
};
extern const struct ft_tell_record ft_tell_day;

/* What happens to benchmarks. Of texts NULL, of numbers NaN: it is not so of this event. */
struct ft_told_event {
	const char *event; /* a word of FT_TELL_EVENTS */
	const char *name;
	const char *size, *outcome; /* "n=512" */
	const char *why, *remedy;
	double seconds, frozen_s; /* of the run */
	double complete;          /* 0 .. 1 */
	double again_s;           /* it is tried again after so long */
};
#define FT_TELL_EVENTS "started|ran|frozen|thawed|ended|failed|model|hopeless|kept|broken|stopped|continued"
extern const struct ft_tell_record ft_tell_event;

/* What the manager did so far. */
struct ft_told_construction {
	size_t runs, frozen, ended, failures; /* failures: of sweeps */
	size_t broken;                        /* contracts */
	double spent_s, frozen_s;
	double overhead_s; /* from one run to the next, within a sweep */
};

/* How a problem stands in the queue. */
struct ft_told_queued {
	const char *name, *state, *why; /* why it does not run */
	const char *next;               /* size, "n=512" */
	double priority, complete, gain, seconds, asked, again_s;
	size_t runs, interrupted;
	int64_t waits_ns;
};

struct ft_told_benchmarks {
	const char *order, *state, *why, *running; /* running: its name; NULL: none */
	const char *way;                           /* how it is held */
	struct ft_told_construction done;
	struct ft_told_queued *problem;
	size_t n;
};
extern const struct ft_tell_record ft_tell_benchmarks;

#endif
