/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.c - evaluates how well some programs predict the rest: train, test, compare. */
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/base.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 20, SOLVERS_MOST = 32 };

/* The result of one solver. */
struct surrogate_evaluate_entry {
	const struct ft_solver *solver;
	struct ft_trials_result result;
};

struct evaluation {
	struct cli_surrogate *surrogate;
	struct ft_trials trials;
	size_t *named;
	struct surrogate_evaluate_entry entry[SOLVERS_MOST];
	size_t n;
	struct cli_output predictions;
	size_t missing; /* values of the table */
	struct cli_floor floor;
};

/* ---- the question ------------------------------------------------------------------------------------- */

static bool read_count(const char *text, size_t *count)
{
	char *end;

	errno = 0;
	*count = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* "5", "choose:5", or names. */
static int read_basis(struct evaluation *e)
{
	const struct ft_field_texts *basis = &e->surrogate->basis;
	const char *text = basis->n ? basis->text[0] : "";

	if (!basis->n)
		return cli_fail("surrogate evaluate needs --basis\n"
				"hint: --basis 5 draws five at random for each target, --basis choose:5 "
				"takes the five that describe best, --basis NAME,NAME names them");
	if (basis->n == 1 && ft_matrix_column(&e->surrogate->matrix, text) < 0) {
		e->trials.way = strncmp(text, "choose:", 7) ? FT_BASIS_DRAWN : FT_BASIS_CHOSEN;
		if (read_count(e->trials.way == FT_BASIS_CHOSEN ? text + 7 : text, &e->trials.k))
			return e->trials.k ? CLI_DONE
					   : cli_fail("--basis 0: a basis has at least one program");
	}
	e->trials.k = 0;
	/* "400.perlbench,429.mcf", or one name for each --basis. */
	const struct ft_matrix *matrix = &e->surrogate->matrix;

	e->named = cli_alloc(matrix->columns * sizeof *e->named);
	for (size_t i = 0; i < e->surrogate->basis.n; i++) {
		CLI_OWN char *list = cli_strdup(e->surrogate->basis.text[i]);

		for (char *rest = list, *name; (name = strsep(&rest, ","));) {
			long column = ft_matrix_column(matrix, name);
			bool twice = false;

			for (size_t j = 0; j < e->trials.k; j++)
				twice |= (long)e->named[j] == column;
			if (column < 0 || twice) {
				(void)cli_fail(twice ? "'%s' is twice in the basis"
						     : "there is no program '%s'",
					       name);
				return CLI_WRONG;
			}
			e->named[e->trials.k++] = (size_t)column;
		}
	}
	e->trials.way = FT_BASIS_NAMED;
	e->trials.named = e->named;
	return CLI_DONE;
}

static int read_solvers(struct evaluation *e)
{
	const char *name = e->surrogate->solver ? e->surrogate->solver : "kernel";
	const struct ft_solver *solver;

	if (!strcmp(name, "all")) {
		for (size_t i = 0; (solver = ft_solver_get(i)) && e->n < SOLVERS_MOST; i++)
			e->entry[e->n++].solver = solver;
		if (!e->surrogate->output)
			return CLI_DONE;
		return cli_fail("--output has the predictions of one solver, not of all");
	}
	solver = ft_solver_find(name);
	if (solver) {
		e->entry[e->n++].solver = solver;
		return CLI_DONE;
	}
	return cli_solver_unknown(name);
}

int cli_surrogate_positive(const struct cli_surrogate *surrogate)
{
	const struct ft_matrix *matrix = &surrogate->matrix;

	for (size_t i = 0; i < matrix->rows; i++)
		for (size_t j = 0; j < matrix->columns; j++) {
			double value = matrix->value[i * matrix->columns + j];

			if (isnan(value) || value > 0)
				continue;
			return cli_fail("%s: %s of row '%s' is %g, and logarithms and relative errors need "
					"values above 0\n"
					"hint: leave the cell of a missing measurement empty",
					cli_surrogate_source(surrogate), matrix->column[j], matrix->row[i],
					value);
		}
	return CLI_DONE;
}

/* ---- the trials --------------------------------------------------------------------------------------- */

static bool tell_trial(void *context, const struct ft_trial *trial)
{
	const struct evaluation *e = context;
	const double numbers[] = {trial->actual, trial->predicted.value, trial->predicted.lower,
				  trial->predicted.upper};
	char digits[FT_NUMBER_LENGTH];

	if (e->predictions.file) {
		fprintf(e->predictions.file, "%zu,", trial->repeat);
		cli_csv_cell(e->predictions.file, e->surrogate->matrix.column[trial->target]);
		fprintf(e->predictions.file, ",%zu", trial->row);
		for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
			fprintf(e->predictions.file, ",%s", ft_number_format(numbers[i], digits));
		putc('\n', e->predictions.file);
	}
	return !*cli_interrupt_flag();
}

static int run_solvers(struct evaluation *e)
{
	struct ft_err err = {0};
	size_t kept = 0, wanted = e->n;

	e->trials.tell = tell_trial;
	e->trials.context = e;
	for (size_t i = 0; i < wanted; i++) {
		struct surrogate_evaluate_entry *entry = &e->entry[kept];

		entry->solver = e->entry[i].solver;
		e->trials.solver = entry->solver;
		if (!ft_trials_run(&e->trials, &entry->result, &err)) {
			kept++;
			continue;
		}
		if (wanted == 1 || err.status == FT_EINTR) {
			e->n = kept;
			return cli_error(&err);
		}
		cli_note("%s: %s", entry->solver->name, err.text);
	}
	e->n = kept;
	return kept ? CLI_DONE : cli_error(&err);
}

/* ---- the answer --------------------------------------------------------------------------------------- */

/* With several solvers, the one with the smallest errors. */
static const struct surrogate_evaluate_entry *best(const struct evaluation *e)
{
	size_t at = 0;

	for (size_t i = 1; i < e->n; i++)
		if (e->entry[i].result.all.rae < e->entry[at].result.all.rae)
			at = i;
	return &e->entry[at];
}

#define SCORE struct ft_trial_score
static const struct ft_tell_row score_rows[] = {
	{FT_TELL(SCORE, rae),
	 .about = "sum |p - y| / sum |y - mean y|, averaged over targets and repetitions",
	 .null = "no target varies"},
	{FT_TELL(SCORE, median_error), .about = "of |p - y| / y, over all predictions", .null = ""},
	{FT_TELL(SCORE, coverage), .about = "share inside the interval, averaged over fits", .null = ""},
	{FT_TELL(SCORE, p90_error), .about = "90 % of |p - y| / y are below", .null = ""},
	{FT_TELL(SCORE, error_mean), .about = "of (p - y) / y", .null = ""},
	{FT_TELL(SCORE, error_sd), .about = "of (p - y) / y", .null = ""},
	{FT_TELL(SCORE, residual_mean), .about = "of (y - p) / y, on the rows trained on", .null = ""},
	{FT_TELL(SCORE, residual_sd), .about = "of (y - p) / y, on the rows trained on", .null = ""},
	{FT_TELL(SCORE, fits)},
	{FT_TELL(SCORE, predictions)},
	{0},
};
static const struct ft_tell_record scores = {.row = score_rows};

struct scored {
	const char *name;
	SCORE score;
};

static const struct ft_tell_row scored_rows[] = {
	{FT_TELL(struct scored, name)},
	{FT_TELL_BY(ROWS, NULL, struct scored, score), .of = &scores},
	{0},
};
static const struct ft_tell_record scored_answer = {
	.name = "scored", .bytes = sizeof(struct scored), .row = scored_rows};

struct surrogate_evaluate_answer {
	const char *source, *solver, *way, *group, *missing;
	SCORE all;
	struct cli_floor floor;
	struct scored *program, *solvers;
	double confidence;
	size_t k, train, repeats, machines, values_missing, skipped, n_programs, n_solvers;
};

#define ANSWER struct surrogate_evaluate_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, source), .about = "the file, or the store"},
	{FT_TELL_BY(ROWS, NULL, ANSWER, all), .of = &scores},
	{FT_TELL_MANY(LIST, "programs", ANSWER, program, n_programs, &scored_answer), .about = "each target"},
	{FT_TELL(ANSWER, solver), .about = "whose figures these are; of several the one of least rae"},
	{FT_TELL_AS("basis_way", ANSWER, way), .words = "drawn|chosen|named",
	 .about = "how the basis was come by"},
	{FT_TELL_AS("basis_size", ANSWER, k)},
	{FT_TELL(ANSWER, train), .about = "rows trained on"},
	{FT_TELL(ANSWER, repeats)},
	{FT_TELL(ANSWER, confidence), .about = "of the intervals"},
	{FT_TELL(ANSWER, machines), .about = "rows of the table"},
	{FT_TELL(ANSWER, group), .about = "the column none of whose values is on both sides", .null = "none"},
	{FT_TELL(ANSWER, values_missing), .about = "in the table"},
	{FT_TELL(ANSWER, missing), .words = "impute|drop|keep",
	 .about = "what became of rows that lack a value of the basis"},
	{FT_TELL_BY(RECORD, "floor", ANSWER, floor), .of = &cli_floor_rows, .null = "no --alike"},
	{FT_TELL(ANSWER, skipped), .about = "fits for which there were too few rows"},
	{FT_TELL_MANY(LIST, "solvers", ANSWER, solvers, n_solvers, &scored_answer), .about = "each solver"},
	{0},
};
const struct ft_tell_record cli_surrogate_evaluate_answer = {
	.name = "surrogate", .action = "evaluate", .version = 1, .row = rows};

