/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.c - hosts, and the models of programs on them. */
#include "cli/facts.h"
#include "cli/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- hosts --------------------------------------------------------------------------------------------- */

const struct cli_resource *cli_plan_resource(const struct cli_plan *plan, const char *host)
{
	for (size_t i = 0; i < plan->n_resources; i++)
		if (!strcmp(plan->resource[i].host, host))
			return &plan->resource[i];
	return NULL;
}

#define HINT_HOSTS "\nhint: write --on fast,node1:4 for one processor of fast and four alike of node1"

/* "node1:4" */
static int add_host(struct cli_plan *plan, const char *word, size_t length)
{
	char *name = cli_printed("%.*s", (int)length, word), *colon = strrchr(name, ':');
	double count = 1;

	plan->host = cli_grow(plan->host, plan->n_hosts, sizeof *plan->host);
	plan->host[plan->n_hosts] = (struct cli_host){.name = name};
	plan->n_hosts++;
	if (colon) {
		*colon = '\0';
		if (ft_number_parse(colon + 1, &count, NULL) || !(count >= 1 && count <= 1e6) ||
		    count != floor(count))
			return cli_fail("--on: '%s' is not a number of processors" HINT_HOSTS, colon + 1);
	}
	if (!*name)
		return cli_fail("--on has a host without a name" HINT_HOSTS);
	for (size_t i = 0; i + 1 < plan->n_hosts; i++)
		if (!strcmp(plan->host[i].name, name))
			return cli_fail("--on names '%s' twice" HINT_HOSTS, name);
	plan->host[plan->n_hosts - 1].count = (size_t)count;
	plan->host[plan->n_hosts - 1].resource = cli_plan_resource(plan, name);
	return CLI_DONE;
}

static int read_hosts(struct cli_plan *plan)
{
	const char *at = plan->on;

	if (!at) {
		plan->host = cli_grow(plan->host, 0, sizeof *plan->host);
		plan->host[plan->n_hosts++] = (struct cli_host){.count = 1};
		return CLI_DONE;
	}
	for (;;) {
		size_t length = strcspn(at, ",");

		CLI_TRY(add_host(plan, at, length));
		if (!at[length])
			return CLI_DONE;
		at += length + 1;
	}
}

int cli_plan_open(struct cli_plan *plan)
{
	return cli_plan_open_for(plan, CLI_ANSWER);
}

int cli_plan_hosts(struct cli_plan *plan)
{
	if (plan->resources_path)
		CLI_TRY(cli_plan_resources(plan, plan->resources_path));
	CLI_TRY(cli_plan_reserve_typed(plan));
	return read_hosts(plan);
}

int cli_plan_open_for(struct cli_plan *plan, enum cli_access access)
{
	CLI_TRY(cli_plan_hosts(plan));
	CLI_TRY(cli_store_open(&plan->store, plan->store_path, access));
	plan->here = ft_tell_machine_here(plan->store);
	return CLI_DONE;
}

void cli_plan_close(struct cli_plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		ft_ask_close(plan->source[i]->answerer);
		free(plan->source[i]);
	}
	for (size_t i = 0; i < plan->n_hosts; i++)
		free(plan->host[i].name);
	for (size_t i = 0; i < plan->n_resources; i++)
		free(plan->resource[i].host);
	for (size_t i = 0; i < plan->n_reserved; i++)
		free(plan->reserved[i].host);
	free(plan->reserved);
	free(plan->source);
	free(plan->host);
	free(plan->resource);
	ft_store_close(plan->store);
	plan->n_sources = plan->n_hosts = plan->n_resources = plan->n_reserved = 0;
}

/* ---- models -------------------------------------------------------------------------------------------- */

