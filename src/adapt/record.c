/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - converts a row to a run: its fields, its values checked, its complaints with their place. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"

#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/*
 * Resources in columns that the format does not define: "wall_s=runtime:ms".
 */

/* SI values of units. Units of memory are powers of 2^10 if they contain an i. */
static const struct {
	const char *unit, *of;
	double factor;
} units[] = {
	{"ns", "s", 1e-9},        {"us", "s", 1e-6},
	{"ms", "s", 1e-3},        {"s", "s", 1},
	{"min", "s", 60},         {"h", "s", 3600},
	{"B", "bytes", 1},        {"kB", "bytes", 1e3},
	{"MB", "bytes", 1e6},     {"GB", "bytes", 1e9},
	{"TB", "bytes", 1e12},    {"KiB", "bytes", 0x1p10},
	{"MiB", "bytes", 0x1p20}, {"GiB", "bytes", 0x1p30},
	{"TiB", "bytes", 0x1p40}, {"J", "J", 1},
	{"kJ", "J", 1e3},         {"Wh", "J", 3600},
	{"kWh", "J", 3.6e6},
};

void ft__values_clear(struct ft_import_job *job)
{
	for (size_t i = 0; i < job->n_values; i++)
		ft_free(job->value[i].column);
	for (size_t i = 0; i < job->n_asked; i++)
		ft_free(job->asked[i].column);
	job->n_values = job->n_asked = 0;
}

static enum ft_status fail_word(const char *option, const char *word, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EPARSE, "%s %.200s: %s", option, word, what);
	(void)ft_remedy(err,
			"write RESOURCE=COLUMN or RESOURCE=COLUMN:UNIT, as in wall_s=runtime:ms; the units "
			"are ns us ms s min h, B kB MB GB TB KiB MiB GiB TiB, J kJ Wh kWh");
	return FT_EPARSE;
}

/* A unit of the resource behind the last colon: it may as well be part of the column's name. */
static void take_unit(struct ft__value_spec *spec)
{
	const char *colon = strrchr(spec->column, ':');

	for (size_t i = 0; colon && i < sizeof units / sizeof *units; i++)
		if (!strcmp(units[i].unit, colon + 1) && !strcmp(units[i].of, spec->resource->unit)) {
			spec->length = (size_t)(colon - spec->column);
			spec->factor = units[i].factor;
			return;
		}
}

bool ft__value_names(const struct ft__value_spec *spec, const char *column, double *factor)
{
	*factor = 1;
	if (!strcmp(column, spec->column))
		return true;
	*factor = spec->factor;
	return spec->length && !strncmp(column, spec->column, spec->length) && !column[spec->length];
}

/* The field that a spec means. */
static const struct ft__field *find_field(const struct ft_import_job *job, const struct ft__value_spec *spec,
					  double *factor)
{
	const struct ft__field *field = ft__record_find(&job->record, spec->column);

	*factor = 1;
	assert(job->record.field || !job->record.n);
	for (size_t i = 0; i < job->record.n && !field; i++)
		if (ft__value_names(spec, job->record.field[i].name, factor))
			field = &job->record.field[i];
	return field;
}

/* "RESOURCE=COLUMN:UNIT" */
static enum ft_status parse_value(const char *option, const char *word, struct ft__value_spec *spec,
				  struct ft_err *err)
{
	const char *equals = strchr(word, '=');
	char name[FT_RESOURCE_LENGTH];

	if (!equals || !equals[1] || (size_t)(equals - word) >= sizeof name)
		return fail_word(option, word, "it is not RESOURCE=COLUMN", err);
	(void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
	*spec = (struct ft__value_spec){.resource = ft_resource_typed(name)};
	if (!spec->resource)
		return fail_word(option, word, "there is no resource of that name", err);
	spec->column = ft_strdup(equals + 1);
	if (!spec->column)
		return ft_nomem(err);
	take_unit(spec);
	return FT_OK;
}

enum ft_status ft__values_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;

