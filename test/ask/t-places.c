/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-places.c - where expressions are held against the numbers: which places, what each counts, and what is
 * found at more of them. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"

static const struct ft_size open_size = {.n = 1};
static const struct ft_size open_sizes = {.n = 2};

static struct ft__express_query query_of(struct ft_answerer *models, const struct ft_need *need, size_t axes)
{
	return (struct ft__express_query){.answerer = models,
					  .size = axes > 1 ? &open_sizes : &open_size,
					  .axis = {0, 1},
					  .n_axes = axes,
					  .need = need,
					  .fine = 1,
					  .reach = 100};
}

static bool has(const struct ft__values *line, double x)
{
	for (size_t i = 0; i < line->n; i++)
		if (line->x[i] == x)
			return true;
	return false;
}

static bool ascends(const struct ft__values *line)
{
	for (size_t i = 0; i < line->n; i++)
		if (line->x[i] <= (i ? line->x[i - 1] : 0))
			return false;
	return line->n > 0;
}

/* How many values lie between two. */
static size_t count_between(const struct ft__values *line, double from, double to)
{
	size_t n = 0;

	for (size_t i = 0; i < line->n; i++)
		n += line->x[i] > from && line->x[i] < to;
	return n;
}

/* The largest step from one value to the next. */
static double largest_step(const struct ft__values *line, double from, double to)
{
	double most = 1;

	for (size_t i = 1; i < line->n; i++)
		if (line->x[i - 1] >= from && line->x[i] <= to)
			most = fmax(most, line->x[i] / line->x[i - 1]);
	return most;
}

/* What each product of values counts: how much of its lines it stands for, less the farther it lies from the
 * data; 1 within them together, a tenth outside. */
static int count_wrong_weights(const struct ft__places *places, size_t products)
{
	double sum[2] = {0, 0};
	int bad = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < products; i++) {
			size_t at = i;
			double weight = 1;
			bool outside = false;

			for (size_t a = 0; a < places->axes; a++) {
				const struct ft__values *line = &places->line[a];
				size_t k = at % line->n;
				double x = line->x[k], far = 1;

				at /= line->n;
				if (x < places->data[a].least)
					far = places->data[a].least / x;
				if (x > places->data[a].most)
					far = x / places->data[a].most;
				outside = outside || far > 1;
				weight *= log(line->x[k + 1 < line->n ? k + 1 : k] / line->x[k ? k - 1 : 0]) /
					  far;
				bad += !near(exp(places->point[i].ln[a]), x, 1e-12);
			}
			if (pass)
				bad += !near(places->point[i].weight,
					     outside ? 0.1 * weight / sum[1] : weight / sum[0], 1e-9);
			else
				sum[outside] += weight;
		}
	for (size_t i = products; i < places->n; i++)
		bad += places->point[i].weight != 0;
	return bad;
}

/* Each place has the number of a request there, so many times, or a little more: that right beside a size
 * that was run. */
static int count_wrong_numbers(const struct ft__places *places, const struct ft__express_query *query,
			       double times)
{
	struct ft_prediction at;
	double most;
	int bad = 0;

	for (size_t i = 0; i < places->n; i++) {
		bool good = false;

		/* At a measured size more is known than right beside it. */
		for (int exact = 0; exact < 2 && !good; exact++) {
			struct ft_size size = *query->size;

			for (size_t a = 0; a < places->axes; a++) {
				double x = exp(places->point[i].ln[a]);

				size.value[a] = exact && fabs(x - round(x)) < 1e-9 * x ? round(x) : x;
			}
			good = !ft__request_upper(query->answerer, query->need->resource, &size,
						  query->need->risk, &at, &most, NULL) &&
			       places->point[i].value >= times * most * (1 - 1e-6) &&
			       places->point[i].value <= times * most * 1.01;
		}
		bad += !good;
	}
	return bad;
}

/* ---- one parameter ---------------------------------------------------------------------------------------
 */

static void add_line(const char *name, double least, double factor, int sizes)
{
	int64_t id = add_program(name, "n=1:100000", NULL);

	for (int i = 0; i < sizes; i++)
		for (int k = 0; k < 2; k++) {
			double n = round(least * pow(factor, i));

			add_run(id, made_run(1, n, 0, 1e-3 * n * (1 + 0.01 * k), 1e6 + 8 * n, NAN));
		}
}

