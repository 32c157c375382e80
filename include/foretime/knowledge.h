/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.h - what an expert states of a program before it was run: laws, and what it requires of a
 * machine.
 *
 * It is the first of four levels of what is known of a program: expert knowledge, trial runs, real runs, the
 * model made of the runs. Source: document 002, sections 3.2.3 and 4.1.3.
 */
#ifndef FORETIME_KNOWLEDGE_H
#define FORETIME_KNOWLEDGE_H

#include "foretime/facts.h"

FT_BEGIN_DECLS

enum { FT_REQUIREMENT_LENGTH = 16 };

/* A formula for a resource, in its SI unit. */
struct ft_stated {
	const struct ft_resource *resource;
	char *law; /* an expression of the parameters, as foretime/expr.h reads it */
};

/* X(name, word, what its value is) */
#define FT_REQUIREMENT_LIST(X)                                                                               \
	X(MEMORY, "memory", "bytes, as in 8GiB")                                                             \
	X(PROCESSORS, "processors", "how many")                                                              \
	X(ARCHITECTURE, "architecture", "as uname -m names it")                                              \
	X(SOFTWARE, "software", "a command that must be found; may be given several times")

enum ft_requirement_kind {
#define FT_REQUIREMENT_ENUM(name, word, about) FT_REQUIRES_##name,
	FT_REQUIREMENT_LIST(FT_REQUIREMENT_ENUM)
#undef FT_REQUIREMENT_ENUM
};

const char *ft_requirement_text(enum ft_requirement_kind kind);

struct ft_requirement {
	enum ft_requirement_kind kind;
	double amount; /* of memory (bytes) and processors */
	char *value;   /* as it was written: "8GiB" */
};

/* Zero-initialise; ends with ft_knowledge_clear. */
struct ft_knowledge {
	struct ft_stated *stated;
	size_t n_stated, stated_capacity;
	struct ft_requirement *requirement;
	size_t n_requirements, requirement_capacity;
};

void ft_knowledge_clear(struct ft_knowledge *knowledge); /* accepts NULL, and twice */

/* ft_knowledge_law - the law of a resource; NULL: not stated. Borrowed. */
const char *ft_knowledge_law(const struct ft_knowledge *knowledge, const struct ft_resource *resource);

/* ft_knowledge_state - state the law of a resource in place of the one that stood there; law NULL: take it
 * away, which is no failure when there is none.
 *
 * Returns FT_OK; FT_EPARSE: no expression; FT_ENOMEM. On failure nothing changed.
 */
enum ft_status ft_knowledge_state(struct ft_knowledge *knowledge, const struct ft_resource *resource,
				  const char *law, struct ft_err *err);

/* ft_knowledge_require - add "memory=8GiB", "processors=4", "architecture=x86_64" or "software=mpirun"; but
 * for software, it takes the place of one of its kind.
 *
 * Returns FT_OK; FT_EPARSE: no requirement, or an amount that is none; FT_ENOMEM. */
enum ft_status ft_knowledge_require(struct ft_knowledge *knowledge, const char *text, struct ft_err *err);

/* ft_knowledge_release - take requirements away: all of a kind ("memory"), or one ("software=mpirun").
 *
 * Returns FT_OK; FT_EPARSE: no such kind; FT_ENOENT: there is none. */
enum ft_status ft_knowledge_release(struct ft_knowledge *knowledge, const char *text, struct ft_err *err);

/* ft_knowledge_value - what the law of a resource gives at a size.
 *
 * Returns FT_OK; FT_ENOENT: no law; FT_EPARSE; FT_EINVAL: a name that is no parameter, or a value that is
 * negative or not finite there.
 */
enum ft_status ft_knowledge_value(const struct ft_knowledge *knowledge, const struct ft_program *program,
				  const struct ft_resource *resource, const struct ft_size *size,
				  double *value, struct ft_err *err);

/* ft_requirement_unmet - whether a machine certainly does not meet a requirement. What is not known of it
 * does not count against it.
 *
 * here  it is this machine, where PATH can be searched
 * why   [length] out, a sentence: "8.00 GiB of memory are required, and box has 4.00 GiB"; "" when it is met
 */
bool ft_requirement_unmet(const struct ft_requirement *requirement, const struct ft_machine *machine,
			  bool here, char *why, size_t length);

FT_END_DECLS
#endif
