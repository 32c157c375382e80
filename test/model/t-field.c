/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-field.c - a process over several parameters against sums written out, and what must not change it. */
#include "tap.h"

#include "base/random.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 24 };

static double sum(const double *x)
{
	return log(1e-3 + 2e-8 * x[0] * x[0] * x[1]);
}

struct told {
	double x[SITES][2], ln[SITES], memory[SITES];
};

static struct told tell(double noise, struct ft_random *random)
{
	struct told told;

	for (size_t i = 0; i < SITES; i++) {
		told.x[i][0] = round(16 * pow(64, ft_random_uniform(random)));
		told.x[i][1] = round(10 * pow(100, ft_random_uniform(random))) + (double)i / 64;
		told.memory[i] = 1e6 + 8 * told.x[i][0] * told.x[i][1];
		told.ln[i] = sum(told.x[i]) + noise * ft_random_normal(random);
	}
	return told;
}

static struct ft__spot spot_of(const double *x, double unit, double memory)
{
	return (struct ft__spot){{log(unit * x[0]), log(x[1])}, log(memory), log(memory)};
}

/* order: 1 or -1 */
static void field_of(struct ft__random_field *field, const struct told *told, bool steps, int order,
		     double unit)
{
	ft__field_init(field, 2, false, true);
	field->steps = steps;
	for (size_t i = 0; i < SITES; i++) {
		size_t k = order > 0 ? i : SITES - 1 - i;
		struct ft__spot spot = spot_of(told->x[k], unit, told->memory[k]);

		(void)ft__field_set(field, &spot, 1, &told->ln[k], 1, NULL);
	}
}

/* ---- the oracle: covariances written out, and the inverse by elimination --------------------------------
 */

static double along(double a, double b, double l)
{
	double h = a - b;

	return l * l *
	       ((fabs(a) / l - 1 + exp(-fabs(a) / l)) + (fabs(b) / l - 1 + exp(-fabs(b) / l)) -
		(fabs(h) / l - 1 + exp(-fabs(h) / l)));
}

static double clock_of(const struct ft__field_traits *t, double m)
{
	double at = t->first_bin, time = 0;

	for (size_t g = 0; g < FT__FIELD_BINS; g++, at += t->bin)
		time += t->step[g] * fmax(0, fmin(m - at, t->bin));
	return time + t->usual_step * fmax(0, m - at);
}

static double covariance(const struct ft__random_field *f, const struct ft__spot *p, const struct ft__spot *q)
{
	const struct ft__field_traits *t = &f->traits;
	double a[2], b[2], sum = 4, distance;

	for (size_t k = 0; k < 2; k++) {
		a[k] = p->at[k] - f->centre[k];
		b[k] = q->at[k] - f->centre[k];
		sum += pow(f->slope_sd, 2) * a[k] * b[k] + t->slope[k] * along(a[k], b[k], t->length[k]);
	}
	sum += t->ridge * along(t->way[0] * a[0] + t->way[1] * a[1], t->way[0] * b[0] + t->way[1] * b[1],
				t->ridge_length);
	distance = sqrt(3) * hypot(a[0] - b[0], a[1] - b[1]) / t->whole_length;
	sum += t->whole * (1 + distance) * exp(-distance);
	if (f->steps)
		sum += clock_of(t, fmin(p->memory, q->memory));
	return sum;
}

/* Gauss and Jordan, with pivots. */
static void invert(long double a[SITES][SITES], long double out[SITES][SITES])
{
	size_t j;

	memset(out, 0, sizeof(long double[SITES][SITES]));
	for (size_t i = 0; i < SITES; i++)
		out[i][i] = 1;
	for (size_t k = 0; k < SITES; k++) {
		size_t pivot = k;
		long double by;

		for (size_t i = k; i < SITES; i++)
			pivot = fabsl(a[i][k]) > fabsl(a[pivot][k]) ? i : pivot;
		for (j = 0; j < SITES; j++) {
			long double x = a[k][j], y = out[k][j];

			a[k][j] = a[pivot][j];
			a[pivot][j] = x;
			out[k][j] = out[pivot][j];
			out[pivot][j] = y;
		}
		for (by = a[k][k], j = 0; j < SITES; j++) {
			a[k][j] /= by;
			out[k][j] /= by;
		}
		for (size_t i = 0; i < SITES; i++) {
			by = a[i][k];
			for (j = 0; j < SITES && i != k; j++) {
				a[i][j] -= by * a[k][j];
				out[i][j] -= by * out[k][j];
			}
		}
	}
}

