/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - requests to a batch system: quantiles of predictions, at a stated joint risk, as far as
 * these are known. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Group tasks with almost equal requests.
 */

static int alike_compare_needs(const void *a, const void *b)
{
	const struct ft_asking *p = a, *q = b;

	for (size_t k = 0; k < FT_QUERY; k++) { /* unknown ones first */
		if (!isnan(p->amount[k]) != !isnan(q->amount[k]))
			return isnan(p->amount[k]) ? -1 : 1;
		if (p->amount[k] != q->amount[k] && !isnan(p->amount[k]))
			return (p->amount[k] > q->amount[k]) - (p->amount[k] < q->amount[k]);
	}
	return (p->at > q->at) - (p->at < q->at);
}

static int compare_groups(const void *a, const void *b)
{
	const struct ft_asking *p = a, *q = b;

	if (p->group != q->group)
		return (p->group > q->group) - (p->group < q->group);
	return (p->at > q->at) - (p->at < q->at);
}

static bool fits_in(const struct ft_asking_group *group, const struct ft_asking *task, double apart)
{
	for (size_t k = 0; k < FT_QUERY; k++) /* false of NaN */
		if (fmax(group->most[k], task->amount[k]) > apart * fmin(group->least[k], task->amount[k]))
			return false;
	return true;
}

static void put_into(struct ft_asking_group *group, const struct ft_asking *task)
{
	for (size_t k = 0; k < FT_QUERY; k++) {
		group->least[k] = fmin(group->least[k], task->amount[k]);
		group->most[k] = fmax(group->most[k], task->amount[k]);
	}
}

enum ft_status ft_askings_group(struct ft_asking *task, size_t n, double apart,
				struct ft_asking_group **group, size_t *n_groups, struct ft_err *err)
{
	size_t g;

	*n_groups = 0;
	*group = ft_calloc(n + 1, sizeof **group);
	if (!*group)
		return ft_nomem(err);
	qsort(task, n, sizeof *task, alike_compare_needs);
	for (size_t i = 0; i < n; i++) {
		for (g = 0; g < *n_groups && !fits_in(&(*group)[g], &task[i], apart);)
			g++;
		if (g == *n_groups)
			(*group)[(*n_groups)++] = (struct ft_asking_group){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
		task[i].group = g;
		put_into(&(*group)[g], &task[i]);
	}
	qsort(task, n, sizeof *task, compare_groups);
	return FT_OK;
}

/*
 * The risk of each resource of a request: a stated one, divided so that the request is minimal; or the one
 * that wastes least, when a killed job runs again with more.
 */

/* ---- a stated risk ---------------------------------------------------------------------------------------
 */

/* The least part of the risk that a resource gets, and the least risk. */
static const double least_part = 0.25, least_each = 0.0005;

/* The share of the risk for temporary disk, and for device memory: they hardly vary from run to run, so that a small
 * share costs little. */
static const double small_part = 0.1;

/* Three sizes that were measured: by the first parameter the smallest, the largest, and the one nearest to
 * the middle between them. The same for all questions, so that requests of neighbouring sizes and expressions
 * divide a risk alike. */
static void measured_sizes(const struct ft_answerer *a, const struct ft_size *size, struct ft_size out[3])
{
	const size_t axis = a->axis[0];
	double least = INFINITY, most = -INFINITY, apart[3] = {INFINITY, INFINITY, INFINITY}, wanted[3];

	for (size_t k = 0; k < 3; k++)
		out[k] = *size;
	for (size_t i = 0; i < a->runs.n; i++)
		if (a->runs.run[i].outcome == FT_DONE && !a->runs.run[i].warmup) {
			least = fmin(least, a->runs.run[i].size.value[axis]);
			most = fmax(most, a->runs.run[i].size.value[axis]);
		}
	wanted[0] = least;
	wanted[1] = least > 0 ? sqrt(least * most) : (least + most) / 2;
	wanted[2] = most;
	for (size_t i = 0; i < a->runs.n; i++)
		for (size_t k = 0; k < 3; k++) {
			const struct ft_run *run = &a->runs.run[i];
			double off = fabs(run->size.value[axis] - wanted[k]);

			if (run->outcome != FT_DONE || run->warmup || !(off < apart[k]))
				continue;
			apart[k] = off;
			for (size_t p = 0; p < a->n_axes; p++)
				out[k].value[a->axis[p]] = run->size.value[a->axis[p]];
		}
}

/* ln of the product of both requests when time has a share of the risk. */
static enum ft_status ask_with(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
			       const struct ft_request *request, double share, double *sum,
			       struct ft_err *err)
{
	const double rest = request->risk - request->scratch.risk - request->gpu_memory.risk;
	struct ft_prediction at;
	enum ft_status status = FT_OK;

