/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how good the answers to questions are, over kinds of programs: what is asked of a batch
 * system, as a number, a formula and knots, the largest size, the flat parameters, what a running program
 * will come to. */
#include "scores.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"
#include "base/random.h"
#include "foretime/base.h"
#include "foretime/ask.h"

/* ---- formulas above points ------------------------------------------------------------------------------
 */

enum { POINTS = 120, COVERS = 5 };

/* Points over one axis or several: a start, a power, a jump, ripples. */
static const struct points {
	const char *name;
	size_t axes;
	double start, jump, ripple;
	bool falls;    /* along the last axis */
	double was[2]; /* the scores: numbers that are written; how far it is above, in the mean */
} clouds[] = {
	{.name = "a power", .axes = 1, .was = {2, 0.010121}},
	{.name = "a start and a power", .axes = 1, .start = 1, .was = {3.4, 0.0058655}},
	{.name = "a jump", .axes = 1, .start = 0.1, .jump = 3, .was = {8.2, 0.10991}},
	{.name = "ripples", .axes = 1, .start = 0.3, .ripple = 0.3, .was = {3, 0.24511}},
	{.name = "two axes", .axes = 2, .start = 0.5, .was = {4, 0.011582}},
	{.name = "two axes, one falls, a jump", .axes = 2, .jump = 2, .falls = true, .was = {7, 0.0069291}},
	{.name = "three axes", .axes = 3, .start = 0.2, .ripple = 0.1, .was = {5, 0.057087}},
};

static void make_points(const struct points *cloud, struct ft__floor *point, double *end,
			struct ft_random *random)
{
	double power[3], at = 2 + 4 * ft_random_uniform(random), level = 0;

	for (size_t a = 0; a < cloud->axes; a++) {
		power[a] = 0.3 + 2 * ft_random_uniform(random);
		level += power[a] * 4;
	}
	if (cloud->falls)
		power[cloud->axes - 1] = -0.7;
	for (size_t i = 0; i < POINTS; i++) {
		double ln = 0;

		for (size_t a = 0; a < cloud->axes; a++) {
			point[i].ln[a] = cloud->axes > 1 ? floor(6 * ft_random_uniform(random)) * 1.5
							 : 8 * (double)i / (POINTS - 1);
			ln += power[a] * point[i].ln[a];
		}
		ln += cloud->ripple * sin(3 * point[i].ln[0]);
		point[i].value = exp(ln) * (cloud->jump > 0 && point[i].ln[0] > at ? cloud->jump : 1) +
				 cloud->start * exp(level);
		point[i].weight = 1.0 / POINTS;
	}
	for (size_t i = 0; i < 5; i++)
		end[i] = exp(0.5 + 1.5 * (double)i);
}

/* What is written of a formula: a reader counts the numbers. */
static double numbers(const struct ft__cover *cover)
{
	double n = 0;

	for (size_t i = 0; i < cover->n; i++) {
		const struct ft__term *term = &cover->term[i];

		n += (term->a > 0) + (term->b > 0) + !isnan(term->from) + !isnan(term->upto);
		for (size_t a = 0; a < cover->axes && term->b > 0; a++)
			n += term->power[a] != 0 && fabs(term->power[a]) != 1;
	}
	return n;
}

static void test_cover(const struct points *cloud, uint64_t seed)
{
	static struct ft__floor point[POINTS];
	const struct ft__extent data[3] = {{1, exp(8)}, {1, exp(8)}, {1, exp(8)}};
	struct ft_random random = {seed};
	double end[15], above = 0, written = 0;
	struct ft__cover cover;
	bool good = true;

	for (size_t i = 0; i < 15; i++)
		end[i] = NAN;
	for (size_t k = 0; k < COVERS; k++) {
		double mean = 0;

		make_points(cloud, point, end, &random);
		good = good && !ft__cover_fit(point, POINTS, cloud->axes, data, end, 5, &cover);
		for (size_t i = 0; i < POINTS && good; i++) {
			double value = ft__cover_value(&cover, point[i].ln);

			good = value >= point[i].value * (1 - 1e-9);
			mean += (value / point[i].value - 1) / POINTS;
		}
		above += mean;
		written += numbers(&cover);
	}
	ok(good, "%s: all points lie below", cloud->name);
	test_score(cloud->name, "numbers", written / COVERS, cloud->was[0]);
	test_score(cloud->name, "above", above / COVERS, cloud->was[1]);
}

