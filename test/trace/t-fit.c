/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-fit.c - unconstrained placement: gradient, starts, optima, numbers of pieces. */
#include "base/alloc.h"
#include "made.h"
#include "tap.h"

static struct made m;

/* Nodes at random, not too near each other. */
static void random_nodes(struct ft_random *random, double *x, size_t n)
{
	double a = m.t[0], b = m.t[m.n - 1];

	for (size_t j = 0; j < n; j++)
		x[j] = a + (b - a) * ((double)j + 0.6 * (ft_random_uniform(random) - 0.5)) / (double)(n - 1);
	x[0] = a;
	x[n - 1] = b;
}

static void gradient(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i;

	for (i = 0; i < cases; i++) {
		size_t n = 3 + ft_random_below(&random, 8), l;
		double x[16], y[16], g[16], square, scale = 0;
		enum ft_pwl_ends ends = i % 2 ? FT_PWL_FREE : FT_PWL_FIXED;

		made_random(&m, &random, 20 + ft_random_below(&random, 200));
		random_nodes(&random, x, n);
		(void)ft_pwl_place(m.f, x, n, ends, y, g, &square, NULL);
		for (l = 1; l + 1 < n; l++)
			scale = fmax(scale, fabs(g[l]));
		for (l = 1; l + 1 < n; l++) {
			double step = 1e-5 * (x[l + 1] - x[l - 1]), was = x[l], up, down, slope;

			x[l] = was + step;
			(void)ft_pwl_place(m.f, x, n, ends, y, NULL, &up, NULL);
			x[l] = was - step;
			(void)ft_pwl_place(m.f, x, n, ends, y, NULL, &down, NULL);
			x[l] = was;
			slope = (up - down) / (2 * step);
			if (fabs(slope - g[l]) > 1e-5 * scale + 1e-9 * square / step) {
				bad++;
				diag("case %d, node %zu: %.12g, differences %.12g", i, l, g[l], slope);
			}
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "the gradient is that of finite differences in %d random cases, ends fixed and free", cases);
}

/* No other values at the same nodes are better. */
static void best_values(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i;

	for (i = 0; i < cases; i++) {
		size_t n = 3 + ft_random_below(&random, 8), l;
		double x[16], y[16], square;
		struct ft_pwl_error e;

		made_random(&m, &random, 20 + ft_random_below(&random, 200));
		random_nodes(&random, x, n);
		(void)ft_pwl_place(m.f, x, n, FT_PWL_FIXED, y, NULL, &square, NULL);
		ft_pwl_compare(m.f, x, y, n, &e);
		bad += !near(e.rms * e.rms * (x[n - 1] - x[0]), square, 1e-9);
		bad += y[0] != m.y[0] || y[n - 1] != m.y[m.n - 1];
		for (l = 1; l + 1 < n; l++) {
			double was = y[l];

			for (int k = -1; k <= 1; k += 2) {
				struct ft_pwl_error other;

				y[l] = was + 1e-3 * k;
				ft_pwl_compare(m.f, x, y, n, &other);
				bad += !(other.rms > e.rms);
			}
			y[l] = was;
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "F is the error, the ends are the curve's, and no value can be moved for the better");
}

static double fit_rms(size_t pieces, enum ft_pwl_start start, double *start_rms)
{
	struct ft_pwl_options o = {.pieces = pieces, .start = start};
	struct ft_pwl_fit fit;
	double rms;

	if (ft_pwl_fit(&fit, m.f, &o, NULL))
		return NAN;
	rms = fit.error.rms;
	if (start_rms)
		*start_rms = fit.start_rms;
	ft_pwl_fit_clear(&fit);
	return rms;
}

static void starts(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(60), worse = 0, beaten = 0, i;

	for (i = 0; i < cases; i++) {
		size_t pieces = 1 + ft_random_below(&random, 20);
		double begin = NAN;

		made_random(&m, &random, 30 + ft_random_below(&random, 800));
		double best = fit_rms(pieces, FT_PWL_START_BEST, NULL);
		for (enum ft_pwl_start start = FT_PWL_START_EQUAL; start <= FT_PWL_START_MERGE; start++) {
			double rms = fit_rms(pieces, start, &begin);
			if (!(rms <= begin * (1 + 1e-12) + 1e-13)) { /* exact but for rounding */
				worse++;
				diag("case %d, %zu pieces: %s %.17g from %.17g", i, pieces,
				     ft_pwl_start_text(start), rms, begin);
			}
			double within = pieces < 8 ? 1.05 : 1 + 1e-6;
			beaten += !(best <= rms * within + 1e-13);
			if (!(best <= rms * within + 1e-13))
				diag("case %d, %zu pieces: %s %.9g, best %.9g", i, pieces,
				     ft_pwl_start_text(start), rms, best);
		}
		ft_pwl_free(m.f);
	}
	ok(!worse, "no fit is worse than its start");
	ok(!beaten, "the default is not worse than any single start, of few pieces by no more than 5 %%");
}

/* All places of one or two inner nodes on a fine grid. */
static double exhaustive(size_t pieces)
{
	enum { GRID = 140 };
	double a = m.t[0], h = (m.t[m.n - 1] - a) / GRID, best = INFINITY, x[4], y[4], square;

	x[0] = a;
	x[pieces] = m.t[m.n - 1];
	for (int i = 1; i < GRID; i++) {
		x[1] = a + h * i;
		if (pieces == 2) {
			(void)ft_pwl_place(m.f, x, 3, FT_PWL_FIXED, y, NULL, &square, NULL);
			best = fmin(best, square);
			continue;
		}
		for (int j = i + 1; j < GRID; j++) {
			x[2] = a + h * j;
			(void)ft_pwl_place(m.f, x, 4, FT_PWL_FIXED, y, NULL, &square, NULL);
			best = fmin(best, square);
		}
	}
	return sqrt(best / (x[pieces] - a));
}

static void small_cases(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(24), bad = 0, i;

	for (i = 0; i < cases; i++) {
		size_t pieces = 2 + (size_t)i % 2;

		made_random(&m, &random, 5 + ft_random_below(&random, 26));
		double rms = fit_rms(pieces, FT_PWL_START_BEST, NULL);
		double best = exhaustive(pieces);
		if (!(rms <= 1.01 * best)) {
			bad++;
			diag("case %d, %zu pieces: %.9g, exhaustive %.9g", i, pieces, rms, best);
		}
		ft_pwl_free(m.f);
	}
	ok(!bad, "%d small cases: within 1 %% of an exhaustive search", cases);
}

/* A curve of few pieces, sampled finely, is found again; their number too. */
static void known_kinks(void)
{
	const double t[] = {0, 13, 20, 21, 60, 100}, y[] = {1, 4, 3.5, 9, 7, 8};
	struct ft_pwl_options five = {.pieces = 5}, any = {0}, fine = {.rms = 0.2};
	struct ft_random random = {test_seed()};
	struct ft_pwl *coarse;
	struct ft_pwl_fit fit;
	double worst = 0;

	ft_pwl_new(&coarse, t, y, 6, NULL);
	for (size_t i = 0; i <= 2000; i++) {
		m.t[i] = (double)i / 20;
		m.y[i] = ft_pwl_at(coarse, m.t[i]);
	}
	m.n = 2001;
	ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
	(void)ft_pwl_fit(&fit, m.f, &five, NULL);
	for (size_t i = 0; i < 6; i++)
		worst = fmax(worst, fabs(fit.nodes.t[i] - t[i]) + fabs(fit.nodes.y[i] - y[i]));
	ok(fit.nodes.n == 6 && worst < 1e-3, "five pieces are found where they are (%.2g)", worst);
	ft_pwl_fit_clear(&fit);
	(void)ft_pwl_fit(&fit, m.f, &any, NULL);
	ok(fit.nodes.n == 6, "their number is found: %zu", fit.nodes.n - 1);
	ft_pwl_fit_clear(&fit);
	ft_pwl_free(m.f);
	for (size_t i = 0; i < m.n; i++)
		m.y[i] += 0.15 * ft_random_normal(&random);
	ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
	(void)ft_pwl_fit(&fit, m.f, &any, NULL);
	ok(fit.nodes.n >= 6 && fit.nodes.n <= 8, "with noise, and its ends fixed, too: %zu", fit.nodes.n - 1);
	ft_pwl_fit_clear(&fit);
	any.ends = FT_PWL_FREE;
	(void)ft_pwl_fit(&fit, m.f, &any, NULL);
	ok(fit.nodes.n == 6, "and with free ends: %zu", fit.nodes.n - 1);
	ft_pwl_fit_clear(&fit);
	(void)ft_pwl_fit(&fit, m.f, &fine, NULL);
	ok(fit.reached && fit.error.rms <= 0.2, "an error of 0.2 takes %zu pieces", fit.nodes.n - 1);
	five.pieces = fit.nodes.n - 2;
	ft_pwl_fit_clear(&fit);
	(void)ft_pwl_fit(&fit, m.f, &five, NULL);
	ok(fit.error.rms > 0.2, "... and one less is not enough");
	ft_pwl_fit_clear(&fit);
	fine.rms = 1e-6;
	fine.most = 30;
	(void)ft_pwl_fit(&fit, m.f, &fine, NULL);
	ok(!fit.reached && fit.nodes.n == 31, "an error out of reach is told");
	ft_pwl_fit_clear(&fit);
	ft_pwl_free(m.f);
	ft_pwl_free(coarse);
}

/* Pieces through (t, y) with noise of size 2 that keeps `memory` of itself from row to row; how many are
 * found. */
static size_t found_in_noise(struct ft_random *random, const double *t, const double *y, size_t nodes,
			     size_t rows, double memory)
{
	struct ft_pwl_options any = {.ends = FT_PWL_FREE};
	struct ft_pwl *truth;
	struct ft_pwl_fit fit;
	double noise = ft_random_normal(random);
	size_t i;

	ft_pwl_new(&truth, t, y, nodes, NULL);
	m.n = rows;
	for (i = 0; i < rows; i++) {
		m.t[i] = 100 * (double)i / (double)(rows - 1);
		m.y[i] = ft_pwl_at(truth, m.t[i]) + 2 * noise;
		noise = memory * noise + sqrt(1 - memory * memory) * ft_random_normal(random);
	}
	ft_pwl_free(truth);
	ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
	(void)ft_pwl_fit(&fit, m.f, &any, NULL);
	i = fit.nodes.n - 1;
	ft_pwl_fit_clear(&fit);
	ft_pwl_free(m.f);
	return i;
}

/* Noise that remembers itself, few rows: no pieces are made of it, and those that there are are found. */
static void memory(void)
{
	static const double t[] = {0, 20, 35, 60, 80, 100}, y[] = {10, 60, 40, 55, 20, 30};
	static const struct {
		size_t rows;
		double memory, none, five; /* shares that are right, at least */
	} table[] = {{100, 0, 0.85, 0.7},   {300, 0, 0.9, 0.9},    {100, 0.8, 0.7, 0.4},
		     {300, 0.8, 0.8, 0.7},  {300, 0.9, 0.75, 0.5}, {1000, 0.9, 0.85, 0.8},
		     {1000, 0.95, 0.7, 0.7}};
	struct ft_random random = {test_seed()};
	int cases = test_cases(40), i;

	for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
		double none = 0, five = 0;

		for (i = 0; i < cases; i++) {
			none += found_in_noise(&random, (double[]){0, 100}, (double[]){5, 9}, 2,
					       table[k].rows, table[k].memory) == 1;
			five += found_in_noise(&random, t, y, 6, table[k].rows, table[k].memory) == 5;
		}
		ok(none >= table[k].none * cases && five >= table[k].five * cases,
		   "%zu rows, memory %.2g: a line is one piece in %.0f %%, five pieces are five in %.0f %%",
		   table[k].rows, table[k].memory, 100 * none / cases, 100 * five / cases);
	}
}

static void jump_in_walk(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(30), good = 0, i;
	struct ft_pwl_fit fit;

	for (i = 0; i < cases; i++) {
		for (m.n = 0; m.n < 800; m.n++) {
			m.t[m.n] = (double)m.n;
			m.y[m.n] = (m.n ? m.y[m.n - 1] : 0) +
				   (m.n == 321 ? 10 : 0.07 * ft_random_normal(&random));
		}
		(void)ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
		(void)ft_pwl_fit(&fit, m.f, &(struct ft_pwl_options){.ends = FT_PWL_FREE}, NULL);
		good += fit.nodes.n >= 4 && fit.nodes.n <= 7;
		ft_pwl_fit_clear(&fit);
		ft_pwl_free(m.f);
	}
	ok(10 * good >= 8 * cases, "a jump in a walk is 3 to 6 pieces (%d of %d)", good, cases);
}

/* Jumps between plateaus are no noise, however alike neighbours are without them. */
static void plateaus(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(20), bad = 0, i;

	for (i = 0; i < cases; i++) {
		struct ft_pwl_options any = {.rms = 0};
		struct ft_pwl_fit fit;
		double level = 0;

		m.n = 900;
		for (size_t j = 0; j < m.n; j++) {
			if (j % 150 == 0)
				level = (double)(j / 150 % 2 ? 10 : -10) + 5 * ft_random_uniform(&random);
			m.t[j] = (double)j;
			m.y[j] = level + 0.5 * ft_random_normal(&random);
		}
		ft_pwl_new(&m.f, m.t, m.y, m.n, NULL);
		(void)ft_pwl_fit(&fit, m.f, &any, NULL);
		bad += fit.nodes.n - 1 < 11 || fit.error.rms > 0.6;
		ft_pwl_fit_clear(&fit);
		ft_pwl_free(m.f);
	}
	ok(bad * 10 <= cases, "six plateaus with noise keep their five jumps (%d of %d)", cases - bad, cases);
}

/* Many pieces: the number for an error is found by bisection. */
static void many_pieces(void)
{
	struct ft_random random = {test_seed()};
	struct ft_pwl_options o = {.rms = 0};
	struct ft_pwl_fit fit, less;

	made_random(&m, &random, 3000);
	o.rms = fit_rms(100, FT_PWL_START_EQUAL, NULL);
	(void)ft_pwl_fit(&fit, m.f, &o, NULL);
	ok(fit.reached && fit.nodes.n > 42 && fit.nodes.n <= 101,
	   "what 100 pieces leave from equal distances takes %zu", fit.nodes.n - 1);
	o = (struct ft_pwl_options){.pieces = (fit.nodes.n - 1) * 9 / 10};
	(void)ft_pwl_fit(&less, m.f, &o, NULL);
	ok(less.error.rms > fit.error.rms, "... and a tenth less leaves more: %.4g, %.4g", less.error.rms,
	   fit.error.rms);
	ft_pwl_fit_clear(&fit);
	ft_pwl_fit_clear(&less);
	ft_pwl_free(m.f);
}

/* How far apart two fits are: of a curve, and of 8 times it beside a zero, in another unit of time. */
static double moved_by(const struct ft_pwl_options *o, double zero)
{
	static struct made other;
	struct ft_pwl_fit a, b;
	double area;

	other.n = m.n;
	for (size_t j = 0; j < m.n; j++) {
		other.t[j] = 1024 * m.t[j];
		other.y[j] = 8 * m.y[j] + zero;
	}
	ft_pwl_new(&other.f, other.t, other.y, other.n, NULL);
	(void)ft_pwl_fit(&a, m.f, o, NULL);
	(void)ft_pwl_fit(&b, other.f, o, NULL);
	area = 1024 * (8 * a.error.area + zero * (m.t[m.n - 1] - m.t[0]));
	double away = fmax(fabs(b.error.rms - 8 * a.error.rms) / fmax(b.error.rms, 1e-9),
			   fabs(b.error.area - area) / fmax(fabs(area), 1));
	if (a.nodes.n != b.nodes.n)
		away = INFINITY;
	ft_pwl_fit_clear(&a);
	ft_pwl_fit_clear(&b);
	ft_pwl_free(other.f);
	return away;
}

/* Units that are powers of two change no digit. A zero rounds the values, and may turn the descent to a
 * neighbouring optimum: seldom, and not far. */
static void scaling(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(20), bad = 0, turned = 0, far = 0, i;

	for (i = 0; i < cases; i++) {
		struct ft_pwl_options o = {.pieces = 1 + ft_random_below(&random, 12)};

		made_random(&m, &random, 50 + ft_random_below(&random, 400));
		bad += !(moved_by(&o, 0) < 1e-12);
		double away = moved_by(&o, 16);
		turned += !(away < 1e-5);
		far += !(away < 0.05);
		ft_pwl_free(m.f);
	}
	ok(!bad, "the units of time and of the values do not matter");
	ok(!far && turned <= 1 + cases / 20, "nor does their zero: %d of %d turned elsewhere", turned, cases);
}

static bool refused(const struct ft_pwl_options *o, const char *words)
{
	struct ft_err err = {0};
	struct ft_pwl_fit fit;
	enum ft_status status = ft_pwl_fit(&fit, m.f, o, &err);
	bool good = status == FT_EINVAL && strstr(err.text, words) && !fit.nodes.t;

	if (!good)
		diag("%s: %s", ft_status_text(status), err.text);
	ft_pwl_fit_clear(&fit);
	return good;
}

static void edges(void)
{
	const double t[] = {0, 1, 2, 5}, y[] = {3, 3, 3, 3}, z[] = {0, 4, 1, 2}, outside[] = {-1, 2},
		     back[] = {2, 1};
	double values[2] = {0, 0};
	struct ft_nodes nodes = {(double[]){outside[0], outside[1]}, values, 2};
	struct ft_pwl_options o = {0}, many = {.pieces = 50},
			      given = {.start = FT_PWL_START_NODES, .nodes = &nodes};
	struct ft_pwl_fit fit;

	made_points(&m, t, y, 4);
	ok(!ft_pwl_fit(&fit, m.f, &o, NULL) && fit.nodes.n == 2 && fit.error.rms == 0,
	   "a constant is one piece");
	ft_pwl_fit_clear(&fit);
	ft_pwl_free(m.f);
	made_points(&m, t, z, 2);
	ok(!ft_pwl_fit(&fit, m.f, &many, NULL) && fit.nodes.n == 2 && fit.error.rms == 0,
	   "two points are one piece");
	ft_pwl_fit_clear(&fit);
	ft_pwl_free(m.f);
	made_points(&m, t, z, 4);
	ok(!ft_pwl_fit(&fit, m.f, &many, NULL) && fit.nodes.n == 4 && fit.error.max < 1e-9,
	   "more pieces than there are: the curve itself");
	ft_pwl_fit_clear(&fit);
	ok(refused(&given, "outside"), "a node outside the curve");
	nodes.t[0] = back[0];
	nodes.t[1] = back[1];
	ok(refused(&given, "not later"), "nodes that go back");
	nodes.t[0] = 1;
	nodes.t[1] = 2;
	ok(!ft_pwl_fit(&fit, m.f, &given, NULL) && fit.nodes.n == 4 && fit.error.rms < 1e-9,
	   "nodes at the points are not moved away from them");
	ft_pwl_fit_clear(&fit);
	o = (struct ft_pwl_options){.rms = INFINITY};
	ok(refused(&o, "not a positive"), "an error that is no number");
	o = (struct ft_pwl_options){.pieces = 201, .start = FT_PWL_START_DP};
	ok(refused(&o, "200 pieces"), "too many pieces for dynamic programming");
	ft_pwl_free(m.f);
}

static void faults(void)
{
	struct ft_random random = {test_seed()};
	struct ft_pwl_options o = {.pieces = 3};
	bool good = true, failed = true;
	unsigned long k;

	made_random(&m, &random, 60);
	for (k = 1; failed && k < 200; k++) {
		struct ft_pwl_fit fit;

		(void)ft_alloc_fail_at(k);
		enum ft_status status = ft_pwl_fit(&fit, m.f, &o, NULL);
		failed = status != FT_OK;
		good = good && (status == FT_OK || (status == FT_ENOMEM && !fit.nodes.t && !fit.nodes.n));
		ft_pwl_fit_clear(&fit);
	}
	(void)ft_alloc_fail_at(0);
	ok(good && k > 10 && k < 200, "%lu allocations: each may fail", k - 2);
	ft_pwl_free(m.f);
}

int main(void)
{
	gradient();
	best_values();
	starts();
	small_cases();
	known_kinks();
	memory();
	jump_in_walk();
	plateaus();
	many_pieces();
	scaling();
	edges();
	faults();
	return done();
}
