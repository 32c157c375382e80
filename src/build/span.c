/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span.c - document 001 II.A.3: a model along each parameter, then the grid that their points span. */
#include "base/alloc.h"
#include "build/build.h"
#include "foretime/model.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

static void line_clear(struct ft__line *line);

/*
 * The one-parameter models that bound a model over several (001 II.A.3).
 */

/* Sizes along a line where constraints are checked, and lines that are tried. */
enum { ALONG = 33, LINES = 33 };

/* Probes before a line that meets holes is raised, each halving the way. */
enum { PROBES_MOST = 5 };

/* Nearer ends to try if the far end of a line cannot be measured, each half way by logarithm. */
enum { ENDS_MOST = 6 };

/* Under full background load nothing runs. */
static const double LOAD_MOST = 1 - 1e-9;

static const struct ft__grid *grid_of(const struct ft__line *line)
{
	return &line->lattice->axis[line->axis];
}

static struct ft__place at_share(const struct ft__line *line, double share)
{
	struct ft__place place = {{0}};

	for (size_t i = 0; i < line->lattice->n; i++)
		if (i != line->axis)
			place.at[i] = (size_t)ceil(share * (double)(line->lattice->axis[i].count - 1) - 1e-9);
	return place;
}

/* The place of the index-th size of a line. */
static struct ft__place place_of(const struct ft__line *line, size_t index)
{
	struct ft__place place = line->base;

	place.at[line->axis] = index;
	return place;
}

static double ln_size(const struct ft__line *line, size_t index)
{
	return log(ft__grid_value(grid_of(line), index) + ft__grid_shift(grid_of(line)));
}

static double work_at(void *ctx, double x)
{
	const struct ft__line *line = ctx;
	struct ft__place place = place_of(line, ft__grid_snap(grid_of(line), x));

	return ft__lattice_work(line->lattice, &place);
}

static void load_at(void *ctx, double x, double seconds, double load[2])
{
	const struct ft__line *line = ctx;
	struct ft__place place = place_of(line, ft__grid_snap(grid_of(line), x));
	struct ft_size size = ft__lattice_size(line->lattice, &place);

	line->lattice->options.load(line->lattice->options.ctx, &size, seconds, load);
}

/* The size half way, by logarithm, from the least one. */
static size_t half_way(const struct ft__line *line, size_t index)
{
	double x = exp((ln_size(line, 0) + ln_size(line, index)) / 2) - ft__grid_shift(grid_of(line));
	size_t half = ft__grid_snap(grid_of(line), x);

	return half < index ? half : index - 1;
}

static enum ft_status make_builder(struct ft__line *line, struct ft_err *err)
{
	const struct ft_build_options *o = &line->lattice->options;
	struct ft__line_options options = {
		.space = grid_of(line)->space,
		.work = o->work ? work_at : NULL,
		.load = o->load ? load_at : NULL,
		.ctx = line,
		.user = *o,
	};

	if (!line->row->points_each)
		options.user.points = 0;
	line->settled = line->row->points_each || o->work;
	line->reported = false;
	line->exponent = 0;
	line->end = grid_of(line)->count - 1;
	if (o->end_zero) /* which is not run */
		line->end = half_way(line, line->end);
	line_clear(line);
	return line->row->line.init(&line->state, &options, err);
}

/* line_init - a line through the smallest values of the other parameters; if the constraints do not admit
 * its whole length, through the smallest equal shares of their ranges at which they admit it, or most of
 * it. */
static enum ft_status line_init(struct ft__line *line, struct ft__lattice *lattice, const struct ft__row *row,
				size_t axis, struct ft_err *err)
{
	*line = (struct ft__line){.lattice = lattice, .row = row, .axis = axis};
	size_t best = 0;

	for (size_t i = 0; i < LINES; i++) {
		double share = (double)i / (LINES - 1);
		struct ft__place base = at_share(line, share), at = base;
		/* How many of the sizes along a line, both ends among them, the constraints admit. */
		size_t count = grid_of(line)->count, along = count < ALONG ? count : ALONG, k, n = 0;

		for (k = 0; k < along; k++) {
			at.at[line->axis] = k * (count - 1) / (along - 1);
			n += ft__lattice_admits(line->lattice, &at);
		}
		if (i && n <= best)
			continue;
		best = n;
		line->base = base;
		line->low = share;
	}
	return make_builder(line, err);
}

