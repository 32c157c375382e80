/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tries.c - what a job requests at each of its tries, by its size where the size explains the need. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "num/num.h"

#include <math.h>

/*
 * Whether the size of a run explains what it needs.
 */

/* Two correlations are looked at, each of one side with 97.5 %. A formula is not worth less than a tenth more
 * over all sizes. */
static const double confidence = 0.95, least_growth = 1.1;

/* A straight line through points. */
struct tries_line {
	double r;           /* Pearson's correlation; 0: one of both does not vary */
	double first, last; /* its values at the least and the largest x */
};

static struct tries_line line_of(const double *x, const double *y, size_t n)
{
	double mean_x = ft_stats_mean(x, n), mean_y = ft_stats_mean(y, n), xx = 0, yy = 0, xy = 0;
	double least = x[0], most = x[0];

	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mean_x) * (x[i] - mean_x);
		yy += (y[i] - mean_y) * (y[i] - mean_y);
		xy += (x[i] - mean_x) * (y[i] - mean_y);
		least = fmin(least, x[i]);
		most = fmax(most, x[i]);
	}
	if (!(xx > 0) || !(yy > 0))
		return (struct tries_line){0, mean_y, mean_y};
	return (struct tries_line){xy / sqrt(xx * yy), mean_y + xy / xx * (least - mean_x),
				   mean_y + xy / xx * (most - mean_x)};
}

/* The values of a resource, and the sizes of their runs; returns how many. */
static size_t take_pairs(const struct ft_answerer *a, const struct ft_resource *resource, double *x,
			 double *y)
{
	size_t n = 0;

	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];
		double value = ft_run_value(run, resource), size = run->size.value[a->axis[0]];

		if (run->outcome != FT_DONE || run->warmup || !(value > 0) || !(size > 0))
			continue;
		x[n] = size;
		y[n++] = value;
	}
	return n;
}

static bool is_grown(const struct tries_line *line, size_t n, double growth)
{
	double dof = (double)n - 2;
	double t = line->r < 1 ? line->r * sqrt(dof / (1 - line->r * line->r)) : (double)INFINITY;

	return t > ft_student_t(confidence, dof) && growth >= least_growth;
}

/* Whether a resource grows with the size: in proportion to it, or as a power of it. */
static enum ft_status is_explained(const struct ft_answerer *a, struct ft_tries_need *need, bool *explained,
				   struct ft_err *err)
{
	FT_ARENA(work);
	double *x = ft_arena_take(&work, a->runs.n + 1, sizeof *x);
	double *y = ft_arena_take(&work, a->runs.n + 1, sizeof *y);

	*explained = false;
	FT_TRY(ft_arena_check(&work, err));
	size_t n = take_pairs(a, need->resource, x, y);
	if (n < 3)
		return FT_OK;
	struct tries_line straight = line_of(x, y, n);
	for (size_t i = 0; i < n; i++) {
		x[i] = log(x[i]);
		y[i] = log(y[i]);
	}
	struct tries_line power = line_of(x, y, n);
	need->correlation = fabs(power.r) > fabs(straight.r) ? power.r : straight.r;
	*explained = is_grown(&power, n, exp(power.last - power.first)) ||
		     is_grown(&straight, n,
			      straight.first > 0 ? straight.last / straight.first : (double)INFINITY);
	return FT_OK;
}

/*
 * What each try requests.
 */

/* The smallest risk of a request (request.c). */
static const double least_risk = 0.001;

static size_t count_runs(const struct ft_answerer *a, const struct ft_resource *resource)
{
	size_t n = 0;

	for (size_t i = 0; i < a->runs.n; i++)
		n += a->runs.run[i].outcome == FT_DONE && !a->runs.run[i].warmup &&
		     !isnan(ft_run_value(&a->runs.run[i], resource));
	return n;
}

/* Without sizes: the requests at both risks. Of runs that were killed nothing larger is known: twice what they
 * had reached. */
static void set_same(const struct ft_need need[FT_TRIES - 1], bool refuted, struct ft_tries_need *out)
{
	out->killed = refuted;
	for (size_t k = 0; k < FT_TRIES - 1; k++) {
		out->risk[k] = need[k].risk;
		out->most[k] = (refuted ? 2 : 1) * need[k].most;
	}
	out->most[1] = fmax(out->most[0], fmax(out->most[1], out->seen));
	out->most[2] = 2 * out->most[1];
}

static enum ft_status ask_same(struct ft_answerer *a, const double *risk, struct ft_tries *out,
			       struct ft_err *err)
{
	const struct ft_size any = ft_ask_any_size(a);
	struct ft_request request[FT_TRIES - 1];

	for (size_t k = 0; k < FT_TRIES - 1; k++)
		FT_TRY(ft_ask_request(a, &any, risk[k], &request[k], err));
	struct ft_tries_need *each[] = {&out->time, &out->memory};
	for (size_t i = 0; i < 2; i++) {
		const struct ft_need need[] = {i ? request[0].memory : request[0].time,
					       i ? request[1].memory : request[1].time};

		*each[i] = (struct ft_tries_need){
			.resource = need[0].resource, .known = NAN, .correlation = NAN, .seen = need[0].seen};
		if (!need[0].resource)
			continue;
		each[i]->runs = count_runs(a, need[0].resource);
		set_same(need, i && (request[0].refuted || request[1].refuted), each[i]);
	}
	out->risk = risk[0];
	out->cpus = request[0].cpus;
	out->brief = request[0].brief;
	return FT_OK;
}

