/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complexity.c - fits how a program's shares of a basis grow with its size (004 chapter 7). */
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/base.h"
#include "foretime/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH = 256, ROWS_SHOWN = 40, TEXT = 1024 };

/* The programs named in "A,B" or several times. */
static int find_basis(const struct cli_surrogate *s, size_t **basis, size_t *k)
{
	*k = 0;
	*basis = cli_alloc((s->matrix.columns + 1) * sizeof **basis);
	for (size_t i = 0; i < s->basis.n; i++) {
		CLI_OWN char *copy = cli_strdup(s->basis.text[i]);

		for (char *rest = copy, *word; (word = strsep(&rest, ","));) {
			long column = ft_matrix_column(&s->matrix, word);

			if (column < 0)
				return cli_fail("the measurements know no program '%s'", word);
			(*basis)[(*k)++] = (size_t)column;
		}
	}
	if (*k)
		return CLI_DONE;
	return cli_fail("of which programs is it made? no basis is given\n"
			"hint: write --basis cpu,mem: programs that stand for what a machine can do");
}

static const struct ft_solver *find_solver(const struct cli_surrogate *s)
{
	const struct ft_solver *solver = ft_solver_find(s->solver ? s->solver : "simplex");

	if (!solver || !solver->linear) {
		(void)cli_fail("'%s' is not a solver that gives shares\n"
			       "hint: --solver simplex, ols, robust, weighted or bayes",
			       s->solver);
		return NULL;
	}
	return solver;
}

/* The shares of a program, and their curves; they borrow program and basis. */
static int find_shares(const struct cli_surrogate *s, struct ft_sized *program, size_t **basis,
		       struct ft_shares *out)
{
	struct ft_err err = {0};

	*out = (struct ft_shares){.matrix = &s->matrix, .program = program};
	if (ft_sized_find(program, &s->matrix, s->target, &err))
		return cli_error(&err);
	CLI_TRY(find_basis(s, basis, &out->k));
	const struct ft_solver *solver = find_solver(s);
	if (!solver)
		return CLI_WRONG;
	out->basis = *basis;
	enum ft_status failed = ft_shares_find(out, solver, &s->options, &err);
	if (out->incomplete)
		cli_note("%zu resource%s left out: not measured everywhere", out->incomplete,
			 out->incomplete == 1 ? " was" : "s were");
	return failed ? cli_error(&err) : CLI_DONE;
}

/* The words "n=8192" behind the action; a word in another form is the table. */
static int read_sizes(struct cli_surrogate *s, double *n, size_t *count)
{
	struct ft_err err = {0};

	*count = 0;
	for (size_t i = 1; i < s->words->n; i++) {
		const char *word = s->words->word[i];

		if (!s->file && !strchr(word, '=')) {
			s->file = word;
			continue;
		}
		if (strncmp(word, "n=", 2) != 0)
			return cli_fail("'surrogate complexity' takes one table, and sizes to predict, "
					"n=SIZE; no '%s'",
					word);
		if (ft_number_parse(word + 2, &n[(*count)++], &err))
			return cli_error(&err);
		if (n[*count - 1] <= 0)
			return cli_fail("%s: a size is above 0", word);
	}
	return CLI_DONE;
}

/* The prediction of a resource at a size. */
struct predicted {
	double n;
	const char *resource;
	struct ft_estimate estimate; /* NaN: below zero */
};

/* Each resource at each size of the query; the caller frees it. */
static int predict(const struct cli_surrogate *s, const struct ft_shares *shares, const double *n,
		   size_t count, struct predicted **out)
{
	size_t rows = s->matrix.rows;
	CLI_OWN struct ft_estimate *estimate = cli_alloc((count + 1) * sizeof *estimate);
	struct ft_err err = {0};

	*out = cli_alloc((count * rows + 1) * sizeof **out);
	for (size_t row = 0; row < rows; row++) {
		if (ft_shares_predict(shares, row, n, count, s->confidence, estimate, &err))
			return cli_error(&err);
		for (size_t i = 0; i < count; i++)
			(*out)[i * rows + row] = (struct predicted){n[i], s->matrix.row[row], estimate[i]};
	}
	return CLI_DONE;
}

