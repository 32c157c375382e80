/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.c - complaints, memory, the store, interruption. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Capacity of an array that grows: this much, or the next power of two. */
enum { GROWN_LEAST = 8 };

/* A signal handler can reach only globals. */
static volatile sig_atomic_t interrupted, pipe_closed;

/* The last complaint, and its hint. */
static char complained[2][1024];

__attribute__((format(printf, 2, 0))) static void complain(const char *head, const char *format, va_list args)
{
	(void)fflush(stdout);
	fprintf(stderr, "%s: ", head);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

__attribute__((format(printf, 2, 0))) static void keep(char text[1024], const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	(void)vsnprintf(text, sizeof complained[0], format, again);
	va_end(again);
}

const char *cli_complaint(const char **hint)
{
	*hint = complained[1][0] ? complained[1] : NULL;
	return complained[0];
}

int cli_fail(const char *format, ...)
{
	static const char mark[] = "\nhint: ";
	va_list args;

	va_start(args, format);
	keep(complained[0], format, args);
	complain("foretime", format, args);
	va_end(args);
	char *hint = strstr(complained[0], mark);
	(void)snprintf(complained[1], sizeof complained[1], "%s", hint ? hint + strlen(mark) : "");
	if (hint)
		*hint = '\0';
	return CLI_WRONG;
}

void cli_hint(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep(complained[1], format, args);
	complain("hint", format, args);
	va_end(args);
}

void cli_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain("note", format, args);
	va_end(args);
}

static int status_of(const struct ft_err *err)
{
	if (err->remedy[0])
		cli_hint("%s", err->remedy);
	if (err->status == FT_ENOMODEL)
		return CLI_NO;
	return err->status == FT_EINTR ? CLI_INTERRUPTED : CLI_WRONG;
}

int cli_error(const struct ft_err *err)
{
	(void)cli_fail("%s", err->text[0] ? err->text : ft_status_text(err->status));
	return status_of(err);
}

int cli_error_at(const struct ft_err *err, const char *format, ...)
{
	char where[256];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(where, sizeof where, format, args);
	va_end(args);
	(void)cli_fail("%s: %s", where, err->text[0] ? err->text : ft_status_text(err->status));
	return status_of(err);
}

void *cli_given(void *memory)
{
	if (!memory) {
		(void)cli_fail("out of memory");
		exit(CLI_WRONG);
	}
	return memory;
}

void *cli_alloc(size_t bytes)
{
	return cli_given(calloc(1, bytes ? bytes : 1));
}

char *cli_strdup(const char *text)
{
	return text ? cli_given(strdup(text)) : NULL;
}

void cli_free_own(void *pointer)
{
	free(*(void **)pointer);
}

char *cli_printed(const char *format, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	return cli_given(n < 0 ? NULL : text);
}

void cli_reprint(char **text, const char *format, ...)
{
	char *before = *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(text, format, args) < 0)
		(void)cli_given(NULL);
	va_end(args);
	free(before);
}

void *cli_grow(void *array, size_t count, size_t bytes)
{
	bool full = !count || (count >= GROWN_LEAST && !(count & (count - 1)));

	if (!full)
		return array;
	return cli_given(reallocarray(array, count ? 2 * count : GROWN_LEAST, bytes));
}

/* ---- the prior ---------------------------------------------------------------------------------------- */

const struct ft_prior *cli_prior(const char **path)
{
	static struct ft_prior *prior;
	static const char *from;
	static bool found;
	struct ft_err err = {0};

	if (!found) {
		const char *named = getenv("FORETIME_GROWTH"), *usual = FT_SYSCONFDIR "/foretime/growth.conf";

		found = true;
		from = named ? named : access(usual, F_OK) ? "" : usual;
		if (*from && ft_prior_read(&prior, from, &err)) {
			cli_note("%s; the built-in prior is used (%s)", err.text,
				 err.remedy[0] ? err.remedy : "or unset FORETIME_GROWTH");
			from = "";
		}
	}
	if (path)
		*path = *from ? from : NULL;
	return prior;
}

/* ---- the store ---------------------------------------------------------------------------------------- */

/* Open a store for reading. One of an older foretime is brought up to date first, and what waits in its spool
 * is taken in, where it may be written. */
static enum ft_status open_for_reading(struct ft_store **store, const char *path, struct ft_err *err)
{
	enum ft_status status = ft_store_open(store, path, FT_STORE_READ, err);
	struct ft_store *writable;

	if (status ? status != FT_EACCESS : !ft_store_has_spool(*store))
		return status;
	if (!ft_store_open(&writable, path, 0, NULL)) {
		ft_store_close(writable);
		if (status)
			status = ft_store_open(store, path, FT_STORE_READ, err);
	}
	return status;
}

