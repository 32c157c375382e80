/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-history.c - observations of any length laid on equal intervals; loads from a table. */
#include "load-test.h"
#include "load/door.h"
#include "temp.h"

static const int64_t NOON = 1700000000000000000;

static void add(struct ft_loads *loads, double start_s, double length_s, double load, bool by_sweep)
{
	struct ft_load seen = {.started_ns = NOON + (int64_t)(start_s * 1e9),
			       .interval_s = length_s,
			       .load = load,
			       .busy = NAN,
			       .processors = 2,
			       .by_sweep = by_sweep};

	(void)ft_loads_add(loads, &seen, NULL);
}

/* Whether a history holds these loads; NaN: a gap. */
static bool holds(const struct ft_load_history *history, const double *load, size_t n)
{
	for (size_t i = 0; i < n && i < history->n; i++)
		if (!(isnan(load[i]) ? isnan(history->load[i]) : near(history->load[i], load[i], 1e-6))) {
			diag("load %zu is %g, not %g", i, history->load[i], load[i]);
			return false;
		}
	return history->n == n || (diag("%zu loads", history->n), false);
}

#define HOLDS(history, ...)                                                                                  \
	holds(history, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void by_hand(void)
{
	struct ft_loads loads = {0};
	struct ft_load_history h;
	struct ft_err err = {0};

	ok(ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_FAIR, NULL) == FT_OK && h.n == 0,
	   "no observations");
	ok(ft_load_history_make(&h, &loads, 0, 0, FT_SHARING_FAIR, &err) == FT_EINVAL, "no interval");
	add(&loads, 0, 10, 1, false);
	add(&loads, 10, 10, 0.5, false);
	add(&loads, 20, 20, 0.25, false);
	(void)ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 1, 0.5, 0.25, 0.25) && h.start_ns == NOON && h.processors == 2,
	   "a long observation is one of each of its intervals");
	ft_load_history_clear(&h);
	(void)ft_load_history_make(&h, &loads, 20, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 0.75, 0.25), "short ones are averaged");
	ft_load_history_clear(&h);
	(void)ft_load_history_make(&h, &loads, 10, 2, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 0.25, 0.25) && h.start_ns == NOON + 20000000000, "the newest two");
	ft_load_history_clear(&h);
	add(&loads, 1000, 7, 2, false);
	add(&loads, 1007, 13, 1, false);
	(void)ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 1, 0.5, 0.25, 0.25, NAN, 1.7, 1), "a long gap is one gap; unequal ones are weighed");
	ft_load_history_clear(&h);
	(void)ft_load_history_make(&h, &loads, 10, 3, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 0.25, NAN, 1.7, 1), "the newest three that were observed");
	ft_load_history_clear(&h);
	ft_loads_clear(&loads);

	add(&loads, 4, 6, 1, false);
	add(&loads, 10, 4, 1, false);
	add(&loads, 20, 10, 0, false);
	(void)ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 1, NAN, 0), "an interval seen by less than half is a gap");
	ft_load_history_clear(&h);
	ft_loads_clear(&loads);

	add(&loads, 0, 10, 2, false);
	add(&loads, 10, 10, 2, false);
	add(&loads, 10, 10, 0.5, true);
	add(&loads, 20, 10, 1.5, false);
	(void)ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 2, 0.5, 1.5), "what a sweep saw replaces what the recorder took for others");
	ft_load_history_clear(&h);
	ok(ft_load_history_make(&h, &loads, 1e-9, 0, FT_SHARING_FAIR, &err) == FT_EINVAL && *err.remedy &&
		   !h.load,
	   "too fine an interval: %s", err.text);
	ft_loads_clear(&loads);
	ft_loads_clear(&loads);
	ft_loads_clear(NULL);
	ft_load_history_clear(NULL);
}

/* Beside what others want a run has its share; what they keep busy a niced one cannot have. */
static void sharing(void)
{
	struct ft_loads loads = {0};
	struct ft_load_history h;

	add(&loads, 0, 10, 8, false);
	add(&loads, 10, 10, 1, false);
	add(&loads, 20, 10, 4, false);
	loads.load[0].busy = 1.5;
	(void)ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 8, 1, 4), "what others want");
	ft_load_history_clear(&h);
	(void)ft_load_history_make(&h, &loads, 10, 0, FT_SHARING_NICED, NULL);
	ok(HOLDS(&h, 1.5, 1, 2), "what they keep busy, at most all where it is not known");
	ft_load_history_clear(&h);
	ft_loads_clear(&loads);
}

/* The sum of load x time is kept when everything was observed. */
static void randomly(void)
{
	struct ft_random random = {test_seed()};
	int bad = 0;

	for (int i = 0; i < test_cases(200); i++) {
		struct ft_loads loads = {0};
		struct ft_load_history h;
		double t = 0, sum = 0, in_history = 0, d = 1 + 20 * ft_random_uniform(&random);
		size_t n = 1 + ft_random_below(&random, 30), j;

		for (j = 0; j < n; j++) {
			double length = 0.1 + 30 * ft_random_uniform(&random),
			       load = 2 * ft_random_uniform(&random);

			if (j + 1 == n) /* begin on an interval */
				length += ceil((t + length) / d) * d - (t + length);
			add(&loads, t, length, load, false);
			t += length;
			sum += length * load;
		}
		(void)ft_load_history_make(&h, &loads, d, 0, FT_SHARING_FAIR, NULL);
		for (j = 0; j < h.n; j++)
			in_history += h.load[j] * d;
		bad += !near(sum, in_history, 1e-6) || h.n != (size_t)round(t / d);
		ft_load_history_clear(&h);
		ft_loads_clear(&loads);
	}
	if (!ok(!bad, "no load is lost or made"))
		diag("seed %llu", (unsigned long long)test_seed());
}

