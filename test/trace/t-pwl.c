/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-pwl.c - curves: values, means, slopes, residuals, distances from models; no digit lost far away. */
#include "base/alloc.h"
#include "made.h"
#include "tap.h"
#include "trace/trace.h"

static void by_hand(void)
{
	const double t[] = {0, 1, 3}, y[] = {0, 2, 2};
	const double x[] = {0, 3}, l[] = {0, 2};
	struct made m;
	struct ft_pwl_error e;
	double range[2], at[2];

	made_points(&m, t, y, 3);
	ok(ft_pwl_begin(m.f) == 0 && ft_pwl_end(m.f) == 3, "three points from 0 to 3");
	ok(ft_pwl_at(m.f, 0.5) == 1 && ft_pwl_at(m.f, 2) == 2 && ft_pwl_at(m.f, -1) == 0 &&
		   ft_pwl_at(m.f, 9) == 2,
	   "values on the pieces, constant outside");
	ok(near(ft_pwl_integral(m.f, 0, 3), 5, 1e-15) && near(ft_pwl_integral(m.f, 0.5, 2), 2.75, 1e-15),
	   "integrals: 1 + 4; 0.75 + 2");
	struct ft_pwl_line line = ft_pwl_line(m.f, 0, 1);
	ok(near(line.mean, 1, 1e-15) && near(line.slope, 2, 1e-15) && line.residual == 0,
	   "a straight piece is its line");
	/* Over 0..2: mean 1.5; moment about 1: int_0^1 (x-1) 2x + int_1^2 (x-1) 2 = -1/3 + 1 = 2/3; slope
	 * 12/8 * 2/3 = 1. residual: int f^2 = 4/3 + 4 = 16/3; less 2 * 2.25, less slope^2 * 8/12 = 2/3: 16/3
	 * - 4.5 - 2/3 = 1/6 */
	line = ft_pwl_line(m.f, 0, 2);
	ok(near(line.mean, 1.5, 1e-14) && near(line.slope, 1, 1e-14) && near(line.residual, 1. / 6, 1e-13),
	   "the best line over a kink");
	/* f - 2x/3: 0, 4/3, 0: rms^2 = (16/9) / 3 */
	ft_pwl_compare(m.f, x, l, 2, &e);
	ok(near(e.rms, 4. / 3 / sqrt(3), 1e-14) && near(e.max, 4. / 3, 1e-14) && e.max_at == 1,
	   "root mean square and largest distance from a line");
	ok(near(e.area, 3, 1e-15) && near(e.area_data, 5, 1e-15) && e.least == 0 && e.most == 2,
	   "both areas, its range");
	ft_pwl_range(m.f, range, at);
	ok(range[0] == 0 && range[1] == 2 && at[0] == 0 && at[1] == 1, "the range of the values, and when");
	ft_pwl_free(m.f);
}

/* Sums over pieces, in long double. */
static long double slow_integral(const struct made *m, double a, double b, int power)
{
	long double sum = 0, c = ((long double)a + b) / 2;

	for (size_t i = 0; i + 1 < m->n; i++) {
		long double p = fmax(m->t[i], a), q = fmin(m->t[i + 1], b), fp, fq, slope, mid;

		if (!(q > p))
			continue;
		slope = ((long double)m->y[i + 1] - m->y[i]) / ((long double)m->t[i + 1] - m->t[i]);
		fp = m->y[i] + slope * (p - m->t[i]);
		fq = m->y[i] + slope * (q - m->t[i]);
		mid = (fp + fq) / 2; /* Simpson's rule is exact to the third power */
		if (power == 0)
			sum += (q - p) * mid;
		else if (power == 1)
			sum += (q - p) / 6 * ((p - c) * fp + 4 * ((p + q) / 2 - c) * mid + (q - c) * fq);
		else
			sum += (q - p) / 6 * (fp * fp + 4 * mid * mid + fq * fq);
	}
	return sum;
}