/* ---- programs of a store ------------------------------------------------------------------------------- */

enum { PROGRAMS = 3, QUESTIONS = 12 };

static const struct kind {
	const char *name, *range_n, *range_m;
	int sizes, runs;
	double noise, start; /* start: share of what it takes at the largest size */
	bool together;       /* m is always n, and both change nothing: that cannot be told */
	bool flat;           /* m changes nothing */
	double was[6]; /* the scores: a request; its formula; its length; knots; their number; the largest
			   size */
} kinds[] = {
	{.name = "a power",
	 .range_n = "n=10:10000",
	 .sizes = 10,
	 .runs = 3,
	 .noise = 0.05,
	 .was = {0.95392, 0.05199, 85.333, 0.00030595, 39.667, 1.519}},
	{.name = "a start",
	 .range_n = "n=10:10000:10",
	 .sizes = 14,
	 .runs = 2,
	 .noise = 0.1,
	 .start = 0.05,
	 .was = {0.98704, 0.046508, 54.667, 0.00062202, 52, 1.9554}},
	{.name = "few sizes",
	 .range_n = "n=10:10000",
	 .sizes = 4,
	 .runs = 2,
	 .noise = 0.02,
	 .was = {0.94068, 0.079126, 68.333, 0.0007822, 40, 1.1447}},
	{.name = "two parameters",
	 .range_n = "n=10:1000",
	 .range_m = "m=1:30",
	 .sizes = 20,
	 .runs = 1,
	 .noise = 0.05,
	 .was = {1.2698, 0.19961, 101.67, 0, 0, 3.5975}},
	{.name = "one that changes nothing",
	 .range_n = "n=10:1000",
	 .range_m = "m=1:30",
	 .sizes = 20,
	 .runs = 2,
	 .noise = 0.03,
	 .flat = true,
	 .was = {0.63431, 0.071718, 50.333, 0, 0, 0.45828}},
	{.name = "two that are one",
	 .range_n = "n=10:1000",
	 .range_m = "m=10:1000",
	 .sizes = 12,
	 .runs = 2,
	 .noise = 0.03,
	 .together = true,
	 .was = {0.35065, 9.9855, 239, 0, 0, 8.4821}},
};

struct program {
	const struct kind *kind;
	double p, q, m, start;
};

static double seconds(const struct program *g, double n, double m)
{
	return g->start + pow(n / 100, g->kind->together ? 0 : g->p) *
				  (g->kind->range_m ? pow(m, g->kind->together ? 0 : g->m) : 1);
}

static double bytes(const struct program *g, double n)
{
	return 3e7 + 1e4 * pow(n, g->q);
}

static double other(const struct kind *kind, double n, struct ft_random *random)
{
	if (kind->together)
		return n;
	return kind->range_m ? 1 + floor(30 * ft_random_uniform(random)) : 0;
}

static struct program add(const struct kind *kind, const char *name, struct ft_random *random)
{
	int64_t id = add_program(name, kind->range_n, kind->range_m);
	struct program g = {kind, 0.3 + 2.5 * ft_random_uniform(random), 0.5 + ft_random_uniform(random), 1,
			    0};
	double most = kind->range_m ? 1000 : 10000;

	g.m = kind->flat ? 0 : 0.5 + ft_random_uniform(random);
	g.start = kind->start * seconds(&g, most, 30);
	for (int i = 0; i < kind->sizes; i++) {
		double n = 10 * round(pow(most / 10, (double)i / (kind->sizes - 1))),
		       m = other(kind, n, random);

		for (int k = 0; k < kind->runs; k++)
			add_run(id, made_run(kind->range_m ? 2 : 1, n, m,
					     seconds(&g, n, m) * exp(kind->noise * ft_random_normal(random)),
					     bytes(&g, n), NAN));
	}
	return g;
}

/* What is asked for beyond what is used; a job that is ended for want of it counts 1 / risk. */
static double score_of_request(double most, double used)
{
	return log(fmax(most / used, 1)) + (used > most ? 10 : 0);
}

static double expression_at(const struct ft_request_expression *e, const struct ft_size *size)
{
	static const char *const name[] = {"n", "m"};
	struct ft_expr *expr;
	double value = NAN;

	if (!e->text || ft_expr_new(&expr, e->text, NULL))
		return NAN;
	(void)ft_expr_eval(expr, name, size->value, size->n, &value, NULL);
	ft_expr_free(expr);
	return value;
}

