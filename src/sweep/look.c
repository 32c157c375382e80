/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.c - what the store has, at the beginning of a sweep and when others have added to it. Where they have,
 * a sweep begins anew with all of it: in whichever order runs came in, what it knows is a function of the
 * store, as it is for one that was killed and is continued. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <string.h>

enum ft_status ft__known_get(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_runs *known = &sweep->known;
	enum ft_status status =
		ft_store_get_runs(sweep->store, sweep->program->id, sweep->machine->id, known, err);

	sweep->seen = known->n ? known->run[known->n - 1].id : 0;
	(void)ft_runs_settle(known);
	for (size_t i = 0; i < known->n; i++)
		ft__count_known(sweep, &known->run[i]);
	return status;
}

enum ft_status ft__known_learn(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = ft__guard_known(sweep, err);

	if (!status && ft__builder_repeats(sweep))
		status = ft__tell_known(sweep, err);
	return status;
}

void ft__places_free(struct ft_sweep *sweep)
{
	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		ft_free(sweep->place[i].seconds);
		ft_free(sweep->place[i].cost_s);
		ft_free(sweep->place[i].rest_s);
		ft_free(sweep->place[i].limit_s);
	}
}

void ft__known_clear(struct ft_sweep *sweep)
{
	ft__places_free(sweep);
	ft_free(sweep->place);
	ft__guard_end(sweep);
	ft__builder_clear(sweep);
	ft_runs_clear(&sweep->known);
	ft_sweep_report_clear(&sweep->report);
}

/* ---- news --------------------------------------------------------------------------------------------- */

/* The same sweep, of which nothing is known but what the caller wants and what it did itself. */
static struct ft_sweep blank_sweep(const struct ft_sweep *old)
{
	struct ft_sweep sweep = *old;

	sweep.report = ft__no_report;
	sweep.report.runs = old->report.runs;
	sweep.report.cost_s = old->report.cost_s;
	sweep.known = (struct ft_runs){0};
	sweep.builder = NULL;
	sweep.where = NULL;
	memset(sweep.covered, 0, sizeof sweep.covered);
	sweep.place = NULL;
	sweep.need = NULL;
	sweep.kill = NULL;
	sweep.memory = NULL;
	sweep.memory_model = NULL;
	sweep.n_visits = sweep.capacity = sweep.kept = sweep.n_hindered = 0;
	sweep.n_needs = sweep.needs_capacity = sweep.n_kills = sweep.kills_capacity = 0;
	sweep.n_memory = sweep.memory_capacity = 0;
	sweep.hindered_s = sweep.alone_s = sweep.others = sweep.given_s = 0;
	sweep.ended = sweep.out_of_budget = false;
	return sweep;
}

/* What this process knows of sizes besides: pieces that are out, were lost, or were ended early. */
static void carry_place(struct ft__tally *to, const struct ft__tally *from)
{
	to->in_flight = from->in_flight;
	to->lost = from->lost;
	to->last_piece = from->last_piece;
	to->ended_s = from->ended_s;
}

/* Places have other numbers now. place: [old->report.n_sizes] room for them */
static enum ft_status carry_places(struct ft_sweep *sweep, const struct ft_sweep *old, size_t *place,
				   struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < old->report.n_sizes && !status; i++)
		if (old->place[i].last_piece || old->place[i].lost)
			status = ft__place_of(sweep, &old->report.size[i].size, &place[i], err);
	if (status)
		return status;
	for (size_t i = 0; i < old->report.n_sizes; i++)
		if (old->place[i].last_piece || old->place[i].lost)
			carry_place(&sweep->place[place[i]], &old->place[i]);
	for (size_t i = 0; i < sweep->n_pieces; i++)
		sweep->piece[i].place = place[sweep->piece[i].place];
	return FT_OK;
}

static enum ft_status begin_anew(struct ft_sweep *sweep, const struct ft_sweep *old, struct ft_err *err)
{
	size_t *place = ft_calloc(old->report.n_sizes + 1, sizeof *place);
	enum ft_status status = place ? FT_OK : ft_nomem(err);

	ft__guard_begin(sweep);
	if (!status)
		status = ft__known_get(sweep, err);
	if (!status)
		status = ft__builder_make(sweep, err);
	if (!status)
		status = ft__known_learn(sweep, err);
	if (!status)
		status = carry_places(sweep, old, place, err);
	ft_free(place);
	return status;
}

enum ft_status ft_sweep_look(struct ft_sweep *sweep, size_t *n_new, struct ft_err *err)
{
	enum ft_status status = ft__sweep_check(sweep, err);
	struct ft_sweep old = *sweep;
	size_t n = 0;

	*n_new = 0;
	if (!status)
		status = ft_store_count_runs(sweep->store, sweep->program->id, sweep->machine->id,
					     sweep->seen, &n, err);
	if (status || n <= sweep->kept)
		return status;
	*sweep = blank_sweep(&old);
	status = begin_anew(sweep, &old, err);
	if (status) {
		ft__known_clear(sweep);
		*sweep = old;
		return status;
	}
	*n_new = n - old.kept;
	ft__known_clear(&old);
	return FT_OK;
}
