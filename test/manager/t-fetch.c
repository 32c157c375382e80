/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of knots, read by a program: what it hears is what was written, between knots too; files that are
 * broken, foreign, too old, gone or another one now. */
#include "../tap.h"
#include "../temp.h"
#include "adapt/door.h"
#include "base/random.h"
#include "foretime-fetch.h"
#include "foretime/adapt.h"

#include <locale.h>
#include <sys/resource.h>

enum { KNOTS = 40 };

static struct ft_carry_knot knot[KNOTS];
static const struct ft_carry_value fixed[] = {{"m", 3}, {"depth", -0.1}};

static const char *path(void)
{
	return temp_path("solve.knots");
}

static char *made(double risk, long expires_s)
{
	struct ft_carry_knots knots = {.program = "solve",
				       .parameter = "n",
				       .fingerprint = "00ff",
				       .host = "box",
				       .fixed = fixed,
				       .n_fixed = 2,
				       .made_s = time(NULL),
				       .expires_s = time(NULL) + expires_s,
				       .risk = risk,
				       .cpus = 2,
				       .knot = knot,
				       .n = KNOTS};
	char *text = NULL;
	struct ft_err err = {0};

	if (ft_carry_write_knots(&knots, &text, &err)) {
		diag("%s", err.text);
		exit(99);
	}
	return text;
}

/* As whoever makes such files does. */
static void put(const char *text)
{
	temp_write(temp_path("new"), text, 0600);
	if (rename(temp_path("new"), path()))
		exit(99);
}

static void fill(uint64_t seed)
{
	struct ft_random random = {.state = seed};
	double at = 1;

	for (int i = 0; i < KNOTS; i++) {
		at *= 1 + 3 * ft_random_uniform(&random);
		knot[i] = (struct ft_carry_knot){.at = at,
						 .typical_s = 1e-3 * at,
						 .most_s = 2e-3 * at,
						 .bytes = i % 7 == 3 ? NAN : 1e6 + at};
	}
	knot[5].typical_s = 0;
}

/* As the file has it, with digits that are read by strtod. */
static double said(const char *text, int which, int column)
{
	const char *line = text;
	char *end;

	for (int i = 0; line && i <= which; i++)
		line = strstr(line + (i > 0), "\nknot ");
	line += 6;
	for (int i = 0; i < column; i++)
		line = strchr(line, ' ') + 1;
	return *line == '-' ? NAN : strtod(line, &end);
}

static bool same(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-14 * fabs(a);
}

/* A line between two knots, straight in logarithms where both ends have one. */
static double between(double x, const double at[2], const double value[2])
{
	double share = (log(x) - log(at[0])) / (log(at[1]) - log(at[0]));

	if (value[0] > 0 && value[1] > 0)
		return exp((1 - share) * log(value[0]) + share * log(value[1]));
	return (1 - share) * value[0] + share * value[1];
}

static void test_knots(void)
{
	struct ft_probe_model model = {0};
	struct ft_probe_cost cost;
	char *text = made(0.01, 1000);
	bool good = true, lines = true;

	put(text);
	ok(ft_probe_fetch(&model, path()) == FT_PROBE_KNOWN && model.n == KNOTS &&
		   !strcmp(model.program, "solve") && model.risk == 0.01 && model.cpus == 2,
	   "a file is read");
	for (int i = 0; i < KNOTS; i++) {
		double at = said(text, i, 0);

		good = good && ft_probe_at(&model, at * (1 - 1e-15), &cost) == FT_PROBE_KNOWN;
		good = good && ft_probe_at(&model, model.knot[i].at, &cost) == FT_PROBE_KNOWN &&
		       same(said(text, i, 1), model.knot[i].cost.typical_s) &&
		       same(said(text, i, 2), cost.upper_s) && same(said(text, i, 3), cost.bytes);
	}
	ok(good, "at its knots it is what was written");
	for (int i = 1; i < KNOTS; i++) {
		double at[2] = {said(text, i - 1, 0), said(text, i, 0)}, x = at[0] + 0.3 * (at[1] - at[0]);
		double upper[2] = {said(text, i - 1, 2), said(text, i, 2)},
		       typical[2] = {said(text, i - 1, 1), said(text, i, 1)};

		lines = lines && !ft_probe_at(&model, x, &cost) &&
			fabs(cost.upper_s / between(x, at, upper) - 1) < 1e-9 &&
			fabs(cost.typical_s / between(x, at, typical) - 1) < 1e-9;
	}
	ok(lines, "between them lines");
	ok(!ft_probe_at(&model, 1e-3, &cost) && same(cost.upper_s, said(text, 0, 2)),
	   "below the first as there");
	ok(ft_probe_at(&model, 2 * knot[KNOTS - 1].at, &cost) == FT_PROBE_BEYOND && isnan(cost.upper_s) &&
		   ft_probe_at(&model, 0, &cost) == FT_PROBE_BEYOND &&
		   ft_probe_at(&model, NAN, &cost) == FT_PROBE_BEYOND,
	   "nothing is known beyond the last");
	ft_probe_forget(&model);
	ok(ft_probe_at(&model, 5, &cost) == FT_PROBE_ABSENT, "what was forgotten is not known");
	free(text);
}