	if (options->n_values > FT__VALUES_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d times --value", FT__VALUES_MAX);
	for (size_t i = 0; i < options->n_values; i++) {
		FT_TRY(parse_value("--value", options->value[i], &job->value[job->n_values], err));
		job->n_values++;
	}
	if (options->n_asked > FT__ASKED_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d times --requested", FT__ASKED_MAX);
	for (size_t i = 0; i < options->n_asked; i++) {
		struct ft__value_spec *spec = &job->asked[job->n_asked];

		FT_TRY(parse_value("--requested", options->asked[i], spec, err));
		job->n_asked++;
		if (spec->resource != &ft_wall_s && spec->resource->of != FT_CLASS_MEMORY)
			return fail_word("--requested", options->asked[i],
					 "neither time nor memory is requested", err);
	}
	return FT_OK;
}

bool ft__values_name(const struct ft_import_job *job, const struct ft_resource *resource)
{
	for (size_t i = 0; i < job->n_values; i++)
		if (job->value[i].resource == resource)
			return true;
	return false;
}

/* The value of a row, NaN: the cell is empty. */
static enum ft_status read_value(const struct ft_import_job *job, const char *option,
				 const struct ft__value_spec *spec, double *value,
				 const struct ft__field **field, struct ft_err *err)
{
	double factor;
	char lacks[80], remedy[160];

	*value = NAN;
	*field = find_field(job, spec, &factor);
	if (!*field) {
		(void)snprintf(lacks, sizeof lacks, "'%.64s'", spec->column);
		(void)snprintf(remedy, sizeof remedy, "name one of them in %s", option);
		return ft__job_missing(job, lacks, remedy, err);
	}
	if (ft__is_missing((*field)->text))
		return FT_OK;
	if (ft__read_number((*field)->text, value)) {
		*value *= factor;
		return FT_OK;
	}
	(void)snprintf(remedy, sizeof remedy, "write a number, and its unit in %s RESOURCE=COLUMN:UNIT",
		       option);
	if (ft_value_parse((*field)->text, spec->resource->unit, value, NULL))
		return ft__record_fail(job, *field, "not a value of the resource", remedy, err);
	return FT_OK;
}

enum ft_status ft__values_take(struct ft_import_job *job, struct ft_err *err)
{
	struct ft_run *run = &job->record.run;
	const struct ft__field *field;
	double value;

	for (size_t i = 0; i < job->n_values; i++) {
		FT_TRY(read_value(job, "--value", &job->value[i], &value, &field, err));
		FT_TRY(ft__record_sample(job, job->value[i].resource, value, FT_MEASURED, field, NULL, err));
	}
	for (size_t i = 0; i < job->n_asked; i++) {
		FT_TRY(read_value(job, "--requested", &job->asked[i], &value, &field, err));
		if (job->asked[i].resource == &ft_wall_s)
			run->asked_s = value > 0 ? value : (double)NAN;
		else
			run->asked_bytes = value > 0 ? value : (double)NAN;
	}
	return FT_OK;
}

/*
 * Converts a row to a run: its fields, its values checked, its complaints with their place.
 */

/* If the memory of the machine is not known: more than any machine for rent has today. */
static const double memory_anywhere = 32 * 0x1p40;

/* ---- fields ------------------------------------------------------------------------------------------- */

void ft__record_end_texts(struct ft__record *record)
{
	for (size_t i = 0; i < record->n && !record->columns; i++) {
		ft_free(record->field[i].own_name);
		ft_free(record->field[i].own_text);
	}
	record->n = 0;
	record->columns = NULL;
}

void ft__record_begin(struct ft_import_job *job, size_t line)
{
	struct ft__record *record = &job->record;

	ft__record_end_texts(record);
	ft_run_clear(&record->run);
	record->line = line;
	record->place[0] = '\0';
	record->name = NULL;
	ft_free(record->program);
	record->program = NULL;
	ft_free(record->machine);
	record->machine = NULL;
	record->n_params = 0;
	record->texts.length = 0;
	record->user = record->partition = record->id = record->state = NULL;
	record->cpus = NAN;
	record->submitted_ns = 0;
	record->shorter = record->idle = false;
	record->processors = record->elapsed_s = 0;
	ft_run_init(&record->run);
	record->run.cost_s = NAN;
}

static enum ft_status add_field(struct ft__record *record, struct ft__field field, struct ft_err *err)
{
	struct ft__field *grown = ft_grow(record->field, record->n, &record->capacity, sizeof *grown);

	if (!grown) {
		ft_free(field.own_name);
		ft_free(field.own_text);
		return ft_nomem(err);
	}
	record->field = grown;
	record->field[record->n++] = field;
	return FT_OK;
}

enum ft_status ft__record_field(struct ft_import_job *job, const char *name, const char *text, size_t column,
				struct ft_err *err)
{
	return add_field(&job->record, (struct ft__field){.name = name, .text = text, .column = column}, err);
}

enum ft_status ft__record_own(struct ft_import_job *job, const char *name, size_t length, const char *text,
			      double number, bool param, struct ft_err *err)
{
	char digits[FT_NUMBER_LENGTH];
	struct ft__field field = {.own_name = ft_strndup(name, length), .param = param};

	field.own_text = ft_strdup(text ? text : ft_number_format(number, digits));
	job->record.columns = NULL;
	field.name = field.own_name;
	field.text = field.own_text;
	if (!field.name || !field.text) {
		ft_free(field.own_name);
		ft_free(field.own_text);
		return ft_nomem(err);
	}
	return add_field(&job->record, field, err);
}

static const struct ft__field *search_fields(const struct ft__record *record, const char *name)
{
	const struct ft__field *tail = NULL;
	size_t i, length = strlen(name);

	for (i = 0; i < record->n; i++) {
		const struct ft__field *field = &record->field[i];
		const size_t own = strlen(field->name);

		if (own == length && !memcmp(field->name, name, length))
			return field;
		if (!tail && own > length && field->name[own - length - 1] == '.' &&
		    !memcmp(field->name + own - length, name, length))
			tail = field;
	}
	return tail;
}

const struct ft__field *ft__record_find(const struct ft__record *record, const char *name)
{
	struct ft__name_index *columns = record->columns;

	if (!columns)
		return search_fields(record, name);
	const size_t k = (size_t)((uintptr_t)name * 0x9e3779b97f4a7c15u >> 56); /* of 256; the golden ratio */
	if (columns->slot[k].name != name || strcmp(columns->slot[k].copy, name) != 0) {
		const struct ft__field *field = search_fields(record, name);

		if (strlen(name) >= sizeof columns->slot[k].copy)
			return field;
		columns->slot[k].name = name;
		strcpy(columns->slot[k].copy, name);
		columns->slot[k].at = (int16_t)(field ? field - record->field : -1);
	}
	return columns->slot[k].at < 0 ? NULL : &record->field[columns->slot[k].at];
}

const char *ft__record_text(const struct ft__record *record, const char *name)
{
	const struct ft__field *field = ft__record_find(record, name);

	return field ? field->text : NULL;
}

const struct ft__field *ft__column_find(const struct ft_import_job *job, const char *name)
{
	const struct ft__field *field = ft__record_find(&job->record, name);

	return field || strcmp(name, job->file.name) != 0 ? field : &job->file;
}

/* ---- complaints --------------------------------------------------------------------------------------- */

static enum ft_status fail_record(const struct ft_import_job *job, size_t column, const char *name,
				  const char *text, const char *what, const char *remedy, struct ft_err *err)
{
	const struct ft__record *record = &job->record;
	char at[64] = "", where[96] = "";

	if (record->line)
		(void)snprintf(at, sizeof at, ":%zu", record->line);
	if (column)
		(void)snprintf(where, sizeof where, "column %zu (%.40s): ", column, name);
	else if (name)
		(void)snprintf(where, sizeof where, "%.40s: ", name);
	(void)ft_fail(err, FT_EINVAL, "%.120s%s: %s%s%s%s%s%.40s%s", ft__input_name(job->input), at,
		      record->place, *record->place ? ": " : "", where, what, text ? ": '" : "",
		      text ? text : "", text ? "'" : "");
	(void)ft_remedy(err, "%s", remedy);
	return FT_EINVAL;
}

enum ft_status ft__record_fail(const struct ft_import_job *job, const struct ft__field *field,
			       const char *what, const char *remedy, struct ft_err *err)
{
	return fail_record(job, field->column, field->name, field->text, what, remedy, err);
}

enum ft_status ft__record_fail_named(const struct ft_import_job *job, const char *name, const char *text,
				     const char *what, const char *remedy, struct ft_err *err)
{
	return fail_record(job, 0, name, text, what, remedy, err);
}

enum ft_status ft__job_spare(void *ctx, enum ft_status status, struct ft_err *err)
{
	struct ft_import_job *job = ctx;

	if ((status != FT_EINVAL && status != FT_EPARSE) || job->options->strict || job->full)
		return status;
	ft__job_pass(job, FT_PASSED_BROKEN);
	if (!*job->import->broken.text)
		job->import->broken = *err;
	*err = (struct ft_err){0};
	return FT_OK;
}

enum ft_status ft__job_spare_rest(struct ft_import_job *job, enum ft_status status, struct ft_err *err)
{
	size_t length = strlen(err->text);

	if ((status != FT_EINVAL && status != FT_EPARSE && status != FT_EIO) || job->options->strict ||
	    job->import->runs == job->first_runs)
		return status;
	(void)snprintf(err->text + length, sizeof err->text - length, "; no row behind it was read");
	return ft__job_spare(job, FT_EPARSE, err) ? status : FT_OK;
}

enum ft_status ft__job_missing(const struct ft_import_job *job, const char *lacks, const char *remedy,
			       struct ft_err *err)
{
	const struct ft__record *record = &job->record;
	bool table = record->n; /* if cells are not used in a single row only */
	char names[300], at[64] = "";
	size_t length = 0;

	names[0] = '\0';
	for (size_t i = 0; i < record->n && length < sizeof names; i++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "",
					   record->field[i].name);
	for (size_t i = 0; i < record->n; i++)
		table = table && record->field[i].column;
	for (size_t i = 0; names[i]; i++) /* a message is one line */
		if ((unsigned char)names[i] < ' ')
			names[i] = ' ';
	if (record->line)
		(void)snprintf(at, sizeof at, ":%zu", record->line);
	if (table)
		(void)ft_fail(err, FT_EINVAL, "'%.120s' has no column %s; its columns are %s",
			      ft__input_name(job->input), lacks, names);
	else
		(void)ft_fail(err, FT_EINVAL, "%.120s%s: %s%sthere is no field %s; there are %s",
			      ft__input_name(job->input), at, record->place, *record->place ? ": " : "",
			      lacks, names);
	(void)ft_remedy(err, "%s", remedy);
	return FT_EINVAL;
}

/* ---- values ------------------------------------------------------------------------------------------- */

enum ft_status ft__record_sample(struct ft_import_job *job, const struct ft_resource *resource, double value,
				 enum ft_label label, const struct ft__field *field, const char *what,
				 struct ft_err *err)
{
	struct ft_run *run = &job->record.run;
	double most = job->options->memory_bytes > 0 ? job->options->memory_bytes : memory_anywhere;
	bool wall = resource == &ft_wall_s, zero = wall && value == 0 && run->outcome == FT_DONE;
	char digits[FT_NUMBER_LENGTH];
	const char *name = field ? field->name : what;
	size_t column = field ? field->column : 0;

	if (isnan(value))
		return FT_OK;
	char text[128], size[FT_UNIT_LENGTH];
	const char *wrong = NULL, *remedy = "correct its unit, as in --value wall_s=COLUMN:ns";
	if (isinf(value)) {
		wrong = "beyond the largest number there is";
	} else if (value < 0 || (zero && job->strict_zero)) {
		wrong = zero || (wall && run->outcome == FT_DONE) ? "not above zero" : "a negative value";
		remedy = "correct the value, or leave the cell empty";
	} else if (zero) {
		job->record.shorter = true;
		return FT_OK;
	} else if (resource->of == FT_CLASS_MEMORY && value > most) {
		(void)snprintf(text, sizeof text, "more memory than %s has (%s)",
			       job->options->memory_bytes > 0 ? "the machine" : "any machine that we know of",
			       ft_value_format(most, "bytes", size));
		wrong = text;
		remedy = "correct its unit; or, if it is true, state the memory of the machine: "
			 "--machine-memory SIZE";
	} else if (!strcmp(resource->unit, "s") && value > FT_TIME_MOST_S) {
		wrong = "longer than a hundred years";
	}
	if (wrong)
		return fail_record(job, column, name, field ? field->text : ft_number_format(value, digits),
				   wrong, remedy, err);
	if (field && resource->of == FT_CLASS_TIME && job->import->runs == job->first_runs) {
		/* A size that is made of the seconds that were measured: a wildcard of the column's name was meant. Looked
		 * for at the first run. */
		struct ft_import *import = job->import;

		for (size_t i = 0; i < job->n_sizes && !*import->timed; i++) {
			const struct ft__size_spec *spec = &job->size[i];
			bool same = spec->kind == FT__BY_NAME &&
				    ft__record_find(&job->record, spec->param.name) == field;

			for (size_t k = 0; k < spec->where.n; k++)
				same = same ||
				       (spec->where.part[k].column &&
					ft__record_find(&job->record, spec->where.part[k].text) == field);
			if (same)
				(void)snprintf(import->timed, sizeof import->timed, "%s", field->name);
		}
	}
	return ft_run_add(run, resource, value, label, job->format->name, NULL, err);
}

enum ft_status ft__record_time(struct ft_import_job *job, double seconds, double calls, const char *reason,
			       const char *what, struct ft_err *err)
{
	struct ft_run *run = &job->record.run;
	size_t before = run->n_samples;

	if (!reason && calls > 1)
		reason = "the mean of many iterations: single ones vary more";
	if (isnan(seconds))
		return fail_record(job, 0, what, NULL, "there is no number",
				   "let the tool write its file again", err);
	if (isnan(run->cost_s) && calls >= 1 && seconds >= 0 && isfinite(calls * seconds))
		run->cost_s = calls * seconds;
	FT_TRY(ft__record_sample(job, &ft_wall_s, seconds, reason ? FT_ESTIMATED : FT_MEASURED, NULL, what,
				 err));
	if (!reason || run->n_samples == before)
		return FT_OK;
	run->sample[before].reason = ft_strdup(reason);
	return run->sample[before].reason ? FT_OK : ft_nomem(err);
}

/* ---- rows --------------------------------------------------------------------------------------------- */

void ft__job_pass(struct ft_import_job *job, enum ft_passed why)
{
	job->import->passed[why]++;
}

/* A row of another program than the one that is looked for. */
static bool is_other(const struct ft_import_job *job)
{
	const char *name = job->record.name, *wanted = job->options->wanted;

	return wanted && name && strcmp(name, wanted) != 0;
}

/* The text of a column with one of some names that is neither a parameter nor a number, since "node" and
 * "user" may as well be counts of nodes, or seconds; NULL: there is none. */
static const char *origin_text(const struct ft__record *record, const char *const *name, size_t n)
{
	double number;

	for (size_t i = 0; i < n; i++) {
		const struct ft__field *field = ft__record_find(record, name[i]);
		size_t p = 0;

		while (p < record->n_params && strcmp(record->param[p].name, name[i]) != 0)
			p++;
		if (p == record->n_params && field && !strcmp(field->name, name[i]) &&
		    !ft__is_missing(field->text) && strncmp(field->text, "None", 4) != 0 &&
		    !ft__read_number(field->text, &number))
			return field->text;
	}
	return NULL;
}

/* The node and the user of a row. A number replaces the user's name, since stores are shared. If each node
 * is a machine of its own (--machine '{NodeList}'), nodes need no distinction. */
static enum ft_status set_origin(struct ft_import_job *job, struct ft_err *err)
{
	static const char *const nodes[] = {"NodeList", "hostname", "node", "host"}, *const users[] = {
											     "User", "user"};
	struct ft_run *run = &job->record.run;
	const char *node = ft__machine_is_node(job) ? NULL : origin_text(&job->record, nodes, 4),
		   *user = origin_text(&job->record, users, 2);
	char number[FT_HASH_LENGTH];

	if (!user)
		user = ft__record_text(&job->record, "UID");
	run->node = node ? ft_strdup(node) : NULL;
	run->user = user ? ft_strdup(ft_hash_format(ft_hash_text(user), number)) : NULL;
	return (node && !run->node) || (user && !run->user) ? ft_nomem(err) : FT_OK;
}

/* The first of some columns that has a text; NULL: none. */
static const char *first_text(const struct ft__record *record, const char *const *name)
{
	for (; *name; name++) {
		const char *text = ft__record_text(record, *name);

		if (text && !ft__is_missing(text))
			return text;
	}
	return NULL;
}

/* What a row states of its job, for who takes rows: these texts end before the run is complete. */
static enum ft_status set_job(struct ft_import_job *job, struct ft_err *err)
{
	static const char *const users[] = {"User", "user", "UID", NULL},
				 *const partitions[] = {"Partition", "partition", "queue", NULL},
				 *const ids[] = {"JobIDRaw", "JobID", NULL},
				 *const states[] = {"State", NULL},
				 *const moments[] = {"Submit", "submit", "submitted", NULL},
				 *const processors[] = {"AllocCPUS", "NCPUS", "ReqCPUS", "Cores",
							"cpus",      "cores", "threads", NULL};
	struct ft__record *record = &job->record;
	const char **const to[] = {&record->user, &record->partition, &record->id, &record->state};
	const char *const from[] = {first_text(record, users), first_text(record, partitions),
				    first_text(record, ids), first_text(record, states)};
	const char *cpus = first_text(record, processors);
	size_t at[sizeof to / sizeof *to];

	for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
		at[i] = record->texts.length;
		if (from[i])
			ft_text_add_bytes(&record->texts, from[i], strlen(from[i]) + 1);
	}
	if (record->texts.failed)
		return ft_nomem(err);
	for (size_t i = 0; i < sizeof to / sizeof *to; i++)
		*to[i] = from[i] ? record->texts.s + at[i] : NULL;
	const char *submitted = first_text(record, moments);
	record->submitted_ns = submitted ? ft__read_start(submitted, &job->clock) : 0;
	if (!cpus || !ft__read_number(cpus, &record->cpus) || !(record->cpus > 0))
		record->cpus = NAN;
	return FT_OK;
}

enum ft_status ft__record_wanted(struct ft_import_job *job, bool *wanted, struct ft_err *err)
{
	struct ft__size_spec own[FT__SIZES_MAX];
	struct ft__record *record = &job->record;
	const struct ft__size_spec *spec = job->size;
	enum ft_passed passed = FT_PASSED_N;
	size_t n = job->n_sizes;

