/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-build.c - the table of builders, what they all refuse and with which words, and memory that runs out. */
#include "base/alloc.h"
#include "drive.h"

static const struct ft_build_options usual = {.space = {{.least = 10, .most = 1000, .stride = 10}},
					      .n_params = 1,
					      .tolerance = 0.05,
					      .confidence = 0.9};

static void table(void)
{
	size_t i;

	ok(!strcmp(ft_builder_type_get(0)->name, "adaptive"), "adaptive stands first");
	for (i = 0; ft_builder_type_get(i); i++) {
		const struct ft_builder_type *type = ft_builder_type_get(i);

		ok(ft_builder_type_find(type->name) == type && type->about[0] && type->tolerance > 0,
		   "%s is found", type->name);
	}
	ok(i >= 2 && !ft_builder_type_find("gbb") && !ft_builder_type_find(""), "others are not");
	ok(!strcmp(ft_stop_text(FT_STOP_TOLERANCE), "tolerance") &&
		   !strcmp(ft_stop_text(FT_STOP_INTERRUPTED), "interrupted"),
	   "reasons have words");
	ft_builder_free(NULL);
}

static void far(void)
{
	enum ft_far found = FT_FAR_SKIP;

	for (int i = 0; i < FT_FARS; i++)
		ok(ft_far_parse(ft_far_text((enum ft_far)i), &found) && (int)found == i, "%s is found",
		   ft_far_text((enum ft_far)i));
	ok(!ft_far_parse("mostly", &found) && !ft_far_parse("", &found) && found == FT_FAR_SKIP,
	   "others are not");
	ok(!strcmp(ft_far_text(FT_FARS), "unknown"), "nor has what there is not a word");
}

static bool is_even(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return fmod(size->value[0], 20) == 0;
}

/* A list, and what a constraint leaves. */
static void spaces(void)
{
	static const double listed[] = {5, 20, 30, 500, 2000};
	struct ft_build_options o = usual;
	struct ft_builder *builder;

	o.space[0].sizes = listed;
	o.space[0].n_sizes = 5;
	if (!ok(!ft_builder_new(&builder, ft_builder_type_find("naive"), &o, NULL), "a list"))
		return;
	const struct ft_space *space = ft_builder_space(builder, 0);
	ok(!ft_space_admits(space, 5) && ft_space_admits(space, 20) && ft_space_admits(space, 500) &&
		   !ft_space_admits(space, 40) && !ft_space_admits(space, 2000),
	   "what of it lies within the range");
	ft_builder_free(builder);
	o = usual;
	o.admits = is_even;
	if (!ok(!ft_builder_new(&builder, ft_builder_type_find("naive"), &o, NULL), "a constraint"))
		return;
	space = ft_builder_space(builder, 0);
	ok(ft_space_admits(space, 20) && !ft_space_admits(space, 30) && ft_space_admits(space, 1000) &&
		   !ft_space_admits(space, 10),
	   "what it admits");
	ft_builder_free(builder);
}

static void refuses(struct ft_build_options options, const char *words)
{
	struct ft_builder *builder = (struct ft_builder *)&options;
	struct ft_err err = {0};

	for (size_t i = 0; ft_builder_type_get(i); i++) {
		enum ft_status status = ft_builder_new(&builder, ft_builder_type_get(i), &options, &err);

		if (!ok(status == FT_EINVAL && err.status == FT_EINVAL && !builder &&
				!strcmp(err.text, words),
			"%s: %s", ft_builder_type_get(i)->name, words))
			diag("said: %s", err.text);
		ok(ft_builder_new(&builder, ft_builder_type_get(i), &options, NULL) == FT_EINVAL,
		   "... also to nobody");
	}
}

static struct ft_build_options in_space(struct ft_space space)
{
	struct ft_build_options options = usual;

	options.space[0] = space;
	return options;
}

