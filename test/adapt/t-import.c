/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-import.c - names, sizes and values where the user says they stand; what cannot be. */
#include "adapt-test.h"
#include "adapt/door.h"
#include "named.h"
#include "temp.h"

#define LIST(...)                                                                                            \
	(const char *const[])                                                                                \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

static struct ft_import import;

static bool parses(const char *text, struct ft_import_options options)
{
	struct ft_err err = {0};

	ft_import_clear(&import);
	enum ft_status status = parse(&import, text, &options, &err);
	if (status)
		diag("%s | %s", err.text, err.remedy);
	return !status;
}

/* Left out with these words, and what is told of it; and refused with them where all or nothing is wanted. */
static bool leaves_out(const char *text, struct ft_import_options options, size_t runs, size_t rows,
		       const char *words)
{
	struct ft_err err = {0};

	options.strict = true;
	ft_import_clear(&import);
	enum ft_status status = parse(&import, text, &options, &err);
	if (!status || !strstr(err.text, words) || import.part) {
		diag("strictly: status %d: %s | %s", status, err.text, err.remedy);
		return false;
	}
	options.strict = false;
	status = parse(&import, text, &options, &err);
	if (!status && import.runs == runs && import.passed[FT_PASSED_BROKEN] == rows &&
	    strstr(import.broken.text, words) && *import.broken.remedy)
		return true;
	diag("status %d: %s; %zu runs, %zu left out: %s", status, err.text, import.runs,
	     import.passed[FT_PASSED_BROKEN], import.broken.text);
	return false;
}

/* Refused with these words, and nothing is left. */
static bool refuses(const char *text, struct ft_import_options options, enum ft_status expected,
		    const char *words)
{
	struct ft_err err = {0};

	ft_import_clear(&import);
	enum ft_status status = parse(&import, text, &options, &err);
	if (status == expected && strstr(err.text, words) && *err.remedy && !import.n && !import.part)
		return true;
	diag("status %d: %s | %s", status, err.text, err.remedy);
	return false;
}

static void sizes(void)
{
	struct ft_param range = {.name = "n", .least = 2, .most = 3, .stride = 1};

	ok(parses("n,wall_s\n1,0.5\n2,0.25\n", (struct ft_import_options){.name = "x"}) && import.n == 1 &&
		   !strcmp(part_of(&import, "x")->program.hash, "") &&
		   size_of(part_of(&import, "x"), 1, 0) == 2,
	   "a plain table: n");
	ok(parses("a,b,wall_s\n1,10,0.5\n2,20,0.25\n",
		  (struct ft_import_options){.name = "x", .size = LIST("n=b", "m=a"), .n_sizes = 2}) &&
		   size_of(part_of(&import, "x"), 1, 0) == 20 && size_of(part_of(&import, "x"), 1, 1) == 2,
	   "sizes in columns of other names, in the order in which they are named");
	ok(parses("job,wall_s\nfft_64_a,1\nfft_128_b,2\nother,3\n",
		  (struct ft_import_options){
			  .name = "x", .size = LIST("n=job:/^fft_(\\d+)_[a\\d]/"), .n_sizes = 1}) &&
		   import.runs == 1 && size_of(part_of(&import, "x"), 0, 0) == 64 &&
		   import.passed[FT_PASSED_PATTERN] == 2,
	   "a pattern, with digits within brackets too; what does not match is passed over");
	ok(parses("n,wall_s\n1,0.5\n2,0.25\n3,1\n4,1\n",
		  (struct ft_import_options){.name = "x", .param = &range, .n_params = 1}) &&
		   import.runs == 2 && import.passed[FT_PASSED_RANGE] == 2 &&
		   part_of(&import, "x")->program.param[0].most == 3,
	   "a range");
	(void)ft_param_parse("n=1:4:*2", &range, NULL);
	ok(parses("n,wall_s\n1,0.5\n2,0.25\n3,1\n4,1\n",
		  (struct ft_import_options){.name = "x", .param = &range, .n_params = 1}) &&
		   import.runs == 3 && import.passed[FT_PASSED_RANGE] == 1 &&
		   part_of(&import, "x")->program.param[0].factor == 2,
	   "a progression");
	ok(parses("# foretime: runs 1\n# ranges: n=1,2,9\nn,wall_s\n1,0.5\n2,0.25\n",
		  (struct ft_import_options){.name = "x"}) &&
		   import.runs == 2 && part_of(&import, "x")->program.param[0].n_list == 3,
	   "a list, as the table says");
	range = (struct ft_param){.name = "m", .least = 7, .most = 7, .stride = 1};
	ok(parses("n,wall_s\n1,0.5\n",
		  (struct ft_import_options){
			  .name = "x", .param = &range, .n_params = 1, .size = LIST("n=n"), .n_sizes = 1}) &&
		   size_of(part_of(&import, "x"), 0, 0) == 7 && size_of(part_of(&import, "x"), 0, 1) == 1,
	   "a fixed value needs no column");
	const struct ft_imported *part = part_of(&import, "x");
	ok(part->program.n_params == 2 && part->program.param[1].least == 1, "and a column beside it");
	ok(parses("n,wall_s\n64k,0.5\n", (struct ft_import_options){.name = "x"}) &&
		   size_of(part_of(&import, "x"), 0, 0) == 64000,
	   "a suffix");
	ok(refuses("n,wall_s\nx,1\n", (struct ft_import_options){.name = "x"}, FT_EINVAL,
		   "f:2: column 1 (n): the size is not a number: 'x'"),
	   "a size that is no number");
	ok(refuses("job,wall_s\nfft_a,1\n",
		   (struct ft_import_options){.name = "x", .size = LIST("n=job:/_(.)/"), .n_sizes = 1},
		   FT_EINVAL, "f:2: column 1 (job): what the group"),
	   "a group that is no number");
	ok(refuses("n,wall_s\n1,1\n",
		   (struct ft_import_options){.name = "x", .size = LIST("n=q"), .n_sizes = 1}, FT_EINVAL,
		   "no column 'q'; its columns are n, wall_s"),
	   "a column that is not there");
	ok(refuses("n,wall_s\n1,1\n",
		   (struct ft_import_options){.name = "x", .size = LIST("n=n", "n=n"), .n_sizes = 2},
		   FT_EINVAL, "this parameter has a column already") &&
		   refuses("n,wall_s\n1,1\n",
			   (struct ft_import_options){.name = "x", .size = LIST("n"), .n_sizes = 1},
			   FT_EPARSE, "--size n:") &&
		   refuses("n,wall_s\n1,1\n",
			   (struct ft_import_options){.name = "x", .size = LIST("n=n:/ab/"), .n_sizes = 1},
			   FT_EPARSE, "no group"),
	   "places that make no sense");
}

