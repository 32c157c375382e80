/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how far plans are above their bounds, and how many costs are looked at for them. Small cases
 * are judged elsewhere, against all plans there are; these are too large for that. */
#include "foretime/plan.h"
#include "plan-test.h"
#include "plan/door.h"
#include "scores.h"

enum { CASES = 4, TASKS = 60, MACHINES = 8, KNOTS = 12, FEW = 6, TABLE = 400 };

/* Adds what a plan is worth; what it is not is infinite. */
static void add_plan(double sum[3], enum ft_status status, const struct ft_plan *plan)
{
	sum[0] += status ? INFINITY : ft_plan_gap(plan);
	sum[1] += (double)plan->evaluations;
	sum[2] += plan->exact;
}

static void tell(const char *name, const char *const *what, const double *sum, const double *was, size_t n)
{
	for (size_t i = 0; i < n; i++)
		test_score(name, what[i], sum[i] / CASES, was[i]);
}

/* ---- a total over processors --------------------------------------------------------------------------- */

struct processors {
	struct ft_plan_times times[MACHINES];
	int64_t at[MACHINES][KNOTS];
	double t[MACHINES][KNOTS];
};

/* Times that bend; falls: they go up and down. The later ones have a cap, and some are two. */
static void draw_processors(struct processors *p, double falls, int64_t total, struct ft_random *r)
{
	for (size_t i = 0; i < MACHINES; i++) {
		double pace = spread(r, 0.8), power = between(r, 1, 1.05);

		for (size_t k = 0; k < KNOTS; k++) {
			p->at[i][k] = total * (int64_t)k / (KNOTS - 1);
			p->t[i][k] =
				pace * pow((double)p->at[i][k], power) * (1 + falls * ft_random_uniform(r));
		}
		p->times[i] = (struct ft_plan_times){.n = KNOTS, .at = p->at[i], .time_s = p->t[i]};
		p->times[i].most = i > 5 ? total / 50 : 0;
		p->times[i].least = i == 4 ? total / 1000 : 0;
		p->times[i].count = i == 2 ? 2 : 0;
	}
}

static void test_partition(void)
{
	static const struct {
		const char *name;
		double falls;
		int64_t total;
		struct ft_partition_options options;
		double was[5];
	} kinds[] = {
		{.name = "shares, times that rise", .total = 1000000, .was = {0, 102.75, 1, 0.11161, 61}},
		{.name = "shares, times that fall",
		 .falls = 0.4,
		 .total = 20000,
		 .was = {0, 93, 1, 0.13987, 61.75}},
		{.name = "shares, in steps",
		 .falls = 0.2,
		 .total = 10007,
		 .options = {.granularity = 64},
		 .was = {0, 644, 1, 0.1439, 60}},
		{.name = "shares, little effort",
		 .falls = 0.8,
		 .total = 50000,
		 .options = {.granularity = 10, .effort = 20000},
		 .was = {0, 115, 1, 0.25503, 61.5}}};
	static const char *const what[] = {"above the bound", "evaluations", "proved", "seconds",
					   "who binds"};

	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		struct ft_random random = {kind + 1};
		double sum[5] = {0};

		for (size_t i = 0; i < CASES; i++) {
			struct processors p;
			struct ft_partition out;
			enum ft_plan_binds binds[MACHINES + 1];
			int64_t units[MACHINES + 1];

			draw_processors(&p, kinds[kind].falls, kinds[kind].total, &random);
			add_plan(sum,
				 ft_plan_partition(p.times, MACHINES, kinds[kind].total, &kinds[kind].options,
						   units, binds, &out, NULL),
				 &out.plan);
			sum[3] += out.plan.value / (double)kinds[kind].total;
			for (size_t k = 0; k <= MACHINES; k++)
				sum[4] += (double)binds[k] * (double)(k + 1);
		}
		tell(kinds[kind].name, what, sum, kinds[kind].was, 5);
	}
}