static void options(void)
{
	static const double falling[] = {1, 3, 2}, odd[] = {1, NAN}, some[] = {1, 2, 3, 400};

	refuses(in_space((struct ft_space){.least = 100, .most = 10, .stride = 1}),
		"the range 100:10 is reversed");
	refuses(in_space((struct ft_space){.least = 64, .most = 64, .stride = 1}),
		"no parameter has a range");
	refuses(in_space((struct ft_space){.least = 1, .most = INFINITY, .stride = 1}),
		"the range 1:inf is not between two numbers");
	refuses(in_space((struct ft_space){.least = 1, .most = 2, .stride = 0}),
		"the stride 0 is not a positive number");
	refuses(in_space((struct ft_space){.least = 1, .most = 2, .stride = -1}),
		"the stride -1 is not a positive number");
	refuses(in_space((struct ft_space){.least = 0, .most = 1e9, .stride = 1e-9}),
		"the stride 1e-09 is too small for the range 0:1000000000");
	refuses(in_space((struct ft_space){.least = 1, .most = 9, .factor = 1}),
		"the range 1:9 by the factor 1 is no growing progression");
	refuses(in_space((struct ft_space){.least = 0, .most = 9, .factor = 2}),
		"the range 0:9 by the factor 2 is no growing progression");
	refuses(in_space((struct ft_space){.least = 5, .most = 9, .factor = 2}),
		"the range 5:9 by the factor 2 has a single size");
	refuses(in_space((struct ft_space){.least = 1, .most = 9, .sizes = falling, .n_sizes = 3}),
		"the list of sizes does not ascend: 2 follows 3");
	refuses(in_space((struct ft_space){.least = 1, .most = 9, .sizes = odd, .n_sizes = 2}),
		"size 2 of the list is not a number");
	refuses(in_space((struct ft_space){.least = 3, .most = 9, .sizes = some, .n_sizes = 4}),
		"the range 3:9 has 1 of the listed sizes, and two are needed");
	refuses(in_space((struct ft_space){.least = 3, .most = 9, .sizes = some, .n_sizes = 0}),
		"the range 3:9 has 0 of the listed sizes, and two are needed");
	struct ft_build_options bad = usual;
	bad.tolerance = 0;
	refuses(bad, "the tolerance 0 is not between 0 and 1");
	bad = usual;
	bad.tolerance = 1;
	refuses(bad, "the tolerance 1 is not between 0 and 1");
	bad = usual;
	bad.confidence = 1.5;
	refuses(bad, "the confidence 1.5 is not between 0 and 1");
	bad = usual;
	bad.confidence = NAN;
	refuses(bad, "the confidence nan is not between 0 and 1");
}

static double no_work(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return size->value[0] - 100;
}

static void told(struct ft_builder *builder, double x, const double *seconds, size_t n, const char *words)
{
	struct ft_err err = {0};

	if (!ok(tell(builder, x, seconds, n, &err) == FT_EINVAL && !strcmp(err.text, words), "%s", words))
		diag("said: %s", err.text);
}

static void answers(void)
{
	const double good = 1, zero[] = {1, 0}, nan[] = {NAN}, inf[] = {INFINITY};
	struct ft_build_options with_work = usual;
	struct ft_builder *builder;
	double size;

	with_work.work = no_work;
	for (size_t i = 0; ft_builder_type_get(i); i++) {
		(void)ft_builder_new(&builder, ft_builder_type_get(i), &with_work, NULL);
		(void)ask(builder, &size, 1);
		told(builder, 9, &good, 1, "the size 9 is outside the range 10:1000");
		told(builder, 1001, &good, 1, "the size 1001 is outside the range 10:1000");
		told(builder, NAN, &good, 1, "the size nan is outside the range 10:1000");
		told(builder, 200, zero, 2, "time 2 of size 200 is 0, not a positive number");
		told(builder, 200, nan, 1, "time 1 of size 200 is nan, not a positive number");
		told(builder, 200, inf, 1, "time 1 of size 200 is inf, not a positive number");
		told(builder, 100, &good, 1, "the work at size 100 is 0, not a positive number");
		ok(tell(builder, 100, NULL, 0, NULL) == FT_OK, "a failure needs no work");
		ok(ask(builder, &size, 1) == 1 && size == 10, "refused answers change nothing");
		ft_builder_free(builder);
	}
}

static size_t hill(void *ctx, double x, double *seconds)
{
	(void)ctx;
	seconds[0] = (x + 100) * (1 + (x / 500) * (x / 500)) / x;
	return 1;
}

/* The n-th allocation fails, for all n: nothing is lost, and after another try all goes on as if nothing was.
 */
static void memory(void)
{
	static struct asked expected, asked;
	struct ft_builder *builder;

	for (size_t i = 0; ft_builder_type_get(i); i++) {
		const struct ft_builder_type *type = ft_builder_type_get(i);
		unsigned long at;
		int bad = 0, failures = 0;
		bool failed = true;

		(void)ft_builder_new(&builder, type, &usual, NULL);
		drive_on(builder, hill, NULL, 1, 0, &expected);
		ft_builder_free(builder);
		for (at = 1; failed; at++) {
			double x, seconds;

			failed = false;
			asked.n = 0;
			(void)ft_alloc_fail_at(at);
			enum ft_status status = ft_builder_new(&builder, type, &usual, NULL);
			if (status) {
				bad += status != FT_ENOMEM || builder;
				failed = true;
				continue;
			}
			while (ask(builder, &x, 1)) {
				(void)hill(NULL, x, &seconds);
				status = tell(builder, x, &seconds, 1, NULL);
				bad += status && status != FT_ENOMEM;
				if (status)
					failed = true;
				else
					asked.size[asked.n++] = x;
			}
			bad += asked.n != expected.n ||
			       memcmp(asked.size, expected.size, asked.n * sizeof *asked.size) != 0;
			failures += failed;
			ft_builder_free(builder);
		}
		(void)ft_alloc_fail_at(0);
		ok(!bad && failures > 0, "%s: the n-th allocation fails, %lu of them", type->name, at - 2);
	}
}

int main(void)
{
	table();
	far();
	spaces();
	options();
	answers();
	memory();
	return done();
}
