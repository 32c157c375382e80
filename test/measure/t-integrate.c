/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-integrate.c - energy between two moments, of readings worked by hand, and against a slow sum. */
#include "tap.h"

#include "base/alloc.h"
#include "measure/measure.h"

static bool add(struct ft__readings *r, double time_s, double value)
{
	return ft__readings_add(r, time_s, 1e-6, 0, value);
}

static double integral(const struct ft__readings *r, double from, double to, enum ft_label *label)
{
	struct ft_err err = {0};
	double joules;

	return ft__readings_integrate(r, "the meter", from, to, &joules, label, &err) ? NAN : joules;
}

static void test_power(void)
{
	struct ft__readings r = {.power = true};
	enum ft_label label;

	add(&r, 0, 100);
	add(&r, 1, 200);
	add(&r, 3, 0);
	ok(near(integral(&r, 0, 1, &label), 150, 1e-12) && label == FT_ESTIMATED,
	   "a straight line up: 150 J");
	ok(near(integral(&r, 0, 3, &label), 350, 1e-12), "and down: 350 J");
	ok(near(integral(&r, 0.5, 2, &label), 87.5 + 150, 1e-12), "between readings: 237.5 J");
	ok(near(integral(&r, 2, 4, &label), 50, 1e-12), "held beyond the last: 50 J");
	ok(near(integral(&r, -1, 1, &label), 250, 1e-12), "and before the first: 250 J");
	ft__readings_clear(&r);
	add(&r, 0, 7);
	r.power = true;
	ok(near(integral(&r, 0, 2, &label), 14, 1e-12), "a single reading is held");
	ft__readings_clear(&r);
}

static void test_counter(void)
{
	struct ft__readings r = {0};
	struct ft_err err = {0};
	enum ft_label label;
	double joules;

	add(&r, 0, 1000);
	add(&r, 10, 1050);
	add(&r, 20, 1250);
	ok(near(integral(&r, 0, 20, &label), 250, 1e-12) && label == FT_MEASURED,
	   "a counter read at both ends is measured: 250 J");
	ok(near(integral(&r, 5, 15, &label), 125, 1e-12) && label == FT_ESTIMATED,
	   "one read elsewhere is estimated: 125 J");
	ok(near(integral(&r, 0.05, 20, &label), 249.75, 1e-12) && label == FT_MEASURED,
	   "within one part in a hundred is near enough");
	add(&r, 30, 3);
	ok(ft__readings_integrate(&r, "the meter", 0, 25, &joules, &label, &err) == FT_EUNAVAIL &&
		   isnan(joules) && label == FT_UNAVAILABLE && strstr(err.text, "from 1250 J to 3 J") &&
		   *err.remedy,
	   "one that goes back tells nothing: %s", err.text);
	ok(near(integral(&r, 0, 20, &label), 250, 1e-12), "unless it did so at another time");
	ft__readings_clear(&r);
}

static void test_short(void)
{
	struct ft__readings r = {.power = true};
	struct ft_err err = {0};
	enum ft_label label;
	double joules;

	ok(ft__readings_integrate(&r, "the meter", 0, 1, &joules, &label, &err) == FT_EUNAVAIL &&
		   strstr(err.text, "no reading"),
	   "no reading: %s", err.text);
	add(&r, 0, 10);
	add(&r, 1, 10);
	ok(ft__readings_integrate(&r, "the meter", 0.5, 0.51, &joules, &label, &err) == FT_EUNAVAIL &&
		   strstr(err.text, "took 10.0 ms") && strstr(err.text, "1.00 s apart"),
	   "a run much shorter than the readings are apart: %s", err.text);
	ok(near(integral(&r, 0.2, 0.8, &label), 6, 1e-12), "half of it is enough");
	ft__readings_clear(&r);
}

