/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chooser.c - chooses which run of which device is next, and when the choice between them is certain
   enough. */
#include "base/alloc.h"
#include "device/device.h"
#include "facts/door.h"
#include "num/num.h"

#include <math.h>

static bool rival_may(const struct ft__rival *rival, const struct ft_size *size);

/*
 * The sizes over which devices are compared: evenly spread in the logarithms of parameters.
 */

/* Values of each parameter by the number of parameters; every second one may be run. 33 of one: a
 * crossover is then missed by 1.5 % of a range's logarithm at most, and between two such sizes the better
 * device of both ends loses little. */
static const size_t values_of[] = {0, 33, 9, 5, 3};

static size_t values_along(const struct ft_chooser *c)
{
	return c->n_axes < sizeof values_of / sizeof *values_of ? values_of[c->n_axes] : 2;
}

/* The k-th place: its values along the axes are the digits of k. */
static void make_place(const struct ft_chooser *c, size_t k, struct ft__asked_place *p)
{
	size_t each = values_along(c), i;

	*p = (struct ft__asked_place){.size.n = c->options.n_params, .run = true};
	for (i = 0; i < c->options.n_params; i++)
		p->size.value[i] = c->options.space[i].least;
	for (i = 0; i < c->n_axes; i++, k /= each) {
		const struct ft_space *space = &c->options.space[c->axis[i]];
		double share = (double)(k % each) / (double)(each - 1),
		       range = log(space->most / space->least);
		double value = ft_space_nearest(space, space->least * exp(share * range));

		p->size.value[c->axis[i]] = value;
		p->at[i] = log(value / space->least);
		p->far += p->at[i] / range / (double)c->n_axes;
		p->run = p->run && (each < 9 || k % each % 2 == 0);
	}
}

static bool is_new(const struct ft_chooser *c, const struct ft_size *size)
{
	for (size_t i = 0; i < c->n_places; i++)
		if (ft_size_equal(&c->place[i].size, size))
			return false;
	return true;
}

/*
 * Reduced confidence in models far from the runs.
 *
 * The errors of models hold for sizes that were spread to model one program. A chooser has two sizes of each
 * device at first, one of them near the start-up time, and the other one some powers of ten larger:
 * predictions between and outside them only follow the form of a law, and their error is understated.
 */

/* The growth of the error with each factor of e from the nearest size that was run. Three made processes,
 * 40 times, seed 77 (make_processes of test/device/families.h), stopped at 2 %: the choice takes 1.049,
 * 1.037, 1.024, 1.011 of the best with 0, 0.1, 0.2, 0.4; of 39, 39, 33, 4 that were reported as decided 6,
 * 3, 2, 0 are over 1.1; they have 19, 24, 30, 33 runs, of 0.10, 0.14, 0.26, 0.70 of the time of nine sizes
 * of each. With 0.4 hardly any is decided. Validated with other seeds: doc/devices.md. */
static const double doubt = 0.2;

void ft__apart_begin(struct ft__apart *apart, const struct ft_size *size, const size_t *axis, size_t n)
{
	*apart = (struct ft__apart){.size = size, .axis = axis, .n = n};
	for (size_t k = 0; k < n; k++)
		apart->nearest[k] = INFINITY;
}

void ft__apart_run(struct ft__apart *apart, const struct ft_size *run)
{
	for (size_t k = 0; k < apart->n; k++)
		apart->nearest[k] =
			fmin(apart->nearest[k],
			     fabs(log(apart->size->value[apart->axis[k]] / run->value[apart->axis[k]])));
}

double ft__doubted(const struct ft__apart *apart, double error)
{
	double sum = 0;

	for (size_t k = 0; k < apart->n; k++)
		sum += isfinite(apart->nearest[k]) ? apart->nearest[k] : 0;
	return hypot(error, doubt * sum);
}

/*
 * The fastest device at a size, the probability of that, and the expected loss of the choice.
 */

/* Integration over ln value, which is normal: this many points over this many deviations. With 96 the
 * chances of two are within 0.01 of the closed form, the loss within 2 % of it (test/device/t-stand.c). */
enum { PLACES = 96 };
static const double reach = 5, error_least = 1e-4;

static double error_of(const struct ft_standing *s)
{
	return fmax(s->error, error_least);
}

