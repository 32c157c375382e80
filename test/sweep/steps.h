/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.h - a sweep over a function, driven by its steps. Include in one file of a program. */
#ifndef FT_TEST_SWEEP_STEPS_H
#define FT_TEST_SWEEP_STEPS_H

#include "bench.h"
#include "fake-source.h"
#include "sweep/door.h"
#include "tap.h"
#include "temp.h"

#include <math.h>

__attribute__((unused)) static double rising(double x)
{
	return 1e-6 * x * sqrt(x) * (1 + 0.1 * sin(x / 300));
}

static double no_bytes(double x)
{
	(void)x;
	return NAN;
}

static double product(const double *size)
{
	return 1e-4 + 1e-8 * size[0] * size[0] * size[1] * (size[0] * size[1] > 1e6 ? 1.5 : 1);
}

static double no_bytes_of(const double *size)
{
	(void)size;
	return NAN;
}

__attribute__((unused)) static struct fake_source make_noisy(size_t params)
{
	struct fake_source source = make_fake(rising, no_bytes);

	source.noise = 0.05;
	if (params > 1) {
		source.seconds_of = product;
		source.bytes_of = no_bytes_of;
	}
	return source;
}

static void use(struct bench *b, const char *path, size_t params, struct fake_source *source)
{
	struct ft_program *p = &b->program;

	*b = (struct bench){0};
	p->name = strdup("fake");
	p->hash = strdup("");
	p->n_params = params;
	b->machine.fingerprint = strdup("0123456789abcdef");
	if (ft_param_parse("n=64:3000", &p->param[0], &b->err) ||
	    ft_param_parse("m=20:2000", &p->param[1], &b->err) ||
	    ft_store_open(&b->store, path, 0, &b->err) ||
	    ft_store_put_machine(b->store, &b->machine, &b->err))
		diag("%s", b->err.text);
	b->source = &source->source;
}

static void leave(struct bench *b)
{
	b->source = NULL;
	tear_down(b);
}

static struct ft_sweep_options options_of(const char *method, struct ft_sweep_options options)
{
	options.builder = ft_builder_type_find(method);
	options.resource = &ft_wall_s;
	return options;
}

__attribute__((unused)) static struct ft_sweep *begin(struct bench *b, const struct ft_sweep_options *options)
{
	struct ft_sweep *sweep;

	b->err = (struct ft_err){0};
	if (ft_sweep_new(&sweep, b->store, &b->program, &b->machine, b->source, options, &b->err))
		diag("%s; %s", b->err.text, b->err.remedy);
	return sweep;
}

__attribute__((unused)) static struct ft_progress progress_of(const struct ft_sweep *sweep)
{
	struct ft_progress progress;

	ft_sweep_progress(sweep, &progress);
	return progress;
}

static struct ft_runs stored(const struct bench *b)
{
	struct ft_runs runs = {0};

	(void)ft_store_get_runs(b->store, b->program.id, b->machine.id, &runs, NULL);
	return runs;
}

static bool same_run(const struct ft_run *a, const struct ft_run *b)
{
	return ft_size_equal(&a->size, &b->size) && a->outcome == b->outcome &&
	       (a->outcome != FT_DONE || ft_run_value(a, &ft_wall_s) == ft_run_value(b, &ft_wall_s));
}

/* How many runs the store has twice: noise tells the so-manieth run of a size from the others. */
__attribute__((unused)) static size_t count_twice(const struct bench *b)
{
	struct ft_runs runs = stored(b);
	size_t n = 0;

	for (size_t i = 0; i < runs.n; i++)
		for (size_t j = 0; j < i; j++)
			n += runs.run[i].outcome == FT_DONE && same_run(&runs.run[i], &runs.run[j]);
	ft_runs_clear(&runs);
	return n;
}

__attribute__((unused)) static bool same_store(const struct bench *a, const struct bench *b)
{
	struct ft_runs x = stored(a), y = stored(b);
	bool same = x.n == y.n && x.n;

	for (size_t i = 0; i < x.n && same; i++)
		same = same_run(&x.run[i], &y.run[i]);
	ft_runs_clear(&x);
	ft_runs_clear(&y);
	return same;
}

#endif
