/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.c - chooses the source of an answer: an expert's statement, a table of runs, or the model. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "num/num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Among very many runs the few that answers need besides the models: which parameters differ and between
 * which values, which resources there are and from which probes, the first run and the newest, the largest
 * footprint. Found once, when all were loaded, their numbers are stored, and they represent all until a run
 * is added or removed.
 */

/* Fewer are read in a millisecond. */
enum { MANY = 500 };

static void key_of(const struct ft_answerer *a, char key[64])
{
	(void)snprintf(key, 64, "some %" PRId64 " %" PRId64, a->program.id, a->machine.id);
}

/* A constraint names the nearest size of all, a stated law is set to all runs. */
static bool may_stand(const struct ft_answerer *a)
{
	return a->n_runs >= MANY && !a->program.where && !a->knowledge.n_stated;
}

/* ---- choice ------------------------------------------------------------------------------------------- */

/* Samples of a resource from a probe: with a value, or why without. */
struct few_kind {
	const struct ft_sample *like;
	size_t run; /* the first with a value; the newest without */
};

static struct few_kind *find_kind(struct few_kind *kind, size_t *n, const struct ft_sample *sample)
{
	bool known = !isnan(sample->value);

	for (size_t i = 0; i < *n; i++)
		if (known == !isnan(kind[i].like->value) && kind[i].like->resource == sample->resource &&
		    !strcmp(kind[i].like->probe, sample->probe))
			return &kind[i];
	if (*n == FT__KINDS_MOST)
		return NULL;
	kind[*n] = (struct few_kind){.like = sample, .run = SIZE_MAX};
	return &kind[(*n)++];
}

/* False: there are too many. */
static bool choose_kinds(struct ft_answerer *a, bool *chosen)
{
	const struct ft_runs *runs = &a->runs;
	struct few_kind kinds[FT__KINDS_MOST], *kind;
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = 0; k < runs->run[i].n_samples; k++) {
			kind = find_kind(kinds, &n, &runs->run[i].sample[k]);
			if (!kind)
				return false;
			if (kind->run == SIZE_MAX || isnan(kind->like->value))
				kind->run = i;
		}
	for (size_t i = 0; i < n; i++) {
		chosen[kinds[i].run] = true;
		if (!isnan(kinds[i].like->value))
			a->valued[a->n_valued++] = kinds[i].like->resource;
	}
	return true;
}

/* The run with the largest value of something; SIZE_MAX: none has it. */
static size_t largest_run(const struct ft_runs *runs, double (*what)(const struct ft_run *run, size_t param),
			  size_t param)
{
	size_t best = SIZE_MAX;
	double most = -INFINITY;

	for (size_t i = 0; i < runs->n; i++) {
		double value = what(&runs->run[i], param);

		if (value > most && !runs->run[i].warmup) {
			most = value;
			best = i;
		}
	}
	return best;
}

static double value_at(const struct ft_run *run, size_t param)
{
	return run->size.value[param];
}

static double value_below(const struct ft_run *run, size_t param)
{
	return -run->size.value[param];
}

static double footprint_of(const struct ft_run *run, size_t param)
{
	(void)param;
	return ft_run_footprint(run);
}

static void mark_chosen(bool *chosen, size_t i)
{
	if (i != SIZE_MAX)
		chosen[i] = true;
}

/* False: they cannot represent all: some run failed, and answers need all of them. */
static bool choose_few(struct ft_answerer *a, bool *chosen)
{
	const struct ft_runs *runs = &a->runs;

	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome != FT_DONE)
			return false;
	chosen[0] = chosen[runs->n - 1] = chosen[ft_runs_newest(runs) - runs->run] = true;
	mark_chosen(chosen, largest_run(runs, footprint_of, 0));
	for (size_t i = 0; i < a->program.n_params; i++) {
		mark_chosen(chosen, largest_run(runs, value_at, i));
		mark_chosen(chosen, largest_run(runs, value_below, i));
	}
	return choose_kinds(a, chosen);
}

