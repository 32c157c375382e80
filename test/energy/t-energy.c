/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-energy.c - powers from runs, and what jobs cost, by hand; then random clusters. */
#include "base/alloc.h"
#include "base/random.h"
#include "energy/door.h"
#include "foretime/energy.h"
#include "num/num.h"
#include "tap.h"
#include "temp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Document 004, figure 8.1. */
static const struct ft_power cluster = {
	.parts = 3, .part = {"infr", "machine", "core"}, .watts = {100, 90, 10}};

static bool write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	bool good = file && fputs(text, file) >= 0;

	return file && !fclose(file) && good;
}

static void test_jobs(void)
{
	/* One machine 10 s, 4 cores for 8 s of them: 190 * 10 + 10 * (10 + 3 * 8) = 2240. Together with a job
	 * of 4 s on 2 cores: 10 * (4 + 4) more. */
	struct ft_job job[] = {{10, 8, 4}, {4, 4, 2}}, wrong = {10, 11, 4};
	double share[2], units[3] = {1, 3, 36}, lower, upper, time[3] = {10, 10, 34};
	struct ft_energy e;

	ok(!ft_power_jobs(&cluster, 1, job, 1, false, false, 0.9, &e, NULL, NULL) &&
		   near(e.joules, 2240, 1e-12) && near(e.mean_w, 224, 1e-12) && isnan(e.lower),
	   "one job: 12.1; powers that were stated have no interval");
	ok(near(ft_power_energy(&cluster, time, 10, 0.9).joules, 2240, 1e-12),
	   "the same from seconds by part: 8.14");
	ok(!ft_power_jobs(&cluster, 2, job, 1, false, false, 0.9, &e, NULL, NULL) &&
		   near(e.joules, 3140, 1e-12),
	   "another machine, idle: 900 J more");
	ok(!ft_power_jobs(&cluster, 1, job, 2, false, false, 0.9, &e, share, NULL) &&
		   near(e.joules, 2320, 1e-12),
	   "two jobs together: 8.9");
	/* 4 s shared by two, 6 s alone: 190 * (2 + 6) + 340; 190 * 2 + 80 */
	ok(near(share[0], 1860, 1e-12) && near(share[1], 460, 1e-12), "shares: each moment's equally");
	ok(!ft_power_jobs(&cluster, 1, job, 2, false, true, 0.9, &e, share, NULL) &&
		   near(share[1], 190 * 4 / 3. + 80, 1e-12) && near(share[0] + share[1], e.joules, 1e-12),
	   "or by cores");
	/* 12.3 as printed: (190 + 20) * 10 + 10 * (24 + 4) */
	ok(!ft_power_jobs(&cluster, 1, job, 2, true, false, 0.9, &e, NULL, NULL) &&
		   near(e.joules, 2380, 1e-12),
	   "12.3 as it is printed charges 2 P_core for the longer time");
	ok(near(ft_power_peak(&cluster, units, 0.9, &lower, &upper), 100 + 270 + 360, 1e-12),
	   "the peak: 8.8");
	ok(ft_power_jobs(&cluster, 1, &wrong, 1, false, false, 0.9, &e, NULL, NULL) == FT_EINVAL &&
		   ft_power_jobs(&cluster, 0, job, 1, false, false, 0.9, &e, NULL, NULL) == FT_EINVAL &&
		   ft_power_jobs(&cluster, 1, job, 0, false, false, 0.9, &e, NULL, NULL) == FT_EINVAL,
	   "a job longer than itself, no machine, no job");
}

