/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-steps-real.c - a real program, measured by two processes at once, each with a store of its own; one of
 * them dies with its run. */
#include "bench.h"
#include "facts/door.h"
#include "sweep/door.h"
#include "tap.h"
#include "temp.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 2, DIES_AT = 1 };

struct worker {
	const char *path; /* of its store */
	pid_t pid;        /* 0: gone */
	int to, from;     /* pieces go there; a byte comes back for each that was made */
	struct ft_sweep_piece piece;
	bool busy;
	size_t made;
};

static void make_program(struct ft_program *p)
{
	static const char *const words[] = {"sh", "-c", "i=0; while [ $i -lt $0 ]; do i=$((i+1)); done",
					    "{n}"};

	*p = (struct ft_program){.name = strdup("spin"), .hash = strdup(""), .n_params = 1, .argc = 4};
	p->argv = calloc(5, sizeof *p->argv);
	for (size_t i = 0; i < 4; i++)
		p->argv[i] = strdup(words[i]);
	(void)ft_param_parse("n=500:20000", &p->param[0], NULL);
}

/* Store, program and machine. */
static bool open_bench(struct bench *b, const char *path)
{
	*b = (struct bench){0};
	make_program(&b->program);
	b->machine.fingerprint = strdup("0123456789abcdef");
	return !ft_store_open(&b->store, path, 0, &b->err) &&
	       !ft_store_put_machine(b->store, &b->machine, &b->err) &&
	       !ft_store_put_program(b->store, &b->program, &b->err);
}

/* The other process: makes what it is told, until nothing more comes. Ends with its exit status. */
static int work(const char *path, int from, int to, size_t dies_at)
{
	struct ft_launch launch = {0};
	struct ft_sweep_piece piece;
	struct bench b;
	size_t made = 0;

	if (!open_bench(&b, path))
		return 2;
	launch.program = &b.program;
	if (ft_source_open_process(&b.source, &launch, &b.err))
		return 3;
	while (read(from, &piece, sizeof piece) == (ssize_t)sizeof piece) {
		struct ft_runs runs = {0};

		if (++made == dies_at)
			(void)raise(SIGKILL);
		if (ft_source_run(b.source, &piece.size, piece.index, piece.limit_s, &runs, &b.err) ||
		    ft_store_add_runs(b.store, b.program.id, b.machine.id, &runs, &b.err))
			return 4;
		ft_runs_clear(&runs);
		if (write(to, "", 1) != 1)
			return 5;
	}
	tear_down(&b);
	return 0;
}

static bool hire(struct worker *w, const char *path, size_t dies_at)
{
	int to[2], from[2];

	*w = (struct worker){.path = path};
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return false;
	w->pid = fork();
	if (!w->pid) {
		(void)close(to[1]);
		(void)close(from[0]);
		_exit(work(path, to[0], from[1], dies_at));
	}
	(void)close(to[0]);
	(void)close(from[1]);
	w->to = to[1];
	w->from = from[0];
	return w->pid > 0;
}

