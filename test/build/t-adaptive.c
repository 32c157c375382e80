/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-adaptive.c - the adaptive builder: what it asks, and that it goes on as it would have; what it makes of
 * limits and of foreign runs. t-adaptive-odd.c has failures and odd programs. */
#include "adaptive-test.h"
#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- smooth programs --------------------------------------------------------------------------------- */

static void test_laws(void)
{
	static double (*const law[])(double) = {cubic, affine};
	static const char *const names[] = {"a cubic", "a constant and so much for each item"};
	struct ft_build_options o = options_for(64, 4096, 1);

	for (size_t i = 0; i < 2; i++) {
		int k, cases = test_long_cases(40), good = 0, few = 0, ended = 0;
		double spent = 0, runs = 0;

		for (k = 0; k < cases; k++) {
			struct fake fake = {
				.law = law[i], .noise = 0.02, .random = {test_seed() + (uint64_t)k}};
			struct history *h = build(&o, &fake);

			ended += !h->failed && h->stop == FT_STOP_TOLERANCE;
			good += share_within(h, &fake, 64, 4096, 0.1) >= 0.95;
			few += h->n <= 60;
			spent += h->spent / law[i](4096) / cases;
			runs += (double)h->n / cases;
		}
		ok(ended == cases, "%s: it ends by its tolerance, in %d of %d", names[i], ended, cases);
		ok(good >= 0.95 * cases, "... and meets it, in %d", good);
		ok(few >= 0.9 * cases,
		   "... with at most 60 runs, in %d; %.1f in the mean, for %.2f times the largest", few, runs,
		   spent);
	}
}

static void test_first(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	struct fake fake = {.law = cubic};
	const double first[] = {64, 181, 512, 1448, 4096};
	struct history *h = build(&o, &fake);
	size_t same = 0, twice = 0, together = 0;

	for (size_t i = 0; i < 5; i++)
		same += h->run[i].size.value[0] == first[i];
	ok(same == 5, "the smallest first, evenly spaced in ln n");
	for (size_t i = 5; i < h->n; i++)
		twice += h->run[i].size.value[0] == 64 || h->run[i].size.value[0] == 181;
	ok(twice >= 2, "the first two once more, later");
	for (size_t i = 1; i < h->n; i++)
		together += ft_size_equal(&h->run[i].size, &h->run[i - 1].size);
	ok(4 * together < h->n, "runs of one size do not follow each other: %zu of %zu do", together, h->n);
	ok(runs_at(h, 4096) >= 1 && !h->failed, "the largest, too");
}

/* A processor that is slow until it is warm: the first five runs take 1.4 times as long. */
static unsigned warm_runs;

static double warming(double x)
{
	return cubic(x) * (warm_runs++ < 5 ? 1.4 : 1);
}

/* What it says at its end is what the model of its runs says, which is asked afterwards. */
static void test_agrees(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	int k, cases = test_long_cases(40), ended = 0, doubted = 0;

	for (k = 0; k < cases; k++) {
		struct fake fake = {.law = warming, .noise = 0.02, .random = {test_seed() + (uint64_t)k}};
		struct ft_model *model;

		warm_runs = 0;
		struct history *h = build(&o, &fake);
		if (h->stop != FT_STOP_TOLERANCE ||
		    ft_model_fit(&model, h->run, h->n, &(struct ft_model_options){.brief = false}, NULL))
			continue;
		ended++;
		doubted += ft_model_facts(model)->known > 2 * 0.1 + ft_model_facts(model)->scatter;
		ft_model_free(model);
	}
	ok(ended > cases / 2, "of a start that took longer it ends by its tolerance in %d of %d", ended,
	   cases);
	ok(!doubted, "and the model knows less in %d", doubted);
}

/* ---- its memory -------------------------------------------------------------------------------------- */

/* Told the first k runs of a history, it asks for the k + 1st. */
static size_t wrong_continuations(const struct ft_build_options *o, const struct history *whole)
{
	static struct history part;
	size_t wrong = 0;

	for (size_t k = 1; k <= whole->n; k++) {
		struct ft_builder *builder = new_builder(o);
		double x;

		for (part.n = 1; part.n <= k; part.n++) {
			part.run[part.n - 1] = whole->run[part.n - 1];
			wrong += !tell_again(builder, &part, part.run[part.n - 1].size.value[0]);
		}
		size_t n = ask(builder, &x, 1);
		wrong += k == whole->n ? n != 0 : n != 1 || x != whole->run[k].size.value[0];
		wrong += k == whole->n && ft_builder_stop(builder) != whole->stop;
		ft_builder_free(builder);
	}
	return wrong;
}

