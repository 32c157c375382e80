/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - `foretime report`: what jobs requested and used, and what other requests would have cost. */
#include "cli/report/report.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * The report as a page of text, or of Markdown.
 */

enum { LIMIT_TEXT = 10, NAME_WIDTH = 24, WIDE = 110 };

/* "12,345", "98.7", "0.012": three digits or all before the point; "-" for what is not known. */
static char *amount(double value, char text[FT_UNIT_LENGTH])
{
	char digits[32];
	size_t n, at = 0;

	if (!isfinite(value))
		return strcpy(text, "-");
	(void)snprintf(digits, sizeof digits, "%.*f",
		       value >= 99.95 || value == 0 ? 0
		       : value >= 9.995             ? 1
		       : value >= 0.9995            ? 2
						    : 3,
		       value);
	n = strcspn(digits, ".");
	for (size_t i = 0; i < n; i++) {
		text[at++] = digits[i];
		if (i + 1 < n && (n - 1 - i) % 3 == 0)
			text[at++] = ',';
	}
	(void)strcpy(text + at, digits + n);
	return text;
}

/* With all its digits. */
static char *count(size_t value, char text[FT_UNIT_LENGTH])
{
	if (value >= 100)
		return amount((double)value, text);
	(void)snprintf(text, FT_UNIT_LENGTH, "%zu", value);
	return text;
}

/* What was requested and not used; "-" where nothing was requested. */
static char *unused(double asked, double used, char text[FT_UNIT_LENGTH])
{
	if (asked > 0)
		(void)snprintf(text, FT_UNIT_LENGTH, "%.0f %%", 100 * (1 - used / asked));
	else
		(void)strcpy(text, "-");
	return text;
}

/* A name in so many characters. */
static char *short_name(const char *name, size_t width, char text[128])
{
	size_t length = 0, at = 0;

	for (; name[at] && length < width; length++) {
		size_t n = ft__utf8_length(name + at, SIZE_MAX);

		at += n ? n : 1;
	}
	if (!name[at] || at > 120)
		(void)snprintf(text, 128, "%.*s", at > 120 ? 120 : (int)at, name);
	else
		(void)snprintf(text, 128, "%.*s..", (int)at > 2 ? (int)at - 2 : (int)at, name);
	ft__utf8_line(text, 128, text);
	return text;
}

static void print_table(const struct cli_report *report, struct cli_table *table)
{
	if (report->markdown) {
		for (size_t i = 0; i < table->n; i++) {
			fputs(i % table->columns ? " | " : "| ", stdout);
			/* A cell of Markdown: a bar would end it. */
			const char *cell = table->cell[i];

			for (; *cell; cell++) {
				if (strchr("|\\`*_<>[]", *cell))
					putchar('\\');
				putchar(*cell);
			}
			if ((i + 1) % table->columns)
				continue;
			puts(" |");
			if (i + 1 == table->columns) {
				for (size_t k = 0; k < table->columns; k++)
					fputs(table->column[k].right ? "|---:" : "|---", stdout);
				puts("|");
			}
		}
		cli_table_clear(table);
	} else {
		cli_table_print(table, stdout);
	}
	putchar('\n');
}

/* "2026-01-31" */
static char *day(int64_t ns, char text[FT_UNIT_LENGTH])
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm = {0};

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(text, FT_UNIT_LENGTH, "%Y-%m-%d", &tm);
	return text;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void print_usage(const struct cli_report *report, const struct ft_answer_usage *u)
{
	const struct {
		const char *what, *unit;
		double asked, used;
		size_t jobs;
	} row[] = {{"memory", "GB h", u->requested_gb_h, u->used_gb_h, u->memory_jobs},
		   {"processors", "core h", u->requested_core_h, u->used_core_h, u->core_jobs},
		   {"time limits", "h", u->limit_h, u->used_h, u->time_jobs}};
	struct cli_table table = {0};
	char text[3][FT_UNIT_LENGTH];

	cli_table_heads(&table, "", ">requested", ">used", ">not used", "unit", ">jobs", NULL);
	for (size_t i = 0; i < 3; i++) {
		if (!row[i].jobs)
			continue;
		cli_table_add(&table, "%s", row[i].what);
		cli_table_add(&table, "%s", amount(row[i].asked, text[0]));
		cli_table_add(&table, "%s", amount(row[i].used, text[0]));
		cli_table_add(&table, "%s", unused(row[i].asked, row[i].used, text[1]));
		cli_table_add(&table, "%s", row[i].unit);
		cli_table_add(&table, "%s", count(row[i].jobs, text[2]));
	}
	if (table.n > table.columns) {
		print_table(report, &table);
	} else {
		cli_table_clear(&table);
		puts("No job has both a request and what it used.\n");
	}
}

