/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - predict, answered by a manager. */
#ifndef FT_CLI_PREDICT_MANAGER_H
#define FT_CLI_PREDICT_MANAGER_H

#include "cli/options.h"

#include <stdbool.h>

struct cli_predict_manager {
	const char *resource, *machine, *view; /* as typed; NULL: not stated */
	double confidence;
	bool json;
};

/* cli_predict_manager - words: NAME, and values of parameters. Returns the exit status. */
int cli_predict_manager(const struct cli_predict_manager *asked, const struct cli_words *words);

#endif
