/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what a command is. A command is a file, NAME/NAME.c, and a row of the table in foretime.c. */
#ifndef FT_CLI_COMMAND_H
#define FT_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One of the things that a command does: foretime energy fit. The last row of a table has no name. */
struct cli_action {
	const char *name;
	const char *about;  /* one line, without full stop */
	const char *usage;  /* what stands behind "foretime COMMAND NAME" */
	const char *takes;  /* the options that it has a use for, by name, with a blank between them; "--"
			     where a command stands behind that */
	size_t least, most; /* words behind its name */
	int (*act)(void *asked); /* asked: the command's own. Returns the exit status. */
};

/* A command of two words, "plan pack", is one of the actions of the group that its first word names. */
struct cli_command {
	const char *name;
	const char *about; /* one line, without full stop */
	const char
		*usage; /* what stands behind "foretime NAME", a line for each form; NULL: those of actions */
	const char *notes;                /* printed below the options; may be NULL */
	const struct cli_action *actions; /* NULL: it does one thing */
	/* argv[0] is the command's name. Returns the exit status. */
	int (*run)(const struct cli_command *command, int argc, char **argv);
};

/* Exit statuses (design: The command line). */
enum { CLI_DONE = 0, CLI_NO = 1, CLI_WRONG = 2, CLI_INTERRUPTED = 130 };

/* CLI_TRY - return from the calling function with the exit status of a step that was not done. */
#define CLI_TRY(step)                                                                                        \
	do {                                                                                                 \
		int cli_tried = (step);                                                                      \
		if (cli_tried != CLI_DONE)                                                                   \
			return cli_tried;                                                                    \
	} while (0)

extern const struct cli_command cli_build, cli_device, cli_energy, cli_export, cli_fit, cli_help, cli_import,
	cli_largest, cli_list, cli_load, cli_machine, cli_pack, cli_plan, cli_plot, cli_predict, cli_request,
	cli_rm, cli_run, cli_serve, cli_set, cli_show, cli_slurm, cli_surrogate, cli_trace, cli_verify;

/* Whether foretime build ends what is printed, and names the next command; false in the one-line form. */
extern bool cli_build_is_last;

/* cli_command_get - the i-th command of the table; NULL past the last. Those of two words are the last ones.
 */
const struct cli_command *cli_command_get(unsigned i);

/* cli_command_in - the i-th command of two words whose first one is the name of a group; NULL past the last.
 */
const struct cli_command *cli_command_in(const char *group, unsigned i);

/* cli_alias - the words of a call, with the present spelling in place of an old or a short one.
 *
 * argc  in and out: how many words
 * word  [argc], the first one names the command
 *
 * Returns a new array, NULL behind its last word; ends with free. Words that were given are borrowed. */
char **cli_alias(int *argc, char *const *word);

/* cli_command_find - the command that the first words name; these move on to the last word of its name. When
 * there is none: says so on standard error, with the nearest one, and returns NULL. */
const struct cli_command *cli_command_find(int *argc, char ***word);

/* cli_overview - what `foretime --help` prints; all: every command with what it is for. */
void cli_overview(FILE *file, bool all);

/* cli_commands_manual - the commands as foretime(1) lists them, for man/page. */
void cli_commands_manual(void);

#endif
