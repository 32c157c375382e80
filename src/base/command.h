/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - external tools: run without a shell, and with a time limit. */
#ifndef FT_BASE_COMMAND_H
#define FT_BASE_COMMAND_H

#include "foretime/base.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#define FT__AHEAD "--ahead" /* the word that such a process has instead of others */

/* A process of ours that was started ahead of its command: its words come later, so that nobody waits while it starts.
 * Zero: there is none. */
struct ft__ahead {
	pid_t pid;
	int words, out[2]; /* the socket for its words; our ends of its output and errors */
};

/* A command and what came of it. Zero-initialise; argv is the only field that must be set. Ends with
 * ft__command_clear. */
struct ft__command {
	const char *const *argv;                /* ends with NULL; the first is looked for in PATH */
	const char *const *environment;         /* "TZ=UTC": in place of ours; ends with NULL. NULL: ours */
	const char *input;                      /* what it reads; NULL: nothing */
	const volatile sig_atomic_t *interrupt; /* it is ended as soon as this is not 0; NULL: never */
	bool apart; /* in a process group of its own: what it started is ended with it, and Ctrl-C at a
			      terminal is for us alone. Else it gets that, too, and is ended alone */
	struct ft__ahead
		*ahead;    /* a process started ahead for argv[0], which is taken; NULL, none, or it has died:
				    the command is started now */
	double limit_s;    /* it is ended after so long; 0: 60 s */
	size_t most_bytes; /* it is ended when it prints more; 0: 256 MiB */
	long long memory_bytes; /* address space of each of its processes; 0: as ours. What it submits to a
				   batch system may inherit this and the next */
	int cpu_s;              /* processor time of each of its processes; 0: as ours */
	/* as it was */
	char *text; /* what it printed, and a zero byte */
	size_t length;
	char *words; /* the first 64 KiB that it wrote to standard error, likewise */
	int number;  /* the errno for which it was not started; 0: it was */
	int status;  /* with which it ended; -1: it did not by itself, or was not started */
	int signal;  /* that ended it, ours too; 0: none */
	bool late;   /* it did not end in time */
	bool much;   /* it printed more than most_bytes */
};

/* ft__command_run - run it to its end, and until no process holds its output open. SIGPIPE and SIGXFSZ have
 * their default actions in it, and no signal is blocked.
 *
 * Returns FT_OK if it ended with status 0; FT_EUNAVAIL: there is no such command; FT_EINTR: *interrupt;
 * FT_EIO if it was late, or printed too much, or ended in another way, with the last line of its errors;
 * FT_ENOMEM. err has no remedy. text and words are NULL only on FT_ENOMEM.
 */
enum ft_status ft__command_run(struct ft__command *command, struct ft_err *err);

/* ft__command_ahead - start a foretime that waits for its words (cli/main.c), in a process group of its own. It ends
 * when we do. Returns false if it could not be started. ft__command_dismiss - end one that still waits; accepts none. */
bool ft__command_ahead(struct ft__ahead *ahead, const char *program);
void ft__command_dismiss(struct ft__ahead *ahead);

/* ft__command_await - the other side: the words that come over our standard input, which is another one then. argv
 * ends with NULL, and is not freed. Returns how many; 0: none will come. */
int ft__command_await(char ***argv);

/* ft__command_begin - start a command and leave it running, in a process group of its own and with signals
 * as above: its input is empty, and its output and errors are appended to a file. Returns its number, to
 * wait for; -1 with errno: it is not started. argv: ends with NULL */
pid_t ft__command_begin(const char *const *argv, const char *output);

/* ft__command_line - a line of its words: the last one that is not empty, without blanks before it. Its
 * length: out, 0: it wrote none. */
const char *ft__command_line(const struct ft__command *command, int *length);

/* ft__command_self - the path that starts our own program again. The portable release (tools/release) starts a
 * program by its own dynamic loader, which is then our executable: the script foretime next to it takes its
 * place. False: there is no /proc, or the path does not fit. */
bool ft__command_self(char *path, size_t size);

/* ft__command_beside - the path of a program of ours: next to our own executable (in a build folder), in
 * ../libexec/foretime or ../../bin from it (an installation that was moved), or where it was to be installed.
 * False: it is in none of these, or does not fit; path has the last. */
bool ft__command_beside(const char *name, char *path, size_t size);

void ft__command_clear(struct ft__command *command); /* its input stays; may be called twice */

#endif
