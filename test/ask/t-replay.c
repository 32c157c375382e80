/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-replay.c - requests in the order of time: by hand, against a store that has only what was known, and with
 * another future. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/ask.h"

#include <math.h>
#include <string.h>

enum { JOBS = 160, RULES = 4 };
static const double mib = 0x1p20;

/* What came of each job. */
struct outcome {
	struct ft_replayed by_rule[FT_REPLAY_RULES];
	bool judged;
};

struct outcomes {
	struct outcome job[JOBS];
	size_t n, rules;
};

static void take(void *ctx, size_t job, const struct ft_replayed *by_rule)
{
	struct outcomes *all = ctx;

	all->n++;
	all->job[job].judged = true;
	memcpy(all->job[job].by_rule, by_rule, all->rules * sizeof *by_rule);
}

static enum ft_status replay(const struct ft_replay_job *job, size_t n, const struct ft_replay_rule *rule,
			     size_t rules, size_t first, struct outcomes *out, struct ft_err *err)
{
	*out = (struct outcomes){.rules = rules};
	return ft_replay_jobs(job, n,
			      &(struct ft_replay_options){.rule = rule,
							  .n_rules = rules,
							  .first = first,
							  .models = FT_REPLAY_MODELS,
							  .judged = take,
							  .ctx = out},
			      err);
}

static struct ft_replay_job job_at(double made_s, double wall_s, double bytes)
{
	return (struct ft_replay_job){.made_s = made_s,
				      .ended_s = made_s + wall_s,
				      .wall_s = wall_s,
				      .bytes = bytes,
				      .asked_s = NAN,
				      .asked_bytes = 100 * mib,
				      .outcome = FT_DONE};
}

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void test_hand(void)
{
	const struct ft_replay_rule rule[] = {{FT_REPLAY_OWN, 0}, {FT_REPLAY_SEEN, 1}, {FT_REPLAY_SEEN, 2}};
	struct ft_replay_job job[] = {
		job_at(0, 10, 10 * mib), /* no job before it: its own request */
		job_at(5, 10, 20 * mib), /* the first one runs still */
		job_at(11, 10,
		       15 * mib), /* the first one has ended: 10 MiB are too few, then twice as much */
		job_at(30, 10, 50 * mib), /* the most was 20 MiB: 20, then 40, then 80 */
		job_at(50, 10, 8 * mib),  /* 50 MiB */
		job_at(60, 10, 9 * mib),  /* made when that one ended, which is not known yet: 50 MiB */
	};
	static struct outcomes out;
	struct ft_err err = {0};
	const struct ft_replayed *r;

	ok(!replay(job, 6, rule, 3, 1, &out, &err) && out.n == 6, "six jobs: %s", err.text);
	for (size_t i = 0; i < 6; i++) {
		r = out.job[i].by_rule;
		ok(r[0].byte_s == 1000 * mib && !r[0].killed && !r[0].own && isnan(r[0].limit_s),
		   "job %zu as it was requested: 100 MiB for 10 s", i);
	}
	r = out.job[0].by_rule;
	ok(r[1].own && r[1].byte_s == 1000 * mib && !r[1].killed, "the first keeps its own request");
	r = out.job[1].by_rule;
	ok(r[1].own && r[2].own, "so does one that was made before the first had ended");
	r = out.job[2].by_rule;
	ok(!r[1].own && r[1].asked_bytes == 10 * mib && r[1].killed == 1 &&
		   r[1].byte_s == (10 + 20) * 10 * mib,
	   "too little, then twice as much: %g MiB s", r[1].byte_s / mib);
	ok(r[2].asked_bytes == 20 * mib && !r[2].killed && r[2].byte_s == 200 * mib, "twice the most seen");
	r = out.job[3].by_rule;
	ok(r[1].killed == 2 && r[1].byte_s == (20 + 40 + 80) * 10 * mib, "killed twice");
	ok(r[2].asked_bytes == 40 * mib && r[2].killed == 1 && r[2].byte_s == (40 + 80) * 10 * mib,
	   "the most seen is no more than the request: twice as much");
	ok(out.job[4].by_rule[1].asked_bytes == 50 * mib && out.job[5].by_rule[1].asked_bytes == 50 * mib,
	   "the most that was needed, not the most that was given");
}

