/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-visits.c - what runs of one size at different times differ by: beside an analysis of variance by hand. */
#include "model-test.h"
#include "model/model.h"
#include "tap.h"

enum { SIZES = 4, VISITS = 5, RUNS = 3, ALL = SIZES * VISITS * RUNS };

static double drift_of(const struct ft_observation *o, size_t n, double offset)
{
	double drift = -1;

	if (ft__visits_drift(o, n, offset, &drift, NULL))
		diag("no memory");
	return drift;
}

/* In turn each size is run a few times, over and over; each visit is off by its own. */
static void make(struct ft_observation *o, double (*ln)[SIZES][RUNS], double between, double within,
		 struct ft_random *random)
{
	size_t n = 0;

	for (size_t v = 0; v < VISITS; v++)
		for (size_t s = 0; s < SIZES; s++) {
			double off = between * ft_random_normal(random);

			for (size_t r = 0; r < RUNS; r++) {
				ln[v][s][r] = (double)s + off + within * ft_random_normal(random);
				o[n++] = (struct ft_observation){
					{1, {(double)(s + 1)}}, 1, exp(ln[v][s][r]), 0, 0, false, 0, 0, 0};
			}
		}
}

/* Mean squares within visits, between them, and about the means of sizes, which a model counts already. */
static double by_hand(double (*ln)[SIZES][RUNS])
{
	double within = 0, between = 0, held = 0, size[SIZES] = {0}, visit[VISITS][SIZES] = {{0}};

	for (size_t v = 0; v < VISITS; v++)
		for (size_t s = 0; s < SIZES; s++)
			for (size_t r = 0; r < RUNS; r++) {
				visit[v][s] += ln[v][s][r] / RUNS;
				size[s] += ln[v][s][r] / RUNS / VISITS;
			}
	for (size_t v = 0; v < VISITS; v++)
		for (size_t s = 0; s < SIZES; s++) {
			between += RUNS * pow(visit[v][s] - size[s], 2) / (SIZES * (VISITS - 1));
			for (size_t r = 0; r < RUNS; r++) {
				within += pow(ln[v][s][r] - visit[v][s], 2) / (SIZES * VISITS * (RUNS - 1));
				held += pow(ln[v][s][r] - size[s], 2) / (SIZES * (VISITS * RUNS - 1));
			}
		}
	return fmax(0, within + fmax(0, between - within) / RUNS - held);
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	double ln[VISITS][SIZES][RUNS];
	struct ft_observation o[ALL];
	int i, bad = 0, some = 0, cases = test_cases(40);

	for (i = 0; i < cases; i++) {
		make(o, ln, i % 2 ? 0.1 : 0.01, 0.02, &random);
		bad += !(fabs(drift_of(o, ALL, 0) - by_hand(ln)) < 1e-12);
		some += by_hand(ln) > 0;
	}
	ok(bad == 0 && some > cases / 4, "as by hand: %d of %d are not, %d are more than nothing", bad, cases,
	   some);
}

/* All that may be taken for visits and is none, or is not counted. */
static void test_edges(void)
{
	struct ft_random random = {test_seed()};
	double ln[VISITS][SIZES][RUNS], drift;
	struct ft_observation o[ALL], late[ALL];

	make(o, ln, 0.1, 0.02, &random);
	drift = drift_of(o, ALL, 0);
	for (size_t i = 0; i < ALL; i++) {
		late[i] = o[i];
		late[i].value -= 0.5;
	}
	ok(drift > 0 && near(drift_of(late, ALL, 0.5), drift, 1e-9), "an offset is taken off again");
	ok(drift_of(o, RUNS, 0) == 0 && drift_of(o, (size_t)SIZES * RUNS, 0) == 0,
	   "one visit of each: nothing");
	ok(drift_of(o, (size_t)(SIZES + 1) * RUNS, 0) == 0 && drift_of(o, (size_t)(SIZES + 2) * RUNS, 0) > 0,
	   "one size that came again says too little, two say something");
	o[7].value *= 100;
	ok(drift_of(o, ALL, 0) < 2 * drift, "a spike comes at any time: %g, %g without", drift_of(o, ALL, 0),
	   drift);
}

int main(void)
{
	test_random();
	test_edges();
	return done();
}
