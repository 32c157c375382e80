/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-any-rank.c - what holds of builders over any number of parameters: only admissible sizes, the same again
 * when asked again, the end, and that a build that was killed goes on as it would have. */
#include "base/random.h"
#include "build/door.h"
#include "facts/door.h"
#include "foretime/build.h"
#include "tap.h"

#include <math.h>

enum { MOST = 4000, RANKS = 4 };

/* A program of some rank, and a build of it. */
struct build {
	struct ft_build_options options;
	double noise;
	double dies; /* runs of so many seconds fail; 0: none */
	size_t at_once;
	uint64_t seed;
	struct ft_size size[MOST]; /* [n] in the order run */
	double seconds[MOST];      /* 0: it failed */
	size_t n;
	double spent;
	enum ft_stop stop;
	size_t wrong; /* a call failed, or a size that is none, or one that failed before */
};

/* A product of powers, and a little for each run; a parameter that is fixed counts with its value. */
static double law(const struct ft_size *size)
{
	double product = 1e-5;

	for (size_t i = 0; i < size->n; i++)
		product *= pow(size->value[i], i % 2 ? 1 : 1.5);
	return 1e-3 + product;
}

static double work(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return law(size) - 1e-3;
}

/* The same program of each rank; its largest size costs about as much. */
static struct build make(size_t rank, uint64_t seed)
{
	static const double most[RANKS + 1] = {0, 4096, 256, 64, 32};
	struct build b = {.noise = 0.02, .at_once = 1, .seed = seed};

	b.options = (struct ft_build_options){.n_params = rank, .tolerance = 0.1, .confidence = 0.9};
	for (size_t i = 0; i < rank; i++)
		b.options.space[i] = (struct ft_space){.least = 4, .most = most[rank], .stride = 1};
	return b;
}

static bool may_be_run(const struct build *b, const struct ft_size *size)
{
	for (size_t i = 0; i < size->n; i++)
		if (!ft_space_admits(&b->options.space[i], size->value[i]))
			return false;
	return size->n == b->options.n_params &&
	       (!b->options.admits || b->options.admits(b->options.ctx, size));
}

static enum ft_status tell_of(struct ft_builder *builder, const struct build *b, const struct ft_size *size)
{
	static double seconds[MOST];
	struct ft_build_result told = {.seconds = seconds};

	for (size_t i = 0; i < b->n; i++)
		if (b->seconds[i] > 0 && ft_size_equal(&b->size[i], size))
			seconds[told.n++] = b->seconds[i];
	return ft_builder_tell(builder, size, &told, NULL);
}

static void run(struct build *b, struct ft_random *random, struct ft_builder *builder,
		const struct ft_size *size)
{
	double t = law(size);

	if (b->n == MOST) {
		b->wrong++;
		return;
	}
	for (size_t i = 0; i < b->n; i++)
		b->wrong += !(b->seconds[i] > 0) && ft_size_equal(&b->size[i], size);
	b->wrong += !may_be_run(b, size);
	t = b->dies > 0 && t > b->dies ? 0 : t * exp(b->noise * ft_random_normal(random));
	b->size[b->n] = *size;
	b->seconds[b->n++] = t;
	b->spent += t;
	b->wrong += tell_of(builder, b, size) != FT_OK;
}

/* Asked again it gives the same; the gain is that of the first. */
static void ask_again(struct build *b, struct ft_builder *builder, const struct ft_size *size, size_t n)
{
	struct ft_size again[FT_ASK_MAX];
	struct ft_build_gain gain;
	size_t m;

	ft_builder_gain(builder, &gain);
	b->wrong += gain.size.n &&
		    (!ft_size_equal(&gain.size, &size[0]) || !(gain.error >= 0) || !(gain.seconds >= 0));
	b->wrong += ft_builder_ask(builder, again, b->at_once, &m, NULL) || m != n;
	for (size_t i = 0; i < n && i < m; i++)
		b->wrong += !ft_size_equal(&size[i], &again[i]);
}

static struct build *go(struct build *b, const char *type)
{
	struct ft_random random = {b->seed + 1};
	struct ft_builder *builder;
	struct ft_size size[FT_ASK_MAX];
	size_t n;

	if (ft_builder_new(&builder, ft_builder_type_find(type), &b->options, NULL)) {
		b->wrong++;
		return b;
	}
	while (!b->wrong && !ft_builder_ask(builder, size, b->at_once, &n, NULL) && n) {
		b->wrong += n > b->at_once;
		ask_again(b, builder, size, n);
		for (size_t i = 0; i < n && !b->wrong; i++)
			run(b, &random, builder, &size[i]);
	}
	b->stop = ft_builder_stop(builder);
	ft_builder_free(builder);
	return b;
}

/* ---- any rank ----------------------------------------------------------------------------------------- */

static bool half_of_all(void *ctx, const struct ft_size *size)
{
	double sum = 0;

	(void)ctx;
	for (size_t i = 0; i < size->n; i++)
		sum += size->value[i];
	return fmod(sum, 2) == 0;
}

