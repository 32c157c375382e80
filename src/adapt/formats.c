/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats.c - the table of formats, and a file on its way through one of them. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/csv_table.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/adapt.h"
#include "foretime/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/*
 * Times, amounts and moments as the tools of others write them.
 */

bool ft__is_missing(const char *text)
{
	static const char *const word[] = {"", "-", "NA", "N/A", "nan", "NaN", "None", "null", "Unknown"};

	if (*text && *text != '-' && *text != 'N' && *text != 'n' && *text != 'U') /* most cells are none */
		return false;
	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (!strcmp(text, word[i]))
			return true;
	return false;
}

bool ft__read_number(const char *text, double *value)
{
	const char *end;

	return ft__number_scan_signed(text, &end, value) && !*end && isfinite(*value);
}

bool ft__read_mib(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return false;
	*value *= 0x1p20;
	return true;
}

bool ft__read_percent(const char *text, double *value)
{
	const char *end;

	if (!ft__number_scan_signed(text, &end, value) || !isfinite(*value))
		return false;
	*value /= 100;
	return !*end || !strcmp(end, "%");
}

/* The power of 1024 that a letter stands for; -1: none. */
static int power_of(char letter)
{
	static const char letters[] = "KMGTPE";
	const char *at = letter ? strchr(letters, letter >= 'a' ? letter - 'a' + 'A' : letter) : NULL;

	return at ? (int)(at - letters) + 1 : -1;
}

/* sacct(1): suffixes are powers of 1024; behind ReqMem, n says "a node", c "a processor". */
bool ft__read_slurm_bytes(const char *text, double *value)
{
	const char *end;

	if (!ft__number_scan_signed(text, &end, value) || !isfinite(*value))
		return false;
	int power = power_of(*end);
	if (power > 0) {
		*value = ldexp(*value, 10 * power);
		end++;
	}
	end += *end == 'c' || *end == 'n';
	return !*end;
}

/* sacct(1): [DD-[HH:]]MM:SS, TotalCPU with .mmm behind it; no bare number. */
bool ft__read_slurm_time(const char *text, double *value)
{
	return strchr(text, ':') && !ft_duration_parse(text, value, NULL);
}

