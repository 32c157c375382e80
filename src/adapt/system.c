/* SPDX-License-Identifier: GPL-3.0-or-later */
/* system.c - what system tools print of one command: GNU time -v, perf stat -x, and perf stat -j. */
#include "adapt/adapt.h"
#include "base/alloc.h"
#include "base/number.h"
#include "facts/door.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A command line: its program, and the numbers in it as sizes.
 */

/* Whether a word is a number, as sizes are written: "1000", "1e6", "64k". */
static bool is_size(const char *word, size_t length)
{
	char text[32];
	double value;

	if (!length || length >= sizeof text)
		return false;
	(void)snprintf(text, sizeof text, "%.*s", (int)length, word);
	return ft__number_read(text, false, &value);
}

/* Add a parameter. Its name is that of an option or a variable, where that can be one. */
static enum ft_status add_size(struct ft_import_job *job, const char *name, size_t name_length,
			       const char *word, size_t length, size_t *unnamed, struct ft_err *err)
{
	static const char *const usual[] = {"n", "m", "k"};
	char key[FT_PARAM_LENGTH] = "", text[32];
	struct ft_param param;

	if (name_length && name_length < sizeof key)
		(void)snprintf(key, sizeof key, "%.*s", (int)name_length, name);
	for (char *at = key; *at; at++)
		*at = (char)(*at == '-' ? '_' : *at);
	if (!*key || ft_param_parse(key, &param, NULL)) {
		if (*unnamed < sizeof usual / sizeof *usual)
			(void)snprintf(key, sizeof key, "%s", usual[*unnamed]);
		else
			(void)snprintf(key, sizeof key, "arg%zu", *unnamed + 1);
		++*unnamed;
	}
	for (size_t i = 0; i < job->record.n; i++) /* the first one counts: -t 4 ... -t 8 */
		if (!strcmp(job->record.field[i].name, key))
			return FT_OK;
	(void)snprintf(text, sizeof text, "%.*s", (int)length, word);
	return ft__record_own(job, key, strlen(key), text, 0, true, err);
}

/* The words behind the program: NUMBER, NAME=NUMBER, --name=NUMBER, and -n NUMBER. */
static enum ft_status add_arguments(struct ft_import_job *job, const char *at, struct ft_err *err)
{
	const char *option = NULL;
	size_t option_length = 0, length, unnamed = 0;
	enum ft_status status = FT_OK;

	for (; *at && !status; at += length) {
		at += strspn(at, " '\"");
		length = strcspn(at, " '\"");
		size_t dashes = strspn(at, "-"), key = strcspn(at, "= '\"");
		bool named = key < length && at[key] == '=';

		dashes = dashes < length ? dashes : 0;
		if (named && key > dashes && is_size(at + key + 1, length - key - 1))
			status = add_size(job, at + dashes, key - dashes, at + key + 1, length - key - 1,
					  &unnamed, err);
		else if (is_size(at, length))
			status = add_size(job, option, option_length, at, length, &unnamed, err);
		option = dashes && !named && !is_size(at, length) ? at + dashes : NULL;
		option_length = option ? length - dashes : 0;
	}
	return status;
}

/* The fields "command" and "program", which is the first word without its folder: behind env and the
 * variables that it sets. */
static enum ft_status add_command(struct ft_import_job *job, const char *command, struct ft_err *err)
{
	size_t length, name, i;

	FT_TRY(ft__record_own(job, "command", strlen("command"), command, 0, false, err));
	for (;; command += length) {
		command += strspn(command, " '\"");
		length = strcspn(command, " '\"");
		for (name = i = 0; i < length; i++)
			name = command[i] == '/' ? i + 1 : name;
		if (!length || ((length - name != 3 || strncmp(command + name, "env", 3) != 0) &&
				!memchr(command, '=', length)))
			break;
	}
	char *program = ft_strndup(command + name, length - name);
	if (!program)
		return ft_nomem(err);
	enum ft_status status = ft__record_own(job, "program", strlen("program"), program, 0, false, err);
	ft_free(program);
	job->record.name = status ? NULL : ft__record_text(&job->record, "program");
	return status ? status : add_arguments(job, command + length, err);
}

