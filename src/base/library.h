/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h - shared libraries that few runs need, loaded when they are first asked for: each one that is
 * linked costs every start of the command, libpfm4 with its 41,000 relocations more than all else. */
#ifndef FT_BASE_LIBRARY_H
#define FT_BASE_LIBRARY_H

#include "foretime/status.h"

struct ft_symbol {
	const char *name;
	void *where; /* a pointer to a function of its type, which is set */
};

/* ft_library_load - load a library, to stay for the life of the process, and find functions in it.
 *
 * file    as the loader finds it: "libpfm.so.4"
 * symbol  [n] all are set, or none
 *
 * Returns FT_OK; FT_EUNAVAIL: it is not there, or has no such function.
 */
enum ft_status ft_library_load(const char *file, const struct ft_symbol *symbol, size_t n,
			       struct ft_err *err);

#endif
