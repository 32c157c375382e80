/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.c - a random process over several parameters: solved from its sites, and evaluated at a spot.
 *
 * Source: Rasmussen and Williams, Gaussian processes for machine learning, 2006, ch. 2 and sec. 5.4.2. */
#include "base/alloc.h"
#include "foretime/facts.h"
#include "model/model.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * The position of a place relative to other ones.
 */

enum { APPROACHES = 200 };
static const double hull_slack = 1e-4; /* squared: a hundredth of the ranges */

static bool on_all_sides(const double *point, size_t n, size_t d, const double *x)
{
	/* Bit k of a side: the k-th coordinate is not below that of x. */
	bool seen[1 << FT_PARAMS_MAX] = {false};
	size_t sides = (size_t)1 << d, i, k, side, left = sides;

	for (i = 0; i < n && left; i++) {
		const double *at = point + i * d;

		for (side = 0; side < sides; side++) {
			bool on = true;

			for (k = 0; k < d && on; k++)
				on = side >> k & 1 ? at[k] >= x[k] - 1e-9 : at[k] <= x[k] + 1e-9;
			left -= on && !seen[side];
			seen[side] = seen[side] || on;
		}
	}
	return !left;
}

/* The point of most progress from a place of the hull (less x) towards x; *along: how far it lies there. */
static size_t point_towards(const double *point, size_t n, size_t d, const double *x, const double *at,
			    double *along)
{
	size_t best = 0;

	*along = INFINITY;
	for (size_t i = 0; i < n; i++) {
		double dot = 0;

		for (size_t k = 0; k < d; k++)
			dot += at[k] * (point[i * d + k] - x[k]);
		if (dot < *along) {
			*along = dot;
			best = i;
		}
	}
	return best;
}

/* at moves to the place between it and a point that is nearest to x. */
static void approach_point(const double *point, size_t d, const double *x, double *at)
{
	double along = 0, length = 0;

	for (size_t k = 0; k < d; k++) {
		double step = point[k] - x[k] - at[k];

		along -= step * at[k];
		length += step * step;
	}
	double share = length > 0 ? fmin(1, along / length) : 0;
	for (size_t k = 0; k < d; k++)
		at[k] += share * (point[k] - x[k] - at[k]);
}

/* Whether a place lies in the convex hull, to within a hundredth of the ranges: the nearest point of the
 * hull is approached until a plane between them is found (Frank & Wolfe 1956). */
static bool in_hull(const double *point, size_t n, size_t d, const double *x)
{
	double at[FT_PARAMS_MAX]; /* of a point of the hull, minus x */

	for (size_t k = 0; k < d; k++)
		at[k] = point[k] - x[k];
	for (int round = 0; round < APPROACHES; round++) {
		double square = 0, along;

		for (size_t k = 0; k < d; k++)
			square += at[k] * at[k];
		if (square < hull_slack)
			return true;
		size_t best = point_towards(point, n, d, x, at, &along);
		if (along > 0)
			return false;
		approach_point(point + best * d, d, x, at);
	}
	return false;
}

bool ft__region_surrounds(const double *point, size_t n, size_t d, const double *x)
{
	return on_all_sides(point, n, d, x) || in_hull(point, n, d, x);
}

size_t ft__region_nearest(const double *point, size_t n, size_t d, const double *x, bool *taken)
{
	double least = INFINITY;
	size_t nearest = 0;

	for (size_t i = 0; i < n; i++) {
		double square = 0;

		for (size_t k = 0; k < d; k++)
			square += (point[i * d + k] - x[k]) * (point[i * d + k] - x[k]);
		if (!taken[i] && square < least) {
			least = square;
			nearest = i;
		}
	}
	taken[nearest] = true;
	return nearest;
}

/* The i-th of the numbers of van der Corput in a base. */
static double corput_number(size_t i, size_t base)
{
	double share = 1, sum = 0;

	for (; i; i /= base) {
		share /= (double)base;
		sum += share * (double)(i % base);
	}
	return sum;
}

