/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-tell.c - one struct of every kind of member as JSON, columns, CSV and schema; and without memory. */
#include "tap.h"
#include "tell/answers.h"
#include "tell/tell.h"
#include "temp.h"

#include <math.h>

struct inner {
	char key[8];
	double value;
};

struct all {
	double number, none;
	size_t count;
	int integer;
	int64_t large, at_ns;
	bool yes;
	const char *text, *unit, *missing;
	char chars[8];
	struct ft_size size;
	struct inner inner[2], *list, *nobody;
	size_t n_inner, n_list;
	double *numbers;
	size_t n_numbers;
	json_t *done;
};

static const char *say(const void *at)
{
	return *(const int *)at ? "many" : "none";
}

static double twice(const void *at)
{
	return 2 * *(const double *)at;
}

static bool is_there(const void *answer)
{
	return ((const struct all *)answer)->yes;
}

static char *cell(const void *record, const struct ft_tell_with *with)
{
	char *text = malloc(32);

	(void)snprintf(text, 32, "%s %zu", with->runs, ((const struct all *)record)->count);
	return text;
}

static const struct ft_tell_row inner_rows[] = {
	{FT_TELL(struct inner, key), .head = "key"},
	{FT_TELL(struct inner, value), .null = "unknown", .about = "seconds", .head = ">time", .unit = "s"},
	{0},
};
static const struct ft_tell_record inner = {
	.name = "inner", .bytes = sizeof(struct inner), .row = inner_rows};

static const struct ft_tell_row few_rows[] = {
	{FT_TELL_BY(GOT, "twice", struct all, number), .get = twice, .whole = true},
	{0},
};
static const struct ft_tell_record few = {.row = few_rows, .there = is_there};

static const struct ft_tell_row all_rows[] = {
	{FT_TELL(struct all, number), .head = ">number", .unit = "", .csv = true},
	{FT_TELL(struct all, none), .null = "not known", .head = ">share", .unit = "+-", .csv = true},
	{FT_TELL(struct all, count), .head = ">count", .csv = true},
	{FT_TELL_AS("int", struct all, integer), .null = ""},
	{FT_TELL(struct all, large), .about = "more than an int holds"},
	{FT_TELL_BY(TIME, "at", struct all, at_ns), .null = "never"},
	{FT_TELL(struct all, yes), .head = "yes", .detail = true},
	{FT_TELL(struct all, text), .csv = true},
	{FT_TELL(struct all, unit)},
	{FT_TELL(struct all, missing), .absent = "not asked for", .head = "missing", .csv = true},
	{FT_TELL(struct all, chars)},
	{FT_TELL_AS(NULL, struct all, size)},
	{FT_TELL(struct all, size)},
	{FT_TELL_BY(SAID, "said", struct all, integer), .say = say, .words = "many|none"},
	{FT_TELL_BY(RECORD, "few", struct all, number), .of = &few, .null = "not there"},
	{FT_TELL_BY(POINTER, "nobody", struct all, nobody), .of = &inner, .null = ""},
	{FT_TELL_BY(ROWS, NULL, struct all, inner), .of = &inner},
	{FT_TELL_BY(PERHAPS, NULL, struct all, nobody), .of = &inner},
	{FT_TELL_MANY(ARRAY, "array", struct all, inner, n_inner, &inner)},
	{FT_TELL_MANY(MAP, "map", struct all, list, n_list, &inner)},
	{FT_TELL_MANY(LIST, "numbers", struct all, numbers, n_numbers, &ft_tell_numbers)},
	{FT_TELL(struct all, done), .of = &ft_tell_texts},
	{FT_TELL_AS(NULL, struct all, count), .head = ">of %s", .cell = cell},
	{0},
};
static const struct ft_tell_record record = {
	.name = "all", .action = "test", .version = 3, .bytes = sizeof(struct all), .row = all_rows};

static const struct ft_tell_record other = {
	.name = "all", .action = "other", .version = 3, .row = inner_rows};

