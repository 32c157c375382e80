/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span.c - document 001 II.A.3: a model along each parameter, then the grid that their points span. */
#include "base/alloc.h"
#include "build/line.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct axis {
	struct ft__line line; /* of a parameter that varies */
	size_t *level;        /* [n_levels] of the grid */
	size_t n_levels;
	bool varies, flat;
};

struct span {
	struct ft__lattice *lattice;
	struct axis axis[FT_PARAMS_MAX];
	bool spanned;               /* the lines are done, the grid is known */
	size_t step[FT_PARAMS_MAX]; /* everything of the grid before this is told */
	bool ended;
	bool limited; /* no more sizes than options.points in all */
	size_t excluded;
	enum ft_stop stop;
};

static void span_free(void *state)
{
	struct span *s = state;

	if (!s)
		return;
	for (size_t i = 0; i < s->lattice->n; i++) {
		ft__line_clear(&s->axis[i].line);
		ft_free(s->axis[i].level);
	}
	ft_free(s);
}

static enum ft_status refuse_span(double runs, struct ft_err *err)
{
	ft_fail(err, FT_EINVAL, "the grid would need %.0f sizes, and %d are the most", runs,
		(int)FT_BUILD_SIZES_MOST);
	return ft_remedy(err, "give fewer sizes (--limit), shorter ranges, or --method adaptive");
}

/* A grid that is known before anything is measured. */
static enum ft_status check_each(const struct ft__lattice *l, const struct ft__row *row, struct ft_err *err)
{
	double each = l->options.points ? (double)l->options.points : FT__USUAL_POINTS, total = 1;

	if (!row->points_each)
		return FT_OK;
	for (size_t i = 0; i < l->n; i++)
		total *= (double)l->axis[i].count < each ? (double)l->axis[i].count : each;
	return total > FT_BUILD_SIZES_MOST ? refuse_span(total, err) : FT_OK;
}

static enum ft_status span_init(void **state, struct ft__lattice *lattice, const struct ft__row *row,
				struct ft_err *err)
{
	struct span *s = ft_calloc(1, sizeof *s);

	*state = NULL;
	if (!s)
		return ft_nomem(err);
	s->lattice = lattice;
	s->limited = !row->points_each && lattice->options.points;
	enum ft_status status = check_each(lattice, row, err);
	for (size_t i = 0; i < lattice->n && !status; i++) {
		s->axis[i].varies = lattice->axis[i].count > 1;
		if (s->axis[i].varies)
			status = ft__line_init(&s->axis[i].line, lattice, row, i, err);
	}
	if (status) {
		span_free(s);
		return status;
	}
	*state = s;
	return FT_OK;
}

static bool is_among(const struct ft__lattice *l, const struct ft__place *places, size_t n,
		     const struct ft__place *place)
{
	for (size_t i = 0; i < n; i++)
		if (ft__lattice_same(l, &places[i], place))
			return true;
	return false;
}

/* The questions of all lines at once; the corner that they share is one. */
static enum ft_status ask_lines(struct span *s, struct ft__place *places, size_t most, size_t *n,
				struct ft_err *err)
{
	struct ft__place own[FT_ASK_MAX];
	size_t n_own;

	for (size_t i = 0; i < s->lattice->n; i++) {
		if (!s->axis[i].varies)
			continue;
		FT_TRY(ft__line_ask(&s->axis[i].line, own, FT_ASK_MAX, &n_own, err));
		for (size_t j = 0; j < n_own && *n < most; j++)
			if (!is_among(s->lattice, places, *n, &own[j]))
				places[(*n)++] = own[j];
	}
	return FT_OK;
}

static enum ft_status make_levels(struct span *s, size_t i, struct ft_err *err)
{
	struct axis *axis = &s->axis[i];
	size_t n = axis->varies ? ft__line_levels(&axis->line, NULL) : 1;

	axis->level = ft_calloc(n + 1, sizeof *axis->level);
	if (!axis->level)
		return ft_nomem(err);
	axis->n_levels = n;
	if (!axis->varies)
		return FT_OK;
	(void)ft__line_levels(&axis->line, axis->level);
	axis->flat = ft__line_flat(&axis->line);
	if (axis->flat)
		axis->n_levels = 1;
	return FT_OK;
}

/* How many sizes of the grid the constraints do not admit. */
static size_t count_excluded(const struct span *s)
{
	const struct ft__lattice *l = s->lattice;
	size_t step[FT_PARAMS_MAX] = {0}, i, n = 0;

	if (!l->options.admits)
		return 0;
	do {
		struct ft__place place = {{0}};

		for (i = 0; i < l->n; i++)
			place.at[i] = s->axis[i].level[step[i]];
		n += !ft__lattice_admits(l, &place);
		for (i = l->n; i > 0; i--) {
			if (++step[i - 1] < s->axis[i - 1].n_levels)
				break;
			step[i - 1] = 0;
		}
	} while (i > 0);
	return n;
}

static enum ft_status make_grid(struct span *s, struct ft_err *err)
{
	double total = 1;

	for (size_t i = 0; i < s->lattice->n; i++) {
		FT_TRY(make_levels(s, i, err));
		total *= (double)s->axis[i].n_levels;
	}
	if (total > FT_BUILD_SIZES_MOST)
		return refuse_span(total, err);
	s->spanned = true;
	s->ended = total < 1; /* a parameter along which nothing could be measured */
	s->excluded = s->ended ? 0 : count_excluded(s);
	return FT_OK;
}

