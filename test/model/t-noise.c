/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-noise.c - how far runs of one size differ, where few were made, where it depends on the size, and where
 * sizes differ by more than their runs: against slow integration, and by how many runs lie inside on made
 * curves. */
#include "model-test.h"
#include "model/model.h"
#include "num/num.h"
#include "tap.h"

/* ---- the prior and what outvotes it ------------------------------------------------------------------- */

/* The law of the deviation's logarithm, on a grid: prior and likelihood. Its median, or 90 % quantile of a
 * run. */
static double slow_median(double usual, double seen, double freedom)
{
	double weight[4001], total = 0, below = 0;
	int i;

	for (i = 0; i <= 4000; i++) {
		double h = log(usual) - 8 + i * 0.004, off = h - log(usual);

		weight[i] = exp(-off * off / 2 - freedom * (h - log(seen)) -
				freedom * seen * seen * exp(-2 * h) / 2 + freedom / 2);
		total += weight[i];
	}
	for (i = 0; i < 4000 && (below += weight[i]) < total / 2; i++)
		;
	return exp(log(usual) - 8 + i * 0.004);
}

static double slow_inside(double spread, double stretch, double confidence)
{
	double z = ft_normal_quantile((1 + confidence) / 2) * stretch, sum = 0, total = 0, u;

	for (u = -7; u <= 7; u += 0.002) {
		sum += exp(-u * u / 2) * erf(z * exp(-spread * u) / sqrt(2));
		total += exp(-u * u / 2);
	}
	return sum / total;
}

static void test_posterior(void)
{
	struct ft_random r = {test_seed()};
	double off = 0, inside = 0;

	for (int i = 0; i < 200; i++) {
		double usual = exp(-6 + 5 * ft_random_uniform(&r)), freedom = exp(4 * ft_random_uniform(&r));
		double seen = usual * exp(2 * ft_random_normal(&r)),
		       share = 0.5 + 0.45 * ft_random_uniform(&r);
		struct ft__noise noise = ft__noise_known(usual, seen, freedom);

		off = fmax(off, fabs(log(noise.scale / slow_median(usual, seen, freedom))) / noise.spread);
		inside = fmax(inside,
			      fabs(slow_inside(noise.spread, ft__noise_stretch(noise.spread, share), share) -
				   share));
	}
	ok(off < 0.4, "the deviation's median as by integration (%.2g of its spread)", off);
	ok(inside < 0.01, "as many runs inside as by integration (off by %.2g)", inside);
	ok(ft__noise_known(0.03, 0.01, 0).scale == 0.03, "no run seen: the prior");
	ok(fabs(ft__noise_known(0.3, 0.01, 1000).scale - 0.01) < 1e-4, "a thousand runs: what they show");
	ok(ft__noise_usual(FT_CLASS_TIME, 0.01, 3) > 0.3 && ft__noise_usual(FT_CLASS_TIME, 100, 0) < 0.05 &&
		   ft__noise_usual(FT_CLASS_MEMORY, 0.01, 3) < 0.05 &&
		   ft__noise_usual(FT_CLASS_COUNT, 0.01, 3) < 0.01,
	   "short times on a busy machine differ most, counts least");
	ok(ft__noise_usual(FT_CLASS_TIME, 1, NAN) > ft__noise_usual(FT_CLASS_TIME, 1, 0),
	   "a load that is not known is not taken for none");
}

/* ---- made curves ----------------------------------------------------------------------------------------
 */

/* Runs inside of those asked for. */
struct held {
	double inside, asked, score, width;
};

static void ask_run(struct held *held, const struct ft_model *model, double x, double value)
{
	struct ft_prediction p = ask_at(model, x, NAN, 0.9);
	double ln = log(value), lower = log(p.lower), upper = log(p.upper);

	held->asked++;
	held->inside += lower <= ln && ln <= upper;
	held->width += upper - lower;
	held->score += upper - lower + 20 * (fmax(0, lower - ln) + fmax(0, ln - upper));
}

/* Programs whose noise is drawn from the prior, each seen by one run at each of so many sizes. */
static double held_of_one(size_t sizes, enum ft_resource_class of, double usual)
{
	struct held held = {0};
	struct ft_random r = {of + sizes};
	static struct samples s;

	for (int i = 0; i < 150; i++) {
		double noise = usual * exp(ft_random_normal(&r));
		struct ft_model *model;

		s.n = 0;
		sweep(&s, affine, 100, 10000, sizes, 1, noise, &r);
		for (size_t k = 0; k < s.n; k++)
			s.o[k].noise = usual;
		model = fit_as(&s, &(struct ft_model_options){.of = of});
		for (size_t k = 0; k < 4 * s.n; k++) {
			double x = s.o[k % s.n].size.value[0];

			ask_run(&held, model, x, affine(x) * exp(noise * ft_random_normal(&r)));
		}
		ft_model_free(model);
	}
	return 100 * held.inside / held.asked;
}

static void test_one_run(void)
{
	double one = held_of_one(1, FT_CLASS_TIME, 0.1), five = held_of_one(5, FT_CLASS_TIME, 0.1);
	double memory = held_of_one(5, FT_CLASS_MEMORY, 0.02);

	ok(one >= 85 && one <= 96, "one run: %.1f %% of others inside", one);
	ok(five >= 84, "one run at each of five sizes: %.1f %%", five);
	ok(memory >= 84, "the same of memory: %.1f %%", memory);
}

