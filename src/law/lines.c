/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - of several parameters each one alone: along lines on which the others stand still, each shape
 * with a level and a slope of its own for each line; without lines, by the power of each parameter beside
 * those of the others. The shapes that explain most are candidates; so are, along lines, the two that do
 * together, for terms of their own. */
#include "base/alloc.h"
#include "law/many.h"
#include "num/cholesky.h"

#include <math.h>
#include <string.h>

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

/* What is left of the places on one line when a shape has its best level and slope there. Lines of fewer than
 * three places say nothing: *n counts the others' places. */
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

/* ln of the value as a sum over the parameters, by least squares: the power of each beside the others'. NaN:
 * a size is 0, or they cannot be told apart. */
static void find_slopes(const struct ft__law_many *many, double *slope)
{
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
}

/* Where no places lie on lines: how far the power of a shape is off what all places say, over the upper half
 * of the data (a logarithm begins at 0). */
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

/* ---- two terms of it beside each other ------------------------------------------------------------------
 */

/* Shapes as usual as the less usual classes; of a line: a level, which is the first column, and each of them.
 */
enum { USUAL = 24 };

struct line {
	unsigned char shape[USUAL];
	size_t n; /* columns */
	double gram[USUAL][USUAL], right[USUAL], square;
	double rest[USUAL][USUAL]; /* of all lines, of each two shapes */
};

static void choose_usual(const struct ft__law_many *many, size_t along, struct line *line)
{
	size_t k;

	for (size_t i = 0; i < FT__LAW_SEVERAL && line->n < USUAL; i++) {
		if (ft__law_prior(i) < 0.25 * ft__law_prior(FT__CONSTANT))
			continue;
		for (k = 0; k < many->n && isfinite(ft__law_shape_value(i, many->place[k].x[along])); k++)
			;
		if (k == many->n)
			line->shape[line->n++] = (unsigned char)i;
	}
}

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
	size_t lines = 0;

	choose_usual(many, along, &line);
	for (size_t k = 0; k < many->n; k++) {
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

enum ft_status ft__law_find_shapes(struct ft__law_many *many, struct ft_err *err)
{
	size_t most = many->params == 2 ? FT__SHAPES_MOST : 4;
	bool *begins = ft_malloc(many->n * sizeof *begins);
	double slope[FT_LAW_PARAMS];

	if (!begins)
		return ft_nomem(err);
	find_slopes(many, slope);
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
