/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlook.h - two ways of continuing a model beyond its data, the laws of its knots and their trend, weighed
 * by how right each would have been about the outermost knots. doc/models.md has the formulas. */
#ifndef FT_MODEL_OUTLOOK_H
#define FT_MODEL_OUTLOOK_H

#include <stddef.h>

/* What is continued, with the relative error (one standard deviation) that it claims. */
struct ft__guess {
	double ln, sd;
};

enum { FT__TEST_MOST = 64 };

/* What was said of outer knots from inner ones: errors of ln value, and how far it was. */
struct ft__test {
	double laws[FT__TEST_MOST], trend[FT__TEST_MOST], distance[FT__TEST_MOST], noise[FT__TEST_MOST];
	size_t n;
};

/* ft__outlook_share - the weight of the laws beside that of the trend: how right each was in the test, and
 * whether the laws meet the knots they were found in as well as noise allows. */
double ft__outlook_share(const struct ft__test *test, double misfit, double noise);

/* ft__outlook_prior - how fast the error is assumed to grow with ln of the distance. */
double ft__outlook_prior(double share);

/* ft__outlook_rate - what was assumed, and what the test showed.
 * most_tests  so many at most the test counts for: outer sizes err together */
double ft__outlook_rate(const struct ft__test *test, double share, double most_tests);

/* ft__outlook_combine - both ways of continuing, the laws with their share. */
struct ft__guess ft__outlook_combine(double share, const struct ft__guess *laws,
				     const struct ft__guess *trend);

#endif
