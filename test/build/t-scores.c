/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - what each builder spends, and how near the model through what it asked for comes to what is
 * true, over kinds of programs. */
#include "scores.h"

#include "several.h"

enum { CASES = 4 };

/* A kind of program, and how it is built. */
static const struct kind {
	const char *name, *type;
	struct ft_build_options options; /* spaces and the rest are set here */
	size_t params;
	double noise;    /* of a run, in ln */
	double overhead; /* of a run, as a share of what the largest takes */
	double stride;   /* along the first parameter; 0: 1 */
	double jump;     /* from some size on it is so many times as much; 0: nowhere */
	double constant; /* share of the value in the middle */
	double fails;    /* runs fail where the product of the parameters is over this; 0: nowhere */
	double hole; /* the program refuses sizes where the first is over so many times the second; 0: none */
	size_t at_once; /* as of struct fake */
	bool work, odd; /* its work is stated; some sizes make no sense */
	double was[4];  /* the scores: what was spent, in largest runs; runs; error; all sizes told */
} kinds[] = {
	{.name = "adaptive, smooth",
	 .type = "adaptive",
	 .params = 1,
	 .noise = 0.02,
	 .was = {2.13, 42, 0.0083404, 1285.521570}},
	{.name = "adaptive, a jump",
	 .type = "adaptive",
	 .params = 1,
	 .noise = 0.02,
	 .jump = 2,
	 .work = true,
	 .was = {3.4476, 71.25, 0.013795, 2242.862397}},
	{.name = "adaptive, noisy",
	 .type = "adaptive",
	 .params = 1,
	 .noise = 0.15,
	 .overhead = 0.05,
	 .constant = 0.5,
	 .was = {8.9288, 60, 0.048199, 2043.564122}},
	{.name = "adaptive, few sizes",
	 .type = "adaptive",
	 .options = {.tolerance = 0.03},
	 .params = 1,
	 .noise = 0.1,
	 .stride = 1000,
	 .was = {10.154, 34.25, 0.024128, 1380.198737}},
	{.name = "adaptive, few sizes, five runs at most",
	 .type = "adaptive",
	 .options = {.tolerance = 0.02, .reps_most = 5, .budget_s = 100},
	 .params = 1,
	 .noise = 0.2,
	 .stride = 500,
	 .was = {24.913, 50, 0.041049, 2197.265253}},
	{.name = "adaptive, sparing",
	 .type = "adaptive",
	 .options = {.far = FT_FAR_HALF, .reps_least = 2, .reps_most = 4},
	 .params = 1,
	 .noise = 0.05,
	 .overhead = 0.01,
	 .was = {2.6586, 44, 0.026244, 1428.746880}},
	{.name = "adaptive, two parameters",
	 .type = "adaptive",
	 .params = 2,
	 .noise = 0.03,
	 .overhead = 0.01,
	 .was = {2.8293, 23.25, 0.01833, 1218.758493}},
	{.name = "adaptive, two parameters, a jump",
	 .type = "adaptive",
	 .params = 2,
	 .noise = 0.02,
	 .jump = 2,
	 .work = true,
	 .odd = true,
	 .was = {2.5364, 50, 0.025566, 2517.727015}},
	{.name = "adaptive, three parameters",
	 .type = "adaptive",
	 .options = {.points = 40},
	 .params = 3,
	 .noise = 0.02,
	 .constant = 0.3,
	 .was = {1.8299, 45.5, 0.01406, 2585.350771}},
	{.name = "gbbp, smooth",
	 .type = "gbbp",
	 .params = 1,
	 .noise = 0.01,
	 .work = true,
	 .was = {28.12, 56, 0.0040724, 2471.467953}},
	{.name = "gbbp, a jump",
	 .type = "gbbp",
	 .params = 1,
	 .noise = 0.02,
	 .jump = 2,
	 .work = true,
	 .was = {27.871, 62, 0.055226, 2713.858355}},
	{.name = "gbbp, of the top",
	 .type = "gbbp",
	 .options = {.of_top = true, .climb_strict = true},
	 .params = 1,
	 .noise = 0.02,
	 .jump = 1.5,
	 .work = true,
	 .constant = 0.5,
	 .was = {24.938, 50.5, 0.023051, 2159.856065}},
	{.name = "gbbp, two parameters",
	 .type = "gbbp",
	 .params = 2,
	 .noise = 0.01,
	 .work = true,
	 .odd = true,
	 .was = {49.717, 223, 0.0024937, 13299.653800}},
	{.name = "naive",
	 .type = "naive",
	 .params = 1,
	 .noise = 0.02,
	 .was = {17.85, 40, 0.0069898, 1758.593880}},
	{.name = "naive, two parameters",
	 .type = "naive",
	 .options = {.points = 5},
	 .params = 2,
	 .noise = 0.02,
	 .odd = true,
	 .was = {7.6697, 30, 0.0093308, 1816.192568}},
	{.name = "naive_bisect",
	 .type = "naive_bisect",
	 .params = 1,
	 .noise = 0.02,
	 .jump = 2,
	 .was = {14.465, 40, 0.059218, 1704.864244}},
	{.name = "rand",
	 .type = "rand",
	 .options = {.seed = 5},
	 .params = 2,
	 .noise = 0.02,
	 .odd = true,
	 .was = {19.277, 80, 0.0074836, 5103.801118}},
	{.name = "adaptive, large sizes fail",
	 .type = "adaptive",
	 .params = 1,
	 .noise = 0.02,
	 .fails = 1700,
	 .was = {0.98793, 25.75, 0.0086603, 842.536527}},
	{.name = "adaptive, few sizes, large ones fail",
	 .type = "adaptive",
	 .params = 1,
	 .noise = 0.02,
	 .stride = 300,
	 .fails = 2000,
	 .was = {0.66993, 12, 0.008668, 459.944179}},
	{.name = "adaptive, three at once",
	 .type = "adaptive",
	 .params = 1,
	 .noise = 0.05,
	 .overhead = 0.01,
	 .jump = 1.5,
	 .at_once = 3,
	 .was = {6.1193, 71, 0.015015, 2372.265528}},
	{.name = "adaptive, two parameters, four at once, some fail",
	 .type = "adaptive",
	 .params = 2,
	 .noise = 0.03,
	 .fails = 60000,
	 .at_once = 4,
	 .was = {0.82079, 45.5, 0.010738, 2307.067190}},
	{.name = "adaptive, two parameters, a budget, refused sizes",
	 .type = "adaptive",
	 .options = {.budget_s = 60, .reps_most = 3},
	 .params = 2,
	 .noise = 0.05,
	 .overhead = 0.02,
	 .hole = 60,
	 .was = {3.1213, 78, 0.028076, 4439.843742}},
	{.name = "adaptive, two parameters, ten sizes, eight at once",
	 .type = "adaptive",
	 .options = {.points = 10, .reps_least = 3},
	 .params = 2,
	 .noise = 0.05,
	 .at_once = 8,
	 .was = {1.0657, 31.25, 0.027499, 1565.256568}},
	{.name = "gbbp, large sizes fail",
	 .type = "gbbp",
	 .params = 1,
	 .noise = 0.01,
	 .work = true,
	 .fails = 1700,
	 .was = {4.0034, 45, 0.0030156, 1816.940504}},
	{.name = "gbbp, two parameters, refused sizes",
	 .type = "gbbp",
	 .params = 2,
	 .noise = 0.01,
	 .work = true,
	 .hole = 90,
	 .was = {142.23, 583, 0.0025496, 36928.234238}},
	{.name = "gbbp, no work stated, ends at zero",
	 .type = "gbbp",
	 .options = {.end_zero = true},
	 .params = 2,
	 .noise = 0.01,
	 .was = {129.7, 270, 0.0036551, 17817.025514}},
	{.name = "naive, two parameters, some fail",
	 .type = "naive",
	 .options = {.points = 6},
	 .params = 2,
	 .noise = 0.02,
	 .fails = 60000,
	 .was = {3.1028, 72, 0.0092845, 4479.281797}},
	{.name = "naive_bisect, two parameters, refused sizes",
	 .type = "naive_bisect",
	 .options = {.points = 6},
	 .params = 2,
	 .noise = 0.02,
	 .hole = 90,
	 .was = {11.506, 86, 0.0076227, 5260.276312}},
	{.name = "rand, refused sizes, some fail",
	 .type = "rand",
	 .options = {.seed = 9, .points = 30},
	 .params = 2,
	 .noise = 0.02,
	 .fails = 60000,
	 .hole = 200,
	 .was = {1.8518, 60, 0.013766, 3905.920870}},
	{.name = "adaptive, one run of a size",
	 .type = "adaptive",
	 .options = {.reps_most = 1},
	 .params = 1,
	 .noise = 0.02,
	 .was = {1.7721, 19.75, 0.0065997, 649.517211}},
	{.name = "adaptive, two runs of a size at most",
	 .type = "adaptive",
	 .options = {.reps_most = 2},
	 .params = 1,
	 .noise = 0.1,
	 .was = {3.9394, 78.5, 0.014732, 2491.180615}},
};

