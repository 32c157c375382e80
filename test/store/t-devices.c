/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-devices.c - which device or executable of a name is meant; single runs, and those of a stretch of time.
 */
#include "store-test.h"
#include "store/door.h"

static struct fixture f;

/* A program of a device with a run for each letter, that many seconds after 1970. */
static int64_t add(const char *name, const char *hash, const char *device, const char *runs)
{
	struct ft_program program;
	struct ft_run run;
	int64_t id;

	make_program(&program, name, hash);
	program.device = device ? ft_strdup(device) : NULL;
	if (!*hash) { /* something was said of it, and that is all */
		ft_free(program.argv[0]);
		ft_free(program.argv[1]);
		ft_free(program.argv);
		program.argv = NULL;
		program.argc = 0;
	}
	if (ft_store_put_program(f.store, &program, NULL))
		diag("cannot store %s", name);
	id = program.id;
	for (; *runs; runs++) {
		make_run(&run, *runs, 2);
		run.started_ns = *runs == 'z' ? 0 : *runs * 1000000000LL;
		if (ft_store_add_run(f.store, id, f.machine.id, &run, NULL))
			diag("cannot add a run of %s", name);
		ft_run_clear(&run);
	}
	ft_program_clear(&program);
	return id;
}

/* Whether the entries of a name that stay, with this device, are all of that one. */
static bool picks(const char *name, const char *device, const char *expected, size_t n)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};
	bool good = !ft_store_get_list(f.store, name, &list, &err) &&
		    !ft_store_list_pick(&list, name, device, &err) && list.n == n;

	for (size_t i = 0; i < list.n && good; i++)
		good = !strcmp(list.entry[i].device ? list.entry[i].device : "", expected);
	if (!good)
		diag("%s, %zu: %s", name, list.n, err.text);
	ft_store_list_clear(&list);
	return good;
}

static void refuses(const char *name, const char *device, enum ft_status status, const char *text,
		    const char *remedy)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};

	(void)ft_store_get_list(f.store, name, &list, NULL);
	ok(ft_store_list_pick(&list, name, device, &err) == status && strstr(err.text, text) &&
		   strstr(err.remedy, remedy),
	   "%s; %s", err.text, err.remedy);
	ft_store_list_clear(&list);
}

static void test_pick(void)
{
	add("both", "h1", "gpu", "ab");
	add("both", "h2", "gpu", "c");
	add("both", "h1", "cpu-avx512", "d");
	add("both", "h1", "idle", "");
	ok(picks("both", "gpu", "gpu", 2) && picks("both", "cpu-avx512", "cpu-avx512", 1),
	   "the one that is named");
	ok(picks("both", "idle", "idle", 1), "also where it has no runs");
	refuses("both", NULL, FT_EINVAL, "several devices: ", "--device");
	refuses("both", "cpu", FT_ENOENT, "no device 'cpu'", "the nearest is 'cpu-avx512'");
	refuses("both", "tpu7", FT_ENOENT, "no device 'tpu7'", "its devices: ");
	refuses("both", "cpu-avx", FT_ENOENT, "no device 'cpu-avx'", "the nearest is 'cpu-avx512'");
	refuses("both", "(none)", FT_ENOENT, "no runs without a device", "");
	add("single", "h1", "gpu", "a");
	add("single", "h2", "idle", "");
	add("rebuilt", "h1", "gpu", "a");
	add("rebuilt", "h2", "gpu", "b");
	ok(picks("rebuilt", NULL, "gpu", 2), "of two executables it is one device");
	ok(picks("single", NULL, "gpu", 1), "the only one that has runs needs no name");
	add("plain", "h1", NULL, "a");
	add("plain", "h1", "gpu", "b");
	ok(picks("plain", "", "", 1) && picks("plain", "(none)", "", 1),
	   "runs without a device are one more");
	refuses("plain", NULL, FT_EINVAL, "(none)", "--device");
	add("unused", "h1", "gpu", "");
	ok(picks("unused", NULL, "gpu", 1), "where none has runs, the first");
	ok(picks("nobody", NULL, "", 0), "of nothing nothing is picked");
}

