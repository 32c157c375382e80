/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builder.h - `foretime build --via steps`, as the manager speaks with it: the command line that a problem
 * becomes, and the lines that it tells. */
#ifndef FT_MANAGER_BUILDER_H
#define FT_MANAGER_BUILDER_H

#include "manager/config.h"
#include "manager/scope_way.h"

#include <math.h>

/* ft__builder_words - the command line of a problem's sweep; words->failed: no memory.
 *
 * command, store  paths; the store's absolute: the sweep runs in the problem's folder */
void ft__builder_words(const struct ft_manager_problem *problem, const char *command, const char *store,
		       struct ft__words *words);

/* ft__builder_export_words - the command line that writes its model where it is to stand, too. */
void ft__builder_export_words(const struct ft_manager_problem *problem, const char *command,
			      const char *store, struct ft__words *words);

/* ft__builder_verify_words - the one that verifies a new version against the models. */
void ft__builder_verify_words(const struct ft_manager_problem *problem, const char *command,
			      const char *store, struct ft__words *words);

/* ft__builder_run_failed - whether the one that verifies ended because a run of the new version failed.
 * tail: what it said on standard error. */
bool ft__builder_run_failed(const char *tail);

enum ft__heard_kind {
	FT__HEARD_READY,  /* what it is about to do is told */
	FT__HEARD_RAN,    /* a run more */
	FT__HEARD_ENDED,  /* its last line, but for its models */
	FT__HEARD_FAILED, /* and it ends */
};

struct ft__heard {
	enum ft__heard_kind kind;
	size_t runs, known, points;
	double complete;      /* 0 .. 1 */
	double gain, seconds; /* of the next run; NaN: not known */
	/* Texts are lines that can be shown (ft__utf8_line). */
	char next[128]; /* its size, "n=512 m=100"; "": none */
	bool ended;     /* nothing is left to run */
	char stop[64];  /* and why */
	/* RAN */
	char size[128], outcome[32], detail[256];
	double ran_s, frozen_s;
	/* FAILED */
	char error[256], remedy[256];
};

/* ft__builder_read - a line that it told. FT_OK; FT_EPARSE: it is none. */
enum ft_status ft__builder_read(const char *text, struct ft__heard *heard, struct ft_err *err);

/* ft__builder_refuse - FT_EPARSE: a line that is not taken, with what is wrong about it. */
enum ft_status ft__builder_refuse(const char *text, const char *wrong, struct ft_err *err);

#endif
