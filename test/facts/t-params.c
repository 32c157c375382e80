/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-params.c - parameters and their ranges, as people type them. */
#include "base/random.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static void reads(const char *text, const char *name, double least, double most, double stride)
{
	struct ft_param param;
	struct ft_err err = {0};

	if (!ok(ft_param_parse(text, &param, &err) == FT_OK && !strcmp(param.name, name) &&
			param.least == least && param.most == most && param.stride == stride,
		"'%s' is read", text))
		diag("%s %g:%g:%g %s", param.name, param.least, param.most, param.stride, err.text);
}

static void refuses(const char *text, enum ft_status status)
{
	static const struct ft_param zero;
	struct ft_param param = {.name = "left"};
	struct ft_err err = {0};

	ok(ft_param_parse(text, &param, &err) == status && err.status == status && *err.remedy &&
		   !memcmp(&param, &zero, sizeof zero),
	   "'%.50s' is refused: %s", text, err.text);
}

/* All values within a range, as text. */
static void holds(const char *text, const char *values)
{
	struct ft_param param;
	struct ft_err err = {0};
	char got[400] = "", digits[FT_NUMBER_LENGTH];
	size_t length = 0;

	if (ft_param_parse(text, &param, &err)) {
		ok(false, "'%s': %s", text, err.text);
		return;
	}
	struct ft_space space = ft_param_space(&param);
	for (size_t i = 0; (double)i < ft_space_count(&space) && length < sizeof got; i++)
		length += (size_t)snprintf(got + length, sizeof got - length, "%s%s", i ? " " : "",
					   ft_number_format(ft_space_value(&space, (double)i), digits));
	ok(!strcmp(got, values), "'%s' holds %s", text, values);
	if (strcmp(got, values) != 0)
		diag("got %s", got);
}

static void complains(const char *text, const char *words, const char *remedy)
{
	struct ft_param param;
	struct ft_err err = {0};

	(void)ft_param_parse(text, &param, &err);
	ok(!strcmp(err.text, words) && !strcmp(err.remedy, remedy), "'%s': %s", text, words);
	if (strcmp(err.text, words) != 0 || strcmp(err.remedy, remedy) != 0)
		diag("%s; %s", err.text, err.remedy);
}

/* Steps are told apart by twelve digits of the largest value, so this least lies between two of them. */
static void test_least(void)
{
	struct ft_param param;

	ok(!ft_param_parse("n=7.888888888888:88", &param, NULL), "a least of more digits than steps have");
	struct ft_space space = ft_param_space(&param);
	ok(ft_space_value(&space, 0) == param.least && ft_param_admits(&param, param.least) &&
		   ft_space_value(&space, 1) > param.least,
	   "is the first value all the same");
}

static void test_values(void)
{
	holds("n=16,32,64", "16 32 64");
	holds("n=64,16,32,16,1e1", "10 16 32 64");
	holds("n=0,-2.5,1k", "-2.5 0 1000");
	holds("n=5,5,5", "5");
	holds("n=16:128:*2", "16 32 64 128");
	holds("n=16:1000:*2", "16 32 64 128 256 512");
	holds("n=2:30:*1.5", "2 3 5 7 10 15 23");
	holds("n=1:8:*1.1", "1 2 3 4 5 6 7 8");
	holds("n=8:17:*1.1", "8 9 10 11 12 13 14 16 17");
	holds("n=0.5:5:*2", "0.5 1 2 4");
	holds("n=1:1e6:*10", "1 10 100 1000 10000 100000 1000000");
	holds("n=64:64:*2", "64");
	holds("n=10:100:30", "10 40 70 100");
	holds("n=10:95:30", "10 40 70 95");
	holds("n=1,000,000", "1000000");
	holds("n=10,000:30,000:10,000", "10000 20000 30000");
	holds("n=1,000:2,500:500", "1000 1500 2000 2500");
	holds("n=100,200,300", "100 200 300");
	holds("n=1,234,567", "1 234 567");
	holds("n=10,20,30", "10 20 30");
	holds("n=1_000,2_000", "1000 2000");
	holds("n=10K:20K:5K", "10000 15000 20000");
	holds("n=64KiB,10MB", "65536 10000000");
	holds("n=0.5,0.25,0", "0 0.25 0.5");
}

