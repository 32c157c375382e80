/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.c - `foretime plan partition`: each processor's share of a total. */
#include "cli/plan/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of more processors rows are no answer for a person, nor for a file of commands. */
enum { PROCESSORS_MOST = 100000 };

/* ---- the question ------------------------------------------------------------------------------------- */

static int which_program(void)
{
	return cli_fail(
		"of which program? its NAME stands before the total\n"
		"hint: foretime plan partition NAME n=1000000 --on a,b; foretime list shows the names");
}

#define HINT_TOTAL "\nhint: write the total as a size, as in n=1000000: a whole number up to 2^53"

int cli_plan_total(const char *word, char parameter[FT_PARAM_LENGTH], int64_t *total)
{
	struct ft_param param;
	struct ft_err err = {0};

	if (ft_param_parse(word, &param, &err))
		return cli_error(&err);
	if (param.least != param.most || param.least != floor(param.least) || !(param.least >= 1) ||
	    param.least > (double)FT_PLAN_UNITS)
		return cli_fail("'%s' is no total that can be divided" HINT_TOTAL, word);
	memcpy(parameter, param.name, FT_PARAM_LENGTH);
	*total = (int64_t)param.least;
	return CLI_DONE;
}

int cli_plan_counts(const struct cli_plan *plan, const char *parameter, int64_t *step)
{
	double each = isnan(plan->granularity) ? 1 : plan->granularity,
	       min = isnan(plan->min) ? 0 : plan->min;

	if (!(each >= 1) || each != floor(each) || each > (double)FT_PLAN_UNITS || !(min >= 0) ||
	    min != floor(min) || min > (double)FT_PLAN_UNITS)
		return cli_fail("--granularity and --min are whole numbers of %s\n"
				"hint: write --granularity 64 for shares in multiples of 64, --min 1 for no "
				"idle processor",
				parameter);
	*step = (int64_t)each;
	return CLI_DONE;
}

static int read_counts(struct cli_partition *q)
{
	const struct cli_plan *plan = q->plan;

	if (cli_plan_counts(plan, q->parameter, &q->step) != CLI_DONE)
		return CLI_WRONG;
	if (plan->grid) {
		int64_t rows, columns;

		if (q->step > 1 || plan->min > 0 || plan->front || plan->least || plan->format || plan->plot)
			return cli_fail("--grid is not for --granularity, --min, energy, files and --plot\n"
					"hint: its blocks are the granularity");
		if (cli_grid_read(q, &rows, &columns) != CLI_DONE)
			return CLI_WRONG;
		q->step = q->total / (rows * columns);
	}
	return CLI_DONE;
}

/* One program on one host; false: it has no models there. */
static int add_processor(struct cli_partition *q, const char *name, const struct cli_host *host,
			 const struct cli_source *source, char *const *word, size_t words)
{
	struct cli_processor *added;
	int varying = ft_program_find_param(ft_ask_program(source->answerer), q->parameter);

	if (varying < 0)
		return cli_fail("'%s' has no parameter '%s' to divide\n"
				"hint: foretime show %s tells its parameters; the first size that is typed "
				"is divided",
				name, q->parameter, name);
	q->processor = cli_grow(q->processor, q->n, sizeof *q->processor);
	added = &q->processor[q->n++];
	*added = (struct cli_processor){
		.name = name, .host = host, .answerer = source->answerer, .varying = (size_t)varying};
	q->p += host->count;
	if (q->p > PROCESSORS_MOST)
		return cli_fail("more than %d processors", PROCESSORS_MOST);
	return cli_plan_size(source->answerer, word, words, &added->size);
}

/* Every program on every host where there is a model of it; one of them at least on each. */
static int add_host(struct cli_partition *q, const struct cli_host *host, size_t names)
{
	const struct cli_source *missing = NULL;
	size_t i, before = q->n;
	int status = CLI_DONE;

	for (i = 0; i < names && status == CLI_DONE; i++) {
		const struct cli_source *source = cli_plan_source(q->plan, q->plan->word[i], host->name);

		if (source->answerer)
			status = add_processor(q, q->plan->word[i], host, source, q->plan->word + names,
					       q->plan->words - names);
		else
			missing = source;
	}
	if (status != CLI_DONE || !missing)
		return status;
	if (q->n == before || !host->name)
		return cli_error(&missing->err);
	cli_note("'%s' is left out on %s: it was not run there", missing->name, host->name);
	return CLI_DONE;
}

static int find_processors(struct cli_partition *q)
{
	size_t names = 0, i, j;
	int status = CLI_DONE;

	while (names < q->plan->words && !strchr(q->plan->word[names], '='))
		names++;
	if (!names)
		return which_program();
	for (i = 0; i < names; i++)
		for (j = 0; j < i; j++)
			if (!strcmp(q->plan->word[i], q->plan->word[j]))
				return cli_fail("'%s' is named twice\n"
						"hint: several processors that are alike: --on HOST:4",
						q->plan->word[i]);
	if (names == q->plan->words)
		return cli_fail("which total is divided?" HINT_TOTAL);
	status = cli_plan_total(q->plan->word[names], q->parameter, &q->total);
	if (status == CLI_DONE)
		status = read_counts(q);
	for (i = 0; i < q->plan->n_hosts && status == CLI_DONE; i++)
		status = add_host(q, &q->plan->host[i], names);
	return status;
}

