/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.c - whether newer samples lie systematically off what older ones say: the machine or the program has
 * become slower or faster.
 *
 * For a moment in the order of measurement, the model of the samples before it foretells those behind it. By
 * size, the differences of ln value are averaged; their errors are the noise of both sides, which averages
 * out, and the model's error between sizes, which does not. A shift of four standard errors (more, where few
 * repetitions tell the noise) at the best of up to 80 moments is a drift. doc/models.md, "Drift". */
#include "model/change.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double certain = 0.99994; /* four standard errors of a noise that is known */
static const double worth = 0.03;      /* smaller shifts are not worth a word */
static const double suspicious = 0.3;  /* a ratio: a few runs on the wrong side may hide a drift */
enum { LEAST = 3, MOMENTS = 80, ROUNDS = 4, REPEATED = 5, THINNED = 300 };

/* What the newer samples at one size say. */
struct cell {
	double difference; /* of ln value: newer less what the older ones say */
	double noise;      /* variance that averages out over sizes */
	double shape;      /* standard deviation that does not */
};

struct found {
	double shift, error;
	double ratio; /* |shift| by the largest that is no drift */
	size_t at;    /* the first newer sample; 0: nothing was compared */
};

static int compare(const void *a, const void *b)
{
	const struct ft_surface_observation *p = a, *q = b;
	size_t i;

	for (i = 0; i < p->size.n; i++)
		if (p->size.value[i] != q->size.value[i])
			return p->size.value[i] < q->size.value[i] ? -1 : 1;
	return (p->value > q->value) - (p->value < q->value);
}

static void add_to_pool(struct ft__pool *pool, const struct ft_surface_observation *o, size_t n)
{
	double mean = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!(o[i].value > 0))
			return;
		mean += log(o[i].value) / (double)n;
	}
	for (i = 0; i < n; i++)
		pool->squares += pow(log(o[i].value) - mean, 2);
	pool->freedom += (double)(n - 1);
}

/* Of samples [n] of one size, ascending by value. False: the older ones say nothing of it. */
static bool compare_cell(const struct ft__older *older, const struct ft__pool *pool,
			 const struct ft_surface_observation *o, size_t n, struct cell *cell)
{
	double median = (o[(n - 1) / 2].value + o[n / 2].value) / 2, noise, known;
	double pooled = pool->freedom > 0 ? sqrt(pool->squares / pool->freedom) : 0;
	struct ft__said said;

	if (!older->type->say(older, o, &said) || !(median + said.offset > 0))
		return false;
	/* Where repetitions tell the noise, what is left over between sizes is none. */
	noise = pool->freedom >= REPEATED && said.at_knot ? said.repeated : said.noise;
	noise = fmax(noise, pooled);
	known = noise * noise * (1 + 1 / said.runs);
	*cell = (struct cell){
		.difference = log(median + said.offset) - said.ln,
		.noise = noise * noise * (1 / (double)n + 1 / said.runs),
		.shape = said.at_knot ? 0 : sqrt(fmax(0, said.total * said.total - known)),
	};
	return true;
}

/* The weighted mean of the cells. */
static void average(const struct cell *cell, size_t n, const struct ft__pool *pool, struct found *out)
{
	double weights = 0, sum = 0, noise = 0, shape = 0, spread = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		double w = 1 / (cell[i].noise + cell[i].shape * cell[i].shape);

		weights += w;
		sum += w * cell[i].difference;
		noise += w * w * cell[i].noise;
		shape += w * cell[i].shape;
	}
	out->shift = sum / weights;
	for (i = 0; i < n; i++)
		spread += pow(cell[i].difference - out->shift, 2) /
			  (cell[i].noise + cell[i].shape * cell[i].shape);
	/* Where the differences differ by more than they should, it is no common shift. */
	spread = n > 1 ? fmax(1, spread / (double)(n - 1)) : 1;
	out->error = sqrt((noise + shape * shape) / (weights * weights) * spread);
	out->ratio = fabs(out->shift) /
		     fmax(worth, out->error * ft_student_t(certain, fmax(1, pool->freedom + (double)n - 1)));
}

