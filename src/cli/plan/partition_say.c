/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition_say.c - a division as a table, as CSV, as JSON, as a file of commands; and why there is none. */
#include "cli/models.h"
#include "cli/plan/partition.h"
#include "foretime/carry.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines that are farther off their models make a plan doubtful. */
static const double coarse_lines = 0.01;

/* What keeps a processor from more. */
static const char *binds_text(const struct cli_share *share)
{
	const struct ft_cost *cost = &share->processor->cost;

	switch (share->binds) {
	case FT_BINDS_NOT:
		return "";
	case FT_BINDS_TIME:
		return "time";
	case FT_BINDS_LEAST:
		return "least share";
	case FT_BINDS_CAP:
		return cost->end == FT_COST_NONE ? "all of it" : ft_cost_end_text(cost->end);
	}
	return "";
}

static double lines_within(const struct cli_partition *q)
{
	double worst = 0;
	size_t i;

	for (i = 0; i < q->n; i++)
		worst = fmax(worst, q->processor[i].cost.error);
	return worst;
}

/* ---- no plan --------------------------------------------------------------------------------------------
 */

static bool has_where(const struct cli_partition *q)
{
	size_t i;

	for (i = 0; i < q->n; i++)
		if (ft_ask_program(q->processor[i].answerer)->where)
			return true;
	return false;
}

static void print_caps(const struct cli_partition *q)
{
	size_t i;

	for (i = 0; i < q->n; i++) {
		const struct cli_processor *each = &q->processor[i];

		if (q->found.missing > 0 || each->cost.most < q->total)
			cli_hint("%s%s%s%s takes %lld at most: %s", each->name,
				 each->host->name ? " on " : "", each->host->name ? each->host->name : "",
				 each->host->count > 1 ? ", each processor," : "", (long long)each->cost.most,
				 ft_cost_end_text(each->cost.end));
	}
}

static json_t *json_caps(const struct cli_partition *q)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < q->n; i++) {
		const struct cli_processor *each = &q->processor[i];
		json_t *object = cli_json_object();

		cli_json_set(object, "name", cli_json_text(each->name));
		cli_json_set(object, "host", cli_json_text(each->host->name));
		cli_json_set(object, "most", cli_json_number((double)each->cost.most));
		cli_json_set(object, "reason", cli_json_text(ft_cost_end_text(each->cost.end)));
		cli_json_append(array, object);
	}
	return array;
}

int cli_partition_print_none(struct cli_partition *q)
{
	const struct ft_partition *f = &q->found;
	char *total = cli_plan_units((double)q->total);

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
		cli_hint("a smaller --min, or fewer processors");
	else if (!f->missing && f->nearest > 0)
		cli_hint("the next total that they add up to is %lld", (long long)f->nearest);
	else if (has_where(q) && q->step == 1)
		cli_hint("the program's constraint forbids most shares: state its step with --granularity");
	else
		cli_hint("more hosts, a smaller total, or what they have in --resources FILE.csv");
	if (q->plan->json) {
		json_t *object = cli_json_new("plan");

		cli_json_set(object, "action", cli_json_text("partition"));
		cli_json_set(object, "parameter", cli_json_text(q->parameter));
		cli_json_set(object, "total", cli_json_number((double)q->total));
		cli_json_set(object, "feasible", cli_json_bool(false));
		cli_json_set(object, "missing", cli_json_number((double)f->missing));
		cli_json_set(object, "nearest",
			     f->nearest ? cli_json_number((double)f->nearest) : json_null());
		cli_json_set(object, "caps", json_caps(q));
		cli_json_print(object, stdout);
	}
	free(total);
	return CLI_NO;
}

/* ---- the table ------------------------------------------------------------------------------------------
 */

static void add_row(struct cli_table *table, const struct cli_partition *q, const struct cli_share *share)
{
	char part[FT_UNIT_LENGTH], time[FT_UNIT_LENGTH], energy[FT_UNIT_LENGTH];
	char *units = cli_plan_units((double)share->units), *interval = ft_tell_interval(&share->at, "s");

	cli_table_add(table, "%s", share->label);
	cli_table_add(table, "%s", units);
	cli_table_add(table, "%s", ft_share_format((double)share->units / (double)q->total, part));
	cli_table_add(table, "%s", ft_value_format(share->time_s, "s", time));
	cli_table_add(table, "%s", share->units ? interval : "-");
	cli_table_add(table, "%s",
		      isnan(share->energy_j) ? "" : ft_value_format(share->energy_j, "J", energy));
	cli_table_add(table, "%s", share->units ? ft_basis_text(share->at.basis) : "idle");
	if (share->units && share->at.distance > 1)
		cli_table_add(table, "%.3gx beyond", share->at.distance);
	else
		cli_table_add(table, "%s", "");
	cli_table_add(table, "%s", binds_text(share));
	free(units);
	free(interval);
}

