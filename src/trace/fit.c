/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - unconstrained placement (003 section 2): a start, descent, and the number of pieces. */
#include "trace/fit.h"
#include "trace/search.h"

#include <math.h>
#include <string.h>

enum { STEPS = 300, FEW = 16, ROWS_EACH = 6, LEAST_TRIED = 8, MANY = 8, PIECES_WITH_RMS = 1000 };

/* What a piece must gain, in what noise gains. */
static const double DEAR = 4;

/* What the upper half of the pieces leaves, at most, where they gain more than noise does. */
static const double MUCH = 0.6;

/* Descent ends when its steps gain less than this share of F. */
static const double LEAST = 1e-8;

const char *ft_pwl_start_text(enum ft_pwl_start start)
{
	static const char *const texts[] = {
#define FT_PWL_START_TEXT(name, words) words,
		FT_PWL_START_LIST(FT_PWL_START_TEXT)
#undef FT_PWL_START_TEXT
	};

	return texts[start];
}

/* The chain of one start; square: what it leaves, before it goes downhill. */
static enum ft_status make_start(struct ft__seek *s, enum ft_pwl_start start, size_t n, double *square,
				 struct ft_err *err)
{
	if (start == FT_PWL_START_PATH)
		FT_TRY(ft__start_path(s, n, err));
	else if (start == FT_PWL_START_MERGE)
		FT_TRY(ft__start_merge(s, n, err));
	else if (start == FT_PWL_START_DP)
		FT_TRY(ft__start_dp(s, n, err));
	else
		ft__start_equal(s, n);
	*square = s->place.square;
	return FT_OK;
}

/* What a search has found so far. */
struct fit_found {
	double square, start_square;
	enum ft_pwl_start start;
};

/* The start that leads lowest, then moves of single nodes. */
static enum ft_status search_best(struct ft__seek *s, size_t n, struct fit_found *found, struct ft_err *err)
{
	static const struct {
		enum ft_pwl_start start;
		size_t least, most; /* pieces for which it is worth its time */
	} starts[] = {{FT_PWL_START_PATH, 1, FT__PATH_MOST},
		      {FT_PWL_START_DP, 2, FT__DP_MOST},
		      {FT_PWL_START_MERGE, MANY, SIZE_MAX},
		      {FT_PWL_START_EQUAL, 1, SIZE_MAX}};
	FT_OWN double *best = ft_malloc((n + 1) * sizeof *best);

	if (!best)
		return ft_nomem(err);
	found->square = INFINITY;
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		double square;

		if (n < starts[i].least || n > starts[i].most)
			continue;
		FT_TRY(make_start(s, starts[i].start, n, &square, err));
		if (!(ft__placing_descend(&s->place, STEPS, LEAST) < found->square))
			continue;
		*found = (struct fit_found){s->place.square, square, starts[i].start};
		memcpy(best, s->place.x, (n + 1) * sizeof *best);
	}
	(void)ft__placing_look(&s->place, best, n + 1);
	ft__improve(s);
	return FT_OK;
}

/* n pieces, into s->place. */
static enum ft_status search_pieces(struct ft__seek *s, size_t n, const struct ft_pwl_options *o,
				    struct fit_found *found, struct ft_err *err)
{
	found->start = o->start;
	if (o->start == FT_PWL_START_BEST) {
		FT_TRY(search_best(s, n, found, err));
	} else if (o->start == FT_PWL_START_NODES) {
		ft__start_nodes(s, o->nodes);
		found->start_square = s->place.square;
	} else {
		FT_TRY(make_start(s, o->start, n, &found->start_square, err));
	}
	if (!o->start_only)
		(void)ft__placing_descend(&s->place, STEPS, LEAST);
	ft__seek_polish(s, o->start_only ? 0 : STEPS, LEAST);
	found->square = s->place.square;
	return FT_OK;
}

/* ---- how many pieces ----------------------------------------------------------------------------------- */

/* Each piece more lowers F; beyond those that the curve is made of it lowers it by what noise has to gain,
 * and the more the more places there were to choose from. That part of the errors shows what a piece is worth
 * (slope heuristics; the shape of the price: Lebarbier 2005). */
static double price_shape(double pieces, double places)
{
	return pieces * (2.5 + log(places / pieces));
}

/* What noise gains, from there to the most pieces. */
static double noise_gain(const double *square, size_t from, size_t most, double places)
{
	return fmax(0, (square[from] - square[most]) /
			       (price_shape((double)most, places) - price_shape((double)from, places)));
}

