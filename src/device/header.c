/* SPDX-License-Identifier: GPL-3.0-or-later */
/* header.c - a table as a header in C, for programs that link nothing. */
#include "base/text.h"
#include "device/ranking.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 256 };

/* A name as C takes one. */
static const char *word_of(const char *name, bool upper, char word[WORD])
{
	size_t n = 0;

	if (isdigit((unsigned char)*name))
		word[n++] = '_';
	for (; *name && n < WORD - 1; name++) {
		unsigned char c = (unsigned char)*name;

		word[n++] = (char)(!isalnum(c) || c >= 0x80 ? '_' : upper ? toupper(c) : c);
	}
	word[n] = '\0';
	return word;
}

static const char *device_word(const struct ft_ranking *ranking, size_t i, char word[WORD])
{
	const char *device = ranking->ranked[i].device;

	return word_of(*device ? device : ranking->n > 1 ? "plain" : "only", true, word);
}

static enum ft_status check_words(const struct ft_ranking *ranking, struct ft_err *err)
{
	char one[WORD], other[WORD];

	for (size_t i = 1; i < ranking->n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(device_word(ranking, i, one), device_word(ranking, k, other)))
				return ft_fail(err, FT_EINVAL,
					       "devices '%s' and '%s' are the same name in C: %s",
					       ranking->ranked[k].device, ranking->ranked[i].device, one);
	return FT_OK;
}

static void add_devices(struct ft_text *text, const struct ft_ranking *ranking, const char *name)
{
	char upper[WORD], word[WORD];

	ft_text_add(text, "enum %s_devices {", name);
	for (size_t i = 0; i < ranking->n; i++)
		ft_text_add(text, "%s%s_%s", i ? ", " : " ", word_of(name, true, upper),
			    device_word(ranking, i, word));
	ft_text_add(text,
		    " };\n\nstatic inline const char *%s_device_name(enum %s_devices device)\n{\n"
		    "\tstatic const char *const name[] = {",
		    name, name);
	for (size_t i = 0; i < ranking->n; i++)
		ft_text_add(text, "%s\"%s\"", i ? ", " : "", ranking->ranked[i].device);
	ft_text_add(text, "};\n\n\treturn name[device];\n}\n\n");
}

static void add_tabs(struct ft_text *text, int depth)
{
	while (depth--)
		ft_text_add_bytes(text, "\t", 1);
}

static void add_node(struct ft_text *text, const struct ft_table *table, const struct ft_ranking *ranking,
		     const char *name, size_t at, int depth)
{
	const struct ft_table_node *node = &table->node[at];
	char upper[WORD], word[WORD], parameter[WORD];

	if (!node->below) {
		add_tabs(text, depth);
		ft_text_add(text, "return %s_%s; /* chance %.2f */\n", word_of(name, true, upper),
			    device_word(ranking, node->device, word), node->sure);
		return;
	}
	add_tabs(text, depth);
	ft_text_add(text, "if (%s < ", word_of(table->param[node->param], false, parameter));
	ft_text_add_number(text, node->edge);
	ft_text_add(text, ") {\n");
	add_node(text, table, ranking, name, node->below, depth + 1);
	add_tabs(text, depth);
	ft_text_add(text, "}\n");
	add_node(text, table, ranking, name, node->above, depth);
}

static bool is_used(const struct ft_table *table, size_t param)
{
	for (size_t i = 0; i < table->n; i++)
		if (table->node[i].below && table->node[i].param == param)
			return true;
	return false;
}

static void add_function(struct ft_text *text, const struct ft_table *table, const struct ft_ranking *ranking,
			 const char *name)
{
	char parameter[WORD];

	ft_text_add(text, "static inline enum %s_devices %s_device(", name, name);
	for (size_t k = 0; k < table->n_params; k++)
		ft_text_add(text, "%sdouble %s", k ? ", " : "", word_of(table->param[k], false, parameter));
	ft_text_add(text, ")\n{\n");
	for (size_t k = 0; k < table->n_params; k++)
		if (!is_used(table, k))
			ft_text_add(text, "\t(void)%s;\n", word_of(table->param[k], false, parameter));
	add_node(text, table, ranking, name, 0, 1);
	ft_text_add(text, "}\n");
}

static void add_about(struct ft_text *text, const struct ft_table *table, const struct ft_ranking *ranking,
		      const char *name)
{
	const struct ft_machine *machine = ft_ask_machine(ranking->ranked[0].answerer);

	ft_text_add(text, "/* Where %s should run, as measured on %s (%s).\n * Made by foretime device table",
		    name, machine->host ? machine->host : "an unknown machine",
		    machine->cpu ? machine->cpu : "unknown");
	for (size_t k = 0; k < table->n_params; k++) {
		ft_text_add(text, "%s%s=", k ? " " : "; for ", table->param[k]);
		ft_text_add_number(text, table->least[k]);
		if (table->most[k] > table->least[k]) {
			ft_text_add(text, ":");
			ft_text_add_number(text, table->most[k]);
		}
	}
	ft_text_add(text, ". It loses %.2f %% against asking each time. */\n", 100 * table->loss);
}

enum ft_status ft_table_header(const struct ft_table *table, const struct ft_ranking *ranking,
			       const char *name, char **out, struct ft_err *err)
{
	struct ft_text text = {0};
	char word[WORD], upper[WORD];
	enum ft_status status = check_words(ranking, err);

	*out = NULL;
	if (status)
		return status;
	(void)word_of(name, false, word);
	(void)word_of(name, true, upper);
	add_about(&text, table, ranking, name);
	ft_text_add(&text, "#ifndef FORETIME_%s_DISPATCH_H\n#define FORETIME_%s_DISPATCH_H\n\n", upper,
		    upper);
	add_devices(&text, ranking, word);
	add_function(&text, table, ranking, word);
	ft_text_add(&text, "\n#endif\n");
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}
