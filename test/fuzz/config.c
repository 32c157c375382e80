/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.c - what must hold of each configuration that is read, whatever its format. */
#include "../manager/config-print.h"
#include "base/alloc.h"
#include "fuzz.h"

#include <string.h>

static char *printed(const struct ft_manager_config *config)
{
	struct ft_text out = {0};

	config_print(config, &out);
	return ft_text_take(&out);
}

static const char *same_again(const struct ft_manager_config *config)
{
	char *text = printed(config), *twice;
	struct ft_manager_config again;
	const char *broken = NULL;

	if (ft_manager_config_parse(&again, "again", text, strlen(text), NULL)) {
		ft_free(text);
		return "what is written can be read";
	}
	twice = printed(&again);
	if (strcmp(text, twice) != 0)
		broken = "the same configuration again";
	ft_free(text);
	ft_free(twice);
	ft_manager_config_clear(&again);
	return broken;
}

const char *fuzz_config(const uint8_t *bytes, size_t length)
{
	struct ft_manager_config config;
	struct ft_err err = {0};
	enum ft_status status = ft_manager_config_parse(&config, "fuzz", (const char *)bytes, length, &err);

	if (status)
		return config.path || config.n_problems || !fuzz_is_told(status, &err)
			       ? "what is refused is told, and leaves nothing"
			       : NULL;
	const char *broken = same_again(&config);
	ft_manager_config_clear(&config);
	return broken;
}

/* libconfig 1.5 forgets a string that the text ends in: a leak of its own, of one string a file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libconfig_yylex\nleak:strbuf_append\n";
}
