/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-at-most.c - growth within a bound, without a model: bounds, sizes, verdicts. */
#include "tap.h"

#include "ask/ask.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"

#include <math.h>
#include <string.h>

static struct ft_program one, two;

static void set_program(struct ft_program *program, const char *n, const char *m)
{
	program->n_params = m ? 2 : 1;
	(void)ft_param_parse(n, &program->param[0], NULL);
	if (m)
		(void)ft_param_parse(m, &program->param[1], NULL);
}

/* ---- bounds --------------------------------------------------------------------------------------------- */

static void test_bounds(void)
{
	static const struct {
		const char *text, *terms; /* "; " between */
	} good[] = {
		{"n log n", "n log n"},
		{"O(n log n)", "n log n"},
		{"n*log2(n)", "n log n"},
		{"3 n^2 + 5n + 1", "n^2"},
		{"n^1.5", "n^1.5"},
		{"n sqrt(n)", "n^1.5"},
		{"sqrt(n*m)", "n^0.5*m^0.5"},
		{"n**2 * log(n)^2", "n^2 log^2 n"},
		{"n log^2 n", "n log^2 n"},
		{"n log(n^2)", "n log n"},
		{"n*m", "n*m"},
		{"n log n + m", "n log n; m"},
		{"(n + m)^2", "n^2; n*m; m^2"},
		{"(n + m) log n", "n log n; m log n"},
		{"n / log n", "n log^-1 n"},
		{"n^(1/2)", "n^0.5"},
		{"1", "1"},
		{"n m + n", "n*m"},
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		char found[FT_BOUND_LENGTH * 4] = "", term[FT_BOUND_LENGTH];
		struct ft__ceiling bound;
		struct ft_err err = {0};
		bool read = !ft__bound_parse(good[i].text, &two, &bound, &err);

		for (size_t k = 0; read && k < bound.n; k++) {
			ft__bound_format(&bound.term[k], &two, term);
			strcat(strcat(found, k ? "; " : ""), term);
		}
		ok(read && !strcmp(found, good[i].terms), "'%s' is %s%s", good[i].text, found,
		   read ? "" : err.text);
	}
}

static void test_refusals(void)
{
	static const struct {
		const char *text, *why;
		enum ft_status status;
	} bad[] = {
		{"", "expected", FT_EPARSE},
		{"n log", "expected a parameter", FT_EPARSE},
		{"n +", "expected", FT_EPARSE},
		{"(n", "expected ')'", FT_EPARSE},
		{"n)", "expected", FT_EPARSE},
		{"n^", "expected a number", FT_EPARSE},
		{"k log k", "'k' is no parameter; there are n, m", FT_EINVAL},
		{"n log k", "'k' is no parameter", FT_EINVAL},
		{"n^2 - n", "a difference", FT_EINVAL},
		{"n / m", "falls", FT_EINVAL},
		{"n^-1", "falls", FT_EINVAL},
		{"2^n", "exponent", FT_EINVAL},
		{"n^m", "exponent", FT_EINVAL},
		{"n!", "factorial", FT_EINVAL},
		{"max(n, m)", "no order", FT_EINVAL},
		{"n / (n + m)", "a division by a sum", FT_EINVAL},
		{"0 n", "not above 0", FT_EINVAL},
		{"n^21", "above 20", FT_EINVAL},
		{"(n+m)^8", "more than 8 terms", FT_EINVAL},
		{"((((((((((((((((((((((n))))))))))))))))))))))", "too deep", FT_EINVAL},
	};
	char longest[200];
	struct ft__ceiling bound;
	struct ft_err err;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		memset(&err, 0, sizeof err);
		ok(ft__bound_parse(bad[i].text, &two, &bound, &err) == bad[i].status &&
			   strstr(err.text, bad[i].why),
		   "'%s': %s", bad[i].text, err.text);
	}
	memset(longest, 'n', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	ok(ft__bound_parse(longest, &two, &bound, &err) == FT_EINVAL, "a long one: %s", err.text);
}

/* ---- sizes ---------------------------------------------------------------------------------------------- */

static struct ft_at_most_plan plan;

static bool has_size(double n, double m)
{
	for (size_t i = 0; i < plan.n; i++)
		if (plan.size[i].value[0] == n && (plan.size[i].n < 2 || plan.size[i].value[1] == m))
			return true;
	return false;
}

