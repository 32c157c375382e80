/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law.c - from sizes to laws: the number of terms, the best law, the weights of classes. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/law.h"
#include "law/laws.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sizes from which on another law holds: cache and memory edges.
 */

/* Fewest sizes before and after a break. */
enum { BEFORE = 3, AFTER = 2, SEGMENTS = FT_LAW_BREAKS + 1, COMMON = 9 };

/* A break must be that many nats likelier than none, for each place where it could be ... */
static const double margin = 4;
/* ... and the law before it must miss the size after it by a share worth telling. */
static const double visible = 0.1;

static const unsigned char common[COMMON] = {0, 1, 9, 18, 19, 27, 36, 37, 54};

struct segment {
	size_t from, to;
	size_t shape;
	struct ft__law_best best;
	double logs, p;
};

/* The best of the common laws for a part of the sizes. The size of errors is that of all parts together,
 * which is not known here: parts are compared by the likelihood with an error of their own. */
static struct segment fit_segment(const struct ft__law_data *data, size_t from, size_t to)
{
	struct segment best = {.from = from, .to = to};
	double count = 0, top = -INFINITY;

	for (size_t k = from; k < to; k++)
		count += data->count[k];
	for (size_t i = 0; i < COMMON; i++) {
		struct segment s = {.from = from, .to = to, .shape = common[i]};

		if (isnan(data->scale[common[i]]))
			continue;
		s.logs = ft__law_best_of(data, common[i], from, to, &s.best);
		s.p = (s.best.c0 > 0) + (s.best.c1 > 0);
		double score =
			-count / 2 *
				log(s.best.square + (data->scatter + data->floor) * count / data->total) -
			s.logs - s.p / 2 * log(count);
		if (score > top) {
			top = score;
			best = s;
		}
	}
	return best;
}

/* ln likelihood of segments that share the size of their errors. */
static double score_of(const struct ft__law_data *data, const struct segment *s, size_t n)
{
	double square = 0, logs = 0, p = (double)(n - 1), score;

	for (size_t i = 0; i < n; i++) {
		square += s[i].best.square;
		logs += s[i].logs;
		p += s[i].p;
	}
	score = ft__law_score(data, square, logs, p);
	return score - (double)n * log(COMMON) - (double)(n - 1) * log((double)data->n);
}

static double law_at(const struct ft__law_data *data, const struct segment *s, size_t k)
{
	return s->best.c0 + s->best.c1 * ft__law_g(data, s->shape)[k];
}

/* Does the law before miss what comes after? All sizes of the segment, so that a single odd one is none. */
static bool is_visible(const struct ft__law_data *data, const struct segment *before,
		       const struct segment *after)
{
	double sum = 0;

	for (size_t k = after->from; k < after->to; k++)
		sum += fabs(log(data->mean[k] / law_at(data, before, k)));
	return sum / (double)(after->to - after->from) > visible;
}

/* The cuts that were looked at, and the best one. */
struct cuts {
	const struct ft__law_data *data;
	const struct segment *s;
	size_t n, index, place; /* the best: which segment, before which size */
	struct segment best[SEGMENTS];
	double top;
	bool found;
};

/* A segment cut before a size: whether that is the best so far. */
static bool try_cut(struct cuts *cuts, size_t index, size_t place)
{
	struct segment with[SEGMENTS];

	for (size_t j = 0; j < cuts->n; j++)
		with[j + (j > index)] = cuts->s[j];
	with[index] = fit_segment(cuts->data, cuts->s[index].from, place);
	with[index + 1] = fit_segment(cuts->data, place, cuts->s[index].to);
	if (!is_visible(cuts->data, &with[index], &with[index + 1]))
		return false;
	double now = score_of(cuts->data, with, cuts->n + 1);
	if (now <= cuts->top)
		return false;
	cuts->top = now;
	cuts->found = true;
	cuts->index = index;
	cuts->place = place;
	for (size_t j = 0; j <= cuts->n; j++)
		cuts->best[j] = with[j];
	return true;
}

static bool may_cut(const struct segment *s, size_t place)
{
	return place >= s->from + BEFORE && place + AFTER <= s->to;
}

/* Cut one segment where that makes the samples likeliest; false: nowhere. Each place costs as much as there
 * are sizes: of many, so many are looked at, and then those around the best one. */