static void test_complaints(void)
{
	struct ft_param widest;
	const char *list = "write numbers with a comma between each two, as in n=16,32,64";
	char many[FT_RANGE_LENGTH] = "n=1";
	size_t length = 3;

	const char *commas = "write n=1,000,000 or n=1_000_000 for one number, and n=1000,2000 for a list";
	complains("n=1,024,4096",
		  "the commas in n=1,024,4096 neither group digits in threes nor separate values", commas);
	complains("n=0,001", "the commas in n=0,001 neither group digits in threes nor separate values",
		  commas);
	complains("m=abc", "'abc' is not a range for parameter 'm'",
		  "write a value (m=2048, m=10k, m=1_000_000), a range with or without a stride or a factor "
		  "(m=64:3000, m=64:3000:8, m=64:4096:*2), or a list (m=64,512,4096)");
	complains("n=16,,64", "item 2 in the list of parameter 'n' is empty", list);
	complains("n=16,32,", "item 3 in the list of parameter 'n' is empty", list);
	complains("n=,16", "item 1 in the list of parameter 'n' is empty", list);
	complains("n=16,x,64", "'x' in the list of parameter 'n' is not a number", list);
	complains("n=16,32:64", "'32:64' in the list of parameter 'n' is not a number", list);
	complains("n=16:64:*", "the '*' in the range 16:64:* of parameter 'n' has no number",
		  "write the factor behind it, as in n=16:4096:*2");
	ok(!ft_param_parse("n=1e-300:1e300:*1e10", &widest, NULL) && widest.most > 1e289,
	   "a progression whose ends have a quotient that no double is");
	complains("n=16:64:*1", "the factor in the range 16:64:*1 of parameter 'n' is not above 1",
		  "write what each value is times the one before it, as in n=16:4096:*2 or *1.5");
	complains("n=16:64:*1.0000000001",
		  "the factor in the range 16:64:*1.0000000001 of parameter 'n' is too close to 1",
		  "write what each value is times the one before it, as in n=16:4096:*2 or *1.5");
	complains("n=0:64:*2", "the range 0:64:*2 of parameter 'n' has a factor, and does not begin above 0",
		  "begin above 0, or write a stride in place of the factor");
	complains("n=16:20:*2", "the range 16:20:*2 of parameter 'n' holds the value 16 alone",
		  "end it at 32 or beyond, or write n=16 for a fixed value");
	for (size_t i = 1; i < FT_LIST_MAX; i++)
		length += (size_t)snprintf(many + length, sizeof many - length, ",%zu", i + 1);
	ok(!ft_param_parse(many, &(struct ft_param){0}, NULL), "a list of %d values", FT_LIST_MAX);
	(void)snprintf(many + length, sizeof many - length, ",0");
	complains(many, "the list of parameter 'n' has more than 256 values",
		  "write a range with a stride or a factor, as in n=64:3000:8");
}

/* What was given, then what is given after it. */
static void unites(const char *before, const char *given, const char *wanted)
{
	struct ft_param param, earlier;
	char got[FT_RANGE_LENGTH];

	(void)ft_param_parse(before, &earlier, NULL);
	(void)ft_param_parse(given, &param, NULL);
	ft_param_unite(&param, &earlier);
	(void)ft_param_format(&param, got, sizeof got);
	if (!ok(!strcmp(got, wanted), "%s after %s: %s", given, before, wanted))
		diag("got %s", got);
}

