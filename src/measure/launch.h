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

/* ft__emulate_open - of a launch that names an architecture: the path of its emulator, heap; what else is measured
 * is turned off. Returns FT_OK; FT_EINVAL: no architecture, or the launch requests what cannot be; FT_EUNAVAIL. */
enum ft_status ft__emulate_open(struct ft_launch *launch, char **path, struct ft_err *err);

/* ft__emulate_words - put the emulator before a program's words (of ft__arguments_list). file: the executable. */
enum ft_status ft__emulate_words(const char *path, const char *file, char ***argv, struct ft_err *err);

/* ft__emulate_run - what is no answer for that architecture is unavailable. */
enum ft_status ft__emulate_run(const char *architecture, struct ft_run *run, struct ft_err *err);

#endif
