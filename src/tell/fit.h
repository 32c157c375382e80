/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - the laws that samples obey: those of the runs of a program, or of a table.
 *
 *	struct ft_fit fit = {.asked = &asked};
 *
 *	ft_fit_runs(&fit, answerer, err);
 *	ft_fit_sizes(&fit, err);
 *	ft_fit_answer(&fit, &object, err);
 *	ft_fit_clear(&fit);
 */
#ifndef FT_TELL_FIT_H
#define FT_TELL_FIT_H

#include "base/arena.h"
#include "foretime/law.h"
#include "foretime/model.h"
#include "tell/model.h"
#include "tell/question.h"

/* Samples of which one law is to be found. */
struct ft_fit_group {
	const char *name; /* NULL: there is one group only */
	struct ft_law_place *sample;
	size_t n, capacity;
};

/* What is fitted, and how. Zero-initialise but for `asked` and `prior`; ends with ft_fit_clear. */
struct ft_fit {
	const struct ft_asked *asked;
	const struct ft_prior *prior; /* of the model of a table; NULL: the built-in one */
	struct ft_arena memory;
	struct ft_answerer *answerer; /* NULL: the samples come from a table */
	const char *source;           /* the name of the program, or the path */
	struct ft_program program;    /* its params are those that the laws are of; nothing else is set */
	const struct ft_resource *resource; /* of the table of resources, of the runs, or: */
	struct ft_resource column;          /* a column that is none, by its name: plain numbers */
	struct ft_fit_group *group;
	size_t n, capacity;
	struct ft_model_facts facts; /* limits.runs > 0: some runs met a limit, and count as what is expected
					above it */
	double (*x)[FT_LAW_PARAMS];  /* [n_x] sizes to predict */
	size_t n_x, x_capacity;
	struct ft_law_any *found; /* of the group that was looked at last */
};

/* What the law predicts at a size, and what foretime predict does from the same samples (NaN: it has no model
 * of them). */
struct ft_fit_prediction {
	struct ft_size size;
	struct ft_law_prediction law;
	struct ft_prediction model;
};
extern const struct ft_tell_record ft_fit_predictions;

struct ft_fit_class {
	const char *text;
	struct ft_law_factor factor;
	double weight;
};

struct ft_fit_candidate {
	const char *law;
	double weight;
};

struct ft_fit_break {
	struct ft_law_break at;
	const char *law;
};

/* The law of a group. Numbers that there are none of are NaN. */
struct ft_fit_law {
	const char *group, *error, *law, *words; /* NULL: none */
	size_t runs, n_classes, n_candidates, n_breaks, n_predictions;
	double sizes, terms, misfit, noise, residual, residual_ln;
	struct ft_law_number power;
	bool called, exact;
	struct ft_fit_class *class;
	struct ft_fit_candidate *candidate;
	struct ft_fit_break *broken;
	struct ft_fit_prediction *prediction;
	struct ft_err why; /* status: there is no law, and this is why */
};

extern const struct ft_tell_record ft_tell_fit;

void ft_fit_clear(struct ft_fit *fit);

/* ft_fit_add - one sample more. group: NULL where there is one only. FT_ENOMEM. */
enum ft_status ft_fit_add(struct ft_fit *fit, const char *group, const struct ft_law_place *sample,
			  struct ft_err *err);

/* ft_fit_runs - the samples of a program's runs. Returns FT_OK; FT_EINVAL: what is asked is of one parameter;
 * FT_ENOENT: no run has the resource; FT_ENOMODEL: too many parameters; FT_ENOMEM. */
enum ft_status ft_fit_runs(struct ft_fit *fit, struct ft_answerer *answerer, struct ft_err *err);

/* ft_fit_sizes - every combination of the values that the words name, and that the program admits. Returns
 * FT_OK; FT_EINVAL; FT_ENOMEM. */
enum ft_status ft_fit_sizes(struct ft_fit *fit, struct ft_err *err);

/* ft_fit_find - the law of a group, which fit->found has, too; without one out->why says why. Memory is the
 * fit's. FT_OK; FT_ENOMEM. */
enum ft_status ft_fit_find(struct ft_fit *fit, size_t group, struct ft_fit_law *out, struct ft_err *err);

/* ft_fit_answer - laws as JSON. law: [fit->n]. FT_OK; FT_ENOMEM. */
enum ft_status ft_fit_answer(struct ft_fit *fit, struct ft_fit_law *law, json_t **out, struct ft_err *err);

/* ft_fit_text - a law in the names of the parameters; memory is the fit's; "": there is none left. */
const char *ft_fit_text(struct ft_fit *fit, const struct ft_law *law, int digits);

#endif