struct curve {
	const char *name;
	char curve[TEXT];
	double misfit, residual, r2, weight;
};

static const struct ft_tell_row curve_rows[] = {
	{FT_TELL(struct curve, name)},
	{FT_TELL(struct curve, curve), .about = "an expression of n; its terms may be below 0"},
	{FT_TELL(struct curve, weight), .about = "its posterior weight among the curves"},
	{FT_TELL_AS("error", struct curve, misfit),
	 .about = "root mean square relative; what is below a hundredth of the largest share counts as that"},
	{FT_TELL(struct curve, residual), .about = "root of the sum of squares, in shares"},
	{FT_TELL(struct curve, r2), .null = "not known"},
	{0},
};
static const struct ft_tell_record curves = {.bytes = sizeof(struct curve), .row = curve_rows};

struct surrogate_at_size {
	double n;
	struct cli_list beta;
};

static const struct ft_tell_row size_rows[] = {
	{FT_TELL(struct surrogate_at_size, n), .null = "it has no sizes"},
	{FT_TELL_BY(RECORD, "beta", struct surrogate_at_size, beta), .of = &cli_list_answer},
	{0},
};
static const struct ft_tell_record at_sizes = {.bytes = sizeof(struct surrogate_at_size), .row = size_rows};

static const struct ft_tell_row predicted_rows[] = {
	{FT_TELL(struct predicted, n), .head = ">n"},
	{FT_TELL(struct predicted, resource), .head = "resource"},
	{FT_TELL_AS("value", struct predicted, estimate.value),
	 .null = "the basis was not measured for it, or the curves are below 0 there", .head = ">predicted",
	 .unit = ".6g"},
	{FT_TELL_AS("lower", struct predicted, estimate.lower), .null = "", .head = ">lower", .unit = ".6g"},
	{FT_TELL_AS("upper", struct predicted, estimate.upper), .null = "", .head = ">upper", .unit = ".6g"},
	{0},
};
static const struct ft_tell_record predicted_answer = {.bytes = sizeof(struct predicted),
						       .row = predicted_rows};

static void print_predicted(const struct cli_surrogate *s, const struct predicted *predicted, size_t count)
{
	char text[FT_UNIT_LENGTH];
	size_t i;

	if (!count)
		return;
	putchar('\n');
	cli_tell_table(&predicted_answer, predicted, count, NULL);
	printf("%s of what the curves and the description may be is between lower and upper\n",
	       ft_share_format(s->confidence, text));
	for (i = 0; i < count && !isnan(predicted[i].estimate.value);)
		i++;
	if (i < count)
		puts("-: the basis was not measured for it, or the curves are below 0 there");
}

struct surrogate_complexity_answer {
	const char *source, *target;
	double confidence;
	struct curve *curve;
	struct surrogate_at_size *size;
	struct predicted *predicted;
	size_t n_curves, n_sizes, n_predicted;
};

#define ANSWER struct surrogate_complexity_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, source), .about = "the file, or the store"},
	{FT_TELL(ANSWER, target)},
	{FT_TELL(ANSWER, confidence), .about = "of the intervals"},
	{FT_TELL_MANY(LIST, "curves", ANSWER, curve, n_curves, &curves),
	 .about = "of each program of the basis"},
	{FT_TELL_MANY(LIST, "sizes", ANSWER, size, n_sizes, &at_sizes),
	 .about = "the shares, in the order of curves"},
	{FT_TELL_MANY(LIST, "predictions", ANSWER, predicted, n_predicted, &predicted_answer)},
	{0},
};
const struct ft_tell_record cli_surrogate_complexity_answer = {
	.name = "surrogate", .action = "complexity", .version = 2, .row = rows};

static void print_complexity_json(const struct cli_surrogate *s, const struct ft_shares *shares,
				  struct predicted *predicted, size_t count)
{
	ANSWER answer = {
		.source = cli_surrogate_source(s),
		.target = s->target,
		.confidence = s->confidence,
		.curve = cli_alloc(shares->k * sizeof *answer.curve),
		.n_curves = shares->k,
		.size = cli_alloc(shares->program->sizes * sizeof *answer.size),
		.n_sizes = shares->program->sizes,
		.predicted = predicted,
		.n_predicted = count,
	};
	size_t i;

