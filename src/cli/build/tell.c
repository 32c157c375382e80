/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.c - what `foretime build --json` tells. */
#include "cli/answers.h"
#include "cli/build/build.h"
#include "cli/common.h"
#include "cli/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE struct ft_sweep_size
static const struct ft_tell_row size_rows[] = {
	{FT_TELL_AS(NULL, SIZE, size)},
	{FT_TELL(SIZE, runs)},
	{FT_TELL(SIZE, seconds), .about = "median of the resource", .null = "no run ended well"},
	{0},
};
static const struct ft_tell_record sizes = {.bytes = sizeof(SIZE), .row = size_rows};

static const struct ft_tell_row failure_rows[] = {
	{FT_TELL_AS(NULL, SIZE, size)},
	{FT_TELL_AS("runs", SIZE, failed)},
	{FT_TELL_BY(WORD, "outcome", SIZE, failure), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES},
	{FT_TELL(SIZE, detail), .about = "its last words", .null = "none"},
	{0},
};
static const struct ft_tell_record failures = {.bytes = sizeof(SIZE), .row = failure_rows};

static bool is_automatic(const void *told)
{
	return ((const struct cli_auto *)told)->word;
}

#define AUTO struct cli_auto
static const struct ft_tell_row auto_rows[] = {
	{FT_TELL_AS("parameter", AUTO, name)},
	{FT_TELL_AS("most", AUTO, reach.most)},
	{FT_TELL_BY(WORD, "bound", AUTO, reach.bound), .word = ft_reach_text,
	 .words = "memory|killed for memory|failed|constraint",
	 .about = "what keeps larger sizes out: the memory that they are expected to need, a run, or the "
		  "constraint of the program"},
	{FT_TELL_AS("bound_at", AUTO, reach.bound_at), .about = "the size of that run",
	 .null = "there is none"},
	{FT_TELL_AS("memory_limit_bytes", AUTO, reach.limit_bytes),
	 .about = "what a run may need: 80 % of memory_bytes"},
	{FT_TELL(AUTO, memory_bytes), .about = "what a run could have here"},
	{FT_TELL(AUTO, why), .about = "what limits that"},
	{FT_TELL_AS("need_bytes", AUTO, reach.need_bytes), .about = "expected at most"},
	{FT_TELL_AS("seconds", AUTO, reach.seconds), .about = "expected of a run at most",
	 .null = "not known"},
	{FT_TELL_AS("runs", AUTO, reach.runs)},
	{FT_TELL_AS("cost_s", AUTO, reach.cost_s)},
	{0},
};
static const struct ft_tell_record automatic = {.row = auto_rows, .there = is_automatic};

static const struct ft_tell_row shape_rows[] = {
	{FT_TELL(struct cli_shape, parameter)},
	{FT_TELL(struct cli_shape, assumption), .words = "a|b|c|d"},
	{FT_TELL_MANY(ARRAY, "at", struct cli_shape, at, n, &ft_tell_numbers),
	 .about = "the sizes that contradict it; of d: from which on speeds vary more"},
	{0},
};
static const struct ft_tell_record shapes = {.bytes = sizeof(struct cli_shape), .row = shape_rows};

#define PRICE struct ft_sweep_price
static const struct ft_tell_row price_rows[] = {
	{FT_TELL(PRICE, tolerance)},
	{FT_TELL(PRICE, sizes)},
	{FT_TELL_AS("cost_s", PRICE, seconds), .about = "of one run of each size"},
	{0},
};
static const struct ft_tell_record prices = {.bytes = sizeof(PRICE), .row = price_rows};

struct build_told {
	struct cli_build build; /* borrowed */
	const char *method, *unit, *flat[FT_PARAMS_MAX];
	double tolerance, known_to, scatter, not_run_beyond;
	SIZE *failure;
	struct cli_shape *shape;
	struct ft_told_model *model;
	char **routine;
	size_t n_flat, n_failures, n_shapes, n_models, n_routines;
};

