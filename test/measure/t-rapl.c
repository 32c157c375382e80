/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-rapl.c - energy counters of a recorded machine: which count, how they go round, when they cannot be read.
 */
#include "tap.h"
#include "temp.h"

#include "foretime/facts.h"
#include "measure/measure.h"

#include <sys/stat.h>
#include <unistd.h>

static char root[256];

static void write_zone(const char *zone, const char *file, const char *text, mode_t mode)
{
	char path[512];
	FILE *stream;

	(void)snprintf(path, sizeof path, "%s/sys/class/powercap/%s/%s", root, zone, file);
	(void)chmod(path, 0644);
	stream = fopen(path, "w");
	if (!stream)
		return;
	(void)fputs(text, stream);
	(void)fclose(stream);
	(void)chmod(path, mode);
}

static void set_energy(const char *zone, const char *text)
{
	write_zone(zone, "energy_uj", text, 0644);
}

static bool copy_machine(void)
{
	const char *source = getenv("FORETIME_TEST_SOURCE");
	char command[1024];

	(void)snprintf(root, sizeof root, "%s", temp_path("machine"));
	(void)snprintf(command, sizeof command,
		       "cp -r '%s/test/machines/xeon-rapl' '%s' && chmod -R u+w,a+rX '%s'",
		       source ? source : ".", root, root);
	return !system(command);
}

/* Two packages, and the memory beside each; not the cores within one, nor the platform around, nor the same
 * package by another way. */
static void test_zones(void)
{
	struct ft__rapl rapl = {0};
	struct ft_err err = {0};

	ok(!ft__rapl_open(&rapl, root, &err) && rapl.n == 4, "four zones count: %zu %s", rapl.n, err.text);
	for (size_t i = 0; i < rapl.n; i++)
		ok(rapl.zone[i].range_j > 65000 && rapl.zone[i].last_j >= 987, "%s goes round at %.0f J",
		   strrchr(rapl.zone[i].path, '/') + 1, rapl.zone[i].range_j);
	ok(!ft__rapl_begin(&rapl, &err) && !ft__rapl_look(&rapl, &err) && rapl.joules == 0,
	   "nothing was used while nothing changed");
}

static void test_sums(void)
{
	struct ft__rapl rapl = {0};
	struct ft_err err = {0};

	(void)ft__rapl_open(&rapl, root, &err);
	set_energy("intel-rapl:0", "262143328000\n"); /* went round: 262143.328850 - 262143.328850 */
	(void)ft__rapl_begin(&rapl, &err);
	ok(rapl.joules == 0, "what was before the beginning does not count");
	set_energy("intel-rapl:1", "1239567890\n");
	set_energy("intel-rapl:0:0", "99000000\n");
	set_energy("intel-rapl:2", "99000000000\n");
	set_energy("intel-rapl-mmio:0", "99000000000\n");
	(void)ft__rapl_look(&rapl, &err);
	ok(near(rapl.joules, 5, 1e-9), "5 J of a package: %.9g", rapl.joules);
	set_energy("intel-rapl:1:0", "989654321\n");
	(void)ft__rapl_look(&rapl, &err);
	ok(near(rapl.joules, 7, 1e-9), "and 2 J of memory: %.9g", rapl.joules);
	set_energy("intel-rapl:0", "1000000\n");
	(void)ft__rapl_look(&rapl, &err);
	ok(near(rapl.joules, 7 + 1.00085, 1e-9), "a counter that goes round: %.9g", rapl.joules);
	set_energy("intel-rapl:0", "262143000000\n");
	(void)ft__rapl_look(&rapl, &err);
	set_energy("intel-rapl:0", "0\n");
	(void)ft__rapl_look(&rapl, &err);
	ok(near(rapl.joules, 7 + 1.00085 + 262142 + 0.32885, 1e-9), "and again: %.9g", rapl.joules);
}

/* Random use, with a range that is passed many times, against a plain sum. */
static void test_random(void)
{
	uint64_t seed = test_seed(), state = seed;
	struct ft__rapl rapl = {0};
	struct ft_err err = {0};
	unsigned long long counter = 0, range = 65712999613ULL;
	double sum = 0;
	char text[64];

	set_energy("intel-rapl:0:1", "0\n");
	(void)ft__rapl_open(&rapl, root, &err);
	(void)ft__rapl_begin(&rapl, &err);
	for (int i = 0; i < test_cases(200); i++) {
		unsigned long long used;

		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		used = (state >> 20) % range;
		sum += 1e-6 * (double)used;
		counter = (counter + used) % range;
		(void)snprintf(text, sizeof text, "%llu\n", counter);
		set_energy("intel-rapl:0:1", text);
		(void)ft__rapl_look(&rapl, &err);
	}
	ok(near(rapl.joules, sum, 1e-9), "use below a round each: %.9g J of %.9g J, seed %llu", rapl.joules,
	   sum, (unsigned long long)seed);
}

