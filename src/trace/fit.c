/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - unconstrained placement (003 section 2): a start, descent, and the number of pieces. */
#include "num/num.h"
#include "trace/trace.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * What nodes cost and gain, from parabolas that are passed along the pieces.
 */

/* parabola_end - at an end of the curve: its value there is kept, or free. */
static struct ft__parabola parabola_end(double value, enum ft_pwl_ends ends)
{
	return (struct ft__parabola){ends == FT_PWL_FREE ? 0 : INFINITY, value, 0};
}

/* Over a piece from one end, where the curve's best line is `near`, to the other, where it is `far`. With p
 * and q the distances from that line, the piece costs r + h/3 (p^2 + p q + q^2); the sum with a (p - e)^2 is
 * least over p where 2 a (p - e) + h/3 (2 p + q) = 0. */
static struct ft__parabola pass_piece(struct ft__parabola at, const struct ft__span *piece, double near,
				      double far)
{
	double h = piece->h, e = at.b - near;
	struct ft__parabola out;

	if (isinf(at.a)) {
		out.a = h / 3;
		out.b = far - e / 2;
		out.c = at.c + piece->r + h / 4 * e * e;
		return out;
	}
	double p = at.a * e / (at.a + h / 4); /* where both are least: q = -p / 2 */
	out.a = h / 3 - h / 3 * (h / 3) / (4 * (at.a + h / 3));
	out.b = far - p / 2;
	out.c = at.c + piece->r + p * h / 4 * e;
	return out;
}

/* parabola_right - over a piece to its other end. */
static struct ft__parabola parabola_right(struct ft__parabola at_begin, const struct ft__span *piece)
{
	double rise = piece->slope * piece->h / 2;

	return pass_piece(at_begin, piece, piece->mean - rise, piece->mean + rise);
}

static struct ft__parabola parabola_left(struct ft__parabola at_end, const struct ft__span *piece)
{
	double rise = piece->slope * piece->h / 2;

	return pass_piece(at_end, piece, piece->mean + rise, piece->mean - rise);
}

/* parabola_meet - the least sum of both, at one node. */
static double parabola_meet(struct ft__parabola left, struct ft__parabola right)
{
	double d = left.b - right.b, a;

	if (isinf(left.a))
		a = right.a;
	else if (isinf(right.a))
		a = left.a;
	else
		a = left.a + right.a > 0 ? left.a * right.a / (left.a + right.a) : 0;
	return left.c + right.c + a * d * d;
}

enum ft_status ft__chain_init(struct ft__chain *chain, struct ft_arena *arena, const struct ft_pwl *f,
			      enum ft_pwl_ends ends, size_t most, struct ft_err *err)
{
	*chain = (struct ft__chain){.f = f,
				    .ends = ends,
				    .most = most,
				    .x = ft_arena_take(arena, most, sizeof *chain->x),
				    .span = ft_arena_take(arena, most, sizeof *chain->span),
				    .left = ft_arena_take(arena, most, sizeof *chain->left),
				    .right = ft_arena_take(arena, most, sizeof *chain->right)};
	return ft_arena_check(arena, err);
}

void ft__chain_sweep(struct ft__chain *c)
{
	size_t last = c->n - 1;

	c->left[0] = parabola_end(0, c->ends); /* values count from the first point's */
	for (size_t j = 0; j < last; j++)
		c->left[j + 1] = parabola_right(c->left[j], &c->span[j]);
	c->right[last] = parabola_end(c->f->y[c->f->n - 1] - c->f->y0, c->ends);
	for (size_t j = last; j-- > 0;)
		c->right[j] = parabola_left(c->right[j + 1], &c->span[j]);
}

void ft__chain_set(struct ft__chain *c, const double *x, size_t n)
{
	assert(n >= 2 && n <= c->most);
	memcpy(c->x, x, n * sizeof *x);
	c->n = n;
	ft__pwl_spans(c->f, x, n, c->span);
	ft__chain_sweep(c);
}

double ft__chain_square(const struct ft__chain *c)
{
	return parabola_meet(c->left[c->n - 1], c->right[c->n - 1]);
}

