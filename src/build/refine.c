/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.c - the adaptive builder over several parameters, as that over one: the next run is the one that
 * takes most excess away for its seconds. What is known of all sizes is the field of model/field.h. */
#include "base/alloc.h"
#include "build/refine.h"

#include <math.h>
#include <string.h>

/* doc/constants.md has the row of a table for each. */
static const double mean_share = 0.2; /* of the tolerance: the mean excess that is aimed at */
static const double normal_mean = 0.8, wide_of_excess = 1.5; /* E|z|; quantile for a deviation */
static const double price_floor = 0.01; /* of the dearest run: no run is cheaper than that to decide on */
enum { RUNS_MOST = 9 };

/* Without a budget so many times what the dearest size is expected to take may be spent for each parameter,
 * and so many times what the first sizes took: where all sizes cost the same, the dearest is no measure. */
static const double usual_budget = 4;

/* A size is run again at the end when it costs no more of what was spent. */
static const double revisit_share = 0.001;

static void refine_free(void *state)
{
	struct ft__refine *r = state;

	if (!r)
		return;
	ft__field_clear(&r->field);
	ft__field_clear(&r->footprint);
	ft_free(r->candidate);
	ft_free(r->row);
	ft_free(r->miss);
	ft_free(r);
}

static enum ft_status refine_init(void **state, struct ft__lattice *lattice, const struct ft__row *row,
				  struct ft_err *err)
{
	struct ft__refine *r = ft_calloc(1, sizeof *r);
	enum ft_status status;
	size_t i;

	(void)row;
	*state = NULL;
	if (!r)
		return ft_nomem(err);
	r->lattice = lattice;
	for (i = 0; i < lattice->n; i++)
		if (lattice->axis[i].count > 1)
			r->axis[r->d++] = i;
	ft__field_init(&r->field, r->d, lattice->options.work != NULL, true);
	ft__field_init(&r->footprint, r->d, false, false);
	for (i = 0; i < r->d; i++)
		r->field.most[i] = ft__refine_ln(r, i, lattice->axis[r->axis[i]].count - 1);
	status = ft__candidates_make(r, err);
	if (status) {
		refine_free(r);
		return status;
	}
	r->waiting = r->last = r->n;
	*state = r;
	return FT_OK;
}

/* Programs die of their size: once one did, sizes are approached from below, half way (by the logarithm of
 * their time) between the dearest that ended well and the cheapest that did not. */
static void shun_failures(struct ft__refine *r)
{
	double good = 0, failed = INFINITY;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];
		const struct ft__told *site = ft__refine_site(r, i);

		if (site && site->n)
			good = fmax(good, c->seconds);
		if (c->failed)
			failed = fmin(failed, c->seconds);
	}
	for (i = 0; i < r->n; i++)
		r->candidate[i].far = r->candidate[i].seconds > fmax(good, sqrt(good * failed));
}

/* ---- the next question -------------------------------------------------------------------------------- */

static double dearest(const struct ft__refine *r)
{
	double most = 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		if (ft__candidate_is_alive(&r->candidate[i]))
			most = fmax(most, r->candidate[i].seconds);
	return most;
}

static double budget_left(const struct ft__refine *r)
{
	double budget = r->lattice->options.budget_s;

	return (budget > 0 ? budget : usual_budget * ((double)r->d * dearest(r) + r->first_s)) - r->spent;
}

/* The candidate with the largest gain for its seconds; n: none that may be run. */
static size_t choose(struct ft__refine *r, double from)
{
	double left = budget_left(r), most = dearest(r), best = 0;
	size_t chosen = r->n, i;

	r->stop = FT_STOP_EXHAUSTED;
	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];
		const struct ft__told *site = ft__refine_site(r, i);
		double score;

		if (!ft__candidate_is_alive(c) || c->spent || (site && site->n >= RUNS_MOST))
			continue;
		if (c->seconds + r->overhead > left) {
			r->stop = FT_STOP_BUDGET;
			continue;
		}
		score = ft__refine_gain(r, i, from) / (c->seconds + r->overhead + price_floor * most);
		if (score > best) {
			best = score;
			chosen = i;
		}
	}
	return chosen;
}