static void file_sizes(void)
{
	char text[512];
	FILE *file = fopen(temp_path("in.fq"), "wb");

	if (!file || fputs("12345", file) < 0 || fclose(file))
		return;
	(void)snprintf(text, sizeof text, "path,sample,wall_s\n%s,in,1\n", temp_path("in.fq"));
	ok(parses(text, (struct ft_import_options){.name = "x", .size = LIST("n=file:path"), .n_sizes = 1}) &&
		   size_of(part_of(&import, "x"), 0, 0) == 5,
	   "the length of a file that a column names");
	(void)snprintf(text, sizeof text, "n=file:%s/{sample}.fq", temp_folder);
	ok(parses("sample,wall_s\nin,1\n",
		  (struct ft_import_options){.name = "x", .size = LIST(text), .n_sizes = 1}) &&
		   size_of(part_of(&import, "x"), 0, 0) == 5,
	   "of one whose path is made of columns");
	ok(refuses("sample,wall_s\nin,1\nout,1\n",
		   (struct ft_import_options){.name = "x", .size = LIST("n=file:{sample}"), .n_sizes = 1},
		   FT_EINVAL, "whose input file has no length (2), the first: in: No such file"),
	   "of none that is there");
	ok(parses("sample,wall_s\nout,1\nin,1\nout2,1\n",
		  (struct ft_import_options){.name = "x", .size = LIST(text), .n_sizes = 1}) &&
		   import.runs == 1 && import.passed[FT_PASSED_FILE] == 2 &&
		   strstr(import.missing, "/out.fq: No such file"),
	   "rows whose file is not there are passed over, and the first is told");
	ok(parses("made,wall_s\nmap/in.tsv,1\nother,2\n",
		  (struct ft_import_options){.name = "x",
					     .directory = temp_folder,
					     .size = LIST("n=file:{made:/map\\/(.+).tsv/}.fq"),
					     .n_sizes = 1}) &&
		   import.runs == 1 && size_of(part_of(&import, "x"), 0, 0) == 5 &&
		   import.passed[FT_PASSED_PATTERN] == 1,
	   "of one whose path is made by a pattern, in a directory that is said");
	ok(refuses("sample,wall_s\nnull,1\n",
		   (struct ft_import_options){
			   .name = "x", .size = LIST("n=file:/dev/{sample}"), .n_sizes = 1},
		   FT_EINVAL, "Not a plain file"),
	   "of what is neither a file nor a folder");
}

static void patterns(void)
{
	static const char jobs[] = "Comment,wall_s\n\"foretime:fft,n=64\",1\n\"foretime:fft,n=128.5\",2\n"
				   "\"foretime:sort,n=1e3\",3\nother,4\n\"foretime:sort\",5\n";
	static const char *const hostile[] = {
		"n=n:/(a*)\\1/",
		"n=n:/(((((a{1,255}){1,255}){1,255}){1,255}){1,255})/",
		"n=n:/((a{99}){99})/",
		"n=n:/(((((a{,30}){,30}){,30})x))/",
		"n=n:/(a{9}{9}{9}{9}{9}{9})/",
		"n=n:/([)][ab]{99}){99}/",
		"n=n:/([^])[:alpha:])][ab]{99}){99}/",
		"n=n:/(a{99999999999999999999})/",
		"n=n:/([ab]*a[ab]{600}x)/",
		"n=n:/((((((((((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))))))))))/",
		"n=n:/([)/",
		"n=n:/(a/",
		"n=n:/()\\/",
	};
	char longest[600] = "n=n:/(", wide[5200] = "n,wall_s\n";
	struct ft_import_options options = {.name = "{Comment:/foretime:([^,]+)/}",
					    .size = LIST("n={Comment:/n=([0-9.e]+)/}"),
					    .n_sizes = 1};

	ok(parses(jobs, options) && import.n == 2 && part_of(&import, "fft")->runs.n == 2 &&
		   size_of(part_of(&import, "fft"), 1, 0) == 128.5 &&
		   size_of(part_of(&import, "sort"), 0, 0) == 1000 && import.passed[FT_PASSED_PATTERN] == 2,
	   "names and sizes out of one column");
	options.size = LIST("n=wall_s");
	ok(parses(jobs, options) && import.runs == 4 && import.passed[FT_PASSED_NAME] == 1,
	   "rows without a name are passed over");
	options.name = "{Comment:/foretime(.*)x/}";
	ok(refuses(jobs, options, FT_EINVAL, "that a pattern of --name does not match (5)"),
	   "and all of them told");
	options.name = "a{Comment:/(b/}";
	ok(refuses(jobs, options, FT_EPARSE, "--name a{Comment:/(b/}: the pattern cannot be read"),
	   "a name whose pattern is none");
	options.name = "x";
	options.size = LIST("n={Comment:/(n)=/}{Comment:/=(.*)/}");
	ok(refuses(jobs, options, FT_EINVAL, "f:2: n: the size is not a number: 'n64'"),
	   "a text that is no number");
	options.size = LIST("n={Comment:/n=((1)[0-9]+)/}");
	ok(parses(jobs, options) && import.runs == 1 && size_of(part_of(&import, "x"), 0, 0) == 128,
	   "of several groups the first");
	options.size = LIST("n=Comment:/n=([0-9]{2})/");
	ok(parses(jobs, options) && size_of(part_of(&import, "x"), 0, 0) == 64,
	   "braces in a pattern of a column");
	options.size = LIST("n={Comment:/n=([0-9]{2})/}0");
	ok(parses(jobs, options) && size_of(part_of(&import, "x"), 0, 0) == 640, "and in one between braces");
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		options.size = LIST(hostile[i]);
		ok(refuses("n,wall_s\n1,1\n", options, FT_EPARSE, "the pattern "), "refused: %s", hostile[i]);
	}
	memset(longest + 6, 'a', 500);
	memcpy(longest + 506, ")/", 3);
	options.size = LIST(longest);
	ok(refuses("n,wall_s\n1,1\n", options, FT_EPARSE, "longer than 256"), "a long pattern");
	memset(wide + 9, '1', 5000);
	memcpy(wide + 5009, ",1\n", 4);
	options.size = LIST("n=n:/((1*)*(1*)*)*/");
	ok(refuses(wide, options, FT_EINVAL, "does not match"), "a text too long for patterns");
	memcpy(wide + 409, ",1\n", 4);
	options.size = LIST("n=n:/(((1*)*(1|1)*)*x)/");
	ok(refuses(wide, options, FT_EINVAL, "does not match"), "a pattern that may match in many ways");
}

