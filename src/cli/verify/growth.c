/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.c - `foretime verify --at-most`: runs a program at sizes chosen for it, or reads runs, and tests
 * whether it grows no faster than a bound. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/verify/verify.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MOST = 768, FIRST_LOOK = 3, SIZES_LEAST = 5, ROWS_MOST = 6 };

static const double budget_usual_s = 15;

struct verify_growth {
	struct cli_verify *v;
	struct ft_at_most_plan plan;
	struct ft_at_most answer[FT_FIELD_TEXTS_MOST]; /* [v->n_resources] */
	double end_s;
	size_t failed;  /* runs that did not end well */
	bool shortened; /* the budget ended before every size was run */
	char *missed;   /* ... and before half of the largest size: how far the runs came; NULL: it did not */
	bool usual;     /* no resource was named */
};

/*
 * What was found, in words.
 */

static char *size_words(const struct verify_growth *g, const struct ft_at_most *a)
{
	char at[256];

	(void)ft_size_format(&g->v->program, &a->size[a->n - 1].size, at, sizeof at);
	return cli_strdup(at);
}

/* "wall_s: grows faster than n log n: n^2 from n=31000 on, 22 % of it at n=64000" */
static char *growth_sentence(const struct verify_growth *g, size_t r)
{
	const struct cli_verify *v = g->v;
	const struct ft_at_most *a = &g->answer[r];
	CLI_OWN char *at = size_words(g, a), *from = NULL;
	char seen[FT_UNIT_LENGTH], value[FT_NUMBER_LENGTH];
	const char *name = v->resource[r]->name;

	if (a->verdict == FT_AT_MOST_NO) {
		if (a->from > a->size[0].size.value[a->param])
			from = cli_printed(" from %s=%s on", v->program.param[a->param].name,
					   ft_number_format(a->from, value));
		return cli_printed("%s: grows faster than %s: %s%s, %s of the %s at %s", name, v->at_most,
				   a->term, from ? from : "", ft_share_format(a->share, seen), name, at);
	}
	(void)ft_share_format(a->seen, seen);
	if (a->verdict == FT_AT_MOST_YES)
		return cli_printed("%s: at most %s: yes; a term %s of %s at %s would have been seen", name,
				   v->at_most, a->term, seen, at);
	if (g->missed)
		return cli_printed("%s: at most %s: undecided: %s", name, v->at_most, g->missed);
	if (a->n < SIZES_LEAST)
		return cli_printed("%s: at most %s: undecided, with %zu size%s", name, v->at_most, a->n,
				   a->n == 1 ? "" : "s");
	if (isnan(a->seen))
		return cli_printed(
			"%s: at most %s: undecided; no share of a term %s at %s would surely be seen", name,
			v->at_most, a->term, at);
	return cli_printed(
		"%s: at most %s: undecided; a term %s is surely seen from %s at %s on, and 20 %% is "
		"required",
		name, v->at_most, a->term, seen, at);
}

static const char *remedy_of(const struct verify_growth *g)
{
	const struct cli_verify *v = g->v;

	for (size_t r = 0; r < v->n_resources; r++)
		if (g->answer[r].verdict == FT_AT_MOST_UNDECIDED &&
		    (g->missed || g->answer[r].n < SIZES_LEAST))
			return g->shortened
				       ? "name smaller sizes, or give more time with --budget"
				       : "5 sizes are the least, and 12 are better, as n=A:B chooses them";
	for (size_t r = 0; r < v->n_resources; r++)
		if (g->answer[r].verdict == FT_AT_MOST_UNDECIDED && v->resource[r]->disturbed)
			return v->paths.n ? "more runs of each size, or instructions, decide more"
					  : "-r instructions decides more; or larger sizes, or more time "
					    "with --budget";
	for (size_t r = 0; r < v->n_resources; r++)
		if (g->answer[r].verdict == FT_AT_MOST_UNDECIDED && v->resource[r] == &ft_instructions &&
		    !v->paths.n)
			return "more sizes over a wider range decide more; of a program with threads, which "
			       "take "
			       "turns under valgrind, --threads 1 does";
	return "more sizes over a wider range decide more";
}

