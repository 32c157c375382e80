/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.c - measures a link by bouncing messages off another machine through a remote shell. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "num/num.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Latency and bandwidth from the times of messages.
 */

enum { AGAIN = 399 }; /* draws, of which 10 are left out at either end: 95 % */

static enum ft_status too_few(struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "a link needs four messages or more, of two sizes or more");
	(void)ft_remedy(err, "measure small ones and large ones, several times each");
	return FT_EINVAL;
}

static size_t find_slopes(const struct ft_message *message, size_t n, double *slope)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (message[i].bytes != message[k].bytes)
				slope[found++] = (message[i].seconds - message[k].seconds) /
						 (message[i].bytes - message[k].bytes);
	return found;
}

/* The median of all slopes, and of the residuals. space: [n (n - 1) / 2]. NaN: there is no slope. */
static struct ft_message fit_once(const struct ft_message *message, size_t n, double *space)
{
	size_t pairs = find_slopes(message, n, space), i;
	struct ft_message out = {NAN, NAN}; /* seconds of a byte, and of none */

	if (!pairs)
		return out;
	out.bytes = ft_stats_median(space, pairs);
	for (i = 0; i < n; i++)
		space[i] = message[i].seconds - message[i].bytes * out.bytes;
	out.seconds = fmax(0, ft_stats_median(space, n));
	return out;
}

static enum ft_status fit_all(const struct ft_message *message, size_t n, struct ft_message *drawn,
			      double *space, struct ft_link *out, struct ft_err *err)
{
	struct ft_message fit = fit_once(message, n, space);

	if (isnan(fit.bytes))
		return too_few(err);
	if (!(fit.bytes > 0)) {
		(void)ft_fail(err, FT_EINVAL, "longer messages take no longer");
		(void)ft_remedy(err, "send larger ones, or check whether the link is used by other traffic");
		return FT_EINVAL;
	}
	out->latency_s.value = fit.seconds;
	out->bytes_per_s.value = 1 / fit.bytes;
	/* By resampling the messages, which assumes no kind of noise. */
	struct ft_random random = {.state = n};
	double byte_s[AGAIN], none_s[AGAIN];

	for (size_t i = 0; i < AGAIN; i++) {
		for (size_t k = 0; k < n; k++)
			drawn[k] = message[ft_random_below(&random, n)];
		struct ft_message one = fit_once(drawn, n, space);
		byte_s[i] = isnan(one.bytes) ? 1 / out->bytes_per_s.value : one.bytes;
		none_s[i] = isnan(one.bytes) ? out->latency_s.value : one.seconds;
	}
	out->latency_s.least = ft_stats_quantile(none_s, AGAIN, 0.025);
	out->latency_s.most = ft_stats_quantile(none_s, AGAIN, 0.975);
	out->bytes_per_s.least = 1 / ft_stats_quantile(byte_s, AGAIN, 0.975);
	byte_s[0] = ft_stats_quantile(byte_s, AGAIN, 0.025);
	out->bytes_per_s.most = byte_s[0] > 0 ? 1 / byte_s[0] : INFINITY;
	return FT_OK;
}

enum ft_status ft_link_fit(const struct ft_message *message, size_t n, struct ft_link *out,
			   struct ft_err *err)
{
	*out = (struct ft_link){.messages = n};
	for (size_t i = 0; i < n; i++)
		if (!(message[i].bytes >= 0) || !(message[i].seconds >= 0) || isinf(message[i].bytes) ||
		    isinf(message[i].seconds))
			return ft_fail(err, FT_EINVAL, "a message of %g bytes in %g s", message[i].bytes,
				       message[i].seconds);
	if (n < 4)
		return too_few(err);
	if (n > FT_MESSAGES_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d messages", FT_MESSAGES_MAX);
	double *space = ft_calloc(n * (n - 1) / 2, sizeof *space);
	struct ft_message *drawn = ft_calloc(n, sizeof *drawn);
	enum ft_status status = space && drawn ? fit_all(message, n, drawn, space, out, err) : ft_nomem(err);
	ft_free(space);
	ft_free(drawn);
	return status;
}

/*
 * Measures a link by bouncing messages off another machine through a remote shell.
 */

/* The script on the other machine: for "N M" it reads N bytes and sends M, then a newline. Output of a
 * login shell comes before our word. */
static const char there[] = "echo foretime-link; while read -r n m; do "
			    "[ \"$n\" = 0 ] || head -c \"$n\" > /dev/null; "
			    "[ \"$m\" = 0 ] || head -c \"$m\" /dev/zero; echo; done";

enum {
	ROUNDS = 9,
	TINY = 10, /* of each round */
	SIZES = 4, /* an eighth, a quarter, a half and all of the largest */
	LEAST_BYTES = 1 << 16,
	MOST_BYTES = 1 << 28,
	BLOCK = 1 << 16,
	LISTEN_MS = 50,
	GREETING_MOST = 1 << 20, /* bytes that a login may print */
};

static const double PATIENCE_S = 30, LONG_S = 0.1; /* the largest message takes at least this long */

struct bouncer {
	int socket;
	pid_t child;
	const volatile sig_atomic_t *interrupt;
	const char *name; /* of the command */
	char block[BLOCK];
	struct ft_message forth[(size_t)ROUNDS * SIZES], back[(size_t)ROUNDS * SIZES];
	double tiny_s[(size_t)ROUNDS * TINY]; /* there and back */
};

/* ---- the other end --------------------------------------------------------------------------------------
 */

static enum ft_status start_shell(struct bouncer *b, char *const *argv, struct ft_err *err)
{
	posix_spawn_file_actions_t actions;
	int ends[2], failed;

