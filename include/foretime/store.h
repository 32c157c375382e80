/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - where machines, programs, runs, samples and models are kept: one SQLite file.
 *
 * A run is committed the moment it is added; a process that is killed loses nothing that was added before.
 * Where the file is removed or replaced while it is open, what writes next returns FT_EMOVED, once the runs
 * that were added since it was opened are in a spool.
 * Several processes may use a store at once: writers wait up to 10 seconds for each other. An open store
 * belongs to one thread at a time.
 *
 * The name of a program is UTF-8 text of 1 to 200 bytes without control characters that does not begin with
 * '-'; a '/' stands between a program and its routine. Names are not case-folded.
 */
#ifndef FORETIME_STORE_H
#define FORETIME_STORE_H

#include "foretime/facts.h"
#include "foretime/model.h"

FT_BEGIN_DECLS

struct ft_store;

/* How a store is opened. */
enum ft_store_flags {
	/* Do not create it, do not write: writing returns FT_EACCESS. */
	FT_STORE_READ = 1,
	/* Rollback journal even on a local file system (as is always done on network ones). FT_EBUSY while
	 * another process has the store open with WAL. */
	FT_STORE_ROLLBACK = 2,
	/* Wait for other writers for 0.2 seconds instead of 10, leave what waits in a spool to other processes,
	 * and the journal too until it is long: for who opens the store while something else runs. */
	FT_STORE_HASTY = 4,
	/* Not where a link leads: for who has more rights than the owner of the folder. FT_EACCESS where
	 * the path has one, also among its folders. */
	FT_STORE_NO_LINKS = 8,
	/* To read and write, but do not create it: FT_ENOENT as with FT_STORE_READ. */
	FT_STORE_EXISTING = 16,
};

/* ft_store_open - open a store, creating or migrating it.
 *
 * path  a file; NULL: $FORETIME_STORE, else $XDG_DATA_HOME/foretime/store.db, else
 *       ~/.local/share/foretime/store.db. Folders are created
 * flags of enum ft_store_flags, joined by |; 0: to read and write
 * out   heap, ends with ft_store_close; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: an empty path; FT_ENOTOURS: a file that is no store (nothing is changed in it);
 * FT_EVERSION: made by a newer foretime; FT_ENOENT: none there yet or an empty one (with FT_STORE_READ or
 * FT_STORE_EXISTING), or
 * no place to be found; FT_EACCESS, also for one of an older schema with FT_STORE_READ; FT_EBUSY: locked for
 * longer than 10 seconds; FT_EUNAVAIL: its file system has no locks; FT_ENOSPC; FT_EIO, also for a damaged
 * file; FT_ENOMEM. Each but the last with a remedy. Every function below also returns FT_EACCESS, FT_EBUSY
 * and the last three, and those that write FT_EMOVED.
 */
enum ft_status ft_store_open(struct ft_store **out, const char *path, unsigned flags, struct ft_err *err);
void ft_store_close(struct ft_store *store); /* accepts NULL */

/* ft_store_begin, ft_store_end - make one transaction of all that is put and added between them: it is kept
 * when ft_store_end is given FT_OK, else nothing of it is. Not nested; other writers wait meanwhile.
 *
 * status  FT_OK, or the first failure in between: it is returned, and err left as it is
 *
 * Ids that were set in between are not valid when it was not kept.
 */
enum ft_status ft_store_begin(struct ft_store *store, struct ft_err *err);
enum ft_status ft_store_end(struct ft_store *store, enum ft_status status, struct ft_err *err);

/* ft_store_put_machine - find the machine by its fingerprint, or add it; sets machine->id. The facts that may
 * change are brought up to date (host, system, governor where they are known; hypervisor, scheduler), and
 * those that were not known are filled in. FT_EINVAL: no fingerprint. */
enum ft_status ft_store_put_machine(struct ft_store *store, struct ft_machine *machine, struct ft_err *err);

/* ft_store_get_machine - by its id. out: ends with ft_machine_clear; FT_ENOENT: there is none. */
enum ft_status ft_store_get_machine(struct ft_store *store, int64_t id, struct ft_machine *out,
				    struct ft_err *err);

