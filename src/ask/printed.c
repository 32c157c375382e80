/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printed.c - how far a program is: read from what it prints, or from the log of another run. */
#include "base/alloc.h"
#include "foretime/csv.h"
#include "foretime/outlook.h"
#include "foretime/units.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 4096 };

struct ft_printed {
	double lines; /* expected on standard output; 0: by the pattern */
	regex_t pattern;
	char line[2][LINE]; /* the beginning of those that have not ended yet */
	size_t length[2];
	double done, total; /* total 0: not said yet */
};

static enum ft_status read_lines(struct ft_printed *p, const char *number, struct ft_err *err)
{
	enum ft_status status = ft_number_parse(number, &p->lines, err);

	if (!status && !(p->lines >= 1))
		status = ft_fail(err, FT_EINVAL, "lines=%s: a run of no lines", number);
	p->total = p->lines;
	return status;
}

static enum ft_status read_pattern(struct ft_printed *p, const char *text, struct ft_err *err)
{
	int failed = regcomp(&p->pattern, text, REG_EXTENDED);
	char why[256];

	if (!failed)
		return FT_OK;
	(void)regerror(failed, &p->pattern, why, sizeof why);
	(void)ft_fail(err, FT_EINVAL, "'%s' is no regular expression: %s", text, why);
	(void)ft_remedy(err, "write lines=1000, or as in '([0-9.]+) ?%%' or 'step ([0-9]+) of ([0-9]+)'");
	return FT_EINVAL;
}

enum ft_status ft_printed_new(struct ft_printed **out, const char *how, struct ft_err *err)
{
	static const char lines[] = "lines=";
	struct ft_printed *p = ft_calloc(1, sizeof *p);
	enum ft_status status;

	*out = NULL;
	if (!p)
		return ft_nomem(err);
	if (!strncmp(how, lines, sizeof lines - 1))
		status = read_lines(p, how + sizeof lines - 1, err);
	else
		status = read_pattern(p, how, err);
	if (status)
		ft_free(p);
	else
		*out = p;
	return status;
}

void ft_printed_free(struct ft_printed *p)
{
	if (p && !(p->lines > 0))
		regfree(&p->pattern);
	ft_free(p);
}

/* ---- what it prints ----------------------------------------------------------------------------------- */

/* The number at the beginning of a text, behind blanks. */
static bool take_number(const char **at, double *number)
{
	char digits[64];

	*at += strspn(*at, " \t");
	size_t n = strspn(*at, "0123456789.");
	if (!n || n >= sizeof digits)
		return false;
	memcpy(digits, *at, n);
	digits[n] = '\0';
	*at += n;
	return !ft_number_parse(digits, number, NULL);
}

/* "37 %" or "3/8", or "3 of 8"; a bare number is a percentage too. */
static bool take_share(const char *at, double *done, double *total)
{
	while (*at && !strchr("0123456789", *at))
		at++;
	if (!take_number(&at, done))
		return false;
	at += strspn(at, " \t");
	if (*at != '/' && strncmp(at, "of ", 3) != 0)
		*total = 100;
	else if (at += *at == '/' ? 1 : 3, !take_number(&at, total))
		return false;
	return *total > 0;
}

/* Copy what a group matched, so that nothing behind it is read. */
static const char *cut_match(const char *line, const regmatch_t *match, char cut[LINE])
{
	(void)snprintf(cut, LINE, "%.*s", (int)(match->rm_eo - match->rm_so), line + match->rm_so);
	return cut;
}

/* Two groups: what is done, and of how much; one: a share; none: the whole match is. */
static void match_line(struct ft_printed *p, const char *line)
{
	char first[LINE], second[LINE];
	regmatch_t match[3];
	double done = 0, total = 0;
	bool good;

	if (regexec(&p->pattern, line, 3, match, 0))
		return;
	const char *at = cut_match(line, &match[match[1].rm_so >= 0], first);
	if (match[1].rm_so >= 0 && match[2].rm_so >= 0) {
		const char *of = cut_match(line, &match[2], second);
		good = take_number(&at, &done) && take_number(&of, &total) && total > 0;
	} else {
		good = take_share(at, &done, &total);
	}
	if (good) {
		p->done = done;
		p->total = total;
	}
}

static void end_line(struct ft_printed *p, int stream)
{
	char *line = p->line[stream - 1];
	size_t *n = &p->length[stream - 1];

	line[*n] = '\0';
	if (*n)
		match_line(p, line);
	*n = 0;
}

void ft_printed_read(struct ft_printed *p, int stream, const char *bytes, size_t length)
{
	char *line = p->line[stream - 1];
	size_t *n = &p->length[stream - 1], i;

	for (i = 0; i < length; i++)
		if (p->lines > 0)
			p->done += stream == 1 && bytes[i] == '\n';
		else if (bytes[i] == '\n' || bytes[i] == '\r')
			end_line(p, stream);
		else if (*n + 1 < LINE && bytes[i])
			line[(*n)++] = bytes[i];
}

void ft_printed_end(struct ft_printed *p)
{
	for (int stream = 1; stream <= 2 && !(p->lines > 0); stream++)
		end_line(p, stream);
}

void ft_printed_get(const struct ft_printed *p, double *done, double *total)
{
	*done = p->done;
	*total = p->total;
}

/* ---- how another run went ----------------------------------------------------------------------------- */

static enum ft_status fail_log(const char *path, const char *why, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%s' does not contain a whole run: %s", path, why);
	(void)ft_remedy(
		err,
		"foretime run --contract NAME --progress progress-log=FILE.csv writes one: seconds, done, "
		"total, to the end");
	return FT_EINVAL;
}

/* Rows in which nothing more was done than before are none. */
static enum ft_status read_rows(const char *path, const struct ft_csv *csv, const int column[3],
				struct ft_stage *stage, size_t *n, struct ft_err *err)
{
	size_t rows = ft_csv_rows(csv), i, k;
	double cell[3], last_s;
	enum ft_status status;

	for (i = 0; i < rows; i++) {
		for (k = 0; k < 3; k++)
			if ((status = ft_csv_number(csv, i, (size_t)column[k], false, &cell[k], err)))
				return status;
		if (!(cell[2] > 0) || cell[1] > cell[2] || (*n && cell[0] < stage[*n - 1].time))
			return fail_log(path, "it is no run that goes on and on", err);
		if (!*n || cell[1] / cell[2] > stage[*n - 1].done)
			stage[(*n)++] = (struct ft_stage){cell[1] / cell[2], cell[0]};
	}
	if (*n < 2 || stage[*n - 1].done < 1)
		return fail_log(path, "it does not reach its total", err);
	last_s = stage[*n - 1].time;
	for (i = 0; i < *n; i++)
		stage[i].time /= last_s > 0 ? last_s : 1;
	return FT_OK;
}

enum ft_status ft_stages_read(const char *path, struct ft_stage **stage, size_t *n, struct ft_err *err)
{
	static const char *const names[3] = {"seconds", "done", "total"};
	struct ft_csv *csv;
	int column[3], i;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	*stage = NULL;
	*n = 0;
	if (status)
		return status;
	for (i = 0; i < 3 && !status; i++)
		if ((column[i] = ft_csv_column(csv, names[i])) < 0)
			status = fail_log(path, "a column is missing", err);
	if (!status && !(*stage = ft_malloc((ft_csv_rows(csv) + 1) * sizeof **stage)))
		status = ft_nomem(err);
	if (!status)
		status = read_rows(path, csv, column, *stage, n, err);
	ft_csv_free(csv);
	if (status) {
		ft_free(*stage);
		*stage = NULL;
		*n = 0;
	}
	return status;
}
