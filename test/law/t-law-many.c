/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-law-many.c - laws of several parameters, and the classes of document 002. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/law.h"
#include "law/door.h"
#include "tap.h"

enum { MOST = 400 };

static double two(const double *x)
{
	return 2e-9 * x[0] * x[0] * x[1] + 3e-6 * x[0] + 0.01;
}

static double sum(const double *x)
{
	return 5 * x[0] + 0.5 * x[1] * log2(x[1]);
}

static double three(const double *x)
{
	return 2e-9 * x[0] * log2(x[0]) * x[1] * x[2] + 3e-8 * x[0] * x[2];
}

/* A full grid by powers of two. */
static size_t grid(struct ft_law_place *s, double (*f)(const double *), size_t params, size_t runs, double a,
		   struct ft_random *random)
{
	size_t n = 0;

	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 5; j++)
			for (size_t k = 0; k < (params > 2 ? 4 : 1); k++)
				for (size_t r = 0; r < runs; r++) {
					s[n] = (struct ft_law_place){
						{64 << i, 4 << j, params > 2 ? 10 << k : 0}, 0};
					s[n].value = f(s[n].x) * (1 + a * ft_random_normal(random));
					n++;
				}
	return n;
}

static void exact(void)
{
	static struct ft_laws_many laws;
	struct ft_random random = {test_seed()};
	struct ft_law_place s[MOST];
	struct ft_law_prediction p;
	double at[3] = {8192, 512, 640};
	char text[256];
	size_t n = grid(s, two, 2, 1, 0, &random);

	ok(!ft_laws_fit_many(&laws, s, n, 2, NULL) && laws.exact, "two parameters");
	(void)ft_law_format(&laws.candidate[0].law, NULL, 8, text, sizeof text);
	ok(!strcmp(text, "2e-09*n^2*m + 3e-06*n + 0.01"), "%s", text);
	ok(!ft_laws_predict_many(&laws, at, 0.9, FT_LAW_RUN, &p, NULL) && near(p.value, two(at), 1e-9),
	   "foretold");
	n = grid(s, sum, 2, 1, 0, &random);
	ok(!ft_laws_fit_many(&laws, s, n, 2, NULL) && laws.exact, "a sum");
	(void)ft_law_format(&laws.candidate[0].law, NULL, 8, text, sizeof text);
	ok(!strcmp(text, "5*n + 0.5*m*log2(m)"), "%s", text);
	n = grid(s, three, 3, 1, 1e-7, &random);
	ok(!ft_laws_fit_many(&laws, s, n, 3, NULL) && laws.exact, "three parameters, read with seven digits");
	n = grid(s, three, 3, 1, 1e-5, &random);
	ok(!ft_laws_fit_many(&laws, s, n, 3, NULL) && !laws.exact, "with five it is not exact");
	n = grid(s, three, 3, 1, 0, &random);
	ok(!ft_laws_fit_many(&laws, s, n, 3, NULL) && laws.exact, "three parameters");
	(void)ft_law_format(&laws.candidate[0].law, NULL, 8, text, sizeof text);
	ok(!strcmp(text, "2e-09*n*log2(n)*m*k + 3e-08*n*k"), "%s", text);
}

/* Extra-P's synthetic-data.py: terms whose factors have shapes of their own. */
static double own_shapes(const double *x)
{
	return 1 + 0.2 * x[0] * x[0] * log2(x[1]) + 0.1 * x[0] * x[1] * x[1] * x[2];
}

static void mixed(void)
{
	static struct ft_laws_many laws;
	struct ft_random random = {test_seed()};
	static struct ft_law_place s[5 * MOST];
	const double at[3] = {120, 10, 1000};
	struct ft_law_prediction p = {0};
	char text[256];
	size_t r, n = 0;

	for (size_t i = 0; i < 125; i++) {
		s[i] = (struct ft_law_place){
			{20 + 10 * (double)(i % 5), 1 + (double)(i / 5 % 5), 100 * (1 + (double)(i / 25))},
			0};
		s[i].value = own_shapes(s[i].x);
	}
	ok(!ft_laws_fit_many(&laws, s, 125, 3, NULL) && laws.exact, "terms with shapes of their own");
	(void)ft_law_format(&laws.candidate[0].law, NULL, 8, text, sizeof text);
	ok(!strcmp(text, "0.1*n*m^2*k + 0.2*n^2*log2(m) + 1"), "%s", text);
	for (n = 125, r = 1; r < 5; r++)
		for (size_t i = 0; i < 125; i++)
			s[n++] = s[i];
	for (size_t i = 0; i < n; i++)
		s[i].value *= 1 + 0.01 * (2 * ft_random_uniform(&random) - 1);
	bool good = !ft_laws_fit_many(&laws, s, n, 3, NULL) &&
		    !ft_laws_predict_many(&laws, at, 0.9, FT_LAW_MEAN, &p, NULL);
	ok(good && near(p.value, own_shapes(at), 0.01), "with 1 %% noise foretold within 1 %%: %g of %g",
	   p.value, own_shapes(at));
}

