/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-snakemake.c - Snakemake's records of its jobs: which rule and which inputs a benchmark file is of; records that are
 * damaged; no memory. */
#include "tap.h"
#include "temp.h"

#include "adapt/door.h"
#include "base/alloc.h"
#include "foretime/adapt.h"

#include <math.h>
#include <string.h>

/* A record under its name in base64, which Python made. */
static void record(const char *name, const char *rule, const char *inputs, const char *more)
{
	char path[512], text[512];

	(void)snprintf(path, sizeof path, "w/.snakemake/metadata/%s", name);
	(void)snprintf(text, sizeof text,
		       "{\"version\": null, \"code\": \"x\", \"rule\": %s, \"input\": [%s]%s}", rule, inputs,
		       more);
	(void)temp_write(temp_path(path), text, 0644);
}

static void make_workflow(void)
{
	(void)mkdir(temp_path("w"), 0755);
	(void)mkdir(temp_path("w/.snakemake"), 0755);
	(void)mkdir(temp_path("w/.snakemake/metadata"), 0755);
	(void)mkdir(temp_path("w/.snakemake/metadata/@c29y"), 0755);
	(void)temp_write(temp_path("w/one"), "1234567890", 0644);
	(void)temp_write(temp_path("w/two"), "12345", 0644);
	record("c29ydGVkL3MxLnR4dA==", "\"sort\"", "\"one\"", "");               /* sorted/s1.txt */
	record("@c29y/dGVkL3MxMC50eHQ=", "\"sort\"", "\"two\"", "");             /* sorted/s10.txt */
	record("aWR4L3MxLmlkeA==", "\"sort_index\"", "\"one\", \"two\"", "");    /* idx/s1.idx */
	record("aWR4L3MyLmlkeA==", "\"sort_index\"", "\"one\", \"gone\"", "");   /* idx/s2.idx */
	record("cmVwb3J0LnR4dA==", "\"report\"", "", "");                        /* report.txt */
	record("bS9hLnZjZg==", "\"many\"", "\"one\"", "");                       /* m/a.vcf */
	record("bS9hLmxvZw==", "\"many\"", "\"one\"", "");                       /* m/a.log */
	record("bS94LmEudmNm", "\"many\"", "\"two\"", "");                       /* m/x.a.vcf */
	record("bi9hL2I=", "\"twice\"", "\"one\"", "");                          /* n/a/b */
	record("bi9iL2E=", "\"twice\"", "\"two\"", "");                          /* n/b/a */
	record("cGFydC50eHQ=", "\"part\"", "\"one\"", ", \"incomplete\": true"); /* part.txt */
	record("bm9uZS50eHQ=", "null", "\"one\"", "");                           /* none.txt */
	record("no%20base64", "\"odd\"", "\"one\"", "");
	(void)temp_write(temp_path("w/.snakemake/metadata/ZGFtYWdlZA=="), "{\"rule\": \"damaged\", ", 0644);
}

static bool is_rule(const struct ft_snakemake_jobs *jobs, const char *path, const char *rule)
{
	size_t length;
	const char *found = ft_snakemake_rule_of(jobs, path, &length);

	return rule ? found && length == strlen(rule) && !strncmp(found, rule, length) : !found && !length;
}

static void test_records(const struct ft_snakemake_jobs *jobs)
{
	bool sorted = true, names = false;

	for (size_t i = 0; i < jobs->n; i++) {
		sorted = sorted && (!i || strcmp(jobs->job[i - 1].rule, jobs->job[i].rule) <= 0);
		names = names || !strcmp(jobs->job[i].output, "sorted/s10.txt");
	}
	ok(jobs->n == 10 && sorted,
	   "ten outputs by their rules; damaged records, and those of unfinished jobs, are none");
	ok(names, "a long name is in folders");
}

static void test_rules(const struct ft_snakemake_jobs *jobs)
{
	ok(is_rule(jobs, "sort/s1.tsv", "sort"), "a folder is called after the rule");
	ok(is_rule(jobs, "sort_index/s1.tsv", "sort_index") &&
		   is_rule(jobs, "s1.sort_index.tsv", "sort_index"),
	   "the longest of several");
	ok(is_rule(jobs, "report.tsv", "report") && is_rule(jobs, "s1-report", "report"), "a file is");
	ok(is_rule(jobs, "sorting/s1.tsv", NULL) && is_rule(jobs, "resort.tsv", NULL) &&
		   is_rule(jobs, "", NULL),
	   "a part of a word is none");
}

static void test_inputs(const struct ft_snakemake_jobs *jobs)
{
	ok(ft_snakemake_input_bytes(jobs, "sort", "sort/s1.tsv") == 10 &&
		   ft_snakemake_input_bytes(jobs, "sort", "sort/s10.tsv") == 5,
	   "by the wildcard");
	ok(ft_snakemake_input_bytes(jobs, "sort_index", "s1.sort_index.tsv") == 15,
	   "several inputs together");
	ok(isnan(ft_snakemake_input_bytes(jobs, "sort_index", "sort_index/s2.tsv")), "one of them is gone");
	ok(isnan(ft_snakemake_input_bytes(jobs, "sort", "sort/s3.tsv")) &&
		   isnan(ft_snakemake_input_bytes(jobs, "none", "none/s1.tsv")),
	   "no such job");
	ok(ft_snakemake_input_bytes(jobs, "report", "report.tsv") == 0, "a job without inputs");
	ok(ft_snakemake_input_bytes(jobs, "many", "many/a.tsv") == 10 &&
		   ft_snakemake_input_bytes(jobs, "many", "many/x.a.tsv") == 5,
	   "of two jobs that fit, the one with less in its path; a job has several outputs");
	ok(isnan(ft_snakemake_input_bytes(jobs, "twice", "twice/a/b.tsv")),
	   "two jobs that fit alike are none");
}

int main(void)
{
	struct ft_snakemake_jobs jobs;
	struct ft_err err = {0};

	make_workflow();
	ok(!ft_snakemake_jobs_read(&jobs, temp_path("w"), &err), "the records are read %s", err.text);
	test_records(&jobs);
	test_rules(&jobs);
	test_inputs(&jobs);
	ft_snakemake_jobs_clear(&jobs);
	ft_snakemake_jobs_clear(&jobs);
	ft_snakemake_jobs_clear(NULL);
	ok(!ft_snakemake_jobs_read(&jobs, temp_path("nowhere"), &err) && !jobs.n,
	   "a folder without records has none");

	(void)ft_alloc_fail_at(0);
	(void)ft_snakemake_jobs_read(&jobs, temp_path("w"), NULL);
	unsigned long n = ft_alloc_fail_at(0), failed = 0;
	ft_snakemake_jobs_clear(&jobs);
	for (unsigned long i = 1; i <= n; i++) {
		(void)ft_alloc_fail_at(i);
		failed += ft_snakemake_jobs_read(&jobs, temp_path("w"), &err) == FT_ENOMEM && !jobs.job;
	}
	(void)ft_alloc_fail_at(0);
	ok(n > 20 && failed == n, "out of memory at %lu places", n);
	temp_remove();
	return done();
}
