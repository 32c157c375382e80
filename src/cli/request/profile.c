/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.c - requests for all rules of a workflow at once: --from FILES --profile SYSTEM. */
#include "adapt/door.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/request/batch.h"
#include "foretime/ask.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The size of a job whose runs state none, where Snakemake's records, or the extended form, have its inputs. */
static const char inputs[] = "input_bytes";

/* A rule, process or tool, and its runs. */
struct rule {
	char *name, *param;  /* param: what sizes are; NULL: none is known yet */
	struct ft_runs runs; /* sizes of one value, NaN: not known */
	bool several;        /* its files have several parameters, or different ones: sizes are not used */
	char *size;          /* as the workflow system states it; NULL: it does not */
	struct ft_tries tries;
	struct ft_tell_rule tell;
	char *why, *remedy; /* why it is left out; NULL: it is not */
};

struct profile {
	const struct cli_workflow_profile *typed;
	const struct ft_tell_profile *to;
	double risk, overhead;
	struct ft_tell_bounds bounds;
	struct rule *rule; /* [n] by name */
	size_t n, files, files_left_out;
	struct ft_err file; /* why the first of these was left out */
	size_t passed[FT_PASSED_N];
	size_t unplaced;     /* files in which --place finds no size */
	struct ft_err place; /* why not in the first of them */
	size_t unsized;      /* runs left out for want of a size, of rules of which others have one */
	struct ft_snakemake_jobs jobs;
};

/*
 * Read the runs of all rules from files.
 */

/* The rule with that name; a new one where there is none. */
static struct rule *rule_of(struct profile *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->rule[i].name, name))
			return &p->rule[i];
	p->rule = cli_grow(p->rule, p->n, sizeof *p->rule);
	p->rule[p->n] = (struct rule){.name = cli_strdup(name)};
	return &p->rule[p->n++];
}

/* A name for a file that states none: of the rule whose name Snakemake's records have; else the first folder below
 * the one that was named; else the beginning of the file's name. below: its path from that folder on. */
static char *name_of(const struct profile *p, const char *below)
{
	const char *slash = strchr(below, '/'), *name;
	size_t length;

	name = ft_snakemake_rule_of(&p->jobs, below, &length);
	if (name)
		return cli_printed("%.*s", (int)length, name);
	length = slash ? (size_t)(slash - below) : strcspn(below, ".");
	return cli_printed("%.*s", (int)length, length ? below : "rule");
}

/* How sizes are looked for in a file; the first way that finds any is taken. */
enum way {
	WAY_PLACED, /* where --place says */
	WAY_OWN,    /* as the format has them */
	WAY_INPUTS, /* the column input_bytes */
	WAY_NONE,   /* no sizes */
};

static enum ft_status read_as(const struct profile *p, const char *path, const char *name, enum way way,
			      struct ft_import *import, struct ft_err *err)
{
	struct ft_import_options options = cli_reading_options(&p->typed->reading);
	struct ft_param param = {.least = way == WAY_NONE, .most = way == WAY_NONE};

	(void)snprintf(param.name, sizeof param.name, "%s", inputs);
	options.name = p->typed->name;
	options.wanted = name;
	if (way != WAY_PLACED)
		options.n_sizes = 0;
	if (way == WAY_INPUTS || way == WAY_NONE) {
		options.param = &param;
		options.n_params = 1;
	}
	*import = (struct ft_import){0};
	*err = (struct ft_err){0};
	return ft_import_read(import, path, &options, err);
}

/* Snakemake's wildcards may be called like a parameter: the bytes of the inputs come first there. */
static enum ft_status read_file(struct profile *p, const char *path, const char *name, enum way *way,
				struct ft_import *import, struct ft_err *err)
{
	struct ft_err first = {0};

	if (p->typed->reading.size.n) {
		*way = WAY_PLACED;
		enum ft_status placed = read_as(p, path, name, WAY_PLACED, import, err);
		if (!placed || placed == FT_EINTR || placed == FT_ENOMEM)
			return placed;
		ft_import_clear(import);
		*way = WAY_NONE;
		placed = read_as(p, path, name, WAY_NONE, import, &first);
		if (!placed && !p->unplaced++)
			p->place = *err;
		return placed;
	}
	*way = WAY_OWN;
	enum ft_status status = read_as(p, path, name, WAY_OWN, import, err);
	if (!status && strcmp(import->format->name, "snakemake") != 0)
		return FT_OK;
	if (status == FT_EINTR || status == FT_ENOMEM)
		return status;
	ft_import_clear(import);
	for (*way = WAY_INPUTS; *way <= WAY_NONE; ++*way) {
		status = read_as(p, path, name, *way, import, &first);
		if (!status || status == FT_EINTR || status == FT_ENOMEM)
			break;
		ft_import_clear(import);
	}
	*err = first;
	return status;
}