static struct ft_program program = {.param = {{.name = "n"}, {.name = "m"}}, .n_params = 2};
static const struct ft_tell_with with = {
	.program = &program, .unit = "s", .runs = "90 % of runs", .verbose = true};
static double numbers[] = {1, NAN, 0.1};
static struct all answer = {
	.number = 2048,
	.none = NAN,
	.count = 3,
	.large = INT64_C(5000000000),
	.text = "a,\"b\"\xff",
	.unit = "bytes",
	.chars = "c",
	.size = {.n = 2, .value = {4, 0.5}},
	.inner = {{"one", 1}, {"two", 0.1}},
	.n_inner = 2,
	.n_list = 2,
	.numbers = numbers,
	.n_numbers = 3,
};

static const char *const expected_json =
	"{\"schema\":\"foretime-all-3\",\"action\":\"test\",\"number\":2048,\"none\":null,\"count\":3,"
	"\"int\":null,\"large\":5000000000,\"at\":null,\"yes\":false,\"text\":\"a,\\\"b\\\"\","
	"\"unit\":\"bytes\",\"chars\":\"c\",\"n\":4,\"m\":0.5,\"size\":{\"n\":4,\"m\":0.5},"
	"\"said\":\"none\",\"few\":null,\"nobody\":null,\"key\":\"one\",\"value\":1,"
	"\"array\":[{\"key\":\"one\",\"value\":1},{\"key\":\"two\",\"value\":0.1}],"
	"\"map\":{\"one\":{\"value\":1},\"two\":{\"value\":0.1}},\"numbers\":[1,null,0.1],\"done\":[\"d\"]}";

/* Printed, without blanks. */
static char *dumped(const json_t *value)
{
	char *text = NULL, *to;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	if (ft_tell_print(value, file))
		diag("not printed");
	(void)fclose(file);
	for (char *from = to = text; *from; from++)
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
	*to = '\0';
	return text;
}

/* ---- a struct with a program of its own, and rows for people only ---------------------------------------
 */

struct owned {
	const struct ft_program *program;
	struct ft_size size;
	double value, unknown;
	int64_t bytes, at_ns;
	json_t *deep;
};

static char *doubled(const void *at, const struct ft_tell_with *unused)
{
	char *text = malloc(32);

	(void)unused;
	(void)snprintf(text, 32, "%g", 2 * ((const struct owned *)at)->value);
	return text;
}

static const struct ft_tell_row pair_rows[] = {
	{FT_TELL(struct inner, key)}, {FT_TELL_AS("", struct inner, value)}, {0}};
static const struct ft_tell_record pairs = {.bytes = sizeof(struct inner), .row = pair_rows};

static const struct ft_tell_row owned_rows[] = {
	{FT_TELL_BY(PROGRAM, NULL, struct owned, program)},
	{FT_TELL_AS(NULL, struct owned, size), .head = ""},
	{FT_TELL(struct owned, size)},
	{FT_TELL_WHOLE(MADE, "made"), .head = "made", .cell = doubled},
	{FT_TELL_AS(NULL, struct owned, value), .head = ">value", .unit = ".2f"},
	{FT_TELL(struct owned, unknown), .null = "", .head = ">unknown", .unit = "s", .none = "none"},
	{FT_TELL_AS(NULL, struct owned, bytes), .null = "", .head = ">memory", .unit = "bytes"},
	{FT_TELL_BY(TIME, NULL, struct owned, at_ns), .head = "when"},
	{FT_TELL(struct owned, deep), .of = &ft_tell_numbers, .deep = true},
	{0},
};
static const struct ft_tell_record owned = {.name = "owned", .version = 1, .row = owned_rows};