static const char *written(const char *text)
{
	const char *path = temp_path("load.csv");
	FILE *file = fopen(path, "w");

	if (file) {
		fputs(text, file);
		(void)fclose(file);
	}
	return path;
}

static void refuses(const char *text, enum ft_status status, const char *words)
{
	struct ft_loads loads = {0};
	struct ft_err err = {0};

	if (!ok(ft_loads_read(written(text), 0, &loads, &err) == status && strstr(err.text, words) &&
			!loads.n,
		"refused: %s", words))
		diag("%s", err.text);
	ft_loads_clear(&loads);
}

static void tables(void)
{
	struct ft_loads loads = {0};
	struct ft_load_history h;
	const char *text =
		"# processors: 4\ntime,load,comment\n2014-02-14 14:30:00,1.5,a\n2014-02-14 14:35:00,2,b\n"
		"2014-02-14 14:40:00,,c\n2014-02-14 15:00:00,3,d\n2014-02-14 15:05:00,4,e\n";

	ok(ft_loads_read(written(text), 0, &loads, NULL) == FT_OK && loads.n == 4, "a table is read");
	ok(loads.load[2].interval_s == 300 && loads.load[0].interval_s == 300 &&
		   loads.load[0].processors == 4,
	   "a row tells of the usual time before it");
	(void)ft_load_history_make(&h, &loads, 300, 0, FT_SHARING_FAIR, NULL);
	ok(HOLDS(&h, 1.5, 2, NAN, 3, 4), "and makes a history");
	ft_load_history_clear(&h);
	ft_loads_clear(&loads);
	ok(ft_loads_read(written("time,load\n10,0.5\n20,0.25\n30,1\n"), 0, &loads, NULL) == FT_OK &&
		   loads.n == 3 && loads.load[0].started_ns == 0 && loads.load[2].interval_s == 10,
	   "seconds");
	ft_loads_clear(&loads);
	ok(ft_loads_read(written("# processors: 2\ntime,load\n1,9\n2,0.5\n"), 0, &loads, NULL) == FT_OK &&
		   loads.load[0].load == 9 && isnan(loads.load[0].busy),
	   "a queue of nine on two processors that are stated");
	ft_loads_clear(&loads);
	refuses("t,load\n1,1\n", FT_EINVAL, "no column 'time'");
	refuses("time,x\n1,1\n", FT_EINVAL, "no column 'load'");
	refuses("time,load\n1,1\n", FT_EINVAL, "has 1 loads");
	refuses("time,load\n1,1\n1,1\n", FT_EINVAL, ":3: the time is not after");
	refuses("time,load\n1,1\nsoon,1\n", FT_EPARSE, ":3: column 1 (time): 'soon' is no time");
	refuses("time,load\n1,1\n2,1.5\n", FT_EINVAL, ":3: a load of 1.5 on an unknown number");
	refuses("time,load\n1,1\n2,-1\n", FT_EINVAL, ":3: -1 processors are no load");
	refuses("time,load\n1,1\n2,inf\n", FT_EPARSE, ":3: column 2 (load)");
	refuses("time,load\n1,1\n2,x\n", FT_EPARSE, ":3: column 2 (load)");
}

static void no_memory(void)
{
	struct ft_loads loads = {0}, read = {0};
	const char *path = written("time,load\n10,0.5\n20,0.25\n40,1\n");
	unsigned long n = 0;
	bool good = true;
	enum ft_status status;

	add(&loads, 0, 25, 1, false);
	add(&loads, 90, 25, 1, false);
	do {
		struct ft_load_history h;

		(void)ft_alloc_fail_at(++n);
		status = ft_load_history_make(&h, &loads, 5, 0, FT_SHARING_FAIR, NULL);
		good &= !status || (status == FT_ENOMEM && !h.load && !h.n);
		ft_load_history_clear(&h);
	} while (status && n < 100);
	ok(good && n > 1 && n < 100, "histories: %lu allocations fail cleanly", n - 1);
	n = 0;
	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_loads_read(path, 0, &read, NULL);
		good &= !status || (status == FT_ENOMEM && !read.n);
	} while (status && n < 200);
	(void)ft_alloc_fail_at(0);
	ok(good && n > 4 && n < 200, "tables: %lu allocations fail cleanly", n - 1);
	ft_loads_clear(&loads);
	ft_loads_clear(&read);
}

/* 10 s at 1, 30 s at 2: 1.75. */
static void test_summary(void)
{
	struct ft_loads loads = {0};
	double load[] = {1, NAN, 2, 3, NAN};
	const struct ft_load_history history = {.load = load, .n = 5};

	add(&loads, 100, 30, 2, false);
	add(&loads, 0, 10, 1, false);
	loads.load[0].steal = 0.5;
	struct ft_loads_summary s = ft_loads_summarise(&loads);
	ok(s.seconds == 40 && s.load == 1.75 && isnan(s.busy) && s.steal == 0.375 &&
		   s.end_ns == NOON + INT64_C(130000000000),
	   "averages by length, and the newest end");
	ft_loads_clear(&loads);
	ok(ft_load_history_observed(&history, 5) == 3 && ft_load_history_observed(&history, 9) == 3 &&
		   ft_load_history_observed(&history, 2) == 1,
	   "how many were observed");
}

int main(void)
{
	by_hand();
	sharing();
	randomly();
	tables();
	no_memory();
	temp_remove();
	test_summary();
	return done();
}
