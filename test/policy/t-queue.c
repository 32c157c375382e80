/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-queue.c - which benchmark is next: the rules one by one, and both orders over a month. */
#include "queue-world.h"

static struct ft_queued problem(double priority, double complete, double seconds)
{
	return (struct ft_queued){.may = true,
				  .priority = priority,
				  .complete = complete,
				  .queries = 1,
				  .gain = 0.1,
				  .seconds = seconds,
				  .survives = 1};
}

static size_t chosen(const struct ft_queued *queue, size_t n, enum ft_order order, struct ft_turns turns)
{
	struct ft_choice choice;

	return ft_queue_choose(queue, n, order, &turns, 1000, &choice) ? SIZE_MAX : choice.which;
}

static const struct ft_turns due = {100, 9}, not_due = {100, 10};

static void test_priorities(void)
{
	struct ft_queued q[] = {problem(0, 0, 1), problem(30, 0.9, 9000), problem(20, 0, 1)};

	for (int order = FT_ORDER_GAIN; order <= FT_ORDER_PMM; order++) {
		const char *name = ft_order_text((enum ft_order)order);

		q[1].may = true;
		q[1].interrupted = 0;
		ok(chosen(q, 3, (enum ft_order)order, not_due) == 1, "%s: priorities go first", name);
		ok(chosen(q, 3, (enum ft_order)order, due) == 1, "%s: also when it is time for who waits",
		   name);
		q[1].interrupted = 2;
		ok(chosen(q, 3, (enum ft_order)order, not_due) == 1, "%s: two interruptions change nothing",
		   name);
		q[1].interrupted = 3;
		ok(chosen(q, 3, (enum ft_order)order, not_due) == 2, "%s: three cost a step", name);
		q[2].may = false;
		ok(chosen(q, 3, (enum ft_order)order, not_due) == 0, "%s: of those that may run now", name);
		q[2].may = true;
		q[1].interrupted = 3000000000U;
		ok(chosen(q, 3, (enum ft_order)order, not_due) == 2, "%s: none falls below the lowest", name);
		q[1].may = false;
		ok(chosen(q, 3, (enum ft_order)order, not_due) == 2, "%s: what may not run is passed over",
		   name);
	}
	q[0].may = q[1].may = q[2].may = false;
	ok(chosen(q, 3, FT_ORDER_GAIN, due) == SIZE_MAX && chosen(NULL, 0, FT_ORDER_PMM, due) == SIZE_MAX,
	   "none may");
}

static void test_gain(void)
{
	struct ft_queued q[] = {problem(0, 0, 10), problem(0, 0, 10), problem(0, 0, 10)};

	q[1].gain = 0.2;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 1, "what gains more");
	q[2].queries = 3;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 2, "what is asked about more");
	q[2].seconds = 40;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 1, "in less time");
	q[1].survives = 0.1;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 0, "that will be there");
	q[0].waits_s = 3;
	q[1].waits_s = 2;
	q[2].waits_s = 4;
	ok(chosen(q, 3, FT_ORDER_GAIN, due) == 1, "a tenth of the time is for who waits longest");
	q[0].queries = q[1].queries = q[2].queries = 0;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 0, "nobody asked about any");
	q[1].queries = 11;
	q[0].queries = 200;
	q[0].gain = 0;
	q[1].survives = 1;
	q[2].gain = NAN;
	q[2].seconds = NAN;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 1, "what nobody asked about, or gains nothing, is behind");
	q[1].gain = NAN;
	ok(chosen(q, 3, FT_ORDER_GAIN, not_due) == 1, "nothing is known of any");
}

/* Of those that are alike in all that an order looks at, the first: it would change with each look else. */
static void test_alike(void)
{
	struct ft_queued q[] = {problem(0, 0, 10), problem(0, 0, 10), problem(0, 0, 10)};

	for (int order = FT_ORDER_GAIN; order <= FT_ORDER_PMM; order++) {
		const char *name = ft_order_text((enum ft_order)order);

		ok(chosen(q, 3, (enum ft_order)order, due) == 0 &&
			   chosen(q, 3, (enum ft_order)order, not_due) == 0,
		   "%s: of three that are alike the first", name);
		q[0].may = false;
		ok(chosen(q, 3, (enum ft_order)order, due) == 1 &&
			   chosen(q, 3, (enum ft_order)order, not_due) == 1,
		   "%s: of those that may run", name);
		q[0].may = true;
	}
}

