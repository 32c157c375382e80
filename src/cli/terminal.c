/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.c - standard output and error as streams of our own, which let no character steer a terminal. */
#include "cli/terminal.h"
#include "foretime/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { CHARACTER_BYTES = 4, USUAL_WIDTH = 80, LEAST_WIDTH = 20, INDENT = 2 };

/* A stream, and the beginning of a character whose rest was not printed yet. */
struct guard {
	int fd, failure;       /* errno */
	bool raw, whole;       /* all characters stay; all lines do */
	size_t width;          /* of the terminal; 0: it is none */
	size_t column, blanks; /* where the cursor is, and blanks that are owed to the next word */
	size_t n_held;
	char held[CHARACTER_BYTES];
};

enum cli_color cli_color;

static struct guard out = {.fd = STDOUT_FILENO}, err = {.fd = STDERR_FILENO};

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

/* How many bytes from here on are nothing but letters and lines. */
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

/* What was held, with the first of new bytes, of which *taken are used. */
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

	return good ? (ssize_t)n : 0; /* as fopencookie wants it */
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
	stdout = stream_of(&out, stdout, isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF);
	stderr = stream_of(&err, stderr, _IOLBF);
}

void cli_terminal_data(bool data)
{
	(void)fflush(stdout);
	out.raw = data && isatty(STDOUT_FILENO) != 1;
	out.whole = data;
}

void cli_terminal_whole(bool whole)
{
	(void)fflush(stdout);
	out.whole = whole;
}

size_t cli_terminal_width(const FILE *file)
{
	size_t width = file == stderr ? err.width : out.width;

	return width ? width : USUAL_WIDTH;
}

void cli_terminal_paint(enum cli_paint paint)
{
	static const char *const sequence[] = {
		[CLI_PLAIN] = "\033[0m", [CLI_BOLD] = "\033[1m", [CLI_RED] = "\033[1;31m"};
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool usual = out.width && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;

	if (cli_color == CLI_COLOR_NEVER || (cli_color == CLI_COLOR_AUTO && !usual))
		return;
	(void)fflush(stdout);
	(void)write_all(&out, sequence[paint], strlen(sequence[paint]));
}

int cli_terminal_failure(void)
{
	return out.failure;
}

void cli_terminal_again(void)
{
	static const char clear[] = "\r\033[K";

	(void)fflush(stderr);
	err.column = err.blanks = 0;
	(void)write_all(&err, clear, sizeof clear - 1);
}
