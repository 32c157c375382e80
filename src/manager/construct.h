/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct.h - models that build themselves on an undisturbed machine (001 II.B): the problems of the
 * configuration, a sweep for each that is at work, and the one benchmark that runs. Nothing here waits,
 * except ft__construct_free. The owner waits for ft__construct_fd, at most ft__construct_wait_ms, and
 * calls ft__construct_run. */
#ifndef FT_MANAGER_CONSTRUCT_H
#define FT_MANAGER_CONSTRUCT_H

#include "base/text.h"
#include "manager/child.h"
#include "manager/config.h"
#include "manager/inside.h"
#include "policy/door.h"
#include "tell/answers.h"
#include "watch/aside.h"
#include "watch/watch.h"

#include <jansson.h>
#include <math.h>

struct ft__worker;

struct ft__construct;

struct ft__construct_options {
	const char *command;    /* the foretime that builds */
	const char *store_path; /* absolute */
	const char *state_path; /* the file that stores turns and places; NULL: none */
	bool always;            /* ignore policies, and build each problem once: 001's first mode */
	bool dedicated;         /* benchmarks get a normal share of the processors; else only idle time */
	/* Reports events; borrowed during the call. */
	void (*tell)(void *ctx, const struct ft_answer_event *event);
	/* How often a program was queried so far; NULL: not counted. */
	uint64_t (*query)(void *ctx, const char *name);
	void *ctx;
};

/* ft__construct_new - begin. options: texts are borrowed. config: borrowed until it is replaced.
 *
 * Returns FT_OK; FT_EUNAVAIL: benchmarks cannot be paused here; FT_EINVAL: there is no such user;
 * FT_ENOMEM. */
enum ft_status ft__construct_new(struct ft__construct **out, const struct ft__construct_options *options,
				 const struct ft_manager_config *config, struct ft_err *err);

/* ft__construct_free - end the sweep at work, drop the rest, and wait for all together, fifteen seconds at
 * most: finished runs are in the store. Accepts NULL. */
void ft__construct_free(struct ft__construct *construct);

int ft__construct_fd(const struct ft__construct *construct);
int ft__construct_wait_ms(const struct ft__construct *construct);
void ft__construct_run(struct ft__construct *construct);

/* ft__construct_take - another configuration: problems that stay keep how they stand, and their sweeps. On
 * failure the one before stays. FT_OK; as ft__construct_new. */
enum ft_status ft__construct_take(struct ft__construct *construct, const struct ft_manager_config *config,
				  struct ft_err *err);

/* ft__construct_stale - runs were added to the store: sweeps look before they go on. */
void ft__construct_stale(struct ft__construct *construct);

/* The state of a program in the store (ft_store_get_state). */
struct ft__state {
	char *name;  /* heap */
	char *state; /* ends with free; NULL: not known */
};

/* ft__construct_built - the problems whose models are built. Heap, [n]; NULL: none, or no memory.
 * ft__construct_give - the present states from the store: a problem whose state differs from that of its
 * building has new runs, and is looked at again. */
void ft__construct_give(struct ft__construct *construct, const struct ft__state *state, size_t n);

/* ft__construct_stop - stop a problem of the configuration regardless of its policies, ending its run; or
 * let it continue. Stored next to the store. FT_OK, also if nothing changes; FT_ENOENT: there is no such
 * problem. */
enum ft_status ft__construct_stop(struct ft__construct *construct, const char *name, bool stop,
				  struct ft_err *err);

/* ft__construct_over - whether nothing is left to run, and nothing runs. failed: problems without a model. */
bool ft__construct_over(const struct ft__construct *construct, size_t *failed);

/* ft__construct_quiet - whether nothing of it runs, or all is paused. */
bool ft__construct_quiet(const struct ft__construct *construct);

/* ft__construct_answer - its state. answer->problem: heap, [answer->n]; ends with ft_free; the texts are
 * borrowed until the next run. FT_OK; FT_ENOMEM. */
