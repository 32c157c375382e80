/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.c - what doc/models.md shows, as tables for gnuplot (tools/pictures): a made program, its runs, and
 * what the engine says of it.
 *
 *	picture FOLDER
 *
 * The program has two caches (its time for an item grows twice), a cliff at 20000, and runs that scatter to
 * one side. It does n items of work. */
#include "base/random.h"
#include "foretime/build.h"
#include "foretime/model.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS_MOST = 400, PLACES = 300 };

/* Seconds of a typical run. */
static double truth(double n)
{
	double x = log(n),
	       item = 2 + 0.8 / (1 + exp(-(x - log(1000)) * 4)) + 1.2 / (1 + exp(-(x - log(5000)) * 6));

	return 1e-9 * n * item * (n >= 20000 ? 1.5 : 1);
}

static double run(struct ft_random *random, double n, double scatter)
{
	double z = ft_random_normal(random);

	return truth(n) * exp(scatter * (z > 0 ? 1.6 * z : 0.6 * z));
}

static double identity(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return size->value[0];
}

static FILE *open_table(const char *folder, const char *name)
{
	char path[4096];
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/%s.dat", folder, name);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

struct runs {
	struct ft_observation run[RUNS_MOST];
	size_t n;
};

static void add(struct runs *runs, double n, double seconds)
{
	if (runs->n < RUNS_MOST)
		runs->run[runs->n++] = (struct ft_observation){{1, {n}}, n, seconds, 0, 0, false, 0, 0, 0};
}

static void write_runs(const char *folder, const char *name, const struct runs *runs)
{
	FILE *file = open_table(folder, name);
	size_t i;

	for (i = 0; i < runs->n; i++)
		(void)fprintf(file, "%zu %.9g %.9g\n", i + 1, runs->run[i].size.value[0],
			      1e9 * runs->run[i].value / runs->run[i].work);
	(void)fclose(file);
}

/* size, truth, typical, known from, known to, lower, upper; nanoseconds for an item. */
static void write_model(const char *folder, const char *name, const struct runs *runs, double least,
			double most)
{
	const struct ft_model_options options = {.through_speed = true};
	struct ft_model *model;
	FILE *file;
	int i;

	if (ft_model_fit(&model, runs->run, runs->n, &options, NULL))
		exit(1);
	file = open_table(folder, name);
	for (i = 0; i <= PLACES; i++) {
		double n = round(least * pow(most / least, (double)i / PLACES)), ns = 1e9 / n;
		struct ft_size size = {1, {n}};
		struct ft_prediction p;

		if (!ft_model_predict(model, &size, n, 0.9, &p, NULL))
			(void)fprintf(file, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", n, ns * truth(n),
				      ns * p.value, ns * p.value / (1 + p.known),
				      ns * p.value * (1 + p.known), ns * p.lower, ns * p.upper);
	}
	(void)fclose(file);
	ft_model_free(model);
}

/* Few sizes: what is known between them, and what single runs do. */
static void picture_process(const char *folder)
{
	static const double sizes[] = {64,   100,  180,  320,   560,   900,  1400,
				       2300, 4000, 6400, 12000, 30000, 65536};
	struct ft_random random = {7};
	struct runs runs = {.n = 0};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < (sizes[i] < 3000 ? 4 : 2); k++)
			add(&runs, sizes[i], run(&random, sizes[i], 0.025));
	write_runs(folder, "process-runs", &runs);
	write_model(folder, "process", &runs, 64, 65536);
}

/* The adaptive builder, run by run. */
static void picture_builder(const char *folder)
{
	const struct ft_build_options options = {.space = {{.least = 64, .most = 65536, .stride = 1}},
						 .n_params = 1,
						 .work = identity,
						 .tolerance = 0.1,
						 .confidence = 0.9};
	struct ft_random random = {3};
	struct ft_builder *builder;
	struct runs runs = {.n = 0};
	struct ft_size size;
	size_t asked;

	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		exit(1);
	while (runs.n < RUNS_MOST && !ft_builder_ask(builder, &size, 1, &asked, NULL) && asked) {
		double seconds[RUNS_MOST];
		size_t n = 0;

		add(&runs, size.value[0], run(&random, size.value[0], 0.025));
		for (size_t i = 0; i < runs.n; i++)
			if (ft_size_equal(&runs.run[i].size, &size))
				seconds[n++] = runs.run[i].value;
		if (ft_builder_tell(builder, &size, &(struct ft_build_result){.seconds = seconds, .n = n},
				    NULL))
			exit(1);
	}
	ft_builder_free(builder);
	write_runs(folder, "builder-runs", &runs);
	write_model(folder, "builder", &runs, 64, 65536);
}

