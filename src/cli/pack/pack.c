/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.c - `foretime plan pack`: how many copies of a program fit on this machine, and how they slow each
 * other down. */
#include "cli/cli.h"
#include "cli/pack/pack.h"
#include "foretime/base.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Processors and memory for the copies.
 */

/* Seen to hinder each other is only what is more than there are processors for. */
enum { TIMES_MOST = 2 };

/* The first `wanted` processors that this process may use, "0,1,4"; NULL: there are fewer. n: out, how
 * many there are. */
static char *first_processors(size_t wanted, size_t *n)
{
	cpu_set_t set;
	char *list = cli_strdup("");

	*n = 0;
	if (sched_getaffinity(0, sizeof set, &set))
		CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET((size_t)i, &set) || (*n)++ >= wanted)
			continue;
		cli_reprint(&list, "%s%s%d", list, *list ? "," : "", i);
	}
	if (*n >= wanted)
		return list;
	free(list);
	return NULL;
}

/*
 * Store what copies took: alone as a run of the program, together as runs of NAME/copies, with their number
 * as a further parameter.
 */

static const char further[] = "copies";

/* NAME/copies has no command, since no single command runs that many. */
static bool name_copies(struct cli_pack_kept *kept, const struct cli_pack *pack)
{
	struct ft_program *copies = &kept->copies;
	size_t n = pack->program.n_params;

	if (n == FT_PARAMS_MAX || ft_program_find_param(&pack->program, further) >= 0)
		return false;
	*copies = (struct ft_program){.n_params = n + 1};
	copies->device = cli_strdup(pack->program.device);
	copies->driver = cli_strdup(pack->program.driver);
	copies->name = cli_printed("%s/%s", pack->program.name, further);
	memcpy(copies->param, pack->program.param, n * sizeof *copies->param);
	copies->param[n] = (struct ft_param){.least = 1, .most = (double)pack->options.most, .stride = 1};
	(void)snprintf(copies->param[n].name, sizeof copies->param[n].name, "%s", further);
	return true;
}

/* pack_keep_begin - prepare for a stored program. pack_keep - store the runs of some copies at once, whose
 * sizes get their number as well. Both return CLI_DONE, or the exit status after a complaint. */
static int pack_keep_begin(struct cli_pack_kept *kept, struct cli_pack *pack)
{
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&kept->store, pack->store_path, CLI_WRITE));
	free(pack->program.hash);
	pack->program.hash = cli_program_hash(kept->store, &pack->program);
	if (ft_machine_read("", &kept->machine, &err) ||
	    ft_store_put_machine(kept->store, &kept->machine, &err) ||
	    ft_store_put_program(kept->store, &pack->program, &err))
		return cli_error(&err);
	kept->several = name_copies(kept, pack);
	if (!kept->several)
		return CLI_DONE;
	kept->copies.hash = cli_strdup(pack->program.hash);
	return ft_store_put_program(kept->store, &kept->copies, &err) ? cli_error(&err) : CLI_DONE;
}

static enum ft_status keep_all(struct cli_pack_kept *kept, const struct ft_program *program,
			       struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = ft_store_begin(kept->store, err);

	for (size_t i = 0; i < runs->n && !status; i++) {
		runs->run[i].id = 0;
		status = ft_store_keep_run(kept->store, program, kept->machine.id, &runs->run[i], err);
	}
	return ft_store_end(kept->store, status, err);
}

static int pack_keep(struct cli_pack_kept *kept, const struct cli_pack *pack, size_t copies,
		     struct ft_runs *runs)
{
	struct ft_err err = {0};

