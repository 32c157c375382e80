/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - how many processors other processes demand: those they used, and their share of the queue. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "load/load.h"
#include "watch/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Whether the machine runs on its battery: /sys/class/power_supply.
 */

/* Not all batteries raise an event when they begin to be used; and messages not read now are read at the
   next look. */
enum { BATTERY_MS = 30000, MESSAGES_MOST = 256 };

struct battery {
	int events; /* kernel events of devices; -1: none */
};

/* The state of all power supplies. */
struct supplies {
	bool line;     /* one from outside that is connected */
	bool battery;  /* a battery of the machine */
	bool draining; /* which is being used */
};

/* A line of a supply; "" if it has none. Without free descriptors the state is unknown, so nothing is
   reported. */
static void read_line(struct ft__source *source, const char *name, const char *what,
		      char line[FT__LINE_LENGTH])
{
	if (ft__file_line(line, source->root, "/sys/class/power_supply/%s/%s", name, what))
		return;
	if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
		ft__source_cannot(source, "power supplies cannot be read: %s", strerror(errno));
}

/* The battery of a mouse does not power the machine (scope Device). Source: Linux,
 * Documentation/ABI/testing/sysfs-class-power. */
static void take_supply(struct ft__source *source, const char *name, struct supplies *all)
{
	char type[FT__LINE_LENGTH], scope[FT__LINE_LENGTH], status[FT__LINE_LENGTH], online[FT__LINE_LENGTH];

	read_line(source, name, "type", type);
	read_line(source, name, "scope", scope);
	read_line(source, name, "status", status);
	read_line(source, name, "online", online);
	if (!strcmp(scope, "Device"))
		return;
	if (!strcmp(type, "Battery") || !strcmp(type, "UPS")) {
		all->battery = true;
		all->draining = all->draining || !strcmp(status, "Discharging");
	} else if (atoi(online) > 0) {
		all->line = true;
	}
}

/* Empty the queue: that something happened suffices. */
static void hear_changes(const struct battery *state)
{
	char bytes[64];

	for (int i = 0; state->events >= 0 && i < MESSAGES_MOST; i++)
		if (recv(state->events, bytes, sizeof bytes, MSG_DONTWAIT) < 0 && errno != ENOBUFS)
			return;
}

static void look_at_battery(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct battery *state = source->state;
	struct supplies all = {0};
	struct dirent *entry;
	char path[PATH_MAX];
	DIR *dir;

	(void)fresh;
	hear_changes(state);
	(void)snprintf(path, sizeof path, "%s/sys/class/power_supply", source->root);
	dir = opendir(path);
	if (!dir)
		ft__source_cannot(source, "/sys/class/power_supply cannot be read: %s", strerror(errno));
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			take_supply(source, entry->d_name, &all);
	if (dir)
		(void)closedir(dir);
	if (state->events < 0 || all.battery || *source->why)
		ft__source_due(source, BATTERY_MS);
	ft__source_early(source, BATTERY_MS);
	seen->on_battery = !all.line && all.draining;
}

static enum ft_status open_battery(struct ft__source *source, struct ft_err *err)
{
	struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
	struct battery *state = ft_calloc(1, sizeof *state);

	source->state = state;
	if (!state)
		return ft_nomem(err);
	state->events = source->events ? socket(PF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
						NETLINK_KOBJECT_UEVENT)
				       : -1;
	if (state->events < 0 || (!bind(state->events, (struct sockaddr *)&address, sizeof address) &&
				  ft__source_listen(source, state->events, EPOLLIN)))
		return FT_OK;
	(void)close(state->events);
	state->events = -1;
	return FT_OK;
}

static void close_battery(struct ft__source *source)
{
	struct battery *state = source->state;

	if (state->events >= 0)
		(void)close(state->events);
	ft_free(state);
}

/*
 * How many processors other processes demand: those they used, and their share of the queue.
 */

const struct ft__source_ops ft__source_battery = {
	.name = "power",
	.kinds = 1 << FT_CONDITION_BATTERY,
	.open = open_battery,
	.look = look_at_battery,
	.close = close_battery,
};

/* The least time of an average, and the interval of looks: the kernel has events only for tasks that begin
 * to wait, not for other processes that use idle processors. */
