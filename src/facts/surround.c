/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surround.c - what was known around a run, by the names of columns. */
#include "facts/surround.h"

#include <math.h>

#define NUMBER(field)                                                                                        \
	static double get_##field(const struct ft_run *run)                                                  \
	{                                                                                                    \
		return run->field;                                                                           \
	}                                                                                                    \
	static void set_##field(struct ft_run *run, double value)                                            \
	{                                                                                                    \
		run->field = value;                                                                          \
	}

NUMBER(load_before)
NUMBER(runnable_before)
NUMBER(runnable_after)
NUMBER(pressure)

static double get_processors(const struct ft_run *run)
{
	return run->processors ? (double)run->processors : (double)NAN;
}

static void set_processors(struct ft_run *run, double value)
{
	run->processors = value >= 1 && value < 1e6 ? (int)value : 0;
}

#define ROW(field)                                                                                           \
	{                                                                                                    \
#field, get_##field, set_##field                                                             \
	}

const struct ft__surround ft__surround[FT__SURROUND_N] = {
	ROW(load_before), ROW(runnable_before), ROW(runnable_after), ROW(pressure), ROW(processors),
};
