/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite.c - `foretime verify --suite`: the benchmarks of a list, each of an old folder and of this one alternately, in
 * the time there is. */
#include "ask/door.h"
#include "base/clock.h"
#include "base/csv.h"
#include "cli/cli.h"
#include "cli/verify/verify.h"
#include "foretime/adapt.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Without --budget. */
static const double usual_budget_s = 600;

struct bench {
	char *name, *command; /* {out}: the file in which a harness writes its results */
	char *why;            /* it gets no further pairs; NULL */
	const char *excused;  /* the verdict where that is no failure; NULL */
	double since, change; /* the time of a change in earlier verdicts, and its factor; NaN: none */
	struct ft_paired pairs;
};

struct suite {
	struct cli_verify *v;
	struct bench *bench;      /* [n] */
	struct ft_paired *paired; /* [n] for ft_suite_next */
	size_t n;
	json_t *seen;  /* the number of each name */
	char *program; /* of a harness, as typed behind --: words of a shell; NULL */
	bool named;    /* that program is used */
	bool refused;  /* after a complaint */
	const struct ft_resource *resource;
	double end_s, most_s; /* of a run: one that hangs leaves time for the rest */
	char out[64];         /* the folder of {out} */
};

/* ---- the list ----------------------------------------------------------------------------------------- */

/* How a harness runs one of its benchmarks alone and writes its times: PROGRAM BEFORE NAME AFTER. */
static const struct harness {
	const char *program; /* NULL: only its user knows */
	const char *ending;  /* of a name in a list that the harness prints; NULL: any */
	const char *within;  /* such a name */
	const char *before, *after;
	bool pattern; /* the name is a regular expression */
	bool output;  /* the times go to standard output */
} harnesses[] = {
	{"cargo criterion", ": benchmark", "", " --message-format=json -- ", "", true, true},
	{"cargo criterion", ": bench", "", " --message-format=json -- ", "", true, true},
	{"python3 -m pytest", NULL, ".py::", " -q ", " --benchmark-json={out}", false, false},
	{NULL, NULL, "", " --benchmark_filter=", " --benchmark_out={out} --benchmark_out_format=json", true,
	 false},
};
static const struct harness *const criterion = &harnesses[0], *const pytest = &harnesses[2],
				   *const google = &harnesses[3];

/* A benchmark and its command, on the heap, which it takes. */
static void add_bench(struct suite *s, const char *name, char *command)
{
	const json_t *known = json_object_get(s->seen, name);
	const struct bench *same = known ? &s->bench[json_integer_value(known)] : NULL;

	if (same) {
		if (strcmp(same->command, command) != 0)
			cli_note("'%s' is listed with two commands: the first one is run", name);
		free(command);
		return;
	}
	char **word;
	size_t n;
	const char *why = cli_words_of(command, &word, &n);
	for (size_t i = 0; !why && i < n; i++)
		free(word[i]);
	free(word);
	(void)json_object_set_new_nocheck(s->seen, name, json_integer((json_int_t)s->n));
	s->bench = cli_grow(s->bench, s->n, sizeof *s->bench);
	s->bench[s->n++] =
		(struct bench){.name = cli_strdup(name),
			       .command = command,
			       .why = why ? cli_printed("its command cannot be run: %s", why) : NULL,
			       .since = (double)NAN,
			       .change = (double)NAN};
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
	char *escaped = cli_alloc(2 * strlen(text) + 3);
	char *end = escaped;

	*end++ = '^';
	for (; *text; text++) {
		if (strchr(".[]()*+?{}|^$\\", *text))
			*end++ = '\\';
		*end++ = *text;
	}
	(void)stpcpy(end, "$");
	return escaped;
}

/* A benchmark of a harness. program: as the list has it, words of a shell; what was typed behind -- is preferred. */
static void add_named(struct suite *s, const struct harness *harness, const char *program, const char *name)
{
	CLI_OWN char *pattern = harness->pattern ? exactly(name) : cli_strdup(name);
	CLI_OWN char *word = quote(pattern);
	s->named = true;
	char *command = cli_printed("%s%s%s%s", s->program ? s->program : program, harness->before, word,
				    harness->after);

	if (harness->output) {
		CLI_OWN char *line = cli_printed("exec %s >\"$1\"", command);
		CLI_OWN char *script = quote(line);

		free(command);
		command = cli_printed("sh -c %s sh {out}", script);
	}
	add_bench(s, name, command);
}

