/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - what a sweep needs, and what it tells. Include in one file of a program. */
#ifndef FT_TEST_SWEEP_BENCH_H
#define FT_TEST_SWEEP_BENCH_H

#include "foretime/sweep.h"

struct bench {
	struct ft_store *store;
	struct ft_program program;
	struct ft_machine machine;
	struct ft_source *source;
	struct ft_sweep_report report;
	struct ft_err err;
};

static void tear_down(struct bench *b)
{
	ft_sweep_report_clear(&b->report);
	ft_source_close(b->source);
	ft_program_clear(&b->program);
	ft_machine_clear(&b->machine);
	ft_store_close(b->store);
}

#endif
