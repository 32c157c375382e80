/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - what several answers tell of models. */
#include "tell/model.h"
#include "base/text.h"
#include "foretime/units.h"

#include <math.h>
#include <string.h>

char *ft_tell_interval(const struct ft_prediction *said, const char *unit)
{
	char lower[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH];
	struct ft_text text = {0};

	/* What ft_ask_predict found too far off to be of use is 0, or infinite. */
	bool far_below = said->lower == 0 && said->value > 0;

	if (isnan(said->lower))
		ft_text_add(&text, "-");
	else if (far_below && !isfinite(said->upper))
		ft_text_add(&text, "not known");
	else if (far_below)
		ft_text_add(&text, "at most %s", ft_value_format(said->upper, unit, upper));
	else
		ft_text_add(&text, "%s .. %s", ft_value_format(said->lower, unit, lower),
			    isfinite(said->upper) ? ft_value_format(said->upper, unit, upper) : "not known");
	return ft_text_take(&text);
}

char *ft_tell_basis(const struct ft_prediction *said, const char *law)
{
	struct ft_text text = {0};
	char far[FT_TELL_FAR];

	ft_text_add(&text, "%s", ft_basis_text(said->basis));
	if (said->basis == FT_BASIS_BEYOND || (said->basis == FT_BASIS_STATED && said->distance > 1))
		ft_text_add(&text, " %s", ft_tell_far(said->distance, far));
	if (law)
		ft_text_add(&text, ", %s", law);
	if (said->zeros)
		ft_text_add(&text, ", 0 in %zu of %zu runs", said->zeros, said->runs);
	return ft_text_take(&text);
}

static double exponential(const void *at)
{
	return exp(*(const double *)at);
}

static bool has_changed(const void *told)
{
	return ((const struct ft_change *)told)->runs > 0;
}

static const struct ft_tell_row change_rows[] = {
	{FT_TELL_BY(GOT, "ratio", struct ft_change, shift), .get = exponential,
	 .about = "newer divided by older values"},
	{FT_TELL(struct ft_change, error), .about = "standard error of its logarithm"},
	{FT_TELL(struct ft_change, runs), .about = "number of newer runs"},
	{FT_TELL_BY(TIME, "since", struct ft_change, since_ns), .about = "start of the first newer run",
	 .null = ""},
	{0},
};
const struct ft_tell_record ft_tell_change = {
	.name = "change",
	.about = "newer runs differ systematically from older ones, which get less weight",
	.row = change_rows,
	.there = has_changed,
};

static const struct ft_tell_row together_rows[] = {
	{FT_TELL_MANY(ARRAY, "", struct ft_told_together, name, n, &ft_tell_texts)},
	{0},
};
static const struct ft_tell_record together = {.bytes = sizeof(struct ft_told_together),
					       .row = together_rows};

static const struct ft_tell_row axes_rows[] = {
	{FT_TELL_MANY(ARRAY, "flat", struct ft_told_axes, flat, n_flat, &ft_tell_texts),
	 .about = "parameters without effect on the prediction"},
	{FT_TELL_MANY(ARRAY, "together", struct ft_told_axes, together, n_together, &together),
	 .about = "pairs of parameters that rise or fall together in all runs: their effects cannot be "
		  "distinguished"},
	{0},
};
const struct ft_tell_record ft_tell_axes = {.row = axes_rows};

static const struct ft_tell_row pass_rows[] = {
	{FT_TELL(struct ft_pass, level), .words = "L2 cache|L3 cache|memory"},
	{FT_TELL(struct ft_pass, bytes), .about = "of a cache that of one instance"},
	{FT_TELL(struct ft_pass, held), .about = "by the largest run that ended well"},
	{FT_TELL(struct ft_pass, needed), .about = "as expected at the size"},
	{0},
};
const struct ft_tell_record ft_tell_pass = {.bytes = sizeof(struct ft_pass), .row = pass_rows};

/* ---- a model ------------------------------------------------------------------------------------------ */

