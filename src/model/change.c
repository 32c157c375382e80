/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.c - detects shifts: newer samples differ systematically from older ones, because the machine or the
 * program has become slower or faster.
 *
 * For a moment in the order of measurement, the model of the samples before it predicts those after it. By
 * size, the differences of ln value are averaged; their errors are the noise of both sides, which averages
 * out, and the model's error between sizes, which does not. A shift of four standard errors (more, if few
 * repetitions determine the noise) at the best of up to 80 moments is a change. doc/engine-intervals.md. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double certain = 0.99994; /* four standard errors of a noise that is known */
static const double cautious = 1.1;    /* the best of many moments is looked for, and noise is an estimate */
static const double worth = 0.03;      /* smaller shifts are not worth a word, nor a step of a count */
static const double suspicious = 0.3;  /* a ratio: a few runs on the wrong side may hide a change */
enum { LEAST = 3, MOMENTS = 80, ROUNDS = 4, THINNED = 300 };

/* The newer samples at one size. */
struct cell {
	double difference; /* of ln value: newer minus the prediction from older ones */
	double noise;      /* variance that averages out over sizes */
	double shape;      /* standard deviation that does not */
	double step;       /* by how much a value differs from the next one that there is, as a share */
};

struct found {
	double shift, error;
	double ratio; /* |shift| by the largest that is no change */
	size_t at;    /* the first newer sample; 0: nothing was compared */
};

/* A model of the older samples, and how it is made. */
struct older {
	const struct ft_model_options *options;
	struct ft_model *like; /* over several parameters: how smooth it is; NULL */
	struct ft_model *model;
	bool no_memory; /* since the last check */
};

/* The noise of single runs over all sizes, since few repetitions at each do not determine it. */
struct pool {
	double squares, freedom;
};

/* The prediction from older samples at a size. Logarithms are of value + offset. */
struct older_prediction {
	double ln, offset;
	double noise; /* standard deviation of ln of single runs there */
	double curve; /* and of that of the typical run */
	bool at_knot; /* by runs of that size: the error is theirs alone */
};

static const double one_sigma = 0.6827;

static enum ft_status older_fit(struct older *older, const struct ft_observation *o, size_t n,
				struct ft_err *err)
{
	struct ft_model_options options = *older->options;

	options.type = NULL;
	options.brief = true;
	options.like = older->like;
	options.n_sizes = 0;
	return ft_model_fit(&older->model, o, n, &options, err);
}

/* Over several parameters it takes long to find how smooth the values are: that of the older half serves.
 * Where that changed, too, it is too rough a one, never too smooth. */
static enum ft_status older_begin(struct older *older, const struct ft_observation *o, size_t n,
				  struct ft_err *err)
{
	struct ft_model_options options = *older->options;

	options.type = NULL;
	enum ft_status status =
		options.n_axes > 1 ? ft_model_fit(&older->like, o, (n + 1) / 2, &options, err) : FT_OK;
	return status == FT_ENOMODEL ? FT_OK : status; /* all of them met a limit */
}

/* FT_ENOMEM: some question found no memory. */
static enum ft_status older_end(struct older *older, struct ft_err *err)
{
	bool failed = older->no_memory;

	ft_model_free(older->model);
	older->model = NULL;
	older->no_memory = false;
	return failed ? ft_nomem(err) : FT_OK;
}

/* False where the model has no data: there the error is its own, not the runs'. */
static bool predict_older(struct older *older, const struct ft_observation *o,
			  struct older_prediction *older_prediction)
{
	double offset = ft_model_facts(older->model)->offset, total;
	struct ft_prediction p;
	enum ft_status status = ft_model_predict(older->model, &o->size, o->work, one_sigma, &p, NULL);

