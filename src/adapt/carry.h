/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry.h - a row of the table of formats that plans are carried out by. */
#ifndef FT_ADAPT_CARRY_H
#define FT_ADAPT_CARRY_H

#include "base/text.h"
#include "foretime/carry.h"

struct ft_carry {
	const char *name;
	const char *remedy; /* what to do about a word that cannot be expressed */
	/* Whether a word, or a host, can stand in it. NULL: each can. */
	bool (*expresses)(const char *word);
	void (*write)(const struct ft_carry_command *command, size_t n, struct ft_text *text);
};

extern const struct ft_carry ft__carry_multi_prog, ft__carry_mpiexec, ft__carry_parallel;

#endif
