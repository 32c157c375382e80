/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_learn.c - how a field learns its variances from the sites: expectation and maximisation, alternately.
 *
 * Sources: Dempster, Laird and Rubin 1977 (EM); Lange, Little and Taylor 1989 (t errors); Meng and van Dyk
 * 1998 for variances that go by the square root. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/*
 * How a field is judged: each site by the others.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double miss_freedom = 4, least_error = 0.02; /* deviation: more accuracy is never needed */
static const double caution_quantile = 0.85, caution_normal = 1.44, caution_least = 0.5, caution_most = 3;
enum { PSEUDO = 6 }; /* misses that were not seen: .1, .4, .7 ... */

double ft__field_score(const struct ft__random_field *field)
{
	double sum = 0;

	for (size_t i = 0; i < field->n; i++) {
		double off, variance;

		ft__field_left_out(field, i, &off, &variance);
		variance += least_error * least_error;
		sum -= (miss_freedom + 1) / 2 * log1p(off * off / variance / miss_freedom) +
		       log(variance) / 2;
	}
	return sum;
}

void ft__field_left_out(const struct ft__random_field *field, size_t i, double *off, double *variance)
{
	*variance = 1 / field->inverse[i * field->n + i];
	*off = field->alpha[i] * *variance;
}

enum ft_status ft__field_caution(const struct ft__random_field *field, double *caution, struct ft_err *err)
{
	size_t n = field->n;
	double *miss = ft_calloc(n + PSEUDO, sizeof *miss), off, variance;

	if (!miss)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++) {
		ft__field_left_out(field, i, &off, &variance);
		miss[i] = fabs(off) / sqrt(variance);
	}
	for (size_t i = 0; i < PSEUDO; i++)
		miss[n + i] = 0.1 + 0.3 * (double)i;
	ft_sort(miss, n + PSEUDO);
	*caution = fmin(
		fmax(miss[(size_t)(caution_quantile * (double)(n + PSEUDO))] / caution_normal, caution_least),
		caution_most);
	ft_free(miss);
	return FT_OK;
}

/*
 * Cliffs over the footprint: which gaps between measured ones have one, and how high it may
 * be.
 */

/* doc/constants-build.md has the row of a table for it. */
static const double cliff_unusual = 3; /* a gap's steps, by the usual ones, from which on they are one */

double ft__field_step(const struct ft__random_field *field, const double *exponent)
{
	double slab = FT__CLIFF_SIZE * FT__CLIFF_SIZE, *at = field->space, *is_above = at + field->n,
	       score = 0, information = 0, sum = 0;
	size_t n = field->n;

	for (size_t i = 0; i < n; i++) {
		at[i] = is_above[i] = 0;
		for (size_t k = 0; k < field->d; k++)
			at[i] += exponent[k] * field->spot[i].at[k];
	}
	/* From the largest down, site by site: what a step of 1 below it would explain. */
	double most = -INFINITY, from = -INFINITY;
	for (size_t above = 0; above < n; above++) {
		size_t next = n;

		for (size_t i = 0; i < n; i++)
			if (is_above[i] <= 0 && (next == n || at[i] > at[next]))
				next = i;
		if (above && at[next] < from - 1e-9) {
			double b = 1 + slab * fmax(0, information);

			sum += (from - at[next]) *
			       exp(fmin(slab * score * score / (2 * b) - log(b) / 2, 600));
		}
		from = at[next];
		most = above ? most : from;
		information +=
			field->inverse[next * n + next] + 2 * ft_dot(field->inverse + next * n, is_above, n);
		score += field->alpha[next];
		is_above[next] = 1;
	}
	return most > from ? log(sum / (most - from)) : -INFINITY;
}

/* The direction in which the footprint grows by 1, the shortest of them: by least squares over the sites.
 * false: it does not. */