/* The probability that all other devices take longer than e^ln. */
static double others_above(const struct ft_standing *standing, size_t n, size_t but, double ln)
{
	double share = 1;

	for (size_t i = 0; i < n && share > 0; i++)
		if (i != but && isfinite(standing[i].value))
			share *= ft_normal_below((log(standing[i].value) - ln) / error_of(&standing[i]));
	return share;
}

/* Adds to the chance of one what each place of its belief has; and to the expected least of all. */
static double add_places(struct ft_standing *standing, size_t n, size_t at, double from)
{
	struct ft_standing *s = &standing[at];
	double step = 2 * reach / PLACES, least = 0;

	for (int i = 0; i < PLACES; i++) {
		double z = -reach + (i + 0.5) * step, ln = log(s->value) + z * error_of(s);
		double weight = step * exp(-z * z / 2) / sqrt(2 * M_PI) * others_above(standing, n, at, ln);

		s->chance += weight;
		least += weight * (from - ln);
	}
	return least;
}

size_t ft_stand(struct ft_standing *standing, size_t n, double *loss)
{
	double sum = 0, least = 0;
	size_t best = 0;

	for (size_t i = 0; i < n; i++) {
		standing[i].chance = 0;
		if (standing[i].value < standing[best].value)
			best = i;
	}
	for (size_t i = 0; i < n && isfinite(standing[best].value); i++)
		if (isfinite(standing[i].value)) {
			least += add_places(standing, n, i, log(standing[best].value));
			sum += standing[i].chance;
		}
	for (size_t i = 0; i < n && sum > 0; i++)
		standing[i].chance /= sum;
	if (loss)
		*loss = sum > 0 ? fmax(0, least / sum) : 0;
	return best;
}

/*
 * The predictions of the models for each device at the sizes of the query.
 */

/* The confidence of the models' intervals. */
static const double confidence = 0.9;

static enum ft_status fit_rival(const struct ft_chooser *c, const struct ft__rival *rival,
				enum ft__rival_measures what, const struct ft__rival_run *also,
				struct ft_model **out, struct ft_err *err)
{
	struct ft_observation *all = ft_calloc(rival->n + 1, sizeof *all);
	const struct ft_model_options options = {.axis = c->axis, .n_axes = c->n_axes};
	size_t i;

	*out = NULL;
	if (!all)
		return ft_nomem(err);
	for (i = 0; i < rival->n + (also != NULL); i++) {
		const struct ft__rival_run *seen = i < rival->n ? &rival->seen[i] : also;

		all[i] =
			(struct ft_observation){.size = seen->size, .work = 1, .value = seen->measured[what]};
	}
	enum ft_status status = ft_model_fit(out, all, i, &options, err);
	ft_free(all);
	return status;
}

/* The model of all its runs, fitted once. */
static enum ft_status own_model(const struct ft_chooser *c, struct ft__rival *rival, struct ft_err *err)
{
	return rival->model ? FT_OK : fit_rival(c, rival, FT__VALUE, NULL, &rival->model, err);
}

/* The model's prediction, less certain the farther it is from the rival's runs, perhaps with one more run. */
static enum ft_status ask_rival(const struct ft_chooser *c, const struct ft__rival *rival,
				const struct ft__rival_run *also, const struct ft_model *model,
				const struct ft_size *size, double *mean, double *error, struct ft_err *err)
{
	struct ft__apart apart;
	struct ft_prediction p;

	FT_TRY(ft_model_predict(model, size, NAN, confidence, &p, err));
	*mean = log(fmax(p.value, 1e-300));
	*error = (isnan(p.known) ? log(1.2) : log1p(p.known)) / ft_normal_quantile((1 + confidence) / 2);
	ft__apart_begin(&apart, size, c->axis, c->n_axes);
	for (size_t i = 0; i < rival->n; i++)
		ft__apart_run(&apart, &rival->seen[i].size);
	if (also)
		ft__apart_run(&apart, &also->size);
	*error = ft__doubted(&apart, *error);
	return FT_OK;
}

/* rival_believe - a model at all places: that of its runs, or of one more. also: NULL: none. */
static enum ft_status rival_believe(const struct ft_chooser *chooser, const struct ft__rival *rival,
				    const struct ft__rival_run *also, const struct ft_model *model,
				    struct ft__belief *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < chooser->n_places && !status; i++)
		status = ask_rival(chooser, rival, also, model, &chooser->place[i].size, &out->mean[i],
				   &out->error[i], err);
	return status;
}