/*
 * GNU time -v: a block of lines for each command, also between lines of the program itself.
 *
 * Source: time(1), version 1.7 to 1.9. The line about a status or a signal stands above the block; the status
 * of a command that a signal ended is printed as 0. Times are cut to hundredths of a second, blocks of
 * storage have 512 bytes.
 */

static bool read_kib(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return false;
	*value *= 0x1p10;
	return true;
}

static bool read_blocks(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return false;
	*value *= 512;
	return true;
}

static bool read_elapsed(const char *text, double *value)
{
	return ft__read_slurm_time(text, value); /* "[h:]m:ss.cc" */
}

/* What stands before the value, and the field and the column that it becomes. */
static const struct {
	const char *line;
	struct ft__column column;
} time_lines[] = {
	{"User time (seconds): ", {"user_s", &ft_user_s, ft__read_number, false}},
	{"System time (seconds): ", {"system_s", &ft_system_s, ft__read_number, false}},
	{"Elapsed (wall clock) time (h:mm:ss or m:ss): ", {"elapsed", &ft_wall_s, read_elapsed, false}},
	{"Maximum resident set size (kbytes): ", {"max_rss", &ft_peak_rss_bytes, read_kib, true}},
	{"Major (requiring I/O) page faults: ", {"major_faults", &ft_major_faults, ft__read_number, false}},
	{"Minor (reclaiming a frame) page faults: ",
	 {"minor_faults", &ft_minor_faults, ft__read_number, false}},
	{"Voluntary context switches: ",
	 {"voluntary_switches", &ft_voluntary_switches, ft__read_number, false}},
	{"Involuntary context switches: ",
	 {"involuntary_switches", &ft_involuntary_switches, ft__read_number, false}},
	{"File system inputs: ", {"inputs", &ft_read_bytes, read_blocks, false}},
	{"File system outputs: ", {"outputs", &ft_written_bytes, read_blocks, false}},
};

enum { TIME_LINES = sizeof time_lines / sizeof *time_lines };

static const char command_line[] = "Command being timed: \"",
		  status_line[] = "Exit status: ", failed_line[] = "Command exited with non-zero status ",
		  signal_line[] = "Command terminated by signal ",
		  stopped_line[] = "Command stopped by signal ";

static const char time_remedy[] = "let time -v write it again, as in /usr/bin/time -v -a -o FILE COMMAND";

/* A block that is being read. */
struct time_block {
	bool open, command, status;
	int failed, signal; /* by the line above it; 0: none stood there */
};

static bool recognise_time(const char *head, size_t length)
{
	for (size_t i = 0; i + sizeof command_line <= length; i++)
		if (head[i] == '\t' && (!i || head[i - 1] == '\n') &&
		    !memcmp(head + i + 1, command_line, sizeof command_line - 1))
			return true;
	for (size_t i = 0; i + 64 <= length; i++) /* that line may be damaged */
		if (head[i] == '\t' && !memcmp(head + i + 1, time_lines[2].line, strlen(time_lines[2].line)))
			return true;
	return false;
}

/* How the command ended. */
static enum ft_status read_time_exit(struct ft_import_job *job, const struct time_block *block,
				     struct ft_err *err)
{
	const struct ft__field *field = ft__record_find(&job->record, "exit_status");
	struct ft_run *run = &job->record.run;
	double code;

	if (!ft__read_number(field->text, &code) || code < 0 || code > 255)
		return ft__record_fail(job, field, "no exit status", time_remedy, err);
	if (block->signal) {
		run->outcome = FT_CRASHED;
		run->signal = block->signal;
	} else if (code > 0 || block->failed) {
		run->outcome = FT_FAILED;
		run->exit_status = code > 0 ? (int)code : block->failed;
	}
	return FT_OK;
}

/* From here on the hundredths to which time cuts are less than runs differ by. */
static const double time_good_s = 1;

/* The block ends here: a run, if it has all that a run needs. */
static enum ft_status end_block(struct ft_import_job *job, struct time_block *block, struct ft_err *err)
{
	const struct time_block all = *block;
	bool wanted;

