/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-power.c - the energy of runs whose energy nobody measured, by the powers of their machine. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"

/* Runs of n/100 seconds that keep three cores busy. */
static void add_runs(const char *name, double energy_j, bool cpu)
{
	int64_t id = add_program(name, "n=100:100000", NULL);

	for (double n = 100; n <= 1000; n += 100) {
		struct ft_run run = made_run(1, n, 0, n / 100, NAN, cpu ? 3 * n / 100 : NAN);

		if (!isnan(energy_j))
			(void)ft_run_add(&run, &ft_energy_j, energy_j, FT_MEASURED, "test", NULL, NULL);
		add_run(id, run);
	}
}

static struct ft_prediction ask(struct ft_answerer *models, double n, enum ft_status expected)
{
	struct ft_size size = size_of(n);
	struct ft_prediction p = {0};
	struct ft_err err = {0};

	ok(ft_ask_predict(models, &ft_energy_j, &size, 0.9, &p, &err) == expected, "asked at n=%g: %s", n,
	   err.text);
	return p;
}

static bool lists_energy(struct ft_answerer *models)
{
	const struct ft_resource *each;

	for (size_t i = 0; (each = ft_ask_resource(models, i)); i++)
		if (each == &ft_energy_j)
			return true;
	return false;
}

static void test_stated(void)
{
	const struct ft_power power = {
		.parts = 3, .part = {"infr", "machine", "core"}, .watts = {100, 50, 10}};
	struct ft_answerer *models = open_models("bare");

	(void)ask(models, 500, FT_ENOENT);
	ok(!lists_energy(models), "without powers there is none");
	ft_ask_powers(models, &power);
	struct ft_prediction p = ask(models, 500, FT_OK);
	ok(near(p.value, 5 * 150 + 15 * 10, 1e-3) && p.level == FT_LEVEL_POWER && p.basis == FT_BASIS_STATED,
	   "E = (100 + 50) 5 + 10 15, not %g", p.value);
	ok(p.lower > 0 && p.lower <= p.value && p.upper >= p.value, "the interval is that of the time");
	ok(lists_energy(models), "and it is listed");
	ft_ask_close(models);
}

/* The doubt of measured powers widens the interval. */
static void test_measured(void)
{
	struct ft_power power = {.parts = 2,
				 .part = {"infr+machine", "core"},
				 .watts = {150, 10},
				 .noise_w = 18,
				 .freedom = 20};
	struct ft_answerer *models = open_models("bare");

	power.covariance[0] = 4;
	ft_ask_powers(models, &power);
	struct ft_prediction wide = ask(models, 500, FT_OK);
	power.freedom = 0;
	ft_ask_powers(models, &power);
	struct ft_prediction narrow = ask(models, 500, FT_OK);
	ok(wide.value == narrow.value && wide.upper > narrow.upper * 1.1 && wide.lower < narrow.lower / 1.1,
	   "%g .. %g beside %g .. %g", wide.lower, wide.upper, narrow.lower, narrow.upper);
	ok(wide.known > narrow.known, "the typical run is known less well");
	ft_ask_close(models);
}

static void test_refused(void)
{
	const struct ft_power power = {.parts = 2, .part = {"infr", "core"}, .watts = {100, 10}},
			      other = {.parts = 1, .part = {"fan"}, .watts = {100}},
			      all = {.parts = 1, .part = {"all"}, .watts = {30}};
	struct ft_answerer *models = open_models("wall");

	ft_ask_powers(models, &power);
	(void)ask(models, 500, FT_ENOMODEL);
	ft_ask_powers(models, &other);
	(void)ask(models, 500, FT_ENOMODEL);
	ft_ask_powers(models, &all);
	ok(near(ask(models, 500, FT_OK).value, 150, 1e-3), "all is one part: no processor time is needed");
	ft_ask_close(models);
	models = open_models("metered");
	ft_ask_powers(models, &power);
	ok(near(ask(models, 500, FT_OK).value, 77, 1e-3), "what was measured goes before");
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	add_runs("bare", NAN, true);
	add_runs("wall", NAN, false);
	add_runs("metered", 77, true);
	test_stated();
	test_measured();
	test_refused();
	ft_store_close(store);
	temp_remove();
	return done();
}
