/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-slurm.c - what Slurm tells of its nodes and jobs is read, and arrays of jobs are handed in. Its commands
 * are fakes. */
#include "base/alloc.h"
#include "tap.h"

#include "bench.h"

static const char nodes[] = "echo 'bench*|bench*|n[1-3]|fast,big|4|8000|1/2'\n"
			    "echo 'bench|bench*|n4|slow|4|8000|0/0'\n"
			    "echo 'bench|bench*|n[5-6]|slow|2|4000|2/0'\n"
			    "echo 'bench|bench*|n[7-8]|fast,big|8|8000|0/2'\n"
			    "echo 'other|other|m1|fast|4|8000|0/1'\n"
			    "echo 'no line'";

static enum ft_status open_slurm(struct bench *b)
{
	ft_remote_close(b->remote);
	b->remote = NULL;
	if (open_bench(b))
		diag("%s", b->err.text);
	return b->remote->executor->open(b->remote, &b->err);
}

static void test_nodes(void)
{
	const struct ft__machines *kind;
	struct bench b;

	use(&b, "slurm", "nodes");
	fake("sinfo", nodes);
	ok(!open_slurm(&b) && b.remote->n_kinds == 1 && b.remote->kind[0].slots == 4 &&
		   !strcmp(b.remote->kind[0].nodes, "n[1-3],n[5-6],n[7-8]"),
	   "nodes of the default partition that are up: four idle");
	b.options.each_kind = true;
	ok(!open_slurm(&b) && b.remote->n_kinds == 2, "two kinds, by their features");
	kind = b.remote->kind;
	ok(!strcmp(kind[0].label, "fast,big") && kind[0].slots == 4 &&
		   !strcmp(kind[0].nodes, "n[1-3],n[7-8]"),
	   "of the first");
	ok(!strcmp(kind[1].label, "slow") && kind[1].slots == 2 && !strcmp(kind[1].nodes, "n[5-6]"),
	   "of the other all are busy: two wait");
	b.options.each_kind = false;
	b.options.constraint = "big";
	ok(!open_slurm(&b) && !strcmp(b.remote->kind[0].nodes, "n[1-3],n[7-8]"), "nodes with a feature");
	b.options.constraint = "bi";
	ok(open_slurm(&b) == FT_EUNAVAIL && strstr(b.err.text, "no node with that constraint that is up"),
	   "a feature is a whole word: %s", b.err.text);
	b.options.constraint = "fast&slow";
	ok(!open_slurm(&b) && b.remote->kind[0].slots == 4, "more than a word is sbatch's to judge");
	b.options.constraint = NULL;
	b.options.partition = "other";
	ok(!open_slurm(&b) && !strcmp(b.remote->kind[0].nodes, "m1"), "another partition");
	b.options.partition = "none";
	ok(open_slurm(&b) == FT_EUNAVAIL &&
		   !strcmp(b.err.text, "Slurm has no partition 'none' with nodes that are up") &&
		   !strcmp(b.err.remedy, "there are: bench*, bench, other"),
	   "none of that name: %s", b.err.remedy);
	fake("sinfo", "echo nothing >&2; echo 'cannot connect' >&2; exit 1");
	ok(open_slurm(&b) == FT_EUNAVAIL && !strcmp(b.err.text, "Slurm does not answer: cannot connect") &&
		   *b.err.remedy,
	   "it does not answer: %s", b.err.text);
	fake("sinfo", "exit 1");
	ok(open_slurm(&b) == FT_EUNAVAIL && !strcmp(b.err.text, "Slurm does not answer: sinfo failed"),
	   "it prints nothing: %s", b.err.text);
	leave(&b);
}

static void test_missing(void)
{
	char *path = strdup(getenv("PATH"));
	struct bench b;

	use(&b, "slurm", "missing");
	(void)setenv("PATH", "/nowhere", 1);
	ok(open_slurm(&b) == FT_EUNAVAIL && !strcmp(b.err.text, "there is no sinfo here") && *b.err.remedy,
	   "no Slurm: %s", b.err.text);
	(void)setenv("PATH", path, 1);
	free(path);
	leave(&b);
}

/* Tasks of a kind on their way. */
static enum ft_status send(struct bench *b, size_t kind, double limit_s, double second_s)
{
	struct ft__remote_task task[2] = {
		{.kind = kind, .size = {.n = 1, .value = {3}}, .limit_s = limit_s},
		{.kind = kind, .size = {.n = 1, .value = {4}}, .limit_s = second_s}};

	b->err = (struct ft_err){0};
	return ft__tasks_send(b->remote, task, 2, &b->err);
}

