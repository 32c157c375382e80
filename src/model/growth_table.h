/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growth_table.h - growth of costs outside the measured range, by resource class: made by
 * tools/learn-growth from reference data; doc/growth.md, has its accuracy. */
#ifndef FT_MODEL_GROWTH_TABLE_H
#define FT_MODEL_GROWTH_TABLE_H

#include "model/model.h"

const double ft__growth_slopes[FT__GROWTH_BINS] = {0, 0.25, 0.6, 1, 1.6, 2.6};

const struct ft__growth ft__growths[FT_CLASSES] =
	{
		[FT_CLASS_TIME] =
			{
				.change = {-1.47, 0.643, 0.395, -0.442, -2.21, -2.7},
				.spread = 0.927,
				.reach = 1.12,
				.share = {{0.299, 0.143, 0.558},
					  {0.522, 0.0672, 0.41},
					  {0.0687, 0.596, 0.335},
					  {0.0157, 0.665, 0.319},
					  {0.237, 0.345, 0.418},
					  {0.325, 0.236, 0.439}},
				.deviation = {0.0647, 0.04, 0.357},
				.usual = {0.0627, 0.569, 0.368},
				.other = 1.32,
				.narrow = 0.286,
				.steep = 1.28,
				.step_rate = 0.0069,
				.step = 0.254,
				.step_deviation = 0.293,
			},
		[FT_CLASS_ENERGY] =
			{
				.change = {-1.47, 0.643, 0.395, -0.442, -2.21, -2.7},
				.spread = 0.927,
				.reach = 1.12,
				.share = {{0.299, 0.143, 0.558},
					  {0.522, 0.0672, 0.41},
					  {0.0687, 0.596, 0.335},
					  {0.0157, 0.665, 0.319},
					  {0.237, 0.345, 0.418},
					  {0.325, 0.236, 0.439}},
				.deviation = {0.0647, 0.04, 0.357},
				.usual = {0.0627, 0.569, 0.368},
				.other = 1.32,
				.narrow = 0.286,
				.steep = 1.28,
				.step_rate = 0.0069,
				.step = 0.254,
				.step_deviation = 0.293,
			},
		[FT_CLASS_MEMORY] =
			{
				.change = {0.838, -0.718, -0.754, -0.527, -0.126, -0.807},
				.spread = 0.413,
				.reach = 0.0599,
				.share = {{0.783, 0.00913, 0.207},
					  {0.148, 0.0267, 0.825},
					  {0.794, 0.0574, 0.149},
					  {0.111, 0.0689, 0.82},
					  {0.167, 0.136, 0.698},
					  {0.355, 0.278, 0.367}},
				.deviation = {0.02, 0.374, 0.332},
				.usual = {0.0614, 0.0716, 0.867},
				.other = 0.191,
				.narrow = 1.71,
				.steep = 2.28,
				.step_rate = 0,
				.step = 0.336,
				.step_deviation = 0.606,
			},
		[FT_CLASS_COUNT] =
			{
				.change = {-1.47, 0.643, 0.395, -0.442, -2.21, -2.7},
				.spread = 0.927,
				.reach = 1.12,
				.share = {{0.299, 0.143, 0.558},
					  {0.522, 0.0672, 0.41},
					  {0.0687, 0.596, 0.335},
					  {0.0157, 0.665, 0.319},
					  {0.237, 0.345, 0.418},
					  {0.325, 0.236, 0.439}},
				.deviation = {0.0647, 0.04, 0.357},
				.usual = {0.0627, 0.569, 0.368},
				.other = 1.32,
				.narrow = 0.286,
				.steep = 1.28,
				.step_rate = 0,
				.step = 0.254,
				.step_deviation = 0.293,
			},
};

#endif
