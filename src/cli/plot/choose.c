/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choose.c - which parameters a picture shows, over which range, and where the others are. */
#include "cli/common.h"
#include "cli/plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was typed of each parameter. */
struct typed {
	bool fixed[FT_PARAMS_MAX], ranged[FT_PARAMS_MAX];
	struct ft_param param[FT_PARAMS_MAX];
};

bool cli_spans_ten(double least, double most)
{
	return least > 0 && most >= 10 * least * (1 - 1e-12);
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
	span->log = cli_spans_ten(span->from, span->to);
}

/* A fifth of the axis more, no further than twice the largest size; not into sizes where runs fail, nor
 * behind the end of a list. */
static void reach_beyond(const struct cli_picture *picture, struct cli_span *span)
{
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
		span->log = cli_spans_ten(span->from, span->to);
	} else if (curve && runs->n) {
		reach_beyond(picture, span);
	}
}

int cli_picture_choose(struct cli_picture *picture, const struct cli_words *words)
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
