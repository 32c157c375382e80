/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program_file.c - identifies the file of a program, and its version. */
#include "base/alloc.h"
#include "base/files.h"
#include "base/text.h"
#include "foretime/measure.h"
#include "measure/launch.h"
#include "measure/measure.h"
#include "measure/program_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * How a program is executed, as far as that determines the time of its start.
 */

/* For these "X /dev/null" is an empty run. */
static const char *const format_interpreters[] = {"sh",    "dash",  "bash",  "zsh",  "ksh", "python*",
						  "pypy*", "perl*", "ruby*", "lua*", "node"};

enum { HEAD_LENGTH = 512, INTERPRETER_LENGTH = 256 };

struct format {
	bool script, elf, dynamic;
	char interpreter
		[INTERPRETER_LENGTH]; /* of a script, the rest of its first line; of a dynamic program */
};

static bool read_at(int file, void *to, size_t length, off_t at)
{
	return pread(file, to, length, at) == (ssize_t)length;
}

/* System V ABI, chapter 5: the program header of type PT_INTERP names the dynamic linker. */
static void read_elf(int file, struct format *format)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) part;
	size_t i;

	if (!read_at(file, &head, sizeof head, 0) || head.e_phentsize != sizeof part ||
	    head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
		return;
	format->elf = true;
	for (i = 0; i < head.e_phnum; i++) {
		if (!read_at(file, &part, sizeof part, (off_t)(head.e_phoff + i * sizeof part)))
			return;
		if (part.p_type != PT_INTERP || part.p_filesz >= INTERPRETER_LENGTH)
			continue;
		format->dynamic = read_at(file, format->interpreter, part.p_filesz, (off_t)part.p_offset);
	}
}

static bool read_format(const char *path, struct format *format)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	char head[HEAD_LENGTH];
	ssize_t length = file < 0 ? -1 : pread(file, head, sizeof head - 1, 0);

	*format = (struct format){0};
	if (length >= 2 && !memcmp(head, "#!", 2)) {
		head[length] = '\0';
		head[strcspn(head, "\n")] = '\0';
		format->script = true;
		(void)snprintf(format->interpreter, sizeof format->interpreter, "%.*s",
			       INTERPRETER_LENGTH - 1, head + 2 + strspn(head + 2, " \t"));
	} else if (length >= SELFMAG && !memcmp(head, ELFMAG, SELFMAG)) {
		read_elf(file, format);
	}
	if (file >= 0)
		(void)close(file);
	return length >= 0;
}

static bool is_script_of(const char *program, const char *argument)
{
	const char *slash = strrchr(program, '/');
	struct stat info;

	if (!argument || stat(argument, &info) || !S_ISREG(info.st_mode))
		return false;
	for (size_t i = 0; i < sizeof format_interpreters / sizeof *format_interpreters; i++)
		if (!fnmatch(format_interpreters[i], slash ? slash + 1 : program, 0))
			return true;
	return false;
}

enum ft_status ft__format_empty(const char *const *argv, char path[FT__FORMAT_PATH],
				const char *empty[FT__FORMAT_WORDS + 1], struct ft_err *err)
{
	struct format format, ours;
	size_t n = 0;

	if (!read_format(argv[0], &format)) {
		(void)ft_fail_errno(err, errno, "cannot read '%s'", argv[0]);
		(void)ft_remedy(err, "make it readable: chmod +r '%s'", argv[0]);
		if (err)
			err->status = FT_EUNAVAIL;
		return FT_EUNAVAIL;
	}
	if (format.script) {
		(void)snprintf(path, FT__FORMAT_PATH, "%s", format.interpreter);
		empty[n++] = path;
		size_t blank = strcspn(path, " \t"); /* the rest is one argument (execve(2)) */
		if (path[blank]) {
			path[blank] = '\0';
			empty[n++] = path + blank + 1 + strspn(path + blank + 1, " \t");
		}
	} else if (is_script_of(argv[0], argv[1])) {
		empty[n++] = argv[0];
	} else {
		enum ft_status status = ft__launch_find(
			format.dynamic ? "foretime-empty" : "foretime-empty-static", path, err);
		if (status)
			return status;
		if (!format.elf || !read_format(path, &ours) ||
		    strcmp(ours.interpreter, format.interpreter) != 0) {
			(void)ft_fail(err, FT_EUNAVAIL,
				      "what '%s' takes to start is not known: it is of another format than "
				      "foretime",
				      argv[0]);
			(void)ft_remedy(err, "build it for this machine and its C library");
			return FT_EUNAVAIL;
		}
		empty[n++] = path;
		empty[n] = NULL;
		return FT_OK;
	}
	empty[n++] = "/dev/null";
	empty[n] = NULL;
	return FT_OK;
}

