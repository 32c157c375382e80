/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.c - reads the small files of /proc and /sys. */
#include "base/files.h"
#include "base/alloc.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t read_file(char *buffer, size_t size, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), number;
	size_t length = 0;
	ssize_t n = 0;

	buffer[0] = '\0';
	if (fd < 0)
		return 0;
	errno = 0;
	while (length < size - 1) {
		n = read(fd, buffer + length, size - 1 - length);
		if (n > 0)
			length += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	number = n < 0 ? errno : 0;
	(void)close(fd);
	errno = number;
	buffer[length] = '\0';
	return length;
}

/* root + path; false, with errno set, when it is too long. */
FT_PRINTF(3, 0) static bool join(char full[PATH_MAX], const char *root, const char *path, va_list args)
{
	size_t length = strlen(root);

	errno = ENAMETOOLONG;
	if (length >= PATH_MAX)
		return false;
	memcpy(full, root, length + 1);
	int more = vsnprintf(full + length, PATH_MAX - length, path, args);
	return more >= 0 && (size_t)more < PATH_MAX - length;
}

size_t ft__file_read(char *buffer, size_t size, const char *root, const char *path, ...)
{
	char full[PATH_MAX];
	va_list args;

	buffer[0] = '\0';
	va_start(args, path);
	bool joined = join(full, root, path, args);
	va_end(args);
	return joined ? read_file(buffer, size, full) : 0;
}

/* Copy up to the end of the line: blanks at its ends dropped, runs of them made one. */
static bool copy_line(char line[FT__LINE_LENGTH], const char *from)
{
	size_t length = 0;

	for (; *from && *from != '\n' && length < FT__LINE_LENGTH - 1; from++) {
		if (!isspace((unsigned char)*from))
			line[length++] = *from;
		else if (length && line[length - 1] != ' ')
			line[length++] = ' ';
	}
	if (length && line[length - 1] == ' ')
		length--;
	line[length] = '\0';
	return length > 0;
}

bool ft__file_line(char line[FT__LINE_LENGTH], const char *root, const char *path, ...)
{
	char full[PATH_MAX], text[FT__LINE_LENGTH];
	va_list args;

	line[0] = '\0';
	va_start(args, path);
	bool joined = join(full, root, path, args);
	va_end(args);
	return joined && read_file(text, sizeof text, full) && copy_line(line, text);
}

bool ft__file_value(char value[FT__LINE_LENGTH], const char *text, const char *key)
{
	size_t length = strlen(key);
	const char *line = text;

	value[0] = '\0';
	while (line) {
		if (!strncmp(line, key, length)) {
			const char *p = line + length;

			p += strspn(p, " \t");
			if (*p == ':' || *p == '=')
				return copy_line(value, p + 1);
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return false;
}

double ft__file_count(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && *text) {
		if (!strncmp(text, key, length) && text[length] == ' ')
			return (double)strtoull(text + length + 1, NULL, 10);
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return 0;
}

bool ft__file_find(char path[PATH_MAX], const char *root, const char *pattern)
{
	glob_t found;
	int length = snprintf(path, PATH_MAX, "%s%s", root, pattern);

	if (length >= 0 && length < PATH_MAX && !glob(path, 0, NULL, &found)) {
		(void)snprintf(path, PATH_MAX, "%s", found.gl_pathv[0]);
		globfree(&found);
		return true;
	}
	path[0] = '\0';
	return false;
}

int ft__file_write(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t part = write(fd, bytes, length);

		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -1;
		bytes += part;
		length -= (size_t)part;
	}
	return 0;
}

int ft__file_exchange(const char *path, const char *bytes, size_t length)
{
	char fresh[PATH_MAX];

	if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh) {
		errno = ENAMETOOLONG;
		return -1;
	}
	(void)unlink(fresh);
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -1;
	int failed = ft__file_write(fd, bytes, length);
	return close(fd) || failed ? -1 : rename(fresh, path);
}

/*
 * All files below a folder.
 */

enum { FOLDERS_MOST = 32 };

