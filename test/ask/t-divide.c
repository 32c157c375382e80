/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-divide.c - a total divided by models: by hand, and beside all divisions that there are. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "plan/door.h"

static struct ft_answerer *fast, *slow, *noisy;

/* Seconds are a straight line, and so is memory: 8 bytes a unit. */
static struct ft_answerer *add_line(const char *name, double seconds_a_unit, double noise,
				    double joules_a_unit)
{
	int64_t id = add_program(name, "n=1:1000000", NULL);
	struct ft_random random = {7};

	for (double n = 1; n <= 1e6; n *= 10)
		for (int k = 0; k < 3; k++) {
			struct ft_run run =
				made_run(1, n, 0, seconds_a_unit * n * exp(noise * ft_random_normal(&random)),
					 8 * n, NAN);

			if (joules_a_unit > 0)
				(void)ft_run_add(&run, &ft_energy_j, joules_a_unit * n, FT_MEASURED, "test",
						 NULL, NULL);
			add_run(id, run);
		}
	return open_models(name);
}

static struct ft_divide_group group_of(struct ft_answerer *models, const char *host, size_t count)
{
	return (struct ft_divide_group){.answerer = models, .size = {.n = 1}, .count = count, .host = host};
}

/* Costs, and the fastest shares. */
static bool divide(struct ft_divide *d, struct ft_division *out)
{
	struct ft_err err = {0};

	if (!ft_divide_costs(d, &err) && !ft_divide_fastest(d, out, &err))
		return true;
	diag("%s", err.text);
	return false;
}

static int64_t sum_of(const struct ft_division *out)
{
	int64_t sum = 0;

	for (size_t i = 0; i < out->p; i++)
		sum += out->share[i].units;
	return sum;
}

static bool about(double a, double b)
{
	return near(a, b, 1e-3);
}

static void test_hand(void)
{
	struct ft_divide_group group[] = {group_of(fast, "a", 1), group_of(slow, "b", 3)};
	struct ft_divide d = {.total = 1200000, .group = group, .n = 2};
	struct ft_division out = {0};

	/* A unit takes 1 us and 3 us: rates are as 3 to 1, 1, 1. */
	ok(divide(&d, &out) && out.p == 4 && sum_of(&out) == d.total && out.share[0].group == 0 &&
		   out.share[3].group == 1,
	   "a total over four processors");
	ok(about((double)out.share[0].units, 600000) && about((double)out.share[3].units, 200000) &&
		   about(out.time_s, 0.6) && about(out.equal_s, 0.9) && out.risk == 0,
	   "... %g s, %g s with equal shares", out.time_s, out.equal_s);
	ok(about(out.share[0].at.value, 0.6) && isnan(out.share[0].energy_j) &&
		   out.share[0].binds == FT_BINDS_TIME,
	   "... each as its model says");
	d.total = 3;
	d.step = 2;
	d.least = 0;
	ft_divide_clear(&d);
	ok(divide(&d, &out) && sum_of(&out) == 3 && out.equal_s >= out.time_s, "three units in steps of two");
	ft_division_clear(&out);
	ft_division_clear(&out);
	ft_divide_clear(&d);
	ft_divide_clear(&d);
}

static double seconds(const struct ft_divide *d, size_t group, int64_t units)
{
	struct ft_size size = {.n = 1, .value = {(double)units}};
	double value = 0;

	if (units < d->least)
		return INFINITY;
	if (units)
		(void)ft_cost_at(d->group[group].answerer, &size, 0, &d->group[group].options, &value, NULL,
				 NULL);
	return value;
}

/* All divisions over two processors in steps: the earliest, or with watts the cheapest by a deadline. */
static double best_of_all(const struct ft_divide *d, double deadline_s, bool joules)
{
	int64_t step = d->step ? d->step : 1;
	double best = INFINITY;

	for (int64_t x = 0; x <= d->total; x += step) {
		double a = seconds(d, 0, x), b = seconds(d, 1, d->total - x);

		if (fmax(a, b) <= deadline_s && isfinite(fmax(a, b)))
			best = fmin(best,
				    joules ? a * d->group[0].watts + b * d->group[1].watts : fmax(a, b));
	}
	return best;
}

