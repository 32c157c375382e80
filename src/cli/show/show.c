/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.c - all that the store knows of one program on one machine. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/knowledge.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/show/show.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is shown. Zero-initialise; ends with shown_clear. */
struct shown {
	struct cli_models models;      /* the answerer is NULL when no run ended well */
	struct ft_answerer *no_models; /* then: the one whose runs are shown */
	struct ft_store_list list;
	const struct ft_store_entry *entry; /* in list */
	struct ft_program program;
	struct ft_machine machine;
	const struct ft_runs *runs; /* the answerer's; of very many, few that stand for all */
	struct ft_ask_whole all;
	struct ft_knowledge knowledge;
	const struct ft_resource *resource;
	struct ft_size_values *group;
	size_t n_groups;
	struct ft_told_kept kept;    /* resource NULL: not asked for */
	struct ft_building building; /* told_ns 0: nobody builds it now */
	struct ft_store_trace *trace;
	struct cli_asked_job *job; /* NULL: not asked for */
	size_t n_traces, n_jobs;
};

static void shown_clear(struct shown *shown)
{
	ft_ask_close(shown->no_models);
	cli_models_close(&shown->models);
	ft_store_list_clear(&shown->list);
	ft_program_clear(&shown->program);
	ft_machine_clear(&shown->machine);
	ft_knowledge_clear(&shown->knowledge);
	free(shown->group);
	ft_kept_clear(&shown->kept.kept);
	free(shown->trace);
	free(shown->job);
}

/* The resource whose values the table of runs shows. */
static int choose_resource(struct shown *shown, const char *asked)
{
	if (!shown->models.answerer || !ft_ask_resource(shown->models.answerer, 0)) {
		shown->no_models = shown->models.answerer;
		shown->models.answerer = NULL;
		shown->resource = !asked             ? &ft_wall_s
				  : shown->no_models ? ft_ask_typed(shown->no_models, asked)
						     : ft_resource_typed(asked);
		return shown->resource || cli_resource_typed(asked) ? CLI_DONE : CLI_WRONG;
	}
	shown->resource = cli_models_resource(&shown->models, asked);
	return shown->resource ? CLI_DONE : CLI_WRONG;
}

/* every: all runs are needed, where few could stand for them. */
static int load_shown(struct shown *shown, const char *name, const char *device, const char *machine,
		      const char *resource, bool every, const char *store_path)
{
	static const struct ft_runs none;
	struct ft_store *store;
	struct ft_err err = {0};
	size_t chosen;

	CLI_TRY(cli_store_open(&shown->models.store, store_path, CLI_ANSWER));
	store = shown->models.store;
	if (ft_store_get_knowledge(store, name, &shown->knowledge, &err) ||
	    ft_store_get_program(store, name, &shown->program, &err) ||
	    ft_store_get_list(store, name, &shown->list, &err) ||
	    ft_store_list_pick(&shown->list, name, device, &err))
		return cli_error(&err);
	int status = cli_entry_pick(store, &shown->list, name, machine, &chosen);
	if (status != CLI_DONE)
		return status;
	shown->entry = &shown->list.entry[chosen];
	if (shown->entry->program != shown->program.id) {
		ft_program_clear(&shown->program);
		if (ft_store_get_program_at(store, shown->entry->program, &shown->program, &err))
			return cli_error(&err);
	}
	shown->models.here = cli_machine_here(store);
	if (shown->entry->machine &&
	    ft_store_get_machine(store, shown->entry->machine, &shown->machine, &err))
		return cli_error(&err);
	if ((every ? ft_ask_open_on : ft_ask_open_models)(&shown->models.answerer, store, name, device,
							  shown->machine.fingerprint, shown->models.here,
							  &err) &&
	    err.status != FT_ENOMODEL)
		return cli_error(&err);
	shown->runs = &none;
	shown->all = (struct ft_ask_whole){.slow_down = 1, .others = NAN};
	if (shown->entry->machine) {
		const struct ft_program *settled = ft_ask_program(shown->models.answerer);

		assert(settled->id == shown->program.id);
		memcpy(shown->program.param, settled->param, sizeof settled->param);
		shown->runs = ft_ask_runs(shown->models.answerer);
		shown->all = ft_ask_all(shown->models.answerer);
		size_t left_out = ft_ask_left_out(shown->models.answerer);
		if (left_out)
			cli_note("%zu values are left out: their instrument is not that of the newest runs "
				 "(energy, instructions, cycles; times of the process, and times that its "
				 "routine reported)",
				 left_out);
	} else if (ft_program_settle(&shown->program, &none, &err)) {
		return cli_error(&err);
	}
	if (shown->entry->machine && shown->entry->machine == shown->models.here)
		(void)ft_building_get(store, shown->program.id, shown->models.here, &shown->building, NULL);
	shown->trace = cli_show_traces(store, shown->program.id, shown->entry->machine, &shown->n_traces);
	status = choose_resource(shown, resource);
	if (status == CLI_DONE && shown->runs->n &&
	    ft_ask_values(shown->models.answerer ? shown->models.answerer : shown->no_models, shown->resource,
			  &shown->group, &shown->n_groups, &err))
		status = cli_error(&err);
	return status;
}

