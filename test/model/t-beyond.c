/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-beyond.c - the belief beyond the largest size: against a numerical product of densities, at its limits,
 * and through models of made programs. */
#include "base/random.h"
#include "foretime/model.h"
#include "model/model.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double normal(double x, double mean, double deviation)
{
	double z = (x - mean) / deviation;

	return exp(-z * z / 2) / deviation / sqrt(2 * acos(-1));
}

/* The share of a belief below x. */
static double below(const struct ft__growth_belief *b, double x)
{
	double sum = 0;

	for (size_t i = 0; i < b->n; i++)
		sum += b->weight[i] * ft_normal_below((x - b->mean[i]) / b->deviation[i]);
	return sum;
}

/* Growth that only goes on: no change, no step. */
static struct ft__growth steady(void)
{
	struct ft__growth growth = ft__growths[FT_CLASS_MEMORY];

	for (size_t i = 0; i < FT__GROWTH_BINS; i++)
		growth.change[i] = -100;
	growth.step_rate = 0;
	return growth;
}

/* What members say times what slopes usually are, added up on a grid. */
static void test_product(struct ft_random *random)
{
	static const double usual_deviation[FT__GROWTH_KINDS] = {0.1, 0.15, 1.5};
	enum { TRIES = 40, CELLS = 40000 };
	double worst = 0;

	for (int t = 0; t < TRIES; t++) {
		struct ft__growth growth = steady();
		struct ft__growth_edge edge = {.z = 10 * ft_random_normal(random),
					       .deviation = 0.1 * ft_random_uniform(random),
					       .slope = 2 * ft_random_uniform(random),
					       .span = 1 + 4 * ft_random_uniform(random),
					       .spread = 0.1};
		double far = 0.1 + 4 * ft_random_uniform(random), total = 0, sum = 0, low, step;
		struct ft__growth_belief members = {.n = 1 + ft_random_below(random, 8)}, b;
		double at[3] = {NAN, NAN, NAN};
		size_t c;

		for (size_t i = 0; i < members.n; i++) {
			members.mean[i] = edge.z + far * (edge.slope + 0.5 * ft_random_normal(random));
			members.deviation[i] = 0.05 + far * ft_random_uniform(random);
			members.weight[i] = 0.1 + ft_random_uniform(random);
			sum += members.weight[i];
		}
		for (size_t i = 0; i < members.n; i++)
			members.weight[i] /= sum;
		b = members;
		ft__beyond(&growth, &edge, far, 0, &b);
		low = edge.z - 10 * far - 5;
		step = (20 * far + 10) / CELLS;
		for (c = 0, sum = 0; c < 2 * CELLS; c++) {
			double x = low + step * (double)(c % CELLS), said = 0, usual = 0;

			for (size_t i = 0; i < members.n; i++)
				said += members.weight[i] * normal(x, members.mean[i], members.deviation[i]);
			for (size_t k = 0; k < FT__GROWTH_KINDS; k++)
				usual += growth.usual[k] *
					 normal(x, edge.z + (k ? far : 0),
						hypot(usual_deviation[k] * far, edge.deviation));
			if (c < CELLS) {
				total += said * usual;
				continue;
			}
			sum += said * usual;
			for (size_t k = 0; k < 3; k++)
				if (isnan(at[k]) && sum >= (0.05 + 0.45 * (double)k) * total)
					at[k] = x;
		}
		for (size_t k = 0; k < 3; k++)
			worst = fmax(worst, fabs(below(&b, at[k]) - (0.05 + 0.45 * (double)k)));
	}
	ok(worst < 0.02, "quantiles are those of the product of both densities: off by %g at most", worst);
}

/* Members that know nothing leave what slopes usually are. */
static void test_prior(void)
{
	struct ft__growth growth = steady();
	struct ft__growth_edge edge = {.z = 3, .deviation = 0, .slope = 1, .span = 2, .spread = 0.1};
	struct ft__growth_belief b = {.mean = {3}, .deviation = {1000}, .weight = {1}, .n = 1};
	double sum = 0;

	ft__beyond(&growth, &edge, 2, 0, &b);
	double level = below(&b, 3 + 3 * 0.2);
	for (size_t i = 0; i < b.n; i++)
		sum += b.weight[i];
	ok(near(sum, 1, 1e-9), "weights sum to 1");
	ok(level > growth.usual[0],
	   "vague members leave the usual slopes: %.3g of them are level, %.3g usually", level,
	   growth.usual[0]);
}