	*wanted = false;
	job->rows++;
	if (job->options->progress && job->rows % 4096 == 0 &&
	    !job->options->progress(job->options->ctx, job->import->runs, ft__input_share(job->input)))
		return ft_fail(err, FT_EINTR, "interrupted; nothing was imported");
	if (!n) {
		spec = own;
		FT_TRY(ft__sizes_own(job, own, &n, err));
		/* A job without a size is one too; the message that it has none takes as long as the rest of the row. */
		if (job->options->row && !job->options->wanted && own->kind == FT__BY_NAME &&
		    !ft__column_find(job, own->param.name))
			n = 0;
	}
	enum ft_status status = ft__sizes_eval(job, spec, n, &record->run.size, &passed, err);
	if (status == FT_EINVAL && is_other(job)) {
		passed = FT_PASSED_OTHER;
		status = FT_OK;
	}
	if (job->options->row &&
	    (status == FT_EINVAL || passed == FT_PASSED_PATTERN || passed == FT_PASSED_FILE)) {
		n = record->run.size.n = 0; /* also a job without a size was one */
		passed = FT_PASSED_N;
		*err = (struct ft_err){0};
		status = FT_OK;
	}
	if (status || passed != FT_PASSED_N) {
		if (!status)
			ft__job_pass(job, passed);
		return status;
	}
	for (size_t i = 0; i < n; i++)
		record->param[i] = spec[i].param;
	record->n_params = n;
	status = ft__name_make(job, &record->program, err);
	if (!status && !record->program)
		passed = FT_PASSED_NAME;
	else if (!status)
		status = ft__machine_make(job, &passed, err);
	if (!status && passed == FT_PASSED_N)
		status = job->options->row ? set_job(job, err) : set_origin(job, err);
	if (!status && passed == FT_PASSED_N && !job->options->row)
		status = ft__texts_watch(job, err);
	*wanted = !status && passed == FT_PASSED_N;
	if (!status && !*wanted)
		ft__job_pass(job, passed);
	return status;
}

static bool has_value(const struct ft_run *run)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (!isnan(run->sample[i].value))
			return true;
	return false;
}

