/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.h - a program that the manager talks to, a line at a time, and that ends with it.
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
#include "foretime/status.h"
#include "manager/keeper.h"
#include "measure/tree.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Where children of the manager live, with all that they start: held still, gone on with, ended,
 * weighed as one. Which way there is depends on the machine; ft__scope_way tells.
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

/* ft__scope_weigh - dedicated: its share of the processor, as any other program. Else, and from the
 * beginning, only what nobody else wants, as far as the way can. */
void ft__scope_weigh(struct ft__scope *scope, bool dedicated);

/* ft__scope_limit - memory that what is in it may have beside what it has now; 0: any. Who wants more is
 * ended by the kernel, the largest first. false: the way cannot, and its sentence says so. */
bool ft__scope_limit(struct ft__scope *scope, double bytes);

/* ft__scope_clean - what keepers that were killed left is ended, as far as that is due. due_ns: when to call
 * it again, INT64_MAX: never. Returns whether nothing of it runs. Never waits.
 *
 * Whatever descends from this process is taken for left that does not descend from a child of this scope, or
 * from one that it had when the scope was made. */
bool ft__scope_clean(struct ft__scope *scope, int64_t *due_ns);

/* ft__scope_fd - readable when ft__scope_frozen may tell something new, until it is asked; -1: the children's
 * own descriptors are. */
int ft__scope_fd(const struct ft__scope *scope);

/* ft__scope_frozen - whether nothing in it runs, as far as was heard. */
bool ft__scope_frozen(struct ft__scope *scope);

/* ft__scope_frozen_s - for how long it has stood still since it was last frozen: until now, or until it was
 * thawed. */
double ft__scope_frozen_s(struct ft__scope *scope);

/* ft__scope_cpu_s - processor seconds that its children used since it was made, those that ended among
 * them. NaN: nobody can tell. */
double ft__scope_cpu_s(const struct ft__scope *scope);

enum { FT__CHILD_LINE = 65536, FT__CHILD_TAIL = 1024, FT__CHILD_UNTOLD = 65536 };

struct ft__child;

struct ft__child_options {
	const char *const *argv; /* [0] a path, or looked for in PATH; the last NULL */
	const char *directory;   /* NULL: ours */
	/* As root: whom it runs as, with his groups, HOME, USER and LOGNAME, and never more rights than his.
	 * NULL: ourselves; root is refused then, but where as_root says that it is meant. */
	const char *user;
	bool as_root;
	struct ft__scope *scope;
};

struct ft__child_end {
	int status;   /* as wait gives it */
	pid_t left;   /* of one that even SIGKILL did not end; 0: nothing is left of it */
	double cpu_s; /* of all that it started */
};

/* ft__child_start - all descriptors are ours alone: it has its standard three, no blocked and no ignored
 * signals. A program that cannot be executed is one that ended, with status 127 and the reason in its tail.
 *
 * Returns FT_OK; FT_EINVAL: no such user; FT_EACCESS: it would run as root, or we may not run it as another
 * user; FT_EUNAVAIL: no keeper, no process; FT_ENOMEM. */
enum ft_status ft__child_start(struct ft__child **out, const struct ft__child_options *options,
			       struct ft_err *err);

/* ft__child_free - what is left of it is killed, frozen or not, and waited for: some milliseconds, twenty
 * seconds where one of them is stuck in the kernel. Accepts NULL. */
void ft__child_free(struct ft__child *child);

/* ft__child_leave - the same without waiting: nothing more is heard of it, and it stands in the list of those
 * that leave (NULL at first) until it is gone. child: taken; accepts NULL. */
void ft__child_leave(struct ft__child *child, struct ft__child **leaving);

/* ft__children_gone - those that are gone are freed; where a keeper did not do in half a minute what it was
 * told it is killed itself, and what it left is its scope's to end. due_ns: when to look again though nothing
 * is heard of them, INT64_MAX: never. Returns whether nobody leaves any more. */
bool ft__children_gone(struct ft__child **leaving, int64_t *due_ns);

/* ft__children_wait - for all of them together, so many seconds at most: who is not gone by then is left to
 * his keeper, which ends him without us. */
void ft__children_wait(struct ft__child **leaving, double seconds);

/* ft__child_fd - readable: there is something to be read, told or known: lines until there is none, then
 * ft__child_ended. */
int ft__child_fd(const struct ft__child *child);

/* ft__child_line - the next whole line without its end; of a longer one than FT__CHILD_LINE the beginning.
 * Borrowed until the next call. false: there is none now. */
