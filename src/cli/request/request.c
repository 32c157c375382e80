/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - requests to a batch system: time, memory and processors at a stated risk. */
#include "cli/cli.h"
#include "ask/door.h"
#include "facts/door.h"
#include "cli/request/batch.h"
#include "foretime/measure.h"
#include "foretime/trace.h"
#include "store/door.h"
#include "tell/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question ------------------------------------------------------------------------------------- */

/* NAME=VALUE of a parameter. */
static int read_word(const struct cli_request *r, const char *word, const char **name, double *value)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	struct ft_param param;
	struct ft_err err = {0};

	if (!strchr(word, '='))
		return cli_fail("'%s' is not a size\n"
				"hint: write n=2048, one size; without one the request is an expression for "
				"all sizes",
				word);
	if (ft_param_parse(word, &param, &err))
		return cli_error(&err);
	if (param.least != param.most)
		return cli_fail("'%s' is a range, and a request is for one size\n"
				"hint: leave '%s' out: the request is then an expression for all sizes; or "
				"choose --format sbatch-array",
				word, param.name);
	int at = ft_program_find_param(program, param.name);
	if (at < 0)
		return cli_fail("'%s' has no parameter '%s'\n"
				"hint: its first parameter is '%s'; see all: foretime show %s",
				program->name, param.name, program->n_params ? program->param[0].name : "",
				program->name);
	*name = program->param[at].name;
	*value = param.least;
	return CLI_DONE;
}

/* Find which parameters have a value and which are open; an open one gets a value among the runs. */
/* The parameter with the number of processors; the number of parameters: there is none. */
static size_t cpus_param(const struct cli_request *r)
{
	static const char names[] = "cores cpus threads processors procs ncpus ntasks nproc";
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	size_t i = 0;

	while (i < program->n_params && ft_word_at(names, program->param[i].name) == SIZE_MAX)
		i++;
	return i;
}