/* Seconds of parts: cores by processor time, all else as long as the run lasts. */
static void test_times(void)
{
	const struct ft_power power = {.parts = 3,
				       .part = {"infr", "core", "device"},
				       .watts = {100, 10, 250}},
			      odd = {.parts = 1, .part = {"disk"}, .watts = {5}};
	struct ft_err err = {0};
	double time_s[3] = {0}, none[3];

	ok(!ft_power_times(&power, 2, 6, time_s, NULL) && time_s[0] == 2 && time_s[1] == 6 && time_s[2] == 2,
	   "2 s, of which three cores are busy: %g, %g, %g s", time_s[0], time_s[1], time_s[2]);
	ok(fabs(ft_power_energy(&power, time_s, 2, 0.9).joules - 760) < 1e-9, "... and 760 J");
	ok(ft_power_times(&power, 2, NAN, none, &err) == FT_ENOMODEL && err.remedy[0],
	   "processor time is not known: %s", err.text);
	ok(ft_power_times(&odd, 2, 6, none, &err) == FT_ENOMODEL && strstr(err.text, "disk"), "%s", err.text);
}

static void test_sweet_spot(void)
{
	static const struct ft_power alone = {
		.parts = 3, .part = {"infr", "machine", "core"}, .watts = {0, 0, 10}};
	double energy[64], best = INFINITY;
	struct ft_sweet_spot s;
	size_t at = 0;

	/* E(n) = T(n) (190 + 10 n), T = 1000 (0.1 + 0.9 / n): least where d/dn (19 + n + 9 * 19 / n) = 0,
	 * n = sqrt(171) = 13.08. */
	ok(!ft_power_sweet_spot(&cluster, 1000, 0.1, 16, 64, true, &s, energy, NULL) && s.cores == 13 &&
		   s.machines == 1 && near(s.joules, 1000 * (0.1 + 0.9 / 13) * (190 + 130), 1e-12) &&
		   near(s.seconds, 1000 * (0.1 + 0.9 / 13), 1e-12) && near(s.serial_joules, 2e5, 1e-12) &&
		   !s.at_bound,
	   "figure 8.1: 13 of 16 cores cost least");
	for (size_t i = 0; i < 64; i++)
		if (energy[i] < best) {
			best = energy[i];
			at = i + 1;
		}
	ok(at == 13 && near(energy[16], 1000 * (0.1 + 0.9 / 17) * (280 + 170), 1e-12),
	   "17 cores need a second machine");
	ok(!ft_power_sweet_spot(&cluster, 1000, 0.1, 16, 16, false, &s, NULL, NULL) && s.cores == 16 &&
		   s.at_bound,
	   "where cores that wait draw nothing, all of a machine's are best");
	ok(!ft_power_sweet_spot(&alone, 100, 0, 64, 64, true, &s, energy, NULL) && s.cores == 1 &&
		   s.same == 64 && !s.at_bound && near(s.joules, 1000, 1e-12),
	   "where nothing but cores draws power all are equal, from %g to %g", s.cores, s.same);
	ok(ft_power_sweet_spot(&cluster, 0, 0.1, 16, 16, false, &s, NULL, NULL) == FT_EINVAL,
	   "no time, no answer");
}

