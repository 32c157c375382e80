/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask-test.h - a store with made programs, for tests of questions. Include after tap.h and temp.h. */
#ifndef FT_TEST_ASK_H
#define FT_TEST_ASK_H

#include "base/random.h"
#include "foretime/ask.h"

#include <math.h>
#include <string.h>

static struct ft_store *store;
static int64_t machine;

__attribute__((unused)) static void open_store(void)
{
	struct ft_machine m = {.fingerprint = strdup("00000000000000aa"), .host = strdup("made")};
	struct ft_err err = {0};

	if (ft_store_open(&store, temp_path("store.db"), 0, &err) || ft_store_put_machine(store, &m, &err))
		diag("%s", err.text);
	machine = m.id;
	ft_machine_clear(&m);
}

/* A program whose parameters are n, and m where range_m is given. */
__attribute__((unused)) static int64_t add_program(const char *name, const char *range_n, const char *range_m)
{
	struct ft_program p = {.name = strdup(name), .hash = strdup(""), .n_params = range_m ? 2 : 1};
	int64_t id;

	(void)ft_param_parse(range_n, &p.param[0], NULL);
	if (range_m)
		(void)ft_param_parse(range_m, &p.param[1], NULL);
	if (ft_store_put_program(store, &p, NULL))
		diag("cannot store '%s'", name);
	id = p.id;
	ft_program_clear(&p);
	return id;
}

/* A run; values that are NaN are left out. */
__attribute__((unused)) static struct ft_run made_run(size_t params, double n, double m, double seconds,
						      double bytes, double cpu_s)
{
	struct ft_run run = {.size = {.n = params, .value = {n, m}}, .work = NAN, .cost_s = seconds};

	if (!isnan(seconds))
		(void)ft_run_add(&run, &ft_wall_s, seconds, FT_MEASURED, "test", NULL, NULL);
	if (!isnan(cpu_s))
		(void)ft_run_add(&run, &ft_cpu_s, cpu_s, FT_MEASURED, "test", NULL, NULL);
	if (!isnan(bytes))
		(void)ft_run_add(&run, &ft_peak_tree_bytes, bytes, FT_MEASURED, "test", NULL, NULL);
	return run;
}

__attribute__((unused)) static void add_run(int64_t program, struct ft_run run)
{
	if (ft_store_add_run(store, program, machine, &run, NULL))
		diag("cannot store a run");
	ft_run_clear(&run);
}

/* A program of one parameter: start-up and a power with noise. */
__attribute__((unused)) static void add_random(const char *name, struct ft_random *random, int sizes)
{
	int64_t id = add_program(name, "n=10:10000", NULL);
	double p = 0.3 + 2.5 * ft_random_uniform(random), q = 0.5 + ft_random_uniform(random);
	double start = pow(10, -2 + 4 * ft_random_uniform(random)), noise = 0.2 * ft_random_uniform(random);

	for (int i = 0; i < sizes; i++)
		for (int k = 0; k < 3; k++) {
			double n = round(10 * pow(1000, (double)i / (sizes - 1)));

			add_run(id,
				made_run(1, n, 0,
					 (start + pow(n / 100, p)) * exp(noise * ft_random_normal(random)),
					 3e7 + 1e4 * pow(n, q), NAN));
		}
}

__attribute__((unused)) static struct ft_size size_of(double n)
{
	return (struct ft_size){.n = 1, .value = {n}};
}

__attribute__((unused)) static struct ft_answerer *open_models(const char *name)
{
	struct ft_answerer *models = NULL;
	struct ft_err err = {0};

	if (ft_ask_open(&models, store, name, NULL, machine, &err))
		diag("%s", err.text);
	return models;
}

#endif