static void print_evaluation_json(const struct evaluation *e)
{
	static const char *const ways[] = {
		[FT_BASIS_DRAWN] = "drawn", [FT_BASIS_CHOSEN] = "chosen", [FT_BASIS_NAMED] = "named"};
	static const char *const gaps[] = {
		[FT_GAPS_FILL] = "impute", [FT_GAPS_DROP] = "drop", [FT_GAPS_KEEP] = "keep"};
	const struct cli_surrogate *s = e->surrogate;
	const struct surrogate_evaluate_entry *entry = best(e);
	ANSWER answer = {
		.source = cli_surrogate_source(s),
		.all = entry->result.all,
		.floor = e->floor,
		.program = cli_alloc(entry->result.n * sizeof *answer.program),
		.solver = entry->solver->name,
		.way = ways[e->trials.way],
		.k = e->trials.k,
		.train = e->trials.train,
		.repeats = e->trials.repeats,
		.confidence = e->trials.confidence,
		.machines = e->trials.m,
		.group = s->group,
		.values_missing = e->missing,
		.missing = gaps[e->trials.gaps],
		.skipped = entry->result.skipped,
		.solvers = cli_alloc(e->n * sizeof *answer.solvers),
		.n_solvers = e->n,
	};
	size_t i;

	for (i = 0; i < entry->result.n; i++)
		if (entry->result.column[i].fits)
			answer.program[answer.n_programs++] =
				(struct scored){s->matrix.column[i], entry->result.column[i]};
	for (i = 0; i < e->n; i++)
		answer.solvers[i] = (struct scored){e->entry[i].solver->name, e->entry[i].result.all};
	cli_tell(&cli_surrogate_evaluate_answer, &answer, NULL);
	free(answer.program);
	free(answer.solvers);
}

