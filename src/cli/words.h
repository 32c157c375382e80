/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - a command written in one text. */
#ifndef FT_CLI_WORDS_H
#define FT_CLI_WORDS_H

#include <stddef.h>

/* cli_words_split - as a shell splits a line: blanks part words, 'all' and "all but \" and \\" are kept
 * together, a \ keeps what follows it. Nothing else is special, and no shell runs.
 *
 * word  out, [*n] heap strings in a heap array, each ends with free
 *
 * Returns CLI_DONE; or the exit status after a complaint: a quote that is not closed, no word.
 */
int cli_words_split(const char *text, char ***word, size_t *n);

#endif
