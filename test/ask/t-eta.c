/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-eta.c - expected ends: of made programs whose end is known. */
#include "ask/door.h"
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

/* A program: its time, how much of it passes until a share of its input is read, and when all of it is. */
struct made {
	double wall_s, power, reads; /* it reads in this share of the time, and goes on */
	double noise;
};

static double done_at(const struct made *made, double share, struct ft_random *random)
{
	double done = pow(fmin(1, share / made->reads), 1 / made->power);

	return fmin(1, done * exp(made->noise * ft_random_normal(random)));
}

/* Looks at 200 moments; counts where the end is inside, and keeps the answer at half time. */
struct seen {
	size_t looks, inside, known, progress; /* progress: it showed */
	double half;
	struct ft_eta_answer last;
};

static void follow(struct ft_eta *eta, const struct made *made, struct ft_random *random, struct seen *out)
{
	double reached = 0;

	*out = (struct seen){.half = NAN};
	for (int i = 1; i < 200; i++) {
		struct ft_eta_look look = {
			.time_s = made->wall_s * i / 200, .waited_s = NAN, .done = {NAN, NAN, NAN, NAN}};
		struct ft_eta_answer answer;

		reached = fmax(reached, done_at(made, i / 200.0, random));
		look.done[FT_ADVANCE_INPUT] = made->power > 0 ? reached : (double)NAN;
		ft_eta_look(eta, &look, &answer);
		out->looks++;
		if (isnan(answer.total_s))
			continue;
		out->known++;
		out->progress += answer.by == FT_ADVANCE_INPUT;
		out->inside += answer.lower_s <= made->wall_s && made->wall_s <= answer.upper_s;
		out->half = i <= 100 ? answer.total_s : out->half;
		out->last = answer;
	}
}

static struct ft_prediction prediction(double value, double off)
{
	return (struct ft_prediction){.value = value, .lower = value / exp(off), .upper = value * exp(off)};
}

/* Programs as a model predicts them, whose progress is even; learned: as an earlier run showed. */
static void test_model(bool learned)
{
	static const struct ft_stage even[] = {{0.1, 0.1}, {0.5, 0.5}, {1, 1}};
	struct ft_random random = {test_seed()};
	const double off = 0.3;
	size_t inside = 0, known = 0, n = 200;
	double error = 0, alone = 0;

	for (size_t k = 0; k < n; k++) {
		const struct ft_prediction wall = prediction(10, off);
		struct made made = {10 * exp(off / 1.6448536 * ft_random_normal(&random)), 1, 1, 0.02};
		struct ft_eta eta;
		struct seen seen;

		ft_eta_begin(&eta, &wall);
		(void)ft_eta_learned(&eta, FT_ADVANCE_INPUT, even, learned ? 3 : 0, NULL);
		follow(&eta, &made, &random, &seen);
		inside += seen.inside;
		known += seen.known;
		error += fabs(seen.half / made.wall_s - 1) / (double)n;
		alone += fabs(10 / made.wall_s - 1) / (double)n;
		if (!k)
			ok(seen.known == seen.looks && seen.last.model && seen.progress > 150,
			   "by the model from the beginning, and its progress");
	}
	ok((double)inside >= 0.85 * (double)known, "%.1f %% inside", 100 * (double)inside / (double)known);
	ok(learned ? error < 0.07 && error < alone / 2 : error < alone,
	   "at half time %.1f %% off, the model alone %.1f %%", 100 * error, 100 * alone);
}

/* Without progress the runs that are over by now are left out, and the end moves on. */
static void test_overdue(void)
{
	const struct ft_prediction wall = prediction(10, 0.2);
	struct ft_eta eta;
	struct ft_eta_answer answer, later;
	struct ft_eta_look look = {.time_s = 0.1, .waited_s = NAN, .done = {NAN, NAN, NAN, NAN}};

	ft_eta_begin(&eta, &wall);
	ft_eta_look(&eta, &look, &answer);
	ok(near(answer.total_s, 10, 0.01) && near(answer.lower_s, wall.lower, 0.01) &&
		   near(answer.upper_s, wall.upper, 0.01) && answer.by == FT_ADVANCE_KINDS,
	   "as predicted: %g, %g to %g", answer.total_s, answer.lower_s, answer.upper_s);
	look.time_s = 11;
	ft_eta_look(&eta, &look, &later);
	ok(later.lower_s >= 11 && later.total_s > 11 && later.upper_s > answer.upper_s - 1,
	   "after 11 s it ends later: %g", later.total_s);
	look.time_s = 100;
	ft_eta_look(&eta, &look, &later);
	ok(later.lower_s > 100 && later.upper_s >= 150, "and long after it: %g to %g", later.lower_s,
	   later.upper_s);
	look.time_s = 8;
	look.waited_s = 4;
	ft_eta_begin(&eta, &wall);
	ft_eta_look(&eta, &look, &later);
	ok(near(later.total_s, 20, 0.05), "one that waits half of the time takes twice as long: %g",
	   later.total_s);
}

