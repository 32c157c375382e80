/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.c - prepares a program's models for queries: found in the store, or fitted when they are missing or
 * stale. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"
#include "model/door.h"
#include "num/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ft__ask_forget(struct ft_answerer *answerer)
{
	for (size_t i = 0; i < answerer->n_records; i++) {
		ft_model_record_clear(answerer->record[i]);
		ft_free(answerer->record[i]);
	}
	ft_free(answerer->record);
	answerer->record = NULL;
	answerer->n_records = answerer->capacity = 0;
}

void ft_ask_close(struct ft_answerer *answerer)
{
	if (!answerer)
		return;
	ft__ask_forget(answerer);
	ft_load_functions_clear(&answerer->load);
	ft_loads_clear(&answerer->loads);
	ft_load_hours_clear(&answerer->hours);
	ft_slow_downs_clear(&answerer->slow_downs);
	ft_free(answerer->counter);
	ft_runs_clear(&answerer->runs);
	ft_runs_clear(&answerer->few);
	ft_knowledge_clear(&answerer->knowledge);
	ft__elsewhere_free(answerer->elsewhere);
	ft_travel_clear(&answerer->travel);
	ft_machine_clear(&answerer->machine);
	ft_program_clear(&answerer->program);
	ft_free(answerer);
}

const struct ft_program *ft_ask_program(const struct ft_answerer *answerer)
{
	return &answerer->program;
}

const struct ft_machine *ft_ask_machine(const struct ft_answerer *answerer)
{
	return &answerer->machine;
}

const struct ft_runs *ft_ask_runs(const struct ft_answerer *answerer)
{
	return &answerer->runs;
}

size_t ft_ask_count(const struct ft_answerer *answerer)
{
	return answerer->n_runs;
}

size_t ft_ask_folded(const struct ft_answerer *answerer)
{
	return answerer->n_folded;
}

size_t ft_ask_left_out(const struct ft_answerer *answerer)
{
	return answerer->left_out;
}

size_t ft_ask_older(const struct ft_answerer *answerer, int64_t *since_ns)
{
	if (since_ns)
		*since_ns = answerer->since_ns;
	return answerer->older;
}

const struct ft_knowledge *ft_ask_knowledge(const struct ft_answerer *answerer)
{
	return &answerer->knowledge;
}

static enum ft_status use_program(struct ft_answerer *a, int64_t id, struct ft_err *err)
{
	if (a->program.id == id)
		return FT_OK;
	ft_program_clear(&a->program);
	return ft_store_get_program_at(a->store, id, &a->program, err);
}

static enum ft_status use_entry(struct ft_answerer *a, const struct ft_store_entry *entry, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (!a->machine.id)
		status = ft_store_get_machine(a->store, entry->machine, &a->machine, err);
	return status ? status : use_program(a, entry->program, err);
}

/* The requested machine, and the newest program of that name with runs there: by the machine's name, this
 * one, or the only one on which the newest program of all was run. Entries are sorted by program, newest
 * first. */
static enum ft_status choose_machine(struct ft_answerer *a, const struct ft_store_list *list,
				     const char *name, struct ft_err *err)
{
	const struct ft_store_entry *only = NULL;
	size_t candidates = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];
		enum ft_status status = FT_OK;

		if (!entry->machine)
			continue;
		if (!name && entry->machine == a->here)
			return use_entry(a, entry, err);
		if (entry->current) {
			candidates++;
			only = entry;
		}
		if (!name)
			continue;
		status = ft_store_get_machine(a->store, entry->machine, &a->machine, err);
		if (!status && ft_machine_is_called(&a->machine, name))
			return use_entry(a, entry, err);
		ft_machine_clear(&a->machine);
		if (status)
			return status;
	}
	if (!name && candidates == 1)
		return use_entry(a, only, err);
	if ((a->knowledge.n_stated || a->travel.n) && !name && !candidates)
		return a->here ? ft_store_get_machine(a->store, a->here, &a->machine, err) : FT_OK;
	if (!candidates && !name) {
		(void)ft_fail(err, FT_ENOMODEL, "'%s' has no runs", a->program.name);
		(void)ft_remedy(err, "measure it with foretime build, or state a law with foretime set %s",
				a->program.name);
		return FT_ENOMODEL;
	}
	if (name)
		(void)ft_fail(err, FT_ENOENT, "'%s' has no runs on a machine '%s'", a->program.name, name);
	else if (!a->here)
		(void)ft_fail(err, FT_ENOENT, "'%s' has runs on %zu machines, and no machine was given",
			      a->program.name, candidates);
	else
		(void)ft_fail(err, FT_ENOENT,
			      "'%s' has no runs on this machine, and runs on %zu other machines",
			      a->program.name, candidates);
	(void)ft_remedy(err, "'foretime list %s' names the machines it was measured on", a->program.name);
	return FT_ENOENT;
}