/* "5000 7312 0 0 1.02 -1 1 1 17 7312": the number of runs, the newest's number, when the first began; the
 * summary of all of them (others: -1: not known), the strides of the parameters; and the chosen runs. */
static void keep_few(struct ft_answerer *a, const bool *chosen)
{
	struct ft_text text = {0};
	char key[64], *list;

	a->whole = ft_ask_all(a);
	ft_text_add(&text, "%zu %" PRId64 " %" PRId64 " %zu ", a->runs.n, a->runs.run[a->runs.n - 1].id,
		    a->since_ns, a->whole.real);
	ft_text_add_number(&text, a->whole.slow_down);
	ft_text_add_bytes(&text, " ", 1);
	ft_text_add_number(&text, isnan(a->whole.others) ? -1 : a->whole.others);
	for (size_t i = 0; i < a->program.n_params; i++) {
		ft_text_add_bytes(&text, " ", 1);
		ft_text_add_number(&text, a->program.param[i].stride);
	}
	for (size_t i = 0; i < a->runs.n; i++)
		if (chosen[i])
			ft_text_add(&text, " %" PRId64, a->runs.run[i].id);
	list = ft_text_take(&text);
	key_of(a, key);
	a->stands = list && !ft_store_put_known(a->store, key, list, NULL);
	ft_free(list);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static enum ft_status read_ids(struct ft_answerer *a, const char *text, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	char *end;

	while (!status && *text) {
		status = ft_store_get_run(a->store, strtoll(text, &end, 10), &a->runs, err);
		text = end == text ? text + strlen(text) : end;
	}
	return status;
}

/* The next of some numbers; false: there is none. */
static bool next_number(const char **text, double *value)
{
	*text += strspn(*text, " \n");
	return ft__number_scan_signed(*text, text, value);
}

/* The next that is a count. */
static bool next_count(const char **text, size_t *count)
{
	double value;

	if (!next_number(text, &value) || !(value >= 0 && value <= 0x1p53))
		return false;
	*count = (size_t)value;
	return true;
}

/* Parse the summary of all runs; false: the stored text is damaged. */
static bool read_all(struct ft_answerer *a, const char **text)
{
	double stride[FT_PARAMS_MAX];

	if (!next_count(text, &a->whole.real) || !next_number(text, &a->whole.slow_down) ||
	    !next_number(text, &a->whole.others))
		return false;
	for (size_t i = 0; i < a->program.n_params; i++)
		if (!next_number(text, &stride[i]) || !(stride[i] > 0))
			return false;
	for (size_t i = 0; i < a->program.n_params; i++)
		a->program.param[i].stride = stride[i];
	a->whole.others = a->whole.others < 0 ? (double)NAN : a->whole.others;
	return true;
}

/* *found: the few stand for all, and were read. */
static enum ft_status read_few(struct ft_answerer *a, bool *found, struct ft_err *err)
{
	char key[64], *text;
	size_t runs = 0, newer = 1;
	int64_t newest = 0;
	int length = 0;
	enum ft_status status = FT_OK;

	*found = false;
	key_of(a, key);
	if (!may_stand(a) || ft_store_get_known(a->store, key, &text, NULL))
		return FT_OK;
	if (sscanf(text, "%zu %" SCNd64 " %" SCNd64 "%n", &runs, &newest, &a->since_ns, &length) == 3 &&
	    runs == a->n_runs)
		status = ft_store_count_runs(a->store, a->program.id, a->machine.id, newest, &newer, err);
	const char *at = text + length;
	a->stands = *found = !status && !newer && read_all(a, &at);
	if (*found)
		status = read_ids(a, at, err);
	ft_free(text);
	return status;
}

static void set_since(struct ft_answerer *a)
{
	a->since_ns = 0;
	for (size_t i = 0; i < a->runs.n; i++) {
		int64_t ns = a->runs.run[i].started_ns;

		if (ns && (!a->since_ns || ns < a->since_ns))
			a->since_ns = ns;
	}
}

enum ft_status ft__ask_read_whole(struct ft_answerer *a, struct ft_err *err)
{
	struct ft_runs runs = {0};

	if (a->runs.n >= a->n_runs)
		return FT_OK;
	enum ft_status status = ft_store_get_runs(a->store, a->program.id, a->machine.id, &runs, err);
	if (status) {
		ft_runs_clear(&runs); /* none is left in it, except its memory */
		return status;
	}
	a->left_out = ft_runs_settle(&runs);
	a->few = a->runs; /* callers that hold one keep it */
	a->runs = runs;
	a->n_runs = runs.n;
	set_since(a);
	return FT_OK;
}

enum ft_status ft__ask_read_runs(struct ft_answerer *a, bool few, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	bool found = false;

	if (few)
		status = read_few(a, &found, err);
	if (!status && !found)
		status = ft__ask_read_whole(a, err);
	if (status || found || !few || !may_stand(a) || a->left_out)
		return status;
	bool *chosen = ft_calloc(a->runs.n, sizeof *chosen);
	if (!chosen)
		return ft_nomem(err);
	status = ft_program_settle(&a->program, &a->runs, err); /* the strides are stored, too */
	if (!status && choose_few(a, chosen))
		keep_few(a, chosen);
	ft_free(chosen);
	return status;
}

/* ---- all runs ----------------------------------------------------------------------------------- */

struct ft_ask_whole ft_ask_all(const struct ft_answerer *answerer)
{
	const struct ft_runs *runs = &answerer->runs;
	struct ft_ask_whole all = {0};

	if (runs->n < answerer->n_runs)
		return answerer->whole;
	for (size_t i = 0; i < runs->n; i++)
		all.real += runs->run[i].real;
	all.slow_down = ft_runs_slow_down(runs, &all.others);
	return all;
}

/* "5000 7312" as above, and a line for each size: its values, how many runs have a value of the resource,
 * and, where any has, the median, the least and the most. */
static void keep_values(struct ft_answerer *a, const char *key, const struct ft_size_values *values, size_t n)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%zu %" PRId64, a->n_runs, a->runs.run[a->runs.n - 1].id);
	for (size_t i = 0; i < n; i++) {
		const struct ft_size_values *v = &values[i];
		const double of[] = {v->median, v->least, v->most};

		for (size_t k = 0; k < v->size.n; k++) {
			ft_text_add_bytes(&text, k ? " " : "\n", 1);
			ft_text_add_number(&text, v->size.value[k]);
		}
		ft_text_add(&text, " %zu", v->n);
		for (size_t k = 0; k < 3 && v->n; k++) {
			ft_text_add_bytes(&text, " ", 1);
			ft_text_add_number(&text, of[k]);
		}
	}
	char *list = ft_text_take(&text);
	if (list)
		(void)ft_store_put_known(a->store, key, list, NULL);
	ft_free(list);
}