/* The largest sizes that show it, or the largest ones where no single one does. */
static void print_sizes(const struct verify_growth *g, size_t r)
{
	const struct ft_at_most *a = &g->answer[r];
	const struct ft_program *program = &g->v->program;
	const char *unit = g->v->resource[r]->unit;
	CLI_OWN char *head = cli_printed(">%s explains", g->v->at_most);
	struct cli_table table = {0};
	bool shows = false;
	size_t from = a->n;

	for (size_t i = 0; i < a->n; i++)
		shows |= a->size[i].shows;
	for (size_t rows = 0; from > 0 && rows < ROWS_MOST;)
		rows += a->size[--from].shows || !shows;
	cli_size_heads(&table, program);
	cli_table_head(&table, ">runs");
	cli_table_head(&table, ">measured");
	cli_table_head(&table, head);
	cli_table_head(&table, ">the rest");
	for (size_t i = from; i < a->n; i++) {
		const struct ft_at_most_size *size = &a->size[i];
		char value[FT_UNIT_LENGTH], explained[FT_UNIT_LENGTH], share[FT_UNIT_LENGTH];

		if (shows && !size->shows)
			continue;
		cli_size_cells(&table, &size->size);
		cli_table_add(&table, "%zu", size->runs);
		cli_table_add(&table, "%s", ft_value_format(size->value, unit, value));
		cli_table_add(&table, "%s", ft_value_format(size->explained, unit, explained));
		cli_table_add(&table, "%s", ft_share_format(size->share, share));
	}
	cli_table_print(&table, stdout);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

#define SIZE struct ft_at_most_size
static const struct ft_tell_row size_rows[] = {
	{FT_TELL(SIZE, size)},
	{FT_TELL(SIZE, runs)},
	{FT_TELL(SIZE, value), .about = "of a typical run that nothing disturbed"},
	{FT_TELL(SIZE, explained), .about = "what terms within the bound explain of it"},
	{FT_TELL(SIZE, share), .about = "1 - explained / value"},
	{FT_TELL(SIZE, shows), .about = "the rest is well above what may be chance"},
	{0},
};
static const struct ft_tell_record sizes = {.bytes = sizeof(SIZE), .row = size_rows};

struct growth_found {
	const struct ft_resource *resource;
	const char *param;
	struct ft_at_most found;
};

static const char *verdict_text(unsigned verdict)
{
	static const char *const text[] = {
#define TEXT(name, words) words,
		FT_AT_MOST_LIST(TEXT)
#undef TEXT
	};

	return text[verdict];
}

#define FOUND struct growth_found
static const struct ft_tell_row found_rows[] = {
	{FT_TELL(FOUND, resource)},
	{FT_TELL_BY(UNIT, "unit", FOUND, resource)},
	{FT_TELL_BY(WORD, "verdict", FOUND, found.verdict), .word = verdict_text,
	 .words = "yes|no|undecided"},
	{FT_TELL_AS("term", FOUND, found.term),
	 .about = "no: the term that grows faster than the bound; else the one that seen is of"},
	{FT_TELL_AS("parameter", FOUND, param), .about = "along which the term grows faster"},
	{FT_TELL_AS("from", FOUND, found.from), .about = "from this value of the parameter on",
	 .null = "nothing grows faster"},
	{FT_TELL_AS("share", FOUND, found.share), .about = "of the term at the largest size"},
	{FT_TELL_AS("seen", FOUND, found.seen),
	 .about = "the smallest share of the term at the largest size that is seen in 95 % of cases",
	 .null = "none, or the verdict is no"},
	{FT_TELL_AS("deviation", FOUND, found.deviation),
	 .about = "of sizes from their law, relative, a standard deviation", .null = "too few sizes"},
	{FT_TELL_AS("p", FOUND, found.p), .about = "how often chance looks as much like growth"},
	{FT_TELL_MANY(ARRAY, "sizes", FOUND, found.size, found.n, &sizes)},
	{0},
};
static const struct ft_tell_record founds = {.bytes = sizeof(FOUND), .row = found_rows};

struct growth_answer {
	const char *name, *bound;
	bool holds;
	const struct growth_found *found;
	size_t n;
};

#define ANSWER struct growth_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, name)},
	{FT_TELL(ANSWER, bound), .about = "as typed"},
	{FT_TELL(ANSWER, holds), .about = "the exit status is 0: every verdict is yes"},
	{FT_TELL_MANY(LIST, "resources", ANSWER, found, n, &founds)},
	{0},
};
const struct ft_tell_record cli_verify_growth_answer = {
	.name = "verify-at-most", .typed = "verify --at-most", .version = 1, .row = rows};

