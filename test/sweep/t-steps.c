/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-steps.c - a sweep that is driven from outside: several runs in flight that end in any order, are lost,
 * come back late or are reported twice; killed and continued. */
#include "build/door.h"
#include "facts/door.h"
#include "steps.h"

enum { AT_ONCE = 4 };

/* ---- in order ----------------------------------------------------------------------------------------- */

/* One piece at a time, told before the next: what ft_sweep_run does; also where several might be in flight.
 */
static void test_in_order(const char *method, size_t params, size_t at_once)
{
	struct ft_sweep_options options = options_of(method, (struct ft_sweep_options){.points = 12});
	struct fake_source source[2] = {make_noisy(params), make_noisy(params)};
	struct ft_sweep_piece piece;
	struct ft_sweep_report report = {0};
	struct bench whole, steps;
	char path[2][64];
	size_t n;

	(void)snprintf(path[0], sizeof path[0], "whole-%s-%zu-%zu.db", method, params, at_once);
	(void)snprintf(path[1], sizeof path[1], "steps-%s-%zu-%zu.db", method, params, at_once);
	use(&whole, temp_path(path[0]), params, &source[0]);
	use(&steps, temp_path(path[1]), params, &source[1]);
	(void)ft_sweep_run(whole.store, &whole.program, &whole.machine, whole.source, &options, &whole.report,
			   &whole.err);
	options.at_once = at_once;
	struct ft_sweep *sweep = begin(&steps, &options);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &steps.err) && n)
		(void)ft_sweep_measure(sweep, &piece, &steps.err);
	ok(progress_of(sweep).ended && progress_of(sweep).stop == whole.report.stop &&
		   same_store(&whole, &steps),
	   "%s over %zu, one at a time of %zu: %zu runs, the same in the same order", method, params, at_once,
	   source[1].runs);
	ok(!ft_sweep_end(sweep, &report, &steps.err) && report.scatter == whole.report.scatter &&
		   report.models == whole.report.models && report.n_sizes == whole.report.n_sizes &&
		   report.known_to == whole.report.known_to,
	   "and the same is told");
	ok(ft_sweep_step(sweep, &piece, 1, &n, &steps.err) == FT_EEND && !n, "then it has ended");
	ft_sweep_report_clear(&report);
	ft_sweep_free(sweep);
	leave(&whole);
	leave(&steps);
}

/* ---- in any order ------------------------------------------------------------------------------------- */

/* What may happen to a piece, in percent of those that end. */
struct mishaps {
	int lost, late, interrupted, twice, killed;
};

/* A driver that keeps several pieces in flight. */
struct driver {
	struct bench *b;
	const struct ft_sweep_options *options;
	struct ft_sweep *sweep;
	struct ft_random random;
	struct mishaps mishaps;
	struct ft_sweep_piece out[FT_ASK_MAX], lost[FT_ASK_MAX];
	size_t n, n_lost, life; /* out, lost and to come back, sweeps that were begun */
	size_t reported, most, deaths, others;
	size_t wrong; /* of what must hold */
	double cost_s, limit_s;
};

static bool happens(struct driver *d, int percent)
{
	return ft_random_bits(&d->random) % 100 < (uint64_t)percent;
}

static struct ft_runs run_of(const struct driver *d, const struct ft_sweep_piece *piece)
{
	struct ft_runs runs = {0};

	(void)ft_source_run(d->b->source, &piece->size, piece->index, piece->limit_s, &runs, NULL);
	return runs;
}

/* No two in flight are the same run, and all together fit the budget; unless a run came back that was taken
 * for lost. */
static void check_out(struct driver *d)
{
	struct ft_progress progress = progress_of(d->sweep);
	double limits_s = 0;

	for (size_t i = 0; i < d->n; i++) {
		limits_s += d->out[i].limit_s;
		for (size_t j = 0; j < i; j++)
			d->wrong += d->out[i].id == d->out[j].id ||
				    (ft_size_equal(&d->out[i].size, &d->out[j].size) &&
				     d->out[i].index == d->out[j].index);
	}
	d->wrong += progress.in_flight != d->n || progress.ended || d->n > d->options->at_once;
	d->wrong += d->options->budget_s > 0 && !d->mishaps.late &&
		    progress.spent_s + limits_s > d->options->budget_s * (1 + 1e-12);
	d->most = d->n > d->most ? d->n : d->most;
}