/* NULL: the stored text is of other runs, or damaged; or there is no memory. */
static struct ft_size_values *read_values(const struct ft_answerer *a, const char *text, size_t *n)
{
	struct ft_size_values *values = NULL;
	size_t runs = 0, newest = 0, capacity = 0, k;
	bool good = next_count(&text, &runs) && next_count(&text, &newest) && runs == a->n_runs &&
		    (int64_t)newest == a->runs.run[a->runs.n - 1].id;

	for (*n = 0; good && *text; ++*n) {
		struct ft_size_values v = {
			.size.n = a->program.n_params, .median = NAN, .least = NAN, .most = NAN};
		struct ft_size_values *grown = ft_grow(values, *n, &capacity, sizeof *grown);

		values = grown ? grown : values;
		for (k = 0, good = grown; good && k < v.size.n; k++)
			good = next_number(&text, &v.size.value[k]);
		good = good && next_count(&text, &v.n);
		if (v.n)
			good = good && next_number(&text, &v.median) && next_number(&text, &v.least) &&
			       next_number(&text, &v.most);
		if (good)
			values[*n] = v;
	}
	if (good)
		return values;
	ft_free(values);
	return NULL;
}

/* Values and runs that became sums, together, where they are of one size. */
static int compare_values(const void *size, const void *values)
{
	return ft_size_compare(size, &((const struct ft_size_values *)values)->size);
}

