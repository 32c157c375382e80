/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.c - the options that choose what else is measured, for every command that runs programs. */
#include "cli/probes.h"

void cli_probes_set(const struct cli_probes *probes, struct ft_launch *launch)
{
	launch->counters = probes->counters;
	launch->energy = probes->energy;
	launch->meter = probes->meter;
	launch->meter_unit = probes->meter_unit;
	launch->working_set = probes->working_set;
	if (probes->valgrind)
		launch->instructions = FT_COUNT_SIMULATED;
	else if (probes->instructions)
		launch->instructions = FT_COUNT_SOMEHOW;
}

void cli_usage_write(const struct ft_usage *usage, FILE *file)
{
	fputs("time_s,cpu_utilisation,rss_bytes,processes\n", file);
	for (size_t i = 0; i < usage->n; i++) {
		const struct ft_usage_point *point = &usage->point[i];

		fprintf(file, "%.6f,%.4f,%.0f,%.0f\n", point->time_s, point->processors, point->rss_bytes,
			point->processes);
	}
}
