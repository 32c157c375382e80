/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite.c - `foretime verify --suite`: the benchmarks of a list, each of an old folder and of this one alternately, in
 * the time there is. */
#include "ask/door.h"
#include "base/clock.h"
#include "base/csv.h"
#include "cli/cli.h"
#include "cli/verify/verify.h"
#include "foretime/adapt.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Without --budget. */
static const double usual_budget_s = 600;

struct bench {
	char *name, *command; /* {out}: the file in which a harness writes its results */
	char *why;            /* of a failure; NULL */
	double since, change; /* the time of a change in earlier verdicts, and its factor; NaN: none */
	struct ft_paired pairs;
};

struct suite {
	struct cli_verify *v;
	struct bench *bench;      /* [n] */
	struct ft_paired *paired; /* [n] for ft_suite_next */
	size_t n;
	const struct ft_resource *resource;
	double end_s;
	char out[64]; /* the folder of {out} */
};

/* ---- the list ----------------------------------------------------------------------------------------- */

static void add_bench(struct suite *s, const char *name, char *command)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->bench[i].name, name)) {
			free(command);
			return;
		}
	s->bench = cli_grow(s->bench, s->n, sizeof *s->bench);
	s->bench[s->n++] = (struct bench){
		.name = cli_strdup(name), .command = command, .since = (double)NAN, .change = (double)NAN};
}

/* A text as one word of a shell. */
static char *quote(const char *text)
{
	char *quoted = cli_alloc(4 * strlen(text) + 3), *end = quoted;

	*end++ = '\'';
	for (; *text; text++)
		if (*text == '\'')
			end = stpcpy(end, "'\\''");
		else
			*end++ = *text;
	(void)stpcpy(end, "'");
	return quoted;
}

/* A regular expression that matches a text alone. */
static char *exactly(const char *text)
{
	CLI_OWN char *escaped = cli_alloc(2 * strlen(text) + 3);
	char *end = escaped;

	*end++ = '^';
	for (; *text; text++) {
		if (strchr(".[]()*+?{}|^$\\", *text))
			*end++ = '\\';
		*end++ = *text;
	}
	(void)stpcpy(end, "$");
	return quote(escaped);
}

/* An entry of a harness: its name, and the command that runs it alone. */
static void add_entry(struct suite *s, const json_t *root, const json_t *entry)
{
	const char *command = json_string_value(json_object_get(entry, "command"));
	const char *name = json_string_value(json_object_get(entry, "name"));
	const char *full = json_string_value(json_object_get(entry, "fullname"));
	const char *kind = json_string_value(json_object_get(entry, "run_type"));
	const char *executable =
		json_string_value(json_object_get(json_object_get(root, "context"), "executable"));

	if (command) { /* hyperfine */
		add_bench(s, command, cli_strdup(command));
	} else if (full) { /* pytest-benchmark */
		CLI_OWN char *test = quote(full);

		add_bench(s, full, cli_printed("python3 -m pytest -q %s --benchmark-json={out}", test));
	} else if (name && executable && (!kind || strcmp(kind, "aggregate") != 0)) { /* Google Benchmark */
		CLI_OWN char *filter = exactly(name), *program = quote(executable);

		add_bench(s, name,
			  cli_printed("%s --benchmark_filter=%s --benchmark_out={out} "
				      "--benchmark_out_format=json",
				      program, filter));
	}
}

/* A line of cargo criterion --message-format=json. */
static void add_criterion(struct suite *s, const json_t *message)
{
	const char *id = json_string_value(json_object_get(message, "id"));
	const char *reason = json_string_value(json_object_get(message, "reason"));

	if (!id || !reason || strcmp(reason, "benchmark-complete") != 0)
		return;
	CLI_OWN char *filter = exactly(id);
	CLI_OWN char *line = cli_printed("exec cargo criterion --message-format=json -- %s >\"$1\"", filter);
	CLI_OWN char *script = quote(line);
	add_bench(s, id, cli_printed("sh -c %s sh {out}", script));
}

/* False: it is no JSON of a harness. */
static bool read_json(struct suite *s, const char *path)
{
	const size_t flags = JSON_DISABLE_EOF_CHECK;
	FILE *file = fopen(path, "r");
	json_t *root;

	while (file && (root = json_loadf(file, flags, NULL))) {
		const json_t *list = json_object_get(root, "results"), *entry;
		size_t i;

		if (!list)
			list = json_object_get(root, "benchmarks");
		json_array_foreach(list, i, entry) add_entry(s, root, entry);
		add_criterion(s, root);
		json_decref(root);
	}
	if (file)
		(void)fclose(file);
	return s->n > 0;
}

