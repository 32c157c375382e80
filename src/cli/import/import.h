/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h - the state of `foretime import`, shared by its parts: reading, storing, reporting. */
#ifndef FT_CLI_IMPORT_H
#define FT_CLI_IMPORT_H

#include "cli/cli.h"
#include "foretime/store.h"

#include <stdbool.h>

/* The version that imported runs belong to, when the store has one. */
enum cli_version {
	CLI_VERSION_UNSAID, /* the stored version; an older one when the file names another */
	CLI_VERSION_SAME,
	CLI_VERSION_OLDER, /* stored separately, and not used */
	CLI_VERSION_NEWER, /* used in place of the stored one */
};

struct cli_import {
	/* as typed */
	const char *store_path, *name, *device, *work, *machine_name, *as_version, *gathered;
	struct cli_reading reading;
	struct ft_field_texts machines; /* one name is machine_name, which is then of all */
	double memory_bytes;
	bool here, again, strict, json, quiet, cgroup;
	char **path; /* [n_paths] borrowed from argv */
	size_t n_paths;
	enum cli_version version;
	struct ft_program query; /* the parameters typed, and their ranges */
	/* as read */
	struct ft_import import;
	struct ft_machine machine;
	struct ft_machine *of; /* [n_of] those that only some parts are of */
	size_t n_of;
	size_t *which; /* [import.n] of these; n_of: that of all */
	size_t *known; /* [import.n] runs of each program that were stored already */
	/* progress */
	double began_s, shown_s;
	bool drawn;
};

/* of */

#endif