static void test_line(void)
{
	const struct ft_need need = {.resource = &ft_wall_s, .risk = 0.05};
	struct ft__places places;
	const struct ft__values *line = &places.line[0];
	size_t uneven = 0, missing = 0;

	add_line("line", 100, 2, 10);
	struct ft_answerer *models = open_models("line");
	struct ft__express_query query = query_of(models, &need, 1);
	ok(!ft__places_find(&query, &places, NULL) && ascends(line) && places.data[0].least == 100 &&
		   places.data[0].most == 51200 && places.n == line->n,
	   "%zu places along one parameter", line->n);
	for (double x = 100; x <= 51200; x *= 2) {
		missing += !has(line, x) || has(line, 51200 * (51200 / x)) != (51200 / x <= 100) ||
			   (100 * (100 / x) >= 1 && !has(line, 100 * (100 / x)));
		uneven += x < 51200 && count_between(line, x, 2 * x) != count_between(line, 100, 200);
	}
	ok(!missing, "all sizes that were measured, and as far away from the ends as each of them is");
	ok(!uneven && count_between(line, 99, 51201) >= 96 && count_between(line, 99, 51201) < 120,
	   "evenly between them: %zu", count_between(line, 99, 51201));
	ok(line->x[0] == 1 && line->x[line->n - 1] == 51200e2 && largest_step(line, 1, 100) < 1.65 &&
		   largest_step(line, 51200, 512000) < 1.08 && largest_step(line, 512000, 51200e2) < 1.65,
	   "down to 1 and up to where requests are known, densely where numbers bend");
	ok(!count_wrong_weights(&places, line->n), "each counts what it stands for");
	ok(!count_wrong_numbers(&places, &query, 1), "and has the number that a request has there");
	ft__places_clear(&places);
	query.fine = 1.5;
	(void)ft__places_find(&query, &places, NULL);
	ok(places.n && !count_wrong_numbers(&places, &query, 1.5),
	   "half as much again where neighbours differ by that");
	ft__places_clear(&places);
	ft_ask_close(models);
}

/* Many sizes, not all of which are looked at; and one. */
static void test_many(void)
{
	const struct ft_need need = {.resource = &ft_wall_s, .risk = 0.05};
	struct ft__places places;
	size_t strange = 0;

	add_line("many", 100, 1.02, 240);
	struct ft_answerer *models = open_models("many");
	struct ft__express_query query = query_of(models, &need, 1);
	(void)ft__places_find(&query, &places, NULL);
	for (size_t i = 0; i < places.line[0].n; i++) {
		double x = places.line[0].x[i];

		strange += x > 100 && x < places.data[0].most && x != round(x);
	}
	ok(!strange && count_between(&places.line[0], 99, places.data[0].most + 1) == 96,
	   "of 240 sizes 96 are looked at");
	ft__places_clear(&places);
	ft_ask_close(models);
}

/* Ends of terms: evenly over the data, of three digits, and before the next value. */
static void test_ends(void)
{
	const struct ft_need need = {.resource = &ft_wall_s, .risk = 0.05};
	struct ft_answerer *models = open_models("line");
	struct ft__express_query query = query_of(models, &need, 1);
	struct ft__places places;
	size_t k = 0, known = 0, before = 0;
	int bad = 0;

	(void)ft__places_find(&query, &places, NULL);
	for (size_t i = 0; i < places.n_ends; i++) {
		double end = places.end[i];

		if (isnan(end))
			continue;
		for (k = 0; places.line[0].x[k + 1] <= end;)
			k++;
		bad += end != ft__round_digits(end, FT__NEAREST) || end < 100 || end > 51200;
		bad += end > places.line[0].x[k] * 1.011;
		bad += known && (k - before < 4 || k - before > 5 * (i - known + 1));
		before = k;
		known = i;
	}
	ok(places.n_ends == 24 && places.end[0] == 100 && places.end[23] == 51200 && !bad,
	   "where terms may end: %d wrong", bad);
	ft__places_clear(&places);
	ft_ask_close(models);
}

/* From a size on at which a run was killed no less than it had reached. */
static void test_killed(void)
{
	const struct ft_need need = {.resource = &ft_peak_tree_bytes, .risk = 0.05};
	struct ft__places places;
	struct ft_run killed = made_run(1, 7000, 0, NAN, 9e8, NAN);
	size_t low = 0, high = 0;

	add_line("killed", 100, 2, 5);
	killed.outcome = FT_OUT_OF_MEMORY;
	add_run(add_program("killed", "n=1:100000", NULL), killed);
	struct ft_answerer *models = open_models("killed");
	struct ft__express_query query = query_of(models, &need, 1);
	query.kills = true;
	(void)ft__places_find(&query, &places, NULL);
	for (size_t i = 0; i < places.n; i++) {
		low += places.point[i].ln[0] > log(6999.9) && places.point[i].value < 9e8;
		high += places.point[i].ln[0] < log(6999.9) && places.point[i].value >= 9e8;
	}
	ok(has(&places.line[0], 7000) && places.data[0].most == 1600 && !low && !high,
	   "where runs were killed no less than they had reached");
	ft__places_clear(&places);
	query.kills = false;
	(void)ft__places_find(&query, &places, NULL);
	ok(!has(&places.line[0], 7000) && places.point[0].value < 9e8, "unless that is not asked");
	ft__places_clear(&places);
	ft_ask_close(models);
}