static bool is_axis(const struct ft_answerer *a, size_t param)
{
	for (size_t i = 0; i < a->n_axes; i++)
		if (a->axis[i] == param)
			return true;
	return false;
}

/* The only value that a parameter has in the runs that ended well; NaN when it has several. */
static double only_value(const struct ft_answerer *a, size_t param)
{
	const struct ft_param *p = &a->program.param[param];
	double value = NAN;

	if (!a->runs.n && a->travel.n && !is_axis(a, param))
		return a->travel.part[0].at[0].size.value[param];
	if (!a->runs.n && p->least == p->most && p->least != 0)
		return p->least;
	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];

		if (run->outcome != FT_DONE || run->warmup)
			continue;
		if (!isnan(value) && run->size.value[param] != value)
			return NAN;
		value = run->size.value[param];
	}
	return value;
}

/* With several parameters all runs are needed, to find which of them rise together. */
enum ft_status ft__ask_find_axes(struct ft_answerer *a, struct ft_err *err)
{
	const struct ft_model *model;

	a->n_axes = ft_runs_axes(&a->runs, NULL, a->axis);
	/* Without runs models are functions of what the model from elsewhere is one of. */
	if (!a->runs.n && a->travel.n) {
		FT_TRY(ft_travel_model(&a->travel, a->travel.part[0].resource, a->prior, &model, err));
		a->n_axes = ft_model_axes(model, a->axis);
		return FT_OK;
	}
	if (!a->n_axes)
		a->axis[a->n_axes++] = ft_program_varying(&a->program);
	return a->n_axes > 1 ? ft__ask_read_whole(a, err) : FT_OK;
}

size_t ft_ask_axes(const struct ft_answerer *answerer, size_t *axis)
{
	memcpy(axis, answerer->axis, sizeof answerer->axis);
	return answerer->n_axes;
}

/* The requested program and machine; NULL: any. */
struct meant {
	const char *name, *device, *hash, *machine;
};

/* The model from elsewhere is one of the same parameters, in the same order; else it is of another program. */
static bool is_alike(const struct ft_program *a, const struct ft_program *b)
{
	for (size_t i = 0; i < a->n_params; i++)
		if (i >= b->n_params || strcmp(a->param[i].name, b->param[i].name) != 0)
			return false;
	return a->n_params == b->n_params;
}

/* The program of the store; one that it has not is that of a model from elsewhere. */
static enum ft_status find_program(struct ft_answerer *a, const char *name, struct ft_err *err)
{
	struct ft_err why = {0};
	enum ft_status status = ft_store_get_program(a->store, name, &a->program, &why),
		       found = status && status != FT_ENOENT
				       ? FT_ENOENT
				       : ft_travel_find(&a->travel, a->store, name, NULL);

	if (!status && !found && a->program.n_params && !is_alike(&a->program, &a->travel.program))
		ft_travel_clear(&a->travel);
	if (status == FT_ENOENT && !found)
		return ft_program_copy(&a->program, &a->travel.program, err);
	if (status && err)
		*err = why;
	return status;
}

