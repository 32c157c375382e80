/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-couple.c - routines that follow each other: couplings, and what all take. */
#include "base/alloc.h"
#include "foretime/surrogate.h"
#include "matrix-made.h"
#include "surrogate/door.h"
#include "tap.h"

static void test_windows(void)
{
	ok(ft_chain_windows(3, 2, false) == 2 && ft_chain_windows(3, 2, true) == 3 &&
		   ft_chain_windows(3, 3, true) == 1 && !ft_chain_windows(3, 4, true) &&
		   !ft_chain_windows(3, 1, false),
	   "windows of neighbours");
}

/* By hand: A 1, B 2, C 3; AB 3.3, BC 4, CA 4. */
static void test_hand(void)
{
	const double alone[] = {1, 2, 3}, together[] = {3.3, 4, 4};
	double coupling[3] = {0}, weight[3] = {0}, whole = 0;

	ok(!ft_chain_couple(alone, 3, together, 2, true, coupling, weight, &whole, NULL) &&
		   near(coupling[0], 1.1, 1e-12) && near(coupling[1], 0.8, 1e-12) &&
		   near(coupling[2], 1, 1e-12),
	   "each pair beside its sum: %g %g %g", coupling[0], coupling[1], coupling[2]);
	ok(near(weight[0], (1.1 * 3.3 + 1 * 4) / 7.3, 1e-12) &&
		   near(weight[1], (1.1 * 3.3 + 0.8 * 4) / 7.3, 1e-12) && near(weight[2], 0.9, 1e-12) &&
		   near(whole, weight[0] + 2 * weight[1] + 3 * weight[2], 1e-12),
	   "a routine's weight is the mean of its pairs, all take %g", whole);
	ok(!ft_chain_couple(alone, 3, together, 2, false, coupling, weight, &whole, NULL) &&
		   near(weight[0], 1.1, 1e-12) && near(weight[2], 0.8, 1e-12),
	   "without a loop the ends have one pair each");
	ok(!ft_chain_couple(alone, 3, together, 3, true, coupling, weight, &whole, NULL) &&
		   near(whole, 3.3, 1e-12),
	   "all together are what they are");
}

/* Neighbours that share alike: what all take is told without an error. */
static void test_alike(void)
{
	const double alone[] = {1, 2, 3, 4}, share = 0.75;
	double together[4], coupling[4], weight[4], whole = 0;

	for (size_t i = 0; i < 4; i++)
		together[i] = share * (alone[i] + alone[(i + 1) % 4]);
	ok(!ft_chain_couple(alone, 4, together, 2, true, coupling, weight, &whole, NULL) &&
		   near(whole, share * 10, 1e-12),
	   "a share of each: %g", whole);
}

static void test_refused(void)
{
	const double alone[] = {1, 0}, good[] = {1, 2}, none[] = {0};
	double coupling[2], weight[2], whole = 0;
	struct ft_err err = {0};

	ok(ft_chain_couple(alone, 2, good, 3, false, coupling, weight, &whole, &err) == FT_EINVAL &&
		   strstr(err.text, "no windows"),
	   "%s", err.text);
	ok(ft_chain_couple(good, 2, none, 2, false, coupling, weight, &whole, &err) == FT_EINVAL &&
		   strstr(err.text, "no coupling"),
	   "%s", err.text);
}

static const char *const rows[] = {"time", "faults"};
static const char *const columns[] = {"p/a n=5",     "p/b n=5", "p/c n=5", "p/a+b n=5",
				      "p/b+p/c n=5", "p n=5",   "p/a n=6"};
static const double value[] = {
	1, 2, 3, 3.3, 4, 5.5, 9, /* time */
	1, 0, 3, 2,   2, 5,   9, /* faults */
};
static char a[] = "p/a", b[] = "p/b", c[] = "p/c", x[] = "p/x", *names[] = {a, b, c};

/* The pairs of test_hand; one of them under its brief name, one under its full one. */
static void test_matrix(void)
{
	struct ft_matrix matrix = made_matrix(rows, 2, columns, 7, value);
	const struct ft_chain chain = {.matrix = &matrix, .name = names, .k = 3, .target = "p"};
	struct ft_coupled *at = NULL;
	unsigned long k;
	bool passed = false;
	size_t n = 0;

	ok(!ft_chain_measure(&chain, &at, &n, NULL) && n == 1 && at->n == 5 && at->row == 0 &&
		   at->length == 2 && at->windows == 2 && near(at->coupling[0], 1.1, 1e-12) &&
		   near(at->coupling[1], 0.8, 1e-12),
	   "where each routine takes something, the longest windows that were measured");
	ok(n == 1 && at->sum == 6 && at->measured == 5.5 &&
		   near(at->composed, 1.1 * 1 + (1.1 * 3.3 + 0.8 * 4) / 7.3 * 2 + 0.8 * 3, 1e-12),
	   "beside the sum 6 and the 5.5 that all take");
	ft_coupled_free(at, n);
	for (k = 1; k < 100 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_chain_measure(&chain, &at, &n, NULL);
		(void)ft_alloc_fail_at(0);
		ok(passed || !at, "allocation %lu fails, or there are fewer", k);
	}
	ft_coupled_free(at, n);
	ok(passed && k > 10, "each allocation may fail");
	ft_matrix_clear(&matrix);
}

static void test_matrix_refused(void)
{
	char *unknown[] = {a, x}, *apart[] = {a, c};
	struct ft_matrix matrix = made_matrix(rows, 2, columns, 7, value);
	struct ft_chain chain = {.matrix = &matrix, .name = unknown, .k = 2};
	struct ft_coupled *at = NULL;
	struct ft_err err = {0};
	size_t n;

	ok(ft_chain_measure(&chain, &at, &n, &err) == FT_ENOENT && !at && strstr(err.text, "'p/x'"), "%s",
	   err.text);
	chain.name = apart;
	ok(ft_chain_measure(&chain, &at, &n, &err) == FT_ENOMODEL && strstr(err.remedy, "'p/a+c'"), "%s: %s",
	   err.text, err.remedy);
	chain.name = names;
	chain.k = 3;
	char *name = ft_chain_window_name(&chain, 2, 2, false);
	ok(name && !strcmp(name, "p/c+p/a"), "a window goes round: %s", name);
	free(name);
	ft_matrix_clear(&matrix);
}

int main(void)
{
	test_matrix();
	test_matrix_refused();
	test_windows();
	test_hand();
	test_alike();
	test_refused();
	return done();
}
