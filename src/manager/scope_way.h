/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope_way.h - what the ways of a scope share: a row each. */
#ifndef FT_MANAGER_SCOPE_WAY_H
#define FT_MANAGER_SCOPE_WAY_H

#include "base/text.h"
#include "manager/keeper.h"
#include "manager/left.h"
#include "manager/scope.h"

#include <jansson.h>
#include <stdint.h>
#include <sys/types.h>

struct ft__words;

/* What each child puts into its scope's list. */
struct ft__scoped {
	pid_t keeper;
	int control;      /* the socket to it */
	int64_t still_ns; /* since when it stands, as it told; 0: it did not, since it was last frozen */
	struct ft__scoped *next;
};

struct ft__scope {
	const struct ft__scope_way *row;
	void *state; /* of the way */
	struct ft_text way;
	struct ft__scoped *first;
	struct ft__left left; /* of children whose keepers are gone */
	bool freezing, dedicated, limited;
	bool weighs;                 /* the way does; else the keepers */
	int64_t still_ns, thawed_ns; /* 0: it does not stand; it was not thawed since */
	double ended_cpu_s;          /* of children that are gone */
};

struct ft__scope_way {
	const char *name;
	/* Make it; the way's own sentence into `way`. Else why not. */
	enum ft_status (*open)(struct ft__scope *scope, const char *name, struct ft_err *why);
	void (*close)(struct ft__scope *scope);
	/* What the keeper of a new child is told: options of keeper.h. */
	void (*add_options)(const struct ft__scope *scope, struct ft__words *words);
	enum ft_status (*freeze)(struct ft__scope *scope, struct ft_err *err);
	enum ft_status (*thaw)(struct ft__scope *scope, struct ft_err *err);
	/* Whether all in it stand; since when, or 0: since now. */
	bool (*stands)(struct ft__scope *scope, int64_t *since_ns);
	int (*fd)(const struct ft__scope *scope);
	/* Of what runs and, where the way counts these, of what has ended; NaN. */
	double (*cpu_s)(const struct ft__scope *scope);
	/* false: it cannot, and its children's keepers do what they can. */
	bool (*weigh)(struct ft__scope *scope, bool dedicated);
	bool (*limit)(struct ft__scope *scope, double bytes); /* scope.h */
	/* What finds all that is in it, should we be killed (former.h): into "groups", or "processes". */
	void (*keep)(struct ft__scope *scope, json_t *into);
};

extern const struct ft__scope_way ft__scope_systemd, ft__scope_group, ft__scope_freezer, ft__scope_signals;

extern const struct ft__scope_way *const ft__scope_ways[]; /* the best first; then NULL */

/* ft__scope_open - a scope of this way. What ft__scope_new returns; why: in the text. */
enum ft_status ft__scope_open(struct ft__scope **out, const struct ft__scope_way *row, const char *name,
			      struct ft_err *why);

/* A command line that is being made. */
struct ft__words {
	char **word; /* [n], and NULL; heap, as are they */
	size_t n, capacity;
	bool failed;
};

void ft__words_add(struct ft__words *words, const char *word);
void ft__words_clear(struct ft__words *words);

/* ft__keeper_tell - false: it is gone. */
bool ft__keeper_tell(const struct ft__scoped *child, enum ft__keeper_what what, double seconds);

/* ft__scope_enter, ft__scope_leave - of a child; cpu_s: what all of it used. */
void ft__scope_enter(struct ft__scope *scope, struct ft__scoped *child);
void ft__scope_leave(struct ft__scope *scope, struct ft__scoped *child, double cpu_s);

/* ft__scope_lost - something may be left of a child: its keeper did not say that nothing is. */
void ft__scope_lost(struct ft__scope *scope);

/* ft__scope_heard - a child told that it stands. */
void ft__scope_heard(struct ft__scope *scope, struct ft__scoped *child, int64_t since_ns);

#endif