	*block = (struct time_block){0};
	if (!all.open)
		return FT_OK;
	if (!all.command)
		return ft__record_fail_named(job, NULL, NULL, "values without the line 'Command being timed'",
					     time_remedy, err);
	if (!all.status || !ft__record_text(&job->record, "elapsed"))
		return ft__record_fail_named(job, NULL, NULL,
					     all.status ? "no elapsed time"
							: "it ends before the line 'Exit status'",
					     time_remedy, err);
	FT_TRY(ft__record_wanted(job, &wanted, err));
	if (!wanted)
		return FT_OK;
	FT_TRY(read_time_exit(job, &all, err));
	static const char reason[] = "GNU time measures in hundredths of a second";
	struct ft_run *run = &job->record.run;

	for (size_t i = 0; i < TIME_LINES; i++)
		FT_TRY(ft__table_samples(job, &time_lines[i].column, 1, err));
	double wall = ft_run_value(run, &ft_wall_s),
	       cpu = ft_run_value(run, &ft_user_s) + ft_run_value(run, &ft_system_s);
	if (!ft__values_name(job, &ft_cpu_s))
		FT_TRY(ft__record_sample(job, &ft_cpu_s, cpu, FT_MEASURED, NULL, "User time", err));
	job->record.elapsed_s = wall + 0.01; /* both are cut */
	if (!(wall >= time_good_s)) {
		FT_TRY(ft__record_doubt(job, &ft_wall_s, INFINITY, reason, err));
		FT_TRY(ft__record_doubt(job, &ft_cpu_s, INFINITY, reason, err));
	}
	return ft__record_take(job, err);
}

/* A block begins: the one before has ended, whole or not. */
static enum ft_status begin_block(struct ft_import_job *job, struct time_block *block, struct ft_err *err)
{
	struct time_block above = {.open = true, .failed = block->failed, .signal = block->signal};
	enum ft_status status = FT_OK;

	if (block->open) {
		above = (struct time_block){.open = true};
		status = end_block(job, block, err);
		status = status ? ft__job_spare(job, status, err) : FT_OK;
	}
	ft__record_begin(job, ft__input_number(job->input));
	*block = above;
	return status;
}

/* "Command exited with non-zero status 3" is of the block below it. */
static bool take_above(const char *line, struct time_block *block)
{
	static const char *const above[] = {failed_line, signal_line, stopped_line};

	for (size_t i = 0; i < 3; i++) {
		const char *at =
			strstr(line, above[i]); /* it may stand behind what the program printed last */
		int number = at ? atoi(at + strlen(above[i])) : 0;

		if (!at)
			continue;
		block->failed = i == 0 ? number : 0;
		block->signal = i > 0 ? number : 0;
		return true;
	}
	return false;
}

static enum ft_status take_command(struct ft_import_job *job, struct time_block *block, const char *text,
				   struct ft_err *err)
{
	size_t length = strlen(text);

	FT_TRY(begin_block(job, block, err));
	block->command = true;
	char *command = ft_strndup(text, length - (length && text[length - 1] == '"'));
	if (!command)
		return ft_nomem(err);
	enum ft_status status = add_command(job, command, err);
	ft_free(command);
	return status;
}

/* A line without its end. Those of the program are passed over. */
static enum ft_status take_time_line(struct ft_import_job *job, struct time_block *block, const char *line,
				     struct ft_err *err)
{
	if (!block->open && take_above(line, block))
		return FT_OK;
	if (*line != '\t')
		return FT_OK;
	line++;
	if (!strncmp(line, command_line, sizeof command_line - 1))
		return take_command(job, block, line + sizeof command_line - 1, err);
	for (size_t i = 0; i < TIME_LINES; i++) {
		const char *name = time_lines[i].column.name;
		size_t length = strlen(time_lines[i].line);

		if (strncmp(line, time_lines[i].line, length) != 0)
			continue;
		if (!block->open || ft__record_text(&job->record, name))
			FT_TRY(begin_block(job, block, err));
		return ft__record_own(job, name, strlen(name), line + length, 0, false, err);
	}
	if (strncmp(line, status_line, sizeof status_line - 1) != 0)
		return FT_OK;
	if (!block->open)
		FT_TRY(begin_block(job, block, err));
	block->status = true;
	FT_TRY(ft__record_own(job, "exit_status", strlen("exit_status"), line + sizeof status_line - 1, 0,
			      false, err));
	return end_block(job, block, err);
}

/* A copy of a line without its end. */
static enum ft_status next_line(struct ft_import_job *job, char **copy, struct ft_err *err)
{
	const char *line;
	size_t length;
	enum ft_status status = ft__input_line(job->input, &line, &length, err);

