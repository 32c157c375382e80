/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shipped.c - a model whose shape comes from another machine, and whose scale comes from runs here.
 *
 * Two models are made of the runs: one of their own, and one of value / donor(size), which has no shape left to
 * learn if the donor fits. Each predicts every size from the others; how well they do so decides how far each
 * counts. Without runs the donor answers alone, as wide as machines differ. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ln of the odds that a donor fits, before the data; the most by which the data change that for each size;
 * and the freedom of a miss, as in blend.c. doc/travel.md has the measurement. */
static const double donor_belief = 0.5, shape_unit = 0.12, shape_left = 0.4, miss_freedom = 4,
		    deviation_least = 0.01;

/* Standard deviations of ln value between machines, by class of resource. */
static const double between_machines[FT_CLASSES] = {
	[FT_CLASS_TIME] = 0.6, [FT_CLASS_MEMORY] = 0.15, [FT_CLASS_COUNT] = 0.15, [FT_CLASS_ENERGY] = 0.8};

/* More sizes are left out several at a time. */
enum { FOLDS = 8 };

static const double fact_confidence = 0.9;

struct shipped {
	struct ft_model *donor, *own, *relative; /* own, relative NULL: there is no such model */
	double trust;                            /* 0..1: how far relative counts */
	double alone;                            /* there are no runs: deviation of ln value; else 0 */
};

static void shipped_free(void *state)
{
	struct shipped *s = state;

	if (!s)
		return;
	ft_model_free(s->donor);
	ft_model_free(s->own);
	ft_model_free(s->relative);
	ft_free(s);
}

/* ---- predicting ---------------------------------------------------------------------------------------- */

/* Add the donor's own doubt to a prediction of its scale, or that of another machine. */
static void widen(struct ft_prediction *p, double up, double down, double typical)
{
	double value = fmax(p->value, 1e-300);

	p->upper = fmin(value * exp(fmin(hypot(log(fmax(p->upper, value) / value), up), FT__LN_MOST)), 1e300);
	p->lower = p->lower > 0 ? value * exp(-hypot(log(value / fmin(p->lower, value)), down)) : 0;
	p->known = expm1(fmin(hypot(log1p(p->known), typical), FT__LN_MOST));
}

static enum ft_status ask_donor(const struct ft_model *donor, const struct ft_size *size, double confidence,
				struct ft_prediction *out, struct ft_err *err)
{
	FT_TRY(ft_model_predict(donor, size, NAN, confidence, out, err));
	return out->value > 0 && !isnan(out->known)
		       ? FT_OK
		       : ft_fail(err, FT_ENOMODEL, "the model from elsewhere has no value there");
}

/* How far shapes of one program differ between machines, by the distance to the nearest size that was run here: it
 * grows as the square root of ln size. */
static double shape_doubt(const struct shipped *s, const struct ft_size *size)
{
	const struct ft_model *m = s->relative ? s->relative : s->own;
	double nearest = INFINITY;

	for (size_t i = 0; i < m->n; i++) {
		double off = 0;

		for (size_t k = 0; k < m->n_axes; k++) {
			double a = m->knot[i].size.value[m->axis[k]], b = size->value[m->axis[k]];

			off += a > 0 && b > 0 ? fabs(log(a / b)) : a != b;
		}
		nearest = fmin(nearest, off);
	}
	return shape_unit * sqrt(nearest);
}

/* The scale here times the donor: noise of single runs is that of the runs here. */
static enum ft_status ask_relative(const struct shipped *s, const struct ft_size *size, double confidence,
				   struct ft_prediction *out, struct ft_err *err)
{
	struct ft_prediction donor;

