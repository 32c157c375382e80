/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.c - how fast the solvers are, beside the ones of others, in the same run on one core.
 *
 *	surrogate [PART...]		all of them by default
 *
 *	nmf      non-negative factors beside scikit-learn and R's NMF package, at equal or lower loss
 *	simplex  least absolute error with shares >= 0, 1133 x 29
 *	ols      least squares, 1133 x 29, beside LAPACK's dgelsd
 *	spec     chapter 11 of document 004 (the program bench-spec beside this one)
 *
 * Peers are children: they read the same numbers from a file, and tell their own seconds of processor time,
 * without start and reading. A peer that is not installed is passed over, and said to be.
 */
#include "base/random.h"
#include "foretime/base.h"
#include "foretime/surrogate.h"
#include "num/num.h"

#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_LAPACKE
#include <lapacke.h>
#endif

enum { REPEATS = 7, NMF_REPEATS = 3, M = 1133, K = 29 };

static const char *self;

static double cpu_s(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Median, least and most of the repetitions, sorted in place. */
static double median(double *value, size_t n)
{
	qsort(value, n, sizeof *value, ascending);
	return value[n / 2];
}

static void *need(size_t bytes)
{
	void *memory = calloc(1, bytes);

	if (!memory)
		exit(2);
	return memory;
}

/* ---- nmf ------------------------------------------------------------------------------------------------
 */

struct table {
	const char *name;
	size_t m, n, rank;
	double *x;
};

/* A product of factors drawn from an exponential distribution, with noise. */
static struct table make_product(const char *name, size_t m, size_t n, size_t rank, double noise)
{
	struct table t = {name, m, n, rank, need(m * n * sizeof(double))};
	struct ft_random random = {7};
	double *w = need(m * rank * sizeof *w), *h = need(n * rank * sizeof *h);

	for (size_t i = 0; i < m * rank; i++)
		w[i] = -log(1 - ft_random_uniform(&random));
	for (size_t i = 0; i < n * rank; i++)
		h[i] = -log(1 - ft_random_uniform(&random));
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			for (size_t l = 0; l < rank; l++)
				t.x[i * n + j] += w[i * rank + l] * h[l * n + j];
			t.x[i * n + j] *= fabs(1 + noise * ft_random_normal(&random));
		}
	free(w);
	free(h);
	return t;
}

/* SPEC CPU2017's 4,313 systems where they are at hand, each row against its mean; else something of that
 * size. */
static struct table systems(void)
{
	const struct ft_matrix_options options = {.programs = "^6[0-9][0-9][._]"};
	const char *data = getenv("FORETIME_DATA");
	struct ft_matrix matrix = {0};
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/spec_cpu2017/times_int_speed.csv",
		       data ? data : "../shared/data");
	if (ft_matrix_read(path, &options, &matrix, NULL) || matrix.columns < 3)
		return make_product("made up", 4313, 10, 3, 0.05);
	struct table t = (struct table){"SPEC CPU2017", matrix.rows, matrix.columns, 3,
					need(matrix.rows * matrix.columns * sizeof(double))};
	for (size_t i = 0; i < t.m; i++) {
		double mean = 0;

		for (size_t j = 0; j < t.n; j++)
			mean += matrix.value[i * t.n + j] / (double)t.n;
		for (size_t j = 0; j < t.n; j++)
			t.x[i * t.n + j] = matrix.value[i * t.n + j] / mean;
	}
	ft_matrix_clear(&matrix);
	return t;
}

