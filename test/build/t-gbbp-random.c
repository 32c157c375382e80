/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-gbbp-random.c - GBBP against the document's recursion taken literally, and what must hold on any curve.
 */
#include "drive.h"
#include "foretime/model.h"
#include "num/num.h"

enum { SIZES_MOST = 512 };

/* A random curve on random sizes. */
struct curve {
	struct ft_build_options options;
	double size[SIZES_MOST];
	size_t n;
	size_t runs[SIZES_MOST];
	double seconds[SIZES_MOST][5];
	double load;
};

static size_t at(const struct curve *curve, double x)
{
	for (size_t i = 0; i < curve->n; i++)
		if (fabs(curve->size[i] - x) < 1e-6)
			return i;
	return SIZES_MOST;
}

static size_t curve_times(void *ctx, double x, double *seconds)
{
	const struct curve *curve = ctx;
	size_t i = at(curve, x);

	memcpy(seconds, curve->seconds[i], sizeof curve->seconds[i]);
	return curve->runs[i];
}

/* Longer runs meet less of the extremes. */
static void load_at(void *ctx, const struct ft_size *size, double seconds, double load[2])
{
	const struct curve *curve = ctx;

	(void)size;
	load[1] = curve->load / (1 + seconds);
	load[0] = load[1] / 3;
}

/* Shapes: rising, falling, a cliff, plateaus, nothing but scatter. */
static double shape(int kind, double x, double at_cliff, struct ft_random *random)
{
	switch (kind) {
	case 0:
		return x / (x + 0.1);
	case 1:
		return 1 / (1 + 3 * x);
	case 2:
		return x < at_cliff ? 1 + x : 0.2 / (1 + x);
	case 3:
		return 1 + floor(x / 0.2);
	default:
		return exp(ft_random_normal(random));
	}
}

static void random_sizes(struct curve *curve, struct ft_random *random)
{
	struct ft_space *space = &curve->options.space[0];
	size_t i, n = 2 + ft_random_below(random, ft_random_below(random, 4) ? 60 : 300);
	bool list = ft_random_below(random, 3) == 0;

	space->stride = list ? 0 : (double)(1 + ft_random_below(random, 64));
	space->least = (double)ft_random_below(random, list ? 5 : 1 + (size_t)(2 * space->stride));
	for (i = 0; i < n; i++)
		if (list)
			curve->size[i] =
				i ? curve->size[i - 1] + 0.1 + 20 * ft_random_uniform(random) : space->least;
		else
			curve->size[i] = space->least + space->stride * (double)i;
	if (!list && ft_random_below(random, 2)) /* an end off the stride */
		curve->size[n - 1] -= floor(space->stride * ft_random_uniform(random));
	curve->n = n;
	space->most = curve->size[n - 1];
	space->sizes = list ? curve->size : NULL;
	space->n_sizes = list ? n : 0;
}

static void random_curve(struct curve *curve, struct ft_random *random)
{
	int kind = (int)ft_random_below(random, 5);
	double cliff = ft_random_uniform(random),
	       noise = ft_random_below(random, 2) ? 0.1 * ft_random_uniform(random) : 0;

	*curve = (struct curve){.n = 0};
	curve->options.tolerance =
		ft_random_below(random, 2) ? 0.05 : 0.001 + 0.2 * ft_random_uniform(random);
	curve->options.n_params = 1;
	curve->options.confidence = 0.9;
	curve->load = ft_random_below(random, 3) ? 0 : 0.3 * ft_random_uniform(random);
	curve->options.load = load_at;
	curve->options.ctx = curve;
	curve->options.end_zero = ft_random_below(random, 2);
	curve->options.climb_strict = ft_random_below(random, 2);
	random_sizes(curve, random);
	for (size_t i = 0; i < curve->n; i++) {
		double x = (curve->size[i] - curve->size[0]) / (curve->size[curve->n - 1] - curve->size[0]);
		double speed = shape(kind, x + 0.01, cliff, random);

		curve->runs[i] = 1 + ft_random_below(random, 5);
		for (size_t j = 0; j < curve->runs[i]; j++)
			curve->seconds[i][j] = exp(noise * ft_random_normal(random)) / speed;
	}
}