	older->no_memory = older->no_memory || status == FT_ENOMEM;
	if (status || p.basis == FT_BASIS_BEYOND || !(p.value + offset > 0) || isnan(p.known))
		return false;
	total = log((p.upper + offset) / (p.lower + offset)) / 2;
	*older_prediction = (struct older_prediction){
		.ln = log(p.value + offset),
		.offset = offset,
		.curve = log1p(p.known),
		.at_knot = p.basis == FT_BASIS_AT_KNOT,
	};
	older_prediction->noise =
		sqrt(fmax(0, total * total - older_prediction->curve * older_prediction->curve));
	return true;
}

static void add_to_pool(struct pool *pool, const struct ft_observation *o, size_t n)
{
	double mean = 0;

	while (n && o[n - 1].censored)
		n--;
	for (size_t i = 0; i < n; i++) {
		if (!(o[i].value > 0))
			return;
		mean += log(o[i].value) / (double)n;
	}
	for (size_t i = 0; i < n; i++)
		pool->squares += pow(log(o[i].value) - mean, 2);
	pool->freedom += fmax(0, (double)n - 1);
}

/* The least limit that one of samples [n] met, which are in the order of ft__observation_compare. */
static double first_limit(const struct ft_observation *o, size_t n)
{
	while (n > 1 && o[n - 2].censored)
		n--;
	return o[n - 1].value;
}

/* Samples [n] of one size, ascending by value. False: the older ones have no prediction for it. */
static bool compare_cell(struct older *older, const struct pool *pool, const struct ft_observation *o,
			 size_t n, struct cell *cell)
{
	double median = (o[(n - 1) / 2].value + o[n / 2].value) / 2, noise, known;
	double pooled = pool->freedom > 0 ? sqrt(pool->squares / pool->freedom) : 0;
	double step = older->options->step;
	struct older_prediction older_prediction;

	/* Those that met a limit stand last, as large ones do. A median among them, or above one, is not
	 * known. */
	if (n && o[n - 1].censored && (o[n / 2].censored || first_limit(o, n) < o[n / 2].value))
		return false;
	if (!predict_older(older, o, &older_prediction) || !(median + older_prediction.offset > 0))
		return false;
	noise = fmax(fmax(older_prediction.noise, pooled),
		     sqrt(ft__model_rounding(step, exp(older_prediction.ln))));
	known = older_prediction.curve * older_prediction.curve;
	*cell = (struct cell){
		.difference = log(median + older_prediction.offset) - older_prediction.ln,
		.noise = noise * noise / (double)n + (older_prediction.at_knot ? known : 0),
		.shape = older_prediction.at_knot ? 0 : older_prediction.curve,
		.step = log1p(step / exp(older_prediction.ln)),
	};
	return true;
}

/* The weighted mean of the cells. */
static void average_cells(const struct cell *cell, size_t n, const struct pool *pool, struct found *out)
{
	double weights = 0, sum = 0, noise = 0, shape = 0, spread = 0, step = 0;

	for (size_t i = 0; i < n; i++) {
		double w = 1 / (cell[i].noise + cell[i].shape * cell[i].shape);

		weights += w;
		sum += w * cell[i].difference;
		noise += w * w * cell[i].noise;
		shape += w * cell[i].shape;
		step += w * cell[i].step;
	}
	out->shift = sum / weights;
	for (size_t i = 0; i < n; i++)
		spread += pow(cell[i].difference - out->shift, 2) /
			  (cell[i].noise + cell[i].shape * cell[i].shape);
	/* If the differences vary more than expected, it is no common shift. */
	spread = n > 1 ? fmax(1, spread / (double)(n - 1)) : 1;
	out->error = sqrt((noise + shape * shape) / (weights * weights) * spread) * cautious;
	out->ratio = fabs(out->shift) /
		     fmax(fmax(worth, step / weights),
			  out->error * ft_student_t(certain, fmax(1, pool->freedom + (double)n - 1)));
}

/* Compare the samples from `at` on with those before. scratch: [n] */
static enum ft_status try_change(const struct ft_observation *o, size_t n, size_t at, struct older *older,
				 struct ft_observation *scratch, struct cell *cell, struct found *out,
				 struct ft_err *err)
{
	size_t newer = n - at, j, cells = 0, compared = 0;
	enum ft_status status = older_fit(older, o, at, err);