/* Whatever numbers come in, one that may run is chosen. */
static void test_any_numbers(void)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, 0, -1, 1, 1e308, 5e-324};
	const size_t n_odd = sizeof odd / sizeof *odd;
	struct ft_random random = {test_seed()};
	size_t wrong = 0, round;

	for (round = 0; round < 20000; round++) {
		struct ft_queued q[3];
		size_t n = 1 + ft_random_below(&random, 3), which;
		bool any = false;

		for (size_t i = 0; i < n; i++) {
			q[i] = problem(odd[ft_random_below(&random, n_odd)],
				       odd[ft_random_below(&random, n_odd)],
				       odd[ft_random_below(&random, n_odd)]);
			q[i].gain = odd[ft_random_below(&random, n_odd)];
			q[i].queries = odd[ft_random_below(&random, n_odd)];
			q[i].survives = odd[ft_random_below(&random, n_odd)];
			q[i].interrupted = (unsigned)ft_random_below(&random, 7);
			q[i].may = ft_random_below(&random, 4) > 0;
			any = any || q[i].may;
		}
		which = chosen(q, n, round % 3 ? FT_ORDER_GAIN : FT_ORDER_PMM, round % 2 ? due : not_due);
		wrong += any ? which >= n || !q[which].may : which != SIZE_MAX;
	}
	ok(!wrong, "a gain, time or priority that is no number: %zu of %zu wrong", wrong, round);
}

static void test_document(void)
{
	struct ft_queued q[] = {problem(0, 0.5, 10),  problem(0, 0.4, 20), problem(0, 0.4, 10),
				problem(0, 0.1, 601), problem(0, 0, 10),   problem(0, 0, 10)};

	q[4].rear_s = 20;
	q[4].interrupted = 1;
	q[5].rear_s = 10;
	q[5].interrupted = 1;
	ok(chosen(q, 6, FT_ORDER_PMM, due) == 2, "the least complete, of those the shortest");
	q[2].may = q[1].may = false;
	ok(chosen(q, 6, FT_ORDER_PMM, due) == 0, "a large one is to the rear");
	q[0].may = false;
	ok(chosen(q, 6, FT_ORDER_PMM, due) == 3, "interrupted ones are behind it");
	q[3].may = false;
	ok(chosen(q, 6, FT_ORDER_PMM, due) == 5, "the latest last");
}

/* ---- beside a slow choice ---------------------------------------------------------------------------- */

static double slow_stated(double priority)
{
	return isnan(priority) ? 0 : priority;
}

/* One step down of the priorities of those that may, for each three interruptions. */
static double slow_priority(const struct ft_queued *q, size_t n, size_t which)
{
	double priority = slow_stated(q[which].priority);

	for (unsigned steps = 0; steps < q[which].interrupted / 3; steps++) {
		double next = -INFINITY;

		for (size_t i = 0; i < n; i++)
			if (q[i].may && slow_stated(q[i].priority) < priority)
				next = fmax(next, slow_stated(q[i].priority));
		priority = next > -INFINITY ? next : priority;
	}
	return priority;
}

/* asked x gain x survives / expected seconds, as policy.h says it. */
static double slow_gain(const struct ft_queued *q, size_t n, size_t which)
{
	double gain = 0, seconds = 0, asked = INFINITY;
	const struct ft_queued *p = &q[which];

	for (size_t i = 0; i < n; i++) {
		gain = fmax(gain, q[i].gain);
		seconds = fmax(seconds, q[i].seconds);
		asked = q[i].queries > 0 ? fmin(asked, q[i].queries) : asked;
	}
	gain = !isnan(p->gain) ? p->gain : gain == 0 ? 1 : gain;
	seconds = !isnan(p->seconds) ? p->seconds : seconds == 0 ? 1 : seconds;
	asked = p->queries > 0 ? p->queries : isinf(asked) ? 1 : asked / 10;
	return asked * gain * p->survives / ((1 + p->survives) / 2 * fmax(seconds, 0.001));
}

