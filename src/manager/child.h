/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - a program that exchanges lines with the manager, and ends with it.
 *
 *	ft__child_start(&child, &(struct ft__child_options){.argv = argv, .scope = scope}, err);
 *	ft__child_tell(child, "run\n");
 *	... when ft__child_fd(child) is readable:
 *	while (ft__child_line(child, &line))
 *		...
 *	if (ft__child_ended(child, &end))
 *		ft__child_free(child);
 *
 * Nothing here waits, but ft__child_free and ft__children_wait. Each child has a keeper (keeper.h), which is
 * installed beside foretime-helper. */
#ifndef FT_MANAGER_CHILD_H
#define FT_MANAGER_CHILD_H

#include "base/text.h"
#include "foretime/base.h"
#include "manager/keeper.h"
#include "measure/tree.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Where the manager's children live with all their descendants: freeze, thaw, end, and weigh them as one.
 * The mechanism depends on the machine; ft__scope_way names it.
 */

struct ft__scope;

/* ft__scope_new - name: of it, among those of this process: letters, digits, '-'. Several may be there at
 * once, but one only with children.
 *
 * Returns FT_OK; FT_ENOMEM; FT_EUNAVAIL: there is no way at all (each one's reason in the text). */
enum ft_status ft__scope_new(struct ft__scope **out, const char *name, struct ft_err *err);

/* ft__scope_free - its children were freed before; what a keeper that was killed left is ended, and waited
 * for, some seconds at most. Accepts NULL. */
void ft__scope_free(struct ft__scope *scope);

/* ft__scope_way - how it holds what is in it, and why no better: one line. Borrowed. */
const char *ft__scope_way(const struct ft__scope *scope);

/* ft__scope_freeze, ft__scope_thaw - stop all that is in it, and let it go on: children of it that start
 * meanwhile, too. Neither waits. What stood before it was frozen stands when it is thawed. Twice is once. */
enum ft_status ft__scope_freeze(struct ft__scope *scope, struct ft_err *err);
enum ft_status ft__scope_thaw(struct ft__scope *scope, struct ft_err *err);

/* ft__scope_weigh - dedicated: a normal share of the processor. Else, and by default, only otherwise idle
 * processor time, as far as the mechanism can. */
void ft__scope_weigh(struct ft__scope *scope, bool dedicated);

/* ft__scope_limit - memory that the scope may use in addition to what it has now; 0: no limit. Above it
 * the kernel kills the largest process first. false: the mechanism has no limit, as its sentence states. */
bool ft__scope_limit(struct ft__scope *scope, double bytes);

/* ft__scope_clean - end what killed keepers left, when that is due. due_ns: when to call it again,
 * INT64_MAX: never. Returns whether nothing of it runs. Never waits. A descendant of this process counts
 * as left if it does not descend from a child of this scope, or from one that existed when the scope was
 * made. */
bool ft__scope_clean(struct ft__scope *scope, int64_t *due_ns);

/* ft__scope_fd - readable when ft__scope_frozen may have changed, until it is called; -1: use the
 * children's own descriptors. */
int ft__scope_fd(const struct ft__scope *scope);

/* ft__scope_frozen - whether nothing in it runs, by the reports so far. */
bool ft__scope_frozen(struct ft__scope *scope);

/* ft__scope_frozen_s - how long it was paused after the last freeze: until now, or until it was thawed. */
double ft__scope_frozen_s(struct ft__scope *scope);

/* ft__scope_cpu_s - processor seconds of its children since it was made, including ended ones. NaN: not
 * known. */
double ft__scope_cpu_s(const struct ft__scope *scope);

enum { FT__CHILD_LINE = 65536, FT__CHILD_TAIL = 1024, FT__CHILD_UNTOLD = 65536 };

struct ft__child;

struct ft__child_options {
	const char *const *argv; /* [0] a path, or looked for in PATH; the last NULL */
	const char *directory;   /* NULL: ours */
	/* As root: the user it runs as, with the groups, HOME, USER and LOGNAME of that user, and no more
	 * rights. NULL: ourselves; as root this is refused unless as_root is set. */
	const char *user;
	bool as_root;
	struct ft__scope *scope;
};

