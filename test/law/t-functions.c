/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-functions.c - laws of functions: which takes most at a larger size, their sum, when one overtakes another,
 * what begins late or ends early, and what a function takes with all that it calls. */
#include "base/alloc.h"
#include "facts/door.h"
#include "law/door.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 6 };

static const double sizes[SIZES] = {1000, 2000, 4000, 8000, 16000, 32000};

/* What a made program takes at n. */
struct made {
	const char *name, *object;
	double constant, linear, logs, square;
	double from, to; /* it is called at these sizes; 0: at all */
	bool nameless;
};

static const struct made program[] = {
	{"start", "prog", .constant = 100000},
	{"parse", "prog", .linear = 40},
	{"sort", "prog", .logs = 12},
	{"quad", "prog", .constant = 50, .square = 0.002},
	{"late", "prog", .linear = 9, .from = 4000},
	{"tail", "prog", .linear = 5, .from = 32000},
	{"early", "prog", .linear = 30, .to = 4000},
	{"tiny", "prog", .constant = 20},
	{"0x1189", "libx", .linear = 2, .nameless = true},
};

enum { FUNCTIONS = sizeof program / sizeof *program };

static double made_count(const struct made *f, double n)
{
	if (n < f->from || (f->to > 0 && n > f->to))
		return 0;
	return f->constant + f->linear * n + f->logs * n * log2(n) + f->square * n * n;
}

/* start calls all others. */
static void make_profile(double n, struct ft_profile *profile, struct ft_profile_function *function,
			 struct ft_profile_call *call)
{
	*profile = (struct ft_profile){.function = function, .call = call};
	for (size_t i = 0; i < FUNCTIONS; i++) {
		const double count = made_count(&program[i], n);

		if (!(count > 0))
			continue;
		function[profile->n] = (struct ft_profile_function){
			.name = (char *)(uintptr_t)program[i].name,
			.object = (char *)(uintptr_t)program[i].object,
			.file = (char *)(uintptr_t) "???",
			.exclusive = count,
			.inclusive = count,
			.nameless = program[i].nameless,
		};
		if (profile->n)
			call[profile->calls++] = (struct ft_profile_call){0, profile->n, count};
		profile->n++;
		profile->instructions += count;
	}
	function[0].inclusive = profile->instructions;
}

static double made_whole(double n)
{
	double sum = 0;

	for (size_t i = 0; i < FUNCTIONS; i++)
		sum += made_count(&program[i], n);
	return sum;
}

static void add_all(struct ft_functions *functions, size_t n)
{
	struct ft_profile_function function[FUNCTIONS];
	struct ft_profile_call call[FUNCTIONS];
	struct ft_profile profile;
	struct ft_err err = {0};

	for (size_t i = n; i-- > 0;) { /* in any order */
		make_profile(sizes[i], &profile, function, call);
		if (ft_functions_add(functions, sizes[i], &profile, &err))
			diag("%s", err.text);
	}
}

static const struct ft_function *find(const struct ft_functions *functions, const char *name)
{
	for (size_t i = 0; i < functions->n; i++)
		if (!strcmp(functions->function[i].name, name))
			return &functions->function[i];
	return NULL;
}

/* ---- laws --------------------------------------------------------------------------------------------- */

