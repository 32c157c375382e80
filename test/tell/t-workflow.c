/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-workflow.c - requests for the rules of a workflow, as files: what they say by size and by number, with bounds, names
 * that are odd, and no memory. What reads them in earnest is in test/cli/request-profile.t and test/workflow/eight. */
#include "tap.h"

#include "base/alloc.h"
#include "base/text.h"
#include "foretime/ask.h"
#include "tell/answers.h"

#include <math.h>
#include <string.h>

/* Memory by size, time the same for all. */
static const struct ft_tries sized = {
	.risk = 0.05,
	.time = {.resource = &ft_wall_s,
		 .risk = {0.02, 0.001},
		 .most = {100, 130, 260},
		 .known = NAN,
		 .correlation = 0.1,
		 .seen = 90,
		 .runs = 8},
	.memory = {.resource = &ft_peak_tree_bytes,
		   .risk = {0.03, 0.0015},
		   .most = {2e8, 3e8, 6e8},
		   .text = {(char[]){"1e8 + 100*bytes"}, (char[]){"2e8 + 100*bytes"}},
		   .known = 5e6,
		   .correlation = 0.99,
		   .seen = 1.9e8,
		   .runs = 8},
	.cpus = 1.9,
};
/* Neither sizes nor memory. */
static const struct ft_tries timed = {
	.risk = 0.05,
	.time = {.resource = &ft_wall_s,
		 .risk = {0.05, 0.0025},
		 .most = {3000, 4000, 8000},
		 .known = NAN,
		 .correlation = NAN,
		 .seen = 2900,
		 .runs = 2},
	.memory = {.known = NAN, .correlation = NAN},
	.cpus = NAN,
};

static struct ft_tell_rule rules[] = {
	{"sort", "bytes", NULL, &sized, 8, 8, 1e5, 1e6},
	{"odd \"name\"\n", NULL, NULL, &timed, 2, 0, NAN, NAN},
};

static const struct ft_tell_profile *profile_of(const char *name)
{
	for (size_t i = 0; ft_tell_profile_get(i); i++)
		if (!strcmp(ft_tell_profile_get(i)->name, name))
			return ft_tell_profile_get(i);
	return NULL;
}

/* A file of a profile; heap. size: as the system states it; NULL: it does not. */
static char *file_of(const char *profile, size_t file, const char *size, const struct ft_tell_bounds *bounds)
{
	struct ft_tell_workflow workflow = {"runs", rules, 2, 1e8, *bounds};
	struct ft_text text = {0};

	rules[0].size = size;
	profile_of(profile)->file[file].write(&workflow, &text);
	return ft_text_take(&text);
}

static const struct ft_tell_bounds none = {0, 0, 0}, some = {5e7, 2.5e8, 600};

static bool has(const char *text, const char *part)
{
	if (text && strstr(text, part))
		return true;
	diag("it lacks: %s", part);
	return false;
}

static void test_snakemake(void)
{
	FT_OWN char *config = file_of("snakemake", 0, "foretime_bytes(input)", &none);
	FT_OWN char *functions = file_of("snakemake", 1, "foretime_bytes(input)", &none);
	FT_OWN char *bounded = file_of("snakemake", 0, NULL, &some);
	FT_OWN char *numbers = file_of("snakemake", 1, NULL, &some);

	ok(config && !strncmp(config, "#" FT_TELL_WRITTEN, 1 + strlen(FT_TELL_WRITTEN)), "its head names us");
	ok(has(config, "restart-times: 2\nset-resources:\n") && has(config, "  - \"sort:mem_mb=300\"\n") &&
		   has(config, "  - \"sort:runtime=2\"\n"),
	   "numbers, with the overhead, rounded up");
	ok(has(config, "# sort: 8 runs of 8 sizes, bytes = 100000 .. 1000000; 1.9 processors were busy\n") &&
		   has(config, "memory by size, as bytes^") &&
		   has(config, "time the same for all sizes (size does not explain it: correlation 0.10)") &&
		   has(config, "risk 3 %, then 0.15 %, then twice as much"),
	   "what they rest on");
	ok(has(config, "# odd \"name\" : 2 runs\n") && has(config, "(the sizes of its runs are not known)") &&
		   has(config, "memory: not measured"),
	   "a comment is one line; what is not known is stated");
	ok(has(functions, "lambda size: [(100000000 + 100*size + 100000000) / 1e6, (200000000 + 100*size + "
			  "100000000) / 1e6, 2 * "
			  "(200000000 + 100*size + 100000000) / 1e6],\n") &&
		   has(functions, "by=lambda wildcards, input: foretime_bytes(input),\n    least=100000, "
				  "unmade=1000000, known=5000000,\n"),
	   "three tries by size");
	ok(has(functions, "lambda size: [2, 3, 5],\n") &&
		   has(functions, "\"odd \\\"name\\\" \", \"runtime\""),
	   "three by number");
	ok(has(bounded, "mem_mb=250\"") && has(bounded, "runtime=2\"") && has(bounded, "runtime=10\""),
	   "no more than the bounds");
	ok(has(numbers, "lambda size: [250, 250, 250],\n") && has(numbers, "floor=50,\n    bound=250,\n") &&
		   has(numbers, "that of the largest (it grows, but no --size states bytes here)"),
	   "by number where the system states no size");
}