/* Beyond the largest size: each member of the average, and all together. */
static void picture_beyond(const char *folder)
{
	static const double sizes[] = {64, 90, 128, 180, 256, 360, 512, 720, 1024, 1448, 2048, 2896, 4096};
	struct ft_random random = {5};
	struct runs runs = {.n = 0};
	struct ft__blend blend = {0};
	struct ft__engine engine;
	FILE *file;
	size_t i, k;

	ft__engine_init(&engine, 0, log(4096.0 / 64), true);
	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		double ln[2];

		for (k = 0; k < 2; k++) {
			add(&runs, sizes[i], run(&random, sizes[i], 0.01));
			ln[k] = log(runs.run[runs.n - 1].value);
		}
		if (ft__engine_set(&engine, sizes[i], sizes[i], ln, 2, NULL))
			exit(1);
	}
	if (ft__blend_make(&blend, &engine, &(struct ft__blend_options){0}, NULL))
		exit(1);
	file = open_table(folder, "beyond-members");
	for (k = 0; k < blend.n; k++) {
		const struct ft__member *m = &blend.member[k];

		if (m->by_law)
			continue;
		(void)fprintf(file, "\"tau %g (%.0f %%)\"\n", m->engine.process.tau, 100 * m->weight);
		for (i = 0; i <= PLACES; i++) {
			double n = 64 * pow(512, (double)i / PLACES);

			(void)fprintf(file, "%.9g %.9g\n", n,
				      1e9 * exp(ft__engine_at(&m->engine, n, true).z));
		}
		(void)fprintf(file, "\n\n");
	}
	(void)fclose(file);
	ft__blend_clear(&blend);
	ft__engine_clear(&engine);
	write_runs(folder, "beyond-runs", &runs);
	write_model(folder, "beyond", &runs, 64, 32768);
}

/* How single runs lie about the typical one: what share of them lies below. */
static void picture_scatter(const char *folder)
{
	struct ft_random random = {11};
	struct runs runs = {.n = 0};
	struct ft__engine engine;
	struct ft__scatter scatter, prior = {0};
	struct ft__known known[6];
	FILE *file;
	double p;
	size_t i;
	int k;

	ft__engine_init(&engine, 0, log(32), true);
	for (k = 0; k < 6; k++) {
		double ln[20], n = 64 * pow(2, k);

		for (i = 0; i < 20; i++) {
			add(&runs, n, run(&random, n, 0.025));
			ln[i] = log(runs.run[runs.n - 1].value);
		}
		if (ft__engine_set(&engine, n, n, ln, 20, NULL))
			exit(1);
	}
	ft__engine_settle(&engine, 30);
	for (i = 0; i < engine.n; i++)
		known[i] = ft__engine_site(&engine, i);
	if (ft__scatter_learn(&scatter, engine.site, known, engine.n, NULL))
		exit(1);
	ft__scatter_settle(&prior);
	file = open_table(folder, "scatter");
	for (p = 0.005; p < 0.997; p += 0.005)
		(void)fprintf(file, "%.3f %.6g %.6g\n", p, ft__scatter_quantile(&scatter, p),
			      ft__scatter_quantile(&prior, p));
	(void)fclose(file);
	file = open_table(folder, "scatter-runs");
	for (i = 0; i < scatter.n; i++)
		(void)fprintf(file, "%.6g %.6g\n", ((double)i + 0.5) / (double)scatter.n,
			      scatter.residual[i] - scatter.median);
	(void)fclose(file);
	ft__engine_clear(&engine);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		(void)fprintf(stderr, "usage: picture FOLDER\n");
		return 2;
	}
	picture_process(argv[1]);
	picture_builder(argv[1]);
	picture_beyond(argv[1]);
	picture_scatter(argv[1]);
	return 0;
}
