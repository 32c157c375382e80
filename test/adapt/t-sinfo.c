/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-sinfo.c - partitions as sinfo prints them; what is none; memory that runs out. */
#include "tap.h"

#include "adapt/door.h"
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/adapt.h"

#include <math.h>
#include <string.h>

static struct ft_sinfo sinfo;

static enum ft_status parse(const char *text, struct ft_err *err)
{
	ft_sinfo_clear(&sinfo);
	return ft_sinfo_parse(&sinfo, "made", text, strlen(text), err);
}

static const char usual[] = "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
			    "debug*       up      30:00      2   idle a[1-2]\n"
			    "debug*       up      30:00      1  down* a3\n"
			    "long         up 2-12:00:00      2    mix b1,c[08-10]\n"
			    "old        down   infinite      1   idle z\n",
		  wide[] = "PARTITION TIMELIMIT CPUS MEMORY AVAIL_FEATURES NODELIST\n"
			   "p 90 16+ 64000 fast,new n1\np 90 8 32000 slow n2\nq infinite 4 1000 (null) n3\n";

static const char yaml[] = "# limits\n---\npartitions:\n  short:\n    max_runtime: 90 # minutes\n"
			   "    max_threads: 8\n    max_mem_mb_per_cpu: 1000\n"
			   "  'a \"b\": c':\n    max_runtime: \"2-12:30\"\n    max_mem_mb: 64000\n"
			   "    available_gpu_models: [\"x\", \"y\"]\n    available_constraints:\n"
			   "      - intel\n      - max_runtime: 3\n    max_cpus_per_task: 4\n\n"
			   "  free: {}\nother:\n  short:\n    max_runtime: 1\n";

static void test_examples(void)
{
	ok(parse(usual, NULL) == FT_OK && sinfo.n == 3, "three partitions");
	const struct ft_sinfo_partition *p = sinfo.partition;
	ok(!strcmp(p[0].name, "debug") && p[0].up && p[0].limit_s == 1800 && !strcmp(p[0].nodes, "a[1-2]"),
	   "the default one; a node that is down does not count");
	ok(p[1].up && p[1].limit_s == 2.5 * 86400 && !p[2].up, "days; one that is down");
	ok(ft_sinfo_has_node(p[1].nodes, "c09") && !ft_sinfo_has_node(p[1].nodes, "c9") &&
		   ft_sinfo_has_node(p[1].nodes, "b1") && !ft_sinfo_has_node(p[1].nodes, "b"),
	   "its nodes");
	ok(parse(wide, NULL) == FT_OK && sinfo.n == 2 && sinfo.partition[0].cpus == 8 &&
		   sinfo.partition[0].memory_bytes == 32000 * 1048576.0 && sinfo.partition[0].limit_s == 5400,
	   "the least of its nodes, minutes");
	ok(isinf(sinfo.partition[1].limit_s) && !strcmp(sinfo.partition[0].nodes, "n1,n2"), "no limit");
}

static void test_nodes(void)
{
	static const struct {
		const char *list, *node;
		bool in;
	} cases[] = {{"a", "a", true},
		     {"a,b", "b", true},
		     {"a[1-3,7]", "a7", true},
		     {"a[1-3,7]", "a4", false},
		     {"a[1-3]-ib", "a2-ib", true},
		     {"a[1-3]-ib", "a2", false},
		     {"a[098-102]", "a100", true},
		     {"a[98-102]", "a100", true},
		     {"a[1-3]", "a", false},
		     {"a[1-3]", "a1x", false},
		     {"r[1-2]n[08-10]", "r2n09", true},
		     {"r[1-2]n[08-10]", "r2n9", false},
		     {"r[1-12][3-4]", "r123", true},
		     {"a[1-3]", "a99999999999999999999999", false},
		     {"a[", "a1", false},
		     {"a[]", "a1", false},
		     {"a[1-3", "a1", false},
		     {"", "a", false},
		     {",,", "a", false}};
	size_t good = 0, n = sizeof cases / sizeof *cases;

	for (size_t i = 0; i < n; i++) {
		bool same = ft_sinfo_has_node(cases[i].list, cases[i].node) == cases[i].in;

		good += same;
		if (!same)
			diag("'%s' in '%s'", cases[i].node, cases[i].list);
	}
	ok(good == n, "nodes in lists");
}

