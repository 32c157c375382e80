/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-fold.c - runs thinned: what stays, and what is left of the others. */
#include "facts/door.h"
#include "store-test.h"
#include "store/door.h"

static struct ft_store_entry entry_of(struct fixture *f)
{
	struct ft_store_list list;
	struct ft_store_entry entry = {0};

	if (!ft_store_get_list(f->store, "matmul", &list, NULL) && list.n == 1)
		entry = list.entry[0];
	ft_store_list_clear(&list);
	return entry;
}

/* Runs 1 .. n at a size, of which the i-th took i seconds; every tenth failed. */
static void add_runs(struct fixture *f, double size, int from, int to)
{
	for (int i = from; i <= to; i++) {
		struct ft_run run;

		make_run(&run, size, 0);
		run.started_ns = i;
		run.processors = 0;
		run.load_before = run.runnable_before = run.pressure = NAN;
		(void)ft_run_add(&run, &ft_wall_s, i, FT_MEASURED, "child", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, 4096, FT_MEASURED, "child", NULL, NULL);
		(void)ft_run_add(&run, &ft_energy_j, NAN, FT_UNAVAILABLE, "rapl", "may not be read", NULL);
		run.outcome = i % 10 ? FT_DONE : FT_FAILED;
		run.warmup = i == 1;
		(void)ft_store_add_run(f->store, f->program.id, f->machine.id, &run, NULL);
		ft_run_clear(&run);
	}
}

int main(void)
{
	struct ft_store_entry entry;
	struct ft_folded *folded;
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	struct fixture f;
	size_t n;

	open_fixture(&f, temp_path("fold.db"), 0);
	is(ft_store_fold_runs(f.store, "nobody", 3, &n, &err), FT_ENOENT, &err, "a name that is not there");
	is(ft_store_fold_runs(f.store, "matmul", 0, &n, &err), FT_EINVAL, &err, "none of a size cannot stay");
	ok(!ft_store_fold_runs(f.store, "matmul", 3, &n, &err) && n == 0, "no runs");
	add_runs(&f, 64, 1, 100);
	add_runs(&f, 128, 1, 3);
	ok(!ft_store_put_trace(f.store, 50, "a,b\n1,2\n", 8, &err), "the fiftieth has a trace");
	ok(!ft_store_fold_runs(f.store, "matmul", 5, &n, &err) && n == 100 - 10 - 1 - 1 - 5 + 1,
	   "all but the ten that failed, a warm-up and the newest five become sums (%zu)", n);
	entry = entry_of(&f);
	ok(entry.runs == 103 - n && entry.folded == n && entry.failed == 10 && entry.sizes == 2 &&
		   entry.first_ns == 1 && entry.last_ns == 100,
	   "they are counted apart, when the first was is known still");
	ok(!ft_store_get_runs(f.store, f.program.id, 0, &runs, &err) && runs.n == 103 - n,
	   "the others are there");
	double slowest = 0;
	for (size_t i = 0; i < runs.n; i++)
		slowest = fmax(slowest, ft_run_value(&runs.run[i], &ft_wall_s));
	ok(slowest == 100, "the newest among them");
	ft_runs_clear(&runs);
	ok(!ft_store_get_folded(f.store, f.program.id, f.machine.id, &ft_wall_s, &folded, &n, &err) &&
		   n == 1 && folded[0].size.value[0] == 64 && folded[0].sketch.least == 2 &&
		   folded[0].sketch.most == 94,
	   "the ends of the others are exact");
	ok(folded && folded[0].sketch.n == entry.folded &&
		   fabs(ft_sketch_quantile(&folded[0].sketch, 0.5) - 48) < 2,
	   "their median is near");
	ft_free(folded);
	ok(!ft_store_get_folded(f.store, f.program.id, f.machine.id, &ft_energy_j, &folded, &n, &err) && !n,
	   "what had no value has no sum");
	ft_free(folded);

	/* A second time: joined. */
	size_t before = entry.folded;
	add_runs(&f, 64, 201, 209);
	ok(!ft_store_fold_runs(f.store, "matmul", 5, &n, &err) && n == 9, "nine more");
	entry = entry_of(&f);
	ok(entry.folded == before + 9 && entry.sizes == 2, "counted with those before");
	ok(!ft_store_get_folded(f.store, f.program.id, f.machine.id, &ft_wall_s, &folded, &n, &err) &&
		   n == 1 && folded[0].sketch.n == before + 9 && folded[0].sketch.least == 2 &&
		   folded[0].sketch.most == 204,
	   "and in one sketch");
	ft_free(folded);
	ok(!ft_store_remove_runs(f.store, "matmul", f.machine.id, 0, 150, &n, &err) && n,
	   "runs go by their time");
	entry = entry_of(&f);
	ok(entry.folded == before + 9, "the sums stay");
	(void)raw(temp_path("fold.db"), "UPDATE folded SET sketch = x'ffffff'");
	is(ft_store_get_folded(f.store, f.program.id, f.machine.id, &ft_wall_s, &folded, &n, &err), FT_EIO,
	   &err, "damaged sums");
	ok(!folded && !n, "... are none");
	ok(!ft_store_remove(f.store, "matmul", NULL, &err) &&
		   !strcmp(raw(temp_path("fold.db"), "SELECT count(*) FROM folded"), "0"),
	   "all go with their program");
	close_fixture(&f);
	temp_remove();
	return done();
}
