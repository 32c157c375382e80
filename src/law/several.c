/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several.c - laws of two to four parameters: from samples to places, and from the best products to laws. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Each parameter alone: along lines on which the rest are constant, each shape with a level and a slope of
 * its own for each line; without lines, by the power of each parameter in a joint fit. The shapes that
 * explain most are candidates; so are, along lines, the two that do so together, for terms of their own.
 */

/* How far the power of a term may be off that of the whole: there are other terms. */
static const double slope_sd = 0.3;

/* ---- one parameter alone ---------------------------------------------------------------------------------
 */

static bool on_a_line(const struct ft__law_spot *a, const struct ft__law_spot *b, size_t params, size_t along)
{
	for (size_t p = 0; p < params; p++)
		if (p != along && a->x[p] != b->x[p])
			return false;
	return true;
}

/* The residuals of the places on one line for the best level and slope of a shape. Lines of fewer than
 * three places carry no information: *n counts the rest. */
static double line_rest(const struct ft__law_many *many, size_t from, size_t along, size_t shape, size_t *n)
{
	double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0, smm = 0;
	size_t places = 0;

	for (size_t k = from; k < many->n; k++) {
		const struct ft__law_spot *place = &many->place[k];

		if (!on_a_line(&many->place[from], place, many->params, along))
			continue;
		double g = ft__law_shape_value(shape, place->x[along]);
		double w = place->count / (place->mean * place->mean);
		s += w;
		sg += w * g;
		sgg += w * g * g;
		sm += w * place->mean;
		sgm += w * g * place->mean;
		smm += place->count;
		places++;
	}
	if (places < 3)
		return 0;
	*n += places;
	double determinant = s * sgg - sg * sg;
	double c1 = determinant > 1e-14 * s * sgg ? (s * sgm - sg * sm) / determinant : 0;
	double c0 = (sm - c1 * sg) / s;
	if (c1 < 0) {
		c1 = 0;
		c0 = sm / s;
	} else if (c0 < 0) {
		c0 = 0;
		c1 = sgm / sgg;
	}
	return fmax(smm - c0 * sm - c1 * sgm, 0);
}

/* Does a line begin at this place: is it the first of those on it? */
static bool begins_line(const struct ft__law_many *many, size_t k, size_t along)
{
	for (size_t i = 0; i < k; i++)
		if (on_a_line(&many->place[i], &many->place[k], many->params, along))
			return false;
	return true;
}

/* Without lines: the difference between the power of a shape and the fitted one, over the upper half of
 * the data (a logarithm begins at 0). */
static double off_slope(const struct ft__law_many *many, size_t along, size_t shape, double slope)
{
	double least = INFINITY, most = 0;

	for (size_t k = 0; k < many->n; k++) {
		least = fmin(least, many->place[k].x[along]);
		most = fmax(most, many->place[k].x[along]);
	}
	if (isnan(slope))
		return 0;
	double middle = sqrt(least * most);
	double power = log(ft__law_shape_value(shape, most) / ft__law_shape_value(shape, middle)) /
		       log(most / middle);
	return isfinite(power) ? pow((power - slope) / slope_sd, 2) / 2 : (double)INFINITY;
}

static double shape_score(const struct ft__law_many *many, size_t along, size_t shape, const bool *begins,
			  double slope)
{
	double rest = 0;
	size_t n = 0;

	for (size_t k = 0; k < many->n; k++) {
		if (isnan(ft__law_shape_value(shape, many->place[k].x[along])))
			return -INFINITY;
		if (begins[k])
			rest += line_rest(many, k, along, shape, &n);
	}
	if (!n)
		return log(ft__law_prior(shape)) - off_slope(many, along, shape, slope);
	return -many->total / 2 * log(rest + many->scatter + many->floor) + log(ft__law_prior(shape));
}

/* ---- two added terms ------------------------------------------------------------------ */

/* Shapes as usual as the less usual classes; of a line: a level, which is the first column, and each of them.
 */
enum { USUAL = 24 };

struct line {
	unsigned char shape[USUAL];
	size_t n; /* columns */
	double gram[USUAL][USUAL], right[USUAL], square;
	double rest[USUAL][USUAL]; /* of all lines, of each two shapes */
};

