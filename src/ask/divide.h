/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divide.h - what the parts of a division share. */
#ifndef FT_ASK_DIVIDE_H
#define FT_ASK_DIVIDE_H

#include "foretime/divide.h"

#include <math.h>

/* ft__divide_step - the units that each share is a multiple of. */
int64_t ft__divide_step(const struct ft_divide *divide);

/* ft__divide_predict - what a run of the share takes, as 9 in 10 do: share->at. FT_ENOMEM. */
enum ft_status ft__divide_predict(const struct ft_divide *divide, struct ft_divide_share *share,
				  struct ft_err *err);

#endif
