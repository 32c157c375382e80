/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of energy beyond its interface. */
#ifndef FT_ENERGY_DOOR_H
#define FT_ENERGY_DOOR_H

#include "foretime/base.h"
#include "foretime/energy.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* ft_energy_runs_parse - ft_energy_runs_read from memory; name stands in messages where a path would. */
enum ft_status ft_energy_runs_parse(struct ft_energy_runs *out, const char *name, const char *bytes,
				    size_t length, bool merge, const char *meter, struct ft_err *err);

/* A job as batch systems account for it. */
struct ft_energy_job {
	double wall_s, energy_j; /* > 0 */
	double machines;         /* >= 1 */
	double core_s;           /* of all its cores together: what the sum over t_k of eq. 12.1 is */
};

/* ft_energy_runs_of - runs of [n] such jobs, in three parts (eq. 12.1); merge: as of
 * ft_energy_runs_read, also where all jobs had as many machines. `line` counts them from 1.
 *
 * out  ends with ft_energy_runs_clear; cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: none, or one out of bounds (its place in the text); FT_ENOMEM.
 */
enum ft_status ft_energy_runs_of(struct ft_energy_runs *out, const struct ft_energy_job *job, size_t n,
				 bool merge, struct ft_err *err);

/* ---- the power of parts -------------------------------------------------------------------------------- */

/* ft_power_part - the index of a part; -1 when there is none of that name. */
int ft_power_part(const struct ft_power *power, const char *name);

/* ft_power_times - the seconds of each part, of a run on one machine (eq. 12.1): infr, machine, infr+machine,
 * all and device (that it runs on) draw power as long as it lasts, core by the processor time of all cores.
 *
 * cpu_s   NaN: not known
 * time_s  [parts] out
 *
 * Returns FT_OK; FT_ENOMODEL: another part, or a core of which the time is not known. */
enum ft_status ft_power_times(const struct ft_power *power, double wall_s, double cpu_s, double *time_s,
			      struct ft_err *err);

/* ---- jobs ---------------------------------------------------------------------------------------------- */

/* One parallel job: serial start and end, all cores in between. */
struct ft_job {
	double wall_s, job_s; /* 0 <= job_s <= wall_s */
	double cores;         /* >= 1 */
};

/* ft_power_jobs - jobs that start together on m machines: E = (P_infr + m P_m) max t_wall + P_core sum
 * (t_wall + (n - 1) t_job) (eq. 8.9; 12.1 for one job).
 *
 * printed  12.3 as the document prints it: 2 P_core for the longer wall time
 * share_j  [n] out: the energy of each job, their sum is the whole; may be NULL. A core's energy is its
 * job's; what machines and infrastructure draw is shared at each moment by the jobs that run then, equally
 *          (the Shapley value of eq. 8.9), or by_cores
 *
 * Returns FT_OK; FT_EINVAL: a job out of bounds (its index in the text), m < 1, powers without "core" and
 * either "infr" and "machine" or "infr+machine"; 12.3 with other than two jobs.
 */
enum ft_status ft_power_jobs(const struct ft_power *power, double machines, const struct ft_job *job,
			     size_t n, bool printed, bool by_cores, double confidence, struct ft_energy *out,
			     double *share_j, struct ft_err *err);

/* ft_power_peak - watts while everything works: sum of P_i by the units in use (eq. 8.8).
 * units  [parts]: 1 of "infr", machines, cores
 * lower, upper  out: of one reading */
double ft_power_peak(const struct ft_power *power, const double *units, double confidence, double *lower,
		     double *upper);

/* The most cores whose peak keeps a limit. */
struct ft_power_cap {
	double cores, machines;     /* 0: not even one core does */
	double watts, lower, upper; /* of one reading; lower, upper NaN: the powers were stated */
	double next_w; /* what one core more draws, its upper end where it is known; NaN: there is none */
};

/* ft_power_capped - the inverse of ft_power_peak (004 section 8.3): this many cores, and fewer, of machines
 * that are on only as they are needed, stay below a limit; where powers were measured, a share `confidence`
 * of readings does, to either side.
 *
 * limit_w  > 0
 * per      cores of one machine, >= 1
 * most     cores that there are, >= 1
 *
 * Returns FT_OK; FT_EINVAL: what is out of bounds, and as ft_power_jobs. Cost O(most).
 */
enum ft_status ft_power_capped(const struct ft_power *power, double limit_w, double per, size_t most,
			       double confidence, struct ft_power_cap *out, struct ft_err *err);

#endif
