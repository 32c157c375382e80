/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-levels.c - which of what is known answers: an expert's law, a table, the model, another machine's pace;
 * and whether the intervals hold what they promise. */
#include "tap.h"
#include "temp.h"

#include "ask/door.h"
#include "base/random.h"
#include "facts/door.h"
#include "machines-test.h"
#include "store/door.h"

#include <math.h>
#include <unistd.h>

static int64_t here, there;

static void say(const char *name, const struct ft_resource *resource, const char *law)
{
	struct ft_knowledge said;
	struct ft_err err = {0};

	if (ft_store_get_knowledge(store, name, &said, &err) ||
	    ft_knowledge_state(&said, resource, law, &err) ||
	    ft_store_put_knowledge(store, name, &said, &err))
		diag("%s", err.text);
	ft_knowledge_clear(&said);
}

static struct ft_prediction ask(const char *name, const struct ft_resource *resource, double n,
				struct ft_err *err)
{
	struct ft_size size = {1, {n}};
	struct ft_prediction p = {.value = NAN};
	struct ft_answerer *answerer;

	*err = (struct ft_err){0};
	if (ft_ask_open(&answerer, store, name, NULL, here, err))
		return p;
	if (ft_ask_predict(answerer, resource, &size, 0.9, &p, err))
		p.value = NAN;
	ft_ask_close(answerer);
	return p;
}

static void test_by_word(void)
{
	struct ft_err err;

	(void)add_program("word");
	struct ft_prediction p = ask("word", &ft_wall_s, 100, &err);
	ok(isnan(p.value) && err.status == FT_ENOMODEL, "nothing known: %s", err.text);
	say("word", &ft_wall_s, "1e-6*n^2");
	p = ask("word", &ft_wall_s, 100, &err);
	ok(near(p.value, 0.01, 1e-12) && isnan(p.lower) && isnan(p.upper) && p.level == FT_LEVEL_LAW &&
		   p.basis == FT_BASIS_STATED && !p.runs,
	   "a law answers, without an interval");
	p = ask("word", &ft_cpu_s, 100, &err);
	ok(isnan(p.value) && err.status == FT_ENOENT, "of what it was stated of: %s", err.text);
	say("word", &ft_wall_s, "1e-6*(n-200)");
	p = ask("word", &ft_wall_s, 100, &err);
	ok(isnan(p.value) && err.status == FT_EINVAL && err.remedy[0], "no time below zero: %s", err.text);
	say("word", &ft_wall_s, "k*n");
	p = ask("word", &ft_wall_s, 100, &err);
	ok(isnan(p.value) && err.status == FT_EINVAL, "no name that is no parameter: %s", err.text);
}

static void test_one_size(void)
{
	int64_t program = add_program("one");
	struct ft_err err;

	say("one", &ft_wall_s, "1e-6*n^2");
	add_run(program, here, 100, 0.02, 0);
	struct ft_prediction p = ask("one", &ft_wall_s, 100, &err);
	ok(p.level == FT_LEVEL_MODEL && near(p.value, 0.02, 1e-9), "at the size that was run, the run");
	p = ask("one", &ft_wall_s, 1000, &err);
	ok(p.level == FT_LEVEL_LAW && near(p.value, 2, 1e-9) && p.lower < 1 && p.upper > 4 &&
		   p.distance == 10,
	   "elsewhere the law, times what the run says: %g (%g .. %g)", p.value, p.lower, p.upper);
}

