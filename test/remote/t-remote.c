/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-remote.c - runs are carried by fake executors, from beginning to end. */
#include "base/alloc.h"
#include "foretime/measure.h"
#include "tap.h"

#include "bench.h"
#include "leave.h"

#include <dirent.h>

static const char runs_plan[] = "for last; do :; done; exec sh \"$last\"";

static volatile sig_atomic_t interrupt;
static size_t told;
static struct ft_progress last;

static void on_progress(void *ctx, const struct ft_progress *progress)
{
	(void)ctx;
	told++;
	last = *progress;
}

static void on_progress_interrupt(void *ctx, const struct ft_progress *progress)
{
	on_progress(ctx, progress);
	interrupt = progress->in_flight > 0;
}

static enum ft_status run(struct bench *b)
{
	enum ft_status status = open_bench(b);

	return status ? status : ft_remote_run(b->remote, &b->err);
}

static size_t count_runs(struct bench *b)
{
	struct ft_runs runs = {0};
	size_t n;

	(void)ft_store_get_runs(b->store, b->program.id, 0, &runs, NULL);
	n = runs.n;
	ft_runs_clear(&runs);
	return n;
}

static size_t count_files(const struct bench *b, const char *ending)
{
	DIR *dir = opendir(b->folder);
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += strlen(entry->d_name) > strlen(ending) &&
		     !strcmp(entry->d_name + strlen(entry->d_name) - strlen(ending), ending);
	if (dir)
		(void)closedir(dir);
	return n;
}

static enum ft_status check(struct ft_remote_options options)
{
	options.executor = options.executor ? options.executor : "slurm";
	return ft_remote_check(&options, NULL);
}

static void test_check(void)
{
	ok(!check((struct ft_remote_options){
		   .partition = "p", .constraint = "c", .sweep = {.at_once = 256}}) &&
		   !check((struct ft_remote_options){.executor = "mpiexec", .hosts = "h"}),
	   "what fits together");
	ok(check((struct ft_remote_options){.executor = "bus"}) == FT_EINVAL &&
		   check((struct ft_remote_options){.hosts = "h"}) == FT_EINVAL &&
		   check((struct ft_remote_options){.executor = "parallel", .constraint = "c"}) ==
			   FT_EINVAL &&
		   check((struct ft_remote_options){.sweep = {.at_once = 257}}) == FT_EINVAL,
	   "and what does not");
}

static void test_whole(void)
{
	const struct ft_machine *machine;
	struct ft_machine here = {0};
	struct ft_sweep_report report = {0};
	char *text = NULL;
	struct bench b;

	use(&b, "parallel", "whole");
	fake("parallel", runs_plan);
	b.options.sweep.progress = on_progress;
	ok(!open_bench(&b) && !ft_remote_show(b.remote, &text, &b.err) &&
		   strstr(text, ".0.sh, at the least sizes:\n#!/bin/sh\n") &&
		   strstr(text, " n=1 -- ./job '{n}'\n"),
	   "what would be handed over is shown");
	ft_free(text);
	ft_remote_close(b.remote);
	ok(!is_there(b.folder), "and nothing is made");
	ok(!run(&b) && ft_remote_sweeps(b.remote) == 1 && !ft_remote_lost(b.remote), "four runs: %s",
	   b.err.text);
	ok(told > 0 && last.points == 4 && !last.in_flight, "progress is told");
	(void)ft_machine_read("", &here, &b.err);
	ok(!ft_remote_end(b.remote, 0, &machine, &report, &b.err) && report.runs == 4 && report.points == 4 &&
		   !strcmp(machine->fingerprint, here.fingerprint),
	   "their model is of this machine: %s", b.err.text);
	/* fake-run: n hundredths of a second */
	ok(report.size[0].seconds == report.size[0].size.value[0] / 100,
	   "the values are those that came back");
	ft_machine_clear(&here);
	ft_sweep_report_clear(&report);
	ft_remote_close(b.remote);
	b.remote = NULL;
	ok(count_runs(&b) == 4 && !is_there(b.folder), "nothing is left in the folder");
	leave(&b);
}

