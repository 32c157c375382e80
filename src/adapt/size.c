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
	size_t i;

	for (i = 0; i < job->n_sizes; i++) {
		if (job->size[i].compiled)
			regfree(&job->size[i].regex);
		ft_free(job->size[i].column);
	}
	job->n_sizes = 0;
}

/* \d is no POSIX: it becomes [0-9], or 0-9 within brackets. The other classes are glibc's own. */
static char *posix_of(const char *pattern, size_t length)
{
	struct ft_text text = {0};
	bool brackets = false;
	size_t i;

	for (i = 0; i < length; i++) {
		if (pattern[i] == '\\' && i + 1 < length) {
			if (pattern[i + 1] == 'd')
				ft_text_add(&text, "%s", brackets ? "0-9" : "[0-9]");
			else
				ft_text_add_bytes(&text, pattern + i, 2);
			i++;
			continue;
		}
		brackets = brackets ? pattern[i] != ']' : pattern[i] == '[';
		ft_text_add_bytes(&text, pattern + i, 1);
	}
	return ft_text_take(&text);
}

static enum ft_status parse_pattern(struct ft__size_spec *spec, const char *word, const char *pattern,
				    struct ft_err *err)
{
	char *posix = posix_of(pattern, strlen(pattern) - 1), why[128];
	int number;

	if (!posix)
		return ft_nomem(err);
	number = regcomp(&spec->regex, posix, REG_EXTENDED);
	ft_free(posix);
	if (number) {
		(void)regerror(number, &spec->regex, why, sizeof why);
		(void)ft_fail(err, FT_EPARSE, "--size %.200s: the pattern cannot be read: %s", word, why);
		(void)ft_remedy(err, "write a POSIX extended regular expression between slashes, as in "
				     "/fft_([0-9]+)/");
		return FT_EPARSE;
	}
	spec->compiled = true;
	if (spec->regex.re_nsub == 1)
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "--size %.200s: the pattern has %zu groups, not one", word,
		      spec->regex.re_nsub);
	(void)ft_remedy(err, "put the digits of the size, and nothing else, in parentheses, as in "
			     "/fft_([0-9]+)/");
	return FT_EPARSE;
}

/* "n=COLUMN", "n=COLUMN:/RE/", "n=file:TEMPLATE" */
static enum ft_status parse_spec(struct ft__size_spec *spec, const char *word, struct ft_err *err)
{
	const char *equals = strchr(word, '='), *column, *slash;
	char name[FT_PARAM_LENGTH];
	enum ft_status status;

	if (!equals || equals == word || !equals[1] || (size_t)(equals - word) >= sizeof name) {
		(void)ft_fail(err, FT_EPARSE, "--size %.200s: no parameter and where it stands", word);
		(void)ft_remedy(err, "%s", how);
		return FT_EPARSE;
	}
	(void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
	status = ft_param_parse(name, &spec->param, err);
	if (status)
		return status;
	column = equals + 1;
	slash = strstr(column, ":/");
	spec->kind = FT__BY_COLUMN;
	if (!strncmp(column, "file:", 5) && column[5]) {
		spec->kind = FT__BY_FILE;
		spec->column = ft_strdup(column + 5);
	} else if (slash && slash > column && slash[2] && word[strlen(word) - 1] == '/') {
		spec->kind = FT__BY_PATTERN;
		spec->column = ft_strndup(column, (size_t)(slash - column));
		if (spec->column)
			return parse_pattern(spec, word, slash + 2, err);
	} else {
		spec->column = ft_strdup(column);
	}
	return spec->column ? FT_OK : ft_nomem(err);
}

/* The spec of a parameter, a new one when there is none yet. */
static struct ft__size_spec *spec_of(struct ft_import_job *job, const char *name)
{
	size_t i;

	for (i = 0; i < job->n_sizes; i++)
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
		      spec ? "the parameter has a place already" : "too many parameters");
	return ft_remedy(err, "name each parameter once, and %d at most", FT__SIZES_MAX);
}

