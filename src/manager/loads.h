/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads.h - the newest loads in a file, for programs that read no store: PMM's load_path and history_size
 * (001 II.B). A table as ft_loads_read has it, exchanged as a whole. */
#ifndef FT_MANAGER_LOADS_H
#define FT_MANAGER_LOADS_H

#include "foretime/load.h"

#include <sys/types.h>

struct ft__loads {
	const char *path; /* NULL: none is kept */
	size_t most;      /* observations */
	uid_t user;       /* as root whose rights are enough; (uid_t)-1: ours */
	gid_t group;
	struct ft_loads newest;
	bool known; /* what the file had is among them */
};

/* ft__loads_put - these, and those that were there before, as many as there is room for.
 *
 * Returns FT_OK; FT_ENOTOURS: the file has something else, and stays as it is; FT_EACCESS, FT_EIO, FT_ENOSPC:
 * it stays as it was; FT_ENOMEM. */
enum ft_status ft__loads_put(struct ft__loads *loads, const struct ft_load *seen, size_t n,
			     struct ft_err *err);
void ft__loads_clear(struct ft__loads *loads);

#endif