struct ft__child_end {
	int status;   /* as wait returns it */
	pid_t left;   /* a process that survived even SIGKILL; 0: nothing is left */
	double cpu_s; /* of all that it started */
};

/* ft__child_start - start a program with its standard three descriptors only, and no blocked or ignored
 * signals. A program that cannot be executed ends with status 127 and the reason in its tail.
 *
 * Returns FT_OK; FT_EINVAL: no such user; FT_EACCESS: it would run as root, or we may not run it as
 * another user; FT_EUNAVAIL: no keeper, no process; FT_ENOMEM. */
enum ft_status ft__child_start(struct ft__child **out, const struct ft__child_options *options,
			       struct ft_err *err);

/* ft__child_free - kill what is left of it, frozen or not, and wait: some milliseconds, twenty seconds if
 * a process is stuck in the kernel. Accepts NULL. */
void ft__child_free(struct ft__child *child);

/* ft__child_leave - the same without waiting: it is not read any more, and stays in the list of those that
 * leave (NULL at first) until it is gone. child: taken; accepts NULL. */
void ft__child_leave(struct ft__child *child, struct ft__child **leaving);

/* ft__children_gone - free those that are gone; a keeper that did not obey within half a minute is killed,
 * and its scope ends what it left. due_ns: when to look again without an event, INT64_MAX: never. Returns
 * whether the list is empty. */
bool ft__children_gone(struct ft__child **leaving, int64_t *due_ns);

/* ft__children_wait - wait for all of them together, at most some seconds: the rest is left to their
 * keepers, which end them without us. */
void ft__children_wait(struct ft__child **leaving, double seconds);

/* ft__child_fd - readable: there may be lines to read, queued input to write, or an end: read lines until
 * there is none, then call ft__child_ended. */
int ft__child_fd(const struct ft__child *child);

/* ft__child_line - the next whole line without its end; of a longer one than FT__CHILD_LINE the beginning.
 * Borrowed until the next call. false: there is none now. */
bool ft__child_line(struct ft__child *child, const char **line);

/* ft__child_tell - write to its standard input. text: whole lines; what it does not read now is queued;
 * NULL: end of input.
 *
 * Returns FT_OK; FT_EEND: it reads no more; FT_ENOSPC: FT__CHILD_UNTOLD bytes are queued already (nothing
 * of the text is taken); FT_ENOMEM. */
enum ft_status ft__child_tell(struct ft__child *child, const char *text, struct ft_err *err);

/* ft__child_ended - whether it and all that it started have ended; read its lines first. */
bool ft__child_ended(struct ft__child *child, struct ft__child_end *end);

/* ft__child_finish - thaw its scope and send SIGTERM; after some seconds SIGKILL to all that it started. */
void ft__child_finish(struct ft__child *child, double seconds);

/* ft__child_pid - the root of all its processes: its keeper. */
pid_t ft__child_pid(const struct ft__child *child);

/* ft__child_tail - the end of its standard error, at most FT__CHILD_TAIL bytes, unchanged except for zero
 * bytes. Borrowed. */
const char *ft__child_tail(struct ft__child *child);

/*
 * Descendants of ours without a keeper: left by one that was killed.
 */

struct ft__scoped;

struct ft__left {
	struct ft__tree tree;
	pid_t *before; /* [n] children that we had before, and that are not ours to end */
	size_t n, capacity;
	int64_t look_ns, rest_ns; /* when to look again (0: nothing is left); the interval after that */
	bool moves;               /* some of it may still run */
};

/* ft__left_open - from now on what a child of ours leaves becomes our child (prctl(2),
 * PR_SET_CHILD_SUBREAPER). FT_OK; FT_ENOMEM. */
enum ft_status ft__left_open(struct ft__left *left, struct ft_err *err);
void ft__left_close(struct ft__left *left);

/* ft__left_expect - something may be left. */
void ft__left_expect(struct ft__left *left);