/* Is a before b? */
static bool slow_before(const struct ft_queued *q, size_t n, size_t a, size_t b, enum ft_order order,
			bool old)
{
	const struct ft_queued *x = &q[a], *y = &q[b];
	double key[5][2] = {{-slow_priority(q, n, a), -slow_priority(q, n, b)}};
	size_t k;

	if (order == FT_ORDER_PMM) {
		key[1][0] = x->rear_s ? 2 : x->seconds > 600;
		key[1][1] = y->rear_s ? 2 : y->seconds > 600;
		key[2][0] = (double)x->rear_s;
		key[2][1] = (double)y->rear_s;
		key[3][0] = x->complete;
		key[3][1] = y->complete;
		key[4][0] = x->seconds;
		key[4][1] = y->seconds;
	} else {
		key[1][0] = old ? 0 : -slow_gain(q, n, a);
		key[1][1] = old ? 0 : -slow_gain(q, n, b);
		key[2][0] = (double)x->waits_s;
		key[2][1] = (double)y->waits_s;
		memset(key + 3, 0, 2 * sizeof key[0]);
	}
	for (k = 0; k < 4 && fabs(key[k][0] - key[k][1]) <= 1e-12 * fabs(key[k][0]); k++)
		;
	return key[k][0] < key[k][1] - 1e-12 * fabs(key[k][0]);
}

static double any_of(struct ft_random *random, const double *values, size_t n)
{
	return values[ft_random_below(random, n)];
}

