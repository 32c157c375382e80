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

/*
 * A staircase: the value grows in rises between levels. The vectors of C++, most hash tables and pools of memory make
 * one, as each reserves twice as much when it is full. The slope at the largest size is then that of a level, and what
 * continues it misses the next rise. So the rises are continued: as far from each other and as high as they were.
 */

/* Values of a level are this close, or so many times their noise; a rise is twice as high. A level is this long. */
static const double level_band = 0.06, level_noise = 3, level_least = 0.1;

/* So many rises make a staircase, if levels are this share of it, and not steeper than this share of the rises. The
 * last ones are kept. */
enum { RISES_LEAST = 4, RISES_FEW = 2, RISES_KEPT = 32, RISES_AHEAD = 6 };
static const double levels_least = 0.5, level_steepness = 0.05, proportion_off = 0.2;

/* The share of the latest rise in the height that is expected, and relative deviations of length and height that count
 * as one more rise. */
static const double forget = 0.3, usual_length = 0.15, usual_height = 0.2;

struct rise {
	double middle, variance; /* it lies somewhere between two sizes */
	double height;           /* NaN: not all of it was seen */
	double added;            /* ln of what it added to the value */
};

/* Where the next rise comes: places that lie a length apart, each known as well as the sizes around it are close, are
 * followed by a Kalman filter. */
static void place_rises(struct ft__stairs *out, const struct rise *rise, size_t n, double most)
{
	double weights = 0, number = 0, middle = 0, square = 0, product = 0, irregular = 0, k = (double)n;

	for (size_t i = 0; i < n; i++) {
		double weight = 1 / (rise[i].variance + level_least * level_least / 12), d, e;

		weights += weight;
		d = (double)i - number;
		e = rise[i].middle - middle;
		number += d * weight / weights;
		middle += e * weight / weights;
		square += weight * d * ((double)i - number);
		product += weight * d * (rise[i].middle - middle);
	}
	out->length = fmax(product / square, level_least);
	for (size_t i = 1; i < n; i++) {
		double off = rise[i].middle - rise[i - 1].middle - out->length;

		irregular += fmax(0, off * off - rise[i].variance - rise[i - 1].variance) / (k - 1);
	}
	out->length_deviation = sqrt(irregular + pow(usual_length * out->length, 2) / k);
	double place = rise[0].middle, variance = rise[0].variance;

	for (size_t i = 1; i < n; i++) {
		variance += out->length_deviation * out->length_deviation;
		double gain = variance / (variance + rise[i].variance);

		place += out->length;
		place += gain * (rise[i].middle - place);
		variance *= 1 - gain;
	}
	out->since = most - place;
	out->place_deviation = sqrt(variance);
}

struct ft__stairs ft__stairs_find(const double *t, const double *z, size_t n, double noise)
{
	double band = fmax(level_band, level_noise * noise), least = 2 * band;
	double last = NAN, ended = 0, begun = 0, levels = 0, grown = 0, widths = 0, heights = 0;
	struct ft__stairs out = {0}, none = {0};
	struct rise rise[RISES_KEPT];
	size_t rises = 0, to;

	for (size_t from = 0; from < n; from = to) {
		double low = z[from], high = z[from], sum = z[from], mean;

		for (to = from + 1; to < n && fmax(high, z[to]) - fmin(low, z[to]) <= band; to++) {
			low = fmin(low, z[to]);
			high = fmax(high, z[to]);
			sum += z[to];
		}
		/* The largest sizes may have left the last level without a level of their own yet. */
		bool level = t[to - 1] - t[from] >= level_least,
		     left = to == n && !level && z[from] > last + least;

		mean = sum / (double)(to - from);
		if (!level && !left) {
			to = from + 1;
			continue;
		}
		if (isnan(last))
			begun = t[from];
		else if (mean < last - least)
			return none; /* it falls */
		if (mean > last + least) {
			double width = t[from] - ended;

			if (rises == RISES_KEPT)
				memmove(rise, rise + 1, --rises * sizeof *rise);
			rise[rises++] = (struct rise){.middle = ended + width / 2,
						      .variance = width * width / 12,
						      .height = level ? mean - last : NAN,
						      .added = last + log(expm1(mean - last))};
			widths += level ? width : 0;
			heights += level ? mean - last : 0;
		}
		levels += t[to - 1] - t[from];
		grown += fabs(z[to - 1] - z[from]);
		last = mean;
		ended = t[to - 1];
	}
	/* Fewer will do where each adds as many times more as its size is larger: what is needed grows in proportion. */
	bool proportional = rises >= RISES_FEW;

	for (size_t i = 1; i < rises; i++)
		proportional = proportional && fabs(rise[i].added - rise[i - 1].added - rise[i].middle +
						    rise[i - 1].middle) < proportion_off;
	if ((rises < RISES_LEAST && !proportional) || levels < levels_least * (t[n - 1] - begun) ||
	    grown * widths > level_steepness * heights * levels)
		return none;
	place_rises(&out, rise, rises, t[n - 1]);

	/* Next to a constant part the rises that were seen are low, but each adds as many times what the last one did. */
	double ratio = 0, variance = 0, k = (double)rises;

	for (size_t i = 0; i < rises && !isnan(rise[i].height); i++) {
		double share = fmax(forget, 1. / (double)(i + 1)), off = rise[i].height - out.height;

		out.height += share * off;
		variance += share * ((1 - share) * off * off - variance);
		if (i)
			ratio += fmax(forget, 1. / (double)i) * (rise[i].added - rise[i - 1].added - ratio);
	}
	out.share = k / (k + 1);
	out.height_deviation = sqrt(variance + pow(usual_height * out.height, 2) / k);
	ratio = fmin(ratio, 2 * out.height);
	if (ratio > out.height) {
		out.height_deviation = fmax(out.height_deviation, (ratio - out.height) / 2);
		out.height = ratio;
	}
	return out;
}

/* A staircase goes on, and all other beliefs share the rest. */
static void add_stairs(struct ft__growth_belief *belief, const struct ft__growth_edge *edge, double far)
{
	const struct ft__stairs *s = &edge->stairs;
	double before = 1; /* the chance of as many rises as were counted */

	for (size_t i = 0; i < belief->n; i++)
		belief->weight[i] *= 1 - s->share;
	for (int rises = 0; rises <= RISES_AHEAD; rises++) {
		/* The next rise comes a length after the last one, and has not come yet. */
		double next = rises + 1,
		       deviation = hypot(s->place_deviation, s->length_deviation * sqrt(next));
		double wait = next * s->length - s->since,
		       chance = erfc((wait - far) / deviation / sqrt(2)) / 2;

		if (!rises) {
			double passed = erfc(wait / deviation / sqrt(2)) / 2;

			chance = passed < 0.99 ? fmax(0, chance - passed) / (1 - passed) : far / s->length;
		}
		chance = fmin(fmin(chance, before), 1);
		double number = rises, own = edge->deviation * edge->deviation;

		if (rises == RISES_AHEAD) {
			/* As many as that or more. */
			chance = 0;
			number = fmax(number, (far + s->since) / s->length - 0.5);
			own += pow(s->height * s->length_deviation / s->length, 2) * number;
		}
		own += number * s->height_deviation * s->height_deviation;
		add_component(belief, edge->z + number * s->height, own, s->share * (before - chance));
		before = chance;
	}
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
	if (edge->stairs.share > 0)
		add_stairs(belief, edge, far);
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