static enum ft_status open_answerer(struct ft_answerer **out, struct ft_store *store,
				    const struct meant *meant, int64_t here, bool few, struct ft_err *err)
{
	struct ft_answerer *a = ft_calloc(1, sizeof *a);
	struct ft_store_list list = {0};

	*out = NULL;
	if (!a)
		return ft_nomem(err);
	a->store = store;
	a->prior = ft_store_prior(store);
	a->here = here;
	enum ft_status status = find_program(a, meant->name, err);
	if (!status)
		status = ft_store_get_knowledge(store, meant->name, &a->knowledge, err);
	if (!status && a->program.id)
		status = ft_store_find_runs(store, meant->name, &list, err);
	if (!status && a->program.id)
		status = ft_store_list_pick(&list, meant->name, meant->device, err);
	if (!status && meant->hash)
		status = ft_store_list_version(&list, meant->name, meant->hash, err);
	if (!status && list.n)
		status = use_program(a, list.entry[0].program, err);
	if (!status)
		status = choose_machine(a, &list, meant->machine, err);
	if (!status) {
		/* Count the entries of other executables behind ours, newest program first. */
		bool behind = false;

		for (size_t i = 0; i < list.n; i++) {
			const struct ft_store_entry *entry = &list.entry[i];

			if (entry->program == a->program.id)
				behind = true;
			if (!entry->machine || entry->machine != a->machine.id)
				continue;
			if (entry->program == a->program.id) {
				a->n_runs = entry->runs;
				a->n_folded = entry->folded;
			} else if (behind && entry->hash && *entry->hash && *a->program.hash)
				a->older += entry->runs;
		}
	}
	if (!status && a->machine.id)
		status = ft__ask_read_runs(a, few, err);
	if (!status)
		status = ft_program_settle(&a->program, &a->runs, err);
	if (!status)
		status = ft__ask_find_axes(a, err);
	if (!status)
		status = ft_runs_counters(&a->runs, &a->counter, &a->n_counters, err);
	ft_store_list_clear(&list);
	if (status)
		ft_ask_close(a);
	else
		*out = a;
	return status;
}

enum ft_status ft_ask_open(struct ft_answerer **out, struct ft_store *store, const char *name,
			   const char *machine, int64_t here, struct ft_err *err)
{
	return open_answerer(out, store, &(struct meant){name, NULL, NULL, machine}, here, false, err);
}

enum ft_status ft_ask_open_on(struct ft_answerer **out, struct ft_store *store, const char *name,
			      const char *device, const char *machine, int64_t here, struct ft_err *err)
{
	return open_answerer(out, store, &(struct meant){name, device, NULL, machine}, here, false, err);
}

enum ft_status ft_ask_open_version(struct ft_answerer **out, struct ft_store *store, const char *name,
				   const char *device, const char *hash, const char *machine, int64_t here,
				   struct ft_err *err)
{
	return open_answerer(out, store, &(struct meant){name, device, hash, machine}, here, false, err);
}

enum ft_status ft_ask_open_models(struct ft_answerer **out, struct ft_store *store, const char *name,
				  const char *device, const char *machine, int64_t here, struct ft_err *err)
{
	return open_answerer(out, store, &(struct meant){name, device, NULL, machine}, here, true, err);
}

enum ft_status ft_ask_open_runs(struct ft_answerer **out, const struct ft_program *program,
				struct ft_runs *runs, const struct ft_prior *prior, struct ft_err *err)
{
	struct ft_answerer *a = ft_calloc(1, sizeof *a);
	enum ft_status status = a ? ft_program_copy(&a->program, program, err) : ft_nomem(err);
	bool any = false;

	*out = NULL;
	for (size_t i = 0; i < runs->n; i++)
		any = any || runs->run[i].outcome == FT_DONE;
	if (!status && !any)
		status = ft_fail(err, FT_ENOMODEL, "no run of '%s' ended well", program->name);
	if (!a) {
		ft_runs_clear(runs);
		return status;
	}
	a->prior = prior;
	a->runs = *runs;
	*runs = (struct ft_runs){0};
	a->n_runs = a->runs.n;
	a->left_out = ft_runs_settle(&a->runs);
	if (!status)
		status = ft_program_settle(&a->program, &a->runs, err);
	if (!status)
		status = ft__ask_find_axes(a, err);
	if (!status)
		status = ft_runs_counters(&a->runs, &a->counter, &a->n_counters, err);
	if (status)
		ft_ask_close(a);
	else
		*out = a;
	return status;
}

