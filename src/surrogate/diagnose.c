/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.c - statistics of a matrix of measurements: rank, condition, norms, similarities (004 5.4); and of
 * the errors of rows that were left out. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/facts.h"
#include "foretime/surrogate.h"
#include "num/num.h"
#include "surrogate/surrogate.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Detect resources that are no measures by their names (004 5.1.3).
 */

/* Kinds of resources that are no measures, by words of the name. A word ends at any character that is no
   letter. */
static const struct admissible_kind {
	const char *words;  /* blank before and after each */
	const char *unless; /* with one of these it is a count */
	const char *why, *how;
} kinds[] = {
	{" percent percentage pct share ratio utilisation utilization usage efficiency ipc cpi mpki ", "  ",
	 "a share may fall while the program goes on: it does not add up",
	 "multiply it by what it is a share of: 80 % of 2 processors over 10 s are 16 s of processor time"},
	{" power w kw mw watt watts ", "  ", "a power may fall while the program goes on: it does not add up",
	 "multiply it by the time: 50 W over 10 s are 500 J of energy"},
	{" rss memory resident live active heap footprint ",
	 " accesses allocated allocations loads stores reads writes misses references traffic cycles ",
	 "memory in use may fall while the program goes on: it does not add up",
	 "count what is allocated in all, or sum memory over time (bytes x seconds)"},
	{" hz khz mhz ghz frequency freq rate bandwidth throughput speed mips flops gflops mflops ", "  ",
	 "a rate may fall while the program goes on: it does not add up",
	 "multiply it by the time: 1 GB/s over 10 s are 10 GB"},
	{" temperature celsius kelvin ", "  ", "a temperature does not add up", "measure the energy instead"},
};

static enum ft_status refuse_resource(const char *name, const struct admissible_kind *kind,
				      struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%s' is no measure of consumption: %s", name, kind->why);
	return ft_remedy(err, "%s; --all takes it as it is", kind->how);
}

/* Whether a word of the name, up to its machine, is one of these. */
static bool mentions_word(const char *name, size_t length, const char *words)
{
	char word[32 + 1];
	size_t n;

	for (size_t at = 0; at < length; at += n + 1) {
		for (n = 0; at + n < length && isalpha((unsigned char)name[at + n]); n++)
			if (n < sizeof word - 1)
				word[n] = (char)tolower((unsigned char)name[at + n]);
		if (!n || n > sizeof word - 1)
			continue;
		word[n] = '\0';
		if (ft_word_at(words, word) != SIZE_MAX)
			return true;
	}
	return false;
}

enum ft_status ft_resource_admissible(const char *name, struct ft_err *err)
{
	size_t length = strcspn(name, "@"), k;
	const struct ft_resource *resource = ft_resource_find(name);

	if (resource && resource->additive)
		return FT_OK;
	if (resource)
		return refuse_resource(name, &kinds[2], err);
	if (memchr(name, '%', length))
		return refuse_resource(name, &kinds[0], err);
	for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (mentions_word(name, length, kinds[k].words) &&
		    !mentions_word(name, length, kinds[k].unless))
			return refuse_resource(name, &kinds[k], err);
	return FT_OK;
}

/*
 * The differences between identical machines: a lower bound of prediction errors (004 section 11.1.1).
 */

/* The relative errors of one program's values about the means of their groups; there are `groups` of these.
 */
static void find_errors(const double *value, size_t m, size_t n, size_t column, const size_t *group,
			size_t groups, double *sum, size_t *count, struct ft_floor *out)
{
	double squares = 0;

	for (size_t g = 0; g < groups; g++)
		sum[g] = (double)(count[g] = 0);
	for (size_t i = 0; i < m; i++)
		if (!isnan(value[i * n + column])) {
			sum[group[i]] += value[i * n + column];
			count[group[i]]++;
		}
	for (size_t i = 0; i < m; i++) {
		double x = value[i * n + column], mean = sum[group[i]] / (double)count[group[i]],
		       e = x / mean - 1;

		if (isnan(x) || count[group[i]] < 2)
			continue;
		squares += e * e;
		out->rows++;
	}
	for (size_t g = 0; g < groups; g++)
		out->groups += count[g] > 1;
	out->error = out->rows ? sqrt(squares / (double)out->rows) : (double)NAN;
}

