/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-meter.c - meters of every kind, good and bad: what they say, and what is left of them. */
#include "alive.h"
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "measure/measure.h"

#include <unistd.h>

static void reads(const char *line, const char *given, bool power, double value)
{
	struct ft__meter_line out = {0};

	ok(ft__meter_read_line(line, given, &out) == FT__METER_READING && out.power == power &&
		   near(out.value, value, 1e-12) && !out.channel,
	   "'%s' is %g %s", line, value, power ? "W" : "J");
}

static void test_lines(void)
{
	static const char *const garbage[] = {"W",      "12",      "12 V",   "-3 W",   "nan W",
					      "inf J",  "1e999 W", "0x10 W", "12 W 5", "watts",
					      "12,5 W", "W 12",    "1e W",   "."};
	struct ft__meter_line out;

	reads("12.3 W", NULL, true, 12.3);
	reads("  55 J\r", NULL, false, 55);
	reads("55J", NULL, false, 55);
	reads("1.5 kW", NULL, true, 1500);
	reads("2e3 mJ", NULL, false, 2);
	reads("0.5 Wh", "W", false, 1800);
	reads("0.001 kWh", NULL, false, 3600);
	reads("12.5", "W", true, 12.5);
	reads("0 W", NULL, true, 0);
	for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
		ok(ft__meter_read_line(garbage[i], NULL, &out) == FT__METER_GARBAGE, "'%s' is no reading",
		   garbage[i]);
	ok(ft__meter_read_line("  ", NULL, &out) == FT__METER_PASS, "an empty line is passed over");
	ok(ft__meter_unit("kWh") && !ft__meter_unit("hp") && !ft__meter_unit(""), "units are known");
}

static void test_nvidia_lines(void)
{
	struct ft__meter_line out = {0};

	ok(ft__meter_read_nvidia("1, 73.52", NULL, &out) == FT__METER_READING && out.channel == 1 &&
		   out.power && near(out.value, 73.52, 1e-12),
	   "a device and its watts");
	ok(ft__meter_read_nvidia("0, [N/A]", NULL, &out) == FT__METER_PASS &&
		   ft__meter_read_nvidia("0, [Not Supported]", NULL, &out) == FT__METER_PASS,
	   "one without a sensor is passed over");
	ok(ft__meter_read_nvidia("No devices were found", NULL, &out) == FT__METER_GARBAGE &&
		   ft__meter_read_nvidia("73.52", NULL, &out) == FT__METER_GARBAGE &&
		   ft__meter_read_nvidia("0.5, 73", NULL, &out) == FT__METER_GARBAGE &&
		   ft__meter_read_nvidia("99, 73", NULL, &out) == FT__METER_GARBAGE &&
		   ft__meter_read_nvidia("0, 73 W", NULL, &out) == FT__METER_GARBAGE,
	   "what is none is refused");
}

/* ---- commands ----------------------------------------------------------------------------------------- */

struct outcome {
	double joules;
	enum ft_label label;
	struct ft_err err;
};

static void nap(double seconds)
{
	(void)usleep((useconds_t)(1e6 * seconds));
}

/* A run of `seconds` beside the meter. */
static struct outcome run_beside(struct ft__meter *meter, double seconds)
{
	struct outcome o = {0};

	ft__meter_begin(meter);
	for (double left = seconds; left > 0; left -= 0.01) {
		nap(0.01);
		ft__meter_hear(meter);
	}
	(void)ft__meter_end(meter, seconds, &o.joules, &o.label, &o.err);
	return o;
}

static struct ft__meter *open_meter(const char *command, const char *given)
{
	struct ft__meter *meter = NULL;
	struct ft_err err = {0};

	if (ft__meter_open(&meter, "the meter", command, given, ft__meter_read_line, &err))
		ok(false, "%s", err.text);
	return meter;
}

static struct outcome measure(const char *command, const char *given, double seconds)
{
	struct ft__meter *meter = open_meter(command, given);
	struct outcome o = run_beside(meter, seconds);

	ft__meter_close(meter);
	return o;
}