/* ft__left_end - send SIGKILL to all that is left, and reap what has ended. Does not wait. keepers: those
 * whose descendants stay. Returns whether nothing is left. Cost: a scan of all processes of the machine. */
bool ft__left_end(struct ft__left *left, const struct ft__scoped *keepers);

/*
 * What the mechanisms of a scope share: a row each.
 */

struct ft__words;

/* An entry of the scope's list for each child. */
struct ft__scoped {
	pid_t keeper;
	int control;      /* the socket to it */
	int64_t still_ns; /* since when it is paused, as it reported; 0: not since the last freeze */
	struct ft__scoped *next;
};

struct ft__scope {
	const struct ft__scope_way *row;
	void *state; /* of the mechanism */
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
	/* Options of keeper.h for the keeper of a new child. */
	void (*add_options)(const struct ft__scope *scope, struct ft__words *words);
	enum ft_status (*freeze)(struct ft__scope *scope, struct ft_err *err);
	enum ft_status (*thaw)(struct ft__scope *scope, struct ft_err *err);
	/* Whether all in it are paused; since when, or 0: since now. */
	bool (*stands)(struct ft__scope *scope, int64_t *since_ns);
	int (*fd)(const struct ft__scope *scope);
	/* Of running processes and, if the mechanism counts them, of ended ones; NaN. */
	double (*cpu_s)(const struct ft__scope *scope);
	/* false: it cannot, and its children's keepers do what they can. */
	bool (*weigh)(struct ft__scope *scope, bool dedicated);
	bool (*limit)(struct ft__scope *scope, double bytes); /* child.h */
	/* What the next manager needs to find all that is in it, should we be killed (child.h): into
	   "groups", or "processes". */
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

/* ft__scope_lost - something may be left of a child: its keeper did not report that nothing is. */
void ft__scope_lost(struct ft__scope *scope);

/* ft__scope_heard - a child reported that it is paused. */
void ft__scope_heard(struct ft__scope *scope, struct ft__scoped *child, int64_t since_ns);

/*
 * A keeper, and pipes to its child.
 */

struct ft__started {
	pid_t keeper;
	int input, output, errors, control; /* ours to close; input: a socket */
};

/*
 * Find and end what a manager left that was killed together with its keepers, by the file that it wrote:
 * frozen processes would stay for ever.
 */

/* ft__former_keep - what the next manager needs to end what is in a scope. NULL: no memory. Cost: if
 * signals hold it, a scan of all processes of the machine for each child. */
json_t *ft__former_keep(struct ft__scope *scope);

/* ft__former_process - a process, with its start time, which distinguishes it from a later one of the same
   number. */
json_t *ft__former_process(pid_t pid);

/* ft__former_end - end it, and wait for that: some milliseconds, three seconds if a process is stuck in
 * the kernel.
 *
 * kept  the value of ft__former_keep, unchecked; NULL: none
 * user  the user of benchmarks; as root only processes of that user are ended one by one, since the file
 * is in that user's folder
 * left  out: how much could not be ended
 *
 * Returns how much there was: processes, and groups with processes. A manager that still runs loses
 * nothing. */
size_t ft__former_end(const json_t *kept, uid_t user, size_t *left);

/*
 * Move this process to a scope of systemd, in which we may make control groups; the groups of a user's
 * session cannot be divided. Uses sd-bus(3), loaded when it is needed.
 */

/* ft__systemd_wanted - whether systemd has the groups of this machine, and the one that we are in is not
 * ours; why: why not. */
bool ft__systemd_wanted(struct ft_err *why);

/* ft__systemd_move - into a transient scope of the user's manager, as root of the system's. Waits for
 * three seconds at most.
 *
 * unit  "NAME.scope"
 *
 * FT_OK; FT_EUNAVAIL: we are where we were. */
enum ft_status ft__systemd_move(const char *unit, struct ft_err *why);

/* cgroup_number - behind a key ("usage_usec"), or of the whole file where key is NULL; -1: not there. */
double ft__cgroup_number(const char *folder, const char *file, const char *key);

#endif