static const char *skip_blanks(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

/* nextflow.util.MemoryUnit: "1.2 GB", where KB is 2^10 bytes; a bare number of bytes with trace.raw. */
bool ft__read_nextflow_bytes(const char *text, double *value)
{
	const char *end;

	if (!ft__number_scan(text, &end, value) || !isfinite(*value))
		return false;
	end = skip_blanks(end);
	int power = power_of(*end);
	if (power > 0) {
		*value = ldexp(*value, 10 * power);
		end++;
	}
	end += *end == 'B' || *end == 'b';
	return !*end;
}

/* nextflow.util.Duration: "1h 2m 3s", "650ms"; a bare number of milliseconds with trace.raw. */
bool ft__read_nextflow_time(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return !strchr(text, ':') && !ft_duration_parse(text, value, NULL);
	*value *= 1e-3;
	return *value >= 0;
}

int64_t ft__read_moment(const char *text, struct ft__clock *clock)
{
	enum { NS_PER_S = 1000000000, QUARTER_S = 900 }; /* clocks are set at multiples of it */
	const size_t length = strlen(text);
	struct tm tm;
	int64_t ns;

	if (!ft__moment_parse(text, &ns))
		return 0;
	if (length && text[length - 1] == 'Z')
		return ns;
	time_t seconds = (time_t)(ns / NS_PER_S - (ns % NS_PER_S < 0));
	const int64_t quarter = (int64_t)seconds / QUARTER_S + 1;
	const size_t k = (size_t)quarter % (sizeof clock->slot / sizeof *clock->slot);
	if (clock && clock->slot[k].quarter == quarter && quarter > 1)
		return ns - clock->slot[k].ahead_s * NS_PER_S;
	if (!gmtime_r(&seconds, &tm))
		return 0;
	tm.tm_isdst = -1;
	const time_t moment = mktime(&tm);
	if (moment == (time_t)-1)
		return 0;
	if (clock) {
		clock->slot[k].quarter = quarter;
		clock->slot[k].ahead_s = (int64_t)(seconds - moment);
	}
	return ns - (int64_t)(seconds - moment) * NS_PER_S;
}

int64_t ft__read_start(const char *text, struct ft__clock *clock)
{
	double ms;

	if (!*text || text[strspn(text, "0123456789")])
		return ft__read_moment(text, clock);
	return ft__read_number(text, &ms) && ms < (double)INT64_MAX / 1e6 ? (int64_t)ms * 1000000 : 0;
}

/*
 * What the formats that are tables share: a header that tells them, cells that become fields.
 */

/* The first line that is neither blank nor a comment; its length without the end. */
static const char *header_of(const char *head, size_t length, size_t *line)
{
	const char *end = head + length, *next;

	for (; head < end; head = next) {
		for (next = head; next < end && *next != '\n' && *next != '\r'; next++)
			;
		*line = (size_t)(next - head);
		next += next < end;
		if (*line && *head != '#')
			return head;
	}
	return NULL;
}

static bool has_cell(const char *line, size_t length, char separator, const char *cell)
{
	size_t wanted = strlen(cell), from = 0, to;

	for (; from <= length; from = to + 1) {
		for (to = from; to < length && line[to] != separator; to++)
			;
		while (from < to && line[from] == ' ')
			from++;
		if (to - from == wanted && !memcmp(line + from, cell, wanted))
			return true;
	}
	return false;
}

bool ft__table_head(const char *head, size_t length, char separator, const char *const *column, size_t n)
{
	size_t line;
	const char *header = header_of(head, length, &line);

	for (size_t i = 0; header && i < n; i++)
		if (!has_cell(header, line, separator, column[i]))
			return false;
	return header != NULL;
}

enum ft_status ft__table_each(struct ft_import_job *job, char separator, bool plain,
			      enum ft_status (*row)(void *job, const struct ft_csv *csv, struct ft_err *err),
			      struct ft_err *err)
{
	job->commas = separator == ',';
	job->columns = (struct ft__name_index){0};
	enum ft_status status = ft__csv_each(job->input, separator, plain, row, ft__job_spare, job, err);

	return status ? ft__job_spare_rest(job, status, err) : FT_OK;
}

enum ft_status ft__table_fields(struct ft_import_job *job, const struct ft_csv *csv, struct ft_err *err)
{
	const size_t n = ft_csv_columns(csv);
	struct ft__record *record = &job->record;

	ft__record_begin(job, ft_csv_line(csv, 0));
	struct ft__field *grown = ft_reserve(record->field, n, &record->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	record->field = grown;
	for (size_t i = 0; i < n; i++) {
		const char *name = ft_csv_column_name(csv, i);

		if (*name)
			record->field[record->n++] = (struct ft__field){
				.name = name, .text = ft_csv_cell(csv, 0, i), .column = i + 1};
	}
	record->columns = n <= INT16_MAX ? &job->columns : NULL;
	return FT_OK;
}

enum ft_status ft__table_samples(struct ft_import_job *job, const struct ft__column *column, size_t n,
				 struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		const struct ft__field *field = ft__record_find(&job->record, column[i].name);
		double value;

		if (!field || ft__is_missing(field->text) || ft__values_name(job, column[i].resource) ||
		    !isnan(ft_run_value(&job->record.run, column[i].resource)))
			continue;
		if (!column[i].read(field->text, &value))
			return ft__record_fail(job, field, "cannot be read", "write it as the tool does",
					       err);
		job->record.idle = job->record.idle || (value == 0 && column[i].resource == &ft_cpu_s);
		if (value == 0 && column[i].zero_is_missing)
			continue;
		status = ft__record_sample(job, column[i].resource, value, FT_MEASURED, field, NULL, err);
	}
	return status;
}

/*
 * Which runs of an import are stored already.
 */

/* A number in a total order: NaN last, equal to itself. */
static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a < b ? -1 : a > b;
}

static int compare_values(const struct ft_run *a, const struct ft_run *b)
{
	const struct ft_resource *resource;
	int order = 0;

	for (size_t i = 0; !order && (resource = ft_resource_get(i)); i++)
		order = compare_numbers(ft_run_value(a, resource), ft_run_value(b, resource));
	return order;
}

static int compare_runs(const struct ft_run *a, const struct ft_run *b)
{
	int by_size = ft_size_compare(&a->size, &b->size);

	if (by_size)
		return by_size;
	if (a->started_ns != b->started_ns)
		return a->started_ns < b->started_ns ? -1 : 1;
	if (a->outcome != b->outcome)
		return a->outcome < b->outcome ? -1 : 1;
	return compare_values(a, b);
}

/* Equal runs in the order in which they stand: the first ones go. */
static int compare_places(const void *left, const void *right)
{
	const struct ft_run *a = *(const struct ft_run *const *)left,
			    *b = *(const struct ft_run *const *)right;
	int order = compare_runs(a, b);

	return order ? order : a < b ? -1 : a > b;
}

