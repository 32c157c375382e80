/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - compares two machines: their calibrations, and the programs that ran on both. */
#include "cli/cli.h"
#include "cli/machine/machine.h"
#include "foretime/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Medians at an equal size. */
struct machine_at_size {
	struct ft_size size;
	double a_s, b_s, ratio;
};

/* A program that ran on both at some equal sizes. */
struct machine_pair {
	const char *name;
	bool same;                  /* executable */
	struct ft_program *program; /* for its parameters */
	struct machine_at_size *at; /* [n] */
	size_t n;
	double mean, least, most; /* of the ratios b / a; the mean is geometric */
};

struct comparison {
	struct cli_row a, b;
	struct ft_store_list list;
	struct machine_pair *pair;
	size_t n;
};

static void clear_comparison(struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		ft_program_clear(c->pair[i].program);
		free(c->pair[i].program);
		free(c->pair[i].at);
	}
	free(c->pair);
	ft_store_list_clear(&c->list);
	cli_row_clear(&c->a);
	cli_row_clear(&c->b);
}

/* ---- programs that both ran --------------------------------------------------------------------------- */

/* Medians by size of a program on a machine. */
static int read_groups(struct ft_store *store, const struct ft_store_entry *entry,
		       struct ft_size_values **group, size_t *n)
{
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	*group = NULL;
	*n = 0;
	if (ft_store_get_runs(store, entry->program, entry->machine, &runs, &err))
		return cli_error(&err);
	if (ft_runs_values(&runs, &ft_wall_s, group, n, &err))
		status = cli_error(&err);
	ft_runs_clear(&runs);
	return status;
}

static int add_pair(struct ft_store *store, struct comparison *c, const struct ft_store_entry *a,
		    const struct ft_store_entry *b)
{
	struct machine_pair pair = {.name = a->name, .same = a->program == b->program};
	CLI_OWN struct ft_size_values *group_a = NULL;
	CLI_OWN struct ft_size_values *group_b = NULL;
	struct ft_err err = {0};
	size_t n_a = 0, n_b = 0;

	CLI_TRY(read_groups(store, a, &group_a, &n_a));
	CLI_TRY(read_groups(store, b, &group_b, &n_b));
	/* The sizes that both have. */
	double sum = 0;
	size_t j;

	pair.at = cli_alloc(n_a * sizeof *pair.at);
	pair.least = INFINITY;
	for (size_t i = 0; i < n_a; i++) {
		for (j = 0; j < n_b && !(group_b[j].n && ft_size_equal(&group_a[i].size, &group_b[j].size));
		     j++)
			;
		if (!group_a[i].n || j == n_b)
			continue;
		pair.at[pair.n] =
			(struct machine_at_size){group_a[i].size, group_a[i].median, group_b[j].median,
						 group_b[j].median / group_a[i].median};
		sum += log(pair.at[pair.n].ratio);
		pair.least = fmin(pair.least, pair.at[pair.n].ratio);
		pair.most = fmax(pair.most, pair.at[pair.n++].ratio);
	}
	pair.mean = exp(sum / (double)pair.n);
	if (!pair.n) {
		free(pair.at);
		return CLI_DONE;
	}
	pair.program = cli_alloc(sizeof *pair.program);
	c->pair = cli_grow(c->pair, c->n, sizeof *c->pair);
	c->pair[c->n++] = pair;
	return ft_store_get_program(store, a->name, pair.program, &err) ? cli_error(&err) : CLI_DONE;
}

/* The newest program of each name on each of the two: lines of a name stand together, the newest first. */
static int find_pairs(struct ft_store *store, struct comparison *c)
{
	const size_t prefix = strlen(FT_CALIBRATION_PREFIX);
	struct ft_err err = {0};
	size_t j;

	if (ft_store_find_runs(store, NULL, &c->list, &err))
		return cli_error(&err);
	for (size_t i = 0; i < c->list.n; i = j) {
		const struct ft_store_entry *a = NULL, *b = NULL, *first = &c->list.entry[i];

		for (j = i; j < c->list.n && !strcmp(c->list.entry[j].name, first->name); j++) {
			const struct ft_store_entry *each = &c->list.entry[j];

			if (!a && each->machine == c->a.machine.id)
				a = each;
			if (!b && each->machine == c->b.machine.id)
				b = each;
		}
		if (a && b && strncmp(first->name, FT_CALIBRATION_PREFIX, prefix) != 0)
			CLI_TRY(add_pair(store, c, a, b));
	}
	return CLI_DONE;
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

struct ratio {
	const char *name;
	double a_s, b_s, ratio;
};

#define RATIO struct ratio
static const struct ft_tell_row ratio_rows[] = {
	{FT_TELL(RATIO, name), .head = "benchmark"},
	{FT_TELL(RATIO, a_s), .null = "not measured", .head = ">A", .unit = "s"},
	{FT_TELL(RATIO, b_s), .null = "not measured", .head = ">B", .unit = "s"},
	{FT_TELL(RATIO, ratio), .about = "b_s / a_s", .null = "not measured", .head = ">B / A",
	 .unit = ".3f"},
	{0},
};
static const struct ft_tell_record ratios = {.bytes = sizeof(RATIO), .row = ratio_rows};

static const struct ft_tell_row at_size_rows[] = {
	{FT_TELL(struct machine_at_size, size), .about = "a member for each parameter"},
	{FT_TELL(struct machine_at_size, a_s), .about = "median wall time"},
	{FT_TELL(struct machine_at_size, b_s)},
	{FT_TELL(struct machine_at_size, ratio)},
	{0},
};
static const struct ft_tell_record at_sizes = {.bytes = sizeof(struct machine_at_size), .row = at_size_rows};

static char *another_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return cli_strdup(((const struct machine_pair *)record)->same ? "" : "another executable on each");
}

