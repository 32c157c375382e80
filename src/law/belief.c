/* SPDX-License-Identifier: GPL-3.0-or-later */
/* belief.c - a distribution over the logarithm of a value, in bins: quantiles, and its mode. */
#include "law/laws.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BINS = FT__LAW_BINS, NODES = 3 };

/* A normal error in three points (Gauss-Hermite). */
static const double node[NODES] = {-1.7320508075688772, 0, 1.7320508075688772};
static const double belief_share[NODES] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

double ft__law_error(double level, double noise)
{
	return fmin(hypot(level, noise), 5);
}

void ft__law_bin(struct ft__law_belief *belief)
{
	double low = INFINITY, high = -INFINITY;
	double total = 0;

	for (size_t i = 0; i < belief->n; i++)
		total += belief->weight[i];
	for (size_t i = 0; i < belief->n; i++)
		belief->weight[i] /= total;
	memset(belief->bin, 0, sizeof belief->bin);
	memset(belief->mean, 0, sizeof belief->mean);
	for (size_t i = 0; i < belief->n; i++) {
		double reach = node[NODES - 1] * belief->error[i];

		low = fmin(low, belief->ln[i] - reach);
		high = fmax(high, belief->ln[i] + reach);
	}
	belief->low = low;
	belief->width = fmax((high - low) / (BINS - 1), 1e-12);
	for (size_t i = 0; i < belief->n; i++)
		for (size_t j = 0; j < NODES; j++) {
			double at = belief->ln[i] + node[j] * belief->error[i];
			double part = belief->weight[i] * belief_share[j];
			size_t bin = (size_t)fmax((at - low) / belief->width, 0);

			bin = bin < BINS ? bin : BINS - 1;
			belief->bin[bin] += part;
			belief->mean[bin] += part * at;
		}
	for (size_t i = 0; i < BINS; i++)
		if (belief->bin[i] > 0)
			belief->mean[i] /= belief->bin[i];
}

/* How much of the belief lies below. */
static double belief_below(const struct ft__law_belief *belief, double at)
{
	double sum = 0;

	for (size_t i = 0; i < belief->n; i++) {
		double d = at - belief->ln[i], reach = 5 * belief->error[i];

		if (d >= reach)
			sum += belief->weight[i];
		else if (d > -reach)
			sum += belief->weight[i] * ft_normal_below(d / belief->error[i]);
	}
	return sum;
}

/* The bin in which the quantile lies brackets it; then regula falsi (Illinois) on the belief itself: bins are
 * too broad where one law has nearly all of it. */
double ft__law_quantile(const struct ft__law_belief *belief, double share_below)
{
	double fa, fb, sum = 0, tiny = 1e-10;
	size_t i;
	int side = 0;

	for (i = 0; i + 1 < BINS && sum + belief->bin[i] < share_below; i++)
		sum += belief->bin[i];
	double a = belief->low + ((double)i - 1) * belief->width;
	double b = belief->low + ((double)i + 2) * belief->width;
	while ((fa = belief_below(belief, a) - share_below) > 0)
		a -= 4 * (b - a);
	while ((fb = belief_below(belief, b) - share_below) < 0)
		b += 4 * (b - a);
	for (int round = 0; round < 60 && b - a > tiny && fb - fa > tiny; round++) {
		double c = (a * fb - b * fa) / (fb - fa), fc = belief_below(belief, c) - share_below;

		if (fc > 0) {
			b = c;
			fb = fc;
			fa *= side == 1 ? 0.5 : 1;
			side = 1;
		} else {
			a = c;
			fa = fc;
			fb *= side == -1 ? 0.5 : 1;
			side = -1;
		}
		if (fabs(fc) < 1e-9)
			return c;
	}
	return (a + b) / 2;
}

/* The value that most of the belief lies near: what is t counts max(0, 1 - |v/t - 1| / 0.2) for v (a tent, as
 * broad as the error that is called good). Sums over neighbours come from running sums of w and w / t: below
 * v the tent is 6 - 5 v/t, above it 5 v/t - 4. */
