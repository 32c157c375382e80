/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-ask.c - questions to the models of a store: found, fitted, refitted, refused. */
#include "tap.h"
#include "temp.h"

#include "ask/door.h"
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/ask.h"
#include "store/door.h"

#include <math.h>

static struct ft_store *store;
static int64_t here, there, program;

static int64_t add_machine(const char *fingerprint, const char *host)
{
	struct ft_machine machine = {.fingerprint = strdup(fingerprint), .host = strdup(host)};
	int64_t id;

	(void)ft_store_put_machine(store, &machine, NULL);
	id = machine.id;
	ft_machine_clear(&machine);
	return id;
}

static int64_t add_program(const char *name, size_t params)
{
	struct ft_program p = {
		.name = strdup(name), .hash = strdup(""), .work = strdup("n^2"), .n_params = params};
	int64_t id;

	(void)ft_param_parse("n=10:100", &p.param[0], NULL);
	(void)ft_param_parse("m=1", &p.param[1], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	id = p.id;
	ft_program_clear(&p);
	return id;
}

static void add_run(int64_t of, int64_t machine, double n, double m, double seconds, enum ft_outcome outcome)
{
	struct ft_run run = {
		.size = {.n = of == program ? 1 : 2, .value = {n, m}}, .outcome = outcome, .work = NAN};

	(void)ft_run_add(&run, &ft_wall_s, seconds, FT_MEASURED, "test", NULL, NULL);
	(void)ft_run_add(&run, &ft_peak_rss_bytes, 1000 + 8 * n, FT_MEASURED, "test", NULL, NULL);
	(void)ft_store_add_run(store, of, machine, &run, NULL);
	ft_run_clear(&run);
}

static struct ft_answerer *open_models(const char *name, const char *machine, int64_t on, struct ft_err *err)
{
	struct ft_answerer *models;

	*err = (struct ft_err){0};
	(void)ft_ask_open(&models, store, name, machine, on, err);
	return models;
}

static double ask(struct ft_answerer *models, const struct ft_resource *resource, double n, double m)
{
	struct ft_size size = {.n = ft_ask_program(models)->n_params, .value = {n, m}};
	struct ft_prediction p;

	return ft_ask_predict(models, resource, &size, 0.9, &p, NULL) ? NAN : p.value;
}

/* Words of people: of memory all processes together, where that is known; a counter by its name. */
static void test_typed(void)
{
	const struct ft_resource *events = NULL, *found;
	int64_t of = add_program("typed", 1);
	struct ft_err err;

	(void)ft_resource_named("events", &events, NULL);
	for (int i = 1; i < 4; i++) {
		struct ft_run run = {.size = {.n = 1, .value = {10 * i}}, .outcome = FT_DONE, .work = NAN};

		(void)ft_run_add(&run, &ft_cpu_s, i, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, 1e6 * i, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_tree_bytes, 2e6 * i, FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_energy_j, NAN, FT_UNAVAILABLE, "test", "no meter", NULL);
		(void)ft_run_add(&run, events, 7 * i, FT_MEASURED, "counters", NULL, NULL);
		(void)ft_store_add_run(store, of, here, &run, NULL);
		ft_run_clear(&run);
	}
	struct ft_answerer *models = open_models("typed", NULL, here, &err),
			   *square = open_models("square", NULL, here, &err);
	ok(ft_ask_typed(models, "mem") == &ft_peak_tree_bytes &&
		   ft_ask_typed(models, "rss") == &ft_peak_tree_bytes &&
		   ft_ask_typed(models, "peak_rss_bytes") == &ft_peak_rss_bytes &&
		   ft_ask_typed(square, "mem") == &ft_peak_rss_bytes,
	   "memory is that of all processes, where that is known");
	ok(ft_ask_typed(models, "events") == events && !ft_ask_typed(square, "events"),
	   "a counter of these runs");
	ok(ft_ask_typed(models, "time") == &ft_wall_s && !ft_ask_typed(models, "magic"),
	   "whether measured or not");
	ok(!ft_ask_find(models, NULL, &found, &err) && found == &ft_cpu_s &&
		   !ft_ask_find(square, NULL, &found, &err) && found == &ft_wall_s,
	   "without a word the time, else the first that there is");
	ok(ft_ask_find(models, "magic", &found, &err) == FT_ENOENT && !found && strstr(err.text, "'magic'") &&
		   !strcmp(err.remedy,
			   "there are values of cpu (cpu_s), peak_rss_bytes, memory (peak_tree_bytes), "
			   "events"),
	   "%s; %s", err.text, err.remedy);
	ok(ft_ask_find(models, "time", &found, &err) == FT_ENOENT && strstr(err.text, "'wall_s'"), "%s",
	   err.text);
	ok(ft_ask_find(models, "energy", &found, &err) == FT_ENOENT && strstr(err.remedy, "no meter"), "%s",
	   err.remedy);
	ok(ft_ask_find(models, "energy", &found, NULL) == FT_ENOENT, "also of who wants no words");
	ft_ask_close(models);
	ft_ask_close(square);
}

static void test_answers(void)
{
	struct ft_err err;
	struct ft_answerer *models = open_models("square", NULL, here, &err);
	const struct ft_model_record *record;
	size_t knots = 0;

	ok(models && near(ask(models, &ft_wall_s, 50, 0), 2.5e-3, 1e-12), "a time, through its speed");
	ok(near(ask(models, &ft_peak_rss_bytes, 50, 0), 1400, 5e-3), "memory, by itself");
	ok(isnan(ask(models, &ft_energy_j, 50, 0)), "nothing that was not measured");
	ok(ft_ask_has(models, &ft_peak_rss_bytes) && !ft_ask_has(models, &ft_energy_j), "and no other one");
	ok(ft_ask_resource(models, 1) == &ft_peak_rss_bytes && !ft_ask_resource(models, 2),
	   "it tells what was measured");
	ft_ask_close(models);

	models = open_models("square", NULL, here, &err);
	ok(models &&
		   !ft_ask_model(models, &ft_wall_s, &(struct ft_size){.n = 1, .value = {50}}, &record,
				 &err) &&
		   ft_model_knots(record->model, &knots) && knots == 3,
	   "a model that was fitted for a question is kept");
	ft_ask_close(models);
	for (size_t i = 0; i < 3; i++) /* one alone might be a mishap */
		add_run(program, here, 60, 0, 60 * 60 * 2e-6, FT_DONE);
	models = open_models("square", NULL, here, &err);
	ok(models && near(ask(models, &ft_wall_s, 60, 0), 60 * 60 * 2e-6, 5e-3),
	   "and fitted anew when there are newer runs");
	ft_ask_close(models);
	add_run(program, here, 20, 0, 99, FT_FAILED);
	models = open_models("square", NULL, here, &err);
	ok(models && ask(models, &ft_wall_s, 20, 0) < 1, "runs that failed are no samples");
	ft_ask_close(models);
}

static void test_machines(void)
{
	struct ft_err err;
	struct ft_answerer *models = open_models("square", "far", here, &err);

	ok(!models && err.status == FT_ENOENT && err.remedy[0], "refused: %s", err.text);
	models = open_models("square", NULL, 0, &err);
	ok(models && !strcmp(ft_ask_machine(models)->host, "near"), "the only machine with runs serves");
	ft_ask_close(models);
	add_run(program, there, 10, 0, 1, FT_DONE);
	models = open_models("square", NULL, 0, &err);
	ok(!models && err.remedy[0], "refused: %s", err.text);
	models = open_models("square", "far", here, &err);
	ok(models && near(ask(models, &ft_wall_s, 10, 0), 1, 1e-12), "a machine by its host name");
	ft_ask_close(models);
	models = open_models("square", "2222222222222222", here, &err);
	ok(models && near(ask(models, &ft_wall_s, 10, 0), 1, 1e-12), "and by its fingerprint");
	ft_ask_close(models);
	models = open_models("circle", NULL, here, &err);
	ok(!models && err.status == FT_ENOENT, "refused: %s", err.text);
}

static void test_slices(void)
{
	int64_t two = add_program("two", 2);
	const char *const n_only[] = {"n"}, *const both[] = {"m", "n"}, *const wrong[] = {"q"};
	struct ft_size size;
	struct ft_err err;

	add_run(two, here, 10, 1, 1, FT_DONE);
	add_run(two, here, 20, 1, 4, FT_DONE);
	struct ft_answerer *models = open_models("two", NULL, here, &err);
	ok(!ft_ask_size(models, n_only, (double[]){15}, 1, &size, &err) && size.value[1] == 1,
	   "a parameter left out takes its only value");
	ft_ask_close(models);
	add_run(two, here, 10, 2, 100, FT_DONE);
	models = open_models("two", NULL, here, &err);
	ok(ft_ask_size(models, n_only, (double[]){15}, 1, &size, &err) == FT_EINVAL, "refused: %s", err.text);
	ok(ft_ask_size(models, wrong, (double[]){15}, 1, &size, &err) == FT_EINVAL, "refused: %s", err.text);
	ok(!ft_ask_size(models, both, (double[]){2, 10}, 2, &size, &err) &&
		   near(ask(models, &ft_wall_s, 10, 2), 100, 0.01) &&
		   near(ask(models, &ft_wall_s, 10, 1), 1, 0.01),
	   "a model over both answers what was measured");
	ok(ask(models, &ft_wall_s, 10, 3) > 0, "and for other values of m");
	ft_ask_close(models);
}

static void test_constraint(void)
{
	struct ft_program p = {.name = strdup("whole"),
			       .hash = strdup(""),
			       .where = strdup("n % 2 == 0 && n <= m"),
			       .n_params = 2};
	struct ft_size size = {.n = 2, .value = {4, 8}};
	struct ft_err err;

	(void)ft_param_parse("n=2:100", &p.param[0], NULL);
	(void)ft_param_parse("m=8", &p.param[1], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	add_run(p.id, here, 2, 8, 1, FT_DONE);
	add_run(p.id, here, 5, 8, 1, FT_DONE);
	add_run(p.id, here, 4, 8, 1, FT_CRASHED);
	add_run(p.id, here, 8, 8, 1, FT_DONE);
	struct ft_answerer *models = open_models("whole", NULL, here, &err);
	ok(models && !ft_ask_admits(models, &size, &err), "a size that meets the constraint");
	size.value[0] = 5;
	ok(models && ft_ask_admits(models, &size, &err) == FT_EINVAL && strstr(err.text, "n=5 m=8") &&
		   strstr(err.text, "n <= m"),
	   "one that does not: %s", err.text);
	ok(strstr(err.remedy, "n=8 m=8"), "the nearest that ran well, and meets it: %s", err.remedy);
	ft_ask_close(models);
	models = open_models("square", NULL, here, &err);
	size.n = 1;
	ok(models && !ft_ask_admits(models, &size, &err), "without a constraint every size does");
	ft_ask_close(models);
	ft_program_clear(&p);
}

static void test_faults(void)
{
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	add_run(program, here, 30, 0, 30 * 30 * 1e-6, FT_DONE);
	do {
		struct ft_size size = {.n = 1, .value = {50}};
		struct ft_prediction p;
		struct ft_answerer *models;

		ft_alloc_fail_at(++n);
		status = ft_ask_open(&models, store, "square", NULL, here, NULL);
		clean = clean && !status == (models != NULL);
		if (!status)
			status = ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, NULL);
		clean = clean && (!status || status == FT_ENOMEM);
		ft_ask_close(models);
	} while (status && n < 10000);
	ft_alloc_fail_at(0);
	diag("%lu allocations", n);
	ok(clean && !status && n > 10, "each allocation may fail");
}

int main(void)
{
	struct ft_err err;

	if (ft_store_open(&store, temp_path("ask.db"), 0, &err))
		diag("%s", err.text);
	here = add_machine("1111111111111111", "near");
	there = add_machine("2222222222222222", "far");
	program = add_program("square", 1);
	for (double n = 10; n <= 100; n += 45)
		add_run(program, here, n, 0, n * n * 1e-6, FT_DONE);
	test_answers();
	test_typed();
	test_machines();
	test_slices();
	test_constraint();
	test_faults();
	ft_store_close(store);
	temp_remove();
	return done();
}
