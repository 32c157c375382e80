/* SPDX-License-Identifier: GPL-3.0-or-later */
/* couple.c - routines in sequence: how they influence each other, and the time of all (002 1.3.2; Taylor,
 * Wu, Geisler 2002). */
#include "base/alloc.h"
#include "base/text.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <string.h>

/* ft__matrix_at - the value of a row in a column; NaN if there is no such column. */
static inline double ft__matrix_at(const struct ft_matrix *matrix, size_t row, long column)
{
	return column < 0 ? NAN : matrix->value[row * matrix->columns + (size_t)column];
}

/*
 * Check whether two programs together are the sum of both (004 7.4 and 7.5).
 */

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
		/* A resource that is 0 (faults, for example) in the whole and its parts is additive, too. */
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

/*
 * Routines in sequence: how they influence each other, and the time of all (002 1.3.2; Taylor, Wu,
 * Geisler 2002).
 */

size_t ft_chain_windows(size_t k, size_t length, bool loop)
{
	if (length < 2 || length > k)
		return 0;
	return loop && length < k ? k : k - length + 1;
}

enum ft_status ft_chain_couple(const double *alone, size_t k, const double *together, size_t length,
			       bool loop, double *coupling, double *weight, double *whole, struct ft_err *err)
{
	size_t windows = ft_chain_windows(k, length, loop), i, w;

	if (!windows)
		return ft_fail(err, FT_EINVAL, "%zu routines have no windows of %zu", k, length);
	for (w = 0; w < windows; w++) {
		/* The sum of the single times of a window's routines. */
		double sum = 0;

		for (i = 0; i < length; i++)
			sum += alone[(w + i) % k];
		if (!(sum > 0) || !(together[w] > 0))
			return ft_fail(err, FT_EINVAL, "what takes nothing has no coupling");
		coupling[w] = together[w] / sum;
	}
	*whole = 0;
	for (i = 0; i < k; i++) {
		double above = 0, below = 0;

		for (w = 0; w < windows; w++)
			if ((i + k - w) % k < length) {
				above += coupling[w] * together[w];
				below += together[w];
			}
		weight[i] = above / below;
		*whole += weight[i] * alone[i];
	}
	return FT_OK;
}

/* ---- a chain in a matrix ------------------------------------------------------------------------------- */

char *ft_chain_window_name(const struct ft_chain *chain, size_t begin, size_t length, bool brief)
{
	const char *first = chain->name[begin], *slash = strrchr(first, '/');
	size_t prefix = slash ? (size_t)(slash - first) + 1 : 0, i;
	struct ft_text name = {0};

	assert(chain->k);
	ft_text_add(&name, "%s", first);
	for (i = 1; i < length; i++) {
		const char *next = chain->name[(begin + i) % chain->k];
		bool same = brief && prefix && !strncmp(next, first, prefix);

		ft_text_add(&name, "+%s", next + (same ? prefix : 0));
	}
	return ft_text_take(&name);
}

/* The query, and room for one resource at one size. */
struct measured_chain {
	const struct ft_chain *chain;
	struct ft_sized *alone;    /* [k] */
	struct ft_sized target;    /* no sizes: none */
	double *value;             /* [k] of each routine */
	double *together, *weight; /* [k] */
	struct ft_coupled *at;
	size_t n, capacity;
};

/* The time of a window; NaN: it was not measured, or it is the target itself. */
static enum ft_status find_window(const struct measured_chain *m, double n, size_t row, size_t begin,
				  size_t length, double *together, struct ft_err *err)
{
	const char *target = m->chain->target;
	bool is_target = false;

	*together = NAN;
	for (int brief = 0; brief < 2 && isnan(*together); brief++) {
		FT_OWN char *name = ft_chain_window_name(m->chain, begin, length, brief);

		if (!name)
			return ft_nomem(err);
		*together = ft__matrix_at(m->chain->matrix, row,
					  ft__sized_name_column(m->chain->matrix, name, n));
		is_target |= target && !strcmp(name, target);
	}
	if (is_target)
		*together = NAN;
	return FT_OK;
}

