/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wide.h - whole numbers of 128 bits, and fractions of them: enough for the expressions that kernels have,
 * and where not, that is noticed. */
#ifndef FT_KERNEL_WIDE_H
#define FT_KERNEL_WIDE_H

#include "foretime/kernel.h"

__extension__ typedef __int128 ft__wide;

struct ft__fraction {
	ft__wide up, down; /* lowest terms; down > 0 */
};

/* ft__polynomial_text - an expression in powers of the arguments; an empty text where it does not fit. */
void ft__polynomial_text(const struct ft_kernel_expressions *e, struct ft_kernel_expression *of);

#endif
