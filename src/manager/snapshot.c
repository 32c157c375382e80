/* SPDX-License-Identifier: GPL-3.0-or-later */
/* snapshot.c - what is known of a program, as it was at a moment. */
#include "manager/snapshot.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/request.h"
#include "tell/facts.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_NS (60 * 1000000000LL) /* how long the usual load is what it was */

/* A snapshot with all that belongs to it. */
struct made {
	struct ft__snapshot snapshot; /* first: one is the other */
	struct ft_store *store;       /* that its answerer reads */
	char *state;                  /* of the program when it was made */
	int64_t made_ns;
	size_t users; /* the entry, and whoever keeps it */
};

struct snapshot_entry {
	struct ft__task task; /* first: one is the other */
	struct ft__snapshots *all;
	char *name, *device, *machine;
	enum ft_load_view load;
	bool slow;
	struct made *now, *next; /* next: the worker's, while it is at work */
	char *state; /* of `now`: a copy for the worker, which is stale anyway after `fresh_until_ns` */
	int64_t fresh_until_ns;
	bool at_work, again;     /* again: the store changed meanwhile */
	bool gone;               /* it is left out once the worker has given it back */
	bool wanted, seen_stale; /* the worker's: it is made anew where it is stale; it still is */
	bool stale, awaited;     /* awaited: somebody waits for a newer one */
	size_t slot;
	uint64_t used, asked, asked_before; /* before it was made */
};

struct ft__snapshots {
	const struct ft__store_at *at;
	struct ft__worker *worker;
	void (*ready)(void *ctx);
	void *ctx;
	struct snapshot_entry *slot[FT__SNAPSHOTS_MOST]; /* or NULL */
	uint64_t used, made;
};

static void made_free(struct made *made)
{
	if (!made || --made->users)
		return;
	ft_ask_close(made->snapshot.answerer);
	ft_store_close(made->store);
	free(made->state);
	ft_free(made);
}

static void entry_free(struct snapshot_entry *entry)
{
	made_free(entry->now);
	made_free(entry->next);
	ft_free(entry->state);
	ft_free(entry->name);
	ft_free(entry->device);
	ft_free(entry->machine);
	ft_free(entry);
}

/* ---- the worker ---------------------------------------------------------------------------------------- */

/* What is found out at a first question is found out here. */
static void ask_beforehand(struct ft_answerer *answerer)
{
	struct ft_size size = ft_ask_any_size(answerer), beyond = size;
	const struct ft_resource *resource;
	struct ft_request request;
	struct ft_prediction p;
	size_t axis[FT_PARAMS_MAX], i;

	for (i = ft_ask_axes(answerer, axis); i-- > 0;)
		beyond.value[axis[i]] *= 1e3;
	for (i = 0; (resource = ft_ask_resource(answerer, i)); i++) {
		(void)ft_ask_predict(answerer, resource, &size, 0.9, &p, NULL);
		(void)ft_ask_predict(answerer, resource, &beyond, 0.9, &p, NULL);
	}
	(void)ft_ask_request(answerer, &size, 0.05, &request, NULL);
}

/* What a program is says that there is no model of it; all else may be over in a moment. */
static bool is_lasting(enum ft_status status)
{
	return status == FT_ENOENT || status == FT_ENOMODEL || status == FT_EINVAL;
}

static void make_model(struct snapshot_entry *entry, struct made *made)
{
	struct ft_err *err = &made->snapshot.err;

	made->made_ns = ft_clock_ns();
	made->snapshot.passing = true;
	if (ft__store_at_open(entry->all->at, &made->store, FT_STORE_READ, err))
		return;
	(void)ft_store_get_state(made->store, entry->name, &made->state, NULL);
	if (ft_ask_open_on(&made->snapshot.answerer, made->store, entry->name, entry->device, entry->machine,
			   ft_tell_machine_here(made->store), err)) {
		made->snapshot.passing = !is_lasting(err->status);
		ft_store_close(made->store);
		made->store = NULL;
		return;
	}
	made->snapshot.passing = false;
	ft_ask_under(made->snapshot.answerer, &(struct ft_ask_load){.view = entry->load});
	ask_beforehand(made->snapshot.answerer);
	/* Models are in memory now; what else is asked of the store is asked seldom. */
	ft_store_rest(made->store);
}

