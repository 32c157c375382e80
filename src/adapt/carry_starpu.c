/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_starpu.c - StarPU's performance model of a codelet, version 45 (StarPU 1.3): one processor core, one
 * implementation; history by footprint, and the regression a size^b beside it. Times are microseconds. Lines
 * that begin with # are passed over. Tried with StarPU 1.3.10 (doc/plans.md). */
#include "base/text.h"
#include "foretime/carry.h"

#include <math.h>

/* ln y over ln x, each point as often as it counts. */
struct carry_starpu_sums {
	double x, xx, y, xy, n;
	double least, most; /* of the sizes */
};

static struct carry_starpu_sums sum_points(const struct ft_carry_point *point, size_t n)
{
	struct carry_starpu_sums s = {.least = INFINITY};

	for (size_t i = 0; i < n; i++) {
		double weight = (double)point[i].runs, x = log((double)point[i].size),
		       y = log(1e6 * point[i].mean_s);

		s.x += weight * x;
		s.xx += weight * x * x;
		s.y += weight * y;
		s.xy += weight * x * y;
		s.n += weight;
		s.least = fmin(s.least, (double)point[i].size);
		s.most = fmax(s.most, (double)point[i].size);
	}
	return s;
}

static void add_regression(struct ft_text *text, const struct carry_starpu_sums *s)
{
	double det = s->n * s->xx - s->x * s->x;
	double b = det > 1e-12 * s->n * s->xx ? (s->n * s->xy - s->x * s->y) / det : 0;
	double a = exp((s->y - b * s->x) / s->n);

	ft_text_add(text, "# sumlnx\tsumlnx2\tsumlny\tsumlnxlny\talpha\tbeta\tn\tminx\tmaxx\n");
	ft_text_add(text, "%-15e\t%-15e\t%-15e\t%-15e\t%-15e\t%-15e\t%.0f\t%-15.0f\t%-15.0f\n", s->x, s->xx,
		    s->y, s->xy, a, b, s->n, s->least, s->most);
	ft_text_add(text, "# a\tb\tc\n%-15e\t%-15e\t%-15e\n", a, b, 0.0);
	ft_text_add(text, "# no multiple regression\n0\n");
}

static void add_point(struct ft_text *text, const struct ft_carry_point *point)
{
	double mean = 1e6 * point->mean_s, deviation = 1e6 * point->deviation_s, n = (double)point->runs;

	ft_text_add(text, "%08lx\t%-15lu\t%-15e\t%-15e\t%-15e\t%-15e\t%-15e\t%zu\n",
		    (unsigned long)point->size, (unsigned long)point->size, 0.0, mean, deviation, n * mean,
		    n * (mean * mean + deviation * deviation), point->runs);
}

static enum ft_status check_points(const struct ft_carry_point *point, size_t n, struct ft_err *err)
{
	if (!n)
		return ft_fail(err, FT_EINVAL, "a model of StarPU needs a size at least");
	for (size_t i = 0; i < n; i++)
		if (!point[i].size || point[i].size > 0xffffffff || !point[i].runs ||
		    !(point[i].mean_s > 0) || isinf(point[i].mean_s) || !(point[i].deviation_s >= 0)) {
			(void)ft_fail(err, FT_EINVAL, "StarPU cannot know a size of %llu that takes %g s",
				      (unsigned long long)point[i].size, point[i].mean_s);
			(void)ft_remedy(err, "sizes are whole numbers from 1 to 2^32 - 1, times above 0");
			return FT_EINVAL;
		}
	return FT_OK;
}

enum ft_status ft_carry_starpu(const struct ft_carry_point *point, size_t n, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = check_points(point, n, err);

	*out = NULL;
	if (status)
		return status;
	struct carry_starpu_sums s = sum_points(point, n);
	ft_text_add(&text, "# version\n45\n# combinations of processors\n1\n# kinds of devices in it\n1\n");
	ft_text_add(&text, "# device: processor\n0\n# its number\n0\n# cores\n1\n# implementations\n1\n");
	ft_text_add(&text, "# entries\n%zu\n", n);
	add_regression(&text, &s);
	ft_text_add(&text, "# hash\tsize\tflops\tmean (us)\tdev (us)\tsum\tsum2\tn\n");
	for (size_t i = 0; i < n; i++)
		add_point(&text, &point[i]);
	ft_text_add(&text, "\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
