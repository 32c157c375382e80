/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-spikes.c - spikes, and whether they come at equal times. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/trace.h"
#include "tap.h"

enum { DAY = 288, DAYS = 14, ROWS = DAY * DAYS };
static double t[ROWS], y[ROWS];

/* Five minutes a row: noise about 10, and what `add` has. */
static void make(double (*add)(size_t row))
{
	struct ft_random dice = {test_seed()};

	for (size_t i = 0; i < ROWS; i++) {
		t[i] = 300.0 * (double)i;
		y[i] = 10 + 0.5 * ft_random_normal(&dice) + add(i);
	}
}

static double nothing(size_t row)
{
	(void)row;
	return 0;
}

static double daily(size_t row)
{
	return row % DAY >= 100 && row % DAY < 103 && row / DAY != 5 ? 30 : 0; /* but for the sixth day */
}

static double rare(size_t row)
{
	return row == 300 || row == 350 || row == 1900 || row == 2000 || row == 3500 ? 30 : 0;
}

static double dipping(size_t row)
{
	return row % 12 == 5 ? -9.0 : 0;
}

static struct ft_spikes find(double (*add)(size_t), bool dips)
{
	struct ft_phases phases = {0};
	struct ft_spikes spikes = {0};
	struct ft_pwl *f = NULL;

	make(add);
	if (ft_pwl_new(&f, t, y, ROWS, NULL) || ft_pwl_phases(&phases, f, 0, NULL) ||
	    ft_pwl_spikes(&spikes, f, &phases, dips, NULL))
		diag("no spikes");
	ft_phases_clear(&phases);
	ft_pwl_free(f);
	return spikes;
}

int main(void)
{
	struct ft_spikes s = find(daily, false);

	ok(s.n == DAYS - 1 && near(s.period, 86400, 0.01), "daily but for once: %zu, every %g s", s.n,
	   s.period);
	ok(near(s.height, 30, 0.1) && near(s.t[0], 300 * 101, 0.02), "how high, and when");
	ft_spikes_clear(&s);
	s = find(daily, true);
	ok(!s.n, "no dips");
	ft_spikes_clear(&s);
	s = find(nothing, false);
	ok(!s.n && s.period == 0, "noise has none");
	ft_spikes_clear(&s);
	s = find(rare, false);
	ok(s.n == 5 && s.period == 0, "five at any time: no period: %zu, %g", s.n, s.period);
	ft_spikes_clear(&s);
	s = find(dipping, true);
	ok((double)s.n >= 0.95 * ROWS / 12 && near(s.period, 3600, 0.01), "hourly dips: %zu, every %g s", s.n,
	   s.period);
	ft_spikes_clear(&s);
	ft_spikes_clear(NULL);
	return done();
}
