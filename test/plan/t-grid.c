/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-grid.c - rectangles over processors: by hand, and that they fill the grid and are not above rounding. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "tap.h"

enum { MOST = 64, SIDE = 128 };

static void test_hand(void)
{
	static const int64_t at[] = {0, 100};
	static const double one[] = {0, 100}, three[] = {0, 300}, falls[] = {10, 1};
	struct ft_plan_times t[] = {{.n = 2, .at = at, .time_s = one}, {.n = 2, .at = at, .time_s = three}};
	struct ft_plan_tile tile[2];
	struct ft_grid out;
	struct ft_err err;

	ok(!ft_plan_grid(t, 2, 8, 8, tile, &out, NULL) && out.plan.value == 48 && out.plan.exact &&
		   tile[0].width * tile[0].height == 48 && tile[1].width * tile[1].height == 16,
	   "three to one: 48 and 16 blocks of 64");
	t[0].most = 20;
	t[1].most = 30;
	ok(!ft_plan_grid(t, 2, 8, 8, tile, &out, NULL) && isinf(out.plan.value) && tile[0].width == 0,
	   "caps that hold no grid");
	t[1].most = t[0].most = 0;
	t[1].time_s = falls;
	ok(ft_plan_grid(t, 2, 8, 8, tile, &out, &err) == FT_EINVAL && strstr(err.text, "processor 1") &&
		   ft_plan_grid(t, 1, 0, 8, tile, &out, NULL) == FT_EINVAL &&
		   ft_plan_grid(t, 0, 8, 8, tile, &out, NULL) == FT_EINVAL,
	   "times that fall, no rows, no processors");
}

/* Does each block belong to one tile? */
static bool fills(const struct ft_plan_tile *tile, size_t p, int64_t side)
{
	static unsigned char hit[SIDE][SIDE];

	memset(hit, 0, sizeof hit);
	for (size_t i = 0; i < p; i++)
		for (int64_t x = 0; x < tile[i].width; x++)
			for (int64_t y = 0; y < tile[i].height; y++) {
				if (tile[i].column + x >= side || tile[i].row + y >= side)
					return false;
				hit[tile[i].column + x][tile[i].row + y]++;
			}
	for (int64_t x = 0; x < side; x++)
		for (int64_t y = 0; y < side; y++)
			if (hit[x][y] != 1)
				return false;
	return true;
}

static void test_random(void)
{
	struct ft_random r = {test_seed()};
	int i, cases = test_cases(40), wrong = 0;
	double sum = 0;

	for (i = 0; i < cases; i++) {
		static int64_t at[MOST][3];
		static double t[MOST][3];
		struct ft_plan_times times[MOST];
		struct ft_plan_tile tile[MOST];
		struct ft_grid out;
		int64_t side = whole(&r, 8, SIDE), area = side * side;
		size_t p = (size_t)whole(&r, 1, side < 32 ? 8 : 24), q;
		double latest = 0;

		for (q = 0; q < p; q++) {
			double rate = spread(&r, 0.6);
			int64_t edge = ft_random_below(&r, 2) ? whole(&r, 1, area / (int64_t)p) : area - 1;

			at[q][0] = 0;
			at[q][1] = edge;
			at[q][2] = area;
			t[q][1] = rate * (double)edge;
			t[q][2] = t[q][1] + 4 * rate * (double)(area - edge);
			times[q] = (struct ft_plan_times){.n = 3, .at = at[q], .time_s = t[q]};
		}
		if (ft_plan_grid(times, p, side, side, tile, &out, NULL)) {
			wrong++;
			continue;
		}
		for (q = 0; q < p; q++)
			latest = fmax(latest, ft_plan_time(&times[q], tile[q].width * tile[q].height));
		wrong += !fills(tile, p, side) || latest != out.plan.value || out.plan.bound > latest;
		sum += out.plan.value / out.plan.bound;
	}
	ok(wrong == 0, "%d grids: each block in one tile, times as told, bounds below", cases);
	ok(sum / cases < 1.12, "%.4f of the bound of areas in the mean", sum / cases);
}

int main(void)
{
	test_hand();
	test_random();
	return done();
}
