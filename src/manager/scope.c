/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.c - chooses the best mechanism for scopes on this machine. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "manager/child.h"
#include "manager/keeper.h"
#include "measure/tree.h"
#include "watch/aside.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/*
 * Move this process to a scope of systemd: StartTransientUnit of org.freedesktop.systemd1(5), as systemd-run
 * --scope calls it for itself before it executes a program. The functions of sd-bus are declared here, so
 * that its headers are not needed for the build.
 *
 * We move ourselves, not our children: only systemd may move a process out of a session, and children start
 * where we are.
 */

enum { CALL_US = 2000000, MOVE_MS = 500, WAIT_MS = 3000 };

static const char NAME[] = "org.freedesktop.systemd1", PATH[] = "/org/freedesktop/systemd1",
		  MANAGER[] = "org.freedesktop.systemd1.Manager";

struct bus;
struct message;

/* sd_bus_error */
struct bus_error {
	const char *name, *message;
	int need_free;
};

struct sd_bus_functions {
	int (*open_system)(struct bus **);
	int (*open_user)(struct bus **);
	struct bus *(*close)(struct bus *);
	int (*new_call)(struct bus *, struct message **, const char *, const char *, const char *,
			const char *);
	int (*append)(struct message *, const char *, ...);
	int (*open_container)(struct message *, char, const char *);
	int (*close_container)(struct message *);
	int (*call)(struct bus *, struct message *, uint64_t, struct bus_error *, struct message **);
	struct message *(*message_free)(struct message *);
	void (*error_free)(struct bus_error *);
};

/* Of the thread that calls the bus. */
struct systemd_question {
	struct sd_bus_functions sd;
	char unit[128];
	bool system;
	uint32_t pid;
	char why[256]; /* "": we are in it */
};

/* ---- conditions
   -------------------------------------------------------------------------------------------- */

static bool is_delegated(const char *folder)
{
	char one[4] = "";

	return (getxattr(folder, "trusted.delegate", one, sizeof one) > 0 ||
		getxattr(folder, "user.delegate", one, sizeof one) > 0) &&
	       *one == '1';
}

/* Root may write everywhere, but systemd alone is to divide what it did not give away: the scope of a
 * session. */
static bool is_ours(const char *folder)
{
	char procs[PATH_MAX + 16];

	(void)snprintf(procs, sizeof procs, "%s/cgroup.procs", folder);
	return !access(procs, W_OK) && (geteuid() || !ft_word_ends(folder, ".scope") || is_delegated(folder));
}

bool ft__systemd_wanted(struct ft_err *why)
{
	char folder[PATH_MAX];

	if (access("/run/systemd/system", F_OK))
		(void)ft_fail(why, FT_EUNAVAIL, "no systemd"); /* sd_booted(3) */
	else if (!ft__cgroup_find(0, NULL, folder, NULL))
		(void)ft_fail(why, FT_EUNAVAIL, "no control groups of version 2 for systemd to give");
	else if (is_ours(folder))
		(void)ft_fail(why, FT_EUNAVAIL, "systemd is not needed: our control group is ours");
	else
		return true;
	return false;
}

/* ---- the call -------------------------------------------------------------------------------------------
 */

static enum ft_status load_library(struct sd_bus_functions *sd, struct ft_err *err)
{
	const struct ft_symbol symbol[] = {
		{"sd_bus_open_system", &sd->open_system},
		{"sd_bus_open_user", &sd->open_user},
		{"sd_bus_flush_close_unref", &sd->close},
		{"sd_bus_message_new_method_call", &sd->new_call},
		{"sd_bus_message_append", &sd->append},
		{"sd_bus_message_open_container", &sd->open_container},
		{"sd_bus_message_close_container", &sd->close_container},
		{"sd_bus_call", &sd->call},
		{"sd_bus_message_unref", &sd->message_free},
		{"sd_bus_error_free", &sd->error_free},
	};

	return ft_library_load("libsystemd.so.0", symbol, sizeof symbol / sizeof *symbol, err);
}

