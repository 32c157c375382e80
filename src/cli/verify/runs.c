/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - the new runs of a contract: made here, or read from files. */
#include "cli/common.h"
#include "base/clock.h"
#include "cli/facts.h"
#include "cli/program.h"
#include "cli/verify/verify.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A run is ended where no further one would change the verdict, and not before so many seconds; against old
 * runs after so many times what they took. */
static const double beyond = 1.1, least_limit_s = 1, many_times = 10;

/* A contract that is broken within so many seconds is broken by one moment: it is run again after the first
 * pause, then after twice that, and so on. What shares a core makes a run so many times as long at most
 * (doc/constants.md). */
static const double moment_s = 12, first_pause_s = 0.5, most_disturbed = 2;

/* ---- from files --------------------------------------------------------------------------------------- */

static bool is_wanted(const struct cli_verify *v, const struct ft_size *size)
{
	size_t i;

	for (i = 0; i < v->sizes.n; i++)
		if (ft_size_equal(&v->sizes.size[i], size))
			return true;
	return !v->sizes.n;
}

/* Of those that are wanted; models say nothing of sizes that make no sense. */
int cli_verify_read(struct cli_verify *v)
{
	int status = cli_reading_of(&v->reading, &v->paths, &v->program, &v->runs);
	size_t i, kept = 0, senseless = 0;
	struct ft_err err = {0};

	if (status != CLI_DONE)
		return status;
	for (i = 0; i < v->runs.n; i++) {
		bool wanted = is_wanted(v, &v->runs.run[i].size);
		bool admitted =
			!ft_ask_admits(v->models.answerer, &v->runs.run[i].size, wanted ? &err : NULL);

		senseless += wanted && !admitted;
		if (wanted && admitted)
			v->runs.run[kept++] = v->runs.run[i];
		else
			ft_run_clear(&v->runs.run[i]);
	}
	v->runs.n = kept;
	if (!kept && senseless)
		return cli_error(&err);
	if (senseless)
		cli_note("%zu run%s left out: no size%s that meet%s %s", senseless,
			 senseless == 1 ? " is" : "s are", senseless == 1 ? "" : "s",
			 senseless == 1 ? "s" : "", v->program.where);
	if (!kept)
		return cli_fail("'%s'%s no run of these sizes\n"
				"hint: leave the sizes out: every run of the file is then checked",
				v->paths.text[0], v->paths.n > 1 ? " and the other files have" : " has");
	return CLI_DONE;
}

/* ---- made here ---------------------------------------------------------------------------------------- */

static int set_command(struct cli_verify *v, const struct cli_words *words)
{
	size_t i;

	if (words->n_rest) {
		for (i = 0; i < v->program.argc; i++)
			free(v->program.argv[i]);
		free(v->program.argv);
		v->program.argv = NULL;
		v->program.argc = 0;
		cli_program_argv(&v->program, words->rest, words->n_rest);
	}
	if (v->program.argv)
		return CLI_DONE;
	return cli_fail("the command of '%s' is not known: its runs come from elsewhere\n"
			"hint: write it behind --, or give the new runs: --runs FILE",
			v->program.name);
}

/* The run that the models are of: the routine's, or that of the process. */
static int take_run(const struct cli_verify *v, struct ft_runs *to, struct ft_runs *made)
{
	const char *routine = strrchr(v->program.name, '/');
	struct ft_err err = {0};
	size_t i, at = 0;
	int status = CLI_DONE;

	for (i = 0; routine && i < made->n; i++)
		if (made->run[i].routine && !strcmp(made->run[i].routine, routine + 1))
			at = i;
	if (ft_runs_take(to, &made->run[at], &err))
		status = cli_error(&err);
	ft_runs_clear(made);
	return status;
}

/* What makes runs. */
struct verify_maker {
	struct cli_verify *v;
	struct ft_source *source, *old; /* old NULL: beside models */
	double *limit_s;                /* [sizes], under the load of this moment */
	double end_s;                   /* of the budget; INFINITY: none */
	bool ended;                     /* the budget is used up, or the verdict is certain */
};

/* Where an old run took so long, or a model says so, no further run of the size changes the verdict. */
static double limit_of(const struct verify_maker *m, size_t i)
{
	const struct cli_verify *v = m->v;
	struct ft_prediction p;
	double most = 0;

	if (v->timeout_s > 0)
		return v->timeout_s;
	for (size_t k = 0; m->old && k < v->before.n; k++)
		if (ft_size_equal(&v->before.run[k].size, &v->sizes.size[i]))
			most = fmax(most, many_times * v->before.run[k].cost_s);
	if (!m->old && !ft_ask_predict(v->models.answerer, "wall_s", &v->sizes.size[i], 0.998, &p, NULL) &&
	    p.value > 0)
		most = beyond * p.upper * p.upper / p.value;
	return most > 0 ? fmax(least_limit_s, most) : 0;
}

