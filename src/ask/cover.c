/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover.c - finds a short formula above points; the ends of its terms are found by trial, one after the
   other. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/*
 * One term a + b x^p y^q above points: for given powers the cheapest a and b are found on a convex function
 * of b alone, and powers on a lattice of hundredths, by steps that become finer.
 *
 * For most powers a bound shows that they cost more than the best so far: three passes over the points,
 * without an exponential.
 */

/* The first and the finest step; the latter as printed. */
static const double first_step = 0.64, last_step = 0.01;

/* The search starts with these shares of the lowest value as the constant. */
static const double begins[] = {0, 0.8, 0.97};

/* The most cuts of lines; about five suffice. */
enum { CUTS = 32 };

struct cover_term_fit {
	const struct ft__floor *point;
	size_t n, axes;
	const double *base;
	const bool *must;
	struct ft__powers powers;
	double *value, *price;        /* [n] what it must cover, else -infinity; the weight by that, else 0 */
	double *m;                    /* [n] the product, as a share of that in the middle */
	double *here;                 /* [n] that of the powers it stands at */
	double *along;                /* [axes x n] what a step along each axis multiplies it by */
	double step;                  /* of that step */
	double middle[FT_PARAMS_MAX]; /* ln */
	size_t top;                   /* among the points to cover the one with the largest value */
	size_t low, high;             /* those that held the last ones found: f->n, none */
	double a_price, spent;        /* the price of a constant, and the part of it that is no waste */
};

static bool must_lie_below(const struct cover_term_fit *f, size_t i)
{
	return !f->must || f->must[i];
}

double ft__round_digits(double value, enum ft__rounding rounding)
{
	double unit = value > 0 ? pow(10, floor(log10(value)) - 2) : 1, digits = value / unit;

	digits = rounding == FT__UP     ? ceil(digits - 1e-9)
		 : rounding == FT__DOWN ? floor(digits)
					: round(digits);
	return unit < 1 ? digits / round(1 / unit) : digits * unit;
}

/* The point that needs the largest constant for a given b; n: none needs any. Four at a time, as four
 * independent dependency chains. */
static size_t highest_point(const struct cover_term_fit *f, double b)
{
	enum { LANES = 4 };
	double most[LANES] = {0};
	size_t at[LANES] = {f->n, f->n, f->n, f->n}, i, j, best = 0;

	for (i = 0; i + LANES <= f->n; i += LANES)
		for (j = 0; j < LANES; j++) {
			double above = f->value[i + j] - b * f->m[i + j];

			at[j] = above > most[j] ? i + j : at[j];
			most[j] = above > most[j] ? above : most[j];
		}
	for (; i < f->n; i++)
		if (f->value[i] - b * f->m[i] > most[0]) {
			most[0] = f->value[i] - b * f->m[i];
			at[0] = i;
		}
	for (j = 1; j < LANES; j++)
		best = most[j] > most[best] ? j : best;
	return at[best];
}

/* The smallest constant for a given b. */
static double constant_for(const struct cover_term_fit *f, double b)
{
	size_t at = highest_point(f, b);

	return at < f->n ? f->value[at] - b * f->m[at] : 0;
}

static double term_cost_of(const struct cover_term_fit *f, double a, double b)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		double least = f->base ? fmax(f->base[i], f->point[i].value) : f->point[i].value;

		sum += f->point[i].weight * fmax(0, a + b * f->m[i] - least) / f->point[i].value;
	}
	return sum;
}

/* The price of a factor of the product. */
static double factor_price(const struct cover_term_fit *f)
{
	double price = 0;

	for (size_t i = 0; i < f->n; i++)
		price += f->price[i] * f->m[i];
	return price;
}

/* Where the lines of two points meet, of which one falls as b grows and the other rises. */
struct cover_term_cut {
	double b, cost;
};

