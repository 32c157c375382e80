/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - `foretime verify`: checks, for a CI, that new runs keep the models' predictions and their
   growth. */
#include "base/files.h"
#include "cli/cli.h"
#include "cli/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Failed runs decide nothing, except those that a limit of time or memory ended. */
static int check_outcomes(struct cli_verify *v, const struct ft_runs *runs, const char *whose)
{
	char at[256];

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome == FT_DONE || run->outcome == FT_TIMED_OUT)
			continue;
		(void)ft_size_format(&v->program, &run->size, at, sizeof at);
		char *why = cli_failure_text(run->outcome, run, run->detail);
		(void)cli_fail("a run%s at %s: %s", whose, at, why);
		free(why);
		if (run->outcome != FT_OUT_OF_MEMORY || runs != &v->runs)
			return CLI_WRONG;
		v->killed = true;
	}
	return CLI_DONE;
}

/* ---- resources ---------------------------------------------------------------------------------- */

/* Why a probe has no value, from the first run with a reason; NULL: none. */
static const char *why_not(const struct cli_verify *v, const struct ft_resource *resource)
{
	for (size_t i = 0; i < v->runs.n; i++)
		for (size_t j = 0; j < v->runs.run[i].n_samples; j++) {
			const struct ft_sample *sample = &v->runs.run[i].sample[j];

			if (sample->resource == resource && sample->reason)
				return sample->reason;
		}
	return NULL;
}

static bool has_model(const struct cli_verify *v, const struct ft_resource *resource)
{
	return v->against || (v->models.answerer && ft_ask_has(v->models.answerer, resource));
}

static bool is_chosen(const struct cli_verify *v, const struct ft_resource *resource)
{
	for (size_t i = 0; i < v->n_resources; i++)
		if (v->resource[i] == resource)
			return true;
	return false;
}

static bool add_resource(struct cli_verify *v, const struct ft_resource *resource)
{
	if (!has_model(v, resource))
		return false;
	if (!is_chosen(v, resource))
		v->resource[v->n_resources++] = resource;
	return true;
}

/* The resources with a prediction: those named, or time and peak memory. */
static int choose_resources(struct cli_verify *v)
{
	static const struct ft_resource *const usual[] = {&ft_wall_s, &ft_peak_tree_bytes,
							  &ft_peak_rss_bytes};

	for (size_t i = 0; i < v->resources.n; i++) {
		const char *word = v->resources.text[i];
		const struct ft_resource *resource =
			v->against ? ft_resource_typed(word) : cli_models_resource(&v->models, word);
		struct ft_err err = {0};

		/* Runs to come may have counters (--measure counters=). */
		if (!resource && v->against && ft_resource_named(word, &resource, &err))
			return cli_error(&err);
		if (!resource)
			return CLI_WRONG;
		v->memory |=
			v->against && resource == &ft_peak_rss_bytes && strcmp(word, resource->name) != 0;
		(void)add_resource(v, resource);
		if (resource == &ft_instructions)
			v->probes.instructions = true;
	}
	for (size_t i = 0; !v->resources.n && i < sizeof usual / sizeof *usual; i++)
		(void)add_resource(v, usual[i]);
	return CLI_DONE;
}

/* Of the predicted resources, those that the new runs have; for memory that of all processes, if it is
 * known. Returns a named one that no new run has; NULL: there is none. */
static const struct ft_resource *filter_resources(struct cli_verify *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->n_resources; i++) {
		const struct ft_resource *resource = v->resource[i];

		if (v->memory && resource == &ft_peak_rss_bytes && cli_verify_has_new(v, &ft_peak_tree_bytes))
			resource = &ft_peak_tree_bytes; /* as ft_ask_typed chooses */
		if (!cli_verify_has_new(v, resource) && v->resources.n)
			return resource;
		if (cli_verify_has_new(v, resource) &&
		    (v->resources.n || resource != &ft_peak_rss_bytes || !is_chosen(v, &ft_peak_tree_bytes) ||
		     !cli_verify_has_new(v, &ft_peak_tree_bytes)))
			v->resource[kept++] = resource;
	}
	v->n_resources = kept;
	return NULL;
}

