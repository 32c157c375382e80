/* SPDX-License-Identifier: GPL-3.0-or-later */
/* weigh.c - what one more run would change of the choice.
 *
 * The loss at a size is that of the device with the least mean against the least of all, ln time (or energy).
 * A run changes it only where it changes who has the least mean. Were it made, and as long as is expected,
 * the model of that device would be surer at other sizes, too: by how much, the model itself says when it is
 * fitted to that run. The variance that goes is how far the mean may move by it, and what that is worth is
 * the expected improvement of the least mean (the knowledge gradient: Frazier, Powell and Dayanik, SIAM J.
 * Control Optim. 47, 2008). */
#include "base/alloc.h"
#include "device/chooser.h"
#include "num/stats.h"

#include <math.h>

/* So many sizes of each device are looked at closely; a run that takes away less than this share of the loss
 * is none that decides, however short it is. */
enum { LOOKED_AT = 6 };
static const double worth = 0.02;

struct bid {
	size_t device, place;
	double gain, seconds, glance;
};

/* How devices stand at all places: the least mean, and the least of the others of each. */
struct weigh_field {
	double mean[FT__PLACES_MOST][FT_DEVICES_MAX];
	double loss[FT__PLACES_MOST];
	size_t best[FT__PLACES_MOST];
};

static void look_at_places(const struct ft_chooser *c, struct weigh_field *field)
{
	struct ft_standing standing[FT_DEVICES_MAX];

	for (size_t i = 0; i < c->n_places; i++) {
		field->best[i] = ft__chooser_stand(c, i, standing, &field->loss[i]);
		for (size_t j = 0; j < c->options.n_devices; j++)
			field->mean[i][j] = log(standing[j].value);
	}
}

/* E min(X, least) for X normal. */
static double expected_least(double mean, double deviation, double least)
{
	double d = (least - mean) / deviation;

	return least - deviation * (d * ft_normal_below(d) + exp(-d * d / 2) / sqrt(2 * M_PI));
}

/* What it is worth at a place that the mean of a device may move so far. */
static double worth_at(const struct weigh_field *field, size_t place, size_t n, size_t device,
		       double deviation)
{
	double least = INFINITY;

	if (!(deviation > 0) || !isfinite(field->mean[place][device]))
		return 0;
	for (size_t j = 0; j < n; j++)
		if (j != device)
			least = fmin(least, field->mean[place][j]);
	if (isinf(least))
		return 0;
	return fmax(0, field->mean[place][field->best[place]] -
			       expected_least(field->mean[place][device], deviation, least));
}

/* A glance at a size: what knowing the device there for sure would be worth, near it. */
static double glance_at(const struct ft_chooser *c, const struct weigh_field *field, const struct bid *bid)
{
	const struct ft__asked_place *at = &c->place[bid->place];
	double sum = 0, apart;
	size_t k;

	for (size_t i = 0; i < c->n_places; i++) {
		for (k = 0, apart = 0; k < c->n_axes; k++)
			apart += fabs(c->place[i].at[k] - at->at[k]);
		sum += exp(-apart) * worth_at(field, i, c->options.n_devices, bid->device,
					      c->rival[bid->device].belief.error[i]);
	}
	return sum / (double)c->n_places;
}

/* Runs that may be made: those of a device, the most promising first, LOOKED_AT of them. */
static size_t gather_bids(const struct ft_chooser *c, const struct weigh_field *field, size_t device,
			  struct bid *bids)
{
	const struct ft__rival *rival = &c->rival[device];
	double left = c->options.budget_s > 0 ? c->options.budget_s - c->spent_s : INFINITY;
	double longest = c->options.longest_s > 0 ? c->options.longest_s : INFINITY;
	size_t k, n = 0;

	for (size_t i = 0; i < c->n_places; i++) {
		struct bid bid = {device, i, 0, rival->seconds[i], 0};

		if (!c->place[i].run || !ft__rival_may(rival, &c->place[i].size) ||
		    bid.seconds > fmin(left, longest))
			continue;
		bid.glance = glance_at(c, field, &bid) / bid.seconds;
		for (k = n < LOOKED_AT ? n++ : n; k && (k == LOOKED_AT || bids[k - 1].glance < bid.glance);
		     k--)
			if (k < LOOKED_AT)
				bids[k] = bids[k - 1];
		if (k < LOOKED_AT)
			bids[k] = bid;
	}
	return n;
}

/* What the run is expected to take away of the loss. */
static enum ft_status weigh_bid(const struct ft_chooser *c, const struct weigh_field *field, struct bid *bid,
				struct ft_err *err)
{
	const struct ft__rival *rival = &c->rival[bid->device];
	const struct ft__rival_run also = {c->place[bid->place].size,
					   {[FT__VALUE] = exp(rival->belief.mean[bid->place])}};
	struct ft__belief then;
	enum ft_status status = ft__rival_believe(c, rival, &also, &then, err);

	for (size_t i = 0; i < c->n_places && !status; i++) {
		double gone = pow(rival->belief.error[i], 2) - pow(then.error[i], 2);

		bid->gain += worth_at(field, i, c->options.n_devices, bid->device, sqrt(fmax(0, gone))) /
			     (double)c->n_places;
	}
	return status;
}

/* Whether a device has as many sizes as it may have, and this would be another one. */
static bool is_beyond_points(const struct ft_chooser *c, const struct bid *bid)
{
	const struct ft__rival *rival = &c->rival[bid->device];

	if (!c->options.points || rival->sizes < c->options.points)
		return false;
	for (size_t i = 0; i < rival->n; i++)
		if (ft_size_equal(&rival->seen[i].size, &c->place[bid->place].size))
			return false;
	return true;
}

static enum ft_status choose_bid(const struct ft_chooser *c, const struct weigh_field *field,
				 struct bid *bids, size_t n, const struct bid **best, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t kept = 0;

	*best = NULL;
	for (size_t i = 0; i < n; i++)
		if (!is_beyond_points(c, &bids[i]))
			bids[kept++] = bids[i];
	for (size_t i = 0; i < kept && !status; i++)
		status = weigh_bid(c, field, &bids[i], err);
	for (size_t i = 0; i < kept && !status; i++)
		if (bids[i].gain > worth * c->loss &&
		    (!*best || bids[i].gain / bids[i].seconds > (*best)->gain / (*best)->seconds))
			*best = &bids[i];
	return status;
}

enum ft_status ft__chooser_weigh(const struct ft_chooser *c, struct ft_chooser_next *next, struct ft_err *err)
{
	struct weigh_field *field = ft_calloc(1, sizeof *field);
	struct bid *bids = ft_calloc(c->options.n_devices * LOOKED_AT, sizeof *bids);
	const struct bid *best = NULL;
	enum ft_status status = FT_OK;
	size_t n = 0;

	*next = (struct ft_chooser_next){.gain = NAN, .expected_s = NAN};
	if (!field || !bids) {
		status = ft_nomem(err);
	} else {
		look_at_places(c, field);
		for (size_t j = 0; j < c->options.n_devices; j++)
			if (!c->rival[j].gone)
				n += gather_bids(c, field, j, bids + n);
		status = choose_bid(c, field, bids, n, &best, err);
	}
	if (!status && best)
		*next = (struct ft_chooser_next){best->device, c->place[best->place].size, best->gain,
						 best->seconds};
	ft_free(field);
	ft_free(bids);
	return status;
}