/* Noise of 30 % below 1000, and of 3 % above. */
static void test_by_size(void)
{
	struct ft_random r = {11};
	struct held small = {0}, large = {0};
	static struct samples s;

	for (int i = 0; i < 6; i++) {
		double x;

		s.n = 0;
		for (x = 100; x <= 10000; x = ceil(1.08 * x))
			for (int k = 0; k < 3; k++)
				add(&s, x, 1,
				    affine(x) * exp((x < 1000 ? 0.3 : 0.03) * ft_random_normal(&r)));
		struct ft_model *model = fit(&s);
		for (int k = 0; k < 200; k++) {
			bool low = k % 2;

			x = round((low ? 150 : 1500) * exp(1.5 * ft_random_uniform(&r)));
			ask_run(low ? &small : &large, model, x,
				affine(x) * exp((low ? 0.3 : 0.03) * ft_random_normal(&r)));
		}
		ft_model_free(model);
	}
	ok(small.inside > 0.8 * small.asked, "noisy sizes: %.1f %% inside", 100 * small.inside / small.asked);
	ok(large.inside > 0.85 * large.asked && large.width < 0.35 * small.width,
	   "quiet ones: %.1f %% inside, a band of %.2f beside one of %.2f", 100 * large.inside / large.asked,
	   large.width / large.asked, small.width / small.asked);
}

/* Each size lies off the smooth curve by 10 %, its runs agree to 1 %. */
static double zigzag(double x)
{
	struct ft_random r = {(uint64_t)x};

	return affine(x) * exp(0.1 * ft_random_normal(&r));
}

static void test_texture(void)
{
	struct ft_random r = {12};
	struct held held = {0};
	double off = 0, n = 0;
	static struct samples s;

	for (int i = 0; i < 6; i++) {
		double x;

		s.n = 0;
		sweep(&s, zigzag, 100 + i, 10000, 40, 3, 0.01, &r);
		struct ft_model *model = fit(&s);
		for (int k = 0; k < 100; k++) {
			x = round(120 * exp(4.3 * ft_random_uniform(&r)));
			ask_run(&held, model, x, zigzag(x) * exp(0.01 * ft_random_normal(&r)));
		}
		for (int k = 0; k < (int)s.n; k += 3, n++) {
			x = s.o[k].size.value[0];
			off += fabs(log(ask_at(model, x, NAN, 0.9).value / zigzag(x)));
		}
		ft_model_free(model);
	}
	ok(held.inside > 0.84 * held.asked, "sizes that zigzag: %.1f %% inside between them",
	   100 * held.inside / held.asked);
	ok(off / n < 0.02, "and what was measured is not smoothed away (off by %.1f %%)", 100 * off / n);
}

/* Teeth that repeat in ln n. */
static double saw(double x)
{
	return affine(x) * exp(0.3 * (log2(x) - floor(log2(x))));
}

static void test_teeth_beyond(void)
{
	struct ft_random r = {13};
	static struct samples s;
	double off = 0;

	s.n = 0;
	sweep(&s, saw, 50, 12000, 45, 2, 0.01, &r);
	struct ft_model *model = fit(&s);
	for (double x = 13000; x < 24000; x *= 1.1)
		off = fmax(off, fabs(log(ask_at(model, x, NAN, 0.9).value / saw(x))));
	ok(ft_model_facts(model)->n_fine && off < 0.16,
	   "teeth in ln n go on beyond the sizes (off by %.1f %%)", 100 * off);
	ft_model_free(model);
}

/* Of 133 sizes one run is an outlier: twice as much. */
static void test_outlier(void)
{
	struct ft_random r = {14};
	static struct samples s;
	struct ft_model *model;
	double at = 0, x = 1e9;

	s.n = 0;
	for (int i = 0; i < 133; i++) {
		x *= 1 + 0.06 * ft_random_uniform(&r);
		add(&s, x, 1, i == 60 ? 32e9 : 12e9 * exp(0.3 * ft_random_uniform(&r)));
		at = i == 60 ? x : at;
	}
	model = fit_as(&s, &(struct ft_model_options){.of = FT_CLASS_MEMORY});
	ok(ask_at(model, at, NAN, 0.9).value < 17e9 && ask_at(model, 1.01 * at, NAN, 0.9).upper < 24e9,
	   "one outlier among 133 sizes moves nothing (%.3g, %.3g)", ask_at(model, at, NAN, 0.9).value,
	   ask_at(model, 1.01 * at, NAN, 0.9).upper);
	ft_model_free(model);
}

/* Memory in two close levels, a quarter of the runs at the upper one. */
static void test_levels(void)
{
	struct ft_random r = {15};
	static struct samples s;
	double short_of = 0, asked = 0;

	for (int rep = 0; rep < 8; rep++) {
		struct ft_model *model;
		double x = 1e9;

		s.n = 0;
		for (int i = 0; i < 67; i++) {
			x *= 1 + 0.04 * ft_random_uniform(&r);
			add(&s, x, 1, ft_random_uniform(&r) < 0.25 ? 4.01e9 : 3.87e9);
		}
		model = fit_as(&s, &(struct ft_model_options){.of = FT_CLASS_MEMORY});
		for (int i = 0; i < 67; i++, asked++)
			short_of += s.o[i].value > ask_at(model, s.o[i].size.value[0], NAN, 0.9).upper;
		ft_model_free(model);
	}
	ok(short_of < 0.05 * asked, "two close levels: %.1f %% of runs above what holds 95 %%",
	   100 * short_of / asked);
}

int main(void)
{
	test_posterior();
	test_one_run();
	test_by_size();
	test_texture();
	test_teeth_beyond();
	test_outlier();
	test_levels();
	return done();
}
