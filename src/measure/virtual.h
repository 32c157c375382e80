/* SPDX-License-Identifier: GPL-3.0-or-later */
/* virtual.h - whether a machine is a guest, and whose. */
#ifndef FT_MEASURE_VIRTUAL_H
#define FT_MEASURE_VIRTUAL_H

/* ft__hypervisor_find - the name of the hypervisor that a machine runs under.
 *
 * root     "" for this machine, or a recorded tree
 * cpuinfo  the beginning of its /proc/cpuinfo
 *
 * Returns a constant; NULL: none seen.
 */
const char *ft__hypervisor_find(const char *root, const char *cpuinfo);

#endif
