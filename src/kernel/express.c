/* SPDX-License-Identifier: GPL-3.0-or-later */
/* express.c - expressions of counts by exact interpolation.
 *
 * A kernel is carried out at small sizes that lie evenly in the residue class of the case asked for: all sums
 * of the places up to a degree. Counts are whole numbers, so are their differences, and a polynomial of that
 * degree less two shows itself by differences that vanish: there are more sizes than coefficients. One larger
 * size, and the case that was asked for, are then foretold and compared. */
#include "base/alloc.h"
#include "foretime/expr.h"
#include "kernel/launch.h"
#include "kernel/wide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPARE = 2 }; /* degrees that have to vanish */

/* What is tried in turn: a class of finer steps where a count alternates, sizes further up where small ones
 * are special (a border wider than the picture), a higher degree. */
static const struct {
	int64_t finer, further;
	size_t degree; /* more than usual */
} tries[] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}, {2, 2, 0}, {1, 1, 2},
	     {4, 1, 0}, {3, 1, 0}, {1, 4, 0}, {2, 2, 2}};

struct express_search {
	const struct ft_kernel *kernel;
	const struct ft_kernel_launch *launch;
	const struct ft_kernel_options *options;
	struct ft_kernel_argument *argument; /* [launch->n] a copy, whose values vary */
	size_t at[FT_KERNEL_VARIABLES];      /* which of them the variables are */
	int64_t asked[FT_KERNEL_VARIABLES], step[FT_KERNEL_VARIABLES];
	double steps;
	size_t runs;
	double (*found)[FT_KERNEL_COUNTS]; /* [FT_KERNEL_TERMS] at each size */
};

static bool is_real(const struct ft_kernel *kernel, const char *name)
{
	for (size_t i = 0; i < kernel->n_params; i++)
		if (!strcmp(kernel->param[i].name, name))
			return kernel->param[i].kind != FT_KERNEL_WHOLE;
	return false; /* only sizes are made of it */
}

static enum ft_status mentions_name(const char *text, const char *name, bool *found, struct ft_err *err)
{
	struct ft_expr *expr;
	enum ft_status status = FT_OK;

	*found = false;
	if (text)
		status = ft_expr_new(&expr, text, err);
	if (status || !text)
		return status;
	for (size_t i = 0; ft_expr_name(expr, i) && !*found; i++)
		*found = !strcmp(ft_expr_name(expr, i), name);
	ft_expr_free(expr);
	return FT_OK;
}

static int64_t multiple(int64_t a, int64_t b)
{
	int64_t x = a, y = b;

	while (y) {
		int64_t rest = x % y;

		x = y;
		y = rest;
	}
	return a / x * b;
}

/* An argument that is a number of work-items keeps being divided by its groups. */
static enum ft_status class_of(const struct express_search *s, const char *name, int64_t *step,
			       struct ft_err *err)
{
	enum ft_status status = FT_OK;
	bool found;

	*step = 1;
	for (int i = 0; i < FT_KERNEL_DIMS && !status; i++) {
		double local = 1;

		status = mentions_name(s->launch->global[i], name, &found, err);
		if (!status && found && s->launch->local[i])
			status = ft__launch_value(s->launch, s->launch->local[i], &local, err);
		if (!status && local >= 1 && local < 65536)
			*step = multiple(*step, (int64_t)local);
	}
	return status;
}

static enum ft_status find_variables(struct express_search *s, struct ft_kernel_expressions *out,
				     struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < s->launch->n && !status; i++) {
		const struct ft_kernel_argument *a = &s->launch->argument[i];

		if (a->fixed || isnan(a->value) || is_real(s->kernel, a->name) ||
		    a->value != floor(a->value) || !(fabs(a->value) < 1e15))
			continue;
		if (out->n == FT_KERNEL_VARIABLES) {
			(void)ft_fail(err, FT_ENOMODEL, "expressions are made of %d arguments at most",
				      FT_KERNEL_VARIABLES);
			return ft_remedy(err, "name the constant ones: --arg %s=fixed", a->name);
		}
		(void)snprintf(out->variable[out->n].name, sizeof out->variable[0].name, "%s", a->name);
		s->at[out->n] = i;
		s->asked[out->n] = (int64_t)a->value;
		status = class_of(s, a->name, &s->step[out->n], err);
		out->n++;
	}
	if (!status && !out->n)
		return ft_fail(err, FT_ENOMODEL,
			       "kernel %s has no whole number among its arguments that could vary",
			       s->kernel->name);
	return status;
}

/* The undecided place that was met first. */
static enum ft_status refuse_undecided(const struct ft_kernel_features *features, struct ft_err *err)
{
	const struct ft_kernel_met *met = features->met;

