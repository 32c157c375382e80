/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - what other requests would have cost, had they been made for jobs that have ended; never with
 * what was not yet known. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/ask.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A model is made anew when at least this share of jobs came in. Where that would be too many models, the share
 * grows by `coarser` until it is not, up to `coarsest`: for programs without sizes, of which so many models cost
 * what one of FT_REPLAY_LEARN jobs with sizes does (2 ms to 0.1 s), and for those with. Of 400 programs without, of
 * 100 jobs each, a half for a tenth requests 4 % more memory in a third of the time, the whole 50 % more. */
static const double renewed = 0.1, coarser = 1.25, coarsest[2] = {0.5, 4}, unsized_models = 50;

/* Requests of programs with one parameter, of which so many jobs have ended, are made at sizes of this ratio, ln,
 * and lines drawn between them in logarithms: most jobs come at sizes of their own. */
static const double apart = 0.1;
enum { MANY = 20 };

/* Requests are written in these units: sbatch --mem=...M, --time in minutes. */
static const double mib = 0x1p20, minute_s = 60;

/* ---- the order of time ----------------------------------------------------------------------------------
 */

/* Numbers of jobs are sorted by program, and within it by one of their moments. */
struct replay_order {
	const struct ft_replay_job *job;
	bool ended;
};

static int compare_moments(const void *a, const void *b, void *order)
{
	const struct replay_order *by = order;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct ft_replay_job *p = &by->job[i], *q = &by->job[k];
	const double at = by->ended ? p->ended_s : p->made_s, other = by->ended ? q->ended_s : q->made_s;

	if (p->program != q->program)
		return p->program < q->program ? -1 : 1;
	if (at != other)
		return at < other ? -1 : 1;
	return (i > k) - (i < k);
}

/* Whether a job says what its program needs, or that it needs more than it had. */
static bool teaches(const struct ft_replay_job *job)
{
	return job->outcome == FT_TIMED_OUT || job->outcome == FT_OUT_OF_MEMORY ||
	       (job->outcome == FT_DONE && (job->bytes > 0 || job->wall_s > 0));
}

/* Whether requests for it can be compared: it ended well, and was limited in something that is known. */
static bool is_judged(const struct ft_replay_job *job)
{
	return job->outcome == FT_DONE && job->wall_s > 0 && job->ended_s >= job->made_s &&
	       ((job->asked_bytes > 0 && job->bytes > 0) || job->asked_s > 0);
}

/* ---- what is known of a program -------------------------------------------------------------------------
 */

/* Requests of a model at a size, by rule. */
struct replay_cell {
	bool filled;
	struct ft_size size;
	double bytes[FT_REPLAY_RULES], seconds[FT_REPLAY_RULES]; /* NaN: no number is given */
};

enum { CELLS = 256 };

struct replay_known {
	const uint32_t *ended; /* [n] jobs of one program, those that had ended */
	size_t n;
	size_t next;       /* how many jobs there must be for the next model */
	bool time, memory; /* a job was limited in it, and they are predicted from now on */
	double seen_bytes, seen_s;
	struct ft_answerer model;
	struct ft_request request[FT_REPLAY_RULES]; /* with the risks of its resources */
	bool divided[FT_REPLAY_RULES], failed[FT_REPLAY_RULES];
	struct replay_cell *cell; /* [CELLS] */
};

/* After how many more jobs a model of n is made anew. */
static size_t renewed_after(double growth, size_t n)
{
	return (size_t)fmax(1, ceil(growth * (double)n));
}

struct replay_work {
	const struct ft_replay_job *job;
	const struct ft_replay_options *options;
	struct replay_known known;
	double growth[2]; /* of jobs without sizes, and with, after which a model is renewed */
	size_t done;
};

static void forget_program(struct replay_known *known)
{
	ft__ask_forget(&known->model);
	ft_runs_clear(&known->model.runs);
	known->n = known->next = 0;
	known->seen_bytes = known->seen_s = 0;
	known->time = known->memory = false;
}