/* Position alone; and of a program that sorts after it has read everything. */
static void test_alone(void)
{
	static const struct ft_stage stage[] = {{0.1, 0.04}, {0.3, 0.12}, {0.6, 0.24}, {0.9, 0.36}, {1, 0.4}};
	struct ft_random random = {test_seed()};
	const struct made even = {10, 1, 1, 0.01}, sorts = {10, 1, 0.4, 0.01};
	struct ft_eta eta;
	struct seen seen;

	ft_eta_begin(&eta, NULL);
	follow(&eta, &even, &random, &seen);
	ok(!seen.last.model && near(seen.half, 10, 0.07) && (double)seen.inside >= 0.85 * (double)seen.known,
	   "evenly: %g at half time, %zu of %zu inside", seen.half, seen.inside, seen.known);
	ft_eta_begin(&eta, NULL);
	follow(&eta, &sorts, &random, &seen);
	ok(seen.known < 90, "what comes after the last input is not known: %zu of %zu", seen.known,
	   seen.looks);
	ft_eta_begin(&eta, NULL);
	ok(!ft_eta_learned(&eta, FT_ADVANCE_INPUT, stage, 5, NULL), "a curve of an earlier run");
	follow(&eta, &sorts, &random, &seen);
	ok(seen.last.learned && near(seen.half, 10, 0.07) &&
		   (double)seen.inside >= 0.85 * (double)seen.known && seen.known > 150,
	   "it is, where an earlier run showed it: %g, %zu of %zu", seen.half, seen.inside, seen.known);
}

/* What a program reads when it starts is no progress; bounds that are not known are no end. */
static void test_start(void)
{
	static const struct ft_stage start[] = {{0.5, 0.01}, {1, 0.02}};
	struct ft_prediction wall = prediction(10, 0.2);
	struct ft_eta eta;
	struct ft_eta_answer answer;
	const struct ft_eta_look look = {.time_s = 5, .waited_s = NAN, .done = {NAN, NAN, 1, NAN}};

	ft_eta_begin(&eta, &wall);
	(void)ft_eta_learned(&eta, FT_ADVANCE_READ, start, 2, NULL);
	ft_eta_look(&eta, &look, &answer);
	ok(answer.by == FT_ADVANCE_KINDS && near(answer.total_s, 10, 0.05), "all is read at once: %g",
	   answer.total_s);
	wall.lower = 0;
	wall.upper = INFINITY;
	ft_eta_begin(&eta, &wall);
	ft_eta_look(&eta, &look, &answer);
	ok(isfinite(answer.total_s) && isfinite(answer.upper_s), "no bounds: %g, up to %g", answer.total_s,
	   answer.upper_s);
	wall.value = INFINITY;
	ft_eta_begin(&eta, &wall);
	ft_eta_look(&eta, &look, &answer);
	ok(isnan(answer.total_s), "nor a value");
}

/* What an earlier run showed of the model's error. */
static void test_past(void)
{
	const struct ft_prediction wall = prediction(10, 0.5), nearby = prediction(8, 0.45),
				   far = prediction(0.1, 0.1),
				   none = {.value = NAN, .lower = NAN, .upper = NAN};
	struct ft_eta eta, other;

	ft_eta_begin(&eta, &wall);
	ft_eta_past(&eta, &wall, 30);
	ok(near(eta.wall_s, 30, 0.02) && eta.upper_s / eta.lower_s < 1.5,
	   "one of this size took three times as long: %g, %g to %g", eta.wall_s, eta.lower_s, eta.upper_s);
	ft_eta_begin(&eta, &wall);
	ft_eta_past(&eta, &nearby, 12);
	ok(eta.wall_s > 13 && eta.wall_s < 15.5 && eta.lower_s < 14 && eta.upper_s > 15 &&
		   eta.upper_s / eta.lower_s < wall.upper / wall.lower,
	   "one nearby 1.5 times: %g, %g to %g", eta.wall_s, eta.lower_s, eta.upper_s);
	ft_eta_begin(&eta, &wall);
	ft_eta_past(&eta, &far, 0.105);
	ok(near(eta.wall_s, 10, 0.08) && eta.upper_s / eta.lower_s > 2.5,
	   "one far away shows little: %g, %g to %g", eta.wall_s, eta.lower_s, eta.upper_s);
	ft_eta_begin(&eta, &wall);
	other = eta;
	ft_eta_past(&eta, &none, 12);
	ft_eta_past(&eta, &nearby, NAN);
	ft_eta_past(&eta, &nearby, -1);
	ft_eta_past(&eta, &nearby, 0);
	ok(eta.wall_s == other.wall_s && eta.lower_s == other.lower_s && eta.upper_s == other.upper_s,
	   "without a prediction or a time it shows nothing");
	ft_eta_begin(&eta, NULL);
	ft_eta_past(&eta, &nearby, 12);
	ok(isnan(eta.wall_s), "nor without a model");
}

static void test_lost(void)
{
	static const struct ft_stage back[] = {{0.5, 0.5}, {0.4, 0.6}}, early[] = {{0.5, 0.6}, {0.7, 0.5}};
	struct ft_eta eta;
	struct ft_eta_answer answer = {0};
	struct ft_err err = {0};

	ft_eta_begin(&eta, NULL);
	for (int i = 1; i < 40; i++) {
		/* It reads its input twice. */
		const struct ft_eta_look look = {
			.time_s = i, .waited_s = NAN, .done = {NAN, (i < 20 ? i : i - 19) / 20.0, NAN, NAN}};

		ft_eta_look(&eta, &look, &answer);
	}
	ok(isnan(answer.total_s) && isnan(answer.upper_s), "a position that goes back shows nothing");
	ok(ft_eta_learned(&eta, FT_ADVANCE_READ, back, 2, &err) == FT_EINVAL && *err.text, "%s", err.text);
	ok(ft_eta_learned(&eta, FT_ADVANCE_READ, early, 2, &err) == FT_EINVAL, "time that goes back");
	ok(!ft_eta_learned(&eta, FT_ADVANCE_READ, NULL, 0, &err), "none");
	ok(!strcmp(ft_advance_text(FT_ADVANCE_INPUT), "position in input files") &&
		   !strcmp(ft_advance_text(FT_ADVANCE_KINDS), "nothing"),
	   "words");
}

int main(void)
{
	test_model(true);
	test_model(false);
	test_overdue();
	test_alone();
	test_start();
	test_past();
	test_lost();
	return done();
}
