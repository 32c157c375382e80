/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compile.c - runs clang, and says what it complained of. */
#include "kernel/compile.h"
#include "base/alloc.h"
#include "base/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a compiler may take: macros can be made to grow without end. An ordinary kernel takes 0.05 s and 60
 * MB. */
enum { SECONDS_MOST = 60, CODE_MOST = 64 << 20 };
static const long long memory_most = 4LL << 30;

enum { FLAGS_MOST = 64, OLDEST = 11, NEWEST = 30, COMMAND_MOST = 4096 };

/* Code as the interpreter wants it: loops stay loops, functions are put where they are called, names and
 * lines are kept. */
static const char *const flags[] = {
	"-x",
	"cl",
	"-cl-std=CL1.2",
	"-target",
	"spir64-unknown-unknown",
	"-Xclang",
	"-finclude-default-header",
	"-O1",
	"-fno-unroll-loops",
	"-finline-functions",
	"-mllvm",
	"-inline-threshold=100000",
	"-fno-discard-value-names",
	"-gline-tables-only",
	"-fno-color-diagnostics",
	"-fno-caret-diagnostics",
	"-ferror-limit=3",
	"-emit-llvm",
	"-c",
	"-o",
	"-",
};

/* The version of a compiler of that name, 0: there is none. */
static int version_of(const char *name)
{
	const char *const argv[] = {name, "--version", NULL};
	struct ft__command clang = {
		.argv = argv, .limit_s = SECONDS_MOST, .memory_bytes = memory_most, .cpu_s = SECONDS_MOST};
	int found = 0;

	(void)ft__command_run(&clang, NULL);
	const char *at = clang.text ? strstr(clang.text, "clang version ") : NULL;
	if (at)
		found = (int)strtol(at + strlen("clang version "), NULL, 10);
	ft__command_clear(&clang);
	return found;
}

/* A compiler whose library is there, too. */
static enum ft_status choose_compiler(const char *asked, char name[COMMAND_MOST], struct ft__llvm *llvm,
				      int *compiler, struct ft_err *err)
{
	int found = 0, last = 0;

	for (int i = NEWEST + 1; i >= OLDEST; i--) {
		if (i > NEWEST)
			(void)snprintf(name, COMMAND_MOST, "%s", asked ? asked : "clang");
		else
			(void)snprintf(name, COMMAND_MOST, "clang-%d", i);
		found = version_of(name);
		*compiler = found;
		last = found ? found : last;
		if (found && !ft__llvm_load(llvm, found, err))
			return FT_OK;
		if (asked)
			break;
	}
	if (last)
		return ft__llvm_load(llvm, last, err);
	(void)ft_fail(err, FT_EUNAVAIL, "cannot start %s, which compiles kernels", asked ? asked : "clang");
	(void)ft_remedy(err, "apt install clang, or name a compiler with --flags clang=NAME");
	return FT_EUNAVAIL;
}

/* The compiler's own words: its first line that says error, else the last line. */
static enum ft_status complain_of_source(const struct ft__command *clang, const char *path,
					 struct ft_err *err)
{
	char line[400] = "";
	const char *text = clang->words;

	if (clang->late)
		return ft_fail(err, FT_EPARSE, "clang took more than %d s for '%s', and was ended",
			       SECONDS_MOST, path);
	if (clang->much)
		return ft_fail(err, FT_EPARSE, "clang makes more of '%s' than %d MiB", path, CODE_MOST >> 20);
	const char *at = strstr(text, "error: ");
	while (at && at > text && at[-1] != '\n')
		at--;
	if (!at)
		at = text;
	(void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	if (!*line && clang->signal)
		(void)snprintf(line, sizeof line, "it was ended by signal %d", clang->signal);
	(void)ft_fail(err, FT_EPARSE, "clang does not compile '%.100s': %s", path,
		      *line ? line : "it gives no reason");
	(void)ft_remedy(
		err, "what a host program hands to the compiler is needed here, too: --flags '-DNAME=VALUE'");
	return FT_EPARSE;
}

enum ft_status ft__kernel_compile(const struct ft_kernel_source *source, char **bytes, size_t *length,
				  struct ft__llvm *llvm, int *compiler, struct ft_err *err)
{
	const char *argv[FLAGS_MOST + sizeof flags / sizeof *flags + 4];
	char name[COMMAND_MOST];
	struct ft__command clang = {.argv = argv,
				    .limit_s = SECONDS_MOST,
				    .most_bytes = CODE_MOST,
				    .memory_bytes = memory_most,
				    .cpu_s = SECONDS_MOST};
	size_t n = 0;

	*bytes = NULL;
	*length = 0;
	if (access(source->path, R_OK) != 0)
		return ft_fail_errno(err, errno, "cannot read '%s'", source->path);
	if (source->n_flags > FLAGS_MOST)
		return ft_fail(err, FT_EINVAL, "more than %d flags for the compiler", FLAGS_MOST);
	FT_TRY(choose_compiler(source->clang, name, llvm, compiler, err));
	argv[n++] = name;
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		argv[n++] = flags[i];
	for (size_t i = 0; i < source->n_flags; i++)
		argv[n++] = source->flag[i];
	argv[n++] = "--";
	argv[n++] = source->path;
	argv[n] = NULL;
	enum ft_status status = ft__command_run(&clang, err);
	if (!clang.number && status != FT_ENOMEM && (status || !clang.length))
		status = complain_of_source(&clang, source->path, err);
	if (!status) {
		*length = clang.length;
		*bytes = clang.text;
		clang.text = NULL;
	}
	ft__command_clear(&clang);
	return status;
}