/* Divisions in which none is late but for a risk. */
static void test_late(void)
{
	static const char *const late_words[] = {"above the bound", "evaluations", "proved", "of before"};
	static const double late_was[4] = {0.00019637, 43308, 0, 0.97828};
	struct ft_random random = {31};
	double late_sum[4] = {0};

	for (size_t i = 0; i < CASES; i++) {
		const int64_t total = 90000;
		struct processors p;
		struct ft_partition whole_plan;
		struct ft_partition_late out;
		int64_t units[MACHINES + 1];

		draw_processors(&p, 0, total, &random);
		struct processors late = p;
		for (size_t k = 0; k < MACHINES; k++) {
			double slow = exp(between(&random, 0.02, 0.5));

			late.times[k].at = late.at[k];
			late.times[k].time_s = late.t[k];
			for (size_t j = 0; j < KNOTS; j++)
				late.t[k][j] *= slow;
		}
		(void)ft_plan_partition(late.times, MACHINES, total, NULL, units, NULL, &whole_plan, NULL);
		add_plan(late_sum,
			 ft_plan_partition_late(p.times, late.times, 0.05, MACHINES, total, NULL, 0.1, units,
						&out, NULL),
			 &out.plan);
		late_sum[3] += out.plan.value / out.before_s;
	}
	tell("shares by a risk", late_words, late_sum, late_was, 4);
}

/* Processors of which nothing is known: divided, run, divided again. */
static void test_refine(void)
{
	static const char *const what[] = {"runs", "seconds", "expected", "spread", "gain", "even"};
	static const double was[6] = {5.25, 0.14323, 0.65032, 0.019592, 0.019474, 1.0741};
	struct ft_random random = {77};
	double sum[6] = {0};
	int run;

	for (size_t i = 0; i < CASES; i++) {
		const int64_t total = 30000;
		struct processors p;
		struct ft_plan_refine *refine = NULL;
		struct ft_plan_refined now = {0};
		const struct ft_partition_options steps = {.granularity = i % 2 ? 16 : 0};

		draw_processors(&p, 0.1, total, &random);
		(void)ft_plan_refine_new(&refine, FEW, total, &steps, NULL);
		if (i == 3)
			(void)ft_plan_refine_see(refine, 1, total / 9, p.t[1][1], NULL);
		for (run = 0; run < 12; run++) {
			int64_t units[FEW];
			double seconds[FEW] = {0};

			sum[1] += ft_plan_refine_next(refine, units, &now, NULL) ? INFINITY : 0;
			if (now.settled)
				break;
			for (size_t k = 0; k < FEW; k++)
				seconds[k] =
					(5 + ft_plan_time(&p.times[k], units[k])) * spread(&random, 0.02);
			sum[1] += ft_plan_refine_ran(refine, units, seconds, NULL) ? INFINITY : 0;
			sum[2] += isfinite(now.expected_s) ? now.expected_s / (double)total : 0;
		}
		sum[0] += run;
		sum[1] += now.best_s / (double)total;
		sum[3] += now.spread;
		sum[4] += fabs(now.gain);
		sum[5] += now.even;
		ft_plan_refine_free(refine);
	}
	tell("divided again", what, sum, was, 6);
}

/* ---- energy -------------------------------------------------------------------------------------------- */

