/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth.c - tests whether a resource grows no faster than a bound, with start-up and lower terms free. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two kinds of laws explain the sizes. Within the bound: a sum of the bound's terms and lower ones, each with a
 * free coefficient >= 0. Beyond it: the same and one term more, which grows faster. Their likelihoods are
 * compared, each at its best.
 *
 * Counts are exact, and no sum of terms meets them exactly: tables double, branches turn. How far sizes lie
 * off a law is therefore learnt from the sizes themselves: a standard deviation, a share of what is not
 * start-up, common to all sizes. A law that explains little needs a large one, and is punished by its
 * likelihood. What is left is a ratio of sums of squares, judged by Student's distribution.
 */

enum {
	SIZES = FT_AT_MOST_SIZES,
	COLUMNS = FT_NNLS_COLUMNS,
	DEVIATIONS = FT__GROWN_DEVIATIONS,
	SIZES_LEAST = 5,
	GRIDS_FROM = 18
};

/* Standard deviations that are tried: this one, then twice that, and so on. Values have no more digits. */
static const double deviation_least = 0.00025, digits = 1e-5;

/* What is believed of the deviation before there are sizes: worth so many of them. */
static const double believed = 3, deviation_count = 0.002, deviation_other = 0.004;

/* Levels for phases are as unlikely as this, ln, each. */
static const double phase_penalty = 1.5;

/* Factors by which rooms grow; so many times at least within the sizes; how finely these are tried. What fills rooms of
 * a larger factor cannot be distinguished from growth, nor any rooms among few sizes: only levels may. */
static const double grid_least = 1.3, grid_most = 16, grid_times = 1.3, grid_fine = 0.2, filled_most = 4.05;

/* Chance looks as much like growth so rarely where it is called growth (doc/contracts.md); without the largest size; and
 * by one size of each group, since a table that doubles near these looks like growth. */
static const double chance = 5e-5, chance_rest = 0.01, chance_apart = 1e-3;

/* Where laws miss the sizes by no more than this, rooms that grow are not looked for. */
static const double explained = 0.001;

/* More sizes are worth their time unless growth is as unlikely, or as likely, as this. */
static const double doubted = 1e-3, certain = 1e-6;

/* A worse term of a smaller share is none that matters; one of the other must be seen. */
static const double share_least = 0.03, share_seen = 0.2;

/* The normal quantile of 95 %. */
static const double surely = 1.645;

/*
 * Likelihoods.
 */

/* A law: which columns it has besides the lower terms. NULL: none. */
struct grown_law {
	const struct ft__grown_step *step;
	const struct ft__grown_column *worse;
	double ln;        /* its likelihood, at the best deviation and coefficients, and what is believed */
	size_t deviation; /* which of them */
	double c[COLUMNS];
	size_t terms; /* with a coefficient above 0 */
	double worse_at_top;
};

static void weigh(struct ft__grown *g)
{
	for (size_t d = 0; d < DEVIATIONS; d++) {
		double tau = deviation_least * pow(2, (double)d),
		       usual = g->of == FT_CLASS_COUNT ? deviation_count : deviation_other;

		g->ln_sigma[d] = believed * (log(tau) + usual * usual / (2 * tau * tau));
		for (size_t i = 0; i < g->n; i++) {
			double part = fmax(g->y[i] - g->start, 0.02 * g->y[i]) * tau * g->fall[i],
			       error = g->point[i].error * g->y[i], least = digits * g->y[i];

			g->sigma[d][i] = sqrt(part * part + error * error + least * least);
			g->ln_sigma[d] += log(g->sigma[d][i]);
		}
		for (size_t group = 0; group < g->groups; group++)
			g->ln_sigma[d] +=
				log1p(g->shared * (double)(g->group[group + 1] - g->group[group])) / 2;
	}
}

/* Whitens the rows of a system where sizes of a group deviate together: what structure does is the same there. */
static void part_groups(const struct ft__grown *g, double *a, size_t k)
{
	for (size_t group = 0; group < g->groups && g->shared > 0; group++) {
		const size_t from = g->group[group], to = g->group[group + 1];
		const double sizes = (double)(to - from), off = 1 - 1 / sqrt(1 + g->shared * sizes);

		for (size_t j = 0; j < k; j++) {
			double mean = 0;

			for (size_t i = from; i < to; i++)
				mean += a[i * k + j] / sizes;
			for (size_t i = from; i < to; i++)
				a[i * k + j] -= off * mean;
		}
	}
}

/* Rooms that grow are phases of their own. */
static size_t phases_of(const struct ft__grown *g, const struct ft__grown_step *step)
{
	return g->phased && !(step && step->factor > 0) ? g->phases : 0;
}

