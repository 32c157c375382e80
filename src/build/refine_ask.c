/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine_ask.c - chooses the next runs of the adaptive builder over several parameters: those that remove
 * the most excess per second. After the first, each is chosen as if those before it had been made: the
 * uncertainty of a size does not depend on the values measured. */
#include "base/alloc.h"
#include "build/build.h"
#include "foretime/model.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>

/* The default budget: this multiple of the expected time of the dearest size for each parameter, and a
 * multiple of what the first sizes took, since the dearest size is no measure if all cost the same. */
static const double usual_budget = 4;

double ft__refine_cost(const struct ft__refine *r, double seconds)
{
	return r->each_s + r->stretch * seconds;
}

double ft__refine_spent(const struct ft__refine *r)
{
	return r->stretch * r->told_s + (double)r->runs * r->each_s;
}

double ft__refine_dearest(const struct ft__refine *r)
{
	double most = 0;

	for (size_t i = 0; i < r->n; i++)
		if (ft__candidate_is_alive(&r->candidate[i]))
			most = fmax(most, r->candidate[i].seconds);
	return most;
}

/* The time of the first runs of the first sizes. */
static double first_seconds(const struct ft__refine *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->n_first; i++) {
		const struct ft__measured *site =
			ft__lattice_site(r->lattice, &r->candidate[r->first[i]].place);

		for (size_t k = 0; site && k < site->n && k < FT__REFINE_FIRST_RUNS; k++)
			sum += ft__refine_cost(r, site->seconds[k]);
	}
	return sum;
}

double ft__refine_budget_left(const struct ft__refine *r)
{
	double budget = r->lattice->options.budget_s;

	if (!(budget > 0))
		budget = usual_budget *
			 ((double)r->d * ft__refine_cost(r, ft__refine_dearest(r)) + first_seconds(r));
	return budget + r->given_s - ft__refine_spent(r);
}

/*
 * The field of all measured sizes, and its predictions for the candidates.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double caution_least = 0.5;
static const double doubt_least = 1.05; /* each time that the model is less certain: it is compared rarely */
enum { ROUNDS = 2 };

/* With more sizes (from elsewhere), only about this many are used: all candidates, and every k-th of the
   rest. */
enum { SITES_MOST = 400 };

/* Lengths are fitted again when the number of sizes has grown by this factor; while there are few, each
   time. */
static const double tune_from = 1.15;
enum { TUNE_ALWAYS = 12 };

size_t ft__refine_known(const struct ft__refine *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->lattice->n_sites; i++)
		n += r->lattice->site[i].n > 0;
	return n;
}

/* The time of a decision: Cholesky and inverse, triangular solutions, covariances of pairs. */
static const double each_cube_s = 2e-9, each_pair_s = 1e-9, around_pair = 60;

/* ---- the fields -------------------------------------------------------------------------------------- */

static struct ft__spot spot_of(const struct ft__refine *r, const struct ft__measured *site)
{
	struct ft__spot spot = {{0}, 0, 0};

	for (size_t i = 0; i < r->d; i++)
		spot.at[i] = ft__refine_ln(r, i, site->place.at[r->axis[i]]);
	return spot;
}

/* Choose the sizes to use; every k-th of many from elsewhere. Returns how many. */
static size_t choose_sites(const struct ft__refine *r, bool *counts)
{
	size_t i, known = 0, others = 0, n = 0;

	for (i = 0; i < r->lattice->n_sites; i++) {
		const struct ft__measured *site = &r->lattice->site[i];

		counts[i] = site->n > 0;
		known += counts[i];
		if (counts[i] && known > SITES_MOST)
			break;
	}
	if (i == r->lattice->n_sites)
		return known;
	for (i = 0, known = 0; i < r->lattice->n_sites; i++) {
		counts[i] = r->lattice->site[i].n > 0;
		known += counts[i];
		others += counts[i] && ft__refine_find(r, &r->lattice->site[i].place) == r->n;
	}
	size_t step = others / (SITES_MOST > known - others ? SITES_MOST - (known - others) : 1) + 1;
	for (i = 0, others = 0; i < r->lattice->n_sites; i++) {
		if (counts[i] && ft__refine_find(r, &r->lattice->site[i].place) == r->n)
			counts[i] = others++ % step == 0;
		n += counts[i];
	}
	return n;
}

