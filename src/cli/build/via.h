/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via.h - `foretime build --via`: runs are carried to other machines, and come back as files.
 *
 * All that a build has out stands in a folder that every machine sees. A task is a script there, ID.sh; ID is
 * 32 hexadecimal digits, of which the first 16 are drawn from its kind of machine, and ".I". It leaves its
 * run as ID.db, a store of its own, and then how it ended as ID.end; ID.out is what it said. A build that was
 * killed finds these files again, and what an engine still has. */
#ifndef FT_CLI_BUILD_VIA_H
#define FT_CLI_BUILD_VIA_H

#include "cli/build/build.h"

#include <sys/types.h>

enum { CLI_ID = 64 };

/* What the engine tells of a task. */
enum cli_fate {
	CLI_OUT,       /* it waits, or runs */
	CLI_GONE,      /* it has ended, or is not known any more */
	CLI_NO_MEMORY, /* it was ended for its memory, */
	CLI_TOO_LONG,  /* or for its time */
};

struct cli_task {
	char id[CLI_ID];
	size_t kind;
	uint64_t piece; /* of the kind's sweep; 0: it only tells which machine that is */
	struct ft_size size;
	double limit_s; /* 0: none */
	size_t lost;    /* runs of this size of which nothing came back */
	enum cli_fate fate;
	bool taken;    /* what it left is taken in, and it has still to end */
	size_t missed; /* looks since it is gone and nothing came back */
	/* Of engines that are started here */
	pid_t child; /* 0: none */
	size_t slot;
};

/* One kind of machine: its runs are one sweep. */
struct cli_machines {
	char *label;               /* features of Slurm's nodes, a host, "" where there is one kind */
	char word[17];             /* drawn from it */
	char *nodes;               /* Slurm's list; NULL: all */
	size_t slots;              /* runs at once */
	size_t as;                 /* it turned out to be the same as that one; itself: it did not */
	char *fingerprint;         /* of its machines; NULL: not known yet */
	struct ft_machine machine; /* that its models are of */
	struct ft_sweep *sweep;
	struct ft_sweep_report report;
	size_t lost, foreign; /* tasks of which nothing came back since one did; runs of other machines */
	bool proven;          /* something came back */
	bool ended;
};

/* A place on a host where one run at a time is made. */
struct cli_slot {
	char *host; /* NULL: this machine */
	size_t kind;
	bool busy;
};

struct cli_engine;

struct cli_via {
	struct cli_build *build;
	const struct cli_engine *engine;
	char *folder; /* whole path */
	char *here;   /* where the command is run */
	char *self;   /* foretime */
	int lock;
	struct cli_machines *kind; /* [n_kinds] */
	size_t n_kinds;
	struct cli_task *task; /* [n] that are out */
	size_t n;
	struct cli_slot *slot; /* [n_slots] of engines that are started here */
	size_t n_slots;
	size_t lost, runs; /* in all: tasks of which nothing came back; runs that did */
	double quiet_s;    /* since anything happened */
	double looked_s;   /* since the engine was asked */
	char why[512];     /* what the engine said last of what went wrong; "": nothing */
};

/* A row of the table of engines. Functions return CLI_DONE, or the exit status after a complaint. */
struct cli_engine {
	const char *name;
	const char *launcher; /* of engines that are started here: reads a plan; NULL: it has a queue of its
				 own */
	/* Which kinds of machines there are. */
	int (*open)(struct cli_via *via);
	/* Scripts ID.sh are there: bring tasks on their way, all of one kind. serial: their ids without ".I"
	 */
	int (*submit)(struct cli_via *via, const char *serial, struct cli_task *const *task, size_t n);
	/* What became of each task; those of a build before that are still out are added by `adopt`. */
	int (*look)(struct cli_via *via, void (*adopt)(struct cli_via *via, const char *id));
	void (*cancel)(struct cli_via *via); /* all that is out */
	/* The same as text, as submit would have it; ends with free. NULL after a complaint. */
	char *(*show)(const struct cli_via *via, const char *serial, size_t kind, size_t n);
};

extern const struct cli_engine cli_engine_slurm, cli_engine_parallel, cli_engine_mpiexec;