/* ---- finding ----------------------------------------------------------------------------------------- */

/*
 * Identifies the file of a program, and its version.
 */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Interpreters for files that are not executable; NULL: none, it has to be compiled. */
static const struct {
	const char *pattern, *interpreter;
} not_executable[] = {
	{"*.py", "python3"}, {"*.sh", "sh"},   {"*.R", "Rscript"}, {"*.pl", "perl"}, {"*.jl", "julia"},
	{"*.js", "node"},    {"*.rb", "ruby"}, {"*.lua", "lua"},   {"*.c", NULL},    {"*.cc", NULL},
	{"*.cpp", NULL},     {"*.f", NULL},    {"*.f90", NULL},
};

static enum ft_status remedy_not_executable(const char *path, struct ft_err *err)
{
	size_t i, n = sizeof not_executable / sizeof *not_executable;

	for (i = 0; i < n && fnmatch(not_executable[i].pattern, path, 0) != 0; i++)
		;
	if (i == n)
		return ft_remedy(err, "make it executable: chmod +x '%s'", path);
	if (!not_executable[i].interpreter)
		return ft_remedy(err, "it is source text: compile it, and name the program that comes of it");
	return ft_remedy(err, "start it through %s, or make it executable: chmod +x '%s'",
			 not_executable[i].interpreter, path);
}

enum ft_status ft__program_find(const char *name, char **out, struct ft_err *err)
{
	char found[PATH_MAX];
	int number = ft_path_find(name, found);

	*out = NULL;
	if (number == EACCES) {
		struct stat info;

		if (stat(found, &info)) {
			(void)ft_fail_errno(err, errno, "cannot execute '%s'", found);
			(void)ft_remedy(err, "a folder on the way to it may not be searched");
		} else if (S_ISDIR(info.st_mode)) {
			(void)ft_fail(err, FT_EACCESS, "cannot execute '%s': it is a folder", found);
			(void)ft_remedy(err, "name a program in it");
		} else if (!S_ISREG(info.st_mode)) {
			(void)ft_fail(err, FT_EACCESS, "cannot execute '%s': it is not a regular file",
				      found);
			(void)ft_remedy(err, "name a program");
		} else {
			(void)ft_fail(err, FT_EACCESS, "cannot execute '%s': Permission denied", found);
			if (info.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH))
				(void)ft_remedy(err, "other users may execute it, you may not; or its file "
						     "system is mounted noexec");
			else
				(void)remedy_not_executable(found, err);
		}
		return FT_EACCESS;
	}
	if (number) {
		const char *base = base_name(name);
		int folder = (int)(base - name);

		if (folder == 0) {
			(void)ft_fail(err, FT_ENOENT, "cannot find program '%s' on PATH", name);
			if (*name && !access(name, F_OK))
				(void)ft_remedy(err, "it lies in this folder: write ./%s", name);
			else
				(void)ft_remedy(err, "install it, or give its path");
			return FT_ENOENT;
		}
		(void)ft_fail_errno(err, number, "cannot find program '%s'", name);
		if (*base && !ft_path_check(base))
			(void)ft_remedy(err, "there is one in this folder: ./%s", base);
		else
			(void)ft_remedy(err, "build it, or correct its path (the folder is '%.*s')", folder,
					name);
		return FT_ENOENT;
	}
	*out = ft_strdup(found);
	return *out ? FT_OK : ft_nomem(err);
}

/* ---- hashing ----------------------------------------------------------------------------------------- */

/* Programs that execute what stands behind them. */
static const char *const interpreters[] = {
	"python*", "pypy*",   "perl*",  "bash",     "sh",       "dash",    "zsh",     "ksh",
	"fish",    "Rscript", "R",      "julia*",   "node",     "ruby*",   "lua*",    "octave*",
	"java",    "env",     "mpirun", "mpiexec*", "srun",     "taskset", "numactl", "nice",
	"time",    "timeout", "stdbuf", "valgrind", "foretime",
};

static bool is_interpreter(const char *path)
{
	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
		if (!fnmatch(interpreters[i], base_name(path), 0))
			return true;
	return false;
}

/* The first argument that names a file: the script. NULL when there is none. */
static const char *find_script(const struct ft_program *program)
{
	struct stat info;

	for (size_t i = 1; i < program->argc; i++)
		if (!ft__arguments_any(program->argv[i]) && !stat(program->argv[i], &info) &&
		    S_ISREG(info.st_mode))
			return program->argv[i];
	return NULL;
}

static enum ft_status hash_file(const char *path, uint64_t *hash, struct ft_err *err)
{
	unsigned char buffer[1 << 14];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum ft_status status = FT_OK;
	ssize_t n = 0;

