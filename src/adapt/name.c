/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name.c - what the programs of a file are called, and the part of the import that each one is. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <string.h>

static bool is_joint(char c)
{
	return strchr("_-.:/ ", c) && c;
}

/* The format's name, without what a pattern takes out of it: "fft_128" is a run of "fft". */
static char *without_size(const struct ft_import_job *job)
{
	const char *name = job->record.name;
	struct ft_text text = {0};
	size_t i, before, after;

	for (i = 0; i < job->n_sizes; i++) {
		const struct ft__template *where = &job->size[i].where;
		const char *column =
			job->size[i].kind == FT__BY_TEXT && where->n == 1 && where->part->compiled
				? ft__record_text(&job->record, where->part->text)
				: NULL;

		if (!column || strcmp(column, name) != 0 ||
		    !ft__template_match(where->part, name, &before, &after))
			continue;
		if (before && is_joint(name[before - 1]) && (!name[after] || is_joint(name[after])))
			before--;
		else if (!before && is_joint(name[after]))
			after++;
		ft_text_add_bytes(&text, name, before);
		ft_text_add_bytes(&text, name + after, strlen(name + after));
		if (text.length || text.failed)
			return ft_text_take(&text);
		ft_text_clear(&text);
	}
	return ft_strdup(name);
}

static enum ft_status fail_no_name(const struct ft_import_job *job, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%.120s' does not say what its program is called",
		      ft__input_name(job->input));
	return ft_remedy(err, "name it: --name NAME; or, where a column tells programs apart, --by COLUMN");
}

/* What --name and --by say, as a template: --by is a column, with a name before it that has no braces. */
enum ft_status ft__name_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	struct ft_text text = {0};
	enum ft_status status;

	if (options->name && (strchr(options->name, '{') || !options->by))
		return ft__template_parse(&job->name, options->name, "--name", options->name, err);
	if (!options->by)
		return FT_OK;
	if (options->name)
		ft_text_add(&text, "%s-", options->name);
	ft_text_add(&text, "{%s}", options->by);
	status = text.failed ? ft_nomem(err)
			     : ft__template_parse(&job->name, text.s, "--by", options->by, err);
	ft_text_clear(&text);
	return status;
}

void ft__name_mend(char *name)
{
	char *at;

	for (at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = ' ';
	if (*name == '-')
		*name = '_';
	for (; at > name && at[-1] == ' '; at--)
		at[-1] = '\0';
}

enum ft_status ft__name_make(struct ft_import_job *job, char **name, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	enum ft_status status = FT_OK;

	*name = NULL;
	if (options->name || options->by)
		status = ft__template_fill(job, &job->name, name, err);
	else if (job->record.name && *job->record.name)
		status = (*name = without_size(job)) ? FT_OK : ft_nomem(err);
	else if (options->wanted)
		status = (*name = ft_strdup(options->wanted)) ? FT_OK : ft_nomem(err);
	else
		status = fail_no_name(job, err);
	if (status || !*name)
		return status;
	ft__name_mend(*name);
	if (**name)
		return FT_OK;
	ft_free(*name);
	*name = NULL;
	return ft__record_fail_named(job, options->by ? options->by : "the name", "", "no name of a program",
				     "leave the row out, or name the program with --name NAME", err);
}

/* By name, then by machine; none is before all. */
static int compare_part(const struct ft_imported *part, const char *name, const char *machine)
{
	int way = strcmp(name, part->program.name);

	return way ? way : strcmp(machine ? machine : "", part->machine ? part->machine : "");
}

enum ft_status ft__job_part(struct ft_import_job *job, const char *name, const char *machine,
			    struct ft_imported **part, struct ft_err *err)
{
	struct ft_import *import = job->import;
	size_t low = 0, high = import->n, *order;
	struct ft_imported *grown;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int way = compare_part(&import->part[import->order[middle]], name, machine);

		if (!way) {
			*part = &import->part[import->order[middle]];
			return FT_OK;
		}
		if (way < 0)
			high = middle;
		else
			low = middle + 1;
	}
	grown = ft_grow(import->part, import->n, &import->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	import->part = grown;
	order = ft_grow(import->order, import->n, &import->order_capacity, sizeof *order);
	if (!order)
		return ft_nomem(err);
	import->order = order;
	grown[import->n] = (struct ft_imported){.program.name = ft_strdup(name),
						.program.hash = ft_strdup(""),
						.machine = machine ? ft_strdup(machine) : NULL};
	*part = &grown[import->n];
	memmove(order + low + 1, order + low, (import->n - low) * sizeof *order);
	order[low] = import->n++;
	return (*part)->program.name && (*part)->program.hash && (!machine || (*part)->machine)
		       ? FT_OK
		       : ft_nomem(err);
}