/* Whether the load of this moment can be seen: time limits are then those of a machine as busy as it is. */
static void find_limits(struct verify_maker *m)
{
	const struct ft_ask_load now = {.view = FT_LOAD_NOW}, idle = {.view = FT_LOAD_IDLE};
	struct ft_answerer *answerer = m->v->models.answerer;
	struct ft_prediction p;

	if (answerer)
		ft_ask_under(answerer, &now);
	if (answerer &&
	    ft_ask_predict(answerer, "wall_s", &m->v->sizes.size[0], 0.99, &p, NULL) == FT_EUNAVAIL)
		ft_ask_under(answerer, &idle);
	for (size_t i = 0; i < m->v->sizes.n; i++)
		m->limit_s[i] = limit_of(m, i);
	if (answerer)
		ft_ask_under(answerer, &idle);
}

static int interrupted(void)
{
	(void)cli_fail("interrupted: nothing is decided");
	return CLI_INTERRUPTED;
}

/* One run; of one that the budget ended nothing is kept. */
static int make_run(struct verify_maker *m, struct ft_source *source, struct ft_runs *to,
		    const struct ft_size *size, double limit_s, bool warmup)
{
	const double left_s = m->end_s - ft_clock_s();
	struct ft_runs made = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (left_s <= 0) {
		m->ended = true;
		return CLI_DONE;
	}
	if (left_s < limit_s || (isfinite(left_s) && limit_s <= 0))
		limit_s = left_s;
	if (ft_source_run(source, size, 0, limit_s, &made, &err))
		status = cli_error(&err);
	else if (made.run[0].outcome == FT_INTERRUPTED)
		status = interrupted();
	else if (made.run[0].outcome == FT_TIMED_OUT && limit_s == left_s)
		m->ended = true;
	if (status != CLI_DONE || m->ended) {
		ft_runs_clear(&made);
		return status;
	}
	for (size_t i = 0; i < made.n; i++)
		made.run[i].warmup = warmup;
	return take_run(m->v, to, &made);
}

/* Whether some size is so far over that nothing would change it. */
static bool is_certain(const struct cli_verify *v)
{
	struct ft_verification so_far = {0};
	bool certain = false;

	if (!cli_verify_ask(v, &so_far, NULL))
		for (size_t i = 0; i < so_far.n_checks; i++)
			certain |= so_far.check[i].certain;
	ft_verification_clear(&so_far);
	return certain;
}

/* Old and new in turn; which of them is first, too. */
static int make_both(struct verify_maker *m, size_t i, size_t round)
{
	const bool new_first = (i + round) % 2 && round > 0;
	const struct ft_size *size = &m->v->sizes.size[i];
	int status = CLI_DONE;

	for (int turn = 0; turn < 2 && status == CLI_DONE && !m->ended; turn++) {
		const bool new = (turn == 0) == new_first;

		if (m->old && !new)
			status = make_run(m, m->old, &m->v->before, size, 0, !round);
		else if (new)
			status = make_run(m, m->source, &m->v->runs, size, m->limit_s[i], !round);
		if (m->old && !new &&round <= 1)
			m->limit_s[i] = limit_of(m, i);
	}
	return status;
}

/* A run that had to be ended: larger sizes would only cost more. */
static bool is_ended(const struct cli_verify *v)
{
	return v->runs.n && v->runs.run[v->runs.n - 1].outcome == FT_TIMED_OUT;
}

/* Rounds over all sizes, so that a bad moment does not fall on one size alone; the first run of all is not
 * counted, as in a build. Where some size is surely over no further round would change that. over: a run
 * had to be ended for it. */
static int make_rounds(struct verify_maker *m, size_t from, size_t to, bool *over)
{
	int status = CLI_DONE;

	for (size_t round = from; round <= to && !m->ended; round++) {
		find_limits(m);
		for (size_t i = 0; i < (round ? m->v->sizes.n : 1) && status == CLI_DONE && !m->ended; i++) {
			status = make_both(m, i, round);
			*over = is_ended(m->v) && is_certain(m->v);
			if (*over)
				return status;
		}
		if (status != CLI_DONE || (round && !m->ended && is_certain(m->v)))
			return status;
	}
	return status;
}

static bool breaks(const struct cli_verify *v, enum ft_verdict verdict)
{
	return verdict == FT_VERDICT_OVER || (v->strict && verdict == FT_VERDICT_UNDER);
}

