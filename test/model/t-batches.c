/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-batches.c - runs that were made together: what their common level adds to the doubt. */
#include "model-test.h"
#include "model/model.h"
#include "tap.h"

#include <stdio.h>

static const int64_t second = 1000000000, hour = 3600 * second;

/* Five sizes, each run so often in each of some batches, whose levels alternate by a ratio. */
static struct ft_batches find(size_t batches, size_t repeats, double ratio, double noise, bool records,
			      uint64_t seed)
{
	struct ft_random random = {seed};
	struct samples *s = ft_calloc(1, sizeof *s);
	struct ft_batches found = {0};

	for (size_t b = 0; b < batches; b++)
		for (size_t i = 0; i < 5; i++)
			for (size_t k = 0; k < repeats; k++) {
				add(s, 100 * (double)(i + 1), 1,
				    (double)(i + 1) * (b % 2 ? ratio : 1) *
					    exp(noise * ft_random_normal(&random)));
				s->o[s->n - 1].when_ns =
					hour + (int64_t)b * 5 * hour + (int64_t)s->n * second;
			}
	if (ft__batches_find(s->o, s->n, 0, records, &found, NULL))
		diag("no memory");
	ft_free(s);
	return found;
}

static void test_found(void)
{
	struct ft_batches one = find(1, 4, 1, 0.05, true, 1), own = find(1, 4, 1, 0.05, false, 1),
			  two = find(2, 4, 1.2, 0.02, false, 2), same = find(2, 4, 1, 0.02, false, 3),
			  many = find(8, 2, 1.2, 0.02, false, 4), single = find(2, 1, 1.2, 0.02, false, 5);

	ok(one.n == 1 && !one.learned && one.deviation == 0.025 && one.doubt > 0 && one.span_s < 60,
	   "one batch of records: a stated deviation");
	ok(own.n == 1 && own.doubt == 0, "of benchmarks of ours the doubt is not wider");
	ok(two.n == 2 && two.learned && two.deviation > 0.06 && two.deviation < 0.14,
	   "two batches that differ by 20 %%: %.3g", two.deviation);
	ok(same.learned && same.deviation < 0.025, "two alike: %.3g", same.deviation);
	/* Levels of 0 and ln 1.2 in turn: .0975 of deviation. */
	ok(many.n == 8 && fabs(many.deviation - 0.0975) < 0.015 && many.doubt < two.doubt,
	   "eight batches: %.3g, and a better known level", many.deviation);
	ok(single.n == 2 && !single.learned, "without repetitions batches do not part from noise");
}

static struct ft_runs runs_of(size_t batches, double ratio, int64_t apart)
{
	struct ft_runs runs = {0};
	struct ft_random random = {9};

	for (size_t i = 0; i < 60; i++) {
		struct ft_run run;
		size_t batch = i * batches / 60;

		ft_run_init(&run);
		run.size = (struct ft_size){1, {100 * (double)(1 + i % 5)}};
		run.started_ns = hour + (int64_t)batch * apart + (int64_t)i * second;
		(void)ft_run_add(&run, &ft_wall_s,
				 (1 + (double)(i % 5)) * (batch % 2 ? ratio : 1) *
					 exp(0.02 * ft_random_normal(&random)),
				 FT_MEASURED, "test", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, 1e6 * (1 + (double)(i % 5)), FT_MEASURED, "test",
				 NULL, NULL);
		(void)ft_runs_take(&runs, &run, NULL);
	}
	return runs;
}

/* How wide the interval of single runs is, as a ratio; *known as of the prediction. */
static double width(size_t batches, double ratio, int64_t apart, const struct ft_resource *resource,
		    double *known, struct ft_batches *found)
{
	struct ft_program program = {.name = (char[]){"made"}, .n_params = 1};
	struct ft_runs runs = runs_of(batches, ratio, apart);
	struct ft_model *model = NULL, *again = NULL;
	struct ft_prediction p = {.value = NAN}, q = {.value = NAN};
	unsigned char *bytes = NULL;
	size_t n = 0;

	(void)snprintf(program.param[0].name, sizeof program.param[0].name, "n");
	(void)ft_model_fit_runs(&model, &program, &runs, resource, &(struct ft_size){1, {0}}, NULL, NULL);
	if (model) {
		*found = ft_model_facts(model)->batches;
		(void)ft_model_predict(model, &(struct ft_size){1, {300}}, 1, 0.9, &p, NULL);
		if (!ft_model_pack(model, &bytes, &n, NULL) && !ft_model_unpack(&again, bytes, n, NULL, NULL))
			(void)ft_model_predict(again, &(struct ft_size){1, {300}}, 1, 0.9, &q, NULL);
		ok(q.lower == p.lower && q.upper == p.upper && q.known == p.known, "%s, kept and read again",
		   resource->name);
	}
	*known = p.known;
	ft_free(bytes);
	ft_model_free(model);
	ft_model_free(again);
	ft_runs_clear(&runs);
	return p.upper / p.lower;
}

