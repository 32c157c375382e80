/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrap.c - Extra-P's text format: PARAMETER, POINTS, REGION, METRIC, DATA.
 *
 * Source: github.com/extra-p/extrap, docs/file-formats.md, "Text file format". Comments may stand anywhere:
 * in those before PARAMETER we write, and read, what foretime's tables say of a program. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARAMETERS_MAX = 4, NOTES = 7 };

static const char *const note_keys[NOTES] = {"machine", "host", "cpu", "name", "work", "method", "where"};

enum { MACHINE, HOST, CPU, NAME, WORK, METHOD, WHERE };

/* A line of values, until it is known that its list has one for each point. */
struct extrap_data {
	char *text;
	size_t line, column;
};

struct extrap_text {
	struct ft_import_job *job;
	char *name[PARAMETERS_MAX]; /* of the parameters */
	size_t n_names;
	double *number; /* of the points, name after name */
	size_t n_numbers, capacity;
	struct extrap_data *data; /* of the present list: one for each point, in their order */
	size_t n_data, data_capacity;
	bool lost; /* a line that cannot be read may have named the region: until the next one does */
	char *region, *metric, *note[NOTES];
	struct ft_err *err;
};

static bool recognise_extrap(const char *head, size_t length)
{
	size_t i = 0;

	while (i < length) { /* comments and blank lines first */
		while (i < length && strchr(" \t\r\n", head[i]) && head[i])
			i++;
		if (i < length && head[i] != '#')
			break;
		while (i < length && head[i] != '\n')
			i++;
	}
	return length - i >= 10 && !memcmp(head + i, "PARAMETER ", 10);
}

static enum ft_status fail_line(const struct extrap_text *text, size_t line, size_t column, const char *what,
				const char *remedy)
{
	(void)ft_fail(text->err, FT_EPARSE, "%.200s:%zu: column %zu: %s", ft__input_name(text->job->input),
		      line, column, what);
	(void)ft_remedy(text->err, "%s", remedy);
	return FT_EPARSE;
}

static enum ft_status fail_at(const struct extrap_text *text, size_t column, const char *what,
			      const char *remedy)
{
	return fail_line(text, ft__input_number(text->job->input), column, what, remedy);
}

/* ---- sections ----------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static enum ft_status take_parameters(struct extrap_text *text, const char *at, size_t column)
{
	while (*at) {
		size_t length = strcspn(at, " \t"), i;

		for (i = 0; i < text->n_names; i++)
			if (strlen(text->name[i]) == length && !memcmp(text->name[i], at, length))
				return fail_at(text, column, "a parameter is named twice",
					       "name each parameter once");
		if (text->n_names == PARAMETERS_MAX)
			return fail_at(text, column, "more than four parameters", "Extra-P has no more");
		text->name[text->n_names] = ft_strndup(at, length);
		if (!text->name[text->n_names])
			return ft_nomem(text->err);
		text->n_names++;
		for (at += length; is_blank(*at); at++)
			;
	}
	return FT_OK;
}

/* Numbers, however they are put in parentheses. */
static enum ft_status take_points(struct extrap_text *text, const char *section, size_t column)
{
	const char *at = section, *end;
	double value;

	for (;;) {
		at += strspn(at, " \t(),");
		if (!*at)
			break;
		if (!ft__number_scan_signed(at, &end, &value) || !isfinite(value))
			return fail_at(text, column + (size_t)(at - section), "not a number",
				       "write a point as (4), or (4 100) with two parameters");
		double *grown = ft_grow(text->number, text->n_numbers, &text->capacity, sizeof *grown);
		if (!grown)
			return ft_nomem(text->err);
		text->number = grown;
		text->number[text->n_numbers++] = value;
		at = end;
	}
	if (!text->n_names || text->n_numbers % text->n_names)
		return fail_at(text, column, "points without a coordinate for each parameter",
			       "write a point as (4), or (4 100) with two parameters");
	return FT_OK;
}

static enum ft_status take_value(struct extrap_text *text, const double *coordinate, double value,
				 size_t line, size_t column)
{
	struct ft_import_job *job = text->job;
	enum ft_status status = FT_OK;
	bool wanted;

	ft__record_begin(job, line);
	(void)snprintf(job->record.place, sizeof job->record.place, "column %zu", column);
	for (size_t i = 0; i < text->n_names && !status; i++)
		status = ft__record_own(job, text->name[i], strlen(text->name[i]), NULL, coordinate[i], true,
					text->err);
	if (!status && text->region)
		status = ft__record_field(job, "region", text->region, 0, text->err);
	job->record.name = text->region ? text->region : text->note[NAME];
	if (!status)
		status = ft__record_wanted(job, &wanted, text->err);
	if (status || !wanted)
		return status;
	return ft__extrap_take(job, text->metric ? text->metric : "value", value, text->err);
}

