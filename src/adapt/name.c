/* SPDX-License-Identifier: GPL-3.0-or-later */
/* name.c - the names of the programs in a file, and the part of the import for each. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/facts.h"
#include "foretime/base.h"

#include <stdint.h>
#include <stdio.h>
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
	size_t before, after;

	for (size_t i = 0; i < job->n_sizes; i++) {
		const struct ft__template *where = &job->size[i].where;
		const char *column =
			job->size[i].kind == FT__BY_TEXT && where->n == 1 && where->part->compiled
				? ft__record_text(&job->record, where->part->text)
				: NULL;
		size_t from, to;

		/* The name may be a part of the column: of a benchmark's, without its parameters. */
		if (!column || !ft__template_match(where->part, name, &before, &after) ||
		    !ft__template_match(where->part, column, &from, &to) || to - from != after - before ||
		    memcmp(column + from, name + before, to - from) != 0)
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
	static const char remedy[] =
		"name it: --name NAME; or, if a column distinguishes programs, --by COLUMN";

	if (job->format != &ft__csv_format && job->record.line) /* another row may */
		return ft__record_fail_named(job, NULL, NULL, "it does not name its program", remedy, err);
	(void)ft_fail(err, FT_EINVAL, "'%.120s' does not name its program", ft__input_name(job->input));
	return ft_remedy(err, "%s", remedy);
}

/* --name and --by as a template: --by is a column, with a name before it that has no braces. */
enum ft_status ft__name_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	struct ft_text text = {0};

	if (options->name && (strchr(options->name, '{') || !options->by))
		return ft__template_parse(&job->name, options->name, "--name", options->name, err);
	if (!options->by)
		return FT_OK;
	if (options->name)
		ft_text_add(&text, "%s-", options->name);
	ft_text_add(&text, "{%s}", options->by);
	enum ft_status status = text.failed
					? ft_nomem(err)
					: ft__template_parse(&job->name, text.s, "--by", options->by, err);
	ft_text_clear(&text);
	return status;
}

/* name_mend - texts of other tools have what no name may have. */
static void name_mend(char *name)
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
	else if (options->row)
		status = (*name = ft_strdup("all")) ? FT_OK : ft_nomem(err);
	else
		status = fail_no_name(job, err);
	if (status || !*name)
		return status;
	name_mend(*name);
	ft__name_unmark(*name);
	if (**name)
		return FT_OK;
	ft_free(*name);
	*name = NULL;
	return ft__record_fail_named(job, options->by ? options->by : "the name", "", "no name of a program",
				     "leave the row out, or name the program with --name NAME", err);
}

/* ---- benchmarks, whose parameters are parts of their names ------------------------------------------------ */

/* The name of a parameter that has none. */
static const char *usual_name(struct ft__naming *naming, char buffer[FT_PARAM_LENGTH])
{
	static const char *const usual[] = {"n", "m", "k"};

	if (naming->n++ < 3)
		return usual[naming->n - 1];
	(void)snprintf(buffer, FT_PARAM_LENGTH, "arg%zu", naming->n);
	return buffer;
}

enum ft_status ft__naming_param(struct ft_import_job *job, struct ft__naming *naming, const char *name,
				size_t length, const char *text, const char *joint, struct ft_err *err)
{
	char own[FT_PARAM_LENGTH], buffer[FT_PARAM_LENGTH];
	double value;
	bool number = ft__size_read(job, text, &value);

	if (name)
		(void)snprintf(own, sizeof own, "%.*s", (int)(length < sizeof own ? length : sizeof own),
			       name);
	else if (number)
		(void)snprintf(own, sizeof own, "%s", usual_name(naming, buffer));
	if (!number && (!name || !ft__sizes_use(job, own)))
		ft_text_add(&naming->program, "%s%s", naming->program.length ? joint : "", text);
	if (!name && !number)
		return FT_OK;
	return ft__record_own(job, own, strlen(own), text, 0, number, err);
}

