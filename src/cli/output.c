/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes files that appear whole or not at all, and aligned tables. */
#include "cli/cli.h"
#include "foretime/csv.h"
#include "foretime/units.h"

#include <errno.h>
#include <stdarg.h>
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
	stdout = stream_of(&out, stdout, isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF);
	stderr = stream_of(&err, stderr, _IOLBF);
}

static void terminal_data(bool data)
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

/* ---- files -------------------------------------------------------------------------------------------- */

/*
 * Files that appear whole or not at all, and aligned tables.
 */

static int output_failed(const struct cli_output *output, const char *what, int number)
{
	(void)cli_fail("cannot %s '%s': %s", what, output->path, strerror(number));
	if (number == ENOSPC || number == EDQUOT)
		cli_hint("make room there, or choose another file");
	else if (number == EFBIG)
		cli_hint(CLI_LONGER_FILES ", or choose another file");
	else
		cli_hint("choose another file");
	return CLI_WRONG;
}

/* Choose the temporary name. */
static int choose_name(struct cli_output *output, const char *path)
{
	struct stat facts;
	bool there = stat(path, &facts) == 0;

	*output = (struct cli_output){0};
	if (there && S_ISDIR(facts.st_mode))
		return cli_fail("cannot write '%s': it is a folder", path);
	/* A link keeps pointing to the file that is replaced. */
	output->path = there ? realpath(path, NULL) : NULL;
	if (!output->path)
		output->path = cli_strdup(path);
	if (there && !S_ISREG(facts.st_mode)) /* a device or a pipe cannot be replaced */
		return CLI_DONE;
	char *slash = strrchr(output->path, '/');
	output->temporary = cli_printed("%.*s.%ld.%s", slash ? (int)(slash - output->path + 1) : 0,
					output->path, (long)getpid(), slash ? slash + 1 : output->path);
	return CLI_DONE;
}

int cli_output_open(struct cli_output *output, const char *path, FILE *usual)
{
	if (!path || !strcmp(path, "-")) {
		if (usual == stdout)
			terminal_data(true);
		*output = (struct cli_output){.file = usual};
		return CLI_DONE;
	}
	CLI_TRY(choose_name(output, path));
	if (output->temporary) /* left by a killed process of our number, or a planted link */
		(void)unlink(output->temporary);
	output->file = output->temporary ? fopen(output->temporary, "wxe") : fopen(output->path, "we");
	if (output->file)
		return CLI_DONE;
	int status = output_failed(output, "open", errno);
	free(output->temporary);
	free(output->path);
	*output = (struct cli_output){0};
	return status;
}

/* Why a stream failed: what failed before fails again. */
static int number_of(FILE *file)
{
	clearerr(file);
	errno = 0;
	return (fputc('\n', file) == EOF || fflush(file)) && errno ? errno : EIO;
}

int cli_output_close(struct cli_output *output, bool keep)
{
	int status = CLI_DONE, number = 0;

	if (output->path && output->file) {
		if (ferror(output->file))
			number = number_of(output->file);
		if (fclose(output->file) && !number)
			number = errno;
		if (number && keep) {
			status = output_failed(output, "write", number);
			keep = false;
		}
	}
	if (output->temporary && keep && rename(output->temporary, output->path)) {
		status = output_failed(output, "write", errno);
		keep = false;
	}
	if (output->temporary && !keep)
		(void)unlink(output->temporary);
	if (output->file == stdout)
		terminal_data(false);
	free(output->temporary);
	free(output->path);
	*output = (struct cli_output){0};
	return status;
}

int cli_output_text(const char *path, const char *text)
{
	struct cli_output output = {0};

	CLI_TRY(cli_output_open(&output, path, stdout));
	fputs(text, output.file);
	return cli_output_close(&output, true);
}

/* ---- tables ------------------------------------------------------------------------------------------- */

/* Characters of a UTF-8 text. */
static size_t count_characters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void add_text(struct cli_table *table, size_t column, char *text)
{
	size_t length = count_characters(text);

	table->cell = cli_grow(table->cell, table->n, sizeof *table->cell);
	table->cell[table->n++] = text;
	if (length > table->column[column].width)
		table->column[column].width = length;
}

static void add_cell(struct cli_table *table, char *cell)
{
	size_t column = table->n % table->columns;

	table->column[column].used |= *cell != '\0';
	add_text(table, column, cell);
}

