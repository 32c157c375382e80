/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - processes a finished run: stores it, counts it, and passes it to the builder. */
#include "base/alloc.h"
#include "store/door.h"
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>

/*
 * Memory in a sweep: nothing is run above a size at which a run was killed for it, or that is expected to
 * need too much.
 */

void ft__guard_begin(struct ft_sweep *sweep)
{
	double bytes;

	sweep->good = -INFINITY;
	if (ft__is_here(sweep) && !ft_memory_limit_bytes("", &bytes, NULL, NULL))
		sweep->memory_limit_bytes = bytes;
}

void ft__guard_end(struct ft_sweep *sweep)
{
	ft_free(sweep->need);
	ft_free(sweep->kill);
	ft_free(sweep->memory);
	ft_model_free(sweep->memory_model);
	sweep->memory_model = NULL;
	sweep->memory = NULL;
	sweep->need = NULL;
	sweep->kill = NULL;
	sweep->n_needs = sweep->n_kills = 0;
}

/* Enter what a run needed at x: the most of all runs there. */
static enum ft_status add_need(struct ft_sweep *sweep, double x, double bytes, struct ft_err *err)
{
	size_t i = sweep->n_needs;

	while (i && sweep->need[i - 1].x > x)
		i--;
	if (i && sweep->need[i - 1].x == x) {
		sweep->need[i - 1].bytes = fmax(sweep->need[i - 1].bytes, bytes);
		return FT_OK;
	}
	struct ft__need *grown = ft_grow(sweep->need, sweep->n_needs, &sweep->needs_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->need = grown;
	for (size_t j = sweep->n_needs++; j > i; j--)
		grown[j] = grown[j - 1];
	grown[i] = (struct ft__need){x, bytes};
	return FT_OK;
}

/* The model of the memory of runs; without one nothing counts as too large. */
static enum ft_status fit_memory(struct ft_sweep *sweep, struct ft_err *err)
{
	const struct ft_model_options options = {
		.axis = sweep->axis, .n_axes = sweep->n_axes, .prior = ft_store_prior(sweep->store)};
	struct ft_model *model;

	if (!sweep->n_memory)
		return FT_OK;
	FT_TRY(ft_model_fit(&model, sweep->memory, sweep->n_memory, &options, err));
	ft_model_free(sweep->memory_model);
	sweep->memory_model = model;
	return FT_OK;
}

/* The law of memory takes a while to fit: it is reused while its predictions are this accurate. */
static const double predicted_to = 0.02;

/* Enter what a run at a size of several parameters needed: the most of all runs there. fit: now. */
static enum ft_status add_memory(struct ft_sweep *sweep, const struct ft_run *run, bool fit,
				 struct ft_err *err)
{
	double bytes = ft_run_footprint(run);

	if (!(sweep->options.memory_bytes > 0) || run->outcome != FT_DONE || !(bytes > 0))
		return FT_OK;
	for (size_t i = 0; i < sweep->n_memory; i++)
		if (ft_size_equal(&sweep->memory[i].size, &run->size)) {
			sweep->memory[i].value = fmax(sweep->memory[i].value, bytes);
			return FT_OK;
		}
	struct ft_observation *grown =
		ft_grow(sweep->memory, sweep->n_memory, &sweep->memory_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->memory = grown;
	grown[sweep->n_memory++] = (struct ft_observation){.size = run->size, .work = 1, .value = bytes};
	return fit && !(fabs(ft__guard_need(sweep, &run->size) - bytes) <= predicted_to * bytes)
		       ? fit_memory(sweep, err)
		       : FT_OK;
}

/* More than this multiple of the machine's memory is not run: slightly too much makes it swap, or be
 * killed, which is worth knowing (000 section 3); much more only harms. */
static const double over_most = 4;

double ft__guard_need(const struct ft_sweep *sweep, const struct ft_size *size)
{
	struct ft_prediction need = {.value = NAN};

	if (sweep->n_axes <= 1)
		return ft__need_at(sweep->need, sweep->n_needs, size->value[sweep->varying]);
	if (!sweep->memory_model || ft_model_predict(sweep->memory_model, size, 1, 0.9, &need, NULL))
		return NAN;
	return need.value;
}

bool ft__guard_too_large(const struct ft_sweep *sweep, const struct ft_size *size)
{
	if (sweep->n_axes > 1 || (sweep->options.memory_bytes > 0 && ft__builder_repeats(sweep)))
		return ft__guard_need(sweep, size) > sweep->options.memory_bytes;
	return sweep->memory_limit_bytes > 0 && ft__builder_repeats(sweep) &&
	       ft__guard_need(sweep, size) > over_most * sweep->memory_limit_bytes;
}

enum ft_status ft__guard_add(struct ft_sweep *sweep, const struct ft_run *run, struct ft_err *err)
{
	double bytes = ft_run_footprint(run), x = run->size.value[sweep->varying], *grown;

