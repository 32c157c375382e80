/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-outlook.c - what a running program will come to: replays over made noise. */
#include "ask/door.h"
#include "base/random.h"
#include "foretime/ask.h"
#include "tap.h"

enum { PARTS = 400 };

/* A run: seconds until each part of its time is over. The pace wanders by a share `noise`, over a tenth of
 * the run; `slow` times as long as it should be. */
struct replay {
	double until_s[PARTS + 1];
	double power; /* work done = (share of its time)^power; < 0: 1 - (1 - share)^-power */
};

static void make(struct replay *r, double noise, double slow, double power, struct ft_random *random)
{
	const double stays = exp(-10.0 / PARTS);
	double wander = noise * ft_random_normal(random);

	r->until_s[0] = 0;
	r->power = power;
	for (size_t i = 1; i <= PARTS; i++) {
		wander = stays * wander + sqrt(1 - stays * stays) * noise * ft_random_normal(random);
		r->until_s[i] = r->until_s[i - 1] + slow * exp(wander) / PARTS;
	}
}

static double done_at(const struct replay *r, double time_s)
{
	size_t i = 0;

	while (i < PARTS && r->until_s[i + 1] <= time_s)
		i++;
	double share = (double)i / PARTS;
	return r->power < 0 ? 1 - pow(1 - share, -r->power) : pow(share, r->power);
}

/* When it was said to be late; INFINITY: never. upper_s: promised */
static double late_at(const struct replay *r, double upper_s, const struct ft_stage *normal, size_t n)
{
	const struct ft_promise promise = {1, upper_s, NAN, NAN, NAN};
	struct ft_outlook outlook;
	struct ft_breach breach;

	if (ft_outlook_begin(&outlook, &promise, normal, n, NULL))
		return NAN;
	for (double t = 0.01; t < r->until_s[PARTS]; t += 0.01) {
		const struct ft_outlook_look look = {t, done_at(r, t), NAN, NAN, 0};

		if (ft_outlook_look(&outlook, &look, &breach))
			return breach.kind == FT_BREACH_LATE ? t : (double)NAN;
	}
	return INFINITY;
}

/* The share of runs that was called late so soon; of normal ones (slow 1), at all. Promised: what 99 of 100
 * keep. */
static double share_said(double noise, double slow, double by_s, double power, bool known, size_t runs)
{
	static const struct ft_stage even[] = {{0, 0}, {1, 1}};
	const double upper_s = exp(2.5 * sqrt(0.2 * noise * noise + 0.03 * 0.03));
	struct ft_random random = {.state = test_seed()};
	struct replay replay;
	size_t said = 0, counted = 0;

	while (counted < runs) {
		make(&replay, noise, slow * exp(0.03 * ft_random_normal(&random)), power, &random);
		if (slow <= 1 && replay.until_s[PARTS] > upper_s)
			continue; /* no normal run */
		counted++;
		said += late_at(&replay, upper_s, even, known ? 2 : 0) <= by_s;
	}
	return (double)said / (double)runs;
}

static void test_false_alarms(size_t runs)
{
	static const double powers[] = {1, 0.5, -0.5, 1.0 / 3, -1.0 / 3};
	double share;

	/* work^(1/power) is time: 2 and 3 of what is done, and of what is left */
	for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
		share = share_said(0.03, 1, 2, powers[i], false, runs);
		ok(share <= 0.01, "normal runs, power %g: %.2f %% are called late", powers[i], 100 * share);
	}
	share = share_said(0.1, 1, 2, 1, true, runs);
	ok(share <= 0.015, "of 10 %% noise, the curve is known: %.2f %%", 100 * share);
}

static void test_power(size_t runs)
{
	double even = share_said(0.01, 1.5, 0.75, 1, false, runs),
	       known = share_said(0.05, 1.5, 0.5, 1, true, runs),
	       rising = share_said(0.03, 1.5, 0.5, 0.5, false, runs);

	ok(known >= 0.98, "1.5 times as slow, the curve is known: %.1f %% are seen by half of the time",
	   100 * known);
	ok(rising >= 0.95, "where progress gets slower: %.1f %%", 100 * rising);
	ok(even >= 0.9, "where it might get faster: %.1f %% by three quarters", 100 * even);
}

