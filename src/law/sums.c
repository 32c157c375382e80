/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sums.c - sums of one or two terms, and perhaps a constant, of either sign and in values of either sign.
 *
 * The shares of a surrogate may be negative, and one that grows ever slower is a logarithm minus a line (004
 * 7.2, figure 10.7). The terms are those of all laws: each alone, families with a fitted parameter, pairs of
 * the common ones. A sum of p coefficients has the weight
 *
 *	ln w = -(N - p)/2 ln SS - p/2 ln N - sum (c / M)^2 / 2 + ln prior:
 *
 * coefficients c, at the largest size, are integrated away: their prior is as wide as the largest value M
 * (two large ones that cancel are less likely), and so is the size of the errors. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

enum {
	MOST = FT_LAW_SUM_TERMS + 1, /* coefficients */
	FAMILIES = 2,                /* those of one term */
	NODES = 5,                   /* of each family */
	FIRST_NODE = FT_LAW_SHAPES,
	LOOK = FIRST_NODE + FAMILIES * NODES, /* what is only looked at: no choice that is kept has it */
	COLUMNS,
	GRID = 24, /* numbers of a family that are looked at first */
	CLOSER = 6 /* how often the step is halved then */
};

/* What is less than this share of the largest value counts as if it were so much: it has errors of its own.
 */
static const double faint = 0.01;

/* No sum is nearer than this, relative. */
static const double exact = 1e-6;

/* The prior of all pairs together, relative to all single terms; as in law.c. */
static const double second_prior = 0.15;

/* The least part of a column that is independent of those before. */
static const double hardly = 1e-5;

/* Terms of less than 2^-steep of their most at one end of the data are looked for in no data. */
static const double steep = 60;

/* Nodes of a family reach to where it is so many nats less likely. */
static const double reach = 4.5;

struct sums_column {
	struct ft_law_factor factor;
	double prior; /* ln */
	double scale; /* its value at the largest size; NaN: it does not exist everywhere */
	double *g;    /* [n] weighted, scaled */
};

/* A choice of columns, and what came of it. */
struct choice {
	size_t p, column[MOST];
	double c[MOST]; /* of the scaled columns */
	double square, score;
	double r[MOST][MOST]; /* columns = orthonormal ones times r */
};

struct law_sums {
	const struct ft_law_knot *knot;
	size_t n, kept;
	double total, scatter; /* counts; sum of squares within sizes, relative as all is */
	double largest;        /* of values */
	double *root, *y;      /* [n] roots of weights; weighted means */
	double *q;             /* [MOST + 1][n] room: orthonormal columns, and what is left */
	struct sums_column column[COLUMNS];
	struct choice best[FT_LAW_CANDIDATES]; /* in order */
};

/* ---- one sum ------------------------------------------------------------------------------------------- */

/* A column made orthogonal to those before it; twice is enough. False: it depends on them. */
static bool orthogonalise(const struct law_sums *s, struct choice *choice, size_t j)
{
	double *q = s->q + j * s->n;

	memcpy(q, s->column[choice->column[j]].g, s->n * sizeof *q);
	double whole = sqrt(ft_dot(q, q, s->n));
	for (size_t round = 0; round < 2; round++)
		for (size_t i = 0; i < j; i++) {
			double along = ft_dot(s->q + i * s->n, q, s->n);

			choice->r[i][j] += along;
			ft_axpy(q, -along, s->q + i * s->n, s->n);
		}
	double left = sqrt(ft_dot(q, q, s->n));
	choice->r[j][j] = left;
	if (!(left > hardly * whole) || !isfinite(left))
		return false;
	for (size_t i = 0; i < s->n; i++)
		q[i] /= left;
	return true;
}

/* Least squares by Gram and Schmidt (Golub & Van Loan, 4th ed., sec. 5.2.8), and the score; false: the
 * coefficients are not determined. */
