/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-script.c - what a task does is written, and read again by the next build. */
#include "base/alloc.h"
#include "tap.h"

#include "bench.h"

#define TASK "0123456789abcdef0123456789abcdef.3"

static const char *const launch[] = {"--threads", "2", "--prepare", "echo 'a b'", NULL};

static struct ft__remote_task task_of(double n, double m, double limit_s)
{
	struct ft__remote_task task = {.size = {.n = 2, .value = {n, m}}, .limit_s = limit_s};

	(void)snprintf(task.id, sizeof task.id, "%s", TASK);
	return task;
}

static void test_text(struct bench *b)
{
	struct ft__remote_task task = task_of(64, 0.1, 90);
	char expected[4096], *text = NULL;
	const char *f = b->folder;

	(void)snprintf(expected, sizeof expected,
		       "#!/bin/sh\ncd /work/here || exit\nb=$(date +%%s.%%N)\n"
		       "%s run --into %s/" TASK
		       ".db --timeout 90s --threads 2 --prepare 'echo '\\''a b'\\''' n=64 "
		       "m=0.10000000000000001 -- ./job '{n}'\n"
		       "r=$?\ne=$(date +%%s.%%N)\n"
		       "echo \"$r $b $e\" >%s/" TASK ".end.new && mv %s/" TASK ".end.new %s/" TASK ".end\n"
		       "# limit 90\n# size 64\n# size 0.10000000000000001\n",
		       b->foretime, f, f, f, f);
	ok(!ft__script_text(b->remote, &task, &text, &b->err) && !strcmp(text, expected), "a run at a size");
	ft_free(text);
	task = task_of(64, 8, 0);
	ok(!ft__script_text(b->remote, &task, &text, &b->err) && !strstr(text, "--timeout") &&
		   strstr(text, "\n# limit 0\n"),
	   "without a limit");
	ft_free(text);
	task.size.n = 0;
	(void)snprintf(expected, sizeof expected, "\n%s run --into %s/" TASK ".db -- true\n", b->foretime, f);
	ok(!ft__script_text(b->remote, &task, &text, &b->err) && strstr(text, expected) &&
		   !strstr(text, "# size"),
	   "one that only tells its machine");
	ft_free(text);
	b->remote->options.launch = NULL;
	task = task_of(64, 8, 0);
	(void)snprintf(expected, sizeof expected, TASK ".db n=64 m=8 -- ./job '{n}'\n");
	ok(!ft__script_text(b->remote, &task, &text, &b->err) && strstr(text, expected), "no options");
	ft_free(text);
	b->remote->options.launch = launch;
}

static void test_recall(struct bench *b)
{
	static const double values[] = {1, 0.1, 1e300 / 3, 5e-324, 12345678901234568};
	struct ft__remote_task found;
	size_t good = 0;
	char *text;

	for (size_t i = 0; i < 5; i++) {
		struct ft__remote_task task = task_of(values[i], values[4 - i], values[i]);
		if (ft__script_text(b->remote, &task, &text, &b->err) ||
		    ft__folder_write(&b->remote->folder, TASK, "sh", text, &b->err))
			diag("%s", b->err.text);
		ft_free(text);
		good += ft__script_recall(b->remote, TASK, &found) && !strcmp(found.id, TASK) &&
			ft_size_equal(&found.size, &task.size) && found.limit_s == task.limit_s &&
			found.fate == FT__TASK_OUT && !found.piece && !found.child;
	}
	ok(good == 5, "sizes and limits are what they were, to the last bit");
	(void)temp_write(in_folder(b, TASK ".sh"), "#!/bin/sh\n# limit 1\n# size 3\n", 0600);
	ok(!ft__script_recall(b->remote, TASK, &found), "of a program with other parameters");
	ok(!ft__script_recall(b->remote, "none", &found) && !found.size.n, "there is none");
}

static void test_faults(struct bench *b)
{
	struct ft__remote_task task = task_of(3, 4, 5);
	enum ft_status status = FT_ENOMEM;
	unsigned long n;

	for (n = 1; status == FT_ENOMEM && n < 100; n++) {
		char *text = NULL;

		(void)ft_alloc_fail_at(n);
		status = ft__script_text(b->remote, &task, &text, NULL);
		(void)ft_alloc_fail_at(0);
		ft_free(text);
	}
	ok(!status && n > 4, "each of %lu allocations may fail", n - 2);
}

int main(void)
{
	struct bench b;

	use(&b, "parallel", "script");
	(void)mkdir(b.folder, 0700);
	b.options.launch = launch;
	if (ft_param_parse("m=1:2", &b.program.param[1], &b.err) || open_bench(&b))
		diag("%s", b.err.text);
	b.program.n_params = 2;
	(void)snprintf(b.remote->here, sizeof b.remote->here, "/work/here");
	test_text(&b);
	test_recall(&b);
	test_faults(&b);
	leave(&b);
	temp_remove();
	return done();
}
