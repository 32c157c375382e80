/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve_bayes.c - Bayesian regression: a prior of beta, and its posterior given the rows (004 6.4.1,
 * equation 6.56).
 *
 * y ~ N(X beta, sigma^2) on scaled rows, beta ~ N(mean, sd^2) each by itself (or flat), log sigma flat.
 * Given sigma all is normal and in closed form; over sigma the posterior is summed up on a grid of the
 * logarithm, which for a smooth function on a whole peak is as good as exact. No chain of random draws is
 * needed. With every prior flat this is least squares, and the intervals are Student's. */
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <math.h>
#include <string.h>

enum { GRID = 129, SCAN = 121 };

/* Values less likely than the peak by this, in logarithms, are ignored. */
static const double DEPTH = 28;

/* Of one target: the posterior as a sum of normal laws, one for each sigma of the grid. */
struct posterior {
	double weight[GRID], sigma[GRID];
	double *beta; /* [GRID x k] means, of scaled columns */
	double *root; /* [GRID x k x k] W with W' W the covariance, of scaled columns */
	double *mean; /* [k] of beta, in its unit */
};

struct bayes {
	size_t k, q;
	bool raw;
	double *width; /* [k] of the columns */
	struct posterior *target;
	double loss;
};

/* Memory of one call: scaled rows and columns. */
struct solve_bayes_work {
	size_t m, k, flat;
	double *x, *y;           /* [m x k], [m] */
	double *gram;            /* [k x k] x'x */
	double *xy;              /* [k] x'y */
	double *prior, *believe; /* [k] mean and 1 / sd^2 */
	double *a, *b;           /* [k x k], [k] */
};

/* Given sigma: the factor of the precision in w->a, the mean in w->b. Returns the logarithm of the
 * posterior density of log sigma, up to a constant; -inf: rows and priors do not determine beta. */
static double posterior_given(struct solve_bayes_work *w, double sigma)
{
	double precision = 1 / (sigma * sigma), square = 0, log_det = 0;

	for (size_t j = 0; j < w->k; j++) {
		for (size_t i = 0; i < w->k; i++)
			w->a[j * w->k + i] = w->gram[j * w->k + i] * precision;
		w->a[j * w->k + j] += w->believe[j];
		w->b[j] = w->xy[j] * precision + w->believe[j] * w->prior[j];
	}
	if (!ft_chol_factor(w->a, w->k))
		return -INFINITY;
	ft_chol_solve(w->a, w->k, w->b, 1);
	for (size_t i = 0; i < w->m; i++) {
		double rest = w->y[i] - ft_dot(w->x + i * w->k, w->b, w->k);

		square += rest * rest * precision;
	}
	for (size_t j = 0; j < w->k; j++) {
		double far = w->b[j] - w->prior[j];

		square += far * far * w->believe[j];
		log_det += 2 * log(w->a[j * w->k + j]);
	}
	return -(double)w->m * log(sigma) - log_det / 2 - square / 2;
}

/* The interval of log sigma that matters, in a range: a scan, the peak of it, and outwards from there. */
static bool find_peak(struct solve_bayes_work *w, double from, double to, double *low, double *high)
{
	double best = -INFINITY, at = from, step = (to - from) / (SCAN - 1), a, b;

	for (size_t i = 0; i < SCAN; i++) {
		double value = posterior_given(w, exp(from + (double)i * step));

		if (value > best) {
			best = value;
			at = from + (double)i * step;
		}
	}
	if (best == -INFINITY)
		return false;
	a = fmax(from, at - step);
	b = fmin(to, at + step);
	for (size_t i = 0; i < 60; i++) { /* by golden sections */
		double left = b - 0.6180339887498949 * (b - a), right = a + 0.6180339887498949 * (b - a);

		if (posterior_given(w, exp(left)) < posterior_given(w, exp(right)))
			a = left;
		else
			b = right;
	}
	at = (a + b) / 2;
	best = posterior_given(w, exp(at));
	for (step = 1e-3, *low = at; *low > from && posterior_given(w, exp(*low)) > best - DEPTH; step *= 1.3)
		*low = fmax(from, *low - step);
	for (step = 1e-3, *high = at; *high < to && posterior_given(w, exp(*high)) > best - DEPTH;
	     step *= 1.3)
		*high = fmin(to, *high + step);
	return true;
}

/* Whether the rows determine the coefficients without a prior, given those with one. */
static bool is_determined(struct solve_bayes_work *w)
{
	size_t j;

	for (j = 0; j < w->k; j++) {
		for (size_t i = 0; i < w->k; i++)
			w->a[j * w->k + i] = w->gram[j * w->k + i] / (double)w->m;
		w->a[j * w->k + j] += w->believe[j] > 0;
	}
	if (!ft_chol_factor(w->a, w->k))
		return false;
	for (j = 0; j < w->k && w->a[j * w->k + j] * w->a[j * w->k + j] > 1e-13; j++)
		;
	return j == w->k;
}