static enum ft_status learn_footprints(struct ft__refine *r, const bool *counts, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t before = r->footprint.n;

	for (size_t i = 0; i < r->lattice->n_sites && !status; i++) {
		const struct ft__measured *site = &r->lattice->site[i];
		struct ft__spot spot = spot_of(r, site);
		double ln = log(site->footprint_bytes > 0 ? site->footprint_bytes : 1);

		if (counts[i] && site->footprint_bytes > 0)
			status = ft__field_set(&r->footprint, &spot, 1, &ln, 1, err);
	}
	if (!status && r->footprint.n > before) {
		bool often = r->footprint.n <= TUNE_ALWAYS ||
			     (double)r->footprint.n >= tune_from * (double)r->footprint_tuned;

		ft__field_learn(&r->footprint, often ? ROUNDS : 0, often);
		r->footprint_tuned = often ? r->footprint.n : r->footprint_tuned;
	}
	r->field.steps = r->footprint.n > 0;
	if (!status) {
		double *space = ft_realloc(r->space, (r->footprint.n + 1) * sizeof *space);

		r->space = space ? space : r->space;
		status = space ? FT_OK : ft_nomem(err);
	}
	return status;
}

static void set_footprint(struct ft__refine *r, struct ft__spot *spot, double measured)
{
	spot->memory = spot->reach = 0;
	if (!r->footprint.n)
		return;
	spot->memory = spot->reach = log(measured > 0 ? measured : 1);
	if (measured > 0)
		return;
	struct ft__known known = ft__field_at(&r->footprint, spot, r->space);
	spot->memory = known.z;
	spot->reach = known.z + sqrt(known.variance);
}

static enum ft_status tell_field(struct ft__refine *r, const bool *counts, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < r->lattice->n_sites && !status; i++) {
		const struct ft__measured *site = &r->lattice->site[i];
		struct ft__spot spot = spot_of(r, site);

		if (!counts[i])
			continue;
		double *ln = ft_calloc(site->n + site->limits, sizeof *ln);
		if (!ln)
			return ft_nomem(err);
		set_footprint(r, &spot, site->footprint_bytes);
		for (size_t k = 0; k < site->n + site->limits; k++)
			ln[k] = log(site->seconds[k]);
		double work = ft__lattice_work(r->lattice, &site->place);
		status = ft__field_set(&r->field, &spot, work, ln, site->n, err);
		if (!status && site->limits)
			status = ft__field_limit(&r->field, &spot, work, ln + site->n, site->limits, err);
		ft_free(ln);
	}
	return status;
}

/* ---- the candidates ---------------------------------------------------------------------------------- */

static enum ft_status set_candidates(struct ft__refine *r, struct ft_err *err)
{
	size_t n = r->field.n;
	double *row = ft_realloc(r->row, (n * r->n + 1) * sizeof *row);

	if (!row)
		return ft_nomem(err);
	r->row = row;
	for (size_t i = 0; i < r->n; i++) {
		const struct ft__measured *site = ft__lattice_site(r->lattice, &r->candidate[i].place);

		set_footprint(r, &r->candidate[i].spot, site && site->n ? site->footprint_bytes : 0);
		r->candidate[i].self = ft__field_self(&r->field, &r->candidate[i].spot);
		struct ft__known known = ft__field_at(&r->field, &r->candidate[i].spot, row + i * n);
		struct ft__candidate *candidate = &r->candidate[i];

		candidate->hidden = ft__field_hidden(&r->field, &candidate->spot, NULL);
		candidate->variance = fmax(known.variance - candidate->hidden, 0);
		candidate->scatter = known.scatter;
		candidate->ln = known.z + log(candidate->work);
		/* The price of an uncertain size is its mean, not its median, since it may be dear. */
		candidate->seconds =
			candidate->work * exp(fmin(fmax(known.z + fmin(known.variance, 4) / 2, -600), 600));
	}
	return FT_OK;
}

enum ft_status ft__refine_learn(struct ft__refine *r, struct ft_err *err)
{
	bool *counts = ft_calloc(r->lattice->n_sites, sizeof *counts), often;
	enum ft_status status = counts ? FT_OK : ft_nomem(err);

