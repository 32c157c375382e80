/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - what is seen of the machine at this moment, for each condition that the configuration names. */
#include "cli/manager/manager.h"
#include "cli/common.h"
#include "cli/output.h"
#include "watch/watch.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS_MOST = 3 };

/* Load is known after half a second; all else at once. */
static const struct ft_seen *look(struct ft__watch *watch)
{
	const struct ft_seen *seen = ft__watch_look(watch);
	int i, ms;

	for (i = 0; i < LOOKS_MOST && isnan(seen->load) && (ms = ft__watch_wait_ms(watch)) >= 0; i++) {
		struct pollfd fd = {.fd = ft__watch_fd(watch), .events = POLLIN};

		(void)poll(&fd, 1, ms);
		seen = ft__watch_look(watch);
	}
	return seen;
}

/* What several policies say of it is said once. */
static void print_condition(const struct ft_condition *condition, const struct ft_seen *seen,
			    struct ft_text *said)
{
	char why[FT_WHY_LENGTH], line[FT_WHY_LENGTH + 64];
	const char *kind = ft_condition_text(condition->kind);
	bool holds = ft_condition_holds(condition, seen, why);

	(void)snprintf(line, sizeof line, "now: %s %s%s%s\n", kind, holds ? "holds" : "does not hold",
		       holds ? ": " : "", holds ? why : "");
	if (!said->s || !strstr(said->s, line))
		ft_text_add(said, "%s", line);
}

static void print_all(const struct ft_policies *const *policies, size_t n, const struct ft_seen *seen)
{
	struct ft_text said = {0};
	size_t i, k, c;

	for (i = 0; i < n; i++)
		for (k = 0; k < policies[i]->n; k++)
			for (c = 0; c < policies[i]->policy[k].n_conditions; c++)
				print_condition(&policies[i]->policy[k].conditions[c], seen, &said);
	if (said.s)
		printf("%s\n", said.s);
	ft_text_clear(&said);
}

int cli_manager_now(const struct ft_manager_config *config)
{
	size_t n = config->n_problems + 1, i;
	const struct ft_policies **policies = cli_alloc(n * sizeof *policies);
	struct ft__watch *watch;
	struct ft_err err = {0};
	int status = CLI_DONE;

	policies[0] = &config->policies;
	for (i = 0; i < config->n_problems; i++)
		policies[i + 1] = &config->problem[i].policies;
	if (ft__watch_new(&watch, &(struct ft__watch_needs){.policies = policies, .n = n}, &err))
		status = cli_error(&err);
	else
		print_all(policies, n, look(watch));
	ft__watch_free(watch);
	free(policies);
	return status;
}