/* The runs of a program of a file become those of a rule; bytes: of the inputs of its only job, NaN: not known. */
static void take_part(struct profile *p, struct ft_imported *part, enum way way, double bytes)
{
	struct rule *rule = rule_of(p, part->program.name);
	const char *param = way == WAY_NONE ? inputs : part->program.param[0].name;
	bool sized = way != WAY_NONE || !isnan(bytes);
	struct ft_err err = {0};

	if (sized && rule->param && strcmp(rule->param, param) != 0)
		rule->several = true;
	if (part->program.n_params != 1)
		rule->several = true;
	if (sized && !rule->param)
		rule->param = cli_strdup(param);
	for (size_t i = 0; i < part->runs.n; i++) {
		struct ft_run *run = &part->runs.run[i];

		run->size.n = 1;
		if (way == WAY_NONE)
			run->size.value[0] = bytes;
		if (ft_runs_take(&rule->runs, run, &err))
			(void)cli_given(NULL);
	}
	part->runs.n = 0;
}

static const struct ft_imported *part_of(const struct ft_import *import, const char *name)
{
	for (size_t i = 0; i < import->n; i++)
		if (!strcmp(import->part[i].program.name, name))
			return &import->part[i];
	return NULL;
}

/* Rules of which no run has a size, in a file where some have one: as in a file without sizes. sized: what was read
 * of it. */
static enum ft_status take_unsized(struct profile *p, const char *path, const char *name,
				   const struct ft_import *sized, struct ft_err *err)
{
	struct ft_import all;
	enum ft_status status = read_as(p, path, name, WAY_NONE, &all, err);

	for (size_t i = 0; i < all.n && !status; i++) {
		const struct ft_imported *found = part_of(sized, all.part[i].program.name);

		if (found)
			p->unsized += all.part[i].runs.n - found->runs.n;
		else
			take_part(p, &all.part[i], WAY_NONE, NAN);
	}
	for (size_t i = 0; i < FT_PASSED_N && !status; i++)
		p->passed[i] += all.passed[i];
	ft_import_clear(&all);
	return status;
}

/* below: the path from the folder that was named on */
static int take_file(struct profile *p, const char *path, const char *below)
{
	CLI_OWN char *name = name_of(p, below);
	struct ft_import import;
	struct ft_err err;
	enum way way;
	enum ft_status status = read_file(p, path, name, &way, &import, &err);
	size_t passed = 0;

	p->files++;
	for (size_t i = 0; i < FT_PASSED_N && !status; i++)
		passed += import.passed[i];
	/* Before the runs are taken: it looks at how many there are. */
	if (!status && passed && way != WAY_NONE)
		status = take_unsized(p, path, name, &import, &err);
	else if (!status)
		for (size_t i = 0; i < FT_PASSED_N; i++)
			p->passed[i] += import.passed[i];
	for (size_t i = 0; i < import.n && !status; i++) {
		double bytes = way == WAY_NONE ? ft_snakemake_input_bytes(&p->jobs,
									  import.part[i].program.name, below)
					       : (double)NAN;

		take_part(p, &import.part[i], way, bytes > 0 ? bytes : (double)NAN);
	}
	ft_import_clear(&import);
	if (status == FT_EINTR)
		return CLI_INTERRUPTED;
	if (status == FT_ENOMEM)
		(void)cli_given(NULL);
	if (status && !p->files_left_out++)
		p->file = err;
	return CLI_DONE;
}

/* The records of the workflow: in the folder that is named, else in the nearest one above the files. */
static int read_jobs(struct profile *p)
{
	const char *directory = p->typed->reading.directory;
	char *folder = realpath(directory ? directory : p->typed->from, NULL), *slash;
	struct ft_err err = {0};
	enum ft_status status = FT_OK;

	while (folder && *folder && !p->jobs.n && !status) {
		status = ft_snakemake_jobs_read(&p->jobs, folder, &err);
		slash = strrchr(folder, '/');
		if (directory || !slash)
			break;
		*slash = '\0';
	}
	free(folder);
	return status ? cli_error(&err) : CLI_DONE;
}