#define PAIR struct machine_pair
static const struct ft_tell_row pair_rows[] = {
	{FT_TELL_BY(PROGRAM, NULL, PAIR, program)},
	{FT_TELL(PAIR, name), .head = "program"},
	{FT_TELL_AS("same_executable", PAIR, same)},
	{FT_TELL_AS(NULL, PAIR, n), .head = ">sizes"},
	{FT_TELL_AS("ratio", PAIR, mean), .about = "geometric mean over the sizes", .head = ">B / A",
	 .unit = ".3f"},
	{FT_TELL_AS(NULL, PAIR, least), .head = ">least", .unit = ".3f"},
	{FT_TELL_AS(NULL, PAIR, most), .head = ">most", .unit = ".3f"},
	{FT_TELL_MANY(LIST, "sizes", PAIR, at, n, &at_sizes)},
	{FT_TELL_AS(NULL, PAIR, same), .head = "", .cell = another_cell},
	{0},
};
static const struct ft_tell_record pairs = {.bytes = sizeof(PAIR), .row = pair_rows};

struct machine_compare_answer {
	const struct ft_machine *a, *b;
	double ratio;
	RATIO *benchmark;
	PAIR *pair;
	size_t compared, n, n_pairs;
};

#define ANSWER struct machine_compare_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(POINTER, "a", ANSWER, a), .of = &ft_tell_machine},
	{FT_TELL_BY(POINTER, "b", ANSWER, b), .of = &ft_tell_machine},
	{FT_TELL(ANSWER, ratio), .about = "geometric mean of the ratios of the micro-benchmarks",
	 .null = "there is none"},
	{FT_TELL(ANSWER, compared), .about = "how many ratios"},
	{FT_TELL_MANY(LIST, "benchmarks", ANSWER, benchmark, n, &ratios), .about = "those of both"},
	{FT_TELL_MANY(LIST, "programs", ANSWER, pair, n_pairs, &pairs),
	 .about = "those that ran on both at equal sizes"},
	{0},
};
const struct ft_tell_record cli_machine_compare_answer = {
	.name = "machine", .action = "compare", .version = 1, .row = rows};

static void print_rows(const ANSWER *answer)
{
	struct cli_table table = {0};

	if (!answer->compared)
		return;
	for (size_t i = 0; i < answer->n; i++)
		if (!isnan(answer->benchmark[i].ratio))
			cli_table_tell(&table, &ratios, &answer->benchmark[i], 1, NULL);
	cli_table_print(&table, stdout);
	printf("\nB takes %.3f times the seconds of A, the geometric mean of %zu\n", answer->ratio,
	       answer->compared);
}

static void print_machines(const ANSWER *answer)
{
	CLI_OWN char *a = cli_machine_text(answer->a), *b = cli_machine_text(answer->b);

	printf("A  %s\nB  %s\n\n", a, b);
	print_rows(answer);
	if (!answer->n_pairs)
		return;
	puts("");
	cli_tell_table(&pairs, answer->pair, answer->n_pairs, NULL);
}

static void print_comparison(const struct comparison *c, bool json)
{
	ANSWER answer = {
		.a = &c->a.machine, .b = &c->b.machine, .n = c->a.n, .pair = c->pair, .n_pairs = c->n};
	size_t i;

	answer.ratio = mean_of(c, &answer.compared);
	answer.benchmark = cli_alloc(c->a.n * sizeof *answer.benchmark);
	for (i = 0; i < c->a.n; i++)
		answer.benchmark[i] = (RATIO){c->a.entry[i].name, c->a.entry[i].median, c->b.entry[i].median,
					      ratio_of(c, i)};
	if (json)
		cli_tell(&cli_machine_compare_answer, &answer, NULL);
	else
		print_machines(&answer);
	free(answer.benchmark);
}

int cli_machine_compare(void *ctx)
{
	const struct cli_machine *query = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(clear_comparison) struct comparison c = {0};
	int64_t a = 0, b = 0;
	size_t n;

	CLI_TRY(cli_store_open(&store, query->store_path, CLI_READ));
	CLI_TRY(cli_machine_find(store, query->word[0], &a));
	CLI_TRY(cli_machine_find(store, query->words > 1 ? query->word[1] : NULL, &b));
	if (a == b)
		return cli_fail("that is one machine, not two");
	CLI_TRY(cli_row_read(store, a, &c.a));
	CLI_TRY(cli_row_read(store, b, &c.b));
	CLI_TRY(find_pairs(store, &c));
	if (query->json)
		print_comparison(&c, true);
	if (isnan(mean_of(&c, &n)) && !c.n) {
		/* Nothing can be compared; report which machine has no data. */
		const struct ft_machine *lacking = cli_row_measured(&c.a) ? &c.b.machine : &c.a.machine;

		(void)cli_fail(
			"'%s' was not calibrated, and no program ran on both machines at equal sizes\n"
			"hint: run foretime machine calibrate there, then machine export there and machine "
			"import here",
			lacking->host ? lacking->host : lacking->fingerprint);
		return CLI_NO;
	}
	if (!query->json)
		print_comparison(&c, false);
	return CLI_DONE;
}
