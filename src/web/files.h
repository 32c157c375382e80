/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.h - the page's own files, written into the program by src/web/pack. */
#ifndef FT_WEB_FILES_H
#define FT_WEB_FILES_H

#include <stddef.h>

struct ft__web_file {
	const char *name, *type, *etag; /* "views/models.js", "text/javascript", "\"5f3a...\"" */
	const unsigned char *bytes;     /* gzipped */
	size_t n, whole;                /* bytes of it; and unpacked */
};

/* The last has no name; a build without the page has none. */
extern const struct ft__web_file ft__web_files[];

#endif