enum ft_status ft_floors_find(struct ft_floor *out, struct ft_floor *all, const double *value, size_t m,
			      size_t n, const size_t *group, struct ft_err *err)
{
	size_t groups = 0, i;
	double squares = 0;

	for (i = 0; i < m; i++)
		groups = group[i] + 1 > groups ? group[i] + 1 : groups;
	FT_OWN double *sum = ft_calloc(groups + 1, sizeof *sum);
	FT_OWN size_t *count = ft_calloc(groups + 1, sizeof *count);
	*all = (struct ft_floor){0};
	for (i = 0; i < n; i++)
		out[i] = (struct ft_floor){0};
	if (!sum || !count)
		return ft_nomem(err);
	for (i = 0; i < n; i++) {
		find_errors(value, m, n, i, group, groups, sum, count, &out[i]);
		squares += out[i].rows ? out[i].error * out[i].error * (double)out[i].rows : 0;
		all->rows += out[i].rows;
		all->groups = out[i].groups > all->groups ? out[i].groups : all->groups;
	}
	all->error = all->rows ? sqrt(squares / (double)all->rows) : (double)NAN;
	return FT_OK;
}

static bool is_alike(const struct ft_csv *csv, size_t a, size_t b, const size_t *column, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(ft_csv_cell(csv, a, column[i]), ft_csv_cell(csv, b, column[i])) != 0)
			return false;
	return true;
}

void ft_floor_groups(const struct ft_csv *csv, const size_t *column, size_t n, size_t *group)
{
	size_t k;

	for (size_t i = 0; i < ft_csv_rows(csv); i++) {
		for (k = 0; k < i && (group[k] != k || !is_alike(csv, i, k, column, n)); k++)
			;
		group[i] = k;
	}
}

/*
 * Tests of residuals: a trend, uneven variance, outliers (004 6.2.6).
 */

enum { FEW = 8 };

static const double FAR = 5, LEVEL = 0.99;

static void sort_by(struct ft_keyed *place, const double *key, size_t m)
{
	for (size_t i = 0; i < m; i++)
		place[i] = (struct ft_keyed){key[i], i};
	ft_keyed_sort(place, m);
}

/* Ranks from 0; equal ones get their mean. */
static void find_ranks(struct ft_keyed *place, const double *key, size_t m, double *rank)
{
	size_t j;

	sort_by(place, key, m);
	for (size_t i = 0; i < m; i = j) {
		for (j = i + 1; j < m && place[j].key == place[i].key;)
			j++;
		for (size_t k = i; k < j; k++)
			rank[place[k].of] = (double)(i + j - 1) / 2;
	}
}