static int compare_rules(const void *a, const void *b)
{
	return strcmp(((const struct rule *)a)->name, ((const struct rule *)b)->name);
}

static int read_all(struct profile *p)
{
	const char *from = p->typed->from, *slash;
	struct stat st;
	struct ft_err err = {0};
	char **path = NULL;
	size_t n = 0;
	int status = CLI_DONE;

	if (stat(from, &st) != 0)
		return cli_fail("cannot read '%s': %s\nhint: name a folder or a file of benchmarks", from,
				strerror(errno));
	CLI_TRY(read_jobs(p));
	if (!S_ISDIR(st.st_mode)) {
		slash = strrchr(from, '/');
		status = take_file(p, from, slash ? slash + 1 : from);
	} else {
		if (ft_files_below(from, &path, &n, &err))
			return cli_error(&err);
		for (size_t i = 0; i < n && status == CLI_DONE; i++)
			status = take_file(p, path[i], path[i] + strlen(from) + 1);
		ft_files_free(path, n);
	}
	if (status == CLI_DONE && !p->n && p->files_left_out) {
		(void)cli_error(&p->file);
		return CLI_WRONG;
	}
	if (status == CLI_DONE && !p->n)
		return cli_fail("'%s' has no file\nhint: name the folder of the benchmark files, or a trace",
				from);
	if (p->n)
		qsort(p->rule, p->n, sizeof *p->rule, compare_rules);
	return status;
}

/*
 * The requests of each rule.
 */

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Models of the runs: of those with sizes, or of all at one. NULL: there is none; err: out */
static struct ft_answerer *models_of(const struct rule *rule, bool by_size, struct ft_err *err)
{
	struct ft_program program = {.name = rule->name, .hash = (char[]){""}, .n_params = 1};
	struct ft_answerer *answerer = NULL;
	struct ft_runs runs = {0};
	struct ft_run copy;

	(void)snprintf(program.param[0].name, sizeof program.param[0].name, "%s",
		       rule->param ? rule->param : "n");
	program.param[0].least = by_size ? rule->tell.least : 1;
	program.param[0].most = by_size ? rule->tell.most : 1;
	for (size_t i = 0; i < rule->runs.n; i++) {
		if (by_size && !(rule->runs.run[i].size.value[0] > 0))
			continue;
		if (ft_run_copy(&copy, &rule->runs.run[i], err))
			(void)cli_given(NULL);
		copy.size.value[0] = by_size ? copy.size.value[0] : 1;
		if (ft_runs_take(&runs, &copy, err))
			(void)cli_given(NULL);
	}
	if (ft_ask_open_runs(&answerer, &program, &runs, cli_prior(NULL), err) && err->status == FT_ENOMEM)
		(void)cli_given(NULL);
	return answerer;
}

/* Whether the system can name the rule: identifiers of Snakemake; of Nextflow also in scopes. */
static bool is_named(const struct profile *p, const char *name)
{
	const char *more = !strcmp(p->to->name, "snakemake") ? "_" : "_:-.";

	if (!strcmp(p->to->name, "tpv"))
		return true;
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(more, *c))
			return false;
	return !isdigit((unsigned char)*name);
}

static void ask_rule(const struct profile *p, struct rule *rule)
{
	struct ft_answerer *by_size = NULL, *at_one;
	struct ft_err err = {0}, unused = {0};

	/* The different sizes of the runs that ended well, and their ends. */
	CLI_OWN double *size = cli_alloc((rule->runs.n + 1) * sizeof *size);
	size_t n = 0;

	for (size_t i = 0; i < rule->runs.n; i++) {
		const struct ft_run *run = &rule->runs.run[i];

		rule->tell.runs += run->outcome == FT_DONE && !run->warmup;
		if (run->outcome == FT_DONE && !run->warmup && !rule->several && run->size.value[0] > 0)
			size[n++] = run->size.value[0];
	}
	qsort(size, n, sizeof *size, compare_numbers);
	for (size_t i = 0; i < n; i++)
		rule->tell.sizes += !i || size[i] != size[i - 1];
	rule->tell.least = n ? size[0] : (double)NAN;
	rule->tell.most = n ? size[n - 1] : (double)NAN;
	rule->tell.name = rule->name;
	rule->tell.param = rule->param;
	rule->tell.tries = &rule->tries;
	if (!is_named(p, rule->name)) {
		rule->why = cli_printed("%s has no rule of such a name", p->to->name);
		rule->remedy = cli_strdup("name rules by --name '{path:/RE/}' or --by COLUMN");
		return;
	}
	if (rule->param) {
		rule->size = ft_tell_size_text(p->to, rule->param, p->typed->size_from);
		rule->tell.size = rule->size;
	}
	at_one = models_of(rule, false, &err);
	if (at_one && rule->tell.sizes > 1)
		by_size = models_of(rule, true, &unused);
	if (!at_one || ft_ask_tries(by_size, at_one, p->risk, &rule->tries, &err)) {
		rule->why = cli_strdup(err.text);
		rule->remedy = *err.remedy ? cli_strdup(err.remedy) : NULL;
	}
	ft_ask_close(by_size);
	ft_ask_close(at_one);
}

