/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake-source.h - a source of runs with a time and a memory, that is killed where memory ends. */
#ifndef FT_TEST_FAKE_SOURCE_H
#define FT_TEST_FAKE_SOURCE_H

#include "base/random.h"
#include "measure/measure.h"

#include <math.h>

struct fake_source {
	struct ft_source source;
	double (*seconds)(double x);
	double (*bytes)(double x);
	/* in place of these, where there are several parameters */
	double (*seconds_of)(const double *size);
	double (*bytes_of)(const double *size);
	/* instructions, counted in a run of its own, which takes count_s unless the last run was of that size
	 */
	double (*counts)(double x);
	double (*count_s)(double x);
	double counted;
	double memory;     /* a run that needs more is killed; infinite: none */
	double start_s;    /* what a run costs beside its seconds */
	double noise;      /* of ln seconds: the same whenever a size is run for so-manieth time */
	double odd_fails;  /* the first run at every so-manieth size fails; 0: none */
	double odd_stands; /* the first run at every so-manieth size stood still, and its time is not known */
	size_t has;        /* so many runs of a size, and no more; 0: any */
	double work;       /* that a run tells: so many times its size; 0: none */
	double fails_from; /* runs from this size on fail */
	double invalid_to; /* smaller sizes make no sense */
	size_t runs;
	double largest;    /* size that was run */
	double most_bytes; /* that a run needed */
};

static enum ft_status fake_run(struct ft_source *source, const struct ft_size *size, size_t index,
			       double limit_s, struct ft_runs *runs, struct ft_err *err)
{
	struct fake_source *fake = (struct fake_source *)source;
	struct ft_run run;
	double x = size->value[0],
	       seconds = fake->seconds_of ? fake->seconds_of(size->value) : fake->seconds(x),
	       bytes = fake->bytes_of ? fake->bytes_of(size->value) : fake->bytes(x), frozen_s = 0;

	if (fake->noise > 0) {
		struct ft_random random = {(uint64_t)x * 1000 + index};

		seconds *= exp(fake->noise * ft_random_normal(&random));
	}
	if (fake->has > 0 && index >= fake->has)
		return ft_fail(err, FT_EEND, "no more runs of that size");
	ft_run_init(&run);
	run.size = *size;
	run.work = fake->work > 0 ? fake->work * x : (double)NAN;
	fake->runs++;
	fake->largest = fmax(fake->largest, x);
	fake->most_bytes = fmax(fake->most_bytes, bytes);
	run.cost_s = (limit_s > 0 ? fmin(seconds, limit_s) : seconds) + fake->start_s;
	if (fake->counts && x != fake->counted)
		run.cost_s += fake->count_s(x);
	fake->counted = x;
	if (x < fake->invalid_to)
		run.outcome = FT_INVALID;
	else if (bytes > fake->memory)
		run.outcome = FT_OUT_OF_MEMORY;
	else if (x >= fake->fails_from || (fake->odd_fails > 0 && !index && fmod(x, fake->odd_fails) == 0))
		run.outcome = FT_FAILED;
	else if (limit_s > 0 && seconds > limit_s)
		run.outcome = FT_TIMED_OUT;
	if (run.outcome == FT_TIMED_OUT &&
	    ft_run_add(&run, &ft_wall_s, limit_s, FT_SIMULATED, "fake", NULL, err)) {
		ft_run_clear(&run);
		return FT_ENOMEM;
	}
	if (fake->odd_stands > 0 && !index && fmod(x, fake->odd_stands) == 0)
		frozen_s = 0.5 * seconds;
	if (run.outcome == FT_DONE &&
	    ((frozen_s > 0 ? ft_run_add(&run, &ft_frozen_s, frozen_s, FT_SIMULATED, "fake", NULL, err)
			   : ft_run_add(&run, &ft_wall_s, seconds, FT_SIMULATED, "fake", NULL, err)) ||
	     (fake->counts &&
	      ft_run_add(&run, &ft_instructions, fake->counts(x), FT_SIMULATED, "fake", NULL, err)) ||
	     (!isnan(bytes) &&
	      ft_run_add(&run, &ft_peak_tree_bytes, bytes, FT_SIMULATED, "fake", NULL, err)))) {
		ft_run_clear(&run);
		return FT_ENOMEM;
	}
	return ft_runs_take(runs, &run, err);
}

static void fake_close(struct ft_source *source)
{
	(void)source; /* the test's own */
}

static const struct ft_source_ops fake_ops = {.name = "fake", .run = fake_run, .close = fake_close};

/* Ends neither by memory nor by failure; change that after. */
static struct fake_source make_fake(double (*seconds)(double x), double (*bytes)(double x))
{
	return (struct fake_source){.source = {.ops = &fake_ops},
				    .seconds = seconds,
				    .bytes = bytes,
				    .memory = INFINITY,
				    .fails_from = INFINITY};
}

#endif