static void line_clear(struct ft__line *line)
{
	if (line->state)
		line->row->line.free(line->state);
	line->state = NULL;
}

/* line_complete - as ft_builder_complete, along the line. */
static double line_complete(const struct ft__line *line)
{
	if (line->done)
		return 1;
	return line->state ? line->row->line.complete(line->state, 0) : 0;
}

/* line_levels - the numbers on its axis that could be measured, ascending; their number. levels may be
 * NULL. */
static size_t line_levels(const struct ft__line *line, size_t *levels)
{
	const struct ft__lattice *l = line->lattice;
	size_t n = 0;

	for (size_t i = 0; i < l->n_sites; i++) {
		const struct ft__measured *site = &l->site[i];
		bool on = site->n > 0;

		for (size_t k = 0; k < l->n && on; k++)
			on = k == line->axis || site->place.at[k] == line->base.at[k];
		if (!on)
			continue;
		if (levels)
			levels[n] = site->place.at[line->axis];
		n++;
	}
	return n;
}

/* Whether the line ends with a hole, above all sizes that could be measured. */
static bool ends_in_hole(const struct ft__line *line)
{
	const struct ft__lattice *l = line->lattice;
	size_t good = 0, hole = 0;

	for (size_t i = 0; i < l->n_sites; i++) {
		const struct ft__measured *site = &l->site[i];
		bool on = true;

		for (size_t k = 0; k < l->n && on; k++)
			on = k == line->axis || site->place.at[k] == line->base.at[k];
		if (on && site->n > 0 && site->place.at[line->axis] >= good)
			good = site->place.at[line->axis] + 1;
		if (on && site->hole && site->place.at[line->axis] >= hole)
			hole = site->place.at[line->axis] + 1;
	}
	return hole > good;
}

/* The place that shows whether the line would be whole: its end, with the other parameters raised by a
   share. */
static struct ft__place probe_at(const struct ft__line *line, double share)
{
	struct ft__place place = at_share(line, share);

	place.at[line->axis] = grid_of(line)->count - 1;
	return place;
}

/* A line that ends in holes is moved up: first with the other parameters at their largest values, then
 * half way. *moved: it has started again. */
static enum ft_status raise_line(struct ft__line *line, struct ft__place *places, size_t *n, bool *moved,
				 struct ft_err *err)
{
	*moved = false;
	if (!line->probes) {
		if (line->low >= 1 || !ends_in_hole(line)) {
			line->probes = -1;
			return FT_OK;
		}
		line->high = 2;
		line->probes = 1;
		line->probe = probe_at(line, 1);
	}
	while (line->probes > 0) {
		double share = line->high > 1 ? 1 : (line->low + line->high) / 2;

		line->probe = probe_at(line, share);
		const struct ft__measured *site = ft__lattice_site(line->lattice, &line->probe);
		if (!ft__lattice_admits(line->lattice, &line->probe) || (site && !site->n)) {
			if (share >= 1)
				line->probes = -1;
			line->low = share;
		} else if (site) {
			line->high = share;
		} else {
			places[(*n)++] = line->probe;
			return FT_OK;
		}
		if (line->probes > 0 && ++line->probes > PROBES_MOST)
			break;
	}
	if (line->probes < 0 || line->high > 1)
		return FT_OK;
	line->probes = -1;
	line->base = at_share(line, line->high);
	*moved = true;
	return make_builder(line, err);
}

enum known { ASKED, GOOD, BAD };

/* The result at a size of the line; missing ones are added to the requests. */
static enum known find_seconds(const struct ft__line *line, size_t index, struct ft__place *places, size_t *n,
			       double *ln_seconds)
{
	struct ft__place place = place_of(line, index);
	const struct ft__measured *site = ft__lattice_site(line->lattice, &place);

	if (site && site->n) {
		*ln_seconds = log(ft_stats_mean(site->seconds, site->n));
		return GOOD;
	}
	if (site || !ft__lattice_admits(line->lattice, &place))
		return BAD;
	places[(*n)++] = place;
	return ASKED;
}

