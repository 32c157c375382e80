/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - the new runs of a contract: made here, or read from files. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/verify/verify.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * The sizes at which a contract is checked.
 */

static int compare_sizes(const void *a, const void *b)
{
	return ft_size_compare(a, b);
}

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

/* The parameter along which sizes are swept: of those in which runs differ the first without a value. */
static size_t choose_swept(const struct cli_verify *v, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(v->models.answerer, axis), a, i;

	for (a = 0; a < n; a++) {
		const char *name = program->param[axis[a]].name;
		size_t length = strlen(name);

		for (i = 1; i < words->n &&
			    (strncmp(words->word[i], name, length) != 0 || words->word[i][length] != '=');)
			i++;
		if (i == words->n)
			return axis[a];
	}
	return axis[0];
}

/* The values of the other parameters: typed, or the only one of the runs. */
static int read_fixed(const struct cli_verify *v, const struct cli_words *words, size_t varying,
		      struct ft_size *fixed)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	const char *name[FT_PARAMS_MAX] = {program->param[varying].name};
	double value[FT_PARAMS_MAX] = {program->param[varying].most};
	struct ft_err err = {0};

	if (words->n > FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	for (size_t i = 1; i < words->n; i++) {
		struct ft_param param;

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		int at = ft_program_find_param(program, param.name);
		if (at == (int)varying || param.least != param.most)
			return cli_fail("'%s' and --sweep exclude each other", words->word[i]);
		name[i] = at < 0 ? words->word[i] : program->param[at].name;
		value[i] = param.least;
	}
	return ft_ask_size(v->models.answerer, name, value, words->n, fixed, &err) ? cli_error(&err)
										   : CLI_DONE;
}

static int sweep_sizes(struct cli_verify *v, const struct cli_words *words)
{
	size_t varying = choose_swept(v, words);
	struct ft_err err = {0};
	struct ft_size fixed;

	CLI_TRY(read_fixed(v, words, varying, &fixed));
	v->sizes.size = cli_alloc(FT_SWEEP_SIZES * sizeof *v->sizes.size);
	if (ft_ask_sweep(v->models.answerer, &fixed, varying, v->sizes.size, &v->sizes.n, &err))
		return cli_error(&err);
	if (v->sizes.n >= 3)
		return CLI_DONE;
	return cli_fail("a sweep needs three sizes that were measured within a factor of 16, and there are "
			"%zu\n"
			"hint: measure more with foretime build, or name sizes",
			v->sizes.n);
}

int cli_verify_sizes(struct cli_verify *v, const struct cli_words *words)
{
	int status = CLI_DONE;

	for (size_t i = 1; i < words->n; i++)
		if (!strchr(words->word[i], '='))
			return cli_fail("unexpected argument '%s'\n"
					"hint: put the command after --; a size is written as in n=2048",
					words->word[i]);
	if (v->sweep)
		status = sweep_sizes(v, words);
	else if (words->n > 1 || !v->paths.n)
		status = cli_sizes_find(&v->sizes, v->models.answerer, words, NULL);
	if (v->sizes.n)
		qsort(v->sizes.size, v->sizes.n, sizeof *v->sizes.size, compare_sizes);
	return status;
}

/* ---- without a store ---------------------------------------------------------------------------------- */

static int set_params(struct ft_program *program, const struct ft_values *values)
{
	struct ft_err err = {0};

	program->n_params = values->n;
	for (size_t i = 0; i < values->n; i++) {
		char *word = cli_printed("%s=1", values->axis[i].name);
		enum ft_status status = ft_param_parse(word, &program->param[i], &err);

		free(word);
		if (status)
			return cli_error(&err);
	}
	return CLI_DONE;
}

static int set_programs(struct cli_verify *v, const struct cli_words *words)
{
	char **word;
	size_t n;

	if (!words->n_rest)
		return cli_fail("--against compares it with which program?\n"
				"hint: write the new one behind --, as in --against 'old {n}' -- new {n}");
	if (cli_words_split(v->against, &word, &n) != CLI_DONE) {
		cli_hint("--against takes the old command in one text, as in --against 'old {n}'");
		return CLI_WRONG;
	}
	v->old.argv = word;
	v->old.argc = n;
	cli_program_argv(&v->program, words->rest, words->n_rest);
	return CLI_DONE;
}

