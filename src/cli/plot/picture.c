/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.c - the content of a picture of a model: its parameters and ranges, the model on a grid, runs. */
#include "cli/cli.h"
#include "cli/plot/plot.h"
#include "foretime/plot.h"
#include "model/door.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Choose the parameters and ranges of a picture, and fix the rest.
 */

/* What was typed for each parameter. */
struct typed {
	bool fixed[FT_PARAMS_MAX], ranged[FT_PARAMS_MAX];
	struct ft_param param[FT_PARAMS_MAX];
};

bool cli_picture_spans_ten(double least, double most)
{
	return least > 0 && most >= 10 * least * (1 - 1e-12);
}

bool cli_picture_reaches_ten(const double *line, size_t n, const double *run, size_t n_runs)
{
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < n + n_runs; i++) {
		double value = i < n ? line[i] : run[i - n];

		if (!isnan(value)) {
			least = fmin(least, value);
			most = fmax(most, value);
		}
	}
	return cli_picture_spans_ten(least, most);
}

/* A time gives a speed if the work is known. */
bool cli_picture_has_speed(const struct cli_picture *picture)
{
	return picture->resource->of == FT_CLASS_TIME && picture->works;
}

static int read_words(struct cli_picture *picture, const struct cli_words *words, struct typed *typed)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);

	for (size_t i = 1; i < words->n; i++) {
		struct ft_param param;
		struct ft_err err = {0};

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		int at = ft_program_find_param(program, param.name);
		if (at < 0 || !strchr(words->word[i], '='))
			return cli_fail("'%s' is not a value or range of a parameter of '%s'", words->word[i],
					program->name);
		typed->fixed[at] = param.least == param.most;
		typed->ranged[at] = !typed->fixed[at];
		typed->param[at] = param;
		if (typed->fixed[at])
			picture->slice.value[at] = param.least;
	}
	return CLI_DONE;
}

/* The parameters that can vary: those of the models; of a stated law alone those with a range. */
static size_t axes_of(const struct cli_picture *picture, size_t *axis)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	size_t n = 0;

	if (ft_ask_runs(picture->models.answerer)->n)
		return ft_ask_axes(picture->models.answerer, axis);
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].least < program->param[i].most)
			axis[n++] = i;
	return n;
}

static bool counts(const struct cli_picture *picture, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !run->warmup && !isnan(ft_run_idle_value(run, picture->resource));
}

/* The value of a parameter that the middle run has. */
static double middle_of(const struct cli_picture *picture, size_t axis)
{
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);
	double least = INFINITY, most = -INFINITY, best = NAN;

	for (size_t i = 0; i < runs->n; i++)
		if (counts(picture, &runs->run[i])) {
			least = fmin(least, runs->run[i].size.value[axis]);
			most = fmax(most, runs->run[i].size.value[axis]);
		}
	for (size_t i = 0; i < runs->n; i++) {
		double value = runs->run[i].size.value[axis],
		       middle = least > 0 ? sqrt(least * most) : most / 2;

		if (counts(picture, &runs->run[i]) && !(fabs(value - middle) >= fabs(best - middle)))
			best = value;
	}
	return isnan(best) ? picture->slice.value[axis] : best;
}

/* Three parameters or more: no picture has room for them. */
static int refuse_many(const struct cli_picture *picture, const size_t *axis, size_t n)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	char *names = cli_strdup(""), *fix = cli_strdup(""), *more, digits[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < n; i++) {
		more = cli_printed("%s%s%s", names,
				   i == 0      ? ""
				   : i + 1 < n ? ", "
					       : " and ",
				   program->param[axis[i]].name);
		free(names);
		names = more;
		if (i < 2)
			continue;
		more = cli_printed("%s %s=%s", fix, program->param[axis[i]].name,
				   ft_number_format(middle_of(picture, axis[i]), digits));
		free(fix);
		fix = more;
	}
	(void)cli_fail("'%s' varies in %s: a picture shows two of them\n"
		       "hint: fix the others: foretime plot %s%s",
		       program->name, names, program->name, fix);
	free(names);
	free(fix);
	return CLI_WRONG;
}

static double rest_of(double value)
{
	return value - floor(value);
}

