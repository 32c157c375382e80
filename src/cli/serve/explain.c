/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c - foretime serve explain: what the configuration means, for the day to come. */
#include "cli/serve/serve.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/output.h"
#include "manager/day.h"

#include <stdlib.h>
#include <time.h>

/* Whom benchmarks run as may own what they run. */
struct manager_explain_asked {
	const struct ft_manager_config *config;
	uid_t user;
	bool any; /* fault */
};

static void find_fault(void *ctx, size_t problem, struct ft_err *out)
{
	struct manager_explain_asked *asked = ctx;

	if (ft_manager_check_problem(&asked->config->problem[problem], asked->user, out) ||
	    cli_manager_root(asked->user, out))
		asked->any = true;
}

/* "Mon 22:00" */
static const char *moment_of(int64_t ns, char text[32])
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm parts;

	if (!localtime_r(&seconds, &parts) || !strftime(text, 32, "%a %H:%M", &parts))
		text[0] = '\0';
	return text;
}

static void print_day(const struct ft_told_day *told)
{
	size_t k;

	for (size_t i = 0; i < told->n_now; i++)
		printf("now: %s %s%s%s\n", told->now[i].condition,
		       told->now[i].holds ? "holds" : "does not hold", told->now[i].why ? ": " : "",
		       told->now[i].why ? told->now[i].why : "");
	if (told->n_now)
		printf("\n");
	for (size_t i = 0; i < told->n; i++) {
		const struct ft_told_problem *problem = &told->problem[i];

		printf("%s%s, priority %g, by %s%s\n", i ? "\n" : "", problem->name, problem->priority,
		       problem->builder, problem->own ? ", policies of its own" : "");
		for (k = 0; k < problem->n_windows; k++) {
			char from[32], to[32];

			printf("  %s to %s: %s\n", moment_of(problem->window[k].from_ns, from),
			       moment_of(problem->window[k].to_ns, to), problem->window[k].rule);
		}
		if (problem->more)
			printf("  and more\n");
		if (!k)
			printf("  not within the next day\n");
		if (problem->fault)
			printf("  cannot run: %s\n", problem->fault);
		if (problem->remedy)
			printf("  remedy: %s\n", problem->remedy);
	}
	if (!told->n)
		printf("no problem is configured\n");
}

int cli_manager_explain(const struct ft_manager_config *config, uid_t user, bool json)
{
	struct manager_explain_asked asked = {config, user, false};
	struct ft_told_day told;
	struct ft_err err = {0};

	if (ft__day_read(config, ft_clock_real_ns() / 1000000000, find_fault, &asked, &told, &err))
		return cli_error(&err);
	int status = asked.any ? CLI_NO : CLI_DONE;
	if (cli_manager_now(config, &told))
		status = CLI_WRONG;
	else if (json)
		cli_tell(&ft_tell_day, &told, NULL);
	else
		print_day(&told);
	ft__day_clear(&told);
	return status;
}
