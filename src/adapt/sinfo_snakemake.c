/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo_snakemake.c - the file by which Snakemake's executor for Slurm chooses among partitions
 * (--slurm-partition-config), read and written: YAML, a mapping of names below "partitions:", and of limits
 * below each name. Source: snakemake-executor-plugin-slurm 2, partitions.py; what is not said is unlimited.
 */
#include "adapt/sinfo.h"
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------------------
 */

/* "  key: value", taken apart in place: quotes, blanks and comments are gone. */
struct sinfo_snakemake_line {
	size_t indent;
	char *key, *value; /* key NULL: an entry of a list, or no key at all */
	bool empty, quoted, list;
};

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Behind the quoted text that begins here; its closing quote may be missing. */
static char *skip_quoted(char *at)
{
	char quote = *at;

	for (at++; *at && *at != quote; at++)
		at += *at == '\\' && quote == '"' && at[1];
	return at + (*at != '\0');
}

/* The ':' behind a key: a blank or nothing stands behind it. */
static char *find_colon(char *at)
{
	if (is_quote(*at))
		at = skip_quoted(at);
	while (*at && !(*at == ':' && (!at[1] || isspace((unsigned char)at[1]))))
		at++;
	return at;
}

/* A number as UTF-8 (RFC 3629, section 3); returns behind it. */
static char *put_character(char *to, unsigned long number)
{
	int more = number < 0x80 ? 0 : number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
	static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};

	*to++ = (char)(first[more] | number >> 6 * more);
	while (more-- > 0)
		*to++ = (char)(0x80 | (number >> 6 * more & 0x3f));
	return to;
}

/* What stands behind a backslash; returns behind it. Source: YAML 1.2.2, section 5.7. */
static const char *take_escape(const char *at, char **to)
{
	static const char pairs[] = "a\ab\bt\tn\nv\vf\fr\re\033";
	size_t digits = *at == 'x' ? 2 : *at == 'u' ? 4 : *at == 'U' ? 8 : 0, i;
	char number[9] = "", *end;

	(void)snprintf(number, sizeof number, "%.*s", (int)digits, at + 1);
	unsigned long code = strtoul(number, &end, 16);
	if (digits && end == number + digits && isxdigit((unsigned char)*number) && code && code < 0x110000) {
		*to = put_character(*to, code);
		return at + 1 + digits;
	}
	for (i = 0; pairs[i] && pairs[i] != *at; i += 2)
		continue;
	*(*to)++ = (char)(pairs[i] ? pairs[i + 1] : *at);
	return at + 1;
}

/* Without blanks about it, and without quotes. */
static char *unquote(char *text, bool *quoted)
{
	char *to;

	text += strspn(text, " \t");
	size_t length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	*quoted = length > 1 && is_quote(*text) && text[length - 1] == *text;
	if (!*quoted)
		return text;
	text[length - 1] = '\0';
	for (const char *from = to = text + 1; *from;)
		if (*from == '\\' && *text == '"' && from[1])
			from = take_escape(from + 1, &to);
		else
			*to++ = *from++;
	*to = '\0';
	return text + 1;
}

/* A comment begins at a '#' that stands first, or behind a blank. */
static void cut_comment(char *text)
{
	char *at = text;

	while (*at && *at != '#') {
		at += strspn(at, " \t");
		if (*at && *at != '#')
			at = is_quote(*at) ? skip_quoted(at) : at + strcspn(at, " \t");
	}
	*at = '\0';
}

static struct sinfo_snakemake_line take_apart(char *text)
{
	struct sinfo_snakemake_line line = {.indent = strspn(text, " ")};
	char *at = text + line.indent;
	bool quoted;

	cut_comment(at);
	line.list = *at == '-';
	line.empty = !at[strspn(at, " \t\r\n")] || !strncmp(at, "---", 3) || !strncmp(at, "...", 3);
	char *colon = find_colon(at);
	if (line.empty || line.list || *colon != ':')
		return line;
	*colon = '\0';
	line.key = unquote(at, &quoted);
	line.value = unquote(colon + 1, &line.quoted);
	return line;
}

/* ---- limits ---------------------------------------------------------------------------------------------
 */

/* Digits with colons and without quotes are a number to base 60 in YAML 1.1, and a number is of minutes:
 * what the executor takes 1:30:00 for is 5400 minutes. */