	if (fd < 0) {
		status = ft_fail_errno(err, errno, "cannot read program '%s'", path);
		(void)ft_remedy(
			err,
			"foretime recognises a rebuilt program by its bytes: make it readable: chmod +r '%s'",
			path);
		return status;
	}
	while ((n = read(fd, buffer, sizeof buffer)) != 0) {
		if (n > 0)
			*hash = ft_hash_bytes(*hash, buffer, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	if (n < 0)
		status = ft_fail_errno(err, errno, "cannot read program '%s'", path);
	(void)close(fd);
	return status;
}

/* The executable, heap, and where that is an interpreter its script; NULL: none. */
static enum ft_status find_files(const struct ft_program *program, char **path, const char **script,
				 struct ft_err *err)
{
	const char *name = program->argc ? program->argv[0] : "";
	enum ft_status status;

	*path = NULL;
	if (ft__arguments_any(name)) {
		status = ft_fail(err, FT_EINVAL, "the program's own name, '%s', changes with the size", name);
		(void)ft_remedy(err, "start it through env: env '%s' ...", name);
		return status;
	}
	status = ft__program_find(name, path, err);
	if (*path)
		*script = is_interpreter(*path) ? find_script(program) : NULL;
	return status;
}

/* Whether a word states a size: a placeholder, or a parameter's value. */
static bool is_size(const struct ft_program *program, const char *word)
{
	for (size_t i = 0; i < program->n_params; i++) {
		size_t length = strlen(program->param[i].name);

		if (!strncmp(word, program->param[i].name, length) && word[length] == '=')
			return true;
	}
	return ft__arguments_any(word);
}

/* The version of a kernel that `foretime device run` launches (`foretime device run` in older stores)
 * covers its source and the options of the launch: groups, arguments, flags. For other programs words are
 * excluded, as they may be anything (an output path, for example). Returns where the launch begins; argc:
 * there is none. */
static size_t launch_at(const struct ft_program *program, const char *path)
{
	bool launches = program->argc > 3 && !strcmp(base_name(path), "foretime") &&
			(!strcmp(program->argv[1], "device") || !strcmp(program->argv[1], "kernel")) &&
			!strcmp(program->argv[2], "run");

	return launches ? 3 : program->argc;
}

/* Each word with the zero byte that ends it, except the path of the script. */
static uint64_t hash_launch(const struct ft_program *program, const char *path, const char *script,
			    uint64_t hash)
{
	for (size_t i = launch_at(program, path); i < program->argc; i++)
		if (program->argv[i] != script && !is_size(program, program->argv[i]))
			hash = ft_hash_bytes(hash, program->argv[i], strlen(program->argv[i]) + 1);
	return hash;
}

enum ft_status ft_program_hash(const struct ft_program *program, char **out, struct ft_err *err)
{
	char *path, digits[FT_HASH_LENGTH];
	uint64_t hash = FT_HASH_START;
	const char *script;
	enum ft_status status = find_files(program, &path, &script, err);

	*out = NULL;
	if (!path)
		return status;
	status = hash_file(path, &hash, err);
	if (!status && script)
		status = hash_file(script, &hash, err);
	hash = hash_launch(program, path, script, hash);
	if (program->driver)
		hash = ft_hash_bytes(hash, program->driver, strlen(program->driver));
	ft_free(path);
	if (status)
		return status;
	*out = ft_strdup(ft_hash_format(hash, digits));
	return *out ? FT_OK : ft_nomem(err);
}

static void add_stamp(struct ft_text *text, const struct stat *info)
{
	ft_text_add(text, "%llu:%llu:%lld:%lld.%09ld:%lld.%09ld ", (unsigned long long)info->st_dev,
		    (unsigned long long)info->st_ino, (long long)info->st_size,
		    (long long)info->st_mtim.tv_sec, info->st_mtim.tv_nsec, (long long)info->st_ctim.tv_sec,
		    info->st_ctim.tv_nsec);
}

enum ft_status ft_program_stamp(const struct ft_program *program, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	struct stat info;
	const char *script;
	char *path, digits[FT_HASH_LENGTH];
	enum ft_status status = find_files(program, &path, &script, err);

	*out = NULL;
	if (!path)
		return status;
	if (stat(path, &info))
		status = ft_fail_errno(err, errno, "cannot look at program '%s'", path);
	else
		add_stamp(&text, &info);
	if (!status && script && !stat(script, &info))
		add_stamp(&text, &info);
	if (launch_at(program, path) < program->argc)
		ft_text_add(&text, "%s ",
			    ft_hash_format(hash_launch(program, path, script, FT_HASH_START), digits));
	if (program->driver)
		ft_text_add(&text, "%s", program->driver);
	ft_free(path);
	if (status)
		return status;
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
