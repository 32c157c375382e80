/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-field.c - values as they were typed, read by the rows of their fields. */
#include "base/alloc.h"
#include "base/field.h"
#include "base/random.h"
#include "foretime/base.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum colour { RED, GREEN, BLUE };

struct asked {
	bool plain;
	const char *name;
	struct ft_field_texts texts;
	double number, share, part, risk, wait_s, bytes;
	size_t count;
	struct ft_field_counts counts;
	enum colour colour;
};

#define AT(member) .name = #member, .at = offsetof(struct asked, member)
static const struct ft_field fields[] = {
	{AT(plain), .kind = FT_FIELD_FLAG},
	{AT(name), .kind = FT_FIELD_TEXT},
	{AT(texts), .kind = FT_FIELD_TEXTS},
	{AT(number), .kind = FT_FIELD_NUMBER},
	{AT(share), .kind = FT_FIELD_SHARE, .least = 0.5, .most = 0.9995},
	{AT(part), .kind = FT_FIELD_PART},
	{AT(risk), .kind = FT_FIELD_SHARE, .least = 0.001, .most = 0.25, .words = "least|double"},
	{AT(wait_s), .kind = FT_FIELD_DURATION, .least = 1, .most = 60},
	{AT(bytes), .kind = FT_FIELD_BYTES},
	{AT(count), .kind = FT_FIELD_COUNT, .least = 1, .words = "auto|all"},
	{AT(counts), .kind = FT_FIELD_COUNTS},
	{AT(colour), .kind = FT_FIELD_WORD, .words = "red|green|blue"},
	{0},
};

static struct asked asked;
static struct ft_err err;

static enum ft_status take(const char *name, const char *text)
{
	const struct ft_field *field = ft_field_find(fields, name, strlen(name));

	err = (struct ft_err){0};
	return ft_field_read(field, (char *)&asked + field->at, text, &err);
}

static void test_kinds(void)
{
	asked = (struct asked){0};
	ok(!take("plain", "") && asked.plain, "a flag is set");
	ok(!take("name", "x y") && !strcmp(asked.name, "x y") && take("name", "") == FT_EPARSE,
	   "a text is no empty one");
	ok(!take("number", "-2.5") && asked.number == -2.5 && take("number", "x"), "a number");
	ok(!take("share", "99.9%") && fabs(asked.share - 0.999) < 1e-12,
	   "99.9 percent is a share within its range");
	ok(take("share", "99.99%") && take("share", "0.4") && fabs(asked.share - 0.999) < 1e-12,
	   "what is out of range leaves the value as it was");
	ok(!take("part", "0") && asked.part == 0 && !take("part", "1") && asked.part == 1,
	   "a part may be none, or all");
	ok(!take("wait_s", "1m") && asked.wait_s == 60 && take("wait_s", "2m") == FT_EINVAL,
	   "a duration, with a range");
	ok(!take("bytes", "2KiB") && asked.bytes == 2048, "bytes");
	ok(!take("count", "7") && asked.count == 7 && take("count", "0") == FT_EPARSE &&
		   take("count", "7.5") == FT_EPARSE && take("count", "-1") == FT_EPARSE && asked.count == 7,
	   "a count from 1 on");
	ok(!take("count", "auto") && asked.count == SIZE_MAX && !take("count", "all") &&
		   asked.count == SIZE_MAX - 1 && take("count", "autos") == FT_EPARSE,
	   "or a word");
	ok(!take("counts", "2:10:30s") && asked.counts.least == 2 && asked.counts.most == 10 &&
		   asked.counts.limit_s == 30 && take("counts", "3:2") == FT_EINVAL &&
		   take("counts", "3") == FT_EPARSE && asked.counts.most == 10,
	   "a range of counts");
}

static void test_words(void)
{
	asked = (struct asked){.colour = RED};
	ok(!take("colour", "blue") && asked.colour == BLUE, "a word is its place in the list");
	ok(take("colour", "gree") == FT_EINVAL && asked.colour == BLUE &&
		   !strcmp(err.remedy, "write red, green or blue"),
	   "no beginning of a word is one, and the remedy lists them: %s", err.remedy);
	ok(take("colour", "red|green"), "nor are two words");
	ok(!take("risk", "least") && asked.risk == -1 && !take("risk", "double") && asked.risk == -2 &&
		   !take("risk", "5") && asked.risk == 0.05,
	   "a number that may be a word");
}

