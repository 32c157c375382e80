/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kin.c - rows in an order that brings those of one group together. */
#include "surrogate/kin.h"

#include <stdlib.h>

struct member {
	size_t group, row;
};

static int by_group(const void *a, const void *b)
{
	const struct member *p = a, *q = b;

	if (p->group != q->group)
		return p->group < q->group ? -1 : 1;
	return (p->row > q->row) - (p->row < q->row);
}

enum ft_status ft__kin_init(struct ft__kin *kin, struct ft_arena *arena, const size_t *group, size_t m,
			    struct ft_err *err)
{
	FT_OWN struct member *member = ft_calloc(m, sizeof *member);

	*kin = (struct ft__kin){.m = m,
				.row = ft_arena_take(arena, m, sizeof *kin->row),
				.group = ft_arena_take(arena, m, sizeof *kin->group),
				.first = ft_arena_take(arena, m + 1, sizeof *kin->first)};
	if (!member)
		return ft_nomem(err);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		member[i] = (struct member){group ? group[i] : i, i};
	if (group)
		qsort(member, m, sizeof *member, by_group);
	for (size_t i = 0; i < m; i++) {
		if (!i || member[i].group != member[i - 1].group)
			kin->first[kin->groups++] = i;
		kin->row[i] = member[i].row;
		kin->group[i] = kin->groups - 1;
	}
	kin->first[kin->groups] = m;
	for (size_t i = 0; i < kin->groups; i++)
		if (kin->first[i + 1] - kin->first[i] > kin->largest)
			kin->largest = kin->first[i + 1] - kin->first[i];
	return FT_OK;
}
