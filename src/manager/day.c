/* SPDX-License-Identifier: GPL-3.0-or-later */
/* day.c - what a configuration means for the next day. */
#include "manager/day.h"

#include "base/alloc.h"

#include <string.h>

enum { DAY_S = 86400, OPENINGS_MOST = 32, RULE_MOST = 512 };

static bool read_window(const struct ft_policies *policies, const struct ft_opening *opening,
			struct ft_answer_window *out)
{
	char rule[RULE_MOST] = "always";

	if (opening->which >= 0 && (size_t)opening->which < policies->n)
		(void)ft_policy_format(&policies->policy[opening->which], rule, sizeof rule);
	*out = (struct ft_answer_window){.from_ns = opening->from_s * 1000000000,
					 .to_ns = opening->to_s * 1000000000,
					 .rule = ft_strdup(rule)};
	return out->rule;
}

static bool read_problem(const struct ft_manager_config *config, size_t i, int64_t now_s,
			 const struct ft_err *fault, struct ft_answer_problem *out)
{
	const struct ft_manager_problem *problem = &config->problem[i];

	*out = (struct ft_answer_problem){.name = problem->program.name,
					  .priority = problem->priority,
					  .builder = problem->builder->name,
					  .own = problem->policies.n > 0};
	if (fault->status) {
		out->fault = ft_strdup(fault->text);
		out->remedy = *fault->remedy ? ft_strdup(fault->remedy) : NULL;
		if (!out->fault || (*fault->remedy && !out->remedy))
			return false;
	}
	const struct ft_policies *policies = ft_policies_of(&problem->policies, &config->policies);
	struct ft_opening opening[OPENINGS_MOST + 1];
	size_t n = ft_policies_openings(policies, now_s, now_s + DAY_S, opening, OPENINGS_MOST + 1), k;

	out->more = n > OPENINGS_MOST;
	n -= out->more;
	out->window = ft_calloc(n + 1, sizeof *out->window);
	for (k = 0; out->window && k < n; k++)
		if (!read_window(policies, &opening[k], &out->window[out->n_windows++]))
			return false;
	return out->window;
}

enum ft_status ft__day_read(const struct ft_manager_config *config, int64_t now_s, ft__day_fault *fault,
			    void *ctx, struct ft_answer_day *answer, struct ft_err *err)
{
	*answer = (struct ft_answer_day){.order = ft_order_text(config->order)};
	answer->problem = ft_calloc(config->n_problems + 1, sizeof *answer->problem);
	bool good = answer->problem;
	for (size_t i = 0; good && i < config->n_problems; i++) {
		struct ft_err found = {0};

		if (fault)
			fault(ctx, i, &found);
		good = read_problem(config, i, now_s, &found, &answer->problem[answer->n++]);
	}
	if (good) {
		/* Higher priorities first, equal ones as they stand in the file. */
		for (size_t i = 1; i < answer->n; i++)
			for (size_t k = i;
			     k > 0 && answer->problem[k - 1].priority < answer->problem[k].priority; k--) {
				struct ft_answer_problem held = answer->problem[k];

				answer->problem[k] = answer->problem[k - 1];
				answer->problem[k - 1] = held;
			}
		return FT_OK;
	}
	ft__day_clear(answer);
	return ft_nomem(err);
}

/* ---- observations now ---------------------------------------------------------------------------------- */

/* Several policies with the same condition report it once. */
static bool is_listed(const struct ft_answer_day *answer, const struct ft_answer_condition *condition)
{
	for (size_t i = 0; i < answer->n_now; i++) {
		const struct ft_answer_condition *other = &answer->now[i];

		if (!strcmp(other->condition, condition->condition) && other->holds == condition->holds &&
		    !strcmp(other->why ? other->why : "", condition->why ? condition->why : ""))
			return true;
	}
	return false;
}

static bool tell_condition(struct ft_answer_day *answer, const struct ft_condition *condition,
			   const struct ft_seen *seen)
{
	char why[FT_WHY_LENGTH];
	struct ft_answer_condition next = {.condition = ft_condition_text(condition->kind)};

	next.holds = ft_condition_holds(condition, seen, why);
	next.why = next.holds ? why : NULL;
	if (is_listed(answer, &next))
		return true;
	next.why = next.holds ? ft_strdup(why) : NULL;
	answer->now[answer->n_now++] = next;
	return !next.holds || next.why;
}

enum ft_status ft__day_see(struct ft_answer_day *answer, const struct ft_policies *const *policies, size_t n,
			   const struct ft_seen *seen, struct ft_err *err)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < policies[i]->n; k++)
			most += policies[i]->policy[k].n_conditions;
	answer->now = ft_calloc(most + 1, sizeof *answer->now);
	bool good = answer->now;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < policies[i]->n; k++)
			for (size_t c = 0; good && c < policies[i]->policy[k].n_conditions; c++)
				good = tell_condition(answer, &policies[i]->policy[k].conditions[c], seen);
	return good ? FT_OK : ft_nomem(err);
}

void ft__day_clear(struct ft_answer_day *answer)
{
	if (!answer)
		return;
	for (size_t i = 0; answer->problem && i < answer->n; i++) {
		for (size_t k = 0; k < answer->problem[i].n_windows; k++)
			ft_free(answer->problem[i].window[k].rule);
		ft_free(answer->problem[i].window);
		ft_free(answer->problem[i].fault);
		ft_free(answer->problem[i].remedy);
	}
	for (size_t i = 0; i < answer->n_now; i++)
		ft_free(answer->now[i].why);
	ft_free(answer->problem);
	ft_free(answer->now);
	*answer = (struct ft_answer_day){0};
}