static enum ft_status couple_at(struct measured_chain *m, double n, size_t row, struct ft_err *err)
{
	const struct ft_chain *chain = m->chain;
	struct ft_coupled one = {.n = n, .row = row}, *grown;

	for (size_t i = 0; i < chain->k; i++) {
		m->value[i] = ft__matrix_at(chain->matrix, row, ft_sized_column(&m->alone[i], n));
		if (!(m->value[i] > 0))
			return FT_OK;
		one.sum += m->value[i];
	}
	one.measured = ft__matrix_at(chain->matrix, row, ft_sized_column(&m->target, n));
	/* The longest windows all of which were measured; *length 1: there are none. */
	size_t w;

	for (one.length = m->chain->k; one.length > 1; --one.length) {
		size_t windows = ft_chain_windows(m->chain->k, one.length, m->chain->loop);
		for (w = 0; w < windows; w++) {
			FT_TRY(find_window(m, n, row, w, one.length, &m->together[w], err));
			if (!(m->together[w] > 0))
				break;
		}
		if (w == windows)
			break;
	}
	if (one.length < 2)
		return FT_OK;
	one.windows = ft_chain_windows(chain->k, one.length, chain->loop);
	grown = ft_grow(m->at, m->n, &m->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	m->at = grown;
	one.coupling = ft_calloc(one.windows, sizeof *one.coupling);
	m->at[m->n++] = one;
	return one.coupling ? ft_chain_couple(m->value, chain->k, m->together, one.length, chain->loop,
					      one.coupling, m->weight, &m->at[m->n - 1].composed, err)
			    : ft_nomem(err);
}

static void clear_chain(struct measured_chain *m)
{
	for (size_t i = 0; m->alone && i < m->chain->k; i++)
		ft_sized_clear(&m->alone[i]);
	ft_sized_clear(&m->target);
	ft_free(m->alone);
	ft_free(m->value);
	ft_coupled_free(m->at, m->n);
}

enum ft_status ft_chain_measure(const struct ft_chain *chain, struct ft_coupled **out, size_t *n,
				struct ft_err *err)
{
	FT_CLEANUP(clear_chain) struct measured_chain m = {.chain = chain};

	*out = NULL;
	*n = 0;
	m.alone = ft_calloc(chain->k, sizeof *m.alone);
	m.value = ft_calloc(3 * chain->k, sizeof *m.value);
	if (!m.alone || !m.value)
		return ft_nomem(err);
	m.together = m.value + chain->k;
	m.weight = m.together + chain->k;
	for (size_t i = 0; i < chain->k; i++)
		FT_TRY(ft_sized_find(&m.alone[i], chain->matrix, chain->name[i], err));
	if (chain->target)
		FT_TRY(ft_sized_find(&m.target, chain->matrix, chain->target, err));
	for (size_t i = 0; i < m.alone[0].sizes; i++)
		for (size_t row = 0; row < chain->matrix->rows; row++)
			FT_TRY(couple_at(&m, m.alone[0].n[i], row, err));
	if (!m.n) {
		FT_OWN char *name = ft_chain_window_name(chain, 0, 2, true);

		if (!name)
			return ft_nomem(err);
		(void)ft_fail(err, FT_ENOMODEL, "no neighbours of the chain were measured together");
		if (chain->k == 2 && chain->target && !strcmp(name, chain->target)) {
			(void)ft_fail(
				err, FT_ENOMODEL,
				"the chain's only window is its target, which predicts nothing of itself");
			(void)ft_remedy(err, "leave out the target, or name a longer chain");
		} else {
			(void)ft_remedy(
				err, "measure pairs too, as '%s': what both take, one after the other", name);
		}
		return FT_ENOMODEL;
	}
	*out = m.at;
	*n = m.n;
	m.at = NULL;
	m.n = 0;
	return FT_OK;
}

void ft_coupled_free(struct ft_coupled *coupled, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ft_free(coupled[i].coupling);
	ft_free(coupled);
}