/* It goes with its last process, also where that failed; and what is below it is ours. */
static int add_properties(const struct systemd_question *q, struct message *m)
{
	const struct sd_bus_functions *sd = &q->sd;
	int error = sd->open_container(m, 'a', "(sv)");

	if (error >= 0)
		error = sd->append(m, "(sv)", "Description", "s", "foretime manager and its benchmarks");
	if (error >= 0)
		error = sd->append(m, "(sv)", "Delegate", "b", 1);
	if (error >= 0)
		error = sd->append(m, "(sv)", "CollectMode", "s", "inactive-or-failed");
	if (error >= 0)
		error = sd->append(m, "(sv)", "PIDs", "au", 1, q->pid);
	return error < 0 ? error : sd->close_container(m);
}

static int ask_for_scope(const struct systemd_question *q, struct bus *bus, struct bus_error *error)
{
	const struct sd_bus_functions *sd = &q->sd;
	struct message *m = NULL, *reply = NULL;
	int failed = sd->new_call(bus, &m, NAME, PATH, MANAGER, "StartTransientUnit");

	if (failed >= 0)
		failed = sd->append(m, "ss", q->unit, "fail");
	if (failed >= 0)
		failed = add_properties(q, m);
	if (failed >= 0)
		failed = sd->append(m, "a(sa(sv))", 0);
	if (failed >= 0)
		failed = sd->call(bus, m, CALL_US, error, &reply);
	(void)sd->message_free(m);
	(void)sd->message_free(reply);
	return failed;
}

static bool is_in(const char *unit)
{
	char folder[PATH_MAX];

	if (!ft__cgroup_find(0, NULL, folder, NULL))
		return false;
	const char *name = strrchr(folder, '/');
	return name && !strcmp(name + 1, unit);
}

/* The answer is that a job was made, which moves us soon. */
static void await_move(struct systemd_question *q)
{
	for (int i = 0; i < MOVE_MS / 5 && !is_in(q->unit); i++)
		ft_clock_sleep(0.005);
	if (!is_in(q->unit))
		(void)snprintf(q->why, sizeof q->why, "it made no control group of '%.100s'", q->unit);
}

/* Run by the thread. A bus that accepts us and does not answer blocks it for a minute. */
static void ask_bus(void *what)
{
	struct systemd_question *q = what;
	struct bus_error error = {0};
	struct bus *bus = NULL;
	int failed = q->system ? q->sd.open_system(&bus) : q->sd.open_user(&bus);

	if (failed >= 0)
		failed = ask_for_scope(q, bus, &error);
	if (failed < 0)
		(void)snprintf(q->why, sizeof q->why, "%.200s",
			       error.message ? error.message : strerror(-failed));
	q->sd.error_free(&error);
	(void)q->sd.close(bus);
	if (failed >= 0)
		await_move(q);
}

enum ft_status ft__systemd_move(const char *unit, struct ft_err *why)
{
	struct systemd_question q = {.system = !geteuid(), .pid = (uint32_t)getpid()};
	struct ft__aside *aside = NULL;
	enum ft_status status = load_library(&q.sd, why);

	(void)snprintf(q.unit, sizeof q.unit, "%s", unit);
	if (!status)
		status = ft__aside_new(&aside, sizeof q, ask_bus, NULL, why);
	if (status)
		return status;
	if (!ft__aside_ask(aside, &q) || !ft__aside_answer(aside, &q, WAIT_MS))
		(void)snprintf(q.why, sizeof q.why, "its bus does not answer");
	ft__aside_free(aside);
	return *q.why ? ft_fail(why, FT_EUNAVAIL, "no scope of systemd's: %s", q.why) : FT_OK;
}

/*
 * Where children live: the best way that there is here.
 */

const struct ft__scope_way *const ft__scope_ways[] = {&ft__scope_systemd, &ft__scope_group,
						      &ft__scope_freezer, &ft__scope_signals, NULL};

static const int64_t SECOND = 1000000000;

