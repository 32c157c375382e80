/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.c - complaints, memory, the store, interruption. */
#include "cli/cli.h"
#include "foretime/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Wrap standard output and error in streams that pass no control characters to a terminal.
 */

enum { CHARACTER_BYTES = 4, USUAL_WIDTH = 80, LEAST_WIDTH = 20, INDENT = 2 };

/* A stream, and the beginning of a character whose rest has not arrived. */
struct guard {
	int fd, failure;       /* errno */
	bool raw, whole;       /* all characters stay; all lines do */
	size_t width;          /* of the terminal; 0: no terminal */
	size_t column, blanks; /* cursor position, and blanks to print before the next word */
	size_t n_held;
	char held[CHARACTER_BYTES];
};

enum cli_color cli_color;

static struct guard guard_out = {.fd = STDOUT_FILENO}, guard_err = {.fd = STDERR_FILENO};

static bool write_all(struct guard *guard, const char *bytes, size_t n)
{
	while (n) {
		ssize_t written = write(guard->fd, bytes, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			guard->failure = guard->failure ? guard->failure : errno;
			return false;
		}
		bytes += written;
		n -= (size_t)written;
	}
	return true;
}

/* How many bytes from here on are printable text or line ends. */
static size_t plain_length(const char *bytes, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const unsigned char byte = (unsigned char)bytes[i];

		if ((byte < ' ' && byte != '\n' && byte != '\t') || byte >= 0x7f)
			break;
	}
	return i;
}

/* Write the held bytes with the first of the new ones, of which *taken are used. */
static bool write_held(struct guard *guard, const char *bytes, size_t n, size_t *taken)
{
	char joined[2 * CHARACTER_BYTES], shown[FT_CHARACTER_LENGTH];
	size_t more = n < CHARACTER_BYTES ? n : CHARACTER_BYTES, length = guard->n_held + more, at = 0, used;

	memcpy(joined, guard->held, guard->n_held);
	memcpy(joined + guard->n_held, bytes, more);
	while (at < guard->n_held && (used = ft_character_show(joined + at, length - at, shown))) {
		if (!write_all(guard, shown, strlen(shown)))
			return false;
		at += used;
	}
	*taken = at < guard->n_held ? n : at - guard->n_held;
	guard->n_held = at < guard->n_held ? length - at : 0;
	memcpy(guard->held, joined + at, guard->n_held);
	return true;
}

static bool write_shown(struct guard *guard, const char *bytes, size_t n)
{
	char shown[FT_CHARACTER_LENGTH];
	size_t at = 0;

	if (guard->n_held && !write_held(guard, bytes, n, &at))
		return false;
	while (at < n) {
		size_t plain = plain_length(bytes + at, n - at);

		if (!write_all(guard, bytes + at, plain))
			return false;
		at += plain;
		if (at == n)
			break;
		size_t used = ft_character_show(bytes + at, n - at, shown);
		if (!used) {
			guard->n_held = n - at;
			memcpy(guard->held, bytes + at, guard->n_held);
			break;
		}
		if (!write_all(guard, shown, strlen(shown)))
			return false;
		at += used;
	}
	return true;
}

/* A word that has no room on its line begins the next one. Blanks wait for the word behind them. */
static bool write_words(struct guard *guard, const char *bytes, size_t n)
{
	static const char below[] = "\n  ", line = '\n';
	bool good = true;

	for (size_t at = 0; at < n && good;) {
		size_t word = 0, wide = 0;

		for (; at < n && bytes[at] == ' '; at++)
			guard->blanks++;
		for (; at + word < n && bytes[at + word] != ' ' && bytes[at + word] != '\n'; word++)
			wide += ((unsigned char)bytes[at + word] & 0xc0) != 0x80;
		if (word && guard->column && guard->column + guard->blanks + wide > guard->width) {
			good = write_all(guard, below, sizeof below - 1);
			guard->column = INDENT;
			guard->blanks = 0;
		}
		for (; word && guard->blanks && good; guard->blanks--, guard->column++)
			good = write_all(guard, " ", 1);
		good = good && write_shown(guard, bytes + at, word);
		guard->column += wide;
		at += word;
		if (at < n && bytes[at] == '\n') {
			good = good && write_all(guard, &line, 1);
			guard->column = guard->blanks = 0;
			at++;
		}
	}
	return good;
}

static ssize_t guard_write(void *cookie, const char *bytes, size_t n)
{
	struct guard *guard = cookie;
	bool good = guard->raw                      ? write_all(guard, bytes, n)
		    : guard->width && !guard->whole ? write_words(guard, bytes, n)
						    : write_shown(guard, bytes, n);

	return good ? (ssize_t)n : 0; /* as fopencookie requires */
}

