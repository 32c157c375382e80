/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - what runs cost in energy: the power of machines and of their parts, found in measured runs
 * (004 chapters 8 and 12).
 *
 *	P(t) = P_infr + P_m m(t) + sum_i P_i alpha_i(t)    hence    E = sum_i P_i t_i        (eq. 8.8, 8.14)
 *
 * P_infr is drawn as long as anything runs, P_m by each machine that is on, P_i by a resource in use; the
 * time t_i of a resource is the integral of its use. Cores of one kind, one job on n of them with a serial
 * start and end: E = P_infr t_wall + P_m m t_wall + P_core (t_wall + (n - 1) t_job) (eq. 12.1).
 */
#ifndef FORETIME_ENERGY_H
#define FORETIME_ENERGY_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

FT_BEGIN_DECLS

enum { FT_POWER_PARTS = 16, FT_POWER_NAME = 32 };

/* ---- runs ---------------------------------------------------------------------------------------------- */

/* Measured runs: times by part, and energies. Zero-initialise; ends with ft_energy_runs_clear. */
struct ft_energy_runs {
	size_t n, parts;
	char part[FT_POWER_PARTS][FT_POWER_NAME]; /* "infr", "machine", "core" */
	double *time_s;                           /* [n x parts] row-major */
	double *wall_s, *energy_j;                /* [n] > 0 */
	double *peak_w;                           /* [n] measured peak power; NaN: not measured */
	double *most;                             /* [n x parts] units in use at the peak */
	size_t *line;                             /* [n] of the file */
	bool merged;     /* P_infr and P_m are one part, "infr+machine": they cannot be distinguished, or by
			    request */
	double machines; /* that ran in every run, when merged because of that; NaN else */
};

/* ft_energy_runs_read - runs from a CSV table.
 *
 * Columns: t_wall (or t_wall_s, wall_s), energy (energy_j, e); and either n (cores), m (machines; 1 where
 * there is no column) and t_job (or t_job_s; the seconds that all n cores work; t_wall where there is none),
 * or one column t_NAME for each resource: the seconds of its use, machines among them; with
 * neither, all is one part (eq. 8.13). peak_w where it was
 * measured. A column `meter` or `probe` names what measured.
 *
 * merge  P_infr and P_m as one part
 * meter  runs of this meter only; NULL: all, if they have just one
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO, FT_EPARSE (path, line and column); FT_EINVAL with line and column: no such columns, a time or an
 * energy that is not positive, t_job over t_wall, less than one core or machine; two kinds of meters (they
 * are known to differ by far more than they err: choose one), no run of the meter.
 */
enum ft_status ft_energy_runs_read(struct ft_energy_runs *out, const char *path, bool merge,
				   const char *meter, struct ft_err *err);

void ft_energy_runs_clear(struct ft_energy_runs *runs); /* accepts NULL, and twice */

/* ---- the power of parts -------------------------------------------------------------------------------- */

struct ft_power {
	size_t parts;
	char part[FT_POWER_PARTS][FT_POWER_NAME];
	double watts[FT_POWER_PARTS];
	double covariance[FT_POWER_PARTS *
			  FT_POWER_PARTS]; /* [parts x parts], W^2; 0: stated, not measured */
	double noise_w;                    /* of the mean power of one run about the model */
	double freedom;                    /* runs less parts; 0: stated */
};

struct ft_energy_fit_options {
	bool plain;          /* least squares over all runs; else runs that do not fit are left out */
	double resolution_w; /* of the meter: differences below half of it carry no information; 0: not known
			      */
	double confidence;   /* of intervals; 0: 0.9 */
};

/* What a fit reports of itself. Arrays end with ft_energy_fit_clear. */
struct ft_energy_fit {
	struct ft_power power;
	double interval_w[FT_POWER_PARTS]; /* half-width around each coefficient */
	double r2;                         /* of the energies of the runs used, as all below (004 12.1.1) */
	double *power_w;                   /* [n] mean power that the model states */
	bool *left_out;                    /* [n] runs that do not fit the others */
	size_t n, n_left_out;
	double f_ratio, f_p; /* variances of modelled and measured power, and how probable such a ratio is
				when they are equal; of peak power where that was measured, else of mean
				power; NaN: one part */
	double t_p; /* paired t test: how probable such differences are when their mean absolute value
		       is the meter's resolution at most; NaN: no resolution */
	double difference_w; /* mean absolute difference */
	bool of_peaks;
	size_t negative; /* coefficients below 0, which no part can have: the runs do not determine these
			    parts apart */
};

