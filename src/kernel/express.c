/* SPDX-License-Identifier: GPL-3.0-or-later */
/* express.c - expressions of counts by exact interpolation.
 *
 * A kernel is executed at small sizes that lie evenly in the residue class of the requested case: all sums
 * of the places up to a degree. Counts are whole numbers, so are their differences, and a polynomial of
 * that degree minus two is recognised by vanishing differences: there are more sizes than coefficients.
 * One larger size, and the requested case, are then predicted and compared. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "kernel/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct ft__fraction {
	ft__wide up, down; /* lowest terms; down > 0 */
};

/*
 * Newton's form as a sum of powers, exactly.
 */

static ft__wide common_divisor(ft__wide a, ft__wide b)
{
	a = a < 0 ? -a : a;
	b = b < 0 ? -b : b;
	while (b) {
		ft__wide rest = a % b;

		a = b;
		b = rest;
	}
	return a ? a : 1;
}

static void reduce(struct ft__fraction *a)
{
	ft__wide by = common_divisor(a->up, a->down);

	a->up /= by;
	a->down /= by;
}

/* These two return false where it does not fit. */
static bool add_fraction(struct ft__fraction *a, struct ft__fraction b)
{
	ft__wide by = common_divisor(a->down, b.down), left, right, up, down;

	if (__builtin_mul_overflow(a->up, b.down / by, &left) ||
	    __builtin_mul_overflow(b.up, a->down / by, &right) || __builtin_add_overflow(left, right, &up) ||
	    __builtin_mul_overflow(a->down, b.down / by, &down))
		return false;
	*a = (struct ft__fraction){up, down};
	reduce(a);
	return true;
}

static bool multiply_fraction(struct ft__fraction *a, struct ft__fraction b)
{
	ft__wide across = common_divisor(a->up, b.down), along = common_divisor(b.up, a->down), up, down;

	if (__builtin_mul_overflow(a->up / across, b.up / along, &up) ||
	    __builtin_mul_overflow(a->down / along, b.down / across, &down))
		return false;
	*a = (struct ft__fraction){up, down};
	reduce(a);
	return true;
}

enum { MOST = FT_KERNEL_DEGREE + 1 };

/* The coefficients of k over 0 .. degree in powers of x, where k = (x - first) / step. base: [degree +
   1][degree + 1] */
static bool make_bases(const struct ft_kernel_variable *v, size_t degree,
		       struct ft__fraction base[MOST][MOST])
{
	for (size_t i = 0; i <= degree; i++)
		for (size_t p = 0; p < MOST; p++)
			base[i][p] = (struct ft__fraction){i == 0 && p == 0, 1};
	/* k over i is k over i - 1 times (x - first - (i - 1) step) / (i step) */
	for (size_t i = 1; i <= degree; i++) {
		ft__wide under = (ft__wide)i * v->step;
		struct ft__fraction slope = {1, under},
				    shift = {-((ft__wide)v->first + ((ft__wide)i - 1) * v->step), under};

		reduce(&shift);
		for (size_t p = 0; p <= i; p++) {
			struct ft__fraction low = base[i - 1][p], high = {0, 1};

			if (p)
				high = base[i - 1][p - 1];
			if (!multiply_fraction(&low, shift) || !multiply_fraction(&high, slope) ||
			    !add_fraction(&low, high))
				return false;
			base[i][p] = low;
		}
	}
	return true;
}

struct powers {
	struct ft__fraction base[FT_KERNEL_VARIABLES][MOST][MOST];
	struct ft__fraction factor[FT_KERNEL_TERMS]; /* of the powers given by the exponents */
};

/* The factor of one product of powers. */
static bool factor_of(const struct ft_kernel_expressions *e, const struct ft_kernel_expression *of,
		      struct powers *powers, size_t term)
{
	struct ft__fraction all = {0, 1};

	for (size_t i = 0; i < e->terms; i++) {
		struct ft__fraction part = {of->difference[i], 1};

		if (!of->difference[i])
			continue;
		for (size_t j = 0; j < e->n; j++)
			if (!multiply_fraction(&part,
					       powers->base[j][e->exponent[i][j]][e->exponent[term][j]]))
				return false;
		if (!add_fraction(&all, part))
			return false;
	}
	powers->factor[term] = all;
	return true;
}

/* Decimal digits; false: they do not fit. */
static bool write_digits(char *text, size_t size, ft__wide value)
{
	char reversed[48];
	size_t n = 0;

	do
		reversed[n++] = (char)('0' + (int)(value % 10));
	while (value /= 10);
	if (n + 1 > size)
		return false;
	for (size_t i = 0; i < n; i++)
		text[i] = reversed[n - 1 - i];
	text[n] = '\0';
	return true;
}

