/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - two machines beside each other: their rows, and the programs that ran on both. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A program that ran on both at some equal sizes. */
struct pair {
	const char *name;
	bool same;                  /* executable */
	struct ft_program *program; /* for its parameters */
	struct cli_group *a, *b;    /* [n] medians at equal sizes */
	size_t n;
	double mean, least, most; /* of the ratios b / a; the mean is geometric */
};

struct comparison {
	struct cli_row a, b;
	struct ft_store_list list;
	struct pair *pair;
	size_t n, capacity;
};

static void clear(struct comparison *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		ft_program_clear(c->pair[i].program);
		free(c->pair[i].program);
		free(c->pair[i].a);
		free(c->pair[i].b);
	}
	free(c->pair);
	ft_store_list_clear(&c->list);
	cli_row_clear(&c->a);
	cli_row_clear(&c->b);
}

/* ---- programs that both ran -----------------------------------------------------------------------------
 */

/* Medians by size of a program on a machine. */
static int read_groups(struct ft_store *store, const struct ft_store_entry *entry, struct cli_group **group,
		       size_t *n)
{
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	*group = NULL;
	*n = 0;
	if (ft_store_get_runs(store, entry->program, entry->machine, &runs, &err))
		return cli_error(&err);
	*group = cli_groups(&runs, "wall_s", n);
	ft_runs_clear(&runs);
	return CLI_DONE;
}

/* Keeps those sizes that both have, at the same places. */
static void intersect(struct pair *pair, size_t n_a, size_t n_b)
{
	double sum = 0;
	size_t i, j;

	pair->n = 0;
	pair->least = INFINITY;
	pair->most = 0;
	for (i = 0; i < n_a; i++)
		for (j = pair->n; pair->a[i].n && j < n_b; j++) {
			struct cli_group held = pair->b[j];
			double ratio;

			if (!held.n || !ft_size_equal(&pair->a[i].size, &held.size))
				continue;
			ratio = held.median / pair->a[i].median;
			sum += log(ratio);
			pair->least = fmin(pair->least, ratio);
			pair->most = fmax(pair->most, ratio);
			pair->b[j] = pair->b[pair->n];
			pair->b[pair->n] = held;
			pair->a[pair->n++] = pair->a[i];
			break;
		}
	pair->mean = exp(sum / (double)pair->n);
}

static int add_pair(struct ft_store *store, struct comparison *c, const struct ft_store_entry *a,
		    const struct ft_store_entry *b)
{
	struct pair pair = {.name = a->name, .same = a->program == b->program};
	struct ft_err err = {0};
	size_t n_a = 0, n_b = 0;
	int status = read_groups(store, a, &pair.a, &n_a);

	if (status == CLI_DONE)
		status = read_groups(store, b, &pair.b, &n_b);
	if (status == CLI_DONE)
		intersect(&pair, n_a, n_b);
	if (status != CLI_DONE || !pair.n) {
		free(pair.a);
		free(pair.b);
		return status;
	}
	pair.program = cli_alloc(sizeof *pair.program);
	c->pair = cli_grow(c->pair, c->n, &c->capacity, sizeof *c->pair);
	c->pair[c->n++] = pair;
	if (ft_store_get_program(store, a->name, pair.program, &err))
		return cli_error(&err);
	return CLI_DONE;
}

