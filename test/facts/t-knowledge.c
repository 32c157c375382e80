/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-knowledge.c - what is known of a program before any run: laws of resources, and what it requires. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/facts.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static bool has_law(const struct ft_knowledge *knowledge, const struct ft_resource *resource, const char *law)
{
	const char *stated = ft_knowledge_law(knowledge, resource);

	return law ? stated && !strcmp(stated, law) : !stated;
}

static void test_laws(void)
{
	struct ft_knowledge k = {0};
	struct ft_err err = {0};

	ok(has_law(&k, &ft_wall_s, NULL) && !ft_knowledge_state(&k, &ft_wall_s, NULL, &err),
	   "none is stated");
	ok(!ft_knowledge_state(&k, &ft_wall_s, "n", &err) &&
		   !ft_knowledge_state(&k, &ft_cpu_s, "2*n", &err) &&
		   !ft_knowledge_state(&k, &ft_instructions, "3*n", &err) &&
		   !ft_knowledge_state(&k, &ft_cpu_s, "4*n", &err) && k.n_stated == 3 &&
		   has_law(&k, &ft_cpu_s, "4*n"),
	   "three are, and one takes the place of another");
	ok(!ft_knowledge_state(&k, &ft_wall_s, NULL, &err) && k.n_stated == 2 &&
		   has_law(&k, &ft_wall_s, NULL) && has_law(&k, &ft_cpu_s, "4*n") &&
		   has_law(&k, &ft_instructions, "3*n"),
	   "the first goes, the others stay");
	ok(ft_knowledge_state(&k, &ft_cpu_s, "n +", &err) == FT_EPARSE && *err.remedy &&
		   has_law(&k, &ft_cpu_s, "4*n"),
	   "%s", err.text);
	ft_knowledge_clear(&k);
	ft_knowledge_clear(&k);
	ft_knowledge_clear(NULL);
	ok(has_law(&k, &ft_cpu_s, NULL), "cleared, twice");
}

static void test_values(void)
{
	char name[] = "p";
	const struct ft_program program = {
		.name = name, .param = {{.name = "n"}, {.name = "m"}}, .n_params = 2};
	const struct ft_size size = {.n = 2, .value = {10, 3}};
	struct ft_knowledge k = {0};
	struct ft_err err = {0};
	double value;

	ok(ft_knowledge_value(&k, &program, &ft_wall_s, &size, &value, &err) == FT_ENOENT && isnan(value),
	   "%s", err.text);
	(void)ft_knowledge_state(&k, &ft_wall_s, "n - 3*m", &err);
	ok(!ft_knowledge_value(&k, &program, &ft_wall_s, &size, &value, &err) && near(value, 1, 1e-15),
	   "each parameter by its name");
	(void)ft_knowledge_state(&k, &ft_wall_s, "n - 10", &err);
	ok(!ft_knowledge_value(&k, &program, &ft_wall_s, &size, &value, &err) && value == 0,
	   "nothing is a value");
	(void)ft_knowledge_state(&k, &ft_wall_s, "n - 11", &err);
	ok(ft_knowledge_value(&k, &program, &ft_wall_s, &size, &value, &err) == FT_EINVAL && isnan(value) &&
		   *err.remedy,
	   "%s", err.text);
	(void)ft_knowledge_state(&k, &ft_wall_s, "x", &err);
	ok(ft_knowledge_value(&k, &program, &ft_wall_s, &size, &value, &err) == FT_EINVAL && isnan(value),
	   "%s", err.text);
	ft_knowledge_clear(&k);
}

/* The amount of a requirement as it was written; NAN: there is none. */
static double amount_of(const struct ft_knowledge *k, enum ft_requirement_kind kind, const char *text)
{
	for (size_t i = 0; i < k->n_requirements; i++)
		if (k->requirement[i].kind == kind && !strcmp(k->requirement[i].value, text))
			return k->requirement[i].amount;
	return NAN;
}

static void test_requirements(void)
{
	static const char *const wrong[] = {"memory", "memory=much", "processors=0", "magic=1", "software="};
	struct ft_knowledge k = {0};
	struct ft_err err = {0};

	ok(!ft_knowledge_require(&k, "memory=1GiB", &err) && !ft_knowledge_require(&k, "software=a", &err) &&
		   !ft_knowledge_require(&k, "software=b", &err) &&
		   !ft_knowledge_require(&k, "memory=2GiB", &err) && k.n_requirements == 3 &&
		   amount_of(&k, FT_REQUIRES_MEMORY, "2GiB") == 2147483648.0 &&
		   isnan(amount_of(&k, FT_REQUIRES_MEMORY, "1GiB")) &&
		   !isnan(amount_of(&k, FT_REQUIRES_SOFTWARE, "a")),
	   "one memory, and any software");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(ft_knowledge_require(&k, wrong[i], &err) == FT_EPARSE && k.n_requirements == 3, "%s",
		   err.text);
	ok(!ft_knowledge_release(&k, "software=a", &err) && k.n_requirements == 2 &&
		   isnan(amount_of(&k, FT_REQUIRES_SOFTWARE, "a")) &&
		   !isnan(amount_of(&k, FT_REQUIRES_SOFTWARE, "b")),
	   "one of a kind is released");
	ok(ft_knowledge_release(&k, "software=a", &err) == FT_ENOENT && k.n_requirements == 2, "%s",
	   err.text);
	ok(!strcmp(ft_requirement_text(FT_REQUIRES_MEMORY), "memory") &&
		   !strcmp(ft_requirement_text(FT_REQUIRES_SOFTWARE), "software") &&
		   !strcmp(ft_requirement_text((enum ft_requirement_kind)(FT_REQUIRES_SOFTWARE + 1)),
			   "unknown"),
	   "each kind by its word");
	ok(!ft_knowledge_release(&k, "memory", &err) && k.n_requirements == 1, "all of a kind are");
	ft_knowledge_clear(&k);
}

/* Nothing has changed where memory was out. */
static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	struct ft_knowledge k = {0};
	unsigned long n;

	for (n = 1; status == FT_ENOMEM && n < 100; n++) {
		ft_alloc_fail_at(n);
		status = ft_knowledge_state(&k, &ft_wall_s, "2*n^2", NULL);
		ft_alloc_fail_at(0);
		if (status && k.n_stated)
			break;
	}
	ok(!status && n > 2 && k.n_stated == 1, "each of %lu allocations may fail", n - 2);
	ft_knowledge_clear(&k);
}

int main(void)
{
	test_laws();
	test_values();
	test_requirements();
	test_faults();
	return done();
}
