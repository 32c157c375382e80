/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-limits.c - runs that met a limit are lower bounds: models of them against maximum likelihood by a grid.
 */
#include "model-test.h"
#include "model/model.h"
#include "tap.h"

#include <stdio.h>

/* Censored at the limit. */
static void add_run(struct samples *s, double x, double value, double limit)
{
	add(s, x, 1, fmin(value, limit));
	s->o[s->n - 1].censored = value > limit;
}

/* The slow oracle: ln value = a + b ln x + noise e, the most likely a, b, e by a grid that is refined. */
static double likelihood(const struct samples *s, double a, double b, double e)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		double t = (log(s->o[i].value) - a - b * log(s->o[i].size.value[0])) / e;

		sum += s->o[i].censored ? log(fmax(erfc(t / sqrt(2)) / 2, 1e-300)) : -t * t / 2 - log(e);
	}
	return sum;
}

static void most_likely(const struct samples *s, double best[3])
{
	double width[3] = {3, 2, 1.5}, top = -INFINITY;

	best[0] = 0;
	best[1] = 1;
	best[2] = -1.5;
	for (int round = 0; round < 14; round++) {
		double centre[3] = {best[0], best[1], best[2]};

		for (int i = -4; i <= 4; i++)
			for (int j = -4; j <= 4; j++)
				for (int k = -4; k <= 4; k++) {
					double a = centre[0] + width[0] * i / 4,
					       b = centre[1] + width[1] * j / 4,
					       e = centre[2] + width[2] * k / 4,
					       now = likelihood(s, a, b, exp(e));

					if (now > top) {
						top = now;
						best[0] = a;
						best[1] = b;
						best[2] = e;
					}
				}
		for (int i = 0; i < 3; i++)
			width[i] /= 2;
	}
	best[2] = exp(best[2]);
}

/* Made jobs: n times a log-normal factor, ended at `times` n. */
static void make_jobs(struct samples *s, double noise, double times, struct ft_random *random)
{
	size_t i;

	for (s->n = i = 0; i < 90; i++) {
		double x = 500 * pow(2, (double)(i % 3));

		add_run(s, x, x * exp(noise * ft_random_normal(random)), times * x);
	}
}

static void test_oracle(struct samples *s)
{
	static const double times[] = {100, 1.5, 1.2, 0.95};
	struct ft_random random = {7};
	double off = 0, noise = 0, most = 0, best[3], oracle;
	size_t n = 0;

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		for (size_t k = 0; k < 6; k++, n++) {
			make_jobs(s, 0.35, times[i], &random);
			most_likely(s, best);
			oracle = exp(best[0] + best[1] * log(1000));
			struct ft_model *model = fit(s);
			struct ft_prediction p = ask(model, 1000);
			off += log(p.value / oracle);
			most = fmax(most, fabs(log(p.value / oracle)));
			noise += log(log(p.upper / p.value) / (1.645 * best[2]));
			ft_model_free(model);
		}
	off = exp(off / (double)n);
	noise = exp(noise / (double)n);
	ok(fabs(off - 1) < 0.03 && most < 0.15,
	   "up to half of the runs censored: %.3f of the most likely line on average, %.3f off at most", off,
	   most);
	ok(noise > 0.9 && noise < 1.25, "noise is not lost with them: %.3f times the most likely", noise);
}

/* 500 to 2000 s, a quarter of the jobs ended at 1.2 n: who asks for the 95 % quantile. */
static void test_jobs(struct samples *s)
{
	struct ft_random random = {3};
	double above = 0, most = 0, limits = 0;

	for (size_t k = 0; k < 10; k++) {
		make_jobs(s, 0.35, 1.2, &random);
		struct ft_model *model = fit(s);
		struct ft_prediction p = ask(model, 500);
		double share = erfc(log(p.upper / 500) / (0.35 * sqrt(2))) / 2;
		above += share / 10;
		most = fmax(most, share);
		limits += (double)ft_model_facts(model)->limits.runs / 10;
		ft_model_free(model);
	}
	ok(above < 0.06 && most < 0.1,
	   "with %.1f of 90 jobs ended at their limit %.3f need more than 95 %%, %.3f at most", limits, above,
	   most);
}

/* Moments above a limit, against sums over a fine grid. */
static void test_moments(void)
{
	static const double limits[] = {-60, -5, -1, 0, 0.7, 3.9, 4.1, 20, 60};
	double wrong = 0;

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct ft__site site = {.work = 1, .scatter = 4};
		double above = 0, mean = 0, square = 0;

		if (!ft__site_limit(&site, &(double){2 * limits[i] + 1}, 1))
			break;
		ft__site_believe(&site, 1, 0, 4);
		/* As it is believed after the first look; then the law is the normal one of weight 1. */
		site.value[0].weight = 1;
		ft__site_believe(&site, 1, 0, 4);
		for (int k = 0; k < 400000; k++) {
			double z = fmax(limits[i], -9) + (k + 0.5) / 400000 * (limits[i] < 9 ? 20 : 3);
			double s = exp(-(z * z - fmax(limits[i], 0) * fmax(limits[i], 0)) / 2);
			above += s;
			mean += s * z;
			square += s * z * z;
		}
		mean /= above;
		square = square / above - mean * mean;
		wrong = fmax(wrong, fabs(site.value[0].z - (1 + 2 * mean)) / (1 + fabs(mean)));
		wrong = fmax(wrong, fabs(site.value[0].spread - 4 * square));
		wrong += !(site.value[0].share > 0 && site.value[0].share <= 1) ||
			 !isfinite(site.value[0].place);
		ft_free(site.value);
	}
	ok(wrong < 1e-3, "expected value and variance above a limit, off by %.2g at most", wrong);
}

