/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - a part of all programs. */
#include "web/list.h"
#include "base/alloc.h"
#include "base/text.h"
#include "web/inside.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A row of the list; all rows of a name stand together. */
struct row {
	char *name, *text;
};

struct ft__list {
	atomic_size_t holders;
	char *stamp, *head; /* head: the object without its programs, and without its last brace */
	struct row *row;
	size_t n;
};

static char *dump(const json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT), *copy = text ? ft_strdup(text) : NULL;

	free(text);
	return copy;
}

static bool read_row(struct row *row, const json_t *program)
{
	const char *name = json_string_value(json_object_get(program, "name"));

	row->name = ft_strdup(name ? name : "");
	row->text = dump(program);
	return row->name && row->text;
}

static bool read_rows(struct ft__list *list, const json_t *programs)
{
	const json_t *program;
	size_t i;

	list->row = ft_calloc(json_array_size(programs) + 1, sizeof *list->row);
	if (!list->row)
		return false;
	json_array_foreach(programs, i, program)
	{
		list->n++;
		if (!read_row(&list->row[i], program))
			return false;
	}
	return true;
}

static bool read_head(struct ft__list *list, json_t *all)
{
	(void)json_object_del(all, "programs");
	list->head = dump(all);
	if (list->head)
		list->head[strlen(list->head) - 1] = '\0';
	return list->head;
}

struct ft__list *ft__list_new(const char *text, const char *stamp)
{
	struct ft__list *list = ft_calloc(1, sizeof *list);
	json_t *all = list ? json_loads(text, 0, NULL) : NULL;
	const json_t *programs = json_object_get(all, "programs");

	if (list) {
		atomic_init(&list->holders, 1);
		list->stamp = ft_strdup(stamp);
		if (!list->stamp || !json_is_array(programs) || !read_rows(list, programs) ||
		    !read_head(list, all)) {
			ft__list_drop(list);
			list = NULL;
		}
	}
	json_decref(all);
	return list;
}

struct ft__list *ft__list_share(struct ft__list *list)
{
	if (list)
		atomic_fetch_add(&list->holders, 1);
	return list;
}

void ft__list_drop(struct ft__list *list)
{
	size_t i;

	if (!list || atomic_fetch_sub(&list->holders, 1) > 1)
		return;
	for (i = 0; i < list->n; i++) {
		ft_free(list->row[i].name);
		ft_free(list->row[i].text);
	}
	ft_free(list->row);
	ft_free(list->head);
	ft_free(list->stamp);
	ft_free(list);
}

const char *ft__list_stamp(const struct ft__list *list)
{
	return list->stamp;
}

char *ft__list_part(const struct ft__list *list, const char *after, const char *search, size_t most)
{
	const char *last = NULL, *comma = "";
	struct ft_text text = {0};
	size_t i, names = 0;

	ft_text_add(&text, "%s%s\"programs\":[", list->head, list->head[1] ? "," : "");
	for (i = 0; i < list->n; i++) {
		const struct row *row = &list->row[i];

		if (strcmp(row->name, after) <= 0 || !strcasestr(row->name, search))
			continue;
		names += !last || strcmp(row->name, last) != 0;
		last = row->name;
		if (names > most)
			continue;
		ft_text_add(&text, "%s%s", comma, row->text);
		comma = ",";
	}
	ft_text_add(&text, "],\"found\":%zu}", names);
	return ft_text_take(&text);
}

/* ---- for those who ask --------------------------------------------------------------------------------- */

/* The command's, in place of what was kept. */
static void renew(struct ft__errand *errand, const char *stamp)
{
	ft__list_drop(errand->list);
	errand->list = NULL;
	ft__errand_command(errand);
	if (errand->code == 200)
		errand->list = ft__list_new(errand->text, stamp);
}

void ft__errand_list(struct ft__errand *errand)
{
	char *stamp = ft__store_stamp(errand->target);

	if (!stamp)
		return;
	errand->code = 200;
	if (!errand->list || strcmp(ft__list_stamp(errand->list), stamp) != 0)
		renew(errand, stamp);
	ft_free(stamp);
	if (errand->code != 200)
		return;
	ft_free(errand->text);
	errand->text = errand->list ? ft__list_part(errand->list, errand->after, errand->search, errand->most)
				    : NULL;
}