	*sum = 0;
	for (size_t i = 0; i < n && !status; i++) {
		double time = 1, memory = 1;

		status = ft__request_upper(answerer, request->time.resource, &size[i], share * rest, &at,
					   &time, err);
		if (!status)
			status = ft__request_upper(answerer, request->memory.resource, &size[i],
						   (1 - share) * rest, &at, &memory, err);
		*sum += (time > 0 ? log(time) : 0) + (memory > 0 ? log(memory) : 0);
	}
	return status;
}

enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *at,
				 struct ft_request *request, struct ft_err *err)
{
	enum { SIZES = 3, SHARES = 5, HALVINGS = 3 };
	const double rest = request->risk - request->scratch.risk - request->gpu_memory.risk,
		     least = fmin(0.5, fmax(least_part, least_each / rest));
	double step = (1 - 2 * least) / (SHARES - 1), best = INFINITY, share = 0.5;
	struct ft_size size[SIZES];
	enum ft_status status = FT_OK;

	if (!request->time.resource || !request->memory.resource)
		return FT_OK;
	measured_sizes(answerer, at, size);
	/* A program that was measured at one size is asked for it once. */
	size_t n = ft_size_equal(&size[0], &size[SIZES - 1]) ? 1 : SIZES;
	for (int i = 0; i < SHARES && !status; i++) {
		double sum, here = least + i * step;

		status = ask_with(answerer, size, n, request, here, &sum, err);
		share = sum < best ? here : share;
		best = fmin(best, sum);
	}
	for (int i = 0; i < HALVINGS && !status && step > 0; i++) {
		double middle = share;

		step /= 2;
		for (int side = -1; side <= 1 && !status; side += 2) {
			double sum, here = fmin(fmax(middle + side * step, least), 1 - least);

			status = ask_with(answerer, size, n, request, here, &sum, err);
			share = sum < best ? here : share;
			best = fmin(best, sum);
		}
	}
	request->time.risk = share * rest;
	request->memory.risk = rest - request->time.risk;
	return status;
}

/* ---- least waste -----------------------------------------------------------------------------------------
 */

/* The risks that are tried, and at which the distribution of a run's need is looked up; and into how many
 * parts of the same probability it is cut. */
static const double level[] = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04,
			       0.05,   0.065, 0.08,  0.1,   0.12, 0.15,  0.18, 0.21, 0.25};
enum { LEVELS = sizeof level / sizeof *level, POINTS = 2 * LEVELS + 1, PARTS = 200 };

/* The predictive distribution at one size: need[i] is its quantile at ln-normal score z[i], ascending. */
struct distribution {
	double z[POINTS], need[POINTS];
	double amount[LEVELS]; /* the request at each level */
};

static enum ft_status find_distribution(struct ft_answerer *answerer, const struct ft_resource *resource,
					const struct ft_size *size, struct distribution *d,
					struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < LEVELS && !status; i++) {
		struct ft_prediction at = {0};
		double z = ft_normal_quantile(1 - level[i]);

		status = ft__request_upper(answerer, resource, size, level[i], &at, &d->amount[i], err);
		d->z[i] = -z;
		d->need[i] = fmin(at.lower, d->amount[i]);
		d->z[LEVELS] = 0;
		d->need[LEVELS] = fmin(at.value, d->amount[i]);
		d->z[POINTS - 1 - i] = z;
		d->need[POINTS - 1 - i] = d->amount[i];
	}
	return status;
}

