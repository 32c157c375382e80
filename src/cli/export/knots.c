/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.c - requests for all sizes, as a file of knots: what Slurm's functions of submission read. */
#include "cli/export/knots.h"
#include "cli/common.h"
#include "cli/models.h"
#include "cli/request/batch.h"
#include "foretime/carry.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Memory as `request --format slurm` asks for it. */
static struct ft_carry_knot asked(const struct ft_request_knots *knots, const struct ft_request_knot *knot)
{
	const struct cli_request r = {.batch = &cli_batch_slurm,
				      .overhead = NAN,
				      .sized = true,
				      .request = {.memory = {.most = knot->bytes}, .brief = knots->brief}};

	return (struct ft_carry_knot){.at = knot->at,
				      .typical_s = knot->typical_s,
				      .most_s = knot->most_s,
				      .bytes = isnan(knot->bytes) ? knot->bytes : cli_batch_bytes(&r)};
}

static double cpus(const struct ft_request_knots *knots)
{
	const struct cli_request r = {.sized = true, .request = {.cpus = knots->cpus}};

	return cli_batch_cpus(&r);
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

static int write_knots(const struct cli_models *models, const struct ft_request_knots *knots, double risk,
		       double lives_s, FILE *file)
{
	const struct ft_program *program = ft_ask_program(models->answerer);
	const struct ft_machine *machine = ft_ask_machine(models->answerer);
	struct ft_size any = ft_ask_any_size(models->answerer);
	struct ft_carry_value fixed[FT_PARAMS_MAX];
	struct ft_carry_knot *knot = cli_alloc(knots->n * sizeof *knot);
	int64_t now_s = (int64_t)time(NULL);
	struct ft_carry_knots told = {.program = program->name,
				      .parameter = program->param[knots->axis].name,
				      .fingerprint = machine->fingerprint,
				      .host = machine->host ? machine->host : "",
				      .fixed = fixed,
				      .n_fixed = fixed_values(program, &any, knots->axis, fixed),
				      .made_s = now_s,
				      .expires_s = now_s + (int64_t)lives_s,
				      .risk = risk,
				      .cpus = cpus(knots),
				      .knot = knot,
				      .n = knots->n};
	struct ft_err err = {0};
	char *text;
	size_t i;
	int status = CLI_DONE;

	for (i = 0; i < knots->n; i++)
		knot[i] = asked(knots, &knots->knot[i]);
	if (ft_carry_write_knots(&told, &text, &err))
		status = cli_error(&err);
	else
		fputs(text, file);
	free(text);
	free(knot);
	return status;
}

int cli_export_knots(const char *name, const char *machine, const char *store_path, const char *path,
		     double risk, double lives_s)
{
	struct ft_request_knots knots = {0};
	struct cli_models models = {0};
	struct cli_output output = {0};
	struct ft_size any;
	struct ft_err err = {0};
	int status = cli_models_open(&models, store_path, name, machine), closed;

	if (status != CLI_DONE)
		return status;
	any = ft_ask_any_size(models.answerer);
	if (ft_ask_request_knots(models.answerer, &any, risk, &knots, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = cli_output_open(&output, path, stdout);
	if (status == CLI_DONE) {
		status = write_knots(&models, &knots, risk, lives_s, output.file);
		closed = cli_output_close(&output, status == CLI_DONE);
		status = status == CLI_DONE ? closed : status;
	}
	ft_request_knots_clear(&knots);
	cli_models_close(&models);
	return status;
}
