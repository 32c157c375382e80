/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cliffs.c - two parameters, 168 sizes: what the builder's model is worth, and what it cost. */
#include "base/random.h"
#include "num/num.h"
#include "subject.h"
#include "surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { NX = 14, NP = 12, CLIFF_RUNS = 3000, GAP_TRIES = 2000, SHAPES = 3, ENDS = 3 };
static const char *const shapes[] = {"nx^3", "nx np", "nx^2/np"}, *const ends[] = {"plain", "edge", "paging"};

/* A function of two parameters, what it does to memory, and where that ends. */
struct cliff {
	int shape, end;
	double nx[NX], np[NP];
	double limit; /* bytes */
};

static double bytes_of(const struct cliff *c, const double *x)
{
	static const double base = 2e6;

	if (c->shape == 0)
		return base + 24 * x[0] * x[0];
	return base + (c->shape == 1 ? 64 * x[0] * x[1] : 64 * x[0] * x[0] / x[1]);
}

static double seconds_of(const struct cliff *c, const double *x)
{
	double t = 1e-3, over = log(bytes_of(c, x) / c->limit);

	t += c->shape == 0   ? 2e-10 * pow(x[0], 3)
	     : c->shape == 1 ? 4e-8 * x[0] * x[1]
			     : 3e-8 * x[0] * x[0] / x[1];
	if (c->end == 1 && over > 0)
		t *= 1.6;
	if (c->end == 2 && over > 0)
		t *= 1 + 6 * fmin(1, over / 0.3);
	return t;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static struct cliff make_cliff(int shape, int end)
{
	static const double shares[ENDS] = {1, 0.55, 0.93};
	struct cliff c = {.shape = shape, .end = end};
	double bytes[NX * NP];

	for (size_t i = 0; i < NX; i++)
		c.nx[i] = round(100 * pow(60, (double)i / (NX - 1)));
	for (size_t i = 0; i < NP; i++)
		c.np[i] = round(4 * pow(128, (double)i / (NP - 1)));
	for (size_t i = 0; i < NX * NP; i++)
		bytes[i] = bytes_of(&c, (double[]){c.nx[i % NX], c.np[i / NX]});
	qsort(bytes, NX * NP, sizeof *bytes, compare_doubles);
	c.limit = end ? bytes[(size_t)(shares[end] * NX * NP)] * 0.97 : INFINITY;
	return c;
}

/* What one build is worth. */
struct worth {
	double runs, cost, mean, p95, told, inside, ask_ms;
	double gap_inside, gap_asked; /* of runs between the two footprints that the cliff lies between */
	bool silent;
};

static size_t build_cliff(const struct cliff *c, struct subject_run *o, struct ft_random *random,
			  struct worth *w)
{
	const struct subject_axis axis[] = {{c->nx[0], c->nx[NX - 1], c->nx, NX},
					    {c->np[0], c->np[NP - 1], c->np, NP}};
	struct subject_builder *builder = subject_open(axis, 2);
	struct ft_size size;
	size_t n = 0, i, k;

	while (builder && n < CLIFF_RUNS && subject_ask(builder, &size)) {
		double seconds[64];

		o[n++] = (struct subject_run){
			size, seconds_of(c, size.value) * exp(0.02 * ft_random_normal(random)),
			bytes_of(c, size.value)};
		for (i = 0, k = 0; i < n; i++)
			if (k < 64 && ft_size_equal(&o[i].size, &size))
				seconds[k++] = o[i].seconds;
		clock_t from = clock(); /* what it wants next is decided when it is told */
		if (!subject_tell(builder, &size, seconds, k, bytes_of(c, size.value)))
			break;
		w->ask_ms += 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC;
		w->cost += o[n - 1].seconds;
	}
	if (builder)
		subject_close(builder);
	w->runs = (double)n;
	w->ask_ms /= fmax(1, w->runs);
	return n;
}

static void judge_cliff(const struct cliff *c, const struct subject_run *o, size_t n,
			const struct subject *model, struct ft_random *random, struct worth *w)
{
	double error[NX * NP], largest = 0, inside = 0, asked = 0;

	for (size_t i = 0; i < NX * NP; i++) {
		struct ft_size size = {2, {c->nx[i % NX], c->np[i / NX]}};
		double truth = seconds_of(c, size.value);
		struct subject_answer said;
		bool known = false;

		largest = fmax(largest, truth);
		if (!subject_predict(model, &size, &said))
			said = (struct subject_answer){0};
		error[i] = fabs(said.value / truth - 1);
		w->mean += error[i] / (NX * NP);
		for (size_t k = 0; k < n && !known; k++)
			known = ft_size_equal(&o[k].size, &size);
		for (size_t k = 0; k < 5 && !known; k++) {
			double run = truth * exp(0.02 * ft_random_normal(random));

			inside += said.lower <= run && run <= said.upper;
			asked++;
		}
	}
	w->p95 = ft_stats_quantile(error, NX * NP, 0.95);
	w->inside = asked > 0 ? inside / asked : 1;
	w->told = subject_told(model);
	w->silent = w->p95 > 0.2 && !subject_rough(model);
	w->cost /= largest;
}

/* Any size, not those of the lattice, whose footprint lies where the cliff is, and nothing was measured. */
static void judge_gap(const struct cliff *c, const struct subject_run *o, size_t n,
		      const struct subject *model, struct ft_random *random, struct worth *w)
{
	double low = 0, high = INFINITY;

	for (size_t i = 0; i < n; i++)
		if (o[i].footprint_bytes <= c->limit)
			low = fmax(low, o[i].footprint_bytes);
		else
			high = fmin(high, o[i].footprint_bytes);
	for (size_t i = 0; i < GAP_TRIES && c->end; i++) {
		struct ft_size size = {
			2,
			{round(c->nx[0] * pow(c->nx[NX - 1] / c->nx[0], ft_random_uniform(random))),
			 round(c->np[0] * pow(c->np[NP - 1] / c->np[0], ft_random_uniform(random)))}};
		double bytes = bytes_of(c, size.value), run;
		struct subject_answer said;

		if (!(bytes > low && bytes < high) || !subject_predict(model, &size, &said))
			continue;
		run = seconds_of(c, size.value) * exp(0.02 * ft_random_normal(random));
		w->gap_inside += said.lower <= run && run <= said.upper;
		w->gap_asked++;
	}
}

void cliffs(uint64_t seeds, const char *type)
{
	static struct subject_run o[CLIFF_RUNS];

	printf("%-24s | runs  cost by largest | error mean   p95 (worst) | told  inside in the gap silent | "
	       "ask ms\n",
	       "");
	for (int end = 0; end < ENDS; end++)
		for (int shape = 0; shape < SHAPES; shape++) {
			struct worth sum = {0};
			double worst = 0;
			size_t silent = 0;

			for (uint64_t seed = 0; seed < seeds; seed++) {
				struct ft_random random = {77 + seed};
				struct cliff c = make_cliff(shape, end);
				struct worth w = {0};
				size_t n = build_cliff(&c, o, &random, &w);
				struct subject *model = subject_fit(o, n, type);

				if (!model)
					continue;
				judge_cliff(&c, o, n, model, &random, &w);
				judge_gap(&c, o, n, model, &random, &w);
				subject_free(model);
				sum.runs += w.runs / (double)seeds;
				sum.cost += w.cost / (double)seeds;
				sum.mean += w.mean / (double)seeds;
				sum.p95 += w.p95 / (double)seeds;
				sum.told += w.told / (double)seeds;
				sum.inside += w.inside / (double)seeds;
				sum.ask_ms += w.ask_ms / (double)seeds;
				sum.gap_inside += w.gap_inside;
				sum.gap_asked += w.gap_asked;
				worst = fmax(worst, w.p95);
				silent += w.silent;
			}
			printf("%-8s%-8s %-7s | %4.0f  %6.2f         | %5.1f %10.1f (%5.1f) | %5.1f %5.1f "
			       "%6.1f    "
			       "%4zu   "
			       "| %5.1f\n",
			       subject_name, shapes[shape], ends[end], sum.runs, sum.cost, 100 * sum.mean,
			       100 * sum.p95, 100 * worst, 100 * sum.told, 100 * sum.inside,
			       100 * sum.gap_inside / fmax(1, sum.gap_asked), silent, sum.ask_ms);
			fflush(stdout);
		}
}