static void test_plan(void)
{
	struct ft_program program = {.name = NULL};
	struct ft_err err = {0};

	set_program(&program, "n=1000:64000", NULL);
	ok(!ft_at_most_plan("n log n", &program, FT_CLASS_COUNT, &plan, &err) && plan.first == 13 &&
		   plan.second == 25 && plan.n == 49,
	   "%zu sizes, and %zu between", plan.first, plan.n - plan.first);
	ok(has_size(64000, 0) && has_size(32000, 0) && has_size(1000, 0) &&
		   has_size(round(64000 / sqrt(2)), 0),
	   "halves of the largest, and of one between");
	set_program(&program, "n=10:10000", NULL);
	(void)ft_at_most_plan("n^3", &program, FT_CLASS_TIME, &plan, &err);
	ok(has_size(10, 0) && has_size(10000, 0) && has_size(5000, 0) && plan.size[4].value[0] > 1000,
	   "n^3 by time: few small sizes, where start-up is all");
	set_program(&program, "n=3,5,9,17,33,65", NULL);
	ok(!ft_at_most_plan("n", &program, FT_CLASS_COUNT, &plan, &err) && plan.n == 6 && plan.first == 6,
	   "a list as it is");
	set_program(&program, "n=1:8", NULL);
	ok(!ft_at_most_plan("n", &program, FT_CLASS_COUNT, &plan, &err) && plan.n == 8,
	   "each whole number once");
	set_program(&program, "n=1000:64000", "m=10:1000");
	ok(!ft_at_most_plan("n*m", &program, FT_CLASS_COUNT, &plan, &err) && plan.first == 25 &&
		   plan.n == 41 && has_size(64000, 1000) && has_size(1000, 10) && has_size(64000, 10),
	   "two parameters: a grid of %zu, and %zu between", plan.first, plan.n - plan.first);
	set_program(&program, "n=1000:64000", "m=7");
	ok(!ft_at_most_plan("n*m", &program, FT_CLASS_COUNT, &plan, &err) && plan.second == 25 &&
		   has_size(64000, 7),
	   "one that does not vary");
	set_program(&program, "n=1:10:1", "m=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16");
	ok(ft_at_most_plan("k", &program, FT_CLASS_COUNT, &plan, &err) == FT_EINVAL, "a bad bound: %s",
	   err.text);
	set_program(&program, "n=1,2,3,4,5,6,7,8,9", "m=1,2,3,4,5,6,7,8,9");
	ok(ft_at_most_plan("n", &program, FT_CLASS_COUNT, &plan, &err) == FT_EINVAL, "81 sizes: %s",
	   err.text);
}

/* ---- verdicts ------------------------------------------------------------------------------------------- */

static struct ft_at_most answer;

struct curve {
	double start, linear, log, square, from, cube, product, table, noise, step, step_at, block;
	double grown, factor; /* rooms that grow by a factor, cost of each place */
	double levels;        /* what comes later goes through more of them */
	double place;         /* a deviation that sizes near each other have in common */
	uint64_t seed;
};

static double at(const struct curve *c, double n, double m, struct ft_random *r)
{
	double late = n > c->from ? n - c->from : 0;
	double y = c->start + c->linear * n + c->log * n * log2(n) + c->square * late * late +
		   c->cube * n * n * n + c->product * n * m;

	y += c->table * n * exp2(ceil(log2(n / 1000)) - log2(n / 1000)); /* doubled as it filled */
	y += c->grown > 0 ? c->grown * 1000 * pow(c->factor, ceil(log(n / 1000) / log(c->factor))) : 0;
	for (double from = 1300; from < n; from *= 5)
		y += c->levels * (n - from);
	y += c->step * n * (n >= c->step_at);
	y += c->block > 0 ? c->linear * (ceil(n / c->block) * c->block - n) : 0;
	struct ft_random here = {c->seed + (uint64_t)floor(4 * log2(n / 64000) + 0.2 + 100)};
	return y * exp(c->noise * ft_random_normal(r) + c->place * ft_random_normal(&here));
}

