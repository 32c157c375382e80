/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - a law for each function of a program, and what they predict together.
 *
 * Counts of instructions have no noise, and most functions have one term: so four sizes often show their
 * laws exactly. Document 002, 3.2.1, takes the flat profile of one size; here each line of it is a law. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "law/door.h"
#include "num/num.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_LEAST = 4, LAW_SIZES = 2, FIRST_OF_FUNCTIONS = 2, DIGITS = 3, SLOTS_LEAST = 1024 };

/* Functions below this share of the whole at each size have one law together: their counts are small numbers,
 * which show no law, and are many. */
static const double small_share = 1e-3, rounding = 1e-9;
/* A step that is no growth: of a higher power than any law of two terms has in practice, and by as much. */
static const double steep = 4, jump = 20;
/* A law that holds is not extrapolated unless the smaller sizes predict the largest one within this share. */
static const double surprise = 0.25;
/* This share of the instructions must have laws, for their growth to stand for that of others. */
static const double enough = 0.25;
/* How far a function that overtakes the largest is looked for, beyond the largest size. */
static const double overtake_most = 1e6;

const char *ft_function_basis_text(enum ft_function_basis basis)
{
	static const char *const text[] = {"law", "share", "gone", "small"};

	return text[basis];
}

/* ---- collecting --------------------------------------------------------------------------------------- */

/* Functions by name, object and file: open addressing. */
struct ft_functions__names {
	struct ft_arena memory;
	size_t *at; /* [slots] a place + 1; 0: free */
	size_t slots;
	size_t *merged; /* [added] which function has what was merged, by `added`; NULL: not yet done */
	size_t added;
};

static uint64_t hash_function(const char *name, const char *object, const char *file)
{
	uint64_t hash = ft_hash_bytes(FT_HASH_START, name, strlen(name) + 1);

	hash = ft_hash_bytes(hash, object, strlen(object) + 1);
	return ft_hash_bytes(hash, file, strlen(file) + 1);
}

static bool is_same(const struct ft_function *f, const char *name, const char *object, const char *file)
{
	return !strcmp(f->name, name) && !strcmp(f->object, object) && !strcmp(f->file, file);
}

static size_t find_slot(const struct ft_functions *functions, const char *name, const char *object,
			const char *file)
{
	const struct ft_functions__names *names = functions->names;
	size_t slot = hash_function(name, object, file) & (names->slots - 1);

	while (names->at[slot] && !is_same(&functions->function[names->at[slot] - 1], name, object, file))
		slot = (slot + 1) & (names->slots - 1);
	return slot;
}

static bool make_slots(struct ft_functions *functions, size_t slots)
{
	size_t *at = ft_calloc(slots, sizeof *at);

	if (!at)
		return false;
	ft_free(functions->names->at);
	functions->names->at = at;
	functions->names->slots = slots;
	for (size_t i = 0; i < functions->n; i++) {
		const struct ft_function *f = &functions->function[i];

		at[find_slot(functions, f->name, f->object, f->file)] = i + 1;
	}
	return true;
}

/* A function like that of a profile; NULL: no memory. */
static struct ft_function *reach_function(struct ft_functions *functions, const char *name,
					  const char *object, const char *file)
{
	struct ft_arena *memory = &functions->names->memory;

	if (2 * (functions->n + 1) > functions->names->slots &&
	    !make_slots(functions, 2 * functions->names->slots))
		return NULL;
	const size_t slot = find_slot(functions, name, object, file);
	if (functions->names->at[slot])
		return &functions->function[functions->names->at[slot] - 1];
	struct ft_function *grown =
		ft_grow(functions->function, functions->n, &functions->capacity, sizeof *grown);
	if (!grown)
		return NULL;
	functions->function = grown;
	struct ft_function *f = &grown[functions->n];
	*f = (struct ft_function){.name = ft_arena_text(memory, name),
				  .object = ft_arena_text(memory, object),
				  .file = ft_arena_text(memory, file),
				  .added = functions->n};
	if (ft_arena_check(memory, NULL))
		return NULL;
	functions->names->at[slot] = ++functions->n;
	return f;
}

