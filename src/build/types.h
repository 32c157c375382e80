/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - the rows of the table of builders; one file each. */
#ifndef FT_BUILD_TYPES_H
#define FT_BUILD_TYPES_H

#include "foretime/build.h"

extern const struct ft_builder_type ft__builder_adaptive;
extern const struct ft_builder_type ft__builder_gbbp;
extern const struct ft_builder_type ft__builder_naive;

#endif