static enum ft_status refuse_undetermined(const struct solve_bayes_work *w, struct ft_err *err)
{
	(void)ft_fail(err, FT_ENOMODEL,
		      "%zu rows do not determine %zu coefficients, %zu of which have no prior", w->m, w->k,
		      w->flat);
	return ft_remedy(err, "give a prior: --prior NAME=MEAN:SD, or measure more rows");
}

static enum ft_status make_posterior(struct solve_bayes_work *w, const double *width, struct posterior *post,
				     struct ft_arena *arena, struct ft_err *err)
{
	size_t k = w->k;
	double size = sqrt(ft_dot(w->y, w->y, w->m) / (double)w->m), low, high, most = -INFINITY, sum = 0;
	/* If the rows have no residuals, the noise is at least a thousandth. */
	double least = w->m > k ? 1e-9 : 1e-3;

	size = size > 0 ? size : 1;
	post->beta = ft_arena_take(arena, GRID * k, sizeof(double));
	post->root = ft_arena_take(arena, GRID * k * k, sizeof(double));
	post->mean = ft_arena_take(arena, k, sizeof(double));
	FT_TRY(ft_arena_check(arena, err));
	if (!is_determined(w) || !find_peak(w, log(least * size), log(1000 * size), &low, &high))
		return refuse_undetermined(w, err);
	for (size_t i = 0; i < GRID; i++) {
		post->sigma[i] = exp(low + (high - low) * (double)i / (GRID - 1));
		post->weight[i] = posterior_given(w, post->sigma[i]);
		if (!isfinite(post->weight[i])) { /* a factor is used if rounding did not break it */
			post->weight[i] = -INFINITY;
			continue;
		}
		most = fmax(most, post->weight[i]);
		memcpy(post->beta + i * k, w->b, k * sizeof(double));
		ft_chol_invert(w->a, k, post->root + i * k * k);
	}
	for (size_t i = 0; i < GRID; i++)
		sum += post->weight[i] = exp(post->weight[i] - most) * (i && i < GRID - 1 ? 1 : 0.5);
	for (size_t i = 0; i < GRID; i++) {
		post->weight[i] /= sum;
		for (size_t j = 0; j < k; j++)
			post->mean[j] += post->weight[i] * post->beta[i * k + j] / width[j];
	}
	return FT_OK;
}

static enum ft_status solve_bayes(const struct ft_surrogate_problem *problem,
				  const struct ft_surrogate_options *options, struct ft_arena *arena,
				  void **state, struct ft_err *err)
{
	size_t m = problem->m, k = problem->k, q = problem->q;
	FT_ARENA(work);
	struct solve_bayes_work w = {.m = m,
				     .k = k,
				     .x = ft_arena_take(&work, m * k, sizeof(double)),
				     .y = ft_arena_take(&work, m, sizeof(double)),
				     .gram = ft_arena_take(&work, k * k, sizeof(double)),
				     .xy = ft_arena_take(&work, k, sizeof(double)),
				     .prior = ft_arena_take(&work, k, sizeof(double)),
				     .believe = ft_arena_take(&work, k, sizeof(double)),
				     .a = ft_arena_take(&work, k * k, sizeof(double)),
				     .b = ft_arena_take(&work, k, sizeof(double))};
	struct bayes *bayes = ft_arena_take(arena, 1, sizeof *bayes);

	for (size_t j = 0; j < problem->k; j++) {
		if (options->sd && !(options->sd[j] > 0))
			return ft_fail(err, FT_EINVAL, "a prior's standard deviation is > 0, not %g",
				       options->sd[j]);
		if (options->mean && !isfinite(options->mean[j]))
			return ft_fail(err, FT_EINVAL, "a prior's mean is a number");
	}
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft_arena_check(arena, err));
	*bayes = (struct bayes){.k = k,
				.q = q,
				.raw = options->raw,
				.width = ft_arena_take(arena, k, sizeof(double)),
				.target = ft_arena_take(arena, q, sizeof *bayes->target)};
	FT_TRY(ft_arena_check(arena, err));
	/* Rows of the same weight, columns of mean square 1, and priors in those units. */
	for (size_t i = 0; i < w.m; i++)
		for (size_t j = 0; j < w.k; j++)
			w.x[i * w.k + j] = problem->x[i * w.k + j] /
					   ft__row_scale(problem->x + i * w.k, w.k, options->raw);
	for (size_t j = 0; j < w.k; j++) {
		double sum = 0, sd = options->sd ? options->sd[j] : INFINITY;

		for (size_t i = 0; i < w.m; i++)
			sum += w.x[i * w.k + j] * w.x[i * w.k + j];
		bayes->width[j] = sum > 0 ? sqrt(sum / (double)w.m) : 1;
		for (size_t i = 0; i < w.m; i++)
			w.x[i * w.k + j] /= bayes->width[j];
		w.prior[j] = options->mean ? options->mean[j] * bayes->width[j] : 0;
		w.believe[j] = isfinite(sd) ? 1 / (sd * bayes->width[j] * sd * bayes->width[j]) : 0;
		w.flat += isfinite(sd) ? 0 : 1;
	}
	for (size_t i = 0; i < w.m; i++)
		for (size_t j = 0; j < w.k; j++)
			ft_axpy(w.gram + j * w.k, w.x[i * w.k + j], w.x + i * w.k, w.k);
	if (m < w.flat)
		return refuse_undetermined(&w, err);
	for (size_t t = 0; t < q; t++) {
		memset(w.xy, 0, w.k * sizeof *w.xy);
		for (size_t i = 0; i < w.m; i++) {
			w.y[i] = problem->y[i * problem->q + t] /
				 ft__row_scale(problem->x + i * w.k, w.k, bayes->raw);
			ft_axpy(w.xy, w.y[i], w.x + i * w.k, w.k);
		}
		FT_TRY(make_posterior(&w, bayes->width, &bayes->target[t], arena, err));
		for (size_t i = 0; i < w.m; i++) {
			double rest = w.y[i];

			for (size_t l = 0; l < w.k; l++)
				rest -= w.x[i * w.k + l] * bayes->target[t].mean[l] * bayes->width[l];
			bayes->loss += rest * rest;
		}
	}
	*state = bayes;
	return FT_OK;
}

