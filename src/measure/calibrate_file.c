/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_file.c - reads and writes a machine and its row as a table of text. */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "measure/door.h"

#include <math.h>
#include <string.h>

static const char KIND[] = "machine 1";

/* The facts by the names that they have in notes: words, and whole numbers. */
#define WORDS(X)                                                                                             \
	X(fingerprint, "machine")                                                                            \
	X(host, "host")                                                                                      \
	X(cpu, "cpu")                                                                                        \
	X(architecture, "architecture")                                                                      \
	X(system, "system")                                                                                  \
	X(governor, "governor")                                                                              \
	X(hypervisor, "hypervisor")                                                                          \
	X(scheduler, "scheduler")
#define NUMBERS(X)                                                                                           \
	X(sockets, int, 1e6)                                                                                 \
	X(cores, int, 1e6)                                                                                   \
	X(threads, int, 1e6)                                                                                 \
	X(l1d_bytes, int64_t, 1e15)                                                                          \
	X(l2_bytes, int64_t, 1e15)                                                                           \
	X(l3_bytes, int64_t, 1e15)                                                                           \
	X(memory_bytes, int64_t, 1e18)

/* ---- writing ------------------------------------------------------------------------------------------- */

static void add_sample(struct ft_text *text, const struct ft_micro_sample *sample)
{
	char moment[FT__MOMENT_LENGTH];

	if (isnan(sample->wall_s))
		return;
	ft_text_add(text, "%s,", sample->micro->name);
	ft_text_add_number(text, sample->wall_s);
	ft_text_add(text, ",%s\n", ft__moment_format(sample->started_ns, moment));
}

