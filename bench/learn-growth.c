/* SPDX-License-Identifier: GPL-3.0-or-later */
/* learn-growth.c - how costs go on beyond the largest size that was measured, learned from reference data.
 *
 *	learn-growth [--rounds N] [--cross] [--site FILE] [FOLDER]
 *
 * Of each reference program the runs up to a third, a tenth, a thirtieth (tasks), a quarter or an eighth
 *(curves) of its largest sizes are known, and its largest sizes are asked for. The parameters of struct
 *ft__growth are those that make the answers likeliest, a little regularised. Reference programs are records
 *of workflow tasks (tasks/records.csv.gz: time and memory by bytes of input), recorded curves (the tables of
 *curves: time), and made laws: sums of terms and curves that level off, with noise. FOLDER: $FORETIME_DATA,
 *or ../shared/data.
 *
 * Prints growth_table.h, or writes the same to a site's FILE (FORETIME_GROWTH); on standard error, for each
 *class and distance, the interval score in ln (Gneiting and Raftery 2007) of the members alone and of the
 *belief; --cross: each workflow and group of curves by parameters that were learned without it.
 */
#include "base/alloc.h"
#include "base/csv.h"
#include "base/files.h"
#include "base/random.h"
#include "curve.h"
#include "foretime/base.h"
#include "model/model.h"
#include "num/num.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	RUNS_MOST = 40,
	CURVE_RUNS_MOST = 360,
	MEMBERS = 14,
	FOLDS_MOST = 32,
	FAR_MOST = 4,
	RECORDS_LEAST = 15
};

/* One size asked for beyond what is known. */
struct question {
	enum ft_resource_class of;
	int fold, kind; /* of folds[], kinds[] */
	double far, work, y, noise, weight;
	double scatter_low, scatter_high; /* 90 % of single runs about the typical one */
	struct ft__growth_edge edge;
	double mean[MEMBERS], deviation[MEMBERS], share[MEMBERS], power[MEMBERS];
	size_t members;
};

static struct question *questions;
static size_t n_questions, capacity;
static char folds[FOLDS_MOST][64], kinds[64][48];
static size_t n_folds, n_kinds;

static int index_of(char list[][64], size_t *n, size_t most, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(list[i], name))
			return (int)i;
	if (*n == most)
		return (int)most - 1;
	(void)snprintf(list[*n], 64, "%s", name);
	return (int)(*n)++;
}

static int kind_of(const char *name)
{
	for (size_t i = 0; i < n_kinds; i++)
		if (!strcmp(kinds[i], name))
			return (int)i;
	(void)snprintf(kinds[n_kinds], sizeof kinds[0], "%s", name);
	return (int)n_kinds++;
}