/* The runs of a part, by its machine. */
static size_t runs_on(const char *machine)
{
	for (size_t i = 0; i < import.n; i++)
		if (import.part[i].machine && !strcmp(import.part[i].machine, machine))
			return import.part[i].runs.n;
	return 0;
}

static void machines(void)
{
	static const char jobs[] = "NodeList,n,wall_s\nnode01,1,1\nnode[02-03],2,2\nthin7,3,3\n"
				   "\"node02,thin7\",4,4\ngpu1,5,5\n\"thin[5,7-8]\",6,6\nNone assigned,7,7\n"
				   "r[1-2]n[1-2],8,8\nx[1-,9,9\ny[1-999999999],10,10\n"
				   "\"a[1-99999999999][2-1]\",11,11\n\"b[7-5]\",12,12\n";
	struct ft_import_options options = {
		.name = "x", .machine = LIST("node[01-16]=fat", "thin[1-9]=thin"), .n_machines = 2};

	ok(parses(jobs, options) && import.n == 2 && runs_on("fat") == 2 && runs_on("thin") == 2 &&
		   import.passed[FT_PASSED_KINDS] == 1 && import.passed[FT_PASSED_NODES] == 7,
	   "nodes of a kind are a machine; jobs over several kinds are left out");
	options.machine = LIST("node[01-16],thin7=fat", "rest");
	ok(parses(jobs, options) && runs_on("fat") == 4 && runs_on("rest") == 2 &&
		   import.passed[FT_PASSED_KINDS] == 1,
	   "and all others are another");
	options.machine = LIST("{NodeList:/^([a-z]+)/}");
	options.n_machines = 1;
	ok(parses(jobs, options) && runs_on("node") == 2 && runs_on("thin") == 2 && runs_on("gpu") == 1 &&
		   runs_on("r") == 1 && import.passed[FT_PASSED_KINDS] == 1 && runs_on("y") == 0,
	   "a pattern in the name of each node");
	options.machine = LIST("{NodeList}");
	ok(parses(jobs, options) && runs_on("node01") == 1 && runs_on("gpu1") == 1 && !runs_on("node02") &&
		   import.passed[FT_PASSED_KINDS] == 5,
	   "each node a machine");
	options.machine = LIST("r[1-2]n[1-2]=torus", "r1n3=torus");
	options.n_machines = 2;
	ok(parses(jobs, options) && import.runs == 1 && runs_on("torus") == 1, "several brackets in a name");
	options.machine = LIST("{wall_s}");
	options.n_machines = 1;
	ok(parses(jobs, options) && import.n == 12 && runs_on("9") == 1, "any other column");
	options.machine = LIST("a=b");
	ok(refuses("n,wall_s\n1,1\n", options, FT_EINVAL, "no column 'NodeList'") &&
		   refuses(jobs, options, FT_EINVAL, "on nodes that --machine does not name (12)"),
	   "no nodes, none that is named");
	options.machine = LIST("a", "b");
	options.n_machines = 2;
	ok(refuses(jobs, options, FT_EINVAL, "a second machine"), "two names for all others");
	options.machine = LIST("{n}", "b");
	ok(refuses(jobs, options, FT_EINVAL, "allows no second machine"), "a column, and a name");
	options.machine = LIST("=b", "b");
	ok(refuses(jobs, options, FT_EINVAL, "NODES=MACHINE"), "a name without nodes");
}

/* The i-th run of the first part has that node ("": none), and a user or none. */
static bool from(size_t i, const char *node, bool user)
{
	const struct ft_run *run = &import.part[0].runs.run[i];

	return !strcmp(run->node ? run->node : "", node) && !run->user == !user;
}

static void origins(void)
{
	static const char jobs[] = "JobID|JobName|State|Elapsed|NodeList|User|n\n"
				   "1|a|COMPLETED|00:10:00|n17|alice|1\n1.batch|a|COMPLETED|00:10:00|n17||\n"
				   "2|a|COMPLETED|00:10:00|n[17-18]|bob|2\n"
				   "3|a|CANCELLED|00:00:00|None assigned|alice|3\n";
	static const char table[] = "n,wall_s,host,node,user\n1,1,h1,4,0.5\n2,2,,,\n";
	const struct ft_param param[] = {{.name = "n"}, {.name = "host"}};
	struct ft_import_options options = {.param = param, .n_params = 1, .name = "x"};

	ok(parses(jobs, options) && import.runs == 3 && from(0, "n17", true) && from(1, "n[17-18]", true) &&
		   from(2, "", true),
	   "sacct: nodes and users");
	ok(import.part[0].runs.run[2].outcome == FT_NOT_STARTED,
	   "cancelled without a node: it never started");
	ok(!strcmp(import.part[0].runs.run[0].user, import.part[0].runs.run[2].user) &&
		   strcmp(import.part[0].runs.run[0].user, import.part[0].runs.run[1].user) != 0 &&
		   !strstr(import.part[0].runs.run[0].user, "alice"),
	   "users can be told apart, and not be named");
	ok(parses(table, options) && from(0, "h1", false) && from(1, "", false),
	   "columns of a table, but no numbers: these are counts, and seconds");
	options.n_params = 2;
	ok(parses("n,wall_s,host\n1,1,7\n", options) && from(0, "", false), "nor a parameter");
	options.n_params = 1;
	options.machine = LIST("{NodeList:/^(n17)$/}");
	options.n_machines = 1;
	ok(parses(jobs, options) && from(0, "", true),
	   "where nodes are machines, nothing more is said of them");
	ft_import_clear(&import);
}

static void seconds(void)
{
	static const char bench[] = "s\th:m:s\tmax_rss\twildcards.s\n5.5\t0:00:05\t1\t16\n";
	struct ft_import_options options = {.name = "x", .size = LIST("n=s"), .n_sizes = 1};

	ok(parses(bench, options) && !strcmp(import.timed, "s"),
	   "a size that is the measured seconds is told");
	options.size = LIST("n={s:/([0-9]+)/}");
	ok(parses(bench, options) && !strcmp(import.timed, "s"), "and one that is made of them");
	options.size = LIST("n=wildcards.s");
	ok(parses(bench, options) && !*import.timed && size_of(part_of(&import, "x"), 0, 0) == 16,
	   "a wildcard of that name is none");
}

