/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-program.c - machines and programs: round trips, names, united ranges, which one is the newest. */
#include "store-test.h"
#include "store/door.h"

static struct ft_store *store;

static void test_machine(void)
{
	struct ft_machine machine, again, got;
	struct ft_err err = {0};
	int64_t id;

	make_machine(&machine, "0123456789abcdef");
	machine.scheduler = ft_strdup("Slurm job 4711");
	ok(ft_store_put_machine(store, &machine, &err) == FT_OK && machine.id > 0, "a machine");
	id = machine.id;
	ok(ft_store_get_machine(store, id, &got, &err) == FT_OK, "is read");
	ok(got.id == id && same_text(got.fingerprint, machine.fingerprint) && same_text(got.host, "box") &&
		   same_text(got.cpu, machine.cpu) && same_text(got.architecture, "x86_64") &&
		   got.sockets == 1 && got.cores == 2 && got.threads == 4 && got.l1d_bytes == 32768 &&
		   got.l2_bytes == 1048576 && got.l3_bytes == 0 && got.memory_bytes == 8LL << 30 &&
		   same_text(got.system, machine.system) && !got.governor && !got.hypervisor &&
		   same_text(got.scheduler, "Slurm job 4711"),
	   "as it was");
	ft_machine_clear(&got);
	ft_machine_clear(&machine);

	make_machine(&again, "0123456789abcdef");
	ft_free(again.host);
	again.host = ft_strdup("renamed");
	again.governor = ft_strdup("performance");
	ft_free(again.system);
	again.system = NULL;
	ok(ft_store_put_machine(store, &again, &err) == FT_OK && again.id == id,
	   "the same fingerprint is the same one");
	ok(ft_store_get_machine(store, id, &got, &err) == FT_OK && same_text(got.host, "renamed") &&
		   same_text(got.governor, "performance") && same_text(got.system, "Debian GNU/Linux 12") &&
		   !got.scheduler,
	   "brought up to date: what is not known stays, a job ends");
	ft_machine_clear(&got);
	ft_free(again.fingerprint);
	again.fingerprint = ft_strdup("ffff");
	ok(ft_store_put_machine(store, &again, &err) == FT_OK && again.id != id,
	   "another fingerprint, another one");
	ft_machine_clear(&again);
	is(ft_store_put_machine(store, &again, &err), FT_EINVAL, &err, "no fingerprint");
	is(ft_store_get_machine(store, 999, &got, &err), FT_ENOENT, &err, "a machine that is not there");
	ok(!got.fingerprint && !got.id, "... gives a cleared one");
}

/* All of them, one by one; and what was not known of one is filled in, not overwritten. */
static void test_machines(void)
{
	struct ft_machine bare = {.fingerprint = (char *)"eeee", .host = (char *)"far"}, full, got;
	struct ft_err err = {0};
	int64_t at = 0;
	size_t n = 0, wrong = 0;
	enum ft_status status;

	ok(!ft_store_put_machine(store, &bare, &err), "one of which little is known");
	while ((status = ft_store_next_machine(store, at, &got, &err)) == FT_OK) {
		int64_t before = at;
		at = got.id;
		wrong += at <= before || !got.fingerprint;
		n++;
		ft_machine_clear(&got);
	}
	ok(status == FT_EEND && n == 3 && !wrong && at == bare.id && !got.fingerprint,
	   "machines, one after the other, until there are no more");

	bare.fingerprint = (char *)"abab";
	ok(!ft_store_put_machine(store, &bare, &err) && !ft_store_newest_machine(store, "far", &got, &err) &&
		   got.id == bare.id,
	   "of two machines of one name the newest");
	ft_machine_clear(&got);
	ok(!ft_store_newest_machine(store, "eeee", &got, &err) && got.id == at, "or that of a fingerprint");
	ft_machine_clear(&got);
	ok(ft_store_newest_machine(store, "nobody", &got, &err) == FT_ENOENT && !got.id &&
		   strstr(err.text, "no machine 'nobody'"),
	   "or none: %s", err.text);
	bare.id = at;

	make_machine(&full, "eeee");
	ok(!ft_store_put_machine(store, &full, &err) && full.id == bare.id &&
		   !ft_store_get_machine(store, full.id, &got, &err) && same_text(got.cpu, full.cpu) &&
		   same_text(got.architecture, "x86_64") && got.sockets == 1 && got.cores == 2 &&
		   got.threads == 4 && got.l1d_bytes == 32768 && got.l2_bytes == 1048576 &&
		   got.memory_bytes == 8LL << 30,
	   "then more");
	ft_machine_clear(&got);
	full.cores = 64;
	full.l3_bytes = 1 << 20;
	ok(!ft_store_put_machine(store, &full, &err) && !ft_store_get_machine(store, full.id, &got, &err) &&
		   got.cores == 2 && got.l3_bytes == 1 << 20,
	   "hardware that is known is not another");
	ft_machine_clear(&got);
	ft_machine_clear(&full);
}