/* ft_energy_fit - the power of each part.
 *
 * Options are not NULL. The mean power of a run, not its energy, has an error that is alike for all (the meter's), so rows are
 * divided by t_wall. Least trimmed squares finds what most runs agree on; those that the
 * rest makes improbable (one good set in a hundred loses a run) are left out, the others fitted by least
 * squares.
 *
 * Returns FT_OK; FT_EINVAL: fewer runs than parts, parts whose times are proportional (named); FT_ENOMEM.
 * Cost O(n) for each of at most 3,000 trial subsets. The same runs give the same fit.
 * Source: 004 8.1.3, 12.1; Rousseeuw & Leroy, Robust regression and outlier detection, 1987, ch. 3, 5.
 */
enum ft_status ft_energy_fit(struct ft_energy_fit *out, const struct ft_energy_runs *runs,
			     const struct ft_energy_fit_options *options, struct ft_err *err);
void ft_energy_fit_clear(struct ft_energy_fit *fit); /* accepts NULL, and twice */

struct ft_energy {
	double joules, lower, upper; /* the interval holds a share `confidence` of runs; NaN where the powers
					were stated, not measured */
	double seconds;              /* of the whole */
	double mean_w;
};

/* ft_power_energy - of times by part: E = sum P_i t_i (eq. 8.14).
 *
 * time_s      [parts]
 * wall_s      > 0
 * confidence  0.5 .. 0.999
 */
struct ft_energy ft_power_energy(const struct ft_power *power, const double *time_s, double wall_s,
				 double confidence);

/* ---- jobs ---------------------------------------------------------------------------------------------- */

/* What of a program is serial: T(n) = T(1) (s + (1 - s) / n) (Amdahl 1967). */
struct ft_amdahl {
	double seconds, serial; /* T(1), s */
	double lower, upper;    /* s lies between with that confidence; NaN: the noise is not known */
	double off;             /* the largest relative error of the law, of the medians by number of cores */
	bool rises;             /* times rise again with more cores, which the law does not know */
	size_t counts, runs;
};

/* ft_amdahl_fit - from runs on several numbers of cores: least squares of the relative errors of the medians
 * by number; the interval is where these grow by t^2 times their variance, of the runs of one number or of
 * what the law misses by, whichever is more.
 *
 * threads, seconds  [n] >= 1, > 0
 *
 * Returns FT_OK; FT_EINVAL: fewer than two numbers of cores, values out of bounds; FT_ENOMEM.
 */
enum ft_status ft_amdahl_fit(struct ft_amdahl *out, const double *threads, const double *seconds, size_t n,
			     double confidence, struct ft_err *err);

/* How many cores cost least energy, if T(n) = T(1) (s + (1 - s) / n) (eq. 8.17). */
struct ft_sweet_spot {
	double cores, machines; /* of those that cost the same the fewest */
	double same;            /* all from cores to this cost the same */
	double seconds, joules;
	double serial_joules; /* on one core */
	bool at_bound;        /* of `most`: more cores would cost less still */
};

/* ft_power_sweet_spot - the number of cores with the least energy.
 *
 * seconds    T(1) > 0
 * serial     s, 0 .. 1
 * per        cores of one machine, >= 1; as many machines as needed are on
 * most       cores that there are
 * busy       cores that wait draw as much as those that work (document 004 section 8.2, figure 8.1); else
 *            eq. 8.11
 * energy_j   [most] out: energy by number of cores; may be NULL
 */
enum ft_status ft_power_sweet_spot(const struct ft_power *power, double seconds, double serial, double per,
				   size_t most, bool busy, struct ft_sweet_spot *out, double *energy_j,
				   struct ft_err *err);

FT_END_DECLS

#endif
