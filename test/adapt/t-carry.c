/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-carry.c - commands as files of those that run them at once; words that they cannot express; real ones,
 * where they are installed. */
#include "tap.h"
#include "temp.h"

#include "adapt/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/adapt.h"

#include <stdlib.h>
#include <string.h>

static const char *const one[] = {"./prog", "120", NULL}, *const two[] = {"prog", "--n=7", "a b", NULL};

static void check(const char *format, const struct ft_carry_command *command, size_t n, const char *expected)
{
	struct ft_err err = {0};
	char *text;

	(void)ft_carry_write(ft_carry_find(format), command, n, &text, &err);
	ok(text ? expected && !strcmp(text, expected) : !expected && err.remedy[0], "%s: %s", format,
	   text ? "written" : "a word that it cannot express is refused");
	if (text && expected && strcmp(text, expected) != 0)
		diag("%s", text);
	ft_free(text);
}

static void test_examples(void)
{
	const struct ft_carry_command here[2] = {{NULL, one}, {NULL, two}},
				      there[2] = {{"a", one}, {NULL, two}};

	ok(!ft_carry_find("multi") && !ft_carry_find("") &&
		   !strcmp(ft_carry_name(ft_carry_find("parallel")), "parallel"),
	   "formats by name");
	check("multi-prog", here, 2, "0 ./prog 120\n1 prog --n=7 'a b'\n");
	check("multi-prog", there, 2, "# task 0: a\n0 ./prog 120\n1 prog --n=7 'a b'\n");
	check("mpiexec", here, 1, "-n 1 ./prog 120\n");
	check("mpiexec", there, 1, "-n 1 -host a ./prog 120\n");
	check("mpiexec", here, 2, NULL);
	check("parallel", here, 2, "./prog 120\nprog --n=7 'a b'\n");
	check("parallel", there, 2, "ssh -- a './prog 120'\nprog --n=7 'a b'\n");
}

static void test_words(void)
{
	static const struct {
		const char *format, *word;
	} bad[] = {{"multi-prog", "it's"}, {"multi-prog", ""},  {"multi-prog", "a\nb"},
		   {"mpiexec", ":"},       {"mpiexec", "a#b"},  {"mpiexec", "ends\\"},
		   {"mpiexec", ""},        {"parallel", "a\nb"}};
	static const struct {
		const char *format, *host;
	} hosts[] = {{"multi-prog", "a\n1 rm"}, {"mpiexec", "a b"}, {"mpiexec", "a\n-n 1"},
		     {"mpiexec", "a#b"},        {"mpiexec", ""},    {"parallel", "a\nrm"}};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *const argv[] = {"prog", bad[i].word, NULL};
		const struct ft_carry_command command = {NULL, argv};

		check(bad[i].format, &command, 1, NULL);
	}
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		const struct ft_carry_command command = {hosts[i].host, one};

		check(hosts[i].format, &command, 1, NULL);
	}
}

/* What the tool that is installed makes of a word: it prints it. False: the tool is not there. */
static bool read_back(const char *format, const char *run, const char *word, char got[64])
{
	const char *const argv[] = {"printf", "%s", word, NULL};
	const struct ft_carry_command command = {NULL, argv};
	char order[512], *text;
	FILE *pipe;
	size_t n;

	if (ft_carry_write(ft_carry_find(format), &command, 1, &text, NULL) ||
	    !temp_write(temp_path("file"), text, 0600))
		return false;
	ft_free(text);
	(void)snprintf(order, sizeof order, "%s %s 2>/dev/null", run, temp_path("file"));
	pipe = popen(order, "r");
	n = pipe ? fread(got, 1, 63, pipe) : 0;
	got[n] = '\0';
	return pipe && pclose(pipe) == 0;
}

static void test_live(const char *format, const char *tool, const char *run)
{
	static const char *const words[] = {"plain", "a=b,c:d", "$HOME", "a;b|c&d",
					    "*",     "\"x\"",   "100%",  "~"};
	char order[128], got[64];
	size_t good = 0, n = sizeof words / sizeof *words;

	(void)snprintf(order, sizeof order, "command -v %s >/dev/null", tool);
	if (system(order) || !read_back(format, run, words[0], got)) {
		ok(true, "%s # SKIP %s is not there, or cannot run here", format, tool);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		bool same = read_back(format, run, words[i], got) && !strcmp(got, words[i]);

		good += same;
		if (!same)
			diag("%s: '%s' came back as '%s'", format, words[i], got);
	}
	ok(good == n, "%s reads what is written", tool);
}

