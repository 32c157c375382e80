/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.h - the memory of one process that runs beside a program. */
#ifndef FT_MEASURE_BESIDE_H
#define FT_MEASURE_BESIDE_H

/* ft__beside_bytes - the peak of its resident memory, or what it has now where the kernel tells a peak of 0:
 * its counters are summed over processors only now and then (Linux 6.2 and later), which a small process may
 * not live to see.
 *
 * root  "" for this machine, or a folder with a recorded /proc
 * pid   its number
 *
 * Returns 0: it has no memory, for it has ended; NaN: it has some, and the kernel does not tell how much.
 */
double ft__beside_bytes(const char *root, const char *pid);

#endif
