/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.h - the state of `foretime import`, shared by its parts: reading, storing, reporting. */
#ifndef FT_CLI_IMPORT_H
#define FT_CLI_IMPORT_H

#include "cli/cli.h"
#include "foretime/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version that imported runs belong to, when the store has one. */
enum cli_version {
	CLI_VERSION_UNSAID, /* the stored version; an older one when the file names another */
	CLI_VERSION_SAME,
	CLI_VERSION_OLDER, /* stored separately, and not used */
	CLI_VERSION_NEWER, /* used in place of the stored one */
};

/* What became of a part of an import. */
struct cli_import_part {
	bool put, fresh, apart; /* its program is stored; it had no runs before; it is of another version */
	size_t portions, which; /* of these; which of cli_import.of is its machine, n_of: that of all */
	int64_t before;         /* the newest run that was stored before this import */
	size_t runs, known;     /* that were stored, and that were stored already */
	uint64_t *size;         /* [n_sizes] different sizes of its runs, hashes, ascending */
	size_t n_sizes;
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
	struct ft_store *store; /* open, within a transaction, from the first portion on; else NULL */
	int failed;          /* the exit status of a complaint that was printed already; CLI_DONE: none was */
	bool settled, whole; /* the machine of all is; some part is of it */
	struct ft_machine *of; /* [n_of] those that only some parts are of */
	const char **of_name;  /* [n_of] as rows have it, of a part */
	size_t n_of;
	struct cli_import_part *part; /* [n_parts] of import.part, those that were met */
	size_t n_parts;
	size_t stored;  /* runs, of all parts */
	int64_t *found; /* [n_found] ascending ids of stored runs that were read again */
	size_t n_found;
	/* progress */
	double began_s, shown_s;
	bool drawn;
};

#endif
