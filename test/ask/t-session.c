/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-session.c - another session: the drift by references, and what stored sessions teach. */
#include "tap.h"

#include "ask/ask.h"
#include "base/random.h"
#include "foretime/store.h"
#include "load/door.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MINUTES = 60 };
static const double second_ns = 1e9;

/* Runs of a session, at three sizes: its level of processor times, and its reference; 0: none. */
static void add_session(struct ft_runs *runs, struct ft_random *random, double minute, double level,
			double reference_s)
{
	static const double sizes[] = {1000, 2000, 4000};

	for (int k = 0; k < 12; k++) {
		double n = sizes[k % 3], noise = exp(0.01 * ft_random_normal(random));
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){1, {n}};
		run.started_ns = (int64_t)((1e6 + minute * MINUTES + k) * second_ns);
		run.cost_s = 1e-5 * n * level * noise;
		run.outcome = FT_DONE;
		run.processors = 2;
		run.runnable_before = run.runnable_after = 0;
		(void)ft_run_add(&run, &ft_cpu_s, run.cost_s, FT_MEASURED, "made", NULL, NULL);
		(void)ft_run_add(&run, &ft_instructions, 10 * n, FT_MEASURED, "made", NULL, NULL);
		if (reference_s > 0)
			(void)ft_run_add(&run, &ft_reference_s, reference_s * (1 + 0.001 * (k % 3)),
					 FT_MEASURED, "made", NULL, NULL);
		(void)ft_runs_take(runs, &run, NULL);
	}
}

/* What is found for new runs of a session at a level, by a program whose sessions had these. */
static struct ft__other_session found(const double *level, size_t n, double reference_s, double new_level,
				      double new_reference_s, const struct ft_resource *resource)
{
	struct ft_answerer answerer = {.machine = {.id = 1}};
	struct ft_random random = {test_seed()};
	struct ft_runs now = {0};
	struct ft__other_session out = {0};

	for (size_t i = 0; i < n; i++)
		add_session(&answerer.runs, &random, 10 * (double)i, level[i], reference_s);
	add_session(&now, &random, 10 * (double)n, new_level, new_reference_s);
	ok(!ft__session_find(&answerer, &now, resource, &out, NULL), "sessions of %s", resource->name);
	ft_runs_clear(&answerer.runs);
	ft_runs_clear(&now);
	return out;
}

static void test_prior(void)
{
	static const double one[] = {1};
	struct ft__other_session s = found(one, 1, 0, 1, 0, &ft_instructions);

	ok(s.sd == 0 && s.drift == 1, "counts are alike in all sessions");
	s = found(one, 1, 0, 1, 0, &ft_cpu_s);
	ok(near(s.sd, 0.05, 1e-9) && !s.corrected && s.drift == 1,
	   "processor times by 5 %% before anything is known");
	s = found(one, 1, 4e-3, 1, 0, &ft_cpu_s);
	ok(!s.corrected && s.drift == 1, "a reference of one time is none");
}

static void test_drift(void)
{
	static const double one[] = {1};
	struct ft__other_session s = found(one, 1, 4e-3, 1.3, 5.2e-3, &ft_cpu_s);

	ok(s.corrected && near(s.drift, 1.3, 1e-6), "the machine takes %g times as long", s.drift);
	ok(s.sd >= 0.05 && s.sd < 0.051, "what is left: %g", s.sd);
}

static void test_learning(void)
{
	static const double steady[] = {1, 1.001, 1, 0.999, 1, 1.001, 1, 1},
			    wild[] = {1, 1.5, 0.9, 1.4, 1, 1.6, 0.8, 1.3};
	struct ft__other_session low = found(steady, 8, 0, 1, 0, &ft_cpu_s),
				 high = found(wild, 8, 0, 1, 0, &ft_cpu_s);

	ok(low.sd < 0.04 && low.sd >= 0.05 * sqrt(0.2) && low.pairs > 5, "steady sessions: %g, of %g pairs",
	   low.sd, low.pairs);
	ok(near(high.sd, 0.1, 1e-6), "wild ones: at most twice the prior, %g", high.sd);
}

/* Sessions of other programs in the store teach as well, of this machine alone. */
static void test_others(void)
{
	static const double wild[] = {1, 1.5, 0.9, 1.4, 1, 1.6, 0.8, 1.3};
	struct ft_machine here = {.fingerprint = strdup("00000000000000aa"), .host = strdup("here")},
			  there = {.fingerprint = strdup("00000000000000bb"), .host = strdup("there")};
	struct ft_program program = {.name = strdup("other"), .hash = strdup(""), .n_params = 1};
	char path[] = "/tmp/t-session-XXXXXX";
	struct ft_random random = {test_seed()};
	struct ft_answerer answerer = {0};
	struct ft_runs now = {0}, other = {0};
	struct ft__other_session near_one = {0}, far_one = {0};

	(void)close(mkstemp(path));
	(void)unlink(path);
	(void)ft_param_parse("n=1:9000", &program.param[0], NULL);
	for (size_t i = 0; i < 8; i++)
		add_session(&other, &random, 10 * (double)i, wild[i], 0);
	add_session(&answerer.runs, &random, 500, 1, 0);
	add_session(&now, &random, 510, 1, 0);
	ok(!ft_store_open(&answerer.store, path, 0, NULL) &&
		   !ft_store_put_machine(answerer.store, &here, NULL) &&
		   !ft_store_put_machine(answerer.store, &there, NULL) &&
		   !ft_store_put_program(answerer.store, &program, NULL) &&
		   !ft_store_add_runs(answerer.store, program.id, here.id, &other, NULL),
	   "a store with another program");
	answerer.program.id = program.id + 1;
	answerer.machine.id = here.id;
	ok(!ft__session_find(&answerer, &now, &ft_cpu_s, &near_one, NULL) && near_one.sd > 0.08 &&
		   near_one.pairs > 5,
	   "its sessions teach: %g", near_one.sd);
	answerer.machine.id = there.id;
	ok(!ft__session_find(&answerer, &now, &ft_cpu_s, &far_one, NULL) && near(far_one.sd, 0.05, 1e-9),
	   "not on another machine");
	ft_runs_clear(&other);
	ft_runs_clear(&now);
	ft_runs_clear(&answerer.runs);
	ft_store_close(answerer.store);
	(void)unlink(path);
	ft_program_clear(&program);
	ft_machine_clear(&here);
	ft_machine_clear(&there);
}

int main(void)
{
	test_prior();
	test_drift();
	test_learning();
	test_others();
	return done();
}
