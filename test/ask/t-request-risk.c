/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-request-risk.c - how a risk is divided, which one wastes least, and where requests are not known. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"
#include "num/num.h"

/* 1 ms x n and 1000 n bytes, exact, on two processors; three runs each. */
static void add_line(const char *name, double noise)
{
	int64_t id = add_program(name, "n=100:1000", NULL);
	struct ft_random random = {7};

	for (int n = 100; n <= 1000; n += 100)
		for (int k = 0; k < 3; k++) {
			double t = 1e-3 * n * exp(noise * ft_random_normal(&random));

			add_run(id, made_run(1, n, 0, t, 1000 * n, 2 * t));
		}
}

/* Memory is exact, time is not: most of the risk is for the time, and less is asked for than with half. */
static void test_split(void)
{
	struct ft_request q;
	struct ft_prediction p;
	struct ft_size at = size_of(550);
	double most = 0;

	add_line("scattered", 0.2);
	struct ft_answerer *models = open_models("scattered");
	ok(ft_ask_request(models, &at, 0.1, &q, NULL) == FT_OK && q.time.risk > 0.07 &&
		   near(q.time.risk + q.memory.risk, 0.1, 1e-12),
	   "time that scatters gets %g of the risk of 0.1", q.time.risk);
	ok(ft__request_upper(models, &ft_wall_s, &at, 0.05, &p, &most, NULL) == FT_OK && q.time.most < most,
	   "... so less is asked for: %g, not %g", q.time.most, most);
	ok(ft_ask_request(models, &at, 0.001, &q, NULL) == FT_OK && q.time.risk >= 0.0005 &&
		   q.memory.risk >= 0.0005,
	   "... each has 0.0005 at least");
	ft_ask_close(models);
}

/* ---- least waste -----------------------------------------------------------------------------------------
 */

/* What a run needs at a share of the model's predictive distribution; between 0.25 and 0.75, where no
 * confidence says it, as of a log-normal law through the median. */
static double need_at(struct ft_answerer *models, const struct ft_size *at, double share)
{
	const double inner = fmin(fmax(share, 0.25), 0.75), outer = fmax(fabs(1 - 2 * share), 0.5);
	struct ft_prediction p;

	(void)ft_ask_predict(models, &ft_peak_tree_bytes, at, fmin(outer, 0.999), &p, NULL);
	if (inner == share)
		return p.value * pow((share < 0.5 ? p.lower : p.upper) / p.value,
				     fabs(ft_normal_quantile(share) / ft_normal_quantile(0.75)));
	return share < 0.5 ? p.lower : p.upper;
}

/* Least waste by brute force: 400 risks, each against 2,000 parts of the same probability. */
static void test_least(void)
{
	enum { PARTS = 2000 };
	static const double sd[] = {0.02, 0.1, 0.3, 0.8};
	static double need[PARTS];
	struct ft_random random = {test_seed()};

	ok(ft__request_wasted(8, 5, NAN, true) == 3 && ft__request_wasted(4, 5, NAN, false) == 4 + 3 &&
		   ft__request_wasted(4, 5, 6, true) == 4 + 1 &&
		   ft__request_wasted(1, 11, 3, true) == 1 + 3 + 6 + (12 - 11),
	   "what tries waste");
	for (size_t i = 0; i < sizeof sd / sizeof *sd; i++) {
		struct ft_size at = size_of(5);
		double seen = 0;
		char name[32];

		(void)snprintf(name, sizeof name, "least%zu", i);
		int64_t id = add_program(name, "n=1:10", NULL);
		for (int k = 0; k < 60; k++) {
			double bytes = 1e9 * exp(sd[i] * ft_random_normal(&random));

			seen = fmax(seen, bytes);
			add_run(id, made_run(1, 1 + k % 10, 0, NAN, bytes, NAN));
		}
		struct ft_answerer *models = open_models(name);
		for (int k = 0; k < PARTS; k++)
			need[k] = need_at(models, &at, (k + 0.5) / PARTS);
		for (int most = 0; most < 2; most++) {
			struct ft_request q = {.risk = NAN};
			double best = INFINITY, ours = 0;

			(void)ft_ask_request(models, &at, most ? FT_RISK_LEAST_MOST : FT_RISK_LEAST_DOUBLE,
					     &q, NULL);
			for (double risk = 0.0005; risk <= 0.25; risk *= 1.0157) {
				double sum = 0, query = need_at(models, &at, 1 - risk);

				for (int k = 0; k < PARTS; k++)
					sum += ft__request_wasted(query, need[k], seen, most);
				best = fmin(best, sum);
			}
			for (int k = 0; k < PARTS; k++)
				ours += ft__request_wasted(q.memory.most, need[k], seen, most);
			ok(q.risk == q.memory.risk && q.risk >= 0.0005 && q.risk <= 0.25 &&
				   ours <= 1.03 * best,
			   "least waste, %s, noise %g: a risk of %g wastes %.4g, the best of all %.4g",
			   most ? "most" : "2x", sd[i], q.risk, ours / PARTS, best / PARTS);
		}
		ft_ask_close(models);
	}
}

