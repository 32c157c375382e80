/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what a program said of itself by way of foretime-probe.h. */
#include "measure/report.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/utf8.h"
#include "foretime/units.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static const double SMALLEST_S = 1e-9; /* the clock's grain: what took less is not nothing */

/* A line is words between single blanks: take the next one. */
static char *next_word(char **line)
{
	char *word = *line;

	if (!word || !*word)
		return NULL;
	char *blank = strchr(word, ' ');
	*line = blank ? blank + 1 : NULL;
	if (blank)
		*blank = '\0';
	return word;
}

static bool next_number(char **line, double *number)
{
	const char *word = next_word(line);

	return word && ft__number_scan(word, &word, number) && !*word && isfinite(*number);
}

/* Bytes that are no text, as where a long name was cut within a character, become '_'. */
static bool take_name(char *name)
{
	char *at;
	size_t length;

	for (at = name; *at; at += length ? length : 1) {
		length = ft__utf8_length(at, SIZE_MAX);
		if (!length || (length > 1 && ft__utf8_is_control(at)))
			memset(at, '_', length ? length : 1);
		else if (*at == ' ' || *at == '/' || ft__utf8_is_control(at))
			return false;
	}
	return at > name && at < name + FT__ROUTINE_LENGTH;
}

static struct ft__routine *find_routine(const struct ft__report *report, const char *name)
{
	for (size_t i = 0; i < report->n; i++)
		if (!strcmp(report->routine[i].name, name))
			return &report->routine[i];
	return NULL;
}

static struct ft__routine *new_routine(struct ft__report *report, const char *name)
{
	struct ft__routine *grown = ft_grow(report->routine, report->n, &report->capacity, sizeof *grown);

	if (!grown)
		return NULL;
	report->routine = grown;
	grown[report->n] = (struct ft__routine){.work = NAN, .first_s = NAN, .peak_bytes = NAN};
	(void)snprintf(grown[report->n].name, FT__ROUTINE_LENGTH, "%s", name);
	return &grown[report->n++];
}

/* "ft1 routine NAME CALLS WALL_NS CPU_NS WORK"; false: no memory. */
static bool add_routine(struct ft__report *report, char *line)
{
	char *name = next_word(&line);
	double calls, wall_ns, cpu_ns, work;

	if (!name || !take_name(name) || !next_number(&line, &calls) || !next_number(&line, &wall_ns) ||
	    !next_number(&line, &cpu_ns) || !next_number(&line, &work) || line || calls < 1)
		return true;
	struct ft__routine *routine = find_routine(report, name);
	if (!routine && report->n == FT__ROUTINES_MAX) {
		report->more = true;
		return true;
	}
	if (!routine && !(routine = new_routine(report, name)))
		return false;
	routine->calls += calls;
	routine->wall_s += fmax(1e-9 * wall_ns, SMALLEST_S);
	routine->cpu_s += fmax(1e-9 * cpu_ns, SMALLEST_S);
	if (work > 0)
		routine->work = isnan(routine->work) ? work : routine->work + work;
	routine->absurd |= routine->wall_s > FT_TIME_MOST_S || routine->cpu_s > FT_TIME_MOST_S ||
			   isinf(routine->calls) || isinf(routine->work);
	return true;
}

/* "ft1 besides NAME FIRST_NS PEAK_BYTES", of the routine that was told of just before. */
static void take_besides(struct ft__report *report, char *line)
{
	char *name = next_word(&line);
	struct ft__routine *routine = name ? find_routine(report, name) : NULL;
	double first_ns, peak_bytes;

	if (!routine || !next_number(&line, &first_ns) || !next_number(&line, &peak_bytes) || line)
		return;
	if (isnan(routine->first_s))
		routine->first_s = fmax(1e-9 * first_ns, SMALLEST_S);
	if (!(routine->peak_bytes > peak_bytes))
		routine->peak_bytes = fmax(peak_bytes, 0);
}

/* "ft1 progress DONE TOTAL" */
static void take_progress(struct ft__report *report, char *line)
{
	double done, total;

	if (!next_number(&line, &done) || !next_number(&line, &total) || line || !(total > 0))
		return;
	report->done = done;
	report->total = total;
}

static bool add_line(struct ft__report *report, char *line)
{
	char *word = next_word(&line);

	if (!word || strcmp(word, "ft1") != 0)
		return true;
	word = next_word(&line);
	if (word && !strcmp(word, "routine"))
		return add_routine(report, line);
	if (word && !strcmp(word, "besides"))
		take_besides(report, line);
	if (word && !strcmp(word, "progress"))
		take_progress(report, line);
	if (word && !strcmp(word, "invalid") && !line)
		report->invalid = true;
	return true;
}

/* A line that is too long, or holds a zero byte, is passed over. */
static bool end_line(struct ft__report *report)
{
	size_t length = report->length;

	report->length = 0;
	if (length >= sizeof report->line || memchr(report->line, '\0', length))
		return true;
	report->line[length] = '\0';
	return add_line(report, report->line);
}

enum ft_status ft__report_add(struct ft__report *report, const char *bytes, size_t length, struct ft_err *err)
{
	while (length) {
		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length;
		size_t room = sizeof report->line - report->length, kept = part < room ? part : room;

		memcpy(report->line + report->length, bytes, kept);
		report->length += kept;
		if (newline && !end_line(report))
			return ft_nomem(err);
		part += newline != NULL;
		bytes += part;
		length -= part;
	}
	return FT_OK;
}

enum ft_status ft__report_read(struct ft__report *report, int file, struct ft_err *err)
{
	char *block = ft_malloc(BLOCK);
	enum ft_status status = FT_OK;
	off_t at = 0;
	ssize_t got = 1;

	if (!block)
		return ft_nomem(err);
	while (!status && got > 0 && at < FT__REPORT_MAX) {
		got = pread(file, block, BLOCK, at);
		if (got > 0)
			status = ft__report_add(report, block, (size_t)got, err);
		at += got > 0 ? got : 0;
	}
	report->cut |= got != 0;
	for (size_t i = 0; i < report->n; i++)
		report->routine[i].cut = report->cut;
	ft_free(block);
	return status;
}

void ft__report_clear(struct ft__report *report)
{
	if (!report)
		return;
	ft_free(report->routine);
	*report = (struct ft__report){0};
}
