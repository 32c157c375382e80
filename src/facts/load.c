/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - lists of observed loads, and histories of them. */
#include "base/alloc.h"
#include "foretime/facts.h"

enum ft_status ft_loads_add(struct ft_loads *loads, const struct ft_load *load, struct ft_err *err)
{
	struct ft_load *grown = ft_grow(loads->load, loads->n, &loads->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	loads->load = grown;
	loads->load[loads->n++] = *load;
	return FT_OK;
}

void ft_loads_clear(struct ft_loads *loads)
{
	if (!loads)
		return;
	ft_free(loads->load);
	*loads = (struct ft_loads){0};
}

enum ft_status ft_load_history_add(struct ft_load_history *history, double load, struct ft_err *err)
{
	double *grown = ft_grow(history->load, history->n, &history->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	history->load = grown;
	history->load[history->n++] = load;
	return FT_OK;
}

void ft_load_history_clear(struct ft_load_history *history)
{
	if (!history)
		return;
	ft_free(history->load);
	*history = (struct ft_load_history){0};
}