static const char *const types[] = {"adaptive", "gbbp", "gbbp_naive", "naive", "naive_bisect", "rand"};

enum { N_TYPES = sizeof types / sizeof *types };

static void test_ends(void)
{
	static const size_t points[N_TYPES] = {0, 300, 300, 4, 4, 40};

	for (size_t type = 0; type < N_TYPES; type++)
		for (size_t rank = 1; rank <= (test_sanitized() ? 3 : RANKS); rank++) {
			static struct build b;
			size_t runs[3];

			for (int way = 0; way < 3; way++) {
				b = make(rank, test_seed() + rank);
				b.options.work = work;
				b.options.points = points[type];
				b.at_once = type ? FT_ASK_MAX : way == 2 ? 5 : 1;
				b.options.admits = way == 1 ? half_of_all : NULL;
				b.dies = way == 2 ? law(&(struct ft_size){2, {256, 100}}) : 0;
				(void)go(&b, types[type]);
				runs[way] = b.wrong ? 0 : b.n;
			}
			ok(runs[0] && runs[1] && runs[2],
			   "%s over %zu: it ends, after %zu runs; with a constraint %zu; where runs fail %zu",
			   types[type], rank, runs[0], runs[1], runs[2]);
		}
}

/* One of two parameters has a value: the same sizes are asked as without it. */
static void test_parity(void)
{
	static struct build one, two;

	for (size_t type = 0; type < N_TYPES; type++) {
		size_t off = 0;

		one = make(1, test_seed());
		two = make(2, test_seed());
		two.options.space[0] = one.options.space[0];
		two.options.space[1] = (struct ft_space){.least = 1, .most = 1, .stride = 1};
		one.at_once = two.at_once = type ? FT_ASK_MAX : 1;
		(void)go(&one, types[type]);
		(void)go(&two, types[type]);
		for (size_t i = 0; i < one.n && i < two.n; i++)
			off += one.size[i].value[0] != two.size[i].value[0] || two.size[i].value[1] != 1;
		ok(!one.wrong && !two.wrong && one.n == two.n && !off && one.stop == two.stop,
		   "%s: %zu runs, and as many beside a parameter that has a value", types[type], one.n);
	}
}

/* ---- killed and continued ----------------------------------------------------------------------------- */

/* Told the first k runs of a build, it asks for the next. */
static bool goes_on(const struct build *whole, size_t k)
{
	static struct build part;
	struct ft_builder *builder;
	struct ft_size size;
	size_t n;

	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &whole->options, NULL))
		return false;
	for (part.n = 1; part.n <= k; part.n++) {
		part.size[part.n - 1] = whole->size[part.n - 1];
		part.seconds[part.n - 1] = whole->seconds[part.n - 1];
		(void)tell_of(builder, &part, &part.size[part.n - 1]);
	}
	bool good = !ft_builder_ask(builder, &size, 1, &n, NULL);
	if (k < whole->n)
		good = good && n == 1 && ft_size_equal(&size, &whole->size[k]);
	else
		good = good && !n && ft_builder_stop(builder) == whole->stop;
	ft_builder_free(builder);
	return good;
}

static void test_continues(void)
{
	static struct build whole;

	for (size_t rank = 1; rank <= 3; rank++) {
		size_t wrong = 0, tried = 0, runs = 0;

		for (size_t way = 0; way < 4; way++) {
			whole = make(rank, test_seed() + way);
			whole.options.reps_least = way == 1 ? 3 : 0;
			whole.options.budget_s = way == 2 ? 5 : 0;
			whole.options.far = way == 3 ? FT_FAR_HALF : FT_FAR_MEASURE;
			whole.dies = way == 1 ? law(&(struct ft_size){2, {256, 64}}) : 0;
			(void)go(&whole, "adaptive");
			runs += whole.n;
			wrong += whole.wrong;
			for (size_t k = 1; k <= whole.n;
			     k += k + 3 > whole.n ? 1 : rank * rank * (test_sanitized() ? 2 : 1)) {
				wrong += !goes_on(&whole, k);
				tried++;
			}
		}
		ok(!wrong && tried > 10,
		   "over %zu: killed after %zu of %zu runs, it goes on as it did: %zu not", rank, tried, runs,
		   wrong);
	}
}

/* ---- what the user wants ------------------------------------------------------------------------------ */

static size_t runs_at(const struct build *b, const struct ft_size *size)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += ft_size_equal(&b->size[i], size);
	return n;
}