static enum ft_status begin_names(struct ft_functions *functions, struct ft_err *err)
{
	if (functions->names)
		return FT_OK;
	functions->names = ft_calloc(1, sizeof *functions->names);
	if (functions->names && make_slots(functions, SLOTS_LEAST))
		return FT_OK;
	ft_functions_clear(functions);
	return ft_nomem(err);
}

/* What was added of a profile is not counted: its column is reset. */
static void forget_profile(struct ft_functions *functions, size_t at)
{
	for (size_t i = 0; i < functions->n; i++)
		functions->function[i].exclusive[at] = functions->function[i].inclusive[at] = 0;
}

/* The calls at the largest size. False: there is no memory. */
static bool keep_calls(struct ft_functions *functions, double size, const struct ft_profile *profile)
{
	for (size_t i = 0; i < functions->profiles; i++)
		if (functions->size[i] > size)
			return true;
	struct ft_profile_call *call = ft_calloc(profile->calls + 1, sizeof *call);
	if (!call)
		return false;
	for (size_t i = 0; i < profile->calls; i++) {
		const struct ft_profile_function *from = &profile->function[profile->call[i].from],
						 *to = &profile->function[profile->call[i].to];

		call[i] = profile->call[i];
		call[i].from =
			functions->names->at[find_slot(functions, from->name, from->object, from->file)] - 1;
		call[i].to = functions->names->at[find_slot(functions, to->name, to->object, to->file)] - 1;
	}
	ft_free(functions->call);
	functions->call = call;
	functions->calls = profile->calls;
	return true;
}

enum ft_status ft_functions_add(struct ft_functions *functions, double size, const struct ft_profile *profile,
				struct ft_err *err)
{
	const size_t at = functions->profiles;

	if (!(size > 0 && isfinite(size)))
		return ft_fail(err, FT_EINVAL, "a size of %g is not positive", size);
	if (functions->n_laws)
		return ft_fail(err, FT_EINVAL, "no profile is added behind a fit");
	if (at == FT_FUNCTIONS_PROFILES)
		return ft_fail(err, FT_EINVAL, "more than %d profiles", FT_FUNCTIONS_PROFILES);
	FT_TRY(begin_names(functions, err));
	for (size_t i = 0; i < profile->n; i++) {
		const struct ft_profile_function *from = &profile->function[i];
		struct ft_function *f = reach_function(functions, from->name, from->object, from->file);

		if (!f) {
			forget_profile(functions, at);
			return ft_nomem(err);
		}
		f->nameless = from->nameless;
		f->recursive = f->recursive || from->recursive;
		f->exclusive[at] += from->exclusive;
		f->inclusive[at] += from->inclusive;
	}
	if (!keep_calls(functions, size, profile)) {
		forget_profile(functions, at);
		return ft_nomem(err);
	}
	functions->size[at] = size;
	functions->whole[at] = profile->instructions;
	functions->profiles++;
	return FT_OK;
}

void ft_functions_clear(struct ft_functions *functions)
{
	if (!functions)
		return;
	if (functions->names) {
		ft_free(functions->names->at);
		ft_free(functions->names->merged);
		ft_arena_clear(&functions->names->memory);
	}
	ft_free(functions->names);
	ft_free(functions->function);
	ft_free(functions->laws);
	ft_free(functions->call);
	*functions = (struct ft_functions){0};
}

/* ---- sizes -------------------------------------------------------------------------------------------- */

/* The work of a fit. */
struct fitting {
	struct ft_functions *functions;
	const struct ft_functions_query *query;
	size_t order[FT_FUNCTIONS_PROFILES]; /* profiles by size */
	size_t sizes, largest;               /* largest: a profile */
};

/* The counts by size: their means, and how they vary. */
static size_t make_knots(const struct fitting *fit, const double *count,
			 struct ft_law_knot knot[FT_FUNCTIONS_PROFILES])
{
	size_t n = 0;