/* The values of a point. First all of them are looked at: the k-th values of all metrics are of one run, so
 * that a line with one that is none is left out as a whole. */
static enum ft_status take_values(struct extrap_text *text, const struct extrap_data *data,
				  const double *coordinate)
{
	enum ft_status status = FT_OK;
	const char *end;
	double value;

	for (bool take = false;; take = true) {
		for (const char *at = data->text; *at && !status;) {
			size_t column = data->column + (size_t)(at - data->text);

			if (!ft__number_scan_signed(at, &end, &value) || (*end && !is_blank(*end)) ||
			    !isfinite(value))
				status = fail_line(text, data->line, column, "not a number",
						   "write digits, as in 3000, 2.5 or 1e-6");
			else if (take)
				status = take_value(text, coordinate, value, data->line, column);
			if (status && take)
				status = ft__job_spare(text->job, status, text->err);
			for (at = status ? at : end; is_blank(*at); at++)
				;
		}
		if (status || take)
			return status ? ft__job_spare(text->job, status, text->err) : FT_OK;
	}
}

/* The list of DATA that ends here, when it has a line for each point: of another one nobody knows which line
 * is missing. */
static enum ft_status take_list(struct extrap_text *text)
{
	size_t points = text->n_names ? text->n_numbers / text->n_names : 0;
	enum ft_status status = FT_OK;

	if (text->n_data && text->n_data != points)
		status =
			fail_line(text, text->data[text->n_data > points ? points : text->n_data - 1].line, 1,
				  text->n_data > points ? "more DATA than there are points"
							: "fewer DATA than there are points",
				  "give each point one line of DATA");
	if (status)
		status = ft__job_spare(text->job, status, text->err);
	for (size_t i = 0; i < text->n_data && !status && text->n_data == points; i++)
		status = take_values(text, &text->data[i], text->number + i * text->n_names);
	while (text->n_data)
		ft_free(text->data[--text->n_data].text);
	return status;
}

static enum ft_status take_data(struct extrap_text *text, const char *section, size_t column)
{
	struct extrap_data *grown = ft_grow(text->data, text->n_data, &text->data_capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(text->err);
	text->data = grown;
	grown[text->n_data] =
		(struct extrap_data){ft_strdup(section), ft__input_number(text->job->input), column};
	return grown[text->n_data++].text ? FT_OK : ft_nomem(text->err);
}

static enum ft_status take_name(struct extrap_text *text, char **name, const char *section)
{
	FT_TRY(take_list(text));
	ft_free(*name);
	*name = ft_strdup(section);
	text->lost = text->lost && name != &text->region;
	return *name ? FT_OK : ft_nomem(text->err);
}

static enum ft_status take_section(struct extrap_text *text, const char *word, size_t length,
				   const char *section, size_t column)
{
	if (length == 9 && !memcmp(word, "PARAMETER", 9))
		return take_parameters(text, section, column);
	if (length == 6 && !memcmp(word, "POINTS", 6))
		return take_points(text, section, column);
	if (length == 6 && !memcmp(word, "REGION", 6))
		return take_name(text, &text->region, section);
	if (length == 6 && !memcmp(word, "METRIC", 6))
		return take_name(text, &text->metric, section);
	if (length == 4 && !memcmp(word, "DATA", 4))
		return text->lost ? FT_OK : take_data(text, section, column);
	/* Within a list it was a DATA, and too few are left; else what follows is of an unknown region. */
	text->lost = !text->n_data || text->n_data * text->n_names >= text->n_numbers;
	return fail_at(text, 1, "neither PARAMETER, POINTS, REGION, METRIC nor DATA",
		       "begin comments with '#'; see the text format of Extra-P");
}

/* "# work: 2*n^3" */
static enum ft_status take_note(struct extrap_text *text, const char *line)
{
	for (line++; is_blank(*line); line++)
		;
	for (size_t i = 0; i < NOTES; i++) {
		size_t length = strlen(note_keys[i]);

		if (strncmp(line, note_keys[i], length) != 0 || line[length] != ':' || text->note[i])
			continue;
		line += length + 1;
		text->note[i] = ft_strdup(line + strspn(line, " \t"));
		return text->note[i] ? FT_OK : ft_nomem(text->err);
	}
	return FT_OK;
}

static enum ft_status take_line(struct extrap_text *text, const char *bytes, size_t length)
{
	char *line = ft_strndup(bytes, length), *word, *section;
	enum ft_status status;

