/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-slurm.c - what Slurm's tools print: what jobs say of themselves, their runs exactly once, limits that are
 * raised; what users write who mean no good; memory that runs out. */
#include "tap.h"
#include "temp.h"

#include "adapt/adapt.h"
#include "base/alloc.h"
#include "foretime/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct ft_store *store;

/* ---- words -------------------------------------------------------------------------------------------- */

static void test_said(void)
{
	static const char *const none[] = {
		"",
		"heat,n=5",
		"foretime:",
		"foretime:../heat,n=5",
		"foretime:/etc,n=1",
		"foretime:.h,n=1",
		"foretime:-h,n=1",
		"foretime:heat;touch x,n=5",
		"foretime:$(id),n=1",
		"foretime:heat,n=",
		"foretime:heat,n=nan",
		"foretime:heat,n=0x10",
		"foretime:heat,n=1e999",
		"foretime:heat,n=$1",
		"foretime:heat,n=1,n=2",
		"foretime:heat,5=1",
		"my foretime:heat,n=5",
		"foretime:he|at,n=5",
		"foretime:%s,n=1",
		"foretime:heat,n=5`id`",
	};
	struct ft__statement said;

	ok(ft__statement_find("foretime:heat_2.a-b,n=20000,m=-1.5e3", &said) &&
		   !strcmp(said.name, "heat_2.a-b") && said.n == 2 && !strcmp(said.param[1], "m") &&
		   !strcmp(said.value[1], "-1.5e3"),
	   "a name and sizes");
	ok(ft__statement_find("of the site; foretime:heat,n=7; foretime: --time=3 for heat", &said) &&
		   !strcmp(said.name, "heat") && said.n == 1 && !strcmp(said.value[0], "7"),
	   "behind what the site says, and before what was filled in");
	ok(ft__statement_find("foretime:heat n=7 k=2", &said) && said.n == 2 &&
		   ft__statement_find("foretime:heat", &said) && said.n == 0,
	   "with blanks, without sizes");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(!ft__statement_find(none[i], &said) && !*said.name, "nothing is said by '%s'", none[i]);
}

static void test_names(void)
{
	static const char *const none[] = {"", ".h", "-h", "a/b", "a b", "a%", "\xc3\xa4"};
	char name[202];
	bool any = false;

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		any |= ft_slurm_name_is_read(none[i]);
	memset(name, 'x', sizeof name - 1);
	name[201] = '\0';
	ok(!any && !ft_slurm_name_is_read(name), "names that no job can state");
	ok(ft_slurm_name_is_read(name + 1) && ft_slurm_name_is_read("_") &&
		   ft_slurm_name_is_read("7-zip_2.x"),
	   "and those that it can");
}

static void test_filled(void)
{
	struct ft__filled filled;

	ok(ft__filled_find("foretime: --time=12 --mem=300M for heat, at a risk of 1 %", &filled) &&
		   filled.minutes == 12 && filled.mib == 300,
	   "time and memory that were filled in");
	ok(ft__filled_find("x; foretime: --mem=300M for heat; other --time=3 ", &filled) &&
		   isnan(filled.minutes),
	   "memory alone: another's words are not ours");
	ok(!ft__filled_find("foretime:heat,n=3", &filled), "nothing was");
}

/* ---- the cluster -------------------------------------------------------------------------------------- */

static void test_config(void)
{
	struct ft_slurm_config c;
	struct ft_err err = {0};

	ok(!ft_slurm_config_parse(
		   &c,
		   "Configuration data as of 2026\nAccountingStorageType   = accounting_storage/slurmdbd\n"
		   "AccountingStoreFlags    = job_comment,job_script\nClusterName             = big\n"
		   "JobAcctGatherType       = jobacct_gather/cgroup\nJobSubmitPlugins        = (null)\n"
		   "SLURM_VERSION           = 22.05.8\n",
		   &err) &&
		   c.accounts && c.comments && c.gathers && c.cgroup && !*c.submit &&
		   !strcmp(c.cluster, "big") && !strcmp(c.version, "22.05.8"),
	   "how a cluster is set up");
	ok(!ft_slurm_config_parse(&c,
				  "ClusterName = c\nAccountingStorageType = accounting_storage/none\n"
				  "AccountingStoreFlags = (null)\nJobAcctGatherType = jobacct_gather/none\n",
				  &err) &&
		   !c.accounts && !c.comments && !c.gathers && !*c.accounting,
	   "without accounts");
	ok(!ft_slurm_config_parse(&c, "ClusterName = c\nAccountingStoreJobComment = Yes\n", &err) &&
		   c.comments,
	   "older ones keep comments");
	ok(ft_slurm_config_parse(&c, "slurm_load_ctl_conf error\n", &err) == FT_EPARSE && *err.remedy,
	   "no cluster: %s", err.text);
}