#define TOLD struct build_told
static const struct ft_tell_row rows[] = {
	{FT_TELL_AS("name", TOLD, build.program.name)},
	{FT_TELL_AS("hash", TOLD, build.program.hash), .about = "of the executable; empty for a replay"},
	{FT_TELL_BY(RECORD, "machine", TOLD, build.machine), .of = &ft_tell_machine},
	{FT_TELL(TOLD, method)},
	{FT_TELL_AS("resource", TOLD, build.options.resource), .about = "what steered the choice of sizes"},
	{FT_TELL(TOLD, unit)},
	{FT_TELL_AS("seed", TOLD, build.seed)},
	{FT_TELL(TOLD, tolerance),
	 .about = "target accuracy of the typical run; with gbbp the smallest half-width of a cut"},
	{FT_TELL_AS("of_top", TOLD, build.options.of_top),
	 .about = "the tolerance is a share of the fastest speed measured, not of each size's own"},
	{FT_TELL_AS("points", TOLD, build.report.points), .about = "sizes with a run that ended well"},
	{FT_TELL_AS("runs", TOLD, build.report.runs),
	 .about = "made now, the warm-up and failed ones included"},
	{FT_TELL_AS("known", TOLD, build.report.known), .about = "that the store had before"},
	{FT_TELL_AS("cost_s", TOLD, build.report.cost_s),
	 .about = "wall seconds of the whole processes of the runs made now"},
	{FT_TELL_BY(WORD, "stop", TOLD, build.report.stop), .word = ft_stop_text,
	 .words = "tolerance|budget|points|exhausted|interrupted"},
	{FT_TELL_AS("known_cost_s", TOLD, build.report.known_cost_s),
	 .about = "what runs that the store had count of the budget"},
	{FT_TELL(TOLD, known_to), .about = FT_TELL_KNOWN_TO, .null = "not known"},
	{FT_TELL(TOLD, scatter), .about = FT_TELL_SCATTER, .null = "not known"},
	{FT_TELL_AS("rough", TOLD, build.report.rough)},
	{FT_TELL_AS("noisy", TOLD, build.report.noisy)},
	{FT_TELL_AS("too_few", TOLD, build.report.too_few)},
	{FT_TELL_BY(WORD, "far", TOLD, build.options.far), .word = ft_far_text, .words = "measure|half|skip",
	 .about = "far= of --method"},
	{FT_TELL(TOLD, not_run_beyond),
	 .about =
		 "the largest size that was run, where larger ones were left out by choice or for the budget",
	 .null = "no size was left out"},
	{FT_TELL_AS("slow_down", TOLD, build.report.hindrance.slow_down), .about = FT_TELL_SLOW_DOWN},
	{FT_TELL_AS("others", TOLD, build.report.hindrance.others), .about = FT_TELL_OTHERS,
	 .null = "not known"},
	{FT_TELL_AS("busy", TOLD, build.report.hindrance.busy),
	 .about = "the machine is busy: wall times are corrected to an idle machine"},
	{FT_TELL_BY(RECORD, "auto", TOLD, build.automatic), .of = &automatic,
	 .about = "the upper end that n=64:auto found", .null = "no range was automatic"},
	{FT_TELL_AS("killed", TOLD, build.report.killed), .about = FT_TELL_KILLED,
	 .null = "no run was killed"},
	{FT_TELL_MANY(LIST, "sizes", TOLD, build.report.size, build.report.n_sizes, &sizes),
	 .about = "in the order measured"},
	{FT_TELL_MANY(ARRAY, "flat", TOLD, flat, n_flat, &ft_tell_texts),
	 .about = "parameters that change nothing (gbbp and naive leave them out of the grid)"},
	{FT_TELL_MANY(LIST, "shape", TOLD, shape, n_shapes, &shapes),
	 .about = "what gbbp takes for granted of the speed along a parameter (document 000 section 2.3), "
		  "and the sizes measured contradict"},
	{FT_TELL_MANY(ARRAY, "other_tolerances", TOLD, build.report.price, build.report.n_prices, &prices),
	 .about = "what gbbp would have cost at twice and at half the tolerance, by the lines between the "
		  "sizes that "
		  "were run"},
	{FT_TELL_AS("holes", TOLD, build.report.holes),
	 .about = "combinations of parameters that were left out: --where, or not valid"},
	{FT_TELL_AS("too_large", TOLD, build.report.too_large),
	 .about = "combinations that were left out because they would need more memory than there is (only "
		  "where an end of a range is automatic)"},
	{FT_TELL_MANY(LIST, "failures", TOLD, failure, n_failures, &failures)},
	{FT_TELL_MANY(LIST, "models", TOLD, model, n_models, &ft_tell_model)},
	{FT_TELL_MANY(LIST, "routines", TOLD, routine, n_routines, &ft_tell_texts),
	 .about = "NAME/ROUTINE of what the program reported"},
	{0},
};
const struct ft_tell_record cli_build_told = {.name = "build", .version = 2, .row = rows};