static struct cover_term_cut cut_at(const struct cover_term_fit *f, size_t low, size_t high, double b_price)
{
	double u = f->value[low], m = f->m[low];
	double over = high < f->n ? f->value[high] : 0, beside = high < f->n ? f->m[high] : 0;
	double b = (u - over) / (m - beside);

	return (struct cover_term_cut){b, f->a_price * (u - b * m) + b_price * b - f->spent};
}

static bool descends(const struct cover_term_fit *f, size_t at, double b_price)
{
	return at < f->n && b_price - f->a_price * f->m[at] < 0;
}

/* The b that makes a + b m cheapest over what it must cover, a as small as b lets it be: of a convex function
 * of b, made of lines, the one that descends and the one that rises are cut until no third is above there.
 * 0: where two of them meet, which is below all of it, it costs `most_cost` already. */
static double best_factor(struct cover_term_fit *f, double most, double b_price, double most_cost)
{
	size_t low = f->top, high = f->n;
	double b = most;

	if (descends(f, f->low, b_price) && !descends(f, f->high, b_price) &&
	    cut_at(f, f->low, f->high, b_price).cost >= most_cost)
		return 0;
	for (size_t i = 0; i < CUTS; i++) {
		if (!descends(f, low, b_price))
			return 0;
		struct cover_term_cut cut = cut_at(f, low, high, b_price);
		if (cut.cost >= most_cost)
			return 0;
		b = cut.b;
		size_t at = highest_point(f, b);
		if (at == low || at == high || !(f->m[low] > (high < f->n ? f->m[high] : 0)))
			break;
		if (descends(f, at, b_price))
			low = at;
		else
			high = at;
	}
	f->low = low;
	f->high = high;
	return fmin(b, most);
}

/* Keep the cheaper of the best so far and another term, which is made to cover as printed. */
static void consider_term(const struct cover_term_fit *f, struct ft__term term, double unit, bool constant,
			  double *cost, struct ft__term *best)
{
	term.b = ft__round_digits(term.b / unit, constant ? FT__NEAREST : FT__UP);
	term.a = constant ? ft__round_digits(constant_for(f, term.b * unit), FT__UP) : 0;
	if (!(term.b * unit < INFINITY) || (term.b == 0 && term.a == 0))
		return;
	for (size_t i = 0; i < f->axes && term.b == 0; i++)
		term.power[i] = 0;
	double here = term_cost_of(f, term.a, term.b * unit) +
		      ft__number_price * (double)ft__term_numbers(&term, f->axes);
	if (here >= *cost)
		return;
	*cost = here;
	*best = term;
}

/* The least b of the product alone. */
static double factor_alone(const struct cover_term_fit *f)
{
	double most = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->value[i] > most * f->m[i])
			most = f->value[i] / f->m[i];
	return most;
}

/* For given powers, whose product is f->m: try the product alone, and with a constant, if their lower
 * bound is less than the best so far. */
static void try_product(struct cover_term_fit *f, const double *power, double *cost, struct ft__term *best)
{
	struct ft__term term = {.b = 1, .from = NAN, .upto = NAN};
	double unit = 0, most = factor_alone(f), b_price = factor_price(f), numbers;

	for (size_t a = 0; a < f->axes; a++) {
		term.power[a] = power[a];
		unit += power[a] * f->middle[a];
	}
	unit = exp(unit);
	numbers = ft__number_price * (double)ft__term_numbers(&term, f->axes);
	term.b = most;
	if (b_price * most - f->spent + numbers < *cost)
		consider_term(f, term, unit, false, cost, best);
	term.b = best_factor(f, most, b_price, *cost - numbers - ft__number_price);
	if (term.b > 0)
		consider_term(f, term, unit, true, cost, best);
}

/* The product of given powers. */
static void multiply_powers(const struct cover_term_fit *f, const double *power, double *m)
{
	for (size_t i = 0; i < f->n; i++) {
		double ln = 0;

		for (size_t a = 0; a < f->axes; a++)
			ln += power[a] * (f->point[i].ln[a] - f->middle[a]);
		m[i] = exp(ln);
	}
}

