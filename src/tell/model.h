/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - records of models that several answers share. */
#ifndef FT_TELL_MODEL_H
#define FT_TELL_MODEL_H

#include "foretime/ask.h"
#include "tell/facts.h"

extern const struct ft_tell_record ft_tell_change; /* struct ft_change */

/* A model, by its resource. */
struct ft_told_model {
	const struct ft_resource *resource;
	const char *method; /* NULL: fitted to runs from elsewhere */
	struct ft_model_facts facts;
	int64_t made_ns;
};
extern const struct ft_tell_record ft_tell_model;

/* Of struct ft_model_facts: runs that met a limit, and batches of runs; null where there are none. */
extern const struct ft_tell_record ft_tell_limits, ft_tell_batches;

/* ft_tell_limits_text - "8 of 30 runs met a limit of 40 min". ft_tell_batches_text - "50 runs, all within one
 * hour: ...". NULL: nothing to report, or no memory; else heap, ends with ft_free. */
char *ft_tell_limits_text(const struct ft_model_facts *facts, const char *unit);
char *ft_tell_batches_text(const struct ft_model_facts *facts);

/* Parameters of which nothing, or not everything, can be told. */
struct ft_told_together {
	const char *name[2];
	size_t n;   /* 2 */
	bool equal; /* they had the same value in each run */
};

struct ft_told_axes {
	const char *flat[FT_PARAMS_MAX];
	struct ft_told_together together[FT_PARAMS_MAX];
	size_t n_flat, n_together;
};
extern const struct ft_tell_record ft_tell_axes;

/* ft_tell_axes_flat - the parameters that change nothing of any of some resources (n 0: of all).
 * ft_tell_axes_find - these, and those whose parts cannot be told apart; names are borrowed. */
void ft_tell_axes_flat(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       bool flat[FT_PARAMS_MAX]);
void ft_tell_axes_find(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       struct ft_told_axes *out);

extern const struct ft_tell_record ft_tell_pass; /* struct ft_pass */

/* What is said of each prediction, in this order: value, known, lower, upper. */
#define FT_TELL_KNOWN                                                                                        \
	"accuracy: the typical run lies within value / (1 + known) .. value * (1 + known), at the same "     \
	"confidence"

/* ft_tell_interval - "1.2 s .. 1.4 s"; "-": there is none; heap, ends with ft_free; NULL: no memory. */
char *ft_tell_interval(const struct ft_prediction *said, const char *unit);

/* ft_tell_basis - "measured", "extrapolated 4x, n^2", "0 in 15 of 16 runs"; heap, as above.
 *
 * law  that continues the curve beyond the data; NULL: none is known well
 */
char *ft_tell_basis(const struct ft_prediction *said, const char *law);

#define FT_TELL_KNOWN_TO                                                                                     \
	"accuracy: 90 % of typical runs, over the whole range, lie within +- this share of the prediction"
#define FT_TELL_SLOW_DOWN "slowdown of runs by contention, at least 1 (ft_run_alone)"
#define FT_TELL_OTHERS    "background load: runnable tasks of other processes, the mean"
#define FT_TELL_KILLED                                                                                       \
	"smallest size at which a run was killed for memory, where no larger one ended well: larger sizes "  \
	"are "                                                                                               \
	"not run"
#define FT_TELL_SCATTER "noise: 90 % of single runs lie within about +- this share of the typical one"

#define FT_TELL_BASES "measured|interpolated|extrapolated|estimated"
#define FT_TELL_ALIKE                                                                                        \
	"any hour|the same hour of each day|the same hour of working days, or of weekends|the same hour of " \
	"that day of the week"
#define FT_TELL_VIEWS "idle|usual|now|at"

#endif
