/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shelf.h - traces that the page was given, kept in memory under names that nobody guesses. */
#ifndef FT_WEB_SHELF_H
#define FT_WEB_SHELF_H

#include "foretime/status.h"

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* Eight of 16 MB, which 10^6 rows are; or fewer longer ones. */
enum { FT__SHELF_PLACES = 8, FT__SHELF_BYTES = 128 << 20, FT__SHELF_ID = 24 };

struct ft__kept {
	char id[FT__SHELF_ID + 1]; /* "": nothing is here */
	char *text;
	size_t bytes;
	uint64_t used; /* when last, in uses */
};

/* Zero-initialise; ends with ft__shelf_clear. */
struct ft__shelf {
	struct ft__kept kept[FT__SHELF_PLACES];
	uint64_t uses;
};

/* ft__shelf_put - keep a copy of a text; what was not used for longest goes, where there is no room.
 *
 * out  its name; borrowed until it goes
 *
 * Returns FT_OK; FT_EPARSE: no text; FT_EINVAL: longer than all the room; FT_EUNAVAIL: nothing random;
 * FT_ENOMEM. */
enum ft_status ft__shelf_put(struct ft__shelf *shelf, const char *text, size_t bytes, const char **out,
			     struct ft_err *err);

/* ft__shelf_get - borrowed until the next put; NULL: it is not there any more. */
const char *ft__shelf_get(struct ft__shelf *shelf, const char *id);

void ft__shelf_clear(struct ft__shelf *shelf); /* twice, too */

#endif