bool ft__ask_has_value(const struct ft_answerer *answerer, const struct ft_resource *resource)
{
	/* The few that stand for very many have a run of each kind of sample. */
	const struct ft_runs *runs = answerer->few.n ? &answerer->few : &answerer->runs;

	for (size_t i = 0; i < answerer->n_valued; i++)
		if (answerer->valued[i] == resource)
			return true;
	for (size_t i = 0; !answerer->n_valued && i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE && !isnan(ft_run_value(&runs->run[i], resource)))
			return true;
	return ft_travel_has(&answerer->travel, resource);
}

const struct ft_travel *ft_ask_travel(const struct ft_answerer *answerer)
{
	return answerer->travel.n ? &answerer->travel : NULL;
}

const struct ft_resource *ft_ask_resource(const struct ft_answerer *answerer, size_t i)
{
	const struct ft_resource *resource;
	size_t found = 0;

	for (size_t j = 0; (resource = ft_resource_get(j)); j++)
		if (resource->predicted &&
		    (ft__ask_has_value(answerer, resource) ||
		     ft_knowledge_law(&answerer->knowledge, resource) ||
		     ft__ask_by_power(answerer, resource)) &&
		    found++ == i)
			return resource;
	return i - found < answerer->n_counters ? answerer->counter[i - found] : NULL;
}

bool ft_ask_has(const struct ft_answerer *answerer, const struct ft_resource *resource)
{
	const struct ft_resource *each;

	for (size_t i = 0; (each = ft_ask_resource(answerer, i)); i++)
		if (each == resource)
			return true;
	return false;
}

const struct ft_resource *ft_ask_typed(const struct ft_answerer *answerer, const char *word)
{
	const struct ft_resource *found = ft_resource_typed(word);

	for (size_t i = 0; !found && i < answerer->n_counters; i++)
		if (!strcmp(answerer->counter[i]->name, word))
			found = answerer->counter[i];
	return found == &ft_peak_rss_bytes && strcmp(word, found->name) != 0 &&
			       ft_ask_has(answerer, &ft_peak_tree_bytes)
		       ? &ft_peak_tree_bytes
		       : found;
}

/* Why the newest run that was to measure a resource could not, else what there are values of, as people type
 * it. */
static enum ft_status advise_resource(const struct ft_answerer *a, const struct ft_resource *missing,
				      struct ft_err *err)
{
	const struct ft_resource *each;
	char word[FT_RESOURCE_LENGTH], list[sizeof err->remedy] = "";
	size_t length = 0;

	for (size_t i = a->runs.n; missing && i--;)
		for (size_t k = 0; k < a->runs.run[i].n_samples; k++) {
			const struct ft_sample *sample = &a->runs.run[i].sample[k];

			if (sample->resource == missing && sample->label == FT_UNAVAILABLE && sample->reason)
				return ft_remedy(err, "it is unavailable: %s", sample->reason);
		}
	for (size_t i = 0; (each = ft_ask_resource(a, i)) && length < sizeof list; i++) {
		/* The resource that stands for memory here has the words of memory. */
		const char *words = (each->of == FT_CLASS_MEMORY ? &ft_peak_rss_bytes : each)->words;

		(void)snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
		const bool means = *word && ft_ask_typed(a, word) == each;
		length += (size_t)snprintf(list + length, sizeof list - length, "%s%s%s%s%s", i ? ", " : "",
					   means ? word : each->name, means ? " (" : "",
					   means ? each->name : "", means ? ")" : "");
	}
	return length      ? ft_remedy(err, "there are values of %s", list)
	       : a->runs.n ? ft_remedy(err, "no run ended well: foretime show %s prints how they ended",
				       a->program.name)
			   : FT_ENOENT;
}

