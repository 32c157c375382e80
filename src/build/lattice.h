/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.h - the admissible sizes of several parameters, numbered on each axis, and what was told of them.
 */
#ifndef FT_BUILD_LATTICE_H
#define FT_BUILD_LATTICE_H

#include "build/space.h"
#include "foretime/grid.h"

/* Numbers of a size on all axes. */
struct ft__place {
	size_t at[FT_PARAMS_MAX];
};

/* A size that was asked for or told. */
struct ft__told {
	struct ft__place place;
	bool told, hole;
	double *seconds; /* [n]; n = 0: nothing could be measured */
	size_t n;
	double footprint; /* bytes; 0: not known */
};

/* The number of sizes is at least 1 on each axis; several on at least one. */
struct ft__lattice {
	struct ft_grid_options options;
	struct ft__grid axis[FT_PARAMS_MAX];
	size_t n;
	struct ft__told *site; /* [n_sites] ascending by place */
	size_t n_sites, capacity;
	size_t holes; /* told to be holes */
};

enum ft_status ft__lattice_init(struct ft__lattice *lattice, const struct ft_grid_options *options,
				struct ft_err *err);
void ft__lattice_clear(struct ft__lattice *lattice);

struct ft_size ft__lattice_size(const struct ft__lattice *lattice, const struct ft__place *place);

/* ft__lattice_find - false: no admissible size. */
bool ft__lattice_find(const struct ft__lattice *lattice, const struct ft_size *size, struct ft__place *place);

bool ft__lattice_same(const struct ft__lattice *lattice, const struct ft__place *a,
		      const struct ft__place *b);
bool ft__lattice_admits(const struct ft__lattice *lattice, const struct ft__place *place);
double ft__lattice_work(const struct ft__lattice *lattice, const struct ft__place *place);

/* ft__lattice_site - what is known of a place; NULL: nothing. Valid until the next tell. */
const struct ft__told *ft__lattice_site(const struct ft__lattice *lattice, const struct ft__place *place);

/* ft__lattice_tell - keep what was told. FT_OK; FT_ENOMEM. */
enum ft_status ft__lattice_tell(struct ft__lattice *lattice, const struct ft__place *place,
				const double *seconds, size_t n, bool hole, struct ft_err *err);

/* ft__lattice_footprint - keep that too. False: nothing is known of the place. */
bool ft__lattice_footprint(struct ft__lattice *lattice, const struct ft__place *place, double bytes);

/* A way to build over several parameters. */
struct ft__plan {
	bool repeats;
	enum ft_status (*init)(void **state, struct ft__lattice *lattice, const struct ft_builder_type *type,
			       struct ft_err *err);
	enum ft_status (*ask)(void *state, struct ft__place *places, size_t most, size_t *n,
			      struct ft_err *err);
	enum ft_status (*tell)(void *state, const struct ft__told *site, struct ft_err *err);
	enum ft_stop (*stop)(const void *state);
	bool (*flat)(const void *state, size_t axis);
	void (*overhead)(void *state, double seconds); /* NULL: it asks no matter what runs cost */
	size_t (*excluded)(const void *state);         /* combinations that the constraints do not admit */
	void (*free)(void *state);
};

extern const struct ft__plan ft__plan_span;   /* 001 II.A.3 */
extern const struct ft__plan ft__plan_refine; /* adaptive */

#endif