/* ---- sizes -------------------------------------------------------------------------------------------- */

static char *why_failed(const void *record, const struct ft_tell_with *with)
{
	const struct ft_run *failure = ((const struct ft_size_values *)record)->failure;

	(void)with;
	return !failure ? NULL : cli_failure_text(failure->outcome, failure, failure->detail);
}

static char *failures_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_size_values *group = record;
	CLI_OWN char *why = group->failure ? why_failed(record, with) : NULL;
	char *text = why ? cli_printed("%zu: %s", group->failed, why) : cli_strdup("");

	return text;
}

#define GROUP struct ft_size_values
static const struct ft_tell_row group_rows[] = {
	{FT_TELL_AS(NULL, GROUP, size)},
	{FT_TELL_AS("runs", GROUP, n), .head = ">runs"},
	{FT_TELL(GROUP, median), .null = "none ended well", .head = ">median", .unit = ""},
	{FT_TELL(GROUP, least), .null = "none ended well", .head = ">least", .unit = ""},
	{FT_TELL(GROUP, most), .null = "none ended well", .head = ">most", .unit = ""},
	{FT_TELL(GROUP, failed)},
	{FT_TELL_WHOLE(MADE, "failure"), .about = "the last one", .null = "none", .cell = why_failed},
	{FT_TELL_AS(NULL, GROUP, failed), .head = "failures", .cell = failures_cell},
	{0},
};
static const struct ft_tell_record group_told = {.bytes = sizeof(GROUP), .row = group_rows};

/* ---- text --------------------------------------------------------------------------------------------- */

/* A word as a shell takes it: quoted where it must be. */
static void print_word(const char *word)
{
	const char *plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%{}";

	if (*word && !word[strspn(word, plain)]) {
		printf(" %s", word);
		return;
	}
	fputs(" '", stdout);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	putchar('\'');
}

/* Where others hindered the runs: beyond that all is told as though they had not. */
static void print_load(const struct ft_ask_whole *all)
{
	if (all->slow_down >= 1.05)
		printf("load       runs took %.2g times as long as alone, beside %.0f other tasks; wall "
		       "times are told as alone\n",
		       all->slow_down, isnan(all->others) ? 0 : all->others);
}