static void test_read(void)
{
	static const char exact[] =
		"t_wall,n,m,t_job,energy_j\n10,4,1,8,2240\n10,12,1,9,2990\n20,24,2,15,9250\n"
		"5,36,3,4,3300\n7,12,1,7,2170\n";
	struct ft_energy_runs runs;
	struct ft_energy_fit fit;
	struct ft_energy_fit_options options = {0};
	const char *path = temp_path("runs.csv");
	struct ft_err err;

	ok(write_file(path, exact) && !ft_energy_runs_read(&runs, path, false, NULL, NULL) && runs.n == 5 &&
		   runs.parts == 3 && !ft_energy_fit(&fit, &runs, &options, NULL) &&
		   near(fit.power.watts[0], 100, 1e-9) && near(fit.power.watts[1], 90, 1e-9) &&
		   near(fit.power.watts[2], 10, 1e-9) && near(fit.r2, 1, 1e-12),
	   "exact runs give the powers back");
	ft_energy_fit_clear(&fit);
	ft_energy_fit_clear(&fit);
	ft_energy_runs_clear(&runs);
	ok(!ft_energy_runs_read(&runs, path, true, NULL, NULL) && runs.parts == 2 && runs.merged &&
		   !ft_energy_fit(&fit, &runs, &options, NULL) && fit.r2 < 0.999,
	   "merged they fit worse (12.1.2)");
	ft_energy_fit_clear(&fit);
	ft_energy_runs_clear(&runs);
	ok(write_file(path, "t_wall,n,t_job,energy_j\n10,4,8,2240\n10,12,9,2990\n7,12,7,2170\n") &&
		   !ft_energy_runs_read(&runs, path, false, NULL, NULL) && runs.merged &&
		   runs.machines == 1 && !strcmp(runs.part[0], "infr+machine"),
	   "one machine: infrastructure and machine are one part");
	ft_energy_runs_clear(&runs);
	ok(write_file(path, "t_wall,t_machine,t_fast,t_slow,energy\n10,10,20,0,2100\n10,10,0,30,2050\n"
			    "10,20,40,10,3250\n10,20,0,0,2800\n5,5,5,5,1025\n") &&
		   !ft_energy_runs_read(&runs, path, false, NULL, NULL) && runs.parts == 4 &&
		   !ft_energy_fit(&fit, &runs, &options, NULL) && near(fit.power.watts[2], 10, 1e-9) &&
		   near(fit.power.watts[3], 5, 1e-9),
	   "kinds of cores: a column each");
	ft_energy_fit_clear(&fit);
	ft_energy_runs_clear(&runs);
	ok(write_file(path, "t_wall,n,t_job,energy_j,meter\n10,4,8,2240,wall\n10,12,9,2990,rapl\n") &&
		   ft_energy_runs_read(&runs, path, false, NULL, &err) == FT_EINVAL &&
		   strstr(err.text, "rapl") && strstr(err.remedy, "--meter") &&
		   !ft_energy_runs_read(&runs, path, false, "rapl", NULL) && runs.n == 1,
	   "two kinds of meters are never mixed silently");
	ok(ft_energy_fit(&fit, &runs, &options, &err) == FT_EINVAL &&
		   strstr(err.text, "1 run cannot determine 2"),
	   "fewer runs than parts");
	ft_energy_runs_clear(&runs);
	ok(write_file(path, "t_wall,n,t_job,energy_j\n10,4,11,2240\n") &&
		   ft_energy_runs_read(&runs, path, false, NULL, &err) == FT_EINVAL &&
		   strstr(err.text, ":2: t_job"),
	   "t_job over t_wall: the line");
	ok(write_file(path, "t_wall,n,t_job,energy_j\n10,4,1,-1\n") &&
		   ft_energy_runs_read(&runs, path, false, NULL, &err) == FT_EINVAL &&
		   strstr(err.text, "column 4"),
	   "a negative energy: line and column");
	ok(write_file(path, "t_wall,t_a,t_b,energy_j\n10,4,8,1\n10,2,4,2\n10,1,2,1\n") &&
		   !ft_energy_runs_read(&runs, path, false, NULL, NULL) &&
		   ft_energy_fit(&fit, &runs, &options, &err) == FT_EINVAL && strstr(err.text, "'a' and 'b'"),
	   "parts always used in one proportion are named");
	ft_energy_runs_clear(&runs);
	ft_energy_runs_clear(NULL);
}

