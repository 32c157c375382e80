/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask.h - what an answerer knows. */
#ifndef FT_ASK_ASK_H
#define FT_ASK_ASK_H

#include "foretime/ask.h"

/* A model that was asked for before. */
struct ft__answer {
	struct ft_model_record record;
	size_t varying;
};

struct ft_answerer {
	struct ft_store *store;
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs;
	struct ft__answer **answer; /* [n_answers] each on its own: callers keep pointers to them */
	size_t n_answers, capacity;
	int64_t here; /* this machine; 0: not known */
	/* The load functions that were last asked for; n = 0: none */
	struct ft_load_functions load;
	enum ft_load_view load_view;
	double load_share;
};

#endif