void cli_store_end(struct ft_store **store)
{
	ft_store_close(*store);
}

int cli_store_open(struct ft_store **store, const char *path, enum cli_access access_mode)
{
	struct ft_store *writable = NULL;
	struct ft_err err = {0};

	*store = NULL;
	if (access_mode == CLI_WRITE ? ft_store_open(store, path, 0, &err)
				     : open_for_reading(store, path, &err)) {
		int status = cli_error(&err);

		if (err.status == FT_ENOENT && !err.remedy[0])
			cli_hint("foretime build and foretime import make one; --store PATH chooses another");
		return status;
	}
	/* Opening it for writing at once would create it where it is missing. */
	if (access_mode == CLI_ANSWER && !access(ft_store_path(*store), W_OK) &&
	    ft_store_open(&writable, ft_store_path(*store), 0, NULL) == FT_OK) {
		ft_store_close(*store);
		*store = writable;
	}
	ft_store_set_prior(*store, cli_prior(NULL));
	return CLI_DONE;
}

int cli_store_open_list(struct ft_store **store, const char *path)
{
	struct ft_err err = {0};

	*store = NULL;
	if (open_for_reading(store, path, &err) == FT_OK || err.status == FT_ENOENT) {
		if (*store)
			ft_store_set_prior(*store, cli_prior(NULL));
		return CLI_DONE;
	}
	return cli_error(&err);
}

/* ---- signals ------------------------------------------------------------------------------------------ */

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void on_closed_pipe(int number)
{
	(void)number;
	pipe_closed = 1;
}

void cli_signals_catch(void)
{
	struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
}

const volatile sig_atomic_t *cli_interrupt_flag(void)
{
	return &interrupted;
}

static void on_long_file(int number)
{
	(void)number;
}

void cli_writes_catch(void)
{
	/* Ignoring them would be inherited by the measured programs; a handler is not. */
	struct sigaction action = {.sa_handler = on_closed_pipe, .sa_flags = SA_RESTART};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGPIPE, &action, NULL);
	action.sa_handler = on_long_file;
	(void)sigaction(SIGXFSZ, &action, NULL);
}

void cli_streams_fill(void)
{
	/* Each is opened the wrong way round: to use it is the error that it was. Programs still find it
	 * closed. */
	for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
		if (fcntl(file, F_GETFD) < 0)
			(void)open("/dev/null", (file == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int cli_stdout_close(void)
{
	bool before = ferror(stdout) != 0, pending = __fpending(stdout) > 0, good;

	errno = 0;
	good = fflush(stdout) ==
	       0; /* the stream itself stays: libraries in C++ flush it when the process ends */
	if (close(STDOUT_FILENO) == 0 && good && !before)
		return CLI_DONE;
	int number = cli_terminal_failure() ? cli_terminal_failure() : errno;
	if (pipe_closed || number == EPIPE)
		return CLI_DONE;
	if (number == EBADF && !before && !pending) /* closed by the caller, and nothing was to be printed */
		return CLI_DONE;
	return cli_fail("cannot write to standard output%s%s\n"
			"hint: what was printed is not complete: %s, or print elsewhere",
			number ? ": " : "", number ? strerror(number) : "",
			number == EFBIG ? CLI_LONGER_FILES : "make room there");
}

/*
 * Split a command that is one text.
 */

static const char blanks[] = " \t\n";

/* Split as a shell does: within double quotes a backslash protects special characters. Copies one word
 * from `at` to `to`, which has room, and returns the rest. NULL: a quote is not closed. */
static const char *split_word(const char *at, char *to)
{
	char quote = 0;

	for (; *at && (quote || !strchr(blanks, *at)); at++) {
		if (quote ? *at == quote : *at == '\'' || *at == '"') {
			quote = (char)(quote ? 0 : *at);
			continue;
		}
		if (*at == '\\' && at[1] && (!quote || (quote == '"' && strchr("\"\\$`", at[1]))))
			at++;
		*to++ = *at;
	}
	*to = '\0';
	return quote ? NULL : at;
}

int cli_words_split(const char *text, char ***word, size_t *n)
{
	*word = NULL;
	*n = 0;
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		char *one = cli_alloc(strlen(text) + 1);

		*word = cli_grow(*word, *n, sizeof **word);
		(*word)[(*n)++] = one;
		text = split_word(text, one);
		if (!text)
			break;
	}
	if (text && *n)
		return CLI_DONE;
	while (*n)
		free((*word)[--*n]);
	free(*word);
	*word = NULL;
	return cli_fail(text ? "there is no word in it" : "a quote is not closed");
}
