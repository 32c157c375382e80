/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.c - what a fit says of its target, and how well that holds. */
#include "base/alloc.h"
#include "surrogate/residuals.h"

#include <math.h>

/* What of a normal distribution lies within one standard deviation. */
static const double one_deviation = 0.6826894921370859;

static bool make_room(struct ft_description *d, size_t m, size_t k)
{
	d->beta = ft_calloc(k, sizeof *d->beta);
	d->interval = ft_calloc(k, sizeof *d->interval);
	d->sd = ft_calloc(k, sizeof *d->sd);
	d->fitted = ft_calloc(m, sizeof *d->fitted);
	d->residual = ft_calloc(m, sizeof *d->residual);
	d->outlier = ft_calloc(m, sizeof *d->outlier);
	return d->beta && d->interval && d->sd && d->fitted && d->residual && d->outlier;
}

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
	double *value = ft_calloc(m, sizeof *value);

	if (!value)
		return ft_nomem(err);
	for (size_t i = 0; i < m; i++)
		value[i] = d->fitted[i].value;
	enum ft_status status = ft__residuals_read(d->residual, value, m, &d->reading, d->outlier, err);
	ft_free(value);
	return status;
}

enum ft_status ft_surrogate_describe(const struct ft_surrogate_fit *fit,
				     const struct ft_surrogate_problem *problem, double confidence, bool raw,
				     struct ft_description *out, struct ft_err *err)
{
	*out = (struct ft_description){0};
	enum ft_status status = make_room(out, problem->m, problem->k) ? FT_OK : ft_nomem(err);
	if (!status) {
		read_shares(out, fit, problem->k, confidence);
		(void)ft_surrogate_patterns(fit, &out->patterns);
		status = ft_surrogate_predict(fit, problem->x, problem->m, confidence, out->fitted, err);
	}
	if (!status)
		status = ft_surrogate_cone(problem, raw, &out->cone, err);
	if (!status) {
		find_residuals(out, problem, raw);
		status = read_residuals(out, problem->m, err);
	}
	if (status)
		ft_description_clear(out);
	return status;
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