	(void)ft_fail(err, FT_ENOMODEL, "there are no expressions: line %d: %s", met->line,
		      ft_kernel_note_about(met->note));
	return ft_remedy(err, "counts of one size with its data: --arg NAME=FILE, without --expression");
}

/* The counts at a size: places on the axes. exact: out, whether they are all of it. */
static enum ft_status count_at(struct express_search *s, const struct ft_kernel_expressions *e,
			       const size_t place[], double out[FT_KERNEL_COUNTS], bool *exact,
			       struct ft_err *err)
{
	enum ft_status status = FT_OK;
	struct ft_kernel_launch launch = *s->launch;
	struct ft_kernel_options options = *s->options;
	struct ft_kernel_features features;

	launch.argument = s->argument;
	options.groups = 0;
	options.steps = fmax(s->options->steps - s->steps, 1);
	for (size_t j = 0; j < e->n; j++)
		s->argument[s->at[j]].value =
			(double)(e->variable[j].first + (int64_t)place[j] * e->variable[j].step);
	FT_TRY(ft_kernel_features(&features, s->kernel, &launch, &options, err));
	s->runs++;
	s->steps += features.steps;
	*exact = features.exact;
	memcpy(out, features.count, sizeof features.count);
	if (features.traced < 1)
		out[FT_KERNEL_SECTOR] = out[FT_KERNEL_WARP_ACCESS] = NAN;
	if (!features.decided)
		status = refuse_undecided(&features, err);
	ft_kernel_features_clear(&features);
	return status;
}

/* Where exponents with one less of a variable stand. */
static size_t term_below(const struct ft_kernel_expressions *e, size_t term, size_t variable)
{
	size_t i;

	for (i = 0; i < term; i++) {
		bool same = true;

		for (size_t j = 0; j < FT_KERNEL_VARIABLES; j++)
			same = same && e->exponent[i][j] == e->exponent[term][j] - (j == variable);
		if (same)
			break;
	}
	return i;
}

/* Forward differences in place; false: a count that is no whole number, or too large. */
static bool take_differences(const struct ft_kernel_expressions *e, int64_t f[])
{
	for (size_t j = 0; j < e->n; j++)
		for (size_t level = 1; level <= e->degree; level++)
			for (size_t i = e->terms; i-- > 0;)
				if (e->exponent[i][j] >= level &&
				    __builtin_sub_overflow(f[i], f[term_below(e, i, j)], &f[i]))
					return false;
	return true;
}

static void interpolate(struct ft_kernel_expressions *e, double (*found)[FT_KERNEL_COUNTS], size_t count)
{
	struct ft_kernel_expression *x = &e->count[count];

	x->known = true;
	for (size_t i = 0; i < e->terms; i++) {
		x->known = x->known && fabs(found[i][count]) < 9e15;
		x->difference[i] = x->known ? (int64_t)found[i][count] : 0;
	}
	x->known = x->known && take_differences(e, x->difference);
	for (size_t i = 0; i < e->terms && x->known; i++) {
		size_t of = (size_t)e->exponent[i][0] + e->exponent[i][1] + e->exponent[i][2];

		x->known = of + SPARE <= e->degree || !x->difference[i];
	}
}

/* A size beyond all others is foretold. */
static enum ft_status check_beyond(struct express_search *s, struct ft_kernel_expressions *e,
				   struct ft_err *err)
{
	size_t place[FT_KERNEL_VARIABLES];
	int64_t value[FT_KERNEL_VARIABLES];
	double seen[FT_KERNEL_COUNTS], told[FT_KERNEL_COUNTS];
	bool exact;

	for (size_t j = 0; j < e->n; j++) {
		place[j] = e->degree + 2 - j;
		value[j] = e->variable[j].first + (int64_t)place[j] * e->variable[j].step;
	}
	enum ft_status status = count_at(s, e, place, seen, &exact, err);
	if (!status)
		status = ft_kernel_evaluate(e, value, told, err);
	for (size_t i = 0; i < FT_KERNEL_COUNTS && !status; i++)
		e->count[i].known = e->count[i].known && exact && seen[i] == told[i];
	return status;
}

static enum ft_status try_degree(struct express_search *s, struct ft_kernel_expressions *e, size_t try_,
				 struct ft_err *err)
{
	bool exact = true;
	enum ft_status status = FT_OK;

