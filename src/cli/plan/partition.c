/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.c - `foretime plan partition`: divides a total over processors. */
#include "cli/plan/plan.h"
#include "foretime/adapt.h"
#include "foretime/measure.h"
#include "foretime/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Draw a division: time of each processor by share, with its own share; time against energy.
 */

/* The most curves, the most with a name, and points on each. */
enum { CURVES = 24, NAMED = 8, PLACES = 300 };

/* Draw beyond the largest share by this factor. */
static const double air = 1.25;

/* One panel; x and y are its own. */
struct curves {
	struct ft_series series[CURVES + 2];
	char *title[CURVES + 2];
	size_t n;
};

static void add_series(struct curves *c, char *title, bool points, double *x, double *y, size_t n)
{
	c->series[c->n] = (struct ft_series){.title = title, .x = x, .y = y, .n = n};
	c->series[c->n].kind = points ? FT_SERIES_POINTS : FT_SERIES_LINE;
	c->series[c->n].strong = points;
	c->title[c->n++] = title;
}

static void clear_curves(struct curves *c)
{
	while (c->n-- > 0) {
		free((void *)(uintptr_t)c->series[c->n].x);
		free((void *)(uintptr_t)c->series[c->n].y);
		free(c->title[c->n]);
	}
}

static char *name_of(const struct cli_partition *q, const struct cli_processor *processor)
{
	const char *host = processor->host->name;
	bool several = false;

	if (q->divide.n > NAMED)
		return NULL;
	for (size_t i = 0; i < q->divide.n; i++)
		several = several || q->processor[i].name != processor->name;
	if (!host)
		return cli_strdup(processor->name);
	return several ? cli_printed("%s on %s", processor->name, host) : cli_strdup(host);
}

static void add_curve(struct curves *c, const struct cli_partition *q, size_t group, double most)
{
	const struct ft_plan_times times = ft_divide_times(&q->divide, group);
	double *x = cli_alloc(PLACES * sizeof *x), *y = cli_alloc(PLACES * sizeof *y);
	size_t n = 0;

	for (size_t k = 1; k <= PLACES; k++) {
		int64_t units =
			q->divide.step * (int64_t)(most / (double)q->divide.step * (double)k / PLACES);
		double time = units ? ft_plan_time(&times, units) : 0;

		if (!units || (n && x[n - 1] == (double)units))
			continue;
		x[n] = (double)units;
		y[n++] = isfinite(time) ? time : (double)NAN;
	}
	add_series(c, name_of(q, &q->processor[group]), false, x, y, n);
}

static void add_front(struct curves *c, const struct cli_partition *q)
{
	const struct ft_plan_front *front = &q->front;
	double *x = cli_alloc((front->n + 1) * sizeof *x), *y = cli_alloc((front->n + 1) * sizeof *y);
	double *u = cli_alloc(sizeof *u), *v = cli_alloc(sizeof *v);

	for (size_t i = 0; i < front->n; i++) {
		x[i] = front->point[i].time_s;
		y[i] = front->point[i].energy_j;
	}
	u[0] = q->found.time_s;
	v[0] = q->found.cheap.plan.value;
	add_series(c, cli_strdup("no plan is better in both"), false, x, y, front->n);
	add_series(c, cli_strdup("the plan"), true, u, v, 1);
}

/* Fill the panels: the front, if requested, and times by share. Returns how many. */
static size_t fill_panels(const struct cli_partition *q, struct curves *front, struct curves *times,
			  const char *size, struct ft_panel panel[2])
{
	double largest = 0;
	size_t n = 0;

	for (size_t i = 0; i < q->found.p; i++)
		largest = fmax(largest, (double)q->found.share[i].units);
	double most = fmin(air * largest, (double)q->divide.total);
	for (size_t i = 0; i < q->divide.n && i < CURVES; i++)
		add_curve(times, q, i, most);
	double *x = cli_alloc(q->found.p * sizeof *x), *y = cli_alloc(q->found.p * sizeof *y);
	double *end_x = cli_alloc(2 * sizeof *end_x), *end_y = cli_alloc(2 * sizeof *end_y);
	char time[FT_UNIT_LENGTH];
	size_t kept = 0;

	for (size_t i = 0; i < q->found.p; i++) {
		x[kept] = (double)q->found.share[i].units;
		y[kept] = q->found.share[i].time_s;
		kept += q->found.share[i].units > 0;
	}
	end_x[1] = most;
	end_y[0] = end_y[1] = q->found.time_s;
	add_series(times, cli_printed("all done in %s", ft_value_format(q->found.time_s, "s", time)), false,
		   end_x, end_y, 2);
	add_series(times, cli_strdup("shares"), true, x, y, kept);
	if (q->plan->front) {
		add_front(front, q);
		panel[n++] = (struct ft_panel){.x_label = "time of the plan",
					       .x_unit = "s",
					       .y_label = "energy",
					       .y_unit = "J",
					       .series = front->series,
					       .n = front->n};
	}
	panel[n++] = (struct ft_panel){.x_label = size,
				       .whole_x = true,
				       .y_label = "time of a share",
				       .y_unit = "s",
				       .series = times->series,
				       .n = times->n};
	return n;
}