struct point {
	double x, work, y;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return p->x == q->x ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

/* Fit what is known, and keep what its members say of the sizes asked for. The weight is shared later. */
static void ask(enum ft_resource_class of, int fold, int kind, struct point *low, size_t n,
		const struct point *far, size_t n_far, double weight)
{
	const struct ft__blend_options options = {.of = of};
	double ln[CURVE_RUNS_MOST];
	struct ft__engine engine;
	struct ft__blend blend = {0};
	bool work = false;
	size_t j;

	qsort(low, n, sizeof *low, compare_points);
	for (size_t i = 1; i < n; i++)
		work = work || low[i].work != low[0].work;
	ft__engine_init(&engine, 0, log(low[n - 1].x / low[0].x), work);
	for (size_t i = 0; i < n; i = j) {
		for (j = i; j < n && low[j].x == low[i].x; j++)
			ln[j - i] = log(low[j].y);
		if (ft__engine_set(&engine, low[i].x, work ? low[i].work : 1, ln, j - i, NULL))
			exit(2);
	}
	if (ft__blend_make(&blend, &engine, &options, NULL))
		exit(2);
	for (size_t i = 0; i < n_far; i++) {
		struct question q = {.of = of, .fold = fold, .kind = kind, .edge = blend.edge};
		double asked = work ? far[i].work : 1, scatter;
		struct ft__growth_belief b;

		scatter = sqrt(ft__blend_members(&blend, far[i].x, asked, true, &b));
		q.far = log(far[i].x / low[n - 1].x);
		q.work = log(asked / (work ? low[n - 1].work : 1));
		q.y = log(far[i].y) - blend.runs.median * scatter;
		q.scatter_low = ft__scatter_quantile(&blend.runs, 0.05) * scatter;
		q.scatter_high = ft__scatter_quantile(&blend.runs, 0.95) * scatter;
		q.noise = fmax(pow((q.scatter_high - q.scatter_low) / 3.29, 2), 2.5e-5);
		q.weight = weight / (double)n_far;
		q.members = b.n;
		for (size_t k = 0; k < b.n; k++) {
			q.mean[k] = b.mean[k] + log(asked);
			q.deviation[k] = b.deviation[k];
			q.share[k] = b.weight[k];
			q.power[k] = b.power[k];
		}
		if (!(q.far > 0.5))
			continue;
		if (n_questions == capacity) {
			capacity = 2 * capacity + 1024;
			questions = realloc(questions, capacity * sizeof *questions);
			if (!questions)
				exit(2);
		}
		questions[n_questions++] = q;
	}
	ft__blend_clear(&blend);
	ft__engine_clear(&engine);
}

/* ---- reference programs ------------------------------------------------------------------------------- */

static void ask_task(const struct point *all, size_t n, enum ft_resource_class of, const char *workflow,
		     double weight, struct ft_random *random)
{
	static const double parts[] = {3, 10, 30};
	struct point *low = calloc(n, sizeof *low), *far = calloc(n, sizeof *far);
	double most = all[n - 1].x;
	char name[48];

	for (size_t p = 0; p < 3; p++) {
		size_t below = 0, above = 0;

		for (size_t i = 0; i < n; i++) {
			if (all[i].x >= 0.7 * most)
				far[above++] = all[i];
			if (all[i].x <= most * 1.02 / parts[p])
				low[below++] = all[i];
		}
		if (below < 5 || low[below - 1].x < 1.5 * low[0].x)
			continue;
		ft_random_shuffle(random, low, below, sizeof *low);
		ft_random_shuffle(random, far, above, sizeof *far);
		(void)snprintf(name, sizeof name, "%s of tasks, x%g", of ? "memory" : "time", parts[p]);
		ask(of, index_of(folds, &n_folds, FOLDS_MOST, workflow), kind_of(name), low,
		    below < RUNS_MOST ? below : RUNS_MOST, far, above < FAR_MOST ? above : FAR_MOST, weight);
	}
	free(low);
	free(far);
}

/* Records of one task on one machine stand together once they are sorted. */
struct record {
	char key[256], program[256], workflow[64]; /* a task on a machine; the same on any machine */
	double size, value[2];
};

static int compare_records(const void *a, const void *b)
{
	const struct record *p = a, *q = b;
	int order = strcmp(p->key, q->key);

	return order ? order : (p->size > q->size) - (p->size < q->size);
}

static void ask_tasks(const char *folder)
{
	struct ft_random random = {7};
	struct ft_csv *csv;
	struct ft_err err;
	size_t j, n = 0;
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/tasks/records.csv.gz", folder);
	if (ft_csv_read(path, ',', &csv, &err)) {
		(void)fprintf(stderr, "learn-growth: %s\n", err.text);
		exit(2);
	}
	size_t rows = ft_csv_rows(csv);
	struct record *record = calloc(rows + 1, sizeof *record);
	struct point *point = calloc(rows + 1, sizeof *point);
	for (size_t i = 0; i < rows; i++) {
		struct record *r = &record[n];
		double number[3] = {0};
		static const char *const names[] = {"size", "peak", "seconds"};

		for (size_t k = 0; k < 3; k++)
			(void)ft_csv_number(csv, i, (size_t)ft_csv_column(csv, names[k]), true, &number[k],
					    NULL);
		if (!(number[0] > 0 && number[1] > 0))
			continue;
		r->size = number[0];
		r->value[0] = number[2];
		r->value[1] = number[1];
		(void)snprintf(r->workflow, sizeof r->workflow, "%s",
			       ft_csv_cell(csv, i, (size_t)ft_csv_column(csv, "workflow")));
		(void)snprintf(r->key, sizeof r->key, "%s/%s/%s/%s",
			       ft_csv_cell(csv, i, (size_t)ft_csv_column(csv, "set")), r->workflow,
			       ft_csv_cell(csv, i, (size_t)ft_csv_column(csv, "machine")),
			       ft_csv_cell(csv, i, (size_t)ft_csv_column(csv, "task")));
		(void)snprintf(r->program, sizeof r->program, "%s/%s", r->workflow,
			       ft_csv_cell(csv, i, (size_t)ft_csv_column(csv, "task")));
		n++;
	}
	ft_csv_free(csv);
	qsort(record, n, sizeof *record, compare_records);
	for (size_t i = 0; i < n; i = j) {
		double machines = 0;

		for (j = i; j < n && !strcmp(record[j].key, record[i].key); j++)
			;
		for (size_t k = 0; k < n; k++)
			machines += (!k || strcmp(record[k].key, record[k - 1].key) != 0) &&
				    !strcmp(record[k].program, record[i].program);
		for (int of = 0; of < 2; of++) {
			size_t m = 0;

			for (size_t k = i; k < j; k++)
				if (record[k].value[of] > 0)
					point[m++] = (struct point){record[k].size, 1, record[k].value[of]};
			if (m >= RECORDS_LEAST && point[m - 1].x >= 4 * point[0].x)
				ask_task(point, m, of ? FT_CLASS_MEMORY : FT_CLASS_TIME, record[i].workflow,
					 1 / sqrt(machines), &random);
		}
	}
	free(record);
	free(point);
}

static void ask_curves(const char *folder)
{
	struct point low[CURVE_RUNS_MOST], far[FAR_MOST];
	char path[4096], name[64];
	struct curve curve;
	size_t at = 0, i, k, n;

	(void)snprintf(path, sizeof path, "%s/curves", folder);
	while (curve_next(&curve, path, &at)) {
		const struct curve_size *last = &curve.size[curve.n - 1];

		curve_shuffle(&curve, 1);
		for (int turn = 0; turn < 4; turn++) {
			double times = turn & 1 ? 8 : 4;
			size_t step = 1, sizes = 0;

			while (sizes < curve.n && curve.size[sizes].n <= last->n / times)
				sizes++;
			if (sizes < 4)
				continue;
			step += sizes / (CURVE_RUNS_MOST / 3);
			for (n = 0, i = (sizes - 1) % step; i < sizes; i += step)
				for (k = 0; k < curve.size[i].samples && k < 3; k++)
					low[n++] = (struct point){curve.size[i].n,
								  turn & 2 ? curve.size[i].work : 1,
								  curve.size[i].sample[k]};
			for (k = 0; k < last->samples && k < FAR_MOST; k++)
				far[k] = (struct point){last->n, turn & 2 ? last->work : 1, last->sample[k]};
			(void)snprintf(name, sizeof name, "time of curves%s, x%g",
				       turn & 2 ? ", work known" : "", times);
			ask(FT_CLASS_TIME, index_of(folds, &n_folds, FOLDS_MOST, curve.group), kind_of(name),
			    low, n, far, k, 1);
		}
		curve_clear(&curve);
	}
}

/* Laws as programs have them: a start, a term, or what levels off; some noise. */
static void ask_laws(size_t count)
{
	/* -1, -2: what levels off. Memory: what is held is mostly the input, a table or a matrix of it. */
	static const double powers[2][10] = {{0, 0.5, 1, 1, 1.5, 2, 3, 0, -1, -2},
					     {0, 0, 0.5, 1, 1, 1, 1, 2, -1, -2}};
	static const double all_logs[2][10] = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0},
					       {0, 0, 0, 1, 0, 0, 0, 0, 0, 0}},
			    parts[] = {4, 10, 50};
	struct ft_random r = {11};
	struct point low[RUNS_MOST], far;
	char name[48];

	for (size_t i = 0; i < count; i++)
		for (int of = 0; of < 2; of++) {
			double noise = exp(log(5e-4) + log(200) * ft_random_uniform(&r)),
			       top = exp(log(100) + log(1e5) * ft_random_uniform(&r));
			double start = exp(log(0.03) + log(1000) * ft_random_uniform(&r)),
			       span = 8 << ft_random_below(&r, 6);
			const double *power = powers[of], *logs = all_logs[of];
			size_t shape = ft_random_below(&r, 10), sizes = 5 + ft_random_below(&r, 8),
			       runs = 1 + ft_random_below(&r, 3), n = 0;

			for (size_t at = 0; at < sizes + 3; at++) {
				double x = at < sizes ? top * pow(span, (double)at / (double)(sizes - 1) - 1)
						      : top * parts[at - sizes];
				double u = x / top, y = start;

				y += power[shape] == -1 ? 5 * -expm1(-2 * u)
				     : power[shape] == -2
					     ? u / (0.3 + u)
					     : pow(u, power[shape]) * pow(log2(x) / log2(top), logs[shape]);
				if (at >= sizes) {
					far = (struct point){x, 1, y * exp(noise * ft_random_normal(&r))};
					size_t p = at - sizes;
					(void)snprintf(name, sizeof name, "%s of laws, x%g",
						       of ? "memory" : "time", parts[p]);
					ask(of ? FT_CLASS_MEMORY : FT_CLASS_TIME, -1, kind_of(name), low, n,
					    &far, 1, 0);
					continue;
				}
				for (size_t k = 0; k < runs; k++)
					low[n++] =
						(struct point){x, 1, y * exp(noise * ft_random_normal(&r))};
			}
		}
}

