/* SPDX-License-Identifier: GPL-3.0-or-later */
/* naive.c - the naive builders, whose sizes are fixed in advance: equidistant ones, all requested at once
 * (000 section 3: the baseline of GBBP), or those of repeated bisection, a generation at a time, so that
 * the whole range is covered whenever it ends (a construction method of the manager of document 001). */
#include "base/alloc.h"
#include "base/random.h"
#include "build/build.h"

#include <stdlib.h>
#include <string.h>

struct naive {
	struct ft__line_options options;
	struct ft__grid grid;
	struct ft__points points;
	size_t *plan;       /* [n] numbers of the sizes */
	size_t *generation; /* [n] ascending; requested when those before are measured */
	size_t *sorted;     /* [n] scratch */
	size_t n;
	bool fewer; /* the space has fewer sizes than were wanted */
};

/* a + i (b - a) / (n - 1); the document's own set has n + 1 sizes. */
static double equidistant(const struct ft__grid *grid, size_t i, size_t n)
{
	double a = grid->space.least, b = grid->space.most;

	return n == 1 ? a : a + (b - a) * (double)i / (double)(n - 1);
}

static void naive_free(void *state)
{
	struct naive *naive = state;

	if (!naive)
		return;
	ft__points_clear(&naive->points);
	ft_free(naive->plan);
	ft_free(naive->generation);
	ft_free(naive->sorted);
	ft_free(naive);
}

static void plan_even(struct naive *naive, size_t n)
{
	const struct ft__grid *grid = &naive->grid;

	for (size_t i = 0; i < n; i++) {
		size_t index = n == grid->count ? i : ft__grid_snap(grid, equidistant(grid, i, n));

		if (!naive->n || naive->plan[naive->n - 1] < index)
			naive->plan[naive->n++] = index;
	}
}

