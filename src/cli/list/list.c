/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - lists the store: programs, with how many runs at how many sizes, where and when. */
#include "cli/cli.h"
#include "cli/options.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <string.h>

static int print_list(const struct ft_query *query, const struct ft_store_list *found, bool names)
{
	for (size_t i = 0; names && i < found->n; i++)
		if (!i || strcmp(found->entry[i].name, found->entry[i - 1].name) != 0)
			puts(found->entry[i].name);
	if (!names && found->n)
		cli_tell_table(&ft_tell_entry, found->entry, found->n, NULL);
	if (!names && !found->n && query->traces)
		return cli_note("no run is stored with its trace: foretime run --save NAME,keep-trace keeps "
				"one"),
		       CLI_DONE;
	if (!names && !found->n && query->name)
		return cli_fail("no program '%s' in the store\nhint: foretime list shows what there is",
				query->name);
	if (!names && !found->n && !query->search && !query->after)
		cli_note("the store is empty: foretime build makes the first model");
	else if (!names && !found->n)
		cli_note("no program%s%s%s%s", query->search ? " has that in its name" : "",
			 query->after ? " behind '" : "", query->after ? query->after : "",
			 query->after ? "'" : "");
	if (found->found)
		cli_note("%zu names in all: --after '%s' goes on", found->found,
			 found->entry[found->n - 1].name);
	return CLI_DONE;
}

static int run_list(const struct cli_command *command, int argc, char **argv)
{
	struct ft_query query = ft_query_usual;
	const char *store_path = NULL;
	bool names = false, json = false, manager = false;
	const struct ft_field options[] = {
		CLI_QUESTION(ft_question_list, query),
		{0, "names", FT_FIELD_FLAG, &names, NULL, NULL},
		CLI_MANAGER_OPTION(manager),
		CLI_FORMAT("text|json|names", "text (default), json, or names: one a line"),
		{0, "json", FT_FIELD_FLAG, &json, NULL, "print one JSON object"},
		CLI_STORE_OPTION(store_path),
		{0},
	};
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list found = {0};
	CLI_STORE struct ft_store *store = NULL;
	struct cli_words words;
	struct ft_err err = {0};
	json_t *object = NULL;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (words.n > 1)
		return cli_fail("'list' takes one NAME, not '%s'", words.word[1]);
	if (manager)
		return cli_manager_tell(&ft_question_list, &ft_tell_list, &words, json);
	query.name = words.n ? words.word[0] : NULL;
	query.answers_most = 0;
	CLI_TRY(cli_store_open_list(&store, store_path));
	if (!store && json) /* there is none yet */
		cli_tell(&ft_tell_list, &found, NULL);
	else if (store && json ? ft_question_list.look(store, &query, &object, &err)
			       : store && ft_tell_list_find(store, &query, &found, &err))
		return cli_error(&err);
	if (object)
		cli_json_print(object, stdout);
	return json ? CLI_DONE : print_list(&query, &found, names);
}

const struct cli_command cli_list = {
	"list",
	"list the programs in the store",
	"[NAME] [OPTION...]",
	"A program that was rebuilt is a new program; runs of the older one are kept, and are not used.\n",
	NULL,
	run_list,
};
