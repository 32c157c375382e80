/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo.c - reads partitions as Slurm's sinfo prints them: words in columns below their heads (sinfo(1));
 * or as a file of Snakemake's. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ft_sinfo_partition *sinfo_add(struct ft_sinfo *out, const char *name);

/*
 * The file by which Snakemake's executor for Slurm chooses among partitions (--slurm-partition-config), read
 * and written: YAML, a mapping of names below "partitions:", and of limits below each name. Source:
 * snakemake-executor-plugin-slurm 2, partitions.py; missing limits are unlimited.
 */

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

/* Decode an escape after a backslash; returns the text behind it. Source: YAML 1.2.2, section 5.7. */
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
	/* The ':' behind a key, followed by a blank or the end. */
	char *colon = is_quote(*at) ? skip_quoted(at) : at;
	while (*colon && !(*colon == ':' && (!colon[1] || isspace((unsigned char)colon[1]))))
		colon++;
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

/* The limits of a partition, before they are combined. */
struct sinfo_snakemake_limits {
	double runtime_s, memory_mb, per_cpu_mb, threads, cpus;
};

static const struct {
	const char *key;
	size_t offset;
} limits[] = {
	{"max_runtime", offsetof(struct sinfo_snakemake_limits, runtime_s)},
	{"max_mem_mb", offsetof(struct sinfo_snakemake_limits, memory_mb)},
	{"max_mem_mb_per_cpu", offsetof(struct sinfo_snakemake_limits, per_cpu_mb)},
	{"max_threads", offsetof(struct sinfo_snakemake_limits, threads)},
	{"max_cpus_per_task", offsetof(struct sinfo_snakemake_limits, cpus)},
};

enum { LIMITS = sizeof limits / sizeof *limits };

static const struct sinfo_snakemake_limits nothing = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

/* Memory by processor is multiplied by the most processors of a job. 0: missing. */
static void put_together(struct ft_sinfo_partition *p, const struct sinfo_snakemake_limits *bounds)
{
	double cpus = fmin(bounds->threads, bounds->cpus),
	       memory = fmin(bounds->memory_mb, bounds->per_cpu_mb * cpus);

	p->up = true;
	p->limit_s = bounds->runtime_s;
	p->cpus = isfinite(cpus) ? cpus : 0;
	p->memory_bytes = isfinite(memory) ? 1048576 * memory : 0;
}

/* ---- the file -------------------------------------------------------------------------------------------
 */

struct sinfo_snakemake_file {
	struct ft_input *input;
	struct ft_sinfo *out;
	struct ft_sinfo_partition *now; /* NULL: none has begun */
	struct sinfo_snakemake_limits bounds;
	size_t names, keys; /* indentation; 0: not seen yet */
	struct ft_err *err;
};

static enum ft_status snakemake_fail_at(const struct sinfo_snakemake_file *f, const char *what)
{
	(void)ft_fail(f->err, FT_EPARSE, "%s:%zu: %s", ft__input_name(f->input), ft__input_number(f->input),
		      what);
	(void)ft_remedy(f->err,
			"a name below \"partitions:\", and max_runtime, max_mem_mb, max_threads below "
			"it, each on a line of its own");
	return FT_EPARSE;
}

/* Limits other than time, memory and processors are skipped, with their values. */
static enum ft_status take_limit(struct sinfo_snakemake_file *f, const struct sinfo_snakemake_line *line)
{
	size_t i;

	if (!line->key)
		return line->list ? FT_OK : snakemake_fail_at(f, "neither a limit nor part of a list");
	for (i = 0; i < LIMITS && strcmp(limits[i].key, line->key) != 0; i++)
		continue;
	if (i == LIMITS)
		return FT_OK;
	double value = i == 0 && !isinf(number_of(line)) ? runtime_s(line) : number_of(line);
	if (isnan(value))
		return snakemake_fail_at(f, i == 0 ? "max_runtime is no time" : "a limit that is no number");
	*(double *)((char *)&f->bounds + limits[i].offset) = value;
	return FT_OK;
}

