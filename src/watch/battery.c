/* SPDX-License-Identifier: GPL-3.0-or-later */
/* battery.c - whether the machine runs on its battery: /sys/class/power_supply. */
#include "base/alloc.h"
#include "base/files.h"
#include "watch/source.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Not all batteries tell when they begin to be used; and what is not read now is read at the next look. */
enum { BATTERY_MS = 30000, MESSAGES_MOST = 256 };

struct battery {
	int events; /* what the kernel tells of devices; -1: nothing */
};

/* What supplies there are say. */
struct supplies {
	bool line;     /* one from outside that is connected */
	bool battery;  /* a battery of the machine */
	bool draining; /* which is being used */
};

/* A line of a supply; "" where it has none. Where we are out of descriptors it is not known: nothing is then.
 */
static void read_line(struct ft__source *source, const char *name, const char *what,
		      char line[FT__LINE_LENGTH])
{
	if (ft__file_line(line, source->root, "/sys/class/power_supply/%s/%s", name, what))
		return;
	if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
		ft__source_cannot(source, "power supplies cannot be read: %s", strerror(errno));
}

/* A mouse's battery is none of the machine's (scope Device). Source: Linux,
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
	} else if (atoi(online) > 0)
		all->line = true;
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

const struct ft__source_ops ft__source_battery = {
	.name = "power",
	.kinds = 1 << FT_CONDITION_BATTERY,
	.open = open_battery,
	.look = look_at_battery,
	.close = close_battery,
};