/* Whether the typical run is known well enough, on average and at 95 % of the candidates. from: where it is
 * on average, only excess over this is worth anything. */
static enum ft_status is_known(const struct ft__refine *r, bool *known, double *from, struct ft_err *err)
{
	double *scratch = ft_calloc(r->n, sizeof *scratch), caution = ft__refine_caution(r), mean, high;
	double tolerance = r->lattice->options.tolerance;

	if (!scratch)
		return ft_nomem(err);
	ft__refine_left(r, scratch, &mean, &high);
	ft_free(scratch);
	*known = caution * normal_mean * mean <= mean_share * tolerance;
	*from = *known ? tolerance / (caution * wide_of_excess) : 0;
	*known = *known && high <= *from;
	return FT_OK;
}

static double seconds_of(const struct ft__told *site)
{
	double sum = 0;
	size_t i;

	for (i = 0; site && i < site->n; i++)
		sum += site->seconds[i];
	return sum;
}

/* foresee: what it says of the candidate stands, and is held against what comes. */
static void await(struct ft__refine *r, size_t candidate, bool foresee)
{
	const struct ft__told *site = ft__refine_site(r, candidate);
	const struct ft__candidate *c = &r->candidate[candidate];

	r->waiting = candidate;
	r->runs = site ? site->n : 0;
	r->known_s = seconds_of(site);
	r->foreseen_error = -1;
	if (!foresee || (site && site->n))
		return;
	r->foreseen = c->ln;
	r->foreseen_error = sqrt(c->variance + c->hidden + c->scatter);
}

static bool differ_only(const struct ft__refine *r, const struct ft__candidate *a,
			const struct ft__candidate *b, size_t axis)
{
	size_t i;

	for (i = 0; i < r->lattice->n; i++)
		if (i != axis && a->place.at[i] != b->place.at[i])
			return false;
	return true;
}

/* Which parameters change nothing: whatever the others are, the seconds expected are the same within the
 * tolerance and what is not known of them. */
