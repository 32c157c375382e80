/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-look.c - runs that others add to the store while a sweep goes on: they are taken in where they stand,
 * save runs, and leave the sweep where one is that begins with all of them. */
#include "base/alloc.h"
#include "facts/door.h"
#include "steps.h"
#include "store/door.h"

/* Another program, with the store open for itself. */
struct other {
	struct ft_store *store;
	struct ft_random random;
	size_t added;
};

static double random_of(struct ft_random *random)
{
	return (double)(ft_random_bits(random) >> 11) * 0x1p-53;
}

/* As timings that a program submitted stand there: somebody needed the run, and only its time is known. */
static void submit(struct other *other, const struct bench *b, const struct fake_source *source)
{
	const struct ft_program *p = &b->program;
	struct ft_run run;

	ft_run_init(&run);
	run.real = true;
	run.size.n = p->n_params;
	for (size_t i = 0; i < p->n_params; i++)
		run.size.value[i] = round(p->param[i].least * pow(p->param[i].most / p->param[i].least,
								  random_of(&other->random)));
	run.cost_s = (source->seconds_of ? source->seconds_of(run.size.value)
					 : source->seconds(run.size.value[0])) *
		     exp(source->noise * ft_random_normal(&other->random));
	(void)ft_run_add(&run, &ft_wall_s, run.cost_s, FT_MEASURED, "told", NULL, NULL);
	other->added += !ft_store_add_run(other->store, p->id, b->machine.id, &run, NULL);
	ft_run_clear(&run);
}

static size_t look(struct bench *b, struct ft_sweep *sweep)
{
	size_t n;

	return ft_sweep_look(sweep, &n, &b->err) ? SIZE_MAX : n;
}

/* The piece that a sweep which begins now hands out; id 0: none. */
static struct ft_sweep_piece piece_of_new(struct bench *b, const struct ft_sweep_options *options,
					  struct ft_progress *progress)
{
	struct ft_sweep *sweep = begin(b, options);
	struct ft_sweep_piece piece = {.id = 0};
	size_t n;

	(void)ft_sweep_step(sweep, &piece, 1, &n, &b->err);
	*progress = progress_of(sweep);
	ft_sweep_free(sweep);
	return piece;
}

static bool same_piece(const struct ft_sweep_piece *a, const struct ft_sweep_piece *b)
{
	return (!a->id && !b->id) ||
	       (ft_size_equal(&a->size, &b->size) && a->index == b->index && a->reason == b->reason &&
		(a->gain == b->gain || (isnan(a->gain) && isnan(b->gain))) &&
		(a->expected_s == b->expected_s || (isnan(a->expected_s) && isnan(b->expected_s))) &&
		a->limit_s == b->limit_s);
}

/* News come before a piece is handed out, after that and while it is run. */
static void test_as_new(const char *method, size_t params, double budget_s)
{
	struct ft_sweep_options options = options_of(
		method, (struct ft_sweep_options){.points = budget_s > 0 ? 0 : 12, .budget_s = budget_s});
	struct fake_source source = make_noisy(params);
	struct other other = {.random = {test_seed()}};
	struct ft_sweep_piece piece;
	struct ft_progress progress, fresh;
	size_t wrong = 0, looks = 0, n = 1, heard = 0;
	struct bench b;
	char path[64];

	(void)snprintf(path, sizeof path, "look-%s-%zu-%g.db", method, params, budget_s);
	use(&b, temp_path(path), params, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	(void)ft_store_open(&other.store, temp_path(path), 0, &b.err);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n && source.runs < 400) {
		if (random_of(&other.random) < 0.3) {
			submit(&other, &b, &source);
			if (random_of(&other.random) < 0.3)
				submit(&other, &b, &source);
			heard += n = look(&b, sweep);
			wrong += n < 1 || look(&b, sweep) != 0 || progress_of(sweep).in_flight != 1 ||
				 ft_sweep_return(sweep, piece.id, &b.err);
			(void)ft_sweep_step(sweep, &piece, 1, &n, &b.err);
			struct ft_sweep_piece again = piece_of_new(&b, &options, &fresh);
			progress = progress_of(sweep);
			wrong += (n ? !same_piece(&piece, &again) : again.id != 0) ||
				 progress.runs + progress.known != fresh.known ||
				 (budget_s > 0 &&
				  fabs(progress.spent_s - fresh.spent_s) > 1e-9 * fresh.spent_s) ||
				 progress.points != fresh.points;
			looks++;
			if (!n)
				break;
		}
		if (random_of(&other.random) < 0.2)
			submit(&other, &b, &source);
		wrong += ft_sweep_measure(sweep, &piece, &b.err) != FT_OK;
	}
	n = look(&b, sweep);
	heard += n;
	progress = progress_of(sweep);
	struct ft_runs all = stored(&b);
	ok(!wrong && looks,
	   "%s over %zu%s: after each of %zu looks it is as one that begins, %zu wrong (seed %llu)", method,
	   params, budget_s > 0 ? " within a budget" : "", looks, wrong, (unsigned long long)test_seed());
	ok(heard == other.added && progress.runs == source.runs && !count_twice(&b) &&
		   (params > 1 || budget_s > 0 || !options.builder->repeats ||
		    progress.runs + progress.known == all.n),
	   "%zu runs of its own and %zu of others, each once", source.runs, other.added);
	(void)ft_sweep_end(sweep, &b.report, &b.err);
	ok(b.report.models == 1, "with a model");
	ft_runs_clear(&all);
	ft_sweep_free(sweep);
	ft_store_close(other.store);
	leave(&b);
}

