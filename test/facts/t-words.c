/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-words.c - the closed lists: each word leads to what it is the word of, and no other does. */
#include "tap.h"

#include "foretime/facts.h"

static void test_resources(void)
{
	const struct ft_resource *resource;
	bool found = true, disturbed = true;
	size_t i;

	for (i = 0; (resource = ft_resource_get(i)); i++) {
		found = found && ft_resource_find(resource->name) == resource;
		disturbed =
			disturbed && ft_resource_is_disturbed(resource->name) ==
					     (!strcmp(resource->unit, "s") || !strcmp(resource->unit, "J"));
	}
	ok(found && i == 22 && !strcmp(ft_resource_get(0)->name, "wall_s"), "%zu resources, each by its name",
	   i);
	ok(disturbed && !ft_resource_is_disturbed("magic"), "others disturb seconds and joules");
	ok(ft_resource_class("wall_s") == FT_CLASS_TIME &&
		   ft_resource_class("peak_rss_bytes") == FT_CLASS_MEMORY &&
		   ft_resource_class("energy_j") == FT_CLASS_ENERGY,
	   "time, memory and energy are classes of their own");
	ok(ft_resource_class("instructions") == FT_CLASS_COUNT &&
		   ft_resource_class("read_bytes") == FT_CLASS_COUNT &&
		   ft_resource_class("branch-misses") == FT_CLASS_COUNT,
	   "events and transferred bytes are counts");
	ok(!strcmp(ft_resource_unit("peak_rss_bytes"), "bytes") && !*ft_resource_unit("magic"),
	   "each has a unit, and what is none has none");
	ok(!ft_resource_find("magic") && !ft_resource_find(""), "no other is one");
}

static void test_meant(void)
{
	static const char *const meant[][2] = {{"time", "wall_s"},           {"energy", "energy_j"},
					       {"memory", "peak_rss_bytes"}, {"cpu_s", "cpu_s"},
					       {"magic", "magic"},           {"", ""}};

	for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
		ok(!strcmp(ft_resource_meant(meant[i][0]), meant[i][1]), "'%s' means '%s'", meant[i][0],
		   meant[i][1]);
	ok(!ft_resource_meant(NULL), "no word means none");
}

static void test_lists(void)
{
	enum ft_outcome outcome = FT_DONE;
	enum ft_label label = FT_MEASURED;
	int i, n, same = 0;

	for (n = 0; strcmp(ft_label_text((enum ft_label)n), "unknown") != 0; n++)
		same += ft_label_parse(ft_label_text((enum ft_label)n), &label) && (int)label == n;
	ok(n == FT_UNAVAILABLE + 1 && same == n, "%d labels there and back", n);
	ok(!ft_label_parse("measure", &label) && label == FT_UNAVAILABLE, "another word: unavailable");
	for (i = 0, same = 0; strcmp(ft_outcome_text((enum ft_outcome)i), "unknown") != 0; i++)
		same += ft_outcome_parse(ft_outcome_text((enum ft_outcome)i), &outcome) && (int)outcome == i;
	ok(i == FT_INTERRUPTED + 1 && same == i, "%d outcomes there and back", i);
	ok(!ft_outcome_parse("don", &outcome) && outcome == FT_FAILED, "another word: failed");
	for (i = 0; strcmp(ft_stop_text((enum ft_stop)i), "unknown") != 0; i++)
		;
	ok(i == FT_STOP_INTERRUPTED + 1 && !strcmp(ft_stop_text((enum ft_stop) - 1), "unknown"),
	   "%d reasons to stop", i);
}

int main(void)
{
	test_resources();
	test_meant();
	test_lists();
	return done();
}
