/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.c - start values of the search for nodes: equal distances, merging, dynamic programming, or the
 * user's; and good nodes for all numbers of pieces. */
#include "base/alloc.h"
#include "num/num.h"
#include "trace/trace.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Possible times of nodes: dense where the curve bends, sparse where it is straight.
 */

/* A cell between two points of the trace. */
struct mesh_cell {
	size_t begin, end; /* points */
	double r;          /* what the best line leaves */
};

static double time_of(const struct ft_pwl *f, size_t point)
{
	return f->sketch ? f->sketch->x[point] : f->t[point] - f->t0;
}

static struct mesh_cell cell_of(const struct ft_pwl *f, size_t begin, size_t end)
{
	double r = end - begin > 1 ? ft__pwl_span(f, time_of(f, begin), time_of(f, end)).r : 0;

	return (struct mesh_cell){begin, end, r};
}

/* A heap whose first cell is the worst. */
static void sink_cell(struct mesh_cell *heap, size_t n, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			return;
		if (child + 1 < n && heap[child + 1].r > heap[child].r)
			child++;
		if (heap[i].r >= heap[child].r)
			return;
		struct mesh_cell swap = heap[i];
		heap[i] = heap[child];
		heap[child] = swap;
		i = child;
	}
}

static void rise_cell(struct mesh_cell *heap, size_t i)
{
	while (i && heap[i].r > heap[(i - 1) / 2].r) {
		struct mesh_cell swap = heap[i];

		heap[i] = heap[(i - 1) / 2];
		heap[(i - 1) / 2] = swap;
		i = (i - 1) / 2;
	}
}

static int compare_cells(const void *a, const void *b)
{
	size_t x = ((const struct mesh_cell *)a)->begin, y = ((const struct mesh_cell *)b)->begin;

	return (x > y) - (x < y);
}

enum ft_status ft__mesh(const struct ft_pwl *f, size_t most, double *x, size_t *n, struct ft_err *err)
{
	FT_OWN struct mesh_cell *heap = ft_malloc((most + 1) * sizeof *heap);
	size_t cells = 1;

	if (!heap)
		return ft_nomem(err);
	heap[0] = cell_of(f, 0, (f->sketch ? f->sketch->n : f->n) - 1);
	while (cells < most && heap[0].r > 0) {
		struct mesh_cell worst = heap[0];
		/* The point nearest to the middle of a cell's time, between its ends. */
		double middle = time_of(f, worst.begin) / 2 + time_of(f, worst.end) / 2;
		size_t near = f->sketch ? ft__sketch_find(f->sketch, middle) : ft__pwl_find(f, middle);

		if (middle - time_of(f, near) > time_of(f, near + 1) - middle)
			near++;
		if (near <= worst.begin)
			near = worst.begin + 1;
		size_t at = near >= worst.end ? worst.end - 1 : near;

		heap[0] = cell_of(f, worst.begin, at);
		sink_cell(heap, cells, 0);
		heap[cells] = cell_of(f, at, worst.end);
		rise_cell(heap, cells++);
	}
	qsort(heap, cells, sizeof *heap, compare_cells);
	for (size_t i = 0; i < cells; i++)
		x[i] = time_of(f, heap[i].begin);
	x[cells] = f->length;
	*n = cells + 1;
	return FT_OK;
}

/*
 * The best values of nodes at given times, the error F, and its gradient in O(n).
 */

static enum ft_status placing_init(struct ft__placing *place, struct ft_arena *arena, const struct ft_pwl *f,
				   enum ft_pwl_ends ends, size_t most, struct ft_err *err)
{
	*place = (struct ft__placing){.f = f,
				      .ends = ends,
				      .most = most,
				      .x = ft_arena_take(arena, most, sizeof(double)),
				      .y = ft_arena_take(arena, most, sizeof(double)),
				      .g = ft_arena_take(arena, most, sizeof(double)),
				      .span = ft_arena_take(arena, most, sizeof *place->span),
				      .below = ft_arena_take(arena, most, sizeof(double)),
				      .right = ft_arena_take(arena, most, sizeof(double)),
				      .try_x = ft_arena_take(arena, most, sizeof(double)),
				      .direction = ft_arena_take(arena, most, sizeof(double)),
				      .scaled = ft_arena_take(arena, most, sizeof(double)),
				      .before = ft_arena_take(arena, most, sizeof(double))};
	return ft_arena_check(arena, err);
}

