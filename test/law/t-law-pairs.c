/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-law-pairs.c - the belief in pairs of terms beside an oracle: the same evidences, summed over a grid so
 * fine that no ridge slips through. */
#include "base/alloc.h"
#include "base/random.h"
#include "law/laws.h"
#include "tap.h"

enum { SIZES = 5, RUNS = 5, SIDE = 300, ASKED = 8192 };

/* Two of the common terms and a constant, of parts that can be compared; noise of a. */
static void draw(struct ft_random *random, double a, struct ft_law_knot *knot)
{
	static const struct ft_law_factor common[] = {
		{0, 1, 0, 0, 0, 0},   {0.5, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0},
		{1.5, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0},   {2, 1, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}};
	struct ft_law law = {
		.params = 1, .terms = 2, .constant = pow(10, -1 + 2 * ft_random_uniform(random))};
	size_t first = ft_random_below(random, 8), second = (first + 1 + ft_random_below(random, 7)) % 8, i,
	       j;
	double middle = 512;

	law.term[0].factor[0] = common[first];
	law.term[1].factor[0] = common[second];
	for (i = 0; i < 2; i++) {
		struct ft_law one = {.params = 1, .terms = 1, .term = {law.term[i]}};

		one.term[0].c = 1;
		law.term[i].c = pow(10, -1 + 2 * ft_random_uniform(random)) / ft_law_value(&one, &middle);
	}
	for (i = 0; i < SIZES; i++) {
		double value[RUNS], x = 64 << i;

		knot[i] = (struct ft_law_knot){.x = x, .count = RUNS};
		for (j = 0; j < RUNS; j++) {
			value[j] = ft_law_value(&law, &x) * exp(a * ft_random_normal(random));
			knot[i].mean += value[j] / RUNS;
		}
		for (j = 0; j < RUNS; j++)
			knot[i].scatter += pow(value[j] / knot[i].mean - 1, 2);
	}
}

/* What is believed: ln of the whole mass; mean and deviation of ln value at ASKED. While it is summed, the
 * mass itself over that of the top, and weighted sums. */
struct belief {
	double mass, mean, square;
};

static void add(struct belief *b, double *top, double ln, double value)
{
	double scale = ln > *top ? exp(*top - ln) : 1, w;

	if (ln > *top) {
		b->mass *= scale;
		b->mean *= scale;
		b->square *= scale;
		*top = ln;
	}
	w = exp(ln - *top);
	b->mass += w;
	b->mean += w * value;
	b->square += w * value * value;
}

static void finish(struct belief *b, double top)
{
	b->mean /= b->mass;
	b->square = sqrt(fmax(0, b->square / b->mass - b->mean * b->mean));
	b->mass = log(b->mass) + top;
}

static double value_of(const double *g, const double *c, const unsigned char *shape, double constant)
{
	return log(constant + c[0] * g[shape[0]] + c[1] * g[shape[1]]);
}

/* The least logarithms that law_pairs.c considers, said again. */
static void box_of(const struct ft__law_data *data, const unsigned char *shape, double *low)
{
	const double *fast = ft__law_g(data, shape[0]), *slow = ft__law_g(data, shape[1]);
	size_t k = slow[0] > 0 && fast[0] > 0 ? 0 : 1;

	low[0] = fmin(-8, log(fast[fast[0] > 0 ? 0 : 1]) - 1);
	low[1] = fmin(-6, log(fast[k] / slow[k]) - 1);
}

static void integrate(const struct ft__law_data *data, struct belief *out)
{
	static struct ft__law_cells cells;
	struct ft__law_choice choice = {.terms = 2};
	double g[FT_LAW_SHAPES], top = -INFINITY, low[2];

	*out = (struct belief){0};
	ft__law_shape_values(ASKED, g);
	while (ft__law_choose(data, &choice)) {
		box_of(data, choice.shape, low);
		cells = (struct ft__law_cells){.terms = 2, .shape = {choice.shape[0], choice.shape[1]}};
		for (size_t i = 0; i < SIDE; i++)
			for (size_t j = 0; j < SIDE; j++) {
				double ratio = exp(low[1] + (6 - low[1]) * ((double)i + 0.5) / SIDE);
				size_t k = cells.n++;

				cells.part[0][k] =
					exp(low[0] + (4 - low[0]) * ((double)j + 0.5) / SIDE) * (1 + ratio);
				cells.part[1][k] = 1;
				cells.part[2][k] = ratio;
				if (cells.n < FT__LAW_CELLS && (i + 1 < SIDE || j + 1 < SIDE))
					continue;
				ft__law_evidence(data, &cells);
				for (k = 0; k < cells.n; k++) {
					double c[2] = {cells.level[k] / data->scale[cells.shape[0]],
						       cells.level[k] * cells.part[2][k] /
							       data->scale[cells.shape[1]]};

					add(out, &top, cells.ln[k] - log(FT__LAW_PAIRS) - 2 * log(SIDE),
					    value_of(g, c, cells.shape, cells.level[k] * cells.part[0][k]));
				}
				cells.n = 0;
			}
	}
	finish(out, top);
}

static void believe(const struct ft__law_data *data, struct belief *out)
{
	struct ft__law_points points = {0};
	double g[FT_LAW_SHAPES], top = -INFINITY;
	struct ft_err err;

	*out = (struct belief){0};
	ft__law_shape_values(ASKED, g);
	if (ft__law_weigh_pairs(data, &points, &err))
		exit(99);
	for (size_t i = 0; i < points.n; i++)
		add(out, &top, points.point[i].weight,
		    value_of(g, points.point[i].c, points.point[i].shape, points.point[i].constant));
	ft_free(points.point);
	finish(out, top);
}

int main(void)
{
	static const double noise[] = {0.02, 0.05, 0.2};
	struct ft_random random = {test_seed()};
	int cases = test_cases(3), i;

	for (size_t level = 0; level < 3; level++) {
		double mass = 0, mean = 0, width = 0;

		for (i = 0; i < cases; i++) {
			struct ft_law_knot knot[SIZES];
			struct ft__law_data data;
			struct belief oracle, ours;

			draw(&random, noise[level], knot);
			if (ft__law_data_init(&data, knot, SIZES, false, NULL))
				exit(99);
			integrate(&data, &oracle);
			believe(&data, &ours);
			mass += fabs(ours.mass - oracle.mass) / cases;
			mean += fabs(ours.mean - oracle.mean) / (oracle.square + noise[level]) / cases;
			width += fabs(log((ours.square + noise[level]) / (oracle.square + noise[level]))) /
				 cases;
			ft__law_data_clear(&data);
		}
		if (!ok(mass < 0.6 && mean < 0.45 && width < 0.3, "noise %g: as the oracle", noise[level]))
			diag("seed %llu: ln mass off by %.2f, ln value by %.2f of its deviation, that by "
			     "%.2f",
			     (unsigned long long)test_seed(), mass, mean, width);
	}
	return done();
}