/* ---- two parameters --------------------------------------------------------------------------------------
 */

static void test_two(void)
{
	const struct ft_need need = {.resource = &ft_wall_s, .risk = 0.05};
	int64_t id = add_program("two", "n=1:1000", "m=1:1000");
	struct ft__places places;
	size_t measured = 0;

	for (double n = 10; n <= 1000; n *= 10)
		for (double m = 20; m <= 320; m *= 4)
			add_run(id, made_run(2, n, m, 1e-6 * n * m, 1e6, NAN));
	struct ft_answerer *models = open_models("two");
	struct ft__express_query query = query_of(models, &need, 2);
	(void)ft__places_find(&query, &places, NULL);
	size_t products = places.line[0].n * places.line[1].n;
	ok(ascends(&places.line[0]) && ascends(&places.line[1]) && places.line[0].n == 18 &&
		   places.line[1].n == 18 && places.line[0].x[0] == 10 && places.line[0].x[17] == 1e4 &&
		   places.line[1].x[0] == 20 && places.line[1].x[17] == 3200 && places.data[1].most == 320,
	   "within the data and to ten times that");
	for (size_t i = products; i < places.n; i++)
		measured += fabs(remainder(places.point[i].ln[0] - log(10), log(10))) < 1e-9 &&
			    fabs(remainder(places.point[i].ln[1] - log(20), log(4))) < 1e-9;
	ok(places.n == products + 9 && measured == 9 && !count_wrong_weights(&places, products),
	   "the products of both, and the sizes that were measured");
	ok(!count_wrong_numbers(&places, &query, 1), "with the numbers of requests");
	ft__places_clear(&places);
	ft_ask_close(models);
}

/* ---- more places -----------------------------------------------------------------------------------------
 */

static struct ft__cover cover_of(double a, double end, double beyond)
{
	struct ft__cover cover = {
		.n = isnan(end) ? 1 : 2,
		.axes = 1,
		.most = {log(51200)},
		.term = {{.a = a, .from = NAN, .upto = end}, {.a = beyond, .from = end, .upto = NAN}}};

	return cover;
}

static void test_check(void)
{
	const struct ft_need need = {.resource = &ft_wall_s, .risk = 0.05};
	struct ft_answerer *models = open_models("line");
	struct ft__express_query query = query_of(models, &need, 1);
	struct ft__cover above = cover_of(1e300, NAN, 0), low = cover_of(1e-9, NAN, 0),
			 ended = cover_of(1e-9, log(1000), 1e300);
	struct ft__places places;
	double short_of, most = 0, last = 0;
	size_t n, at_end = 0, bad = 0, intervals = 0;

	(void)ft__places_find(&query, &places, NULL);
	n = places.n;
	ok(!ft__places_check(&places, &query, &above, &short_of) && short_of == 1 && places.n == n,
	   "a cover that is above lacks nothing");
	ok(!ft__places_check(&places, &query, &low, &short_of) && places.n == n + 1000,
	   "of one that is not the places are added");
	for (size_t i = 0; i < places.n; i++) {
		most = fmax(most, places.point[i].value);
		if (i < n)
			continue;
		bad += !(places.point[i].value > 1e-9) || places.point[i].weight != 0 ||
		       places.point[i].ln[0] < 0 || places.point[i].ln[0] > log(51200e2);
		intervals += places.point[i].ln[0] != last;
		last = places.point[i].ln[0];
	}
	ok(!bad && near(short_of, most / 1e-9, 1e-12) && intervals > 900,
	   "%zu of them, all in the range of the line", places.n - n);
	n = places.n;
	(void)ft__places_check(&places, &query, &ended, &short_of);
	for (size_t i = n; i < places.n; i++) {
		at_end += places.point[i].ln[0] == log(1000);
		bad += places.point[i].ln[0] > log(1000);
	}
	ok(!bad && at_end == 250, "right at the end of a term, too: %zu", at_end);
	ft__places_clear(&places);
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	test_line();
	test_many();
	test_ends();
	test_killed();
	test_two();
	test_check();
	ft_store_close(store);
	temp_remove();
	return done();
}
