/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - whether new runs keep what the models promise, and grow as they do; for a CI. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP_SIZES = 5 };
/* A sweep goes down to this share of the largest size measured: start-up does not hide the growth there. */
static const double sweep_down = 1.0 / 16;

/* A run is ended after so many times what was promised, and not before so many seconds. */
static const double patience = 10, patience_least_s = 10;

/* ---- which sizes -----------------------------------------------------------------------------------------
 */

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Sizes measured, ascending and different, of one parameter; ends with free. */
static double *measured(const struct cli_verify *v, size_t param, size_t *n)
{
	const struct ft_runs *runs = ft_ask_runs(v->models.answerer);
	double *x = cli_alloc((runs->n + 1) * sizeof *x);
	size_t i, kept = 0, count = 0;

	for (i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE && !runs->run[i].warmup &&
		    runs->run[i].size.value[param] > 0)
			x[count++] = runs->run[i].size.value[param];
	qsort(x, count, sizeof *x, compare_doubles);
	for (i = 0; i < count; i++)
		if (!kept || x[i] > x[kept - 1])
			x[kept++] = x[i];
	*n = kept;
	return x;
}

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, &sizes->capacity, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

/* The parameter along which sizes are swept: of those in which runs differ the first without a value. */
static size_t swept(const struct cli_verify *v, const struct cli_words *words)
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

/* Some of the sizes that were measured, evenly in ln size, with the largest. */
static int sweep_sizes(struct cli_verify *v, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	size_t varying = swept(v, words), n, i, j;
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX], *x;
	struct ft_err err = {0};
	struct ft_size size;
	int status = CLI_DONE;

	if (words->n > FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	for (i = 1; i < words->n; i++) {
		struct ft_param param;
		int at;

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		at = ft_program_find_param(program, param.name);
		if (at == (int)varying || param.least != param.most)
			return cli_fail("'%s' and --sweep exclude each other", words->word[i]);
		name[i] = at < 0 ? words->word[i] : program->param[at].name;
		value[i] = param.least;
	}
	name[0] = program->param[varying].name;
	x = measured(v, varying, &n);
	for (i = 0; i < SWEEP_SIZES && n && status == CLI_DONE; i++) {
		double least = fmax(x[0], sweep_down * x[n - 1]);
		double wanted = least * pow(x[n - 1] / least, (double)i / (SWEEP_SIZES - 1));

		for (j = 0; j + 1 < n && fabs(log(x[j + 1] / wanted)) <= fabs(log(x[j] / wanted));)
			j++;
		value[0] = x[j];
		if (ft_ask_size(v->models.answerer, name, value, words->n, &size, &err))
			status = cli_error(&err);
		else if (!v->sizes.n || !ft_size_equal(&size, &v->sizes.size[v->sizes.n - 1]))
			add_size(&v->sizes, &size);
	}
	free(x);
	if (status == CLI_DONE && v->sizes.n < 3) {
		(void)cli_fail("a sweep needs three sizes that were measured within a factor of 16, and "
			       "there are %zu",
			       v->sizes.n);
		cli_hint("measure more with foretime build, or name sizes");
		return CLI_NO;
	}
	return status;
}

/* ---- new runs from a file --------------------------------------------------------------------------------
 */

static bool is_wanted(const struct cli_verify *v, const struct ft_size *size)
{
	size_t i;

	for (i = 0; i < v->sizes.n; i++)
		if (ft_size_equal(&v->sizes.size[i], size))
			return true;
	return !v->sizes.n;
}

/* Of those that are wanted; models say nothing of sizes that make no sense. */
static int read_runs(struct cli_verify *v)
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
	if (!kept) {
		(void)cli_fail("'%s'%s no run of these sizes", v->paths.text[0],
			       v->paths.n > 1 ? " and the other files have" : " has");
		cli_hint("leave the sizes out: every run of the file is then checked");
		return CLI_WRONG;
	}
	return CLI_DONE;
}

/* ---- new runs of the program -----------------------------------------------------------------------------
 */

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
	(void)cli_fail("the command of '%s' is not known: its runs come from elsewhere", v->program.name);
	cli_hint("write it behind --, or give the new runs: --runs FILE");
	return CLI_WRONG;
}

/* After so long nothing can be saved any more. */
static double limit_of(const struct cli_verify *v, const struct ft_size *size)
{
	struct ft_prediction p;

	if (v->timeout_s > 0)
		return v->timeout_s;
	if (ft_ask_predict(v->models.answerer, "wall_s", size, 0.99, &p, NULL))
		return 0;
	return fmax(patience_least_s, patience * p.upper);
}

/* Whether the load of this moment can be seen: time limits are then those of a machine as busy as it is. */
static void ask_under(const struct cli_verify *v, enum ft_load_view view)
{
	struct ft_ask_load load = {.view = view}, idle = {.view = FT_LOAD_IDLE};
	const struct ft_size any = cli_models_any_size(&v->models);
	struct ft_prediction p;

	ft_ask_under(v->models.answerer, &load);
	if (ft_ask_predict(v->models.answerer, "wall_s", &any, 0.99, &p, NULL) == FT_EUNAVAIL)
		ft_ask_under(v->models.answerer, &idle);
}

