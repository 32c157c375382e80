/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chooser.c - which run of which device is made next, and when the choice between them is known well enough.
 */
#include "device/chooser.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* Each device is first run at the least size and at one so far up the range, in logarithms, as far as budget
 * and limit let it be believed to end in time: a time may grow with the third power. Over 200 made pairs
 * (seed 20260101), before models were doubted (doubt.c), the chosen one took 1.044 of the best with two sizes
 * each, and 1.007 with three; at 1/2 of the range 1.082 and 1.012, at 5/8 1.062 and 1.016. At 1/2 three
 * routines of bench/device/live were called decided at 1.47 to 1.65 of the best. */
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
	status = ft__chooser_places(c, err);
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
	for (size_t j = 0; j < chooser->options.n_devices; j++)
		ft_free(chooser->rival[j].seen);
	ft_free(chooser->rival);
	ft_free(chooser);
}

/* ---- what is told ---------------------------------------------------------------------------------------
 */

static bool is_smaller(const struct ft_size *a, const struct ft_size *b)
{
	return !b->n || ft_size_compare(a, b) < 0;
}

static bool is_known(const struct ft__rival *rival, const struct ft_size *size)
{
	for (size_t i = 0; i < rival->n; i++)
		if (ft_size_equal(&rival->seen[i].size, size))
			return true;
	return false;
}

static bool is_told(double value)
{
	return value > 0 && isfinite(value);
}

static enum ft_status check_run(const struct ft_chooser *c, const struct ft_chooser_run *run,
				struct ft_err *err)
{
	if (!is_told(run->seconds))
		return ft_fail(err, FT_EINVAL, "a run took %g seconds", run->seconds);
	if (c->options.by_value && !is_told(run->value))
		return ft_fail(err, FT_EINVAL, "the value to minimise is %g, of a run", run->value);
	if (c->options.watts > 0 && !is_told(run->watts))
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
		if (is_smaller(size, &rival->failed))
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
		if (c->place[i].run && c->place[i].far > far && ft__rival_may(rival, &c->place[i].size) &&
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
		    ft__rival_may(rival, &c->place[i].size) &&
		    first->told[FT__SECONDS] * exp(growth_most * grown) <= left &&
		    (best == c->n_places || c->place[i].far > c->place[best].far))
			best = i;
	}
	return best < c->n_places ? best : place_above(c, rival, fmax(least, 0));
}

/* Over several parameters a device is also run at a size along each of them: models know nothing of one that
 * never varied alone. The k-th of these places; n_places: there is none that may be run. */
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
		if (p->run && off < nearest && ft__rival_may(rival, &p->size)) {
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

/* Where a device is run first that has so few sizes. */
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

/* ---- what is asked --------------------------------------------------------------------------------------
 */

static enum ft_status believe_stale(struct ft_chooser *c, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t j = 0; j < c->options.n_devices && !status; j++)
		if (c->rival[j].stale) {
			status = ft__rival_believe(c, &c->rival[j], NULL, &c->rival[j].belief, err);
			if (!status)
				status = ft__rival_cost(c, &c->rival[j], err);
			c->rival[j].stale = status != FT_OK;
		}
	return status;
}

/* How many devices have runs and are there. */
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
		(void)ft__chooser_stand(c, i, standing, &loss);
		sum += loss;
	}
	return sum / (double)c->n_places;
}

/* Why nothing is asked, now that nothing is worth it. */
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
	status = ft__chooser_weigh(chooser, next, err);
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
		status = ft__rival_at(chooser, &chooser->rival[j], size, &standing[j], err);
	if (!status)
		*best = ft_stand(standing, chooser->options.n_devices, NULL);
	return status;
}