/* F without node 0 < j < n - 1. */
static double without_node(const struct ft__chain *c, size_t j)
{
	struct ft__span both = ft__span_join(c->span[j - 1], c->span[j]);

	return parabola_meet(parabola_right(c->left[j - 1], &both), c->right[j + 1]);
}

double ft__chain_with(const struct ft__chain *c, size_t j, double x, double z)
{
	struct ft__span piece = ft__pwl_span(c->f, c->x[j], x);
	struct ft__parabola at = parabola_right(c->left[j], &piece);

	if (!isnan(z)) {
		piece = ft__pwl_span(c->f, x, z);
		at = parabola_right(at, &piece);
		x = z;
	}
	piece = ft__pwl_span(c->f, x, c->x[j + 1]);
	return parabola_meet(parabola_right(at, &piece), c->right[j + 1]);
}

void ft__chain_insert(struct ft__chain *c, size_t j, double x)
{
	assert(c->n < c->most && x > c->x[j] && x < c->x[j + 1]);
	memmove(c->x + j + 2, c->x + j + 1, (c->n - j - 1) * sizeof *c->x);
	memmove(c->span + j + 1, c->span + j, (c->n - 1 - j) * sizeof *c->span);
	c->x[j + 1] = x;
	c->n++;
	c->span[j] = ft__pwl_span(c->f, c->x[j], x);
	c->span[j + 1] = ft__pwl_span(c->f, x, c->x[j + 2]);
}

void ft__chain_remove(struct ft__chain *c, size_t j)
{
	assert(j > 0 && j + 1 < c->n);
	c->span[j - 1] = ft__span_join(c->span[j - 1], c->span[j]);
	memmove(c->span + j, c->span + j + 1, (c->n - 2 - j) * sizeof *c->span);
	memmove(c->x + j, c->x + j + 1, (c->n - 1 - j) * sizeof *c->x);
	c->n--;
}

size_t ft__chain_cheapest(const struct ft__chain *c)
{
	double least = INFINITY;
	size_t cheapest = 1;

	for (size_t j = 1; j + 1 < c->n; j++) {
		double square = without_node(c, j);

		if (square < least) {
			least = square;
			cheapest = j;
		}
	}
	return cheapest;
}

enum ft_status ft__chain_thin(struct ft__chain *c, size_t n, struct ft_err *err)
{
	FT_OWN double *cost = ft_malloc(c->n * sizeof *cost);

	if (!cost)
		return ft_nomem(err);
	ft__chain_sweep(c);
	while (c->n > n) {
		size_t surplus = c->n - n, wanted = surplus > 8 ? surplus / 4 : 1;

		for (size_t j = 1; j + 1 < c->n; j++)
			cost[j] = without_node(c, j);
		/* Remove up to `wanted` nodes that cost no more than `limit`, no two of them adjacent. */
		double limit = ft_stats_ranked(cost + 1, c->n - 2, wanted - 1);
		size_t kept = 1, removed = 0;
		bool just = false;

		for (size_t j = 1; j + 1 < c->n; j++) {
			if (removed < wanted && !just && cost[j] <= limit) {
				c->span[kept - 1] = ft__span_join(c->span[kept - 1], c->span[j]);
				removed++;
				just = true;
				continue;
			}
			c->x[kept] = c->x[j];
			c->span[kept] = c->span[j];
			kept++;
			just = false;
		}
		c->x[kept] = c->x[c->n - 1];
		c->n = kept + 1;
		ft__chain_sweep(c);
	}
	return FT_OK;
}

/*
 * The best nodes among given times, by dynamic programming over parabolas.
 */

/* Values of a node at which parabolas are compared: over the whole range, and where the curve is about. */
enum { OVER_RANGE = 8, NEARBY = 8, VALUES = OVER_RANGE + NEARBY, KEPT = VALUES + 1 };

/* A way to a node: the error so far as a function of its value, and where it came from. */
struct dp_way {
	struct ft__parabola p;
	uint32_t from;  /* candidate */
	uint32_t which; /* its way */
};

