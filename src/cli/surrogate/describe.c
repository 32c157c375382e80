/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.c - describes a program or a resource by a basis, and how well the description holds. */
#include "cli/cli.h"
#include "cli/surrogate/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 20 };

/* A description and what is read from it. */
struct described {
	struct cli_case c;
	struct ft_description of;
};

/* ---- for people --------------------------------------------------------------------------------------- */

/* Worst rows first when there are many. */
static const double *sort_key;

static int by_worst(const void *a, const void *b)
{
	double p = fabs(sort_key[*(const size_t *)a]), q = fabs(sort_key[*(const size_t *)b]);

	return (p < q) - (p > q);
}

/* So that a rounded zero has no sign. */
static double percent(double fitted, double y)
{
	double error = 100 * (fitted - y) / y;

	return fabs(error) < 0.005 ? 0 : error;
}

static void print_rows(const struct described *d)
{
	size_t m = d->c.made.problem.m, i, *order = cli_alloc(m * sizeof *order);
	struct cli_table out = {0};

	for (i = 0; i < m; i++)
		order[i] = i;
	sort_key = d->of.residual;
	if (m > ROWS_SHOWN)
		qsort(order, m, sizeof *order, by_worst);
	cli_table_head(&out, *d->c.kind == 'p' ? "resource" : "program");
	cli_table_head(&out, ">measured");
	cli_table_head(&out, ">described");
	cli_table_head(&out, ">error");
	cli_table_head(&out, "");
	for (i = 0; i < m && i < ROWS_SHOWN; i++) {
		double y = d->c.made.problem.y[order[i]], fitted = d->of.fitted[order[i]].value;

		cli_table_add(&out, "%s", d->c.matrix->row[d->c.made.row[order[i]]]);
		cli_table_add(&out, "%.6g", y);
		cli_table_add(&out, "%.6g", fitted);
		if (y > 0)
			cli_table_add(&out, "%+.2f %%", percent(fitted, y));
		else
			cli_table_add(&out, "%+.3g", fitted - y);
		cli_table_add(&out, "%s", d->of.outlier[order[i]] ? "outlier" : "");
	}
	cli_table_print(&out, stdout);
	if (m > ROWS_SHOWN)
		printf("... and %zu rows that are described better\n", m - ROWS_SHOWN);
	free(order);
}

static void print_reading(const struct described *d)
{
	const struct ft_residuals *r = &d->of.reading;

	if (r->few) {
		printf("residuals: too few rows (%zu) to read anything from them\n", d->c.made.problem.m);
		return;
	}
	if (!r->trend && !r->spread && !r->outliers) {
		puts("residuals: like noise: no trend, an even spread, no outliers");
		return;
	}
	if (r->trend)
		printf("residuals: a trend: rows of like size err alike (correlation %.2f): the basis misses "
		       "something, or it is not linear\n",
		       r->alike);
	if (r->spread)
		printf("residuals: an uneven spread: errors %s with size (rank correlation %+.2f): --solver "
		       "weighted minds that\n",
		       r->growth > 0 ? "grow" : "shrink", r->growth);
	if (r->outliers)
		printf("residuals: %zu outlier%s: --solver robust is not bent by them\n", r->outliers,
		       r->outliers > 1 ? "s" : "");
}

/* What multiplicative updates leave of a zero counts as zero. */
static double visible(double value, double most)
{
	return value < 1e-6 * most ? 0 : value;
}

static double largest(const double *value, size_t n, size_t stride)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, value[i * stride]);
	return most;
}

static void print_patterns(const struct described *d)
{
	const struct ft_patterns *p = &d->of.patterns;
	struct cli_table w = {0}, h = {0};
	size_t shown = p->rank < CLI_COLUMNS_READ ? p->rank : CLI_COLUMNS_READ;
	char head[32];

	cli_table_head(&w, "what a pattern consumes (W)");
	cli_table_head(&h, "what is made of patterns (H)");
	for (size_t l = 0; l < shown; l++) {
		(void)snprintf(head, sizeof head, ">pattern %zu", l + 1);
		cli_table_head(&w, head);
		cli_table_head(&h, head);
	}
	for (size_t i = 0; i < p->m && i < ROWS_SHOWN; i++) {
		cli_table_add(&w, "%s", d->c.matrix->row[cli_case_learned(&d->c)->row[i]]);
		for (size_t l = 0; l < shown; l++)
			cli_table_add(
				&w, "%.4g",
				visible(p->w[i * p->rank + l], largest(p->w + i * p->rank, p->rank, 1)));
	}
	for (size_t j = 0; j < p->n; j++) {
		cli_table_add(&h, "%s", d->c.matrix->column[j < d->c.k ? d->c.basis[j] : d->c.target]);
		for (size_t l = 0; l < shown; l++)
			cli_table_add(&h, "%.4g",
				      visible(p->h[l * p->n + j], largest(p->h + l * p->n, p->n, 1)));
	}
	puts("");
	cli_table_print(&w, stdout);
	if (p->m > ROWS_SHOWN)
		printf("... and %zu more rows: --json has them all\n", p->m - ROWS_SHOWN);
	puts("");
	cli_table_print(&h, stdout);
	if (p->smoothness > 0)
		printf("X is W S H: each column of H smoothed by theta = %g\n", p->smoothness);
}