/* A reading that comes late by some tenths of a second, as on a machine with much else to do, spoils a
 * measurement as short as these: each may be tried so many times. */
enum { TRIES = 20 };

/* Sleeping takes longer than asked on a busy machine: joules are compared with what a watt makes of a second.
 */
static void gives(const char *command, const char *given, enum ft_label label, double least, double most)
{
	struct outcome o;
	bool good = false;

	for (int i = 0; i < TRIES && !good; i++) {
		o = measure(command, given, 0.3);
		good = !o.err.status && o.joules >= least && o.joules <= most &&
		       (label == FT_UNAVAILABLE || o.label == label);
	}
	if (!ok(good, "%s: %g J", command, o.joules))
		diag("label %d; %s", o.label, o.err.text);
}

static void says(const char *command, const char *text)
{
	struct outcome o = measure(command, NULL, 0.05);

	if (!ok(o.err.status == FT_EUNAVAIL && isnan(o.joules) && o.label == FT_UNAVAILABLE &&
			strstr(o.err.text, text) && *o.err.remedy,
		"%s: %s", command, text))
		diag("%g J; '%s', '%s'", o.joules, o.err.text, o.err.remedy);
}

static void test_good(void)
{
	gives("while :; do echo 100 W; sleep 0.02; done", NULL, FT_ESTIMATED, 29.9, 30.1);
	gives("while :; do echo 100; sleep 0.02; done", "W", FT_ESTIMATED, 29.9, 30.1);
	gives("echo 100 W", NULL, FT_ESTIMATED, 29.9, 30.1);
	gives("printf '0.1 kW'", NULL, FT_ESTIMATED, 29.9, 30.1);
	/* The clock itself as a counter: a joule a second. */
	gives("date +%s.%N", "J", FT_UNAVAILABLE, 0.25, 0.9);
	gives("while :; do date '+%s.%N J'; sleep 0.02; done", NULL, FT_UNAVAILABLE, 0.2, 0.9);
	gives("while :; do echo 5 J; sleep 0.02; done", NULL, FT_UNAVAILABLE, 0, 0);
}

static void test_bad(void)
{
	says("echo hello", "printed what is no reading: hello");
	says("printf 'a\\033[31mb\\n'", "no reading: a?[31mb");
	says("yes", "printed what is no reading: y");
	says("echo 12", "no reading: 12");
	says("echo 3 W; echo 4 J; sleep 10", "gives watts and joules: 4 J");
	says("head -c 100000 /dev/zero | tr '\\0' 9; echo; sleep 5", "no reading: 99999");
	says("false", "ended with status 1");
	says("true", "ended without a reading");
	says("nonsense-$$", "ended with status 127");
	says("echo no right to read the sensor >&2; exit 4", "status 4: no right to read the sensor");
	says("echo 3 W; kill -9 $$", "was ended by signal 9");
}

/* Once a meter is broken it costs no more time, and every run says why. */
static void test_hung(void)
{
	struct ft__meter *meter = open_meter("sleep 1000", NULL);
	struct outcome o = run_beside(meter, 0.02);
	int again = 0;

	ok(o.err.status == FT_EUNAVAIL && strstr(o.err.text, "gave no reading for 5 s"),
	   "a meter that hangs: %s", o.err.text);
	for (int i = 0; i < 20; i++)
		again += run_beside(meter, 0.02).err.status == FT_EUNAVAIL;
	ok(again == 20, "all later runs say so too");
	ft__meter_close(meter);
	meter = open_meter("echo 3 W; exec sleep 1000", NULL);
	o = run_beside(meter, 0.02);
	ok(o.err.status == FT_EUNAVAIL && strstr(o.err.text, "gave no reading for 5 s"),
	   "one that falls silent: %s", o.err.text);
	ft__meter_close(meter);
}

