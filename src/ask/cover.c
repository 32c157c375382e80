/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover.c - a short formula above points: where its terms end is found by trying, one end after the other. */
#include "ask/cover.h"
#include "base/alloc.h"
#include "num/cholesky.h"

#include <math.h>
#include <string.h>

const double ft__number_price = 0.02;

/* Steps of powers; the largest one, within the data (a jump is better where a term begins), and beyond, where
 * intervals may widen by more. */
static const double coarse = 0.08, fine = 0.01, steepest = 4, steepest_beyond = 9;

double ft__term_value(const struct ft__term *term, size_t axes, const double *ln)
{
	double sum = 0;

	for (size_t a = 0; a < axes; a++)
		sum += term->power[a] * ln[a];
	return term->a + term->b * exp(sum);
}

/* Whether a term is asked at a place. */
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

/* ---- where terms end -------------------------------------------------------------------------------------
 */

/* Points along axes on which they rise. */
struct cover_search {
	struct ft__floor *point, *part; /* [n]; [2 n] of a term, and what the one before it asks at its end */
	size_t n, axes;
	double *base, *scratch;     /* [n], [(4 + axes) 2 n] */
	bool *must;                 /* [n] */
	double most[FT_PARAMS_MAX]; /* of the data */
	double finest;
};

struct cover_ends {
	size_t axis, n;
	double ln[FT__TERMS_MAX]; /* ascending */
	bool apart;               /* a term of its own for what is beyond the data */
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

/* The points between two ends; and where it begins no less than the term before it. Returns how many, 0:
 * nothing is to be covered there. */
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

/* One more term, where the others are too low beyond the data. */
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

/* With coarse powers where terms end, then the powers. */
static void find_cover(struct cover_search *s, const double *end, size_t n_ends, struct ft__cover *out)
{
	out->cost = INFINITY;
	for (int apart = 0; apart < 2; apart++) {
		struct cover_ends ends = {.apart = apart};
		struct ft__cover best;

		s->finest = coarse;
		if (!fit_ends(s, &ends, &best))
			continue;
		while (ends.n + 2 < FT__TERMS_MAX && add_end(s, end, n_ends, &ends, &best))
			;
		s->finest = fine;
		(void)fit_ends(s, &ends, &best);
		if (best.cost < out->cost)
			*out = best;
	}
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

/* From axes on which points rise to those as they are. */
static void turn_falling(struct ft__cover *cover, const bool *falls)
{
	for (size_t i = 0; i < cover->n; i++) {
		struct ft__term *t = &cover->term[i];

		for (size_t a = 0; a < cover->axes; a++)
			t->power[a] = falls[a] && t->power[a] > 0 ? -t->power[a] : t->power[a];
		t->from = falls[cover->axis] ? -t->from : t->from;
		t->upto = falls[cover->axis] ? -t->upto : t->upto;
	}
	for (size_t a = 0; a < cover->axes; a++) {
		cover->falls[a] = falls[a];
		cover->most[a] *= falls[a] ? -1 : 1;
	}
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
	find_cover(&s, ln, n_ends, out);
	turn_falling(out, falls);
	search_free(&s);
	return FT_OK;
}
