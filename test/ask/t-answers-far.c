/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-answers-far.c - all numbers of answers about other machines, under loads, by laws and powers. */
#include "answers.h"
#include "ask/door.h"
#include "base/clock.h"
#include "facts/door.h"
#include "foretime/facts.h"
#include "foretime/load.h"
#include "store/door.h"

#include <time.h>

static const struct was was[] = {
	{"far", "other machines", 2986.864044},
	{"one", "loads", 1244.208374},
	{"one", "laws and powers", 1954.630507},
	{"", "", 0},
};

/* A program that counts instructions, on a machine. */
static void add_counted(const char *name, int64_t on, double pace, uint64_t seed)
{
	int64_t id = add_program(name, "n=10:20000", NULL);
	struct ft_random random = {seed};

	for (double n = 10; n < 20000; n *= 3) {
		struct ft_run run = made_run(1, n, 0, pace * n * n * exp(0.05 * ft_random_normal(&random)),
					     1e6 + 8 * n, NAN);

		run.cpu_hz = 2e9;
		(void)ft_run_add(&run, &ft_instructions, 40 * n * n, FT_MEASURED, "test", NULL, NULL);
		(void)ft_store_add_run(store, id, on, &run, NULL);
		ft_run_clear(&run);
	}
}

/* What micro-benchmarks took here and there. */
static void calibrate(int64_t far)
{
	static const char *const name[] = {"int_add",  "real_add", "branch",
					   "load_16k", "load_64m", "page_touch"};
	char program[64];

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		(void)snprintf(program, sizeof program, "calibration/%s", name[i]);
		int64_t id = add_program(program, "n=1:10", NULL);
		add_run(id, made_run(1, 10, 0, 1e-9 * (double)(i + 1), NAN, NAN));
		struct ft_run run = made_run(
			1, 10, 0, 1e-9 * (double)(i + 1) * (1.1 + 0.3 * (double)(i * i % 5)), NAN, NAN);
		(void)ft_store_add_run(store, id, far, &run, NULL);
		ft_run_clear(&run);
	}
}

static void ask_elsewhere(int64_t far)
{
	static const struct ft_cycles stated[] = {{0, 0, 0}, {2, 1e9, 0}, {1.5, 0, 0.25}, {0, 0, 0.5}};
	static const char *const program[] = {"counted", "one", "two"};
	struct test_told s = {0, 0};

	add_counted("counted", machine, 2e-8, 1);
	add_counted("other", far, 5e-8, 2);
	add_counted("third", far, 3e-8, 3);
	calibrate(far);
	for (size_t p = 0; p < 3; p++) {
		struct ft_answerer *models = open_models(program[p]);

		for (size_t k = 0; k < 4; k++) {
			struct ft_pace pace[2] = {{0}};

			put(&s, ft_ask_elsewhere(models, "far", &stated[k], NULL));
			for (size_t i = 0; i < 12; i += 3) {
				struct ft_size size = size_at(program[p], i);
				struct ft_prediction at = {0};

				put(&s, ft_ask_predict(models, &ft_wall_s, &size, 0.9, &at, NULL));
				put_prediction(&s, &at);
				(void)ft_ask_row_ratio(models, &size, &pace[1], NULL);
				(void)ft_ask_pace(models, 1e6, &pace[0], NULL);
			}
			for (size_t i = 0; i < 2; i++) {
				test_tell(&s, pace[i].s, i ? 0.1 : 1e-10);
				put(&s, pace[i].spread);
				put(&s, pace[i].dof);
				put(&s, (double)pace[i].programs + 100 * pace[i].stated);
			}
		}
		ft_ask_close(models);
	}
	judge(was, "far", "other machines", &s);
}

/* Others want most of four processors by day, little by night. */
static void ask_under_load(void)
{
	const int64_t begin_s = 1700006400, hour_s = 3600;
	struct ft_clock clock = {.real_ns = (begin_s + 24 * 9 * hour_s) * 1000000000};
	struct test_told s = {0, 0};

	ft_clock_set(&clock);

	for (int64_t h = 0; h < 24 * 9; h++) {
		double others = (h % 24 >= 8 && h % 24 < 18 ? 3.5 : 0.2) + 0.1 * (double)(h % 5);
		struct ft_load load = {.started_ns = (begin_s + h * hour_s) * 1000000000,
				       .interval_s = (double)hour_s,
				       .load = others,
				       .busy = fmin(others, 4),
				       .steal = NAN,
				       .iowait = NAN,
				       .processors = 4};

		(void)ft_store_add_load(store, machine, &load, NULL);
	}
	struct ft_answerer *models = open_models("one");
	for (int k = 0; k < 12; k++) {
		const struct ft_ask_load load = {.view = k % 3 ? FT_LOAD_AT : FT_LOAD_USUAL,
						 .sharing = (enum ft_sharing)(k / 3 % 2),
						 .threads = k > 6 ? 3 : 0,
						 .at_ns = (begin_s + (24 * 9 + 5 * k) * hour_s) * 1000000000};
		struct ft_size size = size_at("one", (size_t)k);
		struct ft_prediction p = {0};
		struct ft_request q = {0};

		ft_ask_under(models, &load);
		put(&s, ft_ask_predict(models, k % 4 == 3 ? &ft_cpu_s : &ft_wall_s, &size, 0.9, &p, NULL));
		put_prediction(&s, &p);
		put(&s, ft_ask_request(models, &size, 0.1, &q, NULL));
		put_need(&s, &q.time);
	}
	ft_ask_close(models);
	ft_clock_set(NULL);
	judge(was, "one", "loads", &s);
}

static void ask_by_law(void)
{
	const struct ft_power power = {
		.parts = 3, .part = {"infr", "machine", "core"}, .watts = {100, 50, 10}};
	struct ft_knowledge said = {0};
	struct ft_calibrated_law c = {0};
	struct test_told s = {0, 0};

	(void)ft_store_get_knowledge(store, "one", &said, NULL);
	(void)ft_knowledge_state(&said, &ft_cpu_s, "1e-6*n^1.7+n/100", NULL);
	(void)ft_store_put_knowledge(store, "one", &said, NULL);
	ft_knowledge_clear(&said);
	struct ft_answerer *models = open_models("one");
	ft_ask_powers(models, &power);
	put(&s, ft_ask_calibrate(models, &ft_cpu_s, &c, NULL));
	test_tell_all(&s,
		      (const double[]){c.start, c.scale, c.error, c.noise, c.slope, c.least, c.most,
				       (double)c.sizes, (double)c.runs, c.dof, c.fits},
		      11, 1e-2);
	for (size_t i = 0; i < 12; i++) {
		struct ft_size size = size_at("one", i);
		struct ft_prediction p = {0};

		put(&s, ft_ask_predict(models, &ft_cpu_s, &size, 0.9, &p, NULL));
		put_prediction(&s, &p);
		put(&s, ft_ask_predict(models, &ft_energy_j, &size, 0.8, &p, NULL));
		put_prediction(&s, &p);
	}
	ft_ask_close(models);
	judge(was, "one", "laws and powers", &s);
}

int main(void)
{
	struct ft_machine far = {.fingerprint = strdup("00000000000000bb"), .host = strdup("far")};
	struct ft_random random = {11};

	(void)setenv("TZ", "UTC", 1);
	tzset();
	open_store();
	make("one", &random);
	make("two", &random);
	(void)ft_store_put_machine(store, &far, NULL);
	ask_elsewhere(far.id);
	ask_under_load();
	ask_by_law();
	ft_machine_clear(&far);
	ft_store_close(store);
	temp_remove();
	return done();
}
