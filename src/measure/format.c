/* SPDX-License-Identifier: GPL-3.0-or-later */
/* format.c - how a program is executed, as far as that decides what its start-up takes. */
#include "measure/format.h"
#include "measure/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* For these "X /dev/null" is an empty run. */
static const char *const interpreters[] = {"sh",    "dash",  "bash",  "zsh",  "ksh", "python*",
					   "pypy*", "perl*", "ruby*", "lua*", "node"};

enum { HEAD_LENGTH = 512, INTERPRETER_LENGTH = 256 };

struct format {
	bool script, elf, dynamic;
	char interpreter[INTERPRETER_LENGTH]; /* of a script, the rest of its first line; of a dynamic program
					       */
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
	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
		if (!fnmatch(interpreters[i], slash ? slash + 1 : program, 0))
			return true;
	return false;
}

static enum ft_status no_empty(const char *path, struct ft_err *err)
{
	(void)ft_fail(err, FT_EUNAVAIL,
		      "what '%s' takes to start is not known: it is of another format than foretime", path);
	(void)ft_remedy(err, "build it for this machine and its C library");
	return FT_EUNAVAIL;
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
		size_t blank = strcspn(path, " \t"); /* what follows is one argument (execve(2)) */
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
		    strcmp(ours.interpreter, format.interpreter) != 0)
			return no_empty(argv[0], err);
		empty[n++] = path;
		empty[n] = NULL;
		return FT_OK;
	}
	empty[n++] = "/dev/null";
	empty[n] = NULL;
	return FT_OK;
}