void ft__region_spread(size_t i, size_t d, double *x)
{
	static const size_t prime[FT_PARAMS_MAX] = {2, 3, 5, 7, 11, 13, 17, 19};

	for (size_t k = 0; k < d; k++)
		x[k] = corput_number(i + 1, prime[k]);
}

/*
 * A random process over several parameters: solved from its sites, and evaluated at a spot.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double slope_sd = 1.5, work_slope_sd = 0.7; /* of the plane's exponents */
static const double level_variance = 4;                  /* of the level: almost no assumption */
static const double scatter_prior = 0.012;
static const double slope_start = 0.1, whole_start = 0.02, length_start = 1.5, step_start = 0.004;

void ft__field_begin(struct ft__random_field *field, double steps, double scatter)
{
	struct ft__field_traits *traits = &field->traits;
	size_t d = field->d;

	*traits = (struct ft__field_traits){.whole = 0};
	for (size_t i = 0; i < field->n; i++) {
		field->site[i].scatter = field->site[i].around = pow(scatter * scatter_prior, 2);
		ft__site_trust(&field->site[i]);
	}
	for (size_t i = 0; i < d; i++) {
		traits->slope[i] = slope_start;
		traits->length[i] = length_start;
	}
	traits->ridge = d > 1 ? slope_start : 0;
	traits->ridge_length = length_start;
	traits->whole = d > 1 ? whole_start : 0;
	traits->whole_length = length_start;
	traits->usual_step = steps * step_start;
	for (size_t i = 0; i < FT__FIELD_BINS; i++)
		traits->step[i] = steps * step_start;
}

void ft__field_init(struct ft__random_field *field, size_t d, bool work, bool cliffs)
{
	*field = (struct ft__random_field){.d = d,
					   .slope_mean = work ? 0 : 1,
					   .slope_sd = work ? work_slope_sd : slope_sd,
					   .cliffs = cliffs,
					   .calm = 1,
					   .cliff = FT__CLIFF_SIZE};
	for (size_t i = 0; i < d; i++)
		field->most[i] = INFINITY;
	ft__field_begin(field, 1, 1);
}

void ft__field_forget(struct ft__random_field *field)
{
	while (field->n)
		ft_free(field->site[--field->n].value);
}

void ft__field_clear(struct ft__random_field *field)
{
	if (!field)
		return;
	ft__field_forget(field);
	ft_free(field->site);
	ft_free(field->spot);
	ft_free(field->self);
	ft_free(field->y);
	ft_free(field->variance);
	ft_free(field->factor);
	ft_free(field->inverse);
	ft_free(field->alpha);
	ft_free(field->space);
	ft_free(field->gap);
	*field = (struct ft__random_field){0};
}

/* ---- input ------------------------------------------------------------------------------------ */

/* One array grown to a new capacity, or left as it is. */
static bool grow_array(void *array, size_t bytes)
{
	void *old;

	memcpy(&old, array, sizeof old);
	void *grown = ft_realloc(old, bytes);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	return true;
}

static bool reserve_field(struct ft__random_field *field)
{
	size_t n = field->capacity ? 2 * field->capacity : 16;

	if (field->n < field->capacity)
		return true;
	if (!grow_array(&field->site, n * sizeof *field->site) ||
	    !grow_array(&field->spot, n * sizeof *field->spot) ||
	    !grow_array(&field->self, n * sizeof *field->self) ||
	    !grow_array(&field->y, n * sizeof *field->y) ||
	    !grow_array(&field->variance, n * sizeof *field->variance) ||
	    !grow_array(&field->factor, n * n * sizeof *field->factor) ||
	    !grow_array(&field->inverse, n * n * sizeof *field->inverse) ||
	    !grow_array(&field->alpha, n * sizeof *field->alpha) ||
	    !grow_array(&field->space, n * n * sizeof *field->space) ||
	    !grow_array(&field->gap, n * sizeof *field->gap))
		return false;
	field->capacity = n;
	return true;
}

