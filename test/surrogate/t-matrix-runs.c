/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-matrix-runs.c - runs that become a matrix: which ones, and what rows and columns are called. */
#include "base/alloc.h"
#include "foretime/surrogate.h"
#include "named.h"
#include "surrogate/door.h"
#include "tap.h"

enum { RUNS = 5 };

static char routine[] = "merge", sort[] = "sort", whole[] = "sort/merge";
static struct ft_sample sample[RUNS][3];
static struct ft_run run[RUNS];
static struct ft_program program;

/* Of n = 1000: 2 and 4 s, a warmup, a failure; of n = 2000 8 s, of a routine. */
static struct ft_runs make_runs(void)
{
	static const double seconds[RUNS] = {2, 4, 100, 200, 8};

	for (size_t i = 0; i < RUNS; i++) {
		run[i].size = (struct ft_size){.n = 2, .value = {i == 4 ? 2000 : 1000, 7}};
		run[i].sample = sample[i];
		run[i].n_samples = 3;
		sample[i][0].resource = named("wall_s");
		sample[i][1].resource = named("cpu_share");
		sample[i][2].resource = named("cpu_user_s");
		sample[i][0].value = seconds[i];
		sample[i][1].value = 0.5;
		sample[i][2].value = i ? NAN : 1;
	}
	run[2].warmup = true;
	run[3].outcome = FT_FAILED;
	run[4].routine = routine;
	return (struct ft_runs){.run = run, .n = RUNS};
}

/* Rows and columns, comma by comma. */
static bool gives(const struct ft_matrix_wanted *wanted, const char *machine, const char *names,
		  struct ft_matrix *matrix)
{
	const struct ft_runs runs = make_runs();
	struct ft_matrix_maker *maker = NULL;
	char text[400] = "";

	ft_matrix_clear(matrix);
	(void)ft_matrix_maker_new(&maker, NULL);
	bool good = !ft_matrix_add_runs(maker, &program, &runs, machine, wanted, NULL) &&
		    !ft_matrix_make(maker, matrix, NULL);
	ft_matrix_maker_free(maker);
	for (size_t i = 0; i < matrix->rows + matrix->columns; i++) {
		(void)strcat(text, i ? "," : "");
		(void)strcat(text, i < matrix->rows ? matrix->row[i] : matrix->column[i - matrix->rows]);
	}
	if (strcmp(text, names) != 0)
		diag("'%s'", text);
	return good && !strcmp(text, names);
}

static void test_names(void)
{
	static const char *const share[] = {"cpu_share"};
	struct ft_matrix_wanted wanted = {0};
	struct ft_matrix m = {0};

	ok(gives(&wanted, NULL, "wall_s,cpu_user_s,sort n=1000 m=7,sort/merge n=2000 m=7", &m) &&
		   m.value[0] == 3 && m.value[1] == 8 && m.value[2] == 1 && isnan(m.value[3]),
	   "runs that ended well, of resources that are measures: their mean");
	ok(gives(&wanted, "box", "wall_s@box,cpu_user_s@box,sort n=1000 m=7,sort/merge n=2000 m=7", &m),
	   "of a machine among several");
	wanted.resource = share;
	wanted.n_resources = 1;
	ok(gives(&wanted, NULL, "cpu_share,sort n=1000 m=7,sort/merge n=2000 m=7", &m),
	   "a resource that is asked for");
	wanted.n_resources = 0;
	wanted.admit = true;
	ok(gives(&wanted, NULL, "wall_s,cpu_share,cpu_user_s,sort n=1000 m=7,sort/merge n=2000 m=7", &m),
	   "all of them");
	program.name = whole;
	ok(gives(&wanted, NULL, "wall_s,cpu_share,cpu_user_s,sort/merge n=1000 m=7,sort/merge n=2000 m=7",
		 &m),
	   "a name that says the routine says it once");
	program.name = sort;
	ft_matrix_clear(&m);
}

static void test_sizes(void)
{
	static char large[] = "n=1500:2500", small[] = "n=1000", seven[] = "m=7", eight[] = "m=8";
	char *size[2];
	struct ft_matrix_wanted wanted = {.size = size, .n_sizes = 1};
	struct ft_matrix m = {0};

	size[0] = large;
	ok(gives(&wanted, NULL, "wall_s,sort/merge n=2000 m=7", &m), "a range");
	size[1] = small;
	wanted.n_sizes = 2;
	ok(gives(&wanted, NULL, "wall_s,cpu_user_s,sort n=1000 m=7,sort/merge n=2000 m=7", &m),
	   "two of a parameter are alternatives");
	size[0] = seven;
	ok(gives(&wanted, NULL, "wall_s,cpu_user_s,sort n=1000 m=7", &m), "each of two must hold");
	size[0] = eight;
	ok(!gives(&wanted, NULL, "", &m) && !m.rows, "and no run is none");
	ft_matrix_clear(&m);
}

static void test_refused(void)
{
	static char unknown[] = "k=1", bad[] = "n=x";
	char *size[1] = {unknown};
	const struct ft_matrix_wanted wanted = {.size = size, .n_sizes = 1}, all = {0};
	const struct ft_runs runs = make_runs();
	struct ft_matrix_maker *maker = NULL;
	struct ft_err err = {0};

	(void)ft_matrix_maker_new(&maker, NULL);
	ok(ft_matrix_add_runs(maker, &program, &runs, NULL, &wanted, &err) == FT_EINVAL &&
		   !strcmp(err.text, "'sort' has no parameter 'k'"),
	   "%s", err.text);
	size[0] = bad;
	ok(ft_matrix_add_runs(maker, &program, &runs, NULL, &wanted, &err) == FT_EPARSE, "%s", err.text);
	(void)ft_alloc_fail_at(1);
	ok(ft_matrix_add_runs(maker, &program, &runs, NULL, &all, &err) == FT_ENOMEM, "no memory");
	(void)ft_alloc_fail_at(0);
	ft_matrix_maker_free(maker);
}

int main(void)
{
	program.name = sort;
	program.n_params = 2;
	(void)snprintf(program.param[0].name, sizeof program.param[0].name, "n");
	(void)snprintf(program.param[1].name, sizeof program.param[1].name, "m");
	test_names();
	test_sizes();
	test_refused();
	return done();
}
