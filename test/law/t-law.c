/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-law.c - laws of one parameter by hand: exact ones, texts, breaks, zeros, what obeys no law. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/base.h"
#include "foretime/law.h"
#include "law/door.h"
#include "tap.h"

enum { MOST = 200 };

/* Samples of a law at n sizes, `runs` each, from `least` on by a factor of 2. */
static size_t sample_law(struct ft_law_sample *s, const struct ft_law *law, double least, size_t n,
			 size_t runs)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < runs; j++) {
			s[count].x = ldexp(least, (int)i);
			s[count].value = ft_law_value(law, &s[count].x);
			count++;
		}
	return count;
}

static struct ft_law law_of(double constant, double c, double power, double logarithm)
{
	struct ft_law law = {.params = 1, .terms = 1, .constant = constant, .term = {{.c = c}}};

	law.term[0].factor[0] = (struct ft_law_factor){.power = power, .log = logarithm};
	return law;
}

static bool formats(const struct ft_law *law, int digits, const char *expected)
{
	char text[256];
	size_t length = ft_law_format(law, NULL, digits, text, sizeof text);
	bool good = !strcmp(text, expected) && length == strlen(expected);

	if (!good)
		diag("'%s' instead of '%s'", text, expected);
	return good;
}

static void texts(void)
{
	struct ft_law law = law_of(0.012, 3.1e-9, 3, 0), two = law_of(-5, 2, 1, 1), none = {.params = 1};
	struct ft_law third = law_of(0, 1.5, 5.0 / 3, 2), free_power = law_of(0, 9570.11, 1.0858, 0);
	struct ft_law_factor factor = {.power = 1, .log = 1};
	char text[64], small[6];

	ok(formats(&law, 4, "3.1e-09*n^3 + 0.012"), "a cubic and a constant");
	ok(formats(&third, 4, "1.5*n^(5/3)*log2(n)^2"), "thirds are fractions");
	ok(formats(&free_power, 6, "9570.11*n^1.0858"), "a free exponent");
	ok(formats(&none, 4, "0"), "no term at all");
	two.terms = 2;
	two.term[1].c = -0.25;
	two.term[1].factor[0].power = 0.5;
	ok(formats(&two, 4, "2*n*log2(n) - 0.25*n^0.5 - 5"), "negative coefficients are subtracted");
	ok(ft_law_format(&law, NULL, 4, small, sizeof small) == 19 && !strcmp(small, "3.1e-"),
	   "a short buffer gets the beginning, and the length is told");
	(void)ft_law_class_format(&factor, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n"), "n log n");
	factor = (struct ft_law_factor){.log = 2};
	(void)ft_law_class_format(&factor, "x", text, sizeof text);
	ok(!strcmp(text, "log^2 x"), "log^2 x");
	factor = (struct ft_law_factor){0};
	(void)ft_law_class_format(&factor, "x", text, sizeof text);
	ok(!strcmp(text, "constant"), "constant");
}

/* What is printed with 17 digits is read back by the parser of expressions, and has the same values. */
static void read_back(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(300), bad = 0, i;

	for (i = 0; i < cases; i++) {
		struct ft_law law = {.params = 2, .terms = 2, .constant = ft_random_normal(&random)};
		const char *const names[] = {"size", "m"};
		double x[2] = {2 + 1000 * ft_random_uniform(&random), 2 + 10 * ft_random_uniform(&random)};
		struct ft_expr *expr;
		char text[512];
		double value;

		for (size_t t = 0; t < 2; t++) {
			law.term[t].c = exp(20 * ft_random_uniform(&random) - 10);
			for (size_t p = 0; p < 2; p++)
				law.term[t].factor[p] = (struct ft_law_factor){
					.power = (double)ft_random_below(&random, 37) / 12,
					.log = (double)ft_random_below(&random, 3)};
		}
		if (i % 2)
			law.term[0].factor[0].power = ft_random_normal(&random);
		(void)ft_law_format(&law, names, 17, text, sizeof text);
		if (ft_expr_new(&expr, text, NULL) || ft_expr_eval(expr, names, x, 2, &value, NULL) ||
		    !near(value, ft_law_value(&law, x), 1e-12)) {
			diag("seed %llu: %s", (unsigned long long)test_seed(), text);
			bad++;
		}
		ft_expr_free(expr);
	}
	ok(!bad, "%d random laws read back as expressions", cases);
}

/* Each of the usual laws is found from exact samples, and foretold exactly. */
static void exact_laws(void)
{
	static const double shape[][2] = {{0, 1}, {0.5, 0}, {1, 0}, {1, 1},      {1.5, 0},
					  {2, 0}, {2, 1},   {3, 0}, {1.0 / 3, 2}};
	struct ft_law_sample s[MOST];
	struct ft_law_prediction p;
	struct ft_laws laws;

	for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
		struct ft_law law = law_of(17, 0.3, shape[i][0], shape[i][1]);
		double at = 8192;
		size_t n = sample_law(s, &law, 64, 5, 5);

		ok(!ft_laws_fit(&laws, s, n, NULL, NULL) && laws.exact && laws.law.terms == 1 &&
			   laws.kind[0].factor.power == shape[i][0] &&
			   laws.kind[0].factor.log == shape[i][1] && laws.kind[0].weight > 0.99,
		   "n^%.3g log^%g n is found", shape[i][0], shape[i][1]);
		ok(!ft_laws_predict(&laws, at, 0.9, FT_LAW_MEAN, &p, NULL) &&
			   near(p.value, ft_law_value(&law, &at), 1e-12) && p.lower <= p.value &&
			   p.value <= p.upper && p.wide_lower <= p.lower && p.upper <= p.wide_upper,
		   "... and foretold");
	}
}