static double correlation(const double *a, const double *b, size_t n)
{
	double ma = ft_stats_mean(a, n), mb = ft_stats_mean(b, n), ab = 0, aa = 0, bb = 0;

	for (size_t i = 0; i < n; i++) {
		ab += (a[i] - ma) * (b[i] - mb);
		aa += (a[i] - ma) * (a[i] - ma);
		bb += (b[i] - mb) * (b[i] - mb);
	}
	return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* Whether a correlation of n pairs is significant at the level: Student's test. */
static bool is_correlated(double r, size_t n)
{
	double t = fabs(r) * sqrt((double)(n - 2) / fmax(1 - r * r, 1e-300));

	return t > ft_student_t(LEVEL, (double)(n - 2));
}

enum ft_status ft__residuals_read(const double *residual, const double *fitted, size_t m,
				  struct ft_residuals *out, bool *outlier, struct ft_err *err)
{
	FT_ARENA(work);
	struct ft_keyed *place = ft_arena_take(&work, m, sizeof *place);
	double *a = ft_arena_take(&work, m, sizeof *a), *b = ft_arena_take(&work, m, sizeof *b);
	double *size = ft_arena_take(&work, m, sizeof *size);

	*out = (struct ft_residuals){.few = m < FEW};
	memset(outlier, 0, m * sizeof *outlier);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < m; i++)
		size[i] = fabs(residual[i]);
	out->deviation = 1.4826 * ft_stats_median(size, m);
	if (!out->few && out->deviation > 0) {
		for (size_t i = 0; i < m; i++)
			out->outliers += outlier[i] = size[i] > FAR * out->deviation;
		find_ranks(place, size, m, a);
		find_ranks(place, fitted, m, b);
		out->growth = correlation(a, b, m);
		out->spread = is_correlated(out->growth, m);
		/* Ranks, so that one outlier makes no trend. */
		find_ranks(place, residual, m, size);
		sort_by(place, fitted, m);
		for (size_t i = 0; i + 1 < m; i++) {
			a[i] = size[place[i].of];
			b[i] = size[place[i + 1].of];
		}
		out->alike = correlation(a, b, m - 1);
		out->trend = out->alike > 0 && is_correlated(out->alike, m - 1);
	}
	return FT_OK;
}

/*
 * Statistics of a matrix of measurements: rank, condition, norms, similarities (004 5.4).
 */

/* Cosines and norms of n vectors of a length each, contiguous (equations 5.14 to 5.18). */
static void compare_columns(const double *a, size_t n, size_t length, double *norm, double *cosine)
{
	for (size_t i = 0; i < n; i++)
		norm[i] = sqrt(ft_dot(a + i * length, a + i * length, length));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			double product = norm[i] * norm[j],
			       c = product > 0 ? ft_dot(a + i * length, a + j * length, length) / product
					       : NAN;

			cosine[i * n + j] = cosine[j * n + i] = i == j && product > 0 ? 1 : c;
		}
}

/* Programs in two dimensions: principal components of the logarithms, each row and each column centred, so
 * that neither a fast machine nor a long program is far from the rest only because of that. */
static enum ft_status find_places(const double *a, size_t m, size_t n, struct ft_diagnosis *d,
				  struct ft_err *err)
{
	size_t c = 0;
	double total = 0;
	FT_ARENA(work);
	size_t *column = ft_arena_take(&work, n, sizeof *column);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t j = 0; j < n; j++) {
		bool positive = true;

		d->place[2 * j] = d->place[2 * j + 1] = NAN;
		for (size_t i = 0; i < m; i++)
			positive &= a[i * n + j] > 0;
		if (positive)
			column[c++] = j;
	}
	if (!c)
		return FT_OK;
	size_t r = m < c ? m : c;
	double *l = ft_arena_take(&work, m * c, sizeof *l), *u = ft_arena_take(&work, m * r, sizeof *u);
	double *s = ft_arena_take(&work, r, sizeof *s), *v = ft_arena_take(&work, c * r, sizeof *v);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t j = 0; j < c; j++) {
		double mean = 0;

		for (size_t i = 0; i < m; i++)
			mean += (l[i * c + j] = log(a[i * n + column[j]])) / (double)m;
		for (size_t i = 0; i < m; i++)
			l[i * c + j] -= mean;
	}
	for (size_t i = 0; i < m; i++) {
		double mean = 0;

		for (size_t j = 0; j < c; j++)
			mean += l[i * c + j] / (double)c;
		for (size_t j = 0; j < c; j++)
			l[i * c + j] -= mean;
	}
	FT_TRY(ft_svd(l, m, c, u, s, v, err));
	for (size_t p = 0; p < r; p++)
		total += s[p] * s[p];
	for (size_t p = 0; p < 2; p++) {
		d->place_share[p] = p < r && total > 0 ? s[p] * s[p] / total : 0;
		for (size_t j = 0; j < c; j++)
			d->place[2 * column[j] + p] = p < r ? s[p] * v[j * r + p] : 0;
	}
	return FT_OK;
}

