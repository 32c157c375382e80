/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chooser.h - what a chooser knows: the runs of each device, its models, and how devices stand over the sizes
 * that may be asked about. */
#ifndef FT_DEVICE_CHOOSER_H
#define FT_DEVICE_CHOOSER_H

#include "foretime/device.h"

enum { FT__PLACES_MOST = 128 };

/* A size that may be asked about, and run. */
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

/* What is told of a run; FT__VALUE: of what shall be least. */
enum ft__rival_told { FT__VALUE, FT__SECONDS, FT__WATTS, FT__TOLD };

struct ft__rival_run {
	struct ft_size size;
	double told[FT__TOLD];
};

struct ft__rival {
	struct ft__rival_run *seen; /* [n] */
	size_t n, capacity;
	size_t sizes;          /* different ones of them */
	struct ft_size failed; /* n = 0: none; the least that did */
	bool gone;
	bool stale; /* its belief is older than its runs */
	struct ft__belief belief;
	double seconds[FT__PLACES_MOST]; /* of a typical run at each place; the same of watts, ... */
	double watts[FT__PLACES_MOST];   /* ... where those are bounded */
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

/* ft__chooser_places - the sizes over which all is judged. FT_EINVAL: none is admitted. (places.c) */
enum ft_status ft__chooser_places(struct ft_chooser *chooser, struct ft_err *err);

/* ft__rival_may - whether a device may be asked for a size: it is there, and did not fail at one as small. */
bool ft__rival_may(const struct ft__rival *rival, const struct ft_size *size);

/* ft__rival_believe - the model of its runs, and perhaps of one more, at all places. also: NULL: none. FT_OK;
 * FT_ENOMODEL: it has no run; FT_ENOMEM. (known.c) */
enum ft_status ft__rival_believe(const struct ft_chooser *chooser, const struct ft__rival *rival,
				 const struct ft__rival_run *also, struct ft__belief *out,
				 struct ft_err *err);

/* ft__rival_cost - seconds and watts at all places, once its belief is there. */
enum ft_status ft__rival_cost(const struct ft_chooser *chooser, struct ft__rival *rival, struct ft_err *err);

/* ft__rival_at - how it stands at one size: INFINITY where it may not be chosen. */
enum ft_status ft__rival_at(const struct ft_chooser *chooser, const struct ft__rival *rival,
			    const struct ft_size *size, struct ft_standing *out, struct ft_err *err);

/* ft__chooser_stand - how all stand at a place. Returns the best; loss: may be NULL. */
size_t ft__chooser_stand(const struct ft_chooser *chooser, size_t place, struct ft_standing *standing,
			 double *loss);

/* ft__chooser_weigh - the run that lowers the loss most for each second. next->size.n = 0: none does.
 * (weigh.c) */
enum ft_status ft__chooser_weigh(const struct ft_chooser *chooser, struct ft_chooser_next *next,
				 struct ft_err *err);

#endif
