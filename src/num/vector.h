/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vector.h - functions whose loops are worth being compiled for wide vectors too.
 *
 * FT_WIDE before a function: it is compiled twice, and the processor chooses when the program starts. Both
 * give the same bits: no multiplication is contracted with an addition. Only gcc, on x86-64, without
 * sanitizers (which meet the choice before they are ready for it); elsewhere it says nothing.
 */
#ifndef FT_NUM_VECTOR_H
#define FT_NUM_VECTOR_H

#include <stdint.h> /* says whose library it is */

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&                 \
	!defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define FT_WIDE
#endif

/* Doubles that are worked on together. Only inside of functions: how they are handed over depends on the
 * processor. */
enum { FT_LANES = 4 };
typedef double ft_lanes __attribute__((vector_size(FT_LANES * sizeof(double))));

#endif
