/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-models.c - models: kept to the last digit, replaced, stale. */
#include "store-test.h"

static struct fixture f;

static void random_model(struct ft_random *random, struct ft_model *model)
{
	size_t i;

	*model = (struct ft_model){
		.through_speed = ft_random_below(random, 2),
		.rough = ft_random_below(random, 2),
		.rough_by_noise = ft_random_below(random, 2),
		.offset = ft_random_uniform(random),
		.spread = 1 + ft_random_uniform(random),
		.runs = ft_random_below(random, 1000),
		.stated_error = ft_random_below(random, 3) ? ft_random_uniform(random) : (double)INFINITY,
		.n = ft_random_below(random, 30),
	};
	model->knot = ft_calloc(model->n, sizeof *model->knot);
	model->gap_error = ft_calloc(model->n, sizeof *model->gap_error);
	for (i = 0; i < model->n; i++) {
		model->knot[i] = (struct ft_knot){
			.x = (double)i + ft_random_uniform(random),
			.work = exp(50 * ft_random_uniform(random)),
			.value = exp(-50 * ft_random_uniform(random)),
			.scatter = ft_random_uniform(random),
			.residual = i && i + 1 < model->n ? ft_random_uniform(random) : (double)NAN,
			.runs = ft_random_below(random, 10),
			.shape = (enum ft_shape)ft_random_below(random, FT_SHAPES),
		};
		model->gap_error[i] = ft_random_uniform(random) / 3;
	}
}

static bool same_model(const struct ft_model *a, const struct ft_model *b)
{
	size_t i;

	if (a->through_speed != b->through_speed || a->rough != b->rough ||
	    a->rough_by_noise != b->rough_by_noise || a->offset != b->offset || a->spread != b->spread ||
	    a->runs != b->runs || a->stated_error != b->stated_error || a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++) {
		const struct ft_knot *p = &a->knot[i], *q = &b->knot[i];

		if (p->x != q->x || p->work != q->work || p->value != q->value || p->scatter != q->scatter ||
		    !same_number(p->residual, q->residual) || p->runs != q->runs || p->shape != q->shape)
			return false;
		if (i + 1 < a->n && a->gap_error[i] != b->gap_error[i])
			return false;
	}
	return true;
}

/* A model over several parameters: the same answers after it was kept. */
static void test_surface(void)
{
	struct ft_surface_observation o[28];
	struct ft_model_record record = {.resource = "wall_s", .method = "gbbp", .fixed = {2, {0, 0}}}, read;
	struct ft_prediction p, q;
	struct ft_size size = {2, {17, 33}};
	struct ft_err err = {0};
	size_t i;

	/* Each size twice, and the first four again, when all was slower. */
	for (i = 0; i < 28; i++) {
		double x = 10 + 5 * (double)(i / 2 % 4), y = 20 + 15 * (double)(i / 8 % 3);

		if (i >= 24)
			x = 10 + 5 * (double)(i - 24);
		o[i] = (struct ft_surface_observation){
			{2, {x, y}}, x * y, x * y * (1 + 3 / y) * (i < 24 ? 1 : 1.5)};
	}
	is(ft_surface_fit(&record.surface, o, 28, true, &err), FT_OK, &err, "a surface");
	record.surface.change = (struct ft_change){0.5, 0.01, 7, 1234567};
	is(ft_store_put_model(f.store, f.program.id, f.machine.id, &record, &err), FT_OK, &err, "is kept");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, "wall_s", &record.fixed, &read, &err),
	   FT_OK, &err, "and read");
	ok(read.surface.n == 12 && !read.model.n && read.surface.runs == 28 &&
		   read.surface.stated_error == record.surface.stated_error && read.surface.drift > 0.05 &&
		   read.surface.drift == record.surface.drift && read.surface.change.shift == 0.5 &&
		   read.surface.change.error == 0.01 && read.surface.change.runs == 7 &&
		   read.surface.change.since_ns == 1234567,
	   "with its knots, and what changed");
	ok(!ft_surface_predict(&record.surface, &size, 17 * 33, 0.9, &p, NULL) &&
		   !ft_surface_predict(&read.surface, &size, 17 * 33, 0.9, &q, NULL) &&
		   near(p.value, q.value, 1e-12) && near(p.upper, q.upper, 1e-12),
	   "it answers the same");
	ft_model_record_clear(&record);
	ft_model_record_clear(&read);
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	struct ft_err err = {0};
	bool good = true;
	int i;

	for (i = 0; i < test_cases(50); i++) {
		struct ft_model_record record = {.resource = "wall_s",
						 .method = "gbbp",
						 .fixed = {2, {0, 0.1}}},
				       got;

		record.stop = (enum ft_stop)ft_random_below(&random, FT_STOP_INTERRUPTED + 1);
		record.made_ns = (int64_t)ft_random_bits(&random);
		record.last_run = i;
		random_model(&random, &record.model);
		good &= !ft_store_put_model(f.store, f.program.id, f.machine.id, &record, &err) &&
			!ft_store_get_model(f.store, f.program.id, f.machine.id, "wall_s", &record.fixed,
					    &got, &err) &&
			!strcmp(got.resource, "wall_s") && !strcmp(got.method, "gbbp") &&
			got.stop == record.stop && ft_size_equal(&got.fixed, &record.fixed) &&
			got.made_ns == record.made_ns && got.last_run == i &&
			same_model(&got.model, &record.model);
		ft_model_record_clear(&got);
		ft_model_record_clear(&record);
	}
	if (!ok(good, "random models read back as they were put"))
		diag("seed %llu: %s", (unsigned long long)test_seed(), err.text);
	ok(!strcmp(raw(temp_path("models.db"), "SELECT count(*) FROM model"), "1"),
	   "each replaced the one before");
}

