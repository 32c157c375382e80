/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field_work.h - what the files of the field share. */
#ifndef FT_MODEL_FIELD_WORK_H
#define FT_MODEL_FIELD_WORK_H

#include "model/field.h"

/* Cliffs per unit of ln footprint, and the deviation of one; what rounding leaves of a variance. */
#define FT__CLIFF_RATE  0.3
#define FT__CLIFF_SIZE  0.5
#define FT__FIELD_LEAST 1e-13

/* ft__field_from - half the variance of what the function of one parameter changes by over a distance, for
 * slopes of variance 1: an Ornstein-Uhlenbeck process, integrated. Its covariance at a and b, which are
 * counted from the centre, is from(a) + from(b) - from(a - b). */
double ft__field_from(double a, double length);

/* ft__field_whole - of the function of all parameters, for a variance of 1. */
double ft__field_whole(const double *a, const double *b, size_t d, double length);

/* ft__field_begin - as if nothing had been learned; steps: by the usual ones; scatter: the same, a deviation.
 */
void ft__field_begin(struct ft__random_field *field, double steps, double scatter);

/* ft__field_observe - y and variance: the mean of the runs of each site as far as they are believed. */
void ft__field_observe(struct ft__random_field *field);

/* ft__field_mean - what the level and the plane say before any data. ft__field_scatter - of single runs
 * around a spot, as learned at the sites near it. */
double ft__field_mean(const struct ft__random_field *field, const struct ft__spot *spot);
double ft__field_scatter(const struct ft__random_field *field, const struct ft__spot *spot);

/* ft__field_plane - its slopes [d]. ft__field_expect - the mean at a spot, as of ft__field_at; cost O(n d).
 * ft__field_steps - the variance that the steps below two footprints share. */
void ft__field_plane(const struct ft__random_field *field, double *slope);
double ft__field_expect(const struct ft__random_field *field, const struct ft__spot *spot);
double ft__field_steps(const struct ft__random_field *field, double a, double b);

/* ft__field_find_cliffs - gap and n_gaps, of a field that is solved. (field_cliffs.c) */
void ft__field_find_cliffs(struct ft__random_field *field);

/* ft__field_factor - factor, alpha and likelihood, from traits, spots, y and variance as they are. */
void ft__field_factor(struct ft__random_field *field);

#endif