/* --cpus auto: of the numbers that were run the largest whose core hours at the size are within a tenth of the least. */
static int choose_cpus(struct cli_request *r, size_t param)
{
	static const double within = 1.1;
	const struct ft_runs *runs = ft_ask_runs(r->models.answerer);
	CLI_OWN double *cores = cli_alloc((runs->n + 1) * sizeof *cores),
		       *hours = cli_alloc((runs->n + 1) * sizeof *hours);
	double least = INFINITY, best = 0;
	struct ft_err err = {0};
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		const double value = runs->run[i].size.value[param];
		size_t j = 0;

		while (j < n && cores[j] != value)
			j++;
		if (j == n && value >= 1 && runs->run[i].outcome == FT_DONE)
			cores[n++] = value;
	}
	if (n < 2)
		return cli_fail("--cpus auto needs runs with several numbers of '%s'\n"
				"hint: foretime build %s %s=1,2,4 ...",
				ft_ask_program(r->models.answerer)->param[param].name,
				ft_ask_program(r->models.answerer)->name,
				ft_ask_program(r->models.answerer)->param[param].name);
	for (size_t i = 0; i < n; i++) {
		struct ft_prediction at;

		r->size.value[param] = cores[i];
		if (ft_ask_predict(r->models.answerer, &ft_wall_s, &r->size, 0.9, &at, &err))
			return cli_error(&err);
		hours[i] = cores[i] * at.value / 3600;
		least = fmin(least, hours[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (hours[i] <= within * least)
			best = fmax(best, cores[i]);
	r->size.value[param] = best;
	r->query.cpus = (size_t)best;
	r->open[param] = false;
	return CLI_DONE;
}

static int read_words(struct cli_request *r, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	const char *name[2 * FT_PARAMS_MAX] = {NULL};
	double value[2 * FT_PARAMS_MAX];
	size_t axis[FT_PARAMS_MAX], axes = ft_ask_axes(r->models.answerer, axis), n = 0, i, j, left = 0;
	struct ft_size any = ft_ask_any_size(r->models.answerer);
	struct ft_err err = {0};

	for (i = 1; i < words->n; i++) {
		if (n == FT_PARAMS_MAX)
			return cli_fail("more than %d parameters", FT_PARAMS_MAX);
		CLI_TRY(read_word(r, words->word[i], &name[n], &value[n]));
		for (j = 0; j < n; j++)
			if (name[j] == name[n])
				return cli_fail("parameter '%s' has two values", name[n]);
		n++;
	}
	const size_t cpus = r->query.cpus == SIZE_MAX ? cpus_param(r) : SIZE_MAX;
	if (cpus == program->n_params)
		return cli_fail("--cpus auto needs a parameter with the number of processors\n"
				"hint: measure with cores=1,2,4 as a parameter of the program");
	for (j = 0; j < n && cpus != SIZE_MAX; j++)
		if (name[j] == program->param[cpus].name)
			return cli_fail("--cpus auto chooses '%s'\nhint: leave it out", name[j]);
	for (i = 0; i < axes; i++) {
		const char *wanted = program->param[axis[i]].name;

		for (j = 0; j < n && name[j] != wanted;)
			j++;
		if (j < n)
			continue;
		r->open[axis[i]] = axis[i] != cpus;
		left += axis[i] != cpus;
		name[n] = wanted;
		value[n++] = any.value[axis[i]];
	}
	r->sized = !left;
	if (left && cpus != SIZE_MAX)
		return cli_fail("--cpus auto is for one size: state all parameters but '%s'",
				program->param[cpus].name);
	for (i = 0; i < axes && r->sized && r->expression; i++)
		r->open[axis[i]] = true;
	if (ft_ask_size(r->models.answerer, name, value, n, &r->size, &err))
		return cli_error(&err);
	if (cpus != SIZE_MAX)
		CLI_TRY(choose_cpus(r, cpus));
	if (r->sized && ft_ask_admits(r->models.answerer, &r->size, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static struct ft_answer_formula formula_of(const struct cli_request *r,
					   const struct ft_request_expression *formula, const char *unit)
{
	struct ft_answer_formula answer = {.said = *formula, .unit = unit, .known = r->size};

	if (!formula->text)
		return answer;
	for (size_t i = 0; i < answer.known.n; i++)
		answer.known.value[i] = r->open[i] ? formula->known[i] : r->size.value[i];
	answer.python = cli_batch_language(r, formula->text, true);
	answer.groovy = cli_batch_language(r, formula->text, false);
	return answer;
}

/* The resources that are requested; returns how many. */
static size_t resources_of(const struct cli_request *r, const struct ft_resource *resource[2])
{
	const struct ft_resource *time = r->sized ? r->request.time.resource : r->all.time.resource;
	const struct ft_resource *memory = r->sized ? r->request.memory.resource : r->all.memory.resource;
	size_t n = 0;

	if (time)
		resource[n++] = time;
	if (memory)
		resource[n++] = memory;
	return n;
}

static struct ft_answer_request request_answer(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	struct ft_answer_request answer = {
		.name = program->name,
		.failing = ft_ask_failing(r->models.answerer),
		.machine = ft_ask_machine(r->models.answerer),
		.risk = r->all.risk,
		.retry = r->risk > 0                       ? NULL
			 : r->risk == FT_RISK_LEAST_DOUBLE ? "2x"
							   : "most",
		.answered = true,
		.load = r->load.view,
		.cpus = cli_batch_cpus(r),
		.brief = r->all.brief,
		.overhead = cli_batch_overhead(r),
		.killed = r->all.killed,
		.time_of = formula_of(r, &r->all.time, "s"),
		.memory_of = formula_of(r, &r->all.memory, "bytes"),
		.scratch_of = formula_of(r, &r->all.scratch, "bytes"),
		.gpus = cli_batch_gpu(r),
	};
	const struct ft_resource *resource[2];

	ft_tell_axes_find(r->models.answerer, resource, resources_of(r, resource), &answer.axes);
	return answer;
}

/* The request at one size, rounded. */
static void round_up(const struct cli_request *r, struct ft_answer_request *answer,
		     struct ft_tell_request_text *text)
{
	if (ft_tell_request_sized(answer, &r->request, &r->bounds, text, NULL))
		(void)cli_given(NULL);
}

/* why: NULL: there is an answer */
static void print_request_json(const struct cli_request *r, const struct ft_err *why)
{
	const struct ft_tell_with with = {.program = ft_ask_program(r->models.answerer)};
	struct ft_answer_at at = {r->size};
	struct ft_answer_request answer = request_answer(r);
	struct ft_tell_request_text text = {0};

	if (r->sized) {
		answer.at = &at;
		answer.answered = !why;
		answer.reason = why ? why->text : NULL;
		answer.advice = why ? why->remedy : NULL;
		answer.steps = r->rising;
		round_up(r, &answer, &text);
	}
	cli_tell(&ft_tell_request, &answer, &with);
	free((char *)answer.time_of.python);
	free((char *)answer.time_of.groovy);
	free((char *)answer.memory_of.python);
	free((char *)answer.memory_of.groovy);
	free((char *)answer.scratch_of.python);
	free((char *)answer.scratch_of.groovy);
	ft_tell_request_clear(&text);
}

static void add_row(struct cli_table *table, const struct ft_answer_need *need, bool verbose)
{
	const struct ft_tell_with with = {.verbose = verbose};

	if (need->need.resource)
		cli_table_tell(table, &ft_tell_need, need, 1, &with);
}

/* Memory over time: the traces that were kept with runs. */
static int find_steps(struct cli_request *r)
{
	enum { TRACES_MOST = 50 };
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	const struct ft_machine *machine = ft_ask_machine(r->models.answerer);
	struct ft_store_trace kept[TRACES_MOST];
	struct ft_trace trace[TRACES_MOST] = {0};
	struct ft_memory_curve curve[TRACES_MOST];
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	size_t n = 0, m = 0;
	int status = CLI_DONE;

	if (!r->steps)
		return CLI_DONE;
	if (!r->sized)
		return cli_fail("--steps is of one size\nhint: state it, as in n=2048");
	if (!r->request.memory.resource)
		return cli_fail("--steps needs runs whose memory was measured");
	if (ft_store_get_traces(r->models.store, program->id, machine ? machine->id : 0, kept, TRACES_MOST,
				&n, &err))
		return cli_error(&err);
	for (size_t i = 0; i < n && status == CLI_DONE; i++) {
		const struct ft_trace_format format = {.value = "rss_bytes"};
		char name[32], *csv = NULL;
		size_t length;

		(void)snprintf(name, sizeof name, "run:%lld", (long long)kept[i].run);
		enum ft_status read = ft_store_get_run(r->models.store, kept[i].run, &runs, &err);
		if (!read && runs.run[runs.n - 1].outcome != FT_DONE) /* its peak is not known */
			continue;
		if (!read)
			read = ft_store_get_trace(r->models.store, kept[i].run, &csv, &length, &err);
		if (!read)
			read = ft_trace_parse(&trace[m], name, csv, length, &format, &err);
		free(csv);
		if (read == FT_ENOMEM)
			status = cli_error(&err);
		else if (read)
			cli_note("%s is left out: %s", name, err.text);
		else if (!trace[m].n || !(trace[m].t[trace[m].n - 1] > 0))
			ft_trace_clear(&trace[m]);
		else {
			curve[m] = (struct ft_memory_curve){
				kept[i].size, trace[m].t, trace[m].y, trace[m].n,
				ft_run_idle_value(&runs.run[runs.n - 1], &ft_wall_s)};
			m++;
		}
	}
	if (status == CLI_DONE && ft_ask_steps(r->models.answerer, r->request.memory.resource, curve, m,
					       &r->size, cli_batch_risk(r), r->steps, &r->rising, &err))
		status = cli_error(&err);
	for (size_t i = 0; i < m; i++)
		ft_trace_clear(&trace[i]);
	ft_runs_clear(&runs);
	for (size_t i = 0; i < r->rising.n; i++)
		r->rising.step[i].bytes = ft_tell_bytes(r->rising.step[i].bytes, r->request.brief,
							cli_batch_overhead(r), &r->bounds);
	return status;
}

static void print_steps(const struct cli_request *r)
{
	char text[FT_UNIT_LENGTH], share[FT_UNIT_LENGTH];

	if (!r->rising.n)
		return;
	printf("memory over time, from %zu runs: %s less memory x time than a constant request\n",
	       r->rising.runs, ft_share_format(r->rising.saved, share));
	for (size_t i = 0; i < r->rising.n; i++) {
		const struct ft_memory_step *step = &r->rising.step[i];

		printf("  from %-10s", i ? ft_value_format(step->from_s, "s", text) : "the start");
		printf(" %s\n", ft_value_format(1048576 * ft_tell_mib(step->bytes), "bytes", text));
	}
}

static void print_number(const struct cli_request *r)
{
	struct ft_answer_request answer = {
		.cpus = (double)r->query.cpus, .overhead = cli_batch_overhead(r), .answered = true};
	struct ft_tell_request_text text = {0};
	struct cli_table table = {0};

	round_up(r, &answer, &text);
	add_row(&table, &answer.time, r->verbose);
	add_row(&table, &answer.memory, r->verbose);
	add_row(&table, &answer.scratch, r->verbose);
	add_row(&table, &answer.gpu_memory, r->verbose);
	if (!isnan(r->request.cpus)) {
		cli_table_add(&table, "processors");
		cli_table_add(&table, "%.2f", r->request.cpus);
		for (int i = r->verbose ? 0 : 1; i < 2; i++)
			cli_table_add(&table, "%s", "");
		cli_table_add(&table, "%.0f", cli_batch_cpus(r));
		cli_table_add(&table, "cpu_s / (wall_s - waiting)");
	}
	cli_terminal_paint(CLI_BOLD);
	fputs(text.slurm, stdout);
	cli_terminal_paint(CLI_PLAIN);
	putchar('\n');
	cli_table_print(&table, stdout);
	print_steps(r);
	ft_tell_request_clear(&text);
}

/* An end of the range of an expression, with six digits. */
static char *end_text(double x, char buffer[FT_NUMBER_LENGTH])
{
	(void)snprintf(buffer, FT_NUMBER_LENGTH, "%.6g", x);
	return ft_number_format(strtod(buffer, NULL), buffer);
}

static void print_expression(const struct cli_request *r, const struct ft_request_expression *e,
			     const char *what)
{
	char share[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH], from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	const char *mark = ": ";

	if (!e->text)
		return;
	printf("\n%s:\n    %s\n", what, e->text);
	printf("    %s above the model on average over what was measured, %s at most; never below it",
	       ft_share_format(e->mean, share), ft_share_format(e->above, most));
	if (!isnan(e->from))
		printf(" from %s to %s", end_text(e->from, from), end_text(e->to, to));
	printf("\n    known up to");
	for (size_t i = 0; i < program->n_params; i++)
		if (r->open[i]) {
			printf("%s%s=%s", *mark == ':' ? " " : mark, program->param[i].name,
			       ft_number_format(e->known[i], to));
			mark = ", ";
		}
	puts("; beyond it measure larger sizes, or give --at-most");
}

/* The evidence of the models: runs that met a limit, and batches of them. */
static void print_evidence(const struct cli_request *r, const struct ft_resource *const *resource, size_t n)
{
	const struct ft_model_record *record;

	for (size_t i = 0; i < n; i++)
		if (!ft_ask_model(r->models.answerer, resource[i], &r->size, &record, NULL))
			cli_print_evidence(resource[i], ft_model_facts(record->model), stdout);
}

static void print_request(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	bool both = r->request.time.resource && r->request.memory.resource;
	char risk[FT_UNIT_LENGTH], part[2][FT_UNIT_LENGTH], beside[FT_UNIT_LENGTH], at[256];
	const struct ft_need *need[2] = {&r->request.time, &r->request.memory};
	const struct ft_resource *resource[2];
	size_t n = resources_of(r, resource), i;

	(void)ft_size_format(program, &r->size, at, sizeof at);
	printf("%s%s%s: enough for %s of runs%s\n", program->name, r->sized ? " " : "", r->sized ? at : "",
	       ft_share_format(1 - cli_batch_risk(r), risk), cli_load_text(r->load.view));
	if (r->sized)
		print_number(r);
	if (r->risk < 0)
		printf("least waste where a killed job runs again with %s\n",
		       r->risk == FT_RISK_LEAST_DOUBLE ? "twice as much at each try"
						       : "the most ever needed, then twice as much");
	if (cli_batch_margin(r) > 1)
		printf("memory was measured in runs of under a second: the request is %g times as much\n",
		       cli_batch_margin(r));
	for (i = 0; i < 2; i++)
		if (r->sized && need[i]->by_runs)
			printf("%s depends little on the size there: the request is what runs of the nearest "
			       "sizes needed\n",
			       i ? "memory" : "time");
	if (!r->verbose) {
		(void)cli_models_warnings(&r->models, stdout);
	} else {
		if (r->sized && both)
			printf("at most %s of runs need more: %s more time, %s more memory\n",
			       ft_share_format(cli_batch_risk(r), risk),
			       ft_share_format(r->request.time.risk, part[0]),
			       ft_share_format(r->request.memory.risk, part[1]));
		if (r->sized && r->request.memory.resource && cli_batch_overhead(r) > 0)
			printf("of the memory %s is for other processes of the job (--overhead)\n",
			       ft_value_format(cli_batch_overhead(r), "bytes", beside));
		cli_models_headline(&r->models, stdout);
		cli_axes_print(&r->models, resource, n, stdout);
		print_evidence(r, resource, n);
	}
	print_expression(r, &r->all.time, "time in seconds");
	print_expression(r, &r->all.memory, "memory in bytes");
	print_expression(r, &r->all.scratch, "temporary disk in bytes");
}

static int answer_request(struct cli_request *r)
{
	const struct cli_batch *format = r->format ? r->batch : NULL;
	struct ft_err err = {0};

	if (format && !format->expressions && (!r->sized || r->expression))
		return cli_fail("%s has no expressions: at which size?\n"
				"hint: state the size, or choose --format snakemake, nextflow or tpv",
				format->name);
	if (cli_batch_check(r) != CLI_DONE || (format && format->check && format->check(r) != CLI_DONE))
		return CLI_WRONG;
	if (r->sized && ft_ask_request(r->models.answerer, &r->size, r->risk, &r->request, &err)) {
		if (r->json && err.status == FT_ENOMODEL)
			print_request_json(r, &err);
		return cli_error(&err);
	}
	if (r->sized && cli_batch_answered(r, &err) != CLI_DONE) {
		if (r->json)
			print_request_json(r, &err);
		return CLI_NO;
	}
	CLI_TRY(find_steps(r));
	if ((!r->sized || r->expression) &&
	    ft_ask_request_expressions(r->models.answerer, &r->size, r->open, r->risk, &r->all, &err))
		return cli_error(&err);
	if (r->json)
		print_request_json(r, NULL);
	else if (format)
		format->print(r);
	else
		print_request(r);
	if (!format || !r->sized || format->expressions)
		cli_batch_notes(r);
	/* Report what a run killed for memory implies for the request. */
	char at[256], reached[FT_UNIT_LENGTH];

	if (!r->sized || !r->request.beyond_kill)
		return CLI_DONE;
	(void)ft_size_format(ft_ask_program(r->models.answerer), &r->request.killed_at, at, sizeof at);
	if (!r->request.refuted) {
		cli_note("a run at %s was killed for memory: what this size needs is not known to suffice",
			 at);
		return CLI_DONE;
	}
	(void)cli_fail("a run at %s was killed when it held %s: no memory is known to suffice here\n"
		       "hint: measure larger sizes where there is more memory, or ask for a size below %s",
		       at, ft_value_format(r->request.reached_bytes, "bytes", reached), at);
	return CLI_NO;
}

/* Check the word of --format; json is the same as --json. */
static int check_format(struct cli_request *r)
{
	r->batch = &cli_batch_slurm;
	if (!r->format)
		return CLI_DONE;
	if (!strcmp(r->format, "json")) {
		r->json = true;
		r->format = NULL;
		return CLI_DONE;
	}
	r->batch = cli_batch_find(r->format);
	if (r->batch)
		return CLI_DONE;
	return cli_fail("unknown format '%s'\n"
			"hint: there are slurm, sbatch-array, pbs, lsf, htcondor, snakemake, nextflow, tpv, "
			"wdl, cwl, "
			"kubernetes, argo, parsl, ray, dask and json",
			r->format);
}

/* --from and --profile: all rules of a workflow, without a store. */
static int request_profile(struct cli_request *r, const struct cli_words *words)
{
	struct cli_workflow_profile *profile = &r->profile;

	if (!profile->from)
		return cli_fail("--profile makes requests of which runs?\n"
				"hint: name the folder of the benchmark files, or a trace: --from PATH");
	if (!profile->profile)
		return cli_fail("--from %s: for which workflow system?\n"
				"hint: --profile snakemake, nextflow or tpv, and -o DIR for its files",
				profile->from);
	if (words->n)
		return cli_fail(
			"unexpected argument '%s'\n"
			"hint: --from makes requests for all rules of the files; without it NAME is one of "
			"the store",
			words->word[0]);
	if (r->format && !strcmp(r->format, "json"))
		r->json = true;
	else if (r->format && strcmp(r->format, "text") != 0)
		return cli_fail("--profile %s and --format %s are two forms\nhint: leave one of them out",
				profile->profile, r->format);
	if (r->size_from.n > 1)
		return cli_fail("--profile takes one --size: that of each job, in the workflow's language");
	profile->size_from = r->size_from.n ? r->size_from.text[0] : NULL;
	for (const char *c = profile->size_from; c && *c; c++)
		if (iscntrl((unsigned char)*c))
			return cli_fail("--size holds a control character");
	profile->json = r->json;
	return cli_request_profile(profile, r->risk, r->query.overhead, &r->bounds);
}

static int request(struct cli_request *r, const struct cli_words *words)
{
	struct ft_err err = {0};

	if (r->profile.from || r->profile.profile) {
		if (ft_query_risk(&r->query, &r->risk, &r->bounds, &err))
			return cli_error(&err);
		return request_profile(r, words);
	}
	CLI_TRY(check_format(r));
	if (ft_query_risk(&r->query, &r->risk, &r->bounds, &err))
		return cli_error(&err);
	r->load = ft_query_load(&r->query);
	if (r->sizes && r->batch != &cli_batch_sbatch_array)
		return cli_fail("--sizes is of --format sbatch-array");
	if (!cli_names_program(words))
		return cli_word_missing(words, 0);
	int status =
		cli_models_open(&r->models, r->store_path, words->word[0], r->query.device, r->query.machine);
	if (status != CLI_DONE)
		return status;
	ft_ask_under(r->models.answerer, &r->load);
	if (r->batch == &cli_batch_sbatch_array && r->query.cpus == SIZE_MAX) {
		status = cli_fail("--cpus auto is for one size\nhint: state a number");
	} else if (r->batch == &cli_batch_sbatch_array) {
		status = cli_batch_array(r, words);
	} else {
		status = read_words(r, words);
		status = status == CLI_DONE ? answer_request(r) : status;
	}
	ft_request_expressions_clear(&r->all);
	cli_models_close(&r->models);
	return status;
}

static int run_request(const struct cli_command *command, int argc, char **argv)
{
	struct cli_request r = {.query = ft_query_usual, .all = {.cpus = NAN, .killed = NAN}};
	const struct ft_field options[] = {
		{0, "format", FT_FIELD_TEXT, &r.format, "F",
		 "text (default), json, slurm, snakemake, nextflow ... (the manual has all)"},
		{0, "from", FT_FIELD_TEXT, &r.profile.from, "PATH",
		 "all rules of a workflow, from the runs in a folder or file",
		 .not_with = "cpus device machine load threads niced sizes expression"},
		CLI_QUESTION(ft_question_request, r.query),
		CLI_VERBOSE(r.verbose),
		{0, "json", FT_FIELD_FLAG, &r.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(r.store_path),
		CLI_GROUP("all rules of a workflow (--from)"),
		{0, "profile", FT_FIELD_TEXT, &r.profile.profile, "P",
		 "the workflow system: snakemake, nextflow or tpv"},
		{'o', "output", FT_FIELD_TEXT, &r.profile.output, "DIR",
		 "folder for its files; those of an earlier call are replaced"},
		{0, "place", FT_FIELD_TEXTS, &r.profile.reading.size, "N=WHERE",
		 "place of the size in the files, as --size of foretime import"},
		{0, "name", FT_FIELD_TEXT, &r.profile.name, "NAME",
		 "the rule's name: {COLUMN}, or {path:/RE/} for what a group matches"},
		{0, "by", FT_FIELD_TEXT, &r.profile.reading.by, "COLUMN", "column whose texts are rules"},
		{0, "directory", FT_FIELD_TEXT, &r.profile.reading.directory, "DIR",
		 "folder of the workflow; default: the nearest one with .snakemake"},
		CLI_GROUP("many sizes, and workflows"),
		{0, "sizes", FT_FIELD_TEXT, &r.sizes, "FILE",
		 "table of the sizes of sbatch-array, with a column for each parameter"},
		{0, "expression", FT_FIELD_FLAG, &r.expression, NULL,
		 "print expressions for all sizes, also when one is given"},
		{0, "steps", FT_FIELD_COUNT, &r.steps, "K",
		 "memory that rises while the job runs, in at most K steps (from runs with keep-trace)",
		 .least = 1, .most = FT_STEPS_MOST},
		{0, "size", FT_FIELD_TEXTS, &r.size_from, "[n=]EXPR",
		 "expression of the workflow for a parameter; may be given once for each"},
		CLI_QUESTION_REST(ft_question_request, r.query),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	return request(&r, &words);
}

const struct cli_command cli_request = {
	"request",
	"print a request to a batch system: time, memory, cores",
	"NAME n=2048 [m=100] [--risk 5%] [--format F] [OPTION...]\nNAME [m=100] [--risk 5%] [--format F] "
	"[OPTION...]\nNAME n=1000:64000:*2 --format sbatch-array [OPTION...]\n--from PATH --profile "
	"snakemake|nextflow|tpv -o DIR [OPTION...]",
	"Without a size: an expression for all sizes. Time and memory together turn out too small for a "
	"share\n"
	"--risk of runs at most, both together. Exit status: 0 done, 1 no request is known to suffice, 2 "
	"wrong\n"
	"use or failure. Far beyond the measured sizes nothing is known: measure larger ones, or give "
	"--at-most.\n",
	NULL,
	run_request,
};
