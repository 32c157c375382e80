/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reach.c - finds how large sizes can be before memory runs out: a ladder of cheap runs, and the law of
   their memory. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "num/num.h"
#include "sweep/sweep.h"

#include <math.h>

/*
 * The memory that runs need, as a law of the size.
 */

/* The sizes that the law is fitted to are this factor apart, if possible. */
static const double apart = 1.4;

/* Exponents that programs have. */
static const double exponent_least = 0.25, exponent_most = 6;

/* Less than this is not growth: the loader's pages, a library's caches. */
static const double growth_bytes = 0x1p20, growth_share = 0.05;

bool ft__need_grows(const struct ft__need *need, size_t n)
{
	double growth = n ? need[n - 1].bytes - need[0].bytes : 0;

	return growth > growth_bytes && growth > growth_share * need[0].bytes;
}

/* The nearest size below need[of] that lies apart from it, else the one before it. */
static size_t apart_before(const struct ft__need *need, size_t of)
{
	size_t i = of - 1;

	while (i && need[i].x * apart > need[of].x)
		i--;
	return need[i].x * apart > need[of].x ? of - 1 : i;
}

/* Two sizes: the larger one of a line and a power law. */
static double beyond_two(const struct ft__need *a, const struct ft__need *b, double x)
{
	double line = ft_line_at(x, a->x, a->bytes, b->x, b->bytes);

	if (b->bytes <= a->bytes)
		return b->bytes;
	if (a->x <= 0 || a->bytes <= 0)
		return line;
	return fmax(line, b->bytes * pow(x / b->x, log(b->bytes / a->bytes) / log(b->x / a->x)));
}

/* (x3^p - x2^p) / (x2^p - x1^p), which rises with p. */
static double growth_ratio(double x1, double x2, double x3, double p)
{
	return (pow(x3 / x2, p) - 1) / (1 - pow(x1 / x2, p));
}

double ft__need_at(const struct ft__need *need, size_t n, double x)
{
	if (!n)
		return NAN;
	if (n == 1 || x <= need[0].x)
		return need[0].bytes;
	if (x > need[n - 1].x) {
		const struct ft__need *c = &need[n - 1], *b = &need[apart_before(need, n - 1)], *a;
		double low = exponent_least, high = exponent_most;

		if (b == need)
			return beyond_two(b, c, x);
		a = &need[apart_before(need, (size_t)(b - need))];
		if (c->bytes <= b->bytes)
			return fmax(b->bytes, c->bytes);
		if (b->bytes <= a->bytes || a->x <= 0)
			return beyond_two(b, c, x);
		double ratio = (c->bytes - b->bytes) / (b->bytes - a->bytes);
		for (int i = 0; i < 60; i++) {
			double p = (low + high) / 2;

			if (growth_ratio(a->x, b->x, c->x, p) < ratio)
				low = p;
			else
				high = p;
		}
		return c->bytes +
		       (c->bytes - b->bytes) * (pow(x / c->x, low) - 1) / (1 - pow(b->x / c->x, low));
	}
	size_t i = ft_count_below_of(&need[1].x, n - 1, sizeof *need, x);
	return ft_line_at(x, need[i].x, need[i].bytes, need[i + 1].x, need[i + 1].bytes);
}

/*
 * Finds how large sizes can be before memory runs out: a ladder of cheap runs, and the law of their
 * memory.
 */

/* After this many invalid sizes in a row no other one is tried. */
enum { INVALID_MOST = 8 };

enum { RUNGS_MOST = 40, SHARES = 32 };

/* A run longer than this share of the budget, or than this many seconds, is the last; one expected to take
 * a multiple of that is not begun, and one that does take the larger multiple is ended. */
static const double budget_share = 1.0 / 20, seconds_most = 2, skip_from = 5, end_from = 10;

/* A run that needs this share of the memory is the last: more would exhaust it. */
static const double memory_share = 1.0 / 8;

/* The ladder so far. */
struct ladder {
	struct ft_sweep sweep;
	struct ft_reach *out;
	const struct ft_param *param;
	struct ft_space space; /* its values, without an end unless they are listed */
	double seconds;        /* a run longer than this is the last */
	struct ft__need need[RUNGS_MOST];
	double cost_s[RUNGS_MOST]; /* of a run at each */
	size_t n;
	enum ft_outcome failure; /* of the last one that failed */
	bool bounded;            /* by a run that was killed or failed */
	bool excluded;           /* by the constraint */
};

const char *ft_reach_text(enum ft_reach_bound bound)
{
	static const char *const texts[] = {
#define TEXT(name, words) words,
		FT_REACH_LIST(TEXT)
#undef TEXT
	};

	return (size_t)bound < sizeof texts / sizeof *texts ? texts[bound] : "unknown";
}