	for (size_t i = 0; i < fit->functions->profiles; i++) {
		const size_t at = fit->order[i];

		if (!n || knot[n - 1].x != fit->functions->size[at])
			knot[n++] = (struct ft_law_knot){.x = fit->functions->size[at]};
		struct ft_law_knot *k = &knot[n - 1];
		k->count++;
		k->mean += (count[at] - k->mean) / (double)k->count;
	}
	for (size_t i = 0; i < fit->functions->profiles; i++)
		for (size_t k = 0; k < n; k++)
			if (knot[k].x == fit->functions->size[i] && knot[k].mean > 0)
				knot[k].scatter += pow(count[i] / knot[k].mean - 1, 2);
	/* Equal counts of one input are one: they do not show how inputs of other sizes differ. */
	for (size_t k = 0; k < n; k++)
		if (knot[k].scatter < rounding * rounding)
			knot[k].count = 1;
	return n;
}

/* Largest relative difference of counts of one size from their mean. */
static double variation_of(const struct fitting *fit)
{
	struct ft_law_knot knot[FT_FUNCTIONS_PROFILES];
	const size_t n = make_knots(fit, fit->functions->whole, knot);
	double varies = fit->sizes < fit->functions->profiles ? 0 : (double)NAN;

	for (size_t k = 0; k < n; k++)
		if (knot[k].count > 1)
			varies = fmax(varies, sqrt(knot[k].scatter / (double)(knot[k].count - 1)));
	return varies;
}

/* ---- one law ------------------------------------------------------------------------------------------ */

/* Where a function that did next to nothing before begins to work: it returned at once at smaller sizes. The
 * step there is steep, and the only one: the powers of an exponential grow with each step. 0: nowhere. */
static size_t find_begin(const struct ft_law_knot *knot, size_t n)
{
	double power[FT_FUNCTIONS_PROFILES] = {0}, before = 0;
	size_t begin = 0;

	for (size_t k = 1; k < n; k++)
		power[k] = log(knot[k].mean / knot[k - 1].mean) / log(knot[k].x / knot[k - 1].x);
	for (size_t k = 1; k < n; k++) {
		if (power[k] > steep && knot[k - 1].mean < knot[k].mean / jump && before < power[k] / 3 &&
		    (k + 1 == n || power[k + 1] < power[k] / 2))
			begin = k;
		before = fmax(before, power[k]);
	}
	return begin;
}

/* The law of some counts; what is behind the last size without any. FT_ENOMODEL: too few sizes, or the smaller
 * ones do not predict the largest. */
static enum ft_status fit_counts(const struct fitting *fit, const double *count, struct ft_laws *laws,
				 double *begins)
{
	struct ft_law_knot knot[FT_FUNCTIONS_PROFILES];
	const size_t n = make_knots(fit, count, knot);
	size_t from = n;

	while (from > 0 && knot[from - 1].mean > 0)
		from--;
	from += find_begin(knot + from, n - from);
	*begins = from && from < n ? knot[from].x : (double)NAN;
	if (n - from < LAW_SIZES)
		return FT_ENOMODEL;
	/* Two or three sizes show no exponential. */
	const struct ft_law_options few = {.growing = n - from < SIZES_LEAST};
	enum ft_status status = ft_laws_fit_knots(laws, knot + from, n - from, &few, NULL);
	if (!status && n - from >= SIZES_LEAST) {
		struct ft_law_prediction p = {0};

		/* A count that takes one step at the last size would be any high power. */
		status = ft_laws_fit_knots(laws, knot + from, n - from - 1, NULL, NULL);
		if (!status)
			status = ft_laws_predict(laws, knot[n - 1].x, fit->query->confidence, FT_LAW_RUN, &p,
						 NULL);
		if (!status && fabs(log(p.value / knot[n - 1].mean)) > log1p(surprise))
			return FT_ENOMODEL;
		status = ft_laws_fit_knots(laws, knot + from, n - from, NULL, NULL);
	}
	return status == FT_ENOMEM || !status ? status : FT_ENOMODEL;
}