int cli_verify_pair(struct cli_verify *v, const struct cli_words *words)
{
	size_t first = words->n && !strchr(words->word[0], '='), i;
	FT_CLEANUP(ft_values_clear) struct ft_values values = {0};
	int status = set_programs(v, words);

	for (i = first; i < words->n && status == CLI_DONE; i++)
		status = cli_values_add(&values, words->word[i]);
	if (status == CLI_DONE && !values.n) {
		(void)cli_fail("at which sizes?\nhint: write n=1000:16000:*2, or n=1000,4000,16000");
		status = CLI_WRONG;
	}
	if (status == CLI_DONE)
		status = cli_values_count(&values, words->word[words->n - 1]);
	if (status == CLI_DONE)
		status = set_params(&v->program, &values);
	if (status == CLI_DONE)
		status = set_params(&v->old, &values);
	if (status == CLI_DONE) {
		/* All combinations of the values, in the order of the program's parameters. */
		const char *name[FT_PARAMS_MAX];
		size_t step[FT_PARAMS_MAX] = {0};
		struct ft_size size = {.n = values.n};

		do {
			ft_values_get(&values, step, name, size.value);
			add_size(&v->sizes, &size);
		} while (ft_values_next(&values, step));
		qsort(v->sizes.size, v->sizes.n, sizeof *v->sizes.size, compare_sizes);
		if (first)
			v->program.name = cli_strdup(words->word[0]);
		else
			cli_program_name(&v->program);
	}
	return status;
}

/*
 * The new runs of a contract: made here, or read from files.
 */

/* A contract that breaks within this time may be a short disturbance: it is run again after the first
 * pause, then after twice that, and so on (doc/constants-answers.md). */
static const double moment_s = 12, first_pause_s = 0.5;

/* ---- from files --------------------------------------------------------------------------------------- */

static bool is_wanted(const struct cli_verify *v, const struct ft_size *size)
{
	for (size_t i = 0; i < v->sizes.n; i++)
		if (ft_size_equal(&v->sizes.size[i], size))
			return true;
	return !v->sizes.n;
}