/* The program of the hour: functions of sizes have no other argument. */
static struct {
	const struct kind *kind;
	double power[3], constant, jump_at;
} now;

static double typical(const double *x)
{
	double value = 1e-6;

	for (size_t i = 0; i < now.kind->params; i++)
		value *= pow(x[i], now.power[i]);
	if (now.kind->jump > 0 && x[0] > now.jump_at)
		value *= now.kind->jump;
	return value + now.constant;
}

static double seconds(const double *x)
{
	if (now.kind->hole > 0 && x[0] > now.kind->hole * x[1])
		return NAN;
	return now.kind->fails > 0 && x[0] * (now.kind->params > 1 ? x[1] : 1) > now.kind->fails ? 0
												 : typical(x);
}

static double stated(const double *x)
{
	return pow(x[0], 2) * (now.kind->params > 1 ? x[1] : 1);
}

static bool is_even(const double *x)
{
	return fmod(x[0] + x[1], 2) == 0;
}

/* Largest values, and the program. */
static void draw(const struct kind *kind, struct ft_build_options *o, struct ft_random *random)
{
	static const double least[] = {64, 4, 1}, most[] = {4096, 64, 9};
	double middle[3] = {0};

	now.kind = kind;
	now.constant = 0;
	for (size_t i = 0; i < kind->params; i++) {
		o->space[i] = (struct ft_space){.least = least[i],
						.most = most[i],
						.stride = !i && kind->stride > 0 ? kind->stride : 1};
		middle[i] = sqrt(least[i] * most[i]);
		now.power[i] = (i ? 0.5 : 1) * (1 + ft_random_uniform(random));
	}
	o->n_params = kind->params;
	now.jump_at = 150 * pow(10, ft_random_uniform(random));
	now.constant = kind->constant * typical(middle);
}