/* ---- parameters --------------------------------------------------------------------------------------- */

enum {
	BINS = FT__GROWTH_BINS,
	KINDS = FT__GROWTH_KINDS,
	LOGITS = 14,
	PARAMETERS = LOGITS + BINS * KINDS + BINS
};

static const double first[LOGITS] = {0, -0.7, -3, -2.5, -1, 0, -3, -0.5, -0.7, 0, 0, 0, -1, -1};
static const double deviation_least[KINDS] = {0.02, 0.04, 0.1};

/* Any numbers as parameters within their bounds. */
static struct ft__growth growth_of(const double *p)
{
	struct ft__growth g = {.spread = exp(p[0]), .reach = exp(p[1]), .other = exp(p[5])};
	double total = 0;

	for (size_t k = 0; k < KINDS; k++)
		g.deviation[k] = fmax(exp(p[2 + k]), deviation_least[k]);
	g.narrow = exp(p[12]);
	g.steep = exp(p[13]);
	g.step_rate = exp(p[6]);
	g.step = exp(p[7]);
	g.step_deviation = exp(p[8]);
	for (size_t k = 0; k < KINDS; k++)
		total += g.usual[k] = exp(k ? p[9 + k] : 0);
	for (size_t k = 0; k < KINDS; k++)
		g.usual[k] /= total;
	for (size_t i = 0; i < BINS; i++) {
		const double *logit = p + LOGITS + i * KINDS;
		double sum = 0;

		for (size_t k = 0; k < KINDS; k++)
			sum += g.share[i][k] = exp(logit[k]);
		for (size_t k = 0; k < KINDS; k++)
			g.share[i][k] /= sum;
		g.change[i] = p[9] + p[LOGITS + BINS * KINDS + i];
	}
	return g;
}

