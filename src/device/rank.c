/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - ranks the devices of a stored program at a size: the time of each, and its probability of being
   best. */
#include "ask/door.h"
#include "base/alloc.h"
#include "device/device.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The error of a value whose model has none: the threshold of uneven models. */
static const double rough = 0.2;

const char *ft_rank_text(enum ft_rank_why why)
{
	static const char *const texts[] = {
#define TEXT(name, words) words,
		FT_RANK_LIST(TEXT)
#undef TEXT
	};

	return (size_t)why < sizeof texts / sizeof *texts ? texts[why] : "unknown";
}

/* ---- opening --------------------------------------------------------------------------------------------
 */

static bool is_listed(const struct ft_ranking *ranking, const char *device)
{
	for (size_t i = 0; i < ranking->n; i++)
		if (!strcmp(ranking->ranked[i].device, device ? device : ""))
			return true;
	return false;
}

/* Whether its present driver is the one of its runs. */
static enum ft_status look_at_driver(const struct ft_ranking *ranking, struct ft__ranked *ranked,
				     struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(ranked->answerer);

	if (!ranking->options.driver || !program->driver)
		return FT_OK;
	char *now = ranking->options.driver(ranking->options.ctx, program);
	if (now && !strcmp(now, program->driver)) {
		free(now);
		return FT_OK;
	}
	ranked->driver = now ? now : ft_strdup("none");
	return ranked->driver ? FT_OK : ft_nomem(err);
}

/* FT_ENOENT: that device was never run on this machine. */
static enum ft_status add_device(struct ft_ranking *ranking, struct ft_store *store,
				 const struct ft_store_entry *entry, struct ft_err *err)
{
	struct ft__ranked *ranked = &ranking->ranked[ranking->n];
	const struct ft_rank_options *o = &ranking->options;
	const char *device = entry->device ? entry->device : "";
	struct ft_power power = {0};

	FT_TRY(ft_ask_open_on(&ranked->answerer, store, entry->name, device, o->machine, o->here, err));
	if (o->power && o->power(o->ctx, ranked->answerer, &power))
		ft_ask_powers(ranked->answerer, &power);
	ranked->device = ft_strdup(device);
	ranking->n++;
	return ranked->device ? look_at_driver(ranking, ranked, err) : ft_nomem(err);
}

static int compare_ranks(const void *a, const void *b)
{
	return strcmp(((const struct ft__ranked *)a)->device, ((const struct ft__ranked *)b)->device);
}

static const char *name_of_device(const char *device)
{
	return *device ? device : "(none)";
}

static enum ft_status check_parameters(const struct ft_ranking *ranking, struct ft_err *err)
{
	const struct ft_program *first = ft_ask_program(ranking->ranked[0].answerer);

	for (size_t i = 1; i < ranking->n; i++) {
		const struct ft_program *other = ft_ask_program(ranking->ranked[i].answerer);
		bool same = other->n_params == first->n_params;

		for (size_t k = 0; same && k < first->n_params; k++)
			same = !strcmp(first->param[k].name, other->param[k].name);
		if (same)
			continue;
		(void)ft_fail(err, FT_EINVAL, "devices '%s' and '%s' of '%s' have different parameters",
			      name_of_device(ranking->ranked[0].device),
			      name_of_device(ranking->ranked[i].device), first->name);
		return ft_remedy(err, "build both with the same parameters, in the same order");
	}
	return FT_OK;
}

static enum ft_status add_all(struct ft_ranking *ranking, struct ft_store *store, const char *name,
			      const struct ft_store_list *list, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	struct ft_err elsewhere = {0};

	for (size_t i = 0; i < list->n && !status; i++) {
		const struct ft_store_entry *entry = &list->entry[i];

		if (!entry->runs || is_listed(ranking, entry->device))
			continue;
		if (ranking->n == FT_DEVICES_MAX)
			return ft_fail(err, FT_EINVAL, "'%s' has more than %d devices", name, FT_DEVICES_MAX);
		status = add_device(ranking, store, entry, &elsewhere);
		if (status == FT_ENOENT)
			status = FT_OK;
	}
	if ((status || !ranking->n) && elsewhere.status) {
		if (err)
			*err = elsewhere;
		return elsewhere.status;
	}
	if (status || ranking->n)
		return status;
	(void)ft_fail(err, FT_ENOMODEL, "'%s' has no runs", name);
	return ft_remedy(err, "measure it: foretime build %s n=64:4096 --device cpu='...' --device gpu='...'",
			 name);
}

enum ft_status ft_ranking_open(struct ft_ranking **out, struct ft_store *store, const char *name,
			       const struct ft_rank_options *options, struct ft_err *err)
{
	struct ft_ranking *ranking = ft_calloc(1, sizeof *ranking);
	struct ft_store_list list = {0};
	struct ft_program program = {0};

	*out = NULL;
	if (ranking)
		ranking->ranked = ft_calloc(FT_DEVICES_MAX, sizeof *ranking->ranked);
	if (!ranking || !ranking->ranked) {
		ft_free(ranking);
		return ft_nomem(err);
	}
	if (options)
		ranking->options = *options;
	enum ft_status status =
		ft_store_get_program(store, name, &program, err); /* whose error names the nearest name */
	ft_program_clear(&program);
	if (!status)
		status = ft_store_get_list(store, name, &list, err);
	if (!status)
		status = add_all(ranking, store, name, &list, err);
	ft_store_list_clear(&list);
	if (!status) {
		qsort(ranking->ranked, ranking->n, sizeof *ranking->ranked, compare_ranks);
		status = check_parameters(ranking, err);
	}
	if (status)
		ft_ranking_close(ranking);
	else
		*out = ranking;
	return status;
}

