/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scatter.c - the distribution of single runs about the typical one: the residuals of all runs, shrunk to
 * a t law by mixing it in as pseudo-observations. */
#include "base/alloc.h"
#include "facts/door.h"
#include "model/model.h"
#include "num/num.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Run-to-run variation at one size: from recorded programs, and from the program's own runs.
 *
 * Deviations of programs differ by factors, so that their logarithms are taken as normal, and pooled with
 * those of the runs. By an inverse gamma law, which is pooled in squares, the prior of a noisy kind of
 * program would hide a quiet one until some hundred runs are there.
 */

/* bench/noise prints what these are chosen by; doc/constants-build.md has the row of a table for each. */
static const double usual_of[FT_CLASSES] = {0.03, 0.02, 0.002, 0.05}; /* on an idle machine */
static const double busy = 0.12,
		    busy_power = 0.25; /* one second with one task of other processes per processor */
static const double load_unknown = 0.5, seconds_unknown = 1;
static const double program_spread = 1; /* deviation of ln of the deviation, among programs */
static const double usual_most = 1;

double ft__noise_usual(enum ft_resource_class of, double seconds, double load)
{
	double length = seconds > 0 ? fmin(fmax(seconds, 1e-3), 1e3) : seconds_unknown;
	double others = load >= 0 ? fmin(load, 1) : load_unknown;
	bool disturbed = of == FT_CLASS_TIME || of == FT_CLASS_ENERGY;

	if (!disturbed)
		return usual_of[of];
	return fmin(hypot(usual_of[of], others * busy * pow(length, -busy_power)), usual_most);
}

/* The mode of the logarithm of the deviation, by Newton's steps, and its curvature there (Laplace). */
struct ft__noise ft__noise_known(double usual, double seen, double freedom)
{
	enum { STEPS = 20 };
	double from = log(usual), h = from, weight = 1 / (program_spread * program_spread),
	       curvature = weight;

	if (!(seen > 0) || !(freedom > 0))
		return (struct ft__noise){usual, program_spread};
	if (freedom > 1)
		h = log(seen);
	for (int i = 0; i < STEPS; i++) {
		double squares = freedom * seen * seen * exp(-2 * h), step;

		curvature = weight + 2 * squares;
		step = (squares - freedom - weight * (h - from)) / curvature;
		h += fmax(-1, fmin(step, 1));
		if (fabs(step) < 1e-9)
			break;
	}
	return (struct ft__noise){exp(h), 1 / sqrt(curvature)};
}

double ft__noise_stretch(double spread, double confidence)
{
	/* Gauss and Hermite's nodes, and weights of a normal law (Abramowitz and Stegun, table 25.10). */
	static const double node[7] = {-3.750439717725742, -2.366759410734541, -1.154405394739968, 0,
				       1.154405394739968,  2.366759410734541,  3.750439717725742};
	static const double weight[7] = {5.482688559722187e-4, 3.075712396758651e-2, 2.401231786050127e-1,
					 4.571428571428571e-1, 2.401231786050127e-1, 3.075712396758651e-2,
					 5.482688559722187e-4};
	static const double zero[7] = {0};
	double deviation[7], p = (1 + confidence) / 2;

	if (spread < 1e-3)
		return 1;
	for (int i = 0; i < 7; i++)
		deviation[i] = exp(spread * node[i]);
	return ft_normals_quantile(zero, deviation, weight, 7, p) / ft_normal_quantile(p);
}

/*
 * The variance between runs of one size at different times.
 */

/* Sums of squares of ln value over all sizes, and their degrees of freedom. */
struct visits {
	double within, within_freedom;   /* about the means of visits */
	double between, between_freedom; /* of the means of visits about those of sizes */
	double held, held_freedom;       /* about the means of sizes */
	double repeats;
};

/* A run, and how often the size changed before it in the order of measurement. */
struct run {
	const struct ft_observation *o;
	size_t visit;
	double ln;
};

static int compare_runs(const void *a, const void *b)
{
	const struct run *p = a, *q = b;
	int by_size = ft_size_compare(&p->o->size, &q->o->size);

	return by_size ? by_size : (p->visit > q->visit) - (p->visit < q->visit);
}

static double drift_of(const struct visits *visits)
{
	double within, held, between;

	if (visits->between_freedom < 2 || visits->within_freedom < 2)
		return 0;
	within = visits->within / visits->within_freedom;
	held = visits->held / visits->held_freedom;
	between = fmax(0, visits->between / visits->between_freedom - within) * visits->between_freedom /
		  visits->repeats;
	return fmax(0, within + between - held);
}