	if (!kept->store)
		return CLI_DONE;
	if (copies == 1 && keep_all(kept, &pack->program, runs, &err))
		return cli_error(&err);
	kept->n_alone += copies == 1 ? runs->n : 0;
	if (!kept->several)
		return CLI_DONE;
	for (size_t i = 0; i < runs->n; i++) {
		struct ft_size *size = &runs->run[i].size;

		size->value[size->n++] = (double)copies;
	}
	if (keep_all(kept, &kept->copies, runs, &err))
		return cli_error(&err);
	kept->n += runs->n;
	return CLI_DONE;
}

/*
 * The output of `foretime plan pack`.
 */

#define RATIO struct ft_pack_ratio
static const struct ft_tell_row ratio_rows[] = {
	{FT_TELL(RATIO, value), .about = "ratio to one copy on an idle machine", .null = "not measured"},
	{FT_TELL(RATIO, lower), .null = "too few rounds"},
	{FT_TELL(RATIO, upper), .null = "too few rounds"},
	{0},
};
static const struct ft_tell_record ratios = {.bytes = sizeof(RATIO), .row = ratio_rows};

#define LEVEL struct ft_pack_level
static const struct ft_tell_row level_rows[] = {
	{FT_TELL(LEVEL, copies), .head = ">copies"},
	{FT_TELL(LEVEL, rounds), .head = ">rounds"},
	{FT_TELL_AS(NULL, LEVEL, longer.value), .head = ">each takes", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, LEVEL, longer.lower), .head = ">from", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, LEVEL, longer.upper), .head = ">to", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, LEVEL, last.value), .head = ">the last", .unit = ".3f", .none = "-"},
	{FT_TELL_BY(RECORD, "longer", LEVEL, longer), .of = &ratios,
	 .about = "wall time of a copy, the mean of all"},
	{FT_TELL_BY(RECORD, "last", LEVEL, last), .of = &ratios, .about = "... of that which ended last"},
	{FT_TELL(LEVEL, work), .about = "done in a time, times what one alone does", .head = ">work",
	 .unit = ".2f", .null = "not measured", .none = "-"},
	{FT_TELL(LEVEL, work_lower), .null = "too few rounds"},
	{FT_TELL(LEVEL, work_upper), .null = "too few rounds"},
	{FT_TELL(LEVEL, peak_bytes), .about = "the sum of their peaks, the largest", .head = ">memory",
	 .unit = "bytes", .null = "not measured", .none = "-"},
	{FT_TELL_BY(WORD, "outcome", LEVEL, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES,
	 .about = "of a copy that did not end well", .head = "outcome"},
	{0},
};
static const struct ft_tell_record levels = {.bytes = sizeof(LEVEL), .row = level_rows};

#define RESOURCE struct ft_pack_resource
static const struct ft_tell_row resource_rows[] = {
	{FT_TELL_AS("name", RESOURCE, resource), .head = "resource"},
	{FT_TELL(RESOURCE, holds), .about = "copies, up to which each uses no more than alone",
	 .head = ">adds up to"},
	{FT_TELL(RESOURCE, breaks), .about = "the fewest copies of which each uses more",
	 .null = "no such number was seen", .head = ">not at"},
	{FT_TELL_AS(NULL, RESOURCE, most.value), .head = ">times", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, RESOURCE, most.lower), .head = ">from", .unit = ".3f", .none = "-"},
	{FT_TELL_AS(NULL, RESOURCE, most.upper), .head = ">to", .unit = ".3f", .none = "-"},
	{FT_TELL_BY(RECORD, "most", RESOURCE, most), .of = &ratios,
	 .about = "of a copy, there, else among the most that ran"},
	{0},
};
static const struct ft_tell_record resources = {.bytes = sizeof(RESOURCE), .row = resource_rows};