static void test_made(void)
{
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 300000, .confidence = 0.9, .parameter = "m"};
	struct ft_err err = {0};

	add_all(&functions, SIZES);
	ok(!ft_functions_fit(&functions, &query, &err) && functions.n == FUNCTIONS, "functions are fitted");
	const struct ft_function *quad = find(&functions, "quad"), *sort = find(&functions, "sort"),
				 *late = find(&functions, "late"), *tail = find(&functions, "tail"),
				 *early = find(&functions, "early"), *tiny = find(&functions, "tiny"),
				 *nameless = find(&functions, "0x1189");

	ok(functions.function == quad && quad->share > 0.5 && quad->share_now < sort->share_now,
	   "the quadratic comes first, though another one takes more now");
	ok(quad->exact && near(quad->value, made_count(&program[3], 300000), 1e-6) &&
		   strstr(quad->law, "m^2") && !strcmp(quad->kind, "m^2"),
	   "its law is exact: %s", quad->law);
	double crossing = quad->overtakes;
	ok(near(made_count(&program[3], crossing), made_count(&program[2], crossing), 0.01),
	   "from %.0f on it takes more than sort", crossing);
	ok(isnan(sort->overtakes), "the largest overtakes nobody");
	ok(near(sort->value, made_count(&program[2], 300000), 0.01), "n log n is found: %s", sort->law);
	ok(late->basis == FT_FUNCTION_LAW && late->begins == 4000 && near(late->value, 9 * 300000, 0.01),
	   "a function that begins late has a law from there on: %s", late->law);
	ok(tail->basis == FT_FUNCTION_SHARE && tail->begins == 32000 && tail->value > 0 && !tail->law[0],
	   "one of the last size alone keeps its share");
	ok(early->basis == FT_FUNCTION_GONE && early->value == 0 && early->now == 0,
	   "one that is not called any more is expected no more");
	ok(tiny->basis == FT_FUNCTION_SMALL && isnan(tiny->value) && functions.small == 1,
	   "a small one has no law of its own");
	ok(nameless && nameless->nameless && nameless->basis == FT_FUNCTION_LAW,
	   "an address that is the same at all sizes is a function");
	ok(near(functions.of_sum.value, made_whole(300000), 0.15) &&
		   functions.of_sum.lower < functions.of_sum.value &&
		   functions.of_sum.upper > functions.of_sum.value,
	   "the sum of the laws is near the truth");
	double sum = functions.small_value;
	for (size_t i = 0; i < functions.n; i++)
		sum += isnan(functions.function[i].value) ? 0 : functions.function[i].value;
	ok(near(sum, functions.of_sum.value, 1e-12), "and it is their sum");
	ok(near(ft_functions_value(&functions, quad, 1000), made_count(&program[3], 1000), 1e-6) &&
		   isnan(ft_functions_value(&functions, tiny, 1000)) &&
		   ft_functions_value(&functions, early, 1000) == 0,
	   "values at other sizes");
	ok(isnan(functions.varies), "no size was profiled twice");
	ft_functions_clear(&functions);
	ft_functions_clear(&functions);
}

static void test_inclusive(void)
{
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 300000, .confidence = 0.9, .inclusive = true};
	struct ft_err err = {0};

	add_all(&functions, SIZES);
	ok(!ft_functions_fit(&functions, &query, &err), "inclusive counts are fitted");
	const struct ft_function *start = find(&functions, "start"), *quad = find(&functions, "quad");
	ok(functions.function == start && near(start->share, 1, 1e-9) &&
		   near(start->now, functions.of_whole.now, 1e-9),
	   "what calls all the others takes all");
	ok(start->mostly == quad->added + 1 && start->mostly_share > 0.5,
	   "and most of it is in the quadratic");
	ok(near(quad->value, made_count(&program[3], 300000), 1e-6) && quad->mostly == quad->added + 1,
	   "what calls nothing takes its own");
	ok(isnan(start->overtakes) && isnan(ft_functions_value(&functions, quad, 1000)),
	   "callers overtake nothing");
	const struct ft_functions_query again = {.at = 64000, .confidence = 0.9};
	ok(!ft_functions_fit(&functions, &again, &err) &&
		   near(find(&functions, "quad")->value, made_count(&program[3], 64000), 1e-6),
	   "another question of the same profiles");
	ft_functions_clear(&functions);
}

/* a and b call each other, and both call leaf; other calls leaf, too. */
static void test_circle(void)
{
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 64000, .confidence = 0.9, .inclusive = true};
	struct ft_err err = {0};

	for (size_t i = 0; i < SIZES; i++) {
		const double n = sizes[i];
		struct ft_profile_function function[] = {
			{(char *)(uintptr_t) "main", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f", n,
			 16 * n, false, false},
			{(char *)(uintptr_t) "a", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f", 2 * n,
			 11 * n, false, true},
			{(char *)(uintptr_t) "b", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f", 3 * n,
			 11 * n, false, true},
			{(char *)(uintptr_t) "leaf", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f", 8 * n,
			 8 * n, false, false},
			{(char *)(uintptr_t) "other", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f", 2 * n,
			 4 * n, false, false},
		};
		struct ft_profile_call call[] = {{0, 1, 11 * n}, {1, 2, 40 * n}, {2, 1, 30 * n},
						 {1, 3, 4 * n},  {2, 3, 2 * n},  {0, 4, 4 * n},
						 {4, 3, 2 * n}};
		const struct ft_profile profile = {
			.function = function, .n = 5, .call = call, .calls = 7, .instructions = 16 * n};

		ok(!ft_functions_add(&functions, n, &profile, &err), "added");
	}
	ok(!ft_functions_fit(&functions, &query, &err), "fitted");
	ok(near(find(&functions, "a")->value, 11 * 64000.0, 1e-6) &&
		   near(find(&functions, "b")->value, 11 * 64000.0, 1e-6),
	   "a circle counts what it calls once");
	ok(near(find(&functions, "other")->value, 4 * 64000.0, 1e-6), "a callee is shared among its callers");
	ok(near(find(&functions, "main")->value, 16 * 64000.0, 1e-6), "and the whole is the whole");
	ft_functions_clear(&functions);
}