static void test_owned(void)
{
	static const char *const expected[] = {"4", "0.5", "3", "1.50", "none", "-", "at an unknown time"};
	static const struct ft_tell_record *const one[] = {&owned};
	const struct owned self = {
		.program = &program, .size = answer.size, .value = 1.5, .unknown = NAN, .deep = answer.done};
	struct ft_tell_column column[FT_TELL_COLUMNS];
	size_t n = ft_tell_columns(&owned, NULL, &with, false, column), i;
	json_t *value = ft_tell_json(&owned, &self, NULL), *schema = ft_tell_schema(one, 1);
	char *text = dumped(value);

	ok(!strcmp(text, "{\"schema\":\"foretime-owned-1\",\"size\":{\"n\":4,\"m\":0.5},\"made\":\"3\","
			 "\"unknown\":null,\"deep\":[\"d\"]}"),
	   "its own program, and nothing that is for people only: %s", text);
	ok(n == sizeof expected / sizeof *expected, "%zu columns", n);
	for (i = 0; i < n; i++) {
		char *said = ft_tell_cell(&owned, &column[i], &self, &with);

		ok(!strcmp(said, expected[i]), "column %zu: %s", i, said);
		free(said);
	}
	ok(json_array_size(json_object_get(
		   json_object_get(json_object_get(json_object_get(schema, "properties"), "deep"), "items"),
		   "anyOf")) == 2 &&
		   json_is_false(json_object_get(schema, "additionalProperties")),
	   "items, or lists of them");
	json_decref(schema);
	json_decref(value);
	free(text);
}

struct judged {
	enum ft_outcome outcome;
	double share, beyond;
};

/* The word of an enum, and digits of a share; a figure that is none is no figure. */
static void test_words(void)
{
	static const struct ft_tell_row rows[] = {
		{FT_TELL_BY(WORD, "outcome", struct judged, outcome), .word = ft_outcome_text, .head = "how"},
		{FT_TELL(struct judged, share), .head = ">share", .unit = ".1f %"},
		{FT_TELL(struct judged, beyond), .null = "", .head = ">beyond", .unit = ".3g"},
		{0}};
	static const char *const expected[] = {"timed out", "12.5 %", "-"};
	static const struct ft_tell_record judged = {.bytes = sizeof(struct judged), .row = rows};
	const struct judged one = {FT_TIMED_OUT, 0.12453, INFINITY};
	struct ft_tell_column column[FT_TELL_COLUMNS];
	size_t n = ft_tell_columns(&judged, NULL, &with, false, column), i;
	json_t *value = ft_tell_json(&judged, &one, NULL);
	char *text = dumped(value);

	ok(!strcmp(text, "{\"outcome\":\"timedout\",\"share\":0.12453,\"beyond\":null}"),
	   "an enum's word: %s", text);
	for (i = 0; i < n; i++) {
		char *said = ft_tell_cell(&judged, &column[i], &one, &with);

		ok(!strcmp(said, expected[i]), "column %zu: %s", i, said);
		free(said);
	}
	free(text);
	json_decref(value);
}

static void test_pairs(void)
{
	static const struct ft_tell_row rows[] = {
		{FT_TELL_MANY(MAP, "map", struct all, list, n_list, &pairs)}, {0}};
	static const struct ft_tell_record of_pairs = {.row = rows};
	json_t *value = ft_tell_json(&of_pairs, &answer, NULL);
	char *text = dumped(value);

	ok(!strcmp(text, "{\"map\":{\"one\":1,\"two\":0.1}}"), "names with values: %s", text);
	free(text);
	json_decref(value);
}

static void test_json(void)
{
	json_t *value = ft_tell_json(&record, &answer, &with);
	char *text = dumped(value);

	if (!ok(!strcmp(text, expected_json), "every kind of member as JSON"))
		diag("%s", text);
	free(text);
	json_decref(value);
}