	for (i = 0; i < shares->k; i++) {
		const struct ft_law_sums *c = &shares->curve[i];
		struct curve *one = &answer.curve[i];

		(void)ft_law_format(&c->candidate[0].law, NULL, 4, one->curve, sizeof one->curve);
		one->name = s->matrix.column[shares->basis[i]];
		one->weight = c->candidate[0].weight;
		one->misfit = c->misfit;
		one->residual = c->residual;
		one->r2 = c->r2;
	}
	for (i = 0; i < answer.n_sizes; i++)
		answer.size[i] = (struct surrogate_at_size){shares->program->n[i],
							    {shares->beta + i * shares->k, shares->k}};
	cli_tell(&cli_surrogate_complexity_answer, &answer, NULL);
	free(answer.curve);
	free(answer.size);
}

int cli_surrogate_complexity(void *query)
{
	struct cli_surrogate *s = query;
	CLI_OWN double *n = cli_alloc((s->words->n + 1) * sizeof *n);
	CLI_OWN struct predicted *predicted = NULL;
	CLI_OWN size_t *basis = NULL;
	FT_CLEANUP(ft_sized_clear) struct ft_sized program = {0};
	FT_CLEANUP(ft_shares_clear) struct ft_shares shares = {0};
	size_t count = 0;

	if (!s->target)
		return cli_fail(
			"the complexity of which program? --target is missing\n"
			"hint: write foretime surrogate complexity FILE.csv --target sort --basis cpu,mem");
	CLI_TRY(read_sizes(s, n, &count));
	CLI_TRY(cli_surrogate_read(s));
	CLI_TRY(find_shares(s, &program, &basis, &shares));
	CLI_TRY(predict(s, &shares, n, count, &predicted));
	count *= s->matrix.rows;
	if (s->json) {
		print_complexity_json(s, &shares, predicted, count);
		return CLI_DONE;
	}
	struct cli_table table = {0};
	char digits[FT_NUMBER_LENGTH], head[NAME_LENGTH];

	cli_table_head(&table, ">n");
	for (size_t j = 0; j < shares.k; j++) {
		(void)snprintf(head, sizeof head, ">%s", s->matrix.column[shares.basis[j]]);
		cli_table_head(&table, head);
	}
	for (size_t i = 0; i < shares.program->sizes && i < ROWS_SHOWN; i++) {
		cli_table_add(&table, "%s", ft_number_format(shares.program->n[i], digits));
		for (size_t j = 0; j < shares.k; j++)
			cli_table_add(&table, "%.6g", shares.beta[i * shares.k + j]);
	}
	cli_table_print(&table, stdout);
	if (shares.program->sizes > ROWS_SHOWN)
		printf("... %zu more sizes: --json has them\n", shares.program->sizes - ROWS_SHOWN);
	char text[TEXT], error[FT_UNIT_LENGTH];

	putchar('\n');
	for (size_t j = 0; j < shares.k; j++) {
		const struct ft_law_sums *c = &shares.curve[j];

		(void)ft_law_format(&c->candidate[0].law, NULL, 4, text, sizeof text);
		printf("xi of %s: %s", s->matrix.column[shares.basis[j]], text);
		if (c->candidate[0].law.terms || c->candidate[0].law.constant != 0)
			printf("   (misses by %s, R %.3g", ft_share_format(c->misfit, error), c->residual);
		if (!isnan(c->r2))
			printf(", R^2 %.4f", c->r2);
		puts(c->candidate[0].law.terms || c->candidate[0].law.constant != 0 ? ")" : "");
	}
	print_predicted(s, predicted, count);
	return CLI_DONE;
}

/*
 * Check whether two programs together cost the sum of both (004 7.4 and 7.5).
 */

enum { COMPOSE_ROWS_SHOWN = 40 };

static const struct ft_tell_row truth_rows[] = {{.key = "", .kind = FT_TELL_BOOL}, {0}};
static const struct ft_tell_record truth = {.row = truth_rows};

struct composed {
	struct ft_sum sum;
	const char *resource;
	const bool *holds;
};