/* The product one step on along an axis, or back: 1, -1. */
static void multiply_step(const struct cover_term_fit *f, size_t axis, int sign, const double *from,
			  double *m)
{
	const double *along = f->along + axis * f->n;

	for (size_t i = 0; i < f->n; i++)
		m[i] = sign > 0 ? from[i] * along[i] : from[i] / along[i];
}

static double on_lattice(const struct cover_term_fit *f, double power)
{
	return fmin(f->powers.steepest, fmax(0, round(power / last_step) * last_step));
}

/* Whether the powers are one step (1, 0, -1 of each) further, and within their bounds. */
static bool is_step(const struct cover_term_fit *f, double from, double to, int sign)
{
	return fabs(to - from - sign * f->step) < last_step / 2;
}

/* A step along one axis, or (-1, 1) along another one too: on a function that is not smooth one alone may
 * not help. */
static bool step_along(struct cover_term_fit *f, size_t one, int sign, size_t other, int other_sign,
		       double *power, double *cost, struct ft__term *best)
{
	double before = *cost, to[FT_PARAMS_MAX], *swapped;

	memcpy(to, power, sizeof to);
	to[one] = on_lattice(f, power[one] + sign * f->step);
	to[other] = other_sign ? on_lattice(f, power[other] + other_sign * f->step) : to[other];
	if (to[one] == power[one] && to[other] == power[other])
		return false;
	if (!is_step(f, power[one], to[one], sign) ||
	    (other_sign && !is_step(f, power[other], to[other], other_sign))) {
		multiply_powers(f, to, f->m);
	} else {
		multiply_step(f, one, sign, f->here, f->m);
		if (other_sign)
			multiply_step(f, other, other_sign, f->m, f->m);
	}
	try_product(f, to, cost, best);
	if (*cost >= before)
		return false;
	memcpy(power, to, sizeof to);
	swapped = f->here;
	f->here = f->m;
	f->m = swapped;
	return true;
}

static void set_step(struct cover_term_fit *f, double step)
{
	double power[FT_PARAMS_MAX] = {0};

	f->step = step;
	for (size_t a = 0; a < f->axes; a++) {
		power[a] = step;
		multiply_powers(f, power, f->along + a * f->n);
		power[a] = 0;
	}
}

/* Steps there and back along each axis, and along each two of them. */
static bool step_all(struct cover_term_fit *f, double *power, double *cost, struct ft__term *best)
{
	bool helped = false;

	for (size_t one = 0; one < f->axes; one++)
		for (size_t other = one; other < f->axes; other++)
			for (int ways = other == one ? 0 : -1; ways <= (other == one ? 0 : 1);
			     ways += other == one ? 1 : 2)
				for (int sign = 1; sign >= -1; sign -= 2)
					helped = step_along(f, one, sign, other, ways * sign, power, cost,
							    best) ||
						 helped;
	return helped;
}

/* The powers of a product for a given constant: least squares of ln (value - constant) over the ln of the
 * axes, where the constant is not most of the value. */
static void powers_for(const struct cover_term_fit *f, double constant, double *power)
{
	enum { MOST = FT_PARAMS_MAX + 1 };
	double m[MOST * MOST] = {0}, y[MOST] = {0}, row[MOST];
	size_t n = f->axes + 1;

	for (size_t i = 0; i < f->n; i++) {
		double weight = must_lie_below(f, i) ? f->point[i].weight : 0;

		if (!(weight > 0) || !(f->point[i].value > 1.5 * constant))
			continue;
		for (size_t j = 0; j < f->axes; j++)
			row[j] = f->point[i].ln[j] - f->middle[j];
		row[f->axes] = 1;
		for (size_t j = 0; j < n; j++) {
			for (size_t k = 0; k < n; k++)
				m[j * n + k] += weight * row[j] * row[k];
			y[j] += weight * row[j] * log(f->point[i].value - constant);
		}
	}
	for (size_t j = 0; j < n; j++)
		m[j * n + j] += 1e-9 * m[j * n + j] + 1e-30;
	if (ft_chol_factor(m, n))
		ft_chol_solve(m, n, y, 1);
	for (size_t j = 0; j < f->axes; j++)
		power[j] = round(fmin(f->powers.steepest, fmax(0, y[j])) / last_step) * last_step;
}