static void test_sizes(struct samples *s)
{
	struct ft_random random = {5};
	size_t i, n;

	/* At the largest size every run met the limit, at half of what is typical there. */
	for (s->n = i = 0; i < 30; i++) {
		double x = 100 * (1 + (double)(i % 6));

		add_run(s, x, x * exp(0.05 * ft_random_normal(&random)), x > 550 ? 300 : 1e9);
	}
	struct ft_model *model = fit(s);
	struct ft_prediction p = ask(model, 600);
	(void)ft_model_knots(model, &n);
	ok(n == 6 && p.value > 540 && p.value < 660 && p.limits == 5 && p.runs == 5,
	   "a size where every run met the limit is kept: %.4g, of 600", p.value);
	ft_model_free(model);
	/* Above what is typical. */
	for (i = 0; i < s->n; i++)
		if (s->o[i].size.value[0] > 550)
			s->o[i].value = 1200;
	model = fit(s);
	p = ask(model, 600);
	ok(p.value > 1150 && p.upper > 1250,
	   "and counts where the limit is above what others say: %.4g, of 1200", p.value);
	ft_model_free(model);
	/* Limits far below say nothing. */
	for (s->n = i = 0; i < 30; i++)
		add(s, 100 * (1 + (double)(i % 6)), 1,
		    100 * (1 + (double)(i % 6)) * exp(0.05 * ft_random_normal(&random)));
	struct ft_model *without = fit(s);
	for (i = 0; i < 20; i++)
		add_run(s, 100 * (1 + (double)(i % 6)), 2, 1);
	model = fit(s);
	p = ask(model, 300);
	struct ft_prediction q = ask(without, 300);
	ok(fabs(log(p.value / q.value)) < 0.01 && fabs(log(p.known / q.known)) < 0.2 &&
		   fabs(log(p.upper / q.upper)) < 0.02,
	   "limits far below the curve say nothing: %.5g +- %.3g up to %.5g, without them %.5g +- %.3g up to "
	   "%.5g",
	   p.value, p.known, p.upper, q.value, q.known, q.upper);
	ft_model_free(model);
	ft_model_free(without);
}

static void test_odd(struct samples *s)
{
	struct ft_model *model = NULL;
	struct ft_err err = {0};
	size_t i;

	for (s->n = i = 0; i < 5; i++)
		add_run(s, 10, 9, 3);
	ok(ft_model_fit(&model, s->o, s->n, NULL, &err) == FT_ENOMODEL && !model &&
		   strstr(err.text, "at least"),
	   "all met a limit: %s", err.text);
	s->n = 0;
	add_run(s, 10, 3, 5);
	add_run(s, 20, 9, 5);
	model = fit(s);
	struct ft_prediction p = ask(model, 20);
	ok(is_sound(&p) && p.value > 4,
	   "one run at each of two sizes, of which one met a limit: %.3g, at least 5", p.value);
	ft_model_free(model);
	add_run(s, 20, 9, 0);
	model = fit(s);
	ok(model && ft_model_facts(model)->runs == 2 && ft_model_facts(model)->limits.runs == 1,
	   "a limit of 0 is none");
	ft_model_free(model);
	/* As many limits as there are runs. */
	for (s->n = i = 0; i < 60; i++)
		add_run(s, 10, 6 + 0.01 * (double)i, 6 + (i % 2 ? 1 : 0.009 * (double)i));
	model = fit(s);
	p = ask(model, 10);
	ok(is_sound(&p) && p.value > 6 && p.value < 7, "30 different limits: %.4g", p.value);
	ft_model_free(model);
	/* Memory that falls. */
	for (s->n = i = 0; i < 24; i++)
		add_run(s, 10 * (1 + (double)(i % 6)), 1e9 / (1 + (double)(i % 6)), 6e8);
	model = fit(s);
	p = ask(model, 20);
	ok(is_sound(&p) && p.value > 4e8 && p.value < 6e8,
	   "memory that falls, and limits at the small end: %.3g", p.value);
	ft_model_free(model);
}

static void test_several(struct samples *s)
{
	const struct ft_model_options options = {.axis = (const size_t[]){0, 1}, .n_axes = 2};
	struct ft_random random = {11};
	struct ft_model *model = NULL;
	struct ft_prediction p = {0};
	double off = 0;
	size_t i, n = 0;

	for (s->n = i = 0; i < 180; i++) {
		double x = 10 * (1 + (double)(i % 6)), y = 5 * (1 + (double)(i / 6 % 5));
		double value = x * y * exp(0.3 * ft_random_normal(&random));

		s->o[s->n] = (struct ft_observation){
			{2, {x, y}}, 1, fmin(value, 1.2 * x * y), 0, 0, value > 1.2 * x * y, 0, 0, 0};
		n += s->o[s->n++].censored;
	}
	(void)ft_model_fit(&model, s->o, s->n, &options, NULL);
	for (i = 0; i < 30; i++) {
		double x = 10 * (1 + (double)(i % 6)), y = 5 * (1 + (double)(i / 6 % 5));

		if (!model || ft_model_predict(model, &(struct ft_size){2, {x, y}}, 1, 0.9, &p, NULL))
			break;
		off += log(p.value / (x * y)) / 30;
	}
	ok(i == 30 && fabs(off) < 0.06, "%zu of 180 runs over two parameters: %.3f of the curve on average",
	   n, exp(off));
	ok(model && log(p.upper / p.value) > 1.2 * 0.3, "their noise: up to %.3g times, of 1.64",
	   p.upper / p.value);
	ft_model_free(model);
}

int main(void)
{
	struct samples *s = ft_calloc(1, sizeof *s);

	test_moments();
	test_oracle(s);
	test_jobs(s);
	test_sizes(s);
	test_odd(s);
	test_several(s);
	ft_free(s);
	return done();
}