static void test_energy(void)
{
	static const char *const what[] = {"above the bound", "evaluations", "proved", "joules", "seconds"},
				 *const front_words[] = {"points", "knee", "evaluations",
							 "joules at the knee", "seconds at the knee"};
	static const double was[5] = {0, 18097, 1, 2685.6, 162.71},
			    front_was[5] = {19.25, 11, 1.4336e+05, 1263.8, 58.419};
	static double t[FEW][TABLE], e[FEW][TABLE];
	struct ft_random random = {5};
	double sum[5] = {0}, front_sum[5] = {0};

	for (size_t i = 0; i < CASES; i++) {
		struct ft_plan_costs cost[FEW];
		struct ft_partition_energy out;
		struct ft_plan_front front = {0};
		int64_t units[FEW];

		for (size_t k = 0; k < FEW; k++) {
			double pace = spread(&random, 0.6), watts = 10 * spread(&random, 0.5);

			for (size_t x = 0; x < TABLE; x++) {
				t[k][x] = pace * (double)x * (1 + 0.3 * sin((double)x / 9)) + (x ? 3 : 0);
				e[k][x] = watts * t[k][x] * (i % 2 ? 1 : between(&random, 0.9, 1.1));
			}
			cost[k] = (struct ft_plan_costs){TABLE, t[k], e[k]};
		}
		add_plan(sum,
			 ft_plan_partition_energy(cost, FEW, 700, i < 2 ? 150 : INFINITY, 0, units, &out,
						  NULL),
			 &out.plan);
		sum[3] += out.plan.value;
		sum[4] += out.time_s;
		if (ft_plan_front(cost, FEW, 300, i % 2 ? 0 : 9, 0, &front, NULL) || !front.n)
			front_sum[0] = INFINITY;
		front_sum[0] += (double)front.n;
		front_sum[1] += (double)front.knee;
		front_sum[2] += (double)front.evaluations;
		front_sum[3] += front.n ? front.point[front.knee].energy_j : 0;
		front_sum[4] += front.n ? front.point[front.knee].time_s : 0;
		ft_plan_front_clear(&front);
	}
	tell("shares by a deadline", what, sum, was, 5);
	tell("a front", front_words, front_sum, front_was, 5);
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

/* alike: only machines' speeds differ; else each task is at home somewhere, and some fit not everywhere. Two
 * pairs of machines are the same. */
static void draw_tasks(double *p, bool alike, struct ft_random *r)
{
	double speed[MACHINES];

	for (size_t i = 0; i < MACHINES; i++)
		speed[i] = spread(r, 0.5);
	for (size_t j = 0; j < TASKS; j++) {
		double work = 10 * spread(r, 1);

		for (size_t i = 0; i < MACHINES; i++) {
			p[j * MACHINES + i] = work * speed[i] * (alike ? 1 : spread(r, 0.6));
			if (!alike && i && ft_random_below(r, 5) == 0)
				p[j * MACHINES + i] = INFINITY;
		}
		p[j * MACHINES + 1] = p[j * MACHINES];
		p[j * MACHINES + 3] = p[j * MACHINES + 2];
	}
}

static void test_map(void)
{
	static const struct {
		const char *name;
		bool alike;
		struct ft_plan_search search;
		double was[3];
	} kinds[] = {
		{.name = "tasks on alike machines",
		 .alike = true,
		 .search = {200000, 1},
		 .was = {0.0013712, 2.8404e+05, 0.25}},
		{.name = "tasks on machines", .search = {200000, 2}, .was = {0.062762, 3.0107e+05, 0.25}},
		{.name = "tasks, more effort", .search = {2000000, 3}, .was = {0.0077892, 1.3877e+06, 0.5}}};
	static const char *const what[] = {"above the bound", "evaluations", "proved"};

	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		static double p[TASKS * MACHINES];
		struct ft_random random = {10 * kind};
		double sum[8] = {0};

		for (size_t i = 0; i < CASES; i++) {
			struct ft_plan out;
			size_t on[TASKS];

			draw_tasks(p, kinds[kind].alike, &random);
			add_plan(sum,
				 ft_plan_map(p, TASKS, MACHINES, &kinds[kind].search, on, NULL, &out, NULL),
				 &out);
		}
		tell(kinds[kind].name, what, sum, kinds[kind].was, 3);
	}
}

/* Graphs: each task waits for up to two of those before it, at most `back` before. */
static size_t draw_edges(struct ft_plan_edge *edge, size_t n, size_t back, double bytes, struct ft_random *r)
{
	size_t edges = 0;

	for (size_t v = 1; v < n; v++)
		for (size_t k = ft_random_below(r, 3); k-- > 0;)
			edge[edges++] = (struct ft_plan_edge){v - 1 - ft_random_below(r, v < back ? v : back),
							      v, bytes * spread(r, 0.7)};
	return edges;
}