static void print_facts(const struct shown *shown)
{
	const struct ft_program *program = &shown->program;
	char *machine = cli_machine_text(&shown->machine);
	struct cli_told_knowledge knowledge;
	char age[FT_TELL_AGE];

	printf("name       %s\n", program->name);
	if (program->argv) {
		printf("command   ");
		for (size_t i = 0; i < program->argc; i++)
			print_word(program->argv[i]);
		putchar('\n');
	}
	if (program->hash && *program->hash)
		printf("hash       %s\n", program->hash);
	else
		printf("hash       none: %s\n",
		       shown->entry->runs ? "the runs come from a file" : "it was not run yet");
	if (program->device)
		printf("device     %s%s%s\n", program->device, program->driver ? ": " : "",
		       program->driver ? program->driver : "");
	printf("work       %s\n", program->work ? program->work : "not stated");
	printf("method     %s\n", program->method ? program->method : "none: no build yet");
	for (size_t i = 0; i < program->n_params; i++)
		cli_print_param(&program->param[i], true);
	cli_knowledge_find(&shown->knowledge, shown->models.answerer, &knowledge);
	cli_print_knowledge(&knowledge, stdout);
	cli_knowledge_clear(&knowledge);
	if (!shown->entry->machine) {
		free(machine);
		return;
	}
	printf("machine    %s%s\n", machine,
	       shown->machine.id && shown->machine.id == shown->models.here ? "" : ", not this one");
	printf("runs       %zu at %zu size%s, %zu failed, the newest %s\n", shown->entry->runs,
	       shown->entry->sizes, shown->entry->sizes == 1 ? "" : "s", shown->entry->failed,
	       ft_tell_age(shown->entry->last_ns, age));
	if (shown->building.told_ns)
		cli_building_print(&shown->building, program, stdout);
	if (shown->n_traces)
		printf("traces     of %zu run%s: foretime trace fit run:%lld takes the newest\n",
		       shown->n_traces, shown->n_traces == 1 ? "" : "s", (long long)shown->trace[0].run);
	if (shown->all.real)
		printf("real       %zu of them, made for their result; the others are benchmarks\n",
		       shown->all.real);
	print_load(&shown->all);
	for (size_t i = 0; i < shown->list.n; i++)
		if (&shown->list.entry[i] != shown->entry)
			printf("also       %zu runs on %s%s\n", shown->list.entry[i].runs,
			       shown->list.entry[i].machine_name ? shown->list.entry[i].machine_name
								 : "no machine",
			       shown->list.entry[i].current ? "" : ", of an older program of that name");
	free(machine);
}

static void print_groups(const struct shown *shown)
{
	const struct ft_tell_with with = {.program = &shown->program, .unit = shown->resource->unit};

	printf("\n%s by size\n", shown->resource->name);
	cli_tell_table(&group_told, shown->group, shown->n_groups, &with);
}

/* The run of the smallest size that was killed for memory; NULL: none was. */
static const struct ft_run *killer_of(const struct shown *shown)
{
	const struct ft_program *program = &shown->program;

	if (!shown->runs->n)
		return NULL;
	struct ft_size any = shown->runs->run[0].size;
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].least < program->param[i].most)
			any.value[i] = INFINITY;
	return ft_runs_killer(shown->runs, ft_program_varying(program), &any);
}

static double killed_at(const struct shown *shown)
{
	const struct ft_run *run = killer_of(shown);

	return run ? run->size.value[ft_program_varying(&shown->program)] : (double)NAN;
}

static void print_killed(const struct shown *shown)
{
	const struct ft_run *run = killer_of(shown);
	char at[256];

	if (!run)
		return;
	(void)ft_size_format(&shown->program, &run->size, at, sizeof at);
	printf("killed for memory at %s: larger sizes are not run\n", at);
}

static void print_unavailable(const struct shown *shown)
{
	const struct ft_run *run = ft_runs_newest(shown->runs);

	for (size_t i = 0; run && i < run->n_samples; i++)
		if (run->sample[i].label == FT_UNAVAILABLE)
			printf("unavailable: %s (%s): %s\n", run->sample[i].resource->name,
			       run->sample[i].probe,
			       run->sample[i].reason ? run->sample[i].reason : "no reason is known");
}

