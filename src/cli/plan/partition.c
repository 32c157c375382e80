/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.c - `foretime plan partition`: each processor's share of a total. */
#include "cli/plan/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of more processors rows are no answer for a person, nor for a file of commands. */
enum { PROCESSORS_MOST = 100000 };

/* ---- the question ------------------------------------------------------------------------------------- */

#define HINT_TOTAL "\nhint: write the total as a size, as in n=1000000: a whole number up to 2^53"

int cli_plan_total(const char *word, char parameter[FT_PARAM_LENGTH], int64_t *total)
{
	struct ft_param param;
	struct ft_err err = {0};

	if (ft_param_parse(word, &param, &err))
		return cli_error(&err);
	if (param.least != param.most || param.least != floor(param.least) || !(param.least >= 1) ||
	    param.least > (double)FT_PLAN_UNITS)
		return cli_fail("'%s' is not a total that can be divided" HINT_TOTAL, word);
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
		return cli_fail("--granularity G,min=K are whole numbers of %s\n"
				"hint: write --granularity 64 for shares in multiples of 64, --granularity "
				"min=1 for no "
				"idle processor",
				parameter);
	*step = (int64_t)each;
	return CLI_DONE;
}

static int read_counts(struct cli_partition *q)
{
	const struct cli_plan *plan = q->plan;

	if (cli_plan_counts(plan, q->parameter, &q->divide.step) != CLI_DONE)
		return CLI_WRONG;
	q->divide.least = isnan(plan->min) ? 0 : (int64_t)plan->min;
	if (plan->grid) {
		if (q->divide.step > 1 || plan->min > 0 || plan->front || plan->least || plan->format ||
		    plan->plot)
			return cli_fail("--grid is not for --granularity, energy, files and pictures\n"
					"hint: its blocks are the granularity");
		return cli_grid_read(q);
	}
	return CLI_DONE;
}

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
		added->memory_bytes = cli_plan_told(r->memory_bytes);
		added->limit_s = cli_plan_told(r->limit_s);
		added->watts = cli_plan_told(r->watts);
	}
	if (count_processors(q) > PROCESSORS_MOST)
		return cli_fail("more than %d processors", PROCESSORS_MOST);
	return cli_plan_size(source->answerer, word, words, &added->size);
}

/* Every program on every host where there is a model of it; one of them at least on each. */
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
		return cli_fail("which total is divided?" HINT_TOTAL);
	CLI_TRY(cli_plan_total(q->plan->word[names], q->parameter, &q->divide.total));
	CLI_TRY(read_counts(q));
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
	q->divide.apart = q->energy || plan->grid;
	if (plan->risk > 0 && each < FT_COST_RAREST)
		cli_note("%zu processors at %g %% in all would be %.2g %% each: models give no less than "
			 "0.05 %%",
			 p, 100 * plan->risk, 100 * each);
	return ft_divide_costs(&q->divide, &err) ? cli_error(&err) : CLI_DONE;
}

/* "matmul", "node1", "gpu on node1", "node1/3": what tells it from the others. */
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

static void set_labels(struct cli_partition *q)
{
	size_t k = 0;

	q->label = cli_alloc(q->found.p * sizeof *q->label);
	for (size_t i = 0; i < q->divide.n; i++)
		for (size_t j = 0; j < q->divide.group[i].count; j++)
			q->label[k++] = label_of(q, &q->processor[i], j);
}

static int divide_total(struct cli_partition *q)
{
	struct ft_err err = {0};

	if (ft_divide_fastest(&q->divide, &q->found, &err))
		return cli_error(&err);
	set_labels(q);
	return CLI_DONE;
}

/* A share that will not do, between two that will: too fine a pattern for so many shares. */
static int between_knots(const struct cli_partition *q)
{
	size_t i = 0;

	while (isfinite(q->found.share[i].time_s))
		i++;
	(void)cli_fail("%s=%lld will not do for %s: %s\n"
		       "hint: state the stride of the sizes that will with --granularity",
		       q->parameter, (long long)q->found.share[i].units, q->label[i],
		       ft_cost_end_text(q->found.share[i].end));
	return CLI_NO;
}

static int too_late(const struct cli_partition *q)
{
	char deadline[FT_UNIT_LENGTH], fastest[FT_UNIT_LENGTH];

	(void)cli_fail("no plan is done in %s: the fastest takes %s\n"
		       "hint: a later --deadline, or more hosts",
		       ft_value_format(q->plan->deadline_s, "s", deadline),
		       ft_value_format(q->found.found.plan.value, "s", fastest));
	return CLI_NO;
}

static int answer_partition(struct cli_partition *q)
{
	CLI_TRY(find_processors(q));
	CLI_TRY(make_costs(q));
	CLI_TRY(divide_total(q));
	if (isinf(q->found.found.plan.value))
		return cli_partition_print_none(q);
	if (isinf(q->found.time_s))
		return between_knots(q);
	if (q->found.found.plan.value > q->plan->deadline_s)
		return too_late(q);
	if (q->plan->grid)
		return cli_partition_grid(q);
	if (q->energy)
		CLI_TRY(cli_partition_energy(q));
	if (q->plan->plot)
		CLI_TRY(cli_partition_draw(q));
	return cli_partition_print(q);
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

int cli_plan_partition(void *asked)
{
	struct cli_plan *plan = asked;
	FT_CLEANUP(clear_partition)
	struct cli_partition q = {.plan = plan, .energy = plan->front || plan->least};

	if (plan->live)
		return cli_plan_live(plan);
	CLI_TRY(cli_plan_open(plan));
	return answer_partition(&q);
}