static void print_json(const struct verify_growth *g, bool holds)
{
	const struct cli_verify *v = g->v;
	const struct ft_tell_with with = {.program = &v->program};
	CLI_OWN struct growth_found *found = cli_alloc((v->n_resources + 1) * sizeof *found);
	ANSWER answer = {v->program.name, v->at_most, holds, found, v->n_resources};

	for (size_t r = 0; r < v->n_resources; r++)
		found[r] = (struct growth_found){v->resource[r], v->program.param[g->answer[r].param].name,
						 g->answer[r]};
	cli_tell(&cli_verify_growth_answer, &answer, &with);
}

/* Prints all of it; returns the exit status. */
static int report(const struct verify_growth *g)
{
	const struct cli_verify *v = g->v;
	int status = CLI_DONE;
	bool junit = v->report && !strcmp(v->report, "junit");
	size_t failures = 0;

	for (size_t r = 0; r < v->n_resources; r++) {
		failures += g->answer[r].verdict != FT_AT_MOST_YES;
		if (g->answer[r].verdict == FT_AT_MOST_NO)
			status = CLI_NO;
		else if (g->answer[r].verdict == FT_AT_MOST_UNDECIDED && status == CLI_DONE)
			status = CLI_WRONG;
	}
	if (v->json)
		print_json(g, status == CLI_DONE);
	if (junit)
		cli_verify_suite(v, v->n_resources, failures);
	for (size_t r = 0; r < v->n_resources; r++) {
		CLI_OWN char *sentence = growth_sentence(g, r);
		bool bad = g->answer[r].verdict != FT_AT_MOST_YES;

		if (junit)
			cli_verify_case(v, v->resource[r]->name, "growth", bad ? sentence : NULL);
		else if (v->report && !strcmp(v->report, "github"))
			cli_verify_annotation(v, bad ? "error" : "notice", sentence);
		else if (!v->json && g->answer[r].verdict == FT_AT_MOST_NO)
			print_sizes(g, r);
		else if (!v->json && !bad)
			puts(sentence);
		if (bad && !v->report)
			(void)cli_fail("%s", sentence);
	}
	if (junit)
		puts("</testsuite>");
	if (status == CLI_WRONG)
		cli_hint("%s", remedy_of(g));
	return status;
}

/*
 * The runs, and what they show so far.
 */

/* Fills the answers. Returns whether all of them are decided. */
static int judge(struct verify_growth *g, bool *decided)
{
	struct cli_verify *v = g->v;
	struct ft_err err = {0};

	*decided = true;
	for (size_t r = 0; r < v->n_resources; r++) {
		if (ft_verify_at_most(&v->runs, &v->program, v->resource[r], v->at_most, &g->answer[r],
				      &err)) {
			(void)cli_error(&err);
			return CLI_WRONG; /* also where no run ended well: that is no growth */
		}
		*decided &= g->answer[r].settled;
	}
	return CLI_DONE;
}

static const char *why_no_value(const struct ft_run *run, const struct ft_resource *resource)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == resource && run->sample[i].reason)
			return run->sample[i].reason;
	return NULL;
}

/* After the first run of all: whether the resources are there. Without -r instructions are, where they can be
 * counted, else the time. */
static int settle_resources(struct verify_growth *g, const struct ft_run *run)
{
	struct cli_verify *v = g->v;

	for (size_t r = 0; r < v->n_resources; r++) {
		const char *why = why_no_value(run, v->resource[r]);

		if (v->resource[r] == &ft_peak_rss_bytes && !isnan(ft_run_value(run, &ft_peak_tree_bytes)))
			v->resource[r] = &ft_peak_tree_bytes;
		if (!isnan(ft_run_value(run, v->resource[r])) || run->outcome != FT_DONE)
			continue;
		if (g->usual && v->resource[r] == &ft_instructions) {
			cli_note("instructions cannot be counted (%s); wall_s is judged, and shows less",
				 why ? why : "no counter");
			v->resource[r] = &ft_wall_s;
			v->launch.instructions = FT_COUNT_USUAL;
			continue;
		}
		return cli_fail("a run has no value of '%s'%s%s", v->resource[r]->name, why ? ": " : "",
				why ? why : "");
	}
	return CLI_DONE;
}

