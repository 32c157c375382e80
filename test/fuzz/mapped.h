/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mapped.h - a file that every input changes, looked at and made again where it was changed: to write and
 * read all of it took a third of an input's time. */
#ifndef FT_TEST_FUZZ_MAPPED_H
#define FT_TEST_FUZZ_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is beyond is not looked at. */
enum { FUZZ_MAPPED_MOST = 1 << 20 };

/* The file as it is now is what it will be again; ends the process where it cannot be mapped. The file stays
 * open, for closing a handle of it would drop the locks of SQLite. Returns it. */
int fuzz_mapped_begin(const char *path);

/* As it was at the beginning. */
void fuzz_mapped_restore(void);

/* Look at it. Returns its bytes as one number, the same for those of the beginning each time; whole: out,
 * whether they all were looked at. */
uint64_t fuzz_mapped_look(bool *whole);

/* Whether it is as it was when it was looked at. */
bool fuzz_mapped_is_same(void);

#endif