static void test_round_trip(void)
{
	struct ft_program program, got;
	struct ft_err err = {0};

	make_program(&program, "matmul", "abc");
	program.param[0].least = 0.1;
	program.param[0].stride = 1.0 / 3;
	ok(ft_store_put_program(store, &program, &err) == FT_OK && program.id > 0, "a program");
	ok(ft_store_get_program(store, "matmul", &got, &err) == FT_OK && same_program(&got, &program),
	   "as it was");
	ft_program_clear(&got);
	ft_program_clear(&program);

	program = (struct ft_program){.name = ft_strdup("imported"), .hash = ft_strdup("")};
	ok(ft_store_put_program(store, &program, &err) == FT_OK, "one without command or parameters");
	ok(ft_store_get_program(store, "imported", &got, &err) == FT_OK && same_program(&got, &program) &&
		   !got.argv,
	   "as it was");
	ft_program_clear(&got);
	ft_program_clear(&program);

	program = (struct ft_program){.name = ft_strdup("half a pair \xed\xa0\x80")};
	is(ft_store_put_program(store, &program, &err), FT_EINVAL, &err, "a surrogate is no UTF-8");
	ft_program_clear(&program);
	program = (struct ft_program){
		.name = ft_strdup("odd \xc3\xa9/routine"), .hash = ft_strdup("x"), .argc = 4};
	program.argv = ft_calloc(5, sizeof *program.argv);
	program.argv[0] = ft_strdup("not \xff\xfe UTF-8");
	program.argv[1] = ft_strdup("");
	program.argv[2] = ft_strdup("\"quoted\"\n'; DROP TABLE run; --");
	program.argv[3] = ft_strdup("");
	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		program.param[i] = (struct ft_param){
			.name = {(char)('a' + i)}, .least = (double)i, .most = 1e300, .stride = 1e-300};
	(void)ft_param_parse("g=1:1e9:*1.1", &program.param[6], NULL);
	(void)ft_param_parse("h=-0.1,0,1,1e300", &program.param[7], NULL);
	program.n_params = FT_PARAMS_MAX;
	ok(ft_store_put_program(store, &program, &err) == FT_OK,
	   "odd arguments, as many parameters as there may be");
	ok(ft_store_get_program(store, program.name, &got, &err) == FT_OK && same_program(&got, &program),
	   "as it was");
	ft_program_clear(&got);
	ft_program_clear(&program);
}