/* Between quantiles logarithms are linear in z, as of a log-normal law. */
static double need_at(const struct distribution *d, double z)
{
	size_t i = 1;

	while (i + 1 < POINTS && d->z[i] < z)
		i++;
	double share = fmin(fmax((z - d->z[i - 1]) / (d->z[i] - d->z[i - 1]), 0), 1);
	if (!(d->need[i - 1] > 0))
		return d->need[i - 1] + share * (d->need[i] - d->need[i - 1]);
	return d->need[i - 1] * pow(d->need[i] / d->need[i - 1], share);
}

double ft__request_wasted(double amount, double need, double seen, bool most)
{
	double lost = 0;

	while (amount < need && amount > 0) {
		lost += amount;
		amount = most && amount < seen ? seen : 2 * amount;
	}
	return lost + amount - need;
}

/* The level that wastes least in the mean over n sizes. */
static enum ft_status find_level(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 bool most, struct ft_need *need, struct ft_err *err)
{
	double wasted[LEVELS] = {0}, seen = ft__request_seen(answerer, need->resource);
	size_t best = 0;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		struct distribution d;

		status = find_distribution(answerer, need->resource, &size[i], &d, err);
		for (size_t p = 0; p < PARTS && !status; p++) {
			double used = need_at(&d, ft_normal_quantile(((double)p + 0.5) / PARTS));

			for (size_t k = 0; k < LEVELS; k++)
				wasted[k] += ft__request_wasted(d.amount[k], used, seen, most);
		}
	}
	for (size_t k = 1; k < LEVELS; k++)
		if (wasted[k] < wasted[best])
			best = k;
	need->risk = level[best];
	return status;
}

enum ft_status ft__request_least(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 struct ft_request *out, struct ft_err *err)
{
	const bool most = out->risk == FT_RISK_LEAST_MOST;
	enum ft_status status = FT_OK;

	out->time.risk = out->memory.risk = out->scratch.risk = out->gpu_memory.risk = 0;
	if (out->time.resource)
		status = find_level(answerer, size, n, most, &out->time, err);
	if (!status && out->memory.resource)
		status = find_level(answerer, size, n, most, &out->memory, err);
	if (!status && out->scratch.resource)
		status = find_level(answerer, size, n, most, &out->scratch, err);
	if (!status && out->gpu_memory.resource)
		status = find_level(answerer, size, n, most, &out->gpu_memory, err);
	out->risk = out->time.risk + out->memory.risk + out->scratch.risk + out->gpu_memory.risk;
	return status;
}

/*
 * Requests to a batch system: quantiles of predictions, at a stated joint risk, as far as these are
 * known.
 */

/* Bounds of the risk of a request. */
static const double least_risk = 0.001, most_risk = 0.25;

/* Memory sampled in short runs may be too low, because the samples came before the peak; unless one
 * process held all but this factor, since the kernel records its peak. */
static const double brief_s = 1, one_process = 1.02;

/* The runs of the nearest sizes determine how many processors are busy: a tenth of one may be start and
 * end, and an estimated waiting has this relative error (1.29 processors of a serial shell script). */
enum { NEAREST = 9 };
static const double cpus_apart = 0.1, waiting_off = 0.3;

static bool has_model(const struct ft_answerer *answerer, const struct ft_resource *resource)
{
	return ft__ask_has_value(answerer, resource) ||
	       ft_knowledge_law(&answerer->knowledge, resource) != NULL;
}

/* Whether the resource was only measured by sampling runs of under a second. */
static bool is_brief(const struct ft_runs *runs, const struct ft_resource *resource)
{
	bool any = false;

	for (size_t i = 0; resource && i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		double wall_s = ft_run_alone(run).wall_s;

		if (run->outcome != FT_DONE || isnan(ft_run_value(run, resource)) || isnan(wall_s))
			continue;
		if (wall_s >= brief_s)
			return false;
		any = any || !(ft_run_value(run, &ft_peak_tree_bytes) <=
			       one_process * ft_run_value(run, &ft_peak_rss_bytes));
	}
	return any;
}

