/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm_config.c - how a cluster is set up, and of which kinds its nodes are (scontrol(1), sinfo(1)). */
#include "adapt/job.h"
#include "adapt/sinfo.h"
#include "adapt/slurm.h"
#include "base/alloc.h"
#include "base/files.h"
#include "foretime/units.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *key;
	size_t offset;
} keys[] = {
	{"SLURM_VERSION", offsetof(struct ft_slurm_config, version)},
	{"ClusterName", offsetof(struct ft_slurm_config, cluster)},
	{"SLURM_CONF", offsetof(struct ft_slurm_config, file)},
	{"AccountingStorageType", offsetof(struct ft_slurm_config, accounting)},
	{"AccountingStoreFlags", offsetof(struct ft_slurm_config, flags)},
	{"JobAcctGatherType", offsetof(struct ft_slurm_config, gather)},
	{"JobSubmitPlugins", offsetof(struct ft_slurm_config, submit)},
	{"CliFilterPlugins", offsetof(struct ft_slurm_config, filter)},
	{"EpilogSlurmctld", offsetof(struct ft_slurm_config, epilog)},
};

/* "(null)", "none" and "accounting_storage/none" are nothing. */
static bool is_none(const char *value)
{
	const char *slash = strrchr(value, '/');

	return !*value || !strcmp(value, "(null)") || !strcmp(slash ? slash + 1 : value, "none");
}

/* Before 21.08 there were no flags, and comments were kept unless they were not wished. */
static bool keeps_comments(const struct ft_slurm_config *config, const char *text)
{
	char value[FT__LINE_LENGTH];

	if (ft__file_value(value, text, "AccountingStoreFlags"))
		return strstr(config->flags, "job_comment") != NULL;
	return !ft__file_value(value, text, "AccountingStoreJobComment") || strcasecmp(value, "no") != 0;
}

enum ft_status ft_slurm_config_parse(struct ft_slurm_config *out, const char *text, struct ft_err *err)
{
	_Static_assert((int)FT_SLURM_TEXT == (int)FT__LINE_LENGTH, "a value fills a member");
	*out = (struct ft_slurm_config){0};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		char *value = (char *)out + keys[i].offset;

		(void)ft__file_value(value, text, keys[i].key);
		if (is_none(value))
			*value = '\0';
	}
	if (!*out->cluster) {
		(void)ft_fail(err, FT_EPARSE, "what scontrol show config prints names no cluster");
		return ft_remedy(err, "see what it prints: scontrol show config");
	}
	out->accounts = strstr(out->accounting, "slurmdbd") != NULL; /* filetxt is no database */
	out->comments = keeps_comments(out, text);
	out->gathers = *out->gather;
	out->cgroup = strstr(out->gather, "cgroup") != NULL;
	return FT_OK;
}

enum ft_status ft_slurm_since(const char *text, int64_t now_ns, int64_t *since_ns, struct ft_err *err)
{
	char moment[FT_SLURM_TEXT];
	double ago_s;

	if (ft_duration_parse(text, &ago_s, NULL) == FT_OK && ago_s < 1e9) {
		*since_ns = now_ns - (int64_t)(1e9 * ago_s);
		return FT_OK;
	}
	(void)snprintf(moment, sizeof moment, "%.40s%s", text, strlen(text) == 10 ? "T00:00:00" : "");
	*since_ns = ft__read_moment(moment);
	if (*since_ns > 0)
		return FT_OK;
	(void)ft_fail(err, FT_EPARSE, "'%.100s' is not a time", text);
	return ft_remedy(err, "write 7d (7 days ago), 2026-01-31, or 2026-01-31T12:00:00");
}

/* ---- kinds of nodes ----------------------------------------------------------------------------------- */

void ft_slurm_texts_free(char **text, size_t n)
{
	while (text && n)
		ft_free(text[--n]);
	ft_free(text);
}