enum { LEAST_MS = 500, LOOK_MS = 2000 };

/* Tasks waited for 0.2 of 2 seconds; without privileges only windows of 2 s are allowed
 * (Documentation/accounting/psi.rst). */
static const char TRIGGER[] = "some 200000 2000000";

struct load_sample {
	int64_t at_ns; /* 0: there is none */
	struct ft__load_stat stat;
	double runnable; /* tasks that run or wait, but for us; NaN: not known */
	double ours_s, own_s;
};

struct load {
	int pressure; /* -1: no events of waiting tasks */
	struct load_sample last;
	double wanted; /* by other processes; NaN: not known as yet */
};

/* ---- counters of the kernel ---------------------------------------------------------------------------- */

/* ---- demand of other processes
   ---------------------------------------------------------------------------------- */

/* The difference of a counter between two looks; a counter that was reset began at 0. */
static double counted_between(double from, double to)
{
	return to < from ? to : to - from;
}

/* Busy processors, minus `own` seconds. Time of other virtual machines is no demand here. NaN: no time has
 * passed. */
static double busy_but(const struct load_sample *from, const struct load_sample *to, double own)
{
	struct ft_load load;

	if (!ft__load_stat_between(&from->stat, &to->stat, own * (double)sysconf(_SC_CLK_TCK), &load))
		return NAN;
	return load.busy - load.steal;
}

/* The kernel does not report whose tasks wait: other processes get the share of the queue that they have
 * of the processor time. The shorter queue of two moments counts, since tasks of a millisecond are in one
 * and not in the next. */
static double wanted_by_others(const struct load_sample *from, const struct load_sample *to)
{
	double ours = counted_between(from->ours_s, to->ours_s) + counted_between(from->own_s, to->own_s),
	       all = busy_but(from, to, 0), others = busy_but(from, to, ours),
	       queue = fmin(from->runnable, to->runnable);

	return queue > all && all > 0 ? others * queue / all : others;
}

static void look_at_load(struct ft__source *source, struct ft_seen *seen, bool fresh)
{
	struct load *state = source->state;
	struct load_sample now;

	(void)fresh;
	struct ft__queue queue;
	char *text = ft__load_slurp(source->root, "stat");
	bool good = text && ft__load_stat_parse(text, &now.stat);

	ft_free(text);
	ft__queue_read(source->root, &queue);
	now.at_ns = source->now_ns;
	now.runnable = queue.runnable - 1;
	now.ours_s = source->ours->count ? source->ours->count(source->ours->ctx) : 0;
	now.own_s = *source->root ? 0 : ft_clock_process_s();
	if (!good) {
		ft__source_cannot(source, "/proc/stat cannot be read");
		state->last.at_ns = 0;
		state->wanted = NAN;
	} else if (!state->last.at_ns) {
		state->last = now;
	} else if (now.at_ns - state->last.at_ns >= LEAST_MS * INT64_C(1000000)) {
		state->wanted = wanted_by_others(&state->last, &now);
		state->last = now;
	}
	seen->load = state->wanted;
	ft__source_early(source, LEAST_MS);
	ft__source_due(source, isnan(state->wanted) ? LEAST_MS : LOOK_MS);
}

/* ---- its state ----------------------------------------------------------------------------------------- */

static enum ft_status open_load(struct ft__source *source, struct ft_err *err)
{
	struct load *state = ft_calloc(1, sizeof *state);

	source->state = state;
	if (!state)
		return ft_nomem(err);
	state->wanted = NAN;
	state->pressure = source->events ? open("/proc/pressure/cpu", O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
	if (state->pressure < 0 || (write(state->pressure, TRIGGER, sizeof TRIGGER) > 0 &&
				    ft__source_listen(source, state->pressure, EPOLLPRI)))
		return FT_OK;
	(void)close(state->pressure);
	state->pressure = -1;
	return FT_OK;
}

static void close_load(struct ft__source *source)
{
	struct load *state = source->state;

	if (state->pressure >= 0)
		(void)close(state->pressure);
	ft_free(state);
}

const struct ft__source_ops ft__source_load = {
	.name = "load",
	.kinds = 1 << FT_CONDITION_LOAD_THRESHOLD,
	.open = open_load,
	.look = look_at_load,
	.close = close_load,
};