static void print_law(const struct fitting *fit, const struct ft_laws *laws, char text[FT_FUNCTION_TEXT],
		      char *class)
{
	const char *name = fit->query->parameter ? fit->query->parameter : "n";
	struct ft_law law = laws->law;

	/* What rounding left of no constant. */
	if (law.terms && law.constant < rounding * ft_law_value(&law, &laws->least))
		law.constant = 0;
	(void)ft_law_format(&law, &name, DIGITS, text, FT_FUNCTION_TEXT);
	if (class && laws->law.terms)
		(void)ft_law_class_format(&laws->kind[0].factor, name, class, FT_FUNCTION_TEXT);
	else if (class)
		(void)snprintf(class, FT_FUNCTION_TEXT, "constant");
}

static struct ft_law_prediction predict_counts(const struct fitting *fit, const struct ft_laws *laws)
{
	struct ft_law_prediction p;

	if (ft_laws_predict(laws, fit->query->at, fit->query->confidence, FT_LAW_RUN, &p, NULL))
		p = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
	return p;
}

/* laws: a place + 1 */
static double value_of_law(const struct ft_functions *functions, size_t laws, double x)
{
	struct ft_law_prediction p;

	return ft_laws_predict(&functions->laws[laws - 1], x, 0.9, FT_LAW_RUN, &p, NULL) ? (double)NAN
											 : p.value;
}

/* ---- which functions have which law ------------------------------------------------------------------- */

/* Addresses of stripped code differ where it is loaded at another place: of those that are not at all sizes
 * the object alone is kept. */
static bool merge_nameless(struct ft_functions *functions)
{
	struct ft_functions__names *names = functions->names;
	size_t kept = 0;

	if (names->merged)
		return true;
	names->merged = ft_calloc(functions->n + 1, sizeof *names->merged);
	if (!names->merged)
		return false;
	names->added = functions->n;
	for (size_t i = 0; i < functions->n; i++) {
		struct ft_function *f = &functions->function[i];
		bool always = true;
		size_t to = 0;

		for (size_t k = 0; k < functions->profiles; k++)
			always = always && f->inclusive[k] > 0;
		names->merged[i] = i;
		if (!f->nameless || always) {
			functions->function[kept++] = *f;
			continue;
		}
		while (to < kept && (*functions->function[to].name ||
				     strcmp(functions->function[to].object, f->object) != 0))
			to++;
		if (to == kept) {
			functions->function[kept] = *f;
			functions->function[kept++].name = "";
			continue;
		}
		names->merged[i] = functions->function[to].added;
		for (size_t k = 0; k < functions->profiles; k++) {
			functions->function[to].exclusive[k] += f->exclusive[k];
			/* How they call each other is not known: the sum may be too large. */
			functions->function[to].inclusive[k] = fmin(
				functions->function[to].inclusive[k] + f->inclusive[k], functions->whole[k]);
		}
	}
	functions->n = kept;
	return true;
}

static bool is_small(const struct fitting *fit, const struct ft_function *f)
{
	for (size_t i = 0; i < fit->functions->profiles; i++)
		if (f->exclusive[i] >= small_share * fit->functions->whole[i])
			return false;
	return true;
}

static enum ft_status fit_function(struct fitting *fit, struct ft_function *f, struct ft_err *err)
{
	struct ft_functions *functions = fit->functions;
	struct ft_laws *laws = &functions->laws[functions->n_laws];