/* One part of a name: whether it is a parameter, or a field at least. */
static enum ft_status take_part(struct ft_import_job *job, struct ft__naming *naming, const char *part,
				const char *joint, struct ft_err *err)
{
	const char *equals = strchr(part, '=');
	size_t key = equals ? (size_t)(equals - part) : 0;
	double value;

	if (key && key < FT_PARAM_LENGTH && ft__name_length(part) == key) {
		if (ft__size_read(job, equals + 1, &value))
			return ft__naming_param(job, naming, part, key, equals + 1, joint, err);
		FT_TRY(ft__record_own(job, part, key, equals + 1, 0, false, err));
	} else if (ft__size_read(job, part, &value)) {
		return ft__naming_param(job, naming, NULL, 0, part, joint, err);
	}
	char *name = key ? ft_strndup(part, key) : NULL;
	if (!name || !ft__sizes_use(job, name))
		ft_text_add(&naming->program, "%s%s", naming->program.length ? joint : "", part);
	ft_free(name);
	return FT_OK;
}

enum ft_status ft__naming_parts(struct ft_import_job *job, struct ft__naming *naming, const char *text,
				const char *between, const char *joint, struct ft_err *err)
{
	size_t fields = job->record.n, program = naming->program.length, length;
	enum ft_status status = FT_OK;

	for (const char *at = text; *at && !status; at += length + (at[length] != '\0')) {
		length = strcspn(at, between);
		char *part = length ? ft_strndup(at, length) : NULL;
		if (part)
			status = take_part(job, naming, part, joint, err);
		else if (length)
			status = ft_nomem(err);
		ft_free(part);
	}
	if (status || job->record.n > fields || naming->program.failed)
		return status;
	naming->program.length = program;
	ft_text_add(&naming->program, "%s%s", program ? joint : "", text);
	return FT_OK;
}

enum ft_status ft__naming_end(struct ft_import_job *job, struct ft__naming *naming, const char *place,
			      struct json_t *seen, enum ft_status status, struct ft_err *err)
{
	const char *name = naming->program.s ? naming->program.s : "", *first;
	struct ft_text full = {0};

	if (!status && naming->program.failed)
		status = ft_nomem(err);
	if (!status && seen && place) {
		first = json_string_value(json_object_get(seen, name));
		if (first && strcmp(first, place) != 0)
			ft_text_add(&full, "%s.%s", place, name);
		else if (!first)
			(void)json_object_set_new_nocheck(seen, name, json_string_nocheck(place));
	}
	if (!status && full.failed)
		status = ft_nomem(err);
	if (!status)
		status = ft__record_own(job, "program", strlen("program"), full.s ? full.s : name, 0, false,
					err);
	ft_text_clear(&full);
	ft_text_clear(&naming->program);
	job->record.name = status ? NULL : ft__record_text(&job->record, "program");
	return status;
}

/* ---- runs of several programs under one name ---------------------------------------------------------- */

enum { COLUMNS_MOST = 8, TEXTS_MOST = 64 };

/* A column of texts that may distinguish programs. */
struct name_column {
	char name[64];
	uint64_t seen[TEXTS_MOST]; /* [n_seen] its texts, hashed */
	size_t n_seen;
	bool differs; /* within one size of a program */
};

/* A size of a program, and the last text of each column there; 0: none yet. */
struct name_size {
	uint64_t key, text[COLUMNS_MOST];
};

struct ft__texts {
	struct name_column column[COLUMNS_MOST];
	size_t n_columns, rows;
	struct name_size *size; /* [n_slots], a power of two: by key, at the next free place behind it */
	size_t n_sizes, n_slots;
};

void ft__texts_free(struct ft__texts *texts)
{
	if (!texts)
		return;
	ft_free(texts->size);
	ft_free(texts);
}