/* The newest program of each name on each of the two: lines of a name stand together, the newest first. */
static int find_pairs(struct ft_store *store, struct comparison *c)
{
	const size_t prefix = strlen(FT_CALIBRATION_PREFIX);
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t i, j;

	if (ft_store_get_list(store, NULL, &c->list, &err))
		return cli_error(&err);
	for (i = 0; status == CLI_DONE && i < c->list.n; i = j) {
		const struct ft_store_entry *a = NULL, *b = NULL, *first = &c->list.entry[i];

		for (j = i; j < c->list.n && !strcmp(c->list.entry[j].name, first->name); j++) {
			const struct ft_store_entry *each = &c->list.entry[j];

			if (!a && each->machine == c->a.machine.id)
				a = each;
			if (!b && each->machine == c->b.machine.id)
				b = each;
		}
		if (a && b && strncmp(first->name, FT_CALIBRATION_PREFIX, prefix) != 0)
			status = add_pair(store, c, a, b);
	}
	return status;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

/* b / a of one micro-benchmark; NaN: one has no value. */
static double ratio_of(const struct comparison *c, size_t i)
{
	return c->b.entry[i].median / c->a.entry[i].median;
}

/* The geometric mean over the micro-benchmarks that both have; NaN: there is none. */
static double mean_of(const struct comparison *c, size_t *n)
{
	double sum = 0;
	size_t i;

	for (*n = 0, i = 0; i < c->a.n; i++)
		if (!isnan(ratio_of(c, i))) {
			sum += log(ratio_of(c, i));
			++*n;
		}
	return *n ? exp(sum / (double)*n) : NAN;
}

static void print_rows(const struct comparison *c)
{
	struct cli_table table = {0};
	char value[FT_UNIT_LENGTH];
	size_t i, n;
	double mean = mean_of(c, &n);

	if (!n)
		return;
	cli_table_heads(&table, "benchmark", ">A", ">B", ">B / A", NULL);
	for (i = 0; i < c->a.n; i++) {
		if (isnan(ratio_of(c, i)))
			continue;
		cli_table_add(&table, "%s", c->a.entry[i].micro->name);
		cli_table_add(&table, "%s", ft_value_format(c->a.entry[i].median, "s", value));
		cli_table_add(&table, "%s", ft_value_format(c->b.entry[i].median, "s", value));
		cli_table_add(&table, "%.3f", ratio_of(c, i));
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	printf("\nB takes %.3f times the seconds of A, the geometric mean of %zu\n", mean, n);
}

static void print_pairs(const struct comparison *c)
{
	struct cli_table table = {0};
	size_t i;

	if (!c->n)
		return;
	puts("");
	cli_table_heads(&table, "program", ">sizes", ">B / A", ">least", ">most", "", NULL);
	for (i = 0; i < c->n; i++) {
		cli_table_add(&table, "%s", c->pair[i].name);
		cli_table_add(&table, "%zu", c->pair[i].n);
		cli_table_add(&table, "%.3f", c->pair[i].mean);
		cli_table_add(&table, "%.3f", c->pair[i].least);
		cli_table_add(&table, "%.3f", c->pair[i].most);
		cli_table_add(&table, "%s", c->pair[i].same ? "" : "another executable on each");
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static void print_text(const struct comparison *c)
{
	char *a = cli_machine_text(&c->a.machine), *b = cli_machine_text(&c->b.machine);

	printf("A  %s\nB  %s\n\n", a, b);
	print_rows(c);
	print_pairs(c);
	free(a);
	free(b);
}

static json_t *json_of_rows(const struct comparison *c)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < c->a.n; i++) {
		json_t *one = cli_json_object();

		cli_json_set(one, "name", cli_json_text(c->a.entry[i].micro->name));
		cli_json_set(one, "a_s", cli_json_number(c->a.entry[i].median));
		cli_json_set(one, "b_s", cli_json_number(c->b.entry[i].median));
		cli_json_set(one, "ratio", cli_json_number(ratio_of(c, i)));
		cli_json_append(array, one);
	}
	return array;
}

static json_t *json_of_pair(const struct pair *pair)
{
	json_t *object = cli_json_object(), *sizes = cli_json_array();
	size_t i;

	for (i = 0; i < pair->n; i++) {
		json_t *one = cli_json_object(), *size = cli_json_object();

		cli_json_set_size(size, pair->program, &pair->a[i].size);
		cli_json_set(one, "size", size);
		cli_json_set(one, "a_s", cli_json_number(pair->a[i].median));
		cli_json_set(one, "b_s", cli_json_number(pair->b[i].median));
		cli_json_set(one, "ratio", cli_json_number(pair->b[i].median / pair->a[i].median));
		cli_json_append(sizes, one);
	}
	cli_json_set(object, "name", cli_json_text(pair->name));
	cli_json_set(object, "same_executable", cli_json_bool(pair->same));
	cli_json_set(object, "ratio", cli_json_number(pair->mean));
	cli_json_set(object, "sizes", sizes);
	return object;
}

static void print_json(const struct comparison *c)
{
	json_t *object = cli_machine_json("compare"), *programs = cli_json_array();
	size_t i, n;

	cli_json_set(object, "a", cli_json_machine(&c->a.machine));
	cli_json_set(object, "b", cli_json_machine(&c->b.machine));
	cli_json_set(object, "ratio", cli_json_number(mean_of(c, &n)));
	cli_json_set(object, "compared", cli_json_number((double)n));
	cli_json_set(object, "benchmarks", json_of_rows(c));
	for (i = 0; i < c->n; i++)
		cli_json_append(programs, json_of_pair(&c->pair[i]));
	cli_json_set(object, "programs", programs);
	cli_json_print(object, stdout);
}

/* Nothing can be said: of whom is there nothing? */
static int complain(const struct comparison *c)
{
	const struct ft_machine *lacking = cli_row_measured(&c->a) ? &c->b.machine : &c->a.machine;

	(void)cli_fail("'%s' was not calibrated, and no program ran on both machines at equal sizes",
		       lacking->host ? lacking->host : lacking->fingerprint);
	cli_hint("run foretime machine calibrate there, then machine export there and machine import here");
	return CLI_NO;
}

int cli_machine_compare(void *ctx)
{
	const struct cli_machine *asked = ctx;
	struct comparison c = {0};
	struct ft_store *store;
	int64_t a = 0, b = 0;
	size_t n;
	int status = cli_store_open(&store, asked->store_path, CLI_READ);

	if (status != CLI_DONE)
		return status;
	status = cli_machine_find(store, asked->word[0], &a);
	if (status == CLI_DONE)
		status = cli_machine_find(store, asked->words > 1 ? asked->word[1] : NULL, &b);
	if (status == CLI_DONE && a == b)
		status = cli_fail("that is one machine, not two");
	if (status == CLI_DONE)
		status = cli_row_read(store, a, asked->calibration, &c.a);
	if (status == CLI_DONE)
		status = cli_row_read(store, b, NULL, &c.b);
	if (status == CLI_DONE)
		status = find_pairs(store, &c);
	if (status == CLI_DONE && asked->json)
		print_json(&c);
	if (status == CLI_DONE && isnan(mean_of(&c, &n)) && !c.n)
		status = complain(&c);
	else if (status == CLI_DONE && !asked->json)
		print_text(&c);
	clear(&c);
	ft_store_close(store);
	return status;
}