static void several_terms(void)
{
	struct ft_law law = law_of(1000, 12, 1, 1);
	struct ft_law_options options = {.terms = 3};
	struct ft_law_sample s[MOST];
	struct ft_laws laws;
	char text[128];

	law.terms = 2;
	law.term[1].c = 37;
	law.term[1].factor[0].power = 1;
	size_t n = sample_law(s, &law, 64, 10, 1);
	ok(!ft_laws_fit(&laws, s, n, NULL, NULL) && laws.called && laws.terms == 2 && laws.exact,
	   "two are called for");
	(void)ft_law_format(&laws.law, NULL, 8, text, sizeof text);
	ok(!strcmp(text, "12*n*log2(n) + 37*n + 1000"), "and found");
	law.terms = 3;
	law.term[2].c = 0.25;
	law.term[2].factor[0].power = 2;
	n = sample_law(s, &law, 64, 10, 1);
	ok(!ft_laws_fit(&laws, s, n, &options, NULL) && laws.terms == 3 && laws.exact && laws.law.terms == 3,
	   "three when asked for");
	ok(near(laws.law.term[0].c, 0.25, 1e-9) && near(laws.law.constant, 1000, 1e-7),
	   "with their coefficients");
}

/* Over a factor of 700 in size a constant that counts at the smallest one is 1e-9 of a cubic at the largest.
 */
static void wide_range(void)
{
	struct ft_random random = {test_seed()};
	struct ft_law law = law_of(64 * 64 * 64, 1, 3, 0);
	struct ft_law_sample s[MOST];
	struct ft_law_prediction p;
	struct ft_laws laws;
	double at = 131072;

	for (size_t i = 0; i < 60; i++) {
		s[i].x = floor(64 * pow(2, (double)(i / 3) / 2));
		s[i].value = ft_law_value(&law, &s[i].x) * (1 + 0.02 * ft_random_normal(&random));
	}
	ok(!ft_laws_fit(&laws, s, 60, NULL, NULL) && laws.kind[0].factor.power == 3 &&
		   laws.kind[0].weight > 0.9,
	   "a cubic over a wide range is one");
	ok(!ft_laws_predict(&laws, at, 0.9, FT_LAW_MEAN, &p, NULL) &&
		   near(p.value, ft_law_value(&law, &at), 0.03),
	   "and is foretold");
}

static void breaks(void)
{
	struct ft_random random = {test_seed()};
	struct ft_law_sample s[MOST];
	struct ft_law_prediction p;
	struct ft_laws laws;
	struct ft_law_options unbroken = {.unbroken = true};
	size_t n = 0;

	for (size_t i = 0; i < 12; i++)
		for (size_t j = 0; j < 3; j++) {
			double x = 64 * pow(2, (double)i / 2);

			s[n].x = x;
			s[n++].value =
				(x < 1000 ? 1e-9 : 4e-9) * x * x * (1 + 0.02 * ft_random_normal(&random));
		}
	ok(!ft_laws_fit(&laws, s, n, NULL, NULL) && laws.breaks == 1, "a cache edge is seen");
	ok(near(laws.broken[0].after, 64 * pow(2, 3.5), 1e-12) && near(laws.broken[0].from, 1024, 1e-12),
	   "where it is");
	ok(!ft_laws_predict(&laws, 16384, 0.9, FT_LAW_RUN, &p, NULL) && p.wide_lower < 1.0737 &&
		   p.wide_upper > 1.0737 && fabs(log(p.value / 1.0737)) < 0.5,
	   "beyond it the law of the larger sizes holds: %g s", p.value);
	ok(!ft_laws_predict(&laws, 32, 0.9, FT_LAW_RUN, &p, NULL) && near(p.value, 1.024e-6, 0.15),
	   "below it the other one");
	ok(!ft_laws_fit(&laws, s, n, &unbroken, NULL) && !laws.breaks, "none when none is wanted");
}

