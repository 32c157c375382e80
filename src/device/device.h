/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - devices: which of several a size runs on, and rates of OpenCL devices. */
#ifndef FT_DEVICE_DEVICE_H
#define FT_DEVICE_DEVICE_H

#include "device/door.h"
#include "foretime/device.h"
#include "foretime/facts.h"

/*
 * The state of a chooser: the runs of each device, its models, and the comparison of devices over the sizes
 * of the query.
 */

enum { FT__PLACES_MOST = 128 };

/* A size that may be queried and run. */
struct ft__asked_place {
	struct ft_size size;
	double at[FT_PARAMS_MAX]; /* ln of the values, less that of the least */
	double far;               /* from the least sizes, 0, to the largest, 1 */
	bool run;                 /* it is one of those that are run */
};

/* Of ln value at each place. */
struct ft__belief {
	double mean[FT__PLACES_MOST], error[FT__PLACES_MOST];
};

/* Quantities of a run; FT__VALUE: the one to minimise. */
enum ft__rival_measures { FT__VALUE, FT__SECONDS, FT__WATTS, FT__MEASURES };

struct ft__rival_run {
	struct ft_size size;
	double measured[FT__MEASURES];
};

struct ft__rival {
	struct ft__rival_run *seen; /* [n] */
	size_t n, capacity;
	size_t sizes;          /* different ones of them */
	struct ft_size failed; /* n = 0: none; the least that did */
	bool gone;
	bool stale;             /* its belief is older than its runs */
	struct ft_model *model; /* of all its runs; NULL: not fitted since the newest */
	struct ft__belief belief;
	double seconds[FT__PLACES_MOST]; /* of a typical run at each place; the same of watts, ... */
	double watts[FT__PLACES_MOST];   /* ... if those are bounded */
};

struct ft_chooser {
	struct ft_chooser_options options;
	size_t axis[FT_PARAMS_MAX], n_axes;
	struct ft__asked_place place[FT__PLACES_MOST];
	size_t n_places;
	struct ft__rival *rival; /* [options.n_devices] */
	double spent_s;
	double loss; /* NaN: not known yet */
	enum ft_chooser_stop stop;
};

/*
 * Reduced confidence in models far from the runs.
 */

/* Along each axis how far the nearest size that was run lies, in logarithms. */
struct ft__apart {
	const struct ft_size *size; /* the queried one */
	const size_t *axis;         /* [n] */
	size_t n;
	double nearest[FT_PARAMS_MAX];
};

void ft__apart_begin(struct ft__apart *apart, const struct ft_size *size, const size_t *axis, size_t n);
void ft__apart_run(struct ft__apart *apart, const struct ft_size *run);

/* ft__doubted - the error of ln value that is believed, given that of the model. Without runs it is the same.
 */
double ft__doubted(const struct ft__apart *apart, double error);

/*
 * Kernels that are left out one by one.
 */

/*
 * The devices of a stored program, each with its answerer.
 */

struct ft__ranked {
	char *device; /* heap; "" of none */
	char *driver; /* its present driver, if that differs from the one of its runs; heap */
	struct ft_answerer *answerer;
	double wait_s;
};

struct ft_ranking {
	struct ft_rank_options options;
	struct ft__ranked *ranked; /* [n] by name */
	size_t n;
};

#endif
