/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-list.c - what there is, and removing it. */
#include "store-test.h"
#include "store/door.h"

#include <malloc.h>

static struct ft_store *store;

/* Add a program, and runs at these sizes, each started at its number of seconds. */
static int64_t add(const char *name, const char *hash, int64_t machine, const char *runs)
{
	struct ft_program program;
	struct ft_run run;
	int64_t id;

	make_program(&program, name, hash);
	(void)ft_store_put_program(store, &program, NULL);
	id = program.id;
	for (; *runs; runs++) {
		make_run(&run, *runs | 0x20, 2);
		run.started_ns = *runs == 'z' ? 0 : (*runs | 0x20) * 1000000000LL;
		run.outcome = *runs >= 'a' ? FT_DONE : FT_CRASHED; /* capitals crash */
		if (ft_store_add_run(store, id, machine, &run, NULL))
			diag("cannot add a run of %s", name);
		ft_run_clear(&run);
	}
	ft_program_clear(&program);
	return id;
}

static bool is_entry(const struct ft_store_entry *entry, const char *name, const char *hash,
		     const char *machine, const char *counts, bool current)
{
	char text[64];

	(void)snprintf(text, sizeof text, "%zu %zu %zu %g..%g", entry->runs, entry->failed, entry->sizes,
		       (double)entry->first_ns / 1e9, (double)entry->last_ns / 1e9);
	if (!same_text(entry->name, name) || !same_text(entry->hash, hash) ||
	    !same_text(entry->machine_name, machine) || strcmp(text, counts) != 0 ||
	    entry->current != current) {
		diag("%s %s %s %s %d", entry->name, entry->hash, entry->machine_name, text, entry->current);
		return false;
	}
	return true;
}

static void test_list(int64_t box, int64_t nameless)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};

	ok(!ft_store_get_list(store, NULL, &list, &err) && list.n == 0, "an empty list");
	ft_store_list_clear(&list);
	add("sort", "s1", nameless, "Z");
	add("matmul", "m1", box, "ddd");
	add("matmul", "m2", box, "bacAz");
	add("matmul", "m2", nameless, "e");
	add("matmul/init", "m2", box, "a");
	add("unused", "u", box, "");
	ok(!ft_store_get_list(store, NULL, &list, &err) && list.n == 6,
	   "a line for each program on each machine");
	ok(list.n == 6 && is_entry(&list.entry[0], "matmul", "m2", "box", "5 1 4 97..99", true) &&
		   list.entry[0].machine == box,
	   "the newest first, sizes counted once");
	ok(list.n == 6 && is_entry(&list.entry[1], "matmul", "m2", "beef", "1 0 1 101..101", true),
	   "on a machine without a host name: its fingerprint");
	ok(list.n == 6 && is_entry(&list.entry[2], "matmul", "m1", "box", "3 0 1 100..100", false),
	   "then the older one");
	ok(list.n == 6 && is_entry(&list.entry[3], "matmul/init", "m2", "box", "1 0 1 97..97", true),
	   "the routine");
	ok(list.n == 6 && is_entry(&list.entry[4], "sort", "s1", "beef", "1 1 1 122..122", true),
	   "a failed run");
	ok(list.n == 6 && is_entry(&list.entry[5], "unused", "u", NULL, "0 0 0 0..0", true) &&
		   !list.entry[5].machine,
	   "a program without runs");
	ft_store_list_clear(&list);
	ft_store_list_clear(&list);
	ok(!ft_store_get_list(store, "matmul", &list, &err) && list.n == 3, "of one name");
	ft_store_list_clear(&list);
	ok(!ft_store_get_list(store, "nobody", &list, &err) && list.n == 0,
	   "of a name that is not there: empty");
	ft_store_list_clear(&list);
	ft_store_list_clear(NULL);
}

static size_t lines(const char *name)
{
	struct ft_store_list list;
	size_t n;

	if (ft_store_get_list(store, name, &list, NULL))
		return 999;
	n = list.n;
	ft_store_list_clear(&list);
	return n;
}

