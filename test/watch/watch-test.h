/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch-test.h - what the tests of the watch room share: policies of one condition, a machine that a test
 * writes, and waiting as a manager waits. */
#ifndef FT_TEST_WATCH_TEST_H
#define FT_TEST_WATCH_TEST_H

#include "../tap.h"
#include "../temp.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "watch/watch.h"

#include <poll.h>
#include <stdarg.h>
#include <unistd.h>

enum { NAMES_MOST = 8, CONDITIONS_MOST = 8 };

/* Policies with some conditions, and who watches for them. */
struct subject {
	char *names[CONDITIONS_MOST][NAMES_MOST];
	struct ft_condition condition[CONDITIONS_MOST];
	struct ft_policy policy;
	struct ft_policies policies;
	const struct ft_policies *list[1];
	struct ft__watch_needs needs;
	struct ft__watch *watch;
	struct ft_err err;
};

__attribute__((unused)) static struct ft_condition *add(struct subject *s, enum ft_condition_kind kind,
							const char *name)
{
	struct ft_condition *c = &s->condition[s->policy.n_conditions];

	*c = (struct ft_condition){.kind = kind,
				   .names = s->names[s->policy.n_conditions],
				   .threshold = 1,
				   .say = FT_SAY_FREEZE,
				   .patience_s = 600};
	if (name)
		c->names[c->n_names++] = (char *)(uintptr_t)name;
	s->policy.conditions = s->condition;
	s->policy.n_conditions++;
	s->policies = (struct ft_policies){&s->policy, 1};
	s->list[0] = &s->policies;
	s->needs.policies = s->list;
	s->needs.n = 1;
	return c;
}

__attribute__((unused)) static bool begin(struct subject *s)
{
	enum ft_status status = ft__watch_new(&s->watch, &s->needs, &s->err);

	if (status)
		diag("%s", s->err.text);
	return !status;
}

__attribute__((unused)) static void end(struct subject *s)
{
	ft__watch_free(s->watch);
	s->watch = NULL;
}

static char why[FT_WHY_LENGTH];

/* Does the condition hold, as it is seen now? */
__attribute__((unused)) static bool holds(struct subject *s, size_t which)
{
	why[0] = '\0';
	return ft_condition_holds(&s->condition[which], ft__watch_look(s->watch), why);
}

/* Wait as a manager does, until the condition holds, or does not. By an event alone where `heard`: no timer
 * may be what tells it. */
__attribute__((unused)) static bool comes(struct subject *s, size_t which, bool held, bool heard)
{
	int64_t began_ns = ft_clock_ns();

	while (ft_clock_ns() - began_ns < 60000000000) {
		struct pollfd fd = {.fd = ft__watch_fd(s->watch), .events = POLLIN};
		int wait_ms = ft__watch_wait_ms(s->watch);

		if (heard || wait_ms < 0 || wait_ms > 60000)
			wait_ms = 60000;
		if (!poll(&fd, 1, wait_ms) && heard)
			break;
		if (holds(s, which) == held)
			return true;
	}
	diag("not within a minute: %s", why);
	return false;
}

/* ---- a machine that is written ------------------------------------------------------------------------- */

static void put(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3), unused));

/* Write a file of it, and the folders on the way. */
static void put(const char *text, const char *format, ...)
{
	char path[512], *slash;
	size_t length = strlen(temp_path("root"));
	va_list args;

	(void)mkdir(temp_path("root"), 0755);
	(void)snprintf(path, sizeof path, "%s/", temp_path("root"));
	va_start(args, format);
	(void)vsnprintf(path + length + 1, sizeof path - length - 1, format, args);
	va_end(args);
	for (slash = strchr(path + length + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0755);
		*slash = '/';
	}
	if (text && !temp_write(path, text, 0644))
		diag("cannot write '%s'", path);
}

__attribute__((unused)) static void put_process(int pid, int parent, const char *name, char state,
						unsigned flags)
{
	char text[128];

	(void)snprintf(text, sizeof text, "%d (%s) %c %d %d %d 0 -1 %u 0\n", pid, name, state, parent, pid,
		       pid, flags);
	put(text, "proc/%d/stat", pid);
	(void)snprintf(text, sizeof text, "%s\n", name);
	put(text, "proc/%d/comm", pid);
}

/* A file or folder of it is gone. */
__attribute__((unused)) static void take_away(const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof path, "root/%s", name);
	(void)nftw(temp_path(path), temp_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
