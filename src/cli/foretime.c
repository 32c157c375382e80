/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foretime.c - the table of commands and of their other names. */
#include "base/command.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Start foretime serve, which is the program foretime-service: it needs libraries that the foretime command,
 * started before every real run, should not load.
 */

enum { PATH_MOST = 4096 };

static int run_service(const struct cli_command *command, int argc, char **argv)
{
	char path[PATH_MOST];

	(void)command;
	(void)argc;
	if (ft__command_beside("foretime-service", path, sizeof path)) {
		(void)execv(path, argv);
		(void)cli_fail("cannot execute '%s': %s", path, strerror(errno));
	} else {
		(void)cli_fail("cannot find foretime-service in '%s'", FT_LIBEXECDIR);
	}
	cli_hint("install the package foretime-service, or foretime again");
	return CLI_WRONG;
}

/*
 * The table of commands and of their other names.
 */

const struct cli_command cli_serve = {
	"serve", "show the store in a browser, or answer programs (a manager)", NULL, NULL, NULL, run_service,
};

/* The commands by purpose; the last of a group is NULL. Groups whose heading has a colon are listed in one
 * line of `foretime --help`, the last two groups only in `--help=all`. */
static const struct heading {
	const char *name;
	const struct cli_command *command[12];
} groups[] = {
	{"every day",
	 {&cli_build, &cli_predict, &cli_largest, &cli_show, &cli_list, &cli_plot, &cli_fit, &cli_profile,
	  &cli_run, &cli_rm, &cli_set}},
	{"batch systems, workflows, CI", {&cli_request, &cli_report, &cli_verify, &cli_import, &cli_export}},
	{"several machines, devices, jobs", {&cli_plan, &cli_slurm, &cli_machine, &cli_device}},
	{"service and help", {&cli_serve, &cli_help}},
	{"traces, surrogates, energy", {&cli_trace, &cli_surrogate, &cli_energy}},
	{"parts of groups", {&cli_pack, &cli_load}},
};

enum { N_GROUPS = sizeof groups / sizeof *groups, N_SHOWN = N_GROUPS - 2 };

/* Old and short spellings, and what they stand for. Old ones go with the next release. */
static const struct {
	const char *old,
		*now; /* with a blank between words; the longer of two that begin alike comes first */
} aliases[] = {
	{"ls", "list"},
	{"delete", "rm"},
	{"remove", "rm"},
	{"version", "help --version"},
	{"--version", "help --version"},
	{"-V", "help --version"},
	{"--help=all", "help --all"},
	{"--help", "help"},
	{"-h", "help"},
	{"program set", "set"},
	{"program show", "set"},
	{"program unset", "set --unset"},
	{"program", "set"},
	{"kernel", "device"},
	{"doctor", "machine info"},
	{"load", "machine load"},
	{"pack", "plan pack"},
	{"manager", "serve --socket default"},
};

const struct cli_command *cli_command_get(unsigned i)
{
	for (unsigned group = 0; group < N_GROUPS; group++)
		for (unsigned k = 0; groups[group].command[k]; k++)
			if (!i--)
				return groups[group].command[k];
	return NULL;
}

const struct cli_command *cli_command_in(const char *group, unsigned i)
{
	size_t length = strlen(group);
	const struct cli_command *command;

	for (unsigned k = 0; (command = cli_command_get(k)); k++)
		if (!strncmp(command->name, group, length) && command->name[length] == ' ' && !i--)
			return command;
	return NULL;
}

static const char *command_name(const void *ctx, size_t i)
{
	const struct cli_command *command = cli_command_get((unsigned)i);

	(void)ctx;
	return command ? command->name : NULL;
}

/* How many words of a call belong to a name; 0: the call is another command. */
static int words_of(const char *name, int argc, char *const *word)
{
	int n = 0;

	for (const char *at = name; *at; at += strspn(at, " "), n++) {
		size_t length = strcspn(at, " ");

		if (n == argc || strlen(word[n]) != length || strncmp(word[n], at, length) != 0)
			return 0;
		at += length;
	}
	return n;
}

char **cli_alias(int *argc, char *const *word)
{
	const char *now = "";
	int n = 0, at = 0;

	for (size_t i = 0; i < sizeof aliases / sizeof *aliases && !n; i++) {
		n = words_of(aliases[i].old, *argc, word);
		now = n ? aliases[i].now : "";
	}
	/* One block: the array, and behind it the words that were not given. */
	size_t most = (size_t)*argc + strlen(now) + 1;
	char **replaced = cli_alloc(most * sizeof *replaced + strlen(now) + 1);
	char *text = memcpy(replaced + most, now, strlen(now) + 1), *rest = NULL;
	for (char *one = strtok_r(text, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
		replaced[at++] = one;
	for (; n < *argc; n++)
		replaced[at++] = word[n];
	*argc = at;
	return replaced;
}

const struct cli_command *cli_command_find(int *argc, char ***word)
{
	const struct cli_command *command, *found = NULL;
	int most = 0;

	for (unsigned i = 0; (command = cli_command_get(i)); i++) {
		int n = words_of(command->name, *argc, *word);

		if (n > most) {
			most = n;
			found = command;
		}
	}
	if (found) {
		*argc -= most - 1;
		*word += most - 1;
		return found;
	}
	const char *name = (*word)[0];
	(void)cli_fail(name[0] == '-' ? "unknown option '%s'" : "unknown command '%s'", name);
	const char *nearest = cli_nearest(name, command_name, NULL);
	if (name[0] == '-')
		cli_hint("options stand behind the command: foretime COMMAND %s; before it only --help and "
			 "--version",
			 name);
	else if (nearest)
		cli_hint("the nearest one is %s", nearest);
	else
		cli_hint("foretime --help lists them");
	return NULL;
}

void cli_overview(FILE *file, bool all)
{
	fputs("foretime predicts what a run will cost before you start it.\n\n"
	      "  foretime build matmul n=64:3000 -- ./matmul {n}   measure it at a few sizes\n"
	      "  foretime predict matmul n=20000                   how long, and how sure\n"
	      "  foretime './matmul {n}' n=64:3000                 build, plot and fit at once\n",
	      file);
	for (unsigned group = 0; group < (all ? N_GROUPS : N_SHOWN); group++) {
		const struct cli_command *const *command = groups[group].command;

		fprintf(file, "\n%s:%s", groups[group].name, all || !group ? "\n" : "");
		for (; *command; command++)
			if (all || !group)
				fprintf(file, "  %-12s %s\n", (*command)->name, (*command)->about);
			else
				fprintf(file, " %s%s", (*command)->name, command[1] ? "," : "");
	}
	fputs(all ? "\nModels are kept in $FORETIME_STORE, else in ~/.local/share/foretime/store.db\n"
		    "(--store PATH chooses another file). Colours: --color auto, always or never.\n"
		  : "\n\nmore: --help=all, foretime COMMAND --help, foretime help words, man foretime\n",
	      file);
}

void cli_commands_manual(void)
{
	puts("@COMMANDS@");
	for (unsigned group = 0; group < N_GROUPS; group++) {
		printf("\n## %c%s\n", toupper((unsigned char)*groups[group].name), groups[group].name + 1);
		for (const struct cli_command *const *command = groups[group].command; *command; command++) {
			fputs("\n*foretime-", stdout);
			for (const char *c = (*command)->name; *c; c++)
				putchar(*c == ' ' ? '-' : *c);
			printf("*(1)\n\t%c%s.\n", toupper((unsigned char)*(*command)->about),
			       (*command)->about + 1);
		}
	}
}