/* The user's wish to end is heeded while a slow meter is waited for; the meter is none the worse. */
static void test_interrupted(void)
{
	struct ft__meter *meter = open_meter("while :; do echo 3 W; sleep 0.5; done", NULL);
	volatile sig_atomic_t flag = 1;
	struct outcome o;
	int i;

	ft__meter_heed(meter, &flag);
	o = run_beside(meter, 0.02);
	ok(o.err.status == FT_EUNAVAIL && strstr(o.err.text, "interrupted before the meter"),
	   "not waited for: %s", o.err.text);
	flag = 0;
	for (i = 0; i < TRIES && o.err.status; i++)
		o = run_beside(meter, 0.6);
	ok(!o.err.status && near(o.joules, 1.8, 0.2), "and the next run is measured: %g J", o.joules);
	ft__meter_close(meter);
}

static void test_short(void)
{
	struct outcome o = {0};

	for (int i = 0; i < TRIES && !o.err.status; i++)
		o = measure("while :; do echo 100 W; sleep 0.4; done", NULL, 0.01);
	ok(o.err.status == FT_EUNAVAIL && strstr(o.err.text, "apart"), "a slow meter beside a short run: %s",
	   o.err.text);
}

static void test_backwards(void)
{
	struct outcome o = {0};

	for (int i = 0; i < TRIES && !strstr(o.err.text, "went back"); i++)
		o = measure("i=1000; while :; do i=$((i - 1)); echo $i J; sleep 0.02; done", NULL, 0.2);
	ok(o.err.status == FT_EUNAVAIL && strstr(o.err.text, "went back"), "a counter that falls: %s",
	   o.err.text);
}

/* Several runs with one meter: each has its own share. */
static void test_several(void)
{
	struct ft__meter *meter = open_meter("while :; do echo 10 W; sleep 0.02; done", NULL);
	int good = 0, wrong = 0;

	for (int i = 0; i < 5 * TRIES && good < 5; i++) {
		struct outcome o = run_beside(meter, 0.1);

		good += !o.err.status && near(o.joules, 1, 0.01);
		wrong += !o.err.status && !near(o.joules, 1, 0.01);
	}
	ok(good == 5 && !wrong, "five runs of a joule each: %d", good);
	ft__meter_close(meter);
}

static void test_nothing_left(void)
{
	char tag[64], command[256];

	(void)snprintf(tag, sizeof tag, "foretime-meter-%d", (int)getpid());
	(void)snprintf(command, sizeof command,
		       "sh -c 'sleep 1000; : %s' & setsid sh -c 'trap \"\" TERM; sleep 1000; : %s' & "
		       "while :; do echo 1 W; sleep 0.01; done",
		       tag, tag);
	struct ft__meter *meter = open_meter(command, NULL);
	ft__meter_begin(meter);
	ok(count_alive(tag) >= 2, "a meter that starts others");
	ft__meter_close(meter);
	ok(count_alive(tag) == 0, "takes them with it");
}

/* ---- by way of a launch ------------------------------------------------------------------------------- */

static enum ft_status try_launch(struct ft_launch launch, struct ft_err *err)
{
	struct ft__energy *energy = NULL;

	*err = (struct ft_err){0};
	enum ft_status status = ft__energy_open(&energy, &launch, "", err);
	ft__energy_close(energy);
	return status;
}

static void test_launch(void)
{
	struct ft_err err;
	struct ft__energy *energy = NULL;

	ok(!ft__energy_open(&energy, &(struct ft_launch){0}, "", &err) && !energy && !ft__energy_hears(NULL),
	   "nothing is wished for");
	ft__energy_begin(NULL, NULL);
	ok(!ft__energy_end(NULL, 1, NULL, NULL), "and nothing done");
	ok(try_launch((struct ft_launch){.energy = "sun"}, &err) == FT_EINVAL && *err.remedy, "unknown: %s",
	   err.text);
	ok(try_launch((struct ft_launch){.energy = "rapl,"}, &err) == FT_EINVAL,
	   "a list that ends in a comma");
	ok(try_launch((struct ft_launch){.energy = "rapl,rapl"}, &err) == FT_EINVAL, "one twice");
	ok(try_launch((struct ft_launch){.energy = "rapl", .meter = "echo 1 W"}, &err) == FT_EINVAL,
	   "energy counted twice: %s", err.text);
	ok(try_launch((struct ft_launch){.meter_unit = "W"}, &err) == FT_EINVAL, "a unit of nothing: %s",
	   err.text);
	ok(try_launch((struct ft_launch){.meter = "echo 1", .meter_unit = "hp"}, &err) == FT_EINVAL,
	   "an unknown unit: %s", err.text);
}