/* A resource that a run had more than nothing of; NULL: none had. */
static const struct ft_resource *if_used(const struct ft_answerer *a, const struct ft_resource *resource)
{
	return ft__ask_has_value(a, resource) && ft__request_seen(a, resource) > 0 ? resource : NULL;
}

/* The runs are looked through once. */
static void find_resources(struct ft_answerer *a)
{
	if (a->requested.query)
		return;
	a->requested.query = true;
	a->requested.time = has_model(a, &ft_wall_s) ? &ft_wall_s : NULL;
	a->requested.memory = has_model(a, &ft_peak_tree_bytes)  ? &ft_peak_tree_bytes
			      : has_model(a, &ft_peak_rss_bytes) ? &ft_peak_rss_bytes
								 : NULL;
	a->requested.scratch = if_used(a, &ft_scratch_bytes);
	a->requested.gpu_memory = if_used(a, &ft_gpu_memory_bytes);
	a->requested.cpus = ft__ask_has_value(a, &ft_cpu_s);
	a->requested.brief = is_brief(&a->runs, a->requested.memory);
}

/* The processors that a run kept busy while it did not wait for other processes; NaN: not known. noise
 * out: its error. The waiting of tasks that ended before a second sample is estimated from the rest: that
 * may exceed the wall time, and so turn one task into several. */
static double busy_processors(const struct ft_run *run, double *noise)
{
	double cpu = ft_run_value(run, &ft_cpu_s), all = ft_run_value(run, &ft_wall_s),
	       wall = ft_run_alone(run).wall_s, off = cpus_apart;

	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].label == FT_ESTIMATED && run->sample[i].resource == &ft_run_delay_s)
			off += waiting_off * (all - wall) / all;
	*noise = off * cpu / wall;
	return run->outcome == FT_DONE && !run->warmup && wall > 0 ? cpu / wall : NAN;
}

double ft__size_distance(const struct ft_size *a, const struct ft_size *b)
{
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		if (a->value[i] != b->value[i])
			sum += a->value[i] > 0 && b->value[i] > 0 ? fabs(log(a->value[i] / b->value[i])) : 1;
	return sum;
}

/* The median of the nearest runs, rounded down to a whole number if the rest is within its noise: a serial
 * program that was measured under load requests one processor. */
double ft__request_cpus(const struct ft_answerer *answerer, const struct ft_size *size)
{
	double near[NEAREST], value[NEAREST], noise[NEAREST], off[NEAREST], of_run, busy, middle, most;
	size_t n = 0, j;

	for (size_t i = 0; i < answerer->runs.n && answerer->requested.cpus; i++) {
		const struct ft_run *run = &answerer->runs.run[i];
		double d = ft__size_distance(&run->size, size);

		busy = busy_processors(run, &of_run);
		if (isnan(busy) || (n == NEAREST && d >= near[n - 1]))
			continue;
		n += n < NEAREST;
		for (j = n - 1; j && near[j - 1] > d; j--) {
			near[j] = near[j - 1];
			value[j] = value[j - 1];
			noise[j] = noise[j - 1];
		}
		near[j] = d;
		value[j] = busy;
		noise[j] = of_run;
	}
	if (!n)
		return NAN;
	middle = ft_stats_median(value, n);
	for (size_t i = 0; i < n; i++)
		off[i] = fabs(value[i] - middle);
	/* The deviation of a median of normal values, from their median deviation. */
	most = fmax(ft_stats_median(noise, n), 1.4826 * 1.2533 * ft_stats_median(off, n) / sqrt((double)n));
	return fmin(middle, fmax(1, ceil(middle - most)));
}

/* The size with each parameter below the data moved to its smallest or largest value there. */
static struct ft_size moved_inside(const struct ft_answerer *a, const struct ft_model_record *record,
				   const struct ft_size *size, bool largest)
{
	struct ft_size to = *size;
	size_t n;
	const struct ft_knot *knot = ft_model_knots(record->model, &n);

	for (size_t i = 0; i < a->n_axes; i++) {
		double least = INFINITY, most = -INFINITY, *value = &to.value[a->axis[i]];

		for (size_t k = 0; k < n; k++) {
			least = fmin(least, knot[k].size.value[a->axis[i]]);
			most = fmax(most, knot[k].size.value[a->axis[i]]);
		}
		if (*value < least)
			*value = largest ? most : least;
	}
	return to;
}

