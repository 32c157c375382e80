/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-counters.c - counters: names, what the kernel says, and those of real programs. */
#include "named.h"
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "foretime/measure.h"
#include "measure/measure.h"

#include <signal.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_names(void)
{
	struct ft__counter_list list;
	struct ft_err err = {0};

	ok(!ft__counters_parse("none", &list, &err) && !list.n, "none");
	ok(!ft__counters_parse(NULL, &list, &err) && list.n == (ft__counters_try() ? 0 : 2),
	   "by default those that can be counted: %zu", list.n);
	ft__counter_list_clear(&list);
	ok(!ft__counters_parse("Page-Faults,cycles,faults=page-faults", &list, &err) && list.n == 3 &&
		   list.counter[0].resource == named("page-faults") &&
		   list.counter[1].resource == &ft_cycles && list.counter[2].resource == named("faults") &&
		   list.counter[0].attr.type == PERF_TYPE_SOFTWARE &&
		   list.counter[0].attr.config == PERF_COUNT_SW_PAGE_FAULTS &&
		   list.counter[1].attr.type == PERF_TYPE_HARDWARE && list.counter[1].attr.exclude_kernel &&
		   list.counter[2].attr.config == list.counter[0].attr.config,
	   "names in any case, and other names for them: %s", err.text);
	ft__counter_list_clear(&list);
	ft__counter_list_clear(&list);
}

static void refused(const char *names, const char *text)
{
	struct ft__counter_list list;
	struct ft_err err = {0};

	ok(ft__counters_parse(names, &list, &err) == FT_EINVAL && !list.n && strstr(err.text, text) &&
		   *err.remedy,
	   "'%s': %s", names, err.text);
}

static void test_refused(void)
{
	refused("page-fauls", "no counter 'page-fauls'");
	refused("", "no name");
	refused(",", "no name");
	refused("=cycles", "no name");
	refused("a=", "no name");
	refused("wall_s=cycles", "a resource is called so");
	refused("cycles,cycles", "twice");
	refused("a b=cycles", "other signs");
	refused("a\"b=cycles", "other signs");
	refused("a123456789012345678901234567890123=cycles", "longer than 31");
	refused("a=cycles,b=cycles,c=cycles,d=cycles,e=cycles,f=cycles,g=cycles,h=cycles,i=cycles,j=cycles,"
		"k=cycles,l=cycles,m=cycles,n=cycles,o=cycles,p=cycles,q=cycles",
		"one too many");
}

/* What shared the processor's counters is scaled by the time that it was counted, and says so. */
static void test_scaling(void)
{
	struct ft__counter_list list;
	struct ft__count counts[4] = {
		{1000, 50, 50, 0}, {1000, 60, 20, 0}, {1000, 60, 0, 0}, {0, 0, 0, 24 /* EMFILE */}};
	struct ft_run run = {0};
	struct ft_err err = {0};

	(void)ft__counters_parse("a=cycles,b=cycles,c=cycles,d=cycles", &list, &err);
	ok(!ft__counters_add(&list, counts, &run, &err) && run.n_samples == 4, "four samples");
	ok(run.sample[0].value == 1000 && run.sample[0].label == FT_MEASURED && !run.sample[0].reason &&
		   !strcmp(run.sample[0].probe, "counters"),
	   "counted all the time: measured");
	ok(near(run.sample[1].value, 3000, 1e-12) && run.sample[1].label == FT_ESTIMATED,
	   "counted a third of the time: three times as much, estimated");
	ok(isnan(run.sample[2].value) && run.sample[2].label == FT_UNAVAILABLE &&
		   strstr(run.sample[2].reason, "never its turn"),
	   "never counted: unavailable");
	ok(isnan(run.sample[3].value) && run.sample[3].label == FT_UNAVAILABLE &&
		   strstr(run.sample[3].reason, "did not count"),
	   "not opened: unavailable");
	ft_run_clear(&run);
	ft__counter_list_clear(&list);
}

/* ---- real programs ------------------------------------------------------------------------------------ */

struct subject {
	char *argv[4];
	struct ft_program program;
	struct ft_launch launch;
	struct ft_source *source;
	struct ft_runs runs;
	struct ft_err err;
};