static void test_kinds(void)
{
	char **kinds;
	struct ft_err err = {0};
	size_t n;

	ok(!ft_slurm_kinds_parse("a[1-2]|epyc,ib\nb7|(null)\nc1|x=1{y}\n", "big", &kinds, &n, &err) &&
		   n == 3 && !strcmp(kinds[0], "a[1-2]=epyc,ib") && !strcmp(kinds[1], "b7=big") &&
		   !strcmp(kinds[2], "c1=x_1_y_"),
	   "nodes by their features");
	ft_slurm_texts_free(kinds, n);
	ok(ft_slurm_kinds_parse("a1\n", "big", &kinds, &n, &err) == FT_EPARSE && !kinds, "no features: %s",
	   err.text);
}

static void test_places(void)
{
	struct ft_slurm_places places = {0};
	struct ft_err err = {0};

	ok(!ft_slurm_places_parse("fast|epyc,ib|1-00:00:00|64000|up\nfast|(null)|1-00:00:00|32000|up\n"
				  "old|xeon|infinite|16000+|up\nclosed|xeon|infinite|16000|down\n\n"
				  "odd|xeon|soon|1|up\na,b|xeon|10|1|up\nshort|xeon\nlong|x|10|1|up|more\n",
				  "big", &places, &err) &&
		   places.n == 3,
	   "partitions that are up, a row for each kind of nodes; rows that are none are passed over");
	ok(places.n == 3 && !strcmp(places.place[0].partition, "fast") &&
		   !strcmp(places.place[0].machine, "epyc,ib") && !strcmp(places.place[1].machine, "big") &&
		   !strcmp(places.place[2].partition, "old"),
	   "kinds are called as the harvest calls them");
	ok(places.n == 3 && places.place[0].limit_s == 86400 && isinf(places.place[2].limit_s) &&
		   places.place[2].memory_bytes == 16000.0 * 1048576,
	   "limits and memory in SI");
	ft_slurm_places_clear(&places);
	ok(!ft_slurm_places_parse("", "big", &places, &err) && !places.n, "no partition");
}

static void test_fields(void)
{
	char *fields = NULL, *lacking = NULL;
	struct ft_err err = {0};
	bool good = !ft_slurm_fields_choose(
		"JobIDRaw State  Start Elapsed\nUID NodeList Comment TotalCPU MaxRSSNode", &fields, &lacking,
		&err);

	ok(good && !strcmp(fields, "JobIDRaw,State,Start,Elapsed,TotalCPU,UID,NodeList,Comment") &&
		   strstr(lacking, "MaxRSS (memory)") &&
		   strstr(lacking, "AdminComment (what foretime filled in)"),
	   "fields that a version lacks: %s", lacking);
	free(fields);
	free(lacking);
	ok(ft_slurm_fields_choose("JobIDRaw State Start Elapsed UID NodeList", &fields, &lacking, &err) ==
			   FT_EUNAVAIL &&
		   !fields && !lacking && *err.remedy,
	   "one without which there is nothing: %s", err.text);
}

/* ---- harvests ----------------------------------------------------------------------------------------- */

#define HEAD                                                                                                 \
	"JobIDRaw@JobID@State@ExitCode@Start@Elapsed@TotalCPU@MaxRSS@NTasks@UID@NodeList@AdminComment@"      \
	"Comment\n"
#define JOB(id, state, start, elapsed, uid, nodes, admin, comment)                                           \
	id "@" id "@" state "@0:0@" start "@" elapsed "@00:01.500@@@" uid "@" nodes "@" admin "@" comment "\n"
#define BATCH(id, start, memory)                                                                             \
	id ".batch@" id ".batch@COMPLETED@0:0@" start "@00:00:01@00:01.500@" memory "@1@@a1@@\n"
#define T1 "2026-11-23T10:00:00Z"
#define T2 "2026-11-23T11:00:00Z"

static const char *const nodes[] = {"a[1-9]=fast", "b1=slow"};
static const unsigned long me[] = {1000};

static struct ft_slurm_harvested told;

static enum ft_status take(const char *text, struct ft_err *err)
{
	const struct ft_slurm_harvest options = {.cluster = "big",
						 .delimiter = "@",
						 .machine = nodes,
						 .n_machines = 2,
						 .trusted = me,
						 .n_trusted = 1,
						 .until_ns = 17};

