/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-shipped.c - models whose shape comes from another machine: it is followed where the runs agree, and dropped where
 * they do not. */
#include "model-told.h"
#include "model/door.h"

#include <math.h>

static double bent(double x) /* a start-up, and a cache that ends at 3000 */
{
	return 0.01 + 1e-6 * x * (x > 3000 ? 2.5 : 1);
}

static double bent_here(double x)
{
	return 3 * bent(x);
}

static double cubic(double x)
{
	return 1e-9 * pow(x, 3);
}

static struct ft_model *donor_of(double (*law)(double))
{
	static struct samples s;
	struct ft_random r = {11};

	s.n = 0;
	sweep(&s, law, 100, 1e5, 30, 3, 0.01, &r);
	return fit_as(&s, &(struct ft_model_options){.through_speed = true});
}

/* Of runs at so many sizes from 100 to 2000, and a donor that may be NULL. */
static struct ft_model *here_of(const struct ft_model *donor, size_t sizes)
{
	static struct samples s;
	struct ft_random r = {12};

	s.n = 0;
	sweep(&s, bent_here, sizes > 1 ? 100 : 1000, 2000, sizes, 1, 0.01, &r);
	return fit_as(&s, &(struct ft_model_options){.through_speed = true, .donor = donor, .donor_mark = 5});
}

static double off(const struct ft_model *model, double x)
{
	return fabs(log(ask(model, x).value / bent_here(x)));
}

static void test_fits(void)
{
	struct ft_model *donor = donor_of(bent);

	for (size_t sizes = 1; sizes <= 5; sizes += 2) {
		struct ft_model *alone = here_of(NULL, sizes), *both = here_of(donor, sizes);
		struct ft_prediction p = ask(both, 5e4);

		ok(off(both, 5e4) < 0.25 && off(both, 5e4) < off(alone, 5e4),
		   "%zu sizes here: far beyond them off by %.3f, alone by %.3f", sizes, off(both, 5e4),
		   off(alone, 5e4));
		ok(p.lower <= bent_here(5e4) && bent_here(5e4) <= p.upper && is_sound(&p),
		   "... within its interval");
		ok(ft_model_facts(both)->trust > 0.5 && near(ft_model_facts(both)->scale, 3, 0.03) &&
			   ft_model_facts(both)->shipped == 5 &&
			   !strcmp(ft_model_facts(both)->type, "shipped"),
		   "... trusted %.2f, times %.3f", ft_model_facts(both)->trust, ft_model_facts(both)->scale);
		ok(ft_model_donor(both) && !ft_model_donor(alone), "... and its donor is known");
		ft_model_free(alone);
		ft_model_free(both);
	}
	ft_model_free(donor);
}

static void test_differs(void)
{
	struct ft_model *donor = donor_of(cubic), *alone = here_of(NULL, 8), *both = here_of(donor, 8);

	ok(ft_model_facts(both)->trust < 0.05, "another shape is not trusted: %.3g",
	   ft_model_facts(both)->trust);
	for (double x = 100; x < 9000; x *= 2)
		ok(fabs(log(ask(both, x).value / ask(alone, x).value)) < 0.02,
		   "at %g it falls back to the runs alone: %g, %g", x, ask(both, x).value,
		   ask(alone, x).value);
	ft_model_free(donor);
	ft_model_free(alone);
	ft_model_free(both);
}

static void test_alone(void)
{
	struct ft_model *donor = donor_of(bent), *shipped = NULL, *memory = NULL;

	ok(!ft_model_ship(&shipped, donor, FT_CLASS_TIME, 9, NULL) &&
		   !ft_model_ship(&memory, donor, FT_CLASS_MEMORY, 9, NULL),
	   "a donor alone");
	struct ft_prediction p = ask(shipped, 1000), q = ask(memory, 1000), r = ask(donor, 1000);
	ok(p.value == r.value && p.upper > 2 * p.value && p.lower < p.value / 2 && is_sound(&p) &&
		   p.runs == 0 && p.basis == FT_BASIS_STATED,
	   "... predicts as wide as times of machines differ: %g .. %g", p.lower, p.upper);
	ok(q.upper < p.upper && q.lower > p.lower, "... memory differs less");
	ok(isnan(ft_model_facts(donor)->trust) && ft_model_facts(shipped)->trust == 1,
	   "... and facts have it");
	ft_model_free(donor);
	ft_model_free(shipped);
	ft_model_free(memory);
}

/* A donor without a value there, and runs that cost nothing: the runs alone answer. */
static void test_nothing(void)
{
	static struct samples s;
	struct ft_model *donor = donor_of(bent), *both;

	s.n = 0;
	for (int i = 0; i < 6; i++)
		add(&s, 100 * (i + 1), 1, i < 3 ? 0 : i);
	both = fit_as(&s, &(struct ft_model_options){.donor = donor, .donor_mark = 1});
	ok(both && ft_model_facts(both)->trust == 0 && ask(both, 600).value > 0, "runs of 0 have no scale");
	ft_model_free(both);
	s.n = 0;
	for (int i = 0; i < 4; i++)
		add(&s, i - 2, 1, 1 + i);
	both = fit_as(&s, &(struct ft_model_options){.donor = donor, .donor_mark = 1});
	ok(both && ft_model_facts(both)->trust == 0, "sizes below 0 are none of the donor's");
	ft_model_free(both);
	ft_model_free(donor);
}

static void test_memory_fails(void)
{
	struct ft_model *donor = donor_of(bent), *model;
	size_t failed = 0, steps = 0;

	for (size_t k = 1; k < 4000; k += k < 60 ? 1 : 37) {
		ft_alloc_fail_at(k);
		model = here_of(donor, 2);
		ft_alloc_fail_at(0);
		steps++;
		failed += !model;
		ft_model_free(model);
	}
	ok(failed && failed <= steps, "allocations that fail end in no model: %zu of %zu", failed, steps);
	ft_model_free(donor);
}

int main(void)
{
	test_fits();
	test_differs();
	test_alone();
	test_nothing();
	test_memory_fails();
	return done();
}
