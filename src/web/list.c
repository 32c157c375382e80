/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - a part of all programs. */
#include "base/alloc.h"
#include "web/inside.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const json_t *program)
{
	const char *name = json_string_value(json_object_get(program, "name"));

	return name ? name : "";
}

static bool is_wanted(const json_t *program, const struct ft__errand *errand)
{
	const char *name = name_of(program);

	return strcmp(name, errand->word[0]) > 0 && strcasestr(name, errand->word[1]);
}

static char *dump(json_t *object)
{
	char *text = object ? json_dumps(object, JSON_COMPACT) : NULL, *copy = ft_strdup(text);

	free(text);
	return copy;
}

/* All rows of a name stand together; a part ends with one. */
char *ft__list_part(const struct ft__errand *errand)
{
	json_t *all = json_loads(errand->text, 0, NULL), *part = json_array(), *program;
	const char *last = "";
	size_t i, names = 0;
	char *text;

	json_array_foreach(json_object_get(all, "programs"), i, program)
	{
		bool same = !strcmp(name_of(program), last);

		if (!is_wanted(program, errand))
			continue;
		names += !same;
		last = name_of(program);
		if (names <= errand->most)
			(void)json_array_append(part, program);
	}
	(void)json_object_set_new(all, "programs", part);
	(void)json_object_set_new(all, "found", json_integer((json_int_t)names));
	text = dump(all);
	json_decref(all);
	return text;
}