	ft_slurm_harvested_clear(&told);
	return ft_slurm_harvest(store, text, strlen(text), &options, &told, err);
}

/* The runs of a program, all of its machines. */
static size_t count(const char *name, struct ft_runs *runs)
{
	struct ft_program program = {0};

	ft_runs_clear(runs);
	if (!ft_store_get_program(store, name, &program, NULL))
		(void)ft_store_get_runs(store, program.id, 0, runs, NULL);
	ft_program_clear(&program);
	return runs->n;
}

static enum ft_label label_of(const struct ft_run *run, const struct ft_resource *resource)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == resource)
			return run->sample[i].label;
	return FT_UNAVAILABLE;
}

static void test_harvest(void)
{
	static const char text[] = HEAD JOB(
		"1", "COMPLETED", T1, "00:02:00", "1000", "a1", "",
		"foretime:heat,n=100,m=2") BATCH("1", T1, "1024K") JOB("2", "COMPLETED", T1, "00:04:00",
								       "1000", "b1",
								       "foretime: --time=5 --mem=9M for heat",
								       "foretime:heat,m=2,n=200")
		JOB("3", "RUNNING", T2, "00:04:00", "1000", "a1", "", "foretime:heat,n=100,m=2") JOB(
			"4", "CANCELLED by 1000", T1, "00:00:00", "1000", "None assigned", "",
			"foretime:heat,n=1,m=1") JOB("5", "COMPLETED", T1, "00:02:00", "1000", "a1,b1", "",
						     "foretime:heat,n=100,m=2") JOB("6", "COMPLETED", T1,
										    "00:02:00", "1000", "z1",
										    "",
										    "foretime:heat,n=100,m=2")
			JOB("7", "COMPLETED", T1, "00:02:00", "7", "a1", "", "foretime:heat,n=100,m=2") JOB(
				"8", "COMPLETED", T1, "00:02:00", "1000", "a1", "", "my own")
				JOB("9", "COMPLETED", T1, "00:02:00", "1000", "a1", "",
				    "foretime:heat,k=5") JOB("10", "OUT_OF_MEMORY", T1, "00:03:00", "1000",
							     "a2", "foretime: --time=1 --mem=9M for heat",
							     "foretime:heat,n=300,m=2")
					JOB("11", "TIMEOUT", T1, "1-00:00:00", "1000", "a2", "",
					    "foretime:heat,n=400,m=2") JOB("12", "PREEMPTED", T1, "00:03:00",
									   "1000", "a2", "",
									   "foretime:heat,n=500,m=2")
						JOB("12", "COMPLETED", T2, "00:03:00", "1000", "a2",
						    "foretime:heat,n=500,m=2; foretime: --time=2 for heat",
						    "foretime:heat,n=$1,m=2");
	struct ft_slurm_tally tally = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	ok(!take(text, &err) && told.jobs == 13 && told.runs == 7 && told.known == 0, "jobs became runs: %s",
	   err.text);
	ok(told.unfinished == 1 && told.unbegun == 1 && told.kinds == 1 && told.nodes == 1 &&
		   told.unsaid == 1 && told.others == 1 && told.bad == 1 && strstr(told.why, "job 9: "),
	   "others not, and why: %s", told.why);
	ok(told.n_done == 12 && told.n == 3, "one is to be asked for again");
	ok(count("heat", &runs) == 6 && runs.run[0].size.value[0] == 100 &&
		   runs.run[1].size.value[0] == 200 && runs.run[1].size.value[1] == 2,
	   "sizes in the order of the program's parameters");
	ok(ft_run_value(&runs.run[0], &ft_wall_s) == 120 && ft_run_value(&runs.run[0], &ft_cpu_s) == 1.5 &&
		   ft_run_value(&runs.run[0], &ft_peak_tree_bytes) == 0x1p20 && runs.run[0].real &&
		   runs.run[0].started_ns == INT64_C(1795428000) * 1000000000,
	   "what it took, and when");
	ok(runs.run[2].outcome == FT_OUT_OF_MEMORY && runs.run[3].outcome == FT_TIMED_OUT &&
		   ft_run_value(&runs.run[3], &ft_wall_s) == 86400 && runs.run[4].outcome == FT_INTERRUPTED &&
		   runs.run[5].outcome == FT_DONE && runs.run[5].size.value[0] == 500,
	   "how they ended; both tries of one that began again");
	ok(count("~7/heat", &runs) == 1, "a user who is not trusted has a name of his own");
	ok(!ft_slurm_tally_get(store, "big", &tally, &err) && tally.until_ns == 17 && tally.jobs == 7 &&
		   tally.filled == 3 && tally.kept == 1,
	   "what was filled in was enough for one of three");
	ok(!take(text, &err) && told.runs == 0 && told.known == 7 && count("heat", &runs) == 6, "each once");
	ok(!ft_slurm_tally_get(store, "big", &tally, &err) && tally.jobs == 7, "and counted once");
	ok(!ft_slurm_tally_get(store, "small", &tally, &err) && !tally.jobs, "another cluster has none");
	ft_runs_clear(&runs);
}