/* One more job has ended. */
static void see_job(struct replay_known *known, const struct ft_replay_job *job)
{
	known->n++;
	if (job->bytes > 0)
		known->seen_bytes = fmax(known->seen_bytes, job->bytes);
	if (job->wall_s > 0)
		known->seen_s = fmax(known->seen_s, job->wall_s);
	if (job->outcome == FT_OUT_OF_MEMORY && job->asked_bytes > 0)
		known->seen_bytes = fmax(known->seen_bytes, job->asked_bytes);
}

static enum ft_status add_run(const struct replay_known *known, struct ft_runs *runs,
			      const struct ft_replay_job *job, struct ft_err *err)
{
	struct ft_run run;
	enum ft_status status = FT_OK;

	ft_run_init(&run);
	run.size.n = job->n_size ? job->n_size : 1;
	run.size.value[0] = 1;
	for (size_t i = 0; i < job->n_size; i++)
		run.size.value[i] = job->size[i];
	run.outcome = (enum ft_outcome)job->outcome;
	run.asked_s = job->asked_s;
	run.asked_bytes = job->asked_bytes;
	if (known->time && job->wall_s > 0)
		status = ft_run_add(&run, &ft_wall_s, job->wall_s, FT_MEASURED, "replay", NULL, err);
	if (!status && known->memory && job->bytes > 0)
		status = ft_run_add(&run, &ft_peak_tree_bytes, job->bytes, FT_MEASURED, "replay", NULL, err);
	if (status) {
		ft_run_clear(&run);
		return status;
	}
	return ft_runs_take(runs, &run, err);
}

/* A model of the newest jobs that have ended. */
static enum ft_status fit_program(struct replay_work *r, size_t n_size, struct ft_err *err)
{
	struct replay_known *known = &r->known;
	struct ft_answerer *a = &known->model;
	size_t from = known->n > FT_REPLAY_LEARN ? known->n - FT_REPLAY_LEARN : 0;

	ft__ask_forget(a);
	ft_runs_clear(&a->runs);
	a->requested = (struct ft__requested){0};
	a->program.n_params = n_size ? n_size : 1;
	for (size_t i = 0; i < a->program.n_params; i++) {
		struct ft_param *param = &a->program.param[i];

		*param =
			(struct ft_param){.least = INFINITY, .most = -INFINITY, .stride = 1, .of_data = true};
		(void)snprintf(param->name, sizeof param->name, "n%zu", i);
	}
	for (size_t k = from; k < known->n; k++) {
		const struct ft_replay_job *job = &r->job[known->ended[k]];

		FT_TRY(add_run(known, &a->runs, job, err));
		for (size_t i = 0; i < a->program.n_params; i++) {
			struct ft_param *param = &a->program.param[i];
			double value = a->runs.run[a->runs.n - 1].size.value[i];

			param->least = fmin(param->least, value);
			param->most = fmax(param->most, value);
		}
	}
	a->n_runs = a->runs.n;
	for (size_t i = 0; i < FT_REPLAY_RULES; i++)
		known->divided[i] = known->failed[i] = false;
	for (size_t i = 0; i < CELLS; i++)
		known->cell[i].filled = false;
	known->next = known->n + renewed_after(r->growth[n_size > 0], known->n);
	return ft__ask_find_axes(a, err);
}

/* ---- a request ------------------------------------------------------------------------------------------
 */