static bool is_stale(const struct snapshot_entry *entry, struct ft_store *store)
{
	char *state = NULL;
	bool stale = !entry->state || !store || ft_clock_ns() > entry->fresh_until_ns ||
		     ft_store_get_state(store, entry->name, &state, NULL) || strcmp(state, entry->state) != 0;

	free(state);
	return stale;
}

static void work(struct ft__task *task, struct ft_store *store)
{
	struct snapshot_entry *entry = (struct snapshot_entry *)task;

	entry->seen_stale = is_stale(entry, store);
	if (!entry->seen_stale || !entry->wanted)
		return;
	/* Where there is no memory that of before goes on to answer. */
	entry->seen_stale = false;
	entry->next = ft_calloc(1, sizeof *entry->next);
	if (!entry->next)
		return;
	entry->next->users = 1;
	make_model(entry, entry->next);
}

/* ---- the serving thread -------------------------------------------------------------------------------- */

/* Whether somebody asked since it was made. What nobody asks about is not made anew, however often its
 * program is run: the next question waits for it, as the first one did. */
static bool was_asked(const struct snapshot_entry *entry)
{
	return !entry->now || entry->asked != entry->asked_before || entry->awaited;
}

static void post_entry(struct snapshot_entry *entry)
{
	entry->at_work = true;
	entry->again = false;
	entry->wanted = was_asked(entry);
	ft__worker_post(entry->all->worker, &entry->task);
}

static void take_next(struct snapshot_entry *entry)
{
	made_free(entry->now);
	ft_free(entry->state);
	entry->now = entry->next;
	entry->next = NULL;
	entry->now->snapshot.number = ++entry->all->made;
	entry->now->snapshot.slot = entry->slot;
	entry->state = entry->now->snapshot.passing ? NULL : ft_strdup(entry->now->state);
	/* The load of others goes on being recorded. */
	entry->fresh_until_ns = entry->load == FT_LOAD_IDLE ? INT64_MAX : entry->now->made_ns + USUAL_NS;
	entry->asked_before = entry->asked;
}

static void done(struct ft__task *task)
{
	struct snapshot_entry *entry = (struct snapshot_entry *)task;
	struct ft__snapshots *all = entry->all;
	bool awaited = !entry->now || (entry->awaited && !entry->seen_stale);

	entry->at_work = false;
	entry->stale = entry->seen_stale;
	if (entry->gone) {
		entry_free(entry);
		all->ready(all->ctx); /* who waits for it asks again */
		return;
	}
	if (entry->next)
		take_next(entry);
	if (awaited)
		entry->awaited = false;
	if (entry->again || (entry->stale && was_asked(entry)))
		post_entry(entry);
	if (awaited)
		all->ready(all->ctx);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void leave_out(struct snapshot_entry *entry)
{
	entry->all->slot[entry->slot] = NULL;
	if (entry->at_work)
		entry->gone = true;
	else
		entry_free(entry);
}

static bool has_models(const struct snapshot_entry *entry)
{
	return entry->now && entry->now->snapshot.answerer;
}

/* Names of nothing go first: whoever asks for many of them displaces no model. */
static bool goes_before(const struct snapshot_entry *a, const struct snapshot_entry *b)
{
	return has_models(a) != has_models(b) ? !has_models(a) : a->used < b->used;
}

/* An empty slot; FT__SNAPSHOTS_MOST: those of all are just being made, and somebody waits for each. */
static size_t make_room(struct ft__snapshots *all)
{
	size_t first = FT__SNAPSHOTS_MOST;

	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		if (!all->slot[i])
			return i;
		if (all->slot[i]->now &&
		    (first == FT__SNAPSHOTS_MOST || goes_before(all->slot[i], all->slot[first])))
			first = i;
	}
	if (first < FT__SNAPSHOTS_MOST)
		leave_out(all->slot[first]);
	return first;
}

static struct snapshot_entry *add_entry(struct ft__snapshots *all, const struct ft__subject *subject)
{
	size_t slot = make_room(all);
	struct snapshot_entry *entry = slot < FT__SNAPSHOTS_MOST ? ft_calloc(1, sizeof *entry) : NULL;

