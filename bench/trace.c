/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - how fast and how near piecewise linear models of traces are: one table after another.
 *
 *	trace [--quick] [--r | --r-only] [FOLDER]
 *
 * FOLDER: traces for the table of errors; default $FORETIME_DATA/utilisation. --r: beside segmented and
 * strucchange, where Rscript has them (bench/trace.R); --r-only: no other table. Prints Markdown.
 */
#include "base/random.h"
#include "foretime/trace.h"
#include "trace/door.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REPEATS = 5, PIECES = 25 };

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *get(size_t bytes)
{
	void *memory = malloc(bytes);

	if (!memory)
		exit(2);
	return memory;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* "median (least .. most)" of seconds. */
static void print_times(double *s, size_t n)
{
	qsort(s, n, sizeof *s, compare);
	printf("%.3g s (%.3g .. %.3g, n = %zu)", s[n / 2], s[0], s[n - 1], n);
}

/* A month as machines have it: levels that last, ramps, spikes, noise. */
static void make(double *t, double *y, size_t n, uint64_t seed)
{
	struct ft_random random = {seed};
	double level = 50, slope = 0;

	for (size_t i = 0; i < n; i++) {
		if (ft_random_uniform(&random) < 40.0 / (double)n) {
			level = 10 + 80 * ft_random_uniform(&random);
			slope = ft_random_below(&random, 2) ? 0
							    : 40 * ft_random_normal(&random) / (double)n * 40;
		}
		level = fmin(95, fmax(5, level + slope));
		t[i] = 1.4e9 + 0.25 * (double)i;
		y[i] = level + 3 * ft_random_normal(&random) + (ft_random_uniform(&random) < 0.001 ? 20 : 0);
	}
}

/* ---- speed --------------------------------------------------------------------------------------------- */

static void fit_speed(size_t n)
{
	double *t = get(n * sizeof *t), *y = get(n * sizeof *y), seconds[REPEATS];
	struct ft_pwl_options o = {.pieces = PIECES};
	struct ft_pwl_fit fit = {0};

	make(t, y, n, 1);
	for (int i = 0; i < REPEATS; i++) {
		double begin = now();
		struct ft_pwl *f;

		if (ft_pwl_new(&f, t, y, n, NULL))
			exit(2);
		ft_pwl_fit_clear(&fit);
		if (ft_pwl_fit(&fit, f, &o, NULL))
			exit(2);
		ft_pwl_free(f);
		seconds[i] = now() - begin;
	}
	printf("| %zu | %d | ", n, PIECES);
	print_times(seconds, REPEATS);
	printf(" | %.6g |\n", fit.error.rms);
	ft_pwl_fit_clear(&fit);
	free(t);
	free(y);
}

/* Read and fit in a process of its own, whose memory is looked at. */
static void file_speed(size_t n)
{
	char path[] = "/tmp/foretime-bench-XXXXXX";
	int fd = mkstemp(path), report[2];
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	double *t = get(n * sizeof *t), *y = get(n * sizeof *y), result[3] = {NAN, NAN, NAN};
	struct rusage used;
	size_t i;
	pid_t pid;

	if (!file || pipe(report))
		exit(2);
	make(t, y, n, 2);
	fputs("time_s,value\n", file);
	for (i = 0; i < n; i++)
		fprintf(file, "%.2f,%.6f\n", t[i], y[i]);
	(void)fclose(file);
	free(t);
	free(y);
	(void)fflush(stdout);
	pid = fork();
	if (!pid) {
		const struct ft_trace_format format = {0};
		struct ft_pwl_options o = {.pieces = PIECES};
		struct ft_pwl_fit fit;
		struct ft_trace trace;
		double begin = now();

		if (ft_trace_read(&trace, path, &format, NULL))
			_exit(2);
		result[0] = now() - begin;
		result[1] = (double)trace.bytes / 1e6 / result[0];
		if (ft_trace_fit(&fit, &trace, &o, NULL, NULL))
			_exit(2);
		result[2] = now() - begin;
		_exit(write(report[1], result, sizeof result) != sizeof result);
	}
	(void)wait4(pid, NULL, 0, &used);
	if (read(report[0], result, sizeof result) == sizeof result)
		printf("| %zu | %.2f s | %.0f MB/s | %.2f s | %.0f MiB | %.2f |\n", n, result[0], result[1],
		       result[2], (double)used.ru_maxrss / 1024,
		       (double)used.ru_maxrss * 1024 / (16 * (double)n));
	(void)close(report[0]);
	(void)close(report[1]);
	(void)unlink(path);
}

/* ---- the gradient -------------------------------------------------------------------------------------- */

/* The document's gradient (003 section 2.1): for each node all y' from a tridiagonal system, then the whole
 * derivative. u, v and the integrals come from the curve, as ours do. */
static void documents_gradient(const struct ft_pwl *f, const double *x, size_t n, const double *y, double *g)
{
	double *u = get(4 * n * sizeof *u), *w = u + n, *below = w + n, *d = below + n;
	size_t last = n - 1;

	for (size_t j = 1; j <= last; j++) { /* int (x - x_{j-1}) f and int f over piece j */
		struct ft_pwl_line line = ft_pwl_line(f, x[j - 1], x[j]);
		double h = x[j] - x[j - 1];

		w[j] = h * line.mean;
		u[j] = h * (line.mean / 2 + line.slope * h / 12);
	}
	for (size_t l = 1; l < last; l++) {
		double sum, ha = x[l] - x[l - 1], hb = x[l + 1] - x[l], ma = (y[l] - y[l - 1]) / ha,
			    mb = (y[l + 1] - y[l]) / hb, vb = w[l + 1] - u[l + 1];

		for (size_t j = 0; j < n; j++) { /* A y' = b' - A' y; the ends' y' are 0 */
			double left = j ? x[j] - x[j - 1] : 0, right = j < last ? x[j + 1] - x[j] : 0, b = 0;

			if (!j || j == last) {
				below[j] = d[j] = 0;
				continue;
			}
			if (j == l - 1)
				b = 6 * u[l] / ha - (2 * y[l - 1] + y[l]);
			if (j == l)
				b = 6 * (vb / hb - u[l] / ha) - (y[l - 1] - y[l + 1]);
			if (j == l + 1)
				b = -6 * vb / hb + (y[l] + 2 * y[l + 1]);
			below[j] = right / (2 * (left + right) - left * below[j - 1]);
			d[j] = (b - left * d[j - 1]) / (2 * (left + right) - left * below[j - 1]);
		}
		for (size_t j = last; j-- > 1;)
			d[j] -= below[j] * d[j + 1];
		/* explicit dependence, then that of all values */
		sum = 2 * ma * (u[l] - ha * (y[l - 1] + 2 * y[l]) / 6);
		sum += 2 * mb * (vb - hb * (2 * y[l] + y[l + 1]) / 6);
		for (size_t j = 1; j <= last; j++) {
			double h = x[j] - x[j - 1], v = w[j] - u[j];

			sum += 2 * d[j - 1] * (h * (2 * y[j - 1] + y[j]) / 6 - v);
			sum += 2 * d[j] * (h * (y[j - 1] + 2 * y[j]) / 6 - u[j]);
		}
		g[l] = sum;
	}
	free(u);
}

static void gradient_cost(const struct ft_pwl *f, size_t pieces)
{
	size_t n = pieces + 1, j, repeats = 40000 / pieces + 1, slow = 4000000 / (pieces * pieces) + 1, i;
	double *x = get(5 * n * sizeof *x), *y = x + n, *g = y + n, *old = g + n, a = ft_pwl_begin(f),
	       h = (ft_pwl_end(f) - a) / (double)pieces, begin, ours, theirs, worst = 0, scale = 0;
	struct ft_random random = {3};

	for (j = 0; j < n; j++)
		x[j] = a + h * ((double)j + (j && j < pieces ? 0.4 * (ft_random_uniform(&random) - 0.5) : 0));
	x[pieces] = ft_pwl_end(f);
	begin = now();
	for (i = 0; i < repeats; i++)
		(void)ft_pwl_place(f, x, n, FT_PWL_FIXED, y, g, NULL, NULL);
	ours = (now() - begin) / (double)repeats;
	begin = now();
	for (i = 0; i < slow; i++) {
		(void)ft_pwl_place(f, x, n, FT_PWL_FIXED, y, NULL, NULL, NULL);
		documents_gradient(f, x, n, y, old);
	}
	theirs = (now() - begin) / (double)slow;
	for (j = 1; j < pieces; j++) {
		worst = fmax(worst, fabs(g[j] - old[j]));
		scale = fmax(scale, fabs(g[j]));
	}
	printf("| %zu | %.3g | %.3g | %.3g | %.1f | %.1e |\n", pieces, 1e6 * ours,
	       1e9 * ours / (double)pieces, 1e6 * theirs, theirs / ours, worst / scale);
	free(x);
}

static void gradient_table(void)
{
	enum { N = 1000000 };
	static const size_t pieces[] = {10, 30, 100, 300, 1000};
	double *t = get(N * sizeof *t), *y = get(N * sizeof *y);
	struct ft_pwl *f;

	make(t, y, N, 4);
	for (size_t i = 0; i < N; i++)
		t[i] -= 1.4e9;
	if (ft_pwl_new(&f, t, y, N, NULL))
		exit(2);
	puts("\n## Gradient, 10^6 points\n\n| pieces | ours, us | ns for each piece | the document's, us | "
	     "times | largest "
	     "difference, of the largest component |\n|---:|---:|---:|---:|---:|---:|");
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		gradient_cost(f, pieces[i]);
	ft_pwl_free(f);
	free(t);
	free(y);
}

/* ---- constrained placement ----------------------------------------------------------------------------- */

/* Curves of which little can be removed, or much. */
static double shape_at(const char *shape, double u, double *walk, struct ft_random *random)
{
	*walk += 0.01 * ft_random_normal(random);
	return *shape == 'b'   ? u * u
	       : *shape == 'h' ? (u < 0.5 ? -u * u : ft_random_below(random, 50) == 0) /* half a bow */
	       : *shape == 'w' ? *walk
	       : *shape == 's' ? sin(200 * u)
			       : ft_random_normal(random);
}

static void constrain_table(bool quick)
{
	static const char *const shapes[] = {"bow", "half a bow, then spikes", "walk", "sine", "noise"};
	size_t most = quick ? 30000 : 1000000;
	double *t = get(most * sizeof *t), *y = get(most * sizeof *y);

	puts("\n## Constrained placement, lambda = 1\n\n| curve | points | nodes | seconds "
	     "|\n|---|---:|---:|---:|");
	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
		for (size_t n = most / 100; n <= most; n *= 10) {
			struct ft_random random = {7};
			struct ft_nodes nodes;
			double walk = 0;
			struct ft_pwl *f;

			for (size_t i = 0; i < n; i++) {
				t[i] = (double)i;
				y[i] = shape_at(shapes[k], (double)i / (double)n, &walk, &random);
			}
			double begin = now();
			if (ft_pwl_new(&f, t, y, n, NULL) || ft_pwl_constrain(&nodes, f, NULL, 0, 1, NULL))
				exit(2);
			printf("| %s | %zu | %zu | %.3g |\n", shapes[k], n, nodes.n, now() - begin);
			ft_nodes_clear(&nodes);
			ft_pwl_free(f);
		}
	free(t);
	free(y);
}

/* ---- quality ------------------------------------------------------------------------------------------- */

static double rms_of(const struct ft_pwl *f, enum ft_pwl_start start, size_t pieces, bool start_only)
{
	struct ft_pwl_options o = {.pieces = pieces, .start = start, .start_only = start_only};
	struct ft_pwl_fit fit;
	double rms;

	if (ft_pwl_fit(&fit, f, &o, NULL))
		return NAN;
	rms = fit.error.rms;
	ft_pwl_fit_clear(&fit);
	return rms;
}

static void quality_row(const char *name, const struct ft_pwl *f, size_t pieces)
{
	double best = rms_of(f, FT_PWL_START_BEST, pieces, false);

	printf("| %s | %zu | %.5g | %.3f | %.3f | %.3f | %.3f | %.3f |\n", name, pieces, best,
	       rms_of(f, FT_PWL_START_EQUAL, pieces, true) / best,
	       rms_of(f, FT_PWL_START_MERGE, pieces, true) / best,
	       rms_of(f, FT_PWL_START_DP, pieces, true) / best,
	       rms_of(f, FT_PWL_START_EQUAL, pieces, false) / best,
	       rms_of(f, FT_PWL_START_DP, pieces, false) / best);
	(void)fflush(stdout);
}

static void quality_table(const char *folder)
{
	static const size_t pieces[] = {5, 25, 100};
	char pattern[2048];
	glob_t found;

	(void)snprintf(pattern, sizeof pattern, "%.1500s/{*.csv,*.csv.gz,*/*.csv}", folder);
	if (glob(pattern, GLOB_BRACE, NULL, &found) || !found.gl_pathc) {
		printf("\nno traces in %s: no table of errors\n", folder);
		return;
	}
	puts("\n## L2 error at equal n\n\nThe rms error of the default, and that of others divided by it: "
	     "nodes at equal "
	     "distances, merged, by dynamic programming (each with the best values), and descent from two of "
	     "these.\n\n| trace | n | ours | equal | merge | dp | descent from equal | descent from dp "
	     "|\n|---|---:|---:|---:|---:|---:|---:|---:|");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const struct ft_trace_format format = {0};
		const char *slash = strrchr(found.gl_pathv[i], '/');
		struct ft_trace trace;
		struct ft_pwl *f;

		if (ft_trace_read(&trace, found.gl_pathv[i], &format, NULL))
			continue;
		if (!ft_pwl_new(&f, trace.t, trace.y, trace.n, NULL))
			for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
				quality_row(slash + 1, f, pieces[k]);
		ft_pwl_free(f);
		ft_trace_clear(&trace);
	}
	globfree(&found);
}

