/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - the store: SQLite database, its statements, and its errors. */
#ifndef FT_STORE_STORE_H
#define FT_STORE_STORE_H

#include "base/text.h"
#include "foretime/base.h"
#include "foretime/store.h"
#include "store/door.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * The path of the store, and the folders above it.
 */

struct ft__store_place {
	char *path; /* heap */
	bool own;   /* the usual place: its folders are the user's alone */
};

/* ft__place_find - the path that ft_store_open's argument means. FT_ENOENT: no place to be found. */
enum ft_status ft__place_find(const char *path, struct ft__store_place *out, struct ft_err *err);

/* ft__place_make - create the folders that it lies in. */
enum ft_status ft__place_make(const struct ft__store_place *place, struct ft_err *err);

/* ft__place_folder - the folder of a file, a heap string; NULL: no memory. */
char *ft__place_folder(const char *path);

/* ---- statements: their text stands in sql.c, each is prepared once a store, when it is first used ---- */

enum ft__sql {
	FT__BEGIN,
	FT__COMMIT,
	FT__ROLLBACK,
	FT__PUT_MACHINE,
	FT__GET_MACHINE,
	FT__NEXT_MACHINE,
	FT__FIND_MACHINE,
	FT__FIND_PROGRAM,
	FT__NEWEST_PROGRAM,
	FT__NEWEST_ON_DEVICE,
	FT__IS_NEWEST,
	FT__ADD_PROGRAM,
	FT__CHANGE_PROGRAM,
	FT__REMOVE_PARAMS,
	FT__ADD_PARAM,
	FT__GET_PARAMS,
	FT__PROGRAM_HAS_RUNS,
	FT__NAMES,
	FT__PROGRAM_AT,
	FT__FIND_UNBUILT,
	FT__SET_HASH,
	FT__ADD_STATED,
	FT__GET_STATED,
	FT__REMOVE_STATED,
	FT__ADD_REQUIREMENT,
	FT__GET_REQUIREMENTS,
	FT__REMOVE_REQUIREMENTS,
	FT__PUT_KNOWN,
	FT__GET_KNOWN,
	FT__REMOVE_KNOWN,
	FT__ADD_SPOOLED,
	FT__FIND_SPOOLED,
	FT__REMOVE_SPOOLED,
	FT__PUT_LAYOUT,
	FT__GET_LAYOUT,
	FT__ADD_RUN,
	FT__ADD_RUNS,
	FT__COUNT_SIZE,
	FT__ADD_SIZE,
	FT__COUNT_RUNS,
	FT__FORGET_SIZES,
	FT__FORGET_TALLY,
	FT__COUNT_SIZES_AGAIN,
	FT__COUNT_RUNS_AGAIN,
	FT__RUNS_TO_FOLD,
	FT__REMOVE_RUN,
	FT__PUT_FOLDED,
	FT__FIND_FOLDED,
	FT__GET_FOLDED,
	FT__FOLD_SIZE,
	FT__FOLD_TALLY,
	FT__GET_RUNS,
	FT__GET_RUNS_OF_MACHINE,
	FT__COUNT_RUNS_AFTER,
	FT__GET_RUN,
	FT__REMOVE_MODEL,
	FT__ADD_MODEL,
	FT__GET_MODEL,
	FT__FIND_RUNS,
	FT__FIND_RUNS_OF,
	FT__FIND_NAMES,
	FT__VERSION,
	FT__CHECK,
	FT__STATE,
	FT__COUNT_RUNS_OF_NAME,
	FT__REMOVE_NAME,
	FT__REMOVE_RUNS,
	FT__ADD_LOAD,
	FT__GET_LOAD,
	FT__TRIM_LOAD,
	FT__PUT_TRACE,
	FT__GET_TRACE,
	FT__LIST_TRACES,
	FT__SQL_N
};

/* A value bound to a statement. */
struct ft__value {
	enum { FT__INTEGER, FT__REAL, FT__TEXT, FT__BYTES } type;
	int64_t integer; /* of FT__BYTES: how many */
	double real;     /* NaN is stored as NULL, and read back from it */
	const void *bytes;
};

static inline struct ft__value ft__int(int64_t integer)
{
	return (struct ft__value){.type = FT__INTEGER, .integer = integer};
}

static inline struct ft__value ft__real(double real)
{
	return (struct ft__value){.type = FT__REAL, .real = real};
}

static inline struct ft__value ft__text(const char *text) /* NULL is stored as NULL */
{
	return (struct ft__value){.type = FT__TEXT, .bytes = text};
}