/* A request of a rule at a size. That none can be given is an answer; no memory is a failure. */
static enum ft_status ask_model(struct replay_known *known, size_t rule, double risk,
				const struct ft_size *size, struct replay_cell *cell, struct ft_err *err)
{
	struct ft_answerer *a = &known->model;
	struct ft_err why = {0};
	enum ft_status status = FT_OK;

	cell->bytes[rule] = cell->seconds[rule] = NAN;
	if (!known->divided[rule]) { /* a stated risk once for all sizes, as requests have it */
		known->divided[rule] = true;
		status = ft__request_init(a, risk, &known->request[rule], &why);
		if (!status)
			status = risk < 0 ? FT_OK : ft__request_split(a, size, &known->request[rule], &why);
		known->failed[rule] = status != FT_OK;
	}
	struct ft_request q = known->request[rule];
	if (!status && !known->failed[rule] && risk < 0)
		status = ft__request_least(a, size, 1, &q, &why);
	if (!status && !known->failed[rule])
		status = ft__request_needs(a, size, &q, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || known->failed[rule])
		return FT_OK;
	if (q.memory.resource && !q.memory.doubt && !q.refuted && q.memory.most > 0 &&
	    isfinite(q.memory.most))
		cell->bytes[rule] = q.memory.most;
	if (q.time.resource && !q.time.doubt && q.time.most > 0 && isfinite(q.time.most))
		cell->seconds[rule] = q.time.most;
	return FT_OK;
}

/* The requests of all rules at a size; kept until the next model. */
static enum ft_status ask_point(struct replay_work *r, const struct ft_size *size, struct replay_cell *out,
				struct ft_err *err)
{
	struct replay_known *known = &r->known;
	uint64_t hash = ft_hash_bytes(FT_HASH_START, size->value, size->n * sizeof *size->value);
	struct replay_cell *cell = &known->cell[hash % CELLS];

	if (!cell->filled || !ft_size_equal(&cell->size, size)) {
		cell->filled = false;
		cell->size = *size;
		for (size_t k = 0; k < r->options->n_rules; k++)
			if (r->options->rule[k].kind == FT_REPLAY_RISK)
				FT_TRY(ask_model(known, k, r->options->rule[k].value, size, cell, err));
		cell->filled = true;
	}
	*out = *cell;
	return FT_OK;
}

/* On a line between two requests; NaN where one is not given. */
static double between(double low, double high, double share)
{
	return low * pow(high / low, share);
}

/* The requests of all rules for a job. */
static enum ft_status ask_cell(struct replay_work *r, const struct ft_replay_job *job,
			       struct replay_cell *out, struct ft_err *err)
{
	const struct ft_param *param = &r->known.model.program.param[0];
	struct ft_size size = {.n = r->known.model.program.n_params, .value = {1}}, low, high;
	struct replay_cell above;

	for (size_t i = 0; i < job->n_size; i++)
		size.value[i] = job->size[i];
	if (job->n_size != 1 || !(size.value[0] > 0) || r->known.n < MANY)
		return ask_point(r, &size, out, err);
	low = high = size;
	low.value[0] = exp(apart * floor(log(size.value[0]) / apart));
	high.value[0] = exp(apart * (floor(log(size.value[0]) / apart) + 1));
	if (size.value[0] >= param->least) /* no request outside the measured range for that alone */
		low.value[0] = fmax(low.value[0], param->least);
	if (size.value[0] <= param->most)
		high.value[0] = fmin(high.value[0], param->most);
	FT_TRY(ask_point(r, &low, out, err));
	if (!(high.value[0] > low.value[0]))
		return FT_OK;
	FT_TRY(ask_point(r, &high, &above, err));
	double share = log(size.value[0] / low.value[0]) / log(high.value[0] / low.value[0]);
	for (size_t k = 0; k < r->options->n_rules; k++) {
		out->bytes[k] = between(out->bytes[k], above.bytes[k], share);
		out->seconds[k] = between(out->seconds[k], above.seconds[k], share);
	}
	return FT_OK;
}

