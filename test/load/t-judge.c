/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-judge.c - how often later loads fall within load functions: by hand, against a slow count, and on
 * recorded utilisation of five servers ($FORETIME_DATA/utilisation). */
#include "base/csv.h"
#include "foretime/base.h"
#include "load-test.h"
#include "load/door.h"

static void by_hand(void)
{
	double load[] = {0.1, 0.3, 0.2, 0.9, 0.2};
	struct ft_load_history history = {.interval_s = 10, .processors = 1, .load = load, .n = 5};
	struct ft_load_judgement j;
	struct ft_err err = {0};

	/* h = 2, w = 1: [0.1 0.3] holds 0.2; [0.2 0.3] does not hold 0.9; [0.2 0.9] holds 0.2 */
	(void)ft_load_judge(&j, &history, 2, 1, 1, 0, NULL);
	ok(j.moments == 3 && j.averages == 3 && near(j.within, 2. / 3, 1e-14), "two of three");
	ok(near(j.width, (0.2 + 0.1 + 0.7) / 3, 1e-14) && j.area == 0, "the width between");
	/* h = 2, w = 2: D: [0.1 0.3], 2 D: 0.2; later 0.2 is within, 0.55 not; D: [0.2 0.3], 2 D: 0.25; later
	 * 0.9, 0.55: not */
	(void)ft_load_judge(&j, &history, 2, 2, 1, 0, NULL);
	ok(j.moments == 2 && j.averages == 4 && near(j.within, 0.25, 1e-14), "one of four averages");
	ok(near(j.area, (0.2 / 2 * 10 + 0.1 / 2 * 10) / 2, 1e-12) && near(j.width, j.area / 10, 1e-14),
	   "the area between");
	ok(ft_load_judge(&j, &history, 4, 2, 1, 0, NULL) == FT_OK && !j.averages && isnan(j.within),
	   "too short a history");
	ok(ft_load_judge(&j, &history, 2, 3, 1, 0, &err) == FT_EINVAL, "a window longer than the history: %s",
	   err.text);
	ok(ft_load_judge(&j, &history, 2, 2, 2, 0, &err) == FT_EINVAL, "no share");
}

/* Count anew at each moment. */
static double count(const struct ft_load_history *history, size_t h, size_t w, double share)
{
	size_t hits = 0, n = 0;

	for (size_t at = h; at + w <= history->n; at++) {
		struct ft_load_history past = *history;
		struct ft_load_functions f;
		double sum = 0;

		past.load += at - h;
		past.n = h;
		if (ft_load_functions_make(&f, &past, w, share, NULL))
			continue;
		for (size_t i = 0; i < w && i < f.n; i++) {
			double mean = (sum += history->load[at + i]) / (double)(i + 1);

			if (isnan(sum))
				break;
			n++;
			hits += mean >= f.least[i] - 1e-9 && mean <= f.most[i] + 1e-9;
		}
		ft_load_functions_clear(&f);
	}
	return n ? (double)hits / (double)n : (double)NAN;
}

static void randomly(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0;

	for (int i = 0; i < test_cases(40); i++) {
		struct ft_load_history history;
		struct ft_load_judgement j;
		size_t w = 1 + ft_random_below(&random, 10), h = w + ft_random_below(&random, 30);
		double share = i % 2 ? 1 : 0.8;

		random_history(&history, 120, 1, ft_random_below(&random, 2) ? 0.05 : 0, &random);
		bad += ft_load_judge(&j, &history, h, w, share, 0, NULL) != FT_OK ||
		       !near(j.within, count(&history, h, w, share), 1e-12) ||
		       !(j.width >= 0 && j.width <= 1);
		bad += ft_load_judge(&j, &history, h, w, share, 7, NULL) != FT_OK || j.moments > 7;
		ft_load_history_clear(&history);
	}
	if (!ok(!bad, "as counted slowly"))
		diag("seed %llu", (unsigned long long)test_seed());
}

/* Loads without memory, of equal distribution: the n-th is within the extremes of h before it with
 * probability (h - 1) / (h + 1). */
static void without_memory(void)
{
	struct ft_random random = {test_seed()};
	struct ft_load_history history = {.interval_s = 1, .processors = 1};
	struct ft_load_judgement all, part;

	for (size_t i = 0; i < 20000; i++)
		(void)ft_load_history_add(&history, ft_random_uniform(&random), NULL);
	(void)ft_load_judge(&all, &history, 39, 1, 1, 0, NULL);
	(void)ft_load_judge(&part, &history, 200, 1, 0.8, 2000, NULL);
	if (!ok(fabs(all.within - 38. / 40) < 0.01, "extremes of 39: 95 %%, found %g", all.within) ||
	    !ok(fabs(part.within - 0.8) < 0.04 && part.width < all.width, "quantiles: 80 %%, found %g",
		part.within))
		diag("seed %llu", (unsigned long long)test_seed());
	ft_load_history_clear(&history);
}

static void no_memory(void)
{
	double load[] = {0.1, 0.3, 0.2, 0.9, 0.2};
	struct ft_load_history history = {.interval_s = 10, .processors = 1, .load = load, .n = 5};
	struct ft_load_judgement j;
	unsigned long n = 0;
	bool good = true;
	enum ft_status status;
	double share = 1;

	for (; share > 0.5; share -= 0.4)
		for (n = 0, status = FT_ENOMEM; status && n < 100;) {
			(void)ft_alloc_fail_at(++n);
			status = ft_load_judge(&j, &history, 2, 2, share, 0, NULL);
			good &= !status || (status == FT_ENOMEM && isnan(j.within) && !j.moments);
		}
	(void)ft_alloc_fail_at(0);
	ok(good && n > 2 && n < 100, "allocations fail cleanly");
}