/* The largest size at which a run ended well, in the parameter of the models. */
static struct ft_size largest_size(const struct ft_answerer *a)
{
	struct ft_size largest = ft_ask_any_size(a);

	for (size_t i = 0; i < a->runs.n; i++)
		if (a->runs.run[i].outcome == FT_DONE && !a->runs.run[i].warmup)
			largest.value[a->axis[0]] =
				fmax(largest.value[a->axis[0]], a->runs.run[i].size.value[a->axis[0]]);
	return largest;
}

/* One resource by its size, in place of what it requests at all sizes. */
static void set_sized(const struct ft_need need[FT_TRIES - 1],
		      struct ft_request_expression expression[FT_TRIES - 1], size_t axis,
		      struct ft_tries_need *out)
{
	if (!expression[0].text || !expression[1].text)
		return;
	for (size_t k = 0; k < FT_TRIES - 1; k++) {
		out->risk[k] = need[k].risk;
		out->most[k] = need[k].most;
		out->text[k] = expression[k].text; /* taken */
		expression[k].text = NULL;
	}
	out->most[1] = fmax(out->most[0], out->most[1]);
	out->most[2] = 2 * out->most[1];
	out->known = fmin(expression[0].known[axis], expression[1].known[axis]);
}

static enum ft_status ask_sized(struct ft_answerer *a, const double *risk, bool time, bool memory,
				struct ft_tries *out, struct ft_err *err)
{
	const struct ft_size largest = largest_size(a);
	struct ft_request request[FT_TRIES - 1];
	struct ft_request_expressions all[FT_TRIES - 1] = {{.cpus = NAN}};
	bool open[FT_PARAMS_MAX] = {false};
	enum ft_status status = FT_OK;

	open[a->axis[0]] = true;
	for (size_t k = 0; k < FT_TRIES - 1 && !status; k++) {
		status = ft_ask_request(a, &largest, risk[k], &request[k], err);
		if (!status)
			status = ft_ask_request_expressions(a, &largest, open, risk[k], &all[k], err);
	}
	if (!status && time)
		set_sized((const struct ft_need[]){request[0].time, request[1].time},
			  (struct ft_request_expression[]){all[0].time, all[1].time}, a->axis[0], &out->time);
	if (!status && memory)
		set_sized((const struct ft_need[]){request[0].memory, request[1].memory},
			  (struct ft_request_expression[]){all[0].memory, all[1].memory}, a->axis[0],
			  &out->memory);
	for (size_t k = 0; k < FT_TRIES - 1; k++) {
		if (out->time.text[k])
			all[k].time.text = NULL;
		if (out->memory.text[k])
			all[k].memory.text = NULL;
		ft_request_expressions_clear(&all[k]);
	}
	return status;
}

/* Where one of both is by size: the other gets what this leaves of the risk. */
static enum ft_status share_risk(struct ft_answerer *at_one, const double *risk,
				 const struct ft_tries_need *sized, struct ft_tries_need *same,
				 struct ft_err *err)
{
	const struct ft_size any = ft_ask_any_size(at_one);
	struct ft_prediction at;
	double most;

	if (!same->resource)
		return FT_OK;
	for (size_t k = 0; k < FT_TRIES - 1; k++) {
		same->risk[k] = risk[k] - sized->risk[k];
		FT_TRY(ft__request_upper(at_one, same->resource, &any, same->risk[k], &at, &most, err));
		if (!same->killed)
			same->most[k] = most;
	}
	same->most[1] = fmax(same->most[0], fmax(same->most[1], same->seen));
	same->most[2] = 2 * same->most[1];
	return FT_OK;
}

enum ft_status ft_ask_tries(struct ft_answerer *by_size, struct ft_answerer *at_one, double risk,
			    struct ft_tries *out, struct ft_err *err)
{
	const double each[FT_TRIES - 1] = {risk, fmax(risk * risk, least_risk)};
	bool time = false, memory = false;

	*out = (struct ft_tries){.cpus = NAN};
	enum ft_status status = ask_same(at_one, each, out, err);
	if (!status && by_size && by_size->n_axes == 1 && out->time.resource)
		status = is_explained(by_size, &out->time, &time, err);
	if (!status && by_size && by_size->n_axes == 1 && out->memory.resource)
		status = is_explained(by_size, &out->memory, &memory, err);
	if (!status && (time || memory))
		status = ask_sized(by_size, each, time, memory, out, err);
	if (!status && out->memory.text[0] && !out->time.text[0])
		status = share_risk(at_one, each, &out->memory, &out->time, err);
	else if (!status && out->time.text[0] && !out->memory.text[0])
		status = share_risk(at_one, each, &out->time, &out->memory, err);
	/* Where sizes do not serve: what suffices for all of them does. */
	if (status == FT_ENOMODEL && out->risk > 0)
		status = FT_OK;
	if (status)
		ft_tries_clear(out);
	return status;
}

void ft_tries_clear(struct ft_tries *tries)
{
	if (!tries)
		return;
	for (size_t k = 0; k < FT_TRIES - 1; k++) {
		ft_free(tries->time.text[k]);
		ft_free(tries->memory.text[k]);
	}
	*tries = (struct ft_tries){.cpus = NAN};
}
