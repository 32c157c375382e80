/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.c - the table of formats that plans are carried out by. */
#include "adapt/carry.h"

static const struct ft_carry *const table[] = {&ft__carry_multi_prog, &ft__carry_mpiexec,
					       &ft__carry_parallel};

const struct ft_carry *ft_carry_get(size_t i)
{
	return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const char *ft_carry_name(const struct ft_carry *format)
{
	return format->name;
}

const char *ft_carry_use(const struct ft_carry *format)
{
	return format->use;
}

enum ft_status ft_carry_write(const struct ft_carry *format, const struct ft_carry_command *command, size_t n,
			      char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	size_t i, j;

	*out = NULL;
	for (i = 0; i < n && format->expresses; i++)
		for (j = 0; command[i].argv[j]; j++)
			if (!format->expresses(command[i].argv[j])) {
				(void)ft_fail(err, FT_EINVAL,
					      "a file of %s has no way to write the word '%.200s'",
					      format->name, command[i].argv[j]);
				(void)ft_remedy(err, "%s", format->remedy);
				return FT_EINVAL;
			}
	format->write(command, n, &text);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
