/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.c - `foretime profile`: profiles a program at a few sizes, and predicts which function takes most at
 * a larger one. */
#include "cli/profile/profile.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZES_LEAST = 4, SIZES_USUAL = 6, PROGRESSION_MOST = 12, SPREAD = 32 };

static const double usual_budget_s = 120, usual_reach = 10;

/* ---- sizes -------------------------------------------------------------------------------------------- */

static void add_size(struct cli_profile *p, double value)
{
	size_t at = p->n_sizes;

	for (size_t i = 0; i < p->n_sizes; i++)
		if (p->size[i] == value)
			return;
	if (p->n_sizes == CLI_PROFILE_SIZES || !(value > 0))
		return;
	for (; at > 0 && p->size[at - 1] > value; at--)
		p->size[at] = p->size[at - 1];
	p->size[at] = value;
	p->n_sizes++;
}

/* All of a short progression; else evenly spaced in ratio, from the ends inwards. */
static void choose_sizes(struct cli_profile *p)
{
	const struct ft_param *param = &p->program.param[p->varying];
	const struct ft_space space = ft_param_space(param);
	const double count = ft_space_count(&space);
	const bool stated = param->n_list || param->factor > 1;

	if (count <= (stated ? PROGRESSION_MOST : SIZES_USUAL)) {
		for (size_t i = 0; i < (size_t)count; i++)
			add_size(p, ft_space_value(&space, (double)i));
		return;
	}
	double least = param->least > 0 ? param->least : ft_space_value(&space, 1);
	if (param->least <= 0 && param->most / SPREAD > least)
		least = param->most / SPREAD;
	for (size_t i = 0; i < SIZES_USUAL; i++) {
		const double x = least * pow(param->most / least, (double)i / (SIZES_USUAL - 1)),
			     below = fmax(0, ft_space_floor(&space, x * (1 + 1e-12)));
		const double low = ft_space_value(&space, below),
			     high = ft_space_value(&space, fmin(below + 1, count - 1));

		add_size(p, low > 0 && x - low <= high - x ? low : high);
	}
}

/* Parameters but one have one value. */
static int find_varying(struct cli_profile *p)
{
	size_t varying = 0;

	for (size_t i = 0; i < p->program.n_params; i++)
		if (p->program.param[i].least < p->program.param[i].most) {
			p->varying = i;
			varying++;
		}
	if (!varying)
		return cli_fail("missing sizes; usage: foretime profile [NAME] n=1000:32000 -- PROG {n}");
	if (varying > 1)
		return cli_fail("%zu parameters vary, and laws of functions are of one\n"
				"hint: give the other ones one value, as in m=100",
				varying);
	choose_sizes(p);
	if (p->n_sizes >= SIZES_LEAST)
		return CLI_DONE;
	return cli_fail("these are %zu sizes, and laws need %d\nhint: give a range, as in %s=1000:32000",
			p->n_sizes, SIZES_LEAST, p->program.param[p->varying].name);
}

/* ---- the program -------------------------------------------------------------------------------------- */

static int read_stored(struct cli_profile *p, const char *name)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&store, p->store_path, CLI_READ));
	if (ft_store_get_program(store, name, &p->program, &err))
		return cli_error(&err);
	if (p->program.argv && p->program.argc)
		return CLI_DONE;
	return cli_fail("the command of '%s' is not known: its runs come from elsewhere\n"
			"hint: write it behind --",
			name);
}

