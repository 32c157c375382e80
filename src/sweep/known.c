/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.c - the state of sizes in a sweep: samples, failures, and prices of runs. */
#include "base/alloc.h"
#include "num/num.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double price_along(const struct ft_sweep *sweep, const struct ft_size *size);

static enum ft_status place_add(struct ft_sweep *sweep, size_t index, const struct ft_run *run,
				struct ft_err *err);

static int compare_ids(const void *a, const void *b)
{
	const int64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Whether this very sweep stored it. */
static bool is_own(const struct ft_sweep *sweep, const struct ft_run *run)
{
	return sweep->n_own &&
	       bsearch(&run->id, sweep->own, sweep->n_own, sizeof *sweep->own, compare_ids) != NULL;
}

static void count_at(struct ft_sweep *sweep, size_t index, const struct ft_run *run)
{
	sweep->place[index].spent_s += run->real ? 0 : run->cost_s;
	sweep->report.known += !is_own(sweep, run);
}

/* Take over all of a place. */
static enum ft_status take_known(struct ft_sweep *sweep, size_t index, struct ft_err *err)
{
	struct ft_size size = sweep->report.size[index].size;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < sweep->known.n && !status; i++) {
		const struct ft_run *run = &sweep->known.run[i];

		if (!(!run->warmup && ft_size_equal(&run->size, &size)))
			continue;
		status = place_add(sweep, index, run, err);
		if (!status)
			count_at(sweep, index, run);
	}
	return status;
}

size_t ft__place_index(const struct ft_sweep *sweep, const struct ft_size *size)
{
	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		if (ft_size_equal(&sweep->report.size[i].size, size))
			return i;
	return SIZE_MAX;
}

enum ft_status ft__place_of(struct ft_sweep *sweep, const struct ft_size *size, size_t *index,
			    struct ft_err *err)
{
	struct ft_sweep_report *report = &sweep->report;

	*index = ft__place_index(sweep, size);
	if (*index != SIZE_MAX)
		return FT_OK;
	struct ft_sweep_size *sizes =
		ft_grow(report->size, report->n_sizes, &report->capacity, sizeof *sizes);
	if (sizes)
		report->size = sizes;
	struct ft__tally *places = ft_grow(sweep->place, report->n_sizes, &sweep->capacity, sizeof *places);
	if (places)
		sweep->place = places;
	if (!sizes || !places)
		return ft_nomem(err);
	*index = report->n_sizes++;
	sweep->place[*index] = (struct ft__tally){0};
	report->size[*index] = (struct ft_sweep_size){.size = *size, .seconds = NAN};
	/* A builder that repeats got them one by one: ft__tell_known. */
	return ft__builder_repeats(sweep) ? FT_OK : take_known(sweep, *index, err);
}

/* Whether a failed run shows that the size cannot be run: not if it was ended earlier than it would be
 * now. */
static bool tells_failure(const struct ft_sweep *sweep, const struct ft_run *run)
{
	double limit = sweep->options.timeout_s;

	switch (run->outcome) {
	case FT_INTERRUPTED:
		return false;
	case FT_TIMED_OUT:
		return limit > 0 && run->cost_s >= limit;
	default:
		return true;
	}
}

/* The medians of a place with runs that ended; limits stand for longer runs. */
static enum ft_status set_medians(struct ft_sweep *sweep, size_t index, struct ft_err *err)
{
	struct ft__tally *place = &sweep->place[index];
	double **const list[] = {&place->seconds, &place->cost_s}, *const out[] = {
									   &sweep->report.size[index].seconds,
									   &place->median_cost_s};
	double *all = place->limits ? ft_calloc(place->n + place->limits, sizeof *all) : NULL;

	if (place->limits && !all)
		return ft_nomem(err);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		if (all) {
			memcpy(all, *list[i], place->n * sizeof *all);
			memcpy(all + place->n, place->limit_s, place->limits * sizeof *all);
		}
		*out[i] = ft_stats_median(all ? all : *list[i], place->n + place->limits);
	}
	ft_free(all);
	return FT_OK;
}

/* Runs that met their limit are repeated, since further runs of the size may be shorter. The size is
 * abandoned if fewer than a quarter of at least this many end; at once if the typical run is expected to
 * take this multiple of the limit. */
enum { LIMITS_LEAST = 3, ENDED_OF = 3 };
static const double hopeless_limits = 2;

