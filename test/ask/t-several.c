/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-several.c - the largest sizes of several parameters, beside a scan over every size. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"

static struct ft_limit limit_of(const struct ft_resource *resource, double most)
{
	struct ft_limit limit = {.most = most};

	limit.resource = resource;
	return limit;
}

static double particles(double n, double m)
{
	return 1e-3 + 2e-8 * n * n * n + 1e-9 * m * m * m * log(m);
}

static int64_t add_several(const char *name, const char *where)
{
	struct ft_program p = {
		.name = strdup(name), .hash = strdup(""), .where = strdup(where), .n_params = 2};
	int64_t id;

	(void)ft_param_parse("n=16:128:16", &p.param[0], NULL);
	(void)ft_param_parse("m=16:256:16", &p.param[1], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	id = p.id;
	ft_program_clear(&p);
	for (double n = 16; n <= 128; n += 32)
		for (double m = n; m <= 256; m += 48)
			add_run(id, made_run(2, n, m, particles(n, m), 4e6 + 72 * n * n * n + 24 * m * m * m,
					     NAN));
	return id;
}

static bool fits_at(struct ft_answerer *models, const struct ft_limit *limit, double n, double m)
{
	struct ft_size size = {.n = 2, .value = {n, m}};
	struct ft_prediction p;

	for (size_t i = 0; i < 2; i++)
		if (ft_ask_predict(models, limit[i].resource, &size, 0.8, &p, NULL) ||
		    p.upper > limit[i].most)
			return false;
	return true;
}

/* By a scan: the largest of one parameter, the other at x, under n <= m; 0: none. */
static double scan(struct ft_answerer *models, const struct ft_limit *limit, size_t varying, double x)
{
	double v = varying ? x : 16, found = 0;

	for (; varying ? v <= 4096 : v <= x; v += 16) {
		if (!fits_at(models, limit, varying ? x : v, varying ? v : x))
			break;
		found = v;
	}
	return found;
}

static void test_slices(struct ft_answerer *models, struct ft_limit *limit)
{
	size_t wrong = 0, by_where = 0, none = 0;
	struct ft_largest answer;

	for (size_t varying = 0; varying < 2; varying++)
		for (double x = 16; x <= 400; x += 16) {
			struct ft_size size = {.n = 2, .value = {x, x}};
			double found = scan(models, limit, varying, x);

			if (ft_ask_largest(models, limit, 2, &size, varying, 0.9, &answer, NULL)) {
				wrong++;
				continue;
			}
			by_where += answer.by_where;
			none += answer.kind == FT_LARGEST_NONE;
			if (answer.kind == FT_LARGEST_NONE ? found > 0 : answer.size.value[varying] != found)
				wrong++;
		}
	ok(!wrong && by_where > 3 && none > 3,
	   "of one parameter, the other fixed, as a scan has it: %zu off, %zu bound by the constraint, %zu "
	   "none",
	   wrong, by_where, none);
}

static void test_frontier(struct ft_answerer *models, const struct ft_limit *limit)
{
	const struct ft_size size = {.n = 2, .value = {0, 0}};
	const size_t both[2] = {0, 1}, turned[2] = {1, 0};
	struct ft_frontier frontier;
	enum ft_status status = ft_ask_frontier(models, limit, 2, &size, both, 2, 0.9, &frontier, NULL);
	size_t wrong = 0;

	ok(!status && frontier.n >= 3 && frontier.n <= 12, "a frontier of %zu combinations", frontier.n);
	for (size_t i = 0; i < frontier.n; i++) {
		const double *at = frontier.point[i].largest.size.value;

		wrong += !fits_at(models, limit, at[0], at[1]) || at[0] > at[1];
		wrong += scan(models, limit, 1, at[0]) != at[1] || scan(models, limit, 0, at[1]) > at[0];
		wrong += !(frontier.point[i].limit[0].at.upper <= limit[0].most);
	}
	for (double n = 16; n <= 128; n += 16) {
		double m = scan(models, limit, 1, n);
		bool reached = m == 0;

		for (size_t i = 0; i < frontier.n && !reached; i++)
			reached = frontier.point[i].largest.size.value[0] >= n &&
				  frontier.point[i].largest.size.value[1] >= m;
		wrong += !reached;
	}
	ok(!wrong && frontier.point[0].largest.size.value[0] <
			     frontier.point[frontier.n - 1].largest.size.value[0],
	   "all fit, and none can be raised");
	ft_frontier_clear(&frontier);
	ft_frontier_clear(&frontier);
	ok(!ft_ask_frontier(models, limit, 2, &size, turned, 2, 0.9, &frontier, NULL) && frontier.n >= 3,
	   "the other way round, too: where m begins no n fits but the least");
	ft_frontier_clear(&frontier);
}

static void add_killed(int64_t program, double n, double m)
{
	struct ft_run run = made_run(2, n, m, NAN, NAN, NAN);

	run.outcome = FT_OUT_OF_MEMORY;
	add_run(program, run);
}

static void test_several(void)
{
	struct ft_limit limit[2] = {limit_of(&ft_wall_s, 0.05), limit_of(&ft_peak_tree_bytes, 2e8)};
	const struct ft_size size = {.n = 2, .value = {0, 64}};
	int64_t id = add_several("several", "n <= m");
	const size_t both[2] = {0, 1};
	struct ft_frontier frontier;
	struct ft_largest answer;
	struct ft_answerer *models = open_models("several");

	test_slices(models, limit);
	test_frontier(models, limit);
	limit[0].most = 1e-6;
	ok(!ft_ask_frontier(models, limit, 2, &size, both, 2, 0.9, &frontier, NULL) && !frontier.n &&
		   frontier.at_least.kind == FT_LARGEST_NONE,
	   "where nothing fits there is no frontier");
	ft_frontier_clear(&frontier);
	limit[0].most = 1e30;
	limit[1].most = 1e30;
	ok(!ft_ask_largest(models, limit, 2, &size, 0, 0.9, &answer, NULL) && answer.by_where &&
		   answer.kind == FT_LARGEST_FOUND && answer.size.value[0] == 64 && isnan(answer.next),
	   "what nothing limits, the constraint does");
	ft_ask_close(models);

	add_killed(id, 48, 96);
	add_killed(id, 96, 288);
	models = open_models("several");
	enum ft_status status =
		ft_ask_largest(models, limit, 2, &(struct ft_size){2, {0, 320}}, 0, 0.9, &answer, NULL);
	ok(!status && answer.by_kill && answer.killed == 96 && answer.size.value[0] == 80,
	   "a run killed at less in all parameters bounds, unless one ended well that is larger in all: %g",
	   answer.size.value[0]);
	ft_ask_close(models);
}

/* A constraint that is no range. */
static void test_every_third(void)
{
	struct ft_limit limit = limit_of(&ft_wall_s, 0.05);
	struct ft_largest answer;

	(void)add_several("third", "m % 48 == 0 && n <= m");
	struct ft_answerer *models = open_models("third");
	enum ft_status status =
		ft_ask_largest(models, &limit, 1, &(struct ft_size){2, {16, 0}}, 1, 0.9, &answer, NULL);
	ok(!status && fmod(answer.size.value[1], 48) == 0 && answer.next == answer.size.value[1] + 48 &&
		   !answer.by_where,
	   "only sizes that meet the constraint: %g, then %g", answer.size.value[1], answer.next);
	ft_ask_close(models);
}

static int64_t add_three(void)
{
	struct ft_program p = {
		.name = strdup("three"), .hash = strdup(""), .where = strdup("n <= m"), .n_params = 3};
	int64_t id;

	(void)ft_param_parse("n=16:128:16", &p.param[0], NULL);
	(void)ft_param_parse("m=16:256:16", &p.param[1], NULL);
	(void)ft_param_parse("k=1:16", &p.param[2], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	id = p.id;
	ft_program_clear(&p);
	for (double n = 16; n <= 128; n += 48)
		for (double m = n; m <= 256; m += 96)
			for (double k = 1; k <= 16; k *= 4) {
				struct ft_run run =
					made_run(3, n, m, 1e-3 + 1e-7 * n * m * k, 4e6 + 800 * n * m, NAN);

				run.size.value[2] = k;
				add_run(id, run);
			}
	return id;
}

static bool three_fit(struct ft_answerer *models, const struct ft_limit *limit, const double *at)
{
	struct ft_size size = {.n = 3, .value = {at[0], at[1], at[2]}};
	struct ft_prediction p;

	for (size_t i = 0; i < 2; i++)
		if (ft_ask_predict(models, limit[i].resource, &size, 0.8, &p, NULL) ||
		    p.upper > limit[i].most)
			return false;
	return at[0] <= at[1];
}

static void test_three(void)
{
	const struct ft_limit limit[2] = {limit_of(&ft_wall_s, 0.02), limit_of(&ft_peak_tree_bytes, 2.5e7)};
	const size_t all[3] = {0, 1, 2};
	static const double step[3] = {16, 16, 1};
	struct ft_frontier frontier = {0};
	size_t wrong = 0;
	enum ft_status status;

	(void)add_three();
	struct ft_answerer *models = open_models("three");
	status = ft_ask_frontier(models, limit, 2, &(struct ft_size){.n = 3}, all, 3, 0.9, &frontier, NULL);
	ok(!status && frontier.n >= 4 && frontier.n <= 16, "of three parameters: %zu combinations",
	   frontier.n);
	for (size_t i = 0; i < frontier.n; i++) {
		const double *at = frontier.point[i].largest.size.value;

		wrong += !three_fit(models, limit, at);
		for (size_t k = 0; k < 3; k++) {
			double more[3] = {at[0], at[1], at[2]};

			more[k] += step[k];
			wrong += three_fit(models, limit, more);
		}
	}
	ok(!wrong, "all fit, and none can be raised: %zu off", wrong);
	ft_frontier_clear(&frontier);
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	test_several();
	test_every_third();
	test_three();
	ft_store_close(store);
	temp_remove();
	return done();
}