static double drawn(const struct ft_request_knots *knots, double at)
{
	size_t i = 1;

	while (i + 1 < knots->n && knots->knot[i].at < at)
		i++;
	double share = log(at / knots->knot[i - 1].at) / log(knots->knot[i].at / knots->knot[i - 1].at);
	return exp((1 - share) * log(knots->knot[i - 1].most_s) + share * log(knots->knot[i].most_s));
}

static void ask_requests(const struct program *g, struct ft_answerer *models, struct ft_random *random,
			 double *score)
{
	struct ft_size any = ft_ask_any_size(models);
	struct ft_request_expressions all = {0};
	struct ft_request_knots knots = {0};
	const bool open[] = {true, g->kind->range_m && !g->kind->flat};
	bool lines = !g->kind->range_m;

	if (ft_ask_request_expressions(models, &any, open, 0.1, &all, NULL) ||
	    (lines && ft_ask_request_knots(models, &any, 0.1, &knots, NULL)))
		score[0] = INFINITY;
	for (int i = 0; i < QUESTIONS && isfinite(score[0]); i++) {
		double n = round(8 * pow(g->kind->range_m ? 200 : 2000, ft_random_uniform(random)));
		struct ft_size at = {any.n, {n, other(g->kind, n, random)}};
		double used = seconds(g, n, at.value[1]) * exp(g->kind->noise * ft_random_normal(random));
		struct ft_request q = {0};

		score[0] += ft_ask_request(models, &at, 0.1, &q, NULL) ? INFINITY : 0;
		score[0] +=
			(score_of_request(q.time.most, used) + score_of_request(q.memory.most, bytes(g, n))) /
			QUESTIONS;
		score[1] += (log(expression_at(&all.time, &at) / q.time.most) +
			     log(expression_at(&all.memory, &at) / q.memory.most)) /
			    QUESTIONS;
		score[3] += lines && n >= 10 ? fabs(log(drawn(&knots, n) / q.time.most)) / QUESTIONS : 0;
	}
	if (all.time.text && all.memory.text)
		score[2] += (double)(strlen(all.time.text) + strlen(all.memory.text));
	score[4] += (double)knots.n;
	ft_request_knots_clear(&knots);
	ft_request_expressions_clear(&all);
}

/* Beside the size at which nine in ten runs keep the limit. */
static double ask_largest(const struct program *g, struct ft_answerer *models, struct ft_random *random)
{
	double n = 20 * pow(g->kind->range_m ? 100 : 1000, ft_random_uniform(random)), off;
	struct ft_limit limit[2] = {{.resource = &ft_wall_s}, {.resource = &ft_peak_tree_bytes}};
	struct ft_size fixed = ft_ask_any_size(models);
	struct ft_largest found;

	limit[0].most = seconds(g, n, fixed.value[1]) * exp(1.2816 * g->kind->noise);
	limit[1].most = bytes(g, n * 1.5);
	if (ft_ask_largest(models, limit, 2, &fixed, 0, 0.9, &found, NULL) || found.kind != FT_LARGEST_FOUND)
		return 10;
	off = log(found.size.value[0] / n);
	return fabs(off) + (off > 0 ? 9 * off : 0) + (limit[0].binds ? 0 : 1);
}

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const char *const what[] = {"requests", "formulas",        "length",
					   "knots",    "number of knots", "the largest size"};
	struct ft_random random = {seed};
	double score[6] = {0};
	bool flat_told = true;

	for (int i = 0; i < PROGRAMS; i++) {
		bool flat[FT_PARAMS_MAX];
		char name[64];

		(void)snprintf(name, sizeof name, "p%d-%d", (int)(kind - kinds), i);
		struct program g = add(kind, name, &random);
		struct ft_answerer *models = open_models(name);
		struct ft_size any = ft_ask_any_size(models);
		ask_requests(&g, models, &random, score);
		for (int k = 0; k < 3; k++)
			score[5] += ask_largest(&g, models, &random) / 3;
		flat_told = flat_told && !ft_ask_flat(models, &ft_wall_s, &any, flat, NULL) && !flat[0] &&
			    flat[1] == kind->flat && !flat[2];
		ft_ask_close(models);
	}
	ok(flat_told, "%s: the parameters that change nothing are told", kind->name);
	for (int i = 0; i < 6; i++)
		test_score(kind->name, what[i], score[i] / PROGRAMS, kind->was[i]);
}