static void test_keys(void)
{
	struct ft_model_record record = {.resource = "cpu_s", .fixed = {2, {0, 100}}, .last_run = 1}, got;
	struct ft_size other = {2, {0, 200}}, minus = {2, {-0.0, 100}};
	struct ft_err err = {0};

	ok(!ft_store_put_model(f.store, f.program.id, f.machine.id, &record, &err),
	   "a model without a knot or a builder");
	ok(!ft_store_get_model(f.store, f.program.id, f.machine.id, "cpu_s", &minus, &got, &err) &&
		   !*got.method && got.model.n == 0,
	   "is read");
	ft_model_record_clear(&got);
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, "cpu_s", &other, &got, &err), FT_ENOENT,
	   &err, "none for other fixed values");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, "energy_j", &record.fixed, &got, &err),
	   FT_ENOENT, &err, "nor of another resource");
	is(ft_store_get_model(f.store, f.program.id, 99, "cpu_s", &record.fixed, &got, &err), FT_ENOENT, &err,
	   "nor on another machine");
	ok(!got.model.knot && !got.resource[0], "... and it is cleared");
	is(ft_store_put_model(f.store, 99, f.machine.id, &record, &err), FT_ENOENT, &err,
	   "none of a program that is not there");
	other.value[0] = NAN;
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, "cpu_s", &other, &got, &err), FT_EINVAL,
	   &err, "fixed values that are none");
}

static void test_stale(void)
{
	struct ft_model_record record = {.resource = "wall_s", .fixed = {2, {0, 100}}}, got = {0};
	struct ft_runs runs = {0};
	struct ft_run run;

	make_run(&run, 64, 1);
	ok(!ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL), "a run");
	record.last_run = run.id;
	ok(!ft_store_put_model(f.store, f.program.id, f.machine.id, &record, NULL), "a model of it");
	ok(!ft_store_get_runs(f.store, f.program.id, f.machine.id, &runs, NULL) &&
		   !ft_store_get_model(f.store, f.program.id, f.machine.id, "wall_s", &record.fixed, &got,
				       NULL) &&
		   got.last_run == runs.run[runs.n - 1].id,
	   "is not stale");
	ft_runs_clear(&runs);
	ok(!ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL) &&
		   !ft_store_get_runs(f.store, f.program.id, f.machine.id, &runs, NULL) &&
		   got.last_run < runs.run[runs.n - 1].id,
	   "after another run it is");
	ft_model_record_clear(&got);
	ft_run_clear(&run);
	ft_runs_clear(&runs);
}

static void test_damaged(void)
{
	struct ft_size fixed = {2, {0, 100}};
	struct ft_model_record got;
	struct ft_err err = {0};

	(void)raw(temp_path("models.db"), "UPDATE model SET stop = 'boredom'");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, "wall_s", &fixed, &got, &err), FT_EIO,
	   &err, "a stop that is none");
	ok(!got.model.knot, "... gives no model");
}

int main(void)
{
	open_fixture(&f, temp_path("models.db"), 0);
	test_random();
	test_surface();
	test_keys();
	test_stale();
	test_damaged();
	close_fixture(&f);
	temp_remove();
	return done();
}
