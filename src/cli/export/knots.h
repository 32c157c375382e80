/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knots.h - requests for all sizes, as a file of knots. */
#ifndef FT_CLI_EXPORT_KNOTS_H
#define FT_CLI_EXPORT_KNOTS_H

/* cli_export_knots - risk: share of runs that may need more; lives_s: how long the file is to be believed.
 * Returns an exit status, after a complaint. */
int cli_export_knots(const char *name, const char *device, const char *machine, const char *store_path,
		     const char *path, double risk, double lives_s);

#endif
