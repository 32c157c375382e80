/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-loaded.c - predictions while others use the machine. */
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "foretime/ask.h"
#include "store/door.h"

#include <time.h>

static struct ft_store *store;
static struct ft_machine machine = {.fingerprint = (char[]){"00000000000000aa"}, .host = (char[]){"box"}};
static struct ft_size size = {1, {100}};

/* Runs of n seconds of which `cpu` are processor time of each second; `known` of three are known to have been
 * made beside so many tasks of others on two processors. */
static void add_program_beside(const char *name, double cpu, double others, int known)
{
	struct ft_program p = {.name = strdup(name), .hash = strdup(""), .n_params = 1};

	(void)ft_param_parse("n=10:200", &p.param[0], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	for (double n = 10; n <= 200; n += 10)
		for (int i = 0; i < 3; i++) {
			struct ft_run run;

			ft_run_init(&run);
			run.size = (struct ft_size){1, {n}};
			if (i < known) {
				run.runnable_before = others - 1;
				run.runnable_after = others + 1;
				run.processors = 2;
			}
			(void)ft_run_add(&run, &ft_wall_s, n, FT_MEASURED, "test", NULL, NULL);
			if (cpu > 0)
				(void)ft_run_add(&run, &ft_cpu_s, cpu * n, FT_MEASURED, "test", NULL, NULL);
			(void)ft_run_add(&run, &ft_peak_rss_bytes, 5000, FT_MEASURED, "test", NULL, NULL);
			(void)ft_store_add_run(store, p.id, machine.id, &run, NULL);
			ft_run_clear(&run);
		}
	ft_program_clear(&p);
}

static void add_program(const char *name, double cpu)
{
	add_program_beside(name, cpu, 0, 0);
}

/* Two processors; for 20 minutes half of one and one and a half are busy in turn, ten minutes each. */
static void add_history(int64_t minutes)
{
	int64_t now = (int64_t)time(NULL), i;

	for (i = 6 * minutes; i-- > 0;) {
		struct ft_load load = {.started_ns = (now - 10 * (i + 1)) * 1000000000,
				       .interval_s = 10,
				       .load = i % 120 < 60 ? 0.5 : 1.5,
				       .busy = NAN,
				       .steal = NAN,
				       .iowait = NAN,
				       .processors = 2};

		(void)ft_store_add_load(store, machine.id, &load, NULL);
	}
}

static struct ft_answerer *open_models(const char *name, int64_t here)
{
	struct ft_answerer *models;
	struct ft_err err = {0};

	if (ft_ask_open(&models, store, name, NULL, here, &err))
		diag("%s", err.text);
	return models;
}

/* Whether the answer is that of an idle machine stretched so. */
static void stretches(const char *name, const struct ft_resource *resource, struct ft_ask_load load,
		      double least, double most, const char *what)
{
	struct ft_answerer *models = open_models(name, machine.id);
	struct ft_prediction idle, loaded;
	struct ft_err err = {0};

	(void)ft_ask_predict(models, resource, &size, 0.9, &idle, &err);
	ft_ask_under(models, &load);
	if (!ok(ft_ask_predict(models, resource, &size, 0.9, &loaded, &err) == FT_OK &&
			near(loaded.lower, least * idle.lower, 1e-9) &&
			near(loaded.upper, most * idle.upper, 1e-9) &&
			near(loaded.value, 2 / (1 / least + 1 / most) * idle.value, 1e-9) &&
			loaded.runs == idle.runs,
		"%s", what))
		diag("%s: %g %g %g of %g %g %g", err.text, loaded.lower, loaded.value, loaded.upper,
		     idle.lower, idle.value, idle.upper);
	ft_ask_close(models);
}

/* Whether the typical run beside others is slowed by so much, and their interval holds what its own held.
 * They are of another session: a twentieth may be missing of what the fastest took, three tenths where the
 * build's was a busy one. */
static void slows(const char *name, struct ft_ask_load load, double least, double most, const char *what)
{
	struct ft_answerer *models = open_models(name, machine.id);
	struct ft_prediction idle, loaded;
	struct ft_err err = {0};

	(void)ft_ask_predict(models, &ft_wall_s, &size, 0.9, &idle, &err);
	ft_ask_under(models, &load);
	if (!ok(ft_ask_predict(models, &ft_wall_s, &size, 0.9, &loaded, &err) == FT_OK &&
			loaded.value > 0.97 * least * idle.value && loaded.value < 1.03 * most * idle.value &&
			loaded.lower >= (strcmp(name, "beside") ? 0.95 : 0.7) * idle.lower &&
			loaded.lower < loaded.value && loaded.upper > 0.99 * most * idle.value &&
			loaded.upper < 1.6 * most * idle.upper && loaded.runs == idle.runs,
		"%s", what))
		diag("%s: %g %g %g of %g %g %g", err.text, loaded.lower, loaded.value, loaded.upper,
		     idle.lower, idle.value, idle.upper);
	ft_ask_close(models);
}

/* What a run of 100 s takes alone. */
static void takes(const char *name, double alone_s, const char *what)
{
	struct ft_answerer *models = open_models(name, machine.id);
	struct ft_prediction p = {0};

	ok(!ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, NULL) && near(p.value, alone_s, 1e-3),
	   "%s: %g s", what, p.value);
	ft_ask_close(models);
}