static size_t find_site(const struct ft__random_field *field, const struct ft__spot *spot)
{
	size_t i = 0;

	while (i < field->n && memcmp(field->spot[i].at, spot->at, field->d * sizeof *spot->at) != 0)
		i++;
	return i;
}

enum ft_status ft__field_set(struct ft__random_field *field, const struct ft__spot *spot, double work,
			     const double *ln, size_t n, struct ft_err *err)
{
	struct ft__site site = {.work = work, .scatter = scatter_prior * scatter_prior};
	size_t i = find_site(field, spot);

	if ((i == field->n && !reserve_field(field)) || !ft__site_keep(&site, ln, n))
		return ft_nomem(err);
	if (i == field->n) {
		field->n++;
		site.scatter = i ? field->site[i - 1].scatter : site.scatter;
	} else {
		site.scatter = field->site[i].scatter;
		ft_free(field->site[i].value);
	}
	site.around = site.scatter;
	field->site[i] = site;
	field->spot[i] = *spot;
	return FT_OK;
}

enum ft_status ft__field_limit(struct ft__random_field *field, const struct ft__spot *spot, double work,
			       const double *ln, size_t n, struct ft_err *err)
{
	struct ft__site site = {.work = work, .scatter = scatter_prior * scatter_prior};
	size_t i = find_site(field, spot);
	bool known = i < field->n;

	if ((!known && !reserve_field(field)) || !ft__site_limit(known ? &field->site[i] : &site, ln, n)) {
		ft_free(site.value);
		return ft_nomem(err);
	}
	if (known)
		return FT_OK;
	field->n++;
	site.scatter = i ? field->site[i - 1].scatter : site.scatter;
	site.around = site.scatter;
	field->site[i] = site;
	field->spot[i] = *spot;
	return FT_OK;
}

enum ft_status ft__field_take(struct ft__random_field *field, const struct ft__spot *spot, double work,
			      const struct ft__site *from, double law, struct ft_err *err)
{
	double ln[FT__VALUES_KEPT], *limit = ft_calloc(from->limits + 1, sizeof *limit);
	enum ft_status status = limit ? FT_OK : ft_nomem(err);
	size_t n = 0, limits = 0;

	for (size_t k = 0; k < from->n && !status; k++) {
		const struct ft__run_value *value = &from->value[k];

		if (isinf(value->limit))
			ln[n++] = value->z + log(from->work) - law;
		else
			limit[limits++] = value->limit + log(from->work) - law;
	}
	if (!status && n)
		status = ft__field_set(field, spot, work, ln, n, err);
	if (!status && limits)
		status = ft__field_limit(field, spot, work, limit, limits, err);
	ft_free(limit);
	return status;
}

/* ---- covariance --------------------------------------------------------------------------------------- */

/* Half the variance of the change of a slope's integral over h, for slopes of variance 1 that return to 0
 * over a length: that of an Ornstein-Uhlenbeck process, integrated. */
static double half_variogram(double h, double length)
{
	double t = fabs(h) / length;

	if (t < 1e-3)
		return length * length * t * t * (0.5 - t / 6);
	return length * length * (t - 1 + ft_exp_minus(t));
}

double ft__field_from(double a, double length)
{
	return half_variogram(a, length);
}

/* Matern, once differentiable. */
double ft__field_whole(const double *a, const double *b, size_t d, double length)
{
	double square = 0;

	for (size_t i = 0; i < d; i++)
		square += (a[i] - b[i]) * (a[i] - b[i]);
	double t = sqrt(3 * square) / length;
	return (1 + t) * ft_exp_minus(t);
}

/* The variance that steps have accumulated up to a footprint: a clock that runs fast where there are
   cliffs. */