/* A command of hyperfine, which runs a shell unless its user does not want one. */
static void add_shell(struct suite *s, const char *command)
{
	const char *const special = strpbrk(command, "|&;<>()$`*?#~!\n=");
	CLI_OWN char *script = quote(command);

	/* = is special in the first word. */
	add_bench(s, command,
		  special && (*special != '=' || special < command + strcspn(command, " "))
			  ? cli_printed("sh -c %s", script)
			  : cli_strdup(command));
}

/* The program of Google Benchmark as both folders have it: below this one. NULL: elsewhere, after a complaint. */
static char *relative_program(struct suite *s, const char *executable)
{
	CLI_OWN char *here = getcwd(NULL, 0);
	const size_t n = here ? strlen(here) : 0;

	if (s->program || *executable != '/')
		return quote(executable);
	if (n && !strncmp(executable, here, n) && executable[n] == '/') {
		CLI_OWN char *below = cli_printed(".%s", executable + n);

		return quote(below);
	}
	if (!s->refused)
		(void)cli_fail("'%s' would be the new program and the old one\nhint: name it as both folders "
			       "have it, behind --: -- build/benchmarks",
			       executable);
	s->refused = true;
	return NULL;
}

/* An entry of a harness: its name, and the command that runs it alone. */
static void add_entry(struct suite *s, const json_t *root, const json_t *entry)
{
	const char *command = json_string_value(json_object_get(entry, "command"));
	const char *name = json_string_value(json_object_get(entry, "run_name"));
	const char *full = json_string_value(json_object_get(entry, "fullname"));
	const char *executable =
		json_string_value(json_object_get(json_object_get(root, "context"), "executable"));

	name = name ? name : json_string_value(json_object_get(entry, "name"));
	if (command) { /* hyperfine */
		add_shell(s, command);
	} else if (full) {
		add_named(s, pytest, pytest->program, full);
	} else if (name && (executable || s->program)) {
		CLI_OWN char *program = relative_program(s, executable ? executable : "");

		if (program)
			add_named(s, google, program, name);
	} else {
		cli_note("an entry %s%s%s has neither a command nor a program", name ? "'" : "",
			 name ? name : "without a name", name ? "'" : "");
	}
}

/* A document of Google Benchmark, pytest-benchmark or hyperfine. False: it is none. */
static bool read_json(struct suite *s, const char *text)
{
	json_t *root = json_loads(text, 0, NULL);
	const json_t *list = json_object_get(root, "results"), *entry;
	size_t i;

	list = list ? list : json_object_get(root, "benchmarks");
	json_array_foreach(list, i, entry) add_entry(s, root, entry);
	json_decref(root);
	return list != NULL;
}

static void read_rows(struct suite *s, const char *path, const struct ft_csv *csv, size_t line)
{
	const int name = ft_csv_column(csv, "name"), command = ft_csv_column(csv, "command");

	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		const char *text = ft_csv_cell(csv, i, (size_t)command);
		const char *called = name < 0 ? "" : ft_csv_cell(csv, i, (size_t)name);

		if (!*text)
			cli_note("%s:%zu: no command", path, line ? line : ft_csv_line(csv, i));
		else if (name < 0) /* as hyperfine exports it */
			add_shell(s, text);
		else
			add_bench(s, *called ? called : text, cli_strdup(text));
	}
}

