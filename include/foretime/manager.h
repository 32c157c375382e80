/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.h - ask a manager that runs (foretime-serve(1)): it holds the models, and keeps them up to date.
 *
 *	const struct ft_manager_value size = {"n", 4096};
 *	struct ft_prediction at;
 *
 *	if (!ft_manager_predict(&(struct ft_manager_question){.name = "solve", .size = &size, .n = 1}, &at, err))
 *		printf("%g s\n", at.value);
 *
 * Who has none, or wants no further process, asks the store: ask.h.
 */
#ifndef FORETIME_MANAGER_H
#define FORETIME_MANAGER_H

#include "foretime/model.h"

FT_BEGIN_DECLS

/* A parameter and its value. */
struct ft_manager_value {
	const char *name;
	double value;
};

/* NULL, and a confidence of 0: as the manager has it. */
struct ft_manager_question {
	const char *socket;                  /* NULL: $FORETIME_MANAGER, or this user's */
	const char *name;                    /* of the program */
	const char *resource;                /* wall_s */
	const char *machine;                 /* the manager's own */
	const char *load;                    /* "idle" */
	const struct ft_manager_value *size; /* [n] */
	size_t n;
	double confidence; /* 0.9 */
};

/* ft_manager_predict - the value of a resource at a size.
 *
 * out  FT_BASIS_STATED and FT_LEVEL_TABLE where a later manager sends words that are not known here
 *
 * Returns FT_OK; FT_ENOENT: no manager answers there; FT_ENOMODEL: it has no answer (the manager's words);
 * FT_EIO: what comes is no answer, or none comes for ten seconds; FT_EINVAL; FT_ENOMEM. Each with a remedy
 * where there is one. Cost: a round trip over a unix socket, some 0.1 ms. */
enum ft_status ft_manager_predict(const struct ft_manager_question *question, struct ft_prediction *out,
				  struct ft_err *err);

FT_END_DECLS

#endif
