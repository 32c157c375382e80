/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.h - the folder that all machines see: what tasks are handed over in, and what they leave.
 *
 * Of a task ID: ID.sh, its script; ID.plan, for who carries it; ID.out, what it said; ID.db, its run, a store
 * of its own, and then ID.end, how it ended. Of a kind of machine WORD: WORD.kind.db. */
#ifndef FT_REMOTE_FOLDER_H
#define FT_REMOTE_FOLDER_H

#include "foretime/status.h"

#include <limits.h>
#include <stdbool.h>

enum { FT__ID = 64 };

struct ft__folder {
	char *path; /* so short that there is room for names in PATH_MAX */
	int lock;   /* -1: it is not open */
	bool usual; /* made here, beside the store */
};

/* Ids of tasks. Zero-initialise; id ends with ft_free. */
struct ft__ids {
	char (*id)[FT__ID]; /* [n] */
	size_t n, capacity;
};

/* ft__folder_choose - which folder it is: that which is asked for, or STORE.via/WORD, drawn from the
 * program's name. Nothing is made. Ends with ft__folder_close, also on failure. FT_OK; FT_EINVAL: its path is
 * too long; as the store's path is not there; FT_ENOMEM. */
enum ft_status ft__folder_choose(struct ft__folder *folder, const char *asked, const char *store,
				 const char *program, struct ft_err *err);

/* ft__folder_open - made where it is not there, and locked. FT_OK; FT_EBUSY: another one has it; as it cannot
 * be made; FT_ENOMEM. */
enum ft_status ft__folder_open(struct ft__folder *folder, const char *program, struct ft_err *err);

/* ft__folder_close - it goes when nothing is left in it. */
void ft__folder_close(struct ft__folder *folder);

/* ft__folder_path - FOLDER/ID.ENDING; ending NULL: FOLDER/ID. Returns path. */
char *ft__folder_path(const struct ft__folder *folder, const char *id, const char *ending,
		      char path[PATH_MAX]);

/* ft__folder_write - a file of a text. FT_OK; why it cannot be written. */
enum ft_status ft__folder_write(const struct ft__folder *folder, const char *id, const char *ending,
				const char *text, struct ft_err *err);

/* ft__folder_list - the tasks that have a file with that ending, in no order. FT_OK; FT_ENOMEM. */
enum ft_status ft__folder_list(const struct ft__folder *folder, const char *ending, struct ft__ids *ids,
			       struct ft_err *err);

/* ft__folder_result - how a task's command ended (ID.end), as its exit status; -1: it did not tell. */
int ft__folder_result(const struct ft__folder *folder, const char *id);

/* ft__folder_last_words - the last line of ID.out that is no hint; "" where there is none. */
void ft__folder_last_words(const struct ft__folder *folder, const char *id, char *text, size_t size);

/* ft__folder_drop - all files of a task. ft__folder_clean - those of all tasks and kinds: who has ended wants
 * nothing of what those who were killed have left. */
void ft__folder_drop(const struct ft__folder *folder, const char *id);
void ft__folder_clean(const struct ft__folder *folder);

#endif