/* The cost of the run: its wall time, else the first time of it. */
static double cost_of(const struct ft_run *run)
{
	double cost = ft_run_value(run, &ft_wall_s);

	for (size_t i = 0; i < run->n_samples && isnan(cost); i++)
		if (run->sample[i].resource->of == FT_CLASS_TIME)
			cost = run->sample[i].value;
	return isnan(cost) ? 0 : cost;
}

/* The runs of a program have the same parameters: those of the row in the order of the program's. */
static enum ft_status order_params(struct ft_import_job *job, const struct ft_program *program,
				   struct ft_err *err)
{
	struct ft__record *record = &job->record;
	struct ft_size size = {.n = program->n_params};
	struct ft_param param[FT_PARAMS_MAX];
	size_t i, j = 0;

	for (i = 0; i < program->n_params; i++) {
		for (j = 0;
		     j < record->n_params && strcmp(program->param[i].name, record->param[j].name) != 0; j++)
			;
		if (j == record->n_params)
			break;
		size.value[i] = record->run.size.value[j];
		param[i] = record->param[j];
	}
	if (i < program->n_params || record->n_params != program->n_params)
		return fail_record(
			job, 0, NULL, program->name,
			"other parameters than the rows before it have, of the same program",
			"name the columns with --size n=COLUMN, or distinguish the programs with --by "
			"COLUMN",
			err);
	record->run.size = size;
	memcpy(record->param, param, program->n_params * sizeof *param);
	return FT_OK;
}

