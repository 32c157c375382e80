/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.c - how many copies of a program to run next: 1, 2, 4 ... in rounds, then around the number where
 * they begin to slow each other down. */
#include "base/alloc.h"
#include "build/build.h"
#include "facts/door.h"
#include "num/num.h"

#include <math.h>

enum { FT__LAST = FT_PACK_RESOURCES };

/*
 * Compute the slowdown of each number of copies, and where it begins.
 */

static const char *const bounds[] = {
#define TEXT(name, words) words,
	FT_PACK_BOUND_LIST(TEXT)
#undef TEXT
};

const char *ft_pack_bound_text(enum ft_pack_bound bound)
{
	return bounds[bound];
}

static double value_of(const struct ft__packed *look, size_t resource)
{
	return resource == FT__LAST ? look->last_s : look->each[resource];
}

/* The logarithm of what one copy used at the moment of a look: interpolated between the single runs before
 * and after it; NaN: there is none. */
static double alone_at(const struct ft_pack *pack, size_t at, size_t resource)
{
	size_t before = at, after = at;

	if (resource == FT__LAST)
		resource = 0;
	while (before > 0 && pack->look[before].copies > 1)
		before--;
	while (after + 1 < pack->n && pack->look[after].copies > 1)
		after++;
	double low = log(value_of(&pack->look[before], resource));
	double high = log(value_of(&pack->look[after], resource));
	if (pack->look[after].copies > 1 || after == before)
		return pack->look[before].copies > 1 ? (double)NAN : low;
	return low + (high - low) * (double)(at - before) / (double)(after - before);
}

/* pack_ratio - of a resource by its index in `resource`; rounds: out, those with this number, may be NULL. */
static struct ft_pack_ratio pack_ratio(const struct ft_pack *pack, size_t copies, size_t resource,
				       size_t *rounds)
{
	struct ft_pack_ratio ratio = {NAN, NAN, NAN};
	double sum = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < pack->n; i++) {
		if (pack->look[i].copies != copies)
			continue;
		double x = log(value_of(&pack->look[i], resource)) - alone_at(pack, i, resource);
		if (!isfinite(x))
			continue;
		n++;
		squares += (x - sum / (double)(n > 1 ? n - 1 : 1)) * (x - (sum + x) / (double)n);
		sum += x;
	}
	if (rounds)
		*rounds = n;
	if (!n)
		return ratio;
	double mean = sum / (double)n;
	ratio.value = exp(mean);
	if (n < 2)
		return ratio;
	double half = ft_student_t(pack->options.confidence, (double)(n - 1)) *
		      sqrt(fmax(0, squares) / ((double)(n - 1) * (double)n));
	ratio.lower = exp(mean - half);
	ratio.upper = exp(mean + half);
	return ratio;
}

static enum ft__verdict pack_verdict(const struct ft_pack *pack, size_t copies, size_t resource)
{
	const struct ft_pack_ratio ratio = pack_ratio(pack, copies, resource, NULL);

	if (copies == 1 || ratio.upper <= 1 + pack->options.within)
		return FT__HOLDS;
	return ratio.lower > 1 + pack->options.within ? FT__BREAKS : FT__OPEN;
}

/* pack_alone_s - the median wall time of one alone; NaN: none ended well. */
static double pack_alone_s(const struct ft_pack *pack)
{
	double *value = ft_malloc((pack->n + 1) * sizeof *value), median = NAN;
	size_t n = 0;

	for (size_t i = 0; value && i < pack->n; i++)
		if (pack->look[i].copies == 1)
			value[n++] = pack->look[i].each[0];
	if (n)
		median = ft_stats_median(value, n);
	ft_free(value);
	return median;
}

static void tell_level(const struct ft_pack *pack, size_t copies, struct ft_pack_report *report)
{
	struct ft_pack_level *level = &report->level[report->n];

	*level = (struct ft_pack_level){.copies = copies, .outcome = FT_DONE};
	level->longer = pack_ratio(pack, copies, 0, &level->rounds);
	level->last = pack_ratio(pack, copies, FT__LAST, NULL);
	if (copies == 1)
		level->longer = level->last = (struct ft_pack_ratio){1, 1, 1};
	level->work = (double)copies / level->longer.value;
	level->work_lower = (double)copies / level->longer.upper;
	level->work_upper = (double)copies / level->longer.lower;
	for (size_t i = 0; i < pack->n; i++)
		if (pack->look[i].copies == copies)
			level->peak_bytes = fmax(level->peak_bytes, pack->look[i].peak_bytes);
	if (!(level->peak_bytes > 0))
		level->peak_bytes = NAN;
	if (pack->barred && copies >= pack->barred)
		level->outcome = pack->outcome;
	if (level->rounds || level->outcome != FT_DONE)
		report->n++;
}

