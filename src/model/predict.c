/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - what a band says of a size: at a knot, between knots, beyond them. */
#include "model/band.h"
#include "num/stats.h"

#include <math.h>

/* A gap that errs so much after all is no smooth piece: beside its knots it errs as in its middle. */
static const double rough_error = 0.1;

/* Its error is what four in five are within: of the normal law, so many standard deviations. From jump_error
 * on it is what sizes jump by, which is not normal: so many lie as far away as that. */
static const double normal_80 = 1.2816, jump_error = 0.2;

static const char *const basis_texts[] = {
#define TEXT(name, words) words,
	FT_BASIS_LIST(TEXT)
#undef TEXT
};

const char *ft_basis_text(enum ft_basis basis)
{
	return (size_t)basis < sizeof basis_texts / sizeof *basis_texts ? basis_texts[basis] : "unknown";
}

static const char *const level_texts[] = {
#define TEXT(name, words) words,
	FT_LEVEL_LIST(TEXT)
#undef TEXT
};

const char *ft_level_text(enum ft_level level)
{
	return (size_t)level < sizeof level_texts / sizeof *level_texts ? level_texts[level] : "unknown";
}

/* The last knot at or left of x; x is inside. */
static size_t find_knot(const struct ft_model *model, double x)
{
	size_t low = 0, high = model->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (model->knot[middle].x <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void ft__band_interval(const struct ft_model *model, double sd, double confidence, struct ft_prediction *out)
{
	double z = model->spread * ft_normal_quantile((1 + confidence) / 2);
	double factor = exp(fmin(z * sd, 700)), shifted = out->value + model->offset;

	out->lower = fmax(0, shifted / factor - model->offset);
	out->upper = fmin(shifted * factor - model->offset, 1e300);
}

static void at_knot(const struct ft_model *model, size_t j, double confidence, struct ft_prediction *out)
{
	const struct ft_knot *k = &model->knot[j];
	double s = ft__band_run_noise(model, k->x, confidence);

	out->value = k->value;
	out->basis = FT_BASIS_AT_KNOT;
	out->runs = k->runs;
	ft__band_interval(model, hypot(s * sqrt(1 + 1 / (double)k->runs), M_SQRT2 * model->drift), confidence,
			  out);
}

/* The standard deviation that a gap's error stands for. */
static double deviation(double error)
{
	return error / (1 + (normal_80 - 1) * fmax(0, 1 - error / jump_error));
}

static void between(const struct ft_model *model, size_t j, double x, double work, double confidence,
		    struct ft_prediction *out)
{
	const struct ft_knot *k = &model->knot[j];
	struct ft__end a = ft__band_end(model, j), b = ft__band_end(model, j + 1);
	double at = ft__band_x(model, x), u = (at - a.at) / (b.at - a.at), e = deviation(model->gap_error[j]);
	double knots = (1 - u) * (1 - u) / (double)k[0].runs + u * u / (double)k[1].runs, d = model->drift;
	double rough = fmin(1, e / rough_error), shape = e * e * fmax(4 * u * (1 - u), rough * rough);
	struct ft__noise s = ft__band_noises(model, x, confidence);
	double repeated = s.repeated * s.repeated * (1 + knots),
	       residual = s.residual * s.residual * (1 + knots);

	/* Both are made of the same residuals: of a smooth piece the larger one counts. */
	residual -= (1 - rough * rough) * fmin(residual, shape);
	out->value = fmax(0, exp(ft__shape_level(k->shape, &a, &b, x, at, work)) - model->offset);
	out->basis = FT_BASIS_BETWEEN;
	out->runs = k[0].runs + k[1].runs;
	ft__band_interval(model, sqrt(repeated + residual + d * d * (1 + (1 - u) * (1 - u) + u * u) + shape),
			  confidence, out);
}

enum ft_status ft_model_predict(const struct ft_model *model, double x, double work, double confidence,
				struct ft_prediction *out, struct ft_err *err)
{
	size_t j;

	*out = (struct ft_prediction){.distance = 1};
	if (!isfinite(x))
		return ft_fail(err, FT_EINVAL, "a size must be a finite number");
	if (!(confidence >= 0.5 && confidence <= 0.999))
		return ft_fail(err, FT_EINVAL, "a confidence of %g is not within 0.5 and 0.999", confidence);
	if (!isnan(work) && !(work > 0 && isfinite(work)))
		return ft_fail(err, FT_EINVAL, "the work at size %g is %g, not positive", x, work);
	if (x < model->knot[0].x || x > model->knot[model->n - 1].x) {
		if (x <= 0)
			return ft_fail(err, FT_EINVAL, "size %g is not positive, and outside the data", x);
		return ft__band_beyond(model, x, work, confidence, out, err);
	}
	j = find_knot(model, x);
	if (model->knot[j].x == x)
		at_knot(model, j, confidence, out);
	else
		between(model, j, x, work, confidence, out);
	return FT_OK;
}