#define ANY_OF(...)                                                                                          \
	any_of(random, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

/* Of few values, so that many are alike in some of them. */
static struct ft_queued any_problem(struct ft_random *random, enum ft_order order)
{
	return (struct ft_queued){.may = ft_random_below(random, 5) > 0,
				  .priority = ANY_OF(0, 0, 0, 1, 2, (double)NAN),
				  .complete = ANY_OF(0, 0.25, 0.5),
				  .queries = ANY_OF(0, 0, 1, 2, 5),
				  .gain = ANY_OF(0, 1, 4, (double)NAN),
				  .seconds = order == FT_ORDER_PMM ? ANY_OF(1, 2, 600, 601)
								   : ANY_OF(0, 1e-3, 2, 8, (double)NAN),
				  .survives = ANY_OF(1, 0.5, 0.25),
				  .waits_s = (int64_t)ANY_OF(900, 901, 902),
				  .interrupted = (unsigned)ANY_OF(0, 0, 2, 3, 6),
				  .rear_s = (int64_t)ANY_OF(0, 0, 1, 2)};
}

static void test_slowly(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(20000), wrong = 0, i;

	for (i = 0; i < cases; i++) {
		enum ft_order order = i % 2 ? FT_ORDER_PMM : FT_ORDER_GAIN;
		struct ft_turns turns = i % 4 < 2 ? due : not_due;
		size_t n = ft_random_below(&random, 6), best, k;
		struct ft_queued q[5];
		struct ft_choice choice;
		char why[FT_WHY_LENGTH];

		for (k = 0; k < n; k++)
			q[k] = any_problem(&random, order);
		for (best = n, k = 0; k < n; k++)
			if (q[k].may && (best == n || slow_before(q, n, k, best, order, i % 4 == 0)))
				best = k;
		if (ft_queue_choose(q, n, order, &turns, 1000, &choice) != (best == n ? FT_EEND : FT_OK) ||
		    choice.which != best || choice.by_age != (best < n && i % 4 == 0)) {
			wrong++;
			diag("case %d: %zu of %zu, not %zu", i, choice.which, n, best);
		}
		if (best == n || order == FT_ORDER_PMM)
			continue;
		(void)snprintf(why, sizeof why, "gains most a second: %.3g", slow_gain(q, n, best));
		if (choice.by_age)
			(void)snprintf(why, sizeof why,
				       "waits longest, for 1 min %.0f s: a tenth of the time is for such",
				       1000 - 60 - (double)q[best].waits_s);
		wrong += strcmp(why, choice.why) != 0;
	}
	ok(!wrong, "%d queues of up to five: what a slow choice takes, and why (seed %llu)", cases,
	   (unsigned long long)test_seed());
}

static void test_survives(void)
{
	double lengths[100], last = 1;
	struct ft_random random = {test_seed()};
	bool falls = true, exact = true;

	for (size_t i = 0; i < 100; i++)
		lengths[i] = world_exponential(&random, 600);
	for (size_t i = 0; i < 40; i++) {
		double s = ft_queue_survives(lengths, 100, 0, 60.0 * (double)i);

		falls = falls && s <= last && s > 0;
		exact = exact && fabs(s - exp(-0.1 * (double)i)) < 0.12;
		last = s;
	}
	ok(falls && exact, "a stretch lasts as those before it did");
	ok(near(ft_queue_survives((double[]){1000, 3000}, 2, 0, 2000), (1 + 2 * exp(-1)) / 4, 1e-12),
	   "one of two lasted; two more that end each 2000 s");
	ok(ft_queue_survives(NULL, 0, 0, 0) == 1 &&
		   near(ft_queue_survives(NULL, 0, 1e6, 3600), exp(-1), 1e-9),
	   "each hour one ends, where nothing is known");
}

/* Counted one by one: those as long as the age, or as what is asked for, are among them. */
static void test_survives_slowly(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(1000), wrong = 0, i;

	for (i = 0; i < cases; i++) {
		double lengths[6], alive = 2, lasting, a_second, sum = 0;
		double age = 100 * (double)ft_random_below(&random, 4),
		       seconds = 100 * (double)ft_random_below(&random, 4);
		size_t n = ft_random_below(&random, 6), k;

		lengths[n] = 1e9; /* behind the end */
		for (k = 0; k < n; k++) {
			lengths[k] = 100 * (double)(1 + ft_random_below(&random, 5));
			sum += lengths[k];
		}
		a_second = n ? (double)n / sum : 1.0 / 3600;
		lasting = 2 * exp(-a_second * seconds);
		for (k = 0; k < n; k++) {
			alive += lengths[k] >= age ? 1 : 0;
			lasting += lengths[k] >= age + seconds ? 1 : 0;
		}
		wrong += !near(ft_queue_survives(lengths, n, age, seconds), lasting / alive, 1e-12);
	}
	ok(!wrong, "%d chances to survive, counted slowly", cases);
}

static void test_hopeless(void)
{
	struct ft_queued p = problem(0, 0, 3600);
	char why[FT_WHY_LENGTH];

	p.interrupted = 2;
	ok(!ft_queue_hopeless(&p, 600, why), "two interruptions may be chance");
	p.interrupted = 3;
	ok(!ft_queue_hopeless(&p, 7200, why) && !ft_queue_hopeless(&p, 3600, why) &&
		   !ft_queue_hopeless(&p, NAN, why),
	   "it would fit");
	ok(ft_queue_hopeless(&p, 600, why) && strstr(why, "takes 1 h 00 min, and is left 10 min"), "%s", why);
}

/* ---- a month ----------------------------------------------------------------------------------------- */

/* Ten programs that all ask about and that are rebuilt each hour, and one that few ask about, whose
 * benchmarks take an hour. Returns how many of its ten were run. */
static size_t starve(struct world *w, const struct world_rule *rule, double *wait_s)
{
	double end;

	*w = (struct world){.random = {1}, .n = 11, .rebuilt_s = INFINITY, .endless = 10};
	for (size_t i = 0; i < w->n; i++) {
		w->program[i].n = i < w->endless ? 20 : 10;
		w->program[i].error = 1;
		for (size_t k = 0; k < w->program[i].n; k++)
			w->program[i].seconds[k] = i < w->endless ? 30 : 3600;
		w->queued[i] = (struct ft_queued){.queries = i < w->endless ? 0.1 : 0.002, .survives = 1};
	}
	for (double t = 0; t < WORLD_DAYS * world_day_s; t = end + world_exponential(&w->random, 1800)) {
		end = t + world_exponential(&w->random, 14400);
		world_stretch(w, rule, t, end);
	}
	*wait_s = w->program[10].worst_wait_s;
	if (w->program[10].done < w->program[10].n)
		*wait_s = fmax(*wait_s, w->now_s - w->program[10].waiting_s);
	return w->program[10].done;
}

static void test_starvation(struct world *w)
{
	static const struct world_rule gain = {FT_ORDER_GAIN, false, false},
				       pure = {FT_ORDER_GAIN, false, true},
				       pmm = {FT_ORDER_PMM, false, false};
	double wait_s;
	size_t done = starve(w, &gain, &wait_s);

	ok(done == 10,
	   "by gain, a tenth by age: %zu of 10 of the dear one, of which it waited %.1f days at most", done,
	   wait_s / world_day_s);
	done = starve(w, &pure, &wait_s);
	ok(done == 0, "by gain alone it starves: %zu of 10", done);
	done = starve(w, &pmm, &wait_s);
	ok(done == 10, "by the document's rules: %zu of 10, %.1f days at most", done, wait_s / world_day_s);
}

struct outcome {
	double error, lost, wait_s; /* means; the worst wait */
};

static struct outcome live(struct world *w, const struct world_rule *rule, bool frozen, size_t programs,
			   size_t rebuilds, int seeds)
{
	struct outcome out = {0, 0, 0};

	for (int seed = 0; seed < seeds; seed++) {
		world_make(w, programs, rebuilds, (uint64_t)seed);
		w->frozen = frozen;
		world_live(w, rule);
		out.error += w->error_s / w->now_s / seeds;
		out.lost += w->lost_s / w->spent_s / seeds;
		for (size_t i = 0; i < w->n; i++)
			out.wait_s = fmax(out.wait_s, w->program[i].worst_wait_s);
	}
	return out;
}

/* Both orders beside the released one, ended and frozen: how wrong the models are that are asked about. */
static void test_month(struct world *w, size_t programs, size_t rebuilds, int seeds)
{
	static const struct {
		const char *name;
		struct world_rule rule;
		bool frozen;
	} rows[] = {
		{"the first of the list, ended", {FT_ORDER_PMM, true, false}, false},
		{"pmm, ended", {FT_ORDER_PMM, false, false}, false},
		{"pure gain, ended", {FT_ORDER_GAIN, false, true}, false},
		{"gain, ended", {FT_ORDER_GAIN, false, false}, false},
		{"pmm, frozen", {FT_ORDER_PMM, false, false}, true},
		{"gain, frozen", {FT_ORDER_GAIN, false, false}, true},
	};
	struct outcome out[6];

	diag("%zu programs, %zu rebuilds, %d months: error, idle time lost, longest wait of a program",
	     programs, rebuilds, seeds);
	for (size_t i = 0; i < 6; i++) {
		out[i] = live(w, &rows[i].rule, rows[i].frozen, programs, rebuilds, seeds);
		diag("%-30s %.3f  %4.1f %%  %4.1f days", rows[i].name, out[i].error, 100 * out[i].lost,
		     out[i].wait_s / world_day_s);
	}
	ok(out[1].error < out[0].error && out[3].error < out[1].error,
	   "gain is better than pmm, pmm than the list");
	ok(out[3].error < 1.05 * out[2].error, "the tenth costs little");
	ok(out[4].lost == 0 && out[5].lost == 0 && out[4].error < out[1].error && out[5].error < out[3].error,
	   "to freeze is better than to end");
}

int main(void)
{
	static struct world world;
	int seeds = test_quick() ? 3 : 24;

	test_priorities();
	test_gain();
	test_alike();
	test_any_numbers();
	test_document();
	test_slowly();
	test_survives();
	test_survives_slowly();
	test_hopeless();
	test_starvation(&world);
	test_month(&world, 30, 40, seeds);
	test_month(&world, 60, 80, seeds);
	return done();
}