	/* Over several parameters the runs that were killed are compared directly: ft__guard_closes. */
	if (sweep->n_axes > 1)
		return add_memory(sweep, run, true, err);
	if (run->outcome == FT_DONE) {
		sweep->good = fmax(sweep->good, x);
		return isnan(bytes) ? FT_OK : add_need(sweep, x, bytes, err);
	}
	if (run->outcome != FT_OUT_OF_MEMORY)
		return FT_OK;
	grown = ft_grow(sweep->kill, sweep->n_kills, &sweep->kills_capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	sweep->kill = grown;
	grown[sweep->n_kills++] = x;
	return FT_OK;
}

enum ft_status ft__guard_known(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < sweep->known.n && !status; i++) {
		const struct ft_run *run = &sweep->known.run[i];
		bool same = run->size.n == sweep->fixed.n;

		if (sweep->n_axes > 1) {
			status = add_memory(sweep, run, false, err);
			continue;
		}
		for (size_t j = 0; j < run->size.n && same; j++)
			same = j == sweep->varying || run->size.value[j] == sweep->fixed.value[j];
		if (same)
			status = ft__guard_add(sweep, run, err);
	}
	return status ? status : fit_memory(sweep, err);
}

double ft__guard_killed(const struct ft_sweep *sweep)
{
	double killed = NAN;

	for (size_t i = 0; i < sweep->n_kills; i++)
		if (sweep->kill[i] > sweep->good)
			killed = fmin(killed, sweep->kill[i]); /* fmin passes over NaN */
	return killed;
}

static bool is_beyond(const struct ft_size *size, const struct ft_size *killed)
{
	for (size_t i = 0; i < size->n && i < killed->n; i++)
		if (size->value[i] < killed->value[i])
			return false;
	return true;
}

bool ft__guard_closes(const struct ft_sweep *sweep, const struct ft_size *size)
{
	if (sweep->n_axes <= 1 && size->value[sweep->varying] >= ft__guard_killed(sweep))
		return true;
	if (ft__guard_too_large(sweep, size))
		return true;
	if (sweep->n_axes <= 1)
		return false;
	for (size_t i = 0; i < sweep->known.n; i++)
		if (sweep->known.run[i].outcome == FT_OUT_OF_MEMORY &&
		    is_beyond(size, &sweep->known.run[i].size))
			return true;
	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		if (sweep->report.size[i].failed && sweep->report.size[i].failure == FT_OUT_OF_MEMORY &&
		    is_beyond(size, &sweep->report.size[i].size))
			return true;
	return false;
}

/* ---- the store ---------------------------------------------------------------------------------------- */

/*
 * Processes a finished run: stores it, counts it, and passes it to the builder.
 */

/* For one more run of our own. */
static enum ft_status grow_own(struct ft_sweep *sweep, struct ft_err *err)
{
	int64_t *grown = ft_grow(sweep->own, sweep->n_own, &sweep->own_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	sweep->own = grown;
	return FT_OK;
}

/* Runs of another executable would be stored under the version of the one before. Its files are checked
 * after each run, and hashed if they were modified. */
static enum ft_status check_version(struct ft_sweep *sweep, struct ft_err *err)
{
	const struct ft_program *program = sweep->program;
	char *stamp = NULL, *hash = NULL;
	enum ft_status status = FT_OK;