/* placing_gap - how near two nodes may be. */
static double placing_gap(const struct ft_pwl *f)
{
	return 1e-12 * f->length;
}

/* The integrals of the document's u and v (003 section 2.1), from the span's line. */
static double weighted_right(const struct ft__span *s)
{
	return s->h * (s->mean / 2 + s->slope * s->h / 12);
}

static double weighted_left(const struct ft__span *s)
{
	return s->h * (s->mean / 2 - s->slope * s->h / 12);
}

/* dF/dx_l = 2 R_l (m_l - m_{l+1}). R_l can be had from either side of the node: at the best y the two differ
 * in sign only. The mean of both is the less sensitive to rounding. */
static void set_gradient(struct ft__placing *w)
{
	w->g[0] = w->g[w->n - 1] = 0;
	for (size_t l = 1; l + 1 < w->n; l++) {
		const struct ft__span *a = &w->span[l - 1], *b = &w->span[l];
		double ma = (w->y[l] - w->y[l - 1]) / a->h, mb = (w->y[l + 1] - w->y[l]) / b->h;
		double right =
			a->h * ((a->mean - (w->y[l - 1] + w->y[l]) / 2) / 2 + (a->slope - ma) * a->h / 12);
		double left =
			b->h * ((b->mean - (w->y[l] + w->y[l + 1]) / 2) / 2 - (b->slope - mb) * b->h / 12);

		w->g[l] = (right - left) * (ma - mb);
	}
}

double ft__placing_look(struct ft__placing *w, const double *x, size_t n)
{
	assert(n >= 2 && n <= w->most);
	w->n = n;
	w->evaluations++;
	if (x != w->x)
		memcpy(w->x, x, n * sizeof *x);
	ft__pwl_spans(w->f, w->x, n, w->span);
	/* The tridiagonal system A y = b of 003 section 2.1, eliminated from the left. The end values are those of
	 * the curve, or have rows of their own. */
	size_t last = w->n - 1;
	bool fixed = w->ends == FT_PWL_FIXED;
	double *y = w->y, *below = w->below;

	for (size_t j = 0; j <= last; j++) {
		double left = j ? w->span[j - 1].h : 0, right = j < last ? w->span[j].h : 0;
		double b = 6 * ((j ? weighted_right(&w->span[j - 1]) : 0) +
				(j < last ? weighted_left(&w->span[j]) : 0));
		double pivot = 2 * (left + right);

		if (fixed && (!j || j == last)) {
			y[j] = ft__pwl_value(w->f, w->x[j]);
			below[j] = 0;
			continue;
		}
		if (j) {
			pivot -= left * below[j - 1];
			b -= left * y[j - 1];
		}
		below[j] = right / pivot;
		y[j] = b / pivot;
	}
	for (size_t j = last; j-- > 0;)
		y[j] -= below[j] * y[j + 1];
	set_gradient(w);
	w->square = 0;
	for (size_t j = 0; j + 1 < n; j++)
		w->square += ft__span_square(&w->span[j], w->y[j], w->y[j + 1]);
	return w->square;
}

/* ---- as the header has it ------------------------------------------------------------------------------ */

enum ft_status ft_pwl_place(const struct ft_pwl *f, const double *x, size_t n, enum ft_pwl_ends ends,
			    double *y, double *gradient_out, double *square, struct ft_err *err)
{
	struct ft__placing place;
	FT_ARENA(work);

	if (n < 2)
		return ft_fail(err, FT_EINVAL, "a model needs two nodes");
	if (x[0] != ft_pwl_begin(f) || x[n - 1] != ft_pwl_end(f))
		return ft_fail(err, FT_EINVAL,
			       "the first and the last node are not at the ends of the trace");
	for (size_t i = 1; i < n; i++)
		if (!(x[i] > x[i - 1]))
			return ft_fail(err, FT_EINVAL, "node %zu is not later than the one before", i);
	FT_TRY(placing_init(&place, &work, f, ends, n, err));
	for (size_t i = 0; i < n; i++)
		place.x[i] = x[i] - f->t0;
	(void)ft__placing_look(&place, place.x, n);
	for (size_t i = 0; i < n; i++)
		y[i] = f->y0 + place.y[i];
	if (ends == FT_PWL_FIXED) {
		y[0] = f->y[0];
		y[n - 1] = f->y[f->n - 1];
	}
	if (gradient_out)
		memcpy(gradient_out, place.g, n * sizeof *gradient_out);
	if (square)
		*square = place.square;
	return FT_OK;
}