static bool cut_segment(const struct ft__law_data *data, struct segment *s, size_t *n, double *score)
{
	size_t step = data->n > FT__LAW_CUT_ALL ? data->n / FT__LAW_CUT_PLACES : 1;
	struct cuts cuts = {.data = data, .s = s, .n = *n, .top = *score + margin};

	for (size_t i = 0; i < *n; i++)
		for (size_t k = s[i].from + BEFORE; may_cut(&s[i], k); k += step)
			(void)try_cut(&cuts, i, k);
	/* Nearer and nearer to the best one. */
	while (cuts.found && step > 1) {
		size_t index = cuts.index, place = cuts.place;

		step = (step + 1) / 2;
		if (place > step && may_cut(&cuts.s[index], place - step) &&
		    try_cut(&cuts, index, place - step))
			continue;
		if (may_cut(&cuts.s[index], place + step))
			(void)try_cut(&cuts, index, place + step);
	}
	if (!cuts.found)
		return false;
	++*n;
	for (size_t j = 0; j < *n; j++)
		s[j] = cuts.best[j];
	*score = cuts.top;
	return true;
}

static void tell_break(const struct ft__law_data *data, const struct segment *before,
		       const struct segment *after, double evidence, struct ft_law_break *out)
{
	struct ft__law_joint joint = {
		.terms = 1, .shape = {(unsigned char)before->shape}, .constant = before->best.c0};
	double square = before->best.square, count = 0;

	joint.c[0] = before->best.c1;
	for (size_t k = before->from; k < before->to; k++)
		count += data->count[k];
	*out = (struct ft_law_break){
		.after = data->x[before->to - 1],
		.from = data->x[after->from],
		.error = sqrt((square + data->scatter * count / data->total) / fmax(count - before->p, 1)),
		.evidence = evidence,
	};
	ft__law_take(data, &joint, &out->law);
}

/* Look for sizes from which on another law holds; fills out->breaks and out->broken.
 *
 * rival  the highest score of laws without a break
 *
 * Returns the index of the first size of the last law; 0: no break was seen. */
static size_t law_cut(const struct ft__law_data *data, double rival, struct ft_laws *out)
{
	struct segment s[SEGMENTS];
	size_t n = 1;

	out->breaks = 0;
	if (data->n < FT__LAW_CUT_SIZES)
		return 0;
	s[0] = fit_segment(data, 0, data->n);
	rival = fmax(rival, score_of(data, s, 1));
	double score = rival;
	while (n < SEGMENTS && cut_segment(data, s, &n, &score))
		;
	for (size_t i = 0; i + 1 < n; i++)
		tell_break(data, &s[i], &s[i + 1], score - rival, &out->broken[i]);
	out->breaks = n - 1;
	return s[n - 1].from;
}

/*
 * From sizes to laws: the number of terms, the best law, the weights of classes.
 */

/* How many nats likelier laws of two terms must be, before they are called for; from so many sizes on. */
static const double call_margin = 2;
enum { CALLING_SIZES = 5 };

/* The prior weight of laws of two terms relative to those of one. */
static const double second_prior = 0.15;

/* Breaks are looked for among laws that may differ from programs by so much, root mean square. */
static const double difference = 0.01;

/* What is known on the way. */
struct work {
	struct ft__law_data data;
	struct ft__law_best best[FT__LAW_ALL];
	struct ft__law_joint joint;   /* the best law of the highest number of terms tried */
	struct ft__law_points points; /* those of the laws believed in; then those with one term more */
	size_t first;                 /* how many of the former */
	size_t chosen;                /* index of best */
};

static void work_clear(struct work *work)
{
	ft__law_data_clear(&work->data);
	ft_free(work->points.point);
}

/* ---- which law ----------------------------------------------------------------------------------------- */

static struct ft__law_joint single_term(const struct work *work, size_t shape)
{
	const struct ft__law_best *best = &work->best[shape];

	return (struct ft__law_joint){
		.shape = {(unsigned char)shape},
		.terms = 1,
		.constant = best->c0,
		.c = {best->c1},
		.square = best->square,
		.score = best->score,
	};
}

