/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schemas.c - the files of doc/schema, from the rows of all answers.
 *
 * usage: schemas FOLDER           write them
 *        schemas --check FOLDER   say which of them differ; exit status 1: some do
 */
#include "base/text.h"
#include "cli/cli.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 120 };

/* An object that fits stands in one line, else each member of it in its own; lists stand in one. taken: of
 * the line, before it. */
static void add_value(struct ft_text *text, const json_t *value, int depth, size_t taken)
{
	char *line = json_dumps(value, JSON_ENCODE_ANY);
	json_t *member, *copy = json_copy((json_t *)(uintptr_t)value); /* walking takes no const */
	const char *key, *comma = "";

	if (!json_is_object(value) || (depth && strlen(line) + taken < LINE)) {
		ft_text_add(text, "%s", line);
	} else {
		ft_text_add(text, "{");
		json_object_foreach(copy, key, member)
		{
			ft_text_add(text, "%s\n%*s\"%s\": ", comma, 2 * (depth + 1), "", key);
			add_value(text, member, depth + 1, 2 * (size_t)depth + strlen(key) + 8);
			comma = ",";
		}
		ft_text_add(text, "\n%*s}", 2 * depth, "");
	}
	json_decref(copy);
	free(line);
}

static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = calloc(1, 1 << 20);

	if (file && text)
		text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
	if (file)
		(void)fclose(file);
	return text;
}

/* Returns whether the file is, or now is, as it must be. */
static bool settle(const char *path, const char *schema, bool check)
{
	char *old = read_whole(path);
	bool same = old && !strcmp(old, schema);
	FILE *file;

	free(old);
	if (check || same) {
		if (!same)
			printf("%s is not what the rows say: tools/schemas\n", path);
		return same;
	}
	file = fopen(path, "we");
	return file && fputs(schema, file) >= 0 && !fclose(file);
}

int main(int argc, char **argv)
{
	bool check = argc == 3 && !strcmp(argv[1], "--check"), good = true;
	const char *folder = argv[argc - 1];
	size_t n;

	if (argc != 2 + check)
		return 2;
	for (size_t i = 0; cli_answers[i]; i += n) {
		struct ft_text text = {0};
		char path[4096];

		for (n = 1; cli_answers[i + n] && !strcmp(cli_answers[i + n]->name, cli_answers[i]->name);)
			n++;
		json_t *schema = ft_tell_schema(&cli_answers[i], n);
		if (!schema)
			return 2;
		add_value(&text, schema, 0, 0);
		ft_text_add(&text, "\n");
		(void)snprintf(path, sizeof path, "%s/%s.json", folder, cli_answers[i]->name);
		good &= settle(path, text.s, check);
		ft_text_clear(&text);
		json_decref(schema);
	}
	return good ? 0 : 1;
}
