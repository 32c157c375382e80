/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.c - which of what is known of a program answers: what an expert said, a table of runs, the model. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/units.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* A table knows the noise of one size by few runs: that of all sizes counts like so many more. */
static const double pooled_dof = 3;

/* The law alone: nobody has tried it. */
static enum ft_status by_word(struct ft_answerer *a, const struct ft_resource *resource,
			      const struct ft_size *size, struct ft_prediction *out, struct ft_err *err)
{
	double value;
	enum ft_status status = ft_knowledge_value(&a->knowledge, &a->program, resource, size, &value, err);

	*out = (struct ft_prediction){0};
	if (!status)
		*out = (struct ft_prediction){.value = value,
					      .lower = NAN,
					      .upper = NAN,
					      .known = NAN,
					      .level = FT_LEVEL_LAW,
					      .basis = FT_BASIS_STATED,
					      .distance = 1};
	return status;
}

/* The runs of one size; the noise of all sizes helps where they are few. No size was repeated: no interval.
 */
static void by_row(const struct ft__median *row, double squares, double repeats, double confidence,
		   struct ft_prediction *out)
{
	double pooled = repeats > 0 ? squares / repeats : 0, own = (double)(row->runs - 1);
	double dof = fmin(repeats - own, pooled_dof) + own, sd, factor;

	*out = (struct ft_prediction){.value = row->median,
				      .lower = NAN,
				      .upper = NAN,
				      .known = NAN,
				      .level = FT_LEVEL_TABLE,
				      .basis = FT_BASIS_AT_KNOT,
				      .distance = 1,
				      .runs = row->runs};
	if (!(dof >= 1))
		return;
	sd = ft_student_t(confidence, dof) * sqrt(((dof - own) * pooled + row->squares) / dof);
	out->known = expm1(fmin(sd / sqrt((double)row->runs), 700));
	factor = exp(fmin(sd * sqrt(1 + 1 / (double)row->runs), 700));
	out->lower = out->value / factor;
	out->upper = fmin(out->value * factor, 1e300);
}

/* *found: the size was run, and *out is what the table says. */
static enum ft_status by_table(struct ft_answerer *a, const struct ft_resource *resource,
			       const struct ft_size *size, double confidence, struct ft_prediction *out,
			       bool *found, struct ft_err *err)
{
	double squares = 0, repeats = 0;
	struct ft__median *row;
	size_t n, i, at;
	enum ft_status status = ft__ask_read_whole(a, err);

	*found = false;
	if (!status)
		status = ft__ask_medians(a, resource, &row, &n, err);
	if (status)
		return status;
	for (i = 0, at = n; i < n; i++) {
		squares += row[i].squares;
		repeats += (double)(row[i].runs - 1);
		if (ft_size_equal(&row[i].size, size))
			at = i;
	}
	*found = at < n;
	if (at < n)
		by_row(&row[at], squares, repeats, confidence, out);
	ft_free(row);
	return FT_OK;
}

/* How far a size lies outside the measured range, as models report it: the largest ratio of any parameter; 1:
 * it does not.
 */
static double distance_of(const struct ft_answerer *a, const struct ft_size *size)
{
	double distance = 1;

	for (size_t i = 0; i < size->n; i++) {
		double least = INFINITY, most = -INFINITY, x = size->value[i];

		for (size_t j = 0; j < a->runs.n; j++) {
			const struct ft_run *run = &a->runs.run[j];

			if (run->outcome != FT_DONE || run->warmup)
				continue;
			least = fmin(least, run->size.value[i]);
			most = fmax(most, run->size.value[i]);
		}
		if (x > 0 && least > 0 && isfinite(least))
			distance = fmax(distance, fmax(least / x, x / most));
	}
	return distance;
}

enum ft_status ft__ask_law_over_model(const struct ft_answerer *a, const struct ft_resource *resource,
				      const struct ft_calibrated_law *calibration, const struct ft_size *size,
				      double confidence, bool rough, struct ft_prediction *out,
				      struct ft_err *err)
{
	double law;