/* " + 3*n^2*m/2" */
static bool add_term(char *text, size_t size, struct ft__fraction by, const struct ft_kernel_expressions *e,
		     const uint8_t *exponent)
{
	size_t at = strlen(text);
	char up[48] = "", down[48] = "", powers[3 * (FT_KERNEL_NAME + 8)] = "";
	bool negative = by.up < 0;

	if (negative)
		by.up = -by.up;
	for (size_t j = 0; j < e->n; j++) {
		size_t end = strlen(powers);

		if (exponent[j] == 1)
			(void)snprintf(powers + end, sizeof powers - end, "*%s", e->variable[j].name);
		else if (exponent[j])
			(void)snprintf(powers + end, sizeof powers - end, "*%s^%d", e->variable[j].name,
				       exponent[j]);
	}
	bool one = by.up == 1 && *powers;
	if (!write_digits(up, sizeof up, by.up) || !write_digits(down, sizeof down, by.down))
		return false;
	int n = snprintf(text + at, size - at, "%s%s%s%s%s",
			 at         ? negative ? " - " : " + "
			 : negative ? "-"
				    : "",
			 one ? "" : up, powers + (one && *powers), by.down == 1 ? "" : "/",
			 by.down == 1 ? "" : down);
	return n > 0 && (size_t)n < size - at;
}

void ft__polynomial_text(const struct ft_kernel_expressions *e, struct ft_kernel_expression *of)
{
	static struct powers empty;
	struct powers powers = empty;

	of->text[0] = '\0';
	if (!of->known)
		return;
	for (size_t i = 0; i < e->n; i++)
		if (!make_bases(&e->variable[i], e->degree, powers.base[i]))
			return;
	for (size_t i = 0; i < e->terms; i++)
		if (!factor_of(e, of, &powers, i))
			return;
	for (size_t i = e->terms; i > 0; i--)
		if (powers.factor[i - 1].up &&
		    !add_term(of->text, sizeof of->text, powers.factor[i - 1], e, e->exponent[i - 1])) {
			of->text[0] = '\0';
			return;
		}
	if (!*of->text)
		(void)snprintf(of->text, sizeof of->text, "0");
}

/*
 * Expressions at a size: Newton's form, whole numbers only.
 */

void ft_kernel_exponents(struct ft_kernel_expressions *e)
{
	e->terms = 0;
	for (size_t of = 0; of <= e->degree; of++)
		for (size_t i = 0; i <= of; i++)
			for (size_t j = 0; j <= of - i; j++) {
				uint8_t *x = e->exponent[e->terms];

				if ((e->n < 2 && of != i) || (e->n == 2 && of != i + j))
					continue;
				x[0] = (uint8_t)i;
				x[1] = e->n < 2 ? 0 : (uint8_t)j;
				x[2] = (uint8_t)(of - i - x[1]);
				e->terms++;
				if (e->n < 2)
					break;
			}
}

/* K over 0 .. degree; false: too large. out: [degree + 1] */
static bool binomials(int64_t k, size_t degree, ft__wide out[])
{
	out[0] = 1;
	for (size_t i = 1; i <= degree; i++) {
		ft__wide factor = (ft__wide)k - (ft__wide)i + 1;

		if (__builtin_mul_overflow(out[i - 1], factor, &out[i]))
			return false;
		out[i] /= (ft__wide)i;
	}
	return true;
}

/* The sum of one count; false: too large. */
static bool sum_count(const struct ft_kernel_expressions *e, const int64_t difference[],
		      const ft__wide term[], const bool fits[], double *out)
{
	ft__wide all = 0, part;

	for (size_t i = 0; i < e->terms; i++)
		if (difference[i] &&
		    (!fits[i] || __builtin_mul_overflow(term[i], (ft__wide)difference[i], &part) ||
		     __builtin_add_overflow(all, part, &all)))
			return false;
	*out = (double)all;
	return all <= INT64_MAX && all >= INT64_MIN;
}

enum ft_status ft_kernel_evaluate(const struct ft_kernel_expressions *e, const int64_t value[],
				  double out[FT_KERNEL_COUNTS], struct ft_err *err)
{
	ft__wide over[FT_KERNEL_VARIABLES][FT_KERNEL_DEGREE + 1] = {{1}, {1}, {1}}, term[FT_KERNEL_TERMS];
	bool fits[FT_KERNEL_TERMS];

	for (size_t j = 0; j < e->n; j++) {
		const struct ft_kernel_variable *v = &e->variable[j];
		ft__wide off = (ft__wide)value[j] - v->first;

		if (off < 0 || off % v->step) {
			(void)ft_fail(err, FT_EINVAL,
				      "the expressions hold for %s = %lld, %lld, %lld ..., not for %lld",
				      v->name, (long long)v->first, (long long)(v->first + v->step),
				      (long long)(v->first + 2 * v->step), (long long)value[j]);
			return ft_remedy(err,
					 "ask for such a size, or make expressions from one of its class");
		}
		if (off / v->step > INT64_MAX || !binomials((int64_t)(off / v->step), e->degree, over[j]))
			return ft_fail(err, FT_EINVAL, "%s = %lld is too large", v->name,
				       (long long)value[j]);
	}
	for (size_t i = 0; i < e->terms; i++) {
		const uint8_t *x = e->exponent[i];

		fits[i] = !__builtin_mul_overflow(over[0][x[0]], over[1][x[1]], &term[i]) &&
			  !__builtin_mul_overflow(term[i], over[2][x[2]], &term[i]);
	}
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++) {
		out[i] = NAN;
		if (e->count[i].known && !sum_count(e, e->count[i].difference, term, fits, &out[i]))
			return ft_fail(err, FT_EINVAL, "%s is more than 2^63 there", ft_kernel_count_name(i));
	}
	return FT_OK;
}