static void ask_oracle(const struct ft__random_field *f, const struct ft__spot *spot, double *z,
		       double *variance)
{
	static long double k[SITES][SITES], inverse[SITES][SITES];
	double c[SITES], y[SITES];
	long double taken = 0, value = 0;

	for (size_t i = 0; i < SITES; i++) {
		for (size_t j = 0; j < SITES; j++)
			k[i][j] = covariance(f, &f->spot[i], &f->spot[j]) + (i == j ? f->variance[i] : 0);
		c[i] = covariance(f, spot, &f->spot[i]);
		y[i] = f->y[i] - f->mean -
		       f->slope_mean * (f->spot[i].at[0] + f->spot[i].at[1] - f->centre[0] - f->centre[1]);
	}
	invert(k, inverse);
	*z = f->mean + f->slope_mean * (spot->at[0] + spot->at[1] - f->centre[0] - f->centre[1]);
	for (size_t i = 0; i < SITES; i++)
		for (size_t j = 0; j < SITES; j++) {
			value += c[i] * inverse[i][j] * y[j];
			taken += c[i] * inverse[i][j] * c[j];
		}
	*z += (double)value;
	*variance = (double)(covariance(f, spot, spot) - taken);
}

static void test_oracle(void)
{
	struct ft_random random = {test_seed()};
	double off = 0, off_variance = 0, off_scatter = 0;

	for (int turn = 0; turn < 2 * test_cases(test_quick() ? 2 : 4); turn++) {
		struct told told = tell(0.02, &random);
		struct ft__random_field field;

		field_of(&field, &told, turn % 2, 1, 1);
		field.drift = 0.01;
		ft__field_learn(&field, 3, true);
		for (int i = 0; i < 10; i++) {
			double x[] = {10 * pow(200, ft_random_uniform(&random)),
				      5 * pow(400, ft_random_uniform(&random))};
			struct ft__spot spot = spot_of(x, 1, 1e6 + 8 * x[0] * x[1]);
			struct ft__known known = ft__field_at(&field, &spot, NULL);
			double z, variance, hidden = ft__field_hidden(&field, &spot, NULL);

			ask_oracle(&field, &spot, &z, &variance);
			off = fmax(off, fabs(known.z - z));
			off_variance = fmax(off_variance, fabs(known.variance - hidden - variance));
			off_scatter = fmax(off_scatter,
					   fabs(known.scatter - 0.01 - ft__field_scatter(&field, &spot)));
		}
		ft__field_clear(&field);
	}
	ok(off < 1e-9 && off_variance < 1e-9 && off_scatter < 1e-12,
	   "values and variances are those of sums written out (%.2g, %.2g; seed %llu)", off, off_variance,
	   (unsigned long long)test_seed());
}

/* Each site left out in turn: by the formula, and by a field without it. */
static void test_left_out(void)
{
	struct ft_random random = {test_seed()};
	struct told told = tell(0.02, &random);
	struct ft__random_field field, part;
	double off = 0;

	field_of(&field, &told, true, 1, 1);
	ft__field_learn(&field, 3, true);
	for (size_t i = 0; i < SITES; i++) {
		double away, variance;

		ft__field_init(&part, 2, false, false);
		part.steps = true;
		part.traits = field.traits;
		for (size_t k = 0; k < SITES; k++)
			if (k != i)
				(void)ft__field_set(&part, &field.spot[k], 1, &told.ln[k], 1, NULL);
		for (size_t k = 0; k + 1 < SITES; k++) {
			part.y[k] = field.y[k + (k >= i)];
			part.variance[k] = field.variance[k + (k >= i)];
		}
		ft__field_solve(&part);
		struct ft__known known = ft__field_at(&part, &field.spot[i], NULL);
		known.variance += field.variance[i] - ft__field_hidden(&part, &field.spot[i], NULL);
		ft__field_left_out(&field, i, &away, &variance);
		off = fmax(off, fabs(away / (field.y[i] - known.z) - 1));
		off = fmax(off, fabs(variance / known.variance - 1));
		ft__field_clear(&part);
	}
	/* The centre moves with the sites, and so does where a slope begins: that is the difference. */
	ok(off < 0.05, "a site left out is one that was never told (%.2g)", off);
	ft__field_clear(&field);
}