/* Whether a field may distinguish programs. In a plain table, a text that is neither a quantity, a moment
 * nor an origin of a run; in other formats, which have many such columns, the format's name of the
 * program, if the user names it otherwise. */
static bool may_be_kind(const struct ft_import_job *job, const struct ft__field *field)
{
	static const char *const known[] = {"outcome",  "started", "warmup", "work", "cost_s", "NodeList",
					    "hostname", "node",    "host",   "User", "user",   "UID"};
	double number;
	int64_t ns;

	if (job->measured || job->format != &ft__csv_format)
		return !job->measured && job->options->name && !job->options->by &&
		       field->text == job->record.name;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(field->name, known[i]))
			return false;
	for (size_t i = 0; i < job->record.n_params; i++)
		if (!strcmp(field->name, job->record.param[i].name))
			return false;
	return !ft_resource_find(field->name) && !ft__read_number(field->text, &number) &&
	       !ft__moment_parse(field->text, &ns) && ft_value_parse(field->text, "s", &number, NULL) &&
	       ft_value_parse(field->text, "bytes", &number, NULL);
}

/* The place of a size, made when there is none yet; NULL: memory is out. */
static struct name_size *size_of(struct ft__texts *texts, uint64_t key)
{
	size_t k, n = texts->n_slots ? 2 * texts->n_slots : 64;

	if (2 * texts->n_sizes >= texts->n_slots) {
		struct name_size *grown = ft_calloc(n, sizeof *grown);
		if (!grown)
			return NULL;
		for (size_t i = 0; i < texts->n_slots; i++) {
			if (!texts->size[i].key)
				continue;
			for (k = texts->size[i].key % n; grown[k].key;)
				k = (k + 1) % n;
			grown[k] = texts->size[i];
		}
		ft_free(texts->size);
		texts->size = grown;
		texts->n_slots = n;
	}
	for (k = key % texts->n_slots; texts->size[k].key && texts->size[k].key != key;)
		k = (k + 1) % texts->n_slots;
	texts->n_sizes += !texts->size[k].key;
	texts->size[k].key = key;
	return &texts->size[k];
}

enum ft_status ft__texts_watch(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft__record *record = &job->record;
	struct ft__texts *texts = job->import->texts;
	uint64_t key = ft_hash_text(record->program);
	size_t k;

	if (!texts)
		texts = job->import->texts = ft_calloc(1, sizeof *texts);
	if (!texts)
		return ft_nomem(err);
	for (size_t i = 0; !job->watched && i < record->n; i++) {
		for (k = 0;
		     k < texts->n_columns && strcmp(texts->column[k].name, record->field[i].name) != 0;)
			k++;
		if (k == texts->n_columns && k < COLUMNS_MOST && may_be_kind(job, &record->field[i]))
			(void)snprintf(texts->column[texts->n_columns++].name, sizeof texts->column->name,
				       "%s", record->field[i].name);
	}
	job->watched = true;
	texts->rows++;
	if (!texts->n_columns)
		return FT_OK;
	if (record->machine)
		key = ft_hash_bytes(key, record->machine, strlen(record->machine));
	key = ft_hash_bytes(key, record->run.size.value, record->run.size.n * sizeof(double));
	struct name_size *size = size_of(texts, key | 1);
	if (!size)
		return ft_nomem(err);
	for (size_t i = 0; i < texts->n_columns; i++) {
		struct name_column *column = &texts->column[i];
		const struct ft__field *field = ft__record_find(record, column->name);

		if (!field || ft__is_missing(field->text))
			continue;
		char *plain = field->text == record->name ? without_size(job) : NULL;
		uint64_t hash = ft_hash_text(plain ? plain : field->text) | 1;
		ft_free(plain);
		for (k = 0; k < column->n_seen && column->seen[k] != hash;)
			k++;
		if (k == column->n_seen && k < TEXTS_MOST)
			column->seen[column->n_seen++] = hash;
		column->differs = column->differs || (size->text[i] && size->text[i] != hash);
		size->text[i] = hash;
	}
	return FT_OK;
}