/* Do repetitions show that no law of one term passes through the means? */
static bool misses_means(const struct work *work)
{
	const struct ft__law_data *data = &work->data;

	if (data->total <= (double)data->n)
		return true; /* no repetitions: only the other laws can decide */
	return ft__law_score_of_means(data, (double)data->n) > work->best[work->chosen].score;
}

/* Whether the samples decide the number of terms. */
static bool is_free(const struct work *work, const struct ft_law_options *options)
{
	return (!options || !options->terms) && work->data.n >= CALLING_SIZES;
}

/* Whether a law of two terms, which no sum of squares is below 0 of, may be called for. */
static bool may_call(const struct work *work)
{
	double most = ft__law_score_of_means(&work->data, 3) - log(FT__LAW_PAIRS);

	return misses_means(work) && most > work->best[work->chosen].score + call_margin;
}

/* The requested number of terms, or the one that the samples support. */
static enum ft_status decide_terms(struct work *work, const struct ft_law_options *options,
				   struct ft_laws *out, struct ft_err *err)
{
	const struct ft__law_best *best = &work->best[work->chosen];
	bool wanted = options && options->terms > 1 && work->data.n >= 4;

	out->terms = wanted ? options->terms : 1;
	out->exact = ft__law_is_exact(&work->data, best->square, 2);
	if (out->exact)
		out->terms = 1;
	if (out->exact || (!wanted && !(is_free(work, options) && may_call(work))))
		return FT_OK;
	enum ft_status status = ft__law_join_best(&work->data, wanted ? out->terms : 2, &work->joint, err);
	if (status)
		return status;
	if (!wanted && work->joint.score > best->score + call_margin) {
		out->called = true;
		out->terms = 2;
	}
	out->exact = out->terms > 1 && ft__law_is_exact(&work->data, work->joint.square, out->terms + 1);
	return FT_OK;
}

static bool same_shapes(const struct ft_law_point *p, const struct ft_law_point *q)
{
	if (p->terms == 1 && q->terms == 1)
		return ft__law_class(p->shape[0]) == ft__law_class(q->shape[0]);
	return p->terms == q->terms && !memcmp(p->shape, q->shape, sizeof p->shape);
}

/* A term less a slower one is of the term's class. */
static bool same_factor(const struct ft_law_factor *a, const struct ft_law_factor *b)
{
	return a->power == b->power && a->log == b->log && a->rate == b->rate &&
	       a->factorial == b->factorial && a->level == b->level;
}

/* Of a family the likeliest one. */
static struct ft_law_factor class_factor(const struct ft_laws *laws, size_t class)
{
	return class < FT_LAW_SHAPES ? ft__law_factor(class)
				     : laws->free[(class - FT_LAW_SHAPES) * FT_LAW_NODES + FT_LAW_NODES / 2];
}

/* Whether a law with this first shape is of the heaviest class. */
static bool leads(const struct ft_laws *laws, size_t shape)
{
	struct ft_law_factor factor = class_factor(laws, ft__law_class(shape));

	return same_factor(&factor, &laws->kind[0].factor);
}

/* The heaviest choice of shapes in the heaviest class: a point of it. Points of one choice stand together.
 * terms: of the choice, 0: any. NULL: there is none. */
static const struct ft_law_point *most_believed(const struct ft_laws *laws, size_t terms)
{
	const struct ft_law_point *chosen = NULL;
	double most = 0, sum = 0;

	for (size_t i = 0; i < laws->points; i++) {
		const struct ft_law_point *point = &laws->point[i];

		if (i && !same_shapes(point, point - 1))
			sum = 0;
		sum += point->weight;
		if (sum > most && leads(laws, point->shape[0]) && (!terms || point->terms == terms)) {
			most = sum;
			chosen = point;
		}
	}
	return chosen;
}

/* Of a family the likeliest shape. */
static size_t centre_of(size_t shape)
{
	if (shape < FT_LAW_SHAPES)
		return shape;
	return FT_LAW_SHAPES + (shape - FT_LAW_SHAPES) / FT_LAW_NODES * FT_LAW_NODES + FT_LAW_NODES / 2;
}