static double sexagesimal_s(const char *text)
{
	double minutes = 0;
	char *end;

	for (;; text = end + 1) {
		if (!isdigit((unsigned char)*text))
			return NAN;
		minutes = 60 * minutes + (double)strtoul(text, &end, 10);
		if (*end != ':')
			return *end ? (double)NAN : 60 * minutes;
	}
}

/* max_runtime: seconds; NaN: it is none. Of two parts with a colon the executor takes hours and minutes. */
static double runtime_s(const struct sinfo_snakemake_line *line)
{
	const char *text = line->value, *colon = strchr(text, ':');
	double seconds;
	char *end;
	double minutes = strtod(text, &end);

	if (end != text && !*end)
		return minutes >= 0 ? 60 * minutes : (double)NAN;
	if (!line->quoted && colon && text[0] != '0' && !strchr(text, '-'))
		return sexagesimal_s(text);
	if (colon && !strchr(colon + 1, ':') && !strchr(text, '-'))
		return 60 * ft__sinfo_limit(text);
	if (colon || strchr(text, '-'))
		return ft__sinfo_limit(text);
	for (char *at = line->value; *at; at++) /* "2D12H30M" is as good */
		*at = (char)tolower((unsigned char)*at);
	return ft_duration_parse(text, &seconds, NULL) ? (double)NAN : seconds;
}

static double number_of(const struct sinfo_snakemake_line *line)
{
	char *end;
	double value = strtod(line->value, &end);

	if (!strcmp(line->value, ".inf") || !strcmp(line->value, "inf"))
		return INFINITY;
	return end != line->value && !*end && value >= 0 ? value : (double)NAN;
}

/* What is told of a partition, before it is put together. */
struct sinfo_snakemake_told {
	double runtime_s, memory_mb, per_cpu_mb, threads, cpus;
};

static const struct {
	const char *key;
	size_t offset;
} limits[] = {
	{"max_runtime", offsetof(struct sinfo_snakemake_told, runtime_s)},
	{"max_mem_mb", offsetof(struct sinfo_snakemake_told, memory_mb)},
	{"max_mem_mb_per_cpu", offsetof(struct sinfo_snakemake_told, per_cpu_mb)},
	{"max_threads", offsetof(struct sinfo_snakemake_told, threads)},
	{"max_cpus_per_task", offsetof(struct sinfo_snakemake_told, cpus)},
};

enum { LIMITS = sizeof limits / sizeof *limits };

static const struct sinfo_snakemake_told nothing = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

/* Memory by processor counts with as many as a job may have. 0 is: not told. */
static void put_together(struct ft_sinfo_partition *p, const struct sinfo_snakemake_told *told)
{
	double cpus = fmin(told->threads, told->cpus),
	       memory = fmin(told->memory_mb, told->per_cpu_mb * cpus);

	p->up = true;
	p->limit_s = told->runtime_s;
	p->cpus = isfinite(cpus) ? cpus : 0;
	p->memory_bytes = isfinite(memory) ? 1048576 * memory : 0;
}

/* ---- the file -------------------------------------------------------------------------------------------
 */

struct sinfo_snakemake_file {
	struct ft_input *input;
	struct ft_sinfo *out;
	struct ft_sinfo_partition *now; /* NULL: none has begun */
	struct sinfo_snakemake_told told;
	size_t names, keys; /* how far these are indented; 0: not seen yet */
	struct ft_err *err;
};

static enum ft_status fail_at(const struct sinfo_snakemake_file *f, const char *what)
{
	(void)ft_fail(f->err, FT_EPARSE, "%s:%zu: %s", ft__input_name(f->input), ft__input_number(f->input),
		      what);
	(void)ft_remedy(f->err,
			"a name below \"partitions:\", and max_runtime, max_mem_mb, max_threads below "
			"it, each on a line of its own");
	return FT_EPARSE;
}

static enum ft_status begin_partition(struct sinfo_snakemake_file *f, const struct sinfo_snakemake_line *line)
{
	size_t before = f->out->n;

	if (f->now)
		put_together(f->now, &f->told);
	if (!line->key || !*line->key)
		return fail_at(f, "no name of a partition");
	if (*line->value && strcmp(line->value, "{}") != 0)
		return fail_at(f, "what a partition has does not stand below its name");
	f->now = ft__sinfo_add(f->out, line->key);
	if (!f->now)
		return ft_nomem(f->err);
	if (f->out->n == before)
		return fail_at(f, "a partition that is listed twice");
	f->told = nothing;
	f->keys = 0;
	return FT_OK;
}