/* Which of those named do the entries of a name hold, after one of its executables was picked? */
static void test_version(void)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};

	add("versions", "abc1", NULL, "a");
	add("versions", "abd2", NULL, "bc");
	add("versions", "xyz", NULL, "d");
	(void)ft_store_get_list(f.store, "versions", &list, NULL);
	ok(!ft_store_list_version(&list, "versions", "abd", &err) && list.n == 1 && list.entry[0].current &&
		   !strcmp(list.entry[0].hash, "abd2") && list.entry[0].runs == 2,
	   "an executable by how its hash begins");
	ft_store_list_clear(&list);
	(void)ft_store_get_list(f.store, "versions", &list, NULL);
	is(ft_store_list_version(&list, "versions", "ab", &err), FT_ENOENT, &err, "two that begin so");
	ft_store_list_clear(&list);
	(void)ft_store_get_list(f.store, "versions", &list, NULL);
	is(ft_store_list_version(&list, "versions", "q", &err), FT_ENOENT, &err, "none that does");
	ok(list.n == 0, "none is left");
	ft_store_list_clear(&list);
}

/* What was said of a program before it was built becomes that of the first device it is built for, but not
 * where there are runs of none. */
static void test_adopt(void)
{
	int64_t said = add("early", "", NULL, ""), ran = add("ran", "", NULL, "a"),
		of_gpu = add("gpu only", "", "gpu", "");

	ok(add("early", "h1", "gpu", "b") == said, "it is the one that was said something of");
	ok(picks("early", NULL, "gpu", 1), "and of that device from then on");
	ok(add("early", "h1", "cpu", "c") != said, "another device is another one");
	ok(add("ran", "h1", "gpu", "b") != ran, "runs without a device stay without");
	ok(add("gpu only", "h1", "cpu", "") != of_gpu && add("gpu only", "h1", "gpu", "") == of_gpu,
	   "what was said of a device is that one's");
}

static size_t runs_of(int64_t id)
{
	struct ft_runs runs = {0};
	size_t n;

	(void)ft_store_get_runs(f.store, id, f.machine.id, &runs, NULL);
	n = runs.n;
	ft_runs_clear(&runs);
	return n;
}

/* Both moments are included; nothing of another name or machine goes. */
static void test_remove(void)
{
	const int64_t second = 1000000000;
	int64_t id = add("gone", "h", NULL, "abcdz"), other = add("gone/init", "h", NULL, "abcd");
	struct ft_err err = {0};
	size_t removed = 9;

	is(ft_store_remove_runs(f.store, "gone", f.machine.id, 'b' * second, 'c' * second, &removed, &err),
	   FT_OK, &err, "those of two seconds");
	ok(removed == 2 && runs_of(id) == 3 && runs_of(other) == 4, "two went");
	is(ft_store_remove_runs(f.store, "gone", f.machine.id + 1, 0, INT64_MAX, &removed, &err), FT_OK, &err,
	   "those of another machine");
	ok(removed == 0 && runs_of(id) == 3, "there are none");
	is(ft_store_remove_runs(f.store, "gone", f.machine.id, 0, 0, &removed, &err), FT_OK, &err,
	   "those of an unknown time");
	ok(removed == 1 && runs_of(id) == 2, "one went");
}

static void test_single(void)
{
	int64_t id = add("single run", "h", NULL, "ab");
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	(void)ft_store_get_runs(f.store, id, f.machine.id, &runs, NULL);
	ok(runs.n == 2 && !ft_store_get_run(f.store, runs.run[1].id, &runs, &err) && runs.n == 3 &&
		   runs.run[2].id == runs.run[1].id && runs.run[2].started_ns == 'b' * 1000000000LL &&
		   same_run(&runs.run[2], &runs.run[1]),
	   "a run by its number, behind what is there");
	is(ft_store_get_run(f.store, 987654321, &runs, &err), FT_ENOENT, &err, "one that is not there");
	ok(runs.n == 3, "nothing is added");
	ft_runs_clear(&runs);
}

int main(void)
{
	open_fixture(&f, temp_path("devices.db"), 0);
	test_pick();
	test_version();
	test_adopt();
	test_remove();
	test_single();
	close_fixture(&f);
	temp_remove();
	return done();
}
