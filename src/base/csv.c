/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - parses tables of text, and reads their cells, numbers and notes. */
#include "base/alloc.h"
#include "base/csv_table.h"
#include "base/input.h"
#include "base/number.h"

#include <assert.h>
#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FT__TABLE_MAX = 256 << 20 };

void ft_csv_free(struct ft_csv *csv)
{
	if (!csv)
		return;
	ft_free(csv->name);
	ft_text_clear(&csv->bytes);
	ft_free(csv->cell);
	ft_free(csv->line);
	ft_free(csv->note);
	ft_free(csv);
}

size_t ft_csv_rows(const struct ft_csv *csv)
{
	return csv->n_lines - 1;
}

size_t ft_csv_columns(const struct ft_csv *csv)
{
	return csv->columns;
}

const char *ft_csv_column_name(const struct ft_csv *csv, size_t column)
{
	assert(column < csv->columns);
	return csv->bytes.s + csv->cell[column];
}

int ft_csv_column(const struct ft_csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->columns; i++)
		if (!strcmp(ft_csv_column_name(csv, i), name))
			return (int)i;
	return -1;
}

int ft_csv_column_of(const struct ft_csv *csv, const char *const *names)
{
	int column = -1;

	for (; *names && column < 0; names++)
		column = ft_csv_column(csv, *names);
	return column;
}

const char *ft_csv_cell(const struct ft_csv *csv, size_t row, size_t column)
{
	assert(row < ft_csv_rows(csv) && column < csv->columns);
	return csv->bytes.s + csv->cell[(row + 1) * csv->columns + column];
}

size_t ft_csv_line(const struct ft_csv *csv, size_t row)
{
	assert(row < ft_csv_rows(csv));
	return csv->line[row + 1];
}

enum ft_status ft_csv_number(const struct ft_csv *csv, size_t row, size_t column, bool empty_ok,
			     double *value, struct ft_err *err)
{
	const char *cell = ft_csv_cell(csv, row, column), *end;

	*value = NAN;
	if (!*cell && empty_ok)
		return FT_OK;
	if (ft__number_scan_signed(cell, &end, value) && !*end && isfinite(*value))
		return FT_OK;
	if (ft__number_read(cell, csv->separator == ',', value))
		return FT_OK;
	*value = NAN;
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column %zu (%.64s): '%.64s' is not a number", csv->name,
		      ft_csv_line(csv, row), column + 1, ft_csv_column_name(csv, column), cell);
	(void)ft_remedy(err, empty_ok ? "write digits, as in 3000, 2.5, 1e-6 or 64k, or leave the cell empty"
				      : "write digits, as in 3000, 2.5, 1e-6 or 64k");
	return FT_EPARSE;
}

const char *ft_csv_note(const struct ft_csv *csv, const char *key)
{
	for (size_t i = 0; i < csv->n_notes; i++)
		if (!strcmp(csv->bytes.s + csv->note[i].key, key))
			return csv->bytes.s + csv->note[i].value;
	return NULL;
}

/* Whether a cell would not read back unchanged: it contains a separator, trimmed blanks, or the start of a
   comment. */
static bool needs_quotes(const char *cell)
{
	size_t length = strlen(cell);

	return length && (strpbrk(cell, ",;\t\"\r\n") || cell[0] == ' ' || cell[length - 1] == ' ' ||
			  cell[0] == '#' || (unsigned char)cell[0] == 0xef);
}

/* Put a byte where there is room for it and a zero byte, and count it in any case. */
static void put_byte(char *buffer, size_t size, size_t *length, char byte)
{
	if (*length + 1 < size)
		buffer[*length] = byte;
	++*length;
}

size_t ft_csv_quote(const char *cell, char *buffer, size_t size)
{
	bool quotes = needs_quotes(cell);
	size_t length = 0;

	if (quotes)
		put_byte(buffer, size, &length, '"');
	for (; *cell; cell++) {
		if (*cell == '"')
			put_byte(buffer, size, &length, '"');
		put_byte(buffer, size, &length, *cell);
	}
	if (quotes)
		put_byte(buffer, size, &length, '"');
	if (size)
		buffer[length < size ? length : size - 1] = '\0';
	return length;
}

/*
 * A table of text: libcsv, given one line at a time, so that the line of every row is known.
 */