static void test_interpolation(void)
{
	struct ft_random random = {test_seed()};
	struct told told = tell(0, &random);
	struct ft__random_field field;
	double off = 0, between = 0;

	field_of(&field, &told, false, 1, 1);
	ft__field_learn(&field, 30, true);
	for (size_t i = 0; i < SITES; i++)
		field.variance[i] = 1e-12;
	ft__field_solve(&field);
	for (size_t i = 0; i < SITES; i++) {
		struct ft__known at = ft__field_at(&field, &field.spot[i], NULL);
		struct ft__known site = ft__field_site(&field, i);
		double x[] = {100 + 10 * (double)i, 100};
		struct ft__spot spot = spot_of(x, 1, 1e6);

		off = fmax(off, fabs(at.z - told.ln[i]));
		off = fmax(off, fabs(site.z - told.ln[i]));
		between = fmax(between, fabs(ft__field_at(&field, &spot, NULL).z - sum(x)));
	}
	ok(off < 1e-6, "without scatter it goes through what was told (%.2g)", off);
	ok(between < 0.05, "and near the truth between (%.2g)", between);
	ft__field_clear(&field);
}

static void test_invariance(void)
{
	struct ft_random random = {test_seed()};
	struct told told = tell(0.02, &random);
	struct ft__random_field one, turned, units;
	double off[2] = {0, 0};

	field_of(&one, &told, true, 1, 1);
	field_of(&turned, &told, true, -1, 1);
	field_of(&units, &told, true, 1, 1024);
	ft__field_settle(&one);
	ft__field_settle(&turned);
	ft__field_settle(&units);
	for (int i = 0; i < 20; i++) {
		double x[] = {20 * pow(100, ft_random_uniform(&random)),
			      10 * pow(100, ft_random_uniform(&random))};
		struct ft__spot spot = spot_of(x, 1, 1e6 + 8 * x[0] * x[1]);
		struct ft__spot larger = spot_of(x, 1024, 1e6 + 8 * x[0] * x[1]);
		struct ft__known known = ft__field_at(&one, &spot, NULL),
				 other = ft__field_at(&turned, &spot, NULL),
				 unit = ft__field_at(&units, &larger, NULL);

		off[0] = fmax(off[0], fabs(known.z - other.z));
		off[0] = fmax(off[0], fabs(log(known.variance / other.variance)));
		off[1] = fmax(off[1], fabs(known.z - unit.z));
		off[1] = fmax(off[1], fabs(log(known.variance / unit.variance)));
	}
	ok(off[0] < 1e-6, "the order of samples does not count (%.2g)", off[0]);
	ok(off[1] < 1e-6, "nor does the unit of a parameter (%.2g)", off[1]);
	ft__field_clear(&one);
	ft__field_clear(&turned);
	ft__field_clear(&units);
}

/* A step at a footprint is learned as one, and none is told of what was seen; more may hide beyond. */
/* Were a cliff known to be in a gap: half of an interval of nine in ten runs, as a share of it. */
static double half_of_cliff(struct ft__random_field *field, double share)
{
	struct ft__field_gap *gap = &field->gap[field->n_gaps / 2];
	struct ft__spot spot = field->spot[0];

	gap->is_cliff = true;
	spot.memory = gap->from + share * (gap->to - gap->from);
	return 1.645 * sqrt(ft__field_hidden(field, &spot, NULL) / gap->variance);
}