struct dp_table {
	const struct ft_pwl *f;
	enum ft_pwl_ends ends;
	const double *x;
	size_t m, most;
	struct ft__span *cell; /* [m - 1] */
	struct dp_way *way;    /* [m][most + 1][KEPT] */
	uint8_t *count;        /* [m][most + 1] */
	double *least;         /* the same: of the square of a way */
	/* of the present candidate */
	double value[VALUES];
	double (*lowest)[KEPT];      /* [most + 1] at each value; the last: the least anywhere */
	struct dp_way (*best)[KEPT]; /* [most + 1] */
	double *worst;               /* [most + 1] the largest of `lowest` */
	double range[2];
};

static struct dp_way *ways_to(const struct dp_table *t, size_t at, size_t pieces)
{
	return t->way + (at * (t->most + 1) + pieces) * KEPT;
}

/* What the curve is about at a candidate, seen from either side over 1, 3 and 9 cells; the curve itself. */
static void choose_values(struct dp_table *t, size_t at)
{
	struct ft__span left = {0}, right = {0};
	size_t i, k = 0, reach;

	for (i = 0; i < OVER_RANGE; i++)
		t->value[k++] =
			t->range[0] + (t->range[1] - t->range[0]) * ((double)i - 1) / (OVER_RANGE - 3);
	t->value[k++] = ft__pwl_value(t->f, t->x[at]);
	for (i = 0, reach = 1; reach <= 9; reach *= 3) {
		for (; i < reach; i++) {
			if (at > i)
				left = ft__span_join(t->cell[at - 1 - i], left);
			if (at + i + 1 < t->m)
				right = ft__span_join(right, t->cell[at + i]);
		}
		t->value[k++] = left.mean + left.slope * left.h / 2;
		t->value[k++] = right.mean - right.slope * right.h / 2;
	}
	t->value[k++] = (left.mean + right.mean) / 2;
	assert(k == VALUES);
}

/* A way with so many pieces to the present candidate: kept where it is lowest. Most are lowest nowhere: that
 * is found out first, without branches. */
static void offer_way(struct dp_table *t, size_t pieces, struct dp_way way)
{
	double *lowest = t->lowest[pieces], at[VALUES], worst = 0;
	int lower = way.p.c < lowest[VALUES];

	for (size_t i = 0; i < VALUES; i++) {
		double d = t->value[i] - way.p.b;

		at[i] = way.p.a * d * d + way.p.c;
		lower |= at[i] < lowest[i];
	}
	if (!lower)
		return;
	for (size_t i = 0; i < VALUES; i++) {
		if (at[i] < lowest[i]) {
			lowest[i] = at[i];
			t->best[pieces][i] = way;
		}
		worst = lowest[i] > worst ? lowest[i] : worst;
	}
	if (way.p.c < lowest[VALUES]) {
		lowest[VALUES] = way.p.c;
		t->best[pieces][VALUES] = way;
	}
	t->worst[pieces] = worst;
}

/* The different ones of the kept ways. */
static void keep_ways(struct dp_table *t, size_t at)
{
	size_t j;

	for (size_t k = 1; k <= t->most; k++) {
		struct dp_way *out = ways_to(t, at, k);
		size_t n = 0;
		double least = INFINITY;

		for (size_t i = 0; i < KEPT && !isinf(t->lowest[k][VALUES]); i++) {
			const struct dp_way *w = &t->best[k][i];

			for (j = 0; j < n && (out[j].from != w->from || out[j].which != w->which); j++)
				;
			if (j == n) {
				out[n++] = *w;
				least = w->p.c < least ? w->p.c : least;
			}
		}
		t->count[at * (t->most + 1) + k] = (uint8_t)n;
		t->least[at * (t->most + 1) + k] = least;
	}
}