/* What returns at once at small sizes begins where it works; an exponential grows by ever larger steps, and does
 * not. */
static void test_begin(void)
{
	static const double small[SIZES] = {10, 14, 20, 28, 40, 56};
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 80, .confidence = 0.9};
	struct ft_err err = {0};
	int bad = 0;

	for (size_t i = 0; i < SIZES; i++) {
		const double n = small[i];
		struct ft_profile_function function[] = {
			{(char *)(uintptr_t) "wakes", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f",
			 n < 25 ? 5 : 900 * n, 0, false, false},
			{(char *)(uintptr_t) "fib", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f",
			 7 * exp2(0.3 * n), 0, false, true},
			{(char *)(uintptr_t) "fifth", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f",
			 0.01 * pow(n, 5), 0, false, false},
		};
		struct ft_profile profile = {.function = function, .n = 3};

		for (size_t k = 0; k < 3; k++)
			profile.instructions += function[k].exclusive;
		bad += ft_functions_add(&functions, n, &profile, &err) != FT_OK;
	}
	ok(!bad && !ft_functions_fit(&functions, &query, &err), "fitted");
	ok(find(&functions, "wakes")->begins == 28 && near(find(&functions, "wakes")->value, 900 * 80.0, 0.2),
	   "a function begins where it works: %s", find(&functions, "wakes")->law);
	ok(isnan(find(&functions, "fib")->begins) && near(find(&functions, "fib")->value, 7 * exp2(24), 0.1),
	   "an exponential has no begin: %s", find(&functions, "fib")->law);
	ok(isnan(find(&functions, "fifth")->begins) &&
		   near(find(&functions, "fifth")->value, 0.01 * pow(80, 5), 0.1),
	   "nor has a high power: %s", find(&functions, "fifth")->law);
	ft_functions_clear(&functions);
}

/* ---- stripped code, noise, refusals ------------------------------------------------------------------- */

static void test_addresses(void)
{
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 64000, .confidence = 0.9};
	struct ft_err err = {0};

	for (size_t i = 0; i < SIZES; i++) {
		char address[2][16];
		struct ft_profile_function function[] = {
			{(char *)(uintptr_t) "main", (char *)(uintptr_t) "o", (char *)(uintptr_t) "f", 100,
			 20 * sizes[i] + 100, false, false},
			{address[0], (char *)(uintptr_t) "lib", (char *)(uintptr_t) "???", 5 * sizes[i],
			 20 * sizes[i], true, false},
			{address[1], (char *)(uintptr_t) "lib", (char *)(uintptr_t) "???", 15 * sizes[i],
			 15 * sizes[i], true, false},
		};
		struct ft_profile_call call[] = {{0, 1, 20 * sizes[i]}, {1, 2, 15 * sizes[i]}};
		const struct ft_profile profile = {.function = function,
						   .n = 3,
						   .call = call,
						   .calls = 2,
						   .instructions = 20 * sizes[i] + 100};

		(void)snprintf(address[0], sizeof address[0], "0x%zx", 0x7f0000 + 4096 * i);
		(void)snprintf(address[1], sizeof address[1], "0x%zx", 0x7f0100 + 4096 * i);
		ok(!ft_functions_add(&functions, sizes[i], &profile, &err), "added");
	}
	ok(!ft_functions_fit(&functions, &query, &err) && functions.n == 2 && !*functions.function[0].name &&
		   !strcmp(functions.function[0].object, "lib") &&
		   near(functions.function[0].value, 20 * 64000.0, 1e-6),
	   "addresses that differ from size to size are one function, their object");
	const struct ft_functions_query inclusive = {.at = 64000, .confidence = 0.9, .inclusive = true};
	ok(!ft_functions_fit(&functions, &inclusive, &err) && near(find(&functions, "main")->share, 1, 1e-9),
	   "which its callers include");
	ft_functions_clear(&functions);
}