static void print_groups(const struct cli_report *report, const struct ft_answer_report *a)
{
	bool wide = report->markdown || cli_terminal_width(stdout) >= WIDE, limits = a->all.time_jobs,
	     cores = wide && a->all.core_jobs, memory = a->all.memory_jobs || a->all.unseen_gb_h > 0;
	struct cli_table table = {0};
	char text[FT_UNIT_LENGTH], name[128];

	cli_table_heads(&table, a->by, ">jobs", NULL);
	if (memory)
		cli_table_heads(&table, ">GB h", ">used", ">not used", NULL);
	if (cores)
		cli_table_heads(&table, ">core h", ">used", NULL);
	if (limits)
		cli_table_heads(&table, ">limit h", ">used", NULL);
	cli_table_head(&table, ">failed");
	if (memory && a->compared)
		cli_table_head(&table, wide ? ">GB h by foretime" : ">foretime");
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct ft_answer_group *g = &a->group[i];
		const struct ft_answer_usage *u = &g->usage;

		cli_table_add(&table, "%s",
			      g->name ? short_name(g->name, wide ? 120 : NAME_WIDTH, name) : "(not known)");
		cli_table_add(&table, "%s", count(u->jobs, text));
		if (memory) {
			cli_table_add(&table, "%s",
				      amount(u->memory_jobs ? u->requested_gb_h : (double)NAN, text));
			cli_table_add(&table, "%s",
				      amount(u->memory_jobs ? u->used_gb_h : (double)NAN, text));
			cli_table_add(&table, "%s", unused(u->requested_gb_h, u->used_gb_h, text));
		}
		if (cores) {
			cli_table_add(&table, "%s",
				      amount(u->core_jobs ? u->requested_core_h : (double)NAN, text));
			cli_table_add(&table, "%s",
				      amount(u->core_jobs ? u->used_core_h : (double)NAN, text));
		}
		if (limits) {
			cli_table_add(&table, "%s", amount(u->time_jobs ? u->limit_h : (double)NAN, text));
			cli_table_add(&table, "%s", amount(u->time_jobs ? u->used_h : (double)NAN, text));
		}
		cli_table_add(&table, "%s", count(g->failed, text));
		/* Of all its jobs: those that are not compared as they were requested. */
		if (memory && a->compared)
			cli_table_add(&table, "%s",
				      amount(u->memory_jobs ? u->requested_gb_h - g->compared_gb_h +
								      g->predicted_gb_h
							    : (double)NAN,
					     text));
	}
	print_table(report, &table);
	if (a->groups > a->n_groups)
		printf("%zu more %s%s: %s\n\n", a->groups - a->n_groups, a->by,
		       plural(a->groups - a->n_groups), report->limited ? "--limit N" : "--csv");
}

static void print_ends(const struct cli_report *report, const struct ft_answer_report *a)
{
	struct cli_table table = {0};
	char text[FT_UNIT_LENGTH];

	cli_table_heads(&table, "ended", ">jobs", ">share", ">hours", ">GB h requested", NULL);
	for (size_t i = 0; i < a->n_ends; i++) {
		const struct ft_answer_end *end = &a->end[i];

		if (!end->jobs)
			continue;
		cli_table_add(&table, "%s", ft_report_end_text(end->end));
		cli_table_add(&table, "%s", count(end->jobs, text));
		cli_table_add(&table, "%s", ft_share_format((double)end->jobs / (double)a->all.jobs, text));
		cli_table_add(&table, "%s", amount(end->hours, text));
		cli_table_add(&table, "%s", amount(end->gb_h, text));
	}
	print_table(report, &table);
	if (a->unmeasured)
		printf("The memory that %zu job%s used is not known (%s GB h requested).\n\n", a->unmeasured,
		       plural(a->unmeasured), amount(a->all.unseen_gb_h, text));
}

static char *rule_text(const struct ft_answer_rule *rule)
{
	char share[FT_UNIT_LENGTH];

	if (!strcmp(rule->text, "requested"))
		return cli_strdup("as requested");
	if (!strcmp(rule->text, "seen"))
		return cli_printed("most seen x %g", rule->value);
	if (rule->value < 0)
		return cli_strdup("foretime, least waste");
	return cli_printed("foretime, risk %s", ft_share_format(rule->value, share));
}