static int keep_resources(struct cli_verify *v)
{
	const struct ft_resource *lacking = filter_resources(v);

	if (lacking) {
		const char *why = why_not(v, lacking);

		return cli_fail("no new run has a value of '%s'%s%s", lacking->name, why ? ": " : "",
				why ? why : "");
	}
	if (v->n_resources || v->killed)
		return CLI_DONE;
	return cli_fail("the new runs have neither wall_s nor a peak memory that was measured before\n"
			"hint: name what to compare: --resource R; foretime show %s lists what was measured",
			v->program.name);
}

/* ---- the question ------------------------------------------------------------------------------------- */

/* Why a contract that holds is not meaningful. Returns the remedy; NULL: it is meaningful. */
static const char *doubt_meaning(struct cli_verify *v)
{
	size_t at;

	/* `at` is of a list that has it. NOLINTBEGIN(clang-analyzer-core.NullDereference) */
	switch (ft_verification_meaning(&v->verified, v->strict, &at)) {
	case FT_MEANING_CLEAR:
		break;
	case FT_MEANING_WIDE:
		v->undecided = cli_printed(
			"the contract is too wide to mean anything: %s is %.2g to %.2g times what it was",
			v->verified.shift[at].resource->name, v->verified.shift[at].lower,
			v->verified.shift[at].upper);
		return "narrower: more --runs or sizes, a model of more or quieter runs (foretime "
		       "build), or -r cpu_s or -r instructions";
	case FT_MEANING_ENDED:
		v->undecided = cli_printed(
			"a run was ended at its time limit, and %s is inside so far: nothing is decided",
			v->verified.check[at].resource->name);
		return "give it more time: --timeout; or ask a machine that is less busy";
	}
	/* NOLINTEND(clang-analyzer-core.NullDereference) */
	return NULL;
}

static void complain_of_contract(void *ctx, const char *sentence)
{
	(void)ctx;
	(void)cli_fail("%s", sentence);
}

static int answer_contract(struct cli_verify *v)
{
	const char *remedy = NULL;
	struct ft_err err = {0};

	if (cli_verify_ask(v, &v->verified, &err))
		return cli_error(&err);
	if (v->verified.holds && !v->killed)
		remedy = doubt_meaning(v);
	if (v->json)
		cli_verify_json(v);
	else if (v->report && cli_verify_report(v) != CLI_DONE)
		return CLI_WRONG;
	else if (!v->report && v->n_resources)
		cli_verify_text(v);
	if (!v->report)
		cli_verify_each(v, complain_of_contract, NULL);
	if (cli_verify_holds(v))
		cli_verify_seen(v);
	if (v->unverified)
		cli_note("the program reports its routine '%s', and the process was verified: foretime "
			 "verify %s/%s verifies that",
			 v->unverified, v->program.name, v->unverified);
	if (v->undecided)
		return cli_fail("%s\nhint: %s", v->undecided, remedy);
	return cli_verify_holds(v) ? CLI_DONE : CLI_NO;
}

static int get_runs(struct cli_verify *v, const struct cli_words *words)
{
	struct ft_err err = {0};
	int status;

	if (v->against)
		status = cli_verify_pair(v, words);
	else if (ft_program_copy(&v->program, ft_ask_program(v->models.answerer), &err))
		return cli_error(&err);
	else if (v->paths.n && words->separated)
		return cli_fail("--replay takes no program behind --: its runs are recorded\nhint: leave one "
				"of them out");
	else
		status = cli_verify_sizes(v, words);
	if (status == CLI_DONE)
		status = choose_resources(v);
	if (status == CLI_DONE)
		status = v->paths.n ? cli_verify_read(v) : cli_verify_run(v, words);
	if (status == CLI_DONE)
		status = check_outcomes(v, &v->before, " of the old program");
	if (status == CLI_DONE)
		status = check_outcomes(v, &v->runs, "");
	return status == CLI_DONE ? keep_resources(v) : status;
}

/*
 * Many benchmarks at once: --runs without NAME. All programs of the files, each against its own models.
 */

static int compare_judged(const void *a, const void *b)
{
	const struct cli_judged *p = a, *q = b;
	double x = isnan(p->worst) ? 0 : p->worst, y = isnan(q->worst) ? 0 : q->worst;

	if (p->judgement != q->judgement)
		return p->judgement < q->judgement ? -1 : 1;
	return x != y ? (x < y) - (x > y) : strcmp(p->name, q->name);
}

