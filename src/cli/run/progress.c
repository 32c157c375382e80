/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - how far a program is: read from what it prints, or from the log of another run. */
#include "cli/common.h"
#include "cli/run/run.h"
#include "foretime/csv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_progress_open(struct cli_progress *p, const char *text)
{
	static const char lines[] = "lines=";
	char why[256];
	struct ft_err err = {0};
	int failed;

	if (!strncmp(text, lines, sizeof lines - 1)) {
		if (ft_number_parse(text + sizeof lines - 1, &p->lines, &err))
			return cli_error(&err);
		p->total = p->lines;
		return p->lines >= 1 ? CLI_DONE : cli_fail("--progress %s: a run of no lines", text);
	}
	failed = regcomp(&p->pattern, text, REG_EXTENDED);
	if (failed) {
		(void)regerror(failed, &p->pattern, why, sizeof why);
		return cli_fail(
			"--progress '%s' is no regular expression: %s\n"
			"hint: write lines=1000, or as in '([0-9.]+) ?%%' or 'step ([0-9]+) of ([0-9]+)'",
			text, why);
	}
	p->has_pattern = true;
	return CLI_DONE;
}

void cli_progress_clear(struct cli_progress *p)
{
	if (p->has_pattern)
		regfree(&p->pattern);
	p->has_pattern = false;
}

/* ---- what it prints ----------------------------------------------------------------------------------- */

/* How often an interrupt is looked for while nobody reads. */
enum { LOOK_MS = 100 };

/* As the program would have: all of it, and we wait where it would, until an interrupt. */
static bool pass_on(int file, const char *bytes, size_t length)
{
	while (length) {
		struct pollfd room = {.fd = file, .events = POLLOUT};
		ssize_t put;

		if (poll(&room, 1, LOOK_MS) <= 0) {
			if (*cli_interrupt_flag())
				return false;
			continue;
		}
		put = write(file, bytes,
			    length < PIPE_BUF ? length : PIPE_BUF); /* a pipe has room for that */
		if (put < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		bytes += put > 0 ? put : 0;
		length -= put > 0 ? (size_t)put : 0;
	}
	return true;
}

/* The number at the beginning of a text, behind blanks. */
static bool take_number(const char **at, double *number)
{
	char digits[64];
	struct ft_err err = {0};
	size_t n;

	*at += strspn(*at, " \t");
	n = strspn(*at, "0123456789.");
	if (!n || n >= sizeof digits)
		return false;
	memcpy(digits, *at, n);
	digits[n] = '\0';
	*at += n;
	return !ft_number_parse(digits, number, &err);
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

static char *cut_line(const char *line, const regmatch_t *match)
{
	return cli_printed("%.*s", (int)(match->rm_eo - match->rm_so), line + match->rm_so);
}

/* Two groups: what is done, and of how much; one: a share; none: the whole match is. */
static void match_line(struct cli_progress *p, const char *line)
{
	regmatch_t match[3];
	double done = 0, total = 0;
	char *first, *second;
	const char *at, *of;
	bool good;

	if (regexec(&p->pattern, line, 3, match, 0))
		return;
	first = cut_line(line, &match[match[1].rm_so >= 0]);
	second = cut_line(line, &match[match[2].rm_so >= 0 ? 2 : 0]);
	at = first;
	of = second;
	if (match[1].rm_so >= 0 && match[2].rm_so >= 0)
		good = take_number(&at, &done) && take_number(&of, &total) && total > 0;
	else
		good = take_share(first, &done, &total);
	if (good) {
		p->done = done;
		p->total = total;
	}
	free(first);
	free(second);
}

static void end_line(struct cli_progress *p, int stream)
{
	char *line = p->line[stream - 1];
	size_t *n = &p->length[stream - 1];

	line[*n] = '\0';
	if (*n)
		match_line(p, line);
	*n = 0;
}

/* Of a line that is too long the beginning counts. */
static void read_bytes(struct cli_progress *p, int stream, const char *bytes, size_t length)
{
	char *line = p->line[stream - 1];
	size_t *n = &p->length[stream - 1], i;

	for (i = 0; i < length; i++)
		if (bytes[i] == '\n' || bytes[i] == '\r') {
			end_line(p, stream);
		} else if (*n + 1 < CLI_PROGRESS_LINE && bytes[i]) {
			line[(*n)++] = bytes[i];
		}
}

void cli_progress_heard(struct cli_progress *p, int stream, const char *bytes, size_t length)
{
	size_t i;

	p->broken = p->broken || !pass_on(stream, bytes, length);
	if (p->has_pattern)
		read_bytes(p, stream, bytes, length);
	for (i = 0; p->lines > 0 && stream == STDOUT_FILENO && i < length; i++)
		p->done += bytes[i] == '\n';
}

void cli_progress_end(struct cli_progress *p)
{
	if (!p->has_pattern)
		return;
	end_line(p, STDOUT_FILENO);
	end_line(p, STDERR_FILENO);
}

/* ---- how another run went ----------------------------------------------------------------------------- */

static int no_log(const char *path, const char *why)
{
	return cli_fail("'%s' does not tell how a whole run went: %s\n"
			"hint: foretime run --contract NAME --progress-log FILE.csv writes one: seconds, "
			"done, total, to the end",
			path, why);
}

static int read_log(const char *path, const struct ft_csv *csv, const int column[3], struct ft_stage *stage,
		    size_t *n)
{
	size_t rows = ft_csv_rows(csv), i;
	struct ft_err err = {0};
	double cell[3], last_s;

	*n = 0;
	for (i = 0; i < rows; i++) {
		for (size_t k = 0; k < 3; k++)
			if (ft_csv_number(csv, i, (size_t)column[k], false, &cell[k], &err))
				return cli_error(&err);
		if (!(cell[2] > 0) || cell[1] > cell[2] || (*n && cell[0] < stage[*n - 1].time))
			return no_log(path, "it is no run that goes on and on");
		if (!*n || cell[1] / cell[2] > stage[*n - 1].done)
			stage[(*n)++] = (struct ft_stage){cell[1] / cell[2], cell[0]};
	}
	if (*n < 2 || stage[*n - 1].done < 1)
		return no_log(path, "it does not reach its total");
	last_s = stage[*n - 1].time;
	for (i = 0; i < *n; i++)
		stage[i].time /= last_s > 0 ? last_s : 1;
	return CLI_DONE;
}

int cli_progress_read(const char *path, struct ft_stage **normal, size_t *n)
{
	static const char *const names[3] = {"seconds", "done", "total"};
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int column[3], i, status = CLI_DONE;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	for (i = 0; i < 3 && status == CLI_DONE; i++) {
		column[i] = ft_csv_column(csv, names[i]);
		if (column[i] < 0)
			status = no_log(path, "a column is missing");
	}
	*normal = cli_alloc((ft_csv_rows(csv) + 1) * sizeof **normal);
	if (status == CLI_DONE)
		status = read_log(path, csv, column, *normal, n);
	ft_csv_free(csv);
	return status;
}