	*out = (struct found){0};
	if (status)
		return status == FT_ENOMODEL ? FT_OK : status; /* all older ones met a limit */
	memcpy(scratch, o + at, newer * sizeof *scratch);
	qsort(scratch, newer, sizeof *scratch, ft__observation_compare);
	struct pool pool = {0};
	size_t knots;
	const struct ft_knot *knot = ft_model_knots(older->model, &knots);

	for (size_t i = 0; i < knots; i++) {
		pool.squares += knot[i].scatter;
		pool.freedom += fmax(0, (double)(knot[i].runs - knot[i].limits) - 1);
	}
	for (size_t i = 0; i < newer; i = j) {
		for (j = i; j < newer && ft_size_equal(&scratch[j].size, &scratch[i].size); j++)
			continue;
		add_to_pool(&pool, scratch + i, j - i);
	}
	for (size_t i = 0; i < newer; i = j) {
		for (j = i; j < newer && ft_size_equal(&scratch[j].size, &scratch[i].size); j++)
			continue;
		if (compare_cell(older, &pool, scratch + i, j - i, &cell[cells])) {
			cells++;
			compared += j - i;
		}
	}
	/* One size that goes on being run is no other time. */
	if (cells && compared >= LEAST && (cells > 1 || !ft_size_equal(&o[at - 1].size, &o[at].size))) {
		out->at = at;
		average_cells(cell, cells, &pool, out);
	}
	return older_end(older, err);
}

/* Moments to try: all of few; of many, close to both ends, and in between by half an octave. */
static size_t choose_moments(size_t first, size_t n, size_t *moment)
{
	size_t count = 0;

	for (size_t i = first + LEAST; n - first <= MOMENTS && i + LEAST <= n; i++)
		moment[count++] = i;
	if (n - first <= MOMENTS)
		return count;
	for (double step = LEAST; (size_t)step + LEAST <= n - first; step *= 1.4) {
		assert(count + 2 <= MOMENTS); /* of THINNED */
		moment[count++] = n - (size_t)step;
		moment[count++] = first + (size_t)step;
	}
	return count;
}

static bool beats_found(const struct found *a, const struct found *b)
{
	return a->at && (!b->at || a->ratio > b->ratio);
}

/* ln value minus the prediction from older samples; NaN: none. */
static double residual_of(struct older *older, const struct ft_observation *o)
{
	struct older_prediction older_prediction;

	if (o->censored || !predict_older(older, o, &older_prediction) ||
	    !(o->value + older_prediction.offset > 0))
		return NAN;
	return log(o->value + older_prediction.offset) - older_prediction.ln;
}

/* The moment that parts best what agrees with the older samples from what is off by the shift: medians by
 * size do not mind a sample too many on either side. */
static enum ft_status sharpen_moment(const struct ft_observation *o, size_t n, size_t first,
				     struct older *older, struct found *best, struct ft_err *err)
{
	double cost = 0, least = 0;
	size_t at = best->at;

	FT_TRY(older_fit(older, o, best->at, err));
	/* By how much it costs less to count the samples before i as older, too. */
	for (size_t i = first; i + LEAST <= n; i++) {
		double r = residual_of(older, &o[i]);

		if (i >= first + LEAST && (i == first + LEAST || cost < least)) {
			least = cost;
			at = i;
		}
		cost += isnan(r) ? 0 : fabs(r) - fabs(r - best->shift);
	}
	best->at = at;
	return older_end(older, err);
}

/* The best moment from `first` on; all samples before it are the older ones. */
static enum ft_status search_moment(const struct ft_observation *o, size_t n, size_t first,
				    struct older *older, struct found *best, struct ft_err *err)
{
	struct ft_observation *scratch = ft_calloc(n, sizeof *scratch);
	struct cell *cell = ft_calloc(n, sizeof *cell);
	size_t moment[MOMENTS], count = choose_moments(first, n, moment), i, step;
	enum ft_status status = scratch && cell ? FT_OK : ft_nomem(err);
	struct found found;

