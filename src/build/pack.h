/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - what is known of copies at once: looks, and what they say of a number of copies. */
#ifndef FT_BUILD_PACK_H
#define FT_BUILD_PACK_H

#include "base/random.h"
#include "foretime/pack.h"

/* So many copies, once. */
struct ft__packed {
	size_t copies;
	double each[FT_PACK_RESOURCES]; /* the mean of the copies; NaN: one had none */
	double last_s, peak_bytes;      /* of that which ended last; the sum of peaks */
};

struct ft_pack {
	struct ft_pack_options options;
	struct ft_random random;
	const struct ft_resource *resource[FT_PACK_RESOURCES]; /* [n_resources] of the first run */
	size_t n_resources;
	struct ft__packed *look; /* [n] in the order in which they were made */
	size_t n, capacity;
	size_t level[FT_PACK_LEVELS], n_levels;    /* copies to be run, ascending, 1 first */
	size_t queue[FT_PACK_LEVELS + 2], n_queue; /* of this round, what is left of it, the last one next */
	size_t asked;                              /* 0: nothing is out */
	size_t most, by_memory;                    /* copies that may run; that memory holds */
	size_t barred;                             /* so many, and more, are not run again; 0: none */
	enum ft_outcome outcome;                   /* why */
	double spent_s, footprint_bytes;
	bool ended, skipped; /* skipped: what would not fit the budget */
	enum ft_stop stop;
};

enum ft__verdict { FT__OPEN, FT__HOLDS, FT__BREAKS };

enum { FT__LAST = FT_PACK_RESOURCES }; /* in the place of a resource: the wall time of the last */

/* ft__pack_ratio - of a resource by its place in `resource`; rounds: out, those that tell it, may be NULL. */
struct ft_pack_ratio ft__pack_ratio(const struct ft_pack *pack, size_t copies, size_t resource,
				    size_t *rounds);
enum ft__verdict ft__pack_verdict(const struct ft_pack *pack, size_t copies, size_t resource);

/* ft__pack_alone_s - the median wall time of one alone; NaN: none ended well. */
double ft__pack_alone_s(const struct ft_pack *pack);

#endif