/* From the least to the largest run that counts; of a law alone the program's own range. */
static void find_range(const struct cli_picture *picture, struct cli_span *span)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);

	span->from = INFINITY;
	span->to = -INFINITY;
	for (size_t i = 0; i < runs->n; i++)
		if (counts(picture, &runs->run[i])) {
			span->from = fmin(span->from, runs->run[i].size.value[span->axis]);
			span->to = fmax(span->to, runs->run[i].size.value[span->axis]);
		}
	if (span->from > span->to) {
		span->from = program->param[span->axis].least;
		span->to = program->param[span->axis].most;
	}
	span->log = cli_picture_spans_ten(span->from, span->to);
	span->whole = rest_of(span->from) == 0;
	for (size_t i = 0; i < runs->n; i++)
		span->whole = span->whole && rest_of(runs->run[i].size.value[span->axis]) == 0;
}

static void set_range(struct cli_picture *picture, struct cli_span *span, const struct typed *typed)
{
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);
	bool curve = picture->n_spans == 1;

	find_range(picture, span);
	if (curve)
		picture->failing = ft_runs_failing(runs, span->axis, &picture->slice);
	if (typed->ranged[span->axis]) {
		span->from = typed->param[span->axis].least;
		span->to = typed->param[span->axis].most;
		span->log = cli_picture_spans_ten(span->from, span->to);
	} else if (curve && runs->n) {
		/* A fifth of the axis more, no further than twice the largest size; not into sizes where runs fail, nor
		 * behind the end of a list. */
		const struct ft_program *program = ft_ask_program(picture->models.answerer);
		double last = span->to;

		if (span->from == span->to && span->to > 0) {
			span->from /= 2;
			last *= 2;
		} else if (span->log) {
			last *= fmin(2, pow(span->to / span->from, 0.2));
		} else {
			last += (span->to - span->from) / 5;
		}
		if (span->to > 0)
			last = fmin(last, 2 * span->to);
		if (picture->failing && picture->failing->size.value[span->axis] > span->to)
			last = fmin(last, picture->failing->size.value[span->axis]);
		if (!program->param[span->axis].n_list)
			span->to = last;
	}
}

/* Choose which parameters vary in the picture, and the values of the rest. */
static int picture_choose(struct cli_picture *picture, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	CLI_OWN struct typed *typed = cli_alloc(sizeof *typed);
	size_t axis[FT_PARAMS_MAX], n = axes_of(picture, axis), i, left = 0;

	picture->slice = ft_ask_any_size(picture->models.answerer);
	int status = read_words(picture, words, typed);
	for (i = 0; i < n; i++)
		if (!typed->fixed[axis[i]])
			axis[left++] = axis[i];
	if (status == CLI_DONE && left > 2)
		status = refuse_many(picture, axis, left);
	if (status == CLI_DONE && !left)
		status = cli_fail("nothing of '%s' is left to vary\n"
				  "hint: leave out a value, or give a range, such as %s=64:2048",
				  program->name, program->param[0].name);
	picture->n_spans = left;
	for (i = 0; status == CLI_DONE && i < left; i++) {
		picture->span[i].axis = axis[i];
		set_range(picture, &picture->span[i], typed);
	}
	return status;
}

/*
 * The content of a picture: the model on a fine grid, and the runs.
 */

enum { CURVE_POINTS = 300, PLANE_POINTS = 65 };