/* What is the same for all powers. */
static void prepare_fit(struct cover_term_fit *f)
{
	f->low = f->high = f->n;
	for (size_t i = 0; i < f->n; i++) {
		const struct ft__floor *point = &f->point[i];

		for (size_t a = 0; a < f->axes; a++)
			f->middle[a] += point->ln[a] / (double)f->n;
		f->m[i] = 0;
		f->value[i] = must_lie_below(f, i) ? point->value : -INFINITY;
		f->price[i] = must_lie_below(f, i) ? point->weight / point->value : 0;
		f->a_price += f->price[i];
		f->spent += must_lie_below(f, i) ? point->weight : 0;
	}
	f->top = highest_point(f, 0);
}

double ft__term_fit(const struct ft__floor *point, size_t n, size_t axes, const double *base,
		    const bool *must_cover, struct ft__powers powers, double *scratch, struct ft__term *out)
{
	struct cover_term_fit f = {.point = point,
				   .n = n,
				   .axes = axes,
				   .base = base,
				   .must = must_cover,
				   .powers = powers,
				   .value = scratch,
				   .price = scratch + n,
				   .m = scratch + 2 * n,
				   .here = scratch + 3 * n,
				   .along = scratch + 4 * n};
	struct ft__term constant = {.from = NAN, .upto = NAN};
	double least = INFINITY, lowest = INFINITY, alone = INFINITY;

	prepare_fit(&f);
	for (size_t i = 0; i < n; i++)
		lowest = must_lie_below(&f, i) ? fmin(lowest, point[i].value) : lowest;
	consider_term(&f, constant, 1, true, &alone, &constant);
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		double power[FT_PARAMS_MAX] = {0}, cost = alone;
		struct ft__term term = constant;

		powers_for(&f, begins[i] * lowest, power);
		multiply_powers(&f, power, f.here);
		memcpy(f.m, f.here, n * sizeof *f.m);
		try_product(&f, power, &cost, &term);
		double step = first_step;

		while (step > f.powers.finest / 2) {
			set_step(&f, step);
			while (step_all(&f, power, &cost, &term))
				;
			step /= 2;
		}
		if (cost < least) {
			least = cost;
			*out = term;
		}
	}
	return least;
}

/*
 * Finds a short formula above points; the ends of its terms are found by trial, one after the other.
 */

const double ft__number_price = 0.02;

/* Steps of powers; the largest power inside the data (for a jump, the start of a term is better), and
 * outside, where intervals may widen faster. */
static const double coarse = 0.08, fine = 0.01, steepest = 4, steepest_beyond = 9;

double ft__term_value(const struct ft__term *term, size_t axes, const double *ln)
{
	double sum = 0;

	for (size_t a = 0; a < axes; a++)
		sum += term->power[a] * ln[a];
	return term->a + term->b * exp(sum);
}

/* Whether a term applies at a place. */
static bool holds_at(const struct ft__cover *cover, const struct ft__term *term, const double *ln)
{
	double at = ln[cover->axis];

	for (size_t a = 0; a < cover->axes && term->outside; a++)
		if (cover->falls[a] ? ln[a] < cover->most[a] : ln[a] > cover->most[a])
			return true;
	if (term->outside)
		return false;
	return cover->falls[cover->axis] ? !(at >= term->from) && !(at < term->upto)
					 : !(at <= term->from) && !(at > term->upto);
}

