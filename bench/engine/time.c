/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time.c - processor time of a decision: a question, and what follows from its answer, when many sizes are
 * known. */
#include "base/random.h"
#include "part.h"
#include "replay.h"

#include <math.h>
#include <stdlib.h>

enum { KNOWN = 2, TIMES = 5, MEMORY = 2048 };
static const size_t known[KNOWN] = {100, 1000}, rounds[KNOWN] = {100, 20};
static const double most = 1e7;

static double work_at(void *ctx, double x)
{
	(void)ctx;
	(void)x;
	return 1;
}

/* A rough curve, so that questions do not end. */
static double seconds_at(double x, struct ft_random *random)
{
	return 1e-9 * pow(x, 1.5) * exp(0.3 * ft_random_normal(random));
}

/* All runs so far: a builder is told those of a size together. */
struct memory {
	double x[MEMORY], seconds[MEMORY];
	size_t n;
};

static enum ft_status tell(struct subject_builder *builder, struct memory *memory, double x,
			   struct ft_random *random, struct ft_err *err)
{
	double seconds[MEMORY];
	size_t n = 0;

	memory->x[memory->n] = x;
	memory->seconds[memory->n++] = seconds_at(x, random);
	for (size_t i = 0; i < memory->n; i++)
		if (memory->x[i] == x)
			seconds[n++] = memory->seconds[i];
	return subject_tell(builder, x, seconds, n, err);
}

static enum ft_status tell_all(struct subject_builder *builder, struct memory *memory, size_t sizes,
			       struct ft_random *random, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < sizes && !status; i++) {
		double x = floor(exp(log(most) * ((double)i + ft_random_uniform(random)) / (double)sizes));
		status = tell(builder, memory, x, random, err);
	}
	return status;
}

static enum ft_status ask_rounds(struct subject_builder *builder, struct memory *memory, size_t n,
				 struct ft_random *random, struct record *record, struct ft_err *err)
{
	double asked, *v = record->value;
	enum ft_status status = FT_OK;
	size_t i;

	v[FIELD_cpu_s] = v[FIELD_worst] = 0;
	for (i = 0; i < n && !status; i++) {
		double from = cpu_now();
		if (!subject_ask(builder, &asked, 1))
			break;
		status = tell(builder, memory, asked, random, err);
		from = cpu_now() - from;
		v[FIELD_cpu_s] += from;
		v[FIELD_worst] = fmax(v[FIELD_worst], from);
	}
	v[FIELD_runs] = (double)i;
	v[FIELD_cpu_s] /= (double)i;
	return status;
}

static void run(const struct settings *settings, size_t job, struct records *out)
{
	const struct subject_space space = {
		.least = 1, .most = most, .work = work_at, .tolerance = 1e-4, .budget = 1e12};
	size_t kind = job / TIMES;
	unsigned seed = 1 + (unsigned)(job % TIMES);
	struct ft_random random = {seed};
	struct subject_builder *builder;
	struct memory memory = {.n = 0};
	char name[20];
	struct ft_err err;
	enum ft_status status = subject_open(&builder, &space, &err);

	(void)settings;
	(void)snprintf(name, sizeof name, "%zu sizes", known[kind]);
	struct record record = record_new("time", "", name, "", name, seed);
	if (!status)
		status = tell_all(builder, &memory, known[kind], &random, &err);
	if (!status)
		status = ask_rounds(builder, &memory, rounds[kind], &random, &record, &err);
	if (status)
		(void)fprintf(stderr, "engine: time: %s\n", err.text);
	else
		(void)records_add(out, &record);
	subject_close(builder);
}

static size_t jobs(const struct settings *settings)
{
	(void)settings;
	return (size_t)KNOWN * TIMES;
}

static void name_of(const struct settings *settings, size_t job, char *out, size_t size)
{
	(void)settings;
	(void)snprintf(out, size, "time/%zu", known[job / TIMES]);
}

const struct part part_time = {"time", true, jobs, name_of, run};
