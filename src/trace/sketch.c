/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch.c - prefix integrals of a curve, their rounding errors kept, so that differences of them lose
 * nothing.
 */
#include "trace/sketch.h"
#include "num/order.h"
#include "trace/chain.h"

enum { CELLS_MOST = 1 << 14 };

/* What a place adds to all integrals: those up to it. */
struct sketch_place {
	double x;
	size_t cell;
	struct ft__integrals to;
};

/* Over a line of length h from p at x on, which leaves r: added to the integrals. */
static struct ft__integrals extend_integrals(struct ft__integrals sum, double x, double h, double p,
					     double slope, double r)
{
	double middle = p + slope * h / 2, tilt = slope * h;

	sum.f = ft__sum_add(sum.f, h * middle);
	sum.xf = ft__sum_add(sum.xf, h * ((x + h / 2) * middle + tilt * h / 12));
	sum.ff = ft__sum_add(sum.ff, h * (middle * middle + tilt * tilt / 12) + r);
	return sum;
}

static void draw_lines(struct ft__sketch *s, const struct ft_pwl *f)
{
	struct ft__integrals sum = {{0, 0}, {0, 0}, {0, 0}};
	bool own = s->n == f->n;
	size_t i;

	for (i = 0; i + 1 < s->n; i++) {
		double h = s->x[i + 1] - s->x[i];
		struct ft__span cell = {0};

		if (own)
			s->line[i] = (struct ft__cell_line){f->y[i] - f->y0, (f->y[i + 1] - f->y[i]) / h, 0};
		else
			cell = ft__pwl_span(f, s->x[i], s->x[i + 1]);
		if (!own)
			s->line[i] =
				(struct ft__cell_line){cell.mean - cell.slope * h / 2, cell.slope, cell.r};
		s->integral[i] = sum;
		sum = extend_integrals(sum, s->x[i], h, s->line[i].p, s->line[i].slope, s->line[i].r);
	}
	s->integral[i] = sum;
}

static void fill_buckets(struct ft__sketch *s)
{
	size_t i = 0;

	s->per_time = (double)s->n / s->x[s->n - 1];
	for (size_t b = 0; b < s->n; b++) {
		while (i + 2 < s->n && s->x[i + 1] * s->per_time <= (double)b)
			i++;
		s->bucket[b] = (uint32_t)i;
	}
}

enum ft_status ft__sketch_init(struct ft__sketch *s, struct ft_arena *arena, const struct ft_pwl *f,
			       struct ft_err *err)
{
	size_t most = f->n - 1 < CELLS_MOST ? f->n - 1 : CELLS_MOST;

	*s = (struct ft__sketch){.n = f->n,
				 .x = ft_arena_take(arena, most + 1, sizeof *s->x),
				 .line = ft_arena_take(arena, most, sizeof *s->line),
				 .integral = ft_arena_take(arena, most + 1, sizeof *s->integral),
				 .bucket = ft_arena_take(arena, most + 1, sizeof *s->bucket)};
	FT_TRY(ft_arena_check(arena, err));
	/* The points: the curve's, or of many those of a mesh. */
	if (f->n - 1 > most)
		FT_TRY(ft__mesh(f, most, s->x, &s->n, err));
	else
		for (size_t i = 0; i < f->n; i++)
			s->x[i] = f->t[i] - f->t0;
	draw_lines(s, f);
	fill_buckets(s);
	return FT_OK;
}

size_t ft__sketch_find(const struct ft__sketch *s, double x)
{
	double at = x * s->per_time;
	size_t bucket = at < (double)(s->n - 1) ? (size_t)at : s->n - 1, low = s->bucket[bucket];
	size_t high = bucket + 1 < s->n ? s->bucket[bucket + 1] + (size_t)1 : s->n - 1;

	while (low > 0 && s->x[low] > x) /* rounding */
		low--;
	return high - low > 1 ? low + ft_count_upto(s->x + low + 1, high - low - 1, x) : low;
}

static struct sketch_place place_of(const struct ft__sketch *s, double x)
{
	size_t i = ft__sketch_find(s, x);
	const struct ft__cell_line *line = &s->line[i];
	double begin = s->x[i], h = x - begin, share;

	if (!(h > 0))
		return (struct sketch_place){x, i, s->integral[i]};
	share = line->r > 0 ? line->r * h / (s->x[i + 1] - begin) : 0;
	return (struct sketch_place){x, i,
				     extend_integrals(s->integral[i], begin, h, line->p, line->slope, share)};
}

static struct ft__span span_within(const struct ft__sketch *s, const struct sketch_place *a,
				   const struct sketch_place *b)
{
	const struct ft__cell_line *line = &s->line[a->cell];
	double h = b->x - a->x, begin = s->x[a->cell];

	return (struct ft__span){h, line->p + line->slope * ((a->x - begin) / 2 + (b->x - begin) / 2),
				 line->slope, line->r > 0 ? line->r * h / (s->x[a->cell + 1] - begin) : 0};
}

static struct ft__span span_between(const struct ft__sketch *s, const struct sketch_place *a,
				    const struct sketch_place *b)
{
	double h = b->x - a->x, inverse = 1 / h;

	if (a->cell == b->cell)
		return span_within(s, a, b);
	double mean = ft__sum_less(b->to.f, a->to.f) * inverse;
	double slope = 12 * (ft__sum_less(b->to.xf, a->to.xf) - (a->x + h / 2) * (mean * h)) * inverse *
		       inverse * inverse;
	double r = ft__sum_less(b->to.ff, a->to.ff) - h * (mean * mean + slope * h * slope * h / 12);
	return (struct ft__span){h, mean, slope, r > 0 ? r : 0};
}

struct ft__span ft__sketch_span(const struct ft__sketch *s, double a, double b)
{
	struct sketch_place begin = place_of(s, a), end = place_of(s, b);

	return span_between(s, &begin, &end);
}

void ft__sketch_spans(const struct ft__sketch *s, const double *x, size_t n, struct ft__span *span)
{
	struct sketch_place begin = place_of(s, x[0]);

	for (size_t j = 0; j + 1 < n; j++) {
		struct sketch_place end = place_of(s, x[j + 1]);

		span[j] = span_between(s, &begin, &end);
		begin = end;
	}
}
