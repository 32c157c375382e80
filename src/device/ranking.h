/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranking.h - the devices of a stored program, each with its answerer. */
#ifndef FT_DEVICE_RANKING_H
#define FT_DEVICE_RANKING_H

#include "foretime/device.h"

struct ft__ranked {
	char *device; /* heap; "" of none */
	char *driver; /* that it has now, where it is another one than its runs had; heap */
	struct ft_answerer *answerer;
};

struct ft_ranking {
	struct ft_rank_options options;
	struct ft__ranked *ranked; /* [n] by name */
	size_t n;
};

#endif