/* a and c are alike, b is not. */
static void test_kinds(void)
{
	const struct ft_machine *machine[2];
	struct ft_sweep_report report = {0};
	struct bench b;
	size_t good = 0;

	use(&b, "parallel", "kinds");
	fake("parallel", runs_plan);
	fake("ssh", "FT_FAKE_HOST=$2; [ $2 != c ] || FT_FAKE_HOST=a; export FT_FAKE_HOST; shift 2; exec sh "
		    "-c \"$*\"");
	b.options.hosts = temp_path("hosts");
	(void)temp_write(b.options.hosts, "a\n2/b\nc\n", 0600);
	ok(run(&b) == FT_EINVAL &&
		   !strcmp(b.err.text, "the hosts are machines of 2 kinds, and a model is of one") &&
		   !ft_remote_sweeps(b.remote),
	   "one kind was asked for: %s", b.err.text);
	ft_remote_close(b.remote);
	ok(count_files(&b, ".kind.db") == 3, "which they are is kept");
	b.options.each_kind = true;
	ok(!run(&b) && ft_remote_sweeps(b.remote) == 2, "two kinds: %s", b.err.text);
	for (size_t i = 0; i < 2; i++) {
		good += !ft_remote_end(b.remote, i, &machine[i], &report, &b.err) && report.points == 4;
		ft_sweep_report_clear(&report);
	}
	ok(good == 2 && !strcmp(machine[0]->host, "a") && !strcmp(machine[1]->host, "b"),
	   "each has its sweep");
	ok(b.remote->kind[0].slots == 2 && b.remote->kind[2].as == 0, "hosts that are alike share one");
	ft_remote_close(b.remote);
	b.remote = NULL;
	ok(count_runs(&b) == 8 && !is_there(b.folder), "nothing is left in the folder");
	leave(&b);
}

static void test_interrupted(void)
{
	struct ft_sweep_report report = {0};
	const struct ft_machine *machine;
	struct bench b;

	use(&b, "parallel", "interrupted");
	fake("parallel", "exec sleep 1000");
	b.options.sweep.interrupt = &interrupt;
	b.options.sweep.progress = on_progress_interrupt;
	ok(!run(&b) && ft_remote_sweeps(b.remote) == 1, "an interruption is no failure: %s", b.err.text);
	ok(b.remote->n_tasks > 0 && !b.remote->task[0].child, "what is out is called off");
	ok(!ft_remote_end(b.remote, 0, &machine, &report, &b.err) && report.stop == FT_STOP_INTERRUPTED,
	   "it says so");
	ft_sweep_report_clear(&report);
	leave(&b);
	ok(!is_there(b.folder), "nothing is left in the folder");
	interrupt = 0;
}

/* Once a run has ended, and before it is taken in. */
static void on_progress_ended(void *ctx, const struct ft_progress *progress)
{
	const struct bench *b = ctx;

	for (int tries = 0; progress->in_flight && !count_files(b, ".0.end") && tries < 60000; tries++)
		(void)usleep(1000);
	interrupt = progress->in_flight > 0;
}

static void test_not_taken(void)
{
	struct bench b;

	use(&b, "parallel", "not-taken");
	fake("parallel", runs_plan);
	b.options.sweep.interrupt = &interrupt;
	b.options.sweep.progress = on_progress_ended;
	(void)setenv("FT_FAKE_HASH", "new", 1);
	ok(run(&b) == FT_EINVAL && strstr(b.err.text, "is another executable than here"),
	   "interrupted, and what has ended cannot be taken in: %s", b.err.text);
	(void)unsetenv("FT_FAKE_HASH");
	leave(&b);
	interrupt = 0;
	ok(count_files(&b, ".0.db") == 1, "the run stays where it is");
}

static void test_lost(void)
{
	struct bench b;

	use(&b, "parallel", "lost");
	fake("parallel", "echo no route to host >&2; exit 255");
	ok(run(&b) == FT_EIO && !strcmp(b.err.text, "tasks bring nothing back: no route to host") &&
		   ft_remote_lost(b.remote) == 3,
	   "three that bring nothing back: %s", b.err.text);
	leave(&b);
	ok(count_files(&b, ".out") > 0, "what explains it stays");
}

/* Some runs do not come back, and are made again. */
static void test_again(void)
{
	char script[512];
	struct bench b;

	use(&b, "parallel", "again");
	(void)snprintf(script, sizeof script, "for last; do :; done; [ -e %s ] && exec sh \"$last\"; : >%s",
		       temp_path("first"), temp_path("first"));
	fake("parallel", script);
	ok(!run(&b) && ft_remote_lost(b.remote) == 1 && count_runs(&b) == 4,
	   "one is lost, and made again: %s", b.err.text);
	leave(&b);
}

