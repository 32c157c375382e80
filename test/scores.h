/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scores.h - how good answers are, over random cases that are the same each time: what they were.
 *
 * A score is a mean of something of which less is better. Beside it stands what it was when it was last
 * looked at. Where it is another one now, answers have changed: for the worse, that is a mistake or has its
 * price told; for the better, it was meant. Then what is printed takes the place of what it was. */
#ifndef FT_TEST_SCORES_H
#define FT_TEST_SCORES_H

#include "tap.h"

#include <math.h>

/* Compilers and processors round the last digits otherwise. */
__attribute__((unused)) static void test_score(const char *of, const char *what, double score, double was)
{
	ok(fabs(score - was) <= 0.002 * was + 1e-9, "%s, %s: %.5g, it was %.5g", of, what, score, was);
}

/* How far it is from one kind of cases to the next that is looked at: sanitizers see lines and no values, and
 * one who edits sees soon enough that something has changed. */
__attribute__((unused)) static size_t test_score_step(void)
{
	return test_sanitized() ? 3 : test_quick() ? 5 : 1;
}

/* All that answers say, number by number, as one sum: each counts otherwise, so that no two can change
 * places. */
struct test_told {
	double sum;
	size_t n;
};

/* One more, in units of what is large there: of what is far less only noise would be seen. */
__attribute__((unused)) static void test_tell(struct test_told *told, double value, double unit)
{
	double weight = 1 + fmod(0.6180339887498949 * (double)++told->n, 1), t = fabs(value / unit);

	told->sum += weight * (isnan(t) ? 0.5 : isinf(t) ? copysign(1000, value) : copysign(log1p(t), value));
}

__attribute__((unused)) static void test_tell_all(struct test_told *told, const double *value, size_t n,
						  double unit)
{
	for (size_t i = 0; i < n; i++)
		test_tell(told, value[i], unit);
}

/* A text, by its letters. */
__attribute__((unused)) static void test_tell_text(struct test_told *told, const char *text)
{
	for (; *text; text++)
		test_tell(told, *text, 100);
}

/* A score sees what answers are worth; this, that any of them has changed by a millionth. Another compiler
 * and another processor's exp() and log() move the sum by 1e-7 or less. */
__attribute__((unused)) static void test_told(const char *of, const struct test_told *told, double was)
{
	ok(fabs(told->sum - was) <= 1e-5, "%s, all of %zu numbers told: %.6f, it was %.6f", of, told->n,
	   told->sum, was);
}

/* What an interval costs that is to hold the share 0.9: its width, and 20 times what the truth lies outside
 * of it. In the mean it is least where the interval is right (Gneiting and Raftery 2007, section 6.2). */
__attribute__((unused)) static double interval_score(double lower, double upper, double truth)
{
	return upper - lower + 20 * fmax(0, fmax(lower - truth, truth - upper));
}

#endif