static void add_score(struct cli_table *table, const char *name, const struct ft_trial_score *score)
{
	cli_table_add(table, "%s", name);
	cli_table_add(table, "%.3f", score->rae);
	cli_table_add(table, "%.1f %%", 100 * score->median_error);
	cli_table_add(table, "%.1f %%", 100 * score->p90_error);
	cli_table_add(table, "%.1f %%", 100 * score->error_mean);
	cli_table_add(table, "%.1f %%", 100 * score->error_sd);
	cli_table_add(table, "%.1f %%", 100 * score->residual_sd);
	cli_table_add(table, "%.1f %%", 100 * score->coverage);
}

static void print_evaluation(const struct evaluation *e)
{
	static const char *const heads[] = {">RAE",       ">median error", ">90 % below", ">mean error",
					    ">deviation", ">of residuals", ">inside"};
	const struct surrogate_evaluate_entry *entry = best(e);
	struct cli_table table = {0};

	static const char *const ways[] = {[FT_BASIS_DRAWN] = "drawn at random for each target",
					   [FT_BASIS_CHOSEN] = "chosen on the training rows",
					   [FT_BASIS_NAMED] = "named"};
	const struct cli_surrogate *s = e->surrogate;
	static const char *const gaps[] = {
		[FT_GAPS_FILL] = "those of a basis are taken as the others of their rows lead one to expect",
		[FT_GAPS_DROP] = "a row that lacks one of a basis is passed over",
		[FT_GAPS_KEEP] = "the solver fits what is known"};
	const struct ft_trial_score *all = &best(e)->result.all;

	printf("%s: %zu rows, %zu programs; ", cli_surrogate_source(s), s->matrix.rows, s->matrix.columns);
	if (s->group)
		printf("no %s on both sides\n", s->group);
	else
		puts("split at random: rows that are nearly the same may be on both sides");
	printf("%zu repetition%s, a basis of %zu, %s, %zu rows to train on: %zu fits, %zu predictions\n",
	       e->trials.repeats, e->trials.repeats == 1 ? "" : "s", e->trials.k, ways[e->trials.way],
	       e->trials.train, all->fits, all->predictions);
	if (e->missing)
		printf("%zu of %zu values are missing: %s\n", e->missing, e->trials.m * e->trials.n,
		       gaps[e->trials.gaps]);
	if (best(e)->result.skipped)
		printf("%zu fits were left out: too few rows\n", best(e)->result.skipped);
	printf("inside: share within the %.6g %% intervals\n\n", 100 * e->trials.confidence);
	cli_table_head(&table, e->n > 1 ? "solver" : "target");
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		cli_table_head(&table, heads[i]);
	for (size_t i = 0; e->n > 1 && i < e->n; i++)
		add_score(&table, e->entry[i].solver->name, &e->entry[i].result.all);
	for (size_t i = 0; e->n == 1 && i < entry->result.n; i++)
		if (entry->result.column[i].fits)
			add_score(&table, e->surrogate->matrix.column[i], &entry->result.column[i]);
	if (e->n == 1)
		add_score(&table, "all", &entry->result.all);
	cli_table_print(&table, stdout);
	cli_floor_print(&e->floor, entry->solver->name, &entry->result.all);
}