/* Where the row's run belongs. */
static enum ft_status find_part(struct ft_import_job *job, struct ft_imported **part, struct ft_err *err)
{
	struct ft__record *record = &job->record;

	FT_TRY(ft__job_part(job, record->program, record->machine, part, err));
	if ((*part)->met)
		return order_params(job, &(*part)->program, err);
	memcpy((*part)->program.param, record->param, sizeof record->param);
	(*part)->program.n_params = record->n_params;
	return FT_OK;
}

static void widen_stated(struct ft_param *param, double value)
{
	struct ft_param data = *param;

	data.least = data.most = value;
	data.of_data = true;
	ft_param_unite(&data, param);
	*param = data;
}

/* A parameter without a range takes that of its runs. */
static void widen_ranges(const struct ft__record *record, struct ft_imported *part)
{
	for (size_t i = 0; i < record->n_params; i++) {
		struct ft_param *param = &part->program.param[i];
		double value = record->run.size.value[i];

		if (record->param[i].least != 0 || record->param[i].most != 0)
			continue;
		if (param->n_list || param->factor > 0) { /* an earlier file set the spacing of values */
			widen_stated(param, value);
			continue;
		}
		param->of_data = true;
		param->least = part->met ? fmin(param->least, value) : value;
		param->most = part->met ? fmax(param->most, value) : value;
	}
}

