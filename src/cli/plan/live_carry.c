/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live_carry.c - pieces that run at once: started here, each watched by a thread; or by mpiexec, srun or GNU
 * parallel, as scripts that tell how long they took. */
#include "cli/plan/live.h"
#include "foretime/carry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- here --------------------------------------------------------------------------------------------- */

struct started {
	const struct cli_live *q;
	struct cli_live_piece *piece;
};

static void *run_piece(void *ctx)
{
	struct started *s = ctx;
	const struct ft_size size = cli_live_size(s->q, s->piece);

	s->piece->status = ft_source_run(s->piece->source, &size, 0, 0, &s->piece->runs, &s->piece->err);
	return NULL;
}

static int open_sources(struct cli_live *q)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < q->p; i++) {
		const struct ft_launch launch = {.program = &q->piece[i].of->program, .counters = "none"};

		if (!q->piece[i].source && ft_source_open_process(&q->piece[i].source, &launch, &err))
			return cli_error(&err);
		ft_source_interrupt(q->piece[i].source, cli_interrupt_flag());
	}
	return CLI_DONE;
}

static int run_here(struct cli_live *q)
{
	CLI_OWN struct started *started = cli_alloc(q->p * sizeof *started);
	int status = open_sources(q);

	for (size_t i = 0; i < q->p && status == CLI_DONE; i++) {
		struct cli_live_piece *piece = &q->piece[i];

		started[i] = (struct started){q, piece};
		piece->running =
			piece->units && !pthread_create(&piece->thread, NULL, run_piece, &started[i]);
		if (piece->units && !piece->running)
			status = cli_fail("no thread to run %s with", piece->label);
	}
	for (size_t i = 0; i < q->p; i++)
		if (q->piece[i].running) {
			(void)pthread_join(q->piece[i].thread, NULL);
			q->piece[i].running = false;
			if (q->piece[i].status && status == CLI_DONE)
				status = cli_error_at(&q->piece[i].err, "%s", q->piece[i].label);
		}
	return status;
}

/* ---- scripts ------------------------------------------------------------------------------------------ */

static int write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	bool good = file && fputs(text, file) >= 0;

	if (file)
		good = !fclose(file) && good;
	return good ? CLI_DONE : cli_fail("cannot write '%s'", path);
}

/* FOLDER/piece.K and what it tells, FOLDER/took.K */
static int write_piece(const struct cli_live *q, const char *here, const char *folder, size_t i)
{
	const struct ft_size size = cli_live_size(q, &q->piece[i]);
	char *took = cli_printed("%s/took.%zu", folder, i), *path = cli_printed("%s/piece.%zu", folder, i),
	     *text = NULL, **argv = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	(void)unlink(took);
	if (ft_program_arguments(&q->piece[i].of->program, &size, &argv, &err) ||
	    ft_carry_piece((const char *const *)argv, here, took, &text, &err))
		status = cli_error(&err);
	else
		status = write_file(path, text);
	ft_arguments_free(argv);
	free(text);
	free(path);
	free(took);
	return status;
}

/* NULL: this machine. */
static const char *host_of(const struct cli_live_piece *piece)
{
	char own[256] = "";
	const char *name = piece->of->host->name;

	(void)gethostname(own, sizeof own - 1);
	return strcmp(name, own) != 0 && strcmp(name, "localhost") != 0 ? name : NULL;
}

