/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapt.h - foreign formats: importers, exporters, and the formats of batch and runtime systems. */
#ifndef FT_ADAPT_ADAPT_H
#define FT_ADAPT_ADAPT_H

#include "adapt/door.h"
#include "base/csv.h"
#include "base/input.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "foretime/base.h"
#include "foretime/facts.h"

#include <jansson.h>
#include <regex.h>
#include <sys/stat.h>

/*
 * The table of formats for carrying out plans.
 */

struct ft_carry {
	const char *name;
	const char *remedy; /* remedy for a word that cannot be expressed */
	/* Whether the format can express a word or a host. NULL: any. */
	bool (*expresses)(const char *word);
	void (*write)(const struct ft_carry_command *command, size_t n, struct ft_text *text);
};

extern const struct ft_carry ft__carry_multi_prog, ft__carry_mpiexec, ft__carry_parallel;

/*
 * A graph being read from JSON.
 */

struct ft__graph_reader {
	const char *file;
	struct ft_graph *out;
	json_t *index; /* task by id: its number */
	size_t capacity, edge_capacity;
	struct ft_err *err;
};

/* ft__graph_fail - FT_EINVAL: "FILE: what". */
enum ft_status ft__graph_fail(const struct ft__graph_reader *r, const char *format, ...) FT_PRINTF(2, 3);

/*
 * Shared by the formats: a file being read, and the conversion of its rows to runs.
 *
 * A reader makes a record of each row: first its fields (texts by name), then it checks whether the row is
 * selected, then it adds samples, and passes the record on:
 *
 * 	ft__record_begin(job, line);
 * 	ft__record_field(job, "rule", text, 3);
 * 	status = ft__record_wanted(job, &wanted, err);
 * 	status = ft__record_sample(job, &ft_wall_s, value, FT_MEASURED, field, NULL, err);
 * 	status = ft__record_take(job, err);
 */

enum { FT__SIZES_MAX = FT_PARAMS_MAX, FT__VALUES_MAX = 16, FT__ASKED_MAX = 2 };

/* A piece of a text that contains columns: literal text, or a column, and a pattern applied to it. */
struct ft__template_part {
	char *text; /* or the name of the column */
	bool column, compiled;
	regex_t regex;
};

struct ft__template {
	struct ft__template_part *part;
	size_t n, capacity;
};

/* What a size is of a file, or of all files in a folder and those below it: their bytes, the bytes that they
 * have unpacked, how many they are, the lines or the records in them. */
enum ft__amount {
	FT__AMOUNT_BYTES,
	FT__AMOUNT_UNPACKED,
	FT__AMOUNT_FILES,
	FT__AMOUNT_LINES,
	FT__AMOUNT_RECORDS,
};

/* The source of a parameter's value: the column of its name, a text, the length of a file of that path. */
struct ft__size_spec {
	struct ft_param param;
	enum { FT__BY_NAME, FT__BY_TEXT, FT__BY_FILE } kind;
	enum ft__amount amount; /* of FT__BY_FILE */
	struct ft__template where;
};

/* Nodes of one kind: "node[01-16]", and what their machine is called. */
struct ft__nodes {
	char *list;
	const char *name;
};

/* The machine of a row's nodes, cached: consecutive rows often have the same nodes, and a list may be of
   thousands. */
struct ft__looked {
	char *list, *name; /* list NULL: empty; name: of the machine, or NULL */
	enum ft_passed passed;
};

/* Parses a cell: false if it cannot be understood. */
typedef bool ft__reading(const char *text, double *value);

/* The source of a resource's value, as the user specified. */
struct ft__value_spec {
	const struct ft_resource *resource;
	char *column;  /* with its unit, which may be part of the name */
	size_t length; /* before the unit; 0: there is none */
	double factor; /* of that unit */
};

/* A text of a row, by name. */
struct ft__field {
	const char *name, *text;
	char *own_name, *own_text; /* what ends with the row */
	size_t column;             /* from 1; 0: the format has none */
	bool param;                /* a parameter by the format */
};

/* Where the columns of a table are: each row is asked for the same names. A slot is of one name at one address;
 * its copy is compared, since an address may be used again. */
