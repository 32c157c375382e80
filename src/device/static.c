/* SPDX-License-Identifier: GPL-3.0-or-later */
/* static.c - choosing a device for a kernel that never ran there, and whether that is worth doing. */
#include "base/alloc.h"
#include "foretime/rates.h"

#include <math.h>
#include <string.h>

size_t ft_static_choose(const double *seconds, const bool *busy, size_t devices)
{
	size_t best = devices;

	for (size_t i = 0; i < devices; i++)
		if (!isnan(seconds[i]) && !(busy && busy[i]) &&
		    (best == devices || seconds[i] < seconds[best]))
			best = i;
	return best;
}

/* The device that is best most often. */
static size_t find_majority(const double *measured, size_t launches, size_t devices)
{
	size_t most = 0, found = 0;

	for (size_t d = 0; d < devices; d++) {
		size_t times = 0;

		for (size_t i = 0; i < launches; i++)
			times += ft_static_choose(measured + i * devices, NULL, devices) == d;
		if (times > most) {
			most = times;
			found = d;
		}
	}
	return found;
}

/* ln of what a device takes by the best. */
static double ln_loss(const double *measured, size_t devices, size_t device)
{
	return log(measured[device] / measured[ft_static_choose(measured, NULL, devices)]);
}

static bool all_known(const double *foretold, size_t devices)
{
	size_t d;

	for (d = 0; d < devices && !isnan(foretold[d]); d++)
		;
	return d == devices;
}

enum ft_status ft_static_judge(struct ft_static_record *out, const double *foretold, const double *measured,
			       size_t launches, size_t devices, struct ft_err *err)
{
	double by_static = 0, by_majority = 0;

	if (!launches || !devices)
		return ft_fail(err, FT_EINVAL, "a record needs a launch and a device");
	for (size_t i = 0; i < launches * devices; i++)
		if (!(measured[i] > 0) || !isfinite(measured[i]))
			return ft_fail(err, FT_EINVAL, "launch %zu has a time that is not above 0",
				       i / devices + 1);
	out->launches = launches;
	out->majority = find_majority(measured, launches, devices);
	for (size_t i = 0; i < launches; i++) {
		const double *told = foretold + i * devices, *took = measured + i * devices;
		size_t chosen =
			all_known(told, devices) ? ft_static_choose(told, NULL, devices) : out->majority;

		by_static += ln_loss(took, devices, chosen);
		by_majority += ln_loss(took, devices, out->majority);
	}
	out->by_static = exp(by_static / (double)launches);
	out->by_majority = exp(by_majority / (double)launches);
	out->abstain = by_static >= by_majority;
	return FT_OK;
}

static bool is_same_launch(const struct ft_timed_launch *a, const struct ft_timed_launch *b)
{
	for (size_t j = 0; j < FT_RATES; j++)
		if (a->amount[j] < b->amount[j] || a->amount[j] > b->amount[j])
			return false;
	return !strcmp(a->kernel, b->kernel);
}

static bool are_alike(const struct ft_timed *timed, size_t devices)
{
	for (size_t k = 1; k < devices; k++) {
		if (timed[k].n != timed[0].n)
			return false;
		for (size_t i = 0; i < timed[0].n; i++)
			if (!is_same_launch(&timed[0].row[i], &timed[k].row[i]))
				return false;
	}
	return devices > 1;
}

enum ft_status ft_static_judge_timed(struct ft_static_record *out, const struct ft_timed *timed,
				     const double *const *left_out, size_t devices, struct ft_err *err)
{
	size_t n = devices ? timed[0].n : 0, i, k;

	if (!are_alike(timed, devices))
		return ft_fail(err, FT_ENOMODEL, "the devices did not make the same launches");
	double *foretold = ft_calloc(2 * n * devices + 1, sizeof *foretold);
	if (!foretold)
		return ft_nomem(err);
	double *measured = foretold + n * devices;
	for (i = 0; i < n; i++)
		for (k = 0; k < devices; k++) {
			foretold[i * devices + k] = left_out[k][i];
			measured[i * devices + k] = timed[k].row[i].seconds;
		}
	enum ft_status status = ft_static_judge(out, foretold, measured, n, devices, err);
	ft_free(foretold);
	return status;
}

struct ft_static_choice ft_static_decide(const double *seconds, size_t devices,
					 const struct ft_static_record *record)
{
	struct ft_static_choice choice = {.best = ft_static_choose(seconds, NULL, devices),
					  .second = devices};

	if (choice.best == devices)
		return choice;
	choice.abstained = record && record->abstain && record->majority != choice.best;
	if (choice.abstained)
		choice.best = record->majority;
	for (size_t i = 0; i < devices; i++)
		if (i != choice.best && !isnan(seconds[i]) &&
		    (choice.second == devices || seconds[i] < seconds[choice.second]))
			choice.second = i;
	return choice;
}
