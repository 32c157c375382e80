/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c - writes files that appear whole or not at all, and aligned tables. */
#include "cli/cli.h"
#include "foretime/base.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Writes files that appear whole or not at all, and aligned tables.
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
			cli_terminal_data(true);
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

int cli_output_close(struct cli_output *output, bool keep)
{
	int status = CLI_DONE, number = 0;

	if (output->path && output->file) {
		if (ferror(output->file)) {
			/* Why a stream failed: what failed before fails again. */
			clearerr(output->file);
			errno = 0;
			number = (fputc('\n', output->file) == EOF || fflush(output->file)) && errno ? errno
												     : EIO;
		}
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
		cli_terminal_data(false);
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

void cli_table_add(struct cli_table *table, const char *format, ...)
{
	va_list args;
	char *cell = NULL;

	va_start(args, format);
	if (vasprintf(&cell, format, args) < 0)
		cell = cli_strdup("");
	va_end(args);
	if (!strstr(format, "%s") && strchr(format, '%') && (strstr(cell, "nan") || strstr(cell, "inf"))) {
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