/* Add to the values of each size those of runs of which only sums and quantiles are left. */
static enum ft_status add_folded(const struct ft_answerer *a, const struct ft_resource *resource,
				 struct ft_size_values *values, size_t n, struct ft_err *err)
{
	struct ft_folded *folded;
	struct ft_sketch **of;
	size_t n_folded;

	if (!a->n_folded || !n)
		return FT_OK;
	FT_TRY(ft_store_get_folded(a->store, a->program.id, a->machine.id, resource, &folded, &n_folded,
				   err));
	of = ft_calloc(n, sizeof *of);
	if (!of) {
		ft_free(folded);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < n_folded; i++) {
		const struct ft_size_values *at =
			bsearch(&folded[i].size, values, n, sizeof *values, compare_values);

		if (at)
			of[at - values] = &folded[i].sketch;
	}
	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];
		const struct ft_size_values *at =
			run->outcome != FT_DONE || run->warmup
				? NULL
				: bsearch(&run->size, values, n, sizeof *values, compare_values);

		if (at && of[at - values])
			ft_sketch_add(of[at - values], ft_run_idle_value(run, resource));
	}
	for (size_t i = 0; i < n; i++)
		if (of[i] && of[i]->n) {
			values[i].n = of[i]->n;
			values[i].median = ft_sketch_quantile(of[i], 0.5);
			values[i].least = of[i]->least;
			values[i].most = of[i]->most;
		}
	ft_free(of);
	ft_free(folded);
	return FT_OK;
}

enum ft_status ft_ask_values(struct ft_answerer *answerer, const struct ft_resource *resource,
			     struct ft_size_values **out, size_t *n, struct ft_err *err)
{
	char key[96], *text;

	*out = NULL;
	(void)snprintf(key, sizeof key, "values %" PRId64 " %" PRId64 " %s", answerer->program.id,
		       answerer->machine.id, resource->name);
	if (answerer->runs.n && answerer->runs.n < answerer->n_runs &&
	    !ft_store_get_known(answerer->store, key, &text, NULL)) {
		*out = read_values(answerer, text, n);
		ft_free(text);
		if (*out)
			return FT_OK;
	}
	enum ft_status status = ft__ask_read_whole(answerer, err);
	if (!status)
		status = ft_runs_values(&answerer->runs, resource, out, n, err);
	if (!status && (status = add_folded(answerer, resource, *out, *n, err))) {
		ft_free(*out);
		*out = NULL;
		*n = 0;
	}
	if (!status && answerer->stands)
		keep_values(answerer, key, *out, *n);
	return status;
}

/*
 * Scale a law that an expert stated to the runs.
 *
 * value ~ start + scale L: an expert knows how a program grows, seldom how fast the machine is or what its
 * start-up costs. doc/answers.md, "Laws that were stated".
 */

static const double fits_within = 0.1;  /* a law with at most this error fits */
static const double noise_least = 0.02; /* of a single run, if no size was repeated */
/* Of an exponent without any evidence: as in the model's own extrapolation. */
static const double slope_prior = 0.25;
enum { WITH_START = 4 /* sizes, at least */ };

/* ---- runs by size ------------------------------------------------------------------------------------- */

static bool counts_run(const struct ft_run *run, const void *resource)
{
	return run->outcome == FT_DONE && !run->warmup && !isnan(ft_run_value(run, resource));
}

