/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.h - a total over processors: what is asked, and the answer. */
#ifndef FT_CLI_PLAN_PARTITION_H
#define FT_CLI_PLAN_PARTITION_H

#include "cli/plan/plan.h"
#include "tell/plan.h"

/* A program on a host, and how many processors are alike. */
struct cli_processor {
	const char *name;
	const struct cli_host *host;
	struct ft_answerer *answerer; /* borrowed */
	struct ft_size size;          /* the parameters that are not divided */
	size_t varying;               /* the one that is */
	size_t alike;                 /* processors on that machine, of all programs: its memory is theirs */
	struct ft_cost_options options; /* that its cost was made with */
	struct ft_cost cost, energy;
};

/* A share of the answer. */
struct cli_share {
	const struct cli_processor *processor;
	char *label;
	int64_t units;
	double time_s, energy_j; /* NaN: not asked for */
	struct ft_prediction at; /* at the share; value NaN: none */
	enum ft_plan_binds binds;
	enum ft_cost_end end; /* why the share itself will not do: it lies between knots that will */
};

struct cli_partition {
	struct cli_plan *plan;
	char parameter[FT_PARAM_LENGTH];
	int64_t total, step;
	struct cli_processor *processor; /* [n] groups */
	size_t n;
	struct cli_share *share; /* [p] */
	size_t p;
	double risk; /* of each processor, of the answer each with a share; 0: typical times */
	bool energy; /* least energy, or a front, is asked for */
	/* the answer */
	struct ft_partition found;
	struct ft_partition_energy cheap;
	struct ft_plan_front front;
	double equal_s, time_s; /* of equal shares: INFINITY: they do not fit; of the answer */
};

/* cli_partition_energy - least energy by a deadline, or the front. Returns CLI_DONE or the exit status after
 * a complaint; CLI_NO: there is none by the deadline. */
int cli_partition_energy(struct cli_partition *q);

/* cli_grid_read - rows and columns of --grid, which divide the total. cli_partition_grid - a rectangle of
 * blocks for each processor, and the answer printed. Both return the exit status. */
int cli_grid_read(const struct cli_partition *q, int64_t *rows, int64_t *columns);
int cli_partition_grid(struct cli_partition *q);

/* cli_partition_times - what a processor takes, with its least share. Borrowed. */
struct ft_plan_times cli_partition_times(const struct cli_partition *q,
					 const struct cli_processor *processor);

/* cli_partition_draw - the answer as a picture, where --plot says. Returns the exit status. */
int cli_partition_draw(const struct cli_partition *q);

/* cli_partition_late - a division by times that runs exceed with the risk of each, as --risk is of all:
 * shares that make what all have ended by earlier. Returns CLI_DONE, or the exit status after a complaint. */
int cli_partition_late(struct cli_partition *q, const struct ft_plan_times *late, int64_t *units,
		       enum ft_plan_binds *binds);

/* cli_partition_tell - what was asked, and no answer yet. */
struct ft_told_partition cli_partition_tell(const struct cli_partition *q);

/* cli_partition_print - the answer, in the format asked for; of no plan, why. Returns the exit status. */
int cli_partition_print(struct cli_partition *q);
int cli_partition_print_none(struct cli_partition *q);

#endif
