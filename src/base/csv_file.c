/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_file.c - a table of text from a file, plain or gzip. */
#include "base/alloc.h"
#include "base/input.h"
#include "foretime/csv.h"

#include <stdint.h>

enum ft_status ft_csv_read(const char *path, char separator, struct ft_csv **out, struct ft_err *err)
{
	struct ft_input *input;
	char *bytes = NULL;
	size_t length;
	enum ft_status status = ft__input_open(&input, path, err);

	*out = NULL;
	if (status)
		return status;
	status = ft__input_all(input, SIZE_MAX - 1, &bytes, &length, err);
	if (!status)
		status = ft_csv_parse(ft__input_name(input), bytes, length, separator, out, err);
	ft_free(bytes);
	ft__input_close(input);
	return status;
}