/* All ways to a candidate: from every earlier one, with one piece more. */
static void reach_candidate(struct dp_table *t, size_t at)
{
	struct ft__span piece = {0};

	choose_values(t, at);
	if (at + 1 == t->m)
		t->value[0] = t->f->y[t->f->n - 1] - t->f->y0;
	for (size_t k = 0; k <= t->most; k++) {
		t->worst[k] = INFINITY;
		for (size_t i = 0; i < KEPT; i++)
			t->lowest[k][i] = INFINITY;
	}
	for (size_t s = at; s-- > 0;) {
		piece = ft__span_join(t->cell[s], piece);
		for (size_t k = 0; k < t->most && k <= s; k++) {
			const struct dp_way *from = ways_to(t, s, k);
			size_t n = t->count[s * (t->most + 1) + k];

			if (!n || t->least[s * (t->most + 1) + k] + piece.r >= t->worst[k + 1])
				continue;

			for (size_t i = 0; i < n; i++)
				if (from[i].p.c + piece.r < t->worst[k + 1])
					offer_way(t, k + 1,
						  (struct dp_way){parabola_right(from[i].p, &piece),
								  (uint32_t)s, (uint32_t)i});
		}
	}
	keep_ways(t, at);
}

/* The best way to the end with so many pieces, and back. */
static double trace_back(const struct dp_table *t, size_t pieces, size_t *node)
{
	size_t at = t->m - 1, n = t->count[at * (t->most + 1) + pieces], which = 0, i, k;
	const struct dp_way *way = ways_to(t, at, pieces);
	struct ft__parabola end = parabola_end(t->f->y[t->f->n - 1] - t->f->y0, t->ends);
	double least = INFINITY;

	for (i = 0; i < n; i++) {
		double square = parabola_meet(way[i].p, end);

		if (square < least) {
			least = square;
			which = i;
		}
	}
	if (isinf(least))
		return least;
	for (k = pieces; k > 0; k--) {
		const struct dp_way *w = ways_to(t, at, k) + which;

		node[k] = at;
		at = w->from;
		which = w->which;
	}
	node[0] = 0;
	return least;
}

enum ft_status ft__dp(const struct ft_pwl *f, enum ft_pwl_ends ends, const double *x, size_t m, size_t most,
		      double *square, size_t *node, struct ft_err *err)
{
	FT_ARENA(work);
	struct dp_table t = {.f = f,
			     .ends = ends,
			     .x = x,
			     .m = m,
			     .most = most,
			     .cell = ft_arena_take(&work, m - 1, sizeof *t.cell),
			     .way = ft_arena_take(&work, m * (most + 1) * KEPT, sizeof *t.way),
			     .count = ft_arena_take(&work, m * (most + 1), sizeof *t.count),
			     .least = ft_arena_take(&work, m * (most + 1), sizeof *t.least),
			     .lowest = ft_arena_take(&work, most + 1, sizeof *t.lowest),
			     .best = ft_arena_take(&work, most + 1, sizeof *t.best),
			     .worst = ft_arena_take(&work, most + 1, sizeof *t.worst)};

	assert(m >= 2 && most >= 1);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i + 1 < m; i++)
		t.cell[i] = ft__pwl_span(f, x[i], x[i + 1]);
	for (size_t i = 0; i < m; i++) {
		double value = ft__pwl_value(f, x[i]);

		t.range[0] = i ? fmin(t.range[0], value) : value;
		t.range[1] = i ? fmax(t.range[1], value) : value;
	}
	ways_to(&t, 0, 0)[0] = (struct dp_way){parabola_end(0, t.ends), 0, 0};
	t.count[0] = 1;
	t.least[0] = ways_to(&t, 0, 0)->p.c;
	for (size_t i = 1; i < t.m; i++)
		reach_candidate(&t, i);
	square[0] = INFINITY;
	for (size_t k = 1; k <= t.most; k++)
		square[k] = trace_back(&t, k, node + k * (t.most + 1));
	return FT_OK;
}

/*
 * Unconstrained placement (003 section 2): a start, descent, and the number of pieces.
 */

enum { STEPS = 300, FEW = 16, ROWS_EACH = 6, LEAST_TRIED = 8, MANY = 8, PIECES_WITH_RMS = 1000 };

/* What a piece must gain, in what noise gains. */
static const double DEAR = 4;

/* What the upper half of the pieces leaves, at most, where they gain more than noise does. */
static const double MUCH = 0.6;

/* Descent ends when its steps gain less than this share of F. */
static const double LEAST = 1e-8;

const char *ft_pwl_start_text(enum ft_pwl_start start)
{
	static const char *const texts[] = {
#define FT_PWL_START_TEXT(name, words) words,
		FT_PWL_START_LIST(FT_PWL_START_TEXT)
#undef FT_PWL_START_TEXT
	};

	return texts[start];
}