struct ft__name_index {
	struct {
		const char *name;
		char copy[20];
		int16_t at; /* of the fields; -1: none is named so */
	} slot[256];
};

/* What local time was ahead of UTC in some quarters of an hour: mktime takes as long as the rest of a row. */
struct ft__clock {
	struct {
		int64_t quarter, ahead_s; /* quarter: since 1970 in local time, and one */
	} slot[64];
};

struct ft__record {
	size_t line;     /* 0: not known */
	char place[128]; /* within the line: "benchmarks[3]"; may be empty */
	struct ft__field *field;
	size_t n, capacity;
	struct ft__name_index *columns; /* NULL: the fields are not those of a table alone */
	struct ft_run run;
	const char *name;  /* name of its program in the format; NULL: it has none. Borrowed */
	bool shorter;      /* than the format's resolution */
	bool idle;         /* its processor time is 0, which may mean that it was not sampled */
	double processors; /* that the run had; 0: those of its machine */
	double elapsed_s;  /* in which its processor time was used; 0: its wall time */
	/* once it is wanted: */
	char *program; /* its name */
	char *machine; /* NULL: as in the file */
	/* what rows that are handed on state of a job (ft_import_row); NULL, NaN, 0: not known */
	const char *user, *partition, *id, *state; /* in texts */
	struct ft_text texts;
	double cpus;
	int64_t submitted_ns;
	size_t n_params;
	struct ft_param param[FT_PARAMS_MAX]; /* the last: 17 KB, of which most are unused */
};

struct ft_import_job {
	struct ft_input *input;
	const char *path;
	const struct ft_import_options *options;
	const struct ft_format *format;
	bool commas; /* cells are separated by commas, which then are no decimal points */
	struct ft_import *import;
	struct ft__size_spec size[FT__SIZES_MAX];
	size_t n_sizes;
	int counts; /* of ft__counts_open; opened when a size is of files */
	struct ft__value_spec value[FT__VALUES_MAX];
	size_t n_values;
	struct ft__value_spec asked[FT__ASKED_MAX]; /* time, memory */
	size_t n_asked;
	struct ft__template name; /* of --name and --by */
	struct ft__nodes *nodes;  /* [n_nodes] of --machine NODES=M */
	size_t n_nodes;
	struct ft__template machine; /* --machine {COLUMN} */
	const char *others;          /* --machine M, for all other nodes */
	struct ft__looked looked;    /* of the last row */
	struct ft__field file;       /* the column `path`: the file's own */
	struct ft__record record;
	struct ft__name_index columns; /* of the table that is read */
	struct ft__clock clock;
	size_t first_runs, rows;
	void *own;        /* state of the reader */
	char metric[64];  /* the first that is no resource; "": none */
	bool full;        /* FT_IMPORT_RUNS_MAX are taken */
	bool whole;       /* all runs of the file are needed until its end */
	bool watched;     /* ft__texts_watch has seen which columns there are */
	bool measured;    /* by foretime, or doubted when it was taken in: values are what they are */
	bool strict_zero; /* a wall time of 0 is refused; else the row is passed over */
};

/* ---- records: record.c -------------------------------------------------------------------------------- */

/* ft__record_begin - a new row; what the one before held is gone. */
void ft__record_begin(struct ft_import_job *job, size_t line);

/* ft__record_field - add a field; name and text are borrowed until the next row. */
enum ft_status ft__record_field(struct ft_import_job *job, const char *name, const char *text, size_t column,
				struct ft_err *err);

/* ft__record_end_texts - no field is left: those that were borrowed end with their row. */
void ft__record_end_texts(struct ft__record *record);

/* ft__record_own - add a field whose texts are copied; length of the name. NULL text: `number`. */
enum ft_status ft__record_own(struct ft_import_job *job, const char *name, size_t length, const char *text,
			      double number, bool param, struct ft_err *err);

/* ft__record_find - a field by name, else one whose name ends in ".NAME"; NULL: none. */
const struct ft__field *ft__record_find(const struct ft__record *record, const char *name);
const char *ft__record_text(const struct ft__record *record, const char *name);