double ft__law_tent(const struct ft__law_belief *belief)
{
	double value[BINS], sum[BINS + 1] = {0}, over[BINS + 1] = {0}, best = 0, most = -1;
	size_t n = 0, from = 0, to = 0;

	for (size_t i = 0; i < BINS; i++)
		if (belief->bin[i] > 0) {
			value[n] = exp(belief->mean[i]);
			sum[n + 1] = sum[n] + belief->bin[i];
			over[n + 1] = over[n] + belief->bin[i] * value[0] / value[n];
			n++;
		}
	for (size_t i = 0; i < n; i++) {
		double slope = 5 * value[i] / value[0], near;

		while (value[i] > 1.2 * value[from])
			from++;
		while (to < n && value[i] > 0.8 * value[to])
			to++;
		near = 6 * (sum[i] - sum[from]) - slope * (over[i] - over[from]);
		near += slope * (over[to] - over[i]) - 4 * (sum[to] - sum[i]);
		if (near > most) {
			most = near;
			best = value[i];
		}
	}
	return best;
}

/*
 * The distribution of laws of one term: for each shape a grid over rho, the ratio of the constant to the
 * term at the largest size.
 */

enum { GRID = 20, ENOUGH = 8, ROUNDS = 7 };

/* Laws that are so many nats less likely than the best are left out; by the score, which is no more than a
 * guess of the evidence, only those that are farther below. */
static const double hopeless = 10, far = 20;

/* The constant is 1/100 of the term at the first size at least, or as much as can be seen there where that is
 * less, or none; and so is the term of the constant at the largest size: less than is seen may still grow. */
static const double least_share = 0.01;

/* The error of a mean, relative, by the best law. */
static double visible_share(const struct ft__law_data *data, const struct ft__law_best *best)
{
	double square = best->square + data->scatter + data->floor + data->supposed;

	return sqrt(square / fmax(data->total + data->extra - 2, 1) * (double)data->n / data->total);
}

/* If the shape is 0 at the first size, the second one bounds rho. For a falling shape the ends are
 * exchanged. */
static double least_rho(const double *g, double share)
{
	return share * fmin(g[0] > 0 ? g[0] : g[1], 1);
}

static double most_rho(const double *g, double share)
{
	return fmax(g[0], 1) / share;
}

/* How well ln rho is known: one standard deviation, from the law's slope in it. */
static double error_of(const struct ft__law_data *data, const double *g, double rho, double square)
{
	double mean = 0, sum = 0;

	for (size_t k = 0; k < data->n; k++) {
		data->r[k] = rho / (rho + g[k]);
		mean += data->count[k] * data->r[k];
	}
	mean /= data->total;
	for (size_t k = 0; k < data->n; k++)
		sum += data->count[k] * (data->r[k] - mean) * (data->r[k] - mean);
	return sqrt(square / fmax(data->total + data->extra - 2, 1) / fmax(sum, 1e-300));
}

/* Evidences on a grid between a and b, brought closer around those that matter. */
static void search_grid(const struct ft__law_data *data, double *a, double *b, struct ft__law_cells *cells)
{
	double low = *a, high = *b;

	for (int round = 0;; round++) {
		double step = (*b - *a) / GRID, top = -INFINITY, start = *a, ratio = exp(step);
		size_t first, last;

		for (size_t i = 0; i < GRID; i++)
			cells->part[0][i] = i ? cells->part[0][i - 1] * ratio : exp(start + step / 2);
		ft__law_evidence(data, cells);
		for (size_t i = 0; i < GRID; i++)
			top = cells->ln[i] > top ? cells->ln[i] : top; /* fmax is a call */
		if (ft__law_inside(cells->ln, GRID, top, &first, &last) >= ENOUGH || round == ROUNDS)
			return;
		*a = fmax(low, start + ((double)first - 1) * step);
		*b = fmin(high, start + ((double)last + 2) * step);
	}
}

/* What is known of one shape after a first look: at the best rho, and at 0. */
struct look {
	double rho, square;       /* the best law's */
	double with, without, ln; /* ln evidence; the better of both, with the prior */
};

static void prepare_cells(struct ft__law_cells *cells, size_t shape, size_t n)
{
	cells->terms = 1;
	cells->n = n;
	cells->shape[0] = (unsigned char)shape;
	for (size_t i = 0; i < n; i++)
		cells->part[1][i] = shape == FT__CONSTANT ? 0 : 1;
}