static void test_limits(struct ft_random *random)
{
	struct ft__growth_edge edge = {.z = 5, .deviation = 0.02, .slope = 1, .span = 3, .spread = 0.05};
	struct ft__growth_belief b = {.mean = {5.0001}, .deviation = {0.02}, .weight = {1}, .n = 1};
	bool sane = true, grows = true;
	double wide = 0;

	ft__beyond(&ft__growths[FT_CLASS_TIME], &edge, 1e-4, 0, &b);
	ok(near(ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, 0.95), 5 + 1.645 * 0.02, 0.01),
	   "at the edge the belief is that of the edge");
	for (int of = 0; of < FT_CLASSES; of++)
		for (int i = 0; i < 2000; i++) {
			double far = exp(-5 + 11 * ft_random_uniform(random)), sum = 0;

			edge = (struct ft__growth_edge){.z = 700 * (2 * ft_random_uniform(random) - 1),
							.deviation =
								exp(-20 + 25 * ft_random_uniform(random)),
							.slope = 100 * ft_random_normal(random),
							.span = exp(-9 + 12 * ft_random_uniform(random)),
							.spread = exp(-30 + 60 * ft_random_uniform(random)),
							.work = i & 1};
			b = (struct ft__growth_belief){
				.mean = {700 * ft_random_normal(random), edge.z},
				.deviation = {exp(-20 + 27 * ft_random_uniform(random)), 1e-9},
				.weight = {0.5, 0.5},
				.n = 2};
			ft__beyond(&ft__growths[of], &edge, far, far * ft_random_normal(random), &b);
			for (size_t k = 0; k < b.n; k++) {
				sum += b.weight[k];
				sane = sane && isfinite(b.mean[k]) && b.deviation[k] > 0 &&
				       isfinite(b.deviation[k]);
			}
			sane = sane && b.n && fabs(sum - 1) < 1e-6;
		}
	ok(sane, "whatever members say, what is believed are numbers, and weights sum to 1");
	for (int i = 1; i < 12; i++) {
		edge = (struct ft__growth_edge){
			.z = 5, .deviation = 0.02, .slope = 1, .span = 3, .spread = 0.05};
		b = (struct ft__growth_belief){
			.mean = {5 + 0.4 * i}, .deviation = {0.1 * i}, .weight = {1}, .n = 1};
		ft__beyond(&ft__growths[FT_CLASS_MEMORY], &edge, 0.4 * i, 0, &b);
		double now = ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, 0.95) -
			     ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, 0.05);
		grows = grows && now > wide;
		wide = now;
	}
	ok(grows, "the farther, the less is known");
}

/* ---- through models ----------------------------------------------------------------------------------- */

static struct ft_prediction predict(enum ft_resource_class of, const double *x, const double *y, size_t n,
				    double at)
{
	const struct ft_model_options options = {.of = of};
	struct ft_prediction out = {.value = NAN, .upper = NAN};
	struct ft_observation *o = calloc(n, sizeof *o);
	struct ft_model *model = NULL;
	struct ft_size size = {.n = 1, .value = {at}};

	for (size_t i = 0; o && i < n; i++)
		o[i] = (struct ft_observation){.size = {.n = 1, .value = {x[i]}}, .work = 1, .value = y[i]};
	if (o && !ft_model_fit(&model, o, n, &options, NULL))
		(void)ft_model_predict(model, &size, NAN, 0.9, &out, NULL);
	ft_model_free(model);
	free(o);
	return out;
}

enum { RUNS = 20, PROGRAMS = 30 };

static double made(int kind, double u)
{
	switch (kind) {
	case 0:
		return 80e6;
	case 1:
		return 4e6 + 60e6 * u;
	default:
		return 5e6 + 100e6 * u / (0.3 + u);
	}
}

