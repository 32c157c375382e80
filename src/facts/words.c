/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - the closed lists: resources, labels, outcomes, reasons to stop. */
#include "base/text.h"
#include "facts/door.h"
#include "foretime/facts.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define TIME   .unit = "s", .of = FT_CLASS_TIME, .additive = true, .disturbed = true, .predicted = true
#define MEMORY .unit = "bytes", .of = FT_CLASS_MEMORY, .predicted = true
#define COUNT  .unit = "", .of = FT_CLASS_COUNT, .additive = true, .predicted = true
#define BYTES  .unit = "bytes", .of = FT_CLASS_COUNT, .additive = true, .predicted = true
#define ROW(row, typed, is, kind)                                                                            \
	const struct ft_resource ft_##row = {.name = #row, .words = (typed), .about = (is), kind}

ROW(wall_s, "time wall", "wall-clock seconds", TIME);
ROW(cpu_s, "cpu", "processor seconds, user and system, of the process and its descendants", TIME);
ROW(user_s, "", "processor seconds in the program", TIME);
ROW(system_s, "", "processor seconds in the kernel", TIME);
const struct ft_resource ft_run_delay_s = {
	.name = "run_delay_s",
	.unit = "s",
	.words = "",
	.about = "seconds that its runnable tasks waited for a processor used by other processes",
	.of = FT_CLASS_COUNT,
	.additive = true,
	.disturbed = true,
	.predicted = true,
};
const struct ft_resource ft_frozen_s = {
	.name = "frozen_s",
	.unit = "s",
	.words = "",
	.about = "seconds that it was paused, which its wall time does not include",
	.of = FT_CLASS_COUNT,
	.additive = true,
	.disturbed = true,
};
const struct ft_resource ft_reference_s = {
	.name = "reference_s",
	.unit = "s",
	.words = "",
	.about = "processor seconds of a fixed piece of work that foretime did right after the run",
	.of = FT_CLASS_COUNT,
	.additive = true,
	.disturbed = true,
};
ROW(first_call_s, "", "wall-clock seconds of a routine's first call in its process", TIME);
ROW(later_call_s, "", "wall-clock seconds of a later call, on average", TIME);
ROW(peak_rss_bytes, "memory mem ram rss", "largest resident memory of one process", MEMORY);
ROW(peak_tree_bytes, "", "largest resident memory of all processes together, what they share once", MEMORY);
ROW(minor_faults, "", "page faults without input or output", COUNT);
ROW(major_faults, "", "page faults that waited for a disk", COUNT);
ROW(voluntary_switches, "", "times that it waited", COUNT);
ROW(involuntary_switches, "", "times that it was made to wait", COUNT);
ROW(read_bytes, "reads", "bytes read from storage", BYTES);
ROW(written_bytes, "writes", "bytes written to storage", BYTES);
ROW(input_bytes, "", "bytes taken in by calls of read, from files and pipes", BYTES);
ROW(output_bytes, "output", "bytes given out by calls of write, to files and pipes", BYTES);
ROW(sent_bytes, "sent", "bytes that its TCP sockets sent", BYTES);
ROW(received_bytes, "received", "bytes that its TCP sockets received", BYTES);
/* A peak: sums of it mean nothing. */
const struct ft_resource ft_scratch_bytes = {
	.name = "scratch_bytes",
	.unit = "bytes",
	.words = "scratch disk",
	.about = "largest space that its files took on file systems at once, also deleted ones that are open",
	.of = FT_CLASS_COUNT,
	.predicted = true,
};
const struct ft_resource ft_gpu_memory_bytes = {
	.name = "gpu_memory_bytes",
	.unit = "bytes",
	.words = "gpu_memory vram",
	.about = "largest memory that its processes held on graphics devices at once",
	.of = FT_CLASS_COUNT,
	.predicted = true,
};
const struct ft_resource ft_gpu_s = {
	.name = "gpu_s",
	.unit = "s",
	.words = "gpu",
	.about = "seconds that engines of graphics devices computed for its processes",
	.of = FT_CLASS_COUNT,
	.additive = true,
	.disturbed = true,
	.predicted = true,
};
ROW(instructions, "", "instructions", COUNT);
ROW(cycles, "", "processor cycles", COUNT);
const struct ft_resource ft_energy_j = {
	.name = "energy_j",
	.unit = "J",
	.words = "energy",
	.about = "energy",
	.of = FT_CLASS_ENERGY,
	.additive = true,
	.disturbed = true,
	.predicted = true,
};
ROW(working_set_bytes, "", "the smallest cache in which it finds its data", MEMORY);