/* Any words: each is in the file, or refused; never out of memory without saying so. */
static void test_faults(void)
{
	const struct ft_carry *format;
	const struct ft_carry_command command[2] = {{"far", one}, {NULL, two}};

	for (size_t i = 0; (format = ft_carry_get(i)); i++) {
		unsigned long failed = 0;
		char *text;

		(void)ft_alloc_fail_at(0);
		(void)ft_carry_write(format, command, 1, &text, NULL);
		ft_free(text);
		unsigned long n = ft_alloc_fail_at(0);
		for (unsigned long k = 1; k <= n; k++) {
			(void)ft_alloc_fail_at(k);
			failed += ft_carry_write(format, command, 1, &text, NULL) == FT_ENOMEM && !text;
			ft_free(text);
		}
		(void)ft_alloc_fail_at(0);
		ok(n && failed == n, "%s: out of memory at %lu places", ft_carry_name(format), n);
	}
}

/* A schedule, run with an sbatch that writes down what it was asked. */
static void test_slurm(void)
{
	static const size_t first[] = {1}, both[] = {0, 1}, order[] = {1, 0, 2};
	const struct ft_carry_job job[] = {
		{"a", "n1", one, first, 1}, {"b b", "n2", two, NULL, 0}, {"c", "n1", one, both, 2}};
	static const char fake[] = "#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done >> \"$0.log\"\n"
				   "echo >> \"$0.log\"\nwc -l < \"$0.log\"\n";
	static const char expected[] =
		"[--parsable][--job-name=b b][--nodelist=n2][--wrap=prog --n=7 'a b']\n"
		"[--parsable][--job-name=a][--nodelist=n1][--dependency=afterok:1][--wrap=./prog 120]\n"
		"[--parsable][--job-name=c][--nodelist=n1][--dependency=afterok:2:1][--wrap=./prog 120]\n";
	char *text, order_text[700], got[1000];
	FILE *log;
	size_t n;

	ok(ft_carry_slurm(job, order, 3, &text, NULL) == FT_OK &&
		   temp_write(temp_path("plan.sh"), text, 0700) &&
		   temp_write(temp_path("sbatch"), fake, 0700),
	   "a script of sbatch");
	ft_free(text);
	(void)snprintf(order_text, sizeof order_text, "PATH=%s:$PATH; sh %s", temp_folder,
		       temp_path("plan.sh"));
	ok(system(order_text) == 0, "... runs");
	log = fopen(temp_path("sbatch.log"), "re");
	n = log ? fread(got, 1, sizeof got - 1, log) : 0;
	got[n] = '\0';
	if (log)
		(void)fclose(log);
	ok(!strcmp(got, expected), "... and asks for nodes, dependencies and commands");
	if (strcmp(got, expected) != 0)
		diag("%s", got);
}

/* Runs of a build, handed in with an sbatch that carries out the script itself; what cannot be said is
 * refused. */
static void test_array(void)
{
	const char *folder = temp_folder;
	struct ft_carry_array array = {.name = "ft-1",
				       .folder = folder,
				       .scripts = "s",
				       .n = 3,
				       .limit_s = 61,
				       .memory_bytes = 1048577};
	static const char *const bad[] = {"",     "a b", "a\n#SBATCH --uid=0", "a'b", "a\"b", "a#b",
					  "a\\b", "\t"};
	size_t refused = 0, n = sizeof bad / sizeof *bad;
	struct ft_err err = {0};
	char *text, order[700];

	ok(!ft_carry_array(&array, &text, &err) && strstr(text, "#SBATCH --array=0-2\n") &&
		   strstr(text, "#SBATCH --time=4\n") && strstr(text, "#SBATCH --mem=2M\n") &&
		   !strstr(text, "partition") && !strstr(text, "cpus"),
	   "an array of jobs");
	(void)temp_write(temp_path("array.sh"), text, 0700);
	(void)temp_write(temp_path("s.2.sh"), "echo \"task $SLURM_ARRAY_TASK_ID\"\n", 0600);
	ft_free(text);
	(void)snprintf(order, sizeof order, "SLURM_ARRAY_TASK_ID=2 sh %s && grep -qx 'task 2' %s/s.2.out",
		       temp_path("array.sh"), folder);
	ok(system(order) == 0, "... of which each task runs its script, and keeps what it says");
	for (size_t i = 0; i < n; i++) {
		array.partition = bad[i];
		refused += ft_carry_array(&array, &text, &err) == FT_EINVAL && !text && err.remedy[0];
	}
	ok(refused == n, "partitions that are no words of sbatch are refused: %s", err.text);
}