/* All tries of a job that needs so much, from its first request on. */
static void try_job(struct ft_replayed *out, const struct replay_known *known, double need_bytes,
		    double need_s, double wall_s)
{
	double bytes = out->asked_bytes, seconds = out->asked_s;

	out->byte_s = bytes > 0 ? 0 : (double)NAN;
	out->limit_s = seconds > 0 ? seconds : (double)NAN;
	while (bytes < need_bytes || seconds < need_s) { /* false of NaN */
		out->byte_s += bytes * (seconds < wall_s ? seconds : wall_s);
		out->killed++;
		if (bytes < need_bytes)
			bytes = bytes < known->seen_bytes ? known->seen_bytes : 2 * bytes;
		if (seconds < need_s)
			seconds = seconds < known->seen_s ? known->seen_s : 2 * seconds;
		out->limit_s += seconds;
	}
	out->byte_s += bytes * wall_s;
}

/* Under one rule. Where a job keeps its own request, it ended well with that, whatever was seen of it. */
static void judge_rule(const struct replay_work *r, const struct ft_replay_job *job, size_t rule,
		       const struct replay_cell *cell, struct ft_replayed *out)
{
	const struct replay_known *known = &r->known;
	const struct ft_replay_rule *of = &r->options->rule[rule];
	bool memory = job->asked_bytes > 0 && job->bytes > 0, time = job->asked_s > 0;
	double bytes = NAN, seconds = NAN;

	*out = (struct ft_replayed){.asked_s = NAN, .asked_bytes = NAN};
	if (cell && of->kind == FT_REPLAY_RISK) {
		bytes = cell->bytes[rule];
		seconds = cell->seconds[rule];
	} else if (cell && of->kind == FT_REPLAY_SEEN) {
		bytes = known->seen_bytes > 0 ? of->value * known->seen_bytes : (double)NAN;
		seconds = known->seen_s > 0 ? of->value * known->seen_s : (double)NAN;
	}
	out->own = of->kind != FT_REPLAY_OWN && isnan(memory ? bytes : seconds);
	if (memory)
		out->asked_bytes = isnan(bytes) ? job->asked_bytes : mib * ceil(bytes / mib);
	if (time)
		out->asked_s = isnan(seconds) ? job->asked_s : minute_s * ceil(seconds / minute_s);
	try_job(out, known, isnan(bytes) ? 0 : job->bytes, isnan(seconds) ? 0 : job->wall_s, job->wall_s);
}

static enum ft_status judge_job(struct replay_work *r, size_t at, struct ft_err *err)
{
	const struct ft_replay_job *job = &r->job[at];
	struct replay_known *known = &r->known;
	struct ft_replayed by_rule[FT_REPLAY_RULES];
	struct replay_cell cell;

	bool time = job->asked_s > 0, memory = job->asked_bytes > 0 && job->bytes > 0;

	if ((time && !known->time) || (memory && !known->memory)) {
		known->time = known->time || time;
		known->memory = known->memory || memory;
		known->next = 0;
	}
	bool old = known->n >= r->options->first;

	if (old) {
		if (known->n >= known->next)
			FT_TRY(fit_program(r, job->n_size, err));
		FT_TRY(ask_cell(r, job, &cell, err));
	}
	for (size_t k = 0; k < r->options->n_rules; k++)
		judge_rule(r, job, k, old ? &cell : NULL, &by_rule[k]);
	r->options->judged(r->options->ctx, at, by_rule);
	return FT_OK;
}

/* ---- all of them ----------------------------------------------------------------------------------------
 */

/* Jobs [n] of one program by the moments of their requests, and those that teach [n_ended] by their ends. */
static enum ft_status replay_program(struct replay_work *r, const uint32_t *made, size_t n,
				     const uint32_t *ended, size_t n_ended, struct ft_err *err)
{
	struct replay_known *known = &r->known;

	forget_program(known);
	known->ended = ended;
	for (size_t i = 0; i < n; i++) {
		while (known->n < n_ended && r->job[ended[known->n]].ended_s < r->job[made[i]].made_s)
			see_job(known, &r->job[ended[known->n]]);
		FT_TRY(judge_job(r, made[i], err));
		if (++r->done % 256 == 0 && r->options->progress &&
		    !r->options->progress(r->options->ctx, r->done))
			return ft_fail(err, FT_EINTR, "interrupted");
	}
	return FT_OK;
}