static void test_parameters(void)
{
	static const char *const names[] = {"depth", "n", "m", "k"};
	const double values[] = {-0.1, 5, 3, 1}, other[] = {-0.1, 5, 4};
	struct ft_probe_model model = {0};
	struct ft_probe_cost cost, alone;
	char *text = made(0.01, 1000);

	put(text);
	ok(!ft_probe_fetch(&model, path()) && !ft_probe_ask(&model, names, values, 3, &cost) &&
		   !ft_probe_at(&model, 5, &alone) && cost.upper_s == alone.upper_s,
	   "a size of several parameters");
	ok(!ft_probe_ask(&model, names + 1, values + 1, 1, &cost), "those that are fixed may be left out");
	ok(ft_probe_ask(&model, names, other, 3, &cost) == FT_PROBE_OTHER &&
		   ft_probe_ask(&model, names, values, 4, &cost) == FT_PROBE_OTHER &&
		   ft_probe_ask(&model, names, values, 1, &cost) == FT_PROBE_OTHER && isnan(cost.upper_s),
	   "not of others: %s", ft_probe_status(FT_PROBE_OTHER));
	ft_probe_forget(&model);
	free(text);
}

/* No part of a file is one, and no byte of it that is another one leads to numbers that cannot be. */
static void test_broken(void)
{
	uint64_t seed = test_seed();
	struct ft_random random = {.state = seed};
	char *text = made(0.01, 1000), *part = strdup(text);
	size_t n = strlen(text), i, bad = 0;
	int changed = 0;

	for (i = 0; i < n; i += test_quick() ? 37 : 1) {
		struct ft_probe_model model = {0};

		memcpy(part, text, i);
		part[i] = 0;
		put(part);
		int status = ft_probe_fetch(&model, path());
		bad += status != FT_PROBE_BROKEN && !(status == FT_PROBE_ABSENT && !i);
		ft_probe_forget(&model);
	}
	ok(!bad, "each part of a file is broken, but for %zu", bad);
	for (i = bad = 0; i < (test_quick() ? 300 : 3000); i++) {
		struct ft_probe_model model = {0};
		struct ft_probe_cost cost;

		memcpy(part, text, n + 1);
		part[(size_t)(ft_random_uniform(&random) * (double)n)] =
			(char)(unsigned char)(1 + 254 * ft_random_uniform(&random));
		put(part);
		if (!ft_probe_fetch(&model, path())) {
			changed++;
			bad += ft_probe_at(&model, 50, &cost) == FT_PROBE_KNOWN &&
			       (cost.upper_s < 0 || isinf(cost.upper_s) || cost.bytes < 0);
		}
		ft_probe_forget(&model);
	}
	ok(!bad && changed, "a byte that is another one, %d times still a file (seed %llu)", changed,
	   (unsigned long long)seed);
	free(part);
	free(text);
}