	e->degree = 6 + tries[try_].degree;
	e->degree = e->n == 3 && e->degree > 6 ? 6 : e->degree;
	ft_kernel_exponents(e);
	for (size_t i = 0; i < e->n; i++) {
		int64_t finer = multiple(s->step[i] ? s->step[i] : 1, tries[try_].finer),
			step = finer > 0 ? finer : 1, least = step * tries[try_].further;
		int64_t rest = ((s->asked[i] - least) % step + step) % step;

		e->variable[i].step = step;
		e->variable[i].first = least + rest;
	}
	for (size_t i = 0; i < e->terms && !status && exact; i++) {
		size_t place[FT_KERNEL_VARIABLES] = {e->exponent[i][0], e->exponent[i][1], e->exponent[i][2]};

		status = count_at(s, e, place, s->found[i], &exact, err);
	}
	if (status)
		return status;
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++) {
		e->count[i].known = false;
		if (exact)
			interpolate(e, s->found, i);
	}
	return exact ? check_beyond(s, e, err) : FT_OK;
}

static size_t count_known(const struct ft_kernel_expressions *e)
{
	size_t n = 0;

	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
		n += e->count[i].known;
	return n;
}

/* The case that is asked for: what does not come near what was seen there is not known. */
static void check_case(struct express_search *s, struct ft_kernel_expressions *e,
		       const struct ft_kernel_features *there)
{
	double told[FT_KERNEL_COUNTS], within;

	if (ft_kernel_evaluate(e, s->asked, told, NULL)) {
		for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
			e->count[i].known = false;
		return;
	}
	within = there->exact ? 0 : fmax(0.05, isnan(there->error) ? 0 : 4 * there->error);
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
		if (e->count[i].known && !isnan(there->count[i]))
			e->count[i].known =
				fabs(told[i] - there->count[i]) <= within * fmax(told[i], there->count[i]);
}

/* Terms of a higher degree than any count has are left out. */
static void trim_degree(struct ft_kernel_expressions *e)
{
	size_t highest = 0;

	for (size_t k = 0; k < FT_KERNEL_COUNTS; k++)
		for (size_t i = 0; i < e->terms && e->count[k].known; i++) {
			size_t of = (size_t)e->exponent[i][0] + e->exponent[i][1] + e->exponent[i][2];

			highest = e->count[k].difference[i] && of > highest ? of : highest;
		}
	e->degree = highest;
	ft_kernel_exponents(e); /* lower degrees stand first, so differences stay where they are */
}

static enum ft_status try_grids(struct express_search *s, struct ft_kernel_expressions *best,
				struct ft_err *err)
{
	struct ft_kernel_expressions now = *best;
	enum ft_status status = FT_OK;

	now.count = ft_calloc(FT_KERNEL_COUNTS, sizeof *now.count);
	if (!now.count)
		return ft_nomem(err);
	for (size_t i = 0; i < sizeof tries / sizeof *tries && count_known(best) < FT_KERNEL_COUNTS; i++) {
		if (i && s->steps > 0.5 * s->options->steps)
			break;
		status = try_degree(s, &now, i, err);
		if (status && i && status != FT_ENOMEM) { /* too dear there: what is known stays */
			status = FT_OK;
			break;
		}
		if (status)
			break;
		if (i == 0 || count_known(&now) > count_known(best)) {
			struct ft_kernel_expression *swap = best->count;
			*best = now;
			now.count = swap;
		}
	}
	ft_free(now.count);
	return status;
}

enum ft_status ft_kernel_express(struct ft_kernel_expressions *out, const struct ft_kernel *kernel,
				 const struct ft_kernel_launch *launch,
				 const struct ft_kernel_options *options,
				 const struct ft_kernel_features *there, struct ft_err *err)
{
	struct express_search s = {.kernel = kernel, .launch = launch, .options = options};

	*out = (struct ft_kernel_expressions){0};
	s.argument = ft_calloc(launch->n + 1, sizeof *s.argument);
	s.found = ft_calloc(FT_KERNEL_TERMS, sizeof *s.found);
	out->count = ft_calloc(FT_KERNEL_COUNTS, sizeof *out->count);
	enum ft_status status = s.argument && s.found && out->count ? FT_OK : ft_nomem(err);
	if (s.argument && launch->n)
		memcpy(s.argument, launch->argument, sizeof *s.argument * launch->n);
	if (!status)
		status = find_variables(&s, out, err);
	if (!status)
		status = try_grids(&s, out, err);
	if (!status && there)
		check_case(&s, out, there);
	if (!status) {
		trim_degree(out);
		for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
			ft__polynomial_text(out, &out->count[i]);
		out->runs = s.runs;
	}
	ft_free(s.argument);
	ft_free(s.found);
	if (status)
		ft_kernel_expressions_clear(out);
	return status;
}
