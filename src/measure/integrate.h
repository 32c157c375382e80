/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate.h - readings of power, or of a counter of energy, over time; and the energy between two moments.
 */
#ifndef FT_MEASURE_INTEGRATE_H
#define FT_MEASURE_INTEGRATE_H

#include "foretime/facts.h"

#include <stddef.h>

struct ft__reading {
	double time_s, value; /* W or J */
	size_t channel;
};

/* Zero-initialise; ends with ft__readings_clear. */
struct ft__readings {
	struct ft__reading *reading; /* [n] in the order of time */
	size_t n, capacity;
	bool power;               /* watts, else joules */
	double first_s, last_s;   /* when channel 0 .. was read, over all time; for the interval */
	size_t counted, channels; /* how many readings that were; one more than the largest channel */
};

/* ft__readings_add - append. One that follows its channel's last within same_s takes its place. false: no
 * memory.
 */
bool ft__readings_add(struct ft__readings *readings, double time_s, double same_s, size_t channel,
		      double value);

/* ft__readings_since - whether every channel has a reading since then, and there is one. */
bool ft__readings_since(const struct ft__readings *readings, double since_s);

/* ft__readings_interval - the mean time between two readings; 0: not known yet. */
double ft__readings_interval(const struct ft__readings *readings);

/* ft__readings_forget - all but each channel's last. */
void ft__readings_forget(struct ft__readings *readings);

/* ft__readings_integrate - the energy between two moments, summed over channels: power joined by straight
 * lines and held beyond its ends, or the difference of counters read between their readings.
 *
 * joules  out; NaN on failure
 * label   out: measured: counters that were read within 1 % of the time at both ends; else estimated
 *
 * Returns FT_OK; FT_EUNAVAIL: no reading, the time too short for the readings, a counter that went backwards.
 */
enum ft_status ft__readings_integrate(const struct ft__readings *readings, const char *who, double from_s,
				      double to_s, double *joules, enum ft_label *label, struct ft_err *err);

void ft__readings_clear(struct ft__readings *readings);

#endif