/* ft__column_find - the same; `path` is the file's own where it has no such column. */
const struct ft__field *ft__column_find(const struct ft_import_job *job, const char *name);

/* ft__record_wanted - which program the row belongs to, and which size it is of; counts a row that is passed
 * over. */
enum ft_status ft__record_wanted(struct ft_import_job *job, bool *wanted, struct ft_err *err);

/* ft__record_sample - add a value; NaN adds nothing.
 *
 * field  its source, for complaints; what: its name if there is no field
 */
enum ft_status ft__record_sample(struct ft_import_job *job, const struct ft_resource *resource, double value,
				 enum ft_label label, const struct ft__field *field, const char *what,
				 struct ft_err *err);

/* ft__record_time - add seconds of one call as wall time. calls: how many it is the mean of; of more than one
 * it is estimated. reason: why it is estimated in any case; NULL: by its calls. */
enum ft_status ft__record_time(struct ft_import_job *job, double seconds, double calls, const char *reason,
			       const char *what, struct ft_err *err);

/* ft__record_take - the row is a run now: with the values of columns that the user named. */
enum ft_status ft__record_take(struct ft_import_job *job, struct ft_err *err);

/* ft__run_judge_exit - whether a run of a batch system or a workflow that failed with a status (128 +
 * signal) met a limit: 140 (SIGUSR2, the warning of SGE and LSF) and, if its time was up, 137 and 143 are
 * its time limit; else 137 (SIGKILL) is memory. Sets the outcome. Called after its values and its request
 * are set. */
void ft__run_judge_exit(struct ft_run *run);

/* ft__record_keep - the same when these values were added before. */
enum ft_status ft__record_keep(struct ft_import_job *job, struct ft_err *err);

/* ft__record_fail - "FILE:LINE: column 3 (wall_s): what: 'text'". */
enum ft_status ft__record_fail(const struct ft_import_job *job, const struct ft__field *field,
			       const char *what, const char *remedy, struct ft_err *err);
enum ft_status ft__record_fail_named(const struct ft_import_job *job, const char *name, const char *text,
				     const char *what, const char *remedy, struct ft_err *err);

/* ft__job_spare - the common rule for unusable rows: the row that failed with this status and err is left
 * out and counted, the first one is kept, and FT_OK is returned; the status itself if the failure is not
 * of the row (memory, an interruption), or if all rows are required. ctx: an ft_import_job. */
enum ft_status ft__job_spare(void *ctx, enum ft_status status, struct ft_err *err);

/* ft__job_spare_rest - the same of a file that cannot be read any further, once it has runs. */
enum ft_status ft__job_spare_rest(struct ft_import_job *job, enum ft_status status, struct ft_err *err);

/* ft__job_pass - count a row that is no run. */
void ft__job_pass(struct ft_import_job *job, enum ft_passed why);

/* ft__job_missing - "'x' has no column Y; its columns are ...", and of a row of no table: "x:3: there is no
 * Y; the row has ...". lacks: Y */
enum ft_status ft__job_missing(const struct ft_import_job *job, const char *lacks, const char *remedy,
			       struct ft_err *err);

/* ft__job_part - the part of a program's name and a machine's (NULL: not given), created if there is none
 * yet. */
enum ft_status ft__job_part(struct ft_import_job *job, const char *name, const char *machine,
			    struct ft_imported **part, struct ft_err *err);

/* ---- options of the user: size.c, record.c, name.c
   ------------------------------------------------------ */

enum ft_status ft__sizes_parse(struct ft_import_job *job, struct ft_err *err);
void ft__sizes_clear(struct ft_import_job *job);

/* ft__sizes_eval - the size of the row; *passed FT_PASSED_N: it is taken. */
enum ft_status ft__sizes_eval(struct ft_import_job *job, const struct ft__size_spec *spec, size_t n,
			      struct ft_size *size, enum ft_passed *passed, struct ft_err *err);

/* ft__sizes_own - specs for the parameters that the row itself names; n alone when it names none. */
enum ft_status ft__sizes_own(const struct ft_import_job *job, struct ft__size_spec *spec, size_t *n,
			     struct ft_err *err);