char **cli_build_routines(const struct cli_build *build, size_t *n)
{
	struct ft_store_list list = {0};
	size_t i, length = strlen(build->program.name);
	char **name = NULL;

	*n = 0;
	if (ft_store_get_list(build->store, NULL, &list, NULL))
		return NULL;
	for (i = 0; i < list.n; i++) {
		const char *each = list.entry[i].name;

		if (strncmp(each, build->program.name, length) != 0 || each[length] != '/' ||
		    !list.entry[i].current || (i && !strcmp(each, list.entry[i - 1].name)))
			continue;
		name = cli_grow(name, *n, sizeof *name);
		name[(*n)++] = cli_strdup(each);
	}
	ft_store_list_clear(&list);
	return name;
}

/* A number, of the one parameter that varies. */
static double not_run_beyond(const struct cli_build *build)
{
	const struct ft_size *size = &build->report.not_run_beyond;
	size_t varying = 0, n = 0;

	for (size_t i = 0; i < size->n; i++)
		if (build->program.param[i].least < build->program.param[i].most) {
			varying = i;
			n++;
		}
	return n == 1 ? size->value[varying] : (double)NAN;
}

static void find_failures(TOLD *told)
{
	const struct ft_sweep_report *report = &told->build.report;

	told->failure = cli_alloc(report->n_sizes * sizeof *told->failure);
	for (size_t i = 0; i < report->n_sizes; i++)
		if (report->size[i].failed)
			told->failure[told->n_failures++] = report->size[i];
}

void cli_build_tell(const struct cli_build *build, const struct cli_models *models)
{
	const struct ft_tell_with with = {.program = &build->program};
	bool modelled = models->answerer && build->report.models;
	TOLD told = {
		.build = *build,
		.method = build->options.builder->name,
		.unit = build->options.resource->unit,
		.tolerance = cli_build_tolerance(build),
		.known_to = modelled ? build->report.known_to : (double)NAN,
		.scatter = modelled ? build->report.scatter : (double)NAN,
		.not_run_beyond = not_run_beyond(build),
	};
	size_t i;

	for (i = 0; i < build->program.n_params; i++)
		if (build->report.flat[i])
			told.flat[told.n_flat++] = build->program.param[i].name;
	find_failures(&told);
	told.shape = cli_shape_find(build, &told.n_shapes);
	if (modelled)
		told.n_models = cli_models_all(models, &told.model);
	told.routine = cli_build_routines(build, &told.n_routines);
	cli_tell(&cli_build_told, &told, &with);
	for (i = 0; i < told.n_routines; i++)
		free(told.routine[i]);
	free(told.routine);
	free(told.model);
	free(told.shape);
	free(told.failure);
}