enum ft_status ft__record_take(struct ft_import_job *job, struct ft_err *err)
{
	enum ft_status status = ft__values_take(job, err);

	return status ? status : ft__record_keep(job, err);
}

/* A job is ended some seconds after its time is up, and its recorded time is truncated. */
static const double time_is_up = 0.95;

void ft__run_judge_exit(struct ft_run *run)
{
	int code = run->outcome == FT_CRASHED  ? 128 + run->signal
		   : run->outcome == FT_FAILED ? run->exit_status
					       : 0;
	bool late = run->asked_s > 0 && ft_run_value(run, &ft_wall_s) >= time_is_up * run->asked_s;

	if (code == 128 + SIGUSR2 || (late && (code == 128 + SIGKILL || code == 128 + SIGTERM))) {
		run->outcome = FT_TIMED_OUT;
		run->exit_status = run->signal = 0;
	} else if (code == 128 + SIGKILL) {
		run->outcome = FT_OUT_OF_MEMORY;
		run->exit_status = 0;
		run->signal = SIGKILL;
	}
}

/* Impossible values: more processor time than all processors had, up to a tick of the clock; and none in a
 * minute or more, when the memory is at best that of a shell: such a run was not sampled. They are
 * unavailable in it, counted, and the first one is kept with its place. */
