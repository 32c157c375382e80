/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - options of `foretime build` that are words, read into what a sweep is asked for. */
#include "cli/build/build.h"
#include "cli/common.h"
#include "cli/models.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int read_far(struct cli_build *build)
{
	if (!build->far || ft_far_parse(build->far, &build->options.far))
		return CLI_DONE;
	(void)cli_fail("unknown far='%s' of --method", build->far);
#define FT_FAR_HINT(name, text, about) cli_hint("--method far=%s: %s", text, about);
	FT_FAR_LIST(FT_FAR_HINT)
#undef FT_FAR_HINT
	return CLI_WRONG;
}

/* "5%", or "5%top": of the fastest speed. */
static int read_tolerance(struct cli_build *build)
{
	size_t length = build->tolerance ? strlen(build->tolerance) : 0;
	struct ft_err err = {0};
	char share[64];

	build->options.of_top = length > 3 && !strcmp(build->tolerance + length - 3, "top");
	if (build->options.of_top)
		length -= 3;
	if (!build->tolerance)
		return CLI_DONE;
	(void)snprintf(share, sizeof share, "%.*s", (int)(length < sizeof share ? length : sizeof share - 1),
		       build->tolerance);
	if (!ft_share_parse(share, 1e-6, 1 - 1e-6, &build->options.tolerance, &err))
		return CLI_DONE;
	return cli_error_at(&err, "option --tolerance");
}

static int read_budget(struct cli_build *build)
{
	if (build->options.budget_s <= 0)
		return cli_fail("option --budget: nothing can be run in no time\n"
				"hint: write a duration as in 30s or 1.5h, or leave --budget out: there is "
				"then no limit");
	build->options.budget_s = fmax(0, build->options.budget_s);
	return CLI_DONE;
}

/* The climb and the end of gbbp, and under which load of others. */
static int read_kinds(struct cli_build *build)
{
	struct ft_sweep_options *options = &build->options;

	options->climb_strict = build->climb && !strcmp(build->climb, "strict");
	if (build->climb && !options->climb_strict && strcmp(build->climb, "overlap") != 0)
		return cli_fail("climb= of --method is overlap or strict, not '%s'", build->climb);
	options->end_zero = build->end && !strcmp(build->end, "zero");
	if (build->end && !options->end_zero && strcmp(build->end, "measured") != 0)
		return cli_fail("end= of --method is measured or zero, not '%s'", build->end);
	options->load = FT_LOAD_USUAL;
	options->sharing = build->niced ? FT_SHARING_NICED : FT_SHARING_FAIR;
	if (build->load && (!ft_load_view_parse(build->load, &options->load) || options->load == FT_LOAD_NOW))
		return cli_fail("--load is usual or idle, not '%s'", build->load);
	return CLI_DONE;
}

static int read_resource(struct cli_build *build)
{
	build->options.resource = build->resource ? cli_resource_typed(build->resource) : &ft_wall_s;
	return build->options.resource ? CLI_DONE : CLI_WRONG;
}

static int read_method(struct cli_build *build)
{
	struct ft_sweep_options *options = &build->options;
	const struct ft_builder_type *type;

	options->builder = build->method ? ft_builder_type_find(build->method) : ft_builder_type_get(0);
	if (options->builder && options->of_top && !options->builder->of_top)
		return cli_fail("--method %s weighs errors by each time itself, not by the fastest speed\n"
				"hint: leave out 'top' behind the tolerance, or take --method gbbp",
				options->builder->name);
	if (options->builder) {
		options->of_top |= !build->tolerance && options->builder->usually_top;
		return CLI_DONE;
	}
	(void)cli_fail("unknown method '%s'", build->method ? build->method : "");
	for (size_t i = 0; (type = ft_builder_type_get(i)); i++)
		cli_hint("--method %s: %s", type->name, type->about);
	return CLI_WRONG;
}

static int read_choice(struct cli_build *build)
{
	bool stated = build->watts > 0 || build->powers.n;

	if (build->watts < 0)
		return cli_fail("--least watts=: a power is above 0, not %g", build->watts);
	if (!stated || build->until || build->opencl.path)
		return CLI_DONE;
	return cli_fail("watts and --powers need --least time and several devices\n"
			"hint: for the energy of a program that is built: foretime predict --powers");
}

int cli_build_check(struct cli_build *build)
{
	static int (*const reads[])(struct cli_build *) = {read_tolerance, read_budget, read_kinds, read_far,
							   read_resource,  read_method, read_choice};

	if (build->counts.least) {
		build->options.reps_least = build->counts.least;
		build->options.reps_most = build->counts.most;
		build->options.reps_limit_s = build->counts.limit_s;
	}
	build->options.seed = build->seed;
	build->options.threads = (double)build->threads;
	build->launch.threads = build->threads > 1000000 ? 1000000 : (int)build->threads;
	cli_probes_set(&build->probes, &build->launch);
	for (size_t i = 0; i < sizeof reads / sizeof *reads; i++)
		CLI_TRY(reads[i](build));
	return CLI_DONE;
}
