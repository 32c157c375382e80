/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack_report.c - what looks at copies say: by how much each number of them uses more, and where that begins.
 */
#include "base/alloc.h"
#include "build/pack.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

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

/* The logarithm of what one alone used at the moment of a look: between the runs alone before and after it,
 * in proportion; NaN: there is none. */
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

struct ft_pack_ratio ft__pack_ratio(const struct ft_pack *pack, size_t copies, size_t resource,
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

enum ft__verdict ft__pack_verdict(const struct ft_pack *pack, size_t copies, size_t resource)
{
	const struct ft_pack_ratio ratio = ft__pack_ratio(pack, copies, resource, NULL);

	if (copies == 1 || ratio.upper <= 1 + pack->options.within)
		return FT__HOLDS;
	return ratio.lower > 1 + pack->options.within ? FT__BREAKS : FT__OPEN;
}

double ft__pack_alone_s(const struct ft_pack *pack)
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
	level->longer = ft__pack_ratio(pack, copies, 0, &level->rounds);
	level->last = ft__pack_ratio(pack, copies, FT__LAST, NULL);
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
		const struct ft_pack_ratio ratio = ft__pack_ratio(pack, copies, k, NULL);
		enum ft__verdict verdict = ft__pack_verdict(pack, copies, k);

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

static void find_bound(const struct ft_pack *pack, struct ft_pack_report *report)
{
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
}

enum ft_status ft_pack_report(const struct ft_pack *pack, struct ft_pack_report *report, struct ft_err *err)
{
	*report = (struct ft_pack_report){.stop = pack->stop, .spent_s = pack->spent_s, .best = 1};
	report->alone_s = ft__pack_alone_s(pack);
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
	find_bound(pack, report);
	return FT_OK;
}