/* What the samples from `at` on say against those before. scratch: [n] */
static enum ft_status try(const struct ft_surface_observation *o, size_t n, size_t at,
			  struct ft__older *older, struct ft_surface_observation *scratch, struct cell *cell,
			  struct found *out, struct ft_err *err)
{
	size_t newer = n - at, i, j, cells = 0, compared = 0;
	struct ft__pool pool;
	enum ft_status status = older->type->fit(older, o, at, err);

	*out = (struct found){0};
	if (status)
		return status;
	memcpy(scratch, o + at, newer * sizeof *scratch);
	qsort(scratch, newer, sizeof *scratch, compare);
	pool = older->type->pool(older);
	for (i = 0; i < newer; i = j) {
		for (j = i; j < newer && ft_size_equal(&scratch[j].size, &scratch[i].size); j++)
			continue;
		add_to_pool(&pool, scratch + i, j - i);
	}
	for (i = 0; i < newer; i = j) {
		for (j = i; j < newer && ft_size_equal(&scratch[j].size, &scratch[i].size); j++)
			continue;
		if (compare_cell(older, &pool, scratch + i, j - i, &cell[cells])) {
			cells++;
			compared += j - i;
		}
	}
	if (cells && compared >= LEAST) {
		out->at = at;
		average(cell, cells, &pool, out);
	}
	older->type->clear(older);
	return FT_OK;
}

/* Moments to try: all of few; of many, close to both ends, and in between by half an octave. */
static size_t choose_moments(size_t first, size_t n, size_t *moment)
{
	size_t count = 0, kept = 0, i, j;
	double step;

	for (i = first + LEAST; n - first <= MOMENTS && i + LEAST <= n; i++)
		moment[kept++] = i;
	if (n - first <= MOMENTS)
		return kept;
	for (step = LEAST; step <= (double)(n - first) && count + 2 < MOMENTS; step *= 1.4) {
		size_t back = n - (size_t)step, ahead = first + (size_t)step;

		if (back >= first + LEAST)
			moment[count++] = back;
		if (ahead + LEAST <= n && ahead >= LEAST)
			moment[count++] = ahead;
	}
	for (i = 0; i < count; i++) { /* sorted and different */
		for (j = 0; j < kept && moment[j] != moment[i]; j++)
			continue;
		if (j == kept)
			moment[kept++] = moment[i];
	}
	return kept;
}

static bool beats(const struct found *a, const struct found *b)
{
	return a->at && (!b->at || a->ratio > b->ratio);
}

/* ln value less what the older samples say; NaN: they say nothing. */
static double residual(const struct ft__older *older, const struct ft_surface_observation *o)
{
	struct ft__said said;

	if (!older->type->say(older, o, &said) || !(o->value + said.offset > 0))
		return NAN;
	return log(o->value + said.offset) - said.ln;
}

/* The moment that parts best what agrees with the older samples from what is off by the shift: medians by
 * size do not mind a sample too many on either side. */
static enum ft_status sharpen(const struct ft_surface_observation *o, size_t n, size_t first,
			      struct ft__older *older, struct found *best, struct ft_err *err)
{
	double cost = 0, least = 0;
	size_t at = best->at, i;
	enum ft_status status = older->type->fit(older, o, best->at, err);

	if (status)
		return status;
	/* By how much it costs less to count the samples before i as older, too. */
	for (i = first; i + LEAST <= n; i++) {
		double r = residual(older, &o[i]);

		if (i >= first + LEAST && (i == first + LEAST || cost < least)) {
			least = cost;
			at = i;
		}
		cost += isnan(r) ? 0 : fabs(r) - fabs(r - best->shift);
	}
	older->type->clear(older);
	best->at = at;
	return FT_OK;
}

