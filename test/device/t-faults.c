/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-faults.c - each allocation of a chooser, a ranking, a table, its header and a dispatcher may fail: an
 * error, or what is answered otherwise. */
#include "base/alloc.h"
#include "families.h"
#include "tap.h"
#include "temp.h"

static const struct made made[2] = {{1e-5, 1e-6, 1, 0, INFINITY, 1}, {1e-3, 5e-8, 1, 0, INFINITY, 1}};

static struct ft_store *make_store(void)
{
	struct ft_machine machine = {.fingerprint = (char *)(uintptr_t) "0123456789abcdef"};
	static const char *const device[] = {"cpu", "gpu"};
	struct ft_store *store;

	if (ft_store_open(&store, temp_path("faults.db"), 0, NULL) ||
	    ft_store_put_machine(store, &machine, NULL)) {
		printf("Bail out! no store\n");
		exit(99);
	}
	for (size_t j = 0; j < 2; j++) {
		struct ft_program program = {.name = (char *)(uintptr_t) "two",
					     .device = (char *)(uintptr_t)device[j],
					     .hash = (char *)(uintptr_t) "h",
					     .n_params = 1};

		program.param[0] = (struct ft_param){.name = "n", .least = 64, .most = 65536, .stride = 1};
		(void)ft_store_put_program(store, &program, NULL);
		for (size_t n = 64; n <= 65536; n *= 32) {
			struct ft_run run;

			ft_run_init(&run);
			run.size = (struct ft_size){1, {(double)n}};
			(void)ft_run_add(&run, &ft_wall_s, made_s(&made[j], (double)n), FT_MEASURED, "child",
					 NULL, NULL);
			(void)ft_store_add_run(store, program.id, machine.id, &run, NULL);
			ft_run_clear(&run);
		}
	}
	return store;
}

/* From first to last: two sizes of each, a run that is weighed, who is best. */
static enum ft_status choose(void *ctx, size_t *best)
{
	const struct ft_chooser_options options = {
		.space = {{.least = FAMILY_LEAST, .most = FAMILY_MOST, .stride = 1}},
		.n_params = 1,
		.n_devices = 2,
		.tolerance = 1e-9};
	const struct ft_size small = {1, {100}};
	struct ft_standing standing[2];
	struct ft_chooser_next next;
	struct ft_chooser *chooser;
	enum ft_status status = ft_chooser_new(&chooser, &options, NULL);

	(void)ctx;
	for (int i = 0; i < 5 && !status; i++) {
		status = ft_chooser_ask(chooser, &next, NULL);
		if (!status && next.size.n)
			status = tell_time(chooser, &next, made_s(&made[next.device], next.size.value[0]));
	}
	if (!status)
		status = ft_chooser_at(chooser, &small, standing, best, NULL);
	ft_chooser_free(chooser);
	return status;
}

static enum ft_status rank(void *ctx, size_t *best)
{
	const struct ft_size small = {1, {100}};
	struct ft_rank rank[FT_DEVICES_MAX];
	struct ft_ranking *ranking = NULL;
	enum ft_status status = ft_ranking_open(&ranking, ctx, "two", NULL, NULL);

	if (!status)
		status = ft_ranking_at(ranking, &small, rank, best, NULL, NULL);
	if (!status && strcmp(rank[*best].device, "cpu") != 0)
		*best = FT_DEVICES_MAX;
	ft_ranking_close(ranking);
	return status;
}

static enum ft_status write_header(void *ctx, size_t *best)
{
	static struct ft_table table;
	struct ft_ranking *ranking = NULL;
	char *text = NULL;
	enum ft_status status = ft_ranking_open(&ranking, ctx, "two", NULL, NULL);

	if (!status)
		status = ft_table_make(&table, ranking, NULL);
	if (!status)
		status = ft_table_header(&table, ranking, "two", &text, NULL);
	*best = !status && text && strstr(text, "TWO_GPU") ? 0 : FT_DEVICES_MAX;
	ft_ranking_close(ranking);
	free(text);
	return status;
}

static enum ft_status dispatch(void *ctx, size_t *best)
{
	struct ft_dispatch *dispatch = NULL;
	double n = 100;
	enum ft_status status = ft_dispatch_open(&dispatch, ctx, "two", NULL, NULL);

	if (!status)
		status = ft_device_choose(dispatch, &n, best, NULL);
	if (!status && strcmp(ft_dispatch_device(dispatch, *best), "cpu") != 0)
		*best = FT_DEVICES_MAX;
	ft_dispatch_close(dispatch);
	return status;
}

/* The first ones each, later ones ever farther apart: fits ask hundreds of times for the same. */
static void fail(const char *what, enum ft_status (*work)(void *, size_t *), void *ctx)
{
	unsigned long n = 0, asked, tried = 0, wrong = 0;
	size_t right = 0;

	(void)ft_alloc_fail_at(0);
	if (work(ctx, &right) || right == FT_DEVICES_MAX) {
		ok(false, "%s: without a fault it works", what);
		return;
	}
	do {
		n += 1 + n / (test_quick() ? 8 : 32);
		size_t best = FT_DEVICES_MAX;
		(void)ft_alloc_fail_at(n);
		enum ft_status status = work(ctx, &best);
		asked = ft_alloc_fail_at(0);
		tried++;
		wrong += status ? status != FT_ENOMEM : best == FT_DEVICES_MAX;
	} while (asked >= n);
	ok(!wrong && tried > 10,
	   "%s: %lu of %lu allocations fail, each is FT_ENOMEM or changes nothing (%lu)", what, tried - 1,
	   asked, wrong);
}

int main(void)
{
	struct ft_store *store = make_store();

	fail("choosing", choose, NULL);
	fail("ranking", rank, store);
	fail("a header", write_header, store);
	fail("a dispatcher", dispatch, store);
	ft_store_close(store);
	return done();
}