/* Typical values of a quantity at n sizes. */
static enum ft_status typical_values(const struct ft_chooser *c, const struct ft__rival *rival,
				     enum ft__rival_measures what, double *out, struct ft_err *err)
{
	struct ft_model *model;
	struct ft_prediction p;
	enum ft_status status = fit_rival(c, rival, what, NULL, &model, err);

	for (size_t i = 0; i < c->n_places && !status; i++) {
		status = ft_model_predict(model, &c->place[i].size, NAN, confidence, &p, err);
		out[i] = status ? (double)NAN : p.value;
	}
	ft_model_free(model);
	return status;
}

/* rival_at - how it stands at one size: INFINITY where it may not be chosen. */
static enum ft_status rival_at(const struct ft_chooser *chooser, struct ft__rival *rival,
			       const struct ft_size *size, struct ft_standing *out, struct ft_err *err)
{
	bool may = rival->n && rival_may(rival, size);
	enum ft_status status = FT_OK;
	double mean = 0;

	*out = (struct ft_standing){INFINITY, 0, 0};
	if (may && chooser->options.watts > 0) {
		/* Whether a device stays within its power limit; chooser->options.watts > 0. */
		struct ft_model *model;
		struct ft_prediction p;
		status = fit_rival(chooser, rival, FT__WATTS, NULL, &model, err);

		if (!status)
			status = ft_model_predict(model, size, NAN, confidence, &p, err);
		may = !status && p.value <= chooser->options.watts;
		ft_model_free(model);
	}
	if (status || !may)
		return status;
	FT_TRY(own_model(chooser, rival, err));
	FT_TRY(ask_rival(chooser, rival, NULL, rival->model, size, &mean, &out->error, err));
	out->value = exp(mean);
	return FT_OK;
}

/* rival_may - whether a device may run a size: it exists, and did not fail at one as small. */
static bool rival_may(const struct ft__rival *rival, const struct ft_size *size)
{
	if (rival->gone || !rival->failed.n)
		return !rival->gone;
	for (size_t i = 0; i < size->n; i++)
		if (size->value[i] < rival->failed.value[i])
			return true;
	return false;
}

/* chooser_stand - how all stand at a place. Returns the best; loss: may be NULL. */
static size_t chooser_stand(const struct ft_chooser *chooser, size_t place, struct ft_standing *standing,
			    double *loss)
{
	for (size_t j = 0; j < chooser->options.n_devices; j++) {
		const struct ft__rival *rival = &chooser->rival[j];
		bool may = rival->n && rival_may(rival, &chooser->place[place].size) &&
			   (!(chooser->options.watts > 0) || rival->watts[place] <= chooser->options.watts);

		standing[j] = (struct ft_standing){may ? exp(rival->belief.mean[place]) : INFINITY,
						   rival->belief.error[place], 0};
	}
	return ft_stand(standing, chooser->options.n_devices, loss);
}

/*
 * The value of one more run for the choice.
 *
 * The loss at a size is that of the device with the least mean against the least of all, ln time (or energy).
 * A run changes it only where it changes which device has the least mean. If it took as long as expected,
 * the model of that device would be more certain at other sizes, too: by how much follows from fitting the
 * model to that run. The variance removed is how far the mean may move by it, and its value is the expected
 * improvement of the least mean (the knowledge gradient: Frazier, Powell and Dayanik, SIAM J.
 * Control Optim. 47, 2008).
 */

/* Sizes of each device that are evaluated fully; a run that removes less than this share of the loss is
 * not decisive, even if it is short. */
enum { LOOKED_AT = 6 };
static const double worth = 0.02;

struct bid {
	size_t device, place;
	double gain, seconds, glance;
};

/* The devices at all places: the least mean, and for each the least of the rest. */
struct weigh_field {
	double mean[FT__PLACES_MOST][FT_DEVICES_MAX];
	double loss[FT__PLACES_MOST];
	size_t best[FT__PLACES_MOST];
};

/* E min(X, least) for X normal. */
static double expected_least(double mean, double deviation, double least)
{
	double d = (least - mean) / deviation;

	return least - deviation * (d * ft_normal_below(d) + exp(-d * d / 2) / sqrt(2 * M_PI));
}

/* The value at a place of a possible move of the device's mean. */
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

