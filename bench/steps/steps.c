/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c - what memory over time saves: runs that were kept with their traces are replayed.
 *
 *	bench-steps [--seeds N] [--risk R] STORE PROGRAM...
 *
 * Three runs at each size but the largest are learned from. The others are judged: of sizes that were learned, and of the
 * largest, which was not. Repeated with other halves of the runs. Each run reserves memory by these rules, from the same runs:
 *
 *	constant     the peak request at the risk
 *	steps K      ft_ask_steps
 *	KS+ K        Bader et al. 2024: the envelope of each run is merged to K segments; the peak and the start of each
 *	             segment is a line of the size; peaks are 10 % more, starts 15 % earlier
 *	clairvoyant  the cheapest K steps of that very run; or its envelope
 *
 * A run that exceeds what it has is killed and starts again. The tries of constants and steps are then: the largest step
 * throughout, and twice as much each time. Those of KS+: the next segment starts when the run was killed; in the last
 * one, 20 % more.
 *
 * Then jobs are drawn from the judged runs of learned sizes, twelve at a time, for a machine of 4 processors with 1.5 times
 * the memory of the largest request. Their starts are planned by four steps (ft_plan_overlap), and what they held by their
 * traces is added up. */
#include "ask/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "facts/door.h"
#include "foretime/ask.h"
#include "foretime/store.h"
#include "foretime/trace.h"
#include "plan/door.h"
#include "store/door.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 50, LEARNED = 3, KINDS = 4, CLAIRVOYANT = 99, TRIES_MOST = 40 };
static const int counts[KINDS] = {1, 2, 4, 8};

/* A run, and its memory as the least staircase that is above it. */
struct run {
	double n, wall_s, peak;
	double *t, *bytes; /* [points] as recorded; the last one is the end */
	size_t points;
	bool learned;
};

struct stairs {
	size_t n;
	double from_s[FT_STEPS_MOST], bytes[FT_STEPS_MOST];
};

/* A judged run as a job: what it requests. */
struct job {
	struct run run;
	struct stairs stairs;
	double limit_s;
};

enum { POOL_MOST = 1024, MIXED = 12, MIXES = 300 };
static struct job pool[POOL_MOST];
static size_t pooled;

/* ---- replay --------------------------------------------------------------------------------------------- */

/* When a run is killed; its wall time: it is not. reserved: out, bytes times seconds until then. */
static double replay(const struct run *run, const struct stairs *stairs, double *reserved)
{
	double end = run->wall_s;
	size_t s = 0;

	for (size_t i = 0; i < run->points; i++) {
		while (s + 1 < stairs->n && stairs->from_s[s + 1] <= run->t[i])
			s++;
		/* Between two samples there was more than either. */
		const bool last = i + 1 == run->points && run->peak > stairs->bytes[stairs->n - 1];
		if (run->bytes[i] > stairs->bytes[s] || last) {
			end = run->t[i];
			break;
		}
	}
	const bool killed = end < run->wall_s || run->peak > stairs->bytes[stairs->n - 1];
	*reserved = 0;
	for (s = 0; s < stairs->n; s++) {
		const double until = s + 1 < stairs->n ? fmin(end, stairs->from_s[s + 1]) : end;

		*reserved += stairs->bytes[s] * fmax(0, until - fmin(until, stairs->from_s[s]));
	}
	return killed ? fmin(end, nextafter(run->wall_s, 0)) : run->wall_s;
}

/* What a rule did to the runs of one program. */
struct sum {
	double first, all, killed,
		runs; /* bytes times seconds: of first tries, as if none was killed; of all tries */
};

