/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.c - made curves: what a typical run takes is known, and how runs scatter about it. */
#include "base/alloc.h"
#include "base/random.h"
#include "noise.h"
#include "part.h"

#include <math.h>

enum { SIZES_MOST = 4096, MARKED_MOST = 400, PARAMETERS = 2 };

/* ---- shapes: a factor of the time at n; u: ln n from 0 to 1; p: random, 0..1 ----------------------------
 */

typedef double shape(double n, double u, const double *p);

static double smooth(double n, double u, const double *p)
{
	(void)n;
	return 1 + 0.25 * sin(2.5 * u + 2 * M_PI * p[0]);
}

static double kinks(double n, double u, const double *p)
{
	(void)n;
	return exp(1.2 * fmax(0, u - 0.3 - 0.2 * p[0]) - 2 * fmax(0, u - 0.6 - 0.2 * p[1]));
}

static double cliff(double n, double u, const double *p)
{
	(void)n;
	return u > 0.4 + 0.5 * p[0] ? 1.5 + p[1] : 1;
}

static double dips(double n, double u, const double *p)
{
	(void)u;
	(void)p;
	return fmod(n, 8) < 1 ? 1 / 0.75 : 1;
}

static double tooth(double at)
{
	return exp(0.4 * (at - floor(at) - 0.5));
}

static double saw_octave(double n, double u, const double *p)
{
	(void)u;
	return tooth(log2(n) + p[0]);
}

static double saw_half_more(double n, double u, const double *p)
{
	(void)u;
	return tooth(log(n) / log(1.5) + p[0]);
}

/* Teeth of one length. */
static double saw_pages(double n, double u, const double *p)
{
	(void)u;
	return tooth((n + floor(64 * p[0])) / 512);
}

static double parity(double n, double u, const double *p)
{
	(void)u;
	(void)p;
	return fmod(n, 2) < 1 ? 1 : 1.3;
}

/* Rows and columns are filled up to whole blocks. */
static double blocks(double n, double u, const double *p)
{
	double whole = 48 * ceil(n / 48) / n;

	(void)u;
	(void)p;
	return whole * whole;
}

static const struct {
	const char *name;
	shape *factor;
} shapes[] = {
	{"smooth", smooth},     {"kinks", kinks},      {"cliff", cliff},
	{"dips", dips},         {"saw 2", saw_octave}, {"saw 1.5", saw_half_more},
	{"saw 512", saw_pages}, {"parity", parity},    {"blocks 48", blocks},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- lattices ------------------------------------------------------------------------------------------ */

static size_t dense(double *size)
{
	size_t i;

	for (i = 0; 64 + i <= 4096; i++)
		size[i] = 64 + (double)i;
	return i;
}

static size_t add(double *size, size_t n, double x, double most)
{
	if (x <= most && (!n || x > size[n - 1]))
		size[n++] = x;
	return n;
}

/* n, n + 1, and the next multiple of 8. */
static size_t sparse(double *size)
{
	size_t n = 0;

	for (size_t i = 0; i < 70; i++) {
		double base = round(64 * pow(256, (double)i / 69));

		n = add(size, n, base, 16384);
		n = add(size, n, base + 1, 16384);
		n = add(size, n, 8 * ceil((base + 1) / 8), 16384);
	}
	return n;
}

static const struct {
	const char *name;
	size_t (*sizes)(double *size);
	bool strided;
} lattices[] = {{"dense", dense, true}, {"sparse", sparse, false}};
enum { LATTICES = sizeof lattices / sizeof *lattices };

/* ---- one curve ----------------------------------------------------------------------------------------- */

struct made {
	double size[SIZES_MOST], typical[SIZES_MOST], scale[SIZES_MOST];
	size_t n;
	const struct noise *noise;
	uint64_t seed;
};

static double work_at(void *ctx, double x)
{
	(void)ctx;
	return x * x;
}

static double seconds_at(const void *ctx, size_t i, size_t k, size_t turn)
{
	const struct made *made = ctx;
	uint64_t seed = made->seed + 0x9e3779b97f4a7c15u * (i + 1) + 0xd1b54a32d192ed03u * (k + 1);
	struct ft_random random = {made->noise->lasts > 0 ? made->seed : seed};

	return made->typical[i] *
	       exp(made->noise->lasts > 0 ? noise_lasting(made->noise, made->scale[i], &random, turn)
					  : noise_draw(made->noise, made->scale[i], ft_random_bits(&random)));
}

static void make(struct made *made, size_t lattice, shape *factor, const struct noise *noise, unsigned seed)
{
	struct ft_random random = {seed};
	double p[PARAMETERS], first, last;

	for (size_t i = 0; i < PARAMETERS; i++)
		p[i] = ft_random_uniform(&random);
	made->seed = ft_random_bits(&random);
	made->noise = noise;
	made->n = lattices[lattice].sizes(made->size);
	first = made->size[0];
	last = made->size[made->n - 1];
	for (size_t i = 0; i < made->n; i++) {
		double n = made->size[i], u = log(n / first) / log(last / first);

		made->typical[i] = (1e-8 * n * n * (1 + 200 / n) + 2e-5) * factor(n, u, p);
		made->scale[i] = noise_scale(noise, u);
	}
}

static enum ft_status mark_size(struct marks *m, const struct made *made, const struct replay *r, size_t i,
				struct ft_err *err)
{
	double n = made->size[i], scale = made->scale[i], typical = made->typical[i], held;
	struct subject_answer a;
	enum ft_status status = subject_predict(r->subject, n, n * n, &a, err);

	if (status)
		return status;
	struct range range = range_of(&a);
	range.lower -= log(typical);
	range.upper -= log(typical);
	held = noise_held(made->noise, scale, range);
	m->error[m->n] = fabs(a.value / typical - 1);
	m->known[m->n++] = a.known;
	m->half += (range.upper - range.lower) / 2;
	m->score += noise_score(made->noise, scale, range);
	m->oracle += noise_score(made->noise, scale, noise_oracle(made->noise, scale));
	m->weight++;
	m->asked++;
	m->held += held;
	m->asked_new += !r->used[i];
	m->held_new += r->used[i] ? 0 : held;
	return FT_OK;
}

/* On the dense lattice at one size by chance of each tenth or so. */
static enum ft_status mark(const struct made *made, const struct replay *r, struct record *record,
			   struct ft_err *err)
{
	double error[MARKED_MOST], known[MARKED_MOST];
	struct marks m = {.is_typical = true, .error = error, .known = known};
	size_t n = made->n < MARKED_MOST ? made->n : MARKED_MOST;
	struct ft_random random = {made->seed ^ 0x6d61726b};
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		size_t from = i * made->n / n, to = (i + 1) * made->n / n;

		status = mark_size(&m, made, r, from + ft_random_below(&random, to - from), err);
	}
	if (!status)
		marks_record(&m, r, made->n, record);
	return status;
}