static void test_continues(void)
{
	struct ft_build_options o = options_for(16, 4000, 1);
	static struct history whole;
	size_t wrong = 0, runs = 0;

	for (int i = 0; i < 8; i++) {
		struct fake fake = {.law = i % 2 ? step : cubic,
				    .noise = 0.03,
				    .dies = i & 2 ? 3000 : 0,
				    .hole = i & 4 ? 7 : 0,
				    .random = {test_seed() + (uint64_t)i}};

		o.far = i == 5 ? FT_FAR_HALF : FT_FAR_MEASURE;
		o.budget_s = i == 1 ? 0.02 : 0;
		whole = *build(&o, &fake);
		runs += whole.n;
		wrong += whole.failed + wrong_continuations(&o, &whole);
	}
	ok(!wrong, "told again what it was told, it goes on as it did: %zu of %zu times not", wrong, runs);
}

/* Asking again without telling gives the same; what a run brings is told of the one that is asked for. */
static void test_gain(void)
{
	struct ft_build_options o = options_for(16, 4000, 1);
	struct ft_builder *builder = new_builder(&o);
	struct fake fake = {.law = step, .noise = 0.03, .random = {test_seed() + 1}};
	struct ft_build_gain gain;
	static struct history h;
	size_t wrong = 0;
	double x, y;

	h = (struct history){.n = 0};
	while (ask(builder, &x, 1) && !h.failed) {
		ft_builder_gain(builder, &gain);
		wrong += gain.size.n != 1 || gain.size.value[0] != x ||
			 !(gain.error >= 0 && gain.error < 1e3) || !(gain.seconds >= 0);
		/* Of one size nothing is known of the others. */
		wrong += h.n > 1 ? !(gain.accuracy > 0) : h.n == 0 && !isnan(gain.accuracy);
		wrong += !ask(builder, &y, 1) || y != x;
		answer(builder, &fake, &o.space[0], &h, x);
	}
	ft_builder_gain(builder, &gain);
	ok(!wrong && !gain.size.n && !h.failed, "what a run brings is told of the next one: %zu times not",
	   wrong);
	ok(gain.accuracy > 0 && gain.accuracy < 0.15,
	   "at the end the accuracy, %.3f, is about that which was wanted", gain.accuracy);
	ft_builder_free(builder);
}

/* Several at once: all different, each in another gap or one of the first sizes, which lie a quarter of the
 * range apart; the first one is what it would ask for alone. */
static size_t wrong_batch(struct ft_builder *builder, const struct history *h, double range, const double *x,
			  size_t n)
{
	size_t wrong = 0;
	double first;

	(void)ask(builder, &first, 1);
	wrong += first != x[0];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			bool apart = fabs(log(x[i] / x[j])) > 0.24 * log(range);

			for (size_t k = 0; k < h->n; k++) {
				double at = h->run[k].size.value[0];

				apart = apart || (at >= fmin(x[i], x[j]) && at <= fmax(x[i], x[j]));
			}
			wrong += x[i] == x[j] || !apart;
		}
	return wrong;
}

static void test_several(void)
{
	struct ft_build_options o = options_for(16, 4000, 1);
	size_t wrong = 0, batches = 0;

	for (int i = 0; i < 10; i++) {
		struct fake fake = {.law = step, .noise = 0.02, .random = {test_seed() + (uint64_t)i}};
		struct ft_builder *builder = new_builder(&o);
		static struct history h;
		double x[4];
		size_t n;

		h = (struct history){.n = 0};
		while (!h.failed && (n = ask(builder, x, 4)) > 0) {
			wrong += n > 4 || wrong_batch(builder, &h, 4000.0 / 16, x, n);
			batches += n > 1;
			for (size_t k = 0; k < n; k++)
				answer(builder, &fake, &o.space[0], &h, x[k]);
		}
		wrong += h.failed || h.stop == FT_STOP_BUDGET;
		ft_builder_free(builder);
	}
	ok(!wrong && batches > 10, "four at once divide four gaps: %zu wrong, %zu times more than one", wrong,
	   batches);
}

/* Runs that came from elsewhere are used. */
static void test_foreign(void)
{
	struct fake fake = {.law = cubic, .noise = 0.01};
	struct ft_build_options o = options_for(64, 4096, 1);
	struct ft_builder *builder = new_builder(&o);
	static struct history h;

	h = (struct history){.n = 0};
	for (double x = 64; x < 4096; x *= 1.3) {
		double size = round(x), t = cubic(size);

		h.failed |= tell(builder, size, &t, 1, NULL) != FT_OK;
	}
	drive(builder, &fake, &o.space[0], 1, &h);
	ok(!h.failed && runs_at(&h, 4096) >= 1 && h.spent < 1.4 * cubic(4096) && h.stop == FT_STOP_TOLERANCE,
	   "with many runs from elsewhere it asks for the largest size, and cheap ones: %.3f of it in all",
	   h.spent / cubic(4096));
	ok(tell(builder, 4097, (double[]){1}, 1, NULL) == FT_EINVAL &&
		   tell(builder, 100, (double[]){0}, 1, NULL) == FT_EINVAL &&
		   tell(builder, 100, (double[]){NAN}, 1, NULL) == FT_EINVAL &&
		   tell(builder, 100, (double[]){-1}, 1, NULL) == FT_EINVAL,
	   "what is no run there is refused");
	ft_builder_free(builder);
}

