/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - a model that grows run by run: knots, and the tests that new sizes are. */
#include "model/live.h"
#include "base/alloc.h"
#include "model/band.h"
#include "model/visits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The kernel's reach, as a share of the range of ln size: a decade in ten. */
static const double reach_share = 0.1;

void ft__live_init(struct ft__live *live, bool through_speed, enum ft_join join, double offset, double least,
		   double most)
{
	double range;

	*live = (struct ft__live){.through_speed = through_speed, .join = join, .offset = offset};
	live->shift = least > 0 ? 0 : 1 - least;
	live->origin = log(least + live->shift);
	range = log(most + live->shift) - live->origin;
	live->reach = range > 0 ? reach_share * range : 1;
	live->last.residual = NAN;
	live->last_x = NAN;
}

void ft__live_clear(struct ft__live *live)
{
	size_t j;

	if (!live)
		return;
	for (j = 0; j < live->n; j++)
		ft_free(live->node[j].value);
	ft_free(live->node);
	*live = (struct ft__live){0};
}

size_t ft__live_find(const struct ft__live *live, double x)
{
	size_t low = 0, high = live->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (live->node[middle].x <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct ft__end end_of(const struct ft__node *node)
{
	return (struct ft__end){node->x, node->at, node->work, node->level};
}

static double coordinate(const struct ft__live *live, double x)
{
	return log(x + live->shift) - live->origin;
}

double ft__live_level(const struct ft__live *live, size_t g, enum ft_shape shape, double x)
{
	struct ft__end a = end_of(&live->node[g]), b = end_of(&live->node[g + 1]);

	return ft__shape_level(shape, &a, &b, x, coordinate(live, x), NAN);
}

/* What the neighbours of node j say of it, by each shape. */
static void set_residuals(struct ft__live *live, size_t j)
{
	struct ft__node *k = &live->node[j];
	struct ft__end a, b;
	int s;

	if (!j || j + 1 >= live->n)
		return;
	a = end_of(k - 1);
	b = end_of(k + 1);
	for (s = 0; s < FT_SHAPES; s++) {
		double said = ft__shape_level((enum ft_shape)s, &a, &b, k->x, k->at, k->work);

		k->residual[s] = fabs(k->level - said);
		k->root[s] = sqrt(k->residual[s]);
	}
}

/* Slope at node j of the monotone cubic (Fritsch, Butland 1984) in ln value over ln size. */
static double cubic_slope(const struct ft__live *live, size_t j)
{
	const struct ft__node *k = &live->node[j];
	double left, right, hl, hr;

	if (!j)
		return (k[1].level - k[0].level) / (k[1].at - k[0].at);
	if (j + 1 == live->n)
		return (k[0].level - k[-1].level) / (k[0].at - k[-1].at);
	hl = k[0].at - k[-1].at;
	hr = k[1].at - k[0].at;
	left = (k[0].level - k[-1].level) / hl;
	right = (k[1].level - k[0].level) / hr;
	if (left * right <= 0)
		return 0;
	return 3 * (hl + hr) / ((2 * hr + hl) / left + (hr + 2 * hl) / right);
}

/* What shapes through the same nodes say in the middle of gap g, and a cubic, beside the power law. */
static void set_committee(struct ft__live *live, size_t g)
{
	struct ft__node *k = &live->node[g];
	struct ft__end a, b;
	double at, x, middle;
	int s;

	if (g + 1 >= live->n)
		return;
	a = end_of(k);
	b = end_of(k + 1);
	at = (a.at + b.at) / 2;
	x = exp(at + live->origin) - live->shift;
	middle = (a.level + b.level) / 2;
	for (s = 0; s < FT_SHAPES; s++)
		k->differs[s] = ft__shape_level((enum ft_shape)s, &a, &b, x, at, NAN) - middle;
	k->cubic_differs = (b.at - a.at) / 8 * (cubic_slope(live, g) - cubic_slope(live, g + 1));
}

/* Node j is new, or its median moved. */
static void update(struct ft__live *live, size_t j)
{
	size_t from = j > 2 ? j - 2 : 0, to = j + 2 < live->n ? j + 2 : live->n - 1, i;

	for (i = from; i <= to; i++) {
		set_residuals(live, i);
		set_committee(live, i);
	}
	live->fresh = false;
}

/* The sum of squares that the median deviation from the median stands for: one wild run does not make a
 * region noisy. The factor makes it right for the normal law (simulated, 3 to 31 runs). */
static double calm_scatter(const struct ft__live *live, const struct ft__node *node)
{
	size_t low = 0, high = node->runs, m = node->runs;
	double deviation = 0;

	if (m < 3)
		return INFINITY;
	/* Of the sorted values, drop the farther end until half of them are left. */
	while (high - low > m / 2) {
		double below = node->level - log(node->value[low] + live->offset);
		double above = log(node->value[high - 1] + live->offset) - node->level;

		deviation = fmax(below, above);
		if (below > above)
			low++;
		else
			high--;
	}
	return ((double)m - 1) * (2.2 + 2 / (double)m) * deviation * deviation;
}

/* Enter a value, which there is room for: the list stays sorted, median and scatter follow. */
static void enter(struct ft__live *live, struct ft__node *node, double value)
{
	size_t i = node->runs++;
	double mean = 0;

	for (; i && node->value[i - 1] > value; i--)
		node->value[i] = node->value[i - 1];
	node->value[i] = value;
	i = node->runs / 2;
	node->middle =
		(node->runs % 2 ? node->value[i] : (node->value[i - 1] + node->value[i]) / 2) + live->offset;
	node->level = log(node->middle);
	node->scatter = node->calm = 0;
	if (node->runs < 2)
		return;
	for (i = 0; i < node->runs; i++)
		mean += log(node->value[i] + live->offset) / (double)node->runs;
	for (i = 0; i < node->runs; i++) {
		double d = log(node->value[i] + live->offset) - mean;

		node->scatter += d * d;
	}
	node->calm = fmin(node->scatter, calm_scatter(live, node));
}

/* The same run as part of a visit (Welford's update within it). */
static void enter_visit(const struct ft__live *live, struct ft__node *node, double value)
{
	double level = log(value + live->offset), from;

	if (live->last_x != node->x) {
		node->visits++;
		node->visit_mean = node->visit_runs = 0;
	}
	from = level - node->visit_mean;
	node->visit_mean += from / ++node->visit_runs;
	node->within += from * (level - node->visit_mean);
}

double ft__live_drift(const struct ft__live *live)
{
	struct ft__visits visits = {0};
	size_t j;

	for (j = 0; j < live->n; j++) {
		const struct ft__node *k = &live->node[j];

		ft__visits_add(&visits, k->runs, k->visits, k->scatter, k->within);
	}
	return ft__visits_drift(&visits);
}

static void forget_oldest(struct ft__live *live)
{
	size_t i, oldest = 0;

	for (i = 1; i < live->n_tests; i++)
		if (live->age[i] < live->age[oldest])
			oldest = i;
	live->n_tests--;
	memmove(&live->test[oldest], &live->test[oldest + 1], (live->n_tests - oldest) * sizeof *live->test);
	memmove(&live->age[oldest], &live->age[oldest + 1], (live->n_tests - oldest) * sizeof *live->age);
}

static void keep_test(struct ft__live *live, const struct ft__test *test)
{
	size_t i;

	if (live->n_tests == FT__TESTS)
		forget_oldest(live);
	for (i = live->n_tests++;
	     i && live->test[i - 1].residual * test->raw > test->residual * live->test[i - 1].raw; i--) {
		live->test[i] = live->test[i - 1];
		live->age[i] = live->age[i - 1];
	}
	live->test[i] = *test;
	live->age[i] = live->tests++;
}

/* A size that is new, between nodes g and g + 1: what was said of it? */
static void make_test(struct ft__live *live, size_t g, double x, double value)
{
	struct ft__gap gap = ft__live_gap(live, g);
	struct ft__test *test = &live->last;

	test->decay = exp(coordinate(live, x) / live->reach);
	test->residual = fabs(log(value + live->offset) - ft__live_level(live, g, gap.shape, x));
	test->raw = fmax(gap.raw, 1e-6);
	test->error = fmax(gap.error, 1e-6);
	test->noise = sqrt((live->node[g].noise * live->node[g].noise +
			    live->node[g + 1].noise * live->node[g + 1].noise) /
			   2);
	keep_test(live, test);
}

/* A node at place j for a size that is new; all is as it was on failure. */
static enum ft_status insert(struct ft__live *live, size_t j, double x, double work, double value,
			     struct ft_err *err)
{
	struct ft__node *nodes = ft_grow(live->node, live->n, &live->capacity, sizeof *nodes),
			node = {.x = x};

	if (!nodes)
		return ft_nomem(err);
	live->node = nodes;
	node.value = ft_grow(NULL, 0, &node.capacity, sizeof *node.value);
	if (!node.value)
		return ft_nomem(err);
	if (j && j < live->n)
		make_test(live, j - 1, x, value);
	node.work = work;
	node.at = coordinate(live, x);
	node.decay = exp(node.at / live->reach);
	memmove(nodes + j + 1, nodes + j, (live->n - j) * sizeof *nodes);
	nodes[j] = node;
	live->n++;
	live->has_work = live->has_work || work != nodes[0].work || work != nodes[live->n - 1].work;
	return FT_OK;
}

enum ft_status ft__live_add(struct ft__live *live, double x, double work, double value, struct ft_err *err)
{
	bool left = !live->n || x < live->node[0].x;
	size_t j = left ? 0 : ft__live_find(live, x);
	enum ft_status status;

	live->last.residual = NAN;
	if (!left && live->node[j].x == x) {
		struct ft__node *node = &live->node[j];
		double *grown = ft_grow(node->value, node->runs, &node->capacity, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		node->value = grown;
	} else {
		j += !left;
		status = insert(live, j, x, work, value, err);
		if (status)
			return status;
	}
	enter(live, &live->node[j], value);
	enter_visit(live, &live->node[j], value);
	live->last_x = x;
	live->runs++;
	update(live, j);
	return FT_OK;
}
