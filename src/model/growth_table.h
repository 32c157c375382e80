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
				.change = {-1.35, 0.773, 0.389, -0.416, -2.26, -2.48},
				.spread = 0.987,
				.reach = 1.16,
				.share = {{0.245, 0.163, 0.593},
					  {0.519, 0.0837, 0.398},
					  {0.0652, 0.595, 0.34},
					  {0.0141, 0.636, 0.35},
					  {0.222, 0.37, 0.408},
					  {0.372, 0.219, 0.409}},
				.deviation = {0.0671, 0.04, 0.341},
				.usual = {0.073, 0.577, 0.35},
				.other = 1.32,
				.narrow = 0.265,
				.steep = 1.29,
				.step_rate = 0.00639,
				.step = 0.238,
				.step_deviation = 0.285,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {-1.35, 0.773, 0.389, -0.416, -2.26, -2.48},
				.spread = 0.987,
				.reach = 1.16,
				.share = {{0.245, 0.163, 0.593},
					  {0.519, 0.0837, 0.398},
					  {0.0652, 0.595, 0.34},
					  {0.0141, 0.636, 0.35},
					  {0.222, 0.37, 0.408},
					  {0.372, 0.219, 0.409}},
				.deviation = {0.0671, 0.04, 0.341},
				.usual = {0.073, 0.577, 0.35},
				.other = 1.32,
				.narrow = 0.265,
				.steep = 1.29,
				.step_rate = 0.00639,
				.step = 0.238,
				.step_deviation = 0.285,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {0.788, -0.642, -0.689, -0.605, -0.0688, -0.918},
				.spread = 0.395,
				.reach = 0.0622,
				.share = {{0.824, 0.0122, 0.164},
					  {0.0622, 0.0285, 0.909},
					  {0.855, 0.0627, 0.0824},
					  {0.066, 0.0348, 0.899},
					  {0.164, 0.105, 0.731},
					  {0.392, 0.307, 0.301}},
				.deviation = {0.02, 0.638, 0.31},
				.usual = {0.0563, 0.0962, 0.847},
				.other = 0.198,
				.narrow = 1.57,
				.steep = 2.29,
				.step_rate = 0,
				.step = 0.721,
				.step_deviation = 0.278,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {-1.35, 0.773, 0.389, -0.416, -2.26, -2.48},
				.spread = 0.987,
				.reach = 1.16,
				.share = {{0.245, 0.163, 0.593},
					  {0.519, 0.0837, 0.398},
					  {0.0652, 0.595, 0.34},
					  {0.0141, 0.636, 0.35},
					  {0.222, 0.37, 0.408},
					  {0.372, 0.219, 0.409}},
				.deviation = {0.0671, 0.04, 0.341},
				.usual = {0.073, 0.577, 0.35},
				.other = 1.32,
				.narrow = 0.265,
				.steep = 1.29,
				.step_rate = 0,
				.step = 0.238,
				.step_deviation = 0.285,
			},
};

#endif
