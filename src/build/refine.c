/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine.c - the adaptive builder over several parameters: the next run is the one that takes most error away
 * for its seconds. What is known of all sizes is the interpolation of model/kriging.h: functions of one
 * parameter each, whose sum is ln time where the time is a product, and an interaction beside them. */
#include "base/alloc.h"
#include "build/refine.h"
#include "model/kriging.h"

#include <math.h>
#include <string.h>

enum { RUNS_MOST = 5, CALM = 2 };

/* Deciding costs something too: this share of the dearest run. */
static const double decision = 0.01;

/* A known size so dear, as a share of the dearest, stands for the far end. */
static const double nearly = 0.7;

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
	ft_free(r->candidate);
	ft_free(r);
}

static enum ft_status refine_init(void **state, struct ft__lattice *lattice,
				  const struct ft_builder_type *type, struct ft_err *err)
{
	struct ft__refine *r = ft_calloc(1, sizeof *r);
	enum ft_status status;
	size_t i;

	(void)type;
	*state = NULL;
	if (!r)
		return ft_nomem(err);
	r->lattice = lattice;
	for (i = 0; i < lattice->n; i++)
		if (lattice->axis[i].count > 1)
			r->axis[r->d++] = i;
	status = ft__candidates_make(r, err);
	if (status) {
		refine_free(r);
		return status;
	}
	r->waiting = r->last = r->n;
	*state = r;
	return FT_OK;
}

static bool is_alive(const struct ft__candidate *c)
{
	return !c->dead && !c->far;
}

/* Programs die of their size: once one did, sizes are approached from below, half way (by the logarithm of
 * their time) between the dearest that ended well and the cheapest that did not. */
static void shun_failures(struct ft__refine *r)
{
	double good = 0, failed = INFINITY;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];
		const struct ft__site *site = ft__refine_site(r, i);

		if (site && site->n)
			good = fmax(good, c->seconds);
		if (c->failed)
			failed = fmin(failed, c->seconds);
	}
	for (i = 0; i < r->n; i++)
		r->candidate[i].far = r->candidate[i].seconds > fmax(good, sqrt(good * failed));
}

/* ---- the next question -------------------------------------------------------------------------------- */

/* Whether 95 % of the errors over the candidates are expected within the tolerance. */
static bool is_exact(const struct ft__refine *r)
{
	double over = 0, alive = 0;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];

		if (!is_alive(c))
			continue;
		alive++;
		if (c->error > 0)
			over += erfc(r->lattice->options.tolerance / c->error / sqrt(2));
	}
	return over <= 0.05 * alive;
}

static double dearest(const struct ft__refine *r)
{
	double most = 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		if (is_alive(&r->candidate[i]))
			most = fmax(most, r->candidate[i].seconds);
	return most;
}

static double budget_left(const struct ft__refine *r)
{
	double budget = r->lattice->options.budget_s;

	return (budget > 0 ? budget : usual_budget * ((double)r->d * dearest(r) + r->first_s)) - r->spent;
}

/* What is extrapolated from cheap sizes is accepted after a run at the far end, where a cliff would be: the
 * dearest candidate, unless one nearly as dear is known; of those that the budget allows, when it does not
 * reach the end. n: nothing is left to run; *reached: the end is known. */
static size_t far_end(const struct ft__refine *r, bool *reached)
{
	double left = budget_left(r), known = 0, next = 0;
	size_t far = r->n, i;

	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];
		const struct ft__site *site = ft__refine_site(r, i);

		if (!is_alive(c))
			continue;
		if (site && site->n) {
			known = fmax(known, c->seconds);
		} else if (c->seconds + r->overhead <= left && !c->spent && c->seconds > next) {
			next = c->seconds;
			far = i;
		}
	}
	*reached = known >= nearly * dearest(r);
	return *reached || known >= nearly * next ? r->n : far;
}

/* How much of the squared error over all candidates one more run at a candidate takes away. */
static double gain(const struct ft__refine *r, const struct ft__krig *krig, const double *row,
		   size_t candidate)
{
	const struct ft__candidate *c = &r->candidate[candidate];
	double noise = ft__refine_noise(r, c->x), sum = 0, own = c->error / krig->inflation;
	const double *v = row + candidate * krig->n;
	size_t i;

	for (i = 0; i < r->n; i += r->stride) {
		const struct ft__candidate *z = &r->candidate[i];
		double cov;

		if (!is_alive(z))
			continue;
		cov = ft__krig_cov(krig, c->x, 0, z->x, 0) - ft__krig_dot(v, row + i * krig->n, krig->n);
		sum += cov * cov;
	}
	return sum / (own * own + noise * noise);
}

/* The candidate with the largest gain for its seconds; n: none that may be run. */
static size_t choose(struct ft__refine *r, const struct ft__krig *krig, const double *row)
{
	double left = budget_left(r), most = dearest(r), best = 0;
	size_t chosen = r->n, i;

	r->stop = FT_STOP_EXHAUSTED;
	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];
		const struct ft__site *site = ft__refine_site(r, i);
		double score;

		if (!is_alive(c) || c->spent || (site && site->n >= RUNS_MOST))
			continue;
		if (c->seconds + r->overhead > left) {
			r->stop = FT_STOP_BUDGET;
			continue;
		}
		score = gain(r, krig, row, i) / (c->seconds + r->overhead + decision * most);
		if (score > best) {
			best = score;
			chosen = i;
		}
	}
	return chosen;
}