void ft_ranking_close(struct ft_ranking *ranking)
{
	if (!ranking)
		return;
	for (size_t i = 0; i < ranking->n; i++) {
		ft_ask_close(ranking->ranked[i].answerer);
		ft_free(ranking->ranked[i].device);
		ft_free(ranking->ranked[i].driver);
	}
	ft_free(ranking->ranked);
	ft_free(ranking);
}

size_t ft_ranking_devices(const struct ft_ranking *ranking)
{
	return ranking->n;
}

const char *ft_ranking_device(const struct ft_ranking *ranking, size_t device)
{
	return ranking->ranked[device].device;
}

struct ft_answerer *ft_ranking_answerer(const struct ft_ranking *ranking, size_t device)
{
	return ranking->ranked[device].answerer;
}

void ft_ranking_wait(struct ft_ranking *ranking, size_t device, double wait_s)
{
	ranking->ranked[device].wait_s = wait_s;
}

const char *ft_ranking_driver(const struct ft_ranking *ranking, size_t device)
{
	return ranking->ranked[device].driver;
}

/* ---- predicting
   --------------------------------------------------------------------------------------------- */

static double value_of(struct ft_answerer *answerer, const struct ft_resource *resource,
		       const struct ft_size *size)
{
	struct ft_prediction p;

	return ft_ask_predict(answerer, resource, size, 0.9, &p, NULL) ? (double)NAN : p.value;
}

/* No run as large ended well, in the parameter that the models are a function of. */
static bool fails_at(const struct ft_answerer *answerer, const struct ft_size *size)
{
	const struct ft_run *run = ft_ask_failing(answerer);
	size_t axis[FT_PARAMS_MAX];

	if (!run || !ft_ask_axes(answerer, axis))
		return false;
	return size->value[axis[0]] >= run->size.value[axis[0]];
}

/* The error of ln value of an answer. */
static double error_of(const struct ft_answerer *answerer, const struct ft_size *size,
		       const struct ft_prediction *at, double confidence)
{
	const struct ft_runs *runs = ft_ask_runs(answerer);
	struct ft__apart apart;
	size_t axis[FT_PARAMS_MAX], i;

	ft__apart_begin(&apart, size, axis, ft_ask_axes(answerer, axis));
	for (i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE)
			ft__apart_run(&apart, &runs->run[i].size);
	return ft__doubted(&apart, log1p(isnan(at->known) ? rough : at->known) /
					   ft_normal_quantile((1 + confidence) / 2));
}

static enum ft_status rank_device(const struct ft_ranking *ranking, size_t i, const struct ft_size *size,
				  struct ft_rank *rank, struct ft_standing *standing, struct ft_err *err)
{
	const struct ft_rank_options *o = &ranking->options;
	struct ft_answerer *answerer = ranking->ranked[i].answerer;
	double confidence = o->confidence > 0 ? o->confidence : 0.9;
	struct ft_err why = {0};
	enum ft_status status = ft_ask_predict(answerer, o->resource ? o->resource : &ft_wall_s, size,
					       confidence, &rank->at, &why);

	*standing = (struct ft_standing){INFINITY, 0, 0};
	if (status == FT_ENOMODEL || status == FT_ENOENT) {
		rank->at = (struct ft_prediction){NAN, NAN, NAN, NAN, .distance = NAN};
		rank->why = FT_RANK_UNKNOWN;
		return FT_OK;
	}
	if (status) {
		if (err)
			*err = why;
		return status;
	}
	rank->watts = value_of(answerer, &ft_energy_j, size) / value_of(answerer, &ft_wall_s, size);
	if (ranking->ranked[i].driver)
		rank->why = FT_RANK_DRIVER;
	else if (fails_at(answerer, size))
		rank->why = FT_RANK_FAILS;
	else if (o->watts > 0 && !(rank->watts <= o->watts))
		rank->why = isnan(rank->watts) ? FT_RANK_UNKNOWN : FT_RANK_WATTS;
	else if (!(rank->at.value > 0))
		rank->why = FT_RANK_UNKNOWN;
	if (!rank->why) {
		/* The wait is exact: it makes the error of the sum, by itself, smaller. */
		double end = rank->at.value + rank->wait_s;

		*standing = (struct ft_standing){
			end, error_of(answerer, size, &rank->at, confidence) * rank->at.value / end, 0};
	}
	return FT_OK;
}

enum ft_status ft_ranking_at(struct ft_ranking *ranking, const struct ft_size *size, struct ft_rank *rank,
			     size_t *best, double *loss, struct ft_err *err)
{
	struct ft_standing standing[FT_DEVICES_MAX];
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < ranking->n && !status; i++) {
		rank[i] = (struct ft_rank){.device = ranking->ranked[i].device, .watts = NAN};
		if (!ranking->options.resource || ranking->options.resource == &ft_wall_s)
			rank[i].wait_s = ranking->ranked[i].wait_s;
		status = rank_device(ranking, i, size, &rank[i], &standing[i], err);
	}
	if (status)
		return status;
	*best = ft_stand(standing, ranking->n, loss);
	if (isinf(standing[*best].value))
		*best = ranking->n;
	for (size_t i = 0; i < ranking->n; i++)
		rank[i].chance = standing[i].chance;
	return FT_OK;
}