static void test_cliffs(void)
{
	struct ft_random random = {test_seed()};
	struct told told = tell(0.01, &random);
	struct ft__random_field field;
	double middle = 2e6, most = 0;
	size_t i, wrong = 0;

	for (i = 0; i < SITES; i++) {
		told.ln[i] += told.memory[i] > middle ? 0.5 : 0;
		most = fmax(most, told.memory[i]);
	}
	field_of(&field, &told, true, 1, 1);
	ft__field_settle(&field);
	for (i = 0; i < SITES; i++)
		wrong += fabs(ft__field_site(&field, i).z - told.ln[i]) > 0.05;
	ok(!wrong, "a cliff over the footprint is met: %zu sites off", wrong);
	struct ft__spot spot = spot_of(told.x[0], 1, most * 4);
	double far = ft__field_hidden(&field, &spot, NULL);
	spot = spot_of(told.x[0], 1, most * 1.1);
	double near = ft__field_hidden(&field, &spot, NULL);
	ok(far > 2 * near && near > 0 && ft__field_hidden(&field, &field.spot[3], NULL) <= 0,
	   "more of them may hide beyond the largest footprint, none where it was measured");
	ok(ft__field_hidden(&field, &spot, &spot) <= 0, "a run there would tell");
	field.steps = false;
	ft__field_solve(&field);
	spot = spot_of((double[]){1e6, 1e6}, 1, 1);
	for (near = 0, i = 0; i < SITES; i++)
		near += ft__field_hidden(&field, &field.spot[i], NULL);
	ok(near <= 0 && ft__field_hidden(&field, &spot, NULL) > 0,
	   "without footprints, beyond all sites in some parameter");
	ft__field_clear(&field);
}

static void test_gap(void)
{
	struct ft_random random = {test_seed()};
	struct told told = tell(0.01, &random);
	struct ft__random_field field;

	field_of(&field, &told, true, 1, 1);
	ft__field_settle(&field);
	double low = half_of_cliff(&field, 0.15);
	double high = half_of_cliff(&field, 0.85);
	ok(low > 0.85 && low < 1 && high > 0.85 && high < 1,
	   "in the gap of a cliff either side is within the interval, and not much more: %.3f %.3f", low,
	   high);
	low = half_of_cliff(&field, 0.02);
	ok(low < 0.3, "but beside a footprint that was measured: %.3f", low);
	ft__field_clear(&field);
}

/* A field of many where each is a site is the field; where every other one is, it is near it. */
static void test_many(void)
{
	struct ft_random random = {test_seed()};
	struct told told = tell(0.02, &random);
	struct ft__random_field field, half;
	struct ft__seen seen[SITES];
	struct ft__many all, some;
	double off = 0, off_half = 0, alone = 0, at_sites = 0;

	field_of(&field, &told, true, 1, 1);
	ft__field_settle(&field);
	ft__field_init(&half, 2, false, true);
	half.steps = true;
	half.traits = field.traits;
	for (size_t i = 0; i < SITES; i++) {
		seen[i] = (struct ft__seen){field.spot[i], field.y[i], field.variance[i], {0, 0, 0, 0}};
		if (i % 3)
			(void)ft__field_set(&half, &field.spot[i], 1, &told.ln[i], 1, NULL);
	}
	for (size_t i = 0; i < half.n; i++) {
		half.y[i] = field.y[i / 2 * 3 + i % 2 + 1];
		half.variance[i] = field.variance[i / 2 * 3 + i % 2 + 1];
	}
	ft__field_solve(&half);
	(void)ft__many_make(&all, &field, seen, SITES, NULL);
	for (size_t i = 0; i < SITES; i++) {
		struct ft__known site = ft__field_site(&field, i);

		at_sites = fmax(at_sites, fabs(seen[i].known.z - site.z));
		at_sites = fmax(at_sites, fabs(log(seen[i].known.variance / site.variance)));
	}
	(void)ft__many_make(&some, &half, seen, SITES, NULL);
	for (size_t i = 0; i < 50; i++) {
		double x[] = {16 * pow(64, ft_random_uniform(&random)),
			      10 * pow(100, ft_random_uniform(&random))};
		struct ft__spot spot = spot_of(x, 1, 1e6 + 8 * x[0] * x[1]);
		struct ft__known whole = ft__field_at(&field, &spot, NULL);
		struct ft__known known = ft__many_at(&all, &field, &spot);

		off = fmax(off, fabs(known.z - whole.z));
		off = fmax(off, fabs(log(known.variance / whole.variance)));
		off_half += fabs(ft__many_at(&some, &half, &spot).z - whole.z) / 50;
		alone += fabs(ft__field_at(&half, &spot, NULL).z - whole.z) / 50;
	}
	ok(off < 1e-4 && at_sites < 1e-5,
	   "a field of many whose sites are all sizes is the field (%.2g, %.2g)", off, at_sites);
	ok(off_half < alone, "with two in three of them it is nearer to it than these alone (%.3g, %.3g)",
	   off_half, alone);
	ft__many_clear(&all);
	ft__many_clear(&some);
	ft__field_clear(&field);
	ft__field_clear(&half);
}