/* Our factors at a tolerance (0: the solver's): seconds, and the loss by its definition. */
static double ours(const struct table *t, enum ft_nmf_loss kind, double tolerance, double *loss)
{
	double *w = need(t->m * t->rank * sizeof *w), *h = need(t->n * t->rank * sizeof *h), *seconds, middle;
	size_t i;

	seconds = need(NMF_REPEATS * sizeof *seconds);
	for (size_t r = 0; r < NMF_REPEATS; r++) {
		struct ft_nmf how = {.loss = kind, .tolerance = tolerance, .most = 50000};

		seconds[r] = cpu_s();
		if (ft_nmf_find(&how, FT_NMF_NNDSVD, 0, t->x, t->m, t->n, t->rank, w, h, NULL))
			exit(2);
		seconds[r] = cpu_s() - seconds[r];
	}
	for (*loss = 0, i = 0; i < t->m; i++)
		for (size_t j = 0; j < t->n; j++) {
			double x = t->x[i * t->n + j], p = 0;

			for (size_t l = 0; l < t->rank; l++)
				p += w[l * t->m + i] * h[l * t->n + j];
			*loss += kind == FT_NMF_FROBENIUS ? (x - p) * (x - p)
				 : x > 0                  ? x * log(x / p) - x + p
							  : p;
		}
	middle = median(seconds, NMF_REPEATS);
	free(w);
	free(h);
	free(seconds);
	return middle;
}

/* Programs of peers: %s the table, %d the rank. Each prints its seconds and its loss. */
#define SQUARES    "((X-P)**2).sum()"
#define DIVERGENCE "(X*np.log(X/P)-X+P).sum()"
#define SKLEARN(options, loss)                                                                               \
	"timeout 300 /usr/bin/python3 -W ignore -c \"import numpy as np,time;from sklearn.decomposition "    \
	"import "                                                                                            \
	"NMF;X=np.loadtxt('%s',delimiter=',');m=NMF(n_components=%d," options ");t=time.process_time();"     \
	"W=m.fit_transform(X);s=time.process_time()-t;P=W@m.components_;print(s," loss ")\" 2>/dev/null"
#define R_NMF(options, loss)                                                                                 \
	"timeout 300 Rscript -e \"suppressMessages(library(NMF));X<-as.matrix(read.csv('%s',header=FALSE));" \
	"t<-system.time(f<-nmf(X,%d," options ",.opt='-p'));P<-fitted(f);"                                   \
	"cat(t[['user.self']]+t[['sys.self']]," loss ",'\\n')\" 2>/dev/null"

static const struct peer {
	enum ft_nmf_loss kind;
	const char *name, *format;
} peers[] = {
	{FT_NMF_FROBENIUS, "scikit-learn, as it comes", SKLEARN("random_state=0", SQUARES)},
	{FT_NMF_FROBENIUS, "scikit-learn, nndsvd, until 1e-5",
	 SKLEARN("init='nndsvd',tol=1e-5,max_iter=5000", SQUARES)},
	{FT_NMF_FROBENIUS, "R NMF, lee", R_NMF("method='lee',seed='nndsvd'", "sum((X-P)^2)")},
	{FT_NMF_KL, "scikit-learn, mu, as it comes",
	 SKLEARN("solver='mu',beta_loss='kullback-leibler',random_state=0", DIVERGENCE)},
	{FT_NMF_KL, "scikit-learn, mu, until 1e-6",
	 SKLEARN("solver='mu',beta_loss='kullback-leibler',random_state=0,tol=1e-6,max_iter=2000",
		 DIVERGENCE)},
	{FT_NMF_KL, "R NMF, brunet", R_NMF("method='brunet',seed=1", "sum(X*log(X/P)-X+P)")},
};

static bool ask_peer(const struct peer *peer, const char *path, const struct table *t, double *seconds,
		     double *loss)
{
	char command[2048];
	FILE *pipe;
	bool good;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	(void)snprintf(command, sizeof command, peer->format, path, (int)t->rank);
#pragma GCC diagnostic pop
	pipe = popen(command, "r");
	if (!pipe)
		return false;
	good = fscanf(pipe, "%lf %lf", seconds, loss) == 2;
	(void)pclose(pipe);
	return good;
}

/* As the solver of the table ends (src/surrogate/solve_nmf.c). */
static const double usual_tolerance = 1e-6;