static bool solve_choice(const struct law_sums *s, struct choice *choice)
{
	double *left = s->q + MOST * s->n, z[MOST], count = s->total, p = (double)choice->p;

	memset(choice->r, 0, sizeof choice->r);
	memcpy(left, s->y, s->n * sizeof *left);
	for (size_t j = 0; j < choice->p; j++) {
		if (!orthogonalise(s, choice, j))
			return false;
		z[j] = ft_dot(s->q + j * s->n, left, s->n);
		ft_axpy(left, -z[j], s->q + j * s->n, s->n);
	}
	for (size_t j = choice->p; j-- > 0;) {
		choice->c[j] = z[j];
		for (size_t i = j + 1; i < choice->p; i++)
			choice->c[j] -= choice->r[j][i] * choice->c[i];
		choice->c[j] /= choice->r[j][j];
	}
	choice->square = ft_dot(left, left, s->n);
	choice->score = -(count - p) / 2 * log((choice->square + s->scatter) / count + exact * exact) -
			p / 2 * log(count) -
			ft_dot(choice->c, choice->c, choice->p) / (s->largest * s->largest) / 2;
	return true;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

static void set_column(struct law_sums *s, size_t index, const struct ft_law_factor *factor, double prior)
{
	struct sums_column *column = &s->column[index];
	bool exists = true;

	column->factor = *factor;
	column->prior = log(prior);
	column->scale = ft__law_factor_value(factor, s->knot[s->n - 1].x);
	for (size_t k = 0; k < s->n; k++) {
		double g = ft__law_factor_value(factor, s->knot[k].x) / column->scale;

		column->g[k] = g * s->root[k];
		exists = exists && isfinite(g) && (g == 0 || fabs(log2(g)) <= steep); /* log2(1) is 0 */
	}
	if (!exists || !(column->scale > 0) || isinf(column->scale))
		column->scale = (double)NAN;
}

/* Keep the best, in order. */
static void offer_choice(struct law_sums *s, const struct choice *choice)
{
	size_t i;

	if (s->kept == FT_LAW_CANDIDATES) {
		if (s->best[s->kept - 1].score >= choice->score)
			return;
		s->kept--;
	}
	for (i = s->kept++; i && s->best[i - 1].score < choice->score; i--)
		s->best[i] = s->best[i - 1];
	s->best[i] = *choice;
}

/* The columns of a choice, where there are more sizes than coefficients; the score with this prior. */
static bool try_columns(const struct law_sums *s, struct choice *choice, double prior)
{
	if (s->n < choice->p + 1 || !solve_choice(s, choice))
		return false;
	choice->score += prior;
	return true;
}

/* One term, alone and with a constant: the better score; offered where wanted. */
static double try_single(struct law_sums *s, size_t index, bool keep)
{
	struct choice alone = {.p = 1, .column = {index}}, with = {.p = 2, .column = {FT__CONSTANT, index}};
	double best = -INFINITY, prior = s->column[index].prior;

	if (isnan(s->column[index].scale))
		return best;
	if (try_columns(s, &alone, prior)) {
		best = alone.score;
		if (keep)
			offer_choice(s, &alone);
	}
	if (index != FT__CONSTANT && try_columns(s, &with, prior)) {
		best = fmax(best, with.score);
		if (keep)
			offer_choice(s, &with);
	}
	return best;
}

/* ---- families ------------------------------------------------------------------------------------------ */

static double try_power(struct law_sums *s, size_t family, double at)
{
	const struct ft__law_family *f = &ft__law_families[family];
	struct ft_law_factor factor = f->factor(at, s->knot[0].x, s->knot[s->n - 1].x - s->knot[0].x);

	if (at < f->low || at > f->high)
		return -INFINITY;
	set_column(s, LOOK, &factor, 1);
	return try_single(s, LOOK, false);
}

/* The likeliest number: on a grid, which is brought closer around the best. */
static double find_number(struct law_sums *s, size_t family, double *top)
{
	const struct ft__law_family *f = &ft__law_families[family];
	double step = (f->high - f->low) / GRID, best = f->low, score;

	*top = -INFINITY;
	for (size_t i = 0; i <= GRID; i++) {
		score = try_power(s, family, f->low + step * (double)i);
		best = score > *top ? f->low + step * (double)i : best;
		*top = fmax(*top, score);
	}
	for (size_t i = 0; i < 2 * (size_t)CLOSER; i++) {
		double below = try_power(s, family, best - step / 2),
		       above = try_power(s, family, best + step / 2);

		step /= 2;
		if (fmax(below, above) <= *top)
			continue;
		best += above > below ? step : -step;
		*top = fmax(below, above);
	}
	return best;
}

/* A plain number that is as likely, or the one given. */
static double simplify(struct law_sums *s, size_t family, double best, double top)
{
	const struct ft__law_family *f = &ft__law_families[family];
	double at;

	for (int i = 0; !isnan(at = f->simple(best, s->knot[s->n - 1].x - s->knot[0].x, i)); i++)
		if (try_power(s, family, at) >= top - 0.02)
			return at;
	return best;
}

/* How far from the best the family is `reach` nats less likely. */
static double width_of(struct law_sums *s, size_t family, double best, double top)
{
	const struct ft__law_family *f = &ft__law_families[family];
	double width = 1e-6 * (f->high - f->low);

	while (width < f->high - f->low &&
	       fmax(try_power(s, family, best - width), try_power(s, family, best + width)) > top - reach)
		width *= 2;
	return width;
}

static void try_family(struct law_sums *s, size_t family)
{
	const struct ft__law_family *f = &ft__law_families[family];
	double top, best = find_number(s, family, &top), step, span = s->knot[s->n - 1].x - s->knot[0].x;
	size_t first = FIRST_NODE + family * NODES;

	if (isinf(top))
		return;
	best = simplify(s, family, best, top);
	step = 2 * width_of(s, family, best, top) / NODES;
	for (size_t i = 0; i < NODES; i++) {
		double at = best + step * ((double)i - (NODES - 1) / 2.0);
		struct ft_law_factor factor = f->factor(at, s->knot[0].x, span);

		if (at < f->low || at > f->high)
			continue;
		set_column(s, first + i, &factor,
			   f->prior * ft__law_prior(FT__CONSTANT) * step / (f->high - f->low));
		(void)try_single(s, first + i, true);
	}
}

/* ---- all together -------------------------------------------------------------------------------------- */

static enum ft_status begin_sums(struct law_sums *s, const struct ft_law_knot *knot, size_t n,
				 struct ft_err *err)
{
	double *room = ft_malloc(n * (COLUMNS + MOST + 3) * sizeof *room);

	*s = (struct law_sums){.knot = knot, .n = n};
	if (!room)
		return ft_nomem(err);
	s->root = room;
	s->y = s->root + n;
	s->q = s->y + n;
	for (size_t i = 0; i < COLUMNS; i++) {
		s->column[i].g = s->q + (MOST + 1 + i) * n;
		s->column[i].scale = (double)NAN;
	}
	for (size_t k = 0; k < n; k++)
		s->largest = fmax(s->largest, fabs(knot[k].mean));
	for (size_t k = 0; k < n; k++) {
		double unit = fmax(fabs(knot[k].mean), faint * s->largest), share = knot[k].mean / unit;

		s->root[k] = sqrt((double)knot[k].count) / unit;
		s->y[k] = s->root[k] * knot[k].mean;
		s->total += (double)knot[k].count;
		s->scatter += knot[k].scatter * share * share;
	}
	for (size_t i = 0; i < FT_LAW_SHAPES; i++) {
		struct ft_law_factor factor = ft__law_factor(i);

		set_column(s, i, &factor, ft__law_prior(i));
	}
	return FT_OK;
}

/* The sum in its own units, the term that is most at the largest size first. */
static void take_sum(const struct law_sums *s, const struct choice *choice, struct ft_law_candidate *out)
{
	double inverse[MOST][MOST] = {0}, error[MOST], variance;
	size_t place[MOST], i, j, k, from = choice->column[0] == FT__CONSTANT, p = choice->p;

	*out = (struct ft_law_candidate){.law.params = 1, .law.terms = p - from};
	for (i = 0; i < p; i++)
		place[i] = i < from ? 0 : 1 + i - from;
	if (p - from == 2 && fabs(choice->c[p - 1]) > fabs(choice->c[p - 2])) {
		place[p - 1] = 1;
		place[p - 2] = 2;
	}
	for (i = 0; i < p; i++) {
		const struct sums_column *column = &s->column[choice->column[i]];

		error[i] = 1 / column->scale;
		if (!place[i]) {
			out->law.constant = choice->c[i]; /* 1 at any size */
			continue;
		}
		out->law.term[place[i] - 1].c = choice->c[i] / column->scale;
		out->law.term[place[i] - 1].factor[0] = column->factor;
	}
	for (i = 0; i < p; i++) /* of r */
		for (j = i; j < p; j++) {
			inverse[i][j] = i == j;
			for (k = i; k < j; k++)
				inverse[i][j] -= inverse[i][k] * choice->r[k][j];
			inverse[i][j] /= choice->r[j][j];
		}
	variance = (choice->square + s->scatter) / fmax(s->total - (double)p, 1);
	for (i = 0; i < p; i++)
		for (j = 0; j < p; j++)
			for (k = 0; k < p; k++)
				out->covariance[place[i]][place[j]] +=
					variance * inverse[i][k] * inverse[j][k] * error[i] * error[j];
}

static void take_sums(struct ft_law_sums *out, const struct law_sums *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->kept && s->best[i].score > s->best[0].score - FT__LAW_NEGLIGIBLE; i++) {
		take_sum(s, &s->best[i], &out->candidate[i]);
		out->candidate[i].weight = exp(s->best[i].score - s->best[0].score);
		sum += out->candidate[i].weight;
	}
	out->candidates = i;
	for (i = 0; i < out->candidates; i++)
		out->candidate[i].weight /= sum;
	double rest = 0, whole = 0, mean = 0, dof = s->total - (double)s->n;

	for (size_t k = 0; k < s->n; k++)
		mean += s->knot[k].mean / (double)s->n;
	for (size_t k = 0; k < s->n; k++) {
		double off = s->knot[k].mean - ft_law_value(&out->candidate[0].law, &s->knot[k].x);

		rest += off * off;
		whole += (s->knot[k].mean - mean) * (s->knot[k].mean - mean);
	}
	out->residual = sqrt(rest);
	out->r2 = whole > 1e-24 * ft_dot(s->y, s->y, s->n) * mean * mean ? 1 - rest / whole : (double)NAN;
	out->misfit = sqrt(s->best[0].square / s->total);
	out->noise = dof > 0 ? sqrt(s->scatter / dof) : (double)NAN;
}