struct task {
	enum ft_resource_class of;
	int without; /* fold; -1: none */
};

static double ln_normal(double off, double variance)
{
	return -off * off / (2 * variance) - log(6.283185307 * variance) / 2;
}

static struct ft__growth_belief belief_of(const struct question *q, const struct ft__growth *growth)
{
	struct ft__growth_belief b = {.n = q->members};

	memcpy(b.mean, q->mean, sizeof q->mean);
	memcpy(b.deviation, q->deviation, sizeof q->deviation);
	memcpy(b.weight, q->share, sizeof q->share);
	memcpy(b.power, q->power, sizeof q->power);
	if (growth)
		ft__beyond(growth, &q->edge, q->far, q->work, &b);
	return b;
}

/* What is to be least: minus the mean ln density of what was asked for; one in a hundred may be anything. */
static double loss(const gsl_vector *v, void *context)
{
	const struct task *task = context;
	struct ft__growth growth = growth_of(v->data);
	double sum = 0, weight = 0, penalty = 0;

	for (size_t i = 0; i < n_questions; i++) {
		const struct question *q = &questions[i];
		double density = 0;

		if (q->of != task->of || (q->fold >= 0 && q->fold == task->without))
			continue;
		struct ft__growth_belief b = belief_of(q, &growth);
		for (size_t k = 0; k < b.n; k++)
			density += b.weight[k] * exp(ln_normal(q->y - b.mean[k],
							       b.deviation[k] * b.deviation[k] + q->noise));
		density = 0.99 * density + 0.01 * exp(ln_normal(q->y - q->edge.z, 4 * q->far * q->far + 0.3));
		sum -= q->weight * log(fmax(density, 1e-300));
		weight += q->weight;
	}
	for (size_t i = 0; i < PARAMETERS; i++)
		penalty += pow(v->data[i] - (i < LOGITS ? first[i] : 0), 2);
	return sum / weight + 0.0003 * penalty;
}

