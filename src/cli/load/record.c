/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - observes the load of others until it is told to stop. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/load/load.h"
#include "cli/terminal.h"
#include "foretime/measure.h"

#include <errno.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

/* Once in so many observations, old ones are removed. */
enum { TRIM_EVERY = 360 };

/* Looks at the run queue: so many an observation, but no rarer than this. */
enum { LOOKS = 10 };
static const double LOOK_S = 1;

struct recording {
	struct ft_store *store;
	struct ft_load_recorder *recorder;
	size_t n;
	double seconds, busy, wanted; /* so far; processor seconds */
	int processors;
};

/* Until a moment of the monotonic clock. False: interrupted. */
static bool wait_until(const struct timespec *moment)
{
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, moment, NULL) == EINTR)
		if (*cli_interrupt_flag())
			return false;
	return !*cli_interrupt_flag();
}

static struct timespec later(struct timespec from, double seconds)
{
	double whole = floor(seconds);

	from.tv_sec += (time_t)whole;
	from.tv_nsec += (long)((seconds - whole) * 1e9);
	if (from.tv_nsec >= 1000000000) {
		from.tv_nsec -= 1000000000;
		from.tv_sec++;
	}
	return from;
}

static int keep_seen(struct cli_load *load, struct recording *r)
{
	struct ft_err err = {0};
	struct ft_load seen;
	enum ft_status found = ft_load_recorder_read(r->recorder, &seen, &err);

	if (found == FT_EEND)
		return CLI_DONE;
	if (found || ft_store_add_load(r->store, load->machine.id, &seen, &err))
		return cli_error(&err);
	r->seconds += seen.interval_s;
	r->busy += seen.interval_s * seen.busy;
	r->wanted += seen.interval_s * seen.load;
	r->processors = seen.processors;
	if (r->n++ % TRIM_EVERY == 0 &&
	    ft_store_trim_load(r->store, load->machine.id, seen.started_ns - (int64_t)(load->keep_s * 1e9),
			       &err))
		return cli_error(&err);
	if (!load->quiet && isatty(STDERR_FILENO) == 1) {
		cli_terminal_again();
		fprintf(stderr, "%zu observation%s, now %.2f processors wanted, %.2f of %d busy", r->n,
			r->n == 1 ? "" : "s", seen.load, seen.busy, seen.processors);
		(void)fflush(stderr);
	}
	return CLI_DONE;
}

/* From `due` seconds after `begin` to `until` seconds, with looks at the run queue on the way. False:
 * interrupted. */
static bool look_until(struct ft_load_recorder *recorder, struct timespec begin, double due, double until)
{
	double steps = fmax(LOOKS, ceil((until - due) / LOOK_S));

	for (int i = 1; i <= (int)steps; i++) {
		struct timespec next = later(begin, due + (until - due) * i / steps);

		if (!wait_until(&next))
			return false;
		if (i < (int)steps) /* the reading looks, too */
			ft_load_recorder_look(recorder);
	}
	return true;
}

/* The last interval may be cut short; under a second it says nothing. */
static int observe(struct cli_load *load, struct recording *r)
{
	struct timespec begin;
	double due = 0, until = load->for_s > 0 ? load->for_s : INFINITY;
	int status = CLI_DONE;

	(void)clock_gettime(CLOCK_MONOTONIC, &begin);
	while (status == CLI_DONE && due < until) {
		double next = fmin(due + load->interval_s, until);
		bool whole = look_until(r->recorder, begin, due, next);

		due = next;
		if (whole || ft_load_recorder_elapsed(r->recorder) >= 1)
			status = keep_seen(load, r);
		if (!whole)
			return status == CLI_DONE && load->for_s > 0 ? CLI_INTERRUPTED : status;
	}
	return status;
}

static int open_all(struct cli_load *load, struct recording *r)
{
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&r->store, load->store_path, CLI_WRITE));
	if (ft_machine_read("", &load->machine, &err) ||
	    ft_store_put_machine(r->store, &load->machine, &err) ||
	    ft_load_recorder_open(&r->recorder, "", false, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_load_record(void *asked)
{
	struct cli_load *load = asked;
	struct recording r = {0};
	char text[FT_UNIT_LENGTH];

	if (!(load->interval_s > 0))
		load->interval_s = FT_LOAD_INTERVAL_S;
	if (load->interval_s < 1)
		return cli_fail("an interval under a second is too short: the kernel's ticks are 10 ms\n"
				"hint: choose another one with --every T");
	if (!(load->keep_s > 0))
		load->keep_s = FT_LOAD_AGE_S;
	cli_signals_catch();
	int status = open_all(load, &r);
	if (status == CLI_DONE)
		status = observe(load, &r);
	if (!load->quiet && isatty(STDERR_FILENO) == 1)
		cli_terminal_again();
	if (r.n)
		printf("recorded %zu observation%s of %s: other processes demanded %.3g processors on "
		       "average; "
		       "%.3g of %d busy\n",
		       r.n, r.n == 1 ? "" : "s", ft_value_format(r.seconds, "s", text), r.wanted / r.seconds,
		       r.busy / r.seconds, r.processors);
	ft_load_recorder_close(r.recorder);
	ft_store_close(r.store);
	return status;
}
