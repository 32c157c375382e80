/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.c - what a fit says of its target, and how well that holds. */
#include "base/arena.h"
#include "surrogate/residuals.h"

#include <math.h>

/* What of a normal distribution lies within one standard deviation. */
static const double one_deviation = 0.6826894921370859;

static void read_shares(struct ft_description *d, const struct ft_surrogate_fit *fit, size_t k,
			double confidence)
{
	d->linear = ft_surrogate_beta(fit, d->beta, &d->intercept);
	d->spread = ft_surrogate_spread(fit, one_deviation, d->interval);
	for (size_t j = 0; j < k && d->spread; j++)
		d->sd[j] = (d->interval[j].upper - d->interval[j].lower) / 2;
	(void)ft_surrogate_spread(fit, confidence, d->interval);
}

/* Against the size of the basis in their row, so that rows of any unit compare. */
static void find_residuals(struct ft_description *d, const struct ft_surrogate_problem *p, bool raw)
{
	for (size_t i = 0; i < p->m; i++) {
		double square = 0;

		for (size_t j = 0; j < p->k; j++)
			square += p->x[i * p->k + j] * p->x[i * p->k + j] / (double)p->k;
		d->residual[i] = p->y[i] - d->fitted[i].value;
		if (!raw && square > 0)
			d->residual[i] /= sqrt(square);
	}
}

/* Sizes are in the rows' own units: what grows is the work. */
static enum ft_status read_residuals(struct ft_description *d, size_t m, struct ft_err *err)
{
	FT_OWN double *value = ft_calloc(m, sizeof *value);

	if (!value)
		return ft_nomem(err);
	for (size_t i = 0; i < m; i++)
		value[i] = d->fitted[i].value;
	return ft__residuals_read(d->residual, value, m, &d->reading, d->outlier, err);
}

enum ft_status ft_surrogate_describe(const struct ft_surrogate_fit *fit,
				     const struct ft_surrogate_problem *problem, double confidence, bool raw,
				     struct ft_description *out, struct ft_err *err)
{
	size_t m = problem->m, k = problem->k;
	FT_CLEANUP(ft_description_clear)
	struct ft_description d = {.beta = ft_calloc(k, sizeof *d.beta),
				   .interval = ft_calloc(k, sizeof *d.interval),
				   .sd = ft_calloc(k, sizeof *d.sd),
				   .fitted = ft_calloc(m, sizeof *d.fitted),
				   .residual = ft_calloc(m, sizeof *d.residual),
				   .outlier = ft_calloc(m, sizeof *d.outlier)};

	*out = (struct ft_description){0};
	if (!d.beta || !d.interval || !d.sd || !d.fitted || !d.residual || !d.outlier)
		return ft_nomem(err);
	read_shares(&d, fit, k, confidence);
	(void)ft_surrogate_patterns(fit, &d.patterns);
	FT_TRY(ft_surrogate_predict(fit, problem->x, m, confidence, d.fitted, err));
	FT_TRY(ft_surrogate_cone(problem, raw, &d.cone, err));
	find_residuals(&d, problem, raw);
	FT_TRY(read_residuals(&d, m, err));
	*out = d;
	d = (struct ft_description){0};
	return FT_OK;
}

void ft_description_clear(struct ft_description *description)
{
	if (!description)
		return;
	ft_free(description->beta);
	ft_free(description->interval);
	ft_free(description->sd);
	ft_free(description->fitted);
	ft_free(description->residual);
	ft_free(description->outlier);
	*description = (struct ft_description){0};
}