enum ft_status ft__construct_answer(struct ft__construct *construct, struct ft_answer_benchmarks *answer,
				    struct ft_err *err);

/* ft__construct_day - what its configuration means for the day to come, and what is seen now. Ends with
 * ft__day_clear; cleared on failure. FT_OK; FT_ENOMEM. */
enum ft_status ft__construct_day(struct ft__construct *construct, struct ft_answer_day *answer,
				 struct ft_err *err);

/* ft__construct_health - its part of it; texts are borrowed until the next run. */
void ft__construct_health(const struct ft__construct *construct, struct ft_answer_health *answer);

/* ft__construct_metrics - as Prometheus reads them. */
void ft__construct_metrics(const struct ft__construct *construct, struct ft_text *out);

/* ft__construct_state - the path of the state file: next to the store. Heap; NULL: no memory. */
char *ft__construct_state(const char *store_path);

/*
 * The protocol of `foretime build --via steps`: the command line of a problem, and the lines that the sweep
 * writes.
 */

/* ft__builder_words - the command line of a problem's sweep; words->failed: no memory.
 *
 * command, store  paths; the store's absolute: the sweep runs in the problem's folder */
void ft__builder_words(const struct ft_manager_problem *problem, const char *command, const char *store,
		       struct ft__words *words);

enum ft__heard_kind {
	FT__HEARD_READY,  /* its next step is reported */
	FT__HEARD_RAN,    /* a run more */
	FT__HEARD_ENDED,  /* its last line, but for its models */
	FT__HEARD_FAILED, /* and it ends */
};

struct ft__heard {
	enum ft__heard_kind kind;
	size_t runs, known, points;
	double complete;      /* 0 .. 1 */
	double gain, seconds; /* of the next run; NaN: not known */
	/* Texts are lines that can be shown (ft__utf8_line). */
	char next[128]; /* its size, "n=512 m=100"; "": none */
	bool ended;     /* nothing is left to run */
	char stop[64];  /* and why */
	/* RAN */
	char size[128], outcome[32], detail[256];
	double ran_s, frozen_s;
	/* FAILED */
	char error[256], remedy[256];
};

/* ft__builder_read - parse a line of its output. FT_OK; FT_EPARSE: not in the protocol. */
enum ft_status ft__builder_read(const char *text, struct ft__heard *heard, struct ft_err *err);

/*
 * Which version of a program a problem runs, and whether other users could change it. Its files may be on a
 * file system that does not respond, so a separate thread looks at them.
 */

enum { FT__VERSION_LENGTH = 512 };

/* The result of the check. */
struct ft__version {
	char stamp[FT__VERSION_LENGTH]; /* another one whenever its files are (ft_program_stamp); "": there
					   are none */
	struct ft_err fault;            /* why it is not to be run (ft_manager_check_problem) */
};

/* ft__version_ask - start a check. beside: an additional user who may own the files; files: an inotify
 * descriptor that is to watch the folders of these files, -1: none. *aside: made if NULL, ends with
 * ft__aside_free. false: not started, because the check before has not returned, or there is no memory. */
bool ft__version_ask(struct ft__aside **aside, const struct ft_manager_problem *problem, uid_t beside,
		     int files);

/* ft__version_answer - false: no answer after that many milliseconds. */
bool ft__version_answer(struct ft__aside *aside, struct ft__version *out, int wait_ms);

/*
 * The state of a problem of the configuration: the last report of its sweep, its place in the queue,
 * failures, and for how long its policies let benchmarks run.
 */

struct ft__child;

/* The number of stretches without an end of benchmarks whose length is remembered. */
enum { FT__STRETCHES = 32 };

