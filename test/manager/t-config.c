/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-config.c - configurations: both formats, what is refused and how it is told. */
#include "base/alloc.h"
#include "config-print.h"
#include "tap.h"

#include <time.h>
#include <unistd.h>

static enum ft_status parse(struct ft_manager_config *config, const char *text, struct ft_err *err)
{
	return ft_manager_config_parse(config, "m.conf", text, strlen(text), err);
}

/* A configuration as it is printed; heap. NULL: it is refused. */
static char *printed(const char *text, struct ft_err *err)
{
	struct ft_manager_config config;
	struct ft_text out = {0};

	if (parse(&config, text, err))
		return NULL;
	config_print(&config, &out);
	ft_manager_config_clear(&config);
	return ft_text_take(&out);
}

static char *source_file(const char *name)
{
	char path[4096], *text;
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/%s", getenv("FORETIME_TEST_SOURCE"), name);
	file = fopen(path, "r");
	text = calloc(1, 1 << 16);
	size_t length = file && text ? fread(text, 1, (1 << 16) - 1, file) : 0;
	ok(length > 0, "%s is there", name);
	if (file)
		(void)fclose(file);
	return text;
}

/* ---- what is read ------------------------------------------------------------------------------------ */

static const char document[] =
	"load_monitor = { load_path = \"/var/pmm/loadhistory\"; write_period = 60; history_size = 60; };\n"
	"policies = ( { when = \"sat-sun\" } );\n"
	"problems = ( {\n"
	"  name = \"darkmatter\";\n"
	"  command = \"/usr/lib/pmm/darkmatter\";\n"
	"  model_path = \"/var/pmm/darkmatter_model\";\n"
	"  parameters = [ \"nx=32:226\", \"np=20:226\" ];\n"
	"  where = \"(nx - np) >= 0\";\n"
	"  priority = 30;\n"
	"  method = \"gbbp\"; reps_least = 3; reps_time = \"1m\";\n"
	"  policies = (\n"
	"    { time = \"now\"; conditions = ( \"user_login\", { type = \"halt_file\"; path = "
	"\"/tmp/.pmm_halt\" } ) },\n"
	"    { when = \"hour 22-5\"; conditions = ( { type = \"load_threshold\"; threshold = 0.5 } ) }\n"
	"  );\n"
	"} );\n";

/* 001 Figure 4 in both formats. */
static void test_document(void)
{
	char *xml = source_file("examples/pmm.xml"), *from_xml, *from_conf, *again;
	struct ft_err err = {0};

	from_xml = printed(xml, &err);
	if (!ok(from_xml, "the document's XML is read"))
		diag("%s", err.text);
	from_conf = printed(document, &err);
	if (!ok(from_conf, "so is the same as a manager.conf"))
		diag("%s", err.text);
	if (!ok(from_xml && from_conf && !strcmp(from_xml, from_conf), "both mean the same"))
		diag("%s\n%s", from_xml, from_conf);
	again = from_xml ? printed(from_xml, &err) : NULL;
	if (!ok(again && !strcmp(again, from_xml), "as what is printed of it does"))
		diag("%s", again ? again : err.text);
	free(xml);
	ft_free(from_xml);
	ft_free(from_conf);
	ft_free(again);
}

static void test_example(void)
{
	char *text = source_file("examples/manager.conf");
	struct ft_manager_config c;
	struct ft_err err = {0};

	if (!ok(!parse(&c, text, &err), "the example is read"))
		diag("%s", err.text);
	ok(c.n_problems == 2 && c.policies.n == 1 && c.policies.policy[0].n_windows == 2 &&
		   c.policies.policy[0].n_conditions == 4 && c.order == FT_ORDER_GAIN,
	   "two problems, one policy for all");
	ok(c.n_problems == 2 && c.problem[0].memory_bytes == 8 * 0x1p30 && c.problem[0].contract &&
		   c.problem[0].program.argc == 2 && !strcmp(c.problem[0].program.argv[1], "{n}") &&
		   c.problem[0].program.param[0].stride == 64 &&
		   c.problem[0].builder == ft_builder_type_get(0),
	   "dgemm as it is written");
	ok(c.n_problems == 2 && c.problem[1].priority == 30 && c.problem[1].budget_s == 7200 &&
		   c.problem[1].policies.n == 2 && c.problem[1].policies.policy[1].conditions[0].only,
	   "darkmatter too");
	ft_manager_config_clear(&c);
	ft_manager_config_clear(&c);
	free(text);
}

