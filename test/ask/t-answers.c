/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-answers.c - all numbers of answers to many questions: predictions, sizes, requests, contracts, costs. */
#include "answers.h"
#include "ask/door.h"
#include "foretime/ask.h"

static const struct was was[] = {
	{"one", "predictions", 3214.031695},
	{"one", "largest sizes", 2109.551743},
	{"one", "requests", 3377.576457},
	{"one", "formulas and knots", 4565.340608},
	{"one", "contracts", 8465.993109},
	{"one", "contracts in turn", 7852.465611},
	{"one", "costs", 36297.014300},
	{"two", "predictions", 3178.101462},
	{"two", "largest sizes", 10316.970560},
	{"two", "requests", 3328.647490},
	{"two", "formulas and knots", 129.330705},
	{"two", "contracts", 8349.765957},
	{"two", "contracts in turn", 7702.223250},
	{"two", "costs", 40729.002220},
	{"jump", "predictions", 3056.448251},
	{"jump", "largest sizes", 2321.016931},
	{"jump", "requests", 3654.020896},
	{"jump", "formulas and knots", 5406.581616},
	{"jump", "contracts", 8376.348736},
	{"jump", "contracts in turn", 7758.667292},
	{"jump", "costs", 36096.357201},
	{"", "", 0},
};

static void put_largest(struct test_told *s, const struct ft_largest *l)
{
	put(s, l->kind + 4 * l->by_kill + 8 * l->by_where + 16 * l->by_list);
	for (size_t i = 0; i < l->size.n; i++)
		put(s, l->size.value[i]);
	put(s, l->next);
	put(s, l->again);
	put(s, l->last);
	put(s, l->killed);
	put(s, l->reach);
}

static void put_limits(struct test_told *s, const struct ft_limit *limit, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put(s, limit[i].binds + 2 * limit[i].grows);
		put_prediction(s, &limit[i].at);
	}
}

static void put_verification(struct test_told *s, const struct ft_verification *v)
{
	put(s, v->holds);
	put(s, v->each);
	put(s, v->pooled);
	for (size_t i = 0; i < v->n_checks; i++) {
		const struct ft_check *c = &v->check[i];

		put(s, c->size.value[0]);
		put(s, (double)c->runs + 10 * c->at_least + 20 * c->certain + 40 * (int)c->verdict);
		put(s, c->value);
		put_prediction(s, &c->promised);
		put(s, c->share);
	}
	for (size_t i = 0; i < v->n_shifts; i++) {
		const struct ft_regression *c = &v->shift[i];

		put(s, (double)(c->sizes + 10 * c->runs) + 200 * c->at_least + 400 * (int)c->verdict);
		put(s, c->ratio);
		put(s, c->lower);
		put(s, c->upper);
		put(s, c->seen);
		put(s, (double)c->needed + 1000 * (int)c->limit);
	}
	for (size_t i = 0; i < v->n_growths; i++) {
		const struct ft_growth *g = &v->growth[i];

		put(s, (double)(g->sizes + 10 * g->param) + 200 * g->at_least + 400 * (int)g->verdict);
		put(s, g->from);
		put(s, g->to);
		put(s, g->was);
		put(s, g->now);
		put(s, g->change);
		put(s, g->lower);
		put(s, g->upper);
	}
}

/* ---- questions ----------------------------------------------------------------------------------------- */

static void ask_predictions(const char *name, struct ft_answerer *models)
{
	static const struct ft_resource *const resource[] = {&ft_wall_s, &ft_peak_tree_bytes, &ft_cpu_s};
	struct test_told s = {0, 0};

	for (size_t r = 0; r < 3; r++)
		for (size_t i = 0; i < 12; i++) {
			struct ft_size size = size_at(name, i);
			struct ft_prediction p = {0};

			put(&s, ft_ask_predict(models, resource[r], &size, i % 2 ? 0.9 : 0.6, &p, NULL));
			put_prediction(&s, &p);
		}
	judge(was, name, "predictions", &s);
}

static void ask_sizes(const char *name, struct ft_answerer *models, bool two)
{
	struct ft_size any = ft_ask_any_size(models);
	const size_t both[] = {0, 1};
	struct test_told s = {0, 0};

	for (int i = 0; i < 9; i++) {
		struct ft_limit limit[2] = {{.resource = &ft_wall_s, .most = 0.002 * pow(4.3, i)},
					    {.resource = &ft_peak_tree_bytes, .most = 2.5e7 * pow(1.9, i)}};
		struct ft_largest found = {0};
		struct ft_frontier frontier = {0};

		put(&s, ft_ask_largest(models, limit, 1 + (size_t)i % 2, &any, two && i % 4 > 1, 0.9, &found,
				       NULL));
		put_largest(&s, &found);
		put_limits(&s, limit, 1 + (size_t)i % 2);
		if (!two || i % 3 != 1)
			continue;
		put(&s, ft_ask_frontier(models, limit, 2, &any, both, 2, 0.8, &frontier, NULL));
		for (size_t k = 0; k < frontier.n; k++) {
			put_largest(&s, &frontier.point[k].largest);
			put_limits(&s, frontier.point[k].limit, 2);
		}
		ft_frontier_clear(&frontier);
	}
	judge(was, name, "largest sizes", &s);
}

