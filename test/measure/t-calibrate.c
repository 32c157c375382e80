/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-calibrate.c - the table of micro-benchmarks, a calibration, and its file written and read back. No time
 * is checked: only that there is one. */
#include "tap.h"

#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "measure/measure.h"

#include <unistd.h>

static char path[] = "/tmp/t-calibrate-XXXXXX";

static size_t count(void)
{
	size_t n = 0;

	while (ft_micro_get(n))
		n++;
	return n;
}

static void test_table(void)
{
	const struct ft_micro *one, *other;
	size_t i, wrong = 0;

	for (i = 0; (one = ft_micro_get(i)); i++) {
		char name[128];

		(void)snprintf(name, sizeof name, "%s%s", FT_CALIBRATION_PREFIX, one->name);
		wrong += !*one->name ||
			 strspn(one->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(one->name);
		wrong += !*one->operation || !*one->about || strlen(one->name) > 24;
		wrong += ft_micro_find(one->name) != one || ft_micro_find(name) != one;
		for (size_t j = 0; j < i && (other = ft_micro_get(j)); j++)
			wrong += !strcmp(one->name, other->name);
	}
	ok(i >= 20 && !wrong, "%zu micro-benchmarks, each found by its own name", i);
	ok(!ft_micro_find("int") && !ft_micro_find("") && !ft_micro_find(FT_CALIBRATION_PREFIX) &&
		   !ft_micro_get(i + 1),
	   "no others are");
}

/* Every one of a kind does at least what it is asked, and leaves nothing behind. */
static size_t run_kind(const struct ft__micro *each)
{
	size_t wrong = 0;

	for (; each->micro.name; each++) {
		struct ft__workplace place = {0};

		if (each->prepare && each->prepare(&each->micro, &place, NULL)) {
			diag("%s: not prepared", each->micro.name);
			wrong++;
			continue;
		}
		for (uint64_t asked = 1; asked <= 100; asked *= 10)
			if (each->run(&place, asked) < asked || place.error) {
				diag("%s: fewer than %d, %s", each->micro.name, (int)asked,
				     strerror(place.error));
				wrong++;
			}
		if (each->finish)
			each->finish(&place);
	}
	return wrong;
}

/* A walk goes through every line before it comes back to the first. */
static void test_walk(void)
{
	const struct ft__micro *each = ft__micro_memory;
	struct ft__workplace place = {0};
	size_t i, wrong = 0;
	void *at;

	while (strcmp(each->micro.name, "load_16k") != 0)
		each++;
	size_t lines = each->micro.bytes / 64;
	char *seen = calloc(lines, 1);
	if (!seen || each->prepare(&each->micro, &place, NULL)) {
		free(seen);
		return;
	}
	for (i = 0, at = place.at; i < lines; i++, at = *(void **)at)
		wrong += seen[((char *)at - (char *)place.memory) / 64]++ ? 1 : 0;
	ok(!wrong && at == place.at, "a walk through %zu lines is one cycle", lines);
	at = place.at;
	for (i = 0; i < 32; i++)
		at = *(void **)at;
	(void)each->run(&place, 20); /* 32, for it goes 16 at a time */
	ok(place.at == at, "and goes on from where it stopped");
	each->finish(&place);
	free(seen);
}

/* A child that is killed is said, and is not the end of us. */
static void test_killed(void)
{
	const struct ft__micro *each = ft__micro_system;
	struct ft__workplace place = {0};
	sigset_t before, after;
	int i, count_of[2] = {0, 0};

	(void)pthread_sigmask(SIG_SETMASK, NULL, &before);
	while (strcmp(each->micro.name, "pipe_round_trip") != 0)
		each++;
	if (each->prepare(&each->micro, &place, NULL)) {
		skip("a child that is killed", "there is none");
		return;
	}
	ok(each->run(&place, 3) >= 3 && !place.error, "three round trips");
	(void)kill(place.child, SIGKILL);
	for (i = 0; i < 1000 && !place.error; i++)
		(void)each->run(&place, 1);
	ok(place.error, "a child that is killed: %s", strerror(place.error));
	each->finish(&place);
	(void)pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (i = 1; i < 32; i++) {
		count_of[0] += sigismember(&before, i);
		count_of[1] += sigismember(&after, i);
	}
	ok(count_of[0] == count_of[1] && sigismember(&before, SIGPIPE) == sigismember(&after, SIGPIPE),
	   "signals are as they were");
}

static void test_calibrate(void)
{
	const struct ft_calibrate_options small = {.rounds = 2, .repetitions = 2, .least_s = 1e-6},
					  late = {.most_s = 1e-9, .least_s = 1e-6};
	volatile sig_atomic_t raised = 1;
	const struct ft_calibrate_options stopped = {.interrupt = &raised};
	struct ft_calibration calibration;
	struct ft_err err = {0};
	size_t i, n = count(), wrong = 0;

	ok(!ft_calibrate(&small, &calibration, &err), "calibrates%s", err.text);
	for (i = 0; i < calibration.n; i++) {
		const struct ft_micro_sample *sample = &calibration.sample[i];
		bool has = isfinite(sample->wall_s) && sample->wall_s > 0 && !*sample->reason,
		     lacks = isnan(sample->wall_s) && *sample->reason;

		wrong += !(has || lacks) || sample->started_ns <= 0;
		if (lacks)
			diag("%s: %s", sample->micro->name, sample->reason);
	}
	ok(calibration.n > n && calibration.n <= 2 * n && !wrong,
	   "%zu values in two rounds, positive and finite, or with a reason", calibration.n);
	ok(calibration.sample[0].micro == ft_micro_get(0) && calibration.sample[1].micro == ft_micro_get(1),
	   "a round goes through the table");
	ft_calibration_clear(&calibration);
	ft_calibration_clear(&calibration);
	ft_calibration_clear(NULL);

	ok(!ft_calibrate(&late, &calibration, NULL) && calibration.n == 1,
	   "when the time is over, nothing more is begun");
	ft_calibration_clear(&calibration);
	ok(ft_calibrate(&stopped, &calibration, &err) == FT_EINTR && !calibration.n && !calibration.sample,
	   "an interrupted one leaves nothing");
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static void write_file(const char *text)
{
	FILE *file = fopen(path, "we");

	if (file) {
		(void)fputs(text, file);
		(void)fclose(file);
	}
}

static const struct ft_machine box = {.fingerprint = (char *)"0123456789abcdef",
				      .host = (char *)"box",
				      .cpu = (char *)"Some CPU, at 3 GHz\nin two lines",
				      .system = (char *)"System 9",
				      .sockets = 1,
				      .cores = 4,
				      .threads = 8,
				      .l1d_bytes = 32768,
				      .memory_bytes = INT64_C(8589934592)};

static void fill(struct ft_calibration *calibration)
{
	struct ft_micro_sample sample = {0};

	for (size_t i = 0; i < 3; i++) {
		sample.micro = ft_micro_get(i);
		sample.wall_s = i == 1 ? NAN : 1e-9 / ((double)i + 3);
		sample.started_ns = i == 2 ? 0 : INT64_C(1700000000123456789);
		(void)ft_calibration_add(calibration, &sample, NULL);
	}
}

static void test_file(void)
{
	struct ft_calibration made = {0}, read;
	struct ft_machine machine;
	struct ft_err err = {0};
	char *text = NULL;

	fill(&made);
	ok(!ft_calibration_write(&box, &made, &text, NULL), "written");
	write_file(text ? text : "");
	ft_free(text);
	ok(!ft_calibration_read(path, &machine, &read, &err), "read: %s", err.text);
	ok(read.n == 2 && read.sample[0].micro == ft_micro_get(0) &&
		   read.sample[1].micro == ft_micro_get(2) && read.sample[0].wall_s == 1e-9 / 3 &&
		   read.sample[1].wall_s == 1e-9 / 5 &&
		   read.sample[0].started_ns == INT64_C(1700000000123456789) && !read.sample[1].started_ns,
	   "values to the last digit, without the one that there was not");
	ok(machine.cores == 4 && machine.threads == 8 && machine.sockets == 1 && machine.l1d_bytes == 32768 &&
		   !machine.l2_bytes && machine.memory_bytes == box.memory_bytes &&
		   !strcmp(machine.host, "box") && !strcmp(machine.cpu, "Some CPU, at 3 GHz in two lines") &&
		   !machine.governor && !strcmp(machine.fingerprint, box.fingerprint),
	   "and the facts");
	ft_machine_clear(&machine);
	ft_calibration_clear(&read);
	ft_calibration_clear(&made);
}

static const struct {
	const char *head, *rows; /* head NULL: a good one */
	enum ft_status status;
	const char *says;
} bad[] = {
	/* three notes, then the header: rows begin at line 5 */
	{NULL, "benchmark,wall_s\nint_adds,1\n", FT_EPARSE, ":5: column 1 (benchmark): no such"},
	{NULL, "benchmark,wall_s\nint_add,1\nint_add,0\n", FT_EPARSE,
	 ":6: column 2 (wall_s): not above zero"},
	{NULL, "benchmark,wall_s\nint_add,-1\n", FT_EPARSE, ":5: column 2 (wall_s): not above zero"},
	{NULL, "benchmark,wall_s\nint_add,fast\n", FT_EPARSE, ":5: column 2 (wall_s)"},
	{NULL, "benchmark,wall_s\nint_add,inf\n", FT_EPARSE, ":5: column 2 (wall_s)"},
	{NULL, "benchmark,wall_s\nint_add,\n", FT_EPARSE, ":5: column 2 (wall_s)"},
	{NULL, "benchmark,wall_s\nint_add\n", FT_EPARSE, ":5"},
	{NULL, "benchmark,wall_s,started\nint_add,1,noon\n", FT_EPARSE,
	 ":5: column 3 (started): not a moment"},
	{NULL, "benchmark,cpu_s\nint_add,1\n", FT_EPARSE, "no column 'wall_s'"},
	{NULL, "name,wall_s\nint_add,1\n", FT_EPARSE, "no column 'benchmark'"},
	{"", "benchmark,wall_s\nint_add,1\n", FT_ENOTOURS, "is no machine"},
	{"# foretime: runs 1\n", "n,wall_s\n1,1\n", FT_ENOTOURS, "is no machine"},
	{"# foretime: machine 1\n# version: calibration 0\n", "benchmark,wall_s\n", FT_EVERSION,
	 "calibration 0"},
};

static void test_bad(void)
{
	char head[256], text[512];
	struct ft_calibration read;
	struct ft_machine machine;
	struct ft_err err;

	(void)snprintf(head, sizeof head,
		       "# foretime: machine 1\n# version: %s\n# machine: 0123456789abcdef\n",
		       ft_calibration_version());
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err = (struct ft_err){0};
		(void)snprintf(text, sizeof text, "%s%s", bad[i].head ? bad[i].head : head, bad[i].rows);
		write_file(text);
		ok(ft_calibration_read(path, &machine, &read, &err) == bad[i].status &&
			   strstr(err.text, bad[i].says) && !machine.fingerprint && !read.sample,
		   "%s", err.text);
	}
	(void)snprintf(text, sizeof text,
		       "# foretime: machine 1\n# version: %s\n# machine: box\nbenchmark,wall_s\n",
		       ft_calibration_version());
	write_file(text);
	ok(ft_calibration_read(path, &machine, &read, &err) == FT_EINVAL && !machine.fingerprint &&
		   *err.remedy,
	   "%s", err.text);
	(void)snprintf(text, sizeof text, "%s# cores: -4\nbenchmark,wall_s\n", head);
	write_file(text);
	ok(ft_calibration_read(path, &machine, &read, &err) == FT_EINVAL && !machine.fingerprint &&
		   *err.remedy,
	   "%s", err.text);
	ok(ft_calibration_read("/nowhere.csv", &machine, &read, &err) == FT_ENOENT && !read.n, "%s",
	   err.text);
}

static void test_faults(void)
{
	const struct ft_calibrate_options small = {.rounds = 1, .repetitions = 1, .least_s = 1e-9};
	struct ft_calibration made = {0}, read;
	struct ft_machine machine;
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	char *text = NULL;
	int wrong = 0;

	for (n = 1; status && n < 100; n++) {
		ft_alloc_fail_at(n);
		status = ft_calibrate(&small, &made, NULL);
		wrong += status && (status != FT_ENOMEM || made.sample);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 3 && !wrong, "calibrating, memory that is out is said");
	for (status = FT_ENOMEM, n = 1; status && n < 1000; n++) {
		ft_alloc_fail_at(n);
		status = ft_calibration_write(&box, &made, &text, NULL);
		wrong += status && (status != FT_ENOMEM || text);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 2 && !wrong, "writing");
	write_file(text ? text : "");
	ft_free(text);
	for (status = FT_ENOMEM, n = 1; status && n < 1000; n++) {
		ft_alloc_fail_at(n);
		status = ft_calibration_read(path, &machine, &read, NULL);
		wrong += status && (status != FT_ENOMEM || machine.fingerprint || read.sample);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 5 && !wrong && read.n == made.n, "reading");
	ft_machine_clear(&machine);
	ft_calibration_clear(&read);
	ft_calibration_clear(&made);
}

int main(void)
{
	int file = mkstemp(path);

	if (file < 0)
		return 1;
	(void)close(file);
	test_table();
	ok(!run_kind(ft__micro_processor), "arithmetic and branches");
	ok(!run_kind(ft__micro_memory), "memory");
	ok(!run_kind(ft__micro_system), "the system");
	test_walk();
	test_killed();
	test_calibrate();
	test_file();
	test_bad();
	test_faults();
	(void)unlink(path);
	return done();
}