/* A random cluster's runs, some wrong by 30 %. */
static struct ft_energy_runs sample(struct ft_random *r, const double *watts, size_t n, double noise,
				    size_t wrong)
{
	struct ft_energy_runs runs = {.n = n, .parts = 3, .machines = NAN};

	memcpy(runs.part, cluster.part, sizeof runs.part);
	runs.time_s = ft_calloc(n * 3, sizeof *runs.time_s);
	runs.most = ft_calloc(n * 3, sizeof *runs.most);
	runs.wall_s = ft_calloc(n, sizeof *runs.wall_s);
	runs.energy_j = ft_calloc(n, sizeof *runs.energy_j);
	runs.peak_w = ft_calloc(n, sizeof *runs.peak_w);
	runs.line = ft_calloc(n, sizeof *runs.line);
	for (size_t i = 0; i < n; i++) {
		double wall = 100 + 1000 * ft_random_uniform(r), m = 1 + (double)(i % 3), power = 0;
		double busy = 0.2 + 0.8 * ft_random_uniform(r);

		runs.wall_s[i] = wall;
		runs.peak_w[i] = NAN;
		runs.time_s[i * 3] = wall;
		runs.time_s[i * 3 + 1] = m * wall;
		runs.time_s[i * 3 + 2] = wall * (1 + (12 * m - 1) * busy);
		for (size_t j = 0; j < 3; j++)
			power += watts[j] * runs.time_s[i * 3 + j] / wall;
		power += noise * ft_random_normal(r);
		if (i < wrong)
			power *= i % 2 ? 0.7 : 1.3;
		runs.energy_j[i] = power * wall;
	}
	return runs;
}

static void test_random(void)
{
	struct ft_random r = {test_seed()};
	int cases = test_cases(200), i, inside = 0, far = 0, kept = 0, unequal = 0, spoilt = 0;

	for (i = 0; i < cases; i++) {
		double watts[3] = {50 + 200 * ft_random_uniform(&r), 50 + 100 * ft_random_uniform(&r),
				   5 + 20 * ft_random_uniform(&r)};
		size_t wrong = ft_random_below(&r, 4), j;
		struct ft_energy_runs runs = sample(&r, watts, 18, 3, wrong);
		struct ft_energy_fit fit, plain;
		struct ft_energy_fit_options options = {0};

		if (ft_energy_fit(&fit, &runs, &options, NULL))
			continue;
		for (j = 0; j < 3; j++) {
			inside += fabs(fit.power.watts[j] - watts[j]) <= fit.interval_w[j];
			far += fabs(fit.power.watts[j] - watts[j]) > 0.3 * watts[j];
		}
		for (j = 0; j < 18; j++) {
			kept += j < wrong && !fit.left_out[j];
			spoilt += j >= wrong && fit.left_out[j];
		}
		options.plain = true;
		if (!wrong && !fit.n_left_out && !ft_energy_fit(&plain, &runs, &options, NULL)) {
			for (j = 0; j < 3; j++)
				unequal += !near(plain.power.watts[j], fit.power.watts[j], 1e-9);
			ft_energy_fit_clear(&plain);
		}
		ft_energy_fit_clear(&fit);
		ft_energy_runs_clear(&runs);
	}
	ok(!kept, "every wrong run is left out (%d were not)", kept);
	ok(spoilt <= cases / 4, "hardly any good one is: %d of %d", spoilt, 18 * cases);
	ok(inside > 3 * cases * 0.84 && inside < 3 * cases * 0.95, "90 %% intervals hold %.1f %%",
	   100.0 * inside / (3 * cases));
	ok(far < 3 * cases / 10, "powers are near the truth: %d of %d over 30 %% off", far, 3 * cases);
	ok(!unequal, "with none left out it is least squares");
}

/* By a slow oracle: each number of cores is asked about with ft_power_peak. */
static void test_cap(void)
{
	struct ft_random r = {test_seed()};
	struct ft_power_cap cap;
	bool good = true;

	for (size_t i = 0; i < 300 && good; i++) {
		struct ft_power power = cluster;
		double per = 1 + (double)ft_random_below(&r, 12),
		       limit_w = 100 + 2000 * ft_random_uniform(&r);
		size_t most = 1 + ft_random_below(&r, 60), kept = 0;

		for (size_t n = 1; n <= most; n++) {
			const double units[] = {1, ceil((double)n / per), (double)n};
			double lower, upper, watts = ft_power_peak(&power, units, 0.9, &lower, &upper);

			if ((isnan(upper) ? watts : upper) > limit_w)
				break;
			kept = n;
		}
		good = !ft_power_capped(&power, limit_w, per, most, 0.9, &cap, NULL) &&
		       cap.cores == (double)kept && isnan(cap.next_w) == (kept == most);
	}
	ok(good, "as many cores as keep the limit, and no more (seed %llu)", (unsigned long long)test_seed());
	ok(ft_power_capped(&cluster, 0, 4, 8, 0.9, &cap, NULL) == FT_EINVAL, "no power at all");
	ok(ft_power_capped(&cluster, 500, 0, 8, 0.9, &cap, NULL) == FT_EINVAL, "no core a machine");
}

