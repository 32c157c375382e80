/* SPDX-License-Identifier: GPL-3.0-or-later */
/* template.c - texts made of the columns of a row: "reads/{path:/map\/(.+).tsv/}.fq". */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

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

enum ft_status ft__template_column(struct ft__template *template, const char *text, size_t length,
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
		status = ft__template_column(template, open + 1, (size_t)(close - open) - 1, option, word,
					     err);
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