static const struct ft_run **sorted_runs(const struct ft_runs *runs)
{
	const struct ft_run **list = ft_calloc(runs->n + 1, sizeof *list);

	if (!list)
		return NULL;
	for (size_t i = 0; i < runs->n; i++)
		list[i] = &runs->run[i];
	qsort(list, runs->n, sizeof *list, compare_places);
	return list;
}

/* Take the marked runs out. */
static void take_out(struct ft_runs *runs, const bool *known)
{
	size_t kept = 0;

	for (size_t i = 0; i < runs->n; i++) {
		if (known[i])
			ft_run_clear(&runs->run[i]);
		else
			runs->run[kept++] = runs->run[i];
	}
	runs->n = kept;
}

/* found: [stored->n] out, which of them were found again */
static enum ft_status drop_known(struct ft_runs *runs, const struct ft_runs *stored, bool *found,
				 size_t *dropped, struct ft_err *err)
{
	const struct ft_run **mine, **theirs;
	enum ft_status status = FT_OK;
	size_t i = 0, j = 0;
	bool *known;

	*dropped = 0;
	mine = sorted_runs(runs);
	theirs = sorted_runs(stored);
	known = ft_calloc(runs->n + 1, sizeof *known);
	if (!mine || !theirs || !known) {
		status = ft_nomem(err);
		goto out;
	}
	while (i < runs->n && j < stored->n) {
		int order = compare_runs(mine[i], theirs[j]);

		if (!order) {
			known[mine[i] - runs->run] = true;
			found[theirs[j] - stored->run] = true;
			++*dropped;
			j++;
		}
		i += order <= 0;
		j += order > 0;
	}
	take_out(runs, known);
out:
	ft_free(mine);
	ft_free(theirs);
	ft_free(known);
	return status;
}

/* Drops the runs that are stored, and which of those these were. found: [stored->n] heap, ends with ft_free. */
static enum ft_status drop_stored(struct ft_runs *runs, const struct ft_runs *stored, size_t *dropped,
				  bool **found, struct ft_err *err)
{
	*dropped = 0;
	*found = ft_calloc(stored->n + 1, sizeof **found);
	if (!*found)
		return ft_nomem(err);
	return stored->n ? drop_known(runs, stored, *found, dropped, err) : FT_OK;
}

enum ft_status ft_import_fresh(struct ft_runs *runs, const struct ft_runs *stored, size_t *dropped,
			       struct ft_err *err)
{
	bool *found;
	enum ft_status status = drop_stored(runs, stored, dropped, &found, err);

	ft_free(found);
	return status;
}

enum ft_status ft_import_match(struct ft_runs *runs, struct ft_runs *stored, size_t *dropped,
			       struct ft_err *err)
{
	bool *found;
	enum ft_status status = drop_stored(runs, stored, dropped, &found, err);

	if (!status)
		take_out(stored, found);
	ft_free(found);
	return status;
}

/*
 * The table of formats, and a file on its way through one of them.
 */

/* In the order in which they are tried: what almost every table is comes last. */
static const struct ft_format *const formats[] = {
	&ft__snakemake_format,  &ft__nextflow_format,    &ft__wfcommons_format, &ft__sacct_format,
	&ft__sacct_json_format, &ft__seff_format,        &ft__galaxy_format,    &ft__galaxy_table_format,
	&ft__pytest_format,     &ft__asv_format,         &ft__hyperfine_format, &ft__gbench_format,
	&ft__pyperf_format,     &ft__jmh_format,         &ft__criterion_format, &ft__go_format,
	&ft__foretime_format,   &ft__extrap_json_format, &ft__talpas_format,    &ft__extrap_lines_format,
	&ft__extrap_format,     &ft__time_format,        &ft__perf_format,      &ft__csv_format,
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

static const char *const passed_words[] = {
#define TEXT(name, words) words,
	FT_PASSED_LIST(TEXT)
#undef TEXT
};

const char *ft_passed_text(enum ft_passed passed)
{
	return passed < FT_PASSED_N ? passed_words[passed] : "unknown";
}

const struct ft_format *ft_format_get(size_t i)
{
	return i < N_FORMATS ? formats[i] : NULL;
}

/* A remedy with the names of the formats behind it: of those that can be written, or of all. */
static void name_formats(struct ft_err *err, const char *before, bool written)
{
	char names[400] = "";
	size_t length = 0;

	for (size_t i = 0; i < N_FORMATS && length < sizeof names; i++)
		if (!written || formats[i]->write)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
						   length ? ", " : "", formats[i]->name);
	(void)ft_remedy(err, "%s %s", before, names);
}

