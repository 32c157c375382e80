/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.h - what an expert said of a program, printed; and requirements checked. */
#ifndef FT_CLI_KNOWLEDGE_H
#define FT_CLI_KNOWLEDGE_H

#include "cli/output.h"
#include "foretime/ask.h"

/* A law and how it agrees with runs, a requirement and whether this machine meets it. */
struct cli_told_law {
	const struct ft_resource *resource;
	const char *law;
	bool calibrated;
	struct ft_calibrated_law fit;
};

struct cli_told_requirement {
	const char *what, *value;
	const char *unmet; /* NULL: it meets it, as far as is known */
	char why[256];
};

struct cli_told_knowledge {
	struct cli_told_law *law;
	struct cli_told_requirement *requirement;
	size_t n_laws, n_requirements;
};
extern const struct ft_tell_record cli_knowledge_told;

/* cli_knowledge_find - answerer: says how the laws agree with runs; NULL: does not. Borrows; ends with
 * cli_knowledge_clear. */
void cli_knowledge_find(const struct ft_knowledge *knowledge, struct ft_answerer *answerer,
			struct cli_told_knowledge *out);
void cli_knowledge_clear(struct cli_told_knowledge *told);

/* cli_print_knowledge - the same, a line for each. */
void cli_print_knowledge(const struct cli_told_knowledge *told, FILE *file);

/* cli_warn_requirements - a note for each requirement that a machine does not meet. */
void cli_warn_requirements(const struct ft_knowledge *knowledge, const struct ft_machine *machine, bool here);

#endif