enum ft_status ft__scope_open(struct ft__scope **out, const struct ft__scope_way *row, const char *name,
			      struct ft_err *why)
{
	struct ft__scope *scope = ft_calloc(1, sizeof *scope);

	*out = NULL;
	if (!scope)
		return ft_nomem(why);
	scope->row = row;
	enum ft_status status = ft__left_open(&scope->left, why);
	if (!status)
		status = row->open(scope, name, why);
	if (!status && scope->way.failed) {
		row->close(scope);
		status = ft_nomem(why);
	}
	if (status) {
		ft__left_close(&scope->left);
		ft_text_clear(&scope->way);
		ft_free(scope);
		return status;
	}
	ft__scope_weigh(scope, false);
	*out = scope;
	return FT_OK;
}

/* The reason why no better mechanism works is reported with the chosen one. */
enum ft_status ft__scope_new(struct ft__scope **out, const char *name, struct ft_err *err)
{
	struct ft_text reasons = {0};
	enum ft_status status = FT_EUNAVAIL;

	for (size_t i = 0; ft__scope_ways[i] && status && status != FT_ENOMEM; i++) {
		struct ft_err why = {0};

		status = ft__scope_open(out, ft__scope_ways[i], name, &why);
		if (status)
			ft_text_add(&reasons, "%s%s", i ? "; " : "", why.text);
	}
	if (status == FT_ENOMEM)
		(void)ft_nomem(err);
	else if (status)
		status = ft_fail(err, FT_EUNAVAIL, "%s", reasons.s ? reasons.s : "");
	else if (reasons.s)
		ft_text_add(&(*out)->way, " (%s)", reasons.s);
	ft_text_clear(&reasons);
	return status;
}

/* In version 1 a frozen process handles SIGKILL when it is thawed. */
static void end_left(struct ft__scope *scope)
{
	const struct timespec rest = {.tv_nsec = 10000000};

	if (!scope->left.look_ns)
		return;
	(void)ft__scope_thaw(scope, NULL);
	for (int i = 0; i < 300 && !ft__left_end(&scope->left, scope->first); i++)
		(void)nanosleep(&rest, NULL);
}

void ft__scope_free(struct ft__scope *scope)
{
	if (!scope)
		return;
	end_left(scope);
	scope->row->close(scope);
	ft__left_close(&scope->left);
	ft_text_clear(&scope->way);
	ft_free(scope);
}

const char *ft__scope_way(const struct ft__scope *scope)
{
	return scope->way.s;
}

/* ---- its children -------------------------------------------------------------------------------------- */

