/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.h - requests for all sizes as a file of knots, as `foretime export --format knots` has it. */
#ifndef FT_TELL_KNOTS_H
#define FT_TELL_KNOTS_H

#include "foretime/ask.h"

/* A limit that kills one job in twenty makes all wait longer, one in a hundred does not; and programs change.
 */
#define FT_TELL_KNOTS_RISK   0.01
#define FT_TELL_KNOTS_LIFE_S (30 * 86400.0)

/* Nodes of one kind in a partition, and what is known of the program there. Borrowed. */
struct ft_tell_place {
	const char *partition;
	struct ft_answerer *answerer;
	double limit_s, memory_bytes; /* INFINITY: no limit; 0: not known */
};

/* ft_tell_knots - memory as `request --format slurm` asks for it.
 *
 * place    [n] where jobs may run, those of a partition behind one another: each knot tells which partitions
 *          cannot be told from the best one (ft_plan_rank), and what suffices in each of these; n 0: not told
 * risk     share of runs that may need more
 * lives_s  how long, from now on, the text is to be believed
 * out      heap, ends with free; NULL on failure
 *
 * Returns FT_OK; what ft_ask_request_knots and ft_carry_write_knots return. */
enum ft_status ft_tell_knots(struct ft_answerer *answerer, const struct ft_tell_place *place, size_t n,
			     double risk, double lives_s, char **out, struct ft_err *err);

#endif
