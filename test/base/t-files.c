/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-files.c - the files below a folder: in order, without hidden ones and loops; what is no folder; no memory. */
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "base/files.h"

#include <string.h>
#include <unistd.h>

int main(void)
{
	struct ft_err err = {0};
	char **path = NULL, deep[4096];
	size_t n = 0;

	(void)mkdir(temp_path("f"), 0755);
	(void)mkdir(temp_path("f/b"), 0755);
	(void)mkdir(temp_path("f/.hidden"), 0755);
	(void)temp_write(temp_path("f/c"), "3", 0644);
	(void)temp_write(temp_path("f/b/two"), "2", 0644);
	(void)temp_write(temp_path("f/a"), "1", 0644);
	(void)temp_write(temp_path("f/.hidden/x"), "no", 0644);
	(void)temp_write(temp_path("f/.y"), "no", 0644);
	ok(!symlink("..", temp_path("f/b/up")) && !symlink("../c", temp_path("f/b/link")), "links are made");

	ok(!ft_files_below(temp_path("f"), &path, &n, &err) && n == 4,
	   "four files, a link to one among them");
	ok(n == 4 && !strcmp(path[0], temp_path("f/a")) && !strcmp(path[1], temp_path("f/b/link")) &&
		   !strcmp(path[2], temp_path("f/b/two")) && !strcmp(path[3], temp_path("f/c")),
	   "by their names; neither hidden ones nor those behind a link to a folder");
	ft_files_free(path, n);

	(void)snprintf(deep, sizeof deep, "%s", temp_path("f"));
	for (int i = 0; i < 40; i++) {
		strcat(deep, "/d");
		(void)mkdir(deep, 0755);
	}
	strcat(deep, "/file");
	(void)temp_write(deep, "too deep", 0644);
	ok(!ft_files_below(temp_path("f"), &path, &n, &err) && n == 4,
	   "no more than 32 folders in each other");
	ft_files_free(path, n);

	ok(ft_files_below(temp_path("none"), &path, &n, &err) == FT_ENOENT && !path && !n, "no folder: %s",
	   err.text);
	ok(ft_files_below(temp_path("f/a"), &path, &n, &err) == FT_ENOENT, "a file is none");
	ok(!ft_files_below(temp_path("f/.hidden"), &path, &n, NULL) && n == 1,
	   "a hidden one that is named is read");
	ft_files_free(path, n);
	ft_files_free(NULL, 0);

	(void)ft_alloc_fail_at(0);
	(void)ft_files_below(temp_path("f"), &path, &n, NULL);
	unsigned long allocations = ft_alloc_fail_at(0), failed = 0;
	ft_files_free(path, n);
	for (unsigned long i = 1; i <= allocations; i++) {
		(void)ft_alloc_fail_at(i);
		failed += ft_files_below(temp_path("f"), &path, &n, &err) == FT_ENOMEM && !path && !n;
	}
	(void)ft_alloc_fail_at(0);
	ok(allocations > 4 && failed == allocations, "out of memory at %lu places", allocations);
	temp_remove();
	return done();
}
