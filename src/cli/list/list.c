/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what the store holds: programs, how many runs at how many sizes, where and when. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/options.h"
#include "foretime/calibrate.h"
#include "tell/list.h"

#include <string.h>

static void print_names(const struct ft_store_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (!i || strcmp(list->entry[i].name, list->entry[i - 1].name) != 0)
			puts(list->entry[i].name);
}

struct list_asked {
	const char *name, *store_path;
	struct ft_store_part part;
	bool names, json;
};

/* The rows of machines are told by foretime machine. */
static enum ft_status find_programs(struct ft_store *store, struct list_asked *asked,
				    struct ft_store_list *found, struct ft_err *err)
{
	asked->part.except = FT_CALIBRATION_PREFIX;
	enum ft_status status = asked->name ? ft_store_get_list(store, asked->name, found, err)
					    : ft_store_get_part(store, &asked->part, found, err);
	int64_t here = !status && asked->json ? cli_machine_here(store) : 0;
	for (size_t i = 0; i < found->n; i++)
		found->entry[i].here = here && found->entry[i].machine == here;
	return status;
}

static int say_nothing(const struct list_asked *asked)
{
	const struct ft_store_part *part = &asked->part;

	if (asked->name)
		return cli_fail("no program '%s' in the store\n"
				"hint: foretime list shows what there is",
				asked->name);
	if (part->search || part->after)
		cli_note("no program%s%s%s%s", part->search ? " has that in its name" : "",
			 part->after ? " behind '" : "", part->after ? part->after : "",
			 part->after ? "'" : "");
	else
		cli_note("the store is empty: foretime build makes the first model");
	return CLI_DONE;
}

static int print_list(const struct list_asked *asked, const struct ft_store_list *found)
{
	if (asked->json) {
		cli_tell(&ft_tell_list, found, NULL);
		return CLI_DONE;
	}
	if (asked->names)
		print_names(found);
	else if (found->n)
		cli_tell_table(&ft_tell_entry, found->entry, found->n, NULL);
	else
		return say_nothing(asked);
	if (found->found)
		cli_note("%zu names in all: --after '%s' goes on", found->found,
			 found->entry[found->n - 1].name);
	return CLI_DONE;
}

static int list_programs(struct list_asked *asked)
{
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list found = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_store_open_list(&store, asked->store_path));
	if (store && find_programs(store, asked, &found, &err))
		return cli_error(&err);
	return print_list(asked, &found);
}

static int run_list(const struct cli_command *command, int argc, char **argv)
{
	struct list_asked asked = {0};
	const struct ft_field options[] = {
		{0, "search", FT_FIELD_TEXT, &asked.part.search, "TEXT",
		 "programs that have it in their names"},
		{0, "after", FT_FIELD_TEXT, &asked.part.after, "NAME", "those behind it, by name"},
		{0, "limit", FT_FIELD_COUNT, &asked.part.most, "N", "maximum number of names; default: all"},
		{0, "names", FT_FIELD_FLAG, &asked.names, NULL, NULL},
		CLI_FORMAT("text|json|names", "text (default), json, or names: one a line"),
		{0, "json", FT_FIELD_FLAG, &asked.json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(asked.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	asked.name = words.n ? words.word[0] : NULL;
	if (words.n > 1)
		status = cli_fail("'list' takes one NAME, not '%s'", words.word[1]);
	else if (words.n && (asked.part.search || asked.part.after || asked.part.most))
		status = cli_fail("--search, --after and --limit are of all names, and '%s' is one",
				  asked.name);
	else
		status = list_programs(&asked);
	return status;
}

const struct cli_command cli_list = {
	"list",
	"list the programs in the store",
	"[NAME] [OPTION...]",
	"A program that was rebuilt is a new program; runs of the older one are kept, and are not used.\n",
	NULL,
	run_list,
};
