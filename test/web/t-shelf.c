/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-shelf.c - traces that are kept: so many and so many bytes, the oldest goes, no memory is no harm. */
#include "base/alloc.h"
#include "base/random.h"
#include "tap.h"
#include "web/inside.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 64 };

static struct ft__shelf shelf;

static size_t bytes_kept(void)
{
	size_t sum = 0;

	for (size_t i = 0; i < FT__SHELF_PLACES; i++)
		sum += shelf.kept[i].bytes;
	return sum;
}

static void by_hand(void)
{
	const char *id, *other;
	struct ft_err err = {0};
	char name[FT__SHELF_ID + 1];

	ok(!ft__shelf_put(&shelf, "t,y\n0,1\n", 8, &id, NULL) && strlen(id) == FT__SHELF_ID,
	   "a trace has a name");
	memcpy(name, id, sizeof name);
	ok(!strcmp(ft__shelf_get(&shelf, name), "t,y\n0,1\n"), "and is there under it");
	ok(!ft__shelf_put(&shelf, "t,y\n0,1\n", 8, &other, NULL) && strcmp(name, other) != 0,
	   "the same text again has another one");
	ok(!ft__shelf_get(&shelf, "") && !ft__shelf_get(&shelf, "000000000000000000000000"),
	   "other names are none");
	ok(ft__shelf_put(&shelf, "a\0b", 3, &id, &err) == FT_EPARSE && !id && strstr(err.text, "zero byte"),
	   "what is no text is refused");
	ok(ft__shelf_put(&shelf, "", (size_t)FT__SHELF_BYTES + 1, &id, &err) == FT_EINVAL && !id,
	   "and what is longer than all the room");
	ft__shelf_clear(&shelf);
	ok(!ft__shelf_get(&shelf, name) && !bytes_kept(), "cleared, nothing is there");
}

/* A slow shelf beside it: names in the order of their last use. */
static struct name {
	char id[FT__SHELF_ID + 1];
	size_t bytes;
} used[NAMES];
static size_t n_used;

static void use(size_t i)
{
	struct name one = used[i];

	memmove(&used[i], &used[i + 1], (n_used - i - 1) * sizeof *used);
	used[n_used - 1] = one;
}

static void forget_oldest(void)
{
	memmove(&used[0], &used[1], --n_used * sizeof *used);
}

static size_t bytes_used(void)
{
	size_t sum = 0;

	for (size_t i = 0; i < n_used; i++)
		sum += used[i].bytes;
	return sum;
}

static bool same_names(void)
{
	size_t k, there = 0;

	for (size_t i = 0; i < FT__SHELF_PLACES; i++) {
		for (k = 0; k < n_used && strcmp(used[k].id, shelf.kept[i].id) != 0;)
			k++;
		if (*shelf.kept[i].id && k == n_used)
			return false;
		there += *shelf.kept[i].id ? 1 : 0;
	}
	return there == n_used && bytes_kept() == bytes_used();
}

static void put(struct ft_random *random, const char *text)
{
	/* some so long that several have to go */
	size_t bytes = ft_random_below(random, 4)
			       ? 1 + ft_random_below(random, 100)
			       : (size_t)FT__SHELF_BYTES / 3 + ft_random_below(random, 100);
	const char *id;

	while (n_used && bytes_used() + bytes > (size_t)FT__SHELF_BYTES)
		forget_oldest();
	if (n_used == FT__SHELF_PLACES)
		forget_oldest();
	if (ft__shelf_put(&shelf, text, bytes, &id, NULL))
		return;
	memcpy(used[n_used].id, id, sizeof used->id);
	used[n_used++].bytes = bytes;
}

static void at_random(void)
{
	struct ft_random random = {test_seed()};
	char *text = malloc(FT__SHELF_BYTES);
	int cases = test_cases(60), bad = 0, i;

	memset(text, '1', FT__SHELF_BYTES);
	for (i = 0; i < cases; i++) {
		if (n_used && ft_random_below(&random, 2)) {
			size_t k = ft_random_below(&random, n_used);

			bad += !ft__shelf_get(&shelf, used[k].id);
			use(k);
		} else {
			put(&random, text);
		}
		bad += !same_names() || bytes_kept() > (size_t)FT__SHELF_BYTES;
	}
	ok(!bad,
	   "%d traces given and asked for: what was not used for longest goes, and no more bytes are kept",
	   cases);
	ft__shelf_clear(&shelf);
	free(text);
}

static void faults(void)
{
	const char *id;

	(void)ft__shelf_put(&shelf, "t,y\n", 4, &id, NULL);
	(void)ft_alloc_fail_at(1);
	ok(ft__shelf_put(&shelf, "t,y\n", 4, &id, NULL) == FT_ENOMEM && !id && bytes_kept() == 4,
	   "without memory what is kept stays");
	(void)ft_alloc_fail_at(0);
	ft__shelf_clear(&shelf);
}

int main(void)
{
	by_hand();
	at_random();
	faults();
	return done();
}
