/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spot.c - `foretime energy sweet-spot`: the number of cores with the least energy, and the whole curve. */
#include "cli/cli.h"
#include "cli/energy/energy.h"
#include "foretime/base.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Runs on several numbers of cores: from a table, or from a program with such a parameter.
 */

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

/* Whether a run has the given values of the other parameters. */
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

/* scaling_fit - the serial share, from the runs of a table, or of a program whose parameter --by is the
 * number of cores. word: [n] values of its other parameters, NAME=VALUE. Returns CLI_DONE, or the exit
 * status after a complaint. */
static int scaling_fit(const struct cli_energy *e, const char *name, const char *const *word, size_t n,
		       struct ft_amdahl *out)
{
	struct times times = {0};
	struct ft_err err = {0};
	int status;

	if (e->by) {
		status = of_program(&times, e, name, word, n);
	} else if (!access(name, F_OK) || !strcmp(name, "-")) {
		status = of_table(&times, name);
	} else {
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

/*
 * `foretime energy sweet-spot`: the number of cores with the least energy, and the whole curve.
 */

enum { CORES_MOST = 1000000, ROWS_MOST = 20 };

struct energy_point {
	double cores, machines, seconds, speed_up, watts, joules;
};

struct energy_spot {
	double seconds, per, most;
	bool fitted;
	struct ft_amdahl law; /* of runs */
	struct ft_sweet_spot found;
	double lower,
		upper; /* cores, where the serial share is at the ends of its interval; NaN: it has none */
	struct energy_point *point; /* [n] by number of cores */
	size_t n;
};

/* Words of our own; the first other one names runs, values are of its parameters. */
static int read_spot(struct cli_energy *e, struct energy_spot *spot)
{
	const char *name = NULL, *value[FT_PARAMS_MAX];
	struct ft_err err = {0};
	enum ft_status status = FT_OK;
	size_t n = 0;

	*spot = (struct energy_spot){.per = NAN, .most = NAN, .lower = NAN, .upper = NAN};
	for (size_t i = 0; i < e->words && !status; i++) {
		const char *word = e->word[i];

		if (!strncmp(word, "time=", 5))
			status = ft_duration_parse(word + 5, &spot->seconds, &err);
		else if (!strncmp(word, "serial=", 7))
			status = ft_share_parse(word + 7, 0, 1, &e->serial, &err);
		else if (!strcmp(word, "waits=busy") || !strcmp(word, "waits=idle"))
			e->busy = !strcmp(word, "waits=busy");
		else if (!strncmp(word, "cores=", 6))
			status = ft_number_parse(word + 6, &spot->per, &err);
		else if (!strncmp(word, "most=", 5))
			status = ft_number_parse(word + 5, &spot->most, &err);
		else if (!strchr(word, '=') && !name)
			name = word;
		else if (strchr(word, '=') && e->by && n < FT_PARAMS_MAX)
			value[n++] = word;
		else
			return cli_fail("energy sweet-spot knows no '%s'", word);
	}
	if (status)
		return cli_error(&err);
	if (isnan(spot->most))
		spot->most = spot->per;
	if (!(isnan(spot->most) || (spot->most >= 1 && spot->most <= CORES_MOST)))
		return cli_fail("most=%g: write 1 to %d cores", spot->most, CORES_MOST);
	if (!(spot->per >= 1) || (name ? spot->seconds > 0 || !isnan(e->serial) : !(spot->seconds > 0)) ||
	    (!name && isnan(e->serial)))
		return cli_fail(
			"energy sweet-spot needs time=T, the time on one core, and serial=SHARE, or runs to "
			"find them in; and cores=N of a machine\n"
			"hint: write foretime energy sweet-spot time=3600s serial=10%% cores=16 most=64 "
			"--model FILE.json, or RUNS.csv (or NAME --by PARAM) in place of time and serial");
	spot->fitted = name != NULL;
	if (!name)
		return CLI_DONE;
	return scaling_fit(e, name, value, n, &spot->law);
}

static int seek_sweet_spot(const struct cli_energy *e, const struct energy_spot *spot, double serial,
			   struct ft_sweet_spot *out, double *joules)
{
	struct ft_err err = {0};

	if (ft_power_sweet_spot(&e->power, spot->seconds, serial, spot->per, (size_t)spot->most, e->busy, out,
				joules, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int find_spot(const struct cli_energy *e, struct energy_spot *spot)
{
	double serial = spot->fitted ? spot->law.serial : e->serial;
	CLI_OWN double *joules = cli_alloc((size_t)spot->most * sizeof *joules);
	struct ft_sweet_spot end;

	if (spot->fitted)
		spot->seconds = spot->law.seconds;
	CLI_TRY(seek_sweet_spot(e, spot, serial, &spot->found, joules));
	/* Figure 8.1: power, time and energy by number of cores. */
	spot->n = (size_t)spot->most;
	spot->point = cli_alloc(spot->n * sizeof *spot->point);
	for (size_t i = 0; i < spot->n; i++) {
		double cores = (double)i + 1, share = serial + (1 - serial) / cores;

		spot->point[i] = (struct energy_point){cores,
						       ceil(cores / spot->per),
						       spot->seconds * share,
						       1 / share,
						       joules[i] / (spot->seconds * share),
						       joules[i]};
	}
	if (!spot->fitted || isnan(spot->law.lower))
		return CLI_DONE;
	CLI_TRY(seek_sweet_spot(e, spot, spot->law.upper, &end, NULL));
	spot->lower = end.cores;
	CLI_TRY(seek_sweet_spot(e, spot, spot->law.lower, &end, NULL));
	spot->upper = end.cores;
	return CLI_DONE;
}

/* ---- answers ------------------------------------------------------------------------------------------- */

#define POINT struct energy_point
static const struct ft_tell_row point_rows[] = {
	{FT_TELL(POINT, cores), .whole = true, .head = ">cores"},
	{FT_TELL(POINT, machines), .whole = true, .head = ">machines"},
	{FT_TELL(POINT, seconds), .head = ">time", .unit = "s"},
	{FT_TELL(POINT, speed_up), .head = ">speed-up", .unit = ".3g"},
	{FT_TELL_AS("mean_w", POINT, watts), .about = "power on average", .head = ">power", .unit = "W"},
	{FT_TELL_AS("energy_j", POINT, joules), .head = ">energy", .unit = "J"},
	{0},
};
static const struct ft_tell_record points = {.bytes = sizeof(POINT), .row = point_rows};

#define LAW struct ft_amdahl
static const struct ft_tell_row law_rows[] = {
	{FT_TELL(LAW, seconds), .about = "on one core"},
	{FT_TELL(LAW, serial), .about = "the share of it that cannot be divided"},
	{FT_TELL(LAW, lower), .null = "the variation of times is not known"},
	{FT_TELL(LAW, upper), .null = "as lower"},
	{FT_TELL(LAW, off), .about = "largest relative error of the law"},
	{FT_TELL(LAW, rises), .about = "times rise again with more cores, which the law does not know"},
	{FT_TELL(LAW, counts), .about = "numbers of cores"},
	{FT_TELL(LAW, runs)},
	{0},
};
static bool law_there(const void *answer)
{
	return ((const LAW *)answer)->runs > 0;
}
static const struct ft_tell_record law = {.row = law_rows, .there = law_there};

#define SPOT struct energy_spot
static const struct ft_tell_row spot_rows[] = {
	{FT_TELL_AS("cores", SPOT, found.cores)},
	{FT_TELL_AS("cores_same", SPOT, found.same), .whole = true,
	 .about = "all from cores to this cost the same, and cores is the fewest"},
	{FT_TELL_AS("machines", SPOT, found.machines)},
	{FT_TELL_AS("energy_j", SPOT, found.joules)},
	{FT_TELL_AS("seconds", SPOT, found.seconds)},
	{FT_TELL_AS("serial_energy_j", SPOT, found.serial_joules), .about = "on one core"},
	{FT_TELL_AS("at_bound", SPOT, found.at_bound), .about = "more cores would cost less still"},
	{FT_TELL_BY(RECORD, "law", SPOT, law), .of = &law, .about = "found in runs",
	 .null = "serial= and time= were stated"},
	{FT_TELL_AS("cores_least", SPOT, lower), .about = "at the upper end of the serial share",
	 .null = "not known"},
	{FT_TELL_AS("cores_most", SPOT, upper), .about = "at its lower end", .null = "not known"},
	{FT_TELL_MANY(LIST, "curve", SPOT, point, n, &points),
	 .about = "by number of cores; empty without --all"},
	{0},
};
const struct ft_tell_record cli_energy_spot_answer = {
	.name = "energy", .action = "sweet-spot", .version = 1, .row = spot_rows};

static void print_law(const LAW *l)
{
	char text[4][FT_UNIT_LENGTH];

	printf("serial  %s", ft_share_format(l->serial, text[0]));
	if (!isnan(l->lower))
		printf("  (%s .. %s)", ft_share_format(l->lower, text[1]),
		       ft_share_format(l->upper, text[2]));
	printf(" of %s on one core, from %zu runs on %zu numbers of cores\n",
	       ft_value_format(l->seconds, "s", text[3]), l->runs, l->counts);
	if (isnan(l->lower))
		printf("no interval: run each number of cores twice, or more of them\n");
	if (l->rises)
		printf("times rise again with more cores: the law does not know that, and is off by up to "
		       "%s\n",
		       ft_share_format(l->off, text[0]));
	else if (l->off > 0.1)
		printf("the law is off by up to %s\n", ft_share_format(l->off, text[0]));
}

/* Figure 8.1. */
static int draw_spot(const struct cli_energy *e, const SPOT *spot)
{
	double *x = cli_alloc(4 * spot->n * sizeof *x), *watts = x + spot->n, *seconds = watts + spot->n,
	       *joules = seconds + spot->n;
	struct ft_series line[4] = {{.kind = FT_SERIES_LINE, .x = x, .y = watts, .n = spot->n},
				    {.kind = FT_SERIES_LINE, .x = x, .y = seconds, .n = spot->n},
				    {.kind = FT_SERIES_LINE, .x = x, .y = joules, .n = spot->n},
				    {.title = "least energy",
				     .kind = FT_SERIES_POINTS,
				     .x = &spot->found.cores,
				     .y = &spot->found.joules,
				     .n = 1,
				     .strong = true}};
	const struct ft_panel panel[] = {{.x_label = "cores",
					  .y_label = "power",
					  .y_unit = "W",
					  .whole_x = true,
					  .series = line,
					  .n = 1},
					 {.x_label = "cores",
					  .y_label = "time",
					  .y_unit = "s",
					  .whole_x = true,
					  .series = line + 1,
					  .n = 1},
					 {.x_label = "cores",
					  .y_label = "energy",
					  .y_unit = "J",
					  .whole_x = true,
					  .series = line + 2,
					  .n = 2}};
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (size_t i = 0; i < spot->n; i++) {
		x[i] = spot->point[i].cores;
		watts[i] = spot->point[i].watts;
		seconds[i] = spot->point[i].seconds;
		joules[i] = spot->point[i].joules;
	}
	if (ft_plot_draw("power, time and energy by cores", panel, 3, e->output, 0, e->dark, NULL, &err))
		status = cli_error(&err);
	free(x);
	return status;
}

static void clear_spot(struct energy_spot *spot)
{
	free(spot->point);
}

int cli_energy_sweet_spot(void *query)
{
	struct cli_energy *e = query;
	FT_CLEANUP(clear_spot) struct energy_spot spot = {0};

	CLI_TRY(cli_energy_power(e));
	CLI_TRY(read_spot(e, &spot));
	CLI_TRY(find_spot(e, &spot));
	if (e->output)
		CLI_TRY(draw_spot(e, &spot));
	if (!e->curve)
		spot.n = 0; /* there may be a million */
	if (e->json) {
		cli_tell(&cli_energy_spot_answer, &spot, NULL);
		return CLI_DONE;
	}
	if (spot.fitted)
		print_law(&spot.law);
	const struct ft_sweet_spot *s = &spot.found;
	char text[4][FT_UNIT_LENGTH];

	printf("%g core%s on %g machine%s: %s, %s\n", s->cores, s->cores == 1 ? "" : "s", s->machines,
	       s->machines == 1 ? "" : "s", ft_value_format(s->joules, "J", text[0]),
	       ft_value_format(s->seconds, "s", text[1]));
	printf("1 core: %s, %s\n", ft_value_format(s->serial_joules, "J", text[2]),
	       ft_value_format(spot.seconds, "s", text[3]));
	if (spot.upper > spot.lower)
		printf("%g to %g cores, with what is serial at either end\n", spot.lower, spot.upper);
	if (s->same > s->cores)
		printf("%g to %g cores cost the same: the more, the sooner\n", s->cores, s->same);
	if (s->at_bound)
		printf("the energy still falls at %g cores: more would cost less still\n", s->cores);
	if (e->curve) {
		/* Print the low numbers of cores, and as many between as a table has room for. */
		struct cli_table table = {0};
		size_t last = 0;

		putchar('\n');
		for (size_t i = 0; i < ROWS_MOST; i++) {
			double share = (double)i / (ROWS_MOST - 1), at = pow((double)spot.n, share);
			size_t row = spot.n <= ROWS_MOST ? i + 1 : (size_t)round(at);

			if (row > last && row <= spot.n)
				cli_table_tell(&table, &points, &spot.point[row - 1], 1, NULL);
			last = row > last ? row : last;
		}
		cli_table_print(&table, stdout);
	}
	return CLI_DONE;
}
