/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_slurm.c - a schedule as a shell script of sbatch: each job on its node, behind those that it waits
 * for. */
#include "base/text.h"
#include "foretime/carry.h"

static void add_job(struct ft_text *text, const struct ft_carry_job *job, size_t number)
{
	ft_text_add(text, "j%zu=$(sbatch --parsable --job-name=", number);
	ft_text_add_word(text, job->name);
	ft_text_add(text, " --nodelist=");
	ft_text_add_word(text, job->host);
	for (size_t i = 0; i < job->n_after; i++)
		ft_text_add(text, "%s$j%zu", i ? ":" : " --dependency=afterok:", job->after[i]);
	ft_text_add(text, " --wrap=");
	ft_text_add_command(text, job->argv);
	ft_text_add(text, ")\n");
}

enum ft_status ft_carry_slurm(const struct ft_carry_job *job, const size_t *order, size_t n, char **out,
			      struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "#!/bin/sh\nset -e\n");
	for (size_t i = 0; i < n; i++)
		add_job(&text, &job[order[i]], order[i]);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