static void test_least_expressions(void)
{
	struct ft_request_expressions all;
	struct ft_answerer *models = open_models("scattered");
	struct ft_size at = size_of(100);
	bool open[] = {true};

	if (ft_ask_request_expressions(models, &at, open, FT_RISK_LEAST_MOST, &all, NULL))
		diag("no expressions");
	ok(all.risk > 0.001 && all.risk <= 0.5 && all.time.text && all.memory.text,
	   "expressions have a risk that is chosen once: %g", all.risk);
	ft_request_expressions_clear(&all);
	ft_ask_close(models);
}

/* ---- what is not known -----------------------------------------------------------------------------------
 */

static void test_doubt(void)
{
	struct ft_answerer *models = open_models("line");
	struct ft_size inside = size_of(550), far = size_of(1000 * 150.0), below = size_of(1);
	struct ft_request q;

	ok(!ft_ask_request(models, &inside, 0.05, &q, NULL) && !q.doubted && !q.time.doubt &&
		   q.memory.seen == 1e6,
	   "inside the data nothing is doubted");
	ok(!ft_ask_request(models, &below, 0.05, &q, NULL) && !q.doubted, "nor below them");
	(void)ft_ask_request(models, &far, 0.05, &q, NULL);
	ok(q.doubted && q.memory.doubt == FT_DOUBT_FAR && near(q.memory.proportional, 150e6, 1e-9) &&
		   q.measure.value[0] >= 1500 && q.measure.value[0] < 150000,
	   "150 times beyond them all is: measure up to %g", q.measure.value[0]);
	inside = q.measure;
	ft_ask_close(models);
	/* Few sizes, and noise: soon nothing is known. */
	int64_t id = add_program("unsure", "n=1:10", NULL);
	for (int k = 1; k <= 4; k++)
		add_run(id, made_run(1, k, 0, k % 2 ? k : 3 * k, NAN, NAN));
	models = open_models("unsure");
	far = size_of(300);
	(void)ft_ask_request(models, &far, 0.05, &q, NULL);
	ok(q.time.doubt == FT_DOUBT_WIDE && q.time.upper > 10 * q.time.lower &&
		   near(q.time.proportional, 12 * 75, 1e-9),
	   "an interval wider than a factor of ten: %g .. %g", q.time.lower, q.time.upper);
	ft_ask_close(models);
	/* Runs that differ by more than that everywhere are known to differ. */
	id = add_program("wide", "n=1:10", NULL);
	for (int k = 0; k < 60; k++)
		add_run(id, made_run(1, 1 + k % 10, 0, (1 + k % 10) * pow(30, (k / 10 % 6) / 5.0), NAN, NAN));
	models = open_models("wide");
	far = size_of(11);
	(void)ft_ask_request(models, &far, 0.05, &q, NULL);
	ok(q.time.at.distance > 1 && !q.doubted, "noise of more than that is no doubt: up to %g",
	   q.time.most);
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	add_line("line", 0);
	test_split();
	test_least();
	test_least_expressions();
	test_doubt();
	ft_store_close(store);
	temp_remove();
	return done();
}