/* Each row weighs the same, each column has length 1: neither units nor speeds count. In place. */
static void scale_matrix(double *a, size_t m, size_t n)
{
	for (size_t i = 0; i < m; i++) {
		double size = ft__row_scale(a + i * n, n, false);

		for (size_t j = 0; j < n; j++)
			a[i * n + j] /= size;
	}
	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < m; i++)
			sum += a[i * n + j] * a[i * n + j];
		for (size_t i = 0; sum > 0 && i < m; i++)
			a[i * n + j] /= sqrt(sum);
	}
}

enum ft_status ft_basis_redundant(const struct ft_surrogate_problem *problem, double cut, bool *redundant,
				  struct ft_err *err)
{
	size_t m = problem->m, k = problem->k;
	FT_OWN double *a = ft_malloc(2 * m * k * sizeof *a);

	if (!a)
		return ft_nomem(err);
	memcpy(a, problem->x, m * k * sizeof *a);
	scale_matrix(a, m, k);
	ft_transpose(a, m, k, a + m * k);
	ft_orthonormal(a + m * k, k, m, cut > 0 ? cut : 1e-10, redundant);
	return FT_OK;
}

enum ft_status ft_matrix_diagnose(const struct ft_matrix *matrix, double cut, struct ft_diagnosis *out,
				  struct ft_err *err)
{
	size_t n = matrix->columns, m = 0;
	FT_CLEANUP(ft_diagnosis_clear) struct ft_diagnosis d = {.columns = n};
	FT_OWN double *a = ft_calloc(2 * matrix->rows * n, sizeof *a);

	*out = (struct ft_diagnosis){0};
	cut = cut > 0 ? cut : 1e-10;
	d.row = ft_calloc(matrix->rows, sizeof *d.row);
	if (!a || !d.row)
		return ft_nomem(err);
	for (size_t i = 0; i < matrix->rows; i++) {
		const double *row = matrix->value + i * n;
		bool complete = true;

		for (size_t j = 0; j < n; j++)
			complete &= !isnan(row[j]);
		if (!complete)
			continue;
		memcpy(a + m * n, row, n * sizeof *row);
		d.row[m++] = i;
	}
	if (!m)
		return ft_fail(err, FT_ENOMODEL, "no row has a value in every column");
	d.rows = m;
	d.singular = ft_calloc(m < n ? m : n, sizeof(double));
	d.row_norm = ft_calloc(m, sizeof(double));
	d.column_norm = ft_calloc(n, sizeof(double));
	d.row_cosine = ft_calloc(m * m, sizeof(double));
	d.column_cosine = ft_calloc(n * n, sizeof(double));
	d.redundant_row = ft_calloc(m, sizeof(bool));
	d.redundant_column = ft_calloc(n, sizeof(bool));
	d.place = ft_calloc(2 * n, sizeof(double));
	if (!d.singular || !d.row_norm || !d.column_norm || !d.row_cosine || !d.column_cosine ||
	    !d.redundant_row || !d.redundant_column || !d.place)
		return ft_nomem(err);
	double *turned = a + m * n;
	FT_TRY(find_places(a, m, n, &d, err));
	ft_transpose(a, m, n, turned);
	compare_columns(a, m, n, d.row_norm, d.row_cosine);
	compare_columns(turned, n, m, d.column_norm, d.column_cosine);
	scale_matrix(a, m, n);
	ft_transpose(a, m, n, turned);
	size_t r = m < n ? m : n;
	FT_OWN double *u = ft_calloc((m + n) * r, sizeof *u);

