/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - functions of two and three parameters, asked inside and up to 2 and 4 times beyond the data. */
#include "base/random.h"
#include "num/num.h"
#include "subject.h"
#include "surfaces.h"

#include <math.h>
#include <stdio.h>

enum { PARAMS = 3, RUNS_MOST = 2000, ASKED = 60, PLACES = 3, SHOWN_MOST = 4000 };
static const double least = 16, most = 1024, noises[] = {0.01, 0.03, 0.1}, reaches[PLACES] = {1, 2, 4};

/* Two products of powers and logarithms, put together in one of several ways. */
static const char *const kinds[] = {"product", "sum", "min", "max", "parity", "bent"};
enum { PRODUCT, SUM, MIN, MAX, PARITY, BENT, KINDS };

struct made {
	size_t params;
	int kind;
	double power[2][PARAMS], log[2][PARAMS], factor[2], constant, edge;
	double noise;
};

static double term(const struct made *m, size_t t, const double *x)
{
	double value = m->factor[t];

	for (size_t p = 0; p < m->params; p++)
		value *= pow(x[p], m->power[t][p]) * pow(log2(x[p]), m->log[t][p]);
	return value;
}

static double value_of(const struct made *m, const double *x)
{
	double a = term(m, 0, x), b = term(m, 1, x), large = 1;

	for (size_t p = 0; p < m->params; p++)
		large *= x[p];
	switch (m->kind) {
	case SUM:
		return m->constant + a + b;
	case MIN:
		return m->constant + fmin(a, b);
	case MAX:
		return m->constant + fmax(a, b);
	case PARITY:
		return a * (fmod(x[0], 2) > 0 ? 1.3 : 1);
	case BENT:
		return a * (1 + 0.8 / (1 + pow(m->edge / large, 2)));
	default:
		return a;
	}
}

static struct made make(size_t params, int kind, double noise, struct ft_random *random)
{
	static const double powers[] = {0, 0.5, 1, 1, 1, 2, 2};
	struct made m = {.params = params, .kind = kind, .noise = noise, .factor = {1, 1}};
	double middle[PARAMS] = {128, 128, 128};

	for (size_t t = 0; t < 2; t++) {
		for (size_t p = 0; p < params; p++) {
			m.power[t][p] = powers[ft_random_below(random, 7)];
			m.log[t][p] = ft_random_uniform(random) < 0.25;
		}
		m.factor[t] = 1e-3 * pow(10, 2 * ft_random_uniform(random) - 1) / term(&m, t, middle);
	}
	m.constant = ft_random_uniform(random) < 0.5 ? 1e-3 : 0;
	m.edge = pow(least * pow(most / least, ft_random_uniform(random)), (double)params);
	return m;
}

static double run(const struct made *m, const struct ft_size *size, struct ft_random *random)
{
	return value_of(m, size->value) * exp(m->noise * ft_random_normal(random));
}

/* ---- two ways to choose sizes ---------------------------------------------------------------------------
 */

static size_t grid(const struct made *m, struct subject_run *o, struct ft_random *random)
{
	size_t each = m->params == 2 ? 6 : 4, total = m->params == 2 ? 36 : 64, n = 0;

	for (size_t i = 0; i < total; i++) {
		struct ft_size size = {.n = m->params};
		size_t at = i;

		for (size_t p = 0; p < m->params; p++, at /= each)
			size.value[p] =
				round(least * pow(most / least, (double)(at % each) / (double)(each - 1)));
		for (size_t k = 0; k < 2; k++)
			o[n++] = (struct subject_run){size, run(m, &size, random), 0};
	}
	return n;
}

static size_t adaptive(const struct made *m, struct subject_run *o, struct ft_random *random)
{
	const struct subject_axis all = {least, most, NULL, 0}, axis[PARAMS] = {all, all, all};
	struct subject_builder *builder = subject_open(axis, m->params);
	struct ft_size size;
	size_t n = 0, i, k;

	while (builder && n < RUNS_MOST && subject_ask(builder, &size)) {
		double seconds[32];

		o[n++] = (struct subject_run){size, run(m, &size, random), 0};
		for (i = 0, k = 0; i < n; i++)
			if (k < 32 && ft_size_equal(&o[i].size, &size))
				seconds[k++] = o[i].seconds;
		if (!subject_tell(builder, &size, seconds, k, 0))
			break;
	}
	if (builder)
		subject_close(builder);
	return n;
}

/* ---- judging --------------------------------------------------------------------------------------------
 */

struct tally {
	double error[SHOWN_MOST], width[SHOWN_MOST];
	size_t n, inside;
};

static void judge(struct tally *tally, const struct made *m, const struct subject *s, double far,
		  struct ft_random *random)
{
	size_t params = m->params;

	for (size_t i = 0; i < ASKED && tally->n < SHOWN_MOST; i++) {
		struct ft_size size = {.n = params};
		struct subject_answer said;

		for (size_t p = 0; p < params; p++)
			size.value[p] = round(least * pow(far * most / least, ft_random_uniform(random)));
		if (far > 1)
			size.value[params > 1 ? i % params : 0] =
				round(most * pow(far, ft_random_uniform(random)) + 1);
		if (!subject_predict(s, &size, &said))
			continue;
		double sample = run(m, &size, random);
		tally->inside += said.lower <= sample && sample <= said.upper;
		tally->error[tally->n] = fabs(log(said.value / value_of(m, size.value)));
		tally->width[tally->n++] = log(said.upper / fmax(said.lower, 1e-300)) / 2;
	}
}

static void print(struct tally *tally)
{
	if (!tally->n) {
		printf("  |                   -");
		return;
	}
	printf("  | %6.1f %6.1f %6.2f", 100 * expm1(ft_stats_quantile(tally->error, tally->n, 0.5)),
	       100 * (double)tally->inside / (double)tally->n,
	       exp(ft_stats_quantile(tally->width, tally->n, 0.5)));
	*tally = (struct tally){.n = 0};
}

void beyond(uint64_t seeds, const char *type)
{
	static struct subject_run o[RUNS_MOST];
	static struct tally tally[PLACES];

	printf("%-28s  | inside                | up to 2 x             | up to 4 x\n%-28s", "", "");
	for (size_t place = 0; place < PLACES; place++)
		printf("  | median inside  width");
	putchar('\n');
	for (size_t params = 2; params <= PARAMS; params++)
		for (size_t way = 0; way < 2; way++)
			for (int kind = 0; kind < KINDS; kind++) {
				for (uint64_t seed = 0; seed < seeds * 3; seed++) {
					struct ft_random random = {1 + seed + 1000 * (uint64_t)kind +
								   100000 * params};
					struct made m = make(params, kind, noises[seed % 3], &random);
					size_t n = (way ? adaptive : grid)(&m, o, &random);
					struct subject *s = subject_fit(o, n, type);

					if (!s)
						continue;
					for (size_t place = 0; place < PLACES; place++)
						judge(&tally[place], &m, s, reaches[place], &random);
					subject_free(s);
				}
				printf("%-8s%zu %-8s %-8s ", subject_name, params, way ? "adaptive" : "grid",
				       kinds[kind]);
				for (size_t i = 0; i < PLACES; i++)
					print(&tally[i]);
				putchar('\n');
				fflush(stdout);
			}
}
