/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-runs-csv.c - runs as tables of text: plain sweeps, our own exports, both ways to the last bit. */
#include "base/alloc.h"
#include "base/random.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "tap.h"

#include <unistd.h>

static char path[] = "/tmp/foretime-runs-XXXXXX";

static void put(const char *text)
{
	FILE *file = fopen(path, "wb");

	if (!file || fputs(text, file) < 0 || fclose(file))
		ok(false, "a file for tables");
}

/* A program with parameters as typed, up to three. */
static struct ft_program program_of(const char *a, const char *b, const char *c)
{
	const char *const text[] = {a, b, c};
	struct ft_program program = {0};

	for (size_t i = 0; i < 3 && text[i]; i++)
		if (ft_param_parse(text[i], &program.param[program.n_params++], NULL) != FT_OK)
			ok(false, "parameter %s", text[i]);
	return program;
}

/* Rows beside a list or a progression are outside; what a table says of them is taken. */
static void lists(void)
{
	struct ft_program program = program_of("n=16,64", NULL, NULL), back = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	char *text;

	put("n,wall_s\n16,1\n32,2\n64,3\n");
	ok(!ft_runs_read(path, &program, &runs, &err) && runs.n == 2 && runs.run[1].size.value[0] == 64,
	   "rows at listed values %s", err.text);
	ok(!ft_runs_write(&program, &runs, &text, &err) && strstr(text, "\n# ranges: n=16,64\n"),
	   "a table says them");
	put(text);
	ft_free(text);
	ft_runs_clear(&runs);
	ok(!ft_runs_read(path, &back, &runs, &err) && back.param[0].n_list == 2 && back.param[0].least == 16,
	   "and is read back");
	ft_program_clear(&back);
	ft_runs_clear(&runs);
	put("# ranges: n=16:64:*2 m=1,2 k=* n\nn,wall_s\n16,1\n32,2\n300,3\n");
	ok(!ft_runs_read(path, &back, &runs, &err) && back.param[0].factor == 2 &&
		   back.param[0].most == 256 && runs.n == 3,
	   "the data widen a progression");
	ft_program_clear(&back);
	ft_program_clear(&program);
	ft_runs_clear(&runs);
}