/* No size is run more often than it may be. */
static bool is_moderate(const struct asked *asked, size_t most)
{
	double seconds[ASKED_MOST];

	for (size_t i = 0; i < asked->n && most; i++)
		if (runs_at(asked, &asked->size[i], seconds, ASKED_MOST) > most)
			return false;
	return true;
}

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const char *const what[] = {"what it spends", "runs", "error"};
	static struct asked asked;
	struct ft_random random = {seed};
	struct test_told sizes = {0, 0};
	double sum[3] = {0};

	for (int i = 0; i < CASES; i++) {
		struct ft_build_options o = kind->options;
		struct fake fake = {.seconds = seconds,
				    .noise = kind->noise,
				    .seed = seed + (uint64_t)i,
				    .at_once = kind->at_once};
		double largest[3];

		o.tolerance = o.tolerance > 0 ? o.tolerance : 0.05;
		o.confidence = 0.9;
		draw(kind, &o, &random);
		for (size_t k = 0; k < kind->params; k++)
			largest[k] = o.space[k].most;
		fake.work = kind->work ? stated : NULL;
		fake.admits = kind->odd ? is_even : NULL;
		fake.overhead = kind->overhead * typical(largest);
		drive(kind->type, &o, &fake, &asked);
		sum[0] += asked.wrong || asked.status || !is_moderate(&asked, o.reps_most)
				  ? INFINITY
				  : asked.cost_s / typical(largest);
		sum[1] += (double)asked.n;
		sum[2] += score(&asked, &o, &fake).mean;
		for (size_t k = 0; k < asked.n * kind->params; k++)
			test_tell(&sizes, asked.size[k / kind->params].value[k % kind->params], 1);
	}
	for (int i = 0; i < 3; i++)
		test_score(kind->name, what[i], sum[i] / CASES, kind->was[i]);
	test_told(kind->name, &sizes, kind->was[3]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += test_sanitized() ? 3 : 1)
		test_kind(&kinds[i], 1000 * (i + 1));
	return done();
}
