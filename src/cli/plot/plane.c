/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plane.c - a model over two parameters as fields, which the command draws by gnuplot, and the page from JSON. */
#include "cli/cli.h"
#include "cli/plot/plot.h"

#include <math.h>
#include <stdlib.h>

/*
 * A plane as fields.
 */

/* The accuracy of the typical run from which on a plane is hatched: a plane of few runs looks like one of many. */
static const double hatched_from = 0.25;

void cli_plane_clear(struct cli_plane *plane)
{
	for (size_t k = 0; k < 2; k++) {
		free(plane->value[k]);
		free(plane->name[k]);
	}
	free(plane->beyond);
	free(plane->unknown);
	free(plane->speed);
}

void cli_plane_take(struct cli_plane *plane, const struct cli_picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	const struct cli_span *span = picture->span;
	CLI_OWN double *there = cli_alloc(picture->n * sizeof *there);

	*plane =
		(struct cli_plane){.n = cli_picture_has_speed(picture) ? 2 : 1,
				   .beyond = cli_alloc(picture->n * sizeof *plane->beyond),
				   .unknown = cli_alloc(picture->n * sizeof *plane->unknown),
				   .speed = cli_printed("%s per second", program->work ? program->work : "")};
	for (size_t i = 0; i < picture->n; i++) {
		plane->beyond[i] = cli_picture_beyond(picture, i);
		plane->unknown[i] = plane->beyond[i] || !(picture->p[i].known <= hatched_from);
	}
	for (size_t k = 0; k < 2; k++)
		plane->name[k] = cli_printed("size %s", program->param[span[k].axis].name);
	for (size_t k = 0; k < plane->n; k++) {
		double *value = plane->value[k] = cli_alloc(picture->n * sizeof *value);

		for (size_t i = 0; i < picture->n; i++) {
			value[i] = k ? picture->work[i] / picture->p[i].value : picture->p[i].value;
			there[i] = cli_picture_has(picture, i) ? value[i] : NAN;
		}
		plane->field[k] = (struct ft_heat_map){
			.x_label = plane->name[0],
			.y_label = plane->name[1],
			.value_label = k ? plane->speed : cli_resource_title(picture->resource),
			.unit = k ? NULL : picture->resource->unit,
			.whole_x = span[0].whole,
			.whole_y = span[1].whole,
			.log_value = cli_picture_reaches_ten(there, picture->n, NULL, 0),
			.unknown_title = "extrapolated, or accurate to no better than 25 %",
			.log_x = span[0].log,
			.log_y = span[1].log,
			.x = span[0].at,
			.y = span[1].at,
			.value = value,
			.beyond = plane->beyond,
			.unknown = plane->unknown,
			.blank = picture->blank,
			.columns = span[0].n,
			.rows = span[1].n,
			.at_x = picture->run_x,
			.at_y = picture->run_y,
			.at_title = "runs",
			.points = picture->n_runs,
		};
	}
}

/*
 * What is drawn of a field, as JSON.
 */

static const struct ft_tell_row number_rows[] = {{.key = "", .kind = FT_TELL_NUMBER, .null = ""}, {0}};
static const struct ft_tell_record numbers = {.row = number_rows};

#define PLACE "in steps from the first value of the axis"
static const struct ft_tell_row tick_rows[] = {
	{FT_TELL(struct ft__tic, at)},
	{FT_TELL(struct ft__tic, place)},
	{FT_TELL(struct ft__tic, label), .about = "empty of a small one"},
	{0},
};
static const struct ft_tell_record ticks = {
	.name = "tick", .bytes = sizeof(struct ft__tic), .row = tick_rows};

#define SCALE struct ft__field_scale
static const struct ft_tell_row scale_rows[] = {
	{FT_TELL(SCALE, from), .about = "where the picture begins, " PLACE},
	{FT_TELL(SCALE, to), .about = "and ends"},
	{FT_TELL_MANY(LIST, "ticks", SCALE, tic, tics, &ticks)},
	{0},
};
static const struct ft_tell_record scales = {.name = "scale", .bytes = sizeof(SCALE), .row = scale_rows};

static const struct ft_tell_row line_rows[] = {
	{FT_TELL_AS("extrapolated", struct ft__field_line, dashed)},
	{FT_TELL_MANY(LIST, "x", struct ft__field_line, x, n, &ft_tell_numbers)},
	{FT_TELL_MANY(LIST, "y", struct ft__field_line, y, n, &ft_tell_numbers)},
	{0},
};
static const struct ft_tell_record lines_of = {.bytes = sizeof(struct ft__field_line), .row = line_rows};

#define LEVEL struct ft__field_level
static const struct ft_tell_row level_rows[] = {
	{FT_TELL_BY(POINTER, "tick", LEVEL, tic), .of = &ticks},
	{FT_TELL(LEVEL, x), .about = "the middle of its label", .null = "there is no room for it"},
	{FT_TELL(LEVEL, y), .null = "the same"},
	{FT_TELL_MANY(LIST, "lines", LEVEL, line, lines, &lines_of)},
	{0},
};
static const struct ft_tell_record levels = {.bytes = sizeof(LEVEL), .row = level_rows};

