/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.c - requests for all sizes, as a file of knots: what Slurm's functions of submission read. */
#include "tell/knots.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/carry.h"
#include "foretime/plan.h"
#include "tell/batch.h"

#include <math.h>
#include <string.h>

static struct ft_carry_knot knot_of(const struct ft_request_knots *knots, const struct ft_request_knot *knot)
{
	return (struct ft_carry_knot){.at = knot->at,
				      .typical_s = knot->typical_s,
				      .most_s = knot->most_s,
				      .bytes = isnan(knot->bytes) ? knot->bytes
								  : ft_tell_bytes(knot->bytes, knots->brief,
										  FT_TELL_SHELL_BYTES, NULL)};
}

/* The values of the other parameters: each has one. */
static size_t fixed_values(const struct ft_program *program, const struct ft_size *size, size_t axis,
			   struct ft_carry_value *fixed)
{
	size_t n = 0;

	for (size_t i = 0; i < program->n_params; i++)
		if (i != axis)
			fixed[n++] = (struct ft_carry_value){program->param[i].name, size->value[i]};
	return n;
}

/* ---- partitions --------------------------------------------------------------------------------------- */

struct places {
	const struct ft_tell_place *place; /* [n] */
	size_t n;
	double risk;
};

/* What a place is to those who rank, and what suffices there. */
static void ask_place(const struct places *places, size_t i, const struct ft_size *size,
		      struct ft_plan_server *server, struct ft_carry_knot *most)
{
	const struct ft_tell_place *place = &places->place[i];
	struct ft_request request;
	struct ft_prediction at;

	*server = (struct ft_plan_server){.time_s = INFINITY,
					  .limit_s = isinf(place->limit_s) ? 0 : place->limit_s};
	if (ft_ask_request(place->answerer, size, places->risk, &request, NULL) || request.refuted ||
	    request.beyond_kill || request.doubted || !request.time.resource ||
	    ft_ask_predict(place->answerer, &ft_wall_s, size, 0.9, &at, NULL) || !isfinite(at.upper))
		return;
	most->alike_s = request.time.most;
	most->alike_bytes = request.memory.resource ? ft_tell_bytes(request.memory.most, request.brief,
								    FT_TELL_SHELL_BYTES, NULL)
						    : NAN;
	if (place->memory_bytes > 0 && most->alike_bytes > place->memory_bytes)
		return;
	server->time_s = at.value;
	server->spread_s = fmax(0, at.upper - at.value) / 1.6448536;
}

/* Whether all kinds of nodes of the partition of `first` are alike: a job may come to any. behind: out */
static bool all_alike(const struct places *places, const bool *alike, size_t first, size_t *behind)
{
	bool all = true;
	size_t i;

	for (i = first; i < places->n && !strcmp(places->place[i].partition, places->place[first].partition);
	     i++)
		all = all && alike[i];
	*behind = i;
	return all;
}

/* The list, and what suffices wherever in it a job comes to. text: empty; it stays so where there is none */
static void join_alike(const struct places *places, const bool *alike, const struct ft_carry_knot *most,
		       struct ft_carry_knot *knot, struct ft_text *text)
{
	size_t next;

	knot->alike_s = knot->alike_bytes = 0;
	for (size_t i = 0; i < places->n; i = next) {
		if (!all_alike(places, alike, i, &next))
			continue;
		ft_text_add(text, "%s%s", text->length ? "," : "", places->place[i].partition);
		for (; i < next; i++) { /* NaN stays */
			knot->alike_s = fmax(knot->alike_s, most[i].alike_s);
			knot->alike_bytes = isnan(most[i].alike_bytes)                ? NAN
					    : knot->alike_bytes < most[i].alike_bytes ? most[i].alike_bytes
										      : knot->alike_bytes;
		}
	}
}

/* Which partitions cannot be told from the best one at a knot. */
static enum ft_status find_alike(const struct places *places, const struct ft_size *size,
				 struct ft_carry_knot *knot, struct ft_err *err)
{
	size_t n = places->n;
	struct ft_plan_server *server = ft_calloc(n, sizeof *server);
	struct ft_plan_rank *rank = ft_calloc(n, sizeof *rank);
	struct ft_carry_knot *most = ft_calloc(n, sizeof *most);
	bool *alike = ft_calloc(n, sizeof *alike);
	struct ft_text text = {0};
	enum ft_status status = server && rank && most && alike ? FT_OK : ft_nomem(err);

	for (size_t i = 0; i < n && !status; i++)
		ask_place(places, i, size, &server[i], &most[i]);
	if (!status)
		status = ft_plan_rank(server, n, 0, rank, err);
	for (size_t i = 0; i < n && !status; i++)
		alike[rank[i].server] = rank[i].alike && rank[i].why == FT_RANK_GOOD;
	if (!status)
		join_alike(places, alike, most, knot, &text);
	if (text.length && !(knot->alike = ft_text_take(&text)))
		status = ft_nomem(err);
	ft_free(server);
	ft_free(rank);
	ft_free(most);
	ft_free(alike);
	return status;
}

/* ---- the text ----------------------------------------------------------------------------------------- */

static enum ft_status write_knots(const struct ft_answerer *answerer, const struct places *places,
				  const struct ft_request_knots *knots, const struct ft_size *size,
				  double lives_s, char **out, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const struct ft_machine *machine = ft_ask_machine(answerer);
	struct ft_carry_value fixed[FT_PARAMS_MAX];
	struct ft_carry_knot *knot = ft_calloc(knots->n, sizeof *knot);
	int64_t now_s = ft_clock_real_ns() / 1000000000;
	struct ft_carry_knots told = {.program = program->name,
				      .parameter = program->param[knots->axis].name,
				      .fingerprint = machine->fingerprint,
				      .host = machine->host ? machine->host : "",
				      .fixed = fixed,
				      .n_fixed = fixed_values(program, size, knots->axis, fixed),
				      .made_s = now_s,
				      .expires_s = now_s + (int64_t)lives_s,
				      .risk = places->risk,
				      .cpus = ft_tell_cpus(knots->cpus),
				      .knot = knot,
				      .n = knots->n};
	enum ft_status status = knot ? FT_OK : ft_nomem(err);
	struct ft_size at = *size;

	for (size_t i = 0; i < knots->n && !status; i++) {
		knot[i] = knot_of(knots, &knots->knot[i]);
		at.value[knots->axis] = knot[i].at;
		if (places->n)
			status = find_alike(places, &at, &knot[i], err);
	}
	if (!status)
		status = ft_carry_write_knots(&told, out, err);
	for (size_t i = 0; knot && i < knots->n; i++)
		ft_free((char *)knot[i].alike);
	ft_free(knot);
	return status;
}

enum ft_status ft_tell_knots(struct ft_answerer *answerer, const struct ft_tell_place *place, size_t n,
			     double risk, double lives_s, char **out, struct ft_err *err)
{
	struct ft_request_knots knots = {0};
	struct ft_size any = ft_ask_any_size(answerer);
	enum ft_status status = ft_ask_request_knots(answerer, &any, risk, &knots, err);

	*out = NULL;
	if (!status)
		status = write_knots(answerer, &(struct places){place, n, risk}, &knots, &any, lives_s, out,
				     err);
	ft_request_knots_clear(&knots);
	return status;
}
