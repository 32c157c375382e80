/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - the programs of a store. */
#include "tell/list.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/calibrate.h"
#include "tell/question.h"

#include <math.h>
#include <string.h>

static char *last_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_store_entry *entry = record;
	char age[FT_TELL_AGE];

	(void)with;
	return ft_strdup(entry->last_ns ? ft_tell_age(entry->last_ns, age)
			 : entry->runs  ? "unknown"
					: "none yet");
}

static char *current_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_store_entry *)record)->current ? ""
									  : "an older program of that name");
}

#define ENTRY struct ft_store_entry
static const struct ft_tell_row entry_rows[] = {
	{FT_TELL(ENTRY, name), .head = "name"},
	{FT_TELL(ENTRY, device), .null = "it has none", .head = "device", .none = ""},
	{FT_TELL(ENTRY, hash), .about = "of the executable", .null = ""},
	{FT_TELL_AS("machine", ENTRY, machine_name), .null = "no run"},
	{FT_TELL(ENTRY, here), .about = "that is this machine: it is answered for, where no other is named"},
	{FT_TELL(ENTRY, runs), .head = ">runs"},
	{FT_TELL(ENTRY, failed), .head = ">failed"},
	{FT_TELL(ENTRY, sizes), .head = ">sizes"},
	{FT_TELL_AS(NULL, ENTRY, machine_name), .null = "", .head = "machine"},
	{FT_TELL_BY(TIME, "first_run", ENTRY, first_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "not known"},
	{FT_TELL_BY(TIME, "last_run", ENTRY, last_ns), .about = "UTC", .null = "not known",
	 .head = "last run", .cell = last_cell},
	{FT_TELL(ENTRY, current), .about = "the newest program of that name", .head = "",
	 .cell = current_cell},
	{0},
};
const struct ft_tell_record ft_tell_entry = {.bytes = sizeof(ENTRY), .row = entry_rows};

static double found_of(const void *at)
{
	size_t found = *(const size_t *)at;

	return found ? (double)found : (double)NAN;
}

static const struct ft_tell_row list_rows[] = {
	{FT_TELL_MANY(LIST, "programs", struct ft_store_list, entry, n, &ft_tell_entry)},
	{FT_TELL_BY(GOT, "found", struct ft_store_list, found), .get = found_of, .whole = true,
	 .about = "names that there would be", .absent = "these are all"},
	{0},
};
const struct ft_tell_record ft_tell_list = {.name = "list", .version = 1, .row = list_rows};

/* ---- the question -------------------------------------------------------------------------------------- */

enum ft_status ft_tell_list_find(struct ft_store *store, const struct ft_asked *asked,
				 struct ft_store_list *out, struct ft_err *err)
{
	/* The rows of machines are those of foretime machine. */
	const struct ft_store_part part = {
		asked->after, asked->search, FT_CALIBRATION_PREFIX,
		asked->limit && (!asked->answers_most || asked->limit < asked->answers_most)
			? asked->limit
			: asked->answers_most};

	*out = (struct ft_store_list){0};
	if (!asked->name || !*asked->name)
		return ft_store_get_part(store, &part, out, err);
	if (asked->search || asked->after || asked->limit)
		return ft_fail(err, FT_EINVAL, "search, after and limit are for all names, and '%s' is one",
			       asked->name);
	return ft_store_get_list(store, asked->name, out, err);
}

enum ft_status ft_tell_entry_pick(struct ft_store *store, const struct ft_store_list *list, const char *name,
				  const char *machine, size_t *chosen, struct ft_err *err)
{
	const int64_t here = machine ? 0 : ft_tell_machine_here(store);
	struct ft_text hosts = {0};
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];
		FT_CLEANUP(ft_machine_clear) struct ft_machine there = {0};

		if (!entry->current || strcmp(entry->name, name) != 0)
			continue;
		if (machine ? !ft_store_get_machine(store, entry->machine, &there, NULL) &&
				      ft_machine_is_called(&there, machine)
			    : here && entry->machine == here) {
			*chosen = i;
			ft_text_clear(&hosts);
			return FT_OK;
		}
		if (!n++)
			*chosen = i;
		if (entry->machine_name)
			ft_text_add(&hosts, "%s%s", hosts.length ? ", " : "", entry->machine_name);
	}
	if (n != 1 || machine) {
		if (!n)
			(void)ft_fail(err, FT_ENOENT, "no program '%s' in the store", name);
		else
			(void)ft_fail(
				err, FT_ENOENT,
				machine ? "'%s' was not measured on '%s'"
					: "'%s' was measured on several machines, but not on this one%s",
				name, machine ? machine : "");
		(void)ft_remedy(err,
				hosts.s && !hosts.failed ? "choose one with --machine: %s"
							 : "foretime list shows what there is%s",
				hosts.s && !hosts.failed ? hosts.s : "");
	}
	ft_text_clear(&hosts);
	return n == 1 && !machine ? FT_OK : FT_ENOENT;
}

static enum ft_status look_list(struct ft_store *store, const struct ft_asked *asked, json_t **out,
				struct ft_err *err)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list found = {0};

	FT_TRY(ft_tell_list_find(store, asked, &found, err));
	const int64_t here = ft_tell_machine_here(store);
	for (size_t i = 0; i < found.n; i++)
		found.entry[i].here = here && found.entry[i].machine == here;
	*out = ft_tell_json(&ft_tell_list, &found, NULL);
	return *out ? FT_OK : ft_nomem(err);
}

static const struct ft_field fields[] = {
	{FT_ASKED("search", search), .kind = FT_FIELD_TEXT, .argument = "TEXT",
	 .help = "programs with TEXT in their names"},
	{FT_ASKED("after", after), .kind = FT_FIELD_TEXT, .argument = "NAME",
	 .help = "programs after NAME, by name"},
	{FT_ASKED("limit", limit), .kind = FT_FIELD_COUNT, .argument = "N", .least = 1,
	 .help = "maximum number of names; default: all"},
	{FT_ASKED("most", limit), .kind = FT_FIELD_COUNT, .argument = "N", .least = 1},
	{0},
};

const struct ft_question ft_question_list = {.name = "list",
					     .about = "the programs in the store",
					     .fields = fields,
					     .all = true,
					     .most = 1000,
					     .look = look_list};
