/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extrap.c - Extra-P's text format: PARAMETER, POINTS, REGION, METRIC, DATA.
 *
 * Source: github.com/extra-p/extrap, docs/file-formats.md, "Text file format". Comments may stand anywhere:
 * in those before PARAMETER we write, and read, what foretime's tables say of a program. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/door.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What Extra-P's formats share: values by metric and point, where we have runs with several
 * values.
 */

/* ---- metrics ------------------------------------------------------------------------------------------ */

/* The resource that a metric is, and what its unit is in SI; NULL: none. */
static const struct ft_resource *metric_find(const struct ft_import_job *job, const char *metric,
					     double *factor)
{
	static const char *const time[] = {"time",      "runtime",   "walltime",
					   "wall_time", "wall time", "elapsed"};

	*factor = 1;
	for (size_t i = 0; i < job->n_values; i++)
		if (ft__value_names(&job->value[i], metric, factor))
			return job->value[i].resource;
	*factor = 1;
	const struct ft_resource *found = ft_resource_find(metric);
	for (size_t i = 0; i < sizeof time / sizeof *time && !found; i++)
		if (!strcmp(metric, time[i]))
			found = &ft_wall_s;
	return found && !ft__values_name(job, found) ? found : NULL;
}

/* ft__extrap_take - one value of a metric at the record's size: a run of its own until ft__extrap_join. */
enum ft_status ft__extrap_take(struct ft_import_job *job, const char *metric, double value,
			       struct ft_err *err)
{
	double factor;
	const struct ft_resource *resource = metric_find(job, metric, &factor);

	if (!resource) {
		if (!job->metric[0])
			(void)snprintf(job->metric, sizeof job->metric, "%s", metric);
		ft__job_pass(job, FT_PASSED_METRIC);
		return FT_OK;
	}
	job->strict_zero = true;
	enum ft_status status =
		ft__record_sample(job, resource, value * factor, FT_MEASURED, NULL, metric, err);
	return status ? status : ft__record_keep(job, err);
}

/* What values without a metric are: those that the user calls "value", else times. */
static const char *metric_default(const struct ft_import_job *job)
{
	double factor;

	for (size_t i = 0; i < job->n_values; i++)
		if (ft__value_names(&job->value[i], "value", &factor))
			return "value";
	return "time";
}

/* ---- values become runs ------------------------------------------------------------------------------- */

/* A run of one value, on its way into one of several. */
struct extrap_points_piece {
	const struct ft_run *run;
	size_t index;   /* in the part */
	size_t ordinal; /* among the values of its resource at its size */
};

static int compare_sizes(const struct extrap_points_piece *a, const struct extrap_points_piece *b)
{
	return ft_size_compare(&a->run->size, &b->run->size);
}

static const struct ft_resource *resource_of(const struct extrap_points_piece *piece)
{
	return piece->run->sample[0].resource;
}

