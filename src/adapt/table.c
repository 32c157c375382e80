/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - what the formats that are tables share: a header that tells them, cells that become fields. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/csv_table.h"

#include <math.h>
#include <string.h>

/* The first line that is neither blank nor a comment; its length without the end. */
static const char *header_of(const char *head, size_t length, size_t *line)
{
	const char *end = head + length, *next;

	for (; head < end; head = next) {
		for (next = head; next < end && *next != '\n' && *next != '\r'; next++)
			;
		*line = (size_t)(next - head);
		next += next < end;
		if (*line && *head != '#')
			return head;
	}
	return NULL;
}

static bool has_cell(const char *line, size_t length, char separator, const char *cell)
{
	size_t wanted = strlen(cell), from = 0, to;

	for (; from <= length; from = to + 1) {
		for (to = from; to < length && line[to] != separator; to++)
			;
		while (from < to && line[from] == ' ')
			from++;
		if (to - from == wanted && !memcmp(line + from, cell, wanted))
			return true;
	}
	return false;
}

bool ft__table_head(const char *head, size_t length, char separator, const char *const *column, size_t n)
{
	size_t line;
	const char *header = header_of(head, length, &line);

	for (size_t i = 0; header && i < n; i++)
		if (!has_cell(header, line, separator, column[i]))
			return false;
	return header != NULL;
}

enum ft_status ft__table_each(struct ft_import_job *job, char separator, bool plain,
			      enum ft_status (*row)(void *job, const struct ft_csv *csv, struct ft_err *err),
			      struct ft_err *err)
{
	job->commas = separator == ',';
	enum ft_status status = ft__csv_each(job->input, separator, plain, row, ft__job_spare, job, err);

	return status ? ft__job_spare_rest(job, status, err) : FT_OK;
}

enum ft_status ft__table_fields(struct ft_import_job *job, const struct ft_csv *csv, struct ft_err *err)
{
	size_t i, n = ft_csv_columns(csv);
	enum ft_status status = FT_OK;

	ft__record_begin(job, ft_csv_line(csv, 0));
	for (i = 0; i < n && !status; i++)
		if (*ft_csv_column_name(csv, i))
			status = ft__record_field(job, ft_csv_column_name(csv, i), ft_csv_cell(csv, 0, i),
						  i + 1, err);
	return status;
}

enum ft_status ft__table_samples(struct ft_import_job *job, const struct ft__column *column, size_t n,
				 struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		const struct ft__field *field = ft__record_find(&job->record, column[i].name);
		double value;

		if (!field || ft__is_missing(field->text) || ft__values_name(job, column[i].resource) ||
		    !isnan(ft_run_value(&job->record.run, column[i].resource)))
			continue;
		if (!column[i].read(field->text, &value))
			return ft__record_fail(job, field, "cannot be read", "write it as the tool does",
					       err);
		job->record.idle = job->record.idle || (value == 0 && column[i].resource == &ft_cpu_s);
		if (value == 0 && column[i].zero_is_missing)
			continue;
		status = ft__record_sample(job, column[i].resource, value, FT_MEASURED, field, NULL, err);
	}
	return status;
}