/* A size that fails costs only itself. */
static void note_failure(struct verify_growth *g, const struct ft_run *run)
{
	char at[256];

	if (g->failed++)
		return;
	(void)ft_size_format(&g->v->program, &run->size, at, sizeof at);
	CLI_OWN char *why = cli_failure_text(run->outcome, run, run->detail);
	cli_note("the run at %s is left out: %s", at, why);
}

/* One run; a run ended by the budget is not kept. *cost_s: what it took. */
static int run_size(struct verify_growth *g, struct ft_source *source, const struct ft_size *size,
		    bool *ended, double *cost_s)
{
	struct cli_verify *v = g->v;
	double left_s = g->end_s - ft_clock_s(),
	       limit_s = v->timeout_s > 0 ? fmin(v->timeout_s, left_s) : left_s;
	FT_CLEANUP(ft_runs_clear) struct ft_runs made = {0};
	struct ft_err err = {0};

	*ended = left_s <= 0;
	if (*ended)
		return CLI_DONE;
	if (ft_source_run(source, size, 0, limit_s, &made, &err))
		return cli_error(&err);
	*cost_s = made.run[0].cost_s;
	if (made.run[0].outcome == FT_INTERRUPTED) {
		(void)cli_fail("interrupted: nothing is decided");
		return CLI_INTERRUPTED;
	}
	*ended = made.run[0].outcome == FT_TIMED_OUT && limit_s >= left_s;
	if (*ended)
		return CLI_DONE;
	if (made.run[0].outcome == FT_NOT_STARTED)
		return cli_fail("%s",
				made.run[0].detail ? made.run[0].detail : "the program cannot be started");
	if (made.run[0].outcome != FT_DONE)
		note_failure(g, &made.run[0]);
	else if (!v->runs.n)
		CLI_TRY(settle_resources(g, &made.run[0]));
	if (ft_runs_take(&v->runs, &made.run[0], &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* Sizes from..to, every other time backwards, so that a drift of the machine is none of the sizes. A size that
 * would not fit into the budget, by what smaller ones took, ends the round. */
static int run_round(struct verify_growth *g, struct ft_source *source, size_t from, size_t to,
		     bool backwards, double *cost_s, bool *ended)
{
	*ended = false;
	for (size_t k = from; k < to && !*ended; k++) {
		const size_t i = backwards ? from + to - 1 - k : k;
		double expected_s = cost_s[i];

		if (i >= 2 && !(expected_s > 0) && cost_s[i - 1] > 0 && cost_s[i - 2] > 0 &&
		    i < g->plan.first)
			expected_s = cost_s[i - 1] * fmax(cost_s[i - 1] / cost_s[i - 2], 1);
		if (expected_s > g->end_s - ft_clock_s()) {
			*ended = true;
			break;
		}
		CLI_TRY(run_size(g, source, &g->plan.size[i], ended, &cost_s[i]));
	}
	g->shortened |= *ended;
	return CLI_DONE;
}

static bool is_disturbed(const struct cli_verify *v)
{
	for (size_t r = 0; r < v->n_resources; r++)
		if (v->resource[r]->of != FT_CLASS_COUNT)
			return true;
	return false;
}

/* Counts are the same again, and more sizes show more; what is disturbed is run again. */
static int run_rounds(struct verify_growth *g, struct ft_source *source)
{
	struct cli_verify *v = g->v;
	const size_t first = g->plan.first, n = g->plan.second, looks[] = {0, first, n, g->plan.n};
	const size_t rounds = v->repetitions != SIZE_MAX ? v->repetitions : ROUNDS_MOST;
	double cost_s[FT_AT_MOST_SIZES] = {0};
	size_t look = FIRST_LOOK;
	bool ended, decided = false;

	for (size_t i = 0; i < 3 && !is_disturbed(v); i++) {
		if (looks[i] == looks[i + 1])
			continue;
		CLI_TRY(run_round(g, source, looks[i], looks[i + 1], false, cost_s, &ended));
		CLI_TRY(judge(g, &decided));
		if (decided || ended)
			return CLI_DONE;
	}
	if (!is_disturbed(v))
		return CLI_DONE;
	CLI_TRY(run_round(g, source, 0, first, false, cost_s, &ended));
	for (size_t round = 2; round <= rounds && !ended; round++) {
		/* Where the first sizes decide nothing, those between have their turns. */
		bool between = round > FIRST_LOOK && round % 2 == 0 && n > first;

		CLI_TRY(run_round(g, source, between ? first : 0, between ? n : first, round % 4 > 1, cost_s,
				  &ended));
		if (round < look || ended)
			continue;
		look *= 2;
		CLI_TRY(judge(g, &decided));
		if (decided)
			return CLI_DONE;
	}
	return judge(g, &decided);
}

/* A growth within half of the sizes is not what was requested. */
static void note_shortened(struct verify_growth *g)
{
	const struct ft_runs *runs = &g->v->runs;
	const struct ft_size *last = &g->plan.size[g->plan.first - 1], *reached = NULL;
	char at[256], wanted[256];
	bool half = true;

	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE &&
		    (!reached || ft_size_compare(&runs->run[i].size, reached) > 0))
			reached = &runs->run[i].size;
	if (!g->shortened || !reached || ft_size_compare(reached, last) >= 0)
		return;
	for (size_t p = 0; p < last->n; p++)
		half &= 2 * reached->value[p] >= last->value[p];
	(void)ft_size_format(&g->v->program, reached, at, sizeof at);
	(void)ft_size_format(&g->v->program, last, wanted, sizeof wanted);
	if (half)
		cli_note("the budget ended at %s, before %s; more with --budget", at, wanted);
	else
		g->missed = cli_printed("the budget ended at %s, before half of %s", at, wanted);
	for (size_t r = 0; r < g->v->n_resources && !half; r++)
		if (g->answer[r].verdict == FT_AT_MOST_YES)
			g->answer[r].verdict = FT_AT_MOST_UNDECIDED;
}

static int run_program(struct verify_growth *g)
{
	struct cli_verify *v = g->v;
	struct ft_source *source = NULL;
	struct ft_err err = {0};
	int status;

	v->launch.program = &v->program;
	v->launch.threads = v->threads > 1000000 ? 1000000 : (int)v->threads;
	for (size_t r = 0; r < v->n_resources; r++)
		v->probes.instructions |= v->resource[r] == &ft_instructions;
	cli_probes_set(&v->probes, &v->launch);
	for (size_t p = 0; p < v->program.n_params; p++)
		if (v->program.param[p].least < v->program.param[p].most &&
		    !ft_launch_names(&v->launch, v->program.param[p].name))
			return cli_fail(
				"the command does not contain {%s}: every size would be the same run\n"
				"hint: write {%s} where the size belongs",
				v->program.param[p].name, v->program.param[p].name);
	if (ft_source_open_process(&source, &v->launch, &err))
		return cli_error(&err);
	cli_signals_catch();
	ft_source_interrupt(source, cli_interrupt_flag());
	g->end_s = ft_clock_s() + (v->budget_s > 0 ? v->budget_s : budget_usual_s);
	status = run_rounds(g, source);
	ft_source_close(source);
	if (status != CLI_DONE)
		return status;
	note_shortened(g);
	if (g->failed > 1)
		cli_note("%zu runs are left out in all", g->failed);
	return CLI_DONE;
}

/* ---- from files --------------------------------------------------------------------------------------- */

static bool has_value(const struct ft_runs *runs, const struct ft_resource *resource)
{
	for (size_t i = 0; i < runs->n; i++)
		if (ft_run_value(&runs->run[i], resource) > 0)
			return true;
	return false;
}

static int fail_several(const struct ft_import *import)
{
	CLI_OWN char *names = NULL;

	assert(import->part || !import->n);
	for (size_t i = 0; i < import->n && i < 8; i++)
		cli_reprint(&names, "%s%s%s", names ? names : "", i ? ", " : "",
			    import->part[i].program.name);
	return cli_fail("the runs are of %zu programs: %s\nhint: write one of these names before the sizes",
			import->n, names);
}

/* Parameters that the bound names are columns of the file, also where they were not typed. */
static int add_bound_params(struct cli_verify *v)
{
	static const char *const words[] = {"log", "log2", "ln", "lg", "log10", "sqrt", "O"};
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	for (const char *at = v->at_most; *at;) {
		size_t length = strspn(at, letters);
		CLI_OWN char *name = cli_alloc(length + 1);
		bool is_name = length > 0 && strchr(letters, *at) < strchr(letters, '0');

		memcpy(name, at, length);
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			is_name &= strcmp(name, words[i]) != 0;
		if (is_name && ft_program_find_param(&v->program, name) < 0)
			CLI_TRY(cli_program_params(&v->program, &name, 1, true));
		at += length ? length : 1;
	}
	return CLI_DONE;
}

/* The runs of the program named, or those of the only one, within the sizes typed. */
static int read_runs(struct verify_growth *g)
{
	static const struct ft_resource *const usual[] = {&ft_instructions, &ft_wall_s, &ft_cpu_s, NULL};
	struct cli_verify *v = g->v;
	struct ft_import_options options = cli_reading_options(&v->reading);
	FT_CLEANUP(ft_import_clear) struct ft_import import = {0};
	struct ft_imported *part = NULL;
	struct ft_err err = {0};
	bool decided;

	options.wanted = v->program.name ? v->program.name : "program";
	options.param = v->program.param;
	options.n_params = v->program.n_params;
	for (size_t i = 0; i < v->paths.n; i++) {
		options.several = i + 1 < v->paths.n || import.runs;
		if (ft_import_read(&import, v->paths.text[i], &options, &err))
			return cli_error(&err);
	}
	for (size_t i = 0; i < import.n; i++)
		if (import.n == 1 ||
		    (v->program.name && !strcmp(import.part[i].program.name, v->program.name)))
			part = &import.part[i];
	if (!part)
		return fail_several(&import);
	cli_reading_notes(&import);
	ft_program_clear(&v->program);
	if (ft_program_copy(&v->program, &part->program, &err))
		return cli_error(&err);
	v->runs = part->runs;
	part->runs = (struct ft_runs){0};
	for (size_t i = 0; g->usual && usual[i]; i++)
		if (has_value(&v->runs, usual[i])) {
			v->resource[0] = usual[i];
			break;
		}
	return judge(g, &decided);
}

/* ---- the question ------------------------------------------------------------------------------------- */

static int choose_resources(struct verify_growth *g)
{
	struct cli_verify *v = g->v;

	g->usual = !v->resources.n;
	v->resource[v->n_resources++] = &ft_instructions;
	for (size_t i = 0; i < v->resources.n; i++) {
		const char *word = v->resources.text[i];
		const struct ft_resource *resource = cli_resource_typed(word);

		if (!resource)
			return CLI_WRONG;
		v->n_resources = i + 1;
		v->resource[i] = resource;
	}
	return CLI_DONE;
}

static int ask(struct verify_growth *g, const struct cli_words *words)
{
	struct cli_verify *v = g->v;
	size_t first = words->n && !strchr(words->word[0], '=') && cli_names_program(words), varying = 0;
	struct ft_err err = {0};

	if (first)
		v->program.name = cli_strdup(words->word[0]);
	CLI_TRY(cli_program_params(&v->program, words->word + first, words->n - first, v->paths.n > 0));
	CLI_TRY(choose_resources(g));
	if (v->paths.n && words->separated)
		return cli_fail("--runs FILE takes no program behind --: its runs are recorded\n"
				"hint: leave one of them out");
	if (v->paths.n) {
		CLI_TRY(add_bound_params(v));
		CLI_TRY(read_runs(g));
		return report(g);
	}
	if (!words->n_rest)
		return cli_fail(
			"which program?\n"
			"hint: write it behind --, as in n=1000:64000 -- PROG {n}, or name recorded runs: "
			"--runs FILE");
	for (size_t p = 0; p < v->program.n_params; p++)
		varying += v->program.param[p].least < v->program.param[p].most;
	if (!varying)
		return cli_fail("at which sizes?\nhint: write a range, as in n=1000:64000");
	if (ft_at_most_plan(v->at_most, &v->program, v->resource[0]->of, &g->plan, &err))
		return cli_error(&err);
	if (g->plan.n < SIZES_LEAST)
		return cli_fail(
			"%zu sizes show no growth\nhint: name 5 or more, or a range, as in n=1000:64000",
			g->plan.n);
	cli_program_argv(&v->program, words->rest, words->n_rest);
	cli_program_name(&v->program);
	CLI_TRY(run_program(g));
	return report(g);
}

int cli_verify_growth(struct cli_verify *v, const struct cli_words *words)
{
	CLI_OWN struct verify_growth *g = cli_alloc(sizeof *g);
	int status;

	g->v = v;
	status = ask(g, words);
	free(g->missed);
	ft_runs_clear(&v->runs);
	ft_program_clear(&v->program);
	return status;
}
