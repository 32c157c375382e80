/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - answers that were kept in files. */
#include "tell/read.h"
#include "base/alloc.h"
#include "base/input.h"

enum ft_status ft_tell_read(const char *path, char **bytes, size_t *length, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_open(&input, path, err);

	*bytes = NULL;
	*length = 0;
	if (!status)
		status = ft__input_all(input, FT__TEXT_MOST, bytes, length, err);
	ft__input_close(input);
	return status;
}

enum ft_status ft_tell_parse(const char *name, const char *bytes, size_t length, json_t **out,
			     struct ft_err *err)
{
	json_error_t error;
	enum ft_status status = ft__json_check(name, bytes, length, FT__READ_MOST, err);

	*out = NULL;
	if (status)
		return status;
	*out = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
	if (*out)
		return FT_OK;
	if (json_error_code(&error) == json_error_out_of_memory)
		return ft_nomem(err);
	return ft_fail(err, FT_EPARSE, "cannot read '%.200s': line %d: %.160s", name, error.line, error.text);
}

enum ft_status ft_tell_read_json(const char *path, json_t **out, struct ft_err *err)
{
	char *bytes;
	size_t length;
	enum ft_status status = ft_tell_read(path, &bytes, &length, err);

	*out = NULL;
	if (!status)
		status = ft_tell_parse(path, bytes, length, out, err);
	ft_free(bytes);
	return status;
}