static int compare_ln(const void *a, const void *b)
{
	const struct run *p = a, *q = b;

	return (p->ln > q->ln) - (p->ln < q->ln);
}

/* The runs [n] of one size without spikes: these come at any time. Returns how many are left, first. */
static size_t without_spikes(struct run *run, size_t n)
{
	qsort(run, n, sizeof *run, compare_ln);
	double most = run[(n - 1) / 2].ln + log(FT__SPIKE_RATIO);
	while (run[n - 1].ln > most)
		n--;
	qsort(run, n, sizeof *run, compare_runs);
	return n;
}

static double squares_of(const struct run *run, size_t n)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += run[i].ln / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (run[i].ln - mean) * (run[i].ln - mean);
	return sum;
}

/* The runs [n] of one size, in the order of measurement. */
static void add_size(struct visits *visits, const struct run *run, size_t n)
{
	size_t from = 0, n_visits = 0;
	double within = 0;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && run[i].visit == run[from].visit)
			continue;
		within += squares_of(run + from, i - from);
		n_visits++;
		from = i;
	}
	/* One size: the sum of squares of its runs about their mean, and about those of visits. */
	double scatter = squares_of(run, n);
	visits->within += within;
	visits->within_freedom += (double)(n - n_visits);
	visits->held += scatter;
	visits->held_freedom += (double)(n - 1);
	if (n_visits < 2)
		return;
	visits->between += fmax(0, scatter - within);
	visits->between_freedom += (double)(n_visits - 1);
	/* Runs that the mean square between visits counts a visit's effect for; visits are taken to be of
	 * equal length. */
	visits->repeats += (double)(n_visits - 1) * (double)n / (double)n_visits;
}

enum ft_status ft__visits_drift(const struct ft_observation *measured, size_t n, double offset, double *drift,
				struct ft_err *err)
{
	struct run *run = ft_calloc(n, sizeof *run);
	struct visits visits = {0};
	size_t from = 0, all = n, visit = 0;

	*drift = 0;
	if (!run)
		return ft_nomem(err);
	for (size_t i = n = 0; i < all; i++) {
		visit += i && !ft_size_equal(&measured[i].size, &measured[i - 1].size);
		if (!measured[i].censored)
			run[n++] = (struct run){&measured[i], visit, log(measured[i].value + offset)};
	}
	qsort(run, n, sizeof *run, compare_runs);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && ft_size_equal(&run[i].o->size, &run[from].o->size))
			continue;
		add_size(&visits, run + from, without_spikes(run + from, i - from));
		from = i;
	}
	*drift = drift_of(&visits);
	ft_free(run);
	return FT_OK;
}

/*
 * Runs come in batches: an hour's, a node's, a user's. Times and energies of one batch share a level
 * (background load, speed of the node, size of the data), which its runs do not reveal and another batch
 * does not have.
 *
 * Sizes that were run in several batches determine the variance between them, in addition to that of runs in
 * one batch: the analysis of variance of unequal groups, over all sizes. It is shrunk to a stated one. With
 * B batches of that variance v, the mean level is known to v / B; the noise of single runs holds (B - 1) / B
 * of v, and a future run's batch all of it: 2 v / B is added to its variance.
 *
 * Of hours, nodes and users the one with the largest uncertainty, v / B, is used. Their variances are not
 * added: where each node had an hour of its own, both see the same differences.
 *
 * Source: Searle, Casella and McCulloch, Variance Components, 1992, sec. 3.6 (unbalanced one-way
 * classification).
 */

/* A batch ends when no run begins for this long. */
static const double apart_s = 3600;

/* Standard deviation between batches before there are two: as between sessions of bench/verify on an idle
 * machine (doc/constants-answers.md, other_session). It has the weight of this many batches. */
static const double stated = 0.025, stated_weight = 1;

enum { LOOKED_AT = 20000 };

struct batched {
	const struct ft_observation *o;
	int64_t key; /* when it began, or its node, or its user; 0: not known */
	size_t batch;
};

static int compare_keys(const void *a, const void *b)
{
	const struct batched *p = a, *q = b;

	return (p->key > q->key) - (p->key < q->key);
}