/* value: [runs->n] working space. */
static struct ft__median summarise_size(const struct ft_size_runs *runs, const struct ft_resource *resource,
					double *value)
{
	struct ft__median median = {.size = runs->run[0]->size, .runs = runs->n};
	double mean = 0;

	for (size_t i = 0; i < runs->n; i++)
		value[i] = ft_run_idle_value(runs->run[i], resource);
	median.median = ft_stats_median(value, runs->n);
	for (size_t i = 0; i < runs->n; i++)
		mean += log(fmax(value[i], 1e-300)) / (double)runs->n;
	for (size_t i = 0; i < runs->n; i++)
		median.squares += pow(log(fmax(value[i], 1e-300)) - mean, 2);
	return median;
}

/* ask_medians - of the values of a resource, by size. out: [*n] heap, ends with ft_free. */
static enum ft_status ask_medians(const struct ft_answerer *answerer, const struct ft_resource *resource,
				  struct ft__median **out, size_t *n, struct ft_err *err)
{
	double *value = ft_calloc(answerer->runs.n + 1, sizeof *value);
	struct ft_by_size by_size = {0};
	enum ft_status status = ft_runs_by_size(&answerer->runs, counts_run, resource, &by_size, err);

	*out = ft_calloc(by_size.n + 1, sizeof **out);
	if (!status && (!value || !*out))
		status = ft_nomem(err);
	for (*n = 0; *n < by_size.n && !status; ++*n)
		(*out)[*n] = summarise_size(&by_size.at[*n], resource, value);
	if (status) {
		ft_free(*out);
		*out = NULL;
	}
	ft_by_size_clear(&by_size);
	ft_free(value);
	return status;
}

/* ---- the fit ------------------------------------------------------------------------------------------ */

/* The sizes of a fit: the law there, and what was measured. */
struct calibrate_points {
	struct ft__median *at;
	double *law;
	size_t n;
};

/* Least squares of (start + scale L) / value - 1; false when start or scale are not above zero. */
static bool fit_line(const struct calibrate_points *p, double *start, double *scale)
{
	double a11 = 0, a12 = 0, a22 = 0, b1 = 0, b2 = 0;

	for (size_t i = 0; i < p->n; i++) {
		double one = 1 / p->at[i].median, law = p->law[i] / p->at[i].median;

		a11 += one * one;
		a12 += one * law;
		a22 += law * law;
		b1 += one;
		b2 += law;
	}
	double det = a11 * a22 - a12 * a12;
	if (!(det > 1e-12 * a11 * a22))
		return false;
	*start = (b1 * a22 - b2 * a12) / det;
	*scale = (b2 * a11 - b1 * a12) / det;
	return *start >= 0 && *scale > 0;
}

static double fit_scale(const struct calibrate_points *p)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += log(p->at[i].median / p->law[i]) / (double)p->n;
	return exp(sum);
}

/* The trend of residuals with the value: the exponent that the law lacks, and its standard error. */
static double slope_of(const struct calibrate_points *p, const struct ft_calibrated_law *c, double floor)
{
	double mean_u = 0, mean_e = 0, uu = 0, ue = 0;

	for (size_t i = 0; i < p->n; i++) {
		double fitted = c->start + c->scale * p->law[i];

		mean_u += log(fitted) / (double)p->n;
		mean_e += log(p->at[i].median / fitted) / (double)p->n;
	}
	for (size_t i = 0; i < p->n; i++) {
		double fitted = c->start + c->scale * p->law[i], du = log(fitted) - mean_u;

		uu += du * du;
		ue += du * (log(p->at[i].median / fitted) - mean_e);
	}
	if (!(uu > 0))
		return slope_prior;
	return fmin(slope_prior, sqrt(pow(ue / uu, 2) + pow(fmax(c->error, floor), 2) / uu));
}