static void keep_first(void *ctx, const char *sentence)
{
	struct cli_judged *one = ctx;

	one->broken++;
	if (!one->said)
		one->said = cli_strdup(sentence);
}

/* The sizes of the new runs with the program's parameters in its own order. Runs that are no sizes of it are
 * left out. Returns the name of a parameter that they lack; NULL: none. */
static const char *map_sizes(struct cli_verify *v, const struct ft_program *read)
{
	size_t from[FT_PARAMS_MAX], kept = 0;
	const struct ft_size any = ft_ask_any_size(v->models.answerer);

	for (size_t i = 0; i < v->program.n_params; i++) {
		int at = ft_program_find_param(read, v->program.param[i].name);

		if (at < 0 && v->program.param[i].least < v->program.param[i].most)
			return v->program.param[i].name;
		from[i] = at < 0 ? SIZE_MAX : (size_t)at;
	}
	for (size_t i = 0; i < v->runs.n; i++) {
		struct ft_run *run = &v->runs.run[i];
		struct ft_size size = {.n = v->program.n_params};

		for (size_t k = 0; k < size.n; k++)
			size.value[k] = from[k] == SIZE_MAX ? any.value[k] : run->size.value[from[k]];
		run->size = size;
		if (!ft_ask_admits(v->models.answerer, &size, NULL))
			v->runs.run[kept++] = *run;
		else
			ft_run_clear(run);
	}
	v->runs.n = kept;
	return NULL;
}

static size_t count_sizes(const struct ft_runs *runs)
{
	size_t n = 0, k;

	for (size_t i = 0; i < runs->n; i++) {
		for (k = 0; k < i && !ft_size_equal(&runs->run[k].size, &runs->run[i].size);)
			k++;
		n += k == i;
	}
	return n;
}

/* The first run that failed otherwise than at a limit. */
static const struct ft_run *find_failed(struct cli_verify *v)
{
	for (size_t i = 0; i < v->runs.n; i++) {
		enum ft_outcome outcome = v->runs.run[i].outcome;

		v->killed = v->killed || outcome == FT_OUT_OF_MEMORY;
		if (outcome != FT_DONE && outcome != FT_TIMED_OUT && outcome != FT_OUT_OF_MEMORY)
			return &v->runs.run[i];
	}
	return NULL;
}

static double worst_of(const struct ft_verification *found, bool broken)
{
	double worst = NAN;

	for (size_t i = 0; i < found->n_shifts; i++)
		if (!broken || found->shift[i].verdict != FT_VERDICT_INSIDE)
			worst = fmax(worst, found->shift[i].ratio); /* fmax passes over NaN */
	for (size_t i = 0; i < found->n_checks && broken; i++)
		if (found->check[i].verdict == FT_VERDICT_OVER)
			worst = fmax(worst, 1 + found->check[i].share);
	return worst;
}

/* Judge the runs of a benchmark against its models, which are open. */
static void judge(struct cli_verify *v, const struct ft_program *read, struct cli_judged *one)
{
	struct ft_err err = {0};
	char at[256];

	if (ft_program_copy(&v->program, ft_ask_program(v->models.answerer), &err))
		(void)cli_given(NULL);
	const char *lacks = map_sizes(v, read);
	const struct ft_run *failed = lacks ? NULL : find_failed(v);
	one->judgement = CLI_JUDGED_FAILED;
	if (lacks) {
		one->said = cli_printed("its runs have no value of the parameter '%s'", lacks);
		return;
	}
	one->runs = v->runs.n;
	one->sizes = count_sizes(&v->runs);
	if (failed) {
		(void)ft_size_format(&v->program, &failed->size, at, sizeof at);
		CLI_OWN char *why = cli_failure_text(failed->outcome, failed, failed->detail);
		one->said = cli_printed("a run at %s: %s", at, why);
		return;
	}
	const struct ft_resource *resource;

	if (!v->resources.n)
		(void)choose_resources(v);
	for (size_t i = 0; i < v->resources.n; i++)
		if (!ft_ask_find(v->models.answerer, v->resources.text[i], &resource, NULL))
			(void)add_resource(v, resource);
	if (filter_resources(v) || (!v->n_resources && !v->killed)) {
		one->said = cli_strdup("its runs have no value of a resource that its models predict");
		return;
	}
	if (cli_verify_ask(v, &v->verified, &err)) {
		one->said = cli_strdup(err.text);
		return;
	}
	bool holds = cli_verify_holds(v);
	if (holds && doubt_meaning(v))
		one->said = cli_strdup(v->undecided);
	one->judgement = !holds ? CLI_JUDGED_BROKEN : v->undecided ? CLI_JUDGED_UNDECIDED : CLI_JUDGED_HOLDS;
	one->worst = worst_of(&v->verified, !holds);
	if (!one->said) /* of what is broken all sizes together say most */
		one->said = cli_verify_worst(v, !holds);
	if (!one->said && v->killed)
		one->said = cli_strdup("a run was killed for memory");
	cli_verify_each(v, keep_first, one);
	one->judged = true;
}

