/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answers.h - what --json prints, of all commands: doc/schema is made of it (tools/schemas). */
#ifndef FT_CLI_ANSWERS_H
#define FT_CLI_ANSWERS_H

#include "tell/tell.h"

/* Those of a command stand together; the last is NULL. */
extern const struct ft_tell_record *const cli_answers[];

#endif