static void test_schedule(void)
{
	static const struct {
		const char *name;
		bool alike, each, reserved;
		size_t back;
		double bytes;
		double was[4];
	} kinds[] = {
		{.name = "a graph, nothing sent",
		 .alike = true,
		 .back = 20,
		 .was = {0.0035802, 1.6559e+05, 0.75, 0.99818}},
		{.name = "a graph that sends",
		 .back = 20,
		 .bytes = 5,
		 .each = true,
		 .was = {0.15365, 2.6385e+05, 0, 0.95773}},
		{.name = "a deep graph", .back = 3, .bytes = 50, .was = {0.10567, 2.0051e+05, 0.25, 0.77385}},
		{.name = "a graph beside others",
		 .back = 50,
		 .bytes = 5,
		 .reserved = true,
		 .was = {0.10842, 2.9778e+05, 0.25, 0.98073}}};
	static const char *const what[] = {"above the bound", "evaluations", "proved", "of HEFT's"};
	static double p[TASKS * MACHINES];

	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		struct ft_random random = {100 + kind};
		double sum[4] = {0};

		for (size_t i = 0; i < CASES; i++) {
			double latency[MACHINES * MACHINES], bandwidth[MACHINES * MACHINES], heft;
			struct ft_plan_links links = {.latency_s = 0.5, .bytes_per_s = 2};
			struct ft_plan_reserved reserved[3];
			struct ft_plan_edge edge[2 * TASKS];
			struct ft_plan_slot slot[TASKS];
			struct ft_plan_search search = {150000, i};
			struct ft_plan out;

			draw_tasks(p, kinds[kind].alike, &random);
			size_t edges = draw_edges(edge, TASKS, kinds[kind].back, kinds[kind].bytes, &random);
			for (size_t k = 0; k < MACHINES * MACHINES; k++) {
				latency[k] = between(&random, 0, 1);
				bandwidth[k] = spread(&random, 0.5);
			}
			if (kinds[kind].each) {
				links.latency_s_of = latency;
				links.bytes_per_s_of = bandwidth;
			}
			for (size_t k = 0; k < 3; k++) {
				double from = between(&random, 0, 30);

				reserved[k] =
					(struct ft_plan_reserved){k, from, from + between(&random, 0, 20)};
			}
			add_plan(sum,
				 ft_plan_schedule(p, TASKS, MACHINES, edge, edges, &links, reserved,
						  kinds[kind].reserved ? 3 : 0, &search, slot, &heft, &out,
						  NULL),
				 &out);
			sum[3] += out.value / heft;
		}
		tell(kinds[kind].name, what, sum, kinds[kind].was, 4);
	}
}

static void test_topology(void)
{
	static const struct {
		const char *name;
		enum ft_topology_cost cost;
		double was[6];
	} kinds[] = {{.name = "a topology, by turns",
		      .cost = FT_TOPOLOGY_SEQUENTIAL,
		      .was = {0.73404, 60000, 0, 170.49, 22.838, 79.432}},
		     {.name = "a topology, as printed",
		      .cost = FT_TOPOLOGY_PRINTED,
		      .was = {0.6959, 45000, 0.25, 182.23, 21.028, 71.324}},
		     {.name = "a topology, at once",
		      .cost = FT_TOPOLOGY_CONCURRENT,
		      .was = {1.0139, 60000, 0, 182.09, 25.732, 39.306}},
		     {.name = "a topology in stages",
		      .cost = FT_TOPOLOGY_HYBRID,
		      .was = {1.0368, 60000, 0, 200.04, 25.712, 69.117}}};
	static const char *const what[] = {"above the bound", "evaluations", "proved",
					   "by turns",        "as printed",  "at once"};
	enum { MODULES = 18, RESOURCES = 5 };

	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		struct ft_random random = {200 + kind};
		double sum[6] = {0};

		for (size_t i = 0; i < CASES; i++) {
			double time_s[MODULES * RESOURCES], needs[MODULES], has[RESOURCES], all = 0;
			struct ft_plan_links links = {.latency_s = 0.1, .bytes_per_s = 1};
			struct ft_plan_search search = {60000, i};
			struct ft_plan_edge port[2 * MODULES];
			size_t stage[MODULES], on[MODULES];
			struct ft_topology t = {.modules = MODULES,
						.resources = RESOURCES,
						.time_s = time_s,
						.port = port,
						.links = &links,
						.kinds = i % 2,
						.needs = needs,
						.has = has,
						.weight_time = i == 3 ? 2 : 0,
						.weight_send = i == 3 ? 0.5 : 0,
						.cost = kinds[kind].cost,
						.stage = stage};
			struct ft_topology_plan out = {0};

			for (size_t k = 0; k < MODULES * RESOURCES; k++)
				time_s[k] = 10 * spread(&random, 0.8);
			for (size_t k = 0; k < MODULES; k++) {
				all += needs[k] = spread(&random, 0.5);
				stage[k] = k / 4;
			}
			for (size_t k = 0; k < RESOURCES; k++)
				has[k] = all / RESOURCES * between(&random, 1, 1.6);
			t.ports = draw_edges(port, MODULES, 5, 8, &random);
			add_plan(sum, ft_plan_topology(&t, &search, on, &out, NULL), &out.plan);
			sum[3] += out.sequential_s;
			sum[4] += out.printed_s;
			sum[5] += out.concurrent_s;
		}
		tell(kinds[kind].name, what, sum, kinds[kind].was, 6);
	}
}

int main(void)
{
	test_partition();
	test_late();
	test_refine();
	test_energy();
	test_map();
	test_schedule();
	test_topology();
	return done();
}