static int compare_sizes(const void *a, const void *b)
{
	const size_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Both ends, then the middle of every gap, again and again; smaller sizes first. */
static void plan_bisect(struct naive *naive, size_t n)
{
	size_t *sorted = naive->sorted;

	naive->n = 1;
	if (n > 1)
		naive->plan[naive->n++] = naive->grid.count - 1;
	for (size_t generation = 1; naive->n < n; generation++) {
		size_t known = naive->n;
		memcpy(sorted, naive->plan, known * sizeof *sorted);
		qsort(sorted, known, sizeof *sorted, compare_sizes);
		for (size_t i = 1; i < known && naive->n < n; i++) {
			size_t middle = ft__grid_middle(&naive->grid, sorted[i - 1], sorted[i]);

			if (middle == FT__NONE)
				continue;
			naive->generation[naive->n] = generation;
			naive->plan[naive->n++] = middle;
		}
	}
}

static enum ft_status make_plan(struct naive *naive, void (*plan)(struct naive *naive, size_t n),
				struct ft_err *err)
{
	size_t points = naive->options.user.points, wanted = points ? points : FT__USUAL_POINTS;
	size_t n = wanted < naive->grid.count ? wanted : naive->grid.count;

	naive->plan = ft_calloc(n, sizeof *naive->plan);
	naive->generation = ft_calloc(n, sizeof *naive->generation);
	naive->sorted = ft_calloc(n, sizeof *naive->sorted);
	if (!naive->plan || !naive->generation || !naive->sorted)
		return ft_nomem(err);
	plan(naive, n);
	naive->fewer = naive->n < wanted;
	return FT_OK;
}

static enum ft_status init_plan(void **state, const struct ft__line_options *options,
				void (*plan)(struct naive *naive, size_t n), struct ft_err *err)
{
	struct naive *naive = ft_calloc(1, sizeof *naive);

	*state = NULL;
	if (!naive)
		return ft_nomem(err);
	naive->options = *options;
	enum ft_status status = ft__grid_init(&naive->grid, &options->space, err);
	if (!status)
		status = make_plan(naive, plan, err);
	if (status)
		naive_free(naive);
	else
		*state = naive;
	return status;
}

static enum ft_status naive_init(void **state, const struct ft__line_options *options, struct ft_err *err)
{
	return init_plan(state, options, plan_even, err);
}

static enum ft_status bisect_init(void **state, const struct ft__line_options *options, struct ft_err *err)
{
	return init_plan(state, options, plan_bisect, err);
}

static size_t naive_ask(void *state, double *sizes, size_t most)
{
	struct naive *naive = state;
	size_t n = 0, first = 0;

	while (first < naive->n && ft__points_measured(&naive->points, naive->plan[first]))
		first++;
	for (size_t i = first; i < naive->n && n < most && naive->generation[i] == naive->generation[first];
	     i++)
		if (!ft__points_measured(&naive->points, naive->plan[i]))
			sizes[n++] = ft__grid_value(&naive->grid, naive->plan[i]);
	return n;
}

static enum ft_status naive_tell(void *state, double x, const struct ft_build_result *result,
				 struct ft_err *err)
{
	struct naive *naive = state;

	if (!ft__points_reserve(&naive->points, naive->points.n + 1))
		return ft_nomem(err);
	ft__points_tell(&naive->points, &naive->grid, &naive->options, x, result);
	return FT_OK;
}

static enum ft_stop naive_stop(const void *state)
{
	const struct naive *naive = state;
	size_t good = 0;

	for (size_t i = 0; i < naive->n; i++)
		good += ft__points_good(&naive->points, naive->plan[i]);
	return naive->fewer || !good ? FT_STOP_EXHAUSTED : FT_STOP_POINTS;
}

static double naive_complete(void *state, double made)
{
	const struct naive *naive = state;
	size_t measured = 0;

	for (size_t i = 0; i < naive->n; i++)
		measured += ft__points_measured(&naive->points, naive->plan[i]);
	return ((double)measured + made) / (double)naive->n;
}

const struct ft__row ft__builder_naive = {
	.type = {.name = "naive",
		 .about = "equidistant sizes, --limit of them (default 20)",
		 .tolerance = 0.05,
		 .of_top = "naive of the top"},
	.points_each = true,
	.line = {.init = naive_init,
		 .ask = naive_ask,
		 .tell = naive_tell,
		 .stop = naive_stop,
		 .complete = naive_complete,
		 .free = naive_free},
	.several = &ft__plan_span,
};

const struct ft__row ft__builder_naive_bisect = {
	.type = {.name = "naive_bisect",
		 .about = "the ends, then repeatedly the middles of all gaps, --limit of them (default "
			  "20)",
		 .tolerance = 0.05,
		 .of_top = "naive_bisect of the top"},
	.points_each = true,
	.line = {.init = bisect_init,
		 .ask = naive_ask,
		 .tell = naive_tell,
		 .stop = naive_stop,
		 .complete = naive_complete,
		 .free = naive_free},
	.several = &ft__plan_span,
};

/*
 * Random sizes over any number of parameters: a construction method of the manager of document 001. The
 * smallest values of all parameters are one of them; each size is requested once.
 */

/* If there are too many sizes to number, how often duplicates are drawn again. */
enum { ROUNDS_MOST = 64 };

struct rand {
	struct ft__lattice *lattice;
	struct ft__place *place; /* [n] */
	size_t n;
	bool fewer; /* the constraints or the ranges leave fewer than were wanted */
};

static struct ft__place place_of(const struct ft__lattice *l, size_t number)
{
	struct ft__place place = {{0}};

	for (size_t i = l->n; i > 0; i--) {
		place.at[i - 1] = number % l->axis[i - 1].count;
		number /= l->axis[i - 1].count;
	}
	return place;
}

static void add_place(struct rand *r, const struct ft__place *place)
{
	if (ft__lattice_admits(r->lattice, place))
		r->place[r->n++] = *place;
}

/* All sizes in random order (Fisher, Yates), the least first; those that are admitted count. */
static enum ft_status shuffle_all(struct rand *r, size_t total, size_t wanted, struct ft_random *random,
				  struct ft_err *err)
{
	size_t *number = ft_calloc(total, sizeof *number), i;

	if (!number)
		return ft_nomem(err);
	for (i = 0; i < total; i++)
		number[i] = i;
	for (i = 0; i < total && r->n < wanted; i++) {
		size_t j = i ? i + ft_random_below(random, total - i) : 0;
		struct ft__place place = place_of(r->lattice, number[j]);

		number[j] = number[i];
		add_place(r, &place);
	}
	ft_free(number);
	return FT_OK;
}

static int compare_places(const void *a, const void *b)
{
	const struct ft__place *p = a, *q = b;

	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		if (p->at[i] != q->at[i])
			return p->at[i] < q->at[i] ? -1 : 1;
	return 0;
}

static void draw_some(struct rand *r, size_t wanted, struct ft_random *random)
{
	const struct ft__lattice *l = r->lattice;
	struct ft__place place = {{0}};

	add_place(r, &place);
	for (size_t round = 0; round < ROUNDS_MOST && r->n < wanted; round++) {
		for (size_t draws = wanted - r->n; draws > 0; draws--) {
			for (size_t i = 0; i < l->d; i++)
				place.at[l->varying[i]] =
					ft_random_below(random, l->axis[l->varying[i]].count);
			add_place(r, &place);
		}
		size_t kept = 0;

		qsort(r->place, r->n, sizeof *r->place, compare_places);
		for (size_t k = 0; k < r->n; k++)
			if (!kept || compare_places(&r->place[kept - 1], &r->place[k]) != 0)
				r->place[kept++] = r->place[k];
		r->n = kept;
	}
}

static void rand_free(void *state)
{
	struct rand *r = state;

	if (!r)
		return;
	ft_free(r->place);
	ft_free(r);
}

static enum ft_status draw_place(struct rand *r, struct ft_err *err)
{
	const struct ft_build_options *o = &r->lattice->options;
	size_t wanted = o->points ? o->points : r->lattice->d * FT__USUAL_POINTS, most = FT_BUILD_SIZES_MOST;
	double total = 1;

	for (size_t i = 0; i < r->lattice->n; i++)
		total *= (double)r->lattice->axis[i].count;
	struct ft_random random = {o->seed};
	enum ft_status status = FT_OK;

	if (total < (double)most)
		most = (size_t)total;
	r->fewer = wanted > most;
	wanted = r->fewer ? most : wanted;
	r->place = ft_calloc(wanted + 1, sizeof *r->place);
	if (!r->place)
		return ft_nomem(err);
	if (total <= FT_BUILD_SIZES_MOST)
		status = shuffle_all(r, most, wanted, &random, err);
	else
		draw_some(r, wanted, &random);
	r->fewer |= r->n < wanted;
	return status;
}

static enum ft_status rand_init(void **state, struct ft__lattice *lattice, const struct ft__row *row,
				struct ft_err *err)
{
	struct rand *r = ft_calloc(1, sizeof *r);

	(void)row;
	*state = NULL;
	if (!r)
		return ft_nomem(err);
	r->lattice = lattice;
	enum ft_status status = draw_place(r, err);
	if (status)
		rand_free(r);
	else
		*state = r;
	return status;
}

static enum ft_status rand_ask(void *state, struct ft__place *places, size_t most, size_t *n,
			       struct ft_err *err)
{
	const struct rand *r = state;

	(void)err;
	*n = 0;
	for (size_t i = 0; i < r->n && *n < most; i++)
		if (!ft__lattice_site(r->lattice, &r->place[i]))
			places[(*n)++] = r->place[i];
	return FT_OK;
}

/* The result is in the lattice already. */
static enum ft_status rand_tell(void *state, const struct ft__measured *site, struct ft_err *err)
{
	(void)state;
	(void)site;
	(void)err;
	return FT_OK;
}

static enum ft_stop rand_stop(const void *state)
{
	const struct rand *r = state;
	size_t good = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct ft__measured *site = ft__lattice_site(r->lattice, &r->place[i]);

		good += site && site->n;
	}
	return r->fewer || !good ? FT_STOP_EXHAUSTED : FT_STOP_POINTS;
}

static double rand_complete(void *state, double made)
{
	const struct rand *r = state;
	size_t measured = 0;

	for (size_t i = 0; i < r->n; i++)
		measured += ft__lattice_site(r->lattice, &r->place[i]) != NULL;
	return r->n ? ((double)measured + made) / (double)r->n : 1;
}

static const struct ft__plan plan_rand = {
	.init = rand_init,
	.ask = rand_ask,
	.tell = rand_tell,
	.stop = rand_stop,
	.complete = rand_complete,
	.free = rand_free,
};

const struct ft__row ft__builder_rand = {
	.type = {.name = "rand",
		 .about = "random sizes by --seed, --limit of them (default 20 for each parameter)",
		 .tolerance = 0.05,
		 .of_top = "rand of the top"},
	.several = &plan_rand,
};
