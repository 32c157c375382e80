/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_array.c - the runs of a sweep as an array of jobs of Slurm (sbatch(1)). */
#include "base/text.h"
#include "foretime/carry.h"

#include <math.h>
#include <string.h>

/* sbatch divides lines of #SBATCH at blanks, and knows quotes, # and \ in them: words here have none. */
static enum ft_status check_word(const char *what, const char *word, struct ft_err *err)
{
	const unsigned char *at = (const unsigned char *)word;

	while (at && *at > ' ' && *at != 127 && !strchr("'\"\\#", *at))
		at++;
	if (!at || (!*at && *word))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "a line of #SBATCH has no way to write the %s '%.200s'", what, word);
	return ft_remedy(err, "names of Slurm have no blanks, quotes, # and \\: sinfo lists the valid ones");
}

static void add_option(struct ft_text *text, const char *option, const char *word)
{
	if (word)
		ft_text_add(text, "#SBATCH --%s=%s\n", option, word);
}

/* Slurm counts minutes and mebibytes. A task is given some time to begin and to end. */
static void add_limits(struct ft_text *text, const struct ft_carry_array *array)
{
	const double minute = 60, around = 2, mebi = 1048576;

	if (array->limit_s > 0)
		ft_text_add(text, "#SBATCH --time=%.0f\n", ceil(array->limit_s / minute) + around);
	if (array->memory_bytes > 0)
		ft_text_add(text, "#SBATCH --mem=%.0fM\n", ceil(array->memory_bytes / mebi));
	if (array->threads)
		ft_text_add(text, "#SBATCH --cpus-per-task=%zu\n", array->threads);
}

enum ft_status ft_carry_array(const struct ft_carry_array *array, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = check_word("partition", array->partition, err);

	*out = NULL;
	if (!status)
		status = check_word("constraint", array->constraint, err);
	if (!status)
		status = check_word("list of nodes", array->exclude, err);
	if (status)
		return status;
	ft_text_add(&text, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=0-%zu\n", array->name,
		    array->n - 1);
	ft_text_add(&text, "#SBATCH --nice=100\n#SBATCH --requeue\n#SBATCH --exclusive\n#SBATCH --nodes=1\n"
			   "#SBATCH --ntasks=1\n#SBATCH --output=/dev/null\n");
	add_option(&text, "partition", array->partition);
	add_option(&text, "constraint", array->constraint);
	add_option(&text, "exclude", array->exclude);
	add_limits(&text, array);
	ft_text_add(&text, "cd ");
	ft_text_add_word(&text, array->folder);
	ft_text_add(&text,
		    " || exit\nexec sh %s.$SLURM_ARRAY_TASK_ID.sh >>%s.$SLURM_ARRAY_TASK_ID.out 2>&1\n",
		    array->scripts, array->scripts);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
