/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.h - a model along one parameter, the others held: a boundary of the model over all of them. */
#ifndef FT_BUILD_LINE_H
#define FT_BUILD_LINE_H

#include "build/types.h"

/* Where the line lies: its place on the axes of the others. Sizes along it may turn out to be holes; then the
 * others are raised, and it begins again. */
struct ft__line {
	struct ft__lattice *lattice;
	const struct ft__row *row;
	size_t axis;
	struct ft__place base; /* at[axis] counts for nothing */
	void *state;           /* of the row's builder of one parameter */
	/* Where no work is stated and the runs report none, a power of the size along the line stands for it:
	 * 1 / time alone falls so steeply that cuts would never meet. It is the one through both ends. */
	bool settled;  /* the exponent is known, or not needed */
	bool reported; /* work, by the run at the line's first size */
	size_t end;    /* number of the size that it is drawn through */
	double exponent;
	bool done;
	int probes;       /* made to raise it; -1: it was raised, or cannot be */
	double low, high; /* shares of the others' ranges: too low, high enough */
	struct ft__place probe;
};

/* ft__line_init - a line through the least values of the others; where the constraints do not admit its whole
 * length, through the least equal shares of their ranges at which they admit it, or most of it. */
enum ft_status ft__line_init(struct ft__line *line, struct ft__lattice *lattice, const struct ft__row *row,
			     size_t axis, struct ft_err *err);
void ft__line_clear(struct ft__line *line);

/* ft__line_ask - the places that it needs and that are not told; *n = 0: it is done. */
enum ft_status ft__line_ask(struct ft__line *line, struct ft__place *places, size_t most, size_t *n,
			    struct ft_err *err);

/* ft__line_complete - as ft_builder_complete, along the line. */
double ft__line_complete(const struct ft__line *line);

/* ft__line_levels - the numbers on its axis that could be measured, ascending; their number. levels may be
 * NULL. */
size_t ft__line_levels(const struct ft__line *line, size_t *levels);

/* ft__line_flat - whether the cuts of all its sizes have a time in common; there are two at least. */
bool ft__line_flat(const struct ft__line *line);

/* ft__line_shape - as ft_builder_shape, along the line. */
enum ft_status ft__line_shape(const struct ft__line *line, struct ft_build_shape *out, struct ft_err *err);

#endif