/* Records of jobs on some nodes, each with a level of its own, which begin hours apart; new runs of other
 * nodes. Returns the share of these inside the interval; *before: the same where nobody knows the nodes. */
enum { NODES = 6, JOBS = 60, REPEATS = 150 };

static double share_inside(bool told, struct ft_batches *found)
{
	struct ft_program program = {.name = (char[]){"made"}, .n_params = 1};
	struct ft_random random = {77};
	size_t inside = 0;

	(void)snprintf(program.param[0].name, sizeof program.param[0].name, "n");
	for (size_t t = 0; t < REPEATS; t++) {
		double level[NODES + 1];
		struct ft_runs runs = {0};
		struct ft_model *model = NULL;
		struct ft_prediction p = {.value = NAN};

		for (size_t i = 0; i <= NODES; i++)
			level[i] = 0.15 * ft_random_normal(&random);
		for (size_t i = 0; i < JOBS; i++) {
			struct ft_run run;
			size_t node = (size_t)(NODES * ft_random_uniform(&random)), size = i % 5;
			char name[16];

			ft_run_init(&run);
			(void)snprintf(name, sizeof name, "n%zu", node);
			run.node = told ? ft_strdup(name) : NULL;
			run.user = told ? ft_strdup("one") : NULL;
			run.size = (struct ft_size){1, {100 * (double)(1 + size)}};
			run.started_ns = hour + (int64_t)i * 3 * hour;
			(void)ft_run_add(&run, &ft_wall_s,
					 50 * (1 + (double)size) *
						 exp(level[node] + 0.03 * ft_random_normal(&random)),
					 FT_MEASURED, "test", NULL, NULL);
			(void)ft_runs_take(&runs, &run, NULL);
		}
		(void)ft_model_fit_runs(&model, &program, &runs, &ft_wall_s, &(struct ft_size){1, {0}}, NULL,
					NULL);
		if (model) {
			*found = ft_model_facts(model)->batches;
			(void)ft_model_predict(model, &(struct ft_size){1, {350}}, 1, 0.9, &p, NULL);
		}
		double fresh = 175 * exp(level[NODES] + 0.03 * ft_random_normal(&random));
		inside += fresh >= p.lower && fresh <= p.upper;
		ft_model_free(model);
		ft_runs_clear(&runs);
	}
	return (double)inside / REPEATS;
}

int main(void)
{
	struct ft_batches nodes = {0}, none = {0};
	double known[4], wide[4];
	struct ft_batches found[4];

	test_found();
	wide[0] = width(1, 1, hour, &ft_wall_s, &known[0], &found[0]);
	/* Alternating: a lasting difference would be a change. */
	wide[1] = width(6, 1, 5 * hour, &ft_wall_s, &known[1], &found[1]);
	wide[2] = width(6, 1.2, 5 * hour, &ft_wall_s, &known[2], &found[2]);
	wide[3] = width(1, 1, hour, &ft_peak_rss_bytes, &known[3], &found[3]);
	ok(found[0].n == 1 && found[1].n == 6 && found[2].n > 1, "batches of runs: %zu, %zu, %zu", found[0].n,
	   found[1].n, found[2].n);
	ok(wide[0] > wide[1] && known[0] > known[1],
	   "one hour: %.3f wide and known to %.3f; six hours: %.3f, %.3f", wide[0], known[0], wide[1],
	   known[1]);
	ok(found[2].deviation > 0.05 && found[2].doubt > 4 * found[1].doubt && wide[2] > wide[1] &&
		   known[2] > known[1],
	   "batches that differ by 20 %%: %.3f wide, known to %.3f", wide[2], known[2]);
	ok(!found[3].n, "memory has no batches");
	wide[0] = share_inside(false, &none);
	wide[1] = share_inside(true, &nodes);
	ok(nodes.of == FT_BATCH_NODES && nodes.learned && nodes.count[FT_BATCH_NODES] == NODES &&
		   nodes.count[FT_BATCH_USERS] == 1 && !none.count[FT_BATCH_NODES],
	   "what nodes differ by is learned: %.3f", nodes.deviation);
	ok(wide[1] > 0.82 && wide[1] < 0.97 && wide[1] > wide[0] + 0.03,
	   "runs of other nodes: %.1f %% inside, %.1f %% where no node is known", 100 * wide[1],
	   100 * wide[0]);
	return done();
}