static size_t columns_of(const struct ft__grown *g, const struct ft__grown_step *step)
{
	return g->bases + phases_of(g, step) + (step ? 1 + (size_t)(step->factor > 0) : 0);
}

static double fit_at(const struct ft__grown *g, const struct grown_law *law, size_t d, double c[COLUMNS])
{
	double a[SIZES * COLUMNS], y[SIZES], sum = 0;
	const struct ft__grown_column *column[COLUMNS];
	size_t k = 0;

	for (; k < g->bases; k++)
		column[k] = &g->base[k];
	for (size_t j = 0; j < phases_of(g, law->step); j++)
		column[k++] = &g->phase[j];
	if (law->step)
		column[k++] = &law->step->first;
	if (law->step && law->step->factor > 0)
		column[k++] = &law->step->second;
	if (law->worse)
		column[k++] = law->worse;
	assert(k <= COLUMNS);
	for (size_t i = 0; i < g->n; i++) {
		y[i] = g->y[i] / g->sigma[d][i];
		for (size_t j = 0; j < k; j++)
			a[i * k + j] = column[j]->at[i] / g->sigma[d][i];
	}
	part_groups(g, a, k);
	part_groups(g, y, 1);
	ft_nnls(a, y, g->n, k, c);
	for (size_t i = 0; i < g->n; i++) {
		double rest = y[i] - ft_dot(a + i * k, c, k);

		sum += rest * rest;
	}
	return sum;
}

/* From deviation `most` down: a law with a column more needs no larger one. */
static void fit_law(const struct ft__grown *g, struct grown_law *law, size_t most)
{
	const size_t k = columns_of(g, law->step) + (law->worse != NULL);
	double c[COLUMNS];

	law->ln = -INFINITY;
	for (size_t d = most + 1; d-- > 0;) {
		double ln = -fit_at(g, law, d, c) / 2 - g->ln_sigma[d] - (law->step ? law->step->penalty : 0);

		if (ln <= law->ln - 3)
			break;
		if (ln <= law->ln)
			continue;
		law->ln = ln;
		law->deviation = d;
		memcpy(law->c, c, sizeof c);
	}
	law->terms = 0;
	for (size_t i = 0; i < k; i++)
		law->terms += law->c[i] > 0;
	law->worse_at_top = law->worse ? law->c[k - 1] : 0;
}

/* What is start-up, by the law within the bound that relative differences prefer. */
static void find_start(struct ft__grown *g)
{
	double least = INFINITY, c[COLUMNS], a[SIZES * COLUMNS], one[SIZES];

	for (size_t i = 0; i < g->n; i++) {
		one[i] = 1;
		least = fmin(least, g->y[i]);
		for (size_t j = 0; j < g->bases; j++)
			a[i * g->bases + j] = g->base[j].at[i] / g->y[i];
	}
	ft_nnls(a, one, g->n, g->bases, c);
	g->start = fmin(c[g->constant], least);
}

/* The likelihood of the best usual law beyond the bound. */
static double best_beyond(const struct ft__grown *g, bool rooms)
{
	double best = -INFINITY;

	for (size_t k = 0; k < g->worses; k++)
		for (size_t s = 0; s < 1 + (size_t)(rooms && g->steps > g->grids) && g->worse[k].usual; s++) {
			struct grown_law law = {.step = s ? &g->step[g->likeliest] : NULL,
						.worse = &g->worse[k].column};

			fit_law(g, &law, DEVIATIONS - 1);
			best = fmax(best, law.ln);
		}
	return best;
}

/* How sizes deviate from a law, by the likeliest one beyond the bound, which fits as well as any: alike at all
 * sizes; with the root of the size less, as sums of chances do; or with the size, as what is rounded up to
 * blocks and pages. Whether phases have levels of their own; and how much of it sizes of a group have in common. */
static void choose_noise(struct ft__grown *g)
{
	static const double falls[] = {0, 0.5, 1}, common[] = {0, 1, 8, 64};
	enum { KINDS = 2 * sizeof falls / sizeof *falls };
	double best = -INFINITY, shared = 0, ln;
	int kept = 0;

	g->shared = 0;
	for (int kind = 0; kind <= KINDS; kind++) { /* the last time round: the best of them */
		int now = kind < KINDS ? kind : kept;

		g->phased = now % 2;
		for (size_t i = 0; i < g->n; i++)
			g->fall[i] = pow(g->volume[i], -falls[now / 2]);
		weigh(g);
		if (kind == KINDS || (g->phased && !g->phases))
			continue;
		ln = best_beyond(g, true) - (g->phased ? phase_penalty * (double)(g->phases - 1) : 0);
		if (ln > best + (now ? 1 : 0)) {
			best = ln;
			kept = now;
		}
	}
	best = -INFINITY;
	for (size_t k = 0; g->groups < g->n && k < sizeof common / sizeof *common; k++) {
		g->shared = common[k];
		weigh(g);
		ln = best_beyond(g, true);
		if (ln > best + (k ? 1 : 0)) {
			best = ln;
			shared = common[k];
		}
	}
	g->shared = shared;
	weigh(g);
}

