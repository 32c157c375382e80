/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinfo.c - partitions, as Slurm's sinfo prints them: words in columns below their heads (sinfo(1)); which of
 * both forms a file has. */
#include "adapt/sinfo.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum column { PARTITION, AVAIL, TIMELIMIT, NODELIST, CPUS, MEMORY, STATE, COLUMNS };

enum { WORDS_MOST = 32 };

/* A file being read: which word of a line is which column; -1: none is. */
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

/* "16", "16+": at least so much. */
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

struct ft_sinfo_partition *ft__sinfo_add(struct ft_sinfo *out, const char *name)
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

/* A '*' is of the default one. */
static struct ft_sinfo_partition *find_partition(struct sinfo_reader *r, char *name)
{
	size_t length = strlen(name);

	if (length > 1 && name[length - 1] == '*')
		name[length - 1] = '\0';
	return ft__sinfo_add(r->out, name);
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
	struct ft_sinfo_partition *p = find_partition(r, word[r->at[PARTITION]]);
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
		if (!heads && ft__sinfo_is_snakemake(copy)) {
			ft_free(copy);
			return ft__sinfo_snakemake(r->out, r->input, r->err);
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
