/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snakemake.c - the jobs that Snakemake ran: rule, output, and the bytes of their inputs. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/files.h"
#include "base/input.h"
#include "base/text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Records of outputs: .snakemake/metadata.
 */

/* A record with code and parameters of the rule; a larger one is none. */
enum { RECORD_MOST = 16 << 20 };

/* The value of a digit of base64 (RFC 4648, section 5); -1: none. */
static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The path of an output from that of its record below the folder of records: '@' begins a folder's name, and is
 * no digit. out: heap; NULL: it is no such name. */
static enum ft_status read_name(const char *name, char **out, struct ft_err *err)
{
	unsigned bits = 0;
	size_t n = 0;
	int held = 0;

	*out = ft_malloc(strlen(name) + 1);
	if (!*out)
		return ft_nomem(err);
	for (; *name && *name != '='; name++) {
		int digit = digit_of(*name);

		if (*name == '@' || *name == '/')
			continue;
		if (digit < 0) {
			ft_free(*out);
			*out = NULL;
			return FT_OK;
		}
		bits = bits << 6 | (unsigned)digit;
		held += 6;
		if (held >= 8) {
			held -= 8;
			(*out)[n++] = (char)(bits >> held & 0xff);
		}
	}
	(*out)[n] = '\0';
	return FT_OK;
}

/* The bytes of the files of a list together; NaN: one is gone. */
static enum ft_status sum_files(const json_t *list, const char *folder, double *sum, struct ft_err *err)
{
	const json_t *each;
	size_t i;

	*sum = 0;
	json_array_foreach(list, i, each)
	{
		const char *path = json_string_value(each);
		struct ft_text text = {0};
		struct stat st;

		ft_text_add(&text, "%s%s%s", path && *path == '/' ? "" : folder,
			    path && *path == '/' ? "" : "/", path ? path : "");
		FT_OWN char *full = ft_text_take(&text);
		if (!full)
			return ft_nomem(err);
		*sum = path && stat(full, &st) == 0 ? *sum + (double)st.st_size : (double)NAN;
	}
	return FT_OK;
}

/* name: of the record below the folder of records. One that cannot be read, or is of a job that did not end, is
 * passed over. */
static enum ft_status take_record(struct ft_snakemake_jobs *jobs, const char *path, const char *name,
				  const char *folder, struct ft_err *err)
{
	struct ft_input *input = NULL;
	struct ft_snakemake_job job = {0}, *grown;
	FT_OWN char *bytes = NULL;
	size_t length;
	enum ft_status status = ft__input_open(&input, path, NULL);

	if (!status)
		status = ft__input_all(input, RECORD_MOST, &bytes, &length, NULL);
	ft__input_close(input);
	if (!status)
		status = ft__json_check(path, bytes, length, FT__READ_MOST, NULL);
	if (status)
		return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
	json_t *record = json_loadb(bytes, length, 0, NULL);
	const char *rule = json_string_value(json_object_get(record, "rule"));
	if (rule && !json_is_true(json_object_get(record, "incomplete"))) {
		status = sum_files(json_object_get(record, "input"), folder, &job.input_bytes, err);
		if (!status)
			status = read_name(name, &job.output, err);
	}
	if (!status && job.output) {
		grown = ft_grow(jobs->job, jobs->n, &jobs->capacity, sizeof *grown);
		jobs->job = grown ? grown : jobs->job;
		job.rule = grown ? ft_strdup(rule) : NULL;
		status = job.rule ? FT_OK : ft_nomem(err);
	}
	if (job.rule)
		jobs->job[jobs->n++] = job;
	else
		ft_free(job.output);
	json_decref(record);
	return status;
}

static int compare_jobs(const void *a, const void *b)
{
	const struct ft_snakemake_job *p = a, *q = b;
	int rules = strcmp(p->rule, q->rule);

	return rules ? rules : strcmp(p->output, q->output);
}

