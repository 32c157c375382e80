/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - the table of micro-benchmarks, and the rounds through it. */
#include "measure/calibrate.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/measure.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the table ----------------------------------------------------------------------------------------- */

static const struct ft__micro *const kinds[] = {ft__micro_processor, ft__micro_memory, ft__micro_system};

static const struct ft__micro *get(size_t i)
{
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		for (const struct ft__micro *each = kinds[k]; each->micro.name; each++, i--)
			if (!i)
				return each;
	}
	return NULL;
}

const struct ft_micro *ft_micro_get(size_t i)
{
	const struct ft__micro *found = get(i);

	return found ? &found->micro : NULL;
}

const struct ft_micro *ft_micro_find(const char *name)
{
	const size_t prefix = strlen(FT_CALIBRATION_PREFIX);
	const struct ft_micro *each;

	if (!strncmp(name, FT_CALIBRATION_PREFIX, prefix))
		name += prefix;
	for (size_t i = 0; (each = ft_micro_get(i)); i++)
		if (!strcmp(each->name, name))
			return each;
	return NULL;
}

/* What sanitizers add to each load and store is not the machine's. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

const char *ft_calibration_version(void)
{
#if defined(__OPTIMIZE__) && !defined(SANITIZED)
	return "calibration 1";
#else
	return "calibration 1, not optimised";
#endif
}

/* ---- samples ------------------------------------------------------------------------------------------- */

enum ft_status ft_calibration_add(struct ft_calibration *calibration, const struct ft_micro_sample *sample,
				  struct ft_err *err)
{
	struct ft_micro_sample *grown =
		ft_grow(calibration->sample, calibration->n, &calibration->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	calibration->sample = grown;
	calibration->sample[calibration->n++] = *sample;
	return FT_OK;
}

void ft_calibration_clear(struct ft_calibration *calibration)
{
	if (!calibration)
		return;
	ft_free(calibration->sample);
	*calibration = (struct ft_calibration){0};
}

/* ---- one micro-benchmark ------------------------------------------------------------------------------- */

enum { REPETITIONS_MOST = 64 };

static bool is_interrupted(const struct ft_calibrate_options *options)
{
	return options->interrupt && *options->interrupt;
}

static double seconds_of(const struct ft__micro *micro, struct ft__workplace *place, uint64_t count,
			 uint64_t *done)
{
	double start = ft_clock_s();

	*done = micro->run(place, count);
	return ft_clock_s() - start;
}

/* What disturbs a repetition only ever adds to it: the lower quartile tells more than the median. */
static double lower_quartile(const double *value, size_t n)
{
	return ft_stats_ranked(value, n, (n - 1) / 4);
}

/* Operations are doubled until they take long enough (which warms up too), then timed several times. */
static double time_it(const struct ft__micro *micro, struct ft__workplace *place,
		      const struct ft_calibrate_options *options)
{
	double value[REPETITIONS_MOST], elapsed;
	uint64_t count = 1, done = 0;
	size_t i;

	while (!is_interrupted(options) && !place->error) {
		elapsed = seconds_of(micro, place, count, &done);
		if (!(elapsed < options->least_s))
			break;
		count = 2 * done;
	}
	for (i = 0; i < options->repetitions && !is_interrupted(options) && !place->error; i++) {
		elapsed = seconds_of(micro, place, done, &done);
		value[i] = elapsed / (double)done;
	}
	return i && !place->error ? lower_quartile(value, i) : NAN;
}

/* Half of the memory is left to whatever else there is. */
static bool has_memory(const struct ft_micro *micro, struct ft_micro_sample *sample)
{
	double limit;

	if (!micro->bytes || ft_memory_limit_bytes("", &limit, NULL, NULL) ||
	    2 * (double)micro->bytes <= limit)
		return true;
	(void)snprintf(sample->reason, sizeof sample->reason,
		       "it goes over %zu MiB, and a run may have %.0f MiB here: allow twice as much",
		       micro->bytes >> 20, limit / (1 << 20));
	return false;
}

static enum ft_status measure_micro(const struct ft__micro *micro, const struct ft_calibrate_options *options,
				    struct ft_micro_sample *sample, struct ft_err *err)
{
	struct ft__workplace place = {0};
	struct ft_err why = {0};
	enum ft_status status = FT_OK;

	*sample = (struct ft_micro_sample){.micro = &micro->micro, .wall_s = NAN};
	sample->started_ns = ft_clock_real_ns() / 1000 * 1000;
	if (!has_memory(&micro->micro, sample))
		return FT_OK;
	if (micro->prepare)
		status = micro->prepare(&micro->micro, &place, &why);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status) {
		(void)snprintf(sample->reason, sizeof sample->reason, "%.250s", why.text);
		return FT_OK;
	}
	sample->wall_s = time_it(micro, &place, options);
	if (micro->finish)
		micro->finish(&place);
	if (place.error)
		(void)snprintf(sample->reason, sizeof sample->reason, "%s", strerror(place.error));
	return FT_OK;
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

/* What was not to be had once is not tried again. */
static bool is_given_up(const struct ft_calibration *calibration, const struct ft_micro *micro)
{
	for (size_t i = 0; i < calibration->n; i++)
		if (calibration->sample[i].micro == micro && isnan(calibration->sample[i].wall_s))
			return true;
	return false;
}

static struct ft_calibrate_options with_defaults(const struct ft_calibrate_options *given)
{
	struct ft_calibrate_options options = *given;

	options.rounds = options.rounds ? options.rounds : 5;
	options.repetitions = options.repetitions ? options.repetitions : 15;
	if (options.repetitions > REPETITIONS_MOST)
		options.repetitions = REPETITIONS_MOST;
	options.least_s = options.least_s > 0 ? options.least_s : 0.002;
	options.most_s = options.most_s > 0 ? options.most_s : 50;
	return options;
}

enum ft_status ft_calibrate(const struct ft_calibrate_options *options, struct ft_calibration *out,
			    struct ft_err *err)
{
	const struct ft_calibrate_options full = with_defaults(options);
	double start = ft_clock_s();
	const struct ft__micro *micro;
	struct ft_micro_sample sample;
	size_t n = 0;
	enum ft_status status = FT_OK;

	*out = (struct ft_calibration){0};
	if (isnan(start))
		return ft_fail(err, FT_EUNAVAIL, "this system has no monotonic clock");
	while (get(n))
		n++;
	for (size_t round = 0; !status && round < full.rounds; round++)
		for (size_t i = 0; !status && (micro = get(i)); i++) {
			if (is_given_up(out, &micro->micro) || (out->n && ft_clock_s() - start > full.most_s))
				continue;
			status = measure_micro(micro, &full, &sample, err);
			if (!status && is_interrupted(&full))
				status = ft_fail(err, FT_EINTR, "interrupted");
			if (!status)
				status = ft_calibration_add(out, &sample, err);
			if (!status && full.progress)
				full.progress(full.ctx, round * n + i + 1, full.rounds * n);
		}
	if (status)
		ft_calibration_clear(out);
	return status;
}
