/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drive.h - drives a builder against a speed function and keeps what was asked. Include in one file of a
 * program. */
#ifndef FT_TEST_BUILD_DRIVE_H
#define FT_TEST_BUILD_DRIVE_H

#include "base/random.h"
#include "build/door.h"
#include "facts/door.h"
#include "one.h"
#include "tap.h"

/* The times at a size; returns how many, 0: nothing can be measured. Room for 8. */
typedef size_t times_at(void *ctx, double x, double *seconds);

enum { ASKED_MOST = 4096 };

struct asked {
	double size[ASKED_MOST]; /* in the order asked */
	size_t batch[ASKED_MOST];
	size_t n;
	enum ft_stop stop;
	bool failed; /* a call failed, or the builder did not end */
};

/* shuffle: the seed of the order of tells in a batch; 0: as asked. most: of one ask. */
__attribute__((unused)) static void drive_on(struct ft_builder *builder, times_at *times, void *ctx,
					     size_t most, uint64_t shuffle, struct asked *asked)
{
	struct ft_random random = {shuffle};
	struct ft_size sizes[FT_ASK_MAX];
	double seconds[8];
	size_t n, batch = 0;

	asked->n = 0;
	asked->failed = false;
	while (!ft_builder_ask(builder, sizes, most, &n, NULL) && n > 0) {
		for (size_t i = 0; i < n && asked->n < ASKED_MOST; i++) {
			asked->batch[asked->n] = batch;
			asked->size[asked->n++] = sizes[i].value[0];
		}
		if (asked->n == ASKED_MOST) {
			asked->failed = true;
			return;
		}
		for (size_t i = n; shuffle && i > 1; i--) {
			size_t j = ft_random_below(&random, i);
			struct ft_size swapped = sizes[i - 1];

			sizes[i - 1] = sizes[j];
			sizes[j] = swapped;
		}
		for (size_t i = 0; i < n; i++) {
			size_t runs = times(ctx, sizes[i].value[0], seconds);

			if (tell(builder, sizes[i].value[0], seconds, runs, NULL))
				asked->failed = true;
		}
		batch++;
	}
	asked->stop = ft_builder_stop(builder);
}

__attribute__((unused)) static void drive(const char *name, const struct ft_build_options *options,
					  times_at *times, void *ctx, struct asked *asked)
{
	struct ft_builder *builder;

	asked->n = 0;
	asked->failed = true;
	if (ft_builder_new(&builder, ft_builder_type_find(name), options, NULL))
		return;
	drive_on(builder, times, ctx, FT_ASK_MAX, 0, asked);
	ft_builder_free(builder);
}

/* "10 20; 100; 60 (tolerance)": batches, and why it stopped. */
__attribute__((unused)) static const char *transcript(const struct asked *asked)
{
	static char text[8 * ASKED_MOST];
	size_t used = 0;

	for (size_t i = 0; i < asked->n; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%g",
					 !i                                      ? ""
					 : asked->batch[i] > asked->batch[i - 1] ? "; "
										 : " ",
					 asked->size[i]);
	(void)snprintf(text + used, sizeof text - used, " (%s)",
		       asked->failed ? "failed" : ft_stop_text(asked->stop));
	return text;
}

__attribute__((unused)) static bool says(const struct asked *asked, const char *expected, const char *what)
{
	bool good = ok(!strcmp(transcript(asked), expected), "%s", what);

	if (!good) {
		diag("asked    %s", transcript(asked));
		diag("expected %s", expected);
	}
	return good;
}

/* A speed function by hand: pairs (size, speed); a speed of 0: nothing can be measured; a second speed: a
 * second run. */
struct by_hand {
	double x, speed, other;
};

/* The last entry at or below x counts, so that a plateau is one line. The work is 1. */
__attribute__((unused)) static size_t times_by_hand(void *ctx, double x, double *seconds)
{
	const struct by_hand *entry = ctx;

	while (entry[1].x > entry->x && entry[1].x <= x)
		entry++;
	if (entry->speed <= 0)
		return 0;
	seconds[0] = 1 / entry->speed;
	if (entry->other <= 0)
		return 1;
	seconds[1] = 1 / entry->other;
	return 2;
}

#endif
