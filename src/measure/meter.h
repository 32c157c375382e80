/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meter.h - energy of a run from a command that prints readings.
 *
 * The command prints a line for each reading: a number and a unit, watts or joules counted from anywhere
 * ("12.3 W", "55.2 kJ", "0.04 Wh"). It may go on for ever, or end after a line: then it is started again for
 * every reading. It runs under a helper of its own, beside the measured program and not within it.
 */
#ifndef FT_MEASURE_METER_H
#define FT_MEASURE_METER_H

#include "foretime/facts.h"

#include <signal.h>
#include <stdbool.h>

enum { FT__METER_CHANNELS = 64, FT__METER_FILES = 2 };

struct ft__meter;

/* One line understood. */
struct ft__meter_line {
	size_t channel; /* < FT__METER_CHANNELS; readings of each are integrated by themselves, and summed */
	bool power;     /* watts, else joules */
	double value;
};

enum ft__meter_word { FT__METER_READING, FT__METER_PASS, FT__METER_GARBAGE };

/* ft__meter_read_line - "12.3 W": unit stands behind lines that have none; NULL: such lines are garbage. An
 * empty line is passed over. */
enum ft__meter_word ft__meter_read_line(const char *line, const char *unit, struct ft__meter_line *out);

/* ft__meter_unit - whether that is a unit of power or energy. */
bool ft__meter_unit(const char *unit);

/* ft__meter_read_nvidia - "0, 73.52": watts of a device; "[N/A]" of one that has no sensor is passed over. */
enum ft__meter_word ft__meter_read_nvidia(const char *line, const char *unit, struct ft__meter_line *out);

/* ft__meter_open - start the command, by sh -c.
 *
 * who      how messages call it: "the meter"
 * unit     borrowed
 *
 * Returns FT_OK, also where the command does not work, which ft__meter_end tells; FT_EUNAVAIL: no helper;
 * FT_ENOMEM. */
enum ft_status ft__meter_open(struct ft__meter **out, const char *who, const char *command, const char *unit,
			      enum ft__meter_word (*read_line)(const char *, const char *,
							       struct ft__meter_line *),
			      struct ft_err *err);
void ft__meter_close(struct ft__meter *meter); /* ends the command; accepts NULL */

/* ft__meter_heed - while *interrupt is not 0 no reading is waited for. */
void ft__meter_heed(struct ft__meter *meter, const volatile sig_atomic_t *interrupt);

/* ft__meter_begin - a run is about to start. Waits for a reading, for 5 s at most. */
void ft__meter_begin(struct ft__meter *meter);

/* ft__meter_hear - while the run goes on: whenever one of the files can be read, and every 20 ms. */
size_t ft__meter_files(const struct ft__meter *meter, int file[FT__METER_FILES]);
void ft__meter_hear(struct ft__meter *meter);

/* ft__meter_end - the run has ended. Waits for the next reading, for 5 s or three intervals of the meter at
 * most.
 *
 * seconds  how long the run took until now
 * joules   out; NaN when it is not known
 * label    out: measured where a counter of joules was read at both ends (within 1 % of the run), else
 * estimated
 *
 * Returns FT_OK; FT_EUNAVAIL: why, and the remedy, in err. A meter that is broken stays so, and costs no more
 * time. */
enum ft_status ft__meter_end(struct ft__meter *meter, double seconds, double *joules, enum ft_label *label,
			     struct ft_err *err);

#endif
