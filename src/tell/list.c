/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what `foretime list` tells. */
#include "tell/list.h"
#include "base/alloc.h"

#include <math.h>

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
