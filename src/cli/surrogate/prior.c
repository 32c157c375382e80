/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prior.c - what is believed of the shares before: typed, or a posterior that somebody else's rows gave. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/surrogate/case.h"
#include "tell/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MEAN or SD of a prior: a number in the target's unit, or one over such a one ("1/2GHz"). */
static int read_prior_number(const char *text, const char *unit, double *value)
{
	struct ft_err err = {0};
	bool over = !strncmp(text, "1/", 2);

	if (ft_value_parse(over ? text + 2 : text, over ? "Hz" : unit, value, &err))
		return cli_error(&err);
	if (over)
		*value = 1 / *value;
	return CLI_DONE;
}

/* "NAME=MEAN:SD", SD perhaps in percent of the mean. */
static int read_prior(struct cli_case *c, const char *text)
{
	const struct ft_resource *known =
		!strcmp(c->kind, "resource") ? ft_resource_find(c->matrix->column[c->target]) : NULL;
	const char *unit = known ? known->unit : "", *equals = strrchr(text, '=');
	struct ft_err err = {0};
	size_t column, j;
	double share;

	if (!equals || !strchr(equals, ':'))
		return cli_fail(
			"'%s' is not a prior\n"
			"hint: write NAME=MEAN:SD, as in --prior cycles=0.5ns:0.1ns or cycles=1/2GHz:20%%",
			text);
	CLI_OWN char *name = cli_strdup(text);
	name[equals - text] = '\0';
	char *mean = name + (equals - text) + 1;
	char *sd = strchr(mean, ':');
	*sd++ = '\0';
	CLI_TRY(cli_case_column(c, name, &column));
	for (j = 0; j < c->k && c->basis[j] != column;)
		j++;
	if (j == c->k)
		return cli_fail("'%s' has a prior, and is not in the basis", name);
	CLI_TRY(read_prior_number(mean, unit, &c->mean[j]));
	if (!strchr(sd, '%'))
		return read_prior_number(sd, unit, &c->sd[j]);
	if (ft_share_parse(sd, 1e-6, 1000, &share, &err))
		return cli_error(&err);
	c->sd[j] = share * fabs(c->mean[j]);
	return CLI_DONE;
}

/* ---- a posterior of before ----------------------------------------------------------------------------- */

/* One entry of its basis; what this basis does not have is passed over. */
static int take_share(struct cli_case *c, const char *path, const json_t *share, size_t *taken)
{
	const char *name = json_string_value(json_object_get(share, "name"));
	const json_t *beta = json_object_get(share, "beta"), *sd = json_object_get(share, "sd");
	size_t j;

	for (j = 0; name && j < c->k && strcmp(c->matrix->column[c->basis[j]], name) != 0;)
		j++;
	if (!name || j == c->k)
		return CLI_DONE;
	if (!json_is_number(beta) || !json_is_number(sd) || !(json_number_value(sd) > 0))
		return cli_fail("'%s' has no standard deviation for '%s'\n"
				"hint: describe with --solver bayes, or another one that computes intervals",
				path, name);
	c->mean[j] = json_number_value(beta);
	c->sd[j] = json_number_value(sd);
	++*taken;
	return CLI_DONE;
}

/* What `surrogate describe --json` printed, of other rows. */
static int read_posterior(struct cli_case *c, const char *path)
{
	struct ft_err err = {0};
	size_t taken = 0;
	json_t *object;
	int status = CLI_DONE;

	if (ft_tell_read_json(path, &object, &err))
		return cli_error(&err);
	const json_t *basis = json_object_get(object, "basis");
	for (size_t i = 0; status == CLI_DONE && i < json_array_size(basis); i++)
		status = take_share(c, path, json_array_get(basis, i), &taken);
	if (status == CLI_DONE && !taken)
		status = cli_fail("'%s' knows nothing of this basis\n"
				  "hint: it must be what foretime surrogate describe --json prints",
				  path);
	json_decref(object);
	return status;
}

static bool is_file(const char *text)
{
	const char *dot = strrchr(text, '.');

	return dot && !strcmp(dot, ".json") && !strchr(text, ':');
}

int cli_priors_read(struct cli_case *c, const struct cli_surrogate *surrogate)
{

	c->mean = cli_alloc((c->k + 1) * sizeof *c->mean);
	c->sd = cli_alloc((c->k + 1) * sizeof *c->sd);
	for (size_t j = 0; j < c->k; j++)
		c->sd[j] = INFINITY;
	if (surrogate->prior.n && strcmp(c->solver->name, "bayes") != 0)
		return cli_fail("'%s' takes no prior: choose --solver bayes", c->solver->name);
	for (size_t j = 0; j < surrogate->prior.n; j++)
		CLI_TRY(is_file(surrogate->prior.text[j]) ? read_posterior(c, surrogate->prior.text[j])
							  : read_prior(c, surrogate->prior.text[j]));
	return CLI_DONE;
}