/* As a shell that hosts are reached by begins elsewhere, it is given whole paths. */
static int write_plan(const struct cli_live *q, const char *folder, const struct ft_carry *format,
		      const char *path)
{
	const bool far = !strcmp(ft_carry_name(format), "parallel");
	CLI_OWN char *here = getcwd(NULL, 0);
	CLI_OWN struct ft_carry_command *command = cli_alloc(q->p * sizeof *command);
	const char *(*argv)[3] = cli_alloc(q->p * sizeof *argv);
	struct ft_err err = {0};
	CLI_OWN char *text = NULL;
	size_t n = 0;
	int status = here ? CLI_DONE : cli_fail("this folder has no path any more");

	for (size_t i = 0; i < q->p && status == CLI_DONE; i++) {
		if (!q->piece[i].units)
			continue;
		status = write_piece(q, here, folder, i);
		argv[n][0] = "sh";
		argv[n][1] = cli_printed("%s%s%s/piece.%zu", far ? here : "", far ? "/" : "", folder, i);
		argv[n][2] = NULL;
		command[n] = (struct ft_carry_command){.host = host_of(&q->piece[i]), .argv = argv[n]};
		n++;
	}
	if (status == CLI_DONE && ft_carry_write(format, command, n, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = write_file(path, text);
	for (size_t i = 0; i < n; i++)
		free((void *)(uintptr_t)argv[i][1]);
	free(argv);
	return status;
}

/* The hosts of the tasks, line by line, as srun --distribution=arbitrary takes them; *several: not all of
 * them are this machine. */
static int write_hosts(const struct cli_live *q, const char *folder, bool *several)
{
	char *path = cli_printed("%s/hosts", folder), *text = cli_strdup(""), own[256] = "";

	(void)gethostname(own, sizeof own - 1);
	for (size_t i = 0; i < q->p; i++) {
		const char *host = host_of(&q->piece[i]);

		if (!q->piece[i].units)
			continue;
		*several = *several || host;
		cli_reprint(&text, "%s%s\n", text, host ? host : own);
	}
	int status = write_file(path, text);
	free(text);
	free(path);
	return status;
}

/* A run of which only the wall time is known. */
static int read_took(struct cli_live *q, const char *folder, size_t i)
{
	struct cli_live_piece *piece = &q->piece[i];
	char *took = cli_printed("%s/took.%zu", folder, i);
	FILE *file = fopen(took, "re");
	struct ft_err err = {0};
	struct ft_run run;
	double begin = 0, end = 0;
	int how = 1;
	bool told = file && fscanf(file, "%d %lf %lf", &how, &begin, &end) == 3;

	if (file)
		(void)fclose(file);
	free(took);
	if (!told)
		return cli_fail(
			"%s did not report its time\n"
			"hint: this folder has to be seen from all hosts, and each has a date with %%N",
			piece->label);
	ft_run_init(&run);
	run.size = cli_live_size(q, piece);
	run.outcome = how ? FT_FAILED : FT_DONE;
	run.exit_status = how;
	run.started_ns = (int64_t)(begin * 1e9);
	run.cost_s = end - begin;
	if ((!how && ft_run_add(&run, &ft_wall_s, end - begin, FT_MEASURED, "date", NULL, &err)) ||
	    ft_runs_take(&piece->runs, &run, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static void remove_all(const struct cli_live *q, const char *folder)
{
	static const char *const names[] = {"piece", "took"};
	char *path;

	for (size_t i = 0; i < q->p; i++)
		for (size_t k = 0; k < 2; k++) {
			path = cli_printed("%s/%s.%zu", folder, names[k], i);
			(void)unlink(path);
			free(path);
		}
	for (size_t k = 0; k < 2; k++) {
		path = cli_printed("%s/%s", folder, k ? "hosts" : "plan");
		(void)unlink(path);
		free(path);
	}
	(void)rmdir(folder);
}

/* The command of a shell: a launcher, and the plan; of srun the number of tasks, and where they are. */
static char *command_of(const struct cli_live *q, const char *launcher, const char *folder, bool several)
{
	size_t n = 0;

	if (strcmp(launcher, "srun") != 0)
		return cli_printed("%s %s/plan >&2", launcher, folder);
	for (size_t i = 0; i < q->p; i++)
		n += q->piece[i].units > 0;
	if (!several)
		return cli_printed("srun -n %zu --multi-prog %s/plan >&2", n, folder);
	return cli_printed(
		"SLURM_HOSTFILE=%s/hosts srun -n %zu --distribution=arbitrary --multi-prog %s/plan >&2",
		folder, n, folder);
}

/* An interrupt ends the launcher, too: that is no failure of its own. */
static int launch(const char *command)
{
	FILE *pipe;
	int ended;

	(void)fflush(stdout);
	pipe = popen(command, "we");
	ended = pipe ? pclose(pipe) : -1;
	if (*cli_interrupt_flag())
		return CLI_INTERRUPTED;
	if (!ended)
		return CLI_DONE;
	return cli_fail(
		"'%s' failed\n"
		"hint: its own messages stand above; it has to be installed, and to reach each host of --on",
		command);
}

/* A lap by a launcher, which is given a plan in a format. */
static int run_through(struct cli_live *q, const char *format, const char *launcher)
{
	const struct ft_carry *carry = ft_carry_find(format);
	char folder[] = "foretime-live.XXXXXX";
	bool several = false;

	if (!mkdtemp(folder))
		return cli_fail("cannot make a folder here: the pieces are scripts in it");
	CLI_OWN char *path = cli_printed("%s/plan", folder);
	int status = write_plan(q, folder, carry, path);
	if (status == CLI_DONE)
		status = write_hosts(q, folder, &several);
	CLI_OWN char *command = command_of(q, launcher, folder, several);
	if (status == CLI_DONE)
		status = launch(command);
	for (size_t i = 0; i < q->p && status == CLI_DONE; i++)
		if (q->piece[i].units)
			status = read_took(q, folder, i);
	remove_all(q, folder);
	return status;
}

static int run_mpiexec(struct cli_live *q)
{
	return run_through(q, "mpiexec", "mpiexec -configfile");
}

static int run_srun(struct cli_live *q)
{
	return run_through(q, "multi-prog", "srun");
}

static int run_parallel(struct cli_live *q)
{
	return run_through(q, "parallel", "parallel --jobs 0 ::::");
}

static const struct cli_live_way ways[] = {
	{"local", true, run_here},
	{"mpiexec", false, run_mpiexec},
	{"srun", false, run_srun},
	{"parallel", false, run_parallel},
};

const struct cli_live_way *cli_live_way(const char *name)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (!strcmp(name ? name : "local", ways[i].name))
			return &ways[i];
	(void)cli_fail("--via is local, mpiexec, srun or parallel, not '%s'\n"
		       "hint: local: all pieces are started here, at once",
		       name);
	return NULL;
}
