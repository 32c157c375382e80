/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.c - requests for all sizes, as a file of knots: what Slurm's functions of submission read. */
#include "tell/knots.h"
#include "base/alloc.h"
#include "foretime/carry.h"
#include "tell/batch.h"

#include <math.h>
#include <time.h>

static struct ft_carry_knot asked(const struct ft_request_knots *knots, const struct ft_request_knot *knot)
{
	return (struct ft_carry_knot){.at = knot->at,
				      .typical_s = knot->typical_s,
				      .most_s = knot->most_s,
				      .bytes = isnan(knot->bytes) ? knot->bytes
								  : ft_tell_bytes(knot->bytes, knots->brief,
										  FT_TELL_SHELL_BYTES, 0)};
}

/* The values of the other parameters: each has one. */
static size_t fixed_values(const struct ft_program *program, const struct ft_size *size, size_t axis,
			   struct ft_carry_value *fixed)
{
	size_t n = 0, i;

	for (i = 0; i < program->n_params; i++)
		if (i != axis)
			fixed[n++] = (struct ft_carry_value){program->param[i].name, size->value[i]};
	return n;
}

static enum ft_status write_knots(const struct ft_answerer *answerer, const struct ft_request_knots *knots,
				  const struct ft_size *size, double risk, double lives_s, char **out,
				  struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const struct ft_machine *machine = ft_ask_machine(answerer);
	struct ft_carry_value fixed[FT_PARAMS_MAX];
	struct ft_carry_knot *knot = ft_calloc(knots->n, sizeof *knot);
	int64_t now_s = (int64_t)time(NULL);
	struct ft_carry_knots told = {.program = program->name,
				      .parameter = program->param[knots->axis].name,
				      .fingerprint = machine->fingerprint,
				      .host = machine->host ? machine->host : "",
				      .fixed = fixed,
				      .n_fixed = fixed_values(program, size, knots->axis, fixed),
				      .made_s = now_s,
				      .expires_s = now_s + (int64_t)lives_s,
				      .risk = risk,
				      .cpus = ft_tell_cpus(knots->cpus),
				      .knot = knot,
				      .n = knots->n};
	enum ft_status status = knot ? FT_OK : ft_nomem(err);
	size_t i;

	for (i = 0; knot && i < knots->n; i++)
		knot[i] = asked(knots, &knots->knot[i]);
	if (!status)
		status = ft_carry_write_knots(&told, out, err);
	ft_free(knot);
	return status;
}

enum ft_status ft_tell_knots(struct ft_answerer *answerer, double risk, double lives_s, char **out,
			     struct ft_err *err)
{
	struct ft_request_knots knots = {0};
	struct ft_size any = ft_ask_any_size(answerer);
	enum ft_status status = ft_ask_request_knots(answerer, &any, risk, &knots, err);

	*out = NULL;
	if (!status)
		status = write_knots(answerer, &knots, &any, risk, lives_s, out, err);
	ft_request_knots_clear(&knots);
	return status;
}