static void test_remove(int64_t box)
{
	const char *path = ft_store_path(store);
	struct ft_model_record record = {.resource = &ft_wall_s, .fixed = {2, {0, 100}}};
	struct ft_model *model = record.model = least_model();
	struct ft_err err = {0};
	size_t removed = 9;
	int64_t id = add("matmul-2", "x", box, "abc");

	add("matmul0", "x", box, "a");
	add("matmul.", "x", box, "a");
	ok(!ft_store_put_model(store, id, box, &record, &err), "a model");
	ft_model_free(model);
	is(ft_store_remove(store, "matmu", &removed, &err), FT_ENOENT, &err, "a name that is not there");
	ok(removed == 0 && strstr(err.remedy, "'matmul'"), "... and a remedy: %s", err.remedy);
	ok(!ft_store_remove(store, "matmul/init", &removed, &err) && removed == 1 && lines("matmul") == 3,
	   "one routine");
	add("matmul/init", "m1", box, "ab");
	add("matmul/a/b", "m1", box, "abc");
	ok(!ft_store_remove(store, "matmul", &removed, &err) && removed == 3 + 5 + 1 + 2 + 3,
	   "a name with all its hashes and routines (%zu runs)", removed);
	ok(lines("matmul") == 0 && lines("matmul/init") == 0 && lines("matmul/a/b") == 0, "are gone");
	ok(lines("matmul-2") == 1 && lines("matmul0") == 1 && lines("matmul.") == 1 && lines("sort") == 1,
	   "names that only begin alike stay");
	ok(!ft_store_remove(store, "matmul-2", NULL, &err), "another");
	ok(!strcmp(raw(path, "SELECT count(*) FROM model"), "0"), "its model went too");
	ok(!strcmp(raw(path, "SELECT count(*) FROM by_size WHERE program NOT IN (SELECT id FROM program)"),
		   "0") &&
		   !strcmp(raw(path,
			       "SELECT count(*) FROM tally WHERE program NOT IN (SELECT id FROM program)"),
			   "0") &&
		   !strcmp(raw(path,
			       "SELECT count(*) FROM run WHERE program NOT IN (SELECT id FROM program)"),
			   "0"),
	   "nothing is left behind");
	is(ft_store_remove(store, "%", &removed, &err), FT_ENOENT, &err, "names are no patterns");
	ok(lines(NULL) == 4, "four stay");
}

/* What a server asks again and again. */
static void test_state(void)
{
	struct ft_program odd = {.name = (char *)(uintptr_t) "odd",
				 .hash = (char *)(uintptr_t) "",
				 .n_params = 1,
				 .param = {{.name = "a b"}}};
	struct ft_store *other = open_store(temp_path("list.db"), 0);
	char *before = NULL, *after = NULL, *same = NULL;
	int64_t version = 0, changed = 0;
	struct ft_machine box;
	struct ft_err err = {0};

	make_machine(&box, "b0c5");
	ok(!ft_store_put_machine(store, &box, NULL) && !ft_store_version(other, &version, &err), "a version");
	add("state", "s1", box.id, "ab");
	ok(!ft_store_version(other, &changed, &err) && changed != version, "another one after a change");
	ok(!ft_store_version(other, &version, &err) && changed == version, "and no other without one");
	ok(!ft_store_get_state(store, "state", &before, &err) &&
		   !ft_store_get_state(store, "state", &same, &err) && !strcmp(before, same),
	   "the state of a program");
	add("else", "s1", box.id, "a");
	free(same);
	ok(!ft_store_get_state(store, "state", &same, &err) && !strcmp(before, same),
	   "others do not change it");
	add("state", "s1", box.id, "c");
	ok(!ft_store_get_state(store, "state", &after, &err) && strcmp(before, after) != 0, "its runs do");
	free(after);
	is(ft_store_get_state(store, "nobody", &after, &err), FT_ENOENT, &err, "nobody has none");
	is(ft_store_put_program(store, &odd, &err), FT_EINVAL, &err,
	   "what cannot be read again is not written");
	free(before);
	free(same);
	ft_machine_clear(&box);
	ft_store_close(other);
}

static bool names_are(const struct ft_store_part *part, const char *names, size_t found)
{
	struct ft_store_list list;
	char text[256] = "";

	if (ft_store_get_part(store, part, &list, NULL))
		return false;
	for (size_t i = 0; i < list.n; i++)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", list.entry[i].name);
	if (strcmp(text, names) != 0 || list.found != found) {
		diag("'%s' %zu", text, list.found);
		found = SIZE_MAX;
	}
	ft_store_list_clear(&list);
	return found != SIZE_MAX;
}

/* Names behind a name, with a text in them, so many of them; a name's lines stand together. */
static void test_part(int64_t box, int64_t nameless)
{
	add("part/Alpha", "p1", box, "a");
	add("part/Alpha", "p1", nameless, "b");
	add("part/beta", "p1", box, "c");
	add("part/gamma", "p1", box, "");
	ok(names_are(&(struct ft_store_part){.search = "PART/"},
		     "part/Alpha part/Alpha part/beta part/gamma ", 0),
	   "what has a text in its name, in letters of either case");
	ok(names_are(&(struct ft_store_part){.search = "part/", .most = 1}, "part/Alpha part/Alpha ", 3),
	   "all lines of so many names; how many there would be is told");
	ok(names_are(&(struct ft_store_part){.search = "part/", .after = "part/Alpha", .most = 2},
		     "part/beta part/gamma ", 0),
	   "what stands behind a name");
	ok(names_are(&(struct ft_store_part){.search = "a", .except = "part/", .after = "n"}, "state ", 0),
	   "but for those that begin so");
	ok(names_are(&(struct ft_store_part){.search = "%"}, "", 0) &&
		   names_are(&(struct ft_store_part){.after = "zz"}, "", 0),
	   "nothing is no failure");
}

