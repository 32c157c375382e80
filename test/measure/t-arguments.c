/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-arguments.c - placeholders in arguments and shell commands. */
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "base/random.h"
#include "measure/measure.h"

#include <unistd.h>

static struct ft_program program = {.n_params = 3,
				    .param = {{.name = "n", .least = 1, .most = 9e9, .stride = 1},
					      {.name = "tol_2", .least = 0.25, .most = 0.25, .stride = 1},
					      {.name = "m", .least = 100, .most = 100, .stride = 1}}};
static const struct ft_size size = {2, {4096, 0.25}};

static void check(const char *template, bool shell, const char *expected)
{
	struct ft__filling filling = {.program = &program, .size = &size, .shell = shell};
	struct ft_text text = {0};
	struct ft_err err = {0};
	enum ft_status status = ft__arguments_check(&filling, template, &err);

	if (!status)
		ft__arguments_fill(&filling, template, &text);
	ok(!status && text.s && !strcmp(text.s, expected), "%s%s becomes %s", shell ? "sh: " : "", template,
	   expected);
	if (status || !text.s || strcmp(text.s, expected) != 0)
		diag("%s%s", err.text, text.s ? text.s : "");
	ft_text_clear(&text);
}

static void check_refused(const char *template, bool shell, const char *name)
{
	struct ft__filling filling = {.program = &program, .size = &size, .shell = shell};
	struct ft_err err = {0};
	char remedy[64];

	(void)snprintf(remedy, sizeof remedy, "give it a value: %s=100", name);
	ok(ft__arguments_check(&filling, template, &err) == FT_EINVAL &&
		   !strncmp(err.remedy, remedy, strlen(remedy)),
	   "'%s' is refused: %s", template, err.text);
}

static void test_examples(void)
{
	check("{n}", false, "4096");
	check("--size={n},{tol_2}", false, "--size=4096,0.25");
	check("{m}", false,
	      "100"); /* a size that is shorter than the program's parameters: the fixed value */
	check("plain", false, "plain");
	check("", false, "");
	check("{{n}}", false, "{n}");
	check("{{{n}}}", false, "{4096}");
	check("{{{{n}}}}", false, "{{4096}}");
	check("{{unknown}}", false, "{unknown}");
	check("{\"a\": {\"b\": {n}}}", false, "{\"a\": {\"b\": 4096}}");
	check("{\"a\":{n}}", false, "{\"a\":4096}");
	check("{{n}", false, "{4096");
	check("{n}}", false, "4096}");
	check("{} { n } {1n} {n", false, "{} { n } {1n} {n");
	check("{a,b} {print $1}", false, "{a,b} {print $1}");
	check("}{n}{", false, "}4096{");
	check("${n}", false, "$4096");
	check("${n} ${HOME} {n}", true, "${n} ${HOME} 4096");
	check("awk '{{print}}' {n}", true, "awk '{print}' 4096");
	check_refused("{k}", false, "k");
	check_refused("--a={n} --b={N}", false, "N");
	check_refused("{{{k}}}", false, "k");
	check_refused("awk '{print}'", true, "print");
}

static void test_table(void)
{
	static const char table[] = "n,path,m,odd\n1,a b,7,it's\n4096,/x/y.dat,8,\n";
	struct ft_csv *csv = NULL;
	struct ft__filling filling = {.program = &program, .size = &size, .row = 0};
	struct ft_text text = {0};

	ok(!ft_csv_parse("cases", table, sizeof table - 1, ',', &csv, NULL), "a table of cases");
	filling.cases = csv;
	ft__arguments_fill(&filling, "{path}|{m}|{tol_2}|{n}|{odd}", &text);
	ok(text.s && !strcmp(text.s, "a b|7|0.25|1|it's"), "columns go before parameters: %s", text.s);
	ft_text_clear(&text);
	filling.shell = true;
	ft__arguments_fill(&filling, "cat {path} {odd}", &text);
	ok(text.s && !strcmp(text.s, "foretime_path='a b'; foretime_odd='it'\\''s'; "
				     "cat \"$foretime_path\" \"$foretime_odd\""),
	   "the shell gets one word each: %s", text.s);
	ft_text_clear(&text);
	filling.row = 1;
	ft__arguments_fill(&filling, "cat {path} {odd}", &text);
	ok(text.s && !strcmp(text.s, "foretime_odd=''; cat /x/y.dat \"$foretime_odd\""),
	   "also an empty one: %s", text.s);
	ft_text_clear(&text);
	ft_csv_free(csv);
}