/* All fields of PMM's released code. */
static const char released[] =
	"<config><main_sleep_period>1</main_sleep_period><model_write_time_threshold>60</"
	"model_write_time_threshold>"
	"<model_write_execs_threshold>10</model_write_execs_threshold>"
	"<load_monitor><load_path>/l</load_path><write_period>5</write_period><history_size>9</"
	"history_size></load_monitor>"
	"<routine><name>dgemm</name><exe_path>/bin/dgemm</exe_path><exe_args>-q  "
	"fast</exe_args><model_path>/m</model_path>"
	"<parameters><n_p>2</n_p>"
	"<param><order>1</order><name>k</name><start>1</start><end>99</end><stride>10</stride><offset>5</"
	"offset><nonzero_end>no</nonzero_end></param>"
	"<param><order>0</order><name>n</name><min>64</min><max>512</max></param>"
	"<param_constraint><formula>n*k</formula><min>10</min><max>4000</max></param_constraint></parameters>"
	"<condition>nousers</condition><priority>7</priority>"
	"<construction><method>naive_bisect</method><min_sample_num>2</min_sample_num><min_sample_time>30</"
	"min_sample_time>"
	"<max_completion>40</max_completion></construction></routine></config>";

static void test_released(void)
{
	struct ft_manager_config c;
	struct ft_err err = {0};

	if (!ok(!parse(&c, released, &err) && c.n_problems == 1, "PMM's own file is read")) {
		diag("%s", err.text);
		return;
	}
	const struct ft_manager_problem *p = &c.problem[0];
	ok(c.load_history == 9 && c.load_period_s == 5, "its load monitor");
	ok(p->program.argc == 5 && !strcmp(p->program.argv[1], "-q") && !strcmp(p->program.argv[3], "{n}") &&
		   !strcmp(p->program.argv[4], "{k}"),
	   "sizes are arguments in their order");
	ok(p->program.param[1].least == 5 && p->program.param[1].stride == 10 &&
		   p->program.param[1].most == 99,
	   "values lie on steps from an offset on");
	ok(!strcmp(p->program.where, "(n*k) >= 10 && (n*k) <= 4000"),
	   "a formula and its bounds are a constraint");
	ok(p->end_zero && p->points == 40 && p->reps_least == 2 && p->reps_limit_s == 30 &&
		   p->priority == 7 && !strcmp(p->builder->name, "naive_bisect"),
	   "its construction");
	ok(p->policies.n == 1 && p->policies.policy[0].time == FT_TIME_NOW &&
		   p->policies.policy[0].conditions[0].kind == FT_CONDITION_USER_LOGIN,
	   "'nousers' is a condition");
	ft_manager_config_clear(&c);
}

static void test_methods(void)
{
	static const char *const methods[] = {"gbbp", "naive",      "naive_bisect",
					      "rand", "gbbp_naive", "adaptive"};

	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		struct ft_manager_config c;
		char text[300];

		(void)snprintf(text, sizeof text,
			       "problems = ( { name = \"p\"; command = \"p\"; parameters = \"n=1:9\"; method "
			       "= \"%s\" } )",
			       methods[i]);
		ok(!parse(&c, text, NULL) && !strcmp(c.problem[0].builder->name, methods[i]), "method %s",
		   methods[i]);
		ft_manager_config_clear(&c);
	}
}

/* ---- what is refused --------------------------------------------------------------------------------- */

#define PROBLEM(more) "problems = ( {\n name = \"p\"; command = \"p\"; parameters = \"n=1:9\";\n" more " } )"
#define POLICY(more)  "policies = ( { " more " } )"