static bool find_uphill(const struct ft__random_field *field, double *way)
{
	double m[FT_PARAMS_MAX * FT_PARAMS_MAX] = {0}, square = 0;
	size_t d = field->d;

	memset(way, 0, FT_PARAMS_MAX * sizeof *way);
	for (size_t i = 0; i < field->n; i++)
		for (size_t j = 0; j < d; j++) {
			double at = field->spot[i].at[j] - field->centre[j];

			way[j] += at * field->spot[i].memory;
			for (size_t k = 0; k < d; k++)
				m[j * d + k] += at * (field->spot[i].at[k] - field->centre[k]);
		}
	for (size_t j = 0; j < d; j++)
		m[j * d + j] *= 1 + 1e-6;
	if (!ft_chol_factor(m, d))
		return false;
	ft_chol_solve(m, d, way, 1);
	for (size_t j = 0; j < d; j++)
		square += way[j] * way[j];
	for (size_t j = 0; j < d && square > 0; j++)
		way[j] /= square;
	return square > 0 && isfinite(square);
}

/* By how much more than the plane the value climbs through a gap, from the sites behind it straight down to
 * where it begins: where the footprint is one of a few parameters, their own curves take a part of a cliff.
 */
static double climb_of(const struct ft__random_field *field, const struct ft__field_gap *gap)
{
	double way[FT_PARAMS_MAX], slope[FT_PARAMS_MAX], sum = 0, length = gap->to - gap->from;
	size_t n = 0;

	if (!find_uphill(field, way))
		return 0;
	ft__field_plane(field, slope);
	for (size_t i = 0; i < field->n; i++) {
		struct ft__spot below = field->spot[i];

		if (below.memory != gap->to)
			continue;
		below.memory = gap->from;
		sum += ft__field_site(field, i).z;
		for (size_t k = 0; k < field->d; k++) {
			below.at[k] -= way[k] * length;
			sum -= slope[k] * way[k] * length;
		}
		sum -= ft__field_expect(field, &below);
		n++;
	}
	return sum / (double)n;
}

/* A gap whose steps are many times the usual ones has one cliff, and the place determines the possible
 * error. As in engine.c. */
static void find_shown(const struct ft__random_field *field, struct ft__field_gap *gap, double l,
		       double information)
{
	double power = ft__field_steps(field, gap->to, gap->to) -
		       ft__field_steps(field, gap->from, gap->from),
	       energy = power * power * (l * l - information) + power;

	if (energy < cliff_unusual * field->traits.usual_step * (gap->to - gap->from))
		return;
	gap->is_cliff = true;
	gap->variance = fmax(gap->variance, energy);
}

void ft__field_solve(struct ft__random_field *field)
{
	ft__field_factor(field);
	ft__field_invert(field);
	/* A cliff may hide in each gap: spike and slab on top of the steps. It widens predictions between
	 * footprints, and moves none. As in engine.c. */
	double slab = FT__CLIFF_SIZE * FT__CLIFF_SIZE;

	field->n_gaps = 0;
	if (!field->steps)
		return;
	/* The footprints that were measured are where gaps end. */
	double *memory = field->space;

	for (size_t k = 0; k < field->n; k++)
		memory[k] = field->spot[k].memory;
	ft_sort(memory, field->n);
	field->n_gaps = 0;
	for (size_t k = 1; k < field->n; k++)
		if (memory[k] > memory[k - 1])
			field->gap[field->n_gaps++] =
				(struct ft__field_gap){memory[k - 1], memory[k], 0, false};
	for (size_t i = 0; i < field->n_gaps; i++) {
		struct ft__field_gap *gap = &field->gap[i];
		double l, information, b, rare = -expm1(-FT__CLIFF_RATE * (gap->to - gap->from)), odds, p,
					  jump;

		/* The effect of a step of 1 at a gap: the score, and its information. */
		size_t n = field->n, above = 0;
		double *is_above = field->space;

		l = information = 0;
		for (size_t j = 0; j < n; j++) {
			is_above[j] = field->spot[j].memory > gap->from;
			above += is_above[j] > 0;
			l += is_above[j] * field->alpha[j];
		}
		for (size_t j = 0; j < n && above; j++)
			if (is_above[j] > 0)
				information += ft_dot(field->inverse + j * n, is_above, n);
		b = 1 + slab * fmax(0, information);
		odds = rare / (1 - rare) * exp(fmin(slab * l * l / (2 * b) - log(b) / 2, 30));
		p = odds / (1 + odds);
		jump = slab * l / b;
		gap->variance = p * (jump * jump + slab / b);
		gap->is_cliff = p > 0.5;
		find_shown(field, gap, l, information);
		double climb = gap->is_cliff ? climb_of(field, gap) : 0;

		gap->variance = fmax(gap->variance, climb * climb);
	}
}

