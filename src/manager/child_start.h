/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_start.h - a keeper, and pipes to its child. */
#ifndef FT_MANAGER_CHILD_START_H
#define FT_MANAGER_CHILD_START_H

#include "manager/child.h"
#include "manager/scope_way.h"

struct ft__started {
	pid_t keeper;
	int input, output, errors, control; /* ours to close; input: a socket */
};

/* ft__child_launch - as ft__child_start; nothing is open on failure. */
enum ft_status ft__child_launch(struct ft__started *out, const struct ft__child_options *options,
				struct ft_err *err);

#endif