static double clock_at(const struct ft__field_traits *traits, double memory)
{
	double bins = (memory - traits->first_bin) / traits->bin, sum = 0;

	for (size_t g = 0; g < FT__FIELD_BINS && bins > (double)g; g++)
		sum += traits->step[g] * traits->bin * (bins - (double)g < 1 ? bins - (double)g : 1);
	return sum + traits->usual_step * traits->bin * fmax(0, bins - FT__FIELD_BINS);
}

double ft__field_steps(const struct ft__random_field *field, double a, double b)
{
	/* Below the least footprint measured no time has passed. */
	return field->steps ? clock_at(&field->traits, fmin(a, b)) : 0;
}

static void from_centre(const struct ft__random_field *field, const struct ft__spot *spot, double *at)
{
	for (size_t i = 0; i < field->d; i++)
		at[i] = spot->at[i] - field->centre[i];
}

static double on_way(const struct ft__random_field *field, const double *at)
{
	double sum = 0;

	for (size_t i = 0; i < field->d; i++)
		sum += field->traits.way[i] * at[i];
	return sum;
}

double ft__field_self(const struct ft__random_field *field, const struct ft__spot *spot)
{
	const struct ft__field_traits *t = &field->traits;
	double at[FT_PARAMS_MAX], sum = 0;

	from_centre(field, spot, at);
	for (size_t i = 0; i < field->d; i++)
		sum += t->slope[i] * half_variogram(at[i], t->length[i]);
	if (t->ridge > 0)
		sum += t->ridge * half_variogram(on_way(field, at), t->ridge_length);
	return sum;
}

double ft__field_between(const struct ft__random_field *field, const struct ft__spot *a, double self_a,
			 const struct ft__spot *b, double self_b)
{
	const struct ft__field_traits *t = &field->traits;
	double p[FT_PARAMS_MAX], q[FT_PARAMS_MAX], plane = 0, sum = level_variance + self_a + self_b;

	from_centre(field, a, p);
	from_centre(field, b, q);
	for (size_t i = 0; i < field->d; i++) {
		plane += p[i] * q[i];
		sum -= t->slope[i] * half_variogram(p[i] - q[i], t->length[i]);
	}
	sum += field->slope_sd * field->slope_sd * plane;
	if (t->ridge > 0)
		sum -= t->ridge * half_variogram(on_way(field, p) - on_way(field, q), t->ridge_length);
	if (t->whole > 0)
		sum += t->whole * ft__field_whole(p, q, field->d, t->whole_length);
	return sum + ft__field_steps(field, a->memory, b->memory);
}

/* ---- solving ------------------------------------------------------------------------------------------ */

void ft__field_observe(struct ft__random_field *field)
{
	for (size_t i = 0; i < field->n; i++) {
		const struct ft__site *site = &field->site[i];
		double sum = 0, weight = 0;

		for (size_t k = 0; k < site->n; k++) {
			const struct ft__run_value *value = &site->value[k];
			double w = value->weight * value->count * value->share;

			weight += w;
			sum += w * value->place;
		}
		field->y[i] = sum / weight;
		field->variance[i] = fmax(site->scatter / weight + field->drift, FT__FIELD_LEAST);
	}
}

void ft__field_plane(const struct ft__random_field *field, double *slope)
{
	double alpha = field->slope_sd * field->slope_sd;

	for (size_t k = 0; k < field->d; k++) {
		slope[k] = field->slope_mean;
		for (size_t i = 0; i < field->n; i++)
			slope[k] += alpha * field->alpha[i] * (field->spot[i].at[k] - field->centre[k]);
	}
}

double ft__field_mean(const struct ft__random_field *field, const struct ft__spot *spot)
{
	double sum = field->mean;

	for (size_t i = 0; i < field->d; i++)
		sum += field->slope_mean * (spot->at[i] - field->centre[i]);
	return sum;
}