/*
 * How a field learns its variances from the sites: expectation and maximisation, alternately.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double bin_freedom = 2.8;
static const double scatter_prior = 0.012, scatter_weight = 3, scatter_reach = 0.135;
static const double slope_prior = 0.05, whole_prior = 0.001, step_prior = 0.004, step_weight = 2;
/* Start values: steps and noise relative to the usual ones (deviations). From the first alone a
 * parameter's own function sometimes takes a cliff for its own, and the curve follows noisy runs. */
static const struct {
	double steps, scatter;
} starts[] = {{1, 1}, {1, 10}, {10, 1}};
enum { STARTS = sizeof starts / sizeof *starts };
enum { TURNS = 6, ROUNDS = 4 };
static const double length_usual = 1.5, length_sd = 0.7, length_least = 0.3, length_most = 8,
		    length_step = 1.5, length_gain = 0.1;
static const double least_scatter = 1e-10, least_power = 1e-7, most_power = 9;

/* ---- noise ------------------------------------------------------------------------------------------ */

/* The information of a site's runs about the noise: squares about their own mean and its distance from the
 * curve, and how many of them the curve did not follow; then the weight of each. Source: MacKay, Bayesian
 * interpolation, 1992 (degrees of freedom); Patterson and Thompson 1971 (REML). */
static void weigh_runs(struct ft__random_field *field, size_t i, double *squares, double *freedom)
{
	struct ft__site *site = &field->site[i];
	double weight = 0, own, off, inverse = field->inverse[i * field->n + i];
	size_t k;

	*squares = 0;
	*freedom = -1;
	for (k = 0; k < site->n; k++) {
		const struct ft__run_value *value = &site->value[k];
		double d = value->z - field->y[i];

		weight += value->count * value->weight * value->share;
		*squares += value->count * value->weight * d * d;
		*freedom += value->count;
	}
	own = site->scatter / weight;
	off = own * field->alpha[i];
	*squares += weight * off * off;
	*freedom = fmax(0, *freedom + own * inverse);
	/* Expected values of limits have a variance, and differ from the position that limits imply for
	 * the curve: all are taken about the curve itself. */
	for (k = 0, *squares = site->limits ? 0 : *squares; site->limits && k < site->n; k++) {
		const struct ft__run_value *value = &site->value[k];
		double d = value->z - (field->y[i] - off);

		*squares += value->count * value->weight * (d * d + value->spread);
	}
	ft__site_believe(site, field->y[i] - off, fmax(own - own * own * inverse, 0), site->around);
}

static double reach_of(const struct ft__random_field *field)
{
	double square = 0;

	for (size_t k = 0; k < field->d; k++) {
		double least = INFINITY, most = -INFINITY;

		for (size_t i = 0; i < field->n; i++) {
			least = fmin(least, field->spot[i].at[k]);
			most = fmax(most, field->spot[i].at[k]);
		}
		square += (most - least) * (most - least);
	}
	return fmax(0.1, scatter_reach * sqrt(square));
}