static void test_affine(void)
{
	int64_t program = add_program("affine");
	struct ft_calibrated_law c;
	struct ft_answerer *answerer;
	struct ft_err err = {0};
	struct ft_limit largest;
	struct ft_largest found;

	say("affine", &ft_wall_s, "1e-6*n^2");
	for (double n = 50; n < 1000; n *= 2)
		add_run(program, here, n, 0.1 + 3e-6 * n * n, 0);
	bool good = !ft_ask_open(&answerer, store, "affine", NULL, here, &err) &&
		    !ft_ask_calibrate(answerer, &ft_wall_s, &c, &err);
	ok(good && near(c.start, 0.1, 1e-6) && near(c.scale, 3, 1e-6) && c.fits && c.sizes == 5 &&
		   c.runs == 5 && c.dof == 3,
	   "start-up and scale are found: %g, %g", c.start, c.scale);
	ok(ft_ask_calibrate(answerer, &ft_cpu_s, &c, &err) == FT_ENOENT, "of a law that was stated");
	ft_ask_close(answerer);
	struct ft_prediction p = ask("affine", &ft_wall_s, 20000, &err);
	ok(p.level == FT_LEVEL_LAW && near(p.value, 1200.1, 1e-3) && p.lower > 900 && p.upper < 1600,
	   "far beyond: %g (%g .. %g)", p.value, p.lower, p.upper);
	p = ask("affine", &ft_wall_s, 300, &err);
	ok(p.level != FT_LEVEL_LAW || p.value > 0, "inside: %s", ft_level_text(p.level));
	largest = (struct ft_limit){.resource = &ft_wall_s, .most = 1200.1};
	(void)ft_ask_open(&answerer, store, "affine", NULL, here, &err);
	ok(!ft_ask_largest(answerer, &largest, 1, &(struct ft_size){1, {0}}, 0, 0.95, &found, &err) &&
		   found.kind == FT_LARGEST_FOUND &&
		   !ft_ask_predict(answerer, &ft_wall_s, &found.size, 0.9, &p, &err) && p.upper <= 1200.1 &&
		   p.upper > 1199 && p.level == FT_LEVEL_LAW,
	   "the largest size is by the same law %s", err.text);
	ft_ask_close(answerer);
	say("affine", &ft_wall_s, "1e-6*n");
	p = ask("affine", &ft_wall_s, 20000, &err);
	ok(p.level == FT_LEVEL_MODEL, "a law that runs refute is not used");
}