static void find_flat(struct ft__refine *r)
{
	double most = log(1 + r->lattice->options.tolerance);
	size_t i, j, a;

	for (a = 0; a < r->d; a++) {
		size_t pairs = 0, off = 0;

		for (i = 0; i < r->n; i++)
			for (j = 0; j < i && !off; j++) {
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

static enum ft_status decide(struct ft__refine *r, struct ft_err *err)
{
	size_t points = r->lattice->options.points, known = ft__refine_known(r), chosen = r->n;
	enum ft_status status;
	bool enough = false;
	double from = 0;

	r->stop = FT_STOP_EXHAUSTED;
	if (!known)
		return FT_OK;
	status = ft__refine_learn(r, err);
	if (status)
		return status;
	shun_failures(r);
	status = is_known(r, &enough, &from, err);
	if (status)
		return status;
	if (enough)
		r->stop = FT_STOP_TOLERANCE;
	else if (points && known >= points)
		r->stop = FT_STOP_POINTS;
	else
		chosen = choose(r, from);
	if (chosen < r->n)
		await(r, chosen, true);
	else if (enough)
		find_flat(r);
	return FT_OK;
}

static bool next_first(struct ft__refine *r)
{
	size_t points = r->lattice->options.points;

	for (; r->next_first < r->n_first; r->next_first++) {
		size_t candidate = r->first[r->next_first];
		const struct ft__told *site = ft__refine_site(r, candidate);

		if (r->candidate[candidate].dead || r->candidate[candidate].spent || (site && site->n >= 2))
			continue;
		if (points && !site && ft__refine_known(r) >= points)
			continue;
		await(r, candidate, false);
		return true;
	}
	return false;
}

/* Nothing is known yet and the cheap corner cannot be measured: any other size, the least first. */
static bool next_any(struct ft__refine *r)
{
	size_t i;

	if (ft__refine_known(r))
		return false;
	for (i = 0; i < r->n; i++)
		if (!r->candidate[i].dead && !r->candidate[i].spent) {
			await(r, i, false);
			return true;
		}
	return false;
}

/* ---- the end: what changed meanwhile ------------------------------------------------------------------- */

static bool may_revisit(const struct ft__refine *r, size_t candidate)
{
	const struct ft__candidate *c = &r->candidate[candidate];
	const struct ft__told *site = ft__refine_site(r, candidate);
	double price = c->seconds + r->overhead;

	return ft__candidate_is_alive(c) && !c->spent && candidate != r->last && site && site->n &&
	       price <= revisit_share * r->spent && price * FT__REVISIT_MOST <= budget_left(r);
}

/* Cheap sizes, evenly through those that are known. */
static void choose_revisits(struct ft__refine *r)
{
	size_t i, k = 0, cheap = 0;

	for (i = 0; i < r->n; i++)
		cheap += may_revisit(r, i);
	for (i = 0; i < r->n && r->n_revisits < FT__REVISIT_MOST; i++)
		if (may_revisit(r, i) && k++ * FT__REVISIT_MOST >= r->n_revisits * cheap)
			r->revisit[r->n_revisits++] = i;
	r->ending = true;
}

static void next_revisit(struct ft__refine *r)
{
	if (!r->ending)
		choose_revisits(r);
	if (r->next_revisit < r->n_revisits)
		await(r, r->revisit[r->next_revisit++], false);
}

static enum ft_status refine_ask(void *state, struct ft__place *places, size_t most, size_t *n,
				 struct ft_err *err)
{
	struct ft__refine *r = state;
	enum ft_status status = FT_OK;

	(void)most;
	*n = 0;
	if (r->waiting == r->n && !r->ending && !next_first(r) && !next_any(r))
		status = decide(r, err);
	if (!status && r->waiting == r->n)
		next_revisit(r);
	if (!status && r->waiting < r->n)
		places[(*n)++] = r->candidate[r->waiting].place;
	return status;
}

/* A size that cannot be measured, hole apart, is too large: so is every one that is larger in all parameters.
 */
static void bury(struct ft__refine *r, const struct ft__told *site)
{
	size_t i, k;

	for (i = 0; i < r->n; i++) {
		struct ft__candidate *c = &r->candidate[i];
		bool beyond = !site->hole;

		for (k = 0; k < r->lattice->n && beyond; k++)
			beyond = c->place.at[k] >= site->place.at[k];
		c->failed =
			c->failed || (!site->hole && ft__lattice_same(r->lattice, &c->place, &site->place));
		c->dead = c->dead || beyond || ft__lattice_same(r->lattice, &c->place, &site->place);
	}
}

/* What the runs cost that were asked for last. */
static double price_of(const struct ft__refine *r, const struct ft__told *site)
{
	double runs = site->n > r->runs ? (double)(site->n - r->runs) : 0;

	return fmax(0, seconds_of(site) - r->known_s) + runs * r->overhead;
}

static enum ft_status refine_tell(void *state, const struct ft__told *site, struct ft_err *err)
{
	struct ft__refine *r = state;

	enum ft_status status = FT_OK;

	if (r->waiting < r->n &&
	    ft__lattice_same(r->lattice, &r->candidate[r->waiting].place, &site->place)) {
		if (r->foreseen_error >= 0 && site->n)
			status = ft__refine_missed(
				r, fabs(log(site->seconds[0]) - r->foreseen) / r->foreseen_error, err);
		/* The caller's budget ended, or a replay has no more. */
		r->candidate[r->waiting].spent = site->n <= r->runs;
		r->spent += price_of(r, site);
		if (r->next_first < r->n_first)
			r->first_s = r->spent;
		r->last = r->waiting;
		r->waiting = r->n;
	}
	if (!site->n)
		bury(r, site);
	return status;
}

static enum ft_stop refine_stop(const void *state)
{
	const struct ft__refine *r = state;

	return r->stop;
}

static bool refine_flat(const void *state, size_t axis)
{
	const struct ft__refine *r = state;

	return r->flat[axis];
}

static void refine_price(void *state, double each_s, double stretch)
{
	struct ft__refine *r = state;

	r->overhead = each_s;
	(void)stretch;
}

static size_t refine_excluded(const void *state)
{
	const struct ft__refine *r = state;

	return r->excluded;
}

const struct ft__plan ft__plan_refine = {
	.init = refine_init,
	.ask = refine_ask,
	.tell = refine_tell,
	.stop = refine_stop,
	.flat = refine_flat,
	.price = refine_price,
	.excluded = refine_excluded,
	.free = refine_free,
};