#define SUM struct composed
static char *off_cell(const void *record, const struct ft_tell_with *with)
{
	const SUM *answer = record;

	(void)with;
	if (!isfinite(answer->sum.off))
		return cli_strdup(answer->holds ? "-" : "");
	return cli_printed("%+.1f %%", 100 * answer->sum.off);
}

static char *verdict_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return cli_strdup(((const SUM *)record)->sum.holds ? "" : "not the sum");
}

static const struct ft_tell_row sum_rows[] = {
	{FT_TELL_AS("n", SUM, sum.n), .null = "it has no sizes", .head = ">n"},
	{FT_TELL(SUM, resource), .head = "resource"},
	{FT_TELL_AS("value", SUM, sum.parts), .head = ">composed", .unit = ".6g"},
	{FT_TELL_AS("actual", SUM, sum.whole), .null = "not compared", .head = ">measured", .unit = ".6g",
	 .none = ""},
	{FT_TELL_AS(NULL, SUM, sum.off), .head = ">off by", .cell = off_cell},
	{FT_TELL_AS(NULL, SUM, sum.holds), .head = "", .cell = verdict_cell},
	{FT_TELL_BY(POINTER, "holds", SUM, holds), .of = &truth, .null = "not compared"},
	{0},
};
static const struct ft_tell_record sums = {.bytes = sizeof(SUM), .row = sum_rows};

struct surrogate_compose_answer {
	const char *source;
	SUM *composed;
	size_t n;
	double fails;
};

static const struct ft_tell_row compose_rows[] = {
	{FT_TELL(struct surrogate_compose_answer, source), .about = "the file, or the store"},
	{FT_TELL_MANY(LIST, "composed", struct surrogate_compose_answer, composed, n, &sums)},
	{FT_TELL(struct surrogate_compose_answer, fails), .whole = true,
	 .about = "values that are not the sum", .null = "not compared"},
	{0},
};
const struct ft_tell_record cli_surrogate_compose_answer = {
	.name = "surrogate", .action = "compose", .version = 1, .row = compose_rows};

static void print_composition(const struct cli_surrogate *s, const struct surrogate_compose_answer *answer)
{
	bool compared = !isnan(answer->fails);
	struct cli_table table = {0};
	size_t shown = 0;

	for (size_t i = 0; i < answer->n; i++) {
		/* With many rows, only those that do not hold. */
		if (compared && answer->n > COMPOSE_ROWS_SHOWN && answer->composed[i].sum.holds)
			continue;
		if (shown++ < COMPOSE_ROWS_SHOWN || !compared)
			cli_table_tell(&table, &sums, &answer->composed[i], 1, NULL);
	}
	cli_table_print(&table, stdout);
	if (!compared)
		return;
	if (shown > COMPOSE_ROWS_SHOWN)
		printf("... %zu more: --json has them\n", shown - COMPOSE_ROWS_SHOWN);
	if (answer->fails > 0)
		printf("%sadditivity fails for %.0f of %zu values (more than %.3g %% off): beyond the grace "
		       "area the programs compete\nfor a resource, or help each other\n",
		       shown ? "\n" : "", answer->fails, answer->n, 100 * s->tolerance);
	else
		printf("%sthe whole is the sum of its parts: all %zu values within %.3g %%\n",
		       shown ? "\n" : "", answer->n, 100 * s->tolerance);
}

/* Returns how many values are not the sum. */
static double tell_sums(const struct cli_surrogate *s, const struct ft_sum *sum, size_t count)
{
	struct surrogate_compose_answer answer = {cli_surrogate_source(s),
						  cli_alloc(count * sizeof *answer.composed), count,
						  s->target ? 0 : (double)NAN};

	for (size_t i = 0; i < count; i++) {
		answer.composed[i] =
			(SUM){sum[i], s->matrix.row[sum[i].row], s->target ? &sum[i].holds : NULL};
		answer.fails += !sum[i].holds;
	}
	if (s->json)
		cli_tell(&cli_surrogate_compose_answer, &answer, NULL);
	else
		print_composition(s, &answer);
	free(answer.composed);
	return answer.fails;
}

