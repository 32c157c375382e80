/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.h - what an expert said of a program, printed; and requirements checked. */
#ifndef FT_CLI_KNOWLEDGE_H
#define FT_CLI_KNOWLEDGE_H

#include "cli/output.h"
#include "foretime/ask.h"

/* cli_json_set_knowledge - "laws" and "requirements". answerer: says how the laws agree with runs; NULL: does
 * not. Requirements are checked on this machine. */
void cli_json_set_knowledge(json_t *object, const struct ft_knowledge *knowledge,
			    struct ft_answerer *answerer);

/* cli_print_knowledge - the same, a line for each. */
void cli_print_knowledge(const struct ft_knowledge *knowledge, struct ft_answerer *answerer, FILE *file);

/* cli_warn_requirements - a note for each requirement that a machine does not meet. */
void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here);

#endif