	if (out->basis != FT_BASIS_BEYOND && !(rough && out->basis == FT_BASIS_BETWEEN))
		return FT_OK;
	enum ft_status status = ft_knowledge_value(&a->knowledge, &a->program, resource, size, &law, NULL);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || !(law > 0))
		return FT_OK;
	ft__ask_by_law(calibration, law, confidence, out);
	out->distance = distance_of(a, size);
	return FT_OK;
}

/* The law that was stated, when it fits the runs and may speak at that size. */
static enum ft_status by_law(struct ft_answerer *a, const struct ft_resource *resource,
			     const struct ft_size *size, double confidence, bool rough,
			     struct ft_prediction *out, struct ft_err *err)
{
	struct ft_calibrated_law calibration;
	enum ft_status status = ft_ask_calibrate(a, resource, &calibration, NULL);

	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || !calibration.fits)
		return FT_OK;
	return ft__ask_law_over_model(a, resource, &calibration, size, confidence, rough, out, err);
}

enum ft_status ft__ask_here(struct ft_answerer *answerer, const struct ft_resource *resource,
			    const struct ft_size *size, double confidence, struct ft_prediction *out,
			    struct ft_err *err)
{
	bool stated = ft_knowledge_law(&answerer->knowledge, resource) != NULL, rough, done = false;
	struct ft_err why = {0};
	enum ft_status second = FT_OK;

	*out = (struct ft_prediction){0};
	if (stated && !ft__ask_has_value(answerer, resource))
		return by_word(answerer, resource, size, out, err);
	enum ft_status status =
		ft__ask_model_predict(answerer, resource, size, confidence, out, &rough, &why);
	if (!status && rough && out->basis == FT_BASIS_AT_KNOT)
		out->level = FT_LEVEL_TABLE; /* a knot is a row of the table, whatever lies between knots */
	else if (!status && stated)
		second = by_law(answerer, resource, size, confidence, rough, out, err);
	else if (status == FT_EINVAL || status == FT_ENOMODEL)
		second = by_table(answerer, resource, size, confidence, out, &done, err);
	if (!second && !done && status) {
		second = status;
		if (err)
			*err = why;
	}
	if (second)
		*out = (struct ft_prediction){0};
	return second;
}

enum ft_status ft__ask_credible(const struct ft_resource *resource, struct ft_prediction *out,
				struct ft_err *err)
{
	static const double factor = 1000;
	const char *unit = resource->unit;
	double most = !strcmp(unit, "s")       ? FT_TIME_MOST_S
		      : !strcmp(unit, "bytes") ? FT_BYTES_MOST
					       : (double)INFINITY;

	if (isfinite(out->value) && out->value > most) {
		char text[FT_UNIT_LENGTH];

		(void)ft_fail(err, FT_ENOMODEL, "%s would be more than %s there: nothing known",
			      resource->name, ft_value_format(most, unit, text));
		return ft_remedy(err, "ask for a size nearer to those that were measured, or measure there");
	}
	if (out->upper > most)
		out->upper = INFINITY;
	if (out->lower > 0 && out->upper > factor * out->lower) {
		double side = sqrt(factor);

		out->upper = out->upper > side * out->value ? (double)INFINITY : out->upper;
		out->lower = out->lower * side < out->value ? 0 : out->lower;
	}
	if (pow(1 + out->known, 2) > factor)
		out->known = NAN;
	return FT_OK;
}

enum ft_status ft__ask_anyhow(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err)
{
	*out = (struct ft_prediction){0};
	if (ft__ask_by_power(answerer, resource))
		return ft__ask_power_predict(answerer, size, confidence, out, err);
	enum ft_status status =
		answerer->elsewhere ? ft__elsewhere_predict(answerer, resource, size, confidence, out, err)
				    : ft__ask_here(answerer, resource, size, confidence, out, err);
	if (!status)
		status = ft__ask_beside(answerer, resource, size, confidence, out, err);
	if (status)
		*out = (struct ft_prediction){0};
	return status;
}

enum ft_status ft_ask_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err)
{
	enum ft_status status = ft__ask_anyhow(answerer, resource, size, confidence, out, err);

	if (!status)
		status = ft__ask_credible(resource, out, err);
	if (status)
		*out = (struct ft_prediction){0};
	return status;
}
