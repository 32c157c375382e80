/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h - a request rounded as it is asked for, and as a line of a batch system. */
#ifndef FT_TELL_BATCH_H
#define FT_TELL_BATCH_H

#include "foretime/units.h"
#include "tell/request.h"

/* A batch system: what it calls time, memory and processors. */
struct ft_tell_batch;

/* ft_tell_batch_find - "slurm", "pbs", "lsf" or "htcondor"; NULL: there is no such one. */
const struct ft_tell_batch *ft_tell_batch_find(const char *name);

/* What runs in a job beside the program: a shell that it begins with. bash held 2 MB and dash 1.6 MB here;
 * profiles and modules make it more. */
enum { FT_TELL_SHELL_BYTES = 8000000 };

/* ft_tell_minutes - rounded up to whole minutes, and beyond 20 of them to a step of a twentieth at most: 1,
 * 5, 10, 15, 30, 60 ... */
double ft_tell_minutes(double seconds);

/* ft_tell_mib - bytes, rounded up to MiB. */
double ft_tell_mib(double bytes);

/* ft_tell_cpus - whole processors of so many that are busy: a tenth of one more is none. NaN: not known. */
double ft_tell_cpus(double busy);

/* ft_tell_margin - by what memory is multiplied. brief: it was learned from runs of under a second only. */
double ft_tell_margin(bool brief);

/* What a request may not be below or above; zero: no bound. */
struct ft_tell_bounds {
	double least_bytes, most_bytes, most_s;
};

/* ft_tell_bounds_read - the upper bounds, "64GiB", "2d" or "64GiB,2d", into bounds; the lower one is there.
 *
 * Returns FT_OK; FT_EPARSE; FT_EINVAL: one that is 0, or below the lower one. */
enum ft_status ft_tell_bounds_read(const char *text, struct ft_tell_bounds *bounds, struct ft_err *err);

/* ft_tell_bytes - memory to ask for where a run may need `most`. overhead: of what runs beside it in the job.
 * bounds: may be NULL. ft_tell_seconds - time. */
double ft_tell_bytes(double most, bool brief, double overhead, const struct ft_tell_bounds *bounds);
double ft_tell_seconds(double most, const struct ft_tell_bounds *bounds);

/* ft_tell_answered - whether there is a number to ask for: what is known is enough, or there is a bound to
 * ask for instead; and a typical run stays within the bounds.
 *
 * request  in and out: where a bound is asked for instead, it is `most`
 *
 * Returns FT_OK; FT_ENOMODEL: no, with the reason and what to do. */
enum ft_status ft_tell_answered(struct ft_request *request, const struct ft_program *program,
				const struct ft_size *size, double overhead,
				const struct ft_tell_bounds *bounds, struct ft_err *err);

/* ft_tell_holdable - whether batch systems can hold what is requested: of time 2^31 - 1 seconds, 68 years
 * (Slurm reads a time into an int of seconds, src/common/parse_time.c time_str2secs), of memory 2^63 - 1
 * bytes. Returns FT_OK; FT_ENOMODEL with the distance from the data. */
enum ft_status ft_tell_holdable(const struct ft_request *request, const struct ft_tell_bounds *bounds,
				struct ft_err *err);

/* Room for "05:00", "03:10:00", "2-12:00:00", as Slurm reads times. */
enum { FT_TELL_CLOCK = 48 };

/* What is asked for, before it is rounded; NaN: nothing of the kind is known. */
struct ft_tell_asked {
	double seconds, bytes, cpus;
};

/* ft_tell_batch_line - "--time=... --mem=... --cpus-per-task=...", as the system has it. Heap, ends with
 * free; NULL: no memory. */
char *ft_tell_batch_line(const struct ft_tell_batch *batch, const struct ft_tell_asked *asked);

/* What an answer's texts are kept in; ends with ft_tell_request_clear. */
struct ft_tell_request_text {
	char time[FT_TELL_CLOCK], memory[FT_UNIT_LENGTH], *slurm;
};
void ft_tell_request_clear(struct ft_tell_request_text *text); /* accepts what is zero, and twice */

/* ft_tell_request_sized - what is told of a request at one size.
 *
 * request  as ft_tell_answered left it
 * told   in and out: answered; risk, overhead and cpus (0: as measured) are those that were asked for; time,
 * memory, cpus, brief, killed, refuted and slurm are set text   out, also on failure; told borrows of it
 *
 * Returns FT_OK; FT_EINVAL: as ft_tell_holdable; FT_ENOMEM. */
enum ft_status ft_tell_request_sized(struct ft_told_request *told, const struct ft_request *request,
				     const struct ft_tell_bounds *bounds, struct ft_tell_request_text *text,
				     struct ft_err *err);

#endif
