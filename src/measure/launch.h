/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - finds files that are installed next to foretime-helper. */
#ifndef FT_MEASURE_LAUNCH_H
#define FT_MEASURE_LAUNCH_H

#include "measure/measure.h"

enum { FT__HELPER_PATH = 4096 };

/* ft__launch_find - a file that is installed next to the helper. Returns FT_OK; FT_EUNAVAIL. */
enum ft_status ft__launch_find(const char *name, char path[FT__HELPER_PATH], struct ft_err *err);

/* ft__gpu_layer - the layer of OpenCL that a launch needs: its path. False: it needs none, or it is not
 * installed. */
bool ft__gpu_layer(const struct ft_launch *launch, char path[FT__HELPER_PATH]);

#endif