static void test_nextflow(void)
{
	FT_OWN char *text = file_of("nextflow", 0, "reads.size()", &some);
	FT_OWN char *without = file_of("nextflow", 0, NULL, &none);

	ok(has(text, "//" FT_TELL_WRITTEN) && has(text, "process {\n") &&
		   has(text, "    withName: 'sort' {\n") &&
		   has(text, "errorStrategy = { task.exitStatus in [104, 134, 137, 139, 140, 143, 247] ? "
			     "'retry' : 'finish' }\n") &&
		   has(text, "maxRetries = 2\n"),
	   "a selector of a process");
	ok(has(text, "def at = Math.max(100000d, (reads.size()) as double)\n") &&
		   has(text, "def size = Math.min(at, 5000000d)\n") &&
		   has(text, "[(100000000.0d + 100.0d*size + 100000000d) / 1048576.0d, ") &&
		   has(text, "1.MB * Math.min(238, Math.max(48, amount))\n"),
	   "a closure of the size, within bounds");
	ok(has(without, "def tries = [287, 382, 668]\n") && has(without, "def tries = [2, 3, 5]\n"),
	   "numbers");
}

static void test_tpv(void)
{
	FT_OWN char *text = file_of("tpv", 0, "input_size*1024**3", &none);
	FT_OWN char *bounded = file_of("tpv", 0, "input_size*1024**3", &some);

	ok(has(text, "tools:\n") &&
		   has(text, "  \"sort\":\n    cores: 2\n    mem: \"(lambda size: [(100000000 + 100*size + "
			     "100000000) / 1024**3, ") &&
		   has(text, "(max(100000, input_size*1024**3))[min(int((job.destination_params or "
			     "{}).get('foretime_try', 0)), 2)]\"\n"),
	   "memory in GB of a size and of the try");
	ok(has(text, "    rules:\n      - id: \"larger than known\"") &&
		   has(text, "if: \"(input_size*1024**3) >= 5000000\"\n"),
	   "beyond what is known a rule");
	ok(has(text, "walltime: \"{[2, 3, 5][min(") &&
		   has(text, "condition: (memory_limit_reached or walltime_reached) and attempt <= 3\n"),
	   "minutes, and what is tried again");
	ok(has(bounded, "mem: \"max(0.0465661, min(0.232831, (lambda size: ") &&
		   has(bounded, "walltime: \"{min(10, int([2, 3, 5]["),
	   "within bounds");
	ok(has(text, "  \"odd \\\"name\\\" \":\n"), "a name is quoted");
}

static bool is_size(const char *profile, const char *param, const char *stated, const char *wanted)
{
	FT_OWN char *text = ft_tell_size_text(profile_of(profile), param, stated);
	bool good = wanted ? text && !strcmp(text, wanted) : !text;

	if (!good)
		diag("%s", text ? text : "NULL");
	return good;
}

static void test_sizes(void)
{
	ok(is_size("snakemake", "input_bytes", NULL, "foretime_bytes(input)") &&
		   is_size("snakemake", "mb", NULL, "foretime_bytes(input) / 1048576") &&
		   is_size("snakemake", "n", NULL, "getattr(wildcards, \"n\")"),
	   "Snakemake: all inputs, or the wildcard");
	ok(is_size("snakemake", "n", "input.reads", "foretime_bytes(input.reads)") &&
		   is_size("snakemake", "n", "input[\"reads\"]", "foretime_bytes(input[\"reads\"])") &&
		   is_size("snakemake", "n", "input.size_mb * 3", "input.size_mb * 3") &&
		   is_size("snakemake", "n", "input.size", "input.size"),
	   "files that are stated are their sizes");
	ok(is_size("nextflow", "reads", NULL, "reads") && is_size("nextflow", "bytes", NULL, NULL) &&
		   is_size("nextflow", "bytes", "reads.size()", "reads.size()"),
	   "Nextflow: the input of that name; not all of them");
	ok(is_size("tpv", "bytes", NULL, "input_size*1024**3") &&
		   is_size("tpv", "input_size", NULL, "input_size") && is_size("tpv", "n", NULL, NULL) &&
		   is_size("tpv", "n", "input_size * 4", "input_size * 4"),
	   "TPV: the size of the input");
	ok(!ft_tell_profile_get(3) && ft_tell_size_unit("gb") == 0x1p30 && isnan(ft_tell_size_unit("n")),
	   "there are three");
}

/* Where memory is out the whole text is. */
static void test_memory(void)
{
	static const char *const name[] = {"snakemake", "nextflow", "tpv"};

	for (size_t k = 0; k < 3; k++) {
		(void)ft_alloc_fail_at(0);
		char *text = file_of(name[k], k == 0, "input_size", &some);
		unsigned long n = ft_alloc_fail_at(0), failed = 0;

		ft_free(text);
		for (unsigned long i = 1; i <= n; i++) {
			(void)ft_alloc_fail_at(i);
			text = file_of(name[k], k == 0, "input_size", &some);
			failed += !text;
			ft_free(text);
		}
		(void)ft_alloc_fail_at(0);
		ok(n > 10 && failed == n, "%s: out of memory at %lu of %lu places", name[k], failed, n);
	}
}

int main(void)
{
	test_snakemake();
	test_nextflow();
	test_tpv();
	test_sizes();
	test_memory();
	return done();
}
