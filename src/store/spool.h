/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spool.h - runs that the store could not take: kept in small stores beside it, and taken in later. */
#ifndef FT_STORE_SPOOL_H
#define FT_STORE_SPOOL_H

#include "store/store.h"

/* ft__spool_take - take in what waits for a store that is open for writing. What cannot be taken in now is
 * left for another time. */
void ft__spool_take(struct ft_store *store);

/* ft__spool_moved - FT_EMOVED, of a store whose file was removed or replaced while it was open: the runs that
 * were added to it meanwhile are put into a spool of the store that will stand there; the text tells where.
 */
enum ft_status ft__spool_moved(struct ft_store *store, struct ft_err *err);

#endif