	*copy = NULL;
	if (status)
		return status;
	while (length && strchr("\r\n", line[length - 1]))
		length--;
	*copy = ft_strndup(line, length);
	return *copy ? FT_OK : ft_nomem(err);
}

static enum ft_status read_time(struct ft_import_job *job, struct ft_err *err)
{
	struct time_block block = {0};
	enum ft_status status;
	char *line;

	while (!(status = next_line(job, &line, err))) {
		status = take_time_line(job, &block, line, err);
		ft_free(line);
		if (status && (status = ft__job_spare(job, status, err)))
			return status;
	}
	if (status != FT_EEND)
		return ft__job_spare_rest(job, status, err);
	status = end_block(job, &block, err);
	return status ? ft__job_spare(job, status, err) : FT_OK;
}

const struct ft_format ft__time_format = {"time", "what GNU time -v prints", recognise_time, read_time, NULL};

/*
 * perf stat: a line for each counter, in columns (-x,) or as JSON (-j). It prints neither the command nor how
 * it ended, and the elapsed time only as the counter duration_time.
 *
 * Source: perf-stat(1), "CSV FORMAT" and "JSON FORMAT"; Linux 5.10 to 6.12. Columns are value, unit, event,
 * with -r the variance, the time that the event was counted, the share of that, a derived value, its unit.
 * -r prints means; an event that shared its counter is scaled up to its whole time.
 */

static const struct {
	const char *event;
	const struct ft_resource *resource;
	const char *unit; /* where perf prints none */
} perf_events[] = {
	{"task-clock", &ft_cpu_s, "msec"},      {"cpu-clock", &ft_cpu_s, "msec"},
	{"duration_time", &ft_wall_s, "ns"},    {"elapsed", &ft_wall_s, "ns"},
	{"user_time", &ft_user_s, "ns"},        {"system_time", &ft_system_s, "ns"},
	{"instructions", &ft_instructions, ""}, {"cycles", &ft_cycles, ""},
	{"cpu-cycles", &ft_cycles, ""},         {"major-faults", &ft_major_faults, ""},
	{"minor-faults", &ft_minor_faults, ""}, {"energy-pkg", &ft_energy_j, "Joules"},
};

static const struct {
	const char *unit;
	double factor;
} perf_units[] = {
	{"msec", 1e-3}, {"ns", 1e-9},    {"usec", 1e-6},  {"sec", 1},      {"Joules", 1},
	{"bytes", 1},   {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30},
};

static const char perf_remedy[] =
	"let perf stat -x, or -j write it again, without -I, -A and --per-core: whole runs are read";

/* One counter of a run. */
struct perf_row {
	char event[80]; /* as printed */
	char value[48], unit[16];
	double share;    /* of the time that it was counted, in percent; NaN: not printed */
	double utilised; /* processors; NaN: not printed */
	bool mean;       /* of several runs: -r */
};

static size_t find_event(const char *event)
{
	char plain[80];
	size_t i = 0;

	/* The event without the unit of the processor that counts it, and without its modifier: "cpu_core/cycles/u",
	 * "instructions:u". */
	const char *slash = strchr(event, '/');
	size_t length = slash ? strcspn(slash + 1, "/") : strcspn(event, ":");

	(void)snprintf(plain, 80, "%.*s", (int)length, slash ? slash + 1 : event);
	while (i < sizeof perf_events / sizeof *perf_events && strcmp(perf_events[i].event, plain) != 0)
		i++;
	return i;
}

/* NaN: no unit that is known. */
static double unit_factor(const char *unit)
{
	for (size_t i = 0; i < sizeof perf_units / sizeof *perf_units; i++)
		if (!strcmp(perf_units[i].unit, unit))
			return perf_units[i].factor;
	return *unit ? (double)NAN : 1;
}

static bool is_uncounted(const char *value)
{
	return !strcmp(value, "<not counted>") || !strcmp(value, "<not supported>");
}

/* ---- a line ------------------------------------------------------------------------------------------- */

enum { PERF_CELLS = 9 };

/* The cells of a line, which is cut up. */
static size_t split_cells(char *line, char separator, char *cell[PERF_CELLS])
{
	size_t n = 0;

	for (char *at = line; at && n < PERF_CELLS; n++) {
		char *end = strchr(at, separator);

		cell[n] = at + strspn(at, " ");
		if (end)
			*end++ = '\0';
		at = end;
	}
	return n;
}