/* Its models are opened, its runs taken. confidence: of each benchmark */
static void judge_part(const struct cli_verify *typed, struct ft_store *store, int64_t here,
		       struct ft_imported *part, double confidence, struct cli_judged *one)
{
	struct cli_verify v = *typed;
	struct ft_err err = {0};

	*one = (struct cli_judged){.name = part->program.name, .judgement = CLI_JUDGED_UNKNOWN, .worst = NAN};
	one->runs = part->runs.n;
	one->sizes = count_sizes(&part->runs);
	v.models = (struct cli_models){.store = store, .here = here};
	v.confidence = confidence;
	if (ft_ask_open_on(&v.models.answerer, store, part->program.name, typed->device, typed->machine, here,
			   &err)) {
		one->said = cli_strdup(err.text);
		one->json = typed->json ? cli_verify_many_json(NULL, one) : NULL;
		return;
	}
	if (ft_ask_resource(v.models.answerer, 0)) {
		v.runs = part->runs;
		part->runs = (struct ft_runs){0};
		judge(&v, &part->program, one);
	} else {
		one->said = cli_strdup("none of its runs ended well");
	}
	one->json = typed->json ? cli_verify_many_json(one->judged ? &v : NULL, one) : NULL;
	ft_verification_clear(&v.verified);
	free(v.undecided);
	ft_runs_clear(&v.runs);
	ft_program_clear(&v.program);
	ft_ask_close(v.models.answerer);
}

/* A line each, or an array; returns the exit status. */
static int print_judged(const struct cli_verify *v, struct cli_judged *all, size_t n)
{
	size_t count[CLI_JUDGED_UNKNOWN + 1] = {0};
	struct cli_table table = {0};

	if (n)
		qsort(all, n, sizeof *all, compare_judged);
	for (size_t i = 0; i < n; i++)
		count[all[i].judgement]++;
	if (v->json) {
		json_t *array = cli_json_array();

		for (size_t i = 0; i < n; i++)
			cli_json_append(array, all[i].json);
		cli_json_print(array, stdout);
	}
	if (!v->json)
		cli_table_heads(&table, "verdict", "benchmark", "why", NULL);
	for (size_t i = 0; i < n && !v->json; i++) {
		cli_table_add(&table, "%s", cli_judgement_text(all[i].judgement));
		cli_table_add(&table, "%s", all[i].name);
		if (all[i].broken > 1)
			cli_table_add(&table, "%s; and %zu more", all[i].said, all[i].broken - 1);
		else
			cli_table_add(&table, "%s", all[i].said ? all[i].said : "");
	}
	if (!v->json) {
		cli_table_print(&table, stdout);
		printf("\n%zu benchmark%s: %zu broken, %zu failed, %zu undecided, %zu hold, %zu without a "
		       "model\n",
		       n, n == 1 ? "" : "s", count[CLI_JUDGED_BROKEN], count[CLI_JUDGED_FAILED],
		       count[CLI_JUDGED_UNDECIDED], count[CLI_JUDGED_HOLDS], count[CLI_JUDGED_UNKNOWN]);
	}
	if (count[CLI_JUDGED_BROKEN] || count[CLI_JUDGED_FAILED])
		return CLI_NO;
	if (count[CLI_JUDGED_HOLDS])
		return CLI_DONE;
	return cli_fail(
		"no benchmark could be judged\n"
		"hint: build or import models of their names first; foretime list shows what there is");
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A file that names no program is of that whose name its own begins with. */
static int import_file(struct ft_import *import, const char *path, struct ft_import_options *options)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	CLI_OWN char *wanted = cli_printed("%.*s", (int)strcspn(base, "."), base);
	struct ft_err err = {0};

	options->wanted = *wanted && strcmp(path, "-") != 0 ? wanted : NULL;
	return ft_import_read(import, path, options, &err) ? cli_error(&err) : CLI_DONE;
}