	*best = (struct found){0};
	for (i = 0; i < count && !status; i++) {
		status = try_change(o, n, moment[i], older, scratch, cell, &found, err);
		if (!status && beats_found(&found, best))
			*best = found;
	}
	/* Then between the moments, by halves. */
	for (step = best->at ? (n - first) / 8 : 0; step && !status; step /= 2) {
		size_t at = best->at;

		for (i = 0; i < 2 && !status; i++) {
			size_t to = i ? at + step : at - (step < at ? step : 0);

			if (to < first + LEAST || to + LEAST > n || to == at)
				continue;
			status = try_change(o, n, to, older, scratch, cell, &found, err);
			if (!status && beats_found(&found, best))
				*best = found;
		}
	}
	if (!status && best->at && best->ratio > suspicious) {
		found = *best;
		status = sharpen_moment(o, n, first, older, &found, err);
		if (!status && found.at != best->at)
			status = try_change(o, n, found.at, older, scratch, cell, &found, err);
		if (!status && (found.ratio > 1 || found.ratio > best->ratio))
			*best = found;
	}
	ft_free(scratch);
	ft_free(cell);
	return status;
}

/* The same, of very many samples by every k-th of them: where they changed is then known to k samples. */
static enum ft_status search_thinned(const struct ft_observation *o, size_t n, size_t first,
				     struct older *older, struct found *best, struct ft_err *err)
{
	size_t k = (n + THINNED - 1) / THINNED, i;

	if (k <= 1)
		return search_moment(o, n, first, older, best, err);
	struct ft_observation *some = ft_calloc(n / k, sizeof *some);
	if (!some)
		return ft_nomem(err);
	for (i = 0; i < n / k; i++)
		some[i] = o[i * k];
	enum ft_status status = search_moment(some, n / k, (first + k - 1) / k, older, best, err);
	best->at *= k;
	ft_free(some);
	return status;
}

static bool is_newer_at(const struct ft_observation *o, size_t from, size_t n, const struct ft_size *size)
{
	for (; from < n; from++)
		if (ft_size_equal(&o[from].size, size))
			return true;
	return false;
}

/* The older samples give way. */
static size_t make_way(struct ft_observation *o, size_t n, size_t at, double shift)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (i < at && is_newer_at(o, at, n, &o[i].size))
			continue;
		o[kept] = o[i];
		if (i < at)
			o[kept].value *= exp(shift);
		kept++;
	}
	return kept;
}

static int compare_times(const void *a, const void *b)
{
	const struct ft_observation *p = a, *q = b;

	return (p->when_ns > q->when_ns) - (p->when_ns < q->when_ns);
}

/* Into the order of time; false: some time is not known. They mostly stand so. */
static bool order_by_time(struct ft_observation *o, size_t n)
{
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		if (o[i].when_ns <= 0)
			return false;
		sorted = sorted && (!i || o[i - 1].when_ns <= o[i].when_ns);
	}
	if (!sorted)
		qsort(o, n, sizeof *o, compare_times);
	return true;
}

enum ft_status ft__change_settle(struct ft_observation *observation, size_t *n,
				 const struct ft_model_options *options, struct ft_change *change,
				 struct ft_err *err)
{
	struct older older = {.options = options};
	enum ft_status status = FT_OK;
	size_t first = 0;

	*change = (struct ft_change){0};
	if (!order_by_time(observation, *n))
		return FT_OK;
	if (*n >= (size_t)2 * LEAST)
		status = older_begin(&older, observation, *n, err);
	for (int round = 0; round < ROUNDS && !status && *n - first >= (size_t)2 * LEAST; round++) {
		struct found best;

		status = search_thinned(observation, *n, first, &older, &best, err);
		if (status || !(best.at && best.ratio > 1))
			break;
		size_t newer = *n - best.at;
		*change = (struct ft_change){best.shift, best.error, newer, observation[best.at].when_ns};
		*n = make_way(observation, *n, best.at, best.shift);
		first = *n - newer;
	}
	ft_model_free(older.like);
	return status;
}