/* Possible runs of a device, the most promising first, LOOKED_AT of them. */
static size_t gather_bids(const struct ft_chooser *c, const struct weigh_field *field, size_t device,
			  struct bid *bids)
{
	const struct ft__rival *rival = &c->rival[device];
	double left = c->options.budget_s > 0 ? c->options.budget_s - c->spent_s : INFINITY;
	double longest = c->options.longest_s > 0 ? c->options.longest_s : INFINITY;
	size_t k, n = 0;

	for (size_t i = 0; i < c->n_places; i++) {
		struct bid bid = {device, i, 0, rival->seconds[i], 0};

		if (!c->place[i].run || !rival_may(rival, &c->place[i].size) ||
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

/* The expected reduction of the loss by the run. */
static enum ft_status weigh_bid(const struct ft_chooser *c, const struct weigh_field *field, struct bid *bid,
				struct ft_err *err)
{
	const struct ft__rival *rival = &c->rival[bid->device];
	const struct ft__rival_run also = {c->place[bid->place].size,
					   {[FT__VALUE] = exp(rival->belief.mean[bid->place])}};
	struct ft__belief then;
	struct ft_model *model;
	enum ft_status status = fit_rival(c, rival, FT__VALUE, &also, &model, err);

	if (!status)
		status = rival_believe(c, rival, &also, model, &then, err);
	ft_model_free(model);

	for (size_t i = 0; i < c->n_places && !status; i++) {
		double gone = pow(rival->belief.error[i], 2) - pow(then.error[i], 2);

		bid->gain += worth_at(field, i, c->options.n_devices, bid->device, sqrt(fmax(0, gone))) /
			     (double)c->n_places;
	}
	return status;
}

/* Whether a device has reached its limit of sizes, and this would be another one. */
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

/* chooser_weigh - the run that lowers the loss most for each second. next->size.n = 0: none does.
 * (chooser.c) */
static enum ft_status chooser_weigh(const struct ft_chooser *c, struct ft_chooser_next *next,
				    struct ft_err *err)
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
		struct ft_standing standing[FT_DEVICES_MAX];

		for (size_t i = 0; i < c->n_places; i++) {
			field->best[i] = chooser_stand(c, i, standing, &field->loss[i]);
			for (size_t j = 0; j < c->options.n_devices; j++)
				field->mean[i][j] = log(standing[j].value);
		}
		for (size_t j = 0; j < c->options.n_devices; j++)
			if (!c->rival[j].gone)
				n += gather_bids(c, field, j, bids + n);
		size_t kept = 0;

		best = NULL;
		for (size_t i = 0; i < n; i++)
			if (!is_beyond_points(c, &bids[i]))
				bids[kept++] = bids[i];
		for (size_t i = 0; i < kept && !status; i++)
			status = weigh_bid(c, field, &bids[i], err);
		for (size_t i = 0; i < kept && !status; i++)
			if (bids[i].gain > worth * c->loss &&
			    (!best || bids[i].gain / bids[i].seconds > best->gain / best->seconds))
				best = &bids[i];
	}
	if (!status && best)
		*next = (struct ft_chooser_next){best->device, c->place[best->place].size, best->gain,
						 best->seconds};
	ft_free(field);
	ft_free(bids);
	return status;
}

/*
 * Chooses which run of which device is next, and when the choice between them is certain enough.
 */

/* Each device is first run at the smallest size and at one this far up the range, in logarithms, if it is
 * expected to end within budget and limit: a time may grow with the third power. Over 200 made pairs (seed
 * 20260101), before confidence was reduced (chooser.c), the choice took 1.044 of the best with two sizes
 * each, and 1.007 with three; at 1/2 of the range 1.082 and 1.012, at 5/8 1.062 and 1.016. At 1/2 three
 * routines of bench/device/live were reported as decided at 1.47 to 1.65 of the best. */
static const double first_far = 0.75, growth_most = 3, tolerance_usual = 0.02;

const char *ft_chooser_stop_text(enum ft_chooser_stop stop)
{
	static const char *const texts[] = {
#define TEXT(name, words) words,
		FT_CHOOSER_STOP_LIST(TEXT)
#undef TEXT
	};

	return (size_t)stop < sizeof texts / sizeof *texts ? texts[stop] : "unknown";
}

static enum ft_status check_options(const struct ft_chooser_options *o, struct ft_err *err)
{
	bool varies = false;