enum ft_status ft_ask_find(const struct ft_answerer *answerer, const char *word,
			   const struct ft_resource **out, struct ft_err *err)
{
	const struct ft_resource *first = ft_ask_resource(answerer, 0);

	*out = word                                         ? ft_ask_typed(answerer, word)
	       : ft_ask_has(answerer, &ft_wall_s) || !first ? &ft_wall_s
							    : first;
	if (*out && ft_ask_has(answerer, *out))
		return FT_OK;
	(void)ft_fail(err, FT_ENOENT,
		      answerer->runs.n ? "no run of '%s' has a value of '%s'"
				       : "'%s' has no run, and no law of '%s' was stated",
		      answerer->program.name, *out ? (*out)->name : word);
	const struct ft_resource *each, *nearest = NULL;
	size_t best = SIZE_MAX;
	for (size_t i = 0; !*out && (each = ft_ask_resource(answerer, i)); i++) {
		size_t mistaken = ft_word_mistaken(word, each->name);

		nearest = mistaken < best ? each : nearest;
		best = mistaken < best ? mistaken : best;
	}
	if (nearest)
		(void)ft_remedy(err, "the nearest resource is %s", nearest->name);
	else
		(void)advise_resource(answerer, *out, err);
	*out = NULL;
	return FT_ENOENT; /* also without err */
}

enum ft_status ft_ask_size(const struct ft_answerer *answerer, const char *const name[], const double value[],
			   size_t n, struct ft_size *out, struct ft_err *err)
{
	const struct ft_program *program = &answerer->program;

	*out = (struct ft_size){.n = program->n_params};
	for (size_t i = 0; i < program->n_params; i++)
		out->value[i] = NAN;
	for (size_t i = 0; i < n; i++) {
		int param = ft_program_find_param(program, name[i]);

		if (param < 0) {
			ft_fail(err, FT_EINVAL, "'%s' has no parameter '%s'", program->name, name[i]);
			return ft_remedy(err,
					 "its first parameter is '%s'; 'foretime show %s' lists them all",
					 program->n_params ? program->param[0].name : "", program->name);
		}
		out->value[param] = value[i];
	}
	for (size_t i = 0; i < program->n_params; i++) {
		const char *missing = program->param[i].name;

		if (isnan(out->value[i]))
			out->value[i] = only_value(answerer, i);
		if (!isnan(out->value[i]))
			continue;
		ft_fail(err, FT_EINVAL, "no value for parameter '%s'", missing);
		return ft_remedy(err, "add it to the size, as in %s=1000", missing);
	}
	return FT_OK;
}

/* The parameters that a model is not a function of, which distinguish it from other models of the
   resource. */
static struct ft_size fixed_of(const struct ft_answerer *a, const struct ft_size *size)
{
	struct ft_size fixed = *size;

	for (size_t i = 0; i < a->n_axes; i++)
		fixed.value[a->axis[i]] = 0;
	return fixed;
}

static bool same_slice(const struct ft_model_record *record, const struct ft_resource *resource,
		       const struct ft_size *fixed)
{
	return record->resource == resource && ft_size_equal(&record->fixed, fixed);
}

/* Fit the model now, and keep it where the store may be written: the next question need not wait. */
static enum ft_status fit_record(struct ft_answerer *a, struct ft_model_record *record, struct ft_err *err)
{
	struct ft_model_options options = {.axis = a->axis, .n_axes = a->n_axes, .prior = a->prior};
	struct ft_err why = {0};

	FT_TRY(ft__ask_read_whole(a, err));
	if (ft_travel_has(&a->travel, record->resource)) {
		FT_TRY(ft_travel_model(&a->travel, record->resource, a->prior, &options.donor, err));
		options.donor_mark = a->travel.mark;
	}
	enum ft_status status = ft_model_fit_runs(&record->model, &a->program, &a->runs, record->resource,
						  &record->fixed, &options, &why);
	/* No run has it, at these values of the other parameters. */
	if (status == FT_ENOMODEL && options.donor)
		return ft_model_ship(&record->model, options.donor, record->resource->of, a->travel.mark,
				     err);
	if (status) {
		if (err)
			*err = why;
		return status;
	}
	for (size_t i = 0; i < a->runs.n; i++)
		if (a->runs.run[i].id > record->last_run)
			record->last_run = a->runs.run[i].id;
	if (a->store && a->program.id && a->machine.id)
		(void)ft_store_put_model(a->store, a->program.id, a->machine.id, record, NULL);
	return FT_OK;
}

