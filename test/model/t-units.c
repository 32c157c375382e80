/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-units.c - in which unit values and work are told, and in which order parameters stand, changes no answer.
 */
#include "base/alloc.h"
#include "model-test.h"
#include "tap.h"

enum { KINDS = 5, MANY = 3 };

/* What one is a model of: an engine of a time and of a count, a band, two of several parameters, the last
 * with footprints. */
static const char *const kinds[KINDS] = {"engine of times", "engine of values", "band", "process",
					 "process with footprints"};

static bool is_of_two(size_t kind)
{
	return kind >= MANY;
}

static double work_of(double x, double y)
{
	return x * x * y;
}

/* Made of a kind; ratio: of the unit of values, and of that of work; turned: the parameters change places. */
static struct ft_model *make(size_t kind, double value_ratio, double work_ratio, bool turned)
{
	static const size_t axes[] = {0, 1};
	static struct samples s;
	struct ft_random r = {test_seed() + kind};
	struct ft_model_options options = {.type = kind == 2 ? "band" : NULL, .through_speed = kind != 1};

	s.n = 0;
	if (is_of_two(kind)) {
		options.axis = axes;
		options.n_axes = 2;
	}
	for (size_t i = 0; i < (is_of_two(kind) ? 30 : 12); i++)
		for (size_t k = 0; k < 3; k++) {
			double x = 10 * pow(2, (double)(is_of_two(kind) ? i % 6 : i));
			double y = is_of_two(kind) ? 5 * pow(3, (double)(i / 6)) : 1;
			double value = value_ratio * (1e-4 * x + 1e-7 * work_of(x, y)) *
				       (x * y > 3000 ? 1.3 : 1) * exp(0.03 * ft_random_normal(&r));

			s.o[s.n++] = (struct ft_observation){{1 + is_of_two(kind), {x, y}},
							     work_ratio * work_of(x, y),
							     value,
							     0,
							     kind == 4 ? 8e3 * x * y : 0,
							     false,
							     0,
							     0,
							     0};
			if (turned)
				memcpy(s.o[s.n - 1].size.value, (const double[]){y, x}, 2 * sizeof(double));
		}
	return fit_as(&s, &options);
}

static struct ft_prediction ask_it(const struct ft_model *model, size_t kind, double x, double y,
				   double work_ratio, bool turned)
{
	struct ft_size size = {1 + is_of_two(kind), {turned ? y : x, turned ? x : y}};
	struct ft_prediction p;

	if (!model || ft_model_predict(model, &size, work_ratio * work_of(x, y), 0.9, &p, NULL))
		p.value = NAN;
	return p;
}

/* The largest ratio of what both say, inside and far beyond. */
static double apart(size_t kind, double value_ratio, double work_ratio, bool turned)
{
	struct ft_model *a = make(kind, 1, 1, false), *b = make(kind, value_ratio, work_ratio, turned);
	double step = test_quick() ? 2.1 : 1.37, x, y, worst = 0;

	for (x = 4; x < (is_of_two(kind) ? 1000 : 1e6); x *= step)
		for (y = is_of_two(kind) ? 3 : 1; y < (is_of_two(kind) ? 1e4 : 2); y *= 3.7) {
			struct ft_prediction p = ask_it(a, kind, x, y, 1, false),
					     q = ask_it(b, kind, x, y, work_ratio, turned);

			worst = fmax(worst, fabs(log(q.value / p.value / value_ratio)));
			worst = fmax(worst, fabs(log(q.upper / p.upper / value_ratio)));
			worst = fmax(worst, fabs(log(q.lower / p.lower / value_ratio)));
			worst = fmax(worst, fabs(q.known - p.known));
			worst = isnan(q.value + p.value) ? INFINITY : worst;
		}
	ft_model_free(a);
	ft_model_free(b);
	return worst;
}

/* Two arrays are what observations of one parameter are. */
static void test_xy(void)
{
	enum { N = 24 };
	struct ft_observation o[N] = {0};
	struct ft_model *xy, *usual;
	double x[N], y[N];
	size_t differ = 0;

	for (size_t i = 0; i < N; i++) {
		x[i] = floor(100 * pow(1.4, (double)(i / 2)));
		y[i] = 0.01 + 1e-6 * x[i] * x[i] * (i % 2 ? 1.02 : 1);
		o[i] = (struct ft_observation){.size = {1, {x[i]}}, .work = 1, .value = y[i]};
	}
	ok(!ft_model_fit_xy(&xy, x, y, N, NULL) && !ft_model_fit(&usual, o, N, NULL, NULL), "fitted");
	for (double at = 50; at < 1e5; at *= 1.3) {
		const struct ft_size size = {1, {at}};
		struct ft_prediction p, q;

		differ += ft_model_predict(xy, &size, 1, 0.9, &p, NULL) ||
			  ft_model_predict(usual, &size, 1, 0.9, &q, NULL) || p.value != q.value ||
			  p.lower != q.lower || p.upper != q.upper;
	}
	ok(!differ, "arrays give the model of their observations: %zu predictions differ", differ);
	ft_model_free(xy);
	ft_model_free(usual);
	ok(ft_model_fit_xy(&xy, x, y, 0, NULL) == FT_ENOMODEL && !xy, "no values: no model");
	y[3] = NAN;
	ok(ft_model_fit_xy(&xy, x, y, N, NULL) == FT_EINVAL && !xy, "a value that is no number is refused");
	ft_alloc_fail_at(1);
	ok(ft_model_fit_xy(&xy, x, y, N, NULL) == FT_ENOMEM && !xy, "no memory");
	ft_alloc_fail_at(0);
}

int main(void)
{
	size_t kind, all = test_quick() ? KINDS - 1 : KINDS; /* the last takes half of the time */

	for (kind = 0; kind < all; kind++) {
		double values = apart(kind, 1024, 1, false), work = apart(kind, 1, 4096, false);

		ok(values < 1e-6, "%s: the unit of values changes nothing (%.2g)", kinds[kind], values);
		ok(work < 1e-6, "%s: the unit of work changes nothing (%.2g)", kinds[kind], work);
		if (is_of_two(kind) && !test_quick()) {
			double turned = apart(kind, 1, 1, true);

			ok(turned < 1e-6, "%s: nor the order of parameters (%.2g)", kinds[kind], turned);
		}
	}
	test_xy();
	return done();
}