static void judge(const struct run *run, struct stairs stairs, bool ksplus, struct sum *sum)
{
	double reserved, end = replay(run, &stairs, &reserved);
	struct run lean = *run;

	/* What it would have reserved to its end. */
	lean.points = 0;
	lean.peak = 0;
	double whole;
	(void)replay(&lean, &stairs, &whole);
	sum->first += whole;
	sum->all += reserved;
	sum->runs++;
	sum->killed += end < run->wall_s;
	for (int try = 0; end < run->wall_s && try < TRIES_MOST; try++) {
		size_t s = 0;

		while (s + 1 < stairs.n && stairs.from_s[s + 1] <= end)
			s++;
		if (!ksplus) {
			stairs = (struct stairs){1, {0}, {stairs.bytes[stairs.n - 1] * (try ? 2 : 1)}};
		} else if (s + 1 < stairs.n) {
			const double earlier = end / stairs.from_s[s + 1];

			for (size_t k = s + 1; k < stairs.n; k++)
				stairs.from_s[k] *= earlier;
		} else {
			stairs.bytes[s] *= 1.2;
		}
		end = replay(run, &stairs, &reserved);
		sum->all += reserved;
	}
}

/* ---- KS+, and clairvoyance --------------------------------------------------------------------------------- */

/* The envelope of a run: where it rises, and to what. Returns how many. */
static size_t envelope(const struct run *run, double *from, double *bytes)
{
	size_t n = 0;
	double held = 0;

	for (size_t i = 0; i < run->points; i++) {
		const double now = i + 1 == run->points ? fmax(run->bytes[i], run->peak) : run->bytes[i];

		if (now <= held)
			continue;
		held = now;
		from[n] = n ? run->t[i] : 0;
		bytes[n++] = held;
	}
	/* The peak may have been between two samples: it is then that of the last rise. */
	if (n > 1 && from[n - 1] >= run->wall_s) {
		n--;
		bytes[n - 1] = held;
	}
	return n;
}

/* Merge neighbours, the cheapest first, until there are so many. */
static size_t merge(double *from, double *bytes, size_t n, size_t wanted)
{
	while (n > wanted) {
		size_t best = 0;
		double least = INFINITY;

		for (size_t i = 0; i + 1 < n; i++) {
			const double more = (bytes[i + 1] - bytes[i]) * (from[i + 1] - from[i]);

			if (more < least) {
				least = more;
				best = i;
			}
		}
		bytes[best] = bytes[best + 1];
		for (size_t i = best + 1; i + 1 < n; i++) {
			from[i] = from[i + 1];
			bytes[i] = bytes[i + 1];
		}
		n--;
	}
	return n;
}

/* The cheapest staircase of so many steps, by dynamic programming over the points of the envelope. */
static void clairvoyant(const struct run *run, size_t wanted, struct stairs *out, double *area)
{
	double *from = ft_calloc(run->points + 1, sizeof *from),
	       *bytes = ft_calloc(run->points + 1, sizeof *bytes);
	const size_t n = envelope(run, from, bytes);

	*out = (struct stairs){0};
	*area = 0;
	from[n] = run->wall_s;
	if (wanted == CLAIRVOYANT) {
		for (size_t i = 0; i < n; i++)
			*area += bytes[i] * (from[i + 1] - from[i]);
	} else {
		double *cost = ft_calloc((wanted + 1) * (n + 1), sizeof *cost);

		/* cost[s][k]: of the first k pieces in s steps, the last of which is as high as piece k - 1. */
		for (size_t s = 0; s <= wanted; s++)
			for (size_t k = 0; k <= n; k++) {
				double *here = &cost[s * (n + 1) + k];

				*here = k ? INFINITY : 0;
				for (size_t j = 0; s && j < k; j++)
					*here = fmin(*here, cost[(s - 1) * (n + 1) + j] +
								    bytes[k - 1] * (from[k] - from[j]));
			}
		*area = cost[wanted * (n + 1) + n];
		for (size_t s = 1; s < wanted; s++)
			*area = fmin(*area, cost[s * (n + 1) + n]);
		ft_free(cost);
	}
	ft_free(from);
	ft_free(bytes);
}

