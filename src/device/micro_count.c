/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_count.c - what the launches of a calibration do. */
#include "foretime/rates.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Groups that are carried out: all groups of these kernels do the same, but where they meet in a cache. */
enum { GROUPS = 8 };

enum ft_status ft_micro_file(int *fd, char path[FT_MICRO_PATH], struct ft_err *err)
{
	const char *source = ft_micro_kernels();
	size_t length = strlen(source);

	*fd = memfd_create("micro.cl", MFD_CLOEXEC);
	if (*fd < 0 || write(*fd, source, length) != (ssize_t)length)
		return ft_fail_errno(err, errno, "cannot write the kernels of the calibration");
	(void)snprintf(path, FT_MICRO_PATH, "/proc/%d/fd/%d", (int)getpid(), *fd);
	return FT_OK;
}

static enum ft_status count_launch(struct ft_timed_launch *row, const struct ft_kernel *kernel,
				   const struct ft_micro_launch *launch, struct ft_err *err)
{
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_argument n = {.name = "n", .value = launch->n};
	struct ft_kernel_features features = {0};
	char global[2][24], local[2][24];
	struct ft_kernel_launch asked = {
		.global = {global[0], global[1]}, .local = {local[0], local[1]}, .argument = &n, .n = 1};

	for (int i = 0; i < 2; i++) {
		(void)snprintf(global[i], sizeof global[i], "%zu", launch->global[i]);
		(void)snprintf(local[i], sizeof local[i], "%zu", launch->local[i]);
	}
	options.groups = GROUPS;
	enum ft_status status = ft_kernel_features(&features, kernel, &asked, &options, err);
	*row = (struct ft_timed_launch){.kernel = launch->kernel, .seconds = NAN};
	if (!status) {
		ft_rate_amounts(&features, row->amount);
		ft_rate_five(&features, row->five);
	}
	ft_kernel_features_clear(&features);
	return status;
}

enum ft_status ft_micro_count(struct ft_timed_launch *row, struct ft_err *err)
{
	struct ft_micro_launch launch;
	struct ft_kernel_source source = {0};
	struct ft_kernel *kernel = NULL;
	char path[FT_MICRO_PATH];
	int fd;
	enum ft_status status = ft_micro_file(&fd, path, err);

	source.path = path;
	for (size_t i = 0; !status && ft_micro_launch_get(i, &launch); i++) {
		if (!kernel || launch.kernel != source.kernel) {
			ft_kernel_close(kernel);
			source.kernel = launch.kernel;
			status = ft_kernel_open(&kernel, &source, err);
		}
		if (!status)
			status = count_launch(&row[i], kernel, &launch, err);
	}
	ft_kernel_close(kernel);
	if (fd >= 0)
		(void)close(fd);
	return status;
}
