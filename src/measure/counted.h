/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.h - what callgrind counted of the routines that tell where they begin and end (foretime-probe.h).
 */
#ifndef FT_MEASURE_COUNTED_H
#define FT_MEASURE_COUNTED_H

#include "measure/report.h"

/* Zero-initialise; ends with ft__counted_clear. */
struct ft__counted {
	struct {
		char name[FT__ROUTINE_LENGTH];
		double instructions;
	} * routine; /* [n] */
	size_t n, capacity;
	bool mixed;   /* two ran at once: they cannot be told apart */
	bool threads; /* the program had a second thread, now or then: what that did is not counted */
};

/* ft__counted_read - take in a file that callgrind wrote, with a part for each time it was told; a file that
 * is not there has none. Returns false: no memory. */
bool ft__counted_read(struct ft__counted *counted, const char *path);
void ft__counted_clear(struct ft__counted *counted);

/* ft__counted_of - the instructions of a routine; NaN: it was not told of. */
double ft__counted_of(const struct ft__counted *counted, const char *name);

#endif