static int by_resource(const void *left, const void *right)
{
	const struct extrap_points_piece *a = left, *b = right;
	int order = compare_sizes(a, b);

	order = order ? order : strcmp(resource_of(a)->name, resource_of(b)->name);
	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static int by_ordinal(const void *left, const void *right)
{
	const struct extrap_points_piece *a = left, *b = right;
	int order = compare_sizes(a, b);

	if (!order && a->ordinal != b->ordinal)
		order = a->ordinal < b->ordinal ? -1 : 1;
	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static void number_pieces(struct extrap_points_piece *piece, size_t n)
{
	qsort(piece, n, sizeof *piece, by_resource);
	for (size_t i = 1; i < n; i++)
		if (!compare_sizes(&piece[i - 1], &piece[i]) &&
		    resource_of(&piece[i - 1]) == resource_of(&piece[i]))
			piece[i].ordinal = piece[i - 1].ordinal + 1;
	qsort(piece, n, sizeof *piece, by_ordinal);
}

/* Put the value of one run into another; the run is empty then. */
static enum ft_status move_value(struct ft_run *to, struct ft_run *from, struct ft_err *err)
{
	const struct ft_sample *sample = &from->sample[0];

	FT_TRY(ft_run_add(to, sample->resource, sample->value, sample->label, sample->probe, NULL, err));
	if (sample->resource == &ft_wall_s)
		to->cost_s = from->cost_s;
	else if (isnan(ft_run_value(to, &ft_wall_s)))
		to->cost_s = fmax(to->cost_s, from->cost_s);
	ft_run_clear(from);
	return FT_OK;
}

static enum ft_status join_part(struct ft_import *import, struct ft_runs *runs, size_t first,
				struct ft_err *err)
{
	size_t n = runs->n - first, kept = first;
	struct extrap_points_piece *piece = ft_calloc(n, sizeof *piece);
	enum ft_status status = FT_OK;
	struct extrap_points_piece *lead = piece;

	if (!piece)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		piece[i] = (struct extrap_points_piece){.run = &runs->run[first + i], .index = first + i};
	number_pieces(piece, n);
	for (size_t i = 1; i < n && !status; i++) {
		if (!compare_sizes(lead, &piece[i]) && lead->ordinal == piece[i].ordinal)
			status = move_value(&runs->run[lead->index], &runs->run[piece[i].index], err);
		else
			lead = &piece[i];
	}
	ft_free(piece);
	for (size_t i = first; i < runs->n && !status; i++)
		if (runs->run[i].n_samples)
			runs->run[kept++] = runs->run[i];
	if (status)
		return status;
	import->runs -= runs->n - kept;
	runs->n = kept;
	return FT_OK;
}

enum ft_status ft__extrap_begin(struct ft_import_job *job, size_t **first, size_t *n, struct ft_err *err)
{
	job->whole = true;
	*n = job->import->n;
	*first = ft_calloc(*n + 1, sizeof **first);
	if (!*first)
		return ft_nomem(err);
	for (size_t i = 0; i < *n; i++)
		(*first)[i] = job->import->part[i].runs.n;
	return FT_OK;
}

/* ft__extrap_join - make runs of values: the k-th values of all metrics at a size are of one run.
 *
 * first  [n] how many runs each part had before; parts beyond n had none
 */
enum ft_status ft__extrap_join(struct ft_import_job *job, const size_t *first, size_t n, struct ft_err *err)
{
	struct ft_import *import = job->import;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < import->n && !status; i++) {
		struct ft_runs *runs = &import->part[i].runs;
		size_t from = i < n ? first[i] : 0;

		if (runs->n > from)
			status = join_part(import, runs, from, err);
	}
	return status;
}

/* ---- runs become values ------------------------------------------------------------------------------- */

static bool is_good(const struct ft_run *run)
{
	return run->outcome == FT_DONE && !run->warmup;
}

static bool has_value(const struct ft_runs *runs, const struct ft_size *size,
		      const struct ft_resource *resource)
{
	for (size_t i = 0; i < runs->n; i++)
		if (is_good(&runs->run[i]) && ft_size_equal(&runs->run[i].size, size) &&
		    !isnan(ft_run_value(&runs->run[i], resource)))
			return true;
	return false;
}

static enum ft_status add_size(struct ft__extrap_points *points, size_t *capacity, const struct ft_size *size,
			       struct ft_err *err)
{
	for (size_t i = 0; i < points->n; i++)
		if (ft_size_equal(&points->size[i], size))
			return FT_OK;
	struct ft_size *grown = ft_grow(points->size, points->n, capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	points->size = grown;
	points->size[points->n++] = *size;
	return FT_OK;
}

static void extrap_clear(struct ft__extrap_points *points)
{
	ft_free(points->size);
	*points = (struct ft__extrap_points){0};
}

/* extrap_of - the sizes at which runs ended well, in the order in which they were met, and the resources
 * that there are values of at each of them. FT_EINVAL: there is none. */
static enum ft_status extrap_of(const struct ft_program *program, const struct ft_runs *runs,
				struct ft__extrap_points *points, struct ft_err *err)
{
	enum { RESOURCES_MAX = sizeof points->resource / sizeof *points->resource };
	const struct ft_resource *resource;
	enum ft_status status = FT_OK;
	size_t j, capacity = 0;

	*points = (struct ft__extrap_points){0};
	for (size_t i = 0; i < runs->n && !status; i++) {
		if (is_good(&runs->run[i]))
			status = add_size(points, &capacity, &runs->run[i].size, err);
		else
			points->left_out++;
	}
	for (size_t i = 0; !status && (resource = ft_resource_get(i)); i++) {
		for (j = 0; j < points->n && has_value(runs, &points->size[j], resource); j++)
			;
		if (j == points->n && points->n_resources < RESOURCES_MAX)
			points->resource[points->n_resources++] = resource;
	}
	if (!status && (!points->n || !points->n_resources)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' has no resource with a value at every size",
			      program->name);
		status = ft_remedy(err, "export it as CSV or JSON, which have room for missing values");
	}
	if (status)
		extrap_clear(points);
	return status;
}

/* extrap_values - the values of a resource at a point, separated. */
static void extrap_values(const struct ft_runs *runs, const struct ft_size *size,
			  const struct ft_resource *resource, const char *separator, struct ft_text *text)
{
	const char *between = "";

	for (size_t i = 0; i < runs->n; i++) {
		double value = ft_run_value(&runs->run[i], resource);

		if (!is_good(&runs->run[i]) || !ft_size_equal(&runs->run[i].size, size) || isnan(value))
			continue;
		ft_text_add(text, "%s", between);
		ft_text_add_number(text, value);
		between = separator;
	}
}

/*
 * Extra-P's text format: PARAMETER, POINTS, REGION, METRIC, DATA.
 */

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
	return ft__extrap_take(job, text->metric ? text->metric : metric_default(job), value, text->err);
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
	FT_TRY(extrap_of(program, runs, &points, err));
	*left_out = points.left_out;
	ft_text_add_note(text, "machine", machine ? machine->fingerprint : NULL);
	ft_text_add_note(text, "host", machine ? machine->host : NULL);
	ft_text_add_note(text, "cpu", machine ? machine->cpu : NULL);
	ft_text_add_note(text, "work", program->work);
	ft_text_add_note(text, "method", program->method);
	ft_text_add_note(text, "where", program->where);
	ft_text_add(text, "PARAMETER");
	for (size_t i = 0; i < program->n_params; i++)
		ft_text_add(text, " %s", program->param[i].name);
	ft_text_add(text, "\nPOINTS");
	for (size_t i = 0; i < points.n; i++) {
		ft_text_add(text, " (");
		for (size_t j = 0; j < points.size[i].n; j++) {
			ft_text_add(text, "%s", j ? " " : "");
			ft_text_add_number(text, points.size[i].value[j]);
		}
		ft_text_add(text, ")");
	}
	ft_text_add(text, "\n\nREGION %s\n", program->name);
	for (size_t i = 0; i < points.n_resources; i++) {
		ft_text_add(text, "METRIC %s\n", points.resource[i]->name);
		for (size_t j = 0; j < points.n; j++) {
			ft_text_add(text, "DATA ");
			extrap_values(runs, &points.size[j], points.resource[i], " ", text);
			ft_text_add(text, "\n");
		}
	}
	extrap_clear(&points);
	return FT_OK;
}