/* One that does as its curve says: the forecast is exact, whatever the curve. */
static void test_forecast(void)
{
	static const double powers[] = {1, 0.5, -0.5, 1.0 / 3, -1.0 / 3};
	struct ft_random random = {.state = test_seed()};
	const struct ft_promise promise = {1, 2, NAN, NAN, NAN};

	for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
		struct ft_outlook outlook;
		struct ft_breach breach;
		struct replay replay;
		double t;
		bool said = ft_outlook_begin(&outlook, &promise, NULL, 0, NULL);

		make(&replay, 0, 1.3, powers[i], &random);
		for (t = 0.013; t < 0.9; t += 0.013) {
			const struct ft_outlook_look look = {t, done_at(&replay, t), NAN, NAN, 0};

			said |= ft_outlook_look(&outlook, &look, &breach);
		}
		struct ft_forecast f = ft_outlook_forecast(&outlook, t - 0.013);
		ok(!said && near(f.total_s, 1.3, 0.02) && f.least_s <= 1.31,
		   "power %g: %g s and no less than %g", powers[i], f.total_s, f.least_s);
	}
}

/* Progress that says nothing: then the time alone counts. */
static void test_lost(void)
{
	static const double steps[][4] = {
		{NAN, NAN, NAN, NAN}, {0.2, 0.9, 0.1, 0.3}, {0, 0, 0, 0}, {1, 1, 1, 1}, {0.5, 1.5, 2, 3}};
	const struct ft_promise promise = {1, 1.2, NAN, NAN, NAN};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct ft_outlook outlook;
		struct ft_breach breach;
		bool late = false;
		double t = 0;
		bool early = ft_outlook_begin(&outlook, &promise, NULL, 0, NULL);

		for (size_t k = 0; k < 150; k++) {
			const struct ft_outlook_look look = {t += 0.01, steps[i][k * 4 / 150], NAN, NAN, 0};
			bool said = ft_outlook_look(&outlook, &look, &breach);

			early |= said && t <= 1.2;
			late |= said && t > 1.2 && breach.kind == FT_BREACH_LATE;
		}
		late &= outlook.lost == (i % 2 || i == 4);
		ok(!early && late, "without a progress that makes sense: late when it is (%zu)", i);
	}
}

static void test_stall(void)
{
	const struct ft_promise promise = {1, 1.2, NAN, NAN, NAN};
	struct ft_outlook outlook;
	struct ft_breach breach;
	double at = INFINITY;

	ok(!ft_outlook_begin(&outlook, &promise, NULL, 0, NULL), "a run begins");
	for (double t = 0.01; t < 1.2 && isinf(at); t += 0.01) {
		const struct ft_outlook_look look = {t, fmin(t, 0.5), NAN, NAN, 0};

		if (ft_outlook_look(&outlook, &look, &breach))
			at = t;
	}
	ok(at > 0.6 && at < 0.9, "one that stands still is seen before it is late: %g", at);
}

/* Bytes at each time, and whether it was said. */
static bool full(double (*bytes)(double), const struct ft_promise *promise, double limit_bytes,
		 struct ft_breach *breach, enum ft_breach_kind kind)
{
	struct ft_outlook outlook;

	if (ft_outlook_begin(&outlook, promise, NULL, 0, NULL))
		return false;
	for (double t = 0.01; t < 1; t += 0.01) {
		const struct ft_outlook_look look = {t, t, bytes(t), limit_bytes, 0};

		while (ft_outlook_look(&outlook, &look, breach))
			if (breach->kind == kind)
				return true;
	}
	return false;
}

static double level(double t)
{
	return fmin(100, 300 * t);
}

static double leak(double t)
{
	return 100 + 300 * t;
}

/* All that it needs is filled in the first fifth. */
static double filled(double t)
{
	return fmin(400, 2000 * t);
}