static bool fill(struct driver *d)
{
	size_t n, most = 1 + ft_random_bits(&d->random) % AT_ONCE;
	enum ft_status status = ft_sweep_step(d->sweep, d->out + d->n, most, &n, &d->b->err);

	d->wrong += status || n > most;
	d->n += n;
	if (d->n)
		check_out(d);
	return d->n;
}

/* Reports a piece, and perhaps once more, or as another size. */
static void report(struct driver *d, const struct ft_sweep_piece *piece)
{
	struct ft_runs runs = run_of(d, piece), again = run_of(d, piece), other = run_of(d, piece);
	struct ft_err err = {0};

	other.run[0].size.value[0]++;
	d->wrong += ft_sweep_report(d->sweep, piece->id, &other, &err) != FT_EINVAL || !err.remedy[0];
	d->cost_s += runs.run[0].cost_s;
	d->wrong += ft_sweep_report(d->sweep, piece->id, &runs, &err) != FT_OK || runs.n;
	d->reported++;
	if (happens(d, d->mishaps.twice))
		d->wrong += ft_sweep_report(d->sweep, piece->id, &again, &err) != FT_EEXIST || !err.text[0] ||
			    ft_sweep_lose(d->sweep, piece->id, &err) != FT_EEXIST;
	d->wrong += ft_sweep_report(d->sweep, 1000000, &again, &err) != FT_ENOENT;
	ft_runs_clear(&again);
	ft_runs_clear(&other);
}

/* The whole process is gone, and another one goes on; what was in flight is waited for, comes back unasked,
 * or is gone, too. */
static void die(struct driver *d)
{
	size_t n = d->n;

	ft_sweep_free(d->sweep);
	d->sweep = begin(d->b, d->options);
	d->deaths++;
	d->n = d->n_lost = 0;
	for (size_t i = 0; i < n; i++) {
		struct ft_sweep_piece piece = d->out[i];

		if (happens(d, 33)) {
			d->wrong += ft_sweep_adopt(d->sweep, &piece, &d->b->err) != FT_OK;
			d->out[d->n++] = piece;
		} else if (happens(d, 50)) {
			struct ft_runs runs = run_of(d, &piece);
			d->cost_s += runs.run[0].cost_s;
			d->wrong += ft_sweep_report(d->sweep, 0, &runs, &d->b->err) != FT_OK;
			d->others++;
		}
	}
}

/* The builder is where one is that was told of the store. */
static void check_state(struct driver *d)
{
	struct ft_sweep *other = begin(d->b, d->options);
	struct ft_progress a = progress_of(d->sweep), b = progress_of(other);

	d->wrong += !ft_size_equal(&a.next.size, &b.next.size) || a.next.error != b.next.error ||
		    a.next.seconds != b.next.seconds || a.points != b.points ||
		    a.runs + a.known != b.runs + b.known;
	ft_sweep_free(other);
}

/* Something happens to a piece. */
static void happen(struct driver *d)
{
	size_t i = ft_random_bits(&d->random) % d->n;
	struct ft_sweep_piece piece = d->out[i];

	if (happens(d, d->mishaps.killed)) {
		die(d);
		return;
	}
	d->out[i] = d->out[--d->n];
	if (happens(d, d->mishaps.interrupted)) {
		struct ft_runs runs = run_of(d, &piece);

		runs.run[0].outcome = FT_INTERRUPTED;
		runs.run[0].cost_s = 0;
		d->wrong += ft_sweep_report(d->sweep, piece.id, &runs, &d->b->err) != FT_OK;
		return;
	}
	if (!happens(d, d->mishaps.lost)) {
		report(d, &piece);
		return;
	}
	d->wrong += ft_sweep_lose(d->sweep, piece.id, &d->b->err) != FT_OK;
	if (d->n_lost < FT_ASK_MAX && happens(d, d->mishaps.late))
		d->lost[d->n_lost++] = piece;
}

static void drive(struct driver *d)
{
	size_t events = 0;

	d->sweep = begin(d->b, d->options);
	while (fill(d) && ++events < 10000) {
		size_t before = d->reported;

		happen(d);
		if (d->n_lost && happens(d, 20))
			report(d, &d->lost[--d->n_lost]);
		if (d->options->builder->repeats && d->reported > before && happens(d, 10))
			check_state(d);
	}
	while (d->n_lost)
		report(d, &d->lost[--d->n_lost]);
	d->wrong += events >= 10000;
}

static void test_any_order(const char *method, size_t params, struct ft_sweep_options options,
			   struct mishaps mishaps, const char *what)
{
	struct fake_source source = make_noisy(params);
	struct bench b;
	struct driver d = {.b = &b, .options = &options, .random = {test_seed()}, .mishaps = mishaps};
	char path[64];

