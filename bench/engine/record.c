/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.c - records of replays. */
#include "base/alloc.h"
#include "record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define RECORD_NAME(name) #name,
	RECORD_FIELDS(RECORD_NAME)
#undef RECORD_NAME
};

struct record record_new(const char *part, const char *lattice, const char *group, const char *kind,
			 const char *name, unsigned seed)
{
	struct record r = {.seed = seed};

	(void)snprintf(r.part, sizeof r.part, "%.*s", (int)sizeof r.part - 1, part);
	(void)snprintf(r.lattice, sizeof r.lattice, "%.*s", (int)sizeof r.lattice - 1, lattice);
	(void)snprintf(r.group, sizeof r.group, "%.*s", (int)sizeof r.group - 1, group);
	(void)snprintf(r.kind, sizeof r.kind, "%.*s", (int)sizeof r.kind - 1, kind);
	(void)snprintf(r.name, sizeof r.name, "%.*s", (int)sizeof r.name - 1, name);
	for (size_t i = 0; i < FIELDS; i++)
		r.value[i] = NAN;
	return r;
}

int record_compare(const void *a, const void *b)
{
	const struct record *p = a, *q = b;
	int order = strcmp(p->part, q->part);

	if (!order)
		order = strcmp(p->lattice, q->lattice);
	if (!order)
		order = strcmp(p->group, q->group);
	if (!order)
		order = strcmp(p->kind, q->kind);
	if (!order)
		order = strcmp(p->name, q->name);
	return order ? order : (p->seed > q->seed) - (p->seed < q->seed);
}

bool records_add(struct records *records, const struct record *record)
{
	struct record *grown =
		ft_grow(records->record, records->n, &records->capacity, sizeof *records->record);

	if (!grown)
		return false;
	records->record = grown;
	grown[records->n++] = *record;
	return true;
}

void records_sort(struct records *records)
{
	if (records->n)
		qsort(records->record, records->n, sizeof *records->record, record_compare);
}

void records_clear(struct records *records)
{
	ft_free(records->record);
	*records = (struct records){0};
}

static void write_names(FILE *file)
{
	(void)fputs("part,lattice,group,kind,name,seed", file);
	for (size_t i = 0; i < FIELDS; i++)
		(void)fprintf(file, ",%s", names[i]);
	(void)fputc('\n', file);
}

bool records_write(const struct records *records, const char *path)
{
	FILE *file = fopen(path, "w");
	size_t i, k;

	if (!file)
		return false;
	write_names(file);
	for (i = 0; i < records->n; i++) {
		const struct record *r = &records->record[i];

		(void)fprintf(file, "%s,%s,%s,%s,%s,%u", r->part, r->lattice, r->group, r->kind, r->name,
			      r->seed);
		for (k = 0; k < FIELDS; k++)
			(void)fprintf(file, isnan(r->value[k]) ? "," : ",%.17g", r->value[k]);
		(void)fputc('\n', file);
	}
	return !fclose(file);
}

static bool parse(char *line, struct record *out)
{
	char *word[6 + FIELDS];

	line[strcspn(line, "\n")] = 0;
	for (size_t i = 0; i < 6 + FIELDS; i++)
		if (!(word[i] = strsep(&line, ",")))
			return false;
	*out = record_new(word[0], word[1], word[2], word[3], word[4], (unsigned)strtoul(word[5], NULL, 10));
	for (size_t i = 0; i < FIELDS; i++)
		if (*word[6 + i])
			out->value[i] = strtod(word[6 + i], NULL);
	return true;
}

bool records_read(struct records *out, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[2048];
	struct record r;
	bool good = file && fgets(line, sizeof line, file);

	while (good && fgets(line, sizeof line, file))
		good = parse(line, &r) && records_add(out, &r);
	if (file)
		(void)fclose(file);
	return good;
}