/* Whether the runs report work; else the exponent of the time between the ends of the line. *n > 0: these
 * are needed first. */
static void settle_work(struct ft__line *line, struct ft__place *places, size_t *n)
{
	double least, most;
	enum known first = find_seconds(line, 0, places, n, &least), last = BAD;

	struct ft__place place = place_of(line, 0);
	const struct ft__measured *site = ft__lattice_site(line->lattice, &place);

	line->reported = site && site->n && site->work > 0;
	line->settled = line->reported;
	if (line->settled || first == ASKED)
		return;
	for (size_t tries = 0; tries < ENDS_MOST && line->end && first != BAD; tries++) {
		last = find_seconds(line, line->end, places, n, &most);
		if (last != BAD)
			break;
		line->end = half_way(line, line->end);
	}
	line->settled = !*n;
	if (first == GOOD && last == GOOD)
		line->exponent = (most - least) / (ln_size(line, line->end) - ln_size(line, 0));
}

/* Results, and sizes excluded by the constraints, are passed to the builder; the rest are requested. */
static enum ft_status pass_on(struct ft__line *line, const double *x, size_t n_x, struct ft__place *places,
			      size_t most, size_t *n, bool *measured, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*measured = false;
	for (size_t i = 0; i < n_x && !status; i++) {
		struct ft__place place = place_of(line, ft__grid_snap(grid_of(line), x[i]));
		struct ft_build_result known = {.n = 0};

		const struct ft__measured *site = ft__lattice_site(line->lattice, &place);
		if (site) {
			/* A result of the lattice as a result for the builder. */
			known = ft__result_of(site);
			if (!line->reported)
				known.work = exp(line->exponent * ln_size(line, site->place.at[line->axis]));
		}
		if (site || !ft__lattice_admits(line->lattice, &place)) {
			status = line->row->line.tell(line->state, x[i], &known, err);
			*measured = true;
		} else if (*n < most) {
			places[(*n)++] = place;
		}
	}
	return status;
}

/* line_ask - the places that it needs and that have no result; *n = 0: it is done. */
static enum ft_status line_ask(struct ft__line *line, struct ft__place *places, size_t most, size_t *n,
			       struct ft_err *err)
{
	double x[FT_ASK_MAX];
	enum ft_status status = FT_OK;
	bool again = true;

	*n = 0;
	while (again && !status && !line->done) {
		if (!line->settled)
			settle_work(line, places, n);
		if (!line->settled)
			return FT_OK;
		size_t n_x = line->row->line.ask(line->state, x, FT_ASK_MAX);
		again = false;
		if (n_x) {
			*n = 0;
			status = pass_on(line, x, n_x, places, most, n, &again, err);
			continue;
		}
		if (line->probes >= 0)
			status = raise_line(line, places, n, &again, err);
		line->done = !status && !again && !*n;
	}
	return status;
}

/* line_flat - whether the cuts of all its sizes have a time in common; there are two at least. */
static bool line_flat(const struct ft__line *line)
{
	const struct ft__lattice *l = line->lattice;
	const struct ft_build_options *o = &l->options;
	double common[2] = {0, INFINITY};
	size_t n = 0;

	for (size_t i = 0; i < l->n_sites; i++) {
		const struct ft__measured *site = &l->site[i];
		bool on = site->n > 0;
		double cut[2], load[2] = {0, 0};

		for (size_t k = 0; k < l->n && on; k++)
			on = k == line->axis || site->place.at[k] == line->base.at[k];
		if (!on)
			continue;
		/* Cuts of the time, not of work / time: a speed that stays the same is no reason to leave out
		 * what the time grows with. */
		if (o->load) {
			struct ft_size size = ft__lattice_size(l, &site->place);

			o->load(o->ctx, &size, ft_stats_mean(site->seconds, site->n), load);
			load[1] = fmin(load[1], LOAD_MOST);
			load[0] = fmin(load[0], load[1]);
		}
		ft_model_cut(site->seconds, site->n, 1, load, o->confidence, o->tolerance, cut);
		common[0] = fmax(common[0], cut[0]);
		common[1] = fmin(common[1], cut[1]);
		n++;
	}
	return n > 1 && common[0] <= common[1];
}