static void test_submit(void)
{
	char script[512];
	struct bench b;

	use(&b, "slurm", "submit");
	fake("sinfo", nodes);
	(void)snprintf(script, sizeof script, "echo \"$1\" >%s; cat \"$2\" >>%s", temp_path("handed"),
		       temp_path("handed"));
	fake("sbatch", script);
	b.options.each_kind = true;
	b.options.sweep.threads = 2;
	b.options.sweep.memory_bytes = 1 << 20;
	(void)open_slurm(&b);
	(void)ft__folder_open(&b.remote->folder, "job", &b.err);
	ok(!send(&b, 1, 30, 200) && b.remote->n_tasks == 2, "two are handed in: %s", b.err.text);
	const char *text = read_text(temp_path("handed"));
	ok(!strncmp(text, "--parsable\n", 11) && strstr(text, "--array=0-1\n") &&
		   strstr(text, "--mem=1M\n") && strstr(text, "--cpus-per-task=2\n"),
	   "as an array");
	ok(strstr(text, "--exclude=n[1-3],n[7-8]\n"), "on nodes of their kind");
	/* ceil(200 / 60) + 2 min */
	ok(strstr(text, "--time=6\n"), "the longest limit is that of all");
	(void)snprintf(script, sizeof script, "--job-name=ft-%.32s\n", b.remote->task[0].id);
	ok(strstr(text, script) && !strncmp(b.remote->task[0].id, b.remote->kind[1].word, 16) &&
		   !strcmp(b.remote->task[1].id + 32, ".1"),
	   "its name is the beginning of their ids");
	ok(!send(&b, 0, 30, 0) && !strstr(read_text(temp_path("handed")), "--time"),
	   "one without a limit: none");
	ok(strncmp(b.remote->task[0].id, b.remote->task[2].id, 32) != 0, "ids are not used twice");
	fake("sbatch", "echo 'sbatch: error: invalid feature' >&2; exit 1");
	ok(send(&b, 0, 0, 0) == FT_EIO &&
		   !strcmp(b.err.text, "Slurm does not take the runs: sbatch: error: invalid feature") &&
		   strstr(b.err.remedy, "show partition P its"),
	   "it refuses them: %s", b.err.text);
	ft__folder_clean(&b.remote->folder);
	leave(&b);
	ok(!is_there(b.folder), "the array's script is gone");
}

/* What squeue prints: @ is the serial of the tasks. */
static void look(struct bench *b, const char *lines)
{
	char script[1024] = "cat <<'E'\n";
	size_t length = strlen(script);

	for (; *lines; lines++)
		length += (size_t)snprintf(script + length, sizeof script - length, "%.*s",
					   *lines == '@' ? 32 : 1,
					   *lines == '@' ? b->remote->task[0].id : lines);
	(void)snprintf(script + length, sizeof script - length, "E");
	fake("squeue", script);
	if (b->remote->executor->look(b->remote, &b->err))
		diag("%s", b->err.text);
}

static void test_queue(void)
{
	const struct ft__remote_task *task;
	char script[512];
	struct bench b;

	use(&b, "slurm", "queue");
	fake("sinfo", nodes);
	fake("sbatch", "");
	(void)open_slurm(&b);
	(void)ft__folder_open(&b.remote->folder, "job", &b.err);
	(void)send(&b, 0, 0, 0);
	task = b.remote->task;
	look(&b, "other|0|RUNNING|n1\nft-@|0|RUNNING|n1\n");
	ok(task[0].fate == FT__TASK_OUT && task[1].fate == FT__TASK_GONE,
	   "one runs, the other is not known any more");
	look(&b, "ft-@|0|OUT_OF_MEMORY|None\nft-@|1|TIMEOUT|None\n");
	ok(task[0].fate == FT__TASK_NO_MEMORY && task[1].fate == FT__TASK_TOO_LONG,
	   "ended for memory, and for time");
	look(&b, "ft-@|0|COMPLETED|None\nft-@|1|COMPLETING|None\n");
	ok(task[0].fate == FT__TASK_GONE && task[1].fate == FT__TASK_OUT, "ended, and about to");
	look(&b, "ft-@|0|PENDING|Resources\nft-@|1|PENDING|Priority\n");
	ok(task[0].fate == FT__TASK_OUT && task[1].fate == FT__TASK_OUT && !b.notes,
	   "waiting for nodes is no news");
	look(&b, "ft-@|0|PENDING|JobHeldUser\nft-@|1|PENDING|JobHeldUser\n");
	ok(b.notes == 1 && !strcmp(b.note, "Slurm lets a task wait: JobHeldUser"), "held is, once: %s",
	   b.note);
	fake("squeue", "echo 'timed out' >&2; exit 1");
	b.remote->why[0] = '\0';
	ok(!b.remote->executor->look(b.remote, &b.err) && !b.remote->executor->look(b.remote, &b.err) &&
		   b.notes == 2 && strstr(b.note, "is waited for: timed out") && task[0].fate == FT__TASK_OUT,
	   "no answer is no news of tasks: %s", b.note);
	(void)send(&b, 0, 0, 0);
	(void)snprintf(script, sizeof script, "echo \"$*\" >>%s", temp_path("cancelled"));
	fake("scancel", script);
	b.remote->executor->cancel(b.remote);
	(void)snprintf(script, sizeof script, "--quiet --name=ft-%.32s\n--quiet --name=ft-%.32s\n",
		       b.remote->task[0].id, b.remote->task[2].id);
	ok(!strcmp(read_text(temp_path("cancelled")), script), "each array is called off once");
	leave(&b);
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	struct bench b;

	use(&b, "slurm", "faults");
	fake("sinfo", nodes);
	fake("sbatch", "");
	b.options.each_kind = true;
	for (n = 1; status == FT_ENOMEM && n < 1000; n++) {
		(void)ft_alloc_fail_at(n);
		status = open_bench(&b);
		if (!status)
			status = ft__folder_open(&b.remote->folder, "job", &b.err);
		if (!status)
			status = b.remote->executor->open(b.remote, &b.err);
		if (!status)
			status = send(&b, 0, 1, 1);
		(void)ft_alloc_fail_at(0);
		ft_remote_close(b.remote);
		b.remote = NULL;
	}
	ok(!status && n > 20, "each of %lu allocations may fail", n - 2);
	leave(&b);
}

int main(void)
{
	use_fakes();
	test_nodes();
	test_missing();
	test_submit();
	test_queue();
	test_faults();
	temp_remove();
	return done();
}