/* The heaviest point of the heaviest class as a law. Its leading term is small, but it is not 0. */
static void take_point(const struct work *work, const struct ft_laws *laws, struct ft__law_joint *joint)
{
	const struct ft__law_data *data = &work->data;
	const struct ft_law_point *best = NULL, *point;

	for (size_t i = 0; i < laws->points; i++) {
		point = &laws->point[i];
		if (leads(laws, point->shape[0]) && centre_of(point->shape[0]) == point->shape[0] &&
		    (!best || point->weight > best->weight))
			best = point;
	}
	if (!best)
		return;
	*joint = (struct ft__law_joint){.terms = best->terms, .constant = best->constant};
	for (size_t i = 0; i < best->terms; i++) {
		joint->shape[i] = best->shape[i];
		joint->c[i] = best->c[i] * data->scale[best->shape[i]];
	}
	for (size_t k = 0; k < data->n; k++) {
		double value = joint->constant;

		for (size_t i = 0; i < joint->terms; i++)
			value += joint->c[i] * ft__law_g(data, joint->shape[i])[k];
		double r = data->mean[k] / value - 1;
		joint->square += data->count[k] * r * r;
	}
}

/* The law to show, of the heaviest class: where several terms are called for, the likeliest of those. Where
 * least squares have no use for the leading term, a law of it alone. */
static enum ft_status best_law(const struct work *work, const struct ft_laws *laws,
			       struct ft__law_joint *joint, struct ft_err *err)
{
	bool several = laws->terms > 1 && work->joint.score > work->best[work->chosen].score;
	const struct ft_law_point *point = NULL;
	enum ft_status status = FT_OK;

	*joint = work->joint;
	if (several && joint->c[0] > 0 && leads(laws, joint->shape[0]))
		return FT_OK;
	if (several)
		point = most_believed(laws, laws->terms);
	if (!point)
		point = most_believed(laws, 0);
	assert(point);
	size_t first = centre_of(point->shape[0]);
	*joint = single_term(work, first);
	if (point->terms > 1) {
		joint->terms = point->terms;
		memcpy(joint->shape, point->shape, sizeof joint->shape);
		status = ft__law_join(&work->data, joint, err);
	}
	if (point->terms > 1 && !(joint->c[0] > 0))
		*joint = single_term(work, first);
	if (first != FT__CONSTANT && !(joint->c[0] > 0))
		take_point(work, laws, joint);
	return status;
}

/* ---- how sure ------------------------------------------------------------------------------------------ */

static enum ft_status believe_laws(struct work *work, struct ft_laws *laws, struct ft_err *err)
{
	if (laws->exact && (laws->terms > 1 || work->chosen < FT_LAW_SHAPES)) {
		/* An exact law: nothing else is believed. */
		struct ft__law_joint joint = laws->terms > 1 ? work->joint : single_term(work, work->chosen);
		struct ft_law_point point = {.constant = joint.constant, .terms = joint.terms};

		for (size_t i = 0; i < joint.terms; i++) {
			point.shape[i] = joint.shape[i];
			point.c[i] = joint.c[i] / work->data.scale[joint.shape[i]];
		}
		point.error = sqrt((joint.square + work->data.scatter) / work->data.total);
		work->first = 1;
		return ft__law_points_add(&work->points, &point, err);
	}
	enum ft_status status = ft__law_weigh(&work->data, work->best, &work->points, err);
	for (size_t terms = 2; terms <= laws->terms && !laws->exact && !status; terms++)
		status = ft__law_weigh_terms(&work->data, terms, false, &work->points, err);
	work->first = work->points.n;
	if (laws->exact || status ||
	    laws->terms == FT_LAW_MIXED) /* exact: but for the number of its family */
		return status;
	return ft__law_weigh_terms(&work->data, laws->terms + 1, true, &work->points, err);
}

/* A family whose best number is one of the table's is of that class. */
static size_t class_of(const struct ft_laws *laws, size_t shape)
{
	size_t class = ft__law_class(shape), i;

	for (i = 0; i < FT_LAW_SHAPES && class >= FT_LAW_SHAPES; i++)
		if (same_factor(&laws->kind[i].factor, &laws->kind[class].factor))
			return i;
	return class;
}

/* ---- all together ---------------------------------------------------------------------------------------
 */

static enum ft_status fit_laws(struct work *work, const struct ft_law_options *options, struct ft_laws *out,
			       struct ft_err *err)
{
	struct ft__law_joint joint;