/* Percent of one machine, every five minutes. */
static bool read_server(const char *name, struct ft_load_history *history)
{
	const char *data = getenv("FORETIME_DATA"), *source = getenv("FORETIME_TEST_SOURCE");
	char path[4096];
	struct ft_csv *csv;

	if (data)
		(void)snprintf(path, sizeof path, "%s/utilisation/nab/%s", data, name);
	else
		(void)snprintf(path, sizeof path, "%s/../shared/data/utilisation/nab/%s",
			       source ? source : ".", name);
	*history = (struct ft_load_history){.interval_s = 300, .processors = 1};
	if (ft_csv_read(path, 0, &csv, NULL))
		return false;
	for (size_t row = 0; row < ft_csv_rows(csv); row++) {
		double percent = NAN;

		(void)ft_csv_number(csv, row, 1, false, &percent, NULL);
		(void)ft_load_history_add(history, fmin(1, percent / 100), NULL);
	}
	ft_csv_free(csv);
	return true;
}

/* Document 000 section 3 says of a desktop: an hour's window is accurate with four hours of history. Here: a
 * day of history must hold more than four hours of it, and be no narrower, on each of five servers; quantiles
 * must be narrower. */
static void servers(void)
{
	static const char *const names[] = {
		"ec2_cpu_utilization_24ae8d.csv", "ec2_cpu_utilization_53ea38.csv",
		"ec2_cpu_utilization_5f5533.csv", "ec2_cpu_utilization_77c1ca.csv",
		"rds_cpu_utilization_cc0c53.csv"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct ft_load_history history;
		struct ft_load_judgement hours, day, part;

		if (!read_server(names[i], &history)) {
			skip(names[i],
			     "no such file in $FORETIME_DATA (default: ../shared/data beside the source)");
			continue;
		}
		(void)ft_load_judge(&hours, &history, 48, 12, 1, 0, NULL);
		(void)ft_load_judge(&day, &history, 288, 12, 1, 0, NULL);
		(void)ft_load_judge(&part, &history, 288, 12, 0.9, 500, NULL);
		diag("%s: 4 h: %.3f within, width %.4f; a day: %.3f, %.4f; 90 %% of a day: %.3f, %.4f",
		     names[i], hours.within, hours.width, day.within, day.width, part.within, part.width);
		ok(day.within > hours.within && day.width >= hours.width && day.within > 0.9 &&
			   part.width < day.width && part.within < day.within,
		   "%s: %.1f %% of later loads within a day's functions", names[i], 100 * day.within);
		ft_load_history_clear(&history);
	}
}

/* Which cells there are, and that each is what a judgement of it says. */
static bool is_judged(const struct ft_load_history *history, const struct ft_load_choice *choice,
		      const char *cells)
{
	struct ft_load_judged *cell = NULL;
	char text[400] = "";
	size_t n = 0;
	bool good = !ft_load_judge_all(&cell, &n, history, choice, NULL);

	for (size_t i = 0; i < n; i++) {
		struct ft_load_judgement one;

		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu/%zu/%g", i ? " " : "",
			       cell[i].h, cell[i].w, cell[i].share);
		(void)ft_load_judge(&one, history, cell[i].h, cell[i].w, cell[i].share, 1000, NULL);
		good = good && cell[i].found.averages == one.averages && cell[i].found.within == one.within;
	}
	free(cell);
	if (strcmp(text, cells) != 0)
		diag("%s", text);
	return good && !strcmp(text, cells);
}

static void test_several(void)
{
	struct ft_random random = {test_seed()};
	struct ft_load_history history;
	struct ft_load_choice choice = {.h = 12, .w = 6, .share = 0.9};
	struct ft_load_judged *cell = NULL;
	size_t n = 0;

	random_history(&history, 40, 2, 0, &random);
	ok(is_judged(&history, &choice, "2/1/0.9 12/1/0.9 12/4/0.9"),
	   "a sixth, the usual, a multiple, where they fit; a window wider than a quarter is one");
	choice.h_alone = choice.w_alone = true;
	choice.share = 1;
	ok(is_judged(&history, &choice, "12/6/1 12/6/0.95 12/6/0.9 12/6/0.8"),
	   "those that are asked for, by extremes and quantiles");
	choice.h = 35;
	ok(is_judged(&history, &choice, ""), "too short a history");
	choice = (struct ft_load_choice){.h = 1000, .w = 3, .w_alone = true, .share = 0.8};
	ok(is_judged(&history, &choice, "3/3/0.8 21/3/0.8"), "half of what was observed is the history");
	(void)ft_alloc_fail_at(1);
	ok(ft_load_judge_all(&cell, &n, &history, &choice, NULL) == FT_ENOMEM && !cell, "no memory");
	(void)ft_alloc_fail_at(2);
	ok(ft_load_judge_all(&cell, &n, &history, &choice, NULL) == FT_ENOMEM && !cell && !n,
	   "none for a judgement");
	(void)ft_alloc_fail_at(0);
	ft_load_history_clear(&history);
}

int main(void)
{
	by_hand();
	randomly();
	without_memory();
	no_memory();
	servers();
	test_several();
	return done();
}
