/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-nmf.c - non-negative factors: nothing negative, no loss that grows, one factor against the conditions of
 * Karush, Kuhn and Tucker, guesses of what is not known. */
#include "factored.h"
#include "num/num.h"
#include "tap.h"

#include <string.h>

enum { M = FACTORED_M, N = FACTORED_N, R = FACTORED_R, MOST = FACTORED_MOST };

/* The loss by its definition. */
static double slow_loss(const struct factored *f)
{
	double smooth[R * N], loss = 0;

	memcpy(smooth, f->h, sizeof smooth);
	if (f->how.loss == FT_NMF_NONSMOOTH)
		ft_nmf_smooth(smooth, R, N, f->how.smoothness);
	for (size_t i = 0; i < M; i++)
		for (size_t j = 0; j < N; j++) {
			double x = f->x[i * N + j], p = 0;

			for (size_t l = 0; l < R; l++)
				p += f->w[l * M + i] * smooth[l * N + j];
			if (f->how.loss == FT_NMF_FROBENIUS)
				loss += (x - p) * (x - p);
			else
				loss += x > 0 ? x * log(x / p) - x + p : p;
		}
	for (size_t l = 0; l < R * N; l++)
		loss += f->h[l] * (2 * f->how.l1 + f->how.l2 * f->h[l]);
	for (size_t l = 0; l < R * M; l++)
		loss += fmax(f->how.l1, f->how.l2) * f->w[l] * f->w[l];
	return loss;
}

static void never_worse(struct ft_random *random)
{
	static const struct {
		const char *name;
		enum ft_nmf_loss loss;
		bool multiplicative;
		double l1, l2;
	} method[] = {{"hals", FT_NMF_FROBENIUS, false, 0, 0},
		      {"multiplicative", FT_NMF_FROBENIUS, true, 0, 0},
		      {"hals, sparse", FT_NMF_FROBENIUS, false, 0.3, 0},
		      {"hals, sparse and smooth", FT_NMF_FROBENIUS, false, 0.1, 0.5},
		      {"multiplicative, sparse", FT_NMF_FROBENIUS, true, 0.3, 0},
		      {"kl, newton", FT_NMF_KL, false, 0, 0},
		      {"kl, multiplicative", FT_NMF_KL, true, 0, 0},
		      {"nonsmooth, newton", FT_NMF_NONSMOOTH, false, 0, 0},
		      {"nonsmooth, multiplicative", FT_NMF_NONSMOOTH, true, 0, 0}};
	static const char *const starts[] = {"given", "random", "nndsvd", "ica"};

	for (size_t k = 0; k < sizeof method / sizeof *method; k++)
		for (size_t s = FT_NMF_RANDOM; s <= FT_NMF_ICA; s++) {
			int c, bad = 0, cases = test_cases(8);

			for (c = 0; c < cases; c++) {
				struct factored f;

				factored_make(&f, random, 0.2);
				f.how = (struct ft_nmf){.loss = method[k].loss,
							.multiplicative = method[k].multiplicative,
							.smoothness = 0.5,
							.l1 = method[k].l1,
							.l2 = method[k].l2,
							.tolerance = 0,
							.most = MOST,
							.trace = f.trace};
				bad += ft_nmf_begin((enum ft_nmf_start)s, f.x, M, N, R,
						    method[k].multiplicative, (uint64_t)c, f.w, f.h,
						    NULL) != FT_OK;
				bad += ft_nmf_run(&f.how, f.x, M, N, R, f.w, f.h, NULL) != FT_OK;
				for (size_t i = 1; i <= f.how.iterations; i++)
					bad += !(f.trace[i] <= f.trace[i - 1] * (1 + 1e-12) + 1e-10);
				for (size_t i = 0; i < R * M; i++)
					bad += !(f.w[i] >= 0);
				for (size_t i = 0; i < R * N; i++)
					bad += !(f.h[i] >= 0);
				bad += !near(f.how.value, slow_loss(&f), 1e-6);
				bad += !(f.trace[f.how.iterations] < f.trace[0]);
			}
			ok(bad == 0, "%s from %s: no iteration makes it worse, %d cases", method[k].name,
			   starts[s], cases);
		}
}

