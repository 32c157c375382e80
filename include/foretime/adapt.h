/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adapt.h - runs in the formats of other tools, read and written.
 *
 *	struct ft_import import = {0};
 *
 *	ft_import_read(&import, "trace.txt", &(struct ft_import_options){.by = "process"}, err);
 *	... import.part[i].program, import.part[i].runs ...
 *	ft_import_clear(&import);
 *
 * Values come in SI units and as foretime's resources, each sample with the format's name for its probe.
 */
#ifndef FORETIME_ADAPT_H
#define FORETIME_ADAPT_H

#include "foretime/base.h"
#include "foretime/facts.h"
#include "foretime/plan.h"
#include "foretime/store.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

struct ft_import;
struct ft_import_job; /* a file being read: src/adapt/adapt.h */
struct ft_text;
struct ft__texts; /* src/adapt/name.c */

/* A row of the table of formats. */
struct ft_format {
	const char *name; /* "snakemake": for --format, and the probe of the samples */
	const char *about;

	/* Whether a file that begins so is of this format: `length` bytes, all of the file when it is that
	 * short. */
	bool (*recognise)(const char *head, size_t length);

	/* Read the whole file of a job; NULL: the format is written only. */
	enum ft_status (*read)(struct ft_import_job *job, struct ft_err *err);

	/* Write the runs of a program; NULL: the format is read only. *left_out: runs that it cannot express.
	 */
	enum ft_status (*write)(const struct ft_program *program, const struct ft_machine *machine,
				const struct ft_runs *runs, struct ft_text *text, size_t *left_out,
				struct ft_err *err);
};

/* ft_format_get - the i-th format of the table; NULL past the last. */
const struct ft_format *ft_format_get(size_t i);

/* ft_format_find - by name; FT_EINVAL names those that there are. */
enum ft_status ft_format_find(const char *name, const struct ft_format **out, struct ft_err *err);

struct ft_import_row;

/* All of it may be zero. */
struct ft_import_options {
	const char *format; /* NULL: recognised by what the file begins with */

	/* The programs' names: a text in which {COLUMN} stands for the text of a column, and {COLUMN:/RE/}
	 * for what the first group of a POSIX extended expression matches in it; rows that do not match are
	 * left out. NULL: {COLUMN} of `by`; when that is NULL too, as the format has it (a rule, a process, a
	 * job name). With `by`, a name without {} is put before the text of the column: NAME-TEXT. */
	const char *name, *by;

	/* The program that is looked for: what a file gives no name is it, and rows of other programs that
	 * lack its parameters are passed over. NULL: any; a file without names is refused. */
	const char *wanted;

	/* Where the parameters' values stand: "n=COLUMN"; "n=COLUMN:/fft_([0-9]+)/": what the first group of
	 * a POSIX extended expression matches in a column (rows that do not match are left out; \d, \w and \s
	 * are known); "n={COLUMN:/RE/}": a text as `name` is; "n=file:COLUMN" or "n=file:in/{sample}.fq": the
	 * length in bytes of a file, gzip or not, as it is, or of all files in a folder; "n=unpacked:...":
	 * unpacked, "n=files:...": how many files, "n=lines:...": lines, "n=records:...": records of FASTA, FASTQ, SAM,
	 * BAM, VCF; rows whose file is not there are left out. The column `path` is the file's own path. A parameter that is not named here has a column of its name,
	 * or one that ends in ".NAME". */
	const char *const *size;
	size_t n_sizes;

	/* Where relative paths of input files start; NULL: where the process is. */
	const char *directory;

	/* A file, made if it is not there, in which is kept what files that had to be unpacked or read for a size hold, by
	 * inode, length and time of change: 1 MiB at most. NULL: they are read again by each call. */
	const char *counts;

	/* On which machines the runs were made: "node[01-16]=M" for nodes of one kind, "M" for all others, by
	 * the column NodeList (or hostname), in which Slurm's lists are known; or "{COLUMN}", a text as
	 * `name` is, of each node where it is of that column. Rows whose nodes have no name, or of several
	 * machines, are left out. None: as in the files. */
	const char *const *machine;
	size_t n_machines;

	/* Resources in columns that the format knows nothing of: "wall_s=COLUMN", "wall_s=COLUMN:ms". */
	const char *const *value;
	size_t n_values;

	/* The parameters, and the ranges within which rows are taken; 0:0 takes all. One that has a fixed
	 * value needs no column. NULL: those of `size`; when there are none, as the format has them, else n.
	 */
	const struct ft_param *param;
	size_t n_params;

	/* sacct: memory was gathered by cgroup (JobAcctGatherType), page cache and all: it is an estimate. */
	bool cgroup;

	/* Other files have runs, or may have: one without runs is not an error, and is counted. */
	bool several;

	/* All or nothing: the first row, or file, that cannot be used ends the reading. Else it is left out
	 * and counted, and ft_import has the first one with its reason. */
	bool strict;

	/* Memory of the machine: a run that needed more cannot be. 0: not known, 32 TiB are taken. */
	double memory_bytes;

	/* Processors that its operating system schedules on: they bound processor time by elapsed time. 0:
	 * not known. */
	int processors;

	/* What was requested, in columns that the format knows nothing of: "memory=COLUMN", "time=COLUMN:min". */
	const char *const *asked;
	size_t n_asked;

	/* Called with each run in place of keeping it: import->part stays empty, and there may be any number
	 * of them. Rows are then taken also if they have no size or no name ("all"), and a job of Slurm is
	 * called what its comment states (foretime-slurm(1)), with that size. May be NULL. */
	enum ft_status (*row)(void *row_ctx, const struct ft_import_row *row, struct ft_err *err);
	void *row_ctx;