/* The step that makes a law beyond the bound likeliest; NULL: none makes it likelier than `least`, ln. */
static const struct ft__grown_step *best_step_beyond(const struct ft__grown *g, size_t from, size_t to,
						     size_t most, double least)
{
	const struct ft__grown_step *best = NULL;
	double best_ln = least;

	for (size_t k = 0; k < g->worses; k++)
		for (size_t s = from; s < to && g->worse[k].usual; s++) {
			struct grown_law law = {.step = &g->step[s], .worse = &g->worse[k].column};

			fit_law(g, &law, most);
			if (law.ln <= best_ln)
				continue;
			best_ln = law.ln;
			best = law.step;
		}
	return best;
}

static double grid_step(double factor, double range)
{
	return exp(grid_fine * log(factor) * log(factor) / log(range));
}

/* Rooms of one factor, of which one is as large as any of the sizes: all that differ. */
static void try_grids(struct ft__grown *g, double factor, double shift, const struct ft__grown_column *worse,
		      double best[FT__GROWN_GRIDS])
{
	enum { DEVIATION = 3 };
	double c[COLUMNS];

	for (size_t group = 0; group < g->groups; group++)
		for (int kind = 0; kind < FT__GROWN_ROOMS; kind++) {
			const double from = g->point[g->group[group + 1] - 1].x[0] * (kind == 1 ? shift : 1);
			struct ft__grown_step step;

			if (kind == 1 ? g->bound->term[0].log[0] <= 0 : factor > filled_most)
				continue;
			ft__grown_room(g, factor, from, kind, &step);
			for (int with = 0; with < 2; with++) {
				const size_t at = (size_t)kind + (with ? 0 : FT__GROWN_ROOMS);
				struct grown_law law = {.step = &step, .worse = with ? worse : NULL};
				const double sum = fit_at(g, &law, DEVIATION, c);

				if (sum >= best[at])
					continue;
				best[at] = sum;
				g->step[g->grids + at] = step;
			}
		}
}

/* The rooms that leave the smallest squares, with the first usual term beyond the bound and without it. */
static void find_grids(struct ft__grown *g)
{
	const double range = g->point[g->top].x[0] / g->point[0].x[0],
		     most = fmin(grid_most, pow(range, 1 / grid_times));
	double best[FT__GROWN_GRIDS];
	const struct ft__grown_column *worse = NULL;

	if (g->params != 1 || g->of != FT_CLASS_COUNT || g->bound->term[0].power[0] < 1 ||
	    !(most >= grid_least))
		return;
	for (size_t k = g->worses; k-- > 0;)
		worse = g->worse[k].usual ? &g->worse[k].column : worse;
	find_start(g);
	for (size_t i = 0; i < g->n; i++)
		g->fall[i] = 1;
	weigh(g);
	for (size_t k = 0; k < FT__GROWN_GRIDS; k++)
		best[k] = INFINITY;
	for (double factor = grid_least; factor <= most; factor *= grid_step(factor, range))
		try_grids(g, factor, 1, worse, best);
	/* Finer about these. */
	for (size_t k = 0; k < FT__GROWN_GRIDS; k++) {
		const double about = g->step[g->grids + k].factor, step = pow(grid_step(about, range), 0.2);

		for (int i = -4; i <= 4 && about > 0; i++)
			try_grids(g, about * pow(step, i), 1 + 0.04 * i, worse, best);
	}
	g->steps = g->grids + FT__GROWN_GRIDS;
	g->likeliest = g->grids;
	for (size_t k = 1; k < FT__GROWN_ROOMS; k++)
		g->likeliest = best[k] < best[g->likeliest - g->grids] ? g->grids + k : g->likeliest;
	if (g->bound->term[0].log[0] <= 0) /* no levels: the same rooms twice */
		for (size_t k = 1; k < FT__GROWN_GRIDS; k += FT__GROWN_ROOMS)
			g->step[g->grids + k] = g->step[g->grids + k - 1];
}

struct grown_answer {
	struct grown_law within, beyond;
	const struct ft__grown_worse *worse; /* of beyond; NULL: no term makes the sizes likelier */
	double p, t;                         /* of chance; Student's */
	double deviation;                    /* of the law that stands */
};

