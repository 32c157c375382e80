/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_starpu_schedule.c - a schedule as StarPU's sched.rec (recutils): for the task that is submitted as
 * the i-th, its worker, and as which of this worker's it runs. Source: StarPU, tools/starpu_replay_sched.c;
 * fields that it does not know are passed over. Tried with StarPU 1.3.10 (test/adapt/engines.sh). */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/carry.h"

#include <ctype.h>

/* A record ends with an empty line, so a name is one line. */
static void add_name(struct ft_text *text, const char *name)
{
	ft_text_add(text, "Name: ");
	for (; *name; name++)
		ft_text_add_bytes(text, iscntrl((unsigned char)*name) ? " " : name, 1);
	ft_text_add(text, "\n");
}

enum ft_status ft_carry_starpu_schedule(const struct ft_carry_turn *turn, size_t n, const size_t *order,
					size_t workers, char **out, struct ft_err *err)
{
	size_t *place = ft_calloc(n + 1, sizeof *place), *ran = ft_calloc(workers + 1, sizeof *ran), i;
	struct ft_text text = {0};

	*out = NULL;
	for (i = 0; place && ran && i < n; i++)
		place[order[i]] = ++ran[turn[order[i]].worker];
	for (i = 0; place && ran && i < n; i++) {
		add_name(&text, turn[i].name);
		ft_text_add(&text, "SubmitOrder: %zu\nSpecificWorker: %zu\nWorkerorder: %zu\n\n", i + 1,
			    turn[i].worker, place[i]);
	}
	if (place && ran)
		*out = ft_text_take(&text);
	ft_free(place);
	ft_free(ran);
	return *out ? FT_OK : ft_nomem(err);
}
