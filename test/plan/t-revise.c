/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-revise.c - stay or move: by hand, the promise of twice at most for one break, and made loads beside who
 * knows the future. */
#include "foretime/plan.h"
#include "moves.h"
#include "plan-test.h"
#include "tap.h"

static void test_hand(void)
{
	struct ft_plan_progress slow = {
		.seconds = 10, .rate = 0.5, .other_rate = 1, .remaining = 100, .cost_s = 12};
	struct ft_plan_progress nan_rate = slow, good = slow;
	struct ft_plan_contract c;
	struct ft_plan_revision r;
	int looks = 1;

	good.rate = 1;
	nan_rate.rate = NAN;
	ok(!ft_plan_contract(&c, 1, 0.25, NULL) && !ft_plan_revise(&c, &good, &r, NULL) && !r.broken &&
		   !r.move && r.loss_s == 0,
	   "as promised: stay");
	(void)ft_plan_revise(&c, &slow, &r, NULL);
	ok(r.broken && !r.move && near(r.loss_s, 5, 1e-12),
	   "half as fast: broken, and 5 of 10 s lost: less than a move costs");
	while (!r.move && looks < 10) {
		(void)ft_plan_revise(&c, &slow, &r, NULL);
		looks++;
	}
	ok(looks == 3 && near(r.loss_s, 15, 1e-12) && near(r.move_s, 112, 1e-12) && r.stay_s > 112,
	   "move when the loss has reached the cost");
	slow.remaining = 5;
	(void)ft_plan_revise(&c, &slow, &r, NULL);
	ok(r.broken && !r.move, "not when what is left is done sooner here");
	slow.remaining = 1000;
	slow.other_rate = 0;
	(void)ft_plan_revise(&c, &slow, &r, NULL);
	ok(!r.move && isinf(r.move_s), "nor when there is no other place");
	for (looks = 0; looks < 3; looks++)
		(void)ft_plan_revise(&c, &good, &r, NULL);
	ok(!r.broken && r.loss_s == 0, "when it is kept again, the loss is forgotten");
	ok(ft_plan_revise(&c, &nan_rate, &r, NULL) == FT_EINVAL &&
		   ft_plan_contract(&c, 0, 0, NULL) == FT_EINVAL &&
		   ft_plan_contract(&c, 1, -1, NULL) == FT_EINVAL,
	   "NaN, no promise, a tolerance below 0");
}

/* Each of the five may be 0; below that, or no number, none is progress. */
static void test_edges(void)
{
	const double bad[] = {-1e-300, -1, NAN};
	struct ft_plan_contract c;
	struct ft_plan_revision r;
	size_t wrong = 0;

	(void)ft_plan_contract(&c, 1, 0, NULL);
	for (size_t i = 0; i < 5; i++) {
		struct ft_plan_progress now = {1, 1, 1, 1, 1};
		double *number[] = {&now.seconds, &now.rate, &now.other_rate, &now.remaining, &now.cost_s};

		*number[i] = 0;
		wrong += ft_plan_revise(&c, &now, &r, NULL) != FT_OK;
		for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
			*number[i] = bad[k];
			wrong += ft_plan_revise(&c, &now, &r, NULL) != FT_EINVAL;
		}
	}
	ok(!wrong, "progress of 0 is one, below that none");
}

/* Two who run at once: the second one falls behind, the first ends at 10 s with its own share. */
static void test_runners(void)
{
	struct ft_plan_runner r[2];
	struct ft_err err = {0};

	ok(!ft_plan_runner(&r[0], "a", 100, 10, 12, &err) && near(r[0].contract.tolerance, 0.2, 1e-12) &&
		   r[0].contract.promised == 10 && !ft_plan_runner(&r[1], "b", 100, 10, NAN, &err) &&
		   near(r[1].contract.tolerance, 0.1, 1e-12) && !r[1].looked,
	   "what was planned");
	ok(!ft_plan_look(r, 2, 0, 4, 40, 1, &err) && !r[0].last.broken && r[0].looked && r[0].done == 40,
	   "as promised");
	/* Of b 90 are left at 4 s; a is busy for 6 s more, then takes 9 s for them, and the move 1 s. */
	ok(!ft_plan_look(r, 2, 1, 4, 10, 1, &err) && r[1].last.broken && near(r[1].cost_s, 7, 1e-12) &&
		   near(r[1].last.move_s, 16, 1e-12) && near(r[1].last.loss_s, 3, 1e-12) && !r[1].last.move,
	   "behind: to wait for the other is part of a move");
	/* 80 are left at 8 s: a is busy for 2 s, and was seen 4 s ago. */
	ok(!ft_plan_look(r, 2, 1, 8, 20, 1, &err) && near(r[1].cost_s, 3, 1e-12) &&
		   near(r[1].last.move_s, 11, 1e-12) && near(r[1].last.loss_s, 6, 1e-12) && r[1].last.move,
	   "move when the loss is as large");
	ok(ft_plan_look(r, 2, 1, 8, 30, 1, &err) == FT_EINVAL && err.remedy[0] && r[1].done == 20 &&
		   ft_plan_look(r, 2, 1, 9, 10, 1, NULL) == FT_EINVAL,
	   "%s", err.text);
	ok(!ft_plan_look(r, 2, 0, 10, 100, 1, &err) && !ft_plan_look(r, 2, 0, 20, 100, 1, &err) &&
		   r[0].seen_s == 10,
	   "who has ended is looked at no more");
	ok(ft_plan_runner(&r[0], "c", 0, 1, NAN, &err) == FT_EINVAL &&
		   ft_plan_runner(&r[0], "c", 1, NAN, NAN, &err) == FT_EINVAL,
	   "%s", err.text);
}

