/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-axes.c - which parameters change nothing, which cannot be told apart, and from where on none ended well.
 */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"

/* The runs of a program, as far as they are about their sizes. */
static void add_at(int64_t id, size_t params, double n, double m, double seconds)
{
	add_run(id, made_run(params, n, m, seconds, NAN, NAN));
}

/* Pairs of a program whose runs were at these sizes [n]. */
static size_t pairs_of(const char *name, const double (*at)[2], size_t n, struct ft_together *pair)
{
	int64_t id = add_program(name, "n=1:1000", "m=1:1000");
	size_t pairs = 99;

	for (size_t i = 0; i < n; i++)
		add_at(id, 2, at[i][0], at[i][1], 1);
	struct ft_answerer *models = open_models(name);
	if (!models || ft_ask_together(models, pair, &pairs, NULL))
		diag("no answer of '%s'", name);
	ft_ask_close(models);
	return pairs;
}

static void test_together(void)
{
	static const double twice[][2] = {{40, 80}, {10, 20}, {20, 40}, {10, 20}};
	static const double same[][2] = {{40, 40}, {10, 10}, {20, 20}};
	static const double against[][2] = {{10, 90}, {20, 80}, {40, 60}};
	static const double late[][2] = {{10, 20}, {20, 40}, {40, 80}, {80, 79}};
	static const double bent[][2] = {{10, 80}, {20, 40}, {40, 60}};
	static const double grid[][2] = {{10, 10}, {10, 20}, {20, 30}, {20, 40}};
	static const double level[][2] = {{10, 10}, {20, 20}, {40, 20}};
	struct ft_together pair[FT_PARAMS_MAX] = {{9, 9, true}};

	ok(pairs_of("twice", twice, 4, pair) == 1 && pair[0].one == 0 && pair[0].other == 1 && !pair[0].equal,
	   "m is always twice n: they cannot be told apart");
	ok(pairs_of("same", same, 3, pair) == 1 && pair[0].equal, "m is always n");
	ok(pairs_of("against", against, 3, pair) == 1 && !pair[0].equal, "one rises as the other falls");
	ok(pairs_of("late", late, 4, pair) == 0 && pairs_of("bent", bent, 3, pair) == 0,
	   "one that turns does not follow");
	ok(pairs_of("grid", grid, 4, pair) == 0 && pairs_of("level", level, 3, pair) == 0,
	   "nor one that stands still while the other goes on");
}

/* Runs that failed, and the first ones, tell nothing. */
static void test_not_counted(void)
{
	int64_t id = add_program("counted", "n=1:1000", "m=1:1000");
	struct ft_run failed = made_run(2, 10, 700, NAN, NAN, NAN),
		      warmup = made_run(2, 10, 500, 1, NAN, NAN);
	struct ft_together pair[FT_PARAMS_MAX];
	size_t pairs = 0;

	failed.outcome = FT_FAILED;
	warmup.warmup = true;
	add_run(id, failed);
	add_run(id, warmup);
	add_at(id, 2, 10, 10, 1);
	add_at(id, 2, 20, 20, 1);
	struct ft_answerer *models = open_models("counted");
	ok(!ft_ask_together(models, pair, &pairs, NULL) && pairs == 1 && pair[0].equal,
	   "runs that failed, and the first ones, are not counted");
	ft_ask_close(models);
}

