/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what a run means that was made: it is stored, counted, and told to the builder. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the store ---------------------------------------------------------------------------------------- */

/* For one more run of our own. */
static enum ft_status make_room(struct ft_sweep *sweep, struct ft_err *err)
{
	int64_t *grown = ft_grow(sweep->own, sweep->n_own, &sweep->own_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	sweep->own = grown;
	return FT_OK;
}

/* What the store has from us is no news. There is room for it. */
static void note_kept(struct ft_sweep *sweep, const struct ft_runs *runs, bool own)
{
	const struct ft_run *run = runs->run;

	for (size_t i = 0; i < runs->n; i++)
		sweep->kept += run[i].outcome != FT_INTERRUPTED && !run[i].routine;
	if (own && run->outcome != FT_INTERRUPTED)
		sweep->own[sweep->n_own++] = run->id;
}

/* Runs of another executable would be kept under the version of the one before. Its files are looked at after
 * each run, and read where they were touched. */
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
	enum ft_status status = own ? make_room(sweep, err) : FT_OK;

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
	if (!status)
		note_kept(sweep, runs, own);
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

/* ---- what it means ------------------------------------------------------------------------------------ */

/* Whether the budget pays for a run that was just made, and for another one like it. */
static bool is_repeatable(const struct ft_sweep *sweep, double cost_s)
{
	double budget_s = sweep->options.budget_s;

	return !(budget_s > 0) || budget_s - ft__spent(sweep) - cost_s >= cost_s;
}

/* A replay has no more at this size. */
static enum ft_status end_place(struct ft_sweep *sweep, struct ft__piece *piece)
{
	struct ft__tally *place = &sweep->place[piece->place];

	land_piece(sweep, piece, FT__BACK);
	place->closed = true;
	place->absent = !place->n;
	return FT_OK;
}

static enum ft_status refuse_size(const struct ft_sweep *sweep, uint64_t id, const struct ft_size *was,
				  const struct ft_size *is, struct ft_err *err)
{
	char asked[256], made[256];

	(void)ft_size_format(sweep->program, was, asked, sizeof asked);
	(void)ft_size_format(sweep->program, is, made, sizeof made);
	(void)ft_fail(err, FT_EINVAL, "piece of work %llu is a run at %s, and this one was made at %s",
		      (unsigned long long)id, asked, made);
	return ft_remedy(err, "report it with its own number, or as a run that was not requested");
}

/* Whether a report is about a piece that is still to come. */
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
	if (runs->n && !ft_size_equal(&runs->run[0].size, size))
		return refuse_size(sweep, id, size, &runs->run[0].size, err);
	return FT_OK;
}

/* The run of a place: what it cost, and what it tells. A warm-up that cannot be repeated counts: it is all
 * that there is. A run that the budget ended, or its share of it, tells nothing. */
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
	if (!runs->n)
		return end_place(sweep, piece);
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

/* A run that was not handed out: as one that the store had. A builder that does not repeat takes it when it
 * asks for its size, if it did not yet. */
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

	if (!status)
		status = id ? report_piece(sweep, id, runs, err) : report_known(sweep, runs, err);
	if (status)
		return status;
	sweep->ended = false;
	ft_runs_clear(runs);
	return FT_OK;
}
