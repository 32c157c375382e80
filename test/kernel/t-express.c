/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: exact at sizes that they have not seen, or refused. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "kernel/kernel.h"
#include "subject.h"
#include "tap.h"

/* Newton's differences of known polynomials, without a compiler. */
static void known(void)
{
	struct ft_kernel_expressions e = {.n = 1, .degree = 3, .variable = {{"n", 16, 16}}};
	double out[FT_KERNEL_COUNTS];
	int64_t f[4], value;

	e.count = calloc(FT_KERNEL_COUNTS, sizeof *e.count);
	ft_kernel_exponents(&e);
	ok(e.terms == 4, "four terms up to the third degree");
	for (int i = 0; i < 4; i++)
		f[i] = (int64_t)(16 + 16 * i) * (16 + 16 * i) * (16 + 16 * i);
	for (int level = 1; level < 4; level++)
		for (int i = 3; i >= level; i--)
			f[i] -= f[i - 1];
	memcpy(e.count[0].difference, f, sizeof f);
	e.count[0].known = true;
	ft__polynomial_text(&e, &e.count[0]);
	ok(!strcmp(e.count[0].text, "n^3"), "n^3: %s", e.count[0].text);
	value = 160000;
	ok(!ft_kernel_evaluate(&e, &value, out, NULL) && out[0] == 4.096e15 && isnan(out[1]),
	   "exact at 160000");
	value = 40;
	ok(ft_kernel_evaluate(&e, &value, out, NULL) == FT_EINVAL, "outside of its class it is refused");
	value = 0;
	ok(ft_kernel_evaluate(&e, &value, out, NULL) == FT_EINVAL, "below the first size it is refused");
	value = (int64_t)16 << 40;
	ok(ft_kernel_evaluate(&e, &value, out, NULL) == FT_EINVAL, "beyond 2^63 it is refused");
	ft_kernel_expressions_clear(&e);
}

static void orders(void)
{
	for (size_t n = 1; n <= FT_KERNEL_VARIABLES; n++) {
		struct ft_kernel_expressions e = {.n = n, .degree = FT_KERNEL_DEGREE};
		size_t expected = n == 1 ? 9 : n == 2 ? 45 : FT_KERNEL_TERMS, twice = 0;

		ft_kernel_exponents(&e);
		for (size_t i = 0; i < e.terms; i++)
			for (size_t k = 0; k < i; k++)
				twice += !memcmp(e.exponent[i], e.exponent[k], sizeof e.exponent[i]);
		ok(e.terms == expected && !twice, "%zu arguments: %zu different terms", n, e.terms);
	}
}

/* The text says the same as the differences. */
static bool text_agrees(const struct ft_kernel_expressions *e, size_t count, const int64_t value[],
			double expected)
{
	const char *name[FT_KERNEL_VARIABLES];
	double number[FT_KERNEL_VARIABLES], out = NAN;
	struct ft_expr *expr;

	for (size_t j = 0; j < e->n; j++) {
		name[j] = e->variable[j].name;
		number[j] = (double)value[j];
	}
	if (ft_expr_new(&expr, e->count[count].text, NULL))
		return false;
	(void)ft_expr_eval(expr, name, number, e->n, &out, NULL);
	ft_expr_free(expr);
	return near(out, expected, 1e-9) || fabs(out - expected) < 1e-6;
}

/* How many of the counts are wrong at a size, with how many known. */
static size_t wrong_at(const struct ft_kernel *kernel, struct ft_kernel_launch launch,
		       struct ft_kernel_argument *argument, const struct ft_kernel_expressions *e,
		       const int64_t value[])
{
	struct ft_kernel_options all = ft_kernel_options_default();
	struct ft_kernel_features f;
	double told[FT_KERNEL_COUNTS];
	size_t wrong = 0;
	struct ft_err err = {0};

	all.groups = 0;
	all.steps = 1e10;
	for (size_t j = 0; j < e->n; j++)
		for (size_t i = 0; i < launch.n; i++)
			if (!strcmp(argument[i].name, e->variable[j].name))
				argument[i].value = (double)value[j];
	if (ft_kernel_evaluate(e, value, told, &err) || ft_kernel_features(&f, kernel, &launch, &all, &err)) {
		diag("%s", err.text);
		return FT_KERNEL_COUNTS;
	}
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
		if (e->count[i].known && (told[i] != f.count[i] || !text_agrees(e, i, value, told[i]))) {
			diag("%s: %s: %s: %.17g, counted %.17g", ft_kernel_name(kernel),
			     ft_kernel_count_name(i), e->count[i].text, told[i], f.count[i]);
			wrong++;
		}
	ft_kernel_features_clear(&f);
	return wrong;
}