static void judge_law(const struct calibrate_points *p, struct ft_calibrated_law *c)
{
	double squares = 0, within = 0, repeats = 0, noise;

	c->sizes = p->n;
	c->least = INFINITY;
	for (size_t i = 0; i < p->n; i++) {
		double fitted = c->start + c->scale * p->law[i];

		squares += pow(log(p->at[i].median / fitted), 2);
		within += p->at[i].squares;
		repeats += (double)(p->at[i].runs - 1);
		c->runs += p->at[i].runs;
		c->least = fmin(c->least, fitted);
		c->most = fmax(c->most, fitted);
	}
	c->noise = repeats > 0 ? sqrt(within / repeats) : (double)NAN;
	noise = fmax(noise_least, isnan(c->noise) ? 0 : c->noise);
	c->dof = (double)p->n - (c->start > 0 ? 2 : 1);
	c->error = p->n > 1 ? sqrt(squares / c->dof) : (double)NAN;
	c->slope = p->n > 1 ? slope_of(p, c, noise) : slope_prior;
	c->fits = p->n == 1 || c->error <= fmax(fits_within, isnan(c->noise) ? 0 : 2 * c->noise);
}

static enum ft_status read_points(struct ft_answerer *a, const struct ft_resource *resource,
				  struct calibrate_points *p, struct ft_err *err)
{
	enum ft_status status = ask_medians(a, resource, &p->at, &p->n, err);

	if (!status && !p->n)
		return ft_fail(err, FT_ENOMODEL, "no run that ended well has a value of %s", resource->name);
	if (status)
		return status;
	p->law = ft_calloc(p->n, sizeof *p->law);
	if (!p->law)
		return ft_nomem(err);
	for (size_t i = 0; i < p->n && !status; i++) {
		status = ft_knowledge_value(&a->knowledge, &a->program, resource, &p->at[i].size, &p->law[i],
					    err);
		if (!status && (!(p->law[i] > 0) || !(p->at[i].median > 0)))
			status = ft_fail(err, FT_EINVAL,
					 "the stated law of %s cannot be compared with runs that are 0",
					 resource->name);
	}
	return status;
}

enum ft_status ft_ask_calibrate(struct ft_answerer *answerer, const struct ft_resource *resource,
				struct ft_calibrated_law *out, struct ft_err *err)
{
	struct calibrate_points points = {0};

	*out = (struct ft_calibrated_law){0};
	if (!ft_knowledge_law(&answerer->knowledge, resource))
		return ft_fail(err, FT_ENOENT, "no law of %s was stated", resource->name);
	enum ft_status status = read_points(answerer, resource, &points, err);
	if (!status) {
		if (points.n < WITH_START || !fit_line(&points, &out->start, &out->scale)) {
			out->start = 0;
			out->scale = fit_scale(&points);
		}
		judge_law(&points, out);
	}
	ft_free(points.at);
	ft_free(points.law);
	return status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

void ft__ask_by_law(const struct ft_calibrated_law *c, double law, double confidence,
		    struct ft_prediction *out)
{
	double value = c->start + c->scale * law, noise = fmax(noise_least, isnan(c->noise) ? 0 : c->noise);
	double error = isnan(c->error) ? 0 : c->error, beyond = 0, law_sd, sd, quantile;

	if (value > c->most)
		beyond = log(value / c->most);
	else if (value < c->least && value > 0)
		beyond = log(c->least / value);
	law_sd = sqrt(error * error * (1 + 1 / (double)c->sizes) + noise * noise / (double)c->runs +
		      pow(c->slope * beyond, 2));
	sd = hypot(law_sd, noise);
	quantile =
		c->dof >= 1 ? ft_student_t(confidence, c->dof + 1) : ft_normal_quantile((1 + confidence) / 2);
	*out = (struct ft_prediction){
		.value = value,
		.lower = value * exp(-fmin(quantile * sd, 700)),
		.upper = fmin(value * exp(fmin(quantile * sd, 700)), 1e300),
		.known = expm1(fmin(quantile * law_sd, 700)),
		.level = FT_LEVEL_LAW,
		.basis = FT_BASIS_STATED,
		.distance = 1,
		.runs = c->runs,
	};
}

/*
 * Chooses the source of an answer: an expert's statement, a table of runs, or the model.
 */

/* A table estimates the noise of one size from few runs: the noise of all sizes has this many runs as its
   weight. */
static const double pooled_dof = 3;

/* The law alone, not checked by runs. */
static enum ft_status by_word(struct ft_answerer *a, const struct ft_resource *resource,
			      const struct ft_size *size, struct ft_prediction *out, struct ft_err *err)
{
	double value;
	enum ft_status status = ft_knowledge_value(&a->knowledge, &a->program, resource, size, &value, err);

	*out = (struct ft_prediction){0};
	if (!status)
		*out = (struct ft_prediction){.value = value,
					      .lower = NAN,
					      .upper = NAN,
					      .known = NAN,
					      .level = FT_LEVEL_LAW,
					      .basis = FT_BASIS_STATED,
					      .distance = 1};
	return status;
}

/* The runs of one size; the noise of all sizes helps where they are few. No size was repeated: no interval.
 */
static void by_row(const struct ft__median *row, double squares, double repeats, double confidence,
		   struct ft_prediction *out)
{
	double pooled = repeats > 0 ? squares / repeats : 0, own = (double)(row->runs - 1);
	double dof = fmin(repeats - own, pooled_dof) + own, sd, factor;

