/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-couple.c - routines that follow each other: couplings, and what all take. */
#include "foretime/surrogate.h"
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
	size_t i;

	for (i = 0; i < 4; i++)
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

int main(void)
{
	test_windows();
	test_hand();
	test_alike();
	test_refused();
	return done();
}