	if (!status) {
		/* Another selection of sizes than before: those that dropped out are removed. */
		if (choose_sites(r, counts) < r->field.n) {
			ft__field_forget(&r->field);
			ft__field_forget(&r->footprint);
		}
		status = learn_footprints(r, counts, err);
	}
	if (!status)
		status = tell_field(r, counts, err);
	ft_free(counts);
	if (status)
		return status;
	often = r->field.n <= TUNE_ALWAYS || (double)r->field.n >= tune_from * (double)r->tuned;
	ft__field_learn(&r->field, ROUNDS, often);
	r->tuned = often ? r->field.n : r->tuned;
	status = ft__field_caution(&r->field, &r->left_out, err);
	return status ? status : set_candidates(r, err);
}

double ft__refine_seconds(const struct ft__refine *r)
{
	double n = (double)r->field.n, pairs = (double)r->n * (double)r->n / (double)r->stride;

	return each_cube_s * n * n * n + each_pair_s * (double)r->n * n * (n + around_pair) +
	       each_pair_s * pairs * (n + around_pair);
}

/* ---- errors ------------------------------------------------------------------------------------------ */

enum ft_status ft__refine_missed(struct ft__refine *r, double miss, struct ft_err *err)
{
	struct ft__miss *grown = ft_grow(r->miss, r->n_misses, &r->misses_most, sizeof *grown);
	size_t i;

	if (!grown)
		return ft_nomem(err);
	r->miss = grown;
	for (i = r->n_misses++; i && grown[i - 1].miss > miss; i--)
		grown[i] = grown[i - 1];
	grown[i] = (struct ft__miss){0, miss};
	return FT_OK;
}

/* One for all places: over several parameters there are few misses near any. */
static double refine_caution(const struct ft__refine *r)
{
	return r->doubt * fmax(ft__caution(r->miss, r->n_misses, 0, 1, caution_least), r->left_out);
}

enum ft_status ft__refine_ask_model(struct ft__refine *r, struct ft_err *err)
{
	const struct ft_build_options *o = &r->lattice->options;
	const struct ft_model_options options = {
		.axis = r->axis, .n_axes = r->d, .through_speed = o->work != NULL, .tolerance = o->tolerance};
	struct ft_model *model = NULL;
	size_t n = 0, runs = 0;

