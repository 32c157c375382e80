/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what the store holds: programs, how many runs at how many sizes, where and when. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "foretime/calibrate.h"
#include "tell/list.h"

#include <string.h>

static void print_table(const struct ft_store_list *list)
{
	struct cli_table table = {0};

	cli_table_tell(&table, &ft_tell_entry, list->entry, list->n, NULL);
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

static void print_names(const struct ft_store_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (!i || strcmp(list->entry[i].name, list->entry[i - 1].name) != 0)
			puts(list->entry[i].name);
}

/* The rows of machines are told by foretime machine: they are put behind the others, which are counted. */
static size_t programs_first(struct ft_store_list *list)
{
	const size_t prefix = strlen(FT_CALIBRATION_PREFIX);
	size_t i, n = 0;

	for (i = 0; i < list->n; i++) {
		struct ft_store_entry held = list->entry[i];

		if (!strncmp(held.name, FT_CALIBRATION_PREFIX, prefix))
			continue;
		list->entry[i] = list->entry[n];
		list->entry[n++] = held;
	}
	return n;
}

static int list(const char *name, const char *store_path, bool names, bool json)
{
	struct ft_store *store;
	struct ft_store_list found = {0};
	struct ft_err err = {0};
	size_t all;
	int status = cli_store_open_list(&store, store_path);

	if (status != CLI_DONE)
		return status;
	if (store && ft_store_get_list(store, name, &found, &err))
		status = cli_error(&err);
	all = found.n;
	if (!name)
		found.n = programs_first(&found);
	if (status != CLI_DONE) {
		; /* and said */
	} else if (json) {
		cli_tell(&ft_tell_list, &found, NULL);
	} else if (names) {
		print_names(&found);
	} else if (found.n) {
		print_table(&found);
	} else if (name) {
		status = cli_fail("no program '%s' in the store", name);
		cli_hint("foretime list shows what there is");
	} else {
		cli_note("the store is empty: foretime build makes the first model");
	}
	found.n = all;
	ft_store_list_clear(&found);
	ft_store_close(store);
	return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	const char *store_path = NULL;
	bool names = false, json = false;
	const struct cli_option options[] = {
		{0, "names", CLI_FLAG, &names, NULL, "print the names alone, one a line"},
		CLI_ANSWER_OPTIONS(json, store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (words.n > 1)
		status = cli_fail("'list' takes one NAME, not '%s'", words.word[1]);
	else
		status = list(words.n ? words.word[0] : NULL, store_path, names, json);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_list = {
	"list",
	"list the programs in the store",
	"[NAME] [OPTION...]",
	"A program that was rebuilt is a new program; runs of the older one are kept, and are not used.\n",
	NULL,
	run,
};