/*
 * Divide for the least energy by a deadline, and print time against energy.
 */

/* Points of the printed front. */
enum { POINTS = 20 };

/* Without any, the fastest plan keeps the deadline: it was looked at before. */
static int cheapest(struct cli_partition *q)
{
	double deadline = isnan(q->plan->deadline_s) ? (double)INFINITY : q->plan->deadline_s;
	struct ft_err err = {0};

	if (ft_divide_cheapest(&q->divide, deadline, &q->found, &err))
		return cli_error(&err);
	if (isfinite(q->found.cheap.plan.value))
		return CLI_DONE;
	(void)cli_fail("no plan was found within the effort\n"
		       "hint: divide in larger steps: --granularity %lld",
		       2 * (long long)q->divide.step);
	return CLI_NO;
}

/* The plan printed with a front is the one at its knee, or the one for the deadline. */
/* partition_energy - least energy by a deadline, or the front. Returns CLI_DONE or the exit status after
 * a complaint; CLI_NO: there is none by the deadline. */
static int partition_energy(struct cli_partition *q)
{
	struct ft_err err = {0};

	if (!q->plan->front)
		return cheapest(q);
	if (ft_divide_front(&q->divide, q->plan->all ? 0 : POINTS, &q->front, &q->found, &err))
		return cli_error(&err);
	if (!q->front.complete)
		cli_note("the effort was not enough for all of the front");
	return q->plan->least || !q->front.n ? cheapest(q) : CLI_DONE;
}

/*
 * Print a division as a table, CSV, JSON, or a file of commands; or why there is none.
 */

/* Lines that are farther off their models make a plan doubtful. */
static const double coarse_lines = 0.01;

static double lines_within(const struct cli_partition *q)
{
	double worst = 0;

	for (size_t i = 0; i < q->divide.n; i++)
		worst = fmax(worst, q->divide.group[i].cost.error);
	return worst;
}

/* ---- no plan ------------------------------------------------------------------------------------------ */

static bool has_where(const struct cli_partition *q)
{
	for (size_t i = 0; i < q->divide.n; i++)
		if (ft_ask_program(q->divide.group[i].answerer)->where)
			return true;
	return false;
}

/* partition_tell - an answer with the query filled in. */
static struct ft_answer_partition partition_tell(const struct cli_partition *q)
{
	return (struct ft_answer_partition){.parameter = q->parameter, .total = q->divide.total};
}

