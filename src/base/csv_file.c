/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_file.c - a table of text from a file, plain or gzip, or from memory. */
#include "base/csv_table.h"

enum ft_status ft_csv_read(const char *path, char separator, struct ft_csv **out, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_open(&input, path, err);

	*out = NULL;
	if (!status)
		status = ft__csv_read(input, separator, out, err);
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
		status = ft__csv_read(input, separator, out, err);
	ft__input_close(input);
	return status;
}