	work->chosen = ft__law_select(&work->data, work->best);
	FT_TRY(decide_terms(work, options, out, err));
	FT_TRY(believe_laws(work, out, err));
	out->further = 0;
	/* Laws of two are believed in less where they are not called for; of more terms than these, one that cannot
	 * be excluded makes the wider belief. */
	bool mixed = out->terms == 1 && is_free(work, options);

	out->points = ft__law_keep(&work->points, work->first, mixed ? log(second_prior) : (double)-INFINITY,
				   out->point);
	if (work->points.n > work->first)
		out->further = ft__law_keep(&work->points, work->points.n, 0, out->with_further);
	memcpy(out->free, work->data.factor, sizeof out->free);
	/* The weight of each class; a law is of the class of its term that grows most. */
	for (size_t i = 0; i < FT_LAW_CLASSES; i++)
		out->kind[i] = (struct ft_law_class){class_factor(out, i), 0};
	for (size_t i = 0; i < out->points; i++)
		out->kind[class_of(out, out->point[i].shape[0])].weight += out->point[i].weight;
	/* The heaviest first, in their order where they are alike: most are, at 0. */
	size_t j;

	for (size_t i = 1; i < FT_LAW_CLASSES; i++) {
		struct ft_law_class moved = out->kind[i];

		for (j = i; j && out->kind[j - 1].weight < moved.weight; j--)
			out->kind[j] = out->kind[j - 1];
		out->kind[j] = moved;
	}
	for (out->kinds = 0; out->kinds < FT_LAW_CLASSES && out->kind[out->kinds].weight >= 0.0005;)
		out->kinds++;
	enum ft_status status = best_law(work, out, &joint, err);
	if (!status) {
		ft__law_take(&work->data, &joint, &out->law);
		out->misfit = sqrt(joint.square / work->data.total);
	}
	return status;
}

/* The score that a law would have if no law were nearer than the usual differences of programs from laws. */
static double tolerant_score(const struct ft__law_data *data, double score, double square)
{
	double before = square + data->scatter + data->floor + data->supposed;

	return score -
	       (data->total + data->extra) / 2 * log1p(data->total * difference * difference / before);
}

/* The same from the last break on, where there is one. */
static enum ft_status fit_broken(struct work *work, const struct ft_law_knot *knot, size_t n,
				 const struct ft_law_options *options, struct ft_laws *out,
				 struct ft_err *err)
{
	enum ft_status status = fit_laws(work, options, out, err);
	const struct ft__law_best *best = &work->best[work->chosen];

	if (status || out->exact || (options && options->unbroken) || work->data.n < FT__LAW_CUT_SIZES ||
	    !misses_means(work))
		return status;
	if (!work->joint.terms)
		status = ft__law_join_best(&work->data, 2, &work->joint, err);
	if (status)
		return status;
	double rival = tolerant_score(&work->data, best->score, best->square);
	if (work->joint.terms)
		rival = fmax(rival, tolerant_score(&work->data, work->joint.score, work->joint.square));
	work->data.floor += work->data.total * difference * difference;
	size_t from = law_cut(&work->data, rival, out);
	if (!from)
		return FT_OK;
	work_clear(work);
	*work = (struct work){0};
	out->called = false;
	status = ft__law_data_init(&work->data, knot + from, n - from, options && options->growing, err);
	if (!status) {
		/* What is known of errors at other sizes holds here too. */
		for (size_t k = 0; k < from; k++) {
			work->data.extra += (double)knot[k].count - 1;
			work->data.supposed += knot[k].scatter;
		}
	}
	return status ? status : fit_laws(work, options, out, err);
}

/* Of the sizes that the law is of: those from the last break on. */
static void take_residuals(struct ft_laws *out, const struct ft_law_knot *knot, size_t n)
{
	double from = out->breaks ? out->broken[out->breaks - 1].from : -INFINITY;
	size_t first = 0;

	while (knot[first].x < from)
		first++;
	ft__law_residuals(&out->law, knot + first, n - first, &out->residual, &out->residual_ln);
}