enum ft_status ft_format_find(const char *name, const struct ft_format **out, struct ft_err *err)
{
	*out = NULL;
	for (size_t i = 0; i < N_FORMATS; i++)
		if (!strcmp(formats[i]->name, name)) {
			*out = formats[i];
			return FT_OK;
		}
	(void)ft_fail(err, FT_EINVAL, "unknown format '%.40s'", name);
	name_formats(err, "the formats are", false);
	return FT_EINVAL;
}

void ft_import_clear(struct ft_import *import)
{
	if (!import)
		return;
	for (size_t i = 0; i < import->n; i++) {
		ft_program_clear(&import->part[i].program);
		ft_runs_clear(&import->part[i].runs);
		ft_free(import->part[i].machine);
	}
	ft_free(import->part);
	ft_free(import->order);
	ft__texts_free(import->texts);
	ft_machine_clear(&import->machine);
	*import = (struct ft_import){0};
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static enum ft_status recognise_format(struct ft_import_job *job, struct ft_err *err)
{
	const char *head, *name = ft__input_name(job->input);
	size_t length;

	FT_TRY(ft__input_head(job->input, &head, &length, err));
	if (ft__sacct_is_aligned(head, length)) {
		(void)ft_fail(err, FT_ENOTOURS,
			      "'%.200s' is what sacct prints for people: it cuts names and numbers off",
			      name);
		return ft_remedy(err, "let sacct -P print it, as in sacct -P -o "
				      "JobID,JobName,State,ExitCode,Elapsed,TotalCPU,MaxRSS");
	}
	if (job->options->format)
		return ft_format_find(job->options->format, &job->format, err);
	if (length >= 3 && !memcmp(head, "\xef\xbb\xbf", 3)) {
		head += 3;
		length -= 3;
	}
	for (size_t i = 0; i < N_FORMATS; i++)
		if (formats[i]->read && formats[i]->recognise(head, length)) {
			job->format = formats[i];
			return FT_OK;
		}
	(void)ft_fail(err, FT_ENOTOURS, length ? "'%.200s' has an unknown format" : "'%.200s' is empty",
		      name);
	name_formats(err, "name its format with --from:", false);
	return FT_ENOTOURS;
}

/* Rows that what the user says leaves out: of several files one may have no others. */
static const bool chosen[FT_PASSED_N] = {[FT_PASSED_PATTERN] = true,
					 [FT_PASSED_NAME] = true,
					 [FT_PASSED_FILE] = true,
					 [FT_PASSED_NODES] = true,
					 [FT_PASSED_KINDS] = true};

static const char *const remedies[FT_PASSED_N] = {
	[FT_PASSED_PATTERN] = "correct the pattern",
	[FT_PASSED_NAME] = "correct the pattern",
	[FT_PASSED_FILE] =
		"give the directory of the input files: --size directory=DIR; or take the size from a column",
	[FT_PASSED_NODES] = "name them, as in --machine 'node[01-16]=M'; or all others with --machine M",
	[FT_PASSED_KINDS] = "give nodes that are alike one name, as in --machine 'node[01-16]=M'",
	[FT_PASSED_AGGREGATE] = "record every run, not their summary alone",
};

/* Why most rows of this file were left out. */
static enum ft_passed most_passed(const struct ft_import_job *job, const size_t before[FT_PASSED_N])
{
	size_t most = 0;

	for (size_t i = 1; i < FT_PASSED_N; i++)
		if (job->import->passed[i] - before[i] > job->import->passed[most] - before[most])
			most = i;
	return (enum ft_passed)most;
}

/* A file of which nothing is taken is a mistake: say why. */
static enum ft_status fail_nothing(const struct ft_import_job *job, const size_t before[FT_PASSED_N],
				   struct ft_err *err)
{
	const char *name = ft__input_name(job->input);
	enum ft_passed most = most_passed(job, before);

	if (job->options->several && chosen[most] && job->import->passed[most] > before[most])
		return FT_OK;
	if (most == FT_PASSED_BROKEN && job->import->passed[most] > before[most]) {
		if (job->options->several)
			return FT_OK;
		*err = job->import->broken;
		return err->status;
	}
	if (job->import->passed[most] == before[most]) {
		(void)ft_fail(err, FT_EINVAL, "'%.120s' has no runs", name);
		return ft_remedy(err, "name a file with at least one");
	}
	if (most == FT_PASSED_RANGE) {
		(void)ft_fail(err, FT_EINVAL, "no row of '%.120s' lies within the range of the parameters",
			      name);
		return ft_remedy(err,
				 "widen the range, or leave it out: the range of the data is taken then");
	}
	(void)ft_fail(err, FT_EINVAL, "'%.120s' has no runs but rows %s (%zu)%s%s", name, passed_words[most],
		      job->import->passed[most] - before[most], most == FT_PASSED_FILE ? ", the first: " : "",
		      most == FT_PASSED_FILE ? job->import->missing : "");
	if (most == FT_PASSED_METRIC)
		return ft_remedy(err, "name its resource: --value wall_s=%s, or another one", job->metric);
	return ft_remedy(err, "%s", remedies[most] ? remedies[most] : "name a file with runs that ended");
}

static enum ft_status read_rows(struct ft_import_job *job, struct ft_err *err)
{
	size_t passed[FT_PASSED_N];

	memcpy(passed, job->import->passed, sizeof passed);
	job->first_runs = job->import->runs;
	job->file = (struct ft__field){.name = "path", .text = ft__input_name(job->input)};
	enum ft_status status = ft__sizes_parse(job, err);
	if (!status)
		status = ft__values_parse(job, err);
	if (!status)
		status = ft__name_parse(job, err);
	if (!status)
		status = ft__machines_parse(job, err);
	if (!status)
		status = recognise_format(job, err);
	if (!status && !job->format->read)
		status = ft_fail(err, FT_EINVAL, "the format %s is not read", job->format->name);
	if (!status)
		status = job->format->read(job, err);
	ft__texts_tell(job->import);
	if (!status && job->import->runs == job->first_runs)
		status = fail_nothing(job, passed, err);
	return status;
}

/* A file that failed as a whole, and of which nothing was taken. Of several it is left out; where none has
 * a run, the first reason of all is the failure. */
static enum ft_status spare_file(struct ft_import_job *job, enum ft_status status, struct ft_err *err)
{
	struct ft_import *import = job->import;

	if ((status != FT_EINVAL && status != FT_EPARSE && status != FT_ENOTOURS && status != FT_EIO) ||
	    job->options->strict || job->full || import->runs > job->first_runs)
		return status;
	if (job->options->several) {
		import->file = import->files_left_out++ ? import->file : *err;
		*err = (struct ft_err){0};
		return FT_OK;
	}
	if (import->files_left_out || *import->broken.text)
		*err = import->files_left_out ? import->file : import->broken;
	return err->status;
}

static enum ft_status read_input(struct ft_import *import, struct ft_input *input,
				 const struct ft_import_options *options, struct ft_err *err)
{
	static const struct ft_import_options none = {0};
	struct ft_import_job *job = ft_calloc(1, sizeof *job);
	struct ft_err unasked = {0};

	err = err ? err : &unasked;
	*err = (struct ft_err){0};

	if (!job) {
		ft_import_clear(import);
		return ft_nomem(err);
	}
	job->input = input;
	job->options = options ? options : &none;
	job->counts = -1;
	job->import = import;
	enum ft_status status = read_rows(job, err);
	if (status)
		status = spare_file(job, status, err);
	ft__record_begin(job, 0);
	ft_free(job->record.field);
	ft_text_clear(&job->record.texts);
	if (job->counts >= 0)
		(void)close(job->counts);
	ft__sizes_clear(job);
	ft__values_clear(job);
	ft__template_clear(&job->name);
	ft__machines_clear(job);
	if (job->format)
		import->format = job->format;
	ft_free(job);
	if (status)
		ft_import_clear(import);
	return status;
}

enum ft_status ft_import_read(struct ft_import *import, const char *path,
			      const struct ft_import_options *options, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_open(&input, path, err);

	if (status) {
		ft_import_clear(import);
		return status;
	}
	status = read_input(import, input, options, err);
	ft__input_close(input);
	return status;
}

enum ft_status ft_import_parse(struct ft_import *import, const char *name, const char *bytes, size_t length,
			       const struct ft_import_options *options, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_memory(&input, name, bytes, length, err);

	if (status) {
		ft_import_clear(import);
		return status;
	}
	status = read_input(import, input, options, err);
	ft__input_close(input);
	return status;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

enum ft_status ft_export_write(const struct ft_format *format, const struct ft_program *program,
			       const struct ft_machine *machine, const struct ft_runs *runs, char **out,
			       size_t *left_out, struct ft_err *err)
{
	struct ft_text text = {0};
	size_t ignored;

	*out = NULL;
	left_out = left_out ? left_out : &ignored;
	*left_out = 0;
	if (!format->write) {
		(void)ft_fail(err, FT_EINVAL, "the format %s is read only", format->name);
		name_formats(err, "the formats that can be written are", true);
		return FT_EINVAL;
	}
	enum ft_status status = format->write(program, machine, runs, &text, left_out, err);
	if (!status && !(*out = ft_text_take(&text)))
		status = ft_nomem(err);
	ft_text_clear(&text);
	return status;
}