/* The larger a penalty the smaller, and of l1 the more often zero, is what it bears on. */
static void penalties(void)
{
	static const double weight[] = {0, 0.05, 0.5, 5};
	double sum[2][4] = {{0}}, zeros[4] = {0};
	int cases = test_cases(6);

	for (int c = 0; c < cases; c++)
		for (int smooth = 0; smooth < 2; smooth++)
			for (size_t k = 0; k < 4; k++) {
				struct ft_random same = {(uint64_t)c};
				struct factored f;

				factored_make(&f, &same, 0.2);
				f.how = (struct ft_nmf){.l1 = smooth ? 0 : weight[k],
							.l2 = smooth ? weight[k] : 0,
							.tolerance = 1e-9,
							.most = 2000};
				(void)ft_nmf_begin(FT_NMF_NNDSVD, f.x, M, N, R, false, 1, f.w, f.h, NULL);
				(void)ft_nmf_run(&f.how, f.x, M, N, R, f.w, f.h, NULL);
				for (size_t i = 0; i < R * N; i++) {
					sum[smooth][k] += smooth ? f.h[i] * f.h[i] : f.h[i];
					zeros[k] += !smooth && f.h[i] < 1e-9;
				}
				for (size_t i = 0; i < R * M && smooth; i++)
					sum[smooth][k] += f.w[i] * f.w[i];
			}
	ok(zeros[0] <= zeros[1] && zeros[1] < zeros[2] && zeros[2] < zeros[3],
	   "of l1 = 0, 0.05, 0.5, 5 zeros are %.0f, %.0f, %.0f, %.0f", zeros[0], zeros[1], zeros[2],
	   zeros[3]);
	/* Without a penalty the scale of H is any. */
	ok(sum[0][1] > sum[0][2] && sum[0][2] > sum[0][3], "and of 0.05, 0.5, 5 the sum is %g, %g, %g",
	   sum[0][1], sum[0][2], sum[0][3]);
	ok(sum[1][0] > sum[1][1] && sum[1][1] > sum[1][2] && sum[1][2] > sum[1][3],
	   "of l2 the squares are %g, %g, %g, %g", sum[1][0], sum[1][1], sum[1][2], sum[1][3]);
}

/* A tenth of the entries is not known: no iteration makes the loss of the others larger, and of a product
 * without noise they are found. */
static void holes(struct ft_random *random)
{
	static const struct {
		const char *name;
		enum ft_nmf_loss loss;
		bool multiplicative;
	} method[] = {{"hals", FT_NMF_FROBENIUS, false},
		      {"multiplicative", FT_NMF_FROBENIUS, true},
		      {"newton", FT_NMF_KL, false},
		      {"nonsmooth", FT_NMF_NONSMOOTH, false}};

	for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
		int c, bad = 0, lost = 0, cases = test_cases(8);

		for (c = 0; c < cases; c++) {
			static double trace[20 * MOST + 1];
			struct factored f;
			double x[M * N], far = 0;

			factored_make(&f, random, 0);
			for (size_t i = 0; i < M; i += 7) /* these were spoilt */
				memcpy(f.x + i * N, f.x + (i + 1) % M * N, N * sizeof *f.x);
			memcpy(x, f.x, sizeof x);
			for (size_t i = 0; i < M * N; i++)
				if (ft_random_uniform(random) < 0.1)
					x[i] = NAN;
			f.how = (struct ft_nmf){.loss = method[k].loss,
						.multiplicative = method[k].multiplicative,
						.smoothness = 0.5,
						.tolerance = 1e-9,
						.most = 20 * MOST,
						.trace = trace};
			bad += ft_nmf_find(&f.how, FT_NMF_NNDSVD, (uint64_t)c, x, M, N, R, f.w, f.h, NULL) !=
			       FT_OK;
			for (size_t i = 1; i <= f.how.iterations; i++)
				bad += !(trace[i] <= trace[i - 1] * (1 + 1e-12) + 1e-10);
			for (size_t i = 0; i < M * N; i++) {
				double p = 0;

				for (size_t l = 0; l < R; l++)
					p += f.w[l * M + i / N] * f.h[l * N + i % N];
				if (isnan(x[i]))
					far = fmax(far, fabs(p - f.x[i]) / (0.1 + f.x[i]));
			}
			lost += !(far < 0.1);
		}
		/* W S H of sparse factors is no such product; updates by multiplication are slow. */
		ok(bad == 0 && (method[k].loss == FT_NMF_NONSMOOTH || method[k].multiplicative ||
				lost <= cases / 4),
		   "%s with a tenth unknown, %d cases, %d not found", method[k].name, cases, lost);
	}
}