/* One break, of any depth and length, and another place that is as fast: what it adds is at most twice what
 * it adds for who knows its length, and two looks more. It begins some time before the end: near that the
 * recent rate is still the one from before, and a move that would just pay is missed. */
static void test_twice(void)
{
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(2000), above = 0, moved = 0;

	for (i = 0; i < cases; i++) {
		static struct moves g;
		double depth = between(&r, 0.05, 0.7), best, own;
		int64_t from = whole(&r, 1, 40), length = whole(&r, 1, 200), t;
		int count;

		g.cost = 0.5 * (double)whole(&r, 1, 20);
		g.work = (double)from + 10 + 3 * g.cost + between(&r, 0, 100);
		g.start = 0;
		for (size_t k = 0; k < MOVES_MACHINES; k++) {
			g.promised[k] = k < 2 ? 1 : 0.5;
			for (t = 0; t < MOVES_HORIZON; t++)
				g.speed[k][t] =
					k == 0 && t >= from && t < from + length ? depth : g.promised[k];
		}
		best = moves_best(&g);
		own = moves_run(&g, 0.25, false, &count);
		moved += count;
		above += own - g.work > 2 * (best - g.work) + 2;
	}
	ok(above == 0 && moved > cases / 10 && moved < cases,
	   "%d breaks: what they add is at most twice what is unavoidable; %d moves", cases, moved);
}

/* Noise on all machines, and on the first one a break: none, short, for good, of any length. */
static void test_made(void)
{
	static const char *const names[] = {"no break", "short breaks", "for good", "of any length"};
	struct ft_random r = {test_seed()};
	int scenario, i, cases = test_cases(400);

	for (scenario = 0; scenario < 4; scenario++) {
		double sum = 0, worst = 0, worst_stay = 0;
		int moves = 0;

		for (i = 0; i < cases; i++) {
			static struct moves g;
			double depth = between(&r, 0.1, 0.67), ratio, best;
			int64_t from = whole(&r, 1, 30), t, count_most[] = {0, 3, MOVES_HORIZON, 60};
			int64_t length = scenario == 2 ? MOVES_HORIZON : whole(&r, 0, count_most[scenario]);
			int count;

			g.cost = (double[]){0.5, 2, 6}[i % 3];
			g.work = i % 2 ? 12 : 40;
			g.start = 0;
			for (size_t k = 0; k < MOVES_MACHINES; k++) {
				double wave = 0;

				g.promised[k] = between(&r, 0.7, 0.9);
				for (t = 0; t < MOVES_HORIZON; t++) {
					wave = 0.8 * wave + 0.03 * ft_random_normal(&r);
					g.speed[k][t] = fmin(1, fmax(0.05, g.promised[k] + wave));
					if (k == 0 && t >= from && t < from + length)
						g.speed[k][t] *= depth;
				}
				if (g.promised[k] > g.promised[0])
					g.promised[k] = g.promised[0];
			}
			best = moves_best(&g);
			ratio = moves_run(&g, 0.25, false, &count) / best;
			moves += count;
			sum += ratio;
			worst = fmax(worst, ratio);
			worst_stay = fmax(worst_stay, moves_run(&g, 0.25, true, &count) / best);
		}
		diag("%s: mean %.4f, worst %.3f (who stays: %.2f), %d moves", names[scenario], sum / cases,
		     worst, worst_stay, moves);
		ok(worst <= 1.75 && sum / cases <= 1.15 && (scenario != 2 || worst_stay > 3),
		   "%s: not far from who knows the future", names[scenario]);
	}
}

int main(void)
{
	test_hand();
	test_edges();
	test_runners();
	test_twice();
	test_made();
	return done();
}