static void test_unreadable(void)
{
	struct ft__rapl rapl = {0}, opened = {0};
	struct ft_err err = {0};
	bool privileged = geteuid() == 0;

	(void)ft__rapl_open(&opened, root, &err);
	set_energy("intel-rapl:1", "many\n");
	ok(ft__rapl_open(&rapl, root, &err) == FT_EUNAVAIL && strstr(err.text, "holds no energy: 'many'") &&
		   !rapl.n && *err.remedy,
	   "a file that holds no number: %s", err.text);
	ok(ft__rapl_look(&opened, &err) == FT_EUNAVAIL, "also when it was good before");
	set_energy("intel-rapl:1", "");
	ok(ft__rapl_open(&rapl, root, &err) == FT_EUNAVAIL && *err.text, "an empty one: %s", err.text);
	write_zone("intel-rapl:1", "energy_uj", "5\n", 0400);
	(void)chmod(temp_folder, 0755);
	if (privileged)
		(void)!seteuid(65534);
	else
		write_zone("intel-rapl:1", "energy_uj", "5\n", 0);
	ok(ft__rapl_open(&rapl, root, &err) == FT_EUNAVAIL &&
		   (strstr(err.text, "for root only") || strstr(err.text, "Permission")) && *err.remedy,
	   "one for root only: %s", err.text);
	if (privileged)
		(void)!seteuid(0);
	set_energy("intel-rapl:1", "5\n");
}

/* The same by way of a launch. */
static void test_energy(void)
{
	struct ft_launch launch = {.energy = "rapl"};
	struct ft__energy *energy = NULL;
	struct ft_run run = {0};
	struct ft_err err = {0};

	set_energy("intel-rapl:1", "5000000\n");
	ok(!ft__energy_open(&energy, &launch, root, &err) && energy, "energy of a recorded machine");
	ft__energy_begin(energy, NULL);
	set_energy("intel-rapl:1", "17000000\n");
	ok(!ft__energy_end(energy, 1, &run, &err) && run.n_samples == 1 &&
		   near(run.sample[0].value, 12, 1e-9) && run.sample[0].label == FT_MEASURED &&
		   !strcmp(run.sample[0].probe, "rapl") && run.sample[0].resource == &ft_energy_j,
	   "12 J, measured");
	ft__energy_begin(energy, NULL);
	set_energy("intel-rapl:1", "?\n");
	ok(!ft__energy_end(energy, 1, &run, &err), "a counter that is lost");
	ok(run.n_samples == 2 && isnan(run.sample[1].value) && run.sample[1].label == FT_UNAVAILABLE &&
		   strstr(run.sample[1].reason, "no energy"),
	   "is unavailable: %s", run.sample[1].reason);
	set_energy("intel-rapl:1", "18000000\n");
	ft__energy_begin(energy, NULL);
	set_energy("intel-rapl:1", "19000000\n");
	ok(!ft__energy_end(energy, 1, &run, &err) && run.n_samples == 3, "it is tried again");
	ok(near(run.sample[2].value, 1, 1e-9), "and may come back: %g", run.sample[2].value);
	ft__energy_close(energy);
	ft_run_clear(&run);
}

static void test_absent(void)
{
	struct ft_launch launch = {.energy = "rapl"};
	struct ft__energy *energy = NULL;
	struct ft_run run = {0};
	struct ft_err err = {0};
	char command[512];

	ok(ft__rapl_explain(root, true, &err) == FT_EUNAVAIL && strstr(err.text, "whole package"),
	   "zones, and none is a package");
	(void)snprintf(command, sizeof command, "rm -r '%s/sys/class/powercap'", root);
	ok(!system(command) && ft__rapl_explain(root, true, &err) == FT_EUNAVAIL &&
		   strstr(err.text, "offers no energy counters") && strstr(err.remedy, "virtual machines"),
	   "a guest has none: %s", err.remedy);
	ok(ft__rapl_explain(root, false, &err) == FT_EUNAVAIL && strstr(err.remedy, "modprobe"),
	   "elsewhere a module may be missing");
	ok(!ft__energy_open(&energy, &launch, root, &err) && energy && !ft__energy_hears(energy),
	   "a launch goes on without");
	ft__energy_begin(energy, NULL);
	ok(!ft__energy_end(energy, 1, &run, &err) && run.n_samples == 1, "and its runs too");
	ok(run.sample[0].label == FT_UNAVAILABLE && isnan(run.sample[0].value) &&
		   strstr(run.sample[0].reason, "; "),
	   "which say why: %s", run.sample[0].reason);
	ft__energy_close(energy);
	ft_run_clear(&run);
}

int main(void)
{
	if (!copy_machine()) {
		ok(false, "test/machines/xeon-rapl is copied");
		return done();
	}
	test_zones();
	test_sums();
	test_random();
	test_unreadable();
	test_energy();
	test_absent();
	temp_remove();
	return done();
}