/* The range of data does not tell how values lie. */
static void test_data(void)
{
	static const char *const before[] = {"n=16,64", "n=16:1024:*2", "n=10:100:10", "n=50"};
	static const char *const wanted[] = {"16,64", "8:2048:*2", "8:3000:10", "8:3000"};
	char got[FT_RANGE_LENGTH];

	for (size_t i = 0; i < 4; i++) {
		struct ft_param param, earlier;

		(void)ft_param_parse(before[i], &earlier, NULL);
		(void)ft_param_parse("n=8:3000", &param, NULL);
		param.of_data = true;
		ft_param_unite(&param, &earlier);
		(void)ft_param_format(&param, got, sizeof got);
		ok(!strcmp(got, wanted[i]), "data after %s: %s", before[i], got);
	}
}

static void test_unite(void)
{
	unites("n=16,64", "n=32,64,128", "16,32,64,128");
	unites("n=16,64", "n=100", "16,64,100");
	unites("n=100", "n=16,64", "16,64,100");
	unites("n=1:1000", "n=16,64", "16,64");
	unites("n=16:1024:*2", "n=16,64", "16,64");
	unites("n=16,64", "n=32:128", "16:128");
	unites("n=16,64", "n=32:128:*2", "16:128:*2");
	unites("n=12,50", "n=32:128:*2", "32:128:*2");
	unites("n=16:1024:*2", "n=64:4096:*2", "16:4096:*2");
	unites("n=16:4096:*2", "n=64:1024:*2", "16:4096:*2");
	unites("n=24:5000:*2", "n=64:1024:*2", "64:2048:*2");
	unites("n=16:1024:*2", "n=64:1024:8", "16:1024:8");
	unites("n=16:1024:*2", "n=2000", "16:1024:*2");
	unites("n=16:1024:*2", "n=2048", "16:2048:*2");
	unites("n=16:1024:*2", "n=8", "8:1024:*2");
	unites("n=16:1024:*2", "n", "16:1024:*2");
	unites("n", "n=16:1024:*2", "16:1024:*2");
	unites("n=64:64:*2", "n=100", "64:100");
	unites("n=16:243:*1.5", "n=24:81:*1.5", "16:182:*1.5");
}

/* ---- random ranges ------------------------------------------------------------------------------------ */

static void draw(struct ft_random *r, char *text, size_t size)
{
	double least = 1 + (double)ft_random_below(r, 1000), most = least * exp(12 * ft_random_uniform(r));
	size_t n = 2 + ft_random_below(r, 20), i, length;
	bool whole = ft_random_below(r, 2);

	least = whole ? least : least * 0.01 * ft_random_uniform(r);
	switch (ft_random_below(r, 3)) {
	case 0:
		length = (size_t)snprintf(text, size, "n=%.17g", least);
		for (i = 1; i < n; i++)
			length += (size_t)snprintf(text + length, size - length, ",%.17g",
						   floor(1e6 * ft_random_uniform(r)) / (whole ? 1 : 64));
		break;
	case 1:
		(void)snprintf(text, size, "n=%.17g:%.17g:*%.17g", least, 4 * most,
			       1 + exp(-7 * ft_random_uniform(r)));
		break;
	default:
		(void)snprintf(text, size, "n=%.17g:%.17g:%.17g", least, floor(most) + 1,
			       whole ? 1 + (double)ft_random_below(r, 50) : exp(3 * ft_random_uniform(r)));
	}
}

static bool same(const struct ft_param *a, const struct ft_param *b)
{
	return a->least == b->least && a->most == b->most && a->stride == b->stride &&
	       a->factor == b->factor && a->n_list == b->n_list && !memcmp(a->list, b->list, sizeof a->list);
}