static void make(struct subject *s, const char *shell)
{
	memset(s, 0, sizeof *s);
	s->argv[0] = (char *)(uintptr_t) "sh";
	s->argv[1] = (char *)(uintptr_t) "-c";
	s->argv[2] = (char *)(uintptr_t)shell;
	s->program = (struct ft_program){.argv = s->argv, .argc = 3, .n_params = 1};
	(void)snprintf(s->program.param[0].name, FT_PARAM_LENGTH, "n");
	s->program.param[0].least = 1;
	s->program.param[0].most = 1000;
	s->program.param[0].stride = 1;
	s->launch.program = &s->program;
}

static bool open_subject(struct subject *s)
{
	bool good = !ft_source_open_process(&s->source, &s->launch, &s->err);

	if (!good)
		diag("%s", s->err.text);
	return good;
}

static const struct ft_run *run(struct subject *s, double n)
{
	static const struct ft_run none = {.outcome = FT_NOT_STARTED};
	struct ft_size size = {1, {n}};

	if (!s->source || ft_source_run(s->source, &size, 0, 0, &s->runs, &s->err)) {
		diag("%s", s->err.text);
		return &none;
	}
	return &s->runs.run[s->runs.n - 1];
}

static void unmake(struct subject *s)
{
	ft_source_close(s->source);
	ft_runs_clear(&s->runs);
}

static const struct ft_sample *sample(const struct ft_run *r, const struct ft_resource *resource)
{
	static const struct ft_sample none = {.value = NAN, .label = FT_UNAVAILABLE};

	for (size_t i = 0; i < r->n_samples; i++)
		if (r->sample[i].resource == resource)
			return &r->sample[i];
	return &none;
}

/* The kernel's counters against what wait(2) tells, over a tree of processes, many times: each run is counted
 * by itself. */
static void test_kernel(void)
{
	struct subject s;
	int good = 0, n = 40;

	make(&s, "/bin/true; (/bin/true & /bin/true); test {n} != 2 || exit 5");
	s.launch.counters = "page-faults,task-clock";
	s.launch.prepare = "/bin/true";
	if (!open_subject(&s))
		return;
	const struct ft_run *r = run(&s, 1);
	if (sample(r, named("page-faults"))->reason) {
		skip("the kernel's counters", sample(r, named("page-faults"))->reason);
		unmake(&s);
		return;
	}
	ok(sample(r, named("page-faults"))->label == FT_MEASURED &&
		   !strcmp(sample(r, named("page-faults"))->probe, "software"),
	   "faults are measured by the kernel");
	for (int i = 0; i < n; i++) {
		r = run(&s, 1);
		double faults = ft_run_value(r, named("page-faults"));
		double told = ft_run_value(r, &ft_minor_faults) + ft_run_value(r, &ft_major_faults);
		good += faults > 0.8 * told && faults <= told && ft_run_value(r, named("task-clock")) > 0;
	}
	ok(good == n, "%d of %d runs have the faults that wait(2) tells, without those before exec", good, n);
	r = run(&s, 2);
	ok(r->outcome == FT_FAILED && ft_run_value(r, named("page-faults")) > 0, "also of a run that fails");
	unmake(&s);
}

/* One whose counters cannot be had is there all the same, and says why. */
static void test_unavailable(void)
{
	struct subject s;

	make(&s, ":");
	s.launch.counters = "cycles,page-faults";
	if (!open_subject(&s))
		return;
	const struct ft_sample *cycles = sample(run(&s, 1), &ft_cycles);
	if (!ft__counters_try())
		ok(cycles->value > 0, "cycles: %g", cycles->value);
	else
		ok(isnan(cycles->value) && cycles->label == FT_UNAVAILABLE && cycles->reason &&
			   strstr(cycles->reason, "cannot count cycles"),
		   "cycles are unavailable: %s", cycles->reason ? cycles->reason : "(no reason)");
	unmake(&s);
	make(&s, ":");
	s.launch.counters = "nonsense";
	ok(ft_source_open_process(&s.source, &s.launch, &s.err) == FT_EINVAL && !s.source && *s.err.remedy,
	   "an unknown name is refused: %s", s.err.text);
	unmake(&s);
}

