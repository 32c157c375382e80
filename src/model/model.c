/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - common parts of all models: the table of their types, checks, the measured sizes. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/model.h"
#include "model/model.h"
#include "num/num.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The cut at a size: the interval of speeds that the samples there, the load and the tolerance allow.
 */

/* The Student-t interval of the mean time, as speeds. Two noisy runs have an interval that extends below
 * zero seconds; the mean is assumed to be at least half the fastest run, so that a cut stays bounded. */
static void speeds_of_mean(const double *seconds, size_t n, double work, double confidence, double speed[2])
{
	double mean = ft_stats_mean(seconds, n), fastest = seconds[0];
	double half =
		ft_student_t(confidence, (double)(n - 1)) * sqrt(ft_stats_variance(seconds, n) / (double)n);

	for (size_t i = 1; i < n; i++)
		fastest = fmin(fastest, seconds[i]);
	speed[0] = work / (mean + half);
	speed[1] = work / fmax(mean - half, fastest / 2);
}

void ft_model_cut(const double *seconds, size_t n, double work, const double load[2], double confidence,
		  double tolerance, double cut[2])
{
	assert(n >= 1);
	double ideal = work / ft_stats_mean(seconds, n);
	cut[0] = ideal * (1 - load[1]); /* 000 section 2.2 eq. 5 */
	cut[1] = ideal * (1 - load[0]); /* eq. 4 */
	cut[0] = fmin(cut[0], ideal * (1 - tolerance));
	cut[1] = fmax(cut[1], ideal * (1 + tolerance));
	if (n >= 2) {
		double mean[2];

		speeds_of_mean(seconds, n, work, confidence, mean);
		cut[0] = fmin(cut[0], mean[0]);
		cut[1] = fmax(cut[1], mean[1]);
	}
}

/*
 * Common parts of all models: the table of their types, checks, the measured sizes.
 */

const struct ft_model_type *const ft__model_types[FT__MODEL_TYPES] = {&ft__model_engine, &ft__model_band,
								      &ft__model_process, &ft__model_shipped};

static const char *const basis_texts[] = {
#define TEXT(name, words) words,
	FT_BASIS_LIST(TEXT)
#undef TEXT
};

const char *ft_basis_text(enum ft_basis basis)
{
	return (size_t)basis < sizeof basis_texts / sizeof *basis_texts ? basis_texts[basis] : "unknown";
}

static const char *const level_texts[] = {
#define TEXT(name, words) words,
	FT_LEVEL_LIST(TEXT)
#undef TEXT
};

const char *ft_level_text(enum ft_level level)
{
	return (size_t)level < sizeof level_texts / sizeof *level_texts ? level_texts[level] : "unknown";
}

static const struct ft_model_type *find_type(const char *name, size_t n_axes)
{
	for (size_t i = 0; i < FT__MODEL_TYPES; i++)
		if (name ? !strcmp(ft__model_types[i]->name, name)
			 : (ft__model_types[i]->axes == 1) == (n_axes == 1))
			return (ft__model_types[i]->axes == 1) == (n_axes == 1) ? ft__model_types[i] : NULL;
	return NULL;
}

void ft_model_free(struct ft_model *model)
{
	if (!model)
		return;
	if (model->type)
		model->type->free(model->state);
	ft_free(model->knot);
	ft_free(model);
}

const struct ft_model_facts *ft_model_facts(const struct ft_model *model)
{
	return &model->facts;
}

const struct ft_knot *ft_model_knots(const struct ft_model *model, size_t *n)
{
	*n = model->n;
	return model->knot;
}

size_t ft_model_axes(const struct ft_model *model, size_t *axis)
{
	memcpy(axis, model->axis, sizeof model->axis);
	return model->n_axes;
}

/* ---- fitting ----------------------------------------------------------------------------------------- */

bool ft__observation_is_good(const struct ft_observation *o, size_t length)
{
	bool good = o->size.n == length && isfinite(o->value) && o->value >= 0 && isfinite(o->work) &&
		    o->work > 0;

	for (size_t i = 0; i < o->size.n; i++)
		good = good && isfinite(o->size.value[i]);
	return good;
}

