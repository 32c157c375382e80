/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.c - what --json prints, of all commands. */
#include "cli/answers.h"
#include "tell/predict.h"

const struct ft_tell_record *const cli_answers[] = {
	&ft_tell_predict,
	NULL,
};
