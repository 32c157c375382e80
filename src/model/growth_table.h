/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth_table.h - how costs go on beyond the sizes measured, by resource class: made by
 * bench/learn-growth.c of reference data; doc/models.md, Beyond the data, has how well it holds. */
#ifndef FT_MODEL_GROWTH_TABLE_H
#define FT_MODEL_GROWTH_TABLE_H

#include "model/beyond.h"

const double ft__growth_slopes[FT__GROWTH_BINS] = {0, 0.25, 0.6, 1, 1.6, 2.6};

const struct ft__growth ft__growths[FT_CLASSES] =
	{
		[FT_CLASS_TIME] =
			{
				.change = {0.533, 2.32, 0.51, 0.0507, -1.69, -2.6},
				.spread = 1.41,
				.reach = 1.58,
				.share = {{0.534, 0.139, 0.327},
					  {0.439, 0.0496, 0.512},
					  {0.151, 0.568, 0.281},
					  {0.0129, 0.692, 0.295},
					  {0.159, 0.683, 0.157},
					  {0.436, 0.265, 0.299}},
				.deviation = {0.0353, 0.0443, 0.333},
				.usual = {0.224, 0.401, 0.375},
				.other = 1.37,
				.step_rate = 0.00831,
				.step = 0.165,
				.step_deviation = 0.19,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {0.533, 2.32, 0.51, 0.0507, -1.69, -2.6},
				.spread = 1.41,
				.reach = 1.58,
				.share = {{0.534, 0.139, 0.327},
					  {0.439, 0.0496, 0.512},
					  {0.151, 0.568, 0.281},
					  {0.0129, 0.692, 0.295},
					  {0.159, 0.683, 0.157},
					  {0.436, 0.265, 0.299}},
				.deviation = {0.0353, 0.0443, 0.333},
				.usual = {0.224, 0.401, 0.375},
				.other = 1.37,
				.step_rate = 0.00831,
				.step = 0.165,
				.step_deviation = 0.19,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {1.19, 0.575, -0.587, -0.173, -0.447, -1.74},
				.spread = 0.961,
				.reach = 0.304,
				.share = {{0.774, 0.0131, 0.213},
					  {0.45, 0.114, 0.436},
					  {0.701, 0.132, 0.167},
					  {0.086, 0.0348, 0.879},
					  {0.318, 0.158, 0.524},
					  {0.408, 0.285, 0.307}},
				.deviation = {0.02, 0.378, 0.265},
				.usual = {0.528, 0.131, 0.341},
				.other = 0.391,
				.step_rate = 0,
				.step = 0.889,
				.step_deviation = 0.192,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {0.533, 2.32, 0.51, 0.0507, -1.69, -2.6},
				.spread = 1.41,
				.reach = 1.58,
				.share = {{0.534, 0.139, 0.327},
					  {0.439, 0.0496, 0.512},
					  {0.151, 0.568, 0.281},
					  {0.0129, 0.692, 0.295},
					  {0.159, 0.683, 0.157},
					  {0.436, 0.265, 0.299}},
				.deviation = {0.0353, 0.0443, 0.333},
				.usual = {0.224, 0.401, 0.375},
				.other = 1.37,
				.step_rate = 0,
				.step = 0.165,
				.step_deviation = 0.19,
			},
};

#endif