/* Two terms, each as large as the other within the data: no law of one is near it. */
static void no_break(void)
{
	struct ft_random random = {test_seed()};
	struct ft_law law = law_of(0, 1, 0.5, 0);
	struct ft_law_options options = {.terms = 1};
	struct ft_law_sample s[MOST];
	struct ft_laws laws;
	size_t i;

	law.terms = 2;
	law.term[1].c = 1e-6;
	law.term[1].factor[0].power = 3;
	size_t n = sample_law(s, &law, 8, 12, 3);
	for (i = 0; i < n; i++)
		s[i].value *= 1 + 0.002 * ft_random_normal(&random);
	i = ft_laws_fit(&laws, s, n, &options, NULL);
	ok(!i && laws.terms == 1 && !laws.breaks,
	   "what two terms explain is no break, also where one is asked for: %zu", laws.breaks);
}

/* From each size on three times as much: a break is told where three sizes stand before and two behind it, or
 * at the place next to there; none where the first size alone is another. */
static void break_ends(void)
{
	static const size_t sizes[] = {6, 7, 11};
	struct ft_law_knot knot[11];
	struct ft_laws laws;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		size_t n = sizes[i], wrong = 0;

		for (size_t at = 0; at < n; at++) {
			size_t told = at < 3 ? 3 : at > n - 2 ? n - 2 : at;

			for (size_t k = 0; k < n; k++) {
				double x = (double)(10 << k), odd = 1 + 0.01 * ((double)(7 * k % 5) - 2);

				knot[k] = (struct ft_law_knot){x, x * odd * (at && k >= at ? 3 : 1), 2, 2e-4};
			}
			wrong += ft_laws_fit_knots(&laws, knot, n, NULL, NULL) != FT_OK;
			wrong += laws.breaks != (at > 1);
			wrong += at > 1 && (laws.broken[0].from != knot[told].x ||
					    laws.broken[0].after != knot[told - 1].x);
		}
		ok(!wrong, "%zu sizes, a break at each: %zu are told otherwise", n, wrong);
	}
}

/* Among so many sizes not every place is looked at, but the one that it is at is found; the last ones too. */
static void many_sizes(void)
{
	enum { SIZES = 6000 };
	static const size_t at[] = {40, 2917, SIZES - 7};
	struct ft_random random = {test_seed()};
	struct ft_law_sample *s = ft_malloc(SIZES * sizeof *s);
	struct ft_laws laws;

	for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
		for (size_t i = 0; i < SIZES; i++) {
			s[i].x = (double)i + 1;
			s[i].value =
				(i < at[k] ? 1e-3 : 2e-3) * s[i].x * (1 + 0.02 * ft_random_normal(&random));
		}
		ok(!ft_laws_fit(&laws, s, SIZES, NULL, NULL) && laws.breaks == 1 &&
			   near(laws.broken[0].from, (double)at[k] + 1, 1e-12),
		   "a break at %zu of %d sizes: %g", at[k], SIZES, laws.broken[0].from);
	}
	ft_free(s);
}

static void zeros(void)
{
	struct ft_law_sample s[8];
	struct ft_law_prediction p;
	struct ft_laws laws;
	struct ft_err err;

	for (size_t i = 0; i < 8; i++)
		s[i] = (struct ft_law_sample){(double)i, 0};
	ok(!ft_laws_fit(&laws, s, 8, NULL, NULL) && laws.exact && laws.law.constant == 0 && !laws.law.terms &&
		   !ft_laws_predict(&laws, 1e6, 0.9, FT_LAW_RUN, &p, NULL) && p.upper == 0,
	   "0 everywhere is a law");
	for (size_t i = 3; i < 8; i++)
		s[i].value = 3 * s[i].x + 2;
	ok(!ft_laws_fit(&laws, s, 8, NULL, NULL) && laws.zeros == 3 && laws.least == 3 &&
		   near(laws.law.term[0].c, 3, 1e-9),
	   "0 at the smallest sizes: the law is of the others");
	ok(!ft_laws_predict(&laws, 1, 0.9, FT_LAW_RUN, &p, NULL) && p.value == 0, "and it is 0 below");
	s[5].value = 0;
	ok(ft_laws_fit(&laws, s, 8, NULL, &err) == FT_ENOMODEL && strstr(err.text, "size 5"),
	   "0 again is no law: %s", err.text);
}