static enum ft_status doubt_values(struct ft_import_job *job, struct ft_err *err)
{
	static const double watched_s = 60, shell_bytes = 32 * 0x1p20, tick_s = 0.01, rounding = 1.05;
	struct ft__record *record = &job->record;
	struct ft_run *run = &record->run;
	double cpu_s = ft_run_value(run, &ft_cpu_s), wall_s = ft_run_value(run, &ft_wall_s), most_s,
	       processors;
	double elapsed_s = record->elapsed_s > 0 ? record->elapsed_s : wall_s;
	char what[160], has[FT_UNIT_LENGTH], had[FT_UNIT_LENGTH];

	if (job->measured)
		return FT_OK;
	if (isnan(cpu_s))
		cpu_s = ft_run_value(run, &ft_user_s) + ft_run_value(run, &ft_system_s);
	processors = record->processors > 0         ? record->processors
		     : job->options->processors > 0 ? job->options->processors
						    : job->import->machine.threads;
	most_s = rounding * processors * elapsed_s + tick_s;
	bool above = processors > 0 && cpu_s > most_s;
	bool unseen = (record->idle || cpu_s == 0) && wall_s >= watched_s;
	if (!above && !unseen)
		return FT_OK;
	(void)snprintf(what, sizeof what, "%s of processor time in %s on %.0f processor%s",
		       ft_value_format(unseen ? 0 : cpu_s, "s", has), ft_value_format(wall_s, "s", had),
		       processors, processors == 1 ? "" : "s");
	if (unseen)
		(void)snprintf(what, sizeof what, "no processor time in %s: the run was not observed",
			       ft_value_format(wall_s, "s", had));
	for (size_t i = 0; i < run->n_samples; i++) {
		struct ft_sample *sample = &run->sample[i];
		bool memory =
			sample->resource == &ft_peak_rss_bytes || sample->resource == &ft_peak_tree_bytes;
		struct ft_err why = {0};

		if (isnan(sample->value) ||
		    (memory ? !unseen || sample->value >= shell_bytes
			    : sample->resource != &ft_cpu_s && sample->resource != &ft_user_s &&
				      sample->resource != &ft_system_s))
			continue;
		(void)fail_record(job, 0, sample->resource->name, NULL, what,
				  "correct the value, or leave the cell empty", &why);
		if (job->options->strict) {
			*err = why;
			return why.status;
		}
		if (!job->import->doubtful++)
			(void)snprintf(job->import->doubted, sizeof job->import->doubted, "%.255s", why.text);
		ft_free(sample->reason);
		sample->reason = ft_strdup(what);
		sample->value = NAN;
		sample->label = FT_UNAVAILABLE;
		if (!sample->reason)
			return ft_nomem(err);
	}
	return FT_OK;
}

