/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-runs.c - from the runs of a program to what its model is fitted to: which of them, their work, what is
 * said where there are none. */
#include "model-told.h"
#include "model/door.h"
#include "named.h"

enum { MOST = 24 };

static struct ft_run run[MOST];
static struct ft_runs runs = {.run = run};

static const char *const names[] = {"n", "m"};

static struct ft_program program_of(const char *work)
{
	struct ft_program program = {
		.name = (char[]){"made"}, .work = work ? ft_strdup(work) : NULL, .n_params = 2};

	for (size_t i = 0; i < 2; i++)
		(void)snprintf(program.param[i].name, sizeof program.param[i].name, "%s", names[i]);
	return program;
}

static struct ft_run *add_run(double n, double m, double wall_s)
{
	struct ft_run *one = &run[runs.n++];

	ft_run_init(one);
	one->size = (struct ft_size){2, {n, m}};
	(void)ft_run_add(one, &ft_wall_s, wall_s, FT_MEASURED, "test", NULL, NULL);
	return one;
}

static void clear_runs(void)
{
	while (runs.n)
		ft_run_clear(&run[--runs.n]);
}

static const struct ft_size at_5 = {2, {0, 5}};

static enum ft_status fit_runs(const struct ft_program *program, const struct ft_resource *resource,
			       const struct ft_model_options *options, struct ft_model **model,
			       struct ft_err *err)
{
	return ft_model_fit_runs(model, program, &runs, resource, &at_5, options, err);
}

static void test_work(void)
{
	struct ft_program states = program_of("2*n^3 + m"), none = program_of(NULL),
			  odd = program_of("n - m"), broken = program_of("n *");
	struct ft_size size = {2, {3, 4}}, alike = {2, {4, 4}};
	struct ft_err err = {0};
	double work = 0;

	ok(!ft_program_work(&states, &size, &work, NULL) && work == 58, "the work at a size");
	ok(!ft_program_work(&none, &size, &work, NULL) && isnan(work), "a program that states none");
	ok(ft_program_work(&odd, &alike, &work, &err) == FT_EINVAL && strstr(err.text, "n=4") && *err.remedy,
	   "%s", err.text);
	ok(ft_program_work(&odd, &size, &work, &err) == FT_EINVAL, "%s", err.text);
	ok(ft_program_work(&broken, &size, &work, &err) == FT_EPARSE && isnan(work), "%s", err.text);
	ft_free(states.work);
	ft_free(odd.work);
	ft_free(broken.work);
}

/* Those that ended well, are no warm-up, and have m = 5; each counts once. */
static void test_which(void)
{
	struct ft_program program = program_of(NULL);
	struct ft_model *model = NULL;
	size_t n = 0;

	for (size_t i = 1; i <= 4; i++) {
		add_run((double)i * 10, 5, (double)i);
		add_run((double)i * 10, 5, (double)i * 1.02);
		add_run((double)i * 10, 6, 100);
	}
	add_run(50, 5, 5)->outcome = FT_CRASHED;
	add_run(60, 5, 6)->warmup = true;
	add_run(70, 5, 7)->size.n = 1;
	ok(!fit_runs(&program, &ft_wall_s, NULL, &model, NULL), "a model");
	const struct ft_knot *knot = ft_model_knots(model, &n);
	ok(n == 4 && knot[0].size.value[0] == 10 && knot[3].size.value[0] == 40 && knot[0].runs == 2 &&
		   near(knot[3].value, 4.04, 1e-12) && knot[0].work == 1,
	   "of %zu sizes", n);
	ft_model_free(model);
	clear_runs();
}

static void test_works(void)
{
	static const size_t both[] = {0, 1};
	const struct ft_model_options several = {.axis = both, .n_axes = 2};
	struct ft_program program = program_of("n*n"), none = program_of(NULL), odd = program_of("n - 20");
	struct ft_model *model;
	struct ft_err err = {0};
	size_t n;

	for (size_t i = 1; i <= 8; i++)
		add_run((double)(1 + i % 4) * 10, i % 2 ? 5 : 7, (double)i)->work = 3 * (double)i;
	for (size_t i = 1; i <= 4; i++)
		add_run((double)i * 10, 5, (double)i)->work = 3 * (double)i;
	(void)fit_runs(&program, &ft_wall_s, NULL, &model, NULL);
	const struct ft_knot *knot = ft_model_knots(model, &n);
	ok(n == 4 && knot[1].work == 400 && ft_model_facts(model)->through_speed, "work by the expression");
	ft_model_free(model);
	(void)fit_runs(&none, &ft_wall_s, &several, &model, NULL);
	knot = ft_model_knots(model, &n);
	ok(n == 6 && knot[1].work == 1 && !ft_model_facts(model)->through_speed,
	   "over several parameters what runs report is not known elsewhere: %zu sizes", n);
	ft_model_free(model);
	model = NULL;
	ok(fit_runs(&odd, &ft_wall_s, NULL, &model, &err) == FT_EINVAL && !model, "%s", err.text);
	ft_free(program.work);
	ft_free(odd.work);
	clear_runs();
}

/* Where all runs report their work it counts; one that does not, and none does. */
static void test_reported(void)
{
	struct ft_program program = program_of(NULL);
	struct ft_model *model;
	size_t n;

	for (size_t i = 1; i <= 5; i++)
		add_run((double)i * 10, 5, (double)i)->work = 7 * (double)i;
	(void)fit_runs(&program, &ft_wall_s, NULL, &model, NULL);
	const struct ft_knot *knot = ft_model_knots(model, &n);
	ok(n == 5 && knot[0].work == 7 && knot[4].work == 35, "the work that runs report");
	ft_model_free(model);
	run[4].work = NAN;
	(void)fit_runs(&program, &ft_wall_s, NULL, &model, NULL);
	knot = ft_model_knots(model, &n);
	ok(n == 5 && knot[0].work == 1 && knot[4].work == 1, "one does not: none counts");
	ft_model_free(model);
	clear_runs();
}