static int compare_doubles(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Memory that stays, grows as the size does, and levels off: what is asked for, 10 times beyond, by what is
 * true. */
static void test_made(struct ft_random *random)
{
	static const char *const names[] = {"constant", "linear", "levelling off"};
	static const double most[] = {1.5, 2.5, 2};

	for (int kind = 0; kind < 3; kind++) {
		double ratio[PROGRAMS];
		size_t held = 0;

		for (int p = 0; p < PROGRAMS; p++) {
			double x[RUNS], y[RUNS], truth = made(kind, 10);

			for (size_t i = 0; i < RUNS; i++) {
				x[i] = 100 << i / 2 % 10;
				y[i] = made(kind, x[i] / 51200) * exp(0.01 * ft_random_normal(random));
			}
			struct ft_prediction at = predict(FT_CLASS_MEMORY, x, y, RUNS, 512000);
			ratio[p] = at.upper / truth;
			held += at.upper >= truth;
		}
		qsort(ratio, PROGRAMS, sizeof *ratio, compare_doubles);
		ok(ratio[PROGRAMS / 2] <= most[kind] && held >= PROGRAMS * 9 / 10,
		   "memory that is %s, 10 times beyond: %.2f times what is true (%zu of %d are not less)",
		   names[kind], ratio[PROGRAMS / 2], held, PROGRAMS);
	}
}

/* Units of values are of no account (laws have logarithms of the size); more runs know more, on average. */
static void test_scale(struct ft_random *random)
{
	double x[RUNS], y[RUNS], big_x[RUNS], big_y[RUNS], few = 0, many = 0;
	bool same = true;

	for (int p = 0; p < PROGRAMS; p++) {
		for (size_t i = 0; i < RUNS; i++) {
			x[i] = 64 << i % 5;
			y[i] = (3 + 0.01 * x[i]) * exp(0.05 * ft_random_normal(random));
			big_x[i] = x[i];
			big_y[i] = 4096 * y[i];
		}
		struct ft_prediction a = predict(FT_CLASS_TIME, x, y, RUNS, 8192);
		struct ft_prediction b = predict(FT_CLASS_TIME, big_x, big_y, RUNS, 8192);
		same = same && near(b.upper / a.upper, 4096, 0.01) && near(b.value / a.value, 4096, 0.01);
		many += log(a.upper / a.lower);
		a = predict(FT_CLASS_TIME, x, y, 5, 8192);
		few += log(a.upper / a.lower);
	}
	ok(same, "in another unit of the value: the same belief");
	ok(many < few, "more runs make intervals narrower on average: %.3g, of a quarter of them %.3g",
	   many / PROGRAMS, few / PROGRAMS);
}

/* Pools that grow by a factor when they are full, next to a constant part and a little noise, at sizes on both sides
 * of most rises: the next rises are expected. No other curve is taken for a staircase. */
static void test_stairs(struct ft_random *random)
{
	enum { POOLS = 60, CURVES = 300, MOST = 64 };
	int inside = 0, asked = 0, taken = 0, found = 0;
	double t[MOST], z[MOST], off[POOLS * 3];

	for (int k = 0; k < POOLS; k++) {
		double factor = 1.6 + 1.4 * ft_random_uniform(random),
		       noise = 0.01 * ft_random_uniform(random);
		double constant = k % 2 ? 0 : 30 * ft_random_uniform(random), pool = 1;
		double most = pow(factor, 5 + 3 * ft_random_uniform(random));
		size_t n = 0;

		for (; pool < most && n + 3 < MOST; pool *= factor) {
			/* Just above a rise, somewhere on the level, and just below the next one. */
			double share[3] = {0.05 + 0.1 * ft_random_uniform(random),
					   0.3 + 0.4 * ft_random_uniform(random), 0.95};

			for (int i = 0; i < 3; i++) {
				double x = pool * pow(factor, share[i]);

				if (x > most)
					continue;
				t[n] = log(x);
				z[n++] =
					log(constant + 10 * pool * factor) + noise * ft_random_normal(random);
			}
		}
		struct ft__growth_edge edge = {
			.z = z[n - 1], .deviation = noise, .span = t[n - 1] - t[0], .spread = 0.03};

		edge.stairs = ft__stairs_find(t, z, n, noise);
		found += edge.stairs.share > 0;
		for (int i = 0; i < 3; i++) {
			struct ft__growth_belief b = {
				.n = 1, .mean = {edge.z}, .deviation = {0.02}, .weight = {1}};
			double far = log(i == 0 ? 1.5 : i == 1 ? 4 : 10), there = 1, share;

			while (there < exp(t[n - 1] + far))
				there *= factor;
			ft__beyond(&ft__growths[FT_CLASS_MEMORY], &edge, far, 0, &b);
			share = below(&b, log(constant + 10 * there));
			inside += share > 0.05 && share < 0.95;
			off[asked++] = fabs(ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, 0.5) -
					    log(constant + 10 * there));
		}
	}
	ft_sort(off, (size_t)asked);
	ok(found > POOLS * 0.9, "%d of %d pools are staircases", found, POOLS);
	ok(inside > 0.85 * asked && off[asked / 2] < 0.3,
	   "1.5, 4 and 10 times beyond, %d of %d are inside 90 %%; off by %.0f %% in the median", inside,
	   asked, 100 * expm1(off[asked / 2]));
	for (int k = 0; k < CURVES; k++) {
		double power = 2 * ft_random_uniform(random), noise = 0.05 * ft_random_uniform(random);
		double bend = ft_random_normal(random) / 10,
		       wave = k % 5 ? 0 : 0.3 * ft_random_uniform(random);
		size_t n = 3 + ft_random_below(random, MOST - 3);

		for (size_t i = 0; i < n; i++)
			t[i] = 8 * ft_random_uniform(random);
		ft_sort(t, n);
		for (size_t i = 0; i < n; i++)
			z[i] = power * t[i] + bend * t[i] * t[i] + wave * sin(3 * t[i]) +
			       noise * ft_random_normal(random);
		taken += ft__stairs_find(t, z, n, noise).share > 0;
	}
	ok(taken <= CURVES / 50, "%d of %d smooth, bent or wavy curves are taken for one", taken, CURVES);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	test_product(&random);
	test_prior();
	test_limits(&random);
	test_made(&random);
	test_scale(&random);
	test_stairs(&random);
	return done();
}
