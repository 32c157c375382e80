/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - where machines, programs, runs, samples and models are kept: one SQLite file.
 *
 * A run is committed the moment it is added; a process that is killed loses nothing that was added before.
 * Where the file is removed or replaced while it is open, what writes next returns FT_EMOVED, once the runs
 * that were added since it was opened are in a spool (ft_store_open_spool).
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

enum ft_store_flags {
	/* Do not create it, do not write: writing returns FT_EACCESS. */
	FT_STORE_READ = 1,
	/* Rollback journal even on a local file system (as is always done on network ones). FT_EBUSY while
	 * another process has the store open with WAL. */
	FT_STORE_ROLLBACK = 2,
	/* Wait for other writers for 0.2 seconds instead of 10, leave what waits in a spool to other
	 * processes, and the journal too until it is long: for who opens the store while something else runs.
	 */
	FT_STORE_HASTY = 4,
	/* Not where a link leads: for who has more rights than the owner of the folder. FT_EACCESS where
	 * the path has one, also among its folders. */
	FT_STORE_NO_LINKS = 8,
};

/* ft_store_open - open a store, creating or migrating it.
 *
 * path  a file; NULL: $FORETIME_STORE, else $XDG_DATA_HOME/foretime/store.db, else
 *       ~/.local/share/foretime/store.db. Folders are created
 * out   heap, ends with ft_store_close; NULL on failure
 *
 * Returns FT_OK; FT_EINVAL: an empty path; FT_ENOTOURS: a file that is no store (nothing is changed in it);
 * FT_EVERSION: made by a newer foretime; FT_ENOENT: none there yet or an empty one (with FT_STORE_READ), or
 * no place to be found; FT_EACCESS, also for one of an older schema with FT_STORE_READ; FT_EBUSY: locked for
 * longer than 10 seconds; FT_EUNAVAIL: its file system has no locks; FT_ENOSPC; FT_EIO, also for a damaged
 * file; FT_ENOMEM. Each but the last with a remedy. Every function below also returns FT_EACCESS, FT_EBUSY
 * and the last three, and those that write FT_EMOVED.
 */
enum ft_status ft_store_open(struct ft_store **out, const char *path, unsigned flags, struct ft_err *err);
void ft_store_close(struct ft_store *store); /* accepts NULL */

/* ft_store_rest - who keeps it open, and asks nothing for a while, need not hold what reading takes: pages of
 * the file and prepared questions, some 200 KB. They come back with the next one. */
void ft_store_rest(struct ft_store *store);

/* ft_store_open_spool - a small store for what the store at `path` cannot take now (it is locked, its disk is
 * full): next to it, or in the folder for temporary files. The next process that opens the store for writing
 * takes it in. It is used like any other, and ends with ft_store_close_spool.
 *
 * Returns as ft_store_open does. */
enum ft_status ft_store_open_spool(struct ft_store **out, const char *path, struct ft_err *err);

/* ft_store_close_spool - close it, and leave it to be taken in (keep) or remove it. FT_EIO and the like: it
 * is removed, for it cannot be kept. */
enum ft_status ft_store_close_spool(struct ft_store *spool, bool keep, struct ft_err *err);

/* ft_store_check - whether the file is whole, as far as SQLite can check without its indexes (PRAGMA
 * quick_check). FT_EIO: it is damaged. Cost: all of it is read. */
enum ft_status ft_store_check(struct ft_store *store, struct ft_err *err);

/* ft_store_has_spool - whether something may wait for an open store: to be taken in, it is opened for
 * writing. */
bool ft_store_has_spool(const struct ft_store *store);

/* ft_store_set_prior - of the models that it gives out, and of those that are made of its runs: models that
 * were kept with another prior count as missing. Borrowed; NULL, as at first: the built-in one. */
void ft_store_set_prior(struct ft_store *store, const struct ft_prior *prior);
const struct ft_prior *ft_store_prior(const struct ft_store *store); /* accepts NULL */

