/* SPDX-License-Identifier: GPL-3.0-or-later */
/* revisit.c - models that are built, and to whose programs others added runs. */
#include "manager/revisit.h"

#include "base/alloc.h"

#include <stdlib.h>

struct ft__revisit {
	struct ft__task task; /* first: one is the other */
	struct ft__construct *construct;
	struct ft__worker *worker;
	bool at_work, again;
	struct ft__state *state; /* [n] */
	size_t n;
};

static void post_task(struct ft__revisit *revisit);

static void read_states(struct ft__task *task, struct ft_store *store)
{
	struct ft__revisit *revisit = (struct ft__revisit *)task;

	for (size_t i = 0; store && i < revisit->n; i++)
		(void)ft_store_get_state(store, revisit->state[i].name, &revisit->state[i].state, NULL);
}

static void clear_revisit(struct ft__revisit *revisit)
{
	for (size_t i = 0; i < revisit->n; i++) {
		ft_free(revisit->state[i].name);
		free(revisit->state[i].state);
	}
	ft_free(revisit->state);
	revisit->state = NULL;
	revisit->n = 0;
}

static void give_states(struct ft__task *task)
{
	struct ft__revisit *revisit = (struct ft__revisit *)task;

	revisit->at_work = false;
	ft__construct_give(revisit->construct, revisit->state, revisit->n);
	clear_revisit(revisit);
	if (revisit->again)
		post_task(revisit);
}

static void post_task(struct ft__revisit *revisit)
{
	revisit->again = false;
	revisit->state = ft__construct_built(revisit->construct, &revisit->n);
	revisit->at_work = revisit->n > 0;
	if (revisit->at_work)
		ft__worker_post(revisit->worker, &revisit->task);
	else
		clear_revisit(revisit);
}

void ft__revisit_look(struct ft__revisit *revisit)
{
	revisit->again = true;
	if (!revisit->at_work)
		post_task(revisit);
}

enum ft_status ft__revisit_new(struct ft__revisit **out, struct ft__construct *construct,
			       struct ft__worker *worker, struct ft_err *err)
{
	*out = ft_calloc(1, sizeof **out);
	if (!*out)
		return ft_nomem(err);
	**out = (struct ft__revisit){
		.task = {.work = read_states, .done = give_states}, .construct = construct, .worker = worker};
	return FT_OK;
}

void ft__revisit_free(struct ft__revisit *revisit)
{
	if (revisit)
		clear_revisit(revisit);
	ft_free(revisit);
}
