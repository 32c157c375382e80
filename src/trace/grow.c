/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.c - how the phases of a program grow with the size of its run. */
#include "foretime/grow.h"
#include "base/arena.h"

#include <math.h>

static const double confidence = 0.9;

/* What is given, what is aligned, and room for one law; that is some 100 KB. */
struct growing {
	const struct ft_traced *run;
	size_t n, columns;
	const char *parameter;
	double asked;
	struct ft_phase_rows rows;
	struct ft_law_sample *sample; /* [n] */
	struct ft_laws *laws;
};

static enum ft_status check_sizes(const struct ft_traced *run, size_t n, struct ft_err *err)
{
	size_t k, different = 0;

	for (size_t i = 0; i < n; i++) {
		for (k = 0; k < i && run[k].size != run[i].size; k++)
			;
		different += k == i;
	}
	if (different >= FT_GROW_SIZES)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "traces of %zu size%s: %d are needed to see how phases grow",
		      different, different == 1 ? "" : "s", FT_GROW_SIZES);
	return ft_remedy(err, "trace runs of more sizes: foretime run --trace a.csv -- PROGRAM ...");
}

static enum ft_status find_law(struct growing *g, size_t samples, struct ft_phase_law *out,
			       struct ft_err *err)
{
	const char *const name[] = {g->parameter};
	const struct ft_law_options options = {.unbroken = true};
	enum ft_status status = ft_laws_fit(g->laws, g->sample, samples, &options, NULL);

	*out = (struct ft_phase_law){.found = !status, .said = {NAN, NAN, NAN, NAN, NAN, NAN}};
	if (status)
		return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
	out->misfit = g->laws->misfit;
	(void)ft_law_format(&g->laws->law, name, 3, out->law, sizeof out->law);
	(void)ft_laws_words(g->laws, g->parameter, out->words, sizeof out->words);
	if (!isnan(g->asked))
		(void)ft_laws_predict(g->laws, g->asked, confidence, FT_LAW_RUN, &out->said, NULL);
	return FT_OK;
}

/* The values of a phase in all traces that have it: its lengths, or levels of a column. Returns how many. */
static size_t collect_values(struct growing *g, size_t i, size_t column, bool lengths)
{
	size_t n = 0;

	for (size_t k = 0; k < g->n; k++) {
		size_t at = g->rows.at[k * g->rows.n + i];
		const struct ft_phase *phase;

		if (at == SIZE_MAX)
			continue;
		phase = &g->run[k].phases[column].phase[at];
		g->sample[n++] = (struct ft_law_sample){g->run[k].size, lengths ? phase->end - phase->begin
										: fmax(0, phase->level)};
	}
	return n;
}

static enum ft_status grow_phase(struct growing *g, size_t i, struct ft_phase_growth *out, struct ft_err *err)
{
	out->like = &g->run[g->rows.like].phases->phase[i];
	out->in = collect_values(g, i, 0, true);
	out->level = ft_calloc(g->columns, sizeof *out->level);
	if (!out->level)
		return ft_nomem(err);
	FT_TRY(find_law(g, out->in, &out->length, err));
	for (size_t c = 0; c < g->columns; c++) {
		(void)collect_values(g, i, c, false);
		FT_TRY(find_law(g, out->in, &out->level[c], err));
	}
	return FT_OK;
}

static enum ft_status grow_all(struct growing *g, struct ft_phases_growth *out, struct ft_err *err)
{
	out->phase = ft_calloc(g->rows.n + 1, sizeof *out->phase);
	if (!out->phase)
		return ft_nomem(err);
	for (size_t i = 0; i < g->rows.n; i++) {
		const struct ft_law_prediction *said = &out->phase[i].length.said;

		out->n++;
		FT_TRY(grow_phase(g, i, &out->phase[i], err));
		out->total_s += said->value;
		out->lower_s += said->wide_lower;
		out->upper_s += said->wide_upper;
	}
	if (isnan(g->asked))
		out->total_s = out->lower_s = out->upper_s = NAN;
	return FT_OK;
}

enum ft_status ft_phases_grow(struct ft_phases_growth *out, const struct ft_traced *run, size_t n,
			      size_t columns, const char *parameter, double asked, struct ft_err *err)
{
	FT_CLEANUP(ft_phases_growth_clear) struct ft_phases_growth growth = {0};
	FT_CLEANUP(ft_phase_rows_clear) struct ft_phase_rows rows = {0};
	FT_ARENA(work);

	*out = (struct ft_phases_growth){0};
	FT_TRY(check_sizes(run, n, err));
	struct growing g = {.run = run,
			    .n = n,
			    .columns = columns,
			    .parameter = parameter,
			    .asked = asked,
			    .sample = ft_arena_take(&work, n, sizeof *g.sample),
			    .laws = ft_arena_take(&work, 1, sizeof *g.laws)};
	struct ft_phases *first = ft_arena_take(&work, n, sizeof *first);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < n; i++)
		first[i] = run[i].phases[0];
	FT_TRY(ft_phases_align(&rows, first, n, err));
	g.rows = rows;
	FT_TRY(grow_all(&g, &growth, err));
	*out = growth;
	growth = (struct ft_phases_growth){0};
	return FT_OK;
}

void ft_phases_growth_clear(struct ft_phases_growth *growth)
{
	if (!growth)
		return;
	for (size_t i = 0; i < growth->n; i++)
		ft_free(growth->phase[i].level);
	ft_free(growth->phase);
	*growth = (struct ft_phases_growth){0};
}
