/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_mpiexec.c - MPICH: a line for each program, as between the colons of the command line (mpiexec(1),
 * -configfile). Hydra 4.0 divides lines at blanks, knows no quotes, and begins a comment at any #. */
#include "adapt/carry.h"

#include <string.h>

static bool expresses(const char *word)
{
	size_t length = strlen(word);

	return length && !strpbrk(word, " \t\n\r#") && strcmp(word, ":") != 0 && word[length - 1] != '\\';
}

/* Where one has a host, all have: the others run here. */
static void write_all(const struct ft_carry_command *command, size_t n, struct ft_text *text)
{
	bool hosts = false;

	for (size_t i = 0; i < n; i++)
		hosts = hosts || command[i].host;
	for (size_t i = 0; i < n; i++) {
		ft_text_add(text, "-n 1");
		if (hosts)
			ft_text_add(text, " -host %s", command[i].host ? command[i].host : "localhost");
		for (size_t j = 0; command[i].argv[j]; j++)
			ft_text_add(text, " %s", command[i].argv[j]);
		ft_text_add(text, "\n");
	}
}

const struct ft_carry ft__carry_mpiexec = {
	.name = "mpiexec",
	.remedy = "its lines are divided at blanks and know no quotes: put the command in a script",
	.expresses = expresses,
	.write = write_all,
};
