/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-models.c - models: kept to the last digit, replaced, stale. */
#include "model/model.h"
#include "store-test.h"
#include "store/door.h"

static struct fixture f;

/* A model over one parameter or two, of each of its types in turn. */
static struct ft_model *random_model(struct ft_random *random)
{
	static const size_t both[] = {0, 1};
	const char *types[] = {"engine", "band", "process"};
	struct ft_model_options options = {.type = types[ft_random_below(random, 3)]};
	size_t n = 1 + ft_random_below(random, 40), i;
	struct ft_observation *o = ft_calloc(n, sizeof *o);
	struct ft_model *model = NULL;
	struct ft_err err = {0};

	options.axis = both;
	options.n_axes = strcmp(options.type, "process") ? 1 : 2;
	options.through_speed = ft_random_below(random, 2);
	for (i = 0; i < n; i++) {
		double x = 1 + (double)ft_random_below(random, 15), y = 3;

		y += options.n_axes > 1 ? (double)ft_random_below(random, 3) : 0;
		o[i] = (struct ft_observation){
			.size = {2, {x, y}},
			.work = options.n_axes > 1 ? x * y : x * x,
			.value = ft_random_below(random, 9) ? exp(10 * ft_random_uniform(random)) : 0};
	}
	if (ft_model_fit(&model, o, n, &options, &err))
		diag("%s", err.text);
	ft_free(o);
	return model;
}

/* The same bytes, and the same answers. */
static bool same_model(const struct ft_model *a, const struct ft_model *b)
{
	struct ft_size size = {2, {7.5, 3}};
	struct ft_prediction p, q;
	unsigned char *first, *second;
	size_t n, m;

	if (ft_model_pack(a, &first, &n, NULL) || ft_model_pack(b, &second, &m, NULL))
		return false;
	/* Over several parameters a size may be one that nothing is known of. */
	enum ft_status answered = ft_model_predict(a, &size, 20, 0.9, &p, NULL);
	bool same = n == m && !memcmp(first, second, n) &&
		    ft_model_predict(b, &size, 20, 0.9, &q, NULL) == answered;
	if (!answered)
		same = same && near(p.value, q.value, 1e-12) && near(p.lower, q.lower, 1e-12) &&
		       near(p.upper, q.upper, 1e-12) && p.runs == q.runs;
	ft_free(first);
	ft_free(second);
	return same;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	struct ft_err err = {0};
	bool good = true;

	for (int i = 0; i < test_cases(50); i++) {
		struct ft_model_record record = {.resource = &ft_wall_s,
						 .method = "gbbp",
						 .fixed = {2, {0, 0.1}}},
				       got;

		record.stop = (enum ft_stop)ft_random_below(&random, FT_STOP_INTERRUPTED + 1);
		record.made_ns = (int64_t)ft_random_bits(&random);
		record.last_run = i;
		record.model = random_model(&random);
		good &= !ft_store_put_model(f.store, f.program.id, f.machine.id, &record, &err) &&
			!ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &record.fixed,
					    &got, &err) &&
			got.resource == &ft_wall_s && !strcmp(got.method, "gbbp") &&
			got.stop == record.stop && ft_size_equal(&got.fixed, &record.fixed) &&
			got.made_ns == record.made_ns && got.last_run == i &&
			same_model(got.model, record.model);
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
	struct ft_model_record record = {.resource = &ft_cpu_s, .fixed = {2, {0, 100}}, .last_run = 1}, got;
	struct ft_model *model = record.model = least_model();
	struct ft_size other = {2, {0, 200}}, minus = {2, {-0.0, 100}};
	struct ft_err err = {0};

	ok(!ft_store_put_model(f.store, f.program.id, f.machine.id, &record, &err),
	   "a model without a builder");
	ok(!ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_cpu_s, &minus, &got, &err) &&
		   !*got.method && same_model(got.model, model),
	   "is read");
	ft_model_record_clear(&got);
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_cpu_s, &other, &got, &err), FT_ENOENT,
	   &err, "none for other fixed values");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_energy_j, &record.fixed, &got, &err),
	   FT_ENOENT, &err, "nor of another resource");
	is(ft_store_get_model(f.store, f.program.id, 99, &ft_cpu_s, &record.fixed, &got, &err), FT_ENOENT,
	   &err, "nor on another machine");
	ok(!got.model && !got.resource, "... and it is cleared");
	is(ft_store_put_model(f.store, 99, f.machine.id, &record, &err), FT_ENOENT, &err,
	   "none of a program that is not there");
	other.value[0] = NAN;
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_cpu_s, &other, &got, &err), FT_EINVAL,
	   &err, "fixed values that are none");
	ft_model_free(model);
}

static void test_prior(void)
{
	struct ft_model_record record = {.resource = &ft_wall_s, .fixed = {2, {0, 100}}}, got = {0};
	struct ft_prior prior;
	struct ft_err err = {0};

	memcpy(prior.of, ft__growths, sizeof prior.of);
	prior.of[FT_CLASS_TIME].step *= 2;
	record.model = least_model();
	ok(!ft_store_put_model(f.store, f.program.id, f.machine.id, &record, &err) &&
		   !ft_store_prior(f.store),
	   "a model of the built-in prior");
	ft_store_set_prior(f.store, &prior);
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &record.fixed, &got, &err),
	   FT_ENOENT, &err, "is none of another prior");
	ft_store_set_prior(f.store, NULL);
	ok(!ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &record.fixed, &got, &err),
	   "and is still there");
	ft_model_record_clear(&got);
	ft_model_free(record.model);
}