	FT_TRY(ask_donor(s->donor, size, confidence, &donor, err));
	if (s->relative) {
		FT_TRY(ft_model_predict(s->relative, size, donor.value, confidence, out, err));
	} else {
		/* All runs have one size: what they show there moves with the donor. */
		struct ft_prediction at;

		assert(s->own);
		FT_TRY(ask_donor(s->donor, &s->own->knot->size, confidence, &at, err));
		FT_TRY(ft_model_predict(s->own, &s->own->knot->size, s->own->knot->work, confidence, out,
					err));
		out->value *= donor.value / at.value;
		out->lower *= donor.value / at.value;
		out->upper *= donor.value / at.value;
		out->basis = donor.basis == FT_BASIS_BEYOND ? FT_BASIS_BEYOND : FT_BASIS_BETWEEN;
		out->distance = donor.distance;
	}
	double doubt =
		hypot(log1p(donor.known), ft_normal_quantile((1 + confidence) / 2) * shape_doubt(s, size));
	widen(out, doubt, doubt, doubt);
	return FT_OK;
}

static enum ft_status shipped_predict(const struct ft_model *model, const struct ft_size *size, double work,
				      double confidence, struct ft_prediction *out, struct ft_err *err)
{
	const struct shipped *s = model->state;
	struct ft_prediction part[2];
	struct ft_err why = {0};

	if (s->alone > 0) {
		FT_TRY(ask_donor(s->donor, size, confidence, out, err));
		double wide = ft_normal_quantile((1 + confidence) / 2) * s->alone;
		widen(out, wide, wide, wide);
		out->basis = FT_BASIS_STATED;
		out->runs = 0;
		return FT_OK;
	}
	enum ft_status own =
		s->own ? ft_model_predict(s->own, size, work, confidence, &part[0], err) : FT_ENOMODEL;
	enum ft_status relative =
		s->trust > 0 ? ask_relative(s, size, confidence, &part[1], s->own ? &why : err) : FT_ENOMODEL;
	if (own && relative)
		return s->own ? own : relative;
	*out = part[own || (!relative && s->trust == 1)];
	if (!own && !relative && part[0].value > 0 && !isnan(part[0].known) && s->trust < 1) {
		/* Both, weighted: the distribution of typical runs, and that of single ones. */
		const double weight[2] = {1 - s->trust, s->trust}, p = (1 - confidence) / 2;
		double normal = ft_normal_quantile(1 - p), mean[2], known[2], down[2], up[2];

		for (size_t i = 0; i < 2; i++) {
			mean[i] = log(fmax(part[i].value, 1e-300));
			known[i] = log1p(part[i].known) / normal;
			up[i] = (log(fmax(part[i].upper, 1e-300)) - mean[i]) / normal;
			down[i] = fmin(mean[i] - log(fmax(part[i].lower, 1e-300)), FT__LN_MOST) / normal;
		}
		double typical = ft_normals_quantile(mean, known, weight, 2, 0.5);
		double least = ft_normals_quantile(mean, known, weight, 2, p);
		double most = ft_normals_quantile(mean, known, weight, 2, 1 - p);
		out->value = exp(typical);
		out->known = expm1(fmin((most - least) / 2, FT__LN_MOST));
		out->lower = fmin(out->value, exp(ft_normals_quantile(mean, down, weight, 2, p)));
		out->upper =
			fmax(out->value,
			     fmin(exp(fmin(ft_normals_quantile(mean, up, weight, 2, 1 - p), 690)), 1e300));
	}
	return FT_OK;
}

/* ---- fitting ------------------------------------------------------------------------------------------- */

/* ln of how likely a size is by a prediction of the rest: Student's t about it. */
static double likelihood_of(const struct ft_model *model, const struct ft_knot *knot, double work,
			    double confidence)
{
	struct ft_prediction p;

	if (!model || ft_model_predict(model, &knot->size, work, confidence, &p, NULL) || !(p.value > 0) ||
	    !(knot->value > 0) || isnan(p.known))
		return -INFINITY;
	double normal = ft_normal_quantile((1 + confidence) / 2);
	double deviation = log1p(p.known) / normal;
	double run = (log(fmax(p.upper, p.value)) - log(fmax(p.lower, p.value * 1e-3))) / 2 / normal;
	deviation = fmax(hypot(deviation, run / sqrt((double)knot->runs)), deviation_least);
	double z = log(knot->value / p.value) / deviation;
	return -(miss_freedom + 1) / 2 * log1p(z * z / miss_freedom) - log(deviation);
}