/* ---- beside R ------------------------------------------------------------------------------------------ */

enum { R_REPEATS = 15 };

/* Our own row beside R's: the number of pieces given, or (0) found. */
static void our_row(const struct ft_trace *trace, const struct ft_pwl *truth, double noise, size_t pieces)
{
	struct ft_pwl_options o = {.ends = FT_PWL_FREE, .pieces = pieces};
	struct ft_pwl_fit fit = {0};
	struct ft_pwl_error from_truth;
	double seconds[R_REPEATS];

	for (size_t i = 0; i < R_REPEATS; i++) {
		double begin = now();
		struct ft_pwl *f;

		ft_pwl_fit_clear(&fit);
		if (ft_pwl_new(&f, trace->t, trace->y, trace->n, NULL) || ft_pwl_fit(&fit, f, &o, NULL))
			exit(2);
		seconds[i] = now() - begin;
		ft_pwl_free(f);
	}
	ft_pwl_compare(truth, fit.nodes.t, fit.nodes.y, fit.nodes.n, &from_truth);
	qsort(seconds, R_REPEATS, sizeof *seconds, compare);
	printf("| %zu | %g | foretime | %zu, %s | %.5f | %.5f | %.5f |\n", trace->n, noise, fit.nodes.n - 1,
	       pieces ? "told" : "found", fit.error.rms, from_truth.rms, seconds[R_REPEATS / 2]);
	(void)fflush(stdout);
	ft_pwl_fit_clear(&fit);
}

