/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.c - where the sizes of runs stand: in a column, within a text, in the length of a file. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char how[] = "write --size n=COLUMN, --size 'n=COLUMN:/fft_([0-9]+)/' or --size n=file:COLUMN";

void ft__sizes_clear(struct ft_import_job *job)
{
	for (size_t i = 0; i < job->n_sizes; i++)
		ft__template_clear(&job->size[i].where);
	job->n_sizes = 0;
}

/* Whether braces stand in it before a pattern does. */
static bool has_braces(const char *where)
{
	const char *open = strchr(where, '{'), *pattern = strstr(where, ":/");

	return open && (!pattern || open < pattern || where == open);
}

/* "n=COLUMN", "n=COLUMN:/RE/", "n={COLUMN:/RE/}", "n=file:TEMPLATE" */
static enum ft_status parse_spec(struct ft__size_spec *spec, const char *word, struct ft_err *err)
{
	const char *equals = strchr(word, '='), *where;
	char name[FT_PARAM_LENGTH];

	if (!equals || equals == word || !equals[1] || (size_t)(equals - word) >= sizeof name) {
		(void)ft_fail(err, FT_EPARSE, "--size %.200s: it is not PARAMETER=WHERE", word);
		(void)ft_remedy(err, "%s", how);
		return FT_EPARSE;
	}
	(void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
	FT_TRY(ft_param_parse(name, &spec->param, err));
	where = equals + 1;
	spec->kind = FT__BY_TEXT;
	if (!strncmp(where, "file:", 5) && where[5]) {
		spec->kind = FT__BY_FILE;
		where += 5;
	}
	if (has_braces(where))
		return ft__template_parse(&spec->where, where, "--size", word, err);
	return ft__template_column(&spec->where, where, strlen(where), "--size", word, err);
}

/* The spec of a parameter, a new one when there is none yet. */
static struct ft__size_spec *spec_of(struct ft_import_job *job, const char *name)
{
	for (size_t i = 0; i < job->n_sizes; i++)
		if (!strcmp(job->size[i].param.name, name))
			return &job->size[i];
	if (job->n_sizes == FT__SIZES_MAX)
		return NULL;
	job->size[job->n_sizes] = (struct ft__size_spec){.kind = FT__BY_NAME};
	return &job->size[job->n_sizes++];
}

static enum ft_status fail_place(const char *word, const struct ft__size_spec *spec, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "--size %.200s: %s", word,
		      spec ? "this parameter has a column already" : "too many parameters");
	return ft_remedy(err, "name each parameter once, and %d at most", FT__SIZES_MAX);
}

enum ft_status ft__sizes_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;

	for (size_t i = 0; i < options->n_params; i++) {
		struct ft__size_spec *spec = spec_of(job, options->param[i].name);

		if (!spec) {
			(void)ft_fail(err, FT_EINVAL, "more than %d parameters", FT__SIZES_MAX);
			return ft_remedy(err, "leave out those that do not matter");
		}
		spec->param = options->param[i];
	}
	for (size_t i = 0; i < options->n_sizes; i++) {
		struct ft__size_spec parsed = {0}, *spec;
		enum ft_status status = parse_spec(&parsed, options->size[i], err);

		spec = status ? NULL : spec_of(job, parsed.param.name);
		if (!spec || spec->kind != FT__BY_NAME) {
			if (!status)
				status = fail_place(options->size[i], spec, err);
			ft__template_clear(&parsed.where);
			return status;
		}
		if (*spec->param.name) /* its range was given */
			parsed.param = spec->param;
		*spec = parsed;
	}
	return FT_OK;
}

/* A field as a parameter: its name must be one that expressions and tables can have. */
static enum ft_status own_param(const struct ft_import_job *job, const struct ft__field *field,
				struct ft__size_spec *spec, size_t n, struct ft_err *err)
{
	spec[n] = (struct ft__size_spec){.kind = FT__BY_NAME};
	if (strchr(field->name, '=') || ft_param_parse(field->name, &spec[n].param, NULL))
		return ft__record_fail_named(job, "a parameter", field->name,
					     "no name of a parameter of ours",
					     "give it another, as in --size n=COLUMN", err);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(spec[i].param.name, spec[n].param.name))
			return ft__record_fail_named(job, "a parameter", field->name, "named twice",
						     "name the columns, as in --size n=COLUMN", err);
	return FT_OK;
}

enum ft_status ft__sizes_own(const struct ft_import_job *job, struct ft__size_spec *spec, size_t *n,
			     struct ft_err *err)
{
	const struct ft__record *record = &job->record;
	enum ft_status status = FT_OK;

	*n = 0;
	for (size_t i = 0; i < record->n && !status; i++) {
		if (!record->field[i].param)
			continue;
		if (*n == FT__SIZES_MAX)
			return ft__record_fail_named(job, "parameters", NULL, "too many of them",
						     "name the columns, as in --size n=COLUMN", err);
		status = own_param(job, &record->field[i], spec, *n, err);
		++*n;
	}
	if (!status && !*n)
		spec[(*n)++] =
			(struct ft__size_spec){.kind = FT__BY_NAME, .param = {.name = "n", .stride = 1}};
	return status;
}

/* ---- of a row ----------------------------------------------------------------------------------------- */

static bool is_open(const struct ft_param *param)
{
	return param->least == 0 && param->most == 0;
}

static enum ft_status fail_no_column(const struct ft_import_job *job, const struct ft__size_spec *spec,
				     struct ft_err *err)
{
	char lacks[FT_PARAM_LENGTH + 64];

