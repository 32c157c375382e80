/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.c - what callgrind counted of the routines that tell where they begin and end.
 *
 * A part of its file has "desc: Trigger: Client Request: TEXT" and then "summary: N" (valgrind manual,
 * cl-format). TEXT is what foretime-probe.h says: "@PROBE" what one stop-watch has run, "=ROUTINE @PROBE" the
 * name for that, and what it ran since; "?" that two ran at once. "thread: N" names the thread of a part; at
 * the end of the program each thread that there was has a part (--separate-threads=yes). */
#include "measure/counted.h"
#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char trigger[] = "desc: Trigger: ", told[] = "Client Request: ", summary[] = "summary: ",
		  thread[] = "thread: ";

enum { PROBE_LENGTH = 32, TEXT_LENGTH = 160 };

/* What a stop-watch ran, that has no name yet. */
struct counted_pending {
	char probe[PROBE_LENGTH];
	double instructions;
};

struct counted_reading {
	struct ft__counted *out;
	struct counted_pending *pending; /* [n] */
	size_t n, capacity;
	char text[TEXT_LENGTH]; /* of the part that is read; "": none of ours */
};

static struct counted_pending *find_pending(struct counted_reading *r, const char *probe)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->pending[i].probe, probe))
			return &r->pending[i];
	struct counted_pending *grown = ft_grow(r->pending, r->n, &r->capacity, sizeof *grown);
	if (!grown)
		return NULL;
	r->pending = grown;
	grown[r->n] = (struct counted_pending){.instructions = 0};
	(void)snprintf(grown[r->n].probe, PROBE_LENGTH, "%s", probe);
	return &grown[r->n++];
}

static bool add_routine(struct ft__counted *out, const char *name, double instructions)
{
	for (size_t i = 0; i < out->n; i++)
		if (!strcmp(out->routine[i].name, name)) {
			out->routine[i].instructions += instructions;
			return true;
		}
	if (out->n == FT__ROUTINES_MAX)
		return true;
	void *grown = ft_grow(out->routine, out->n, &out->capacity, sizeof *out->routine);
	if (!grown)
		return false;
	out->routine = grown;
	(void)snprintf(out->routine[out->n].name, FT__ROUTINE_LENGTH, "%s", name);
	out->routine[out->n++].instructions = instructions;
	return true;
}

/* A part is complete. */
static bool take_part(struct counted_reading *r, double instructions)
{
	char *at = strrchr(r->text, '@');

	if (!strcmp(r->text, "?"))
		r->out->mixed = true;
	if (!at || !(instructions >= 0))
		return true;
	struct counted_pending *pending = find_pending(r, at + 1);
	if (!pending)
		return false;
	pending->instructions += instructions;
	if (*r->text != '=' || at < r->text + 3)
		return true;
	at[-1] = '\0'; /* the blank before it */
	instructions = pending->instructions;
	pending->instructions = 0;
	return add_routine(r->out, r->text + 1, instructions);
}

static bool take_line(struct counted_reading *r, char *line)
{
	bool good = true;

	line[strcspn(line, "\n")] = '\0';
	if (!strncmp(line, thread, sizeof thread - 1))
		r->out->threads |= strtol(line + sizeof thread - 1, NULL, 10) > 1;
	if (!strncmp(line, trigger, sizeof trigger - 1)) {
		const char *text = line + sizeof trigger - 1;
		bool ours = !strncmp(text, told, sizeof told - 1);

		(void)snprintf(r->text, sizeof r->text, "%s", ours ? text + sizeof told - 1 : "");
	} else if (*r->text && !strncmp(line, summary, sizeof summary - 1)) {
		good = take_part(r, strtod(line + sizeof summary - 1, NULL));
		*r->text = '\0';
	}
	return good;
}

bool ft__counted_read(struct ft__counted *counted, const char *path)
{
	struct counted_reading r = {.out = counted};
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool good = true;

	while (file && good && getline(&line, &size, file) > 0)
		good = take_line(&r, line);
	free(line);
	if (file)
		(void)fclose(file);
	ft_free(r.pending);
	return good;
}

double ft__counted_of(const struct ft__counted *counted, const char *name)
{
	for (size_t i = 0; i < counted->n; i++)
		if (!strcmp(counted->routine[i].name, name))
			return counted->routine[i].instructions;
	return NAN;
}

void ft__counted_clear(struct ft__counted *counted)
{
	ft_free(counted->routine);
	*counted = (struct ft__counted){0};
}