	r->doubted = r->runs;
	for (size_t i = 0; i < r->lattice->n_sites; i++)
		runs += r->lattice->site[i].n + r->lattice->site[i].limits;
	struct ft_observation *observation = ft_calloc(runs + 1, sizeof *observation);
	if (!observation)
		return ft_nomem(err);
	for (size_t i = 0; i < r->lattice->n_sites; i++) {
		const struct ft__measured *site = &r->lattice->site[i];

		for (size_t k = 0; site->n && k < site->n + site->limits; k++)
			observation[n++] = (struct ft_observation){
				.size = ft__lattice_size(r->lattice, &site->place),
				.work = ft__lattice_work(r->lattice, &site->place),
				.value = site->seconds[k],
				.memory = site->footprint_bytes,
				.censored = k >= site->n,
			};
	}
	enum ft_status status = ft_model_fit(&model, observation, n, &options, NULL);
	ft_free(observation);
	if (!status && ft_model_facts(model)->known > o->tolerance && r->believed > 0)
		r->doubt *= fmax(doubt_least, log1p(ft_model_facts(model)->known) / r->believed);
	ft_model_free(model);
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

/*
 * The candidate sizes of the adaptive builder over several parameters.
 */

/* Candidates are a lattice with this many values of each parameter, by the number of varying parameters. */
static const size_t levels_of[FT_PARAMS_MAX + 1] = {1, 33, 16, 8, 5, 4, 3, 2, 2};

/* Gains are summed over about this many of them. */
enum { TARGETS = 96 };

/* Sizes of a cell of the lattice to try until one is admissible: with one in 97 admissible, and cells of 6
 * x 6 sizes, that finds all hundred of them instead of the four at levels. */
enum { TRIES = 64 };

/* The levels of one parameter, and the current one. */
struct levels {
	size_t level[33], count, step;
};

double ft__refine_ln(const struct ft__refine *r, size_t axis, size_t index)
{
	const struct ft__grid *grid = &r->lattice->axis[r->axis[axis]];

	return log(ft__grid_value(grid, index) + ft__grid_shift(grid));
}

/* The same, the range being 0 .. 1. */
static double coordinate(const struct ft__refine *r, size_t axis, double ln)
{
	const struct ft__grid *grid = &r->lattice->axis[r->axis[axis]];
	double from = log(grid->space.least + ft__grid_shift(grid)),
	       to = log(grid->space.most + ft__grid_shift(grid));

	return (ln - from) / (to - from);
}

/* The largest value to run: of each parameter all, or up to a half or a quarter, as the user requests. */
static double last_of(const struct ft__refine *r, size_t axis)
{
	const struct ft__grid *grid = &r->lattice->axis[r->axis[axis]];
	enum ft_far far = r->lattice->options.far;
	double shift = ft__grid_shift(grid),
	       most = (grid->space.most + shift) / (far == FT_FAR_HALF ? 2 : 4) - shift;
	size_t index = ft__grid_snap(grid, most);

	if (far == FT_FAR_MEASURE)
		return grid->space.most;
	return ft__grid_value(grid, index && ft__grid_value(grid, index) > most ? index - 1 : index);
}

/* The size at a share of least..most, half way between equal steps of the size and of its logarithm: users
 * query large sizes more often than logarithms would, and cheap sizes inform more than equal steps would. */
static size_t level_at(const struct ft__grid *grid, double most, double share)
{
	double least = grid->space.least, low = 0, high = 1;
	double ratio = log((most + ft__grid_shift(grid)) / (least + ft__grid_shift(grid)));

	for (int i = 0; i < 50 && most > least; i++) {
		double middle = (low + high) / 2, size = least + middle * (most - least);

		if (middle / 2 +
			    log((size + ft__grid_shift(grid)) / (least + ft__grid_shift(grid))) / ratio / 2 <
		    share)
			low = middle;
		else
			high = middle;
	}
	return ft__grid_snap(grid, least + high * (most - least));
}

static size_t levels_on(const struct ft__grid *grid, double most, size_t each, size_t *level)
{
	size_t n = 0;

	for (size_t i = 0; i < each; i++) {
		size_t at = level_at(grid, most, (double)i / (double)(each - 1));

		if (!n || at > level[n - 1])
			level[n++] = at;
	}
	return n;
}

/* The values nearer to this level than to its neighbours. */
static void cell_of(const struct levels *axis, size_t *from, size_t *to)
{
	size_t i = axis->step, at = axis->level[i];

	*from = i ? (axis->level[i - 1] + at) / 2 + 1 : at;
	*to = i + 1 < axis->count ? (at + axis->level[i + 1]) / 2 : at;
}

/* Sizes of a cell: all of one that is small, else spread over it. false: there are no more to be tried. */
static bool try_in_cell(const struct ft__refine *r, const struct levels *axis, size_t step,
			struct ft__place *place)
{
	size_t from, to, total = 1, rest = step;
	double x[FT_PARAMS_MAX];