/* A table being read. */
struct csv_parse_reader {
	struct ft_csv *csv;
	struct csv_parser parser;
	size_t line;        /* of the text, from 1 */
	size_t row_line;    /* where the present row began */
	size_t row_cells;   /* how many it has so far */
	bool in_row;        /* a quoted cell goes on from the line before */
	size_t row_bytes;   /* of the present row so far */
	bool out_of_memory; /* callbacks cannot return it */
	/* Called for each row; NULL: rows are stored. */
	enum ft_status (*take)(void *ctx, const struct ft_csv *csv, struct ft_err *err);
	ft__csv_spare *spare; /* rows that cannot be read; NULL: the first one ends the reading */
	void *ctx;
	size_t header_bytes; /* of what is kept then; 0: the header is not complete yet */
	struct ft_text held; /* with spare: the lines of the present row behind its first */
	struct ft_err *err;
};

/* Keep a piece of text; returns where it stands. A failure shows in csv->bytes.failed. */
static size_t add_text(struct ft_csv *csv, const char *text, size_t length)
{
	size_t at = csv->bytes.length;

	ft_text_add_bytes(&csv->bytes, text, length);
	ft_text_add_bytes(&csv->bytes, "", 1);
	return at;
}

/* libcsv: a cell ends. */
static void take_cell(void *text, size_t length, void *data)
{
	struct csv_parse_reader *reader = data;
	struct ft_csv *csv = reader->csv;
	size_t *grown = ft_grow(csv->cell, csv->n_cells, &csv->cells_capacity, sizeof *grown);

	reader->row_cells++;
	if (!grown) {
		reader->out_of_memory = true;
		return;
	}
	csv->cell = grown;
	csv->cell[csv->n_cells++] = add_text(csv, length ? text : "", length);
}

/* libcsv: a row ends. */
static void end_row(int terminator, void *data)
{
	struct csv_parse_reader *reader = data;
	struct ft_csv *csv = reader->csv;
	size_t *grown = ft_grow(csv->line, csv->n_lines, &csv->lines_capacity, sizeof *grown);

	(void)terminator;
	reader->in_row = false;
	if (!grown) {
		reader->out_of_memory = true;
		return;
	}
	csv->line = grown;
	csv->line[csv->n_lines++] = reader->row_line;
}

/* A whole row without quotes, as libcsv reads it: most rows are such, and this takes a fifth of the time. */
static void split_row(struct csv_parse_reader *reader, const char *line, size_t length)
{
	struct ft_csv *csv = reader->csv;

	while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	size_t base = add_text(csv, line, length);
	if (csv->bytes.failed)
		return;
	char *const text = csv->bytes.s, *const end = text + base + length;
	for (char *at = text + base, *stop; at; at = stop < end ? stop + 1 : NULL) {
		if (csv->n_cells == csv->cells_capacity) {
			size_t *grown = ft_grow(csv->cell, csv->n_cells, &csv->cells_capacity, sizeof *grown);

			if (!grown) {
				reader->out_of_memory = true;
				return;
			}
			csv->cell = grown;
		}
		stop = memchr(at, csv->separator, (size_t)(end - at));
		stop = stop ? stop : end;
		char *last = stop;
		while (at < last && (*at == ' ' || *at == '\t'))
			at++;
		while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
			last--;
		*last = '\0';
		csv->cell[csv->n_cells++] = (size_t)(at - text);
		reader->row_cells++;
	}
	end_row('\n', reader);
}