enum ft_status ft__record_keep(struct ft_import_job *job, struct ft_err *err)
{
	struct ft_run *run = &job->record.run;
	struct ft_import *import = job->import;
	struct ft_imported *part;

	if (job->record.shorter && isnan(ft_run_value(run, &ft_wall_s))) {
		ft__job_pass(job, FT_PASSED_SHORT);
		return FT_OK;
	}
	FT_TRY(doubt_values(job, err));
	if (run->outcome == FT_DONE && !has_value(run))
		return fail_record(
			job, 0, NULL, NULL, "a run that ended well, and no value of any resource",
			"give it one, or state how it ended; --value RESOURCE=COLUMN names a column", err);
	if (isnan(run->cost_s))
		run->cost_s = cost_of(run);
	if (job->options->row) {
		const struct ft__record *record = &job->record;
		const struct ft_import_row row = {.program = record->program,
						  .run = run,
						  .param = record->param,
						  .user = record->user,
						  .partition = record->partition,
						  .id = record->id,
						  .state = record->state,
						  .cpus = record->cpus,
						  .submitted_ns = record->submitted_ns};

		import->runs++;
		return job->options->row(job->options->row_ctx, &row, err);
	}
	const bool taken = job->options->portion && !job->whole;
	if (!taken && import->held == FT_IMPORT_RUNS_MAX) {
		job->full = true;
		(void)ft_fail(err, FT_EINVAL, "'%.120s': more than %d runs at once",
			      ft__input_name(job->input), FT_IMPORT_RUNS_MAX);
		return ft_remedy(err, "take a part of them, as in n=64:3000, or split the file");
	}
	enum ft_status status = find_part(job, &part, err);
	if (!status) {
		widen_ranges(&job->record, part);
		part->met++;
		status = ft_runs_take(&part->runs, run, err);
	}
	import->runs += !status;
	import->held += !status;
	if (!status && taken && import->held >= job->options->portion) {
		status = job->options->take(job->options->ctx, import, err);
		import->held = 0;
	}
	return status;
}
