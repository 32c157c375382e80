/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - extrapolates a cost above the largest size that was measured.
 *
 * The members of a model continue the measured curve; that is right as long as growth does not change. In
 * real programs it changes: memory levels off, start-up fades and time becomes proportional. How often,
 * and to which slope, is learned from reference tasks and curves by tools/learn-growth, which writes
 * growth_table.h; doc/growth.md, has the results on tasks that it was not learned from. */
#include "base/alloc.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "model/growth_table.h"
#include "model/model.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/*
 * The prior of growth outside the measured range as a file: the writer and the parser use one table.
 *
 * 	# a comment
 * 	foretime-growth 1
 * 	class time
 * 	change 0.349 2.52 0.94 -0.049 -1.37 -2.48
 * 	...
 * 	end
 *
 * Each class has each parameter once, in any order. A file without its last line was cut off.
 */

#define VERSION_LINE "foretime-growth 1"

static const char *const class_names[FT_CLASSES] = {
	[FT_CLASS_TIME] = "time",
	[FT_CLASS_MEMORY] = "memory",
	[FT_CLASS_COUNT] = "count",
	[FT_CLASS_ENERGY] = "energy",
};

#define FIELD(member, rows, columns, least, most, shares)                                                    \
	{                                                                                                    \
#member, offsetof(struct ft__growth, member), rows, columns, least, most, shares             \
	}

/* Wide bounds, which exclude impossible values. */
const struct ft__prior_field ft__prior_field[] = {
	FIELD(change, 1, FT__GROWTH_BINS, -20, 20, false),
	FIELD(spread, 1, 1, -10, 10, false),
	FIELD(reach, 1, 1, -10, 10, false),
	FIELD(share, FT__GROWTH_BINS, FT__GROWTH_KINDS, 0, 1, true),
	FIELD(deviation, 1, FT__GROWTH_KINDS, 1e-6, 10, false),
	FIELD(other, 1, 1, 0, 10, false),
	FIELD(narrow, 1, 1, 0, 10, false),
	FIELD(steep, 1, 1, 0, 10, false),
	FIELD(usual, 1, FT__GROWTH_KINDS, 0, 1, true),
	FIELD(step_rate, 1, 1, 0, 10, false),
	FIELD(step, 1, 1, -10, 10, false),
	FIELD(step_deviation, 1, 1, 0, 10, false),
};
const size_t ft__prior_fields = sizeof ft__prior_field / sizeof *ft__prior_field;

/* Of shares that were rounded to three digits. */
static const double sum_off_most = 0.01;

enum { FILE_MOST = 1 << 20, FIELDS_MOST = 32 };
_Static_assert(sizeof ft__prior_field / sizeof *ft__prior_field <= FIELDS_MOST, "more fields than that");

const struct ft__growth *ft__prior_growth(const struct ft_prior *prior)
{
	return prior ? prior->of : ft__growths;
}

double ft__prior_mark(const struct ft_prior *prior)
{
	const struct ft__growth *growth = ft__prior_growth(prior);

	/* The bits that fit in a double. */
	return (double)(ft_hash_bytes(FT_HASH_START, growth, FT_CLASSES * sizeof *growth) >> 11);
}

static double *numbers_of(struct ft__growth *growth, const struct ft__prior_field *field)
{
	return (double *)(void *)((char *)growth + field->offset);
}

void ft__prior_print(const struct ft__growth growth[FT_CLASSES], struct ft_text *out)
{
	char number[32];

	ft_text_add(out, "# How costs grow beyond the largest size measured: doc/growth.md.\n");
	ft_text_add(out, VERSION_LINE "\n");
	for (size_t of = 0; of < FT_CLASSES; of++) {
		struct ft__growth copy = growth[of];

		ft_text_add(out, "class %s\n", class_names[of]);
		for (size_t i = 0; i < ft__prior_fields; i++) {
			const struct ft__prior_field *field = &ft__prior_field[i];

			ft_text_add(out, "%s", field->name);
			for (size_t k = 0; k < field->rows * field->columns; k++) {
				ft__double_print(number, sizeof number, 3, 'g', numbers_of(&copy, field)[k]);
				ft_text_add(out, " %s", number);
			}
			ft_text_add(out, "\n");
		}
	}
	ft_text_add(out, "end\n");
}

/* ---- reading ------------------------------------------------------------------------------------------ */

struct reading {
	struct ft_prior *prior;
	bool versioned, ended;
	size_t of; /* the class; FT_CLASSES: none yet */
	bool has[FT_CLASSES][FIELDS_MOST];
};

/* The numbers of a field behind its name. Returns the error; NULL: none. */
static enum ft_status take_numbers(struct reading *r, const struct ft__prior_field *field, const char *at,
				   struct ft_err *err)
{
	double *number = numbers_of(&r->prior->of[r->of], field), sum = 0;
	size_t wanted = field->rows * field->columns, n = 0;
	const char *end;

