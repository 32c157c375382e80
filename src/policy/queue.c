/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.c - chooses the next problem. Source: 001 II.B; doc/manager.md. */
#include "policy/policy.h"

#include "foretime/base.h"

#include <math.h>

/* 001 II.B names the rules, not the numbers: doc/manager.md has what halving and doubling them does. */
enum { INTERRUPTIONS = 3, LARGE_S = 600 };
static const double reserved = 0.1;  /* of the time, for those that waited longest */
static const double unqueried = 0.1; /* relative to the least queried one, if it is never queried */

/* A queue, with estimates of unknown values. */
struct policy_queue {
	const struct ft_queued *queued; /* [n] */
	size_t n;
	double top; /* the priority that is served */
	double seconds, gain, queries;
};

/* ---- priorities -------------------------------------------------------------------------------------- */

/* NaN compares with nothing: then none would be at the top. */
static double stated_priority(double priority)
{
	return isnan(priority) ? 0 : priority;
}

static double priority_of(const struct policy_queue *q, const struct ft_queued *problem)
{
	double priority = stated_priority(problem->priority), before = NAN;

	for (unsigned falls = problem->interrupted / INTERRUPTIONS; falls && priority != before; falls--) {
		before = priority;
		/* The next lower priority that there is; the same where there is none. */
		double lower = -INFINITY;

		for (size_t i = 0; i < q->n; i++)
			if (q->queued[i].may && stated_priority(q->queued[i].priority) < priority)
				lower = fmax(lower, stated_priority(q->queued[i].priority));
		priority = isfinite(lower) ? lower : priority;
	}
	return priority;
}

static bool is_served(const struct policy_queue *q, size_t i)
{
	return q->queued[i].may && priority_of(q, &q->queued[i]) >= q->top;
}

static bool find_top(struct policy_queue *q)
{
	bool any = false;

	q->top = -INFINITY;
	for (size_t i = 0; i < q->n; i++)
		if (q->queued[i].may) {
			q->top = fmax(q->top, priority_of(q, &q->queued[i]));
			any = true;
		}
	return any;
}

/* ---- by gain ----------------------------------------------------------------------------------------- */

/* An interrupted one has run for half of its time, without result. */
static double gain_a_second(const struct policy_queue *q, const struct ft_queued *p)
{
	double gain = isnan(p->gain) ? q->gain : p->gain,
	       seconds = isnan(p->seconds) ? q->seconds : p->seconds,
	       queries = p->queries > 0 ? p->queries : q->queries;

	return queries * gain * p->survives / (fmax(seconds, 1e-3) * (1 + p->survives) / 2);
}

/* Of those that are served, of which there is always one: a gain that is NaN comes last. */
static size_t most_gain(const struct policy_queue *q)
{
	double best = -INFINITY;
	size_t which = q->n;

	for (size_t i = 0; i < q->n; i++) {
		if (!is_served(q, i))
			continue;
		double gain = gain_a_second(q, &q->queued[i]);
		gain = isnan(gain) ? -INFINITY : gain;
		if (which == q->n || gain > best ||
		    (gain == best && q->queued[i].waits_s < q->queued[which].waits_s)) {
			best = gain;
			which = i;
		}
	}
	return which;
}

static size_t longest_wait(const struct policy_queue *q)
{
	size_t which = q->n;

	for (size_t i = 0; i < q->n; i++)
		if (is_served(q, i) && (which == q->n || q->queued[i].waits_s < q->queued[which].waits_s))
			which = i;
	return which;
}

/* ---- by the document --------------------------------------------------------------------------------- */

enum rear { FRONT, LARGE, INTERRUPTED };

static enum rear rear_of(const struct ft_queued *p)
{
	if (p->rear_s)
		return INTERRUPTED;
	return p->seconds > LARGE_S ? LARGE : FRONT;
}

static int sign_of(double a, double b)
{
	return (a > b) - (a < b);
}

/* Below 0: a goes first. */
static int compare_queued(const struct ft_queued *a, const struct ft_queued *b)
{
	int c = (int)rear_of(a) - (int)rear_of(b);

	if (!c)
		c = (a->rear_s > b->rear_s) - (a->rear_s < b->rear_s);
	if (!c)
		c = sign_of(a->complete, b->complete);
	return c ? c : sign_of(a->seconds, b->seconds);
}

