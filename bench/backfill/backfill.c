/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backfill.c - what it does to everybody's waiting when a batch system plans with what our models say, and
 *what it costs to kill the jobs that take longer.
 *
 *	bench-backfill [--seed N] [--seeds N] [--jobs N] [--curves N] [FOLDER]
 *
 * Workloads are made, in the shape of two published traces; the errors of estimates are those of models that
 *were learned from thirty runs of each of many programs: recorded ones (of the folder), and made ones.
 */
#include "../words.h"
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of MetaCentrum's trace of 2013: 17,900 jobs of 75 users in 89 days keep 1,200 processors 89 % busy, so that
 * a job is 382 s of all of them in the mean; the median request is 13.5 times the run. Of HPC2N's the median
 * is 2.3 times. Sessions are long: people submit campaigns. */
static const struct shape shapes[] = {
	{"wide requests, one a session", 10800, 1.6, 0.7, 13.5, 1.2, 30, 512, false},
	{"wide requests, one a job", 10800, 1.6, 0.7, 13.5, 1.2, 30, 512, true},
	{"close requests, one a session", 5400, 1.4, 0.5, 2.3, 0.6, 10, 160, false},
};
static const double busy[] = {0.9, 0.8, 0.67};
static const struct {
	const char *estimate, *beyond;
} schemes[SCHEMES] = {
	[REQUESTED] = {"requested", "-"},
	[LAST_TWO] = {"mean of the user's last two", "raised"},
	[TYPICAL] = {"the model's typical run", "raised"},
	[MOST_1_RAISED] = {"at 1 % risk", "raised"},
	[MOST_5_RAISED] = {"at 5 % risk", "raised"},
	[MOST_1_KILLED] = {"at 1 % risk", "killed"},
	[MOST_5_KILLED] = {"at 5 % risk", "killed"},
	[EXACT] = {"true time", "-"},
};

enum {
	SHAPES = sizeof shapes / sizeof *shapes,
	LOADS = sizeof busy / sizeof *busy,
	SEEDS_MOST = 64,
	PROCESSORS = 256
};

struct options {
	uint64_t seed, seeds, jobs, curves;
	const char *folder;
};

static int compare(const void *a, const void *b)
{
	double p = *(const double *)a, q = *(const double *)b;

	return (p > q) - (p < q);
}

static double median(double *value, size_t n)
{
	qsort(value, n, sizeof *value, compare);
	return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* Of each seed, by what is requested there. */
static void print_row(enum scheme scheme, const struct outcome (*out)[SCHEMES], size_t n)
{
	double wait[SEEDS_MOST], slow[SEEDS_MOST], killed = 0, wasted = 0, middle;

	for (size_t i = 0; i < n; i++) {
		wait[i] = out[i][scheme].wait_s / out[i][REQUESTED].wait_s;
		slow[i] = out[i][scheme].slowdown / out[i][REQUESTED].slowdown;
		killed += out[i][scheme].killed / (double)n;
		wasted += out[i][scheme].wasted / (double)n;
	}
	middle = median(wait, n);
	printf("| %s | %s | %.2f (%.2f .. %.2f) | %.2f | %.1f %% | %.1f %% |\n", schemes[scheme].estimate,
	       schemes[scheme].beyond, middle, wait[0], wait[n - 1], median(slow, n), 100 * killed,
	       100 * wasted);
}

static void print_table(const struct shape *shape, double load, const struct outcome (*out)[SCHEMES],
			size_t n)
{
	double wait[SEEDS_MOST], slow[SEEDS_MOST];

	for (size_t i = 0; i < n; i++) {
		wait[i] = out[i][REQUESTED].wait_s;
		slow[i] = out[i][REQUESTED].slowdown;
	}
	printf("\n%s, %.0f %% busy: with requested limits jobs wait %.2g h, bounded slowdown %.3g\n\n",
	       shape->name, 100 * load, median(wait, n) / 3600, median(slow, n));
	printf("| estimate | if exceeded | wait | slowdown | killed | wasted |\n|---|---|---|---|---|---|\n");
	for (size_t k = 0; k < SCHEMES; k++)
		print_row((enum scheme)k, out, n);
}

static bool run_shape(const struct options *o, const struct shape *shape, double load,
		      const struct errors *pool, size_t n)
{
	struct outcome out[SEEDS_MOST][SCHEMES];
	bool good = true;

	for (uint64_t i = 0; i < o->seeds && good; i++) {
		struct jobs jobs;

		good = jobs_make(&jobs, shape, o->jobs, load, o->seed + i);
		for (size_t k = 0; k < SCHEMES && good; k++)
			good = jobs_run(&jobs, (enum scheme)k, pool, n, o->seed + i, &out[i][k]);
		jobs_free(&jobs);
	}
	if (good)
		print_table(shape, load, (const struct outcome(*)[SCHEMES])out, o->seeds);
	return good;
}

/* Of the programs, each as much as any other. */
static void print_errors(const struct errors *pool, size_t n)
{
	double over[2] = {0}, larger[2] = {0}, typical = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < pool[i].n; j++) {
			typical += fabs(log(pool[i].error[j].typical)) / (double)pool[i].n;
			for (size_t k = 0; k < 2; k++) {
				over[k] += (pool[i].error[j].most[k] < 1) / (double)pool[i].n;
				larger[k] += log(pool[i].error[j].most[k]) / (double)pool[i].n;
			}
		}
	printf("%zu programs: mean error of typical runs %.0f %%; requests at 1 %% and 5 %% are exceeded by "
	       "%.1f and "
	       "%.1f %% of runs, and are %.2f and %.2f times what a run takes\n",
	       n, 100 * typical / (double)n, 100 * over[0] / (double)n, 100 * over[1] / (double)n,
	       exp(larger[0] / (double)n), exp(larger[1] / (double)n));
}

static bool parse(int argc, char **argv, struct options *o)
{
	const struct word table[] = {
		{"--seed", WORD_COUNT, &o->seed},
		{"--seeds", WORD_COUNT, &o->seeds},
		{"--jobs", WORD_COUNT, &o->jobs},
		{"--curves", WORD_COUNT, &o->curves},
		{0},
	};

	*o = (struct options){.seed = 1, .seeds = 5, .jobs = 6000, .curves = 20};
	return words_read(table, argc, argv, &o->folder) && o->seeds && o->seeds <= SEEDS_MOST && o->jobs;
}

int main(int argc, char **argv)
{
	struct options o;
	struct errors *pool;
	size_t n;

	if (!parse(argc, argv, &o)) {
		(void)fprintf(
			stderr,
			"usage: bench-backfill [--seed N] [--seeds N (64 at most)] [--jobs N] [--curves N] "
			"[FOLDER]\n");
		return 2;
	}
	bool good = errors_learn(o.folder, o.curves, o.seed, &pool, &n);
	if (good)
		print_errors(pool, n);
	for (size_t s = 0; s < SHAPES && good; s++)
		for (size_t l = 0; l < LOADS && good; l++)
			good = run_shape(&o, &shapes[s], busy[l], pool, n);
	errors_free(pool, n);
	if (!good)
		(void)fprintf(stderr, "bench-backfill: no memory, or no program to learn\n");
	return !good;
}