struct ft_size ft__request_edge(const struct ft_answerer *a, const struct ft_model_record *record,
				const struct ft_size *size)
{
	struct ft_size to = *size;
	size_t n;
	const struct ft_knot *knot = ft_model_knots(record->model, &n);

	for (size_t i = 0; i < a->n_axes; i++) {
		double most = -INFINITY, *value = &to.value[a->axis[i]];

		for (size_t k = 0; k < n; k++)
			most = fmax(most, knot[k].size.value[a->axis[i]]);
		*value = fmin(*value, most);
	}
	return to;
}

static bool is_above(const struct ft_answerer *a, const struct ft_model_record *record,
		     const struct ft_size *size)
{
	struct ft_size edge = ft__request_edge(a, record, size);

	return !ft_size_equal(&edge, size);
}

/* Below the data the interval widens, and the prediction may rise due to noise at the smallest sizes; but
 * smaller problems are not dearer than the smallest measured one, unless larger ones are cheaper across
 * the data. */
static enum ft_status cap_below(struct ft_answerer *a, const struct ft_model_record *record,
				const struct ft_size *size, double confidence, const struct ft_prediction *at,
				double *most, struct ft_err *err)
{
	struct ft_size first = moved_inside(a, record, size, false),
		       last = moved_inside(a, record, size, true);
	struct ft_prediction there, end;

	if (ft_size_equal(&first, size))
		return FT_OK;
	enum ft_status status = ft_ask_predict(a, record->resource, &first, confidence, &there, err);
	if (!status)
		status = ft_ask_predict(a, record->resource, &last, confidence, &end, err);
	if (!status && (at->value <= there.upper || there.value <= end.value))
		*most = fmin(*most, there.upper);
	return status;
}

/* ---- where the size has little influence
 * -------------------------------------------------------------------------
 *
 * Inside the data an interval that spans a factor of ten shows that the size is not the main influence.
 * Of n runs the k-th largest is exceeded by a new one with the probability k / (n + 1), for any
 * distribution (Wilks 1941): the request is at most what the runs of the nearest sizes needed at that
 * risk. */

/* Take enough runs that this many exceed the request, up to so many in all; needs above the largest seen
 * follow a power of their probability, with heavy tails. */
enum { EXCEEDING = 4, RUNS_MOST = 20000 };
static const double tail_power = 0.5;

struct near_run {
	double distance, value;
};

static int compare_distances(const void *a, const void *b)
{
	const struct near_run *p = a, *q = b;

	return (p->distance > q->distance) - (p->distance < q->distance);
}

static int compare_needs(const void *a, const void *b)
{
	const struct near_run *p = a, *q = b;

	return (p->value < q->value) - (p->value > q->value);
}

/* Infinite where too many of the runs met a limit. */
static enum ft_status needed_near(const struct ft_answerer *a, const struct ft_resource *resource,
				  const struct ft_size *size, double risk, double *out, struct ft_err *err)
{
	const size_t step = a->runs.n / RUNS_MOST + 1;
	struct near_run *near = ft_calloc(a->runs.n / step + 1, sizeof *near);
	size_t n = 0;

	if (!near)
		return ft_nomem(err);
	for (size_t i = 0; i < a->runs.n; i += step) {
		const struct ft_run *run = &a->runs.run[i];
		bool limited = !isnan(ft_run_limit(run, resource));
		double value = limited ? INFINITY : ft_run_idle_value(run, resource);

		if (!run->warmup && (limited || run->outcome == FT_DONE) && !isnan(value))
			near[n++] = (struct near_run){ft__size_distance(&run->size, size), value};
	}
	qsort(near, n, sizeof *near, compare_distances);
	n = (size_t)fmin((double)n, ceil(EXCEEDING / risk));
	qsort(near, n, sizeof *near, compare_needs);
	double beyond = ((double)n + 1) * risk;
	*out = !n            ? INFINITY
	       : beyond >= 1 ? near[(size_t)beyond - 1].value
			     : near[0].value * pow(beyond, -tail_power);
	ft_free(near);
	return FT_OK;
}

