/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-program.c - programs and machines by their names, copies of them, what their expressions may be, and
 * which requirements a machine certainly does not meet. */
#include "base/alloc.h"
#include "facts/facts.h"
#include "foretime/facts.h"
#include "tap.h"

#include <string.h>

/* ---- names -----------------------------------------------------------------------------------------------
 */

/* A text of n letters. */
static const char *letters(size_t n)
{
	static char text[256];

	memset(text, 'a', n);
	text[n] = '\0';
	return text;
}

static void test_names(void)
{
	static const char *const good[] = {"matmul", "matmul/init", "a+b", "Größe", "matmul-2",
					   "_",      "a.b:c",       "...", ".a",    "a/.b"};
	static const char *const bad[] = {"",     "-n",    "/a", "a/",  "a//b", "a\nb", "\x7f",
					  "\xff", "a\xc3", ".",  "..",  "a/..", "../a", "a/./b",
					  "a b",  "a'b",   "$a", "a=b", "`a`",  "\"a",  "a\\"};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		wrong += ft_program_name_fault(good[i]) != NULL;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		wrong += !ft_program_name_fault(bad[i]) || !*ft_program_name_fault(bad[i]);
	ok(!wrong, "what can name a program, and what cannot");
	for (size_t i = wrong = 0; i < sizeof bad / sizeof *bad; i++)
		wrong += !ft__name_kept_fault(bad[i]) != (i >= 14);
	ok(!wrong, "blanks and what shells replace may be in names that a store has already");
	ok(!ft_program_name_fault(letters(200)) && strstr(ft_program_name_fault(letters(201)), "200"),
	   "200 bytes can, one more cannot");
}

static void test_device_names(void)
{
	static const char *const good[] = {"gpu", "cpu-avx512", "opencl:0", "_x", "0", "a.b"};
	static const char *const bad[] = {"", "-a", ".a", ":a", "a b", "a/b", "ä", "a\n"};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		wrong += ft_program_device_fault(good[i]) != NULL;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		wrong += !ft_program_device_fault(bad[i]) || !*ft_program_device_fault(bad[i]);
	ok(!wrong, "what can name a device, and what cannot");
	ok(!ft_program_device_fault(letters(40)) && strstr(ft_program_device_fault(letters(41)), "40"),
	   "40 bytes can, one more cannot");
}

static void test_machine_named(void)
{
	struct ft_machine a = {0}, again = {0}, other = {0};
	size_t wrong = 0;

	(void)ft_machine_named("node17", &a, NULL);
	(void)ft_machine_named("node17", &again, NULL);
	(void)ft_machine_named("node18", &other, NULL);
	ok(ft_machine_is_called(&a, "node17") && strlen(a.fingerprint) == 16 &&
		   !strcmp(a.fingerprint, again.fingerprint) && strcmp(a.fingerprint, other.fingerprint) != 0,
	   "a machine by its name alone: %s, always the same", a.fingerprint);
	ft_machine_clear(&a);
	ft_machine_clear(&again);
	ft_machine_clear(&other);
	(void)ft_machine_named("a", &a, NULL); /* FNV-1a, 64 bits: the published value */
	ok(!strcmp(a.fingerprint, "af63dc4c8601ec8c"), "its fingerprint is FNV-1a's");
	ft_machine_clear(&a);
	ok(!a.host && !a.fingerprint, "cleared");
	ft_machine_clear(NULL);
	for (size_t i = 1; i <= 2; i++) {
		(void)ft_alloc_fail_at(i);
		wrong += ft_machine_named("a", &a, NULL) != FT_ENOMEM || a.host || a.fingerprint;
		(void)ft_alloc_fail_at(0);
		ft_machine_clear(&a);
	}
	ok(!wrong, "without memory there is none, and nothing is left of it");
}

static void test_size_text(void)
{
	const struct ft_program program = {.param = {{.name = "n"}, {.name = "m"}}, .n_params = 2};
	const struct ft_size size = {.value = {512, 0.5, 7}, .n = 2}, short_one = {.value = {512}, .n = 1},
			     long_one = {.value = {512, 0.5, 7}, .n = 3};
	char text[32] = "?", small[6], none = '?';

	ok(ft_size_format(&program, &size, text, sizeof text) == 11 && !strcmp(text, "n=512 m=0.5"),
	   "a size in words: %s", text);
	ok(ft_size_format(&program, &size, small, sizeof small) == 11 && !strcmp(small, "n=512") &&
		   ft_size_format(&program, &size, &none, 0) == 11 && none == '?',
	   "cut to what there is room for");
	ok(ft_size_format(&program, &short_one, text, sizeof text) == 5 && !strcmp(text, "n=512") &&
		   ft_size_format(&program, &long_one, text, sizeof text) == 11 &&
		   !strcmp(text, "n=512 m=0.5"),
	   "values without a parameter are no part of it, nor parameters without a value");
}

