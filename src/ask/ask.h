/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - what an answerer knows. */
#ifndef FT_ASK_ASK_H
#define FT_ASK_ASK_H

#include "foretime/ask.h"

/* A model that was asked for before. */
struct ft__answer {
	struct ft_model_record record;
	size_t varying; /* of a model over one parameter */
};

struct ft_answerer {
	struct ft_store *store;
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs;
	size_t axis[FT_PARAMS_MAX], n_axes; /* the parameters that models are functions of */
	struct ft_size fixed;               /* the values of the others */
	struct ft__answer **answer;         /* [n_answers] each on its own: callers keep pointers to them */
	size_t n_answers, capacity;
	int64_t here; /* this machine; 0: not known */
	/* The load functions that were last asked for; n = 0: none */
	struct ft_load_functions load;
	enum ft_load_view load_view;
	double load_share;
};

/* ft__ask_slice - the model of one parameter, by its index, for the values that a size has of the others;
 * also where several vary. As ft_ask_model. */
enum ft_status ft__ask_slice(struct ft_answerer *answerer, const char *resource, const struct ft_size *size,
			     size_t varying, const struct ft_model_record **out, struct ft_err *err);

#endif