bool ft__keeper_tell(const struct ft__scoped *child, enum ft__keeper_what what, double seconds)
{
	struct ft__keeper_order order;

	/* All of it is sent, what lies between its members too. */
	memset(&order, 0, sizeof order);
	order.what = (int32_t)what;
	order.seconds = seconds;
	return send(child->control, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof order;
}

static enum ft__keeper_what weight_of(const struct ft__scope *scope)
{
	return scope->dedicated ? FT__KEEPER_WORK : FT__KEEPER_YIELD;
}

void ft__scope_enter(struct ft__scope *scope, struct ft__scoped *child)
{
	child->next = scope->first;
	scope->first = child;
	if (!scope->weighs)
		(void)ft__keeper_tell(child, weight_of(scope), 0);
	if (!scope->freezing)
		return;
	scope->still_ns = 0;
	(void)scope->row->freeze(scope, NULL);
}

void ft__scope_leave(struct ft__scope *scope, struct ft__scoped *child, double cpu_s)
{
	struct ft__scoped **at = &scope->first;

	while (*at && *at != child)
		at = &(*at)->next;
	if (*at)
		*at = child->next;
	scope->ended_cpu_s += cpu_s;
}

void ft__scope_lost(struct ft__scope *scope)
{
	ft__left_expect(&scope->left);
}

bool ft__scope_clean(struct ft__scope *scope, int64_t *due_ns)
{
	struct ft__left *left = &scope->left;

	if (left->look_ns && ft_clock_ns() >= left->look_ns)
		(void)ft__left_end(left, scope->first);
	*due_ns = left->look_ns ? left->look_ns : INT64_MAX;
	return !left->moves;
}

void ft__scope_heard(struct ft__scope *scope, struct ft__scoped *child, int64_t since_ns)
{
	child->still_ns = scope->freezing ? since_ns : 0;
	(void)ft__scope_frozen(scope);
}

/* ---- stopping ------------------------------------------------------------------------------------------ */

enum ft_status ft__scope_freeze(struct ft__scope *scope, struct ft_err *err)
{
	if (scope->freezing)
		return FT_OK;
	scope->freezing = true;
	scope->still_ns = scope->thawed_ns = 0;
	for (struct ft__scoped *child = scope->first; child; child = child->next)
		child->still_ns = 0;
	return scope->row->freeze(scope, err);
}

enum ft_status ft__scope_thaw(struct ft__scope *scope, struct ft_err *err)
{
	if (!scope->freezing)
		return FT_OK;
	(void)ft__scope_frozen(scope);
	scope->freezing = false;
	scope->thawed_ns = ft_clock_ns();
	return scope->row->thaw(scope, err);
}

int ft__scope_fd(const struct ft__scope *scope)
{
	return scope->row->fd(scope);
}

bool ft__scope_frozen(struct ft__scope *scope)
{
	int64_t since_ns = 0;
	bool stands = scope->row->stands(scope, &since_ns);

	if (!scope->freezing)
		return false;
	if (stands && !scope->still_ns)
		scope->still_ns = since_ns ? since_ns : ft_clock_ns();
	return scope->still_ns;
}

double ft__scope_frozen_s(struct ft__scope *scope)
{
	(void)ft__scope_frozen(scope);
	if (!scope->still_ns)
		return 0;
	return (double)((scope->thawed_ns ? scope->thawed_ns : ft_clock_ns()) - scope->still_ns) /
	       (double)SECOND;
}

void ft__scope_weigh(struct ft__scope *scope, bool dedicated)
{
	scope->dedicated = dedicated;
	scope->weighs = scope->row->weigh(scope, dedicated);
	for (const struct ft__scoped *child = scope->first; child && !scope->weighs; child = child->next)
		(void)ft__keeper_tell(child, weight_of(scope), 0);
}

bool ft__scope_limit(struct ft__scope *scope, double bytes)
{
	bool before = scope->limited;

	scope->limited = bytes > 0;
	return (!before && !scope->limited) || scope->row->limit(scope, bytes);
}

double ft__scope_cpu_s(const struct ft__scope *scope)
{
	return scope->row->cpu_s(scope);
}

/* ---- words --------------------------------------------------------------------------------------------- */

void ft__words_add(struct ft__words *words, const char *word)
{
	char **grown = ft_grow(words->word, words->n + 1, &words->capacity, sizeof *grown);

	if (grown)
		words->word = grown;
	if (words->failed || !grown || !(words->word[words->n] = ft_strdup(word))) {
		words->failed = true;
		return;
	}
	words->word[++words->n] = NULL;
}

void ft__words_clear(struct ft__words *words)
{
	while (words->n)
		ft_free(words->word[--words->n]);
	ft_free(words->word);
	*words = (struct ft__words){0};
}

/*
 * A scope held by its children's keepers, which stop each process: works everywhere.
 */

/* The system weighs sessions only outside groups that are weighed (sched(7), autogroup). */
static bool sessions_are_weighed(void)
{
	char folder[PATH_MAX], text[16] = "";
	bool top = true;

	if (!ft__cgroup_read("/proc/sys/kernel", "sched_autogroup_enabled", text, sizeof text) ||
	    *text != '1' || (ft__cgroup_find(0, "cpu", folder, &top) && !top))
		return false;
	if (!ft__cgroup_find(0, NULL, folder, &top))
		return true;
	for (size_t length = strlen(folder); !top && length; folder[length] = '\0') {
		if (ft__cgroup_read(folder, "cpu.weight", text, sizeof text))
			return false;
		while (length && folder[--length] != '/')
			;
	}
	return true;
}

static enum ft_status open_signals(struct ft__scope *scope, const char *name, struct ft_err *why)
{
	struct ft__tree *tree = ft_calloc(1, sizeof *tree);

	(void)name;
	if (!tree)
		return ft_nomem(why);
	if (!ft__tree_open(tree, "")) {
		ft_free(tree);
		return ft_fail(why, FT_EUNAVAIL, "signals: /proc is not there, or another's");
	}
	scope->state = tree;
	ft_text_add(&scope->way, "signals to each process, %s, memory is not limited",
		    sessions_are_weighed() ? "its session yields"
					   : "nice, for good, within its control group");
	return FT_OK;
}

static void close_signals(struct ft__scope *scope)
{
	ft__tree_close(scope->state);
	ft_free(scope->state);
}

static void add_options(const struct ft__scope *scope, struct ft__words *words)
{
	(void)scope;
	if (!sessions_are_weighed())
		ft__words_add(words, FT__KEEPER_NICE);
}

static enum ft_status tell_keepers(const struct ft__scope *scope, enum ft__keeper_what what)
{
	for (const struct ft__scoped *child = scope->first; child; child = child->next)
		if (!child->still_ns || what != FT__KEEPER_FREEZE)
			(void)ft__keeper_tell(child, what, 0);
	return FT_OK;
}

/* One that is gone needs no stopping. */
static enum ft_status freeze(struct ft__scope *scope, struct ft_err *err)
{
	(void)err;
	return tell_keepers(scope, FT__KEEPER_FREEZE);
}

static enum ft_status thaw(struct ft__scope *scope, struct ft_err *err)
{
	(void)err;
	return tell_keepers(scope, FT__KEEPER_THAW_ALL);
}

static bool stands(struct ft__scope *scope, int64_t *since_ns)
{
	for (const struct ft__scoped *child = scope->first; child; child = child->next) {
		if (!child->still_ns)
			return false;
		if (child->still_ns > *since_ns)
			*since_ns = child->still_ns;
	}
	return true;
}

static int no_fd(const struct ft__scope *scope)
{
	(void)scope;
	return -1;
}

static double cpu_s(const struct ft__scope *scope)
{
	struct ft__tree *tree = scope->state;
	double sum_s = scope->ended_cpu_s;

	for (const struct ft__scoped *child = scope->first; child; child = child->next) {
		tree->self = child->keeper;
		ft__tree_begin(tree, child->keeper);
		(void)ft__tree_bytes(tree);
		sum_s += ft__tree_cpu_s(tree);
	}
	return sum_s;
}

static bool cannot(struct ft__scope *scope, bool dedicated)
{
	(void)scope;
	(void)dedicated;
	return false;
}

static bool cannot_limit(struct ft__scope *scope, double bytes)
{
	(void)scope;
	(void)bytes;
	return false;
}

/* The keeper's descendants, which do not change while they are stopped. */
static void keep_descendants(struct ft__tree *tree, const struct ft__scoped *child, json_t *list)
{
	tree->self = child->keeper;
	ft__tree_scan(tree, 0);
	for (size_t i = 0; i < tree->n_found; i++)
		if (tree->found[i].mark == FT__TREE_OURS)
			(void)json_array_append_new(list, ft__former_process(tree->found[i].pid));
}

static void keep_signals(struct ft__scope *scope, json_t *into)
{
	json_t *list = json_array();

	for (const struct ft__scoped *child = scope->first; child; child = child->next)
		keep_descendants(scope->state, child, list);
	(void)json_object_set_new(into, "processes", list);
}

const struct ft__scope_way ft__scope_signals = {
	.name = "signals",
	.open = open_signals,
	.close = close_signals,
	.add_options = add_options,
	.freeze = freeze,
	.thaw = thaw,
	.stands = stands,
	.fd = no_fd,
	.cpu_s = cpu_s,
	.weigh = cannot,
	.limit = cannot_limit,
	.keep = keep_signals,
};
