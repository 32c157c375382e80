/* SPDX-License-Identifier: GPL-3.0-or-later */
/* many.c - a field of more sizes than are solved at once. */
#include "model/many.h"
#include "base/alloc.h"
#include "model/field_work.h"
#include "num/cholesky.h"
#include "num/dense.h"

#include <assert.h>
#include <math.h>

/* What keeps the covariance of the sites alone from being singular, as a share of its diagonal. */
static const double jitter = 1e-10;

void ft__many_clear(struct ft__many *many)
{
	if (!many)
		return;
	ft_free(many->first);
	ft_free(many->second);
	ft_free(many->alpha);
	ft_free(many->space);
	*many = (struct ft__many){0};
}

static void fill_covariances(double *k, const struct ft__random_field *field, double more)
{
	size_t m = field->n;

	for (size_t i = 0; i < m; i++) {
		for (size_t j = i; j < m; j++)
			k[i * m + j] = ft__field_between(field, &field->spot[i], field->self[i],
							 &field->spot[j], field->self[j]);
		k[i * m + i] *= 1 + more;
	}
}

/* U of the sites' covariance; more and more jitter, until there is one. */
static void factor_covariance(double *k, const struct ft__random_field *field)
{
	double more = jitter;

	fill_covariances(k, field, more);
	while (!ft_chol_factor(k, field->n)) {
		more *= 10;
		assert(isfinite(more));
		fill_covariances(k, field, more);
	}
}

/* U'^-1 times the covariances of a spot with the sites; returns the variance that these leave. v [m] */
static double covariances_of(const struct ft__many *many, const struct ft__random_field *field,
			     const struct ft__spot *spot, double *v)
{
	double self = ft__field_self(field, spot);
	size_t m = many->m;

	for (size_t i = 0; i < m; i++)
		v[i] = ft__field_between(field, spot, self, &field->spot[i], field->self[i]);
	ft_chol_forward(many->first, m, v, 1);
	return fmax(0, ft__field_between(field, spot, self, spot, self) - ft_dot(v, v, m));
}

/* second += what a size tells. */
static void add_seen(struct ft__many *many, const struct ft__random_field *field, const struct ft__seen *seen)
{
	double *v = many->space, noise = covariances_of(many, field, &seen->spot, v) + seen->variance;
	size_t m = many->m;

	for (size_t i = 0; i < m; i++) {
		ft_axpy(many->second + i * m + i, v[i] / noise, v + i, m - i);
		many->alpha[i] += v[i] / noise * (seen->y - ft__field_mean(field, &seen->spot));
	}
}

/* What is known of a size that was seen, by all: the sites' opinion, moved towards what was seen there. */
static void settle_seen(const struct ft__many *many, const struct ft__random_field *field,
			struct ft__seen *seen)
{
	double own = covariances_of(many, field, &seen->spot, many->space);
	double share = own / (own + seen->variance);

	seen->known = ft__many_at(many, field, &seen->spot);
	seen->known.variance -= ft__field_hidden(field, &seen->spot, NULL) + own;
	seen->known.z += share * (seen->y - seen->known.z);
	seen->known.variance = (1 - share) * (1 - share) * fmax(0, seen->known.variance) + own * (1 - share);
}

enum ft_status ft__many_make(struct ft__many *many, const struct ft__random_field *field,
			     struct ft__seen *seen, size_t n, struct ft_err *err)
{
	size_t m = field->n;

	*many = (struct ft__many){.m = m};
	many->first = ft_calloc(m * m, sizeof *many->first);
	many->second = ft_calloc(m * m, sizeof *many->second);
	many->alpha = ft_calloc(m, sizeof *many->alpha);
	many->space = ft_calloc(m, sizeof *many->space);
	if (!many->first || !many->second || !many->alpha || !many->space) {
		ft__many_clear(many);
		return ft_nomem(err);
	}
	factor_covariance(many->first, field);
	for (size_t i = 0; i < m; i++)
		many->second[i * m + i] = 1;
	for (size_t i = 0; i < n; i++)
		add_seen(many, field, &seen[i]);
	if (!ft_chol_factor(many->second, m)) {
		ft__many_clear(many);
		return ft_fail(err, FT_ENOMODEL, "the sizes are too much alike to be solved");
	}
	ft_chol_forward(many->second, m, many->alpha, 1);
	ft_chol_backward(many->second, m, many->alpha, 1);
	for (size_t i = 0; i < n; i++)
		settle_seen(many, field, &seen[i]);
	return FT_OK;
}

struct ft__known ft__many_at(const struct ft__many *many, const struct ft__random_field *field,
			     const struct ft__spot *spot)
{
	double v[FT__FIELD_DENSE]; /* the sites are those of a field that is solved at once */
	struct ft__known known = {.scatter = ft__field_scatter(field, spot) + field->drift};

	known.variance = covariances_of(many, field, spot, v);
	known.z = ft__field_mean(field, spot) + ft_dot(v, many->alpha, many->m);
	ft_chol_forward(many->second, many->m, v, 1);
	known.variance += ft_dot(v, v, many->m) + ft__field_hidden(field, spot, NULL);
	return known;
}