/* Bytes of a tree of processes, of which one is an orphan. */
static void test_bytes(void)
{
	struct subject s;
	struct statfs fs;
	char shell[1024];
	const char *path = temp_path("written");

	if (statfs(temp_folder, &fs) || fs.f_type == 0x01021994 /* tmpfs has no storage */) {
		skip("bytes", "the temporary folder is in memory");
		return;
	}
	(void)snprintf(shell, sizeof shell,
		       "dd if=/dev/zero of='%s' bs=65536 count=16 2>/dev/null; "
		       "(dd if=/dev/zero of='%s.2' bs=65536 count=16 2>/dev/null &) ; "
		       "until [ \"$(stat -c %%s '%s.2')\" = 1048576 ]; do sleep 0.02; done; sleep 0.1",
		       path, path, path);
	make(&s, shell);
	if (!open_subject(&s))
		return;
	const struct ft_run *r = run(&s, 1);
	if (isnan(ft_run_value(r, &ft_written_bytes)))
		skip("bytes", "the kernel does not count them");
	else
		ok(ft_run_value(r, &ft_written_bytes) >= 2 * 1048576 &&
			   ft_run_value(r, &ft_written_bytes) < 2.5 * 1048576 &&
			   !strcmp(sample(r, &ft_written_bytes)->probe, "io") &&
			   sample(r, &ft_written_bytes)->label == FT_MEASURED,
		   "two times 1 MiB are written, one by an orphan: %.0f", ft_run_value(r, &ft_written_bytes));
	r = run(&s, 2);
	ok(ft_run_value(r, &ft_written_bytes) < 2.5 * 1048576 || isnan(ft_run_value(r, &ft_written_bytes)),
	   "the next run begins at nothing: %.0f", ft_run_value(r, &ft_written_bytes));
	unmake(&s);
}

/* Of all processes, an orphan too, and of nobody else: what the helper reads of standard error is its own. */
static void test_calls(void)
{
	const double block = 65536;
	struct subject s;
	const struct ft_run *r;
	char shell[1024];
	const char *path = temp_path("given");

	(void)snprintf(shell, sizeof shell,
		       "rm -f '%s'; dd if=/dev/zero bs=65536 count=16 2>/dev/null | dd of=/dev/null bs=65536 "
		       "2>/dev/null; "
		       "(dd if=/dev/zero of='%s' bs=65536 count=16 2>/dev/null &) ; "
		       "until [ \"$(stat -c %%s '%s')\" = 1048576 ]; do sleep 0.1; done; sleep 0.1; "
		       "dd if=/dev/zero bs=65536 count=64 2>/dev/null >&2",
		       path, path, path);
	make(&s, shell);
	if (!open_subject(&s))
		return;
	for (int i = 0; i < 2; i++) {
		r = run(&s, i + 1);
		double in = ft_run_value(r, &ft_input_bytes);
		double out = ft_run_value(r, &ft_output_bytes);
		if (isnan(in)) {
			skip("calls", "the kernel does not count them");
			break;
		}
		ok(out >= 112 * block && out < 113 * block && in >= 112 * block && in < 150 * block &&
			   !strcmp(sample(r, &ft_input_bytes)->probe, "calls") &&
			   sample(r, &ft_input_bytes)->label == FT_MEASURED,
		   "7 MiB are read and written, 1 by an orphan: %.0f, %.0f", in, out);
	}
	unmake(&s);
	make(&s, ":");
	if (!open_subject(&s))
		return;
	r = run(&s, 1);
	ok(!(ft_run_value(r, &ft_output_bytes) > 0), "one that says nothing: %g",
	   ft_run_value(r, &ft_output_bytes));
	unmake(&s);
}

static bool usage_ends(const struct ft_usage *usage, const struct ft_run *r)
{
	return usage->n && usage->point[usage->n - 1].time_s == ft_run_value(r, &ft_wall_s);
}

