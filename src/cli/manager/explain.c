/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c - foretime manager explain: what the configuration means, for the day to come. */
#include "cli/manager/manager.h"
#include "cli/common.h"
#include "cli/output.h"
#include "foretime/units.h"
#include "tell/manager.h"

#include <stdlib.h>
#include <time.h>

enum { DAY_S = 86400, OPENINGS_MOST = 32, RULE_MOST = 512 };

static struct ft_told_window window_of(const struct ft_policies *policies, const struct ft_opening *opening)
{
	struct ft_told_window told = {.from_ns = opening->from_s * 1000000000,
				      .to_ns = opening->to_s * 1000000000};
	char rule[RULE_MOST] = "always";

	if (opening->which >= 0 && (size_t)opening->which < policies->n)
		(void)ft_policy_format(&policies->policy[opening->which], rule, sizeof rule);
	told.rule = cli_strdup(rule);
	return told;
}

static struct ft_told_problem problem_of(const struct ft_manager_config *config, size_t i, uid_t user,
					 int64_t now_s)
{
	const struct ft_manager_problem *problem = &config->problem[i];
	const struct ft_policies *policies = ft_policies_of(&problem->policies, &config->policies);
	struct ft_told_problem told = {.name = problem->program.name,
				       .priority = problem->priority,
				       .builder = problem->builder->name,
				       .own = problem->policies.n > 0};
	struct ft_opening opening[OPENINGS_MOST + 1];
	struct ft_err err = {0};
	size_t n = ft_policies_openings(policies, now_s, now_s + DAY_S, opening, OPENINGS_MOST + 1), k;

	told.more = n > OPENINGS_MOST;
	n -= told.more;
	told.window = cli_alloc(n * sizeof *told.window + 1);
	for (k = 0; k < n; k++)
		told.window[k] = window_of(policies, &opening[k]);
	told.n_windows = n;
	if (ft_manager_check_problem(problem, user, &err)) {
		told.fault = cli_strdup(err.text);
		told.remedy = *err.remedy ? cli_strdup(err.remedy) : NULL;
	}
	return told;
}

static void clear(struct ft_told_day *told)
{
	size_t i, k;

	for (i = 0; i < told->n; i++) {
		for (k = 0; k < told->problem[i].n_windows; k++)
			free(told->problem[i].window[k].rule);
		free(told->problem[i].window);
		free(told->problem[i].fault);
		free(told->problem[i].remedy);
	}
	free(told->problem);
	for (i = 0; i < told->n_now; i++)
		free(told->now[i].why);
	free(told->now);
}

/* Higher priorities first, equal ones as they stand in the file. */
static void put_in_order(struct ft_told_day *told)
{
	size_t i, k;

	for (i = 1; i < told->n; i++)
		for (k = i; k > 0 && told->problem[k - 1].priority < told->problem[k].priority; k--) {
			struct ft_told_problem held = told->problem[k];

			told->problem[k] = told->problem[k - 1];
			told->problem[k - 1] = held;
		}
}

/* "Mon 22:00" */
static const char *moment(int64_t ns, char text[32])
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm parts;

	if (!localtime_r(&seconds, &parts) || !strftime(text, 32, "%a %H:%M", &parts))
		text[0] = '\0';
	return text;
}

static void print(const struct ft_told_day *told)
{
	size_t i, k;

	for (i = 0; i < told->n_now; i++)
		printf("now: %s %s%s%s\n", told->now[i].condition,
		       told->now[i].holds ? "holds" : "does not hold", told->now[i].why ? ": " : "",
		       told->now[i].why ? told->now[i].why : "");
	if (told->n_now)
		printf("\n");
	for (i = 0; i < told->n; i++) {
		const struct ft_told_problem *problem = &told->problem[i];

		printf("%s%s, priority %g, by %s%s\n", i ? "\n" : "", problem->name, problem->priority,
		       problem->builder, problem->own ? ", policies of its own" : "");
		for (k = 0; k < problem->n_windows; k++) {
			char from[32], to[32];

			printf("  %s to %s: %s\n", moment(problem->window[k].from_ns, from),
			       moment(problem->window[k].to_ns, to), problem->window[k].rule);
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
	struct ft_told_day told = {.order = ft_order_text(config->order), .n = config->n_problems};
	int64_t now_s = (int64_t)time(NULL);
	int status = CLI_DONE;
	size_t i;

	told.problem = cli_alloc(told.n * sizeof *told.problem + 1);
	for (i = 0; i < told.n; i++) {
		told.problem[i] = problem_of(config, i, user, now_s);
		if (told.problem[i].fault)
			status = CLI_NO;
	}
	put_in_order(&told);
	if (cli_manager_now(config, &told))
		status = CLI_WRONG;
	else if (json)
		cli_tell(&ft_tell_day, &told, NULL);
	else
		print(&told);
	clear(&told);
	return status;
}