static void print_text(const struct shown *shown)
{
	print_facts(shown);
	if (shown->n_groups)
		print_groups(shown);
	print_killed(shown);
	print_unavailable(shown);
	putchar('\n');
	if (shown->models.answerer && shown->runs->n) {
		(void)cli_print_models(&shown->models, NULL, 0, true, stdout);
		cli_axes_print(&shown->models, NULL, 0, stdout);
	} else {
		puts(shown->runs->n ? "no model: no run ended well" : "no model: there is no run");
	}
	if (shown->kept.resource)
		cli_kept_print(&shown->kept, &shown->program);
	if (shown->job)
		cli_asked_print(shown->job, shown->n_jobs, &shown->program);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static const struct ft_tell_row unavailable_rows[] = {
	{FT_TELL(struct ft_sample, resource)},
	{FT_TELL(struct ft_sample, probe)},
	{FT_TELL(struct ft_sample, reason), .null = "not known"},
	{0},
};
static const struct ft_tell_record unavailable = {.bytes = sizeof(struct ft_sample), .row = unavailable_rows};

struct show_told {
	struct ft_program program;
	const struct ft_machine *machine;
	struct ft_store_entry entry;
	size_t real;
	double slow_down, others, killed;
	const struct ft_resource *resource;
	struct ft_size_values *group;
	struct cli_told_knowledge knowledge;
	struct ft_sample *unavailable;
	const struct ft_told_axes *axes;
	const struct ft_told_kept *kept;
	const struct ft_building *building;
	struct ft_store_trace *trace;
	struct cli_asked_job *job;
	struct ft_told_model *model;
	size_t n_groups, n_unavailable, n_models, n_traces, n_jobs;
};

#define TOLD struct show_told
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, TOLD, program), .of = &ft_tell_program},
	{FT_TELL_BY(POINTER, "machine", TOLD, machine), .of = &ft_tell_machine, .null = "there is no run"},
	{FT_TELL_AS("runs", TOLD, entry.runs)},
	{FT_TELL_AS("failed", TOLD, entry.failed)},
	{FT_TELL(TOLD, real), .about = "how many of the runs somebody needed the result of (run --save); the "
				       "others are benchmarks"},
	{FT_TELL_BY(TIME, "first_run", TOLD, entry.first_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "not known"},
	{FT_TELL_BY(TIME, "last_run", TOLD, entry.last_ns), .about = "UTC", .null = "not known"},
	{FT_TELL(TOLD, slow_down), .about = FT_TELL_SLOW_DOWN},
	{FT_TELL(TOLD, others), .about = FT_TELL_OTHERS, .null = "not known"},
	{FT_TELL(TOLD, resource)},
	{FT_TELL_BY(UNIT, "unit", TOLD, resource)},
	{FT_TELL_MANY(LIST, "sizes", TOLD, group, n_groups, &group_told)},
	{FT_TELL(TOLD, killed), .about = FT_TELL_KILLED, .null = "none was"},
	{FT_TELL_BY(ROWS, NULL, TOLD, knowledge), .of = &cli_knowledge_told},
	{FT_TELL_MANY(LIST, "unavailable", TOLD, unavailable, n_unavailable, &unavailable),
	 .about = "what the newest run was to tell and could not"},
	{FT_TELL_BY(PERHAPS, NULL, TOLD, axes), .of = &ft_tell_axes}, /* no run ended well */
	{FT_TELL_MANY(LIST, "models", TOLD, model, n_models, &ft_tell_model)},
	{FT_TELL_BY(POINTER, "building", TOLD, building), .of = &cli_building_told,
	 .absent = "nobody builds it now on this machine"},
	{FT_TELL_MANY(LIST, "traces", TOLD, trace, n_traces, &cli_traces_told),
	 .about = "runs of which one is kept, the newest first"},
	{FT_TELL_BY(POINTER, "kept", TOLD, kept), .of = &ft_tell_kept, .absent = "not asked for"},
	{FT_TELL_MANY(LIST, "asked", TOLD, job, n_jobs, &cli_asked_told),
	 .about = "with --asked: what jobs asked a batch system for, and used, in the order in which they "
		  "were kept"},
	{0},
};
const struct ft_tell_record cli_show_told = {.name = "show", .version = 2, .row = rows};