/* The noise of repeated runs of other sizes determines how far above the limit the typical run may be so
 * that a quarter of runs end; the second factor allows for errors of the expectation. */
static const double quarter = 0.674, expected_to = 1.3;

static double hopeless_from(const struct ft_sweep *sweep)
{
	double squares = 0, freedom = 0;

	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		const struct ft__tally *place = &sweep->place[i];
		double mean = 0;

		for (size_t k = 0; k < place->n; k++)
			mean += log(place->seconds[k]) / (double)place->n;
		for (size_t k = 0; k < place->n; k++)
			squares += pow(log(place->seconds[k]) - mean, 2);
		freedom += place->n ? (double)place->n - 1 : 0;
	}
	return freedom < 2 ? hopeless_limits
			   : fmin(hopeless_limits, expected_to * exp(quarter * sqrt(squares / freedom)));
}

/* A run that met its limit. */
static enum ft_status add_limit(struct ft_sweep *sweep, size_t index, const struct ft_run *run,
				struct ft_err *err)
{
	struct ft__tally *place = &sweep->place[index];
	double *grown = ft_grow(place->limit_s, place->limits, &place->limits_capacity, sizeof *grown);
	double limit = ft_run_limit(run, sweep->options.resource);

	if (!grown)
		return ft_nomem(err);
	place->limit_s = grown;
	place->timeouts++;
	if (!isnan(limit))
		place->limit_s[place->limits++] = limit;
	place->over = (place->timeouts >= LIMITS_LEAST && place->timeouts > ENDED_OF * place->n) ||
		      (!place->n && price_along(sweep, &sweep->report.size[index].size) >=
					    hopeless_from(sweep) * sweep->options.timeout_s);
	place->closed = place->closed || place->over;
	return place->n ? set_medians(sweep, index, err) : FT_OK;
}

/* A crash may be an accident, and is tried again; other failures are not. */
static bool is_accident(const struct ft_run *run)
{
	return run->outcome == FT_FAILED || run->outcome == FT_CRASHED;
}

static enum ft_status add_failure(struct ft_sweep *sweep, size_t index, const struct ft_run *run,
				  struct ft_err *err)
{
	struct ft_sweep_size *size = &sweep->report.size[index];
	struct ft__tally *place = &sweep->place[index];

	place->requested++;
	if (!tells_failure(sweep, run))
		return FT_OK;
	if (run->outcome != FT_TIMED_OUT)
		place->tries++;
	size->failed++;
	size->failure = run->outcome;
	ft_free(size->detail);
	size->detail = ft_strdup(run->detail);
	if (run->outcome == FT_INVALID)
		place->absent = true;
	if (run->outcome != FT_TIMED_OUT && !is_accident(run))
		place->closed = true;
	if (run->detail && !size->detail)
		return ft_nomem(err);
	return run->outcome == FT_TIMED_OUT ? add_limit(sweep, index, run, err) : FT_OK;
}

/* One more for each of a place's lists. */
static bool grow_place(struct ft__tally *place)
{
	double **const list[] = {&place->seconds, &place->cost_s, &place->rest_s};
	size_t capacity = place->capacity;

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		capacity = place->capacity;
		double *grown = ft_grow(*list[i], place->n, &capacity, sizeof *grown);
		if (!grown)
			return false;
		*list[i] = grown;
	}
	place->capacity = capacity;
	return true;
}

static void add_processor_time(struct ft__tally *place, const struct ft_run *run)
{
	double cpu_s = ft_run_value(run, &ft_cpu_s), wall_s = ft_run_value(run, &ft_wall_s);

	if (!(cpu_s > 0) || !(wall_s > 0))
		return;
	place->cpu_s += cpu_s;
	place->wall_s += wall_s;
	place->n_cpu++;
}

/* The value of a paused run may be uncertain (a routine measures its own time): the next run decides. */
static bool is_blurred(const struct ft_sweep *sweep, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !(ft_run_idle_value(run, sweep->options.resource) > 0) &&
	       ft_run_value(run, &ft_frozen_s) > 0;
}

/* An estimated value counts as a measured one: the wall time of a paused run is corrected for the pause,
 * and agrees with its processor time plus its waiting to 2 % (test/measure/t-process-frozen.c). Running it
 * once more instead would cost what freezing saved. */