static struct look look_at_shape(const struct ft__law_data *data, size_t shape, double share,
				 const struct ft__law_best *best, struct ft__law_cells *cells)
{
	const double *g = ft__law_g(data, shape), most = most_rho(g, share);
	struct look look = {.square = best->square + data->scatter + data->floor + data->supposed};

	prepare_cells(cells, shape, 2);
	look.rho = best->c1 > 0 ? fmin(fmax(best->c0 / best->c1, least_rho(g, share)), most) : most;
	cells->part[0][0] = shape == FT__CONSTANT ? 1 : look.rho;
	cells->part[0][1] = shape == FT__CONSTANT ? 1 : g[0] > 0 ? 0 : least_rho(g, share);
	ft__law_evidence(data, cells);
	look.with = cells->ln[0];
	look.without = cells->ln[1];
	look.ln = fmax(look.with, look.without) + log(data->prior[shape]);
	return look;
}

static enum ft_status weigh_shape(const struct ft__law_data *data, size_t shape, double share,
				  const struct look *look, struct ft__law_cells *cells,
				  struct ft__law_points *points, struct ft_err *err)
{
	const double *g = ft__law_g(data, shape);
	double low = log(least_rho(g, share)), high = log(most_rho(g, share)), range = high - low;
	double prior = log(data->prior[shape]);
	double none = fmax(0.05, 1 - range / 20), centre, reach, a, b;

	prepare_cells(cells, shape, 1);
	cells->part[0][0] = shape == FT__CONSTANT ? 1 : g[0] > 0 ? 0 : least_rho(g, share);
	ft__law_evidence(data, cells);
	if (shape == FT__CONSTANT)
		return ft__law_points_take(points, data, cells, prior, err);
	FT_TRY(ft__law_points_take(points, data, cells, prior + log(none), err));
	centre = fmin(fmax(log(look->rho), low), high);
	reach = 7 * error_of(data, g, exp(centre), look->square);
	a = fmax(low, centre - reach);
	b = fmin(high, centre + reach);
	prepare_cells(cells, shape, GRID);
	search_grid(data, &a, &b, cells);
	return ft__law_points_take(points, data, cells, prior + log((1 - none) * (b - a) / GRID / range),
				   err);
}

enum ft_status ft__law_weigh(const struct ft__law_data *data, const struct ft__law_best *best,
			     struct ft__law_points *points, struct ft_err *err)
{
	struct look look[FT__LAW_ALL];
	struct ft__law_cells cells;
	double top = -INFINITY;
	enum ft_status status = FT_OK;
	size_t highest = 0;

	for (size_t i = 1; i < FT__LAW_ALL; i++)
		if (best[i].score > best[highest].score) /* -INFINITY where the shape does not exist */
			highest = i;
	double share = fmin(least_share, visible_share(data, &best[highest]));
	for (size_t i = 0; i < FT__LAW_ALL; i++) {
		look[i].ln = -INFINITY;
		if (isnan(data->scale[i]) || best[i].score < best[highest].score - far)
			continue;
		look[i] = look_at_shape(data, i, share, &best[i], &cells);
		top = fmax(top, look[i].ln);
	}
	for (size_t i = 0; i < FT__LAW_ALL && !status; i++)
		if (look[i].ln >= top - hopeless)
			status = weigh_shape(data, i, share, &look[i], &cells, points, err);
	return status;
}

/*
 * The distribution of laws of two common terms and a constant: over the logarithms of the second term's
 * ratio to the first, and of the constant's to both, at the largest size.
 *
 * Few sizes hardly separate a constant, a slower and a faster term: the likely region is a narrow ridge,
 * which a grid along the axes would mostly miss. But for each ratio of the terms the two are one shape, and
 * its best constant, with its uncertainty, has a closed form. So the ratio is scanned first, each with its
 * best constant, and refined; then the constant, around that best one.
 */

enum { RATIOS = 8, CONSTANTS = 6, PAIRS_ENOUGH = 5, PAIRS_ROUNDS = 6 };

/* ln of the constant over both terms; ln of the second over the first. Lower where the sizes span so much
 * that what is less at the largest still counts at the smallest. */
static const double lowest[2] = {-8, -6}, high[2] = {4, 6};

/* Pairs so many nats below the best pair are left out; how far constants are looked at on both sides of the
 * best one. */
static const double pairs_hopeless = 8, deviations = 5;

/* A pair, and what was found of its ratios. */
struct pair {
	unsigned char shape[2];
	double low[2];                          /* of the logarithms */
	double least, most;                     /* of the constant */
	double from, step;                      /* ln ratio */
	double ratio[RATIOS], constant[RATIOS]; /* the best one */
	double ln[RATIOS], square[RATIOS];      /* as of ft__law_cells */
	double top;                             /* of ln */
};