/* ---- costs -------------------------------------------------------------------------------------------- */

static bool same_machine(const struct ft_machine *a, const struct ft_machine *b)
{
	return a->fingerprint && b->fingerprint ? !strcmp(a->fingerprint, b->fingerprint)
						: a->fingerprint == b->fingerprint;
}

/* Processors of one machine share its memory. Hosts that are alike but for their name do not. */
static void count_alike(struct cli_partition *q)
{
	size_t i, j;

	for (i = 0; i < q->n; i++)
		for (j = 0; j < q->n; j++)
			if (q->processor[i].host == q->processor[j].host &&
			    same_machine(ft_ask_answered_machine(q->processor[i].answerer),
					 ft_ask_answered_machine(q->processor[j].answerer)))
				q->processor[i].alike += q->processor[j].host->count;
}

static double told(const struct cli_processor *processor, size_t offset)
{
	const struct cli_resource *r = processor->host->resource;
	double value = r ? *(const double *)((const char *)r + offset) : NAN;

	return isnan(value) ? 0 : value;
}

static int make_cost(struct cli_partition *q, struct cli_processor *processor)
{
	const struct ft_cost_options options = {
		.risk = q->risk,
		.memory_risk = q->plan->memory_risk,
		.memory_bytes = told(processor, offsetof(struct cli_resource, memory_bytes)),
		.processors = processor->alike,
		.most = told(processor, offsetof(struct cli_resource, limit_s)),
		.step = q->step,
		.effort = (uint64_t)(q->plan->effort > 0 ? q->plan->effort : 0)};
	struct ft_err err = {0};

	processor->options = options;
	if (ft_cost_make(&processor->cost, processor->answerer, &processor->size, processor->varying,
			 q->total, &options, &err))
		return cli_error_at(&err, "%s", processor->name);
	return CLI_DONE;
}

/* The risk of each of n, where that of all together is asked for. */
static double risk_of_each(const struct cli_partition *q, size_t n)
{
	return q->plan->risk > 0 ? -expm1(log1p(-q->plan->risk) / (double)n) : 0;
}

