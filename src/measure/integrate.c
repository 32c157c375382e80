/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate.c - readings of power, or of a counter of energy, over time; and the energy between two moments.
 */
#include "measure/integrate.h"
#include "base/alloc.h"
#include "foretime/units.h"

#include <math.h>

/* An interval this many times longer than the run tells nothing about it. */
static const double TOO_WIDE = 2, CLOSE = 0.01;

static struct ft__reading *last_of(const struct ft__readings *readings, size_t channel)
{
	for (size_t i = readings->n; i--;)
		if (readings->reading[i].channel == channel)
			return &readings->reading[i];
	return NULL;
}

bool ft__readings_add(struct ft__readings *readings, double time_s, double same_s, size_t channel,
		      double value)
{
	struct ft__reading *last = last_of(readings, channel), *grown;

	if (last && time_s - last->time_s < same_s) {
		last->value = value; /* its time stays: a flood must not push it on for ever */
		return true;
	}
	grown = ft_grow(readings->reading, readings->n, &readings->capacity, sizeof *grown);
	if (!grown)
		return false;
	readings->reading = grown;
	grown[readings->n++] = (struct ft__reading){time_s, value, channel};
	if (!readings->counted)
		readings->first_s = time_s;
	if (channel >= readings->channels)
		readings->channels = channel + 1;
	readings->last_s = time_s;
	readings->counted++;
	return true;
}

bool ft__readings_since(const struct ft__readings *readings, double since_s)
{
	for (size_t channel = 0; channel < readings->channels; channel++) {
		const struct ft__reading *last = last_of(readings, channel);

		if (last && last->time_s < since_s)
			return false;
	}
	return readings->n > 0;
}

double ft__readings_interval(const struct ft__readings *readings)
{
	double rounds = readings->channels ? (double)readings->counted / (double)readings->channels : 0;

	return rounds > 1 ? (readings->last_s - readings->first_s) / (rounds - 1) : 0;
}

void ft__readings_forget(struct ft__readings *readings)
{
	size_t kept = 0;

	for (size_t i = 0; i < readings->n; i++)
		if (last_of(readings, readings->reading[i].channel) == &readings->reading[i])
			readings->reading[kept++] = readings->reading[i];
	readings->n = kept;
}

/* The next reading of a channel from an index on; NULL: there is none. */
static const struct ft__reading *next_of(const struct ft__readings *readings, size_t channel, size_t *i)
{
	while (*i < readings->n)
		if (readings->reading[(*i)++].channel == channel)
			return &readings->reading[*i - 1];
	return NULL;
}

static double between(const struct ft__reading *a, const struct ft__reading *b, double time_s)
{
	double width = b->time_s - a->time_s;

	return width > 0 ? a->value + (b->value - a->value) * (time_s - a->time_s) / width : b->value;
}

/* What one channel tells. */
struct integrate_span {
	double power_j;     /* integral of the values over the time */
	double first, last; /* values at both ends */
	double edge_s;      /* how far from an end the nearest reading is, at worst */
	double widest_s;    /* the interval of readings that lies around the whole time; 0: none does */
	bool backwards, any;
	double high, low; /* of a counter that went back */
};

/* The part of the line from a to b that lies within the time. */
static void add_piece(struct integrate_span *span, const struct ft__reading *a, const struct ft__reading *b,
		      double from_s, double to_s)
{
	double left = fmax(a->time_s, from_s), right = fmin(b->time_s, to_s);

	if (b->value < a->value && b->time_s > from_s && a->time_s < to_s) {
		span->backwards = true;
		span->high = a->value;
		span->low = b->value;
	}
	if (a->time_s <= from_s && b->time_s >= to_s)
		span->widest_s = b->time_s - a->time_s;
	if (a->time_s <= from_s && from_s <= b->time_s) {
		span->first = between(a, b, from_s);
		span->edge_s = fmax(span->edge_s, fmin(from_s - a->time_s, b->time_s - from_s));
	}
	if (a->time_s <= to_s && to_s <= b->time_s) {
		span->last = between(a, b, to_s);
		span->edge_s = fmax(span->edge_s, fmin(to_s - a->time_s, b->time_s - to_s));
	}
	if (right > left)
		span->power_j += (right - left) * (between(a, b, left) + between(a, b, right)) / 2;
}

static struct integrate_span span_of(const struct ft__readings *readings, size_t channel, double from_s,
				     double to_s)
{
	struct integrate_span span = {.first = NAN, .last = NAN};
	size_t i = 0;
	const struct ft__reading *a = next_of(readings, channel, &i), *b;

	if (!a)
		return span;
	span.any = true;
	if (a->time_s > from_s) { /* held back to the beginning */
		span.first = a->value;
		span.edge_s = a->time_s - from_s;
		span.power_j = a->value * (fmin(a->time_s, to_s) - from_s);
	}
	for (; (b = next_of(readings, channel, &i)); a = b)
		add_piece(&span, a, b, from_s, to_s);
	if (a->time_s < to_s) {
		span.last = a->value;
		span.edge_s = fmax(span.edge_s, to_s - a->time_s);
		span.power_j += a->value * (to_s - fmax(a->time_s, from_s));
	}
	return span;
}

static enum ft_status too_short(const char *who, double widest_s, double seconds, struct ft_err *err)
{
	char apart[FT_UNIT_LENGTH], took[FT_UNIT_LENGTH];

	(void)ft_fail(err, FT_EUNAVAIL, "the run took %s, and the readings of %s around it are %s apart",
		      ft_value_format(seconds, "s", took), who, ft_value_format(widest_s, "s", apart));
	(void)ft_remedy(err, "measure larger sizes, or with a quicker meter");
	return FT_EUNAVAIL;
}

static enum ft_status went_back(const char *who, const struct integrate_span *span, struct ft_err *err)
{
	(void)ft_fail(err, FT_EUNAVAIL, "%s went back from %.6g J to %.6g J during the run", who, span->high,
		      span->low);
	(void)ft_remedy(err, "joules must count from one beginning: let nothing else reset the meter");
	return FT_EUNAVAIL;
}

enum ft_status ft__readings_integrate(const struct ft__readings *readings, const char *who, double from_s,
				      double to_s, double *joules, enum ft_label *label, struct ft_err *err)
{
	double sum = 0, edge_s = 0, seconds = to_s - from_s;
	size_t n = 0;

	*joules = NAN;
	*label = FT_UNAVAILABLE;
	for (size_t channel = 0; channel < readings->channels; channel++) {
		struct integrate_span span = span_of(readings, channel, from_s, to_s);

		if (!span.any)
			continue;
		if (!readings->power && span.backwards)
			return went_back(who, &span, err);
		if (span.widest_s > TOO_WIDE * seconds)
			return too_short(who, span.widest_s, seconds, err);
		sum += readings->power ? span.power_j : span.last - span.first;
		edge_s = fmax(edge_s, span.edge_s);
		n++;
	}
	if (!n) {
		(void)ft_fail(err, FT_EUNAVAIL, "%s gave no reading", who);
		(void)ft_remedy(err, "try the command by hand");
		return FT_EUNAVAIL;
	}
	*joules = sum;
	*label = !readings->power && edge_s <= CLOSE * seconds ? FT_MEASURED : FT_ESTIMATED;
	return FT_OK;
}

void ft__readings_clear(struct ft__readings *readings)
{
	ft_free(readings->reading);
	*readings = (struct ft__readings){0};
}