const char *ft_store_path(const struct ft_store *store);
const char *ft_store_journal(const struct ft_store *store); /* "wal" or "delete" */

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
enum ft_status ft_store_get_machine(struct ft_store *store, int64_t id, struct ft_machine *out,
				    struct ft_err *err);

/* ft_store_next_machine - the machine whose id comes next after one (0: the first): all of them, one by one.
 * FT_EEND: there are no more. */
enum ft_status ft_store_next_machine(struct ft_store *store, int64_t after, struct ft_machine *out,
				     struct ft_err *err);

/* ft_store_newest_machine - of those that are called so (ft_machine_is_called) the one that came last: a host
 * in which more was built is another machine. FT_ENOENT: there is none. */
enum ft_status ft_store_newest_machine(struct ft_store *store, const char *name, struct ft_machine *out,
				       struct ft_err *err);

/* ft_store_find_machine - the id of the machine with a fingerprint; FT_ENOENT: the store knows none. */
enum ft_status ft_store_find_machine(struct ft_store *store, const char *fingerprint, int64_t *id,
				     struct ft_err *err);

/* ft_store_put_known, ft_store_get_known - what was found out and takes time to find out again, as a text
 * under a key that changes whenever it might be another: the machine of a boot, the hash of an executable.
 *
 * value  put: NULL: it is forgotten. get: heap, ends with free; FT_ENOENT: nothing is known under that key
 */
enum ft_status ft_store_put_known(struct ft_store *store, const char *key, const char *value,
				  struct ft_err *err);
enum ft_status ft_store_get_known(struct ft_store *store, const char *key, char **value, struct ft_err *err);

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

/* ft_store_get_program_on - the same, of one device. device NULL: of no device. */
enum ft_status ft_store_get_program_on(struct ft_store *store, const char *name, const char *device,
				       struct ft_program *out, struct ft_err *err);

/* ft_store_get_program_at - the same by its id. FT_ENOENT: there is none. */
enum ft_status ft_store_get_program_at(struct ft_store *store, int64_t id, struct ft_program *out,
				       struct ft_err *err);

/* ft_store_put_knowledge - what an expert states of the programs of a name, in place of what was stated
 * before. FT_EINVAL: what cannot be a name. */
enum ft_status ft_store_put_knowledge(struct ft_store *store, const char *name,
				      const struct ft_knowledge *knowledge, struct ft_err *err);

/* ft_store_get_knowledge - the same; nothing stated is no failure. Ends with ft_knowledge_clear. */
enum ft_status ft_store_get_knowledge(struct ft_store *store, const char *name, struct ft_knowledge *out,
				      struct ft_err *err);

/* ft_store_add_run - add a run and its samples, committed on return; sets run->id (0 on failure).
 *
 * Returns FT_OK; FT_EINVAL: a size that is not finite; FT_ENOENT: no such program or machine (any more).
 * Cost: one transaction, some 60 us for 12 samples under WAL; three fsyncs under the rollback journal.
 */
enum ft_status ft_store_add_run(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
				struct ft_err *err);

/* ft_store_keep_run - a run that was made of a program; of one of its routines (run->routine): of the program
 * NAME/ROUTINE, which is put where the store has none. Returns as ft_store_put_program and ft_store_add_run.
 */
enum ft_status ft_store_keep_run(struct ft_store *store, const struct ft_program *program, int64_t machine,
				 struct ft_run *run, struct ft_err *err);

/* ft_store_add_runs - all of them or, on failure, none. */
enum ft_status ft_store_add_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err);

/* ft_store_get_runs - the runs of a program on a machine (0: on every machine), in the order in which they
 * were added; appended to runs, which is as it was on failure. An empty result is no failure. FT_EINVAL: all
 * of them would take more than 1 GiB; the same holds for all reads of a store at once. */