/*
 * Write the files: only those of ours are replaced, and all of them or none.
 */

/* Whether a file is none of ours. */
static bool is_foreign(const char *path)
{
	char head[128], *mark;
	FILE *file = fopen(path, "re");

	if (!file)
		return errno != ENOENT;
	size_t n = fread(head, 1, sizeof head - 1, file);
	(void)fclose(file);
	head[n] = '\0';
	mark = head + strspn(head, "#/");
	return mark == head || strncmp(mark, FT_TELL_WRITTEN, strlen(FT_TELL_WRITTEN)) != 0;
}

static int make_folder(const char *folder)
{
	CLI_OWN char *path = cli_strdup(folder);

	for (char *at = path + 1;; at++) {
		char c = *at;

		if (c != '/' && c)
			continue;
		*at = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return cli_fail("cannot make the folder '%s': %s", path, strerror(errno));
		*at = c;
		if (!c)
			return CLI_DONE;
	}
}

static int write_files(const struct profile *p, const struct ft_tell_workflow *workflow)
{
	enum { FILES = sizeof p->to->file / sizeof *p->to->file };
	struct cli_output output[FILES] = {{0}};
	int status = make_folder(p->typed->output);
	char *path[FILES] = {NULL};

	for (size_t i = 0; i < FILES && p->to->file[i].name && status == CLI_DONE; i++) {
		path[i] = cli_printed("%s/%s", p->typed->output, p->to->file[i].name);
		if (is_foreign(path[i]))
			status = cli_fail("'%s' was not written by foretime: it stays as it is\n"
					  "hint: choose another folder with -o, or move that file away",
					  path[i]);
	}
	for (size_t i = 0; i < FILES && path[i] && status == CLI_DONE; i++) {
		struct ft_text text = {0};

		p->to->file[i].write(workflow, &text);
		CLI_OWN char *all = cli_given(ft_text_take(&text));
		status = cli_output_open(&output[i], path[i], NULL);
		if (status == CLI_DONE)
			(void)fputs(all, output[i].file);
	}
	for (size_t i = 0; i < FILES; i++) {
		int closed = cli_output_close(&output[i], status == CLI_DONE);

		status = status == CLI_DONE ? closed : status;
		free(path[i]);
	}
	return status;
}

/*
 * Print what was requested, and what was left out.
 */

struct need_answer {
	bool there;
	const char *by; /* "size", "all sizes" */
	double first, second, third;
	double known;
};

struct rule_answer {
	const char *name, *param, *reason, *advice;
	size_t runs, sizes;
	double least, most;
	struct need_answer memory, time;
};

static bool need_there(const void *output)
{
	return ((const struct need_answer *)output)->there;
}

#define NEED struct need_answer
static const struct ft_tell_row need_rows[] = {
	{FT_TELL(NEED, by), .words = "size|all", .about = "what it depends on", .head = "by"},
	{FT_TELL(NEED, first), .about = "requested by the first try, at the largest size",
	 .head = ">first try", .unit = ""},
	{FT_TELL(NEED, second), .about = "by the second"},
	{FT_TELL(NEED, third), .about = "by the third"},
	{FT_TELL(NEED, known),
	 .about = "the size up to which it follows the model, in proportion to it beyond",
	 .null = "the same for all sizes"},
	{0},
};
static const struct ft_tell_record need = {.bytes = sizeof(NEED), .there = need_there, .row = need_rows};

