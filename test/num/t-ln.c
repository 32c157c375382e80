/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-ln.c - logarithms of many numbers at once, against the library's. */
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

#include <float.h>

enum { MANY = 2000 };

/* Where a number becomes another power of two and a part of 1 to 2, and the ends of all. */
static void by_hand(void)
{
	const double x[] = {1,
			    2,
			    0.5,
			    1024,
			    sqrt(0.5),
			    nextafter(sqrt(0.5), 1),
			    sqrt(2),
			    DBL_MIN,
			    DBL_MAX,
			    nextafter(1, 2),
			    nextafter(1, 0),
			    exp(1)};
	enum { N = sizeof x / sizeof *x };
	double out[N];
	size_t bad = 0;

	ft_ln_many(x, N, out);
	for (size_t i = 0; i < N; i++)
		bad += !near(out[i], log(x[i]), 2e-13);
	ok(!bad && out[0] == 0, "powers of two, their ends, and all but 1");
	memcpy(out, x, sizeof out);
	ft_ln_many(out, N, out);
	ok(near(out[3], 10 * log(2), 1e-15), "in place");
	out[0] = 7;
	ft_ln_many(x, 0, out);
	ok(out[0] == 7, "of none nothing is written");
}

static void random_cases(void)
{
	struct ft_random random = {test_seed()};
	double x[MANY], out[MANY], far = 0, close = 0;

	for (size_t i = 0; i < MANY; i++)
		x[i] = exp((i % 2 ? 700 : 0.4) * (2 * ft_random_uniform(&random) - 1));
	ft_ln_many(x, MANY, out);
	for (size_t i = 0; i < MANY; i++) {
		double off = fabs(out[i] / log(x[i]) - 1);

		if (i % 2)
			far = fmax(far, off);
		else
			close = fmax(close, off);
	}
	/* f is 0.1716 at most: what the series leaves out is 3e-14 of its sum. */
	ok(far < 1e-13 && close < 5e-14, "%d numbers: %.1g off, near 1 %.1g", MANY, far, close);
}

int main(void)
{
	by_hand();
	random_cases();
	return done();
}