	*out = (struct ft_prediction){.value = row->median,
				      .lower = NAN,
				      .upper = NAN,
				      .known = NAN,
				      .level = FT_LEVEL_TABLE,
				      .basis = FT_BASIS_AT_KNOT,
				      .distance = 1,
				      .runs = row->runs};
	if (!(dof >= 1))
		return;
	sd = ft_student_t(confidence, dof) * sqrt(((dof - own) * pooled + row->squares) / dof);
	out->known = expm1(fmin(sd / sqrt((double)row->runs), 700));
	factor = exp(fmin(sd * sqrt(1 + 1 / (double)row->runs), 700));
	out->lower = out->value / factor;
	out->upper = fmin(out->value * factor, 1e300);
}

/* found: the size was run, and *out is from the table. */
static enum ft_status by_table(struct ft_answerer *a, const struct ft_resource *resource,
			       const struct ft_size *size, double confidence, struct ft_prediction *out,
			       bool *found, struct ft_err *err)
{
	double squares = 0, repeats = 0;
	struct ft__median *row;
	size_t n, i, at;
	enum ft_status status = ft__ask_read_whole(a, err);

	*found = false;
	if (!status)
		status = ask_medians(a, resource, &row, &n, err);
	if (status)
		return status;
	for (i = 0, at = n; i < n; i++) {
		squares += row[i].squares;
		repeats += (double)(row[i].runs - 1);
		if (ft_size_equal(&row[i].size, size))
			at = i;
	}
	*found = at < n;
	if (at < n)
		by_row(&row[at], squares, repeats, confidence, out);
	ft_free(row);
	return FT_OK;
}

/* How far a size lies outside the measured range, as models report it: the largest ratio of any parameter;
 * 1: it does not. */
static double distance_of(const struct ft_answerer *a, const struct ft_size *size)
{
	double distance = 1;

	for (size_t i = 0; i < size->n; i++) {
		double least = INFINITY, most = -INFINITY, x = size->value[i];

		for (size_t j = 0; j < a->runs.n; j++) {
			const struct ft_run *run = &a->runs.run[j];

			if (run->outcome != FT_DONE || run->warmup)
				continue;
			least = fmin(least, run->size.value[i]);
			most = fmax(most, run->size.value[i]);
		}
		if (x > 0 && least > 0 && isfinite(least))
			distance = fmax(distance, fmax(least / x, x / most));
	}
	return distance;
}

enum ft_status ft__ask_law_over_model(const struct ft_answerer *a, const struct ft_resource *resource,
				      const struct ft_calibrated_law *calibration, const struct ft_size *size,
				      double confidence, bool rough, struct ft_prediction *out,
				      struct ft_err *err)
{
	double law;

	if (out->basis != FT_BASIS_BEYOND && !(rough && out->basis == FT_BASIS_BETWEEN))
		return FT_OK;
	enum ft_status status = ft_knowledge_value(&a->knowledge, &a->program, resource, size, &law, NULL);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || !(law > 0))
		return FT_OK;
	ft__ask_by_law(calibration, law, confidence, out);
	out->distance = distance_of(a, size);
	return FT_OK;
}

