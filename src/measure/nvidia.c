/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvidia.c - whether the devices of NVIDIA tell their power. */
#include "base/command.h"
#include "base/files.h"
#include "measure/energy.h"
#include "measure/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of what it printed, else of what it complained of. */
static void first_line(const struct ft__command *command, char line[FT__LINE_LENGTH])
{
	const char *text = command->length ? command->text : command->words;

	(void)snprintf(line, FT__LINE_LENGTH, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
}

enum ft_status ft__nvidia_check(const char *root, struct ft_err *err)
{
	static const char *const argv[] = {"nvidia-smi", "--query-gpu=power.draw",
					   "--format=csv,noheader,nounits", NULL};
	struct ft__command smi = {.argv = argv, .limit_s = FT__NVIDIA_LIMIT_S, .apart = true};
	char line[FT__LINE_LENGTH];
	bool driver = ft__file_line(line, root, "/proc/driver/nvidia/version"), late;
	enum ft_status status = ft__command_run(&smi, err);

	late = smi.late;
	first_line(&smi, line);
	ft__command_clear(&smi);
	if (status == FT_ENOMEM)
		return status;
	if (!status && strtod(line, NULL) > 0)
		return FT_OK;
	if (status == FT_EUNAVAIL) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s",
			      driver ? "the driver of NVIDIA is loaded, but nvidia-smi is not on PATH"
				     : "this machine has no such device: no driver of NVIDIA is loaded");
		(void)ft_remedy(err, driver ? "add the folder of nvidia-smi to PATH, or install it"
					    : "where there is such a device, install its driver");
	} else if (late) {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi does not answer within %d s", FT__NVIDIA_LIMIT_S);
		(void)ft_remedy(err, "try it by hand; nvidia-persistenced makes it quicker");
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi reports no power: %s",
			      *line ? line : "it prints nothing");
		(void)ft_remedy(err, "try it by hand: nvidia-smi --query-gpu=power.draw --format=csv");
	}
	return FT_EUNAVAIL;
}

enum ft_status ft__nvidia_available(struct ft_err *err)
{
	return ft__nvidia_check("", err);
}