	for (size_t i = 0; i < r->d; i++) {
		cell_of(&axis[i], &from, &to);
		total *= to - from + 1 < TRIES ? to - from + 1 : TRIES;
		total = total < TRIES ? total : TRIES;
	}
	if (step >= total)
		return false;
	ft__region_spread(step, r->d, x);
	for (size_t i = 0; i < r->d; i++) {
		cell_of(&axis[i], &from, &to);
		place->at[r->axis[i]] = from + (total < TRIES ? rest % (to - from + 1)
							      : (size_t)(x[i] * (double)(to - from + 1)));
		rest /= to - from + 1;
	}
	return true;
}

/* At the levels themselves; else elsewhere in their cell. */
static bool find_admitted(const struct ft__refine *r, const struct levels *axis, struct ft__place *place)
{
	*place = (struct ft__place){{0}};
	for (size_t i = 0; i < r->d; i++)
		place->at[r->axis[i]] = axis[i].level[axis[i].step];
	if (ft__lattice_admits(r->lattice, place))
		return true;
	for (size_t i = 0; try_in_cell(r, axis, i, place); i++)
		if (ft__lattice_admits(r->lattice, place))
			return true;
	return false;
}

static void add_candidate(struct ft__refine *r, const struct levels *axis)
{
	struct ft__candidate *c = &r->candidate[r->n];

	*c = (struct ft__candidate){0};
	if (!find_admitted(r, axis, &c->place)) {
		r->excluded++;
		return;
	}
	for (size_t i = 0; i < r->d; i++)
		c->spot.at[i] = ft__refine_ln(r, i, c->place.at[r->axis[i]]);
	c->work = ft__lattice_work(r->lattice, &c->place);
	r->n++;
}

size_t ft__refine_find(const struct ft__refine *r, const struct ft__place *place)
{
	size_t i = 0;

	while (i < r->n && !ft__lattice_same(r->lattice, &r->candidate[i].place, place))
		i++;
	return i;
}

static bool is_first(const struct ft__refine *r, size_t candidate)
{
	for (size_t i = 0; i < r->n_first; i++)
		if (r->first[i] == candidate)
			return true;
	return false;
}

/* The cheap corner: the least sizes, and those a quarter up, as far as they are admitted. */
static void choose_first(struct ft__refine *r)
{
	size_t corners = r->d <= 3 ? (size_t)1 << r->d : r->d + 1, corner, i, k;

	for (corner = 0; corner < corners; corner++) {
		double best = INFINITY;
		size_t chosen = r->n;

		for (i = 0; i < r->n; i++) {
			double distance = 0;

			for (k = 0; k < r->d; k++) {
				bool up = r->d <= 3 ? corner >> k & 1 : corner == k + 1;
				double away = coordinate(r, k, r->candidate[i].spot.at[k]) - (up ? 0.3 : 0);

				distance += away * away;
			}
			if (distance < best && !is_first(r, i)) {
				best = distance;
				chosen = i;
			}
		}
		if (chosen < r->n)
			r->first[r->n_first++] = chosen;
	}
}

/* The next levels, the last parameter fastest; false: there are none. */
static bool step_on(struct levels *axis, size_t d)
{
	for (size_t i = d; i > 0; i--) {
		if (++axis[i - 1].step < axis[i - 1].count)
			return true;
		axis[i - 1].step = 0;
	}
	return false;
}

enum ft_status ft__candidates_make(struct ft__refine *r, struct ft_err *err)
{
	struct levels axis[FT_PARAMS_MAX] = {{{0}, 0, 0}};
	size_t total = 1;