static enum ft_status fit_sums(struct ft_law_sums *out, const struct ft_law_knot *knot, size_t n,
			       struct ft_err *err)
{
	struct law_sums *s = ft_malloc(sizeof *s);
	enum ft_status status = s ? begin_sums(s, knot, n, err) : ft_nomem(err);

	if (status)
		goto out;
	for (size_t i = 0; i < FT_LAW_SHAPES; i++)
		(void)try_single(s, i, true);
	static const double prior = second_prior / FT__LAW_PAIRS;

	for (size_t i = 0; i < FT__LAW_COMMON; i++)
		for (size_t j = 0; j < i; j++) {
			size_t a = ft__law_common[i], b = ft__law_common[j];
			struct choice two = {.p = 2, .column = {a, b}},
				      three = {.p = 3, .column = {FT__CONSTANT, a, b}};

			if (isnan(s->column[a].scale) || isnan(s->column[b].scale))
				continue;
			if (try_columns(s, &two, log(prior)))
				offer_choice(s, &two);
			if (try_columns(s, &three, log(prior)))
				offer_choice(s, &three);
		}
	for (size_t i = 0; i < FAMILIES && n > 3; i++)
		try_family(s, i);
	if (s->kept)
		take_sums(out, s);
	else
		status = ft_fail(err, FT_ENOMODEL, "no sum of these terms is finite at all of these sizes");
out:
	if (s)
		ft_free(s->root);
	ft_free(s);
	return status;
}