struct shapes {
	const struct ft__fit *how;
	const struct ft_model *model;        /* its knots */
	struct ft_observation *own, *scaled; /* [how->n] ascending */
	struct ft_observation *part;         /* [how->n] space */
	double *donor;                       /* [model->n] at the knots */
	struct ft_model_options own_options, scaled_options;
};

/* The knots of a fold are left out; SIZE_MAX: none. */
static struct ft_model *fit_without(const struct shapes *f, bool scaled, size_t fold, size_t folds,
				    struct ft_err *err)
{
	const struct ft_observation *from = scaled ? f->scaled : f->own;
	struct ft_model *model = NULL;
	size_t n = 0, at = 0;

	for (size_t k = 0; k < f->model->n; k++)
		for (size_t i = 0; i < f->model->knot[k].runs; i++, at++)
			if (k % folds != fold)
				f->part[n++] = from[at];
	(void)ft_model_fit(&model, f->part, n, scaled ? &f->scaled_options : &f->own_options, err);
	return model;
}

/* ln of the odds of the donor's shape against that of the runs alone. */
static double compare_shapes(const struct shapes *f)
{
	size_t n = f->model->n, folds = n < FOLDS ? n : FOLDS;
	double odds = donor_belief, mean = 0, squares = 0;

	/* Many sizes determine any curve: of a donor that fits, what is left of it is small. */
	for (size_t k = 0; k < n; k++)
		mean += log(f->model->knot[k].value / f->donor[k]) / (double)n;
	for (size_t k = 0; k < n; k++)
		squares += pow(log(f->model->knot[k].value / f->donor[k]) - mean, 2) / (double)n;
	odds -= squares / (2 * shape_left * shape_left);

	for (size_t fold = 0; fold < folds && n > 2; fold++) {
		struct ft_model *own = fit_without(f, false, fold, folds, NULL);
		struct ft_model *scaled = fit_without(f, true, fold, folds, NULL);

		for (size_t k = fold; k < n; k += folds) {
			const struct ft_knot *knot = &f->model->knot[k];
			double by_own = likelihood_of(own, knot, knot->work, fact_confidence);
			double by_donor = likelihood_of(scaled, knot, f->donor[k], fact_confidence);

			if (isfinite(by_donor) || isfinite(by_own))
				odds += fmax(-20, fmin(by_donor - by_own, 20));
		}
		ft_model_free(own);
		ft_model_free(scaled);
	}
	return odds;
}

/* The runs less the donor, as its work; false: it has no value at one of them, or logarithms are none. */
static bool scale_runs(struct shapes *f, const struct ft_model *donor)
{
	struct ft_prediction p;
	size_t at = 0;

	for (size_t k = 0; k < f->model->n; k++) {
		if (ask_donor(donor, &f->model->knot[k].size, fact_confidence, &p, NULL))
			return false;
		f->donor[k] = p.value;
		for (size_t i = 0; i < f->model->knot[k].runs; i++, at++)
			f->scaled[at].work = p.value;
	}
	return f->model->facts.offset == 0;
}

static double scale_of(const struct shapes *f)
{
	double sum = 0;

	for (size_t k = 0; k < f->model->n; k++)
		sum += log(f->model->knot[k].value / f->donor[k]) / (double)f->model->n;
	return exp(sum);
}

static enum ft_status fit_both(struct ft_model *model, struct shapes *f, struct ft_err *err)
{
	struct shipped *s = model->state;
	struct ft_err why = {0};

