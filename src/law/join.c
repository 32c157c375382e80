/* SPDX-License-Identifier: GPL-3.0-or-later */
/* join.c - laws of several terms: choices of shapes, and the best coefficients for each. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/nnls.h"

#include <math.h>

const unsigned char ft__law_common[FT__LAW_COMMON] = {1, 9, 18, 19, 27, 36, 37, 54};

/* The next ascending choice; false after the last. */
static bool next_choice(struct ft__law_choice *choice)
{
	size_t i = choice->terms;

	if (!choice->begun) {
		for (i = 0; i < choice->terms; i++)
			choice->index[i] = i;
		choice->begun = true;
		return true;
	}
	while (i-- > 0)
		if (choice->index[i] + choice->terms - i < FT__LAW_COMMON) {
			choice->index[i]++;
			for (size_t j = i + 1; j < choice->terms; j++)
				choice->index[j] = choice->index[j - 1] + 1;
			return true;
		}
	return false;
}

bool ft__law_choose(const struct ft__law_data *data, struct ft__law_choice *choice)
{
	bool exists;

	do {
		if (!next_choice(choice))
			return false;
		exists = true;
		for (size_t i = 0; i < choice->terms; i++) {
			choice->shape[i] = ft__law_common[choice->index[choice->terms - 1 - i]];
			exists &= !isnan(data->scale[choice->shape[i]]);
		}
	} while (!exists);
	return true;
}

static double value_at(const struct ft__law_data *data, const struct ft__law_joint *joint, size_t k)
{
	double sum = joint->constant;

	for (size_t i = 0; i < joint->terms; i++)
		sum += joint->c[i] * ft__law_g(data, joint->shape[i])[k];
	return sum;
}

/* a [n x (terms + 1)] and y [n]: rows divided by their error, that of the law so far. */
static void fill_rows(const struct ft__law_data *data, const struct ft__law_joint *joint, bool first,
		      double *a, double *y)
{
	size_t columns = (size_t)joint->terms + 1, k, i;

	for (k = 0; k < data->n; k++) {
		double w = sqrt(data->count[k]) / (first ? data->mean[k] : value_at(data, joint, k));

		y[k] = w * data->mean[k];
		a[k * columns] = w;
		for (i = 1; i < columns; i++)
			a[k * columns + i] = w * ft__law_g(data, joint->shape[i - 1])[k];
	}
}

static void join_laws(const struct ft__law_data *data, struct ft__law_joint *joint, double *work)
{
	size_t columns = (size_t)joint->terms + 1, k, i;
	double c[FT_LAW_MIXED + 1], logs = 0, p = 0, *y = work + data->n * columns;

	for (int round = 0; round < 2; round++) {
		fill_rows(data, joint, !round, work, y);
		ft_nnls(work, y, data->n, columns, c);
		joint->constant = c[0];
		for (i = 1; i < columns; i++)
			joint->c[i - 1] = c[i];
	}
	joint->square = 0;
	for (k = 0; k < data->n; k++) {
		double f = value_at(data, joint, k), r = data->mean[k] / f - 1;

		joint->square += data->count[k] * r * r;
		logs += data->count[k] * log(f);
	}
	for (i = 0; i < columns; i++)
		p += c[i] > 0;
	joint->score = ft__law_score(data, joint->square, logs, p);
}

enum ft_status ft__law_join(const struct ft__law_data *data, struct ft__law_joint *joint, struct ft_err *err)
{
	double *work = ft_malloc(data->n * ((size_t)joint->terms + 2) * sizeof *work);

	if (!work)
		return ft_nomem(err);
	join_laws(data, joint, work);
	ft_free(work);
	return FT_OK;
}

enum ft_status ft__law_join_best(const struct ft__law_data *data, size_t terms, struct ft__law_joint *best,
				 struct ft_err *err)
{
	double *work = ft_malloc(data->n * (terms + 2) * sizeof *work);
	struct ft__law_choice choice = {.terms = terms};
	size_t choices = 0;

	*best = (struct ft__law_joint){.score = -INFINITY, .square = INFINITY};
	if (!work)
		return ft_nomem(err);
	while (ft__law_choose(data, &choice)) {
		struct ft__law_joint joint = {.terms = (unsigned char)terms};

		choices++;
		for (size_t i = 0; i < terms; i++)
			joint.shape[i] = choice.shape[i];
		join_laws(data, &joint, work);
		if (joint.score > best->score)
			*best = joint;
	}
	best->score -= log((double)(choices ? choices : 1));
	ft_free(work);
	return FT_OK;
}

void ft__law_take(const struct ft__law_data *data, const struct ft__law_joint *joint, struct ft_law *out)
{
	struct ft_law_term *term;

	*out = (struct ft_law){.params = 1, .constant = joint->constant};
	for (size_t i = 0; i < joint->terms; i++) {
		if (!(joint->c[i] > 0))
			continue;
		term = &out->term[out->terms++];
		term->c = joint->c[i] / data->scale[joint->shape[i]];
		term->factor[0] = joint->shape[i] < FT_LAW_SHAPES
					  ? ft__law_factor(joint->shape[i])
					  : data->factor[joint->shape[i] - FT_LAW_SHAPES];
		if (!(term->factor[0].less > 0))
			continue;
		/* A difference is two terms. */
		out->term[out->terms] = *term;
		out->term[out->terms].c *= -term->factor[0].less;
		out->term[out->terms].factor[0].power -= term->factor[0].log > 0 ? 0 : 1;
		out->term[out->terms].factor[0].log -= term->factor[0].log > 0 ? 1 : 0;
		out->term[out->terms++].factor[0].less = term->factor[0].less = 0;
	}
}
