/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - runs carried to other machines by Slurm, GNU parallel or mpiexec, and taken in as they come
 * back: a sweep, or one for each kind of machine.
 *
 *	ft_remote_open(&remote, store, &program, &options, err);
 *	ft_remote_run(remote, err);
 *	for (i = 0; i < ft_remote_sweeps(remote); i++)
 *		ft_remote_end(remote, i, &machine, &report, err);
 *	ft_remote_close(remote);
 *
 * All that is out stands in a folder that every machine sees. A run is there a script of sh, which calls
 * `foretime run` and leaves the run as a store of its own, which is taken in once. A killed process leaves
 * these files: the next one with the same folder takes in what has ended meanwhile, and waits for what the
 * executor still has. Runs without a result are made again, and refused when that goes on.
 */
#ifndef FT_REMOTE_DOOR_H
#define FT_REMOTE_DOOR_H

#include "foretime/sweep.h"

struct ft_remote_options {
	const char *executor;               /* who carries the runs: "slurm", "parallel" or "mpiexec" */
	const char *partition, *constraint; /* slurm: whose nodes, and a feature that they have; NULL: the
					       default one, any */
	const char *hosts;    /* parallel, mpiexec: path of a file, a host a line: "h", "4/h" or "h:4" where 4
				 runs are made at once, ":" for this machine; NULL: this machine alone */
	const char *folder;   /* that all machines see under this path; NULL: next to the store */
	bool each_kind;       /* a sweep for each kind of machine; else there must be one kind only */
	const char *foretime; /* the path of the command foretime on each machine */
	const char *const *launch; /* options of `foretime run` for each run; ends with NULL; NULL: none */
	/* Of each sweep. at_once 0: as many as nodes are idle when it begins, or as the hosts take; elsewhere
	 * is set. interrupt and progress (of all sweeps in sum) are those of ft_remote_run */
	struct ft_sweep_options sweep;
	void (*note)(void *ctx, const char *text); /* worth knowing, and no failure; ctx is that of progress;
						      NULL: no listener */
};

/* ft_remote_check - whether the options of carrying fit together; opens and asks nothing. FT_OK; FT_EINVAL,
 * in words of the command's options. */
enum ft_status ft_remote_check(const struct ft_remote_options *options, struct ft_err *err);

struct ft_remote;

/* ft_remote_open - make ready; no file is written and no run started yet. Runs begin in what is now the
 * folder of this process.
 *
 * out      heap, ends with ft_remote_close; NULL on failure
 * store    as of ft_sweep_new, with the program
 * options  copied; what it points to is borrowed, as all of the above, until it is closed
 *
 * Returns FT_OK; what ft_remote_check returns; FT_EINVAL: a folder whose path is too long; FT_ENOENT: the
 * folder of this process is gone; FT_ENOMEM.
 */
enum ft_status ft_remote_open(struct ft_remote **out, struct ft_store *store, struct ft_program *program,
			      const struct ft_remote_options *options, struct ft_err *err);

/* ft_remote_show - what would be handed to the executor, and the script of a run at the least sizes, as text.
 *
 * out  heap, ends with free; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: a word that the executor's files cannot express; FT_ENOMEM.
 */
enum ft_status ft_remote_show(const struct ft_remote *remote, char **out, struct ft_err *err);

/* ft_remote_run - until there is nothing more to run, or options->sweep.interrupt is set, which is no
 * failure. Waits meanwhile, for as long as the runs take. What is out when it returns early is called off;
 * what has ended by then is taken in. Once.
 *
 * Returns FT_OK; FT_EBUSY: another one uses the folder; FT_EUNAVAIL: the executor is not there, or does not
 * answer, or has no machine; FT_EINVAL: what stands in the file of hosts, machines of several kinds, a
 * program that is another one there; FT_EIO: runs are not taken, or too many brought nothing back (10 in a
 * row; 3 where none ever did); the errno of a folder that cannot be made or written, or of the file of
 * hosts; what ft_sweep_new, _step and _report return; FT_ENOMEM. Cost: between a look into the folder and the
 * next lie 2 % of the time since anything happened, 20 ms to 2 s; Slurm is queried at 10 % of it, 0.5 s to 30
 * s.
 */
enum ft_status ft_remote_run(struct ft_remote *remote, struct ft_err *err);

/* ft_remote_sweeps - how many sweeps ft_remote_run began: one a kind of machine; 0: it failed, or was
 * interrupted, before that. ft_remote_lost - how many runs brought nothing back. */
size_t ft_remote_sweeps(const struct ft_remote *remote);
size_t ft_remote_lost(const struct ft_remote *remote);

/* ft_remote_end - end the i-th sweep as ft_sweep_end does, whose report and status it gives. machine: out,
 * whose models they are; borrowed until the remote is closed */
enum ft_status ft_remote_end(struct ft_remote *remote, size_t i, const struct ft_machine **machine,
			     struct ft_sweep_report *report, struct ft_err *err);

/* ft_remote_close - the files in the folder go, and it, if it is empty then; but where something
 * failed, what explains it stays. Accepts NULL. */
void ft_remote_close(struct ft_remote *remote);

#endif