static void test_usual(void)
{
	struct ft_ask_load usual = {.view = FT_LOAD_USUAL}, idle = {.view = FT_LOAD_IDLE},
			   niced = {.view = FT_LOAD_USUAL, .sharing = FT_SHARING_NICED};

	stretches("one", &ft_wall_s, idle, 1, 1, "idle: as measured");
	slows("one", usual, 1, 1.25, "usual: one thread beside 0.5 to 1.5 processors' load");
	stretches("one", &ft_wall_s, niced, 1, 2, "niced: half a processor is left");
	stretches("one", &ft_peak_rss_bytes, usual, 1, 1, "memory does not stretch");
	stretches("one", &ft_cpu_s, usual, 1, 1, "nor does processor time");
	slows("two", usual, 1.25, 1.75, "two threads, as processor time tells");
	usual.threads = 1;
	slows("two", usual, 1, 1.25, "... unless it is said");
	usual.threads = 0;
	slows("waits", usual, 1, 1 + 0.25 * 0.25, "a program that waits: a quarter of it is slowed");
	slows("unknown", usual, 1, 1.25, "without processor time: all of it");
}

/* Runs that waited for others while they were measured, by (8 + k) / 2: that counts once. */
static void test_beside(void)
{
	struct ft_ask_load usual = {.view = FT_LOAD_USUAL};

	takes("beside", 200. / 9, "measured beside 8 others");
	slows("beside", usual, 1, 1.25, "... and the usual load slows that");
	stretches("beside", &ft_cpu_s, usual, 1, 1, "... processor time is what it was");
	takes("light", 90, "nothing is taken off the time on processors");
	takes("hidden", 100, "without processor time: as measured");
	takes("pair", 40, "what is not on processors waited");
}

static void test_refused(void)
{
	struct ft_ask_load now = {.view = FT_LOAD_NOW}, usual = {.view = FT_LOAD_USUAL};
	struct ft_answerer *models = open_models("one", 0);
	struct ft_prediction p;
	struct ft_err err = {0};

	ft_ask_under(models, &now);
	ok(ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err) == FT_EUNAVAIL && p.value == 0 &&
		   *err.remedy,
	   "now, on another machine: %s", err.text);
	ft_ask_under(models, &usual);
	ok(ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err) == FT_ENOMODEL && p.value == 0 &&
		   strstr(err.remedy, "load record"),
	   "too little history: %s", err.text);
	ok(ft_ask_predict(models, &ft_energy_j, &size, 0.9, &p, &err) == FT_ENOENT, "no such resource: %s",
	   err.text);
	ft_ask_close(models);
}

/* What others do now cannot be known: only bounds. */
static void test_now(void)
{
	struct ft_ask_load now = {.view = FT_LOAD_NOW};
	struct ft_answerer *models = open_models("one", machine.id);
	struct ft_prediction p, again;
	struct ft_prediction idle = {0};
	struct ft_err err = {0};

	(void)ft_ask_predict(models, &ft_wall_s, &size, 0.9, &idle, NULL);
	ft_ask_under(models, &now);
	enum ft_status status = ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err);
	if (status == FT_EUNAVAIL) {
		skip("now", err.text);
	} else {
		/* Of another session, as in slows(). */
		ok(!status && p.lower <= p.value && p.value <= p.upper && p.lower >= 0.95 * idle.lower,
		   "now: %g s, %g to %g; alone %g s", p.value, p.lower, p.upper, idle.value);
		(void)ft_ask_predict(models, &ft_wall_s, &size, 0.9, &again, &err);
		ok(p.upper == again.upper, "... looked at once");
	}
	ft_ask_close(models);
}

static void test_no_memory(void)
{
	struct ft_ask_load usual = {.view = FT_LOAD_USUAL};
	struct ft_prediction p;
	unsigned long n = 0, made;
	bool good = true;
	enum ft_status status;

	do { /* what cannot be read of the store is made anew: no failure */
		struct ft_answerer *models = open_models("one", machine.id);

		ft_ask_under(models, &usual);
		(void)ft_alloc_fail_at(++n);
		status = ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, NULL);
		made = ft_alloc_fail_at(0);
		good &= !status || (status == FT_ENOMEM && p.value == 0);
		ft_ask_close(models);
	} while (made >= n && n < 1000);
	ok(good && !status && n > 5 && n < 1000, "%lu allocations fail cleanly", n - 1);
}

int main(void)
{
	struct ft_err err = {0};

	if (ft_store_open(&store, temp_path("store.db"), 0, &err) ||
	    ft_store_put_machine(store, &machine, &err)) {
		printf("Bail out! %s\n", err.text);
		return 99;
	}
	add_program("one", 1);
	add_program("two", 2);
	add_program("waits", 0.25);
	add_program("unknown", 0);
	add_program_beside("beside", 2. / 9, 8, 3);
	add_program_beside("light", 0.9, 8, 3);
	add_program_beside("hidden", 0, 8, 3);
	add_program_beside("pair", 0.4, 8, 3);
	add_history(9);
	test_refused();
	add_history(120);
	test_usual();
	test_beside();
	test_now();
	test_no_memory();
	ft_store_close(store);
	temp_remove();
	return done();
}