	for (size_t i = 0; i < r->d; i++) {
		axis[i].count = levels_on(&r->lattice->axis[r->axis[i]], last_of(r, i), levels_of[r->d],
					  axis[i].level);
		total *= axis[i].count;
	}
	r->candidate = ft_calloc(total, sizeof *r->candidate);
	if (!r->candidate)
		return ft_nomem(err);
	do
		add_candidate(r, axis);
	while (step_on(axis, r->d));
	/* Not in step with the levels: else some of them would never be looked at. */
	r->stride = r->n / TARGETS + 1;
	while (r->stride > 1 && (r->stride % levels_of[r->d] == 0 || levels_of[r->d] % r->stride == 0))
		r->stride++;
	choose_first(r);
	if (r->n)
		return FT_OK;
	ft_fail(err, FT_EINVAL, "the constraints admit none of %zu sizes spread over the ranges", total);
	return ft_remedy(err, "mend --where, or narrow the ranges to where it holds");
}

/*
 * Chooses the next runs of the adaptive builder over several parameters: those that remove the most
 * excess per second. After the first, each is chosen as if those before it had been made: the
 * uncertainty of a size does not depend on the values measured.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double mean_share = 0.2;                        /* of the tolerance: target of the mean excess */
static const double normal_mean = 0.8, wide_of_excess = 1.5; /* E|z|; quantile for a deviation */
static const double price_floor = 0.01; /* of the dearest run: no run counts as cheaper than this */
static const double excess_most = 3;
enum { RUNS_MOST = 9 };

/* Runs are chosen until they take this multiple of the time of choosing them, which is thus at most 2 %. */
static const double decision_times = 50;

/* The uncertainty left after the runs chosen so far, of candidates (all) and of targets (each stride-th of
   them). */
struct left {
	const struct ft__refine *r;
	size_t targets;
	double *covariance; /* [r->n x targets] */
	double *hidden_by;  /* [r->n x targets] what a run at a candidate leaves of the cliffs before a target
			     */
	double *variance, *hidden; /* [r->n] */
	double *now;               /* [r->n] excess */
	double *column;            /* [r->n] covariances with the one chosen last */
	double *before;            /* [chosen x r->n] those with the earlier ones, in deviations of them */
	size_t chosen;
	double mean, high; /* excess: on average, and what 95 % stay below */
	double from;       /* only excess over this is worth anything */
	bool typical;      /* excess is that of the typical run, and not of single ones */
	double *one;       /* [r->n] 1 */
	double spent;      /* seconds */
	size_t sizes;      /* new ones among them */
};

static double excess_of(double variance, double scatter)
{
	return fmin(sqrt(variance + scatter) - sqrt(scatter), excess_most);
}

/* ---- remaining uncertainty
   ------------------------------------------------------------------------------------- */

/* Of two candidates, before any run is chosen. */
static double covariance_of(const struct ft__refine *r, size_t a, size_t b)
{
	const struct ft__candidate *p = &r->candidate[a], *q = &r->candidate[b];
	size_t n = r->field.n;

	return ft__field_between(&r->field, &p->spot, p->self, &q->spot, q->self) -
	       ft_dot(r->row + a * n, r->row + b * n, n);
}

static bool left_init(struct left *l, const struct ft__refine *r, size_t most)
{
	*l = (struct left){.r = r, .targets = (r->n + r->stride - 1) / r->stride};
	l->covariance = ft_calloc(r->n * l->targets, sizeof *l->covariance);
	l->hidden_by = ft_calloc(r->n * l->targets, sizeof *l->hidden_by);
	l->variance = ft_calloc(r->n, sizeof *l->variance);
	l->hidden = ft_calloc(r->n, sizeof *l->hidden);
	l->now = ft_calloc(r->n, sizeof *l->now);
	l->column = ft_calloc(r->n, sizeof *l->column);
	l->one = ft_calloc(r->n, sizeof *l->one);
	l->before = ft_calloc(r->n * most, sizeof *l->before);
	if (!l->covariance || !l->hidden_by || !l->variance || !l->hidden || !l->now || !l->column ||
	    !l->one || !l->before)
		return false;
	for (size_t i = 0; i < r->n; i++) {
		l->one[i] = 1;
		l->variance[i] = r->candidate[i].variance;
		l->hidden[i] = r->candidate[i].hidden;
		if (!ft__candidate_is_alive(&r->candidate[i]))
			continue;
		for (size_t t = 0; t < l->targets; t++) {
			const struct ft__candidate *z = &r->candidate[t * r->stride];
			double *hidden = &l->hidden_by[i * l->targets + t];

			l->covariance[i * l->targets + t] = covariance_of(r, i, t * r->stride);
			*hidden = z->hidden > 0 ? ft__field_hidden(&r->field, &z->spot, &r->candidate[i].spot)
						: 0;
		}
	}
	return true;
}

/* The excess everywhere. scratch: column, which is not in use */
static void find_excess(struct left *l)
{
	size_t n = 0;

	l->mean = 0;
	for (size_t i = 0; i < l->r->n; i++) {
		const struct ft__candidate *c = &l->r->candidate[i];

		l->now[i] = excess_of(l->variance[i] + l->hidden[i], l->typical ? 0 : c->scatter);
		if (ft__candidate_is_alive(c))
			l->mean += l->column[n++] = l->now[i];
	}
	l->mean /= (double)(n ? n : 1);
	l->high = n ? ft_stats_quantile(l->column, n, 0.95) : 0;
}

/* As if a run had been made. */
static void suppose_run(struct left *l, size_t chosen)
{
	const struct ft__refine *r = l->r;
	double deviation = sqrt(l->variance[chosen] + r->candidate[chosen].scatter),
	       *now = l->before + l->chosen * r->n;

	for (size_t i = 0; i < r->n; i++) {
		double covariance = covariance_of(r, i, chosen);

		for (size_t k = 0; k < l->chosen; k++)
			covariance -= l->before[k * r->n + i] * l->before[k * r->n + chosen];
		now[i] = covariance / deviation;
	}
	l->chosen++;
	for (size_t i = 0; i < r->n; i++) {
		l->variance[i] = fmax(0, l->variance[i] - now[i] * now[i]);
		for (size_t t = 0; t < l->targets; t++)
			l->covariance[i * l->targets + t] -= now[i] * now[t * r->stride];
		if (l->hidden[i] > 0)
			l->hidden[i] = fmin(l->hidden[i], ft__field_hidden(&r->field, &r->candidate[i].spot,
									   &r->candidate[chosen].spot));
	}
}

/* ---- bids --------------------------------------------------------------------------------------------- */

static double worth_of(const struct left *l, size_t at, double variance, double hidden)
{
	const struct ft__candidate *z = &l->r->candidate[at];

	if (!ft__candidate_is_alive(z) || l->now[at] <= l->from)
		return 0;
	return l->now[at] -
	       excess_of(fmax(variance, 0) + fmin(hidden, l->hidden[at]), l->typical ? 0 : z->scatter);
}

/* How much one more run at a candidate improves the prediction of single runs, summed over the targets,
 * which represent all, and itself. */
static double gain_of(const struct left *l, size_t c)
{
	double sum = 0, own = l->variance[c], noise = own + l->r->candidate[c].scatter;
	const double *covariance = l->covariance + c * l->targets, *hidden = l->hidden_by + c * l->targets;

	for (size_t t = 0; t < l->targets; t++) {
		size_t at = t * l->r->stride;

		if (at != c)
			sum += (double)l->r->stride *
			       worth_of(l, at, l->variance[at] - covariance[t] * covariance[t] / noise,
					hidden[t]);
	}
	return sum + worth_of(l, c, own - own * own / noise, 0);
}

/* How often a candidate was run, or is going to be. */
static size_t runs_of(const struct ft__refine *r, size_t candidate)
{
	size_t runs = r->candidate[candidate].runs, i;

	for (i = 0; i < r->n_wishes; i++)
		if (r->wish[i].candidate == candidate && r->wish[i].runs > runs)
			runs = r->wish[i].runs;
	return runs;
}

/* The candidate with the largest gain per second; n: none that may be run. Whether it fits in a user's
 * budget is decided by its typical price: the mean of an uncertain price is up to seven times that, and
 * the most valuable size would never be run. */
static size_t choose_candidate(struct ft__refine *r, const struct left *l, double *gain)
{
	const struct ft_build_options *o = &r->lattice->options;
	size_t most_runs = o->reps_most ? o->reps_most : RUNS_MOST, chosen = r->n;
	bool stated = o->budget_s > 0;
	double left = ft__refine_budget_left(r) - l->spent,
	       floor_s = price_floor * r->stretch * ft__refine_dearest(r), best = 0;

	r->stop = FT_STOP_EXHAUSTED;
	for (size_t i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];
		double cost = ft__refine_cost(r, c->seconds), sum,
		       typical = stated ? ft__refine_cost(r, exp(fmin(c->ln, 600))) : cost;
		size_t runs = runs_of(r, i);

		if (!ft__candidate_is_alive(c) || c->closed || runs >= most_runs)
			continue;
		if (typical > left) {
			r->stop = FT_STOP_BUDGET;
			continue;
		}
		sum = gain_of(l, i);
		if (sum > best * (cost + floor_s)) {
			best = sum / (cost + floor_s);
			*gain = sum;
			chosen = i;
		}
	}
	return chosen;
}

