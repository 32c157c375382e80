/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.c - the table of probes, and whether each works here. */
#include "foretime/measure.h"

#include <errno.h>
#include <unistd.h>

/* The helper is found and starts. */
static enum ft_status child_available(struct ft_err *err)
{
	char name[] = "true", *argv[] = {name, NULL};
	struct ft_program program = {.name = name, .argv = argv, .argc = 1};
	struct ft_launch launch = {.program = &program};
	struct ft_source *source;
	enum ft_status status = ft_source_open_process(&source, &launch, err);

	ft_source_close(source);
	return status;
}

static enum ft_status tree_available(struct ft_err *err)
{
	enum ft_status status = child_available(err);

	if (status || !access("/proc/self/statm", R_OK))
		return status;
	ft_fail_errno(err, errno, "cannot read '/proc/self/statm'");
	return ft_remedy(err, "mount /proc here: mount -t proc proc /proc");
}

static const struct ft_probe probes[] = {
	{"child", "what the kernel counted for the process that has ended, and the monotonic clock",
	 "wall_s cpu_s user_s system_s peak_rss_bytes minor_faults major_faults voluntary_switches "
	 "involuntary_switches",
	 child_available},
	{"tree", "memory of all its processes together, looked at while they run", "peak_tree_bytes",
	 tree_available},
	{"report", "what a program tells of its routines, with foretime-probe.h", "wall_s cpu_s",
	 child_available},
};

const struct ft_probe *ft_probe_get(size_t i)
{
	return i < sizeof probes / sizeof *probes ? &probes[i] : NULL;
}
