/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.h - parsers fed with anything: by libFuzzer (tools/fuzz), and by t-mutate with seeded mutations.
 *
 * A harness feeds bytes to a parser and checks what must hold of any input. It returns NULL, or what does not
 * hold.
 */
#ifndef FT_TEST_FUZZ_H
#define FT_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

const char *fuzz_expr(const uint8_t *bytes, size_t length);
const char *fuzz_csv(const uint8_t *bytes, size_t length);
const char *fuzz_import(const uint8_t *bytes, size_t length);

/* Inputs to begin with, and pieces to put into them; each list ends with NULL. */
extern const char *const fuzz_expr_seeds[], *const fuzz_expr_pieces[];
extern const char *const fuzz_csv_seeds[], *const fuzz_csv_pieces[];
extern const char *const fuzz_import_seeds[], *const fuzz_import_pieces[];

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
