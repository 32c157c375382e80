/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info.c - what can be measured here, why other things cannot, and what machine this is. */
#include "base/path.h"
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/machine/machine.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether runs here are fair: inside a job of a batch system, on a login node, or neither. */
static const char *batch_text(const struct ft_machine *machine)
{
	char found[PATH_MAX];

	if (machine->scheduler)
		return machine->scheduler;
	if (!ft_path_find("srun", found))
		return "Slurm, outside a job: perhaps a login node that other users share";
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

static void print_quota(double processors)
{
	char text[96];

	if (isnan(processors))
		return;
	(void)snprintf(text, sizeof text, "%.3g processor%s at once, for long (control group)", processors,
		       processors == 1 ? "" : "s");
	print_fact("quota", text);
}

static void print_machine(const struct ft_machine *machine, double quota)
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
	print_quota(quota);
	print_bytes("L1 data", machine->l1d_bytes);
	print_bytes("L2", machine->l2_bytes);
	print_bytes("L3", machine->l3_bytes);
	print_bytes("memory", machine->memory_bytes);
	print_fact("system", machine->system);
	print_fact("governor", machine->governor);
	print_fact("virtual", machine->hypervisor ? machine->hypervisor : "no hypervisor seen");
	print_fact("batch system", batch_text(machine));
}

/* What a probe tells here; err says why it does not. */
struct probed {
	const char *name, *about, *resources, *why, *remedy;
	bool works;
	struct ft_err err;
};

static const struct ft_tell_row probe_rows[] = {
	{FT_TELL(struct probed, name), .head = "probe"},
	{FT_TELL(struct probed, about)},
	{FT_TELL(struct probed, resources), .about = "blank-separated"},
	{FT_TELL(struct probed, works), .head = "works"},
	{FT_TELL_AS(NULL, struct probed, resources), .head = "what it measures"},
	{FT_TELL(struct probed, why), .about = "why it does not work", .null = "it does"},
	{FT_TELL(struct probed, remedy), .null = "there is none, or it works"},
	{0},
};
static const struct ft_tell_record probed = {.bytes = sizeof(struct probed), .row = probe_rows};

struct doctor_told {
	const char *version, *batch, *growth;
	struct ft_machine machine;
	double quota;
	struct probed *probe;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct doctor_told, version)},
	{FT_TELL_BY(RECORD, "machine", struct doctor_told, machine), .of = &ft_tell_machine},
	{FT_TELL(struct doctor_told, batch), .about = "the batch system, and whether this is inside a job"},
	{FT_TELL(struct doctor_told, quota),
	 .about = "processors that control groups let runs keep busy for long", .null = "no quota is seen"},
	{FT_TELL(struct doctor_told, growth),
	 .about = "the file of the prior of growth beyond the largest size measured",
	 .null = "the built-in one"},
	{FT_TELL_MANY(LIST, "probes", struct doctor_told, probe, n, &probed)},
	{0},
};
const struct ft_tell_record cli_doctor_told = {
	.name = "doctor", .typed = "machine info", .version = 1, .row = rows};

static void find_probes(struct doctor_told *told)
{
	while (ft_probe_get(told->n))
		told->n++;
	told->probe = cli_alloc(told->n * sizeof *told->probe);
	for (size_t i = 0; i < told->n; i++) {
		const struct ft_probe_kind *kind = ft_probe_get(i);
		struct probed *one = &told->probe[i];

		one->name = kind->name;
		one->about = kind->about;
		one->resources = kind->resources;
		one->works = kind->available(&one->err) == FT_OK;
		if (!one->works)
			one->why = one->err.text[0] ? one->err.text : ft_status_text(one->err.status);
		if (!one->works && one->err.remedy[0])
			one->remedy = one->err.remedy;
	}
}

static void add_below(struct cli_table *table, const char *what, const char *text)
{
	if (!text)
		return;
	cli_table_add(table, "%s", "");
	cli_table_add(table, "%s", "");
	cli_table_add(table, "%s: %s", what, text);
}

static void print_probes(const struct doctor_told *told)
{
	struct cli_table table = {0};

	for (size_t i = 0; i < told->n; i++) {
		cli_table_tell(&table, &probed, &told->probe[i], 1, NULL);
		add_below(&table, "why", told->probe[i].why);
		add_below(&table, "remedy", told->probe[i].remedy);
	}
	cli_table_print(&table, stdout);
}

int cli_machine_info(void *ctx)
{
	struct doctor_told told = {.version = FT_VERSION};
	struct ft_err err = {0};

	if (ft_machine_read("", &told.machine, &err))
		return cli_error(&err);
	told.quota = ft_quota_processors("");
	if (isinf(told.quota))
		told.quota = NAN;
	told.batch = batch_text(&told.machine);
	(void)cli_prior(&told.growth);
	find_probes(&told);
	if (((const struct cli_machine *)ctx)->json) {
		cli_tell(&cli_doctor_told, &told, NULL);
	} else {
		print_machine(&told.machine, told.quota);
		printf("\nprior of growth beyond the largest size measured: %s\n\n",
		       told.growth ? told.growth : "the built-in one");
		print_probes(&told);
	}
	free(told.probe);
	ft_machine_clear(&told.machine);
	return CLI_DONE;
}