void ft__texts_tell(struct ft_import *import)
{
	enum { KINDS = 8 }; /* few rows are not enough evidence */
	const struct ft__texts *texts = import->texts;
	size_t length = 0;

	import->mixed[0] = '\0';
	for (size_t i = 0; texts && i < texts->n_columns && length < sizeof import->mixed; i++) {
		const struct name_column *column = &texts->column[i];

		/* A text for each row, as a number of a job, makes no programs of them. */
		if (column->differs && column->n_seen < TEXTS_MOST &&
		    (column->n_seen <= KINDS || 2 * column->n_seen <= texts->rows))
			length += (size_t)snprintf(import->mixed + length, sizeof import->mixed - length,
						   "%s%s", length ? ", " : "", column->name);
	}
}

/* ---- parts -------------------------------------------------------------------------------------------- */

/* By name, then by machine; no machine comes first. */
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
	struct ft_imported *grown = ft_grow(import->part, import->n, &import->capacity, sizeof *grown);
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

/*
 * The machine of a row's run: as the user specifies for nodes, or as in a column.
 */

/* Jobs of more nodes are of none that is known. */
enum { NODES_MOST = 65536 };

static void forget_looked(struct ft__looked *looked)
{
	ft_free(looked->list);
	ft_free(looked->name);
	*looked = (struct ft__looked){0};
}

void ft__machines_clear(struct ft_import_job *job)
{
	for (size_t i = 0; i < job->n_nodes; i++)
		ft_free(job->nodes[i].list);
	ft_free(job->nodes);
	job->nodes = NULL;
	job->n_nodes = 0;
	forget_looked(&job->looked);
	ft__template_clear(&job->machine);
}

static enum ft_status fail_word(const char *word, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "--machine %.200s: %s", word, what);
	return ft_remedy(err, "write --machine M, --machine 'node[01-16]=M' for each kind of node, or "
			      "--machine '{COLUMN}'");
}

/* "M", "NODES=M", "{COLUMN}" */
static enum ft_status parse_word(struct ft_import_job *job, const char *word, struct ft_err *err)
{
	const char *equals = strrchr(word, '=');

	if (!*word || (equals && (equals == word || !equals[1])))
		return fail_word(word, "it is not NODES=MACHINE", err);
	if (strchr(word, '{')) {
		if (job->machine.n)
			return fail_word(word, "a second text of columns", err);
		return ft__template_parse(&job->machine, word, "--machine", word, err);
	}
	if (equals) {
		char *list = ft_strndup(word, (size_t)(equals - word));

		job->nodes[job->n_nodes] = (struct ft__nodes){list, equals + 1};
		job->n_nodes += list != NULL;
		return list ? FT_OK : ft_nomem(err);
	}
	if (job->others)
		return fail_word(word, "a second machine for all other nodes", err);
	job->others = word;
	return FT_OK;
}

enum ft_status ft__machines_parse(struct ft_import_job *job, struct ft_err *err)
{
	const struct ft_import_options *options = job->options;
	enum ft_status status = FT_OK;

	job->nodes = ft_calloc(options->n_machines + 1, sizeof *job->nodes);
	if (!job->nodes)
		return ft_nomem(err);
	for (size_t i = 0; i < options->n_machines && !status; i++)
		status = parse_word(job, options->machine[i], err);
	if (!status && job->machine.n && (job->n_nodes || job->others))
		status = fail_word(options->machine[0], "a text of columns allows no second machine", err);
	return status;
}

/* ---- one row ----------------------------------------------------------------------------------------- */

/* A row whose nodes are looked up one by one. */
struct machine_look {
	struct ft_import_job *job;
	struct ft__field *field; /* that has them; NULL: none */
	char *name;              /* of their machine */
	enum ft_passed passed;
	enum ft_status status;
	struct ft_err *err;
};

