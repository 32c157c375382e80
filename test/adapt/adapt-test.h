/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapt-test.h - what the tests of the formats share: files of the real tools, and short looks into imports.
 */
#ifndef FT_TEST_ADAPT_H
#define FT_TEST_ADAPT_H

#include "foretime/adapt.h"
#include "tap.h"

/* The path of a file in test/adapt/data; the next four calls leave it alone. */
__attribute__((unused)) static const char *data_path(const char *name)
{
	static char paths[4][4096];
	static unsigned next;
	const char *source = getenv("FORETIME_TEST_SOURCE");
	char *path = paths[next++ % 4];

	(void)snprintf(path, sizeof paths[0], "%s/test/adapt/data/%s", source ? source : ".", name);
	return path;
}

/* Read a file of test/adapt/data; a failure is a failed check. */
__attribute__((unused)) static bool read_data(struct ft_import *import, const char *name,
					      const struct ft_import_options *options)
{
	struct ft_err err = {0};

	return ok(!ft_import_read(import, data_path(name), options, &err), "read %s %s %s", name, err.text,
		  err.remedy);
}

__attribute__((unused)) static enum ft_status
parse(struct ft_import *import, const char *text, const struct ft_import_options *options, struct ft_err *err)
{
	return ft_import_parse(import, "f", text, strlen(text), options, err);
}

/* The part of a name; one without runs when there is none. */
__attribute__((unused)) static const struct ft_imported *part_of(const struct ft_import *import,
								 const char *name)
{
	static const struct ft_imported none;

	for (size_t i = 0; i < import->n; i++)
		if (!strcmp(import->part[i].program.name, name))
			return &import->part[i];
	return &none;
}

/* A value of the i-th run; NaN when there is no such run. */
__attribute__((unused)) static double value_of(const struct ft_imported *part, size_t i,
					       const struct ft_resource *resource)
{
	return i < part->runs.n ? ft_run_value(&part->runs.run[i], resource) : (double)NAN;
}

__attribute__((unused)) static double size_of(const struct ft_imported *part, size_t i, size_t param)
{
	return i < part->runs.n && param < part->runs.run[i].size.n ? part->runs.run[i].size.value[param]
								    : (double)NAN;
}

__attribute__((unused)) static enum ft_outcome outcome_of(const struct ft_imported *part, size_t i)
{
	return i < part->runs.n ? part->runs.run[i].outcome : FT_INVALID;
}

#endif
