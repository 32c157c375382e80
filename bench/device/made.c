/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.c - choosers over made devices (test/device/families.h): what the chosen device takes over the best
 *one, by how many sizes of each were run; what running until it is decided costs; and what a choice costs at
 *run time.
 *
 *	build/bench/bench-device [PAIRS [SEED]]
 */
#include "../../test/device/families.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double noise = 0.05, much = 1.1; /* of a decided choice by the best one: it was none */

/* Which family, how many of its devices, and when a chooser stops. */
struct job {
	const char *family, *until;
	size_t devices, points;
	double tolerance;
	bool processes;
};

static void make(const struct job *job, struct ft_random *random, struct made *made)
{
	if (job->processes)
		make_processes(random, made, job->devices);
	for (size_t j = 0; j < job->devices && !job->processes; j += 2)
		make_pair(random, made + j);
}

static void row(const struct job *job, size_t n, uint64_t seed)
{
	struct ft_random random = {seed};
	size_t devices = job->devices, trusted = 0, wrong = 0;
	double sum = 0, worst = 0, seconds = 0, asked = 0, always[FT_DEVICES_MAX],
	       alone[FT_DEVICES_MAX] = {0};
	size_t runs, best = 0;

	for (size_t i = 0; i < n; i++) {
		struct made made[FT_DEVICES_MAX];
		double spent;

		make(job, &random, made);
		double before = ft_clock_s();
		struct ft_chooser *chooser = drive_chooser(made, devices, job->points, job->tolerance, noise,
							   &random, &runs, &spent);
		seconds += ft_clock_s() - before;
		asked += (double)runs / (double)n;
		double one = lost(chooser, made, devices, always);
		for (size_t j = 0; j < devices; j++)
			alone[j] += always[j] / (double)n;
		sum += one / (double)n;
		trusted += ft_chooser_stop(chooser) == FT_CHOOSER_DECIDED;
		wrong += ft_chooser_stop(chooser) == FT_CHOOSER_DECIDED && one > log(much);
		worst = fmax(worst, one);
		ft_chooser_free(chooser);
	}
	for (size_t j = 1; j < devices; j++)
		if (alone[j] < alone[best])
			best = j;
	printf("| %s | %zu | %s | %.1f | **%.3f** | %.2f | %.2f | %zu of %zu | %.1f ms |\n", job->family,
	       devices, job->until, asked, exp(sum), exp(worst), exp(alone[best]), wrong, trusted,
	       1e3 * seconds / ((double)n * asked));
	(void)fflush(stdout);
}

/* A store with two devices whose crossover lies in the range. */
static struct ft_dispatch *make_dispatch(const char *path)
{
	const struct made made[2] = {{1e-5, 1e-6, 1, 0, INFINITY, 1}, {1e-3, 5e-8, 1, 0, INFINITY, 1}};
	static const char *const device[] = {"cpu", "gpu"};
	struct ft_machine machine = {.fingerprint = (char *)(uintptr_t) "0123456789abcdef"};
	struct ft_dispatch *dispatch = NULL;
	struct ft_store *store;

	if (ft_store_open(&store, path, 0, NULL) || ft_store_put_machine(store, &machine, NULL))
		return NULL;
	for (size_t j = 0; j < 2; j++) {
		struct ft_program program = {.name = (char *)(uintptr_t) "made",
					     .device = (char *)(uintptr_t)device[j],
					     .hash = (char *)(uintptr_t) "h",
					     .n_params = 1};

		program.param[0] = (struct ft_param){
			.name = "n", .least = FAMILY_LEAST, .most = FAMILY_MOST, .stride = 1};
		(void)ft_store_put_program(store, &program, NULL);
		for (size_t n = FAMILY_LEAST; n <= FAMILY_MOST; n *= 4) {
			struct ft_run run;

			ft_run_init(&run);
			run.size = (struct ft_size){1, {(double)n}};
			(void)ft_run_add(&run, &ft_wall_s, made_s(&made[j], (double)n), FT_MEASURED, "child",
					 NULL, NULL);
			(void)ft_store_add_run(store, program.id, machine.id, &run, NULL);
			ft_run_clear(&run);
		}
	}
	(void)ft_dispatch_open(&dispatch, store, "made", NULL, NULL);
	ft_store_close(store);
	return dispatch;
}

static void time_choice(void)
{
	enum { TIMES = 4000000 };
	char path[] = "/tmp/bench-device.XXXXXX";
	int fd = mkstemp(path), i;
	double sizes[1024], sure, sum = 0, before, took, least = INFINITY;
	size_t device = 0;

	if (fd < 0)
		return;
	(void)close(fd);
	struct ft_dispatch *dispatch = make_dispatch(path);
	if (!dispatch) {
		(void)unlink(path);
		return;
	}
	for (size_t k = 0; k < 1024; k++)
		sizes[k] = FAMILY_LEAST * pow((double)FAMILY_MOST / FAMILY_LEAST, (double)k / 1023);
	for (size_t k = 0; k < 5; k++) {
		before = ft_clock_s();
		for (i = 0; i < TIMES; i++) {
			(void)ft_device_choose(dispatch, &sizes[i * 7 & 1023], &device, &sure);
			sum += sure + (double)device;
		}
		took = (ft_clock_s() - before) / TIMES;
		least = fmin(least, took);
	}
	printf("\n`ft_device_choose`: %.0f ns (the least of 5 times %d calls; %g)\n", 1e9 * least, TIMES,
	       sum);
	ft_dispatch_close(dispatch);
	(void)unlink(path);
}

int main(int argc, char **argv)
{
	static const struct job jobs[] = {
		{"pairs", "2 sizes of each", 2, 2, 1e-6, false},
		{"pairs", "3 sizes of each", 2, 3, 1e-6, false},
		{"pairs", "2 % are to be lost", 2, 0, 0.02, false},
		{"processes", "2 % are to be lost", 3, 0, 0.02, true},
	};
	size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 200, i;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20260101;

	printf("| devices | | until | runs | chosen by best | worst | best single one | decided, and over %g "
	       "| an "
	       "ask |\n"
	       "|---|---|---|---|---|---|---|---|---|\n",
	       much);
	for (i = 0; i < sizeof jobs / sizeof *jobs; i++)
		row(&jobs[i], n, seed);
	time_choice();
	return 0;
}