static void test_wrong(void)
{
	static const char *const bad[] = {"",
					  "\n\n",
					  "NODES\n3\n",
					  "PARTITION TIMELIMIT\np soon\n",
					  "PARTITION TIMELIMIT\np 1:2:3:4\n",
					  "PARTITION TIMELIMIT\np x-1\n",
					  "PARTITION CPUS\np many\n",
					  "PARTITION MEMORY\np -3\n",
					  "partitions:\n  p: 3\n",
					  "partitions:\n  p: {max_runtime: 3}\n",
					  "partitions:\n  p:\n    max_runtime: soon\n",
					  "partitions:\n  p:\n    max_mem_mb: -1\n",
					  "partitions:\n  p:\n    max_threads: [1]\n",
					  "partitions:\n  p:\n    max_threads\n",
					  "partitions:\n  p:\n\tmax_threads: 1\n",
					  "partitions:\n  p:\n    max_threads: 1\n q:\n",
					  "partitions:\n  p:\n    max_threads: 1\n   max_mem_mb: 1\n",
					  "partitions:\n  p:\n  p:\n",
					  "partitions:\n  - p\n",
					  "A PARTITION\nx\n"};
	size_t good = 0, n = sizeof bad / sizeof *bad;

	for (size_t i = 0; i < n; i++) {
		struct ft_err err = {0};
		bool refused = parse(bad[i], &err) == FT_EPARSE && err.remedy[0] && !sinfo.partition;

		good += refused;
		if (!refused)
			diag("not refused: %zu", i);
	}
	ok(good == n, "what is none is refused, with a remedy");
	ok(ft_sinfo_read(&sinfo, "/nowhere/at/all", NULL) == FT_ENOENT, "no file");
}

/* Any bytes: read or refused, and nothing is left behind. */
static void test_random(void)
{
	struct ft_random random = {test_seed()};

	for (int i = 0; i < test_cases(3000); i++) {
		const struct {
			const char *text;
			size_t size;
		} from[] = {{usual, sizeof usual}, {wide, sizeof wide}, {yaml, sizeof yaml}};
		char text[sizeof usual + sizeof wide + sizeof yaml];

		memcpy(text, from[i % 3].text, from[i % 3].size);
		for (size_t k = 0; k < 1 + ft_random_below(&random, 6); k++)
			text[ft_random_below(&random, from[i % 3].size - 1)] =
				" \n[]-,0*:xa\"\\#{"[ft_random_below(&random, 15)];
		(void)parse(text, NULL);
		for (size_t k = 0; k < sinfo.n; k++)
			(void)ft_sinfo_has_node(sinfo.partition[k].nodes, "a1");
	}
	ft_sinfo_clear(&sinfo);
	ok(true, "changed texts");
}

static void test_faults(void)
{
	const char *const texts[] = {usual, yaml};

	for (unsigned long k = 0; k < 2; k++) {
		unsigned long failed = 0;

		(void)ft_alloc_fail_at(0);
		(void)parse(texts[k], NULL);
		unsigned long n = ft_alloc_fail_at(0);
		for (unsigned long i = 1; i <= n; i++) {
			(void)ft_alloc_fail_at(i);
			failed += parse(texts[k], NULL) == FT_ENOMEM && !sinfo.partition;
		}
		(void)ft_alloc_fail_at(0);
		ft_sinfo_clear(&sinfo);
		ok(n > 5 && failed == n, "out of memory at %lu places", n);
	}
}