static int guard_close(void *cookie)
{
	const struct guard *guard = cookie;

	return close(guard->fd);
}

static FILE *stream_of(struct guard *guard, FILE *usual, int buffering)
{
	FILE *file =
		fopencookie(guard, "w", (cookie_io_functions_t){.write = guard_write, .close = guard_close});
	struct winsize size;

	if (!file)
		return usual;
	if (isatty(guard->fd) == 1)
		guard->width = !ioctl(guard->fd, TIOCGWINSZ, &size) && size.ws_col >= LEAST_WIDTH
				       ? size.ws_col
				       : USUAL_WIDTH;
	(void)setvbuf(file, NULL, buffering, BUFSIZ);
	return file;
}

void cli_terminal_guard(void)
{
	stdout = stream_of(&guard_out, stdout, isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF);
	stderr = stream_of(&guard_err, stderr, _IOLBF);
}

void cli_terminal_data(bool data)
{
	(void)fflush(stdout);
	guard_out.raw = data && isatty(STDOUT_FILENO) != 1;
	guard_out.whole = data;
}

void cli_terminal_whole(bool whole)
{
	(void)fflush(stdout);
	guard_out.whole = whole;
}

size_t cli_terminal_width(const FILE *file)
{
	size_t width = file == stderr ? guard_err.width : guard_out.width;

	return width ? width : USUAL_WIDTH;
}

void cli_terminal_paint(enum cli_paint paint)
{
	static const char *const sequence[] = {
		[CLI_PLAIN] = "\033[0m", [CLI_BOLD] = "\033[1m", [CLI_RED] = "\033[1;31m"};
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool usual = guard_out.width && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;

	if (cli_color == CLI_COLOR_NEVER || (cli_color == CLI_COLOR_AUTO && !usual))
		return;
	(void)fflush(stdout);
	(void)write_all(&guard_out, sequence[paint], strlen(sequence[paint]));
}

int cli_terminal_failure(void)
{
	return guard_out.failure;
}

void cli_terminal_again(void)
{
	static const char clear[] = "\r\033[K";

	(void)fflush(stderr);
	guard_err.column = guard_err.blanks = 0;
	(void)write_all(&guard_err, clear, sizeof clear - 1);
}

/* ---- files -------------------------------------------------------------------------------------------- */

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
	struct ft_err err = {0};

	/* An answer is kept if the store may be written. That is tried first: to open it twice doubles a fourth of
	 * the instructions of a cached answer. */
	if ((access_mode != CLI_ANSWER || ft_store_open(store, path, FT_STORE_EXISTING, NULL)) &&
	    (access_mode == CLI_WRITE ? ft_store_open(store, path, 0, &err)
				      : open_for_reading(store, path, &err))) {
		int status = cli_error(&err);

		if (err.status == FT_ENOENT && !err.remedy[0])
			cli_hint("foretime build and foretime import make one; --store PATH chooses another");
		return status;
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

const char *cli_words_of(const char *text, char ***word, size_t *n)
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
		return NULL;
	while (*n)
		free((*word)[--*n]);
	free(*word);
	*word = NULL;
	return text ? "there is no word in it" : "a quote is not closed";
}

int cli_words_split(const char *text, char ***word, size_t *n)
{
	const char *why = cli_words_of(text, word, n);

	return why ? cli_fail("%s", why) : CLI_DONE;
}

/*
 * Files of secrets.
 */

enum { SECRET_MOST = 65536 };

/* Open a file whose permissions fit its purpose; -1 after a complaint. */
static int open_secret(const char *path, bool secret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		(void)cli_fail("cannot read '%s': %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		(void)cli_fail("'%s' is not a file", path);
	} else if (secret && st.st_mode & (S_IRWXG | S_IRWXO)) {
		(void)cli_fail("'%s' is a secret, and other users may read or write it\n"
			       "hint: chmod 600 '%s'",
			       path, path);
	} else {
		return fd;
	}
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

char *cli_secret_read(const char *path, bool secret)
{
	int fd = open_secret(path, secret);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = file ? cli_alloc(SECRET_MOST + 2) : NULL;
	size_t n = text ? fread(text, 1, SECRET_MOST + 1, file) : 0, all = n;
	const char *wrong = NULL;

	if (!text)
		return NULL;
	while (n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		n--;
	text[n] = '\0';
	if (ferror(file))
		wrong = "cannot be read";
	else if (all > SECRET_MOST)
		wrong = "is longer than 64 KiB";
	else if (strlen(text) != n)
		wrong = "has a zero byte";
	else if (!n)
		wrong = "is empty";
	(void)fclose(file);
	if (!wrong)
		return text;
	(void)cli_fail("'%s' %s", path, wrong);
	free(text);
	return NULL;
}
