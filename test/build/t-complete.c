/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-complete.c - how much of what a builder will want is there: a share that rises to 1, by each rule. */
#include "several.h"

#include "scores.h"

enum { ASKS_MOST = 2000 };

struct series {
	double at[ASKS_MOST], half[ASKS_MOST]; /* after each ask; with half of what it asked for */
	size_t told[ASKS_MOST], asked[ASKS_MOST], n;
	double in_the_end;
};

static double seconds(const double *x)
{
	return 1e-3 + 1e-6 * x[0] * x[0] * (x[1] > 0 ? x[1] : 1);
}

static void watch(const char *type, const struct ft_build_options *options, struct series *s)
{
	static struct asked asked;
	const struct ft_builder_type *found = ft_builder_type_find(type);
	const struct fake fake = {.seconds = seconds, .noise = 0.02, .overhead = 0.01};
	struct ft_random random = {5};
	struct ft_builder *builder;
	struct ft_size size[8];
	size_t n = 1, told = 0;

	asked = (struct asked){0};
	*s = (struct series){.in_the_end = NAN};
	if (ft_builder_new(&builder, found, options, NULL))
		return;
	ft_builder_price(builder, fake.overhead, 1, 0);
	while (!ft_builder_ask(builder, size, found->repeats ? 1 : 8, &n, NULL) && n && s->n < ASKS_MOST) {
		s->at[s->n] = ft_builder_complete(builder, 0);
		s->half[s->n] = ft_builder_complete(builder, (double)n / 2);
		s->asked[s->n] = n;
		s->told[s->n++] = told;
		for (size_t i = 0; i < n; i++, told++)
			measure(&asked, &fake, &random, found->repeats, builder, &size[i]);
	}
	s->in_the_end = ft_builder_complete(builder, 0);
	ft_builder_free(builder);
}

static double mean_of(const struct series *s, size_t part, size_t parts)
{
	size_t from = part * s->n / parts, to = (part + 1) * s->n / parts, i;
	double sum = 0;

	for (i = from; i < to; i++)
		sum += s->at[i] / (double)(to - from);
	return sum;
}

/* A rule, and what it told in the mean: a score of which neither more nor less is better. */
static const struct rule {
	const char *type;
	size_t params, points;
	double budget_s, tolerance, was[2];
} rules[] = {
	{"adaptive", 1, 0, 0, 0.05, {0.56346, 0.56346}},   {"adaptive", 1, 12, 0, 0.001, {0.47216, 0.47216}},
	{"adaptive", 1, 0, 3, 0.001, {0.51759, 0.51759}},  {"adaptive", 2, 0, 0, 0.05, {0.22846, 0.22846}},
	{"adaptive", 2, 20, 0, 0.001, {0.46983, 0.46983}}, {"adaptive", 2, 0, 30, 0.001, {0.41764, 0.41764}},
	{"gbbp", 1, 0, 0, 0.02, {0.57005, 0.59722}},       {"gbbp", 1, 20, 0, 0.001, {0.31599, 0.39269}},
	{"gbbp", 2, 0, 0, 0.05, {0.35813, 0.37345}},       {"gbbp", 2, 30, 0, 0.05, {0.41333, 0.44667}},
	{"gbbp_naive", 1, 0, 0, 0.02, {0.647, 0.68635}},   {"naive_bisect", 2, 7, 0, 0.05, {0.36735, 0.4229}},
};

static struct ft_build_options options_of(const struct rule *rule)
{
	struct ft_build_options o = options2(16, 1024, 4, 64);

	o.n_params = rule->params;
	o.points = rule->points;
	o.budget_s = rule->budget_s;
	o.tolerance = rule->tolerance;
	return o;
}

static void rises(const struct rule *rule)
{
	static struct series s;
	const struct ft_build_options options = options_of(rule);
	char name[80];
	double half = 0;
	size_t outside = 0;

	(void)snprintf(name, sizeof name, "%s over %zu, %zu points, %g s, %g", rule->type, rule->params,
		       rule->points, rule->budget_s, rule->tolerance);
	watch(rule->type, &options, &s);
	for (size_t i = 0; i < s.n; i++) {
		outside += !(s.at[i] >= 0 && s.at[i] < 1 && s.half[i] >= s.at[i] && s.half[i] <= 1);
		half += s.half[i] / (double)s.n;
	}
	ok(!outside && s.n > 3 && s.at[0] < 0.1 && s.in_the_end <= 1 && s.in_the_end >= s.at[s.n - 1],
	   "%s: %zu asks, from %g to %g", name, s.n, s.at[0], s.in_the_end);
	ok(mean_of(&s, 0, 2) < mean_of(&s, 1, 2), "it rises: %g, %g", mean_of(&s, 0, 2), mean_of(&s, 1, 2));
	test_score(name, "share", mean_of(&s, 0, 1), rule->was[0]);
	test_score(name, "share with half of what was asked", half, rule->was[1]);
}

/* What knows its sizes beforehand: of so many that many are there. */
static void counts(const char *type, size_t params, size_t points, size_t all)
{
	static struct series s;
	struct ft_build_options o = options2(16, 1024, 4, 64);
	size_t bad = 0;

	o.n_params = params;
	o.points = points;
	watch(type, &o, &s);
	for (size_t i = 0; i < s.n; i++) {
		bad += !near(s.at[i], (double)s.told[i] / (double)all, 1e-12);
		bad += !near(s.half[i], ((double)s.told[i] + (double)s.asked[i] / 2) / (double)all, 1e-12);
	}
	ok(!bad && s.n > 1 && s.in_the_end == 1, "%s over %zu: %zu sizes are counted, %zu wrong", type,
	   params, all, bad);
}

/* A wide grid of which few sizes are measured: the share is that of the sizes that it measures in the end, as
 * far as its lines show, and never falls. */
static void wide(const char *type)
{
	static struct series s;
	struct ft_build_options o = options2(1, 2000, 1, 1000);
	double least = INFINITY, most = 0;
	size_t falls = 0;

	o.tolerance = 0.05;
	watch(type, &o, &s);
	double all = (double)(s.told[s.n - 1] + s.asked[s.n - 1]);
	for (size_t i = 1; i < s.n; i++) {
		falls += s.at[i] < s.at[i - 1];
		if (s.told[i] < 10)
			continue;
		least = fmin(least, s.at[i] / ((double)s.told[i] / all));
		most = fmax(most, s.at[i] / ((double)s.told[i] / all));
	}
	ok(!falls && s.n > 10, "%s over 2, wide: never falls in %zu asks", type, s.n);
	ok(least > 0.1 && most < 10, "%.2f to %.2f times the share of the %.0f sizes that it measures", least,
	   most, all);
}

int main(void)
{
	wide("gbbp");
	wide("gbbp_naive");
	wide("naive");
	wide("naive_bisect");

	counts("naive", 1, 0, 20);
	counts("naive", 1, 33, 33);
	counts("naive_bisect", 1, 17, 17);
	counts("rand", 1, 0, 20);
	counts("rand", 2, 0, 40);
	counts("rand", 2, 25, 25);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		rises(&rules[i]);
	return done();
}