static const struct row {
	const char *file, *kernel, *global[2], *local[2];
	struct {
		const char *name;
		double value;
		bool fixed;
	} argument[4];
	int refused; /* the count that is; -1: none of them */
	bool slow;   /* seconds */
} rows[] = {
	{"sampled.cl", "triangle", {"n"}, {"4"}, {{"n", 100, false}}, -1, false},
	{"sampled.cl",
	 "filter",
	 {"w", "h"},
	 {"8", "8"},
	 {{"w", 64, false}, {"h", 64, true}, {"size", 5, false}},
	 -1,
	 true},
	{"kernels.cl",
	 "product_first",
	 {"nj", "ni"},
	 {"8", "8"},
	 {{"ni", 48, false}, {"nj", 48, false}, {"nk", 40, false}},
	 -1,
	 true},
	{"kernels.cl", "jacobi", {"n", "n"}, {"16", "8"}, {{"n", 128, false}}, -1, false},
	{"kernels.cl", "covariance", {"m"}, {"8"}, {{"m", 64, false}, {"n", 32, false}}, -1, false},
	{"kernels.cl",
	 "rank_update",
	 {"n", "n"},
	 {"8", "8"},
	 {{"n", 48, false}, {"m", 20, false}},
	 -1,
	 false},
	{"kernels.cl",
	 "heat_tile",
	 {"n", "n"},
	 {"16", "16"},
	 {{"n", 64, false}, {"turns", 5, true}},
	 -1,
	 false},
	{"kernels.cl",
	 "nearest",
	 {"points"},
	 {"16"},
	 {{"points", 64, false}, {"centres", 5, false}, {"features", 8, false}},
	 -1,
	 true},
	{"hostile.cl", "alternates", {"64"}, {"8"}, {{"n", 33, false}}, -1, false},
	{"hostile.cl", "thresholds", {"64"}, {"8"}, {{"n", 2000, false}}, FT_KERNEL_F32_MULTIPLY, false},
	{"hostile.cl", "logarithm", {"64"}, {"8"}, {{"n", 200, false}}, FT_KERNEL_F32_ADD, false},
};

static void check(const struct row *row, const struct ft_kernel *kernel)
{
	struct ft_kernel_argument argument[4];
	struct ft_kernel_launch launch = {.argument = argument};
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_features there;
	struct ft_kernel_expressions e;
	struct ft_err err = {0};
	size_t wrong = 0, unknown = 0;

	for (; launch.n < 4 && row->argument[launch.n].name; launch.n++)
		argument[launch.n] = (struct ft_kernel_argument){.name = row->argument[launch.n].name,
								 .value = row->argument[launch.n].value,
								 .fixed = row->argument[launch.n].fixed};
	memcpy(launch.global, row->global, sizeof row->global);
	memcpy(launch.local, row->local, sizeof row->local);
	if (!ok(!ft_kernel_features(&there, kernel, &launch, &options, &err) &&
			!ft_kernel_express(&e, kernel, &launch, &options, &there, &err),
		"%s has expressions", row->kernel)) {
		diag("%s", err.text);
		return;
	}
	ft_kernel_features_clear(&there);
	for (size_t i = 0; i < FT_KERNEL_WARP_ACCESS; i++) /* how accesses lie may hang on more than sizes */
		unknown += !e.count[i].known;
	if (row->refused < 0)
		ok(!unknown, "%s: expressions of all counts", row->kernel);
	if (row->refused >= 0)
		ok(!e.count[row->refused].known, "%s: %s is refused", row->kernel,
		   ft_kernel_count_name((size_t)row->refused));
	for (int unseen = 0; unseen < (test_quick() ? 2 : 5); unseen++) {
		int64_t value[FT_KERNEL_VARIABLES];

		for (size_t j = 0; j < e.n; j++)
			value[j] = e.variable[j].first + e.variable[j].step * (9 + unseen * 2 - (int)j * 4);
		wrong += wrong_at(kernel, launch, argument, &e, value);
	}
	ok(!wrong, "%s: all that is given is exact at unseen sizes", row->kernel);
	ft_kernel_expressions_clear(&e);
}

/* Allocations that fail, ever further apart: all of it is told, and nothing is left behind. */
static void exhausted(const struct ft_kernel *kernel)
{
	const struct ft_kernel_argument n[] = {{.name = "n", .value = 33}};
	const struct ft_kernel_launch launch = {.global = {"8"}, .local = {"8"}, .argument = n, .n = 1};
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_expressions e;
	struct ft_err err = {0};
	enum ft_status status = FT_ENOMEM;
	unsigned long told = 0, tried = 0;

	for (unsigned long k = 1; k < 1000000 && status; k += 1 + k / 8) {
		(void)ft_alloc_fail_at(k);
		status = ft_kernel_express(&e, kernel, &launch, &options, NULL, &err);
		(void)ft_alloc_fail_at(0);
		told += status == FT_ENOMEM && !e.count;
		tried++;
		ft_kernel_expressions_clear(&e);
	}
	ok(!status && told > 10 && told + 1 == tried, "allocations that fail are told: %lu of %lu", told,
	   tried - 1);
}

int main(void)
{
	struct ft_err err = {0};

	known();
	orders();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ft_kernel *kernel;

		if (rows[i].slow && test_quick())
			continue;
		kernel = subject_open(rows[i].file, rows[i].kernel, &err);

		if (!kernel && subject_missing(&err)) {
			skip("expressions of kernels", err.text);
			break;
		}
		if (ok(kernel != NULL, "%s compiles", rows[i].kernel))
			check(&rows[i], kernel);
		if (kernel && !strcmp(rows[i].kernel, "alternates"))
			exhausted(kernel);
		ft_kernel_close(kernel);
	}
	return done();
}
