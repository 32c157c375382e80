/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-rank.c - servers in an order: by hand, and chances against many draws. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "tap.h"

enum { SERVERS = 6 };

static void test_hand(void)
{
	const struct ft_plan_server server[] = {
		{.time_s = 10, .spread_s = 1, .load = 0.9},
		{.wait_s = 4, .time_s = 6.5, .spread_s = 1, .load = 0.1},
		{.transfer_s = 20, .time_s = 1},
		{.time_s = INFINITY},
		{.time_s = 5, .spread_s = 1, .limit_s = 6},
		{.time_s = 5, .wait_s = 20, .spread_s = 0.5, .limit_s = 6},
	};
	struct ft_plan_server wrong = {.time_s = -1};
	struct ft_plan_rank rank[SERVERS];
	struct ft_err err;

	ok(!ft_plan_rank(server, SERVERS, 0, rank, NULL) && rank[0].server == 1 && rank[1].server == 0 &&
		   rank[0].alike && rank[1].alike,
	   "two that cannot be told apart: the less loaded one first");
	/* 0.5 s between means, a spread of sqrt 2: Phi(-0.354) = 0.3618 */
	ok(near(rank[0].before_best, 0.36184, 1e-4) && near(rank[0].first, 0.36184, 1e-3) &&
		   rank[1].before_best == 0.5 && near(rank[1].end_s, 10 + 1.6449, 1e-4),
	   "their chances");
	ok(rank[2].server == 2 && rank[2].end_s == 21 && !rank[2].alike && rank[2].first < 1e-6 &&
		   rank[3].server == 5 && rank[3].why == FT_RANK_GOOD,
	   "a transfer counts, and a wait; a limit is for the run alone");
	ok(rank[4].server == 4 && rank[4].why == FT_RANK_LIMIT && rank[5].server == 3 &&
		   rank[5].why == FT_RANK_NO_FIT,
	   "what may break a limit, and what does not fit, come last with the reason");
	ok(ft_plan_rank(&wrong, 1, 0, rank, &err) == FT_EINVAL && strstr(err.text, "server 0") &&
		   ft_plan_rank(server, 2, 1, rank, NULL) == FT_EINVAL &&
		   !ft_plan_rank(NULL, 0, 0, rank, NULL),
	   "a negative time, a risk of 1; no servers are no failure");
}

static void test_draws(void)
{
	enum { DRAWS = 20000 };
	struct ft_random r = {test_seed()};
	double worst = 0, worst_sum = 0;

	for (int round = 0; round < 10; round++) {
		struct ft_plan_server server[SERVERS] = {0};
		struct ft_plan_rank rank[SERVERS];
		double count[SERVERS] = {0}, sum = 0;

		for (size_t i = 0; i < SERVERS; i++) {
			server[i].time_s = between(&r, 9, 12);
			server[i].spread_s = between(&r, 0.1, 1.5);
		}
		for (int k = 0; k < DRAWS; k++) {
			double least = INFINITY;
			size_t first = 0;

			for (size_t i = 0; i < SERVERS; i++) {
				double t = server[i].time_s + server[i].spread_s * ft_random_normal(&r);

				if (t < least) {
					least = t;
					first = i;
				}
			}
			count[first]++;
		}
		(void)ft_plan_rank(server, SERVERS, 0.1, rank, NULL);
		for (size_t i = 0; i < SERVERS; i++) {
			sum += rank[i].first;
			worst = fmax(worst, fabs(rank[i].first - count[rank[i].server] / DRAWS));
		}
		worst_sum = fmax(worst_sum, fabs(sum - 1));
	}
	ok(worst < 0.015 && worst_sum < 1e-12, "chances to be first are those of 20,000 draws");
}

int main(void)
{
	test_hand();
	test_draws();
	return done();
}