/* Numbers, values, and what is found between them agree. */
static bool is_consistent(const struct ft_param *param, struct ft_random *r)
{
	struct ft_space space = ft_param_space(param);
	double count = ft_space_count(&space), i = floor(count * ft_random_uniform(r));
	double here = ft_space_value(&space, i), next = ft_space_value(&space, i + 1), x, near;

	if (ft_space_value(&space, 0) != param->least || ft_space_value(&space, count - 1) != param->most)
		return false;
	if (!(next > here) || ft_space_floor(&space, here) != i || ft_space_next(&space, here) != next ||
	    !ft_param_admits(param, here) || !ft_param_covers(param, here))
		return false;
	if (i + 1 == count) /* the stride and the progression go on */
		return param->n_list ? isinf(next) : !ft_param_covers(param, next);
	x = here + (next - here) * ft_random_uniform(r);
	near = x - here <= next - x ? here : next;
	if (ft_space_nearest(&space, x) != near || ft_space_floor(&space, x) != (x < next ? i : i + 1))
		return false;
	return ft_param_admits(param, x) ==
	       (fabs(x - near) <= 1e-6 * (param->factor > 0 || param->n_list ? 1e-6 * x : param->stride));
}

/* Of two that are as near the lower one. */
static void test_halfway(void)
{
	static const double list[] = {1, 4, 10};
	const struct ft_space stride = {.least = 2, .most = 10, .stride = 2},
			      sizes = {.sizes = list, .n_sizes = 3};

	ok(ft_space_nearest(&stride, 3) == 2 && ft_space_nearest(&stride, 3.01) == 4 &&
		   ft_space_nearest(&stride, 2.99) == 2 && ft_space_nearest(&stride, 9) == 8 &&
		   ft_space_nearest(&stride, 1) == 2 && ft_space_nearest(&stride, 99) == 10,
	   "the nearest of 2:10:2");
	ok(ft_space_nearest(&sizes, 7) == 4 && ft_space_nearest(&sizes, 7.1) == 10 &&
		   ft_space_nearest(&sizes, 2.5) == 1 && ft_space_nearest(&sizes, 0) == 1,
	   "the nearest of a list");
}

static void test_long_name(void)
{
	struct ft_param param = {0};
	struct ft_err err = {0};

	(void)ft_param_parse("abcdefghijklmnopqrstuvwxyz123456=1", &param, &err);
	ok(strstr(err.text, "longer than 31 bytes"), "%s", err.text);
}

static void test_random(void)
{
	struct ft_random r;

	for (uint64_t seed = 1; seed <= 3000; seed++) {
		char text[1000], again[FT_RANGE_LENGTH] = "n=";
		struct ft_param param, back;
		struct ft_err err = {0};

		r = (struct ft_random){.state = seed};
		draw(&r, text, sizeof text);
		if (ft_param_parse(text, &param, &err)) {
			ok(false, "seed %d, %s: %s", (int)seed, text, err.text);
			return;
		}
		if (param.least == param.most)
			continue;
		(void)ft_param_format(&param, again + 2, sizeof again - 2);
		if (ft_param_parse(again, &back, &err) || !same(&param, &back)) {
			ok(false, "seed %d, %s reads back as %s", (int)seed, text, again);
			return;
		}
		if (!is_consistent(&param, &r)) {
			ok(false, "seed %d, %s: numbers and values agree", (int)seed, text);
			return;
		}
	}
	ok(true, "random ranges read back as they are printed, and their numbers are those of their values");
}

static void test_covers(void)
{
	struct ft_param param;

	(void)ft_param_parse("n=10:100:30", &param, NULL);
	ok(ft_param_covers(&param, 50) && !ft_param_admits(&param, 50) && !ft_param_covers(&param, 101),
	   "data between steps belong to the range");
	(void)ft_param_parse("n=16:100:*2", &param, NULL);
	ok(ft_param_covers(&param, 32) && !ft_param_covers(&param, 33), "... not between powers");
	(void)ft_param_parse("n=16,33", &param, NULL);
	ok(ft_param_covers(&param, 33) && !ft_param_covers(&param, 32), "... nor beside a list");
	(void)ft_param_parse("n", &param, NULL);
	ok(ft_param_covers(&param, -7), "all belong to a range that is not known");
	(void)ft_param_parse("n=16:1024:*2", &param, NULL);
	ok(ft_param_format(&param, (char[4]){0}, 4) == 10, "the length of the whole is told");
}