static void learn_scatter(struct ft__random_field *field)
{
	double *squares = field->space, *freedom = squares + field->n, runs = scatter_weight;
	double reach = reach_of(field);
	size_t n = field->n;

	if (n < 2)
		return;
	double all = scatter_weight * scatter_prior * scatter_prior;
	for (size_t i = 0; i < n; i++) {
		weigh_runs(field, i, &squares[i], &freedom[i]);
		all += squares[i];
		runs += freedom[i];
	}
	for (size_t i = 0; i < n; i++) {
		double near = 0, near_freedom = 0;

		for (size_t j = 0; j < n; j++) {
			double square = 0;

			for (size_t k = 0; k < field->d; k++)
				square += pow(field->spot[i].at[k] - field->spot[j].at[k], 2);
			double w = exp(-sqrt(square) / reach);
			near += w * squares[j];
			near_freedom += w * freedom[j];
		}
		near += scatter_weight * all / runs;
		near_freedom += scatter_weight;
		double least = fmax(least_scatter, field->site[i].rounding);
		field->site[i].scatter = fmax(near / near_freedom, least);
		field->site[i].around = fmax((near - squares[i]) / (near_freedom - freedom[i]), least);
	}
}

/* ---- variances of the parts --------------------------------------------------------------------------- */

/* The variance of a part, by the square root of its ratio to the previous value: plain EM hardly moves
 * from small values. One pseudo-observation holds it near the usual one. */
static double moved_power(double power, double energy, double trace, double usual)
{
	double ratio = (fmax(energy, 0) + usual / (power * power)) / (trace + 1 / power);

	return fmin(fmax(power * sqrt(ratio), least_power), most_power);
}

/* Of each function of one variable, the terms of covariances that depend on one site alone. self [(d + 1)
   n] */
static void find_selves(const struct ft__random_field *field, double *self)
{
	const struct ft__field_traits *t = &field->traits;
	size_t n = field->n;

	for (size_t i = 0; i < n; i++) {
		double on_way = 0, at;

		for (size_t k = 0; k < field->d; k++) {
			at = field->spot[i].at[k] - field->centre[k];
			on_way += t->way[k] * at;
			self[k * n + i] = ft__field_from(at, t->length[k]);
		}
		self[field->d * n + i] = ft__field_from(on_way, t->ridge_length);
	}
}

static void learn_parts(struct ft__random_field *field)
{
	struct ft__field_traits *t = &field->traits;
	double energy[FT_PARAMS_MAX + 2] = {0}, trace[FT_PARAMS_MAX + 2] = {0}, a[FT_PARAMS_MAX],
				      b[FT_PARAMS_MAX];
	double *self = field->space; /* (d + 1) n of it: there are 256 at least */
	size_t n = field->n, d = field->d;

	find_selves(field, self);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			double twice = i == j ? 1 : 2, both = twice * field->alpha[i] * field->alpha[j],
			       of = twice * field->inverse[i * n + j], part, p = 0, q = 0;

			for (size_t k = 0; k < d; k++) {
				a[k] = field->spot[i].at[k] - field->centre[k];
				b[k] = field->spot[j].at[k] - field->centre[k];
				part = self[k * n + i] + self[k * n + j] -
				       ft__field_from(a[k] - b[k], t->length[k]);
				energy[k] += both * part;
				trace[k] += of * part;
				p += t->way[k] * a[k];
				q += t->way[k] * b[k];
			}
			if (d < 2)
				continue;
			part = ft__field_whole(a, b, d, t->whole_length);
			energy[d] += both * part;
			trace[d] += of * part;
			part = self[d * n + i] + self[d * n + j] - ft__field_from(p - q, t->ridge_length);
			energy[d + 1] += both * part;
			trace[d + 1] += of * part;
		}
	for (size_t k = 0; k < d; k++)
		t->slope[k] = moved_power(t->slope[k], energy[k], trace[k], field->calm * slope_prior);
	if (d < 2)
		return;
	t->whole = moved_power(t->whole, energy[d], trace[d], field->calm * whole_prior);
	t->ridge = moved_power(t->ridge, energy[d + 1], trace[d + 1], field->calm * slope_prior);
}

/* ---- steps over the footprint ------------------------------------------------------------------------- */