#define RULE struct rule_answer
static const struct ft_tell_row rule_rows[] = {
	{FT_TELL(RULE, name)},
	{FT_TELL(RULE, param), .about = "what its sizes are", .null = "they are not known"},
	{FT_TELL(RULE, runs), .about = "that ended well"},
	{FT_TELL(RULE, sizes), .about = "different ones; 0: not known"},
	{FT_TELL(RULE, least), .about = "the smallest size", .null = "not known"},
	{FT_TELL(RULE, most), .about = "the largest", .null = "not known"},
	{FT_TELL_BY(RECORD, "memory_bytes", RULE, memory), .of = &need, .null = "not measured, or left out"},
	{FT_TELL_BY(RECORD, "time_s", RULE, time), .of = &need, .null = "not measured, or left out"},
	{FT_TELL(RULE, reason), .about = "why it is left out", .null = "it is not"},
	{FT_TELL(RULE, advice), .about = "what to do then", .null = "it is not left out, or there is none"},
	{0},
};
static const struct ft_tell_record rule_record = {.bytes = sizeof(RULE), .row = rule_rows};

struct request_profile_answer {
	const char *profile, *from, *folder;
	double risk, overhead;
	size_t n, files, files_left_out;
	struct rule_answer *rule;
};

#define ANSWER struct request_profile_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, profile), .words = "snakemake|nextflow|tpv"},
	{FT_TELL(ANSWER, from), .about = "folder or file of the runs"},
	{FT_TELL(ANSWER, folder), .about = "in which files were written"},
	{FT_TELL(ANSWER, risk), .about = "share of jobs that need more than their first try"},
	{FT_TELL(ANSWER, overhead), .about = "bytes added for other processes of the job"},
	{FT_TELL(ANSWER, files), .about = "that were looked at"},
	{FT_TELL(ANSWER, files_left_out), .about = "of these, those of which no run can be used"},
	{FT_TELL_MANY(LIST, "rules", ANSWER, rule, n, &rule_record)},
	{0},
};
const struct ft_tell_record cli_request_profile_answer = {
	.name = "request-profile", .version = 1, .row = rows};

static struct need_answer need_answer(const struct ft_tell_workflow *workflow, const struct rule *rule,
				      bool memory)
{
	const struct ft_tries_need *n = memory ? &rule->tries.memory : &rule->tries.time;
	double try[FT_TRIES];

	for (size_t k = 0; k < FT_TRIES && n->resource; k++)
		try[k] = memory ? ft_tell_try_bytes(workflow, &rule->tell, k)
				: ft_tell_try_seconds(workflow, &rule->tell, k);
	if (!n->resource)
		return (struct need_answer){.known = NAN};
	return (struct need_answer){true,   n->text[0] && rule->size ? "size" : "all",        try[0], try[1],
				    try[2], n->text[0] && rule->size ? n->known : (double)NAN};
}

static void print_table(const struct request_profile_answer *answer)
{
	struct cli_table table = {0};
	char memory[FT_UNIT_LENGTH], time[FT_UNIT_LENGTH];

	cli_table_heads(&table, "rule", ">runs", ">sizes", ">memory", "by", ">time", "by", NULL);
	for (size_t i = 0; i < answer->n; i++) {
		const struct rule_answer *r = &answer->rule[i];

		if (r->reason)
			continue;
		cli_table_add(&table, "%s", r->name);
		cli_table_add(&table, "%zu", r->runs);
		cli_table_add(&table, r->sizes ? "%zu" : "-", r->sizes);
		cli_table_add(&table, "%s",
			      r->memory.there ? ft_value_format(r->memory.first, "bytes", memory) : "-");
		cli_table_add(&table, "%s", r->memory.there ? r->memory.by : "");
		cli_table_add(&table, "%s", r->time.there ? ft_value_format(r->time.first, "s", time) : "-");
		cli_table_add(&table, "%s", r->time.there ? r->time.by : "");
	}
	cli_table_print(&table, stdout);
}

static void print_answer(const struct profile *p, const struct ft_tell_workflow *workflow)
{
	CLI_OWN struct rule_answer *answers = cli_alloc((p->n + 1) * sizeof *answers);
	struct request_profile_answer answer = {p->to->name, p->typed->from,    p->typed->output,
						p->risk,     p->overhead,       p->n,
						p->files,    p->files_left_out, answers};
	const char *hint = NULL;

	for (size_t i = 0; i < p->n; i++) {
		const struct rule *rule = &p->rule[i];

		answers[i] = (struct rule_answer){rule->name,
						  rule->param,
						  rule->why,
						  rule->remedy,
						  rule->tell.runs,
						  rule->tell.sizes,
						  rule->tell.least,
						  rule->tell.most,
						  need_answer(workflow, rule, true),
						  need_answer(workflow, rule, false)};
	}
	if (p->typed->json)
		cli_tell(&cli_request_profile_answer, &answer, NULL);
	else
		print_table(&answer);
	for (size_t i = 0; i < p->n; i++) {
		if (!p->rule[i].why)
			continue;
		cli_note("left out %s: %s", p->rule[i].name, p->rule[i].why);
		if (p->rule[i].remedy && (!hint || strcmp(hint, p->rule[i].remedy) != 0)) {
			hint = p->rule[i].remedy; /* once is enough */
			cli_hint("%s", hint);
		}
	}
}

