/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote.h - tasks that are out, and the kinds of machines that run them; shared by the files of the room:
 * beginning and end (remote.c), the next runs (run.c), running tasks (task.c), kinds of machines (kind.c),
 * and results (take.c). */
#ifndef FT_REMOTE_REMOTE_H
#define FT_REMOTE_REMOTE_H

#include "base/text.h"
#include "foretime/base.h"
#include "remote/door.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * The folder shared by all machines, with the scripts of tasks and their results.
 *
 * Of a task ID: ID.sh, its script; ID.plan, for its launcher; ID.out, its output; ID.db, its run, a store of
 * its own, and then ID.end, its exit status. Of a kind of machine WORD: WORD.kind.db.
 */

enum { FT__ID = 64 };

struct ft__folder {
	char *path; /* short enough for names in PATH_MAX */
	int lock;   /* -1: it is not open */
	bool usual; /* made here, next to the store */
};

/* Ids of tasks. Zero-initialise; id ends with ft_free. */
struct ft__ids {
	char (*id)[FT__ID]; /* [n] */
	size_t n, capacity;
};

/* ft__folder_choose - choose its path: the requested one, or STORE.via/WORD, derived from the program's
 * name. Nothing is made. Ends with ft__folder_close, also on failure. FT_OK; FT_EINVAL: its path is too
 * long; as the store's path is not there; FT_ENOMEM. */
enum ft_status ft__folder_choose(struct ft__folder *folder, const char *wanted, const char *store,
				 const char *program, struct ft_err *err);

/* ft__folder_open - made where it is not there, and locked. FT_OK; FT_EBUSY: another one has it; as it cannot
 * be made; FT_ENOMEM. */
enum ft_status ft__folder_open(struct ft__folder *folder, const char *program, struct ft_err *err);

/* ft__folder_close - removes it if it is empty. */
void ft__folder_close(struct ft__folder *folder);

/* ft__folder_path - FOLDER/ID.ENDING; ending NULL: FOLDER/ID. Returns path. */
char *ft__folder_path(const struct ft__folder *folder, const char *id, const char *ending,
		      char path[PATH_MAX]);

/* ft__folder_write - a file of a text. FT_OK; why it cannot be written. */
enum ft_status ft__folder_write(const struct ft__folder *folder, const char *id, const char *ending,
				const char *text, struct ft_err *err);

/* ft__folder_list - the tasks that have a file with that ending, in no order. FT_OK; FT_ENOMEM. */
enum ft_status ft__folder_list(const struct ft__folder *folder, const char *ending, struct ft__ids *ids,
			       struct ft_err *err);

/* ft__folder_result - the exit status of a task's command (ID.end); -1: it has not ended. */
int ft__folder_result(const struct ft__folder *folder, const char *id);

/* ft__folder_last_words - the last line of ID.out that is no hint; "" where there is none. */
void ft__folder_last_words(const struct ft__folder *folder, const char *id, char *text, size_t size);

/* ft__folder_drop - remove all files of a task. ft__folder_clean - those of all tasks and kinds, also of
 * killed builds, after a complete build. */
void ft__folder_drop(const struct ft__folder *folder, const char *id);
void ft__folder_clean(const struct ft__folder *folder);

/* The state of a task by the executor. */
enum ft__task_fate {
	FT__TASK_OUT,       /* it waits, or runs */
	FT__TASK_GONE,      /* it has ended, or is not known any more */
	FT__TASK_NO_MEMORY, /* it was ended for its memory, */
	FT__TASK_TOO_LONG,  /* or for its time */
};

/* Its id: 32 hexadecimal digits, of which the first 16 are drawn from its kind of machine, and ".I". */
struct ft__remote_task {
	char id[FT__ID];
	size_t kind;
	uint64_t piece; /* of the kind's sweep; 0: it only identifies the machine */
	struct ft_size size;
	double limit_s; /* 0: none */
	size_t lost;    /* lost runs of this size */
	enum ft__task_fate fate;
	bool taken;    /* its files were taken in, and it has still to end */
	size_t missed; /* looks since it is gone without a result */
	/* Of executors that are started here */
	pid_t child; /* 0: none */
	size_t slot;
};

/* One kind of machine: its runs are one sweep. */
struct ft__machines {
	char *label;               /* features of Slurm's nodes, a host, "" where there is one kind */
	char word[FT_HASH_LENGTH]; /* drawn from it */
	char *nodes;               /* Slurm's list; NULL: all */
	size_t slots;              /* runs at once */
	size_t as;                 /* it turned out to be the same as that one; itself: it did not */
	char *fingerprint;         /* of its machines; NULL: not known yet */
	struct ft_machine machine; /* the machine of its models */
	struct ft_sweep *sweep;
	size_t lost, foreign; /* tasks lost since the last result; runs of other machines */
	bool proven;          /* something came back */
	bool ended;
};

/* A place on a host where one run at a time is made. */
struct ft__slot {
	char *host; /* NULL: this machine */
	size_t kind;
	bool busy;
};

struct ft_remote {
	struct ft_store *store;
	struct ft_program *program;
	struct ft_remote_options options;
	const struct ft__executor *executor;
	struct ft__folder folder;
	char here[PATH_MAX];       /* the folder where runs start */
	struct ft__machines *kind; /* [n_kinds] */
	size_t n_kinds, kinds_capacity;
	struct ft__remote_task *task; /* [n_tasks] that are out */
	size_t n_tasks, tasks_capacity;
	struct ft__slot *slot; /* [n_slots] of executors that are started here */
	size_t n_slots, slots_capacity;
	unsigned long long drawn; /* for the ids of the last tasks */
	size_t lost;              /* lost tasks, in all */
	double quiet_s;           /* since anything happened */
	double looked_s;          /* since the last query to the executor */
	bool failed;
	char why[512]; /* the executor's last error; "": none */
};

