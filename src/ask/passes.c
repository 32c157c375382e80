/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.c - levels of memory that lie between what runs held and what a size beyond them needs. */
#include "ask/ask.h"

#include <math.h>

static double largest_held(const struct ft_runs *runs)
{
	double held = 0;

	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE)
			held = fmax(held, ft_run_footprint(&runs->run[i])); /* NaN loses */
	return held;
}

size_t ft_ask_passes(struct ft_answerer *answerer, const struct ft_size *size,
		     struct ft_pass pass[FT_PASSES_MAX])
{
	const struct ft_machine *machine = ft_ask_answered_machine(answerer);
	const struct {
		const char *level;
		int64_t bytes;
	} level[FT_PASSES_MAX] = {{"L2 cache", machine->l2_bytes},
				  {"L3 cache", machine->l3_bytes},
				  {"memory", machine->memory_bytes}};
	const struct ft_resource *resource =
		ft__ask_has_value(answerer, &ft_peak_tree_bytes) ? &ft_peak_tree_bytes : &ft_peak_rss_bytes;
	double held = largest_held(&answerer->runs);
	struct ft_prediction need;
	size_t n = 0;

	if (!(held > 0) || ft_ask_predict(answerer, resource, size, 0.9, &need, NULL))
		return 0;
	for (size_t i = 0; i < FT_PASSES_MAX; i++)
		if (held <= (double)level[i].bytes && need.value > (double)level[i].bytes)
			pass[n++] =
				(struct ft_pass){level[i].level, (double)level[i].bytes, held, need.value};
	return n;
}
