/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.c - expressions at a size: Newton's form, whole numbers only. */
#include "base/alloc.h"
#include "kernel/wide.h"

#include <math.h>
#include <string.h>

void ft_kernel_exponents(struct ft_kernel_expressions *e)
{
	e->terms = 0;
	for (size_t of = 0; of <= e->degree; of++)
		for (size_t i = 0; i <= of; i++)
			for (size_t j = 0; j <= of - i; j++) {
				uint8_t *x = e->exponent[e->terms];

				if ((e->n < 2 && of != i) || (e->n == 2 && of != i + j))
					continue;
				x[0] = (uint8_t)i;
				x[1] = e->n < 2 ? 0 : (uint8_t)j;
				x[2] = (uint8_t)(of - i - x[1]);
				e->terms++;
				if (e->n < 2)
					break;
			}
}

/* K over 0 .. degree; false: too large. out: [degree + 1] */
static bool binomials(int64_t k, size_t degree, ft__wide out[])
{
	out[0] = 1;
	for (size_t i = 1; i <= degree; i++) {
		ft__wide factor = (ft__wide)k - (ft__wide)i + 1;

		if (__builtin_mul_overflow(out[i - 1], factor, &out[i]))
			return false;
		out[i] /= (ft__wide)i;
	}
	return true;
}

static enum ft_status place_value(const struct ft_kernel_expressions *e, const int64_t value[],
				  ft__wide over[FT_KERNEL_VARIABLES][FT_KERNEL_DEGREE + 1],
				  struct ft_err *err)
{
	for (size_t j = 0; j < e->n; j++) {
		const struct ft_kernel_variable *v = &e->variable[j];
		ft__wide off = (ft__wide)value[j] - v->first;

		if (off < 0 || off % v->step) {
			(void)ft_fail(err, FT_EINVAL,
				      "the expressions hold for %s = %lld, %lld, %lld ..., not for %lld",
				      v->name, (long long)v->first, (long long)(v->first + v->step),
				      (long long)(v->first + 2 * v->step), (long long)value[j]);
			return ft_remedy(err,
					 "ask for such a size, or make expressions from one of its class");
		}
		if (off / v->step > INT64_MAX || !binomials((int64_t)(off / v->step), e->degree, over[j]))
			return ft_fail(err, FT_EINVAL, "%s = %lld is too large", v->name,
				       (long long)value[j]);
	}
	return FT_OK;
}

/* The sum of one count; false: too large. */
static bool sum_count(const struct ft_kernel_expressions *e, const int64_t difference[],
		      const ft__wide term[], const bool fits[], double *out)
{
	ft__wide all = 0, part;

	for (size_t i = 0; i < e->terms; i++)
		if (difference[i] &&
		    (!fits[i] || __builtin_mul_overflow(term[i], (ft__wide)difference[i], &part) ||
		     __builtin_add_overflow(all, part, &all)))
			return false;
	*out = (double)all;
	return all <= INT64_MAX && all >= INT64_MIN;
}

enum ft_status ft_kernel_evaluate(const struct ft_kernel_expressions *e, const int64_t value[],
				  double out[FT_KERNEL_COUNTS], struct ft_err *err)
{
	ft__wide over[FT_KERNEL_VARIABLES][FT_KERNEL_DEGREE + 1] = {{1}, {1}, {1}}, term[FT_KERNEL_TERMS];
	bool fits[FT_KERNEL_TERMS];

	FT_TRY(place_value(e, value, over, err));
	for (size_t i = 0; i < e->terms; i++) {
		const uint8_t *x = e->exponent[i];

		fits[i] = !__builtin_mul_overflow(over[0][x[0]], over[1][x[1]], &term[i]) &&
			  !__builtin_mul_overflow(term[i], over[2][x[2]], &term[i]);
	}
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++) {
		out[i] = NAN;
		if (e->count[i].known && !sum_count(e, e->count[i].difference, term, fits, &out[i]))
			return ft_fail(err, FT_EINVAL, "%s is more than 2^63 there", ft_kernel_count_name(i));
	}
	return FT_OK;
}

void ft_kernel_expressions_clear(struct ft_kernel_expressions *e)
{
	if (!e)
		return;
	ft_free(e->count);
	*e = (struct ft_kernel_expressions){0};
}
