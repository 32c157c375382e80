/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reserve.c - when hosts are taken by others. */
#include "cli/plan/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int hint_reserve(void)
{
	cli_hint("write --reserve HOST=2h for a host that is taken until then, HOST=1h:2h from then until "
		 "then; node1/2=1h is the second processor of --on node1:4");
	return CLI_WRONG;
}

/* "2h", "1h:2h" */
static int add_reserved(struct cli_plan *plan, const char *host, const char *text)
{
	const char *colon = strchr(text, ':');
	CLI_OWN char *from = cli_printed("%.*s", colon ? (int)(colon - text) : 0, text);
	struct cli_reserved taken = {.host = cli_strdup(host)};
	struct ft_err err = {0};
	bool wrong = (colon && ft_duration_parse(from, &taken.from_s, &err)) ||
		     ft_duration_parse(colon ? colon + 1 : text, &taken.to_s, &err);

	plan->reserved = cli_grow(plan->reserved, plan->n_reserved, sizeof *plan->reserved);
	plan->reserved[plan->n_reserved++] = taken;
	if (wrong) {
		(void)cli_error_at(&err, "%s is reserved", host);
		return hint_reserve();
	}
	if (taken.from_s <= taken.to_s)
		return CLI_DONE;
	(void)cli_fail("%s is reserved until before it is reserved: %s", host, text);
	return hint_reserve();
}

int cli_plan_reserve(struct cli_plan *plan, const char *host, const char *words)
{
	while (*(words += strspn(words, " "))) {
		size_t length = strcspn(words, " ");
		CLI_OWN char *word = cli_printed("%.*s", (int)length, words);

		CLI_TRY(add_reserved(plan, host, word));
		words += length;
	}
	return CLI_DONE;
}

int cli_plan_reserve_typed(struct cli_plan *plan)
{
	for (size_t i = 0; i < plan->reserve.n; i++) {
		const char *text = plan->reserve.text[i], *is = strchr(text, '=');

		if (!is || is == text || !is[1]) {
			(void)cli_fail("--reserve '%s' is no HOST=T", text);
			return hint_reserve();
		}
		CLI_OWN char *host = cli_printed("%.*s", (int)(is - text), text);
		CLI_TRY(cli_plan_reserve(plan, host, is + 1));
	}
	return CLI_DONE;
}

/* Rows of --resources may be of hosts that are not asked; what was typed is not. */
static int check_unknown(const struct cli_plan *plan, const char *host)
{
	if (cli_plan_resource(plan, host))
		return CLI_DONE;
	(void)cli_fail("'%s' is reserved, which is none of the hosts of --on", host);
	return hint_reserve();
}

int cli_tasks_reserve(struct cli_tasks *t)
{
	const struct cli_plan *plan = t->plan;

	for (size_t i = 0; i < plan->n_reserved; i++) {
		const struct cli_reserved *r = &plan->reserved[i];
		bool known = false;

		for (size_t j = 0; j < t->m; j++) {
			if (strcmp(r->host, t->host[j]) != 0 &&
			    strcmp(r->host, plan->host[t->of[j]].name) != 0)
				continue;
			known = true;
			t->reserved = cli_grow(t->reserved, t->n_reserved, sizeof *t->reserved);
			t->reserved[t->n_reserved++] = (struct ft_plan_reserved){j, r->from_s, r->to_s};
		}
		if (!known && check_unknown(plan, r->host) != CLI_DONE)
			return CLI_WRONG;
	}
	return CLI_DONE;
}