/* Of the requested sizes; models have no prediction for invalid ones. */
int cli_verify_read(struct cli_verify *v)
{
	int status = cli_reading_of(&v->reading, &v->paths, &v->program, &v->runs);
	size_t kept = 0, senseless = 0;
	struct ft_err err = {0};

	if (status != CLI_DONE)
		return status;
	for (size_t i = 0; i < v->runs.n; i++) {
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
	if (words->n_rest) {
		for (size_t i = 0; i < v->program.argc; i++)
			free(v->program.argv[i]);
		free(v->program.argv);
		v->program.argv = NULL;
		v->program.argc = 0;
		cli_program_argv(&v->program, words->rest, words->n_rest);
	}
	if (v->program.argv)
		return CLI_DONE;
	return cli_fail("the command of '%s' is not known: its runs come from elsewhere\n"
			"hint: write it behind --, or give the new runs: --replay FILE",
			v->program.name);
}

/* The run that the models are of: the routine's, or that of the process. */
static int take_run(struct cli_verify *v, struct ft_runs *to, struct ft_runs *made)
{
	const char *routine = strrchr(v->program.name, '/');
	struct ft_err err = {0};
	size_t at = 0;
	int status = CLI_DONE;

	for (size_t i = 0; routine && i < made->n; i++)
		if (made->run[i].routine && !strcmp(made->run[i].routine, routine + 1))
			at = i;
	for (size_t i = 1; !routine && !v->unverified && i < made->n; i++)
		if (made->run[i].routine)
			v->unverified = cli_strdup(made->run[i].routine);
	if (ft_runs_take(to, &made->run[at], &err))
		status = cli_error(&err);
	ft_runs_clear(made);
	return status;
}

/* The source of runs. */
struct verify_maker {
	struct cli_verify *v;
	struct ft_source *source, *old; /* old NULL: compared with models */
	double *limit_s;                /* [sizes], under the load of this moment */
	double end_s;                   /* end of the budget; INFINITY: none */
	bool ended;                     /* the budget is used up, or the verdict is certain */
};

/* Compared with old runs: the time after which a new one has surely failed. */
static double limit_compared(const struct cli_verify *v, size_t i)
{
	return v->timeout_s > 0 ? v->timeout_s : ft_verify_limit(&v->before, &v->sizes.size[i]);
}

static void set_limits(struct verify_maker *m)
{
	const struct cli_verify *v = m->v;

	if (!m->old && !(v->timeout_s > 0))
		ft_ask_verify_limits(v->models.answerer, v->sizes.size, v->sizes.n, m->limit_s);
	else
		for (size_t i = 0; i < v->sizes.n; i++)
			m->limit_s[i] = limit_compared(v, i);
}

static int interrupted(void)
{
	(void)cli_fail("interrupted: nothing is decided");
	return CLI_INTERRUPTED;
}

/* One run; a run ended by the budget is not kept. */
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

/* The share of the risk that the last look at pairs has, and that of each look before it: they go on as long as
 * they need to, and a look that breaks a contract early has to be much surer (Haybittle 1971, Peto 1976). */
static const double final_risk = 0.75, early_risk = 0.05;

/* Compare the runs so far, at a share of the risk. */
static enum ft_status ask_at(const struct cli_verify *v, double share, struct ft_verification *out,
			     struct ft_err *err)
{
	const struct ft_resource *resource[FT_FIELD_TEXTS_MOST];
	const double joint = share < 1 ? fmin(1 - share * (1 - v->confidence), 0.9999) : v->confidence;
	struct ft_verify_options options = {resource, 0, joint, v->strict};

	for (size_t i = 0; i < v->n_resources; i++)
		if (cli_verify_has_new(v, v->resource[i]))
			resource[options.n++] = v->resource[i];
	*out = (struct ft_verification){.holds = true};
	if (!options.n)
		return FT_OK;
	FT_TRY(v->against ? ft_verify_against(&v->before, &v->runs, &options, out, err)
			  : ft_ask_verify(v->models.answerer, &v->runs, &options, out, err));
	out->confidence = v->confidence;
	return FT_OK;
}

/* Whether some size is so far off that further runs would not change the verdict. */
static bool is_certain(const struct cli_verify *v)
{
	FT_CLEANUP(ft_verification_clear) struct ft_verification so_far = {0};
	bool certain = !cli_verify_ask(v, &so_far, NULL) && ft_verification_is_certain(&so_far);

	return certain;
}

/* Old and new runs alternate, and so does which comes first. */
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
			m->limit_s[i] = limit_compared(m->v, i);
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
		set_limits(m);
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

static int pause_for(double seconds)
{
	const double whole = floor(seconds);
	struct timespec left = {(time_t)whole, (long)((seconds - whole) * 1e9)};

	while (nanosleep(&left, &left) && errno == EINTR)
		if (*cli_interrupt_flag())
			return interrupted();
	return CLI_DONE;
}

/* What the runs so far make of the next ones. */
enum next { NEXT_NONE, NEXT_AT_ONCE, NEXT_LATER };

/* A contract that is broken, but in a way that a short disturbance explains, is run again later. Pairs go on at
 * once until they see enough. */
static enum next look(const struct cli_verify *v, bool again)
{
	FT_CLEANUP(ft_verification_clear) struct ft_verification early = {0}, final = {0};
	const bool failed = ask_at(v, v->sequential ? early_risk : 1, &early, NULL);

	if (failed || (v->sequential && early.holds && cli_verify_ask(v, &final, NULL)))
		return NEXT_NONE;
	if (!early.holds)
		return ft_verification_is_disturbed(&early, v->strict, v->against && again) ? NEXT_LATER
											    : NEXT_NONE;
	if (!v->sequential || !ft_verification_is_open(&final))
		return NEXT_NONE;
	return final.holds ? NEXT_AT_ONCE : NEXT_LATER;
}

/* Runs that follow each other at once share what the machine did meanwhile, and are worth one. What they
 * break is run again at other moments, and all runs judge. */
static int run_again(struct verify_maker *m, double began_s)
{
	const bool sequential = m->v->sequential;
	const double end_s = sequential && isfinite(m->end_s) ? m->end_s : fmin(m->end_s, began_s + moment_s);
	const size_t first = m->v->repetitions;
	double pause_s = first_pause_s;
	size_t made = first;
	bool over = false;
	int status = CLI_DONE;

	while (status == CLI_DONE && !over && !m->ended) {
		const enum next next = look(m->v, made > first);
		const double left_s = end_s - ft_clock_s() - (next == NEXT_LATER ? pause_s : 0);
		const double fit = (double)made * left_s / (ft_clock_s() - began_s);
		size_t rounds = first;

		if (next == NEXT_NONE || left_s <= 0 || (sequential && fit < 1))
			break;
		if (sequential) /* looks at ever longer distances */
			rounds = (size_t)fmin(fit, 1 + (double)made / 4);
		if (next == NEXT_LATER) {
			status = pause_for(pause_s);
			pause_s *= 2;
		}
		if (status == CLI_DONE)
			status = make_rounds(m, made + 1, made + rounds, &over);
		made += rounds;
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

enum ft_status cli_verify_ask(const struct cli_verify *v, struct ft_verification *out, struct ft_err *err)
{
	return ask_at(v, v->sequential ? final_risk : 1, out, err);
}

bool cli_verify_has_new(const struct cli_verify *v, const struct ft_resource *resource)
{
	for (size_t i = 0; i < v->runs.n; i++)
		if (!v->runs.run[i].warmup &&
		    (!isnan(ft_run_value(&v->runs.run[i], resource)) ||
		     (v->runs.run[i].outcome == FT_TIMED_OUT && resource == &ft_wall_s)))
			return true;
	return false;
}
