/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-parts.c - models of traces in parts: beside those of each part, and what cannot be asked of them; words.
 */
#include "foretime/trace.h"
#include "made.h"
#include "tap.h"

#include <string.h>

enum { PARTS = 3, EACH = 60 };

/* Waves of three heights with noise, the second part the liveliest. */
static void make(double *t, double *y, struct ft_random *random)
{
	static const double height[PARTS] = {1, 5, 0.2};

	for (size_t i = 0; i < (size_t)PARTS * EACH; i++) {
		t[i] = (double)i + 100 * floor((double)i / EACH);
		y[i] = height[i / EACH] * (sin(t[i] / 6) + 0.05 * ft_random_normal(random));
	}
}

/* The mean square over all parts, weighed by their lengths, of the nodes that the fit says are theirs. */
static double rms_of(const struct ft_trace *trace, const struct ft_pwl_fit *fit, const size_t *first,
		     int *bad)
{
	double square = 0, length = 0;

	for (size_t p = 0; p < trace->n_parts; p++) {
		size_t begin = trace->part[p], end = trace->part[p + 1], from = first[p], to = first[p + 1];
		struct ft_pwl_error error;
		struct ft_pwl *f;

		*bad += !(from + 2 <= to) || fit->nodes.t[from] != trace->t[begin] ||
			fit->nodes.t[to - 1] != trace->t[end - 1];
		(void)ft_pwl_new(&f, trace->t + begin, trace->y + begin, end - begin, NULL);
		ft_pwl_compare(f, fit->nodes.t + from, fit->nodes.y + from, to - from, &error);
		square += error.rms * error.rms * (ft_pwl_end(f) - ft_pwl_begin(f));
		length += ft_pwl_end(f) - ft_pwl_begin(f);
		ft_pwl_free(f);
	}
	*bad += first[0] != 0 || first[trace->n_parts] != fit->nodes.n;
	return sqrt(square / length);
}

static void test_fit(struct ft_trace *trace)
{
	size_t pieces, first[PARTS + 1], last = 0;
	double before = INFINITY;
	int bad = 0, worse = 0, away = 0;

	for (pieces = PARTS; pieces <= 24; pieces += 3) {
		struct ft_pwl_options o = {.pieces = pieces};
		struct ft_pwl_fit fit;

		if (ft_trace_fit(&fit, trace, &o, first, NULL)) {
			bad++;
			continue;
		}
		away += !near(rms_of(trace, &fit, first, &bad), fit.error.rms, 1e-9);
		bad += fit.nodes.n != pieces + PARTS || !fit.reached;
		worse += fit.error.rms > before * (1 + 1e-9);
		before = fit.error.rms;
		last = first[2] - first[1];
		ft_pwl_fit_clear(&fit);
	}
	ok(!bad && !away, "nodes lie in their parts, errors are those of all: %d, %d", bad, away);
	ok(!worse && last >= 12, "more pieces are better, and go where most happens: %zu of 27 nodes", last);
}

static void test_error_asked(struct ft_trace *trace)
{
	static const double asked[] = {2, 0.5, 0.3};
	size_t first[PARTS + 1], i, nodes = 0;
	int bad = 0;

	for (i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct ft_pwl_options o = {.rms = asked[i]};
		struct ft_pwl_fit fit;

		bad += ft_trace_fit(&fit, trace, &o, first, NULL) != FT_OK;
		bad += !near(rms_of(trace, &fit, first, &bad), fit.error.rms, 1e-9);
		bad += fit.error.rms > asked[i] || !fit.reached || fit.nodes.n < nodes;
		nodes = fit.nodes.n;
		ft_pwl_fit_clear(&fit);
	}
	ok(!bad, "an error to keep below: %d wrong, %zu nodes at last", bad, nodes);
}

static void test_refused(struct ft_trace *trace)
{
	double at[] = {5};
	const struct ft_nodes nodes = {.t = at, .y = at, .n = 1};
	const struct ft_pwl_options from_nodes = {.start = FT_PWL_START_NODES, .nodes = &nodes, .pieces = 4};
	const struct ft_pwl_options few = {.most = PARTS - 1}, enough = {.most = PARTS};
	struct ft_pwl_fit fit;
	struct ft_err err = {0};

	ok(ft_trace_fit(&fit, trace, &from_nodes, NULL, &err) == FT_EINVAL && *err.remedy, "%s", err.text);
	ok(ft_trace_fit(&fit, trace, &few, NULL, &err) == FT_EINVAL && strstr(err.text, "3 parts"), "%s",
	   err.text);
	ok(!ft_trace_fit(&fit, trace, &enough, NULL, &err) && fit.nodes.n == 2 * PARTS,
	   "one piece for each part");
	ft_pwl_fit_clear(&fit);
}