	options = options_of(method, options);
	options.at_once = AT_ONCE;
	(void)snprintf(path, sizeof path, "any-%s-%zu-%s.db", method, params, what);
	use(&b, temp_path(path), params, &source);
	drive(&d);
	struct ft_progress progress = progress_of(d.sweep);
	struct ft_runs runs = stored(&b);
	ok(!d.wrong, "%s over %zu, %s: up to %zu in flight, %zu wrong (seed %llu)", method, params, what,
	   d.most, d.wrong, (unsigned long long)test_seed());
	ok(runs.n == d.reported + d.others && (mishaps.late || mishaps.killed || !count_twice(&b)),
	   "%zu runs were reported, and no other was kept; %zu were lost to %zu deaths", runs.n, d.n_lost,
	   d.deaths);
	if (options.budget_s > 0)
		ok((mishaps.late || d.cost_s <= options.budget_s * (1 + 1e-12)) &&
			   d.cost_s > 0.5 * options.budget_s,
		   "of %g s %.3f are spent", options.budget_s, d.cost_s);
	ok(mishaps.late || progress.ended, "it ends: %s", ft_stop_text(progress.stop));
	ok(!ft_sweep_end(d.sweep, &b.report, &b.err) && b.report.models == 1, "with a model");
	ft_sweep_free(d.sweep);
	ft_runs_clear(&runs);
	leave(&b);
}

static bool is_in(const struct ft_runs *runs, const struct ft_run *run)
{
	for (size_t i = 0; i < runs->n; i++)
		if (same_run(&runs->run[i], run))
			return true;
	return false;
}

/* What asks for many sizes in turns makes the same runs in any order. */
static void test_same_runs(const char *method, size_t params)
{
	struct ft_sweep_options options = options_of(method, (struct ft_sweep_options){.reps_most = 5});
	struct fake_source source = make_noisy(params);
	struct bench whole, b;
	struct driver d = {.b = &b, .options = &options, .random = {test_seed()}, .mishaps = {.lost = 10}};
	size_t missing = 0;
	char path[2][64];

	(void)snprintf(path[0], sizeof path[0], "order-%s-%zu.db", method, params);
	(void)snprintf(path[1], sizeof path[1], "disorder-%s-%zu.db", method, params);
	use(&whole, temp_path(path[0]), params, &source);
	(void)ft_sweep_run(whole.store, &whole.program, &whole.machine, whole.source, &options, &whole.report,
			   &whole.err);
	use(&b, temp_path(path[1]), params, &source);
	options.at_once = AT_ONCE;
	drive(&d);
	struct ft_runs x = stored(&whole);
	struct ft_runs y = stored(&b);
	for (size_t i = 0; i < x.n; i++)
		missing += !is_in(&y, &x.run[i]);
	ok(x.n == y.n && !missing && !d.wrong,
	   "%s over %zu: %zu runs in any order are those of one after another", method, params, y.n);
	ft_runs_clear(&x);
	ft_runs_clear(&y);
	ft_sweep_free(d.sweep);
	leave(&whole);
	leave(&b);
}

static void test_orders(void)
{
	static const struct {
		const char *what;
		struct mishaps mishaps;
	} kind[] = {
		{"any order", {0}},
		{"lost", {.lost = 20, .interrupted = 10, .twice = 20}},
		{"late", {.lost = 20, .late = 70, .twice = 20}},
		{"killed", {.lost = 5, .killed = 10}},
		{"killed often", {.killed = 45}},
	};
	static const char *const method[] = {"adaptive", "gbbp", "naive", "rand"};

	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
		for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
			const struct ft_sweep_options few = {.points = 12, .tolerance = 0.02},
						      plain = {.points = 6, .budget_s = k ? 2 : 0};

			test_any_order(method[k], 1, few, kind[i].mishaps, kind[i].what);
			test_any_order(method[k], 2, plain, kind[i].mishaps, kind[i].what);
		}
}

int main(void)
{
	test_in_order("adaptive", 1, 1);
	test_in_order("adaptive", 1, AT_ONCE);
	test_in_order("adaptive", 2, AT_ONCE);
	test_in_order("gbbp", 1, AT_ONCE);
	test_in_order("naive", 2, 1);
	test_orders();
	test_same_runs("gbbp", 1);
	test_same_runs("naive", 1);
	temp_remove();
	return done();
}