/* The mean error of the stored model, as a share of what a run takes. */
static double error_of(const struct bench *b)
{
	struct ft_size size = {.n = 1};
	struct ft_model_record record;
	struct ft_prediction at;
	double sum = 0;
	size_t n = 0;

	if (ft_store_get_model(b->store, b->program.id, b->machine.id, &ft_wall_s, &size, &record, NULL))
		return INFINITY;
	for (size.value[0] = 64; size.value[0] <= 3000; size.value[0] = ceil(size.value[0] * 1.01)) {
		sum += ft_model_predict(record.model, &size, 1, 0.9, &at, NULL)
			       ? INFINITY
			       : fabs(at.value / rising(size.value[0]) - 1);
		n++;
	}
	ft_model_record_clear(&record);
	return sum / (double)n;
}

/* One curve, with each run of its own one that somebody needed anyhow, or none. Returns the runs made. */
static size_t build(size_t curve, bool with, double *error, size_t *known)
{
	struct ft_sweep_options options =
		options_of("adaptive", (struct ft_sweep_options){.tolerance = 0.05});
	struct fake_source source = make_noisy(1);
	struct other other = {.random = {test_seed() + curve}};
	struct ft_sweep_piece piece;
	struct bench b;
	char path[64];
	size_t n;

	source.noise = 0.01 * (double)(1 + curve);
	(void)snprintf(path, sizeof path, "saves-%zu-%d.db", curve, with);
	use(&b, temp_path(path), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	(void)ft_store_open(&other.store, temp_path(path), 0, &b.err);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n) {
		(void)ft_sweep_measure(sweep, &piece, &b.err);
		if (with)
			submit(&other, &b, &source);
		(void)ft_sweep_look(sweep, &n, &b.err);
	}
	(void)ft_sweep_end(sweep, &b.report, &b.err);
	*error += error_of(&b);
	*known += b.report.stop == FT_STOP_TOLERANCE;
	diag("noise %g %s: %zu runs, known to %g, off by %g, %s", source.noise, with ? "with" : "without",
	     source.runs, b.report.known_to, error_of(&b), ft_stop_text(b.report.stop));
	ft_sweep_free(sweep);
	ft_store_close(other.store);
	leave(&b);
	return source.runs;
}

/* What somebody needed anyhow need not be run: the same curves are known as well. */
static void test_saves(void)
{
	enum { CURVES = 10 };
	size_t made[2] = {0, 0}, known[2] = {0, 0}, curve, with;
	double error[2] = {0, 0};

	for (curve = 0; curve < CURVES; curve++)
		for (with = 0; with < 2; with++)
			made[with] += build(curve, with, &error[with], &known[with]);
	ok((double)made[1] < 0.95 * (double)made[0] && error[1] < 0.75 * error[0] && error[1] < 0.05 * CURVES,
	   "%zu runs in place of %zu; off by %g and %g", made[1], made[0], error[1] / CURVES,
	   error[0] / CURVES);
}

/* However much others ran at a few sizes, that is no part of what a build may spend. */
static void test_given(size_t params, double budget_s)
{
	struct ft_sweep_options options =
		options_of("adaptive", (struct ft_sweep_options){.budget_s = budget_s});
	struct fake_source source = make_noisy(params);
	struct other other = {.random = {11}};
	struct bench b;
	char path[64];

	(void)snprintf(path, sizeof path, "given-%zu-%g.db", params, budget_s);
	use(&b, temp_path(path), params, &source);
	(void)ft_store_put_program(b.store, &b.program, &b.err);
	other.store = b.store;
	for (size_t i = 0; i < 400; i++) {
		other.random.state = 11 + i % 2;
		submit(&other, &b, &source);
	}
	(void)ft_sweep_run(b.store, &b.program, &b.machine, b.source, &options, &b.report, &b.err);
	ok(source.runs >= 5 && b.report.points >= 5 && other.added == 400 && b.report.known_cost_s == 0 &&
		   (!(budget_s > 0) || b.report.cost_s <= budget_s * (1 + 1e-12)),
	   "over %zu, 400 runs of others at two sizes: %zu more, at %zu sizes, %s", params, source.runs,
	   b.report.points, ft_stop_text(b.report.stop));
	leave(&b);
}

