/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-program-file.c - programs are found as execvp finds them, and told from their rebuilt selves. */
#include "tap.h"

#include "base/alloc.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "measure/program_file.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/t-program-file-XXXXXX";

static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(name, "we");

	if (file) {
		(void)fputs(text, file);
		(void)fclose(file);
	}
	(void)chmod(name, mode);
}

/* The hash of a command line (words between blanks), or the status's words; the caller's until the next call.
 */
static const char *hash_of(const char *line, struct ft_err *err)
{
	static char result[64];
	char words[256], *argv[16] = {0}, *save = NULL, *word, *hash = NULL;
	struct ft_program program = {.argv = argv};

	(void)snprintf(words, sizeof words, "%s", line);
	for (word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[program.argc++] = word;
	enum ft_status status = ft_program_hash(&program, &hash, err);
	(void)snprintf(result, sizeof result, "%s", status ? ft_status_text(status) : hash);
	ft_free(hash);
	return result;
}

static bool is(const char *line, const char *expected)
{
	struct ft_err err = {0};
	bool good = !strcmp(hash_of(line, &err), expected);

	return ok(good, "'%s' gives %s", line, expected) ||
	       (diag("got %s: %s", hash_of(line, NULL), err.text), false);
}

/* A failure whose text and remedy hold these. */
static void fails(const char *line, enum ft_status status, const char *text, const char *remedy)
{
	struct ft_err err = {0};
	bool good = !strcmp(hash_of(line, &err), ft_status_text(status)) && err.status == status &&
		    strstr(err.text, text) && strstr(err.remedy, remedy);

	if (!ok(good, "'%s': %s", line, text))
		diag("text '%s', remedy '%s'", err.text, err.remedy);
}

static void test_programs(void)
{
	write_file("prog", "foobar", 0755);
	write_file("python3.11", "foo", 0755);
	write_file("bench.py", "bar", 0644);
	write_file("data", "xyz", 0644);
	is("./prog 7 {n}", "85944171f73967e8");
	is("./prog data", "85944171f73967e8");
	is("./python3.11 -u {n} bench.py data", "85944171f73967e8");
	is("./python3.11 {n}.py bench.py", "85944171f73967e8");
	is("./python3.11 -c pass", "dcb27518fed9d577");
	write_file("prog", "foobaR", 0755);
	ok(strcmp(hash_of("./prog", NULL), "85944171f73967e8") != 0, "a rebuilt program is another");
	write_file("prog", "foobar", 0755);
	write_file("env", "foo", 0755);
	write_file("bar{n}", "?", 0755);
	is("./env X=1 ./bar{n} bench.py", "85944171f73967e8");
	write_file("pick{n", "foobar", 0755);
	is("./pick{n", "85944171f73967e8");
	fails("./bar{n} 3", FT_EINVAL, "'./bar{n}', changes with the size", "env './bar{n}'");
}

/* A kernel that foretime launches is another one with other options, but at each size the same. */
static void test_kernels(void)
{
	static const char usual[] =
		"./foretime kernel run k.cl --kernel=f --local=16,16 --arg=a=float[n] n={n}";
	char before[64];

	write_file("foretime", "foo", 0755);
	write_file("k.cl", "bar", 0644);
	(void)snprintf(before, sizeof before, "%s", hash_of(usual, NULL));
	ok(!strcmp(before,
		   hash_of("./foretime device run ./k.cl --kernel=f --local=16,16 --arg=a=float[n] n={n}",
			   NULL)),
	   "the same kernel by another path, and by the present name of the command");
	ok(!strcmp(before,
		   hash_of("./foretime kernel run k.cl --kernel=f --local=16,16 --arg=a=float[n] m={m}",
			   NULL)),
	   "sizes are no part");
	ok(strcmp(before, hash_of("./foretime kernel run k.cl --kernel=f --local=8,8 --arg=a=float[n] n={n}",
				  NULL)) != 0,
	   "another --local is another program");
	ok(strcmp(before, hash_of("./foretime kernel run k.cl --kernel=f --local=16,16 --arg=a=int[n] n={n}",
				  NULL)) != 0,
	   "and another --arg");
	write_file("k.cl", "baR", 0644);
	ok(strcmp(before, hash_of(usual, NULL)) != 0, "and an edited source");
	ok(!strcmp(hash_of("./foretime run ./prog --local=8", NULL),
		   hash_of("./foretime run ./prog -x", NULL)),
	   "what foretime starts otherwise has options of its own");
}

/* Of a launch that was typed at one size. */
static void test_sizes(void)
{
	char *argv[] = {(char *)"./foretime", (char *)"kernel", (char *)"run", (char *)"k.cl",
			(char *)"n=16"};
	struct ft_program program = {.argv = argv, .argc = 5, .n_params = 1};
	char *hash[2] = {NULL, NULL}, *stamp[3] = {NULL, NULL, NULL};

	(void)snprintf(program.param[0].name, sizeof program.param[0].name, "n");
	(void)ft_program_hash(&program, &hash[0], NULL);
	(void)ft_program_stamp(&program, &stamp[0], NULL);
	argv[4] = (char *)"n=17";
	(void)ft_program_hash(&program, &hash[1], NULL);
	(void)ft_program_stamp(&program, &stamp[1], NULL);
	argv[4] = (char *)"--local=8";
	(void)ft_program_stamp(&program, &stamp[2], NULL);
	ok(hash[0] && hash[1] && !strcmp(hash[0], hash[1]), "n=16 and n=17 are one program");
	ok(stamp[0] && stamp[1] && stamp[2] && !strcmp(stamp[0], stamp[1]) && strcmp(stamp[0], stamp[2]) != 0,
	   "stamps tell what hashes tell");
	ft_free(hash[0]);
	ft_free(hash[1]);
	for (size_t i = 0; i < 3; i++)
		ft_free(stamp[i]);
}

static void test_path(void)
{
	write_file("a/tool", "wrong", 0644);
	write_file("b/tool", "foobar", 0755);
	write_file("c/tool", "other", 0755);
	(void)mkdir("a/kit", 0755);
	setenv("PATH", "a:b:c", 1);
	is("tool", "85944171f73967e8");
	fails("prog", FT_ENOENT, "cannot find program 'prog' on PATH", "write ./prog");
	setenv("PATH", "a::c", 1);
	is("prog", "85944171f73967e8");
	fails("kit", FT_EACCESS, "cannot execute 'a/kit': it is a folder", "name a program in it");
	setenv("PATH", "missing:a", 1);
	fails("tool", FT_EACCESS, "cannot execute 'a/tool': Permission denied", "chmod +x 'a/tool'");
	fails("nothing", FT_ENOENT, "cannot find program 'nothing' on PATH", "install it");
	fails("", FT_ENOENT, "cannot find program ''", "");
	unsetenv("PATH");
	ok(strlen(hash_of("sh", NULL)) == 16 && strspn(hash_of("sh", NULL), "0123456789abcdef") == 16,
	   "without PATH: /bin and /usr/bin");
}

static void test_sentences(void)
{
	write_file("src.c", "int x;", 0644);
	fails("./missing/prog", FT_ENOENT, "cannot find program './missing/prog': No such file or directory",
	      "./prog");
	fails("./nope", FT_ENOENT, "cannot find program './nope'", "build it");
	fails("./prog/x", FT_ENOENT, "Not a directory", "");
	fails("./data", FT_EACCESS, "cannot execute './data': Permission denied", "chmod +x './data'");
	fails("./bench.py", FT_EACCESS, "Permission denied", "start it through python3");
	fails("./src.c", FT_EACCESS, "Permission denied", "compile it");
	fails("./a", FT_EACCESS, "it is a folder", "name a program in it");
	fails("/dev/null", FT_EACCESS, "not a regular file", "");
}

static void test_faults(void)
{
	char *argv[] = {(char *)"tool", NULL}, *hash = NULL;
	struct ft_program program = {.argv = argv, .argc = 1};
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	int wrong = 0;

	setenv("PATH", "a:b", 1);
	for (n = 1; status && n < 100; n++) {
		ft_alloc_fail_at(n);
		status = ft_program_hash(&program, &hash, NULL);
		wrong += status && (status != FT_ENOMEM || hash);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 3 && !wrong, "memory that is out is said");
	ft_free(hash);
}

int main(void)
{
	static const char *const folders[] = {"a", "b", "c"};
	char command[64];

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		(void)mkdir(folders[i], 0755);
	test_programs();
	test_kernels();
	test_sizes();
	test_path();
	test_sentences();
	test_faults();
	setenv("PATH", "/usr/bin:/bin", 1);
	(void)snprintf(command, sizeof command, "rm -r '%s'", folder);
	ok(!chdir("/") && !system(command), "tidied up");
	return done();
}