static void slope(const gsl_vector *v, void *context, gsl_vector *out)
{
	gsl_vector *moved = gsl_vector_alloc(PARAMETERS);
	double step = 1e-4;

	gsl_vector_memcpy(moved, v);
	double here = loss(v, context);
	for (size_t i = 0; i < PARAMETERS; i++) {
		gsl_vector_set(moved, i, v->data[i] + step);
		gsl_vector_set(out, i, (loss(moved, context) - here) / step);
		gsl_vector_set(moved, i, v->data[i]);
	}
	gsl_vector_free(moved);
}

static void both(const gsl_vector *v, void *context, double *value, gsl_vector *out)
{
	*value = loss(v, context);
	slope(v, context, out);
}

static struct ft__growth learn(enum ft_resource_class of, int without, int rounds, double *best)
{
	struct task task = {of, without};
	gsl_multimin_function_fdf function = {loss, slope, both, PARAMETERS, &task};
	gsl_multimin_fdfminimizer *minimizer =
		gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, PARAMETERS);
	gsl_vector *start = gsl_vector_calloc(PARAMETERS);

	for (int i = 0; i < LOGITS; i++)
		gsl_vector_set(start, (size_t)i, first[i]);
	gsl_vector_set(start, LOGITS, 2);                 /* level stays level */
	gsl_vector_set(start, LOGITS + 3 * KINDS + 1, 2); /* and proportional proportional */
	(void)gsl_set_error_handler_off();
	(void)gsl_multimin_fdfminimizer_set(minimizer, &function, start, 0.1, 0.1);
	for (int i = 0; i < rounds && !gsl_multimin_fdfminimizer_iterate(minimizer); i++)
		;
	*best = minimizer->f;
	struct ft__growth out = growth_of(minimizer->x->data);
	if (of != FT_CLASS_TIME)
		out.step_rate = 0;
	gsl_multimin_fdfminimizer_free(minimizer);
	gsl_vector_free(start);
	return out;
}

/* ---- what is printed ---------------------------------------------------------------------------------- */

static void print_numbers(const double *n, size_t count)
{
	for (size_t i = 0; i < count; i++)
		(void)printf("%s%.3g", i ? ", " : "{", n[i]);
	(void)printf("}");
}

static void print_growth(const char *name, const struct ft__growth *g)
{
	(void)printf("\t[%s] = {\n\t\t.change = ", name);
	print_numbers(g->change, BINS);
	(void)printf(",\n\t\t.spread = %.3g,\n\t\t.reach = %.3g,\n\t\t.share = {", g->spread, g->reach);
	for (size_t i = 0; i < BINS; i++) {
		(void)printf(i ? ", " : "");
		print_numbers(g->share[i], KINDS);
	}
	(void)printf("},\n\t\t.deviation = ");
	print_numbers(g->deviation, KINDS);
	(void)printf(",\n\t\t.usual = ");
	print_numbers(g->usual, KINDS);
	(void)printf(",\n\t\t.other = %.3g,\n\t\t.narrow = %.3g,\n\t\t.steep = %.3g,\n\t\t.step_rate = "
		     "%.3g,\n\t\t.step = %.3g,\n\t\t.step_deviation "
		     "= %.3g,\n\t},\n",
		     g->other, g->narrow, g->steep, g->step_rate, g->step, g->step_deviation);
}

/* learned: of time and of memory. */
static int write_site(const char *path, const struct ft__growth learned[2])
{
	struct ft__growth all[FT_CLASSES] = {[FT_CLASS_TIME] = learned[0],
					     [FT_CLASS_ENERGY] = learned[0],
					     [FT_CLASS_MEMORY] = learned[1],
					     [FT_CLASS_COUNT] = learned[0]};
	struct ft_text text = {0};

	all[FT_CLASS_COUNT].step_rate = 0;
	ft__prior_print(all, &text);
	bool good = !text.failed && !ft__file_exchange(path, text.s, text.length);
	if (!good)
		perror(path);
	ft_text_clear(&text);
	return good ? 0 : 2;
}