enum ft_status ft_store_get_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err);

/* ft_store_get_run - one by its id; appended to runs. FT_ENOENT: there is none. */
enum ft_status ft_store_get_run(struct ft_store *store, int64_t id, struct ft_runs *runs, struct ft_err *err);

/* ft_store_put_trace - keep the trace of a run, a text as foretime run --trace writes it, with the run: it
 * goes when the run does. FT_EINVAL: longer than 64 MiB; FT_ENOENT: there is no such run. */
enum ft_status ft_store_put_trace(struct ft_store *store, int64_t run, const char *csv, size_t length,
				  struct ft_err *err);

/* ft_store_get_trace - csv: heap, ends with free, and a zero byte behind it. FT_ENOENT: that run has none.
 */
enum ft_status ft_store_get_trace(struct ft_store *store, int64_t run, char **csv, size_t *length,
				  struct ft_err *err);

struct ft_store_trace {
	int64_t run, started_ns;
	struct ft_size size;
	size_t rows;
};

/* ft_store_get_traces - which runs of a program on a machine (0: any) have one, the newest first. out: [most]
 */
enum ft_status ft_store_get_traces(struct ft_store *store, int64_t program, int64_t machine,
				   struct ft_store_trace *out, size_t most, size_t *n, struct ft_err *err);

/* ft_store_count_runs - how many runs of a program on a machine were added after the one with an id (0: all
 * of them). Cost: some microseconds, and as many entries of an index are read. */
enum ft_status ft_store_count_runs(struct ft_store *store, int64_t program, int64_t machine, int64_t after,
				   size_t *n, struct ft_err *err);

/* What is kept with a model: how it came to be. */
struct ft_model_record {
	const struct ft_resource *resource;
	char method[FT_RESOURCE_LENGTH]; /* the builder; "" when fitted to runs from elsewhere */
	enum ft_stop stop;
	struct ft_size fixed; /* the values of all parameters; those that vary are 0 */
	int64_t made_ns;      /* wall clock, since 1970 */
	int64_t last_run;     /* the newest run in it: a model with older runs than the store is stale */
	struct ft_model *model;
};

void ft_model_record_clear(struct ft_model_record *record);

/* ft_store_put_model - keep a model; replaces the one of the same program, machine, resource and fixed
 * parameters. Returns as ft_store_add_run. */
enum ft_status ft_store_put_model(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_model_record *record, struct ft_err *err);

/* ft_store_get_model - FT_ENOENT: there is none. `fixed` as in the record. */
enum ft_status ft_store_get_model(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_resource *resource, const struct ft_size *fixed,
				  struct ft_model_record *out, struct ft_err *err);

/* ft_store_add_load - add an observation of the background load, committed on return. FT_EINVAL: not finite,
 * or an interval of no length; FT_ENOENT: no such machine. */
enum ft_status ft_store_add_load(struct ft_store *store, int64_t machine, const struct ft_load *load,
				 struct ft_err *err);

/* ft_store_get_load - the observations on a machine that began at since_ns or later, oldest first; appended
 * to loads. */
enum ft_status ft_store_get_load(struct ft_store *store, int64_t machine, int64_t since_ns,
				 struct ft_loads *loads, struct ft_err *err);

/* What became of observations of another monitor. */
struct ft_loads_taken {
	size_t taken, known, old; /* known: they began when one in the store did */
	double seconds;           /* of those taken */
};

/* ft_store_take_loads - add those observations that began at since_ns or later and are not there yet; all or
 * none of them.
 *
 * loads  in the order of time
 *
 * Returns what ft_store_get_load and ft_store_add_load return.
 */
enum ft_status ft_store_take_loads(struct ft_store *store, int64_t machine, const struct ft_loads *loads,
				   int64_t since_ns, struct ft_loads_taken *out, struct ft_err *err);