static enum ft_status fail_at(struct csv_parse_reader *reader, size_t column, const char *what,
			      const char *remedy)
{
	(void)ft_fail(reader->err, FT_EPARSE, "%s:%zu: column %zu: %s", reader->csv->name, reader->row_line,
		      column, what);
	(void)ft_remedy(reader->err, "%s", remedy);
	return FT_EPARSE;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Column names must differ; empty ones (an index column without a name) may repeat. */
static enum ft_status check_names(struct csv_parse_reader *reader)
{
	struct ft_csv *csv = reader->csv;
	const char **name = ft_calloc(csv->columns, sizeof *name);
	const char *twice = NULL;
	size_t i;

	if (!name)
		return ft_nomem(reader->err);
	for (i = 0; i < csv->columns; i++)
		name[i] = ft_csv_column_name(csv, i);
	qsort(name, csv->columns, sizeof *name, compare_names);
	for (i = 1; i < csv->columns && !twice; i++)
		if (*name[i] && !strcmp(name[i - 1], name[i]))
			twice = name[i];
	ft_free(name);
	if (!twice)
		return FT_OK;
	for (i = csv->columns; strcmp(ft_csv_column_name(csv, i - 1), twice) != 0; i--)
		;
	(void)ft_fail(reader->err, FT_EPARSE, "%s:%zu: column %zu: another column is named '%.64s' too",
		      csv->name, reader->row_line, i, twice);
	(void)ft_remedy(reader->err, "rename one of the two");
	return FT_EPARSE;
}

/* Hand over the only row there is, and forget it. */
static enum ft_status hand_over(struct csv_parse_reader *reader)
{
	struct ft_csv *csv = reader->csv;
	enum ft_status status = reader->take(reader->ctx, csv, reader->err);

	csv->n_lines = 1;
	csv->n_cells = csv->columns;
	csv->bytes.length = reader->header_bytes;
	return status;
}

/* A row has ended: the first is the header, the rest have the same number of cells. */
static enum ft_status check_row(struct csv_parse_reader *reader)
{
	struct ft_csv *csv = reader->csv;
	size_t cells = reader->row_cells;
	char what[96];

	if (csv->n_lines == 1) {
		csv->columns = cells;
		enum ft_status status = check_names(reader);
		reader->header_bytes = status ? 0 : csv->bytes.length;
		return status;
	}
	if (cells == csv->columns)
		return reader->take ? hand_over(reader) : FT_OK;
	(void)snprintf(what, sizeof what, "the row has %zu cell%s where the header has %zu", cells,
		       cells == 1 ? "" : "s", csv->columns);
	return fail_at(reader, (cells < csv->columns ? cells : csv->columns) + 1, what,
		       "give every row as many cells as the header; quote cells that hold the separator");
}

/* The memory limit of a table, since a few kilobytes of gzip may hold a huge one. */
static enum ft_status check_memory(struct csv_parse_reader *reader)
{
	const struct ft_csv *csv = reader->csv;
	size_t bytes = csv->bytes.length + csv->n_cells * sizeof *csv->cell +
		       csv->n_lines * sizeof *csv->line + csv->n_notes * sizeof *csv->note;

	if (bytes <= FT__TABLE_MAX)
		return FT_OK;
	(void)ft_fail(reader->err, FT_EPARSE, "%s:%zu: column 1: the table takes more than %d MiB of memory",
		      csv->name, reader->line, FT__TABLE_MAX >> 20);
	(void)ft_remedy(reader->err, "leave out columns or rows, or split it");
	return FT_EPARSE;
}

/* Why libcsv stopped, or what its callbacks could not return. */
static enum ft_status check_parser(struct csv_parse_reader *reader, bool stopped)
{
	int why = csv_error(&reader->parser);

	if (reader->out_of_memory || reader->csv->bytes.failed || (stopped && why != CSV_EPARSE))
		return ft_nomem(reader->err);
	if (stopped)
		return fail_at(reader, reader->row_cells + 1, "a quote in the middle of a cell",
			       "put the whole cell in quotes and double those inside it");
	return FT_OK;
}

/* A comment before the header: "# key: value" is kept. */
static bool take_note(struct ft_csv *csv, const char *text, size_t length)
{
	const char *end = text + length, *colon = memchr(text, ':', length), *value;

	if (!colon)
		return true;
	struct ft__csv_note *grown = ft_grow(csv->note, csv->n_notes, &csv->notes_capacity, sizeof *grown);
	if (!grown)
		return false;
	csv->note = grown;
	for (text++; text < colon && (*text == ' ' || *text == '\t'); text++)
		;
	for (value = colon + 1; value < end && (*value == ' ' || *value == '\t'); value++)
		;
	for (; end > value && strchr(" \t\r\n", end[-1]); end--)
		;
	for (; colon > text && (colon[-1] == ' ' || colon[-1] == '\t'); colon--)
		;
	csv->note[csv->n_notes].key = add_text(csv, text, (size_t)(colon - text));
	csv->note[csv->n_notes++].value = add_text(csv, value, (size_t)(end - value));
	return !csv->bytes.failed;
}

static bool is_blank(const char *line, size_t length, char separator)
{
	for (size_t i = 0; i < length; i++)
		if (line[i] == separator || !strchr(" \t\r\n", line[i]))
			return false;
	return true;
}

/* One line of the text, with its end. */
static enum ft_status read_line(struct csv_parse_reader *reader, const char *line, size_t length)
{
	const char *zero = memchr(line, '\0', length);
	size_t whole = zero ? (size_t)(zero - line) : length, eaten;
	bool began = reader->in_row;

	FT_TRY(check_memory(reader));
	if (!began) {
		reader->row_line = reader->line;
		reader->row_cells = 0;
		reader->row_bytes = 0;
	}
	if (began && reader->spare)
		ft_text_add_bytes(&reader->held, line, length);
	else
		reader->held.length = 0;
	if (reader->held.failed)
		return ft_nomem(reader->err);
	reader->row_bytes += length;
	if (reader->row_bytes > FT__LINE_MAX)
		return fail_at(reader, reader->row_cells + 1, "the row is longer than 1 MiB",
			       "close its quotes");
	if (!zero && !began && line[0] == '#')
		return reader->csv->n_lines || take_note(reader->csv, line, length) ? FT_OK
										    : ft_nomem(reader->err);
	if (!zero && !began && is_blank(line, length, (char)csv_get_delim(&reader->parser)))
		return FT_OK;
	reader->in_row = true; /* until end_row */
	const bool plain = csv_get_quote(&reader->parser) == '\0';
	if (!began && !zero && (plain || !memchr(line, '"', length))) {
		eaten = whole;
		split_row(reader, line, length);
	} else {
		eaten = csv_parse(&reader->parser, line, whole, take_cell, end_row, reader);
	}
	enum ft_status status = check_parser(reader, eaten < whole);
	if (status == FT_OK && zero)
		status = fail_at(reader, reader->row_cells + 1, "a zero byte",
				 "this is no text, or text in UTF-16: save it as UTF-8");
	if (status == FT_OK && !reader->in_row)
		status = check_row(reader);
	return status;
}

static void begin_parser(struct csv_parse_reader *reader, char separator, bool plain)
{
	(void)csv_init(&reader->parser, CSV_STRICT | CSV_STRICT_FINI);
	csv_set_realloc_func(&reader->parser, ft_realloc);
	csv_set_free_func(&reader->parser, ft_free);
	csv_set_blk_size(&reader->parser, 4096);
	csv_set_delim(&reader->parser, (unsigned char)separator);
	if (plain) /* a byte that never comes */
		csv_set_quote(&reader->parser, '\0');
}

/* The end of the line that begins here, its CR, LF or CRLF included. */
static const char *line_end(const char *at, const char *end)
{
	while (at < end && *at != '\n' && *at != '\r')
		at++;
	if (at + 1 < end && at[0] == '\r' && at[1] == '\n')
		at++;
	return at < end ? at + 1 : end;
}

/* Leave out the row that failed if the caller agrees, and go on reading behind its first line: a quote
 * that is not closed took the lines behind it into its cell, and these are rows of their own. The first of
 * them with such a quote ended that cell, so that each line is read twice at most. */
static enum ft_status spare_row(struct csv_parse_reader *reader, enum ft_status status)
{
	struct ft_csv *csv = reader->csv;
	const char separator = (char)csv_get_delim(&reader->parser);
	const bool plain = csv_get_quote(&reader->parser) == '\0';
	struct ft_text again = reader->held;
	size_t from = 0, to, behind = 0;

	reader->held = (struct ft_text){0};
	while (status) {
		if (!reader->spare || !reader->header_bytes ||
		    (status = reader->spare(reader->ctx, status, reader->err)))
			break;
		csv->n_lines = 1;
		csv->n_cells = csv->columns;
		csv->bytes.length = reader->header_bytes;
		csv_free(&reader->parser);
		begin_parser(reader, separator, plain);
		reader->in_row = false;
		reader->line = reader->row_line;
		for (from = behind; from < again.length && !status; from = to) {
			to = (size_t)(line_end(again.s + from, again.s + again.length) - again.s);
			behind = reader->in_row ? behind : to; /* the first line of the row */
			reader->line++;
			status = read_line(reader, again.s + from, to - from);
		}
	}
	ft_text_clear(&again);
	return status;
}

/* The end of the text: a last line without a line end, an open quote, no header. */
static enum ft_status finish_text(struct csv_parse_reader *reader)
{
	enum ft_status status;

	do {
		bool row_is_open = reader->in_row;

		if (csv_fini(&reader->parser, take_cell, end_row, reader))
			status = fail_at(reader, reader->row_cells + 1, "a quote is not closed",
					 "close it, or double a quote that belongs to the text");
		else
			status = check_parser(reader, false);
		if (status == FT_OK && row_is_open)
			status = check_row(reader);
	} while (status && !(status = spare_row(reader, status)));
	if (status != FT_OK || reader->csv->n_lines)
		return status;
	reader->row_line = 1;
	return fail_at(reader, 1, "there is no header", "begin with a row of column names, as in n,wall_s");
}

static enum ft_status read_lines(struct csv_parse_reader *reader, struct ft_input *input)
{
	const char *line;
	size_t length;
	enum ft_status status;

	while ((status = ft__input_line(input, &line, &length, reader->err)) == FT_OK) {
		reader->line = ft__input_number(input);
		if ((status = read_line(reader, line, length)) && (status = spare_row(reader, status)))
			return status;
	}
	return status == FT_EEND ? finish_text(reader) : status;
}

/* The separator that occurs most in the first line that is neither blank nor comment, quoted parts left out.
 */
static char find_separator(const char *at, const char *end)
{
	static const char candidate[] = {',', '\t', ';'};
	size_t count[sizeof candidate] = {0}, i, best = 0;
	const char *next = at;
	bool quoted = false;

	if (end - at >= 3 && !memcmp(at, "\xef\xbb\xbf", 3)) /* byte order mark */
		at += 3;
	for (; at < end; at = next) {
		next = line_end(at, end);
		if (*at != '#' && !is_blank(at, (size_t)(next - at), '\0'))
			break;
	}
	for (; at < next; at++) {
		quoted ^= *at == '"';
		for (i = 0; i < sizeof candidate; i++)
			count[i] += !quoted && *at == candidate[i];
	}
	for (i = 1; i < sizeof candidate; i++)
		if (count[i] > count[best])
			best = i;
	return candidate[best];
}

static enum ft_status begin_table(struct csv_parse_reader *reader, const char *name, char separator,
				  bool plain)
{
	reader->csv = ft_calloc(1, sizeof *reader->csv);
	if (reader->csv)
		reader->csv->name = ft_strdup(name);
	if (!reader->csv || !reader->csv->name) {
		ft_csv_free(reader->csv);
		return ft_nomem(reader->err);
	}
	reader->csv->separator = separator;
	begin_parser(reader, separator, plain);
	return FT_OK;
}

/* csv_read - ft_csv_read of an input of which nothing was read yet. */
static enum ft_status csv_read(struct ft_input *input, char separator, struct ft_csv **out,
			       struct ft_err *err)
{
	struct csv_parse_reader reader = {.err = err};
	const char *head;
	size_t length;
	enum ft_status status = FT_OK;

	*out = NULL;
	if (!separator && !(status = ft__input_head(input, &head, &length, err)))
		separator = find_separator(head, head + length);
	if (!status)
		status = begin_table(&reader, ft__input_name(input), separator, false);
	if (status)
		return status;
	status = read_lines(&reader, input);
	csv_free(&reader.parser);
	if (status != FT_OK) {
		ft_csv_free(reader.csv);
		return status;
	}
	*out = reader.csv;
	return FT_OK;
}

char ft__csv_separator(const char *bytes, size_t length)
{
	return find_separator(bytes, bytes + length);
}

enum ft_status ft__csv_each(struct ft_input *input, char separator, bool plain,
			    enum ft_status (*row)(void *ctx, const struct ft_csv *csv, struct ft_err *err),
			    ft__csv_spare *spare, void *ctx, struct ft_err *err)
{
	struct csv_parse_reader reader = {.err = err, .take = row, .spare = spare, .ctx = ctx};
	enum ft_status status = begin_table(&reader, ft__input_name(input), separator, plain);

	if (status != FT_OK)
		return status;
	status = read_lines(&reader, input);
	csv_free(&reader.parser);
	ft_text_clear(&reader.held);
	ft_csv_free(reader.csv);
	return status;
}

/*
 * A table of text from a file, plain or gzip, or from memory.
 */

enum ft_status ft_csv_read(const char *path, char separator, struct ft_csv **out, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_open(&input, path, err);

	*out = NULL;
	if (!status)
		status = csv_read(input, separator, out, err);
	ft__input_close(input);
	return status;
}

enum ft_status ft_csv_parse(const char *name, const char *bytes, size_t length, char separator,
			    struct ft_csv **out, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_memory(&input, name, bytes, length, err);

	*out = NULL;
	if (!status)
		status = csv_read(input, separator, out, err);
	ft__input_close(input);
	return status;
}