static void fill_field(struct ft__random_field *field)
{
	size_t n = field->n;

	for (size_t i = 0; i < n; i++)
		field->self[i] = ft__field_self(field, &field->spot[i]);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			field->factor[i * n + j] = ft__field_between(field, &field->spot[i], field->self[i],
								     &field->spot[j], field->self[j]);
	for (size_t i = 0; i < n; i++)
		field->factor[i * n + i] += field->variance[i];
}

void ft__field_invert(struct ft__random_field *field)
{
	size_t n = field->n;
	double *w = field->space;

	ft_chol_invert(field->factor, n, w);
	memset(field->inverse, 0, n * n * sizeof *w);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			ft_axpy(field->inverse + j * n, w[i * n + j], w + i * n, i + 1);
}

void ft__field_factor(struct ft__random_field *field)
{
	size_t n = field->n;
	double more = FT__FIELD_LEAST;

	memset(field->centre, 0, sizeof field->centre);
	field->mean = 0;
	for (size_t i = 0; i < field->n; i++) {
		field->mean += field->y[i] / (double)field->n;
		for (size_t k = 0; k < field->d; k++)
			field->centre[k] += field->spot[i].at[k] / (double)field->n;
	}
	fill_field(field);
	/* Neighbouring sites without noise: add a little, until the system can be solved. */
	while (!ft_chol_factor(field->factor, n)) {
		more *= 100;
		assert(isfinite(more));
		fill_field(field);
		for (size_t i = 0; i < n; i++)
			field->factor[i * n + i] += more * level_variance;
	}
	field->likelihood = 0;
	for (size_t i = 0; i < n; i++)
		field->alpha[i] = field->y[i] - ft__field_mean(field, &field->spot[i]);
	ft_chol_forward(field->factor, n, field->alpha, 1);
	for (size_t i = 0; i < n; i++)
		field->likelihood -= field->alpha[i] * field->alpha[i] / 2 + log(field->factor[i * n + i]);
	ft_chol_backward(field->factor, n, field->alpha, 1);
}

/*
 * The prediction of a field at a spot: at a site, among them, and what may hide where nothing was measured.
 */

/* doc/constants-build.md has the row of a table for both. */
static const double cliff_reach = 1.5, cliff_near = 0.1; /* as shares of a gap */

/* How far a spot lies outside all measurements: in footprint; if that is not known, the least excess over
 * each size in some parameters, ln. */
static double footprint_beyond(const struct ft__random_field *field, const struct ft__spot *spot,
			       const struct ft__spot *more)
{
	double least = INFINITY;

	for (size_t i = 0; i < field->n + (more != NULL); i++) {
		const struct ft__spot *other = i < field->n ? &field->spot[i] : more;
		double exceeds = 0;

		for (size_t k = 0; k < field->d && (!field->steps || field->product); k++) {
			const double at = spot->at[k] < field->most[k] ? spot->at[k] : field->most[k];

			exceeds += at > other->at[k] ? at - other->at[k] : 0; /* called often: no fmax */
		}
		if (field->steps && !field->product)
			exceeds = fmax(0, spot->reach - other->memory);
		least = exceeds < least ? exceeds : least;
	}
	return least;
}

/* The error that a cliff anywhere in a gap causes at a place, as a share of its variance: on average,
 * since it has been passed or not; and given that there is one, so that 90 % of intervals contain both. */
static double cliff_share(double u, bool is_cliff)
{
	double edge = fmin(u, 1 - u), far = (1 - edge) / cliff_reach;
	/* Near a measured footprint it is almost absent, farther away it grows. */
	double there = fmin(fmax(edge / cliff_near - 0.5, 0), 1);

	return is_cliff ? fmax(u * (1 - u), there * far * far) : u * (1 - u);
}

