/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp.h - files of a test, in a folder of its own that temp_remove takes away. */
#ifndef FT_TEST_TEMP_H
#define FT_TEST_TEMP_H

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static char temp_folder[64];

/* The path of a file in the folder; the next eight calls leave it alone. */
__attribute__((unused)) static const char *temp_path(const char *name)
{
	static char paths[8][256];
	static unsigned next;
	char *path = paths[next++ % 8];

	if (!temp_folder[0]) {
		(void)snprintf(temp_folder, sizeof temp_folder, "/tmp/foretime-test-XXXXXX");
		if (!mkdtemp(temp_folder)) {
			perror("mkdtemp");
			exit(99);
		}
	}
	(void)snprintf(path, sizeof paths[0], "%s/%s", temp_folder, name);
	return path;
}

/* Make a file of a text; one that is there gets the text. */
__attribute__((unused)) static bool temp_write(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "we");
	bool good = file && fputs(text, file) >= 0;

	return file && !fclose(file) && good && !chmod(path, mode);
}

static int temp_remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

__attribute__((unused)) static void temp_remove(void)
{
	if (temp_folder[0])
		(void)nftw(temp_folder, temp_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