static void refused(void)
{
	struct ft_law_sample s[3] = {{1, 1}, {2, 2}, {3, -1}};
	struct ft_law_knot knot[2] = {{2, 1, 1, 0}, {1, 1, 1, 0}};
	struct ft_law_prediction p;
	struct ft_laws laws;
	struct ft_err err;

	ok(ft_laws_fit(&laws, s, 3, NULL, &err) == FT_EINVAL && strstr(err.text, "sample 2"), "negative: %s",
	   err.text);
	s[2].value = (double)NAN;
	ok(ft_laws_fit(&laws, s, 3, NULL, &err) == FT_EINVAL, "not a number");
	s[2] = (struct ft_law_sample){-1, 1};
	ok(ft_laws_fit(&laws, s, 3, NULL, &err) == FT_EINVAL, "a negative size");
	s[2] = (struct ft_law_sample){3, 5e-301};
	ok(ft_laws_fit(&laws, s, 3, NULL, &err) == FT_EINVAL && strstr(err.text, "sample 2"),
	   "a cost whose square is none: %s", err.text);
	s[2].value = 1e150;
	ok(ft_laws_fit(&laws, s, 3, NULL, &err) == FT_EINVAL, "a cost whose square is nearly none");
	ok(ft_laws_fit(&laws, s, 1, NULL, &err) == FT_ENOMODEL && err.remedy[0], "one size: %s", err.text);
	ok(ft_laws_fit(&laws, s, 0, NULL, &err) == FT_ENOMODEL, "none: %s", err.text);
	ok(ft_laws_fit_knots(&laws, knot, 2, NULL, &err) == FT_EINVAL &&
		   strstr(err.text, "size 1 does not stand after size 2"),
	   "not ascending: %s", err.text);
	knot[0] = (struct ft_law_knot){0.5, 1e-200, 1, 0};
	ok(ft_laws_fit_knots(&laws, knot, 2, NULL, &err) == FT_EINVAL, "a mean whose square is none: %s",
	   err.text);
	ok(ft_laws_fit_knots(&laws, (struct ft_law_knot[]){{1, 0, 1, 0}, {2, 0, 1, 0}, {3, 5, 1, 0}}, 3, NULL,
			     &err) == FT_ENOMODEL &&
		   strstr(err.text, "at all sizes but 3"),
	   "%s", err.text);
	ok(!ft_laws_fit(&laws, s, 2, NULL, NULL) && !ft_laws_predict(&laws, 8, 0.9, FT_LAW_RUN, &p, NULL) &&
		   p.upper / p.lower > 1.5,
	   "two sizes: little is known, and that is told: %g .. %g", p.lower, p.upper);
	ok(ft_laws_predict(&laws, -1, 0.9, FT_LAW_RUN, &p, NULL) == FT_EINVAL &&
		   ft_laws_predict(&laws, 1, 1, FT_LAW_RUN, &p, NULL) == FT_EINVAL,
	   "no such size, no such confidence");
}

/* A law says what it says at 0 as well, if it has a value there, and nothing below. */
static void best_at_zero(void)
{
	struct ft_law_sample s[] = {{1, 9}, {2, 11}, {4, 15}, {8, 23}, {16, 39}};
	static struct ft_laws laws;
	double ln = 0, variance = 0;

	ok(!ft_laws_fit(&laws, s, 5, NULL, NULL) && ft_laws_best(&laws, 0, &ln, &variance), "7 + 2 n at 0");
	ok(near(ln, log(7), 1e-6) && variance >= 0, "it is %g", exp(ln));
	ok(!ft_laws_best(&laws, -1, &ln, &variance) && !ft_laws_best(&laws, NAN, &ln, &variance) &&
		   !ft_laws_best(&laws, INFINITY, &ln, &variance),
	   "what is no size has none");
}