static void test_refused(void)
{
	static const struct {
		const char *text, *answer, *remedy;
	} cases[] = {
		{"ordre = \"gain\"", "m.conf:1: a configuration has no field 'ordre'", "'order'"},
		{"\n\norder = \"fifo\"", "m.conf:3: there is no order 'fifo'", "gain"},
		{"\n\norder = \"gian\"", "m.conf:3: there is no order 'gian'",
		 "the nearest that there is is 'gain'"},
		{PROBLEM("pollicies = ();"), "m.conf:3: a problem has no field 'pollicies'", "'policies'"},
		{PROBLEM("method = \"bisect\";"), "m.conf:3: there is no method 'bisect'", "there are"},
		{PROBLEM("memory = \"lots\";"), "m.conf:3: ", ""},
		{PROBLEM("tolerance = \"500%\";"), "m.conf:3: ", ""},
		{PROBLEM("contract = \"perhaps\";"), "contract: 'perhaps' is neither yes nor no", ""},
		{PROBLEM("points = -1;"), "points: '-1' is not a whole number", "from 1 to"},
		{PROBLEM("points = 0;"), "points: '0' is not a whole number", ""},
		{"load_monitor = { write_period = \"10ms\"; }",
		 "write_period: '10ms' is not within 1 and 86400", ""},
		{PROBLEM("points = 5000000000;"), "m.conf:3: a number that is not decimal, or too large", ""},
		{PROBLEM("points = 0x10;"), "m.conf:3: a number that is not decimal", ""},
		{PROBLEM("where = \"m > 3\";"), "'where' names 'm', which is no parameter", ""},
		{PROBLEM("where = \"n >\";"), "m.conf:", ""},
		{PROBLEM("name = \"q\";"), "m.conf:3: duplicate setting name", ""},
		{PROBLEM("command = \"\";"), "duplicate", ""},
		{"problems = ( { name = \"p\"; parameters = \"n=1:9\" } )", "'p' has no 'command'", ""},
		{"problems = ( { name = \"p\"; command = \"p\"; parameters = \"n=4\" } )",
		 "no parameter with a range", ""},
		{"problems = ( { name = \"p\"; command = \"p\"; parameters = \"n\" } )", "needs a range", ""},
		{"problems = ( { name = \"p\"; command = \"p\"; parameters = [\"n=1:2\", \"n=1:2\"] } )",
		 "two parameters 'n'", ""},
		{"problems = ( { command = \"p\"; parameters = \"n=1:9\" } )", "it has no name", ""},
		{"problems = ( { name = \"../x\"; command = \"p\"; parameters = \"n=1:9\" } )",
		 "'.' and '..' are folders", ""},
		{"problems = ( { name = \"\\x1b[2J\"; command = \"p\"; parameters = \"n=1:9\" } )",
		 "control character", ""},
		{"problems = ( { name = \"a b\"; command = \"p\"; parameters = \"n=1:9\" } )",
		 "a problem cannot be called 'a b': it has a blank", ""},
		{"problems = ( { name = \"p\"; command = \"p\"; parameters = \"n=1,00:9\" } )",
		 "the commas in n=1,00:9", "n=1_000_000"},
		{"problems = ( { name = \"-rf\"; command = \"p\"; parameters = \"n=1:9\" } )",
		 "begins with '-'", ""},
		{"problems = ( { name = \"p\"; command = \"p\"; parameters = \"n=1:9\" },\n"
		 "{ name = \"p\"; command = \"p\"; parameters = \"n=1:9\" } )",
		 "m.conf:2: 'p' is there already, in line 1", ""},
		{"problems = \"all\"", "problems are a list", ""},
		{"problems = ( \"all\" )", "a problem has fields, and is 'all' here", ""},
		{"problems = ( ( 1 ) )", "a problem has fields with names, not a list", ""},
		{POLICY("when = \"someday\""), "m.conf:1: 'someday' is not a time", "write as in"},
		{POLICY("time = \"later\""), "there is no time constraint 'later'", "there are"},
		{POLICY("time = \"until\""), "needs 'until'", ""},
		{POLICY("time = \"periodic\""), "needs 'when'", ""},
		{POLICY("time = \"now\"; when = \"sat\""), "means nothing to it", ""},
		{POLICY("until = \"tomorrow\""), "is not a time", ""},
		{POLICY("at_end = \"start\""), "there is no action 'start'", "there are"},
		{POLICY("conditions = ( \"user_logon\" )"), "there is no condition 'user_logon'",
		 "'user_login'"},
		{POLICY("conditions = ( { } )"), "a condition needs a 'type'", ""},
		{POLICY("conditions = ( \"halt_file\" )"), "needs the absolute path", ""},
		{POLICY("conditions = ( { type = \"halt_file\"; path = \"halt\" } )"),
		 "needs the absolute path", ""},
		{POLICY("conditions = ( \"load_threshold\" )"), "needs a threshold", ""},
		{POLICY("conditions = ( \"user_process_detection\" )"), "needs users", ""},
		{POLICY("conditions = ( { type = \"battery\"; threshold = 1 } )"),
		 "'threshold' means nothing to a battery", ""},
		{POLICY("conditions = ( { type = \"user_login\"; users = \"a\"; except = \"b\" } )"),
		 "users and except exclude each other", "leave one of them out"},
		{POLICY("conditions = ( { type = \"user_login\"; users = [] } )"), "needs users in its list",
		 ""},
		{POLICY("conditions = ( { type = \"halt_file\"; path = [\"/a\", \"b\"] } )"),
		 "needs the absolute path", ""},
		{"problems = ( { name = \"p\"; command = [\"\"]; parameters = \"n=1:9\" } )",
		 "'p' has no 'command'", ""},
		{"address = \"0.0.0.0:8443\"", "needs 'certificate', 'key' and 'token'", ""},
		{"store = 1 2", "m.conf:1: ", ""},
		{"@include \"/etc/passwd\"", "m.conf:1: nothing is included", ""},
		{"store = { a = 1 }", "'store' is one value, and has parts here", ""},
		{"<config><problm/></config>", "m.conf:1: a configuration has no field 'problm'",
		 "'problem'"},
		{"<config>\n<problem>\n<name>p</name><name>q</name></problem></config>",
		 "m.conf:3: a problem has one 'name'", ""},
		{"<config>text</config>", "a configuration has fields, and is 'text' here", ""},
		{"<config>text<problem/></config>", "a text stands between elements", ""},
		{"<pmm/>", "the root is <config>", ""},
		{"<config>", "m.conf:1: ", ""},
		{"<", "m.conf:1: ", ""},
		{"<config>&nothing;</config>", "m.conf:1: ", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_err err = {0};
		char *text = printed(cases[i].text, &err);

		if (!ok(!text && strstr(err.text, cases[i].answer) && strstr(err.remedy, cases[i].remedy),
			"%s", cases[i].answer))
			diag("%s: %s (%s)", cases[i].text, err.text, err.remedy);
		ft_free(text);
	}
}

static const char laughs[] =
	"<?xml version=\"1.0\"?>\n<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
	"<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">]>\n"
	"<config><store>&d;</store></config>",
		  external[] = "<!DOCTYPE c SYSTEM \"file:///etc/passwd\"><config/>",
		  file[] = "<!DOCTYPE c [<!ENTITY f SYSTEM "
			   "\"file:///etc/passwd\">]><config><store>&f;</store></config>",
		  parameter[] = "<!DOCTYPE c [<!ENTITY % f SYSTEM \"http://localhost/x\"> %f;]><config/>";