static bool has_worst(const void *told)
{
	return !isnan(((const struct ft_model_facts *)told)->worst[0]);
}

static bool has_corner(const void *told)
{
	return ((const struct ft_model_facts *)told)->corner.n > 0;
}

static bool has_spikes(const void *told)
{
	return ((const struct ft_model_facts *)told)->spike_rate > 0;
}

#define FACTS struct ft_model_facts
static const struct ft_tell_row worst_rows[] = {
	{FT_TELL_AS("from", FACTS, worst[0])},
	{FT_TELL_AS("to", FACTS, worst[1])},
	{FT_TELL_AS("known", FACTS, worst_known), .null = ""},
	{0},
};
static const struct ft_tell_record worst = {.row = worst_rows, .there = has_worst};

static const struct ft_tell_row corner_rows[] = {
	{FT_TELL_AS("size", FACTS, corner)},
	{FT_TELL_AS("known", FACTS, worst_known), .null = ""},
	{0},
};
static const struct ft_tell_record corner = {.row = corner_rows, .there = has_corner};

static const struct ft_tell_row spike_rows[] = {
	{FT_TELL_AS("rate", FACTS, spike_rate),
	 .about = "share of runs that take much longer than all others"},
	{FT_TELL_AS("ratio", FACTS, spike_ratio), .about = "their slowdown, the median"},
	{0},
};
static const struct ft_tell_record spikes = {.row = spike_rows, .there = has_spikes};

static bool has_limits(const void *told)
{
	return ((const FACTS *)told)->limits.runs > 0;
}

static const struct ft_tell_row limits_rows[] = {
	{FT_TELL_AS("runs", FACTS, limits.runs),
	 .about = "how many met a limit: they count as at least that"},
	{FT_TELL_AS("of", FACTS, runs), .about = "how many runs there are"},
	{FT_TELL_AS("least", FACTS, limits.least),
	 .about = "the smallest limit, in the unit of the resource"},
	{FT_TELL_AS("most", FACTS, limits.most), .about = "the largest"},
	{0},
};
const struct ft_tell_record ft_tell_limits = {
	.about = "runs that were ended at a limit of this resource", .row = limits_rows, .there = has_limits};

static bool has_batches(const void *told)
{
	return ((const FACTS *)told)->batches.n > 0;
}

static const char *batch_text(unsigned kind)
{
	static const char *const text[FT_BATCH_N] = {"hours", "nodes", "users"};

	return text[kind];
}

static const struct ft_tell_row batches_rows[] = {
	{FT_TELL_BY(WORD, "of", FACTS, batches.of), .word = batch_text, .words = "hours|nodes|users",
	 .about = "batches with the most uncertainty; count, deviation, learned and doubt are of these"},
	{FT_TELL_AS("count", FACTS, batches.n)},
	{FT_TELL_AS("span_s", FACTS, batches.span_s),
	 .about = "from the start of the first run to that of the last"},
	{FT_TELL_AS("deviation", FACTS, batches.deviation),
	 .about = "standard deviation of the logarithm between batches"},
	{FT_TELL_AS("learned", FACTS, batches.learned),
	 .about = "from these batches; false: the stated value"},
	{FT_TELL_AS("doubt", FACTS, batches.doubt),
	 .about = "variance of the logarithm that widens intervals; 0: none"},
	{FT_TELL_AS("hours", FACTS, batches.count[FT_BATCH_HOURS]),
	 .about = "hours in which runs started, merged when less than an hour apart; 0: not known"},
	{FT_TELL_AS("nodes", FACTS, batches.count[FT_BATCH_NODES]), .about = "of records; 0: not known"},
	{FT_TELL_AS("users", FACTS, batches.count[FT_BATCH_USERS]), .about = "of records; 0: not known"},
	{0},
};
const struct ft_tell_record ft_tell_batches = {
	.about = "runs of one hour, records of one node or of one user are a batch, with a level in common",
	.row = batches_rows,
	.there = has_batches};

