/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - what `foretime export --json` tells. */
#ifndef FT_TELL_EXPORT_H
#define FT_TELL_EXPORT_H

#include "tell/tell.h"

/* Borrowed. */
struct ft_told_export {
	struct ft_program program;
	const struct ft_machine *machine;
	struct ft_runs runs;
};
extern const struct ft_tell_record ft_tell_export;

#endif
