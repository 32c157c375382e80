/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - what is seen of the machine at this moment, for each condition that the configuration names. */
#include "cli/serve/serve.h"
#include "base/clock.h"
#include "cli/common.h"
#include "manager/day.h"
#include "watch/watch.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>

enum { WAIT_MS = 2000 };

/* Load is known after half a second, however often something else is heard meanwhile; all else at once. */
static const struct ft_seen *look_at_machine(struct ft__watch *watch)
{
	const double until_s = ft_clock_s() + 1e-3 * WAIT_MS;
	const struct ft_seen *seen = ft__watch_look(watch);
	int ms;

	while (isnan(seen->load) && ft_clock_s() < until_s && (ms = ft__watch_wait_ms(watch)) >= 0) {
		struct pollfd fd = {.fd = ft__watch_fd(watch), .events = POLLIN};

		(void)poll(&fd, 1, ms < WAIT_MS ? ms : WAIT_MS);
		seen = ft__watch_look(watch);
	}
	return seen;
}

int cli_manager_now(const struct ft_manager_config *config, struct ft_told_day *told)
{
	size_t n = config->n_problems + 1;
	CLI_OWN const struct ft_policies **policies = cli_alloc(n * sizeof *policies);
	struct ft__watch *watch;
	struct ft_err err = {0};
	int status = CLI_DONE;

	policies[0] = &config->policies;
	for (size_t i = 0; i < config->n_problems; i++)
		policies[i + 1] = &config->problem[i].policies;
	if (ft__watch_new(&watch, &(struct ft__watch_needs){.policies = policies, .n = n}, &err) ||
	    ft__day_see(told, policies, n, look_at_machine(watch), &err))
		status = cli_error(&err);
	ft__watch_free(watch);
	return status;
}