	f->now = f->exclusive[fit->largest];
	f->share_now = f->now / functions->whole[fit->largest];
	f->value = f->lower = f->upper = f->share = f->overtakes = f->begins = f->misfit = NAN;
	f->exact = false;
	f->laws = 0;
	f->mostly = 0;
	f->mostly_share = NAN;
	f->law[0] = f->kind[0] = '\0';
	if (is_small(fit, f)) {
		f->basis = FT_FUNCTION_SMALL;
		return FT_OK;
	}
	if (f->now <= 0) {
		f->basis = FT_FUNCTION_GONE;
		f->value = f->lower = f->upper = 0;
		return FT_OK;
	}
	const enum ft_status status = fit_counts(fit, f->exclusive, laws, &f->begins);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status) {
		f->basis = FT_FUNCTION_SHARE;
		return FT_OK;
	}
	const struct ft_law_prediction p = predict_counts(fit, laws);
	f->basis = FT_FUNCTION_LAW;
	f->laws = ++functions->n_laws;
	f->misfit = laws->misfit;
	f->exact = laws->exact;
	f->value = p.value;
	f->lower = p.wide_lower;
	f->upper = p.wide_upper;
	print_law(fit, laws, f->law, f->kind);
	return FT_OK;
}

/* The small ones together; NaN where they have no law. */
static enum ft_status fit_small(struct fitting *fit, struct ft_law_prediction *out, struct ft_err *err)
{
	struct ft_functions *functions = fit->functions;
	double sum[FT_FUNCTIONS_PROFILES] = {0}, begins;
	enum ft_status status = FT_ENOMODEL;

	functions->small = 0;
	for (size_t i = 0; i < functions->n; i++) {
		if (functions->function[i].basis != FT_FUNCTION_SMALL)
			continue;
		functions->small++;
		for (size_t k = 0; k < functions->profiles; k++)
			sum[k] += functions->function[i].exclusive[k];
	}
	functions->small_now = sum[fit->largest];
	*out = (struct ft_law_prediction){.value = NAN};
	if (functions->small_now > 0)
		status = fit_counts(fit, sum, &functions->laws[1], &begins);
	functions->small_law = !status;
	if (!status)
		*out = predict_counts(fit, &functions->laws[1]);
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

/* How much more the functions with laws take at a size than at the largest one; what has no law keeps its share
 * among them. */
static double growth_of(const struct ft_functions *functions, double x, double largest)
{
	double now = 0, then = 0;

	for (size_t i = 0; i < functions->n; i++)
		if (functions->function[i].basis == FT_FUNCTION_LAW) {
			now += functions->function[i].now;
			then += value_of_law(functions, functions->function[i].laws, x);
		}
	if (now >= enough * functions->of_whole.now)
		return then / now;
	return value_of_law(functions, 1, x) / value_of_law(functions, 1, largest);
}

/* ---- all together ------------------------------------------------------------------------------------- */

/* Of a count without law: it may not grow at all, or twice as much as the rest, or as n. */
static struct ft_law_prediction keep_share(const struct fitting *fit, double now)
{
	const double value = now * fit->functions->growth,
		     ratio = fit->query->at / fit->functions->size[fit->largest];

	return (struct ft_law_prediction){.value = value,
					  .wide_lower = fmin(now, value),
					  .wide_upper = 2 * fmax(value, now * fmax(1, ratio))};
}

static enum ft_status add_up(struct fitting *fit, struct ft_err *err)
{
	struct ft_functions *functions = fit->functions;
	struct ft_functions_whole *sum = &functions->of_sum;
	struct ft_law_prediction small = {0};
	double below = 0, above = 0;