void cli_picture_clear(struct cli_picture *picture)
{
	free(picture->span[0].at);
	free(picture->span[1].at);
	free(picture->p);
	free(picture->work);
	free(picture->blank);
	free(picture->run_x);
	free(picture->run_y);
	free(picture->run_value);
	free(picture->run_work);
	cli_models_close(&picture->models);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Evenly over the axis. Of a curve also where the measured range begins and ends. */
static void set_grid(struct cli_picture *picture, struct cli_span *span, size_t n)
{
	double from = span->from, to = span->to, ends[2] = {INFINITY, -INFINITY};
	size_t kept = 0;

	span->at = cli_alloc((n + 2) * sizeof *span->at);
	for (size_t i = 0; i < n; i++) {
		double share = (double)i / (double)(n - 1);

		span->at[i] = span->log ? from * pow(to / from, share) : from + (to - from) * share;
	}
	span->at[n - 1] = to;
	for (size_t i = 0; i < picture->n_runs; i++) {
		ends[0] = fmin(ends[0], picture->run_x[i]);
		ends[1] = fmax(ends[1], picture->run_x[i]);
	}
	for (size_t i = 0; picture->n_spans == 1 && i < 2; i++)
		if (ends[i] > from && ends[i] < to)
			span->at[n++] = ends[i];
	qsort(span->at, n, sizeof *span->at, by_value);
	for (size_t i = 0; i < n; i++)
		if (!i || span->at[i] > span->at[kept - 1])
			span->at[kept++] = span->at[i];
	span->n = kept;
}

/* Work at a size: as the program states, else interpolated between reports of runs (a power law from knot
 * to knot); NaN: unknown. */
static double work_at(const struct cli_picture *picture, const struct ft_knot *knot, size_t n,
		      const struct ft_size *size)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	size_t axis = picture->span[0].axis, i;
	double x = size->value[axis], work, from;

	if (program->work)
		return ft_program_work(program, size, &work, NULL) ? NAN : work;
	for (i = 0; i + 2 < n && knot[i + 1].size.value[axis] < x; i++)
		;
	if (n < 2)
		return n ? knot[0].work : NAN;
	from = knot[i].size.value[axis];
	if (!(from > 0) || !(x > 0))
		return knot[i].work;
	return knot[i].work *
	       pow(knot[i + 1].work / knot[i].work, log(x / from) / log(knot[i + 1].size.value[axis] / from));
}

/* The sizes measured of a model over one parameter, when its runs reported work; else none. */
static size_t knots_of(struct cli_picture *picture, const struct ft_knot **knot)
{
	const struct ft_model_record *record;
	size_t axis[FT_PARAMS_MAX], n, i;

	*knot = NULL;
	if (ft_ask_program(picture->models.answerer)->work || !ft_ask_runs(picture->models.answerer)->n ||
	    ft_ask_model(picture->models.answerer, picture->resource, &picture->slice, &record, NULL) ||
	    ft_model_axes(record->model, axis) > 1)
		return 0;
	*knot = ft_model_knots(record->model, &n);
	for (i = 0; i < n; i++)
		if ((*knot)[i].work != 1)
			return n;
	return 0;
}

/* Whether the picture shows a run: it lies on the slice except along the varying parameters. */
static bool shows(const struct cli_picture *picture, const struct ft_run *run)
{
	struct ft_size size = picture->slice;

	for (size_t k = 0; k < picture->n_spans; k++) {
		const struct cli_span *span = &picture->span[k];
		double value = run->size.value[span->axis];

		if (!(value >= span->from && value <= span->to))
			return false;
		size.value[span->axis] = value;
	}
	return run->outcome == FT_DONE && !run->warmup && ft_size_equal(&size, &run->size);
}

static void take_runs(struct cli_picture *picture)
{
	const struct ft_runs *runs = ft_ask_runs(picture->models.answerer);
	const struct cli_span *span = picture->span;

	picture->run_x = cli_alloc((runs->n + 1) * sizeof *picture->run_x);
	picture->run_y = cli_alloc((runs->n + 1) * sizeof *picture->run_y);
	picture->run_value = cli_alloc((runs->n + 1) * sizeof *picture->run_value);
	picture->run_work = cli_alloc((runs->n + 1) * sizeof *picture->run_work);
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		double value = ft_run_idle_value(run, picture->resource);
		size_t n = picture->n_runs;

		if (isnan(value) || !shows(picture, run))
			continue;
		picture->run_x[n] = run->size.value[span[0].axis];
		picture->run_y[n] = picture->n_spans > 1 ? run->size.value[span[1].axis] : 0;
		picture->run_value[n] = value;
		picture->n_runs++;
	}
}

/* A value of a span between its places, `fine` of them from one to the next. */
static double between(const struct cli_span *span, size_t i, size_t fine)
{
	double low = span->at[i / fine], high = i % fine ? span->at[i / fine + 1] : low;
	double share = (double)(i % fine) / (double)fine;

	return span->log ? low * pow(high / low, share) : low + (high - low) * share;
}