/* Its exit status, or -1 where it was killed. */
static int dismiss(struct worker *w)
{
	int status = 0;

	(void)close(w->to);
	(void)close(w->from);
	(void)waitpid(w->pid, &status, 0);
	w->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void hand_out(struct ft_sweep *sweep, struct worker *workers, size_t *in_flight)
{
	size_t n;

	for (size_t i = 0; i < WORKERS; i++) {
		struct worker *w = &workers[i];

		if (!w->pid || w->busy || ft_sweep_step(sweep, &w->piece, 1, &n, NULL) || !n)
			continue;
		w->busy = write(w->to, &w->piece, sizeof w->piece) == (ssize_t)sizeof w->piece;
		*in_flight += w->busy;
	}
}

/* The newest run in the store of a worker. */
static enum ft_status take(struct ft_sweep *sweep, struct worker *w)
{
	struct ft_runs all = {0}, last = {0};
	struct bench b;
	enum ft_status status = open_bench(&b, w->path)
					? ft_store_get_runs(b.store, b.program.id, b.machine.id, &all, &b.err)
					: b.err.status;

	if (!status && all.n != ++w->made)
		status = FT_EIO;
	if (!status)
		status = ft_runs_take(&last, &all.run[all.n - 1], &b.err);
	if (!status)
		status = ft_sweep_report(sweep, w->piece.id, &last, &b.err);
	ft_runs_clear(&last);
	ft_runs_clear(&all);
	tear_down(&b);
	return status;
}

/* Wait for one of them: a run, or that it is gone. */
static enum ft_status wait_for(struct ft_sweep *sweep, struct worker *workers, size_t *in_flight,
			       size_t *deaths)
{
	struct pollfd polled[WORKERS];
	enum ft_status status = FT_OK;
	char byte;

	for (size_t i = 0; i < WORKERS; i++)
		polled[i] = (struct pollfd){workers[i].busy ? workers[i].from : -1, POLLIN, 0};
	if (poll(polled, WORKERS, 60000) <= 0)
		return FT_EIO;
	for (size_t i = 0; i < WORKERS && !status; i++) {
		struct worker *w = &workers[i];

		if (!polled[i].revents)
			continue;
		w->busy = false;
		--*in_flight;
		if (read(w->from, &byte, 1) == 1) {
			status = take(sweep, w);
		} else {
			status = ft_sweep_lose(sweep, w->piece.id, NULL);
			*deaths += dismiss(w) == -1;
		}
	}
	return status;
}

static void test_together(size_t dies_at)
{
	struct ft_sweep_options options = {.builder = ft_builder_type_find("adaptive"),
					   .resource = &ft_wall_s,
					   .points = 7,
					   .at_once = WORKERS,
					   .elsewhere = true};
	struct worker workers[WORKERS];
	struct ft_sweep *sweep = NULL;
	struct ft_runs runs = {0};
	enum ft_status status = FT_OK;
	size_t in_flight = 0, most = 0, deaths = 0, events = 0;
	char path[3][32];
	struct bench b;

	for (size_t i = 0; i <= WORKERS; i++)
		(void)snprintf(path[i], sizeof path[i], "real-%zu-%zu.db", dies_at, i);
	for (size_t i = 0; i < WORKERS; i++)
		ok(hire(&workers[i], temp_path(path[1 + i]), i ? dies_at : 0), "a process that measures");
	if (!open_bench(&b, temp_path(path[0])) ||
	    ft_sweep_new(&sweep, b.store, &b.program, &b.machine, NULL, &options, &b.err))
		diag("%s", b.err.text);
	while (!status && events++ < 1000) {
		hand_out(sweep, workers, &in_flight);
		most = in_flight > most ? in_flight : most;
		if (!in_flight)
			break;
		status = wait_for(sweep, workers, &in_flight, &deaths);
	}
	(void)ft_store_get_runs(b.store, b.program.id, b.machine.id, &runs, NULL);
	ok(!status && most == WORKERS && deaths == (dies_at > 0) &&
		   runs.n == workers[0].made + workers[1].made && workers[0].made &&
		   (dies_at || workers[1].made),
	   "two processes, %zu killed: %zu and %zu runs, all of them kept", deaths, workers[0].made,
	   workers[1].made);
	status = ft_sweep_end(sweep, &b.report, &b.err);
	ok(!status && b.report.models > 3 && b.report.points >= 5 && b.report.stop != FT_STOP_INTERRUPTED &&
		   isfinite(b.report.known_to),
	   "%zu sizes, %zu models, known to %.3g: %s", b.report.points, b.report.models, b.report.known_to,
	   ft_stop_text(b.report.stop));
	for (size_t i = WORKERS; i-- > 0;)
		if (workers[i].pid)
			ok(!dismiss(&workers[i]), "a process that has done its work");
	ft_runs_clear(&runs);
	ft_sweep_free(sweep);
	tear_down(&b);
}

int main(void)
{
	test_together(0);
	test_together(DIES_AT);
	temp_remove();
	return done();
}
