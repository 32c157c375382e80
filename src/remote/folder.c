/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.c - the folder shared by all machines: made, locked, and read. */
#include "base/alloc.h"
#include "base/text.h"
#include "remote/remote.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {"sh",     "db", "end", "out", "plan", "db.part", "db.part-journal",
				      "end.new"};

enum { ENDINGS = sizeof endings / sizeof *endings };

/* Of an id, a dot and an ending. */
enum { NAME_MOST = FT__ID + 32 };

/* ---- the folder itself -------------------------------------------------------------------------------- */

static enum ft_status set_path(struct ft__folder *folder, const char *path, struct ft_err *err)
{
	if (strlen(path) + NAME_MOST >= PATH_MAX)
		return ft_fail(err, FT_EINVAL, "the path of the folder is too long: '%.100s...'", path);
	char *copy = ft_strdup(path);
	if (!copy)
		return ft_nomem(err);
	ft_free(folder->path);
	folder->path = copy;
	return FT_OK;
}

/* The name may hold anything: a word is drawn from it. */
static enum ft_status choose_usual(struct ft__folder *folder, const char *store, const char *program,
				   struct ft_err *err)
{
	struct ft_text path = {0};
	char whole[PATH_MAX], word[FT_HASH_LENGTH];

	if (!realpath(store, whole))
		return ft_fail_errno(err, errno, "'%s' has no whole path", store);
	ft_text_add(&path, "%s.via/%s", whole, ft_hash_format(ft_hash_text(program), word));
	enum ft_status status = path.failed ? ft_nomem(err) : set_path(folder, path.s, err);
	ft_text_clear(&path);
	return status;
}

enum ft_status ft__folder_choose(struct ft__folder *folder, const char *wanted, const char *store,
				 const char *program, struct ft_err *err)
{
	*folder = (struct ft__folder){.lock = -1, .usual = !wanted};
	return wanted ? set_path(folder, wanted, err) : choose_usual(folder, store, program, err);
}

static enum ft_status make_folder(struct ft__folder *folder, struct ft_err *err)
{
	char whole[PATH_MAX], *slash = strrchr(folder->path, '/');

	if (folder->usual) {
		*slash = '\0';
		(void)mkdir(folder->path, 0700);
		*slash = '/';
	}
	if (mkdir(folder->path, 0700) && errno != EEXIST) {
		(void)ft_fail_errno(err, errno, "cannot make the folder '%s'", folder->path);
		return ft_remedy(err, "choose another one, that all machines see, with --via folder=DIR");
	}
	if (!realpath(folder->path, whole))
		return ft_fail_errno(err, errno, "'%s' has no whole path", folder->path);
	return set_path(folder, whole, err);
}

/* Two that take the same files in would count runs twice. */
static enum ft_status lock_folder(struct ft__folder *folder, const char *program, struct ft_err *err)
{
	char path[PATH_MAX];
	int fd = open(ft__folder_path(folder, "lock", NULL, path), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return ft_fail_errno(err, errno, "cannot write '%s'", path);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		const int number = errno;

		(void)close(fd); /* the lock stays the other one's: it is not removed here */
		if (number != EWOULDBLOCK) {
			(void)ft_fail_errno(err, number, "cannot lock '%s': this file system has no locks",
					    path);
			return ft_remedy(
				err,
				"mount it with flock, or put the folder elsewhere with --via folder=DIR");
		}
		(void)ft_fail(err, FT_EBUSY, "another build of '%s' carries its runs through '%s'", program,
			      folder->path);
		return ft_remedy(err, "wait for its end, or give this one a --via folder=DIR of its own");
	}
	folder->lock = fd;
	return FT_OK;
}

enum ft_status ft__folder_open(struct ft__folder *folder, const char *program, struct ft_err *err)
{
	enum ft_status status = make_folder(folder, err);

	return status ? status : lock_folder(folder, program, err);
}

void ft__folder_close(struct ft__folder *folder)
{
	char path[PATH_MAX], *slash;

	if (folder->lock >= 0) {
		(void)unlink(ft__folder_path(folder, "lock", NULL, path));
		(void)close(folder->lock);
		if (!rmdir(folder->path) && folder->usual && (slash = strrchr(folder->path, '/'))) {
			*slash = '\0';
			(void)rmdir(folder->path);
		}
	}
	ft_free(folder->path);
	*folder = (struct ft__folder){.lock = -1};
}