static void test_hostile(void)
{
	static const char *const typed[] = {laughs, external, file, parameter};
	struct ft_manager_config c;
	struct ft_err err = {0};
	char *deep = calloc(1, 70000);

	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
		ok(parse(&c, typed[i], &err) == FT_EPARSE && strstr(err.text, "a document type is declared"),
		   "a document type is not even read: %s", err.text);
	ok(ft_manager_config_parse(&c, "m", "store = \"a\0b\"", 13, &err) == FT_EPARSE, "a zero byte: %s",
	   err.text);
	for (size_t i = 0; i < 30000; i++)
		memcpy(deep + i, "(", 2);
	memmove(deep + 4, deep, 30000);
	memcpy(deep, "x = ", 4);
	ok(parse(&c, deep, &err) == FT_EPARSE, "lists in lists in lists: %s", err.text);
	(void)strcpy(deep,
		     "x = ((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))");
	ok(parse(&c, deep, &err) == FT_EPARSE && strstr(err.text, "too deep"), "some fewer: %s", err.text);
	for (size_t i = 0; i < 10000; i++)
		memcpy(deep + 3 * i, "<a>", 4);
	ok(parse(&c, deep, &err) == FT_EPARSE, "elements in elements: %s", err.text);
	deep[120] = '\0';
	for (size_t i = 40; i--;)
		(void)strcat(deep, "</a>");
	ok(parse(&c, deep, &err) == FT_EPARSE && strstr(err.text, "too deep"), "some fewer: %s", err.text);
	free(deep);
	deep = calloc(1, 400000);
	memset(deep, ' ', 300000);
	ok(parse(&c, deep, &err) == FT_EPARSE && strstr(err.text, "256 KiB"), "300,000 blanks: %s", err.text);
	free(deep);
}