/* ft__sizes_use - whether --size, or a parameter that the user names, takes the text of a column. */
bool ft__sizes_use(const struct ft_import_job *job, const char *column);

/* ft__size_read - a number as people write sizes: "64k", "10MB", "1,000,000". */
bool ft__size_read(const struct ft_import_job *job, const char *text, double *value);

enum ft_status ft__values_parse(struct ft_import_job *job, struct ft_err *err);
void ft__values_clear(struct ft_import_job *job);

/* ft__values_take - samples from the columns that the user named, and what was requested. */
enum ft_status ft__values_take(struct ft_import_job *job, struct ft_err *err);

/* ft__value_names - whether a column is meant; factor: what its unit is in SI. */
bool ft__value_names(const struct ft__value_spec *spec, const char *column, double *factor);

/* ft__values_name - whether the user named a column for this resource. */
bool ft__values_name(const struct ft_import_job *job, const struct ft_resource *resource);

/* ft__name_parse - job->name. */
enum ft_status ft__name_parse(struct ft_import_job *job, struct ft_err *err);

/* ft__name_make - the name of the row's program; heap, ends with ft_free; NULL: a pattern of --name does not
 * match. */
enum ft_status ft__name_make(struct ft_import_job *job, char **name, struct ft_err *err);

/* The name of a benchmark while its parameters are taken out of it. Zero-initialise; ends with
 * ft__naming_end, also on failure. */
struct ft__naming {
	struct ft_text program;
	size_t n; /* parameters without a name */
};

/* ft__naming_param - a parameter of a benchmark as a field: a size where it is a number; else the name of the
 * program gets `joint` and the text, unless --size uses it. name: of `length` bytes; NULL: n, m, k, then arg4,
 * arg5 ... */
enum ft_status ft__naming_param(struct ft_import_job *job, struct ft__naming *naming, const char *name,
				size_t length, const char *text, const char *joint, struct ft_err *err);

/* ft__naming_parts - the parts of a text between any of some bytes: NUMBER and KEY=NUMBER are parameters, the
 * others are the name, with `joint` between them; KEY=TEXT is a field as well. Where it has no parameter, the
 * name is the text as it stands. */
enum ft_status ft__naming_parts(struct ft_import_job *job, struct ft__naming *naming, const char *text,
				const char *between, const char *joint, struct ft_err *err);

/* ft__naming_end - the name is a field, `program`, and that of the record's program. place: the module, or
 * package, where benchmarks of one name may stand in several: the name of those that came first stays as it
 * is, others are called PLACE.NAME; seen: an object for the whole file that says which came first. Both may
 * be NULL. */
enum ft_status ft__naming_end(struct ft_import_job *job, struct ft__naming *naming, const char *place,
			      struct json_t *seen, enum ft_status status, struct ft_err *err);

/* ft__texts_watch - examine the texts of a selected row, which may distinguish programs: whether those of
 * one size of a program differ. ft__texts_tell - import->mixed, by all rows so far. */
enum ft_status ft__texts_watch(struct ft_import_job *job, struct ft_err *err);
void ft__texts_tell(struct ft_import *import);
void ft__texts_free(struct ft__texts *texts); /* accepts NULL */

/* ---- machines: name.c, sacct.c ----------------------------------------------------------------- */

enum ft_status ft__machines_parse(struct ft_import_job *job, struct ft_err *err);
void ft__machines_clear(struct ft_import_job *job);

/* ft__machine_is_node - whether the machine of a row is made of the text of its node. */
bool ft__machine_is_node(struct ft_import_job *job);

/* ft__machine_make - record.machine of the row; *passed FT_PASSED_N: it is taken. */
enum ft_status ft__machine_make(struct ft_import_job *job, enum ft_passed *passed, struct ft_err *err);

/* ft__hosts_each - the nodes of a list one by one, until take() returns false. most: no more than that.
 * Returns false: it ended before all, or the text is no list. */
bool ft__hosts_each(const char *list, size_t most, bool (*take)(void *ctx, const char *host), void *ctx);