static void print_rough(const struct cli_partition *q)
{
	size_t i;

	for (i = 0; i < q->n; i++)
		if (q->processor[i].cost.rough)
			printf("%s%s%s: its model is rough: planned on the upper bound, which %g %% of runs "
			       "exceed\n",
			       q->processor[i].name, q->processor[i].host->name ? " on " : "",
			       q->processor[i].host->name ? q->processor[i].host->name : "",
			       100 * q->processor[i].cost.risk);
}

static void print_front(const struct cli_partition *q)
{
	struct cli_table table = {0};
	size_t i;

	cli_table_heads(&table, ">time", ">energy", "", NULL);
	for (i = 0; i < q->front.n; i++) {
		char time[FT_UNIT_LENGTH], energy[FT_UNIT_LENGTH];

		cli_table_add(&table, "%s", ft_value_format(q->front.point[i].time_s, "s", time));
		cli_table_add(&table, "%s", ft_value_format(q->front.point[i].energy_j, "J", energy));
		cli_table_add(&table, "%s",
			      i == q->front.knee && q->front.n > 2 ? "the knee: below it speed is dear" : "");
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	putchar('\n');
}

static void print_head(const struct cli_partition *q)
{
	const struct ft_plan *plan = q->energy ? &q->cheap.plan : &q->found.plan;
	char *total = cli_plan_units((double)q->total), *proof = cli_plan_proof(plan, q->energy ? "J" : "s");
	bool coarse = lines_within(q) > coarse_lines;
	char time[FT_UNIT_LENGTH], equal[FT_UNIT_LENGTH], energy[FT_UNIT_LENGTH], within[FT_UNIT_LENGTH];

	printf("%s=%s over %zu processor%s: done in %s", q->parameter, total, q->p, q->p == 1 ? "" : "s",
	       ft_value_format(q->time_s, "s", time));
	if (q->energy)
		printf(", for %s", ft_value_format(plan->value, "J", energy));
	printf("\n%s", proof);
	if (lines_within(q) >= 1e-4)
		printf(" (%s lines between sizes, within %s of the models)", coarse ? "but of" : "of",
		       ft_share_format(lines_within(q), within));
	putchar('\n');
	if (coarse)
		printf("a model is finer than these lines: --granularity %lld, say, looks at each step\n",
		       (long long)(q->total / 500));
	if (q->plan->risk > 0)
		printf("with a risk of %s to take longer, %s for each processor\n",
		       ft_share_format(q->plan->risk, time), ft_share_format(q->risk, within));
	if (q->p > 1 && isinf(q->equal_s))
		printf("equal shares do not fit\n");
	else if (q->p > 1)
		printf("equal shares: done in %s\n", ft_value_format(q->equal_s, "s", equal));
	print_rough(q);
	putchar('\n');
	free(total);
	free(proof);
}

static void print_text(const struct cli_partition *q)
{
	struct cli_table table = {0};
	char *units = cli_printed(">%s", q->parameter);
	size_t i;

	print_head(q);
	if (q->plan->front)
		print_front(q);
	cli_table_heads(&table, "processor", units, ">share", ">time", ">9 in 10 runs", ">energy", "basis",
			"", "no more for", NULL);
	for (i = 0; i < q->p; i++)
		add_row(&table, q, &q->share[i]);
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	free(units);
}

/* ---- for programs ---------------------------------------------------------------------------------------
 */

static void print_csv(const struct cli_partition *q)
{
	char digits[FT_NUMBER_LENGTH];
	size_t i;

	printf("processor,name,host,%s,time_s\n", q->parameter);
	for (i = 0; i < q->p; i++) {
		const struct cli_share *share = &q->share[i];

		cli_csv_cell(stdout, share->label);
		putchar(',');
		cli_csv_cell(stdout, share->processor->name);
		putchar(',');
		cli_csv_cell(stdout, share->processor->host->name);
		printf(",%lld,%s\n", (long long)share->units, ft_number_format(share->time_s, digits));
	}
}

static json_t *json_share(const struct cli_partition *q, const struct cli_share *share)
{
	json_t *object = cli_json_object();

	cli_json_set(object, "processor", cli_json_text(share->label));
	cli_json_set(object, "name", cli_json_text(share->processor->name));
	cli_json_set(object, "host", cli_json_text(share->processor->host->name));
	cli_json_set(object, "units", cli_json_number((double)share->units));
	cli_json_set(object, "share", cli_json_number((double)share->units / (double)q->total));
	cli_json_set(object, "time_s", cli_json_number(share->time_s));
	cli_json_set(object, "lower_s", cli_json_number(share->at.lower));
	cli_json_set(object, "upper_s", cli_json_number(share->at.upper));
	cli_json_set(object, "energy_j", cli_json_number(share->energy_j));
	cli_json_set(object, "basis",
		     share->units ? cli_json_text(ft_basis_text(share->at.basis)) : json_null());
	cli_json_set(object, "distance", cli_json_number(share->at.distance));
	cli_json_set(object, "binds", cli_json_text(binds_text(share)));
	cli_json_set(object, "rough", cli_json_bool(share->processor->cost.rough));
	cli_json_set(object, "most", cli_json_number((double)share->processor->cost.most));
	return object;
}

static void print_json(const struct cli_partition *q)
{
	json_t *object = cli_json_new("plan"), *shares = cli_json_array(), *front = cli_json_array();
	size_t i;

	cli_json_set(object, "action", cli_json_text("partition"));
	cli_json_set(object, "parameter", cli_json_text(q->parameter));
	cli_json_set(object, "total", cli_json_number((double)q->total));
	cli_json_set(object, "feasible", cli_json_bool(true));
	cli_json_set(object, "time_s", cli_json_number(q->time_s));
	cli_json_set(object, "equal_s", cli_json_number(q->equal_s));
	cli_json_set_plan(object, q->energy ? &q->cheap.plan : &q->found.plan, q->energy ? "j" : "s");
	cli_json_set(object, "lines_within", cli_json_number(lines_within(q)));
	cli_json_set(object, "risk", q->plan->risk > 0 ? cli_json_number(q->plan->risk) : json_null());
	cli_json_set(object, "risk_each", q->risk > 0 ? cli_json_number(q->risk) : json_null());
	for (i = 0; i < q->p; i++)
		cli_json_append(shares, json_share(q, &q->share[i]));
	for (i = 0; i < q->front.n; i++) {
		json_t *point = cli_json_object();

		cli_json_set(point, "time_s", cli_json_number(q->front.point[i].time_s));
		cli_json_set(point, "energy_j", cli_json_number(q->front.point[i].energy_j));
		cli_json_append(front, point);
	}
	cli_json_set(object, "front", front);
	cli_json_set(object, "shares", shares);
	cli_json_print(object, stdout);
}

int cli_partition_print(struct cli_partition *q)
{
	if (q->plan->json || (q->plan->format && !strcmp(q->plan->format, "json")))
		print_json(q);
	else if (!q->plan->format)
		print_text(q);
	else if (!strcmp(q->plan->format, "csv"))
		print_csv(q);
	else
		return cli_partition_carry(q);
	return CLI_DONE;
}

/* ---- commands -------------------------------------------------------------------------------------------
 */

static const struct ft_carry *find_format(const char *name)
{
	const struct ft_carry *format;
	size_t i;

	for (i = 0; (format = ft_carry_get(i)); i++)
		if (!strcmp(ft_carry_name(format), name))
			return format;
	return NULL;
}

/* A share's command; *argv NULL: it has none to do. */
static int command_of(const struct cli_share *share, char ***argv)
{
	struct ft_size size = share->processor->size;
	struct ft_err err = {0};

	*argv = NULL;
	if (!share->units)
		return CLI_DONE;
	size.value[share->processor->varying] = (double)share->units;
	if (ft_program_arguments(ft_ask_program(share->processor->answerer), &size, argv, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_partition_carry(const struct cli_partition *q)
{
	const struct ft_carry *format = find_format(q->plan->format);
	struct ft_carry_command *command = cli_alloc(q->p * sizeof *command);
	char ***argv = cli_alloc(q->p * sizeof *argv), *text = NULL;
	struct ft_err err = {0};
	size_t i, n = 0;
	int status = CLI_DONE;

	for (i = 0; i < q->p && status == CLI_DONE; i++) {
		status = command_of(&q->share[i], &argv[i]);
		if (argv[i])
			command[n++] = (struct ft_carry_command){q->share[i].processor->host->name,
								 (const char *const *)argv[i]};
	}
	if (status == CLI_DONE && ft_carry_write(format, command, n, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		fputs(text, stdout);
	for (i = 0; i < q->p; i++)
		ft_arguments_free(argv[i]);
	free(text);
	free(argv);
	free(command);
	return status;
}