static void print_use(const struct profile *p)
{
	const char *folder = p->typed->output;

	if (p->typed->json)
		return;
	if (!strcmp(p->to->name, "snakemake"))
		printf("\nwritten: %s/config.yaml, %s/foretime.smk\n"
		       "use them: snakemake --profile %s; by size and try: include: \"%s/foretime.smk\" at "
		       "the end of "
		       "the Snakefile\n",
		       folder, folder, folder, folder);
	else if (!strcmp(p->to->name, "nextflow"))
		printf("\nwritten: %s/nextflow.config\nuse it: nextflow run MAIN -c %s/nextflow.config\n",
		       folder, folder);
	else
		printf("\nwritten: %s/tools.yml\nuse it: among tpv_config_files of Galaxy's destination\n",
		       folder);
}

static int write_profile(struct profile *p)
{
	CLI_OWN struct ft_tell_rule *good = cli_alloc((p->n + 1) * sizeof *good);
	struct ft_tell_workflow workflow = {p->typed->from, good, 0, p->overhead, p->bounds};
	int status;

	for (size_t i = 0; i < p->n; i++) {
		ask_rule(p, &p->rule[i]);
		if (!p->rule[i].why)
			good[workflow.n++] = p->rule[i].tell;
		if (*cli_interrupt_flag())
			return CLI_INTERRUPTED;
	}
	if (p->files_left_out)
		cli_note("left out %zu of %zu files, the first: %s", p->files_left_out, p->files,
			 p->file.text);
	for (size_t i = 0; i < FT_PASSED_N; i++)
		if (p->passed[i] && i != FT_PASSED_RANGE)
			cli_note("left out %zu row%s %s", p->passed[i], p->passed[i] == 1 ? "" : "s",
				 ft_passed_text((enum ft_passed)i));
	if (p->unplaced) {
		cli_note("no sizes in %zu file%s, the first: %s", p->unplaced, p->unplaced == 1 ? "" : "s",
			 p->place.text);
		cli_hint("see --place; relative paths of files start at --directory DIR, by default here");
	}
	if (p->unsized)
		cli_note("left out %zu run%s without a size, of rules of which other runs have one",
			 p->unsized, p->unsized == 1 ? "" : "s");
	if (!workflow.n) {
		print_answer(p, &workflow);
		return cli_fail("no rule of '%s' has runs of which a request can be made", p->typed->from);
	}
	status = write_files(p, &workflow);
	if (status == CLI_DONE) {
		print_answer(p, &workflow);
		print_use(p);
	}
	return status;
}

int cli_request_profile(const struct cli_workflow_profile *typed, double risk, double overhead,
			const struct ft_tell_bounds *bounds)
{
	struct profile p = {.typed = typed, .risk = risk, .bounds = *bounds};
	int status;

	for (size_t i = 0; ft_tell_profile_get(i) && !p.to; i++)
		if (!strcmp(ft_tell_profile_get(i)->name, typed->profile))
			p.to = ft_tell_profile_get(i);
	if (!p.to)
		return cli_fail("unknown profile '%s'\nhint: there are snakemake, nextflow and tpv",
				typed->profile);
	if (!typed->output || !*typed->output)
		return cli_fail("in which folder?\nhint: name it: -o DIR; it is made where it is missing");
	if (!(risk > 0))
		return cli_fail("--profile takes a risk such as 5%%: its retries follow the model\n"
				"hint: leave --risk %s out",
				"least");
	p.overhead = isnan(overhead) ? p.to->overhead : overhead;
	cli_signals_catch();
	status = read_all(&p);
	if (status == CLI_DONE)
		status = write_profile(&p);
	for (size_t i = 0; i < p.n; i++) {
		free(p.rule[i].name);
		free(p.rule[i].param);
		free(p.rule[i].size);
		free(p.rule[i].why);
		free(p.rule[i].remedy);
		ft_runs_clear(&p.rule[i].runs);
		ft_tries_clear(&p.rule[i].tries);
	}
	free(p.rule);
	ft_snakemake_jobs_clear(&p.jobs);
	return status;
}