static int make_costs(struct cli_partition *q)
{
	int status = CLI_DONE;
	size_t i;

	count_alike(q);
	q->risk = risk_of_each(q, q->p);
	if (q->plan->risk > 0 && q->risk < 0.0005)
		cli_note("%zu processors at %g %% in all would be %.2g %% each: models tell no less than "
			 "0.05 %%",
			 q->p, 100 * q->plan->risk, 100 * q->risk);
	for (i = 0; i < q->n && status == CLI_DONE; i++)
		status = make_cost(q, &q->processor[i]);
	return status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

struct ft_plan_times cli_partition_times(const struct cli_partition *q, const struct cli_processor *processor)
{
	return (struct ft_plan_times){.count = processor->host->count,
				      .least = isnan(q->plan->min) ? 0 : (int64_t)q->plan->min,
				      .most = 0,
				      .n = processor->cost.n,
				      .at = processor->cost.at,
				      .time_s = processor->cost.value};
}

/* "matmul", "node1", "gpu on node1", "node1/3": what tells it from the others. */
static char *label_of(const struct cli_partition *q, const struct cli_processor *processor, size_t member)
{
	bool one = true;
	char *name, *label;
	size_t i;

	for (i = 0; i < q->n; i++)
		one = one && q->processor[i].name == processor->name;
	if (!processor->host->name)
		return cli_strdup(processor->name);
	name = one ? cli_strdup(processor->host->name)
		   : cli_printed("%s on %s", processor->name, processor->host->name);
	if (processor->host->count == 1)
		return name;
	label = cli_printed("%s/%zu", name, member + 1);
	free(name);
	return label;
}

static void set_share(struct cli_partition *q, struct cli_share *share, const struct ft_plan_times *times,
		      int64_t units, enum ft_plan_binds binds, size_t member)
{
	const struct cli_processor *processor = share->processor;
	struct ft_size size = processor->size;

	share->label = label_of(q, processor, member);
	share->units = units;
	share->binds = binds;
	share->time_s = 0;
	share->energy_j = NAN;
	share->at = (struct ft_prediction){.value = NAN, .lower = NAN, .upper = NAN, .distance = 1};
	size.value[processor->varying] = (double)units;
	/* Between knots the plan saw a line: what is told is what the model says. */
	if (units && ft_cost_at(processor->answerer, &size, processor->varying, &processor->options,
				&share->time_s, &share->end, NULL))
		share->time_s = ft_plan_time(times, units);
	if (units && ft_ask_predict(processor->answerer, "wall_s", &size, 0.9, &share->at, NULL))
		share->at.value = NAN;
}

static double time_of_equal(const struct cli_partition *q)
{
	int64_t p = (int64_t)q->p, each = q->total / q->step / p, more = q->total / q->step % p, k = 0;
	double latest = 0;
	size_t i, j;

	for (i = 0; i < q->n; i++) {
		struct ft_plan_times times = cli_partition_times(q, &q->processor[i]);

		for (j = 0; j < q->processor[i].host->count; j++, k++)
			latest = fmax(latest,
				      ft_plan_time(&times, q->step * (each + (k < more)) +
								   (k == p - 1 ? q->total % q->step : 0)));
	}
	return latest;
}

static void set_shares(struct cli_partition *q, const int64_t *units, const enum ft_plan_binds *binds)
{
	size_t i, j, k = 0;

	q->time_s = 0;
	for (i = 0; i < q->n; i++) {
		struct ft_plan_times times = cli_partition_times(q, &q->processor[i]);

		for (j = 0; j < q->processor[i].host->count; j++, k++) {
			q->share[k].processor = &q->processor[i];
			set_share(q, &q->share[k], &times, units[k], binds[k], j);
			q->time_s = fmax(q->time_s, q->share[k].time_s);
		}
	}
}

/* Who has nothing to do is not late: the others' times are told at what is left to each. */
static void share_risk(struct cli_partition *q, const int64_t *units)
{
	size_t i, busy = 0;

	for (i = 0; i < q->p; i++)
		busy += units[i] > 0;
	q->risk = risk_of_each(q, busy ? busy : 1);
	for (i = 0; i < q->n; i++)
		q->processor[i].options.risk = q->risk;
}

static int divide_total(struct cli_partition *q)
{
	const struct ft_partition_options options = {.granularity = q->step};
	struct ft_plan_times *times = cli_alloc(q->n * sizeof *times);
	int64_t *units = cli_alloc(q->p * sizeof *units);
	enum ft_plan_binds *binds = cli_alloc(q->p * sizeof *binds);
	struct ft_err err = {0};
	/* Not for one of rough models, whose upper ends are planned with, nor where rare times are not known.
	 */
	bool late = q->risk > 0 && !q->energy && !q->plan->grid && q->plan->risk >= 0.0005;
	size_t i;
	int status = CLI_DONE;

	q->share = cli_alloc(q->p * sizeof *q->share);
	for (i = 0; i < q->n; i++)
		times[i] = cli_partition_times(q, &q->processor[i]);
	if (ft_plan_partition(times, q->n, q->total, &options, units, binds, &q->found, &err))
		status = cli_error(&err);
	else if (late && isfinite(q->found.plan.value))
		status = cli_partition_late(q, times, units, binds);
	if (late)
		share_risk(q, units);
	if (status == CLI_DONE)
		set_shares(q, units, binds);
	if (late && isfinite(q->time_s))
		q->time_s = q->found.plan.value;
	q->equal_s = status == CLI_DONE ? time_of_equal(q) : 0;
	free(times);
	free(units);
	free(binds);
	return status;
}

/* A share that will not do, between two that will: too fine a pattern for so many shares. */
static int between_knots(const struct cli_partition *q)
{
	const struct cli_share *share = q->share;

	while (isfinite(share->time_s))
		share++;
	(void)cli_fail("%s=%lld will not do for %s: %s\n"
		       "hint: state the stride of the sizes that will with --granularity",
		       q->parameter, (long long)share->units, share->label, ft_cost_end_text(share->end));
	return CLI_NO;
}

static int too_late(const struct cli_partition *q)
{
	char deadline[FT_UNIT_LENGTH], fastest[FT_UNIT_LENGTH];

	(void)cli_fail("no plan is done in %s: the fastest takes %s\n"
		       "hint: a later --deadline, or more hosts",
		       ft_value_format(q->plan->deadline_s, "s", deadline),
		       ft_value_format(q->found.plan.value, "s", fastest));
	return CLI_NO;
}

static int answer_partition(struct cli_partition *q)
{
	int status = find_processors(q);

	if (status == CLI_DONE)
		status = make_costs(q);
	if (status == CLI_DONE)
		status = divide_total(q);
	if (status != CLI_DONE)
		return status;
	if (isinf(q->found.plan.value))
		return cli_partition_print_none(q);
	if (isinf(q->time_s))
		return between_knots(q);
	if (q->found.plan.value > q->plan->deadline_s)
		return too_late(q);
	if (q->plan->grid)
		return cli_partition_grid(q);
	if (q->energy)
		status = cli_partition_energy(q);
	if (status == CLI_DONE && q->plan->plot)
		status = cli_partition_draw(q);
	return status == CLI_DONE ? cli_partition_print(q) : status;
}

int cli_plan_partition(void *asked)
{
	struct cli_plan *plan = asked;
	struct cli_partition q = {.plan = plan, .energy = plan->front || plan->least};
	size_t i;
	int status;

	if (plan->live)
		return cli_plan_live(plan);
	status = cli_plan_open(plan);
	if (status == CLI_DONE)
		status = answer_partition(&q);
	for (i = 0; i < q.n; i++) {
		ft_cost_clear(&q.processor[i].cost);
		ft_cost_clear(&q.processor[i].energy);
	}
	for (i = 0; q.share && i < q.p; i++)
		free(q.share[i].label);
	ft_plan_front_clear(&q.front);
	free(q.share);
	free(q.processor);
	return status;
}