/* ---- texts made of columns: size.c ---------------------------------------------------------------- */

/* ft__template_parse - "reads/{COLUMN}.fq", "{COLUMN:/n=([0-9]+)/}": a pattern ends at the first "/}". A
 * brace that is not closed is a brace.
 *
 * option, word  for complaints: "--size n={...}: ..."
 *
 * Returns FT_OK; FT_EPARSE: a pattern that is none, has no group, or would take long; FT_ENOMEM. */
enum ft_status ft__template_parse(struct ft__template *template, const char *text, const char *option,
				  const char *word, struct ft_err *err);

/* ft__template_column - add "COLUMN" or "COLUMN:/RE/", as it stands between braces. */
void ft__template_clear(struct ft__template *template);

/* ft__amount_of - of a path; NULL: it is there, else why not. What no header states is counted, and kept.
 *
 * counts  of ft__counts_open */
const char *ft__amount_of(const char *path, enum ft__amount amount, int counts, double *value);

#define FT__DAMAGED "its compressed data is damaged, or ends early"

/* ft__count_of - unpack an open file, from its beginning, and count what it holds.
 *
 * tool    "zstd": what unpacks it; NULL: it is of gzip, or not packed
 * amount  unpacked bytes, lines, or records
 *
 * NULL: *value is the count; else why there is none. The place of the file moves. */
const char *ft__count_of(int fd, const char *tool, enum ft__amount amount, uint64_t *value);

/* ft__counts_open - the file in which counts are kept, made if it is not there; -1: none are (path NULL, no such folder
 * can be made, it cannot be written). */
int ft__counts_open(const char *path);

/* ft__count_kept - whether the count of a file of that inode, length and time of change is kept. ft__count_keep - keep it. */
bool ft__count_kept(int counts, const struct stat *st, enum ft__amount amount, uint64_t *value);
void ft__count_keep(int counts, const struct stat *st, enum ft__amount amount, uint64_t value);

/* ft__template_fill - the text of a row; heap, ends with ft_free; NULL: a pattern does not match. */
enum ft_status ft__template_fill(const struct ft_import_job *job, const struct ft__template *template,
				 char **out, struct ft_err *err);

/* ft__template_match - what of a column's text a part takes; false: its pattern does not match. Texts of more
 * than 512 bytes match none. */
bool ft__template_match(const struct ft__template_part *part, const char *text, size_t *from, size_t *to);

/* ft__note_keep - a text of a file where a program has none yet; NULL: nothing. false: no memory. */
bool ft__note_keep(char **to, const char *from);

/* ft__sacct_is_aligned - whether it is a table of sacct without -P, in columns of a fixed width. */
bool ft__sacct_is_aligned(const char *head, size_t length);

/* ft__sacct_outcome - how a job of that State ended; false: it has not. */
bool ft__sacct_outcome(const char *state, enum ft_outcome *outcome);

/* ft__sacct_read - jobs, and their steps behind them, which become one run: rows() makes a record of each with
 * the fields of sacct -P, and hands it over by ft__sacct_row. Its texts are borrowed until that returns. */
enum ft_status ft__sacct_read(struct ft_import_job *job,
			      enum ft_status (*rows)(struct ft_import_job *job, struct ft_err *err),
			      struct ft_err *err);
enum ft_status ft__sacct_row(struct ft_import_job *job, struct ft_err *err);

/* ft__record_doubt - samples below a value are estimated, for that reason, unless the user named a column of
 * the resource. */
enum ft_status ft__record_doubt(struct ft_import_job *job, const struct ft_resource *resource, double below,
				const char *reason, struct ft_err *err);

/* ft__sacct_ended - whether a job of that State has ended. */
bool ft__sacct_ended(const char *state);

/* ---- cells: formats.c --------------------------------------------------------------------------------- */

