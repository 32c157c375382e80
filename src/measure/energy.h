/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - the energy of a run: what several instruments tell, as one sum, named after them all. */
#ifndef FT_MEASURE_ENERGY_H
#define FT_MEASURE_ENERGY_H

#include "foretime/measure.h"
#include "measure/client.h"

struct ft__energy;

/* ft__energy_open - start the instruments that a launch names (energy, meter, meter_unit).
 *
 * root  "" or a folder that holds a recorded /sys
 * out   NULL where it names none; ends with ft__energy_close
 *
 * Returns FT_OK, also where an instrument does not work: its runs say why; FT_EINVAL: an unknown instrument
 * or unit, or the meter beside others; FT_EUNAVAIL: no helper for a command; FT_ENOMEM. */
enum ft_status ft__energy_open(struct ft__energy **out, const struct ft_launch *launch, const char *root,
			       struct ft_err *err);
void ft__energy_close(struct ft__energy *energy); /* accepts NULL */

/* nvidia-smi is waited for as long. */
enum { FT__NVIDIA_LIMIT_S = 5 };

/* ft__nvidia_check - asks the nvidia-smi on PATH, for 5 s at most. FT_OK: it tells the power; FT_EUNAVAIL.
 * root  as above */
enum ft_status ft__nvidia_check(const char *root, struct ft_err *err);

/* ft__energy_begin - a run is about to start; while *interrupt is not 0 no meter is waited for. Both may be
 * NULL. */
void ft__energy_begin(struct ft__energy *energy, const volatile sig_atomic_t *interrupt);

/* ft__energy_hears - whether there is something to hear while the run goes on; and hearing it. accepts NULL
 */
bool ft__energy_hears(const struct ft__energy *energy);
void ft__energy_hear(struct ft__energy *energy);

/* ft__energy_end - the run has ended: add its sample of energy_j, perhaps an unavailable one. accepts NULL.
 * seconds  that it took until now */
enum ft_status ft__energy_end(struct ft__energy *energy, double seconds, struct ft_run *run,
			      struct ft_err *err);

#endif