/* Whether there is a run newer than the model, or another model from elsewhere. */
static bool is_stale(const struct ft_answerer *a, const struct ft_model_record *record)
{
	if (ft_model_facts(record->model)->shipped !=
	    (ft_travel_has(&a->travel, record->resource) ? a->travel.mark : 0))
		return true;
	return a->runs.n && a->runs.run[a->runs.n - 1].id > record->last_run;
}

static enum ft_status find_or_fit(struct ft_answerer *a, const struct ft_resource *resource,
				  const struct ft_size *fixed, struct ft_model_record *record,
				  struct ft_err *err)
{
	enum ft_status status = FT_ENOENT;

	if (a->store && a->program.id && a->machine.id)
		status = ft_store_get_model(a->store, a->program.id, a->machine.id, resource, fixed, record,
					    err);
	if (status ? status != FT_ENOENT : !is_stale(a, record))
		return status;
	ft_model_free(record->model);
	record->model = NULL;
	record->fixed = *fixed;
	record->resource = resource;
	return fit_record(a, record, err);
}

enum ft_status ft__ask_no_value(const struct ft_answerer *a, const struct ft_resource *resource,
				struct ft_err *err)
{
	ft_fail(err, FT_ENOENT, "no run of '%s' has a value of '%s'", a->program.name, resource->name);
	(void)ft_remedy(err,
			a->runs.n ? "'foretime show %s' lists what was measured"
				  : "it has no run yet: measure it with foretime build %s",
			a->program.name);
	return FT_ENOENT; /* also without err */
}

enum ft_status ft_ask_model(struct ft_answerer *answerer, const struct ft_resource *resource,
			    const struct ft_size *size, const struct ft_model_record **out,
			    struct ft_err *err)
{
	struct ft_size fixed = fixed_of(answerer, size);

	*out = NULL;
	for (size_t i = 0; i < answerer->n_records; i++)
		if (same_slice(answerer->record[i], resource, &fixed)) {
			*out = answerer->record[i];
			return FT_OK;
		}
	if (!ft__ask_has_value(answerer, resource))
		return ft__ask_no_value(answerer, resource, err);
	struct ft_model_record **grown = ft_grow(answerer->record, answerer->n_records, &answerer->capacity,
						 sizeof *grown),
			       *record;

	if (!grown)
		return ft_nomem(err);
	answerer->record = grown;
	record = ft_calloc(1, sizeof *record);
	if (!record)
		return ft_nomem(err);
	enum ft_status status = find_or_fit(answerer, resource, &fixed, record, err);
	if (status) {
		ft_model_record_clear(record);
		ft_free(record);
		return status;
	}
	*out = answerer->record[answerer->n_records++] = record;
	return FT_OK;
}

double ft__ask_fineness(const struct ft_model_record *record)
{
	const struct ft_model_facts *facts = ft_model_facts(record->model);
	double ratio = 1;

	for (size_t i = 0; i < facts->n_fine; i++)
		ratio *= fmax(facts->fine[i].ratio, 1 / facts->fine[i].ratio);
	return ratio;
}

enum ft_status ft__ask_model_predict(struct ft_answerer *answerer, const struct ft_resource *resource,
				     const struct ft_size *size, double confidence, struct ft_prediction *out,
				     bool *rough, struct ft_err *err)
{
	const struct ft_model_record *record;
	enum ft_status status = ft_ask_model(answerer, resource, size, &record, err);
	double work;

	*out = (struct ft_prediction){0};
	*rough = false;
	if (!status)
		status = ft_program_work(&answerer->program, size, &work, err);
	if (status)
		return status;
	*rough = ft_model_facts(record->model)->rough;
	return ft_model_predict(record->model, size, work, confidence, out, err);
}