static void words(void)
{
	struct ft_laws laws = {.kind = {{{.power = 1, .log = 1}, 0.81}, {{.power = 1}, 0.02}}};
	char text[128];

	(void)ft_laws_words(&laws, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n (0.81), not n (0.02)"), "%s", text);
	laws.kind[1].weight = 0.06;
	(void)ft_laws_words(&laws, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n (0.81), perhaps n (0.06)"), "%s", text);
	laws.kind[1].weight = 0.3;
	laws.kind[0].weight = 0.48;
	(void)ft_laws_words(&laws, "m", text, sizeof text);
	ok(!strcmp(text, "m log m (0.48), perhaps m (0.30)"), "%s", text);
	laws.kind[2] = (struct ft_law_class){{.power = 2}, 0.2};
	(void)ft_laws_words(&laws, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n (0.48), perhaps n (0.30) or n^2 (0.20)"), "%s", text);
	laws.kind[2].weight = 0.19;
	laws.kind[1].weight = 0.04;
	(void)ft_laws_words(&laws, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n (0.48), perhaps n (0.04)"), "%s", text);
	laws.kind[0].weight = 0.5;
	(void)ft_laws_words(&laws, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n (0.50), not n (0.04)"), "%s", text);
	laws.kind[1].weight = 0.05;
	ok(ft_laws_words(&laws, NULL, text, sizeof text) == strlen(text) &&
		   !strcmp(text, "n log n (0.50), perhaps n (0.05)"),
	   "%s", text);
	laws.kind[0].weight = 1;
	laws.kind[1].weight = 0;
	(void)ft_laws_words(&laws, NULL, text, sizeof text);
	ok(!strcmp(text, "n log n (1.00), not n (0.00)"), "%s", text);
}

/* Each allocation that fails is told, and leaves nothing behind. */
static void faults(void)
{
	struct ft_law law = law_of(3, 2, 1, 1);
	struct ft_law_options options = {.terms = 2};
	struct ft_law_sample s[MOST];
	static struct ft_laws laws;
	unsigned long at, bad = 0;

	law.terms = 2;
	law.term[1].c = 0.1;
	law.term[1].factor[0].power = 2;
	size_t n = sample_law(s, &law, 64, 6, 3);
	s[0].value *= 1.1;
	for (at = 1; at < 200; at++) {
		(void)ft_alloc_fail_at(at);
		enum ft_status status = ft_laws_fit(&laws, s, n, &options, NULL);
		if (ft_alloc_fail_at(0) < at)
			break;
		bad += status != FT_ENOMEM || laws.points != 0;
	}
	ok(at > 5 && at < 200 && !bad, "%lu allocations, each may fail", at - 1);
}

/* Laws with logarithms do not exist below 1: the others answer there, or none does. */
static void below_one(void)
{
	struct ft_law_sample sample[12], noisy[5];
	struct ft_law_prediction p;
	struct ft_laws laws;
	struct ft_err err;

	for (size_t i = 0; i < 12; i++) {
		double x = (double)(1 << i);

		sample[i] = (struct ft_law_sample){x, 10 + x * (double)i};
		if (i < 5)
			noisy[i] = (struct ft_law_sample){x, 10 + x * (i % 2 ? 1.2 : 0.8)};
	}
	ok(!ft_laws_fit(&laws, sample, 12, NULL, NULL) &&
		   ft_laws_predict(&laws, 1 - 1e-9, 0.9, FT_LAW_RUN, &p, &err) == FT_EINVAL,
	   "just below 1: %s", err.text);
	ok(!ft_laws_fit(&laws, noisy, 5, NULL, NULL) &&
		   !ft_laws_predict(&laws, 1 - 1e-9, 0.9, FT_LAW_RUN, &p, NULL) && p.lower <= p.value &&
		   p.value <= p.upper && p.value > 5 && p.value < 20,
	   "where other laws are possible, they answer");
}

/* Of so many sizes no polynomial has more coefficients. */
static void few_sizes(void)
{
	struct ft_law_sample s[12];
	size_t wrong = 0;

	for (size_t n = 2; n <= 12; n++) {
		struct ft_law_named named;
		struct ft_law_prediction p = {0};

		for (size_t i = 0; i < n; i++)
			s[i] = (struct ft_law_sample){ldexp(1, (int)i + 1), 3 + 2 * ((double)i + 1)};
		wrong += ft_law_named_fit(&named, FT_LAW_POLYLOG, 0, s, n, NULL) != FT_OK ||
			 named.law.terms + 1 > (n < 6 ? n : 6) ||
			 ft_law_named_predict(&named, 3, 0.9, FT_LAW_MEAN, &p, NULL) != FT_OK ||
			 !near(p.value, 3 + 2 * log2(3), 1e-6);
	}
	ok(!wrong, "a polynomial of log n through 2 to 12 sizes: %zu wrong", wrong);
}

int main(void)
{
	texts();
	read_back();
	exact_laws();
	several_terms();
	wide_range();
	breaks();
	no_break();
	break_ends();
	few_sizes();
	many_sizes();
	zeros();
	refused();
	best_at_zero();
	words();
	faults();
	below_one();
	return done();
}