const struct ft_format ft__extrap_format = {"extrap", "Extra-P's text format", recognise_extrap, read_file,
					    write_file};

/*
 * Extra-P's JSON lines: {"params": {"n": 64}, "metric": "time", "value": 0.5} each.
 *
 * Source: github.com/extra-p/extrap, docs/file-formats.md, "JSON Lines format".
 */

static bool recognise_extrap_lines(const char *head, size_t length)
{
	return ft__document_head(head, length, "params") && ft__document_head(head, length, "value") &&
	       !ft__document_head(head, length, "schema");
}

static enum ft_status add_parameters(struct ft_import_job *job, const json_t *params, struct ft_err *err)
{
	size_t i = job->record.n;
	enum ft_status status = ft__json_fields(job, "", params, err);

	for (; i < job->record.n; i++)
		job->record.field[i].param = true;
	return status;
}

/* Without a callpath, the program is called like the file, without its folder and what is behind the point. */
static enum ft_status add_file_name(struct ft_import_job *job, struct ft_err *err)
{
	const char *path = ft__input_name(job->input), *slash = strrchr(path, '/'),
		   *name = slash ? slash + 1 : path;
	size_t length = strcspn(name, ".");
	char *text = ft_strndup(name, length);

	if (!text)
		return ft_nomem(err);
	enum ft_status status =
		length ? ft__record_own(job, "callpath", strlen("callpath"), text, 0, false, err) : FT_OK;
	ft_free(text);
	return status;
}