#define BOX struct ft__field_box
static const struct ft_tell_row box_rows[] = {
	{FT_TELL(BOX, left)}, {FT_TELL(BOX, right)}, {FT_TELL(BOX, low)}, {FT_TELL(BOX, high)}, {0}};
static const struct ft_tell_record boxes = {.name = "box", .bytes = sizeof(BOX), .row = box_rows};

static const struct ft_tell_row point_rows[] = {
	{FT_TELL(struct ft__field_point, x)}, {FT_TELL(struct ft__field_point, y)}, {0}};
static const struct ft_tell_record places = {.bytes = sizeof(struct ft__field_point), .row = point_rows};

#define PAINTING struct cli_painting
static const struct ft_tell_row painting_rows[] = {
	{FT_TELL(PAINTING, title)},
	{FT_TELL(PAINTING, unit), .null = "a speed, in units of work"},
	{FT_TELL_BY(RECORD, "x", PAINTING, picture.x), .of = &scales},
	{FT_TELL_BY(RECORD, "y", PAINTING, picture.y), .of = &scales},
	{FT_TELL_BY(RECORD, "values", PAINTING, picture.values), .of = &scales,
	 .about = "the bar of colours: 0 is the darkest, 1 the lightest"},
	{FT_TELL(PAINTING, colours), .of = &numbers, .deep = true,
	 .about = "of the nodes, as places on the bar; null: no value"},
	{FT_TELL_MANY(LIST, "levels", PAINTING, picture.level, picture.levels, &levels),
	 .about = "contour lines"},
	{FT_TELL_MANY(LIST, "hatched", PAINTING, picture.hatched, picture.hatches, &boxes)},
	{FT_TELL_AS("hatched_title", PAINTING, unknown)},
	{FT_TELL_MANY(LIST, "blank", PAINTING, picture.cut, picture.cuts, &boxes),
	 .about = "where no size is admitted"},
	{FT_TELL_MANY(LIST, "runs", PAINTING, picture.point, picture.points, &places),
	 .about = "the sizes that were run, each once"},
	{0},
};
const struct ft_tell_record cli_painting = {.about = "how the command draws a plane: places are " PLACE,
					    .bytes = sizeof(PAINTING),
					    .row = painting_rows};

/* A ten-thousandth of a step is less than anybody sees. */
static void shorten(double *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		value[i] = round(value[i] * 1e4) / 1e4;
}

static void shorten_scale(struct ft__field_scale *scale)
{
	shorten(&scale->from, 1);
	shorten(&scale->to, 1);
	for (size_t i = 0; i < scale->tics; i++)
		shorten(&scale->tic[i].place, 1);
}

size_t cli_plane_paint(struct cli_painting out[2], const struct cli_picture *picture, struct ft_arena *arena)
{
	FT_CLEANUP(cli_plane_clear) struct cli_plane plane;
	struct ft_err err = {0};

	cli_plane_take(&plane, picture);
	for (size_t k = 0; k < plane.n; k++) {
		const struct ft_heat_map *field = &plane.field[k];
		struct ft__field_picture *p = &out[k].picture;

		if (ft__field_picture_take(p, field, arena, &err))
			(void)cli_given(NULL);
		out[k].title = ft_arena_text(arena, field->value_label);
		out[k].unit = field->unit;
		out[k].unknown = field->unknown_title;
		out[k].colours = cli_json_array();
		shorten(p->share, field->rows * field->columns);
		for (size_t i = 0; i < field->rows; i++) {
			json_t *row = cli_json_array();

			for (size_t j = 0; j < field->columns; j++)
				cli_json_append(row, cli_json_number(p->share[i * field->columns + j]));
			cli_json_append(out[k].colours, row);
		}
		shorten_scale(&p->x);
		shorten_scale(&p->y);
		shorten_scale(&p->values);
		for (size_t i = 0; i < p->levels; i++) {
			struct ft__field_level *level = &p->level[i];

			shorten(&level->x, 1);
			shorten(&level->y, 1);
			for (size_t j = 0; j < level->lines; j++) {
				shorten(level->line[j].x, level->line[j].n);
				shorten(level->line[j].y, level->line[j].n);
			}
		}
		for (size_t i = 0; i < p->cuts; i++) {
			shorten(&p->cut[i].left, 1);
			shorten(&p->cut[i].right, 1);
			shorten(&p->cut[i].low, 1);
			shorten(&p->cut[i].high, 1);
		}
		for (size_t i = 0; i < p->points; i++) {
			shorten(&p->point[i].x, 1);
			shorten(&p->point[i].y, 1);
		}
	}
	return plane.n;
}
