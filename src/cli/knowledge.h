/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.h - what an expert said of a program, printed; and requirements checked. */
#ifndef FT_CLI_KNOWLEDGE_H
#define FT_CLI_KNOWLEDGE_H

#include "tell/show.h"

/* cli_print_knowledge - a line for each law and requirement. */
void cli_print_knowledge(const struct ft_told_knowledge *told, FILE *file);

/* cli_warn_requirements - a note for each requirement that a machine does not meet. */
void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here);

#endif
