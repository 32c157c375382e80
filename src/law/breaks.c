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

/* Nearer and nearer to the best one. */
static void refine_cut(struct cuts *cuts, size_t step)
{
	while (cuts->found && step > 1) {
		size_t index = cuts->index, place = cuts->place;

		step = (step + 1) / 2;
		if (place > step && may_cut(&cuts->s[index], place - step) &&
		    try_cut(cuts, index, place - step))
			continue;
		if (may_cut(&cuts->s[index], place + step))
			(void)try_cut(cuts, index, place + step);
	}
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
	refine_cut(&cuts, step);
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

size_t ft__law_cut(const struct ft__law_data *data, double rival, struct ft_laws *out)
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