/* FT__VALUES - the two arguments `values, n` of the functions below. */
#define FT__VALUES(...)                                                                                      \
	(const struct ft__value[]){__VA_ARGS__},                                                             \
		sizeof((const struct ft__value[]){__VA_ARGS__}) / sizeof(struct ft__value)

/* Runs, by their ids: `runs` of them from `run` on. */
struct ft__added {
	int64_t program, machine, run, runs;
};

/* What runs have in common (layout.c). */
enum { FT__NUMBERS = 9, FT__HEAD = 5 };

struct ft__layout {
	int64_t id;
	enum ft_outcome outcome;
	int exit_status, signal, processors;
	bool warmup, real;
	char known[FT__NUMBERS + 1];
	char *version, *routine;
	struct ft_sample *sample; /* [n_samples], value NaN: without one */
	size_t n_samples, samples_capacity;
	size_t n_values; /* in the blob of a run */
};

struct ft_store {
	sqlite3 *db;
	char *path; /* as SQLite is given it: never one that it would take for something else than a file */
	bool outer; /* between ft_store_begin and ft_store_end */
	bool wal;
	bool moved; /* the path leads to another file by now, or to none; what is kept of it is in a spool */
	dev_t device; /* of the file that was opened; inode 0: it may go */
	ino_t inode;
	ino_t journal[2];        /* of the files of WAL next to it, as in ft__journals */
	struct ft__added *added; /* since it was opened: [n_added], of them [n_kept] committed */
	size_t n_added, n_kept, added_capacity;
	const struct ft_prior *prior;
	unsigned depth;      /* of transactions within transactions: only the outermost is one */
	sqlite3_stmt *first; /* the statement whose rows are being read, with those read for each of them */
	size_t taken, most;  /* bytes of all these rows; and how many there may be */
	sqlite3_stmt *stmt[FT__SQL_N];
	struct ft__layout *layout; /* [n_layouts] of the store that were met, the last one first */
	size_t n_layouts, layouts_capacity, last_layout;
};

/* ft__query - a statement with its places bound, ready for ft__row. Texts are borrowed until it is reset. */
enum ft_status ft__query(struct ft_store *store, enum ft__sql which, const struct ft__value *values, size_t n,
			 sqlite3_stmt **out, struct ft_err *err);

/* ft__row - the next row: FT_OK; FT_EEND past the last (err is left alone); FT_EINVAL: all that is read at
 * once, of this statement and of those within it, is more than the store's bound. The statement is reset
 * unless FT_OK. */
enum ft_status ft__row(struct ft_store *store, sqlite3_stmt *stmt, struct ft_err *err);

/* ft__take - count bytes of memory with those that are read at once; FT_EINVAL: they are too many. */
enum ft_status ft__take(struct ft_store *store, size_t bytes, struct ft_err *err);

/* ft__exec - execute a statement to its end. first: the first column of its first row; may be NULL. */
enum ft_status ft__exec(struct ft_store *store, enum ft__sql which, const struct ft__value *values, size_t n,
			int64_t *first, struct ft_err *err);

/* ft__begin, ft__end - a transaction that may write. ft__end commits when status is FT_OK, else rolls back
 * and returns it. Within another transaction neither does anything: its end must heed the status. */
enum ft_status ft__begin(struct ft_store *store, struct ft_err *err);
enum ft_status ft__end(struct ft_store *store, enum ft_status status, struct ft_err *err);

/* ft__column_text - a copy of a text column, NULL for NULL; false: no memory. */
bool ft__column_text(sqlite3_stmt *stmt, int column, char **out);
double ft__column_real(sqlite3_stmt *stmt, int column); /* NaN for NULL, and for what is not finite */

/* ft__sql_fail - the status and the sentence for a result of SQLite, with its remedy. */
enum ft_status ft__sql_fail(struct ft_store *store, int rc, struct ft_err *err);

/* ft__damaged - FT_EIO: the store holds what foretime does not write. */
enum ft_status ft__damaged(struct ft_store *store, const char *what, struct ft_err *err);

/* ---- layouts of runs ---- */

/* ft__layout_of - the layout of a run, added to the store where it has none such; valid until the next call. */
enum ft_status ft__layout_of(struct ft_store *store, const struct ft_run *run, const struct ft__layout **out,
			     struct ft_err *err);

/* ft__layout_pack - the numbers of a run. bytes: out, 8 for each of layout->n_values */
void ft__layout_pack(const struct ft__layout *layout, const struct ft_run *run, unsigned char *bytes);

/* ft__layout_unpack - fill in a run from the layout with an id and from its numbers. */
enum ft_status ft__layout_unpack(struct ft_store *store, int64_t id, const unsigned char *bytes,
				 size_t length, struct ft_run *run, struct ft_err *err);

