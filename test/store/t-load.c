/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-load.c - loads of others in the store. */
#include "store-test.h"
#include "store/door.h"

static struct ft_load load_at(int64_t second, double load)
{
	return (struct ft_load){.started_ns = second * 1000000000,
				.interval_s = 10,
				.load = load,
				.busy = load / 2,
				.steal = 0.125,
				.iowait = NAN,
				.processors = 4,
				.by_sweep = second % 2};
}

static bool same_load(const struct ft_load *a, const struct ft_load *b)
{
	return a->started_ns == b->started_ns && a->interval_s == b->interval_s && a->load == b->load &&
	       same_number(a->busy, b->busy) && same_number(a->steal, b->steal) &&
	       same_number(a->iowait, b->iowait) && a->processors == b->processors &&
	       a->by_sweep == b->by_sweep;
}

static void test_loads(struct fixture *f)
{
	struct ft_load first = load_at(101, 0.1), second = load_at(100, 1. / 3), bad = load_at(1, NAN);
	struct ft_loads loads = {0};
	struct ft_err err = {0};
	int64_t id;

	ok(ft_store_find_machine(f->store, f->machine.fingerprint, &id, &err) == FT_OK && id == f->machine.id,
	   "its machine is found");
	is(ft_store_find_machine(f->store, "ff", &id, &err), FT_ENOENT, &err, "another is not");
	is(ft_store_get_load(f->store, f->machine.id, 0, &loads, &err), FT_OK, &err, "none yet");
	ok(!loads.n, "... and none it is");
	is(ft_store_add_load(f->store, f->machine.id, &first, &err), FT_OK, &err, "a load");
	is(ft_store_add_load(f->store, f->machine.id, &second, &err), FT_OK, &err, "an earlier one");
	is(ft_store_add_load(f->store, f->machine.id, &bad, &err), FT_EINVAL, &err, "one that is no number");
	bad = load_at(1, 1);
	bad.interval_s = 0;
	is(ft_store_add_load(f->store, f->machine.id, &bad, &err), FT_EINVAL, &err, "one of no time");
	ok(ft_store_add_load(f->store, 99, &first, &err) != FT_OK && *err.text,
	   "a machine that is not there: %s", err.text);
	is(ft_store_get_load(f->store, f->machine.id, 0, &loads, &err), FT_OK, &err, "read back");
	ok(loads.n == 2 && same_load(&loads.load[0], &second) && same_load(&loads.load[1], &first),
	   "... oldest first, to the last digit");
	ft_loads_clear(&loads);
	is(ft_store_get_load(f->store, f->machine.id, first.started_ns, &loads, &err), FT_OK, &err,
	   "newer ones");
	ok(loads.n == 1 && same_load(&loads.load[0], &first), "... only");
	is(ft_store_trim_load(f->store, f->machine.id, first.started_ns, &err), FT_OK, &err,
	   "older ones removed");
	is(ft_store_get_load(f->store, f->machine.id, 0, &loads, &err), FT_OK, &err, "the rest");
	ok(loads.n == 2 && same_load(&loads.load[1], &first), "... is there, appended to what there was");
	ft_loads_clear(&loads);
}

/* In the store: 500 and 520; of those that come 480 is too old, 500 is known. */
static void test_take(struct fixture *f)
{
	struct ft_load come[] = {load_at(480, 1), load_at(500, 9), load_at(510, 3), load_at(530, 4)};
	const struct ft_loads loads = {.load = come, .n = 4};
	const struct ft_load there[] = {load_at(500, 1), load_at(520, 2)};
	struct ft_loads_taken taken = {0};
	struct ft_loads all = {0};
	struct ft_err err = {0};
	const int64_t since_ns = INT64_C(490000000000);

	(void)ft_store_add_load(f->store, f->machine.id, &there[0], NULL);
	(void)ft_store_add_load(f->store, f->machine.id, &there[1], NULL);
	come[3].interval_s = 0;
	is(ft_store_take_loads(f->store, f->machine.id, &loads, since_ns, &taken, &err), FT_EINVAL, &err,
	   "one of no time is among them");
	(void)ft_store_get_load(f->store, f->machine.id, since_ns, &all, NULL);
	ok(all.n == 2, "... none is taken");
	ft_loads_clear(&all);
	come[3].interval_s = 5;
	is(ft_store_take_loads(f->store, f->machine.id, &loads, since_ns, &taken, &err), FT_OK, &err,
	   "taken in");
	ok(taken.taken == 2 && taken.known == 1 && taken.old == 1 && taken.seconds == 15,
	   "... those that are new");
	(void)ft_store_get_load(f->store, f->machine.id, since_ns, &all, NULL);
	ok(all.n == 4 && same_load(&all.load[0], &there[0]) && same_load(&all.load[1], &come[2]) &&
		   same_load(&all.load[3], &come[3]),
	   "... and what was there stays");
	ft_loads_clear(&all);
	is(ft_store_take_loads(f->store, f->machine.id, &loads, since_ns, &taken, &err), FT_OK, &err,
	   "taken in again");
	ok(!taken.taken && taken.known == 3, "... nothing is new");
}

static void test_no_memory(struct fixture *f)
{
	struct ft_load load = load_at(200, 2);
	struct ft_loads loads = {0};
	unsigned long n = 0;
	bool good = true;
	enum ft_status status;

	(void)ft_store_add_load(f->store, f->machine.id, &load, NULL);
	do {
		(void)ft_alloc_fail_at(++n);
		status = ft_store_get_load(f->store, f->machine.id, 0, &loads, NULL);
		good &= !status || (status == FT_ENOMEM && !loads.n);
	} while (status && n < 100);
	(void)ft_alloc_fail_at(0);
	ok(good && n > 1 && n < 100 && loads.n == 2, "%lu allocations fail cleanly", n - 1);
	ft_loads_clear(&loads);
}

/* A recorder that is killed loses nothing: what a child added is there, though it never closed the store. */
static void add_and_die(const char *path, struct report *report)
{
	struct ft_load load = load_at(300, 1);
	struct ft_store *store = open_store(path, 0);

	report->status = ft_store_add_load(store, 1, &load, &report->err);
}

static void test_killed(const char *path)
{
	struct report report = in_child(add_and_die, path, false);

	ok(!report.status &&
		   !strcmp(raw(path, "SELECT count(*) FROM load WHERE started_ns = 300000000000"), "1"),
	   "an observation is kept at once");
}

int main(void)
{
	struct fixture f;

	open_fixture(&f, temp_path("load.db"), 0);
	test_loads(&f);
	test_no_memory(&f);
	test_take(&f);
	close_fixture(&f);
	test_killed(temp_path("load.db"));
	temp_remove();
	return done();
}
