/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accounts.c - jobs that a batch system accounted for: their times and energies, and what each user had of
 * them. */
#include "cli/energy/energy.h"
#include "cli/reading.h"

#include <stdlib.h>
#include <string.h>

static void add_job(struct cli_accounts *a, const struct ft_imported *part, const struct ft_run *run)
{
	const struct ft_energy_job job = {.wall_s = ft_run_value(run, &ft_wall_s),
					  .energy_j = ft_run_value(run, &ft_energy_j),
					  .core_s = ft_run_value(run, &ft_cpu_s),
					  .machines = run->size.value[0]};
	struct cli_account *user = &a->user[a->n_users - 1];

	if (!(job.wall_s > 0) || !(job.energy_j > 0) || !(job.core_s >= 0) || !(job.machines >= 1)) {
		a->left_out++;
		return;
	}
	a->job = cli_grow(a->job, a->n, sizeof *a->job);
	a->of = cli_grow(a->of, a->n, sizeof *a->of);
	a->of[a->n] = a->n_users - 1;
	a->job[a->n++] = job;
	user->name = user->name ? user->name : cli_strdup(part->program.name);
	user->jobs++;
	user->core_s += job.core_s;
	user->machine_s += job.machines * job.wall_s;
	user->measured_j += job.energy_j;
}

static void take_parts(struct cli_accounts *a, const struct ft_import *import)
{
	a->user = cli_alloc((import->n + 1) * sizeof *a->user);
	for (size_t i = 0; i < import->n; i++) {
		a->n_users++;
		for (size_t k = 0; k < import->part[i].runs.n; k++)
			add_job(a, &import->part[i], &import->part[i].runs.run[k]);
		if (!a->user[a->n_users - 1].jobs)
			a->n_users--;
	}
}

int cli_accounts_read(struct cli_accounts *a, const struct cli_table_of_runs *table, bool merge,
		      struct ft_energy_runs *runs)
{
	static const char *const size[] = {"m=NNodes"};
	const struct ft_import_options options = {
		.format = "sacct", .by = "User", .size = size, .n_sizes = 1};
	struct ft_import import = {0};
	struct ft_err err = {0};
	int status;

	if (table->bytes
		    ? ft_import_parse(&import, "standard input", table->bytes, table->length, &options, &err)
		    : ft_import_read(&import, table->path, &options, &err)) {
		status = cli_error(&err);
		cli_hint("sacct -P -o JobID,User,State,Elapsed,TotalCPU,NNodes,ConsumedEnergyRaw prints what "
			 "is needed");
		return status;
	}
	cli_reading_notes(&import);
	take_parts(a, &import);
	ft_import_clear(&import);
	if (a->left_out)
		cli_note("%zu job%s left out: no energy, time or processor time is recorded", a->left_out,
			 a->left_out == 1 ? " is" : "s are");
	if (ft_energy_runs_of(runs, a->job, a->n, merge, &err)) {
		status = cli_error(&err);
		if (!a->n)
			cli_hint("Slurm gathers energy where AcctGatherEnergyType is set (slurm.conf)");
		return status;
	}
	return CLI_DONE;
}

void cli_accounts_divide(struct cli_accounts *a, const struct ft_energy_runs *runs,
			 const struct ft_energy_fit *fit)
{
	double all_j = 0;

	for (size_t i = 0; i < a->n; i++) {
		struct cli_account *user = &a->user[a->of[i]];

		user->unfit += fit->left_out[i];
		for (size_t k = 0; k < runs->parts; k++)
			user->joules += fit->power.watts[k] * runs->time_s[i * runs->parts + k];
	}
	for (size_t i = 0; i < a->n_users; i++)
		all_j += a->user[i].joules;
	for (size_t i = 0; i < a->n_users; i++)
		a->user[i].share = a->user[i].joules / all_j;
}

void cli_accounts_clear(struct cli_accounts *a)
{
	for (size_t i = 0; i < a->n_users; i++)
		free(a->user[i].name);
	free(a->user);
	free(a->job);
	free(a->of);
	*a = (struct cli_accounts){0};
}