struct ft__problem {
	const struct ft_manager_problem *answer; /* of the configuration */
	const struct ft_policies *policies;      /* those that count */
	struct ft__child *child;                 /* its sweep; NULL: it is begun when it is chosen */
	bool ready;                              /* the sweep waits for an order */
	bool stale;                              /* other processes may have added runs since its last look */
	bool left;                               /* something may be left to run */
	bool stopped;                            /* manually, until a manual continue */
	uint64_t used;                           /* when it was at work last: the largest is the newest */
	struct ft_queued queued;
	struct ft__heard heard;         /* the last one */
	unsigned long runs;             /* since the manager began */
	bool verify;                    /* a new version of it is to be verified against its predictions */
	char said[256];                 /* the verdict */
	struct ft__aside *aside;        /* by which its files are looked at; NULL as yet */
	char stamp[FT__VERSION_LENGTH]; /* of the version that its models are of */

	unsigned failures;   /* in a row */
	int64_t again_ns;    /* not before, by the steady clock; 0 */
	struct ft_err fault; /* why it failed */

	double stretch_s[FT__STRETCHES];
	size_t n_stretches;
	int64_t open_ns, held_ns; /* since when they let benchmarks run, and since when they hold them; 0 */
	bool hopeless;            /* already reported that no window is long enough */

	int64_t built_ns; /* when its model was */
	char *state;      /* its state in the store then; heap, NULL: not known yet */

	uint64_t query; /* the counter as it was read last */
	int64_t asked_ns;
};

/* ft__problem_begin - initialise a problem; ends with ft__problem_end, once its sweep left. */
void ft__problem_begin(struct ft__problem *problem, const struct ft_manager_config *config, size_t i,
		       int64_t at_s);

void ft__problem_end(struct ft__problem *problem);

/* ft__problem_again - a model that is built is looked at again. */
void ft__problem_again(struct ft__problem *problem);

/* ft__problem_hear - take in a report of its sweep. by_age: as in struct ft_turns, which get the time. */
void ft__problem_hear(struct ft__problem *problem, const struct ft__heard *heard, int64_t at_s);

/* ft__problem_interrupted - a benchmark was ended before it was done. */
void ft__problem_interrupted(struct ft__problem *problem, int64_t at_s);

/* ft__problem_stop - it is held, or goes on: at once, where it waited for having failed. The time for which
 * it is held is none that its policies left it. */
void ft__problem_stop(struct ft__problem *problem, bool stop);

/* ft__problem_fail - it is tried again after a while, which doubles each time. Returns whether that is
 * another failure than the last. */
bool ft__problem_fail(struct ft__problem *problem, const struct ft_err *err, int64_t now_ns);
void ft__problem_recover(struct ft__problem *problem);

/* ft__problem_backs_off - the seconds until it may be tried again; 0. */
double ft__problem_backs_off(const struct ft__problem *problem, int64_t now_ns);

/* ft__problem_judged - take in what its policies decide from now on, for the lengths of stretches. */
void ft__problem_judged(struct ft__problem *problem, const struct ft_judgement *judged, int64_t now_ns);

/* ft__problem_query - take in a counter of queries; older ones count less with time. */
void ft__problem_query(struct ft__problem *problem, uint64_t counter, int64_t now_ns);

/* ft__problem_queue - its place. */
void ft__problem_queue(struct ft__problem *problem, int64_t now_ns, struct ft_queued *out);

/* ft__problem_hopeless - whether it can never finish; returns true once. */
bool ft__problem_hopeless(struct ft__problem *problem, int64_t at_s, char why[FT_WHY_LENGTH]);

/* ft__problem_look - what was found of its files: whether they are another version than they were, or there
 * are some where there were none. */
bool ft__problem_look(struct ft__problem *problem, const struct ft__version *found);

/* ft__problem_verdict - take in a line of a verification; a final line replaces a preliminary one. */
void ft__problem_verdict(struct ft__problem *problem, const char *line);

/* ft__problem_tail - the standard error of its child, in one line; bytes that are no complete character
 * become '?'. */
void ft__problem_tail(const struct ft__problem *problem, char line[256]);

/*
 * Decide the next step: a pure function of the state of problems, the observations and the clock (001 II.B).
 * The owner does the step, keeps the result, and calls it again.
 */

