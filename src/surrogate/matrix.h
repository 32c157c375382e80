/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.h - what the readers of tables share with the maker of matrices. */
#ifndef FT_SURROGATE_MATRIX_H
#define FT_SURROGATE_MATRIX_H

#include "foretime/surrogate.h"

/* ft__matrix_row - the index of a row's name, which is added when it is new (fresh). */
enum ft_status ft__matrix_row(struct ft_matrix_maker *maker, const char *name, size_t *index, bool *fresh,
			      struct ft_err *err);

#endif