/*
 * Conjugate gradient over the times of the nodes (003 section 2.2; Polak & Ribiere 1969).
 *
 * Nodes of a steep piece move by a sample, others by hours: each is scaled by an estimate of F's curvature
 * along it, which a kink of slope change s between pieces of lengths g and h makes s^2 g h / (g + h).
 */

enum { TRIES = 16 }; /* points of a line search */

static double dot(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* How far along the direction the nodes keep their order, each gap at least a tenth of what it is. Nodes that
 * already touch and would close in move together. */
static double room_along(struct ft__placing *w)
{
	double least = placing_gap(w->f), most = INFINITY;
	double *d = w->direction;

	for (size_t j = 0; j + 1 < w->n; j++) {
		double gap = w->x[j + 1] - w->x[j], closing = d[j] - d[j + 1];

		if (!(closing > 0))
			continue;
		if (gap <= 2 * least) {
			d[j] = d[j + 1] = j == 0 || j + 2 == w->n ? 0 : (d[j] + d[j + 1]) / 2;
			continue;
		}
		most = fmin(most, (gap - fmax(least, 0.1 * gap)) / closing);
	}
	for (size_t j = 0; j + 1 < w->n; j++) /* nodes that move together may now approach other ones */
		if (d[j] > d[j + 1])
			most = fmin(most, fmax(0, w->x[j + 1] - w->x[j] - least) / (d[j] - d[j + 1]));
	return most;
}

/* Along place->direction from place->x: F falls by a share of its initial slope, and the slope flattens to
 * a third (strong Wolfe conditions; Nocedal & Wright, 2nd ed., section 3.5). The workspace is left at the
 * best point seen. Returns whether F fell. */
static bool search_line(struct ft__placing *w, double most)
{
	size_t n = w->n;
	double f0 = w->square, d0 = dot(w->g, w->direction, n), low = 0, f_low = f0, d_low = d0;
	double high = INFINITY, f_high = 0, d_high = 0, at = fmin(1, most), best = 0, f_best = f0;
	double *from = w->scaled; /* the caller computes it again */

	memcpy(from, w->x, n * sizeof *from);
	for (int i = 0; i < TRIES && at > 0; i++) {
		for (size_t j = 0; j < n; j++)
			w->try_x[j] = from[j] + at * w->direction[j];
		double now = ft__placing_look(w, w->try_x, n);
		double slope = dot(w->g, w->direction, n);
		if (now < f_best) {
			best = at;
			f_best = now;
		}
		bool far = !(now <= f0 + 1e-4 * at * d0) || now > f_low;
		if (!far && (fabs(slope) <= 0.3 * fabs(d0) || (at == most && slope < 0)))
			return true;
		if (far || slope > 0) {
			high = at;
			f_high = now;
			d_high = slope;
		} else {
			low = at;
			f_low = now;
			d_low = slope;
		}
		if (isinf(high))
			at = fmin(most, 3 * at);
		else {
			/* Where a cubic through two values and slopes is least, within the middle four fifths. */
			double h = high - low, theta = 3 * (f_low - f_high) / h + d_low + d_high,
			       root = theta * theta - d_low * d_high, t = 0.5;

			if (root >= 0) {
				double gamma = copysign(sqrt(root), h);

				t = (gamma - d_low + theta) / (2 * gamma - d_low + d_high);
			}
			if (!(t > 0.1))
				t = 0.1;
			else if (!(t < 0.9))
				t = 0.9;
			at = low + t * h;
		}
		if (!isinf(high) && fabs(high - low) < 1e-9 * high)
			break;
	}
	for (int i = 0; (size_t)i < n; i++)
		w->try_x[i] = from[i] + best * w->direction[i];
	(void)ft__placing_look(w, w->try_x, n);
	return f_best < f0;
}

double ft__placing_descend(struct ft__placing *w, int steps, double least)
{
	double *before = w->before, norm = 0;
	int idle = 0;
	size_t n;

	(void)ft__placing_look(w, w->x, w->n);
	n = w->n;
	for (int i = 0; i < steps && w->square > 0 && idle < 3; i++) {
		double was = w->square, beta = 0;

		/* The gradient divided by the curvature. */
		w->scaled[0] = w->scaled[w->n - 1] = 0;
		for (size_t l = 1; l + 1 < w->n; l++) {
			const struct ft__span *a = &w->span[l - 1], *b = &w->span[l];
			double ma = (w->y[l] - w->y[l - 1]) / a->h, mb = (w->y[l + 1] - w->y[l]) / b->h;
			double between = a->h * b->h / (a->h + b->h),
			       kink = (ma - mb) * (ma - mb) * between / 2;
			double square = ft__span_square(a, w->y[l - 1], w->y[l]) +
					ft__span_square(b, w->y[l], w->y[l + 1]);
			double curvature = kink + 0.1 * square / (between * between);

			w->scaled[l] = curvature > 0 ? w->g[l] / curvature : 0;
		}
		double next = dot(w->g, w->scaled, n);
		if (!(next > 0))
			break;
		if (i && norm > 0) /* Polak-Ribiere, restarted where it would turn back */
			beta = fmax(0, (next - dot(before, w->scaled, n)) / norm);
		for (size_t j = 0; j < n; j++)
			w->direction[j] = -w->scaled[j] + beta * w->direction[j];
		if (dot(w->g, w->direction, n) >= 0)
			for (size_t j = 0; j < n; j++)
				w->direction[j] = -w->scaled[j];
		norm = next;
		memcpy(before, w->g, n * sizeof *before);
		if (!search_line(w, room_along(w))) {
			if (beta == 0)
				break;
			norm = 0; /* once more, straight downhill */
			continue;
		}
		idle = was - w->square <= least * was ? idle + 1 : 0;
	}
	return w->square;
}

/*
 * Leave a local optimum: nodes are removed where they gain little and added where they gain much.
 *
 * Conjugate gradient never moves a node over another. Here one node (or two, for a step) enters where F falls
 * most, the cheapest leave, and descent settles the rest; kept when F is less than before.
 */

enum { MOVES = 20, LOOKS = 16, PATH_LOOKS = 8, FIRST_LOOKS = 48, ROUNDS = 60, STEPS = 15 };

/* Nodes looked at that the whole may cost: half a second or so. */
static const double EFFORT = 4e5;

/* A node, or two, that would enter a piece. */
struct move {
	double x, z;   /* z NaN: one only */
	double square; /* F then */
};

static void offer_move(struct move *move, size_t *n, struct move one)
{
	if (isinf(one.square) || (*n == MOVES && one.square >= move[MOVES - 1].square))
		return;
	size_t i = *n < MOVES ? (*n)++ : MOVES - 1;
	for (; i && move[i - 1].square > one.square; i--)
		move[i] = move[i - 1];
	move[i] = one;
}

/* The best single node, and the best two neighbours, to enter piece j; square INFINITY: there is no room. */
static void try_piece(const struct ft__seek *s, size_t j, size_t looks, struct move *one, struct move *two)
{
	const struct ft__chain *c = &s->chain;
	double begin = c->x[j], end = c->x[j + 1], gap = fmax(4 * placing_gap(s->f), 1e-9 * (end - begin));
	size_t first = ft_count_upto(s->mesh, s->n_mesh, begin + gap),
	       last = ft_count_upto(s->mesh, s->n_mesh, end - gap), k;

	*one = *two = (struct move){NAN, NAN, INFINITY};
	if (last < first) /* a piece shorter than two gaps */
		return;
	if (last - first < 4) /* between few points of the curve */
		for (k = 1; k < 4; k++) {
			double x = begin + (end - begin) * (double)k / 4, now = ft__chain_with(c, j, x, NAN);

			if (end - begin > 8 * gap && now < one->square)
				*one = (struct move){x, NAN, now};
		}
	for (k = 0; k < looks && k < last - first; k++) {
		size_t at = last - first <= looks ? first + k : first + (last - first) * k / looks;
		double x = s->mesh[at], now = ft__chain_with(c, j, x, NAN);

		if (x >= end - gap)
			break;
		if (now < one->square)
			*one = (struct move){x, NAN, now};
		if (at + 1 >= s->n_mesh || s->mesh[at + 1] >= end - gap)
			continue;
		now = ft__chain_with(c, j, x, s->mesh[at + 1]);
		if (now < two->square)
			*two = (struct move){x, s->mesh[at + 1], now};
	}
}

static void enter_node(struct ft__chain *c, double x)
{
	size_t j;

	for (j = 0; j + 2 < c->n && c->x[j + 1] < x; j++)
		;
	if (x > c->x[j] && x < c->x[j + 1])
		ft__chain_insert(c, j, x);
}

/* One move tried from the best nodes; returns whether the best is better now. */
static bool try_move(struct ft__seek *s, struct move move, size_t n, double *square)
{
	struct ft__placing *p = &s->place;
	struct ft__chain *c = &s->chain;
	size_t nodes = n + 1;

	ft__chain_set(c, s->best, nodes);
	enter_node(c, move.x);
	if (!isnan(move.z))
		enter_node(c, move.z);
	/* The cheapest nodes leave until n are left. */
	ft__chain_sweep(c);
	while (c->n > nodes) {
		ft__chain_remove(c, ft__chain_cheapest(c));
		ft__chain_sweep(c);
	}
	if (c->n != nodes || !(ft__chain_square(c) < 2 * *square))
		return false;
	memcpy(p->x, c->x, nodes * sizeof *p->x);
	p->n = nodes;
	if (!(ft__placing_descend(p, STEPS, 1e-4) < *square * (1 - 1e-6)))
		return false;
	*square = p->square;
	memcpy(s->best, p->x, nodes * sizeof *p->x);
	return true;
}

void ft__improve(struct ft__seek *s)
{
	struct ft__placing *p = &s->place;
	size_t n = p->n - 1;
	double square = p->square, spent = 0;

	if (n < 2)
		return;
	memcpy(s->best, p->x, p->n * sizeof *p->x);
	for (size_t round = 0; round < ROUNDS && spent < EFFORT && square > 0; round++) {
		struct move move[MOVES];
		size_t moves = 0, before = p->evaluations;
		bool better = false;

		ft__chain_set(&s->chain, s->best, n + 1);
		for (size_t j = 0; j < n; j++) {
			struct move one, two;

			try_piece(s, j, LOOKS, &one, &two);
			offer_move(move, &moves, one);
			offer_move(move, &moves, two);
		}
		for (size_t i = 0; i < moves && !better; i++)
			better = try_move(s, move[i], n, &square);
		spent += (double)n * (4 * LOOKS + (double)(p->evaluations - before));
		if (!better)
			break;
	}
	(void)ft__placing_look(p, s->best, n + 1);
}

/* best_places - among n pieces x the best place for one node more, place[0], and for two neighbours,
 * place[1] and [2]; NaN: there is none. */
static void best_places(struct ft__seek *s, const double *x, size_t n, double place[3])
{
	struct move best[2] = {{NAN, NAN, INFINITY}, {NAN, NAN, INFINITY}};
	size_t looks = n * PATH_LOOKS < FIRST_LOOKS ? FIRST_LOOKS / n : PATH_LOOKS;

	ft__chain_set(&s->chain, x, n + 1);
	for (size_t j = 0; j < n; j++) {
		struct move one, two;

		try_piece(s, j, looks, &one, &two);
		if (one.square < best[0].square)
			best[0] = one;
		if (two.square < best[1].square)
			best[1] = two;
	}
	place[0] = best[0].x;
	place[1] = best[1].x;
	place[2] = best[1].z;
}

/* ft__enter - these nodes with so many more, into place->x; false: there is no room for them. */
static bool ft__enter(struct ft__seek *s, const double *x, size_t n, const double *more, size_t count)
{
	struct ft__chain *c = &s->chain;

	ft__chain_set(c, x, n + 1);
	for (size_t i = 0; i < count; i++)
		enter_node(c, more[i]);
	if (c->n != n + 1 + count)
		return false;
	(void)ft__placing_look(&s->place, c->x, c->n);
	return true;
}

/*
 * Start values of the search for nodes: equal distances, merging, dynamic programming, or the user's;
 * and good nodes for all numbers of pieces.
 */

enum { MESH_LEAST = 512, MESH_MOST = 16384, CANDIDATES_EACH = 7, CANDIDATES_MOST = 200, SETTLE = 20 };

/* Descent along the path ends when its steps gain less than this share of F. */
static const double ROUGHLY = 1e-3;

enum ft_status ft__seek_init(struct ft__seek *s, struct ft_arena *arena, const struct ft_pwl *f,
			     enum ft_pwl_ends ends, size_t most, struct ft_err *err)
{
	size_t cells = 8 * most > MESH_LEAST ? 8 * most : MESH_LEAST;

	*s = (struct ft__seek){.f = f, .coarse = *f, .ends = ends, .most = most, .arena = arena};
	if (cells > MESH_MOST)
		cells = most + most / 2 > MESH_MOST ? most + most / 2 : MESH_MOST;
	FT_TRY(ft__sketch_init(&s->sketch, arena, f, err));
	s->coarse.sketch = &s->sketch;
	s->mesh = ft_arena_take(arena, cells + 1, sizeof *s->mesh);
	s->best = ft_arena_take(arena, most + 3, sizeof *s->best);
	FT_TRY(ft_arena_check(arena, err));
	FT_TRY(ft__mesh(&s->coarse, cells, s->mesh, &s->n_mesh, err));
	FT_TRY(placing_init(&s->place, arena, &s->coarse, ends, most + 3, err));
	return ft__chain_init(&s->chain, arena, &s->coarse, ends, (s->n_mesh > most ? s->n_mesh : most) + 3,
			      err);
}

void ft__seek_polish(struct ft__seek *s, int steps, double least)
{
	s->place.f = s->f;
	(void)ft__placing_look(&s->place, s->place.x, s->place.n);
	(void)ft__placing_descend(&s->place, steps, least);
	s->place.f = &s->coarse;
}

void ft__start_equal(struct ft__seek *s, size_t n)
{
	double *x = s->place.x;

	for (size_t j = 0; j < n; j++)
		x[j] = s->f->length * ((double)j / (double)n);
	x[n] = s->f->length;
	(void)ft__placing_look(&s->place, x, n + 1);
}

/* More nodes, in the middle of the longest pieces, until there are n. */
static void fill_nodes(double *x, size_t *count, size_t n)
{
	while (*count < n) {
		size_t longest = 1;

		for (size_t j = 2; j < *count; j++)
			if (x[j] - x[j - 1] > x[longest] - x[longest - 1])
				longest = j;
		memmove(x + longest + 1, x + longest, (*count - longest) * sizeof *x);
		x[longest] = x[longest - 1] / 2 + x[longest + 1] / 2;
		(*count)++;
	}
}

enum ft_status ft__start_merge(struct ft__seek *s, size_t n, struct ft_err *err)
{
	struct ft__chain *c = &s->chain;

	ft__chain_set(c, s->mesh, s->n_mesh);
	FT_TRY(ft__chain_thin(c, n + 1, err));
	size_t count = c->n;
	fill_nodes(c->x, &count, n + 1);
	(void)ft__placing_look(&s->place, c->x, n + 1);
	return FT_OK;
}

enum ft_status ft__start_dp(struct ft__seek *s, size_t n, struct ft_err *err)
{
	double *candidate, *x = s->chain.x;
	size_t candidates;
	FT_ARENA(work);

	/* Times for dynamic programming: the mesh thinned, for it costs their square; of a coarse mesh each cell
	 * divided, for nodes need not be points of the curve. */
	size_t usual = CANDIDATES_EACH * n < CANDIDATES_MOST ? CANDIDATES_EACH * n : CANDIDATES_MOST;
	size_t m = n + n / 2 > usual ? n + n / 2 : usual, l = 0;
	struct ft__chain *c = &s->chain;

	ft__chain_set(c, s->mesh, s->n_mesh);
	FT_TRY(ft__chain_thin(c, m, err));
	size_t parts = c->n == s->n_mesh && c->n < usual ? (usual + c->n - 2) / (c->n - 1) : 1;
	candidate = ft_arena_take(&work, parts * (c->n - 1) + 1, sizeof *candidate);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i + 1 < c->n; i++)
		for (size_t k = 0; k < parts; k++)
			candidate[l++] = c->x[i] + (c->x[i + 1] - c->x[i]) * ((double)k / (double)parts);
	candidate[l++] = s->f->length;
	candidates = l;
	size_t have = n < candidates - 1 ? n : candidates - 1, count = have + 1;
	double *square = ft_arena_take(&work, have + 1, sizeof *square);
	size_t *node = ft_arena_take(&work, (have + 1) * (have + 1), sizeof *node);
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft__dp(&s->coarse, s->ends, candidate, candidates, have, square, node, err));
	for (size_t j = 0; j <= have; j++)
		x[j] = candidate[node[have * (have + 1) + j]];
	fill_nodes(x, &count, n + 1);
	(void)ft__placing_look(&s->place, x, n + 1);
	return FT_OK;
}