static double line_at(const double *x, const double *y, size_t n, double at)
{
	double mean_x = 0, mean_y = 0, square = 0, product = 0;

	for (size_t i = 0; i < n; i++) {
		mean_x += x[i] / (double)n;
		mean_y += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		square += (x[i] - mean_x) * (x[i] - mean_x);
		product += (x[i] - mean_x) * (y[i] - mean_y);
	}
	return mean_y + (square > 0 ? product / square * (at - mean_x) : 0);
}

static void ksplus(const struct run *run, size_t n, size_t wanted, double at, struct stairs *out)
{
	double x[RUNS_MOST], from[FT_STEPS_MOST][RUNS_MOST], peak[FT_STEPS_MOST][RUNS_MOST];
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (!run[i].learned)
			continue;
		double *f = ft_calloc(run[i].points + 1, sizeof *f),
		       *b = ft_calloc(run[i].points + 1, sizeof *b);
		const size_t k = merge(f, b, envelope(&run[i], f, b), wanted);

		x[m] = run[i].n;
		/* A run of fewer segments has its first one several times. */
		for (size_t s = 0; s < wanted; s++) {
			const size_t of = s + k < wanted ? 0 : s + k - wanted;

			from[s][m] = f[of];
			peak[s][m] = b[of];
		}
		m++;
		ft_free(f);
		ft_free(b);
	}
	out->n = wanted;
	for (size_t s = 0; s < wanted; s++) {
		out->from_s[s] = s ? fmax(out->from_s[s - 1], 0.85 * line_at(x, from[s], m, at)) : 0;
		out->bytes[s] = fmax(s ? out->bytes[s - 1] : 1, 1.1 * line_at(x, peak[s], m, at));
	}
}

/* ---- one program ------------------------------------------------------------------------------------------- */

enum {
	RULES = 1 + 2 * KINDS + KINDS + 1
}; /* constant; steps and KS+ of each count; clairvoyant of each; the envelope */

struct result {
	struct sum sum[2][RULES]; /* sizes that were learned, the larger one */
	double used[2];
};

static const char *rule_name(size_t rule, char text[32])
{
	static const char *const names[] = {"steps", "KS+", "clairvoyant"};

	if (!rule || rule == RULES - 1)
		return rule ? "envelope" : "constant";
	(void)snprintf(text, 32, "%s %d", names[(rule - 1) / KINDS], counts[(rule - 1) % KINDS]);
	return text;
}

static struct ft_answerer *learn(const struct run *run, size_t n, struct ft_err *err)
{
	struct ft_program program = {.name = (char[]){"replayed"}, .hash = (char[]){""}, .n_params = 1};
	struct ft_answerer *models = NULL;
	struct ft_runs runs = {0};

	(void)ft_param_parse("n=1:1000000000", &program.param[0], NULL);
	for (size_t i = 0; i < n; i++) {
		struct ft_run one = {.size = {1, {run[i].n}}, .work = NAN, .cost_s = run[i].wall_s};

		if (!run[i].learned ||
		    ft_run_add(&one, &ft_wall_s, run[i].wall_s, FT_MEASURED, "bench", NULL, err) ||
		    ft_run_add(&one, &ft_peak_tree_bytes, run[i].peak, FT_MEASURED, "bench", NULL, err))
			continue;
		(void)ft_runs_take(&runs, &one, err);
	}
	(void)ft_ask_open_runs(&models, &program, &runs, NULL, err);
	return models;
}

static enum ft_status judge_run(struct ft_answerer *models, const struct run *run, size_t n,
				const struct run *at, bool larger, bool first, double risk,
				struct result *result, struct ft_err *err)
{
	const struct ft_size size = {1, {at->n}};
	struct ft_memory_curve curve[RUNS_MOST];
	struct sum *sum = result->sum[larger];
	struct stairs stairs = {1, {0}, {0}};
	struct ft_prediction peak;
	size_t m = 0;
	double area;

