/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extras.h - what a launch wishes to know of its runs beyond what every run tells: counters, simulated
 * instructions, energy, a trace. */
#ifndef FT_MEASURE_EXTRAS_H
#define FT_MEASURE_EXTRAS_H

#include "measure/counters.h"
#include "measure/energy.h"
#include "measure/simulate.h"

struct ft__extras {
	struct ft__counter_list counters;
	struct ft__energy *energy; /* NULL: not wished for */
	bool simulate;
	struct ft__simulator *simulator; /* NULL: not wished for, or not to be had: no_simulator says why */
	struct ft_err no_simulator;
	struct ft__counted *counted; /* [n] sizes whose instructions are known, or known not to be known */
	size_t n_counted, capacity;
	struct ft_usage *usage; /* borrowed; NULL: not wished for */
};

/* ft__extras_open - ends with ft__extras_close, also on failure.
 * client  its helper is told of the counters
 * Returns FT_OK; FT_EINVAL: an unknown counter, instrument or unit; FT_EIO, FT_EUNAVAIL; FT_ENOMEM. */
enum ft_status ft__extras_open(struct ft__extras *extras, const struct ft_launch *launch,
			       struct ft__client *client, struct ft_err *err);
void ft__extras_close(struct ft__extras *extras); /* twice, too */

/* ft__extras_begin - a run is about to start: sets what its order needs. */
void ft__extras_begin(struct ft__extras *extras, struct ft__order *order);

/* ft__extras_end - it has ended: its samples are added to run. A run that was not started gets none. */
enum ft_status ft__extras_end(struct ft__extras *extras, const struct ft__answer *answer, struct ft_run *run,
			      struct ft_err *err);

/* ft__extras_must_count - whether a run of this size has to be repeated under valgrind. */
bool ft__extras_must_count(const struct ft__extras *extras, const struct ft_run *run);

/* ft__extras_count - repeat it; keeps the count, or the reason why there is none. cost_s: added to.
 * Returns FT_OK; FT_EIO: the helper is lost; FT_ENOMEM. */
enum ft_status ft__extras_count(struct ft__extras *extras, const struct ft_size *size,
				const struct ft__simulation *simulation, double *cost_s, struct ft_err *err);

/* ft__extras_add_count - add what is known of the instructions at a run's size to the run. */
enum ft_status ft__extras_add_count(const struct ft__extras *extras, struct ft_run *run, struct ft_err *err);

#endif
