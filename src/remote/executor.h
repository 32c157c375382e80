/* SPDX-License-Identifier: GPL-3.0-or-later */
/* executor.h - the table of those who carry runs. An executor only starts scripts: which runs, and what they
 * left, is decided by others. */
#ifndef FT_REMOTE_EXECUTOR_H
#define FT_REMOTE_EXECUTOR_H

#include "remote/remote.h"

/* A row. */
struct ft__executor {
	const char *name;
	/* Of those that are started here, one for each run: their words before the path of a plan, ends with
	 * NULL, and the package of Debian. NULL: it has a queue of its own */
	const char *const *launcher;
	const char *package;
	/* Which kinds of machines there are, by ft__kind_find, and how many runs each takes at once. */
	enum ft_status (*open)(struct ft_remote *remote, struct ft_err *err);
	/* Scripts ID.sh are there: bring tasks on their way, all of one kind. serial: their ids without ".I"
	 */
	enum ft_status (*submit)(struct ft_remote *remote, const char *serial,
				 struct ft__remote_task *const *task, size_t n, struct ft_err *err);
	/* What became of each task, as its fate; all that are known are given to ft__task_adopt. */
	enum ft_status (*look)(struct ft_remote *remote, struct ft_err *err);
	void (*cancel)(struct ft_remote *remote); /* all that is out */
	/* What submit would hand over of n tasks, of any kind; text ends with ft_free. */
	enum ft_status (*show)(const struct ft_remote *remote, const char *serial, size_t n, char **text,
			       struct ft_err *err);
};

extern const struct ft__executor ft__executor_slurm, ft__executor_parallel, ft__executor_mpiexec;

#endif