	for (;; at = end) {
		double value;

		at += strspn(at, " \t");
		if (!*at)
			break;
		if (!ft__number_scan_signed(at, &end, &value) || (*end && !strchr(" \t", *end)))
			return ft_fail(err, FT_EPARSE, "'%.*s' of '%s' is no number", (int)strcspn(at, " \t"),
				       at, field->name);
		if (!(value >= field->least && value <= field->most))
			return ft_fail(err, FT_EPARSE, "'%s' is %g, and not from %g to %g", field->name,
				       value, field->least, field->most);
		if (n == wanted)
			return ft_fail(err, FT_EPARSE, "'%s' has more than %zu number%s", field->name, wanted,
				       wanted == 1 ? "" : "s");
		number[n++] = value;
		sum = (n - 1) % field->columns ? sum + value : value;
		if (field->shares && !(n % field->columns) && !(fabs(sum - 1) <= sum_off_most))
			return ft_fail(err, FT_EPARSE, "shares of '%s' sum to %g, and not to 1", field->name,
				       sum);
	}
	if (n < wanted)
		return ft_fail(err, FT_EPARSE, "'%s' has %zu numbers of %zu", field->name, n, wanted);
	return FT_OK;
}

/* A line without blanks around it, that is neither empty nor a comment. */
static enum ft_status take_line(struct reading *r, const char *line, struct ft_err *err)
{
	size_t length = strcspn(line, " \t"), i;

	if (r->ended)
		return ft_fail(err, FT_EPARSE, "there is more behind 'end'");
	if (!r->versioned) {
		r->versioned = !strcmp(line, VERSION_LINE);
		return r->versioned ? FT_OK
				    : ft_fail(err, FT_EPARSE, "'%.40s' is not '" VERSION_LINE "'", line);
	}
	if (!strcmp(line, "end")) {
		r->ended = true;
		return FT_OK;
	}
	if (length == 5 && !strncmp(line, "class", length)) {
		const char *name = line + length + strspn(line + length, " \t");

		for (r->of = 0; r->of < FT_CLASSES && strcmp(class_names[r->of], name) != 0;)
			r->of++;
		return r->of < FT_CLASSES ? FT_OK
					  : ft_fail(err, FT_EPARSE, "there is no class '%.40s'", name);
	}
	for (i = 0; i < ft__prior_fields; i++)
		if (strlen(ft__prior_field[i].name) == length &&
		    !strncmp(line, ft__prior_field[i].name, length))
			break;
	if (i == ft__prior_fields)
		return ft_fail(err, FT_EPARSE, "there is no parameter '%.40s'", line);
	if (r->of == FT_CLASSES)
		return ft_fail(err, FT_EPARSE, "'%s' stands before any class", ft__prior_field[i].name);
	if (r->has[r->of][i])
		return ft_fail(err, FT_EPARSE, "'%s' is twice in class '%s'", ft__prior_field[i].name,
			       class_names[r->of]);
	r->has[r->of][i] = true;
	return take_numbers(r, &ft__prior_field[i], line + length, err);
}