/* The chain of one start; square: what it leaves, before it goes downhill. */
static enum ft_status make_start(struct ft__seek *s, enum ft_pwl_start start, size_t n, double *square,
				 struct ft_err *err)
{
	if (start == FT_PWL_START_PATH)
		FT_TRY(ft__start_path(s, n, err));
	else if (start == FT_PWL_START_MERGE)
		FT_TRY(ft__start_merge(s, n, err));
	else if (start == FT_PWL_START_DP)
		FT_TRY(ft__start_dp(s, n, err));
	else
		ft__start_equal(s, n);
	*square = s->place.square;
	return FT_OK;
}

/* What a search has found so far. */
struct fit_found {
	double square, start_square;
	enum ft_pwl_start start;
};

/* The start that leads lowest, then moves of single nodes. */
static enum ft_status search_best(struct ft__seek *s, size_t n, struct fit_found *found, struct ft_err *err)
{
	static const struct {
		enum ft_pwl_start start;
		size_t least, most; /* pieces for which it is worth its time */
	} starts[] = {{FT_PWL_START_PATH, 1, FT__PATH_MOST},
		      {FT_PWL_START_DP, 2, FT__DP_MOST},
		      {FT_PWL_START_MERGE, MANY, SIZE_MAX},
		      {FT_PWL_START_EQUAL, 1, SIZE_MAX}};
	FT_OWN double *best = ft_malloc((n + 1) * sizeof *best);

	if (!best)
		return ft_nomem(err);
	found->square = INFINITY;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		double square;

		if (n < starts[i].least || n > starts[i].most)
			continue;
		FT_TRY(make_start(s, starts[i].start, n, &square, err));
		if (!(ft__placing_descend(&s->place, STEPS, LEAST) < found->square))
			continue;
		*found = (struct fit_found){s->place.square, square, starts[i].start};
		memcpy(best, s->place.x, (n + 1) * sizeof *best);
	}
	(void)ft__placing_look(&s->place, best, n + 1);
	ft__improve(s);
	return FT_OK;
}

/* n pieces, into s->place. */
static enum ft_status search_pieces(struct ft__seek *s, size_t n, const struct ft_pwl_options *o,
				    struct fit_found *found, struct ft_err *err)
{
	found->start = o->start;
	if (o->start == FT_PWL_START_BEST) {
		FT_TRY(search_best(s, n, found, err));
	} else if (o->start == FT_PWL_START_NODES) {
		ft__start_nodes(s, o->nodes);
		found->start_square = s->place.square;
	} else {
		FT_TRY(make_start(s, o->start, n, &found->start_square, err));
	}
	if (!o->start_only)
		(void)ft__placing_descend(&s->place, STEPS, LEAST);
	ft__seek_polish(s, o->start_only ? 0 : STEPS, LEAST);
	found->square = s->place.square;
	return FT_OK;
}

/* ---- how many pieces ----------------------------------------------------------------------------------- */

/* Each further piece lowers F; above the true number of pieces it lowers F by what can be gained from
 * noise, which grows with the number of places to choose from. That part of the errors determines the
 * price of a piece (slope heuristics; the shape of the price: Lebarbier 2005). */
static double price_shape(double pieces, double places)
{
	return pieces * (2.5 + log(places / pieces));
}

/* What noise gains, from there to the most pieces. */
static double noise_gain(const double *square, size_t from, size_t most, double places)
{
	return fmax(0, (square[from] - square[most]) /
			       (price_shape((double)most, places) - price_shape((double)from, places)));
}

size_t ft__count_pieces(const double *square, size_t most, size_t places)
{
	double n = (double)(places > most ? places : most), floor = 1e-10 * square[1], price,
	       least = INFINITY;
	size_t best = 1;

	if (most < 2)
		return 1;
	price = noise_gain(square, most / 2, most, n); /* unless the curve still gains there */
	if (most >= 8)
		price = fmin(price, noise_gain(square, most - most / 4, most, n));
	for (size_t k = 1; k <= most; k++) {
		double cost = fmax(square[k], floor) + DEAR * price * price_shape((double)k, n);

		if (cost < least * (1 - 1e-9)) {
			least = cost;
			best = k;
		}
	}
	return best;
}