/* The places on the line that begins here. Returns how many. */
static size_t take_line(const struct ft__law_many *many, size_t from, size_t along, struct line *line)
{
	size_t places = 0;

	memset(line->gram, 0, sizeof line->gram);
	memset(line->right, 0, sizeof line->right);
	line->square = 0;
	for (size_t k = from; k < many->n; k++) {
		const struct ft__law_spot *place = &many->place[k];
		double g[USUAL];

		if (!on_a_line(&many->place[from], place, many->params, along))
			continue;
		for (size_t i = 0; i < line->n; i++) {
			g[i] = ft__law_shape_value(line->shape[i], place->x[along]) / place->mean;
			line->right[i] += place->count * g[i];
			for (size_t j = 0; j <= i; j++)
				line->gram[i][j] += place->count * g[i] * g[j];
		}
		line->square += place->count;
		places++;
	}
	return places;
}

/* What one or two columns leave, coefficients not negative. */
static double rest_of_two(const struct line *line, size_t i, size_t j)
{
	double a = line->gram[i][i], b = line->gram[i][j], c = line->gram[j][j], u = line->right[i],
	       v = line->right[j];
	double determinant = a * c - b * b, x = (u * c - v * b) / determinant,
	       y = (v * a - u * b) / determinant;

	if (determinant > 1e-14 * a * c && x >= 0 && y >= 0)
		return line->square - x * u - y * v;
	return line->square - fmax(u * u / a, v * v / c);
}

/* What a level and two shapes leave. */
static double rest_of_three(const struct line *line, size_t i, size_t j)
{
	double a = line->gram[0][0], p = line->gram[i][0] / a, q = line->gram[j][0] / a;
	double ii = line->gram[i][i] - p * line->gram[i][0], ij = line->gram[i][j] - p * line->gram[j][0],
	       jj = line->gram[j][j] - q * line->gram[j][0];
	double u = line->right[i] - p * line->right[0], v = line->right[j] - q * line->right[0];
	double determinant = ii * jj - ij * ij, x = (u * jj - v * ij) / determinant,
	       y = (v * ii - u * ij) / determinant, level = line->right[0] / a - p * x - q * y;

	if (determinant > 1e-14 * ii * jj && x >= 0 && y >= 0 && level >= 0)
		return line->square - level * line->right[0] - x * line->right[i] - y * line->right[j];
	return fmin(rest_of_two(line, i, 0), fmin(rest_of_two(line, j, 0), rest_of_two(line, i, j)));
}

/* The two shapes that leave least together. */
static void find_two(struct ft__law_many *many, size_t along, const bool *begins)
{
	struct line line = {.n = 0};
	double best = -INFINITY;
	size_t lines = 0, k;

	for (size_t i = 0; i < FT__LAW_SEVERAL && line.n < USUAL; i++) {
		if (ft__law_prior(i) < 0.25 * ft__law_prior(FT__CONSTANT))
			continue;
		for (k = 0; k < many->n && isfinite(ft__law_shape_value(i, many->place[k].x[along])); k++)
			;
		if (k == many->n)
			line.shape[line.n++] = (unsigned char)i;
	}
	for (k = 0; k < many->n; k++) {
		if (!begins[k] || take_line(many, k, along, &line) < 4)
			continue;
		lines++;
		for (size_t i = 2; i < line.n; i++)
			for (size_t j = 1; j < i; j++)
				line.rest[i][j] += fmax(rest_of_three(&line, i, j), 0);
	}
	for (size_t i = 2; i < line.n && lines; i++)
		for (size_t j = 1; j < i; j++) {
			double score = -many->total / 2 * log(line.rest[i][j] + many->scatter + many->floor) +
				       log(ft__law_prior(line.shape[i]) * ft__law_prior(line.shape[j]));

			if (score <= best)
				continue;
			best = score;
			many->two[along][0] = line.shape[i];
			many->two[along][1] = line.shape[j];
		}
}

/* law_find_shapes - for each parameter alone the shapes that explain most. (several.c) */
static enum ft_status law_find_shapes(struct ft__law_many *many, struct ft_err *err)
{
	size_t most = many->params == 2 ? FT__SHAPES_MOST : 4;
	bool *begins = ft_malloc(many->n * sizeof *begins);
	double slope[FT_LAW_PARAMS];

