/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.h - the store that fuzz-store changes, and what models are made of in it. */
#ifndef FT_TEST_FUZZ_MADE_H
#define FT_TEST_FUZZ_MADE_H

#include "foretime/store.h"

#include <stddef.h>
#include <stdint.h>

/* A machine, a program of two parameters with runs, samples and a model, what an expert says of it, a load.
 * Ends the process where that fails. */
void fuzz_fill(struct ft_store *store);

/* Bytes as one number, FNV-1a; begins with FUZZ_MIX. */
#define FUZZ_MIX 0xcbf29ce484222325U
uint64_t fuzz_mix(uint64_t hash, const void *bytes, size_t n);

/* All that a model is made of as one number. */
uint64_t fuzz_mix_facts(const struct ft_program *program, const struct ft_runs *runs);

#endif