/* nvidia-smi as its manual describes it: a line for each device, again and again. */
static void test_nvidia(void)
{
	struct ft_launch launch = {.energy = "nvidia"};
	struct ft__energy *energy = NULL;
	struct ft_run run = {0};
	struct ft_err err = {0};
	enum ft_status status = FT_EUNAVAIL;
	char path[512];

	(void)temp_write(temp_path("nvidia-smi"),
			 "#!/bin/sh\ncase \"$*\" in\n"
			 "*index,power.draw*--loop-ms=100) while :; do echo '0, 60.00'; echo '1, [N/A]'; "
			 "echo '2, 40.00'; sleep 0.05; done;;\n"
			 "*power.draw*) echo 60.00;;\n*) exit 2;;\nesac\n",
			 0755);
	(void)snprintf(path, sizeof path, "%s:%s", temp_folder, getenv("PATH"));
	(void)setenv("PATH", path, 1);
	ok(!ft__energy_open(&energy, &launch, "", &err) && ft__energy_hears(energy),
	   "nvidia-smi is heard: %s", err.text);
	for (int k = 0; k < TRIES && !(run.n_samples == 1 && run.sample[0].label == FT_ESTIMATED); k++) {
		ft_run_clear(&run);
		ft__energy_begin(energy, NULL);
		for (int i = 0; i < 30; i++) {
			nap(0.01);
			ft__energy_hear(energy);
		}
		status = ft__energy_end(energy, 0.3, &run, &err);
	}
	ok(!status && run.n_samples == 1, "a run of 0.3 s");
	ok(near(run.sample[0].value, 30, 0.01) && run.sample[0].label == FT_ESTIMATED &&
		   !strcmp(run.sample[0].probe, "nvidia"),
	   "100 W of two devices for 0.3 s: %g J", run.sample[0].value);
	ft__energy_close(energy);
	ft_run_clear(&run);
	launch.energy = "rapl,nvidia";
	(void)ft__energy_open(&energy, &launch, "/nowhere", &err);
	ft__energy_begin(energy, NULL);
	ok(!ft__energy_end(energy, 0.1, &run, &err) && run.n_samples == 1, "a run beside both");
	ok(!strcmp(run.sample[0].probe, "rapl+nvidia") && run.sample[0].label == FT_UNAVAILABLE,
	   "a sum of which a part is missing is missing: %s", run.sample[0].reason);
	ft__energy_close(energy);
	ft_run_clear(&run);
}

static void test_faults(void)
{
	struct ft__meter *meter = NULL;
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	bool good = true;

	for (n = 1; status && n < 100; n++) {
		(void)ft_alloc_fail_at(n);
		status = ft__meter_open(&meter, "the meter", "echo 1 W", NULL, ft__meter_read_line, NULL);
		good = good && (!status || (status == FT_ENOMEM && !meter));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && n > 2, "each allocation of opening may fail (%lu)", n - 2);
	for (n = 1; n < 8; n++) {
		(void)ft_alloc_fail_at(n);
		struct outcome o = run_beside(meter, 0.02);
		good = good && (o.err.status == FT_OK || o.err.status == FT_EUNAVAIL);
	}
	(void)ft_alloc_fail_at(0);
	ok(good, "and of runs: the energy is then unavailable");
	ft__meter_close(meter);
	ft__meter_close(NULL);
}

int main(void)
{
	test_lines();
	test_nvidia_lines();
	test_good();
	test_bad();
	if (!test_quick()) /* twice the five seconds that a meter has */
		test_hung();
	test_interrupted();
	test_short();
	test_backwards();
	test_several();
	test_nothing_left();
	test_launch();
	test_nvidia();
	test_faults();
	temp_remove();
	return done();
}
