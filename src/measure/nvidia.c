/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvidia.c - whether the devices of NVIDIA tell their power. */
#include "base/alloc.h"
#include "base/files.h"
#include "measure/energy.h"
#include "measure/hash.h"
#include "measure/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The first line that nvidia-smi prints, and its exit status; -1: it could not be started. */
static int ask_nvidia(char line[FT__LINE_LENGTH])
{
	FILE *pipe =
		popen("timeout 5 nvidia-smi --query-gpu=power.draw --format=csv,noheader,nounits 2>&1", "re");
	int status;

	line[0] = '\0';
	if (!pipe)
		return -1;
	if (!fgets(line, FT__LINE_LENGTH, pipe))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	while (fgetc(pipe) != EOF)
		;
	status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum ft_status ft__nvidia_check(const char *root, struct ft_err *err)
{
	char line[FT__LINE_LENGTH], *path, *end;
	bool driver = ft__file_line(line, root, "/proc/driver/nvidia/version");
	enum ft_status status = ft__program_find("nvidia-smi", &path, NULL);
	int exit_status;

	ft_free(path);
	if (status) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s",
			      driver ? "the driver of NVIDIA is loaded, but nvidia-smi is not on PATH"
				     : "this machine has no such device: no driver of NVIDIA is loaded");
		(void)ft_remedy(err, driver ? "add the folder of nvidia-smi to PATH, or install it"
					    : "where there is such a device, install its driver");
		return FT_EUNAVAIL;
	}
	exit_status = ask_nvidia(line);
	if (!exit_status && strtod(line, &end) > 0 && end != line)
		return FT_OK;
	if (exit_status == 124) {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi does not answer within 5 s");
		(void)ft_remedy(err, "try it by hand; nvidia-persistenced makes it quicker");
	} else {
		(void)ft_fail(err, FT_EUNAVAIL, "nvidia-smi tells no power: %s",
			      *line ? line : "it prints nothing");
		(void)ft_remedy(err, "try it by hand: nvidia-smi --query-gpu=power.draw --format=csv");
	}
	return FT_EUNAVAIL;
}

enum ft_status ft__nvidia_available(struct ft_err *err)
{
	return ft__nvidia_check("", err);
}
