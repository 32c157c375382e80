/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c - answers that were given. */
#include "manager/cache.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/hash.h"

#include <string.h>

/* Some 2 KiB each: 4 MiB when all are taken. */
enum { PLACES = 2048, TARGET_MOST = 512 };

struct cache_place {
	char *target;
	struct ft_http_answer *answer; /* NULL: it is free */
	size_t slot;
	uint64_t number;
	int64_t until_ns;
};

struct ft__cache {
	struct cache_place place[PLACES];
	unsigned long hits;
};

struct ft__cache *ft__cache_new(void)
{
	return ft_calloc(1, sizeof(struct ft__cache));
}

static void clear_place(struct cache_place *place)
{
	ft_http_answer_free(place->answer);
	ft_free(place->target);
	*place = (struct cache_place){0};
}

void ft__cache_free(struct ft__cache *cache)
{
	for (size_t i = 0; cache && i < PLACES; i++)
		clear_place(&cache->place[i]);
	ft_free(cache);
}

static struct cache_place *place_of(struct ft__cache *cache, const char *target)
{
	return &cache->place[ft_hash_text(target) % PLACES];
}

struct ft_http_answer *ft__cache_get(struct ft__cache *cache, struct ft__snapshots *snapshots,
				     const char *target)
{
	struct cache_place *place = place_of(cache, target);

	if (!place->answer || strcmp(place->target, target) != 0 ||
	    (place->until_ns < INT64_MAX && ft_clock_ns() > place->until_ns) ||
	    !ft__snapshots_newest(snapshots, place->slot, place->number))
		return NULL;
	cache->hits++;
	return ft_http_answer_keep(place->answer);
}

void ft__cache_put(struct ft__cache *cache, const char *target, const struct ft__snapshot *snapshot,
		   int64_t until_ns, struct ft_http_answer *answer)
{
	struct cache_place *place = place_of(cache, target);
	char *copy = strlen(target) <= TARGET_MOST ? ft_strdup(target) : NULL;

	if (!copy)
		return;
	clear_place(place);
	*place = (struct cache_place){copy, ft_http_answer_keep(answer), snapshot->slot, snapshot->number,
				      until_ns};
}

unsigned long ft__cache_hits(const struct ft__cache *cache)
{
	return cache->hits;
}