static void compare_nmf(const struct table *t, enum ft_nmf_loss kind, const char *path)
{
	static const double tolerances[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5,
					    3e-6, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
	enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };
	double seconds[TOLERANCES], loss[TOLERANCES], usual, least, peer_s, peer_loss;
	size_t known = 0, i;

	usual = ours(t, kind, usual_tolerance, &least);
	printf("%zu x %zu (%s), rank %zu, %s\n  %-34s %10.1f ms, loss %.8g\n", t->m, t->n, t->name, t->rank,
	       kind == FT_NMF_KL ? "divergence" : "squares", "foretime, as it comes", 1e3 * usual, least);
	for (size_t p = 0; p < sizeof peers / sizeof *peers; p++) {
		if (peers[p].kind != kind)
			continue;
		if (!ask_peer(&peers[p], path, t, &peer_s, &peer_loss)) {
			printf("  %-34s not installed\n", peers[p].name);
			continue;
		}
		for (i = 0; i < TOLERANCES; i++) {
			if (i == known) {
				seconds[i] = ours(t, kind, tolerances[i], &loss[i]);
				known++;
			}
			if (loss[i] <= peer_loss)
				break;
		}
		printf("  %-34s %10.1f ms, loss %.8g", peers[p].name, 1e3 * peer_s, peer_loss);
		if (i < TOLERANCES)
			printf("; foretime to at most that loss %.1f ms: %.1f times faster\n",
			       1e3 * seconds[i], peer_s / seconds[i]);
		else
			printf("; foretime does not get there (%.8g)\n", loss[TOLERANCES - 1]);
	}
}

static void compare_losses(const struct table *t)
{
	char path[] = "/tmp/foretime-bench-XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	size_t i;

	if (!file)
		exit(2);
	for (i = 0; i < t->m * t->n; i++)
		fprintf(file, "%.17g%c", t->x[i], (i + 1) % t->n ? ',' : '\n');
	(void)fclose(file);
	compare_nmf(t, FT_NMF_FROBENIUS, path);
	compare_nmf(t, FT_NMF_KL, path);
	(void)unlink(path);
}