enum ft_status ft__sizes_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	size_t i;

	for (i = 0; i < options->n_params; i++) {
		struct ft__size_spec *spec = spec_of(job, options->param[i].name);

		if (!spec) {
			(void)ft_fail(err, FT_EINVAL, "more than %d parameters", FT__SIZES_MAX);
			return ft_remedy(err, "leave out those that do not matter");
		}
		spec->param = options->param[i];
	}
	for (i = 0; i < options->n_sizes; i++) {
		struct ft__size_spec parsed = {0}, *spec;
		enum ft_status status = parse_spec(&parsed, options->size[i], err);

		spec = status ? NULL : spec_of(job, parsed.param.name);
		if (!spec || spec->kind != FT__BY_NAME) {
			if (!status)
				status = fail_place(options->size[i], spec, err);
			if (parsed.compiled)
				regfree(&parsed.regex);
			ft_free(parsed.column);
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
	size_t i;

	spec[n] = (struct ft__size_spec){.kind = FT__BY_NAME};
	if (strchr(field->name, '=') || ft_param_parse(field->name, &spec[n].param, NULL))
		return ft__record_fail_named(job, "a parameter", field->name,
					     "no name of a parameter of ours",
					     "give it another, as in --size n=COLUMN", err);
	for (i = 0; i < n; i++)
		if (!strcmp(spec[i].param.name, spec[n].param.name))
			return ft__record_fail_named(job, "a parameter", field->name, "named twice",
						     "say which are meant, as in --size n=COLUMN", err);
	return FT_OK;
}

enum ft_status ft__sizes_own(const struct ft_import_job *job, struct ft__size_spec *spec, size_t *n,
			     struct ft_err *err)
{
	const struct ft__record *record = &job->record;
	enum ft_status status = FT_OK;
	size_t i;

	*n = 0;
	for (i = 0; i < record->n && !status; i++) {
		if (!record->field[i].param)
			continue;
		if (*n == FT__SIZES_MAX)
			return ft__record_fail_named(job, "parameters", NULL, "too many of them",
						     "say which are meant, as in --size n=COLUMN", err);
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

	if (spec->kind != FT__BY_NAME) {
		(void)snprintf(lacks, sizeof lacks, "'%.64s'", spec->column);
		return ft__job_missing(job, lacks, how, err);
	}
	if (!job->n_sizes) /* nobody asked for it */
		return ft__job_missing(job, "'n'",
				       "say where the size stands: --size n=COLUMN, --size "
				       "'n=COLUMN:/fft_([0-9]+)/' or --size n=file:COLUMN",
				       err);
	(void)snprintf(lacks, sizeof lacks, "for parameter '%s'", spec->param.name);
	return ft__job_missing(job, lacks,
			       "name a parameter as its column is named, say where it stands with --size, or "
			       "give it a fixed "
			       "value, as in m=100",
			       err);
}

/* A number, also with a suffix ("64k"). */
static bool number_of(const char *text, double *value)
{
	return ft__read_number(text, value) || ft_number_parse(text, value, NULL) == FT_OK;
}

static enum ft_status by_pattern(const struct ft_import_job *job, const struct ft__size_spec *spec,
				 const struct ft__field *field, double *value, enum ft_passed *passed,
				 struct ft_err *err)
{
	regmatch_t match[2];
	char digits[64];
	size_t length;

	if (regexec(&spec->regex, field->text, 2, match, 0) || match[1].rm_so < 0) {
		*passed = FT_PASSED_PATTERN;
		return FT_OK;
	}
	length = (size_t)(match[1].rm_eo - match[1].rm_so);
	(void)snprintf(digits, sizeof digits, "%.*s", (int)length, field->text + match[1].rm_so);
	if (length < sizeof digits && number_of(digits, value))
		return FT_OK;
	return ft__record_fail(job, field, "what the group of the pattern matches is no number",
			       "put the digits of the size, and nothing else, in parentheses", err);
}

static enum ft_status by_file(const struct ft_import_job *job, const struct ft__size_spec *spec,
			      double *value, struct ft_err *err)
{
	const struct ft__field *field = ft__record_find(&job->record, spec->column);
	struct stat st;
	const char *why = NULL;
	char *path = NULL, what[96];
	enum ft_status status = FT_OK;

	if (field || !strchr(spec->column, '{')) {
		if (!field)
			return fail_no_column(job, spec, err);
		path = ft_strdup(field->text);
		if (!path)
			return ft_nomem(err);
	} else {
		status = ft__template_fill(job, spec->column, &path, err);
	}
	if (status)
		return status;
	if (stat(path, &st))
		why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		why = "Not a plain file";
	if (why) {
		(void)snprintf(what, sizeof what, "the input file has no length: %.60s", why);
		status = ft__record_fail_named(
			job, spec->param.name, path, what,
			"import where the input files are, or take the size from a column", err);
	}
	*value = why ? 0 : (double)st.st_size;
	ft_free(path);
	return status;
}

static enum ft_status eval(const struct ft_import_job *job, const struct ft__size_spec *spec, double *value,
			   enum ft_passed *passed, struct ft_err *err)
{
	const char *name = spec->kind == FT__BY_NAME ? spec->param.name : spec->column;
	struct ft__field path = {.name = "path", .text = ft__input_name(job->input)};
	const struct ft__field *field;

	if (spec->kind == FT__BY_FILE)
		return by_file(job, spec, value, err);
	field = ft__record_find(&job->record, name);
	if (!field && !strcmp(name, "path"))
		field = &path;
	if (!field && spec->kind == FT__BY_NAME && spec->param.least == spec->param.most &&
	    !is_open(&spec->param)) {
		*value = spec->param.least;
		return FT_OK;
	}
	if (!field)
		return fail_no_column(job, spec, err);
	if (spec->kind == FT__BY_PATTERN)
		return by_pattern(job, spec, field, value, passed, err);
	if (number_of(field->text, value))
		return FT_OK;
	return ft__record_fail(job, field, "the size is not a number",
			       "write digits, as in 3000, 2.5 or 1e-6, or take them out of a text: --size "
			       "'n=COLUMN:/fft_([0-9]+)/'",
			       err);
}

enum ft_status ft__sizes_eval(struct ft_import_job *job, const struct ft__size_spec *spec, size_t n,
			      struct ft_size *size, enum ft_passed *passed, struct ft_err *err)
{
	size_t i;

	size->n = n;
	*passed = FT_PASSED_N;
	for (i = 0; i < n && *passed == FT_PASSED_N; i++) {
		const struct ft_param *param = &spec[i].param;
		enum ft_status status = eval(job, &spec[i], &size->value[i], passed, err);

		if (status)
			return status;
		if (*passed == FT_PASSED_N && !ft_param_covers(param, size->value[i]))
			*passed = FT_PASSED_RANGE;
	}
	return FT_OK;
}