static int read_list(struct suite *s, const char *path)
{
	struct ft_err err = {0};
	struct ft_csv *csv;

	if (read_json(s, path))
		return CLI_DONE;
	if (ft_csv_read(path, ',', &csv, &err))
		return cli_error(&err);
	const int name = ft_csv_column(csv, "name"), command = ft_csv_column(csv, "command");
	for (size_t i = 0; name >= 0 && command >= 0 && i < ft_csv_rows(csv); i++) {
		const char *text = ft_csv_cell(csv, i, (size_t)command);

		if (*text)
			add_bench(s, ft_csv_cell(csv, i, (size_t)name), cli_strdup(text));
		else
			cli_note("%s:%zu: no command", path, ft_csv_line(csv, i));
	}
	ft_csv_free(csv);
	if (s->n)
		return CLI_DONE;
	return cli_fail("'%s' lists no benchmarks\nhint: write a table with the columns name and command, or "
			"give the "
			"JSON of Google Benchmark, pytest-benchmark, cargo criterion or hyperfine",
			path);
}

/* ---- runs --------------------------------------------------------------------------------------------- */

static int compare_values(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median time that a harness has written. NaN: none, and why. */
static double read_results(const struct suite *s, const char *path, struct ft_err *err)
{
	const struct ft_import_options options = {.several = true};
	FT_CLEANUP(ft_import_clear) struct ft_import import = {0};
	double *value = NULL, median = NAN;
	size_t n = 0;

	if (ft_import_read(&import, path, &options, err))
		return NAN;
	for (size_t i = 0; i < import.n; i++)
		for (size_t k = 0; k < import.part[i].runs.n; k++) {
			const double x = ft_run_value(&import.part[i].runs.run[k], s->resource);

			if (x > 0) {
				value = cli_grow(value, n, sizeof *value);
				value[n++] = x;
			}
		}
	if (n) {
		qsort(value, n, sizeof *value, compare_values);
		median = (value[n / 2] + value[(n - 1) / 2]) / 2;
	} else {
		(void)ft_fail(err, FT_EINVAL, "its results have no %s", s->resource->name);
	}
	free(value);
	return median;
}

/* Words of a command in a folder, {out} replaced. */
static int set_words(struct ft_program *program, const char *folder, const char *command, const char *out)
{
	const char *const begin[] = {"env", "-C", folder};
	char **word;
	size_t n;

	CLI_TRY(cli_words_split(command, &word, &n));
	program->argv = cli_alloc((n + 4) * sizeof *program->argv);
	for (size_t i = 0; i < 3; i++)
		program->argv[program->argc++] = cli_strdup(begin[i]);
	for (size_t i = 0; i < n; i++) {
		char *at = strstr(word[i], "{out}");

		program->argv[program->argc++] =
			at ? cli_printed("%.*s%s%s", (int)(at - word[i]), word[i], out, at + 5)
			   : cli_strdup(word[i]);
		free(word[i]);
	}
	free(word);
	return CLI_DONE;
}

/* A run of one side: its value; NaN, and why the benchmark failed. */
static int run_side(struct suite *s, struct bench *b, const char *folder, double *value)
{
	FT_CLEANUP(ft_program_clear)
	struct ft_program program = {.name = cli_strdup("benchmark"), .n_params = 1};
	FT_CLEANUP(ft_runs_clear) struct ft_runs made = {0};
	const struct ft_size size = {1, {1}};
	CLI_OWN char *out = cli_printed("%s/results", s->out);
	struct ft_source *source;
	struct ft_err err = {0};
	const double left_s = s->end_s - ft_clock_s();

	*value = NAN;
	(void)ft_param_parse("n=1", &program.param[0], NULL);
	CLI_TRY(set_words(&program, folder, b->command, out));
	s->v->launch.program = &program;
	if (ft_source_open_process(&source, &s->v->launch, &err))
		return cli_error(&err);
	ft_source_interrupt(source, cli_interrupt_flag());
	(void)unlink(out);
	enum ft_status status = left_s > 0 ? ft_source_run(source, &size, 0, left_s, &made, &err) : FT_EEND;
	ft_source_close(source);
	if (status == FT_EEND || *cli_interrupt_flag())
		return CLI_DONE;
	if (status)
		return cli_error(&err);
	if (made.run[0].outcome == FT_TIMED_OUT) /* by the budget */
		return CLI_DONE;
	if (made.run[0].outcome != FT_DONE) {
		CLI_OWN char *why = cli_failure_text(made.run[0].outcome, &made.run[0], made.run[0].detail);

		b->why = cli_printed("a run in '%s' %s", folder, why);
		return CLI_DONE;
	}
	*value = strstr(b->command, "{out}") ? read_results(s, out, &err)
					     : ft_run_idle_value(&made.run[0], s->resource);
	if (!(*value > 0))
		b->why = cli_printed("a run in '%s' has no value of %s%s%s", folder, s->resource->name,
				     *err.text ? ": " : "", err.text);
	return CLI_DONE;
}

/* Which of two is first is drawn: what the first one does to the second is no difference then. */
static int run_pair(struct suite *s, size_t at, bool warmup)
{
	const bool new_first = ft_paired_new_first(&s->paired[at]);
	const char *const folder[] = {s->v->against, "."};
	struct bench *b = &s->bench[at];
	const double began_s = ft_clock_s();
	double value[2] = {NAN, NAN};
	struct ft_err err = {0};

	for (int turn = 0; turn < 2 && !b->why; turn++)
		CLI_TRY(run_side(s, b, folder[(turn == 0) == new_first], &value[(turn == 0) == new_first]));
	s->paired[at].failed = b->why;
	if (warmup || !(value[0] > 0 && value[1] > 0))
		return CLI_DONE;
	return ft_paired_add(&s->paired[at], value[0], value[1], ft_clock_s() - began_s, &err)
		       ? cli_error(&err)
		       : CLI_DONE;
}

static int run_all(struct suite *s)
{
	const double risk = 1 - s->v->confidence;
	size_t next;

	for (size_t i = 0; i < s->n; i++)
		s->paired[i].resource = s->resource;
	while (ft_clock_s() < s->end_s && (next = ft_suite_next(s->paired, s->n)) != SIZE_MAX) {
		if (!s->paired[next].n && s->resource->disturbed)
			CLI_TRY(run_pair(s, next, true));
		CLI_TRY(run_pair(s, next, false));
		if (*cli_interrupt_flag()) {
			(void)cli_fail("interrupted: nothing is decided");
			return CLI_INTERRUPTED;
		}
		ft_suite_judge(s->paired, s->n, risk);
	}
	ft_suite_judge(s->paired, s->n, risk);
	for (size_t i = 0; i < s->n; i++)
		s->bench[i].pairs = s->paired[i];
	return CLI_DONE;
}

/* ---- earlier verdicts --------------------------------------------------------------------------------- */

/* A line of a verdict: when, the ratio, the verdict. The newest of them count. */
enum { KEPT = 500 };

static void find_change(struct bench *b, const char *lines)
{
	double when[KEPT], x[KEPT];
	size_t n = 0, at;

	for (const char *line = lines; line && *line; line = strchr(line, '\n'), line += !!line) {
		if (n == KEPT) {
			memmove(when, when + 1, (KEPT - 1) * sizeof *when);
			memmove(x, x + 1, (KEPT - 1) * sizeof *x);
			n--;
		}
		if (sscanf(line, "%lf %lf", &when[n], &x[n]) == 2 && x[n] > 0) {
			x[n] = log(x[n]);
			n++;
		}
	}
	b->change = exp(ft_history_change(x, n, &at));
	b->since = b->change == 1 ? (double)NAN : when[at];
}

static int keep_verdicts(struct suite *s)
{
	struct ft_store *store = NULL;
	struct ft_err err = {0};
	int status = cli_store_open(&store, s->v->store_path, CLI_WRITE);

	for (size_t i = 0; i < s->n && status == CLI_DONE; i++) {
		struct bench *b = &s->bench[i];
		CLI_OWN char *key = cli_printed("verdicts/%s/%s", s->resource->name, b->name);
		char *kept = NULL;

		if (ft_store_get_known(store, key, &kept, &err))
			kept = NULL;
		if (b->pairs.n && !b->why) {
			char *more = cli_printed("%s%.0f %.6g %s\n", kept ? kept : "", (double)time(NULL),
						 b->pairs.ratio, ft_verdict_text(b->pairs.verdict));

			free(kept);
			kept = more;
			if (ft_store_put_known(store, key, kept, &err))
				status = cli_error(&err);
		}
		find_change(b, kept);
		free(kept);
	}
	ft_store_close(store);
	return status;
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static const char *verdict_of(const struct bench *b)
{
	return b->why                                    ? "failed"
	       : !b->pairs.n                             ? "not run"
	       : b->pairs.verdict == FT_VERDICT_OVER     ? "slower"
	       : b->pairs.verdict == FT_VERDICT_UNDER    ? "faster"
	       : b->pairs.exact || b->pairs.upper < 1.05 ? "same"
							 : "undecided";
}

static char *sentence_of(const struct bench *b)
{
	char day[32] = "", interval[64] = "";
	const time_t since = isnan(b->since) ? 0 : (time_t)b->since;
	struct tm tm;

	if (b->why)
		return cli_strdup(b->why);
	if (!b->pairs.n)
		return cli_strdup("the budget ended before a pair of runs did");
	if (!b->pairs.exact && b->pairs.n > 1)
		(void)snprintf(interval, sizeof interval, " (%.3f .. %.3f)", b->pairs.lower, b->pairs.upper);
	if (since && gmtime_r(&since, &tm))
		(void)strftime(day, sizeof day, "%Y-%m-%d", &tm);
	return cli_printed("%s is %.3f times what it was%s, %zu pair%s%s%s", b->pairs.resource->name,
			   b->pairs.ratio, interval, b->pairs.n, b->pairs.n == 1 ? "" : "s",
			   *day ? "; other verdicts before " : "", day);
}

static int compare_benches(const void *a, const void *b)
{
	const struct bench *p = a, *q = b;
	const bool first = p->pairs.verdict == FT_VERDICT_OVER, second = q->pairs.verdict == FT_VERDICT_OVER;
	const double x = p->pairs.n ? p->pairs.ratio : 0, y = q->pairs.n ? q->pairs.ratio : 0;

	if (first != second)
		return first ? -1 : 1;
	if (!p->why != !q->why)
		return p->why ? -1 : 1;
	return x != y ? (x < y) - (x > y) : strcmp(p->name, q->name);
}

static char *json_verdict(const void *bench, const struct ft_tell_with *with)
{
	(void)with;
	return cli_strdup(verdict_of(bench));
}

#define BENCH struct bench
static const struct ft_tell_row rows[] = {
	{FT_TELL(BENCH, name), .head = "benchmark"},
	{FT_TELL_WHOLE(MADE, "verdict"), .cell = json_verdict,
	 .about = "slower, faster, same, undecided, failed, or not run"},
	{FT_TELL_AS("ratio", BENCH, pairs.ratio), .about = "of this folder's run to that of the old one",
	 .null = "no pair"},
	{FT_TELL_AS("lower", BENCH, pairs.lower), .null = "no pair, or one"},
	{FT_TELL_AS("upper", BENCH, pairs.upper), .null = "no pair, or one"},
	{FT_TELL_AS("pairs", BENCH, pairs.n)},
	{FT_TELL_AS("exact", BENCH, pairs.exact), .about = "counts that repeat"},
	{FT_TELL(BENCH, why), .about = "of a failure", .null = "none"},
	{FT_TELL(BENCH, change), .about = "with --history: by which factor the verdicts changed",
	 .null = "not"},
	{FT_TELL(BENCH, since), .about = "and when: seconds since 1970", .null = "they did not"},
	{0},
};
const struct ft_tell_record cli_verify_suite_answer = {.name = "verify-suite",
						       .version = 1,
						       .about = "one of the benchmarks of an array",
						       .bytes = sizeof(BENCH),
						       .row = rows};

/* One comment in Markdown: what is slower, faster, or failed, and how many are not. */
static void print_comment(const struct suite *s, FILE *file, size_t slower)
{
	fprintf(file,
		"### foretime: %zu of %zu benchmarks slower\n\n| benchmark | verdict | %s |\n|---|---|---|\n",
		slower, s->n, s->resource->name);
	for (size_t i = 0; i < s->n; i++) {
		const char *verdict = verdict_of(&s->bench[i]);
		CLI_OWN char *sentence = sentence_of(&s->bench[i]);

		if (!strcmp(verdict, "same"))
			continue;
		fputs("| ", file);
		cli_verify_cell(file, s->bench[i].name);
		fprintf(file, " | %s | ", verdict);
		cli_verify_cell(file, sentence);
		fputs(" |\n", file);
	}
	fputc('\n', file);
}

static int report_github(const struct suite *s, size_t slower)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");
	FILE *file = path && *path ? fopen(path, "a") : stdout;

	if (!file)
		return cli_fail("cannot write the summary '%s'", path);
	for (size_t i = 0; i < s->n; i++) {
		CLI_OWN char *sentence = sentence_of(&s->bench[i]);
		CLI_OWN char *text = cli_printed("%s: %s", s->bench[i].name, sentence);

		if (s->bench[i].why || s->bench[i].pairs.verdict == FT_VERDICT_OVER)
			cli_verify_annotation(s->v, "error", text);
	}
	print_comment(s, file, slower);
	if (file != stdout && fclose(file))
		return cli_fail("cannot write the summary '%s'", path);
	return CLI_DONE;
}

static void report_junit(const struct suite *s, size_t bad)
{
	cli_verify_suite(s->v, s->n, bad);
	for (size_t i = 0; i < s->n; i++) {
		const struct bench *b = &s->bench[i];
		CLI_OWN char *sentence = sentence_of(b);

		cli_verify_case(s->v, s->resource->name, b->name,
				b->why || b->pairs.verdict == FT_VERDICT_OVER ? sentence : NULL);
	}
	puts("</testsuite>");
}

static int report(struct suite *s)
{
	size_t slower = 0, failed = 0, judged = 0;
	struct cli_table table = {0};
	int status = CLI_DONE;

	qsort(s->bench, s->n, sizeof *s->bench, compare_benches);
	for (size_t i = 0; i < s->n; i++) {
		slower += s->bench[i].pairs.verdict == FT_VERDICT_OVER;
		failed += !!s->bench[i].why;
		judged += s->bench[i].pairs.n > 0;
	}
	if (s->v->json) {
		json_t *array = cli_json_array();

		for (size_t i = 0; i < s->n; i++)
			cli_json_append(array, cli_tell_json(&cli_verify_suite_answer, &s->bench[i], NULL));
		cli_json_print(array, stdout);
	} else if (s->v->report && !strcmp(s->v->report, "github")) {
		status = report_github(s, slower);
	} else if (s->v->report && !strcmp(s->v->report, "junit")) {
		report_junit(s, slower + failed);
	} else {
		cli_table_heads(&table, "verdict", "benchmark", "why", NULL);
		for (size_t i = 0; i < s->n; i++) {
			CLI_OWN char *sentence = sentence_of(&s->bench[i]);

			cli_table_add(&table, "%s", verdict_of(&s->bench[i]));
			cli_table_add(&table, "%s", s->bench[i].name);
			cli_table_add(&table, "%s", sentence);
		}
		cli_table_print(&table, stdout);
		printf("\n%zu benchmark%s: %zu slower, %zu failed\n", s->n, s->n == 1 ? "" : "s", slower,
		       failed);
	}
	if (status == CLI_DONE && !judged)
		return cli_fail("no benchmark could be judged\nhint: give it more time: --budget");
	return status != CLI_DONE ? status : slower || failed ? CLI_NO : CLI_DONE;
}

int cli_verify_list(struct cli_verify *v, const struct cli_words *words)
{
	struct suite s = {.v = v, .resource = &ft_wall_s, .out = "/tmp/foretime-suite-XXXXXX"};
	struct ft_err err = {0};
	int status;

	if (!v->against)
		return cli_fail(
			"--suite compares it with what?\nhint: name a folder with the old version built: "
			"--against ../base");
	if (words->n || words->separated || v->resources.n > 1)
		return cli_fail("--suite takes its commands from its file, and one --resource");
	if (v->resources.n && ft_resource_named(v->resources.text[0], &s.resource, &err))
		return cli_error(&err);
	v->probes.instructions |= s.resource == &ft_instructions;
	v->program.name = cli_strdup("suite");
	cli_probes_set(&v->probes, &v->launch);
	status = read_list(&s, v->suite);
	if (status == CLI_DONE && !mkdtemp(s.out))
		status = cli_fail("cannot make a folder in /tmp");
	if (status == CLI_DONE) {
		CLI_OWN char *out = cli_printed("%s/results", s.out);

		s.end_s = ft_clock_s() + (v->budget_s > 0 ? v->budget_s : usual_budget_s);
		s.paired = cli_alloc(s.n * sizeof *s.paired);
		cli_signals_catch();
		status = run_all(&s);
		(void)unlink(out);
		(void)rmdir(s.out);
	}
	if (status == CLI_DONE && v->history)
		status = keep_verdicts(&s);
	if (status == CLI_DONE)
		status = report(&s);
	for (size_t i = 0; i < s.n; i++) {
		free(s.bench[i].name);
		free(s.bench[i].command);
		free(s.bench[i].why);
		if (s.paired)
			ft_paired_clear(&s.paired[i]);
	}
	free(s.bench);
	free(s.paired);
	ft_program_clear(&v->program);
	return status;
}