/* Bins between the least and the largest footprint; what was learned moves with them. */
static void set_bins(struct ft__random_field *field)
{
	struct ft__field_traits *t = &field->traits;
	double least = INFINITY, most = -INFINITY, old[FT__FIELD_BINS], first = t->first_bin, bin = t->bin;

	for (size_t i = 0; i < field->n; i++) {
		least = fmin(least, field->spot[i].memory);
		most = fmax(most, field->spot[i].memory);
	}
	t->first_bin = least;
	t->bin = fmax((most - least) / FT__FIELD_BINS, 1e-6);
	if (!(bin > 0) || (first == t->first_bin && bin == t->bin))
		return;
	memcpy(old, t->step, sizeof old);
	for (size_t i = 0; i < FT__FIELD_BINS; i++) {
		double at = (t->first_bin + ((double)i + 0.5) * t->bin - first) / bin;

		t->step[i] = at >= 0 && at < FT__FIELD_BINS ? old[(size_t)at] : t->usual_step;
	}
}

/* The energy of steps in a bin, per unit of ln footprint. */
static double energy_of_bin(const struct ft__random_field *field, size_t g)
{
	const struct ft__field_traits *t = &field->traits;
	double *share = field->space, power = t->step[g] * t->bin, energy = 0, trace = 0;
	size_t n = field->n;

	for (size_t i = 0; i < n; i++) {
		double bins = (field->spot[i].memory - t->first_bin) / t->bin - (double)g;

		share[i] = fmin(fmax(bins, 0), 1);
		energy += share[i] * field->alpha[i];
	}
	for (size_t i = 0; i < n; i++)
		if (share[i] > 0)
			trace += share[i] * ft_dot(field->inverse + i * n, share, n);
	return fmax(0, power * power * energy * energy + power - power * power * trace) / t->bin;
}

/* Between two measured footprints it is unknown which of the bins has a cliff: they share their energy. */
static void share_gaps(struct ft__random_field *field, double energy[FT__FIELD_BINS])
{
	const struct ft__field_traits *t = &field->traits;
	double *memory = field->space;
	size_t at = 0, g = 0, end;

	for (size_t i = 0; i < field->n; i++)
		memory[i] = field->spot[i].memory;
	ft_sort(memory, field->n);
	for (; g < FT__FIELD_BINS; g = end) {
		double sum = 0;

		while (at < field->n && memory[at] <= t->first_bin + ((double)g + 0.5) * t->bin)
			at++;
		for (end = g; end < FT__FIELD_BINS &&
			      (at == field->n || memory[at] > t->first_bin + ((double)end + 0.5) * t->bin);
		     end++)
			sum += energy[end];
		for (size_t i = g; i < end; i++)
			energy[i] = sum / (double)(end - g);
	}
}

/* ---- lengths ------------------------------------------------------------------------------------------ */

static double belief_of_length(double length)
{
	double away = log(length / length_usual) / length_sd;

	return -away * away / 2;
}

static double score_field(struct ft__random_field *field)
{
	ft__field_factor(field);
	double sum = field->likelihood + belief_of_length(field->traits.whole_length) +
		     belief_of_length(field->traits.ridge_length);
	for (size_t i = 0; i < field->d; i++)
		sum += belief_of_length(field->traits.length[i]);
	return sum;
}

/* One step up and one down along each length. */
static void learn_lengths(struct ft__random_field *field)
{
	struct ft__field_traits *t = &field->traits;
	double best = score_field(field);

	for (size_t i = 0; i < field->d + (field->d > 1 ? 2 : 0); i++) {
		double *length = i < field->d   ? &t->length[i]
				 : i > field->d ? &t->ridge_length
						: &t->whole_length;
		double kept = *length;

		for (size_t k = 0; k < 2; k++) {
			double other = kept * (k ? length_step : 1 / length_step), now;
			double before = *length;

			if (other < length_least || other > length_most)
				continue;
			*length = other;
			now = score_field(field);
			if (now > best + length_gain)
				best = now;
			else
				*length = before;
		}
	}
}