/* ---- for programs -------------------------------------------------------------------------------------- */

struct share {
	const char *name;
	double beta, lower, upper, sd;
};

static const struct ft_tell_row share_rows[] = {
	{FT_TELL(struct share, name)},
	{FT_TELL(struct share, beta), .null = "the solver is not linear"},
	{FT_TELL(struct share, lower), .null = "not known"},
	{FT_TELL(struct share, upper), .null = "not known"},
	{FT_TELL(struct share, sd), .null = "not known",
	 .about = "half of the interval that holds 68.27 %: the standard deviation, as --prior takes it"},
	{0},
};
static const struct ft_tell_record shares = {.bytes = sizeof(struct share), .row = share_rows};

static const struct ft_tell_row cone_rows[] = {
	{FT_TELL(struct ft_cone, inside)},
	{FT_TELL(struct ft_cone, rest), .about = "share of it that the best shares >= 0 leave"},
	{FT_TELL(struct ft_cone, free_rest), .about = "the same with shares of either sign",
	 .null = "fewer rows than columns"},
	{0},
};
static const struct ft_tell_record cones = {.row = cone_rows};

#define READING struct ft_residuals
static const struct ft_tell_row reading_rows[] = {
	{FT_TELL(READING, few), .about = "too few rows to read anything"},
	{FT_TELL(READING, trend)},
	{FT_TELL_AS("autocorrelation", READING, alike),
	 .about = "correlation of neighbours in order of size"},
	{FT_TELL(READING, spread)},
	{FT_TELL(READING, growth), .about = "rank correlation of their size with the fitted value"},
	{FT_TELL(READING, outliers)},
	{FT_TELL(READING, deviation), .about = "robust standard deviation, of rows scaled by their size"},
	{0},
};
static const struct ft_tell_record readings = {.about = "what is read from them", .row = reading_rows};

struct surrogate_describe_row {
	const char *name;
	double measured, described, residual;
	bool outlier;
};

static const struct ft_tell_row row_rows[] = {
	{FT_TELL(struct surrogate_describe_row, name)},
	{FT_TELL(struct surrogate_describe_row, measured)},
	{FT_TELL(struct surrogate_describe_row, described)},
	{FT_TELL(struct surrogate_describe_row, residual), .about = "over the size of the basis in that row"},
	{FT_TELL(struct surrogate_describe_row, outlier)},
	{0},
};
static const struct ft_tell_record row_answer = {.bytes = sizeof(struct surrogate_describe_row),
						 .row = row_rows};

struct patterns {
	double smoothness;
	struct cli_list *w, *h;
	size_t n_w, n_h;
};

static const struct ft_tell_row pattern_rows[] = {
	{FT_TELL(struct patterns, smoothness), .about = "theta of S; 0: no S"},
	{FT_TELL_MANY(LIST, "w", struct patterns, w, n_w, &cli_list_answer),
	 .about = "a row for each of the rows, a column for each pattern"},
	{FT_TELL_MANY(LIST, "h", struct patterns, h, n_h, &cli_list_answer),
	 .about = "a row for each pattern; columns: the basis, then the target"},
	{0},
};
static const struct ft_tell_record patterns = {.about = "of nmf: [X y] ~ W H, or W S H", .row = pattern_rows};

struct surrogate_describe_answer {
	const char *source;
	struct cli_answer_case of;
	struct share *share;
	double intercept;
	struct ft_cone cone;
	READING reading;
	struct surrogate_describe_row *measured;
	const struct patterns *patterns;
	size_t n_shares, n_measured;
};

#define ANSWER struct surrogate_describe_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL(ANSWER, source), .about = "the file, or the store"},
	{FT_TELL_BY(ROWS, NULL, ANSWER, of), .of = &cli_case_rows},
	{FT_TELL_MANY(LIST, "basis_programs", ANSWER, share, n_shares, &shares)},
	{FT_TELL(ANSWER, intercept), .null = "the solver is not linear"},
	{FT_TELL_BY(RECORD, "cone", ANSWER, cone), .of = &cones,
	 .about = "how the target lies to the mixtures of its basis"},
	{FT_TELL_BY(RECORD, "residuals", ANSWER, reading), .of = &readings},
	{FT_TELL_MANY(LIST, "measured", ANSWER, measured, n_measured, &row_answer), .about = "the rows"},
	{FT_TELL_BY(POINTER, "patterns", ANSWER, patterns), .of = &patterns, .absent = "another solver"},
	{0},
};
const struct ft_tell_record cli_surrogate_describe_answer = {
	.name = "surrogate", .action = "describe", .version = 2, .row = rows};

static struct share *shares_of(const struct described *d)
{
	struct share *share = cli_alloc(d->c.k * sizeof *share);