static void against_sums(void)
{
	struct ft_random random = {test_seed()};
	static struct made m;
	int cases = test_cases(300), bad = 0, i;

	for (i = 0; i < cases; i++) {
		double h;

		made_random(&m, &random, 2 + ft_random_below(&random, 600));
		double a = m.t[0] + ft_random_uniform(&random) * (m.t[m.n - 1] - m.t[0]);
		double b = m.t[0] + ft_random_uniform(&random) * (m.t[m.n - 1] - m.t[0]);
		if (ft_random_below(&random, 4) == 0)
			a = m.t[ft_random_below(&random, m.n)];
		if (a > b) {
			h = a;
			a = b;
			b = h;
		}
		h = b - a;
		struct ft_pwl_line line = ft_pwl_line(m.f, a, b);
		double mean = (double)(slow_integral(&m, a, b, 0) / h);
		double slope = (double)(12 * slow_integral(&m, a, b, 1) / ((long double)h * h * h));
		double residual = (double)(slow_integral(&m, a, b, 2) - (long double)h * mean * mean -
					   (long double)slope * slope * h * h * h / 12);
		if (fabs(line.mean - mean) > 1e-12 || fabs(line.slope - slope) * h > 1e-11 ||
		    fabs(line.residual - residual) > 1e-11 * (1 + h)) {
			bad++;
			diag("case %d: %.17g %.17g %.17g instead of %.17g %.17g %.17g", i, line.mean,
			     line.slope, line.residual, mean, slope, residual);
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "mean, slope and residual over %d random intervals are those of sums over the pieces",
	   cases);
}

/* The same curve elsewhere: times and values shifted by what doubles hold exactly. */
static void far_away(void)
{
	enum { N = 200000 };
	struct ft_random random = {test_seed()};
	double *t = malloc(2 * N * sizeof *t), *y = malloc(2 * N * sizeof *y), worst = 0;
	struct ft_pwl *near_f, *far_f;

	for (int i = 0; i < N; i++) {
		t[i] = (i ? t[i - 1] : 0) + (double)(1 + ft_random_below(&random, 64)) / 64;
		y[i] = (double)ft_random_below(&random, 1 << 16) / (1 << 16);
		t[N + i] = t[i] + 2147483648.0;
		y[N + i] = y[i] + 1048576.0;
	}
	ft_pwl_new(&near_f, t, y, N, NULL);
	ft_pwl_new(&far_f, t + N, y + N, N, NULL);
	for (int i = 0; i < 2000; i++) {
		size_t a = ft_random_below(&random, N - 1), b = a + 1 + ft_random_below(&random, N - 1 - a);
		struct ft_pwl_line p = ft_pwl_line(near_f, t[a], t[b]),
				   q = ft_pwl_line(far_f, t[N + a], t[N + b]);

		worst = fmax(worst, fabs(p.slope - q.slope) * (t[b] - t[a]));
		worst = fmax(worst, fabs(p.residual - q.residual) / fmax(p.residual, 1e-300));
		worst = fmax(worst,
			     fabs(p.mean - (q.mean - 1048576.0)) * 1e-3); /* a double at 10^6 has 1e-10 */
	}
	ok(worst < 1e-12, "at t + 2^31, y + 2^20 no digit is lost (%.2g)", worst);
	ft_pwl_free(near_f);
	ft_pwl_free(far_f);
	free(t);
	free(y);
}

static bool refused(const double *t, const double *y, size_t n, const char *words)
{
	struct ft_pwl *f = (struct ft_pwl *)1;
	struct ft_err err = {0};
	enum ft_status status = ft_pwl_new(&f, t, y, n, &err);

	if (status == FT_EINVAL && !f && strstr(err.text, words))
		return true;
	diag("%s: %s", ft_status_text(status), err.text);
	return false;
}

static void bad_input(void)
{
	const double t[] = {0, 1, 2}, y[] = {0, 1, 0};
	double none[] = {0, NAN, 1};
	const double same[] = {0, 1, 1}, back[] = {0, 2, 1}, wild[] = {0, INFINITY, 1},
		     large[] = {0, 1e200, 0}, far[] = {0, 1, 1e270}, close[] = {0, 1e-70, 1};

	ok(refused(t, y, 0, "none"), "no point");
	ok(refused(t, y, 1, "is one"), "one point");
	ok(refused(same, y, 3, "point 2 is not later"), "equal times");
	ok(refused(back, y, 3, "point 2 is not later"), "times that go back");
	ok(refused(t, wild, 3, "point 1 is not finite"), "an infinity");
	ok(refused(t, none, 3, "point 1 is not finite"), "no number");
	ok(refused(t, large, 3, "too large"), "a value whose square is none");
	ok(refused(far, y, 3, "too far"), "a time whose cube is none");
	none[0] = none[1];
	none[1] = 0;
	ok(refused(t, none, 3, "point 0 is not finite"), "no number at the beginning");
	ok(refused(close, y, 3, "point 1 is too close"), "times whose distance, cubed, is none");
}

static void faults(void)
{
	const double t[] = {0, 1, 2}, y[] = {0, 1, 0};
	bool good = true;

	for (unsigned long k = 1; k <= 2; k++) {
		struct ft_pwl *f;

		(void)ft_alloc_fail_at(k);
		good = ft_pwl_new(&f, t, y, 3, NULL) == FT_ENOMEM && !f && good;
	}
	(void)ft_alloc_fail_at(0);
	ok(good, "without memory there is no curve");
}

/* A search sees the curve itself as long as it has few points; of more, about it. */
static void sketch(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(100), bad = 0, i;
	static struct made m;

	for (i = 0; i < cases; i++) {
		struct ft__sketch s;
		FT_ARENA(arena);

		made_random(&m, &random, 2 + ft_random_below(&random, 500));
		if (i % 3 == 0) { /* one value far beyond all others must not blur them */
			ft_pwl_free(m.f);
			m.y[m.n / 2] = 1e9;
			ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
		}
		bad += ft__sketch_init(&s, &arena, m.f, NULL) != FT_OK;
		for (int k = 0; k < 20; k++) {
			double u = ft_random_uniform(&random), v = ft_random_uniform(&random),
			       a = fmin(u, v) * m.f->length, b = fmax(u, v) * m.f->length, size;
			struct ft__span exact = ft__pwl_span(m.f, a, b), quick = ft__sketch_span(&s, a, b);

			size = 1e-3 + fabs(exact.mean) + fabs(exact.slope) * exact.h;
			if (!(fabs(exact.mean - quick.mean) < 1e-9 * size &&
			      fabs(exact.slope - quick.slope) * exact.h < 1e-7 * size &&
			      fabs(exact.r - quick.r) < 1e-8 * (size * size * exact.h + exact.r))) {
				bad++;
				diag("case %d, %.9g .. %.9g: %.9g %.9g %.9g, %.9g %.9g %.9g", i, a, b,
				     exact.mean, exact.slope, exact.r, quick.mean, quick.slope, quick.r);
			}
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "the sketch of a curve has its integrals");
}

/* Where a time is among others that crowd at the begin, at the end or anywhere: beside a walk. */
static void finds(void)
{
	static struct made m;
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i, k;

	for (i = 0; i < cases; i++) {
		double crowded = i % 3 == 0 ? 4 : i % 3 == 1 ? 0.25 : 1;
		size_t n = 2 + ft_random_below(&random, 300), j;

		for (j = 0; j < n; j++) {
			m.t[j] = 1e3 *
				 pow(((double)j + 0.5 * ft_random_uniform(&random)) / (double)n, crowded);
			m.y[j] = ft_random_normal(&random);
		}
		m.t[0] = 0;
		m.n = n;
		ft_pwl_new(&m.f, m.t, m.y, n, NULL);
		for (k = 0; k < 40; k++) {
			double x = k % 4 ? m.t[n - 1] * pow(ft_random_uniform(&random), k % 4)
					 : m.t[ft_random_below(&random, n)];
			size_t slow = 0;

			x = k == 1 ? -1 : k == 2 ? 2e3 : x;
			while (slow + 2 < n && m.t[slow + 1] <= x)
				slow++;
			bad += ft__pwl_find(m.f, x) != slow;
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "%d curves: each time is found where a walk finds it (%d are not)", cases, bad);
}

int main(void)
{
	by_hand();
	against_sums();
	far_away();
	bad_input();
	faults();
	sketch();
	finds();
	return done();
}
