/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.c - the table of formats that plans are carried out by. */
#include "adapt/carry.h"

#include <string.h>

static const struct ft_carry *const table[] = {&ft__carry_multi_prog, &ft__carry_mpiexec,
					       &ft__carry_parallel};

const struct ft_carry *ft_carry_get(size_t i)
{
	return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const struct ft_carry *ft_carry_find(const char *name)
{
	const struct ft_carry *format;

	for (size_t i = 0; (format = ft_carry_get(i)) && strcmp(format->name, name) != 0; i++)
		continue;
	return format;
}

const char *ft_carry_name(const struct ft_carry *format)
{
	return format->name;
}

static enum ft_status check_words(const struct ft_carry *format, const struct ft_carry_command *command,
				  struct ft_err *err)
{
	for (size_t i = 0; command->argv[i]; i++)
		if (!format->expresses(command->argv[i])) {
			(void)ft_fail(err, FT_EINVAL, "a file of %s has no way to write the word '%.200s'",
				      format->name, command->argv[i]);
			(void)ft_remedy(err, "%s", format->remedy);
			return FT_EINVAL;
		}
	return FT_OK;
}

static enum ft_status check_host(const struct ft_carry *format, const struct ft_carry_command *command,
				 struct ft_err *err)
{
	if (!command->host || format->expresses(command->host))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "a file of %s has no way to write the host '%.200s'", format->name,
		      command->host);
	(void)ft_remedy(err, "foretime import --machine NAME its runs, by the name by which it is reached, "
			     "and plan with that");
	return FT_EINVAL;
}

enum ft_status ft_carry_write(const struct ft_carry *format, const struct ft_carry_command *command, size_t n,
			      char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = FT_OK;

	*out = NULL;
	for (size_t i = 0; i < n && !status && format->expresses; i++) {
		status = check_host(format, &command[i], err);
		if (!status)
			status = check_words(format, &command[i], err);
	}
	if (status)
		return status;
	format->write(command, n, &text);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
