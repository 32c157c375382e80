/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-matrix.c - matrices of measurements: tables in and out, diagnostics by hand, cases, residuals, memory. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "random-matrix.h"
#include "surrogate/surrogate.h"
#include "tap.h"
#include "temp.h"

static const char *write_table(const char *text)
{
	const char *path = temp_path("table.csv");
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
	return path;
}

static bool read_text(const char *text, const struct ft_matrix_options *options, struct ft_matrix *matrix)
{
	struct ft_err err = {0};

	if (!ft_matrix_read(write_table(text), options, matrix, &err))
		return true;
	diag("%s", err.text);
	return false;
}

static bool is(const struct ft_matrix *matrix, const char *row, const char *column, double value)
{
	long i = ft_matrix_row(matrix, row), j = ft_matrix_column(matrix, column);
	double got = i >= 0 && j >= 0 ? matrix->value[(size_t)i * matrix->columns + (size_t)j] : INFINITY;

	return isnan(value) ? isnan(got) : near(got, value, 1e-14);
}

static void tables(void)
{
	struct ft_matrix m = {0}, again = {0}, turned = {0};
	char *text = NULL;

	ok(read_text(
		   "program,n,resource,machine,value\nsort,10,time,a,1\nsort,10,time,a,3\nsort,20,time,b,4\n"
		   "sum,,energy,a,\n",
		   NULL, &m) &&
		   m.rows == 3 && m.columns == 3 && is(&m, "time@a", "sort n=10", 2) &&
		   is(&m, "time@b", "sort n=20", 4) && is(&m, "energy@a", "sum", NAN) &&
		   is(&m, "time@b", "sort n=10", NAN),
	   "a long table: repeats averaged, gaps left");
	ok(near(m.sd[0], sqrt(2), 1e-14) && isnan(m.sd[1]), "... with the deviation of repeats");
	ok(!ft_matrix_turn(&m, &turned, NULL) && is(&turned, "sort n=10", "time@a", 2), "turned");
	ok(!ft_matrix_write(&m, &text, NULL) && read_text(text, NULL, &again) && again.rows == 3 &&
		   is(&again, "time@a", "sort n=10", 2) && is(&again, "energy@a", "sum", NAN),
	   "written and read again");
	free(text);
	ft_matrix_clear(&m);
	ft_matrix_clear(&again);
	ft_matrix_clear(&turned);
	ok(read_text("program,n,time,bytes\na,1,2,3\na,2,5,6\na,1,4,3\n", NULL, &m) && m.rows == 2 &&
		   m.columns == 2 && is(&m, "time", "a n=1", 3) && is(&m, "bytes", "a n=2", 6),
	   "a wide table of programs is turned");
	ft_matrix_clear(&m);
	ok(read_text("machine,cpu,x1,x2,note\nbox,P4,1,2,\nbox,P4,3,4,\nrack,i7,5,6,new\n",
		     &(struct ft_matrix_options){.programs = "^x", .group = "cpu"}, &m) &&
		   m.rows == 3 && m.columns == 2 && is(&m, "box", "x1", 1) && is(&m, "box #2", "x2", 4) &&
		   m.group && m.group[0] == m.group[1] && m.group[2] != m.group[0],
	   "machines of one name are several, and grouped");
	ft_matrix_clear(&m);
	long i = ft_matrix_row(&m, "x");
	long j = ft_matrix_column(&m, "x");
	ok(i == -1 && j == -1, "nothing is in an empty matrix");
}

static void admissible(void)
{
	static const char *const good[] = {"wall_s",
					   "energy_j",
					   "cycles",
					   "cache-misses",
					   "time@box_mhz",
					   "branch-instructions",
					   "L1-dcache-load-misses",
					   "memory-accesses"},
				 *const bad[] = {
					 "cpu%",    "cycles_sd_pct", "LLC-miss-rate",  "load_pct",
					 "power_w", "Watts",         "peak_rss_bytes", "live memory",
					 "cpu_MHz", "ipc",           "temperature",    "peak_tree_bytes"};
	struct ft_err err = {0};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (ft_resource_admissible(good[i], &err)) {
			diag("%s", err.text);
			wrong++;
		}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!ft_resource_admissible(bad[i], &err) || !*err.remedy) {
			diag("%s passed", bad[i]);
			wrong++;
		}
	ok(!wrong, "measures, and what is none");
}