/* A curve of five pieces, known, with noise, for bench/trace.R; our own rows of its table, then R's. */
static void beside_r(size_t n, double noise, uint64_t seed, const char *script)
{
	static const double t[] = {0, 20, 35, 60, 80, 100}, y[] = {10, 60, 40, 55, 20, 30};
	const struct ft_trace_format format = {0};
	struct ft_random random = {seed};
	char path[] = "/tmp/foretime-bench-XXXXXX", command[1024];
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	struct ft_trace trace;
	struct ft_pwl *truth;
	size_t i;

	if (!file || ft_pwl_new(&truth, t, y, 6, NULL))
		exit(2);
	fputs("t,y,truth\n", file);
	for (i = 0; i < n; i++) {
		double x = 100 * (double)i / (double)(n - 1), z = ft_pwl_at(truth, x);

		fprintf(file, "%.17g,%.17g,%.17g\n", x, z + noise * ft_random_normal(&random), z);
	}
	(void)fclose(file);
	if (ft_trace_read(&trace, path, &format, NULL))
		exit(2);
	our_row(&trace, truth, noise, 0);
	our_row(&trace, truth, noise, 5);
	(void)snprintf(command, sizeof command, "Rscript --vanilla '%s' '%s' %g", script, path, noise);
	if (system(command))
		puts("| | | R failed | | | | |");
	ft_pwl_free(truth);
	ft_trace_clear(&trace);
	(void)unlink(path);
}