/* Whether the contract is broken so far, and by nothing that a bad moment does not do: it changes no counts
 * and no memory, and times not by so much; old and new runs in turn it changes alike, but for those at its
 * begin and its end, which are not there at two moments: what all sizes say of both is certain. */
static bool is_disturbed(const struct cli_verify *v, size_t moments)
{
	const bool in_turn = v->against && moments > 1;
	struct ft_verification so_far = {0};
	bool disturbed = !cli_verify_ask(v, &so_far, NULL) && !so_far.holds;

	for (size_t i = 0; i < so_far.n_checks; i++) {
		const struct ft_check *check = &so_far.check[i];

		if (breaks(v, check->verdict))
			disturbed &= ft_resource_is_disturbed(check->resource) &&
				     check->value < most_disturbed * check->promised.upper;
	}
	for (size_t i = 0; i < so_far.n_shifts; i++)
		if (breaks(v, so_far.shift[i].verdict))
			disturbed &= ft_resource_is_disturbed(so_far.shift[i].resource) && !in_turn &&
				     so_far.shift[i].lower < most_disturbed;
	ft_verification_clear(&so_far);
	return disturbed;
}

static int pause_for(double seconds)
{
	const double whole = floor(seconds);
	struct timespec left = {(time_t)whole, (long)((seconds - whole) * 1e9)};

	while (nanosleep(&left, &left) && errno == EINTR)
		if (*cli_interrupt_flag())
			return interrupted();
	return CLI_DONE;
}

/* Runs that follow each other at once share what the machine did meanwhile, and are worth one. What they
 * break is run again at other moments, and all runs judge. */
static int run_again(struct verify_maker *m, double began_s)
{
	const double end_s = fmin(m->end_s, began_s + moment_s);
	const size_t rounds = m->v->repetitions;
	double pause_s = first_pause_s;
	size_t made = rounds;
	bool over = false;
	int status = CLI_DONE;

	while (status == CLI_DONE && !over && !m->ended && ft_clock_s() + pause_s < end_s &&
	       is_disturbed(m->v, made / rounds)) {
		status = pause_for(pause_s);
		if (status == CLI_DONE)
			status = make_rounds(m, made + 1, made + rounds, &over);
		made += rounds;
		pause_s *= 2;
	}
	return status;
}

static int make_runs(struct verify_maker *m)
{
	const size_t planned = m->v->repetitions * m->v->sizes.n;
	const double began_s = ft_clock_s();
	bool over = false;
	int status = make_rounds(m, 0, m->v->repetitions, &over);

	if (status == CLI_DONE && !over && !m->ended)
		status = run_again(m, began_s);
	if (status != CLI_DONE)
		return status;
	if (m->ended && m->v->runs.n <= 1)
		return cli_fail("the budget ended before a run did\n"
				"hint: give it more time, or name smaller sizes");
	if (m->ended && m->v->runs.n <= planned)
		cli_note("the budget ended after %zu of %zu runs", m->v->runs.n - 1, planned);
	return CLI_DONE;
}

static int open_sources(struct verify_maker *m, struct ft_launch *old)
{
	struct cli_verify *v = m->v;
	struct ft_err err = {0};

	v->launch.program = &v->program;
	v->launch.threads = v->threads > 1000000 ? 1000000 : (int)v->threads;
	cli_probes_set(&v->probes, &v->launch);
	*old = v->launch;
	old->program = &v->old;
	if (ft_source_open_process(&m->source, &v->launch, &err))
		return cli_error(&err);
	if (v->against && ft_source_open_process(&m->old, old, &err))
		return cli_error_at(&err, "--against");
	cli_signals_catch();
	ft_source_interrupt(m->source, cli_interrupt_flag());
	if (m->old)
		ft_source_interrupt(m->old, cli_interrupt_flag());
	return CLI_DONE;
}

int cli_verify_run(struct cli_verify *v, const struct cli_words *words)
{
	struct verify_maker m = {.v = v,
				 .end_s = v->budget_s > 0 ? ft_clock_s() + v->budget_s : (double)INFINITY};
	struct ft_launch old;
	int status = v->against ? CLI_DONE : set_command(v, words);

	if (status == CLI_DONE)
		status = open_sources(&m, &old);
	m.limit_s = cli_alloc((v->sizes.n + 1) * sizeof *m.limit_s);
	if (status == CLI_DONE)
		status = make_runs(&m);
	if (m.source)
		ft_source_close(m.source);
	if (m.old)
		ft_source_close(m.old);
	free(m.limit_s);
	return status;
}
