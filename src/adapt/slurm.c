/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.c - extends running jobs whose guessed limit comes near: which of them, and by how much.
 *
 * A limit serves the scheduler as a prediction, and kills. If both are separated, and the prediction is
 * raised when it is passed, waiting times fall for everybody; a limit that kills 5 % of jobs makes
 * everybody wait longer: Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007, and bench/backfill. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/files.h"
#include "base/number.h"
#include "foretime/base.h"
#include "store/door.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * The configuration of a cluster, and the kinds of its nodes (scontrol(1), sinfo(1)).
 */

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

/* "(null)", "none" and "accounting_storage/none" mean none. */
static bool is_none(const char *value)
{
	const char *slash = strrchr(value, '/');

	return !*value || !strcmp(value, "(null)") || !strcmp(slash ? slash + 1 : value, "none");
}

/* Before 21.08 there were no flags, and comments were stored unless disabled. */
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
	*since_ns = ft__read_moment(moment, NULL);
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

/* The name for nodes with such features. A kind's name is no pattern, and has no '='. */
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

/* Cells of a row of sinfo, [CELLS]; false: another row, or its partition takes no job. */
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

/*
 * Parse the statement of a job, and the values filled in, as in share/slurm/foretime.lua.
 */

static const char mark[] = "foretime:";

/* The bytes of a program's name at a place; 0: there is none that would be read. */
static size_t name_length(const char *text)
{
	size_t n = 0;

	if (!isalnum((unsigned char)*text) && *text != '_')
		return 0;
	while (text[n] && (isalnum((unsigned char)text[n]) || strchr("_.-", text[n])))
		n++;
	return n < FT__SAID_NAME ? n : 0;
}

bool ft_slurm_name_is_read(const char *name)
{
	const size_t n = name_length(name);

	return n && !name[n];
}

static bool is_end(const char *at)
{
	return !*at || !strncmp(at, "; ", 2);
}

static bool ends_word(const char *at)
{
	return is_end(at) || *at == ',' || *at == ' ';
}

/* The parsed number; the caller checks its range. */
static size_t number_length(const char *text)
{
	const char *end;
	double value;

	if (!ft__number_scan_signed(text, &end, &value) || !isfinite(value) || fabs(value) >= 1e300)
		return 0;
	return (size_t)(end - text);
}

static bool has_param(const struct ft__statement *stated, const char *name)
{
	for (size_t i = 0; i < stated->n; i++)
		if (!strcmp(stated->param[i], name))
			return true;
	return false;
}

/* One "n=20000"; what is behind it; NULL: it is none. */
static const char *take_size(struct ft__statement *stated, const char *at)
{
	size_t name = ft__name_length(at), value;

	if (!name || name >= FT_PARAM_LENGTH || at[name] != '=' || stated->n == FT_PARAMS_MAX)
		return NULL;
	value = number_length(at + name + 1);
	if (!value || value >= sizeof stated->value[0] || !ends_word(at + name + 1 + value))
		return NULL;
	memcpy(stated->param[stated->n], at, name);
	stated->param[stated->n][name] = '\0';
	memcpy(stated->value[stated->n], at + name + 1, value);
	stated->value[stated->n][value] = '\0';
	if (has_param(stated, stated->param[stated->n]))
		return NULL;
	stated->n++;
	return at + name + 1 + value;
}

static bool take_words(struct ft__statement *stated, const char *at)
{
	size_t n = name_length(at);

	*stated = (struct ft__statement){0};
	if (!n || !ends_word(at + n))
		return false;
	memcpy(stated->name, at, n);
	for (at += n; !is_end(at);) {
		if (*at == ',' || *at == ' ')
			at++;
		else if (!(at = take_size(stated, at)))
			return false;
	}
	return true;
}

bool ft__statement_find(const char *comment, struct ft__statement *stated)
{
	for (const char *at = comment; (at = strstr(at, mark)); at += sizeof mark - 1) {
		bool first = at == comment || (at - comment >= 2 && !strncmp(at - 2, "; ", 2));

		if (first && take_words(stated, at + sizeof mark - 1))
			return true;
	}
	*stated = (struct ft__statement){0};
	return false;
}

/* A number behind a word, in the part up to the next ';'. */
static double number_behind(const char *part, const char *word, const char *unit)
{
	const char *at = strstr(part, word), *end = strchr(part, ';'), *stop;
	double value;

	if (!at || (end && at > end) || !ft__whole_scan(at + strlen(word), &stop, &value) ||
	    strncmp(stop, unit, strlen(unit)) != 0)
		return NAN;
	return value;
}

bool ft__filled_find(const char *comment, struct ft__filled *filled)
{
	const char *at = strstr(comment, "foretime: --");

	*filled = (struct ft__filled){NAN, NAN};
	if (!at)
		return false;
	filled->minutes = number_behind(at, " --time=", " ");
	filled->mib = number_behind(at, " --mem=", "M");
	return true;
}

/*
 * Totals of the harvest of a cluster, and whether the values filled in were enough.
 */

enum { KEY_LENGTH = FT_SLURM_TEXT + 16, TALLY_LENGTH = 128 };

static void tally_key(const char *cluster, char key[KEY_LENGTH])
{
	(void)snprintf(key, KEY_LENGTH, "slurm:%s", cluster);
}