/* cli_build_via - until its end. Returns the exit status. */
int cli_build_via(struct cli_build *build);

/* cli_via_check - what was typed fits together; before anything is opened. */
int cli_via_check(const struct cli_build *build);

/* ---- tasks (via_task.c) ---- */

/* cli_tasks_send - on their way: scripts first, then the engine. task: [n] of one kind, without ids */
int cli_tasks_send(struct cli_via *via, struct cli_task *task, size_t n);

/* cli_tasks_out - of a kind, and of those that are the same. */
size_t cli_tasks_out(const struct cli_via *via, size_t kind);
void cli_task_remove(struct cli_via *via, size_t i);

/* cli_tasks_collect - those that have ended, by what lies in the folder: files ID.ENDING. */
int cli_tasks_collect(struct cli_via *via, const char *ending);

/* cli_tasks_look - ask the engine, when it is time to or now; take what is there, and what is gone for lost.
 * Tasks of a build before that are still out are adopted where their sweep has begun. */
int cli_tasks_look(struct cli_via *via, bool now);

/* cli_via_rest - wait until it is worth to look again. */
void cli_via_rest(struct cli_via *via);

/* cli_kinds_find - each kind's machine is known, and which of them are the same (via_kind.c). */
int cli_kinds_find(struct cli_via *via);

/* ---- the folder (via_folder.c) ---- */

int cli_folder_open(struct cli_via *via);

/* cli_folder_close - it goes when nothing is left in it. */
void cli_folder_close(struct cli_via *via);

/* cli_folder_path - FOLDER/ID.ENDING; ends with free. */
char *cli_folder_path(const struct cli_via *via, const char *id, const char *ending);

/* cli_folder_write - a whole file. */
int cli_folder_write(const char *path, const char *text);

/* cli_folder_serial - the beginning of ids that nobody had before. */
void cli_folder_serial(const struct cli_machines *kind, char serial[CLI_ID]);

/* cli_folder_script - ID.sh, of a run at task->size. text: out, ends with free; NULL: it is written. */
int cli_folder_script(const struct cli_via *via, const struct cli_task *task, char **text);

/* cli_folder_recall - size and limit of a task of a build before, from its script. false: there is none. */
bool cli_folder_recall(const struct cli_via *via, const char *id, struct cli_task *task);

/* cli_folder_found - the ids that have a file with that ending. Each, and all of them, ends with free. */
char **cli_folder_found(const struct cli_via *via, const char *ending, size_t *n);

/* cli_folder_ended - how a task's command ended (ID.end); -1: it did not tell. */
int cli_folder_ended(const struct cli_via *via, const char *id);

/* cli_folder_last_words - the last line of ID.out; "" where there is none. */
void cli_folder_last_words(const struct cli_via *via, const char *id, char *text, size_t size);

/* cli_folder_drop - all files of a task. cli_folder_clean - those of all tasks and kinds: a build that has
 * ended wants nothing of what builds that were killed have left. */
void cli_folder_drop(const struct cli_via *via, const char *id);
void cli_folder_clean(const struct cli_via *via);

/* ---- what comes back (via_take.c) ---- */

/* cli_via_know - ID.db of a task that only told which machine that is. */
int cli_via_know(struct cli_via *via, size_t kind, const char *id);

/* cli_via_take - ID.db: into the sweep of its kind, once. task: NULL: of a build before. */
int cli_via_take(struct cli_via *via, const char *id, struct cli_task *task);

/* cli_via_missing - a task is gone, and nothing came back: asked again, or told. */
int cli_via_missing(struct cli_via *via, struct cli_task *task);

/* ---- programs (via_exec.c) ---- */

/* cli_exec_read - run a program, for a minute at most, and read what it prints; of one that fails, what it
 * says of that. text: out, ends with free. Returns its exit status; 127: there is none of that name; -1: it
 * did not end by itself. */
int cli_exec_read(const char *const *argv, char **text);

/* cli_exec_start - in the background, in a process group of its own; its output goes to a file. Returns its
 * number; -1: it cannot be started. */
pid_t cli_exec_start(const char *const *argv, const char *output);

/* cli_exec_found - whether a program of that name is on PATH. */
bool cli_exec_found(const char *name);

#endif