static void test_time(void)
{
	const struct ft_replay_rule rule[] = {{FT_REPLAY_OWN, 0}, {FT_REPLAY_SEEN, 1}};
	struct ft_replay_job job[3] = {job_at(0, 60, 10 * mib), job_at(100, 150, 5 * mib),
				       job_at(300, 500, 30 * mib)};
	static struct outcomes out;
	const struct ft_replayed *r;

	for (size_t i = 0; i < 3; i++)
		job[i].asked_s = 3600;
	ok(!replay(job, 3, rule, 2, 1, &out, NULL), "time limits");
	r = out.job[1].by_rule;
	ok(r[0].limit_s == 3600 && r[1].asked_s == 60 && r[1].killed == 2, "60 s, 120 s, 240 s");
	ok(r[1].limit_s == 60 + 120 + 240 && r[1].byte_s == 10 * mib * (60 + 120 + 150),
	   "a try that is killed for its time holds memory for that time");
	r = out.job[2].by_rule;
	/* 150 s, in minutes; memory fails at the end of the first try, and time, too. */
	ok(r[1].asked_s == 180 && r[1].asked_bytes == 10 * mib, "requests are whole minutes");
	ok(r[1].killed == 2 && r[1].byte_s == mib * (10 * 180 + 20 * 360 + 40 * 500) &&
		   r[1].limit_s == 180 + 360 + 720,
	   "both too small: %g", r[1].byte_s / mib);
}

/* A job that was killed needed more than it had; one that failed says nothing. */
static void test_killed(void)
{
	const struct ft_replay_rule rule[] = {{FT_REPLAY_SEEN, 1}};
	struct ft_replay_job job[3] = {job_at(0, 10, 90 * mib), job_at(20, 10, 40 * mib),
				       job_at(40, 10, 10 * mib)};
	static struct outcomes out;

	job[0].outcome = FT_OUT_OF_MEMORY;
	job[1].outcome = FT_FAILED;
	ok(!replay(job, 3, rule, 1, 1, &out, NULL) && out.n == 1 && out.job[2].judged,
	   "only jobs that completed are judged");
	ok(out.job[2].by_rule[0].asked_bytes == 100 * mib, "a killed job had all that it requested");
	job[0].outcome = FT_DONE;
	job[0].program = 1;
	ok(!replay(job, 3, rule, 1, 1, &out, NULL) && out.n == 2 && out.job[2].by_rule[0].own,
	   "another program's jobs teach nothing");
	job[0].made_s = NAN;
	job[2].asked_bytes = NAN;
	ok(!replay(job, 3, rule, 1, 1, &out, NULL) && !out.n, "no time, no request: not judged");
}

/* ---- against a store ------------------------------------------------------------------------------------
 */

static double sizes[JOBS];

static void make_jobs(struct ft_replay_job *job, size_t n, bool sized, struct ft_random *random)
{
	for (size_t i = 0; i < n; i++) {
		sizes[i] = round(100 * pow(30, ft_random_uniform(random)));
		job[i] = job_at(100 * (double)i, 50 + 100 * ft_random_uniform(random),
				mib * (50 + sizes[i]) * exp(0.1 * ft_random_normal(random)));
		job[i].asked_bytes = 1e5 * mib;
		job[i].asked_s = 3600;
		job[i].program = i % 7 == 3;
		if (sized) {
			job[i].size = &sizes[i];
			job[i].n_size = 1;
		}
	}
}