/* In the order in which answers and tables have them. */
static const struct ft_resource *const resources[] = {
	&ft_wall_s,
	&ft_cpu_s,
	&ft_user_s,
	&ft_system_s,
	&ft_run_delay_s,
	&ft_frozen_s,
	&ft_reference_s,
	&ft_first_call_s,
	&ft_later_call_s,
	&ft_peak_rss_bytes,
	&ft_peak_tree_bytes,
	&ft_minor_faults,
	&ft_major_faults,
	&ft_voluntary_switches,
	&ft_involuntary_switches,
	&ft_read_bytes,
	&ft_written_bytes,
	&ft_input_bytes,
	&ft_output_bytes,
	&ft_sent_bytes,
	&ft_received_bytes,
	&ft_scratch_bytes,
	&ft_gpu_memory_bytes,
	&ft_gpu_s,
	&ft_instructions,
	&ft_cycles,
	&ft_energy_j,
	&ft_working_set_bytes,
};

static const char *const labels[] = {
#define TEXT(name, words) words,
	FT_LABEL_LIST(TEXT)};

static const char *const outcomes[] = {FT_OUTCOME_LIST(TEXT)};

static const char *const stops[] = {FT_STOP_LIST(TEXT)};
#undef TEXT

enum {
	N_RESOURCES = sizeof resources / sizeof *resources,
	N_LABELS = sizeof labels / sizeof *labels,
	N_OUTCOMES = sizeof outcomes / sizeof *outcomes,
	N_STOPS = sizeof stops / sizeof *stops
};

const struct ft_resource *ft_resource_get(size_t i)
{
	return i < N_RESOURCES ? resources[i] : NULL;
}

/* The store and large files ask for each sample: the first letter decides nearly always. */
const struct ft_resource *ft_resource_find(const char *name)
{
	for (size_t i = 0; i < N_RESOURCES; i++)
		if (resources[i]->name[0] == name[0] && !strcmp(resources[i]->name, name))
			return resources[i];
	return NULL;
}

const struct ft_resource *ft_resource_typed(const char *word)
{
	const size_t length = strcspn(word, " ");
	const struct ft_resource *found = ft_resource_find(word);

	for (size_t i = 0; !found && length && !word[length] && i < N_RESOURCES; i++)
		for (const char *at = resources[i]->words; *at && !found; at += strspn(at, " ")) {
			const size_t n = strcspn(at, " ");

			if (n == length && !strncmp(at, word, n))
				found = resources[i];
			at += n;
		}
	return found;
}

/* ---- counters: a table of names with chains, so that a file of thousands of names is not slow -------------
 */

static struct counter {
	struct ft_resource row;
	char name[FT_RESOURCE_LENGTH];
	struct counter *next;
} counters[FT_COUNTERS_MOST], *chains[1024];

enum ft_status ft_resource_named(const char *name, const struct ft_resource **out, struct ft_err *err)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static size_t n;

	*out = ft_resource_find(name);
	if (*out)
		return FT_OK;
	if (!*name || strlen(name) >= FT_RESOURCE_LENGTH) {
		(void)ft_fail(err, FT_EINVAL, "'%.100s' cannot name a counter", name);
		return ft_remedy(err, "give it a name of 1 to %d bytes", FT_RESOURCE_LENGTH - 1);
	}
	struct counter **chain = &chains[ft_hash_text(name) % (sizeof chains / sizeof *chains)];
	(void)pthread_mutex_lock(&lock);
	struct counter *counter = *chain;
	while (counter && strcmp(counter->name, name) != 0)
		counter = counter->next;
	if (!counter && n < FT_COUNTERS_MOST) {
		counter = &counters[n++];
		(void)snprintf(counter->name, sizeof counter->name, "%s", name);
		counter->row = (struct ft_resource){.name = counter->name,
						    .words = "",
						    .about = "events counted",
						    COUNT,
						    .counter = true};
		counter->next = *chain;
		*chain = counter;
	}
	(void)pthread_mutex_unlock(&lock);
	if (counter) {
		*out = &counter->row;
		return FT_OK;
	}
	(void)ft_fail(err, FT_EINVAL, "counter '%s' is one too many: a process can use %d names", name,
		      FT_COUNTERS_MOST);
	return ft_remedy(err, "start foretime again, or read files that have fewer of them");
}

/* The index of a word in a list; -1 when it is not there. */
static int find_word(const char *const *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], text))
			return (int)i;
	return -1;
}

const char *ft_label_text(enum ft_label label)
{
	return (size_t)label < N_LABELS ? labels[label] : "unknown";
}

bool ft_label_parse(const char *text, enum ft_label *label)
{
	int i = find_word(labels, N_LABELS, text);

	*label = i < 0 ? FT_UNAVAILABLE : (enum ft_label)i;
	return i >= 0;
}

const char *ft_outcome_text(enum ft_outcome outcome)
{
	return (size_t)outcome < N_OUTCOMES ? outcomes[outcome] : "unknown";
}

bool ft_outcome_parse(const char *text, enum ft_outcome *outcome)
{
	int i = find_word(outcomes, N_OUTCOMES, text);

	*outcome = i < 0 ? FT_FAILED : (enum ft_outcome)i;
	return i >= 0;
}

const char *ft_stop_text(enum ft_stop stop)
{
	return (size_t)stop < N_STOPS ? stops[stop] : "unknown";
}
