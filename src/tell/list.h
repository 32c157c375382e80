/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h - the programs of a store. */
#ifndef FT_TELL_LIST_H
#define FT_TELL_LIST_H

#include "foretime/store.h"
#include "tell/tell.h"

extern const struct ft_tell_record ft_tell_entry; /* struct ft_store_entry */
extern const struct ft_tell_record ft_tell_list;  /* struct ft_store_list */

/* ft_tell_list_find - the programs that are asked for. out: ends with ft_store_list_clear. Returns FT_OK;
 * FT_EINVAL: fields that exclude each other; what the store returns. */
struct ft_asked;
enum ft_status ft_tell_list_find(struct ft_store *store, const struct ft_asked *asked,
				 struct ft_store_list *out, struct ft_err *err);

/* ft_tell_entry_pick - of a program's entries the one that is meant: on the machine named; or on this one; or
 * the only one.
 *
 * list    of one name, all machines and hashes
 * chosen  out, its index
 *
 * Returns FT_OK; FT_ENOENT, with the machines that there are. */
enum ft_status ft_tell_entry_pick(struct ft_store *store, const struct ft_store_list *list, const char *name,
				  const char *machine, size_t *chosen, struct ft_err *err);

#endif