static void test_wants(void)
{
	static struct build b;

	for (size_t rank = 1; rank <= 3; rank++) {
		double most, largest[FT_PARAMS_MAX] = {0};
		size_t beyond = 0, few = 0, many = 0, reached = 0;

		b = make(rank, test_seed());
		b.options.far = FT_FAR_HALF;
		most = b.options.space[0].most / 2;
		(void)go(&b, "adaptive");
		for (size_t i = 0; i < b.n; i++)
			for (size_t k = 0; k < rank; k++) {
				beyond += b.size[i].value[k] > most;
				largest[k] = fmax(largest[k], b.size[i].value[k]);
			}
		for (size_t k = 0; k < rank; k++)
			reached += largest[k] > 0.8 * most;
		ok(!b.wrong && !beyond && reached == rank, "over %zu: half of the range and no more", rank);

		b = make(rank, test_seed());
		b.options.reps_least = 3;
		b.options.reps_most = 4;
		(void)go(&b, "adaptive");
		for (size_t i = 0; i < b.n; i++) {
			few += runs_at(&b, &b.size[i]) < 3;
			many += runs_at(&b, &b.size[i]) > 4;
		}
		ok(!b.wrong && !few && !many, "over %zu: each size three or four times: %zu less, %zu more",
		   rank, few, many);

		b = make(rank, test_seed());
		b.options.budget_s = 0.3 * law(&(struct ft_size){1, {4096}});
		(void)go(&b, "adaptive");
		ok(!b.wrong && b.spent < 1.15 * b.options.budget_s && b.stop == FT_STOP_BUDGET,
		   "over %zu: a budget is kept: %.2f of it", rank, b.spent / b.options.budget_s);
	}
}

/* Several at once: all different, and the first is what it would have asked for alone. */
static void test_several(void)
{
	static struct build b;

	for (size_t rank = 1; rank <= 3; rank++) {
		struct ft_random random = {test_seed()};
		struct ft_builder *builder;
		struct ft_size size[4], alone;
		size_t n, one, wrong = 0, batches = 0;

		b = make(rank, test_seed());
		(void)ft_builder_new(&builder, ft_builder_type_find("adaptive"), &b.options, NULL);
		while (!b.wrong && !ft_builder_ask(builder, size, 4, &n, NULL) && n) {
			wrong += ft_builder_ask(builder, &alone, 1, &one, NULL) || one != 1 ||
				 !ft_size_equal(&alone, &size[0]);
			for (size_t i = 0; i < n; i++)
				for (size_t k = 0; k < i; k++)
					wrong += ft_size_equal(&size[i], &size[k]);
			batches += n > 1;
			for (size_t i = 0; i < n; i++)
				run(&b, &random, builder, &size[i]);
		}
		ok(!wrong && !b.wrong && batches > 1, "over %zu: %zu times several at once, all different",
		   rank, batches);
		ft_builder_free(builder);
	}
}

/* ---- constraints that admit few sizes ---------------------------------------------------------------------
 */

static bool seldom(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return fmod(size->value[0] * size->value[1], 97) == 3;
}

/* Of 16 x 16 levels 4 are admitted, of all 100 x 100 sizes about a hundred. */
static void test_seldom(void)
{
	struct ft_build_options options = {
		.n_params = 2, .tolerance = 0.1, .confidence = 0.9, .admits = seldom};
	struct ft_space hundred = {.least = 1, .most = 100, .stride = 1};
	struct ft_builder *builder;

	options.space[0] = options.space[1] = hundred;
	if (ok(!ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL), "one in 97"))
		ok(ft_builder_holes(builder) < 190, "%zu cells of 256 without a size that is admitted",
		   ft_builder_holes(builder));
	ft_builder_free(builder);
}

/* ---- bad input ---------------------------------------------------------------------------------------- */

static bool none(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	(void)size;
	return false;
}

static bool first(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return size->value[0] == 4;
}

static void refused(const struct ft_build_options *options, const char *type, const char *words)
{
	struct ft_builder *builder;
	struct ft_err err = {0};

	if (!ok(ft_builder_new(&builder, ft_builder_type_find(type), options, &err) == FT_EINVAL &&
			!builder && !strcmp(err.text, words) && err.remedy[0],
		"%s: %s", type, words))
		diag("said: %s", err.text);
}

static void test_refused(void)
{
	struct build b = make(2, 1);

	b.options.admits = none;
	refused(&b.options, "adaptive", "the constraints admit no size within the ranges (64009 were tried)");
	b = make(1, 1);
	b.options.admits = none;
	refused(&b.options, "gbbp", "the constraints admit no size within the range (4093 were tried)");
	b.options.admits = first;
	refused(&b.options, "naive", "the constraints admit one size within the range (4093 were tried)");
	b.options.space[0].most = 1e9;
	refused(&b.options, "adaptive", "the constraints would have to be tried at 999999997 sizes");
	b = make(2, 1);
	b.options.points = 1001;
	b.options.space[0].most = b.options.space[1].most = 1e6;
	refused(&b.options, "naive", "the grid would need 1002001 sizes, and 1000000 are the most");
	b.options.space[0].most = b.options.space[1].most = 4;
	refused(&b.options, "adaptive", "no parameter has a range");
}

int main(void)
{
	test_ends();
	test_parity();
	test_continues();
	test_wants();
	test_several();
	test_seldom();
	test_refused();
	return done();
}
