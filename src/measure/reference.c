/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c - the probe that measures the pace of the machine: a fixed piece of work right after a run. */
#include "base/alloc.h"
#include "base/clock.h"
#include "measure/measure.h"

#include <math.h>
#include <stdint.h>
#include <time.h>

/*
 * Processor times of one session share the state of the machine: its clock frequency, and what other processes
 * take of the caches and of the memory's bandwidth. The same work at both times shows how much of a difference is
 * the machine's. Three quarters of it are arithmetic, whose time follows the clock, and one quarter is a walk
 * through memory, whose time follows the load: that share was chosen in doc/constants-answers.md.
 */

enum { WORDS = 1 << 18, STEPS = 55000, ROUNDS = 1500000 };

/* Where runs are short, not after each of them. */
static const double apart_s = 0.2;

struct reference {
	uint32_t *word; /* [WORDS] each leads to another one */
	double last_s;
	uint64_t kept; /* results, so that the work is done */
};

static enum ft_status open_reference(void **out, const struct ft_launch *launch, struct ft__client *client,
				     struct ft_err *err)
{
	struct reference *state;
	uint32_t random = 1;

	(void)client;
	if (launch->pass_through) /* somebody waits for the program itself */
		return FT_OK;
	state = ft_calloc(1, sizeof *state);
	if (!state || !(state->word = ft_calloc(WORDS, sizeof *state->word))) {
		ft_free(state);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < WORDS; i++) {
		random = random * 1664525 + 1013904223;
		state->word[i] = random >> 10;
	}
	state->last_s = -apart_s;
	*out = state;
	return FT_OK;
}

static void close_reference(void *state)
{
	struct reference *reference = state;

	ft_free(reference->word);
	ft_free(reference);
}

static double thread_cpu_s(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) ? (double)NAN
							    : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t compute(void)
{
	uint64_t x = 88172645463325252U, sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		sum += x & 1 ? x : sum >> 1;
	}
	return sum;
}

static uint64_t walk(const uint32_t *word)
{
	uint64_t sum = 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < STEPS; i++) {
		at = word[at & (WORDS - 1)] + i;
		sum += at;
	}
	return sum;
}

static enum ft_status read_reference(void *state, const struct ft__result *result, struct ft_run *run,
				     struct ft_err *err)
{
	struct reference *reference = state;
	const double now_s = ft_clock_s();

	(void)result;
	if (now_s - reference->last_s < apart_s)
		return FT_OK;
	const double began_s = thread_cpu_s();
	reference->kept += compute() + walk(reference->word);
	const double took_s = thread_cpu_s() - began_s;
	reference->last_s = ft_clock_s();
	return took_s > 0 ? ft__add_measured(run, &ft_reference_s, took_s, "reference", err) : FT_OK;
}

const struct ft__probe_ops ft__reference_probe = {
	.open = open_reference, .close = close_reference, .read = read_reference};