struct pack_answer {
	const char *name;
	struct ft_size size;
	size_t processors;
	double memory_bytes, within, confidence;
	struct ft_pack_report report;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct pack_answer, name)},
	{FT_TELL(struct pack_answer, size), .about = "a value for each parameter"},
	{FT_TELL(struct pack_answer, processors), .about = "that the copies may use"},
	{FT_TELL(struct pack_answer, memory_bytes), .about = "that they may have", .null = "not known"},
	{FT_TELL(struct pack_answer, within), .about = "slow-down up to which copies fit, as a share"},
	{FT_TELL(struct pack_answer, confidence)},
	{FT_TELL_AS("fits", struct pack_answer, report.fits),
	 .about = "copies that do not hinder each other"},
	{FT_TELL_AS("perhaps", struct pack_answer, report.perhaps), .about = "copies that were not seen to"},
	{FT_TELL_BY(WORD, "bound", struct pack_answer, report.bound), .word = ft_pack_bound_text,
	 .words = "they hinder each other|memory|no more were requested|a copy did not end well|the budget",
	 .about = "why no more"},
	{FT_TELL_AS("best", struct pack_answer, report.best), .about = "copies that do most work in a time"},
	{FT_TELL_AS("alone_s", struct pack_answer, report.alone_s),
	 .about = "wall time of one alone, the median"},
	{FT_TELL_AS("alone_bytes", struct pack_answer, report.alone_bytes), .null = "not measured"},
	{FT_TELL_MANY(ARRAY, "levels", struct pack_answer, report.level, report.n, &levels)},
	{FT_TELL_MANY(ARRAY, "resources", struct pack_answer, report.resource, report.n_resources,
		      &resources)},
	{FT_TELL_BY(WORD, "stop", struct pack_answer, report.stop), .word = ft_stop_text,
	 .words = "tolerance|budget|points|exhausted|interrupted"},
	{FT_TELL_AS("spent_s", struct pack_answer, report.spent_s), .about = "wall time of all runs"},
	{0},
};
const struct ft_tell_record cli_pack_answer = {
	.name = "pack", .typed = "plan pack", .version = 1, .row = rows};

static void print_rows(const struct ft_tell_record *record, const void *what, size_t n)
{
	putchar('\n');
	cli_tell_table(record, what, n, NULL);
}

/* pack_say - the answer. */
static void pack_say(const struct cli_pack *pack)
{
	const struct ft_tell_with with = {.program = &pack->program};
	const struct pack_answer answer = {
		.name = pack->program.name,
		.size = pack->size,
		.processors = pack->processors,
		.memory_bytes = pack->options.memory_bytes > 0 ? pack->options.memory_bytes : (double)NAN,
		.within = pack->options.within,
		.confidence = pack->options.confidence,
		.report = pack->report};

	if (pack->json) {
		cli_tell(&cli_pack_answer, &answer, &with);
		return;
	}
	const struct ft_pack_report *r = &pack->report;
	char text[3][FT_UNIT_LENGTH], at[256];

	(void)ft_size_format(&pack->program, &pack->size, at, sizeof at);
	printf("%s%s%s: alone %s", pack->program.name, *at ? " " : "", at,
	       ft_value_format(r->alone_s, "s", text[0]));
	if (!isnan(r->alone_bytes))
		printf(", %s", ft_value_format(r->alone_bytes, "bytes", text[1]));
	printf("; %zu processor%s", pack->processors, pack->processors == 1 ? "" : "s");
	if (pack->options.memory_bytes > 0)
		printf(", %s", ft_value_format(pack->options.memory_bytes, "bytes", text[2]));
	printf("\n%zu fit%s: each takes at most %s longer than alone", r->fits, r->fits == 1 ? "s" : "",
	       ft_share_format(pack->options.within, text[0]));
	if (r->perhaps > r->fits)
		printf("; perhaps up to %zu", r->perhaps);
	printf(". No more: %s\n", ft_pack_bound_text(r->bound));
	if (r->best > 1)
		printf("most work is done by %zu at once\n", r->best);
	print_rows(&levels, pack->report.level, pack->report.n);
	print_rows(&resources, pack->report.resource, pack->report.n_resources);
}

/* ---- the program and its size ----------------------------------------------------------------------- */