/* On to the next size of the grid, the last parameter fastest: cheap sizes come first. */
static bool next_step(const struct span *s, size_t step[FT_PARAMS_MAX])
{
	for (size_t i = s->lattice->n; i > 0; i--) {
		if (++step[i - 1] < s->axis[i - 1].n_levels)
			return true;
		step[i - 1] = 0;
	}
	return false;
}

static bool is_open(const struct span *s, const size_t step[FT_PARAMS_MAX], struct ft__place *place)
{
	*place = (struct ft__place){{0}};
	for (size_t i = 0; i < s->lattice->n; i++)
		place->at[i] = s->axis[i].level[step[i]];
	const struct ft__told *site = ft__lattice_site(s->lattice, place);
	return !site && ft__lattice_admits(s->lattice, place);
}

static void ask_grid(struct span *s, struct ft__place *places, size_t most, size_t *n)
{
	size_t step[FT_PARAMS_MAX];
	struct ft__place place;
	bool more = !s->ended;

	while (more && !is_open(s, s->step, &place))
		more = next_step(s, s->step);
	s->ended = !more;
	memcpy(step, s->step, sizeof step);
	while (more && *n < most) {
		if (is_open(s, step, &place))
			places[(*n)++] = place;
		more = next_step(s, step);
	}
}

/* No more sizes than wanted: those told, and those asked. */
static void limit_sizes(struct span *s, size_t *n)
{
	size_t points = s->lattice->options.points, told = s->lattice->n_sites;

	if (!s->limited)
		return;
	if (told + *n > points) {
		*n = told < points ? points - told : 0;
		s->stop = FT_STOP_POINTS;
	}
}

static size_t count_good(const struct ft__lattice *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n_sites; i++)
		n += l->site[i].n > 0;
	return n;
}

static enum ft_status span_ask(void *state, struct ft__place *places, size_t most, size_t *n,
			       struct ft_err *err)
{
	struct span *s = state;
	enum ft_status status = FT_OK;

	s->stop = FT_STOP_TOLERANCE;
	if (!s->spanned) {
		status = ask_lines(s, places, most, n, err);
		if (!status && !*n)
			status = make_grid(s, err);
	}
	if (!status && s->spanned)
		ask_grid(s, places, most, n);
	if (!*n && !count_good(s->lattice))
		s->stop = FT_STOP_EXHAUSTED;
	limit_sizes(s, n);
	return status;
}

/* The lines read what they need from the lattice when they are asked. */
static enum ft_status span_tell(void *state, const struct ft__told *site, struct ft_err *err)
{
	(void)state;
	(void)site;
	(void)err;
	return FT_OK;
}

static enum ft_stop span_stop(const void *state)
{
	const struct span *s = state;

	return s->stop;
}

/* How many sizes the grid will have, as far as its lines show by now: each as many levels as it has, over the
 * part of it that is done. A line that has not begun, or of which little is done, says nothing yet: then as
 * many as usual. All sizes of its range would be hundreds of times too many. */
static double expected_grid(const struct span *s)
{
	double total = 1, usual = FT__USUAL_POINTS;

	if (!s->limited && s->lattice->options.points)
		usual = (double)s->lattice->options.points;
	for (size_t i = 0; i < s->lattice->n; i++)
		if (s->axis[i].varies) {
			double levels = (double)ft__line_levels(&s->axis[i].line, NULL),
			       done = ft__line_complete(&s->axis[i].line), all = fmax(levels, usual);

			if (levels > 0 && done > 0)
				all = fmin(all, levels / done);
			total *= fmin(all, (double)s->lattice->axis[i].count);
		}
	return total;
}

static double span_complete(void *state, double made)
{
	const struct span *s = state;
	double before = 0, total = 1, points = s->limited ? (double)s->lattice->options.points : INFINITY,
	       told = (double)s->lattice->n_sites + made;
	bool flat = false;

	if (s->ended)
		return 1;
	if (!s->spanned)
		return told / fmin(expected_grid(s), points);
	for (size_t i = 0; i < s->lattice->n; i++) {
		before = before * (double)s->axis[i].n_levels + (double)s->step[i];
		total *= (double)s->axis[i].n_levels;
		flat = flat || s->axis[i].flat;
	}
	/* The sizes of its lines are sizes of the grid, but where a line left it again. */
	return fmax(before / total, told / fmin(flat ? INFINITY : total, points));
}

static bool span_flat(const void *state, size_t axis)
{
	const struct span *s = state;

	return s->axis[axis].flat;
}

static enum ft_status span_shape(const void *state, size_t axis, struct ft_build_shape *out,
				 struct ft_err *err)
{
	const struct span *s = state;

	return s->axis[axis].varies ? ft__line_shape(&s->axis[axis].line, out, err) : FT_OK;
}

static size_t span_excluded(const void *state)
{
	const struct span *s = state;

	return s->excluded;
}

const struct ft__plan ft__plan_span = {
	.init = span_init,
	.ask = span_ask,
	.tell = span_tell,
	.stop = span_stop,
	.complete = span_complete,
	.flat = span_flat,
	.shape = span_shape,
	.excluded = span_excluded,
	.free = span_free,
};