	if (!begins)
		return ft_nomem(err);
	/* ln of the value as a sum over the parameters, by least squares: the power of each in the joint fit. NaN:
	 * a size is 0, or they cannot be separated. */
	double m[(FT_LAW_PARAMS + 1) * (FT_LAW_PARAMS + 1)] = {0}, right[FT_LAW_PARAMS + 1] = {0};
	double z[FT_LAW_PARAMS + 1];
	size_t n = many->params + 1;
	bool good = true;

	for (size_t k = 0; k < many->n; k++) {
		for (size_t i = 0; i < many->params; i++)
			z[i] = log(many->place[k].x[i]);
		z[many->params] = 1;
		for (size_t i = 0; i < n; i++) {
			good = good && isfinite(z[i]);
			right[i] += z[i] * log(many->place[k].mean);
			for (size_t j = 0; j < n; j++)
				m[i * n + j] += z[i] * z[j];
		}
	}
	for (size_t i = 0; i < n; i++)
		m[i * n + i] *= 1 + 1e-9;
	good = good && ft_chol_factor(m, n);
	if (good)
		ft_chol_solve(m, n, right, 1);
	for (size_t i = 0; i < many->params; i++)
		slope[i] = good ? right[i] : (double)NAN;
	for (size_t p = 0; p < many->params; p++) {
		double score[FT__LAW_SEVERAL];

		for (size_t k = 0; k < many->n; k++)
			begins[k] = begins_line(many, k, p);
		for (size_t i = 0; i < FT__LAW_SEVERAL; i++)
			score[i] = i == FT__CONSTANT ? (double)-INFINITY
						     : shape_score(many, p, i, begins, slope[p]);
		for (size_t j = 0; j < most; j++) {
			size_t best = 0;

			for (size_t i = 1; i < FT__LAW_SEVERAL; i++)
				if (score[i] > score[best])
					best = i;
			if (isinf(score[best]))
				break;
			many->shape[p][many->shapes[p]++] = (unsigned char)best;
			score[best] = -INFINITY;
		}
		if (many->params > 2)
			find_two(many, p, begins);
	}
	ft_free(begins);
	return FT_OK;
}

/*
 * Laws of two to four parameters: from samples to places, and from the best products to laws.
 */

enum { PLACES_LEAST = 4 };

/* For columns of length 1, the least square of the part that is independent of the rest: of nearly equal
   columns the sum is known, but not each. */
static const double hardly = 1e-12;

/* ---- places -------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct ft_law_place *s = a, *t = b;

	for (size_t p = 0; p < FT_LAW_PARAMS; p++)
		if (s->x[p] != t->x[p])
			return s->x[p] < t->x[p] ? -1 : 1;
	return (s->value > t->value) - (s->value < t->value);
}

static enum ft_status check_samples(const struct ft_law_place *sample, size_t n, size_t params,
				    struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		bool good = isfinite(sample[i].value) && sample[i].value >= 0 &&
			    ft__law_has_square(sample[i].value);

		for (size_t p = 0; p < params; p++)
			good &= isfinite(sample[i].x[p]) && sample[i].x[p] >= 0;
		if (!good)
			return ft_fail(err, FT_EINVAL, "sample %zu (value %g) obeys no law", i,
				       sample[i].value);
	}
	return FT_OK;
}

static bool places_differ(const struct ft_law_place *a, const struct ft_law_place *b)
{
	size_t p;

	for (p = 0; p < FT_LAW_PARAMS && a->x[p] == b->x[p]; p++)
		;
	return p < FT_LAW_PARAMS;
}

/* Places by number, so that samples at one place are winsorised and averaged as those at one size are. */
static void gather_places(struct ft__law_many *many, struct ft_law_place *sorted, size_t n,
			  struct ft_law_sample *numbered, struct ft_law_knot *knot, double *work)
{
	size_t k = 0, sizes;