void cli_table_head(struct cli_table *table, const char *head)
{
	size_t at = table->columns++;
	bool right = *head == '>';

	table->column = cli_grow(table->column, at, sizeof *table->column);
	table->column[at].width = 0;
	table->column[at].right = right;
	table->column[at].used = false;
	add_text(table, at, cli_strdup(head + right));
}

void cli_table_heads(struct cli_table *table, ...)
{
	va_list args;
	const char *head;

	va_start(args, table);
	while ((head = va_arg(args, const char *)))
		cli_table_head(table, head);
	va_end(args);
}

/* Only in columns of numbers: a name may be any text. */
static bool is_no_figure(const char *format, const char *cell)
{
	return !strstr(format, "%s") && strchr(format, '%') && (strstr(cell, "nan") || strstr(cell, "inf"));
}

void cli_table_add(struct cli_table *table, const char *format, ...)
{
	va_list args;
	char *cell = NULL;

	va_start(args, format);
	if (vasprintf(&cell, format, args) < 0)
		cell = cli_strdup("");
	va_end(args);
	if (is_no_figure(format, cell)) {
		free(cell);
		cell = cli_strdup("-");
	}
	add_cell(table, cell);
}

void cli_table_tell(struct cli_table *table, const struct ft_tell_record *record, const void *answer,
		    size_t n, const struct ft_tell_with *with)
{
	struct ft_tell_column column[FT_TELL_COLUMNS];
	size_t columns = ft_tell_columns(record, NULL, with, false, column), i, k;
	bool begun = table->n > 0;

	for (k = 0; k < columns && !begun; k++) {
		char *head = cli_given(ft_tell_head(&column[k], with));

		cli_table_head(table, head);
		free(head);
	}
	for (i = 0; i < n; i++)
		for (k = 0; k < columns; k++)
			add_cell(table,
				 cli_given(ft_tell_cell(record, &column[k],
							(const char *)answer + i * record->bytes, with)));
}

void cli_table_clear(struct cli_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		free(table->cell[i]);
	free(table->cell);
	free(table->column);
	*table = (struct cli_table){0};
}

/* The answer stands out, and what is not as it should be. */
static enum cli_paint paint_of(const struct cli_table *table, size_t i)
{
	static const char *const bad[] = {"OUTSIDE", "outside", "over", "broken"};

	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		if (!strcmp(table->cell[i], bad[k]))
			return CLI_RED;
	return i >= table->columns && !strcmp(table->cell[i % table->columns], "typical") ? CLI_BOLD
											  : CLI_PLAIN;
}

void cli_table_print(struct cli_table *table, FILE *file)
{
	size_t owed = 0;

	for (size_t i = 0; i < table->n; i++) {
		size_t column = i % table->columns,
		       pad = table->column[column].width - count_characters(table->cell[i]);
		bool right = table->column[column].right;
		/* A table of heads alone keeps them. */
		bool used = table->n == table->columns ? *table->cell[i] != '\0' : table->column[column].used;

		if (used) {
			/* Blanks are owed until a text follows: no line ends in blanks. */
			owed += right ? pad : 0;
			if (*table->cell[i]) {
				enum cli_paint paint = file == stdout ? paint_of(table, i) : CLI_PLAIN;

				fprintf(file, "%*s", (int)owed, "");
				if (paint != CLI_PLAIN)
					cli_terminal_paint(paint);
				fputs(table->cell[i], file);
				if (paint != CLI_PLAIN)
					cli_terminal_paint(CLI_PLAIN);
				owed = 0;
			}
			owed += (right ? 0 : pad) + 2;
		}
		if (column + 1 == table->columns) {
			fputc('\n', file);
			owed = 0;
		}
	}
	cli_table_clear(table);
}

void cli_tell_table(const struct ft_tell_record *record, const void *answer, size_t n,
		    const struct ft_tell_with *with)
{
	struct cli_table table = {0};

	cli_table_tell(&table, record, answer, n, with);
	cli_table_print(&table, stdout);
}

/* ---- CSV ---------------------------------------------------------------------------------------------- */

void cli_csv_cell(FILE *file, const char *text)
{
	size_t size = text ? ft_csv_quote(text, NULL, 0) + 1 : 0;
	CLI_OWN char *cell = cli_alloc(size + 1);

	if (text)
		(void)ft_csv_quote(text, cell, size);
	fputs(cell, file);
}
