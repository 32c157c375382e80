/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-compose.c - programs at their sizes, and whether two together are their sum. */
#include "base/alloc.h"
#include "foretime/surrogate.h"
#include "matrix-made.h"
#include "surrogate/door.h"
#include "tap.h"

enum { COLUMNS = 10 };

static const char *const rows[] = {"time", "faults"};
static const char *const columns[COLUMNS] = {"f n=20",  "f n=10",  "g n=10", "g n=20",      "g n=40",
					     "fg n=10", "fg n=20", "h",      "f n=10 m=20", "ff n=10"};
static const double value[2 * COLUMNS] = {
	4, 2, 3, 5, 9, 5.4, 14, 1, 7, 8, /* time */
	0, 0, 0, 0, 0, 0,   2,  1, 7, 8, /* faults */
};
static struct ft_matrix matrix;

static void test_sized(void)
{
	struct ft_sized f = {0}, h = {0};
	struct ft_err err = {0};

	ok(!ft_sized_find(&f, &matrix, "f", NULL) && f.sizes == 2 && f.n[0] == 10 && f.n[1] == 20 &&
		   f.column[0] == 1 && f.column[1] == 0,
	   "its sizes ascend: no program whose name begins so, none of two parameters");
	ok(ft_sized_column(&f, 10) == 1 && ft_sized_column(&f, 30) == -1, "its column at a size");
	ok(!ft_sized_find(&h, &matrix, "h", NULL) && h.sizes == 1 && isnan(h.n[0]) &&
		   ft_sized_column(&h, 10) == 7 && ft_sized_column(&h, NAN) == 7,
	   "one without sizes is the same at each");
	ft_sized_clear(&f);
	ft_sized_clear(&f);
	ft_sized_clear(&h);
	ok(ft_sized_find(&f, &matrix, "x", &err) == FT_ENOENT && strstr(err.remedy, "\"x n=SIZE\"") && !f.n,
	   "%s", err.text);
}

/* Columns with a size and one without, in any order. */
static void test_without_size(void)
{
	static const char *const names[3][4] = {{"f", "f n=20", "f n=10", "f n=15"},
						{"f n=20", "f", "f n=10", "f n=15"},
						{"f n=20", "f n=15", "f n=10", "f"}};
	static const double one[4] = {1, 2, 3, 4};
	int bad = 0;

	for (size_t i = 0; i < 3; i++) {
		struct ft_matrix made = made_matrix(rows, 1, names[i], 4, one);
		struct ft_sized f = {0};

		(void)ft_sized_find(&f, &made, "f", NULL);
		bad += f.sizes != 4 || f.n[0] != 10 || f.n[1] != 15 || f.n[2] != 20 || !isnan(f.n[3]);
		for (size_t k = 0; k < f.sizes; k++)
			bad += ft_sized_column(&f, f.n[k]) != (long)f.column[k];
		bad += strcmp(made.column[ft_sized_column(&f, 30)], "f") != 0;
		ft_sized_clear(&f);
		ft_matrix_clear(&made);
	}
	ok(!bad, "what was measured at a size counts there, the one without at all others");
}

/* By hand: f + g is 5 at 10 and 9 at 20 (5.4 and 14 are measured); f + n g is 32 and 104. */
static void test_sums(void)
{
	struct ft_sized f = {0}, g = {0}, fg = {0};
	struct ft_composition of = {
		.matrix = &matrix, .first = &f, .second = &g, .whole = &fg, .tolerance = 0.1};
	struct ft_sum *sum = NULL;
	struct ft_expr *phi = NULL;
	size_t n;

	(void)ft_sized_find(&f, &matrix, "f", NULL);
	(void)ft_sized_find(&g, &matrix, "g", NULL);
	(void)ft_sized_find(&fg, &matrix, "fg", NULL);
	ok(!ft_sums_compare(&of, &sum, &n, NULL) && n == 4 && sum[0].n == 10 && sum[0].row == 0 &&
		   sum[0].parts == 5 && sum[0].whole == 5.4 && near(sum[0].off, 5 / 5.4 - 1, 1e-12) &&
		   sum[0].holds,
	   "7 %% off holds within 10 %%");
	ok(n == 4 && sum[2].n == 20 && sum[2].parts == 9 && near(sum[2].off, 9. / 14 - 1, 1e-12) &&
		   !sum[2].holds,
	   "36 %% off does not");
	ok(n == 4 && sum[1].off == 0 && sum[1].holds && sum[3].row == 1 && sum[3].off == -1 && !sum[3].holds,
	   "nothing is the sum of nothing; something is not");
	free(sum);
	(void)ft_expr_new(&phi, "n", NULL);
	of.phi = phi;
	of.whole = NULL;
	ok(!ft_sums_compare(&of, &sum, &n, NULL) && n == 4 && sum[0].parts == 32 && sum[2].parts == 104 &&
		   isnan(sum[2].off) && isnan(sum[2].whole) && sum[2].holds,
	   "the second is called n times; nothing is compared");
	free(sum);
	ft_expr_free(phi);
	ft_sized_clear(&f);
	ft_sized_clear(&g);
	ft_sized_clear(&fg);
}

static void test_refused(void)
{
	struct ft_sized f = {0}, fg = {0}, none = {0};
	struct ft_composition of = {.matrix = &matrix, .first = &f, .second = &fg};
	struct ft_err err = {0};
	struct ft_expr *phi = NULL;
	struct ft_sum *sum = NULL;
	unsigned long passed = 0;
	size_t n = 0;

	(void)ft_sized_find(&f, &matrix, "f", NULL);
	(void)ft_sized_find(&fg, &matrix, "g", NULL);
	(void)ft_expr_new(&phi, "log(n - 10)", NULL);
	of.phi = phi;
	ok(ft_sums_compare(&of, &sum, &n, &err) == FT_EINVAL && !sum && strstr(err.text, "phi at n=10: "),
	   "%s", err.text);
	of.phi = NULL;
	fg.sizes = 0;
	ok(ft_sums_compare(&of, &sum, &n, &err) == FT_ENOMODEL && strstr(err.text, "at the same size"), "%s",
	   err.text);
	fg.sizes = 3;
	for (unsigned long k = 1; k < 5 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_sums_compare(&of, &sum, &n, NULL) ? k : 0;
		(void)ft_alloc_fail_at(0);
	}
	free(sum);
	ok(passed == 2, "the one allocation may fail");
	(void)ft_alloc_fail_at(2);
	ok(ft_sized_find(&none, &matrix, "f", NULL) == FT_ENOMEM && !none.column, "no memory for sizes");
	(void)ft_alloc_fail_at(0);
	ft_expr_free(phi);
	ft_sized_clear(&f);
	ft_sized_clear(&fg);
}

int main(void)
{
	matrix = made_matrix(rows, 2, columns, COLUMNS, value);
	test_sized();
	test_without_size();
	test_sums();
	test_refused();
	ft_matrix_clear(&matrix);
	return done();
}