/* The size of a rung; false: the constraint admits none. */
static bool find_size(const struct ladder *l, double x, struct ft_size *size)
{
	const struct ft_program *program = l->sweep.program;

	*size = l->sweep.fixed;
	size->value[l->sweep.varying] = x;
	for (size_t share = 0; share <= SHARES; share++) {
		for (size_t i = 0; i < program->n_params; i++)
			if (i != l->sweep.varying)
				size->value[i] = ft__value_at(&program->param[i], (double)share / SHARES);
		if (ft__admits(&l->sweep, size))
			return true;
	}
	return false;
}

static struct ft_size size_at(const struct ladder *l, double x)
{
	struct ft_size size;

	(void)find_size(l, x, &size);
	return size;
}

/* The rung above: twice the size, or the first admissible one above; infinite: none. */
static double rung_above(const struct ladder *l, double x)
{
	return fmax(ft_space_next(&l->space, x), ft_space_next(&l->space, nextafter(2 * x, -INFINITY)));
}

/* ---- runs --------------------------------------------------------------------------------------------- */

/* The store's data on a rung: true when a run there ended well. */
static bool is_known(struct ladder *l, double x)
{
	struct ft_size size = size_at(l, x);
	struct ft__need *need = &l->need[l->n];

	*need = (struct ft__need){x, NAN};
	for (size_t i = 0; i < l->sweep.known.n; i++) {
		const struct ft_run *run = &l->sweep.known.run[i];

		if (run->outcome != FT_DONE || run->warmup || !ft_size_equal(&run->size, &size))
			continue;
		need->bytes = fmax(need->bytes, ft_run_footprint(run));
		l->cost_s[l->n] = run->cost_s;
	}
	return !isnan(need->bytes);
}

/* One execution; its run is stored. */
static enum ft_status run_rung(struct ladder *l, double x, bool warmup, enum ft_outcome *outcome,
			       struct ft_err *err)
{
	double limit_s = end_from * l->seconds;
	struct ft_size size = size_at(l, x);
	struct ft_runs runs = {0};

	if (l->sweep.options.timeout_s > 0)
		limit_s = fmin(limit_s, l->sweep.options.timeout_s);
	if (l->sweep.options.interrupt && *l->sweep.options.interrupt) {
		*outcome = FT_INTERRUPTED;
		return FT_OK;
	}
	const struct ft_sweep_options *o = &l->sweep.options;
	struct ft_progress progress = {
		.points = l->n,
		.runs = l->out->runs,
		.spent_s = l->out->cost_s,
		.budget_s = o->budget_s,
		.size = size_at(l, x),
		.expected_s = NAN,
		.reason = FT_REASON_NEW,
		.gain = NAN,
	};

	if (o->progress)
		o->progress(o->progress_ctx, &progress);
	enum ft_status status = ft_source_run(l->sweep.source, &size, 0, limit_s, &runs, err);
	if (!status) {
		*outcome = runs.run[0].outcome;
		l->out->runs += *outcome != FT_INTERRUPTED;
		l->out->cost_s += runs.run[0].cost_s;
		l->need[l->n] = (struct ft__need){x, ft_run_footprint(&runs.run[0])};
		l->cost_s[l->n] = runs.run[0].cost_s;
		status = ft__runs_keep(&l->sweep, &runs, false, warmup, err);
	}
	ft_runs_clear(&runs);
	return status;
}

/* The expected time of a run at x: the power law through the highest rung and the second below it, since
 * single runs are noisy. */
static double seconds_at(const struct ladder *l, double x)
{
	const struct ft__need *top = &l->need[l->n - 1];
	size_t below = l->n > 2 ? l->n - 3 : 0;

	if (l->n < 2 || l->need[below].x <= 0 || !(l->cost_s[below] > 0))
		return NAN;
	double exponent =
		fmax(0, log(l->cost_s[l->n - 1] / l->cost_s[below]) / log(top->x / l->need[below].x));
	return l->cost_s[l->n - 1] * pow(x / top->x, exponent);
}

/* One rung, unless it is known. Returns FT_EEND when it was the last. */
static enum ft_status step_rung(struct ladder *l, double x, struct ft_err *err)
{
	enum ft_outcome outcome = FT_DONE;
	enum ft_status status = FT_OK;
	struct ft_size size;