static void test_starpu(void)
{
	const struct ft_carry_point point[] = {{1000, 2e-3, 4e-5, 30},
					       {2000, 4e-3, 8e-5, 30},
					       {4000, 8e-3, 16e-5, 30}},
				    none = {0, 1, 0, 1}, still = {5, 0, 0, 1};
	struct ft_err err = {0};
	char *text;

	/* As StarPU 1.3.10 read it, and answered 2000, 4000 and 8000 us. */
	ok(ft_carry_starpu(point, 3, &text, &err) == FT_OK &&
		   strstr(text, "\n6.840812e+02   \t5.228462e+03   \t7.464645e+02   \t5.702631e+03   "
				"\t2.000000e+00   \t1.000000e+00   \t90\t1000           \t4000") &&
		   strstr(text,
			  "\n000007d0\t2000           \t0.000000e+00   \t4.000000e+03   \t8.000000e+01   "
			  "\t1.200000e+05   \t4.801920e+08   \t30\n"),
	   "a model for StarPU");
	ft_free(text);
	ok(ft_carry_starpu(&none, 1, &text, &err) == FT_EINVAL && err.remedy[0] && !text, "size 0: %s",
	   err.text);
	ok(ft_carry_starpu(&still, 1, &text, &err) == FT_EINVAL, "no time: %s", err.text);
	ok(ft_carry_starpu(point, 0, &text, &err) == FT_EINVAL, "nothing: %s", err.text);
}

static void test_starpu_schedule(void)
{
	const struct ft_carry_turn turn[] = {{"a", 1}, {"b\n\nWorkerorder: 9", 0}, {"c", 1}};
	const size_t order[] = {2, 1, 0};
	char *text;

	/* As test/adapt/engines.sh has StarPU carry it out. */
	ok(ft_carry_starpu_schedule(turn, 3, order, 2, &text, NULL) == FT_OK &&
		   !strcmp(text,
			   "Name: a\nSubmitOrder: 1\nSpecificWorker: 1\nWorkerorder: 2\n\n"
			   "Name: b  Workerorder: 9\nSubmitOrder: 2\nSpecificWorker: 0\nWorkerorder: 1\n\n"
			   "Name: c\nSubmitOrder: 3\nSpecificWorker: 1\nWorkerorder: 1\n\n"),
	   "a schedule for StarPU: who, and in which order; a name is one line");
	ft_free(text);
}

/* ---- knots ------------------------------------------------------------------------------------------------
 */

static void test_knots(void)
{
	static const struct ft_carry_knot two_knots[] = {{100, 1.5, 2.25, 5e7, NULL, 0, 0},
							 {1000.5, 15, NAN, 1.23456789e9, "a,b", 22.5, NAN}};
	static const struct ft_carry_value fixed = {"m", 3};
	struct ft_carry_knots knots = {"a b", "n", "0123456789abcdef", "host", &fixed, 1, 1000, 2000,
				       0.01,  2,   two_knots,          2};
	struct ft_carry_knot bad[2] = {{.at = 100, .alike = "a b"}, {.at = 100}};
	struct ft_err err = {0};
	char *text;

	ok(ft_carry_write_knots(&knots, &text, &err) == FT_OK &&
		   !strcmp(text, "foretime-knots 1\nprogram a b\nparameter n\nfixed m 3\n"
				 "machine 0123456789abcdef host\nmade 1000\nexpires 2000\nrisk 0.01\ncpus 2\n"
				 "# knot size typical_s upper_s bytes\nknot 100 1.5 2.25 5e+07\n"
				 "knot 1000.5 15 - 1.2346e+09\nalike a,b 22.5 -\nend 2\n"),
	   "knots are written");
	ft_free(text);
	knots.host = "ho\nst";
	ok(ft_carry_write_knots(&knots, &text, &err) == FT_EINVAL && !text, "not with a host of two lines");
	knots.host = "host";
	knots.knot = bad;
	knots.n = 1;
	ok(ft_carry_write_knots(&knots, &text, &err) == FT_EINVAL && !text, "nor a partition of two words");
	bad[0].alike = NULL;
	knots.n = 2;
	ok(ft_carry_write_knots(&knots, &text, &err) == FT_EINVAL && !text, "nor where they do not ascend");
	bad[1].at = 200;
	bad[1].most_s = -1;
	ok(ft_carry_write_knots(&knots, &text, &err) == FT_EINVAL && !text, "nor with less than nothing");
	knots.n = 0;
	ok(ft_carry_write_knots(&knots, &text, &err) == FT_EINVAL && !text, "nor without one");
}

int main(void)
{
	test_starpu();
	test_starpu_schedule();
	test_slurm();
	test_array();
	test_examples();
	test_words();
	test_live("mpiexec", "mpiexec.hydra", "timeout 60 mpiexec.hydra -configfile");
	test_live("parallel", "parallel", "timeout 60 parallel --will-cite --jobs 0 ::::");
	test_faults();
	temp_remove();
	test_knots();
	return done();
}