static void test_hostile(void)
{
	static const char forged[] = HEAD JOB("21", "COMPLETED", T1, "00:02:00", "1000", "a1", "",
					      "foretime:f,n=1\n22|22|COMPLETED|0:0|x\nforetime:f,n=2\n\n@@@")
		BATCH("21", T1,
		      "4K") "23.batch@23.batch@COMPLETED@0:0@" T1
			    "@00:00:01@00:01.500@9K@1@@a1@@\n" JOB("24", "COMPLETED", T1, "00:02:00", "1000x",
								   "a1", "", "foretime:f,n=3")
				    JOB("25", "COMPLETED", T1, "x", "1000", "a1", "", "foretime:f,n=4")
					    JOB("26", "COMPLETED", T1, "00:05:00", "1000", "a1|a2", "",
						"foretime:f,n=5,State=1,Elapsed=7");
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	ok(!take(forged, &err) && told.jobs == 4 && count("f", &runs) == 1 &&
		   runs.run[0].size.value[0] == 1 && ft_run_value(&runs.run[0], &ft_peak_tree_bytes) == 4096,
	   "a comment of several lines forges no row: %zu jobs; %s", told.jobs, told.why);
	ok(told.others == 1 && told.bad == 1 && told.nodes == 1, "no number of a user, no time, no nodes: %s",
	   told.why);
	ok(take("", &err) == FT_EPARSE && take("nonsense\n", &err) == FT_EPARSE && *err.remedy,
	   "no table of sacct's: %s", err.text);
	ok(!take(HEAD, &err) && !told.jobs, "no jobs are no failure");
	ok(!take(HEAD JOB("31", "COMPLETED", T1, "00:02:00", "1000", "a1", "", "foretime:g,Elapsed=7,n=8"),
		 &err) &&
		   count("g", &runs) == 1 && ft_run_value(&runs.run[0], &ft_wall_s) == 120 &&
		   runs.run[0].size.value[0] == 7,
	   "a parameter that is called as a field of sacct is no time");
	ok(!take(HEAD JOB("33", "COMPLETED", T1, "00:02:00", "1000", "a1", "", "foretime:tasks,n=8")
			 BATCH("33", T1, "4K") "33.0@33.0@COMPLETED@0:0@" T1 "@00:01:00@00:01@1M@3@@a1@@\n",
		 &err) &&
		   count("tasks", &runs) == 1 &&
		   ft_run_value(&runs.run[0], &ft_peak_tree_bytes) == 3 * 0x1p20 &&
		   label_of(&runs.run[0], &ft_peak_tree_bytes) == FT_ESTIMATED,
	   "a step of three tasks has at most three times the memory of its largest");
	ok(!take(HEAD JOB("32", "COMPLETED", T1, "00:02:00", "1000", "a1", "", "foretime:g"), &err) &&
		   told.bad == 1,
	   "no size: %s", told.why);
	ft_runs_clear(&runs);
}

static void test_array(void)
{
	enum { TASKS = 5000 };
	struct ft_text text = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	ft_text_add(&text, "%s", HEAD);
	for (size_t i = 0; i < TASKS; i++)
		ft_text_add(&text,
			    "%zu@900_%zu@COMPLETED@0:0@" T1
			    "@00:03:00@00:01@@@1000@a%zu@@foretime:array,n=%zu\n",
			    9000 + i, i, 1 + i % 9, 1 + i % 10);
	ok(!take(text.s, &err) && told.runs == TASKS && told.n == 1 && count("array", &runs) == TASKS,
	   "an array of %d tasks: %s", TASKS, err.text);
	ft_text_clear(&text);
	ft_runs_clear(&runs);
}

