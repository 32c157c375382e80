/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.c - whether two programs together are the sum of both (004 7.4 and 7.5). */
#include "base/arena.h"
#include "surrogate/sized.h"

static enum ft_status phi_at(const struct ft_composition *of, double n, double *phi, struct ft_err *err)
{
	static const char *const name[] = {"n"};

	*phi = 1;
	if (!of->phi || !ft_expr_eval(of->phi, name, &n, 1, phi, err))
		return FT_OK;
	return ft_fail_at(err, "--phi at n=%g", n);
}

/* One resource at a size, the i-th of the whole when there is one; false: something of it was not measured.
 */
static bool compare_row(const struct ft_composition *of, size_t i, double n, double phi, size_t row,
			struct ft_sum *sum)
{
	*sum = (struct ft_sum){.n = n, .row = row, .whole = NAN, .off = NAN, .holds = true};
	sum->parts = ft__matrix_at(of->matrix, row, ft_sized_column(of->first, n)) +
		     phi * ft__matrix_at(of->matrix, row, ft_sized_column(of->second, n));
	if (of->whole) {
		sum->whole = ft__matrix_at(of->matrix, row, (long)of->whole->column[i]);
		/* None of a resource (faults, say) in the whole and its parts is a sum too. */
		sum->off = sum->whole == sum->parts ? 0 : sum->parts / sum->whole - 1;
		sum->holds = fabs(sum->off) <= of->tolerance;
	}
	return !isnan(sum->parts) && !(of->whole && isnan(sum->whole));
}

enum ft_status ft_sums_compare(const struct ft_composition *of, struct ft_sum **out, size_t *n,
			       struct ft_err *err)
{
	const struct ft_sized *over = of->whole ? of->whole : isnan(of->first->n[0]) ? of->second : of->first;
	FT_OWN struct ft_sum *sum = ft_calloc(over->sizes * of->matrix->rows + 1, sizeof *sum);
	size_t sums = 0;
	double phi;

	*n = 0;
	*out = NULL;
	if (!sum)
		return ft_nomem(err);
	for (size_t i = 0; i < over->sizes; i++) {
		FT_TRY(phi_at(of, over->n[i], &phi, err));
		for (size_t row = 0; row < of->matrix->rows; row++)
			sums += compare_row(of, i, over->n[i], phi, row, sum + sums);
	}
	if (!sums)
		return ft_fail(err, FT_ENOMODEL, "'%s' and '%s' were never measured at the same size",
			       of->first->name, of->second->name);
	*n = sums;
	*out = sum;
	sum = NULL;
	return FT_OK;
}