/* Paths found so far. */
struct paths {
	char **path;
	size_t n, capacity;
};

static enum ft_status fail_errno(const char *path, struct ft_err *err)
{
	const enum ft_status status = errno == ENOENT || errno == ENOTDIR ? FT_ENOENT
				      : errno == EACCES || errno == EPERM ? FT_EACCESS
									  : FT_EIO;

	return ft_fail(err, status, "cannot read '%.200s': %s", path, strerror(errno));
}

/* path: taken */
static enum ft_status add_path(struct paths *paths, char *path, struct ft_err *err)
{
	char **grown = paths->n < FT_FILES_MOST
			       ? ft_grow(paths->path, paths->n, &paths->capacity, sizeof *grown)
			       : NULL;

	if (grown) {
		paths->path = grown;
		paths->path[paths->n++] = path;
		return FT_OK;
	}
	ft_free(path);
	return paths->n < FT_FILES_MOST ? ft_nomem(err)
					: ft_fail(err, FT_EINVAL, "more than %d files", (int)FT_FILES_MOST);
}

static enum ft_status list_folder(struct paths *paths, const char *folder, int depth, struct ft_err *err)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	enum ft_status status = FT_OK;

	if (!dir) /* one below, which is gone or locked, costs no others */
		return depth ? FT_OK : fail_errno(folder, err);
	while (!status && (entry = readdir(dir))) {
		struct ft_text text = {0};
		struct stat st;

		if (*entry->d_name == '.')
			continue;
		ft_text_add(&text, "%s/%s", folder, entry->d_name);
		char *path = ft_text_take(&text);
		if (!path) {
			status = ft_nomem(err);
		} else if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			status = depth < FOLDERS_MOST ? list_folder(paths, path, depth + 1, err) : FT_OK;
			ft_free(path);
		} else if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			status = add_path(paths, path, err);
		} else {
			ft_free(path);
		}
	}
	(void)closedir(dir);
	return status;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

enum ft_status ft_files_below(const char *folder, char ***path, size_t *n, struct ft_err *err)
{
	struct paths paths = {0};
	enum ft_status status = list_folder(&paths, folder, 0, err);

	if (paths.n)
		qsort(paths.path, paths.n, sizeof *paths.path, compare_paths);
	if (status) {
		ft_files_free(paths.path, paths.n);
		paths = (struct paths){0};
	}
	*path = paths.path;
	*n = paths.n;
	return status;
}

void ft_files_free(char **path, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ft_free(path[i]);
	ft_free(path);
}

/*
 * Find a program's file.
 */

int ft_path_check(const char *file)
{
	struct stat info;

	if (stat(file, &info))
		return errno;
	if (!S_ISREG(info.st_mode))
		return EACCES;
	return access(file, X_OK) ? errno : 0;
}

int ft_path_find(const char *name, char found[PATH_MAX])
{
	const char *at = getenv("PATH");
	char file[PATH_MAX];

	found[0] = '\0';
	if (!*name)
		return ENOENT;
	if (strchr(name, '/')) {
		int number = strlen(name) < PATH_MAX ? ft_path_check(name) : ENAMETOOLONG;

		if (!number || number == EACCES)
			(void)snprintf(found, PATH_MAX, "%s", name);
		return number;
	}
	for (at = at ? at : "/bin:/usr/bin";; at++) { /* as glibc without PATH */
		size_t length = strcspn(at, ":");
		int n = snprintf(file, PATH_MAX, "%.*s%s%s", (int)length, at, length ? "/" : "./", name),
		    number = n > 0 && n < PATH_MAX ? ft_path_check(file) : ENAMETOOLONG;

		/* Nothing is found in a folder that may not be searched. */
		if (!number || (number == EACCES && !*found && !access(file, F_OK)))
			(void)snprintf(found, PATH_MAX, "%s", file);
		at += length;
		if (!number || !*at)
			return !number ? 0 : *found ? EACCES : ENOENT;
	}
}

/*
 * Shared libraries loaded when they are first needed.
 */

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
