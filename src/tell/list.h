/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h - what `foretime list` tells. */
#ifndef FT_TELL_LIST_H
#define FT_TELL_LIST_H

#include "foretime/store.h"
#include "tell/tell.h"

extern const struct ft_tell_record ft_tell_entry; /* struct ft_store_entry */
extern const struct ft_tell_record ft_tell_list;  /* struct ft_store_list */

#endif