/* The least that is considered of a part: a third of the faster term at the smallest size. */
static double low_of(const struct ft__law_data *data, const struct pair *pair, size_t d)
{
	const double *fast = ft__law_g(data, pair->shape[0]);
	const double *part = ft__law_g(data, d ? pair->shape[1] : FT__CONSTANT);
	size_t k = fast[0] > 0 && part[0] > 0 ? 0 : 1;

	return fmin(lowest[d], log(fast[k] / part[k]) - 1);
}

/* Both terms as one shape, 1 at the largest size. */
static void join_shapes(const struct ft__law_data *data, const struct pair *pair, double ratio, double *g)
{
	const double *first = ft__law_g(data, pair->shape[0]), *second = ft__law_g(data, pair->shape[1]);

	for (size_t k = 0; k < data->n; k++)
		g[k] = (first[k] + ratio * second[k]) / (1 + ratio);
}

/* The constant that goes best with a shape: least squares of relative errors. */
static double best_constant(const struct ft__law_data *data, const struct pair *pair, const double *g)
{
	double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0;

	for (size_t k = 0; k < data->n; k++) {
		double w = data->weight[k], wg = w * g[k], m = data->mean[k];

		s += w;
		sg += wg;
		sgg += wg * g[k];
		sm += w * m;
		sgm += wg * m;
	}
	double c1 = s * sgm - sg * sm;
	double c0 = sm * sgg - sg * sgm;
	double rho = c0 <= 0 ? 0 : c1 > 0 ? c0 / c1 : INFINITY;
	return rho < pair->least ? pair->least : rho > pair->most ? pair->most : rho;
}

/* One standard deviation of its logarithm. */
static double pairs_error_of(const struct ft__law_data *data, const double *g, double rho, double square)
{
	double mean = 0, sum = 0;

	for (size_t k = 0; k < data->n; k++) {
		double z = rho / (rho + g[k]);

		mean += data->count[k] * z;
		sum += data->count[k] * z * z;
	}
	sum -= mean * mean / data->total;
	return sqrt(square / fmax(data->total + data->extra - 2, 1) / fmax(sum, 1e-300));
}

static void set_cell(struct ft__law_cells *cells, size_t i, double constant, double ratio)
{
	cells->part[0][i] = constant * (1 + ratio);
	cells->part[1][i] = 1;
	cells->part[2][i] = ratio;
}

static void pairs_prepare_cells(struct ft__law_cells *cells, const struct pair *pair, size_t n)
{
	cells->terms = 2;
	cells->n = n;
	cells->shape[0] = pair->shape[0];
	cells->shape[1] = pair->shape[1];
}

/* Bring the ratios closer around those that matter. */
static void focus_ratios(const struct ft__law_data *data, struct pair *pair, struct ft__law_cells *cells)
{
	double to = high[1];

	pair->low[0] = low_of(data, pair, 0);
	pair->low[1] = low_of(data, pair, 1);
	pair->least = exp(pair->low[0]);
	pair->most = exp(high[0]);
	pair->from = pair->low[1];
	for (int round = 0;; round++) {
		size_t first, last;
		double from = pair->from;

		pair->step = (to - from) / RATIOS;
		/* Each ratio between two ends with its best constant. */
		double ratio = exp(pair->from + pair->step / 2), factor = exp(pair->step);

		pairs_prepare_cells(cells, pair, RATIOS);
		pair->top = -INFINITY;
		for (size_t i = 0; i < RATIOS; i++, ratio *= factor) {
			join_shapes(data, pair, ratio, data->r);
			pair->constant[i] = best_constant(data, pair, data->r);
			pair->ratio[i] = ratio;
			set_cell(cells, i, pair->constant[i], ratio);
		}
		ft__law_evidence(data, cells);
		for (size_t i = 0; i < RATIOS; i++) {
			pair->ln[i] = cells->ln[i];
			pair->square[i] = cells->square[i];
			pair->top = pair->ln[i] > pair->top ? pair->ln[i] : pair->top; /* fmax is a call */
		}
		if (ft__law_inside(pair->ln, RATIOS, pair->top, &first, &last) >= PAIRS_ENOUGH ||
		    round == PAIRS_ROUNDS)
			return;
		pair->from = fmax(pair->low[1], from + ((double)first - 1) * pair->step);
		to = fmin(high[1], from + ((double)last + 2) * pair->step);
	}
}