/* ---- one factor -----------------------------------------------------------------------------------------
 */

enum { SIDE = 90, RANK = 9 };

struct one_factor {
	size_t m, n, r;
	double x[SIDE * SIDE], w[RANK * SIDE + 1], h[RANK * SIDE + 1]; /* with an entry behind the end */
	struct ft_nmf how;
};

static void one_factor_make(struct one_factor *o, struct ft_random *random, bool of_holes)
{
	size_t l;

	o->r = 1 + ft_random_below(random, RANK);
	o->m = 4 * o->r + ft_random_below(random, SIDE - 4 * o->r + 1);
	o->n = 4 * o->r + ft_random_below(random, SIDE - 4 * o->r + 1);
	for (size_t i = 0; i < o->r * o->m; i++)
		o->w[i] = fmax(0, ft_random_normal(random));
	for (size_t i = 0; i < o->r * o->n; i++)
		o->h[i] = fmax(0, ft_random_normal(random));
	for (size_t i = 0; i < o->m; i++)
		for (size_t j = 0; j < o->n; j++) {
			double *x = &o->x[i * o->n + j];

			for (*x = 0, l = 0; l < o->r; l++)
				*x += o->w[l * o->m + i] * o->h[l * o->n + j];
			*x *= 2 * ft_random_uniform(random);
			if (of_holes && ft_random_uniform(random) < 0.05)
				*x = NAN;
		}
}

/* How far one entry of a factor is off: its slope, over the size of what it is the difference of, is zero, or
 * positive where the entry is zero. f [r x length] is looked at, g [r x n] the other one, smooth by theta. */
static double slope_off(const struct one_factor *o, const double *f, const double *g, size_t length, size_t n,
			bool of_w, size_t l, size_t i)
{
	double down = 0, up = 0;

	for (size_t j = 0; j < n; j++) {
		double x = of_w ? o->x[i * o->n + j] : o->x[j * o->n + i], p = 0, at = g[l * n + j];

		for (size_t k = 0; k < o->r; k++)
			p += f[k * length + i] * g[k * n + j];
		if (isnan(x) || !(at > 0))
			continue;
		down += o->how.loss == FT_NMF_FROBENIUS ? at * x : at * x / fmax(p, 1e-9);
		up += o->how.loss == FT_NMF_FROBENIUS ? at * p : at;
	}
	if (!(down + up > 0))
		return 0;
	return down > up ? (down - up) / (up + down) : fmin((up - down) / (up + down), f[l * length + i]);
}