/* The time that may still be spent on the typical run: all of a user's budget. Here errors do not fall as
 * the root of the time spent: one uncertain corner is most of them, and one run there may suffice. */
static double refine_left(const struct ft__refine *r, const struct left *l, double known)
{
	const struct ft_build_options *options = &r->lattice->options;

	if (options->budget_s > 0)
		return ft__refine_budget_left(r) - l->spent;
	return ft__refine_left(&(struct ft__refining){r->known_s, ft__refine_spent(r) + l->spent, 0, known,
						      log1p(options->tolerance)});
}

/* Once single runs are predicted as well as possible, a further share of time goes to the typical run. */
static bool is_known(struct ft__refine *r, struct left *l)
{
	l->typical = false;
	r->typical_s = l->chosen ? r->typical_s : 0;
	find_excess(l);
	/* Whether single runs are predicted well enough, on average and at 95 % of the candidates. If they are on
	 * average, only excess over a bound has value. */
	double caution = refine_caution(r), tolerance = r->lattice->options.tolerance;
	bool good = caution * normal_mean * l->mean <= mean_share * tolerance;

	l->from = good ? tolerance / (caution * wide_of_excess) : 0;
	if (!l->chosen)
		r->within = fmin(mean_share * tolerance / (caution * normal_mean * l->mean),
				 tolerance / (caution * wide_of_excess * l->high));
	if (!(good && l->high <= l->from)) {
		r->known_s = l->chosen ? r->known_s : 0;
		return false;
	}
	if (!(r->known_s > 0) && !l->chosen)
		r->known_s = ft__refine_spent(r);
	/* By how much the typical run is off, nine in ten times, over the candidates. Logarithm. */
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (ft__candidate_is_alive(&r->candidate[i]))
			l->column[n++] = sqrt(l->variance[i] + l->hidden[i]);
	double known =
		n ? refine_caution(r) * ft_normals_within(l->column, l->one, n, FT__SHOWN_CONFIDENCE) : 0;
	double left = refine_left(r, l, known);
	r->believed = l->chosen ? r->believed : known;
	if (known <= log1p(r->lattice->options.tolerance) || !(left > 0))
		return true;
	r->typical_s = l->chosen ? r->typical_s : left;
	l->typical = true;
	l->from = 0;
	find_excess(l);
	return false;
}

