/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.h - what a machine is made of: micro-benchmarks of our own, and the file that carries a machine
 * with its measurements to another store.
 *
 * A machine's row (document 004, chapter 5: resources of a target) has an entry for each micro-benchmark: the
 * wall seconds of one operation, by one thread.
 */
#ifndef FORETIME_CALIBRATE_H
#define FORETIME_CALIBRATE_H

#include "foretime/facts.h"

#include <signal.h>

FT_BEGIN_DECLS

/* In a store a micro-benchmark is the program FT_CALIBRATION_PREFIX NAME without parameters, its hash
 * ft_calibration_version(), and a sample the wall_s of a run of it. */
#define FT_CALIBRATION_PREFIX "calibration/"

/* A micro-benchmark. A row of a table. */
struct ft_micro {
	const char *name;      /* "int_add" */
	const char *operation; /* what is counted: "addition" */
	const char *about;     /* its description */
	size_t bytes;          /* of memory that it goes over; 0: it needs none */
};

/* ft_micro_get - the i-th micro-benchmark of the table; NULL past the last. */
const struct ft_micro *ft_micro_get(size_t i);

/* ft_micro_find - by name, with or without FT_CALIBRATION_PREFIX; NULL when there is none. */
const struct ft_micro *ft_micro_find(const char *name);

/* ft_calibration_version - changes when an operation does: seconds of different versions are never compared.
 * A build without optimisation, or with sanitizers, has one of its own. Static. */
const char *ft_calibration_version(void);

/* What one micro-benchmark took in one round. */
struct ft_micro_sample {
	const struct ft_micro *micro;
	double wall_s;      /* of one operation: lower quartile of a round; NaN: could not be measured */
	int64_t started_ns; /* wall clock, since 1970; 0: not known */
	char reason[256];   /* why it could not */
};

/* Zero-initialise; ends with ft_calibration_clear. */
struct ft_calibration {
	struct ft_micro_sample *sample; /* [n] in the order in which they were made */
	size_t n, capacity;
};

enum ft_status ft_calibration_add(struct ft_calibration *calibration, const struct ft_micro_sample *sample,
				  struct ft_err *err);
void ft_calibration_clear(struct ft_calibration *calibration); /* accepts NULL, and twice */

/* Zero: the default. */
struct ft_calibrate_options {
	size_t rounds;      /* through the whole table; 5 */
	size_t repetitions; /* of each micro-benchmark in a round; 15 */
	double least_s;     /* of a repetition: operations are doubled until they take as long; 0.002 */
	double most_s;      /* no micro-benchmark is begun after this many seconds; 50 */
	void (*progress)(void *ctx, size_t done, size_t all); /* called after each; NULL: none */
	void *ctx;
	const volatile sig_atomic_t *interrupt; /* a flag that is set from outside; NULL: none */
};

/* ft_calibrate - measure this machine.
 *
 * Rounds go through the whole table, so that what disturbs the machine for a while disturbs all alike. A
 * micro-benchmark that needs more than half of the memory that a run may have, or a child process that cannot
 * be had, is a sample without a value; it is tried once.
 *
 * out  the caller's, ends with ft_calibration_clear; cleared on failure
 *
 * Returns FT_OK; FT_EINTR; FT_EUNAVAIL: no clock; FT_ENOMEM.
 * Cost: some 10 s and 96 MiB with the default options. Threads: none of its own; starts child processes.
 */
enum ft_status ft_calibrate(const struct ft_calibrate_options *options, struct ft_calibration *out,
			    struct ft_err *err);

/* ft_calibration_write - a machine and its samples as a table of text that ft_calibration_read reads back.
 *
 * Notes: "# foretime: machine 1", version (ft_calibration_version), and the facts of the machine, machine
 * being its fingerprint. Columns: benchmark, wall_s, started. Samples without a value are left out.
 *
 * out  heap, ends with free
 */
enum ft_status ft_calibration_write(const struct ft_machine *machine,
				    const struct ft_calibration *calibration, char **out, struct ft_err *err);

/* ft_calibration_read - such a table.
 *
 * path         as for ft_csv_read
 * machine      out, the caller's, ends with ft_machine_clear; cleared on failure, as is calibration
 *
 * Returns FT_OK; what ft_csv_read and ft_csv_number return; FT_ENOTOURS: no such table; FT_EVERSION: of other
 * operations than ours; FT_EINVAL: a fact that is none; FT_EPARSE with line and column: a benchmark that
 * there is not, a time that is not positive, a moment that is none; FT_ENOMEM.
 */
enum ft_status ft_calibration_read(const char *path, struct ft_machine *machine,
				   struct ft_calibration *calibration, struct ft_err *err);

FT_END_DECLS
#endif