/* ---- programs that run --------------------------------------------------------------------------------- */

enum { PARTS = 200, REPLAYS = 20 };

/* Work done = (share of its time)^power; what a normal run is like is known, or not. */
static const struct replay {
	const char *name;
	double noise, slow, power;
	bool known;
	double was[3]; /* the scores: the forecast; the least; when it is said to be late */
} replays[] = {
	{.name = "as promised", .noise = 0.1, .slow = 1, .power = 1, .was = {1.0307, 1.8197, 0}},
	{.name = "as promised, known",
	 .noise = 0.1,
	 .slow = 1,
	 .power = 2,
	 .known = true,
	 .was = {0.1652, 0.85131, 0}},
	{.name = "slow", .noise = 0.1, .slow = 1.5, .power = 1, .was = {1.0305, 1.6031, 0.69097}},
	{.name = "slow, known",
	 .noise = 0.2,
	 .slow = 1.4,
	 .power = 0.5,
	 .known = true,
	 .was = {0.083105, 0.93341, 0.45556}},
	{.name = "slower and slower",
	 .noise = 0.05,
	 .slow = 1.6,
	 .power = 0.5,
	 .was = {1.0107, 1.777, 0.21286}},
	{.name = "faster and faster",
	 .noise = 0.05,
	 .slow = 1.6,
	 .power = 2,
	 .was = {2.2421, 2.2457, 0.77874}},
};

static void look(const struct replay *r, const struct ft_stage *normal, struct ft_random *random,
		 double *score)
{
	const struct ft_promise promise = {1, 1.25, NAN, NAN, NAN};
	const double stays = exp(-10.0 / PARTS);
	double until[PARTS + 1] = {0}, wander = r->noise * ft_random_normal(random), late = NAN;
	struct ft_outlook outlook;
	struct ft_breach breach;

	for (int i = 1; i <= PARTS; i++) {
		wander = stays * wander + sqrt(1 - stays * stays) * r->noise * ft_random_normal(random);
		until[i] = until[i - 1] + r->slow * exp(wander) / PARTS;
	}
	(void)ft_outlook_begin(&outlook, &promise, normal, normal ? 10 : 0, NULL);
	for (int i = 1; i <= PARTS; i++) {
		const struct ft_outlook_look at = {until[i], pow((double)i / PARTS, r->power), NAN, NAN, 0};

		if (ft_outlook_look(&outlook, &at, &breach) && isnan(late))
			late = until[i] / until[PARTS];
		if ((i % (PARTS / 4) && i != PARTS / 20) || i == PARTS)
			continue;
		struct ft_forecast f = ft_outlook_forecast(&outlook, until[i]);
		score[0] += isnan(f.total_s) ? 1 : fabs(log(f.total_s / until[PARTS])) / 4;
		score[1] += isnan(f.least_s)
				    ? 1
				    : (log(until[PARTS] / f.least_s) + (f.least_s > until[PARTS]) * 20) / 4;
	}
	score[2] += until[PARTS] > promise.upper_s ? (isnan(late) ? 1 : late) : !isnan(late) * 5;
}

static void test_replay(const struct replay *r, uint64_t seed)
{
	static const char *const what[] = {"the forecast", "the least", "late"};
	struct ft_random random = {seed};
	struct ft_stage normal[10];
	double score[3] = {0};

	/* Nothing is known of its first tenth. */
	for (int i = 0; i <= 9; i++)
		normal[i] = (struct ft_stage){pow((i + 1) / 10.0, r->power), (i + 1) / 10.0};
	for (int i = 0; i < REPLAYS; i++)
		look(r, r->known ? normal : NULL, &random, score);
	for (int i = 0; i < 3; i++)
		test_score(r->name, what[i], score[i] / REPLAYS, r->was[i]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof clouds / sizeof *clouds; i++)
		test_cover(&clouds[i], 100 * (i + 1));
	open_store();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += test_sanitized() ? 3 : 1)
		test_kind(&kinds[i], 1000 * (i + 1));
	ft_store_close(store);
	temp_remove();
	for (size_t i = 0; i < sizeof replays / sizeof *replays; i++)
		test_replay(&replays[i], 5000 * (i + 1));
	return done();
}