static double hidden_in(const struct ft__field_gap *gap, double memory, const struct ft__spot *more)
{
	double from = gap->from, to = gap->to, share = 1;

	if (more && more->memory > from && more->memory < to) {
		from = memory > more->memory ? more->memory : from;
		to = memory > more->memory ? to : more->memory;
		share = (to - from) / (gap->to - gap->from);
		if (memory == more->memory)
			return 0;
	}
	return share * gap->variance * cliff_share((memory - from) / (to - from), gap->is_cliff);
}

double ft__field_hidden(const struct ft__random_field *field, const struct ft__spot *spot,
			const struct ft__spot *more)
{
	double far = field->cliffs ? footprint_beyond(field, spot, more) : 0;
	double least = -expm1(-FT__CLIFF_RATE * far) * field->cliff * field->cliff;
	size_t low = field->n_gaps ? ft_count_below_of(&field->gap[0].to, field->n_gaps, sizeof *field->gap,
						       spot->memory)
				   : 0;

	if (!field->steps || low == field->n_gaps || spot->memory <= field->gap[low].from)
		return least;
	return fmax(least, hidden_in(&field->gap[low], spot->memory, more));
}

double ft__field_scatter(const struct ft__random_field *field, const struct ft__spot *spot)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < field->n; i++) {
		double square = 1e-4;

		for (size_t k = 0; k < field->d; k++)
			square += pow(spot->at[k] - field->spot[i].at[k], 2);
		double w = 1 / (square * square);
		weight += w;
		sum += w * log(field->site[i].scatter);
	}
	return exp(sum / weight);
}

double ft__field_expect(const struct ft__random_field *field, const struct ft__spot *spot)
{
	double self = ft__field_self(field, spot), value = ft__field_mean(field, spot);

	for (size_t i = 0; i < field->n; i++)
		value += field->alpha[i] *
			 ft__field_between(field, spot, self, &field->spot[i], field->self[i]);
	return value;
}

struct ft__known ft__field_at(const struct ft__random_field *field, const struct ft__spot *spot, double *row)
{
	double own[FT__FIELD_DENSE], *k = row ? row : own, self = ft__field_self(field, spot);
	struct ft__known known = {.scatter = ft__field_scatter(field, spot) + field->drift};
	size_t n = field->n;

	assert(row || n <= FT__FIELD_DENSE);
	for (size_t i = 0; i < n; i++)
		k[i] = ft__field_between(field, spot, self, &field->spot[i], field->self[i]);
	known.z = ft__field_mean(field, spot) + ft_dot(k, field->alpha, n);
	ft_chol_forward(field->factor, n, k, 1);
	known.variance =
		fmax(ft__field_between(field, spot, self, spot, self) - ft_dot(k, k, n), FT__FIELD_LEAST);
	known.variance += ft__field_hidden(field, spot, NULL);
	return known;
}

struct ft__known ft__field_site(const struct ft__random_field *field, size_t i)
{
	double r = field->variance[i];

	return (struct ft__known){
		field->y[i] - r * field->alpha[i],
		fmax(r - r * r * field->inverse[i * field->n + i], FT__FIELD_LEAST),
		field->site[i].scatter + field->drift,
		0,
	};
}

/*
 * A field of more sizes than are solved at once.
 */

/* Keeps the covariance of the sites from being singular, as a share of its diagonal. */
static const double jitter = 1e-10;

void ft__many_clear(struct ft__many *many)
{
	if (!many)
		return;
	ft_free(many->first);
	ft_free(many->second);
	ft_free(many->alpha);
	ft_free(many->space);
	*many = (struct ft__many){0};
}

static void fill_covariances(double *k, const struct ft__random_field *field, double more)
{
	size_t m = field->n;

	for (size_t i = 0; i < m; i++) {
		for (size_t j = i; j < m; j++)
			k[i * m + j] = ft__field_between(field, &field->spot[i], field->self[i],
							 &field->spot[j], field->self[j]);
		k[i * m + i] *= 1 + more;
	}
}