/* ---- the jobs ------------------------------------------------------------------------------------------ */

struct job {
	unsigned seed;
	size_t shape, noise, lattice;
};

static struct job job_of(const struct settings *settings, size_t job)
{
	struct job j;

	j.seed = 1 + (unsigned)(job % settings->seeds);
	job /= settings->seeds;
	j.noise = job % NOISE_KINDS;
	job /= NOISE_KINDS;
	j.shape = job % SHAPES;
	j.lattice = job / SHAPES;
	return j;
}

static size_t jobs(const struct settings *settings)
{
	return (size_t)LATTICES * SHAPES * NOISE_KINDS * settings->seeds;
}

static void name_of(const struct settings *settings, size_t job, char *out, size_t size)
{
	struct job j = job_of(settings, job);

	(void)snprintf(out, size, "%s/%s/%s/%u", lattices[j.lattice].name, shapes[j.shape].name,
		       noise_kind(j.noise)->name, j.seed);
}

static void run(const struct settings *settings, size_t job, double tolerance, struct records *out)
{
	static struct made made;
	const struct ground ground = {
		.size = made.size, .work = work_at, .seconds = seconds_at, .ctx = &made};
	struct job j = job_of(settings, job);
	struct ground own = ground;
	struct replay r;
	struct ft_err err;
	char name[100];

	make(&made, j.lattice, shapes[j.shape].factor, noise_kind(j.noise), j.seed);
	own.n = made.n;
	own.strided = lattices[j.lattice].strided;
	own.tolerance = tolerance;
	name_of(settings, job, name, sizeof name);
	struct record record = record_new(tolerance < 0.1 ? "made-5" : "made", lattices[j.lattice].name,
					  shapes[j.shape].name, made.noise->name, name, j.seed);
	enum ft_status status = replay_build(&r, &own, &err);
	if (!status)
		status = mark(&made, &r, &record, &err);
	record.value[FIELD_cost] = r.cost / made.typical[made.n - 1];
	if (status)
		(void)fprintf(stderr, "engine: %s: %s\n", name, err.text);
	else
		(void)records_add(out, &record);
	replay_clear(&r);
}

static void run_10(const struct settings *settings, size_t job, struct records *out)
{
	run(settings, job, 0.1, out);
}

static void run_5(const struct settings *settings, size_t job, struct records *out)
{
	run(settings, job, 0.05, out);
}

const struct part part_made = {"made", false, jobs, name_of, run_10};
const struct part part_made_5 = {"made-5", false, jobs, name_of, run_5};
