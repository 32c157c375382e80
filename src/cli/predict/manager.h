/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - predict, answered by a manager. */
#ifndef FT_CLI_PREDICT_MANAGER_H
#define FT_CLI_PREDICT_MANAGER_H

#include "cli/options.h"

#include <stdbool.h>

/* cli_predict_manager - words: NAME, and values of parameters; options that are fields of the question are
 * sent as they were typed. Returns the exit status. */
int cli_predict_manager(const struct cli_words *words, bool json);

#endif