/* Few pieces are tried first. When a good part of them is wanted, or the last ones still gain much, noise has
 * not shown its part yet: more. */
enum ft_status ft__count(struct ft__seek *s, size_t most, size_t *pieces, struct ft_err *err)
{
	size_t bearable = s->f->n / ROWS_EACH > LEAST_TRIED ? s->f->n / ROWS_EACH : LEAST_TRIED;

	most = most < bearable ? most
			       : bearable; /* of fewer rows to a piece noise leaves nothing to judge by */
	size_t tried = most < FEW ? most : FEW;
	FT_TRY(ft__seek_path(s, tried, err));
	*pieces = ft__count_pieces(s->square, s->path_most, s->n_mesh);
	if (tried < most &&
	    (3 * *pieces >= FEW || s->square[s->path_most] < MUCH * s->square[s->path_most / 2])) {
		FT_TRY(ft__seek_path(s, most, err));
		*pieces = ft__count_pieces(s->square, s->path_most, s->n_mesh);
	}
	return ft__count_noise(s, pieces, err);
}

/* The least number of pieces that merging needs for F <= target; s->most when that is not enough. */
static enum ft_status merge_to(struct ft__seek *s, double target, size_t *n, struct ft_err *err)
{
	size_t low = 0, high = s->most;

	while (high - low > 1) { /* F falls with n: thinning goes the same way each time */
		size_t middle = low + (high - low) / 2;

		FT_TRY(ft__start_merge(s, middle, err));
		if (s->place.square <= target)
			high = middle;
		else
			low = middle;
	}
	*n = high;
	return FT_OK;
}

/* As few pieces as reach the target: from what merging or dynamic programming needs downwards while a full
 * search still reaches it; upwards where even that does not. The model is left in s->place. */
static enum ft_status search_rms(struct ft__seek *s, double rms, const struct ft_pwl_options *o,
				 struct fit_found *found, struct ft_err *err)
{
	double target = rms * rms * s->f->length;
	size_t high = s->most, low = 0, n;

