/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.h - a total over processors: what is asked, and the answer. */
#ifndef FT_CLI_PLAN_PARTITION_H
#define FT_CLI_PLAN_PARTITION_H

#include "cli/plan/plan.h"
#include "foretime/divide.h"
#include "tell/plan.h"

/* What a group of processors is called. */
struct cli_processor {
	const char *name; /* of the program */
	const struct cli_host *host;
};

struct cli_partition {
	struct cli_plan *plan;
	char parameter[FT_PARAM_LENGTH];
	struct ft_divide divide;         /* what is asked; its groups are ours */
	struct cli_processor *processor; /* [n of divide] */
	int64_t rows, columns;           /* of --grid */
	bool energy;                     /* least energy, or a front, is asked for */
	/* the answer */
	struct ft_division found;
	char **label; /* [p of found] */
	struct ft_plan_front front;
};

/* cli_partition_energy - least energy by a deadline, or the front. Returns CLI_DONE or the exit status after
 * a complaint; CLI_NO: there is none by the deadline. */
int cli_partition_energy(struct cli_partition *q);

/* cli_grid_read - rows and columns of --grid, which divide the total, and the step of its blocks.
 * cli_partition_grid - a rectangle of blocks for each processor, and the answer printed. Both return the exit
 * status. */
int cli_grid_read(struct cli_partition *q);
int cli_partition_grid(struct cli_partition *q);

/* cli_partition_draw - the answer as a picture, where --plot says. Returns the exit status. */
int cli_partition_draw(const struct cli_partition *q);

/* cli_partition_tell - what was asked, and no answer yet. */
struct ft_told_partition cli_partition_tell(const struct cli_partition *q);

/* cli_partition_print - the answer, in the format asked for; of no plan, why. Returns the exit status. */
int cli_partition_print(struct cli_partition *q);
int cli_partition_print_none(struct cli_partition *q);

#endif
