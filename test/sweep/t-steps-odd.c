/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-steps-odd.c - what several runs at once win; warm-ups, reasons, runs that nobody asked for, and a sweep
 * without memory. */
#include "steps.h"

#include "base/alloc.h"

enum { AT_ONCE = 4 };

/* ---- what is won -------------------------------------------------------------------------------------- */

/* The seconds until all is run by so many nodes, each a run at a time. */
static double makespan(struct bench *b, const struct ft_sweep_options *options)
{
	struct ft_sweep *sweep = begin(b, options);
	struct ft_sweep_piece out[AT_ONCE];
	struct ft_runs runs[AT_ONCE];
	double until[AT_ONCE], now = 0;
	size_t n = 0, more, i, first;

	for (;;) {
		if (ft_sweep_step(sweep, out + n, options->at_once - n, &more, &b->err))
			break;
		for (i = n; i < n + more; i++) {
			runs[i] = (struct ft_runs){0};
			(void)ft_source_run(b->source, &out[i].size, out[i].index, out[i].limit_s, &runs[i],
					    NULL);
			until[i] = now + runs[i].run[0].cost_s;
		}
		n += more;
		if (!n)
			break;
		for (first = 0, i = 1; i < n; i++)
			first = until[i] < until[first] ? i : first;
		now = until[first];
		(void)ft_sweep_report(sweep, out[first].id, &runs[first], &b->err);
		n--;
		out[first] = out[n];
		runs[first] = runs[n];
		until[first] = until[n];
	}
	(void)ft_sweep_end(sweep, &b->report, &b->err);
	ft_sweep_free(sweep);
	return now;
}

/* Curves of all exponents, with waves and a step. */
static double exponent, phase;

static double wavy(double x)
{
	return 1e-4 + 1e-6 * pow(x, exponent) * (1 + 0.3 * sin(phase + 3 * log(x))) * (x > 900 ? 1.4 : 1);
}

/* Simulated seconds: so many nodes wait together a share of what one waits, and measure little more. */
static void test_won(const char *method, struct ft_sweep_options options, double share)
{
	enum { CURVES = 6 };
	struct fake_source source = make_fake(wavy, no_bytes);
	double seconds[2] = {0}, cost_s[2] = {0};
	struct bench b;
	char path[64];

	source.noise = 0.05;
	source.start_s = 0.02;
	options = options_of(method, options);
	exponent = 1.5;
	for (int i = 0; i < CURVES; i++)
		for (int k = 0; k < 2; k++) {
			(void)snprintf(path, sizeof path, "won-%s-%g-%g-%d-%d.db", method, options.tolerance,
				       options.budget_s, i, k);
			phase = i;
			use(&b, temp_path(path), 1, &source);
			options.at_once = k ? 3 : 1;
			seconds[k] += makespan(&b, &options) / CURVES;
			cost_s[k] += b.report.cost_s / CURVES;
			leave(&b);
		}
	ok(seconds[1] <= share * seconds[0] && cost_s[1] <= 1.2 * cost_s[0],
	   "%s on three nodes: %.2g s in place of %.2g (%.3f), for %.3g s of runs in place of %.3g", method,
	   seconds[1], seconds[0], seconds[1] / seconds[0], cost_s[1], cost_s[0]);
}

/* What runs at once learn is not learned twice. */
static void test_apart(void)
{
	struct ft_sweep_options options =
		options_of("adaptive", (struct ft_sweep_options){.tolerance = 0.05});
	struct fake_source source = make_fake(wavy, no_bytes);
	double cost[2] = {0}, wait[2] = {0}, known[2] = {0};
	char path[32];

	source.noise = 0.05;
	for (int i = 0; i < 24; i++)
		for (int k = 0; k < 2; k++) {
			struct bench b;

			exponent = 0.7 + 0.1 * (i % 12);
			phase = i;
			options.at_once = k ? AT_ONCE : 1;
			(void)snprintf(path, sizeof path, "apart-%d-%d.db", i, k);
			use(&b, temp_path(path), 1, &source);
			wait[k] += makespan(&b, &options) / wavy(3000) / 24;
			cost[k] += b.report.cost_s / wavy(3000) / 24;
			known[k] += b.report.known_to / 24;
			leave(&b);
		}
	ok(cost[1] <= 1.15 * cost[0] && wait[1] <= 0.45 * wait[0] && known[1] <= 2 * known[0],
	   "24 curves, known to %.3f: four nodes wait for %.3g times the largest run, which cost %.3g; one: "
	   "%.3f, "
	   "%.3g, %.3g",
	   known[1], wait[1], cost[1], known[0], wait[0], cost[0]);
}