/* Whether the program's constraint excludes a region of sizes. Remainders and equalities select single
 * sizes, finer than a picture shows, and exclude no region here. */
static bool has_region(const struct cli_picture *picture)
{
	static const char *const picks[] = {"%", "==", "floor", "ceil", "round"};
	const char *where = ft_ask_program(picture->models.answerer)->where;

	for (size_t i = 0; where && i < sizeof picks / sizeof *picks; i++)
		if (strstr(where, picks[i]))
			return false;
	return where != NULL;
}

/* The parts of a plane without sizes, which the program's constraint excludes. */
static void take_blank(struct cli_picture *picture)
{
	const struct cli_span *span = picture->span;
	size_t columns = (span[0].n - 1) * FT_FIELD_FINE + 1, rows = (span[1].n - 1) * FT_FIELD_FINE + 1, i;

	if (!has_region(picture))
		return;
	picture->blank = cli_alloc(rows * columns * sizeof *picture->blank);
	for (i = 0; i < rows * columns; i++) {
		struct ft_size size = picture->slice;

		size.value[span[0].axis] = between(&span[0], i % columns, FT_FIELD_FINE);
		size.value[span[1].axis] = between(&span[1], i / columns, FT_FIELD_FINE);
		picture->blank[i] = ft_ask_admits(picture->models.answerer, &size, NULL) != FT_OK;
	}
}

/* Where a model is asked for a place of the grid. At a measured size it answers with the runs there, and elsewhere
 * with the curve: a line through both would have a needle at each such size. So it is asked right beside them, to the
 * side of the measured range. */
static double asked_at(const struct cli_picture *picture, size_t k, size_t i)
{
	const double *run = k ? picture->run_y : picture->run_x, at = picture->span[k].at[i];
	double least = INFINITY;
	bool hit = false;

	for (size_t j = 0; j < picture->n_runs; j++) {
		hit = hit || run[j] == at;
		least = fmin(least, run[j]);
	}
	return !hit ? at : at > least ? at * (1 - 1e-6) : at * (1 + 1e-6);
}

/* Where extrapolation begins the interval jumps from that of a curve to that of the outermost runs. The first places
 * beyond are left out, so that lines and bands go from one to the other in a slope. */
