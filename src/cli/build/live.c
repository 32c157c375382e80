/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c - what a build writes of itself for the page: each run, the next one and its reason, accuracy and budget. */
#include "base/clock.h"
#include "cli/build/build.h"
#include "store/door.h"
#include "tell/tell.h"

#include <math.h>
#include <stdlib.h>

/* ROWS: runs, and accuracies, that a picture needs at most. SHORT_S: runs that are expected to take less may be as often
 * as a thousand times a second, and are written together; a file costs some 50 us. */
enum { ROWS = 400 };
#define SHORT_S 0.1

/* A list that is full loses each second of its rows. */
static void append_row(json_t **list, json_t *row)
{
	if (!*list)
		*list = json_array();
	if (json_array_size(*list) >= ROWS)
		for (size_t i = ROWS; i-- > 0; i--)
			(void)json_array_remove(*list, i);
	(void)json_array_append_new(*list, row);
}

void cli_live_ran(void *ctx, const struct ft_run *run)
{
	struct cli_build *build = ctx;

	if (build->replay_path)
		return;
	json_t *row = json_array();
	(void)json_array_append_new(row, json_integer((json_int_t)++build->live.runs));
	for (size_t i = 0; i < run->size.n; i++)
		(void)json_array_append_new(row, ft_tell_number(run->size.value[i]));
	(void)json_array_append_new(row, ft_tell_number(run->outcome == FT_DONE
								? ft_run_value(run, build->options.resource)
								: (double)NAN));
	append_row(&build->live.measured, row);
}

/* Names and ranges, in the order of sizes. */
static json_t *parameters_of(const struct ft_program *program)
{
	json_t *list = json_array();

	for (size_t i = 0; i < program->n_params; i++)
		(void)json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "name", program->param[i].name,
							    "least", ft_tell_number(program->param[i].least),
							    "most", ft_tell_number(program->param[i].most)));
	return list;
}

static json_t *size_of(const struct ft_program *program, const struct ft_size *size)
{
	json_t *object = size->n ? json_object() : json_null();

	for (size_t i = 0; i < size->n && i < program->n_params; i++)
		(void)json_object_set_new(object, program->param[i].name, ft_tell_number(size->value[i]));
	return object;
}

void cli_live_progress(struct cli_build *build, const struct ft_progress *progress)
{
	const struct ft_resource *resource = build->options.resource;
	double now_s = ft_clock_s(), accuracy = progress->next.accuracy;

	if (build->replay_path || (build->live.put_s > 0 && progress->expected_s < SHORT_S &&
				   !progress->ended && now_s - build->live.put_s < SHORT_S))
		return;
	if (!isnan(accuracy) && progress->runs != build->live.judged)
		append_row(&build->live.accuracy, json_pack("[I, f]", (json_int_t)progress->runs, accuracy));
	build->live.judged = progress->runs;
	json_t *live = json_pack(
		"{s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, "
		"s:b, s:b, s:O?, "
		"s:O?}",
		"name", ft_tell_text(build->program.name), "device", ft_tell_text(build->program.device),
		"machine", ft_tell_text(build->machine.host), "resource", resource->name, "unit",
		resource->unit, "parameters", parameters_of(&build->program), "size",
		size_of(&build->program, &progress->size), "reason",
		progress->reason < 0 ? json_null()
				     : json_string(ft_reason_text((enum ft_reason)progress->reason)),
		"gain", ft_tell_number(progress->gain), "seconds", ft_tell_number(progress->expected_s),
		"spent_s", ft_tell_number(progress->spent_s), "budget_s", ft_tell_number(progress->budget_s),
		"tolerance", ft_tell_number(cli_build_tolerance(build)), "accuracy", ft_tell_number(accuracy),
		"complete", ft_tell_number(progress->complete), "points", (json_int_t)progress->points,
		"runs", (json_int_t)progress->runs, "in_flight", (json_int_t)progress->in_flight, "of_top",
		(int)build->options.of_top, "ended", (int)progress->ended, "measured", build->live.measured,
		"history", build->live.accuracy);
	char *text = live ? json_dumps(live, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

	if (text && ft_live_put(ft_store_path(build->store), text))
		build->live.put_s = now_s;
	free(text);
	json_decref(live);
}

void cli_live_end(struct cli_build *build)
{
	if (build->live.put_s > 0)
		ft_live_end(ft_store_path(build->store));
	build->live.put_s = 0;
}