static void print_rules(const struct cli_report *report, const struct ft_answer_report *a)
{
	struct cli_table table = {0};
	char text[FT_UNIT_LENGTH];
	bool memory = a->compared_used_gb_h > 0, limits = a->rule[0].limit_h > 0;

	if (!a->compared) {
		puts("No requests can be compared: no job that completed has a request and what it used.");
		return;
	}
	printf("%sRequests over %s job%s that completed\n\n", report->markdown ? "## " : "",
	       count(a->compared, text), plural(a->compared));
	cli_table_heads(&table, "rule", NULL);
	if (memory)
		cli_table_heads(&table, ">GB h", ">not used", NULL);
	if (limits)
		cli_table_head(&table, ">limit h");
	cli_table_heads(&table, ">jobs killed", ">share", ">own request", NULL);
	for (size_t i = 0; i < a->n_rules; i++) {
		const struct ft_answer_rule *rule = &a->rule[i];
		CLI_OWN char *name = rule_text(rule);

		cli_table_add(&table, "%s", name);
		if (memory) {
			cli_table_add(&table, "%s", amount(rule->gb_h, text));
			cli_table_add(&table, "%s", unused(rule->gb_h, a->compared_used_gb_h, text));
		}
		if (limits)
			cli_table_add(&table, "%s", amount(rule->limit_h, text));
		cli_table_add(&table, "%s", count(rule->killed, text));
		cli_table_add(&table, "%s",
			      ft_share_format((double)rule->killed / (double)a->compared, text));
		cli_table_add(&table, "%s", i ? count(rule->own, text) : "");
	}
	print_table(report, &table);
	printf("A request uses only jobs of its program that had ended before it%s.\n"
	       "The first %zu jobs of a program keep their own. A job that is killed counts\n"
	       "with all its tries: it is repeated with the most seen, then with twice as much.\n",
	       a->by_rows ? " in the file" : " was made", a->first);
	if (a->timeless)
		printf("%zu job%s without a time %s not compared.\n", a->timeless, plural(a->timeless),
		       a->timeless == 1 ? "is" : "are");
}

int cli_report_print(struct cli_report *report)
{
	struct ft_answer_report answer;
	struct ft_err err = {0};
	enum ft_status status = ft_report_make(report->report, &answer, &err);

	if (report->drawn)
		cli_terminal_again();
	report->import.unread[0] = '\0'; /* parameters are not looked for */
	if (status) {
		cli_reading_notes(&report->import);
		return cli_error(&err);
	}
	answer.unfinished = report->import.passed[FT_PASSED_UNFINISHED];
	answer.shorter = report->import.passed[FT_PASSED_SHORT];
	answer.broken = report->import.passed[FT_PASSED_BROKEN];
	answer.why = answer.broken ? report->import.broken.text : NULL;
	cli_reading_notes(&report->import);
	if (answer.twice)
		cli_note("%zu job%s had been read before, and count%s once", answer.twice,
			 plural(answer.twice), answer.twice == 1 ? "s" : "");
	if (report->json) {
		cli_tell(&ft_tell_report, &answer, NULL);
		return CLI_DONE;
	}
	if (report->csv) {
		cli_tell_csv(stdout, &ft_tell_report_group, answer.group, answer.n_groups, NULL, true);
		return CLI_DONE;
	}
	char text[4][FT_UNIT_LENGTH];

	printf("%s%s job%s of %zu program%s", report->markdown ? "# " : "", count(answer.all.jobs, text[0]),
	       plural(answer.all.jobs), answer.programs, plural(answer.programs));
	if (answer.users)
		printf(", %zu user%s", answer.users, plural(answer.users));
	if (answer.partitions)
		printf(", %zu partition%s", answer.partitions, plural(answer.partitions));
	if (answer.from_ns)
		printf(", %s to %s", day(answer.from_ns, text[1]), day(answer.to_ns, text[2]));
	puts("\n");
	print_usage(report, &answer.all);
	print_groups(report, &answer);
	print_ends(report, &answer);
	print_rules(report, &answer);
	return CLI_DONE;
}

/*
 * Jobs from files.
 */

/* Shown on a terminal after some seconds. */
static bool show_progress(struct cli_report *report, const char *what, size_t n)
{
	static const double first_s = 2, again_s = 0.5;
	const double now_s = ft_clock_s();

	if (*cli_interrupt_flag())
		return false;
	if (report->quiet || isatty(STDERR_FILENO) != 1 || now_s - report->began_s < first_s ||
	    now_s - report->shown_s < again_s)
		return true;
	report->shown_s = now_s;
	report->drawn = true;
	cli_terminal_again();
	fprintf(stderr, "%s %zu jobs", what, n);
	(void)fflush(stderr);
	return true;
}

static bool reading_progress(void *ctx, size_t runs, double share)
{
	(void)share;
	return show_progress(ctx, "read", runs);
}

static bool replay_progress(void *ctx, size_t done)
{
	return show_progress(ctx, "requests for", done);
}