/* ft_store_trim_load - remove the observations on a machine that began before before_ns. */
enum ft_status ft_store_trim_load(struct ft_store *store, int64_t machine, int64_t before_ns,
				  struct ft_err *err);

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
	size_t found; /* of a part: how many names there would be; 0: these are all */
};

/* ft_store_get_list - everything, by name, newest program first; name NULL: all names. Nothing there is an
 * empty list. Ends with ft_store_list_clear. What was counted of very many runs is kept in the store, where
 * that may be written: it is counted again when runs came or went. */
enum ft_status ft_store_get_list(struct ft_store *store, const char *name, struct ft_store_list *out,
				 struct ft_err *err);
void ft_store_list_clear(struct ft_store_list *list);

/* What part of it. NULL, 0: any. */
struct ft_store_part {
	const char *after;  /* names behind this one */
	const char *search; /* that have this in them, letters of either case (ASCII) */
	const char *except; /* that do not begin so */
	size_t most;        /* all lines of this many names */
};

/* ft_store_get_part - the same of a part of it. Names alone are looked at of what is left out: of 10^5 some
 * hundredths of a second (doc/page.md). */
enum ft_status ft_store_get_part(struct ft_store *store, const struct ft_store_part *part,
				 struct ft_store_list *out, struct ft_err *err);

/* ft_store_find_runs - the same, but only the number of runs is returned. Cost: as many entries of
 * an index are read. */
enum ft_status ft_store_find_runs(struct ft_store *store, const char *name, struct ft_store_list *out,
				  struct ft_err *err);

/* ft_store_list_pick - keep the entries of one device, of the list of one name. device NULL: of the only one
 * that has runs; "", "(none)": of runs without one.
 *
 * Returns FT_OK; FT_EINVAL: several have (the text names them); FT_ENOENT: there is no such device (the
 * remedy names the nearest). */
enum ft_status ft_store_list_pick(struct ft_store_list *list, const char *name, const char *device,
				  struct ft_err *err);

/* ft_store_list_version - keep the entries of one executable, of the list of one name, as though it were the
 * newest. hash: a prefix that distinguishes it from the others; "": of runs without one. FT_ENOENT: there is
 * none, or there are several. */
enum ft_status ft_store_list_version(struct ft_store_list *list, const char *name, const char *hash,
				     struct ft_err *err);

/* ft_store_version - a number that changes when another process, or another open store, changed anything in
 * it; not by what this one does. Cost: some microseconds. */
enum ft_status ft_store_version(struct ft_store *store, int64_t *version, struct ft_err *err);

/* ft_store_get_state - a text that is another one after runs, versions or knowledge of a name were added or
 * removed: what was made of them is then stale. Ends with free. FT_ENOENT: there is no program of that name.
 * Cost: its runs are counted. */
enum ft_status ft_store_get_state(struct ft_store *store, const char *name, char **state, struct ft_err *err);

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

/* ft_store_fold_runs - thin the runs of all programs of a name: of each size on each machine the newest `keep` that ended
 * well stay, and of the others only the sums and quantiles by size and resource (ft_run_idle_value). Runs that failed,
 * warm-ups and runs with a trace stay.
 *
 * folded  how many runs became sums; may be NULL
 *
 * Returns FT_OK; FT_ENOENT: there is no such program; FT_EINVAL: keep 0. All or nothing.
 */
enum ft_status ft_store_fold_runs(struct ft_store *store, const char *name, size_t keep, size_t *folded,
				  struct ft_err *err);

/* What is left of runs of a size. */
struct ft_folded {
	struct ft_size size;
	struct ft_sketch sketch;
};

/* ft_store_get_folded - by size, of a resource. out: [n] heap, ends with free; NULL: there is none. */
enum ft_status ft_store_get_folded(struct ft_store *store, int64_t program, int64_t machine,
				   const struct ft_resource *resource, struct ft_folded **out, size_t *n,
				   struct ft_err *err);

FT_END_DECLS
#endif