static struct ft_limits limits_of(const struct ft_observation *o, size_t n)
{
	struct ft_limits limits = {0, INFINITY, 0};

	for (size_t i = 0; i < n; i++)
		if (o[i].censored) {
			limits.runs++;
			limits.least = fmin(limits.least, o[i].value);
			limits.most = fmax(limits.most, o[i].value);
		}
	return limits.runs ? limits : (struct ft_limits){0};
}

static enum ft_status check_samples(const struct ft_observation *o, size_t n, struct ft_err *err)
{
	struct ft_limits limits = limits_of(o, n);

	if (!n)
		return ft_fail(err, FT_ENOMODEL, "there is no run to make a model of");
	for (size_t i = 0; i < n; i++)
		if (!ft__observation_is_good(&o[i], o->size.n))
			return ft_fail(err, FT_EINVAL,
				       "sample %zu (size %g, work %g, value %g) cannot be modelled", i,
				       o[i].size.n ? o[i].size.value[0] : (double)NAN, o[i].work, o[i].value);
	return limits.runs < n
		       ? FT_OK
		       : ft_fail(err, FT_ENOMODEL,
				 "all runs (%zu) met a limit of %g or more: the cost is at least that", n,
				 limits.least);
}

int ft__observation_compare(const void *a, const void *b)
{
	const struct ft_observation *p = a, *q = b;
	int by_size = ft_size_compare(&p->size, &q->size);

	if (by_size || p->censored != q->censored)
		return by_size ? by_size : p->censored - q->censored;
	return (p->value > q->value) - (p->value < q->value);
}

enum { MANY = 4096 };

/* An observation on its way into order: of very many, what is compared stands here. */
struct ordered {
	double x, value;
	bool plain; /* of one parameter, and all runs ended well: these represent all */
	const struct ft_observation *o;
};

static int compare_ordered(const void *a, const void *b)
{
	const struct ordered *p = a, *q = b;
	int order;

	if (!p->plain || !q->plain)
		order = ft__observation_compare(p->o, q->o);
	else if (p->x != q->x)
		order = p->x < q->x ? -1 : 1;
	else
		order = (p->value > q->value) - (p->value < q->value);
	return order ? order : (p->o > q->o) - (p->o < q->o);
}

