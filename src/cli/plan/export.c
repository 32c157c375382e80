/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - `foretime plan export`: a model as a file of a runtime system that plans by itself. */
#include "cli/plan/plan.h"
#include "cli/sizes.h"
#include "foretime/carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* StarPU believes what it has seen so often (STARPU_CALIBRATE_MINIMUM). */
enum { BELIEVED = 10 };

struct plan_exported {
	struct cli_plan *plan;
	struct ft_carry_point *point; /* [n] */
	size_t n, axis;
};

static int add_point(struct plan_exported *x, struct ft_answerer *answerer, const struct ft_size *size)
{
	double value = size->value[x->axis];
	struct ft_prediction at;
	struct ft_err err = {0};

	if (!(value >= 1 && value <= 4294967295.0) || value != floor(value))
		return cli_fail("StarPU cannot know the size %g\n"
				"hint: its sizes are whole numbers from 1 to 2^32 - 1",
				value);
	if (ft_ask_predict(answerer, &ft_wall_s, size, 0.9, &at, &err))
		return cli_error(&err);
	x->point = cli_grow(x->point, x->n, sizeof *x->point);
	x->point[x->n++] = (struct ft_carry_point){
		.size = (uint64_t)value,
		.mean_s = at.value,
		.deviation_s = !isfinite(at.upper) ? 0 : fmax(0, at.upper - at.lower) / 2 / 1.6448536,
		.runs = at.runs > BELIEVED ? at.runs : BELIEVED};
	return CLI_DONE;
}

/* The sizes that are typed, or those that were measured. */
static int find_points(struct plan_exported *x, struct ft_answerer *answerer)
{
	const struct cli_words words = {.word = (char **)x->plan->word, .n = x->plan->words};
	FT_CLEANUP(cli_sizes_clear) struct cli_sizes sizes = {0};
	const struct ft_model_record *record;
	struct ft_err err = {0};
	size_t n = 0;

	if (words.n > 1) {
		CLI_TRY(cli_sizes_find(&sizes, answerer, &words, NULL));
		for (size_t i = 0; i < sizes.n; i++)
			CLI_TRY(add_point(x, answerer, &sizes.size[i]));
		return CLI_DONE;
	}
	if (!ft_ask_runs(answerer)->n)
		return cli_fail("'%s' was never run: name sizes, as in n=1000,2000", x->plan->word[0]);
	if (ft_ask_model(answerer, &ft_wall_s, &ft_ask_runs(answerer)->run[0].size, &record, &err))
		return cli_error(&err);
	const struct ft_knot *knot = ft_model_knots(record->model, &n);
	for (size_t i = 0; i < n; i++)
		CLI_TRY(add_point(x, answerer, &knot[i].size));
	return CLI_DONE;
}

static int write_model(struct plan_exported *x)
{
	struct ft_err err = {0};
	char *text;

	if (ft_carry_starpu(x->point, x->n, &text, &err))
		return cli_error(&err);
	fputs(text, stdout);
	free(text);
	cli_note("it belongs in $STARPU_HOME/.starpu/sampling/codelets/45/%s.%s; the codelet's footprint "
		 "is the size itself, and STARPU_CALIBRATE=0",
		 x->plan->symbol, x->plan->host_name);
	return CLI_DONE;
}

static int check_words(const struct cli_plan *plan)
{
	if (plan->format && plan->symbol && plan->host_name)
		return CLI_DONE;
	return cli_fail("which %s?\n"
			"hint: foretime plan export NAME --format starpu,symbol=CODELET,host=HOST",
			!plan->format   ? "format"
			: !plan->symbol ? "codelet is it of"
					: "host is it for");
}

static int check_host(const struct cli_plan *plan)
{
	if (plan->n_hosts == 1 && plan->host[0].count == 1)
		return CLI_DONE;
	return cli_fail("a model of StarPU is of one processor core of one machine, not of '%s'\n"
			"hint: export it once for each machine: --on %s",
			plan->on, plan->host[0].name);
}

static void clear_exported(struct plan_exported *x)
{
	free(x->point);
}

int cli_plan_export(void *asked)
{
	FT_CLEANUP(clear_exported) struct plan_exported x = {.plan = asked};
	size_t axis[FT_PARAMS_MAX];

	CLI_TRY(check_words(x.plan));
	CLI_TRY(cli_plan_open(x.plan));
	CLI_TRY(check_host(x.plan));
	const struct cli_source *source = cli_plan_source(x.plan, x.plan->word[0], x.plan->host[0].name);
	if (!source->answerer)
		return cli_error(&source->err);
	if (ft_ask_axes(source->answerer, axis) > 1)
		return cli_fail("'%s' depends on several parameters, and StarPU knows one size\n"
				"hint: build it over one of them, the others fixed",
				x.plan->word[0]);
	x.axis = axis[0];
	CLI_TRY(find_points(&x, source->answerer));
	return write_model(&x);
}