double ft__cover_value(const struct ft__cover *cover, const double *ln)
{
	double most = 0;

	for (size_t i = 0; i < cover->n; i++)
		if (holds_at(cover, &cover->term[i], ln))
			most = fmax(most, ft__term_value(&cover->term[i], cover->axes, ln));
	return most;
}

size_t ft__term_numbers(const struct ft__term *term, size_t axes)
{
	size_t n = (size_t)(term->a > 0) + (size_t)(term->b > 0), a;

	for (a = 0; a < axes && term->b > 0; a++)
		n += term->power[a] != 0 && fabs(term->power[a]) != 1;
	return n + (size_t)!isnan(term->from) + (size_t)!isnan(term->upto) + (term->outside ? axes : 0);
}

void ft__cover_raise(struct ft__cover *cover, double factor)
{
	for (size_t i = 0; i < cover->n; i++) {
		cover->term[i].a = ft__round_digits(cover->term[i].a * factor, FT__UP);
		cover->term[i].b = ft__round_digits(cover->term[i].b * factor, FT__UP);
	}
}

/* ---- ends of terms ------------------------------------------------------------------------------------- */

/* Points along axes on which they rise. */
struct cover_search {
	struct ft__floor *point,
		*part; /* [n]; [2 n] of a term, and the value of the one before it at its end */
	size_t n, axes;
	double *base, *scratch;     /* [n], [(4 + axes) 2 n] */
	bool *must;                 /* [n] */
	double most[FT_PARAMS_MAX]; /* of the data */
	double finest;
};

struct cover_ends {
	size_t axis, n;
	double ln[FT__TERMS_MAX]; /* ascending */
	bool apart;               /* a separate term outside the data */
};

static double cost_of(const struct cover_search *s, const struct ft__cover *cover)
{
	double cost = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->point[i].weight > 0)
			cost += s->point[i].weight *
				(ft__cover_value(cover, s->point[i].ln) / s->point[i].value - 1);
	for (size_t i = 0; i < cover->n; i++)
		cost += ft__number_price * (double)ft__term_numbers(&cover->term[i], cover->axes);
	return cost;
}

static bool is_beyond(const struct cover_search *s, const struct ft__floor *point)
{
	for (size_t a = 0; a < s->axes; a++)
		if (point->ln[a] > s->most[a])
			return true;
	return false;
}

/* Collect the points between two ends; at its beginning a term is at least as high as the one before it.
 * Returns how many, 0: nothing to cover there. */
static size_t collect_points(const struct cover_search *s, const struct cover_ends *ends, size_t k,
			     const struct ft__term *before)
{
	double from = k ? ends->ln[k - 1] : -INFINITY, upto = k < ends->n ? ends->ln[k] : INFINITY;
	double earlier = k > 1 ? ends->ln[k - 2] : -INFINITY;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double at = s->point[i].ln[ends->axis];

		if (at > from && at <= upto && !(ends->apart && is_beyond(s, &s->point[i])))
			s->part[n++] = s->point[i];
	}
	size_t own = n;
	for (size_t i = 0; i < s->n && own && k; i++) {
		struct ft__floor edge = s->point[i];

		if (edge.ln[ends->axis] <= earlier || edge.ln[ends->axis] > from)
			continue;
		edge.ln[ends->axis] = from;
		edge.weight = 0;
		edge.value = ft__term_value(before, s->axes, edge.ln);
		s->part[n++] = edge;
	}
	return n;
}

/* Without an end where it costs no more. */
static void drop_ends(const struct cover_search *s, struct ft__cover *cover)
{
	cover->cost = cost_of(s, cover);
	for (size_t i = 0; i < cover->n; i++)
		if (cover->term[i].outside) {
			struct ft__cover everywhere = *cover;

			everywhere.term[i].outside = false;
			everywhere.cost = cost_of(s, &everywhere);
			*cover = everywhere.cost <= cover->cost ? everywhere : *cover;
		}
	for (size_t i = 0; i < 2 * cover->n; i++) {
		double *end = i % 2 ? &cover->term[i / 2].from : &cover->term[i / 2].upto, was = *end, cost;

		if (isnan(was))
			continue;
		*end = NAN;
		cost = cost_of(s, cover);
		*end = cost <= cover->cost ? (double)NAN : was;
		cover->cost = fmin(cost, cover->cost);
	}
}