/* 004 Table 5.4 and its norms; 6.15 and 6.16 from Table 6.2. */
static void diagnose_by_hand(void)
{
	struct ft_matrix m = {0};
	struct ft_diagnosis d = {0};

	ok(read_text("resource,p1,p2,p3\nr1,1.1,1.2,1.3\nr2,1.8,2.0,1.9\nr3,2.0,1.0,1.0\n", NULL, &m) &&
		   !ft_matrix_diagnose(&m, 0, &d, NULL) && fabs(d.column_norm[0] - 2.91) < .005 &&
		   fabs(d.column_norm[1] - 2.54) < .005 && fabs(d.column_norm[2] - 2.51) < .005 &&
		   fabs(d.row_norm[0] - 2.08) < .005 && fabs(d.row_norm[1] - 3.29) < .005 &&
		   fabs(d.row_norm[2] - 2.45) < .005,
	   "5.4.2: norms of programs and resources");
	ok(d.rank == 3 && !d.redundant_column[0] && !d.redundant_column[2] && near(d.row_cosine[4], 1, 1e-15),
	   "... full rank");
	ft_matrix_clear(&m);
	ft_diagnosis_clear(&d);
	ok(read_text("program,instructions,misses,time\na,100000,100,993.72\nb,20000,1000,1132.13\n"
		     "c,30000,500,932.69\n",
		     NULL, &m) &&
		   !ft_matrix_diagnose(&m, 0, &d, NULL) && fabs(d.row_cosine[1] - .3771) < 5e-5 &&
		   fabs(d.row_cosine[5] - .8537) < 5e-5,
	   "6.15, 6.16: cosines of resources");
	ft_matrix_clear(&m);
	ft_diagnosis_clear(&d);
	/* Table 5.3: X = W H with four patterns. */
	ok(read_text("resource,p1,p2,p3,p4,p5\nr1,3,2,3,3,8\nr2,3,2,2,4,7\nr3,2,3,3,3,8\nr4,2,3,2,5,\n"
		     "r5,2,3,2,5,7\n",
		     NULL, &m) &&
		   !ft_matrix_diagnose(&m, 0, &d, NULL) && d.rows == 4 && d.row[3] == 4 && d.rank == 4 &&
		   d.redundant_column[4] && !d.redundant_column[3] && isinf(d.condition),
	   "a sum of three others is redundant, an incomplete row is passed over");
	ft_matrix_clear(&m);
	ft_diagnosis_clear(&d);
}

static void cases(void)
{
	struct ft_matrix m = {0};
	struct ft_case c = {0};
	struct ft_err err = {0};
	const size_t basis[2] = {0, 1}, target = 2, same[1] = {1}, zero[1] = {3}, rows[2] = {0, 2};

	ok(read_text("resource,a,b,c,z\nr1,1,2,3,0\nr2,4,,6,0\nr3,7,8,9,0\n", NULL, &m) &&
		   !ft_case_make(&m, basis, 2, &target, 1, NULL, 0, false, &c, &err) && c.problem.m == 2 &&
		   c.incomplete == 1 && c.row[1] == 2 && c.x[2] == 7 && c.y[1] == 9 && !c.problem.sigma,
	   "rows with a gap are left out");
	ft_case_clear(&c);
	ok(!ft_case_make(&m, basis, 1, &target, 1, rows, 2, false, &c, &err) && c.problem.m == 2 &&
		   c.x[1] == 7,
	   "some rows only");
	ft_case_clear(&c);
	ok(ft_case_make(&m, basis, 2, same, 1, NULL, 0, false, &c, &err) == FT_EINVAL &&
		   strstr(err.text, "'b'"),
	   "the target in the basis is refused");
	ok(ft_case_make(&m, zero, 1, &target, 1, NULL, 0, false, &c, &err) == FT_EINVAL &&
		   strstr(err.text, "'z'"),
	   "a column of zeros is refused");
	ok(ft_case_make(&m, basis, 2, &target, 1, &(size_t){1}, 1, false, &c, &err) == FT_ENOMODEL &&
		   strstr(err.text, "'b' lacks 1"),
	   "no complete row: who lacks most is named");
	ft_matrix_clear(&m);
}