static int compare_members(const void *a, const void *b)
{
	const struct batched *p = a, *q = b;
	int by_size = ft_size_compare(&p->o->size, &q->o->size);

	if (by_size)
		return by_size;
	if (p->batch != q->batch)
		return p->batch < q->batch ? -1 : 1;
	return (p->o > q->o) - (p->o < q->o);
}

/* Sums over sizes. */
struct sums {
	double between, between_freedom, within, within_freedom, weight;
};

/* The members [n] of one size, by batch. */
static void batches_add_size(struct sums *sums, const struct batched *m, size_t n, double offset)
{
	double mean = 0, squares = 0, between = 0, groups = 0;
	size_t to;

	for (size_t i = 0; i < n; i++)
		mean += log(m[i].o->value + offset) / (double)n;
	for (size_t from = 0; from < n; from = to) {
		double own = 0;

		for (to = from; to < n && m[to].batch == m[from].batch; to++)
			own += log(m[to].o->value + offset);
		double count = (double)(to - from);
		own /= count;
		for (size_t i = from; i < to; i++)
			sums->within += pow(log(m[i].o->value + offset) - own, 2);
		sums->within_freedom += count - 1;
		between += count * (own - mean) * (own - mean);
		squares += count * count;
		groups++;
	}
	sums->between += between;
	sums->between_freedom += groups - 1;
	sums->weight += (double)n - squares / (double)n;
}

/* Batches of one kind; m: [n] with keys. They replace those of *out where they leave more doubt. */
static void find_kind(struct batched *m, size_t n, enum ft_batch kind, double offset, bool records,
		      struct ft_batches *out)
{
	struct ft_batches found = {0};
	struct sums sums = {0};
	double variance = stated * stated;
	size_t i, from;

	qsort(m, n, sizeof *m, compare_keys);
	if (m[0].key <= 0)
		return;
	for (i = 1, m[0].batch = 0; i < n; i++)
		m[i].batch = m[i - 1].batch + (kind == FT_BATCH_HOURS
						       ? (double)(m[i].key - m[i - 1].key) > apart_s * 1e9
						       : m[i].key != m[i - 1].key);
	found.n = out->count[kind] = m[n - 1].batch + 1;
	if (kind == FT_BATCH_HOURS)
		out->span_s = (double)(m[n - 1].key - m[0].key) / 1e9;
	qsort(m, n, sizeof *m, compare_members);
	for (i = 1, from = 0; i <= n; i++)
		if (i == n || !ft_size_equal(&m[i].o->size, &m[from].o->size)) {
			batches_add_size(&sums, m + from, i - from, offset);
			from = i;
		}
	double freedom = fmin(sums.between_freedom, (double)found.n - 1);
	found.learned = freedom >= 1 && sums.within_freedom >= 1 && sums.weight > 0;
	if (found.learned) {
		double own = sums.within / sums.within_freedom;
		double seen = fmax(0, sums.between - sums.between_freedom * own) / sums.weight;

		variance = (stated_weight * variance + freedom * seen) / (stated_weight + freedom);
	}
	if (found.n > 1 || records)
		found.doubt = variance / (double)found.n;
	if (out->n && !(found.doubt > out->doubt))
		return;
	found.of = kind;
	found.deviation = sqrt(variance);
	found.span_s = out->span_s;
	memcpy(found.count, out->count, sizeof found.count);
	*out = found;
}

enum ft_status ft__batches_find(const struct ft_observation *observation, size_t n, double offset,
				bool records, struct ft_batches *out, struct ft_err *err)
{
	size_t step = (n + LOOKED_AT - 1) / LOOKED_AT, i, kept = 0;
	struct batched *m = ft_calloc(n / (step ? step : 1) + 1, sizeof *m);

	*out = (struct ft_batches){0};
	if (!m)
		return ft_nomem(err);
	for (i = 0; i < n; i += step)
		if (!observation[i].censored)
			m[kept++].o = &observation[i];
	for (enum ft_batch kind = 0; kept && kind < FT_BATCH_N; kind++) {
		for (i = 0; i < kept; i++)
			m[i].key = kind == FT_BATCH_HOURS   ? m[i].o->when_ns
				   : kind == FT_BATCH_NODES ? m[i].o->node
							    : m[i].o->user;
		find_kind(m, kept, kind, offset, records, out);
	}
	ft_free(m);
	return FT_OK;
}