/* Jobs of a batch system: what eq. 12.1 says of them by hand. */
static void test_accounts(void)
{
	struct ft_energy_job job[12] = {{0}};
	const struct ft_energy_fit_options options = {0};
	struct ft_energy_runs runs;
	struct ft_energy_fit fit;
	struct ft_err err = {0};

	for (size_t i = 0; i < 12; i++) {
		job[i] = (struct ft_energy_job){.wall_s = 10 + (double)(i * 7 % 12),
						.machines = (double)(i % 4 + 1)};
		job[i].core_s = job[i].wall_s * (double)(i * 5 % 11);
		job[i].energy_j = job[i].wall_s * (161 + 101 * job[i].machines) + 12 * job[i].core_s;
	}
	ok(!ft_energy_runs_of(&runs, job, 12, false, NULL) && runs.n == 12 && runs.parts == 3 &&
		   !runs.merged && runs.line[11] == 12,
	   "jobs become runs of three parts");
	ok(!ft_energy_fit(&fit, &runs, &options, NULL) && near(fit.power.watts[0], 161, 1e-6) &&
		   near(fit.power.watts[1], 101, 1e-6) && near(fit.power.watts[2], 12, 1e-6),
	   "... whose powers are found");
	ft_energy_fit_clear(&fit);
	ft_energy_runs_clear(&runs);
	for (size_t i = 0; i < 12; i++)
		job[i].machines = 2;
	ok(!ft_energy_runs_of(&runs, job, 12, false, NULL) && runs.parts == 2 && runs.merged &&
		   runs.machines == 2,
	   "as many machines in each: infrastructure and machines are one part");
	ft_energy_runs_clear(&runs);
	job[3].machines = 0.5;
	ok(ft_energy_runs_of(&runs, job, 12, false, &err) == FT_EINVAL && strstr(err.text, "job 4 of 12") &&
		   !runs.time_s,
	   "half a machine: %s", err.text);
	ok(ft_energy_runs_of(&runs, job, 0, false, NULL) == FT_EINVAL, "no job");
	for (size_t i = 1; i <= 6; i++) {
		(void)ft_alloc_fail_at(i);
		ok(ft_energy_runs_of(&runs, job, 3, false, NULL) == FT_ENOMEM && !runs.time_s,
		   "allocation %zu fails", i);
		(void)ft_alloc_fail_at(0);
	}
}

static void test_faults(void)
{
	const char *path = temp_path("fault.csv");
	struct ft_energy_fit_options options = {0};
	bool passed = false;

	(void)write_file(path, "t_wall,n,m,t_job,energy_j\n10,4,1,8,2240\n10,12,1,9,2990\n20,24,2,15,9250\n"
			       "5,36,3,4,3300\n7,12,1,7,2170\n8,24,2,7,3700\n9,30,3,8,5500\n");
	for (unsigned long n = 1; n < 200 && !passed; n++) {
		struct ft_energy_runs runs;
		struct ft_energy_fit fit = {0};

		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft_energy_runs_read(&runs, path, false, NULL, NULL);
		if (!status)
			status = ft_energy_fit(&fit, &runs, &options, NULL);
		passed = !status;
		(void)ft_alloc_fail_at(0);
		if (status && (status != FT_ENOMEM || fit.power_w))
			break;
		ft_energy_fit_clear(&fit);
		ft_energy_runs_clear(&runs);
	}
	ok(passed, "each allocation may fail");
}

int main(void)
{
	test_jobs();
	test_times();
	test_sweet_spot();
	test_read();
	test_random();
	test_cap();
	test_accounts();
	test_faults();
	temp_remove();
	return done();
}