	b->name = argv[0];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return ft_fail_errno(err, errno, "cannot make a socket");
	b->socket = ends[0];
	failed = posix_spawn_file_actions_init(&actions);
	if (!failed) {
		failed = posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
		if (!failed)
			failed = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		if (!failed)
			failed = posix_spawnp(&b->child, argv[0], &actions, NULL, argv, environ);
		(void)posix_spawn_file_actions_destroy(&actions);
	}
	(void)close(ends[1]);
	if (!failed)
		return FT_OK;
	b->child = 0;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot start '%s': %s", argv[0], strerror(failed));
	(void)ft_remedy(err, "install it, or name another remote shell");
	return FT_EUNAVAIL;
}

static enum ft_status other_gone(const struct bouncer *b, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EUNAVAIL, "'%s' %s", b->name, what);
	(void)ft_remedy(err, "see whether the machine lets you in without a question, and has sh and head: "
			     "ssh -o BatchMode=yes HOST head -c 1 /dev/zero");
	return FT_EUNAVAIL;
}

/* Wait until the socket can be read, or written. */
static enum ft_status await(const struct bouncer *b, short events, struct ft_err *err)
{
	struct pollfd event = {.fd = b->socket, .events = events};
	double until_s = ft_clock_s() + PATIENCE_S;

	while (ft_clock_s() < until_s) {
		if (b->interrupt && *b->interrupt)
			return ft_fail(err, FT_EINTR, "interrupted");
		if (poll(&event, 1, LISTEN_MS) > 0)
			return FT_OK;
	}
	return other_gone(b, "sends no data for 30 s", err);
}

static enum ft_status send_all(struct bouncer *b, const char *bytes, size_t length, struct ft_err *err)
{
	while (length) {
		size_t part = length < BLOCK ? length : BLOCK;
		ssize_t sent = send(b->socket, bytes ? bytes : b->block, part, MSG_NOSIGNAL | MSG_DONTWAIT);
		enum ft_status status = FT_OK;

		if (sent < 0 && errno == EAGAIN)
			status = await(b, POLLOUT, err);
		else if (sent < 0 && errno != EINTR)
			status = other_gone(b, "ended before it answered", err);
		if (status)
			return status;
		if (bytes && sent > 0)
			bytes += sent;
		length -= sent > 0 ? (size_t)sent : 0;
	}
	return FT_OK;
}

/* Receive this many bytes, of which the last is a newline. */
static enum ft_status receive_all(struct bouncer *b, size_t length, struct ft_err *err)
{
	char last = 0;

	while (length) {
		ssize_t got = recv(b->socket, b->block, length < BLOCK ? length : BLOCK, MSG_DONTWAIT);
		enum ft_status status = FT_OK;

		if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
			status = other_gone(b, "ended before it answered", err);
		else if (got < 0)
			status = await(b, POLLIN, err);
		if (status)
			return status;
		if (got > 0)
			last = b->block[got - 1];
		length -= got > 0 ? (size_t)got : 0;
	}
	memset(b->block, 0, sizeof b->block);
	return last == '\n' ? FT_OK : other_gone(b, "answers otherwise than it should", err);
}

/* Everything before our word is the login's. */
static enum ft_status greet(struct bouncer *b, struct ft_err *err)
{
	static const char word[] = "foretime-link\n";
	size_t matched = 0, passed = 0;

	while (word[matched] && passed++ < GREETING_MOST) {
		char c = 0;
		ssize_t got = recv(b->socket, &c, 1, MSG_DONTWAIT);
		enum ft_status status = FT_OK;

		if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
			return other_gone(b, "ended before it answered", err);
		if (got < 0)
			status = await(b, POLLIN, err);
		if (status)
			return status;
		if (got > 0)
			matched = c == word[matched] ? matched + 1 : c == word[0];
	}
	return word[matched] ? other_gone(b, "answers otherwise than it should", err) : FT_OK;
}