static void wish_for(struct ft__refine *r, struct left *l, size_t chosen, double gain)
{
	double seconds = ft__refine_cost(r, r->candidate[chosen].seconds);
	size_t runs = runs_of(r, chosen), least = r->lattice->options.reps_least, i;

	gain *= refine_caution(r) * normal_mean / (double)r->n;
	l->sizes += !runs;
	for (i = runs; r->n_wishes < FT__BIDS_MOST && (i == runs || i < least); i++) {
		r->wish[r->n_wishes++] = (struct ft__wish){chosen, i + 1, gain, seconds};
		l->spent += seconds;
	}
}

enum ft_status ft__refine_bid(struct ft__refine *r, size_t from, size_t least, size_t most,
			      struct ft_err *err)
{
	size_t points = r->lattice->options.points, known = ft__refine_known(r);
	struct left l;
	enum ft_status status = left_init(&l, r, most) ? FT_OK : ft_nomem(err);
	bool stated = r->lattice->options.budget_s > 0;
	double enough = decision_times * ft__refine_seconds(r), gain = 0;
	size_t chosen;

	for (size_t i = 0; i < from && !status; i++) {
		l.spent += r->wish[i].seconds;
		suppose_run(&l, r->wish[i].candidate);
	}
	for (r->n_wishes = from; !status && r->n_wishes < most; suppose_run(&l, chosen)) {
		r->stop = FT_STOP_TOLERANCE;
		if (is_known(r, &l))
			break;
		r->stop = FT_STOP_POINTS;
		if (points && known + l.sizes >= points)
			break;
		chosen = choose_candidate(r, &l, &gain);
		/* The most valuable run does not fit in the user's budget: take a cheaper one. */
		if (chosen == r->n && r->stop == FT_STOP_BUDGET && stated && l.from > 0) {
			l.from = 0;
			chosen = choose_candidate(r, &l, &gain);
		}
		/* A run that is long compared to a decision is decided after the results of those before
		   it. */
		if (chosen == r->n && l.typical && !stated)
			r->stop = FT_STOP_TOLERANCE;
		if (chosen == r->n ||
		    (r->n_wishes >= least && ft__refine_cost(r, r->candidate[chosen].seconds) >= enough))
			break;
		wish_for(r, &l, chosen, gain);
		if (r->n_wishes >= least && l.spent >= enough)
			break;
	}
	ft_free(l.covariance);
	ft_free(l.hidden_by);
	ft_free(l.variance);
	ft_free(l.hidden);
	ft_free(l.now);
	ft_free(l.column);
	ft_free(l.one);
	ft_free(l.before);
	return status;
}
