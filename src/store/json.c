/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - the texts that the store keeps as JSON: numbers, sizes. */
#include "store/store.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

enum { WRITE_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(17) };

json_t *ft__json_real(double value)
{
	if (isnan(value))
		return json_null();
	if (isinf(value))
		return json_string(value > 0 ? "inf" : "-inf");
	return json_real(value);
}

bool ft__json_number(const json_t *json, double *value)
{
	const char *word = json_string_value(json);

	*value = json_is_number(json) ? json_number_value(json) : (double)NAN;
	if (word && !strcmp(word, "inf"))
		*value = INFINITY;
	if (word && !strcmp(word, "-inf"))
		*value = -INFINITY;
	return json_is_number(json) || json_is_null(json) || isinf(*value);
}

/* The memory is ours, not that of jansson's current allocator: it has to be freed somewhere else. */
enum ft_status ft__json_text(const json_t *json, char **out, struct ft_err *err)
{
	size_t length = json ? json_dumpb(json, NULL, 0, WRITE_FLAGS) : 0;

	*out = length ? ft_malloc(length + 1) : NULL;
	if (!*out)
		return ft_nomem(err);
	if (json_dumpb(json, *out, length, WRITE_FLAGS) != length) {
		ft_free(*out);
		*out = NULL;
		return ft_nomem(err);
	}
	(*out)[length] = '\0';
	return FT_OK;
}

/* jansson names no reason when it has no memory. */
enum ft_status ft__json_parse(struct ft_store *store, const char *text, json_t **out, struct ft_err *err)
{
	json_error_t error;

	*out = json_loads(text ? text : "", 0, &error);
	if (*out)
		return FT_OK;
	if (!error.text[0] || json_error_code(&error) == json_error_out_of_memory)
		return ft_nomem(err);
	return ft__damaged(store, error.text, err);
}

enum ft_status ft__size_text(const struct ft_size *size, char **out, struct ft_err *err)
{
	json_t *array = json_array();
	enum ft_status status;
	bool made = array;
	size_t i;

	*out = NULL;
	for (i = 0; i < size->n && made; i++) {
		if (!isfinite(size->value[i])) {
			json_decref(array);
			return ft_fail(err, FT_EINVAL, "value %zu of a size is not finite", i + 1);
		}
		made = !json_array_append_new(array, json_real(size->value[i] + 0.0)); /* -0 is 0 */
	}
	status = made ? ft__json_text(array, out, err) : ft_nomem(err);
	json_decref(array);
	return status;
}

enum ft_status ft__size_parse(struct ft_store *store, const char *text, struct ft_size *out,
			      struct ft_err *err)
{
	json_t *array;
	enum ft_status status = ft__json_parse(store, text, &array, err);
	bool good = true;
	size_t i;

	*out = (struct ft_size){0};
	if (status)
		return status;
	good = json_is_array(array) && json_array_size(array) <= FT_PARAMS_MAX;
	for (i = 0; good && i < json_array_size(array); i++)
		good = ft__json_number(json_array_get(array, i), &out->value[i]);
	out->n = i;
	json_decref(array);
	if (good)
		return FT_OK;
	*out = (struct ft_size){0};
	return ft__damaged(store, "a size is no array of numbers", err);
}
