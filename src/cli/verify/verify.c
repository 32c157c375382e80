/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - `foretime verify`: checks, for a CI, that new runs keep the models' predictions and their
   growth. */
#include "cli/cli.h"
#include "cli/verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
 * known. */
static int keep_resources(struct cli_verify *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->n_resources; i++) {
		const struct ft_resource *resource = v->resource[i];

		if (v->memory && resource == &ft_peak_rss_bytes && cli_verify_has_new(v, &ft_peak_tree_bytes))
			resource = &ft_peak_tree_bytes; /* as ft_ask_typed chooses */
		if (!cli_verify_has_new(v, resource) && v->resources.n) {
			const char *why = why_not(v, resource);

			return cli_fail("no new run has a value of '%s'%s%s", resource->name, why ? ": " : "",
					why ? why : "");
		}
		if (cli_verify_has_new(v, resource) &&
		    (v->resources.n || resource != &ft_peak_rss_bytes || !is_chosen(v, &ft_peak_tree_bytes) ||
		     !cli_verify_has_new(v, &ft_peak_tree_bytes)))
			v->resource[kept++] = resource;
	}
	v->n_resources = kept;
	if (kept || v->killed)
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

static int verify(struct cli_verify *v, const struct cli_words *words)
{
	int status = CLI_DONE;

	if (v->at_most)
		return cli_verify_growth(v, words);
	if (!v->against && !cli_names_program(words))
		return cli_word_missing(words, 0);
	if (!v->repetitions)
		return cli_fail("--runs 0: nothing would be run");
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
		{0, "sweep", FT_FIELD_FLAG, &v.sweep, NULL,
		 "run five of the sizes measured: checks the growth as well", .not_with = "replay"},
		{'r', "resource", FT_FIELD_TEXTS, &v.resources, "R",
		 "resource to compare; may be repeated; default: wall_s and peak memory"},
		{'n', "runs", FT_FIELD_TEXTS, &runs, "K", "runs of each size; default 3, with --against 5"},
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
	"[NAME] n=1000:16000:*2 --against 'OLD {n}' [OPTION...] -- NEW {n}\n"
	"[NAME] n=1000:64000 --at-most 'n log n' [OPTION...] -- PROG {n}",
	"The program is the one that was built, or the one behind --. Nothing is stored. Exit status: 0 the\n"
	"contract holds, 1 it is broken (standard error shows where, and by how much), 2 wrong use or "
	"failure.\n",
	NULL,
	run_verify,
};