	/* Called now and then with what has been read so far (share: of the file, NaN when it has no known
	 * length); false ends the reading with FT_EINTR. May be NULL. */
	bool (*progress)(void *ctx, size_t runs, double share);
	void *ctx;

	/* Called whenever this number of runs is held (0: never): it may take them, and clear ft_imported.runs of each part, so
	 * that files of any length can be read. What is then left is held on. A failure ends the reading. */
	enum ft_status (*take)(void *ctx, struct ft_import *import, struct ft_err *err);
	size_t portion;
};

/* Why rows of a file are no runs, or none that are taken. X(name, what a person reads: "12 rows ...") */
#define FT_PASSED_LIST(X)                                                                                    \
	X(RANGE, "outside the range of the parameters")                                                      \
	X(PATTERN, "that a pattern of --size does not match")                                                \
	X(NAME, "that a pattern of --name does not match")                                                   \
	X(FILE, "whose input file has no length")                                                            \
	X(NODES, "on nodes that --machine does not name")                                                    \
	X(KINDS, "on nodes of several kinds")                                                                \
	X(UNFINISHED, "that had not ended")                                                                  \
	X(AGGREGATE, "that summarise others")                                                                \
	X(CACHED, "that used an earlier result again")                                                       \
	X(OTHER, "of other programs")                                                                        \
	X(METRIC, "of a quantity that is no resource of foretime")                                           \
	X(SHORT, "that took less time than the format can say")                                              \
	X(BROKEN, "that cannot be used")

enum ft_passed {
#define FT_PASSED_ENUM(name, words) FT_PASSED_##name,
	FT_PASSED_LIST(FT_PASSED_ENUM)
#undef FT_PASSED_ENUM
		FT_PASSED_N
};

/* A program found in a file, and its runs on a machine. */
struct ft_imported {
	struct ft_program program; /* hash "", no command */
	struct ft_runs runs;
	size_t met;    /* runs that came, also those that were taken out of `runs` */
	char *machine; /* its host name, as in ft_import_options.machine; NULL: as in the files */
};

/* More runs are not held in memory at once: nor are they taken from an import without ft_import_options.take,
 * nor from a file of a format that joins the rows of a run (Extra-P). */
enum { FT_IMPORT_RUNS_MAX = 1000000 };

/* What was read so far. Zero-initialise; ends with ft_import_clear. */
struct ft_import {
	struct ft_imported *part; /* [n] in the order in which they were met */
	size_t n, capacity;
	size_t runs;                    /* of all parts, also those that were taken out of them */
	size_t held;                    /* since the last call of ft_import_options.take */
	size_t passed[FT_PASSED_N];     /* rows that were left out */
	const struct ft_format *format; /* of the file read last */
	char missing[256];     /* the first input file that has no length, and why; "": all have one */
	struct ft_err broken;  /* the first row that cannot be used: place, and why; "": there is none */
	size_t files_left_out; /* of several files, those of which no row can be used */
	struct ft_err file;    /* the first of them, and why */
	size_t doubtful;       /* values that cannot be, and are unavailable in their runs */
	char doubted[256];     /* the first one: place, and why */
	char timed[64];        /* a column of measured seconds that a size is made of; "": none */
	char unread[256];      /* csv, where no parameter was named: columns whose numbers differ and that are
				  nothing: perhaps parameters; "": none */
	char mixed[256]; /* columns of texts in which runs of one size of a program differ: perhaps they are
			    several programs; "": none */
	struct ft__texts *texts;       /* what is seen of them so far */
	struct ft_machine machine;     /* what the files contain of it: fingerprint NULL: nothing */
	size_t *order, order_capacity; /* of the parts by name */
};

void ft_import_clear(struct ft_import *import); /* accepts NULL, and twice */

/* ft_import_read - add the runs of a file, plain or gzip ("-": standard input), to an import.
 *
 * import   in and out; cleared on failure: nothing half-read is left
 * options  may be NULL
 *
 * A row that cannot be used is left out and counted (options->strict: it is the failure): a cell that cannot
 * be read, no size, a value that cannot be (negative; a wall time of zero in a format that measures; more
 * memory than the machine has). So is a file among several.
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_EPARSE with path, line and column: what is no such format;
 * FT_ENOTOURS: no format is recognised; FT_EINVAL: options that are wrong, a column that is not there, no row
 * that is taken (then the first reason of all files), more than FT_IMPORT_RUNS_MAX runs; FT_EINTR;
 * FT_ENOMEM. Memory: for the runs that are taken; a JSON document (up to 256 MiB) besides, and a part of
 * it that is parsed at once (up to 1 GiB).
 */
enum ft_status ft_import_read(struct ft_import *import, const char *path,
			      const struct ft_import_options *options, struct ft_err *err);

/* ft_import_parse - as ft_import_read, from memory; name stands in messages where a path would. */
enum ft_status ft_import_parse(struct ft_import *import, const char *name, const char *bytes, size_t length,
			       const struct ft_import_options *options, struct ft_err *err);

/* ft_export_write - the runs of a program in a format, as text.
 *
 * machine   may be NULL
 * out       heap, ends with free; NULL on failure
 * left_out  how many runs the format cannot express (those that failed, warm-ups); may be NULL
 *
 * Returns FT_OK; FT_EINVAL: a format that is not written, a program that it cannot express; FT_ENOMEM.
 */
enum ft_status ft_export_write(const struct ft_format *format, const struct ft_program *program,
			       const struct ft_machine *machine, const struct ft_runs *runs, char **out,
			       size_t *left_out, struct ft_err *err);

FT_END_DECLS

#endif