ft__reading ft__read_number;         /* SI */
ft__reading ft__read_mib;            /* a number of MiB */
ft__reading ft__read_percent;        /* "94.1%", as a share */
ft__reading ft__read_slurm_bytes;    /* "22000K", "1.5G", "4000Mc" */
ft__reading ft__read_slurm_time;     /* "[DD-[HH:]]MM:SS[.mmm]" */
ft__reading ft__read_nextflow_bytes; /* "1.2 GB" of 2^30, or bytes */
ft__reading ft__read_nextflow_time;  /* "3m 4s", "1.8s", or ms */

/* ft__is_missing - the texts that tools write for unknown values. */
bool ft__is_missing(const char *text);

/* ft__read_moment - nanoseconds since 1970 of an ISO moment: UTC when it ends in Z, else local time; 0: none.
 * clock: NULL, or what is used again. */
int64_t ft__read_moment(const char *text, struct ft__clock *clock);

/* ft__read_start - the same, or milliseconds since 1970, as Nextflow writes them with trace.raw. */
int64_t ft__read_start(const char *text, struct ft__clock *clock);

/* ---- tables: formats.c ---------------------------------------------------------------------------------- */

/* A column of the format. */
struct ft__column {
	const char *name;
	const struct ft_resource *resource;
	ft__reading *read;
	bool zero_is_missing; /* memory of a process that was not sampled in time */
};

/* ft__table_head - whether a text begins with a header that has all of these columns (n). */
bool ft__table_head(const char *head, size_t length, char separator, const char *const *column, size_t n);

/* ft__table_each - read a table row by row; those that cannot be used are left out. plain: see
 * ft__csv_each. */
enum ft_status ft__table_each(struct ft_import_job *job, char separator, bool plain,
			      enum ft_status (*row)(void *job, const struct ft_csv *csv, struct ft_err *err),
			      struct ft_err *err);

/* ft__table_fields - the columns of a row as fields. */
enum ft_status ft__table_fields(struct ft_import_job *job, const struct ft_csv *csv, struct ft_err *err);

/* ft__table_samples - the values of the format's columns. */
enum ft_status ft__table_samples(struct ft_import_job *job, const struct ft__column *column, size_t n,
				 struct ft_err *err);

/* ---- documents: benchmarks.c ---------------------------------------------------------------------------- */

struct json_t;

/* ft__document_each - read a JSON object, and call back for each element of its array `array`, and for each
 * of its other members (index SIZE_MAX, name: its key), in the order of the file. Where `array` is an object,
 * its members are the elements (name: their keys); "": the document is an array. line: where it begins.
 * Elements that cannot be used are left out, and so is what lies behind damage that hides where the next one
 * begins. NaN and Infinity, which Python writes, are read as "". */
enum ft_status ft__document_each(struct ft_import_job *job, const char *array,
				 enum ft_status (*take)(struct ft_import_job *job, const char *name,
							size_t index, size_t line, struct json_t *value,
							struct ft_err *err),
				 struct ft_err *err);

/* ft__document_scan - the same of a text that was read; it is changed. */
enum ft_status ft__document_scan(struct ft_import_job *job, char *text, size_t length, const char *array,
				 enum ft_status (*take)(struct ft_import_job *job, const char *name,
							size_t index, size_t line, struct json_t *value,
							struct ft_err *err),
				 struct ft_err *err);

/* ft__lines_each - the same for a file of one JSON value a line. */
enum ft_status ft__lines_each(struct ft_import_job *job,
			      enum ft_status (*take)(struct ft_import_job *job, struct json_t *value,
						     struct ft_err *err),
			      struct ft_err *err);

/* ft__json_fields - the members of an object as fields, "PREFIXkey"; those of an object in it as "key.inner".
 * Numbers as short as they read back the same. */
enum ft_status ft__json_fields(struct ft_import_job *job, const char *prefix, const struct json_t *object,
			       struct ft_err *err);

/* ft__json_number - a number, NaN if there is none of that name. */
double ft__json_number(const struct json_t *object, const char *key);

/* ft__document_head - whether a text begins like a JSON object in which a key occurs; behind one line that is
 * none, too. */
bool ft__document_head(const char *head, size_t length, const char *key);

/* ---- Extra-P: extrap.c
 * ------------------------------------------------------------------------------- */