	bool scaled = scale_runs(f, s->donor);
	s->own = fit_without(f, false, SIZE_MAX, 1, &why);
	if (scaled && f->model->n > 1)
		s->relative = fit_without(f, true, SIZE_MAX, 1, NULL);
	if (!s->own && !s->relative) {
		if (err)
			*err = why;
		return why.status;
	}
	if (s->own && s->relative) {
		double odds = compare_shapes(f);

		s->trust = 1 / (1 + exp(-fmax(-50, fmin(odds, 50))));
	} else {
		s->trust = scaled && (!s->own || f->model->n == 1) ? 1 : 0;
	}
	/* Facts of the model that counts most. Where the outer model begins and ends are its own. */
	struct ft_model_facts *to = &model->facts, kept = *to;

	assert(s->own || (s->relative && s->trust > 0.5));
	*to = (s->relative && s->trust > 0.5 ? s->relative : s->own)->facts;
	to->type = kept.type;
	to->through_speed = kept.through_speed;
	to->offset = kept.offset;
	to->runs = kept.runs;
	to->sizes = kept.sizes;
	to->limits = kept.limits;
	to->step = kept.step;
	to->zeros = kept.zeros;
	to->most = kept.most;
	model->facts.shipped = f->how->options->donor_mark;
	model->facts.trust = s->trust;
	model->facts.scale = scaled ? scale_of(f) : (double)NAN;
	return FT_OK;
}

static enum ft_status copy_model(struct ft_model **out, const struct ft_model *from, struct ft_err *err)
{
	unsigned char *bytes;
	size_t n;

	FT_TRY(ft_model_pack(from, &bytes, &n, err));
	enum ft_status status = ft_model_unpack(out, bytes, n, from->prior, err);
	ft_free(bytes);
	return status;
}

static enum ft_status shipped_fit(struct ft_model *model, const struct ft__fit *how, struct ft_err *err)
{
	struct shipped *s = model->state = ft_calloc(1, sizeof *s);
	struct shapes f = {.how = how, .model = model, .own_options = *how->options};
	enum ft_status status = s ? copy_model(&s->donor, how->options->donor, err) : ft_nomem(err);

	if (status)
		return status;
	f.own_options.donor = NULL;
	f.scaled_options = f.own_options;
	f.scaled_options.through_speed = true;
	f.scaled_options.type = NULL;
	f.own = ft_malloc(how->n * sizeof *f.own);
	f.scaled = ft_malloc(how->n * sizeof *f.scaled);
	f.part = ft_malloc(how->n * sizeof *f.part);
	f.donor = ft_malloc(model->n * sizeof *f.donor);
	if (f.own && f.scaled && f.part && f.donor) {
		memcpy(f.own, how->observation, how->n * sizeof *f.own);
		memcpy(f.scaled, how->observation, how->n * sizeof *f.scaled);
		status = fit_both(model, &f, err);
	} else {
		status = ft_nomem(err);
	}
	ft_free(f.own);
	ft_free(f.scaled);
	ft_free(f.part);
	ft_free(f.donor);
	return status;
}

enum ft_status ft_model_ship(struct ft_model **out, const struct ft_model *donor, enum ft_resource_class of,
			     double mark, struct ft_err *err)
{
	struct ft_model *model = ft_calloc(1, sizeof *model);
	struct shipped *s = ft_calloc(1, sizeof *s);
	enum ft_status status = FT_OK;

	*out = NULL;
	if (model && s) {
		model->type = &ft__model_shipped;
		model->state = s;
		model->n_axes = donor->n_axes;
		memcpy(model->axis, donor->axis, sizeof model->axis);
		model->prior = donor->prior;
		model->knot = ft_malloc(donor->n * sizeof *model->knot);
		status = copy_model(&s->donor, donor, err);
	} else {
		ft_free(s);
	}
	if (!model || !s || (!status && !model->knot)) {
		ft_model_free(model);
		return ft_nomem(err);
	}
	if (status) {
		ft_model_free(model);
		return status;
	}
	model->n = donor->n;
	memcpy(model->knot, donor->knot, donor->n * sizeof *model->knot);
	model->facts = donor->facts;
	model->facts.type = model->type->name;
	model->facts.shipped = mark;
	model->facts.trust = model->facts.scale = 1;
	s->trust = 1;
	s->alone = between_machines[of];
	double wide = ft_normal_quantile((1 + fact_confidence) / 2) * s->alone;
	model->facts.known = expm1(hypot(log1p(model->facts.known), wide));
	*out = model;
	return FT_OK;
}