static void names(void)
{
	static const char table[] = "tool,data,n,wall_s\nfft,a,1,1\nfft,b,2,1\nsort,a,3,1\n";

	ok(parses(table, (struct ft_import_options){.by = "tool"}) && import.n == 2 &&
		   part_of(&import, "fft")->runs.n == 2 &&
		   part_of(&import, "sort")->program.param[0].least == 3,
	   "by a column");
	ok(parses(table, (struct ft_import_options){.by = "tool", .name = "my"}) &&
		   part_of(&import, "my-fft")->runs.n == 2,
	   "by a column, with a name before it");
	ok(parses(table, (struct ft_import_options){.name = "{data}/{tool}"}) && import.n == 3 &&
		   part_of(&import, "b/fft")->runs.n == 1,
	   "a template");
	ok(refuses(table, (struct ft_import_options){0}, FT_EINVAL, "does not name its program") &&
		   refuses(table, (struct ft_import_options){.name = "{x}"}, FT_EINVAL, "no column 'x'"),
	   "no name, no column");
	ok(parses("# name: fft\n# where: n < 9\n# work: n^2\n# method: gbbp\n# machine: 0123456789abcdef\n# "
		  "host: h\nn,wall_s\n1,1\n",
		  (struct ft_import_options){0}) &&
		   !strcmp(part_of(&import, "fft")->program.where, "n < 9") &&
		   !strcmp(part_of(&import, "fft")->program.work, "n^2") &&
		   !strcmp(part_of(&import, "fft")->program.method, "gbbp") &&
		   !strcmp(import.machine.fingerprint, "0123456789abcdef") &&
		   !strcmp(import.machine.host, "h"),
	   "what foretime's own tables say");
	ok(parses("# foretime: runs 1\n# name: a\n# counters: hits\nn,wall_s,hits,misses\n1,1,7,8\n",
		  (struct ft_import_options){0}) &&
		   value_of(part_of(&import, "a"), 0, named("hits")) == 7 &&
		   isnan(value_of(part_of(&import, "a"), 0, named("misses"))),
	   "and the counters that they name");
	ok(parses("# counters: n\nn,cycles\n2,1\n", (struct ft_import_options){.name = "a"}) &&
		   isnan(value_of(part_of(&import, "a"), 0, named("n"))) &&
		   value_of(part_of(&import, "a"), 0, &ft_cycles) == 1,
	   "but a parameter is no counter");
	ok(parses("JobID|JobName|Elapsed|State\n1|fft-64|01:00|COMPLETED\n2|64-sort|01:00|COMPLETED\n3|a_64_"
		  "b|01:00|COMPLETED\n"
		  "4|64|01:00|COMPLETED\n5|-x64|01:00|COMPLETED\n",
		  (struct ft_import_options){.size = LIST("n=JobName:/(\\d+)/"), .n_sizes = 1}) &&
		   part_of(&import, "fft")->runs.n && part_of(&import, "sort")->runs.n &&
		   part_of(&import, "a_b")->runs.n && part_of(&import, "64")->runs.n &&
		   part_of(&import, "_x")->runs.n,
	   "names without the sizes in them; none begins with '-'");
}

static void values(void)
{
	struct ft_import_options options = {
		.name = "x", .value = LIST("wall_s=t:ms", "peak_rss_bytes=m:MiB"), .n_values = 2};

	ok(parses("n,t,m\n1,500,2\n2,-,\n3,1.5s,4 GiB\n",
		  (struct ft_import_options){.name = "x", .value = options.value, .n_values = 2}) &&
		   import.runs == 2 && import.passed[FT_PASSED_BROKEN] == 1 &&
		   strstr(import.broken.text, "f:3: a run that ended well, and no value"),
	   "a run that ended well, and has no value at all");
	ok(parses("n,t,m\n1,500,2\n3,1.5s,4 GiB\n", options) &&
		   value_of(part_of(&import, "x"), 0, &ft_wall_s) == 0.5 &&
		   value_of(part_of(&import, "x"), 0, &ft_peak_rss_bytes) == 0x1p21 &&
		   value_of(part_of(&import, "x"), 1, &ft_wall_s) == 1.5 &&
		   value_of(part_of(&import, "x"), 1, &ft_peak_rss_bytes) == 0x1p32,
	   "units of columns, and of cells");
	options.value = LIST("wall_s=h:m:s");
	options.n_values = 1;
	ok(parses("n,h:m:s\n1,1:30:00\n", options) && value_of(part_of(&import, "x"), 0, &ft_wall_s) == 5400,
	   "a colon in the name of a column");
	options.value = LIST("speed=t");
	ok(refuses("n,t\n1,1\n", options, FT_EPARSE, "no resource of that name"), "a resource that is none");
	options.value = LIST("wall_s=u");
	ok(refuses("n,t\n1,1\n", options, FT_EINVAL, "no column 'u'"), "a column that is none");
	options.value = LIST("energy_j=t:kWh");
	ok(refuses("n,t\n1,1e305\n", options, FT_EINVAL, "beyond the largest number"), "a value without end");
	options.value = LIST("wall_s=t");
	ok(refuses("n,t\n1,red\n", options, FT_EINVAL, "f:2: column 2 (t): not a value"),
	   "a cell that is none");
}