/* ---- messages -------------------------------------------------------------------------------------------
 */

/* Send some bytes, and receive some. */
static enum ft_status bounce_bytes(struct bouncer *b, size_t forth, size_t back, double *took_s,
				   struct ft_err *err)
{
	char order[64];
	int length = snprintf(order, sizeof order, "%zu %zu\n", forth, back);
	double began_s = ft_clock_s();
	enum ft_status status = send_all(b, order, (size_t)length, err);

	if (!status)
		status = send_all(b, NULL, forth, err);
	if (!status)
		status = receive_all(b, back + 1, err);
	*took_s = ft_clock_s() - began_s;
	return status;
}

static enum ft_status make_round(struct bouncer *b, size_t round, size_t largest, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < TINY && !status; i++)
		status = bounce_bytes(b, 0, 0, &b->tiny_s[round * TINY + i], err);
	for (size_t i = 0; i < SIZES && !status; i++) {
		struct ft_message *forth = &b->forth[round * SIZES + i], *back = &b->back[round * SIZES + i];
		size_t bytes = largest >> i;

		forth->bytes = back->bytes = (double)bytes;
		status = bounce_bytes(b, bytes, 0, &forth->seconds, err);
		if (!status)
			status = bounce_bytes(b, 0, bytes, &back->seconds, err);
	}
	return status;
}

static enum ft_status measure(struct bouncer *b, struct ft_link *forth, struct ft_link *back,
			      struct ft_err *err)
{
	size_t largest = 0;
	double warm_s;
	enum ft_status status = greet(b, err);

	for (size_t i = 0; i < TINY && !status; i++)
		status = bounce_bytes(b, 0, 0, &warm_s, err);
	if (!status) {
		/* A size that takes long enough both ways. */
		double forth_s = 0, back_s = 0;

		largest = LEAST_BYTES;
		while (!status && largest < MOST_BYTES) {
			status = bounce_bytes(b, largest, 0, &forth_s, err);
			if (!status)
				status = bounce_bytes(b, 0, largest, &back_s, err);
			if (forth_s >= LONG_S && back_s >= LONG_S)
				break;
			largest *= 2;
		}
	}
	for (size_t i = 0; i < ROUNDS && !status; i++)
		status = make_round(b, i, largest, err);
	if (!status)
		status = ft_link_fit(b->forth, (size_t)ROUNDS * SIZES, forth, err);
	if (!status)
		status = ft_link_fit(b->back, (size_t)ROUNDS * SIZES, back, err);
	/* The times of long messages begin with starting head: latencies are those of the tiny ones. */
	if (!status) {
		/* Half of the round trip; the interval between the ranks that contain 95 % of medians. */
		static const double off = 0.98 / 9.4868; /* 1.96 / 2 / sqrt(ROUNDS TINY) */

		forth->latency_s = back->latency_s = (struct ft_figure){
			ft_stats_median(b->tiny_s, (size_t)ROUNDS * TINY) / 2,
			ft_stats_quantile(b->tiny_s, (size_t)ROUNDS * TINY, 0.5 - off) / 2,
			ft_stats_quantile(b->tiny_s, (size_t)ROUNDS * TINY, 0.5 + off) / 2};
	}
	return status;
}

enum ft_status ft_link_measure(char *const *argv, const volatile sig_atomic_t *interrupt,
			       struct ft_link *forth, struct ft_link *back, struct ft_err *err)
{
	struct bouncer *b = ft_calloc(1, sizeof *b);
	size_t n = 0;

	*forth = *back = (struct ft_link){0};
	while (argv[n])
		n++;
	char **all = ft_calloc(n + 2, sizeof *all);
	if (!b || !all) {
		ft_free(b);
		ft_free(all);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < n; i++)
		all[i] = argv[i];
	all[n] = (char *)(uintptr_t)there;
	*b = (struct bouncer){.socket = -1, .interrupt = interrupt};
	enum ft_status status = start_shell(b, all, err);
	if (!status)
		status = measure(b, forth, back, err);
	/* It ends with its standard input; one that does not is ended. */
	double began_s = ft_clock_s();

	if (b->socket >= 0)
		(void)close(b->socket);
	while (b->child > 0 && !waitpid(b->child, NULL, WNOHANG)) {
		if (ft_clock_s() > began_s + 1)
			(void)kill(b->child, SIGKILL);
		ft_clock_sleep(0.005);
	}
	ft_free(all);
	ft_free(b);
	return status;
}