/*
 * `foretime plan pack`: how many copies of a program fit on this machine, and how they slow each other
 * down.
 */

static int read_stored(struct cli_pack *pack, const char *name)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&store, pack->store_path, CLI_READ));
	if (pack->device ? ft_store_get_program_on(store, name, pack->device, &pack->program, &err)
			 : ft_store_get_program(store, name, &pack->program, &err))
		return cli_error(&err);
	if (pack->program.argv)
		return CLI_DONE;
	return cli_fail("the command of '%s' is not known: its runs come from elsewhere\n"
			"hint: write it behind --, without '%s'",
			name, name);
}

static int set_value(struct cli_pack *pack, const char *word)
{
	const struct ft_program *program = &pack->program;
	struct ft_param param;
	struct ft_err err = {0};

	if (!strchr(word, '=') || ft_param_parse(word, &param, &err))
		return err.status ? cli_error(&err)
				  : cli_size_refuse(word, program->n_params ? program->param[0].name : "n");
	if (param.least < param.most)
		return cli_fail("'%s' is a range, and copies of one size are run\n"
				"hint: write %s=VALUE",
				word, param.name);
	int at = ft_program_find_param(program, param.name);
	if (at < 0)
		return cli_fail("%s has no parameter '%s'", program->name, param.name);
	pack->size.value[at] = param.least;
	return CLI_DONE;
}

/* Parameters without a word have their only value. */
static int read_size(struct cli_pack *pack, char *const *word, size_t n)
{
	const struct ft_program *program = &pack->program;
	bool known[FT_PARAMS_MAX] = {false};

	pack->size.n = program->n_params;
	for (size_t i = 0; i < program->n_params; i++) {
		size_t length = strlen(program->param[i].name);

		pack->size.value[i] = program->param[i].least;
		known[i] = program->param[i].least == program->param[i].most;
		for (size_t k = 0; k < n; k++)
			known[i] = known[i] || (!strncmp(word[k], program->param[i].name, length) &&
						word[k][length] == '=');
	}
	for (size_t k = 0; k < n; k++)
		CLI_TRY(set_value(pack, word[k]));
	for (size_t i = 0; i < program->n_params; i++)
		if (!known[i])
			return cli_fail("at which %s?\n"
					"hint: write %s=VALUE",
					program->param[i].name, program->param[i].name);
	return CLI_DONE;
}

static int read_words(struct cli_pack *pack, const struct cli_words *words)
{
	bool named = words->n && !strchr(words->word[0], '=');

	if (named == (words->n_rest > 0)) {
		(void)cli_fail(named ? "a NAME, or a program behind --: one of both" : "which program?");
		cli_hint("foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...");
		return CLI_WRONG;
	}
	if (named) {
		CLI_TRY(read_stored(pack, words->word[0]));
		pack->stored = true;
		return read_size(pack, words->word + 1, words->n - 1);
	}
	cli_program_argv(&pack->program, words->rest, words->n_rest);
	cli_program_name(&pack->program);
	CLI_TRY(cli_program_params(&pack->program, words->word, words->n, false));
	return read_size(pack, words->word, words->n);
}

/* ---- the runs ----------------------------------------------------------------------------------------- */

static void show_progress(const struct cli_pack *pack, size_t copies, double spent_s)
{
	char text[FT_UNIT_LENGTH];

	if (pack->quiet || pack->json || !isatty(STDERR_FILENO))
		return;
	cli_terminal_again();
	fprintf(stderr, "%zu at once, %s so far", copies, ft_value_format(spent_s, "s", text));
}

static int run_copies(struct cli_pack *pack, struct ft_pack *query, struct ft_group *group,
		      struct cli_pack_kept *kept)
{
	struct ft_err err = {0};
	size_t copies;
	double limit_s, spent_s = 0;