/* The run that the models are of: the routine's, or that of the process. */
static int take_run(struct cli_verify *v, struct ft_runs *made)
{
	const char *routine = strrchr(v->program.name, '/');
	struct ft_err err = {0};
	size_t i, at = 0;
	int status = CLI_DONE;

	for (i = 0; routine && i < made->n; i++)
		if (made->run[i].routine && !strcmp(made->run[i].routine, routine + 1))
			at = i;
	if (ft_runs_take(&v->runs, &made->run[at], &err))
		status = cli_error(&err);
	ft_runs_clear(made);
	return status;
}

/* Rounds over all sizes, so that a bad moment does not fall on one size alone; the first run of all is not
 * counted, as in a build. */
static int make_runs(struct cli_verify *v, struct ft_source *source)
{
	size_t round, i;

	for (round = 0; round <= v->repetitions; round++)
		for (i = 0; i < (round ? v->sizes.n : 1); i++) {
			struct ft_runs made = {0};
			struct ft_err err = {0};

			if (ft_source_run(source, &v->sizes.size[i], 0, limit_of(v, &v->sizes.size[i]), &made,
					  &err)) {
				ft_runs_clear(&made);
				return cli_error(&err);
			}
			if (made.run[0].outcome == FT_INTERRUPTED) {
				ft_runs_clear(&made);
				return cli_fail("interrupted: nothing is decided"), CLI_INTERRUPTED;
			}
			made.run[0].warmup = !round;
			if (take_run(v, &made) != CLI_DONE)
				return CLI_WRONG;
		}
	return CLI_DONE;
}

static int run_program(struct cli_verify *v)
{
	struct ft_source *source;
	struct ft_err err = {0};
	int status;

	v->launch.program = &v->program;
	v->launch.threads = v->threads > 1000000 ? 1000000 : (int)v->threads;
	if (ft_source_open_process(&source, &v->launch, &err))
		return cli_error(&err);
	cli_signals_catch();
	ft_source_interrupt(source, cli_interrupt_flag());
	ask_under(v, FT_LOAD_NOW);
	status = make_runs(v, source);
	ask_under(v, FT_LOAD_IDLE);
	ft_source_close(source);
	return status;
}

/* Runs that did not end well decide nothing, but for those that time or memory ended. */
static int check_outcomes(struct cli_verify *v)
{
	char at[256];
	size_t i;

	for (i = 0; i < v->runs.n; i++) {
		const struct ft_run *run = &v->runs.run[i];
		char *why;

		if (run->outcome == FT_DONE || run->outcome == FT_TIMED_OUT)
			continue;
		(void)ft_size_format(&v->program, &run->size, at, sizeof at);
		why = cli_failure_text(run->outcome, run, run->detail);
		(void)cli_fail("a run at %s: %s", at, why);
		free(why);
		if (run->outcome != FT_OUT_OF_MEMORY)
			return CLI_WRONG;
		v->killed = true;
	}
	return CLI_DONE;
}

/* ---- which resources -------------------------------------------------------------------------------------
 */

static bool has_new(const struct cli_verify *v, const char *resource)
{
	size_t i;

	for (i = 0; i < v->runs.n; i++)
		if (!v->runs.run[i].warmup &&
		    (!isnan(ft_run_value(&v->runs.run[i], resource)) ||
		     (v->runs.run[i].outcome == FT_TIMED_OUT && !strcmp(resource, "wall_s"))))
			return true;
	return false;
}

static bool has_model(const struct cli_verify *v, const char *resource)
{
	const struct ft_resource *each;
	size_t i;

	for (i = 0; (each = ft_ask_resource(v->models.answerer, i)); i++)
		if (!strcmp(each->name, resource))
			return true;
	return false;
}

static bool add_resource(struct cli_verify *v, const char *resource)
{
	if (!has_model(v, resource) || !has_new(v, resource))
		return false;
	v->resource[v->n_resources++] = resource;
	return true;
}

static int choose_resources(struct cli_verify *v)
{
	size_t i;

	for (i = 0; i < v->resources.n; i++) {
		const char *resource = cli_models_resource(&v->models, v->resources.text[i]);

		if (!resource)
			return CLI_WRONG;
		if (!add_resource(v, resource))
			return cli_fail("no new run has a value of '%s'", resource);
	}
	if (v->n_resources)
		return CLI_DONE;
	(void)add_resource(v, "wall_s");
	if (!add_resource(v, "peak_tree_bytes"))
		(void)add_resource(v, "peak_rss_bytes");
	if (v->n_resources || v->killed)
		return CLI_DONE;
	(void)cli_fail("the new runs have neither wall_s nor a peak memory that was measured before");
	cli_hint("name what to compare: --resource R; foretime show %s lists what was measured",
		 v->program.name);
	return CLI_WRONG;
}