/* text: its lines are ended in place. *number: of the line that is wrong. */
static enum ft_status take_text(struct reading *r, char *text, size_t *number, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	char *next;

	for (*number = 1; *text; (*number)++, text = next) {
		char *end = text + strcspn(text, "\n");

		next = end + (*end == '\n');
		while (end > text && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		text += strspn(text, " \t");
		if (*text && *text != '#' && (status = take_line(r, text, err)))
			return status;
	}
	if (!r->ended)
		return ft_fail(err, FT_EPARSE, "it has no 'end': the file was cut off");
	for (size_t of = 0; of < FT_CLASSES; of++)
		for (size_t i = 0; i < ft__prior_fields; i++)
			if (!r->has[of][i])
				return ft_fail(err, FT_EPARSE, "class '%s' has no '%s'", class_names[of],
					       ft__prior_field[i].name);
	return FT_OK;
}

enum ft_status ft_prior_read(struct ft_prior **out, const char *path, struct ft_err *err)
{
	struct reading r = {.of = FT_CLASSES, .prior = ft_calloc(1, sizeof *r.prior)};
	struct ft_input *input = NULL;
	struct ft_err why = {0};
	char *text = NULL;
	size_t length, number = 0;
	enum ft_status status = r.prior ? ft__input_open(&input, path, err) : ft_nomem(err);

	*out = NULL;
	if (!status)
		status = ft__input_all(input, FILE_MOST, &text, &length, err);
	ft__input_close(input);
	if (!status && strlen(text) != length)
		status = ft_fail(err, FT_EPARSE, "'%.200s' is no text", path);
	else if (!status && (status = take_text(&r, text, &number, &why)))
		(void)ft_fail(err, status, "'%.200s', line %zu: %s", path, number, why.text);
	if (status == FT_EPARSE)
		(void)ft_remedy(err, "make it again with tools/learn-growth --site, or remove it");
	ft_free(text);
	if (status)
		ft_prior_free(r.prior);
	else
		*out = r.prior;
	return status;
}

void ft_prior_free(struct ft_prior *prior)
{
	ft_free(prior);
}

/*
 * Extrapolates a cost above the largest size that was measured.
 */

/* Of slopes that programs usually have: level, proportional, anything. Uncertain members are drawn to
 * these, certain ones are not. */
static const double usual_deviation[FT__GROWTH_KINDS] = {0.1, 0.15, 1.5};

/* The spread that rates are stated for, and bounds within which one is believed. */
static const double usual_spread = 0.1, spread_least = 0.002, spread_most = 2, span_least = 0.3;

/* Lighter ones are left out. */
static const double weight_least = 1e-7;

/* The rows on both sides of a slope, and the share of the second. */
static size_t bin_of(double slope, double *share)
{
	size_t i = 0;

	slope = fmin(fmax(slope, ft__growth_slopes[0]), ft__growth_slopes[FT__GROWTH_BINS - 1]);
	while (i + 2 < FT__GROWTH_BINS && slope > ft__growth_slopes[i + 1])
		i++;
	*share = (slope - ft__growth_slopes[i]) / (ft__growth_slopes[i + 1] - ft__growth_slopes[i]);
	return i;
}

static void add_component(struct ft__growth_belief *belief, double mean, double variance, double weight)
{
	if (!(weight > 0) || belief->n == FT__BELIEF_MOST)
		return;
	belief->mean[belief->n] = mean;
	belief->deviation[belief->n] = sqrt(variance);
	belief->weight[belief->n++] = weight;
}

void ft__beyond(const struct ft__growth *growth, const struct ft__growth_edge *edge, double far, double work,
		struct ft__growth_belief *belief)
{
	const struct ft__growth_belief members = *belief;
	double proportional = edge->work ? work : far, slope = edge->slope + (edge->work ? work / far : 0);
	double level = edge->deviation * edge->deviation, between;
	size_t bin = bin_of(slope, &between), i, k, kept = 0;
	double spread = fmin(fmax(edge->spread, spread_least), spread_most) / usual_spread;
	double rate = growth->change[bin] + between * (growth->change[bin + 1] - growth->change[bin]);
	double changed, stepped = -expm1(-growth->step_rate * far), heaviest = -INFINITY, total = 0;
	double weight[FT__BELIEF_MOST][FT__GROWTH_KINDS], narrow = pow(fmin(spread, 1), growth->narrow);

	rate += growth->spread * log(spread) + growth->reach * log(far / fmax(edge->span, span_least));
	changed = -expm1(-exp(fmin(rate, 3)));

	/* Growth continues: the prediction of each member, weighted by how usual its slope is. */
	for (i = 0; i < members.n; i++)
		for (k = 0; k < FT__GROWTH_KINDS; k++) {
			double mean = edge->z + (k ? proportional : 0), own = usual_deviation[k] * far;
			double variance = own * own + level + members.deviation[i] * members.deviation[i];
			double off = members.mean[i] - mean;

			weight[i][k] = log(members.weight[i] * growth->usual[k]) -
				       growth->steep * fmax(0, members.power[i] - 1) -
				       off * off / (2 * variance) - log(variance) / 2;
			heaviest = fmax(heaviest, weight[i][k]);
		}
	for (i = 0; i < members.n; i++)
		for (k = 0; k < FT__GROWTH_KINDS; k++)
			total += weight[i][k] = exp(weight[i][k] - heaviest);
	belief->n = 0;
	for (i = 0; i < members.n; i++)
		for (k = 0; k < FT__GROWTH_KINDS; k++) {
			double mean = edge->z + (k ? proportional : 0), own = usual_deviation[k] * far;
			double usual = own * own + level,
			       member_variance = members.deviation[i] * members.deviation[i];
			double share = (1 - changed) * weight[i][k] / total;
			double variance = usual * member_variance / (usual + member_variance);

			mean = (members.mean[i] * usual + mean * member_variance) / (usual + member_variance);
			if (share < weight_least)
				continue;
			add_component(belief, mean, variance, share * (1 - stepped));
			add_component(belief, mean + growth->step,
				      variance + growth->step_deviation * growth->step_deviation,
				      share * stepped);
		}

	/* Or it changes, to one of three slopes. */
	for (k = 0; k < FT__GROWTH_KINDS; k++) {
		double share =
			growth->share[bin][k] + between * (growth->share[bin + 1][k] - growth->share[bin][k]);
		double off = k == 0 ? 0 : k == 1 ? proportional : slope * growth->other * far;
		double own = growth->deviation[k] * far * narrow;

		add_component(belief, edge->z + off, own * own + level, changed * share);
	}
	for (i = 0, total = 0; i < belief->n; i++)
		total += belief->weight[i];
	for (i = 0; i < belief->n; i++)
		if (isfinite(belief->mean[i]) && isfinite(belief->deviation[i])) {
			belief->mean[kept] = belief->mean[i];
			belief->deviation[kept] = belief->deviation[i];
			belief->weight[kept++] = belief->weight[i] / total;
		}
	belief->n = kept;
}