/* The oracle: 000 section 2.5, depth first, as it stands there. */
struct oracle {
	const struct curve *curve;
	bool measured[SIZES_MOST];
};

struct cut {
	double least, most;
};

static struct cut measure(struct oracle *oracle, size_t i)
{
	const struct curve *curve = oracle->curve;
	double cut[2] = {0, 0}, load[2];

	if (i + 1 == curve->n && curve->options.end_zero)
		return (struct cut){0, 0};
	oracle->measured[i] = true;
	load_at(oracle->curve->options.ctx, &(struct ft_size){1, {curve->size[i]}},
		ft_stats_mean(curve->seconds[i], curve->runs[i]), load);
	ft_model_cut(curve->seconds[i], curve->runs[i], 1, load, curve->options.confidence,
		     curve->options.tolerance, cut);
	return (struct cut){cut[0], cut[1]};
}

static bool disjoint(struct cut a, struct cut b)
{
	return a.most < b.least || b.most < a.least;
}

/* The cut at m of the straight band from left to right. */
static struct cut on_band(const struct oracle *oracle, size_t left, struct cut c_left, size_t right,
			  struct cut c_right, size_t m)
{
	const double *x = oracle->curve->size;
	double w = (x[m] - x[left]) / (x[right] - x[left]);

	return (struct cut){c_left.least + w * (c_right.least - c_left.least),
			    c_left.most + w * (c_right.most - c_left.most)};
}

/* The size strictly between nearest to the middle; 0: none. */
static size_t bisection_point(const struct oracle *oracle, size_t left, size_t right)
{
	const double *x = oracle->curve->size;
	size_t best = 0;

	for (size_t i = left + 1; i < right; i++)
		if (!best ||
		    fabs(x[i] - (x[left] / 2 + x[right] / 2)) < fabs(x[best] - (x[left] / 2 + x[right] / 2)))
			best = i;
	return best;
}

static void bisect(struct oracle *oracle, size_t left, struct cut c_left, size_t right, struct cut c_right)
{
	size_t b1 = bisection_point(oracle, left, right), b2;

	if (!b1)
		return;
	struct cut c1 = measure(oracle, b1);
	if (!disjoint(c_left, c1)) {
		bisect(oracle, b1, c1, right, c_right);
	} else if (!disjoint(c_right, c1)) {
		bisect(oracle, left, c_left, b1, c1);
	} else if (!disjoint(c1, on_band(oracle, left, c_left, right, c_right, b1))) {
		b2 = bisection_point(oracle, left, b1);
		if (b2) {
			struct cut c2 = measure(oracle, b2);
			if (disjoint(c2, on_band(oracle, left, c_left, b1, c1, b2))) {
				bisect(oracle, left, c_left, b2, c2);
				bisect(oracle, b2, c2, b1, c1);
			}
		}
		bisect(oracle, b1, c1, right, c_right);
	} else {
		bisect(oracle, left, c_left, b1, c1);
		bisect(oracle, b1, c1, right, c_right);
	}
}

static bool climb_goes_on(const struct curve *curve, struct cut now, struct cut next)
{
	if (next.least <= now.least && next.most <= now.most)
		return false;
	if (next.least >= now.least && next.most <= now.most)
		return false;
	return curve->options.climb_strict || disjoint(now, next);
}

/* The next ka beyond `from`, k one by one; n: none. */
static size_t climb_point(const struct curve *curve, size_t from, long *k)
{
	const double *x = curve->size;
	double a = x[0] > 0                        ? x[0]
		   : curve->options.space[0].sizes ? x[1] - x[0]
						   : curve->options.space[0].stride;

	for (;;) {
		double here = x[0] + (double)(++*k - 1) * a;
		size_t nearest = 0;

		if (here > x[curve->n - 1])
			return curve->n;
		for (size_t i = 1; i < curve->n; i++)
			if (fabs(x[i] - here) < fabs(x[nearest] - here))
				nearest = i;
		if (nearest > from)
			return nearest;
	}
}