/* The files of a path: itself, or those in a folder. */
static int import_path(struct ft_import *import, const char *path, struct ft_import_options *options)
{
	char **file = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t n = 0;

	if (!is_folder(path))
		return import_file(import, path, options);
	if (ft_files_below(path, &file, &n, &err))
		return cli_error(&err);
	for (size_t i = 0; i < n && status == CLI_DONE; i++)
		status = import_file(import, file[i], options);
	ft_files_free(file, n);
	return status;
}

static int verify_many(struct cli_verify *v, const struct cli_words *words)
{
	struct ft_import_options options = cli_reading_options(&v->reading);
	struct ft_import import = {0};
	struct ft_store *store = NULL;
	struct cli_judged *all;
	int status;

	if (words->n || words->separated || v->sweep)
		return cli_fail(
			"many benchmarks are judged at all sizes of their files\n"
			"hint: name one benchmark to choose sizes: foretime verify NAME n=2048 --runs %s",
			v->paths.text[0]);
	if (v->report && strcmp(v->report, "text") != 0)
		return cli_fail("--format %s is of one benchmark\nhint: name it, or take --json", v->report);
	options.several = true;
	status = cli_store_open(&store, v->store_path, CLI_ANSWER);
	for (size_t i = 0; i < v->paths.n && status == CLI_DONE; i++)
		status = import_path(&import, v->paths.text[i], &options);
	if (status == CLI_DONE && !import.n)
		status = *import.file.text     ? cli_error(&import.file)
			 : *import.broken.text ? cli_error(&import.broken)
					       : cli_fail("'%s' has no runs", v->paths.text[0]);
	if (status == CLI_DONE) {
		int64_t here = ft_tell_machine_here(store);
		/* All of them together pass with the stated confidence. */
		double each = fmin(1 - (1 - v->confidence) / (double)import.n, 0.9999);

		all = cli_alloc(import.n * sizeof *all);
		cli_reading_notes(&import);
		for (size_t i = 0; i < import.n; i++)
			judge_part(v, store, here, &import.part[i], each, &all[i]);
		status = print_judged(v, all, import.n);
		for (size_t i = 0; i < import.n; i++)
			free(all[i].said);
		free(all);
	}
	ft_import_clear(&import);
	ft_store_close(store);
	return status;
}

static int verify(struct cli_verify *v, const struct cli_words *words)
{
	int status = CLI_DONE;

	if (v->at_most)
		return cli_verify_growth(v, words);
	if (v->suite)
		return cli_verify_list(v, words);
	if (!v->against && v->paths.n && !cli_names_program(words))
		return verify_many(v, words);
	if (!v->against && !cli_names_program(words))
		return cli_word_missing(words, 0);
	if (!v->repetitions)
		return cli_fail("--runs 0: nothing would be run");
	v->sequential = v->against && v->repetitions == SIZE_MAX;
	if (v->repetitions == SIZE_MAX)
		v->repetitions = v->against ? 5 : 3;
	if (!v->against)
		status = cli_models_open(&v->models, v->store_path, words->word[0], v->device, v->machine);
	if (status != CLI_DONE)
		return status;
	status = get_runs(v, words);
	if (status == CLI_DONE)
		status = answer_contract(v);
	ft_verification_clear(&v->verified);
	free(v->undecided);
	free(v->unverified);
	cli_sizes_clear(&v->sizes);
	ft_runs_clear(&v->runs);
	ft_runs_clear(&v->before);
	ft_program_clear(&v->program);
	ft_program_clear(&v->old);
	if (!v->against)
		cli_models_close(&v->models);
	return status;
}

