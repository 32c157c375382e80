/* SPDX-License-Identifier: GPL-3.0-or-later */
/* few.c - of very many runs the few that tell what answers of models need beside the models themselves: which
 * parameters differ and between which values, which resources there are and from which probes, the first run
 * and the newest, the largest footprint. Found once, when all were read, they are kept by number in the
 * store, and stand for all until a run is added or removed. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/by_size.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer are read in a hundredth of a second; more kinds of samples are no program's. */
enum { MANY = 5000, KINDS_MOST = 128 };

static void key_of(const struct ft_answerer *a, char key[64])
{
	(void)snprintf(key, 64, "some %" PRId64 " %" PRId64, a->program.id, a->machine.id);
}

/* A constraint names the nearest size of all, a stated law is set to all runs. */
static bool may_stand(const struct ft_answerer *a)
{
	return a->n_runs >= MANY && !a->program.where && !a->knowledge.n_stated;
}

/* ---- which ------------------------------------------------------------------------------------------- */

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
	if (*n == KINDS_MOST)
		return NULL;
	kind[*n] = (struct few_kind){.like = sample, .run = SIZE_MAX};
	return &kind[(*n)++];
}

/* False: there are too many. */
static bool choose_kinds(const struct ft_runs *runs, bool *chosen)
{
	struct few_kind kinds[KINDS_MOST], *kind;
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++)
		for (size_t k = 0; k < runs->run[i].n_samples; k++) {
			kind = find_kind(kinds, &n, &runs->run[i].sample[k]);
			if (!kind)
				return false;
			if (kind->run == SIZE_MAX || isnan(kind->like->value))
				kind->run = i;
		}
	for (size_t i = 0; i < n; i++)
		chosen[kinds[i].run] = true;
	return true;
}

/* The run of the largest of something; SIZE_MAX: none has it. */
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

/* False: they cannot stand for all: some run failed, and where only all of them tell. */
static bool choose_few(const struct ft_answerer *a, bool *chosen)
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
	return choose_kinds(runs, chosen);
}

/* "5000 7312 0 0 1.02 -1 1 1 17 7312": how many runs there are, the newest's number, when the first began;
 * what all of them together were (others: -1: not known), the strides of the parameters; and which. */
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

/* What all runs together were; false: what is kept is damaged. */
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
		ft_runs_clear(&runs); /* none is left in it, but its room */
		return status;
	}
	a->left_out = ft_runs_settle(&runs);
	a->few = a->runs; /* whoever was handed one keeps it */
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
	status = ft_program_settle(&a->program, &a->runs, err); /* the strides are kept, too */
	if (!status && choose_few(a, chosen))
		keep_few(a, chosen);
	ft_free(chosen);
	return status;
}

/* ---- of all of them ----------------------------------------------------------------------------------- */

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

/* NULL: what is kept is of other runs, or damaged; or there is no memory. */
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
	if (!status && answerer->stands)
		keep_values(answerer, key, *out, *n);
	return status;
}