static int answer(struct cli_verify *v)
{
	struct ft_err err = {0};

	v->verified.holds = true;
	const struct ft_verify_options options = {v->resource, v->n_resources, v->confidence, v->strict};
	if (v->n_resources && ft_ask_verify(v->models.answerer, &v->runs, &options, &v->verified, &err))
		return cli_error(&err);
	if (v->json)
		cli_verify_json(v);
	else if (v->n_resources)
		cli_verify_text(v);
	cli_verify_complain(v);
	return v->verified.holds && !v->killed ? CLI_DONE : CLI_NO;
}

static int get_runs(struct cli_verify *v, const struct cli_words *words)
{
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_program_copy(&v->program, ft_ask_program(v->models.answerer), &err))
		return cli_error(&err);
	if (v->paths.n && (words->separated || v->sweep))
		return cli_fail("--runs excludes %s", v->sweep ? "--sweep" : "a program to run");
	if (v->sweep)
		status = sweep_sizes(v, words);
	else if (words->n > 1 || !v->paths.n)
		status = cli_sizes_find(&v->sizes, v->models.answerer, words, NULL);
	if (status == CLI_DONE && !v->paths.n)
		status = set_command(v, words);
	if (status == CLI_DONE)
		status = v->paths.n ? read_runs(v) : run_program(v);
	if (status == CLI_DONE)
		status = check_outcomes(v);
	return status == CLI_DONE ? choose_resources(v) : status;
}

static int verify(struct cli_verify *v, const struct cli_words *words)
{
	int status;

	if (!words->n || strchr(words->word[0], '=')) {
		(void)cli_fail("which contract? its NAME stands before the sizes");
		cli_hint("foretime list shows the names");
		return CLI_WRONG;
	}
	if (!v->repetitions)
		return cli_fail("--repetitions 0: nothing would be run");
	status = cli_models_open(&v->models, v->store_path, words->word[0], v->machine);
	if (status != CLI_DONE)
		return status;
	status = get_runs(v, words);
	if (status == CLI_DONE)
		status = answer(v);
	ft_verification_clear(&v->verified);
	cli_sizes_clear(&v->sizes);
	ft_runs_clear(&v->runs);
	ft_program_clear(&v->program);
	cli_models_close(&v->models);
	return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_verify v = {.confidence = 0.99, .repetitions = 3};
	const struct cli_option options[] = {
		{0, "runs", CLI_TEXTS, &v.paths, "FILE",
		 "check the runs of a file, as import takes it, instead of running; may be given several "
		 "times"},
		CLI_READING_OPTIONS(v.reading),
		{0, "sweep", CLI_FLAG, &v.sweep, NULL,
		 "run five of the sizes measured: checks the growth as well"},
		{'r', "resource", CLI_TEXTS, &v.resources, "R",
		 "what is compared; may be given several times; default: wall_s and peak memory"},
		{0, "repetitions", CLI_COUNT, &v.repetitions, "K",
		 "runs of each size, the median counts; default 3"},
		{0, "confidence", CLI_SHARE, &v.confidence, "C",
		 "how often an unchanged program passes all checks together; default 99%"},
		{0, "strict", CLI_FLAG, &v.strict, NULL, "less than was promised breaks the contract too"},
		{0, "timeout", CLI_DURATION, &v.timeout_s, "T",
		 "end a run after so long; default: 10 times what was promised"},
		{0, "threads", CLI_COUNT, &v.threads, "K", "set OMP_NUM_THREADS and the like"},
		{0, "pin", CLI_TEXT, &v.launch.pin, "CPUS", "run on these processors only, as in 0-3,6"},
		{0, "prepare", CLI_TEXT, &v.launch.prepare, "CMD",
		 "shell command before each run, not measured"},
		{0, "cleanup", CLI_TEXT, &v.launch.cleanup, "CMD",
		 "shell command after each run, not measured"},
		{0, "machine", CLI_TEXT, &v.machine, "M",
		 "host name or fingerprint of the machine measured; default: this one"},
		{0, "json", CLI_FLAG, &v.json, NULL, "print one JSON object"},
		{0, "store", CLI_TEXT, &v.store_path, "PATH", "the store; default $FORETIME_STORE"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = verify(&v, &words);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_verify = {
	"verify",
	"say whether new runs keep what the models promise",
	"NAME n=2048 [m=100] [OPTION...] [-- PROG ARG... {n} ...]\n"
	"NAME --sweep [m=100] [OPTION...] [-- PROG ARG... {n} ...]\n"
	"NAME [n=2048] --runs FILE [--size N=WHERE]... [--value R=COLUMN]... [OPTION...]",
	"The program is the one that was built, or the one behind --. Nothing is stored. Exit status: 0 the\n"
	"contract holds, 1 it is broken (standard error says where, and by how much), 2 wrong use or "
	"failure.\n",
	NULL,
	run,
};
