/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - what policies are called in files and answers; and their ends. */
#include "foretime/policy.h"

#include "base/alloc.h"

#include <string.h>

#define TEXT2(name, word)        word,
#define TEXT3(name, word, about) word,

static const char *const says[] = {FT_SAY_LIST(TEXT3)};
static const char *const conditions[] = {FT_CONDITION_LIST(TEXT3)};
static const char *const times[] = {FT_TIME_LIST(TEXT2)};
static const char *const orders[] = {FT_ORDER_LIST(TEXT3)};

enum {
	SAYS = sizeof says / sizeof *says,
	TIMES = sizeof times / sizeof *times,
	ORDERS = sizeof orders / sizeof *orders
};

/* The number of a word; -1: it is none of them. */
static int number_of(const char *const *words, int n, const char *text)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(words[i], text))
			return i;
	return -1;
}

const char *ft_say_text(enum ft_say say)
{
	return says[say];
}

bool ft_say_parse(const char *text, enum ft_say *say)
{
	int i = number_of(says, SAYS, text);

	if (i >= 0)
		*say = (enum ft_say)i;
	return i >= 0;
}

const char *ft_condition_text(enum ft_condition_kind kind)
{
	return conditions[kind];
}

bool ft_condition_parse(const char *text, enum ft_condition_kind *kind)
{
	int i = number_of(conditions, FT_CONDITIONS, text);

	if (i >= 0)
		*kind = (enum ft_condition_kind)i;
	return i >= 0;
}

const char *ft_time_text(enum ft_time_kind kind)
{
	return times[kind];
}

bool ft_time_parse(const char *text, enum ft_time_kind *kind)
{
	int i = number_of(times, TIMES, text);

	if (i >= 0)
		*kind = (enum ft_time_kind)i;
	return i >= 0;
}

const char *ft_order_text(enum ft_order order)
{
	return orders[order];
}

bool ft_order_parse(const char *text, enum ft_order *order)
{
	int i = number_of(orders, ORDERS, text);

	if (i >= 0)
		*order = (enum ft_order)i;
	return i >= 0;
}

void ft_condition_clear(struct ft_condition *condition)
{
	if (!condition)
		return;
	for (size_t i = 0; i < condition->n_names; i++)
		ft_free(condition->names[i]);
	ft_free(condition->names);
	*condition = (struct ft_condition){0};
}

void ft_policy_clear(struct ft_policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->n_conditions; i++)
		ft_condition_clear(&policy->conditions[i]);
	ft_free(policy->conditions);
	ft_free(policy->windows);
	*policy = (struct ft_policy){0};
}

void ft_policies_clear(struct ft_policies *policies)
{
	if (!policies)
		return;
	for (size_t i = 0; i < policies->n; i++)
		ft_policy_clear(&policies->policy[i]);
	ft_free(policies->policy);
	*policies = (struct ft_policies){0};
}