enum ft_status ft_slurm_tally_get(struct ft_store *store, const char *cluster, struct ft_slurm_tally *out,
				  struct ft_err *err)
{
	char key[KEY_LENGTH], *value = NULL;
	struct ft_err missing = {0};

	*out = (struct ft_slurm_tally){0};
	tally_key(cluster, key);
	enum ft_status status = ft_store_get_known(store, key, &value, &missing);
	if (status == FT_ENOENT)
		return FT_OK;
	if (status) {
		if (err)
			*err = missing;
		return status;
	}
	if (sscanf(value, "%" SCNd64 " %zu %zu %zu", &out->until_ns, &out->jobs, &out->filled, &out->kept) !=
	    4)
		*out = (struct ft_slurm_tally){0};
	free(value);
	return FT_OK;
}

enum ft_status ft__tally_put(struct ft_store *store, const char *cluster, const struct ft_slurm_tally *tally,
			     struct ft_err *err)
{
	char key[KEY_LENGTH], value[TALLY_LENGTH];

	tally_key(cluster, key);
	(void)snprintf(value, sizeof value, "%" PRId64 " %zu %zu %zu", tally->until_ns, tally->jobs,
		       tally->filled, tally->kept);
	return ft_store_put_known(store, key, value, err);
}

/* Whether the values filled in were enough: not if the job was extended in the end. */
void ft__tally_count(struct ft_slurm_tally *tally, const struct ft__account *account, enum ft_outcome outcome)
{
	struct ft__filled filled;
	double elapsed_s;

	tally->jobs++;
	if (!ft__filled_find(account->cell[FT__JOB_ADMIN], &filled))
		return;
	tally->filled++;
	if (outcome == FT_TIMED_OUT && !isnan(filled.minutes))
		return;
	if (outcome == FT_OUT_OF_MEMORY && !isnan(filled.mib))
		return;
	if (!isnan(filled.minutes) && ft__read_slurm_time(account->cell[FT__JOB_ELAPSED], &elapsed_s) &&
	    elapsed_s > 60 * filled.minutes)
		return;
	tally->kept++;
}

/*
 * Extends running jobs whose guessed limit comes near: which of them, and by how much.
 */

/* From here on a limit is extended. A limit is at least a minute: then 12 s are left to notice it, and
 * looks are 10 s apart. */
static const double near = 0.8;

/* The limit doubles: few changes, and never more than twice the need. */
static const double again = 2;

enum { SHORT = 24, RAISE_PARTITION = 120, COMMENT = 400 }; /* as FT_SLURM_QUEUE */

/* The next column of a line, without the blanks that fill it up; what is behind it. */
static const char *take_column(const char *line, size_t width, char text[COMMENT + 1])
{
	size_t length = strnlen(line, width), n = length;

	while (n && line[n - 1] == ' ')
		n--;
	memcpy(text, line, n);
	text[n] = '\0';
	return line + length;
}

static double most_of(const struct ft_sinfo *partitions, const char *name)
{
	for (size_t i = 0; i < partitions->n; i++)
		if (!strcmp(partitions->partition[i].name, name))
			return partitions->partition[i].limit_s;
	return 0;
}

/* Whether a limit was filled in, or extended, by us: another one is left alone. */
static bool is_ours(double limit_s, double filled_s)
{
	double ours = filled_s;

	while (ours > 0 && ours < limit_s)
		ours *= again;
	return ours > 0 && ours == limit_s;
}

/* false: no extension. */
static bool read_line(const char *line, const struct ft_sinfo *partitions, struct ft_slurm_raise *raise)
{
	struct ft__filled filled;
	char text[COMMENT + 1];

	line = take_column(line, SHORT, text);
	raise->job = strtoll(text, NULL, 10);
	line = take_column(line, SHORT, text);
	raise->used_s = ft__sinfo_limit(text);
	line = take_column(line, SHORT, text);
	raise->limit_s = ft__sinfo_limit(text);
	line = take_column(line, RAISE_PARTITION, text);
	double most_s = most_of(partitions, text);
	(void)take_column(line, COMMENT, text);
	if (raise->job <= 0 || !ft__filled_find(text, &filled) || !isfinite(raise->limit_s) ||
	    !is_ours(raise->limit_s, 60 * filled.minutes) || !(raise->used_s >= near * raise->limit_s))
		return false;
	raise->new_s = fmin(again * raise->limit_s, 60 * floor(most_s / 60));
	return raise->new_s > raise->limit_s;
}

enum ft_status ft_slurm_raises_parse(const char *text, const struct ft_sinfo *partitions,
				     struct ft_slurm_raise **out, size_t *n, struct ft_err *err)
{
	char *copy = ft_strdup(text), *rest = copy, *line;
	size_t capacity = 0;
	enum ft_status status = copy ? FT_OK : ft_nomem(err);

	*out = NULL;
	*n = 0;
	while (!status && (line = strsep(&rest, "\n"))) {
		struct ft_slurm_raise raise;

		if (!read_line(line, partitions, &raise))
			continue;
		struct ft_slurm_raise *grown = ft_grow(*out, *n, &capacity, sizeof *grown);
		if (!grown) {
			status = ft_nomem(err);
			break;
		}
		*out = grown;
		(*out)[(*n)++] = raise;
	}
	ft_free(copy);
	if (status) {
		ft_free(*out);
		*out = NULL;
		*n = 0;
	}
	return status;
}