static void test_sizes(void)
{
	struct ft_size a = {2, {3, 5}}, b = {2, {3, 7}}, c = {2, {4, 1}}, few = {1, {9}};

	ok(ft_size_compare(&a, &b) < 0 && ft_size_compare(&b, &a) > 0 && ft_size_compare(&b, &c) < 0,
	   "the first value that differs decides");
	ok(ft_size_compare(&few, &a) < 0 && ft_size_compare(&a, &few) > 0, "before it the number of values");
	b.value[1] = 5;
	b.value[2] = 8;
	ok(!ft_size_compare(&a, &b) && ft_size_equal(&a, &b) && !ft_size_equal(&a, &c),
	   "what lies behind does not count");
}

/* Steps that are lost in the numbers they are added to: a store of strangers may have them. */
static void test_lost_steps(void)
{
	const struct ft_space space = {.least = 100, .most = 1000, .stride = 1e-300};

	ok(ft_space_floor(&space, 100) < 8 && ft_space_value(&space, ft_space_floor(&space, 100)) == 100,
	   "what is at the least is counted to an end");
	ok(ft_space_floor(&space, 1000) == FT_SPACE_MAX, "what is beyond all counting is the last");
}

int main(void)
{
	test_lost_steps();
	test_halfway();
	test_long_name();
	reads("n=64:3000", "n", 64, 3000, 1);
	reads("n=64:3000:64", "n", 64, 3000, 64);
	reads("m=100", "m", 100, 100, 1);
	reads("n", "n", 0, 0, 1);
	reads("_n2=-1.5:2.5:0.5", "_n2", -1.5, 2.5, 0.5);
	reads("n=1k:2M", "n", 1e3, 2e6, 1);
	reads("n=5:5", "n", 5, 5, 1);
	reads("abcdefghijklmnopqrstuvwxyz12345=1", "abcdefghijklmnopqrstuvwxyz12345", 1, 1, 1);
	reads("n=0:9007199254740991", "n", 0, 0x1p53 - 1, 1);
	reads("n=0:9007199254740992:2", "n", 0, 0x1p53, 2);
	refuses("", FT_EPARSE);
	refuses("=5", FT_EPARSE);
	refuses("2n=5", FT_EPARSE);
	refuses("n =5", FT_EPARSE);
	refuses("n-m=5", FT_EPARSE);
	refuses("n:5", FT_EPARSE);
	refuses("n=", FT_EPARSE);
	refuses("n=:", FT_EPARSE);
	refuses("n=1:", FT_EPARSE);
	refuses("n=:5", FT_EPARSE);
	refuses("n=1:2:", FT_EPARSE);
	refuses("n=1:2:3:4", FT_EPARSE);
	refuses("n=a:b", FT_EPARSE);
	refuses("n=1:nan", FT_EPARSE);
	refuses("n=1,5:3", FT_EPARSE);
	refuses("n=10:5", FT_EINVAL);
	refuses("n=1:5:0", FT_EINVAL);
	refuses("n=1:5:-1", FT_EINVAL);
	refuses("n=0:1e16", FT_EINVAL);
	refuses("n=-1e308:1e308:1", FT_EINVAL);
	refuses("n=0:1:1e-300", FT_EINVAL);
	refuses("abcdefghijklmnopqrstuvwxyz123456=1", FT_EINVAL);
	refuses("wall_s=1:2", FT_EINVAL);
	refuses("work=1:2", FT_EINVAL);
	refuses("n=00000000000000000000000000000000000000000000000000000000000000001:2", FT_EPARSE);
	ok(ft_param_parse("?", &(struct ft_param){0}, NULL) == FT_EPARSE, "err may be NULL");
	test_sizes();
	test_values();
	test_least();
	test_complaints();
	test_unite();
	test_data();
	test_covers();
	test_random();
	return done();
}