/* A size whose runs cannot be modelled: the work is not positive there. The table still has them. */
static void test_table(void)
{
	struct ft_program p = {
		.name = ft_strdup("table"), .hash = ft_strdup(""), .work = ft_strdup("n-100"), .n_params = 1};
	struct ft_err err;

	(void)ft_param_parse("n=10:1000", &p.param[0], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	for (int i = 0; i < 5; i++)
		add_run(p.id, here, 50, 1 + 0.01 * i, 0);
	struct ft_prediction a = ask("table", &ft_wall_s, 50, &err);
	ok(a.level == FT_LEVEL_TABLE && near(a.value, 1.02, 1e-12) && a.lower < 1 && a.lower > 0.9 &&
		   a.upper > 1.04 && a.runs == 5,
	   "no model: the table of runs (%g .. %g)", a.lower, a.upper);
	a = ask("table", &ft_wall_s, 60, &err);
	ok(isnan(a.value) && err.status == FT_EINVAL, "which has no other size: %s", err.text);
	ft_program_clear(&p);
}

/* ---- promises ----------------------------------------------------------------------------------------- */

/* Programs a + b n^2 with noise; the expert says n^2. How often a future run far beyond lies in its interval.
 */
static void test_promise(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(150), i, held = 0, by_law = 0, query = 0;
	double widest = 0;

	for (i = 0; i < cases; i++) {
		char name[32];
		struct ft_err err;
		double start = 1e-3 * pow(10, 3 * ft_random_uniform(&random)), n, truth;
		double noise = 0.005 * pow(20, ft_random_uniform(&random));
		size_t j, sizes = 4 + ft_random_below(&random, 6);

		(void)snprintf(name, sizeof name, "promise%d", i);
		int64_t program = add_program(name);
		say(name, &ft_wall_s, "1e-9*n^2");
		for (j = 0, n = 1000; j < sizes; j++, n *= 1.5 + ft_random_uniform(&random))
			add_run(program, here, n,
				(start + 3e-9 * n * n) * exp(noise * ft_random_normal(&random)), 0);
		n *= 1 + 9 * ft_random_uniform(&random);
		truth = (start + 3e-9 * n * n) * exp(noise * ft_random_normal(&random));
		struct ft_prediction p = ask(name, &ft_wall_s, n, &err);
		if (p.level != FT_LEVEL_LAW)
			continue;
		by_law++;
		query++;
		held += truth >= p.lower && truth <= p.upper;
		widest = fmax(widest, p.upper / p.value - 1);
	}
	diag("law answered in %d of %d cases, and held in %.3f of them; widest +%.0f %%", by_law, cases,
	     (double)held / query, 100 * widest);
	ok(by_law > 0.9 * cases, "a law that is right answers beyond the runs");
	ok(held > 0.84 * query, "and its 90 %% intervals hold");
}

/* Programs with paces of their own on another machine: how often its interval holds the time there. */
static void test_paces(void)
{
	struct ft_random random = {test_seed()};
	struct ft_cycles none = {0};
	int cases = test_cases(60), i, j, held = 0, programs;
	struct ft_err err = {0};

	for (i = 0; i < cases; i++) {
		char name[32], host[32], fingerprint[32];
		double spread = 0.2 + 0.4 * ft_random_uniform(&random), n;
		struct ft_answerer *answerer;
		struct ft_prediction p = {0};

		(void)snprintf(host, sizeof host, "host%d", i);
		(void)snprintf(fingerprint, sizeof fingerprint, "%016d", i + 100);
		int64_t machine = add_machine(fingerprint, host);
		programs = 1 + (int)ft_random_below(&random, 5);
		for (j = 0; j < programs; j++) {
			double pace = 1e-9 * exp(spread * ft_random_normal(&random));

			(void)snprintf(name, sizeof name, "there%d-%d", i, j);
			int64_t program = add_program(name);
			for (n = 100; n < 2000; n *= 2)
				add_run(program, machine, n, 50 * n * pace, 50 * n);
		}
		if (ft_ask_open(&answerer, store, "counted", NULL, here, &err))
			continue;
		if (!ft_ask_elsewhere(answerer, host, &none, &err) &&
		    !ft_ask_predict(answerer, &ft_wall_s, &(struct ft_size){1, {400}}, 0.9, &p, &err)) {
			double truth = 10 * 400 * 1e-9 * exp(spread * ft_random_normal(&random));

			held += truth >= p.lower && truth <= p.upper;
		}
		ft_ask_close(answerer);
	}
	diag("paces of one to five programs: intervals held in %.3f %s", (double)held / cases, err.text);
	ok(held > 0.84 * cases, "90 %% intervals of another machine hold");
}

static void test_elsewhere(void)
{
	int64_t program = add_program("counted"), other = add_program("other");
	struct ft_cycles none = {0}, cycles = {.cpi = 2, .hz = 1e9}, half = {2, 0, 0.5};
	struct ft_size size = {1, {400}};
	struct ft_answerer *answerer;
	struct ft_prediction p;
	struct ft_pace pace;
	struct ft_err err = {0};

	for (double n = 100; n < 2000; n *= 2) {
		add_run(program, here, n, 1e-9 * n, 10 * n);
		add_run(other, there, n, 3e-9 * n * n, 1 * n * n);
	}
	ok(ft_ask_open(&answerer, store, "counted", "far", here, &err) == FT_ENOENT, "not run there: %s",
	   err.text);
	ok(!ft_ask_open(&answerer, store, "counted", NULL, here, &err), "it was run here");
	ok(ft_ask_elsewhere(answerer, "nowhere", &none, &err) == FT_ENOENT && err.remedy[0], "refused: %s",
	   err.text);
	ok(ft_ask_elsewhere(answerer, "far", &none, &err) == FT_OK &&
		   !strcmp(ft_ask_elsewhere_machine(answerer)->host, "far") &&
		   ft_ask_answered_machine(answerer) == ft_ask_elsewhere_machine(answerer),
	   "another program was");
	bool good = !ft_ask_predict(answerer, &ft_wall_s, &size, 0.9, &p, &err);
	ok(good && near(p.value, 4000 * 3e-9, 1e-4) && p.level == FT_LEVEL_CYCLES &&
		   p.lower < 0.5 * p.value && p.upper > 2 * p.value,
	   "4000 instructions of 3 ns: %g (%g .. %g)", p.value, p.lower, p.upper);
	ok(!ft_ask_pace(answerer, 4000, &pace, &err) && pace.programs == 1 && pace.dof == 2 && !pace.stated,
	   "one program told the pace");
	ok(!ft_ask_predict(answerer, &ft_instructions, &size, 0.9, &p, &err) && near(p.value, 4000, 1e-4),
	   "instructions are those of here");
	ok(ft_ask_predict(answerer, &ft_major_faults, &size, 0.9, &p, &err) == FT_ENOMODEL, "refused: %s",
	   err.text);
	ok(!ft_ask_elsewhere(answerer, "far", &cycles, &err) &&
		   !ft_ask_predict(answerer, &ft_wall_s, &size, 0.9, &p, &err) && near(p.value, 8e-6, 1e-4),
	   "stated cycles: 4000 x 2 / 1e9 s");
	ok(!ft_ask_elsewhere(answerer, "far", &half, &err) &&
		   !ft_ask_predict(answerer, &ft_cpu_s, &size, 0.9, &p, &err) && near(p.value, 8e-6, 1e-4),
	   "half of 2 GHz, which the runs there noted");
	ft_ask_close(answerer);
}

/* Runs of one program there: instructions, and how long each took. */
struct paced {
	double instructions[12], ln_s[12];
	size_t n;
};

static void add_paced(struct paced *p, const char *name, size_t n, int64_t machine, struct ft_random *random)
{
	int64_t program = add_program(name);

	for (p->n = 0; p->n < n; p->n++) {
		double instructions = 100 * exp(8 * ft_random_uniform(random)),
		       s = 1e-9 * exp(ft_random_normal(random));

		p->instructions[p->n] = instructions;
		p->ln_s[p->n] = log(s);
		add_run(program, machine, 10 + (double)p->n, s * instructions, instructions);
	}
}

/* The mean of those of five runs at most that nearly as many others are nearer than. */
static double nearest_pace(const struct paced *p, double instructions)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < p->n; i++) {
		double far = fabs(log(p->instructions[i] / instructions));
		size_t nearer = 0;

		for (size_t j = 0; j < p->n; j++)
			nearer += fabs(log(p->instructions[j] / instructions)) < far;
		if (nearer >= 5)
			continue;
		sum += p->ln_s[i];
		count++;
	}
	return sum / count;
}