static void test_schema(void)
{
	static const struct ft_tell_record *const both[] = {&record, &other};
	json_t *one = ft_tell_schema(both, 1), *two = ft_tell_schema(both, 2), *properties, *few_too;
	const json_t *required = json_object_get(one, "required");

	properties = json_object_get(one, "properties");
	few_too = json_object_get(json_object_get(properties, "few"), "anyOf");
	ok(json_object_size(properties) == 23 && json_array_size(required) == 22,
	   "each key once, and what may be absent is not required");
	ok(json_is_object(json_object_get(json_object_get(one, "$defs"), "inner")),
	   "records with a name once");
	ok(json_array_size(few_too) == 2, "a record that may be null");
	char *text = json_dumps(json_object_get(properties, "none"), 0);
	ok(!strcmp(text, "{\"type\": [\"number\", \"null\"], \"description\": \"null: not known\"}"),
	   "what null means: %s", text);
	free(text);
	text = json_dumps(json_object_get(properties, "said"), 0);
	ok(!strcmp(text, "{\"enum\": [\"many\", \"none\"]}"), "words: %s", text);
	free(text);
	ok(json_array_size(json_object_get(two, "anyOf")) == 2 &&
		   json_object_get(json_object_get(two, "$defs"), "test"),
	   "several answers of a command");
	json_decref(one);
	json_decref(two);
}

static void test_columns(void)
{
	static const char *const expected[][2] = {
		{">number", "2.00 KiB"}, {">share", "-"},
		{">count", "3"},         {"yes", "no"},
		{"missing", ""},         {">n", "4"},
		{">m", "0.5"},           {"key", "one"},
		{">time", "1.00 s"},     {">of 90 % of runs", "90 % of runs 3"}};
	struct ft_tell_column column[FT_TELL_COLUMNS];
	size_t n = ft_tell_columns(&record, NULL, &with, false, column), i;

	struct ft_tell_with brief = with;

	ok(n == sizeof expected / sizeof *expected, "%zu columns", n);
	brief.verbose = false;
	ok(ft_tell_columns(&record, NULL, &brief, false, column) == n - 1 && column[3].row->head[0] == 'm',
	   "without details one less");
	n = ft_tell_columns(&record, NULL, &with, false, column);
	for (i = 0; i < n; i++) {
		char *head = ft_tell_head(&column[i], &with);
		char *text = ft_tell_cell(&record, &column[i], &answer, &with);

		ok(!strcmp(head, expected[i][0]) && !strcmp(text, expected[i][1]), "%s: %s", head, text);
		free(head);
		free(text);
	}
}

/* Where a prediction comes from, in a few words. */
static void test_basis(void)
{
	static const struct {
		struct ft_prediction said;
		const char *law, *text;
	} cases[] = {{{.basis = FT_BASIS_AT_KNOT, .distance = 1}, NULL, "measured"},
		     {{.basis = FT_BASIS_BETWEEN, .distance = 1}, NULL, "interpolated"},
		     {{.basis = FT_BASIS_BEYOND, .distance = 4}, "n^2", "extrapolated 4x, n^2"},
		     {{.basis = FT_BASIS_BEYOND, .distance = 1.984}, NULL, "extrapolated 1.98x"},
		     {{.basis = FT_BASIS_BEYOND, .distance = 4585900}, NULL, "extrapolated over 1000x"},
		     {{.basis = FT_BASIS_STATED, .distance = 10}, NULL, "estimated 10x"},
		     {{.basis = FT_BASIS_STATED, .distance = 1}, NULL, "estimated"},
		     {{.basis = FT_BASIS_AT_KNOT, .distance = 1, .zeros = 15, .runs = 16},
		      NULL,
		      "measured, 0 in 15 of 16 runs"}};
	char accuracy[FT_TELL_WITHIN];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = ft_tell_basis(&cases[i].said, cases[i].law);

		ok(!strcmp(text, cases[i].text), "%s", text);
		free(text);
	}
	const struct {
		double value, lower, upper;
		const char *text;
	} ends[] = {{2, 1, 3, "1.00 s .. 3.00 s"}, {2, 1, INFINITY, "1.00 s .. not known"},
		    {2, 0, 3, "at most 3.00 s"},   {2, 0, INFINITY, "not known"},
		    {0, 0, 3, "0 s .. 3.00 s"},    {2, NAN, NAN, "-"}};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const struct ft_prediction said = {
			.value = ends[i].value, .lower = ends[i].lower, .upper = ends[i].upper};
		char *text = ft_tell_interval(&said, "s");

		ok(!strcmp(text, ends[i].text), "an interval: %s", text);
		free(text);
	}
	ok(!strcmp(ft_tell_within(0.0666, accuracy), "6.7 %") &&
		   !strcmp(ft_tell_within(0.0054, accuracy), "0.54 %") &&
		   !strcmp(ft_tell_within(1.2, accuracy), "120 %") &&
		   !strcmp(ft_tell_within(20, accuracy), "over 1000 %") &&
		   !strcmp(ft_tell_within(NAN, accuracy), "-"),
	   "accuracies in two digits");
}