static enum ft_status take_line(struct sinfo_snakemake_file *f, const struct sinfo_snakemake_line *line)
{
	if (!f->names)
		f->names = line->indent;
	if (line->indent < f->names)
		return snakemake_fail_at(f, "indented less than the partitions above");
	if (line->indent == f->names) {
		size_t before = f->out->n;

		if (f->now)
			put_together(f->now, &f->bounds);
		if (!line->key || !*line->key)
			return snakemake_fail_at(f, "no name of a partition");
		if (*line->value && strcmp(line->value, "{}") != 0)
			return snakemake_fail_at(f, "what a partition has does not stand below its name");
		f->now = sinfo_add(f->out, line->key);
		if (!f->now)
			return ft_nomem(f->err);
		if (f->out->n == before)
			return snakemake_fail_at(f, "a partition that is listed twice");
		f->bounds = nothing;
		f->keys = 0;
		return FT_OK;
	}
	if (!f->now)
		return snakemake_fail_at(f, "indented more than the partitions above");
	if (!f->keys)
		f->keys = line->indent;
	return line->indent > f->keys ? FT_OK
	       : line->indent == f->keys
		       ? take_limit(f, line)
		       : snakemake_fail_at(f, "indented between a partition and its limits");
}

static enum ft_status sinfo_snakemake(struct ft_sinfo *out, struct ft_input *input, struct ft_err *err)
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
			status = snakemake_fail_at(&f, "indented by a tab, which YAML forbids");
		else if (!line.empty && inside)
			status = take_line(&f, &line);
		ft_free(copy);
		if (status)
			return status;
	}
	if (f.now)
		put_together(f.now, &f.bounds);
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