static double noise_of(const struct ft_law_knot *knot, size_t n)
{
	double scatter = 0, dof = 0;

	for (size_t k = 0; k < n; k++) {
		scatter += knot[k].scatter;
		dof += (double)knot[k].count - 1;
	}
	return dof > 0 ? sqrt(scatter / dof) : (double)NAN;
}

/* All samples are 0: that is a law too. */
static void be_zero(struct ft_laws *out)
{
	out->law = (struct ft_law){.params = 1};
	out->exact = true;
	out->terms = 1;
	out->points = 1;
	out->point[0] = (struct ft_law_point){.weight = 1};
	out->kinds = 1;
	out->kind[0].weight = 1;
	out->noise = 0;
}

static enum ft_status check_knots(const struct ft_law_knot *knot, size_t n, size_t *zeros, struct ft_err *err)
{
	size_t first = 0;

	if (n < 2) {
		(void)ft_fail(err, FT_ENOMODEL,
			      n ? "there is one size only: any law passes through it"
				: "there is no size to find a law of");
		(void)ft_remedy(err, "measure more sizes, five or more over a factor of 16 or more");
		return FT_ENOMODEL;
	}
	while (first < n && knot[first].mean == 0)
		first++;
	*zeros = first;
	for (size_t k = 0; k < n; k++) {
		if (!isfinite(knot[k].x) || knot[k].x < 0 || !isfinite(knot[k].mean) || knot[k].mean < 0 ||
		    !ft__law_has_square(knot[k].mean) || !isfinite(knot[k].scatter) || knot[k].scatter < 0 ||
		    !knot[k].count)
			return ft_fail(err, FT_EINVAL, "size %g with the mean %g obeys no law", knot[k].x,
				       knot[k].mean);
		if (k && !(knot[k].x > knot[k - 1].x))
			return ft_fail(err, FT_EINVAL, "size %g does not stand after size %g", knot[k].x,
				       knot[k - 1].x);
		if (k > first && knot[k].mean == 0)
			return ft_fail(
				err, FT_ENOMODEL,
				"the value is 0 at size %g, and it is not at size %g: no law is 0 again",
				knot[k].x, knot[first].x);
	}
	if (n - first == 1)
		return ft_fail(err, FT_ENOMODEL,
			       "the value is 0 at all sizes but %g: any law passes through one size",
			       knot[first].x);
	return FT_OK;
}

static enum ft_status fit_behind_zeros(const struct ft_law_knot *knot, size_t n, size_t zeros,
				       const struct ft_law_options *options, struct ft_laws *out,
				       struct ft_err *err)
{
	struct work work = {0};
	enum ft_status status =
		ft__law_data_init(&work.data, knot + zeros, n - zeros, options && options->growing, err);

	if (!status)
		status = fit_broken(&work, knot + zeros, n - zeros, options, out, err);
	work_clear(&work);
	if (status)
		return status;
	out->zeros = zeros;
	out->noise = noise_of(knot + zeros, n - zeros);
	take_residuals(out, knot + zeros, n - zeros);
	return FT_OK;
}

enum ft_status ft_laws_fit_knots(struct ft_laws *out, const struct ft_law_knot *knot, size_t n,
				 const struct ft_law_options *options, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t zeros = 0;

	assert(!options || options->terms <= FT_LAW_MIXED);
	*out = (struct ft_laws){0};
	FT_TRY(check_knots(knot, n, &zeros, err));
	if (zeros == n)
		be_zero(out);
	else
		status = fit_behind_zeros(knot, n, zeros, options, out, err);
	if (status) {
		*out = (struct ft_laws){0};
		return status;
	}
	out->sizes = n;
	for (size_t k = 0; k < n; k++)
		out->runs += knot[k].count;
	out->least = knot[out->zeros].x;
	out->most = knot[n - 1].x;
	return FT_OK;
}

/* ---- samples ------------------------------------------------------------------------------------------- */

enum ft_status ft_laws_fit(struct ft_laws *out, const struct ft_law_sample *sample, size_t n,
			   const struct ft_law_options *options, struct ft_err *err)
{
	struct ft_law_knot *knot;
	size_t sizes;
	enum ft_status status = ft__law_samples(sample, n, false, &knot, &sizes, err);

	if (status)
		*out = (struct ft_laws){0};
	else
		status = ft_laws_fit_knots(out, knot, sizes, options, err);
	ft_free(knot);
	return status;
}