static void plain_sweep(void)
{
	struct ft_program program = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	put("# work: 2*n^3\n# where: n % 2 == 0\n# method: "
	    "gbbp\nn;extra;wall_s;peak_rss_bytes;work\n64;x;0.5;1e6;\n32;y;0.25;;100\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_OK && runs.n == 2, "a plain sweep %s", err.text);
	ok(program.n_params == 1 && !strcmp(program.param[0].name, "n") && program.param[0].least == 32 &&
		   program.param[0].most == 64 && program.param[0].stride == 1,
	   "its range is that of the data");
	ok(!strcmp(program.work, "2*n^3") && !strcmp(program.method, "gbbp") &&
		   !strcmp(program.where, "n % 2 == 0") && !program.name,
	   "its notes");
	ok(runs.run[0].size.n == 1 && runs.run[0].size.value[0] == 64 && runs.run[1].size.value[0] == 32,
	   "in the order of the rows");
	ok(ft_run_value(&runs.run[0], &ft_wall_s) == 0.5 &&
		   ft_run_value(&runs.run[0], &ft_peak_rss_bytes) == 1e6 && runs.run[0].n_samples == 2 &&
		   runs.run[1].n_samples == 1,
	   "resources, none where the cell is empty");
	ok(isnan(runs.run[0].work) && runs.run[1].work == 100, "work, where there is some");
	ok(runs.run[0].cost_s == 0.5 && runs.run[0].outcome == FT_DONE && !runs.run[0].warmup &&
		   !runs.run[0].started_ns && isnan(runs.run[0].load_before) && isnan(runs.run[0].cpu_hz),
	   "what the table does not say");
	ok(runs.run[0].sample[0].label == FT_MEASURED && !strcmp(runs.run[0].sample[0].probe, "import"),
	   "measured, by import");
	put("n,cpu_s\n8,3\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_EINVAL && runs.n == 2 && strstr(err.text, "range"),
	   "no row in the range: %s", err.text);
	put("n,cpu_s\n8,3\n40,2\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_OK && runs.n == 3 &&
		   runs.run[2].size.value[0] == 40 && runs.run[2].cost_s == 2 && program.param[0].least == 32,
	   "appended; rows outside the range are left out; cost is the first time");
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

static void parameters(void)
{
	struct ft_program program = program_of("n", "m=100", "k=1:10");
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	put("k\tn\twall_s\n5\t64\t1\n11\t65\t1\n1\t66\t1\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_OK && runs.n == 2,
	   "three parameters, tabulators %s", err.text);
	ok(runs.run[1].size.n == 3 && runs.run[1].size.value[0] == 66 && runs.run[1].size.value[1] == 100 &&
		   runs.run[1].size.value[2] == 1,
	   "in the program's order; a fixed one needs no column");
	ok(program.param[0].least == 64 && program.param[0].most == 66 && program.param[2].most == 10,
	   "only an open range is taken from the data");
	ft_runs_clear(&runs);
	put("m,n,k,wall_s\n100,64,2,1\n99,64,2,1\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_OK && runs.n == 1,
	   "other values of a fixed one are left out");
	ft_runs_clear(&runs);
	program.work = ft_strdup("n");
	put("# work: n^2\nm,n,k,wall_s\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_OK && runs.n == 0 && !strcmp(program.work, "n"),
	   "no rows; the program's own work stays");
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

static void refuses(const char *text, enum ft_status status, const char *words)
{
	struct ft_program program = program_of("n", NULL, NULL), before = program;
	struct ft_run one = {.size = {1, {5}}};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	(void)ft_runs_take(&runs, &one, NULL);
	put(text);
	enum ft_status got = ft_runs_read(path, &program, &runs, &err);
	if (!ok(got == status && strstr(err.text, words) && strstr(err.text, path) && *err.remedy &&
			runs.n == 1 && !memcmp(&program, &before, sizeof program),
		"refuses: %s", words))
		diag("got %d, %zu runs: %s; %s", (int)got, runs.n, err.text, err.remedy);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

static void bad_input(void)
{
	struct ft_program program = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	refuses("n,wall_s\n64,0.5\n65,abc\n", FT_EPARSE, ":3: column 2 (wall_s): 'abc' is not a number");
	refuses("n,wall_s\n64,0.5\n65,0\n", FT_EINVAL, ":3: column 2 (wall_s): not above zero: '0'");
	refuses("n,wall_s\n64,-1\n", FT_EINVAL, ":2: column 2 (wall_s): not above zero: '-1'");
	refuses("n,wall_s\n64,4e9\n", FT_EINVAL, ":2: column 2 (wall_s): longer than a hundred years: '4e9'");
	refuses("n,cpu_s\n64,-1\n", FT_EINVAL, ":2: column 2 (cpu_s): a negative value: '-1'");
	refuses("n,wall_s\n,1\n", FT_EPARSE, ":2: column 1 (n): '' is not a number");
	refuses("n,wall_s,cpu_s\n64,,\n", FT_EPARSE, ":2: column 2 (wall_s): '' is not a number");
	refuses("n,wall_s,work\n64,1,0\n", FT_EINVAL, ":2: column 3 (work): not above zero");
	refuses("n,wall_s,outcome\n64,1,fine\n", FT_EINVAL, ":2: column 3 (outcome): not an outcome: 'fine'");
	refuses("n,wall_s,warmup\n64,1,yes\n", FT_EINVAL, ":2: column 3 (warmup): neither 0 nor 1: 'yes'");
	refuses("n,wall_s,started\n64,1,noon\n", FT_EINVAL, ":2: column 3 (started): not a moment: 'noon'");
	refuses("n,wall_s,cost_s\n64,1,-3\n", FT_EINVAL, ":2: column 3 (cost_s): a negative value");
	refuses("n,seconds\n64,1\n", FT_EINVAL, "has no column of a resource; its columns are n, seconds");
	refuses("size,wall_s\n64,1\n", FT_EINVAL,
		"has no column for parameter 'n'; its columns are size, wall_s");
	refuses("n,wall_s\n64\n", FT_EPARSE, ":2: column 2: the row has 1 cell");
	refuses("", FT_EPARSE, "no header");
	put("size,wall_s\n64,1\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_EINVAL && strstr(err.text, "no column 'n'") &&
		   strstr(err.text, "size, wall_s"),
	   "no parameter: %s", err.text);
	ok(ft_runs_read("/nonexistent/x.csv", &program, &runs, &err) == FT_ENOENT, "no file: %s", err.text);
}

/* What did not end well may lack values, or have taken no time. */
static void failed_runs(void)
{
	struct ft_program program = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	put("n,wall_s,system_s,outcome,warmup,cost_s,started\n1,,,timed out,0,60,\n2,0,,not started,1,,\n"
	    "3,1,0,done,1,1.5,2026-01-01T00:00:00Z\n");
	ok(ft_runs_read(path, &program, &runs, &err) == FT_OK && runs.n == 3, "failed runs %s", err.text);
	ok(runs.run[0].outcome == FT_TIMED_OUT && runs.run[0].n_samples == 0 && runs.run[0].cost_s == 60,
	   "one that timed out");
	ok(runs.run[1].outcome == FT_NOT_STARTED && runs.run[1].cost_s == 0 && runs.run[1].warmup,
	   "one not started");
	ok(runs.run[2].cost_s == 1.5 && ft_run_value(&runs.run[2], &ft_system_s) == 0 &&
		   runs.run[2].started_ns == 1767225600000000000,
	   "one that ended well, with no time in the kernel");
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

static struct ft_run random_run(struct ft_random *random, size_t n_params)
{
	static const struct ft_resource *const name[] = {&ft_wall_s, &ft_user_s, &ft_peak_rss_bytes,
							 &ft_energy_j};
	struct ft_run run;

	ft_run_init(&run);
	run.size.n = n_params;
	if (ft_random_below(random, 2)) {
		run.load_before = ft_random_uniform(random) * 9;
		run.runnable_before = (double)ft_random_below(random, 9);
		run.processors = 1 + (int)ft_random_below(random, 64);
	}
	if (!ft_random_below(random, 5)) {
		run.runnable_after = (double)ft_random_below(random, 9);
		run.pressure = ft_random_uniform(random);
	}
	for (size_t i = 0; i < n_params; i++)
		run.size.value[i] = (double)ft_random_below(random, 1000) / 7;
	run.outcome = ft_random_below(random, 3) ? FT_DONE : (enum ft_outcome)ft_random_below(random, 8);
	run.warmup = !ft_random_below(random, 4);
	run.cost_s = ft_random_uniform(random) * 1e3;
	if (ft_random_below(random, 2))
		run.work = exp(40 * ft_random_uniform(random) - 5);
	if (ft_random_below(random, 3))
		run.started_ns = (int64_t)(ft_random_bits(random) >> 2);
	for (size_t i = 0; i < 4; i++)
		if ((i == 0 && run.outcome == FT_DONE) || ft_random_below(random, 2))
			(void)ft_run_add(&run, name[i], exp(60 * ft_random_uniform(random) - 40), FT_MEASURED,
					 "import", NULL, NULL);
	return run;
}

static bool same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : !memcmp(&a, &b, sizeof a);
}

static bool same_run(const struct ft_run *a, const struct ft_run *b)
{
	if (!ft_size_equal(&a->size, &b->size) || a->outcome != b->outcome || a->warmup != b->warmup ||
	    !same_number(a->cost_s, b->cost_s) || !same_number(a->work, b->work) ||
	    !same_number(a->load_before, b->load_before) ||
	    !same_number(a->runnable_before, b->runnable_before) ||
	    !same_number(a->runnable_after, b->runnable_after) || !same_number(a->pressure, b->pressure) ||
	    a->processors != b->processors || a->started_ns != b->started_ns || a->n_samples != b->n_samples)
		return false;
	for (size_t i = 0; i < a->n_samples; i++)
		if (a->sample[i].resource != b->sample[i].resource || b->sample[i].label != FT_MEASURED ||
		    !same_number(a->sample[i].value, b->sample[i].value))
			return false;
	return true;
}

static void round_trips(void)
{
	uint64_t seed = test_seed();
	int i, wrong = 0, n = test_cases(300);

	for (i = 0; i < n; i++) {
		struct ft_random random = {seed + (uint64_t)i};
		struct ft_program program = program_of("n", i % 2 ? "m" : NULL, NULL), back = program;
		struct ft_runs runs = {0}, read = {0};
		struct ft_err err = {0};
		size_t j, count = ft_random_below(&random, 20);
		char *text;

		for (j = 0; j < count; j++) {
			struct ft_run run = random_run(&random, program.n_params);

			(void)ft_runs_take(&runs, &run, NULL);
		}
		program.name = ft_strdup("a name");
		program.work = ft_strdup("2*n\n+ 1");
		program.method = ft_strdup("gbbp");
		(void)ft_runs_write(&program, &runs, &text, NULL);
		put(text);
		bool same = ft_runs_read(path, &back, &read, &err) == FT_OK && read.n == count &&
			    !strcmp(back.work, "2*n + 1") && !strcmp(back.method, "gbbp") && !back.name;
		for (j = 0; same && j < count; j++)
			same = same_run(&runs.run[j], &read.run[j]);
		if (!same && !wrong++)
			diag("seed %llu: %s", (unsigned long long)seed + (unsigned)i, err.text);
		free(text);
		ft_runs_clear(&runs);
		ft_runs_clear(&read);
		ft_program_clear(&program);
		ft_program_clear(&back);
	}
	ok(!wrong, "%d random lists of runs are read as they were written, to the last bit", n);
}

static void layout(void)
{
	static const char want[] = "# foretime: runs 1\n# name: matmul\n# work: 2*n^3\n"
				   "n,m,wall_s,peak_rss_bytes,outcome,warmup,cost_s,started\n"
				   "64,100,0.1,1048576,done,1,0.125,2026-01-01T00:00:00.000000001Z\n"
				   "128,100,,,timed out,0,60,\n";
	struct ft_program program = program_of("n=64:128", "m=100", NULL);
	struct ft_runs runs = {0};
	struct ft_run a, b;
	char *text;

	ft_run_init(&a);
	ft_run_init(&b);
	a.size = (struct ft_size){2, {64, 100}};
	a.warmup = true;
	a.cost_s = 0.125;
	a.started_ns = 1767225600000000001;
	b.size = (struct ft_size){2, {128, 100}};
	b.outcome = FT_TIMED_OUT;
	b.cost_s = 60;
	(void)ft_run_add(&a, &ft_peak_rss_bytes, 1048576, FT_MEASURED, "wait4", NULL, NULL);
	(void)ft_run_add(&a, &ft_wall_s, 0.1, FT_MEASURED, "clock", NULL, NULL);
	(void)ft_run_add(&a, &ft_energy_j, NAN, FT_UNAVAILABLE, "rapl", "no rapl here", NULL);
	(void)ft_runs_take(&runs, &a, NULL);
	(void)ft_runs_take(&runs, &b, NULL);
	program.name = ft_strdup("matmul");
	program.work = ft_strdup("2*n^3");
	if (!ok(ft_runs_write(&program, &runs, &text, NULL) == FT_OK && !strcmp(text, want),
		"the layout of a table"))
		diag("got %s", text);
	free(text);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

/* What surrounds runs has columns where some run knows it, in tables of ours alone. */
static void surroundings(void)
{
	struct ft_program program = program_of("n=1:2", NULL, NULL),
			  other = program_of("processors", NULL, NULL);
	struct ft_runs runs = {0};
	struct ft_run run;
	char *text;

	ft_run_init(&run);
	run.size = (struct ft_size){1, {1}};
	run.runnable_before = 8;
	run.processors = 2;
	(void)ft_run_add(&run, &ft_wall_s, 0.5, FT_MEASURED, "clock", NULL, NULL);
	(void)ft_runs_take(&runs, &run, NULL);
	(void)ft_runs_write(&program, &runs, &text, NULL);
	ok(text && strstr(text,
			  "n,wall_s,outcome,warmup,cost_s,runnable_before,processors,started\n1,0.5,done,0,"),
	   "who wanted a processor, as far as it is known");
	free(text);
	(void)ft_runs_write(&other, &runs, &text, NULL);
	ok(text && strstr(text,
			  "processors,wall_s,outcome,warmup,cost_s,runnable_before,started\n1,0.5,done,0,"),
	   "a parameter called processors keeps its column");
	put(text ? text : "");
	free(text);
	ft_runs_clear(&runs);
	ok(ft_runs_read(path, &other, &runs, NULL) == FT_OK && !runs.run[0].processors &&
		   runs.run[0].size.value[0] == 1 && runs.run[0].runnable_before == 8 &&
		   isnan(runs.run[0].runnable_after) && ft_run_runnable(&runs.run[0]) == 8,
	   "... and is read back");
	ft_runs_clear(&runs);
	put("n,wall_s,pressure\n1,2,-3\n2,3,low\n");
	ok(ft_runs_read(path, &program, &runs, NULL) == FT_OK && runs.n == 2 && isnan(runs.run[0].pressure),
	   "in another's table pressure is something else");
	ft_runs_clear(&runs);
	ft_program_clear(&program);
	ft_program_clear(&other);
}

/* Each of our columns may be the first one. */
static void first_columns(void)
{
	static const char *const name[] = {"cost_s", "work", "warmup", "outcome", "processors", "processors"},
				 *const cell[] = {"5", "5", "1", "crashed", "999999", "1000000"};
	struct ft_program program = program_of("n=1:2", NULL, NULL);
	double told[6] = {0};

	for (size_t i = 0; i < 6; i++) {
		struct ft_runs runs = {0};
		char text[128];

		(void)snprintf(text, sizeof text, "# foretime: runs 1\n%s,n,wall_s\n%s,1,2\n", name[i],
			       cell[i]);
		put(text);
		if (ft_runs_read(path, &program, &runs, NULL) == FT_OK && runs.n == 1)
			told[i] = i == 0   ? runs.run[0].cost_s
				  : i == 1 ? runs.run[0].work
				  : i == 2 ? runs.run[0].warmup
				  : i == 3 ? runs.run[0].outcome == FT_CRASHED
					   : runs.run[0].processors;
		else
			told[i] = NAN;
		ft_runs_clear(&runs);
	}
	ok(told[0] == 5 && told[1] == 5 && told[2] == 1 && told[3] == 1,
	   "cost, work, warm-up and outcome: %g %g %g %g", told[0], told[1], told[2], told[3]);
	ok(told[4] == 999999 && told[5] == 0, "no machine has a million processors: %g %g", told[4], told[5]);
	ft_program_clear(&program);
}

static void allocation_faults(void)
{
	unsigned long n = 0, made;
	bool good = true;

	put("# work: n\n# method: gbbp\nn,wall_s,cpu_s\n1,2,3\n4,5,6\n");
	do {
		struct ft_program program = {0};
		struct ft_runs runs = {0};
		struct ft_err err = {0};

		(void)ft_alloc_fail_at(++n);
		enum ft_status status = ft_runs_read(path, &program, &runs, &err);
		made = ft_alloc_fail_at(0);
		good = good && (status == FT_OK ? runs.n == 2 && program.work && program.method
						: status == FT_ENOMEM && !runs.n && !program.n_params &&
							  !program.work && !program.method);
		ft_runs_clear(&runs);
		ft_program_clear(&program);
	} while (made >= n);
	ok(good && n > 12, "each of %lu allocations of reading may fail", n - 1);
}

static void allocation_faults_writing(void)
{
	struct ft_program program = program_of("n", NULL, NULL);
	struct ft_runs runs = {0};
	struct ft_random random = {1};
	unsigned long n = 0;
	enum ft_status status;
	bool good = true;

	for (size_t i = 0; i < 20; i++) {
		struct ft_run run = random_run(&random, 1);

		(void)ft_runs_take(&runs, &run, NULL);
	}
	do {
		char *text = path;

		(void)ft_alloc_fail_at(++n);
		status = ft_runs_write(&program, &runs, &text, NULL);
		good = good && (status == FT_OK || (status == FT_ENOMEM && !text));
		ft_free(text);
	} while (status != FT_OK && n < 100);
	(void)ft_alloc_fail_at(0);
	ok(good && n > 3 && n < 100, "each of %lu allocations of writing may fail", n - 1);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0 || close(fd)) {
		ok(false, "a file for tables");
		return done();
	}
	plain_sweep();
	lists();
	parameters();
	bad_input();
	failed_runs();
	layout();
	surroundings();
	first_columns();
	round_trips();
	allocation_faults();
	allocation_faults_writing();
	(void)unlink(path);
	return done();
}