static enum ft_at_most_verdict judge(const char *bound, const struct ft_program *program,
				     const struct curve *c, const struct ft_resource *resource, int rounds)
{
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	struct ft_random random = {17 + c->seed};
	struct ft_err err = {0};

	if (ft_at_most_plan(bound, program, resource->of, &plan, &err))
		diag("%s", err.text);
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < plan.n; i++) {
			struct ft_run run;

			ft_run_init(&run);
			run.outcome = FT_DONE;
			run.size = plan.size[i];
			(void)ft_run_add(
				&run, resource,
				at(c, run.size.value[0], run.size.n > 1 ? run.size.value[1] : 0, &random),
				FT_MEASURED, "test", NULL, NULL);
			(void)ft_runs_take(&runs, &run, NULL);
		}
	if (ft_verify_at_most(&runs, program, resource, bound, &answer, &err))
		diag("%s", err.text);
	diag("at most %s: %d, %s, share %.3g from %g on, seen %.3g, p %.1g", bound, (int)answer.verdict,
	     answer.term, answer.share, answer.from, answer.seen, answer.p);
	return answer.verdict;
}

static void test_verdicts(void)
{
	const double n = 64000;
	struct curve c = {.start = 1e5, .log = 20, .linear = -26};

	ok(judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES && answer.seen < 0.05,
	   "n log n - 1.3 n with start-up is at most n log n");
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO && !strncmp(answer.term, "n", 1) &&
		   answer.share > 0.05,
	   "and no n");
	ok(judge("n^2", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES, "but at most n^2");
	c.square = 0.25 * at(&c, n, 0, &(struct ft_random){1}) / n / n; /* a fifth of all */
	ok(judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO && !strcmp(answer.term, "n^2") &&
		   fabs(answer.share - 0.2) < 0.02 && answer.p < 1e-4 && answer.settled,
	   "a square of 20 %% is seen");
	ok(answer.n == 49 && answer.size[48].shows && !answer.size[0].shows && answer.from < n &&
		   fabs(answer.size[48].explained - 0.8 * answer.size[48].value) <
			   0.02 * answer.size[48].value,
	   "at the largest sizes, and not at the smallest");
	ok(judge("n^2", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES, "which n^2 allows");
	c.start = 4e6; /* 90 % of the smallest size */
	ok(judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO,
	   "behind a long start-up as well");
	c = (struct curve){.start = 1e5, .linear = 200, .square = 0.05, .from = 31000};
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO && answer.from >= 22000 &&
		   answer.from <= 46000,
	   "a square from 31000 on");
	c = (struct curve){.start = 1e5, .linear = 40, .table = 9};
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES, "a table that doubles is at most n");
	c.square = 0.3 * at(&c, n, 0, &(struct ft_random){1}) / n / n;
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO, "and hides no square");
	c = (struct curve){.start = 1e5, .linear = 40, .step = 12, .step_at = 9000};
	ok(judge("n", &one, &c, &ft_instructions, 1) != FT_AT_MOST_NO, "one step of the level is no growth");
	c = (struct curve){.start = 1e5, .linear = 40, .block = 1000};
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES, "blocks that are filled up");
	c.square = 0.25 * at(&c, n, 0, &(struct ft_random){1}) / n / n;
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO, "and hide no square");
	c = (struct curve){.start = 1e5, .linear = 40, .noise = 0.3};
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_UNDECIDED && !(answer.seen <= 0.2) &&
		   !answer.settled,
	   "counts that differ by 30 %% decide nothing");
	c = (struct curve){.start = 1e6};
	ok(judge("1", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES, "a constant");
	c.linear = 20;
	ok(judge("1", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO, "is no line");
}

/* Sizes that are twice each other do not repeat here. */
static void test_rooms(void)
{
	struct curve c = {.start = 1e5, .linear = 40, .grown = 9, .factor = 1.5, .noise = 1e-4};

	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES,
	   "an array that grows by half is at most n");
	c.square = 0.25 * at(&c, 64000, 0, &(struct ft_random){1}) / 64000 / 64000;
	ok(judge("n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO, "and hides no square");
	c = (struct curve){.start = 1e5, .linear = 90, .levels = 25, .noise = 1e-4};
	ok(judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_YES,
	   "a tree that gets deeper is at most n log n");
	c.square = 0.25 * at(&c, 64000, 0, &(struct ft_random){1}) / 64000 / 64000;
	ok(judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO, "and hides no square");
}

/* Of each quarter of an octave the sizes deviate together, as tables and blocks make them: many sizes are no proof. */
static void test_groups(void)
{
	struct curve c = {.start = 1e5, .log = 20, .place = 0.02, .noise = 0.001};
	int cases = test_long_cases(4), worse = 0, seen = 0;

	for (int i = 0; i < cases; i++) {
		c.seed = 1000 * (uint64_t)i;
		c.square = 0;
		worse += judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO;
		c.square = 20 * log2(64000) / 64000; /* half of all */
		seen += judge("n log n", &one, &c, &ft_instructions, 1) == FT_AT_MOST_NO;
	}
	ok(worse == 0, "deviations of groups of sizes are no growth: %d of %d", worse, cases);
	ok(seen >= 0.8 * cases, "and hide no square of a half: seen in %d of %d", seen, cases);
}

static void test_times(void)
{
	struct curve c = {.start = 1e-3, .log = 1e-8, .noise = 0.01};

	ok(judge("n log n", &one, &c, &ft_wall_s, 40) == FT_AT_MOST_YES, "times that vary by 1 %%");
	c.square = 0.4 * 1e-8 * log2(64000) / 64000;
	ok(judge("n log n", &one, &c, &ft_wall_s, 40) == FT_AT_MOST_NO && fabs(answer.share - 0.28) < 0.08,
	   "a hidden square");
	c.noise = 0.4;
	ok(judge("n log n", &one, &c, &ft_wall_s, 2) == FT_AT_MOST_UNDECIDED,
	   "a wild machine decides nothing");
}

static void test_two(void)
{
	struct curve c = {.start = 1e5, .linear = 30, .product = 2};

	ok(judge("n*m", &two, &c, &ft_instructions, 1) == FT_AT_MOST_YES, "n m + n is at most n*m");
	ok(judge("n + m", &two, &c, &ft_instructions, 1) == FT_AT_MOST_NO && !strcmp(answer.term, "n*m"),
	   "and not n + m");
	c.square = 0.3 * 2 * 1000 / 64000.0;
	ok(judge("n*m", &two, &c, &ft_instructions, 1) == FT_AT_MOST_NO && answer.param == 0 &&
		   !strncmp(answer.term, "n", 1),
	   "a hidden square of n");
}

static void test_few(void)
{
	struct ft_program few = {.name = NULL};
	struct ft_runs none = {0};
	struct ft_err err = {0};
	struct curve c = {.start = 1e5, .linear = 30, .square = 1};

	set_program(&few, "n=1000,64000", NULL);
	ok(judge("n", &few, &c, &ft_instructions, 1) == FT_AT_MOST_UNDECIDED && answer.n == 2 &&
		   isnan(answer.seen),
	   "two sizes decide nothing");
	set_program(&few, "n=1000,2000,4000,8000,16000,32000,64000", NULL);
	ok(judge("n", &few, &c, &ft_instructions, 1) == FT_AT_MOST_NO, "seven sizes show what is nearly all");
	ok(ft_verify_at_most(&none, &one, &ft_wall_s, "n", &answer, &err) == FT_ENOMODEL, "no runs: %s",
	   err.text);
	ok(ft_verify_at_most(&none, &one, &ft_wall_s, "k", &answer, &err) == FT_EINVAL, "no bound: %s",
	   err.text);
	ft_alloc_fail_at(1);
	ok(ft_verify_at_most(&none, &one, &ft_wall_s, "n", &answer, &err) == FT_ENOMEM, "no memory");
	ft_alloc_fail_at(0);
}

/* Failed runs and warm-ups do not count, and of too many sizes the largest do. */
static void test_odd(void)
{
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	struct ft_err err = {0};

	for (int i = 0; i < 100; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.outcome = i == 97 ? FT_FAILED : FT_DONE;
		run.warmup = i == 98;
		run.size = (struct ft_size){.n = 1, .value = {1000 + 100 * i}};
		(void)ft_run_add(&run, &ft_instructions, i >= 97 && i < 99 ? 1e12 : 1e5 + 3e3 * i,
				 FT_MEASURED, "test", NULL, NULL);
		(void)ft_runs_take(&runs, &run, NULL);
	}
	ok(!ft_verify_at_most(&runs, &one, &ft_instructions, "n", &answer, &err) &&
		   answer.n == FT_AT_MOST_SIZES && answer.size[answer.n - 1].size.value[0] == 10900 &&
		   answer.verdict != FT_AT_MOST_NO,
	   "the largest %zu sizes of runs that ended well: %s", answer.n, answer.term);
}

int main(void)
{
	set_program(&one, "n=1000:64000", NULL);
	set_program(&two, "n=1000:64000", "m=10:1000");
	test_bounds();
	test_refusals();
	test_plan();
	test_verdicts();
	test_rooms();
	test_groups();
	test_times();
	test_two();
	test_few();
	test_odd();
	return done();
}
