/* SPDX-License-Identifier: GPL-3.0-or-later */
/* laws.c - functions of one term, seen at five sizes, asked eight times beyond them: by the model, and by the
 * law of the runs alone. */
#include "base/random.h"
#include "part.h"
#include "replay.h"

#include <math.h>

enum { SIZES = 5, RUNS = 5, LEVELS = 3, FUNCTIONS = 20 };
static const double levels[LEVELS] = {5, 10, 20}, asked = 8192;

/* Those of bench-laws' first task. */
static const double power[] = {0, 0, 0.5, 1, 1, 1.5, 2, 2, 3}, logs[] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
enum { TERMS = sizeof power / sizeof *power };

struct function {
	double constant, c;
	size_t term;
};

static struct function draw(struct ft_random *random)
{
	struct function f;

	f.constant = 1 + 99 * ft_random_uniform(random);
	f.term = ft_random_below(random, TERMS);
	f.c = pow(10, -2 + 4 * ft_random_uniform(random));
	return f;
}

static double value(const struct function *f, double n)
{
	return f->constant + f->c * pow(n, power[f->term]) * pow(log2(n), logs[f->term]);
}

/* The same functions and the same deviations at each level of noise. */
static double sample(struct subject_run *run, double level, uint64_t seed)
{
	struct ft_random random = {seed};
	struct function f = draw(&random);

	for (size_t i = 0; i < SIZES * RUNS; i++) {
		double x = 64 << i / RUNS;
		double noise = 1 + level / 100 * (2 * ft_random_uniform(&random) - 1);

		run[i] = (struct subject_run){x, 1, value(&f, x) * noise};
	}
	return value(&f, asked);
}

static enum ft_status predict(const struct subject_run *run, struct subject_answer *answer,
			      struct ft_err *err)
{
	struct subject *subject;
	enum ft_status status = subject_fit(&subject, run, SIZES * RUNS, NULL, err);

	if (!status)
		status = subject_predict(subject, asked, 1, answer, err);
	subject_free(subject);
	return status;
}

static void add(const char *by, double level, unsigned seed, const struct subject_answer *a, double truth,
		struct records *out)
{
	char kind[24], name[20];

	(void)snprintf(kind, sizeof kind, "scatter %g %%", level);
	(void)snprintf(name, sizeof name, "%u", seed);
	struct record record = record_new("laws", by, "one term", kind, name, seed);
	record.value[FIELD_mean] = fabs(a->value / truth - 1);
	record.value[FIELD_asked] = 1;
	if (!isnan(a->lower))
		record.value[FIELD_held] = a->lower <= truth && truth <= a->upper;
	(void)records_add(out, &record);
}

static void run(const struct settings *settings, size_t job, struct records *out)
{
	struct subject_run run[SIZES * RUNS];
	struct subject_answer answer, law = {.lower = NAN, .upper = NAN};
	unsigned seed = 1 + (unsigned)(job / LEVELS);
	double level = levels[job % LEVELS], truth = sample(run, level, seed);
	struct ft_err err;

	(void)settings;
	enum ft_status status = predict(run, &answer, &err);
	if (!status)
		status = subject_law(run, SIZES * RUNS, asked, &law.value, &err);
	if (status) {
		(void)fprintf(stderr, "engine: laws: %s\n", err.text);
		return;
	}
	add("predict", level, seed, &answer, truth, out);
	add("fit", level, seed, &law, truth, out);
}

static size_t jobs(const struct settings *settings)
{
	return (size_t)LEVELS * FUNCTIONS * settings->seeds;
}

static void name_of(const struct settings *settings, size_t job, char *out, size_t size)
{
	(void)settings;
	(void)snprintf(out, size, "laws/%g/%zu", levels[job % LEVELS], 1 + job / LEVELS);
}

const struct part part_laws = {"laws", false, jobs, name_of, run};