static void test_trace(void)
{
	struct subject s;
	struct ft_usage usage = {0};
	double cpu = 0, area = 0, largest = 0, processes = 0;
	bool ascending = true;

	make(&s, "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; sleep 0.2 & sleep 0.2; wait");
	s.launch.usage = &usage;
	s.launch.sample_s = 0.005;
	if (!open_subject(&s))
		return;
	const struct ft_run *r = run(&s, 1);
	ok(r->outcome == FT_DONE && usage.n > 5, "a trace of %zu points", usage.n);
	cpu = ft_run_value(r, &ft_cpu_s);
	for (size_t i = 1; i < usage.n; i++) {
		area += usage.point[i].processors * (usage.point[i].time_s - usage.point[i - 1].time_s);
		largest = fmax(largest, usage.point[i].rss_bytes);
		processes = fmax(processes, usage.point[i].processes);
		ascending = ascending && usage.point[i].time_s > usage.point[i - 1].time_s;
	}
	ok(ascending && usage_ends(&usage, r) && usage.point[0].time_s == 0, "from the start to the end");
	ok(near(area, cpu, 0.25), "its area is the processor time: %g s of %g s", area, cpu);
	ok(largest > 0 && largest <= ft_run_value(r, &ft_peak_tree_bytes),
	   "its largest memory is the peak: %g", largest);
	ok(processes == 3, "the shell and two others: %g", processes);
	(void)run(&s, 2);
	ok(usage.n > 5 && usage.point[0].time_s == 0, "the next run has its own");
	unmake(&s);
	ft_usage_clear(&usage);
	ft_usage_clear(&usage);
	ft_usage_clear(NULL);
}

/* What a machine can do bounds what a run of it is told to have done, beside busy loops too. */
static void check_bounds(const struct ft_usage *usage, const struct ft_run *r, bool serial, int *bad)
{
	double processors = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN)),
	       wall = ft_run_value(r, &ft_wall_s), cpu = ft_run_value(r, &ft_cpu_s), most = 0, area = 0,
	       least = INFINITY;
	struct ft_usage_job job;

	for (size_t i = 0; i < usage->n; i++) {
		most = fmax(most, usage->point[i].processors);
		least = fmin(least, fmin(usage->point[i].rss_bytes, usage->point[i].processes));
		area += i ? usage->point[i].processors * (usage->point[i].time_s - usage->point[i - 1].time_s)
			  : 0;
	}
	/* A row in ticks may be off by two in ten of them, one of another clock by an interruption. */
	if (cpu > processors * wall * (1 + 1e-9) || most > processors || area > cpu + 0.01 || !(least > 0) ||
	    !ft_usage_job(usage, &job) || job.job_s > job.wall_s || job.cores > processors + 0.5 ||
	    (serial && (most > 1.25 || job.cores > 1 || cpu > wall + 0.001))) {
		diag("%g s of %g s on %g processors: %g at most, area %g, memory %g, %g cores", cpu, wall,
		     processors, most, area, least, job.cores);
		++*bad;
	}
}

static void test_bounds(void)
{
	static const struct {
		const char *script;
		bool serial;
	} of[] = {
		{":", true},
		{"i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done", true},
		{"sleep 0.05", true},
		{"for k in 1 2 3; do (i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done) & done; wait", false},
		{"i=0; while [ $i -lt 30 ]; do /bin/true; i=$((i+1)); done", false},
		{"for k in 1 2 3 4; do (while :; do :; done) & done", false}, /* left behind */
	};
	struct ft_usage usage = {0};
	pid_t busy[2] = {0, 0};
	int i, k, bad = 0, runs = 0, turns = test_quick() ? 4 : 12;

	for (i = 0; i < (int)(sizeof of / sizeof *of); i++) {
		struct subject s;

		make(&s, of[i].script);
		s.launch.usage = &usage;
		s.launch.sample_s = 0.005;
		if (!open_subject(&s))
			return;
		for (k = 0; k < turns; k++) {
			for (int loop = 0; loop < 2 && k % 2; loop++)
				if (!(busy[loop] = fork()))
					for (;;)
						;
			check_bounds(&usage, run(&s, k + 1), of[i].serial, &bad);
			runs++;
			for (int loop = 0; loop < 2 && k % 2; loop++) {
				(void)kill(busy[loop], SIGKILL);
				(void)waitpid(busy[loop], NULL, 0);
			}
		}
		unmake(&s);
	}
	ok(!bad, "%d runs, alone and beside busy loops: no more than the machine can do, %d are", runs, bad);
	ft_usage_clear(&usage);
}

