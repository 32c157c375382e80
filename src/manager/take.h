/* SPDX-License-Identifier: GPL-3.0-or-later */
/* take.h - timings that programs wrote down (foretime-client.h), into the store, each exactly once: how far
 * a file was read is kept in the same transaction as its runs. */
#ifndef FT_MANAGER_TAKE_H
#define FT_MANAGER_TAKE_H

#include "foretime/store.h"

#include <stdbool.h>
#include <sys/types.h>

struct ft__taken {
	unsigned long runs;           /* that were taken in */
	unsigned long bad;            /* lines that are none */
	char why[256];                /* the last of these */
	unsigned long anew;           /* files that were emptied, or are others of their names: read whole */
	char begun[256];              /* the last of these */
	unsigned long unread, behind; /* files that cannot be read; those with something left to take */
};

/* ft__timings_folder - where those of this user write. folder: heap, ends with ft_free. FT_OK; FT_ENOENT:
 * there is no such place; FT_ENOMEM. */
enum ft_status ft__timings_folder(char **folder, struct ft_err *err);

/* Users whose timings are kept under the very name that they state, beside our own. */
struct ft__trusted {
	uid_t *uid; /* [n] heap */
	size_t n;
};

/* ft__trusted_read - of names, or numbers. out: ends with ft__trusted_clear; cleared on failure. FT_OK;
 * FT_EINVAL: there is no such user; FT_ENOMEM. */
enum ft_status ft__trusted_read(struct ft__trusted *out, const char *const *user, size_t n,
				struct ft_err *err);
void ft__trusted_clear(struct ft__trusted *trusted); /* accepts what is zero, and twice */

/* ft__timings_take - take in what there is.
 *
 * store    open for writing; not within ft_store_begin
 * folder   one that is not there is an empty one
 * trusted  NULL: nobody else
 * told     out
 *
 * Timings of a file that belongs to another user, who is not trusted, are kept as ~UID/NAME: who did not
 * build a model does not change it. A file is removed when all of it is read and its process has ended.
 *
 * Returns FT_OK; what the store returns: then the rest is taken in the next time. FT_EIO; FT_ENOMEM. */
enum ft_status ft__timings_take(struct ft_store *store, const char *folder, const struct ft__trusted *trusted,
				struct ft__taken *told, struct ft_err *err);

#endif