/* ft__remote_note - call options.note. */
void ft__remote_note(const struct ft_remote *remote, const char *format, ...) FT_PRINTF(2, 3);
bool ft__remote_is_interrupted(const struct ft_remote *remote);

/* ---- kinds of machines (task.c) ---- */

/* ft__kind_find - the index of the kind of a label, which is added where it is new. FT_OK; FT_ENOMEM. */
enum ft_status ft__kind_find(struct ft_remote *remote, const char *label, size_t *kind, struct ft_err *err);

/* ft__kind_of_task - the kind whose sweep a task belongs to, by its id; NULL: unknown. */
struct ft__machines *ft__kind_of_task(struct ft_remote *remote, const char *id);

/* ft__kinds_learn - run a task on each kind to identify its machine, before anything is requested; then
 * find which of them are the same. FT_OK, also when it was interrupted; FT_EINVAL: there are several, and
 * one was requested; as tasks are lost, and taken in. */
enum ft_status ft__kinds_learn(struct ft_remote *remote, struct ft_err *err);

/* ---- tasks (task.c) ---- */

/* ft__tasks_send - on their way: scripts first, then the executor. What is sent before a failure is out.
 * task: [n] of one kind, without ids */
enum ft_status ft__tasks_send(struct ft_remote *remote, struct ft__remote_task *task, size_t n,
			      struct ft_err *err);

/* ft__tasks_count - those that are out of a kind, and of those that are the same. */
size_t ft__tasks_count(const struct ft_remote *remote, size_t kind);
void ft__task_remove(struct ft_remote *remote, size_t i);

/* ft__task_adopt - a task that the executor has: where it is of a build before, it is out in this one, too,
 * if its sweep has begun. FT_OK; FT_ENOMEM. */
enum ft_status ft__task_adopt(struct ft_remote *remote, const char *id, struct ft_err *err);

/* ft__tasks_collect - take in tasks that have ended, by files ID.ENDING of the folder. What ft__task_take
 * returns. */
enum ft_status ft__tasks_collect(struct ft_remote *remote, const char *ending, struct ft_err *err);

/* ft__tasks_look - ask the executor, when it is time to or now; take what is there, and what is gone for
 * lost. What ft__task_take returns. */
enum ft_status ft__tasks_look(struct ft_remote *remote, bool now, struct ft_err *err);

/* ft__tasks_rest - wait until it is worth to look again, or it is interrupted. */
void ft__tasks_rest(struct ft_remote *remote);

/* ---- scripts (task.c) ---- */

/* ft__script_text - the script of a task: `foretime run` at its size, with its limit; without a size, of
 * no program: it identifies the machine. A comment behind it is for ft__script_recall. text: out, ends
 * with ft_free. FT_OK; FT_ENOMEM. */
enum ft_status ft__script_text(const struct ft_remote *remote, const struct ft__remote_task *task,
			       char **text, struct ft_err *err);

/* ft__script_recall - size and limit of a task of a build before, from its script; all else of it is zero.
 * false: there is none, or not one of this program. */
bool ft__script_recall(const struct ft_remote *remote, const char *id, struct ft__remote_task *task);

/* ---- results (remote.c) ---- */

/* ft__kind_know - the machine in ID.db, of a task that identified it, becomes that of its kind. FT_OK;
 * what the store returns; FT_EIO: there is no run in it; FT_ENOMEM. */
enum ft_status ft__kind_know(struct ft_remote *remote, size_t kind, const char *id, struct ft_err *err);

/* ft__task_take - ID.db: into the sweep of its kind, once, and the task's files go. task: NULL: of a build
 * before. FT_OK; FT_EINVAL: of another program, or of machines of several kinds; what ft_sweep_report
 * returns; as ft__task_miss. */
enum ft_status ft__task_take(struct ft_remote *remote, const char *id, struct ft__remote_task *task,
			     struct ft_err *err);

/* ft__task_miss - a task is lost: its run is requested again. FT_OK; FT_EIO: too many are lost in a row,
 * with the files of the last one; what ft_sweep_report returns. */
enum ft_status ft__task_miss(struct ft_remote *remote, struct ft__remote_task *task, struct ft_err *err);

/*
 * The table of executors. An executor only starts scripts: which runs, and their results, are the affair of
 * other files.
 */

/* A row. */
struct ft__executor {
	const char *name;
	/* Of those that are started here, one for each run: their words before the path of a plan, ends
	 * with NULL, and the package of Debian. NULL: it has a queue of its own */
	const char *const *launcher;
	const char *package;
	/* Find the kinds of machines, by ft__kind_find, and how many runs each takes at once. */
	enum ft_status (*open)(struct ft_remote *remote, struct ft_err *err);
	/* Scripts ID.sh are there: bring tasks on their way, all of one kind. serial: their ids without ".I"
	 */
	enum ft_status (*submit)(struct ft_remote *remote, const char *serial,
				 struct ft__remote_task *const *task, size_t n, struct ft_err *err);
	/* Update the state of each task; all known ones are passed to ft__task_adopt. */
	enum ft_status (*look)(struct ft_remote *remote, struct ft_err *err);
	void (*cancel)(struct ft_remote *remote); /* all that is out */
	/* The submission of n tasks, of any kind; text ends with ft_free. */
	enum ft_status (*show)(const struct ft_remote *remote, const char *serial, size_t n, char **text,
			       struct ft_err *err);
};

extern const struct ft__executor ft__executor_slurm, ft__executor_parallel, ft__executor_mpiexec;

#endif
