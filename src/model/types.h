/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - the rows of the table of models, one file each, and what they share. */
#ifndef FT_MODEL_TYPES_H
#define FT_MODEL_TYPES_H

#include "foretime/model.h"
#include "model/pack.h"

struct ft_model {
	const struct ft_model_type *type;
	struct ft_model_facts facts;
	struct ft_knot *knot; /* [n] ascending, all different */
	size_t n;
	size_t axis[FT_PARAMS_MAX], n_axes;
	const struct ft_prior *prior; /* borrowed; NULL: the built-in one */
	void *state;                  /* the type's */
};

/* What a type fits: the model's axes, knots and the facts through_speed, offset, sizes and runs are set. */
struct ft__fit {
	const struct ft_observation *observation; /* [n] ascending by size, then by value */
	const struct ft_observation *measured;    /* the same as they were given */
	size_t n;
	const struct ft_model_options *options;
};

struct ft_model_type {
	const char *name;
	size_t axes; /* how many it can: 1; 0: any other number */
	enum ft_status (*fit)(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err);
	/* The size and the confidence are checked; *out is zero but for distance 1. */
	enum ft_status (*predict)(const struct ft_model *model, const struct ft_size *size, double work,
				  double confidence, struct ft_prediction *out, struct ft_err *err);
	void (*pack)(const struct ft_model *model, struct ft__packer *packer);
	enum ft_status (*unpack)(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err);
	void (*free)(void *state); /* accepts NULL */
};

enum { FT__MODEL_TYPES = 3 };
extern const struct ft_model_type *const ft__model_types[FT__MODEL_TYPES];
extern const struct ft_model_type ft__model_engine, ft__model_band, ft__model_process;

/* ft__observation_is_good - whether it can be modelled: numbers finite, value >= 0, work > 0, a size of so
 * many parameters. ft__observation_compare: by size, then by value, as qsort wants it. */
bool ft__observation_is_good(const struct ft_observation *observation, size_t length);
int ft__observation_compare(const void *a, const void *b);

/* ft__model_rounding - variance of ln value that rounding to whole steps makes: of a twelfth of a step's
 * square. Source: Sheppard 1898 (corrections of moments). */
double ft__model_rounding(double step, double value);

/* ft__model_beyond_step - what is left of a share of a value when a step of it is no fault. */
double ft__model_beyond_step(double share, double step, double value);

/* ft__model_usual - the deviation that n runs, of the observations from `from` on, usually have, geometric
 * mean.
 */
double ft__model_usual(const struct ft__fit *fit, size_t from, size_t n);

/* ft__model_value - the cost of a logarithm, less the offset that kept it finite; finite, not negative.
 * FT__LN_MOST: the range of what exp has: what lies beyond, or is no number, is at its end. */
#define FT__LN_MOST 700.0
double ft__model_value(double ln, double offset);

/* ft__model_x - the value of a model's only parameter. */
double ft__model_x(const struct ft_model *model, const struct ft_size *size);

/* ft__model_has_work - whether values go by work: one that is the same everywhere is none. */
bool ft__model_has_work(const struct ft_model *model);

/* ft__model_work - the work at a size of one parameter: what was given, else the power law from knot to knot
 * of what is known. */
double ft__model_work(const struct ft_model *model, double x, double work);

/* ft__model_place - where a size of one parameter lies: basis, distance, runs; *below: the last knot at or
 * below it. */
void ft__model_place(const struct ft_model *model, double x, struct ft_prediction *out, size_t *below);

/* ft__model_rough, ... - over this, a curve is called rough, and runs noisy; fewer sizes say too little. */
#define FT__ROUGH_OVER 0.20
#define FT__NOISY_OVER 0.15
enum { FT__SIZES_LEAST = 5 };

#endif
