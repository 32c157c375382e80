/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program_file.h - finds a program's file. */
#ifndef FT_MEASURE_PROGRAM_FILE_H
#define FT_MEASURE_PROGRAM_FILE_H

#include "foretime/base.h"

/* ft__program_find - the file that execvp would execute for a name.
 *
 * out  heap, ends with ft_free; NULL on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, with the nearest remedy; FT_ENOMEM.
 */
enum ft_status ft__program_find(const char *name, char **out, struct ft_err *err);

#endif