static void ease_seams(struct cli_picture *picture)
{
	enum { LEFT_OUT = 5 };
	size_t n = picture->span[0].n, kept = 0;
	CLI_OWN bool *out = cli_alloc(n * sizeof *out);

	for (size_t i = 0; i + 1 < n; i++) {
		bool here = cli_picture_beyond(picture, i), next = cli_picture_beyond(picture, i + 1);

		for (size_t k = 1; here != next && k <= LEFT_OUT; k++) {
			size_t at = next ? i + k : i + 1 - k;

			if (at + 1 >= n || at == 0 || !cli_picture_beyond(picture, at))
				break;
			out[at] = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (!out[i]) {
			picture->span[0].at[kept] = picture->span[0].at[i];
			picture->p[kept++] = picture->p[i];
		}
	picture->n = picture->span[0].n = kept;
}

/* The model at each size of the grid. Sizes outside the program's constraint have no prediction; only a
 * plane's colours extend to that edge, and may query past it. */
static int take_predictions(struct cli_picture *picture)
{
	struct ft_answerer *answerer = picture->models.answerer;
	const struct cli_span *span = picture->span;
	size_t known = 0;
	bool region = has_region(picture);

	picture->n = span[0].n * (picture->n_spans > 1 ? span[1].n : 1);
	picture->p = cli_alloc(picture->n * sizeof *picture->p);
	picture->work = cli_alloc(picture->n * sizeof *picture->work);
	for (size_t i = 0; i < picture->n; i++) {
		struct ft_size size = picture->slice;
		struct ft_prediction *p = &picture->p[i], none = {.value = NAN, .lower = NAN, .upper = NAN};
		struct ft_err err = {0};

		none.known = NAN;
		none.distance = 1;
		*p = none;
		size.value[span[0].axis] = asked_at(picture, 0, i % span[0].n);
		if (picture->n_spans > 1)
			size.value[span[1].axis] = asked_at(picture, 1, i / span[0].n);
		bool admits = !region || ft_ask_admits(answerer, &size, NULL) == FT_OK;
		if (!admits && picture->n_spans == 1)
			continue;
		if (ft_ask_predict(answerer, picture->resource, &size, picture->confidence, p, &err)) {
			*p = none;
			if (admits && err.status != FT_ENOMODEL)
				return cli_error(&err);
		}
		known += admits;
	}
	if (known)
		return CLI_DONE;
	return cli_fail("no size of the picture meets '%s'", ft_ask_program(answerer)->where);
}

bool cli_picture_has(const struct cli_picture *picture, size_t i)
{
	size_t width = (picture->span[0].n - 1) * FT_FIELD_FINE + 1, columns = picture->span[0].n;

	return !isnan(picture->p[i].value) &&
	       (!picture->blank ||
		!picture->blank[i / columns * FT_FIELD_FINE * width + i % columns * FT_FIELD_FINE]);
}

bool cli_picture_beyond(const struct cli_picture *picture, size_t i)
{
	const struct ft_prediction *p = &picture->p[i];

	return p->basis == FT_BASIS_BEYOND || (p->basis == FT_BASIS_STATED && p->distance > 1);
}

char *cli_picture_at(const struct cli_picture *picture)
{
	const struct ft_program *program = ft_ask_program(picture->models.answerer);
	char *text = cli_strdup(""), digits[FT_NUMBER_LENGTH];
	size_t k;

	for (size_t i = 0; i < program->n_params; i++) {
		for (k = 0; k < picture->n_spans && picture->span[k].axis != i; k++)
			;
		if (k < picture->n_spans)
			continue;
		cli_reprint(&text, "%s%s%s=%s", text, *text ? " " : "", program->param[i].name,
			    ft_number_format(picture->slice.value[i], digits));
	}
	return text;
}

int cli_picture_take(struct cli_picture *picture, const struct cli_words *words)
{
	int status = picture->hash
			     ? cli_models_open_version(&picture->models, picture->store_path, words->word[0],
						       picture->device, picture->hash, picture->machine)
			     : cli_models_open(&picture->models, picture->store_path, words->word[0],
					       picture->device, picture->machine);

	if (status != CLI_DONE)
		return status;
	picture->resource = cli_models_resource(&picture->models, picture->typed);
	if (!picture->resource)
		return CLI_WRONG;
	CLI_TRY(picture_choose(picture, words));
	take_runs(picture);
	for (size_t k = 0; k < picture->n_spans; k++)
		set_grid(picture, &picture->span[k], picture->n_spans > 1 ? PLANE_POINTS : CURVE_POINTS);
	status = take_predictions(picture);
	if (status == CLI_DONE && picture->n_spans == 1)
		ease_seams(picture);
	if (status == CLI_DONE) {
		const struct ft_knot *knot;
		size_t n = knots_of(picture, &knot), i;
		struct ft_size size = picture->slice;

		picture->works = ft_ask_program(picture->models.answerer)->work || n;
		for (i = 0; i < picture->n; i++) {
			size.value[picture->span[0].axis] = picture->span[0].at[i % picture->span[0].n];
			if (picture->n_spans > 1)
				size.value[picture->span[1].axis] =
					picture->span[1].at[i / picture->span[0].n];
			picture->work[i] = picture->works ? work_at(picture, knot, n, &size) : NAN;
		}
		for (i = 0; i < picture->n_runs; i++) {
			size.value[picture->span[0].axis] = picture->run_x[i];
			if (picture->n_spans > 1)
				size.value[picture->span[1].axis] = picture->run_y[i];
			picture->run_work[i] = picture->works ? work_at(picture, knot, n, &size) : NAN;
		}
	}
	if (status == CLI_DONE && picture->n_spans > 1)
		take_blank(picture);
	CLI_OWN char *at = cli_picture_at(picture);
	if (status == CLI_DONE && !picture->n_runs && *at && ft_ask_runs(picture->models.answerer)->n)
		cli_note("no run at %s to draw", at);
	return status;
}