static enum ft_status check_knots(const struct ft_law_knot *knot, size_t n, bool *zero, struct ft_err *err)
{
	*zero = true;
	if (n < 2) {
		(void)ft_fail(err, FT_ENOMODEL, "there is one size only: any law passes through it");
		(void)ft_remedy(err, "measure more sizes");
		return FT_ENOMODEL;
	}
	for (size_t k = 0; k < n; k++) {
		if (!(knot[k].x > 0))
			return ft_fail(err, FT_EINVAL, "a size of %g has no logarithm", knot[k].x);
		*zero = *zero && knot[k].mean == 0;
	}
	return FT_OK;
}

enum ft_status ft_law_sums_fit(struct ft_law_sums *out, const struct ft_law_sample *sample, size_t n,
			       struct ft_err *err)
{
	struct ft_law_knot *knot = NULL;
	size_t sizes = 0;
	bool zero;

	*out = (struct ft_law_sums){.r2 = NAN, .noise = NAN};
	enum ft_status status = ft__law_samples(sample, n, true, &knot, &sizes, err);
	if (!status)
		status = check_knots(knot, sizes, &zero, err);
	if (!status && zero) {
		out->candidates = 1;
		out->candidate[0] = (struct ft_law_candidate){.law.params = 1, .weight = 1};
	} else if (!status) {
		status = fit_sums(out, knot, sizes, err);
	}
	if (!status) {
		out->sizes = sizes;
		out->runs = n;
		out->least = knot[0].x;
		out->most = knot[sizes - 1].x;
	}
	ft_free(knot);
	if (status)
		*out = (struct ft_law_sums){0};
	return status;
}

