/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-words.c - the closed lists: each word leads to what it is the word of, and no other does. */
#include "tap.h"

#include "facts/door.h"
#include "foretime/facts.h"

#include <pthread.h>
#include <strings.h>

static void test_resources(void)
{
	const struct ft_resource *resource;
	bool found = true, disturbed = true, unit = true;
	size_t i;

	for (i = 0; (resource = ft_resource_get(i)); i++) {
		const size_t length = strlen(resource->name), end = strlen(resource->unit);

		found = found && ft_resource_find(resource->name) == resource && !resource->counter;
		disturbed = disturbed && resource->disturbed == (!strcmp(resource->unit, "s") ||
								 !strcmp(resource->unit, "J"));
		unit = unit && (!end || (length > end && resource->name[length - end - 1] == '_' &&
					 !strcasecmp(resource->name + length - end, resource->unit)));
	}
	ok(found && i == 28 && ft_resource_get(0) == &ft_wall_s, "%zu resources, each by its name", i);
	ok(disturbed, "others disturb seconds and joules");
	ok(unit, "a unit is the last word of the name");
	ok(ft_wall_s.of == FT_CLASS_TIME && ft_peak_rss_bytes.of == FT_CLASS_MEMORY &&
		   ft_energy_j.of == FT_CLASS_ENERGY && ft_instructions.of == FT_CLASS_COUNT &&
		   ft_read_bytes.of == FT_CLASS_COUNT,
	   "time, memory, energy, and what is counted");
	ok(!ft_resource_find("magic") && !ft_resource_find("") && !ft_resource_find("time"),
	   "no other is one");
}

/* Each word means one resource, and is no resource's name. */
static void test_typed(void)
{
	static const struct {
		const char *word;
		const struct ft_resource *meant;
	} typed[] = {{"time", &ft_wall_s},
		     {"wall", &ft_wall_s},
		     {"cpu", &ft_cpu_s},
		     {"memory", &ft_peak_rss_bytes},
		     {"mem", &ft_peak_rss_bytes},
		     {"ram", &ft_peak_rss_bytes},
		     {"rss", &ft_peak_rss_bytes},
		     {"energy", &ft_energy_j},
		     {"reads", &ft_read_bytes},
		     {"writes", &ft_written_bytes},
		     {"output", &ft_output_bytes},
		     {"sent", &ft_sent_bytes},
		     {"received", &ft_received_bytes},
		     {"scratch", &ft_scratch_bytes},
		     {"disk", &ft_scratch_bytes},
		     {"gpu_memory", &ft_gpu_memory_bytes},
		     {"vram", &ft_gpu_memory_bytes},
		     {"gpu", &ft_gpu_s},
		     {"cpu_s", &ft_cpu_s},
		     {"instructions", &ft_instructions},
		     {"magic", NULL},
		     {"", NULL},
		     {"memory mem", NULL},
		     {"mem ", NULL},
		     {" ", NULL},
		     {"me", NULL},
		     {"MEM", NULL}};
	const struct ft_resource *resource, *found;
	size_t words = 0, good = 0;
	char word[FT_RESOURCE_LENGTH];

	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
		found = ft_resource_typed(typed[i].word);
		ok(found == typed[i].meant, "'%s' means '%s'", typed[i].word,
		   found ? found->name : "nothing");
	}
	for (size_t i = 0; (resource = ft_resource_get(i)); i++)
		for (const char *at = resource->words; *at; at += strspn(at, " ")) {
			const size_t length = strcspn(at, " ");

			(void)snprintf(word, sizeof word, "%.*s", (int)length, at);
			words++;
			good += ft_resource_typed(word) == resource && !ft_resource_find(word);
			at += length;
		}
	ok(words == 18 && good == words, "%zu words, each of one resource", words);
}

static void *name_many(void *ctx)
{
	const struct ft_resource **row = ctx;
	char name[FT_RESOURCE_LENGTH];

	for (int i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof name, "shared-%d", i);
		(void)ft_resource_named(name, &row[i], NULL);
	}
	return NULL;
}

/* Counters have rows of their own, one a name whoever asks, as many as there is room for. */
static void test_counters(void)
{
	enum { THREADS = 4, NAMES = 1000 };
	static const struct ft_resource *row[THREADS][NAMES];
	const struct ft_resource *one, *two, *known;
	char name[FT_RESOURCE_LENGTH + 1], text[16] = "cache-misses";
	pthread_t thread[THREADS];
	struct ft_err err = {0};
	size_t n = 0, same = 0, made = 0;

	ok(!ft_resource_named(text, &one, &err) && one->counter && !strcmp(one->name, "cache-misses") &&
		   !*one->unit && one->of == FT_CLASS_COUNT && one->additive && !one->disturbed &&
		   one->predicted && !*one->words,
	   "a counter counts events");
	text[0] = 'x';
	ok(!strcmp(one->name, "cache-misses") && !ft_resource_named("cache-misses", &two, &err) && one == two,
	   "its row is its own, and the same again");
	ok(!ft_resource_named("wall_s", &known, &err) && known == &ft_wall_s, "names of the table are those");
	ok(!ft_resource_find("cache-misses") && !ft_resource_typed("cache-misses"), "which has no counters");
	memset(name, 'a', sizeof name);
	name[FT_RESOURCE_LENGTH] = '\0';
	ok(ft_resource_named(name, &two, &err) == FT_EINVAL && *err.remedy && !two, "%s", err.text);
	ok(!ft_resource_named(name + 1, &two, &err) && !strcmp(two->name, name + 1), "31 bytes are a name");
	ok(ft_resource_named("", &two, &err) == FT_EINVAL && !two, "none is not");

	for (; n < THREADS && !pthread_create(&thread[n], NULL, name_many, row[n]); n++)
		;
	for (size_t i = 0; i < n; i++)
		(void)pthread_join(thread[i], NULL);
	for (size_t i = 0; i < NAMES; i++) {
		(void)snprintf(name, sizeof name, "shared-%zu", i);
		same += row[0][i] && !strcmp(row[0][i]->name, name) && row[1][i] == row[0][i] &&
			row[2][i] == row[0][i] && row[3][i] == row[0][i];
	}
	ok(n == THREADS && same == NAMES, "%zu threads get the same %zu rows", n, same);

	for (made = 0; made < FT_COUNTERS_MOST; made++) {
		(void)snprintf(name, sizeof name, "more-%zu", made);
		if (ft_resource_named(name, &two, &err))
			break;
	}
	ok(made == FT_COUNTERS_MOST - NAMES - 2 && !two && *err.remedy && strstr(err.text, "one too many"),
	   "%s", err.text);
	ok(!ft_resource_named("cache-misses", &two, &err) && one == two &&
		   !ft_resource_named("shared-999", &two, &err) && row[0][999] == two &&
		   !ft_resource_named("cpu_s", &two, &err),
	   "those that there are stay");
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
	test_typed();
	test_lists();
	test_counters();
	return done();
}