/* How often models of programs with sizes, or without, are renewed. The cost of those with sizes grows with their
 * jobs. */
static double find_growth(const struct ft_replay_job *job, const uint32_t *made, size_t n, bool sized,
			  const struct ft_replay_options *options)
{
	for (double growth = renewed;; growth *= coarser) {
		double models = 0;
		size_t last;

		for (size_t from = 0; from < n; from = last) {
			for (last = from; last < n && job[made[last]].program == job[made[from]].program;)
				last++;
			if ((job[made[from]].n_size > 0) != sized)
				continue;
			for (size_t k = options->first; k < last - from; k += renewed_after(growth, k))
				models += sized ? fmin(1, (double)k / FT_REPLAY_LEARN) : 1 / unsized_models;
		}
		if (models <= (double)options->models || growth * coarser > coarsest[sized])
			return growth;
	}
}

enum ft_status ft_replay_jobs(const struct ft_replay_job *job, size_t n,
			      const struct ft_replay_options *options, struct ft_err *err)
{
	uint32_t *made, *ended;
	struct replay_work *r;
	size_t n_made = 0, n_ended = 0, last, end;
	enum ft_status status;

	if (options->n_rules > FT_REPLAY_RULES || !options->first || !options->models)
		return ft_fail(err, FT_EINVAL, "%zu rules, from job %zu on, with %zu models",
			       options->n_rules, options->first, options->models);
	for (size_t i = 0; i < options->n_rules; i++) {
		const struct ft_replay_rule *rule = &options->rule[i];
		struct ft_answerer none = {.requested = {.query = true, .memory = &ft_peak_tree_bytes}};
		struct ft_request q;

		if (rule->kind == FT_REPLAY_RISK)
			FT_TRY(ft__request_init(&none, rule->value, &q, err));
		else if (rule->kind == FT_REPLAY_SEEN && !(rule->value > 0 && isfinite(rule->value)))
			return ft_fail(err, FT_EINVAL, "%g times the most seen is no request", rule->value);
	}
	if (n > UINT32_MAX)
		return ft_fail(err, FT_EINVAL, "%zu jobs are too many", n);
	made = ft_calloc(n + 1, sizeof *made);
	ended = ft_calloc(n + 1, sizeof *ended);
	r = ft_calloc(1, sizeof *r);
	struct replay_cell *cell = ft_calloc(CELLS, sizeof *cell);
	status = made && ended && r && cell ? FT_OK : ft_nomem(err);
	for (size_t i = 0; i < n && !status; i++) {
		if (is_judged(&job[i]))
			made[n_made++] = (uint32_t)i;
		if (teaches(&job[i]) && !isnan(job[i].ended_s))
			ended[n_ended++] = (uint32_t)i;
	}
	if (!status) {
		qsort_r(made, n_made, sizeof *made, compare_moments, &(struct replay_order){job, false});
		qsort_r(ended, n_ended, sizeof *ended, compare_moments, &(struct replay_order){job, true});
		r->job = job;
		r->options = options;
		for (int sized = 0; sized < 2; sized++)
			r->growth[sized] = find_growth(job, made, n_made, sized, options);
		r->known.cell = cell;
		r->known.model.program.name = (char *)"job"; /* borrowed: never cleared */
		r->known.model.program.hash = (char *)"";
	}
	for (size_t from = 0, first = 0; from < n_made && !status; from = last, first = end) {
		uint32_t program = job[made[from]].program;

		for (last = from; last < n_made && job[made[last]].program == program; last++)
			;
		while (first < n_ended && job[ended[first]].program < program)
			first++;
		for (end = first; end < n_ended && job[ended[end]].program == program; end++)
			;
		status = replay_program(r, made + from, last - from, ended + first, end - first, err);
	}
	if (r)
		forget_program(&r->known);
	ft_free(made);
	ft_free(ended);
	ft_free(cell);
	ft_free(r);
	return status;
}