/* ---- limits ------------------------------------------------------------------------------------------ */

static void test_far(void)
{
	static const enum ft_far fars[] = {FT_FAR_HALF, FT_FAR_SKIP};
	struct ft_build_options o = options_for(16, 4000, 1);
	size_t wrong = 0;

	for (size_t i = 0; i < 40; i++) {
		struct fake fake = {.law = i & 2 ? step : cubic, .noise = 0.02, .random = {test_seed() + i}};
		double most = i % 2 ? 1000 : 2000, reached = 0;

		o.far = fars[i % 2];
		struct history *h = build_by(&o, &fake, i & 4 ? 4 : 1);
		for (size_t k = 0; k < h->n; k++) {
			wrong += h->run[k].size.value[0] > most;
			reached = fmax(reached, h->run[k].size.value[0]);
		}
		wrong += h->failed || reached < 0.9 * most;
	}
	ok(!wrong, "nothing beyond a half or a quarter where the user wants so: %zu", wrong);
}

/* What it asks for with the seconds that it expects of it stays within the budget; what is spent does but for
 * noise. */
static void test_budget(void)
{
	struct ft_random r = {test_seed() + 2};
	int i, cases = test_long_cases(100), over = 0, ended = 0;
	double most = 0;

	for (i = 0; i < cases; i++) {
		struct ft_build_options o = options_for(16, 4000, 1);
		struct fake fake = {.law = (double (*[])(double)){cubic, affine, step}[i % 3],
				    .noise = 0.03,
				    .overhead = i & 4 ? 1e-3 : 0,
				    .random = {test_seed() + (uint64_t)i}};
		double spent;

		/* From enough for a few of the smallest to more than it needs. */
		o.budget_s = fake.law(4000) * 3 * pow(1e-2, ft_random_uniform(&r)) + 0.02;
		struct history *h = build_by(&o, &fake, i & 8 ? 4 : 1);
		spent = h->spent + fake.overhead * (double)h->n;
		over += spent > 1.1 * o.budget_s;
		most = fmax(most, spent / o.budget_s);
		ended += !h->failed;
	}
	ok(ended == cases && over <= 0.03 * cases,
	   "a budget is kept: over by a tenth in %d of %d, at most %.2f of it spent", over, cases, most);
}

static void test_points(void)
{
	struct ft_build_options o = options_for(16, 4000, 1);
	struct fake fake = {.law = step, .noise = 0.02, .random = {test_seed() + 3}};
	size_t wrong = 0;

	for (o.points = 1; o.points < 20; o.points++) {
		struct history *h = build(&o, &fake);

		wrong += h->failed || sizes_of(h) > o.points ||
			 (h->stop == FT_STOP_POINTS && sizes_of(h) != o.points);
	}
	ok(!wrong, "a number of sizes ends it: %zu times not", wrong);
}

static void test_repeats(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	struct fake fake = {.law = cubic, .noise = 0.3, .random = {test_seed()}};
	size_t few = 0, many = 0;

	o.reps_least = 2;
	o.reps_most = 4;
	struct history *h = build(&o, &fake);
	for (size_t i = 0; i < h->n; i++) {
		few += runs_at(h, h->run[i].size.value[0]) < 2;
		many += runs_at(h, h->run[i].size.value[0]) > 4;
	}
	ok(!few && !many && !h->failed, "as often as the user wants: %zu less, %zu more", few, many);
}

/* ---- allocations ------------------------------------------------------------------------------------- */

static void test_faults(void)
{
	struct ft_build_options o = options_for(64, 4096, 1);
	unsigned long n = 0;
	enum ft_status status;
	bool clean = true;

	do {
		struct ft_builder *builder;
		double x[4], t;

		ft_alloc_fail_at(++n);
		status = ft_builder_new(&builder, ft_builder_type_find("adaptive"), &o, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !builder));
		for (size_t i = 0; i < 30 && !status && ask(builder, x, 4); i++) {
			t = cubic(x[0]) * (1 + 0.1 * sin((double)i * 7));
			status = tell(builder, x[0], &t, i == 4 ? 0 : 1, NULL);
			clean = clean && (!status || status == FT_ENOMEM);
		}
		ft_builder_free(builder);
	} while (status && n < 1000);
	ft_alloc_fail_at(0);
	ok(clean && !status && n > 5, "each of %lu allocations may fail", n);
}

int main(void)
{
	test_laws();
	test_first();
	test_agrees();
	test_continues();
	test_gain();
	test_several();
	test_foreign();
	test_far();
	test_budget();
	test_points();
	test_repeats();
	test_faults();
	return done();
}