/* X(NAME, what it means) */
#define FT__ACT_LIST(X)                                                                                      \
	X(WAIT, "nothing, until something is seen or the time has come")                                     \
	X(RUN, "the problem's next benchmark")                                                               \
	X(FREEZE, "the running benchmark is paused")                                                         \
	X(THAW, "and goes on")                                                                               \
	X(END, "what is at work is ended, its time is lost")

enum ft__act {
#define FT__ACT_ENUM(name, about) FT__ACT_##name,
	FT__ACT_LIST(FT__ACT_ENUM)
#undef FT__ACT_ENUM
};

/* The state of a problem. */
struct ft__stand {
	const struct ft_policies *policies; /* those that count for it */
	bool left;                          /* something is left to run */
	double backs_off_s;                 /* it failed: seconds until the next try; 0 */
	bool stopped;                       /* somebody holds it, until he lets it go on */
	struct ft_judgement judged;         /* out: what its policies decide */
};

/* The problem at work, if any: at most one at a time. */
struct ft__at_work {
	bool any;
	size_t which; /* index of the problem */
	bool ending;  /* it was ordered to end: nothing more is done about it */
	bool frozen;
	double frozen_s; /* seconds so far */
};

struct ft__world {
	const struct ft_seen *seen;
	int64_t at_s; /* of the wall clock */
	enum ft_order order;
	struct ft_turns turns;
	bool left;   /* something of the problem before still runs: nothing else begins */
	bool always; /* regardless of policies: it was requested */
	struct ft__at_work at_work;
};

struct ft__action {
	enum ft__act act;
	size_t which; /* RUN */
	bool by_age;  /* RUN: its time counts as of those that waited longest */
	/* When the answer may change without a new observation: a moment of the wall clock, and a time
	 * from now. FT_NEVER, INFINITY */
	int64_t next_s;
	double wait_s;
	char why[FT_WHY_LENGTH]; /* "user alice is logged in (pts/3)" */
};

/* ft__step - decide the next step.
 *
 * stand  [n]
 * queue      [n] the same, as ft_queue_choose has them; may: out
 *
 * A stopped problem is judged as if a condition that ends benchmarks held, unless `always`.
 * A benchmark that runs goes on while its policies let it start or finish, is paused while they freeze it,
 * and is ended when they end it, or when the pause exceeds their patience. A paused one is ended, too, when
 * a problem of higher priority may run: there is only one at a time, and the pause may be long.
 *
 * Cost: that of ft_policies_judge for each list of policies, and of ft_queue_choose. */
void ft__step(struct ft__stand *stand, struct ft_queued *queue, size_t n, const struct ft__world *world,
	      struct ft__action *action);

/*
 * What the files of construction share.
 */

/* What a sweep is doing that got an order and has not answered. */
enum ft__doing {
	FT__WORK_NONE,
	FT__WORK_BEGIN,  /* it reads what the store has */
	FT__WORK_LOOK,   /* look for new runs in the store */
	FT__WORK_RUN,    /* a benchmark */
	FT__WORK_FINISH, /* it makes models, and ends */
	FT__WORK_VERIFY, /* benchmarks of a new version, which are compared */
	FT__WORK_WRITE,  /* another one writes the model to a file */
};

struct ft__construct {
	struct ft__construct_options options;
	const struct ft_manager_config *config;
	uid_t user;                  /* additional owner of executables; (uid_t)-1: none */
	gid_t group;                 /* his */
	struct ft__problem *problem; /* [n], as are the next three */
	struct ft__stand *stand;
	struct ft_queued *queue;
	const struct ft_policies **policies;
	size_t n;
	struct ft__scope *scope;
	struct ft__watch *watch;
	int epoll, timer;
	int files;                 /* inotify on the executables; -1 */
	struct ft__child *leaving; /* sweeps that were dropped, and are not gone yet */
	struct ft_turns turns;
	uint64_t used;
	struct ft__action last; /* the last decision */
	int64_t due_ns;         /* when to look again without an event; INT64_MAX */
	int64_t clean_ns;       /* when to look again for what is left of sweeps; INT64_MAX */
	int64_t leaving_ns;     /* the same of those that leave */
	int64_t kept_ns;        /* when it was last saved */
	int64_t looked_ns;      /* at all executables */
	bool unanswered;        /* not all of them answered */
	bool overlooked;        /* an event that came while a sweep was alive was not looked at */
	bool changed;           /* since then */
	bool unkept;            /* saving failed, which was reported */
	bool hasty;             /* our priority is raised */
	bool noted;             /* it was, since the pause began */