/* Around the best constant of each ratio that matters. */
static enum ft_status weigh_ratios(const struct ft__law_data *data, const struct pair *pair, double prior,
				   struct ft__law_cells *cells, struct ft__law_points *points,
				   struct ft_err *err)
{
	double width[RATIOS]; /* ln of what a cell of the ratio stands for */
	size_t n = 0, rows = 0;

	for (size_t i = 0; i < RATIOS; i++) {
		if (pair->ln[i] < pair->top - FT__LAW_NEGLIGIBLE)
			continue;
		join_shapes(data, pair, pair->ratio[i], data->r);
		double centre = log(pair->constant[i]);
		double reach = deviations * pairs_error_of(data, data->r, pair->constant[i], pair->square[i]);
		double a = fmax(pair->low[0], centre - reach);
		double b = fmin(high[0], centre + reach);
		double constant = exp(a + (b - a) / (2 * CONSTANTS));
		double factor = exp((b - a) / CONSTANTS);
		for (size_t j = 0; j < CONSTANTS; j++, constant *= factor)
			set_cell(cells, n++, constant, pair->ratio[i]);
		width[rows++] = log((b - a) / CONSTANTS);
	}
	pairs_prepare_cells(cells, pair, n);
	ft__law_evidence(data, cells);
	for (size_t i = 0; i < n; i++)
		cells->ln[i] += width[i / CONSTANTS];
	prior += log(pair->step / (high[1] - pair->low[1]) / (high[0] - pair->low[0]));
	return ft__law_points_take(points, data, cells, prior, err);
}

enum ft_status ft__law_weigh_pairs(const struct ft__law_data *data, struct ft__law_points *points,
				   struct ft_err *err)
{
	struct ft__law_choice choice = {.terms = 2};
	struct pair pair[FT__LAW_PAIRS];
	struct ft__law_cells cells;
	enum ft_status status = FT_OK;
	double top = -INFINITY;
	size_t n = 0;

	for (size_t k = 0; k < data->n; k++)
		data->weight[k] = data->count[k] / (data->mean[k] * data->mean[k]);
	while (ft__law_choose(data, &choice)) {
		pair[n].shape[0] = choice.shape[0];
		pair[n].shape[1] = choice.shape[1];
		focus_ratios(data, &pair[n], &cells);
		top = fmax(top, pair[n++].top);
	}
	for (size_t i = 0; i < n && !status; i++)
		if (pair[i].top >= top - pairs_hopeless)
			status = weigh_ratios(data, &pair[i], -log((double)n), &cells, points, err);
	return status;
}

/*
 * The distribution of laws of three common terms and a constant: a grid over the logarithms of their shares
 * at the largest size.
 */

enum {
	DIMENSIONS = FT_LAW_MIXED,
	TERMS_ROUNDS = 5,
	TERMS_ENOUGH = 24,
	COARSE_ROUNDS = 2,
	COARSE_ENOUGH = 6,
	FINE = 6,
	COARSE = 4
};

/* ln of the constant over all terms; ln of each term over the first, at the largest size. Lower where the
 * sizes span so much that what is less there still counts at the smallest one. */
static const double terms_lowest[DIMENSIONS] = {-8, -6, -6}, terms_high[DIMENSIONS] = {4, 6, 6};

/* On the coarse grid, a choice of shapes whose cells stay so many nats below the best point is not looked at
 * more closely. */
static const double terms_hopeless = 40;

struct grid {
	size_t side; /* cells in each dimension; as many dimensions as terms */
	double low[DIMENSIONS], from[DIMENSIONS], step[DIMENSIONS];
	double top;
	struct ft__law_cells cells;
};

/* Cell i stands at digit d of i, in base side, in dimension d. */
static void evaluate(const struct ft__law_data *data, struct grid *grid)
{
	double at[DIMENSIONS][FINE];
	struct ft__law_cells *cells = &grid->cells;
	size_t i, d, j, digit[DIMENSIONS] = {0};

	assert(cells->terms >= 1 && cells->terms <= DIMENSIONS && grid->side >= 1 && grid->side <= FINE);
	for (d = 0; d < cells->terms; d++) {
		double ratio = exp(grid->step[d]);

		at[d][0] = exp(grid->from[d] + grid->step[d] / 2);
		for (j = 1; j < grid->side; j++)
			at[d][j] = at[d][j - 1] * ratio;
	}
	for (i = 0; i < cells->n; i++) {
		double sum = 1;

		for (d = 1; d < cells->terms; d++) {
			cells->part[d + 1][i] = at[d][digit[d]];
			sum += cells->part[d + 1][i];
		}
		cells->part[1][i] = 1;
		cells->part[0][i] = at[0][digit[0]] * sum; /* over all terms */
		for (d = 0; ++digit[d] == grid->side && d + 1 < cells->terms; d++)
			digit[d] = 0;
	}
	ft__law_evidence(data, cells);
	grid->top = -INFINITY;
	for (i = 0; i < cells->n; i++)
		grid->top = cells->ln[i] > grid->top ? cells->ln[i] : grid->top; /* fmax is a call */
}

