/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-grow.c - phases of runs of several sizes, and the laws of their lengths and levels. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/trace.h"
#include "tap.h"
#include "trace/door.h"

enum { RUNS = 4, PHASES = 3, COLUMNS = 2 };

/* Of size n: n/10 s at 1, n^2/1000 s at 4, 5 s at 2; the second column holds n in the first, n^2 in the
 * second phase. The smallest run lacks the last phase. */
static struct ft_phase phase[RUNS][COLUMNS][PHASES];
static struct ft_phases phases[RUNS][COLUMNS];
static struct ft_traced run[RUNS];

static void make_runs(void)
{
	for (size_t i = 0; i < RUNS; i++) {
		double n = 100 * pow(2, (double)i), at = 0;
		const double length[] = {n / 10, n * n / 1000, 5}, level[] = {1, 4, 2},
			     held[] = {n, n * n, 0};

		for (size_t k = 0; k < PHASES; k++) {
			for (size_t c = 0; c < COLUMNS; c++) {
				struct ft_phase *p = &phase[i][c][k];

				*p = (struct ft_phase){.begin = at, .end = at + length[k]};
				p->level = c ? held[k] : level[k];
				(void)snprintf(p->name, sizeof p->name, "%c", "CAB"[k]);
			}
			at += length[k];
		}
		for (size_t c = 0; c < COLUMNS; c++)
			phases[i][c] = (struct ft_phases){.phase = phase[i][c], .n = i ? PHASES : PHASES - 1};
		run[i] = (struct ft_traced){n, phases[i]};
	}
}

static double value_at(const struct ft_phase_law *growth, double n)
{
	struct ft_expr *expr = NULL;
	static const char *const name[] = {"n"};
	double value = NAN;

	if (!ft_expr_new(&expr, growth->law, NULL))
		(void)ft_expr_eval(expr, name, &n, 1, &value, NULL);
	ft_expr_free(expr);
	return value;
}

static void test_laws(void)
{
	struct ft_phases_growth g = {0};
	enum ft_status failed = ft_phases_grow(&g, run, RUNS, COLUMNS, "n", 1600, NULL);
	const struct ft_phase_growth *p = g.phase;

	if (!ok(!failed && g.n == PHASES, "three phases"))
		return;
	ok(p[0].in == 4 && p[1].in == 4 && p[2].in == 3 && !strcmp(p[0].like->name, "C") &&
		   !strcmp(p[2].like->name, "B"),
	   "one of them in three traces");
	ok(p[0].length.found && near(value_at(&p[0].length, 1600), 160, 0.01) &&
		   near(value_at(&p[1].length, 1600), 2560, 0.01) &&
		   near(value_at(&p[2].length, 1600), 5, 0.01),
	   "lengths: %s, %s, %s", p[0].length.law, p[1].length.law, p[2].length.law);
	ok(near(value_at(&p[1].level[0], 1600), 4, 0.01) &&
		   near(value_at(&p[0].level[1], 1600), 1600, 0.01) &&
		   near(value_at(&p[1].level[1], 1600), 2560000, 0.01) && p[1].level[1].misfit < 0.01,
	   "levels of two columns: %s, %s", p[1].level[0].law, p[1].level[1].law);
	ok(near(g.total_s, 160 + 2560 + 5, 0.02) && g.lower_s <= g.total_s && g.total_s <= g.upper_s &&
		   near(g.total_s,
			p[0].length.predicted.value + p[1].length.predicted.value +
				p[2].length.predicted.value,
			1e-12),
	   "all of them at 1600: %g s, %g to %g", g.total_s, g.lower_s, g.upper_s);
	ft_phases_growth_clear(&g);
	ft_phases_growth_clear(&g);
	(void)ft_phases_grow(&g, run, RUNS, 1, "n", NAN, NULL);
	ok(g.n == PHASES && isnan(g.total_s) && isnan(g.phase[0].length.predicted.value) &&
		   g.phase[0].length.found,
	   "no size is asked about");
	ft_phases_growth_clear(&g);
}

static void test_refused(void)
{
	struct ft_phases_growth g = {0};
	struct ft_traced again[3];
	struct ft_err err = {0};
	unsigned long k;
	bool passed = false;

	again[0] = run[0];
	again[1] = again[2] = run[1];
	ok(ft_phases_grow(&g, again, 3, 1, "n", NAN, &err) == FT_ENOMODEL && *err.remedy && !g.phase, "%s",
	   err.text);
	for (k = 1; k < 1000 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		enum ft_status status = ft_phases_grow(&g, run, RUNS, 1, "n", 1600, NULL);
		(void)ft_alloc_fail_at(0);
		passed = !status;
		if (status && (status != FT_ENOMEM || g.phase))
			break;
	}
	ok(passed && k > 8, "each of %lu allocations may fail", k - 2);
	ft_phases_growth_clear(&g);
}

int main(void)
{
	make_runs();
	test_laws();
	test_refused();
	return done();
}