size_t ft__count_pieces(const double *square, size_t most, size_t places)
{
	double n = (double)(places > most ? places : most), floor = 1e-10 * square[1], price,
	       least = INFINITY;
	size_t best = 1;

	if (most < 2)
		return 1;
	price = noise_gain(square, most / 2, most, n); /* unless the curve still gains there */
	if (most >= 8)
		price = fmin(price, noise_gain(square, most - most / 4, most, n));
	for (size_t k = 1; k <= most; k++) {
		double cost = fmax(square[k], floor) + DEAR * price * price_shape((double)k, n);

		if (cost < least * (1 - 1e-9)) {
			least = cost;
			best = k;
		}
	}
	return best;
}

/* Few pieces are tried first. When a good part of them is wanted, or the last ones still gain much, noise has
 * not shown its part yet: more. */
enum ft_status ft__count(struct ft__seek *s, size_t most, size_t *pieces, struct ft_err *err)
{
	size_t bearable = s->f->n / ROWS_EACH > LEAST_TRIED ? s->f->n / ROWS_EACH : LEAST_TRIED;

	most = most < bearable ? most
			       : bearable; /* of fewer rows to a piece noise leaves nothing to judge by */
	size_t tried = most < FEW ? most : FEW;
	FT_TRY(ft__seek_path(s, tried, err));
	*pieces = ft__count_pieces(s->square, s->path_most, s->n_mesh);
	if (tried < most &&
	    (3 * *pieces >= FEW || s->square[s->path_most] < MUCH * s->square[s->path_most / 2])) {
		FT_TRY(ft__seek_path(s, most, err));
		*pieces = ft__count_pieces(s->square, s->path_most, s->n_mesh);
	}
	return ft__count_noise(s, pieces, err);
}

/* The least number of pieces that merging needs for F <= target; s->most when that is not enough. */
static enum ft_status merge_to(struct ft__seek *s, double target, size_t *n, struct ft_err *err)
{
	size_t low = 0, high = s->most;

	while (high - low > 1) { /* F falls with n: thinning goes the same way each time */
		size_t middle = low + (high - low) / 2;

		FT_TRY(ft__start_merge(s, middle, err));
		if (s->place.square <= target)
			high = middle;
		else
			low = middle;
	}
	*n = high;
	return FT_OK;
}

/* As few pieces as reach the target: from what merging or dynamic programming needs downwards while a full
 * search still reaches it; upwards where even that does not. The model is left in s->place. */
static enum ft_status search_rms(struct ft__seek *s, double rms, const struct ft_pwl_options *o,
				 struct fit_found *found, struct ft_err *err)
{
	double target = rms * rms * s->f->length;
	size_t high = s->most, low = 0, n;

