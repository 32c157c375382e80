/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h - all programs of a store, kept as the command told them: 10^5 take it a second, and a part of them
 * some ms. */
#ifndef FT_WEB_LIST_H
#define FT_WEB_LIST_H

#include <stddef.h>

/* Never changed once made, and counted: threads may hold it at once. */
struct ft__list;

/* ft__list_new - of what foretime list --json printed.
 *
 * text   borrowed
 * stamp  of the store before it was read; copied
 *
 * NULL: no memory, or it is no such text. Ends with ft__list_drop. O(bytes). */
struct ft__list *ft__list_new(const char *text, const char *stamp);

struct ft__list *ft__list_share(struct ft__list *list); /* one holder more; accepts and returns NULL */
void ft__list_drop(struct ft__list *list);              /* accepts NULL */

const char *ft__list_stamp(const struct ft__list *list); /* borrowed */

/* ft__list_part - the same object with fewer programs: those behind `after`, in the order of the list, that
 * have `search` in their names (letters of either case); all rows of `most` names, and how many names there
 * would be
 * ("found"). Heap; NULL: no memory. O(programs). */
char *ft__list_part(const struct ft__list *list, const char *after, const char *search, size_t most);

#endif
