/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moments.c - inside the helper: the trace of a run, within a bounded memory. */
#include "measure/moments.h"
#include "base/alloc.h"

#include <malloc.h>

static void join_neighbours(struct ft__moments *moments)
{
	size_t n = moments->n / 2;

	for (size_t i = 0; i < n; i++) {
		const struct ft__moment *a = &moments->moment[2 * i], *b = a + 1;
		struct ft__moment joined = *b;

		if (a->rss_bytes > b->rss_bytes)
			joined.rss_bytes = a->rss_bytes;
		if (a->processes > b->processes)
			joined.processes = a->processes;
		moments->moment[i] = joined;
	}
	if (moments->n % 2)
		moments->moment[n++] = moments->moment[moments->n - 1];
	moments->n = n;
	moments->sparser *= 2;
}

void ft__moments_add(struct ft__moments *moments, const struct ft__moment *moment)
{
	if (moments->n == FT__MOMENTS_MAX)
		join_neighbours(moments);
	struct ft__moment *grown = ft_grow(moments->moment, moments->n, &moments->capacity, sizeof *grown);
	if (!grown)
		return;
	moments->moment = grown;
	moments->moment[moments->n++] = *moment;
}

void ft__moments_cap(struct ft__moments *moments, uint64_t peak_bytes)
{
	for (size_t i = 0; i < moments->n; i++)
		if (moments->moment[i].rss_bytes > peak_bytes)
			moments->moment[i].rss_bytes = peak_bytes;
}

void ft__moments_clear(struct ft__moments *moments)
{
	ft_free(moments->moment);
	/* Our memory is the floor of the next child's. */
	if (moments->moment)
		(void)malloc_trim(0);
	*moments = (struct ft__moments){.sparser = 1};
}
