/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.c - where the sizes of runs stand: in a column, within a text, in the length of a file. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Texts made of the columns of a row: "reads/{path:/map\/(.+).tsv/}.fq".
 */

/* What a pattern may be so that no row takes for ever: regcomp writes counts out, {9}{9}{9} many times over,
 * and a search that fails goes through all of that from each byte of the text on. At these bounds the worst
 * pattern found, ([ab]*a[ab]{200}x), took 4 s a row; with 600 characters and 4000 bytes it was 8 minutes. */
enum { PATTERN_MOST = 256, WRITTEN_OUT_MOST = 256, DEPTH_MOST = 32, TEXT_MOST = 512 };

static const char pattern_help[] = "write a POSIX extended regular expression between slashes, as in "
				   "/fft_([0-9]+)/: what its first group matches is taken";

void ft__template_clear(struct ft__template *template)
{
	for (size_t i = 0; i < template->n; i++) {
		ft_free(template->part[i].text);
		if (template->part[i].compiled)
			regfree(&template->part[i].regex);
	}
	ft_free(template->part);
	*template = (struct ft__template){0};
}

/* ---- patterns ----------------------------------------------------------------------------------------- */

/* \d is no POSIX: it becomes [0-9], or 0-9 within brackets. The other classes are glibc's own. */
static char *posix_of(const char *pattern, size_t length)
{
	struct ft_text text = {0};
	bool brackets = false;

	ft_text_add(&text, "%s", "");
	for (size_t i = 0; i < length; i++) {
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

/* The largest number of "{2,16}". */
static double most_times(const char *braces)
{
	double most = 1;

	for (braces++; isdigit((unsigned char)*braces) || *braces == ','; braces++) {
		char *end;

		if (*braces == ',')
			continue;
		most = fmax(most, (double)strtoul(braces, &end, 10));
		braces = end - 1;
	}
	return most;
}

/* The last character of "[^])x[:alpha:]]", within which no parenthesis or brace counts. */
static const char *bracket_end(const char *p)
{
	p += 1 + (p[1] == '^');
	p += *p == ']';
	for (; *p && *p != ']'; p++)
		if (*p == '[' && p[1] && strchr(":.=", p[1])) {
			const char ends[] = {p[1], ']', '\0'}, *end = strstr(p + 2, ends);

			p = end ? end + 1 : p;
		}
	return p - !*p;
}

/* How many characters a pattern has once its counts are written out; infinite: too deep. */
static double written_out(const char *p)
{
	double whole[DEPTH_MOST] = {0}, last[DEPTH_MOST] = {0};
	size_t depth = 0;

	for (; *p; p++) {
		double atom = 1;

		if (*p == '(') {
			if (++depth == DEPTH_MOST)
				return INFINITY;
			whole[depth] = last[depth] = 0;
			continue;
		}
		if (*p == '{' && (isdigit((unsigned char)p[1]) || p[1] == ',')) {
			double times = most_times(p);

			whole[depth] += (times - 1) * last[depth];
			last[depth] *= times;
			p += strspn(p, "{0123456789,");
			p -= *p != '}';
			continue;
		}
		if (*p == ')' && depth)
			atom += whole[depth--];
		p = *p == '[' ? bracket_end(p) : p + (*p == '\\' && p[1]);
		whole[depth] += atom;
		last[depth] = atom;
	}
	while (depth--)
		whole[depth] += whole[depth + 1];
	return whole[0];
}

/* What of an earlier group is matched again is looked for without any bound on time. */
static bool refers_back(const char *p)
{
	for (; *p; p++)
		if (*p == '\\' && p[1]) {
			p++;
			if (*p >= '1' && *p <= '9')
				return true;
		}
	return false;
}

/* What is wrong with a pattern as it stands; NULL: nothing. */
static const char *wrong_with(const char *pattern)
{
	if (strlen(pattern) > PATTERN_MOST)
		return "is longer than 256 characters";
	if (refers_back(pattern))
		return "refers back to a group, which takes too long";
	return written_out(pattern) > WRITTEN_OUT_MOST ? "has too large counts, or groups in groups" : NULL;
}

static enum ft_status compile_pattern(struct ft__template_part *part, const char *pattern, size_t length,
				      const char *option, const char *word, struct ft_err *err)
{
	char *posix = posix_of(pattern, length), why[128];
	const char *wrong = posix ? wrong_with(posix) : NULL;

	if (!posix)
		return ft_nomem(err);
	int number = wrong ? 0 : regcomp(&part->regex, posix, REG_EXTENDED);
	ft_free(posix);
	part->compiled = !wrong && !number;
	if (part->compiled && part->regex.re_nsub)
		return FT_OK;
	if (number)
		(void)regerror(number, &part->regex, why, sizeof why);
	(void)ft_fail(err, FT_EPARSE, "%s %.200s: the pattern %s%s", option, word,
		      number  ? "cannot be read: "
		      : wrong ? wrong
			      : "has no group",
		      number ? why : "");
	(void)ft_remedy(err, "%s", pattern_help);
	return FT_EPARSE;
}

/* ---- parsing ------------------------------------------------------------------------------------------ */

static enum ft_status add_part(struct ft__template *template, bool column, const char *text, size_t length,
			       struct ft_err *err)
{
	if (!column && !length)
		return FT_OK;
	struct ft__template_part *grown =
		ft_grow(template->part, template->n, &template->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	template->part = grown;
	grown[template->n] = (struct ft__template_part){.column = column, .text = ft_strndup(text, length)};
	return grown[template->n++].text ? FT_OK : ft_nomem(err);
}

static enum ft_status template_column(struct ft__template *template, const char *text, size_t length,
				      const char *option, const char *word, struct ft_err *err)
{
	const char *colon = length ? text : NULL;
	size_t name = length;

	while (colon && (colon = memchr(colon, ':', length - (size_t)(colon - text))) && colon[1] != '/')
		colon++;
	if (colon && colon > text && text[length - 1] == '/' && text + length > colon + 3)
		name = (size_t)(colon - text);
	enum ft_status status = add_part(template, true, text, name, err);
	if (status || name == length)
		return status;
	size_t pattern = name + 2; /* behind ":/", up to the last '/' */
	return compile_pattern(&template->part[template->n - 1], text + pattern, length - 1 - pattern, option,
			       word, err);
}

/* Where the braces at a place end: a pattern may have some of its own; NULL: there is no end. */
static const char *close_of(const char *open)
{
	const char *close = strchr(open, '}'), *colon = strstr(open, ":/");
	const char *end = colon && (!close || colon < close) ? strstr(colon + 2, "/}") : NULL;

	return end ? end + 1 : close;
}

enum ft_status ft__template_parse(struct ft__template *template, const char *text, const char *option,
				  const char *word, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*template = (struct ft__template){0};
	while (*text && !status) {
		const char *open = strchr(text, '{'), *close = open ? close_of(open) : NULL;
		size_t length = close ? (size_t)(open - text) : strlen(text);

		status = add_part(template, false, text, length, err);
		text += length;
		if (!close || status)
			continue;
		status = template_column(template, open + 1, (size_t)(close - open) - 1, option, word, err);
		text = close + 1;
	}
	if (status)
		ft__template_clear(template);
	return status;
}

/* ---- of a row ----------------------------------------------------------------------------------------- */

bool ft__template_match(const struct ft__template_part *part, const char *text, size_t *from, size_t *to)
{
	regmatch_t match[2];

	*from = 0;
	*to = strlen(text);
	if (!part->compiled)
		return true;
	if (*to > TEXT_MOST || regexec(&part->regex, text, 2, match, 0) || match[1].rm_so < 0)
		return false;
	*from = (size_t)match[1].rm_so;
	*to = (size_t)match[1].rm_eo;
	return true;
}

static enum ft_status add_column(const struct ft_import_job *job, const struct ft__template_part *part,
				 struct ft_text *text, bool *matches, struct ft_err *err)
{
	const struct ft__field *field = ft__column_find(job, part->text);
	size_t from, to;
	char lacks[80];

	if (!field) {
		(void)snprintf(lacks, sizeof lacks, "'%.64s'", part->text);
		return ft__job_missing(job, lacks, "name one of them", err);
	}
	*matches = ft__template_match(part, field->text, &from, &to);
	if (*matches)
		ft_text_add_bytes(text, field->text + from, to - from);
	return FT_OK;
}

enum ft_status ft__template_fill(const struct ft_import_job *job, const struct ft__template *template,
				 char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = FT_OK;
	bool matches = true;

	*out = NULL;
	ft_text_add(&text, "%s", "");
	for (size_t i = 0; i < template->n && !status && matches; i++) {
		const struct ft__template_part *part = &template->part[i];

		if (part->column)
			status = add_column(job, part, &text, &matches, err);
		else
			ft_text_add_bytes(&text, part->text, strlen(part->text));
	}
	if (!status && text.failed)
		status = ft_nomem(err);
	if (!status && matches)
		*out = ft_text_take(&text);
	ft_text_clear(&text);
	return status;
}

/*
 * Where the sizes of runs stand: in a column, within a text, in the length of a file.
 */

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

/* By enum ft__amount. */
static const char *const amounts[] = {"file:", "unpacked:", "files:", "lines:", "records:"};

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
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
		size_t length = strlen(amounts[i]);

		if (strncmp(where, amounts[i], length) != 0 || !where[length])
			continue;
		spec->kind = FT__BY_FILE;
		spec->amount = (enum ft__amount)i;
		where += length;
		break;
	}
	if (has_braces(where))
		return ft__template_parse(&spec->where, where, "--size", word, err);
	return template_column(&spec->where, where, strlen(where), "--size", word, err);
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
		if (spec->kind == FT__BY_FILE && job->counts < 0)
			job->counts = ft__counts_open(options->counts);
	}
	return FT_OK;
}