/*
 * The law of the samples, in any class.
 */

/* A law that misses the sizes by more than this is rejected, unless single runs vary as much. */
static const double most_misfit = 0.5;

static enum ft_status check_misfit(const struct ft_law_any *found, const char *what, struct ft_err *err)
{
	char share[FT_UNIT_LENGTH];

	if (!(found->misfit > fmax(most_misfit, isnan(found->noise) ? 0 : found->noise)))
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "%s obeys no law: the nearest one misses the sizes by %s", what,
		      ft_share_format(found->misfit, share));
	return ft_remedy(err, "plot the runs; where another parameter changes between them, name it too, or "
			      "fit a part of the sizes");
}

/* Of one parameter. */
static enum ft_status fit_one(struct ft_law_any *out, const struct ft_law_place *place, size_t n,
			      size_t terms, struct ft_err *err)
{
	const struct ft_law_options options = {.terms = terms};
	struct ft_law_sample *sample = ft_calloc(n + 1, sizeof *sample);
	enum ft_status status;

	if (!sample)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		sample[i] = (struct ft_law_sample){place[i].x[0], place[i].value};
	if (out->kind == FT_LAW_LAWS) {
		status = ft_laws_fit(&out->laws, sample, n, &options, err);
		const struct ft_laws *laws = &out->laws;

		out->law = laws->law;
		out->sizes = laws->sizes;
		out->misfit = laws->misfit;
		out->noise = laws->noise;
		out->residual = laws->residual;
		out->residual_ln = laws->residual_ln;
		out->exact = laws->exact;
	} else if (out->kind == FT_LAW_SIGNED) {
		status = ft_law_sums_fit(&out->sums, sample, n, err);
		const struct ft_law_sums *sums = &out->sums;

		out->law = sums->candidate[0].law;
		out->sizes = sums->sizes;
		out->misfit = sums->misfit;
		out->noise = sums->noise;
		out->residual = sums->residual;
		out->residual_ln = NAN;
	} else {
		status = ft_law_named_fit(&out->named, out->kind, 0, sample, n, err);
		const struct ft_law_named *named = &out->named;

		out->law = named->law;
		out->sizes = named->sizes;
		out->misfit = named->mean_error;
		out->noise = named->noise;
		out->residual = named->residual;
		out->residual_ln = named->residual_ln;
	}
	ft_free(sample);
	return status;
}

enum ft_status ft_law_any_fit(struct ft_law_any *out, enum ft_law_kind kind,
			      const struct ft_law_place *sample, size_t n, size_t params, size_t terms,
			      const char *what, struct ft_err *err)
{
	enum ft_status status;

	memset(out, 0, sizeof *out);
	out->kind = kind;
	out->many = params > 1;
	if (out->many) {
		status = ft_laws_fit_many(&out->multi, sample, n, params, err);
		const struct ft_laws_many *many = &out->multi;

		out->law = many->candidate[0].law;
		out->sizes = many->places;
		out->misfit = many->misfit;
		out->noise = many->noise;
		out->residual = many->residual;
		out->residual_ln = many->residual_ln;
		out->exact = many->exact;
	} else {
		status = fit_one(out, sample, n, terms, err);
	}
	return !status && kind == FT_LAW_LAWS ? check_misfit(out, what, err) : status;
}

enum ft_status ft_law_any_predict(const struct ft_law_any *found, const double *x, double confidence,
				  enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err)
{
	if (found->many)
		return ft_laws_predict_many(&found->multi, x, confidence, of, out, err);
	if (found->kind == FT_LAW_LAWS)
		return ft_laws_predict(&found->laws, x[0], confidence, of, out, err);
	return found->kind == FT_LAW_SIGNED
		       ? ft_law_sums_predict(&found->sums, x[0], confidence, of, out, err)
		       : ft_law_named_predict(&found->named, x[0], confidence, of, out, err);
}

bool ft_law_any_power(const struct ft_law_any *found, double confidence, struct ft_law_number *out)
{
	if (found->many || found->kind == FT_LAW_SIGNED)
		return false;
	return found->kind == FT_LAW_LAWS ? ft_laws_power(&found->laws, confidence, out)
					  : ft_law_named_power(&found->named, confidence, out);
}