/*
 * Find the levels of memory (caches, main memory) that a larger size exceeds and no run did.
 */

static double largest_held(const struct ft_runs *runs)
{
	double held = 0;

	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE)
			held = fmax(held, ft_run_footprint(&runs->run[i])); /* NaN loses */
	return held;
}

size_t ft_ask_passes(struct ft_answerer *answerer, const struct ft_size *size,
		     struct ft_pass pass[FT_PASSES_MAX])
{
	const struct ft_machine *machine = ft_ask_answered_machine(answerer);
	const struct {
		const char *level;
		int64_t bytes;
	} level[FT_PASSES_MAX] = {{"L2 cache", machine->l2_bytes},
				  {"L3 cache", machine->l3_bytes},
				  {"memory", machine->memory_bytes}};
	const struct ft_resource *resource =
		ft__ask_has_value(answerer, &ft_peak_tree_bytes) ? &ft_peak_tree_bytes : &ft_peak_rss_bytes;
	double held = largest_held(&answerer->runs);
	struct ft_prediction need;
	size_t n = 0;

	if (!(held > 0) || ft_ask_predict(answerer, resource, size, 0.9, &need, NULL))
		return 0;
	for (size_t i = 0; i < FT_PASSES_MAX; i++)
		if (held <= (double)level[i].bytes && need.value > (double)level[i].bytes)
			pass[n++] =
				(struct ft_pass){level[i].level, (double)level[i].bytes, held, need.value};
	return n;
}

/*
 * Find the parameters without effect, and those whose effects cannot be separated.
 */

/* A parameter is flat when the typical run differs by no more over all of its values: on average over the
 * knots looked at, and as a root mean square. doc/constants-answers.md has the measurement. */
static const double flat_mean = 0.05, flat_rms = 0.1;

enum { LOOKED_AT = 16, VALUES = 3 };

/* ---- inseparable parameters
   ------------------------------------------------------------------------------ */

struct axes_both {
	double a, b;
};

/* Where a is equal, b must be, in any order. */
static int compare_both(const void *p, const void *q)
{
	const struct axes_both *s = p, *t = q;

	return (s->a > t->a) - (s->a < t->a);
}

/* Whether two parameters rise together in all runs, or one rises as the other falls; room: for all runs. */
static bool rise_together(const struct ft_answerer *a, size_t one, size_t other, struct axes_both *room,
			  bool *equal)
{
	size_t n = 0;
	int way = 0;

	*equal = true;
	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];

		if (run->outcome != FT_DONE || run->warmup)
			continue;
		room[n++] = (struct axes_both){run->size.value[one], run->size.value[other]};
		*equal = *equal && room[n - 1].a == room[n - 1].b;
	}
	qsort(room, n, sizeof *room, compare_both);
	for (size_t i = 1; i < n; i++) {
		int step = (room[i].b > room[i - 1].b) - (room[i].b < room[i - 1].b);

		if ((room[i].a == room[i - 1].a) != !step || (step && way && step != way))
			return false;
		way = step ? step : way;
	}
	return way != 0;
}

enum ft_status ft_ask_together(const struct ft_answerer *answerer, struct ft_together *out, size_t *n,
			       struct ft_err *err)
{
	struct axes_both *room = ft_calloc(answerer->runs.n + 1, sizeof *room);

	*n = 0;
	if (!room)
		return ft_nomem(err);
	for (size_t i = 1; i < answerer->n_axes; i++)
		for (size_t j = 0; j < i; j++) {
			struct ft_together *pair = &out[*n];

			*pair = (struct ft_together){answerer->axis[j], answerer->axis[i], false};
			if (rise_together(answerer, pair->one, pair->other, room, &pair->equal)) {
				++*n;
				break;
			}
		}
	ft_free(room);
	return FT_OK;
}

/* ---- flat ---------------------------------------------------------------------------------------------- */

static void find_range(const struct ft_knot *knot, size_t n, size_t axis, double *least, double *most)
{
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*least = fmin(*least, knot[i].size.value[axis]);
		*most = fmax(*most, knot[i].size.value[axis]);
	}
}