static int read_program(struct cli_profile *p, const struct cli_words *words)
{
	const size_t first = words->n && !strchr(words->word[0], '=');

	if (!words->n_rest && !first)
		return cli_fail("missing program; usage: foretime profile [NAME] n=1000:32000 -- PROG {n}");
	if (!words->n_rest)
		CLI_TRY(read_stored(p, words->word[0]));
	else
		cli_program_argv(&p->program, words->rest, words->n_rest);
	if (words->n > first)
		p->program.n_params = 0; /* sizes that were typed take the place of stored ones */
	CLI_TRY(cli_program_params(&p->program, words->word + first, words->n - first, false));
	if (first && !p->program.name)
		p->program.name = cli_strdup(words->word[0]);
	cli_program_name(&p->program);
	CLI_TRY(cli_name_check(p->program.name));
	CLI_TRY(find_varying(p));
	/* --at n=300000, or the number alone. */
	const char *name = p->program.param[p->varying].name;
	CLI_OWN char *word =
		p->at && !strchr(p->at, '=') ? cli_printed("%s=%s", name, p->at) : cli_strdup(p->at);
	struct ft_param param;
	struct ft_err err = {0};

	p->asked = NAN;
	if (!word)
		return CLI_DONE;
	if (ft_param_parse(word, &param, &err))
		return cli_error_at(&err, "--at");
	if (strcmp(param.name, name) != 0 || param.least != param.most || !(param.least > 0))
		return cli_fail("--at %s is not one size\nhint: write it as in --at %s=300000", p->at, name);
	p->asked = param.least;
	return CLI_DONE;
}

/* ---- profiles ----------------------------------------------------------------------------------------- */

/* The runs under callgrind. */
struct runner {
	struct cli_profile *p;
	struct ft_profiler *profiler;
	double end_s;
	double n[CLI_PROFILE_SIZES + 1], cost_s[CLI_PROFILE_SIZES + 1]; /* [done] of runs that ended well */
	size_t done, sizes;
	struct ft_err first; /* why the first that failed did */
	bool terminal;
};

/* What is true of the largest profile so far. */
static void take_shares(struct cli_profile *p, const struct ft_profile *profile)
{
	double stripped = 0, most = 0;
	const char *object = NULL;

	for (size_t i = 0; i < profile->n; i++) {
		const struct ft_profile_function *f = &profile->function[i];
		double whole = 0;

		if (!f->nameless)
			continue;
		stripped += f->exclusive;
		if (f->exclusive <= most / 64)
			continue;
		for (size_t k = 0; k < profile->n; k++)
			if (profile->function[k].nameless && !strcmp(profile->function[k].object, f->object))
				whole += profile->function[k].exclusive;
		if (whole > most) {
			most = whole;
			object = f->object;
		}
	}
	free(p->stripped_object);
	p->stripped_object = cli_strdup(object);
	p->stripped = stripped / profile->instructions;
	p->inlined = profile->inlined / profile->instructions;
}

/* How long the next size may take, by the growth of the last two. */
static double expected_s(const struct runner *r, double n)
{
	double power = 1;

	if (!r->done)
		return 0;
	const double last = r->n[r->done - 1], last_s = r->cost_s[r->done - 1];
	for (size_t i = r->done - 1; i-- > 0;)
		if (r->n[i] < last) {
			power = fmax(0.5, log(last_s / r->cost_s[i]) / log(last / r->n[i]));
			break;
		}
	return last_s * pow(fmax(1, n / last), fmin(power * 1.2, 6));
}

/* A profile of a size. *ended: the budget is. */
static int profile_size(struct runner *r, double n, bool *ended)
{
	struct cli_profile *p = r->p;
	struct ft_profile profile;
	struct ft_size size = {.n = p->program.n_params};
	struct ft_err err = {0};
	const double left_s = r->end_s - ft_clock_s();
	double cost_s = 0;
	int status = CLI_DONE;
	bool again = false;

	*ended = left_s <= 0 || expected_s(r, n) > left_s;
	if (*ended)
		return CLI_DONE;
	for (size_t i = 0; i < size.n; i++)
		size.value[i] = i == p->varying ? n : p->program.param[i].least;
	if (r->terminal) {
		char at[FT_NUMBER_LENGTH];

		cli_terminal_again();
		fprintf(stderr, "%s=%s, %zu of %zu sizes", p->program.param[p->varying].name,
			ft_number_format(n, at), r->sizes + 1, p->n_sizes);
		(void)fflush(stderr);
	}
	enum ft_status result = ft_profiler_run(r->profiler, &p->program, &size, left_s, cli_interrupt_flag(),
						&profile, &cost_s, &err);
	if (r->terminal)
		cli_terminal_again();
	if (*cli_interrupt_flag()) {
		ft_profile_clear(&profile);
		(void)cli_fail("interrupted");
		return CLI_INTERRUPTED;
	}
	for (size_t i = 0; i < r->done; i++)
		again = again || r->n[i] == n;
	if (!result)
		result = ft_functions_add(&p->functions, n, &profile, &err);
	if (result == FT_EUNAVAIL) { /* this size failed, others need not */
		*ended = ft_clock_s() >= r->end_s;
		if (!*ended && p->n_failures < CLI_PROFILE_SIZES)
			p->failure[p->n_failures++] = (struct cli_profile_failure){n, cli_strdup(err.text)};
		if (!r->first.status)
			r->first = err;
	} else if (result) {
		status = cli_error(&err);
	} else {
		if (n >= p->most)
			take_shares(p, &profile);
		p->least = r->done ? fmin(p->least, n) : n;
		p->most = fmax(p->most, n);
		p->forked = p->forked || profile.forked;
		for (size_t i = 0; i < profile.n; i++) /* of the C library: what a thread begins with */
			p->threaded |= !strcmp(profile.function[i].name, "start_thread");
		r->sizes += !again;
		r->n[r->done] = n;
		r->cost_s[r->done++] = fmax(1e-3, cost_s);
	}
	ft_profile_clear(&profile);
	return status;
}

