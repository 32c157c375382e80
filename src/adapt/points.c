/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.c - Extra-P's JSON in its recommended form.
 *
 * Source: github.com/extra-p/extrap, docs/file-formats.md. Values stand by callpath, metric and point. They are
 * read from bracket to bracket, so that damage costs the point that it is in, or what it names. */
#include "adapt/adapt.h"
#include "base/alloc.h"

#include <jansson.h>
#include <string.h>

/* A document being read. */
struct points {
	struct ft_import_job *job;
	const char *text, *at, *end;
	size_t line;
	json_t *names;           /* of the parameters */
	char *callpath, *metric; /* NULL: what follows belongs to none */
	struct ft_err *err;
};

static const char remedy[] = "let Extra-P write it again, in the recommended form of its JSON";

static void move_to(struct points *p, const char *to)
{
	for (; p->at < to; p->at++)
		p->line += *p->at == '\n';
}

static void skip_blanks(struct points *p)
{
	const char *to = p->at;

	while (to < p->end && *to && strchr(" \t\r\n", *to))
		to++;
	move_to(p, to);
}

static enum ft_status fail_line(const struct points *p, size_t line, const char *what)
{
	(void)ft_fail(p->err, FT_EPARSE, "%.200s:%zu: %s", ft__input_name(p->job->input), line, what);
	(void)ft_remedy(p->err, "%s", remedy);
	return FT_EPARSE;
}

/* The value that begins here; NULL: none that can be read, and nothing moves. */
static enum ft_status take_json(struct points *p, json_t **value)
{
	json_error_t error;

	*value = NULL;
	FT_TRY(ft__json_check(ft__input_name(p->job->input), p->at, (size_t)(p->end - p->at), FT__READ_MOST,
			      p->err));
	*value = json_loadb(p->at, (size_t)(p->end - p->at),
			    JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &error);
	if (*value)
		move_to(p, p->at + error.position);
	else if (json_error_code(&error) == json_error_out_of_memory)
		return ft_nomem(p->err);
	return FT_OK;
}

/* A key and what its value begins with: the scanner stands there. */
static enum ft_status take_key(struct points *p, json_t **key, char *begins)
{
	*begins = '\0';
	FT_TRY(take_json(p, key));
	skip_blanks(p);
	if (!json_is_string(*key) || p->at == p->end || *p->at != ':')
		return FT_OK;
	move_to(p, p->at + 1);
	skip_blanks(p);
	*begins = p->at < p->end ? *p->at : '\0';
	return FT_OK;
}

/* ---- a value ------------------------------------------------------------------------------------------ */

/* One value at a point: names and coordinates are lists of the same length. */
static enum ft_status take_value(struct points *p, const json_t *point, const char *callpath,
				 const char *metric, double value, size_t line)
{
	struct ft_import_job *job = p->job;
	bool wanted;

	ft__record_begin(job, line);
	for (size_t i = 0; i < json_array_size(p->names); i++) {
		const char *name = json_string_value(json_array_get(p->names, i));

		if (!name)
			return fail_line(p, line, "a parameter without a name");
		FT_TRY(ft__record_own(job, name, strlen(name), NULL,
				      json_number_value(json_array_get(point, i)), true, p->err));
	}
	FT_TRY(ft__record_own(job, "callpath", strlen("callpath"), callpath, 0, false, p->err));
	job->record.name = ft__record_text(&job->record, "callpath");
	FT_TRY(ft__record_wanted(job, &wanted, p->err));
	return wanted ? ft__extrap_take(job, metric, value, p->err) : FT_OK;
}

static bool are_numbers(const json_t *list)
{
	const json_t *each;
	size_t i;

	json_array_foreach(list, i, each)
	{
		if (!json_is_number(each))
			return false;
	}
	return json_array_size(list) > 0;
}

/* {"point": [2], "values": [1.0, 1.1]}: as a whole, for the k-th values of all metrics are of one run. */
static enum ft_status take_point(struct points *p, const json_t *object, size_t line)
{
	const json_t *point = json_object_get(object, "point"), *values = json_object_get(object, "values");

	if (!p->callpath || !p->metric)
		return fail_line(p, line, "a point without a callpath and a metric");
	if (!are_numbers(point) || !are_numbers(values) ||
	    json_array_size(point) != json_array_size(p->names))
		return fail_line(p, line, "no point with a number for each parameter, and values");
	for (size_t i = 0; i < json_array_size(values); i++) {
		enum ft_status status = take_value(p, point, p->callpath, p->metric,
						   json_number_value(json_array_get(values, i)), line);

		if (status)
			FT_TRY(ft__job_spare(p->job, status, p->err));
	}
	return FT_OK;
}

/* ---- the recommended form ----------------------------------------------------------------------------- */

/* The list that stands behind a key anywhere in the document; NULL: none does. */
static enum ft_status find_list(struct points *p, const char *key, json_t **list)
{
	size_t length = strlen(key);

