/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-start.c - a start of nmf from tables: places by name, whatever their order, and what is refused. */
#include "base/alloc.h"
#include "foretime/surrogate.h"
#include "surrogate/door.h"
#include "tap.h"

#include <unistd.h>

static char path[] = "/tmp/foretime-start.XXXXXX";

/* Columns a, b, c, t; the second row lacks b and is left out. */
static char names[][3] = {"r1", "r2", "r3", "a", "b", "c", "t"};
static char *row_names[] = {names[0], names[1], names[2]};
static char *column_names[] = {names[3], names[4], names[5], names[6]};
static double values[] = {1, 2, 3, 4, 5, NAN, 6, 7, 8, 9, 10, 11}, deviations[12];
static const size_t basis[] = {2, 1};

static const struct ft_matrix matrix = {
	.rows = 3, .columns = 4, .row = row_names, .column = column_names, .value = values, .sd = deviations};

static struct ft_surrogate_start start_of(const struct ft_case *learned, size_t rank)
{
	return (struct ft_surrogate_start){&matrix, learned, basis, 3, "program", rank, NULL, NULL};
}

static void write_table(const char *text)
{
	FILE *file = fopen(path, "w");

	if (file) {
		(void)fputs(text, file);
		(void)fclose(file);
	}
}

static enum ft_status read_table(struct ft_surrogate_start *start, const char *text, struct ft_err *err)
{
	write_table(text);
	return ft_start_read(start, path, err);
}

static void test_places(const struct ft_case *learned)
{
	static const double h[] = {3, 2, 9, 7, 6, 8}, w[] = {1, 2, 5, 6};
	struct ft_surrogate_start start = start_of(learned, 0);

	ok(!read_table(&start, "pattern,t,b,z,c\nu,9,2,0,3\nv,8,6,0,7\n", NULL) && start.rank == 2 &&
		   !memcmp(start.h, h, sizeof h) && !start.w,
	   "H: in the order of the basis, then the target");
	ok(read_table(&start, "pattern,t,b,c\nu,1,1,1\nv,2,2,2\n", NULL) == FT_EEXIST, "one H is enough");
	ok(!read_table(&start, "row,u,v\nr3,5,6\nr2,3,4\nr1,1,2\n", NULL) && !memcmp(start.w, w, sizeof w),
	   "W: the rows that are learned from, in their order");
	ok(read_table(&start, "row,u,v\nr1,1,2\nr3,5,6\n", NULL) == FT_EEXIST, "and one W");
	ft_start_clear(&start);
	ft_start_clear(&start);
	ft_start_clear(NULL);
}

static void test_refused(const struct ft_case *learned)
{
	static const struct {
		const char *text, *says, *remedy;
		size_t rank;
		enum ft_status status;
	} cases[] = {
		{"p,t,b\nu,9,2\n", "has no column 'c'", "each program of", 0, FT_ENOENT},
		{"row,u\nr1,1\nr2,1\n", "has no row 'r3'", "H has the column 't'", 0, FT_ENOENT},
		{"p,t,b,c\nu,9,-2,3\n", ":2: column 3 (b): -2 is negative", "never below 0", 0, FT_EINVAL},
		{"row,u\nr1,1\nr3,x\n", "'x' is not a number", "", 0, FT_EPARSE},
		{"row,u\nr1,1\nr3,2\n", "has 1 patterns, and not the requested number", "rank=", 2,
		 FT_EINVAL},
		{"p,t,b,c\n", "has 0 patterns", "one row of H", 0, FT_EINVAL},
		{"row\nr1\nr3\n", "has 0 patterns", "one column of W", 0, FT_EINVAL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_surrogate_start start = start_of(learned, cases[i].rank);
		struct ft_err err = {0};
		enum ft_status status = read_table(&start, cases[i].text, &err);

		ok(status == cases[i].status && strstr(err.text, cases[i].says) &&
			   strstr(err.remedy, cases[i].remedy),
		   "refused: %s", err.text);
		ft_start_clear(&start);
	}
}

static void test_no_memory(const struct ft_case *learned)
{
	static const char *const tables[] = {"p,t,b,c\nu,9,2,3\n", "row,u\nr1,1\nr3,2\n"};

	for (size_t i = 0; i < 2; i++) {
		enum ft_status status;
		unsigned long n = 0;
		bool good = true;

		do {
			struct ft_surrogate_start start = start_of(learned, 0);

			write_table(tables[i]);
			(void)ft_alloc_fail_at(++n);
			status = ft_start_read(&start, path, NULL);
			(void)ft_alloc_fail_at(0);
			good &= !status || status == FT_ENOMEM;
			ft_start_clear(&start);
		} while (status && n < 1000);
		ok(good && !status && n > 1, "no memory at %lu places", n - 1);
	}
}

int main(void)
{
	const size_t target = 3;
	struct ft_case learned;
	int file = mkstemp(path);

	if (file >= 0)
		(void)close(file);
	ok(!ft_case_make(&matrix, basis, 2, &target, 1, NULL, 0, false, &learned, NULL) &&
		   learned.problem.m == 2,
	   "two rows are learned from");
	test_places(&learned);
	test_refused(&learned);
	test_no_memory(&learned);
	ft_case_clear(&learned);
	(void)unlink(path);
	return done();
}
