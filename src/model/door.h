/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of model beyond its interface. */
#ifndef FT_MODEL_DOOR_H
#define FT_MODEL_DOOR_H

#include "foretime/facts.h"
#include "foretime/model.h"

/* A kind of model. A row of the table: the functions are called through ft_model_*. */
struct ft_model_type;

/* ft_model_axes - the parameters that it is a function of. axis [FT_PARAMS_MAX] out. Returns their number. */
size_t ft_model_axes(const struct ft_model *model, size_t *axis);

/* ft_model_pack - a model as bytes for a store, the same on every machine. out: [*n] heap, ends with free.
 * ft_model_unpack: FT_EPARSE: they are none, or of another version or prior (as in struct ft_model_options);
 * the model is then fitted again. */
enum ft_status ft_model_pack(const struct ft_model *model, unsigned char **out, size_t *n,
			     struct ft_err *err);
enum ft_status ft_model_unpack(struct ft_model **out, const unsigned char *bytes, size_t n,
			       const struct ft_prior *prior, struct ft_err *err);

/* ft_model_ship - what a model from another machine predicts here before any run: as wide as machines differ.
 * donor: copied, and no such model itself; mark: as options->donor_mark. FT_ENOMEM. ft_model_donor - the model that one of these, or one fitted with
 * options->donor, takes its shape from; NULL: none. Borrowed. */
enum ft_status ft_model_ship(struct ft_model **out, const struct ft_model *donor, enum ft_resource_class of,
			     double mark, struct ft_err *err);
const struct ft_model *ft_model_donor(const struct ft_model *model);

/* ft_program_work - the volume of computation of a program at a size.
 *
 * Returns FT_OK (*work > 0, or NaN when the program states none); FT_EPARSE; FT_EINVAL: not positive or not
 * finite there.
 */
enum ft_status ft_program_work(const struct ft_program *program, const struct ft_size *size, double *work,
			       struct ft_err *err);

/* ft_model_above - what a run is expected to cost that met a limit: the value below which a share (inside
 * 0..1) of runs at a size lies, of those above the limit > 0; the noise is taken for normal in ln value. NaN:
 * the model has no answer there. */
double ft_model_above(const struct ft_model *model, const struct ft_size *size, double work, double limit,
		      double share);

#endif
