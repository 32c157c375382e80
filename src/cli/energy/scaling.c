/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling.c - runs on several numbers of cores: of a table, or of a program whose parameter they are. */
#include "cli/energy/energy.h"
#include "cli/models.h"
#include "foretime/csv.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct times {
	double *threads, *seconds;
	size_t n;
};

static void add_time(struct times *t, double threads, double seconds)
{
	t->threads = cli_grow(t->threads, t->n, sizeof *t->threads);
	t->seconds = cli_grow(t->seconds, t->n, sizeof *t->seconds);
	t->threads[t->n] = threads;
	t->seconds[t->n++] = seconds;
}

static int of_table(struct times *t, const char *path)
{
	static const char *const cores[] = {"n", "cores", "threads", NULL}, *const wall[] = {
										    "t_wall",  "t_wall_s",
										    "wall_s",  "time",
										    "seconds", NULL};
	struct ft_err err = {0};
	struct ft_csv *csv;
	int status = CLI_DONE;

	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	int threads = ft_csv_column_of(csv, cores);
	int seconds = ft_csv_column_of(csv, wall);
	if (threads < 0 || seconds < 0)
		status = cli_fail(
			"'%s' has no column of cores, or of times\n"
			"hint: its columns are n (cores, threads) and t_wall (wall_s, time), seconds",
			path);
	for (size_t i = 0; i < ft_csv_rows(csv) && status == CLI_DONE; i++) {
		double n, s;

		if (ft_csv_number(csv, i, (size_t)threads, false, &n, &err) ||
		    ft_csv_number(csv, i, (size_t)seconds, false, &s, &err))
			status = cli_error(&err);
		else
			add_time(t, n, s);
	}
	ft_csv_free(csv);
	return status;
}

/* Runs that have the values that were said of the other parameters. */
static bool is_like(const struct ft_size *size, const struct ft_size *like, size_t varying)
{
	for (size_t i = 0; i < size->n; i++)
		if (i != varying && size->value[i] != like->value[i])
			return false;
	return true;
}

/* "n=1000": values of the other parameters; the varying one has any. */
static int read_values(const struct ft_answerer *answerer, const char *threads, const char *const *word,
		       size_t n, struct ft_size *like)
{
	char *copy[FT_PARAMS_MAX];
	const char *name[FT_PARAMS_MAX + 1];
	double value[FT_PARAMS_MAX + 1];
	struct ft_err err = {0};
	size_t filled = 0;
	int status = CLI_DONE;

	for (size_t i = 0; i < n && status == CLI_DONE; i++) {
		copy[i] = cli_strdup(word[i]);
		filled++;
		*strchr(copy[i], '=') = 0;
		name[i] = copy[i];
		if (ft_number_parse(copy[i] + strlen(copy[i]) + 1, &value[i], &err))
			status = cli_error_at(&err, "%s", name[i]);
	}
	name[n] = threads;
	value[n] = 1;
	if (status == CLI_DONE && ft_ask_size(answerer, name, value, n + 1, like, &err))
		status = cli_error(&err);
	while (filled)
		free(copy[--filled]);
	return status;
}

static int of_program(struct times *t, const struct cli_energy *e, const char *program,
		      const char *const *word, size_t n)
{
	FT_CLEANUP(cli_models_close) struct cli_models models = {0};
	struct ft_size like;
	int varying, status = cli_models_open(&models, e->store_path, program, NULL, NULL);

	if (status == CLI_DONE)
		status = read_values(models.answerer, e->by, word, n, &like);
	if (status == CLI_DONE) {
		varying = ft_program_find_param(ft_ask_program(models.answerer), e->by);
		const struct ft_runs *runs = ft_ask_runs(models.answerer);
		for (size_t i = 0; i < runs->n; i++) {
			const struct ft_run *run = &runs->run[i];

			if (run->outcome == FT_DONE && !run->warmup &&
			    is_like(&run->size, &like, (size_t)varying) &&
			    ft_run_idle_value(run, &ft_wall_s) > 0)
				add_time(t, run->size.value[varying], ft_run_idle_value(run, &ft_wall_s));
		}
		if (!t->n)
			status = cli_fail("no run of '%s' with a wall time has these values", program);
	}
	return status;
}

int cli_scaling_fit(const struct cli_energy *e, const char *name, const char *const *word, size_t n,
		    struct ft_amdahl *out)
{
	struct times times = {0};
	struct ft_err err = {0};
	int status;

	if (e->by)
		status = of_program(&times, e, name, word, n);
	else if (!access(name, F_OK) || !strcmp(name, "-"))
		status = of_table(&times, name);
	else {
		(void)cli_fail(
			"there is no file '%s'\n"
			"hint: for a program, name the parameter that is the number of cores: --by PARAM",
			name);
		status = CLI_WRONG;
	}
	if (status == CLI_DONE &&
	    ft_amdahl_fit(out, times.threads, times.seconds, times.n, e->confidence, &err))
		status = cli_error(&err);
	free(times.threads);
	free(times.seconds);
	return status;
}