	for (size_t i = 0; i < n; i++)
		if (run[i].learned)
			curve[m++] = (struct ft_memory_curve){
				{1, {run[i].n}}, run[i].t, run[i].bytes, run[i].points, run[i].wall_s};
	FT_TRY(ft_ask_predict(models, &ft_peak_tree_bytes, &size, 1 - 2 * risk, &peak, err));
	stairs.bytes[0] = peak.upper;
	judge(at, stairs, false, &sum[0]);
	for (size_t k = 0; k < KINDS; k++) {
		struct ft_memory_steps steps;

		FT_TRY(ft_ask_steps(models, &ft_peak_tree_bytes, curve, m, &size, risk, (size_t)counts[k],
				    &steps, err));
		stairs.n = steps.n;
		for (size_t s = 0; s < steps.n; s++) {
			stairs.from_s[s] = steps.step[s].from_s;
			stairs.bytes[s] = steps.step[s].bytes;
		}
		judge(at, stairs, false, &sum[1 + k]);
		if (first && counts[k] == 4 && !larger && pooled < POOL_MOST) {
			struct ft_prediction time;

			FT_TRY(ft_ask_predict(models, &ft_wall_s, &size, 1 - 2 * risk, &time, err));
			pool[pooled++] = (struct job){*at, stairs, time.upper};
		}
		ksplus(run, n, (size_t)counts[k], at->n, &stairs);
		judge(at, stairs, true, &sum[1 + KINDS + k]);
		clairvoyant(at, (size_t)counts[k], &stairs, &area);
		sum[1 + 2 * KINDS + k].first += area;
		sum[1 + 2 * KINDS + k].all += area;
	}
	clairvoyant(at, CLAIRVOYANT, &stairs, &area);
	sum[RULES - 1].first += area;
	sum[RULES - 1].all += area;
	for (size_t i = 1; i < at->points; i++)
		result->used[larger] += at->bytes[i - 1] * (at->t[i] - at->t[i - 1]);
	return FT_OK;
}

/* Three runs at each size but the largest, at random. */
static void choose(struct run *run, size_t n, struct ft_random *random)
{
	double most = 0;

	ft_random_shuffle(random, run, n, sizeof *run);
	for (size_t i = 0; i < n; i++)
		most = fmax(most, run[i].n);
	for (size_t i = 0; i < n; i++) {
		size_t before = 0;

		for (size_t k = 0; k < i; k++)
			before += run[k].n == run[i].n;
		run[i].learned = run[i].n < most && before < LEARNED;
	}
}

static enum ft_status judge_program(struct run *run, size_t n, size_t seeds, double risk,
				    struct result *result, struct ft_err *err)
{
	struct ft_random random = {1};
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, run[i].n);
	for (size_t seed = 0; seed < seeds; seed++) {
		choose(run, n, &random);
		struct ft_answerer *models = learn(run, n, err);
		enum ft_status status = models ? FT_OK : err->status;

		for (size_t i = 0; i < n && !status; i++)
			if (!run[i].learned)
				status = judge_run(models, run, n, &run[i], run[i].n == most, !seed, risk,
						   result, err);
		ft_ask_close(models);
		FT_TRY(status);
	}
	return FT_OK;
}

static enum ft_status read_runs(struct ft_store *store, const char *name, struct run *run, size_t *n,
				struct ft_err *err)
{
	FT_CLEANUP(ft_program_clear) struct ft_program program = {0};
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	struct ft_store_trace kept[RUNS_MOST];
	size_t m = 0;

