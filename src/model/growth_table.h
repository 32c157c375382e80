/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth_table.h - how costs go on beyond the sizes measured, by resource class: made by
 * tools/learn-growth from reference data; doc/models.md, Beyond the data, has how well it holds. */
#ifndef FT_MODEL_GROWTH_TABLE_H
#define FT_MODEL_GROWTH_TABLE_H

#include "model/beyond.h"

const double ft__growth_slopes[FT__GROWTH_BINS] = {0, 0.25, 0.6, 1, 1.6, 2.6};

const struct ft__growth ft__growths[FT_CLASSES] =
	{
		[FT_CLASS_TIME] =
			{
				.change = {0.144, 2.09, 0.895, -0.125, -1.68, -2.36},
				.spread = 1.29,
				.reach = 1.43,
				.share = {{0.534, 0.132, 0.334},
					  {0.464, 0.0527, 0.483},
					  {0.23, 0.49, 0.28},
					  {0.013, 0.664, 0.323},
					  {0.165, 0.576, 0.258},
					  {0.324, 0.19, 0.486}},
				.deviation = {0.061, 0.0404, 0.366},
				.usual = {0.0796, 0.528, 0.392},
				.other = 1.31,
				.narrow = 0.474,
				.steep = 1.36,
				.step_rate = 0.00891,
				.step = 0.174,
				.step_deviation = 0.186,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {0.144, 2.09, 0.895, -0.125, -1.68, -2.36},
				.spread = 1.29,
				.reach = 1.43,
				.share = {{0.534, 0.132, 0.334},
					  {0.464, 0.0527, 0.483},
					  {0.23, 0.49, 0.28},
					  {0.013, 0.664, 0.323},
					  {0.165, 0.576, 0.258},
					  {0.324, 0.19, 0.486}},
				.deviation = {0.061, 0.0404, 0.366},
				.usual = {0.0796, 0.528, 0.392},
				.other = 1.31,
				.narrow = 0.474,
				.steep = 1.36,
				.step_rate = 0.00891,
				.step = 0.174,
				.step_deviation = 0.186,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {4.37, 0.0649, 0.561, -0.561, 0.282, -0.555},
				.spread = 1.1,
				.reach = 0.13,
				.share = {{0.768, 0.00701, 0.225},
					  {0.258, 0.0287, 0.713},
					  {0.529, 0.219, 0.252},
					  {0.134, 0.0445, 0.821},
					  {0.238, 0.0968, 0.666},
					  {0.455, 0.265, 0.28}},
				.deviation = {0.022, 0.258, 0.336},
				.usual = {0.187, 0.0939, 0.719},
				.other = 0.381,
				.narrow = 0.603,
				.steep = 1.82,
				.step_rate = 0,
				.step = 0.124,
				.step_deviation = 0.417,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {0.144, 2.09, 0.895, -0.125, -1.68, -2.36},
				.spread = 1.29,
				.reach = 1.43,
				.share = {{0.534, 0.132, 0.334},
					  {0.464, 0.0527, 0.483},
					  {0.23, 0.49, 0.28},
					  {0.013, 0.664, 0.323},
					  {0.165, 0.576, 0.258},
					  {0.324, 0.19, 0.486}},
				.deviation = {0.061, 0.0404, 0.366},
				.usual = {0.0796, 0.528, 0.392},
				.other = 1.31,
				.narrow = 0.474,
				.steep = 1.36,
				.step_rate = 0,
				.step = 0.174,
				.step_deviation = 0.186,
			},
};

#endif