/* In logarithms: the whole interval, or twice its upper half where that is less. NaN of a law that was never
 * tried. */
static double width_of(const struct ft_prediction *at)
{
	return at->upper > 0 ? log(at->upper / fmax(at->lower, at->value * at->value / at->upper)) : 0;
}

enum ft_status ft__request_upper(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *size, double risk, struct ft_prediction *at,
				 double *most, struct ft_err *err)
{
	const struct ft_model_record *record;
	double confidence = fmin(0.999, 1 - 2 * risk);

	FT_TRY(ft_ask_model(answerer, resource, size, &record, err));
	FT_TRY(ft__ask_anyhow(answerer, resource, size, confidence, at, err));
	*most = at->upper;
	if (at->distance > 1)
		return cap_below(answerer, record, size, confidence, at, most, err);
	double needed = INFINITY;
	enum ft_status status = FT_OK;

	if (!answerer->elsewhere && answerer->beside.view == FT_LOAD_IDLE &&
	    width_of(at) > log(FT_REQUEST_WIDEST))
		status = needed_near(answerer, resource, size, risk, &needed, err);
	*most = fmin(*most, needed);
	return status;
}

/* ---- unknown ---------------------------------------------------------------------------------- */

const char *ft_doubt_text(enum ft_doubt doubt)
{
	static const char *const words[] = {
#define DOUBT_WORDS(name, words) words,
		FT_DOUBT_LIST(DOUBT_WORDS)
#undef DOUBT_WORDS
	};

	return (size_t)doubt < sizeof words / sizeof *words ? words[doubt] : "unknown";
}

/* Run-to-run variation in ln; NaN: not known. */
static enum ft_status noise_of(struct ft_answerer *answerer, const struct ft_resource *resource,
			       const struct ft_size *size, double *noise, struct ft_err *err)
{
	const struct ft_model_record *record;
	enum ft_status status = ft_ask_model(answerer, resource, size, &record, err);

	*noise = status ? (double)NAN : log1p(ft_model_facts(record->model)->scatter);
	return status;
}

/* A prediction is insufficient if the interval is too wide, and its upper half too, or if the request at a
 * small risk is too far above the typical run. That the need may be far lower is no obstacle: a request is
 * an upper end. Well-known runs may vary by more than a factor of ten: so the interval must also be twice
 * as wide as their noise makes it. */
/* request_doubt - whether what is known of a size is enough for a request. at: out, the 90 % prediction.
 */
static enum ft_status request_doubt(struct ft_answerer *answerer, const struct ft_resource *resource,
				    const struct ft_size *size, enum ft_doubt *out, struct ft_prediction *at,
				    struct ft_err *err)
{
	static const double confidence = 0.9, cautious = 0.975;
	struct ft_prediction far = {.value = NAN};
	double noise;
	enum ft_status status = ft__ask_anyhow(answerer, resource, size, confidence, at, err);

	*out = FT_DOUBT_NONE;
	if (status || !(at->distance > 1))
		return status;
	if (at->distance > FT_REQUEST_FARTHEST * (1 + 1e-9))
		*out = FT_DOUBT_FAR;
	double width = width_of(at);
	if (!*out && !(width > log(FT_REQUEST_WIDEST))) {
		status = ft__ask_anyhow(answerer, resource, size, cautious, &far, err);
		width = fmax(width, far.value > 0 ? log(far.upper / far.value) : 0);
		at->lower = far.lower;
		at->upper = far.upper;
	}
	if (*out || status || !(width > log(FT_REQUEST_WIDEST)))
		return status;
	status = noise_of(answerer, resource, size, &noise, err);
	if (!(width <= 2 * 2 * ft_normal_quantile((1 + confidence) / 2) * noise))
		*out = FT_DOUBT_WIDE;
	return status;
}

static struct ft_size size_between(const struct ft_size *from, const struct ft_size *to, double share)
{
	struct ft_size size = *from;

