/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - a command written in one text. */
#include "cli/words.h"
#include "cli/common.h"

#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\n";

/* As a shell takes it apart: within double quotes a backslash guards what is special there. One word from
 * `at` on into `to`, which has room; what is behind it. NULL: a quote is not closed. */
static const char *split_word(const char *at, char *to)
{
	char quote = 0;

	for (; *at && (quote || !strchr(blanks, *at)); at++) {
		if (quote ? *at == quote : *at == '\'' || *at == '"') {
			quote = (char)(quote ? 0 : *at);
			continue;
		}
		if (*at == '\\' && at[1] && (!quote || (quote == '"' && strchr("\"\\$`", at[1]))))
			at++;
		*to++ = *at;
	}
	*to = '\0';
	return quote ? NULL : at;
}

int cli_words_split(const char *text, char ***word, size_t *n)
{
	*word = NULL;
	*n = 0;
	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		char *one = cli_alloc(strlen(text) + 1);

		*word = cli_grow(*word, *n, sizeof **word);
		(*word)[(*n)++] = one;
		text = split_word(text, one);
		if (!text)
			break;
	}
	if (text && *n)
		return CLI_DONE;
	while (*n)
		free((*word)[--*n]);
	free(*word);
	*word = NULL;
	return cli_fail(text ? "there is no word in it" : "a quote is not closed");
}
