/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo.h - the two forms in which partitions are read. */
#ifndef FT_ADAPT_SINFO_H
#define FT_ADAPT_SINFO_H

#include "base/input.h"
#include "foretime/sinfo.h"

/* ft__sinfo_add - the partition of a name; a new one, of which nothing is told, at the end. NULL: no memory.
 */
struct ft_sinfo_partition *ft__sinfo_add(struct ft_sinfo *out, const char *name);

/* ft__sinfo_limit - "30" (minutes), "30:00", "1:30:00", "2-12", "2-12:30:00", "infinite" as Slurm writes
 * limits: seconds; NaN: none of them. */
double ft__sinfo_limit(const char *text);

/* ft__sinfo_is_snakemake - whether a line begins the partition file of Snakemake's executor;
 * ft__sinfo_snakemake reads what stands below it. */
bool ft__sinfo_is_snakemake(const char *line);
enum ft_status ft__sinfo_snakemake(struct ft_sinfo *out, struct ft_input *input, struct ft_err *err);

#endif
