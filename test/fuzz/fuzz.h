/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - what reads the files of others fed with anything: by libFuzzer (tools/fuzz), and by t-mutate with
 * seeded mutations.
 *
 * A harness feeds bytes to a reader and checks what must hold of any input. It returns NULL, or what does not
 * hold. Beside it stand inputs to begin with, and pieces to put into them; each list ends with NULL.
 */
#ifndef FT_TEST_FUZZ_H
#define FT_TEST_FUZZ_H

#include "foretime/base.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* X(name, how many mutations the unit test makes: about a second's). */
#define FUZZ_LIST(X)                                                                                         \
	X(expr, 50000)                                                                                       \
	X(csv, 50000)                                                                                        \
	X(import, 50000)                                                                                     \
	X(trace, 20000)                                                                                      \
	X(matrix, 10000)                                                                                     \
	X(energy, 20000)                                                                                     \
	X(load, 20000)                                                                                       \
	X(report, 100000)                                                                                    \
	X(knowledge, 50000)                                                                                  \
	X(model, 10000)                                                                                      \
	X(conf, 50000)                                                                                       \
	X(xml, 50000)                                                                                        \
	X(store, 500)                                                                                        \
	X(http, 2000)                                                                                        \
	X(timings, 200)                                                                                      \
	X(put, 500)                                                                                          \
	X(builder, 50000)                                                                                    \
	X(fetch, 20000)                                                                                      \
	X(slurm, 2000)                                                                                       \
	X(travel, 2000)                                                                                      \
	X(callgrind, 20000)                                                                                  \
	X(graph, 200000)                                                                                     \
	X(web, 600)

#define FUZZ_DECLARE(name, cases)                                                                            \
	const char *fuzz_##name(const uint8_t *bytes, size_t length);                                        \
	extern const char *const fuzz_##name##_seeds[], *const fuzz_##name##_pieces[];
FUZZ_LIST(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/* The bytes as a file: its path, until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t length);

/* A path in a folder that is gone with the process, in memory where the machine has files there; the next
 * eight calls leave it alone. */
const char *fuzz_path(const char *name);

/* The first byte, where it is below `most`, chooses what is asked, and is taken off; else 0. */
static inline unsigned fuzz_choice(const uint8_t **bytes, size_t *length, unsigned most)
{
	unsigned choice = *length && **bytes < most ? **bytes : 0;
	size_t skip = *length && **bytes < most;

	*bytes += skip;
	*length -= skip;
	return choice;
}

/* Whether a failure was told as failures are: with its status, and in words. */
int fuzz_is_told(enum ft_status status, const struct ft_err *err);

/* Bytes as a configuration of the manager, whatever its format: it is refused with words, or means the same
 * when it is written and read again; NULL, or what does not hold. */
const char *fuzz_config(const uint8_t *bytes, size_t length);

/* libFuzzer's entry, in a program of one harness. */
#define FUZZ_ENTRY(harness)                                                                                  \
	int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);                                     \
	int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)                                      \
	{                                                                                                    \
		const char *broken = harness(bytes, length);                                                 \
                                                                                                             \
		if (broken) {                                                                                \
			(void)fprintf(stderr, "does not hold: %s\n", broken);                                \
			abort();                                                                             \
		}                                                                                            \
		return 0;                                                                                    \
	}

#endif