int cli_surrogate_compose(void *query)
{
	struct cli_surrogate *s = query;
	struct ft_expr *phi = NULL;
	struct ft_err err = {0};

	CLI_OWN char *pair = cli_strdup(s->basis.n ? s->basis.text[0] : "");
	char *comma = strchr(pair, ',');
	if (comma) {
		*comma = '\0';
		s->first = pair;
		s->second = comma + 1;
	} else if (s->basis.n == 2) {
		s->first = s->basis.text[0];
		s->second = s->basis.text[1];
	}
	if (!s->first || !s->second || strchr(s->second, ','))
		return cli_fail("which two programs? --basis A,B is missing\n"
				"hint: write foretime surrogate compose FILE.csv --basis f,g [--target fg]");
	if (s->phi && ft_expr_new(&phi, s->phi, &err))
		return cli_error_at(&err, "--phi");
	int status = cli_surrogate_open(s);
	if (status == CLI_DONE) {
		FT_CLEANUP(ft_sized_clear) struct ft_sized first = {0}, second = {0}, whole = {0};
		const struct ft_composition of = {.matrix = &s->matrix,
						  .first = &first,
						  .second = &second,
						  .whole = s->target ? &whole : NULL,
						  .phi = phi,
						  .tolerance = s->tolerance};
		CLI_OWN struct ft_sum *sum = NULL;
		size_t count;

		if (ft_sized_find(&first, &s->matrix, s->first, &err) ||
		    ft_sized_find(&second, &s->matrix, s->second, &err) ||
		    (s->target && ft_sized_find(&whole, &s->matrix, s->target, &err)) ||
		    ft_sums_compare(&of, &sum, &count, &err))
			status = cli_error(&err);
		else if (tell_sums(s, sum, count) > 0)
			status = CLI_NO;
	}
	ft_expr_free(phi);
	return status;
}

/*
 * Routines that run in sequence: how they influence each other (002 1.3.2).
 */

/* The query and the result; at ends with ft_coupled_free. */
struct coupling {
	struct ft_chain chain;
	char **name; /* [k] as typed */
	struct ft_coupled *at;
	size_t n;
};

/* "A,B,C"; "A,B,C,A" is a loop. */
static int read_chain(struct cli_surrogate *s, struct coupling *c)
{
	CLI_OWN char *copy = cli_strdup(s->chain);

	c->name = cli_alloc((strlen(copy) + 1) * sizeof *c->name);
	for (char *rest = copy, *word; (word = strsep(&rest, ","));)
		c->name[c->chain.k++] = cli_strdup(word);
	if (c->chain.k > 2 && !strcmp(c->name[0], c->name[c->chain.k - 1])) {
		free(c->name[--c->chain.k]);
		s->loop = true;
	}
	c->chain.matrix = &s->matrix;
	c->chain.name = c->name;
	c->chain.loop = s->loop;
	c->chain.target = s->target;
	if (c->chain.k >= 2)
		return CLI_DONE;
	return cli_fail("--basis %s: two routines at least run one after the other\n"
			"hint: write --basis A,B,C in their order; A+B is what A and B take together",
			s->chain);
}

static void clear_coupling(struct coupling *c)
{
	for (size_t i = 0; i < c->chain.k; i++)
		free(c->name[i]);
	free(c->name);
	ft_coupled_free(c->at, c->n);
}

/* "A+B 0.980, B+C 1.020" */
static char *couplings_of(const struct ft_chain *chain, const struct ft_coupled *at)
{
	char *words = NULL;

	for (size_t w = 0; w < at->windows; w++) {
		CLI_OWN char *name = cli_given(ft_chain_window_name(chain, w, at->length, true));

		cli_reprint(&words,
			    !isfinite(at->coupling[w]) ? "%s%s%s -"
			    : at->coupling[w] < 1e6    ? "%s%s%s %.3f"
						       : "%s%s%s %.4g",
			    w ? words : "", w ? ", " : "", name, at->coupling[w]);
	}
	return words;
}