static double saw(double t)
{
	return 50 + 100 * fmod(10 * t, 1);
}

static void test_memory(void)
{
	const struct ft_promise small = {1, 1.2, 100, 160, 60}, large = {1, 1.2, 500, 900, 400};
	struct ft_breach b;

	ok(!full(level, &small, 200, &b, FT_BREACH_FULL) && !full(level, &small, 200, &b, FT_BREACH_LARGE),
	   "what levels off as promised is no breach");
	ok(!full(saw, &small, 200, &b, FT_BREACH_FULL) && !full(saw, &small, 200, &b, FT_BREACH_LARGE),
	   "nor what goes up and down");
	bool said = full(leak, &small, 1000, &b, FT_BREACH_LARGE);
	ok(said && b.at_s < 0.3 && b.promised == 160, "more than promised: after %g s", b.at_s);
	ok(!full(leak, &small, 1000, &b, FT_BREACH_FULL), "which there is room for");
	said = full(filled, &small, 1900, &b, FT_BREACH_FULL);
	ok(!said, "what fills its memory first is not taken to go on so: %g at %g, full at %g", b.value,
	   b.at_s, b.when_s);
	said = full(leak, &small, 350, &b, FT_BREACH_FULL);
	ok(said && b.at_s < 0.6 && near(b.when_s, 0.8333, 0.05),
	   "or not: it will be full after %g s, which is said after %g", b.when_s, b.at_s);
	said = full(level, &large, 300, &b, FT_BREACH_FULL);
	ok(said && b.at_s < 0.02 && b.value == 500,
	   "what needs more than there is, for sure, is said at once");
	ok(!full(level, &large, 450, &b, FT_BREACH_FULL), "what may fit is not");
}

/* Three processes of 60 each, of which one was promised 100. */
static void test_one_process(void)
{
	const struct ft_promise promise = {1, 1.2, 80, 100, 60};
	struct ft_outlook outlook;
	struct ft_breach b;
	bool said = false, large = false;
	double t;

	(void)ft_outlook_begin(&outlook, &promise, NULL, 0, NULL);
	for (t = 0.01; t < 0.5; t += 0.01) {
		const struct ft_outlook_look look = {t, t, 180, 1000, 60};

		said = said || ft_outlook_look(&outlook, &look, &b);
	}
	ok(!said, "all hold more than is promised of one, and the largest does not: no breach");
	for (; t < 1; t += 0.01) {
		const struct ft_outlook_look look = {t, t, 240, 1000, 120};

		large = large || (ft_outlook_look(&outlook, &look, &b) && b.kind == FT_BREACH_LARGE &&
				  b.value == 120 && b.promised == 100);
	}
	ok(large, "until it does");
	ok(!full(level, &promise, 200, &b, FT_BREACH_LARGE), "without it the promise is of all");
}

static void test_refused(void)
{
	static const struct ft_stage back[] = {{0, 0}, {0.5, 0.6}, {0.4, 0.7}, {1, 1}},
				     half[] = {{0, 0}, {0.5, 1}};
	const struct ft_promise promise = {1, 2, NAN, NAN, NAN};
	struct ft_outlook outlook;
	struct ft_err err = {0};

	ok(ft_outlook_begin(&outlook, &promise, back, 4, &err) == FT_EINVAL && *err.text, "%s", err.text);
	ok(ft_outlook_begin(&outlook, &promise, half, 2, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_outlook_begin(&outlook, &promise, half, 1, &err) == FT_EINVAL, "a single stage");
	ok(!strcmp(ft_breach_text(FT_BREACH_FULL), "out of memory") &&
		   !strcmp(ft_breach_text(FT_BREACH_KINDS), "?"),
	   "words");
}

int main(void)
{
	size_t runs = test_quick() ? 300 : 2000;

	test_false_alarms(runs);
	test_power(runs);
	test_forecast();
	test_lost();
	test_stall();
	test_memory();
	test_one_process();
	test_refused();
	return done();
}
