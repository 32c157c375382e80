/* SPDX-License-Identifier: GPL-3.0-or-later */
/* construct-world.h - what tests of construction share: a clock that is put forward, programs, what happened.
 */
#ifndef FT_TEST_CONSTRUCT_WORLD_H
#define FT_TEST_CONSTRUCT_WORLD_H

#include "../tap.h"
#include "../temp.h"
#include "base/clock.h"
#include "foretime/ask.h"
#include "foretime/measure.h"
#include "manager/construct.h"

#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOBODY 65534

/* ---- the world ----------------------------------------------------------------------------------------- */

/* The system's clock, put forward. */
static struct ft_clock shown;
static int64_t forward_ns, real_ns;

static int64_t system_ns(clockid_t which)
{
	struct timespec at;

	(void)clock_gettime(which, &at);
	return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static void show_clock(void)
{
	shown.steady_ns = system_ns(CLOCK_MONOTONIC) + forward_ns;
	shown.real_ns = (real_ns ? real_ns : system_ns(CLOCK_REALTIME)) + forward_ns;
	ft_clock_set(&shown);
}

__attribute__((unused)) static void pass(double seconds)
{
	forward_ns += (int64_t)(seconds * 1e9);
	show_clock();
}

/* What happened. */
static struct {
	unsigned started, ran, frozen, thawed, ended, failed, model, hopeless, kept, broken;
	char last[512], order[64 * 64];
	double again_s, frozen_s;
} seen;

static void tell(void *ctx, const struct ft_answer_event *event)
{
	const struct {
		const char *event;
		unsigned *count;
	} row[] = {{"started", &seen.started}, {"ran", &seen.ran},           {"frozen", &seen.frozen},
		   {"thawed", &seen.thawed},   {"ended", &seen.ended},       {"failed", &seen.failed},
		   {"model", &seen.model},     {"hopeless", &seen.hopeless}, {"kept", &seen.kept},
		   {"broken", &seen.broken}};

	(void)ctx;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		*row[i].count += !strcmp(event->event, row[i].event);
	if (event->why)
		(void)snprintf(seen.last, sizeof seen.last, "%s", event->why);
	if (!strcmp(event->event, "failed"))
		seen.again_s = event->again_s;
	if (!strcmp(event->event, "ran") && event->frozen_s > 0) /* the next may have run in the same turn */
		seen.frozen_s = event->frozen_s;
	if (!strcmp(event->event, "model") && strlen(seen.order) + 64 < sizeof seen.order)
		(void)snprintf(seen.order + strlen(seen.order), 64, "%s ", event->name);
	if (getenv("SHOW"))
		diag("%s %s %s %s", event->name ? event->name : "", event->event,
		     event->size ? event->size : "", event->why ? event->why : "");
}

static struct ft_manager_config config;
static struct ft__construct *construct;
static char command[PATH_MAX], store[PATH_MAX], state[PATH_MAX];

static bool read_config(struct ft_manager_config *out, const char *conf)
{
	struct ft_err err = {0};

	if (!ft_manager_config_parse(out, "made.conf", conf, strlen(conf), &err))
		return true;
	return ok(false, "%s", err.text);
}

static bool begin_again(bool always)
{
	struct ft__construct_options options = {.command = command,
						.store_path = store,
						.state_path = state,
						.always = always,
						.dedicated = true,
						.tell = tell};
	struct ft_err err = {0};

	memset(&seen, 0, sizeof seen);
	if (!ft__construct_new(&construct, &options, &config, &err))
		return true;
	return ok(false, "%s", err.text);
}

static bool begin(const char *conf, bool always)
{
	(void)unlink(store);
	(void)unlink(state);
	show_clock();
	return read_config(&config, conf) && begin_again(always);
}

static void end(void)
{
	ft__construct_free(construct);
	construct = NULL;
	ft_manager_config_clear(&config);
}

static void turn(void)
{
	struct pollfd fd = {.fd = ft__construct_fd(construct), .events = POLLIN};
	int ms = ft__construct_wait_ms(construct);

	(void)poll(&fd, 1, ms < 0 || ms > 50 ? 50 : ms);
	show_clock();
	ft__construct_run(construct);
}

/* Until it is so; false: it is not after half a minute. */
static bool wait_for(bool (*so)(unsigned), unsigned n)
{
	int64_t until_ns = system_ns(CLOCK_MONOTONIC) + 30000000000;

	while (!so(n) && system_ns(CLOCK_MONOTONIC) < until_ns)
		turn();
	return so(n);
}

__attribute__((unused)) static void turn_for(double seconds)
{
	int64_t until_ns = system_ns(CLOCK_MONOTONIC) + (int64_t)(seconds * 1e9);

	while (system_ns(CLOCK_MONOTONIC) < until_ns)
		turn();
}

#define WAIT_FOR(what)                                                                                       \
	__attribute__((unused)) static bool what##_so(unsigned n)                                            \
	{                                                                                                    \
		return seen.what >= n;                                                                       \
	}
WAIT_FOR(started)
WAIT_FOR(ran)
WAIT_FOR(frozen)
WAIT_FOR(thawed)
WAIT_FOR(ended)
WAIT_FOR(failed)
WAIT_FOR(model)
WAIT_FOR(kept)
WAIT_FOR(broken)

__attribute__((unused)) static bool over_so(unsigned n)
{
	size_t failed;

	(void)n;
	return ft__construct_over(construct, &failed);
}

/* State of a problem, and of all. */
__attribute__((unused)) static const char *state_of(size_t i)
{
	static char text[64];
	struct ft_answer_benchmarks answer;

	if (ft__construct_answer(construct, &answer, NULL))
		return "";
	(void)snprintf(text, sizeof text, "%s", i < answer.n ? answer.problem[i].state : answer.state);
	free(answer.problem);
	return text;
}

/* The oldest of that name; 0: none. */
__attribute__((unused)) static pid_t child_of(pid_t parent, const char *name)
{
	char line[256];
	FILE *ps = popen("ps -eo pid,ppid,comm --sort=start_time,pid", "r");
	long pid, ppid, found = 0;
	char comm[64];

	while (ps && fgets(line, sizeof line, ps))
		if (!found && sscanf(line, "%ld %ld %63s", &pid, &ppid, comm) == 3 && ppid == parent &&
		    !strncmp(comm, name, strlen(name)))
			found = pid;
	if (ps)
		(void)pclose(ps);
	return (pid_t)found;
}

__attribute__((unused)) static bool is_there(const char *name)
{
	char ask[256];

	(void)snprintf(ask, sizeof ask, "pgrep -f '%s/[%c]%s' >/dev/null", temp_folder, name[0], name + 1);
	return system(ask) == 0;
}

/* How many runs the store has of a program; -1: none of that name. */
__attribute__((unused)) static long runs_of(const char *name)
{
	struct ft_store *opened = NULL;
	struct ft_program program = {0};
	struct ft_runs runs = {0};
	long n = -1;

	if (!ft_store_open(&opened, store, FT_STORE_READ, NULL) &&
	    !ft_store_get_program(opened, name, &program, NULL) &&
	    !ft_store_get_runs(opened, program.id, 0, &runs, NULL))
		n = (long)runs.n;
	ft_runs_clear(&runs);
	ft_program_clear(&program);
	ft_store_close(opened);
	return n;
}

/* A run of "held" goes on until one of them, or until all of them may end. */
__attribute__((unused)) static void hold_all(void)
{
	(void)unlink(temp_path("held.all"));
	(void)unlink(temp_path("held.go"));
	(void)unlink(temp_path("held.on"));
}

/* Who stands still before it has begun never stood. */
__attribute__((unused)) static bool one_is_held(void)
{
	int64_t until_ns = system_ns(CLOCK_MONOTONIC) + 30000000000;

	while (access(temp_path("held.on"), F_OK) && system_ns(CLOCK_MONOTONIC) < until_ns)
		turn();
	return !access(temp_path("held.on"), F_OK);
}

__attribute__((unused)) static void let_one_end(void)
{
	(void)temp_write(temp_path("held.go"), "", 0600);
}

__attribute__((unused)) static void let_all_end(void)
{
	(void)temp_write(temp_path("held.all"), "", 0600);
}

static void make_programs(void)
{
	(void)temp_write(temp_path("quick"), "#!/bin/sh\nexit 0\n", 0755);
	(void)temp_write(
		temp_path("held"),
		"#!/bin/sh\n: >$0.on\nuntil [ -e $0.all ] || rm $0.go 2>/dev/null; do sleep 0.05; done\n"
		"rm -f $0.on\n",
		0755);
	(void)temp_write(temp_path("stubborn"),
			 "#!/bin/sh\ntrap '' TERM INT HUP\nwhile :; do sleep 1; done\n", 0755);
	(void)temp_write(temp_path("bad"), "#!/bin/sh\nexit 3\n", 0755);
}

/* Conf with the folder of the test for each '@'. */
static const char *conf_of(const char *text)
{
	static char conf[1 << 16];
	size_t n = 0;

	(void)temp_path("");
	for (; *text && n + sizeof temp_folder + 1 < sizeof conf; text++) {
		if (*text == '@')
			n += (size_t)snprintf(conf + n, sizeof conf - n, "%s", temp_folder);
		else
			conf[n++] = *text;
	}
	conf[n] = '\0';
	return conf;
}

#define PROBLEM(name, program, more)                                                                         \
	"{ name = \"" name "\"; command = \"@/" program " {n}\"; parameters = \"n=1:8\"; "                   \
	"method = \"naive\"; points = 3; reps_least = 1; reps_most = 1; " more "}"
#define UNLESS_HALT(action)                                                                                  \
	"policies = ( { conditions = ( { type = \"halt_file\"; path = \"@/halt\"; action = \"" action        \
	"\"; patience = \"1h\"; } ); } );\n"

/* No benchmark runs as root. */
__attribute__((unused)) static bool begin_world(void)
{
	const char *build = getenv("FORETIME_TEST_BUILD");

	(void)setenv("TZ", "UTC", 1);
	(void)signal(SIGPIPE, SIG_IGN);
	if (!geteuid() && (setgid(NOBODY) || setuid(NOBODY)))
		return false;
	(void)umask(022);
	(void)snprintf(command, sizeof command, "%s/foretime", build ? build : ".");
	(void)snprintf(store, sizeof store, "%s", temp_path("store.db"));
	(void)snprintf(state, sizeof state, "%s", temp_path("state"));
	make_programs();
	return true;
}

#endif