	if (!entry)
		return NULL;
	*entry = (struct snapshot_entry){.task = {.work = work, .done = done},
					 .all = all,
					 .name = ft_strdup(subject->name),
					 .device = ft_strdup(subject->device),
					 .machine = ft_strdup(subject->machine),
					 .load = subject->load,
					 .slow = subject->slow};
	if (!entry->name || (subject->device && !entry->device) || (subject->machine && !entry->machine)) {
		entry_free(entry);
		return NULL;
	}
	entry->slot = slot;
	entry->used = ++all->used;
	all->slot[entry->slot] = entry;
	post_entry(entry);
	return entry;
}

static struct snapshot_entry *find_entry(struct ft__snapshots *all, const struct ft__subject *subject)
{
	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		struct snapshot_entry *entry = all->slot[i];

		if (entry && !strcmp(entry->name, subject->name) && entry->load == subject->load &&
		    entry->slow == subject->slow && same_text(entry->device, subject->device) &&
		    same_text(entry->machine, subject->machine))
			return entry;
	}
	return NULL;
}

const struct ft__snapshot *ft__snapshots_get(struct ft__snapshots *snapshots,
					     const struct ft__subject *subject, bool *refused)
{
	struct snapshot_entry *entry = find_entry(snapshots, subject);

	if (!entry)
		entry = add_entry(snapshots, subject);
	*refused = !entry || (!entry->now && !entry->at_work);
	if (!entry || !entry->now) {
		/* It could not be made for want of memory: the next question tries again. */
		if (entry && *refused)
			leave_out(entry);
		return NULL;
	}
	entry->used = ++snapshots->used;
	entry->awaited = entry->stale;
	entry->asked += !entry->stale;
	if ((entry->stale || entry->now->snapshot.passing) && !entry->at_work)
		post_entry(entry);
	return entry->awaited ? NULL : &entry->now->snapshot;
}

void ft__snapshot_keep(const struct ft__snapshot *snapshot)
{
	((struct made *)snapshot)->users++;
}

void ft__snapshot_free(const struct ft__snapshot *snapshot)
{
	made_free((struct made *)snapshot);
}

bool ft__snapshots_newest(struct ft__snapshots *snapshots, size_t slot, uint64_t number)
{
	struct snapshot_entry *entry = snapshots->slot[slot];

	if (!entry || !entry->now || entry->now->snapshot.number != number || entry->stale)
		return false;
	entry->used = ++snapshots->used;
	entry->asked++;
	return true;
}

void ft__snapshots_check(struct ft__snapshots *snapshots)
{
	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		struct snapshot_entry *entry = snapshots->slot[i];

		if (entry && entry->at_work)
			entry->again = true;
		else if (entry)
			post_entry(entry);
	}
}

uint64_t ft__snapshots_asked(const struct ft__snapshots *snapshots, const char *name)
{
	uint64_t asked = 0;

	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++) {
		const struct snapshot_entry *entry = snapshots->slot[i];

		if (entry && !strcmp(entry->name, name))
			asked += entry->asked;
	}
	return asked;
}

size_t ft__snapshots_count(const struct ft__snapshots *snapshots, unsigned long *made)
{
	size_t n = 0;

	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++)
		n += snapshots->slot[i] != NULL;
	*made = (unsigned long)snapshots->made;
	return n;
}

enum ft_status ft__snapshots_new(struct ft__snapshots **out, const struct ft__store_at *at,
				 struct ft__worker *worker, void (*ready)(void *ctx), void *ctx,
				 struct ft_err *err)
{
	*out = ft_calloc(1, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	**out = (struct ft__snapshots){.at = at, .worker = worker, .ready = ready, .ctx = ctx};
	return FT_OK;
}

void ft__snapshots_free(struct ft__snapshots *snapshots)
{
	if (!snapshots)
		return;
	for (size_t i = 0; i < FT__SNAPSHOTS_MOST; i++)
		if (snapshots->slot[i])
			entry_free(snapshots->slot[i]);
	ft_free(snapshots);
}