static void test_types(void)
{
	static const size_t both[] = {0, 1};
	const struct ft_model_options several = {.axis = both, .n_axes = 2};
	struct ft_program program = program_of("n");
	struct ft_model *model;

	for (size_t i = 1; i <= 12; i++)
		add_run((double)(1 + i % 6) * 10, i % 2 ? 5 : 7, (double)i);
	for (size_t i = 1; i <= 4; i++)
		add_run((double)i * 10, 5, (double)i);
	program.method = (char[]){"gbbp"};
	(void)fit_runs(&program, &ft_wall_s, NULL, &model, NULL);
	ok(model && !strcmp(ft_model_facts(model)->type, "band"), "runs of gbbp have its band");
	ft_model_free(model);
	(void)fit_runs(&program, &ft_wall_s, &several, &model, NULL);
	ok(model && strcmp(ft_model_facts(model)->type, "band") != 0, "not over several parameters");
	ft_model_free(model);
	program.method = (char[]){"adaptive"};
	(void)fit_runs(&program, &ft_wall_s, NULL, &model, NULL);
	ok(model && strcmp(ft_model_facts(model)->type, "band") != 0, "nor those of another builder");
	ft_model_free(model);
	ft_free(program.work);
	clear_runs();
}

static void test_refused(void)
{
	struct ft_program program = program_of(NULL);
	struct ft_model *model = NULL;
	struct ft_err err = {0};

	ok(fit_runs(&program, &ft_wall_s, NULL, &model, &err) == FT_ENOMODEL && strstr(err.text, "wall_s") &&
		   !model,
	   "%s", err.text);
	add_run(10, 7, 1);
	add_run(20, 8, 1);
	ok(fit_runs(&program, &ft_wall_s, NULL, &model, &err) == FT_ENOMODEL && strstr(err.text, "m=5") &&
		   strstr(err.remedy, "m=7"),
	   "%s; %s", err.text, err.remedy);
	ok(fit_runs(&program, &ft_energy_j, NULL, &model, &err) == FT_ENOMODEL &&
		   strstr(err.text, "energy_j"),
	   "%s", err.text);
	ok(fit_runs(&program, &ft_frozen_s, NULL, &model, &err) == FT_ENOMODEL &&
		   strstr(err.text, "was done to a run"),
	   "%s", err.text);
	clear_runs();
}

/* By which steps values go: of clocks that count seconds, of pages, of events; and with footprints. */
static const struct values {
	const struct ft_resource *resource;
	enum ft_label label;
	double unit; /* values are multiples of it; 0: they flow */
	double footprint;
	double told;
} values[] = {
	{&ft_wall_s, FT_MEASURED, 1, 0, 377.961616},
	{&ft_wall_s, FT_ESTIMATED, 1, 0, 375.998613},
	{&ft_wall_s, FT_ESTIMATED, 0, 0, 383.753758},
	{&ft_wall_s, FT_MEASURED, 0, 1e6, 383.753758},
	{&ft_peak_rss_bytes, FT_MEASURED, 4096, 0, 718.333459},
	{&ft_peak_rss_bytes, FT_MEASURED, 1024, 0, 663.328301},
	{&ft_instructions, FT_MEASURED, 1, 0, 374.239561},
	{&ft_instructions, FT_MEASURED, 0, 0, 381.836660},
	{&ft_energy_j, FT_MEASURED, 1, 0, 377.698839},
	{NULL, FT_MEASURED, 1, 0, 374.239561}, /* a counter */
};

static void test_values(const struct values *v)
{
	const struct ft_resource *resource = v->resource ? v->resource : named("branch-misses");
	struct ft_program program = program_of(NULL);
	struct ft_random random = {3};
	struct test_told told = {0};
	struct ft_model *model = NULL;

	for (size_t i = 0; i < 20; i++) {
		double n = 10 * pow(1.5, (double)(i / 2)), unit = v->unit > 0 ? v->unit : 1,
		       value = unit * (2 + n / 9) * exp(0.1 * ft_random_normal(&random));
		struct ft_run *one = &run[runs.n++];

		ft_run_init(one);
		one->size = (struct ft_size){2, {round(n), 5}};
		(void)ft_run_add(one, resource, v->unit > 0 ? unit * round(value / unit) : value, v->label,
				 "test", NULL, NULL);
		if (v->footprint > 0)
			(void)ft_run_add(one, &ft_peak_rss_bytes, v->footprint * (n < 100 ? n : 100 + n),
					 FT_MEASURED, "test", NULL, NULL);
	}
	(void)fit_runs(&program, resource, NULL, &model, NULL);
	if (model)
		tell_facts(&told, model, 1);
	for (size_t i = 0; i < 6 && model; i++) {
		struct ft_size size = {2, {7 * pow(3, (double)i), 5}};
		struct ft_prediction p = {0};

		(void)ft_model_predict(model, &size, 1, 0.9, &p, NULL);
		tell_answer(&told, &p, 1);
	}
	test_told(resource->name, &told, v->told);
	ft_model_free(model);
	clear_runs();
}

int main(void)
{
	test_work();
	test_which();
	test_works();
	test_reported();
	test_types();
	test_refused();
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		test_values(&values[i]);
	return done();
}