/* A look without memory changes nothing, however much there was. */
static void test_memory(const char *method)
{
	struct ft_sweep_options options = options_of(method, (struct ft_sweep_options){.points = 6});
	struct fake_source source = make_noisy(1);
	struct other other = {.random = {7}};
	struct ft_sweep_piece piece;
	size_t n, i, wrong = 0, news;
	enum ft_status status = FT_ENOMEM;
	struct bench b;
	char path[64];

	(void)snprintf(path, sizeof path, "memory-%s.db", method);
	use(&b, temp_path(path), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	for (i = 0; i < 6 && !ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n; i++)
		(void)ft_sweep_measure(sweep, &piece, &b.err);
	(void)ft_store_open(&other.store, temp_path(path), 0, &b.err);
	for (i = 0; i < 3; i++)
		submit(&other, &b, &source);
	struct ft_progress before = progress_of(sweep);
	for (i = 1; status == FT_ENOMEM && i < 100000; i++) {
		(void)ft_alloc_fail_at(i);
		status = ft_sweep_look(sweep, &news, &b.err);
		(void)ft_alloc_fail_at(0);
		struct ft_progress after = progress_of(sweep);
		if (status)
			wrong += news || after.points != before.points || after.known != before.known ||
				 !ft_size_equal(&after.next.size, &before.next.size);
	}
	ok(!status && !wrong && news == 3 && i > 10, "%s: %zu looks without memory change nothing", method,
	   i - 2);
	ft_sweep_free(sweep);
	ft_store_close(other.store);
	leave(&b);
}

/* A piece that was given back is handed out again, as it was: the same runs are made in the same order. */
static void test_return(const char *method)
{
	struct ft_sweep_options options = options_of(method, (struct ft_sweep_options){.points = 6});
	struct fake_source source[2] = {make_noisy(1), make_noisy(1)};
	struct ft_sweep_piece piece, again;
	size_t n = 1, returned = 0, wrong = 0;
	struct bench whole, b;
	char path[2][64];

	(void)snprintf(path[0], sizeof path[0], "kept-%s.db", method);
	(void)snprintf(path[1], sizeof path[1], "returned-%s.db", method);
	use(&whole, temp_path(path[0]), 1, &source[0]);
	use(&b, temp_path(path[1]), 1, &source[1]);
	(void)ft_sweep_run(whole.store, &whole.program, &whole.machine, whole.source, &options, &whole.report,
			   &whole.err);
	struct ft_sweep *sweep = begin(&b, &options);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n) {
		wrong += ft_sweep_return(sweep, piece.id, &b.err) || progress_of(sweep).in_flight ||
			 ft_sweep_return(sweep, piece.id, &b.err) != FT_EEXIST ||
			 ft_sweep_return(sweep, 7777, &b.err) != FT_ENOENT ||
			 ft_sweep_step(sweep, &again, 1, &n, &b.err) || n != 1 ||
			 !same_piece(&piece, &again) || again.id == piece.id || again.lost ||
			 ft_sweep_measure(sweep, &again, &b.err);
		returned++;
	}
	ok(!wrong && returned == source[1].runs && same_store(&whole, &b),
	   "%s: %zu pieces given back, and the same runs as ever", method, returned);
	ft_sweep_free(sweep);
	leave(&whole);
	leave(&b);
}

int main(void)
{
	static const char *const methods[] = {"adaptive", "gbbp",         "gbbp_naive",
					      "naive",    "naive_bisect", "rand"};

	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		test_as_new(methods[i], 1, 0);
	test_as_new("adaptive", 2, 0);
	test_as_new("gbbp", 2, 0);
	test_as_new("adaptive", 1, 2);
	test_as_new("gbbp", 1, 0.5);
	if (!test_sanitized()) /* values only */
		test_saves();
	test_given(1, 0);
	test_given(2, 0);
	test_given(1, 1);
	test_memory("adaptive");
	test_memory("gbbp");
	test_return("adaptive");
	test_return("gbbp");
	test_return("naive");
	return done();
}
