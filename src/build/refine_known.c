/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine_known.c - what the adaptive builder over several parameters knows: the field of all sizes told, and
 * what it says of the candidates. */
#include "base/alloc.h"
#include "build/refine.h"
#include "num/dense.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* doc/constants.md has the row of a table for each. */
static const double caution_quantile = 0.85, caution_normal = 1.44, caution_least = 0.5, caution_most = 3;
static const double excess_most = 3;
enum { PSEUDO = 6, ROUNDS = 2 };

/* Of more sizes (which came from elsewhere), as many as this count: all candidates, and every k-th other. */
enum { SITES_MOST = 400 };

/* Lengths are looked for when so many times more sizes are known; while they are few, each time. */
static const double tune_from = 1.15;
enum { TUNE_ALWAYS = 12 };

const struct ft__told *ft__refine_site(const struct ft__refine *r, size_t candidate)
{
	return ft__lattice_site(r->lattice, &r->candidate[candidate].place);
}

size_t ft__refine_known(const struct ft__refine *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->lattice->n_sites; i++)
		n += r->lattice->site[i].n > 0;
	return n;
}

/* ---- the fields -------------------------------------------------------------------------------------- */

static struct ft__spot spot_of(const struct ft__refine *r, const struct ft__told *told)
{
	struct ft__spot spot = {{0}, 0, 0};
	size_t i;

	for (i = 0; i < r->d; i++)
		spot.at[i] = ft__refine_ln(r, i, told->place.at[r->axis[i]]);
	return spot;
}

static bool is_candidate(const struct ft__refine *r, const struct ft__place *place)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (ft__lattice_same(r->lattice, &r->candidate[i].place, place))
			return true;
	return false;
}

/* Which of the sizes told count; of many from elsewhere every so-manieth. Returns how many. */
static size_t choose_sites(const struct ft__refine *r, bool *counts)
{
	size_t i, known = 0, others = 0, step, n = 0;

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
		others += counts[i] && !is_candidate(r, &r->lattice->site[i].place);
	}
	step = others / (SITES_MOST > known - others ? SITES_MOST - (known - others) : 1) + 1;
	for (i = 0, others = 0; i < r->lattice->n_sites; i++) {
		if (counts[i] && !is_candidate(r, &r->lattice->site[i].place))
			counts[i] = others++ % step == 0;
		n += counts[i];
	}
	return n;
}