/* Whether cells from here on are those of a counter: value, unit, event. */
static bool is_counter(char *const *cell, size_t n)
{
	double value;

	return n >= 5 && (is_uncounted(cell[0]) || ft__read_number(cell[0], &value)) &&
	       !isdigit((unsigned char)*cell[1]) && *cell[1] != '<' && isalpha((unsigned char)*cell[2]);
}

static bool cells_to_row(char *const *cell, size_t n, struct perf_row *row)
{
	size_t at = 3;

	if (!is_counter(cell, n))
		return false;
	size_t length = strlen(cell[3]);
	*row = (struct perf_row){.share = NAN, .utilised = NAN};
	(void)snprintf(row->value, sizeof row->value, "%s", cell[0]);
	(void)snprintf(row->unit, sizeof row->unit, "%s", cell[1]);
	(void)snprintf(row->event, sizeof row->event, "%s", cell[2]);
	row->mean = length && cell[3][length - 1] == '%';
	at += row->mean;
	if (at + 1 < n)
		(void)ft__read_number(cell[at + 1], &row->share);
	if (at + 3 < n && !strcmp(cell[at + 3], "CPUs utilized"))
		(void)ft__read_number(cell[at + 2], &row->utilised);
	return true;
}

static double text_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	double number = json_is_number(value) ? json_number_value(value) : (double)NAN;

	if (json_is_string(value) && !ft__read_number(json_string_value(value), &number))
		number = NAN;
	return number;
}

/* {"counter-value" : "33.4", "unit" : "msec", "event" : "task-clock", ...} */
static bool json_to_row(const json_t *line, struct perf_row *row)
{
	static const char *const parts[] = {"interval", "cpu", "core", "socket", "die", "node", "thread"};
	const char *value = json_string_value(json_object_get(line, "counter-value")),
		   *unit = json_string_value(json_object_get(line, "unit")),
		   *event = json_string_value(json_object_get(line, "event")),
		   *derived = json_string_value(json_object_get(line, "metric-unit"));

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (json_object_get(line, parts[i]))
			return false;
	if (!value || !event || !*event)
		return false;
	*row = (struct perf_row){.share = text_number(line, "pcnt-running"), .utilised = NAN};
	(void)snprintf(row->value, sizeof row->value, "%s", value);
	(void)snprintf(row->unit, sizeof row->unit, "%s", unit ? unit : "");
	(void)snprintf(row->event, sizeof row->event, "%s", event);
	row->mean = json_object_get(line, "variance");
	if (derived && !strcmp(derived, "CPUs utilized"))
		row->utilised = text_number(line, "metric-value");
	return true;
}

/* A line that holds a counter; false: it does not, or of a part of the run. */
static bool line_to_row(char *line, char separator, struct perf_row *row)
{
	char *cell[PERF_CELLS];

	if (separator)
		return cells_to_row(cell, split_cells(line, separator, cell), row);
	json_t *object = json_loads(line, 0, NULL);
	bool good = json_is_object(object) && json_to_row(object, row);
	json_decref(object);
	return good;
}

/* ---- what is recognised ------------------------------------------------------------------------------- */

static const char separators[] = ",;|\t";

/* The separator of a line of perf stat -x; 0: it is none. Only counters that are known, or with a unit of
 * perf's, show that a line is no row of another table. */
static char separator_of(const char *line, size_t length)
{
	struct perf_row row;
	char text[256], *cell[PERF_CELLS];

	for (size_t i = 0; separators[i] && length < sizeof text; i++) {
		(void)snprintf(text, sizeof text, "%.*s", (int)length, line);
		if (cells_to_row(cell, split_cells(text, separators[i], cell), &row) && row.share >= 0 &&
		    row.share <= 100 &&
		    ((find_event(row.event) < sizeof perf_events / sizeof *perf_events) ||
		     (*row.unit && !isnan(unit_factor(row.unit)))))
			return separators[i];
	}
	return '\0';
}