/* ln of the typical run at a knot, one parameter elsewhere; NaN where there is none. */
static double ln_at(struct ft_answerer *a, const struct ft_resource *resource, const struct ft_size *knot,
		    size_t axis, double x)
{
	struct ft_prediction p;
	struct ft_size size = *knot;
	bool rough;

	size.value[axis] = x;
	if (ft__ask_model_predict(a, resource, &size, 0.9, &p, &rough, NULL) || !(p.value > 0))
		return NAN;
	return log(p.value);
}

/* Knots that differ only in one parameter are the same place if that is moved. Most parameters have large
 * effects, which two or three predictions show, at their small cost. */
static bool is_flat(struct ft_answerer *a, const struct ft_resource *resource, const struct ft_knot *knot,
		    size_t n, size_t axis)
{
	size_t looked = a->n_axes < 2 ? 1 : n < LOOKED_AT ? n : LOOKED_AT;
	double least, most, square = 0, mean[VALUES] = {0};

	find_range(knot, n, axis, &least, &most);
	if (!(least < most))
		return false;
	for (size_t i = 0; i < looked; i++) {
		const struct ft_size *at = &knot[looked > 1 ? i * (n - 1) / (looked - 1) : 0].size;
		double first = ln_at(a, resource, at, axis, least), middle = (least + most) / 2;

		middle = least > 0 ? sqrt(least * most) : middle;
		for (size_t k = 1; k < VALUES; k++) {
			double off = ln_at(a, resource, at, axis, k == 1 ? middle : most) - first;

			mean[k] += off / (double)looked;
			square += off * off / (double)(looked * (VALUES - 1));
			if (!(square <= flat_rms * flat_rms))
				return false;
		}
	}
	return fabs(mean[1]) <= flat_mean && fabs(mean[2]) <= flat_mean && square <= flat_rms * flat_rms;
}

/* An uncertain model cannot show that a parameter has no effect. */
static bool is_known(const struct ft_model_facts *facts)
{
	return !facts->too_few && log1p(facts->known) <= flat_rms * ft_normal_quantile(0.95);
}

/* A parameter that cannot be separated from another one is not reported as without effect. */
static bool is_paired(const struct ft_together *pair, size_t n, size_t axis)
{
	for (size_t i = 0; i < n; i++)
		if (pair[i].one == axis || pair[i].other == axis)
			return true;
	return false;
}

enum ft_status ft_ask_flat(struct ft_answerer *answerer, const struct ft_resource *resource,
			   const struct ft_size *size, bool flat[FT_PARAMS_MAX], struct ft_err *err)
{
	const struct ft_model_record *record;
	struct ft_together pair[FT_PARAMS_MAX];
	enum ft_status status = ft_ask_model(answerer, resource, size, &record, err);
	size_t n, pairs = 0;

	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		flat[i] = false;
	if (!status)
		status = ft_ask_together(answerer, pair, &pairs, err);
	if (status || !is_known(ft_model_facts(record->model)))
		return status;
	const struct ft_knot *knot = ft_model_knots(record->model, &n);
	for (size_t i = 0; i < answerer->n_axes; i++)
		flat[answerer->axis[i]] = !is_paired(pair, pairs, answerer->axis[i]) &&
					  is_flat(answerer, resource, knot, n, answerer->axis[i]);
	return FT_OK;
}

struct ft_size ft_ask_any_size(const struct ft_answerer *answerer)
{
	struct ft_size size = {.n = answerer->program.n_params};

	if (!answerer->runs.n && answerer->travel.n)
		return answerer->travel.part[0].at[0].size;
	return answerer->runs.n ? answerer->runs.run[0].size : size;
}

const struct ft_run *ft_ask_failing(const struct ft_answerer *answerer)
{
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(answerer, axis), i;
	struct ft_size size = ft_ask_any_size(answerer);

	for (i = 0; i < n; i++)
		size.value[axis[i]] = INFINITY;
	return ft_runs_failing(&answerer->runs, axis[0], &size);
}