/* Where the budget ended early: sizes between those that were profiled, in the widest gap. */
static int fill_between(struct runner *r)
{
	struct cli_profile *p = r->p;
	const struct ft_space space = ft_param_space(&p->program.param[p->varying]);

	for (size_t turn = 0; r->sizes < SIZES_LEAST && r->done >= 2 && turn < SIZES_LEAST; turn++) {
		double best = NAN, widest = 1;
		bool ended;

		for (size_t i = 0; i < r->done; i++) {
			double next = INFINITY;

			for (size_t k = 0; k < r->done; k++)
				if (r->n[k] > r->n[i])
					next = fmin(next, r->n[k]);
			const double middle =
				ft_space_value(&space, ft_space_floor(&space, sqrt(next * r->n[i])));
			if (isfinite(next) && next / r->n[i] > widest && middle > r->n[i]) {
				widest = next / r->n[i];
				best = middle;
			}
		}
		if (isnan(best))
			return CLI_DONE;
		CLI_TRY(profile_size(r, best, &ended));
		if (ended)
			return CLI_DONE;
	}
	return CLI_DONE;
}

/* The smallest size twice, to see whether counts are the same each time; then the others. */
static int profile_sizes(struct runner *r)
{
	struct cli_profile *p = r->p;
	bool ended = false, twice = false;

	for (size_t i = 0; i < p->n_sizes && !ended; i++) {
		CLI_TRY(profile_size(r, p->size[i], &ended));
		if (!ended && r->done == 1 && !twice) {
			twice = true;
			CLI_TRY(profile_size(r, p->size[i], &ended));
		}
	}
	if (ended && r->sizes < SIZES_LEAST)
		CLI_TRY(fill_between(r));
	return CLI_DONE;
}

static int judge_profiles(const struct runner *r)
{
	const struct cli_profile *p = r->p;
	const char *name = p->program.param[p->varying].name;
	char at[2][FT_NUMBER_LENGTH];

	if (r->sizes >= SIZES_LEAST) {
		for (size_t i = 0; i < p->n_failures; i++)
			cli_note("%s=%s was left out: %s", name, ft_number_format(p->failure[i].n, at[0]),
				 p->failure[i].why);
		if (p->most < p->size[p->n_sizes - 1] && !p->n_failures)
			cli_note("the budget ended at %s=%s of %s: a longer one (--budget) reaches larger "
				 "sizes",
				 name, ft_number_format(p->most, at[0]),
				 ft_number_format(p->size[p->n_sizes - 1], at[1]));
		return CLI_DONE;
	}
	if (r->first.status && p->n_failures)
		return cli_error_at(&r->first, "%zu of %zu sizes could be profiled, and laws need %d; %s=%s",
				    r->sizes, p->n_sizes, SIZES_LEAST, name,
				    ft_number_format(p->failure[0].n, at[0]));
	return cli_fail("the budget ended after %zu of %zu sizes, and laws need %d\n"
			"hint: give it more time (--budget 10min), or begin with smaller sizes: valgrind "
			"takes some 50 times as long as the program",
			r->sizes, p->n_sizes, SIZES_LEAST);
}