/* Each field of the tables, as the sources have them, stands in the manual page, by hand or made of them. */
static size_t find_untold(const char *source, const char *page)
{
	static const char *const begins[] = {"\n\t{FT__CONF(\"", "\n\t{FT__PART(\"", "\n\t{FT__OLD(\"",
					     "\n\t{.field = {.name = \""};
	size_t untold = 0, found = 0;

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		const char *at = source;

		while ((at = strstr(at, begins[i]))) {
			char field[64];

			at += strlen(begins[i]);
			(void)snprintf(field, sizeof field, "%.*s", (int)strcspn(at, "\""), at);
			found++;
			if (strstr(page, field) || !strcmp(field, "type") || !strcmp(field, "value"))
				continue;
			diag("the manual page lacks '%s'", field);
			untold++;
		}
	}
	ok(found > 3, "%zu fields", found);
	return untold;
}

static void test_manual(void)
{
	static const char *const sources[] = {"src/manager/config.c", "src/manager/config.c",
					      "src/manager/config.c", "src/manager/config_policy.c"};
	char *page = source_file("man/foretime-manager.conf.5.scd"), part[32];
	struct ft_text all = {0};
	size_t parts = 0, here = 0;

	ft_manager_config_manual(&all);
	for (const char *at = all.s; at && (at = strstr(at, "@\n")); at++) {
		const char *begin = at;

		while (begin > all.s && begin[-1] != '\n')
			begin--;
		(void)snprintf(part, sizeof part, "\n%.*s@\n", (int)(at - begin), begin);
		parts++;
		here += strstr(page, part) ? 1 : 0;
	}
	ok(parts == 5 && here == 5, "the page takes each part of the tables: %zu of %zu", here, parts);
	ft_text_add(&all, "%s", page);
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		char *source = source_file(sources[i]);

		ok(!find_untold(source, all.s), "%s: the manual page has them all", sources[i]);
		free(source);
	}
	ft_text_clear(&all);
	free(page);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void test_memory(const char *name, const char *text)
{
	size_t wrong = 0;

	(void)ft_alloc_fail_at(0);
	ft_free(printed(text, NULL));
	unsigned long made = ft_alloc_fail_at(0);
	for (unsigned long n = 1; n <= made; n++) {
		struct ft_manager_config c;

		(void)ft_alloc_fail_at(n);
		enum ft_status status = parse(&c, text, NULL);
		(void)ft_alloc_fail_at(0);
		wrong += status != FT_OK && (status != FT_ENOMEM || c.path || c.n_problems);
		ft_manager_config_clear(&c);
	}
	ok(!wrong && made > 50, "%s: whichever of %lu allocations fails", name, made);
}

int main(void)
{
	(void)setenv("TZ", "UTC0", 1);
	tzset();
	test_document();
	test_example();
	test_released();
	test_methods();
	test_refused();
	test_hostile();
	test_manual();
	test_memory("manager.conf", document);
	test_memory("XML", released);
	return done();
}