/* place_add - enter a run of a place. Runs at time limits shorter than today's are ignored. */
static enum ft_status place_add(struct ft_sweep *sweep, size_t index, const struct ft_run *run,
				struct ft_err *err)
{
	double value = ft_run_idle_value(run, sweep->options.resource);

	if (run->outcome != FT_DONE)
		return add_failure(sweep, index, run, err);
	/* A run without a positive value of the steering resource gives no information, nor would the next
	 * one. */
	if (!(value > 0)) {
		sweep->place[index].requested++;
		if (is_blurred(sweep, run))
			sweep->place[index].tries++;
		else
			sweep->place[index].closed = true;
		return FT_OK;
	}
	add_processor_time(&sweep->place[index], run);
	sweep->place[index].footprint_bytes =
		fmax(sweep->place[index].footprint_bytes, ft_run_footprint(run)); /* NaN loses */
	if (run->work > 0)
		sweep->place[index].work = run->work;
	sweep->place[index].given = run->real;
	/* ran_s: its wall time; NaN: not known. */
	double ran_s = ft_run_value(run, &ft_wall_s);
	struct ft_sweep_size *size = &sweep->report.size[index];
	struct ft__tally *place = &sweep->place[index];

	if (!grow_place(place))
		return ft_nomem(err);
	ran_s = isnan(ran_s) ? value : ran_s;
	place->told_s += value;
	place->ran_s += ran_s;
	place->seconds[place->n] = value;
	place->rest_s[place->n] = run->cost_s - ran_s;
	place->cost_s[place->n++] = run->cost_s;
	place->requested++;
	place->tries = 0;
	size->runs = place->n;
	return set_medians(sweep, index, err);
}

/* ---- runs of the store ------------------------------------------------------------------------------- */

bool ft__is_asked(const struct ft_sweep *sweep, const struct ft_size *size)
{
	const struct ft_param *param = sweep->program->param;
	bool varies[FT_PARAMS_MAX] = {false};

	if (size->n != sweep->fixed.n)
		return false;
	for (size_t i = 0; i < sweep->n_axes; i++)
		varies[sweep->axis[i]] = true;
	for (size_t i = 0; i < size->n; i++) {
		double x = size->value[i];

		if (varies[i] ? !ft_param_covers(&param[i], x) : x != sweep->fixed.value[i])
			return false;
	}
	return true;
}

void ft__count_known(struct ft_sweep *sweep, const struct ft_run *run)
{
	if (!ft__is_asked(sweep, &run->size) || !(run->cost_s > 0))
		return;
	ft__hindrance_add(sweep, run);
	sweep->report.known_cost_s += run->real || is_own(sweep, run) ? 0 : run->cost_s;
}

double ft__spent(const struct ft_sweep *sweep)
{
	return sweep->report.known_cost_s + sweep->report.cost_s;
}

/* Whether the builder got the result when a run was over: of failures only once the size is not tried
   again. */
static bool was_reported(const struct ft_sweep *sweep, const struct ft__tally *place,
			 const struct ft_run *run)
{
	if (run->outcome == FT_DONE)
		return !is_blurred(sweep, run) || place->tries == FT__TRIES;
	/* If no run of a size has ended yet, the only result is that it is over. */
	if (run->outcome == FT_TIMED_OUT)
		return tells_failure(sweep, run) && (place->n || place->closed);
	return tells_failure(sweep, run) && (!is_accident(run) || place->tries == FT__TRIES);
}

enum ft_status ft__learn(struct ft_sweep *sweep, size_t index, const struct ft_run *run, struct ft_err *err)
{
	bool tells_now = ft__builder_repeats(sweep);
	/* It decides by the prices of runs before this one. */
	enum ft_status status = tells_now ? ft__builder_price(sweep, err) : FT_OK;

	if (!status)
		status = place_add(sweep, index, run, err);
	if (status || !tells_now || !was_reported(sweep, &sweep->place[index], run))
		return status;
	ft__visit_end(sweep, index);
	return ft__builder_tell(sweep, index, err);
}

enum ft_status ft__learn_known(struct ft_sweep *sweep, const struct ft_run *run, struct ft_err *err)
{
	size_t index;

	if (run->warmup || !ft__is_asked(sweep, &run->size))
		return FT_OK;
	enum ft_status status = ft__place_of(sweep, &run->size, &index, err);
	if (!status && run->real && run->outcome == FT_DONE && run->cost_s > 0)
		sweep->given_s += run->cost_s;
	if (!status)
		status = ft__learn(sweep, index, run, err);
	if (!status)
		count_at(sweep, index, run);
	return status;
}