/* ---- all numbers of pieces ----------------------------------------------------------------------------- */

double *ft__path_nodes(const struct ft__seek *s, size_t k)
{
	return s->path + k * (s->path_most + 1);
}

/* The present model, settled, is kept where it is the best of so many pieces. */
static void settle_model(struct ft__seek *s)
{
	struct ft__placing *p = &s->place;
	size_t k = p->n - 1;
	double square = ft__placing_descend(p, SETTLE, ROUGHLY);

	if (square < s->square[k]) {
		s->square[k] = square;
		memcpy(ft__path_nodes(s, k), p->x, p->n * sizeof *p->x);
	}
}

static void search_downwards(struct ft__seek *s)
{
	struct ft__chain *c = &s->chain;

	for (;;) {
		(void)ft__placing_look(&s->place, c->x, c->n);
		settle_model(s);
		if (c->n == 2)
			return;
		ft__chain_set(c, ft__path_nodes(s, c->n - 1), c->n);
		ft__chain_remove(c, ft__chain_cheapest(c));
	}
}

enum ft_status ft__seek_path(struct ft__seek *s, size_t most, struct ft_err *err)
{
	if (s->path_most >= most)
		return FT_OK;
	ft__chain_set(&s->chain, s->mesh, s->n_mesh);
	FT_TRY(ft__chain_thin(&s->chain, most + 1, err));
	size_t n = s->chain.n;
	s->square = ft_arena_take(s->arena, n, sizeof *s->square);
	s->path = ft_arena_take(s->arena, n * n, sizeof *s->path);
	FT_TRY(ft_arena_check(s->arena, err));
	s->path_most = n - 1;
	for (size_t k = 0; k <= s->path_most; k++)
		s->square[k] = INFINITY;
	search_downwards(s);
	for (size_t k = 1; k < s->path_most; k++) {
		double place[3];

		best_places(s, ft__path_nodes(s, k), k, place);
		if (ft__enter(s, ft__path_nodes(s, k), k, place, 1))
			settle_model(s);
		if (k + 2 <= s->path_most && ft__enter(s, ft__path_nodes(s, k), k, place + 1, 2))
			settle_model(s);
	}
	return FT_OK;
}

enum ft_status ft__start_path(struct ft__seek *s, size_t n, struct ft_err *err)
{
	FT_TRY(ft__seek_path(s, n, err));
	size_t have = n < s->path_most ? n : s->path_most, count = have + 1;
	memcpy(s->chain.x, ft__path_nodes(s, have), count * sizeof *s->chain.x);
	fill_nodes(s->chain.x, &count, n + 1);
	(void)ft__placing_look(&s->place, s->chain.x, n + 1);
	return FT_OK;
}

void ft__start_nodes(struct ft__seek *s, const struct ft_nodes *nodes)
{
	double *x = s->place.x;
	size_t n = 0;

	x[n++] = 0;
	for (size_t j = 0; j < nodes->n; j++) {
		double at = nodes->t[j] - s->f->t0;

		if (at > x[n - 1] + 2 * placing_gap(s->f) && at < s->f->length - 2 * placing_gap(s->f))
			x[n++] = at;
	}
	x[n++] = s->f->length;
	assert(n <= s->most + 1);
	(void)ft__placing_look(&s->place, x, n);
}