static double shared(const double *x)
{
	return 1e-7 * x[0] * x[0] * x[1] / x[2] + 0.01;
}

/* No two places on a line, and a parameter that divides; of four, one changes nothing. */
static void scattered(size_t params)
{
	static struct ft_laws_many laws;
	struct ft_random random = {test_seed()};
	const double at[4] = {4096, 4096, 32, 5};
	int cases = test_cases(20), close = 0, bad = 0, i;
	struct ft_law_prediction p;
	struct ft_law_place s[80];

	for (i = 0; i < cases; i++) {
		for (size_t n = 0; n < 40; n++) {
			for (size_t j = 0; j < params; j++)
				s[2 * n].x[j] =
					floor((j < 2 ? 64 : 1) * exp(ft_random_uniform(&random) * log(16)));
			s[2 * n + 1] = s[2 * n];
			for (size_t j = 0; j < 2; j++)
				s[2 * n + j].value =
					shared(s[2 * n].x) * (1 + 0.02 * ft_random_normal(&random));
		}
		bad += ft_laws_fit_many(&laws, s, 80, params, NULL) != FT_OK;
		bad += ft_laws_predict_many(&laws, at, 0.9, FT_LAW_MEAN, &p, NULL) != FT_OK;
		close += fabs(p.value / shared(at) - 1) < 0.1;
	}
	ok(!bad && close >= 0.9 * cases,
	   "of %zu parameters, one divides: %d of %d within 10 %%, 4 times beyond", params, close, cases);
}

static void noisy(void)
{
	static struct ft_laws_many laws, turned;
	struct ft_random random = {test_seed()};
	struct ft_law_place s[MOST], other[MOST];
	struct ft_law_prediction p;
	double at[2] = {4096, 256};
	int cases = test_cases(20), inside = 0, close = 0, bad = 0, i;

	for (i = 0; i < cases; i++) {
		size_t n = grid(s, two, 2, 3, 0.05, &random);
		bad += ft_laws_fit_many(&laws, s, n, 2, NULL) != FT_OK;
		bad += ft_laws_predict_many(&laws, at, 0.95, FT_LAW_MEAN, &p, NULL) != FT_OK;
		inside += p.lower <= two(at) && two(at) <= p.upper;
		close += fabs(p.value / two(at) - 1) < 0.3;
		for (size_t j = 0; j < n; j++)
			other[j] = s[n - 1 - j];
		bad += ft_laws_fit_many(&turned, other, n, 2, NULL) != FT_OK;
		bad += memcmp(&laws, &turned, sizeof laws) != 0;
	}
	ok(!bad, "the order of samples changes nothing");
	ok(close >= 0.7 * cases, "%d of %d within 30 %% of the truth, 4 times beyond in both", close, cases);
	ok(inside >= 0.6 * cases, "%d within the interval of 95 %%", inside);
}

/* A product that begins to show at two of ten sizes: runs cannot tell which parameter it is that grows. */
static double begins(const double *x)
{
	return 0.1 + 1e-7 * x[0] * x[1];
}

static void hidden(void)
{
	static const double size[][2] = {{10, 10},   {40, 10},   {10, 30},    {40, 30},
					 {70, 80},   {950, 180}, {40, 400},   {120, 1000},
					 {1500, 20}, {950, 700}, {2000, 790}, {10, 790}};
	enum { SIZES = sizeof size / sizeof *size };
	static struct ft_laws_many laws;
	struct ft_random random = {test_seed()};
	int cases = test_cases(40), held = 0, believed = 0, asked = 0, i;
	struct ft_law_place s[SIZES];
	struct ft_law_prediction p;

	for (i = 0; i < cases; i++) {
		double at[2];

		for (size_t k = 0; k < SIZES; k++) {
			s[k] = (struct ft_law_place){{size[k][0], size[k][1]}, 0};
			s[k].value = begins(s[k].x) * (1 + 0.2 * ft_random_normal(&random));
			s[k].value = fmax(s[k].value, 0.03);
		}
		if (ft_laws_fit_many(&laws, s, SIZES, 2, NULL))
			continue;
		for (at[0] = 2e4; at[0] < 3e9; at[0] *= 10) {
			at[1] = 30;
			asked++;
			(void)ft_laws_predict_many(&laws, at, 0.9, FT_LAW_MEAN, &p, NULL);
			held += p.lower <= begins(at) && begins(at) <= p.upper;
			believed += p.upper < 1.5 * p.value;
		}
	}
	ok(held >= 0.8 * asked, "%d of %d within 90 %%, ten to a million times beyond", held, asked);
	ok(believed <= asked / 50, "%d of them told as known to a half", believed);
	ok(ft_laws_hidden(&laws, size[9]) == 0 && laws.hidden[0] > 0 && laws.hidden[1] > 0,
	   "nothing hides among the data");
}