/* Limits that say nothing of time, memory and processors are passed over, with what belongs to them. */
static enum ft_status take_limit(struct sinfo_snakemake_file *f, const struct sinfo_snakemake_line *line)
{
	size_t i;

	if (!line->key)
		return line->list ? FT_OK : fail_at(f, "neither a limit nor part of a list");
	for (i = 0; i < LIMITS && strcmp(limits[i].key, line->key) != 0; i++)
		continue;
	if (i == LIMITS)
		return FT_OK;
	double value = i == 0 && !isinf(number_of(line)) ? runtime_s(line) : number_of(line);
	if (isnan(value))
		return fail_at(f, i == 0 ? "max_runtime is no time" : "a limit that is no number");
	*(double *)((char *)&f->told + limits[i].offset) = value;
	return FT_OK;
}

static enum ft_status take_line(struct sinfo_snakemake_file *f, const struct sinfo_snakemake_line *line)
{
	if (!f->names)
		f->names = line->indent;
	if (line->indent < f->names)
		return fail_at(f, "indented less than the partitions above");
	if (line->indent == f->names)
		return begin_partition(f, line);
	if (!f->now)
		return fail_at(f, "indented more than the partitions above");
	if (!f->keys)
		f->keys = line->indent;
	return line->indent > f->keys    ? FT_OK
	       : line->indent == f->keys ? take_limit(f, line)
					 : fail_at(f, "indented between a partition and its limits");
}

bool ft__sinfo_is_snakemake(const char *line)
{
	return !strncmp(line, "partitions:", 11) && !line[11 + strspn(line + 11, " \t\r\n")];
}

enum ft_status ft__sinfo_snakemake(struct ft_sinfo *out, struct ft_input *input, struct ft_err *err)
{
	struct sinfo_snakemake_file f = {.input = input, .out = out, .err = err};
	bool inside = true;
	const char *bytes;
	size_t length;
	enum ft_status status;

	while (!(status = ft__input_line(input, &bytes, &length, err))) {
		char *copy = ft_strndup(bytes, length);

		if (!copy)
			return ft_nomem(err);
		struct sinfo_snakemake_line line = take_apart(copy);
		if (!line.empty && !line.indent)
			inside = false; /* another part of the file */
		if (!line.empty && copy[strspn(copy, " ")] == '\t')
			status = fail_at(&f, "indented by a tab, which YAML forbids");
		else if (!line.empty && inside)
			status = take_line(&f, &line);
		ft_free(copy);
		if (status)
			return status;
	}
	if (f.now)
		put_together(f.now, &f.told);
	return status == FT_EEND ? FT_OK : status;
}

/* ---- written --------------------------------------------------------------------------------------------
 */

/* A text in double quotes. */
static bool add_name(struct ft_text *text, const char *name)
{
	ft_text_add(text, "  \"");
	for (; *name && !iscntrl((unsigned char)*name); name++)
		ft_text_add(text, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", *name);
	ft_text_add(text, "\":");
	return !*name;
}

/* Jobs ask for a minute at least. */
static bool takes_jobs(const struct ft_sinfo_partition *partition)
{
	return partition->up && partition->limit_s >= 60;
}

/* A node has so much, and jobs ask for it by node. The executor takes a name without limits for an error. */
static void add_limits(struct ft_text *text, const struct ft_sinfo_partition *partition)
{
	bool any = isfinite(partition->limit_s) || partition->memory_bytes > 0 || partition->cpus > 0;

	ft_text_add(text, any ? "\n" : " {}\n");
	if (isfinite(partition->limit_s))
		ft_text_add(text, "    max_runtime: %.0f\n", floor(partition->limit_s / 60));
	if (partition->memory_bytes > 0)
		ft_text_add(text, "    max_mem_mb: %.0f\n", floor(partition->memory_bytes / 1048576));
	if (partition->cpus > 0)
		ft_text_add(text, "    max_threads: %.0f\n    max_cpus_per_task: %.0f\n", partition->cpus,
			    partition->cpus);
}

enum ft_status ft_sinfo_write_snakemake(const struct ft_sinfo *sinfo, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	bool good = true;

	*out = NULL;
	ft_text_add(&text, "partitions:\n");
	for (size_t i = 0; i < sinfo->n && good; i++) {
		if (!takes_jobs(&sinfo->partition[i]))
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
