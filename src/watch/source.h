/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - where it is seen what others do: a row for each kind of sight. */
#ifndef FT_WATCH_SOURCE_H
#define FT_WATCH_SOURCE_H

#include "watch/watch.h"

#include <stdint.h>

enum {
	FT__PATIENT_MS = 1000, /* how often that is looked at which tells nothing by itself */
	FT__SHOWN_LENGTH = 96, /* a process's name, each of its 15 bytes escaped */
};

struct ft__source;

/* What a source does. */
struct ft__source_ops {
	const char *name;
	unsigned kinds; /* of conditions that it tells of: 1 << FT_CONDITION_... */
	/* A state of its own, and descriptors that tell of changes (ft__source_listen). FT_ENOMEM; what else
	 * is not to be had is replaced by a timer, or told by look. */
	enum ft_status (*open)(struct ft__source *source, struct ft_err *err);
	/* What is seen: all of it where `fresh`, else what may have changed. It empties its descriptors, and
	 * says when it is due again. Why it cannot be seen is ft__source_cannot. */
	void (*look)(struct ft__source *source, struct ft_seen *seen, bool fresh);
	void (*close)(struct ft__source *source);
};

/* What is ours. */
struct ft__ours {
	pid_t self;
	double (*count)(void *ctx); /* processor time of benchmarks, in seconds; NULL: there are none */
	void *ctx;
};

/* A source at work. */
struct ft__source {
	const struct ft__source_ops *ops; /* NULL: nobody needs it */
	const char *root;
	bool events;                                 /* the kernel may be asked to tell of this machine */
	const struct ft_condition *const *condition; /* [n_conditions] of its kinds */
	size_t n_conditions;
	const struct ft__ours *ours;
	void *state;             /* its own */
	int64_t now_ns;          /* of the look that goes on */
	int64_t due_ns;          /* when to look again, though nothing is heard; FT_NEVER */
	int64_t early_ns;        /* from when on a look costs little; FT_NEVER */
	int epoll;               /* its descriptors; -1: it has none */
	char why[FT_WHY_LENGTH]; /* why it cannot be seen; "": it can */
	/* watch.c's */
	int64_t rested_ns; /* it is left alone until then; 0: it is not */
	int64_t debt_ns;   /* processor time that it took of late beyond its share */
	int64_t looked_ns;
	bool fresh; /* all is to be looked at */
};

extern const struct ft__source_ops ft__source_battery, ft__source_files, ft__source_load, ft__source_logins,
	ft__source_processes;

/* ft__source_listen - be woken by a descriptor. events: as of epoll. False: it cannot. */
bool ft__source_listen(struct ft__source *source, int fd, uint32_t events);

/* ft__source_due - look again in so many milliseconds at the latest. */
void ft__source_due(struct ft__source *source, int64_t ms);

/* ft__source_early - from then on it is looked at whenever somebody looks at all, who is not woken for it. */
void ft__source_early(struct ft__source *source, int64_t ms);

/* ft__source_cannot - why nothing can be seen at this look. */
void ft__source_cannot(struct ft__source *source, const char *format, ...) FT_PRINTF(2, 3);

#endif
