/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - machines, sizes, ages and runs as commands show them. */
#include "cli/facts.h"
#include "cli/common.h"
#include "foretime/measure.h"

#include <stdlib.h>
#include <string.h>

/* ---- machines ----------------------------------------------------------------------------------------- */

char *cli_machine_text(const struct ft_machine *machine)
{
	const char *host = machine->host ? machine->host : machine->fingerprint;
	const char *cpu = machine->cpu ? machine->cpu : "";

	if (!machine->cpu && !machine->cores)
		return cli_strdup(host ? host : "unknown");
	return cli_printed("%s (%s%s%d core%s)", host ? host : "unknown", cpu, *cpu ? ", " : "",
			   machine->cores, machine->cores == 1 ? "" : "s");
}

static bool same_fingerprint(const struct ft_machine *a, const struct ft_machine *b)
{
	return a->fingerprint && b->fingerprint && !strcmp(a->fingerprint, b->fingerprint);
}

/* A count that stands in a note; 0: none does. */
static int64_t note_number(const struct ft_csv *csv, const char *key)
{
	const char *note = ft_csv_note(csv, key);
	double value;

	return note && !ft_number_parse(note, &value, NULL) && value >= 0 && value < 9e15 ? (int64_t)value
											  : 0;
}

void cli_machine_named(const char *name, struct ft_machine *machine)
{
	if (ft_machine_named(name, machine, NULL))
		(void)cli_given(NULL);
}

int cli_machine_of_table(const struct ft_csv *csv, bool here, struct ft_machine *machine)
{
	struct ft_machine noted = {0};
	struct ft_err err = {0};
	const char *fingerprint = NULL;

	*machine = (struct ft_machine){0};
	if (ft_machine_read("", machine, &err) && here)
		return cli_error(&err);
	if (here)
		return CLI_DONE;
	fingerprint = ft_csv_note(csv, "machine");
	if (fingerprint) {
		noted.fingerprint = cli_strdup(fingerprint);
		noted.host = cli_strdup(ft_csv_note(csv, "host"));
		noted.cpu = cli_strdup(ft_csv_note(csv, "cpu"));
		noted.architecture = cli_strdup(ft_csv_note(csv, "architecture"));
		noted.cores = (int)note_number(csv, "cores");
		noted.threads = (int)note_number(csv, "threads");
		noted.memory_bytes = note_number(csv, "memory_bytes");
	} else {
		noted.fingerprint = cli_strdup("0000000000000000");
		noted.host = cli_strdup("elsewhere");
	}
	if (same_fingerprint(machine, &noted)) {
		ft_machine_clear(&noted);
		return CLI_DONE;
	}
	ft_machine_clear(machine);
	*machine = noted;
	return CLI_DONE;
}

/* ---- units, sizes ------------------------------------------------------------------------------------- */

void cli_size_heads(struct cli_table *table, const struct ft_program *program)
{
	char head[FT_PARAM_LENGTH + 1];

	for (size_t i = 0; i < program->n_params; i++) {
		(void)snprintf(head, sizeof head, ">%s", program->param[i].name);
		cli_table_head(table, head);
	}
}

void cli_size_cells(struct cli_table *table, const struct ft_size *size)
{
	char digits[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < size->n; i++)
		cli_table_add(table, "%s", ft_number_format(size->value[i], digits));
}

void cli_print_param(const struct ft_param *param, bool steps, FILE *file)
{
	char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH], step[FT_NUMBER_LENGTH];

	fprintf(file, "parameter  %s", param->name);
	for (size_t i = 0; i < param->n_list; i++)
		fprintf(file, "%s%s", i ? ", " : " = ", ft_number_format(param->list[i], least));
	if (!param->n_list && (param->least != 0 || param->most != 0)) /* else it is not known */
		fprintf(file, " = %s", ft_number_format(param->least, least));
	if (!param->n_list && param->most > param->least) {
		fprintf(file, " .. %s", ft_number_format(param->most, most));
		if (param->factor > 0)
			fprintf(file, ", factor %s", ft_number_format(param->factor, step));
		else if (steps)
			fprintf(file, ", stride %s", ft_number_format(param->stride, step));
	}
	fputc('\n', file);
}

/* ---- runs ---------------------------------------------------------------------------------------------- */

char *cli_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail)
{
	return cli_given(ft_tell_failure_text(outcome, run, detail));
}
