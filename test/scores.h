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

/* What an interval costs that is to hold the share 0.9: its width, and 20 times what the truth lies outside
 * of it. In the mean it is least where the interval is right (Gneiting and Raftery 2007, section 6.2). */
__attribute__((unused)) static double interval_score(double lower, double upper, double truth)
{
	return upper - lower + 20 * fmax(0, fmax(lower - truth, truth - upper));
}

#endif
