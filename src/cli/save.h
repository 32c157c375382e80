/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.h - keeping a run that somebody needed: whatever becomes of the store, the run's own end stays as it
 * is. */
#ifndef FT_CLI_SAVE_H
#define FT_CLI_SAVE_H

#include "foretime/store.h"

#include <signal.h>

/* cli_program_hash - the hash of a program's executable as it is now, as the store knows it since the file
 * was last changed, else read; "" when it cannot be. Ends with free. */
char *cli_program_hash(struct ft_store *store, const struct ft_program *program);

/* cli_save_begin - make ready to keep runs of a program while it runs: the store, the machine, the hash.
 * Takes place in a thread. program: borrowed until cli_save_end. */
struct cli_saving *cli_save_begin(const char *store_path, const struct ft_program *program);

/* cli_save_end - add runs of the program, and of its routines, to the store; when it cannot take them, to its
 * spool. What goes wrong is a note. trace: of the first one, which is kept beside it; NULL: none is. */
void cli_save_end(struct cli_saving *saving, struct ft_runs *runs, const char *trace);

/* cli_save_apart - runs of one execution in a store file of their own, which is there whole or not at all:
 * for who carries runs from machine to machine. Returns CLI_DONE, or the exit status after a complaint. */
int cli_save_apart(const char *path, const struct ft_program *program, struct ft_runs *runs);

/* cli_signals_pass - from now on signals that somebody sends to this process are to be passed on: the number
 * of the last one stands where the pointer tells. Those of a terminal reach the program by themselves. */
volatile sig_atomic_t *cli_signals_pass(void);

/* cli_end_by_signal - end this process by a signal, as the program was ended. Returns when that fails. */
void cli_end_by_signal(int number);

#endif
