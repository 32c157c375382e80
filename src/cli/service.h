/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.h - what commands of foretime-service share. */
#ifndef FT_CLI_SERVICE_H
#define FT_CLI_SERVICE_H

enum { CLI_PATH_MOST = 4096 };

/* cli_service_command - the foretime that measures and answers: beside our own executable (a build folder),
 * or where it is installed. */
void cli_service_command(char path[CLI_PATH_MOST]);

#endif
