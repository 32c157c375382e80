/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-matrix.c - any bytes as a matrix of measurements: refused with words and nothing left, or names that
 * stand once and values that are measures, the same when written and read again; and solvers that refuse it
 * or foretell within their interval. */
#include "foretime/surrogate.h"
#include "fuzz.h"
#include "surrogate/door.h"

#include <math.h>
#include <string.h>

const char *const fuzz_matrix_seeds[] = {
	"machine,a,b,c\nbox,1,2,3\ntop,2,4,6.5\nden,3,7,9\nzoo,5,9,15\n",
	"program,resource,value,machine,n\nsort,wall_s,1,box,10\nsort,instructions,5e6,box,10\nfft,wall_s,2,"
	"box,20\n",
	"program,n,wall_s,instructions\nsort,10,1,5e6\nfft,20,2,NA\nsort,20,2,1e7\n",
	"system;g;a;b\nx;1;1;2\nx;1;1.5;-\ny;2;3;4\nz;2;;5\n",
	"program,,n,b\nort,10,1,1e7\n",
	"program,resource,value\nsort,,0\nsort,instructions,5e6\n",
	"resource,p\nwall_s,0\ninstructions,1e308\n",
	"\001\005rm,l,w,u\na,10,110,1\nb,10,110,1\n",
	"program,resource,value\na,time,0\nresource,time,2\n",
	"program,resource,value\nprogram,time,1\nvalue,time,2\n",
	NULL,
};

const char *const fuzz_matrix_pieces[] = {
	",",
	";",
	"\n",
	"NA",
	"-",
	"null",
	"0",
	"-1",
	"1e308",
	"5e-324",
	"program",
	"resource",
	"value",
	"machine",
	"n",
	"wall_s",
	"peak_rss_bytes",
	"\"",
	"g",
	"\"a,b\"",
	" ",
	"@",
	NULL,
};

enum { SOLVE_MOST = 64 }; /* cells of a matrix that solvers are asked about */

static const char *check_names(char **name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(name[i], name[j]))
				return "a name stands once";
	return NULL;
}

static const char *check(const struct ft_matrix *m)
{
	const char *broken = check_names(m->row, m->rows);

	if (!broken)
		broken = check_names(m->column, m->columns);
	if (!m->rows || !m->columns)
		return "there are rows and columns";
	for (size_t i = 0; i < m->rows * m->columns; i++)
		if ((!isnan(m->value[i]) && !(m->value[i] >= 0 && isfinite(m->value[i]))) || m->sd[i] < 0)
			return "a value is a measure, or missing";
	return broken;
}

static const char *compare(const struct ft_matrix *a, const struct ft_matrix *b)
{
	if (a->rows != b->rows || a->columns != b->columns)
		return "as many rows and columns again";
	for (size_t i = 0; i < a->rows * a->columns; i++)
		if (a->value[i] != b->value[i] && !(isnan(a->value[i]) && isnan(b->value[i])))
			return "the same values again";
	for (size_t i = 0; i < a->columns; i++)
		if (strcmp(a->column[i], b->column[i]) != 0)
			return "the same columns again";
	for (size_t i = 0; i < a->rows; i++)
		if (strcmp(a->row[i], b->row[i]) != 0)
			return "the same rows again";
	return NULL;
}

static const char *check_again(const struct ft_matrix *m)
{
	struct ft_matrix_options options = {.admit = true};
	struct ft_matrix again = {0};
	const char *broken;
	char *text = NULL;
	struct ft_err err = {0};
	enum ft_status status = ft_matrix_write(m, &text, &err);

	if (status == FT_EINVAL &&
	    (ft_matrix_column(m, "resource") >= 0 || ft_matrix_column(m, "program") >= 0))
		return fuzz_is_told(status, &err) ? NULL : "what cannot be written is told";
	if (status)
		return "it can be written";
	if (ft_matrix_read(fuzz_file((const uint8_t *)text, strlen(text)), &options, &again, NULL))
		broken = "what is written can be read";
	else
		broken = compare(m, &again);
	ft_matrix_clear(&again);
	free(text);
	return broken;
}

static const char *check_predicted(const struct ft_surrogate_fit *fit, const double *x, size_t m)
{
	struct ft_estimate predicted[SOLVE_MOST];
	struct ft_err err = {0};
	enum ft_status status = ft_surrogate_predict(fit, x, m, 0.9, predicted, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal of a prediction has words";
	for (size_t i = 0; i < m; i++)
		if (!(predicted[i].lower <= predicted[i].value && predicted[i].value <= predicted[i].upper))
			return "a prediction lies within its interval";
	return NULL;
}

/* Magnitudes whose squares and products are numbers. */
static int is_moderate(const struct ft_matrix *m)
{
	for (size_t i = 0; i < m->rows * m->columns; i++)
		if (m->value[i] > 1e20 || (m->value[i] > 0 && m->value[i] < 1e-20))
			return 0;
	return 1;
}

/* The last column by those before it. */
static const char *check_solver(const struct ft_matrix *m, const struct ft_solver *solver)
{
	size_t k = m->columns - 1;
	double x[SOLVE_MOST], y[SOLVE_MOST];
	struct ft_surrogate_problem problem = {.m = m->rows, .k = k, .q = 1, .x = x, .y = y};
	struct ft_surrogate_options options = {.iterations = 20};
	struct ft_surrogate_fit *fit = NULL;
	struct ft_err err = {0};
	const char *broken = NULL;

	for (size_t i = 0; i < m->rows; i++) {
		for (size_t j = 0; j < k; j++)
			x[i * k + j] = m->value[i * m->columns + j];
		y[i] = m->value[i * m->columns + k];
	}
	enum ft_status status = ft_surrogate_solve(solver, &problem, &options, &fit, &err);
	if (status)
		return fit || !fuzz_is_told(status, &err) ? "a refusal of a solver has words" : NULL;
	broken = check_predicted(fit, x, m->rows);
	ft_surrogate_free(fit);
	return broken;
}

/* The first two bytes, both below 16, choose how it is read and who solves it: none, where there are fewer
 * solvers. */
const char *fuzz_matrix(const uint8_t *bytes, size_t length)
{
	size_t skip = length > 1 && bytes[0] < 16 && bytes[1] < 16 ? 2 : 0;
	unsigned choice = skip ? bytes[0] : 0;
	struct ft_matrix_options options = {.admit = choice & 1,
					    .group = choice & 2 ? "g" : NULL,
					    .rows = choice & 4 ? "n" : NULL,
					    .programs = choice & 8 ? "^[a-c]" : NULL};
	const struct ft_solver *solver = ft_solver_get(skip ? bytes[1] : 0);
	struct ft_matrix matrix = {0};
	struct ft_err err = {0};
	enum ft_status status =
		ft_matrix_read(fuzz_file(bytes + skip, length - skip), &options, &matrix, &err);

	if (status)
		return matrix.rows || !fuzz_is_told(status, &err) ? "a refusal has words and leaves nothing"
								  : NULL;
	const char *broken = check(&matrix);
	if (!broken)
		broken = check_again(&matrix);
	if (!broken && solver && matrix.columns > 1 && matrix.rows * matrix.columns <= SOLVE_MOST &&
	    is_moderate(&matrix))
		broken = check_solver(&matrix, solver);
	ft_matrix_clear(&matrix);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_matrix)
#endif