/* ---- programs --------------------------------------------------------------------------------------------
 */

static void make(struct ft_program *program)
{
	*program = (struct ft_program){.name = ft_strdup("matmul"),
				       .hash = ft_strdup("abc"),
				       .work = ft_strdup("2*n^3"),
				       .where = ft_strdup("n <= m"),
				       .method = ft_strdup("adaptive"),
				       .device = ft_strdup("gpu"),
				       .driver = ft_strdup("pocl 3"),
				       .argc = 2,
				       .argv = ft_calloc(3, sizeof(char *)),
				       .id = 7,
				       .n_params = 2};
	program->argv[0] = ft_strdup("./matmul");
	program->argv[1] = ft_strdup("{n}");
	(void)ft_param_parse("k=5", &program->param[0], NULL);
	(void)ft_param_parse("n=10:20", &program->param[1], NULL);
}

static bool same_text(const char *a, const char *b)
{
	return a && b && a != b && !strcmp(a, b);
}

static void test_copy(void)
{
	struct ft_program program, copy;

	make(&program);
	ok(!ft_program_copy(&copy, &program, NULL) && copy.id == 7 && copy.n_params == 2 && copy.argc == 2 &&
		   same_text(copy.name, program.name) && same_text(copy.hash, program.hash) &&
		   same_text(copy.work, program.work) && same_text(copy.where, program.where) &&
		   same_text(copy.method, program.method) && same_text(copy.device, program.device) &&
		   same_text(copy.driver, program.driver) && same_text(copy.argv[0], program.argv[0]) &&
		   same_text(copy.argv[1], program.argv[1]) && !copy.argv[2] &&
		   !memcmp(copy.param, program.param, sizeof copy.param),
	   "a copy has all of it, and shares nothing");
	ok(ft_program_varying(&copy) == 1, "the first parameter with a range varies");
	ok(ft_program_same_params(&copy, &program), "and has its parameters");
	copy.param[1].name[0] ^= 1;
	ok(!ft_program_same_params(&copy, &program), "of other names they are others");
	copy.n_params = 1;
	ok(!ft_program_same_params(&copy, &program) && !ft_program_same_params(&program, &copy),
	   "and so they are of another number");
	ok(ft_program_varying(&copy) == 0, "where none has one, the first");
	ok(ft_program_is_on(&copy, "gpu") && !ft_program_is_on(&copy, "cpu") &&
		   !ft_program_is_on(&copy, NULL),
	   "it is of its device");
	ft_free(copy.device);
	copy.device = NULL;
	ok(ft_program_is_on(&copy, NULL) && !ft_program_is_on(&copy, "gpu"), "or of none");
	ft_program_clear(&copy);
	ft_program_clear(&program);
	ok(!ft_program_copy(&copy, &(struct ft_program){0}, NULL) && !copy.argv && !copy.name,
	   "of an empty one");
	ft_program_clear(&copy);
}

static void test_faults(void)
{
	struct ft_program program, copy;
	enum ft_status status = FT_ENOMEM;
	unsigned long k;
	int bad = 0;

	make(&program);
	for (k = 1; status && k < 40; k++) {
		(void)ft_alloc_fail_at(k);
		status = ft_program_copy(&copy, &program, NULL);
		(void)ft_alloc_fail_at(0);
		bad += status && (status != FT_ENOMEM || copy.name || copy.argv);
		ft_program_clear(&copy);
	}
	ok(!status && k == 12 && !bad, "each allocation of a copy may fail, and then there is none");
	ft_program_clear(&program);
}

/* ---- expressions ------------------------------------------------------------------------------------------
 */

static enum ft_status check_work(const char *work, struct ft_err *err)
{
	struct ft_program program = {.n_params = 2};
	char text[64];

	*err = (struct ft_err){0};
	if (work)
		(void)snprintf(program.work = text, sizeof text, "%s", work);
	(void)ft_param_parse("n=10:30", &program.param[0], NULL);
	(void)ft_param_parse("m=1:5", &program.param[1], NULL);
	return ft_program_check_work(&program, err);
}