static enum ft_status learn_footprints(struct ft__refine *r, const bool *counts, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i, before = r->footprint.n;

	for (i = 0; i < r->lattice->n_sites && !status; i++) {
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
	return status;
}

static void set_footprint(const struct ft__refine *r, struct ft__spot *spot, double measured)
{
	struct ft__known known;

	spot->memory = spot->reach = 0;
	if (!r->footprint.n)
		return;
	spot->memory = spot->reach = log(measured > 0 ? measured : 1);
	if (measured > 0)
		return;
	known = ft__field_at(&r->footprint, spot, NULL);
	spot->memory = known.z;
	spot->reach = known.z + sqrt(known.variance);
}

static enum ft_status tell_field(struct ft__refine *r, const bool *counts, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i, k;

	for (i = 0; i < r->lattice->n_sites && !status; i++) {
		const struct ft__told *told = &r->lattice->site[i];
		struct ft__spot spot = spot_of(r, told);
		double *ln;

		if (!counts[i])
			continue;
		ln = ft_calloc(told->n, sizeof *ln);
		if (!ln)
			return ft_nomem(err);
		set_footprint(r, &spot, told->footprint_bytes);
		for (k = 0; k < told->n; k++)
			ln[k] = log(told->seconds[k]);
		status = ft__field_set(&r->field, &spot, ft__lattice_work(r->lattice, &told->place), ln,
				       told->n, err);
		ft_free(ln);
	}
	return status;
}

/* ---- the candidates ---------------------------------------------------------------------------------- */

static void look_at(struct ft__refine *r, size_t c, const struct ft__known *known)
{
	struct ft__candidate *candidate = &r->candidate[c];

	candidate->hidden = ft__field_hidden(&r->field, &candidate->spot, NULL);
	candidate->variance = fmax(known->variance - candidate->hidden, 0);
	candidate->scatter = known->scatter;
	candidate->ln = known->z + log(candidate->work);
	/* What is hardly known may be dear: the mean of the price, and not its median. */
	candidate->seconds =
		candidate->work * exp(fmin(fmax(known->z + fmin(known->variance, 4) / 2, -600), 600));
}

static enum ft_status look_at_all(struct ft__refine *r, struct ft_err *err)
{
	size_t i, n = r->field.n;
	double *row = ft_realloc(r->row, (n * r->n + 1) * sizeof *row);

	if (!row)
		return ft_nomem(err);
	r->row = row;
	for (i = 0; i < r->n; i++) {
		const struct ft__told *told = ft__refine_site(r, i);
		struct ft__known known;

		set_footprint(r, &r->candidate[i].spot, told && told->n ? told->footprint_bytes : 0);
		r->candidate[i].self = ft__field_self(&r->field, &r->candidate[i].spot);
		known = ft__field_at(&r->field, &r->candidate[i].spot, row + i * n);
		look_at(r, i, &known);
	}
	return FT_OK;
}

enum ft_status ft__refine_learn(struct ft__refine *r, struct ft_err *err)
{
	bool *counts = ft_calloc(r->lattice->n_sites, sizeof *counts), often;
	enum ft_status status = counts ? FT_OK : ft_nomem(err);

	if (!status) {
		(void)choose_sites(r, counts);
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
	return look_at_all(r, err);
}

/* ---- errors ------------------------------------------------------------------------------------------ */

enum ft_status ft__refine_missed(struct ft__refine *r, double miss, struct ft_err *err)
{
	double *grown = ft_grow(r->miss, r->n_misses, &r->misses_most, sizeof *grown);
	size_t i;

	if (!grown)
		return ft_nomem(err);
	r->miss = grown;
	for (i = r->n_misses++; i && grown[i - 1] > miss; i--)
		grown[i] = grown[i - 1];
	grown[i] = miss;
	return FT_OK;
}

/* The misses, ascending, and pseudo values .1, .4, .7 ... merged: the value of a rank. As for one parameter.
 */
double ft__refine_caution(const struct ft__refine *r)
{
	size_t rank = (size_t)(caution_quantile * (double)(r->n_misses + PSEUDO)), i = 0, j = 0;
	double at_rank = 0;

	while (i + j <= rank && (i < r->n_misses || j < PSEUDO)) {
		double pseudo = j < PSEUDO ? 0.1 + 0.3 * (double)j : INFINITY;

		if (i < r->n_misses && r->miss[i] <= pseudo) {
			at_rank = r->miss[i++];
		} else {
			at_rank = pseudo;
			j++;
		}
	}
	return fmin(fmax(at_rank / caution_normal, caution_least), caution_most);
}

static double excess(double variance, double scatter)
{
	return fmin(sqrt(variance + scatter) - sqrt(scatter), excess_most);
}

/* What a run at a candidate takes away at another one. */
static double gain_at(const struct ft__refine *r, size_t candidate, size_t at, double from)
{
	const struct ft__candidate *c = &r->candidate[candidate], *z = &r->candidate[at];
	double covariance, left, now = excess(z->variance + z->hidden, z->scatter);
	size_t n = r->field.n;

	if (!ft__candidate_is_alive(z) || now <= from)
		return 0;
	covariance = ft__field_between(&r->field, &c->spot, c->self, &z->spot, z->self) -
		     ft_dot(r->row + candidate * n, r->row + at * n, n);
	left = fmax(0, z->variance - covariance * covariance / (c->variance + c->scatter));
	left += z->hidden > 0 ? ft__field_hidden(&r->field, &z->spot, &c->spot) : 0;
	return now - excess(left, z->scatter);
}

double ft__refine_gain(const struct ft__refine *r, size_t candidate, double from)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < r->n; i += r->stride)
		sum += i == candidate ? 0 : (double)r->stride * gain_at(r, candidate, i, from);
	return sum + gain_at(r, candidate, candidate, from);
}

void ft__refine_left(const struct ft__refine *r, double *scratch, double *mean, double *high)
{
	size_t i, n = 0;

	*mean = 0;
	for (i = 0; i < r->n; i++) {
		const struct ft__candidate *c = &r->candidate[i];

		if (ft__candidate_is_alive(c))
			*mean += scratch[n++] = excess(c->variance + c->hidden, c->scatter);
	}
	*mean /= (double)(n ? n : 1);
	*high = n ? ft_stats_quantile(scratch, n, 0.95) : 0;
}
