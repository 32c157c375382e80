/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builder.c - `foretime build --steps`, as the manager speaks with it. */
#include "manager/builder.h"

#include "base/alloc.h"
#include "foretime/units.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* ---- its command line ---------------------------------------------------------------------------------- */

struct words {
	char **word; /* [n + 1], the last NULL */
	size_t n, most;
	bool failed;
};

static void add(struct words *words, const char *word)
{
	char **grown = ft_grow(words->word, words->n + 1, &words->most, sizeof *grown);

	if (grown)
		words->word = grown;
	words->failed = words->failed || !grown || !(words->word[words->n] = ft_strdup(word));
	if (!words->failed)
		words->word[++words->n] = NULL;
}

static void add_option(struct words *words, const char *option, const char *value)
{
	if (!value)
		return;
	add(words, option);
	add(words, value);
}

/* unit: behind the number. */
static void add_number(struct words *words, const char *option, double value, const char *unit)
{
	char number[FT_NUMBER_LENGTH], text[FT_NUMBER_LENGTH + 8];

	if (!(value > 0))
		return;
	(void)snprintf(text, sizeof text, "%s%s", ft_number_format(value, number), unit);
	add_option(words, option, text);
}

static void add_params(struct words *words, const struct ft_program *program)
{
	char range[FT_RANGE_LENGTH], text[FT_RANGE_LENGTH + FT_PARAM_LENGTH + 1];
	size_t i;

	for (i = 0; i < program->n_params; i++) {
		(void)ft_param_format(&program->param[i], range, sizeof range);
		(void)snprintf(text, sizeof text, "%s=%s", program->param[i].name, range);
		add(words, text);
	}
}

/* LEAST:MOST[:T]; what is not stated is as build has it. */
static void add_reps(struct words *words, const struct ft_manager_problem *problem)
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
	add_option(words, "--reps", text);
}

char **ft__builder_words(const struct ft_manager_problem *problem, const char *command, const char *store)
{
	const struct ft_program *program = &problem->program;
	struct words words = {0};
	size_t i;

	add(&words, command);
	add(&words, "build");
	add(&words, program->name);
	add_params(&words, program);
	add_option(&words, "--work", program->work);
	add_option(&words, "--where", program->where);
	add_option(&words, "--method", problem->builder->name);
	add_number(&words, "--tolerance", problem->tolerance, "");
	add_number(&words, "--budget", problem->budget_s, "s");
	add_number(&words, "--timeout", problem->timeout_s, "s");
	add_number(&words, "--memory", problem->memory_bytes, "");
	add_number(&words, "--points", (double)problem->points, "");
	add_reps(&words, problem);
	add_option(&words, "--end", problem->end_zero ? "zero" : NULL);
	add_option(&words, "--store", store);
	add(&words, "--steps");
	add(&words, "--");
	for (i = 0; i < program->argc; i++)
		add(&words, program->argv[i]);
	if (!words.failed)
		return words.word;
	ft__words_free(words.word);
	return NULL;
}

void ft__words_free(char **words)
{
	size_t i;

	for (i = 0; words && words[i]; i++)
		ft_free(words[i]);
	ft_free(words);
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

	(void)snprintf(to, length, "%s", text ? text : "");
}

static void copy_size(const json_t *size, char *to, size_t length)
{
	char number[FT_NUMBER_LENGTH];
	size_t at = 0;
	const char *key;
	json_t *value;

	to[0] = '\0';
	json_object_foreach((json_t *)(uintptr_t)size, key, value)
	{
		int n = snprintf(to + at, length - at, "%s%s=%s", at ? " " : "", key,
				 ft_number_format(json_number_value(value), number));

		at += n > 0 && (size_t)n < length - at ? (size_t)n : 0;
	}
}

static void read_ran(const json_t *ran, struct ft__news *news)
{
	copy_size(json_object_get(ran, "size"), news->size, sizeof news->size);
	copy_text(ran, "outcome", news->outcome, sizeof news->outcome);
	copy_text(ran, "detail", news->detail, sizeof news->detail);
	news->ran_s = fmax(0, number_of(ran, "seconds"));
	news->frozen_s = fmax(0, number_of(ran, "frozen_s"));
}

static bool read_kind(const json_t *line, enum ft__news_kind *kind)
{
	static const char *const words[] = {"ready", "ran", "ended", "failed"};
	const char *text = json_string_value(json_object_get(line, "event"));
	size_t i;

	for (i = 0; text && i < sizeof words / sizeof *words; i++)
		if (!strcmp(text, words[i])) {
			*kind = (enum ft__news_kind)i;
			return true;
		}
	return false;
}

static void read_news(const json_t *line, struct ft__news *news)
{
	double complete = number_of(line, "complete");

	news->runs = count_of(line, "runs");
	news->known = count_of(line, "known");
	news->points = count_of(line, "points");
	news->complete = complete >= 0 ? fmin(complete, 1) : 0;
	news->gain = number_of(line, "gain");
	news->seconds = number_of(line, "seconds");
	news->ended = json_is_true(json_object_get(line, "ended"));
	copy_size(json_object_get(line, "next"), news->next, sizeof news->next);
	copy_text(line, "stop", news->stop, sizeof news->stop);
	copy_text(line, "error", news->error, sizeof news->error);
	copy_text(line, "remedy", news->remedy, sizeof news->remedy);
	if (news->kind == FT__NEWS_RAN)
		read_ran(json_object_get(line, "ran"), news);
}

enum ft_status ft__builder_read(const char *text, struct ft__news *news, struct ft_err *err)
{
	json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	bool good;

	*news = (struct ft__news){.gain = NAN, .seconds = NAN};
	good = json_is_object(line) && read_kind(line, &news->kind);
	if (good)
		read_news(line, news);
	json_decref(line);
	return good ? FT_OK : ft_fail(err, FT_EPARSE, "what it tells is not understood: '%.60s'", text);
}
