/* SPDX-License-Identifier: GPL-3.0-or-later */
/* breaks.c - sizes from which on another law holds: cache and memory edges. */
#include "law/laws.h"

#include <math.h>

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
static struct segment fit(const struct ft__law_data *data, size_t from, size_t to)
{
	struct segment best = {.from = from, .to = to};
	double count = 0, top = -INFINITY;
	size_t i, k;

	for (k = from; k < to; k++)
		count += data->count[k];
	for (i = 0; i < COMMON; i++) {
		struct segment s = {.from = from, .to = to, .shape = common[i]};
		double score;

		if (isnan(data->scale[common[i]]))
			continue;
		s.logs = ft__law_best_of(data, common[i], from, to, &s.best);
		s.p = (s.best.c0 > 0) + (s.best.c1 > 0);
		score = -count / 2 *
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
	size_t i;

	for (i = 0; i < n; i++) {
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
	size_t k;

	for (k = after->from; k < after->to; k++)
		sum += fabs(log(data->mean[k] / law_at(data, before, k)));
	return sum / (double)(after->to - after->from) > visible;
}

/* Cut one segment where that makes the samples likeliest; false: nowhere. */
static bool cut(const struct ft__law_data *data, struct segment *s, size_t *n, double *score)
{
	struct segment best[SEGMENTS];
	double top = *score + margin;
	size_t i, k, j;
	bool found = false;

	for (i = 0; i < *n; i++)
		for (k = s[i].from + BEFORE; k + AFTER <= s[i].to; k++) {
			struct segment with[SEGMENTS];
			double now;

			for (j = 0; j < *n; j++)
				with[j + (j > i)] = s[j];
			with[i] = fit(data, s[i].from, k);
			with[i + 1] = fit(data, k, s[i].to);
			if (!is_visible(data, &with[i], &with[i + 1]))
				continue;
			now = score_of(data, with, *n + 1);
			if (now <= top)
				continue;
			top = now;
			found = true;
			for (j = 0; j <= *n; j++)
				best[j] = with[j];
		}
	if (!found)
		return false;
	++*n;
	for (j = 0; j < *n; j++)
		s[j] = best[j];
	*score = top;
	return true;
}

static void tell(const struct ft__law_data *data, const struct segment *before, const struct segment *after,
		 double evidence, struct ft_law_break *out)
{
	struct ft__law_joint joint = {
		.terms = 1, .shape = {(unsigned char)before->shape}, .constant = before->best.c0};
	double square = before->best.square, count = 0;
	size_t k;

	joint.c[0] = before->best.c1;
	for (k = before->from; k < before->to; k++)
		count += data->count[k];
	*out = (struct ft_law_break){
		.after = data->x[before->to - 1],
		.from = data->x[after->from],
		.error = sqrt((square + data->scatter * count / data->total) / fmax(count - before->p, 1)),
		.evidence = evidence,
	};
	ft__law_take(data, &joint, &out->law);
}

size_t ft__law_cut(const struct ft__law_data *data, double rival, struct ft_laws *out)
{
	struct segment s[SEGMENTS];
	double score;
	size_t n = 1, i;

	out->breaks = 0;
	if (data->n < FT__LAW_CUT_SIZES)
		return 0;
	s[0] = fit(data, 0, data->n);
	rival = fmax(rival, score_of(data, s, 1));
	score = rival;
	while (n < SEGMENTS && cut(data, s, &n, &score))
		;
	for (i = 0; i + 1 < n; i++)
		tell(data, &s[i], &s[i + 1], score - rival, &out->broken[i]);
	out->breaks = n - 1;
	return s[n - 1].from;
}