/* Profile the sizes, within the budget. */
static int profile_run(struct cli_profile *p)
{
	struct runner r = {.p = p, .terminal = isatty(STDERR_FILENO)};
	struct ft_err err = {0};
	const double began_s = ft_clock_s();

	r.end_s = began_s + p->budget_s;
	if (ft_profiler_open(&r.profiler, p->threads > 1000000 ? 1000000 : (int)p->threads, &err))
		return cli_error(&err);
	cli_signals_catch();
	int status = profile_sizes(&r);
	ft_profiler_close(r.profiler);
	p->took_s = ft_clock_s() - began_s;
	return status == CLI_DONE ? judge_profiles(&r) : status;
}

/* ---- keeping ------------------------------------------------------------------------------------------ */

/* A name that the store takes: what it refuses becomes '_', and a second one of the same name gets a number. */
static char *routine_name(const struct cli_profile *p, char *const *taken, size_t n,
			  const struct ft_function *function)
{
	CLI_OWN char *name = cli_profile_name(function);
	char *routine;
	const size_t most =
		190 - fmin(100, (double)strlen(p->program.name)) > 0 ? 190 - strlen(p->program.name) : 32;

	for (char *c = name; *c; c++)
		if (strchr(" '\"`\\$=/{}", *c) || (unsigned char)*c < ' ' || (unsigned char)*c >= 127)
			*c = '_';
	if (*name == '-' || *name == '.')
		*name = '_';
	if (strlen(name) > most)
		name[most] = '\0';
	routine = cli_strdup(name);
	for (size_t i = 0, copy = 2; i < n; i++)
		if (!strcmp(taken[i], routine)) {
			cli_reprint(&routine, "%s-%zu", name, copy++);
			i = SIZE_MAX; /* from the first one again */
		}
	return routine;
}

static enum ft_status keep_function(struct ft_store *store, const struct cli_profile *p, int64_t machine,
				    const struct ft_function *function, char *routine, struct ft_err *err)
{
	const double *count = p->inclusive ? function->inclusive : function->exclusive;

	for (size_t i = 0; i < p->functions.profiles; i++) {
		struct ft_run run = {.routine = routine, .outcome = FT_DONE};

		run.size.n = p->program.n_params;
		for (size_t k = 0; k < run.size.n; k++)
			run.size.value[k] =
				k == p->varying ? p->functions.size[i] : p->program.param[k].least;
		enum ft_status status =
			ft_run_add(&run, &ft_instructions, count[i], FT_SIMULATED, "callgrind", NULL, err);
		if (!status)
			status = ft_store_keep_run(store, &p->program, machine, &run, err);
		run.routine = NULL; /* borrowed */
		ft_run_clear(&run);
		FT_TRY(status);
	}
	return FT_OK;
}

static enum ft_status keep_all(struct ft_store *store, const struct cli_profile *p, int64_t machine,
			       char **routine, size_t n, struct ft_err *err)
{
	FT_TRY(ft_store_begin(store, err));
	enum ft_status status = FT_OK;
	for (size_t i = 0; i < n && !status; i++)
		status = keep_function(store, p, machine, &p->functions.function[i], routine[i], err);
	return ft_store_end(store, status, err);
}

/* Keep the counts of the functions that the table has, as runs of NAME/FUNCTION. */
static int profile_save(struct cli_profile *p)
{
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	const size_t n = cli_profile_shown(p);
	CLI_OWN char **routine = cli_alloc((n + 1) * sizeof *routine);
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&store, p->store_path, CLI_WRITE));
	if (ft_machine_read("", &machine, &err) || ft_store_put_machine(store, &machine, &err) ||
	    (!p->program.hash && ft_program_hash(&p->program, &p->program.hash, &err)))
		return cli_error(&err);
	CLI_TRY(cli_program_put(store, &p->program));
	for (size_t i = 0; i < n; i++)
		routine[i] = routine_name(p, routine, i, &p->functions.function[i]);
	int status = keep_all(store, p, machine.id, routine, n, &err) ? cli_error(&err) : CLI_DONE;
	if (status == CLI_DONE && n)
		cli_note("%zu function%s kept: foretime predict '%s/%s' %s=... -r instructions", n,
			 n == 1 ? " is" : "s are", p->program.name, routine[0],
			 p->program.param[p->varying].name);
	for (size_t i = 0; i < n; i++)
		free(routine[i]);
	return status;
}