static void bad_input(void)
{
	static const struct ft_import_options x = {.name = "x"};
	static const struct {
		const char *text, *words;
		enum ft_status status;
	} bad[] = {
		{"", "is empty", FT_ENOTOURS},
		{"{", "an unknown format", FT_ENOTOURS},
		{"<html>", "an unknown format", FT_ENOTOURS},
		{"n,wall_s\n1,-1\n", "f:2: column 2 (wall_s): not above zero: '-1'", FT_EINVAL},
		{"n,wall_s\n1,0\n", "f:2: column 2 (wall_s): not above zero: '0'", FT_EINVAL},
		{"n,wall_s\n1,nan\n", "f:2: a run that ended well, and no value", FT_EINVAL},
		{"n,wall_s,cpu_s\n1,1,-2\n", "f:2: column 3 (cpu_s): a negative value: '-2'", FT_EINVAL},
		{"n,wall_s\n2\n", "f:2: column 2: the row has 1 cell", FT_EPARSE},
		{"n,wall_s\n1,\"1\n", "f:2: column 2: a quote is not closed", FT_EPARSE},
		{"n,wall_s\n", "has no runs", FT_EINVAL},
		{"n,wall_s,outcome\n1,1,great\n", "f:2: column 3 (outcome): not an outcome", FT_EINVAL},
		{"n,wall_s,started\n1,1,noon\n", "f:2: column 3 (started): not a moment", FT_EINVAL},
		{"n,wall_s,work\n1,1,0\n", "f:2: column 3 (work): not above zero", FT_EINVAL},
		{"s\th:m:s\tmax_rss\nx\t0\t1\n", "no column 'n'", FT_EINVAL},
		{"n\ts\th:m:s\tmax_rss\n1\tx\t0\t1\n", "f:2: column 2 (s): cannot be read: 'x'", FT_EINVAL},
		{"n\ts\th:m:s\tmax_rss\n1\t-1\t0\t1\n", "f:2: column 2 (s): not above zero: '-1'", FT_EINVAL},
		{"n\ts\th:m:s\tmax_rss\n1\t1\t0\t1e9\n", "f:2: column 4 (max_rss): more memory than",
		 FT_EINVAL},
		{"n\ttask_id\trealtime\n1\t1\t3 weeks\n", "f:2: column 3 (realtime): cannot be read",
		 FT_EINVAL},
		{"JobID|State|n|Elapsed\n1|COMPLETED|1|soon\n", "f:2: column 4 (Elapsed): cannot be read",
		 FT_EINVAL},
		{"JobID|State|n|Elapsed\n1|RUNNING|1|01:00\n", "that had not ended (1)", FT_EINVAL},
		{"{\"results\": [\n{\"command\": \"x\", \"times\": [1, 2,]}]}", "f:2: column 3", FT_EPARSE},
		{"{\"results\": [{\"command\": \"x\", \"parameters\": {\"n\": \"1\"},\n\"times\": [-2]}]}",
		 "f:1: results[0]: times[0]: not above zero: '-2'", FT_EINVAL},
		{"{\"results\": [{\"command\": \"x\"}]}", "f:1: results[0]: times: there is no list",
		 FT_EINVAL},
		{"{\"results\": [], \"command\": 1}", "has no runs", FT_EINVAL},
		{"{\"context\": {}, \"benchmarks\": [\n{\"name\": \"a/1\", \"real_time\": -1, \"time_unit\": "
		 "\"ns\"}]}",
		 "f:2: a/1: real_time: not above zero", FT_EINVAL},
		{"{\"context\": {}, \"benchmarks\": [\n{\"name\": \"a/1\", \"real_time\": 1, \"time_unit\": "
		 "\"weeks\"}]}",
		 "f:2: a/1: time_unit: neither", FT_EINVAL},
		{"PARAMETER n\nPOINTS 1 2\nREGION a\nMETRIC time\nDATA 1\n",
		 "fewer DATA than there are points", FT_EPARSE},
		{"PARAMETER n\nPOINTS 1\nREGION a\nMETRIC time\nDATA 1\nDATA 1\n", "f:6: column 1: more DATA",
		 FT_EPARSE},
		{"PARAMETER n m\nPOINTS (1 2) (3)\n", "f:2: column 8: points without", FT_EPARSE},
		{"PARAMETER n\nPOINTS 1\nREGION a\nMETRIC time\nDATA 1 x\n", "f:5: column 8: not a number",
		 FT_EPARSE},
		{"PARAMETER n\nPOINTS 1\nREGION a\nMETRIC time\nDATA 0\n", "not above zero", FT_EINVAL},
		{"PARAMETER n\nPOINTS 1\nCOLOUR a\n", "f:3: column 1: neither PARAMETER", FT_EPARSE},
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(refuses(bad[i].text, x, bad[i].status, bad[i].words), "refused: %s", bad[i].words);
	ok(refuses("n,wall_s,peak_rss_bytes\n1,1,3e10\n",
		   (struct ft_import_options){.name = "x", .memory_bytes = 24 * 0x1p30}, FT_EINVAL,
		   "the machine has (24.0 GiB)"),
	   "more memory than the machine has");
	ok(parses("n,wall_s,peak_rss_bytes\n1,1,3e10\n",
		  (struct ft_import_options){.name = "x", .memory_bytes = 32 * 0x1p30}),
	   "and accepted where it has it");
	ok(ft_import_read(&import, "/nowhere", &x, NULL) == FT_ENOENT && !import.part && !import.machine.host,
	   "a file that is not there; what was read before is gone too");
}

/* Cells as spreadsheets and people write them; nothing is taken for what it may not be. */
static void typed_cells(void)
{
	static const struct ft_import_options x = {.name = "x"};
	static const struct {
		const char *text;
		double n, wall_s, peak; /* n NaN: refused */
	} table[] = {
		{"n,wall_s,peak_rss_bytes\n10K,1-00:42:00,1.5 GiB\n", 1e4, 88920, 1.5 * 0x1p30},
		{"n,wall_s,peak_rss_bytes\n\"1,234\",10m30s,64 MB\n", 1234, 630, 64e6},
		{"n;wall_s;peak_rss_bytes\n1,234,567;1h 30m;7\n", 1234567, 5400, 7},
		{"n,wall_s,peak_rss_bytes\n64KiB,10:30,1\n", 65536, 630, 1},
		{"n,wall_s,peak_rss_bytes\n10MB,PT1H,1k\n", 1e7, 3600, 1024},
		{"n,wall_s,peak_rss_bytes\n1_000_000,2,1\n", 1e6, 2, 1},
		{"n;wall_s;peak_rss_bytes\n1,234;2;1\n", NAN, 0, 0},
		{"n;wall_s;peak_rss_bytes\n5;1,234;1\n", NAN, 0, 0},
		{"n,wall_s,peak_rss_bytes\n5,\"1,234\",1\n", NAN, 0, 0},
		{"n,wall_s,peak_rss_bytes\n5,5 MB,1\n", NAN, 0, 0},
		{"n,wall_s,peak_rss_bytes\n5,1,1h\n", NAN, 0, 0},
		{"n,wall_s,peak_rss_bytes\n10m,1,1\n", NAN, 0, 0},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {

		struct ft_err err = {0};
		const bool read =
			!ft_import_parse(&import, "f", table[i].text, strlen(table[i].text), &x, &err);
		const struct ft_run *run = read ? &import.part[0].runs.run[0] : NULL;

		if (isnan(table[i].n))
			ok(!read && *err.remedy, "refused: %s", err.text);
		else
			ok(read && run->size.value[0] == table[i].n &&
				   ft_run_value(run, &ft_wall_s) == table[i].wall_s &&
				   ft_run_value(run, &ft_peak_rss_bytes) == table[i].peak,
			   "a cell of %.0f, %.0f s and %.0f bytes %s", table[i].n, table[i].wall_s,
			   table[i].peak, err.text);
		ft_import_clear(&import);
	}
}

/* What one row, value or element has wrong costs the others nothing. */
static void partly_bad(void)
{
	static const struct ft_import_options x = {.name = "x"};
	static const char one[] = "{\"params\": {\"n\": 1}, \"value\": 1, \"metric\": \"time\"}\n";
	static const struct {
		const char *text, *words;
		size_t runs, rows;
	} bad[] = {
		{"n,wall_s\n1,1\n2,soon\n3,3\n", "f:3: column 2 (wall_s): not a duration: 'soon'", 2, 1},
		{"n,wall_s\n-,1\n2,2\n", "f:2: column 1 (n): the size is not a number: '-'", 1, 1},
		{"n,wall_s\n1,1\nn,wall_s\n2,2\n", "f:3: column 1 (n): the size is not a number: 'n'", 2, 1},
		{"n,wall_s\n1,1\n2\n3,3,3\n4,4\n5,", "f:3: column 2: the row has 1 cell", 2, 3},
		{"n,wall_s\n1,1\n2,\"2\n3,3\n4,\"4\"\n5,5\n", "f:3: column 2: a quote in the middle", 4, 1},
		{"n,wall_s\n1,1\n2,\"2\n3,3\n4,4", "f:3: column 2: a quote is not closed", 3, 1},
		{"n,wall_s\n1,1\n\"2,\n\"3,\n4,4\n", "f:3: column", 2, 2},
		{"n,wall_s,outcome\n1,1,great\n2,2,NA\n3,3,done\n", "f:2: column 3 (outcome): not an outcome",
		 2, 1},
		{"n\ts\th:m:s\tmax_rss\n1\tx\t0\t1\n2\t2\t0\t1\n", "f:2: column 2 (s): cannot be read: 'x'",
		 1, 1},
		{"n\ttask_id\trealtime\n1\t1\t3 weeks\n-\t2\t1s\n3\t3\t1s\n",
		 "f:2: column 3 (realtime): cannot be read", 1, 2},
		{"JobID|State|n|Elapsed|MaxRSS\n1|COMPLETED|1|INVALID|\n1.0|COMPLETED||01:00|1M\n"
		 "2|COMPLETED|2|02:00|\n2.0|COMPLETED||02:00|1M\n",
		 "f:2: column 4 (Elapsed): cannot be read", 1, 1},
		{"JobID|State|n|Elapsed|MaxRSS\n1|COMPLETED|1|01:00|\n1.0|COMPLETED||01:00|40T\n",
		 "f:3: column 5 (MaxRSS): more memory than", 1, 1},
		{"JobID|State|n|Elapsed\n1|COMPLETED|1\n1.0|COMPLETED||01:00\n2|DONE|1|01:00\n"
		 "3|COMPLETED|1|01:00\n",
		 "f:2: column 4: the row has 3 cells", 1, 3},
		{"{\"results\": [{\"command\": \"x\", \"parameters\": {\"n\": \"1\"},\n\"times\": [1, -2, "
		 "null, 3]}]}",
		 "f:1: results[0]: times[1]: not above zero: '-2'", 2, 2},
		{"{\"results\": [{\"command\": \"x\", \"parameters\": {\"n\": \"1\"}, \"times\": [1]}",
		 "f:1: column 70: an element ends here", 1, 1},
		{"{\"results\": [{\"command\": \"x\", \"times\": [1]},\n"
		 "{\"command\": \"x\", \"parameters\": {\"n\": \"1\"}, \"times\": [1]}]}",
		 "f:1: results[0]: there is no field 'n' for its size; there are command", 1, 1},
		{"{\"results\": [{\"command\": \"x\", \"parameters\": {\"n\": 1}, \"times\": [1e999]}, "
		 "{\"command\": \"x\", \"parameters\": {\"n\": 1}, \"times\": [2]}]}",
		 "f:1: column", 1, 1},
		{"{\"results\": [\n {\"command\": \"x\", \"parameters\": {\"n\": 1}, \"times\": [1\n"
		 " {\"command\": \"x\", \"parameters\": {\"n\": 1}, \"times\": [2]}]}",
		 "f:3: column", 1, 1},
		{"{\"context\": {}, \"benchmarks\": [\n{\"name\": \"a\", \"real_time\": 1, \"time_unit\": "
		 "\"s\"},\n"
		 "{\"name\": \"a/1\", \"real_time\": 1, \"time_unit\": \"s\"}]}",
		 "f:2: a: there is no field 'n'", 1, 1},
		{"PARAMETER n\nPOINTS 1 2\nREGION a\nMETRIC time\nDATA 1 x\nDATA 2 3\n",
		 "f:5: column 8: not a number", 2, 1},
		{"PARAMETER n\nPOINTS 1 2\nREGION a\nMETRIC time\nDATA 1\nREGION b\nMETRIC time\nDATA "
		 "1\nDATA 2\n",
		 "f:5: column 1: fewer DATA", 2, 1},
		{"PARAMETER n\nPOINTS 1 2\nREGION a\nMETRIC time\nDATA 1\nDATA 2\nRGION b\nMETRIC time\nDATA "
		 "8\n"
		 "DATA 9\n",
		 "f:7: column 1: neither", 2, 1},
	};
	char text[400];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(leaves_out(bad[i].text, x, bad[i].runs, bad[i].rows, bad[i].words), "left out: %s",
		   bad[i].words);
	(void)snprintf(text, sizeof text, "%s{\"params\": 1, \"value\": 2}\n%s", one, one);
	ok(leaves_out(text, x, 2, 1, "f:2: params: there is no object"),
	   "left out: a line without parameters");
	(void)snprintf(text, sizeof text,
		       "{\"params\": {\"n\": 1}, \"value\": 1}\n"
		       "{\"params\": {\"n\": 1}, \"callpath\": \"a\", \"value\": 2, \"metric\": \"time\"}\n");
	ok(leaves_out(text, (struct ft_import_options){0}, 1, 1, "f:1: it does not name its program"),
	   "left out: a line without a name, where others have one");
	(void)snprintf(text, sizeof text, "%s{\"params\": {\"n\": 1}, \"va\n%s", one, one);
	ok(leaves_out(text, x, 2, 1, "f:2: column"), "left out: a line that is cut short");
	(void)snprintf(text, sizeof text,
		       "%s{\"params\": {\"m\": 1}, \"value\": 2, \"metric\": \"time\"}\n%s", one, one);
	ok(leaves_out(text, x, 2, 1, "f:2: other parameters"), "left out: a line of other parameters");
	(void)snprintf(text, sizeof text,
		       "{\"params\": {\"n\": 1}, \"value\": [1, null, 3], \"metric\": \"time\"}\n%s", one);
	ok(leaves_out(text, x, 3, 1, "f:1: value: neither a number"), "left out: one of several values");
}

/* Files among several. */
static void bad_files(void)
{
	static const char good[] = "n,wall_s\n1,1\n", *const bad[] = {"", "<html>", "n,wall_s\n",
								      "n,colour\n1,red\n", "n,wall_s\n1,x\n"};
	struct ft_import_options options = {.name = "x", .several = true};
	struct ft_err err = {0};

	ft_import_clear(&import);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!parse(&import, bad[i], &options, &err) && !*err.text,
		   "of several files this one is left out");
	ok(import.files_left_out == 3 && strstr(import.file.text, "'f' is empty") &&
		   import.passed[FT_PASSED_BROKEN] == 2 &&
		   strstr(import.broken.text, "no column of a resource"),
	   "and all are counted, %zu files and %zu rows", import.files_left_out,
	   import.passed[FT_PASSED_BROKEN]);
	ok(!parse(&import, good, &options, &err) && import.runs == 1 && !strcmp(import.format->name, "csv"),
	   "a good one is taken");
	options.several = false;
	ft_import_clear(&import);
	options.several = true;
	(void)parse(&import, bad[0], &options, &err);
	options.several = false;
	ok(parse(&import, bad[4], &options, &err) == FT_ENOTOURS && strstr(err.text, "is empty") &&
		   !import.part,
	   "where none is, the first reason is told");
	options.several = options.strict = true;
	ok(!parse(&import, good, &options, &err) && parse(&import, bad[0], &options, &err) == FT_ENOTOURS &&
		   !import.part,
	   "all or nothing, where that is wanted");
}

/* Values that cannot be: the run stays, and they are not in it. */
static void doubtful(void)
{
	struct ft_import_options options = {.name = "x", .processors = 2};
	struct ft_err err = {0};

	ok(parses("n,wall_s,cpu_s,user_s\n1,10,19,19\n2,10,25,1\n3,10,20.5,20\n", options) &&
		   import.runs == 3 && import.doubtful == 2 &&
		   strstr(import.doubted, "f:3: cpu_s: 25.0 s of processor time in 10.0 s on 2 processors"),
	   "more processor time than the processors had: %s", import.doubted);
	const struct ft_imported *part = part_of(&import, "x");
	ok(value_of(part, 0, &ft_cpu_s) == 19 && isnan(value_of(part, 1, &ft_cpu_s)) &&
		   value_of(part, 1, &ft_wall_s) == 10 && value_of(part, 2, &ft_cpu_s) == 20.5,
	   "it alone is left out");
	options.strict = true;
	ok(parse(&import, "n,wall_s,cpu_s\n2,10,25\n", &options, &err) == FT_EINVAL, "or refused");
	options = (struct ft_import_options){.name = "x"};
	ok(parses("n,threads,wall_s,cpu_s\n1,4,10,39\n2,4,10,50\n", options) && import.doubtful == 1 &&
		   parses("n,wall_s,cpu_s\n1,10,500\n", options) && !import.doubtful,
	   "on as many as a column says; nobody knows of how many");
	ok(parses("# foretime: runs 1\n# name: a\nn,threads,wall_s,cpu_s\n2,4,10,50\n", options) &&
		   !import.doubtful && value_of(import.part, 0, &ft_cpu_s) == 50,
	   "what foretime exports is taken as it is");
	ok(parses("JobID|State|n|Elapsed|TotalCPU|AllocCPUS\n1|COMPLETED|1|00:10|00:20|2\n"
		  "2|COMPLETED|2|00:10|00:22|2\n3|COMPLETED|3|10:00|21:30|2\n",
		  options) &&
		   import.runs == 3 && import.doubtful == 1 && strstr(import.doubted, "f:4: cpu_s"),
	   "sacct: what was allocated, and whole seconds");
	ok(parses("{\"results\": [{\"command\": \"x\", \"parameters\": {\"n\": 1}, \"times\": [1, 0.9, 1.1], "
		  "\"mean\": 1, "
		  "\"user\": 1.9, \"system\": 0.1}]}",
		  (struct ft_import_options){.processors = 2}) &&
		   !import.doubtful && value_of(import.part, 0, &ft_cpu_s) == 2,
	   "hyperfine: a mean is compared to a mean");
	ok(parses("JobID|State|n|Elapsed|TotalCPU|MaxRSS|AllocCPUS\n1|COMPLETED|1|05:00|00:00|1.2M|1\n"
		  "2|COMPLETED|2|05:00|04:00|1.2M|1\n3|COMPLETED|3|05:00|00:00|2G|1\n4|COMPLETED|4|00:30|00:"
		  "00|1M|1\n"
		  "5|COMPLETED|5|05:00||1M|1\n",
		  options) &&
		   import.runs == 5 && import.doubtful == 1 &&
		   strstr(import.doubted, "f:2: peak_tree_bytes: no processor time in 5 min 00 s"),
	   "minutes without processor time, and the memory of a shell: %s", import.doubted);
	ok(parses("s\th:m:s\tmax_rss\tcpu_time\tn\n300\t0:05:00\t3.5\t0.00\t1\n", options) &&
		   import.doubtful == 1 && value_of(part_of(&import, "x"), 0, &ft_wall_s) == 300 &&
		   isnan(value_of(part_of(&import, "x"), 0, &ft_peak_tree_bytes)),
	   "snakemake: too");
	ok(parses("n,wall_s,cpu_s,peak_rss_bytes\n1,300,0,4e6\n", options) && import.doubtful == 2,
	   "and a table");
}

/* Columns of texts, within one size. */
static void mixed(void)
{
	struct ft_import_options options = {.name = "x"};
	char many[2000] = "n,job,wall_s\n";
	size_t length = strlen(many), i;

	ok(parses("n,kind,wall_s\n1,a,1\n2,a,2\n1,b,9\n2,b,18\n", options) && !strcmp(import.mixed, "kind"),
	   "runs of one size that differ in a text are told");
	options.size = LIST("n=n");
	options.n_sizes = 1;
	ok(parses("n,kind,wall_s,cc\n1,a,1,gcc\n1,b,9,clang\n", options) && !strcmp(import.mixed, "kind, cc"),
	   "all columns; a parameter that is named changes nothing");
	options = (struct ft_import_options){.by = "kind"};
	ok(parses("n,kind,wall_s\n1,a,1\n2,a,2\n1,b,9\n2,b,18\n", options) && import.n == 2 && !*import.mixed,
	   "a program for each: nothing is");
	options = (struct ft_import_options){.name = "x"};
	ok(parses("n,kind,wall_s,outcome,host,mem\n1,a,1,done,h,2 GB\n2,b,2,failed,h,3 GB\n1,a,9,done,g,4 "
		  "GB\n"
		  "1,-,9,done,h,5 GB\n",
		  options) &&
		   !*import.mixed,
	   "texts that differ with the size, quantities, nodes, no text");
	ok(!parse(&import, "n,kind,wall_s\n2,d,2\n", &options, NULL) &&
		   !parse(&import, "n,kind,wall_s\n2,e,2\n", &options, NULL) && !strcmp(import.mixed, "kind"),
	   "and those of several files");
	options.size = LIST("n=JobName:/_(\\d+)/");
	options.n_sizes = 1;
	ok(parses("JobID|JobName|State|Elapsed\n1|lu_8|COMPLETED|10:00\n2|lu_9|COMPLETED|10:00\n3|lu_8|"
		  "COMPLETED|11:00\n",
		  options) &&
		   !*import.mixed &&
		   parses("JobID|JobName|State|Elapsed\n1|lu_8|COMPLETED|10:00\n2|cg_8|COMPLETED|20:00\n",
			  options) &&
		   !strcmp(import.mixed, "JobName"),
	   "programs of other formats under one name, but for the size in theirs");
	options.n_sizes = 0;
	for (i = 0; i < 60; i++)
		length += (size_t)snprintf(many + length, sizeof many - length, "%zu,job-%zu,1\n", i % 3, i);
	ok(parses(many, options) && import.runs == 60 && !*import.mixed,
	   "a text for each run is a number of it");
}

/* Ends after so many calls. */
static bool stop(void *ctx, size_t runs, double share)
{
	int *left = ctx;

	(void)runs;
	return share >= 0 && share <= 1 && (*left)-- > 0;
}

static void progress(void)
{
	size_t length = 0, size = 200000;
	char *text = malloc(size);
	struct ft_err err = {0};
	int left = 2;

	if (!text)
		return;
	length += (size_t)snprintf(text, size, "n,wall_s\n");
	for (size_t i = 0; i < 15000; i++)
		length += (size_t)snprintf(text + length, size - length, "%zu,1\n", i + 1);
	ft_import_clear(&import);
	ok(ft_import_parse(&import, "f", text, length,
			   &(struct ft_import_options){.name = "x", .progress = stop, .ctx = &left},
			   &err) == FT_EINTR &&
		   !import.part,
	   "told now and then, and ended");
	left = 100;
	ok(!ft_import_parse(&import, "f", text, length,
			    &(struct ft_import_options){.name = "x", .progress = stop, .ctx = &left}, &err) &&
		   import.runs == 15000 && left == 97,
	   "every 4096 rows");
	free(text);
}

/* Takes all that is held; fails once a number of times is over. */
struct taker {
	size_t calls, most, taken, held_most;
};

static enum ft_status take(void *ctx, struct ft_import *read, struct ft_err *err)
{
	struct taker *taker = ctx;
	size_t held = 0;

	for (size_t i = 0; i < read->n; i++) {
		held += read->part[i].runs.n;
		ft_runs_clear(&read->part[i].runs);
	}
	taker->taken += held;
	taker->held_most = held > taker->held_most ? held : taker->held_most;
	return ++taker->calls <= taker->most ? FT_OK : ft_fail(err, FT_ENOSPC, "no room");
}

static void portions(void)
{
	const char *text = "program,n,wall_s\na,5,1\na,9,1\nb,7,1\nb,3,1\na,1,1\nb,30,1\na,2,1\n";
	struct taker taker = {.most = 10};
	struct ft_import_options options = {.by = "program", .take = take, .ctx = &taker, .portion = 3};
	struct ft_err err = {0};

	ft_import_clear(&import);
	ok(!ft_import_parse(&import, "f", text, strlen(text), &options, &err) && taker.calls == 2 &&
		   taker.taken == 6 && taker.held_most == 3 && import.runs == 7 && import.n == 2,
	   "seven runs in portions of three: two are taken, the rest is held");
	ok(part_of(&import, "a")->runs.n == 1 && part_of(&import, "a")->met == 4 &&
		   !part_of(&import, "b")->runs.n,
	   "one is left");
	ok(part_of(&import, "a")->program.param[0].least == 1 &&
		   part_of(&import, "a")->program.param[0].most == 9 &&
		   part_of(&import, "b")->program.param[0].least == 3 &&
		   part_of(&import, "b")->program.param[0].most == 30,
	   "the ranges are those of all runs");
	ft_import_clear(&import);
	taker = (struct taker){.most = 1};
	ok(ft_import_parse(&import, "f", text, strlen(text), &options, &err) == FT_ENOSPC && !import.part &&
		   taker.calls == 2,
	   "a portion that cannot be taken ends the reading: %s", err.text);
}

/* Runs in portions that were stored before: each stored one is found once. */
static void matches(void)
{
	struct ft_runs runs = {0}, stored = {0};
	size_t dropped;

	for (size_t i = 0; i < 5; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){1, {i < 3 ? 1 : 2}};
		(void)ft_run_add(&run, &ft_wall_s, 1, FT_MEASURED, "x", NULL, NULL);
		run.id = (int64_t)i + 1;
		(void)ft_runs_take(i == 0 || i == 3 ? &stored : &runs, &run, NULL);
	}
	ok(!ft_import_match(&runs, &stored, &dropped, NULL) && dropped == 2 && runs.n == 1 && !stored.n,
	   "two of three are known, and no stored one is left");
	ok(!ft_import_match(&runs, &stored, &dropped, NULL) && !dropped && runs.n == 1,
	   "none is known twice");
	ft_runs_clear(&runs);
	ft_runs_clear(&stored);
}

int main(void)
{
	portions();
	matches();
	sizes();
	file_sizes();
	patterns();
	machines();
	origins();
	seconds();
	names();
	values();
	bad_input();
	typed_cells();
	partly_bad();
	bad_files();
	doubtful();
	mixed();
	progress();
	ft_import_clear(&import);
	temp_remove();
	return done();
}
