/* SPDX-License-Identifier: GPL-3.0-or-later */
/* systemd.c - move this process to a scope of systemd */
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
	if (failed >= 0) {
		/* The answer is that a job was made, which moves us soon. */
		for (int i = 0; i < MOVE_MS / 5 && !is_in(q->unit); i++)
			ft_clock_sleep(0.005);
		if (!is_in(q->unit))
			(void)snprintf(q->why, sizeof q->why, "it made no control group of '%.100s'",
				       q->unit);
	}
}

enum ft_status ft__systemd_move(const char *unit, struct ft_err *why)
{
	struct systemd_question q = {.system = !geteuid(), .pid = (uint32_t)getpid()};
	struct ft__aside *aside = NULL;
	const struct ft_symbol symbol[] = {
		{"sd_bus_open_system", &q.sd.open_system},
		{"sd_bus_open_user", &q.sd.open_user},
		{"sd_bus_flush_close_unref", &q.sd.close},
		{"sd_bus_message_new_method_call", &q.sd.new_call},
		{"sd_bus_message_append", &q.sd.append},
		{"sd_bus_message_open_container", &q.sd.open_container},
		{"sd_bus_message_close_container", &q.sd.close_container},
		{"sd_bus_call", &q.sd.call},
		{"sd_bus_message_unref", &q.sd.message_free},
		{"sd_bus_error_free", &q.sd.error_free},
	};

	enum ft_status status =
		ft_library_load("libsystemd.so.0", symbol, sizeof symbol / sizeof *symbol, why);

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