int cli_report_open(struct cli_report *report)
{
	static const double usual_risk = 0.05;
	struct ft_report_options options = {.by = report->by,
					    .user = report->user,
					    .partition = report->partition,
					    .risk = report->risks,
					    .n_risks = 2,
					    .models = report->effort,
					    .limit = report->limit,
					    .progress = replay_progress,
					    .ctx = report};
	struct ft_err err = {0};

	report->began_s = ft_clock_s();
	report->risks[0] = isnan(report->risk) ? usual_risk : report->risk;
	report->risks[1] = FT_RISK_LEAST_MOST;
	if (!(report->risks[0] >= 0.001 && report->risks[0] <= 0.25))
		return cli_fail("--risk %g%%: a risk is from 0.1%% to 25%%", 100 * report->risks[0]);
	if (!options.limit && !report->json && !report->csv)
		options.limit = LIMIT_TEXT;
	if (ft_report_new(&report->report, &options, &err))
		return cli_error(&err);
	return CLI_DONE;
}

void cli_report_close(struct cli_report *report)
{
	ft_report_free(report->report);
	ft_import_clear(&report->import);
	report->report = NULL;
}

void cli_report_reading(struct cli_report *report, struct ft_import_options *options)
{
	options->row = ft_report_take;
	options->row_ctx = report->report;
	options->progress = reading_progress;
	options->ctx = report;
}

/* The options of reading that a report has. */
struct report_files {
	struct cli_reading reading;
	struct ft_field_texts requested;
	const char *name;
};

static int read_files(struct cli_report *report, const struct report_files *files,
		      const struct cli_words *words)
{
	struct ft_import_options options = cli_reading_options(&files->reading);
	struct ft_err err = {0};

	options.name = files->name;
	options.asked = files->requested.text;
	options.n_asked = files->requested.n;
	cli_report_reading(report, &options);
	for (size_t i = 0; i < words->n; i++) {
		options.several = i + 1 < words->n || report->import.runs;
		if (ft_import_read(&report->import, words->word[i], &options, &err)) {
			if (report->drawn)
				cli_terminal_again();
			return cli_error(&err);
		}
	}
	return CLI_DONE;
}

static int run_report(const struct cli_command *command, int argc, char **argv)
{
	struct cli_report r = {.risk = NAN, .limited = true};
	struct report_files f = {.name = NULL};
	const struct ft_field options[] = {
		CLI_REPORT_OPTIONS(r),
		{0, "limit", FT_FIELD_COUNT, &r.limit, "N", "lines of the table; default 10; csv, json: all"},
		{0, "risk", FT_FIELD_SHARE, &r.risk, "R",
		 "share of jobs whose request may be too small; default 5%"},
		CLI_REPORT_FORMATS(r),
		CLI_QUIET_OPTION(r.quiet),
		CLI_GROUP("what is in the files"),
		{0, "name", FT_FIELD_TEXT, &f.name, "NAME",
		 "programs: {COLUMN} stands for the text of a column, {COLUMN:/RE/} for what a group "
		 "matches"},
		{0, "size", FT_FIELD_TEXTS, &f.reading.size, "N=WHERE",
		 "place of a parameter: n=COLUMN, n=COLUMN:/fft_([0-9]+)/, n=file:in/{COLUMN}.fq"},
		{0, "directory", FT_FIELD_TEXT, &f.reading.directory, "DIR",
		 "start of relative paths of n=file:; default: here", .of = "size"},
		{0, "value", FT_FIELD_TEXTS, &f.reading.value, "R=COLUMN",
		 "column of a resource that was used, as in wall_s=runtime:ms"},
		{0, "requested", FT_FIELD_TEXTS, &f.requested, "R=COLUMN",
		 "column of what was requested, as in memory=preset:MiB, time=limit:min"},
		{0, "from", FT_FIELD_TEXT, &f.reading.format, "F",
		 "format of the file (foretime-import(1), FORMATS); default: as the file begins"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (!words.n)
		return cli_word_missing(&words, 0);
	cli_signals_catch();
	status = cli_report_open(&r);
	if (status == CLI_DONE)
		status = read_files(&r, &f, &words);
	if (status == CLI_DONE)
		status = cli_report_print(&r);
	cli_report_close(&r);
	return status;
}

const struct cli_command cli_report = {
	"report",
	"report what jobs requested and used, and what would have fitted",
	"FILE... [--by user] [--size N=WHERE]... [OPTION...]",
	"Files as foretime import reads them: sacct -P and --json, Nextflow's trace, Snakemake's "
	"benchmarks,\n"
	"tables. Of Slurm itself: foretime slurm report --since 90d.\n",
	NULL,
	run_report,
};