/* The value below which a share lies, by the points of the grid that matter. */
static double quantile(const struct posterior *post, const double *mean, const double *sd, double share)
{
	double m[GRID], s[GRID], weight[GRID];
	size_t n = 0;

	for (size_t i = 0; i < GRID; i++)
		if (post->weight[i] > 1e-12) {
			m[n] = mean[i];
			s[n] = sd[i];
			weight[n++] = post->weight[i];
		}
	return ft_normals_quantile(m, s, weight, n, share);
}

/* Mean and interval of x beta (x [k], of scaled columns) with noise of so many sigma. */
static struct ft_estimate estimate_product(const struct bayes *bayes, const struct posterior *post,
					   const double *x, double noise, double confidence)
{
	double mean[GRID], sd[GRID];
	struct ft_estimate e = {0};
	size_t k = bayes->k;

	for (size_t i = 0; i < GRID; i++) {
		const double *root = post->root + i * k * k;
		double own = 0;

		mean[i] = ft_dot(x, post->beta + i * k, k);
		for (size_t j = 0; j < k; j++) {
			double part = ft_dot(root + j * k, x, k);

			own += part * part;
		}
		sd[i] = sqrt(own + noise * noise * post->sigma[i] * post->sigma[i]);
		e.value += post->weight[i] * mean[i];
	}
	e.lower = quantile(post, mean, sd, (1 - confidence) / 2);
	e.upper = quantile(post, mean, sd, (1 + confidence) / 2);
	return e;
}

static enum ft_status predict(const void *state, const double *x, size_t rows, double confidence,
			      struct ft_estimate *out, struct ft_err *err)
{
	const struct bayes *bayes = state;
	FT_OWN double *scaled = ft_calloc(bayes->k, sizeof *scaled);

	if (!scaled)
		return ft_nomem(err);
	for (size_t i = 0; i < rows; i++, x += bayes->k) {
		for (size_t j = 0; j < bayes->k; j++)
			scaled[j] = x[j] / bayes->width[j];
		for (size_t t = 0; t < bayes->q; t++)
			out[i * bayes->q + t] =
				estimate_product(bayes, &bayes->target[t], scaled,
						 ft__row_scale(x, bayes->k, bayes->raw), confidence);
	}
	return FT_OK;
}

static void beta(const void *state, double *out, double *intercept)
{
	const struct bayes *bayes = state;
	size_t j;

	for (size_t t = 0; t < bayes->q; t++)
		for (intercept[t] = 0, j = 0; j < bayes->k; j++)
			out[j * bayes->q + t] = bayes->target[t].mean[j];
}

static void spread(const void *state, double confidence, struct ft_estimate *out)
{
	const struct bayes *bayes = state;
	double mean[GRID], sd[GRID];
	size_t k = bayes->k;

	for (size_t j = 0; j < k; j++)
		for (size_t t = 0; t < bayes->q; t++) {
			const struct posterior *post = &bayes->target[t];
			struct ft_estimate *e = &out[j * bayes->q + t];

			for (size_t i = 0; i < GRID; i++) {
				double own = 0;

				for (size_t p = 0; p < k; p++) {
					double part = post->root[i * k * k + p * k + j];

					own += part * part;
				}
				mean[i] = post->beta[i * k + j] / bayes->width[j];
				sd[i] = sqrt(own) / bayes->width[j];
			}
			e->value = post->mean[j];
			e->lower = quantile(post, mean, sd, (1 - confidence) / 2);
			e->upper = quantile(post, mean, sd, (1 + confidence) / 2);
		}
}

static void outcome(const void *state, struct ft_surrogate_outcome *out)
{
	const struct bayes *bayes = state;

	*out = (struct ft_surrogate_outcome){.converged = true, .rank = bayes->k, .loss = bayes->loss};
}

const struct ft_solver ft__solver_bayes = {
	.name = "bayes",
	.about = "what was believed of beta, and what the rows make of it",
	.linear = true,
	.solve = solve_bayes,
	.predict = predict,
	.beta = beta,
	.spread = spread,
	.outcome = outcome,
};