static void refused(void)
{
	static struct ft_laws_many laws;
	struct ft_law_place s[6] = {{{1, 1}, 1}, {{2, 1}, 2}, {{3, 1}, 3},
				    {{4, 1}, 4}, {{5, 1}, 5}, {{6, 1}, 6}};
	struct ft_err err;

	ok(ft_laws_fit_many(&laws, s, 3, 2, &err) == FT_ENOMODEL && err.remedy[0], "%s", err.text);
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_ENOMODEL, "%s", err.text);
	s[0].x[1] = 2;
	s[5].value = 0;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_ENOMODEL && strstr(err.text, "the value is 0"), "%s",
	   err.text);
	s[5].value = -1;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_EINVAL, "%s", err.text);
	s[5].value = 6e200;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_EINVAL, "a cost whose square is none: %s", err.text);
	s[5].value = 6;
	s[5].x[0] = 0;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) != FT_EINVAL, "a size of 0 is one: %s", err.text);
	s[5].x[0] = -1;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_EINVAL, "the first parameter: %s", err.text);
	s[5].x[0] = 6;
	s[5].x[1] = NAN;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_EINVAL, "the second one: %s", err.text);
	s[5].x[1] = 1;
	s[0].value = NAN;
	ok(ft_laws_fit_many(&laws, s, 6, 2, &err) == FT_EINVAL && strstr(err.text, "sample 0"), "%s",
	   err.text);
}

static void faults(void)
{
	static struct ft_laws_many laws;
	struct ft_random random = {1};
	struct ft_law_place s[MOST];
	size_t n = grid(s, two, 2, 1, 0, &random);
	unsigned long at, bad = 0;

	for (at = 1; at < 50; at++) {
		(void)ft_alloc_fail_at(at);
		enum ft_status status = ft_laws_fit_many(&laws, s, n, 2, NULL);
		if (ft_alloc_fail_at(0) < at)
			break;
		bad += status != FT_ENOMEM || laws.candidates != 0;
	}
	ok(at > 5 && at < 50 && !bad, "%lu allocations, each may fail", at - 1);
}

/* ---- document 002 ---------------------------------------------------------------------------------------
 */

static void power(void)
{
	struct ft_law_sample s[3];
	struct ft_law_named law;
	struct ft_law_prediction p;

	for (size_t i = 0; i < 3; i++) {
		s[i].x = 128 << i;
		s[i].value = 9570.11 * pow(s[i].x, 1.0858);
	}
	ok(!ft_law_named_fit(&law, FT_LAW_POWER, 0, s, 3, NULL) && near(law.law.term[0].c, 9570.11, 1e-9) &&
		   near(law.law.term[0].factor[0].power, 1.0858, 1e-9),
	   "the power law of 002 chapter 6 from three sizes");
	/* ln values 0, 1, 3 at ln sizes 0, 1, 2: slope 3/2, level -1/6; what is left is 1/6, -1/3, 1/6 */
	for (size_t i = 0; i < 3; i++)
		s[i] = (struct ft_law_sample){exp((double)i), exp((double)(i == 2 ? 3 : i))};
	ok(!ft_law_named_fit(&law, FT_LAW_POWER, 0, s, 3, NULL) &&
		   near(law.law.term[0].factor[0].power, 1.5, 1e-12) &&
		   near(law.law.term[0].c, exp(-1.0 / 6), 1e-12) && near(law.deviation, sqrt(1.0 / 6), 1e-12),
	   "by hand");
	ok(near(law.mean_error, (2 * -expm1(-1.0 / 6) + expm1(1.0 / 3)) / 3, 1e-12) &&
		   near(law.largest_error, expm1(1.0 / 3), 1e-12) &&
		   near(law.residual,
			sqrt((1 + exp(6)) * pow(expm1(-1.0 / 6), 2) + exp(2) * pow(expm1(1.0 / 3), 2)),
			1e-12),
	   "its errors by hand: mean %g, largest %g, residual %g", law.mean_error, law.largest_error,
	   law.residual);
	/* at ln size 1, the centre: t(0.9, 1) sqrt(1/6) sqrt(1/3 + 1) */
	ok(!ft_law_named_predict(&law, exp(1), 0.9, FT_LAW_RUN, &p, NULL) &&
		   near(log(p.upper / p.value), 6.313751514675 * sqrt(1.0 / 6) * sqrt(4.0 / 3), 1e-9),
	   "its interval by hand");
	ok(!ft_law_named_fit(&law, FT_LAW_POWER, 0, s, 2, NULL) &&
		   !ft_law_named_predict(&law, 9, 0.9, FT_LAW_RUN, &p, NULL) && isnan(p.upper),
	   "two sizes: no interval");
}