/*
 * Predictions from sums of either sign at a size: the value of the first, the interval of all.
 */

struct belief {
	size_t n;
	double at[FT_LAW_CANDIDATES], error[FT_LAW_CANDIDATES], weight[FT_LAW_CANDIDATES];
};

static double quantile(const struct belief *belief, double share)
{
	return ft_normals_quantile(belief->at, belief->error, belief->weight, belief->n, share);
}

enum ft_status ft_law_sums_predict(const struct ft_law_sums *sums, double x, double confidence,
				   enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err)
{
	double noise = of == FT_LAW_RUN ? isnan(sums->noise) ? sums->misfit : sums->noise : 0;
	struct belief belief = {0};

	*out = (struct ft_law_prediction){0};
	if (ft__law_ask(x, confidence, err))
		return FT_EINVAL;
	out->value = ft_law_value(&sums->candidate[0].law, &x);
	if (!isfinite(out->value))
		return ft_fail(err, FT_EINVAL, "the law has no value at %g, or none below 1e308", x);
	for (size_t i = 0; i < sums->candidates; i++) {
		const struct ft_law_candidate *candidate = &sums->candidate[i];
		double dof =
			(double)sums->runs - (double)candidate->law.terms - (candidate->law.constant != 0);
		double at = ft_law_value(&candidate->law, &x);
		double heavy = ft_student_t(confidence, fmax(dof, 1)) / ft_student_t(confidence, 1e6);

		if (!isfinite(at))
			continue;
		belief.at[belief.n] = at;
		belief.error[belief.n] = heavy * hypot(ft__law_deviation(candidate, &x), noise * at);
		belief.weight[belief.n++] = candidate->weight;
	}
	out->median = quantile(&belief, 0.5);
	out->lower = out->wide_lower = fmin(quantile(&belief, (1 - confidence) / 2), out->value);
	out->upper = out->wide_upper = fmax(quantile(&belief, (1 + confidence) / 2), out->value);
	return FT_OK;
}