static void test_store(void)
{
	const struct ft_replay_rule rule[] = {{FT_REPLAY_RISK, 0.05}, {FT_REPLAY_RISK, FT_RISK_LEAST_MOST}};
	struct ft_replay_job job[JOBS];
	struct ft_random random = {20261130};
	static struct outcomes out;
	int64_t id = add_program("replayed", "n=100:3000", NULL);
	size_t judged = 0, equal = 0, least = 0;

	make_jobs(job, 11, true, &random);
	for (size_t i = 0; i < 11; i++)
		job[i].program = 0;
	ok(!replay(job, 11, rule, 2, 5, &out, NULL) && out.n == 11, "eleven jobs");
	for (size_t i = 0, known = 0; i < 11; i++) {
		struct ft_request q;
		struct ft_answerer *models;
		struct ft_size size = {.n = 1, .value = {sizes[i]}};

		for (; known < 11 && job[known].ended_s < job[i].made_s; known++) {
			struct ft_run run = {.size = {.n = 1, .value = {sizes[known]}}, .work = NAN};

			(void)ft_run_add(&run, &ft_wall_s, job[known].wall_s, FT_MEASURED, "test", NULL,
					 NULL);
			(void)ft_run_add(&run, &ft_peak_tree_bytes, job[known].bytes, FT_MEASURED, "test",
					 NULL, NULL);
			add_run(id, run);
		}
		if (known < 5) {
			ok(out.job[i].by_rule[0].own, "job %zu has too few before it", i);
			continue;
		}
		judged++;
		if (ft_ask_open(&models, store, "replayed", NULL, 0, NULL))
			continue;
		if (!ft_ask_request(models, &size, 0.05, &q, NULL) && !q.doubted)
			equal += fabs(out.job[i].by_rule[0].asked_bytes / mib - ceil(q.memory.most / mib)) <
					 1.5 &&
				 fabs(out.job[i].by_rule[0].asked_s - 60 * ceil(q.time.most / 60)) < 61;
		else
			equal += out.job[i].by_rule[0].own;
		if (!ft_ask_request(models, &size, FT_RISK_LEAST_MOST, &q, NULL) && !q.doubted)
			least += fabs(out.job[i].by_rule[1].asked_bytes / mib - ceil(q.memory.most / mib)) <
				 1.5;
		else
			least += out.job[i].by_rule[1].own;
		ft_ask_close(models);
	}
	ok(judged >= 5 && equal == judged, "%zu of %zu as a store answers that has the jobs before", equal,
	   judged);
	ok(least == judged, "%zu with the least waste", least);
}

/* ---- another future -------------------------------------------------------------------------------------
 */

static bool equal_outcomes(const struct outcome *a, const struct outcome *b, size_t rules)
{
	for (size_t k = 0; k < rules; k++) {
		const struct ft_replayed *p = &a->by_rule[k], *q = &b->by_rule[k];

		if (!same(p->asked_s, q->asked_s) || !same(p->asked_bytes, q->asked_bytes) ||
		    p->own != q->own)
			return false;
	}
	return a->judged == b->judged;
}

/* What is known of jobs that had not ended at a moment changes no request that was made until then; their
 * order in the array changes nothing. */
static void test_future(bool sized)
{
	const struct ft_replay_rule rule[RULES] = {{FT_REPLAY_OWN, 0},
						   {FT_REPLAY_RISK, 0.05},
						   {FT_REPLAY_RISK, FT_RISK_LEAST_MOST},
						   {FT_REPLAY_SEEN, 1.1}};
	struct ft_random random = {test_seed()};
	struct ft_replay_job job[JOBS], other[JOBS];
	static struct outcomes was, is;
	size_t n = sized ? 60 : JOBS, place[JOBS], before = 0, bad = 0, changed = 0, moved = 0;

	make_jobs(job, n, sized, &random);
	ok(!replay(job, n, rule, RULES, 5, &was, NULL) && was.n == n, "%zu jobs", n);
	double moment_s = job[2 * n / 3].made_s;

	memcpy(other, job, sizeof other);
	for (size_t i = 0; i < n; i++)
		if (other[i].ended_s >=
		    moment_s) { /* its end, and what it needed, are later than the moment */
			other[i].bytes *= exp(2 * ft_random_normal(&random));
			other[i].ended_s += 1000 * ft_random_uniform(&random);
			other[i].wall_s = other[i].ended_s - other[i].made_s;
		}
	ok(!replay(other, n, rule, RULES, 5, &is, NULL), "another future");
	for (size_t i = 0; i < n; i++) {
		bool equal = equal_outcomes(&was.job[i], &is.job[i], RULES);

		before += job[i].made_s <= moment_s;
		bad += job[i].made_s <= moment_s && !equal;
		changed += job[i].made_s > moment_s && !equal;
	}
	ok(before > n / 2 && !bad, "%zu of %zu earlier requests change", bad, before);
	ok(changed > n / 10, "%zu later ones do: the test sees a difference", changed);

	for (size_t i = 0; i < n; i++)
		place[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t k = ft_random_below(&random, i), swap = place[i - 1];

		place[i - 1] = place[k];
		place[k] = swap;
	}
	for (size_t i = 0; i < n; i++)
		other[i] = job[place[i]];
	ok(!replay(other, n, rule, RULES, 5, &is, NULL), "in another order");
	for (size_t i = 0; i < n; i++)
		moved += !equal_outcomes(&was.job[place[i]], &is.job[i], RULES);
	ok(!moved, "%zu requests depend on the order of the array", moved);
}