void ft_kernel_expressions_clear(struct ft_kernel_expressions *e)
{
	if (!e)
		return;
	ft_free(e->count);
	*e = (struct ft_kernel_expressions){0};
}

/*
 * Expressions of counts by exact interpolation.
 */

enum { SPARE = 2 }; /* degrees that have to vanish */

/* The attempts in order: a class of finer steps for counts that alternate, larger sizes when small ones
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
	size_t at[FT_KERNEL_VARIABLES];      /* indices of the variables */
	int64_t requested[FT_KERNEL_VARIABLES], step[FT_KERNEL_VARIABLES];
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
		s->requested[out->n] = (int64_t)a->value;
		/* An argument that is a number of work-items keeps being divided by its groups. */
		bool found;

		s->step[out->n] = 1;
		for (int k = 0; k < FT_KERNEL_DIMS && !status; k++) {
			double local = 1;

			status = mentions_name(s->launch->global[k], a->name, &found, err);
			if (!status && found && s->launch->local[k])
				status = ft__launch_value(s->launch, s->launch->local[k], &local, err);
			if (!status && local >= 1 && local < 65536)
				s->step[out->n] = multiple(s->step[out->n], (int64_t)local);
		}
		out->n++;
	}
	if (!status && !out->n)
		return ft_fail(err, FT_ENOMODEL,
			       "kernel %s has no whole number among its arguments that could vary",
			       s->kernel->name);
	return status;
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
	if (!features.decided) {
		/* The undecided place that was met first. */
		const struct ft_kernel_met *met = features.met;

		(void)ft_fail(err, FT_ENOMODEL, "there are no expressions: line %d: %s", met->line,
			      ft_kernel_note_about(met->note));
		status = ft_remedy(err,
				   "counts of one size with its data: --arg NAME=FILE, without --expression");
	}
	ft_kernel_features_clear(&features);
	return status;
}

/* The index of the exponents with one less of a variable. */
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

/* A size larger than all the rest is predicted. */
static enum ft_status check_beyond(struct express_search *s, struct ft_kernel_expressions *e,
				   struct ft_err *err)
{
	size_t place[FT_KERNEL_VARIABLES];
	int64_t value[FT_KERNEL_VARIABLES];
	double seen[FT_KERNEL_COUNTS], predicted[FT_KERNEL_COUNTS];
	bool exact;

	for (size_t j = 0; j < e->n; j++) {
		place[j] = e->degree + 2 - j;
		value[j] = e->variable[j].first + (int64_t)place[j] * e->variable[j].step;
	}
	enum ft_status status = count_at(s, e, place, seen, &exact, err);
	if (!status)
		status = ft_kernel_evaluate(e, value, predicted, err);
	for (size_t i = 0; i < FT_KERNEL_COUNTS && !status; i++)
		e->count[i].known = e->count[i].known && exact && seen[i] == predicted[i];
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
		int64_t rest = ((s->requested[i] - least) % step + step) % step;

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

/* Check the requested case: a prediction that is not close to the observation there counts as unknown. */
static void check_case(struct express_search *s, struct ft_kernel_expressions *e,
		       const struct ft_kernel_features *there)
{
	double predicted[FT_KERNEL_COUNTS], within;

	if (ft_kernel_evaluate(e, s->requested, predicted, NULL)) {
		for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
			e->count[i].known = false;
		return;
	}
	within = there->exact ? 0 : fmax(0.05, isnan(there->error) ? 0 : 4 * there->error);
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
		if (e->count[i].known && !isnan(there->count[i]))
			e->count[i].known = fabs(predicted[i] - there->count[i]) <=
					    within * fmax(predicted[i], there->count[i]);
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
		/* Terms of a higher degree than any count has are left out. */
		size_t highest = 0;

		for (size_t k = 0; k < FT_KERNEL_COUNTS; k++)
			for (size_t i = 0; i < out->terms && out->count[k].known; i++) {
				size_t of = (size_t)out->exponent[i][0] + out->exponent[i][1] +
					    out->exponent[i][2];

				highest = out->count[k].difference[i] && of > highest ? of : highest;
			}
		out->degree = highest;
		ft_kernel_exponents(out); /* lower degrees stand first, so differences stay where they are */
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