static void run_oracle(struct oracle *oracle, const struct curve *curve)
{
	size_t left = 0, last = curve->n - 1;
	long k = 1;

	*oracle = (struct oracle){.curve = curve};
	struct cut c_left = measure(oracle, 0);
	for (;;) {
		size_t next = climb_point(curve, left, &k);
		struct cut c_now = c_left;

		if (next == curve->n || (next == last && curve->options.end_zero))
			break;
		struct cut c_next = measure(oracle, next);
		left = next;
		c_left = c_next;
		if (!climb_goes_on(curve, c_now, c_next))
			break;
	}
	if (left < last)
		bisect(oracle, left, c_left, last, measure(oracle, last));
}

static bool same_sizes(const struct oracle *oracle, const struct asked *asked)
{
	size_t n = 0;

	for (size_t i = 0; i < asked->n; i++) {
		size_t index = at(oracle->curve, asked->size[i]);

		if (index == SIZES_MOST || !oracle->measured[index])
			return false;
	}
	for (size_t i = 0; i < oracle->curve->n; i++)
		n += oracle->measured[i];
	return n == asked->n;
}

/* Every size is admissible and new, and it ends. */
static bool sound(const struct curve *curve, const struct asked *asked)
{
	if (asked->failed || asked->n > curve->n)
		return false;
	for (size_t i = 0; i < asked->n; i++) {
		if (at(curve, asked->size[i]) == SIZES_MOST)
			return false;
		for (size_t j = 0; j < i; j++)
			if (asked->size[j] == asked->size[i])
				return false;
	}
	return true;
}

static bool same_order(const struct asked *a, const struct asked *b)
{
	return a->n == b->n && a->stop == b->stop && !memcmp(a->size, b->size, a->n * sizeof *a->size);
}

static void drive_shuffled(struct curve *curve, size_t most, uint64_t shuffle, struct asked *asked)
{
	struct ft_builder *builder;

	(void)ft_builder_new(&builder, ft_builder_type_find("gbbp"), &curve->options, NULL);
	drive_on(builder, curve_times, curve, most, shuffle, asked);
	ft_builder_free(builder);
}

/* What was known before is not asked; known and asked together are what is asked of one who knows nothing. */
static bool same_when_known(struct curve *curve, const struct asked *fresh, struct ft_random *random)
{
	static bool known[SIZES_MOST];
	struct ft_builder *builder;
	struct asked asked;
	double seconds[8];
	size_t n = 0;
	bool good = true;

	(void)ft_builder_new(&builder, ft_builder_type_find("gbbp"), &curve->options, NULL);
	for (size_t i = 0; i < curve->n; i++) {
		known[i] = ft_random_below(random, 2);
		if (known[i])
			(void)tell(builder, curve->size[i], seconds,
				   curve_times(curve, curve->size[i], seconds), NULL);
	}
	drive_on(builder, curve_times, curve, FT_ASK_MAX, 0, &asked);
	ft_builder_free(builder);
	for (size_t i = 0; i < fresh->n; i++)
		if (!known[at(curve, fresh->size[i])])
			good &= n < asked.n && asked.size[n++] == fresh->size[i];
	return good && n == asked.n && asked.stop == fresh->stop;
}