/* Deviation of single runs, the geometric mean over the sites, in the median of some cases: as many runs of
 * each site, of which as many as spikes took three times as long. */
static double scatter_of(double noise, size_t runs, size_t spikes, struct ft_random *random)
{
	enum { CASES = 9 };
	double found[CASES];

	for (size_t j = 0; j < CASES; j++) {
		struct told told = tell(0, random);
		struct ft__random_field field;
		double sum = 0;

		ft__field_init(&field, 2, false, true);
		for (size_t i = 0; i < SITES; i++) {
			struct ft__spot spot = spot_of(told.x[i], 1, told.memory[i]);
			double ln[3];

			for (size_t k = 0; k < runs; k++)
				ln[k] = told.ln[i] + noise * ft_random_normal(random) +
					(k == 0 && i % 8 == 3 && i / 8 < spikes ? log(3) : 0);
			(void)ft__field_set(&field, &spot, 1, ln, runs, NULL);
		}
		ft__field_settle(&field);
		for (size_t i = 0; i < SITES; i++)
			sum += log(field.site[i].scatter) / (2 * SITES);
		found[j] = exp(sum);
		ft__field_clear(&field);
	}
	return ft_stats_median(found, CASES);
}

static void test_scatter(void)
{
	struct ft_random random = {test_seed()};
	double alone = scatter_of(0.1, 1, 0, &random), often = scatter_of(0.1, 3, 0, &random);
	double spikes = scatter_of(0.02, 3, 3, &random), one = scatter_of(0.02, 1, 1, &random);

	ok(alone > 0.035 && alone < 0.14, "scatter of 10 %% is found where no size was run twice (%.3f)",
	   alone);
	ok(often > 0.07 && often < 0.12, "and where each was run three times (%.3f)", often);
	ok(spikes > 0.012 && spikes < 0.03, "three spikes in 72 runs are none of a scatter of 2 %% (%.3f)",
	   spikes);
	ok(one > 0.008 && one < 0.04, "nor is one in 24 runs at as many sizes (%.3f)", one);
}

/* Nothing says yet how far each parameter goes, and all are alike. */
static void test_begin(void)
{
	struct ft__random_field field;
	size_t wrong = 0;

	ft__field_init(&field, 3, false, true);
	for (size_t i = 0; i < 3; i++)
		wrong += !isinf(field.most[i]) || !(field.traits.slope[i] > 0) ||
			 field.traits.slope[i] != field.traits.slope[0] ||
			 field.traits.length[i] != field.traits.length[0];
	for (size_t i = 1; i < FT__FIELD_BINS; i++)
		wrong += !(field.traits.step[i] > 0) || field.traits.step[i] != field.traits.step[0];
	ok(!wrong && !field.n, "at first all parameters are alike, and bins");
	ft__field_clear(&field);
}

int main(void)
{
	test_begin();
	test_oracle();
	if (!test_quick())
		test_scatter();
	test_left_out();
	test_interpolation();
	test_invariance();
	test_cliffs();
	test_gap();
	test_many();
	return done();
}