/* Of the newest run; ends with free. */
static struct ft_sample *find_unavailable(const struct shown *shown, size_t *n)
{
	const struct ft_run *run = ft_runs_newest(shown->runs);
	struct ft_sample *found = cli_alloc(run ? run->n_samples * sizeof *found : 0);

	*n = 0;
	for (size_t i = 0; run && i < run->n_samples; i++)
		if (run->sample[i].label == FT_UNAVAILABLE)
			found[(*n)++] = run->sample[i];
	return found;
}

static void print_json(const struct shown *shown)
{
	const struct ft_tell_with with = {.program = &shown->program};
	struct ft_told_axes axes;
	TOLD told = {
		.program = shown->program,
		.machine = shown->entry->machine ? &shown->machine : NULL,
		.entry = *shown->entry,
		.real = shown->all.real,
		.slow_down = shown->all.slow_down,
		.others = shown->all.others,
		.killed = killed_at(shown),
		.resource = shown->resource,
		.group = shown->group,
		.n_groups = shown->n_groups,
		.axes = shown->models.answerer ? &axes : NULL,
		.kept = shown->kept.resource ? &shown->kept : NULL,
		.building = shown->building.told_ns ? &shown->building : NULL,
		.trace = shown->trace,
		.n_traces = shown->n_traces,
		.job = shown->job,
		.n_jobs = shown->n_jobs,
	};

	told.unavailable = find_unavailable(shown, &told.n_unavailable);
	told.n_models = cli_models_all(&shown->models, &told.model);
	if (told.axes)
		ft_tell_axes_find(shown->models.answerer, NULL, 0, &axes);
	cli_knowledge_find(&shown->knowledge, shown->models.answerer, &told.knowledge);
	cli_tell(&cli_show_told, &told, &with);
	cli_knowledge_clear(&told.knowledge);
	free(told.unavailable);
	free(told.model);
}

static int run_show(const struct cli_command *command, int argc, char **argv)
{
	const char *store_path = NULL, *device = NULL, *machine = NULL, *resource = NULL;
	bool json = false;
	size_t most = 0, jobs = 0;
	const struct ft_field options[] = {
		{'r', "resource", FT_FIELD_TEXT, &resource, "R",
		 "the resource whose values are shown by size; default wall_s"},
		{0, "kept", FT_FIELD_COUNT, &most, "N",
		 "how many of the newest N runs lay within what the runs before them said"},
		{0, "asked", FT_FIELD_COUNT, &jobs, "N",
		 "what the newest N jobs asked a batch system for, and what they used"},
		CLI_DEVICE_OPTION(device),
		CLI_MACHINE_OPTION(machine),
		CLI_ANSWER_OPTIONS(json, store_path),
		{0},
	};
	struct shown shown = {0};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	const char *name = cli_name_word(command, &words);
	status = name ? load_shown(&shown, name, device, machine, resource, jobs, store_path) : CLI_WRONG;
	if (status == CLI_DONE && most)
		status = cli_kept_find(shown.models.answerer, shown.resource, most, &shown.kept);
	if (status == CLI_DONE && jobs)
		shown.job = cli_show_asked(shown.runs, jobs, &shown.n_jobs);
	if (status == CLI_DONE && json)
		print_json(&shown);
	else if (status == CLI_DONE)
		print_text(&shown);
	shown_clear(&shown);
	return status;
}

const struct cli_command cli_show = {
	"show",   "show a program: its runs by size, failures, models", "NAME [OPTION...]", NULL, NULL,
	run_show,
};