	if (!o->n_devices || o->n_devices > FT_DEVICES_MAX) {
		(void)ft_fail(err, FT_EINVAL, "there are %zu devices to choose from, not 1 to %d",
			      o->n_devices, FT_DEVICES_MAX);
		return ft_remedy(err, "leave out those that are surely slower");
	}
	for (size_t i = 0; i < o->n_params; i++) {
		if (o->space[i].most > o->space[i].least && !(o->space[i].least > 0)) {
			(void)ft_fail(err, FT_EINVAL, "a range begins at %g: it has no logarithm",
				      o->space[i].least);
			return ft_remedy(err, "begin it above 0");
		}
		varies |= o->space[i].most > o->space[i].least;
	}
	if (varies)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "no parameter has a range: there is nothing to decide between");
	return ft_remedy(err, "write one, as in n=64:4096");
}

enum ft_status ft_chooser_new(struct ft_chooser **out, const struct ft_chooser_options *options,
			      struct ft_err *err)
{
	enum ft_status status = check_options(options, err);

	*out = NULL;
	if (status)
		return status;
	struct ft_chooser *c = ft_calloc(1, sizeof *c);
	if (c)
		c->rival = ft_calloc(options->n_devices, sizeof *c->rival);
	if (!c || !c->rival) {
		ft_free(c);
		return ft_nomem(err);
	}
	c->options = *options;
	if (!(c->options.tolerance > 0))
		c->options.tolerance = tolerance_usual;
	c->loss = NAN;
	for (size_t i = 0; i < options->n_params; i++)
		if (options->space[i].most > options->space[i].least)
			c->axis[c->n_axes++] = i;
	/* The sizes over which devices are compared. */
	size_t all = 1;

	for (size_t i = 0; i < c->n_axes; i++)
		all *= values_along(c);
	for (size_t i = 0; i < all && c->n_places < FT__PLACES_MOST; i++) {
		struct ft__asked_place *p = &c->place[c->n_places];

		make_place(c, i, p);
		if ((!c->options.admits || c->options.admits(c->options.ctx, &p->size)) &&
		    is_new(c, &p->size))
			c->n_places++;
	}
	status = c->n_places >= 2
			 ? FT_OK
			 : ft_fail(err, FT_EINVAL,
				   "fewer than two sizes of the ranges are admitted: there is no choice");
	if (status)
		ft_chooser_free(c);
	else
		*out = c;
	return status;
}

void ft_chooser_free(struct ft_chooser *chooser)
{
	if (!chooser)
		return;
	for (size_t j = 0; j < chooser->options.n_devices; j++) {
		ft_free(chooser->rival[j].seen);
		ft_model_free(chooser->rival[j].model);
	}
	ft_free(chooser->rival);
	ft_free(chooser);
}

/* ---- results --------------------------------------------------------------------------------------- */

static bool is_known(const struct ft__rival *rival, const struct ft_size *size)
{
	for (size_t i = 0; i < rival->n; i++)
		if (ft_size_equal(&rival->seen[i].size, size))
			return true;
	return false;
}

static bool is_measured(double value)
{
	return value > 0 && isfinite(value);
}

static enum ft_status check_run(const struct ft_chooser *c, const struct ft_chooser_run *run,
				struct ft_err *err)
{
	if (!is_measured(run->seconds))
		return ft_fail(err, FT_EINVAL, "a run took %g seconds", run->seconds);
	if (c->options.by_value && !is_measured(run->value))
		return ft_fail(err, FT_EINVAL, "the value to minimise is %g, of a run", run->value);
	if (c->options.watts > 0 && !is_measured(run->watts))
		return ft_fail(err, FT_EINVAL, "a run drew %g W", run->watts);
	return FT_OK;
}