/* Ranges that nobody could have written. */
static void test_damaged(void)
{
	static const char *const damage[] = {"factor = 0.5",           "factor = 2, least = 0",
					     "list = '16 16 64'",      "list = '16 x 64'",
					     "list = '16', most = 16", "list = '16 32'"};
	static const char *const names[] = {"a234567890123456789012345678901",
					    "a2345678901234567890123456789012", "", "1x", "a b"};
	const char *path = temp_path("damaged.db");
	struct ft_store *damaged = open_store(path, 0);
	struct ft_program program = {.name = ft_strdup("d"), .hash = ft_strdup("h"), .n_params = 1}, got;
	struct ft_err err = {0};

	(void)ft_param_parse("n=16,32,64", &program.param[0], NULL);
	ok(!ft_store_put_program(damaged, &program, &err), "a list");
	ft_store_close(damaged);
	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		char sql[128];

		(void)raw(path, "UPDATE param SET least = 16, most = 64, factor = NULL, list = NULL");
		(void)snprintf(sql, sizeof sql, "UPDATE param SET %s", damage[i]);
		(void)raw(path, sql);
		damaged = open_store(path, 0);
		is(ft_store_get_program(damaged, "d", &got, &err), FT_EIO, &err, damage[i]);
		ft_store_close(damaged);
	}
	(void)raw(path, "UPDATE param SET least = 16, most = 16, factor = 2, list = NULL");
	damaged = open_store(path, 0);
	is(ft_store_get_program(damaged, "d", &got, &err), FT_OK, &err, "one value is a range, too");
	ft_program_clear(&got);
	ft_store_close(damaged);
	(void)raw(path, "UPDATE param SET least = 16, most = 64, factor = NULL, list = NULL");
	for (size_t i = 0; i < FT_PARAMS_MAX; i++) {
		(void)raw(
			path,
			"INSERT INTO param (program, nr, name, least, most, stride) SELECT program, nr + 1, "
			"'p' || nr, 1, 2, 1 FROM param ORDER BY nr DESC LIMIT 1");
		damaged = open_store(path, 0);
		is(ft_store_get_program(damaged, "d", &got, &err), i + 2 <= FT_PARAMS_MAX ? FT_OK : FT_EIO,
		   &err, "one parameter more");
		ft_program_clear(&got);
		ft_store_close(damaged);
	}
	(void)raw(path, "DELETE FROM param WHERE nr > 0");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char sql[192];

		(void)snprintf(sql, sizeof sql, "UPDATE param SET name = '%s'", names[i]);
		(void)raw(path, sql);
		damaged = open_store(path, 0);
		is(ft_store_get_program(damaged, "d", &got, &err), i ? FT_EIO : FT_OK, &err, sql);
		ft_program_clear(&got);
		ft_store_close(damaged);
	}
	(void)raw(path, "UPDATE param SET name = 'n'");
	/* Arguments end in a zero byte; one that lost it is none. */
	(void)raw(path, "UPDATE param SET least = 16, most = 64, factor = NULL, list = NULL");
	(void)raw(path, "UPDATE program SET argv = X'61006262'");
	damaged = open_store(path, 0);
	ok(!ft_store_get_program(damaged, "d", &got, &err) && got.argc == 1 && !strcmp(got.argv[0], "a") &&
		   !got.argv[1],
	   "a command that was cut short");
	ft_program_clear(&got);
	ft_store_close(damaged);
	ft_program_clear(&program);
}

/* Put a program with this range of n, and see what the stored one has then. */
static void unites(const char *name, const char *given, const char *wanted)
{
	struct ft_program program = {.name = ft_strdup(name), .hash = ft_strdup("h"), .n_params = 1}, got;
	struct ft_param want;
	struct ft_err err = {0};

	if (ft_param_parse(given, &program.param[0], &err) || ft_param_parse(wanted, &want, &err))
		diag("%s", err.text);
	ok(ft_store_put_program(store, &program, &err) == FT_OK &&
		   ft_store_get_program(store, name, &got, &err) == FT_OK &&
		   got.param[0].least == want.least && got.param[0].most == want.most &&
		   got.param[0].stride == want.stride && got.param[0].factor == want.factor &&
		   got.param[0].n_list == want.n_list &&
		   !memcmp(got.param[0].list, want.list, sizeof want.list),
	   "%s: %s gives %s", name, given, wanted);
	ft_program_clear(&got);
	ft_program_clear(&program);
}

