/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor.c - what can be measured here, why other things cannot, and what machine this is. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "foretime/measure.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a command stands in PATH. */
static bool command_exists(const char *name)
{
	const char *path = getenv("PATH");
	bool found = false;

	while (path && *path && !found) {
		size_t length = strcspn(path, ":");
		char *file = cli_printed("%.*s/%s", (int)length, path, name);

		found = length && access(file, X_OK) == 0;
		free(file);
		path += length;
		path += *path == ':';
	}
	return found;
}

/* Whether runs here are fair: inside a job of a batch system, on a login node, or neither. */
static const char *batch_text(const struct ft_machine *machine)
{
	if (machine->scheduler)
		return machine->scheduler;
	if (command_exists("srun"))
		return "Slurm, outside a job: perhaps a login node, where others compute too";
	return "none";
}

static void print_fact(const char *what, const char *value)
{
	printf("  %-12s %s\n", what, value ? value : "unknown");
}

static void print_bytes(const char *what, int64_t bytes)
{
	char text[FT_UNIT_LENGTH];

	if (bytes)
		print_fact(what, ft_value_format((double)bytes, "bytes", text));
}

static void print_machine(const struct ft_machine *machine)
{
	char text[96];

	printf("machine\n");
	print_fact("host", machine->host);
	print_fact("fingerprint", machine->fingerprint);
	print_fact("processor", machine->cpu);
	(void)snprintf(text, sizeof text, "%d socket%s, %d core%s, %d thread%s", machine->sockets,
		       machine->sockets == 1 ? "" : "s", machine->cores, machine->cores == 1 ? "" : "s",
		       machine->threads, machine->threads == 1 ? "" : "s");
	print_fact("cores", text);
	print_bytes("L1 data", machine->l1d_bytes);
	print_bytes("L2", machine->l2_bytes);
	print_bytes("L3", machine->l3_bytes);
	print_bytes("memory", machine->memory_bytes);
	print_fact("system", machine->system);
	print_fact("governor", machine->governor);
	print_fact("virtual", machine->hypervisor ? machine->hypervisor : "no hypervisor seen");
	print_fact("batch system", batch_text(machine));
}

static void print_probes(void)
{
	const struct ft_probe_kind *probe;
	struct cli_table table = {0};
	size_t i;

	cli_table_heads(&table, "probe", "works", "what it tells", NULL);
	for (i = 0; (probe = ft_probe_get(i)); i++) {
		struct ft_err err = {0};
		bool works = probe->available(&err) == FT_OK;

		cli_table_add(&table, "%s", probe->name);
		cli_table_add(&table, "%s", works ? "yes" : "no");
		cli_table_add(&table, "%s", probe->resources);
		if (works)
			continue;
		cli_table_add(&table, "%s", "");
		cli_table_add(&table, "%s", "");
		cli_table_add(&table, "why: %s", err.text[0] ? err.text : ft_status_text(err.status));
		if (!err.remedy[0])
			continue;
		cli_table_add(&table, "%s", "");
		cli_table_add(&table, "%s", "");
		cli_table_add(&table, "remedy: %s", err.remedy);
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static json_t *json_of_probes(void)
{
	json_t *array = cli_json_array();
	const struct ft_probe_kind *probe;
	size_t i;

	for (i = 0; (probe = ft_probe_get(i)); i++) {
		json_t *row = cli_json_object();
		struct ft_err err = {0};
		bool works = probe->available(&err) == FT_OK;

		cli_json_set(row, "name", cli_json_text(probe->name));
		cli_json_set(row, "about", cli_json_text(probe->about));
		cli_json_set(row, "resources", cli_json_text(probe->resources));
		cli_json_set(row, "works", cli_json_bool(works));
		cli_json_set(row, "why", cli_json_text(works ? NULL : err.text));
		cli_json_set(row, "remedy", cli_json_text(works || !err.remedy[0] ? NULL : err.remedy));
		cli_json_append(array, row);
	}
	return array;
}

static int doctor(bool json)
{
	struct ft_machine machine = {0};
	struct ft_err err = {0};

	if (ft_machine_read("", &machine, &err))
		return cli_error(&err);
	if (json) {
		json_t *object = cli_json_new("doctor");

		cli_json_set(object, "version", cli_json_text(FT_VERSION));
		cli_json_set(object, "machine", cli_json_machine(&machine));
		cli_json_set(object, "batch", cli_json_text(batch_text(&machine)));
		cli_json_set(object, "probes", json_of_probes());
		cli_json_print(object, stdout);
	} else {
		print_machine(&machine);
		putchar('\n');
		print_probes();
	}
	ft_machine_clear(&machine);
	return CLI_DONE;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	const char *store_path = NULL;
	bool json = false;
	const struct cli_option options[] = {
		{0, "json", CLI_FLAG, &json, NULL, "print one JSON object"},
		{0, "store", CLI_TEXT, &store_path, "PATH", "taken, as by every command, and not used"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = words.n ? cli_fail("'doctor' takes no words: '%s'", words.word[0]) : doctor(json);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_doctor = {
	"doctor", "say what can be measured on this machine, and what not", "[OPTION...]", NULL, NULL, run,
};