enum ft_status ft_snakemake_jobs_read(struct ft_snakemake_jobs *out, const char *folder, struct ft_err *err)
{
	struct ft_text text = {0};
	struct stat st;
	char **path = NULL;
	size_t n = 0;

	*out = (struct ft_snakemake_jobs){0};
	ft_text_add(&text, "%s/.snakemake/metadata", folder);
	FT_OWN char *records = ft_text_take(&text);
	if (!records)
		return ft_nomem(err);
	if (stat(records, &st) != 0 || !S_ISDIR(st.st_mode))
		return FT_OK;
	enum ft_status status = ft_files_below(records, &path, &n, err);
	for (size_t i = 0; i < n && !status; i++)
		status = take_record(out, path[i], path[i] + strlen(records), folder, err);
	ft_files_free(path, n);
	if (status)
		ft_snakemake_jobs_clear(out);
	else if (out->n)
		qsort(out->job, out->n, sizeof *out->job, compare_jobs);
	return status;
}

void ft_snakemake_jobs_clear(struct ft_snakemake_jobs *jobs)
{
	if (!jobs)
		return;
	for (size_t i = 0; i < jobs->n; i++) {
		ft_free(jobs->job[i].rule);
		ft_free(jobs->job[i].output);
	}
	ft_free(jobs->job);
	*jobs = (struct ft_snakemake_jobs){0};
}

/*
 * Which job left a benchmark file.
 */

static bool is_between(char c)
{
	return !c || strchr("/._-", c);
}

/* Where a word stands in a text, between separators or the ends; NULL: nowhere. */
static const char *find_word(const char *text, const char *word, size_t length)
{
	for (const char *at = text; length && *at; at++)
		if (!strncmp(at, word, length) && (at == text || is_between(at[-1])) &&
		    is_between(at[length]))
			return at;
	return NULL;
}

const char *ft_snakemake_rule_of(const struct ft_snakemake_jobs *jobs, const char *path, size_t *length)
{
	const char *found = NULL;

	*length = 0;
	for (size_t i = 0; i < jobs->n; i++) {
		if (i && !strcmp(jobs->job[i].rule, jobs->job[i - 1].rule))
			continue;
		size_t l = strlen(jobs->job[i].rule);
		const char *at = l >= *length ? find_word(path, jobs->job[i].rule, l) : NULL;

		if (at && (l > *length || at < found)) {
			found = at;
			*length = l;
		}
	}
	return found;
}

/* Whether each part of a path, but for the rule at `without` and the ending of its file, is a part of an output's
 * path; extra: out, how many more parts the output has. */
static bool is_of(const char *path, const char *without, size_t length, const char *output, long *extra)
{
	const char *slash = strrchr(path, '/'), *end = strrchr(slash ? slash : path, '.');

	*extra = 0;
	for (const char *at = output; *at; at++)
		*extra += is_between(*at);
	end = end ? end : path + strlen(path);
	while (path < end) {
		size_t n = strcspn(path, "/._-");

		if (path == without) {
			path += length;
			continue;
		}
		if (n && !find_word(output, path, n))
			return false;
		*extra -= n > 0;
		path += n + 1;
	}
	return true;
}

double ft_snakemake_input_bytes(const struct ft_snakemake_jobs *jobs, const char *rule, const char *path)
{
	const char *without = find_word(path, rule, strlen(rule));
	long least = -1, extra;
	double bytes = NAN;

	for (size_t i = 0; i < jobs->n; i++) {
		const struct ft_snakemake_job *job = &jobs->job[i];

		if (strcmp(job->rule, rule) != 0 ||
		    !is_of(path, without, strlen(rule), job->output, &extra) || (least >= 0 && extra > least))
			continue;
		bytes = least >= 0 && extra == least && job->input_bytes != bytes ? (double)NAN
										  : job->input_bytes;
		least = extra;
	}
	return bytes;
}