/* Bits that ascend as the number does. */
static uint64_t ascending(double value)
{
	uint64_t bits;

	value += 0.0; /* -0 is 0 */
	memcpy(&bits, &value, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* The same order of very many that are plain, byte after byte of the values, then of x: a fifth of the time. Returns
 * which of the two holds them then. */
static struct ordered *sort_plain(struct ordered *one, struct ordered *two, size_t n)
{
	size_t count[16][256] = {{0}};

	for (size_t i = 0; i < n; i++) {
		const uint64_t value = ascending(one[i].value), x = ascending(one[i].x);

		for (unsigned byte = 0; byte < 8; byte++) {
			count[byte][value >> 8 * byte & 0xff]++;
			count[8 + byte][x >> 8 * byte & 0xff]++;
		}
	}
	for (unsigned byte = 0; byte < 16; byte++) {
		const unsigned shift = 8 * (byte % 8);
		size_t next[256], sum = 0;
		struct ordered *const from = one;

		if (count[byte][ascending(byte < 8 ? one->value : one->x) >> shift & 0xff] == n)
			continue; /* all have the same */
		for (size_t k = 0; k < 256; k++) {
			next[k] = sum;
			sum += count[byte][k];
		}
		for (size_t i = 0; i < n; i++)
			two[next[ascending(byte < 8 ? one[i].value : one[i].x) >> shift & 0xff]++] = one[i];
		one = two;
		two = from;
	}
	return one;
}

/* The offset that keeps ln finite: half the least positive value when there are zeros, 1 when all are zero.
 */
static double offset_for(const struct ft_observation *o, size_t n)
{
	double least = INFINITY;
	bool zero = false;

	for (size_t i = 0; i < n; i++) {
		if (o[i].value > 0)
			least = fmin(least, o[i].value);
		else
			zero = true;
	}
	if (!zero)
		return 0;
	return isfinite(least) ? fmax(least / 2, DBL_MIN) : 1;
}

/* The value of a rank among samples of which the last ones are censored: both parts ascend. */
static double ranked(const struct ft_observation *o, size_t n, size_t ended, size_t rank)
{
	size_t i = 0, j = ended;

	while (rank--)
		(j == n || (i < ended && o[i].value <= o[j].value)) ? i++ : j++;
	return j == n || (i < ended && o[i].value <= o[j].value) ? o[i].value : o[j].value;
}

static struct ft_knot knot_of(const struct ft_observation *o, size_t n, double offset)
{
	struct ft_knot knot = {.size = o->size, .work = o->work, .runs = n};
	double mean = 0;
	size_t ended = n;

	while (ended && o[ended - 1].censored)
		ended--;
	knot.limits = n - ended;
	knot.value = (ranked(o, n, ended, (n - 1) / 2) + ranked(o, n, ended, n / 2)) / 2;
	for (size_t i = 0; i < ended; i++)
		mean += log(o[i].value + offset) / (double)ended;
	for (size_t i = 0; i < ended; i++)
		knot.scatter += pow(log(o[i].value + offset) - mean, 2);
	return knot;
}

/* sorted [n]. False: no memory. */
static bool set_knots(struct ft_model *model, const struct ft_observation *sorted, size_t n)
{
	size_t j;

	model->knot = ft_calloc(n, sizeof *model->knot);
	if (!model->knot)
		return false;
	for (size_t i = 0; i < n; i = j) {
		for (j = i + 1; j < n && ft_size_equal(&sorted[j].size, &sorted[i].size);)
			j++;
		model->knot[model->n++] = knot_of(&sorted[i], j - i, model->facts.offset);
	}
	return true;
}

/* Whether knots of one parameter are all different in it. */
static bool knots_ascend(const struct ft_model *model)
{
	for (size_t i = 1; i < model->n; i++)
		if (!(ft__model_x(model, &model->knot[i].size) >
		      ft__model_x(model, &model->knot[i - 1].size)))
			return false;
	return true;
}

static enum ft_status fit_model(struct ft_model *model, const struct ft__fit *how, struct ft_err *err)
{
	const struct ft_model_options *options = how->options;

	model->n_axes = options->axis ? options->n_axes : 1;
	for (size_t i = 0; options->axis && i < model->n_axes; i++)
		model->axis[i] = options->axis[i];
	model->prior = options->prior;
	model->type = options->donor ? &ft__model_shipped : find_type(options->type, model->n_axes);
	if (!model->type) {
		(void)ft_fail(err, FT_EINVAL, "there is no model '%s' over %zu parameter%s",
			      options->type ? options->type : "", model->n_axes,
			      model->n_axes == 1 ? "" : "s");
		(void)ft_remedy(err, "leave its type out: the number of parameters decides which it is");
		return FT_EINVAL;
	}
	model->facts = (struct ft_model_facts){
		.type = model->type->name,
		.runs = how->n,
		.offset = offset_for(how->observation, how->n),
		.known = NAN,
		.scatter = NAN,
		.worst = {NAN, NAN},
		.worst_known = NAN,
		.trust = NAN,
		.scale = NAN,
	};
	model->facts.through_speed = options->through_speed && model->facts.offset == 0;
	model->facts.limits = limits_of(how->observation, how->n);
	if (!set_knots(model, how->observation, how->n))
		return ft_nomem(err);
	if (model->type->axes == 1 && !knots_ascend(model))
		return ft_fail(err, FT_EINVAL,
			       "there are sizes that differ in other parameters than the model's");
	model->facts.sizes = model->n;
	model->facts.step = options->step;
	/* Whether the cost is mostly 0: in more than half of the runs, and not only below a size where it begins.
	 * If it is 0 in all of them, that is known. */
	struct ft_model_facts *facts = &model->facts;
	bool begins = model->n_axes == 1 && model->n > 1 && model->knot[model->n - 1].value > 0 &&
		      model->knot[model->n - 2].value > 0;

	facts->most = 0;
	for (size_t i = 0; i < how->n; i++) {
		facts->zeros += how->observation[i].value == 0;
		facts->most = how->observation[i].censored ? facts->most
							   : fmax(facts->most, how->observation[i].value);
	}
	if (begins || 2 * facts->zeros <= how->n || facts->zeros == how->n)
		facts->zeros = 0;
	enum ft_status status = model->type->fit(model, how, err);
	if (model->facts.zeros) {
		model->facts.known = model->facts.scatter = model->facts.worst_known = NAN;
		model->facts.worst[0] = model->facts.worst[1] = NAN;
		model->facts.corner.n = 0;
		model->facts.rough = model->facts.noisy = model->facts.too_few = false;
	}
	return status;
}

enum ft_status ft_model_fit(struct ft_model **out, const struct ft_observation *observation, size_t n,
			    const struct ft_model_options *options, struct ft_err *err)
{
	static const struct ft_model_options usual;
	struct ft__fit how = {.measured = observation, .n = n, .options = options ? options : &usual};
	enum ft_status status = check_samples(observation, n, err);

	*out = NULL;
	if (status)
		return status;
	struct ft_model *model = ft_calloc(1, sizeof *model);
	struct ft_observation *sorted = ft_malloc(n * sizeof *sorted);
	const bool many = n >= MANY;
	struct ordered *ordered = ft_malloc((many ? 2 * n : n) * sizeof *ordered);
	if (model && sorted && ordered) {
		bool plain = true;

		for (size_t i = how.n = 0; i < n; i++) {
			const struct ft_observation *o = &observation[i];

			if (o->censored && !(o->value > 0))
				continue;
			ordered[how.n] = (struct ordered){o->size.value[0], o->value,
							  o->size.n == 1 && !o->censored, o};
			plain = plain && ordered[how.n].plain;
			how.n++;
		}
		const struct ordered *order = ordered;

		if (many && plain)
			order = sort_plain(ordered, ordered + n, how.n);
		else
			qsort(ordered, how.n, sizeof *ordered, compare_ordered);
		for (size_t i = 0; i < how.n; i++)
			sorted[i] = *order[i].o;
		how.observation = sorted;
		status = fit_model(model, &how, err);
	} else {
		status = ft_nomem(err);
	}
	ft_free(sorted);
	ft_free(ordered);
	if (status)
		ft_model_free(model);
	else
		*out = model;
	return status;
}

enum ft_status ft_model_fit_xy(struct ft_model **out, const double *x, const double *y, size_t n,
			       struct ft_err *err)
{
	struct ft_observation *observation = ft_calloc(n, sizeof *observation);

	*out = NULL;
	if (!observation)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		observation[i] = (struct ft_observation){.size = {1, {x[i]}}, .work = 1, .value = y[i]};
	enum ft_status status = ft_model_fit(out, observation, n, NULL, err);
	ft_free(observation);
	return status;
}

double ft__model_rounding(double step, double value)
{
	return step > 0 ? step * step / (12 * value * value) : 0;
}

double ft__model_usual(const struct ft__fit *fit, size_t from, size_t n)
{
	double sum = 0;

	for (size_t i = from; i < from + n; i++)
		sum += log(fit->observation[i].noise > 0 ? fit->observation[i].noise
							 : ft__noise_usual(fit->options->of, NAN, 0));
	return exp(sum / (double)n);
}

double ft__model_beyond_step(double share, double step, double value)
{
	return step > 0 ? fmax(0, share - step / value) : share;
}

double ft__model_value(double ln, double offset)
{
	return fmax(0, fmin(exp(fmin(ln, FT__LN_MOST)) - offset, 1e300));
}

/* ---- predicting
   ------------------------------------------------------------------------------------------ */

double ft__model_x(const struct ft_model *model, const struct ft_size *size)
{
	return size->value[model->axis[0]];
}

/* The last knot at or below x; 0 where there is none. */
static size_t knot_below(const struct ft_model *model, double x)
{
	return ft_last_upto_of(&model->knot[0].size.value[model->axis[0]], model->n, sizeof *model->knot, x);
}

void ft__model_place(const struct ft_model *model, double x, struct ft_prediction *out, size_t *below)
{
	double least = ft__model_x(model, &model->knot[0].size);
	double most = ft__model_x(model, &model->knot[model->n - 1].size);
	size_t j = knot_below(model, x), from = j, to = j, i;

	*below = j;
	out->basis = FT_BASIS_BETWEEN;
	if (ft__model_x(model, &model->knot[j].size) == x) {
		out->basis = FT_BASIS_AT_KNOT;
	} else if (x < least || x > most) {
		out->basis = FT_BASIS_BEYOND;
		out->distance = least > 0 ? fmax(x / most, least / x) : fmax(1, x / most);
		from = x < least ? 0 : model->n > 3 ? model->n - 3 : 0;
		to = x < least && model->n > 3 ? 2 : model->n - 1;
	} else {
		to = j + 1;
	}
	for (i = from; i <= to; i++) {
		out->runs += model->knot[i].runs;
		out->limits += model->knot[i].limits;
	}
}

bool ft__model_has_work(const struct ft_model *model)
{
	for (size_t i = 1; model->facts.through_speed && i < model->n; i++)
		if (model->knot[i].work != model->knot[0].work)
			return true;
	return false;
}

double ft__model_work(const struct ft_model *model, double x, double work)
{
	const struct ft_knot *k = model->knot;
	size_t j = knot_below(model, x);

	if (!isnan(work))
		return work;
	j = j + 1 < model->n ? j : model->n - (model->n > 1 ? 2 : 1);
	double x0 = ft__model_x(model, &k[j].size);
	if (model->n < 2 || !(x0 > 0) || !(x > 0))
		return k[j].work;
	double x1 = ft__model_x(model, &k[j + 1].size);
	return k[j].work * pow(k[j + 1].work / k[j].work, log(x / x0) / log(x1 / x0));
}

/* Whether every run needed none of it: logarithms describe neither its growth nor its noise. */
static bool is_nothing(const struct ft_model *model)
{
	for (size_t i = 0; i < model->n && model->facts.offset > 0; i++)
		if (model->knot[i].value > 0 || model->knot[i].scatter > 0 || model->knot[i].limits)
			return false;
	return model->facts.offset > 0;
}

enum ft_status ft_model_predict(const struct ft_model *model, const struct ft_size *size, double work,
				double confidence, struct ft_prediction *out, struct ft_err *err)
{
	*out = (struct ft_prediction){.distance = 1, .known = NAN};
	if (!(confidence >= FT_CONFIDENCE_LEAST && confidence <= FT_CONFIDENCE_MOST))
		return ft_fail(err, FT_EINVAL, "a confidence of %g is not within %g and %g", confidence,
			       FT_CONFIDENCE_LEAST, FT_CONFIDENCE_MOST);
	for (size_t i = 0; i < model->n_axes; i++)
		if (model->axis[i] >= size->n || !isfinite(size->value[model->axis[i]]))
			return ft_fail(err, FT_EINVAL, "a size must be a finite number");
	if (!isnan(work) && !(work > 0 && isfinite(work)))
		return ft_fail(err, FT_EINVAL, "the work at size %g is %g, not positive",
			       size->value[model->axis[0]], work);
	enum ft_status status = model->type->predict(model, size, work, confidence, out, err);
	if (!status && is_nothing(model)) {
		out->value = out->lower = out->upper = out->known = 0;
		return FT_OK;
	}
	if (!status && model->facts.zeros) {
		*out = (struct ft_prediction){.upper = fmin(model->facts.most * out->distance, 1e300),
					      .known = NAN,
					      .basis = out->basis,
					      .distance = out->distance,
					      .runs = model->facts.runs,
					      .zeros = model->facts.zeros};
		return FT_OK;
	}
	if (!status && model->facts.offset > 0) {
		/* If values may be 0, logarithms are of value + offset: less than half a step counts as zero, and so does
		 * its accuracy. */
		double offset = model->facts.offset, step = model->facts.step;

		out->lower = out->lower < step / 2 ? 0 : out->lower;
		out->value = out->value < step / 2 ? 0 : out->value;
		out->upper = fmax(out->upper, step);
		out->known = out->value > 0 ? out->known * (out->value + offset) / out->value : (double)NAN;
	}
	if (!status)
		ft__batches_widen(&model->facts.batches, model->facts.offset, confidence, out);
	return status;
}

double ft_model_above(const struct ft_model *model, const struct ft_size *size, double work, double limit,
		      double share)
{
	static const double confidence = 0.9;
	double offset = model->facts.offset;
	struct ft_prediction p;

	if (ft_model_predict(model, size, work, confidence, &p, NULL) || !(p.value + offset > 0))
		return NAN;
	double typical = log(p.value + offset);
	double s =
		fmax(log(p.upper + offset) - typical, DBL_EPSILON) / ft_normal_quantile((1 + confidence) / 2);
	double above = fmax(ft_normal_below((typical - log(limit + offset)) / s), DBL_EPSILON);
	return fmax(limit, ft__model_value(typical - s * ft_normal_quantile(above * (1 - share)), offset));
}

/*
 * The band of document 000: a cut at each size measured, joined by straight lines in the plane of size and
 * speed (section 2.1). Resources other than time are joined without that transform.
 */

static const double cut_confidence = 0.9, usual_tolerance = 0.05;

/* Facts are computed at this many places in each gap. */
enum { PLACES = 3 };

/* Lower and upper speed (or value) at each knot; outside them the document has no rule, and the engine
 * answers. */
struct band {
	double (*cut)[2]; /* [model->n] */
	void *beyond;     /* an engine's state */
};

static void band_free(void *state)
{
	struct band *band = state;

	if (band) {
		ft_free(band->cut);
		ft__model_engine.free(band->beyond);
	}
	ft_free(band);
}

/* The same model as an engine's. */
static struct ft_model as_engine(const struct ft_model *model)
{
	struct ft_model engine = *model;

	engine.type = &ft__model_engine;
	engine.state = ((const struct band *)model->state)->beyond;
	return engine;
}

/* Of values: about their mean, as a cut of speeds of unit work is about the mean time. */
static void set_cut(const struct ft_model *model, const struct ft_observation *o, size_t n, double tolerance,
		    double *space, double cut[2])
{
	static const double idle[2] = {0, 0};

	for (size_t i = 0; i < n; i++)
		space[i] = o[i].value + model->facts.offset;
	ft_model_cut(space, n, model->facts.through_speed ? o->work : 1, idle, cut_confidence, tolerance,
		     cut);
	if (model->facts.through_speed)
		return;
	double swap = 1 / cut[0];
	cut[0] = 1 / cut[1];
	cut[1] = swap;
}

/* Both edges at x: joined. */
static void edges_at(const struct ft_model *model, double x, size_t j, double out[2])
{
	const struct band *band = model->state;
	size_t k = j + 1 < model->n ? j + 1 : j;
	double x0 = ft__model_x(model, &model->knot[j].size), x1 = ft__model_x(model, &model->knot[k].size);
	double u = x1 > x0 ? fmin(fmax((x - x0) / (x1 - x0), 0), 1) : 0;

	for (int i = 0; i < 2; i++)
		out[i] = (1 - u) * band->cut[j][i] + u * band->cut[k][i];
}

static enum ft_status band_predict(const struct ft_model *model, const struct ft_size *size, double work,
				   double confidence, struct ft_prediction *out, struct ft_err *err)
{
	double x = ft__model_x(model, size), offset = model->facts.offset, edge[2], middle;
	size_t below;

	ft__model_place(model, x, out, &below);
	if (out->basis == FT_BASIS_BEYOND) {
		struct ft_model engine = as_engine(model);

		*out = (struct ft_prediction){.distance = 1, .known = NAN};
		return ft__model_engine.predict(&engine, size, work, confidence, out, err);
	}
	edges_at(model, x, below, edge);
	middle = (edge[0] + edge[1]) / 2;
	if (model->facts.through_speed) {
		work = ft__model_work(model, x, work);
		/* A speed may be almost zero. */
		*out = (struct ft_prediction){
			.value = fmin(work / middle, 1e300),
			.lower = fmin(work / edge[1], 1e300),
			.upper = fmin(work / edge[0], 1e300),
			.level = out->level,
			.basis = out->basis,
			.distance = out->distance,
			.runs = out->runs,
			.limits = out->limits,
		};
	} else {
		out->value = fmax(0, middle - offset);
		out->lower = fmax(0, edge[0] - offset);
		out->upper = fmax(0, edge[1] - offset);
	}
	out->known = edge[1] / middle - 1;
	return FT_OK;
}

static double half_width(const struct ft_model *model, double x, size_t j)
{
	double edge[2];

	edges_at(model, x, j, edge);
	return (edge[1] - edge[0]) / (edge[1] + edge[0]);
}

static enum ft_status set_facts(struct ft_model *model, struct ft_err *err)
{
	struct ft_model_facts *facts = &model->facts;
	double *known = ft_calloc(PLACES * model->n, sizeof *known), over;
	size_t n = 0;

	if (!known)
		return ft_nomem(err);
	for (size_t j = 0; j + 1 < model->n; j++)
		for (size_t k = 0; k < PLACES; k++) {
			double x0 = ft__model_x(model, &model->knot[j].size);
			double x1 = ft__model_x(model, &model->knot[j + 1].size);

			known[n] = half_width(model, x0 + (x1 - x0) * (double)(k + 1) / (PLACES + 1), j);
			if (!(known[n++] <= facts->worst_known)) {
				facts->worst_known = known[n - 1];
				facts->worst[0] = x0;
				facts->worst[1] = x1;
			}
		}
	if (n)
		facts->known = ft_stats_quantile(known, n, 0.9);
	over = n ? ft_stats_quantile(known, n, 0.95) : (double)NAN;
	facts->too_few = facts->sizes < FT__SIZES_LEAST && !(over <= FT__ROUGH_OVER);
	facts->rough = over > FT__ROUGH_OVER && !facts->too_few;
	ft_free(known);
	return FT_OK;
}

static enum ft_status band_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	double tolerance = fit->options->tolerance > 0 ? fit->options->tolerance : usual_tolerance;
	struct band *band = ft_calloc(1, sizeof *band);
	double *space = ft_calloc(fit->n, sizeof *space);
	size_t from = 0;

	model->state = band;
	if (band)
		band->cut = ft_calloc(model->n, sizeof *band->cut);
	if (!band || !band->cut || !space) {
		ft_free(space);
		return ft_nomem(err);
	}
	for (size_t j = 0; j < model->n; j++) {
		set_cut(model, fit->observation + from, model->knot[j].runs, tolerance, space, band->cut[j]);
		from += model->knot[j].runs;
	}
	ft_free(space);
	/* The engine's further facts about the runs apply to a band as well. */
	struct ft_model engine = as_engine(model);
	enum ft_status status = ft__model_engine.fit(&engine, fit, err);

	((struct band *)model->state)->beyond = engine.state;
	model->facts.scatter = engine.facts.scatter;
	model->facts.noisy = engine.facts.noisy;
	model->facts.spike_rate = engine.facts.spike_rate;
	model->facts.spike_ratio = engine.facts.spike_ratio;
	return status ? status : set_facts(model, err);
}

static void band_pack(const struct ft_model *model, struct ft__packer *packer)
{
	const struct band *band = model->state;
	struct ft_model engine = as_engine(model);

	for (size_t j = 0; j < model->n; j++)
		ft__pack_many(packer, band->cut[j], 2);
	ft__model_engine.pack(&engine, packer);
}

static enum ft_status band_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
{
	struct band *band = ft_calloc(1, sizeof *band);

	model->state = band;
	if (band)
		band->cut = ft_calloc(model->n, sizeof *band->cut);
	if (!band || !band->cut)
		return ft_nomem(err);
	for (size_t j = 0; j < model->n; j++) {
		ft__unpack_many(from, band->cut[j], 2);
		if (!(band->cut[j][0] > 0 && band->cut[j][1] >= band->cut[j][0] && band->cut[j][1] <= 1e300))
			return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	}
	struct ft_model engine = as_engine(model);
	enum ft_status status = ft__model_engine.unpack(&engine, from, err);
	band->beyond = engine.state;
	return status;
}

const struct ft_model_type ft__model_band = {
	.name = "band",
	.axes = 1,
	.fit = band_fit,
	.predict = band_predict,
	.pack = band_pack,
	.unpack = band_unpack,
	.free = band_free,
};