	if (!program->argc || !program->hash || !*program->hash)
		return FT_OK;
	status = ft_program_stamp(program, &stamp, err);
	if (!status && (!sweep->stamp || strcmp(stamp, sweep->stamp) != 0))
		status = ft_program_hash(program, &hash, err);
	if (!status && hash && strcmp(hash, program->hash) != 0) {
		(void)ft_fail(err, FT_EMOVED, "the executable of '%s' was changed while it was measured",
			      program->name);
		status = ft_remedy(err,
				   "the runs before that are kept; foretime build %s measures the new one",
				   program->name);
	} else if (!status) {
		ft_free(sweep->stamp);
		sweep->stamp = stamp;
		stamp = NULL;
	}
	ft_free(stamp);
	ft_free(hash);
	/* One that cannot be found or read here runs elsewhere, or fails by itself. */
	return status == FT_EMOVED || status == FT_ENOMEM ? status : FT_OK;
}

enum ft_status ft__runs_keep(struct ft_sweep *sweep, struct ft_runs *runs, bool own, bool warmup,
			     struct ft_err *err)
{
	enum ft_status status = own ? grow_own(sweep, err) : FT_OK;

	if (!status && sweep->source && ft_source_is_live(sweep->source))
		status = check_version(sweep, err);
	if (!status)
		status = ft_store_begin(sweep->store, err);
	if (status)
		return status;
	for (size_t i = 0; i < runs->n && !status; i++) {
		struct ft_run *run = &runs->run[i];

		run->warmup = run->warmup || warmup;
		if (run->outcome == FT_INTERRUPTED)
			continue;
		status = ft_store_keep_run(sweep->store, sweep->program, sweep->machine->id, run, err);
	}
	status = ft_store_end(sweep->store, status, err);
	if (!status) {
		/* Runs that we stored ourselves are no news. There is room for it. */
		const struct ft_run *all = runs->run;

		for (size_t i = 0; i < runs->n; i++)
			sweep->kept += all[i].outcome != FT_INTERRUPTED && !all[i].routine;
		if (own && all->outcome != FT_INTERRUPTED)
			sweep->own[sweep->n_own++] = all->id;
	}
	return status;
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

/* NULL: there is none with that id. */
static struct ft__piece *find_piece(const struct ft_sweep *sweep, uint64_t id)
{
	return id && id <= sweep->n_pieces ? &sweep->piece[id - 1] : NULL;
}

/* It is no longer in flight. */
static void land_piece(struct ft_sweep *sweep, struct ft__piece *piece, enum ft__fate fate)
{
	if (piece->fate == FT__OUT) {
		sweep->place[piece->place].in_flight--;
		sweep->in_flight--;
		sweep->warming = piece->warmup ? 0 : sweep->warming;
		sweep->reserved_s -= sweep->options.budget_s > 0 ? piece->limit_s : 0;
		if (!sweep->in_flight)
			sweep->reserved_s = 0;
	}
	piece->fate = fate;
}

enum ft_status ft_sweep_lose(struct ft_sweep *sweep, uint64_t id, struct ft_err *err)
{
	struct ft__piece *piece = find_piece(sweep, id);

	if (!piece)
		return ft_fail(err, FT_ENOENT, "there is no piece of work %llu", (unsigned long long)id);
	if (piece->fate == FT__BACK)
		return ft_fail(err, FT_EEXIST, "piece of work %llu came back, and is not lost",
			       (unsigned long long)id);
	if (piece->fate == FT__LOST)
		return FT_OK;
	land_piece(sweep, piece, FT__LOST);
	sweep->place[piece->place].lost++;
	if (piece->warmup)
		sweep->warm = false;
	return FT_OK;
}

enum ft_status ft_sweep_return(struct ft_sweep *sweep, uint64_t id, struct ft_err *err)
{
	struct ft__piece *piece = find_piece(sweep, id);
	struct ft__tally *place;

	if (!piece)
		return ft_fail(err, FT_ENOENT, "there is no piece of work %llu", (unsigned long long)id);
	if (piece->fate != FT__OUT)
		return ft_fail(err, FT_EEXIST, "piece of work %llu is not out", (unsigned long long)id);
	land_piece(sweep, piece, FT__BACK);
	place = &sweep->place[piece->place];
	if (place->last_piece == id)
		place->last_piece = piece->previous;
	sweep->warm = sweep->warm && !piece->warmup;
	return FT_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------------ */

/* Whether the budget pays for a run that was just made, and for another one like it. */
static bool is_repeatable(const struct ft_sweep *sweep, double cost_s)
{
	double budget_s = sweep->options.budget_s;

	return !(budget_s > 0) || budget_s - ft__spent(sweep) - cost_s >= cost_s;
}

/* Whether a report is about a piece that is still expected. */
static enum ft_status check_report(const struct ft_sweep *sweep, uint64_t id, const struct ft_runs *runs,
				   struct ft_err *err)
{
	const struct ft__piece *piece = find_piece(sweep, id);
	const struct ft_size *size;