void ft__batches_widen(const struct ft_batches *batches, double offset, double confidence,
		       struct ft_prediction *p)
{
	double typical = log(p->value + offset), far;

	if (!(batches->doubt > 0) || !(p->value + offset > 0))
		return;
	/* The variance of few batches is uncertain: of B - 1 of them, and the stated one. */
	far = sqrt(batches->doubt) * (batches->learned ? ft_student_t(confidence, (double)batches->n)
						       : ft_normal_quantile((1 + confidence) / 2));
	if (!isnan(p->known))
		p->known = expm1(hypot(log1p(p->known), far));
	far *= sqrt(2);
	if (p->lower + offset > 0)
		p->lower =
			fmin(p->value,
			     fmax(0, exp(typical - hypot(typical - log(p->lower + offset), far)) - offset));
	if (p->upper + offset > 0)
		p->upper = fmax(
			p->value,
			fmin(1e300, exp(typical + hypot(log(p->upper + offset) - typical, far)) - offset));
}

/*
 * Calibration of stated errors: a quantile of misses, weighted by how near they are.
 */

/* doc/constants.md has the row of a table for each. */
static const double quantile = 0.85, normal = 1.44, most = 3; /* of misses; that of a normal law */
static const double reach = 0.135;                            /* of the range, as that of scatter */
static const double pseudo_weight = 0.4;                      /* of each miss not yet seen */
enum { PSEUDO = 6, WEIGHTS = 512 };

static int compare_misses(const void *a, const void *b)
{
	const struct ft__miss *p = a, *q = b;

	return (p->miss > q->miss) - (p->miss < q->miss);
}

void ft__misses_sort(struct ft__miss *miss, size_t n)
{
	qsort(miss, n, sizeof *miss, compare_misses);
}

static double weight_of(const struct ft__miss *miss, double at, double range)
{
	return exp(-fabs(miss->at - at) / (reach * range));
}

/* Misses that were seen and those that were not, .1, .4, .7 ..., merged: the value of a rank. */
double ft__caution(const struct ft__miss *miss, size_t n, double at, double range, double least)
{
	double left = PSEUDO * pseudo_weight, at_rank = 0;
	double weight[WEIGHTS]; /* of the first ones, which are needed twice */
	size_t j = 0;

	for (size_t i = 0; i < n; i++) {
		const double one = weight_of(&miss[i], at, range);

		left += one;
		if (i < WEIGHTS)
			weight[i] = one;
	}
	left *= quantile;
	for (size_t i = 0; left >= 0 && (i < n || j < PSEUDO);) {
		double pseudo = j < PSEUDO ? 0.1 + 0.3 * (double)j : INFINITY;

		if (i < n && miss[i].miss <= pseudo) {
			at_rank = miss[i].miss;
			left -= i < WEIGHTS ? weight[i] : weight_of(&miss[i], at, range);
			i++;
		} else {
			at_rank = pseudo;
			left -= pseudo_weight;
			j++;
		}
	}
	return fmin(fmax(at_rank / normal, least), most);
}

/*
 * The distribution of single runs about the typical one: the residuals of all runs, shrunk to a t law by
 * mixing it in as pseudo-observations.
 */

/* The weight, in runs, of the t law, of five degrees of freedom, that residuals are shrunk to. */
static const double prior_runs = 20;

/* Between residuals farther apart than this nothing is assumed: a spike is one, or none. */
static const double gap_most = 1;

/* A site whose own runs determine most of its prediction says little about their noise. */
static const double leverage_most = 0.85;

/* A spike exceeds the typical run by this many deviations, and by FT__SPIKE_RATIO; two of them count as a
   kind. */
static const double spike_scatters = 6;
enum { SPIKES_LEAST = 2, BISECTIONS = 50 };

/* Residuals that represent one run that met a limit. */
enum { LIMIT_PARTS = 5 };
static const double freedom = 5;
static const double spike_rate_most = 0.1;

/* No quantile is requested farther out than this. The error after a Newton step is about its square. */
static const double far = 60, settled = 1e-7;

struct residual {
	double value, count, ratio;
};

static int compare_residuals(const void *a, const void *b)
{
	const struct residual *p = a, *q = b;

	return (p->value > q->value) - (p->value < q->value);
}

static size_t collect_residuals(const struct ft__site *first, const struct ft__known *known_of, size_t sites,
				struct residual *out)
{
	size_t n = 0;

