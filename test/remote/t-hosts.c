/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-hosts.c - hosts are read, and a launcher of each run is started, waited for and ended. */
#include "base/alloc.h"
#include "tap.h"

#include "bench.h"

#include <signal.h>

static enum ft_status open_hosts(struct bench *b, const char *text)
{
	b->options.hosts = temp_path("hosts");
	(void)temp_write(b->options.hosts, text, 0600);
	ft_remote_close(b->remote);
	b->remote = NULL;
	if (open_bench(b))
		diag("%s", b->err.text);
	return b->remote->executor->open(b->remote, &b->err);
}

static void test_hosts(void)
{
	static const char *const wrong[] = {"-x",   "a/b/c", "0/a", "/a",  "x/a",
					    "-1/a", "257/a", "a:",  "a:0", "4/"};
	struct bench b;
	size_t refused = 0;

	use(&b, "parallel", "hosts");
	ok(!open_hosts(&b, "# all\n\n a # one\n2/b\nc:3 \n:\nlocalhost\na\n"), "a file of hosts: %s",
	   b.err.text);
	struct ft_remote *r = b.remote;
	ok(r->n_kinds == 4 && r->kind[0].slots == 2 && r->kind[1].slots == 2 && r->kind[2].slots == 3 &&
		   r->kind[3].slots == 2 && r->n_slots == 9,
	   "four kinds, nine places");
	ok(!strcmp(r->kind[2].label, "c") && !strcmp(r->slot[4].host, "c") && r->slot[4].kind == 2 &&
		   !r->slot[7].host && !r->kind[2].fingerprint && r->kind[3].fingerprint,
	   "of this machine it is known which it is");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char text[40], line[24];

		(void)snprintf(text, sizeof text, "a\n%s\n", wrong[i]);
		(void)snprintf(line, sizeof line, "hosts:2: that is");
		refused += open_hosts(&b, text) == FT_EINVAL && strstr(b.err.text, line) && *b.err.remedy;
	}
	ok(refused == sizeof wrong / sizeof *wrong, "lines that are no hosts: %s", b.err.text);
	ok(open_hosts(&b, "# none\n") == FT_EINVAL && strstr(b.err.text, "names no host"), "no host at all");
	(void)unlink(temp_path("hosts"));
	ft_remote_close(b.remote);
	(void)open_bench(&b);
	ok(b.remote->executor->open(b.remote, &b.err) == FT_ENOENT && strstr(b.err.text, "cannot open '"),
	   "no file: %s", b.err.text);
	b.options.hosts = NULL;
	b.options.sweep.at_once = 3;
	ft_remote_close(b.remote);
	(void)open_bench(&b);
	ok(!b.remote->executor->open(b.remote, &b.err) && b.remote->n_slots == 3 && b.remote->n_kinds == 1,
	   "without one, this machine");
	leave(&b);
}

static void test_missing(void)
{
	char *path = strdup(getenv("PATH"));
	struct bench b;

	use(&b, "mpiexec", "missing");
	(void)open_bench(&b);
	(void)setenv("PATH", "/nowhere", 1);
	ok(b.remote->executor->open(b.remote, &b.err) == FT_EUNAVAIL &&
		   !strcmp(b.err.text, "there is no mpiexec here") && strstr(b.err.remedy, "mpich"),
	   "no launcher: %s", b.err.text);
	(void)setenv("PATH", path, 1);
	free(path);
	leave(&b);
}

/* A task on its way. */
static struct ft__remote_task *send(struct bench *b)
{
	struct ft__remote_task task = {.size = {.n = 1, .value = {3}}};

	if (ft__tasks_send(b->remote, &task, 1, &b->err))
		diag("%s", b->err.text);
	return &b->remote->task[b->remote->n_tasks - 1];
}

static void await(struct bench *b, const struct ft__remote_task *task)
{
	while (task->child > 0 && !b->remote->executor->look(b->remote, &b->err))
		(void)usleep(1000);
}

static void test_launch(const char *executor, const char *plan)
{
	char path[PATH_MAX];
	struct bench b;
	pid_t child;

	use(&b, executor, executor);
	(void)open_hosts(&b, "a\nb\n");
	(void)ft__folder_open(&b.remote->folder, "job", &b.err);
	fake(executor, "for last; do :; done; echo words; cat \"$last\"; exit 7");
	struct ft__remote_task *task = send(&b);
	ok(task->child > 0 && b.remote->slot[0].busy && !b.remote->slot[1].busy, "%s: one is on its way",
	   executor);
	await(&b, task);
	ok(task->fate == FT__TASK_GONE && strstr(b.remote->why, "ended with status 7"), "it is gone: %s",
	   b.remote->why);
	ok(strstr(read_text(ft__folder_path(&b.remote->folder, task->id, "out", path)), plan) &&
		   strstr(read_text(path), "words\n"),
	   "it had a plan for the host, and its words are kept");
	ft__task_remove(b.remote, 0);
	ok(!b.remote->slot[0].busy && !b.remote->n_tasks, "its place is free again");
	fake(executor, "exec sleep 1000");
	task = send(&b);
	child = task->child;
	ok(task->slot == 0 && kill(-child, 0) == 0, "one that does not end");
	b.remote->executor->cancel(b.remote);
	ok(!task->child && kill(-child, 0), "is ended");
	b.remote->failed = false;
	leave(&b);
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	struct bench b;

	use(&b, "parallel", "faults");
	b.options.hosts = temp_path("hosts");
	(void)temp_write(b.options.hosts, "a\n20/b\nc\n", 0600);
	for (n = 1; status == FT_ENOMEM && n < 1000; n++) {
		char *text = NULL;

		(void)ft_alloc_fail_at(n);
		status = open_bench(&b);
		if (!status)
			status = b.remote->executor->open(b.remote, &b.err);
		if (!status)
			status = ft_remote_show(b.remote, &text, &b.err);
		(void)ft_alloc_fail_at(0);
		ft_free(text);
		ft_remote_close(b.remote);
		b.remote = NULL;
	}
	ok(!status && n > 20, "each of %lu allocations may fail", n - 2);
	leave(&b);
}

int main(void)
{
	use_fakes();
	fake("parallel", "");
	fake("mpiexec", "");
	test_hosts();
	test_launch("parallel", "ssh -- a 'sh ");
	test_launch("mpiexec", "-n 1 -host a sh ");
	test_missing();
	test_faults();
	temp_remove();
	return done();
}