static void print_chain(const struct cli_surrogate *s, const struct coupling *c)
{
	struct cli_table table = {0};
	char text[FT_NUMBER_LENGTH];

	cli_table_heads(&table, ">n", "resource", ">sum", ">coupled", NULL);
	if (s->target)
		cli_table_heads(&table, ">measured", ">sum off by", ">coupled off by", NULL);
	cli_table_head(&table, "couplings");
	for (size_t i = 0; i < c->n; i++) {
		const struct ft_coupled *at = &c->at[i];
		CLI_OWN char *words = couplings_of(&c->chain, at);

		cli_table_add(&table, "%s", isnan(at->n) ? "-" : ft_number_format(at->n, text));
		cli_table_add(&table, "%s", s->matrix.row[at->row]);
		cli_table_add(&table, "%.6g", at->sum);
		cli_table_add(&table, "%.6g", at->composed);
		if (s->target && isnan(at->measured)) {
			cli_table_add(&table, "%s", "-");
			cli_table_add(&table, "%s", "-");
			cli_table_add(&table, "%s", "-");
		} else if (s->target) {
			cli_table_add(&table, "%.6g", at->measured);
			cli_table_add(&table, "%+.1f %%", 100 * (at->sum / at->measured - 1));
			cli_table_add(&table, "%+.1f %%", 100 * (at->composed / at->measured - 1));
		}
		cli_table_add(&table, "%s", words);
	}
	cli_table_print(&table, stdout);
	puts("\na coupling above 1: they are in each other's way; below 1: they help each other");
}

struct coupled {
	struct ft_coupled at;
	const char *resource;
};

#define AT struct coupled
static const struct ft_tell_row at_rows[] = {
	{FT_TELL_AS("n", AT, at.n), .null = "they have no sizes"},
	{FT_TELL(AT, resource)},
	{FT_TELL_AS("length", AT, at.length),
	 .about = "of the windows: routines that were measured together"},
	{FT_TELL_MANY(LIST, "couplings", AT, at.coupling, at.windows, &ft_tell_numbers),
	 .about = "of the windows that begin with each routine: together / sum of each alone"},
	{FT_TELL_AS("sum", AT, at.sum), .about = "of the routines alone"},
	{FT_TELL_AS("composed", AT, at.composed), .about = "with the couplings"},
	{FT_TELL_AS("measured", AT, at.measured), .null = "no target, or not measured there"},
	{0},
};
static const struct ft_tell_record at_answer = {.bytes = sizeof(AT), .row = at_rows};

struct surrogate_couple_answer {
	const char *source;
	char **name;
	AT *at;
	size_t k, n;
	bool loop;
};

static const struct ft_tell_row couple_rows[] = {
	{FT_TELL(struct surrogate_couple_answer, source), .about = "the file, or the store"},
	{FT_TELL_MANY(LIST, "chain", struct surrogate_couple_answer, name, k, &ft_tell_texts),
	 .about = "in their order"},
	{FT_TELL(struct surrogate_couple_answer, loop), .about = "the first follows the last"},
	{FT_TELL_MANY(LIST, "coupled", struct surrogate_couple_answer, at, n, &at_answer)},
	{0},
};
const struct ft_tell_record cli_surrogate_couple_answer = {
	.name = "surrogate", .action = "couple", .version = 1, .row = couple_rows};

int cli_surrogate_couple(void *query)
{
	struct cli_surrogate *s = query;
	FT_CLEANUP(clear_coupling) struct coupling c = {0};
	struct ft_err err = {0};

	if (s->basis.n == 1)
		s->chain = s->basis.text[0];
	if (!s->chain)
		return cli_fail("which routines run one after the other? --basis A,B,C is missing\n"
				"hint: write foretime surrogate couple FILE.csv --basis A,B,C");
	CLI_TRY(cli_surrogate_open(s));
	CLI_TRY(read_chain(s, &c));
	if (ft_chain_measure(&c.chain, &c.at, &c.n, &err))
		return cli_error(&err);
	if (s->json) {
		struct surrogate_couple_answer answer = {cli_surrogate_source(s),
							 c.name,
							 cli_alloc(c.n * sizeof *answer.at),
							 c.chain.k,
							 c.n,
							 s->loop};

		for (size_t i = 0; i < c.n; i++)
			answer.at[i] = (AT){c.at[i], s->matrix.row[c.at[i].row]};
		cli_tell(&cli_surrogate_couple_answer, &answer, NULL);
		free(answer.at);
	} else {
		print_chain(s, &c);
	}
	return CLI_DONE;
}
