/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-chooser.c - what a chooser asks for, and how good the choice is that rests on it. */
#include "families.h"
#include "tap.h"

/* Pairs of made devices, so many sizes of each: the geometric mean of the chosen by the best one. */
static void pairs(size_t points, double most, uint64_t seed)
{
	struct ft_random random = {seed};
	size_t n = !test_quick() ? 100 : points > 2 ? 12 : 60, i, runs;
	double sum = 0, always[2], each[2] = {0, 0}, spent;

	for (i = 0; i < n; i++) {
		struct made made[2];

		make_pair(&random, made);
		struct ft_chooser *chooser =
			drive_chooser(made, 2, points, 1e-6, 0.05, &random, &runs, &spent);
		sum += lost(chooser, made, 2, always) / (double)n;
		each[0] += always[0] / (double)n;
		each[1] += always[1] / (double)n;
		ft_chooser_free(chooser);
	}
	ok(exp(sum) <= most,
	   "%zu sizes of each of two devices, %zu pairs: %.3f of the best is no more than %g", points, n,
	   exp(sum), most);
	ok(sum <= fmin(each[0], each[1]), "... and not above one device for all: %.3f, %.3f", exp(each[0]),
	   exp(each[1]));
	diag("seed %llu", (unsigned long long)seed);
}

/* Processes whose start hides small sizes: a choice that is called decided is one, but for few. */
static void processes(size_t n, double most, size_t most_wrong, uint64_t seed)
{
	struct ft_random random = {seed};
	size_t runs, wrong = 0;
	double sum = 0, spent;

	for (size_t i = 0; i < n; i++) {
		struct made made[3];

		make_processes(&random, made, 3);
		struct ft_chooser *chooser = drive_chooser(made, 3, 0, 0.02, 0.05, &random, &runs, &spent);
		double one = lost(chooser, made, 3, NULL);
		sum += one / (double)n;
		wrong += ft_chooser_stop(chooser) == FT_CHOOSER_DECIDED && one > log(1.1);
		ft_chooser_free(chooser);
	}
	ok(exp(sum) <= most, "three processes, %zu times: %.3f of the best is no more than %g", n, exp(sum),
	   most);
	ok(wrong <= most_wrong, "... and of those decided %zu are over 1.1, of %zu that may", wrong,
	   most_wrong);
}

static struct ft_chooser *new_chooser(size_t devices, double budget_s)
{
	const struct ft_chooser_options options = {.space = {{.least = 10, .most = 1000, .stride = 1}},
						   .n_params = 1,
						   .n_devices = devices,
						   .budget_s = budget_s};
	struct ft_chooser *chooser;

	if (ft_chooser_new(&chooser, &options, NULL)) {
		printf("Bail out! no chooser\n");
		exit(99);
	}
	return chooser;
}

static void first_runs(void)
{
	struct ft_chooser *chooser = new_chooser(2, 0);
	struct ft_chooser_next next, again;
	double size[2][2] = {{0}};

	for (int i = 0; i < 4; i++) {
		(void)ft_chooser_ask(chooser, &next, NULL);
		(void)ft_chooser_ask(chooser, &again, NULL);
		ok(next.device == again.device && ft_size_equal(&next.size, &again.size) && isnan(next.gain),
		   "asked twice, device %zu at %g both times", next.device, next.size.value[0]);
		size[next.device][i / 2] = next.size.value[0];
		(void)tell_time(chooser, &next, (next.device ? 1 : 100) * next.size.value[0]);
	}
	ok(size[0][0] == 10 && size[1][0] == 10 && size[0][1] > 10 && size[1][1] > 10,
	   "each device at the least size and at a larger one");
	(void)ft_chooser_ask(chooser, &next, NULL);
	ok(!next.size.n && ft_chooser_stop(chooser) == FT_CHOOSER_DECIDED && ft_chooser_loss(chooser) < 0.02,
	   "one is a hundred times faster: that is all (%g)", ft_chooser_loss(chooser));
	ft_chooser_free(chooser);
}