static enum ft_status extrap_lines_take_value(struct ft_import_job *job, const json_t *line,
					      const json_t *value, size_t number, struct ft_err *err)
{
	const char *callpath = json_string_value(json_object_get(line, "callpath"));
	const char *metric = json_string_value(json_object_get(line, "metric"));
	const json_t *params = json_object_get(line, "params"); /* of TaLPas, "parameters" */
	bool wanted;

	params = params ? params : json_object_get(line, "parameters");

	ft__record_begin(job, number);
	if (!json_is_object(params) || !json_is_number(value))
		return ft__record_fail_named(
			job, json_is_object(params) ? "value" : "params", NULL,
			json_is_object(params) ? "neither a number nor a list of them"
					       : "there is no object of parameters",
			"write {\"params\": {\"n\": 64}, \"metric\": \"time\", \"value\": 0.5}", err);
	enum ft_status status = add_parameters(job, params, err);
	if (!status && callpath)
		status = ft__record_field(job, "callpath", callpath, 0, err);
	else if (!status && !job->options->wanted && !job->own)
		status = add_file_name(job, err);
	job->record.name = ft__record_text(&job->record, "callpath");
	if (!status)
		status = ft__record_wanted(job, &wanted, err);
	if (status || !wanted)
		return status;
	return ft__extrap_take(job, metric ? metric : metric_default(job), json_number_value(value), err);
}

enum ft_status ft__extrap_line(struct ft_import_job *job, struct json_t *line, struct ft_err *err)
{
	const json_t *value = json_object_get(line, "value");
	size_t number = job->record.line;
	enum ft_status status = FT_OK;

	if (!json_is_array(value))
		return extrap_lines_take_value(job, line, value, number, err);
	for (size_t i = 0; i < json_array_size(value) && !status; i++)
		if ((status = extrap_lines_take_value(job, line, json_array_get(value, i), number, err)))
			status = ft__job_spare(job, status, err);
	return status;
}

static enum ft_status extrap_lines_read_file(struct ft_import_job *job, struct ft_err *err)
{
	size_t *first, n, length;
	const char *head;

	FT_TRY(ft__input_head(job->input, &head, &length, err));
	/* Where lines have callpaths, one without is damaged; else the program is called like the file. */
	job->own = ft__document_head(head, length, "callpath") ? job : NULL;
	enum ft_status status = ft__extrap_begin(job, &first, &n, err);
	if (!status)
		status = ft__lines_each(job, ft__extrap_line, err);
	job->own = NULL;
	if (!status)
		status = ft__extrap_join(job, first, n, err);
	ft_free(first);
	return status;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* A text in quotes. */
static enum ft_status quote_text(const char *text, char **quoted, struct ft_err *err)
{
	json_t *value = json_string(text);
	char *dumped = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

	*quoted = dumped ? ft_strdup(dumped) : NULL;
	free(dumped);
	json_decref(value);
	return *quoted ? FT_OK : ft_nomem(err);
}

static void add_line(const struct ft_program *program, const struct ft_size *size, const char *callpath,
		     const struct ft_resource *resource, const struct ft_runs *runs, struct ft_text *text)
{
	ft_text_add(text, "{\"params\": {");
	for (size_t i = 0; i < size->n; i++) {
		ft_text_add(text, "%s\"%s\": ", i ? ", " : "", program->param[i].name);
		ft_text_add_number(text, size->value[i]);
	}
	ft_text_add(text, "}, \"callpath\": %s, \"metric\": \"%s\", \"value\": [", callpath, resource->name);
	extrap_values(runs, size, resource, ", ", text);
	ft_text_add(text, "]}\n");
}

static enum ft_status extrap_lines_write_file(const struct ft_program *program,
					      const struct ft_machine *machine, const struct ft_runs *runs,
					      struct ft_text *text, size_t *left_out, struct ft_err *err)
{
	struct ft__extrap_points points;
	enum ft_status status = extrap_of(program, runs, &points, err);
	char *callpath;

	(void)machine;
	if (status)
		return status;
	*left_out = points.left_out;
	status = quote_text(program->name, &callpath, err);
	for (size_t i = 0; i < points.n_resources && !status; i++)
		for (size_t j = 0; j < points.n; j++)
			add_line(program, &points.size[j], callpath, points.resource[i], runs, text);
	ft_free(callpath);
	extrap_clear(&points);
	return status;
}

const struct ft_format ft__extrap_lines_format = {"extrap-lines", "Extra-P's JSON lines",
						  recognise_extrap_lines, extrap_lines_read_file,
						  extrap_lines_write_file};
