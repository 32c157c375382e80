/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lattice.h - the admissible sizes of several parameters, numbered on each axis, and what was told of them.
 */
#ifndef FT_BUILD_LATTICE_H
#define FT_BUILD_LATTICE_H

#include "build/space.h"
#include "foretime/build.h"

/* Numbers of a size on all axes. */
struct ft__place {
	size_t at[FT_PARAMS_MAX];
};

/* A size that was told. */
struct ft__told {
	struct ft__place place;
	bool hole;
	double *seconds; /* [n], then the limits that [limits] others met; n = 0: nothing could be measured */
	size_t n, limits;
	double work;            /* that the runs reported; 0: none */
	double footprint_bytes; /* 0: not known */
	bool given, over;       /* as of struct ft_build_told */
};

static inline struct ft_build_told ft__told_of(const struct ft__told *site)
{
	return (struct ft_build_told){.seconds = site->seconds,
				      .n = site->n,
				      .hole = site->hole,
				      .work = site->work,
				      .footprint_bytes = site->footprint_bytes,
				      .given = site->given,
				      .limit_s = site->seconds + site->n,
				      .limits = site->limits,
				      .over = site->over};
}

/* The number of sizes is at least 1 on each axis; several on at least one. */
struct ft__lattice {
	struct ft_build_options options;
	struct ft__grid axis[FT_PARAMS_MAX]; /* [n] */
	size_t n;
	size_t varying[FT_PARAMS_MAX], d; /* [d] axes with several sizes */
	double *admitted;                 /* of one axis that varies, what the constraint admits; or NULL */
	struct ft__told *site;            /* [n_sites] ascending by place */
	size_t n_sites, capacity;
	size_t holes; /* told to be holes */
};

enum ft_status ft__lattice_init(struct ft__lattice *lattice, const struct ft_build_options *options,
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
				const struct ft_build_told *told, struct ft_err *err);

#endif