static void failing(void)
{
	struct ft_chooser *chooser = new_chooser(2, 0);
	struct ft_standing standing[2];
	struct ft_chooser_next next;
	const struct ft_size large = {1, {500}};
	size_t best, runs = 0;

	while (!ft_chooser_ask(chooser, &next, NULL) && next.size.n && ++runs < 50)
		(void)tell_time(chooser, &next,
				next.device && next.size.value[0] >= 50 ? NAN : next.size.value[0]);
	ok(runs < 50, "one device fails from 50 on: it comes to an end (%zu runs: %s)", runs,
	   ft_chooser_stop_text(ft_chooser_stop(chooser)));
	ok(!ft_chooser_at(chooser, &large, standing, &best, NULL) && best == 0 && standing[1].chance == 0,
	   "... and it is not chosen where it fails");
	ft_chooser_free(chooser);

	chooser = new_chooser(2, 0);
	for (runs = 0; !ft_chooser_ask(chooser, &next, NULL) && next.size.n && runs < 50; runs++)
		(void)tell_time(chooser, &next, next.device ? NAN : next.size.value[0]);
	ok(runs < 50 && ft_chooser_stop(chooser) == FT_CHOOSER_ALONE,
	   "one cannot run at all: the other is left");
	ft_chooser_drop(chooser, 0);
	(void)ft_chooser_ask(chooser, &next, NULL);
	ok(!next.size.n && ft_chooser_stop(chooser) == FT_CHOOSER_NONE, "... which goes, too: none is left");
	ok(ft_chooser_at(chooser, &large, standing, &best, NULL) == FT_ENOMODEL, "... and nothing is known");
	ft_chooser_free(chooser);
}

static void budgets(uint64_t seed)
{
	struct ft_random random = {seed};
	struct made made[2] = {{1e-3, 1e-5, 1, 0, INFINITY, 1}, {1e-3, 1.05e-5, 1, 0, INFINITY, 1}};
	struct ft_chooser *chooser = new_chooser(2, 0.05);
	struct ft_chooser_next next;
	double spent = 0;

	while (!ft_chooser_ask(chooser, &next, NULL) && next.size.n) {
		double s =
			made_s(&made[next.device], next.size.value[0]) * exp(0.2 * ft_random_normal(&random));

		(void)tell_time(chooser, &next, s);
		spent += s;
	}
	ok(spent < 0.08, "two that are alike: the budget of 0.05 s ends it, %.3f s (%s)", spent,
	   ft_chooser_stop_text(ft_chooser_stop(chooser)));
	ft_chooser_free(chooser);
}

static void wrong(void)
{
	struct ft_chooser_options options = {.space = {{.least = 10, .most = 1000, .stride = 1}},
					     .n_params = 1};
	struct ft_chooser *chooser;
	struct ft_err err = {0};

	ok(ft_chooser_new(&chooser, &options, &err) == FT_EINVAL && !chooser && err.remedy[0],
	   "no device: %s", err.text);
	options.n_devices = 2;
	options.space[0].least = 0;
	ok(ft_chooser_new(&chooser, &options, &err) == FT_EINVAL, "from 0 on: %s", err.text);
	options.space[0].least = options.space[0].most;
	ok(ft_chooser_new(&chooser, &options, &err) == FT_EINVAL, "one size: %s", err.text);
}

/* Over two parameters: the second one pays where both are large. */
static void surfaces(void)
{
	const struct ft_chooser_options options = {
		.space = {{.least = 16, .most = 1024, .stride = 1}, {.least = 16, .most = 1024, .stride = 1}},
		.n_params = 2,
		.n_devices = 2,
		.tolerance = 0.05};
	struct ft_chooser *chooser;
	struct ft_chooser_next next;
	size_t runs = 0, best;
	struct ft_standing standing[2];
	const struct ft_size small = {2, {16, 16}}, large = {2, {1024, 1024}};

	if (ft_chooser_new(&chooser, &options, NULL))
		return;
	while (!ft_chooser_ask(chooser, &next, NULL) && next.size.n && ++runs < 60) {
		double work = 1e-8 * next.size.value[0] * next.size.value[1];

		(void)tell_time(chooser, &next, next.device ? 2e-4 + work / 20 : 1e-6 + work);
	}
	ok(runs < 60, "two parameters: done after %zu runs (%s)", runs,
	   ft_chooser_stop_text(ft_chooser_stop(chooser)));
	ok(!ft_chooser_at(chooser, &small, standing, &best, NULL) && best == 0, "small ones on the first");
	ok(!ft_chooser_at(chooser, &large, standing, &best, NULL) && best == 1, "large ones on the second");
	ft_chooser_free(chooser);
}

int main(void)
{
	uint64_t seed = test_seed();

	first_runs();
	failing();
	budgets(seed);
	wrong();
	surfaces();
	pairs(2, 1.10, seed);
	pairs(3, 1.04, seed);
	if (!test_quick())
		processes(20, 1.06, 5, seed);
	return done();
}
