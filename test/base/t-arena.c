/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-arena.c - memory released at once: zeroed, aligned, apart, counted, and released. */
#include "base/alloc.h"
#include "base/random.h"
#include "tap.h"

#include <stdalign.h>

enum { PIECES = 600 };

/* Pieces of random sizes are filled each with its own number; none may be seen in another one. */
static void apart(void)
{
	struct ft_random random = {test_seed()};
	unsigned char *piece[PIECES];
	size_t bytes[PIECES];
	bool zero = true, aligned = true, whole = true;
	FT_ARENA(arena);

	for (size_t i = 0; i < PIECES; i++) {
		double u = ft_random_uniform(&random);

		bytes[i] = (size_t)(i % 50 ? u * 90 : u * 200000);
		piece[i] = ft_arena_take(&arena, bytes[i], 1);
		aligned &= piece[i] && (uintptr_t)piece[i] % alignof(max_align_t) == 0;
		for (size_t j = 0; j < bytes[i]; j++)
			zero &= piece[i][j] == 0;
		memset(piece[i], (int)(i % 255) + 1, bytes[i]);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t j = 0; j < bytes[i]; j++)
			whole &= piece[i][j] == i % 255 + 1;
	ok(zero && ft_arena_check(&arena, NULL) == FT_OK, "%d pieces of 0 to 200,000 bytes are zero", PIECES);
	ok(aligned, "... and aligned for anything");
	if (!ok(whole, "... and each keeps what was written to it"))
		diag("seed %llu", (unsigned long long)test_seed());
}

static void sizes(void)
{
	struct ft_arena arena = {0};
	struct ft_err err = {0};

	ft_arena_clear(&arena);
	ft_arena_clear(NULL);
	ok(!arena.newest, "an empty one, and none, can be cleared");
	double *a = ft_arena_take(&arena, 3, sizeof *a);
	ok(ft_arena_take(&arena, 0, 8) && ft_arena_take(&arena, 8, 0), "nothing of something has a place");
	a[2] = 7;
	ok(!ft_arena_take(&arena, SIZE_MAX / 8 + 2, 8) && ft_arena_check(&arena, &err) == FT_ENOMEM &&
		   !strcmp(err.text, "out of memory"),
	   "a product that overflows is refused");
	ok(!ft_arena_take(&arena, 1, 1) && a[2] == 7, "after that all is, and what was there stays");
	ft_arena_clear(&arena);
	ok(ft_arena_check(&arena, &err) == FT_OK && ft_arena_take(&arena, 1, 1), "cleared, it serves again");
	ok(!ft_arena_take(&arena, SIZE_MAX, 1), "no machine has SIZE_MAX bytes");
	ft_arena_clear(&arena);
	ft_arena_clear(&arena);
	ok(!arena.newest && !arena.failed, "and it can be cleared twice");
}

static void copies(void)
{
	const int three[] = {1, 2, 3};
	char text[] = "a name";
	FT_ARENA(arena);

	char *copy = ft_arena_text(&arena, text);
	int *numbers = ft_arena_copy(&arena, three, 3, sizeof *three);
	text[0] = 'A';
	ok(!strcmp(copy, "a name") && !ft_arena_text(&arena, NULL), "texts are copied");
	ok(!memcmp(numbers, three, sizeof three) && ft_arena_copy(&arena, NULL, 0, 4), "so are arrays");
	size_t n = 0, capacity = 0;
	int *grown = NULL;
	bool kept = true;
	for (; n < 1000; n++) {
		grown = ft_arena_grow(&arena, grown, n, &capacity, sizeof *grown);
		grown[n] = (int)n;
	}
	for (size_t i = 0; i < n; i++)
		kept &= grown[i] == (int)i;
	ok(kept && capacity == 1024, "an array grows, and keeps what is in it");
	size_t most = SIZE_MAX;
	ok(!ft_arena_grow(&arena, grown, most, &most, 4) && most == SIZE_MAX,
	   "... but not beyond all counts");
}

/* Takes small and large, grows and copies; how many got their memory. */
static enum ft_status work(size_t *served, struct ft_err *err)
{
	size_t capacity = 0;
	FT_ARENA(arena);

	*served = 0;
	for (size_t i = 0; i < 20; i++)
		*served += ft_arena_take(&arena, i % 5 ? 10 : 5000, i) != NULL;
	*served += ft_arena_text(&arena, "text") != NULL;
	*served += ft_arena_grow(&arena, NULL, 0, &capacity, 8) != NULL;
	FT_OWN char *single = ft_strdup("owned");
	if (!single)
		return ft_nomem(err);
	++*served;
	return ft_arena_check(&arena, err);
}

static void faults(void)
{
	size_t served, n, wrong = 0;
	enum ft_status status = FT_ENOMEM;

	for (n = 1; status == FT_ENOMEM && n < 100; n++) {
		(void)ft_alloc_fail_at(n);
		status = work(&served, NULL);
		wrong += status ? served != (n < 23 ? n : 22) : served != 23;
	}
	(void)ft_alloc_fail_at(0);
	ok(status == FT_OK && n == 25, "each of 23 requests can fail, a block of its own or not: %zu", n - 2);
	ok(!wrong, "... and then all later ones of the arena do");
}

int main(void)
{
	apart();
	sizes();
	copies();
	faults();
	return done();
}