static int compare_numbers(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Members alone, and the belief: how near, how often within 90 %, how often above, score, upper end by truth.
 */
static void print_scores(const struct ft__growth growth[FOLDS_MOST + 1][2])
{
	(void)fprintf(
		stderr,
		"| | questions | error, median | held | above | score | upper / used, median | 90 %% |\n"
		"|---|---|---|---|---|---|---|---|\n");
	for (size_t k = 0; k < n_kinds; k++)
		for (size_t which = 0; which < 2; which++) {
			static double error[20000], ratio[20000];
			double held = 0, above = 0, score = 0;
			size_t n = 0;

			for (size_t i = 0; i < n_questions && n < 20000; i++) {
				const struct question *q = &questions[i];

				if (q->kind != (int)k)
					continue;
				struct ft__growth_belief b =
					belief_of(q, which ? &growth[q->fold + 1][q->of] : NULL);
				double z = ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, 0.5);
				double low = z - hypot(z - ft_normals_quantile(b.mean, b.deviation, b.weight,
									       b.n, 0.05),
						       q->scatter_low);
				double high = z + hypot(ft_normals_quantile(b.mean, b.deviation, b.weight,
									    b.n, 0.95) -
								z,
							q->scatter_high);
				error[n] = fabs(expm1(z - q->y));
				ratio[n++] = exp(high - q->y);
				held += low <= q->y && q->y <= high;
				above += q->y > high;
				score += high - low + 20 * fmax(0, low - q->y) + 20 * fmax(0, q->y - high);
			}
			if (!n)
				continue;
			qsort(error, n, sizeof *error, compare_numbers);
			qsort(ratio, n, sizeof *ratio, compare_numbers);
			(void)fprintf(stderr,
				      "| %s, %s | %zu | %.1f %% | %.1f %% | %.1f %% | %.2f | %.2f | %.3g |\n",
				      kinds[k], which ? "learned" : "members alone", n, 100 * error[n / 2],
				      100 * held / (double)n, 100 * above / (double)n, score / (double)n,
				      ratio[n / 2], ratio[n * 9 / 10]);
		}
}

int main(int argc, char **argv)
{
	static struct ft__growth growth[FOLDS_MOST + 1][2];
	const char *folder = getenv("FORETIME_DATA"), *site = NULL;
	int rounds = 60, cross = 0;
	double weight[2] = {0}, laws[2] = {0}, best;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
			rounds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--cross"))
			cross = 1;
		else if (!strcmp(argv[i], "--site") && i + 1 < argc)
			site = argv[++i];
		else
			folder = argv[i];
	}
	folder = folder ? folder : "../shared/data";
	ask_tasks(folder);
	ask_curves(folder);
	ask_laws(300);
	/* Laws count together half as much as all others: programs are measured to be asked, too. */
	for (size_t k = 0; k < n_questions; k++) {
		weight[questions[k].of] += questions[k].weight;
		laws[questions[k].of] += questions[k].fold < 0;
	}
	for (size_t k = 0; k < n_questions; k++)
		if (questions[k].fold < 0)
			questions[k].weight = 0.5 * weight[questions[k].of] / laws[questions[k].of];
	for (int of = 0; of < 2; of++) {
		growth[0][of] = learn((enum ft_resource_class)of, -1, rounds, &best);
		(void)fprintf(stderr, "%s: %.4f\n", of ? "memory" : "time", best);
		for (size_t k = 0; k < n_folds; k++)
			growth[k + 1][of] = cross ? learn((enum ft_resource_class)of, (int)k, rounds, &best)
						  : growth[0][of];
	}
	if (site) {
		print_scores((const struct ft__growth(*)[2])growth);
		free(questions);
		return write_site(site, growth[0]);
	}
	(void)printf(
		"/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
		"/* growth_table.h - how costs go on beyond the sizes measured, by resource class: made by\n"
		" * tools/learn-growth from reference data; doc/growth.md, has how well it "
		"holds. */\n"
		"#ifndef FT_MODEL_GROWTH_TABLE_H\n#define FT_MODEL_GROWTH_TABLE_H\n\n#include "
		"\"model/beyond.h\"\n\n"
		"const double ft__growth_slopes[FT__GROWTH_BINS] = ");
	print_numbers(ft__growth_slopes, BINS);
	(void)printf(";\n\nconst struct ft__growth ft__growths[FT_CLASSES] = {\n");
	print_growth("FT_CLASS_TIME", &growth[0][0]);
	print_growth("FT_CLASS_ENERGY", &growth[0][0]);
	print_growth("FT_CLASS_MEMORY", &growth[0][1]);
	/* Counts grow as the time of an even processor does: no levels of memory. */
	growth[0][0].step_rate = 0;
	print_growth("FT_CLASS_COUNT", &growth[0][0]);
	(void)printf("};\n\n#endif\n");
	print_scores((const struct ft__growth(*)[2])growth);
	free(questions);
	return 0;
}