const struct ft_model *ft_model_donor(const struct ft_model *model)
{
	return model->type == &ft__model_shipped ? ((const struct shipped *)model->state)->donor : NULL;
}

/* ---- packing ------------------------------------------------------------------------------------------- */

static void pack_part(const struct ft_model *part, struct ft__packer *packer)
{
	unsigned char *bytes = NULL;
	size_t n = 0;

	if (part && ft_model_pack(part, &bytes, &n, NULL)) {
		packer->failed = true;
		n = 0;
	}
	struct ft__unpacker from = {bytes, n, false};

	const size_t numbers = n / sizeof(double);

	ft__pack(packer, (double)numbers);
	for (size_t i = 0; i < numbers; i++)
		ft__pack(packer, ft__unpack(&from));
	ft_free(bytes);
}

static void shipped_pack(const struct ft_model *model, struct ft__packer *packer)
{
	const struct shipped *s = model->state;
	const struct ft_model_facts *f = &model->facts;
	const double head[] = {s->trust, s->alone, isnan(f->scale) ? 0 : f->scale, f->shipped};

	ft__pack_many(packer, head, sizeof head / sizeof *head);
	pack_part(s->donor, packer);
	pack_part(s->own, packer);
	pack_part(s->relative, packer);
}

/* A part is never a shipped model itself, so that damaged bytes cannot nest. */
static enum ft_status unpack_part(struct ft_model **out, const struct ft_model *model,
				  struct ft__unpacker *from, struct ft_err *err)
{
	size_t n = ft__unpack_count(from, 1);
	struct ft__unpacker head = {from->bytes, n * sizeof(double), false};

	*out = NULL;
	if (from->failed)
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	if (!n)
		return FT_OK;
	(void)ft__unpack(&head);
	double type = ft__unpack(&head);
	if (!(type >= 0 && type < FT__MODEL_TYPES) || ft__model_types[(size_t)type] == &ft__model_shipped)
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	FT_TRY(ft_model_unpack(out, from->bytes, n * sizeof(double), model->prior, err));
	from->bytes += n * sizeof(double);
	from->left -= n * sizeof(double);
	return FT_OK;
}

static enum ft_status shipped_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
{
	struct shipped *s = model->state = ft_calloc(1, sizeof *s);
	double head[4] = {0};

	if (!s)
		return ft_nomem(err);
	ft__unpack_many(from, head, 4);
	FT_TRY(unpack_part(&s->donor, model, from, err));
	FT_TRY(unpack_part(&s->own, model, from, err));
	FT_TRY(unpack_part(&s->relative, model, from, err));
	s->trust = head[0];
	s->alone = head[1];
	if (from->failed || !s->donor || !(s->trust >= 0 && s->trust <= 1) ||
	    !(s->alone >= 0 && s->alone < 100) || !(head[2] >= 0) ||
	    (!s->own && !s->relative && !(s->alone > 0)))
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	model->facts.shipped = head[3];
	model->facts.trust = s->trust;
	model->facts.scale = head[2] > 0 ? head[2] : (double)NAN;
	return FT_OK;
}

const struct ft_model_type ft__model_shipped = {
	.name = "shipped",
	.fit = shipped_fit,
	.predict = shipped_predict,
	.pack = shipped_pack,
	.unpack = shipped_unpack,
	.free = shipped_free,
};