bool ft__sizes_use(const struct ft_import_job *job, const char *column)
{
	for (size_t i = 0; i < job->n_sizes; i++) {
		const struct ft__size_spec *spec = &job->size[i];

		if (spec->kind == FT__BY_NAME && !strcmp(spec->param.name, column))
			return true;
		for (size_t k = 0; k < spec->where.n; k++)
			if (spec->where.part[k].column && !strcmp(spec->where.part[k].text, column))
				return true;
	}
	return false;
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

/* A number as people write it ("64k", "10MB", "1,000,000"); Nextflow's MB are 2^20 bytes: "2 MB" of rchar. */
bool ft__size_read(const struct ft_import_job *job, const char *text, double *value)
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
	else if (!ft__size_read(job, text, value))
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

/* The first one is reported, in one line. */
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

	FT_TRY(ft__template_fill(job, &spec->where, &text, err));
	if (!text) {
		*passed = FT_PASSED_PATTERN;
		return FT_OK;
	}
	char *path = path_below(job->options->directory, text);
	ft_free(text);
	if (!path)
		return ft_nomem(err);
	const char *why = ft__amount_of(path, spec->amount, job->counts, value);
	if (why) {
		*passed = FT_PASSED_FILE;
		tell_missing(job->import, path, why);
	}
	*value = why ? 0 : *value;
	ft_free(path);
	return FT_OK;
}

static enum ft_status by_name(const struct ft_import_job *job, const struct ft__size_spec *spec,
			      double *value, struct ft_err *err)
{
	const struct ft__field *field = ft__column_find(job, spec->param.name);

	if (!field && spec->param.least == spec->param.most &&
	    !(spec->param.least == 0 && spec->param.most == 0)) {
		*value = spec->param.least;
		return FT_OK;
	}
	if (!field) {
		char lacks[FT_PARAM_LENGTH + 64];

		if (!job->n_sizes) /* not requested */
			return ft__job_missing(
				job,
				job->record.n && job->record.field[0].column ? "'n'" : "'n' for its size",
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
	return ft__size_read(job, field->text, value) ? FT_OK : fail_number(job, field, err);
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
