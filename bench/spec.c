/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.c - document 004, chapter 11, by one core: 16,704 fits and 1,670,400 predictions.
 *
 *	spec [TABLE.csv [SOLVER [EACH]]]
 *
 * Each of 29 programs is described by each basis size from 2 to 25 on each of 24 training sizes from 40 to
 *200 machines, and foretold with its interval on 100 other ones. No processor is on both sides where the
 *table has a column processor_id. EACH: only every so manyth of the 576 settings. The table is by default
 *that of SPEC CPU2006 in $FORETIME_DATA.
 */
#include "foretime/surrogate.h"
#include "surrogate/door.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BASIS_LEAST = 2, BASIS_MOST = 25, TRAIN_LEAST = 40, TRAIN_MOST = 200, TRAIN_SIZES = 24, TESTS = 100 };

static double cpu_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int fail(const struct ft_err *err)
{
	fprintf(stderr, "spec: %s\n", err->text);
	return 2;
}

/* Sums over all settings. */
struct sum {
	double rae, coverage;
	size_t fits, predictions, settings;
};

static int run_all(struct ft_trials *trials, size_t each, struct sum *sum)
{
	struct ft_trials_result result;
	struct ft_err err = {0};
	size_t at = 0;

	for (trials->k = BASIS_LEAST; trials->k <= BASIS_MOST; trials->k++)
		for (size_t i = 0; i < TRAIN_SIZES; i++) {
			if (at++ % each)
				continue;
			trials->train = TRAIN_LEAST + i * (TRAIN_MOST - TRAIN_LEAST) / (TRAIN_SIZES - 1);
			trials->seed = at;
			if (ft_trials_run(trials, &result, &err))
				return fail(&err);
			sum->rae += result.all.rae;
			sum->coverage += result.all.coverage;
			sum->fits += result.all.fits;
			sum->predictions += result.all.predictions;
			sum->settings++;
			ft_trials_clear(&result);
		}
	return 0;
}

int main(int argc, char **argv)
{
	const char *data = getenv("FORETIME_DATA"), *name = argc > 2 ? argv[2] : "kernel";
	const struct ft_matrix_options options = {.programs = "^[0-9]+[.]", .group = "processor_id"};
	struct ft_matrix matrix = {0};
	struct ft_trials trials = {.repeats = 1, .test = TESTS, .confidence = 0.9};
	struct ft_err err = {0};
	struct sum sum = {0};
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/spec_cpu2006/times_29.csv", data ? data : "../shared/data");
	if (ft_matrix_read(argc > 1 ? argv[1] : path, &options, &matrix, &err))
		return fail(&err);
	trials.solver = ft_solver_find(name);
	if (!trials.solver) {
		fprintf(stderr, "spec: no solver '%s'\n", name);
		return 2;
	}
	trials.value = matrix.value;
	trials.group = matrix.group;
	trials.m = matrix.rows;
	trials.n = matrix.columns;
	double began = cpu_s();
	int status = run_all(&trials, argc > 3 ? strtoul(argv[3], NULL, 10) : 1, &sum);
	began = cpu_s() - began;
	if (!status && sum.settings)
		printf("%s: %zu fits, %zu predictions, %.2f s of one core, %.3f ms a fit, RAE %.3f, inside "
		       "%.1f %%\n",
		       name, sum.fits, sum.predictions, began, 1e3 * began / (double)sum.fits,
		       sum.rae / (double)sum.settings, 100 * sum.coverage / (double)sum.settings);
	ft_matrix_clear(&matrix);
	return status;
}