/* The pace of a program is that of its five runs nearest in instructions; that of the machine their mean. */
static void test_nearest_pace(void)
{
	static const double query[] = {100, 3e3, 2.5e4, 1e9};
	const struct ft_cycles none = {0}, slow = {.cpi = 2, .hz = 1e9, .available = 0.25};
	int64_t machine = add_machine("00000000000000ee", "paced"),
		silent = add_machine("00000000000000ed", "silent");
	struct ft_random random = {test_seed()};
	struct ft_answerer *answerer;
	struct paced few, many;
	struct ft_pace pace;
	struct ft_err err = {0};

	add_paced(&few, "paced-few", 3, machine, &random);
	add_paced(&many, "paced-many", 12, machine, &random);
	add_run(add_program("silent"), silent, 10, 1, 0);
	if (!ok(!ft_ask_open(&answerer, store, "counted", NULL, here, &err), "a program of here"))
		return;
	ok(ft_ask_pace(answerer, 1e3, &pace, &err) == FT_EINVAL && !ft_ask_elsewhere_machine(answerer) &&
		   ft_ask_answered_machine(answerer) == ft_ask_machine(answerer),
	   "refused: %s", err.text);
	ok(!ft_ask_elsewhere(answerer, "paced", &none, &err), "two programs tell the pace there");
	for (size_t i = 0; i < 4; i++) {
		double one = nearest_pace(&few, query[i]), other = nearest_pace(&many, query[i]);
		bool good = !ft_ask_pace(answerer, query[i], &pace, &err);

		/* As if two programs more had been seen, half apart in ln; and it is one more. */
		ok(good && near(pace.s, exp((one + other) / 2), 1e-9) && pace.programs == 2 &&
			   pace.dof == 3 &&
			   near(pace.spread, sqrt((0.5 + pow(one - other, 2) / 2) / 3 * 1.5), 1e-9),
		   "of %g instructions: %g s each, +- %g", query[i], pace.s, pace.spread);
	}
	ok(ft_ask_pace(answerer, 0, &pace, &err) == FT_EINVAL, "refused: %s", err.text);
	ok(!ft_ask_elsewhere(answerer, "paced", &slow, &err) && !ft_ask_pace(answerer, 1e3, &pace, &err) &&
		   pace.stated && near(pace.s, 8e-9, 1e-12),
	   "two cycles of a quarter of 1 GHz");
	ok(!ft_ask_elsewhere(answerer, "nowhere", &slow, &err) &&
		   !strcmp(ft_ask_elsewhere_machine(answerer)->host, "nowhere"),
	   "with its cycles stated a machine need not be known");
	ok(ft_ask_elsewhere(answerer, "silent", &none, &err) == FT_ENOMODEL && err.remedy[0], "refused: %s",
	   err.text);
	ft_ask_close(answerer);
}