	for (size_t i = 0; i < n; i++) {
		if (i && places_differ(&sorted[i], &sorted[i - 1]))
			k++;
		numbered[i] = (struct ft_law_sample){(double)k, sorted[i].value};
		memcpy(many->place[k].x, sorted[i].x, sizeof sorted[i].x);
	}
	ft__law_knots(numbered, n, knot, &sizes, work);
	many->n = sizes;
	for (k = 0; k < sizes; k++) {
		many->place[k].mean = knot[k].mean;
		many->place[k].count = (double)knot[k].count;
		many->total += many->place[k].count;
		many->scatter += knot[k].scatter;
	}
	many->floor = 1e-8 * many->total;
}

static enum ft_status check_places(const struct ft__law_many *many, struct ft_laws_many *out,
				   struct ft_err *err)
{
	if (many->n < PLACES_LEAST) {
		(void)ft_fail(err, FT_ENOMODEL, "%zu sizes are too few for a law of %zu parameters", many->n,
			      many->params);
		(void)ft_remedy(err,
				"measure five values of each parameter with the others constant, and some "
				"sizes in which several differ");
		return FT_ENOMODEL;
	}
	for (size_t p = 0; p < many->params; p++) {
		out->least[p] = out->most[p] = many->place[0].x[p];
		for (size_t k = 0; k < many->n; k++) {
			out->least[p] = fmin(out->least[p], many->place[k].x[p]);
			out->most[p] = fmax(out->most[p], many->place[k].x[p]);
		}
		if (out->least[p] == out->most[p])
			return ft_fail(err, FT_ENOMODEL, "parameter %zu is %g everywhere: it has no law",
				       p + 1, out->least[p]);
	}
	for (size_t k = 0; k < many->n; k++)
		if (!(many->place[k].mean > 0))
			return ft_fail(
				err, FT_ENOMODEL,
				"the value is 0 somewhere: laws of several parameters are of values over 0");
	return FT_OK;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static double growth(const struct ft__product *law, const struct ft_laws_many *laws, size_t column)
{
	double value = law->c[column];

	for (size_t p = 0; p < laws->params; p++)
		if (column >> p & 1)
			value *= ft__law_shape_value(law->shape[column][p], laws->most[p]);
	return value;
}

/* Columns other than the constant, the largest at the largest place first. */
static size_t order_columns(const struct ft__product *law, const struct ft_laws_many *laws, size_t *column)
{
	size_t i, n = 0;

	for (size_t j = 1; j < (size_t)1 << laws->params; j++) {
		if (!law->in[j])
			continue;
		for (i = n++; i > 0 && growth(law, laws, column[i - 1]) < growth(law, laws, j); i--)
			column[i] = column[i - 1];
		column[i] = j;
	}
	return n;
}

/* The covariance of coefficients from least squares: deviation^2 (A' A)^-1, rows relative to the law. */
static void take_covariance(const struct ft__law_many *many, const struct ft__product *law,
			    const size_t *column, size_t n, struct ft_law_candidate *out)
{
	double m[FT__COLUMNS * FT__COLUMNS] = {0}, half[FT__COLUMNS * FT__COLUMNS];
	double scale[FT__COLUMNS], variance;

	for (size_t k = 0; k < many->n; k++) {
		double value = 0, z[FT__COLUMNS];

		for (size_t i = 0; i < n; i++) {
			z[i] = ft__law_column(many, law, k, column[i]);
			value += law->c[column[i]] * z[i];
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				m[i * n + j] += many->place[k].count * z[i] * z[j] / (value * value);
	}
	for (size_t i = 0; i < n; i++)
		scale[i] = m[i * n + i] > 0 ? 1 / sqrt(m[i * n + i]) : 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			m[i * n + j] = m[i * n + j] * scale[i] * scale[j] + (i == j ? hardly : 0);
	if (!ft_chol_factor(m, n))
		return;
	ft_chol_invert(m, n, half);
	variance = (law->square + many->scatter + many->floor) / fmax(many->total - (double)n, 1);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t k = 0; k < n; k++)
				out->covariance[i][j] +=
					variance * half[k * n + i] * half[k * n + j] * scale[i] * scale[j];
}

static void take_law(const struct ft__law_many *many, const struct ft__product *law,
		     const struct ft_laws_many *laws, struct ft_law_candidate *out)
{
	size_t column[FT__COLUMNS], n, i, p;

	*out = (struct ft_law_candidate){.weight = law->score};
	out->law.params = laws->params;
	out->law.constant = law->c[0];
	n = order_columns(law, laws, column + 1);
	column[0] = 0;
	out->law.terms = n;
	for (i = 0; i < n; i++) {
		out->law.term[i].c = law->c[column[i + 1]];
		for (p = 0; p < laws->params; p++)
			if (column[i + 1] >> p & 1)
				out->law.term[i].factor[p] = ft__law_factor(law->shape[column[i + 1]][p]);
	}
	if (law->in[0])
		take_covariance(many, law, column, n + 1, out);
	else {
		struct ft_law_candidate without = {0};

		take_covariance(many, law, column + 1, n, &without);
		for (i = 0; i < n; i++)
			memcpy(&out->covariance[i + 1][1], without.covariance[i], n * sizeof(double));
	}
}

static void take_residuals(const struct ft__law_many *many, struct ft_laws_many *out)
{
	double sum = 0, logs = 0;

	for (size_t k = 0; k < many->n; k++) {
		double mean = many->place[k].mean,
		       value = ft_law_value(&out->candidate[0].law, many->place[k].x);

		sum += (mean - value) * (mean - value);
		logs += log(mean / value) * log(mean / value);
	}
	out->residual = sqrt(sum);
	out->residual_ln = isfinite(logs) ? sqrt(logs) : (double)NAN;
}

/* A term with a share s (x / most) of the law's value is undetectable if s is below the error of least
 * squares: one deviation is that of a run over the root of sum R (x / most)^2. The odds that there is such
 * a term are 1 to the root of the number of runs (Schwarz); the combined moments of both cases are
 * reported. */
static void take_hidden(const struct ft__law_many *many, double square, struct ft_laws_many *out)
{
	double variance = (square + many->scatter + many->floor) /
			  fmax(many->total - 1 - (double)out->candidate[0].law.terms, 1);

	for (size_t p = 0; p < out->params; p++) {
		double sum = 0;

		for (size_t k = 0; k < many->n; k++)
			sum += many->place[k].count * pow(many->place[k].x[p] / out->most[p], 2);
		out->hidden[p] = sqrt(variance / sum / (1 + sqrt(many->total)));
	}
}

static void take_products(const struct ft__law_many *many, const struct ft__product *kept, size_t n,
			  struct ft_laws_many *out)
{
	double top = kept[0].score, sum = 0, dof = many->total - (double)many->n;
	size_t i;