enum ft_status ft_chooser_tell(struct ft_chooser *chooser, size_t device, const struct ft_size *size,
			       const struct ft_chooser_run *run, struct ft_err *err)
{
	struct ft__rival *rival;

	if (device >= chooser->options.n_devices || size->n != chooser->options.n_params)
		return ft_fail(err, FT_EINVAL, "there is no such device or size");
	rival = &chooser->rival[device];
	if (isnan(run->seconds)) {
		if (!rival->failed.n || ft_size_compare(size, &rival->failed) < 0)
			rival->failed = *size;
		return FT_OK;
	}
	if (check_run(chooser, run, err))
		return FT_EINVAL;
	struct ft__rival_run *grown = ft_grow(rival->seen, rival->n, &rival->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	rival->seen = grown;
	bool known = is_known(rival, size);
	rival->seen[rival->n++] =
		(struct ft__rival_run){*size,
				       {[FT__VALUE] = chooser->options.by_value ? run->value : run->seconds,
					[FT__SECONDS] = run->seconds,
					[FT__WATTS] = run->watts}};
	rival->sizes += !known;
	rival->stale = true;
	ft_model_free(rival->model);
	rival->model = NULL;
	chooser->spent_s += run->seconds;
	return FT_OK;
}

void ft_chooser_drop(struct ft_chooser *chooser, size_t device)
{
	chooser->rival[device].gone = true;
}

/* ---- the first runs -------------------------------------------------------------------------------------
 */

/* The least place that a device may be run at, above another one; n_places: there is none. */
static size_t place_above(const struct ft_chooser *c, const struct ft__rival *rival, double far)
{
	size_t best = c->n_places;

	for (size_t i = 0; i < c->n_places; i++)
		if (c->place[i].run && c->place[i].far > far && rival_may(rival, &c->place[i].size) &&
		    (best == c->n_places || c->place[i].far < c->place[best].far))
			best = i;
	return best;
}

/* The largest place up to first_far that surely ends in time; else the first above the least. */
static size_t second_place(const struct ft_chooser *c, const struct ft__rival *rival)
{
	const struct ft__rival_run *first = &rival->seen[0];
	double left = c->options.budget_s > 0
			      ? (c->options.budget_s - c->spent_s) / 2 / (double)c->options.n_devices
			      : INFINITY;
	size_t best = c->n_places;
	double least = -1;

	if (c->options.longest_s > 0)
		left = fmin(left, c->options.longest_s);
	for (size_t i = 0; i < c->n_places; i++) {
		double grown = 0;

		for (size_t k = 0; k < c->n_axes; k++)
			grown += log(c->place[i].size.value[c->axis[k]] / first->size.value[c->axis[k]]);
		if (ft_size_equal(&c->place[i].size, &first->size)) {
			least = c->place[i].far;
			continue;
		}
		if (c->place[i].run && grown > 0 && c->place[i].far <= first_far + 1e-9 &&
		    rival_may(rival, &c->place[i].size) &&
		    first->measured[FT__SECONDS] * exp(growth_most * grown) <= left &&
		    (best == c->n_places || c->place[i].far > c->place[best].far))
			best = i;
	}
	return best < c->n_places ? best : place_above(c, rival, fmax(least, 0));
}

/* Over several parameters a device is also run at a size along each of them, since models cannot separate
 * parameters that never varied alone. The k-th of these places; n_places: none can be run. */
static size_t place_along(const struct ft_chooser *c, const struct ft__rival *rival, size_t k)
{
	size_t best = c->n_places;
	double nearest = INFINITY;

	for (size_t i = 0; i < c->n_places; i++) {
		const struct ft__asked_place *p = &c->place[i];
		double off = 0;

		for (size_t j = 0; j < c->n_axes; j++) {
			const struct ft_space *space = &c->options.space[c->axis[j]];
			double share = p->at[j] / log(space->most / space->least);

			off += fabs(share - (j == k ? first_far : 0));
		}
		if (p->run && off < nearest && rival_may(rival, &p->size)) {
			nearest = off;
			best = i;
		}
	}
	return best;
}

static size_t first_sizes(const struct ft_chooser *c)
{
	return c->n_axes == 1 ? 2 : 2 + c->n_axes;
}

/* The first place of a device with too few sizes. */
static size_t first_place(const struct ft_chooser *c, const struct ft__rival *rival)
{
	if (!rival->sizes)
		return place_above(c, rival, -1);
	return c->n_axes > 1 && rival->sizes <= c->n_axes ? place_along(c, rival, rival->sizes - 1)
							  : second_place(c, rival);
}

/* A device with too few sizes to be compared, that with the fewest; false: there is none that may have more.
 */
static bool next_first(const struct ft_chooser *c, struct ft_chooser_next *next)
{
	size_t wanted = first_sizes(c), fewest = wanted, j, place;

	for (j = 0; j < c->options.n_devices; j++) {
		const struct ft__rival *rival = &c->rival[j];

		if (rival->gone || rival->sizes >= fewest ||
		    (c->options.points && rival->sizes >= c->options.points))
			continue;
		place = first_place(c, rival);
		if (place == c->n_places || is_known(rival, &c->place[place].size))
			continue;
		fewest = rival->sizes;
		*next = (struct ft_chooser_next){j, c->place[place].size, NAN, NAN};
	}
	return fewest < wanted;
}

/* ---- the next run -------------------------------------------------------------------------------------- */

static enum ft_status believe_stale(struct ft_chooser *c, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t j = 0; j < c->options.n_devices && !status; j++)
		if (c->rival[j].stale) {
			status = own_model(c, &c->rival[j], err);
			if (!status)
				status = rival_believe(c, &c->rival[j], NULL, c->rival[j].model,
						       &c->rival[j].belief, err);
			if (!status) {
				/* Seconds and watts at all places, once its belief is there. */
				const struct ft_chooser *chooser = c;

				if (chooser->options.by_value)
					status = typical_values(chooser, &c->rival[j], FT__SECONDS,
								c->rival[j].seconds, err);
				else
					for (size_t i = 0; i < chooser->n_places; i++)
						c->rival[j].seconds[i] = exp(c->rival[j].belief.mean[i]);
				if (!status && chooser->options.watts > 0)
					status = typical_values(chooser, &c->rival[j], FT__WATTS,
								c->rival[j].watts, err);
			}
			c->rival[j].stale = status != FT_OK;
		}
	return status;
}