	FT_TRY(fit_small(fit, &small, err));
	functions->growth = growth_of(functions, fit->query->at, functions->size[fit->largest]);
	if (isnan(small.value))
		small = keep_share(fit, functions->small_now);
	functions->small_value = small.value;
	for (size_t i = 0; i < functions->n; i++)
		if (functions->function[i].basis == FT_FUNCTION_SHARE) {
			const struct ft_law_prediction p = keep_share(fit, functions->function[i].now);

			functions->function[i].value = p.value;
			functions->function[i].lower = p.wide_lower;
			functions->function[i].upper = p.wide_upper;
		}
	*sum = (struct ft_functions_whole){.now = functions->whole[fit->largest], .value = small.value};
	below += small.value - small.wide_lower;
	above += small.wide_upper - small.value;
	for (size_t i = 0; i < functions->n; i++) {
		const struct ft_function *f = &functions->function[i];

		if (f->basis == FT_FUNCTION_SMALL)
			continue;
		sum->value += f->value;
		below += f->value - f->lower;
		above += f->upper - f->value;
	}
	/* Errors add up: what one function is given more often than expected the next one is, too. */
	sum->lower = fmax(0, sum->value - below);
	sum->upper = sum->value + above;
	return FT_OK;
}

/* ---- with what they call ------------------------------------------------------------------------------ */

/* The calls of functions in their present order, with circles as single nodes. A circle calls circles of lower
 * numbers only. */
struct callers {
	size_t *circle; /* [n] of each function */
	size_t circles;
	struct ft_profile_call
		*call; /* [calls] between circles, by the number of the called one, descending */
	size_t calls;
	double *called; /* [circles + 1] what all calls to it took */
	double *part;   /* [circles + 1] of a circle's cost, how much came from the function at hand */
};

static int compare_calls(const void *a, const void *b)
{
	const struct ft_profile_call *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? 1 : -1;
	if (x->from != y->from)
		return x->from < y->from ? 1 : -1;
	return (x->inclusive < y->inclusive) - (x->inclusive > y->inclusive);
}

static enum ft_status make_callers(const struct ft_functions *functions, struct ft_arena *memory,
				   struct callers *c, struct ft_err *err)
{
	const size_t n = functions->n;
	size_t *place = ft_arena_take(memory, functions->names->added + 1, sizeof *place),
	       *first = ft_arena_take(memory, n + 2, sizeof *first),
	       *to = ft_arena_take(memory, functions->calls + 1, sizeof *to);
	size_t *next = ft_arena_take(memory, n + 1, sizeof *next);

	c->circle = ft_arena_take(memory, n + 1, sizeof *c->circle);
	c->call = ft_arena_take(memory, functions->calls + 1, sizeof *c->call);
	FT_TRY(ft_arena_check(memory, err));
	/* Where functions are now, by `added`; those that were merged are where the others of their object are. */
	for (size_t k = 0; k < functions->n; k++)
		place[functions->function[k].added] = k;
	for (size_t k = 0; k < functions->names->added; k++)
		place[k] = place[functions->names->merged[k]];
	for (size_t i = 0; i < functions->calls; i++) {
		struct ft_profile_call call = functions->call[i];

		call.from = place[call.from];
		call.to = place[call.to];
		if (call.from != call.to)
			c->call[c->calls++] = call;
	}
	for (size_t i = 0; i < c->calls; i++)
		first[c->call[i].from + 1]++;
	for (size_t i = 0; i < n; i++) {
		first[i + 1] += first[i];
		next[i] = first[i];
	}
	for (size_t i = 0; i < c->calls; i++)
		to[next[c->call[i].from]++] = c->call[i].to;
	FT_TRY(ft_circles_find(first, to, n, c->circle, &c->circles, err));
	c->called = ft_arena_take(memory, c->circles + 1, sizeof *c->called);
	c->part = ft_arena_take(memory, c->circles + 1, sizeof *c->part);
	FT_TRY(ft_arena_check(memory, err));
	size_t kept = 0;
	for (size_t i = 0; i < c->calls; i++) {
		struct ft_profile_call call = c->call[i];

		call.from = c->circle[call.from];
		call.to = c->circle[call.to];
		if (call.from == call.to)
			continue;
		c->called[call.to] += call.inclusive;
		c->call[kept++] = call;
	}
	c->calls = kept;
	qsort(c->call, kept, sizeof *c->call, compare_calls);
	return FT_OK;
}

/* One function: what it has of each law, scaled so that it is at the largest size what was counted there.
 *
 * now, value  [n] of exclusive counts
 * f           out; those of `fit` are as they were
 */
static void include_callees(const struct fitting *fit, struct callers *c, const double *now,
			    const double *value, size_t at, struct ft_function *f)
{
	const struct ft_functions *functions = fit->functions;
	double sum_now = 0, sum = 0, below = 0, above = 0, top = 0;

	/* How much of each circle's cost came from one of them. */
	for (size_t k = 0; k <= c->circles; k++)
		c->part[k] = 0;
	c->part[c->circle[at]] = 1;
	for (size_t k = 0; k < c->calls; k++) {
		const struct ft_profile_call *call = &c->call[k];

		if (call->to != c->circle[at] && c->called[call->to] > 0)
			c->part[call->to] += c->part[call->from] * call->inclusive / c->called[call->to];
	}
	for (size_t i = 0; i < functions->n; i++) {
		const struct ft_function *g = &functions->function[i];
		const double part = fmin(1, c->part[c->circle[i]]);

		sum_now += part * now[i];
		sum += part * value[i];
		if (g->basis != FT_FUNCTION_SMALL) {
			below += part * (g->value - g->lower);
			above += part * (g->upper - g->value);
		}
		if (part * value[i] > top) {
			top = part * value[i];
			f->mostly = g->added + 1;
		}
	}
	f->now = f->inclusive[fit->largest];
	f->share_now = f->now / functions->whole[fit->largest];
	f->mostly_share = sum > 0 ? top / sum : (double)NAN;
	const double scale = sum_now > 0 ? f->now / sum_now : 1;
	f->value = scale * sum;
	f->lower = fmax(0, scale * (sum - below));
	f->upper = scale * (sum + above);
}

static enum ft_status include_all(const struct fitting *fit, struct ft_err *err)
{
	FT_ARENA(work);
	struct ft_functions *functions = fit->functions;
	struct callers callers = {0};
	struct ft_function *found = ft_arena_take(&work, functions->n + 1, sizeof *found);
	double *now = ft_arena_take(&work, functions->n + 1, sizeof *now),
	       *value = ft_arena_take(&work, functions->n + 1, sizeof *value);

