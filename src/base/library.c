/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.c - shared libraries loaded when they are first asked for. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

static enum ft_status fail_load(const char *file, struct ft_err *err)
{
	const char *why = dlerror();

	(void)ft_fail(err, FT_EUNAVAIL, "cannot load the library %s: %s", file,
		      why ? why : "it is not the one expected");
	(void)ft_remedy(err, "install it: tools/packages names the packages of Debian");
	return FT_EUNAVAIL; /* also without err */
}

enum ft_status ft_library_load(const char *file, const struct ft_symbol *symbol, size_t n, struct ft_err *err)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return fail_load(file, err);
	for (size_t i = 0; i < n; i++)
		if (!dlsym(library, symbol[i].name)) {
			enum ft_status status = fail_load(file, err);

			(void)dlclose(library);
			return status;
		}
	for (size_t i = 0; i < n; i++) {
		void *found = dlsym(library, symbol[i].name);

		memcpy(symbol[i].where, &found, sizeof found); /* POSIX: both kinds of pointers are alike */
	}
	return FT_OK;
}