	if (!job->n_sizes) /* nobody asked for it */
		return ft__job_missing(
			job, job->record.n && job->record.field[0].column ? "'n'" : "'n' for its size",
			"name the column of the size: --size n=COLUMN, --size "
			"'n=COLUMN:/fft_([0-9]+)/' or --size n=file:COLUMN",
			err);
	(void)snprintf(lacks, sizeof lacks, "for parameter '%s'", spec->param.name);
	return ft__job_missing(job, lacks,
			       "name a parameter like its column, name its column with --size, or "
			       "give it a fixed "
			       "value, as in m=100",
			       err);
}

/* A number as people write it ("64k", "10MB", "1,000,000"); Nextflow's MB are 2^20 bytes: "2 MB" of rchar. */
static bool number_of(const struct ft_import_job *job, const char *text, double *value)
{
	return ft__read_number(text, value) ||
	       (job->format == &ft__nextflow_format && strpbrk(text, "Bb") &&
		ft__read_nextflow_bytes(text, value)) ||
	       ft__number_read(text, job->commas, value);
}

static enum ft_status fail_number(const struct ft_import_job *job, const struct ft__field *field,
				  struct ft_err *err)
{
	return ft__record_fail(
		job, field, "the size is not a number",
		"write digits, as in 3000, 2.5, 1e-6 or 64k, or take them out of a text: --size "
		"'n=COLUMN:/fft_([0-9]+)/'",
		err);
}

/* What a template is made of, for complaints: its only column, else the text that it makes. */
static enum ft_status fail_text(const struct ft_import_job *job, const struct ft__size_spec *spec,
				const char *text, struct ft_err *err)
{
	const struct ft__template_part *only = spec->where.n == 1 ? spec->where.part : NULL;
	const struct ft__field *field = only ? ft__column_find(job, only->text) : NULL;
	static const char remedy[] = "put the digits of the size, and nothing else, in parentheses";

	if (!field)
		return ft__record_fail_named(job, spec->param.name, text, "the size is not a number", remedy,
					     err);
	if (!only->compiled)
		return fail_number(job, field, err);
	return ft__record_fail(job, field, "what the group of the pattern matches is no number", remedy, err);
}

static enum ft_status by_text(const struct ft_import_job *job, const struct ft__size_spec *spec,
			      double *value, enum ft_passed *passed, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	char *text;

	FT_TRY(ft__template_fill(job, &spec->where, &text, err));
	if (!text)
		*passed = FT_PASSED_PATTERN;
	else if (!number_of(job, text, value))
		status = fail_text(job, spec, text, err);
	ft_free(text);
	return status;
}

/* A relative path starts where the user says that the files are. */
static char *path_below(const char *directory, const char *path)
{
	struct ft_text text = {0};

	if (directory && *path != '/')
		ft_text_add(&text, "%s/", directory);
	ft_text_add(&text, "%s", path);
	return ft_text_take(&text);
}

/* The first one is told, in one line. */
static void tell_missing(struct ft_import *import, const char *path, const char *why)
{
	if (*import->missing)
		return;
	(void)snprintf(import->missing, sizeof import->missing, "%.200s: %s", path, why);
	for (char *at = import->missing; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
}

static enum ft_status by_file(const struct ft_import_job *job, const struct ft__size_spec *spec,
			      double *value, enum ft_passed *passed, struct ft_err *err)
{
	char *text;
	enum ft_status status = ft__template_fill(job, &spec->where, &text, err);
	struct stat st;
	const char *why = NULL;

	if (status)
		return status;
	if (!text) {
		*passed = FT_PASSED_PATTERN;
		return FT_OK;
	}
	char *path = path_below(job->options->directory, text);
	ft_free(text);
	if (!path)
		return ft_nomem(err);
	if (stat(path, &st))
		why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		why = "Not a plain file";
	if (why) {
		*passed = FT_PASSED_FILE;
		tell_missing(job->import, path, why);
	}
	*value = why ? 0 : (double)st.st_size;
	ft_free(path);
	return FT_OK;
}

static enum ft_status by_name(const struct ft_import_job *job, const struct ft__size_spec *spec,
			      double *value, struct ft_err *err)
{
	const struct ft__field *field = ft__column_find(job, spec->param.name);

	if (!field && spec->param.least == spec->param.most && !is_open(&spec->param)) {
		*value = spec->param.least;
		return FT_OK;
	}
	if (!field)
		return fail_no_column(job, spec, err);
	return number_of(job, field->text, value) ? FT_OK : fail_number(job, field, err);
}

static enum ft_status eval_size(const struct ft_import_job *job, const struct ft__size_spec *spec,
				double *value, enum ft_passed *passed, struct ft_err *err)
{
	switch (spec->kind) {
	case FT__BY_FILE:
		return by_file(job, spec, value, passed, err);
	case FT__BY_TEXT:
		return by_text(job, spec, value, passed, err);
	case FT__BY_NAME:
	default:
		return by_name(job, spec, value, err);
	}
}

enum ft_status ft__sizes_eval(struct ft_import_job *job, const struct ft__size_spec *spec, size_t n,
			      struct ft_size *size, enum ft_passed *passed, struct ft_err *err)
{
	size->n = n;
	*passed = FT_PASSED_N;
	for (size_t i = 0; i < n && *passed == FT_PASSED_N; i++) {
		const struct ft_param *param = &spec[i].param;

		FT_TRY(eval_size(job, &spec[i], &size->value[i], passed, err));
		if (*passed == FT_PASSED_N && !ft_param_covers(param, size->value[i]))
			*passed = FT_PASSED_RANGE;
	}
	return FT_OK;
}