/* The separator of one of the first two lines that are no comments: of them one may be damaged. */
static char separator_in(const char *head, size_t length)
{
	size_t seen = 0, line;
	char found;

	for (size_t at = 0; at < length && seen < 2; at += line + 1) {
		for (line = 0; at + line < length && !strchr("\r\n", head[at + line]);)
			line++;
		if (!line || head[at] == '#')
			continue;
		if ((found = separator_of(head + at, line)))
			return found;
		seen++;
	}
	return '\0';
}

/* Whether one of the first lines is an object that begins with the value of a counter, or with its interval. */
static bool is_perf_json(const char *head, size_t length)
{
	enum { LINES = 6 };
	const char *end = head + length, *next;

	for (size_t i = 0; i < LINES && head < end; i++, head = next) {
		for (next = head; next < end && *next != '\n';)
			next++;
		next += next < end;
		if (*head == '{' && ft__document_head(head, (size_t)(next - head), "counter-value"))
			return true;
	}
	return false;
}

static bool recognise_perf(const char *head, size_t length)
{
	return separator_in(head, length) || is_perf_json(head, length);
}

/* ---- runs --------------------------------------------------------------------------------------------- */

enum { PERF_ROWS = 128 };

/* The counters of a run, until all are there. */
struct perf_run {
	struct perf_row row[PERF_ROWS];
	size_t n, line; /* line: of the first */
};

/* The resource of a counter: by its name, where it is none of ours. NULL: it can have none. */
static const struct ft_resource *event_resource(const struct perf_row *row)
{
	const struct ft_resource *resource;
	char name[FT_RESOURCE_LENGTH];
	size_t known = find_event(row->event);

	if (known < sizeof perf_events / sizeof *perf_events)
		return perf_events[known].resource;
	if (*row->unit || strlen(row->event) >= sizeof name)
		return NULL;
	(void)snprintf(name, sizeof name, "%s", row->event);
	for (char *at = name; *at; at++)
		*at = isalnum((unsigned char)*at) || strchr("_-:.", *at) ? *at : '_';
	return ft_resource_named(name, &resource, NULL) || !resource->counter ? NULL : resource;
}

/* A counter twice in a run: the parts of it that processors of several kinds counted. */
static bool add_to_sample(struct ft_run *run, const struct ft_resource *resource, double value)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == resource && !isnan(run->sample[i].value)) {
			run->sample[i].value += value;
			return true;
		}
	return false;
}

static enum ft_status add_sample(struct ft_import_job *job, const struct perf_row *row, struct ft_err *err)
{
	const struct ft_resource *resource = event_resource(row);
	size_t known = find_event(row->event);
	const char *unit = *row->unit || known == sizeof perf_events / sizeof *perf_events
				   ? row->unit
				   : perf_events[known].unit;
	struct ft_run *run = &job->record.run;
	double value;
	char reason[96];

	if (!resource || ft__values_name(job, resource))
		return FT_OK;
	if (is_uncounted(row->value)) {
		(void)snprintf(reason, sizeof reason, "perf: %s", row->value);
		return isnan(ft_run_value(run, resource)) ? ft_run_add(run, resource, NAN, FT_UNAVAILABLE,
								       job->format->name, reason, err)
							  : FT_OK;
	}
	if (!ft__read_number(row->value, &value) || isnan(unit_factor(unit)))
		return ft__record_fail_named(job, row->event, row->value, "not a value of perf", perf_remedy,
					     err);
	if (strchr(row->event, '/') && add_to_sample(run, resource, value))
		return FT_OK;
	FT_TRY(ft__record_sample(job, resource, value * unit_factor(unit), FT_MEASURED, NULL, row->event,
				 err));
	(void)snprintf(reason, sizeof reason, "counted in %.3g %% of its time, and scaled", row->share);
	if (row->mean)
		return ft__record_doubt(job, resource, INFINITY,
					"the mean of several runs: single ones vary more", err);
	return row->share < 100 ? ft__record_doubt(job, resource, INFINITY, reason, err) : FT_OK;
}

/* The elapsed time, where it is no counter: processor time by processors utilised. */
static enum ft_status add_elapsed(struct ft_import_job *job, const struct perf_run *rows, struct ft_err *err)
{
	static const char reason[] = "processor time by processors utilised, which perf prints to 0.001";
	struct ft_run *run = &job->record.run;
	double wall = NAN;

