/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of store beyond its interface. */
#ifndef FT_STORE_DOOR_H
#define FT_STORE_DOOR_H

#include "facts/door.h"
#include "foretime/facts.h"
#include "foretime/model.h"
#include "foretime/store.h"

/* ft_store_lean - before the first store is opened, in a process in which nobody else uses SQLite: it then does not
 * count the memory that it takes, for which it would take a lock at each allocation. */
void ft_store_lean(void);

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

/* ft_store_next_machine - the machine whose id comes next after one (0: the first): all of them, one by one.
 * FT_EEND: there are no more. */
enum ft_status ft_store_next_machine(struct ft_store *store, int64_t after, struct ft_machine *out,
				     struct ft_err *err);

/* ft_store_newest_machine - of those that are called so (ft_machine_is_called) the one that came last: a host
 * in which more was built is another machine. FT_ENOENT: there is none. */
enum ft_status ft_store_newest_machine(struct ft_store *store, const char *name, struct ft_machine *out,
				       struct ft_err *err);

/* ft_store_put_known, ft_store_get_known - what was found out and takes time to find out again, as a text
 * under a key that changes whenever it might be another: the machine of a boot, the hash of an executable.
 *
 * value  put: NULL: it is forgotten. get: heap, ends with free; FT_ENOENT: nothing is known under that key
 */
enum ft_status ft_store_put_known(struct ft_store *store, const char *key, const char *value,
				  struct ft_err *err);
enum ft_status ft_store_get_known(struct ft_store *store, const char *key, char **value, struct ft_err *err);

/* ft_store_get_program_on - ft_store_get_program, of one device. device NULL: of no device. */
enum ft_status ft_store_get_program_on(struct ft_store *store, const char *name, const char *device,
				       struct ft_program *out, struct ft_err *err);

/* ft_store_get_program_at - a program by its id. FT_ENOENT: there is none. */
enum ft_status ft_store_get_program_at(struct ft_store *store, int64_t id, struct ft_program *out,
				       struct ft_err *err);

/* ft_store_put_knowledge - what an expert states of the programs of a name, in place of what was stated
 * before. FT_EINVAL: what cannot be a name. */
enum ft_status ft_store_put_knowledge(struct ft_store *store, const char *name,
				      const struct ft_knowledge *knowledge, struct ft_err *err);

/* ft_store_get_knowledge - the same; nothing stated is no failure. Ends with ft_knowledge_clear. */
enum ft_status ft_store_get_knowledge(struct ft_store *store, const char *name, struct ft_knowledge *out,
				      struct ft_err *err);

/* ft_store_keep_run - a run that was made of a program; of one of its routines (run->routine): of the program
 * NAME/ROUTINE, which is put where the store has none. Returns as ft_store_put_program and ft_store_add_run.
 */
enum ft_status ft_store_keep_run(struct ft_store *store, const struct ft_program *program, int64_t machine,
				 struct ft_run *run, struct ft_err *err);

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

/* ft_store_list_traced - keep the entries with runs whose trace is stored. */
void ft_store_list_traced(struct ft_store *store, struct ft_store_list *list);

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

/* What part of it. NULL, 0: any. */
struct ft_store_part {
	const char *after;  /* names behind this one */
	const char *search; /* that have this in them, letters of either case (ASCII) */
	const char *except; /* that do not begin so */
	size_t most;        /* all lines of this many names */
};

/* ft_store_get_part - a part of what ft_store_get_list lists. Names alone are looked at of what is left out: of 10^5 some
 * hundredths of a second (doc/page.md). */
enum ft_status ft_store_get_part(struct ft_store *store, const struct ft_store_part *part,
				 struct ft_store_list *out, struct ft_err *err);

/* ft_store_find_runs - ft_store_get_list, but of the runs only their number. Cost: as many entries of
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

#endif
