/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.h - what every command needs: complaints, memory, the store, interruption. */
#ifndef FT_CLI_COMMON_H
#define FT_CLI_COMMON_H

#include "cli/command.h"
#include "foretime/store.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* cli_fail - "foretime: TEXT" on standard error; what to do about it stands in the text, in a line of its own
 * that begins with "hint: ". Returns CLI_WRONG. */
int cli_fail(const char *format, ...) FT_PRINTF(1, 2);

/* cli_hint - "hint: TEXT" below a complaint, where it is one of several, or made of parts. */
void cli_hint(const char *format, ...) FT_PRINTF(1, 2);

/* cli_complaint - the last complaint, for who reads no standard error. hint: the last one below it; NULL:
 * there was none. */
const char *cli_complaint(const char **hint);

/* cli_note - "note: TEXT" on standard error: worth knowing, and no failure. */
void cli_note(const char *format, ...) FT_PRINTF(1, 2);

/* cli_error - what the library complained of, and its remedy; returns the exit status: CLI_NO when no model
 * is possible, CLI_INTERRUPTED, else CLI_WRONG. */
int cli_error(const struct ft_err *err);

/* cli_error_at - the same with "WHERE: " before it. */
int cli_error_at(const struct ft_err *err, const char *format, ...) FT_PRINTF(2, 3);

/* cli_given - the same pointer; ends the command when it is NULL: memory was out. */
void *cli_given(void *memory);

/* cli_alloc - zeroed memory, ends with free; ends the command when there is none. */
void *cli_alloc(size_t bytes);
char *cli_strdup(const char *text); /* the same of a string; NULL gives NULL */

/* CLI_OWN - a pointer that is freed when its scope is left: CLI_OWN char *text = cli_printed(...); */
#define CLI_OWN FT_CLEANUP(cli_free_own)
void cli_free_own(void *pointer); /* the address of the pointer whose memory is freed */

/* cli_printed - a formatted string; ends with free. */
char *cli_printed(const char *format, ...) FT_PRINTF(1, 2);

/* cli_reprint - the same in place of a text that cli_printed made (or NULL), which may stand among what is
 * printed: a list grows by it. */
void cli_reprint(char **text, const char *format, ...) FT_PRINTF(2, 3);

/* cli_grow - room for one more element of an array that is NULL at 0 elements, and has grown by this alone:
 * the array, moved perhaps; the new element is not zeroed. */
void *cli_grow(void *array, size_t count, size_t bytes);

/* cli_prior - the prior of growth beyond the data: FORETIME_GROWTH's file, else the site's where there is
 * one; NULL: the built-in one, also (after a note) where the file is damaged. Read once. path: may be NULL;
 * out: the file, NULL: none. */
const struct ft_prior *cli_prior(const char **path);

/* How a command uses the store. */
enum cli_access {
	CLI_READ,   /* it must be there; nothing is written */
	CLI_ANSWER, /* it must be there; models are kept when it may be written */
	CLI_WRITE,  /* it is created when it is not there */
};

/* cli_store_open - open the store at `path` (NULL: the usual place); returns CLI_DONE, or the exit status
 * after a complaint. */
int cli_store_open(struct ft_store **store, const char *path, enum cli_access access);

/* CLI_STORE - a store that is closed when its scope is left: CLI_STORE struct ft_store *store = NULL; */
#define CLI_STORE FT_CLEANUP(cli_store_end)
void cli_store_end(struct ft_store **store);

/* cli_store_open_list - the same for commands that list what there is: CLI_DONE with *store NULL when there
 * is no store yet. */
int cli_store_open_list(struct ft_store **store, const char *path);

/* cli_signals_catch - from now on SIGINT and SIGTERM raise the flag; a second one ends the command. */
void cli_signals_catch(void);
const volatile sig_atomic_t *cli_interrupt_flag(void);

/* cli_streams_fill - where one of the standard three is closed, nothing that we open takes its place: what is
 * printed there fails, and lands in no file. */
void cli_streams_fill(void);

/* cli_writes_catch - a closed pipe, and a limit on the size of files (batch systems set one), are errors of
 * the write, noticed at the end, and no sudden end. */
void cli_writes_catch(void);

/* What to do about EFBIG. */
#define CLI_LONGER_FILES "raise the limit on the size of files (ulimit -f)"

/* cli_stdout_close - everything printed is written: CLI_DONE, also when nobody reads it any more (head); or
 * the exit status after a complaint (a full disk). */
int cli_stdout_close(void);

#endif