	/* The one at work. */
	enum ft__doing work;
	size_t which;
	bool by_age, frozen;
	bool ending;                /* its benchmark was ordered to end */
	int64_t told_ns, frozen_ns; /* when it was told to; since when it is paused */
	double stood_s;             /* in all, while it is at work */
	char why[512];              /* it was ended */

	struct ft_answer_construction counts;
};

/* ---- work.c: the sweeps -------------------------------------------------------------------------------- */

/* ft__work_run - the next benchmark of a problem, or what stands before it. */
void ft__work_run(struct ft__construct *c, size_t which, bool by_age);
void ft__work_freeze(struct ft__construct *c, const char *why);
void ft__work_thaw(struct ft__construct *c, const char *why);
void ft__work_end(struct ft__construct *c, const char *why);

/* ft__work_hear - handle all reports of sweeps. Returns whether there were any. */
bool ft__work_hear(struct ft__construct *c);

/* ft__work_mind - one that does not answer is ended. Returns when to look again. */
int64_t ft__work_mind(struct ft__construct *c);

/* ft__work_drop - drop a problem's sweep, whatever it does, without waiting: nothing begins until it is
 * gone. */
void ft__work_drop(struct ft__construct *c, struct ft__problem *problem);

/* ---- construct.c: how many sweeps there are ----------------------------------------------------------------- */

/* ft__room_choose - which problem to run when it is this one's turn: another one, if all live sweeps would
 * lose their work. *gives: the problem whose sweep makes room; NULL: there is room. */
struct ft__problem *ft__room_choose(struct ft__construct *c, size_t which, struct ft__problem **gives);

/* ---- settings.c: what is run, looked at ------------------------------------------------------------------- */

/* ft__files_look - check the files of all problems without a sweep, and build again what has changed.
 * ft__files_due_ns - when the next check is due without an event. */
void ft__files_look(struct ft__construct *c);
int64_t ft__files_due_ns(const struct ft__construct *c);

/* ft__files_look_one - at one, as it is now. Returns whether it is another version; why it is not to be run
 * is its fault. */
bool ft__files_look_one(struct ft__construct *c, struct ft__problem *problem, struct ft__version *found);

/* ---- problem.c: what outlives the manager ----------------------------------------------------------------- */

void ft__construct_keep(struct ft__construct *c);                                 /* a failure is reported */
enum ft_status ft__construct_recall(struct ft__construct *c, struct ft_err *err); /* no file is no failure */

/* ---- construct.c --------------------------------------------------------------------------------------- */

void ft__construct_tell(struct ft__construct *c, struct ft_answer_event *event,
			const struct ft__problem *problem);
void ft__construct_complain(struct ft__construct *c, const struct ft_err *err);    /* of no problem */
struct ft__problem *ft__construct_find(struct ft__construct *c, const char *name); /* NULL: there is none */
void ft__construct_hurry(struct ft__construct *c, bool hasty);

/* ft__work_gone - whether all that were dropped are, with all that they started. */
bool ft__work_gone(struct ft__construct *c);

/*
 * Look again at built models whose programs got runs from other processes.
 */

struct ft__revisit;

/* ft__revisit_new - FT_OK; FT_ENOMEM. construct, worker: borrowed. */
enum ft_status ft__revisit_new(struct ft__revisit **out, struct ft__construct *construct,
			       struct ft__worker *worker, struct ft_err *err);
void ft__revisit_free(struct ft__revisit *revisit); /* after the worker; accepts NULL */

/* ft__revisit_look - the store was changed: the worker finds out which programs. */
void ft__revisit_look(struct ft__revisit *revisit);

#endif