enum ft_status ft__tell_known(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < sweep->known.n && !status; i++)
		status = ft__learn_known(sweep, &sweep->known.run[i], err);
	return status;
}

/* ---- prices ------------------------------------------------------------------------------------------- */

/* The median cost of runs at a place, kept sorted. */
static double cost_at(const struct ft_sweep *sweep, size_t i)
{
	return sweep->place[i].median_cost_s;
}

/* Without data, time grows with each parameter. */
static const double ridge = 1e-3;

/* ln of a size on an axis, 0 being the least of its range. */
static double ln_on(const struct ft_sweep *sweep, size_t k, const struct ft_size *size)
{
	const struct ft_param *param = &sweep->program->param[sweep->axis[k]];
	double shift = param->least > 0 ? 0 : 1 - param->least;

	return log((size->value[sweep->axis[k]] + shift) / (param->least + shift));
}

/* The distance of a place from a size, by ln along each parameter. */
static double distance_of(const struct ft_sweep *sweep, size_t i, const struct ft_size *size)
{
	double sum = 0;

	for (size_t k = 0; k < sweep->n_axes; k++)
		sum += fabs(ln_on(sweep, k, &sweep->report.size[i].size) - ln_on(sweep, k, size));
	return sum;
}

/* The place with runs that is nearest to a size, but for one; SIZE_MAX: none. */
static size_t nearest_but(const struct ft_sweep *sweep, const struct ft_size *size, size_t but)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		if (i != but && sweep->place[i].n &&
		    (best == SIZE_MAX || distance_of(sweep, i, size) < distance_of(sweep, best, size)))
			best = i;
	return best;
}

size_t ft__place_nearest(const struct ft_sweep *sweep, const struct ft_size *size)
{
	return nearest_but(sweep, size, SIZE_MAX);
}

/* Exponents by ridge regression about a place, Gauss-Seidel sweeps: enough to price a run. Places count by
 * how near they are to it, so that a curve that bends is followed; next: the nearest of them. */
static void fit_exponents(const struct ft_sweep *sweep, size_t about, size_t next, double *p)
{
	const struct ft_size *centre = &sweep->report.size[about].size;
	double nearby = distance_of(sweep, next, centre);

	for (size_t k = 0; k < sweep->n_axes; k++)
		p[k] = 0;
	for (int pass = 0; pass < 50; pass++)
		for (size_t k = 0; k < sweep->n_axes; k++) {
			double xx = ridge, xy = ridge;

			for (size_t i = 0; i < sweep->report.n_sizes; i++) {
				const struct ft_size *size = &sweep->report.size[i].size;
				double x = ln_on(sweep, k, size) - ln_on(sweep, k, centre), rest, weight;

				if (!sweep->place[i].n || i == about)
					continue;
				weight = pow(nearby / distance_of(sweep, i, centre), 4);
				rest = log(cost_at(sweep, i) / cost_at(sweep, about));
				for (size_t j = 0; j < sweep->n_axes; j++)
					if (j != k)
						rest -= p[j] *
							(ln_on(sweep, j, size) - ln_on(sweep, j, centre));
				xx += weight * x * x;
				xy += weight * x * rest;
			}
			p[k] = xy / xx;
		}
}

double ft__price(const struct ft_sweep *sweep, const struct ft_size *size)
{
	double seconds = ft__builder_seconds(sweep, size);

	return isnan(seconds) ? price_along(sweep, size) : seconds;
}

static double price_along(const struct ft_sweep *sweep, const struct ft_size *size)
{
	double p[FT_PARAMS_MAX], ln;
	size_t about = ft__place_nearest(sweep, size);

	if (about == SIZE_MAX)
		return NAN;
	if (distance_of(sweep, about, size) <= 0)
		return cost_at(sweep, about);
	size_t next = nearest_but(sweep, &sweep->report.size[about].size, about);
	if (next == SIZE_MAX)
		return NAN;
	fit_exponents(sweep, about, next, p);
	ln = log(cost_at(sweep, about));
	for (size_t k = 0; k < sweep->n_axes; k++)
		ln += p[k] * (ln_on(sweep, k, size) - ln_on(sweep, k, &sweep->report.size[about].size));
	return exp(fmin(ln, 600));
}