	FT_TRY(ft__seek_path(s, s->most < FT__PATH_MOST ? s->most : FT__PATH_MOST, err));
	for (n = 1; n <= s->path_most && s->square[n] > target; n++)
		;
	if (n > s->path_most)
		FT_TRY(merge_to(s, target, &n, err));
	while (low < high) { /* low: too few; high: enough, as far as is known */
		FT_TRY(search_pieces(s, n, o, found, err));
		if (found->square <= target)
			high = n;
		else
			low = n;
		if (high - low <= 1 || (found->square > target && n == s->most))
			break;
		n = high == s->most && found->square > target ? (n + n / 8 + 1 < high ? n + n / 8 + 1 : high)
		    : high < (size_t)2 * FT__PIECES_USUAL && low == 0 ? high - 1
								      : low + (high - low + 1) / 2;
		if (low == 0 && high >= (size_t)2 * FT__PIECES_USUAL)
			n = high - high / 10;
	}
	return s->place.n != high + 1 ? search_pieces(s, high, o, found, err) : FT_OK;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static enum ft_status check_options(const struct ft_pwl *f, const struct ft_pwl_options *o,
				    struct ft_err *err)
{
	if (!(o->rms >= 0) || isinf(o->rms)) {
		(void)ft_fail(err, FT_EINVAL, "the error to reach, %g, is not a positive number", o->rms);
		return ft_remedy(err, "give it in the unit of the values");
	}
	if (o->start == FT_PWL_START_DP && o->pieces > FT__DP_MOST) {
		(void)ft_fail(err, FT_EINVAL, "dynamic programming is for %d pieces at most", FT__DP_MOST);
		return ft_remedy(err, "choose another start: merge is nearly as good");
	}
	if (o->start == FT_PWL_START_PATH && o->pieces > FT__PATH_MOST) {
		(void)ft_fail(err, FT_EINVAL, "a path is for %d pieces at most", FT__PATH_MOST);
		return ft_remedy(err, "choose another start: merge is nearly as good");
	}
	if (o->start != FT_PWL_START_NODES)
		return FT_OK;
	for (size_t j = 0; j < o->nodes->n; j++) {
		double t = o->nodes->t[j];

		if (!(t >= ft_pwl_begin(f)) || !(t <= ft_pwl_end(f)))
			return ft_fail(err, FT_EINVAL, "the node at %g is outside %g .. %g", t,
				       ft_pwl_begin(f), ft_pwl_end(f));
		if (j && !(t > o->nodes->t[j - 1]))
			return ft_fail(err, FT_EINVAL, "the node at %g is not later than the one before", t);
	}
	return FT_OK;
}

static enum ft_status take_nodes(struct ft_pwl_fit *out, const struct ft__seek *s,
				 const struct fit_found *found, struct ft_err *err)
{
	const struct ft__placing *p = &s->place;
	const struct ft_pwl *f = s->f;
	size_t n = p->n, j;

	out->nodes.t = ft_malloc(n * sizeof *out->nodes.t);
	out->nodes.y = ft_malloc(n * sizeof *out->nodes.y);
	if (!out->nodes.t || !out->nodes.y)
		return ft_nomem(err);
	for (j = 0; j < n; j++) {
		out->nodes.t[j] = f->t0 + p->x[j];
		out->nodes.y[j] = f->y0 + p->y[j];
	}
	out->nodes.t[n - 1] = f->t[f->n - 1];
	if (s->ends == FT_PWL_FIXED) {
		out->nodes.y[0] = f->y[0];
		out->nodes.y[n - 1] = f->y[f->n - 1];
	}
	for (out->nodes.n = 1, j = 1; j < n; j++) /* far from the origin two times may be one double */
		if (out->nodes.t[j] > out->nodes.t[out->nodes.n - 1]) {
			out->nodes.t[out->nodes.n] = out->nodes.t[j];
			out->nodes.y[out->nodes.n++] = out->nodes.y[j];
		}
	ft_pwl_compare(f, out->nodes.t, out->nodes.y, out->nodes.n, &out->error);
	out->start = found->start;
	out->start_rms = sqrt(found->start_square / f->length);
	out->evaluations = p->evaluations;
	return FT_OK;
}

/* The most pieces that may be needed. */
static size_t most_pieces(const struct ft_pwl *f, const struct ft_pwl_options *o)
{
	size_t most = o->pieces    ? o->pieces
		      : o->most    ? o->most
		      : o->rms > 0 ? PIECES_WITH_RMS
				   : FT__PIECES_USUAL;

	if (o->start == FT_PWL_START_NODES && o->nodes->n + 1 > most)
		return o->nodes->n + 1;
	return most > f->n - 1 ? f->n - 1 : most;
}

enum ft_status ft_pwl_fit(struct ft_pwl_fit *out, const struct ft_pwl *f, const struct ft_pwl_options *o,
			  struct ft_err *err)
{
	FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};
	struct fit_found found = {0};
	struct ft__seek s;
	FT_ARENA(work);

	*out = (struct ft_pwl_fit){0};
	FT_TRY(check_options(f, o, err));
	size_t n = most_pieces(f, o);
	FT_TRY(ft__seek_init(&s, &work, f, o->ends, n, err));
	if (o->rms > 0 && !o->pieces && o->start != FT_PWL_START_NODES) {
		FT_TRY(search_rms(&s, o->rms, o, &found, err));
	} else {
		if (!o->pieces && o->start != FT_PWL_START_NODES)
			FT_TRY(ft__count(&s, n < FT__DP_MOST ? n : FT__DP_MOST, &n, err));
		FT_TRY(search_pieces(&s, n, o, &found, err));
	}
	FT_TRY(take_nodes(&fit, &s, &found, err));
	fit.reached = !(o->rms > 0) || fit.error.rms <= o->rms;
	*out = fit;
	fit = (struct ft_pwl_fit){0};
	return FT_OK;
}

void ft_pwl_fit_clear(struct ft_pwl_fit *fit)
{
	if (!fit)
		return;
	ft_nodes_clear(&fit->nodes);
	*fit = (struct ft_pwl_fit){0};
}
