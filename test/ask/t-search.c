/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-search.c - where a function of numbered sizes is over a limit, beside a look at each of them. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/random.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { GAP = 90, GAPS = 12, LAST = GAP * GAPS, PARTS = 3 };

/* The ratio of each size, and how often it was asked for. */
struct curve {
	double ratio[LAST + 1];
	size_t query;
	bool outside; /* something else was asked for */
};

static double ratio_at(void *ctx, double index)
{
	struct curve *curve = ctx;

	curve->query++;
	if (!(index >= 0 && index <= LAST) || index != floor(index)) {
		curve->outside = true;
		return NAN;
	}
	return curve->ratio[(size_t)index];
}

/* At most one change in each gap. */
static void make_changes(struct curve *curve, struct ft_random *random)
{
	bool over = ft_random_below(random, 2);
	size_t gap, i;

	for (gap = 0, i = 0; gap < GAPS; gap++) {
		size_t change = ft_random_below(random, 2) ? 1 + ft_random_below(random, GAP) : 2 * GAP;

		for (; i <= GAP * (gap + 1); i++) {
			if (i == GAP * gap + change)
				over = !over;
			curve->ratio[i] = over ? 1 + 3 * ft_random_uniform(random) + 1e-9
					       : 0.19 * ft_random_uniform(random);
		}
	}
}

/* Humps two gaps apart, each with one top that may lie between the points, over the limit or not. */
static void make_humps(struct curve *curve, struct ft_random *random)
{
	memset(curve->ratio, 0, sizeof curve->ratio);
	for (size_t k = 0; k < GAPS; k += 4) {
		double top = ((double)k + 4 * ft_random_uniform(random)) * GAP,
		       wide = GAP * (0.5 + ft_random_uniform(random) / 4),
		       high = 0.6 + ft_random_uniform(random);

		top = fmin(fmax(top, (double)k * GAP + 1.5 * GAP), (double)k * GAP + 2.5 * GAP);
		top = k ? top : fmax(0, top - 1.5 * GAP); /* one may be at the very end */
		for (size_t i = 0; i <= LAST; i++)
			curve->ratio[i] += high * exp(-pow(((double)i - top) / wide, 2));
	}
}

static void make_wild(struct curve *curve, struct ft_random *random)
{
	for (size_t i = 0; i <= LAST; i++)
		curve->ratio[i] = 2 * ft_random_uniform(random);
	curve->ratio[LAST / 2] = 1; /* what takes all fits */
}

/* Stretches of sizes that do not fit, as each size tells: those up to `each` by their ratios, then none. */
static size_t scan(const struct curve *curve, size_t each, size_t last, struct ft__index_range *stretch)
{
	bool before = false;
	size_t n = 0;

	for (size_t i = 0; i <= last; i++) {
		bool over = i > each || curve->ratio[i] > 1;

		if (over && !before)
			stretch[n++].from = (double)i;
		if (over)
			stretch[n - 1].to = (double)i;
		before = over;
	}
	return n;
}

static int differs(struct ft__search *search, const struct curve *curve, size_t each, size_t last)
{
	struct ft__index_range stretch[LAST];
	size_t n = scan(curve, each, last, stretch), i;
	int bad = ft__search_end(search, NULL) != FT_OK || search->n != n || curve->outside;

	for (i = 0; i < n && !bad; i++)
		bad = search->stretch[i].from != stretch[i].from || search->stretch[i].to != stretch[i].to;
	ft__search_clear(search);
	return bad || search->stretch || search->n;
}

/* The points at the ends of all gaps, in one go or in parts. */
static void go_on(struct ft__search *search, size_t parts)
{
	double point[GAPS + 1];

	for (size_t k = 0; k < parts; k++) {
		for (size_t i = 0; i <= GAPS / parts; i++)
			point[i] = (double)((k * (GAPS / parts) + i) * GAP);
		ft__search_go(search, point, GAPS / parts + 1);
	}
}

static void try_all(struct ft_random *random)
{
	static struct curve curve;
	int c, cases = test_cases(300), changes = 0, parts = 0, humps = 0, wild = 0, barred = 0;
	size_t most = 0;

	for (c = 0; c < cases; c++) {
		struct ft__search search = {.ratio = ratio_at, .ctx = &curve};

		curve = (struct curve){.outside = false};
		make_changes(&curve, random);
		go_on(&search, 1);
		changes += differs(&search, &curve, LAST, LAST);
		search = (struct ft__search){.ratio = ratio_at, .ctx = &curve};
		go_on(&search, PARTS);
		parts += differs(&search, &curve, LAST, LAST);

		make_humps(&curve, random);
		curve.query = 0;
		search = (struct ft__search){.ratio = ratio_at, .ctx = &curve};
		go_on(&search, 1);
		most = curve.query > most ? curve.query : most;
		humps += differs(&search, &curve, LAST, LAST);

		make_wild(&curve, random);
		size_t to = GAP + ft_random_below(random, LAST - GAP);
		search = (struct ft__search){.ratio = ratio_at, .ctx = &curve, .last = -1};
		ft__search_each(&search, (double)to);
		ft__search_each(&search, (double)to - 5); /* it is behind */
		wild += differs(&search, &curve, to, to);
		search = (struct ft__search){.ratio = ratio_at, .ctx = &curve, .last = -1};
		ft__search_each(&search, (double)to);
		ft__search_bar(&search, (double)to - 1);
		ft__search_bar(&search, LAST);
		barred += differs(&search, &curve, to, LAST);
	}
	ok(!changes && !parts, "changes, one in a gap at most, are found, %d cases", cases);
	ok(!humps && most < LAST / 3, "so are tops between points, %d cases, %zu evaluations at most", cases,
	   most);
	ok(!wild, "what is anything but smooth is looked at one by one");
	ok(!barred, "what is barred fits nowhere");
}

static void out_of_memory(struct ft_random *random)
{
	static struct curve curve;
	enum ft_status status;
	unsigned long n = 0;

	make_wild(&curve, random);
	do {
		struct ft__search search = {.ratio = ratio_at, .ctx = &curve, .last = -1};

		ft_alloc_fail_at(++n);
		ft__search_each(&search, LAST);
		ft__search_bar(&search, LAST + 1);
		status = ft__search_end(&search, NULL);
		ft__search_clear(&search);
	} while (status == FT_ENOMEM && n < 100);
	ft_alloc_fail_at(0);
	ok(!status && n > 2, "each of %lu allocations may fail", n - 1);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	try_all(&random);
	out_of_memory(&random);
	ft__search_clear(NULL);
	return done();
}