	if (!piece)
		return ft_fail(err, FT_ENOENT, "there is no piece of work %llu", (unsigned long long)id);
	if (piece->fate == FT__BACK)
		return ft_fail(err, FT_EEXIST, "piece of work %llu was reported before",
			       (unsigned long long)id);
	size = &sweep->report.size[piece->place].size;
	if (runs->n && !ft_size_equal(&runs->run[0].size, size)) {
		char wanted[256], made[256];

		(void)ft_size_format(sweep->program, size, wanted, sizeof wanted);
		(void)ft_size_format(sweep->program, &runs->run[0].size, made, sizeof made);
		(void)ft_fail(err, FT_EINVAL,
			      "piece of work %llu is a run at %s, and this one was made at %s",
			      (unsigned long long)id, wanted, made);
		return ft_remedy(err, "report it with its own number, or as a run that was not requested");
	}
	return FT_OK;
}

/* The run of a place: its cost, and its result. A warm-up that cannot be repeated counts, since there is
 * no other run. A run ended by the budget, or by its share of it, has no result. */
static enum ft_status take_run(struct ft_sweep *sweep, struct ft__piece *piece, const struct ft_run *run,
			       struct ft_err *err)
{
	struct ft__tally *place = &sweep->place[piece->place];
	enum ft_status status = ft__guard_add(sweep, run, err);

	ft__hindrance_add(sweep, run);
	if (status)
		return status;
	if (run->outcome == FT_TIMED_OUT && piece->limit_s != sweep->options.timeout_s) {
		place->ended_s = fmax(place->ended_s, piece->limit_s);
		if (!piece->last)
			return FT_OK;
		place->closed = sweep->out_of_budget = true;
		return FT_OK;
	}
	if (run->warmup)
		return FT_OK;
	piece->counted = true;
	return ft__learn(sweep, piece->place, run, err);
}

static enum ft_status report_piece(struct ft_sweep *sweep, uint64_t id, struct ft_runs *runs,
				   struct ft_err *err)
{
	struct ft__piece *piece = find_piece(sweep, id);
	enum ft_status status = check_report(sweep, id, runs, err);
	double cost_s;

	if (status)
		return status;
	if (!runs->n) {
		/* A replay has no more at this size. */
		struct ft__tally *place = &sweep->place[piece->place];

		land_piece(sweep, piece, FT__BACK);
		place->closed = true;
		place->absent = !place->n;
		return FT_OK;
	}
	cost_s = runs->run[0].cost_s;
	FT_TRY(ft__runs_keep(sweep, runs, true, piece->warmup && is_repeatable(sweep, cost_s), err));
	sweep->report.cost_s += cost_s;
	sweep->place[piece->place].spent_s += cost_s;
	if (runs->run[0].outcome == FT_INTERRUPTED)
		return ft_sweep_lose(sweep, id, err);
	sweep->report.runs++;
	land_piece(sweep, piece, FT__BACK);
	sweep->broken = take_run(sweep, piece, &runs->run[0], err);
	return sweep->broken;
}

/* A run that was not handed out counts like one of the store. A builder that does not repeat takes it when
 * it requests the size, unless it already has. */
static enum ft_status report_known(struct ft_sweep *sweep, struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = runs->n ? ft__runs_keep(sweep, runs, false, false, err) : FT_OK;
	struct ft_run *run = runs->run;

	if (status || !runs->n || run->outcome == FT_INTERRUPTED)
		return status;
	ft__count_known(sweep, run);
	status = ft__guard_add(sweep, run, err);
	if (!status && (ft__builder_repeats(sweep) || ft__place_index(sweep, &run->size) != SIZE_MAX))
		status = ft__learn_known(sweep, run, err);
	if (!status)
		status = ft_runs_take(&sweep->known, run, err);
	sweep->broken = status;
	return status;
}

enum ft_status ft_sweep_report(struct ft_sweep *sweep, uint64_t id, struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = ft__sweep_check(sweep, err);

	if (!status && id && runs->n && sweep->options.ran)
		sweep->options.ran(sweep->options.progress_ctx, &runs->run[0]);
	if (!status)
		status = id ? report_piece(sweep, id, runs, err) : report_known(sweep, runs, err);
	if (status)
		return status;
	sweep->ended = false;
	ft_runs_clear(runs);
	return FT_OK;
}