/* U'^-1 times the covariances of a spot with the sites; returns the variance that these leave. v [m] */
static double covariances_of(const struct ft__many *many, const struct ft__random_field *field,
			     const struct ft__spot *spot, double *v)
{
	double self = ft__field_self(field, spot);
	size_t m = many->m;

	for (size_t i = 0; i < m; i++)
		v[i] = ft__field_between(field, spot, self, &field->spot[i], field->self[i]);
	ft_chol_forward(many->first, m, v, 1);
	return fmax(0, ft__field_between(field, spot, self, spot, self) - ft_dot(v, v, m));
}

/* second += the contribution of a size. */
static void add_seen(struct ft__many *many, const struct ft__random_field *field, const struct ft__seen *seen)
{
	double *v = many->space, noise = covariances_of(many, field, &seen->spot, v) + seen->variance;
	size_t m = many->m;

	for (size_t i = 0; i < m; i++) {
		ft_axpy(many->second + i * m + i, v[i] / noise, v + i, m - i);
		many->alpha[i] += v[i] / noise * (seen->y - ft__field_mean(field, &seen->spot));
	}
}

/* The prediction at a size that was seen, from all: the sites' prediction, moved towards the value seen
   there. */
static void settle_seen(const struct ft__many *many, const struct ft__random_field *field,
			struct ft__seen *seen)
{
	double own = covariances_of(many, field, &seen->spot, many->space);
	double share = own / (own + seen->variance);

	seen->known = ft__many_at(many, field, &seen->spot);
	seen->known.variance -= ft__field_hidden(field, &seen->spot, NULL) + own;
	seen->known.z += share * (seen->y - seen->known.z);
	seen->known.variance = (1 - share) * (1 - share) * fmax(0, seen->known.variance) + own * (1 - share);
}

enum ft_status ft__many_make(struct ft__many *many, const struct ft__random_field *field,
			     struct ft__seen *seen, size_t n, struct ft_err *err)
{
	size_t m = field->n;

	*many = (struct ft__many){.m = m};
	many->first = ft_calloc(m * m, sizeof *many->first);
	many->second = ft_calloc(m * m, sizeof *many->second);
	many->alpha = ft_calloc(m, sizeof *many->alpha);
	many->space = ft_calloc(m, sizeof *many->space);
	if (!many->first || !many->second || !many->alpha || !many->space) {
		ft__many_clear(many);
		return ft_nomem(err);
	}
	/* U of the sites' covariance; more and more jitter, until there is one. */
	double *k = many->first;
	double more = jitter;

	fill_covariances(k, field, more);
	while (!ft_chol_factor(k, field->n)) {
		more *= 10;
		assert(isfinite(more));
		fill_covariances(k, field, more);
	}
	for (size_t i = 0; i < m; i++)
		many->second[i * m + i] = 1;
	for (size_t i = 0; i < n; i++)
		add_seen(many, field, &seen[i]);
	if (!ft_chol_factor(many->second, m)) {
		ft__many_clear(many);
		return ft_fail(err, FT_ENOMODEL, "the sizes are too much alike to be solved");
	}
	ft_chol_forward(many->second, m, many->alpha, 1);
	ft_chol_backward(many->second, m, many->alpha, 1);
	for (size_t i = 0; i < n; i++)
		settle_seen(many, field, &seen[i]);
	return FT_OK;
}

struct ft__known ft__many_at(const struct ft__many *many, const struct ft__random_field *field,
			     const struct ft__spot *spot)
{
	double v[FT__FIELD_DENSE]; /* the sites are those of a field that is solved at once */
	struct ft__known known = {.scatter = ft__field_scatter(field, spot) + field->drift};

	known.variance = covariances_of(many, field, spot, v);
	known.z = ft__field_mean(field, spot) + ft_dot(v, many->alpha, many->m);
	ft_chol_forward(many->second, many->m, v, 1);
	known.variance += ft_dot(v, v, many->m) + ft__field_hidden(field, spot, NULL);
	return known;
}