/* By its instructions, where it was never run there. */
static void open_elsewhere(struct cli_plan *plan, struct cli_source *source)
{
	static const struct ft_cycles none = {0};
	struct ft_err why = {0};

	if (!ft_ask_open(&source->answerer, plan->store, source->name, NULL, plan->here, &why) &&
	    !ft_ask_elsewhere(source->answerer, source->host, &none, &why))
		return;
	ft_ask_close(source->answerer);
	source->answerer = NULL;
	if (!strcmp(why.text, source->err.text)) /* there is no such program at all */
		return;
	(void)ft_fail(&source->err, FT_ENOENT,
		      "'%s' was never run on '%s', and the instructions per second of that machine are not "
		      "known",
		      source->name, source->host);
	(void)ft_remedy(&source->err, "measure it there, foretime export it and import it here; foretime "
				      "machine list names the machines that are known");
}

static void open_models(struct cli_plan *plan, struct cli_source *source)
{
	enum ft_status opened = ft_ask_open(&source->answerer, plan->store, source->name, source->host,
					    plan->here, &source->err);

	if (opened == FT_ENOENT && source->host)
		open_elsewhere(plan, source);
	if (source->answerer && !ft_ask_resource(source->answerer, 0)) {
		(void)ft_fail(&source->err, FT_ENOMODEL, "no run of '%s' ended well: there is no model",
			      source->name);
		(void)ft_remedy(&source->err, "see how they ended: foretime show %s", source->name);
		ft_ask_close(source->answerer);
		source->answerer = NULL;
	}
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

const struct cli_source *cli_plan_source(struct cli_plan *plan, const char *name, const char *host)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (same(plan->source[i]->name, name) && same(plan->source[i]->host, host))
			return plan->source[i];
	struct cli_source *source = cli_alloc(sizeof *source);
	*source = (struct cli_source){.name = name, .host = host};
	open_models(plan, source);
	plan->source = cli_grow(plan->source, plan->n_sources, sizeof *plan->source);
	plan->source[plan->n_sources++] = source;
	return source;
}

int cli_plan_size(const struct ft_answerer *answerer, char *const *word, size_t n, struct ft_size *size)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	struct ft_param param[FT_PARAMS_MAX];
	struct ft_err err = {0};

	if (n > FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	for (size_t i = 0; i < n; i++) {
		if (ft_param_parse(word[i], &param[i], &err))
			return cli_error(&err);
		if (param[i].least != param[i].most)
			return cli_fail("'%s' is a range: a plan is of one size\n"
					"hint: write %s=%.17g",
					word[i], param[i].name, param[i].most);
		name[i] = param[i].name;
		value[i] = param[i].least;
	}
	return ft_ask_size(answerer, name, value, n, size, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- pictures ------------------------------------------------------------------------------------------ */

const char *cli_plan_picture(const struct cli_plan *plan)
{
	return strcmp(plan->plot, "-") != 0 ? plan->plot : NULL;
}

int cli_plan_drawn(enum ft_status status, char *text, const struct ft_err *err)
{
	if (status)
		return cli_error(err);
	if (text)
		printf("%s%s\n", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
	free(text);
	return CLI_DONE;
}

/* ---- what is said of every plan ----------------------------------------------------------------------- */

struct ft_plan_search cli_plan_search(const struct cli_plan *plan)
{
	return (struct ft_plan_search){.effort = (uint64_t)(plan->effort > 0 ? plan->effort : 0),
				       .seed = plan->seed};
}

char *cli_plan_units(double units)
{
	char digits[FT_NUMBER_LENGTH];

	return cli_strdup(ft_number_format(units, digits));
}

char *cli_plan_proof(const struct ft_plan *plan, const char *unit)
{
	char bound[FT_UNIT_LENGTH], gap[FT_UNIT_LENGTH];

	if (plan->exact)
		return cli_strdup("exact: no plan is better");
	return cli_printed("at most %s above the best plan: lower bound %s",
			   ft_share_format(ft_plan_gap(plan), gap),
			   ft_value_format(plan->bound, unit, bound));
}
