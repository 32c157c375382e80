/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name.c - what the programs of a file are called, and the part of the import that each one is. */
#include "adapt/job.h"
#include "base/alloc.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enum ft_status add_column(const struct ft_import_job *job, struct ft_text *text, const char *column,
				 size_t length, struct ft_err *err)
{
	char *name = ft_strndup(column, length), lacks[80];
	const char *found;
	enum ft_status status = FT_OK;

	if (!name)
		return ft_nomem(err);
	found = ft__record_text(&job->record, name);
	if (!found && !strcmp(name, "path"))
		found = ft__input_name(job->input);
	if (found) {
		ft_text_add_bytes(text, found, strlen(found));
	} else {
		(void)snprintf(lacks, sizeof lacks, "'%.64s'", name);
		status = ft__job_missing(job, lacks, "write one of them between braces", err);
	}
	ft_free(name);
	return status;
}

enum ft_status ft__template_fill(const struct ft_import_job *job, const char *text, char **out,
				 struct ft_err *err)
{
	struct ft_text filled = {0};
	enum ft_status status = FT_OK;

	*out = NULL;
	while (*text && !status) {
		const char *close = *text == '{' ? strchr(text, '}') : NULL;

		if (close) {
			status = add_column(job, &filled, text + 1, (size_t)(close - text) - 1, err);
			text = close + 1;
		} else {
			ft_text_add_bytes(&filled, text++, 1);
		}
	}
	if (!status) {
		*out = ft_text_take(&filled);
		return *out ? FT_OK : ft_nomem(err);
	}
	ft_text_clear(&filled);
	return status;
}

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
	regmatch_t match[2];

	for (i = 0; i < job->n_sizes; i++) {
		const char *column = job->size[i].kind == FT__BY_PATTERN
					     ? ft__record_text(&job->record, job->size[i].column)
					     : NULL;

		if (!column || strcmp(column, name) != 0 || regexec(&job->size[i].regex, name, 2, match, 0) ||
		    match[1].rm_so < 0)
			continue;
		before = (size_t)match[1].rm_so;
		after = (size_t)match[1].rm_eo;
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

/* By column, with a name before it that has no braces. */
static enum ft_status make_by(const struct ft_import_job *job, char **name, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	struct ft_text text = {0};
	enum ft_status status;

	if (options->name)
		ft_text_add(&text, "%s-", options->name);
	status = add_column(job, &text, options->by, strlen(options->by), err);
	if (status) {
		ft_text_clear(&text);
		return status;
	}
	*name = ft_text_take(&text);
	return *name ? FT_OK : ft_nomem(err);
}

/* Texts of other tools have what no name may have. */
static void mend(char *name)
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
	if (options->name && (strchr(options->name, '{') || !options->by))
		status = ft__template_fill(job, options->name, name, err);
	else if (options->by)
		status = make_by(job, name, err);
	else if (job->record.name && *job->record.name)
		status = (*name = without_size(job)) ? FT_OK : ft_nomem(err);
	else if (options->wanted)
		status = (*name = ft_strdup(options->wanted)) ? FT_OK : ft_nomem(err);
	else
		status = fail_no_name(job, err);
	if (status)
		return status;
	assert(*name);
	mend(*name);
	if (**name)
		return FT_OK;
	ft_free(*name);
	*name = NULL;
	return ft__record_fail_named(job, options->by ? options->by : "the name", "", "no name of a program",
				     "leave the row out, or name the program with --name NAME", err);
}

enum ft_status ft__job_part(struct ft_import_job *job, const char *name, struct ft_imported **part,
			    struct ft_err *err)
{
	struct ft_import *import = job->import;
	size_t low = 0, high = import->n, *order;
	struct ft_imported *grown;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int way = strcmp(name, import->part[import->order[middle]].program.name);

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
	grown[import->n] =
		(struct ft_imported){.program.name = ft_strdup(name), .program.hash = ft_strdup("")};
	*part = &grown[import->n];
	memmove(order + low + 1, order + low, (import->n - low) * sizeof *order);
	order[low] = import->n++;
	return (*part)->program.name && (*part)->program.hash ? FT_OK : ft_nomem(err);
}
