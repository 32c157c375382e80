/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot.h - what is known of a program, as it was at a moment: models that are asked by the serving thread
 * alone, and made anew by the worker when the program's runs are others. A request waits where nobody asked
 * about them before, or since they became others. */
#ifndef FT_MANAGER_SNAPSHOT_H
#define FT_MANAGER_SNAPSHOT_H

#include "foretime/ask.h"
#include "manager/worker.h"

#include <stdbool.h>

struct ft__snapshots;

enum { FT__SNAPSHOTS_MOST = 128 }; /* the one that was not asked for longest goes first */

struct ft__snapshot {
	struct ft_answerer *answerer; /* NULL: there is none, as err says */
	struct ft_err err;
	bool passing;    /* err is of this moment: the next question has it tried again */
	size_t slot;     /* < FT__SNAPSHOTS_MOST: of its subject, while it is kept */
	uint64_t number; /* another one for each snapshot that was ever made */
};

/* Of which models: a program's, of a device of it (NULL: its only one), on a machine (fingerprint or host
 * name; NULL: as ft_ask_open chooses), under a load (idle or usual). */
struct ft__subject {
	const char *name, *device, *machine;
	enum ft_load_view load;
	bool slow; /* the worker alone asks it */
};

/* ft__snapshots_new - ready: called when one was made for the first time. */
enum ft_status ft__snapshots_new(struct ft__snapshots **out, const struct ft__store_at *at,
				 struct ft__worker *worker, void (*ready)(void *ctx), void *ctx,
				 struct ft_err *err);
void ft__snapshots_free(struct ft__snapshots *snapshots); /* after the worker; accepts NULL */

/* ft__snapshots_get - the newest; NULL: it is being made, or cannot be now (refused): there is no memory, or
 * as many as are held are just being made. Borrowed until the loop waits. */
const struct ft__snapshot *ft__snapshots_get(struct ft__snapshots *snapshots,
					     const struct ft__subject *subject, bool *refused);

/* ft__snapshot_keep - for one more, until ft__snapshot_free; both by the serving thread. */
void ft__snapshot_keep(const struct ft__snapshot *snapshot);
void ft__snapshot_free(const struct ft__snapshot *snapshot);

/* ft__snapshots_newest - whether there is none newer than that of a slot and number. */
bool ft__snapshots_newest(struct ft__snapshots *snapshots, size_t slot, uint64_t number);

void ft__snapshots_check(struct ft__snapshots *snapshots); /* the store was changed */

/* ft__snapshots_asked - how often a program was asked about, while its models are held; also by answers that
 * were kept. */
uint64_t ft__snapshots_asked(const struct ft__snapshots *snapshots, const char *name);
size_t ft__snapshots_count(const struct ft__snapshots *snapshots, unsigned long *made);

#endif