	for (size_t j = 0; j < d->c.k; j++)
		share[j] = (struct share){
			d->c.matrix->column[d->c.basis[j]],
			d->of.linear ? d->of.beta[j] : (double)NAN,
			d->of.spread ? d->of.interval[j].lower : (double)NAN,
			d->of.spread ? d->of.interval[j].upper : (double)NAN,
			d->of.spread ? d->of.sd[j] : (double)NAN,
		};
	return share;
}

static struct surrogate_describe_row *rows_of(const struct described *d)
{
	struct surrogate_describe_row *row = cli_alloc(d->c.made.problem.m * sizeof *row);

	for (size_t i = 0; i < d->c.made.problem.m; i++)
		row[i] = (struct surrogate_describe_row){d->c.matrix->row[d->c.made.row[i]],
							 d->c.made.problem.y[i], d->of.fitted[i].value,
							 d->of.residual[i], d->of.outlier[i]};
	return row;
}

static void clear_described(struct described *d)
{
	ft_description_clear(&d->of);
	cli_case_close(&d->c);
}

int cli_surrogate_describe(void *query)
{
	struct cli_surrogate *surrogate = query;
	FT_CLEANUP(clear_described) struct described d = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_case_open(&d.c, surrogate, false));
	CLI_TRY(cli_case_notes(&d.c, surrogate));
	if (ft_surrogate_describe(d.c.fit, &d.c.made.problem, surrogate->confidence, surrogate->options.raw,
				  &d.of, &err))
		return cli_error(&err);
	if (surrogate->json) {
		const struct ft_patterns *p = &d.of.patterns;
		struct patterns found = {p->smoothness, cli_lists(p->w, p->rank ? p->m : 0, p->rank),
					 cli_lists(p->h, p->rank, p->n), p->m, p->rank};
		ANSWER answer = {
			.source = cli_surrogate_source(surrogate),
			.of = cli_case_answer(&d.c, surrogate),
			.share = shares_of(&d),
			.n_shares = d.c.k,
			.intercept = d.of.linear ? d.of.intercept : (double)NAN,
			.cone = d.of.cone,
			.reading = d.of.reading,
			.measured = rows_of(&d),
			.n_measured = d.c.made.problem.m,
			.patterns = p->rank ? &found : NULL,
		};

		cli_tell(&cli_surrogate_describe_answer, &answer, NULL);
		cli_case_answer_clear(&answer.of);
		free(answer.share);
		free(answer.measured);
		free(found.w);
		free(found.h);
	} else {
		printf("%s by %zu %s%s over %zu rows: %s\n\n", d.c.matrix->column[d.c.target], d.c.k,
		       d.c.kind, d.c.k > 1 ? "s" : "", d.c.made.problem.m, d.c.solver->about);
		if (d.of.linear) {
			struct cli_table out = {0};
			char head[64];

			(void)snprintf(head, sizeof head, ">%.6g %% interval", 100 * surrogate->confidence);
			cli_table_head(&out, d.c.kind);
			cli_table_head(&out, ">beta");
			cli_table_head(&out, head);
			for (size_t j = 0; j < d.c.k; j++) {
				cli_table_add(&out, "%s", d.c.matrix->column[d.c.basis[j]]);
				cli_table_add(&out, "%.6g", d.of.beta[j]);
				if (d.of.spread && isfinite(d.of.interval[j].lower))
					cli_table_add(&out, "%.4g .. %.4g", d.of.interval[j].lower,
						      d.of.interval[j].upper);
				else
					cli_table_add(&out, "%s", d.of.spread ? "not known" : "");
			}
			if (d.of.intercept != 0) {
				cli_table_add(&out, "(intercept)");
				cli_table_add(&out, "%.6g", d.of.intercept);
				cli_table_add(&out, "%s", "");
			}
			cli_table_print(&out, stdout);
			puts("");
		}
		const struct ft_cone *cone = &d.of.cone;
		const char *name = d.c.matrix->column[d.c.target];

		if (cone->inside)
			printf("%s lies inside the cone of its basis: shares >= 0 give it exactly\n", name);
		else if (cone->free_rest >= 0.99 * cone->rest)
			printf("%s lies outside the cone of its basis: the best shares >= 0 leave %.3g %% of "
			       "it, and "
			       "negative ones would not help\n",
			       name, 100 * cone->rest);
		else if (isnan(cone->free_rest))
			printf("%s lies outside the cone of its basis: the best shares >= 0 leave %.3g %% of "
			       "it\n",
			       name, 100 * cone->rest);
		else
			printf("%s lies outside the cone of its basis: the best shares >= 0 leave %.3g %% of "
			       "it, "
			       "shares of either sign %.3g %%\n",
			       name, 100 * cone->rest, 100 * cone->free_rest);
		print_reading(&d);
		puts("");
		print_rows(&d);
		if (d.of.patterns.rank)
			print_patterns(&d);
	}
	return CLI_DONE;
}
