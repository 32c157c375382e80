/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models_say.c - models for people: their accuracy, how single runs vary about it, and parameters that change
 * nothing or cannot be told apart. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "tell/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *cli_runs_within(double confidence)
{
	char share[FT_UNIT_LENGTH];

	return cli_printed("%s of runs", ft_share_format(confidence, share));
}

char *cli_change_text(const struct ft_change *change)
{
	char share[FT_UNIT_LENGTH], age[FT_TELL_AGE];

	return cli_printed("shift: the newest %zu runs (the first %s) are %s %s than older ones, which count "
			   "less",
			   change->runs, ft_tell_age(change->since_ns, age),
			   ft_share_format(fabs(expm1(change->shift)), share),
			   change->shift > 0 ? "higher" : "lower");
}

/* ---- facts -------------------------------------------------------------------------------------------- */

size_t cli_models_all(const struct cli_models *models, struct ft_told_model **out)
{
	struct ft_arena memory = {0};
	struct ft_told_model *found;
	size_t n;

	if (ft_tell_models_all(models->answerer, &memory, &found, &n, NULL))
		(void)cli_given(NULL);
	*out = cli_alloc(n * sizeof **out);
	if (n)
		memcpy(*out, found, n * sizeof **out);
	ft_arena_clear(&memory);
	return n;
}

void cli_print_evidence(const struct ft_resource *resource, const struct ft_model_facts *facts, FILE *file)
{
	/* Processor times of runs that were ended at a limit of their wall time are bounds, but no limits. */
	const char *name = resource->name;
	bool limited = resource == &ft_wall_s || resource->of == FT_CLASS_MEMORY;
	CLI_OWN char *limits = limited ? ft_tell_limits_text(facts, resource->unit) : NULL,
		     *batches = ft_tell_batches_text(facts);

	if (limits)
		fprintf(file, "%s: %s\n", name, limits);
	if (batches)
		fprintf(file, "%s: %s\n", name, batches);
}

/* Rare spikes, structure finer than the sizes, and what newer runs changed: a line each. */
static void print_facts(const struct ft_resource *resource, const struct ft_model_facts *facts,
			const struct ft_program *program, FILE *file)
{
	const char *name = resource->name;
	bool time = !strcmp(resource->unit, "s");
	char share[FT_UNIT_LENGTH], known[FT_TELL_WITHIN], corner[256];

	if (facts->corner.n && !facts->too_few) {
		(void)ft_size_format(program, &facts->corner, corner, sizeof corner);
		fprintf(file, "%s: accuracy at the worst corner, %s: %s\n", name, corner,
			ft_tell_within(facts->worst_known, known));
	}
	if (facts->spike_rate > 0)
		fprintf(file, "%s: 1 run in %.0f takes %.2g times as %s\n", name,
			fmax(2, 1 / facts->spike_rate), facts->spike_ratio, time ? "long" : "much");
	for (size_t i = 0; i < facts->n_fine; i++)
		fprintf(file, "%s: %s take %s %s\n", name, facts->fine[i].kind,
			ft_share_format(fabs(facts->fine[i].ratio - 1), share),
			facts->fine[i].ratio < 1 ? "less"
			: time                   ? "longer"
						 : "more");
	if (facts->change.runs) {
		char *text = cli_change_text(&facts->change);

		fprintf(file, "%s: %s\n", name, text);
		free(text);
	}
	cli_print_evidence(resource, facts, file);
}

/* Whether it is one of n; n 0: of all. */
static bool is_among(const struct ft_resource *const *resource, size_t n, const struct ft_resource *one)
{
	for (size_t i = 0; i < n; i++)
		if (resource[i] == one)
			return true;
	return !n;
}

size_t cli_print_models(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
			bool verbose, FILE *file)
{
	const struct ft_tell_with with = {.verbose = verbose};
	struct cli_table table = {0};
	struct ft_told_model *told;
	size_t i, shown = 0, all = cli_models_all(models, &told);

	for (i = 0; i < all; i++)
		if (is_among(resource, n, told[i].resource))
			told[shown++] = told[i];
	cli_table_tell(&table, &ft_tell_model, told, shown, &with);
	cli_table_print(&table, file);
	for (i = 0; verbose && i < shown; i++)
		print_facts(told[i].resource, &told[i].facts, ft_ask_program(models->answerer), file);
	free(told);
	return all - shown;
}

/* ---- parameters --------------------------------------------------------------------------------------- */

void cli_axes_print_found(const struct ft_told_axes *axes, FILE *file)
{
	for (size_t i = 0; i < axes->n_flat; i++)
		fprintf(file, "flat: %s changes nothing\n", axes->flat[i]);
	for (size_t i = 0; i < axes->n_together; i++)
		fprintf(file, "%s and %s %s in all runs: their effects cannot be separated\n",
			axes->together[i].name[0], axes->together[i].name[1],
			axes->together[i].equal ? "are equal" : "change together");
}

void cli_axes_print(const struct cli_models *models, const struct ft_resource *const *resource, size_t n,
		    FILE *file)
{
	struct ft_told_axes axes;

	ft_tell_axes_find(models->answerer, resource, n, &axes);
	cli_axes_print_found(&axes, file);
}