	if (!u)
		return ft_nomem(err);
	FT_TRY(ft_svd(a, m, n, u, d.singular, u + m * r, err));
	while (d.rank < r && d.singular[d.rank] > cut * d.singular[0])
		d.rank++;
	d.condition = d.rank == n ? d.singular[0] / d.singular[r - 1] : INFINITY;
	ft_orthonormal(a, m, n, cut, d.redundant_row);
	ft_orthonormal(turned, n, m, cut, d.redundant_column);
	*out = d;
	d = (struct ft_diagnosis){0};
	return FT_OK;
}

void ft_diagnosis_clear(struct ft_diagnosis *diagnosis)
{
	if (!diagnosis)
		return;
	ft_free(diagnosis->row);
	ft_free(diagnosis->singular);
	ft_free(diagnosis->row_norm);
	ft_free(diagnosis->column_norm);
	ft_free(diagnosis->row_cosine);
	ft_free(diagnosis->column_cosine);
	ft_free(diagnosis->redundant_row);
	ft_free(diagnosis->redundant_column);
	ft_free(diagnosis->place);
	*diagnosis = (struct ft_diagnosis){0};
}

struct ft_likeness ft_cosines_compare(const double *cosine, size_t n, double same)
{
	struct ft_likeness l = {0};

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			double c = cosine[i * n + j];

			if (isnan(c))
				continue;
			l.same += c >= same;
			if (l.most[0] == l.most[1] || c > cosine[l.most[0] * n + l.most[1]]) {
				l.most[0] = i;
				l.most[1] = j;
			}
			if (l.least[0] == l.least[1] || c < cosine[l.least[0] * n + l.least[1]]) {
				l.least[0] = i;
				l.least[1] = j;
			}
		}
	return l;
}

size_t ft_cosines_nearest(const double *cosine, size_t n, size_t j)
{
	size_t nearest = j;

	for (size_t i = 0; i < n; i++)
		if (i != j && !isnan(cosine[j * n + i]) &&
		    (nearest == j || cosine[j * n + i] > cosine[j * n + nearest]))
			nearest = i;
	return nearest;
}

/* Of `count` values, `stride` apart, minus their mean; missing ones are left out. */
static void subtract_mean(double *value, size_t count, size_t stride)
{
	double sum = 0;
	size_t known = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(value[i * stride])) {
			sum += value[i * stride];
			known++;
		}
	for (size_t i = 0; i < count; i++)
		value[i * stride] -= known ? sum / (double)known : 0;
}

void ft_matrix_doublings(const struct ft_matrix *matrix, double *value)
{
	size_t m = matrix->rows, n = matrix->columns;

	for (size_t i = 0; i < m * n; i++)
		value[i] = matrix->value[i] > 0 ? log2(matrix->value[i]) : NAN;
	for (size_t i = 0; i < m; i++)
		subtract_mean(value + i * n, n, 1);
	for (size_t i = 0; i < n; i++)
		subtract_mean(value + i, m, n);
}

double ft__row_scale(const double *x, size_t k, bool raw)
{
	double scale = raw ? 0 : sqrt(ft_dot(x, x, k) / (double)k);

	return scale > 0 ? scale : 1;
}

/*
 * Rows in an order that brings those of one group together.
 */

struct member {
	size_t group, row;
};

static int by_group(const void *a, const void *b)
{
	const struct member *p = a, *q = b;

	if (p->group != q->group)
		return p->group < q->group ? -1 : 1;
	return (p->row > q->row) - (p->row < q->row);
}

enum ft_status ft__kin_init(struct ft__kin *kin, struct ft_arena *arena, const size_t *group, size_t m,
			    struct ft_err *err)
{
	FT_OWN struct member *member = ft_calloc(m, sizeof *member);