/* One more term, for places outside the data where the rest are too low. */
static void add_beyond(const struct cover_search *s, struct ft__cover *cover)
{
	struct ft__term *term = &cover->term[cover->n];
	size_t n = 0, short_of = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (!is_beyond(s, &s->point[i]))
			continue;
		s->part[n] = s->point[i];
		s->base[n] = ft__cover_value(cover, s->point[i].ln);
		s->must[n] = s->base[n] < s->point[i].value;
		short_of += s->must[n++];
	}
	if (!short_of)
		return;
	(void)ft__term_fit(s->part, n, s->axes, s->base, s->must,
			   (struct ft__powers){s->finest, steepest_beyond}, s->scratch, term);
	term->outside = true;
	cover->n++;
}

/* The cover whose terms end there; false: one has no points. */
static bool fit_ends(const struct cover_search *s, const struct cover_ends *ends, struct ft__cover *out)
{
	*out = (struct ft__cover){.axes = s->axes, .axis = ends->axis, .n = ends->n + 1};
	memcpy(out->most, s->most, sizeof out->most);
	for (size_t k = 0; k <= ends->n; k++) {
		size_t n = collect_points(s, ends, k, k ? &out->term[k - 1] : NULL);

		if (!n)
			return false;
		(void)ft__term_fit(s->part, n, s->axes, NULL, NULL, (struct ft__powers){s->finest, steepest},
				   s->scratch, &out->term[k]);
		out->term[k].from = k ? ends->ln[k - 1] : (double)NAN;
		out->term[k].upto = k < ends->n ? ends->ln[k] : (double)NAN;
	}
	if (ends->apart)
		add_beyond(s, out);
	drop_ends(s, out);
	return true;
}

static struct cover_ends with_end(const struct cover_ends *ends, size_t axis, double ln)
{
	struct cover_ends more = *ends;
	size_t at = more.n++;

	more.axis = axis;
	for (; at && more.ln[at - 1] > ln; at--)
		more.ln[at] = more.ln[at - 1];
	more.ln[at] = ln;
	return more;
}

/* One end more, the best of all; false: none helps. */
static bool add_end(const struct cover_search *s, const double *end, size_t n_ends, struct cover_ends *ends,
		    struct ft__cover *best)
{
	struct cover_ends chosen = *ends;

	for (size_t a = 0; a < s->axes; a++)
		for (size_t i = 0; i < n_ends; i++) {
			struct cover_ends more = with_end(ends, a, end[a * n_ends + i]);
			struct ft__cover cover;

			if (isnan(end[a * n_ends + i]) || (ends->n && a != ends->axis) ||
			    !fit_ends(s, &more, &cover) || cover.cost >= best->cost)
				continue;
			*best = cover;
			chosen = more;
		}
	if (chosen.n == ends->n)
		return false;
	*ends = chosen;
	return true;
}

/* ---- along which axes it falls ---------------------------------------------------------------------------
 */