static void test_work(void)
{
	struct ft_err err;

	ok(!check_work(NULL, &err) && !check_work("2*n^3 + m", &err) && !check_work("n - 9", &err),
	   "work that is above 0 everywhere, or none");
	ok(check_work("2*n^", &err) == FT_EPARSE && !strncmp(err.text, "the work: ", 10), "%s", err.text);
	ok(check_work("2*k", &err) == FT_EINVAL && strstr(err.text, "'k'") && strstr(err.remedy, "n"),
	   "%s; %s", err.text, err.remedy);
	ok(check_work("n - 10", &err) == FT_EINVAL && strstr(err.text, "n=10 m=1") && *err.remedy, "%s",
	   err.text);
	ok(check_work("(n - 20)^2", &err) == FT_EINVAL && strstr(err.text, "n=20 m=3"), "%s", err.text);
	ok(check_work("31 - n - (m - 4)", &err) == FT_EINVAL && strstr(err.text, "n=30 m=5"), "%s", err.text);
	ok(check_work("1 / (n - 20)^2", &err) != FT_OK && strstr(err.text, "n=20 m=3"), "%s", err.text);
}

static void test_where(void)
{
	struct ft_program program = {.n_params = 1}, none = {0};
	struct ft_err err = {0};

	(void)ft_param_parse("n=10:30", &program.param[0], NULL);
	ok(!ft_program_check_where(&program, NULL, &err) && !ft_program_check_where(&program, "n > 12", &err),
	   "a constraint, or none");
	ok(ft_program_check_where(&program, "n >", &err) == FT_EPARSE &&
		   !strncmp(err.text, "the constraint: ", 16),
	   "%s", err.text);
	ok(ft_program_check_where(&program, "n > k", &err) == FT_EINVAL && strstr(err.text, "'k'") &&
		   ft_program_check_where(&none, "n > k", &err) == FT_EINVAL &&
		   strstr(err.remedy, "n=64:3000"),
	   "%s; %s", err.text, err.remedy);
	ok(ft_program_check_where(&program, "n >", NULL) == FT_EINVAL ||
		   ft_program_check_where(&program, "n >", NULL) == FT_EPARSE,
	   "refused also where nobody asks why");
}

/* ---- requirements -----------------------------------------------------------------------------------------
 */

/* Is it told so; words "": the requirement is met. */
static bool told(enum ft_requirement_kind kind, double amount, const char *value,
		 const struct ft_machine *machine, bool here, const char *words)
{
	struct ft_requirement requirement = {kind, amount, (char[128]){""}};
	char why[160] = "before";

	(void)snprintf(requirement.value, 128, "%s", value);
	bool unmet = ft_requirement_unmet(&requirement, machine, here, why, sizeof why);
	if (strcmp(why, words) != 0)
		diag("%s", why);
	return unmet == (*words != '\0') && !strcmp(why, words);
}

static void test_requirements(void)
{
	char box[] = "box", arm[] = "aarch64";
	const struct ft_machine machine = {.host = box,
					   .architecture = arm,
					   .threads = 4,
					   .memory_bytes = 4LL << 30},
				unknown = {0};
	const double gib = 1073741824;

	ok(told(FT_REQUIRES_MEMORY, 8 * gib, "8GiB", &machine, false,
		"8.00 GiB of memory are required, and box has 4.00 GiB") &&
		   told(FT_REQUIRES_MEMORY, 4 * gib, "4GiB", &machine, false, ""),
	   "memory: as much as there is will do");
	ok(told(FT_REQUIRES_PROCESSORS, 5, "5", &machine, true,
		"5 processors are required, and this machine has 4") &&
		   told(FT_REQUIRES_PROCESSORS, 4, "4", &machine, true, ""),
	   "processors");
	ok(told(FT_REQUIRES_ARCHITECTURE, 0, "x86_64", &machine, false,
		"architecture x86_64 is required, and box is aarch64") &&
		   told(FT_REQUIRES_ARCHITECTURE, 0, "aarch64", &machine, false, ""),
	   "architecture");
	ok(told(FT_REQUIRES_SOFTWARE, 0, "no-such-command-anywhere", &machine, true,
		"no-such-command-anywhere is required, and is not found on this machine") &&
		   told(FT_REQUIRES_SOFTWARE, 0, "/no/such/command", &machine, true,
			"/no/such/command is required, and is not found on this machine") &&
		   told(FT_REQUIRES_SOFTWARE, 0, "sh", &machine, true, "") &&
		   told(FT_REQUIRES_SOFTWARE, 0, "/bin/sh", &machine, true, "") &&
		   told(FT_REQUIRES_SOFTWARE, 0, "no-such-command-anywhere", &machine, false, ""),
	   "software: looked for on this machine alone");
	ok(told(FT_REQUIRES_MEMORY, 8 * gib, "8GiB", &unknown, false, "") &&
		   told(FT_REQUIRES_PROCESSORS, 5, "5", &unknown, false, "") &&
		   told(FT_REQUIRES_ARCHITECTURE, 0, "x86_64", &unknown, false, ""),
	   "what is not known of a machine does not count against it");
}

int main(void)
{
	test_names();
	test_device_names();
	test_machine_named();
	test_size_text();
	test_copy();
	test_faults();
	test_work();
	test_where();
	test_requirements();
	return done();
}