/* How many devices have runs and exist. */
static size_t count_left(const struct ft_chooser *c)
{
	size_t n = 0;

	for (size_t j = 0; j < c->options.n_devices; j++)
		n += !c->rival[j].gone && c->rival[j].n;
	return n;
}

static double mean_loss(const struct ft_chooser *c)
{
	struct ft_standing standing[FT_DEVICES_MAX];
	double sum = 0, loss;

	for (size_t i = 0; i < c->n_places; i++) {
		(void)chooser_stand(c, i, standing, &loss);
		sum += loss;
	}
	return sum / (double)c->n_places;
}

/* Why no run is requested, when none has enough value. */
static enum ft_chooser_stop why_stopped(const struct ft_chooser *c)
{
	bool points = c->options.points > 0;

	for (size_t j = 0; j < c->options.n_devices; j++)
		points = points && (c->rival[j].gone || c->rival[j].sizes >= c->options.points);
	if (c->options.budget_s > 0 && c->spent_s >= c->options.budget_s / 2)
		return FT_CHOOSER_BUDGET;
	return points ? FT_CHOOSER_POINTS : FT_CHOOSER_UNREACHABLE;
}

enum ft_status ft_chooser_ask(struct ft_chooser *chooser, struct ft_chooser_next *next, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*next = (struct ft_chooser_next){.gain = NAN, .expected_s = NAN};
	if (chooser->options.budget_s > 0 && chooser->spent_s >= chooser->options.budget_s)
		chooser->stop = FT_CHOOSER_BUDGET;
	else if (next_first(chooser, next))
		return FT_OK;
	status = believe_stale(chooser, err);
	size_t left = count_left(chooser);
	if (status)
		return status;
	chooser->loss = left ? mean_loss(chooser) : (double)NAN;
	if (chooser->options.budget_s > 0 && chooser->spent_s >= chooser->options.budget_s)
		return FT_OK;
	if (left < 2) {
		chooser->stop = left ? FT_CHOOSER_ALONE : FT_CHOOSER_NONE;
		return FT_OK;
	}
	chooser->stop = FT_CHOOSER_DECIDED;
	if (chooser->loss <= log1p(chooser->options.tolerance))
		return FT_OK;
	status = chooser_weigh(chooser, next, err);
	if (!status && !next->size.n)
		chooser->stop = why_stopped(chooser);
	return status;
}

double ft_chooser_loss(const struct ft_chooser *chooser)
{
	return expm1(chooser->loss);
}

enum ft_chooser_stop ft_chooser_stop(const struct ft_chooser *chooser)
{
	return chooser->stop;
}

enum ft_status ft_chooser_at(struct ft_chooser *chooser, const struct ft_size *size,
			     struct ft_standing *standing, size_t *best, struct ft_err *err)
{
	enum ft_status status =
		count_left(chooser) ? FT_OK : ft_fail(err, FT_ENOMODEL, "no device has a run");

	for (size_t j = 0; j < chooser->options.n_devices && !status; j++)
		status = rival_at(chooser, &chooser->rival[j], size, &standing[j], err);
	if (!status)
		*best = ft_stand(standing, chooser->options.n_devices, NULL);
	return status;
}
