/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name.c - names of programs: which are good, and which is the nearest to one that is not there. */
#include "store/store.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/word.h"
#include "facts/params.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 200 };

/* A name as a sentence may show it: what could upset a terminal is a question mark, what is too long is left
 * out. */
static const char *show_name(const char *name, char shown[NAME_LENGTH + 1])
{
	const char *s = name;
	size_t at = 0;

	while (*s && at + 4 <= NAME_LENGTH) {
		size_t length = ft__utf8_length(s, SIZE_MAX);

		if (!length || ft__utf8_is_control(s)) {
			shown[at++] = '?';
			s += length ? length : 1;
		} else {
			memcpy(shown + at, s, length);
			at += length;
			s += length;
		}
	}
	shown[at] = '\0';
	return shown;
}

enum ft_status ft__name_check(const char *name, struct ft_err *err)
{
	const char *what = name ? ft__name_kept_fault(name) : "there is none";
	char shown[NAME_LENGTH + 1];

	if (!what)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' cannot be a program's name: %s",
		      show_name(name ? name : "", shown), what);
	(void)ft_remedy(err, "choose another NAME");
	return FT_EINVAL;
}

enum ft_status ft__name_unknown(struct ft_store *store, const char *name, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	char nearest[NAME_LENGTH + 1] = "", shown[NAME_LENGTH + 1];
	size_t least = SIZE_MAX;
	sqlite3_stmt *stmt;
	bool any = false;

	FT_TRY(ft__query(store, FT__NAMES, NULL, 0, &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const void *there = sqlite3_column_text(stmt, 0);
		size_t d = there ? ft_word_mistaken(name, there) : SIZE_MAX;

		any = any || there;
		if (d < least) {
			least = d;
			(void)snprintf(nearest, sizeof nearest, "%s", (const char *)there);
		}
	}
	if (status != FT_EEND)
		return status;
	(void)ft_fail(err, FT_ENOENT, "the store '%s' has no program '%s'", store->path,
		      show_name(name, shown));
	if (*nearest)
		(void)ft_remedy(err, "the nearest name is '%s'; foretime list shows all", nearest);
	else if (any)
		(void)ft_remedy(err, "foretime list shows the names that there are");
	else
		(void)ft_remedy(
			err,
			"it has none at all yet: foretime build, run --save and import put something there");
	return FT_ENOENT;
}