/* The file of Snakemake's executor, with what else YAML has. */
static void test_snakemake(void)
{
	static const struct {
		const char *text;
		double seconds;
	} times[] = {{"120", 7200},         {"2d12h30m", 217800}, {"90s", 90},
		     {"\"1:30:00\"", 5400}, {"1:30:00", 324000},  {"\"1:30\"", 5400},
		     {"0:30", 1800},        {"1-0", 86400},       {".inf", INFINITY}};
	size_t wrong = 0;

	ok(parse(yaml, NULL) == FT_OK && sinfo.n == 3, "partitions of Snakemake, and no others");
	const struct ft_sinfo_partition *p = sinfo.partition;
	ok(!strcmp(p[0].name, "short") && p[0].limit_s == 5400 && p[0].cpus == 8 &&
		   p[0].memory_bytes == 8000 * 1048576.0 && p[0].up && !*p[0].nodes,
	   "minutes; memory by processor counts with all of them");
	ok(!strcmp(p[1].name, "a \"b\": c") && p[1].limit_s == 60.5 * 3600 && p[1].cpus == 4 &&
		   p[1].memory_bytes == 64000 * 1048576.0,
	   "names in quotes, lists passed over");
	ok(!strcmp(p[2].name, "free") && isinf(p[2].limit_s) && p[2].cpus == 0 && p[2].memory_bytes == 0,
	   "what is not told is no limit");
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		char text[100];

		(void)snprintf(text, sizeof text, "partitions:\n  p:\n    max_runtime: %s\n", times[i].text);
		if (parse(text, NULL) != FT_OK || sinfo.partition[0].limit_s != times[i].seconds) {
			diag("%s: %g", times[i].text, sinfo.n ? sinfo.partition[0].limit_s : -1);
			wrong++;
		}
	}
	ok(wrong == 0, "times as the executor takes them, also where YAML counts to base 60");
}

/* What is written is read again: those that are up, but for their nodes. */
static void test_written(void)
{
	static char name[] = "a\"b\\", broken[] = "a\nmax: 1";
	struct ft_sinfo made = {.n = 1};
	char *text = NULL;

	(void)parse(usual, NULL);
	ok(ft_sinfo_write_snakemake(&sinfo, &text, NULL) == FT_OK &&
		   !strcmp(text, "partitions:\n  \"debug\":\n    max_runtime: 30\n  \"long\":\n"
				 "    max_runtime: 3600\n"),
	   "for Snakemake: limits of time; one that is down is left out");
	ft_free(text);
	(void)parse(wide, NULL);
	ok(ft_sinfo_write_snakemake(&sinfo, &text, NULL) == FT_OK && parse(text, NULL) == FT_OK &&
		   sinfo.n == 2 && sinfo.partition[0].limit_s == 5400 && sinfo.partition[0].cpus == 8 &&
		   sinfo.partition[1].memory_bytes == 1000 * 1048576.0 && isinf(sinfo.partition[1].limit_s),
	   "of memory, and of processors; read again");
	ft_free(text);
	made.partition = &(struct ft_sinfo_partition){.name = name, .limit_s = INFINITY, .up = true};
	ok(ft_sinfo_write_snakemake(&made, &text, NULL) == FT_OK && strstr(text, "  \"a\\\"b\\\\\": {}\n") &&
		   parse(text, NULL) == FT_OK && !strcmp(sinfo.partition[0].name, name),
	   "a name is quoted");
	ft_free(text);
	ok(parse("partitions:\n  \"a\\x41\\u00f6\\/\\U0001f600\\x4\": {}\n", NULL) == FT_OK &&
		   !strcmp(sinfo.partition[0].name, "aAö/😀x4"),
	   "characters by their numbers; one that is none stays as it is");
	made.partition->limit_s = 45;
	ok(ft_sinfo_write_snakemake(&made, &text, NULL) == FT_OK && !strcmp(text, "partitions:\n"),
	   "one that takes no job of a minute is left out");
	ft_free(text);
	made.partition->limit_s = INFINITY;
	made.partition->name = broken;
	ok(ft_sinfo_write_snakemake(&made, &text, NULL) == FT_EINVAL && !text, "one of two lines is refused");
}

int main(void)
{
	test_snakemake();
	test_written();
	test_examples();
	test_nodes();
	test_wrong();
	test_random();
	test_faults();
	return done();
}
