/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refine_known.c - what the adaptive builder over several parameters knows: the field of all sizes told, and
 * what it says of the candidates. */
#include "base/alloc.h"
#include "build/refine.h"
#include "foretime/model.h"
#include "num/dense.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* doc/constants.md has the row of a table for each. */
static const double caution_least = 0.5;
static const double doubt_least = 1.05; /* each time that the model knows less: it is asked rarely */
enum { ROUNDS = 2 };

/* Of more sizes (which came from elsewhere), as many as this count: all candidates, and every k-th other. */
enum { SITES_MOST = 400 };

/* Lengths are looked for when so many times more sizes are known; while they are few, each time. */
static const double tune_from = 1.15;
enum { TUNE_ALWAYS = 12 };

size_t ft__refine_known(const struct ft__refine *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->lattice->n_sites; i++)
		n += r->lattice->site[i].n > 0;
	return n;
}

/* What a decision takes: Cholesky and inverse, triangular solutions, covariances of pairs. */
static const double each_cube_s = 2e-9, each_pair_s = 1e-9, around_pair = 60;

/* ---- the fields -------------------------------------------------------------------------------------- */

static struct ft__spot spot_of(const struct ft__refine *r, const struct ft__told *told)
{
	struct ft__spot spot = {{0}, 0, 0};

	for (size_t i = 0; i < r->d; i++)
		spot.at[i] = ft__refine_ln(r, i, told->place.at[r->axis[i]]);
	return spot;
}

/* Which of the sizes told count; of many from elsewhere every so-manieth. Returns how many. */
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
	/* What is hardly known may be dear: the mean of the price, and not its median. */
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

enum ft_status ft__refine_learn(struct ft__refine *r, struct ft_err *err)
{
	bool *counts = ft_calloc(r->lattice->n_sites, sizeof *counts), often;
	enum ft_status status = counts ? FT_OK : ft_nomem(err);

	if (!status) {
		/* Others count than before: those that do not any more are not kept either. */
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
double ft__refine_caution(const struct ft__refine *r)
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