static double seconds_of(const struct ft__site *site)
{
	double sum = 0;
	size_t i;

	for (i = 0; site && i < site->n; i++)
		sum += site->seconds[i];
	return sum;
}

static void await(struct ft__refine *r, size_t candidate, const struct ft__krig *krig)
{
	const struct ft__site *site = ft__refine_site(r, candidate);
	const struct ft__candidate *c = &r->candidate[candidate];

	r->waiting = candidate;
	r->runs = site ? site->n : 0;
	r->known_s = seconds_of(site);
	r->foreseen_error = -1;
	if (!krig || (site && site->n))
		return;
	r->foreseen = log(c->seconds);
	r->foreseen_error = c->error;
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
 * tolerance. */
static void find_flat(struct ft__refine *r)
{
	double most = log(1 + r->lattice->options.tolerance);
	size_t i, j, a;

	for (a = 0; a < r->d; a++) {
		size_t pairs = 0, off = 0;

		for (i = 0; i < r->n; i++)
			for (j = 0; j < i && !off; j++) {
				const struct ft__candidate *p = &r->candidate[i], *q = &r->candidate[j];

				if (!is_alive(p) || !is_alive(q) || !differ_only(r, p, q, r->axis[a]))
					continue;
				pairs++;
				off += fabs(log(p->seconds / q->seconds)) > most;
			}
		r->flat[r->axis[a]] = pairs && !off;
	}
}

static enum ft_status decide(struct ft__refine *r, struct ft_err *err)
{
	size_t points = r->lattice->options.points, known = ft__refine_known(r);
	struct ft__krig krig;
	enum ft_status status;
	double *row;

	if (!known) {
		r->stop = FT_STOP_EXHAUSTED;
		return FT_OK;
	}
	row = ft_calloc(r->n * known, sizeof *row);
	status = row ? ft__refine_krig(r, &krig, err) : ft_nomem(err);
	if (status) {
		ft_free(row);
		return status;
	}
	ft__refine_state(r, &krig, row);
	shun_failures(r);
	if (r->calm >= CALM && is_exact(r)) {
		bool reached;
		size_t far = far_end(r, &reached);

		r->stop = reached ? FT_STOP_TOLERANCE : FT_STOP_BUDGET;
		if (far < r->n)
			await(r, far, &krig);
		else
			find_flat(r);
	} else if (points && known >= points) {
		r->stop = FT_STOP_POINTS;
	} else {
		size_t chosen = choose(r, &krig, row);

		if (chosen < r->n)
			await(r, chosen, &krig);
	}
	ft__krig_clear(&krig);
	ft_free(row);
	return FT_OK;
}

static bool next_first(struct ft__refine *r)
{
	size_t points = r->lattice->options.points;

	for (; r->next_first < r->n_first; r->next_first++) {
		size_t candidate = r->first[r->next_first];
		const struct ft__site *site = ft__refine_site(r, candidate);

		if (r->candidate[candidate].dead || r->candidate[candidate].spent || (site && site->n >= 2))
			continue;
		if (points && !site && ft__refine_known(r) >= points)
			continue;
		await(r, candidate, NULL);
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
			await(r, i, NULL);
			return true;
		}
	return false;
}

/* ---- the end: what changed meanwhile ------------------------------------------------------------------- */

static bool may_revisit(const struct ft__refine *r, size_t candidate)
{
	const struct ft__candidate *c = &r->candidate[candidate];
	const struct ft__site *site = ft__refine_site(r, candidate);
	double price = c->seconds + r->overhead;

	return is_alive(c) && !c->spent && candidate != r->last && site && site->n &&
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
		await(r, r->revisit[r->next_revisit++], NULL);
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
static void bury(struct ft__refine *r, const struct ft__site *site)
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
static double price_of(const struct ft__refine *r, const struct ft__site *site)
{
	double runs = site->n > r->runs ? (double)(site->n - r->runs) : 0;

	return fmax(0, seconds_of(site) - r->known_s) + runs * r->overhead;
}

static enum ft_status refine_tell(void *state, const struct ft__site *site, struct ft_err *err)
{
	struct ft__refine *r = state;

	(void)err;
	if (r->waiting < r->n &&
	    ft__lattice_same(r->lattice, &r->candidate[r->waiting].place, &site->place)) {
		if (r->foreseen_error >= 0 && site->n) {
			double away = fabs(ft__site_mean_ln(site) - r->foreseen);
			double half = fmax(r->foreseen_error, r->lattice->options.tolerance / 2);

			r->calm = away <= 2 * half ? r->calm + 1 : 0;
		}
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
	return FT_OK;
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

static void refine_overhead(void *state, double seconds)
{
	struct ft__refine *r = state;

	r->overhead = seconds;
}

static size_t refine_excluded(const void *state)
{
	const struct ft__refine *r = state;

	return r->excluded;
}

const struct ft__plan ft__plan_refine = {
	.repeats = true,
	.init = refine_init,
	.ask = refine_ask,
	.tell = refine_tell,
	.stop = refine_stop,
	.flat = refine_flat,
	.overhead = refine_overhead,
	.excluded = refine_excluded,
	.free = refine_free,
};