/* ---- its files ---------------------------------------------------------------------------------------- */

char *ft__folder_path(const struct ft__folder *folder, const char *id, const char *ending,
		      char path[PATH_MAX])
{
	(void)snprintf(path, PATH_MAX, "%s/%s%s%s", folder->path, id, ending ? "." : "",
		       ending ? ending : "");
	return path;
}

enum ft_status ft__folder_write(const struct ft__folder *folder, const char *id, const char *ending,
				const char *text, struct ft_err *err)
{
	char path[PATH_MAX];
	FILE *file = fopen(ft__folder_path(folder, id, ending, path), "we");
	bool good = file && fputs(text, file) >= 0;

	if (file)
		good = !fclose(file) && good;
	return good ? FT_OK : ft_fail_errno(err, errno, "cannot write '%s'", path);
}

/* The length of the id in "0123456789abcdef0123456789abcdef.7.db"; 0: another name. */
static size_t id_length(const char *name, const char *ending)
{
	size_t hex = strspn(name, "0123456789abcdef"), digits;

	if (hex != 32 || name[hex] != '.')
		return 0;
	digits = strspn(name + hex + 1, "0123456789");
	return digits && digits < 10 && name[hex + 1 + digits] == '.' &&
			       !strcmp(name + hex + digits + 2, ending)
		       ? hex + 1 + digits
		       : 0;
}

static enum ft_status add_id(struct ft__ids *ids, const char *name, size_t length, struct ft_err *err)
{
	char(*grown)[FT__ID] = ft_grow(ids->id, ids->n, &ids->capacity, sizeof *ids->id);

	if (!grown)
		return ft_nomem(err);
	ids->id = grown;
	(void)snprintf(ids->id[ids->n++], sizeof *ids->id, "%.*s", (int)length, name);
	return FT_OK;
}

enum ft_status ft__folder_list(const struct ft__folder *folder, const char *ending, struct ft__ids *ids,
			       struct ft_err *err)
{
	DIR *dir = opendir(folder->path);
	struct dirent *entry;
	enum ft_status status = FT_OK;
	size_t length;

	while (dir && !status && (entry = readdir(dir)))
		if ((length = id_length(entry->d_name, ending)))
			status = add_id(ids, entry->d_name, length, err);
	if (dir)
		(void)closedir(dir);
	return status;
}

int ft__folder_result(const struct ft__folder *folder, const char *id)
{
	char path[PATH_MAX];
	FILE *file = fopen(ft__folder_path(folder, id, "end", path), "re");
	int how = -1;

	if (file) {
		if (fscanf(file, "%d", &how) != 1)
			how = -1;
		(void)fclose(file);
	}
	return how;
}

void ft__folder_last_words(const struct ft__folder *folder, const char *id, char *text, size_t size)
{
	char path[PATH_MAX], line[512];
	FILE *file = fopen(ft__folder_path(folder, id, "out", path), "re");

	*text = '\0';
	while (file && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line && strncmp(line, "hint: ", 6) != 0)
			(void)snprintf(text, size, "%s", line);
	}
	if (file)
		(void)fclose(file);
}

/* ---- gone --------------------------------------------------------------------------------------------- */

void ft__folder_drop(const struct ft__folder *folder, const char *id)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < ENDINGS; i++)
		(void)unlink(ft__folder_path(folder, id, endings[i], path));
}

/* Its digits are those of a task, or of a kind. */
static bool is_ours(const char *name)
{
	size_t hex = strspn(name, "0123456789abcdef");

	return (hex == 32 && name[hex] == '.') || (hex == 16 && !strncmp(name + hex, ".kind.", 6));
}

void ft__folder_clean(const struct ft__folder *folder)
{
	DIR *dir = opendir(folder->path);
	struct dirent *entry;
	char path[PATH_MAX];

	while (dir && (entry = readdir(dir)))
		if (is_ours(entry->d_name))
			(void)unlink(ft__folder_path(folder, entry->d_name, NULL, path));
	if (dir)
		(void)closedir(dir);
}
