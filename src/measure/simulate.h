/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.h - instructions of a program counted under valgrind, in a run of its own.
 *
 * The count is of the program's own processes in user mode, summed, less what an empty program of the same
 * format takes. It is exactly repeatable: the environment is fixed. The tool is cachegrind without its
 * caches, the quickest of those that count (bench/count: as exact as lackey, 1.1 to 1.5 times as slow as no
 * tool at all).
 */
#ifndef FT_MEASURE_SIMULATE_H
#define FT_MEASURE_SIMULATE_H

#include "measure/counted.h"
#include "foretime/facts.h"

#include <signal.h>

struct ft__simulator;
struct ft__frozen;

/* ft__simulate_check - whether valgrind is here and counts; FT_EUNAVAIL with the remedy. Some 0.3 s. */
enum ft_status ft__simulate_check(struct ft_err *err);

/* ft__simulate_open - start its helper. Returns FT_OK; FT_EUNAVAIL: no valgrind, no helper; FT_ENOMEM.
 * threads  > 0: OMP_NUM_THREADS and the like */
enum ft_status ft__simulate_open(struct ft__simulator **out, int threads, struct ft_err *err);
void ft__simulate_close(struct ft__simulator *simulator); /* accepts NULL */

/* What is to be counted; all borrowed. */
struct ft__simulation {
	const char *file; /* the executable */
	char **argv;
	double limit_s; /* <= 0: none */
	const volatile sig_atomic_t *interrupt;
	const struct ft__frozen *frozen; /* may be NULL */
};

/* ft__simulate_count - one run.
 *
 * instructions  out; NaN on failure
 * cost_s        out: what it took, with what had to be calibrated for it
 *
 * Returns FT_OK; FT_EUNAVAIL: why it was not counted, and the remedy; FT_EIO: the helper is lost; FT_ENOMEM.
 */
enum ft_status ft__simulate_count(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				  double *instructions, double *cost_s, struct ft_err *err);

/* ft__simulate_routines - one run under callgrind, which counts while a routine that tells of itself runs
 * (foretime-probe.h).
 *
 * out  ends with ft__counted_clear, on failure too; n = 0: nobody told, as where the program was compiled
 * without valgrind's header
 *
 * Returns as ft__simulate_count.
 */
enum ft_status ft__simulate_routines(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				     struct ft__counted *out, double *cost_s, struct ft_err *err);

/* Of simulated caches. */
enum { FT__CACHE_LINE = 64 };

/* ft__simulate_caches - one run beside two caches of data that this machine need not have.
 *
 * bytes   of each, as ft__cache_bytes has them, the first the smaller one
 * misses  out: of all reads and writes, of what started, too
 */
enum ft_status ft__simulate_caches(struct ft__simulator *simulator, const struct ft__simulation *simulation,
				   const size_t bytes[2], double misses[2], double *cost_s,
				   struct ft_err *err);

#endif