static void test_faults(void)
{
	struct ft_cycles none = {0};
	struct ft_size size = {1, {400}};
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	say("counted", &ft_wall_s, "1e-9*n");
	do {
		struct ft_prediction p = {0};
		struct ft_calibrated_law c;
		struct ft_answerer *answerer;

		ft_alloc_fail_at(++n);
		status = ft_ask_open(&answerer, store, "counted", NULL, here, NULL);
		if (!status)
			status = ft_ask_calibrate(answerer, &ft_wall_s, &c, NULL);
		if (!status)
			status = ft_ask_predict(answerer, &ft_wall_s, &(struct ft_size){1, {1e5}}, 0.9, &p,
						NULL);
		if (!status)
			status = ft_ask_elsewhere(answerer, "far", &none, NULL);
		if (!status)
			status = ft_ask_predict(answerer, &ft_wall_s, &size, 0.9, &p, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && p.value == 0) || status == FT_ENOMEM);
		ft_ask_close(answerer);
	} while (status && n < 100000);
	ft_alloc_fail_at(0);
	diag("%lu allocations", n);
	ok(clean && !status && n > 50, "each allocation may fail");
}

/* A stored model of older runs, a newer executable: what is told. */
static void test_older(void)
{
	struct ft_program p = {.name = ft_strdup("older"), .hash = ft_strdup("aaaa"), .n_params = 1};
	struct ft_answerer *answerer;
	struct ft_err err = {0};

	(void)ft_param_parse("n=10:1000", &p.param[0], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	add_run(p.id, here, 50, 1, 0);
	add_run(p.id, here, 60, 1, 0);
	ft_free(p.hash);
	p.hash = ft_strdup("bbbb");
	(void)ft_store_put_program(store, &p, NULL);
	add_run(p.id, here, 50, 2, 0);
	ok(!ft_ask_open(&answerer, store, "older", NULL, here, &err) && ft_ask_older(answerer, NULL) == 2 &&
		   ft_ask_runs(answerer)->n == 1,
	   "two runs are of an older executable");
	ft_ask_close(answerer);
	/* Imported from another machine: the newest of its name, but not of this machine. */
	ft_free(p.hash);
	p.hash = ft_strdup("cccc");
	(void)ft_store_put_program(store, &p, NULL);
	add_run(p.id, there, 50, 9, 0);
	ok(!ft_ask_open(&answerer, store, "older", NULL, here, &err) && ft_ask_older(answerer, NULL) == 2 &&
		   !strcmp(ft_ask_program(answerer)->hash, "bbbb"),
	   "what was imported from another machine does not hide what was run here");
	ft_ask_close(answerer);
	ok(!ft_ask_open(&answerer, store, "older", "far", here, &err) &&
		   !strcmp(ft_ask_program(answerer)->hash, "cccc"),
	   "and is found there");
	ft_ask_close(answerer);
	/* A caller that did not say where it is: of two machines none is guessed, and none is called this
	 * one. */
	add_run(p.id, here, 50, 9, 0);
	ok(ft_ask_open(&answerer, store, "older", NULL, 0, &err) == FT_ENOENT &&
		   strstr(err.text, "has runs on 2 machines, and no machine was given") &&
		   !strstr(err.text, "this machine"),
	   "where this machine is not known: %s", err.text);
	ft_program_clear(&p);
}

int main(void)
{
	struct ft_err err = {0};

	if (ft_store_open(&store, temp_path("levels.db"), 0, &err))
		diag("%s", err.text);
	here = add_machine("1111111111111111", "near");
	there = add_machine("2222222222222222", "far");
	test_by_word();
	test_one_size();
	test_affine();
	test_table();
	test_elsewhere();
	test_nearest_pace();
	test_older();
	test_promise();
	test_paces();
	test_faults();
	ft_store_close(store);
	temp_remove();
	return done();
}