/* ---- the command -------------------------------------------------------------------------------------- */

static int profile(struct cli_profile *p, const struct cli_words *words)
{
	struct ft_err err = {0};

	CLI_TRY(read_program(p, words));
	CLI_TRY(profile_run(p));
	if (isnan(p->asked))
		p->asked = usual_reach * p->most;
	const struct ft_functions_query query = {.at = p->asked,
						 .confidence = p->confidence,
						 .inclusive = p->inclusive,
						 .parameter = p->program.param[p->varying].name};
	if (ft_functions_fit(&p->functions, &query, &err))
		return cli_error(&err);
	if (p->json)
		cli_profile_print_json(p);
	else if (p->csv)
		cli_profile_print_csv(p);
	else
		cli_profile_report(p);
	if (p->plot_path)
		CLI_TRY(cli_profile_draw(p));
	return p->save ? profile_save(p) : CLI_DONE;
}

static int run_profile(const struct cli_command *command, int argc, char **argv)
{
	struct cli_profile p = {.budget_s = usual_budget_s, .confidence = 0.9};
	const struct ft_field options[] = {
		{0, "at", FT_FIELD_TEXT, &p.at, "n=SIZE",
		 "size to predict; default: ten times the largest that was profiled"},
		{'b', "budget", FT_FIELD_DURATION, &p.budget_s, "T",
		 "total time of the runs under valgrind; default 2min"},
		{'i', "inclusive", FT_FIELD_FLAG, &p.inclusive, NULL,
		 "count with each function all that it calls"},
		{'o', "output", FT_FIELD_TEXT, &p.plot_path, "FILE",
		 "write the shares over the sizes as a picture, .svg or .png", .not_with = "inclusive"},
		CLI_DARK_OPTION(p.dark),
		{0, "save", FT_FIELD_FLAG, &p.save, NULL,
		 "keep models NAME/FUNCTION of those in the table, for foretime predict"},
		{'c', "confidence", FT_FIELD_SHARE, &p.confidence, "C",
		 "share of future runs inside the interval; default 90%", .least = FT_CONFIDENCE_LEAST,
		 .most = FT_CONFIDENCE_MOST},
		CLI_VERBOSE(p.verbose),
		CLI_FORMAT("text|json|csv", "text (default), json, or csv: all functions"),
		{0, "json", FT_FIELD_FLAG, &p.json, NULL, "print one JSON object", .not_with = "csv"},
		{0, "csv", FT_FIELD_FLAG, &p.csv, NULL, "print all functions as CSV"},
		{0, "store", FT_FIELD_TEXT, &p.store_path, "PATH", "the store; default $FORETIME_STORE"},
		CLI_GROUP("how the program is run"),
		{0, "threads", FT_FIELD_COUNT, &p.threads, "K", "set OMP_NUM_THREADS and the like"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status == CLI_GO)
		status = profile(&p, &words);
	for (size_t i = 0; i < p.n_failures; i++)
		free(p.failure[i].why);
	free(p.stripped_object);
	ft_functions_clear(&p.functions);
	ft_program_clear(&p.program);
	return status;
}

const struct cli_command cli_profile = {
	"profile",
	"predict which function takes most at larger sizes",
	"[NAME] n=1000:32000 [m=100] [--at n=300000] [OPTION...] -- PROG ARG... {n} ...\n"
	"NAME [n=1000:32000] [OPTION...]",
	"Counts the instructions of each function under valgrind at a few sizes, and fits a law to each.\n"
	"Exit status: 0 done, 2 wrong use or failure.\n",
	NULL,
	run_profile,
};
