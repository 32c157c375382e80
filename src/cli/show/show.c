/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.c - shows all that the store has of one program on one machine, on one screen; with -v without that
 * limit. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "tell/answers.h"

#include <math.h>
#include <string.h>

enum { SCREEN_LINES = 24, SIZES_MOST = 10, SIZES_LEAST = 4 };

struct show_question {
	struct ft_query query;
	const char *store_path;
	bool json, verbose, manager;
};

/* Facts about the program itself, and how its runs were made. */
static void print_facts(const struct ft_answer_show *answer, bool verbose, FILE *file)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%{}";
	const struct ft_program *program = &answer->program;
	const struct ft_building *building = answer->builds;
	CLI_OWN char *machine = cli_machine_text(&answer->machine);
	char age[FT_TELL_AGE], at[256], spent[FT_UNIT_LENGTH], singly[64] = "";
	size_t others = 0;

	fprintf(file, "name       %s\n", program->name);
	if (program->argv) {
		struct ft_text command = {0};

		for (size_t i = 0; i < program->argc; i++) {
			/* A shell leaves "{n}" alone: it stands as it was typed. */
			const char *word = program->argv[i];

			ft_text_add(&command, "%s", i ? " " : "");
			if (*word && !word[strspn(word, plain)])
				ft_text_add(&command, "%s", word);
			else
				ft_text_add_word(&command, word);
		}
		CLI_OWN char *line = cli_given(ft_text_take(&command));
		fprintf(file, "command    %s\n", line);
	}
	if (verbose && program->hash && *program->hash)
		fprintf(file, "hash       %s\n", program->hash);
	else if (verbose)
		fprintf(file, "hash       none: %s\n",
			answer->entry.runs ? "the runs come from a file" : "it was not run yet");
	if (program->device)
		fprintf(file, "device     %s%s%s\n", program->device, program->driver ? ": " : "",
			program->driver ? program->driver : "");
	if (verbose || program->work)
		fprintf(file, "work       %s\n", program->work ? program->work : "not stated");
	if (verbose)
		fprintf(file, "method     %s\n", program->method ? program->method : "none: no build yet");
	for (size_t i = 0; i < program->n_params; i++)
		cli_print_param(&program->param[i], verbose, file);
	cli_print_knowledge(&answer->knowledge, file);
	if (!answer->there)
		return;
	fprintf(file, "machine    %s%s\n", machine,
		answer->machine.id && answer->machine.id == answer->here ? "" : ", not this one");
	if (answer->entry.folded)
		(void)snprintf(singly, sizeof singly, ", of which %zu are kept singly", answer->entry.runs);
	fprintf(file, "runs       %zu%s at %zu size%s, %zu failed, the newest %s\n",
		answer->entry.runs + answer->entry.folded, singly, answer->entry.sizes,
		answer->entry.sizes == 1 ? "" : "s", answer->entry.failed,
		ft_tell_age(answer->entry.last_ns, age));
	if (building) {
		(void)ft_size_format(program, &building->size, at, sizeof at);
		fprintf(file, "building   now %s (%s)", at, ft_reason_text(building->reason));
		if (building->gain > 0)
			fprintf(file, ", expected to lower the error by %.2g %%", 100 * building->gain);
		fprintf(file, "; %zu sizes, %s spent", building->points,
			ft_value_format(building->spent_s, "s", spent));
		if (building->budget_s > 0)
			fprintf(file, ", %s left",
				ft_value_format(fmax(0, building->budget_s - building->spent_s), "s", spent));
		fputc('\n', file);
	}
	if (answer->n_traces && verbose)
		fprintf(file, "traces     of %zu run%s: foretime trace fit run:%lld takes the newest\n",
			answer->n_traces, answer->n_traces == 1 ? "" : "s", (long long)answer->trace[0].run);
	if (answer->all.real && verbose)
		fprintf(file, "real       %zu runs, made for their result; the others are benchmarks\n",
			answer->all.real);
	if (answer->all.slow_down >= 1.05)
		fprintf(file,
			"load       runs took %.2gx as long under load; wall times are for an idle machine\n",
			answer->all.slow_down);
	for (size_t i = 0; i < answer->list.n; i++) {
		const struct ft_store_entry *entry = &answer->list.entry[i];

		others += i != answer->chosen;
		if (i != answer->chosen && verbose)
			fprintf(file, "also       %zu runs on %s%s\n", entry->runs,
				entry->machine_name ? entry->machine_name : "no machine",
				entry->current ? "" : ", of an older program of that name");
	}
	if (others && !verbose)
		fprintf(file, "also       on other machines or of older versions: foretime list %s\n",
			program->name);
}