/* Jobs without a size: the stated risk holds about. */
static void test_risk(void)
{
	const struct ft_replay_rule rule[] = {{FT_REPLAY_RISK, 0.1}};
	struct ft_random random = {4711};
	struct ft_replay_job job[JOBS];
	static struct outcomes out;
	size_t killed = 0;

	for (int round = 0; round < 5; round++) {
		for (size_t i = 0; i < JOBS; i++) {
			job[i] =
				job_at(100 * (double)i, 50, 200 * mib * exp(0.3 * ft_random_normal(&random)));
			job[i].asked_bytes = 1e5 * mib;
		}
		if (replay(job, JOBS, rule, 1, 10, &out, NULL))
			diag("no replay");
		for (size_t i = 0; i < JOBS; i++)
			killed += out.job[i].by_rule[0].killed > 0;
	}
	ok((double)killed > 0.02 * 5 * JOBS && (double)killed < 0.15 * 5 * JOBS,
	   "%zu of %d killed at a risk of 10 %%", killed, 5 * JOBS);
}

static void count(void *ctx, size_t job, const struct ft_replayed *by_rule)
{
	(void)job;
	(void)by_rule;
	++*(size_t *)ctx;
}

static bool stop(void *ctx, size_t done)
{
	(void)ctx;
	return done < 300;
}

static void test_bad(void)
{
	const struct ft_replay_rule none[] = {{FT_REPLAY_RISK, 0.5}}, zero[] = {{FT_REPLAY_SEEN, 0}},
				    good[] = {{FT_REPLAY_RISK, 0.05}, {FT_REPLAY_SEEN, 1.1}};
	struct ft_random random = {3};
	struct ft_replay_job job[JOBS];
	static struct outcomes out;
	enum ft_status status = FT_ENOMEM;
	size_t fails = 0;

	make_jobs(job, 30, true, &random);
	ok(replay(job, 30, none, 1, 5, &out, NULL) == FT_EINVAL, "a risk of 50 %%");
	ok(replay(job, 30, zero, 1, 5, &out, NULL) == FT_EINVAL, "no times the most seen");
	ok(replay(job, 30, good, 2, 0, &out, NULL) == FT_EINVAL, "from no job on");
	ok(replay(job, 30, good, FT_REPLAY_RULES + 1, 5, &out, NULL) == FT_EINVAL, "too many rules");
	ok(!replay(job, 0, good, 2, 5, &out, NULL) && !out.n, "no job");
	for (size_t i = 0; status == FT_ENOMEM && i < 100000; i += i < 20 ? 1 : 37) {
		(void)ft_alloc_fail_at(i + 1);
		status = replay(job, 9, good, 2, 5, &out, NULL);
		(void)ft_alloc_fail_at(0);
		fails += status == FT_ENOMEM;
	}
	ok(!status && fails > 20, "each of %zu allocations may fail", fails);

	struct ft_replay_job *many = ft_calloc(600, sizeof *many);
	for (size_t i = 0; many && i < 600; i++)
		many[i] = job_at((double)i, 1, mib);
	ok(many && ft_replay_jobs(many, 600,
				  &(struct ft_replay_options){.rule = &good[1],
							      .n_rules = 1,
							      .first = 5,
							      .models = 1,
							      .judged = count,
							      .progress = stop,
							      .ctx = &fails},
				  NULL) == FT_EINTR,
	   "interrupted");
	ft_free(many);
}

int main(void)
{
	open_store();
	test_hand();
	test_time();
	test_killed();
	test_store();
	test_future(false);
	test_future(true);
	test_risk();
	test_bad();
	ft_store_close(store);
	return done();
}
