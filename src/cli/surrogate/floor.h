/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floor.h - by what identical machines of a table differ. */
#ifndef FT_CLI_SURROGATE_FLOOR_H
#define FT_CLI_SURROGATE_FLOOR_H

#include "cli/surrogate/surrogate.h"
#include "foretime/trials.h"

/* Zero-initialise; ends with cli_floor_clear. */
struct cli_floor {
	struct ft_floor all;
	struct cli_floor_program {
		const char *name; /* borrowed */
		struct ft_floor floor;
	} * program; /* [n]; NULL: nobody said what makes machines identical */
	size_t n;
};
extern const struct ft_tell_record cli_floor_rows;

/* cli_floor_find - where --alike names columns: rows of equal cells in all of them are of identical machines.
 * Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_floor_find(struct cli_floor *floor, const struct cli_surrogate *surrogate);

/* cli_floor_print - two lines, beside what a solver's errors deviate by; nothing where it is not known. */
void cli_floor_print(const struct cli_floor *floor, const char *solver, const struct ft_trial_score *score);
void cli_floor_clear(struct cli_floor *floor);

#endif
