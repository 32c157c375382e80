/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blend.h - the average over what cannot be decided: how far a slope lasts (tau), and whether the mean of the
 * curve is the work alone or the laws that the sizes obey. Each is an engine of its own; they are weighed by
 * how well they foretold one size after the other. */
#ifndef FT_MODEL_BLEND_H
#define FT_MODEL_BLEND_H

#include "foretime/law.h"
#include "model/beyond.h"
#include "model/caution.h"
#include "model/engine.h"
#include "model/scatter.h"

struct ft__member {
	double weight;
	bool by_law;              /* its mean is that of the laws */
	double freedom;           /* runs that it did not follow: what shows it the scatter; not kept */
	struct ft__engine engine; /* its sites hold no values */
};

enum { FT__MEMBERS_MOST = 8 }; /* that are kept */

/* Zero-initialise; ends with ft__blend_clear. */
struct ft__blend {
	struct ft__member *member; /* [n] heaviest first */
	size_t n;
	struct ft_laws *laws;  /* for members that use them; NULL: there are none */
	struct ft__miss *miss; /* [n_misses] ascending: of sizes that were left out */
	size_t n_misses;
	double most; /* the largest size, ln */
	enum ft_resource_class of;
	const struct ft__growth *growth; /* beyond the data; borrowed */
	bool brief;                      /* one member: beyond the data it goes on as it does */
	double spread;                   /* of the sizes about what the others say of them: a share, > 0 */
	struct ft__growth_edge edge;
	struct ft__scatter runs;
};

/* What is known of a size. Logarithms, less the work. */
struct ft__outlook {
	double z;            /* of the typical run: it is as likely above as below */
	double lower, upper; /* between which it is, as sure as was asked for; cautious */
	double scatter;      /* scale of single runs, as their residuals are in units of it */
	double widest;       /* the same, wider by what few runs leave open, for that confidence */
};

/* What a model is of: offset that was added to its values (laws are of values alone); brief: one member, no
 * laws, no calibration. */
struct ft__blend_options {
	double offset;
	enum ft_resource_class of;
	bool brief;
	const struct ft_prior *prior; /* NULL: the built-in one */
};

/* ft__blend_make - of an engine that was told all runs. Settles it. FT_ENOMEM. */
enum ft_status ft__blend_make(struct ft__blend *out, struct ft__engine *engine,
			      const struct ft__blend_options *options, struct ft_err *err);
void ft__blend_clear(struct ft__blend *blend); /* accepts NULL, and twice */

/* ft__blend_edge - set what ft__blend_at needs beyond the data: once members, laws and spread are there. */
void ft__blend_edge(struct ft__blend *blend);

/* ft__blend_members - what each member says of a size, as it continues the measured ones: ln value less ln
 * work. Returns the variance of single runs about it. */
double ft__blend_members(const struct ft__blend *blend, double x, double work, bool fine,
			 struct ft__growth_belief *out);

/* ft__blend_at - fine: with fine structure. work at x, for the laws' mean (laws are of values). */
struct ft__outlook ft__blend_at(const struct ft__blend *blend, double x, double work, bool fine,
				double confidence);

#endif