/* Both kinds of laws at their best. only: the only term to be tried; NULL: all. */
static void compare_laws(struct ft__grown *g, struct grown_answer *out)
{
	struct grown_law law = {0}, step;
	double within;

	*out = (struct grown_answer){.p = 1};
	find_start(g);
	choose_noise(g);
	fit_law(g, &law, DEVIATIONS - 1);
	out->within = step = law;
	within = law.ln;
	for (size_t k = 0; k < g->steps; k++) {
		struct grown_law other = {.step = &g->step[k]};

		fit_law(g, &other, law.deviation);
		if (other.ln > step.ln)
			step = other;
	}
	if (step.ln > within) {
		within = step.ln;
		out->within = step;
	}
	out->beyond.ln = -INFINITY;
	/* A law beyond the bound has tiles only where those within it have the same; rooms of its own. */
	const struct ft__grown_step *tried[] = {
		NULL, step.step,
		best_step_beyond(g, g->grids, g->steps, law.deviation, best_beyond(g, false))};
	if (!step.step || step.step < &g->step[g->tiles] || step.step >= &g->step[g->grids])
		tried[1] = best_step_beyond(g, 0, g->tiles, law.deviation, -INFINITY);
	for (size_t k = 0; k < g->worses; k++)
		for (size_t s = 0; s < sizeof tried / sizeof *tried; s++) {
			struct grown_law other = {.step = tried[s], .worse = &g->worse[k].column};

			if (s && !tried[s])
				continue;
			fit_law(g, &other, law.deviation);
			if (other.worse_at_top <= 0 || other.ln <= out->beyond.ln)
				continue;
			out->beyond = other;
			out->worse = &g->worse[k];
		}
	out->deviation = deviation_least * pow(2, (double)out->within.deviation) * sqrt(1 + g->shared);
	if (!out->worse || out->beyond.ln <= within)
		return;
	/* The profile of the deviation makes 2 ln of the ratio (n + believed) ln (1 + t^2 / freedom). */
	double count = (double)(g->shared > 0 ? g->groups : g->n) + believed,
	       freedom = count - (double)out->beyond.terms;
	if (freedom < 1)
		return;
	out->t = sqrt(freedom * expm1(2 * (out->beyond.ln - within) / count));
	out->p = ft_student_above(out->t, freedom);
}

/*
 * The answer.
 */

/* Whether chance explains growth well enough without the largest size: then that size alone is odd. */
static bool rests_on_one(struct ft__grown *g)
{
	struct grown_answer answer;

	if (g->top + 1 != g->n)
		return false;
	const bool single = g->group[g->groups - 1] + 1 == g->n;
	g->n--;
	g->top--;
	g->groups -= single;
	g->group[g->groups] = g->n;
	compare_laws(g, &answer);
	g->n++;
	g->top++;
	g->groups += single;
	g->group[g->groups] = g->n;
	return answer.p > chance_rest;
}

/* Whether the largest size of each group shows growth as well. */
static bool shows_apart(const struct ft__grown *g)
{
	FT_OWN struct ft__grown *apart = ft_calloc(1, sizeof *apart);
	struct ft__grown_point point[SIZES];
	struct grown_answer answer;

	if (!apart || g->groups < SIZES_LEAST)
		return false;
	for (size_t i = 0; i < g->groups; i++) {
		point[i] = g->point[g->group[i + 1] - 1];
		point[i].value = g->y[g->group[i + 1] - 1];
	}
	ft__grown_prepare(apart, point, g->groups, g);
	compare_laws(apart, &answer);
	return answer.p < chance_apart;
}

static bool is_likely(const struct ft__grown *g, const struct grown_answer *a)
{
	return a->p < chance && a->beyond.worse_at_top >= share_least * g->y[g->top];
}

static bool is_seen(struct ft__grown *g, const struct grown_answer *a)
{
	return is_likely(g, a) && !rests_on_one(g) && (g->groups == g->n || shows_apart(g));
}

/* Which share of a term would have been seen: the sizes as they are, without what they have of that term, and
 * with more and more of it. NaN: none. */