static void tell_resource(const struct ft_pack *pack, size_t k, struct ft_pack_report *report)
{
	struct ft_pack_resource *resource = &report->resource[report->n_resources];
	bool holds = true;

	*resource = (struct ft_pack_resource){.holds = 1, .most = {NAN, NAN, NAN}};
	resource->resource = pack->resource[k];
	for (size_t i = 1; i < report->n && !resource->breaks; i++) {
		size_t copies = report->level[i].copies;
		const struct ft_pack_ratio ratio = pack_ratio(pack, copies, k, NULL);
		enum ft__verdict verdict = pack_verdict(pack, copies, k);

		if (isnan(ratio.value))
			continue;
		resource->most = ratio;
		holds = holds && verdict == FT__HOLDS;
		if (holds)
			resource->holds = copies;
		if (verdict == FT__BREAKS)
			resource->breaks = copies;
	}
	if (!isnan(resource->most.value))
		report->n_resources++;
}

enum ft_status ft_pack_report(const struct ft_pack *pack, struct ft_pack_report *report, struct ft_err *err)
{
	*report = (struct ft_pack_report){.stop = pack->stop, .spent_s = pack->spent_s, .best = 1};
	report->alone_s = pack_alone_s(pack);
	if (isnan(report->alone_s))
		return ft_fail(err, FT_ENOMODEL, "no run alone has ended well: %s",
			       ft_outcome_text(pack->barred ? pack->outcome : FT_INTERRUPTED));
	report->alone_bytes = NAN;
	for (size_t i = 0; i < pack->n_levels; i++)
		tell_level(pack, pack->level[i], report);
	report->alone_bytes = report->level[0].peak_bytes;
	for (size_t i = 0; i < pack->n_resources; i++)
		tell_resource(pack, i, report);
	for (size_t i = 0; i < report->n; i++)
		if (report->level[i].work > report->level[report->best - 1].work)
			report->best = i + 1;
	report->best = report->level[report->best - 1].copies;
	const struct ft_pack_resource *wall = &report->resource[0];
	size_t most = 1;

	for (size_t i = 0; i < report->n; i++)
		if (report->level[i].rounds && report->level[i].outcome == FT_DONE)
			most = report->level[i].copies;
	report->fits = report->n_resources ? wall->holds : 1;
	if (report->n_resources && wall->breaks) {
		report->perhaps = wall->breaks - 1;
		report->bound = FT_PACK_SLOWER;
	} else if (pack->barred) {
		report->perhaps = pack->barred - 1;
		report->bound = FT_PACK_FAILED;
	} else {
		report->perhaps = most;
		report->bound = most < pack->most                 ? FT_PACK_BUDGET
				: pack->most < pack->options.most ? FT_PACK_MEMORY
								  : FT_PACK_MOST;
	}
	return FT_OK;
}

/*
 * How many copies of a program to run next: 1, 2, 4 ... in rounds, then around the number where they
 * begin to slow each other down.
 */

/* An interval of three rounds is 1.7 standard deviations wide to each side, of eight 0.67 (Student's t, 90
 * %): from there on halving it takes more than as many rounds again. */
enum { ROUNDS_LEAST = 3, ROUNDS_MOST = 8 };

/* A copy is ended after this multiple of the time of all copies in sequence, or this long. */
static const double patience = 4, patience_s = 1;

enum ft_status ft_pack_new(struct ft_pack **out, const struct ft_pack_options *options, struct ft_err *err)
{
	*out = NULL;
	if (options->most < 1 || !(options->memory_bytes >= 0) || !(options->budget_s >= 0) ||
	    !(options->timeout_s >= 0) || !(options->within >= 0) || !(options->confidence >= 0) ||
	    options->confidence >= 1)
		return ft_fail(err, FT_EINVAL, "copies at once: at least 1, and no limit below 0");
	struct ft_pack *pack = ft_calloc(1, sizeof *pack);
	if (!pack)
		return ft_nomem(err);
	pack->options = *options;
	if (!(options->within > 0))
		pack->options.within = 0.1;
	if (!(options->confidence > 0))
		pack->options.confidence = 0.9;
	pack->random.state = options->seed;
	pack->most = pack->by_memory = options->most;
	pack->level[pack->n_levels++] = pack->queue[pack->n_queue++] = 1;
	pack->stop = FT_STOP_INTERRUPTED;
	*out = pack;
	return FT_OK;
}

