/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circles.c - the circles of a directed graph: functions that call each other.
 * Source: Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972), p. 146. */
#include "base/alloc.h"
#include "num/num.h"

/* The search, without recursion of our own. */
struct search {
	const size_t *first, *to;
	size_t *index;        /* [n] in the order of visits, from 1; 0: not yet visited */
	size_t *low;          /* [n] */
	size_t *next;         /* [n] the edge to be looked at next */
	size_t *open, opened; /* visited, and in no circle yet */
	size_t *path, length; /* from the root to the node at hand */
	size_t *circle, visits, circles;
};

static void visit_node(struct search *s, size_t node)
{
	s->index[node] = s->low[node] = ++s->visits;
	s->next[node] = s->first[node];
	s->open[s->opened++] = node;
	s->path[s->length++] = node;
}

static void visit_from(struct search *s, size_t root)
{
	visit_node(s, root);
	while (s->length) {
		const size_t at = s->path[s->length - 1];

		if (s->next[at] < s->first[at + 1]) {
			const size_t to = s->to[s->next[at]++];

			if (!s->index[to])
				visit_node(s, to);
			else if (!s->circle[to] && s->index[to] < s->low[at])
				s->low[at] = s->index[to];
			continue;
		}
		s->length--;
		if (s->low[at] == s->index[at]) {
			size_t member;

			s->circles++;
			do {
				member = s->open[--s->opened];
				s->circle[member] = s->circles;
			} while (member != at);
		}
		if (s->length && s->low[at] < s->low[s->path[s->length - 1]])
			s->low[s->path[s->length - 1]] = s->low[at];
	}
}

enum ft_status ft_circles_find(const size_t *first, const size_t *to, size_t n, size_t *circle,
			       size_t *circles, struct ft_err *err)
{
	FT_ARENA(work);
	struct search s = {.first = first,
			   .to = to,
			   .index = ft_arena_take(&work, n, sizeof(size_t)),
			   .low = ft_arena_take(&work, n, sizeof(size_t)),
			   .next = ft_arena_take(&work, n, sizeof(size_t)),
			   .open = ft_arena_take(&work, n, sizeof(size_t)),
			   .path = ft_arena_take(&work, n, sizeof(size_t)),
			   .circle = circle};

	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < n; i++)
		circle[i] = 0;
	for (size_t i = 0; i < n; i++)
		if (!s.index[i])
			visit_from(&s, i);
	*circles = s.circles;
	return FT_OK;
}