static int partition_print_none(struct cli_partition *q)
{
	const struct ft_partition *f = &q->found.found;
	CLI_OWN char *total = cli_plan_units((double)q->divide.total);

	if (f->missing > 0)
		(void)cli_fail("%s=%s cannot be divided: %lld do not fit", q->parameter, total,
			       (long long)f->missing);
	else if (f->missing < 0)
		(void)cli_fail("%s=%s cannot be divided: the least shares are %lld more", q->parameter, total,
			       (long long)-f->missing);
	else
		(void)cli_fail("%s=%s cannot be divided: no shares that are allowed add up to it",
			       q->parameter, total);
	for (size_t i = 0; i < q->divide.n; i++) {
		const struct cli_processor *each = &q->processor[i];
		const struct ft_cost *cost = &q->divide.group[i].cost;

		if (q->found.found.missing > 0 || cost->most < q->divide.total)
			cli_hint("%s%s%s%s takes %lld at most: %s", each->name,
				 each->host->name ? " on " : "", each->host->name ? each->host->name : "",
				 each->host->count > 1 ? ", each processor," : "", (long long)cost->most,
				 ft_cost_end_text(cost->end));
	}
	if (f->missing < 0)
		cli_hint("a smaller min of --granularity, or fewer processors");
	else if (!f->missing && f->nearest > 0)
		cli_hint("the next total that they add up to is %lld", (long long)f->nearest);
	else if (has_where(q) && q->divide.step == 1)
		cli_hint("the program's constraint forbids most shares: state its stride with --granularity");
	else
		cli_hint("more hosts, a smaller total, or what they have in --resources FILE.csv");
	if (q->plan->json) {
		CLI_OWN struct ft_answer_cap *cap = cli_alloc(q->divide.n * sizeof *cap);
		const struct ft_answer_undivided none = {q->found.found.missing, q->found.found.nearest, cap,
							 q->divide.n};
		struct ft_answer_partition answer = partition_tell(q);

		for (size_t i = 0; i < q->divide.n; i++)
			cap[i] = (struct ft_answer_cap){q->processor[i].name, q->processor[i].host->name,
							q->divide.group[i].cost.most,
							q->divide.group[i].cost.end};
		answer.undivided = &none;
		cli_tell(&ft_tell_partition, &answer, NULL);
	}
	return CLI_NO;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static void print_head(const struct cli_partition *q)
{
	const struct ft_plan *plan = q->energy ? &q->found.cheap.plan : &q->found.found.plan;
	CLI_OWN char *total = cli_plan_units((double)q->divide.total),
		     *proof = cli_plan_proof(plan, q->energy ? "J" : "s");
	CLI_OWN char *cost = cli_price_text(&q->plan->price, plan->value);
	bool coarse = lines_within(q) > coarse_lines;
	char time[FT_UNIT_LENGTH], equal[FT_UNIT_LENGTH], energy[FT_UNIT_LENGTH], within[FT_UNIT_LENGTH];

	printf("%s=%s over %zu processor%s: done in %s", q->parameter, total, q->found.p,
	       q->found.p == 1 ? "" : "s", ft_value_format(q->found.time_s, "s", time));
	if (q->energy)
		printf(", for %s%s%s%s", ft_value_format(plan->value, "J", energy), *cost ? " (" : "", cost,
		       *cost ? ")" : "");
	printf("\n%s", proof);
	if (lines_within(q) >= 1e-4)
		printf(" (%s lines between sizes, within %s of the models)", coarse ? "but of" : "of",
		       ft_share_format(lines_within(q), within));
	putchar('\n');
	if (coarse)
		printf("a model is finer than these lines: --granularity %lld, for example, follows each "
		       "step\n",
		       (long long)(q->divide.total / 500));
	if (q->plan->risk > 0)
		printf("with a risk of %s to take longer; each time below is of a risk of %s\n",
		       ft_share_format(q->plan->risk, time), ft_share_format(q->found.risk, within));
	if (q->found.p > 1 && isinf(q->found.equal_s))
		printf("equal shares do not fit\n");
	else if (q->found.p > 1)
		printf("equal shares: done in %s\n", ft_value_format(q->found.equal_s, "s", equal));
	for (size_t i = 0; i < q->divide.n; i++)
		if (q->divide.group[i].cost.rough)
			printf("%s%s%s: its model is rough: planned with the upper end, which %g %% of runs "
			       "exceed\n",
			       q->processor[i].name, q->processor[i].host->name ? " on " : "",
			       q->processor[i].host->name ? q->processor[i].host->name : "",
			       100 * q->divide.group[i].cost.risk);
	putchar('\n');
}

/* ---- commands ----------------------------------------------------------------------------------------- */

/* A share's command; *argv NULL: it has none to do. */
static int command_of(const struct cli_partition *q, const struct ft_divide_share *share, char ***argv)
{
	const struct ft_divide_group *group = &q->divide.group[share->group];
	struct ft_size size = group->size;
	struct ft_err err = {0};

	*argv = NULL;
	if (!share->units)
		return CLI_DONE;
	size.value[group->varying] = (double)share->units;
	if (ft_program_arguments(ft_ask_program(group->answerer), &size, argv, &err))
		return cli_error(&err);
	return CLI_DONE;
}

static int carry(const struct cli_partition *q)
{
	const struct ft_carry *format = ft_carry_find(q->plan->format);
	CLI_OWN struct ft_carry_command *command = cli_alloc(q->found.p * sizeof *command);
	CLI_OWN char ***argv = cli_alloc(q->found.p * sizeof *argv), *text = NULL;
	struct ft_err err = {0};
	size_t n = 0;
	int status = CLI_DONE;

	for (size_t i = 0; i < q->found.p && status == CLI_DONE; i++) {
		status = command_of(q, &q->found.share[i], &argv[i]);
		if (argv[i])
			command[n++] = (struct ft_carry_command){
				q->divide.group[q->found.share[i].group].host, (const char *const *)argv[i]};
	}
	if (status == CLI_DONE && ft_carry_write(format, command, n, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		fputs(text, stdout);
	for (size_t i = 0; i < q->found.p; i++)
		ft_arguments_free(argv[i]);
	return status;
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static void print_shares(const struct cli_partition *q)
{
	CLI_OWN struct ft_answer_share *share = cli_alloc(q->found.p * sizeof *share);
	CLI_OWN struct ft_answer_point *point = cli_alloc((q->front.n + 1) * sizeof *point);
	const struct ft_answer_shares output = {
		.time_s = q->found.time_s,
		.equal_s = q->found.equal_s,
		.seconds = q->energy ? NULL : &q->found.found.plan,
		.joules = q->energy ? &q->found.cheap.plan : NULL,
		.price = q->plan->price.answer,
		.cost = ft_tell_cost_of(&q->plan->price.answer,
					q->energy ? q->found.cheap.plan.value : (double)NAN),
		.lines_within = lines_within(q),
		.risk = q->plan->risk > 0 ? q->plan->risk : (double)NAN,
		.risk_each = q->found.risk > 0 ? q->found.risk : (double)NAN,
		.point = point,
		.n_points = q->front.n,
		.share = share,
		.n = q->found.p,
	};

	for (size_t i = 0; i < q->found.p; i++) {
		const struct ft_divide_share *taken = &q->found.share[i];
		const struct ft_cost *cost = &q->divide.group[taken->group].cost;

		share[i] = (struct ft_answer_share){
			.processor = q->label[i],
			.name = q->processor[taken->group].name,
			.host = q->processor[taken->group].host->name,
			.size = {.n = 1, .value = {(double)taken->units}},
			.units = taken->units,
			.most = cost->most,
			.share = (double)taken->units / (double)q->divide.total,
			.time_s = taken->time_s,
			.energy_j = taken->energy_j,
			.at = taken->at,
			.binds = taken->binds,
			.end = cost->end,
			.rough = cost->rough,
		};
	}
	for (size_t i = 0; i < q->front.n; i++)
		point[i] = (struct ft_answer_point){q->front.point[i].time_s, q->front.point[i].energy_j,
						    i == q->front.knee && q->front.n > 2};
	/* The parameter that is divided, as though it were a program's only one: its name heads a column. */
	struct ft_program program = {.n_params = 1};

	memcpy(program.param[0].name, q->parameter, sizeof program.param[0].name);
	const struct ft_tell_with with = {.program = &program};
	struct ft_answer_partition answer = partition_tell(q);

	answer.feasible = true;
	answer.shares = &output;
	if (q->plan->json) {
		cli_tell(&ft_tell_partition, &answer, NULL);
	} else if (!q->plan->format) {
		print_head(q);
		if (q->plan->front) {
			cli_tell_table(&ft_tell_point, output.point, output.n_points, NULL);
			putchar('\n');
		}
		cli_tell_table(&ft_tell_share, output.share, output.n, &with);
	} else {
		cli_tell_csv(stdout, &ft_tell_share, output.share, output.n, &with, true);
	}
}

/*
 * `foretime plan partition`: divides a total over processors.
 */

/* With more processors, rows are too many for a person, and for a file of commands. */
enum { PROCESSORS_MOST = 100000 };

/* ---- the question ------------------------------------------------------------------------------------- */

static size_t count_processors(const struct cli_partition *q)
{
	size_t p = 0;

	for (size_t i = 0; i < q->divide.n; i++)
		p += q->divide.group[i].count;
	return p;
}

/* One program on one host. */
static int add_processor(struct cli_partition *q, const char *name, const struct cli_host *host,
			 const struct cli_source *source, char *const *word, size_t words)
{
	struct ft_divide *d = &q->divide;
	const struct cli_resource *r = host->resource;
	int varying = ft_program_find_param(ft_ask_program(source->answerer), q->parameter);

	if (varying < 0)
		return cli_fail(
			"'%s' has no parameter '%s' to divide\n"
			"hint: see its parameters: foretime show %s; the first size on the command line "
			"is divided",
			name, q->parameter, name);
	q->processor = cli_grow(q->processor, d->n, sizeof *q->processor);
	q->processor[d->n] = (struct cli_processor){name, host};
	d->group = cli_grow(d->group, d->n, sizeof *d->group);
	struct ft_divide_group *added = &d->group[d->n++];
	*added = (struct ft_divide_group){.answerer = source->answerer,
					  .varying = (size_t)varying,
					  .count = host->count,
					  .host = host->name};
	if (r) {
		added->memory_bytes = cli_plan_answer(r->memory_bytes);
		added->limit_s = cli_plan_answer(r->limit_s);
		added->watts = cli_plan_answer(r->watts);
	}
	if (count_processors(q) > PROCESSORS_MOST)
		return cli_fail("more than %d processors", PROCESSORS_MOST);
	return cli_plan_size(source->answerer, word, words, &added->size);
}

/* Every program on every host that has a model of it; at least one on each host. */
static int add_host(struct cli_partition *q, const struct cli_host *host, size_t names)
{
	const struct cli_source *missing = NULL;
	size_t before = q->divide.n;

	for (size_t i = 0; i < names; i++) {
		const struct cli_source *source = cli_plan_source(q->plan, q->plan->word[i], host->name);

		if (source->answerer)
			CLI_TRY(add_processor(q, q->plan->word[i], host, source, q->plan->word + names,
					      q->plan->words - names));
		else
			missing = source;
	}
	if (!missing)
		return CLI_DONE;
	if (q->divide.n == before || !host->name)
		return cli_error(&missing->err);
	cli_note("'%s' is left out on %s: it was not run there", missing->name, host->name);
	return CLI_DONE;
}

static int find_processors(struct cli_partition *q)
{
	size_t names = 0;

	while (names < q->plan->words && !strchr(q->plan->word[names], '='))
		names++;
	for (size_t i = 0; i < names; i++)
		for (size_t j = 0; j < i; j++)
			if (!strcmp(q->plan->word[i], q->plan->word[j]))
				return cli_fail("'%s' is named twice\n"
						"hint: several processors that are alike: --on HOST:4",
						q->plan->word[i]);
	if (names == q->plan->words)
		return cli_fail("which total is divided?" CLI_PLAN_HINT_TOTAL);
	CLI_TRY(cli_plan_total(q->plan->word[names], q->parameter, &q->divide.total));
	const struct cli_plan *plan = q->plan;

	if (cli_plan_counts(plan, q->parameter, &q->divide.step) != CLI_DONE)
		return CLI_WRONG;
	q->divide.least = isnan(plan->min) ? 0 : (int64_t)plan->min;
	for (size_t i = 0; i < q->plan->n_hosts; i++)
		CLI_TRY(add_host(q, &q->plan->host[i], names));
	return CLI_DONE;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static int make_costs(struct cli_partition *q)
{
	const struct cli_plan *plan = q->plan;
	size_t p = count_processors(q);
	double each = ft_divide_risk(plan->risk, p);
	struct ft_err err = {0};

	q->divide.risk = plan->risk;
	q->divide.memory_risk = plan->memory_risk;
	q->divide.effort = (uint64_t)(plan->effort > 0 ? plan->effort : 0);
	q->divide.apart = q->energy;
	if (plan->risk > 0 && each < FT_COST_RAREST)
		cli_note("%zu processors at %g %% in all would be %.2g %% each: models give no less than "
			 "0.05 %%",
			 p, 100 * plan->risk, 100 * each);
	return ft_divide_costs(&q->divide, &err) ? cli_error(&err) : CLI_DONE;
}

/* A label that is unique: "matmul", "node1", "gpu on node1", "node1/3". */
static char *label_of(const struct cli_partition *q, const struct cli_processor *processor, size_t member)
{
	bool one = true;
	char *name;

	for (size_t i = 0; i < q->divide.n; i++)
		one = one && q->processor[i].name == processor->name;
	if (!processor->host->name)
		return cli_strdup(processor->name);
	name = one ? cli_strdup(processor->host->name)
		   : cli_printed("%s on %s", processor->name, processor->host->name);
	if (processor->host->count == 1)
		return name;
	char *label = cli_printed("%s/%zu", name, member + 1);
	free(name);
	return label;
}

static int divide_total(struct cli_partition *q)
{
	struct ft_err err = {0};

	if (ft_divide_fastest(&q->divide, &q->found, &err))
		return cli_error(&err);
	size_t k = 0;

	q->label = cli_alloc(q->found.p * sizeof *q->label);
	for (size_t i = 0; i < q->divide.n; i++)
		for (size_t j = 0; j < q->divide.group[i].count; j++)
			q->label[k++] = label_of(q, &q->processor[i], j);
	return CLI_DONE;
}

static void clear_partition(struct cli_partition *q)
{
	for (size_t i = 0; q->label && i < q->found.p; i++)
		free(q->label[i]);
	ft_plan_front_clear(&q->front);
	ft_division_clear(&q->found);
	ft_divide_clear(&q->divide);
	free(q->label);
	free(q->divide.group);
	free(q->processor);
}

int cli_plan_partition(void *query)
{
	struct cli_plan *plan = query;
	FT_CLEANUP(clear_partition)
	struct cli_partition q = {.plan = plan, .energy = plan->front || plan->least};

	if (plan->live)
		return cli_plan_live(plan);
	CLI_TRY(cli_plan_open(plan));
	CLI_TRY(find_processors(&q));
	CLI_TRY(make_costs(&q));
	CLI_TRY(divide_total(&q));
	if (isinf(q.found.found.plan.value))
		return partition_print_none(&q);
	if (isinf(q.found.time_s)) {
		/* An invalid share between two valid ones: the pattern of valid sizes is too fine. */
		size_t i = 0;

		while (isfinite(q.found.share[i].time_s))
			i++;
		(void)cli_fail("%s=%lld will not do for %s: %s\n"
			       "hint: state the stride of the sizes that will with --granularity",
			       q.parameter, (long long)q.found.share[i].units, q.label[i],
			       ft_cost_end_text(q.found.share[i].end));
		return CLI_NO;
	}
	if (q.found.found.plan.value > q.plan->deadline_s) {
		char deadline[FT_UNIT_LENGTH], fastest[FT_UNIT_LENGTH];

		(void)cli_fail("no plan is done in %s: the fastest takes %s\n"
			       "hint: a later --deadline, or more hosts",
			       ft_value_format(q.plan->deadline_s, "s", deadline),
			       ft_value_format(q.found.found.plan.value, "s", fastest));
		return CLI_NO;
	}
	if (q.energy)
		CLI_TRY(partition_energy(&q));
	if (q.plan->plot) {
		/* The picture goes to the file of --output. */
		struct curves front = {.n = 0}, times = {.n = 0};
		struct ft_panel panel[2];
		CLI_OWN char *size = cli_printed("size %s of a share", q.parameter);
		size_t n = fill_panels(&q, &front, &times, size, panel);
		char *units = cli_plan_units((double)q.divide.total), *text = NULL;
		CLI_OWN char *title = cli_printed("%s=%s over %zu processor%s", q.parameter, units, q.found.p,
						  q.found.p == 1 ? "" : "s");
		struct ft_err err = {0};
		enum ft_status status =
			ft_plot_draw(title, panel, n, cli_plan_picture(q.plan), 0, q.plan->dark,
				     cli_plan_picture(q.plan) ? NULL : &text, &err);

		clear_curves(&front);
		clear_curves(&times);
		free(units);
		CLI_TRY(cli_plan_drawn(status, text, &err));
	}
	const char *format = q.plan->json ? "json" : q.plan->format;

	if (format && strcmp(format, "json") != 0 && strcmp(format, "csv") != 0)
		return carry(&q);
	print_shares(&q);
	return CLI_DONE;
}