/* The points of a program: its sizes, and for each resource the values there. Ends with ft__extrap_clear. */
struct ft__extrap_points {
	struct ft_size *size;
	size_t n;
	const struct ft_resource *resource[32];
	size_t n_resources;
	size_t left_out; /* runs that failed, warm-ups */
};

/* ft__extrap_take - one value of a metric at the record's size: a run of its own until ft__extrap_join. */
enum ft_status ft__extrap_take(struct ft_import_job *job, const char *metric, double value,
			       struct ft_err *err);

/* ft__extrap_begin - before the first value: how many runs each part has. first: [n] heap, ends with ft_free */
enum ft_status ft__extrap_begin(struct ft_import_job *job, size_t **first, size_t *n, struct ft_err *err);

/* ft__extrap_join - behind the last value: make runs of values, the k-th ones of all metrics at a size. */
enum ft_status ft__extrap_join(struct ft_import_job *job, const size_t *first, size_t n, struct ft_err *err);

/* ft__extrap_line - a line of Extra-P's JSON lines, or of TaLPas. */
enum ft_status ft__extrap_line(struct ft_import_job *job, struct json_t *line, struct ft_err *err);

/* ---- formats ------------------------------------------------------------------------------------------ */

extern const struct ft_format ft__csv_format, ft__snakemake_format, ft__nextflow_format, ft__sacct_format,
	ft__hyperfine_format, ft__gbench_format, ft__go_format, ft__criterion_format, ft__pytest_format,
	ft__asv_format, ft__pyperf_format, ft__jmh_format, ft__extrap_format, ft__extrap_lines_format,
	ft__foretime_format, ft__time_format, ft__perf_format, ft__sacct_json_format, ft__seff_format,
	ft__galaxy_format, ft__galaxy_table_format, ft__extrap_json_format, ft__talpas_format,
	ft__wfcommons_format;

/*
 * The two forms in which partitions are read.
 */

/* ft__sinfo_limit - "30" (minutes), "30:00", "1:30:00", "2-12", "2-12:30:00", "infinite" as Slurm writes
 * limits: seconds; NaN: another text. */
double ft__sinfo_limit(const char *text);

/*
 * Shared by the readers of Slurm's tables: what a job states, what foretime.lua filled in, and its rows in
 * the accounts.
 */

enum { FT__SAID_NAME = 201 };

/* "foretime:NAME,n=20000,m=4" */
struct ft__statement {
	char name[FT__SAID_NAME];
	size_t n;
	char param[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	char value[FT_PARAMS_MAX][48]; /* a decimal number */
};

/* ft__statement_find - the words in a comment, at its beginning or behind "; "; false: there are none, or none
 * that can be. */
bool ft__statement_find(const char *comment, struct ft__statement *said);

/* ft__filled_find - the values filled in by foretime.lua, from the administrator's comment that it wrote:
 * minutes, MiB; NaN: none. false: no such comment. */
struct ft__filled {
	double minutes, mib;
};
bool ft__filled_find(const char *comment, struct ft__filled *filled);

/* The fields of sacct that a harvest requests. */
enum ft__account_field {
	FT__JOB_ID,
	FT__JOB_RAW,
	FT__JOB_STATE,
	FT__JOB_START,
	FT__JOB_ELAPSED,
	FT__JOB_UID,
	FT__JOB_NODES,
	FT__JOB_COMMENT,
	FT__JOB_ADMIN,
	FT__JOB_FIELDS /* those above have a meaning of their own; the rest are columns for sacct.c */
};

/* A job and its steps. All is borrowed until the next one. */
struct ft__account {
	const char *cell[FT__JOB_FIELDS]; /* of the job's own row; "": missing */
	const char *rows;                 /* "A|B|...\n" a line for each row, the job's first */
	size_t length;
};

/* ft__tally_count - one more job became a run, of that outcome; ft__tally_put - keep the tally. */
void ft__tally_count(struct ft_slurm_tally *tally, const struct ft__account *account,
		     enum ft_outcome outcome);
enum ft_status ft__tally_put(struct ft_store *store, const char *cluster, const struct ft_slurm_tally *tally,
			     struct ft_err *err);

#endif