static int run_verify(const struct cli_command *command, int argc, char **argv)
{
	struct cli_verify v = {.confidence = 0.99, .repetitions = SIZE_MAX};
	struct ft_field_texts runs = {0};
	const struct ft_field options[] = {
		{0, "replay", FT_FIELD_TEXTS, &v.paths, "FILE",
		 "recorded runs to check in place of new ones, as import takes them; may be repeated"},
		{0, "against", FT_FIELD_TEXT, &v.against, "CMD",
		 "old program to run alternately with the new one, behind --; no models",
		 .not_with = "replay sweep machine"},
		{0, "at-most", FT_FIELD_TEXT, &v.at_most, "BOUND",
		 "test the growth, as in 'n log n'; needs no models", .not_with = "against sweep machine"},
		{0, "suite", FT_FIELD_TEXT, &v.suite, "LIST",
		 "run a list of benchmarks, in folder --against and here",
		 .not_with = "at-most replay sweep machine runs"},
		{0, "sweep", FT_FIELD_FLAG, &v.sweep, NULL, "run five measured sizes: also checks the growth",
		 .not_with = "replay"},
		{'r', "resource", FT_FIELD_TEXTS, &v.resources, "R",
		 "resource (default: wall_s, peak memory); repeatable"},
		{'n', "runs", FT_FIELD_TEXTS, &runs, "K",
		 "runs of each size; default 3, with --against 5; a PATH, without NAME: all benchmarks "
		 "there"},
		{'b', "budget", FT_FIELD_DURATION, &v.budget_s, "T", "take no longer than this in all"},
		{'c', "confidence", FT_FIELD_SHARE, &v.confidence, "C",
		 "how often an unchanged program passes all checks together; default 99%"},
		{0, "format", FT_FIELD_TEXT, &v.report, "F",
		 "text (default), json; for a CI: github (annotations, a summary in $GITHUB_STEP_SUMMARY) or "
		 "junit",
		 .words = "text|json|github|junit"},
		{0, "json", FT_FIELD_FLAG, &v.json, NULL, "print one JSON object"},
		{0, "store", FT_FIELD_TEXT, &v.store_path, "PATH", "the store; default $FORETIME_STORE"},
		CLI_GROUP("what is compared"),
		{0, "history", FT_FIELD_FLAG, &v.history, NULL,
		 "of --suite: keep the verdicts in the store, and show when they changed"},
		{0, "two-sided", FT_FIELD_FLAG, &v.strict, NULL,
		 "less than the lower bound breaks the contract, too"},
		CLI_DEVICE_OPTION(v.device),
		{0, "machine", FT_FIELD_TEXT, &v.machine, "M",
		 "host name or fingerprint of the machine measured; default: this one"},
		CLI_GROUP("how files are read"),
		CLI_READING_OPTIONS(v.reading),
		CLI_GROUP("how a run is started"),
		{'t', "timeout", FT_FIELD_DURATION, &v.timeout_s, "T",
		 "end a run after T; default: when it is surely over the bound"},
		CLI_LAUNCH_OPTIONS(v.threads, v.launch),
		CLI_GROUP("what else is measured"),
		CLI_PROBE_OPTIONS(v.probes),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	v.report = v.json ? NULL : v.report;
	for (size_t i = 0; i < runs.n; i++) { /* also the former behaviour of --replay */
		const struct ft_field count = {.kind = FT_FIELD_COUNT};

		if (ft_field_read(&count, &v.repetitions, runs.text[i], NULL))
			v.paths.text[v.paths.n++] = runs.text[i];
	}
	return verify(&v, &words);
}

const struct cli_command cli_verify = {
	"verify",
	"check new runs against the models",
	"NAME n=2048 [m=100] [OPTION...] [-- PROG ARG... {n} ...]\n"
	"NAME --sweep [m=100] [OPTION...] [-- PROG ARG... {n} ...]\n"
	"NAME [n=2048] --replay FILE [--size N=WHERE]... [--value R=COLUMN]... [OPTION...]\n"
	"--runs PATH [--runs PATH]... [--by COLUMN] [--size N=WHERE]... [OPTION...]\n"
	"[NAME] n=1000:16000:*2 --against 'OLD {n}' [OPTION...] -- NEW {n}\n"
	"[NAME] n=1000:64000 --at-most 'n log n' [OPTION...] -- PROG {n}\n"
	"--suite LIST --against BASE [--budget T] [--history] [OPTION...] [-- HARNESS]",
	"The program is the one that was built, or the one behind --. Nothing is stored. Exit status: 0 the\n"
	"contract holds, 1 it is broken (standard error shows where, and by how much), 2 wrong use or "
	"failure.\n",
	NULL,
	run_verify,
};