	if (!line)
		return ft_nomem(text->err);
	if (memchr(bytes, '\0', length)) {
		ft_free(line);
		return fail_at(text, 1, "a zero byte", "this is no text");
	}
	while (length && strchr(" \t\r\n", line[length - 1]))
		line[--length] = '\0';
	for (word = line; is_blank(*word); word++)
		;
	if (!*word) {
		status = FT_OK;
	} else if (*word == '#') {
		status = take_note(text, word);
	} else {
		section = word + strcspn(word, " \t");
		length = (size_t)(section - word);
		section += strspn(section, " \t");
		status = take_section(text, word, length, section, (size_t)(section - line) + 1);
	}
	ft_free(line);
	return status;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void move_text(char **to, char **from)
{
	if (*to || !*from)
		return;
	*to = *from;
	*from = NULL;
}

static enum ft_status give_notes(struct extrap_text *text)
{
	struct ft_import *import = text->job->import;
	bool good = true;

	if (!import->machine.fingerprint) {
		move_text(&import->machine.fingerprint, &text->note[MACHINE]);
		move_text(&import->machine.host, &text->note[HOST]);
		move_text(&import->machine.cpu, &text->note[CPU]);
	}
	for (size_t i = 0; i < import->n && good; i++) {
		struct ft_program *program = &import->part[i].program;

		good = ft__note_keep(&program->work, text->note[WORK]) &&
		       ft__note_keep(&program->method, text->note[METHOD]) &&
		       ft__note_keep(&program->where, text->note[WHERE]);
	}
	return good ? FT_OK : ft_nomem(text->err);
}

static enum ft_status read_file(struct ft_import_job *job, struct ft_err *err)
{
	struct extrap_text text = {.job = job, .err = err};
	size_t *first, n, length;
	const char *line;
	enum ft_status status = ft__extrap_begin(job, &first, &n, err);

	while (!status && !(status = ft__input_line(job->input, &line, &length, err)))
		if ((status = take_line(&text, line, length)))
			status = ft__job_spare(job, status, err);
	status = status == FT_EEND ? take_list(&text) : ft__job_spare_rest(job, status, err);
	if (!status)
		status = ft__extrap_join(job, first, n, err);
	if (!status)
		status = give_notes(&text);
	ft__record_begin(job, 0); /* before what it borrows */
	for (size_t i = 0; i < PARAMETERS_MAX; i++)
		ft_free(text.name[i]);
	for (size_t i = 0; i < NOTES; i++)
		ft_free(text.note[i]);
	while (text.n_data)
		ft_free(text.data[--text.n_data].text);
	ft_free(text.data);
	ft_free(text.number);
	ft_free(text.region);
	ft_free(text.metric);
	ft_free(first);
	return status;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static void add_points(const struct ft_program *program, const struct ft__extrap_points *points,
		       struct ft_text *text)
{
	ft_text_add(text, "PARAMETER");
	for (size_t i = 0; i < program->n_params; i++)
		ft_text_add(text, " %s", program->param[i].name);
	ft_text_add(text, "\nPOINTS");
	for (size_t i = 0; i < points->n; i++) {
		ft_text_add(text, " (");
		for (size_t j = 0; j < points->size[i].n; j++) {
			ft_text_add(text, "%s", j ? " " : "");
			ft_text_add_number(text, points->size[i].value[j]);
		}
		ft_text_add(text, ")");
	}
	ft_text_add(text, "\n\nREGION %s\n", program->name);
}

static enum ft_status write_file(const struct ft_program *program, const struct ft_machine *machine,
				 const struct ft_runs *runs, struct ft_text *text, size_t *left_out,
				 struct ft_err *err)
{
	struct ft__extrap_points points;

	if (program->n_params > PARAMETERS_MAX) {
		(void)ft_fail(err, FT_EINVAL,
			      "'%s' has %zu parameters, and Extra-P's text format four at most",
			      program->name, program->n_params);
		return ft_remedy(err, "use --from extrap-lines");
	}
	FT_TRY(ft__extrap_of(program, runs, &points, err));
	*left_out = points.left_out;
	ft_text_add_note(text, "machine", machine ? machine->fingerprint : NULL);
	ft_text_add_note(text, "host", machine ? machine->host : NULL);
	ft_text_add_note(text, "cpu", machine ? machine->cpu : NULL);
	ft_text_add_note(text, "work", program->work);
	ft_text_add_note(text, "method", program->method);
	ft_text_add_note(text, "where", program->where);
	add_points(program, &points, text);
	for (size_t i = 0; i < points.n_resources; i++) {
		ft_text_add(text, "METRIC %s\n", points.resource[i]->name);
		for (size_t j = 0; j < points.n; j++) {
			ft_text_add(text, "DATA ");
			ft__extrap_values(runs, &points.size[j], points.resource[i], " ", text);
			ft_text_add(text, "\n");
		}
	}
	ft__extrap_clear(&points);
	return FT_OK;
}

const struct ft_format ft__extrap_format = {"extrap", "Extra-P's text format", recognise_extrap, read_file,
					    write_file};
