/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.c - the adaptive builder over several parameters, analogous to that over one: the next run is the
 * one that removes the most excess per second. The model of all sizes is the field of model/field.h.
 *
 * The next runs are chosen when a result arrives, not when they are requested: so a build that was killed
 * continues identically after a replay of its runs. */
#include "base/alloc.h"
#include "build/build.h"
#include "foretime/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The field of all measured sizes, and its predictions for the candidates.
 */

/* doc/constants.md has the row of a table for each. */
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

static struct ft__spot spot_of(const struct ft__refine *r, const struct ft__told *told)
{
	struct ft__spot spot = {{0}, 0, 0};

	for (size_t i = 0; i < r->d; i++)
		spot.at[i] = ft__refine_ln(r, i, told->place.at[r->axis[i]]);
	return spot;
}

/* Choose the sizes to use; every k-th of many from elsewhere. Returns how many. */
static size_t choose_sites(const struct ft__refine *r, bool *counts)
{
	size_t i, known = 0, others = 0, n = 0;

	for (i = 0; i < r->lattice->n_sites; i++) {
		const struct ft__told *told = &r->lattice->site[i];

		counts[i] = told->n > 0;
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
		const struct ft__told *told = &r->lattice->site[i];
		struct ft__spot spot = spot_of(r, told);
		double ln = log(told->footprint_bytes > 0 ? told->footprint_bytes : 1);

		if (counts[i] && told->footprint_bytes > 0)
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
		const struct ft__told *told = &r->lattice->site[i];
		struct ft__spot spot = spot_of(r, told);

		if (!counts[i])
			continue;
		double *ln = ft_calloc(told->n + told->limits, sizeof *ln);
		if (!ln)
			return ft_nomem(err);
		set_footprint(r, &spot, told->footprint_bytes);
		for (size_t k = 0; k < told->n + told->limits; k++)
			ln[k] = log(told->seconds[k]);
		double work = ft__lattice_work(r->lattice, &told->place);
		status = ft__field_set(&r->field, &spot, work, ln, told->n, err);
		if (!status && told->limits)
			status = ft__field_limit(&r->field, &spot, work, ln + told->n, told->limits, err);
		ft_free(ln);
	}
	return status;
}

/* ---- the candidates ---------------------------------------------------------------------------------- */

static void set_candidate(struct ft__refine *r, size_t c, const struct ft__known *known)
{
	struct ft__candidate *candidate = &r->candidate[c];

	candidate->hidden = ft__field_hidden(&r->field, &candidate->spot, NULL);
	candidate->variance = fmax(known->variance - candidate->hidden, 0);
	candidate->scatter = known->scatter;
	candidate->ln = known->z + log(candidate->work);
	/* The price of an uncertain size is its mean, not its median, since it may be dear. */
	candidate->seconds =
		candidate->work * exp(fmin(fmax(known->z + fmin(known->variance, 4) / 2, -600), 600));
}

static enum ft_status set_candidates(struct ft__refine *r, struct ft_err *err)
{
	size_t n = r->field.n;
	double *row = ft_realloc(r->row, (n * r->n + 1) * sizeof *row);

	if (!row)
		return ft_nomem(err);
	r->row = row;
	for (size_t i = 0; i < r->n; i++) {
		const struct ft__told *told = ft__lattice_site(r->lattice, &r->candidate[i].place);

		set_footprint(r, &r->candidate[i].spot, told && told->n ? told->footprint_bytes : 0);
		r->candidate[i].self = ft__field_self(&r->field, &r->candidate[i].spot);
		struct ft__known known = ft__field_at(&r->field, &r->candidate[i].spot, row + i * n);
		set_candidate(r, i, &known);
	}
	return FT_OK;
}

/* refine_learn - fit all results, and predict every candidate; at least one size could be measured.
 * FT_ENOMEM. */
static enum ft_status refine_learn(struct ft__refine *r, struct ft_err *err)
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