	if (!find_size(l, x, &size)) {
		l->excluded = true;
		return FT_EEND;
	}
	if (x >= ft_runs_killed(&l->sweep.known, l->sweep.varying, &l->sweep.fixed)) {
		outcome = FT_OUT_OF_MEMORY; /* before; not again */
	} else if (!is_known(l, x)) {
		if (!l->sweep.warm)
			status = run_rung(l, x, true, &outcome, err);
		l->sweep.warm = true;
		if (!status && outcome == FT_DONE)
			status = run_rung(l, x, false, &outcome, err);
	}
	if (status)
		return status;
	if (outcome == FT_INTERRUPTED)
		return ft_fail(err, FT_EINTR, "interrupted; every finished run is kept");
	l->failure = outcome;
	if (outcome == FT_INVALID)
		return FT_OK;
	if (outcome != FT_DONE) {
		l->bounded = outcome != FT_TIMED_OUT;
		l->out->bound = outcome == FT_OUT_OF_MEMORY ? FT_REACH_KILLED : FT_REACH_FAILED;
		l->out->bound_at = x;
		return FT_EEND;
	}
	if (isnan(l->need[l->n].bytes))
		return ft_fail(err, FT_EUNAVAIL, "the memory of the runs of '%s' is not known",
			       l->sweep.program->name);
	l->n++;
	if (l->need[l->n - 1].bytes >= memory_share * l->out->limit_bytes ||
	    l->cost_s[l->n - 1] >= l->seconds || seconds_at(l, rung_above(l, x)) > skip_from * l->seconds)
		return FT_EEND;
	return FT_OK;
}

static enum ft_status climb_ladder(struct ladder *l, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	double x = l->param->least;
	size_t invalid = 0;

	while (!status && l->n < RUNGS_MOST && invalid < INVALID_MOST &&
	       (x <= l->param->most || l->param->most == l->param->least)) {
		status = step_rung(l, x, err);
		invalid = l->failure == FT_INVALID ? invalid + 1 : 0;
		x = rung_above(l, x);
	}
	return status == FT_EEND ? FT_OK : status;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static bool fits_limit(const struct ladder *l, double x, double below)
{
	struct ft_size size;

	return x < below && find_size(l, x, &size) &&
	       (!ft__need_grows(l->need, l->n) || ft__need_at(l->need, l->n, x) <= l->out->limit_bytes);
}

/* The largest admissible size, below a bound (infinite: none), that needs no more than the limit. */
static double largest_below(const struct ladder *l, double below)
{
	double low = 0, high = 1;

	while (high < FT_SPACE_MAX && fits_limit(l, ft_space_value(&l->space, high), below))
		high *= 2;
	while (high - low > 1) {
		double middle = floor(low + (high - low) / 2);

		if (fits_limit(l, ft_space_value(&l->space, middle), below))
			low = middle;
		else
			high = middle;
	}
	return ft_space_value(&l->space, low);
}

/* Memory does not limit the size. */
static enum ft_status refuse_flat(const struct ladder *l, struct ft_err *err)
{
	const struct ft__need *top = &l->need[l->n - 1];
	const char *name = l->param->name;
	char bytes[FT_UNIT_LENGTH], seconds[FT_UNIT_LENGTH], at[FT_NUMBER_LENGTH];

	(void)ft_number_format(top->x, at);
	(void)ft_value_format(l->cost_s[l->n - 1], "s", seconds);
	if (l->bounded)
		(void)ft_fail(err, FT_EINVAL,
			      "memory does not bound %s: at %s=%s a run of '%s' did not end well (%s), and "
			      "until there its memory does not grow",
			      name, name, ft_number_format(l->out->bound_at, at), l->sweep.program->name,
			      ft_outcome_text(l->failure));
	else
		(void)ft_fail(err, FT_EINVAL,
			      "memory does not bound %s: it does not grow up to %s=%s (%s), where a run "
			      "takes %s",
			      name, name, at, ft_value_format(top->bytes, "bytes", bytes), seconds);
	if (l->bounded)
		(void)ft_remedy(err, "give an upper end below that size in place of auto");
	else
		(void)ft_remedy(err, "time bounds it: give an upper end in place of auto, as in %s=%g:%g",
				name, l->param->least, 2 * top->x);
	return FT_EINVAL;
}

static enum ft_status refuse_least(const struct ladder *l, struct ft_err *err)
{
	char need[FT_UNIT_LENGTH], limit[FT_UNIT_LENGTH];

	ft_fail(err, FT_EINVAL, "no range of %s fits memory: at %g a run takes %s, and may take %s",
		l->param->name, l->need[0].x, ft_value_format(l->need[0].bytes, "bytes", need),
		ft_value_format(l->out->limit_bytes, "bytes", limit));
	(void)ft_remedy(err, "begin with a smaller size, or give an upper end in place of auto");
	return FT_EINVAL;
}

/* A need is considered flat, with noise of some pages, if this multiple of the largest size that was run
 * would fit, or more sizes than can be counted. */
static const double reach_most = 1e6;

static enum ft_status answer_reach(struct ladder *l, struct ft_err *err)
{
	struct ft_reach *out = l->out;
	bool grows = ft__need_grows(l->need, l->n);
	double below = l->bounded ? out->bound_at : INFINITY;
	struct ft_size size;

	if (!l->n) {
		char where[256];
		struct ft_size first = size_at(l, l->param->least);

		(void)ft_size_format(l->sweep.program, &first, where, sizeof where);
		ft_fail(err, FT_ENOMODEL, "no run of '%s' ended well; at %s: %s", l->sweep.program->name,
			where, ft_outcome_text(l->failure));
		(void)ft_remedy(err, "run the command by hand at that size, and mend what it complains of");
		return FT_ENOMODEL;
	}
	if (l->need[0].bytes > out->limit_bytes)
		return refuse_least(l, err);
	if (!grows && !l->excluded && !(l->bounded && out->bound == FT_REACH_KILLED))
		return refuse_flat(l, err);
	/* Killed without growth that was seen: the last size that ended well is all that is known. */
	out->most = grows || l->excluded ? largest_below(l, below) : l->need[l->n - 1].x;
	if (!(out->most > l->param->least))
		return refuse_least(l, err);
	if (!l->bounded && !l->excluded &&
	    (out->most > reach_most * l->need[l->n - 1].x ||
	     ft_space_floor(&l->space, out->most) > FT_SPACE_MAX / 8))
		return refuse_flat(l, err);
	double next = ft_space_next(&l->space, out->most);
	if (!l->bounded || next < below) {
		out->bound = find_size(l, next, &size) ? FT_REACH_MEMORY : FT_REACH_WHERE;
		out->bound_at = NAN;
	}
	out->need_bytes = ft__need_at(l->need, l->n, out->most);
	out->seconds = seconds_at(l, out->most);
	return FT_OK;
}

static void turn_to(struct ladder *l, size_t varying)
{
	struct ft_program *program = l->sweep.program;

	l->param = &program->param[varying];
	l->space = ft_param_space(l->param);
	l->space.most = l->space.least;
	l->sweep.varying = varying;
	l->sweep.fixed.n = program->n_params;
	for (size_t i = 0; i < program->n_params; i++)
		l->sweep.fixed.value[i] = i == varying ? 0 : program->param[i].least;
}

/* A ladder along each other parameter with a range: what runs need is then known along all of them, before
 * any size is run that may be too large. */
static enum ft_status climb_others(struct ladder *l, struct ft_err *err)
{
	struct ft_reach *out = l->out, side;
	size_t found = l->sweep.varying;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < l->sweep.program->n_params && !status; i++) {
		const struct ft_param *param = &l->sweep.program->param[i];

		if (i == found || param->least == param->most)
			continue;
		side = (struct ft_reach){.limit_bytes = out->limit_bytes};
		l->out = &side;
		l->n = 0;
		turn_to(l, i);
		status = climb_ladder(l, err);
		out->runs += side.runs;
		out->cost_s += side.cost_s;
	}
	l->out = out;
	return status;
}