static void ask_requests(const char *name, struct ft_answerer *models, bool two)
{
	const bool open[] = {true, two};
	struct ft_size any = ft_ask_any_size(models);
	struct ft_request_expressions e = {0};
	struct ft_request_knots knots = {0};
	struct test_told s = {0, 0};

	for (size_t i = 0; i < 12; i++) {
		struct ft_size size = size_at(name, i);
		struct ft_request q = {0};

		put(&s, ft_ask_request(models, &size, i % 2 ? 0.05 : 0.2, &q, NULL));
		put_need(&s, &q.time);
		put_need(&s, &q.memory);
		put(&s, q.cpus);
		put(&s, q.killed);
		put(&s, q.reached_bytes);
		put(&s, q.beyond_kill + 2 * q.refuted + 4 * q.brief);
	}
	judge(was, name, "requests", &s);
	s = (struct test_told){0, 0};
	put(&s, ft_ask_request_expressions(models, &any, open, 0.1, &e, NULL));
	if (e.time.text && e.memory.text) {
		test_tell_text(&s, e.time.text);
		test_tell_text(&s, e.memory.text);
	}
	put(&s, e.time.mean);
	put(&s, e.time.above);
	put(&s, e.memory.mean);
	put(&s, e.memory.above);
	put(&s, e.memory.from);
	put(&s, e.memory.to);
	put(&s, e.cpus);
	if (!two)
		put(&s, ft_ask_request_knots(models, &any, 0.1, &knots, NULL));
	for (size_t i = 0; i < knots.n; i++) {
		put(&s, knots.knot[i].at);
		put(&s, knots.knot[i].typical_s);
		put(&s, knots.knot[i].most_s);
		put(&s, knots.knot[i].bytes);
	}
	judge(was, name, "formulas and knots", &s);
	ft_request_expressions_clear(&e);
	ft_request_knots_clear(&knots);
}

/* New runs, slower and slower; at four sizes of one parameter, so that growth is told. */
static void ask_contracts(const char *name, struct ft_answerer *models, struct ft_random *random)
{
	static const struct ft_resource *const resource[] = {&ft_wall_s, &ft_peak_tree_bytes};
	struct test_told s = {0, 0}, pairs = {0, 0};

	for (int round = 0; round < 5; round++) {
		struct ft_verify_options o = {resource, 1 + (size_t)round % 2, round < 3 ? 0.99 : 0.9,
					      round == 3};
		struct ft_runs new = {0}, old = {0};
		struct ft_verification v = {0};

		for (int i = 0; i < 4; i++)
			for (int k = 0; k < 1 + (i + round) % 4; k++) {
				double n = 64 << 2 * i, slower = 1 + 0.12 * round * (round == 4 ? i : 1);
				struct ft_run run = any_run(name, random, n, 8, 0.05),
					      before = any_run(name, random, n, 8, 0.05);

				run.sample[0].value *= slower;
				run.outcome = round == 2 && i == 3 ? FT_TIMED_OUT : FT_DONE;
				(void)ft_runs_take(&new, &run, NULL);
				(void)ft_runs_take(&old, &before, NULL);
			}
		put(&s, ft_ask_verify(models, &new, &o, &v, NULL));
		put_verification(&s, &v);
		ft_verification_clear(&v);
		put(&pairs, ft_verify_against(&old, &new, &o, &v, NULL));
		put_verification(&pairs, &v);
		ft_verification_clear(&v);
		ft_runs_clear(&new);
		ft_runs_clear(&old);
	}
	judge(was, name, "contracts", &s);
	judge(was, name, "contracts in turn", &pairs);
}

static void ask_costs(const char *name, struct ft_answerer *models, bool two)
{
	struct ft_size any = ft_ask_any_size(models);
	struct test_told s = {0, 0};

	for (int i = 0; i < 4; i++) {
		struct ft_cost_options o = {.risk = i % 2 * 0.1,
					    .step = 1 + i,
					    .effort = 200,
					    .memory_bytes = i == 2 ? 3e7 : 1e12};
		struct ft_cost cost = {0};

		put(&s, ft_cost_make(&cost, models, &any, two && i == 3, i == 1 ? 90 : 12345, &o, NULL));
		for (size_t k = 0; k < cost.n; k++) {
			put(&s, (double)cost.at[k]);
			put(&s, cost.value[k]);
		}
		put(&s, cost.error);
		put(&s, (double)cost.most + 1e6 * (int)cost.end + 1e7 * cost.rough);
		put(&s, cost.memory_bytes);
		put(&s, (double)cost.evaluations);
		ft_cost_clear(&cost);
	}
	judge(was, name, "costs", &s);
}

static void ask_all(const char *name)
{
	struct ft_random random = {1000 + (unsigned char)*name};
	bool two = !strcmp(name, "two");

	make(name, &random);
	struct ft_answerer *models = open_models(name);
	ask_predictions(name, models);
	ask_sizes(name, models, two);
	ask_requests(name, models, two);
	ask_contracts(name, models, &random);
	ask_costs(name, models, two);
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	ask_all("one");
	ask_all("two");
	ask_all("jump");
	ft_store_close(store);
	temp_remove();
	return done();
}
