/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.h - `foretime plot`: the content of a picture of a model, for its files. */
#ifndef FT_CLI_PLOT_H
#define FT_CLI_PLOT_H

#include "cli/cli.h"
#include "cli/options.h"
#include "plot/door.h"

/* A parameter along an axis of the picture. */
struct cli_span {
	size_t axis; /* index of the parameter */
	const char *name;
	bool log, whole; /* whole: its values are whole numbers */
	double from, to; /* the drawn range */
	double *at;      /* [n] ascending */
	size_t n;
};

/* Zero-initialise; ends with cli_picture_clear. */
struct cli_picture {
	const char *store_path, *device, *machine, *hash, *typed, *path; /* typed: the resource */
	const struct ft_resource *resource;
	double confidence;
	size_t width;
	bool json, dark;
	struct cli_models models;
	struct cli_span span[2]; /* [n_spans] 1: a curve; 2: a plane */
	size_t n_spans;
	struct ft_size slice; /* the values of the other parameters */
	/* [n] along the first span, then along the second: the prediction there. value NaN: no such size */
	struct ft_prediction *p;
	bool *blank;  /* of a plane, FT_FIELD_FINE times as fine: no such size; NULL: all are */
	double *work; /* of the same; NaN: not known */
	size_t n;
	bool works; /* work is known */
	/* [n_runs] what lies on the curve or the plane; y: the value of the second parameter, else 0 */
	double *run_x, *run_y, *run_value, *run_work;
	size_t n_runs;
	const struct ft_run *failing; /* of a curve: from there on none ended well; NULL */
};

/* cli_picture_take - open the models, find out what is to be drawn, ask the model. Returns CLI_DONE, or the
 * exit status after a complaint. */
int cli_picture_take(struct cli_picture *picture, const struct cli_words *words);
void cli_picture_clear(struct cli_picture *picture);

/* cli_picture_has - whether there is an i-th answer: the size makes sense. */
bool cli_picture_has(const struct cli_picture *picture, size_t i);

/* cli_picture_beyond - whether the i-th prediction is extrapolated. */
bool cli_picture_beyond(const struct cli_picture *picture, size_t i);

/* cli_picture_at - the values of the parameters that the picture does not show, "m=512 k=4"; "": there are
 * none. Ends with free. */
char *cli_picture_at(const struct cli_picture *picture);

/* cli_picture_spans_ten - whether values span a factor of ten or more, and are positive: their axis is logarithmic.
 * cli_picture_reaches_ten - the same of lines and runs. */
bool cli_picture_spans_ten(double least, double most);
bool cli_picture_reaches_ten(const double *line, size_t n, const double *run, size_t n_runs);

/* cli_picture_has_speed - whether the work of a time is known. */
bool cli_picture_has_speed(const struct cli_picture *picture);

/* A plane as fields: the resource, and the speed where the work is known. */
struct cli_plane {
	struct ft_heat_map field[2];
	size_t n;
	double *value[2];
	bool *beyond, *unknown;
	char *speed, *name[2];
};

/* cli_plane_take - borrows from the picture; ends with cli_plane_clear. */
void cli_plane_take(struct cli_plane *plane, const struct cli_picture *picture);
void cli_plane_clear(struct cli_plane *plane);

/* How a field is drawn. */
struct cli_painting {
	struct ft__field_picture picture;
	const char *title, *unit, *unknown;
	json_t *colours; /* a new reference */
};
extern const struct ft_tell_record cli_painting;

/* cli_plane_paint - what is drawn of a plane, in places that are rounded for JSON. Returns the number of fields. */
size_t cli_plane_paint(struct cli_painting out[2], const struct cli_picture *picture, struct ft_arena *arena);

#endif