void ft__field_learn(struct ft__random_field *field, int rounds, bool lengths)
{
	if (field->steps)
		set_bins(field);
	for (int round = 0; round < rounds; round++) {
		ft__field_observe(field);
		ft__field_solve(field);
		/* New effects are accepted first: a cliff begins as a single outlying run. */
		if (2 * round >= rounds)
			learn_scatter(field);
		if (field->n < 2)
			continue;
		/* The way on which the value grows: the plane's slopes, the steepest being 1. */
		double most = 0, *way = field->traits.way;

		ft__field_plane(field, way);
		for (size_t k = 0; k < field->d; k++)
			most = fmax(most, fabs(way[k]));
		for (size_t k = 0; k < field->d && most > 0; k++)
			way[k] /= most;
		learn_parts(field);
		if (field->steps) {
			struct ft__field_traits *t = &field->traits;
			double energy[FT__FIELD_BINS], sum = step_weight * step_prior;

			for (size_t g = 0; g < FT__FIELD_BINS; g++)
				energy[g] = energy_of_bin(field, g);
			share_gaps(field, energy);
			for (size_t g = 0; g < FT__FIELD_BINS; g++) {
				sum += energy[g] * (bin_freedom + 1) /
				       (bin_freedom + energy[g] / t->usual_step);
			}
			t->usual_step = fmax(sum / (step_weight + FT__FIELD_BINS), least_power);
			for (size_t g = 0; g < FT__FIELD_BINS; g++)
				t->step[g] = (bin_freedom * t->usual_step + energy[g]) / (bin_freedom + 1);
		}
	}
	ft__field_observe(field);
	if (lengths && field->n > field->d + 1)
		learn_lengths(field);
	ft__field_solve(field);
}

void ft__field_heed(struct ft__random_field *field, int rounds)
{
	double unused;

	if (field->steps)
		set_bins(field);
	ft__field_observe(field);
	ft__field_solve(field);
	for (size_t i = 0; i < field->n; i++)
		weigh_runs(field, i, &unused, &unused);
	while (rounds-- > 0) {
		ft__field_observe(field);
		ft__field_solve(field);
		learn_scatter(field);
	}
	ft__field_observe(field);
	ft__field_solve(field);
}

static double of_variance(double power, double usual)
{
	return -(log(power) + usual / power) / 2;
}

static double settle_from(struct ft__random_field *field, double steps, double scatter)
{
	ft__field_begin(field, steps, scatter);
	for (size_t turn = 0; turn < TURNS; turn++)
		ft__field_learn(field, ROUNDS, true);
	/* ln of how likely the runs are by these traits, and the traits. */
	const struct ft__field_traits *t = &field->traits;
	double sum = field->likelihood + step_weight * of_variance(t->usual_step, step_prior);

	if (field->d > 1)
		sum += belief_of_length(t->whole_length) + belief_of_length(t->ridge_length) +
		       of_variance(t->whole, field->calm * whole_prior) +
		       of_variance(t->ridge, field->calm * slope_prior);

	for (size_t i = 0; i < field->d; i++)
		sum += belief_of_length(t->length[i]) + of_variance(t->slope[i], field->calm * slope_prior);
	for (size_t i = 0; i < field->n; i++)
		sum += ft__site_likelihood(&field->site[i], field->y[i]) +
		       scatter_weight / (double)field->n *
			       of_variance(field->site[i].scatter, scatter_prior * scatter_prior);
	return sum;
}

double ft__field_settle(struct ft__random_field *field)
{
	double best = -INFINITY;
	size_t chosen = 0, last = 0;

	for (size_t i = 0; i < STARTS; i++) {
		if (starts[i].steps > 1 && !field->steps)
			continue;
		last = i;
		double now = settle_from(field, starts[i].steps, starts[i].scatter);
		if (now > best) {
			best = now;
			chosen = i;
		}
	}
	if (chosen != last)
		(void)settle_from(field, starts[chosen].steps, starts[chosen].scatter);
	return best;
}