static void test_stale(void)
{
	struct ft_model_record record = {.resource = &ft_wall_s, .fixed = {2, {0, 100}}}, got = {0};
	struct ft_model *model = record.model = least_model();
	struct ft_runs runs = {0};
	struct ft_run run;

	make_run(&run, 64, 1);
	ok(!ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL), "a run");
	record.last_run = run.id;
	ok(!ft_store_put_model(f.store, f.program.id, f.machine.id, &record, NULL), "a model of it");
	ok(!ft_store_get_runs(f.store, f.program.id, f.machine.id, &runs, NULL) &&
		   !ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &record.fixed, &got,
				       NULL) &&
		   got.last_run == runs.run[runs.n - 1].id,
	   "is not stale");
	ft_runs_clear(&runs);
	ok(!ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL) &&
		   !ft_store_get_runs(f.store, f.program.id, f.machine.id, &runs, NULL) &&
		   got.last_run < runs.run[runs.n - 1].id,
	   "after another run it is");
	ft_model_record_clear(&got);
	ft_model_free(model);
	ft_run_clear(&run);
	ft_runs_clear(&runs);
}

static void test_damaged(void)
{
	struct ft_size fixed = {2, {0, 100}};
	struct ft_model_record got;
	struct ft_err err = {0};

	(void)raw(temp_path("models.db"), "UPDATE model SET fixed = '0 100' WHERE fixed = '0 101'");
	(void)raw(temp_path("models.db"), "UPDATE model SET model = substr(model, 1, 100)");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &fixed, &got, &err), FT_ENOENT,
	   &err, "half a model is none");
	(void)raw(temp_path("models.db"), "UPDATE model SET model = x''");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &fixed, &got, &err), FT_ENOENT,
	   &err, "nor is nothing");
	(void)raw(temp_path("models.db"), "UPDATE model SET stop = 'boredom'");
	is(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &fixed, &got, &err), FT_ENOENT,
	   &err, "nor one with a stop that is none");
	ok(!got.model, "... gives no model");
}

/* Each single bit of a model that a disk flips, and what stands beside it, makes it count as missing. */
static void test_flipped(void)
{
	struct ft_model_record record = {.resource = &ft_wall_s,
					 .method = "adaptive",
					 .fixed = {2, {0, 100}}},
			       got;
	static const char *const beside[] = {
		"UPDATE model SET last_run = 15", "UPDATE model SET last_run = 7, made_ns = made_ns + 64",
		"UPDATE model SET made_ns = made_ns - 64, fixed = '0 101' WHERE fixed = '0 100'"};
	struct ft_size other = {2, {0, 101}};
	struct ft_random random = {test_seed()};
	sqlite3_stmt *read, *write;
	unsigned char *bytes = NULL;
	size_t unseen = 0;
	sqlite3 *db;

	record.model = random_model(&random);
	record.made_ns = 1700000000000000000;
	record.last_run = 7;
	ok(!ft_store_put_model(f.store, f.program.id, f.machine.id, &record, NULL), "a model");
	(void)sqlite3_open_v2(temp_path("models.db"), &db, SQLITE_OPEN_READWRITE, NULL);
	(void)sqlite3_prepare_v2(db, "SELECT model FROM model WHERE resource = 'wall_s' AND fixed = '0 100'",
				 -1, &read, NULL);
	(void)sqlite3_prepare_v2(db,
				 "UPDATE model SET model = ? WHERE resource = 'wall_s' AND fixed = '0 100'",
				 -1, &write, NULL);
	if (sqlite3_step(read) == SQLITE_ROW) {
		bytes = ft_malloc((size_t)sqlite3_column_bytes(read, 0));
		memcpy(bytes, sqlite3_column_blob(read, 0), (size_t)sqlite3_column_bytes(read, 0));
	}
	size_t n = bytes ? (size_t)sqlite3_column_bytes(read, 0) : 1;
	(void)sqlite3_finalize(read);
	for (size_t i = 0; bytes && i < (size_t)test_cases(2000); i++) {
		/* Those of the CRC first, then any. */
		size_t bit = i < 32 ? 8 * n - 1 - i : (size_t)ft_random_below(&random, 8 * n);
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		(void)sqlite3_bind_blob(write, 1, bytes, (int)n, SQLITE_STATIC);
		(void)sqlite3_step(write);
		(void)sqlite3_reset(write);
		enum ft_status status = ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s,
							   &record.fixed, &got, NULL);
		unseen += status != FT_ENOENT || got.model;
		ft_model_record_clear(&got);
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	(void)sqlite3_bind_blob(write, 1, bytes, (int)n, SQLITE_STATIC);
	(void)sqlite3_step(write);
	(void)sqlite3_finalize(write);
	(void)sqlite3_close(db);
	ok(bytes && !unseen, "%zu of %d flips are not seen (seed %llu)", unseen, test_cases(2000),
	   (unsigned long long)test_seed());
	ok(!ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &record.fixed, &got, NULL) &&
		   same_model(got.model, record.model),
	   "as it was, it is read");
	ft_model_record_clear(&got);
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
		(void)raw(temp_path("models.db"), beside[i]);
		ok(ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &other, &got, NULL) ==
				   FT_ENOENT &&
			   ft_store_get_model(f.store, f.program.id, f.machine.id, &ft_wall_s, &record.fixed,
					      &got, NULL) == FT_ENOENT,
		   "nor is it where that was changed: %s", beside[i]);
	}
	ft_free(bytes);
	ft_model_free(record.model);
}

int main(void)
{
	open_fixture(&f, temp_path("models.db"), 0);
	test_random();
	test_keys();
	test_prior();
	test_stale();
	test_flipped();
	test_damaged();
	close_fixture(&f);
	temp_remove();
	return done();
}