	for (size_t i = 0; i < sites; i++) {
		const struct ft__site *site = &first[i];
		struct ft__known known = known_of[i];

		for (size_t k = 0; k < site->n; k++) {
			const struct ft__run_value *value = &site->value[k];
			double at[LIMIT_PARTS] = {value->z - site->base - known.z};
			double pull = fmin(value->weight * known.variance / known.scatter, 1);
			double scale = sqrt(known.scatter * (1 - fmin(pull, leverage_most)));
			size_t part, parts = isinf(value->limit) ? 1 : LIMIT_PARTS;

			if (pull >= leverage_most)
				continue;
			if (parts > 1) {
				/* A run that met a limit lies anywhere above it: as quantiles of the t law there, in equal parts. off: of the
				 * limit from the curve. */
				double off = value->limit - site->base - known.z;
				double s = sqrt(known.scatter),
				       above = fmax(ft_student_above(off / s, freedom), DBL_EPSILON);

				for (size_t j = 0; j < LIMIT_PARTS; j++) {
					double p = above * (1 - (double)(2 * j + 1) / (2 * LIMIT_PARTS));
					double t = ft_student_t(1 - 2 * fmin(p, 1 - p), freedom);

					at[j] = fmax(off, p < 0.5 ? s * t : -s * t);
				}
			}
			for (part = 0; part < parts; part++)
				out[n++] = (struct residual){at[part] / scale,
							     value->count * (1 - pull) / (double)parts,
							     exp(fmin(at[part], FT__LN_MOST))};
		}
	}
	qsort(out, n, sizeof *out, compare_residuals);
	return n;
}

static void find_spikes(struct ft__scatter *scatter, const struct residual *r, size_t n)
{
	double spikes = 0;
	size_t i = n;

	while (i && r[i - 1].value > spike_scatters && r[i - 1].ratio > FT__SPIKE_RATIO)
		spikes += r[--i].count;
	size_t first = i;
	if (spikes < SPIKES_LEAST - 0.5 || /* each counts a little less than one */
	    spikes > spike_rate_most * scatter->runs)
		return;
	scatter->spike_rate = spikes / scatter->runs;
	scatter->spike_ratio = r[first + (n - first) / 2].ratio;
}

/* Few are kept as they are, many are reduced to quantiles. alike: each stands for a run. */
static void keep_residuals(struct ft__scatter *scatter, const struct residual *r, size_t n, bool alike)
{
	double below = 0;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		scatter->runs += r[i].count;
	if (n <= FT__RESIDUALS && alike) {
		for (size_t i = 0; i < n; i++)
			scatter->residual[i] = r[i].value;
		scatter->n = n;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		below += r[i].count;
		double next = ((double)kept + 0.5) / FT__RESIDUALS * scatter->runs;
		while (kept < FT__RESIDUALS && below >= next) {
			scatter->residual[kept++] = r[i].value;
			next = ((double)kept + 0.5) / FT__RESIDUALS * scatter->runs;
		}
	}
	scatter->n = kept;
}

enum ft_status ft__scatter_learn(struct ft__scatter *scatter, const struct ft__site *site,
				 const struct ft__known *known, size_t sites, struct ft_err *err)
{
	size_t n = 0, limits = 0;

	*scatter = (struct ft__scatter){0};
	for (size_t i = 0; i < sites; i++) {
		n += site[i].n + (LIMIT_PARTS - 1) * site[i].limits;
		limits += site[i].limits;
	}
	/* One run of a site is lost to the curve to the extent that the curve follows them. */
	double ln_usual = 0, runs = 0;

	for (size_t i = 0; i < sites; i++) {
		double weight = 0;

		for (size_t k = 0; k < site[i].n; k++)
			weight += site[i].value[k].weight * site[i].value[k].count;
		scatter->freedom +=
			(double)site[i].runs - fmin(1, weight * known[i].variance / known[i].scatter);
		ln_usual += (double)site[i].runs * log(site[i].usual);
		runs += (double)site[i].runs;
	}
	scatter->usual = exp(ln_usual / runs);
	struct residual *r = ft_calloc(n, sizeof *r);
	if (!r)
		return ft_nomem(err);
	n = collect_residuals(site, known, sites, r);
	keep_residuals(scatter, r, n, !limits);
	find_spikes(scatter, r, n);
	ft_free(r);
	ft__scatter_settle(scatter);
	return FT_OK;
}