static void test_memory(void)
{
	static const char one[] = HEAD JOB("51", "COMPLETED", T1, "00:02:00", "1000", "a1", "",
					   "foretime:out,n=1") BATCH("51", T1, "4K");
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	size_t half = 0;

	for (n = 1; status == FT_ENOMEM && n < 5000; n++) {
		(void)ft_alloc_fail_at(n);
		status = take(one, &err);
		(void)ft_alloc_fail_at(0);
		half += status && count("out", &runs) != 0;
	}
	ok(!status && n > 20 && !half && count("out", &runs) == 1,
	   "memory that runs out at any of %lu places leaves nothing half done", n);
	ft_runs_clear(&runs);
}

/* ---- limits ------------------------------------------------------------------------------------------- */

static void line(struct ft_text *text, const char *job, const char *used, const char *limit,
		 const char *partition, const char *comment)
{
	ft_text_add(text, "%-24s%-24s%-24s%-120s%-400s\n", job, used, limit, partition, comment);
}

static void test_raise(void)
{
	static const char limits[] = "PARTITION AVAIL TIMELIMIT\nnormal* up infinite\nshort up 1:00:00\n",
			  ours[] = "foretime: --time=60 --mem=9M for heat, at a risk of 1 %";
	struct ft_slurm_raise *raise = NULL;
	struct ft_sinfo sinfo;
	struct ft_text text = {0};
	struct ft_err err = {0};
	size_t n = 0;

	if (!ok(!ft_sinfo_parse(&sinfo, "made", limits, strlen(limits), &err), "partitions: %s", err.text))
		return;
	line(&text, "1", "48:00", "1:00:00", "normal", ours);
	line(&text, "2", "47:59", "1:00:00", "normal", ours);
	line(&text, "3", "59:00", "1:00:00", "short", ours);
	line(&text, "4", "59:00", "1:00:00", "gone", ours);
	line(&text, "5", "59:00", "1:00:00", "normal", "foretime: --mem=9M for heat");
	line(&text, "6", "59:00", "1:00:00", "normal", "");
	line(&text, "7", "59:00", "1:01:00", "normal", ours);
	line(&text, "8", "1:50:00", "2:00:00", "normal", ours);
	line(&text, "9", "59:00", "UNLIMITED", "normal", ours);
	line(&text, "10", "1-00:00:00", "1-00:00:00", "normal", "foretime: --time=0 for heat");
	line(&text, "11", "INVALID", "1:00:00", "normal", ours);
	ft_text_add(&text, "nonsense\n\n");
	ok(!ft_slurm_raises_parse(text.s, &sinfo, &raise, &n, &err) && n == 2 && raise[0].job == 1 &&
		   raise[0].new_s == 7200 && raise[1].job == 8 && raise[1].new_s == 14400,
	   "those that foretime guessed, and that are near: %zu", n);
	free(raise);
	ft_text_clear(&text);
	line(&text, "12", "29:00", "30:00", "short", "foretime: --time=30 for heat");
	line(&text, "13", "40:00", "45:00", "short", "foretime: --time=45 for heat");
	ok(!ft_slurm_raises_parse(text.s, &sinfo, &raise, &n, &err) && n == 2 && raise[0].new_s == 3600 &&
		   raise[1].new_s == 3600,
	   "never more than the partition allows");
	free(raise);
	ft_text_clear(&text);
	ft_sinfo_clear(&sinfo);
}

static void test_since(void)
{
	const int64_t now = INT64_C(1800000000) * 1000000000;
	struct ft_err err = {0};
	int64_t at;

	ok(!ft_slurm_since("7d", now, &at, &err) && at == now - INT64_C(604800) * 1000000000, "a week ago");
	ok(!ft_slurm_since("2026-11-23T10:00:00Z", now, &at, &err) && at == INT64_C(1795428000) * 1000000000,
	   "a moment");
	ok(!ft_slurm_since("2026-11-23", now, &at, &err) &&
		   llabs(at - INT64_C(1795392000) * 1000000000) <= INT64_C(86400) * 1000000000,
	   "a day");
	ok(ft_slurm_since("yesterday", now, &at, &err) == FT_EPARSE && *err.remedy, "none: %s", err.text);
}

int main(void)
{
	struct ft_err err = {0};

	test_said();
	test_names();
	test_filled();
	test_config();
	test_kinds();
	test_places();
	test_fields();
	test_raise();
	test_since();
	if (!ok(!ft_store_open(&store, temp_path("store.db"), 0, &err), "a store: %s", err.text))
		return done();
	test_harvest();
	test_hostile();
	test_array();
	test_memory();
	ft_slurm_harvested_clear(&told);
	ft_store_close(store);
	temp_remove();
	return done();
}
