/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orders.c - what the program that drives `foretime build --via steps` says. Nothing is set on the descriptor
 * itself: others may share it. */
#include "cli/build/orders.h"
#include "foretime/units.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Nothing stands still for longer. */
static const double SECONDS_MOST = 1e9;

static void add_order(struct cli_orders *orders, enum cli_order order)
{
	orders->waiting[orders->n++] = order;
	orders->over = order != CLI_ORDER_RUN && order != CLI_ORDER_LOOK;
}

/* Where it stands in a sentence, what is no text is no more than a '?'. */
static void add_wrong(struct cli_orders *orders, const char *line, size_t length)
{
	char shown[40];
	size_t i;

	for (i = 0; i < length && i < sizeof shown - 1; i++)
		shown[i] = (char)(line[i] >= ' ' && line[i] <= '~' ? line[i] : '?');
	shown[i] = '\0';
	(void)snprintf(orders->wrong, sizeof orders->wrong, "unknown order '%s%s'", shown,
		       i < length ? "..." : "");
	add_order(orders, CLI_ORDER_WRONG);
}

static bool is(const char *line, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(line, word, length);
}

/* "frozen 1.5" */
static bool take_frozen(struct cli_orders *orders, const char *line, size_t length)
{
	char text[64];
	double seconds;

	if (length < 8 || length >= sizeof text || memcmp(line, "frozen ", 7) != 0)
		return false;
	(void)snprintf(text, sizeof text, "%.*s", (int)length - 7, line + 7);
	if (strlen(text) != length - 7 || ft_duration_parse(text, &seconds, NULL) || seconds > SECONDS_MOST)
		return false;
	if (seconds > 0)
		orders->frozen_s[orders->n_frozen++] = seconds;
	return true;
}

static void take_line(struct cli_orders *orders, const char *line, size_t length)
{
	if (is(line, length, "run"))
		add_order(orders, CLI_ORDER_RUN);
	else if (is(line, length, "look"))
		add_order(orders, CLI_ORDER_LOOK);
	else if (is(line, length, "end"))
		add_order(orders, CLI_ORDER_END);
	else if (!take_frozen(orders, line, length))
		add_wrong(orders, line, length);
}

static bool has_room(const struct cli_orders *orders)
{
	return !orders->over && orders->n < CLI_ORDERS_WAITING && orders->n_frozen < CLI_FROZEN_WAITING;
}

/* The lines that are whole, as far as there is room for their orders. */
static void take_lines(struct cli_orders *orders)
{
	const char *end;

	while (has_room(orders) && (end = memchr(orders->text, '\n', orders->length))) {
		size_t length = (size_t)(end - orders->text);

		take_line(orders, orders->text, length);
		orders->length -= length + 1;
		memmove(orders->text, end + 1, orders->length);
	}
	if (!has_room(orders) || orders->length < sizeof orders->text)
		return;
	(void)snprintf(orders->wrong, sizeof orders->wrong, "an order of more than %d bytes", CLI_ORDER_LINE);
	add_order(orders, CLI_ORDER_WRONG);
}

static bool is_readable(void)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&input, 1, 0) > 0;
}

void cli_orders_hear(struct cli_orders *orders)
{
	take_lines(orders);
	while (has_room(orders) && is_readable()) {
		ssize_t got = read(STDIN_FILENO, orders->text + orders->length,
				   sizeof orders->text - orders->length);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			return;
		if (got <= 0) {
			add_order(orders, CLI_ORDER_GONE);
			return;
		}
		orders->length += (size_t)got;
		take_lines(orders);
	}
}

double cli_orders_frozen(struct cli_orders *orders)
{
	double seconds = orders->n_frozen ? orders->frozen_s[0] : 0;

	if (orders->n_frozen)
		memmove(orders->frozen_s, orders->frozen_s + 1,
			--orders->n_frozen * sizeof *orders->frozen_s);
	return seconds;
}

bool cli_orders_gone(const struct cli_orders *orders)
{
	return orders->n && orders->waiting[orders->n - 1] == CLI_ORDER_GONE;
}

static enum cli_order first(struct cli_orders *orders)
{
	enum cli_order order = orders->waiting[0];

	memmove(orders->waiting, orders->waiting + 1, --orders->n * sizeof *orders->waiting);
	return order;
}

enum cli_order cli_orders_next(struct cli_orders *orders, const volatile sig_atomic_t *interrupt)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	sigset_t signals, before;

	/* One that comes between the look at the flag and the wait is not lost. */
	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &signals, &before);
	for (;;) {
		cli_orders_hear(orders);
		if (*interrupt || orders->n)
			break;
		if (orders->n_frozen) {
			orders->n_frozen = 0;
			continue;
		}
		(void)ppoll(&input, 1, NULL, &before);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return *interrupt ? CLI_ORDER_NONE : first(orders);
}