/* A table with the column command. A row that cannot be read is left out. False: it is no such table. */
static bool read_table(struct suite *s, const char *path, const char *text)
{
	const size_t head = strcspn(text, "\n");
	struct ft_csv *csv;
	struct ft_err err = {0};
	const bool table = !ft_csv_parse(path, text, head, 0, &csv, &err);
	const bool commands = table && ft_csv_column(csv, "command") >= 0;
	size_t number = 1;

	if (table)
		ft_csv_free(csv);
	if (!commands)
		return false;
	if (!ft_csv_parse(path, text, strlen(text), 0, &csv, &err)) {
		read_rows(s, path, csv, 0);
		ft_csv_free(csv);
		return true;
	}
	for (const char *line = text + head; *line; line += strcspn(line, "\n")) {
		line++;
		CLI_OWN char *two =
			cli_printed("%.*s\n%.*s", (int)head, text, (int)strcspn(line, "\n"), line);

		number++;
		if (ft_csv_parse(path, two, strlen(two), 0, &csv, &err)) {
			const char *why = strstr(err.text, ": ");

			cli_note("%s:%zu: left out%s", path, number, why ? why : "");
			continue;
		}
		read_rows(s, path, csv, number);
		ft_csv_free(csv);
	}
	return true;
}

static int read_list(struct suite *s, const char *path)
{
	FILE *file = !strcmp(path, "-") ? stdin : fopen(path, "r");
	CLI_OWN char *text = NULL;
	size_t bytes = 0;

	if (!file)
		return cli_fail("cannot open '%s': %s", path, strerror(errno));
	const bool empty = getdelim(&text, &bytes, '\0', file) <= 0;
	if (file != stdin)
		(void)fclose(file);
	if (!empty && !read_json(s, text) && !read_table(s, path, text)) {
		/* Lines: the messages of cargo criterion, or the names that a harness lists. */
		const struct harness *harness = NULL;
		char *line, *rest;

		for (const struct harness *h = harnesses;
		     h < harnesses + sizeof harnesses / sizeof *h && !harness; h++) {
			const char *at = h->ending ? strstr(text, h->ending) : strstr(text, h->within);

			if (at && (!h->ending || strchr("\r\n", at[strlen(h->ending)])) &&
			    (h->program || s->program))
				harness = h;
		}
		for (rest = text; (line = strsep(&rest, "\r\n"));) {
			const size_t n = strlen(line),
				     behind = harness && harness->ending ? strlen(harness->ending) : 0;
			json_t *message = *line == '{' ? json_loads(line, 0, NULL) : NULL;
			const char *id = json_string_value(json_object_get(message, "id"));
			const char *reason = json_string_value(json_object_get(message, "reason"));

			if (id && reason && !strcmp(reason, "benchmark-complete"))
				add_named(s, criterion, criterion->program, id);
			else if (!message && n > behind && harness && strstr(line, harness->within) &&
				 (!behind || !strcmp(line + n - behind, harness->ending))) {
				line[n - behind] = '\0';
				add_named(s, harness, harness->program, line);
			}
			json_decref(message);
		}
	}
	if (s->refused)
		return CLI_WRONG;
	if (s->n && s->program && !s->named)
		return cli_fail("'%s' has commands of its own\nhint: leave out what stands behind --", path);
	if (s->n)
		return CLI_DONE;
	return cli_fail("'%s' lists no benchmarks\nhint: write a table with the columns name and command; or "
			"give the "
			"JSON of Google Benchmark, pytest-benchmark, cargo criterion or hyperfine, or the "
			"names that one "
			"of them lists, and its program behind --",
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
	/* A benchmark alone needs no size, whatever its name has. */
	FT_CLEANUP(ft_program_clear) struct ft_program program = {.n_params = 1};
	(void)ft_param_parse("alone=1", &program.param[0], NULL);
	const struct ft_import_options options = {.several = true, .param = program.param, .n_params = 1};
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
static void set_words(struct ft_program *program, const char *folder, const char *command, const char *out)
{
	const char *const begin[] = {"env", "-C", folder};
	char **word;
	size_t n;

	if (cli_words_of(command, &word, &n)) /* which does not happen: a row of such a command has failed */
		n = 0;
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
}

/* A run of one side: its value; NaN, and why the benchmark failed, or neither at the end of the budget. */
static int run_side(struct suite *s, struct bench *b, const char *folder, double *value, char **why)
{
	FT_CLEANUP(ft_program_clear)
	struct ft_program program = {.name = cli_strdup("benchmark"), .n_params = 1};
	FT_CLEANUP(ft_runs_clear) struct ft_runs made = {0};
	const struct ft_size size = {1, {1}};
	CLI_OWN char *out = cli_printed("%s/results", s->out);
	struct ft_source *source = NULL;
	struct ft_err err = {0};
	const double left_s = s->end_s - ft_clock_s();

	(void)ft_param_parse("n=1", &program.param[0], NULL);
	set_words(&program, folder, b->command, out);
	s->v->launch.program = &program;
	(void)unlink(out);
	enum ft_status status = left_s > 0 ? ft_source_open_process(&source, &s->v->launch, &err) : FT_EEND;
	if (!status) {
		ft_source_interrupt(source, cli_interrupt_flag());
		status = ft_source_run(source, &size, 0, fmin(left_s, s->most_s), &made, &err);
	}
	ft_source_close(source);
	if (status == FT_EEND || *cli_interrupt_flag())
		return CLI_DONE;
	if (status == FT_ENOMEM)
		return cli_error(&err);
	if (status) {
		*why = cli_strdup(err.text);
	} else if (made.run[0].outcome == FT_DONE) {
		*value = strstr(b->command, "{out}") ? read_results(s, out, &err)
						     : ft_run_idle_value(&made.run[0], s->resource);
		if (!(*value > 0))
			*why = cli_printed("a run in '%s' has no value of %s%s%s", folder, s->resource->name,
					   *err.text ? ": " : "", err.text);
	} else if (made.run[0].outcome != FT_TIMED_OUT || s->most_s < left_s) { /* else the budget ended it */
		CLI_OWN char *failure =
			cli_failure_text(made.run[0].outcome, &made.run[0], made.run[0].detail);
		const bool long_run = made.run[0].outcome == FT_TIMED_OUT && !(s->v->timeout_s > 0);

		b->excused = long_run ? "not run" : NULL;
		*why = cli_printed("a run in '%s' %s%s", folder, failure,
				   long_run ? ", a quarter of the budget" : "");
	}
	return CLI_DONE;
}

/* Which of two is first is drawn: what the first one does to the second is no difference then. */
static int run_pair(struct suite *s, size_t at, bool warmup)
{
	const int first = ft_paired_new_first(&s->paired[at]);
	const char *const folder[] = {s->v->against, "."};
	struct bench *b = &s->bench[at];
	const double began_s = ft_clock_s();
	double value[2] = {NAN, NAN};
	char *why[2] = {NULL, NULL};
	struct ft_err err = {0};

	/* One that the old version does not have is new, if this one has it. */
	for (int turn = 0; turn < 2 && !why[1]; turn++)
		CLI_TRY(run_side(s, b, folder[turn ^ first], &value[turn ^ first], &why[turn ^ first]));
	if (why[0] && value[1] > 0 && !s->paired[at].n && !b->excused)
		b->excused = "new";
	b->why = why[1] ? why[1] : why[0];
	s->paired[at].failed = b->why;
	if (why[1])
		free(why[0]);
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
		s->paired[i] = (struct ft_paired){.resource = s->resource, .failed = s->bench[i].why};
	while (ft_clock_s() < s->end_s && (next = ft_suite_next(s->paired, s->n)) != SIZE_MAX) {
		const double over = s->paired[next].over, under = s->paired[next].under;

		if (!s->paired[next].n && s->resource->disturbed)
			CLI_TRY(run_pair(s, next, true));
		if (!s->paired[next].failed)
			CLI_TRY(run_pair(s, next, false));
		if (*cli_interrupt_flag()) {
			(void)cli_fail("interrupted: nothing is decided");
			return CLI_INTERRUPTED;
		}
		if (s->paired[next].over != over || s->paired[next].under != under)
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
		double when[KEPT], x[KEPT];
		size_t n = 0, at;

		for (const char *line = kept; line && *line; line = strchr(line, '\n'), line += !!line) {
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
		free(kept);
	}
	ft_store_close(store);
	return status;
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static const char *verdict_of(const struct bench *b)
{
	return b->excused && b->pairs.n                  ? "undecided"
	       : b->excused                              ? b->excused
	       : b->why                                  ? "failed"
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
	 .about = "slower, faster, same, undecided, failed, new (the old version does not run it), or not "
		  "run"},
	{FT_TELL_AS("ratio", BENCH, pairs.ratio), .about = "of this folder's run to that of the old one",
	 .null = "no pair"},
	{FT_TELL_AS("lower", BENCH, pairs.lower), .null = "no pair, or one"},
	{FT_TELL_AS("upper", BENCH, pairs.upper), .null = "no pair, or one"},
	{FT_TELL_AS("pairs", BENCH, pairs.n)},
	{FT_TELL_AS("exact", BENCH, pairs.exact), .about = "counts that repeat"},
	{FT_TELL(BENCH, why), .about = "it got no further pair of runs", .null = "none"},
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

static bool is_bad(const struct bench *b)
{
	return (b->why && !b->excused) || b->pairs.verdict == FT_VERDICT_OVER;
}

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

		if (is_bad(&s->bench[i]))
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

		cli_verify_case(s->v, s->resource->name, b->name, is_bad(b) ? sentence : NULL);
	}
	puts("</testsuite>");
}

static int report(struct suite *s)
{
	size_t slower = 0, failed = 0, judged = 0, fresh = 0, idle = 0;
	struct cli_table table = {0};
	int status = CLI_DONE;

	qsort(s->bench, s->n, sizeof *s->bench, compare_benches);
	for (size_t i = 0; i < s->n; i++) {
		slower += s->bench[i].pairs.verdict == FT_VERDICT_OVER;
		const char *verdict = verdict_of(&s->bench[i]);

		failed += !strcmp(verdict, "failed");
		fresh += !strcmp(verdict, "new");
		idle += !strcmp(verdict, "not run");
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
		printf("\n%zu benchmark%s: %zu slower, %zu failed", s->n, s->n == 1 ? "" : "s", slower,
		       failed);
		if (fresh)
			printf(", %zu new", fresh);
		if (idle)
			printf(", %zu not run", idle);
		puts("");
	}
	if (status == CLI_DONE && !judged)
		return cli_fail("no benchmark could be judged\nhint: %s",
				idle     ? "give it more time: --budget"
				: failed ? "make the commands run in both folders"
					 : "build the old version there first");
	return status != CLI_DONE ? status : slower || failed ? CLI_NO : CLI_DONE;
}

int cli_verify_list(struct cli_verify *v, const struct cli_words *words)
{
	struct suite s = {.v = v, .resource = &ft_wall_s, .out = "/tmp/foretime-suite-XXXXXX"};
	struct ft_err err = {0};
	struct stat folder;
	int status;

	if (!v->against)
		return cli_fail(
			"--suite compares it with what?\nhint: name a folder with the old version built: "
			"--against ../base");
	if (words->n || v->resources.n > 1)
		return cli_fail("--suite takes its commands from its file, and one --resource");
	if (stat(v->against, &folder) || !S_ISDIR(folder.st_mode))
		return cli_fail("--against '%s' is no folder\nhint: name the one with the old version built",
				v->against);
	if (v->resources.n && ft_resource_named(v->resources.text[0], &s.resource, &err))
		return cli_error(&err);
	v->probes.instructions |= s.resource == &ft_instructions;
	v->program.name = cli_strdup("suite");
	cli_probes_set(&v->probes, &v->launch);
	s.seen = json_object();
	for (size_t i = 0; i < words->n_rest; i++) {
		CLI_OWN char *word = quote(words->rest[i]), *before = s.program;

		s.program = cli_printed("%s%s%s", before ? before : "", before ? " " : "", word);
	}
	status = read_list(&s, v->suite);
	if (status == CLI_DONE && !mkdtemp(s.out))
		status = cli_fail("cannot make a folder in /tmp");
	if (status == CLI_DONE) {
		CLI_OWN char *out = cli_printed("%s/results", s.out);

		const double budget_s = v->budget_s > 0 ? v->budget_s : usual_budget_s;

		s.end_s = ft_clock_s() + budget_s;
		s.most_s = v->timeout_s > 0 ? v->timeout_s : budget_s / 4;
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
	free(s.program);
	json_decref(s.seen);
	ft_program_clear(&v->program);
	return status;
}
