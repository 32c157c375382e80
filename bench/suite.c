/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite.c - a suite of benchmarks, old and new in pairs: how many slower ones are found in a budget, and how many are
 * false.
 *
 *	bench-suite [--suites N] [--benchmarks B] [--slower K] [--percent P] [--budget S] [--confidence C %] [FILE]
 *
 * N suites of B benchmarks, of which K take P % longer. A pair costs 0.1 to 2 s. Noise is made: runs vary by 1 %, and of
 * some benchmarks every other run takes longer by an exponential with a mean of 4 or 12 %. With FILE it is recorded: lines
 * "NAME BEFORE NOW" of pairs of one and the same program, in their order; each benchmark begins at a chance pair of a
 * chance NAME, and which of two is the old one is drawn.
 */
#include "ask/door.h"
#include "base/random.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, RECORDED = 20000 };

struct recorded {
	char name[64];
	double before, now;
};

struct world {
	struct ft_random random;
	struct recorded *recorded; /* [n]; n == 0: noise is made */
	size_t n, names, first[MOST], length[MOST];
};

/* A benchmark: its cost, its noise, how much longer it takes now. */
struct made {
	double cost_s, factor, slowed;
	size_t name, at;
};

static double draw(struct world *w, const struct made *m)
{
	double seconds = exp(0.01 * ft_random_normal(&w->random));

	if (m->slowed > 0 && ft_random_below(&w->random, 2))
		seconds *= 1 - m->slowed * log(1 - ft_random_uniform(&w->random));
	return seconds;
}

static void make(struct world *w, struct made *m, double factor)
{
	static const double slowed[] = {0, 0.04, 0.12};

	*m = (struct made){.cost_s = 0.1 * exp(3 * ft_random_uniform(&w->random)), .factor = factor};
	m->slowed = slowed[ft_random_below(&w->random, 3)];
	if (w->n) {
		m->name = ft_random_below(&w->random, w->names);
		m->at = ft_random_below(&w->random, w->length[m->name]);
	}
}

static void run_pair(struct world *w, struct made *m, struct ft_paired *p)
{
	double before, now;

	if (w->n) {
		const struct recorded *r = &w->recorded[w->first[m->name] + m->at++ % w->length[m->name]];
		const bool swapped = ft_random_below(&w->random, 2);

		before = swapped ? r->now : r->before;
		now = swapped ? r->before : r->now;
	} else {
		before = draw(w, m);
		now = draw(w, m);
	}
	(void)ft_paired_add(p, before, m->factor * now, m->cost_s * (before + m->factor * now) / 2, NULL);
}

static void read_recorded(struct world *w, FILE *file)
{
	struct recorded r;

	w->recorded = calloc(RECORDED, sizeof *w->recorded);
	while (w->recorded && w->n < RECORDED &&
	       fscanf(file, "%63s %lf %lf", r.name, &r.before, &r.now) == 3) {
		if (!w->n || strcmp(r.name, w->recorded[w->n - 1].name) != 0) {
			if (w->names == MOST)
				break;
			w->first[w->names++] = w->n;
		}
		w->length[w->names - 1]++;
		w->recorded[w->n++] = r;
	}
	/* In its own unit: costs are drawn. */
	for (size_t k = 0; k < w->names; k++) {
		const double unit = w->recorded[w->first[k]].before;

		for (size_t i = w->first[k]; i < w->first[k] + w->length[k]; i++) {
			w->recorded[i].before /= unit;
			w->recorded[i].now /= unit;
		}
	}
}

int main(int argc, char **argv)
{
	uint64_t suites = 100, benchmarks = 40, slower = 3;
	double percent = 5, budget_s = 600, confidence = 99, pairs = 0, spent = 0;
	const char *path = NULL;
	const struct word words[] = {{"--suites", WORD_COUNT, &suites},
				     {"--benchmarks", WORD_COUNT, &benchmarks},
				     {"--slower", WORD_COUNT, &slower},
				     {"--percent", WORD_NUMBER, &percent},
				     {"--budget", WORD_NUMBER, &budget_s},
				     {"--confidence", WORD_NUMBER, &confidence},
				     {0}};
	struct world w = {.random = {1}};
	size_t found = 0, wrong = 0, with_wrong = 0;

	if (!words_read(words, argc, argv, &path) || benchmarks > MOST)
		return fprintf(stderr,
			       "usage: bench-suite [--suites N] [--benchmarks B] [--slower K] [--percent P] "
			       "[--budget S] [--confidence C] [FILE]\n"),
		       2;
	FILE *file = path ? fopen(path, "r") : NULL;
	if (path && !file)
		return perror(path), 1;
	if (file) {
		read_recorded(&w, file);
		(void)fclose(file);
	}
	for (uint64_t k = 0; k < suites; k++) {
		struct ft_paired p[MOST] = {0};
		struct made m[MOST];
		double left_s = budget_s;
		size_t next, wrong_here = 0;

		for (size_t i = 0; i < benchmarks; i++) {
			p[i].resource = &ft_wall_s;
			make(&w, &m[i], i < slower ? 1 + percent / 100 : 1);
		}
		while (left_s > 0 && (next = ft_suite_next(p, benchmarks)) != SIZE_MAX) {
			run_pair(&w, &m[next], &p[next]);
			left_s -= m[next].cost_s * (1 + m[next].factor);
			pairs++;
			ft_suite_judge(p, benchmarks, 1 - confidence / 100);
		}
		spent += budget_s - left_s;
		for (size_t i = 0; i < benchmarks; i++) {
			found += i < slower && p[i].verdict == FT_VERDICT_OVER;
			wrong_here += (i >= slower && p[i].verdict == FT_VERDICT_OVER) ||
				      p[i].verdict == FT_VERDICT_UNDER;
			ft_paired_clear(&p[i]);
		}
		wrong += wrong_here;
		with_wrong += wrong_here > 0;
	}
	printf("%s: %zu suites of %zu, %zu of them %g %% slower, %g s: %.2f found, %.3f false discoveries a "
	       "suite "
	       "(%zu suites with one), %.0f pairs, %.0f s\n",
	       path ? path : "made", (size_t)suites, (size_t)benchmarks, (size_t)slower, percent, budget_s,
	       (double)found / (double)suites, (double)wrong / (double)suites, with_wrong,
	       pairs / (double)suites, spent / (double)suites);
	free(w.recorded);
	return 0;
}
