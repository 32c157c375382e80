/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo.h - the partitions of a cluster, as Slurm's sinfo prints them.
 *
 *	sinfo -o '%P %a %l %N %c %m' > partitions
 *
 *	ft_sinfo_read(&sinfo, "partitions", err);
 */
#ifndef FORETIME_SINFO_H
#define FORETIME_SINFO_H

#include "foretime/status.h"

#include <stdbool.h>

FT_BEGIN_DECLS

struct ft_sinfo_partition {
	char *name;          /* without the '*' of the default one */
	char *nodes;         /* "a[1-3],b": of all its rows; "" not given */
	double limit_s;      /* the longest run; INFINITY: none, or not given */
	double cpus;         /* of a node, at least; 0: not given */
	double memory_bytes; /* of a node, at least; 0: not given */
	bool up;             /* jobs begin in it */
};

/* Zero-initialise; ends with ft_sinfo_clear. */
struct ft_sinfo {
	struct ft_sinfo_partition *partition; /* [n] in the order in which they stand */
	size_t n, capacity;
};

/* ft_sinfo_read - the partition file of Snakemake's executor, or a file that sinfo wrote with its heads:
 * PARTITION, and any of AVAIL, TIMELIMIT, NODELIST, CPUS, MEMORY (MB), STATE; other columns are passed over.
 * Rows of one partition are one; those of nodes that are down or drained do not count.
 *
 * out  cleared on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_EPARSE with path and line; FT_ENOMEM. */
enum ft_status ft_sinfo_read(struct ft_sinfo *out, const char *path, struct ft_err *err);

/* ft_sinfo_parse - the same from memory; name stands in messages where a path would. */
enum ft_status ft_sinfo_parse(struct ft_sinfo *out, const char *name, const char *bytes, size_t length,
			      struct ft_err *err);

/* ft_sinfo_write_snakemake - those that are up and take jobs of a minute, and their limits, as the file that
 * Snakemake's executor for Slurm takes with --slurm-partition-config. The functions above read it, too: nodes
 * are not given there.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a control character in a name; FT_ENOMEM. */
enum ft_status ft_sinfo_write_snakemake(const struct ft_sinfo *sinfo, char **out, struct ft_err *err);

void ft_sinfo_clear(struct ft_sinfo *sinfo); /* accepts NULL, and twice */

/* ft_sinfo_has_node - whether a node is in a list: "a2" is in "a[1-3,07],b". */
bool ft_sinfo_has_node(const char *nodes, const char *node);

FT_END_DECLS
#endif