	*list = NULL;
	for (p->at = p->text; p->at + length + 2 < p->end && !*list; p->at++) {
		const char *before = p->at;

		if (*p->at != '"' || memcmp(p->at + 1, key, length) != 0 || p->at[length + 1] != '"')
			continue;
		p->at += length + 2;
		skip_blanks(p);
		if (p->at < p->end && *p->at == ':') {
			p->at++;
			skip_blanks(p);
			if (p->at < p->end && *p->at == '[')
				FT_TRY(take_json(p, list));
		}
		p->at = before;
	}
	p->at = p->text;
	p->line = 1;
	return FT_OK;
}

static void set_text(char **to, const char *text)
{
	ft_free(*to);
	*to = text ? ft_strdup(text) : NULL;
}

/* A key names a callpath where an object follows, a metric where a list does. */
static enum ft_status take_name(struct points *p)
{
	size_t line = p->line;
	enum ft_status status;
	json_t *key, *list;
	char begins;

	status = take_key(p, &key, &begins);
	const char *text = json_string_value(key);
	if (!status && text && begins == '{') {
		set_text(&p->callpath, strcmp(text, "measurements") != 0 ? text : NULL);
		set_text(&p->metric, NULL);
		move_to(p, p->at + 1);
	} else if (!status && text && begins == '[' && !strcmp(text, "parameters") && !p->callpath) {
		status = take_json(p, &list);
		json_decref(list);
	} else if (!status && text && begins == '[') {
		set_text(&p->metric, text);
		move_to(p, p->at + 1);
	} else if (!status) {
		set_text(&p->callpath, NULL);
		status = fail_line(p, line, "neither a callpath nor a metric");
		move_to(p, p->at == p->end ? p->at : p->at + 1);
	}
	json_decref(key);
	return status;
}

/* A bracket, a key, or a point; anything else is damage, and nobody knows what follows is of. */
static enum ft_status take_token(struct points *p)
{
	size_t line = p->line;
	enum ft_status status;
	json_t *object = NULL;

	if (*p->at == '"')
		return take_name(p);
	if (*p->at == '{' && p->metric) {
		status = take_json(p, &object);
		if (!status && object)
			status = take_point(p, object, line);
		else if (!status)
			status = fail_line(p, line, "a point that is no JSON");
		json_decref(object);
		if (object || (status && status != FT_EPARSE))
			return status;
		/* To the end of the line, or of the element in it. */
		while (p->at < p->end && *p->at != '\n' && *p->at != '}')
			move_to(p, p->at + 1);
		return status;
	}
	if (*p->at == '}')
		set_text(&p->callpath, NULL);
	if (*p->at == '}' || *p->at == ']')
		set_text(&p->metric, NULL);
	bool good = strchr("{}],", *p->at) && *p->at;
	move_to(p, p->at + 1);
	if (good)
		return FT_OK;
	while (p->at < p->end && *p->at != '\n' && *p->at != '"')
		move_to(p, p->at + 1);
	set_text(&p->metric, NULL);
	return fail_line(p, line, "neither a callpath, a metric nor a point");
}

static enum ft_status read_measurements(struct points *p)
{
	enum ft_status status = find_list(p, "parameters", &p->names);

	if (!status && !json_array_size(p->names))
		return fail_line(p, 1, "no list of parameters");
	for (skip_blanks(p); p->at < p->end && !status; skip_blanks(p))
		if ((status = take_token(p)))
			status = ft__job_spare(p->job, status, p->err);
	return status;
}

/* ---- a file ------------------------------------------------------------------------------------------- */

static bool recognise_points(const char *head, size_t length)
{
	return ft__document_head(head, length, "measurements") &&
	       ft__document_head(head, length, "parameters");
}

/* Whether "measurements" is a list, as in the form before: lists that refer to each other by numbers. */
static bool is_older(const struct points *p)
{
	static const char key[] = "\"measurements\"";

	for (const char *at = p->text; at + sizeof key <= p->end; at++) {
		if (*at != '"' || memcmp(at, key, sizeof key - 1) != 0)
			continue;
		at += sizeof key - 1;
		while (at < p->end && *at && strchr(" \t\r\n:", *at))
			at++;
		return at < p->end && *at == '[';
	}
	return false;
}

static enum ft_status read_points(struct ft_import_job *job, struct ft_err *err)
{
	struct points p = {.job = job, .line = 1, .err = err};
	size_t *first, n, length;
	char *text;

	FT_TRY(ft__extrap_begin(job, &first, &n, err));
	enum ft_status status = ft__input_all(job->input, FT__TEXT_MOST, &text, &length, err);
	if (!status) {
		p.text = p.at = text;
		p.end = text + length;
		status = is_older(&p) ? fail_line(&p, 1, "the older form of Extra-P's JSON")
				      : read_measurements(&p);
		ft_free(text);
	}
	if (!status)
		status = ft__extrap_join(job, first, n, err);
	ft__record_begin(job, 0);
	json_decref(p.names);
	ft_free(p.callpath);
	ft_free(p.metric);
	ft_free(first);
	return status;
}

const struct ft_format ft__extrap_json_format = {"extrap-json", "Extra-P's JSON, recommended form",
						 recognise_points, read_points, NULL};
