/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.c - the one-parameter models that bound a model over several (001 II.A.3). */
#include "build/line.h"
#include "foretime/model.h"
#include "num/stats.h"

#include <math.h>

/* Where constraints are looked at along a line, and how many lines are tried. */
enum { ALONG = 33, LINES = 33 };

/* A line that meets holes is raised after so many probes, each halving the way. */
enum { PROBES_MOST = 5 };

/* Where the far end of a line cannot be measured, nearer ones are tried so often, each half way by logarithm.
 */
enum { ENDS_MOST = 6 };

/* Nothing runs under full load. */
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

/* How many of the sizes along a line, both ends among them, the constraints admit. */
static size_t count_admitted(const struct ft__line *line, struct ft__place base)
{
	size_t count = grid_of(line)->count, along = count < ALONG ? count : ALONG, i, n = 0;

	for (i = 0; i < along; i++) {
		base.at[line->axis] = i * (count - 1) / (along - 1);
		n += ft__lattice_admits(line->lattice, &base);
	}
	return n;
}

static void place_line(struct ft__line *line)
{
	size_t best = 0;

	for (size_t i = 0; i < LINES; i++) {
		double share = (double)i / (LINES - 1);
		struct ft__place base = at_share(line, share);
		size_t n = count_admitted(line, base);

		if (i && n <= best)
			continue;
		best = n;
		line->base = base;
		line->low = share;
	}
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
	if (o->end_zero) /* which is not to be run */
		line->end = half_way(line, line->end);
	ft__line_clear(line);
	return line->row->line.init(&line->state, &options, err);
}

enum ft_status ft__line_init(struct ft__line *line, struct ft__lattice *lattice, const struct ft__row *row,
			     size_t axis, struct ft_err *err)
{
	*line = (struct ft__line){.lattice = lattice, .row = row, .axis = axis};
	place_line(line);
	return make_builder(line, err);
}

void ft__line_clear(struct ft__line *line)
{
	if (line->state)
		line->row->line.free(line->state);
	line->state = NULL;
}

double ft__line_complete(const struct ft__line *line)
{
	if (line->done)
		return 1;
	return line->state ? line->row->line.complete(line->state, 0) : 0;
}

size_t ft__line_levels(const struct ft__line *line, size_t *levels)
{
	const struct ft__lattice *l = line->lattice;
	size_t n = 0;

	for (size_t i = 0; i < l->n_sites; i++) {
		const struct ft__told *site = &l->site[i];
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

/* Whether the program called a size of the line a hole beyond all those that could be measured. */
static bool ends_in_hole(const struct ft__line *line)
{
	const struct ft__lattice *l = line->lattice;
	size_t good = 0, hole = 0;

	for (size_t i = 0; i < l->n_sites; i++) {
		const struct ft__told *site = &l->site[i];
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

/* The place that tells whether the line would be whole: its end, the others raised by a share. */
static struct ft__place probe_at(const struct ft__line *line, double share)
{
	struct ft__place place = at_share(line, share);

	place.at[line->axis] = grid_of(line)->count - 1;
	return place;
}

/* A line that ends in holes is looked for higher up: first with the others at their largest values, then half
 * way. *moved: it has begun anew. */
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
		const struct ft__told *site = ft__lattice_site(line->lattice, &line->probe);
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

/* What is known of a size of the line; the places of those that are not are added to the questions. */
static enum known find_seconds(const struct ft__line *line, size_t index, struct ft__place *places, size_t *n,
			       double *ln_seconds)
{
	struct ft__place place = place_of(line, index);
	const struct ft__told *site = ft__lattice_site(line->lattice, &place);

	if (site && site->n) {
		*ln_seconds = log(ft_stats_mean(site->seconds, site->n));
		return GOOD;
	}
	if (site || !ft__lattice_admits(line->lattice, &place))
		return BAD;
	places[(*n)++] = place;
	return ASKED;
}

static bool reports_work(const struct ft__line *line, size_t index)
{
	struct ft__place place = place_of(line, index);
	const struct ft__told *site = ft__lattice_site(line->lattice, &place);

	return site && site->n && site->work > 0;
}

/* Whether the runs report work; else the exponent of the time between the ends of the line. *n > 0: they must
 * be known first. */
static void settle_work(struct ft__line *line, struct ft__place *places, size_t *n)
{
	double least, most;
	enum known first = find_seconds(line, 0, places, n, &least), last = BAD;

	line->reported = reports_work(line, 0);
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

/* What the builder is told of a size that was told. */
static struct ft_build_told told_at(const struct ft__line *line, const struct ft__told *site)
{
	struct ft_build_told told = ft__told_of(site);

	if (!line->reported)
		told.work = exp(line->exponent * ln_size(line, site->place.at[line->axis]));
	return told;
}

/* What is known is told to the builder, what the constraints forbid too; what is left is asked. */
static enum ft_status pass_on(struct ft__line *line, const double *x, size_t n_x, struct ft__place *places,
			      size_t most, size_t *n, bool *told, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*told = false;
	for (size_t i = 0; i < n_x && !status; i++) {
		struct ft__place place = place_of(line, ft__grid_snap(grid_of(line), x[i]));
		struct ft_build_told known = {.n = 0};

		const struct ft__told *site = ft__lattice_site(line->lattice, &place);
		if (site)
			known = told_at(line, site);
		if (site || !ft__lattice_admits(line->lattice, &place)) {
			status = line->row->line.tell(line->state, x[i], &known, err);
			*told = true;
		} else if (*n < most) {
			places[(*n)++] = place;
		}
	}
	return status;
}

enum ft_status ft__line_ask(struct ft__line *line, struct ft__place *places, size_t most, size_t *n,
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

bool ft__line_flat(const struct ft__line *line)
{
	const struct ft__lattice *l = line->lattice;
	const struct ft_build_options *o = &l->options;
	double common[2] = {0, INFINITY};
	size_t n = 0;

	for (size_t i = 0; i < l->n_sites; i++) {
		const struct ft__told *site = &l->site[i];
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

enum ft_status ft__line_shape(const struct ft__line *line, struct ft_build_shape *out, struct ft_err *err)
{
	const struct ft__line_type *type = &line->row->line;

	return type->shape && line->state ? type->shape(line->state, out, err) : FT_OK;
}