/* A polynomial of degree 2 in log2 n from its own values; and of least norm where sizes are too few. */
static void polylog(void)
{
	struct ft_law_sample s[8];
	struct ft_law_named law;
	struct ft_law_prediction p;
	double norm = 0;

	for (size_t i = 0; i < 8; i++) {
		double l = (double)i + 3;

		s[i] = (struct ft_law_sample){exp2(l), 7 - 2 * l + 0.5 * l * l};
	}
	ok(!ft_law_named_fit(&law, FT_LAW_POLYLOG, 2, s, 8, NULL) && near(law.law.constant, 7, 1e-9) &&
		   near(law.law.term[0].c, 0.5, 1e-9) && near(law.law.term[1].c, -2, 1e-9) && law.rank == 3,
	   "7 - 2 l + l^2 / 2");
	ok(!ft_law_named_predict(&law, exp2(20), 0.9, FT_LAW_RUN, &p, NULL) && near(p.value, 167, 1e-8),
	   "beyond");
	ok(!ft_law_named_fit(&law, FT_LAW_POLYLOG, 5, s, 5, NULL) && law.rank == 5 &&
		   law.largest_error < 1e-6,
	   "six coefficients from five sizes: it passes through all (002 section 5.3)");
	ok(!ft_law_named_predict(&law, 100, 0.9, FT_LAW_RUN, &p, NULL) && isnan(p.lower),
	   "without an interval");
	s[0] = s[1] = (struct ft_law_sample){2, 1};
	s[2] = (struct ft_law_sample){4, 1.5};
	ok(!ft_law_named_fit(&law, FT_LAW_POLYLOG, 2, s, 3, NULL) && law.sizes == 2 && law.rank == 2,
	   "two sizes");
	norm = law.law.constant * law.law.constant + law.law.term[0].c * law.law.term[0].c +
	       law.law.term[1].c * law.law.term[1].c;
	/* x + y + z = 1 and x + 2 y + 4 z = 1.5: least at z = 1/28, y = 11/28, x = 16/28 */
	ok(near(norm, 27.0 / 56, 1e-9), "least norm, by hand");
	ok(ft_law_named_fit(&law, FT_LAW_POLYLOG, 6, s, 3, NULL) == FT_EINVAL, "degree 6 is too high");
}

/* Two laws that say nothing below 1, and a third that does: it alone answers. */
static void silent(void)
{
	static struct ft_laws_many laws;
	struct ft_law_prediction p = {0};
	struct ft_err err;
	double x[2] = {0.5, 0}, one[2] = {2, 3};

	laws.params = 2;
	laws.candidates = 3;
	laws.noise = 0.1;
	for (size_t i = 0; i < 3; i++) {
		struct ft_law_candidate *c = &laws.candidate[i];

		laws.least[i % 2] = laws.most[i % 2] = 2;
		c->weight = i < 2 ? 0.4 : 0.2;
		c->law = (struct ft_law){.params = 2, .terms = i < 2, .constant = i < 2 ? 0 : 7};
		c->law.term[0].c = i ? 1 : -1;
		c->law.term[0].factor[i].power = i ? -1 : 1;
	}
	(void)ft_laws_predict_many(&laws, x, 0.9, FT_LAW_MEAN, &p, &err);
	ok(near(p.value, 7, 1e-3) && near(p.median, 7, 1e-3), "what has no value has no say: %g", p.value);
	ok(ft_laws_predict_many(&laws, one, 0.4, FT_LAW_MEAN, &p, &err) == FT_EINVAL, "%s", err.text);
	one[1] = -1;
	ok(ft_laws_predict_many(&laws, one, 0.9, FT_LAW_MEAN, &p, &err) == FT_EINVAL, "%s", err.text);
	laws.candidates = 2;
	ok(ft_laws_predict_many(&laws, x, 0.9, FT_LAW_MEAN, &p, &err) == FT_EINVAL, "%s", err.text);
}

int main(void)
{
	exact();
	mixed();
	scattered(3);
	scattered(4);
	noisy();
	hidden();
	refused();
	silent();
	faults();
	power();
	polylog();
	return done();
}