static void test_texts(void)
{
	size_t n = 0;

	asked = (struct asked){0};
	while (n <= FT_FIELD_TEXTS_MOST && !take("texts", "x"))
		n++;
	ok(n == FT_FIELD_TEXTS_MOST && asked.texts.n == n,
	   "a text that may be given several times, but not for ever: %zu", n);
}

/* Whatever is typed, a value is set where it was understood, and only there. */
static void test_random(void)
{
	static const char bytes[] = "0123456789.%:-+ekMGsm inaf|redgreen";
	struct ft_random random = {test_seed()};
	size_t wrong = 0, taken = 0;

	for (size_t turn = 0; turn < 100000; turn++) {
		char text[12];
		size_t n = ft_random_below(&random, sizeof text),
		       i = ft_random_below(&random, sizeof fields / sizeof *fields - 1);

		for (size_t k = 0; k < n; k++)
			text[k] = bytes[ft_random_below(&random, sizeof bytes - 1)];
		text[n ? n - 1 : 0] = '\0';
		struct asked before = asked =
			(struct asked){.share = 0.7, .risk = 0.1, .wait_s = 2, .count = 3, .colour = GREEN};
		enum ft_status status = take(fields[i].name, text);
		taken += !status;
		wrong += status && memcmp(&before, &asked, sizeof asked) != 0;
		wrong += !(asked.share >= 0.5 && asked.share <= 0.9995) ||
			 !(asked.wait_s >= 1 && asked.wait_s <= 60) || !asked.count || asked.colour > BLUE ||
			 !(asked.risk == -1 || asked.risk == -2 ||
			   (asked.risk >= 0.001 && asked.risk <= 0.25));
	}
	ok(!wrong && taken > 1000, "100,000 texts: %zu understood, %zu wrong, seed %llu", taken, wrong,
	   (unsigned long long)test_seed());
}

static void test_flat(void)
{
	struct asked one = {0};
	double other = 0;
	const struct ft_field options[] = {
		{.name = "first", .kind = FT_FIELD_NUMBER, .where = &other},
		{.name = "question", .kind = FT_FIELD_ROWS, .where = &one, .rows = fields},
		{.name = "last", .kind = FT_FIELD_NUMBER, .where = &other},
		{0},
	};
	struct ft_field *flat = ft_fields_flat(options);
	size_t n = 0;

	while (flat && flat[n].name)
		n++;
	ok(flat && n == sizeof fields / sizeof *fields + 1 && flat[0].where == &other &&
		   flat[4].where == &one.number && !strcmp(flat[n - 1].name, "last"),
	   "the rows of a question stand among the options, and know where their values go");
	ft_free(flat);
	(void)ft_alloc_fail_at(1);
	flat = ft_fields_flat(options);
	(void)ft_alloc_fail_at(0);
	ok(!flat, "no memory");
	ft_free(flat);
}

static void test_together(void)
{
	static const struct ft_field some[] = {
		{.name = "at", .not_with = "when load"},
		{.name = "when"},
		{.name = "load", .not_with = "a"},
		{.name = "a"},
		{.name = "loads"},
	};
	/* whether the i-th excludes the k-th one */
	static const bool expected[5][5] = {{0, 1, 1, 0, 0}, {1}, {1, 0, 0, 1, 0}, {0, 0, 1, 0, 0}, {0}};
	size_t wrong = 0;

	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 5; k++) {
			err = (struct ft_err){0};
			wrong += ft_fields_exclude(&some[i], &some[k]) != expected[i][k];
			wrong += (ft_fields_together(&some[i], &some[k], "--", &err) == FT_EINVAL) !=
				 expected[i][k];
		}
	ok(!wrong, "fields exclude each other by whole names, whichever of the two says so");
	ok(ft_fields_together(&some[1], &some[0], "--", &err) == FT_EINVAL &&
		   !strcmp(err.text, "--when and --at exclude each other") && *err.remedy,
	   "one sentence: %s; %s", err.text, err.remedy);
}

static void test_flags(void)
{
	static const char *const words[] = {"no", "YES", "False", "true", "off", "on", "0", "1"};
	size_t right = 0;
	bool flag;

	for (size_t i = 0; i < 8; i++)
		right += !ft_flag_read(words[i], &flag, &err) && flag == i % 2;
	flag = true;
	ok(right == 8 && ft_flag_read("perhaps", &flag, &err) == FT_EPARSE && flag &&
		   ft_flag_read("", &flag, &err) == FT_EPARSE,
	   "a flag of a file is one of eight words: %s", err.text);
}

int main(void)
{
	test_kinds();
	test_words();
	test_texts();
	test_random();
	test_flat();
	test_together();
	test_flags();
	return done();
}