/* ft__layouts_forget - those in memory; after a rollback, whose layouts are not in the store. */
void ft__layouts_forget(struct ft_store *store);

/* The parts of a layout as they are stored. ft__layout_put finds or adds one. ft__number_pack: one number. */
void ft__layout_head(struct ft_text *rest, const int head[FT__HEAD], const char known[FT__NUMBERS + 1]);
void ft__layout_text(struct ft_text *rest, const char *text);
void ft__layout_sample(struct ft_text *rest, const char *resource, const char *label, const char *probe,
		       bool known, const char *reason);
enum ft_status ft__layout_put(struct ft_store *store, const char *outcome, const struct ft_text *rest,
			      int64_t *id, struct ft_err *err);
void ft__number_pack(unsigned char bytes[8], double value);

/* ft__each_run - each run of a statement with the columns of FT__GET_RUNS, one at a time. */
enum ft_status ft__each_run(struct ft_store *store, enum ft__sql runs_of, const struct ft__value *values,
			    size_t n,
			    enum ft_status (*each)(struct ft_store *store, void *ctx,
						   const struct ft_run *run, struct ft_err *err),
			    void *ctx, struct ft_err *err);

/* ft__recount - count the runs of a program on a machine again, after some were removed. */
enum ft_status ft__recount(struct ft_store *store, int64_t program, int64_t machine, struct ft_err *err);

/* ---- opening ---- */

/* "FoTi": what makes an SQLite file a store (PRAGMA application_id); its schema's version is PRAGMA
 * user_version. */
enum { FT__APPLICATION_ID = 0x466f5469 };

/* A step of the schema: the i-th of the table (from 0) brings a store from version i to i + 1, in one
 * transaction and with foreign keys not enforced until its end. */
struct ft__migration {
	const char *about;
	const char *sql;
};

/* Options of opening: tests have their own. */
struct ft__opening {
	const struct ft__migration *step;
	size_t n_steps;
	int busy_ms;
	bool network;  /* as though the file system were one */
	bool is_spool; /* it waits to be taken into another one, and takes nothing in itself */
	size_t most;   /* of struct ft_store */
};

extern const struct ft__opening ft__opening;

enum ft_status ft__store_open(struct ft_store **out, const char *path, unsigned flags,
			      const struct ft__opening *opening, struct ft_err *err);

/* ft__journals - the suffixes of the files of WAL. ft__inode_of - of one of them; 0: none. */
extern const char *const ft__journals[2];
ino_t ft__inode_of(const struct ft_store *store, const char *suffix);

/* ft__has_moved - whether its path leads to another file than the one that is open, or to none. */
bool ft__has_moved(const struct ft_store *store);

/* ft__pragma - execute a pragma; value: its first column as an integer, 0 when there is no row; may be NULL.
 * Returns SQLite's result code. */
int ft__pragma(struct ft_store *store, const char *sql, int64_t *value);

/* ft__check_version - FT_EVERSION: a newer foretime wrote the store; FT_EIO: none did. */
enum ft_status ft__check_version(struct ft_store *store, const struct ft__opening *opening, int64_t version,
				 struct ft_err *err);
enum ft_status ft__migrate(struct ft_store *store, const struct ft__opening *opening, struct ft_err *err);

/* ft__is_network - whether a file system (statfs f_type) is one on which shared memory cannot be trusted. */
bool ft__is_network(long type);

/* ---- lists ---- */

void ft__entry_clear(struct ft_store_entry *entry);

/* ---- texts ---- */

/* ft__name_check - FT_EINVAL unless a program may have that name. */
enum ft_status ft__name_check(const char *name, struct ft_err *err);

/* ft__name_unknown - FT_ENOENT, with the nearest name that there is as the remedy. */
enum ft_status ft__name_unknown(struct ft_store *store, const char *name, struct ft_err *err);

/* A size as "512 100"; equal sizes have equal texts, to the last digit. FT_EINVAL: a value that is not
 * finite. */
enum ft_status ft__size_text(const struct ft_size *size, char **out, struct ft_err *err);
enum ft_status ft__size_parse(struct ft_store *store, const char *text, struct ft_size *out,
			      struct ft_err *err);

/*
 * Runs that the store could not take: kept in small stores next to it, and taken in later.
 */

/* ft__spool_take - take in what waits for a store that is open for writing. What cannot be taken in now is
 * left for another time. */
void ft__spool_take(struct ft_store *store);

/* ft__spool_moved - FT_EMOVED, for a store whose file was removed or replaced while it was open: runs
 * added to it meanwhile are put into a spool for the path; the text has the place. */
enum ft_status ft__spool_moved(struct ft_store *store, struct ft_err *err);

#endif