/* ---- odds and ends ------------------------------------------------------------------------------------ */

/* The next piece must be there. */
static struct ft_sweep_piece next_of(struct ft_sweep *sweep)
{
	struct ft_sweep_piece piece = {.id = 0};
	size_t n;

	(void)ft_sweep_step(sweep, &piece, 1, &n, NULL);
	return piece;
}

static double six_seconds(double x)
{
	(void)x;
	return 6;
}

/* Of 20 s each of four gets 5, which is too little: ended there, a run is tried again with more. */
static void test_shares(void)
{
	struct ft_sweep_options options = options_of(
		"naive", (struct ft_sweep_options){
				 .points = 2, .reps_least = 1, .reps_most = 1, .budget_s = 20, .at_once = 4});
	struct fake_source source = make_fake(six_seconds, no_bytes);
	struct ft_sweep_piece pieces[4];
	struct bench b;
	size_t n, ended = 0;

	use(&b, temp_path("shares.db"), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	while (!ft_sweep_step(sweep, pieces, 4, &n, &b.err) && n)
		for (size_t i = 0; i < n; i++) {
			ended += pieces[i].limit_s == 5;
			(void)ft_sweep_measure(sweep, &pieces[i], &b.err);
		}
	ok(ended == 2 && source.runs == 3 && progress_of(sweep).points == 1 &&
		   near(progress_of(sweep).spent_s, 16, 1e-9) && progress_of(sweep).stop == FT_STOP_BUDGET,
	   "two runs end at their share of the budget, and one of them is made again: %.3g s spent",
	   progress_of(sweep).spent_s);
	ft_sweep_free(sweep);
	leave(&b);
}

/* The first run of all is a warm-up, and nothing is run beside it; where others run it, it is their matter.
 */
static void test_warm_up(void)
{
	struct ft_sweep_options options = options_of("naive", (struct ft_sweep_options){.at_once = 3});
	struct fake_source source = make_noisy(1);
	struct ft_source_ops live = fake_ops;
	struct ft_sweep_piece pieces[4], first;
	struct bench b;
	size_t n, more;

	live.live = true;
	source.source.ops = &live;
	use(&b, temp_path("warm.db"), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	(void)ft_sweep_step(sweep, pieces, 4, &n, &b.err);
	(void)ft_sweep_step(sweep, pieces + 1, 3, &more, &b.err);
	ok(n == 1 && !more && pieces[0].reason == FT_REASON_WARM_UP, "a warm-up goes first, alone");
	(void)ft_sweep_lose(sweep, pieces[0].id, &b.err);
	first = next_of(sweep);
	ok(first.reason == FT_REASON_WARM_UP && first.id != pieces[0].id && first.lost == 1,
	   "one that is lost is made again");
	(void)ft_sweep_measure(sweep, &first, &b.err);
	struct ft_runs runs = stored(&b);
	(void)ft_sweep_step(sweep, pieces, 4, &n, &b.err);
	ok(runs.n == 1 && runs.run[0].warmup && n == 3 && ft_size_equal(&pieces[0].size, &first.size) &&
		   pieces[0].index == 0 && pieces[0].reason != FT_REASON_WARM_UP,
	   "then its size, and two others");
	ft_sweep_free(sweep);
	options.elsewhere = true;
	options.memory_bytes = 1e9;
	sweep = begin(&b, &options);
	first = next_of(sweep);
	ok(first.reason == FT_REASON_NEW && first.limit_bytes == 1e9, "none where others run it");
	ft_sweep_free(sweep);
	ft_runs_clear(&runs);
	leave(&b);
}

static void test_reasons(void)
{
	struct ft_sweep_options options = options_of("adaptive", (struct ft_sweep_options){0});
	struct fake_source source = make_noisy(1);
	size_t seen[FT_REASON_LOST + 1] = {0}, n, i = 0, wrong = 0;
	struct ft_sweep_piece piece;
	struct bench b;

	source.odd_fails = 2;
	use(&b, temp_path("reasons.db"), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n) {
		struct ft_progress progress = progress_of(sweep);

		seen[piece.reason]++;
		wrong += progress.in_flight != 1 || progress.ended || (piece.gain <= 0) || piece.lost > i;
		if (i++ == 3)
			(void)ft_sweep_lose(sweep, piece.id, &b.err);
		else
			(void)ft_sweep_measure(sweep, &piece, &b.err);
	}
	ok(!wrong && seen[FT_REASON_NEW] > 4 && seen[FT_REASON_AGAIN] && seen[FT_REASON_RETRY] &&
		   seen[FT_REASON_LOST] == 1 && !seen[FT_REASON_WARM_UP],
	   "each piece says why: %zu new sizes, %zu once more, %zu failed, %zu lost", seen[FT_REASON_NEW],
	   seen[FT_REASON_AGAIN], seen[FT_REASON_RETRY], seen[FT_REASON_LOST]);
	for (i = 0; i <= FT_REASON_LOST; i++)
		wrong += !strcmp(ft_reason_text((enum ft_reason)i), "unknown");
	ok(!wrong && progress_of(sweep).ended && !progress_of(sweep).next.size.n, "and the end says why");
	ft_sweep_free(sweep);
	leave(&b);
}

/* A run that nobody asked for. */
static enum ft_status submit(struct ft_sweep *sweep, struct fake_source *source, double x, size_t index,
			     enum ft_outcome outcome)
{
	struct ft_size size = {1, {x}};
	struct ft_runs runs = {0};
	enum ft_status status = ft_source_run(&source->source, &size, index, 0, &runs, NULL);

	runs.run[0].outcome = outcome;
	status = status ? status : ft_sweep_report(sweep, 0, &runs, NULL);
	ft_runs_clear(&runs);
	return status;
}

static void test_others(const char *method)
{
	struct ft_sweep_options options = options_of(method, (struct ft_sweep_options){.points = 8});
	struct fake_source source[2] = {make_noisy(1), make_noisy(1)};
	struct bench alone, b;
	char path[2][64];

	(void)snprintf(path[0], sizeof path[0], "alone-%s.db", method);
	(void)snprintf(path[1], sizeof path[1], "others-%s.db", method);
	use(&alone, temp_path(path[0]), 1, &source[0]);
	(void)ft_sweep_run(alone.store, &alone.program, &alone.machine, alone.source, &options, &alone.report,
			   &alone.err);
	use(&b, temp_path(path[1]), 1, &source[1]);
	struct ft_sweep *sweep = begin(&b, &options);
	ok(!submit(sweep, &source[1], 64, 0, FT_DONE) && !submit(sweep, &source[1], 3000, 0, FT_DONE),
	   "%s: runs that were not asked for", method);
	ok(!submit(sweep, &source[1], 5000, 0, FT_DONE) && !submit(sweep, &source[1], 70, 0, FT_INTERRUPTED),
	   "one that is none of this sweep, and one that came to nothing");
	struct ft_sweep_piece piece = next_of(sweep);
	(void)ft_sweep_measure(sweep, &piece, &b.err);
	size_t n = progress_of(sweep).known;
	ok(!submit(sweep, &source[1], piece.size.value[0], piece.index + 1, FT_DONE) &&
		   progress_of(sweep).known == n + 1,
	   "one at a size that is being measured");
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n)
		(void)ft_sweep_measure(sweep, &piece, &b.err);
	struct ft_runs runs = stored(&b);
	ok(progress_of(sweep).known == 3 && source[1].runs - 5 <= source[0].runs &&
		   runs.n == source[1].runs - 1 && !count_twice(&b),
	   "three of them are not measured: %zu instead of %zu", source[1].runs - 5, source[0].runs);
	ft_runs_clear(&runs);
	ft_sweep_free(sweep);
	leave(&alone);
	leave(&b);
}

/* ---- without memory ----------------------------------------------------------------------------------- */

/* A sweep in which the n-th allocation fails, and which is begun again where that lost track. How many there
 * are. */
static unsigned long drive_without(struct bench *b, const struct ft_sweep_options *options, unsigned long n,
				   size_t *failures)
{
	struct ft_sweep *sweep = NULL;
	struct ft_sweep_piece piece;
	size_t more = 1;

	(void)ft_alloc_fail_at(n);
	while (more) {
		struct ft_runs runs = {0};
		enum ft_status status = sweep ? FT_OK
					      : ft_sweep_new(&sweep, b->store, &b->program, &b->machine,
							     b->source, options, NULL);

		if (!status)
			status = ft_sweep_step(sweep, &piece, 1, &more, NULL);
		if (!status && more)
			status = ft_source_run(b->source, &piece.size, piece.index, piece.limit_s, &runs,
					       NULL);
		if (!status && more) {
			status = ft_sweep_report(sweep, piece.id, &runs, NULL);
			/* Once more, for memory is there again: it is stored once. */
			if (status)
				status = ft_sweep_report(sweep, piece.id, &runs, NULL);
		}
		ft_runs_clear(&runs);
		if (!status)
			continue;
		++*failures;
		ft_sweep_free(sweep);
		sweep = NULL;
		more = 1;
	}
	ft_sweep_free(sweep);
	unsigned long made = ft_alloc_fail_at(0);
	return made;
}

static void test_faults(const char *method)
{
	struct ft_sweep_options options =
		options_of(method, (struct ft_sweep_options){.points = 5, .reps_most = 2});
	struct fake_source source = make_noisy(1);
	struct bench whole, b;
	unsigned long tried = 0, wrong = 0;
	size_t failures = 0;
	char path[64];

	(void)snprintf(path, sizeof path, "fed-%s.db", method);
	use(&whole, temp_path(path), 1, &source);
	unsigned long made = drive_without(&whole, &options, 0, &failures);
	for (unsigned long n = 1; n <= made;
	     n += 1 + made / (unsigned long)test_cases(test_quick() ? 15 : 100)) {
		(void)snprintf(path, sizeof path, "starved-%s-%lu.db", method, n);
		use(&b, temp_path(path), 1, &source);
		(void)drive_without(&b, &options, n, &failures);
		wrong += !same_store(&whole, &b);
		tried++;
		leave(&b);
	}
	ok(!wrong && failures > tried / 2,
	   "%s: %lu of %lu allocations fail, %zu times it begins again: %lu wrong", method, tried, made,
	   failures, wrong);
	leave(&whole);
}

int main(void)
{
	test_won("adaptive", (struct ft_sweep_options){0}, 0.7); /* half of all is one run */
	test_won("adaptive", (struct ft_sweep_options){.tolerance = 0.05}, 0.45);
	test_won("adaptive", (struct ft_sweep_options){.tolerance = 0.02, .budget_s = 6}, 0.45);
	test_won("gbbp", (struct ft_sweep_options){.reps_most = 4}, 0.5);
	test_won("naive", (struct ft_sweep_options){0}, 0.4);
	if (!test_quick())
		test_apart();
	test_shares();
	test_warm_up();
	test_reasons();
	test_others("adaptive");
	test_others("gbbp");
	test_faults("adaptive");
	test_faults("gbbp");
	temp_remove();
	return done();
}