static double share_seen_of(struct ft__grown *g, const struct ft__grown_worse *worse)
{
	double measured[SIZES], rest[SIZES], low = share_least / 2, high = 0.95, t;
	struct grown_answer answer;
	struct grown_law law = {.worse = &worse->column}, stepped = law;

	find_start(g);
	choose_noise(g);
	fit_law(g, &law, DEVIATIONS - 1);
	stepped.step = best_step_beyond(g, 0, g->steps, law.deviation, -INFINITY);
	if (stepped.step) {
		fit_law(g, &stepped, law.deviation);
		law = stepped.ln > law.ln ? stepped : law;
	}
	memcpy(measured, g->y, sizeof measured);
	for (size_t i = 0; i < g->n; i++)
		rest[i] = fmax(g->y[i] - law.worse_at_top * worse->column.at[i], 1e-3 * g->y[i]);
	t = NAN;
	for (int k = 0; k < 8; k++) {
		double share = k ? sqrt(low * high) : high;

		for (size_t i = 0; i < g->n; i++)
			g->y[i] = rest[i] + share / (1 - share) * rest[g->top] * worse->column.at[i];
		compare_laws(g, &answer);
		if (is_seen(g, &answer)) {
			high = share;
			t = answer.t;
		} else if (!k) {
			break;
		} else {
			low = share;
		}
	}
	memcpy(g->y, measured, sizeof measured);
	/* There half of such terms are seen. */
	if (isnan(t))
		return NAN;
	high *= high > 1.5 * share_least ? 1 + surely / fmax(t, 3) : 1;
	return high < 0.95 ? high : (double)NAN;
}

static void find_seen(struct ft__grown *g, const struct ft_program *program, struct ft_at_most *out)
{
	out->seen = 0;
	for (size_t k = 0; k < g->worses && !isnan(out->seen); k++) {
		double share;

		if (!g->worse[k].usual)
			continue;
		share = share_seen_of(g, &g->worse[k]);
		if (share <= out->seen)
			continue;
		out->seen = share;
		out->param = g->worse[k].param;
		ft__bound_format(&g->worse[k].term, program, out->term);
	}
}

static void explain_sizes(const struct ft__grown *g, const struct grown_answer *a, struct ft_at_most *out)
{
	const size_t k = columns_of(g, a->beyond.step);
	bool no = out->verdict == FT_AT_MOST_NO;
	double from = INFINITY;

	for (size_t i = 0; i < g->n; i++) {
		struct ft_at_most_size *size = &out->size[i];
		double worse = no ? a->beyond.c[k] * a->worse->column.at[i] : 0;

		size->share = worse / g->y[i];
		size->explained = g->y[i] - worse;
		size->shows =
			worse > 0 && worse > 3 * g->sigma[a->beyond.deviation][i] && size->share >= 0.01;
		if (size->shows)
			from = fmin(from, g->point[i].x[a->worse->param]);
	}
	if (no)
		out->from = fmin(fmax(from, a->worse->from), g->point[g->top].x[a->worse->param]);
}

static void judge_laws(struct ft__grown *g, const struct ft_program *program, struct ft_at_most *out)
{
	struct grown_answer answer;

	out->verdict = FT_AT_MOST_UNDECIDED;
	out->seen = out->from = out->deviation = NAN;
	out->settled = false;
	compare_laws(g, &answer);
	out->p = answer.p;
	out->deviation = answer.deviation;
	if (is_seen(g, &answer)) {
		out->verdict = FT_AT_MOST_NO;
		out->share = answer.beyond.worse_at_top / g->y[g->top];
		out->param = answer.worse->param;
		ft__bound_format(&answer.worse->term, program, out->term);
		explain_sizes(g, &answer, out);
		out->settled = out->p < certain;
		return;
	}
	out->share = 0;
	explain_sizes(g, &answer, out);
	find_seen(g, program, out);
	if (out->seen <= share_seen && !is_likely(g, &answer))
		out->verdict = FT_AT_MOST_YES;
	out->settled = out->verdict == FT_AT_MOST_YES && out->p >= doubted;
}

void ft__at_most_judge(const struct ft__grown_point *point, size_t n, const struct ft_program *program,
		       enum ft_resource_class of, const struct ft__ceiling *bound, struct ft_at_most *out)
{
	FT_OWN struct ft__grown *g = ft_calloc(1, sizeof *g);

	out->verdict = FT_AT_MOST_UNDECIDED;
	out->seen = out->from = out->deviation = NAN;
	out->p = 1;
	out->settled = false;
	if (!g || n < SIZES_LEAST)
		return;
	ft__grown_prepare(g, point, n,
			  &(struct ft__grown){.params = program->n_params, .of = of, .bound = bound});
	judge_laws(g, program, out);
	/* Rooms that grow are tried where laws without them are not clearly within the bound. */
	if ((out->settled && out->verdict == FT_AT_MOST_YES) || out->deviation <= explained || n < GRIDS_FROM)
		return;
	find_grids(g);
	if (g->steps > g->grids)
		judge_laws(g, program, out);
}