enum ft_status ft_calibration_write(const struct ft_machine *machine,
				    const struct ft_calibration *calibration, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	size_t i;

	ft_text_add(&text, "# foretime: %s\n# version: %s\n", KIND, ft_calibration_version());
#define WRITE_WORD(field, key) ft_text_add_note(&text, key, machine->field);
	WORDS(WRITE_WORD)
#undef WRITE_WORD
#define WRITE_NUMBER(field, type, most)                                                                      \
	if (machine->field > 0)                                                                              \
		ft_text_add(&text, "# " #field ": %lld\n", (long long)machine->field);
	NUMBERS(WRITE_NUMBER)
#undef WRITE_NUMBER
	ft_text_add(&text, "benchmark,wall_s,started\n");
	for (i = 0; i < calibration->n; i++)
		add_sample(&text, &calibration->sample[i]);
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool take_word(const struct ft_csv *csv, const char *key, char **word)
{
	const char *note = ft_csv_note(csv, key);

	*word = note && *note ? ft_strdup(note) : NULL;
	return *word || !note || !*note;
}

/* A whole number up to `most`; 0 where there is no note. */
static enum ft_status take_number(const struct ft_csv *csv, const char *path, const char *key, double most,
				  double *value, struct ft_err *err)
{
	const char *note = ft_csv_note(csv, key), *end = note;

	*value = 0;
	if (!note)
		return FT_OK;
	if (ft__whole_scan(note, &end, value) && !*end && *value <= most)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%.200s': the note '%s' is '%.60s', no count of anything", path, key,
		      note);
	return ft_remedy(err, "correct the line \"# %s: ...\", or remove it", key);
}

static enum ft_status read_machine(const struct ft_csv *csv, const char *path, struct ft_machine *machine,
				   struct ft_err *err)
{
	enum ft_status status = FT_OK;
	double value;

#define READ_WORD(field, key)                                                                                \
	if (!take_word(csv, key, &machine->field))                                                           \
		return ft_nomem(err);
	WORDS(READ_WORD)
#undef READ_WORD
#define READ_NUMBER(field, type, most)                                                                       \
	status = take_number(csv, path, #field, most, &value, err);                                          \
	if (status)                                                                                          \
		return status;                                                                               \
	machine->field = (type)value;
	NUMBERS(READ_NUMBER)
#undef READ_NUMBER
	if (machine->fingerprint && strlen(machine->fingerprint) == 16 &&
	    strspn(machine->fingerprint, "0123456789abcdef") == 16)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%.200s': the note 'machine' is no fingerprint", path);
	return ft_remedy(err, "a fingerprint is 16 hexadecimal digits, as foretime machine export writes it");
}

static enum ft_status fail_cell(const struct ft_csv *csv, const char *path, size_t row, int column,
				const char *what, const char *remedy, struct ft_err *err)
{
	(void)ft_fail(err, FT_EPARSE, "%.200s:%zu: column %d (%s): %s: '%.60s'", path, ft_csv_line(csv, row),
		      column + 1, ft_csv_column_name(csv, (size_t)column), what,
		      ft_csv_cell(csv, row, (size_t)column));
	(void)ft_remedy(err, "%s", remedy);
	return FT_EPARSE;
}

/* The columns, by number. */
struct calibrate_file_columns {
	int benchmark, wall_s, started;
};

static enum ft_status read_sample(const struct ft_csv *csv, const char *path, size_t row,
				  const struct calibrate_file_columns *at, struct ft_micro_sample *sample,
				  struct ft_err *err)
{
	const char *moment = at->started < 0 ? "" : ft_csv_cell(csv, row, (size_t)at->started);

	*sample = (struct ft_micro_sample){0};
	sample->micro = ft_micro_find(ft_csv_cell(csv, row, (size_t)at->benchmark));
	if (!sample->micro)
		return fail_cell(csv, path, row, at->benchmark, "no such micro-benchmark",
				 "foretime machine show names those that there are", err);
	FT_TRY(ft_csv_number(csv, row, (size_t)at->wall_s, false, &sample->wall_s, err));
	if (!(sample->wall_s > 0))
		return fail_cell(csv, path, row, at->wall_s, "not above zero",
				 "correct the value, or remove the row", err);
	if (*moment && !ft__moment_parse(moment, &sample->started_ns))
		return fail_cell(csv, path, row, at->started, "not a moment",
				 "write it as 2026-01-31T12:00:00Z (UTC), or leave the cell empty", err);
	return FT_OK;
}

static enum ft_status read_samples(const struct ft_csv *csv, const char *path,
				   struct ft_calibration *calibration, struct ft_err *err)
{
	const struct calibrate_file_columns at = {
		ft_csv_column(csv, "benchmark"), ft_csv_column(csv, "wall_s"), ft_csv_column(csv, "started")};
	enum ft_status status = FT_OK;
	struct ft_micro_sample sample;

	if (at.benchmark < 0 || at.wall_s < 0) {
		(void)ft_fail(err, FT_EPARSE, "'%.200s' has no column '%s'", path,
			      at.benchmark < 0 ? "benchmark" : "wall_s");
		(void)ft_remedy(err, "its columns are benchmark, wall_s, started");
		return FT_EPARSE;
	}
	for (size_t row = 0; !status && row < ft_csv_rows(csv); row++) {
		status = read_sample(csv, path, row, &at, &sample, err);
		if (!status)
			status = ft_calibration_add(calibration, &sample, err);
	}
	return status;
}

/* Check that the table is one of ours, with our operations. */
static enum ft_status check_kind(const struct ft_csv *csv, const char *path, struct ft_err *err)
{
	const char *kind = ft_csv_note(csv, "foretime"), *version = ft_csv_note(csv, "version");

	if (!kind || strcmp(kind, KIND) != 0) {
		(void)ft_fail(err, FT_ENOTOURS, "'%.200s' is no machine", path);
		(void)ft_remedy(err, "foretime machine export writes one; runs of programs are taken by "
				     "foretime import");
		return FT_ENOTOURS;
	}
	if (version && !strcmp(version, ft_calibration_version()))
		return FT_OK;
	(void)ft_fail(err, FT_EVERSION,
		      "'%.200s' was measured by other micro-benchmarks ('%.60s', ours are '%s')", path,
		      version ? version : "", ft_calibration_version());
	(void)ft_remedy(err, "calibrate that machine again with this foretime");
	return FT_EVERSION;
}

enum ft_status ft_calibration_read(const char *path, struct ft_machine *machine,
				   struct ft_calibration *calibration, struct ft_err *err)
{
	struct ft_csv *csv;
	enum ft_status status = ft_csv_read(path, 0, &csv, err);

	*machine = (struct ft_machine){0};
	*calibration = (struct ft_calibration){0};
	if (!status)
		status = check_kind(csv, path, err);
	if (!status)
		status = read_machine(csv, path, machine, err);
	if (!status)
		status = read_samples(csv, path, calibration, err);
	ft_csv_free(csv);
	if (status) {
		ft_machine_clear(machine);
		ft_calibration_clear(calibration);
	}
	return status;
}