static void test_channels(void)
{
	struct ft__readings r = {.power = true};
	enum ft_label label;

	(void)ft__readings_add(&r, 0, 1e-6, 0, 100);
	(void)ft__readings_add(&r, 0, 1e-6, 2, 50);
	ok(ft__readings_since(&r, 0) && !ft__readings_since(&r, 0.5), "two of three channels are known");
	(void)ft__readings_add(&r, 1, 1e-6, 0, 100);
	ok(!ft__readings_since(&r, 0.5), "one was read again");
	(void)ft__readings_add(&r, 1, 1e-6, 2, 150);
	ok(ft__readings_since(&r, 0.5), "both were");
	ok(near(integral(&r, 0, 1, &label), 200, 1e-12), "each is integrated by itself: 200 J");
	ok(r.n == 4, "four readings are kept");
	ft__readings_forget(&r);
	ok(r.n == 2 && r.reading[0].value == 100 && r.reading[1].value == 150, "each channel's last stays");
	ft__readings_clear(&r);
	ft__readings_clear(&r);
}

static void test_flood(void)
{
	struct ft__readings r = {.power = true};

	for (int i = 0; i <= 10000; i++)
		(void)ft__readings_add(&r, 1e-6 * i, 1e-3, 0, i);
	ok(r.n >= 9 && r.n <= 11 && r.reading[r.n - 1].value == 10000, "a flood is thinned: %zu", r.n);
	ok(near(ft__readings_interval(&r), 1e-3, 0.2), "its interval: %g", ft__readings_interval(&r));
	ft__readings_clear(&r);
}

/* Against the value of the broken line at many moments. */
static double slow(const struct ft__readings *r, double from, double to)
{
	enum { STEPS = 20000 };
	double sum = 0;
	size_t k;

	for (int i = 0; i < STEPS; i++) {
		double t = from + (to - from) * (i + 0.5) / STEPS, value = r->reading[0].value;

		for (k = 0; k < r->n; k++) {
			if (r->reading[k].time_s > t)
				break;
			value = r->reading[k].value;
		}
		if (k && k < r->n) {
			const struct ft__reading *a = &r->reading[k - 1], *b = &r->reading[k];

			value = a->value + (b->value - a->value) * (t - a->time_s) / (b->time_s - a->time_s);
		}
		sum += value * (to - from) / STEPS;
	}
	return sum;
}

static double unit(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static void test_random(void)
{
	uint64_t seed = test_seed(), state = seed;
	int i, bad = 0, split = 0, n = test_cases(100);

	for (i = 0; i < n; i++) {
		struct ft__readings r = {.power = true};
		double t = 0;
		enum ft_label label;
		int k, readings = 2 + (int)(30 * unit(&state));

		for (k = 0; k < readings; k++)
			add(&r, t += 0.01 + unit(&state), 200 * unit(&state));
		double from = t * unit(&state) - 0.1;
		double to = from + 1 + t * unit(&state);
		double middle = from + (to - from) * unit(&state);
		double whole = integral(&r, from, to, &label);
		bad += !near(whole, slow(&r, from, to), 1e-3);
		r.power = true;
		/* Parts may be too short to tell; where both tell, they make the whole. */
		if (isfinite(integral(&r, from, middle, &label)) &&
		    isfinite(integral(&r, middle, to, &label)))
			split += !near(whole,
				       integral(&r, from, middle, &label) + integral(&r, middle, to, &label),
				       1e-9);
		ft__readings_clear(&r);
	}
	ok(!bad, "%d of %d differ from the slow sum, seed %llu", bad, n, (unsigned long long)seed);
	ok(!split, "%d parts do not make their whole", split);
}

static void test_faults(void)
{
	struct ft__readings r = {0};

	(void)ft_alloc_fail_at(1);
	ok(!add(&r, 0, 1) && !r.n, "no memory for a reading");
	(void)ft_alloc_fail_at(0);
	ok(add(&r, 0, 1) && r.n == 1, "and then there is");
	ft__readings_clear(&r);
}

int main(void)
{
	test_power();
	test_counter();
	test_short();
	test_channels();
	test_flood();
	test_random();
	test_faults();
	return done();
}
