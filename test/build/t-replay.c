/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-replay.c - how many sizes the builders use on curves of 255 sizes, and how far the polygon through them
 * is off. */
#include "drive.h"

enum { SIZES = 255 };

/* Speeds at 16, 32 .. 4080. */
struct curve {
	const char *name;
	double (*speed)(double k);
};

static double smooth(double k)
{
	return k / (k + 150);
}

/* Falls to 0.35 within 60 strides from 2000 on, to 0.06 at 3200, and from there towards 0.01. */
static double cliff(double k)
{
	if (k < 2000)
		return smooth(k);
	if (k < 2960)
		return smooth(k) * (1 - 0.65 * (k - 2000) / 960);
	return k < 3200 ? 0.35 * smooth(k) : 0.01 + 0.05 * exp(-(k - 3200) / 250);
}

/* Every fourth size is 25 % slower. */
static double dips(double k)
{
	return smooth(k) * (fmod(k / 16, 4) == 0 ? 0.75 : 1);
}

static size_t times(void *ctx, double x, double *seconds)
{
	const struct curve *curve = ctx;

	seconds[0] = 1 / curve->speed(x);
	return 1;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Mean and largest error in time of the polygon through the speeds at the sizes asked. */
static void errors(const struct curve *curve, struct asked *asked, double *mean, double *largest)
{
	size_t j = 0;

	*mean = *largest = 0;
	qsort(asked->size, asked->n, sizeof *asked->size, ascending);
	for (size_t i = 1; i <= SIZES && asked->n >= 2; i++) {
		double x = 16.0 * (double)i, share, polygon, error;

		while (j + 2 < asked->n && asked->size[j + 1] < x)
			j++;
		share = (x - asked->size[j]) / (asked->size[j + 1] - asked->size[j]);
		polygon =
			(1 - share) * curve->speed(asked->size[j]) + share * curve->speed(asked->size[j + 1]);
		error = fabs(curve->speed(x) / polygon - 1);
		*mean += error / SIZES;
		*largest = fmax(*largest, error);
	}
}

int main(void)
{
	static const struct curve curves[] = {{"smooth", smooth}, {"cliff", cliff}, {"dips", dips}};
	static const char *const methods[] = {"gbbp", "gbbp strict", "gbbp zero", "naive"};
	static struct asked asked;

	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 4; j++) {
			struct ft_build_options options = {
				.space = {{.least = 16, .most = 16 * SIZES, .stride = 16}},
				.n_params = 1,
				.tolerance = 0.05,
				.confidence = 0.9,
				.climb_strict = j == 1,
				.end_zero = j == 2};
			struct curve curve = curves[i];
			double mean, largest;

			drive(j < 3 ? "gbbp" : "naive", &options, times, &curve, &asked);
			ok(!asked.failed && asked.n >= 3 && asked.n <= SIZES, "%s, %s: %zu sizes (%s)",
			   curve.name, methods[j], asked.n, ft_stop_text(asked.stop));
			if (asked.n < 40)
				diag("%s", transcript(&asked));
			errors(&curve, &asked, &mean, &largest);
			if (j != 2)
				diag("error of the polygon: mean %.1f %%, largest %.1f %%", 100 * mean,
				     100 * largest);
			if (i == 0 && j == 0)
				ok(largest < 0.5 && mean < 0.1,
				   "smooth, gbbp: the polygon is near the curve");
		}
	return done();
}