static void test_all(void)
{
	struct ft_random random = {test_seed()};
	int i, cases = test_cases(30), late = 0, dear = 0, tight = 0;

	for (i = 0; i < cases; i++) {
		struct ft_divide_group group[] = {group_of(fast, "a", 1), group_of(slow, "b", 1)};
		struct ft_divide d = {
			.step = 1 + (int64_t)ft_random_below(&random, 5), .group = group, .n = 2};
		struct ft_division out = {0};

		d.total = d.step * (1 + (int64_t)ft_random_below(&random, 300));
		d.least =
			i % 3 ? 0
			      : d.step * (int64_t)ft_random_below(&random, (uint64_t)(d.total / d.step) + 1);
		group[0].watts = 300;
		group[1].watts = i % 2 ? 40 : 200;
		group[1].memory_bytes = i % 5 ? 0 : 8 * 0.3 * (double)d.total + 100;
		if (!divide(&d, &out))
			continue;
		double best = best_of_all(&d, INFINITY, false);
		late += isfinite(best) != isfinite(out.found.plan.value) ||
			(isfinite(best) && (!about(out.time_s, best) || sum_of(&out) != d.total));
		double deadline = out.time_s * (1 + ft_random_uniform(&random));
		best = best_of_all(&d, deadline * (1 + 1e-9), true);
		if (isfinite(out.found.plan.value)) {
			dear += ft_divide_cheapest(&d, deadline, &out, NULL) ||
				!about(out.cheap.plan.value, best) || sum_of(&out) != d.total ||
				out.time_s > deadline ||
				!about(out.share[0].energy_j + out.share[1].energy_j, best);
			tight += out.share[0].units > 0;
		}
		ft_division_clear(&out);
		ft_divide_clear(&d);
	}
	ok(!late, "%d cases: no division is faster", cases);
	ok(!dear && tight, "... nor cheaper by the deadline");
}

static void test_memory_shared(void)
{
	struct ft_divide_group group[] = {group_of(fast, "a", 2), group_of(slow, "a", 1),
					  group_of(slow, "b", 1)};
	struct ft_divide d = {.total = 3000, .group = group, .n = 3};
	struct ft_division out = {0};

	for (size_t i = 0; i < 3; i++)
		group[i].memory_bytes = 8 * 1200;
	ok(divide(&d, &out) && group[0].options.processors == 3 && group[1].options.processors == 3 &&
		   group[2].options.processors == 1,
	   "who shares a host's memory");
	ok(group[0].cost.most > 350 && group[0].cost.most <= 400 &&
		   group[0].cost.most == group[1].cost.most && group[2].cost.most > 1000 &&
		   group[2].cost.end == FT_COST_MEMORY,
	   "... has a third of it: %lld, and %lld", (long long)group[0].cost.most,
	   (long long)group[2].cost.most);
	ok(isinf(out.found.plan.value) &&
		   out.found.missing == 3000 - 3 * group[0].cost.most - group[2].cost.most && !sum_of(&out),
	   "... and %lld do not fit", (long long)out.found.missing);
	ft_division_clear(&out);
	ft_divide_clear(&d);
}

static void test_risk(void)
{
	struct ft_divide_group group[] = {group_of(noisy, "a", 3), group_of(fast, "b", 1)};
	struct ft_divide d = {.total = 100000, .risk = 0.05, .group = group, .n = 2};
	struct ft_division out = {0}, apart = {0};

	ok(about(ft_divide_risk(0.05, 2), 0.0253206) && ft_divide_risk(0, 3) == 0, "the risk of each of two");
	ok(divide(&d, &out) && sum_of(&out) == d.total && about(out.risk, 0.0127414),
	   "a risk of all of four");
	d.apart = true;
	ok(!ft_divide_fastest(&d, &apart, NULL), "each by itself");
	ok(sum_of(&apart) == d.total && about(apart.risk, out.risk) && out.time_s < apart.time_s &&
		   out.time_s >= out.found.plan.bound,
	   "all together end by %g s, each apart by %g s", out.time_s, apart.time_s);
	d.apart = false;
	d.total = 1;
	ft_divide_clear(&d);
	ok(divide(&d, &out) && sum_of(&out) == 1 && about(out.risk, 0.05),
	   "who has nothing to do is not late");
	ft_division_clear(&out);
	ft_division_clear(&apart);
	ft_divide_clear(&d);
}

