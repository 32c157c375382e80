/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.c - Extra-P's JSON, recommended and older, and the lines of TaLPas.
 *
 * Source: github.com/extra-p/extrap, docs/file-formats.md. The recommended form has values by callpath, metric
 * and point; the older one has lists that refer to each other by numbers, in any order. Both are read from
 * bracket to bracket, so that damage costs the point that it is in, or what it names. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
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

static const char remedy[] = "let the tool write it again; see the JSON format of Extra-P";

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
	*begins = (char)(p->at < p->end ? *p->at : '\0');
	return FT_OK;
}

/* To the end of the line, or of the element in it. */
static void skip_damage(struct points *p)
{
	while (p->at < p->end && *p->at != '\n' && *p->at != '}')
		move_to(p, p->at + 1);
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
		skip_damage(p);
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

/* ---- the older form ----------------------------------------------------------------------------------- */

static const char *const sections[] = {"callpaths", "coordinates", "measurements", "metrics", "parameters"};

enum { CALLPATHS, COORDINATES, MEASUREMENTS, METRICS, PARAMETERS, SECTIONS };

/* Each element of each section, which is an object; a measurement with its line. */
static enum ft_status collect(struct points *p, json_t *section[SECTIONS])
{
	enum ft_status status = FT_OK;
	size_t now = SECTIONS;
	json_t *value;
	char begins;

	for (skip_blanks(p); p->at < p->end && !status; skip_blanks(p)) {
		size_t line = p->line;
		const char *before = p->at;

		value = NULL;
		if (*p->at == '"') {
			status = take_key(p, &value, &begins);
			for (size_t i = 0; i < SECTIONS && begins == '['; i++)
				if (!strcmp(json_string_value(value), sections[i]))
					now = i;
		} else if (*p->at == '{' && now < SECTIONS) {
			status = take_json(p, &value);
			if (!status && !value) {
				skip_damage(p);
				status = fail_line(p, line, "an element that is no JSON");
			}
			if (value && (json_object_set_new(value, "line", json_integer((json_int_t)line)) ||
				      json_array_append(section[now], value)))
				status = ft_nomem(p->err);
		}
		if (!status && p->at == before && (!*p->at || !strchr("{}[],:", *p->at))) {
			skip_damage(p);
			status = fail_line(p, line, "neither a key nor an element");
		}
		json_decref(value);
		if (p->at == before)
			move_to(p, p->at + 1);
		if (status)
			status = ft__job_spare(p->job, status, p->err);
	}
	return status;
}

/* Sections by number: there may be as many points as measurements. */
static enum ft_status index_section(const struct points *p, json_t *list, json_t *index)
{
	json_t *each;
	char key[32];
	size_t i;

	json_array_foreach(list, i, each)
	{
		if (!json_is_integer(json_object_get(each, "id")))
			continue;
		(void)snprintf(key, sizeof key, "%lld",
			       (long long)json_integer_value(json_object_get(each, "id")));
		if (json_object_set(index, key, each))
			return ft_nomem(p->err);
	}
	return FT_OK;
}

static json_t *find_id(const json_t *index, const json_t *id)
{
	char key[32];

	if (!json_is_integer(id))
		return NULL;
	(void)snprintf(key, sizeof key, "%lld", (long long)json_integer_value(id));
	return json_object_get(index, key);
}

/* The coordinates of a point, in the order of the parameters; NULL: one is missing, or memory. */
static json_t *point_of(const json_t *coordinate, json_t *parameters)
{
	json_t *point = json_array(), *each, *pair;
	size_t i, k;
	double value;

	json_array_foreach(parameters, i, each)
	{
		bool found = false;

		json_array_foreach(json_object_get(coordinate, "parameter_value_pairs"), k, pair)
		{
			const json_t *number = json_object_get(pair, "parameter_value");
			bool same = json_equal(json_object_get(pair, "parameter_id"),
					       json_object_get(each, "id"));

			value = json_number_value(number);
			if (!same || found ||
			    (!json_is_number(number) &&
			     (!json_is_string(number) ||
			      !ft__read_number(json_string_value(number), &value))))
				continue;
			found = !json_array_append_new(point, json_real(value));
		}
		if (!found) {
			json_decref(point);
			return NULL;
		}
	}
	return point;
}

static enum ft_status take_measurement(struct points *p, json_t *section[SECTIONS], json_t *index[SECTIONS],
				       const json_t *one)
{
	size_t line = (size_t)json_integer_value(json_object_get(one, "line"));
	const json_t *coordinate = find_id(index[COORDINATES], json_object_get(one, "coordinate_id")),
		     *value = json_object_get(one, "value");
	const char *callpath = json_string_value(json_object_get(
			   find_id(index[CALLPATHS], json_object_get(one, "callpath_id")), "name")),
		   *metric = json_string_value(json_object_get(
			   find_id(index[METRICS], json_object_get(one, "metric_id")), "name"));
	json_t *point =
		coordinate && json_is_number(value) ? point_of(coordinate, section[PARAMETERS]) : NULL;

	if (!callpath || !metric || !point) {
		json_decref(point);
		return fail_line(p, line, "a measurement without a value, callpath, metric or coordinates");
	}
	enum ft_status status = take_value(p, point, callpath, metric, json_number_value(value), line);
	json_decref(point);
	return status;
}

static enum ft_status take_measurements(struct points *p, json_t *section[SECTIONS], json_t *index[SECTIONS])
{
	json_t *each;
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (i != MEASUREMENTS && i != PARAMETERS)
			FT_TRY(index_section(p, section[i], index[i]));
	json_array_foreach(section[PARAMETERS], i, each)
	{
		const json_t *name = json_object_get(each, "name");

		if (!json_is_string(name) || json_array_append(p->names, (json_t *)(uintptr_t)name))
			return fail_line(p, 1, "a parameter without a name");
	}
	if (!json_array_size(p->names))
		return fail_line(p, 1, "no list of parameters");
	json_array_foreach(section[MEASUREMENTS], i, each)
	{
		enum ft_status status = take_measurement(p, section, index, each);

		if (status)
			FT_TRY(ft__job_spare(p->job, status, p->err));
	}
	return FT_OK;
}

static enum ft_status read_older(struct points *p)
{
	json_t *section[SECTIONS], *index[SECTIONS];
	bool good = true;

	for (size_t i = 0; i < SECTIONS; i++) {
		section[i] = json_array();
		index[i] = json_object();
		good = good && section[i] && index[i];
	}
	p->names = json_array();
	p->line = 1;
	enum ft_status status = good && p->names ? collect(p, section) : ft_nomem(p->err);
	if (!status)
		status = take_measurements(p, section, index);
	for (size_t i = 0; i < SECTIONS; i++) {
		json_decref(section[i]);
		json_decref(index[i]);
	}
	return status;
}

/* ---- a file ------------------------------------------------------------------------------------------- */

static bool recognise_points(const char *head, size_t length)
{
	return ft__document_head(head, length, "measurements") &&
	       (ft__document_head(head, length, "parameters") ||
		ft__document_head(head, length, "coordinates"));
}

/* Whether "measurements" is a list. */
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
		status = is_older(&p) ? read_older(&p) : read_measurements(&p);
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

const struct ft_format ft__extrap_json_format = {"extrap-json", "Extra-P's JSON, recommended and older",
						 recognise_points, read_points, NULL};

/*
 * TaLPas: {"parameters":{"x":1};"metric":"m";"callpath":"c";"value":3} each line, with semicolons.
 */

static bool recognise_talpas(const char *head, size_t length)
{
	static const char begin[] = "{\"parameters\":{";

	for (size_t i = 0, lines = 0; i + sizeof begin <= length && lines < 2; i++) {
		if (!i || head[i - 1] == '\n') {
			lines++;
			if (!memcmp(head + i, begin, sizeof begin - 1))
				return ft__document_head(head + i, length - i, "value") &&
				       !ft__document_head(head + i, length - i, "measurements");
		}
	}
	return false;
}

/* A line with commas in place of the semicolons outside strings; heap. */
static char *with_commas(const char *line, size_t length)
{
	char *copy = ft_strndup(line, length);
	bool quoted = false;

	for (char *at = copy; at && *at; at++) {
		if (quoted && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (!quoted && *at == ';')
			*at = ',';
	}
	return copy;
}

static enum ft_status take_talpas_line(struct ft_import_job *job, const char *line, size_t length,
				       struct ft_err *err)
{
	struct points p = {.job = job, .err = err};
	char *copy = with_commas(line, length);
	json_error_t error;

	if (!copy)
		return ft_nomem(err);
	if (!copy[strspn(copy, " \t\r\n")]) {
		ft_free(copy);
		return FT_OK;
	}
	json_t *object = json_loads(copy, 0, &error);
	ft_free(copy);
	if (!json_is_object(object)) {
		json_decref(object);
		return fail_line(&p, ft__input_number(job->input), "no measurement of TaLPas");
	}
	ft__record_begin(job, ft__input_number(job->input));
	enum ft_status status = ft__extrap_line(job, object, err);
	json_decref(object);
	return status;
}

static enum ft_status read_talpas(struct ft_import_job *job, struct ft_err *err)
{
	size_t *first, n, length;
	const char *line;
	enum ft_status status;

	FT_TRY(ft__extrap_begin(job, &first, &n, err));
	job->own = job; /* each line has a callpath */
	while (!(status = ft__input_line(job->input, &line, &length, err)))
		if ((status = take_talpas_line(job, line, length, err)) &&
		    (status = ft__job_spare(job, status, err)))
			break;
	job->own = NULL;
	if (status == FT_EEND)
		status = FT_OK;
	else if (status)
		status = ft__job_spare_rest(job, status, err);
	if (!status)
		status = ft__extrap_join(job, first, n, err);
	ft_free(first);
	return status;
}

const struct ft_format ft__talpas_format = {"talpas", "the lines of TaLPas, as Extra-P reads them",
					    recognise_talpas, read_talpas, NULL};