/* How nodes of such features are called. A kind's name is no pattern, and has no '='. */
static void add_kind(struct ft_text *text, const char *features, size_t length, const char *cluster)
{
	size_t at = text->length;

	if (!length || (length == 6 && !strncmp(features, "(null)", 6)))
		ft_text_add(text, "%s", cluster);
	else
		ft_text_add_bytes(text, features, length);
	for (; !text->failed && at < text->length; at++)
		if (strchr("={}", text->s[at]))
			text->s[at] = '_';
}

/* "NODES=KIND" */
static char *kind_of(const char *line, const char *bar, const char *end, const char *cluster)
{
	struct ft_text text = {0};

	ft_text_add_bytes(&text, line, (size_t)(bar - line));
	ft_text_add(&text, "=");
	add_kind(&text, bar + 1, (size_t)(end - bar - 1), cluster);
	return ft_text_take(&text);
}

enum ft_status ft_slurm_kinds_parse(const char *text, const char *cluster, char ***kinds, size_t *n,
				    struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t capacity = 0;
	const char *end;

	*kinds = NULL;
	*n = 0;
	for (const char *line = text; *line && !status; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		const char *bar = memchr(line, '|', (size_t)(end - line));
		if (end == line || bar == line)
			continue;
		if (!bar) {
			status = ft_fail(err, FT_EPARSE,
					 "sinfo: '%.*s' is no list of nodes and their features",
					 (int)(end - line < 100 ? end - line : 100), line);
			break;
		}
		char **grown = ft_grow(*kinds, *n, &capacity, sizeof *grown);
		if (grown)
			*kinds = grown;
		if (!grown || !(grown[*n] = kind_of(line, bar, end, cluster)))
			status = ft_nomem(err);
		else
			++*n;
	}
	if (status) {
		ft_slurm_texts_free(*kinds, *n);
		*kinds = NULL;
		*n = 0;
	}
	return status;
}

/* ---- partitions --------------------------------------------------------------------------------------- */

void ft_slurm_places_clear(struct ft_slurm_places *places)
{
	if (!places)
		return;
	for (size_t i = 0; i < places->n; i++) {
		ft_free(places->place[i].partition);
		ft_free(places->place[i].machine);
	}
	ft_free(places->place);
	*places = (struct ft_slurm_places){0};
}

enum { PARTITION, FEATURES, LIMIT, MEMORY, STATE, CELLS };

/* Cells of a row of sinfo, [CELLS]; false: it is no such row, or its partition takes no job. */
static bool split_place(char *line, char **cell)
{
	size_t n = 0;

	while (n < CELLS && (cell[n] = strsep(&line, "|")))
		n++;
	return n == CELLS && !line && *cell[PARTITION] && !strpbrk(cell[PARTITION], ", \t") &&
	       !strcmp(cell[STATE], "up") && !isnan(ft__sinfo_limit(cell[LIMIT]));
}

static enum ft_status add_place(struct ft_slurm_places *out, char **cell, const char *cluster,
				struct ft_err *err)
{
	struct ft_slurm_place *grown = ft_grow(out->place, out->n, &out->capacity, sizeof *grown), *place;
	struct ft_text kind = {0};

	if (!grown)
		return ft_nomem(err);
	out->place = grown;
	place = &grown[out->n++];
	add_kind(&kind, cell[FEATURES], strlen(cell[FEATURES]), cluster);
	*place = (struct ft_slurm_place){.partition = ft_strdup(cell[PARTITION]),
					 .machine = ft_text_take(&kind),
					 .limit_s = ft__sinfo_limit(cell[LIMIT]),
					 .memory_bytes = 1048576 * strtod(cell[MEMORY], NULL)};
	return place->partition && place->machine ? FT_OK : ft_nomem(err);
}

enum ft_status ft_slurm_places_parse(const char *text, const char *cluster, struct ft_slurm_places *out,
				     struct ft_err *err)
{
	char *copy = ft_strdup(text), *rest = copy, *line, *cell[CELLS];
	enum ft_status status = copy ? FT_OK : ft_nomem(err);

	*out = (struct ft_slurm_places){0};
	while (!status && (line = strsep(&rest, "\n")))
		if (split_place(line, cell))
			status = add_place(out, cell, cluster, err);
	ft_free(copy);
	if (status)
		ft_slurm_places_clear(out);
	return status;
}