/* Least squares of ln value over the ln of the axes, of the points that count. */
static void find_slopes(const struct cover_search *s, double *slope)
{
	enum { MOST = FT_PARAMS_MAX + 1 };
	double m[MOST * MOST] = {0}, y[MOST] = {0}, row[MOST];
	size_t n = s->axes + 1;

	for (size_t i = 0; i < s->n; i++) {
		if (!(s->point[i].weight > 0))
			continue;
		memcpy(row, s->point[i].ln, s->axes * sizeof *row);
		row[s->axes] = 1;
		for (size_t j = 0; j < n; j++) {
			for (size_t k = 0; k < n; k++)
				m[j * n + k] += s->point[i].weight * row[j] * row[k];
			y[j] += s->point[i].weight * row[j] * log(s->point[i].value);
		}
	}
	for (size_t j = 0; j < n; j++)
		m[j * n + j] += 1e-9 * (m[j * n + j] + 1e-12);
	if (ft_chol_factor(m, n))
		ft_chol_solve(m, n, y, 1);
	memcpy(slope, y, s->axes * sizeof *slope);
}

static enum ft_status allocate_search(struct cover_search *s, const struct ft__floor *point, size_t n,
				      size_t ends)
{
	s->point = ft_calloc(n, sizeof *s->point);
	s->part = ft_calloc(2 * n, sizeof *s->part);
	s->base = ft_calloc(n, sizeof *s->base);
	s->scratch = ft_calloc((4 + s->axes) * 2 * n + ends + 1, sizeof *s->scratch);
	s->must = ft_calloc(n, sizeof *s->must);
	if (!s->point || !s->part || !s->base || !s->scratch || !s->must)
		return FT_ENOMEM;
	memcpy(s->point, point, n * sizeof *point);
	return FT_OK;
}

static void search_free(struct cover_search *s)
{
	ft_free(s->point);
	ft_free(s->part);
	ft_free(s->base);
	ft_free(s->scratch);
	ft_free(s->must);
}

enum ft_status ft__cover_fit(const struct ft__floor *point, size_t n, size_t axes,
			     const struct ft__extent *data, const double *end, size_t n_ends,
			     struct ft__cover *out)
{
	struct cover_search s = {.n = n, .axes = axes};
	bool falls[FT_PARAMS_MAX] = {false};
	double slope[FT_PARAMS_MAX];
	enum ft_status status = allocate_search(&s, point, n, axes * n_ends);

	if (status) {
		search_free(&s);
		return status;
	}
	double *ln = s.scratch + (4 + axes) * 2 * n;
	find_slopes(&s, slope);
	for (size_t a = 0; a < axes; a++) {
		falls[a] = slope[a] < 0;
		s.most[a] = falls[a] ? -log(ft__round_digits(data[a].least, FT__UP))
				     : log(ft__round_digits(data[a].most, FT__DOWN));
		for (size_t i = 0; i < n; i++)
			s.point[i].ln[a] *= falls[a] ? -1 : 1;
		for (size_t i = 0; i < n_ends; i++)
			ln[a * n_ends + i] =
				log(ft__round_digits(end[a * n_ends + i], FT__NEAREST)) * (falls[a] ? -1 : 1);
	}
	/* With coarse powers where terms end, then the powers. */
	out->cost = INFINITY;
	for (int apart = 0; apart < 2; apart++) {
		struct cover_ends ends = {.apart = apart};
		struct ft__cover best;

		s.finest = coarse;
		if (!fit_ends(&s, &ends, &best))
			continue;
		while (ends.n + 2 < FT__TERMS_MAX && add_end(&s, ln, n_ends, &ends, &best))
			;
		s.finest = fine;
		(void)fit_ends(&s, &ends, &best);
		if (best.cost < out->cost)
			*out = best;
	}
	/* From axes on which points rise to those as they are. */
	for (size_t i = 0; i < out->n; i++) {
		struct ft__term *t = &out->term[i];

		for (size_t a = 0; a < out->axes; a++)
			t->power[a] = falls[a] && t->power[a] > 0 ? -t->power[a] : t->power[a];
		t->from = falls[out->axis] ? -t->from : t->from;
		t->upto = falls[out->axis] ? -t->upto : t->upto;
	}
	for (size_t a = 0; a < out->axes; a++) {
		out->falls[a] = falls[a];
		out->most[a] *= falls[a] ? -1 : 1;
	}
	search_free(&s);
	return FT_OK;
}
