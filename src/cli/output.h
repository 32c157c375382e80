/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - what commands print: files that appear whole or not at all, aligned tables, JSON. */
#ifndef FT_CLI_OUTPUT_H
#define FT_CLI_OUTPUT_H

#include "tell/tell.h"

/* ---- files -------------------------------------------------------------------------------------------- */

/* A file under a temporary name beside its own, until it is complete. Zero-initialise. */
struct cli_output {
	FILE *file;
	char *path, *temporary; /* NULL: a stream or a device, written directly */
};

/* cli_output_open - path NULL or "-": `usual` (a stream). Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_output_open(struct cli_output *output, const char *path, FILE *usual);

/* cli_output_close - keep it under its name (keep) or drop it; accepts one that was never opened, and twice.
 * Returns CLI_DONE, or the exit status after a complaint: then the file of that name is as it was before. */
int cli_output_close(struct cli_output *output, bool keep);

/* cli_output_text - a text that is there as a whole, on standard output where no file is named. */
int cli_output_text(const char *path, const char *text);

/* ---- tables ------------------------------------------------------------------------------------------- */

enum { CLI_COLUMNS_READ = 15 }; /* besides the first, of what may have any number of them */

/* Cells in aligned columns. Zero-initialise; ends with cli_table_print or cli_table_clear. */
struct cli_table {
	struct {
		size_t width;
		bool right, used; /* used: a cell below the head is no empty text */
	} * column;
	size_t columns;
	char **cell;
	size_t n;
};

/* cli_table_head - one column more, before any cell; a head that begins with '>' is for a right-aligned one.
 */
void cli_table_head(struct cli_table *table, const char *head);

/* cli_table_heads - several of them; the last is NULL. */
void cli_table_heads(struct cli_table *table, ...) __attribute__((sentinel));

/* cli_table_add - the next cell, row by row; the last cell of a row may be long. A figure that is none is
 * "-". */
void cli_table_add(struct cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* cli_table_tell - n structs as their rows say: a line each, below the heads where the table is still empty.
 */
void cli_table_tell(struct cli_table *table, const struct ft_tell_record *record, const void *told, size_t n,
		    const struct ft_tell_with *with);

/* cli_table_print - heads and rows; columns without any text are left out. Clears the table. */
void cli_table_print(struct cli_table *table, FILE *file);
void cli_table_clear(struct cli_table *table);

/* cli_tell_table - n structs as their rows say, printed on standard output. */
void cli_tell_table(const struct ft_tell_record *record, const void *told, size_t n,
		    const struct ft_tell_with *with);

/* cli_csv_cell - a text of any length as a cell of CSV, quoted where it must be; NULL: an empty one. */
void cli_csv_cell(FILE *file, const char *text);

/* ---- JSON --------------------------------------------------------------------------------------------- */

json_t *cli_json_array(void);

/* cli_json_append - the value is taken. */
void cli_json_append(json_t *array, json_t *value);

/* Values. A number that is NaN or infinite is null, as is a text that is NULL; text that is no UTF-8 loses
 * the bytes that are not. */
json_t *cli_json_number(double value);
json_t *cli_json_text(const char *text);
json_t *cli_json_bool(bool value);

/* cli_tell_csv - n structs as lines of CSV, below one of keys where `head`. */
void cli_tell_csv(FILE *file, const struct ft_tell_record *record, const void *told, size_t n,
		  const struct ft_tell_with *with, bool head);

/* cli_tell_json - what rows say; cli_tell - printed on standard output. */
json_t *cli_tell_json(const struct ft_tell_record *record, const void *told, const struct ft_tell_with *with);
void cli_tell(const struct ft_tell_record *record, const void *told, const struct ft_tell_with *with);

/* cli_json_print - the value and a newline, real numbers as short as they read back the same; the value is
 * taken. */
void cli_json_print(json_t *value, FILE *file);

#endif