static void clear_evaluation(struct evaluation *e)
{
	for (size_t i = 0; i < e->n; i++)
		ft_trials_clear(&e->entry[i].result);
	cli_floor_clear(&e->floor);
	free(e->named);
}

int cli_surrogate_evaluate(void *query)
{
	struct cli_surrogate *surrogate = query;
	const struct cli_words *words = surrogate->words;
	struct cli_words action = *words;
	FT_CLEANUP(clear_evaluation) struct evaluation e = {.surrogate = surrogate};

	if (words->n > 2)
		return cli_fail("unexpected argument '%s': one table is read", words->word[2]);
	if (!surrogate->file && words->n == 2) { /* even if its name has no known ending */
		surrogate->file = words->word[1];
		action.n = 1;
		surrogate->words = &action;
	}
	surrogate->admit = true; /* rows are machines, under any name */
	surrogate->group = surrogate->by;
	if (!surrogate->file)
		return cli_fail(
			"evaluate which table? it has a row for each machine, a column for each program\n"
			"hint: foretime surrogate evaluate FILE.csv --programs REGEX --basis 5 --train 50");
	int opened = cli_surrogate_open(surrogate);
	surrogate->words = words;
	CLI_TRY(opened);
	const struct cli_surrogate *s = e.surrogate;

	CLI_TRY(cli_surrogate_positive(s));
	CLI_TRY(read_basis(&e));
	CLI_TRY(read_solvers(&e));
	if (s->missing) {
		/* With several solvers, each must accept it. */

		for (size_t i = 0; i < e.n; i++)
			CLI_TRY(cli_gaps_read(e.surrogate->missing, e.entry[i].solver, &e.trials.gaps));
	}
	CLI_TRY(cli_floor_find(&e.floor, s));
	if (!s->train)
		return cli_fail("on how many of the %zu rows is to be trained?\n"
				"hint: --train %zu takes half of them",
				s->matrix.rows, s->matrix.rows / 2);
	e.surrogate->options.seed = s->seed;
	e.trials.value = s->matrix.value;
	e.trials.m = s->matrix.rows;
	e.trials.n = s->matrix.columns;
	e.trials.group = s->matrix.group;
	e.trials.train = s->train;
	e.trials.test = s->test;
	e.trials.repeats = s->repeats ? s->repeats : REPEATS;
	e.trials.seed = s->seed;
	e.trials.confidence = s->confidence;
	e.trials.options = &e.surrogate->options;
	for (size_t i = 0; i < e.trials.m * e.trials.n; i++)
		e.missing += isnan(e.trials.value[i]) ? 1 : 0;
	const char *path = e.surrogate->output;
	int status = CLI_DONE;

	if (path) {
		CLI_TRY(cli_output_open(&e.predictions, path, stdout));
		fputs("repeat,target,row,actual,value,lower,upper\n", e.predictions.file);
	}
	cli_signals_catch();
	status = run_solvers(&e);
	int closed = cli_output_close(&e.predictions, status == CLI_DONE);
	CLI_TRY(status == CLI_DONE ? closed : status);
	if (surrogate->json)
		print_evaluation_json(&e);
	else
		print_evaluation(&e);
	return CLI_DONE;
}
