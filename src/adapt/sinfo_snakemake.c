/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo_snakemake.c - partitions as the file by which Snakemake's executor for Slurm chooses among them
 * (--slurm-partition-config). Source: snakemake-executor-plugin-slurm, docs/further.md, "Partition Limits
 * Specification": what is not said is unlimited. */
#include "base/text.h"
#include "foretime/sinfo.h"

#include <ctype.h>
#include <math.h>

/* A text in double quotes, as YAML has it. */
static bool add_name(struct ft_text *text, const char *name)
{
	ft_text_add(text, "  \"");
	for (; *name && !iscntrl((unsigned char)*name); name++)
		ft_text_add(text, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
	ft_text_add(text, "\":\n");
	return !*name;
}

/* A node has so much, and a job of Snakemake is on one. */
static void add_limits(struct ft_text *text, const struct ft_sinfo_partition *partition)
{
	if (isfinite(partition->limit_s))
		ft_text_add(text, "    max_runtime: %.0f\n", floor(partition->limit_s / 60));
	if (partition->memory_bytes > 0)
		ft_text_add(text, "    max_mem_mb: %.0f\n", floor(partition->memory_bytes / 1048576));
	if (partition->cpus > 0)
		ft_text_add(text, "    max_threads: %.0f\n    max_cpus_per_task: %.0f\n", partition->cpus,
			    partition->cpus);
	ft_text_add(text, "    max_nodes: 1\n");
}

enum ft_status ft_sinfo_write_snakemake(const struct ft_sinfo *sinfo, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	size_t i;
	bool good = true;

	*out = NULL;
	ft_text_add(&text, "partitions:\n");
	for (i = 0; i < sinfo->n && good; i++) {
		if (!sinfo->partition[i].up)
			continue;
		good = add_name(&text, sinfo->partition[i].name);
		add_limits(&text, &sinfo->partition[i]);
	}
	if (!good) {
		ft_text_clear(&text);
		return ft_fail(err, FT_EINVAL, "a partition has a control character in its name");
	}
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
