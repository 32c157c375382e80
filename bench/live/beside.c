/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside.c - what is known when a run beside others is foretold, for those who try other ways to do it.
 *
 *	bench-beside load                    the load of others now, and the processors
 *	bench-beside STORE NAME N...         of a store that bench/live/live --keep left
 *	bench-beside score FOLDER RAW        how good this version's answers are, of all that it left
 *
 * Rows parted by tabs: "run", of each that tells how it was slowed: ln of its busy seconds, ln of the fair
 * slow-down, and how far it was off (ft_slow_downs_make); "size", of each N on an idle machine: N, typical,
 * lower, upper, seconds on processors, and how many threads.
 */
#include "foretime/ask.h"
#include "load/door.h"
#include "score.h"
#include "store/door.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const struct ft_err *err)
{
	(void)fprintf(stderr, "bench-beside: %s\n", err->text);
	return 1;
}

static int print_load(void)
{
	struct ft_err err = {0};
	double load;
	int processors;

	if (ft_load_now(0.2, FT_SHARING_FAIR, &load, &processors, &err))
		return fail(&err);
	printf("%.3f\t%d\n", load, processors);
	return 0;
}

static void print_runs(const struct ft_slow_downs *slow_downs)
{
	for (size_t i = 0; i < slow_downs->n; i++)
		printf("run\t%.6g\t%.6g\t%.6g\n", slow_downs->run[i].ln_busy, slow_downs->run[i].ln_fair,
		       slow_downs->run[i].off);
}

static int print_size(struct ft_answerer *models, const char *text, double threads)
{
	struct ft_size size = {.n = 1, .value = {strtod(text, NULL)}};
	struct ft_prediction wall, cpu = {0};
	struct ft_err err = {0};

	if (ft_ask_predict(models, &ft_wall_s, &size, 0.9, &wall, &err))
		return fail(&err);
	(void)ft_ask_predict(models, &ft_cpu_s, &size, 0.9, &cpu, NULL);
	printf("size\t%g\t%.6g\t%.6g\t%.6g\t%.6g\t%.4g\n", size.value[0], wall.value, wall.lower, wall.upper,
	       cpu.value > 0 ? fmin(wall.value, cpu.value / threads) : wall.value, threads);
	return 0;
}

int main(int argc, char **argv)
{
	struct ft_slow_downs slow_downs = {0};
	struct ft_answerer *models = NULL;
	struct ft_store *store = NULL;
	struct ft_err err = {0};
	int status = 0;

	if (argc == 2 && !strcmp(argv[1], "load"))
		return print_load();
	if (argc == 4 && !strcmp(argv[1], "score"))
		return score_kept(argv[2], argv[3]);
	if (argc < 4) {
		(void)fprintf(stderr, "usage: bench-beside load | bench-beside STORE NAME N... | "
				      "bench-beside score FOLDER RAW\n");
		return 2;
	}
	if (ft_store_open(&store, argv[1], FT_STORE_READ, &err) ||
	    ft_ask_open(&models, store, argv[2], NULL, 0, &err) ||
	    ft_slow_downs_make(&slow_downs, ft_ask_runs(models), &err))
		status = fail(&err);
	if (!status)
		print_runs(&slow_downs);
	for (int i = 3; i < argc && !status; i++)
		status = print_size(models, argv[i], slow_downs.threads);
	ft_slow_downs_clear(&slow_downs);
	ft_ask_close(models);
	ft_store_close(store);
	return status;
}