/* refine_missed - how far the first run at a candidate lay from its prediction. FT_ENOMEM. */
static enum ft_status refine_missed(struct ft__refine *r, double miss, struct ft_err *err)
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
double ft__refine_caution(const struct ft__refine *r)
{
	return r->doubt * fmax(ft__caution(r->miss, r->n_misses, 0, 1, caution_least), r->left_out);
}

/* refine_ask_model - the model that answers learns from the start, and with laws: it may be less certain
 * of the same runs, and ending the build then would give two accuracies for one surface. Sets doubt.
 * FT_ENOMEM. */
static enum ft_status refine_ask_model(struct ft__refine *r, struct ft_err *err)
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
		const struct ft__told *told = &r->lattice->site[i];

		for (size_t k = 0; told->n && k < told->n + told->limits; k++)
			observation[n++] = (struct ft_observation){
				.size = ft__lattice_size(r->lattice, &told->place),
				.work = ft__lattice_work(r->lattice, &told->place),
				.value = told->seconds[k],
				.memory = told->footprint_bytes,
				.censored = k >= told->n,
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
 * The adaptive builder over several parameters, as that over one: the next run is the one that
 * takes most excess away for its seconds. What is known of all sizes is the field of model/field.h.
 */

/* The default budget: this multiple of the expected time of the dearest size for each parameter, and a
 * multiple of what the first sizes took, since the dearest size is no measure if all cost the same. */
static const double usual_budget = 4;

/* A size is run again at the end if it costs at most this share of the time spent. */
static const double revisit_share = 0.001;

/* The largest share of the measuring time that decisions take; if they would take more, runs are decided
 * in batches of at most a quarter of the known ones. */
static const double decisions_share = 0.02, batch_share = 0.25;

enum { FIRST_RUNS = 2 };

static void refine_free(void *state)
{
	struct ft__refine *r = state;

	if (!r)
		return;
	ft__field_clear(&r->field);
	ft__field_clear(&r->footprint);
	ft_free(r->candidate);
	ft_free(r->row);
	ft_free(r->space);
	ft_free(r->miss);
	ft_free(r);
}

/* ---- seconds ------------------------------------------------------------------------------------------ */

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
		const struct ft__told *site = ft__lattice_site(r->lattice, &r->candidate[r->first[i]].place);

		for (size_t k = 0; site && k < site->n && k < FIRST_RUNS; k++)
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

/* ---- beginning ---------------------------------------------------------------------------------------- */

static void wish_first(struct ft__refine *r)
{
	size_t least = r->lattice->options.reps_least, most = r->lattice->options.reps_most;

	least = least > FIRST_RUNS ? least : FIRST_RUNS;
	least = most && most < least ? most : least;
	for (size_t i = 0; i < r->n_first; i++)
		for (size_t k = 0; k < least && r->n_wishes < FT__BIDS_MOST; k++)
			r->wish[r->n_wishes++] = (struct ft__wish){.candidate = r->first[i], .runs = k + 1};
	r->n_decided = r->n_wishes;
}

static enum ft_status refine_init(void **state, struct ft__lattice *lattice, const struct ft__row *row,
				  struct ft_err *err)
{
	struct ft__refine *r = ft_calloc(1, sizeof *r);

	(void)row;
	*state = NULL;
	if (!r)
		return ft_nomem(err);
	r->lattice = lattice;
	r->axis = lattice->varying;
	r->d = lattice->d;
	r->stretch = r->doubt = 1;
	ft__field_init(&r->field, r->d, lattice->options.work != NULL, true);
	ft__field_init(&r->footprint, r->d, false, false);
	for (size_t i = 0; i < r->d; i++)
		r->field.most[i] = ft__refine_ln(r, i, lattice->axis[r->axis[i]].count - 1);
	enum ft_status status = ft__candidates_make(r, err);
	if (status) {
		refine_free(r);
		return status;
	}
	wish_first(r);
	*state = r;
	return FT_OK;
}

/* ---- decisions ---------------------------------------------------------------------------------------- */

/* Programs die of their size: once one did, sizes are approached from below, half way (by the logarithm of
 * their time) between the dearest that ended well and the cheapest that did not. */
static void shun_failures(struct ft__refine *r)
{
	double good = 0, failed = INFINITY;

	for (size_t i = 0; i < r->lattice->n_sites; i++)
		if (r->lattice->site[i].n)
			good = fmax(good, r->lattice->site[i].seconds[0]);
	for (size_t i = 0; i < r->n; i++)
		if (r->candidate[i].failed)
			failed = fmin(failed, r->candidate[i].seconds);
	for (size_t i = 0; i < r->n; i++)
		r->candidate[i].far = r->candidate[i].seconds > fmax(good, sqrt(good * failed));
}

static bool differ_only(const struct ft__refine *r, const struct ft__candidate *a,
			const struct ft__candidate *b, size_t axis)
{
	for (size_t i = 0; i < r->lattice->n; i++)
		if (i != axis && a->place.at[i] != b->place.at[i])
			return false;
	return true;
}

/* Parameters without effect: for all values of the rest, the expected times are equal within the tolerance
 * and their uncertainty. */
static void find_flat(struct ft__refine *r)
{
	double most = log(1 + r->lattice->options.tolerance);

	for (size_t a = 0; a < r->d; a++) {
		size_t pairs = 0, off = 0;

		for (size_t i = 0; i < r->n; i++)
			for (size_t j = 0; j < i && !off; j++) {
				const struct ft__candidate *p = &r->candidate[i], *q = &r->candidate[j];

				if (!ft__candidate_is_alive(p) || !ft__candidate_is_alive(q) ||
				    !differ_only(r, p, q, r->axis[a]))
					continue;
				pairs++;
				off += fabs(p->ln - q->ln) > most + sqrt(p->variance + q->variance);
			}
		r->flat[r->axis[a]] = pairs && !off;
	}
}

/* Nothing is measured yet, and the cheap corner cannot be: any other size, the smallest first. */
static void wish_any(struct ft__refine *r)
{
	size_t i = 0;

	r->stop = FT_STOP_EXHAUSTED;
	while (i < r->n && (r->candidate[i].dead || r->candidate[i].closed))
		i++;
	if (i < r->n)
		r->wish[r->n_wishes++] = (struct ft__wish){.candidate = i, .runs = 1};
}

/* Cheap sizes are run again at the end, to detect changes of the machine meanwhile. */
static bool may_revisit(const struct ft__refine *r, size_t candidate)
{
	const struct ft__candidate *c = &r->candidate[candidate];
	double price = ft__refine_cost(r, c->seconds);
	size_t most = r->lattice->options.reps_most;

	return ft__candidate_is_alive(c) && !c->closed && c->runs && (!most || c->runs < most) &&
	       price <= revisit_share * ft__refine_spent(r) &&
	       price * FT__REVISIT_MOST <= ft__refine_budget_left(r);
}

/* Evenly through those that are known. */
static void wish_revisits(struct ft__refine *r)
{
	size_t k = 0, cheap = 0;

	for (size_t i = 0; i < r->n; i++)
		cheap += may_revisit(r, i);
	for (size_t i = 0; i < r->n && r->n_wishes < FT__REVISIT_MOST; i++)
		if (may_revisit(r, i) && k++ * FT__REVISIT_MOST >= r->n_wishes * cheap)
			r->wish[r->n_wishes++] =
				(struct ft__wish){.candidate = i,
						  .runs = r->candidate[i].runs + 1,
						  .seconds = ft__refine_cost(r, r->candidate[i].seconds)};
	r->ending = true;
}

/* How many runs to decide at once: one, as long as all decisions are short compared to the runs; else
 * several. */
static size_t batch_size(struct ft__refine *r)
{
	double most = batch_share * (double)r->runs,
	       scale_s = fmax(ft__refine_spent(r), ft__refine_cost(r, ft__refine_dearest(r)));

	r->decisions_s += ft__refine_seconds(r);
	if (most < 2 || r->decisions_s <= decisions_share * scale_s)
		return 1;
	return most < FT__BIDS_MOST ? (size_t)most : (size_t)FT__BIDS_MOST;
}

static enum ft_status decide_wishes(struct ft__refine *r, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	r->n_wishes = 0;
	if (!ft__refine_known(r)) {
		wish_any(r);
	} else {
		FT_TRY(refine_learn(r, err));
		shun_failures(r);
		size_t most = batch_size(r);
		status = ft__refine_bid(r, 0, 1, most, err);
		if (!status && !r->n_wishes && r->stop == FT_STOP_TOLERANCE &&
		    r->lattice->options.budget_s > 0 && r->runs > r->doubted) {
			status = refine_ask_model(r, err);
			if (!status)
				status = ft__refine_bid(r, 0, 1, most, err);
		}
		if (status)
			return status;
		r->decided = r->runs;
		r->ending = false;
		if (!r->n_wishes) {
			if (r->stop == FT_STOP_TOLERANCE)
				find_flat(r);
			wish_revisits(r);
		}
	}
	r->n_decided = r->n_wishes;
	r->strays = 0;
	r->due = false;
	return FT_OK;
}

/* ---- ask -------------------------------------------------------------------------------------------- */

/* fresh: number of new sizes requested at the same time. */
static bool is_open(const struct ft__refine *r, size_t wish, size_t fresh)
{
	const struct ft__candidate *c = &r->candidate[r->wish[wish].candidate];
	size_t points = r->lattice->options.points;

	return c->runs < r->wish[wish].runs && ft__candidate_is_alive(c) && !c->closed &&
	       (c->runs || !points || ft__refine_known(r) + fresh < points);
}

static size_t next_open(const struct ft__refine *r)
{
	size_t i = 0;

	while (i < r->n_wishes && !is_open(r, i, 0))
		i++;
	return i;
}

/* Different sizes, of those that are wished. */
static size_t list_wished(const struct ft__refine *r, struct ft__place *places, size_t most)
{
	size_t k, n = 0, fresh = 0;

	for (size_t i = 0; i < r->n_wishes && n < most; i++) {
		const struct ft__candidate *c = &r->candidate[r->wish[i].candidate];

		for (k = 0; k < n && !ft__lattice_same(r->lattice, &places[k], &c->place);)
			k++;
		if (k < n || !is_open(r, i, fresh))
			continue;
		places[n++] = c->place;
		fresh += !c->runs;
	}
	return n;
}

static enum ft_status refine_ask(void *state, struct ft__place *places, size_t most, size_t *n,
				 struct ft_err *err)
{
	struct ft__refine *r = state;
	enum ft_status status = r->due ? decide_wishes(r, err) : FT_OK;

	most = most < FT__BIDS_MOST ? most : FT__BIDS_MOST;
	*n = status ? 0 : list_wished(r, places, most);
	if (!status && *n && *n < most && r->decided && !r->ending && r->n_wishes < most) {
		enum ft_stop stop = r->stop;

		status = ft__refine_bid(r, r->n_wishes, most, most, err);
		r->stop = stop;
		*n = list_wished(r, places, most);
	}
	return status;
}

static void refine_gain(void *state, struct ft_build_gain *out)
{
	const struct ft__refine *r = state;
	size_t i = next_open(r);

	if (r->decided && r->within > 0)
		out->accuracy = r->lattice->options.tolerance / r->within;
	if (r->due || i == r->n_wishes)
		return;
	out->size = ft__lattice_size(r->lattice, &r->candidate[r->wish[i].candidate].place);
	out->error = r->wish[i].gain;
	out->seconds = r->wish[i].seconds;
}

/* ---- tell --------------------------------------------------------------------------------------------- */

static bool is_least(const struct ft__refine *r, const struct ft__told *site)
{
	for (size_t k = 0; k < r->lattice->n; k++)
		if (site->place.at[k] > 0)
			return false;
	return true;
}

/* A size that cannot be measured, and is no hole, is too large: so is every size that is larger in all
 * parameters. The smallest of all may be too small instead: the next ones decide. */
static void bury_larger(struct ft__refine *r, const struct ft__told *site)
{
	bool large = !site->hole && !is_least(r, site);

	for (size_t i = 0; i < r->n; i++) {
		struct ft__candidate *c = &r->candidate[i];
		bool same = ft__lattice_same(r->lattice, &c->place, &site->place), beyond = large;

		for (size_t k = 0; k < r->lattice->n && beyond; k++)
			beyond = c->place.at[k] >= site->place.at[k];
		c->failed = c->failed || (!site->hole && same);
		c->dead = c->dead || beyond || same;
	}
}

/* Runs of a candidate: its first run tests its prediction. */
static enum ft_status enter_runs(struct ft__refine *r, struct ft__candidate *c, const struct ft__told *site,
				 struct ft_err *err)
{
	double error = sqrt(c->variance + c->hidden + c->scatter);

	if (!c->runs && site->n && r->decided) {
		FT_TRY(refine_missed(r, fabs(log(site->seconds[0]) - c->ln) / error, err));
	}
	/* The caller's budget ended, or a replay has no more; unless memory lacked for the decision. */
	c->closed = site->n <= c->runs && !r->due;
	for (size_t i = c->runs; i < site->n; i++)
		r->told_s += site->seconds[i];
	r->runs += site->n > c->runs ? site->n - c->runs : 0;
	c->runs = site->n;
	return FT_OK;
}

/* When all that was wished for is there; or when much else is known. */
static bool is_due(const struct ft__refine *r)
{
	double known = fmax((double)r->runs, (double)r->lattice->n_sites);

	if (next_open(r) >= r->n_decided && !r->ending)
		return true;
	return r->strays && (double)r->strays >= batch_share * known;
}

static bool is_wished(const struct ft__refine *r, size_t candidate)
{
	for (size_t i = 0; i < r->n_wishes; i++)
		if (r->wish[i].candidate == candidate && is_open(r, i, 0))
			return true;
	return false;
}

static enum ft_status refine_tell(void *state, const struct ft__told *site, struct ft_err *err)
{
	struct ft__refine *r = state;
	size_t candidate = ft__refine_find(r, &site->place);
	enum ft_status status = FT_OK;

	r->strays += !is_wished(r, candidate);
	if (candidate < r->n)
		status = enter_runs(r, &r->candidate[candidate], site, err);
	if (status)
		return status;
	if (!site->n)
		bury_larger(r, site);
	r->due = r->due || is_due(r);
	return r->due ? decide_wishes(r, err) : FT_OK;
}

static enum ft_stop refine_stop(const void *state)
{
	const struct ft__refine *r = state;

	return r->stop;
}

/* Whichever rule ends it first, as for one parameter. */
static double refine_complete(void *state, double made)
{
	const struct ft__refine *r = state;
	double spent_s = fmax(0, ft__refine_spent(r) - r->given_s),
	       left_s = fmax(0, ft__refine_budget_left(r)), points = (double)r->lattice->options.points,
	       share = r->decided ? r->within : 0;

	(void)made; /* each run is reported to it */
	if (!r->runs)
		return 0;
	if (r->typical_s > 0)
		share = fmin(share, ft__refine_spent(r) / (ft__refine_spent(r) + r->typical_s));
	share = fmax(share, r->decided ? spent_s / (spent_s + left_s) : 0);
	share = fmax(share, points > 0 ? (double)ft__refine_known(r) / points : 0);
	return fmin(share, 1) * (double)r->runs / ((double)r->runs + 1);
}

static bool refine_flat(const void *state, size_t axis)
{
	const struct ft__refine *r = state;

	return r->flat[axis];
}

static void refine_price(void *state, double each_s, double stretch, double given_s)
{
	struct ft__refine *r = state;

	r->each_s = each_s;
	r->given_s = given_s;
	r->stretch = stretch;
}

static size_t refine_excluded(const void *state)
{
	const struct ft__refine *r = state;

	return r->excluded;
}

const struct ft__plan ft__plan_refine = {
	.init = refine_init,
	.ask = refine_ask,
	.gain = refine_gain,
	.tell = refine_tell,
	.stop = refine_stop,
	.complete = refine_complete,
	.price = refine_price,
	.flat = refine_flat,
	.excluded = refine_excluded,
	.free = refine_free,
};