/* The root of the mean square of all entries: steps are few, and single ones are on their way. */
static double one_factor_off(struct one_factor *o, bool of_w)
{
	double *f = of_w ? o->w : o->h, g[RANK * SIDE], sum = 0;
	size_t length = of_w ? o->m : o->n, n = of_w ? o->n : o->m;

	memcpy(g, of_w ? o->h : o->w, o->r * n * sizeof *g);
	o->w[o->r * o->m] = o->h[o->r * o->n] = -7;
	if (ft_nmf_other(&o->how, o->x, o->m, o->n, o->r, o->w, o->h, of_w, NULL))
		return INFINITY;
	if (o->w[o->r * o->m] != -7 || o->h[o->r * o->n] != -7)
		return INFINITY; /* written behind the end */
	if (o->how.loss == FT_NMF_NONSMOOTH)
		ft_nmf_smooth(g, o->r, n, o->how.smoothness);
	for (size_t l = 0; l < o->r; l++)
		for (size_t i = 0; i < length; i++)
			sum += pow(slope_off(o, f, g, length, n, of_w, l, i), 2);
	return sqrt(sum / (double)(o->r * length));
}

/* Where the other factor stays, the loss is convex: at the least there is, no entry has a way down. */
static void one_factor(struct ft_random *random)
{
	static const char *const loss[] = {"squares", "divergence", "nonsmooth"};
	/* Thirty rounds; entries of a divergence go to zero slowly, and so does what stands for holes. */
	static const double bound[] = {1e-9, 3e-3, 1e-6, 0.01, 3e-3, 0.01};
	static struct one_factor o;
	int kind, c, cases = test_cases(20) < MOST ? test_cases(20) : MOST;

	for (kind = 0; kind < 6; kind++) {
		double off[MOST], usual;

		for (c = 0; c < cases; c++) {
			one_factor_make(&o, random, kind >= 3);
			o.how = (struct ft_nmf){.loss = (enum ft_nmf_loss)(kind % 3), .smoothness = 0.3};
			off[c] = one_factor_off(&o, c % 2);
		}
		usual = ft_stats_quantile(off, (size_t)cases, 0.75); /* some are still on their way */
		ok(usual < bound[kind], "%s%s: the other factor is the best, %d cases, %.1e off",
		   loss[kind % 3], kind >= 3 ? " with holes" : "", cases, usual);
	}
}

/* Of rows and columns that rise together, what is not known follows from the others; those stay. */
static void guess(struct ft_random *random)
{
	int c, bad = 0, cases = test_cases(50);

	for (c = 0; c < cases; c++) {
		double x[M * N], whole[M * N], row[M], column[N];

		for (size_t i = 0; i < M; i++)
			row[i] = 0.2 + ft_random_uniform(random);
		for (size_t i = 0; i < N; i++)
			column[i] = 0.2 + ft_random_uniform(random);
		for (size_t i = 0; i < M * N; i++) {
			whole[i] = row[i / N] * column[i % N];
			x[i] = ft_random_uniform(random) < 0.1 ? (double)NAN : whole[i];
		}
		x[0] = c % 2 ? (double)NAN : x[0];
		x[M * N - 1] = c % 3 ? (double)NAN : x[M * N - 1];
		bad += ft_nmf_guess(x, M, N, NULL) != FT_OK;
		for (size_t i = 0; i < M * N; i++)
			bad += !near(x[i], whole[i], 1e-4);
	}
	ok(bad == 0, "what is not known of a product of a row and a column, %d cases", cases);
}

/* A single hole, at the very end: each start knows of it, and what is found there is what the others say. */
static void last_hole(void)
{
	static const enum ft_nmf_start start[] = {FT_NMF_RANDOM, FT_NMF_NNDSVD, FT_NMF_ICA};
	struct ft_nmf nmf = {.most = 500, .tolerance = 1e-9};
	double x[M * N], w[M], h[N];

	for (size_t i = 0; i < M * N; i++)
		x[i] = (double)(1 + i / N) * (double)(3 + i % N);
	x[M * N - 1] = NAN;
	for (size_t s = 0; s < 3; s++)
		ok(!ft_nmf_find(&nmf, start[s], 1, x, M, N, 1, w, h, NULL) &&
			   near(w[M - 1] * h[N - 1], (double)M * (double)(N + 2), 1e-3),
		   "start %zu: the last one is guessed", s);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	never_worse(&random);
	penalties();
	holes(&random);
	one_factor(&random);
	guess(&random);
	last_hole();
	return done();
}