	FT_TRY(make_callers(functions, &work, &callers, err));
	for (size_t i = 0; i < functions->n; i++) {
		const struct ft_function *f = &functions->function[i];

		found[i] = *f;
		now[i] = f->exclusive[fit->largest];
		value[i] = f->value;
		if (f->basis == FT_FUNCTION_SMALL)
			value[i] = functions->small_now > 0
					   ? functions->small_value * now[i] / functions->small_now
					   : 0;
	}
	for (size_t i = 0; i < functions->n; i++)
		include_callees(fit, &callers, now, value, i, &found[i]);
	memcpy(functions->function, found, functions->n * sizeof *found);
	return FT_OK;
}

/* ---- at other sizes ------------------------------------------------------------------------------------- */

double ft_functions_value(const struct ft_functions *functions, const struct ft_function *function, double x)
{
	if (!functions->n_laws || functions->inclusive)
		return NAN;
	switch (function->basis) {
	case FT_FUNCTION_LAW:
		return value_of_law(functions, function->laws, x);
	case FT_FUNCTION_SHARE:
		return function->now * growth_of(functions, x, functions->largest);
	case FT_FUNCTION_GONE:
		return 0;
	case FT_FUNCTION_SMALL:
		break;
	}
	return NAN;
}

double ft_functions_small(const struct ft_functions *functions, double x)
{
	if (!functions->n_laws)
		return NAN;
	return functions->small_law ? value_of_law(functions, 2, x)
				    : functions->small_now * growth_of(functions, x, functions->largest);
}

/* Sorted by what they take at the size; those without a prediction last, by what they take now. */
static int compare_functions(const void *a, const void *b)
{
	const struct ft_function *x = a, *y = b;
	const double u = isnan(x->value) ? -1 : x->value, v = isnan(y->value) ? -1 : y->value;
	int order = (u < v) - (u > v);

	if (!order)
		order = (x->now < y->now) - (x->now > y->now);
	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->object, y->object);
	return order ? order : strcmp(x->file, y->file);
}