/* The best moment from `first` on; all samples before it are the older ones. */
static enum ft_status search(const struct ft_surface_observation *o, size_t n, size_t first,
			     struct ft__older *older, struct found *best, struct ft_err *err)
{
	struct ft_surface_observation *scratch = ft_calloc(n, sizeof *scratch);
	struct cell *cell = ft_calloc(n, sizeof *cell);
	size_t moment[MOMENTS], count = choose_moments(first, n, moment), i, step;
	enum ft_status status = scratch && cell ? FT_OK : ft_nomem(err);
	struct found found;

	*best = (struct found){0};
	for (i = 0; i < count && !status; i++) {
		status = try(o, n, moment[i], older, scratch, cell, &found, err);
		if (!status && beats(&found, best))
			*best = found;
	}
	/* Then between the moments, by halves. */
	for (step = best->at ? (n - first) / 8 : 0; step && !status; step /= 2) {
		size_t at = best->at;

		for (i = 0; i < 2 && !status; i++) {
			size_t to = i ? at + step : at - (step < at ? step : 0);

			if (to < first + LEAST || to + LEAST > n || to == at)
				continue;
			status = try(o, n, to, older, scratch, cell, &found, err);
			if (!status && beats(&found, best))
				*best = found;
		}
	}
	if (!status && best->at && best->ratio > suspicious) {
		found = *best;
		status = sharpen(o, n, first, older, &found, err);
		if (!status && found.at != best->at)
			status = try(o, n, found.at, older, scratch, cell, &found, err);
		if (!status && (found.ratio > 1 || found.ratio > best->ratio))
			*best = found;
	}
	ft_free(scratch);
	ft_free(cell);
	return status;
}

static bool is_drift(const struct found *found)
{
	return found->at && found->ratio > 1;
}

/* The same, of very many samples by every k-th of them: where they changed is then known to k samples. */
static enum ft_status search_thinned(const struct ft_surface_observation *o, size_t n, size_t first,
				     struct ft__older *older, struct found *best, struct ft_err *err)
{
	size_t k = (n + THINNED - 1) / THINNED, i;
	struct ft_surface_observation *some;
	enum ft_status status;

	if (k <= 1)
		return search(o, n, first, older, best, err);
	some = ft_calloc(n / k, sizeof *some);
	if (!some)
		return ft_nomem(err);
	for (i = 0; i < n / k; i++)
		some[i] = o[i * k];
	status = search(some, n / k, (first + k - 1) / k, older, best, err);
	best->at *= k;
	ft_free(some);
	return status;
}

static bool is_newer_at(const struct ft_surface_observation *o, size_t from, size_t n,
			const struct ft_size *size)
{
	for (; from < n; from++)
		if (ft_size_equal(&o[from].size, size))
			return true;
	return false;
}

/* The older samples give way. */
static size_t make_way(struct ft_surface_observation *o, size_t *index, size_t n, size_t at, double shift)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (i < at && is_newer_at(o, at, n, &o[i].size))
			continue;
		o[kept] = o[i];
		if (i < at)
			o[kept].value *= exp(shift);
		index[kept++] = index[i];
	}
	return kept;
}

enum ft_status ft__change_settle(struct ft_surface_observation *observation, size_t *index, size_t *n,
				 struct ft__older *older, struct ft_change *change, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t first = 0;
	int round;

	*change = (struct ft_change){0};
	for (round = 0; round < ROUNDS && *n - first >= (size_t)2 * LEAST; round++) {
		struct found best;
		size_t newer;

		status = search_thinned(observation, *n, first, older, &best, err);
		if (status || !is_drift(&best))
			break;
		newer = *n - best.at;
		*change = (struct ft_change){.shift = best.shift, .error = best.error, .runs = newer};
		*n = make_way(observation, index, *n, best.at, best.shift);
		first = *n - newer;
	}
	return status;
}
