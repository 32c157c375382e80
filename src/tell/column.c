/* SPDX-License-Identifier: GPL-3.0-or-later */
/* column.c - structs as lines of a table, as their rows say. */
#include "base/clock.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/units.h"
#include "tell/tell.h"

#include <math.h>
#include <string.h>

static bool is_absent(const struct ft_tell_row *row, const void *told)
{
	const char *at = told;

	if (!row->absent || !told)
		return false;
	at += row->offset;
	if (row->kind == FT_TELL_NUMBER)
		return isnan(*(const double *)(const void *)at);
	return (row->kind == FT_TELL_TEXT || row->kind == FT_TELL_RESOURCE || row->kind == FT_TELL_UNIT) &&
	       !ft_tell_word(row, at);
}

static size_t add_columns(const struct ft_tell_record *record, size_t offset, const void *first,
			  const struct ft_tell_with *with, bool csv,
			  struct ft_tell_column column[FT_TELL_COLUMNS], size_t n)
{
	const struct ft_tell_row *row;

	for (row = record->row; row->kind && n < FT_TELL_COLUMNS; row++) {
		bool one = csv ? row->csv && !is_absent(row, first)
			       : row->head && (!row->detail || !with || with->verbose);
		size_t times = row->kind == FT_TELL_SIZE && !row->key ? with->program->n_params : one;

		if (row->kind == FT_TELL_ROWS)
			n = add_columns(row->of, offset + row->offset,
					first ? (const char *)first + row->offset : NULL, with, csv, column,
					n);
		for (size_t i = 0; row->kind != FT_TELL_ROWS && i < times && n < FT_TELL_COLUMNS; i++)
			column[n++] = (struct ft_tell_column){row, offset, i};
	}
	return n;
}

size_t ft_tell_columns(const struct ft_tell_record *record, const void *first,
		       const struct ft_tell_with *with, bool csv,
		       struct ft_tell_column column[FT_TELL_COLUMNS])
{
	return add_columns(record, 0, first, with, csv, column, 0);
}

char *ft_tell_head(const struct ft_tell_column *column, const struct ft_tell_with *with)
{
	const char *head = column->row->head;
	struct ft_text text = {0};

	if (column->row->kind == FT_TELL_SIZE) {
		ft_text_add(&text, ">%s", with->program->param[column->param].name);
		return ft_text_take(&text);
	}
	const char *runs = strstr(head, "%s");
	if (runs)
		ft_text_add(&text, "%.*s%s%s", (int)(runs - head), head, with->runs, runs + 2);
	else
		ft_text_add(&text, "%s", head);
	return ft_text_take(&text);
}

/* ---- cells -------------------------------------------------------------------------------------------- */

char *ft_tell_within(double share, char buffer[FT_TELL_WITHIN])
{
	if (isnan(share))
		(void)snprintf(buffer, FT_TELL_WITHIN, "-");
	else if (share > 10)
		(void)snprintf(buffer, FT_TELL_WITHIN, "over 1000 %%");
	else
		(void)snprintf(buffer, FT_TELL_WITHIN, share < 0.995 ? "%.2g %%" : "%.0f %%", 100 * share);
	return buffer;
}

char *ft_tell_far(double distance, char buffer[FT_TELL_FAR])
{
	if (distance > 1000)
		(void)snprintf(buffer, FT_TELL_FAR, "over 1000x");
	else
		(void)snprintf(buffer, FT_TELL_FAR, distance < 99.95 ? "%.3gx" : "%.0fx", distance);
	return buffer;
}

char *ft_tell_age(int64_t ns, char buffer[FT_TELL_AGE])
{
	double age_s = 1e-9 * (double)(ft_clock_real_ns() - ns);
	char value[FT_UNIT_LENGTH];

	if (!ns)
		(void)snprintf(buffer, FT_TELL_AGE, "at an unknown time");
	else if (age_s >= 2 * 86400.0)
		(void)snprintf(buffer, FT_TELL_AGE, "%.0f days ago", age_s / 86400);
	else if (age_s < 1)
		(void)snprintf(buffer, FT_TELL_AGE, "just now");
	else if (age_s < 60) /* "5.00 s" would claim hundredths */
		(void)snprintf(buffer, FT_TELL_AGE, "%.0f s ago", floor(age_s));
	else
		(void)snprintf(buffer, FT_TELL_AGE, "%s ago", ft_value_format(floor(age_s), "s", value));
	return buffer;
}

/* The text of a member "unit"; that of all values where there is none. */
static const char *unit_of(const struct ft_tell_record *record, const void *told,
			   const struct ft_tell_with *with)
{
	const struct ft_tell_row *row;
	const char *unit = NULL;

	for (row = record->row; row->kind; row++)
		if (row->key && !strcmp(row->key, "unit"))
			unit = ft_tell_word(row, (const char *)told + row->offset);
	return unit ? unit : with->unit;
}

static const char *digits_of(double value, const char *how, char buffer[FT_UNIT_LENGTH])
{
	ft__double_print(buffer, FT_UNIT_LENGTH, how[1] - '0', how[2], value);
	return buffer;
}