/* From which size on a function takes more than another one. */
static double crossing_of(const struct ft_functions *functions, const struct ft_function *f,
			  const struct ft_function *top, double largest)
{
	double low = largest, high = largest;
	bool found = false;

	while (!found && high < overtake_most * largest) {
		low = high;
		high *= 1.5;
		found = ft_functions_value(functions, f, high) > ft_functions_value(functions, top, high);
	}
	for (int i = 0; found && i < 40 && high - low > 1e-9 * high; i++) {
		const double middle = sqrt(low * high);

		if (ft_functions_value(functions, f, middle) > ft_functions_value(functions, top, middle))
			high = middle;
		else
			low = middle;
	}
	return found ? high : (double)NAN;
}

static void find_crossings(struct fitting *fit)
{
	struct ft_functions *functions = fit->functions;
	const struct ft_function *top = NULL;

	for (size_t i = 0; i < functions->n; i++)
		if (!top || functions->function[i].now > top->now)
			top = &functions->function[i];
	for (size_t i = 0; i < functions->n && top && top->basis != FT_FUNCTION_SMALL; i++) {
		struct ft_function *f = &functions->function[i];

		if (f != top && f->basis == FT_FUNCTION_LAW)
			f->overtakes = crossing_of(functions, f, top, functions->size[fit->largest]);
	}
}

enum ft_status ft_functions_fit(struct ft_functions *functions, const struct ft_functions_query *query,
				struct ft_err *err)
{
	struct fitting fit = {.functions = functions, .query = query};
	size_t large = 0;

	if (!(query->at > 0 && isfinite(query->at)))
		return ft_fail(err, FT_EINVAL, "a size of %g is not positive", query->at);
	const double *size = fit.functions->size;

	for (size_t i = 0; i < fit.functions->profiles; i++) {
		size_t k = i;

		for (; k > 0 && size[fit.order[k - 1]] > size[i]; k--)
			fit.order[k] = fit.order[k - 1];
		fit.order[k] = i;
	}
	for (size_t i = 0; i < fit.functions->profiles; i++)
		fit.sizes += !i || size[fit.order[i]] != size[fit.order[i - 1]];
	fit.largest = fit.functions->profiles ? fit.order[fit.functions->profiles - 1] : 0;
	if (fit.sizes < SIZES_LEAST) {
		(void)ft_fail(err, FT_ENOMODEL, "laws of functions need %d sizes, and there are %zu",
			      SIZES_LEAST, fit.sizes);
		return ft_remedy(err, "profile more sizes");
	}
	if (!merge_nameless(functions))
		return ft_nomem(err);
	ft_free(functions->laws);
	for (size_t i = 0; i < functions->n; i++)
		large += !is_small(&fit, &functions->function[i]);
	functions->laws = ft_calloc(large + FIRST_OF_FUNCTIONS + 1, sizeof *functions->laws);
	functions->n_laws = 0;
	if (!functions->laws)
		return ft_nomem(err);
	functions->inclusive = query->inclusive;
	functions->largest = functions->size[fit.largest];
	functions->varies = variation_of(&fit);
	/* One law of all instructions, as it is. */
	struct ft_law_knot knot[FT_FUNCTIONS_PROFILES];
	const size_t n = make_knots(&fit, fit.functions->whole, knot);
	FT_TRY(ft_laws_fit_knots(&fit.functions->laws[0], knot, n, NULL, err));
	const struct ft_law_prediction whole = predict_counts(&fit, &functions->laws[0]);
	functions->of_whole = (struct ft_functions_whole){functions->whole[fit.largest], whole.value,
							  whole.wide_lower, whole.wide_upper, ""};
	print_law(&fit, &functions->laws[0], functions->of_whole.law, NULL);
	functions->n_laws = FIRST_OF_FUNCTIONS;
	for (size_t i = 0; i < functions->n; i++)
		FT_TRY(fit_function(&fit, &functions->function[i], err));
	FT_TRY(add_up(&fit, err));
	if (query->inclusive)
		FT_TRY(include_all(&fit, err));
	for (size_t i = 0; i < functions->n; i++)
		functions->function[i].share = functions->function[i].value / functions->of_sum.value;
	qsort(functions->function, functions->n, sizeof *functions->function, compare_functions);
	if (!query->inclusive) /* callers always take more than what they call */
		find_crossings(&fit);
	return FT_OK;
}
