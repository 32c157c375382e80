/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-list.c - parts of a list: page after page they are all of it, a search finds what is there, and no memory
 * is no harm. */
#include "base/alloc.h"
#include "base/random.h"
#include "tap.h"
#include "web/list.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 300 };

static const char *const few =
	"{\"schema\": \"foretime-list-1\", \"programs\": ["
	"{\"name\": \"Alpha\", \"machine\": \"one\"}, {\"name\": \"Alpha\", \"machine\": \"two\"},"
	"{\"name\": \"beta\"}, {\"name\": \"gamma\"}], \"store\": null}";

static bool part_is(const struct ft__list *list, const char *after, const char *search, size_t most,
		    const char *wanted)
{
	char *text = ft__list_part(list, after, search, most);
	bool same = text && !strcmp(text, wanted);

	if (!same)
		printf("# %s\n", text ? text : "nothing");
	ft_free(text);
	return same;
}

static void by_hand(void)
{
	struct ft__list *list = ft__list_new(few, "stamp"), *shared = ft__list_share(list);

	ok(list && !strcmp(ft__list_stamp(list), "stamp"), "a list has its stamp");
	ok(part_is(list, "", "", 1,
		   "{\"schema\":\"foretime-list-1\",\"store\":null,\"programs\":["
		   "{\"name\":\"Alpha\",\"machine\":\"one\"},{\"name\":\"Alpha\",\"machine\":\"two\"}],"
		   "\"found\":3}"),
	   "all rows of a name count as one");
	ft__list_drop(list);
	ok(part_is(shared, "Alpha", "A", 1,
		   "{\"schema\":\"foretime-list-1\",\"store\":null,\"programs\":[{\"name\":\"beta\"}],"
		   "\"found\":2}"),
	   "behind a name, with letters of either case; and it stays while anybody holds it");
	ok(part_is(shared, "gamma", "", 5,
		   "{\"schema\":\"foretime-list-1\",\"store\":null,\"programs\":[],\"found\":0}"),
	   "behind the last there is none");
	ft__list_drop(shared);
	ft__list_drop(NULL);
	list = ft__list_new("{\"programs\": []}", "");
	ok(list && part_is(list, "", "", 5, "{\"programs\":[],\"found\":0}"), "an object with nothing else");
	ft__list_drop(list);
	ok(!ft__list_new("[1", "") && !ft__list_new("{\"programs\": 3}", "") && !ft__list_new("", ""),
	   "what is no list is none");
}

static void add_name(json_t *programs, struct ft_random *random, int i)
{
	char name[16];

	(void)snprintf(name, sizeof name, "%04d%c", i, "abcdEFGH"[ft_random_below(random, 8)]);
	(void)json_array_append_new(programs, json_pack("{s:s}", "name", name));
}

static size_t count(const json_t *programs, char letter)
{
	const json_t *each;
	size_t i, n = 0;

	json_array_foreach(programs, i, each) n +=
		tolower(json_string_value(json_object_get(each, "name"))[4]) == letter;
	return n;
}

/* Page after page: each row once, in order, and `found` is what is left. */
static bool pages(const struct ft__list *list, char letter, size_t most, size_t wanted)
{
	char search[2] = {letter, '\0'}, after[16] = "";
	size_t seen = 0, n = 1;

	while (n) {
		char *text = ft__list_part(list, after, search, most);
		json_t *all = json_loads(text, 0, NULL), *rows = json_object_get(all, "programs");
		size_t found = (size_t)json_integer_value(json_object_get(all, "found"));

		n = json_array_size(rows);
		if (found != wanted - seen || n != (found < most ? found : most) || count(rows, letter) != n)
			n = 0, wanted = SIZE_MAX;
		seen += n;
		if (n)
			(void)snprintf(
				after, sizeof after, "%s",
				json_string_value(json_object_get(json_array_get(rows, n - 1), "name")));
		json_decref(all);
		ft_free(text);
	}
	return seen == wanted;
}

static void at_random(void)
{
	struct ft_random random = {test_seed()};
	json_t *programs = json_array(), *all = json_pack("{s:o}", "programs", programs);
	struct ft__list *list;
	int cases = test_cases(30), bad = 0, i;
	char *text;

	for (i = 0; i < NAMES; i++)
		add_name(programs, &random, i);
	text = json_dumps(all, 0);
	list = ft__list_new(text, "");
	for (i = 0; i < cases; i++) {
		char letter = "abcdefghx"[ft_random_below(&random, 9)];

		bad += !pages(list, letter, 1 + ft_random_below(&random, 40), count(programs, letter));
	}
	ok(!bad, "%d searches, page after page: each name once, and as many as were said", cases);
	ft__list_drop(list);
	free(text);
	json_decref(all);
}

static void faults(void)
{
	struct ft__list *list;
	char *part = NULL;
	unsigned long n = 0;
	int bad = 0;

	do {
		bad += part != NULL;
		ft_free(part);
		(void)ft_alloc_fail_at(++n);
		list = ft__list_new(few, "stamp");
		part = list ? ft__list_part(list, "", "", 9) : NULL;
		ft__list_drop(list);
	} while (ft_alloc_fail_at(0) >= n);
	ok(n > 5 && !bad && part, "%lu allocations, each failed once: no list, or no part", n - 1);
	ft_free(part);
}

int main(void)
{
	by_hand();
	at_random();
	faults();
	return done();
}
