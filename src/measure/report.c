/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - what a program said of itself by way of foretime-probe.h. */
#include "measure/report.h"
#include "base/alloc.h"
#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LENGTH = 512 };

static const double SMALLEST_S = 1e-9; /* the clock's grain: what took less is not nothing */

/* A line is words between single blanks: take the next one. */
static char *next_word(char **line)
{
	char *word = *line, *blank;

	if (!word || !*word)
		return NULL;
	blank = strchr(word, ' ');
	*line = blank ? blank + 1 : NULL;
	if (blank)
		*blank = '\0';
	return word;
}

static bool next_number(char **line, double *number)
{
	char *word = next_word(line), *end;

	if (!word || *word < '0' || *word > '9')
		return false;
	*number = strtod(word, &end);
	return !*end && isfinite(*number);
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

static struct ft__routine *find(const struct ft__report *report, const char *name)
{
	size_t i;

	for (i = 0; i < report->n; i++)
		if (!strcmp(report->routine[i].name, name))
			return &report->routine[i];
	return NULL;
}

static struct ft__routine *add(struct ft__report *report, const char *name)
{
	struct ft__routine *grown = ft_grow(report->routine, report->n, &report->capacity, sizeof *grown);

	if (!grown)
		return NULL;
	report->routine = grown;
	grown[report->n] = (struct ft__routine){.work = NAN};
	(void)snprintf(grown[report->n].name, FT__ROUTINE_LENGTH, "%s", name);
	return &grown[report->n++];
}

/* "ft1 routine NAME CALLS WALL_NS CPU_NS WORK"; false: no memory. */
static bool add_routine(struct ft__report *report, char *line)
{
	char *name = next_word(&line);
	double calls, wall_ns, cpu_ns, work;
	struct ft__routine *routine;

	if (!name || !take_name(name) || !next_number(&line, &calls) || !next_number(&line, &wall_ns) ||
	    !next_number(&line, &cpu_ns) || !next_number(&line, &work) || line || calls < 1)
		return true;
	routine = find(report, name);
	if (!routine && report->n == FT__ROUTINES_MAX)
		return true;
	if (!routine && !(routine = add(report, name)))
		return false;
	routine->calls += calls;
	routine->wall_s += fmax(1e-9 * wall_ns, SMALLEST_S);
	routine->cpu_s += fmax(1e-9 * cpu_ns, SMALLEST_S);
	if (work > 0)
		routine->work = isnan(routine->work) ? work : routine->work + work;
	return true;
}

static bool add_line(struct ft__report *report, char *line)
{
	char *word = next_word(&line);

	if (!word || strcmp(word, "ft1") != 0)
		return true;
	word = next_word(&line);
	if (word && !strcmp(word, "routine"))
		return add_routine(report, line);
	if (word && !strcmp(word, "invalid") && !line)
		report->invalid = true;
	return true;
}

enum ft_status ft__report_parse(const char *bytes, size_t length, struct ft__report *out, struct ft_err *err)
{
	const char *at = bytes, *end = bytes + length, *newline;

	*out = (struct ft__report){0};
	for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
		char line[LINE_LENGTH];
		size_t n = (size_t)(newline - at);

		if (n >= sizeof line || memchr(at, '\0', n))
			continue;
		memcpy(line, at, n);
		line[n] = '\0';
		if (!add_line(out, line)) {
			ft__report_clear(out);
			return ft_nomem(err);
		}
	}
	return FT_OK;
}

void ft__report_clear(struct ft__report *report)
{
	if (!report)
		return;
	ft_free(report->routine);
	*report = (struct ft__report){0};
}