static int bench_nmf(void)
{
	struct table wide = make_product("made up", 2000, 200, 10, 0.1), tall = systems();

	(void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
	compare_losses(&tall);
	compare_losses(&wide);
	free(wide.x);
	free(tall.x);
	return 0;
}

/* ---- linear ones ----------------------------------------------------------------------------------------
 */

/* Rows as machines make them: a speed, and what each program makes of it. */
static void make_machines(double *x, double *y)
{
	struct ft_random random = {11};

	for (size_t i = 0; i < M; i++) {
		double speed = exp(0.5 * ft_random_normal(&random));

		y[i] = 0;
		for (size_t j = 0; j < K; j++) {
			x[i * K + j] = speed * exp(0.2 * ft_random_normal(&random));
			y[i] += j < 8 ? x[i * K + j] * (double)(j + 1) : 0;
		}
		y[i] *= 1 + 0.05 * ft_random_normal(&random);
	}
}

static void say(const char *what, double *seconds)
{
	double middle = median(seconds, REPEATS);

	printf("  %-34s %10.2f ms (%.2f .. %.2f)\n", what, 1e3 * middle, 1e3 * seconds[0],
	       1e3 * seconds[REPEATS - 1]);
}

static void time_solver(const char *name, const struct ft_surrogate_problem *problem)
{
	double seconds[REPEATS];
	char what[64];

	for (size_t r = 0; r < REPEATS; r++) {
		struct ft_surrogate_fit *fit;

		seconds[r] = cpu_s();
		if (ft_surrogate_solve(ft_solver_find(name), problem, NULL, &fit, NULL))
			exit(2);
		seconds[r] = cpu_s() - seconds[r];
		ft_surrogate_free(fit);
	}
	(void)snprintf(what, sizeof what, "%s, with errors left out", name);
	say(what, seconds);
}

static int bench_simplex(void)
{
	static double x[M * K], y[M];
	const struct ft_surrogate_problem problem = {.m = M, .k = K, .q = 1, .x = x, .y = y};
	double b[K], seconds[REPEATS];
	size_t iterations = 0;
	bool converged = false;

	make_machines(x, y);
	printf("%d x %d, least absolute error, shares >= 0\n", M, K);
	for (size_t r = 0; r < REPEATS; r++) {
		struct ft_lad *lad;

		seconds[r] = cpu_s();
		if (ft_lad_new(x, M, K, &lad, NULL) ||
		    ft_lad_solve(lad, y, 0, b, NULL, &converged, &iterations, NULL))
			return 2;
		ft_lad_free(lad);
		seconds[r] = cpu_s() - seconds[r];
	}
	say("the linear programme", seconds);
	time_solver("simplex", &problem);
	return converged ? 0 : 2;
}

/* The least squares of the solver alone: c = V S^-1 U' y. */
static int plain_least_squares(const double *x, const double *y, double *c)
{
	static double u[M * K], s[K], v[K * K], z[K];
	size_t p;

	if (ft_svd(x, M, K, u, s, v, NULL))
		return 2;
	memset(z, 0, sizeof z);
	for (size_t i = 0; i < M; i++)
		for (p = 0; p < K; p++)
			z[p] += u[i * K + p] * y[i];
	for (size_t j = 0; j < K; j++)
		for (c[j] = 0, p = 0; p < K; p++)
			c[j] += v[j * K + p] * z[p] / s[p];
	return 0;
}

static int bench_ols(void)
{
	static double x[M * K], y[M];
	const struct ft_surrogate_problem problem = {.m = M, .k = K, .q = 1, .x = x, .y = y};
	double seconds[REPEATS], c[K];
	size_t r;

	make_machines(x, y);
	printf("%d x %d, least squares through singular values\n", M, K);
	for (r = 0; r < REPEATS; r++) {
		seconds[r] = cpu_s();
		if (plain_least_squares(x, y, c))
			return 2;
		seconds[r] = cpu_s() - seconds[r];
	}
	say("foretime", seconds);
	time_solver("ols", &problem);
#ifdef HAVE_LAPACKE
	{
		static double a[M * K], b[M];
		double s[K], far = 0;
		lapack_int rank = 0;
		size_t i, j;

		(void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
		for (r = 0; r < REPEATS; r++) {
			for (j = 0; j < K; j++)
				for (i = 0; i < M; i++)
					a[j * M + i] = x[i * K + j];
			memcpy(b, y, sizeof b);
			seconds[r] = cpu_s();
			if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, M, K, 1, a, M, b, M, s, 1e-10, &rank))
				return 2;
			seconds[r] = cpu_s() - seconds[r];
		}
		for (j = 0; j < K; j++)
			far = fmax(far, fabs(b[j] - c[j]));
		say("LAPACK dgelsd", seconds);
		printf("  largest difference of the two: %.1e\n", far);
	}
#else
	puts("  LAPACK dgelsd: built without lapacke");
#endif
	return 0;
}

/* ---- chapter 11 -----------------------------------------------------------------------------------------
 */

static int bench_spec(void)
{
	char path[4096], copy[4096], command[8300];

	(void)snprintf(copy, sizeof copy, "%s", self);
	(void)snprintf(path, sizeof path, "%s/bench-spec", dirname(copy));
	if (access(path, X_OK) != 0) {
		puts("spec: bench-spec is not built");
		return 0;
	}
	(void)fflush(stdout);
	(void)snprintf(command, sizeof command, "'%s'", path);
	return system(command) == 0 ? 0 : 2;
}

static const struct part {
	const char *name;
	int (*run)(void);
} parts[] = {{"nmf", bench_nmf}, {"simplex", bench_simplex}, {"ols", bench_ols}, {"spec", bench_spec}};

enum { N_PARTS = sizeof parts / sizeof *parts };

int main(int argc, char **argv)
{
	int status = 0, wrong;
	size_t i;

	self = argv[0];
	for (i = 0; argc < 2 && i < N_PARTS; i++)
		status |= parts[i].run();
	for (int a = 1; a < argc; a++) {
		for (wrong = 2, i = 0; i < N_PARTS; i++)
			if (!strcmp(parts[i].name, argv[a]))
				wrong = parts[i].run();
		if (wrong)
			fprintf(stderr, "surrogate: %s failed, or there is no such part\n", argv[a]);
		status |= wrong;
	}
	return status;
}