/* A selection of sizes, evenly over the logarithm of the only parameter, or over the list if there are
 * several; the smallest and the largest are among them. */
static void print_sizes(const struct ft_answer_show *answer, size_t most)
{
	const struct ft_tell_with with = {.program = &answer->program, .unit = answer->resource->unit};
	const size_t n = answer->n_groups, shown = n < most ? n : most;
	const double first = answer->group[0].size.value[0], last = answer->group[n - 1].size.value[0];
	const bool one = answer->program.n_params == 1 && first > 0;
	struct cli_table table = {0};

	printf("\n%s by size\n", answer->resource->name);
	for (size_t k = 0, i = 0; k < shown; k++, i++) {
		const double part = shown > 1 ? (double)k / (double)(shown - 1) : 0,
			     next = first * pow(last / first, part);

		/* The nearest, behind that before, and with enough left for those that follow. */
		while (i + 1 + (shown - 1 - k) < n &&
		       (one ? fabs(log(answer->group[i + 1].size.value[0] / next)) <
					fabs(log(answer->group[i].size.value[0] / next))
			    : (double)i < floor(part * (double)(n - 1))))
			i++;
		cli_table_tell(&table, &ft_tell_sizes, &answer->group[i], 1, &with);
	}
	cli_table_print(&table, stdout);
	if (shown < n)
		printf("and %zu more sizes: -v\n", n - shown);
}

/* Whether a model is shown by default: resources shown by size, time, memory, energy. */
static bool is_everyday(const struct ft_answer_show *answer, const struct ft_resource *resource)
{
	bool tree = false;

	for (size_t i = 0; i < answer->n_models; i++)
		tree |= answer->model[i].resource == &ft_peak_tree_bytes;
	return resource == answer->resource || resource == &ft_wall_s || resource == &ft_cpu_s ||
	       resource == (tree ? &ft_peak_tree_bytes : &ft_peak_rss_bytes) || resource == &ft_energy_j;
}

static void print_models(const struct ft_answer_show *answer, bool verbose)
{
	const struct cli_models models = {.answerer = answer->answerer};

	putchar('\n');
	if (!answer->n_models) {
		puts(answer->runs->n ? "no model: no run ended well" : "no model: there is no run");
		return;
	}
	if (verbose) {
		(void)cli_print_models(&models, NULL, 0, true, stdout);
		cli_axes_print_found(&answer->axes, stdout);
		return;
	}
	struct cli_table table = {0};
	size_t shown = 0;
	for (size_t i = 0; i < answer->n_models; i++)
		if (is_everyday(answer, answer->model[i].resource) && ++shown)
			cli_table_tell(&table, &ft_tell_model, &answer->model[i], 1, NULL);
	cli_table_print(&table, stdout);
	if (shown < answer->n_models)
		printf("and %zu more models: -v\n", answer->n_models - shown);
	cli_axes_print_found(&answer->axes, stdout);
	for (size_t i = 0; i < answer->n_models; i++) {
		const struct ft_answer_model *model = &answer->model[i];

		if (model->resource != answer->resource)
			continue;
		CLI_OWN char *shift = model->facts.change.runs ? cli_change_text(&model->facts.change) : NULL;
		CLI_OWN char *limits = ft_tell_limits_text(&model->facts, model->resource->unit);
		if (shift)
			printf("%s: %s\n", model->resource->name, shift);
		if (limits)
			printf("%s: %s\n", model->resource->name, limits);
	}
}

static void print_jobs(const struct ft_answer_show *answer)
{
	double query[2] = {0, 0}, used[2] = {0, 0}; /* time, memory: of those that state both */
	size_t late = 0, killed = 0;

	for (size_t i = 0; i < answer->n_jobs; i++) {
		const struct ft_answer_job *job = &answer->job[i];
		const double a[] = {job->asked_s, job->asked_bytes}, u[] = {job->used_s, job->used_bytes};

		late += job->outcome == FT_TIMED_OUT;
		killed += job->outcome == FT_OUT_OF_MEMORY;
		for (size_t k = 0; k < 2; k++)
			if (a[k] > 0 && u[k] > 0)
				query[k] += a[k], used[k] += u[k];
	}
	printf("\n%zu job%s with a request", answer->n_jobs, answer->n_jobs == 1 ? "" : "s");
	if (used[0] > 0)
		printf(": %.3g times the time used", query[0] / used[0]);
	if (used[1] > 0)
		printf("%s %.3g times the memory used", used[0] > 0 ? "," : ":", query[1] / used[1]);
	if (late || killed)
		printf("; %zu met their time limit, %zu their memory limit", late, killed);
	putchar('\n');
	cli_tell_table(&ft_tell_job, answer->job, answer->n_jobs,
		       &(struct ft_tell_with){.program = &answer->program});
}