	*kin = (struct ft__kin){.m = m,
				.row = ft_arena_take(arena, m, sizeof *kin->row),
				.group = ft_arena_take(arena, m, sizeof *kin->group),
				.first = ft_arena_take(arena, m + 1, sizeof *kin->first)};
	if (!member)
		return ft_nomem(err);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		member[i] = (struct member){group ? group[i] : i, i};
	if (group)
		qsort(member, m, sizeof *member, by_group);
	for (size_t i = 0; i < m; i++) {
		if (!i || member[i].group != member[i - 1].group)
			kin->first[kin->groups++] = i;
		kin->row[i] = member[i].row;
		kin->group[i] = kin->groups - 1;
	}
	kin->first[kin->groups] = m;
	for (size_t i = 0; i < kin->groups; i++)
		if (kin->first[i + 1] - kin->first[i] > kin->largest)
			kin->largest = kin->first[i + 1] - kin->first[i];
	return FT_OK;
}

/*
 * Errors of rows predicted without their kin, and the resulting interval.
 */

struct vote {
	double error;
	size_t group;
	double weight;
};

static int left_out_by_group(const void *a, const void *b)
{
	const struct vote *p = a, *q = b;

	return (p->group > q->group) - (p->group < q->group);
}

static int by_error(const void *a, const void *b)
{
	const struct vote *p = a, *q = b;

	return (p->error > q->error) - (p->error < q->error);
}

enum ft_status ft__left_out_init(struct ft__left_out *out, struct ft_arena *arena, const double *error,
				 const size_t *group, size_t m, struct ft_err *err)
{
	FT_OWN struct vote *vote = ft_calloc(m, sizeof *vote);
	size_t j, n = 0;

	*out = (struct ft__left_out){.error = ft_arena_take(arena, m, sizeof(double)),
				     .weight = ft_arena_take(arena, m, sizeof(double))};
	if (!vote)
		return ft_nomem(err);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		if (isfinite(error[i]))
			vote[n++] = (struct vote){fabs(error[i]), group ? group[i] : i, 0};
	qsort(vote, n, sizeof *vote, left_out_by_group);
	for (size_t i = 0; i < n; i = j) {
		for (j = i + 1; j < n && vote[j].group == vote[i].group;)
			j++;
		out->groups++;
		for (size_t k = i; k < j; k++)
			vote[k].weight = 1 / (double)(j - i);
	}
	qsort(vote, n, sizeof *vote, by_error);
	for (size_t i = 0; i < n; i++) {
		out->error[i] = vote[i].error;
		out->weight[i] = vote[i].weight;
	}
	out->n = n;
	return FT_OK;
}

/* The error that a share `confidence` of new groups does not exceed; each group has
 * one vote, and the level is raised to confidence (G + 1) / G. Source: Vovk et
 * al., Algorithmic learning in a random world, 2005, section 2.2. NaN: no errors. */
static double left_out_quantile(const struct ft__left_out *left_out, double confidence)
{
	double groups = (double)left_out->groups, sum = 0;

	assert(confidence > 0 && confidence < 1);
	for (size_t i = 0; i < left_out->n; i++) {
		sum += left_out->weight[i];
		if (sum >= confidence * (groups + 1) * (1 - 1e-12))
			return left_out->error[i];
	}
	return left_out->n ? left_out->error[left_out->n - 1] : NAN;
}

double ft__reach(const struct ft__left_out *left_out, double s, double dof, double confidence)
{
	if ((double)left_out->groups * (1 - confidence) >= 2 - 1e-9)
		return left_out_quantile(left_out, confidence);
	return dof >= 1 && isfinite(s) ? s * ft_student_t(confidence, dof) : INFINITY;
}

double ft__left_out_reach(const struct ft__left_out *left_out, double confidence)
{
	double groups = (double)left_out->groups, square = 0, quantile;

	if (left_out->groups < 2)
		return NAN;
	quantile = left_out_quantile(left_out, confidence);
	if (confidence * (groups + 1) <= groups * (1 + 1e-12))
		return quantile;
	for (size_t i = 0; i < left_out->n; i++)
		square += left_out->weight[i] * left_out->error[i] * left_out->error[i] / groups;
	return fmax(quantile, sqrt(square) * ft_student_t(confidence, groups));
}