/* Bring the grid closer around the cells that matter; false: it is close enough. */
static bool focus_grid(struct grid *grid, size_t enough)
{
	size_t side = grid->side, i, d, inside = 0, first[DIMENSIONS], last[DIMENSIONS] = {0};
	const struct ft__law_cells *cells = &grid->cells;
	bool closer = false;

	for (d = 0; d < cells->terms; d++)
		first[d] = side;
	for (i = 0; i < cells->n; i++) {
		size_t rest = i;

		if (cells->ln[i] < grid->top - FT__LAW_NEGLIGIBLE)
			continue;
		inside++;
		for (d = 0; d < cells->terms; d++, rest /= side) {
			first[d] = rest % side < first[d] ? rest % side : first[d];
			last[d] = rest % side > last[d] ? rest % side : last[d];
		}
	}
	if (inside >= enough)
		return false;
	for (d = 0; d < cells->terms; d++) {
		double from = fmax(grid->low[d], grid->from[d] + ((double)first[d] - 1) * grid->step[d]);
		double to = fmin(terms_high[d], grid->from[d] + ((double)last[d] + 2) * grid->step[d]);
		double step = (to - from) / (double)side;

		closer |= step < 0.95 * grid->step[d];
		grid->from[d] = from;
		grid->step[d] = step;
	}
	return closer;
}

static enum ft_status weigh_grid(const struct ft__law_data *data, struct grid *grid, int rounds,
				 size_t enough, double prior, struct ft__law_points *points,
				 struct ft_err *err)
{
	const size_t terms = grid->cells.terms;

	assert(terms <= DIMENSIONS);
	for (size_t d = 0; d < terms; d++) {
		/* The least that is considered of a part: a third of the fastest term at the smallest size. */
		const double *fast = ft__law_g(data, grid->cells.shape[0]);
		const double *part = ft__law_g(data, d ? grid->cells.shape[d] : FT__CONSTANT);
		size_t k = fast[0] > 0 && part[0] > 0 ? 0 : 1;

		grid->low[d] = fmin(terms_lowest[d], log(fast[k] / part[k]) - 1);
		grid->from[d] = grid->low[d];
		grid->step[d] = (terms_high[d] - grid->low[d]) / (double)grid->side;
	}
	evaluate(data, grid);
	for (int round = 0; round < rounds && focus_grid(grid, enough); round++) {
		if (rounds == COARSE_ROUNDS && points->n && grid->top + prior < points->top - terms_hopeless)
			break;
		evaluate(data, grid);
	}
	for (size_t d = 0; d < terms; d++)
		prior += log(grid->step[d] / (terms_high[d] - grid->low[d]));
	return ft__law_points_take(points, data, &grid->cells, prior, err);
}

enum ft_status ft__law_weigh_terms(const struct ft__law_data *data, size_t terms, bool is_coarse,
				   struct ft__law_points *points, struct ft_err *err)
{
	struct ft__law_choice choice = {.terms = terms};
	enum ft_status status = FT_OK;
	struct grid grid;
	size_t i, choices = 0;

	if (terms < DIMENSIONS)
		return ft__law_weigh_pairs(data, points, err);
	grid.side = is_coarse ? COARSE : FINE;
	grid.cells.terms = terms;
	for (grid.cells.n = 1, i = 0; i < terms; i++)
		grid.cells.n *= grid.side;
	while (ft__law_choose(data, &choice))
		choices++;
	choice = (struct ft__law_choice){.terms = terms};
	while (!status && ft__law_choose(data, &choice)) {
		for (i = 0; i < terms; i++)
			grid.cells.shape[i] = choice.shape[i];
		status = weigh_grid(data, &grid, is_coarse ? COARSE_ROUNDS : TERMS_ROUNDS,
				    is_coarse ? COARSE_ENOUGH : TERMS_ENOUGH, -log((double)choices), points,
				    err);
	}
	return status;
}
