/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_memory.c - micro-benchmarks of caches and memory: walks from line to line, and streams. */
#include "base/alloc.h"
#include "base/random.h"
#include "measure/calibrate.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64 }; /* bytes; where lines are longer, neighbours share one now and then */

static enum ft_status take_memory(const struct ft_micro *micro, struct ft__workplace *place,
				  struct ft_err *err)
{
	place->bytes = micro->bytes;
	place->memory = ft_malloc(place->bytes);
	return place->memory ? FT_OK : ft_nomem(err);
}

static void give(struct ft__workplace *place)
{
	ft_free(place->memory);
}

/* ---- walks --------------------------------------------------------------------------------------------- */

/* Every line holds the address of another; from any, all are reached, in an order that no prefetcher sees.
 * A random cycle: Sattolo, An algorithm to generate a random cyclic permutation, Inf. Process. Lett. 22
 * (1986): of the identity, each from the last on is exchanged with an earlier one. */
static enum ft_status prepare_walk(const struct ft_micro *micro, struct ft__workplace *place,
				   struct ft_err *err)
{
	enum ft_status status = take_memory(micro, place, err);
	struct ft_random random = {7};
	char *base = place->memory;

	if (status)
		return status;
	for (size_t i = 0; i < place->bytes / LINE; i++)
		*(void **)(base + i * LINE) = base + i * LINE;
	for (size_t i = place->bytes / LINE - 1; i > 0; i--) {
		void **one = (void **)(base + i * LINE),
		     **other = (void **)(base + ft_random_below(&random, i) * LINE), *held = *one;

		*one = *other;
		*other = held;
	}
	place->at = base;
	return FT_OK;
}

static uint64_t walk_lines(struct ft__workplace *place, uint64_t count)
{
	void *at = place->at;
	uint64_t i;

	for (i = 0; i < count; i += 16) {
		FT__16(at = *(void **)at;)
	}
	FT__KEEP(at);
	place->at = at;
	return i;
}

/* ---- streams ------------------------------------------------------------------------------------------- */

static enum ft_status prepare_triad(const struct ft_micro *micro, struct ft__workplace *place,
				    struct ft_err *err)
{
	enum ft_status status = take_memory(micro, place, err);
	double *x = place->memory;

	for (size_t i = 0; !status && i < place->bytes / sizeof *x; i++)
		x[i] = 1;
	return status;
}

/* a = b + s c, as in McCalpin's STREAM. */
static uint64_t triad(struct ft__workplace *place, uint64_t count)
{
	size_t n = place->bytes / (3 * sizeof(double)), i;
	double *restrict a = place->memory, scale = 3;
	const double *restrict b = a + n, *restrict c = a + 2 * n;
	uint64_t done;

	FT__KEEP_REAL(scale);
	for (done = 0; done < count; done += n) {
		for (i = 0; i < n; i++)
			a[i] = b[i] + scale * c[i];
		__asm__ volatile("" : : "r"(a) : "memory"); /* somebody may read a now */
	}
	return done;
}

/* Memory that is asked for, written in every page, and given back. */
static uint64_t touch_pages(struct ft__workplace *place, uint64_t count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = 64, i;
	uint64_t done;

	for (done = 0; done < count && !place->error; done += pages) {
		char *memory =
			mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED) {
			place->error = errno;
			break;
		}
		for (i = 0; i < pages; i++)
			((volatile char *)memory)[i * page] = 1;
		(void)munmap(memory, pages * page);
	}
	return done ? done : 1;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

const struct ft__micro ft__micro_memory[] = {
	{{"load_16k", "load", "dependent loads within 16 KiB", 16 * KIB}, prepare_walk, walk_lines, give},
	{{"load_128k", "load", "the same within 128 KiB", 128 * KIB}, prepare_walk, walk_lines, give},
	{{"load_1m", "load", "the same within 1 MiB", MIB}, prepare_walk, walk_lines, give},
	{{"load_8m", "load", "the same within 8 MiB", 8 * MIB}, prepare_walk, walk_lines, give},
	{{"load_64m", "load", "the same within 64 MiB, with what address translation takes", 64 * MIB},
	 prepare_walk,
	 walk_lines,
	 give},
	{{"triad_24k", "element", "a = b + s c over 24 KiB of doubles: 24 bytes an element", 24 * KIB},
	 prepare_triad,
	 triad,
	 give},
	{{"triad_96m", "element", "the same over 96 MiB: the stream from and to memory", 96 * MIB},
	 prepare_triad,
	 triad,
	 give},
	{{"page_touch", "page", "pages taken from the system, written once, given back", 0},
	 NULL,
	 touch_pages,
	 NULL},
	{{0}, NULL, NULL, NULL},
};