static void test_union(void)
{
	struct ft_program program, got;
	struct ft_machine machine;
	struct ft_run run;
	struct ft_err err = {0};

	unites("u", "n=64:1000:8", "n=64:1000:8");
	unites("u", "n=512:3000:4", "n=64:3000:4");
	unites("u", "n=100:200:2", "n=64:3000:2");
	unites("u", "n=5000", "n=64:5000:2");
	unites("u", "n", "n=64:5000:2");
	unites("list", "n=16,64", "n=16,64");
	unites("list", "n=32,64,128", "n=16,32,64,128");
	unites("list", "n=16", "n=16,32,64,128");
	unites("list", "n=100:200", "n=16:200");
	unites("list", "n=50:800:*2", "n=50:800:*2");
	unites("list", "n=400", "n=50:800:*2");
	unites("list", "n=1600", "n=50:1600:*2");
	unites("late", "n", "n");
	unites("late", "n=10:20:5", "n=10:20:5");

	make_program(&program, "kept", "abc");
	program.method = ft_strdup("gbbp");
	ok(ft_store_put_program(store, &program, &err) == FT_OK, "a program that was built");
	ft_free(program.work);
	ft_free(program.method);
	program.work = program.method = NULL;
	ft_free(program.argv[1]);
	program.argv[1] = ft_strdup("--size={n}");
	ok(ft_store_put_program(store, &program, &err) == FT_OK &&
		   ft_store_get_program(store, "kept", &got, &err) == FT_OK && same_text(got.work, "2*n^3") &&
		   same_text(got.method, "gbbp") && same_text(got.argv[1], "--size={n}") &&
		   got.id == program.id,
	   "no work or method given: kept; the command becomes the one given");
	ft_program_clear(&got);

	make_machine(&machine, "77");
	make_run(&run, 64, 1);
	program.n_params = 1;
	ok(ft_store_put_program(store, &program, &err) == FT_OK, "other parameters while there is no run");
	ok(ft_store_put_machine(store, &machine, &err) == FT_OK &&
		   ft_store_add_run(store, program.id, machine.id, &run, &err) == FT_OK,
	   "a run");
	program.n_params = 2;
	is(ft_store_put_program(store, &program, &err), FT_EEXIST, &err, "then they are refused");
	ok(!program.id && err.remedy[0], "... and a remedy: %s", err.remedy);
	ft_run_clear(&run);
	ft_machine_clear(&machine);
	ft_program_clear(&program);
}

/* Which hash has the newest program of a name? */
static void newest(const char *name, const char *hash, const char *what)
{
	struct ft_program got;
	struct ft_err err = {0};

	ok(ft_store_get_program(store, name, &got, &err) == FT_OK && same_text(got.hash, hash), "%s", what);
	ft_program_clear(&got);
}

static void test_rebuilt(void)
{
	struct ft_program first, second;
	struct ft_err err = {0};
	int64_t id;

	make_program(&first, "built", "one");
	make_program(&second, "built", "two");
	ok(!ft_store_put_program(store, &first, &err) && !ft_store_put_program(store, &second, &err) &&
		   first.id != second.id,
	   "another hash is another program");
	newest("built", "two", "the newest is the rebuilt one");
	id = first.id;
	ok(!ft_store_put_program(store, &first, &err) && first.id == id, "the first again");
	newest("built", "one", "the one put last counts as the newest");
	int changes = sqlite3_total_changes(store->db);
	ok(!ft_store_put_program(store, &first, &err) && first.id == id &&
		   sqlite3_total_changes(store->db) == changes,
	   "nothing is written of one that is stored as it is");
	first.param[0].most += 1;
	ok(!ft_store_put_program(store, &first, &err) && first.id == id &&
		   sqlite3_total_changes(store->db) > changes,
	   "... and a wider range is");
	ft_program_clear(&first);
	ft_program_clear(&second);
}

/* A run at n = 8 of a program without version and command, then the program itself: do they share the run? */
static void adopts(const char *name, const char *param, bool shared, const char *what)
{
	struct ft_program unknown = {
		.name = (char *)(uintptr_t)name, .n_params = 1, .param = {{.name = "n", .stride = 1}}};
	struct ft_program built = {.name = unknown.name, .hash = (char[]){"one"}, .n_params = 1};
	struct ft_machine machine = {.fingerprint = (char[]){"00000000000000aa"}};
	struct ft_run run = {.size = {.n = 1, .value = {8}}};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	(void)snprintf(built.param[0].name, sizeof built.param[0].name, "%s", param);
	built.param[0].stride = 1;
	ok(!ft_store_put_program(store, &unknown, &err) && !ft_store_put_machine(store, &machine, &err) &&
		   !ft_store_add_run(store, unknown.id, machine.id, &run, &err) &&
		   !ft_store_put_program(store, &built, &err) && (built.id == unknown.id) == shared &&
		   !ft_store_get_runs(store, built.id, 0, &runs, &err) && runs.n == shared,
	   "%s: %s", what, err.text);
	ft_runs_clear(&runs);
	newest(name, "one", "... and the built one is the newest");
}