/* ft_store_find_machine - the id of the machine with a fingerprint; FT_ENOENT: the store knows none. */
enum ft_status ft_store_find_machine(struct ft_store *store, const char *fingerprint, int64_t *id,
				     struct ft_err *err);

/* ft_store_put_program - find the program by name, device and hash, or add it; sets program->id, and nothing
 * else in it.
 *
 * The stored command, work, method and parameters become those given (argv, work or method NULL: they are
 * kept; ranges of parameters: the union, 0:0 being none). The program put last is the newest of its name and
 * device.
 *
 * A program without a version (hash "", no command) that is the newest of its name becomes the first one that
 * is put under that name: what an expert stated is about it, and so are runs that were imported without a
 * version, unless they have other parameters.
 *
 * Returns FT_OK; FT_EINVAL: what cannot be a name, a range that is not finite; FT_EEXIST: it has runs with
 * other parameters, or with these in another order (sizes are stored by position).
 */
enum ft_status ft_store_put_program(struct ft_store *store, struct ft_program *program, struct ft_err *err);

/* ft_store_get_program - the newest program of that name (a rebuilt program is a new one), of any
 * device.
 *
 * out  the caller's, ends with ft_program_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOENT: none of that name (the remedy names the nearest one that there is).
 */
enum ft_status ft_store_get_program(struct ft_store *store, const char *name, struct ft_program *out,
				    struct ft_err *err);

/* ft_store_add_run - add a run and its samples, committed on return; sets run->id (0 on failure).
 *
 * Returns FT_OK; FT_EINVAL: a size that is not finite; FT_ENOENT: no such program or machine (any more).
 * Cost: one transaction, some 60 us for 12 samples under WAL; three fsyncs under the rollback journal.
 */
enum ft_status ft_store_add_run(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
				struct ft_err *err);

/* ft_store_add_runs - all of them or, on failure, none. */
enum ft_status ft_store_add_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err);

/* ft_store_get_runs - the runs of a program on a machine (0: on every machine), in the order in which they
 * were added; appended to runs, which is as it was on failure. An empty result is no failure. FT_EINVAL: all
 * of them would take more than 1 GiB; the same holds for all reads of a store at once. */
enum ft_status ft_store_get_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err);

/* A line of the list of what there is: a program (of one hash) on a machine; one without runs has a line with
 * machine 0. */
struct ft_store_entry {
	int64_t program, machine;
	char *name, *hash;
	char *device;        /* NULL: none */
	char *machine_name;  /* its host name, else its fingerprint; NULL: no machine */
	size_t runs, failed; /* all runs that are kept singly; those of them that did not end well */
	size_t folded;       /* earlier runs, of which only sums and quantiles are (ft_store_fold_runs) */
	size_t sizes;        /* different ones, of all runs */
	int64_t first_ns, last_ns; /* wall clock of the oldest and the newest run; 0: not known */
	bool current;              /* the newest program of that name and device */
	bool here;                 /* for who asks to set: it is the machine that he asks from */
};

struct ft_store_list {
	struct ft_store_entry *entry;
	size_t n, capacity;
	size_t found; /* of a part of the list: how many names there are in all; 0: these are all */
};

/* ft_store_get_list - everything, by name, newest program first; name NULL: all names. Nothing there is an
 * empty list. Ends with ft_store_list_clear. What was counted of very many runs is kept in the store, where
 * that may be written: it is counted again when runs came or went. */
enum ft_status ft_store_get_list(struct ft_store *store, const char *name, struct ft_store_list *out,
				 struct ft_err *err);
void ft_store_list_clear(struct ft_store_list *list);

/* ft_store_remove - every program of that name with its runs and models, its routines (NAME/...) too.
 *
 * removed  how many runs went; may be NULL
 *
 * Returns FT_OK; FT_ENOENT: there is none.
 */
enum ft_status ft_store_remove(struct ft_store *store, const char *name, size_t *removed, struct ft_err *err);

/* ft_store_remove_runs - the runs of programs of that very name on a machine that began within two moments,
 * both included; one of an unknown time began at 0. An empty result is no failure.
 *
 * removed  how many went
 */
enum ft_status ft_store_remove_runs(struct ft_store *store, const char *name, int64_t machine,
				    int64_t from_ns, int64_t to_ns, size_t *removed, struct ft_err *err);

FT_END_DECLS

#endif