/* The machine of one node, heap; NULL: not specified. */
static char *machine_of(struct machine_look *look, const char *host)
{
	const struct ft_import_job *job = look->job;
	const char *name = job->others;
	char *made = NULL;

	if (job->machine.n) {
		look->status = ft__template_fill(job, &job->machine, &made, look->err);
		if (made)
			name_mend(made);
		return made;
	}
	for (size_t i = 0; i < job->n_nodes; i++)
		if (ft_sinfo_has_node(job->nodes[i].list, host)) {
			name = job->nodes[i].name;
			break;
		}
	made = name ? ft_strdup(name) : NULL;
	if (name && !made)
		look->status = ft_nomem(look->err);
	return made;
}

static bool compare_node(void *ctx, const char *host)
{
	struct machine_look *look = ctx;

	if (look->field)
		look->field->text = host;
	char *name = machine_of(look, host);
	if (!name || !*name)
		look->passed = FT_PASSED_NODES;
	else if (look->name && strcmp(look->name, name) != 0)
		look->passed = FT_PASSED_KINDS;
	if (!look->name && look->passed == FT_PASSED_N)
		look->name = name;
	else
		ft_free(name);
	return !look->status && look->passed == FT_PASSED_N;
}

/* The column that has the nodes of a row, where the machine depends on them. */
static struct ft__field *nodes_of(struct ft_import_job *job)
{
	static const char *const names[] = {"NodeList", "hostname"};

	for (size_t i = 0; i < 2; i++) {
		const struct ft__field *field = ft__record_find(&job->record, names[i]);
		bool used = !job->machine.n;

		for (size_t k = 0; k < job->machine.n && field; k++)
			used = used || (job->machine.part[k].column &&
					ft__column_find(job, job->machine.part[k].text) == field);
		if (field && used)
			return &job->record.field[field - job->record.field];
	}
	return NULL;
}

bool ft__machine_is_node(struct ft_import_job *job)
{
	return job->machine.n && nodes_of(job);
}

static void read_nodes(struct machine_look *look, const char *list)
{
	/* "None assigned" */
	if (!*list || !strncmp(list, "None", 4) ||
	    (!ft__hosts_each(list, NODES_MOST, compare_node, look) && look->passed == FT_PASSED_N))
		look->passed = FT_PASSED_NODES;
	if (look->field)
		look->field->text = list;
}

/* Equal lists of nodes give the same machine, if it depends on nothing else. */
static void read_nodes_once(struct machine_look *look, const char *list)
{
	struct ft__looked *looked = &look->job->looked;

	if (!looked->list || strcmp(looked->list, list) != 0) {
		read_nodes(look, list);
		forget_looked(looked);
		*looked = (struct ft__looked){ft_strdup(list), look->name, look->passed};
	}
	look->passed = looked->passed;
	look->name = looked->name && !look->status ? ft_strdup(looked->name) : NULL;
	if (!looked->list || (looked->name && !look->name && !look->status))
		look->status = ft_nomem(look->err);
}

enum ft_status ft__machine_make(struct ft_import_job *job, enum ft_passed *passed, struct ft_err *err)
{
	struct machine_look look = {.job = job, .passed = FT_PASSED_N, .err = err};

	*passed = FT_PASSED_N;
	if (!job->options->n_machines)
		return FT_OK;
	look.field = nodes_of(job);
	if (!look.field && !job->machine.n)
		return ft__job_missing(job, "'NodeList'",
				       "let sacct print it: sacct -P -o JobID,...,NodeList; or name another "
				       "column: --machine '{COLUMN}'",
				       err);
	const char *list = look.field ? look.field->text : "any";
	if (job->machine.n)
		read_nodes(&look, list);
	else
		read_nodes_once(&look, list);
	*passed = look.passed;
	if (!look.status && look.passed == FT_PASSED_N)
		job->record.machine = look.name;
	else
		ft_free(look.name);
	return look.status;
}