static void test_adopted(void)
{
	struct ft_program later = {.name = (char[]){"known"}, .hash = (char[]){"two"}};
	struct ft_err err = {0};
	struct ft_runs runs = {0};

	adopts("known", "n", true, "runs without a version are of the first one that is put");
	adopts("others", "m", false, "... unless they have other parameters");
	ok(!ft_store_put_program(store, &later, &err) &&
		   !ft_store_get_runs(store, later.id, 0, &runs, &err) && !runs.n,
	   "... and of no later one");
	ft_runs_clear(&runs);
}

static void test_names(void)
{
	static const char *const bad[] = {"",   "-x",   "a\nb", "a\tb",  "\x7f",    "/a",
					  "a/", "a//b", "\xff", "a\xc3", "\xc2\x85"};
	static const char *const good[] = {"a",        "A b",  "x/y/z", "n=3", "\xe2\x82\xac",
					   "'\"`$(x)", "%s%n", "a-b",   "..."};
	char longest[202];
	struct ft_program program, got;
	struct ft_err err = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		make_program(&program, bad[i], "h");
		is(ft_store_put_program(store, &program, &err), FT_EINVAL, &err, "a name that is refused");
		ok(!strpbrk(err.text, "\n\t\x7f\xff"), "... and is not let loose on the terminal");
		ft_program_clear(&program);
	}
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		make_program(&program, good[i], "h");
		ok(!ft_store_put_program(store, &program, &err) &&
			   !ft_store_get_program(store, good[i], &got, &err),
		   "a name that is good: %s", good[i]);
		ft_program_clear(&got);
		ft_program_clear(&program);
	}
	memset(longest, 'x', 201);
	longest[201] = '\0';
	make_program(&program, longest, "h");
	is(ft_store_put_program(store, &program, &err), FT_EINVAL, &err, "201 bytes");
	program.name[200] = '\0';
	ok(!ft_store_put_program(store, &program, &err), "200 bytes");
	ft_program_clear(&program);
}

static void nearest(struct ft_store *in, const char *asked, const char *wanted)
{
	struct ft_program got = {.id = 7};
	struct ft_err err = {0};

	ok(ft_store_get_program(in, asked, &got, &err) == FT_ENOENT && strstr(err.remedy, wanted) &&
		   !got.id && !got.name,
	   "'%.20s' is not there: %s; %s", asked, err.text, err.remedy);
}

static void test_nearest(void)
{
	struct ft_store *few = open_store(temp_path("few.db"), 0);
	struct ft_program program;
	char endless[1000];

	nearest(few, "matmul", "none at all");
	make_program(&program, "matmul", "h");
	ok(!ft_store_put_program(few, &program, NULL), "matmul");
	ft_program_clear(&program);
	make_program(&program, "cholesky", "h");
	ok(!ft_store_put_program(few, &program, NULL), "cholesky");
	ft_program_clear(&program);
	nearest(few, "matmull", "'matmul'");
	nearest(few, "mtamul", "'matmul'");
	nearest(few, "Matmul", "'matmul'");
	nearest(few, "choleski", "'cholesky'");
	nearest(few, "", "foretime list");
	nearest(few, "matrix", "foretime list");
	memset(endless, 'y', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	nearest(few, endless, "foretime list");
	ft_store_close(few);
}

int main(void)
{
	store = open_store(temp_path("program.db"), 0);
	test_machine();
	test_machines();
	test_round_trip();
	test_union();
	test_damaged();
	test_rebuilt();
	test_adopted();
	test_names();
	test_nearest();
	ft_store_close(store);
	temp_remove();
	return done();
}
