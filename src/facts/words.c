/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - the closed lists: resources, labels, outcomes, reasons to stop. */
#include "foretime/facts.h"

#include <string.h>

static const struct ft_resource resources[] = {
	{"wall_s", "s", true, true, true, "wall-clock seconds"},
	{"cpu_s", "s", true, true, true,
	 "processor seconds, user and system, of the process and its descendants"},
	{"user_s", "s", true, true, true, "processor seconds in the program"},
	{"system_s", "s", true, true, true, "processor seconds in the kernel"},
	{"run_delay_s", "s", true, false, true,
	 "seconds that its tasks waited, runnable, for a processor that others had"},
	{"frozen_s", "s", true, false, false,
	 "seconds that it was made to stand still, which its wall time does not count"},
	{"first_call_s", "s", true, true, true,
	 "wall-clock seconds of a routine's first call in its process"},
	{"later_call_s", "s", true, true, true, "wall-clock seconds of a later call, on average"},
	{"peak_rss_bytes", "bytes", false, false, true, "largest resident memory of one process"},
	{"peak_tree_bytes", "bytes", false, false, true,
	 "largest resident memory of all processes together, what they share once"},
	{"minor_faults", "", true, false, true, "page faults without input or output"},
	{"major_faults", "", true, false, true, "page faults that waited for a disk"},
	{"voluntary_switches", "", true, false, true, "times that it waited"},
	{"involuntary_switches", "", true, false, true, "times that it was made to wait"},
	{"read_bytes", "bytes", true, false, true, "bytes read from storage"},
	{"written_bytes", "bytes", true, false, true, "bytes written to storage"},
	{"input_bytes", "bytes", true, false, true, "bytes taken in by calls of read, from files and pipes"},
	{"output_bytes", "bytes", true, false, true, "bytes given out by calls of write, to files and pipes"},
	{"instructions", "", true, false, true, "instructions"},
	{"cycles", "", true, false, true, "processor cycles"},
	{"energy_j", "J", true, false, true, "energy"},
	{"working_set_bytes", "bytes", false, false, true, "the smallest cache in which it finds its data"},
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
	return i < N_RESOURCES ? &resources[i] : NULL;
}

const struct ft_resource *ft_resource_find(const char *name)
{
	for (size_t i = 0; i < N_RESOURCES; i++)
		if (!strcmp(resources[i].name, name))
			return &resources[i];
	return NULL;
}

const char *ft_resource_unit(const char *name)
{
	const struct ft_resource *known = ft_resource_find(name);

	return known ? known->unit : "";
}

const char *ft_resource_meant(const char *word)
{
	if (word && !strcmp(word, "time"))
		return "wall_s";
	if (word && !strcmp(word, "energy"))
		return "energy_j";
	return word && !strcmp(word, "memory") ? "peak_rss_bytes" : word;
}

bool ft_resource_is_disturbed(const char *name)
{
	const struct ft_resource *known = ft_resource_find(name);

	return known && (!strcmp(known->unit, "s") || !strcmp(known->unit, "J"));
}

enum ft_resource_class ft_resource_class(const char *name)
{
	const struct ft_resource *known = ft_resource_find(name);

	if (known && known->is_time)
		return FT_CLASS_TIME;
	if (known && !strcmp(known->unit, "J"))
		return FT_CLASS_ENERGY;
	return known && !known->additive ? FT_CLASS_MEMORY : FT_CLASS_COUNT;
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
