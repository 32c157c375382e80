/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-elapsed.c - jobs of a few seconds, whose Elapsed is in whole ones: intervals have the truth in them. */
#include "adapt-test.h"
#include "base/random.h"
#include "foretime/model.h"

enum { SEEDS = 20, SIZES = 8 };

static const double size[SIZES] = {4, 6, 8, 12, 16, 24, 32, 40};

/* Jobs that take slope * n s and begin at any moment of a second, as Slurm counts them. */
static void make_jobs(struct ft_random *random, double slope, size_t reps, char *text, size_t length)
{
	size_t used = (size_t)snprintf(text, length, "JobID|JobName|State|Elapsed|n\n"), i;

	for (i = 0; i < SIZES * reps && used < length; i++) {
		double begin = ft_random_uniform(random), end = begin + slope * size[i / reps];

		used += (size_t)snprintf(text + used, length - used, "%zu|x|COMPLETED|00:%02d|%.0f\n", i + 1,
					 (int)end - (int)begin, size[i / reps]);
	}
}

/* How many of the sizes have their truth in the interval of 90 %. */
static size_t count_covered(const struct ft_imported *part, double slope)
{
	struct ft_model *model = NULL;
	struct ft_size fixed = {.n = 1};
	struct ft_prediction at;
	size_t covered = 0;

	if (ft_model_fit_runs(&model, &part->program, &part->runs, &ft_wall_s, &fixed, NULL, NULL))
		return 0;
	for (size_t i = 0; i < SIZES; i++) {
		struct ft_size asked = {.n = 1, .value = {size[i]}};

		covered += !ft_model_predict(model, &asked, NAN, 0.9, &at, NULL) &&
			   at.lower <= slope * size[i] && slope * size[i] <= at.upper;
	}
	ft_model_free(model);
	return covered;
}

static void whole_seconds(double slope, size_t reps)
{
	size_t covered = 0, believed = 0, all = (size_t)SEEDS * SIZES, seed, i;
	char text[4096];

	for (seed = 1; seed <= SEEDS; seed++) {
		struct ft_import import = {0};
		struct ft_random random = {seed};
		struct ft_import_options none = {0};
		struct ft_runs *runs;

		make_jobs(&random, slope, reps, text, sizeof text);
		if (parse(&import, text, &none, NULL))
			continue;
		runs = &import.part[0].runs;
		covered += count_covered(&import.part[0], slope);
		for (i = 0; i < runs->n; i++)
			runs->run[i].sample[0].label = FT_MEASURED;
		believed += count_covered(&import.part[0], slope);
		ft_import_clear(&import);
	}
	diag("%g s to %g s, %zu runs a size: %zu of %zu covered, %zu were the seconds believed",
	     slope * size[0], slope * size[SIZES - 1], reps, covered, all, believed);
	ok(covered >= all * 9 / 10, "%g s to %g s, %zu at each size: the truth is in the interval",
	   slope * size[0], slope * size[SIZES - 1], reps);
}

static void labels(void)
{
	static const char jobs[] = "JobID|JobName|State|Elapsed|MaxRSS|n\n1|x|COMPLETED|00:05||1\n"
				   "1.batch|batch|COMPLETED|00:05|100M|1\n2|x|COMPLETED|01:40|50M|2\n";
	struct ft_import import = {0};
	struct ft_import_options options = {.cgroup = true};
	const struct ft_run *run;

	if (parse(&import, jobs, &options, NULL))
		return;
	run = import.part[0].runs.run;
	ok(run[0].sample[0].label == FT_ESTIMATED && strstr(run[0].sample[0].reason, "whole seconds") &&
		   run[1].sample[0].label == FT_MEASURED && !run[1].sample[0].reason,
	   "short jobs are estimated, long ones measured");
	ok(run[0].sample[1].label == FT_ESTIMATED && strstr(run[0].sample[1].reason, "page cache") &&
		   run[1].sample[1].label == FT_ESTIMATED,
	   "and so is memory of cgroups");
	ft_import_clear(&import);
	options.cgroup = false;
	options.value = (const char *const[]){"wall_s=Elapsed:s"};
	options.n_values = 1;
	ok(!parse(&import, "JobID|JobName|State|Elapsed|n\n1|x|COMPLETED|5|1\n", &options, NULL) &&
		   import.part[0].runs.run[0].sample[0].label == FT_MEASURED,
	   "a column that the user named is believed");
	ft_import_clear(&import);
}

int main(void)
{
	labels();
	whole_seconds(0.4, 1);
	whole_seconds(0.25, 1);
	whole_seconds(0.25, 4);
	whole_seconds(0.25, 10);
	return done();
}
