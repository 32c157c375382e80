/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_parallel.c - GNU parallel: a shell command a line, through ssh where it is of another machine. */
#include "adapt/carry.h"
#include "base/text.h"

#include <string.h>

static bool expresses(const char *word)
{
	return !strpbrk(word, "\n\r");
}

static void write_all(const struct ft_carry_command *command, size_t n, struct ft_text *text)
{
	for (size_t i = 0; i < n; i++) {
		if (command[i].host) {
			ft_text_add(text, "ssh -- ");
			ft_text_add_word(text, command[i].host);
			ft_text_add(text, " ");
			ft_text_add_command(text, command[i].argv);
		} else {
			ft_text_add_words(text, command[i].argv);
		}
		ft_text_add(text, "\n");
	}
}

const struct ft_carry ft__carry_parallel = {
	.name = "parallel",
	.remedy = "a command is a line: put it in a script",
	.expresses = expresses,
	.write = write_all,
};