static void test_csv(void)
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	ok(!ft_tell_csv(file, &record, &answer, 1, &with, true) &&
		   !ft_tell_csv(file, &record, &answer, 1, &with, false),
	   "lines of CSV");
	(void)fclose(file);
	ok(!strcmp(text, "number,none,count,text,n,m\n"
			 "2048,,3,\"a,\"\"b\"\"\xff\",4,0.5\n2048,,3,\"a,\"\"b\"\"\xff\",4,0.5\n"),
	   "quoted where they must be, nothing for NaN");
	free(text);
}

static long left; /* allocations of jansson until one fails; negative: none does */

static void *scarce(size_t bytes)
{
	return left >= 0 && left-- == 0 ? NULL : malloc(bytes);
}

static void test_memory(void)
{
	static const struct ft_tell_record *const one[] = {&record};
	size_t failed = 0, answer_anyway = 0;

	json_set_alloc_funcs(scarce, free);
	for (size_t i = 0; i < 120; i++) {
		left = (long)i;
		json_t *value = ft_tell_json(&record, &answer, &with);
		failed += !value;
		answer_anyway += value && left < 0;
		json_decref(value);
		left = (long)i;
		json_t *schema = ft_tell_schema(one, 1);
		answer_anyway += schema && left < 0;
		json_decref(schema);
	}
	left = -1;
	json_set_alloc_funcs(malloc, free);
	ok(failed > 40 && !answer_anyway, "without memory nothing is told: %zu times, %zu all the same",
	   failed, answer_anyway);
}

/* ---- answers that were kept ------------------------------------------------------------------------- */

static void check_text(const char *text, size_t length, enum ft_status wanted, const char *words)
{
	struct ft_err err = {0};
	json_t *value;
	enum ft_status status = ft_tell_parse("kept.json", text, length, &value, &err);

	ok(status == wanted && !value == (wanted != FT_OK) && strstr(err.text, words), "%zu bytes: %s",
	   length, status ? err.text : "are read");
	json_decref(value);
}

static void test_read(void)
{
	enum { EMPTY = 5000000 };
	char *many = malloc(3 * EMPTY + 2);
	struct ft_err err = {0};
	json_t *value;

	check_text("{\"a\": 1}", 8, FT_OK, "");
	check_text("{\"a\": 1,\n \"a\": 2}", 19, FT_EPARSE, "line 2");
	check_text("", 0, FT_EPARSE, "kept.json");
	for (size_t i = 0; many && i < EMPTY; i++)
		memcpy(many + 1 + 3 * i, "{},", 3);
	if (many) {
		many[0] = '[';
		many[3 * EMPTY] = ']';
		check_text(many, 3 * EMPTY + 1, FT_EINVAL, "more than 1024 MiB");
	}
	free(many);
	(void)temp_write(temp_path("kept.json"), "{\"a\": [1]}\n", 0644);
	ok(!ft_tell_read_json(temp_path("kept.json"), &value, &err) &&
		   json_array_size(json_object_get(value, "a")) == 1,
	   "a file %s", err.text);
	json_decref(value);
	ok(ft_tell_read_json(temp_path("none.json"), &value, &err) == FT_ENOENT && !value, "%s", err.text);
	temp_remove();
}

int main(void)
{
	answer.list = answer.inner;
	answer.done = json_pack("[s]", "d");
	test_json();
	test_owned();
	test_words();
	test_pairs();
	test_schema();
	test_columns();
	test_basis();
	test_csv();
	test_memory();
	test_read();
	json_decref(answer.done);
	return done();
}