	while (ft_pack_ask(query, &copies, &limit_s)) {
		struct ft_runs runs = {0};

		show_progress(pack, copies, spent_s);
		bool failed = ft_group_run(group, &pack->size, copies, limit_s, &runs, &err) ||
			      ft_pack_tell(query, copies, &runs, &err);
		spent_s += runs.n ? runs.run[0].cost_s : 0;
		int status = failed ? cli_error(&err) : pack_keep(kept, pack, copies, &runs);
		ft_runs_clear(&runs);
		if (status != CLI_DONE)
			return status;
	}
	if (!pack->quiet && !pack->json && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	return CLI_DONE;
}

/* Which processors, and how much memory, the copies may use. Returns CLI_DONE, or the exit status after a complaint. */
static int find_place(struct cli_pack *pack)
{
	size_t n;
	char *list = first_processors(pack->cores ? pack->cores : 1, &n);

	if (!list)
		return cli_fail(
			"%zu cores were requested, and there %s %zu\n"
			"hint: run it on the machine that is meant: what copies do to each other is measured",
			pack->cores, n == 1 ? "is" : "are", n);
	pack->processors = pack->cores ? pack->cores : n;
	if (pack->cores)
		pack->launch.pin = pack->pin = list;
	else
		free(list);
	char text[2][FT_UNIT_LENGTH];
	double there;

	if (ft_memory_limit_bytes("", &there, NULL, NULL))
		return CLI_DONE;
	if (pack->options.memory_bytes <= 0)
		pack->options.memory_bytes = there;
	if (pack->options.memory_bytes <= there)
		return CLI_DONE;
	return cli_fail("--memory %s: there are %s\n"
			"hint: run it on the machine that is meant: copies beyond its memory would page",
			ft_value_format(pack->options.memory_bytes, "bytes", text[0]),
			ft_value_format(there, "bytes", text[1]));
}

static int measure_pack(struct cli_pack *pack)
{
	int status = CLI_DONE;
	struct ft_pack *query = NULL;
	struct ft_group *group = NULL;
	struct cli_pack_kept kept = {0};
	struct ft_err err = {0};

	CLI_TRY(find_place(pack));
	const size_t each = pack->threads ? pack->threads : 1;

	pack->options.most = pack->most ? pack->most : TIMES_MOST * pack->processors / each;
	if (pack->options.most < 2)
		pack->options.most = 2;
	cli_probes_set(&pack->probes, &pack->launch);
	pack->launch.program = &pack->program;
	if (pack->stored && !pack->apart)
		status = pack_keep_begin(&kept, pack);
	pack->launch.threads = (int)(pack->threads < 1000000 ? pack->threads : 1000000);
	if (status != CLI_DONE) {
		; /* reported before */
	} else if (ft_pack_new(&query, &pack->options, &err) ||
		   ft_group_open(&group, &pack->launch, pack->options.most, &err)) {
		status = cli_error(&err);
	} else {
		cli_signals_catch();
		ft_group_interrupt(group, cli_interrupt_flag());
		status = run_copies(pack, query, group, &kept);
	}
	if (status == CLI_DONE && ft_pack_report(query, &pack->report, &err) && *cli_interrupt_flag()) {
		status = CLI_INTERRUPTED;
	} else if (status == CLI_DONE && err.status) {
		status = cli_error(&err);
		cli_hint("see its output: foretime run -- and its command");
	}
	if (kept.n && !pack->quiet)
		cli_note("kept %zu runs as %s, those alone (%zu) as %s too", kept.n, kept.copies.name,
			 kept.n_alone, pack->program.name);
	ft_store_close(kept.store);
	ft_machine_clear(&kept.machine);
	ft_program_clear(&kept.copies);
	ft_group_close(group);
	ft_pack_free(query);
	return status;
}

/* Only a plan: machines with more memory or processors than this one can be stated. */
static int place_jobs(struct cli_pack *pack, const struct cli_words *words)
{
	size_t n;

	if (!words->n || words->n_rest)
		return cli_fail("--jobs needs files with requests\n"
				"hint: foretime request NAME n=SIZE --steps 4 --json > JOB.json; foretime "
				"plan pack --jobs "
				"JOB.json ...");
	free(first_processors(1, &n));
	pack->processors = pack->cores ? pack->cores : n;
	if (!(pack->options.memory_bytes > 0) &&
	    ft_memory_limit_bytes("", &pack->options.memory_bytes, NULL, NULL))
		return cli_fail("the memory of this machine is not known\nhint: state it: --memory 64GiB");
	return cli_pack_jobs(pack, words);
}

static int run_pack(const struct cli_command *command, int argc, char **argv)
{
	struct cli_pack p = {.options = {.budget_s = 60, .confidence = 0.9, .within = 0.1, .seed = 1}};
	const struct ft_field options[] = {
		{0, "cpus", FT_FIELD_COUNT, &p.cores, "K", "use the first K processors; default: all",
		 .not_with = "pin"},
		{0, "memory", FT_FIELD_BYTES, &p.options.memory_bytes, "B",
		 "memory of all copies; default: what is available"},
		{0, "limit", FT_FIELD_COUNT, &p.most, "K",
		 "maximum number of copies; default: twice what there are processors for"},
		{0, "tolerance", FT_FIELD_SHARE, &p.options.within, "SHARE",
		 "slow-down up to which copies fit; default 10%"},
		{'b', "budget", FT_FIELD_DURATION, &p.options.budget_s, "T",
		 "total time to spend measuring; default 60s"},
		{'t', "timeout", FT_FIELD_DURATION, &p.options.timeout_s, "T",
		 "end a copy after T; default: four times the time of all copies one after another"},
		CLI_QUIET_OPTION(p.quiet),
		CLI_ANSWER_OPTIONS(p.json, p.store_path),
		CLI_GROUP("what is measured, and kept"),
		{'c', "confidence", FT_FIELD_SHARE, &p.options.confidence, "C", "of intervals; default 90%"},
		{0, "apart", FT_FIELD_FLAG, &p.apart, NULL, "of a NAME: keep none of the runs"},
		CLI_DEVICE_OPTION(p.device),
		CLI_GROUP("jobs instead of copies"),
		{0, "jobs", FT_FIELD_FLAG, &p.jobs, NULL,
		 "plan when jobs start whose memory rises; each FILE is an answer of foretime request "
		 "--steps K --json",
		 .not_with = "limit tolerance budget timeout confidence apart device threads"},
		CLI_GROUP("how a copy is started"),
		CLI_LAUNCH_OPTIONS(p.threads, p.launch),
		CLI_GROUP("what else is measured"),
		CLI_PROBE_OPTIONS(p.probes),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (p.jobs) {
		status = place_jobs(&p, &words);
	} else {
		status = read_words(&p, &words);
		if (status == CLI_DONE)
			status = measure_pack(&p);
		if (status == CLI_DONE)
			pack_say(&p);
	}
	if (status == CLI_DONE && p.report.stop == FT_STOP_INTERRUPTED)
		status = CLI_INTERRUPTED;
	free(p.pin);
	ft_program_clear(&p.program);
	return status;
}

const struct cli_command cli_pack = {
	"plan pack",
	"measure how many copies of a program fit on this machine",
	"NAME n=2048 [m=100] [--cpus 16] [--memory 64GiB] [OPTION...]\n"
	"[n=2048] [--cpus 16] [--memory 64GiB] [OPTION...] -- PROG ARG... [{n}] ...\n"
	"--jobs FILE... [--cpus 16] [--memory 64GiB]",
	"Copies are run at once, 1, 2, 4 and so on, in rounds, in random order. Exit status: 0 done, 1 not "
	"even\n"
	"one alone ended well, 2 wrong use or failure.\n",
	NULL,
	run_pack,
};