static void test_repeated(void)
{
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 64000, .confidence = 0.9};
	struct ft_profile_function function[FUNCTIONS];
	struct ft_profile_call call[FUNCTIONS];
	struct ft_profile profile;
	struct ft_err err = {0};

	add_all(&functions, SIZES);
	make_profile(1000, &profile, function, call);
	ok(!ft_functions_add(&functions, 1000, &profile, &err) &&
		   !ft_functions_fit(&functions, &query, &err) && functions.varies < 1e-12,
	   "equal counts of a size do not vary");
	ft_functions_clear(&functions);
	add_all(&functions, SIZES);
	make_profile(1000, &profile, function, call);
	profile.instructions *= 1.1;
	function[0].exclusive += profile.instructions / 11;
	ok(!ft_functions_add(&functions, 1000, &profile, &err) &&
		   !ft_functions_fit(&functions, &query, &err) && near(functions.varies, 0.067, 0.1),
	   "and what varies is reported: %g", functions.varies);
	ft_functions_clear(&functions);
}

static void test_refused(void)
{
	struct ft_functions functions = {0};
	const struct ft_functions_query query = {.at = 64000, .confidence = 0.9},
					nowhere = {.at = -1, .confidence = 0.9};
	struct ft_profile_function function[FUNCTIONS];
	struct ft_profile_call call[FUNCTIONS];
	struct ft_profile profile;
	struct ft_err err = {0};

	make_profile(1000, &profile, function, call);
	ok(ft_functions_add(&functions, 0, &profile, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_functions_add(&functions, NAN, &profile, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_functions_fit(&functions, &query, &err) == FT_ENOMODEL, "%s", err.text);
	add_all(&functions, 3);
	ok(ft_functions_fit(&functions, &query, &err) == FT_ENOMODEL && *err.remedy, "%s", err.text);
	ok(ft_functions_fit(&functions, &nowhere, &err) == FT_EINVAL, "%s", err.text);
	ft_functions_clear(&functions);
	for (size_t i = 0; i < FT_FUNCTIONS_PROFILES; i++)
		if (ft_functions_add(&functions, 1000 + (double)i, &profile, &err))
			break;
	ok(ft_functions_add(&functions, 5000, &profile, &err) == FT_EINVAL, "%s", err.text);
	ok(!ft_functions_fit(&functions, &query, &err) &&
		   ft_functions_add(&functions, 5000, &profile, &err) == FT_EINVAL,
	   "%s", err.text);
	ft_functions_clear(&functions);
	ft_functions_clear(NULL);
	ok(!strcmp(ft_function_basis_text(FT_FUNCTION_SMALL), "small"), "a basis has a word");
}

/* Each allocation fails once: what was added stays as it was. */
static void test_memory(void)
{
	const struct ft_functions_query query = {.at = 64000, .confidence = 0.9, .inclusive = true};
	struct ft_profile_function function[FUNCTIONS];
	struct ft_profile_call call[FUNCTIONS];
	struct ft_profile profile;
	struct ft_err err = {0};
	bool done = false;
	unsigned long n;
	int bad = 0;

	for (n = 1; !done && n < 2000; n++) {
		struct ft_functions functions = {0};
		enum ft_status status = FT_OK;

		(void)ft_alloc_fail_at(n);
		for (size_t i = 0; i < SIZES && !status; i++) {
			make_profile(sizes[i], &profile, function, call);
			status = ft_functions_add(&functions, sizes[i], &profile, &err);
			if (status && functions.profiles != i)
				bad++;
		}
		if (!status)
			status = ft_functions_fit(&functions, &query, &err);
		done = !status;
		(void)ft_alloc_fail_at(0);
		bad += !done && status != FT_ENOMEM;
		ft_functions_clear(&functions);
	}
	ok(done && !bad, "each of %lu allocations may fail", n - 2);
}

int main(void)
{
	test_made();
	test_inclusive();
	test_circle();
	test_begin();
	test_addresses();
	test_repeated();
	test_refused();
	test_memory();
	return done();
}