static const struct ft_tell_row fine_rows[] = {
	{FT_TELL(struct ft_fine, kind), .about = "as 'multiples of 8'"},
	{FT_TELL(struct ft_fine, ratio), .about = "factor of the value"},
	{0},
};
static const struct ft_tell_record fine = {.bytes = sizeof(struct ft_fine), .row = fine_rows};

char *ft_tell_limits_text(const struct ft_model_facts *facts, const char *unit)
{
	const struct ft_limits *limits = &facts->limits;
	char least[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	struct ft_text text = {0};

	if (!limits->runs)
		return NULL;
	(void)ft_value_format(limits->least, unit, least);
	(void)ft_value_format(limits->most, unit, most);
	ft_text_add(&text, "%zu of %zu runs met a limit of %s", limits->runs, facts->runs, least);
	if (strcmp(least, most) != 0)
		ft_text_add(&text, " to %s", most);
	return ft_text_take(&text);
}

/* Less is not worth a line. */
static const double batches_differ = 0.05;

char *ft_tell_batches_text(const struct ft_model_facts *facts)
{
	const struct ft_batches *batches = &facts->batches;
	bool differ = batches->n > 1 && batches->learned && batches->deviation >= batches_differ;
	const char *single[FT_BATCH_N], *other = NULL;
	char span[FT_UNIT_LENGTH], share[FT_UNIT_LENGTH], hour[FT_UNIT_LENGTH + 16], node[128];
	struct ft_text text = {0};
	size_t n = 0;

	(void)snprintf(hour, sizeof hour, "within %s",
		       batches->span_s <= 3600 ? "one hour" : ft_value_format(batches->span_s, "s", span));
	(void)snprintf(node, sizeof node,
		       strpbrk(batches->node, ",[") ? "of the nodes %s" : "of one node (%s)", batches->node);
	if (batches->count[FT_BATCH_HOURS] == 1)
		single[n++] = hour, other = "runs of another hour";
	if (batches->count[FT_BATCH_NODES] == 1)
		single[n++] = node, other = "runs of another node";
	if (batches->count[FT_BATCH_USERS] == 1)
		single[n++] = "of one user", other = "runs of another user";
	n = batches->doubt > 0 && facts->runs > 1 ? n : 0;
	if (!n && !differ)
		return NULL;
	(void)ft_share_format(expm1(batches->deviation), share);
	if (n)
		ft_text_add(&text, "%zu runs, all ", facts->runs);
	for (size_t i = 0; i < n; i++)
		ft_text_add(&text, "%s%s", !i ? "" : i + 1 < n ? ", " : " and ", single[i]);
	if (differ)
		ft_text_add(&text, "%s of %zu %s differ by %s", n ? ": those" : "runs", batches->n,
			    batches->of == FT_BATCH_HOURS ? "batches, an hour or more apart,"
							  : batch_text(batches->of),
			    share);
	else
		ft_text_add(&text, ": %s may differ by %s", n > 1 ? "others" : other, share);
	return ft_text_take(&text);
}

/* What is to be thought of it: rough, and where it is worst; noisy; of too few sizes. */
static char *judgement(const void *record, const struct ft_tell_with *with)
{
	const struct ft_told_model *told = record;
	const FACTS *facts = &told->facts;
	char most[FT_UNIT_LENGTH], share[FT_TELL_WITHIN], from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];
	struct ft_text text = {0};

	(void)with;
	ft_text_add(&text, "%s",
		    facts->runs == 1 ? "1 run: variation not known"
		    : facts->too_few ? "too few sizes"
				     : "");
	if (!facts->too_few && facts->rough && facts->corner.n)
		ft_text_add(&text, "uneven");
	else if (!facts->too_few && facts->rough && isnan(facts->worst[0]))
		ft_text_add(&text, "uneven: too few sizes for its shape");
	else if (!facts->too_few && facts->rough && facts->worst[1] < 1.05 * facts->worst[0])
		ft_text_add(&text, "uneven near %s (%s)", ft_number_format(facts->worst[0], from),
			    ft_tell_within(facts->worst_known, share));
	else if (!facts->too_few && facts->rough)
		ft_text_add(&text, "uneven between %s and %s (%s)", ft_number_format(facts->worst[0], from),
			    ft_number_format(facts->worst[1], to), ft_tell_within(facts->worst_known, share));
	if (facts->noisy)
		ft_text_add(&text, "%snoisy", text.length ? "; " : "");
	if (facts->zeros)
		ft_text_add(&text, "mostly 0, at most %s in %zu runs",
			    ft_value_format(facts->most, told->resource->unit, most), facts->runs);
	return ft_text_take(&text);
}