enum ft_status ft_sinfo_write_snakemake(const struct ft_sinfo *sinfo, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	bool good = true;

	*out = NULL;
	ft_text_add(&text, "partitions:\n");
	for (size_t i = 0; i < sinfo->n && good; i++) {
		if (!(sinfo->partition[i].up && sinfo->partition[i].limit_s >= 60))
			continue;
		good = add_name(&text, sinfo->partition[i].name);
		/* Capacities are per node, and jobs request them by node. The executor rejects a name without limits. */
		const struct ft_sinfo_partition *partition = &sinfo->partition[i];
		bool any = isfinite(partition->limit_s) || partition->memory_bytes > 0 || partition->cpus > 0;

		ft_text_add(&text, any ? "\n" : " {}\n");
		if (isfinite(partition->limit_s))
			ft_text_add(&text, "    max_runtime: %.0f\n", floor(partition->limit_s / 60));
		if (partition->memory_bytes > 0)
			ft_text_add(&text, "    max_mem_mb: %.0f\n",
				    floor(partition->memory_bytes / 1048576));
		if (partition->cpus > 0)
			ft_text_add(&text, "    max_threads: %.0f\n    max_cpus_per_task: %.0f\n",
				    partition->cpus, partition->cpus);
	}
	if (!good) {
		ft_text_clear(&text);
		return ft_fail(err, FT_EINVAL, "a partition has a control character in its name");
	}
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/*
 * Reads partitions as Slurm's sinfo prints them: words in columns below their heads (sinfo(1)); or as a
 * file of Snakemake's.
 */

enum column { PARTITION, AVAIL, TIMELIMIT, NODELIST, CPUS, MEMORY, STATE, COLUMNS };

enum { WORDS_MOST = 32 };

/* A file being read: the column of each word of a line; -1: none. */
struct sinfo_reader {
	struct ft_input *input;
	struct ft_sinfo *out;
	int at[COLUMNS];
	struct ft_err *err;
};

void ft_sinfo_clear(struct ft_sinfo *sinfo)
{
	if (!sinfo)
		return;
	for (size_t i = 0; i < sinfo->n; i++) {
		ft_free(sinfo->partition[i].name);
		ft_free(sinfo->partition[i].nodes);
	}
	ft_free(sinfo->partition);
	*sinfo = (struct ft_sinfo){0};
}

/* ---- cells ----------------------------------------------------------------------------------------------
 */

/* sinfo(1), TIMELIMIT: as sbatch's --time, in which a bare number is of minutes. */
double ft__sinfo_limit(const char *text)
{
	double seconds;
	const char *end;

	if (!strcmp(text, "infinite") || !strcmp(text, "UNLIMITED") || !strcmp(text, "n/a"))
		return INFINITY;
	if (ft__whole_scan(text, &end, &seconds) && !*end)
		return 60 * seconds;
	return strpbrk(text, ":-") && !ft_duration_parse(text, &seconds, NULL) ? seconds : (double)NAN;
}

/* "16", "16+": at least this many. */
static double count_of(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end == text || (*end && strcmp(end, "+") != 0) || !(value >= 0) || isinf(value) ? (double)NAN
											       : value;
}

/* ---- rows -----------------------------------------------------------------------------------------------
 */

static enum ft_status fail_at(const struct sinfo_reader *r, const char *what, const char *word)
{
	(void)ft_fail(r->err, FT_EPARSE, "%s:%zu: '%.100s' is no %s", ft__input_name(r->input),
		      ft__input_number(r->input), word, what);
	(void)ft_remedy(r->err, "let sinfo write it: sinfo -o '%%P %%a %%l %%N %%c %%m'");
	return FT_EPARSE;
}

/* Divide a line at blanks, in place. */
static size_t divide_line(char *line, char *word[WORDS_MOST])
{
	size_t n = 0;
	char *rest = line, *each;

	while (n < WORDS_MOST && (each = strsep(&rest, " \t\r\n")))
		if (*each)
			word[n++] = each;
	return n;
}

static enum ft_status read_heads(struct sinfo_reader *r, char *const word[], size_t n)
{
	static const char *const names[COLUMNS] = {"PARTITION", "AVAIL",  "TIMELIMIT", "NODELIST",
						   "CPUS",      "MEMORY", "STATE"};

	for (size_t i = 0; i < COLUMNS; i++) {
		r->at[i] = -1;
		for (size_t j = 0; j < n; j++)
			if (!strcmp(word[j], names[i]))
				r->at[i] = (int)j;
	}
	return r->at[PARTITION] < 0 ? fail_at(r, "header with PARTITION", n ? word[0] : "") : FT_OK;
}

static const char *text_of(const struct sinfo_reader *r, enum column column, char *const word[], size_t n)
{
	return r->at[column] >= 0 && (size_t)r->at[column] < n ? word[r->at[column]] : NULL;
}

/* sinfo_add - the partition of a name; a new empty one at the end if there is none. NULL: no memory. */
static struct ft_sinfo_partition *sinfo_add(struct ft_sinfo *out, const char *name)
{
	for (size_t i = 0; i < out->n; i++)
		if (!strcmp(out->partition[i].name, name))
			return &out->partition[i];
	struct ft_sinfo_partition *grown = ft_grow(out->partition, out->n, &out->capacity, sizeof *grown);
	if (!grown)
		return NULL;
	out->partition = grown;
	struct ft_sinfo_partition *added = &out->partition[out->n++];
	*added = (struct ft_sinfo_partition){
		.name = ft_strdup(name), .nodes = ft_strdup(""), .limit_s = INFINITY};
	return added->name && added->nodes ? added : NULL;
}

static bool is_usable(const char *avail, const char *state)
{
	static const char *const out[] = {"down", "drain", "drng", "fail", "maint", "unk", "inval", NULL};

	if (avail && strcmp(avail, "up") != 0)
		return false;
	for (size_t i = 0; state && out[i]; i++)
		if (!strncmp(state, out[i], strlen(out[i])))
			return false;
	return true;
}

static enum ft_status add_nodes(struct ft_sinfo_partition *partition, const char *nodes, struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%s%s%s", partition->nodes, *partition->nodes ? "," : "", nodes);
	char *joined = ft_text_take(&text);
	if (!joined)
		return ft_nomem(err);
	ft_free(partition->nodes);
	partition->nodes = joined;
	return FT_OK;
}

/* The least of all nodes that count. */
static void set_least(double *least, double value)
{
	*least = *least > 0 ? fmin(*least, value) : value;
}

static enum ft_status read_row(struct sinfo_reader *r, char *const word[], size_t n)
{
	const char *limit = text_of(r, TIMELIMIT, word, n), *nodes = text_of(r, NODELIST, word, n);
	const char *cpus = text_of(r, CPUS, word, n), *memory = text_of(r, MEMORY, word, n);

	if ((size_t)r->at[PARTITION] >= n)
		return fail_at(r, "row with a partition", n ? word[0] : "");
	if ((limit && isnan(ft__sinfo_limit(limit))) || (cpus && isnan(count_of(cpus))) ||
	    (memory && isnan(count_of(memory))))
		return fail_at(r, limit && isnan(ft__sinfo_limit(limit)) ? "time limit" : "number",
			       limit && isnan(ft__sinfo_limit(limit)) ? limit
			       : cpus && isnan(count_of(cpus))        ? cpus
								      : memory);
	/* A '*' is of the default one. */
	char *name = word[r->at[PARTITION]];
	size_t length = strlen(name);

	if (length > 1 && name[length - 1] == '*')
		name[length - 1] = '\0';
	struct ft_sinfo_partition *p = sinfo_add(r->out, name);
	if (!p)
		return ft_nomem(r->err);
	if (!is_usable(text_of(r, AVAIL, word, n), text_of(r, STATE, word, n)))
		return FT_OK;
	p->up = true;
	if (limit)
		p->limit_s = ft__sinfo_limit(limit);
	if (cpus)
		set_least(&p->cpus, count_of(cpus));
	if (memory)
		set_least(&p->memory_bytes, 1048576 * count_of(memory));
	return nodes ? add_nodes(p, nodes, r->err) : FT_OK;
}

static enum ft_status read_lines(struct sinfo_reader *r)
{
	const char *line;
	size_t length;
	bool heads = false;
	enum ft_status status;

	while (!(status = ft__input_line(r->input, &line, &length, r->err))) {
		char *word[WORDS_MOST], *copy = ft_strndup(line, length);

		if (!copy)
			return ft_nomem(r->err);
		if (!heads &&
		    (!strncmp(copy, "partitions:", 11) && !copy[11 + strspn(copy + 11, " \t\r\n")])) {
			ft_free(copy);
			return sinfo_snakemake(r->out, r->input, r->err);
		}
		size_t n = divide_line(copy, word);
		if (n && !heads && (word[0][0] == '#' || !strcmp(word[0], "---")))
			n = 0; /* how YAML may begin */
		if (n)
			status = heads ? read_row(r, word, n) : read_heads(r, word, n);
		heads = heads || n;
		ft_free(copy);
		if (status)
			return status;
	}
	if (status != FT_EEND)
		return status;
	return heads ? FT_OK : fail_at(r, "header with PARTITION", "");
}

static enum ft_status read_input(struct ft_sinfo *out, struct ft_input *input, struct ft_err *err)
{
	struct sinfo_reader r = {.input = input, .out = out, .err = err};
	enum ft_status status = read_lines(&r);

	if (status)
		ft_sinfo_clear(out);
	return status;
}

enum ft_status ft_sinfo_read(struct ft_sinfo *out, const char *path, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_open(&input, path, err);

	*out = (struct ft_sinfo){0};
	if (status)
		return status;
	status = read_input(out, input, err);
	ft__input_close(input);
	return status;
}

enum ft_status ft_sinfo_parse(struct ft_sinfo *out, const char *name, const char *bytes, size_t length,
			      struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_memory(&input, name, bytes, length, err);

	*out = (struct ft_sinfo){0};
	if (status)
		return status;
	status = read_input(out, input, err);
	ft__input_close(input);
	return status;
}