/* Student's distribution of five degrees of freedom (Abramowitz and Stegun, 26.7.3). */
static double student_5(double t)
{
	double c = 1 / (1 + t * t / 5), theta = atan(t / sqrt(5));

	return 0.5 + (theta + t / sqrt(5) * c * (1 + 2 * c / 3)) / acos(-1);
}

/* Its density. */
static double density_5(double t)
{
	double c = 1 / (1 + t * t / 5);

	return 8 / (3 * acos(-1) * sqrt(5)) * c * c * c;
}

/* Sums over residuals and the t law are in runs. The residuals' sum rises evenly between close ones, and
 * by steps elsewhere: whether nothing is assumed below the i-th. */
static bool is_alone(const struct ft__scatter *scatter, size_t i)
{
	const double *r = scatter->residual;

	return !i || i == scatter->n || r[i] - r[i - 1] > gap_most;
}

/* Of the residuals up to and with the i-th. */
static double runs_to(const struct ft__scatter *scatter, size_t i)
{
	double count = (double)i + (is_alone(scatter, i + 1) ? 1 : 0.5);

	return count / (double)scatter->n * scatter->runs;
}

/* The interval below the i-th residual; n: above the last one. */
struct stretch {
	double low, high;
	double runs, rise; /* of residuals: at low, and for each unit of x */
	double start;      /* where to look first */
};

static struct stretch stretch_below(const struct ft__scatter *scatter, size_t i, double want)
{
	const double *r = scatter->residual, *law = scatter->law;
	size_t n = scatter->n;
	struct stretch s = {-far, far, 0, 0, 0};

	if (n) {
		s.low = i ? r[i - 1] : r[0] - far;
		s.high = i < n ? r[i] : r[n - 1] + far;
		s.start = i ? s.low : s.high;
	}
	if (i)
		s.runs = runs_to(scatter, i - 1);
	if (!i || i == n || !(s.high > s.low))
		return s;
	s.rise = is_alone(scatter, i) ? 0 : scatter->runs / (double)n / (s.high - s.low);
	double missing = want - s.runs - law[i - 1];
	s.start += missing / (s.rise + (law[i] - law[i - 1]) / (s.high - s.low));
	return s;
}

/* Newton's steps, and halves where these lead out. */
static double solve_stretch(const struct stretch *s, double want)
{
	double low = s->low, high = s->high, x = fmin(fmax(s->start, low), high), next;

	for (int i = 0; i < BISECTIONS; i++, x = next) {
		double off = s->runs + s->rise * (x - s->low) + prior_runs * student_5(x) - want;

		if (off < 0)
			low = x;
		else
			high = x;
		next = x - off / (s->rise + prior_runs * density_5(x));
		if (!(next >= low && next <= high))
			next = (low + high) / 2;
		else if (fabs(next - x) < settled)
			return next;
	}
	return x;
}

/* Below which a share p lies, of residuals and the t law together. */
static double invert(const struct ft__scatter *scatter, double p)
{
	double want = p * (scatter->runs + prior_runs);
	size_t n = scatter->n, low = ft_count_below(scatter->reached, n, want);
	struct stretch s = stretch_below(scatter, low, want);

	if (low < n && s.runs + s.rise * (s.high - s.low) + scatter->law[low] <= want)
		return s.high;
	return solve_stretch(&s, want);
}

void ft__scatter_settle(struct ft__scatter *scatter)
{
	for (size_t i = 0; i < scatter->n; i++)
		scatter->law[i] = prior_runs * student_5(scatter->residual[i]);
	for (size_t i = 0; i < scatter->n; i++)
		scatter->reached[i] = runs_to(scatter, i) + scatter->law[i];
	scatter->median = invert(scatter, 0.5);
}

/* The k-th of n sorted values has the next one below it with probability k / (n + 1), not k / n (Wilks
 * 1941; the same holds for conformal prediction): the share above a quantile of few runs is reduced
 * accordingly. Without it 12 % of runs need more than a request of 30 runs at a risk of 10 %. */
double ft__scatter_quantile(const struct ft__scatter *scatter, double p)
{
	double beyond = fmin(p, 1 - p),
	       seen = scatter->runs / (scatter->runs + 1); /* the prior is no estimate */

	beyond = fmax(beyond - seen * (1 - beyond) / (scatter->runs + prior_runs), beyond / 2);
	return invert(scatter, p < 0.5 ? beyond : 1 - beyond) - scatter->median;
}