void ft_pack_free(struct ft_pack *pack)
{
	if (!pack)
		return;
	ft_free(pack->look);
	ft_free(pack);
}

/* ---- the next run
   --------------------------------------------------------------------------------------- */

static size_t rounds_of(const struct ft_pack *pack, size_t copies)
{
	size_t n = 0;

	for (size_t i = 0; i < pack->n; i++)
		n += pack->look[i].copies == copies;
	return n;
}

static bool may_run(const struct ft_pack *pack, size_t copies)
{
	return copies <= pack->most && (!pack->barred || copies < pack->barred);
}

static void add_level(struct ft_pack *pack, size_t copies)
{
	size_t at = pack->n_levels;

	if (at == FT_PACK_LEVELS)
		return;
	for (; at && pack->level[at - 1] > copies; at--)
		pack->level[at] = pack->level[at - 1];
	pack->level[at] = copies;
	pack->n_levels++;
}

/* Between which levels it begins to take longer: the last that is not seen to, and the next. false: none
 * does. */
static bool find_edge(const struct ft_pack *pack, size_t *low, size_t *high)
{
	*low = 1;
	for (size_t i = 1; i < pack->n_levels; i++) {
		*high = pack->level[i];
		if (!may_run(pack, *high) ||
		    !(pack_ratio(pack, *high, 0, NULL).value <= 1 + pack->options.within))
			return true;
		*low = *high;
	}
	return false;
}

static void want_copies(struct ft_pack *pack, size_t copies)
{
	if (may_run(pack, copies) && copies > 1)
		pack->queue[pack->n_queue++] = copies;
}

/* Numbers of copies around the edge that are not accurate enough. */
static void want_edge(struct ft_pack *pack)
{
	size_t low, high = 0;
	bool edge = find_edge(pack, &low, &high);

	if (edge && high - low > 1) {
		add_level(pack, low + (high - low) / 2);
		want_copies(pack, low + (high - low) / 2);
		return;
	}
	if (rounds_of(pack, low) < ROUNDS_MOST && pack_verdict(pack, low, 0) == FT__OPEN)
		want_copies(pack, low);
	if (edge && rounds_of(pack, high) < ROUNDS_MOST && pack_verdict(pack, high, 0) == FT__OPEN)
		want_copies(pack, high);
}

/* A single run, the numbers to measure in any order, and a single run: rounds share nothing, so their
 * ratios are independent. false: nothing is left to measure. */
static bool begin_round(struct ft_pack *pack)
{
	pack->queue[pack->n_queue++] = 1;
	for (size_t i = 1; i < pack->n_levels; i++)
		if (rounds_of(pack, pack->level[i]) < ROUNDS_LEAST)
			want_copies(pack, pack->level[i]);
	if (pack->n_queue == 1)
		want_edge(pack);
	if (pack->n_queue == 1 && rounds_of(pack, 1) >= ROUNDS_LEAST)
		return false;
	pack->skipped = false;
	ft_random_shuffle(&pack->random, pack->queue + 1, pack->n_queue - 1, sizeof *pack->queue);
	pack->queue[pack->n_queue++] = 1;
	return true;
}

/* By its earlier time, or from fewer copies as if all ran in sequence; 0: unknown. */
static double expected_s(const struct ft_pack *pack, size_t copies)
{
	double most = 0;
	size_t nearest = 0;

	for (size_t i = 0; i < pack->n; i++)
		if (pack->look[i].copies <= copies && pack->look[i].copies > nearest)
			nearest = pack->look[i].copies;
	for (size_t i = 0; i < pack->n; i++)
		if (pack->look[i].copies == nearest)
			most = fmax(most, pack->look[i].last_s);
	return nearest ? most * (double)copies / (double)nearest : 0;
}

/* The next of this round that fits the budget. 0: none. */
static size_t next_of_round(struct ft_pack *pack)
{
	while (pack->n_queue) {
		size_t copies = pack->queue[--pack->n_queue];

		if (!may_run(pack, copies))
			continue;
		if (pack->options.budget_s <= 0 ||
		    pack->spent_s + expected_s(pack, copies) < pack->options.budget_s)
			return copies;
		pack->skipped = true;
	}
	return 0;
}

static bool end_pack(struct ft_pack *pack, enum ft_stop stop)
{
	pack->ended = true;
	pack->stop = stop;
	return false;
}