enum ft_status ft_sweep_reach(struct ft_store *store, struct ft_program *program, size_t varying,
			      const struct ft_machine *machine, struct ft_source *source,
			      const struct ft_sweep_options *options, double limit_bytes,
			      struct ft_reach *out, struct ft_err *err)
{
	struct ladder *l = ft_calloc(1, sizeof *l);

	*out = (struct ft_reach){.limit_bytes = limit_bytes, .seconds = NAN, .bound_at = NAN};
	if (!l)
		return ft_nomem(err);
	l->sweep = (struct ft_sweep){.store = store,
				     .program = program,
				     .machine = machine,
				     .source = source,
				     .options = *options};
	l->out = out;
	l->seconds = options->budget_s > 0 ? budget_share * options->budget_s : seconds_most;
	turn_to(l, varying);
	l->sweep.warm = !ft_source_is_live(source);
	ft_source_interrupt(source, options->interrupt);
	enum ft_status status = ft__where_parse(&l->sweep, err);
	if (!status)
		status = ft_store_get_runs(store, program->id, machine->id, &l->sweep.known, err);
	if (!status)
		status = climb_ladder(l, err);
	if (!status)
		status = answer_reach(l, err);
	if (!status)
		status = climb_others(l, err);
	ft_runs_clear(&l->sweep.known);
	ft_expr_free(l->sweep.where);
	ft_free(l->sweep.stamp);
	ft_free(l);
	return status;
}
