/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foretime.c - the command: the table of what it can do. */
#include "cli/command.h"
#include "cli/common.h"
#include "cli/options.h"

#include <string.h>

/* The commands by what they are for; the last of a group is NULL. */
static const struct heading {
	const char *name;
	const struct cli_command *command[12];
} groups[] = {
	{"every day",
	 {&cli_build, &cli_predict, &cli_largest, &cli_show, &cli_list, &cli_plot, &cli_fit, &cli_run,
	  &cli_rm}},
	{"batch systems, workflows, CI",
	 {&cli_request, &cli_verify, &cli_plan, &cli_slurm, &cli_import, &cli_export, &cli_program}},
	{"machines, devices, load, traces, energy",
	 {&cli_machine, &cli_device, &cli_kernel, &cli_load, &cli_trace, &cli_surrogate, &cli_energy,
	  &cli_pack}},
	{"service and help", {&cli_manager, &cli_serve, &cli_doctor, &cli_help}},
};

enum { N_GROUPS = sizeof groups / sizeof *groups };

const struct cli_command *cli_command_get(unsigned i)
{
	for (unsigned group = 0; group < N_GROUPS; group++)
		for (unsigned k = 0; groups[group].command[k]; k++)
			if (!i--)
				return groups[group].command[k];
	return NULL;
}

static const char *command_name(const void *ctx, size_t i)
{
	const struct cli_command *command = cli_command_get((unsigned)i);

	(void)ctx;
	return command ? command->name : NULL;
}

const struct cli_command *cli_command_find(const char *name)
{
	const struct cli_command *command;

	for (unsigned i = 0; (command = cli_command_get(i)); i++)
		if (!strcmp(command->name, name))
			return command;
	(void)cli_fail("unknown command '%s'", name);
	const char *nearest = cli_nearest(name, command_name, NULL);
	if (nearest)
		cli_hint("the nearest one is %s", nearest);
	else
		cli_hint("foretime --help lists them");
	return NULL;
}

void cli_overview(FILE *file)
{
	fputs("foretime tells what a run will cost before it is run.\n\n"
	      "  foretime build matmul n=64:3000 -- ./matmul {n}    measure a few sizes, make a model\n"
	      "  foretime predict matmul n=20000                    how long, and how sure\n",
	      file);
	for (unsigned group = 0; group < N_GROUPS; group++) {
		fprintf(file, "\n%s:\n", groups[group].name);
		for (unsigned k = 0; groups[group].command[k]; k++)
			fprintf(file, "  %-9s %s\n", groups[group].command[k]->name,
				groups[group].command[k]->about);
	}
	fputs("\nforetime COMMAND --help tells more; foretime help words says what the words of the answers "
	      "mean.\n"
	      "Models are kept in $FORETIME_STORE, else in ~/.local/share/foretime/store.db (--store PATH\n"
	      "chooses another file).\n",
	      file);
}
