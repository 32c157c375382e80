/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - how many pieces a curve is made of. */
#ifndef FT_TRACE_FIT_H
#define FT_TRACE_FIT_H

#include "trace/search.h"

/* ft__count_pieces - from the errors F of the best models with 1 .. most pieces, square [most + 1], the
 * number beyond which pieces gain no more than noise would; `places` a node could have taken. */
size_t ft__count_pieces(const double *square, size_t most, size_t places);

/* ft__count_noise - of a path with so many pieces or more: fewer, where the last ones gain no more than noise
 * that remembers itself from row to row would. *pieces in and out. */
enum ft_status ft__count_noise(struct ft__seek *s, size_t *pieces, struct ft_err *err);

/* ft__count - both, over a path of up to `most` pieces that is made for it. */
enum ft_status ft__count(struct ft__seek *s, size_t most, size_t *pieces, struct ft_err *err);

#endif