	for (size_t i = 0; i < size.n; i++)
		if (from->value[i] != to->value[i] && from->value[i] > 0)
			size.value[i] *= pow(to->value[i] / from->value[i], share);
	return size;
}

enum ft_status ft__request_known(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *from, const struct ft_size *to, double *share,
				 struct ft_err *err)
{
	enum { STEPS = 16, HALVINGS = 4 };
	struct ft_prediction at;
	enum ft_doubt doubt = FT_DOUBT_NONE;
	enum ft_status status = FT_OK;
	double step = 1.0 / STEPS;

	*share = 0;
	for (int i = 1; i <= STEPS && !doubt && !status; i++) {
		struct ft_size size = size_between(from, to, i * step);

		status = request_doubt(answerer, resource, &size, &doubt, &at, err);
		*share = doubt || status ? *share : i * step;
	}
	for (int i = 0; i < HALVINGS && *share < 1 && !status; i++) {
		struct ft_size size = size_between(from, to, *share + (step /= 2));

		status = request_doubt(answerer, resource, &size, &doubt, &at, err);
		*share += doubt || status ? 0 : step;
	}
	return status;
}

/* Rounded up to two digits, since 48,237,119 bytes would suggest a false accuracy. */
static double round_size(double x)
{
	double unit = x > 0 ? pow(10, floor(log10(x)) - 1) : 1;

	return unit >= 1 ? unit * ceil(x / unit * (1 - 1e-12)) : ceil(x / unit * (1 - 1e-12)) / (1 / unit);
}

static enum ft_status set_need(struct ft_answerer *answerer, const struct ft_size *size, struct ft_need *need,
			       struct ft_request *out, struct ft_err *err)
{
	const struct ft_model_record *record;
	struct ft_prediction at;

	if (!need->resource)
		return FT_OK;
	need->seen = ft__request_seen(answerer, need->resource);
	enum ft_status status =
		ft__request_upper(answerer, need->resource, size, need->risk, &need->at, &need->most, err);
	need->by_runs = !status && !(need->at.distance > 1) && need->most < need->at.upper;
	if (!status)
		status = request_doubt(answerer, need->resource, size, &need->doubt, &at, err);
	if (!status && !ft_ask_model(answerer, need->resource, size, &record, NULL)) {
		need->runs = ft_model_facts(record->model)->runs;
		need->limits = ft_model_facts(record->model)->limits;
	}
	if (!status && need->doubt)
		status = ft_ask_model(answerer, need->resource, size, &record, err);
	if (status || !need->doubt)
		return status;
	if (need->most < need->at.upper && !is_above(answerer, record, size)) {
		need->doubt = FT_DOUBT_NONE; /* no more than the smallest size needs */
		return FT_OK;
	}
	need->lower = at.lower;
	need->upper = at.upper;
	need->proportional = need->seen * at.distance;
	/* Requests are possible up to a multiple of the largest size measured: how much larger sizes have to be
	 * measured for a request here. */
	struct ft_size edge = ft__request_edge(answerer, record, size), known;
	double share;

	FT_TRY(ft__request_known(answerer, need->resource, &edge, size, &share, err));
	known = size_between(&edge, size, share);
	for (size_t i = 0; i < size->n; i++) {
		double value = size->value[i];

		if (value > edge.value[i])
			value = fmin(value, round_size(value * edge.value[i] / known.value[i]));
		out->measure.value[i] = out->doubted ? fmax(out->measure.value[i], value) : value;
	}
	out->measure.n = size->n;
	out->doubted = true;
	return FT_OK;
}

/* ---- known -------------------------------------------------------------------------------------- */

double ft__request_seen(const struct ft_answerer *answerer, const struct ft_resource *resource)
{
	double most = NAN;

	for (size_t i = 0; i < answerer->runs.n; i++)
		if (answerer->runs.run[i].outcome == FT_DONE)
			most = fmax(most, ft_run_value(&answerer->runs.run[i], resource));
	return most;
}

double ft__request_reached(const struct ft_runs *runs, const struct ft_resource *resource, size_t varying,
			   const struct ft_size *fixed)
{
	double most = NAN;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		bool same = run->outcome == FT_OUT_OF_MEMORY && run->size.n == fixed->n;

		for (size_t j = 0; j < fixed->n && same; j++)
			same = j == varying || run->size.value[j] <= fixed->value[j];
		if (same)
			most = fmax(most, ft_run_value(run, resource));
	}
	return most;
}

