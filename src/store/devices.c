/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c - which device of a program is meant. */
#include "base/text.h"
#include "base/word.h"
#include "store/store.h"

#include <string.h>

/* What is written where there is none; NULL and "" are none. */
static const char none[] = "(none)";

static bool same_device(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* Whether an entry is the first of its device that has runs. */
static bool is_first(const struct ft_store_list *list, size_t at)
{
	if (!list->entry[at].runs)
		return false;
	for (size_t i = 0; i < at; i++)
		if (list->entry[i].runs && same_device(list->entry[i].device, list->entry[at].device))
			return false;
	return true;
}

/* "cpu, gpu": those that are measured. */
static void add_devices(const struct ft_store_list *list, struct ft_text *text)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *device = list->entry[i].device;

		if (is_first(list, i))
			ft_text_add(text, "%s%s", text->length ? ", " : "", device ? device : none);
	}
}

static const char *nearest_device(const struct ft_store_list *list, const char *asked)
{
	size_t best = SIZE_MAX, i;
	const char *found = NULL;

	for (i = 0; i < list->n; i++) {
		const char *device = list->entry[i].device;
		size_t distance = device ? ft_word_mistaken(asked, device) : best;

		if (distance < best) {
			best = distance;
			found = device;
		}
	}
	return found;
}

static enum ft_status fail_device(const char *name, const struct ft_store_list *list, const char *asked,
				  struct ft_err *err)
{
	const char *like = asked ? nearest_device(list, asked) : NULL;
	struct ft_text devices = {0};
	enum ft_status status = asked ? FT_ENOENT : FT_EINVAL;

	add_devices(list, &devices);
	if (asked) {
		if (*asked)
			(void)ft_fail(err, status, "'%s' has no device '%s'", name, asked);
		else
			(void)ft_fail(err, status, "'%s' has no runs without a device", name);
		(void)ft_remedy(err, like ? "the nearest is '%s'" : "its devices: %s",
				like             ? like
				: devices.length ? devices.s
						 : "none");
	} else {
		(void)ft_fail(err, status, "'%s' has runs of several devices: %s", name,
			      devices.s ? devices.s : "");
		(void)ft_remedy(err, "choose one with --device; 'foretime device rank %s' compares them",
				name);
	}
	ft_text_clear(&devices);
	return status;
}

/* The entries of one device, in their order. */
static void keep_device(struct ft_store_list *list, const char *device)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (same_device(list->entry[i].device, device))
			list->entry[n++] = list->entry[i];
		else
			ft__entry_clear(&list->entry[i]);
	}
	list->n = n;
}

enum ft_status ft_store_list_pick(struct ft_store_list *list, const char *name, const char *device,
				  struct ft_err *err)
{
	size_t n = 0, there = 0, at = 0;

	if (device && !strcmp(device, none))
		device = "";
	for (size_t i = 0; i < list->n; i++) {
		there += device && same_device(list->entry[i].device, device);
		if (is_first(list, i) && !n++)
			at = i;
	}
	if (device ? !there : n > 1)
		return fail_device(name, list, device, err);
	if (list->n)
		keep_device(list, device ? device : list->entry[at].device);
	return FT_OK;
}

enum ft_status ft_store_list_version(struct ft_store_list *list, const char *name, const char *hash,
				     struct ft_err *err)
{
	int64_t program = 0;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct ft_store_entry held = list->entry[i];

		if (!held.hash || strncmp(held.hash, hash, strlen(hash)) != 0)
			continue;
		if (program && held.program != program) {
			(void)ft_fail(err, FT_ENOENT,
				      "'%s' has several executables whose hash begins with '%s'", name, hash);
			(void)ft_remedy(err, "give more of it: foretime list %s --json has them", name);
			return FT_ENOENT;
		}
		program = held.program;
		held.current = true;
		list->entry[i] = list->entry[n];
		list->entry[n++] = held;
	}
	for (size_t i = n; i < list->n; i++)
		ft__entry_clear(&list->entry[i]);
	list->n = n;
	if (n)
		return FT_OK;
	(void)ft_fail(err, FT_ENOENT, "'%s' has no executable whose hash begins with '%s'", name, hash);
	(void)ft_remedy(err, "foretime list %s --json has them", name);
	return FT_ENOENT;
}