	for (i = 0; i < n && kept[i].score > top - FT__LAW_NEGLIGIBLE; i++) {
		take_law(many, &kept[i], out, &out->candidate[i]);
		out->candidate[i].weight = exp(kept[i].score - top);
		sum += out->candidate[i].weight;
	}
	out->candidates = i;
	for (i = 0; i < out->candidates; i++)
		out->candidate[i].weight /= sum;
	out->misfit = sqrt(kept[0].square / many->total);
	out->exact = kept[0].square + many->scatter < 1e-12 * many->total;
	out->noise = dof > 0 ? sqrt(many->scatter / dof) : (double)NAN;
	out->places = many->n;
	out->runs = (size_t)many->total;
	take_residuals(many, out);
	take_hidden(many, kept[0].square, out);
}

enum ft_status ft_laws_fit_many(struct ft_laws_many *out, const struct ft_law_place *sample, size_t n,
				size_t params, struct ft_err *err)
{
	struct ft__law_many many = {.params = params};
	struct ft__product kept[FT_LAW_CANDIDATES];
	size_t found = 0;

	assert(params >= 2 && params <= FT_LAW_PARAMS);
	*out = (struct ft_laws_many){.params = params};
	enum ft_status status = check_samples(sample, n, params, err);
	if (!status) {
		struct ft_law_place *sorted = ft_calloc(n + 1, sizeof *sorted);
		struct ft_law_sample *numbered = ft_malloc((n + 1) * sizeof *numbered);
		struct ft_law_knot *knot = ft_malloc((n + 1) * sizeof *knot);
		double *work = ft_malloc((n + 1) * sizeof *work);
		many.place = ft_calloc(n + 1, sizeof *many.place);
		many.a = ft_malloc((n + 1) * (2 * FT__COLUMNS + 1 + FT_LAW_PARAMS * FT__OPTIONS) *
				   sizeof *many.a);
		if (sorted && numbered && knot && work && many.place && many.a) {
			many.columns = many.a + n * FT__COLUMNS;
			many.y = many.columns + n * FT__COLUMNS;
			many.factors = many.y + n;
			for (size_t i = 0; i < n; i++) {
				for (size_t p = 0; p < many.params; p++)
					sorted[i].x[p] = sample[i].x[p] +
							 0.0; /* no -0, which is another 0 to memcmp */
				sorted[i].value = sample[i].value;
			}
			qsort(sorted, n, sizeof *sorted, by_place);
			gather_places(&many, sorted, n, numbered, knot, work);
		} else {
			status = ft_nomem(err);
		}
		ft_free(work);
		ft_free(knot);
		ft_free(numbered);
		ft_free(sorted);
	}
	if (!status)
		status = check_places(&many, out, err);
	if (!status)
		status = law_find_shapes(&many, err);
	if (!status)
		found = ft__law_find_products(&many, kept);
	if (!status && !found)
		status = ft_fail(err, FT_ENOMODEL, "no law of this form is finite at all of these sizes");
	if (!status)
		take_products(&many, kept, found, out);
	else
		*out = (struct ft_laws_many){0};
	ft_free(many.place);
	ft_free(many.a);
	return status;
}

double ft__law_deviation(const struct ft_law_candidate *candidate, const double *x)
{
	double z[FT_LAW_TERMS + 1], sum = 0;
	size_t n = candidate->law.terms + 1;

	for (size_t i = 0; i < n; i++) {
		struct ft_law one = {.params = candidate->law.params, .constant = i ? 0 : 1};

		if (i) {
			one.terms = 1;
			one.term[0] = candidate->law.term[i - 1];
			one.term[0].c = 1;
		}
		z[i] = ft_law_value(&one, x);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			sum += z[i] * z[j] * candidate->covariance[i][j];
	return sqrt(fmax(sum, 0));
}

double ft_laws_hidden(const struct ft_laws_many *laws, const double *x)
{
	double sum = 0;

	for (size_t p = 0; p < laws->params; p++)
		sum += log1p(laws->hidden[p] * fmax(x[p] / laws->most[p] - 1, 0));
	return sum;
}

enum ft_status ft_laws_predict_many(const struct ft_laws_many *laws, const double *x, double confidence,
				    enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err)
{
	struct ft__law_belief belief = {0};
	double noise = 0;

	*out = (struct ft_law_prediction){0};
	for (size_t p = 0; p < laws->params; p++)
		if (ft__law_ask(x[p], confidence, err))
			return FT_EINVAL;
	if (of == FT_LAW_RUN)
		noise = isnan(laws->noise) ? laws->misfit : laws->noise;
	double hidden = ft_laws_hidden(laws, x);
	for (size_t i = 0; i < laws->candidates; i++) {
		double value = ft_law_value(&laws->candidate[i].law, x), known;

		if (!(value > 0) || isinf(value))
			continue;
		known = hypot(ft__law_deviation(&laws->candidate[i], x) / value, hidden);
		belief.ln[belief.n] = log(value);
		belief.error[belief.n] = ft__law_error(known, noise);
		belief.weight[belief.n++] = laws->candidate[i].weight;
	}
	if (!belief.n)
		return ft_fail(err, FT_EINVAL, "the law has no value there");
	ft__law_bin(&belief);
	out->value = laws->exact ? ft_law_value(&laws->candidate[0].law, x) : ft__law_tent(&belief);
	out->median = exp(ft__law_quantile(&belief, 0.5));
	out->lower = fmin(exp(ft__law_quantile(&belief, (1 - confidence) / 2)) * (1 - 1e-3), out->value);
	out->upper = fmax(exp(ft__law_quantile(&belief, (1 + confidence) / 2)) * (1 + 1e-3), out->value);
	out->wide_lower = out->lower;
	out->wide_upper = out->upper;
	return FT_OK;
}
