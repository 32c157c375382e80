/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complexity.c - how a program's shares of a basis grow with its size (004 chapter 7). */
#include "cli/surrogate/tell.h"
#include "cli/common.h"
#include "cli/surrogate/surrogate.h"
#include "foretime/compose.h"
#include "foretime/units.h"

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

/* The words "n=8192" behind the action; one that is none is the table. */
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

static void print_shares(const struct cli_surrogate *s, const struct ft_shares *shares)
{
	struct cli_table table = {0};
	char text[FT_NUMBER_LENGTH], head[NAME_LENGTH];

	cli_table_head(&table, ">n");
	for (size_t j = 0; j < shares->k; j++) {
		(void)snprintf(head, sizeof head, ">%s", s->matrix.column[shares->basis[j]]);
		cli_table_head(&table, head);
	}
	for (size_t i = 0; i < shares->program->sizes && i < ROWS_SHOWN; i++) {
		cli_table_add(&table, "%s", ft_number_format(shares->program->n[i], text));
		for (size_t j = 0; j < shares->k; j++)
			cli_table_add(&table, "%.6g", shares->beta[i * shares->k + j]);
	}
	cli_table_print(&table, stdout);
	if (shares->program->sizes > ROWS_SHOWN)
		printf("... %zu more sizes: --json has them\n", shares->program->sizes - ROWS_SHOWN);
}

static void print_curves(const struct cli_surrogate *s, const struct ft_shares *shares)
{
	char text[TEXT], error[FT_UNIT_LENGTH];

	putchar('\n');
	for (size_t j = 0; j < shares->k; j++) {
		const struct ft_law_sums *c = &shares->curve[j];

		(void)ft_law_format(&c->candidate[0].law, NULL, 4, text, sizeof text);
		printf("xi of %s: %s", s->matrix.column[shares->basis[j]], text);
		if (c->candidate[0].law.terms || c->candidate[0].law.constant != 0)
			printf("   (misses by %s, R %.3g", ft_share_format(c->misfit, error), c->residual);
		if (!isnan(c->r2))
			printf(", R^2 %.4f", c->r2);
		puts(c->candidate[0].law.terms || c->candidate[0].law.constant != 0 ? ")" : "");
	}
}

/* What is said of a resource at a size. */
struct foretold {
	double n;
	const char *resource;
	struct ft_estimate said; /* NaN: less than nothing */
};

/* Each resource at each size asked about; ends with free. */
static int foretell(const struct cli_surrogate *s, const struct ft_shares *shares, const double *n,
		    size_t count, struct foretold **out)
{
	size_t rows = s->matrix.rows;
	CLI_OWN struct ft_estimate *said = cli_alloc((count + 1) * sizeof *said);
	struct ft_err err = {0};

	*out = cli_alloc((count * rows + 1) * sizeof **out);
	for (size_t row = 0; row < rows; row++) {
		if (ft_shares_foretell(shares, row, n, count, s->confidence, said, &err))
			return cli_error(&err);
		for (size_t i = 0; i < count; i++)
			(*out)[i * rows + row] = (struct foretold){n[i], s->matrix.row[row], said[i]};
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
	{FT_TELL_BY(RECORD, "beta", struct surrogate_at_size, beta), .of = &cli_list_told},
	{0},
};
static const struct ft_tell_record at_sizes = {.bytes = sizeof(struct surrogate_at_size), .row = size_rows};

static const struct ft_tell_row foretold_rows[] = {
	{FT_TELL(struct foretold, n), .head = ">n"},
	{FT_TELL(struct foretold, resource), .head = "resource"},
	{FT_TELL_AS("value", struct foretold, said.value),
	 .null = "the basis was not measured for it, or the curves are below 0 there", .head = ">predicted",
	 .unit = ".6g"},
	{FT_TELL_AS("lower", struct foretold, said.lower), .null = "", .head = ">lower", .unit = ".6g"},
	{FT_TELL_AS("upper", struct foretold, said.upper), .null = "", .head = ">upper", .unit = ".6g"},
	{0},
};
static const struct ft_tell_record foretold_told = {.bytes = sizeof(struct foretold), .row = foretold_rows};

static void print_foretold(const struct cli_surrogate *s, const struct foretold *foretold, size_t count)
{
	char text[FT_UNIT_LENGTH];
	size_t i;

	if (!count)
		return;
	putchar('\n');
	cli_tell_table(&foretold_told, foretold, count, NULL);
	printf("%s of what the curves and the description may be is between lower and upper\n",
	       ft_share_format(s->confidence, text));
	for (i = 0; i < count && !isnan(foretold[i].said.value);)
		i++;
	if (i < count)
		puts("-: the basis was not measured for it, or the curves are below 0 there");
}

struct surrogate_complexity_told {
	const char *source, *target;
	double confidence;
	struct curve *curve;
	struct surrogate_at_size *size;
	struct foretold *foretold;
	size_t n_curves, n_sizes, n_foretold;
};

#define TOLD struct surrogate_complexity_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, source), .about = "the file, or the store"},
	{FT_TELL(TOLD, target)},
	{FT_TELL(TOLD, confidence), .about = "of the intervals"},
	{FT_TELL_MANY(LIST, "curves", TOLD, curve, n_curves, &curves),
	 .about = "of each program of the basis"},
	{FT_TELL_MANY(LIST, "sizes", TOLD, size, n_sizes, &at_sizes),
	 .about = "the shares, in the order of curves"},
	{FT_TELL_MANY(LIST, "foretold", TOLD, foretold, n_foretold, &foretold_told)},
	{0},
};
const struct ft_tell_record cli_surrogate_complexity_told = {
	.name = "surrogate", .action = "complexity", .version = 1, .row = rows};

static void print_json(const struct cli_surrogate *s, const struct ft_shares *shares,
		       struct foretold *foretold, size_t count)
{
	TOLD told = {
		.source = cli_surrogate_source(s),
		.target = s->target,
		.confidence = s->confidence,
		.curve = cli_alloc(shares->k * sizeof *told.curve),
		.n_curves = shares->k,
		.size = cli_alloc(shares->program->sizes * sizeof *told.size),
		.n_sizes = shares->program->sizes,
		.foretold = foretold,
		.n_foretold = count,
	};
	size_t i;

	for (i = 0; i < shares->k; i++) {
		const struct ft_law_sums *c = &shares->curve[i];
		struct curve *one = &told.curve[i];

		(void)ft_law_format(&c->candidate[0].law, NULL, 4, one->curve, sizeof one->curve);
		one->name = s->matrix.column[shares->basis[i]];
		one->weight = c->candidate[0].weight;
		one->misfit = c->misfit;
		one->residual = c->residual;
		one->r2 = c->r2;
	}
	for (i = 0; i < told.n_sizes; i++)
		told.size[i] = (struct surrogate_at_size){shares->program->n[i],
							  {shares->beta + i * shares->k, shares->k}};
	cli_tell(&cli_surrogate_complexity_told, &told, NULL);
	free(told.curve);
	free(told.size);
}

int cli_surrogate_complexity(void *asked)
{
	struct cli_surrogate *s = asked;
	CLI_OWN double *n = cli_alloc((s->words->n + 1) * sizeof *n);
	CLI_OWN struct foretold *foretold = NULL;
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
	CLI_TRY(foretell(s, &shares, n, count, &foretold));
	count *= s->matrix.rows;
	if (s->json) {
		print_json(s, &shares, foretold, count);
		return CLI_DONE;
	}
	print_shares(s, &shares);
	print_curves(s, &shares);
	print_foretold(s, foretold, count);
	return CLI_DONE;
}