/* Residuals made to have what is read from them, and noise that has nothing. */
static void residuals(struct ft_random *random)
{
	enum { M = 60 };
	double fitted[M], r[M];
	struct ft_residuals reading;
	bool outlier[M];
	int trends = 0, spreads = 0, found = 0, false_trends = 0, false_spreads = 0;

	for (int c = 0; c < 100; c++) {
		for (size_t i = 0; i < M; i++) {
			fitted[i] = 1 + 9 * ft_random_uniform(random);
			r[i] = ft_random_normal(random);
		}
		(void)ft__residuals_read(r, fitted, M, &reading, outlier, NULL);
		false_trends += reading.trend;
		false_spreads += reading.spread;
		for (size_t i = 0; i < M; i++) /* a parabola that nobody modelled (Figure 6.3) */
			r[i] = (fitted[i] - 5.5) * (fitted[i] - 5.5) / 5 - 1.35 + 0.5 * r[i];
		(void)ft__residuals_read(r, fitted, M, &reading, outlier, NULL);
		trends += reading.trend;
		for (size_t i = 0; i < M; i++)
			r[i] = fitted[i] * ft_random_normal(random);
		(void)ft__residuals_read(r, fitted, M, &reading, outlier, NULL);
		spreads += reading.spread && reading.growth > 0;
		for (size_t i = 0; i < M; i++)
			r[i] = ft_random_normal(random);
		r[7] = -20;
		(void)ft__residuals_read(r, fitted, M, &reading, outlier, NULL);
		found += outlier[7] && reading.outliers >= 1;
	}
	diag("of 100: %d trends, %d spreads, %d outliers; of noise %d trends, %d spreads", trends, spreads,
	     found, false_trends, false_spreads);
	ok(trends >= 95 && spreads >= 80 && found == 100, "what is there is seen");
	ok(false_trends <= 6 && false_spreads <= 6, "noise is noise");
	(void)ft__residuals_read(r, fitted, 7, &reading, outlier, NULL);
	ok(reading.few && !reading.trend && !reading.outliers, "seven rows say nothing");
}

static void no_memory(void)
{
	const char *path = write_table("machine,cpu,x1,x2,x3\nbox,P4,1,2,3\nrack,i7,5,6,8\nlap,i7,2,2,2\n");
	const struct ft_matrix_options options = {.programs = "^x", .group = "cpu"};
	const size_t basis[2] = {0, 1}, target = 2;
	unsigned long n;
	int bad = 0;

	for (n = 1; n < 1000; n++) {
		struct ft_matrix m = {0};
		struct ft_diagnosis d = {0};
		struct ft_case c = {0};
		struct ft_cone cone;

		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft_matrix_read(path, &options, &m, NULL);
		if (!status)
			status = ft_matrix_diagnose(&m, 0, &d, NULL);
		if (!status)
			status = ft_case_make(&m, basis, 2, &target, 1, NULL, 0, false, &c, NULL);
		if (!status)
			status = ft_surrogate_cone(&c.problem, false, &cone, NULL);
		unsigned long used = ft_alloc_fail_at(0);
		/* One that can be done without: all is there all the same. */
		bool right = !status && m.rows == 3 && m.columns == 3 && c.problem.m == 3;
		ft_matrix_clear(&m);
		ft_diagnosis_clear(&d);
		ft_case_clear(&c);
		if (used < n) {
			bad += !right;
			break;
		}
		if (status != FT_ENOMEM && !right) {
			diag("allocation %lu: %s", n, ft_status_text(status));
			bad++;
		}
	}
	ok(bad == 0 && n > 20 && n < 1000, "no memory, %lu places", n - 1);
}

/* Names are as long as they are, and hold quotes. */
static void test_long_name(void)
{
	struct ft_matrix m, again;
	char table[4200], name[2001], *text = NULL;
	size_t i;

	for (i = 0; i < sizeof name - 1; i++)
		name[i] = i % 2 ? 'x' : '"';
	name[i] = '\0';
	(void)ft_csv_quote(name, table + sprintf(table, "resource,"), 4000);
	(void)strcat(table, ",b\ntime,1,2\nbytes,3,4\n");
	ok(read_text(table, NULL, &m) && m.columns == 2, "a name of 2000 characters");
	ok(m.columns == 2 && !ft_matrix_write(&m, &text, NULL) && read_text(text, NULL, &again) &&
		   !strcmp(again.column[0], m.column[0]) && again.rows == 2,
	   "is written, and read again: %zu", strlen(m.column[0]));
	free(text);
	ft_matrix_clear(&m);
	ft_matrix_clear(&again);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	tables();
	admissible();
	diagnose_by_hand();
	cases();
	residuals(&random);
	no_memory();
	test_long_name();
	temp_remove();
	return done();
}