bool ft__child_line(struct ft__child *child, const char **line);

/* ft__child_tell - text: whole lines. What it does not take now it is told later; NULL: nothing more comes.
 *
 * Returns FT_OK; FT_EEND: it hears nothing any more; FT_ENOSPC: FT__CHILD_UNTOLD bytes wait already (nothing
 * of the text is told); FT_ENOMEM. */
enum ft_status ft__child_tell(struct ft__child *child, const char *text, struct ft_err *err);

/* ft__child_ended - whether it has, and nothing runs of what it started; its lines are read before. */
bool ft__child_ended(struct ft__child *child, struct ft__child_end *end);

/* ft__child_finish - thaw its scope, SIGTERM; after so many seconds SIGKILL to all that it started. */
void ft__child_finish(struct ft__child *child, double seconds);

/* ft__child_pid - the root of all its processes: its keeper. */
pid_t ft__child_pid(const struct ft__child *child);

/* ft__child_tail - the last of what it said on standard error, at most FT__CHILD_TAIL bytes, as it came but
 * zero bytes. Borrowed. */
const char *ft__child_tail(struct ft__child *child);

/*
 * What descends from us, and from no keeper any more: a keeper that was killed left it.
 */

struct ft__scoped;

struct ft__left {
	struct ft__tree tree;
	pid_t *before; /* [n] children that we had before, and that are not ours to end */
	size_t n, capacity;
	int64_t look_ns, rest_ns; /* when it is looked for again (0: nothing is left); how long after that */
	bool moves;               /* some of it may still run */
};

/* ft__left_open - from now on what a child of ours leaves becomes our child (prctl(2),
 * PR_SET_CHILD_SUBREAPER). FT_OK; FT_ENOMEM. */
enum ft_status ft__left_open(struct ft__left *left, struct ft_err *err);
void ft__left_close(struct ft__left *left);

/* ft__left_expect - something may be left. */
void ft__left_expect(struct ft__left *left);

/* ft__left_end - SIGKILL to all that is left, whatever now is; what has ended is waited for. It does not wait
 * itself. keepers: those whose descendants stay. Returns whether nothing is left. Cost: a look at all
 * processes of the machine. */
bool ft__left_end(struct ft__left *left, const struct ft__scoped *keepers);

/*
 * What the ways of a scope share: a row each.
 */

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
	bool (*limit)(struct ft__scope *scope, double bytes); /* child.h */
	/* What finds all that is in it, should we be killed (child.h): into "groups", or "processes". */
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

/*
 * A keeper, and pipes to its child.
 */

struct ft__started {
	pid_t keeper;
	int input, output, errors, control; /* ours to close; input: a socket */
};

/*
 * What a manager left that was killed together with its keepers: frozen, it would stand for ever.
 * It is found by what that manager wrote down, and ended.
 */

/* ft__former_keep - what the next manager has to know of a scope to end what is in it. NULL: no memory. Cost:
 * where signals hold it, a look at all processes of the machine for each child. */
json_t *ft__former_keep(struct ft__scope *scope);

/* ft__former_process - a process, with its start, by which it is told from another one of that number. */
json_t *ft__former_process(pid_t pid);

/* ft__former_end - end it, and wait for that: some milliseconds, three seconds where one is stuck in the
 * kernel.
 *
 * kept  what ft__former_keep told, or anything; NULL: nothing was
 * user  whom benchmarks run as; as root only his processes are ended one by one, for the file is in his
 * folder left  out: how much could not be ended
 *
 * Returns how much there was: processes, and groups in which some were. A manager that still runs loses
 * nothing. */
size_t ft__former_end(const json_t *kept, uid_t user, size_t *left);

/*
 * A scope of systemd's around this process, in which control groups are ours to make: a user's
 * session has none that he may divide. Over sd-bus(3), whose library is loaded when it is asked for.
 */

/* ft__systemd_wanted - whether systemd has the groups of this machine, and the one that we are in is not
 * ours; why: why not. */
bool ft__systemd_wanted(struct ft_err *why);

/* ft__systemd_move - into a transient scope, of the user's manager, as root of the system's. It waits for
 * three seconds at most, whatever the bus does.
 *
 * unit  "NAME.scope"
 *
 * FT_OK; FT_EUNAVAIL: we are where we were. */
enum ft_status ft__systemd_move(const char *unit, struct ft_err *why);

#endif