/* One that ends while a look is due: nothing is looked at once it has ended. */
static void test_trace_ends(void)
{
	struct subject s;
	struct ft_usage usage = {0};
	int good = 0, n = 200;

	make(&s, ":");
	s.launch.usage = &usage;
	s.launch.sample_s = 1e-9;
	if (!open_subject(&s))
		return;
	for (int i = 0; i < n; i++)
		good += usage_ends(&usage, run(&s, 1));
	ok(good == n, "%d of %d traces end with the run", good, n);
	unmake(&s);
	ft_usage_clear(&usage);
}

/* Everything at once, and each allocation fails in its turn. */
static void test_faults(void)
{
	struct ft_usage usage = {0};
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	bool good = true;
	struct subject s;

	make(&s, ":");
	s.launch.counters = "page-faults,cycles,instructions";
	s.launch.energy = "rapl";
	s.launch.usage = &usage;
	for (n = 1; status && n < 300; n++) {
		(void)ft_alloc_fail_at(n);
		status = ft_source_open_process(&s.source, &s.launch, &s.err);
		good = good && (!status || (status == FT_ENOMEM && !s.source));
	}
	ok(good && !status && n > 5, "each allocation of opening may fail (%lu)", n - 2);
	status = FT_ENOMEM;
	for (n = 1; status && n < 300; n++) {
		struct ft_size size = {1, {1}};

		(void)ft_alloc_fail_at(n);
		status = ft_source_run(s.source, &size, 0, 0, &s.runs, &s.err);
		good = good && (!status || (status == FT_ENOMEM && !s.runs.n));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && n > 10 && s.runs.n == 1, "and of a run (%lu)", n - 2);
	unmake(&s);
	ft_usage_clear(&usage);
}

static void test_instructions(void)
{
	struct subject s;
	char marks[512], line[8] = "";
	FILE *file;
	size_t n = 0;

	(void)snprintf(marks, sizeof marks, "echo x >>'%s'", temp_path("marks"));
	make(&s, "exit $(({n} / 500))");
	s.launch.instructions = FT_COUNT_SIMULATED;
	s.launch.prepare = marks;
	if (!open_subject(&s))
		return;
	const struct ft_sample *one = sample(run(&s, 1), &ft_instructions);
	if (one->reason && strstr(one->reason, "valgrind is not installed")) {
		skip("instructions under valgrind", one->reason);
		unmake(&s);
		return;
	}
	ok(one->label == FT_SIMULATED && !strcmp(one->probe, "valgrind") && one->value > 0,
	   "instructions are simulated: %g", one->value);
	ok(s.runs.run[0].cost_s > 2 * ft_run_value(&s.runs.run[0], &ft_wall_s),
	   "the extra run is in the cost");
	const struct ft_sample *two = sample(run(&s, 1), &ft_instructions);
	ok(two->value == sample(&s.runs.run[0], &ft_instructions)->value &&
		   s.runs.run[1].cost_s < s.runs.run[0].cost_s,
	   "another run of the size is not counted again");
	ok(isnan(ft_run_value(run(&s, 600), &ft_instructions)) && s.runs.run[2].outcome == FT_FAILED,
	   "nor is one that fails");
	file = fopen(temp_path("marks"), "r");
	while (file && fgets(line, sizeof line, file))
		n++;
	if (file)
		(void)fclose(file);
	ok(n == 4, "prepare comes before every run, the extra one too: %zu", n);
	unmake(&s);
}

int main(void)
{
	test_names();
	test_refused();
	test_scaling();
	test_kernel();
	test_unavailable();
	test_bytes();
	test_calls();
	test_trace();
	test_bounds();
	test_trace_ends();
	test_instructions();
	test_faults();
	temp_remove();
	return done();
}
