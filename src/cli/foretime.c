/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foretime.c - the command: the table of what it can do. */
#include "cli/command.h"
#include "cli/common.h"
#include "cli/options.h"

#include <string.h>

static const struct cli_command *const commands[] = {
	&cli_build,  &cli_device, &cli_predict, &cli_largest, &cli_fit,     &cli_request,   &cli_verify,
	&cli_plan,   &cli_plot,   &cli_run,     &cli_program, &cli_machine, &cli_list,      &cli_show,
	&cli_rm,     &cli_export, &cli_import,  &cli_load,    &cli_trace,   &cli_surrogate, &cli_energy,
	&cli_kernel, &cli_slurm,  &cli_manager, &cli_doctor,  &cli_help,
};

const struct cli_command *cli_command_get(unsigned i)
{
	return i < sizeof commands / sizeof *commands ? commands[i] : NULL;
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
	const char *nearest;
	unsigned i;

	for (i = 0; (command = cli_command_get(i)); i++)
		if (!strcmp(command->name, name))
			return command;
	(void)cli_fail("unknown command '%s'", name);
	nearest = cli_nearest(name, command_name, NULL);
	if (nearest)
		cli_hint("the nearest one is %s", nearest);
	else
		cli_hint("foretime --help lists them");
	return NULL;
}

void cli_overview(FILE *file)
{
	const struct cli_command *command;
	unsigned i;

	fputs("foretime tells what a run will cost before it is run.\n\n"
	      "  foretime build matmul n=64:3000 -- ./matmul {n}    measure a few sizes, make a model\n"
	      "  foretime predict matmul n=20000                    how long, and how sure\n\n"
	      "commands:\n",
	      file);
	for (i = 0; (command = cli_command_get(i)); i++)
		fprintf(file, "  %-9s %s\n", command->name, command->about);
	fputs("\nforetime COMMAND --help tells more. Models are kept in $FORETIME_STORE, else in\n"
	      "~/.local/share/foretime/store.db (--store PATH chooses another file).\n",
	      file);
}
