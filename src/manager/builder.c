/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builder.c - `foretime build --via steps`, as the manager speaks with it. */
#include "manager/builder.h"

#include "base/utf8.h"
#include "foretime/units.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- its command line ---------------------------------------------------------------------------------- */

static void add_option(struct ft__words *words, const char *option, const char *value)
{
	if (!value)
		return;
	ft__words_add(words, option);
	ft__words_add(words, value);
}

/* unit: behind the number. */
static void add_number(struct ft__words *words, const char *option, double value, const char *unit)
{
	char number[FT_NUMBER_LENGTH], text[FT_NUMBER_LENGTH + 8];

	if (!(value > 0))
		return;
	(void)snprintf(text, sizeof text, "%s%s", ft_number_format(value, number), unit);
	add_option(words, option, text);
}

static void add_params(struct ft__words *words, const struct ft_program *program)
{
	char range[FT_RANGE_LENGTH], text[FT_RANGE_LENGTH + FT_PARAM_LENGTH + 1];

	for (size_t i = 0; i < program->n_params; i++) {
		(void)ft_param_format(&program->param[i], range, sizeof range);
		(void)snprintf(text, sizeof text, "%s=%s", program->param[i].name, range);
		ft__words_add(words, text);
	}
}

/* LEAST:MOST[:T]; what is not stated is as build has it. */
static void add_reps(struct ft__words *words, const struct ft_manager_problem *problem)
{
	size_t least = problem->reps_least ? problem->reps_least : 2,
	       most = problem->reps_most ? problem->reps_most : 10;
	char number[FT_NUMBER_LENGTH], text[128];

	if (!problem->reps_least && !problem->reps_most && !(problem->reps_limit_s > 0))
		return;
	if (!problem->reps_least && least > most)
		least = most;
	(void)snprintf(text, sizeof text, "%zu:%zu", least, most > least ? most : least);
	if (problem->reps_limit_s > 0)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), ":%ss",
			       ft_number_format(problem->reps_limit_s, number));
	add_option(words, "--runs", text);
}

void ft__builder_words(const struct ft_manager_problem *problem, const char *command, const char *store,
		       struct ft__words *words)
{
	const struct ft_program *program = &problem->program;

	ft__words_add(words, command);
	ft__words_add(words, "build");
	ft__words_add(words, program->name);
	add_params(words, program);
	add_option(words, "--work", program->work);
	add_option(words, "--where", program->where);
	add_option(words, "--method", problem->builder->name);
	add_option(words, "--method", problem->end_zero ? "end=zero" : NULL);
	add_number(words, "--tolerance", problem->tolerance, "");
	add_number(words, "--budget", problem->budget_s, "s");
	add_number(words, "--timeout", problem->timeout_s, "s");
	add_number(words, "--memory", problem->memory_bytes, "");
	add_number(words, "--limit", (double)problem->points, "");
	add_reps(words, problem);
	add_option(words, "--store", store);
	add_option(words, "--via", "steps");
	ft__words_add(words, "--");
	for (size_t i = 0; i < program->argc; i++)
		ft__words_add(words, program->argv[i]);
}

void ft__builder_export_words(const struct ft_manager_problem *problem, const char *command,
			      const char *store, struct ft__words *words)
{
	ft__words_add(words, command);
	ft__words_add(words, "export");
	ft__words_add(words, problem->program.name);
	add_option(words, "--format", "knots");
	add_option(words, "--output", problem->model_path);
	add_option(words, "--store", store);
}

void ft__builder_verify_words(const struct ft_manager_problem *problem, const char *command,
			      const char *store, struct ft__words *words)
{
	ft__words_add(words, command);
	ft__words_add(words, "verify");
	ft__words_add(words, problem->program.name);
	ft__words_add(words, "--sweep");
	add_number(words, "--timeout", problem->timeout_s, "s");
	add_option(words, "--store", store);
	ft__words_add(words, "--");
	for (size_t i = 0; i < problem->program.argc; i++)
		ft__words_add(words, problem->program.argv[i]);
}

/* As foretime verify has it. */
bool ft__builder_run_failed(const char *tail)
{
	return strstr(tail, "foretime: a run at ");
}

/* ---- its lines ----------------------------------------------------------------------------------------- */

static double number_of(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static size_t count_of(const json_t *object, const char *key)
{
	double value = number_of(object, key);

	return value >= 0 && value < 1e15 ? (size_t)value : 0;
}

static void copy_text(const json_t *object, const char *key, char *to, size_t length)
{
	const char *text = json_string_value(json_object_get(object, key));

	ft__utf8_line(to, length, text ? text : "");
}

static void copy_size(const json_t *size, char *to, size_t length)
{
	char number[FT_NUMBER_LENGTH];
	struct ft_text text = {0};
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)size, key, value)
		ft_text_add(&text, "%s%s=%s", text.length ? " " : "", key,
			    ft_number_format(json_number_value(value), number));
	ft__utf8_line(to, length, text.s ? text.s : "");
	ft_text_clear(&text);
}

static void read_ran(const json_t *ran, struct ft__heard *heard)
{
	copy_size(json_object_get(ran, "size"), heard->size, sizeof heard->size);
	copy_text(ran, "outcome", heard->outcome, sizeof heard->outcome);
	copy_text(ran, "detail", heard->detail, sizeof heard->detail);
	heard->ran_s = fmax(0, number_of(ran, "seconds"));
	heard->frozen_s = fmax(0, number_of(ran, "frozen_s"));
}

static bool read_kind(const json_t *line, enum ft__heard_kind *kind)
{
	static const char *const words[] = {"ready", "ran", "ended", "failed"};
	const char *text = json_string_value(json_object_get(line, "event"));

	for (size_t i = 0; text && i < sizeof words / sizeof *words; i++)
		if (!strcmp(text, words[i])) {
			*kind = (enum ft__heard_kind)i;
			return true;
		}
	return false;
}

static void read_line(const json_t *line, struct ft__heard *heard)
{
	double complete = number_of(line, "complete");

	heard->runs = count_of(line, "runs");
	heard->known = count_of(line, "known");
	heard->points = count_of(line, "points");
	heard->complete = complete >= 0 ? fmin(complete, 1) : 0;
	heard->gain = number_of(line, "gain");
	heard->seconds = number_of(line, "seconds");
	heard->ended = json_is_true(json_object_get(line, "ended"));
	copy_size(json_object_get(line, "next"), heard->next, sizeof heard->next);
	copy_text(line, "stop", heard->stop, sizeof heard->stop);
	copy_text(line, "error", heard->error, sizeof heard->error);
	copy_text(line, "remedy", heard->remedy, sizeof heard->remedy);
	if (heard->kind == FT__HEARD_RAN)
		read_ran(json_object_get(line, "ran"), heard);
}

enum ft_status ft__builder_read(const char *text, struct ft__heard *heard, struct ft_err *err)
{
	json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	*heard = (struct ft__heard){.gain = NAN, .seconds = NAN};
	bool good = json_is_object(line) && read_kind(line, &heard->kind);
	if (good)
		read_line(line, heard);
	json_decref(line);
	return good ? FT_OK : ft__builder_refuse(text, "its output is not understood", err);
}

enum ft_status ft__builder_refuse(const char *text, const char *wrong, struct ft_err *err)
{
	char line[64];

	ft__utf8_line(line, sizeof line, text);
	return ft_fail(err, FT_EPARSE, "%s: '%s'", wrong, line);
}
