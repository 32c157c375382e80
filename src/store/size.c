/* SPDX-License-Identifier: GPL-3.0-or-later */
/* size.c - sizes as the texts that the store compares and counts. */
#include "store/store.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>

enum ft_status ft__size_text(const struct ft_size *size, char **out, struct ft_err *err)
{
	struct ft_text text = {0};

	*out = NULL;
	for (size_t i = 0; i < size->n; i++)
		if (!isfinite(size->value[i]))
			return ft_fail(err, FT_EINVAL, "value %zu of a size is not finite", i + 1);
	for (size_t i = 0; i < size->n; i++) {
		ft_text_add_bytes(&text, " ", i > 0);
		ft_text_add_number(&text, size->value[i] + 0.0); /* -0 is 0 */
	}
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

enum ft_status ft__size_parse(struct ft_store *store, const char *text, struct ft_size *out,
			      struct ft_err *err)
{
	*out = (struct ft_size){0};
	while (*text) {
		if (out->n == FT_PARAMS_MAX || !ft__number_scan_signed(text, &text, &out->value[out->n]) ||
		    isinf(out->value[out->n]) || (*text && *text != ' ')) {
			*out = (struct ft_size){0};
			return ft__damaged(store, "a size is no list of numbers", err);
		}
		out->n++;
		text += *text == ' ';
	}
	return FT_OK;
}