	*n = 0;
	FT_TRY(ft_store_get_program(store, name, &program, err));
	FT_TRY(ft_store_get_traces(store, program.id, 0, kept, RUNS_MOST, &m, err));
	for (size_t i = 0; i < m; i++) {
		const struct ft_trace_format format = {.value = "rss_bytes"};
		struct ft_trace trace = {0};
		char *csv = NULL;
		size_t length;

		FT_TRY(ft_store_get_run(store, kept[i].run, &runs, err));
		const struct ft_run *of = &runs.run[runs.n - 1];
		FT_TRY(ft_store_get_trace(store, kept[i].run, &csv, &length, err));
		enum ft_status status = ft_trace_parse(&trace, name, csv, length, &format, err);
		free(csv);
		if (status || of->outcome != FT_DONE || isnan(ft_run_value(of, &ft_peak_tree_bytes))) {
			(void)fprintf(stderr, "bench-steps: a run of %s is left out\n", name);
			ft_trace_clear(&trace);
			continue;
		}
		/* The trace is the run's from here on. */
		run[(*n)++] = (struct run){.n = kept[i].size.value[0],
					   .wall_s = trace.t[trace.n - 1],
					   .peak = ft_run_value(of, &ft_peak_tree_bytes),
					   .t = trace.t,
					   .bytes = trace.y,
					   .points = trace.n};
		trace.t = trace.y = NULL;
		ft_trace_clear(&trace);
	}
	return FT_OK;
}

/* ---- tables --------------------------------------------------------------------------------------------------- */

static void print_program(const char *name, const struct result *r)
{
	for (int larger = 0; larger < 2; larger++) {
		const struct sum *sum = r->sum[larger];

		printf("| %s | %s | %.0f |", name, larger ? "larger" : "learned", sum[0].runs);
		for (size_t k = 0; k < RULES; k++)
			if (k && k < 1 + 2 * KINDS)
				printf(" %.0f (%.0f) |", 100 * sum[k].all / sum[0].all,
				       100 * sum[k].killed / sum[k].runs);
			else
				printf(" %.0f |",
				       k ? 100 * sum[k].all / sum[0].all : 100 * sum[k].killed / sum[k].runs);
		printf(" %.0f |\n", 100 * r->used[larger] / sum[0].all);
	}
}

static void print_all(const struct result *result, size_t n)
{
	printf("\n| sizes | rule | reserved, %% of the constant | wasted, %% of the constant's waste | "
	       "killed, %% | the most of a program |\n");
	printf("|---|---|---|---|---|---|\n");
	for (int larger = 0; larger < 2; larger++)
		for (size_t k = 0; k < RULES; k++) {
			double reserved = 0, wasted = 0, killed = 0, runs = 0, most = 0;
			char text[32];

			for (size_t p = 0; p < n; p++) {
				const struct sum *sum = result[p].sum[larger];
				const double used = result[p].used[larger];

				reserved += sum[k].all / sum[0].all / (double)n;
				wasted += (sum[k].all - used) / (sum[0].all - used) / (double)n;
				killed += sum[k].killed;
				runs += sum[k].runs;
				most = fmax(most, sum[k].killed / fmax(1, sum[k].runs));
			}
			printf("| %s | %s | %.1f | %.1f |", larger ? "larger" : "learned", rule_name(k, text),
			       100 * reserved, 100 * wasted);
			if (runs > 0)
				printf(" %.1f | %.0f |\n", 100 * killed / runs, 100 * most);
			else
				printf(" - | - |\n");
		}
}

/* ---- jobs on one machine ------------------------------------------------------------------------------------ */

/* What a run that started at `start_s` held at a moment. */
static double held_at(const struct run *run, double start_s, double at_s)
{
	size_t i = run->points;

	if (at_s < start_s || at_s >= start_s + run->wall_s)
		return 0;
	while (i-- > 1 && start_s + run->t[i] > at_s)
		;
	return run->bytes[i];
}

static enum ft_status pack_mixes(struct ft_err *err)
{
	double shorter = 0, shortest = 1, over = 0, exceeded = 0;
	struct ft_random random = {7};

