/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-change-told.c - lives of programs of all kinds: what is told of their changes, and which runs stay. */
#include "model-told.h"

#include "model/model.h"

static const int64_t begin_ns = 1000000007, second_ns = 1000000000;

/* How a program lived. */
static const struct kind {
	const char *name;
	size_t sizes;        /* how many there are; 0: each run has its own */
	size_t least, most;  /* runs */
	double noise, shift; /* of ln value; the shift comes somewhere in the middle */
	double second;       /* ... and one more in the last quarter */
	double step;         /* values are multiples of it */
	bool late;           /* the shift comes with the last three, four or five runs */
	bool shuffled;       /* told in another order than they ran */
	double told;         /* all that was told */
} kinds[] = {
	{.name = "few", .sizes = 3, .least = 4, .most = 12, .noise = 0.01, .shift = 0.3, .told = 214.065614},
	{.name = "repeated",
	 .sizes = 6,
	 .least = 12,
	 .most = 50,
	 .noise = 0.02,
	 .shift = 0.1,
	 .told = 766.204688},
	{.name = "faster",
	 .sizes = 5,
	 .least = 12,
	 .most = 40,
	 .noise = 0.03,
	 .shift = -0.4,
	 .told = 528.819881},
	{.name = "noisy",
	 .sizes = 8,
	 .least = 20,
	 .most = 60,
	 .noise = 0.2,
	 .shift = 0.5,
	 .told = 1195.914946},
	{.name = "new sizes", .least = 20, .most = 70, .noise = 0.01, .shift = 0.15, .told = 2469.426844},
	{.name = "twice",
	 .sizes = 5,
	 .least = 30,
	 .most = 60,
	 .noise = 0.01,
	 .shift = 0.2,
	 .second = -0.3,
	 .told = 974.314279},
	{.name = "counts",
	 .sizes = 6,
	 .least = 12,
	 .most = 50,
	 .noise = 0.02,
	 .shift = 0.2,
	 .step = 1,
	 .told = 919.216889},
	{.name = "none", .sizes = 6, .least = 12, .most = 50, .noise = 0.05, .told = 935.755374},
	{.name = "many",
	 .sizes = 7,
	 .least = 100,
	 .most = 200,
	 .noise = 0.02,
	 .shift = 0.1,
	 .told = 476.288272},
	{.name = "very many",
	 .sizes = 7,
	 .least = 400,
	 .most = 700,
	 .noise = 0.05,
	 .shift = 0.15,
	 .told = 1515.672251},
	{.name = "in any order",
	 .sizes = 6,
	 .least = 12,
	 .most = 50,
	 .noise = 0.02,
	 .shift = 0.2,
	 .shuffled = true,
	 .told = 810.672100},
	{.name = "late",
	 .sizes = 4,
	 .least = 16,
	 .most = 40,
	 .noise = 0.01,
	 .shift = 0.4,
	 .late = true,
	 .told = 547.987168},
};

static double law(double x)
{
	return 1e-3 + 2e-9 * x * x * log2(x);
}

static void live(const struct kind *kind, struct samples *s, struct ft_random *random)
{
	size_t n = kind->least + ft_random_below(random, kind->most - kind->least),
	       at = n / 4 + ft_random_below(random, n / 2), i;

	if (kind->late)
		at = n - 3 - ft_random_below(random, 3);
	s->n = 0;
	for (i = 0; i < n; i++) {
		double x = kind->sizes ? 100 * pow(1.6, (double)ft_random_below(random, kind->sizes))
				       : 100 * pow(70, ft_random_uniform(random)),
		       value = law(round(x)) *
			       exp(kind->noise * ft_random_normal(random) + (i >= at ? kind->shift : 0) +
				   (i >= n - n / 4 ? kind->second : 0));

		add(s, round(x), 1, kind->step > 0 ? round(2e3 * value) : value);
		s->o[i].when_ns = begin_ns + second_ns * (int64_t)i;
	}
	for (i = 0; i < n && kind->shuffled; i++) {
		size_t k = ft_random_below(random, n);
		struct ft_observation o = s->o[i];

		s->o[i] = s->o[k];
		s->o[k] = o;
	}
}

static void tell_life(struct test_told *told, const struct kind *kind, struct samples *s)
{
	const struct ft_model_options options = {.step = kind->step};
	struct ft_change change;

	if (ft__change_settle(s->o, &s->n, &options, &change, NULL))
		s->n = 0;
	test_tell(told, (double)s->n, 1);
	test_tell(told, change.shift, 1e-2);
	test_tell(told, change.error, 1e-3);
	test_tell(told, (double)change.runs, 1);
	test_tell(told, (double)(change.since_ns / second_ns), 1);
	for (size_t i = 0; i < s->n; i++) {
		test_tell(told, s->o[i].size.value[0], 100);
		test_tell(told, s->o[i].value / law(s->o[i].size.value[0]), kind->step > 0 ? 1e3 : 1);
	}
}

int main(void)
{
	static struct samples s;

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k += test_score_step()) {
		int lives = kinds[k].most > 99 ? 2 : 10;
		struct ft_random random = {k + 1};
		struct test_told told = {0};

		for (int i = 0; i < lives; i++) {
			live(&kinds[k], &s, &random);
			tell_life(&told, &kinds[k], &s);
		}
		test_told(kinds[k].name, &told, kinds[k].told);
	}
	return done();
}
