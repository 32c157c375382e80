/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law-breaks.c - are breaks seen where there is one, and only there: random laws, with and without an edge.
 *
 *	bench-law-breaks [--seed N] [--functions N]
 */
#include "base/random.h"
#include "foretime/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, SIZES_MOST = 24, TERMS = 8 };

static const struct ft_law_factor common[TERMS] = {
	{0, 1, 0, 0, 0, 0},   {0.5, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0},
	{1.5, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0},   {2, 1, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}};

struct score {
	size_t seen, right, several; /* any break; one break, at the edge; more than one */
	size_t inside;               /* truth 4 times beyond within the wider interval */
};

/* One law, n sizes by factors of `ratio` from 64 on, normal noise a, from size `edge` on `jump` times as
 * much. */
static void one_law(struct ft_random *random, size_t n, double ratio, double a, size_t edge, double jump,
		    struct score *score)
{
	static struct ft_laws laws;
	struct ft_law law = {.params = 1, .terms = 1, .term = {{.c = 1}}};
	struct ft_law_sample s[SIZES_MOST * RUNS];
	struct ft_law_prediction p;
	double first = 64, at = 64 * pow(ratio, (double)n - 1) * 4, truth;

	law.term[0].factor[0] = common[ft_random_below(random, TERMS)];
	law.constant = ft_law_value(&law, &first) * pow(10, -1 + 2 * ft_random_uniform(random));
	for (size_t i = 0; i < n * RUNS; i++) {
		s[i].x = floor(64 * pow(ratio, (double)(i / RUNS)));
		s[i].value = ft_law_value(&law, &s[i].x) * (i / RUNS < edge ? 1 : jump) *
			     (1 + a * ft_random_normal(random));
	}
	truth = ft_law_value(&law, &at) * (edge < n ? jump : 1);
	if (ft_laws_fit(&laws, s, n * RUNS, NULL, NULL) ||
	    ft_laws_predict(&laws, at, 0.9, FT_LAW_MEAN, &p, NULL))
		abort();
	score->seen += laws.breaks > 0;
	score->several += laws.breaks > 1;
	score->right += edge < n && laws.breaks == 1 && laws.broken[0].from == s[edge * RUNS].x;
	score->inside += p.wide_lower <= truth && truth <= p.wide_upper;
}

static void one_line(uint64_t seed, size_t functions, size_t n, double a, double jump)
{
	struct ft_random random = {seed};
	struct score score = {0};
	double share = 100 / (double)functions;

	for (size_t i = 0; i < functions; i++) {
		size_t edge = jump == 1 ? n : 3 + ft_random_below(&random, n - 5);

		one_law(&random, n, n > 12 ? sqrt(2) : 2, a, edge, jump, &score);
	}
	printf("%5zu %5.0f %%  %4.1f   %5.1f  %5.1f  %5.1f   %5.1f\n", n, 100 * a, jump,
	       share * (double)score.seen, share * (double)score.several, share * (double)score.right,
	       share * (double)score.inside);
}

int main(int argc, char **argv)
{
	static const double noises[] = {0, 0.02, 0.05, 0.1}, jumps[] = {1, 1.3, 2, 4, 10};
	size_t functions = 500;
	uint64_t seed = 1;
	int k;

	for (k = 1; k + 1 < argc; k += 2)
		if (!strcmp(argv[k], "--seed"))
			seed = strtoull(argv[k + 1], NULL, 10);
		else if (!strcmp(argv[k], "--functions"))
			functions = strtoull(argv[k + 1], NULL, 10);
		else
			break;
	if (k < argc || !functions) {
		(void)fprintf(stderr, "usage: bench-law-breaks [--seed N] [--functions N]\n");
		return 2;
	}
	printf("%zu laws a line, seed %llu, %d runs at each size; a jump of 1 is none. %% of laws:\n",
	       functions, (unsigned long long)seed, RUNS);
	printf("sizes  noise   jump    seen   many  right  inside (wide, 4 times beyond)\n");
	for (size_t n = 10; n <= 20; n += 10)
		for (size_t j = 0; j < sizeof jumps / sizeof *jumps; j++)
			for (size_t i = 0; i < sizeof noises / sizeof *noises; i++)
				one_line(seed, functions, n, noises[i], jumps[j]);
	return 0;
}
