/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_say.c - a division as a table, as CSV, as JSON, as a file of commands; and why there is none. */
#include "cli/plan/partition.h"
#include "foretime/carry.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void print_caps(const struct cli_partition *q)
{
	for (size_t i = 0; i < q->divide.n; i++) {
		const struct cli_processor *each = &q->processor[i];
		const struct ft_cost *cost = &q->divide.group[i].cost;

		if (q->found.found.missing > 0 || cost->most < q->divide.total)
			cli_hint("%s%s%s%s takes %lld at most: %s", each->name,
				 each->host->name ? " on " : "", each->host->name ? each->host->name : "",
				 each->host->count > 1 ? ", each processor," : "", (long long)cost->most,
				 ft_cost_end_text(cost->end));
	}
}

struct ft_told_partition cli_partition_tell(const struct cli_partition *q)
{
	return (struct ft_told_partition){.parameter = q->parameter, .total = q->divide.total};
}

static void tell_none(const struct cli_partition *q)
{
	CLI_OWN struct ft_told_cap *cap = cli_alloc(q->divide.n * sizeof *cap);
	const struct ft_told_undivided none = {q->found.found.missing, q->found.found.nearest, cap,
					       q->divide.n};
	struct ft_told_partition answer = cli_partition_tell(q);

	for (size_t i = 0; i < q->divide.n; i++)
		cap[i] = (struct ft_told_cap){q->processor[i].name, q->processor[i].host->name,
					      q->divide.group[i].cost.most, q->divide.group[i].cost.end};
	answer.undivided = &none;
	cli_tell(&ft_tell_partition, &answer, NULL);
}

int cli_partition_print_none(struct cli_partition *q)
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
	print_caps(q);
	if (f->missing < 0)
		cli_hint("a smaller min of --granularity, or fewer processors");
	else if (!f->missing && f->nearest > 0)
		cli_hint("the next total that they add up to is %lld", (long long)f->nearest);
	else if (has_where(q) && q->divide.step == 1)
		cli_hint("the program's constraint forbids most shares: state its stride with --granularity");
	else
		cli_hint("more hosts, a smaller total, or what they have in --resources FILE.csv");
	if (q->plan->json)
		tell_none(q);
	return CLI_NO;
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static void print_rough(const struct cli_partition *q)
{
	for (size_t i = 0; i < q->divide.n; i++)
		if (q->divide.group[i].cost.rough)
			printf("%s%s%s: its model is rough: planned with the upper end, which %g %% of runs "
			       "exceed\n",
			       q->processor[i].name, q->processor[i].host->name ? " on " : "",
			       q->processor[i].host->name ? q->processor[i].host->name : "",
			       100 * q->divide.group[i].cost.risk);
}

/* The parameter that is divided, as though it were a program's only one: its name heads a column. */
static struct ft_program divided(const struct cli_partition *q)
{
	struct ft_program program = {.n_params = 1};

	memcpy(program.param[0].name, q->parameter, sizeof program.param[0].name);
	return program;
}

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
	print_rough(q);
	putchar('\n');
}

static void print_text(const struct cli_partition *q, const struct ft_told_shares *told,
		       const struct ft_tell_with *with)
{
	print_head(q);
	if (q->plan->front) {
		cli_tell_table(&ft_tell_point, told->point, told->n_points, NULL);
		putchar('\n');
	}
	cli_tell_table(&ft_tell_share, told->share, told->n, with);
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

static struct ft_told_share tell_share(const struct cli_partition *q, size_t i)
{
	const struct ft_divide_share *share = &q->found.share[i];
	const struct ft_cost *cost = &q->divide.group[share->group].cost;

	return (struct ft_told_share){
		.processor = q->label[i],
		.name = q->processor[share->group].name,
		.host = q->processor[share->group].host->name,
		.size = {.n = 1, .value = {(double)share->units}},
		.units = share->units,
		.most = cost->most,
		.share = (double)share->units / (double)q->divide.total,
		.time_s = share->time_s,
		.energy_j = share->energy_j,
		.at = share->at,
		.binds = share->binds,
		.end = cost->end,
		.rough = cost->rough,
	};
}

static void print_partition(const struct cli_partition *q, const struct ft_told_shares *told)
{
	const struct ft_program program = divided(q);
	const struct ft_tell_with with = {.program = &program};
	struct ft_told_partition answer = cli_partition_tell(q);

	answer.feasible = true;
	answer.shares = told;
	if (q->plan->json)
		cli_tell(&ft_tell_partition, &answer, NULL);
	else if (!q->plan->format)
		print_text(q, told, &with);
	else
		cli_tell_csv(stdout, &ft_tell_share, told->share, told->n, &with, true);
}

static void print_shares(const struct cli_partition *q)
{
	CLI_OWN struct ft_told_share *share = cli_alloc(q->found.p * sizeof *share);
	CLI_OWN struct ft_told_point *point = cli_alloc((q->front.n + 1) * sizeof *point);
	const struct ft_told_shares told = {
		.time_s = q->found.time_s,
		.equal_s = q->found.equal_s,
		.seconds = q->energy ? NULL : &q->found.found.plan,
		.joules = q->energy ? &q->found.cheap.plan : NULL,
		.price = q->plan->price.told,
		.cost = ft_tell_cost_of(&q->plan->price.told,
					q->energy ? q->found.cheap.plan.value : (double)NAN),
		.lines_within = lines_within(q),
		.risk = q->plan->risk > 0 ? q->plan->risk : (double)NAN,
		.risk_each = q->found.risk > 0 ? q->found.risk : (double)NAN,
		.point = point,
		.n_points = q->front.n,
		.share = share,
		.n = q->found.p,
	};

	for (size_t i = 0; i < q->found.p; i++)
		share[i] = tell_share(q, i);
	for (size_t i = 0; i < q->front.n; i++)
		point[i] = (struct ft_told_point){q->front.point[i].time_s, q->front.point[i].energy_j,
						  i == q->front.knee && q->front.n > 2};
	print_partition(q, &told);
}

int cli_partition_print(struct cli_partition *q)
{
	const char *format = q->plan->json ? "json" : q->plan->format;

	if (format && strcmp(format, "json") != 0 && strcmp(format, "csv") != 0)
		return carry(q);
	print_shares(q);
	return CLI_DONE;
}