/* Values that a shell would execute, in every place of a command: none is, and the bare one is one word. */
static void test_injection(void)
{
	static const char table[] = "n,path,plain\n1,\"$(touch pwn)`touch pwn`;touch pwn\n'\"\"\\\",/x/y\n";
	static const struct {
		const char *command;
		bool refused;
	} rows[] = {
		{"printf %s {path} > got", false},
		{"printf %s $(printf %s {path}) > got2", false},
		{"cat <<END > got2\n{path}\nEND\n", false},
		{": # don't\nprintf %s {path} > got2 # '", true},
		{"printf %s \"{path}\" > got2", true},
		{"printf %s '{path}' > got2", true},
		{"sh -c \"printf %s {path}\"", true},
		{"printf %s \\\"{path}\\\" > got2", false},
		{"printf %s \"a\"'b'{path} > got2", false},
		{"printf %s \"{plain}\" '{plain}' \"{n}\" > got2", false},
	};
	struct ft_csv *csv = NULL;
	struct ft__filling filling = {.program = &program, .size = &size, .shell = true};
	struct ft_text text = {0};
	char got[64] = "";
	size_t bad = 0;
	FILE *file;

	if (chdir(temp_path("")) || ft_csv_parse("cases", table, sizeof table - 1, ',', &csv, NULL))
		exit(99);
	filling.cases = csv;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ft_err err = {0};
		bool refused = ft__arguments_check(&filling, rows[i].command, &err) != FT_OK;

		ok(refused == rows[i].refused && (!refused || err.remedy[0]), "command %zu of sh", i);
		/* What is refused is tried as well: nothing hangs on the quotes being seen. */
		ft__arguments_fill(&filling, rows[i].command, &text);
		bad += strstr(rows[i].command, "sh -c") == NULL && system(text.s) < 0;
		bad += access("pwn", F_OK) == 0;
		ft_text_clear(&text);
	}
	ok(!bad, "nothing was executed");
	file = fopen("got", "r");
	ok(file && fread(got, 1, sizeof got - 1, file) && !strcmp(got, ft_csv_cell(csv, 0, 1)),
	   "one word, as it is");
	if (file)
		(void)fclose(file);
	ft_csv_free(csv);
	temp_remove();
}

/* Text without an identifier in braces is left alone, whatever else it has. */
static void test_random(void)
{
	static const char letters[] = "{}{}n1 $\"'";
	struct ft_random random = {test_seed()};
	int cases = test_cases(2000), i, bad = 0;

	for (i = 0; i < cases; i++) {
		struct ft__filling filling = {.program = &program, .size = &size};
		struct ft_text text = {0};
		char template[24];
		size_t length = ft_random_below(&random, sizeof template - 1), k;

		for (k = 0; k < length; k++)
			template[k] = letters[ft_random_below(&random, sizeof letters - 1)];
		template[length] = '\0';
		if (ft__arguments_check(&filling, template, NULL))
			continue;
		ft__arguments_fill(&filling, template, &text);
		if (!text.s || (!strchr(template, 'n') && strcmp(text.s, template) != 0) ||
		    (!strstr(template, "{n") && strcmp(text.s, template) != 0)) {
			diag("seed %llu, case %d: '%s' became '%s'", (unsigned long long)test_seed(), i,
			     template, text.s);
			bad++;
		}
		ft_text_clear(&text);
	}
	ok(!bad, "%d random texts", cases);
}

static void test_faults(void)
{
	char first[] = "prog", second[] = "{n}", third[] = "{{n}}{tol_2}";
	char *argv[] = {first, second, third, NULL}, **list = NULL;
	struct ft__filling filling = {.program = &program, .size = &size};
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	bool good = true;

	program.argv = argv;
	program.argc = 3;
	for (n = 1; status && n < 100; n++) {
		(void)ft_alloc_fail_at(n);
		status = ft__arguments_list(&filling, &list, NULL);
		good = good && (!status || (status == FT_ENOMEM && !list));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && n > 3, "each allocation may fail");
	ok(list && !strcmp(list[1], "4096") && !strcmp(list[2], "{n}0.25") && !list[3],
	   "a list of arguments");
	ft_arguments_free(list);
}

/* What others start: the words, or why there are none. */
static void test_command(void)
{
	char *words[] = {strdup("./prog"), strdup("--n={n}"), NULL};
	struct ft_program p = program, bare = program;
	struct ft_err err = {0};
	char **list;

	p.name = bare.name = words[0];
	p.argv = words;
	p.argc = 2;
	ok(ft_program_arguments(&p, &size, &list, &err) == FT_OK && !strcmp(list[0], "./prog") &&
		   !strcmp(list[1], "--n=4096") && !list[2],
	   "a command at a size");
	ft_arguments_free(list);
	ok(ft_program_arguments(&bare, &size, &list, &err) == FT_ENOENT && !list && err.remedy[0],
	   "a program without a command: %s", err.text);
	free(words[1]);
	words[1] = strdup("{case}");
	ok(ft_program_arguments(&p, &size, &list, &err) == FT_EINVAL && !list, "a column: %s", err.text);
	free(words[0]);
	free(words[1]);
}

int main(void)
{
	test_command();
	test_examples();
	test_table();
	test_injection();
	test_random();
	test_faults();
	return done();
}
