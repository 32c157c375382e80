/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.h - answers that were given, as long as the snapshot that gave them is the newest: a direct-mapped
 * table, so that it never grows. */
#ifndef FT_MANAGER_CACHE_H
#define FT_MANAGER_CACHE_H

#include "http/http.h"
#include "manager/snapshot.h"

struct ft__cache;

struct ft__cache *ft__cache_new(void); /* NULL: no memory */
void ft__cache_free(struct ft__cache *cache);

/* ft__cache_get - what was answered to a target, as it was sent; NULL: nothing that is still true. Kept for
 * one more. */
struct ft_http_answer *ft__cache_get(struct ft__cache *cache, struct ft__snapshots *snapshots,
				     const char *target);

/* ft__cache_put - what `snapshot` answers, and how long that is true (ft_clock_ns; INT64_MAX: as long as it
 * is the newest). answer: kept for one more. */
void ft__cache_put(struct ft__cache *cache, const char *target, const struct ft__snapshot *snapshot,
		   int64_t until_ns, struct ft_http_answer *answer);

unsigned long ft__cache_hits(const struct ft__cache *cache);

#endif
