/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.h - the store that fuzz-store changes. */
#ifndef FT_TEST_FUZZ_MADE_H
#define FT_TEST_FUZZ_MADE_H

#include "foretime/store.h"

/* A machine, a program of two parameters with runs, samples and a model, what an expert says of it, a load.
 * Ends the process where that fails. */
void fuzz_fill(struct ft_store *store);

#endif
