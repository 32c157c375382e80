/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_multi_prog.c - Slurm: a line for each task, its number and its command (srun(1), --multi-prog).
 * Single quotes keep blanks, and % from being replaced. */
#include "adapt/carry.h"

#include <string.h>

static bool expresses(const char *word)
{
	return *word && !strpbrk(word, "'\n\r");
}

static void write_word(struct ft_text *text, const char *word)
{
	bool plain = !strpbrk(word, " \t%\"\\#");

	ft_text_add(text, plain ? " %s" : " '%s'", word);
}

static void write_all(const struct ft_carry_command *command, size_t n, struct ft_text *text)
{
	for (size_t i = 0; i < n; i++)
		if (command[i].host)
			ft_text_add(text, "# task %zu: %s\n", i, command[i].host);
	for (size_t i = 0; i < n; i++) {
		ft_text_add(text, "%zu", i);
		for (size_t j = 0; command[i].argv[j]; j++)
			write_word(text, command[i].argv[j]);
		ft_text_add(text, "\n");
	}
}

const struct ft_carry ft__carry_multi_prog = {
	.name = "multi-prog",
	.remedy = "a word of multi-prog has no quote and no line break, and is not empty: put the command in "
		  "a script",
	.expresses = expresses,
	.write = write_all,
};