static void choose_by_document(const struct policy_queue *q, struct ft_choice *choice)
{
	static const char *const rears[] = {"", "; a large one, with no smaller one",
					    "; it was interrupted, like all others"};
	struct ft__phrase why = {choice->why, sizeof choice->why, 0};
	size_t which = q->n;

	for (size_t i = 0; i < q->n; i++)
		if (is_served(q, i) &&
		    (which == q->n || compare_queued(&q->queued[i], &q->queued[which]) < 0))
			which = i;
	const struct ft_queued *p = &q->queued[which];
	choice->which = which;
	ft__phrase_add(&why, "is least complete: %.3g %%%s", 100 * p->complete, rears[rear_of(p)]);
}

enum ft_status ft_queue_choose(const struct ft_queued *queue, size_t n, enum ft_order order,
			       const struct ft_turns *turns, int64_t at_s, struct ft_choice *choice)
{
	struct policy_queue q = {.queued = queue, .n = n};

	*choice = (struct ft_choice){.which = n};
	if (!find_top(&q))
		return FT_EEND;
	/* Unknown values: the first benchmark of a model without data gains as much as any, and takes as long as
	 * the longest. */
	double gain = 0, seconds = 0, queries = INFINITY;

	for (size_t i = 0; i < q.n; i++) {
		const struct ft_queued *p = &q.queued[i];

		gain = fmax(gain, p->gain);
		seconds = fmax(seconds, p->seconds);
		if (p->queries > 0)
			queries = fmin(queries, p->queries);
	}
	q.gain = gain > 0 ? gain : 1;
	q.seconds = seconds > 0 ? seconds : 1;
	q.queries = isfinite(queries) ? unqueried * queries : 1;
	if (order == FT_ORDER_PMM)
		choose_by_document(&q, choice);
	else {
		struct ft__phrase why = {choice->why, sizeof choice->why, 0};
		char waited[FT_UNIT_LENGTH];

		choice->by_age = turns->by_age_s < reserved * turns->spent_s;
		choice->which = choice->by_age ? longest_wait(&q) : most_gain(&q);
		if (choice->by_age) {
			double s = (double)(at_s - q.queued[choice->which].waits_s);

			ft__phrase_add(&why, "waits longest, for %s: a tenth of the time is for such",
				       ft_value_format(fmax(s, 0), "s", waited));
		} else
			ft__phrase_add(&why, "gains most a second: %.3g",
				       gain_a_second(&q, &q.queued[choice->which]));
	}
	return FT_OK;
}

/* ---- interruptions ----------------------------------------------------------------------------------- */

/* The probability that a stretch lasts: the share of earlier ones that did, with two more that end at
 * random, as often as the rest (hourly if there are none). */
double ft_queue_survives(const double *lengths_s, size_t n, double age_s, double seconds)
{
	static const double weight = 2, usual_s = 3600;
	double alive = 0, lasting = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		alive += lengths_s[i] >= age_s;
		lasting += lengths_s[i] >= age_s + seconds;
		sum += lengths_s[i];
	}
	return (lasting + weight * exp(-seconds * (sum > 0 ? (double)n / sum : 1 / usual_s))) /
	       (alive + weight);
}

bool ft_queue_hopeless(const struct ft_queued *problem, double longest_s, char why[FT_WHY_LENGTH])
{
	struct ft__phrase text = {why, FT_WHY_LENGTH, 0};
	char takes[FT_UNIT_LENGTH], has[FT_UNIT_LENGTH];

	if (problem->interrupted < INTERRUPTIONS || !(problem->seconds > longest_s))
		return false;
	ft__phrase_add(&text,
		       "interrupted %u times in a row: its next benchmark takes %s, and is left %s at most; "
		       "let it be "
		       "frozen instead of ended, widen its policies, or lower its largest size",
		       problem->interrupted, ft_value_format(problem->seconds, "s", takes),
		       ft_value_format(longest_s, "s", has));
	return true;
}