/* A run that was killed for memory needed more: a model that allows less is refuted. */
static void set_killed(const struct ft_answerer *answerer, const struct ft_size *size, struct ft_request *out)
{
	size_t varying = answerer->axis[0];
	const struct ft_run *killer = ft_runs_killer(&answerer->runs, varying, size);

	if (!killer)
		return;
	out->killed = killer->size.value[varying];
	out->killed_at = killer->size;
	out->beyond_kill = size->value[varying] >= out->killed;
	if (!out->beyond_kill || !out->memory.resource)
		return;
	out->reached_bytes = ft__request_reached(&answerer->runs, out->memory.resource, varying, size);
	out->refuted = out->reached_bytes >= out->memory.most;
	out->memory.most = fmax(out->memory.most, out->reached_bytes);
}

enum ft_status ft__request_init(struct ft_answerer *answerer, double risk, struct ft_request *out,
				struct ft_err *err)
{
	const struct ft_resource *memory, *time;

	find_resources(answerer);
	memory = answerer->requested.memory;
	time = answerer->requested.time;
	*out = (struct ft_request){.risk = risk,
				   .time = {.seen = NAN, .proportional = NAN},
				   .memory = {.seen = NAN, .proportional = NAN},
				   .scratch = {.seen = NAN, .proportional = NAN},
				   .gpu_memory = {.seen = NAN, .proportional = NAN},
				   .cpus = NAN,
				   .killed = NAN,
				   .reached_bytes = NAN};
	if (risk != FT_RISK_LEAST_MOST && risk != FT_RISK_LEAST_DOUBLE &&
	    !(risk >= least_risk && risk <= most_risk)) {
		(void)ft_fail(err, FT_EINVAL, "a risk of %g is not within %g and %g", risk, least_risk,
			      most_risk);
		(void)ft_remedy(err, "state the share of runs that may turn out to need more, as in 5%%");
		return FT_EINVAL; /* also without err */
	}
	if (!memory && !time)
		return ft_fail(err, FT_ENOMODEL, "neither the time nor the memory of '%s' was measured",
			       ft_ask_program(answerer)->name);
	out->time.resource = time;
	out->memory.resource = memory;
	out->scratch.resource = answerer->requested.scratch;
	out->gpu_memory.resource = answerer->requested.gpu_memory;
	out->scratch.risk = out->scratch.resource ? small_part * risk : 0;
	out->gpu_memory.risk = out->gpu_memory.resource ? small_part * risk : 0;
	out->time.risk = out->memory.risk =
		(risk - out->scratch.risk - out->gpu_memory.risk) / (memory && time ? 2 : 1);
	return FT_OK;
}

enum ft_status ft__request_needs(struct ft_answerer *answerer, const struct ft_size *size,
				 struct ft_request *out, struct ft_err *err)
{
	FT_TRY(set_need(answerer, size, &out->time, out, err));
	FT_TRY(set_need(answerer, size, &out->memory, out, err));
	/* A doubt about files or devices leaves the rest of the request as it is. */
	struct ft_request other = *out;
	FT_TRY(set_need(answerer, size, &out->scratch, &other, err));
	FT_TRY(set_need(answerer, size, &out->gpu_memory, &other, err));
	set_killed(answerer, size, out);
	return FT_OK;
}

enum ft_status ft_ask_request(struct ft_answerer *answerer, const struct ft_size *size, double risk,
			      struct ft_request *out, struct ft_err *err)
{
	enum ft_status status = ft__request_init(answerer, risk, out, err);

	if (!status)
		status = risk < 0 ? ft__request_least(answerer, size, 1, out, err)
				  : ft__request_split(answerer, size, out, err);
	if (!status)
		status = ft__request_needs(answerer, size, out, err);
	if (status)
		return status;
	out->cpus = ft__request_cpus(answerer, size);
	out->brief = answerer->requested.brief;
	return FT_OK;
}