bool ft_pack_ask(struct ft_pack *pack, size_t *copies, double *limit_s)
{
	*copies = 0;
	while (!pack->ended && !*copies) {
		*copies = next_of_round(pack);
		if (*copies)
			break;
		if (pack->skipped)
			return end_pack(pack, FT_STOP_BUDGET);
		if (!begin_round(pack))
			return end_pack(pack, FT_STOP_TOLERANCE);
	}
	if (pack->ended)
		return false;
	pack->requested = *copies;
	double alone_s = pack_alone_s(pack), left_s = pack->options.budget_s - pack->spent_s;
	double limit = pack->options.timeout_s > 0 ? pack->options.timeout_s
		       : isnan(alone_s)            ? 0
						   : fmax(patience_s, patience * (double)*copies * alone_s);

	if (pack->options.budget_s > 0 && (limit <= 0 || left_s < limit))
		limit = left_s;
	*limit_s = limit;
	return true;
}

/* ---- results ------------------------------------------------------------------------------------ */

static void limit_by_memory(struct ft_pack *pack)
{
	double copies = pack->options.memory_bytes / pack->footprint_bytes;

	if (pack->options.memory_bytes <= 0 || !(pack->footprint_bytes > 0) ||
	    copies >= (double)pack->by_memory)
		return;
	pack->by_memory = copies < 1 ? 1 : (size_t)copies;
	pack->most = pack->by_memory;
}

/* FT_DONE, or the outcome of the first run that failed, or has no time. */
static enum ft_outcome outcome_of(const struct ft_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome != FT_DONE)
			return runs->run[i].outcome;
		else if (!(ft_run_value(&runs->run[i], &ft_wall_s) > 0))
			return FT_INVALID;
	return FT_DONE;
}

enum ft_status ft_pack_tell(struct ft_pack *pack, size_t copies, const struct ft_runs *runs,
			    struct ft_err *err)
{
	enum ft_outcome outcome = outcome_of(runs);
	struct ft__packed *look;

	if (!copies || copies != pack->requested || runs->n != copies)
		return ft_fail(err, FT_EINVAL, "%zu copies were requested, and %zu runs reported for %zu",
			       pack->requested, runs->n, copies);
	look = ft_grow(pack->look, pack->n, &pack->capacity, sizeof *look);
	if (!look)
		return ft_nomem(err);
	pack->look = look;
	pack->requested = 0;
	double cost_s = 0;

	for (size_t i = 0; i < runs->n; i++)
		cost_s = fmax(cost_s, runs->run[i].cost_s);
	pack->spent_s += cost_s;
	if (outcome != FT_DONE) {
		pack->outcome = outcome;
		pack->barred = copies;
		if (outcome == FT_INTERRUPTED)
			(void)end_pack(pack, FT_STOP_INTERRUPTED);
		else if (copies == 1)
			(void)end_pack(pack, FT_STOP_EXHAUSTED);
		return FT_OK;
	}
	if (!pack->n_resources) {
		/* The additive resources that the first run measured; wall time first. */
		const struct ft_run *run = &runs->run[0];

		pack->resource[pack->n_resources++] = &ft_wall_s;
		for (size_t i = 0; i < run->n_samples && pack->n_resources < FT_PACK_RESOURCES; i++) {
			const struct ft_resource *resource = run->sample[i].resource;

			if (resource->additive && resource->predicted && run->sample[i].value > 0 &&
			    resource != &ft_wall_s)
				pack->resource[pack->n_resources++] = resource;
		}
	}
	struct ft__packed *newest = &pack->look[pack->n++];

	*newest = (struct ft__packed){.copies = runs->n};
	for (size_t i = 0; i < runs->n; i++) {
		double bytes = ft_run_footprint(&runs->run[i]);

		newest->last_s = fmax(newest->last_s, ft_run_value(&runs->run[i], &ft_wall_s));
		newest->peak_bytes += bytes;
		pack->footprint_bytes = fmax(pack->footprint_bytes, bytes);
		for (size_t k = 0; k < pack->n_resources; k++)
			newest->each[k] += ft_run_value(&runs->run[i], pack->resource[k]) / (double)runs->n;
	}
	limit_by_memory(pack);
	if (pack->n == 1) {
		/* 1, 2, 4 ... and the most: of the first round, the fewest first, and one alone again. */
		for (size_t k = 2; k < pack->most && pack->n_levels + 2 < FT_PACK_LEVELS; k *= 2)
			add_level(pack, k);
		if (pack->most > 1)
			add_level(pack, pack->most);
		pack->queue[pack->n_queue++] = 1;
		for (size_t i = pack->n_levels; i-- > 1;)
			pack->queue[pack->n_queue++] = pack->level[i];
	}
	return FT_OK;
}