	FT_TRY(ft__seek_path(s, s->most < FT__PATH_MOST ? s->most : FT__PATH_MOST, err));
	for (n = 1; n <= s->path_most && s->square[n] > target; n++)
		;
	if (n > s->path_most)
		FT_TRY(merge_to(s, target, &n, err));
	while (low < high) { /* low: too few; high: enough, as far as is known */
		FT_TRY(search_pieces(s, n, o, found, err));
		if (found->square <= target)
			high = n;
		else
			low = n;
		if (high - low <= 1 || (found->square > target && n == s->most))
			break;
		n = high == s->most && found->square > target ? (n + n / 8 + 1 < high ? n + n / 8 + 1 : high)
		    : high < (size_t)2 * FT__PIECES_USUAL && low == 0 ? high - 1
								      : low + (high - low + 1) / 2;
		if (low == 0 && high >= (size_t)2 * FT__PIECES_USUAL)
			n = high - high / 10;
	}
	return s->place.n != high + 1 ? search_pieces(s, high, o, found, err) : FT_OK;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static enum ft_status check_options(const struct ft_pwl *f, const struct ft_pwl_options *o,
				    struct ft_err *err)
{
	if (!(o->rms >= 0) || isinf(o->rms)) {
		(void)ft_fail(err, FT_EINVAL, "the error to reach, %g, is not a positive number", o->rms);
		return ft_remedy(err, "give it in the unit of the values");
	}
	if (o->start == FT_PWL_START_DP && o->pieces > FT__DP_MOST) {
		(void)ft_fail(err, FT_EINVAL, "dynamic programming is for %d pieces at most", FT__DP_MOST);
		return ft_remedy(err, "choose another start: merge is nearly as good");
	}
	if (o->start == FT_PWL_START_PATH && o->pieces > FT__PATH_MOST) {
		(void)ft_fail(err, FT_EINVAL, "a path is for %d pieces at most", FT__PATH_MOST);
		return ft_remedy(err, "choose another start: merge is nearly as good");
	}
	if (o->start != FT_PWL_START_NODES)
		return FT_OK;
	for (size_t j = 0; j < o->nodes->n; j++) {
		double t = o->nodes->t[j];

		if (!(t >= ft_pwl_begin(f)) || !(t <= ft_pwl_end(f)))
			return ft_fail(err, FT_EINVAL, "the node at %g is outside %g .. %g", t,
				       ft_pwl_begin(f), ft_pwl_end(f));
		if (j && !(t > o->nodes->t[j - 1]))
			return ft_fail(err, FT_EINVAL, "the node at %g is not later than the one before", t);
	}
	return FT_OK;
}

static enum ft_status take_nodes(struct ft_pwl_fit *out, const struct ft__seek *s,
				 const struct fit_found *found, struct ft_err *err)
{
	const struct ft__placing *p = &s->place;
	const struct ft_pwl *f = s->f;
	size_t n = p->n, j;

	out->nodes.t = ft_malloc(n * sizeof *out->nodes.t);
	out->nodes.y = ft_malloc(n * sizeof *out->nodes.y);
	if (!out->nodes.t || !out->nodes.y)
		return ft_nomem(err);
	for (j = 0; j < n; j++) {
		out->nodes.t[j] = f->t0 + p->x[j];
		out->nodes.y[j] = f->y0 + p->y[j];
	}
	out->nodes.t[n - 1] = f->t[f->n - 1];
	if (s->ends == FT_PWL_FIXED) {
		out->nodes.y[0] = f->y[0];
		out->nodes.y[n - 1] = f->y[f->n - 1];
	}
	for (out->nodes.n = 1, j = 1; j < n; j++) /* far from the origin two times may be one double */
		if (out->nodes.t[j] > out->nodes.t[out->nodes.n - 1]) {
			out->nodes.t[out->nodes.n] = out->nodes.t[j];
			out->nodes.y[out->nodes.n++] = out->nodes.y[j];
		}
	ft_pwl_compare(f, out->nodes.t, out->nodes.y, out->nodes.n, &out->error);
	out->start = found->start;
	out->start_rms = sqrt(found->start_square / f->length);
	out->evaluations = p->evaluations;
	return FT_OK;
}

/* The most pieces that may be needed. */
static size_t most_pieces(const struct ft_pwl *f, const struct ft_pwl_options *o)
{
	size_t most = o->pieces    ? o->pieces
		      : o->most    ? o->most
		      : o->rms > 0 ? PIECES_WITH_RMS
				   : FT__PIECES_USUAL;

	if (o->start == FT_PWL_START_NODES && o->nodes->n + 1 > most)
		return o->nodes->n + 1;
	return most > f->n - 1 ? f->n - 1 : most;
}

enum ft_status ft_pwl_fit(struct ft_pwl_fit *out, const struct ft_pwl *f, const struct ft_pwl_options *o,
			  struct ft_err *err)
{
	FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};
	struct fit_found found = {0};
	struct ft__seek s;
	FT_ARENA(work);

	*out = (struct ft_pwl_fit){0};
	FT_TRY(check_options(f, o, err));
	size_t n = most_pieces(f, o);
	FT_TRY(ft__seek_init(&s, &work, f, o->ends, n, err));
	if (o->rms > 0 && !o->pieces && o->start != FT_PWL_START_NODES) {
		FT_TRY(search_rms(&s, o->rms, o, &found, err));
	} else {
		if (!o->pieces && o->start != FT_PWL_START_NODES)
			FT_TRY(ft__count(&s, n < FT__DP_MOST ? n : FT__DP_MOST, &n, err));
		FT_TRY(search_pieces(&s, n, o, &found, err));
	}
	FT_TRY(take_nodes(&fit, &s, &found, err));
	fit.reached = !(o->rms > 0) || fit.error.rms <= o->rms;
	*out = fit;
	fit = (struct ft_pwl_fit){0};
	return FT_OK;
}

void ft_pwl_fit_clear(struct ft_pwl_fit *fit)
{
	if (!fit)
		return;
	ft_nodes_clear(&fit->nodes);
	*fit = (struct ft_pwl_fit){0};
}