/* The stated law, if it fits the runs and is valid at that size. */
static enum ft_status by_law(struct ft_answerer *a, const struct ft_resource *resource,
			     const struct ft_size *size, double confidence, bool rough,
			     struct ft_prediction *out, struct ft_err *err)
{
	struct ft_calibrated_law calibration;
	enum ft_status status = ft_ask_calibrate(a, resource, &calibration, NULL);

	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || !calibration.fits)
		return FT_OK;
	return ft__ask_law_over_model(a, resource, &calibration, size, confidence, rough, out, err);
}

enum ft_status ft__ask_here(struct ft_answerer *answerer, const struct ft_resource *resource,
			    const struct ft_size *size, double confidence, struct ft_prediction *out,
			    struct ft_err *err)
{
	bool stated = ft_knowledge_law(&answerer->knowledge, resource) != NULL, rough, done = false;
	struct ft_err why = {0};
	enum ft_status second = FT_OK;

	*out = (struct ft_prediction){0};
	if (stated && !ft__ask_has_value(answerer, resource))
		return by_word(answerer, resource, size, out, err);
	enum ft_status status =
		ft__ask_model_predict(answerer, resource, size, confidence, out, &rough, &why);
	if (!status && rough && out->basis == FT_BASIS_AT_KNOT)
		out->level = FT_LEVEL_TABLE; /* a knot is a row of the table */
	else if (!status && stated)
		second = by_law(answerer, resource, size, confidence, rough, out, err);
	else if (status == FT_EINVAL || status == FT_ENOMODEL)
		second = by_table(answerer, resource, size, confidence, out, &done, err);
	if (!second && !done && status) {
		second = status;
		if (err)
			*err = why;
	}
	if (second)
		*out = (struct ft_prediction){0};
	return second;
}

enum ft_status ft__ask_credible(const struct ft_resource *resource, struct ft_prediction *out,
				struct ft_err *err)
{
	static const double factor = 1000;
	const char *unit = resource->unit;
	double most = !strcmp(unit, "s")       ? FT_TIME_MOST_S
		      : !strcmp(unit, "bytes") ? FT_BYTES_MOST
					       : (double)INFINITY;

	if (isfinite(out->value) && out->value > most) {
		char text[FT_UNIT_LENGTH];

		(void)ft_fail(err, FT_ENOMODEL, "%s would be more than %s there: nothing known",
			      resource->name, ft_value_format(most, unit, text));
		return ft_remedy(err, "ask for a size nearer to those that were measured, or measure there");
	}
	if (out->upper > most)
		out->upper = INFINITY;
	if (out->lower > 0 && out->upper > factor * out->lower) {
		double side = sqrt(factor);

		out->upper = out->upper > side * out->value ? (double)INFINITY : out->upper;
		out->lower = out->lower * side < out->value ? 0 : out->lower;
	}
	if (pow(1 + out->known, 2) > factor)
		out->known = NAN;
	return FT_OK;
}

enum ft_status ft__ask_anyhow(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err)
{
	*out = (struct ft_prediction){0};
	if (ft__ask_by_power(answerer, resource))
		return ft__ask_power_predict(answerer, size, confidence, out, err);
	enum ft_status status =
		answerer->elsewhere ? ft__elsewhere_predict(answerer, resource, size, confidence, out, err)
				    : ft__ask_here(answerer, resource, size, confidence, out, err);
	if (!status)
		status = ft__ask_beside(answerer, resource, size, confidence, out, err);
	if (status)
		*out = (struct ft_prediction){0};
	return status;
}

enum ft_status ft_ask_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err)
{
	enum ft_status status = ft__ask_anyhow(answerer, resource, size, confidence, out, err);

	if (!status)
		status = ft__ask_credible(resource, out, err);
	if (status)
		*out = (struct ft_prediction){0};
	return status;
}