/* Of a name the lines of one executable. */
static void test_version(void)
{
	struct ft_store_list list;
	struct ft_err err = {0};

	add("rebuilt", "abc1", 1, "ab");
	add("rebuilt", "abd2", 1, "c");
	ok(!ft_store_get_list(store, "rebuilt", &list, &err) && list.n == 2 &&
		   !ft_store_list_version(&list, "rebuilt", "abc", &err) && list.n == 1 &&
		   list.entry[0].runs == 2 && list.entry[0].current,
	   "an older executable, by the beginning of its hash");
	ft_store_list_clear(&list);
	(void)ft_store_get_list(store, "rebuilt", &list, NULL);
	is(ft_store_list_version(&list, "rebuilt", "ab", &err), FT_ENOENT, &err, "not by what several have");
	ft_store_list_clear(&list);
	(void)ft_store_get_list(store, "rebuilt", &list, NULL);
	is(ft_store_list_version(&list, "rebuilt", "x", &err), FT_ENOENT, &err, "nor by what none has");
	ft_store_list_clear(&list);
}

/* Counts are kept as runs come and go: they are those of all runs. */
static void test_counts(int64_t box)
{
	const char *path = ft_store_path(store);
	struct ft_store_list list;
	size_t removed;

	(void)add("many", "m", box, "abA");
	(void)add("many", "m", box, "c");
	(void)add("many", "m", box, "cD");
	ok(!ft_store_get_list(store, "many", &list, NULL) && list.n == 1 &&
		   is_entry(&list.entry[0], "many", "m", "box", "6 2 4 97..100", true),
	   "six runs, two of which failed, at four sizes");
	ft_store_list_clear(&list);
	ok(!strcmp(raw(path, "SELECT count(*) || ' ' || sum(runs) FROM by_size WHERE program = (SELECT id "
			     "FROM program "
			     "WHERE name = 'many')"),
		   "4 6"),
	   "by size");
	ok(!ft_store_remove_runs(store, "many", box, 99000000000, 100000000000, &removed, NULL) &&
		   removed == 3,
	   "three go");
	ok(!ft_store_get_list(store, "many", &list, NULL) && list.n == 1 &&
		   is_entry(&list.entry[0], "many", "m", "box", "3 1 2 97..98", true),
	   "and are not counted");
	ft_store_list_clear(&list);
	(void)add("many", "m", box, "c");
	ok(!ft_store_get_list(store, "many", &list, NULL) && list.n == 1 &&
		   is_entry(&list.entry[0], "many", "m", "box", "4 1 3 97..99", true),
	   "until there is another run");
	ft_store_list_clear(&list);
	ok(!ft_store_remove_runs(store, "many", box, 0, 200000000000, &removed, NULL) && removed == 4 &&
		   !ft_store_get_list(store, "many", &list, NULL) && list.n == 1 && !list.entry[0].machine &&
		   !list.entry[0].runs,
	   "all go: a program without runs");
	ft_store_list_clear(&list);
	(void)raw(path, "UPDATE tally SET runs = 1, failed = -5, sizes = -1");
	ok(!ft_store_get_list(store, NULL, &list, NULL) && list.n && list.entry[0].failed == 0 &&
		   list.entry[0].sizes == 0,
	   "no count is below zero");
	ft_store_list_clear(&list);
	(void)ft_store_remove(store, "many", NULL, NULL);
}

/* What a list holds goes with it: no more is held after the third than after the second. */
static void test_cleared(void)
{
	struct ft_store_list list;
	size_t held[3];

	for (int i = 0; i < 3; i++) {
		(void)ft_store_get_list(store, NULL, &list, NULL);
		ft_store_list_clear(&list);
		held[i] = mallinfo2().uordblks;
	}
	ok(held[2] == held[1], "all of a list is cleared");
}

int main(void)
{
	struct ft_machine box, nameless = {.fingerprint = ft_strdup("beef")};

	store = open_store(temp_path("list.db"), 0);
	make_machine(&box, "b0c5");
	ok(!ft_store_put_machine(store, &box, NULL) && !ft_store_put_machine(store, &nameless, NULL),
	   "two machines");
	test_list(box.id, nameless.id);
	test_remove(box.id);
	test_state();
	test_part(box.id, nameless.id);
	test_version();
	test_counts(box.id);
	test_cleared();
	ft_machine_clear(&box);
	ft_machine_clear(&nameless);
	ft_store_close(store);
	temp_remove();
	return done();
}
