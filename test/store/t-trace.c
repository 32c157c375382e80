/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-trace.c - traces beside runs, and what jobs asked for. */
#include "store-test.h"
#include "store/door.h"

#include <math.h>

static int64_t add_run(struct fixture *f, double size)
{
	struct ft_run run;
	int64_t id;

	make_run(&run, size, 2);
	run.asked_s = 3600;
	run.asked_bytes = 2e9;
	run.node = ft_strdup("n17");
	run.user = ft_strdup("cafe");
	if (ft_store_add_run(f->store, f->program.id, f->machine.id, &run, NULL))
		diag("cannot add a run");
	id = run.id;
	ft_run_clear(&run);
	return id;
}

/* Some MB that zlib makes small. */
static char *long_text(size_t *length)
{
	size_t rows = 60000, n = 0, most = 40 * rows + 64;
	char *text = ft_malloc(most);

	n += (size_t)snprintf(text, most, "time_s,cpu_utilisation\n");
	for (size_t i = 0; i < rows; i++)
		n += (size_t)snprintf(text + n, most - n, "%.6f,%.4f\n", 0.01 * (double)i, sin((double)i));
	*length = n;
	return text;
}

static void test_kept(struct fixture *f)
{
	static const char csv[] = "time_s,cpu\n0,1\n1,2\n";
	int64_t first = add_run(f, 512), second = add_run(f, 600);
	struct ft_store_trace row[3];
	struct ft_err err = {0};
	size_t n;
	char *text = (char *)(uintptr_t)csv, *big;
	size_t length = 7;

	is(ft_store_get_trace(f->store, first, &text, &length, &err), FT_ENOENT, &err, "a run has none");
	ok(!text && length == 0, "of no length");
	ok(!ft_store_put_trace(f->store, first, csv, strlen(csv), &err) &&
		   !ft_store_get_trace(f->store, first, &text, &length, &err) && length == strlen(csv) &&
		   !strcmp(text, csv),
	   "one that was kept is the same");
	ft_free(text);
	big = long_text(&n);
	ok(!ft_store_put_trace(f->store, second, big, n, &err) &&
		   !ft_store_get_trace(f->store, second, &text, &length, &err) && length == n &&
		   !memcmp(text, big, n),
	   "so is one of %zu bytes", n);
	ft_free(text);
	ft_free(big);
	ok(!ft_store_get_traces(f->store, f->program.id, 0, row, 3, &n, &err) && n == 2 &&
		   row[0].run == second && row[0].rows == 60000 && row[1].rows == 2 &&
		   row[1].size.value[0] == 512,
	   "the newest stands first");
	ok(!ft_store_get_traces(f->store, f->program.id, f->machine.id + 1, row, 3, &n, &err) && n == 0 &&
		   !ft_store_get_traces(f->store, f->program.id, f->machine.id, row, 1, &n, &err) && n == 1,
	   "of one machine, and no more than wanted");
	is(ft_store_put_trace(f->store, 4711, csv, strlen(csv), &err), FT_ENOENT, &err,
	   "of a run that there is not none is kept");
	is(ft_store_put_trace(f->store, first, csv, ((size_t)64 << 20) + 1, &err), FT_EINVAL, &err,
	   "nor one that is too long");
}

static void test_damaged(struct fixture *f, const char *path)
{
	int64_t run = add_run(f, 700);
	struct ft_err err = {0};
	size_t length;
	char *text;

	(void)ft_store_put_trace(f->store, run, "a,b\n1,2\n", 8, NULL);
	(void)raw(path, "UPDATE trace SET csv = x'00010203' WHERE length = 8");
	is(ft_store_get_trace(f->store, run, &text, &length, &err), FT_EIO, &err, "what is damaged is said");
	(void)raw(path, "UPDATE trace SET length = -1 WHERE length = 8");
	is(ft_store_get_trace(f->store, run, &text, &length, &err), FT_EIO, &err, "... in its length, too");
}

static void test_asked(struct fixture *f)
{
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	ok(!ft_store_get_runs(f->store, f->program.id, f->machine.id, &runs, &err) && runs.n &&
		   runs.run[0].asked_s == 3600 && runs.run[0].asked_bytes == 2e9 &&
		   !strcmp(runs.run[0].node, "n17") && !strcmp(runs.run[0].user, "cafe"),
	   "what was asked for is kept, and of whom and where");
	ft_runs_clear(&runs);
}

static void test_removed(struct fixture *f)
{
	struct ft_err err = {0};
	size_t removed, n;
	struct ft_store_trace row[1];

	ok(!ft_store_remove(f->store, f->program.name, &removed, &err) && removed == 3 &&
		   !ft_store_get_traces(f->store, f->program.id, 0, row, 1, &n, &err) && n == 0,
	   "they go with their runs");
}

int main(void)
{
	const char *path = temp_path("trace.db");
	struct fixture f;

	open_fixture(&f, path, 0);
	test_kept(&f);
	test_asked(&f);
	test_damaged(&f, path);
	ok(!strcmp(raw(path, "SELECT count(*) FROM trace"), "3"), "each is a row");
	test_removed(&f);
	ok(!strcmp(raw(path, "SELECT count(*) FROM trace"), "0"), "and none is left");
	close_fixture(&f);
	temp_remove();
	return done();
}