static void add_number(struct ft_text *text, double value, const char *unit, const char *none)
{
	char buffer[FT_UNIT_LENGTH];

	if (unit && !strcmp(unit, "+-"))
		ft_text_add(text, "%s", ft_tell_within(value, buffer));
	else if (isnan(value) || (unit && *unit == '.' && isinf(value)))
		ft_text_add(text, "%s", none ? none : "-");
	else if (!unit)
		ft_text_add_number(text, value);
	else if (*unit == '.')
		ft_text_add(text, "%s%s", digits_of(unit[3] ? 100 * value : value, unit, buffer), unit + 3);
	else if (!strcmp(unit, "%"))
		ft_text_add(text, "%s", ft_share_format(value, buffer));
	else
		ft_text_add(text, "%s", ft_value_format(value, unit, buffer));
}

/* The value of what is a number; false: it is none. */
static bool number_of(const struct ft_tell_row *row, const void *at, double *value)
{
	if (row->kind == FT_TELL_NUMBER)
		*value = *(const double *)at;
	else if (row->kind == FT_TELL_GOT)
		*value = row->get(at);
	else if (row->kind == FT_TELL_COUNT)
		*value = (double)*(const size_t *)at;
	else if (row->kind == FT_TELL_INT)
		*value = *(const int *)at;
	else if (row->kind == FT_TELL_LONG)
		*value = (double)*(const int64_t *)at;
	else
		return false;
	if (row->kind != FT_TELL_NUMBER && row->kind != FT_TELL_GOT && row->null && *value == 0)
		*value = NAN;
	return true;
}

static void add_plain(struct ft_text *text, const struct ft_tell_row *row, const void *at)
{
	const char *said = "";
	char age[FT_TELL_AGE];

	if (row->kind == FT_TELL_BOOL)
		said = *(const bool *)at ? "yes" : "no";
	else if (row->kind == FT_TELL_TIME)
		said = ft_tell_age(*(const int64_t *)at, age);
	else
		said = ft_tell_word(row, at);
	ft_text_add(text, "%s", said ? said : row->none ? row->none : row->null ? "-" : "");
}

char *ft_tell_cell(const struct ft_tell_record *record, const struct ft_tell_column *column, const void *told,
		   const struct ft_tell_with *with)
{
	const struct ft_tell_row *row = column->row;
	const char *base = (const char *)told + column->offset;
	const void *at = base + row->offset;
	const char *unit = row->unit && !*row->unit ? unit_of(record, told, with) : row->unit;
	struct ft_text text = {0};
	double value;

	if (row->cell)
		return row->cell(base, with);
	if (row->kind == FT_TELL_SIZE)
		ft_text_add_number(&text, ((const struct ft_size *)at)->value[column->param]);
	else if (number_of(row, at, &value))
		add_number(&text, value, unit, row->none);
	else
		add_plain(&text, row, at);
	return ft_text_take(&text);
}

/* ---- CSV ---------------------------------------------------------------------------------------------- */

/* A text of others in quotes where it must be. */
static void add_quoted(struct ft_text *out, const char *text)
{
	bool bare = !text[strcspn(text, ",\"\r\n")];

	ft_text_add(out, "%s", bare ? "" : "\"");
	for (; *text; text++)
		ft_text_add(out, *text == '"' ? "\"\"" : "%c", *text);
	ft_text_add(out, "%s", bare ? "" : "\"");
}

static void add_field(struct ft_text *out, const struct ft_tell_column *column, const void *told)
{
	const struct ft_tell_row *row = column->row;
	const void *at = (const char *)told + column->offset + row->offset;
	struct ft_text text = {0};
	double value = NAN;

	if (row->kind == FT_TELL_SIZE)
		value = ((const struct ft_size *)at)->value[column->param];
	else if (!number_of(row, at, &value))
		add_plain(&text, row, at);
	if (text.s)
		add_quoted(out, text.s);
	else if (!isnan(value))
		ft_text_add_number(out, value);
	out->failed |= text.failed;
	ft_text_clear(&text);
}

static void add_keys(struct ft_text *out, const struct ft_tell_column *column, size_t n,
		     const struct ft_tell_with *with)
{
	for (size_t i = 0; i < n; i++) {
		bool size = column[i].row->kind == FT_TELL_SIZE;

		ft_text_add(out, "%s", i ? "," : "");
		add_quoted(out, size ? with->program->param[column[i].param].name : column[i].row->key);
	}
	ft_text_add(out, "\n");
}

enum ft_status ft_tell_csv(FILE *file, const struct ft_tell_record *record, const void *told, size_t n,
			   const struct ft_tell_with *with, bool head)
{
	struct ft_tell_column column[FT_TELL_COLUMNS];
	size_t columns = ft_tell_columns(record, n ? told : NULL, with, true, column), i, k;
	struct ft_text out = {0};
	bool failed;

	if (head)
		add_keys(&out, column, columns, with);
	for (i = 0; i < n; i++) {
		for (k = 0; k < columns; k++) {
			ft_text_add(&out, "%s", k ? "," : "");
			add_field(&out, &column[k], (const char *)told + i * record->bytes);
		}
		ft_text_add(&out, "\n");
	}
	failed = out.failed;
	if (!failed && out.s)
		fputs(out.s, file);
	ft_text_clear(&out);
	return failed ? FT_ENOMEM : FT_OK;
}
