/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.c - the adaptive builder over several parameters, analogous to that over one: the next run is the
 * one that removes the most excess per second. The model of all sizes is the field of model/field.h.
 *
 * The next runs are chosen when a result arrives, not when they are requested: so a build that was killed
 * continues identically after a replay of its runs. */
#include "base/alloc.h"
#include "build/build.h"

#include <math.h>
#include <stdlib.h>

/*
 * The adaptive builder over several parameters, analogous to that over one: the next run is the one that
 * removes the most excess per second. The model of all sizes is the field of model/field.h.
 */

/* A size is run again at the end if it costs at most this share of the time spent. */
static const double revisit_share = 0.001;

/* The largest share of the measuring time that decisions take; if they would take more, runs are decided
 * in batches of at most a quarter of the known ones. */
static const double decisions_share = 0.02, batch_share = 0.25;

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

/* ---- beginning ---------------------------------------------------------------------------------------- */

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
	size_t least = r->lattice->options.reps_least, most = r->lattice->options.reps_most;

	least = least > FT__REFINE_FIRST_RUNS ? least : FT__REFINE_FIRST_RUNS;
	least = most && most < least ? most : least;
	for (size_t i = 0; i < r->n_first; i++)
		for (size_t k = 0; k < least && r->n_wishes < FT__BIDS_MOST; k++)
			r->wish[r->n_wishes++] = (struct ft__wish){.candidate = r->first[i], .runs = k + 1};
	r->n_decided = r->n_wishes;
	*state = r;
	return FT_OK;
}

/* ---- decisions ---------------------------------------------------------------------------------------- */

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
		/* Nothing is measured yet, and the cheap corner cannot be: any other size, the smallest first. */
		size_t i = 0;

		r->stop = FT_STOP_EXHAUSTED;
		while (i < r->n && (r->candidate[i].dead || r->candidate[i].closed))
			i++;
		if (i < r->n)
			r->wish[r->n_wishes++] = (struct ft__wish){.candidate = i, .runs = 1};
	} else {
		FT_TRY(ft__refine_learn(r, err));
		/* Programs die of their size: once one did, sizes are approached from below, half way (by the logarithm of
		 * their time) between the dearest that ended well and the cheapest that did not. */
		double good = 0, failed = INFINITY;

		for (size_t k = 0; k < r->lattice->n_sites; k++)
			if (r->lattice->site[k].n)
				good = fmax(good, r->lattice->site[k].seconds[0]);
		for (size_t k = 0; k < r->n; k++)
			if (r->candidate[k].failed)
				failed = fmin(failed, r->candidate[k].seconds);
		for (size_t k = 0; k < r->n; k++)
			r->candidate[k].far = r->candidate[k].seconds > fmax(good, sqrt(good * failed));
		size_t most = batch_size(r);
		status = ft__refine_bid(r, 0, 1, most, err);
		if (!status && !r->n_wishes && r->stop == FT_STOP_TOLERANCE &&
		    r->lattice->options.budget_s > 0 && r->runs > r->doubted) {
			status = ft__refine_ask_model(r, err);
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
			/* Evenly through those that are known. */
			size_t taken = 0, cheap = 0;

			for (size_t i = 0; i < r->n; i++)
				cheap += may_revisit(r, i);
			for (size_t i = 0; i < r->n && r->n_wishes < FT__REVISIT_MOST; i++)
				if (may_revisit(r, i) && taken++ * FT__REVISIT_MOST >= r->n_wishes * cheap)
					r->wish[r->n_wishes++] = (struct ft__wish){
						.candidate = i,
						.runs = r->candidate[i].runs + 1,
						.seconds = ft__refine_cost(r, r->candidate[i].seconds)};
			r->ending = true;
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

static bool is_least(const struct ft__refine *r, const struct ft__measured *site)
{
	for (size_t k = 0; k < r->lattice->n; k++)
		if (site->place.at[k] > 0)
			return false;
	return true;
}

/* Runs of a candidate: its first run tests its prediction. */
static enum ft_status enter_runs(struct ft__refine *r, struct ft__candidate *c,
				 const struct ft__measured *site, struct ft_err *err)
{
	double error = sqrt(c->variance + c->hidden + c->scatter);

	if (!c->runs && site->n && r->decided) {
		FT_TRY(ft__refine_missed(r, fabs(log(site->seconds[0]) - c->ln) / error, err));
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

static enum ft_status refine_tell(void *state, const struct ft__measured *site, struct ft_err *err)
{
	struct ft__refine *r = state;
	size_t candidate = ft__refine_find(r, &site->place);
	enum ft_status status = FT_OK;

	r->strays += !is_wished(r, candidate);
	if (candidate < r->n)
		status = enter_runs(r, &r->candidate[candidate], site, err);
	if (status)
		return status;
	if (!site->n) {
		/* A size that cannot be measured, and is no hole, is too large: so is every size that is larger in all
		 * parameters. The smallest of all may be too small instead: the next ones decide. */
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