	if (!isnan(ft_run_value(run, &ft_wall_s)) || ft__values_name(job, &ft_wall_s))
		return FT_OK;
	for (size_t i = 0; i < rows->n && isnan(wall); i++)
		if (rows->row[i].utilised > 0)
			wall = ft_run_value(run, &ft_cpu_s) / rows->row[i].utilised;
	FT_TRY(ft__record_sample(job, &ft_wall_s, wall, FT_ESTIMATED, NULL, "CPUs utilized", err));
	return ft__record_doubt(job, &ft_wall_s, INFINITY, reason, err);
}

/* The run ends here. Its counters are columns, too. */
static enum ft_status end_perf_run(struct ft_import_job *job, struct perf_run *rows, struct ft_err *err)
{
	size_t n = rows->n;
	bool wanted;

	rows->n = 0;
	if (!n)
		return FT_OK;
	ft__record_begin(job, rows->line);
	for (size_t i = 0; i < n; i++)
		FT_TRY(ft__record_own(job, rows->row[i].event, strlen(rows->row[i].event),
				      is_uncounted(rows->row[i].value) ? "" : rows->row[i].value, 0, false,
				      err));
	FT_TRY(ft__record_wanted(job, &wanted, err));
	if (!wanted)
		return FT_OK;
	for (size_t i = 0; i < n; i++)
		FT_TRY(add_sample(job, &rows->row[i], err));
	rows->n = n;
	enum ft_status status = add_elapsed(job, rows, err);
	rows->n = 0;
	job->record.processors =
		INFINITY; /* a clock of each thread, and how many there were is not printed */
	return status ? status : ft__record_take(job, err);
}

/* A line begins a run where it is the comment that perf writes first, or a counter that the run has. */
static bool begins_run(const struct perf_run *rows, const char *line, const struct perf_row *row)
{
	if (*line == '#')
		return !strncmp(line, "# started on", 12);
	for (size_t i = 0; i < rows->n; i++)
		if (!strcmp(rows->row[i].event, row->event))
			return true;
	return rows->n == PERF_ROWS;
}

static enum ft_status take_perf_line(struct ft_import_job *job, struct perf_run *rows, char *line,
				     char separator, struct ft_err *err)
{
	struct perf_row row = {0};
	bool comment = *line == '#';

	if (!line[strspn(line, " \t\r\n")])
		return FT_OK;
	if (!comment && !line_to_row(line, separator, &row)) {
		(void)ft_fail(err, FT_EPARSE, "%.200s:%zu: no counter of a whole run",
			      ft__input_name(job->input), ft__input_number(job->input));
		(void)ft_remedy(err, "%s", perf_remedy);
		return FT_EPARSE;
	}
	if (begins_run(rows, line, &row)) {
		enum ft_status status = end_perf_run(job, rows, err);

		if (status)
			FT_TRY(ft__job_spare(job, status, err));
	}
	if (comment)
		return FT_OK;
	rows->line = rows->n ? rows->line : ft__input_number(job->input);
	rows->row[rows->n++] = row;
	return FT_OK;
}

static enum ft_status read_perf_lines(struct ft_import_job *job, struct perf_run *rows, char separator,
				      struct ft_err *err)
{
	enum ft_status status;
	char *line;

	while (!(status = next_line(job, &line, err))) {
		status = take_perf_line(job, rows, line, separator, err);
		ft_free(line);
		if (status && (status = ft__job_spare(job, status, err)))
			return status;
	}
	if (status != FT_EEND)
		return ft__job_spare_rest(job, status, err);
	status = end_perf_run(job, rows, err);
	return status ? ft__job_spare(job, status, err) : FT_OK;
}

static enum ft_status read_perf(struct ft_import_job *job, struct ft_err *err)
{
	struct perf_run *rows;
	const char *head;
	size_t length;

	FT_TRY(ft__input_head(job->input, &head, &length, err));
	char separator = separator_in(head, length);
	separator = (char)(separator || is_perf_json(head, length) ? separator : ',');
	rows = ft_calloc(1, sizeof *rows);
	if (!rows)
		return ft_nomem(err);
	enum ft_status status = read_perf_lines(job, rows, separator, err);
	ft_free(rows);
	return status;
}

const struct ft_format ft__perf_format = {"perf", "what perf stat -x, or -j prints", recognise_perf,
					  read_perf, NULL};