static void against_oracle(void)
{
	struct ft_random random = {test_seed()};
	static struct curve curve;
	static struct oracle oracle;
	static struct asked asked, other;
	int cases = test_cases(1000), i, bad[5] = {0};
	size_t used = 0;

	for (i = 0; i < cases; i++) {
		random_curve(&curve, &random);
		run_oracle(&oracle, &curve);
		drive("gbbp", &curve.options, curve_times, &curve, &asked);
		used += asked.n;
		if (!same_sizes(&oracle, &asked) && !bad[0]++)
			diag("case %d of seed %llu: %s", i, (unsigned long long)test_seed(),
			     transcript(&asked));
		bad[1] += !sound(&curve, &asked);
		drive_shuffled(&curve, FT_ASK_MAX, 1 + ft_random_bits(&random) / 2, &other);
		bad[2] += !same_order(&asked, &other);
		drive_shuffled(&curve, 1, 0, &other);
		bad[3] += !same_order(&asked, &other);
		curve.options.points = ft_random_below(&random, 12);
		drive("gbbp", &curve.options, curve_times, &curve, &asked);
		bad[1] += !sound(&curve, &asked) || (curve.options.points && asked.n > curve.options.points);
		bad[4] += !same_when_known(&curve, &asked, &random);
	}
	diag("%d curves, %zu sizes, seed %llu", cases, used, (unsigned long long)test_seed());
	ok(!bad[0], "the sizes are those of the document's recursion");
	ok(!bad[1], "each is admissible and new, and there are no more than wanted");
	ok(!bad[2], "the order of tells in a batch does not matter");
	ok(!bad[3], "asking one by one gives the same");
	ok(!bad[4], "what is known is not asked, and changes nothing else");
}

static bool good_at(const struct curve *curve, double x)
{
	return curve->runs[at(curve, x)] > 0;
}

/* Beyond a size everything fails: the gap between the last good and the first failed size that were asked is
 * narrow or holds no size, and once a size has failed nothing above it is asked. */
static bool limit_found(const struct curve *curve, const struct asked *asked)
{
	double good = -1, failed = INFINITY;
	size_t lowest = SIZES_MOST;

	for (size_t i = 0; i < asked->n; i++) {
		bool fine = good_at(curve, asked->size[i]);

		if (fine && asked->size[i] > good)
			good = asked->size[i];
		if (!fine && asked->size[i] < failed) {
			failed = asked->size[i];
			lowest = asked->batch[i];
		}
	}
	for (size_t i = 0; i < asked->n; i++)
		/* The end is asked once after the climb, whatever the climb met. */
		if (asked->size[i] > failed && asked->batch[i] > lowest &&
		    at(curve, asked->size[i]) + 1 < curve->n)
			return false;
	return good < 0 || isinf(failed) || at(curve, failed) - at(curve, good) == 1 ||
	       failed - good <= curve->options.tolerance * good;
}

static void with_failures(void)
{
	struct ft_random random = {test_seed() + 1};
	static struct curve curve;
	static struct asked asked, other;
	int cases = test_cases(1000), i, bad[4] = {0};

	for (i = 0; i < cases; i++) {
		bool dies = ft_random_below(&random, 2);
		double share = ft_random_uniform(&random), sum = 0;

		random_curve(&curve, &random);
		size_t first = 1 + ft_random_below(&random, curve.n);
		for (size_t j = 0; j < curve.n; j++)
			if (dies ? j >= first : ft_random_uniform(&random) < share)
				curve.runs[j] = 0;
		drive("gbbp", &curve.options, curve_times, &curve, &asked);
		bad[0] += !sound(&curve, &asked);
		drive_shuffled(&curve, FT_ASK_MAX, 1 + ft_random_bits(&random) / 2, &other);
		bad[1] += !same_order(&asked, &other);
		for (size_t j = 0; j < asked.n; j++)
			sum += good_at(&curve, asked.size[j]);
		bad[2] += (sum == 0) != (asked.stop == FT_STOP_EXHAUSTED && sum == 0);
		if (dies && !limit_found(&curve, &asked) && !bad[3]++)
			diag("case %d of seed %llu: %s, fails from %g", i,
			     (unsigned long long)test_seed() + 1, transcript(&asked),
			     first < curve.n ? curve.size[first] : INFINITY);
	}
	ok(!bad[0], "with failures: each size is admissible and new, and it ends");
	ok(!bad[1], "with failures: the order of tells in a batch does not matter");
	ok(!bad[2], "nothing good at all: exhausted");
	ok(!bad[3], "a program that dies of its size is approached from below");
}

int main(void)
{
	against_oracle();
	with_failures();
	return done();
}