/* Of three parameters the second follows the first, the third both. */
static void test_three(void)
{
	struct ft_program p = {.name = strdup("three"), .hash = strdup(""), .n_params = 3};
	struct ft_together pair[FT_PARAMS_MAX];
	size_t pairs = 0;

	(void)ft_param_parse("n=1:1000", &p.param[0], NULL);
	(void)ft_param_parse("m=1:1000", &p.param[1], NULL);
	(void)ft_param_parse("k=1:1000", &p.param[2], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	for (int i = 0; i < 6; i++) {
		struct ft_run run = made_run(3, 10 * (1 + i / 2), 1 + i % 2, 1, NAN, NAN);

		run.size.value[2] = 5 * (1 + i / 2);
		add_run(p.id, run);
	}
	ft_program_clear(&p);
	struct ft_answerer *models = open_models("three");
	ok(!ft_ask_together(models, pair, &pairs, NULL) && pairs == 1 && pair[0].one == 0 &&
		   pair[0].other == 2 && !pair[0].equal,
	   "of three parameters the last follows the first");
	ft_ask_close(models);
}

/* ---- what changes nothing --------------------------------------------------------------------------------
 */

/* Over m, from 10 to 640: nothing; a rise of a share; as much in the middle alone. */
static double share_of(int kind, double m)
{
	double at = log(m / 10) / log(64);

	return kind == 0 ? 0 : kind == 1 ? 0.04 * at : kind == 2 ? 0.16 * at : 0.3 * (1 - fabs(2 * at - 1));
}

/* Whether n and m are flat for a program on a grid of so many values of each. */
static void ask_flat(const char *name, int kind, int values, bool *flat)
{
	int64_t id = add_program(name, "n=10:640", "m=10:640");
	struct ft_size size = {.n = 2, .value = {0, 0}};
	struct ft_random random = {test_seed()};
	struct ft_err err = {0};

	for (int i = 0; i < values; i++)
		for (int j = 0; j < values; j++)
			for (int k = 0; k < 2; k++) {
				double n = round(10 * pow(64, (double)i / (values - 1)));
				double m = round(10 * pow(64, (double)j / (values - 1)));

				add_at(id, 2, n, m,
				       1e-3 * n * n * (1 + share_of(kind, m)) *
					       exp(0.005 * ft_random_normal(&random)));
			}
	struct ft_answerer *models = open_models(name);
	memset(flat, true, FT_PARAMS_MAX * sizeof *flat);
	if (ft_ask_flat(models, &ft_wall_s, &size, flat, &err))
		diag("%s", err.text);
	ft_ask_close(models);
}

static void test_flat(void)
{
	bool flat[FT_PARAMS_MAX], none = false;

	ask_flat("nothing", 0, 5, flat);
	for (size_t i = 2; i < FT_PARAMS_MAX; i++)
		none = none || flat[i];
	ok(!flat[0] && flat[1] && !none,
	   "m changes nothing, n does; of what the program lacks nothing is said");
	ask_flat("little", 1, 5, flat);
	ok(!flat[0] && flat[1], "4 %% over all of m is next to nothing");
	ask_flat("much", 2, 5, flat);
	ok(!flat[0] && !flat[1], "16 %% are something");
	ask_flat("middle", 3, 5, flat);
	ok(!flat[0] && !flat[1], "so is what is seen in the middle alone");
	ask_flat("few", 0, 2, flat);
	ok(!flat[0] && !flat[1], "four sizes are too few to tell");
}

/* m does not vary apart from n: what changes is not known to be one of them. */
static void test_flat_together(void)
{
	int64_t id = add_program("paired", "n=10:640", "m=10:640");
	struct ft_size size = {.n = 2, .value = {0, 0}};
	bool flat[FT_PARAMS_MAX] = {true, true};

	for (int i = 0; i < 24; i++)
		add_at(id, 2, 10 * (1 + i / 2), 20 * (1 + i / 2), 3 * (1 + 1e-3 * (i % 2)));
	struct ft_answerer *models = open_models("paired");
	ok(!ft_ask_flat(models, &ft_wall_s, &size, flat, NULL) && !flat[0] && !flat[1],
	   "of two that cannot be told apart none is called flat");
	ft_ask_close(models);
}

static void test_failing(void)
{
	int64_t id = add_program("failing", "n=10:1000", NULL);
	struct ft_run killed = made_run(1, 300, 0, NAN, NAN, NAN), again = made_run(1, 500, 0, NAN, NAN, NAN);

	add_at(id, 1, 100, 0, 1);
	add_at(id, 1, 200, 0, 2);
	struct ft_answerer *models = open_models("failing");
	ok(!ft_ask_failing(models), "all ended well");
	ft_ask_close(models);
	killed.outcome = again.outcome = FT_OUT_OF_MEMORY;
	add_run(id, again);
	add_run(id, killed);
	models = open_models("failing");
	const struct ft_run *run = ft_ask_failing(models);
	ok(run && run->size.value[0] == 300 && run->outcome == FT_OUT_OF_MEMORY,
	   "none ended well from 300 on");
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	test_together();
	test_not_counted();
	test_three();
	test_flat();
	test_flat_together();
	test_failing();
	ft_store_close(store);
	temp_remove();
	return done();
}