/* What a build left that was killed. The kind of this machine is "", by FNV-1a its offset basis. */
static void test_continued(void)
{
	struct ft_machine here = {0};
	struct left left = {.hash = "job", .machine = &here, .size = {.n = 1, .value = {50}}, .wall_s = 0.5};
	const char *name = "cbf29ce4842223250123456789abcdef.0.db";
	struct bench b;

	use(&b, "parallel", "continued");
	fake("parallel", runs_plan);
	(void)ft_machine_read("", &here, &b.err);
	(void)mkdir(b.folder, 0700);
	ok(!leave_run(in_folder(&b, name), &left, &b.err) && !run(&b) && !is_there(in_folder(&b, name)),
	   "what was left is taken in: %s", b.err.text);
	ft_remote_close(b.remote);
	size_t before = count_runs(&b);
	(void)mkdir(b.folder, 0700);
	ok(!leave_run(in_folder(&b, name), &left, &b.err) && !run(&b) && count_runs(&b) == before, "once");
	ft_machine_clear(&here);
	leave(&b);
}

static const char runs_array[] =
	"n=$(sed -n 's/^#SBATCH --array=0-//p' \"$2\"); i=0\n"
	"while [ $i -le $n ]; do SLURM_ARRAY_TASK_ID=$i sh \"$2\"; i=$((i + 1)); done";

static void fake_slurm(void)
{
	fake("sinfo", "echo 'p|p*|n[1-2]|old|4|8000|0/2'; echo 'p|p*|n3|new|4|8000|0/1'");
	fake("sbatch", runs_array);
	fake("squeue", "");
	fake("scancel", "");
}

static void test_slurm(void)
{
	const struct ft_machine *machine[2];
	struct ft_sweep_report report = {0};
	struct bench b;
	size_t good = 0;

	use(&b, "slurm", "slurm");
	fake_slurm();
	b.options.each_kind = true;
	ok(!run(&b) && ft_remote_sweeps(b.remote) == 2, "by Slurm: %s", b.err.text);
	for (size_t i = 0; i < 2; i++) {
		good += !ft_remote_end(b.remote, i, &machine[i], &report, &b.err) && report.points == 4;
		ft_sweep_report_clear(&report);
	}
	ok(good == 2 && !strcmp(machine[0]->host, "old") && !strcmp(machine[1]->host, "new") &&
		   strcmp(machine[0]->fingerprint, machine[1]->fingerprint) != 0,
	   "nodes of one hardware and two features are told apart");
	leave(&b);
	ok(!is_there(b.folder), "nothing is left in the folder");
}

/* squeue does not answer, and what lies in the folder does. */
static void test_silent(void)
{
	struct bench b;

	use(&b, "slurm", "silent");
	fake_slurm();
	fake("squeue", "echo down >&2; exit 1");
	ok(!run(&b) && !ft_remote_lost(b.remote) && count_runs(&b) == 4 && b.notes == 1 &&
		   strstr(b.note, "is waited for: down"),
	   "without an answer of squeue: %s", b.note);
	leave(&b);
}

/* One allocation of the whole fails, wherever that is. */
static void test_faults(void)
{
	unsigned long wrong = 0, refused = 0, tried = 0;
	char name[32];
	struct bench b;

	fake_slurm();
	use(&b, "slurm", "faultless");
	b.options.sweep.points = 2;
	(void)ft_alloc_fail_at(0);
	wrong += run(&b) != FT_OK;
	unsigned long made = ft_alloc_fail_at(0);
	leave(&b);
	for (unsigned long n = 1; n <= made;
	     n += 1 + made / (unsigned long)test_cases(test_quick() ? 5 : 60)) {
		(void)snprintf(name, sizeof name, "fault-%lu", n);
		use(&b, "slurm", name);
		b.options.sweep.points = 2;
		(void)ft_alloc_fail_at(n);
		enum ft_status status = run(&b);
		(void)ft_alloc_fail_at(0);
		wrong += status && status != FT_ENOMEM;
		refused += status == FT_ENOMEM;
		tried++;
		leave(&b);
	}
	ok(!wrong && refused > tried / 2, "of %lu allocations each may fail: %lu of %lu did", made, refused,
	   tried);
}

int main(void)
{
	use_fakes();
	test_check();
	test_whole();
	test_kinds();
	test_interrupted();
	test_not_taken();
	test_lost();
	test_again();
	test_continued();
	test_slurm();
	test_silent();
	test_faults();
	temp_remove();
	return done();
}