/* line_shape - as ft_builder_shape, along the line. */
static enum ft_status line_shape(const struct ft__line *line, struct ft_build_shape *out, struct ft_err *err)
{
	const struct ft__line_type *type = &line->row->line;

	return type->shape && line->state ? type->shape(line->state, out, err) : FT_OK;
}

/*
 * Document 001 II.A.3: a model along each parameter, then the grid that their points span.
 */

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
	size_t step[FT_PARAMS_MAX]; /* everything of the grid before this is measured */
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
		line_clear(&s->axis[i].line);
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
			status = line_init(&s->axis[i].line, lattice, row, i, err);
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
		FT_TRY(line_ask(&s->axis[i].line, own, FT_ASK_MAX, &n_own, err));
		for (size_t j = 0; j < n_own && *n < most; j++)
			if (!is_among(s->lattice, places, *n, &own[j]))
				places[(*n)++] = own[j];
	}
	return FT_OK;
}

static enum ft_status make_levels(struct span *s, size_t i, struct ft_err *err)
{
	struct axis *axis = &s->axis[i];
	size_t n = axis->varies ? line_levels(&axis->line, NULL) : 1;

	axis->level = ft_calloc(n + 1, sizeof *axis->level);
	if (!axis->level)
		return ft_nomem(err);
	axis->n_levels = n;
	if (!axis->varies)
		return FT_OK;
	(void)line_levels(&axis->line, axis->level);
	axis->flat = line_flat(&axis->line);
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
	const struct ft__measured *site = ft__lattice_site(s->lattice, place);
	return !site && ft__lattice_admits(s->lattice, place);
}

/* No more sizes than the user allows, including those under way. */
static void limit_sizes(struct span *s, size_t *n)
{
	size_t points = s->lattice->options.points, measured = s->lattice->n_sites;

	if (!s->limited)
		return;
	if (measured + *n > points) {
		*n = measured < points ? points - measured : 0;
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
	if (!status && s->spanned) {
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
	if (!*n && !count_good(s->lattice))
		s->stop = FT_STOP_EXHAUSTED;
	limit_sizes(s, n);
	return status;
}

/* The lines read their results from the lattice in ask. */
static enum ft_status span_tell(void *state, const struct ft__measured *site, struct ft_err *err)
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

/* The expected number of sizes of the grid, by the present state of its lines: each as many levels as it
 * has, extrapolated from the part of it that is done. For a line at its beginning the default number: all
 * sizes of its range would be hundreds of times too many. */
static double expected_grid(const struct span *s)
{
	double total = 1, usual = FT__USUAL_POINTS;

	if (!s->limited && s->lattice->options.points)
		usual = (double)s->lattice->options.points;
	for (size_t i = 0; i < s->lattice->n; i++)
		if (s->axis[i].varies) {
			double levels = (double)line_levels(&s->axis[i].line, NULL),
			       done = line_complete(&s->axis[i].line), all = fmax(levels, usual);

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
	       measured = (double)s->lattice->n_sites + made;
	bool flat = false;

	if (s->ended)
		return 1;
	if (!s->spanned)
		return measured / fmin(expected_grid(s), points);
	for (size_t i = 0; i < s->lattice->n; i++) {
		before = before * (double)s->axis[i].n_levels + (double)s->step[i];
		total *= (double)s->axis[i].n_levels;
		flat = flat || s->axis[i].flat;
	}
	/* The sizes of its lines are sizes of the grid, but where a line left it again. */
	return fmax(before / total, measured / fmin(flat ? INFINITY : total, points));
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

	return s->axis[axis].varies ? line_shape(&s->axis[axis].line, out, err) : FT_OK;
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