static void test_times(void)
{
	struct ft_probe_model model = {0};
	struct ft_probe_cost cost, before = {0};
	char *old = made(0.01, -1), *text = made(0.01, 1000), *next, *foreign = strdup(text);

	put(old);
	ok(ft_probe_fetch(&model, path()) == FT_PROBE_EXPIRED &&
		   ft_probe_at(&model, 5, &cost) == FT_PROBE_ABSENT,
	   "one that is too old: %s", ft_probe_status(FT_PROBE_EXPIRED));
	foreign[strlen("foretime-knots ")] = '2';
	put(foreign);
	ok(ft_probe_fetch(&model, path()) == FT_PROBE_FOREIGN, "another version");
	put(text);
	ok(!ft_probe_fetch(&model, path()) && !ft_probe_at(&model, 50, &before) &&
		   !ft_probe_fetch_again(&model),
	   "one that is good");
	put(old);
	ok(ft_probe_fetch_again(&model) == FT_PROBE_EXPIRED &&
		   ft_probe_fetch_again(&model) == FT_PROBE_EXPIRED && !ft_probe_at(&model, 50, &cost) &&
		   cost.upper_s == before.upper_s,
	   "one that is no good in its place is told of, and passed over");
	knot[3].most_s *= 2;
	knot[4].most_s *= 2;
	next = made(0.02, 1000);
	put(next);
	ok(!ft_probe_fetch_again(&model) && model.risk == 0.02 && !ft_probe_at(&model, knot[4].at, &cost) &&
		   fabs(cost.upper_s / knot[4].most_s - 1) < 1e-4,
	   "another one is noticed");
	model.expires_s = (long long)time(NULL);
	ok(ft_probe_at(&model, 50, &cost) == FT_PROBE_EXPIRED, "it grows too old meanwhile");
	(void)unlink(path());
	ok(ft_probe_fetch_again(&model) == FT_PROBE_ABSENT &&
		   ft_probe_at(&model, 50, &cost) == FT_PROBE_ABSENT,
	   "one that was taken away is not believed any more");
	ok(ft_probe_fetch(&model, temp_path(".")) == FT_PROBE_ABSENT, "a folder is none");
	free(old);
	free(text);
	free(next);
	free(foreign);
}

/* The path stays, and what was read of it, unless it is gone. */
static void test_paths(void)
{
	struct ft_probe_model model = {0};
	struct ft_probe_cost cost;
	struct rlimit most;
	char *text = made(0.01, 1000), *next = made(0.02, 1000);

	(void)unlink(path());
	ok(ft_probe_fetch(&model, path()) == FT_PROBE_ABSENT &&
		   ft_probe_fetch_again(&model) == FT_PROBE_ABSENT,
	   "none yet");
	put("foretime-knots 1\n");
	ok(ft_probe_fetch_again(&model) == FT_PROBE_BROKEN && !strcmp(model.path, path()), "half of one");
	put(text);
	ok(!ft_probe_fetch_again(&model) && !ft_probe_at(&model, 50, &cost), "it came");
	put(next);
	if (getrlimit(RLIMIT_NOFILE, &most))
		exit(99);
	struct rlimit none = most;
	none.rlim_cur = 0;
	if (setrlimit(RLIMIT_NOFILE, &none))
		exit(99);
	ok(ft_probe_fetch_again(&model) == FT_PROBE_ABSENT && !ft_probe_at(&model, 50, &cost) &&
		   model.risk == 0.01,
	   "one that cannot be opened now leaves what was read");
	if (setrlimit(RLIMIT_NOFILE, &most))
		exit(99);
	ok(!ft_probe_fetch_again(&model) && model.risk == 0.02, "and is read when it can be");
	ok(ft_probe_fetch(&model, temp_path("other.knots")) == FT_PROBE_ABSENT &&
		   ft_probe_at(&model, 50, &cost) == FT_PROBE_ABSENT &&
		   ft_probe_fetch_again(&model) == FT_PROBE_ABSENT,
	   "another path is asked from then on");
	if (rename(path(), temp_path("other.knots")))
		exit(99);
	ok(!ft_probe_fetch_again(&model), "and what comes there is read");
	ft_probe_forget(&model);
	free(text);
	free(next);
}

static void test_locale(void)
{
	struct ft_probe_model model = {0};
	struct ft_probe_cost cost = {0};
	char *text = made(0.01, 1000);

	put(text);
	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) {
		skip("another point", "there is no such locale");
	} else {
		ok(!ft_probe_fetch(&model, path()) && model.risk == 0.01 &&
			   !ft_probe_at(&model, model.knot[1].at, &cost) &&
			   fabs(cost.upper_s / knot[1].most_s - 1) < 1e-4,
		   "whatever the locale has for a point");
		(void)setlocale(LC_NUMERIC, "C");
	}
	ft_probe_forget(&model);
	free(text);
}

int main(void)
{
	fill(test_seed());
	test_knots();
	test_parameters();
	test_broken();
	test_times();
	test_paths();
	test_locale();
	temp_remove();
	return done();
}