static void r_table(const char *script, bool quick)
{
	if (system("Rscript --vanilla -e 'library(segmented); library(strucchange)' >/dev/null 2>&1")) {
		puts("\nno table beside R: install r-cran-segmented and r-cran-strucchange");
		return;
	}
	puts("\n## Beside R\n\nFive known pieces with noise. L2 errors over time: from the data, straight "
	     "between rows, and from the "
	     "truth. "
	     "segmented is told the number of knots (and free ends, as we have here); strucchange finds its "
	     "own "
	     "breaks, with lines that need not meet.\n\n| rows | noise | by | pieces | rms from data | rms "
	     "from truth | "
	     "seconds |\n|---:|---:|---|---|---:|---:|---:|");
	beside_r(500, 2, 11, script);
	beside_r(500, 8, 12, script);
	if (!quick)
		beside_r(10000, 4, 13, script);
}

static void our_tables(bool quick, const char *folder)
{
	puts("## Fit, without reading\n\n| points | pieces | seconds, median (least .. most) | rms error "
	     "|\n|---:|---:|---|---:|");
	for (size_t n = 10000; n <= (quick ? 100000u : 10000000u); n *= 10)
		fit_speed(n);
	puts("\n## From a file, 25 pieces\n\n| points | reading | speed | in all | peak memory | of two "
	     "doubles a point "
	     "|\n|---:|---:|---:|---:|---:|---:|");
	file_speed(quick ? 100000 : 1000000);
	if (!quick)
		file_speed(10000000);
	gradient_table();
	constrain_table(quick);
	quality_table(folder);
}

int main(int argc, char **argv)
{
	const char *data = getenv("FORETIME_DATA"), *folder = NULL, *script = "bench/trace.R";
	bool quick = false, r = false, only = false;
	char usual[1500];

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick"))
			quick = true;
		else if (!strcmp(argv[i], "--r"))
			r = true;
		else if (!strcmp(argv[i], "--r-only"))
			r = only = true;
		else
			folder = argv[i];
	}
	(void)snprintf(usual, sizeof usual, "%.1400s/utilisation", data ? data : "../shared/data");
	if (!only)
		our_tables(quick, folder ? folder : usual);
	if (r)
		r_table(script, quick);
	return 0;
}
