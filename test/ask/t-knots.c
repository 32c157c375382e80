/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-knots.c - requests for all sizes as knots, beside the numbers. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "foretime/ask.h"

/* What lines between the knots say at a size. */
static double drawn(const struct ft_request_knots *knots, double at, bool memory)
{
	size_t i = 1;

	while (i + 1 < knots->n && knots->knot[i].at < at)
		i++;
	double a = memory ? knots->knot[i - 1].bytes : knots->knot[i - 1].most_s;
	double b = memory ? knots->knot[i].bytes : knots->knot[i].most_s;
	double share = log(at / knots->knot[i - 1].at) / log(knots->knot[i].at / knots->knot[i - 1].at);
	return exp(log(a) + share * (log(b) - log(a)));
}

/* Of the sizes between knots, how many lines say less than the numbers by more than 2 %. */
static void test_knots(void)
{
	struct ft_random random = {test_seed()};
	int i, j, cases = test_cases(12), low = 0, looked = 0, ascends = 0;
	size_t most = 0, k;

	for (i = 0; i < cases; i++) {
		struct ft_size any = size_of(10);
		struct ft_request_knots knots;
		struct ft_request q;
		char name[32];

		(void)snprintf(name, sizeof name, "knots%d", i);
		add_random(name, &random, 4 + i % 9);
		struct ft_answerer *models = open_models(name);
		if (ft_ask_request_knots(models, &any, 0.05, &knots, NULL)) {
			ft_ask_close(models);
			continue;
		}
		most = knots.n > most ? knots.n : most;
		for (k = 1; k < knots.n && knots.knot[k].at > knots.knot[k - 1].at; k++)
			continue;
		ascends += k == knots.n && knots.knot[0].at == 10 && near(knots.knot[k - 1].at, 1e5, 1);
		for (j = 0; j < 40; j++) {
			struct ft_size at = size_of(10 * pow(1e4, ft_random_uniform(&random)));

			(void)ft_ask_request(models, &at, 0.05, &q, NULL);
			low += drawn(&knots, at.value[0], false) < 0.98 * q.time.most ||
			       drawn(&knots, at.value[0], true) < 0.98 * q.memory.most;
			looked++;
		}
		ft_request_knots_clear(&knots);
		ft_ask_close(models);
	}
	ok(ascends == cases, "knots ascend from the smallest size to ten times the largest one: %d of %d",
	   ascends, cases);
	ok(low * 100 <= looked, "lines between them are as high as requests: %d of %d are 2 %% below", low,
	   looked);
	ok(most <= 1100, "and there are %zu at most", most);
}

static void test_knots_refused(void)
{
	struct ft_request_knots knots;
	struct ft_size at = {.n = 2, .value = {1, 1}};
	struct ft_err err = {0};
	int64_t id = add_program("two-sided", "n=1:9", "m=1:9");

	for (int n = 1; n < 10; n++)
		add_run(id, made_run(2, n, 10 - n, n, 1e6 * n, NAN));
	struct ft_answerer *models = open_models("two-sided");
	ok(ft_ask_request_knots(models, &at, 0.05, &knots, &err) == FT_EINVAL && err.remedy[0] && !knots.knot,
	   "knots of several parameters are refused, with a remedy");
	ft_ask_close(models);
}

/* Nothing can be promised where a run was killed for memory. */
static void test_killed(void)
{
	int64_t id = add_program("killed", "n=100:1000", NULL);
	struct ft_run killed = made_run(1, 1000, 0, NAN, 2e6, NAN);
	struct ft_request_knots knots;
	struct ft_size at = size_of(100);

	for (int n = 100; n <= 800; n += 100)
		add_run(id, made_run(1, n, 0, n, 1000 * n, NAN));
	killed.outcome = FT_OUT_OF_MEMORY;
	add_run(id, killed);
	struct ft_answerer *models = open_models("killed");
	ok(ft_ask_request_knots(models, &at, 0.05, &knots, NULL) == FT_OK && knots.n > 15 &&
		   knots.knot[knots.n - 1].at >= 800 && knots.knot[knots.n - 1].at < 1000,
	   "knots end below a size that was killed for memory");
	ft_request_knots_clear(&knots);
	ft_request_knots_clear(&knots);
	ft_ask_close(models);
}

static void test_faults(void)
{
	struct ft_size at = size_of(100);
	unsigned long n = 0, failed = 0, made;
	enum ft_status status;
	bool clean = true;

	do {
		struct ft_answerer *models = open_models("killed");
		struct ft_request_knots knots;

		(void)ft_alloc_fail_at(++n);
		status = ft_ask_request_knots(models, &at, 0.05, &knots, NULL);
		made = ft_alloc_fail_at(0);
		clean = clean && (status ? status == FT_ENOMEM && !knots.knot : knots.n > 0);
		failed += status != FT_OK;
		ft_request_knots_clear(&knots);
		ft_ask_close(models);
	} while (made >= n && n < 10000);
	ok(clean && !status && failed > 5, "each of %lu allocations may fail", failed);
}

int main(void)
{
	open_store();
	test_knots();
	test_knots_refused();
	test_killed();
	test_faults();
	ft_store_close(store);
	temp_remove();
	return done();
}
