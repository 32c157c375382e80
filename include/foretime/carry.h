/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.h - plans in the formats of those that carry them out.
 *
 *	char *text;
 *
 *	ft_carry_write(ft_carry_get(0), command, n, &text, err);
 */
#ifndef FORETIME_CARRY_H
#define FORETIME_CARRY_H

#include "foretime/status.h"

#include <stdint.h>

FT_BEGIN_DECLS

/* What one processor runs, next to the others. Borrowed. */
struct ft_carry_command {
	const char *host;        /* NULL: this machine */
	const char *const *argv; /* ends with NULL */
};

/* A row of the table of formats. */
struct ft_carry;

/* ft_carry_get - the i-th: "multi-prog" (srun --multi-prog), "mpiexec" (MPICH's -configfile), "parallel" (GNU
 * parallel); NULL past the last. ft_carry_find: that of such a name; NULL: there is none. */
const struct ft_carry *ft_carry_get(size_t i);
const struct ft_carry *ft_carry_find(const char *name);
const char *ft_carry_name(const struct ft_carry *format);

/* ft_carry_write - commands that run at once, as a file of a format.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a word or host that the format cannot express; FT_ENOMEM.
 */
enum ft_status ft_carry_write(const struct ft_carry *format, const struct ft_carry_command *command, size_t n,
			      char **out, struct ft_err *err);

/* ft_carry_piece - a command as a script of sh that goes to a folder, from there on runs it, and writes into
 * a file how it ended, when it began and when it ended: "0 1700000000.123456789 1700000001.5", at once or not
 * at all. The script itself ends well, so that a launcher ends none of the others.
 *
 * out  heap, ends with free; NULL on failure, FT_ENOMEM */
enum ft_status ft_carry_piece(const char *const *argv, const char *folder, const char *result, char **out,
			      struct ft_err *err);

/* A task of a schedule. Borrowed. */
struct ft_carry_job {
	const char *name, *host;
	const char *const *argv; /* ends with NULL */
	const size_t *after;     /* [n_after] jobs that must have ended well */
	size_t n_after;
};

/* ft_carry_slurm - a schedule as a script of sbatch, a job on its node (--nodelist) behind those that it
 * waits for.
 *
 * order  [n] the jobs, each behind all that it waits for
 * out    heap, ends with free; NULL on failure, FT_ENOMEM
 */
enum ft_status ft_carry_slurm(const struct ft_carry_job *job, const size_t *order, size_t n, char **out,
			      struct ft_err *err);

/* Runs without a waiting caller, on nodes of their own: an array of jobs of Slurm. Borrowed. */
struct ft_carry_array {
	const char *name;                             /* of the job */
	const char *folder, *scripts;                 /* task I is FOLDER/SCRIPTS.I.sh */
	const char *partition, *constraint, *exclude; /* NULL: any, none */
	size_t n;                                     /* tasks */
	size_t threads;                               /* processors of each; 0: as the partition has it */
	double limit_s, memory_bytes;                 /* of each; 0: as the partition has it */
};

/* ft_carry_array - a script of sbatch. Its tasks stand behind waiting jobs (--nice), make room for it
 * where the partition allows it, and are then queued again; each has its node alone. What a task writes is in
 * FOLDER/SCRIPTS.I.out.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a partition, a constraint or a list of nodes that is no word of sbatch;
 * FT_ENOMEM.
 */
enum ft_status ft_carry_array(const struct ft_carry_array *array, char **out, struct ft_err *err);

/* What a size takes. */
struct ft_carry_point {
	uint64_t size; /* 1 .. 2^32 - 1 */
	double mean_s, deviation_s;
	size_t runs; /* that it rests on, at least 1 */
};

/* ft_carry_starpu - a file of StarPU's performance models (version 45), of one processor core: the footprint
 * of a task is its size. STARPU_HOME/.starpu/sampling/codelets/45/SYMBOL.HOST is its place.
 *
 * Returns FT_OK; FT_EINVAL: no size, or one that cannot be written; FT_ENOMEM. */
enum ft_status ft_carry_starpu(const struct ft_carry_point *point, size_t n, char **out, struct ft_err *err);

/* A task of a schedule, and who runs it. Borrowed. */
struct ft_carry_turn {
	const char *name;
	size_t worker; /* as StarPU counts them, from 0 */
};

/* ft_carry_starpu_schedule - a schedule as StarPU's sched.rec: tasks are known by the order in which the
 * application submits them, which is that of turn [n].
 *
 * order    [n] the tasks in the order of their starts
 * workers  how many there are, at least
 * out      heap, ends with free; NULL on failure, FT_ENOMEM
 */
enum ft_status ft_carry_starpu_schedule(const struct ft_carry_turn *turn, size_t n, const size_t *order,
					size_t workers, char **out, struct ft_err *err);

/* What to ask for at one size; NaN: nothing of the kind is known. */
struct ft_carry_knot {
	double at;                   /* size, > 0 */
	double typical_s, most_s;    /* what a run takes, and what to ask for */
	double bytes;                /* to ask for */
	const char *alike;           /* "a,b": partitions tied with the best one; NULL: not known */
	double alike_s, alike_bytes; /* what suffices in each of these; NaN: not known */
};

struct ft_carry_value {
	const char *name;
	double value;
};

/* Borrowed. */
struct ft_carry_knots {
	const char *program, *parameter, *fingerprint, *host;
	const struct ft_carry_value *fixed; /* [n_fixed] what the other parameters are */
	size_t n_fixed;
	int64_t made_s, expires_s;        /* since 1970 */
	double risk, cpus;                /* cpus NaN: not known */
	const struct ft_carry_knot *knot; /* [n] ascending */
	size_t n;
};

/* ft_carry_write_knots - requests for all sizes as a text for Slurm's functions of submission, and for
 * readers of lines; its grammar stands in foretime-export(1).
 *
 * Returns FT_OK; FT_EINVAL: no knot, numbers that are negative or do not ascend, a name with a control
 * character; FT_ENOMEM. */
enum ft_status ft_carry_write_knots(const struct ft_carry_knots *knots, char **out, struct ft_err *err);

FT_END_DECLS
#endif