static int print_show(const struct ft_answer_show *answer, const struct ft_query *query, bool verbose)
{
	CLI_OWN char *facts = NULL;
	size_t size, lines = 0;
	FILE *file = cli_given(open_memstream(&facts, &size));

	print_facts(answer, verbose, file);
	if (fclose(file))
		(void)cli_given(NULL);
	fputs(facts, stdout);
	for (const char *at = facts; (at = strchr(at, '\n')); at++)
		lines++;
	/* Blank lines, titles, heads, and what stands below the tables. */
	size_t models = 0;
	for (size_t i = 0; i < answer->n_models; i++)
		models += is_everyday(answer, answer->model[i].resource);
	lines += 6 + models + (models < answer->n_models) + (answer->killed != NULL) +
		 (answer->n_unavailable > 0) + answer->axes.n_flat + answer->axes.n_together;
	size_t most = lines + SIZES_LEAST < SCREEN_LINES ? SCREEN_LINES - lines : SIZES_LEAST;
	most = verbose ? SIZE_MAX : most > SIZES_MOST ? SIZES_MOST : most;
	if (answer->n_groups)
		print_sizes(answer, most);
	/* Print what is unusual, a line each. */
	char at[256];

	if (answer->killed) {
		(void)ft_size_format(&answer->program, &answer->killed->size, at, sizeof at);
		printf("killed for memory at %s: larger sizes are not run\n", at);
	}
	for (size_t i = 0; verbose && i < answer->n_unavailable; i++)
		printf("unavailable: %s (%s): %s\n", answer->unavailable[i].resource->name,
		       answer->unavailable[i].probe,
		       answer->unavailable[i].reason ? answer->unavailable[i].reason : "no reason is known");
	if (answer->n_unavailable && !verbose)
		printf("unavailable: %zu resource%s: -v\n", answer->n_unavailable,
		       answer->n_unavailable == 1 ? "" : "s");
	print_models(answer, verbose);
	if (answer->judged) {
		const struct ft_tell_with with = {.program = &answer->program,
						  .unit = answer->judged->resource->unit};
		const struct ft_kept *kept = &answer->judged->kept;
		const size_t predicted = kept->n - kept->untold;

		printf("\n%s predicted before each run, 90 %% intervals\n", answer->judged->resource->name);
		if (predicted)
			printf("%zu of %zu run%s inside, %zu below, %zu above: coverage %.0f %% (95 %% "
			       "confidence: %.0f .. %.0f %%)\n",
			       kept->inside, predicted, predicted == 1 ? "" : "s", kept->less, kept->more,
			       100 * kept->share, 100 * kept->least, 100 * kept->most);
		if (kept->untold)
			printf("%zu run%s without a prediction: too few runs before\n", kept->untold,
			       kept->untold == 1 ? "" : "s");
		cli_tell_table(&ft_tell_kept_run, kept->run, kept->n, &with);
	}
	if (query->jobs)
		print_jobs(answer);
	return CLI_DONE;
}

static int run_show(const struct cli_command *command, int argc, char **argv)
{
	struct show_question q = {.query = ft_query_usual};
	const struct ft_field options[] = {
		CLI_QUESTION(ft_question_show, q.query),
		CLI_MANAGER_OPTION(q.manager),
		CLI_VERBOSE(q.verbose),
		CLI_ANSWER_OPTIONS(q.json, q.store_path),
		{0},
	};
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_tell_show_clear) struct ft_answer_show answer = {0};
	struct cli_words words;
	struct ft_err err = {0};
	json_t *object;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	q.query.name = cli_name_word(command, &words);
	if (!q.query.name)
		return CLI_WRONG;
	if (q.manager)
		return cli_manager_tell(&ft_question_show, &ft_tell_show, &words, q.json);
	CLI_TRY(cli_store_open(&store, q.store_path, CLI_ANSWER));
	if (q.json && !ft_question_show.look(store, &q.query, &object, &err)) {
		cli_json_print(object, stdout);
		return CLI_DONE;
	}
	if (err.status || ft_tell_show_find(store, &q.query, &answer, &err))
		return cli_error(&err);
	const struct ft_answerer *answerer = answer.answerer ? answer.answerer : answer.no_models;
	const size_t left_out = answerer && answer.there ? ft_ask_left_out(answerer) : 0;
	if (left_out)
		cli_note("%zu values are left out: their instrument is not that of the newest runs (energy, "
			 "instructions, cycles; times of the process, and times that its routine reported)",
			 left_out);
	return print_show(&answer, &q.query, q.verbose);
}

const struct cli_command cli_show = {
	"show",   "show a program: its runs by size, failures, models", "NAME [OPTION...]", NULL, NULL,
	run_show,
};
