/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_model.h - the state of a model over several parameters. */
#ifndef FT_MODEL_SEVERAL_MODEL_H
#define FT_MODEL_SEVERAL_MODEL_H

#include "foretime/law.h"
#include "model/many.h"
#include "model/scatter.h"
#include "model/types.h"

#define FT__NO_SITE ((size_t)-1)

/* So many views of where cliffs lie, at most: without a product, and with the likeliest ones; and the largest
 * exponent of a product. */
enum { FT__SUSPECTS = 3, FT__VIEWS = 1 + FT__SUSPECTS, FT__PRODUCT_MOST = 2 };

/* One view: cliffs lie over the footprint, where it is known; else over no product of parameters, or over
 * one.
 */
struct ft__view {
	double weight;                 /* of all views: 1 */
	double product[FT_PARAMS_MAX]; /* [d] exponents of the product; all 0: there is none */
	struct ft__random_field field; /* a site for each knot, in their order; of many, for some */
	struct ft_laws_many *laws;     /* NULL: there are none */
	struct ft__random_field rest;  /* of what they leave over */
	double inside, share;          /* how much both are believed among the knots, and far beyond them */
};

struct ft__several {
	size_t axis[FT_PARAMS_MAX], d;                    /* the parameters that vary, ascending */
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX]; /* [params] the box of the knots */
	size_t params;
	struct ft__view view[FT__VIEWS]; /* [n_views] the likeliest first */
	size_t n_views;
	size_t *site;          /* [knots] of the fields; FT__NO_SITE */
	struct ft__many many;  /* of many knots, all together, by the first view: m = 0: there are few */
	struct ft__seen *seen; /* [knots] of many */
	struct ft__random_field footprint; /* of ln bytes; no sites: not known */
	double *place;                     /* [n x d] of the knots: ln size, the box being 0 .. 1 */
	struct ft__scatter runs;
	double caution; /* how many times wider than stated errors are */
};

/* ft__several_shape - axes and box, from a model's knots. */
void ft__several_shape(struct ft__several *p, const struct ft_model *model);

/* ft__several_ln - ln of the value of a parameter; sizes of 0 and below are shifted to 1. ft__several_at_ln -
 * the spot of a size, of which the footprint is not looked at. */
double ft__several_ln(const struct ft__several *p, size_t param, double value);
struct ft__spot ft__several_at_ln(const struct ft__several *p, const struct ft_size *size);

/* ft__several_spot - where a size lies in a view; its footprint is what the others' make one expect.
 * ft__several_product - the same of a spot of which the footprint is not known, by the view's product alone.
 */
struct ft__spot ft__several_spot(const struct ft__several *p, const struct ft__view *view,
				 const struct ft_size *size);
void ft__several_product(const struct ft__several *p, const struct ft__view *view, struct ft__spot *spot);

/* ft__several_places - p->place and p->site, of the knots. FT_ENOMEM. */
enum ft_status ft__several_places(struct ft__several *p, const struct ft_model *model, struct ft_err *err);

/* ft__several_cliff - the deviation of a cliff beyond all knots: what stays the same at all of them is not
 * thought to change at once by more than all that was seen of it. */
double ft__several_cliff(const struct ft_model *model);

/* ft__several_unite - where not each knot is a site: p->many, of the field and all knots. FT_ENOMEM. */
enum ft_status ft__several_unite(struct ft__several *p, const struct ft_model *model, struct ft_err *err);

/* ft__several_learn_laws - once the view's field has learned. FT_ENOMEM. (several_laws.c) */
enum ft_status ft__several_learn_laws(const struct ft__several *p, struct ft__view *view,
				      const struct ft_model *model, struct ft_err *err);

/* ft__several_mix - what the laws say of a size beside what the field does. other: of view->rest. */
void ft__several_mix(const struct ft__several *p, const struct ft__view *view, const struct ft_size *size,
		     double work, struct ft__known other, struct ft__known *known);

/* ft__several_clear_view - accepts one that is clear. */
void ft__several_clear_view(struct ft__view *view);

/* ft__several_fit - the row's. (several_fit.c) ft__several_facts - of a model that is fitted; step: as in
 * struct ft_model_options. */
enum ft_status ft__several_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err);
enum ft_status ft__several_facts(struct ft_model *model, double step, struct ft_err *err);

void ft__several_pack(const struct ft_model *model, struct ft__packer *packer);
enum ft_status ft__several_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err);

#endif
