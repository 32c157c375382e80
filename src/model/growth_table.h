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
				.change = {-1.54, 0.645, 0.644, -0.262, -2.02, -2.24},
				.spread = 0.771,
				.reach = 0.31,
				.share = {{0.323, 0.137, 0.539},
					  {0.607, 0.0818, 0.311},
					  {0.0782, 0.566, 0.356},
					  {0.0183, 0.633, 0.349},
					  {0.248, 0.242, 0.511},
					  {0.338, 0.216, 0.446}},
				.deviation = {0.0882, 0.04, 0.345},
				.usual = {0.0586, 0.614, 0.327},
				.other = 1.31,
				.narrow = 0.435,
				.steep = 1.45,
				.step_rate = 0.00697,
				.step = 0.435,
				.step_deviation = 0.457,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {-1.54, 0.645, 0.644, -0.262, -2.02, -2.24},
				.spread = 0.771,
				.reach = 0.31,
				.share = {{0.323, 0.137, 0.539},
					  {0.607, 0.0818, 0.311},
					  {0.0782, 0.566, 0.356},
					  {0.0183, 0.633, 0.349},
					  {0.248, 0.242, 0.511},
					  {0.338, 0.216, 0.446}},
				.deviation = {0.0882, 0.04, 0.345},
				.usual = {0.0586, 0.614, 0.327},
				.other = 1.31,
				.narrow = 0.435,
				.steep = 1.45,
				.step_rate = 0.00697,
				.step = 0.435,
				.step_deviation = 0.457,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {3.87, 0.969, 0.606, 0.572, 0.912, 0.457},
				.spread = 0.936,
				.reach = 0.738,
				.share = {{0.768, 0.0106, 0.221},
					  {0.114, 0.0516, 0.834},
					  {0.665, 0.172, 0.163},
					  {0.111, 0.0427, 0.846},
					  {0.218, 0.131, 0.651},
					  {0.366, 0.299, 0.335}},
				.deviation = {0.02, 0.508, 0.356},
				.usual = {0.179, 0.137, 0.685},
				.other = 0.362,
				.narrow = 0.667,
				.steep = 1.9,
				.step_rate = 0,
				.step = 0.362,
				.step_deviation = 0.54,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {-1.54, 0.645, 0.644, -0.262, -2.02, -2.24},
				.spread = 0.771,
				.reach = 0.31,
				.share = {{0.323, 0.137, 0.539},
					  {0.607, 0.0818, 0.311},
					  {0.0782, 0.566, 0.356},
					  {0.0183, 0.633, 0.349},
					  {0.248, 0.242, 0.511},
					  {0.338, 0.216, 0.446}},
				.deviation = {0.0882, 0.04, 0.345},
				.usual = {0.0586, 0.614, 0.327},
				.other = 1.31,
				.narrow = 0.435,
				.steep = 1.45,
				.step_rate = 0,
				.step = 0.435,
				.step_deviation = 0.457,
			},
};

#endif