#define MODEL struct ft_told_model
static const struct ft_tell_row model_rows[] = {
	{FT_TELL(MODEL, resource), .head = "model"},
	{FT_TELL_BY(UNIT, "unit", MODEL, resource)},
	{FT_TELL(MODEL, method), .about = "the builder", .null = "fitted to imported runs"},
	{FT_TELL_AS("type", MODEL, facts.type), .about = "the kind of model: engine, band or process"},
	{FT_TELL_AS("through_speed", MODEL, facts.through_speed),
	 .about = "interpolates work / time, not the value"},
	{FT_TELL_AS("points", MODEL, facts.sizes), .head = ">sizes", .detail = true},
	{FT_TELL_AS("runs", MODEL, facts.runs), .head = ">runs", .detail = true},
	{FT_TELL_AS("known", MODEL, facts.known), .about = FT_TELL_KNOWN_TO, .null = "not known",
	 .head = ">accuracy", .unit = "+-"},
	{FT_TELL_AS("scatter", MODEL, facts.scatter), .about = FT_TELL_SCATTER, .null = "not known",
	 .head = ">noise", .unit = "+-"},
	{FT_TELL_AS("rough", MODEL, facts.rough), .about = "uneven curve: `known` is over 20 %"},
	{FT_TELL_AS("noisy", MODEL, facts.noisy), .about = "noise (`scatter`) is over 15 %"},
	{FT_TELL_AS("too_few", MODEL, facts.too_few), .about = "too few sizes to estimate the accuracy"},
	{FT_TELL_BY(RECORD, "worst", MODEL, facts), .of = &worst,
	 .about = "the two sizes between which it is least accurate",
	 .null = "of several parameters, or of one size"},
	{FT_TELL_BY(RECORD, "corner", MODEL, facts), .of = &corner,
	 .about = "the least accurate corner of the measured ranges, itself measured or not; known of the "
		  "model covers the whole ranges",
	 .null = "of one parameter"},
	{FT_TELL_BY(RECORD, "spikes", MODEL, facts), .of = &spikes,
	 .about = "rare runs that take much longer", .null = "none"},
	{FT_TELL_MANY(ARRAY, "fine", MODEL, facts.fine, facts.n_fine, &fine),
	 .about = "structure finer than the distance between sizes"},
	{FT_TELL_BY(RECORD, "change", MODEL, facts.change), .of = &ft_tell_change, .null = "there is none"},
	{FT_TELL_BY(RECORD, "limits", MODEL, facts), .of = &ft_tell_limits, .null = "no run met one"},
	{FT_TELL_BY(RECORD, "batches", MODEL, facts), .of = &ft_tell_batches,
	 .null = "not known, or the resource does not depend on the background load"},
	{FT_TELL_AS("zeros", MODEL, facts.zeros),
	 .about =
		 "number of runs that are 0, if more than half are: then `known` and `scatter` are null, and "
		 "value and lower of a prediction are 0; else 0"},
	{FT_TELL_AS("most", MODEL, facts.most), .about = "the largest value of a run"},
	{FT_TELL_BY(TIME, "made", MODEL, made_ns), .null = ""},
	{FT_TELL_AS(NULL, MODEL, resource), .head = "", .cell = judgement},
	{0},
};
const struct ft_tell_record ft_tell_model = {.name = "model", .bytes = sizeof(MODEL), .row = model_rows};