static void test_front(void)
{
	struct ft_divide_group group[] = {group_of(fast, "a", 1), group_of(slow, "b", 1)};
	struct ft_divide d = {.total = 400, .step = 10, .group = group, .n = 2};
	struct ft_division out = {0}, one = {0};
	struct ft_plan_front front;
	size_t good = 0;

	group[0].watts = 300;
	group[1].watts = 40;
	ok(divide(&d, &out) && divide(&d, &one) && !ft_divide_front(&d, 0, &front, &out, NULL) && front.n > 2,
	   "time against energy");
	for (size_t i = 0; i < front.n; i++)
		good += !ft_divide_cheapest(&d, front.point[i].time_s, &one, NULL) &&
			about(one.cheap.plan.value, front.point[i].energy_j);
	ok(good == front.n, "... each point is the cheapest by then");
	ok(out.share[0].units == 10 * front.units[2 * front.knee] && sum_of(&out) == 400 &&
		   about(out.cheap.plan.value, front.point[front.knee].energy_j) &&
		   about(out.time_s, out.cheap.time_s),
	   "... and the knee is told");
	ft_plan_front_clear(&front);
	ft_division_clear(&out);
	ft_division_clear(&one);
	ft_divide_clear(&d);
}

/* Joules by a model, and where nobody knows them. */
static void test_joules(void)
{
	struct ft_divide_group group[] = {group_of(slow, "a", 1), group_of(noisy, "b", 1)};
	struct ft_divide d = {.total = 100, .group = group, .n = 2};
	struct ft_division out = {0};
	struct ft_err err = {0};

	group[1].watts = 1e9;
	ok(divide(&d, &out) && !ft_divide_cheapest(&d, INFINITY, &out, &err) && out.share[0].units == 100 &&
		   about(out.cheap.plan.value, 200) && out.share[1].energy_j == 0,
	   "a model tells joules");
	group[1].watts = 0;
	ok(ft_divide_cheapest(&d, INFINITY, &out, &err) == FT_ENOENT && strstr(err.text, "'noisy' costs") &&
		   strstr(err.text, " on b ") && err.remedy[0],
	   "%s", err.text);
	d.total = 1001;
	d.step = 10;
	ok(ft_divide_cheapest(&d, 1, &out, &err) == FT_EINVAL && strstr(err.text, "n=1001") && err.remedy[0],
	   "%s", err.text);
	d.total = 10000010;
	ok(ft_divide_cheapest(&d, 1, &out, &err) == FT_EINVAL && strstr(err.text, "1000001") && err.remedy[0],
	   "%s", err.text);
	ft_division_clear(&out);
	ft_divide_clear(&d);
	d.memory_risk = 0.3;
	ok(ft_divide_costs(&d, &err) == FT_EINVAL && !strncmp(err.text, "slow: ", 6) && err.remedy[0], "%s",
	   err.text);
	ft_divide_clear(&d);
}

static enum ft_status ask_everything(struct ft_divide *d)
{
	struct ft_division out = {0};
	struct ft_plan_front front = {0};
	enum ft_status status = ft_divide_costs(d, NULL);

	if (!status)
		status = ft_divide_fastest(d, &out, NULL);
	if (!status)
		status = ft_divide_cheapest(d, INFINITY, &out, NULL);
	if (!status)
		status = ft_divide_front(d, 5, &front, &out, NULL);
	ft_plan_front_clear(&front);
	ft_division_clear(&out);
	ft_divide_clear(d);
	return status;
}

static void test_faults(void)
{
	struct ft_divide_group group[] = {group_of(noisy, "a", 2), group_of(slow, "b", 1)};
	struct ft_divide d = {.total = 20, .risk = 0.05, .group = group, .n = 2};
	unsigned long failed = 0, wrong = 0;

	group[0].watts = 100;
	ok(!ask_everything(&d), "all that is asked");
	(void)ft_alloc_fail_at(0);
	(void)ask_everything(&d);
	unsigned long n = ft_alloc_fail_at(0);
	for (unsigned long i = 1; i <= n; i += 1 + n / 500) {
		(void)ft_alloc_fail_at(i);
		enum ft_status status = ask_everything(&d);
		failed += status == FT_ENOMEM;
		wrong += status && status != FT_ENOMEM;
	}
	(void)ft_alloc_fail_at(0);
	ok(failed && !wrong, "out of memory at %lu places: nothing is left", failed);
}

int main(void)
{
	open_store();
	fast = add_line("fast", 1e-6, 0, 0);
	slow = add_line("slow", 3e-6, 0, 2);
	noisy = add_line("noisy", 2e-6, 0.2, 0);
	test_hand();
	test_all();
	test_memory_shared();
	test_risk();
	test_front();
	test_joules();
	test_faults();
	ft_ask_close(fast);
	ft_ask_close(slow);
	ft_ask_close(noisy);
	ft_store_close(store);
	temp_remove();
	return done();
}
