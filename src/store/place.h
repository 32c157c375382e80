/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - where the store lies: the path that is meant, and the folders above it. */
#ifndef FT_STORE_PLACE_H
#define FT_STORE_PLACE_H

#include "foretime/status.h"

#include <stdbool.h>

struct ft__store_place {
	char *path; /* heap */
	bool own;   /* the usual place: its folders are the user's alone */
};

/* ft__place_find - the path that ft_store_open's argument means. FT_ENOENT: no place to be found. */
enum ft_status ft__place_find(const char *path, struct ft__store_place *out, struct ft_err *err);

/* ft__place_make - create the folders that it lies in. */
enum ft_status ft__place_make(const struct ft__store_place *place, struct ft_err *err);

/* ft__place_folder - the folder of a file, a heap string; NULL: no memory. */
char *ft__place_folder(const char *path);

#endif