/* A trace in one part is a curve. */
static void test_one(struct ft_trace *trace)
{
	const struct ft_pwl_options o = {.pieces = 6};
	struct ft_pwl_fit fit, alone;
	size_t first[2] = {9, 9};
	struct ft_pwl *f;

	trace->n = EACH;
	trace->n_parts = 1;
	(void)ft_pwl_new(&f, trace->t, trace->y, trace->n, NULL);
	ok(!ft_trace_fit(&fit, trace, &o, first, NULL) && !ft_pwl_fit(&alone, f, &o, NULL) && first[0] == 0 &&
		   first[1] == 7 && fit.nodes.n == 7 &&
		   !memcmp(fit.nodes.t, alone.nodes.t, 7 * sizeof(double)) &&
		   !memcmp(fit.nodes.y, alone.nodes.y, 7 * sizeof(double)),
	   "one part is fitted as a curve is");
	ft_pwl_fit_clear(&fit);
	ft_pwl_fit_clear(&alone);
	ft_pwl_free(f);
}

/* As many parts as there are pieces, without being asked for so many, and more. */
static void test_many(void)
{
	enum { MANY = 200, SHORT = 6 };
	static double t[MANY * SHORT], y[MANY * SHORT];
	static size_t part[MANY + 1], first[MANY + 1];
	struct ft_trace trace = {.t = t, .y = y, .part = part};
	const struct ft_pwl_options usual = {0}, close = {.rms = 1e-3};
	struct ft_pwl_fit fit;
	int bad = 0;

	for (size_t i = 0; i < (size_t)MANY * SHORT; i++) {
		t[i] = (double)(i + 10 * (i / SHORT));
		y[i] = i / SHORT % 3 ? 1 : fabs((double)(i % SHORT) - 2);
	}
	for (size_t i = 0; i <= MANY; i++)
		part[i] = i * SHORT;
	for (size_t n = 158; n <= MANY; n += n < 163 ? 1 : 37) {
		trace.n_parts = n;
		trace.n = n * SHORT;
		bad += ft_trace_fit(&fit, &trace, &usual, first, NULL) != FT_OK || fit.nodes.n < 2 * n;
		ft_pwl_fit_clear(&fit);
		bad += ft_trace_fit(&fit, &trace, &close, first, NULL) != FT_OK || !fit.reached;
		ft_pwl_fit_clear(&fit);
	}
	ok(!bad, "%d and more parts have models, and reach an error", 158);
}

static void test_words(void)
{
	static const char *const words[] = {
#define WORD(name, words) words,
		FT_TRACE_GAPS_LIST(WORD)
#undef WORD
	};
	enum ft_trace_gaps gaps = FT_TRACE_BREAK;
	size_t i;
	int bad = 0;

	ok(!ft_trace_gaps_parse("never", &gaps) && gaps == FT_TRACE_BREAK, "no word for gaps");
	for (i = 0; i < sizeof words / sizeof *words; i++)
		bad += !ft_trace_gaps_parse(words[i], &gaps) || gaps != (enum ft_trace_gaps)i;
	ok(!bad, "each word for gaps is read");
	ok(*ft_pwl_start_text(FT_PWL_START_NODES) &&
		   strcmp(ft_pwl_start_text(FT_PWL_START_NODES), ft_pwl_start_text(FT_PWL_START_DP)) != 0 &&
		   strcmp(ft_pwl_start_text(FT_PWL_START_PATH), ft_pwl_start_text(FT_PWL_START_DP)) != 0,
	   "starts have words");
}

int main(void)
{
	struct ft_random random = {test_seed()};
	static double t[PARTS * EACH], y[PARTS * EACH];
	size_t part[PARTS + 1] = {0, EACH, 2 * EACH, 3 * EACH};
	struct ft_trace trace = {.t = t, .y = y, .n = PARTS * EACH, .part = part, .n_parts = PARTS};

	make(t, y, &random);
	test_fit(&trace);
	test_error_asked(&trace);
	test_refused(&trace);
	test_one(&trace);
	test_many();
	test_words();
	return done();
}