	for (size_t mix = 0; mix < MIXES; mix++) {
		struct ft_plan_rising job[MIXED];
		const struct job *of[MIXED];
		double start_s[MIXED], peaks_s, memory = 0, most = 0;
		struct ft_plan plan;

		for (size_t i = 0; i < MIXED; i++) {
			of[i] = &pool[ft_random_below(&random, pooled)];
			const struct stairs *stairs = &of[i]->stairs;
			double reserved;

			job[i] = (struct ft_plan_rising){stairs->from_s, stairs->bytes, stairs->n,
							 of[i]->limit_s, 1};
			memory = fmax(memory, 1.5 * stairs->bytes[stairs->n - 1]);
			exceeded += replay(&of[i]->run, stairs, &reserved) < of[i]->run.wall_s ||
				    of[i]->run.wall_s > of[i]->limit_s;
		}
		FT_TRY(ft_plan_overlap(job, MIXED, memory, 4, NULL, start_s, &plan, &peaks_s, err));
		shorter += (1 - plan.value / peaks_s) / MIXES;
		shortest = fmin(shortest, plan.value / peaks_s);
		for (size_t i = 0; i < MIXED; i++)
			for (size_t k = 0; k < of[i]->run.points; k++) {
				double sum = 0;

				for (size_t other = 0; other < MIXED; other++)
					sum += held_at(&of[other]->run, start_s[other],
						       start_s[i] + of[i]->run.t[k]);
				most = fmax(most, sum);
			}
		over += most > memory;
	}
	printf("\n%d mixes of %d jobs: %.1f %% less time by 4 steps than by peaks in the mean, %.1f %% at "
	       "most; in %.1f %% the "
	       "traces exceed the memory; %.1f %% of the jobs exceed their steps or time\n",
	       MIXES, MIXED, 100 * shorter, 100 * (1 - shortest), 100 * over / MIXES,
	       100 * exceeded / MIXES / MIXED);
	return FT_OK;
}

int main(int argc, char **argv)
{
	struct ft_store *store = NULL;
	enum { PROGRAMS_MOST = 64 };
	static struct result result[PROGRAMS_MOST];
	static struct run runs[PROGRAMS_MOST][RUNS_MOST];
	struct ft_err err = {0};
	size_t seeds = 5, n = 0;
	double risk = 0.05;
	int at = 1;

	for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
		if (!strcmp(argv[at], "--seeds"))
			seeds = strtoull(argv[at + 1], NULL, 10);
		else
			risk = strtod(argv[at + 1], NULL);
	if (at >= argc || ft_store_open(&store, argv[at], FT_STORE_READ, &err)) {
		(void)fprintf(stderr, "bench-steps: %s\n", at < argc ? err.text : "which store?");
		return 2;
	}
	printf("| program | sizes | runs | constant: killed, %% |");
	for (size_t k = 1; k < RULES; k++) {
		char text[32];

		printf(" %s |", rule_name(k, text));
	}
	printf(" used |\n|---|---|---|---|");
	for (size_t k = 1; k < RULES; k++)
		printf("---|");
	printf("---|\n");
	for (at++; at < argc && n < PROGRAMS_MOST; at++) {
		struct run *run = runs[n];
		size_t m;

		if (read_runs(store, argv[at], run, &m, &err) ||
		    judge_program(run, m, seeds, risk, &result[n], &err)) {
			(void)fprintf(stderr, "bench-steps: %s: %s\n", argv[at], err.text);
			return 2;
		}
		print_program(argv[at], &result[n++]);
	}
	print_all(result, n);
	if (pooled && pack_mixes(&err))
		(void)fprintf(stderr, "bench-steps: %s\n", err.text);
	for (size_t i = 0; i < n * RUNS_MOST; i++) {
		ft_free(runs[i / RUNS_MOST][i % RUNS_MOST].t);
		ft_free(runs[i / RUNS_MOST][i % RUNS_MOST].bytes);
	}
	ft_store_close(store);
	return 0;
}
