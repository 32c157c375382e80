/* SPDX-License-Identifier: GPL-3.0-or-later */
/* orders.h - what the program that drives `foretime build --via steps` says, a line each. */
#ifndef FT_CLI_BUILD_ORDERS_H
#define FT_CLI_BUILD_ORDERS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum cli_order {
	CLI_ORDER_NONE, /* a signal came first */
	CLI_ORDER_RUN,
	CLI_ORDER_LOOK,
	CLI_ORDER_END,
	CLI_ORDER_GONE, /* end of input */
	CLI_ORDER_WRONG /* struct cli_orders, wrong */
};

/* A line is no longer, and so many orders wait at most: what is behind them stays in the pipe. */
enum { CLI_ORDER_LINE = 4096, CLI_ORDERS_WAITING = 64, CLI_FROZEN_WAITING = 16 };

/* Zero-initialise. */
struct cli_orders {
	enum cli_order waiting[CLI_ORDERS_WAITING]; /* [n] */
	size_t n;
	double frozen_s[CLI_FROZEN_WAITING]; /* [n_frozen] each > 0, not taken yet: at once, whatever waits */
	size_t n_frozen;
	char text[CLI_ORDER_LINE]; /* [length] not yet a line, or not yet taken */
	size_t length;
	bool over; /* nothing more is read: its end, or `end`, or what cannot be understood */
	char wrong[160];
};

/* cli_orders_hear - take in what is there; waits for nothing. */
void cli_orders_hear(struct cli_orders *orders);

/* cli_orders_frozen - after that: for how long we stood still, each time once; 0: no more. */
double cli_orders_frozen(struct cli_orders *orders);

/* cli_orders_next - the next one, waited for until it comes or *interrupt is set. Meanwhile no run is under
 * way that could stand still. */
enum cli_order cli_orders_next(struct cli_orders *orders, const volatile sig_atomic_t *interrupt);

/* cli_orders_gone - whether the input has ended, and not with `end`: nobody drives any more. */
bool cli_orders_gone(const struct cli_orders *orders);

#endif
